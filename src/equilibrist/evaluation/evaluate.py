"""How good a strategy is: its value, the best responses to it, and where it loses."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, overload

import numpy as np

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.display import Display
from .._util.processes import cores
from .._util.stopwatch import Seconds, stopwatch
from .._util.validate import check_executor
from ..errors import GameTooLargeError, SolutionError
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.compiling import tell_compiling
from ..form.infosets import ObservedInfosets
from ..form.limits import IN_FRACTIONS, Limits, check_limits, compile_budget
from ..form.walk.build import compile_fast_walk
from ..form.walk.form import WalkedGame, is_walked
from ..games.compile import FORMS, Playable, compile_any, refuse_size_limits, walk_any
from ..games.load import load
from ..strategy.convert import (
    AnyStrategy,
    as_strategy,
    bare_names,
    held_strategy,
    missing_play,
    strategy_for,
)
from ..strategy.observed import is_observed
from ..strategy.reading import check_missing
from ..strategy.strategy import Strategy
from .action_values import ActionValueTable, action_value_table
from .agents import AnyPolicy, is_policy
from .gaps import gap_words, tells_gains
from .off_path import OffPath, off_path_gains
from .policies import ask_policy, ask_walked
from .rational import RationalEvaluation
from .rational_evaluate import evaluate_rationally, refuse_with_rational

WALK = "walk"
"""The form of a game that is not compiled but walked."""


_NO_THEOREM = (
    "No theorem says that CFR finds an equilibrium of three or more players, only that its play (all "
    "players' strategies of each iteration together) approaches a coarse correlated equilibrium; the "
    "gains are what each player wins by deviating alone from this strategy."
)


def guarantee(
    players: int,
    *,
    zero_sum: bool | None,
    locks: int = 0,
    floors: bool = False,
    quantal: bool = False,
    walked: bool = False,
) -> str:
    """Return what nash_conv and CFR promise for this kind of game, with so many locks or floors, in one sentence."""
    if quantal:
        return (
            "A quantal response equilibrium up to qre_gap, the largest distance of a probability "
            "from the logit response to the play; nash_conv is what answering everywhere costs "
            "against opponents who know it."
        )
    if walked:
        return (
            "Sampled without a tree, and certified by walking the whole game: nash_conv is "
            "exact, with uniform play wherever no sample has come."
        )
    if zero_sum is None:
        return "Sampled without a tree: nothing is proved about this strategy."
    if locks and tells_gains(players):
        return (
            "The strategy is locked in part, and best responses keep to that: gains count nothing of "
            f"what the locked part gives away. {_NO_THEOREM}"
        )
    if locks:
        return (
            "The strategy is locked in part, and best responses keep to that: an equilibrium up "
            "to nash_conv of the "
            "game with these locks, which says nothing of how good the locked part is."
        )
    if floors and players == 2 and zero_sum:
        return (
            "Two-player zero-sum: an equilibrium of the game with these floors, up to the "
            "exploitability within them, "
            "which CFR drives to 0; nash_conv is what the floors cost in the true game."
        )
    if players == 2 and zero_sum:
        return "Two-player zero-sum: a Nash equilibrium up to nash_conv, which CFR drives to 0."
    if players == 1:
        return "One player: nash_conv is what the best plan would earn beyond this strategy."
    if zero_sum:
        kind = f"{players}-player"
    else:
        kind = f"{players}-player general-sum"
    if tells_gains(players):
        return f"A {kind} game. {_NO_THEOREM}"
    return (
        f"A {kind} game: CFR promises no Nash equilibrium here, only that its play (all players' "
        "strategies of each iteration together) approaches a coarse correlated equilibrium; "
        "nash_conv says how far from a Nash equilibrium this strategy is."
    )


class Loss(NamedTuple):
    """What a player gives away at one infoset, in payoff per game: reach × (best action − the strategy's mix).

    Both continue with the best play below, so the losses of a player sum to best-response value −
    value.
    """

    player: int
    infoset: str
    loss: float


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Display):
    """Certificate of a strategy, its best response, and what it loses where.

    Attributes
    ----------
    game : str
        Name of the game.
    players, histories, infosets, slots : int
        Sizes of the compiled game; or of a walk (docs/walk.md), what it came to: all of the game
        where the strategy plays everything.
    zero_sum : bool
        Whether payoffs sum to 0 everywhere.
    value, best_response_value : tuple of float
        What each player receives when all follow the strategy, and with the best response to the
        others.
    nash_conv, exploitability : float
        Σ over players of (best-response value − value), and that divided by the number of players;
        never clamped.
    best_response : Strategy or None
        A best response of each player to the strategies of the others; None where the game was
        walked.
    losses : tuple of Loss
        All infosets where something is lost, the largest loss first; their sum is ``nash_conv``.
        None is one that the game locks, to which best responses keep. Empty where the game was
        walked.
    seconds : dict
        Seconds spent on ``compile`` (the game) and ``solve`` (evaluating, the loading of the
        kernels included).
    action_values : ActionValueTable or None
        The value and the counterfactual value of each action at each infoset, where they were asked
        for.
    off_path : OffPath or None
        What a best response from each infoset would gain, where it was asked for.
    locks : int
        How many infosets the game locks; of hands that differ by suits alone, one counts.
    """

    game: str
    players: int
    histories: int
    infosets: int
    slots: int
    zero_sum: bool
    value: tuple[float, ...]
    best_response_value: tuple[float, ...]
    nash_conv: float
    exploitability: float
    best_response: Strategy | None
    losses: tuple[Loss, ...]
    seconds: Seconds
    action_values: ActionValueTable | None = None
    off_path: OffPath | None = None
    locks: int = 0

    def __repr__(self) -> str:
        value = ", ".join(f"{value:.6g}" for value in self.value)
        return (
            f"<Evaluation of a strategy of {self.game}: value ({value}), "
            f"{gap_words(self.players).mean} {self.exploitability:.3g}>"
        )

    @property
    def guarantee(self) -> str:
        """What nash_conv promises for this kind of game, in one sentence."""
        return guarantee(self.players, zero_sum=self.zero_sum, locks=self.locks)

    def summary(self) -> dict[str, Any]:
        """Return everything but the best response, as plain data for JSON, with the names that a Solution uses."""
        names = (
            "game",
            "players",
            "histories",
            "infosets",
            "slots",
            "zero_sum",
            "nash_conv",
            "exploitability",
        )
        return {
            **{name: getattr(self, name) for name in names},
            "algorithm": None,
            "iterations": None,
            "value": list(self.value),
            "best_response_value": list(self.best_response_value),
            "seconds": self.seconds,
            "guarantee": self.guarantee,
            "losses": [loss._asdict() for loss in self.losses],
            **(
                {}
                if self.action_values is None
                else {"action_values": list(self.action_values.rows())}
            ),
            **({} if self.off_path is None else {"off_path": self.off_path.summary()}),
        }


def _infoset_losses(form: CompiledGame, reach: Floats, cf_value: Floats) -> tuple[Loss, ...]:
    """Return what each infoset loses, largest first.

    At an infoset the reach of the slots sums to the reach of the infoset, so with q (``action_value``) the value of
    each slot under the best play below:  loss = Σ_a reach(a) · max_a q(a) − Σ_a reach(a) · q(a).
    Where the strategy is locked nothing is lost, because the best response keeps to that.
    """
    if not form.infosets:
        return ()
    first = form.first_action[:-1]
    slot = form.slot
    action_reach = reach[slot]
    action_value = cf_value[slot]
    infoset_reach = np.add.reduceat(action_reach, first)
    best_value = np.maximum.reduceat(action_value, first)
    expected = np.add.reduceat(action_reach * action_value, first)
    loss = infoset_reach * best_value - expected
    loss[form.locked_infosets] = 0.0
    order = np.argsort(-loss, kind="stable")
    return tuple(
        Loss(form.infosets[i].player, form.infosets[i].key, float(loss[i]))
        for i in order.tolist()
        if loss[i] > 0
    )


@overload
def evaluate(
    game: Playable,
    strategy: AnyStrategy | AnyPolicy,
    *,
    form: str = "auto",
    missing: str | None = None,
    action_values: bool = False,
    off_path: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    rational: Literal[False] = False,
) -> Evaluation: ...


@overload
def evaluate(
    game: Playable,
    strategy: AnyStrategy | AnyPolicy,
    *,
    form: str = "auto",
    missing: str | None = None,
    action_values: bool = False,
    off_path: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    rational: Literal[True],
) -> RationalEvaluation: ...


def evaluate(
    game: Playable,
    strategy: AnyStrategy | AnyPolicy,
    *,
    form: str = "auto",
    missing: str | None = None,
    action_values: bool = False,
    off_path: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
    rational: bool = False,
) -> Evaluation | RationalEvaluation:
    """Return how good a strategy is: exact value, best responses, nash_conv, exploitability and where it loses.

    Parameters
    ----------
    game : str, Game, PublicGame, SequenceForm or PublicForm
        As for :func:`equilibrist.load`, or compiled already by :func:`equilibrist.compile_game` or
        :func:`equilibrist.compile_public`.
    strategy : Solution, Strategy, mapping, path, profile of pygambit, or policy
        A :class:`Solution` or another result with a ``strategy``, a :class:`Strategy`, a dict
        ``{infoset: {action: probability}}``, or a CSV file with the columns player, infoset,
        action, probability: from any solver. Files ``.parquet`` and ``.npz`` are by what players
        observe (docs/walk.md), and evaluated by the walk. In a dict, an infoset is (player, key),
        or just the key for every player of the game who has such an infoset. Actions left out have
        probability 0. Or a policy that is asked once about each infoset: a function, an agent of
        OpenSpiel or RLCard, or a list of one for each player, as for :func:`strategy_from_policy`.
    form : {"auto", "sequence", "public", "cards", "walk"}
        What the game is compiled into, as for :func:`equilibrist.solve`. In the card form a
        strategy may name all boards or, of those that differ by suits alone, one. ``"walk"``
        compiles the rules alone and stores nothing of the game: for games of any size, slower (much
        slower where rules are in Python), and without best responses by infoset and losses.
        ``"auto"`` walks games that are too large to be compiled.
    missing : {None, "uniform"}
        Whether infosets that the strategy lacks are an error or played uniformly. A solution that
        was sampled without a tree plays uniformly where it has met no infoset.
    action_values : bool
        Whether to compute the value of each action at each infoset; the tree of the game is kept
        for it.
    off_path : bool
        Whether to compute what a best response from each infoset would gain given the beliefs
        there, also where play never comes (docs/refinements.md). A sequence form keeps its tree for
        it, a card form walks all boards.
    threads : int, optional
        How many threads walk, by default one for each core; changes nothing in the result, not a
        bit.
    executor : concurrent.futures.Executor, optional
        Who walks the game (``form="walk"``, which it stands for), in up to sixteen parts for each
        player, a thread for each: the processes of a ``ProcessPoolExecutor``, or the machines of an
        :class:`equilibrist.RayExecutor`. The result is the same, bit for bit. Rules in Python are
        loaded there from the text that names them, or sent.
    limits : Limits, optional
        Limits of compilation: ``eq.Limits(memory_gb=, histories=, depth=)``; by default as many
        histories as there is memory for, and 1,000 moves.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).
    rational : bool
        Whether to evaluate in fractions, without rounding: the strategy is taken as the binary
        fractions that it is, and the rules are walked by their methods. For games of up to 2,000,000
        histories, or as many as ``limits`` allows; the other options are those of floating point. Returns a
        :class:`RationalEvaluation`.

    Raises
    ------
    GameError
        The game cannot be found or is not well formed.
    SolutionError
        The strategy cannot be read or does not fit the game.

    Examples
    --------
    >>> import equilibrist as eq
    >>> result = eq.evaluate("kuhn", {}, missing="uniform")
    >>> round(result.nash_conv, 6), result.losses[0].infoset
    (0.916667, 'Kb')
    >>> solution = eq.solve("kuhn", "cfr+", iterations=100)
    >>> abs(eq.evaluate("kuhn", solution).nash_conv - solution.nash_conv) < 1e-12
    True
    """
    missing = missing_play(strategy, missing)
    strategy = held_strategy(strategy)
    seconds: Seconds = {}
    on_stage = stage_listener(callbacks, "evaluate")
    if rational:
        budget = check_limits(limits, "evaluate", IN_FRACTIONS, why=" in fractions").of_compiling()
    else:
        budget = compile_budget(limits, "evaluate")
    only_values = not (action_values or off_path)
    rules = cast("Any", game)
    if rational:
        refuse_with_rational(
            form=form != FORMS[0],
            action_values=action_values,
            off_path=off_path,
            executor=executor is not None,
        )
        return evaluate_rationally(rules, strategy, budget, missing, on_stage)
    walking: Any = {"missing": missing, "threads": threads or cores(), "executor": executor}
    if executor is not None:
        check_executor(executor)
        if form not in (FORMS[0], WALK) or is_compiled(rules):
            if is_compiled(rules):
                received = repr(rules)
            else:
                received = f"form={form!r}"
            raise SolutionError(
                "executor= walks the rules of a game, and what is compiled is evaluated in this "
                f"process; got {received}: leave executor out, or form, and give the game itself.",
                wrong_use=True,
            )
        form = WALK
    if (
        form == WALK
        or is_walked(rules)
        or (form in FORMS[:1] and only_values and _is_by_observation(strategy))
    ):
        if not only_values:
            raise SolutionError(
                "A walk stores no infosets, so that it tells no values of them: leave "
                "action_values and off_path out, or form='walk'.",
                wrong_use=True,
            )
        return _evaluate_by_walk(
            walk_any(game, refuse_size_limits(budget)), game, strategy, on_stage, **walking
        )
    with stopwatch(seconds, "compile"), tell_compiling(on_stage):
        try:
            if is_policy(strategy):
                full_form, strategy = ask_policy(game, strategy, budget, on_stage)
                rules = full_form if form in FORMS[:2] else game
            compiled = compile_any(
                rules,
                form=form,
                limits=budget,
                say=on_stage,
                keep_tree=action_values,
                tells_reach=off_path,
            )
        except GameTooLargeError:
            if form in FORMS[1:] or not only_values or budget.max_histories is not None:
                raise
            walked = compile_fast_walk(load(cast("Any", game)))
            if walked is None:
                raise
            return _evaluate_by_walk(walked, game, strategy, on_stage, **walking)
        strategy = strategy_for(strategy, compiled)
        compiled = strategy.form_for(compiled)
    slots = strategy.at_slots(compiled, missing=missing)
    compiled.check_strategy(slots)
    if on_stage is not None:
        on_stage(f"Evaluating a strategy of {compiled.name}")
    with stopwatch(seconds, "solve"), tell_compiling(on_stage):
        responses = compiled.best_responses(slots)
        table = gains = None
        if action_values or off_path:
            # What differs by suits has one answer, but is no single infoset.
            full_form = compiled.unmerged()
            at_slots = strategy.at_slots(full_form, missing=missing)
            if action_values:
                table = action_value_table(full_form, at_slots)
            else:
                table = None
            gains = off_path_gains(full_form, at_slots) if off_path else None
    return Evaluation(
        game=game if isinstance(game, str) else compiled.name,
        players=compiled.players,
        histories=compiled.histories,
        infosets=compiled.num_infosets,
        slots=compiled.slots,
        zero_sum=compiled.zero_sum,
        value=responses.value,
        best_response_value=responses.best_response_value,
        nash_conv=responses.values.nash_conv,
        exploitability=responses.values.exploitability,
        best_response=Strategy.from_form(compiled, responses.best_response),
        losses=_infoset_losses(compiled, responses.reach, responses.best_value),
        seconds=seconds,
        action_values=table,
        off_path=gains,
        locks=int(compiled.locked_infosets.sum()),
    )


def _evaluate_by_walk(
    walked: WalkedGame,
    game: Playable,
    strategy: AnyStrategy | AnyPolicy,
    say: Callable[[str], None] | None,
    *,
    missing: str | None,
    threads: int,
    executor: Executor | None,
) -> Evaluation:
    seconds: Seconds = {"compile": 0.0}
    with stopwatch(seconds, "solve"), tell_compiling(say):
        estimate = walked.estimate(threads=threads)
        if estimate.too_long and executor is None:
            draws = walked.lower_bound
            raise GameTooLargeError(
                f"{walked.name} is too large to walk: {estimate}. Bound the exploitability from "
                f"below by eq.local_best_response(…, {draws}=…) (evaluate --lbr … --{draws} …)."
            )
        histories = estimate.histories
        if say is not None:
            say(f"Walking {walked.name}: {estimate}")
        if is_policy(strategy):
            strategy = ask_walked(walked, strategy, say, histories=histories)
        check_missing(missing)
        result = walked.values(
            as_strategy(strategy, lambda _: range(walked.players)),
            missing=missing,
            bare=bare_names(strategy),
            threads=threads,
            histories=histories,
            say=say,
            executor=executor,
        )
    return Evaluation(
        game=game if isinstance(game, str) else walked.name,
        players=walked.players,
        histories=result.histories,
        infosets=sum(result.infosets),
        slots=result.actions + walked.players,
        zero_sum=result.zero_sum,
        value=result.values.value,
        best_response_value=result.values.best_response_value,
        nash_conv=result.values.nash_conv,
        exploitability=result.values.exploitability,
        best_response=None,
        losses=(),
        seconds=seconds,
    )


def _is_by_observation(source: object) -> bool:
    """Return whether a strategy is known by what players observe, so that it has no names to be looked for."""
    if isinstance(source, str | Path):
        return is_observed(source)
    return isinstance(getattr(source, "infosets", None), ObservedInfosets)
