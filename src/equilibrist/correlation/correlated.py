"""Correlated equilibria of the extensive form and of the normal form, by linear programme or by regret dynamics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import prod
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.display import Display
from ..errors import AlgorithmError, GameError, GameTooLargeError, LinearProgramError, nearest
from ..form.limits import Limits, compile_budget
from ..game.protocol import Game, game_name
from ..games.load import load
from ..games.matrix import Payoffs
from ..show.numbers import format_estimate
from .deviations import KINDS, Deviation, constraints, deviations, num_rows
from .plans import Say, SequenceGame, normal_form, plan_actions, sequence_game
from .programmes import solve_columns, solve_polytope
from .trigger_regrets import Mixture, TriggerRegrets, run_dynamics

_MOST_PLANS = 300
"""Of a player, where each plan is an action of the normal form."""

_MOST_ROWS = 30_000
_MOST_ENDS = 30_000
_MOST_EXPLORED = 10 * _MOST_ENDS  # histories, of which about half are ends
_MOST_ROWS_BY_COLUMNS = 1_500
"""Where plans are generated: 600 rows took ten seconds, 2,260 had by far not ended after two minutes."""

_MOST_GAIN = (
    1e-6  # of the player's largest payoff, that a deviation from the answer of a programme may gain
)
_SHOWN = 1e-9  # a probability
_MOST_SHOWN = 1000
"""Of the plays to which a mixture leads."""


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
class CorrelatedEquilibrium(Display):
    """What :func:`correlated` returns: a distribution over plays that nobody gains by leaving, and the proof.

    Attributes
    ----------
    game : str
        Name of the game.
    kind : str
        Which equilibrium it is: ``"efce"``, ``"efcce"``, ``"nfcce"``, ``"cce"`` or ``"ce"``.
    objective : str
        What is as large as possible; empty where nothing is.
    value : tuple of float
        The expected payoff of each player.
    deviations : tuple of Deviation
        What each player would gain by no longer following the recommendations, at each point where
        that is possible.
    outcomes : tuple of Outcome
        The plays, the most frequent first; by dynamics the thousand most frequent.
    mixture : Mixture or None
        By dynamics: the strategies of which a mediator draws those of one iteration.
    stop_reason : str
        What ended the dynamics: ``"until"``, ``"iterations"``, ``"memory"`` or ``"interrupt"``;
        else empty.
    """

    game: str
    kind: str
    objective: str
    value: tuple[float, ...]
    deviations: tuple[Deviation, ...]
    outcomes: tuple[Outcome, ...]
    mixture: Mixture | None = None
    stop_reason: str = ""

    @property
    def largest_gain(self) -> float:
        """The most that any deviation gains: 0, up to rounding and the tolerance of the linear programme (some 1e-9 of
        the player's largest payoff, mostly 1e-15); by dynamics above it.
        """
        return max((deviation.gain for deviation in self.deviations), default=0.0)

    @property
    def guarantee(self) -> str:
        """What is promised, in words."""
        if KINDS[self.kind].startswith("e"):
            name = f"An {KINDS[self.kind]}"
        else:
            name = f"A {KINDS[self.kind]}"
        if self.mixture is None:
            if self.largest_gain > 0:
                gain = f" more than {self.largest_gain:.3g} per game"
            else:
                gain = ""
            return f"{name} with the largest {self.objective}: no deviation gains{gain}."
        return (
            f"{name} up to {max(self.largest_gain, 0.0):.3g}, one of many: who leaves the "
            f"recommendations of the mixture of {len(self.mixture):,} profiles at a trigger "
            "gains no more than that per game, while the others follow."
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON, but for the profiles of a mixture."""
        plain = asdict(replace(self, mixture=None))
        del plain["mixture"]
        if self.mixture is None:
            iterations = {}
        else:
            iterations = {"iterations": len(self.mixture)}
        return {
            **plain,
            **iterations,
            "largest_gain": self.largest_gain,
            "guarantee": self.guarantee,
        }


def correlated_equilibrium(
    game: str | Game | Payoffs,
    kind: str = "efce",
    *,
    objective: str | None = None,
    method: TriggerRegrets | None = None,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> CorrelatedEquilibrium:
    """Return the correlated equilibrium with the largest objective, by linear programme, with all its deviations; or
    one of the extensive form in a game that is too large for that, by regret dynamics.

    A mediator draws a plan for each player and tells each their own moves; in an equilibrium nobody
    gains by doing something else. The kinds differ in what a player knows on leaving the plan:

    * ``"efce"``: the move that is recommended at the infoset reached, and nothing of later ones;
    * ``"efcce"``: the infoset reached, before the recommendation is heard;
    * ``"nfcce"`` or ``"cce"``: nothing, the player decides before the game begins;
    * ``"ce"``: the whole plan. The game is brought into normal form, which must be small.

    With two players and no chance the programme is as large as the pairs of moves that one play can
    hold. With chance, or more players, the question is NP-hard in general: joint plans are
    generated one by one, the last ones by mixed-integer programmes, which suits small games only.
    Larger ones, with any number of players and chance, take
    ``method=eq.TriggerRegrets(until=0.01)``: players who learn approach an ``"efce"``, which is an
    ``"efcce"`` and an ``"nfcce"`` as well, though not the best one for any objective.

    Parameters
    ----------
    game : Game or str
        Anything that :func:`load` takes; general-sum, with any number of players, who have perfect
        recall.
    kind : str
        ``"efce"``, ``"efcce"``, ``"nfcce"``, ``"cce"`` or ``"ce"``.
    objective : str, optional
        ``"sum"`` of all payoffs (the default of the linear programme), that of ``"player 0"``,
        ``"player 1"``, …, or one of these after a minus: ``"-sum"`` is the equilibrium with the
        least sum.
    method : TriggerRegrets, optional
        The dynamics, in place of the linear programme. An interrupt (Ctrl-C) ends them and returns
        what there is.
    limits : Limits, optional
        Where to give up, as for :func:`compile_game`.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be found, the kind or the objective is unknown, or the game or its programme
        is too large.
    AlgorithmError
        Dynamics are asked for another kind, or for an objective.
    LinearProgramError
        HiGHS found no optimum.

    References
    ----------
    von Stengel & Forges 2008, "Extensive-form correlated equilibrium"; Farina, Bianchi & Sandholm
    2020, "Coarse correlation in extensive-form games".

    Examples
    --------
    >>> import equilibrist as eq
    >>> chicken = "matrix(payoffs=[[0, 4], [1, 3]], payoffs2=[[0, 1], [4, 3]])"
    >>> round(sum(eq.correlated_equilibrium(chicken, "efce").value), 9)
    5.333333333
    >>> result = eq.correlated_equilibrium("leduc", method=eq.TriggerRegrets(until=0.1))
    >>> result.largest_gain <= 0.1, result.stop_reason
    (True, 'until')
    """
    if kind not in KINDS:
        raise GameError(
            f"There is no kind {kind!r} of correlated equilibrium.{nearest(str(kind), KINDS)}",
            wrong_use=True,
        )
    on_stage = stage_listener(callbacks, "correlated_equilibrium")
    say = on_stage or (lambda text: None)
    if method is not None:
        _check_dynamics(kind, objective, method)
    rules = load(game)
    budget = compile_budget(limits, "correlated_equilibrium")._replace(on_stage=on_stage)
    is_limited = budget.max_histories is not None
    # What is far too large is refused before it is explored.
    if method is None and not is_limited:
        budget = budget._replace(max_histories=_MOST_EXPLORED)
    try:
        sequences = sequence_game(rules, budget)
    except GameTooLargeError:
        if method is not None or is_limited:
            raise
        raise GameTooLargeError(
            f"{game_name(rules)} has more than {_MOST_EXPLORED:,} histories; programmes over at "
            f"most {_MOST_ENDS:,} ends of a game are solved in reasonable time. Choose a smaller "
            f"game, or {_alternative(kind)}.",
            wrong_use=True,
        ) from None
    if method is not None:
        return _run_dynamics(sequences, method, say)
    objective = "sum" if objective is None else objective
    weights = _payoff_weights(sequences.players, objective)
    _check_size(sequences, kind)
    say("Writing the linear programme")
    units = sequences.units
    scaled = sequences.in_units(units)
    if kind == "ce":
        scaled = normal_form(
            scaled, [scaled.pure_plans(player) for player in range(scaled.players)]
        )
    terms = scaled.weight_leaves(scaled.payoffs @ (weights * _relative_units(units, weights)))
    solve = solve_columns if scaled.needs_columns else solve_polytope
    programme = constraints(scaled, kind)
    plan = solve(scaled, programme, terms, say)
    leaves = list(map(tuple, scaled.leaves.tolist()))
    probabilities = scaled.chance * [plan.probability(leaf) for leaf in leaves]
    gains = deviations(scaled, kind, programme.rows, plan.probability)
    _check_gains(scaled, kind, gains)
    return CorrelatedEquilibrium(
        game=scaled.name,
        kind=kind,
        objective=objective,
        value=tuple((probabilities @ scaled.payoffs * units).tolist()),
        deviations=tuple(
            replace(deviation, gain=deviation.gain * float(units[deviation.player]))
            for deviation in gains
        ),
        outcomes=_list_outcomes(scaled, probabilities, units),
    )


def _relative_units(units: Floats, weights: Floats) -> Floats:
    """Return the units of players as shares of the largest of those whose payoffs count."""
    return np.asarray(units / units[weights != 0.0].max(initial=0.0))


def _check_gains(game: SequenceGame, kind: str, gains: Sequence[Deviation]) -> None:
    """Refuse the answer of a programme by which somebody gains more than its tolerance leaves."""
    worst = max(gains, key=lambda each: each.gain, default=None)
    if worst is not None and worst.gain > _MOST_GAIN:
        raise LinearProgramError(
            f"{game.name}: the programme of kind={kind!r} found no equilibrium: by its answer "
            f"player {worst.player} gains {worst.gain:.3g} of their largest payoff by a "
            "deviation. Bring payoffs closer together, or use method=eq.TriggerRegrets() "
            "(--until)."
        )


def _check_dynamics(kind: str, objective: str | None, method: object) -> None:
    """Refuse what trigger regrets do not approach, and what are no dynamics."""
    if not isinstance(method, TriggerRegrets):
        raise AlgorithmError(
            "method must be eq.TriggerRegrets(...), such as eq.TriggerRegrets(until=0.01), or "
            f"None for the linear programme; got {method!r}.",
            field="method",
        )
    if kind != "efce":
        raise AlgorithmError(
            "TriggerRegrets approaches an "
            f"'efce'{'' if kind == 'ce' else ', which is such an equilibrium as well'}; "
            f"got kind={kind!r}. Leave kind out, or method (--until, --iterations).",
            field="kind",
        )
    if objective is not None:
        raise AlgorithmError(
            f"TriggerRegrets approaches some equilibrium, so that objective={objective!r} would "
            "do nothing. Leave it out, or method.",
            field="objective",
        )


def _run_dynamics(game: SequenceGame, method: TriggerRegrets, say: Say) -> CorrelatedEquilibrium:
    """Return what the dynamics come to on a game, with the gain of each trigger deviation against it."""
    dynamics = run_dynamics(game, method, say)
    probabilities = game.chance * dynamics.probability
    deviations = (
        Deviation(infoset.player, infoset.key, action, float(dynamics.gains[s]))
        for i, infoset in enumerate(game.infosets)
        for s, action in zip(game.sequences(i), infoset.actions, strict=True)
    )
    return CorrelatedEquilibrium(
        game=game.name,
        kind="efce",
        objective="",
        value=tuple((probabilities @ game.payoffs).tolist()),
        deviations=tuple(deviations),
        outcomes=_list_outcomes(game, probabilities, np.ones(game.players), _MOST_SHOWN),
        mixture=dynamics.mixture,
        stop_reason=dynamics.stop_reason,
    )


def _list_outcomes(
    game: SequenceGame, probabilities: Floats, units: Floats, most: int | None = None
) -> tuple[Outcome, ...]:
    """Return the plays with these probabilities, the most frequent first; payoffs are × the unit of each player."""
    payoffs = game.payoffs * units
    return tuple(
        Outcome(
            _moves_text(game, tuple(game.leaves[z].tolist())),
            float(probabilities[z]),
            tuple(payoffs[z].tolist()),
        )
        for z in np.argsort(-probabilities, kind="stable")[:most].tolist()
        if probabilities[z] > _SHOWN
    )


def _check_size(game: SequenceGame, kind: str) -> None:
    """Refuse what would take hours, or more memory than there is."""
    sizes = {
        other_kind: (num_rows(game, other_kind), len(game.leaves))
        for other_kind in ("efce", "efcce", "nfcce")
    }
    rows, ends = sizes.get(kind, sizes["nfcce"])
    by_columns = game.needs_columns
    most_of_plans = 0
    if kind == "ce":
        counts = [game.num_plans(player) for player in range(game.players)]
        rows = sum(n * n + n for n in counts)
        ends = prod(counts)
        by_columns = game.players > 2
        most_of_plans = max(counts)
    most_rows = {False: _MOST_ROWS, True: _MOST_ROWS_BY_COLUMNS}
    most_in_programme = most_rows[by_columns]
    if most_of_plans > _MOST_PLANS:
        count = format_estimate(most_of_plans)
        problem = (
            f"a player has more than {_MOST_PLANS} plans ({count}), too many for the normal form"
        )
    elif rows > most_in_programme or ends > _MOST_ENDS:
        games = " (of a game with chance, or more than two players)" if by_columns else ""
        problem = (
            f"the linear programme of kind={kind!r} would have {rows:,} rows over {ends:,} ends "
            f"of the game; at most {most_in_programme:,} rows{games} and {_MOST_ENDS:,} ends are "
            "solved in reasonable time"
        )
    else:
        return
    fits = [
        other_kind
        for other_kind, (few, ends) in sizes.items()
        if few <= most_rows[game.needs_columns] and ends <= _MOST_ENDS
    ]
    instead = f", kind={fits[0]!r} (--kind {fits[0]})" if fits else ""
    raise GameTooLargeError(
        f"{game.name}: {problem}. Choose a smaller game{instead}, or {_alternative(kind)}.",
        wrong_use=True,
    )


def _alternative(kind: str) -> str:
    """Return what to do where the programme of a kind is too large."""
    if kind in ("nfcce", "cce"):
        return "solve(), which approaches one"
    return "approach an efce by method=eq.TriggerRegrets() (--until)"


def _payoff_weights(players: int, objective: str) -> Floats:
    """Return how much each player's payoff counts."""
    choices = {
        "sum": np.ones(players),
        **{f"player {player}": row for player, row in enumerate(np.eye(players))},
    }
    text = objective.removeprefix("-").strip()
    if text not in choices:
        raise GameError(
            f"objective must be {', '.join(map(repr, choices))}, or one of these after a minus; "
            f"got {objective!r}.",
            wrong_use=True,
        )
    if objective.startswith("-"):
        return -choices[text]
    return choices[text]


def _moves_text(game: SequenceGame, leaf: tuple[int, ...]) -> str:
    """Return what each player does on the way to a leaf."""
    moves = (
        move for last_sequence in leaf for move in plan_actions(game, game.path(last_sequence))
    )
    return ", ".join(f"{player} {key}: {action}" for player, key, action in moves)
