"""Correlated equilibria of the extensive form and of the normal form, by linear programme."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import prod
from typing import Any

import numpy as np

from .._util.arrays import Floats
from ..errors import GameError, GameTooLargeError, nearest
from ..form.limits import MAX_DEPTH, Limits
from ..form.projection import in_two_digits
from ..game.protocol import Game
from ..games.load import load
from .deviations import KINDS, Deviation, constraints, deviations, num_rows
from .plans import Say, SequenceGame, normal_form, plan_actions, sequence_game
from .programmes import solve_columns, solve_polytope

_MOST_PLANS = 300
"""Of a player, where each plan is an action of the normal form."""

_MOST_ROWS, _MOST_ENDS = 30_000, 30_000
_MOST_ROWS_BY_COLUMNS = 1_500
"""Where plans are generated: 600 rows took ten seconds, 2,260 had by far not ended after two minutes."""

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
        What each player would gain by no longer following the recommendations, at each point where that is possible.
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
    on_stage: Say | None = None,
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
    on_stage : callable, optional
        Called with a text that says what is going on, now and then.

    Raises
    ------
    GameError
        The game cannot be found, the kind or the objective is unknown, or the game or its programme is too large.
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
    say = on_stage or (lambda text: None)
    sequences = sequence_game(load(game), Limits.checked(max_histories, MAX_DEPTH)._replace(on_stage=on_stage))
    weights = _weights(sequences.players, objective)
    _check_size(sequences, kind)
    say("Writing the linear programme")
    if kind == "ce":
        sequences = normal_form(sequences, [sequences.pure_plans(player) for player in range(sequences.players)])
    terms = sequences.weighted(sequences.payoffs @ weights)
    solve = solve_columns if sequences.needs_columns else solve_polytope
    programme = constraints(sequences, kind)
    plan = solve(sequences, programme, terms, say)
    leaves = list(map(tuple, sequences.leaves.tolist()))
    probabilities = sequences.chance * [plan.probability(leaf) for leaf in leaves]
    outcomes = (
        Outcome(_moves(sequences, leaves[z]), float(probabilities[z]), tuple(sequences.payoffs[z].tolist()))
        for z in np.argsort(-probabilities, kind="stable").tolist()
        if probabilities[z] > _SHOWN
    )
    return CorrelatedEquilibrium(
        game=sequences.name,
        kind=kind,
        objective=objective,
        value=tuple((probabilities @ sequences.payoffs).tolist()),
        deviations=tuple(deviations(sequences, kind, programme.rows, plan.probability)),
        outcomes=tuple(outcomes),
    )


def _check_size(game: SequenceGame, kind: str) -> None:
    """Refuse what would take hours, or more memory than there is."""
    sizes = {each: (num_rows(game, each), len(game.leaves)) for each in ("efce", "efcce", "nfcce")}
    rows, ends = sizes.get(kind, sizes["nfcce"])
    by_columns, most_of_plans = game.needs_columns, 0
    if kind == "ce":
        counts = [game.num_plans(player) for player in range(game.players)]
        rows, ends, by_columns = sum(n * n + n for n in counts), prod(counts), game.players > 2
        most_of_plans = max(counts)
    most_rows = {False: _MOST_ROWS, True: _MOST_ROWS_BY_COLUMNS}
    most = most_rows[by_columns]
    if most_of_plans > _MOST_PLANS:
        count = in_two_digits(most_of_plans)
        what = f"a player has more than {_MOST_PLANS} plans ({count}), too many for the normal form"
    elif rows > most or ends > _MOST_ENDS:
        what = (
            f"the linear programme of kind={kind!r} would have {rows:,} rows over {ends:,} ends of the game; at most "
            f"{most:,} rows{' (of a game with chance, or more than two players)' if by_columns else ''} and "
            f"{_MOST_ENDS:,} ends are solved in reasonable time"
        )
    else:
        return
    fits = [each for each, (few, ends) in sizes.items() if few <= most_rows[game.needs_columns] and ends <= _MOST_ENDS]
    instead = f"kind={fits[0]!r} (--kind {fits[0]})" if fits else "solve(), which approaches an equilibrium (cce)"
    raise GameTooLargeError(f"{game.name}: {what}. Choose a smaller game, or {instead}.", wrong_use=True)


def _weights(players: int, objective: str) -> Floats:
    """Return how much each player's payoff counts."""
    choices = {"sum": np.ones(players), **{f"player {player}": row for player, row in enumerate(np.eye(players))}}
    text = objective.removeprefix("-").strip()
    if text not in choices:
        raise GameError(
            f"objective must be {', '.join(map(repr, choices))}, or one of these after a minus; got {objective!r}.",
            wrong_use=True,
        )
    return -choices[text] if objective.startswith("-") else choices[text]


def _moves(game: SequenceGame, leaf: tuple[int, ...]) -> str:
    """Return what each player does on the way to a leaf."""
    moves = (move for last in leaf for move in plan_actions(game, game.path(last)))
    return ", ".join(f"{player} {key}: {action}" for player, key, action in moves)
