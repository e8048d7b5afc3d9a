"""Equilibria of two teams whose partners agree beforehand on what each will do, and cannot talk during the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog

from .._util.arrays import Floats
from ..errors import GameError, LinearProgramError
from ..form.limits import MAX_DEPTH, Limits
from ..game.protocol import Game
from ..games.load import load
from .plans import Product, SequenceGame, any_plans, best_plans, good_plans, plan_actions, sequence_game

_TOLERANCE = 1e-9  # of the largest payoff
_ROUNDS = 10_000

Plan = dict[tuple[int, str], str]
"""The action of each partner at each infoset that the plan comes to, by (player, infoset)."""


@dataclass(frozen=True, slots=True)
class TeamEquilibrium:
    """What :func:`team_equilibrium` returns; payoff per game.

    Attributes
    ----------
    game : str
        Name of the game.
    teams : tuple of tuples of int
        The partners of either team.
    value : float
        What the first team earns.
    best_response_value : tuple of float
        What each team earns with its best response to the other's mixture: no plan earns more.
    payoff_sum : float
        What both teams earn together in each play: 0 where the game is zero-sum.
    plans : tuple of lists of (probability, plan)
        For each team the plans that it draws from, the most probable first.
    """

    game: str
    teams: tuple[tuple[int, ...], ...]
    value: float
    best_response_value: tuple[float, float]
    payoff_sum: float
    plans: tuple[list[tuple[float, Plan]], ...]

    @property
    def gap(self) -> float:
        """What both teams together gain by best responses: 0 in an equilibrium, up to rounding."""
        return sum(self.best_response_value) - self.payoff_sum

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        texts = [
            [
                [probability, {f"{player} {key}": action for (player, key), action in plan.items()}]
                for probability, plan in drawn
            ]
            for drawn in self.plans
        ]
        return {**asdict(self), "plans": texts, "gap": self.gap}


def team_equilibrium(
    game: str | Game, teams: str | Sequence[Sequence[int]], *, max_histories: int | None = None
) -> TeamEquilibrium:
    """Return an equilibrium of two teams, each of which draws a plan for all partners before the game (TMECor).

    Partners who see different things are not one player with perfect recall: their best response is a mixed-integer
    programme. Plans are added to both sides, each the best response to the other's mixture, until none gains: then the
    matrix of the plans that are there has the value of the game (double oracle).

    Parameters
    ----------
    game : Game or str
        Anything that :func:`load` takes; payoffs sum to the same at each leaf.
    teams : str or sequence of sequences of int
        The players of either team: ``"0,1/2"`` or ``[[0, 1], [2]]``.
    max_histories : int, optional
        Where to give up, as for :func:`compile_game`.

    Raises
    ------
    GameError
        The game cannot be found, is too large or is not constant-sum, or the teams are not two that hold each player
        once.
    LinearProgramError
        HiGHS found no optimum.

    References
    ----------
    Celli & Gatti 2018, "Computational results for extensive-form adversarial team games"; McMahan, Gordon & Blum 2003,
    "Planning in the presence of cost functions controlled by an adversary".

    Examples
    --------
    >>> import equilibrist as eq
    >>> round(eq.team_equilibrium("kuhn", "0/1").value, 9)  # teams of one: the value of the game
    -0.055555556
    """
    sequences = sequence_game(load(game), Limits.checked(max_histories, MAX_DEPTH))
    sides = _checked(sequences, teams)
    total = sequences.payoffs.sum(axis=1)
    if np.ptp(total) > _TOLERANCE * max(1.0, float(np.abs(sequences.payoffs).max(initial=0.0))):
        raise GameError(
            f"{sequences.name}: teams need payoffs with the same sum at each end of the game.", wrong_use=True
        )
    return _DoubleOracle(sequences, sides).solve()


class _DoubleOracle:
    """The plans of both teams so far, and the payoff of the first team for each pair of them."""

    def __init__(self, game: SequenceGame, teams: tuple[tuple[int, ...], ...]) -> None:
        self.game, self.teams = game, teams
        first, second = (game.payoffs[:, list(team)].sum(axis=1) * game.chance for team in teams)
        self.weights: tuple[Floats, Floats] = (first, second)
        self.constant = float(game.payoffs[0].sum())
        # the leaves that each plan of a team does not rule out, as rows of 0 and 1
        self.plans: list[list[frozenset[int]]] = [[], []]
        self.allowed: list[list[Floats]] = [[], []]
        for side in range(2):
            self._add(side, any_plans(game, teams[side]))

    def solve(self) -> TeamEquilibrium:
        """Add best responses until neither gains."""
        tolerance = _TOLERANCE * max(1.0, float(np.abs(self.game.payoffs).max(initial=0.0)))
        for _ in range(_ROUNDS):
            mixtures, value = self._matrix_game()
            responses = [self._response(side, mixtures[1 - side], tolerance, value) for side in range(2)]
            gains = [
                worth - earned for (worth, _), earned in zip(responses, (value, self.constant - value), strict=True)
            ]
            if max(gains) <= tolerance:
                return self._result(mixtures, value, (responses[0][0], responses[1][0]))
            for side in range(2):
                if gains[side] > tolerance:
                    self._add(side, responses[side][1])
        raise LinearProgramError(f"{self.game.name}: the teams found no equilibrium within {_ROUNDS:,} rounds.")

    def _add(self, side: int, plan: frozenset[int]) -> None:
        team = list(self.teams[side])
        self.plans[side].append(plan)
        self.allowed[side].append(np.isin(self.game.leaves[:, team], list(plan)).all(axis=1).astype(float))

    def _matrix_game(self) -> tuple[list[Floats], float]:
        """Return the equilibrium of the plans that are there, and what it earns the first team."""
        first, second = (np.array(rows) for rows in self.allowed)
        payoff = first @ (self.weights[0][:, None] * second.T)
        rows, columns = payoff.shape
        upper = np.hstack([-payoff.T, np.ones((columns, 1))])
        result = linprog(
            np.append(np.zeros(rows), -1.0), upper, np.zeros(columns), np.append(np.ones(rows), 0.0)[None], [1.0],
            [(0, None)] * rows + [(None, None)], method="highs",
        )  # fmt: skip
        if result.status != 0:
            raise LinearProgramError(f"{self.game.name}: the programme was not solved ({result.message}).")
        mixtures = [np.maximum(result.x[:rows], 0.0), np.maximum(-result.ineqlin.marginals, 0.0)]
        mixtures = [mixture / mixture.sum() for mixture in mixtures]
        return mixtures, float(mixtures[0] @ payoff @ mixtures[1])

    def _worth(self, side: int, reach: Floats) -> dict[Product, float]:
        """Return what a team earns as a sum over its own products, where the others let leaves through so often."""
        worth: dict[Product, float] = {}
        team = set(self.teams[side])
        for leaf, weight in zip(self.game.leaves.tolist(), (self.weights[side] * reach).tolist(), strict=True):
            key = tuple(s if player in team else 0 for player, s in enumerate(leaf))
            worth[key] = worth.get(key, 0.0) + weight
        return worth

    def _response(self, side: int, mixture: Floats, tolerance: float, value: float) -> tuple[float, frozenset[int]]:
        """Return a better plan against a mixture of the other team; the best one where none is found at once."""
        worth = self._worth(side, mixture @ np.array(self.allowed[1 - side]))
        earned = value if side == 0 else self.constant - value
        for start in self.plans[side][-5:]:
            worth_found, plan = good_plans(self.game, worth, self.teams[side], start)
            if worth_found > earned + 10 * tolerance:
                return worth_found, plan
        return best_plans(self.game, worth, self.teams[side])

    def _result(self, mixtures: list[Floats], value: float, best: tuple[float, float]) -> TeamEquilibrium:
        drawn_by_team = []
        for plans, mixture in zip(self.plans, mixtures, strict=True):
            drawn = sorted(zip(mixture.tolist(), plans, strict=True), key=lambda each: -each[0])
            drawn_by_team.append([(share, self._named(plan)) for share, plan in drawn if share > 1e-12])
        return TeamEquilibrium(self.game.name, self.teams, value, best, self.constant, tuple(drawn_by_team))

    def _named(self, plan: frozenset[int]) -> Plan:
        return {
            (self.game.infosets[self.game.infoset_of[s]].player, key): action
            for s, (key, action) in zip(sorted(plan - {0}), plan_actions(self.game, plan), strict=True)
        }


def _checked(game: SequenceGame, teams: str | Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    try:
        if isinstance(teams, str):
            sides = tuple(tuple(int(player) for player in team.split(",")) for team in teams.split("/"))
        else:
            sides = tuple(tuple(team) for team in teams)
        fits = len(sides) == 2 and sorted(p for team in sides for p in team) == list(range(game.players))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise GameError(
            f"{game.name}: teams must be two that name each of the players 0 to {game.players - 1} once, such as "
            f"'0,1/2' for three; got {teams!r}.",
            wrong_use=True,
        )
    return sides
