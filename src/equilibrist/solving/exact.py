"""The equilibrium of a two-player zero-sum game by linear programme, as a solution like any other."""

from __future__ import annotations

from typing import Literal, overload

from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.stopwatch import stopwatch
from ..cfr.concepts import NASH, Concept, Floors, find_concept
from ..cfr.criteria import WithinFloors
from ..errors import AlgorithmError
from ..evaluation.linear_program import check_zero_sum, equilibrium
from ..evaluation.proofs import RationalSolution
from ..form.limits import IN_FRACTIONS, Limits, check_limits, compile_budget
from ..games.compile import Playable
from ..strategy.strategy import Strategy
from .exact_rational import solve_rationally
from .info import GameInfo, RunInfo, new_run_id, utc_now
from .plan import compile_warm
from .solution import Solution
from .trace import Checkpoint, Trace


@overload
def exact(
    game: Playable,
    *,
    limits: Limits | None = None,
    concept: str | Concept = NASH,
    callbacks: AnyCallbacks = None,
    rational: Literal[False] = False,
) -> Solution: ...


@overload
def exact(
    game: Playable,
    *,
    limits: Limits | None = None,
    concept: str | Concept = NASH,
    callbacks: AnyCallbacks = None,
    rational: Literal[True],
) -> RationalSolution: ...


def exact(
    game: Playable,
    *,
    limits: Limits | None = None,
    concept: str | Concept = NASH,
    callbacks: AnyCallbacks = None,
    rational: bool = False,
) -> Solution | RationalSolution:
    """Return the equilibrium of a two-player zero-sum game by linear programme (HiGHS), certified like any other.

    Parameters are those of :func:`solve`; the concept is ``"nash"``, or floors that stay
    (:class:`Floors`). The time grows fast with the game: Leduc takes hundredths of a second, liar's
    dice with six faces takes seconds.

    With ``rational`` value and plans are fractions, and prove themselves (docs/proofs.md): HiGHS
    names a basis, which is solved without rounding. Payoffs and probabilities of chance are the ratios that the
    rules mean: 1/6 in floating point is 1/6.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        The game is not two-player zero-sum, or the concept is none of a linear programme.
    SolutionError
        HiGHS found no optimum.

    Examples
    --------
    >>> import equilibrist as eq
    >>> round(eq.exact("kuhn").value[0], 12) == round(-1 / 18, 12)
    True
    """
    on_stage = stage_listener(callbacks, "exact")
    concept = find_concept(concept)
    if rational:
        budget = check_limits(limits, "exact", IN_FRACTIONS, why=" in fractions").of_compiling()
        if concept != NASH:
            raise AlgorithmError(
                f"Fractions are those of a Nash equilibrium; got concept='{concept}'. Leave it out.",
                field="concept",
            )
        return solve_rationally(game, budget, on_stage or (lambda text: None))
    budget = compile_budget(limits, "exact")
    if concept.algorithm is not None or (isinstance(concept, Floors) and concept.decay):
        raise AlgorithmError(
            "The linear programme finds Nash equilibria, and those within floors that stay; got "
            f"concept='{concept}'. Use solve() (equilibrist solve) instead.",
            field="concept",
        )
    form, spent = compile_warm(
        game,
        form="sequence",
        limits=budget,
        say=on_stage,
        check=lambda _, name, players: check_zero_sum(name, players),
    )
    if not form.has_entries:
        raise AlgorithmError(
            f"The linear programme needs every history of {form.name}; give the game instead of "
            "its public form.",
        )
    floors = concept.minimiser(form).floors(1)
    with stopwatch(spent, "solve"):
        strategy = equilibrium(form, floors)  # type: ignore[arg-type]
    with stopwatch(spent, "certify"):
        certificate = form.values(strategy)
        if concept == NASH:
            within = {}
        else:
            within = {WithinFloors.name: form.values(strategy, floors=floors).exploitability}
    point = Checkpoint(
        iteration=0,
        nodes_touched=0,
        seconds=spent["solve"],
        value=certificate.value,
        deviation_gains=certificate.deviation_gains,
        measures=certificate.measures | within,
    )
    name = game if isinstance(game, str) else form.name
    return Solution(
        strategy=Strategy.from_form(form, strategy),
        final=point,
        trace=Trace([point]),
        seconds=spent,
        stop_reason="optimal",
        info=RunInfo(
            game=GameInfo(name=name, **form.describe()), run_id=new_run_id(), started=utc_now()
        ),
    )
