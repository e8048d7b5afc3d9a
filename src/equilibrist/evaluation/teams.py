"""Best responses of teams: partners with one purse who see different things and cannot talk.

A team's best response is a pair (or more) of strategies, one for each partner, that together earn
most against the others. Partners who see different things are one player with imperfect recall, for
whom no best response by backward induction exists; finding one is NP-hard (Koller & Megiddo 1992).
It is therefore bracketed, exactly on either side:

* from below by strategies that partners can play, each a best response to the others and to its
  partners: one partner after the other improves until none can, from the strategy itself and from
  random ones;
* from above by what the team could earn if partners told each other, at each move, all that they
  have seen: then they are one player with perfect recall, whose best response is computed exactly.

Where the two meet, the best response is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.validate import check_seed, is_whole
from ..errors import GameError
from ..form.compiled_game import CompiledGame
from ..form.sequence.build import compile_sequence
from ..game.protocol import Game, action_label, game_name
from ..games.load import load
from ..strategy.convert import AnyStrategy, missing_play, strategy_for
from ..strategy.strategy import Strategy

_ROUNDING = 1e-12  # of the team's largest payoff
_CLOSE = 1e-9  # of the same: bounds that differ by less meet


@dataclass(frozen=True, slots=True)
class TeamResponse:
    """What a team earns, and what it could earn if its partners changed their strategies together; payoff per game.

    Attributes
    ----------
    players : tuple of int
        The partners.
    value : float
        The sum of their payoffs with the strategy.
    alone : float
        The most that the team earns if one of them changes the strategy alone.
    best_response_value : float
        The most that was found for partners who change their strategies together; they can play it.
    upper_bound : float
        What they cannot exceed: the best response of partners who tell each other what they have
        seen.
    best_response : Strategy
        The strategy of everybody with the partners' best response that was found.
    is_exact : bool
        Whether no better response exists.
    """

    players: tuple[int, ...]
    value: float
    alone: float
    best_response_value: float
    upper_bound: float
    best_response: Strategy
    is_exact: bool

    @property
    def gain(self) -> float:
        """What the team gains by the best response that was found."""
        return self.best_response_value - self.value

    def summary(self) -> dict[str, Any]:
        """Return everything but the best response, as plain data for JSON."""
        names = ("value", "alone", "best_response_value", "upper_bound", "gain", "is_exact")
        return {"players": list(self.players), **{name: getattr(self, name) for name in names}}


class _TeamGame:
    """A game in which partners share their payoffs: each receives the sum of the team."""

    def __init__(self, game: Game, teams: Sequence[tuple[int, ...]]) -> None:
        self.game = game
        self.players = game.players
        self._team = {player: team for team in teams for player in team}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["game"], name)

    def __str__(self) -> str:
        return f"{game_name(self.game)} in teams"

    def payoffs(self, state: Any) -> list[float]:
        payoffs = self.game.payoffs(state)
        return [
            float(sum(payoffs[partner] for partner in self._team[player]))
            for player in range(self.players)
        ]


class _InformedTeamGame(_TeamGame):
    """The same where the partners of one team tell each other, when they move, all that they have seen.

    The first partner moves for all. A state is that of the game, and the player, infoset and action
    of each move that the team has made.
    """

    def __init__(self, game: Game, teams: Sequence[tuple[int, ...]], team: tuple[int, ...]) -> None:
        super().__init__(game, teams)
        self.team = team

    def start(self) -> Any:
        return self.game.start(), ()

    def player(self, state: Any) -> int:
        mover = self.game.player(state[0])
        if mover in self.team:
            return self.team[0]
        return mover

    def actions(self, state: Any) -> Sequence[Any]:
        return self.game.actions(state[0])

    def probabilities(self, state: Any) -> Sequence[float]:
        return self.game.probabilities(state[0])

    def next(self, state: Any, action: Any) -> Any:
        inner, shared = state
        mover = self.game.player(inner)
        if mover in self.team:
            shared = (*shared, mover, str(self.game.infoset(inner)), str(action))
        return self.game.next(inner, action), shared

    def payoffs(self, state: Any) -> list[float]:
        return super().payoffs(state[0])

    def infoset(self, state: Any) -> str:
        inner, shared = state
        mover = self.game.player(inner)
        infoset = str(self.game.infoset(inner))
        if mover in self.team:
            return repr((*shared, mover, infoset))
        return infoset

    def public(self, state: Any) -> None:
        """Say of no move of chance that everybody sees it."""

    def action_label(self, state: Any, action: Any) -> str:
        return action_label(self.game, state[0], action)


def team_responses(
    game: str | Game,
    strategy: AnyStrategy,
    teams: str | Sequence[Sequence[int]] = ((0, 2), (1, 3)),
    *,
    missing: str | None = None,
    starts: int = 30,
    seed: int = 0,
) -> tuple[TeamResponse, ...]:
    """Return what each team earns with a strategy, and what it could earn by changing its strategies together.

    :func:`equilibrist.evaluate` judges each player by itself: a strategy in which nobody gains alone may still lose to
    two partners who change together.

    Parameters
    ----------
    game : str or Game
        As for :func:`equilibrist.load`; small enough to be walked in Python, some 30,000 histories
        a second.
    strategy : Solution, Strategy, mapping, or path
        As for :func:`equilibrist.evaluate`.
    teams : str or sequence of sequences of int
        The partners of each team, each player in one of them: ``"0,2/1,3"``, the default, or ``[[0,
        2], [1, 3]]``.
    missing : {None, "uniform"}
        As for :func:`equilibrist.evaluate`.
    starts : int
        How many random strategies of the team to improve, besides the strategy itself.
    seed : int
        Of these.

    Raises
    ------
    GameError
        The game cannot be found, or the teams are not those of its players.
    SolutionError
        The strategy cannot be read or does not fit the game.

    References
    ----------
    D. Koller, N. Megiddo (1992), "The complexity of two-person zero-sum games in extensive form",
    GEB 4. CFR has no guarantee in such games, whoever's reach is counted as one's own.

    Examples
    --------
    >>> import equilibrist as eq
    >>> first, _ = eq.team_responses("kuhn", {}, teams=[[0], [1]], missing="uniform")
    >>> round(first.gain, 6), first.is_exact  # a team of one: the best response of evaluate
    (0.375, True)
    """
    rules = load(game)
    partition_of_players = partition(game_name(rules), rules.players, teams)
    if not is_whole(starts, 0):
        raise GameError(
            f"starts must be a whole number, 0 or more; got {starts!r}.", wrong_use=True
        )
    rng = np.random.default_rng(check_seed(seed))
    form: CompiledGame = compile_sequence(_TeamGame(rules, partition_of_players))
    missing = missing_play(strategy, missing)
    slots = strategy_for(strategy, form).at_slots(form, missing=missing)
    full_strategy = Strategy.from_form(form, slots)
    current = form.best_responses(slots)
    responses = []
    for team in partition_of_players:
        start_strategies = [
            slots,
            *(
                _draw_pure_strategy(form, slots, team, rng)
                for _ in range(starts if len(team) > 1 else 0)
            ),
        ]
        orders = [team, *(rng.permutation(team).tolist() for _ in start_strategies[1:])]
        improved = [
            _improve_in_turn(form, start, order)
            for start, order in zip(start_strategies, orders, strict=True)
        ]
        best_value, best_slots = max(improved, key=lambda end: end[0])
        informed_form = compile_sequence(_InformedTeamGame(rules, partition_of_players, team))
        others = Strategy.from_dict(
            {key: row for key, row in full_strategy.items() if key[0] not in team}
        )
        bound = informed_form.best_responses(
            others.at_slots(informed_form, missing="uniform")
        ).best_response_value[team[0]]
        responses.append(
            TeamResponse(
                players=team,
                value=current.value[team[0]],
                alone=max(current.best_response_value[player] for player in team),
                best_response_value=best_value,
                upper_bound=bound,
                best_response=Strategy.from_form(form, best_slots),
                is_exact=bound - best_value <= _CLOSE * form.largest_payoff,
            )
        )
    return tuple(responses)


def partition(
    name: str, players: int, teams: str | Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], ...]:
    """Return the partners of each team of a game; a text names them as ``"0,2/1,3"`` does."""
    sides: Sequence[Sequence[int]] = ()
    try:
        if isinstance(teams, str):
            sides = [list(map(int, team.split(","))) for team in teams.split("/")]
        else:
            sides = teams
        checked = tuple(map(tuple, sides))
    except (TypeError, ValueError):
        checked = ()
    members = [player for team in checked for player in team]
    is_partition = all(is_whole(player, 0) for player in members) and sorted(members) == list(
        range(players)
    )
    if not (all(checked) and is_partition):
        raise GameError(
            f"{name}: teams must name each of the players 0 to {players - 1} once, as '0,2/1,3' "
            f"does for four; got {teams!r}.",
            wrong_use=True,
        )
    return checked


def _draw_pure_strategy(
    form: CompiledGame, slots: Floats, team: tuple[int, ...], rng: np.random.Generator
) -> Floats:
    draws = rng.random(form.num_actions)
    largest = np.repeat(
        np.maximum.reduceat(draws, form.first_action[:-1]), form.infosets.num_actions
    )
    pure = form.to_slots(draws == largest)
    for player in team:
        slots = form.with_player(slots, pure, player)
    return slots


def _improve_in_turn(
    form: CompiledGame, slots: Floats, team: Sequence[int]
) -> tuple[float, Floats]:
    """Let partners in turn take a best response until none gains; return the team's value and the strategy."""
    queue = list(team)
    value = form.best_responses(slots).value[team[0]]
    while queue:
        player = queue.pop(0)
        responses = form.best_responses(slots)
        response_value = responses.best_response_value[player]
        if response_value > value + _ROUNDING * form.largest_payoff:
            slots = form.with_player(slots, responses.best_response, player)
            value = response_value
            queue = [other for other in team if other != player]
    return value, slots
