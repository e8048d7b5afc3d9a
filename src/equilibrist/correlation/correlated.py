"""Correlated equilibria of the extensive form and of the normal form, by linear programme."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import GameError, nearest
from ..form.limits import MAX_DEPTH, Limits
from ..game.protocol import Game
from ..games.load import load
from .deviations import KINDS, Deviation, constraints, deviations
from .plans import SequenceGame, normal_form, plan_actions, sequence_game
from .programmes import CorrelatedPlan, solve_columns, solve_polytope

_MOST_PLANS = 300
"""Of a player, where each plan is an action of the normal form."""

_SHOWN = 1e-9


@dataclass(frozen=True, slots=True)
class Outcome:
    """A play of the game, and how often the mediator's plans and chance lead to it.

    Attributes
    ----------
    moves : str
        What each player does on the way, infoset by infoset: ``"0 J: bet, 1 Kb: call"``.
    probability : float
    payoffs : tuple of float
        What each player receives.
    """

    moves: str
    probability: float
    payoffs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CorrelatedEquilibrium:
    """What :func:`correlated` returns: a distribution over plays that nobody gains by leaving, and the proof.

    Attributes
    ----------
    game : str
        Name of the game.
    kind : str
        Which equilibrium it is: ``"efce"``, ``"efcce"``, ``"nfcce"``, ``"cce"`` or ``"ce"``.
    objective : str
        What is as large as possible.
    value : tuple of float
        The expected payoff of each player.
    deviations : tuple of Deviation
        What each player would gain by no longer doing as told, at each point where that is possible.
    outcomes : tuple of Outcome
        The plays, the most frequent first.
    """

    game: str
    kind: str
    objective: str
    value: tuple[float, ...]
    deviations: tuple[Deviation, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def largest_gain(self) -> float:
        """The most that any deviation gains: 0, up to the tolerance of the linear programme."""
        return max((deviation.gain for deviation in self.deviations), default=0.0)

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {**asdict(self), "largest_gain": self.largest_gain}


def correlated(
    game: str | Game,
    kind: str = "efce",
    *,
    objective: str = "sum",
    max_histories: int | None = None,
) -> CorrelatedEquilibrium:
    """Return the correlated equilibrium with the largest objective, by linear programme, with all its deviations.

    A mediator draws a plan for each player and tells each their own moves; in an equilibrium nobody gains by doing
    something else. The kinds differ in what a player knows on leaving the plan:

    * ``"efce"``: the move that is recommended at the infoset reached, and nothing of later ones;
    * ``"efcce"``: the infoset reached, before the recommendation is heard;
    * ``"nfcce"`` or ``"cce"``: nothing, the player decides before the game begins;
    * ``"ce"``: the whole plan. The game is brought into normal form, which must be small.

    With two players and no chance the programme is as large as the pairs of moves that one play can hold. With chance,
    or more players, the question is NP-hard in general: joint plans are generated one by one, the last ones by
    mixed-integer programmes, which suits small games only.

    Parameters
    ----------
    game : Game or str
        Anything that :func:`load` takes; general-sum, with any number of players, who have perfect recall.
    kind : str
        ``"efce"``, ``"efcce"``, ``"nfcce"``, ``"cce"`` or ``"ce"``.
    objective : str
        ``"sum"`` of all payoffs, that of ``"player 0"``, ``"player 1"``, …, or one of these after a minus:
        ``"-sum"`` is the equilibrium with the least sum.
    max_histories : int, optional
        Where to give up, as for :func:`compile_game`.

    Raises
    ------
    GameError
        The game cannot be found or is too large, or the kind or the objective is unknown.
    LinearProgramError
        HiGHS found no optimum.

    References
    ----------
    von Stengel & Forges 2008, "Extensive-form correlated equilibrium"; Farina, Bianchi & Sandholm 2020, "Coarse
    correlation in extensive-form games".

    Examples
    --------
    >>> import equilibrist as eq
    >>> chicken = "matrix(payoffs=[[0, 4], [1, 3]], payoffs2=[[0, 1], [4, 3]])"
    >>> round(sum(eq.correlated(chicken, "efce").value), 9)
    5.333333333
    """
    if kind not in KINDS:
        raise GameError(
            f"There is no kind {kind!r} of correlated equilibrium.{nearest(str(kind), KINDS)}", wrong_use=True
        )
    limits = Limits.checked(max_histories, MAX_DEPTH)
    sequences = sequence_game(load(game), limits)
    if kind == "ce":
        sequences = _in_normal_form(sequences)
    weights = _weights(sequences, objective)
    terms = sequences.weighted(sequences.payoffs @ weights)
    solve = solve_columns if sequences.connected is None else solve_polytope
    plan = solve(sequences, constraints(sequences, kind), terms)
    return _result(sequences, plan, kind, objective)


def _in_normal_form(game: SequenceGame) -> SequenceGame:
    plans = [game.pure_plans(player, _MOST_PLANS) for player in range(game.players)]
    for player, plan_list in enumerate(plans):
        if plan_list is None:
            raise GameError(
                f"{game.name}: player {player} has more than {_MOST_PLANS} plans, too many for the normal form; "
                'kind="efce" does without it.',
                wrong_use=True,
            )
    return normal_form(game, [plan_list for plan_list in plans if plan_list is not None])


def _weights(game: SequenceGame, objective: str) -> Any:
    """Return how much each player's payoff counts."""
    text = objective.removeprefix("-").strip()
    sign = -1.0 if objective.startswith("-") else 1.0
    if text == "sum":
        return np.full(game.players, sign)
    named = [f"player {player}" for player in range(game.players)]
    if text not in named:
        raise GameError(
            f"objective must be 'sum', {', '.join(map(repr, named))}, or one of these after a minus; "
            f"got {objective!r}.",
            wrong_use=True,
        )
    return sign * np.eye(game.players)[named.index(text)]


def _result(game: SequenceGame, plan: CorrelatedPlan, kind: str, objective: str) -> CorrelatedEquilibrium:
    leaves = [tuple(leaf) for leaf in game.leaves.tolist()]
    probabilities = game.chance * [plan.probability(leaf) for leaf in leaves]
    order = np.argsort(-probabilities, kind="stable")
    outcomes = (
        Outcome(_moves(game, leaves[z]), float(probabilities[z]), tuple(game.payoffs[z].tolist()))
        for z in order.tolist()
        if probabilities[z] > _SHOWN
    )
    value = probabilities @ game.payoffs
    gains = deviations(game, kind, plan.probability)
    return CorrelatedEquilibrium(game.name, kind, objective, tuple(value.tolist()), tuple(gains), tuple(outcomes))


def _moves(game: SequenceGame, leaf: tuple[int, ...]) -> str:
    """Return what each player does on the way to a leaf."""
    sides = []
    for player, last in enumerate(leaf):
        sequences, sequence = set[int](), last
        while sequence:
            sequences.add(sequence)
            sequence = game.parent[game.infoset_of[sequence]]
        sides += [f"{player} {key}: {action}" for key, action in plan_actions(game, frozenset(sequences))]
    return ", ".join(sides)
