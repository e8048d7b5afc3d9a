"""Explain an iteration: run the solver up to it, watch it run once more, and write down what it did.

All numbers are the solver's own. What happens at a history comes from the records of the kernels that draw samples
(:mod:`equilibrist.mccfr.draw`); for full-width CFR, which sums over histories before it looks at any, the same
kernels walk through everything with the strategies that it plays. What happens at an infoset is read off the solver's
tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.validate import checked_seed, is_whole
from ..cfr.algorithms import Algorithm, find_algorithm
from ..cfr.sequence_cfr import SequenceCFR, State
from ..errors import AlgorithmError, GameError
from ..form.build import to_extensive_form
from ..form.compiled_game import CompiledGame
from ..form.limits import MAX_DEPTH, Limits
from ..game.protocol import Game, game_name
from ..games.load import load
from ..mccfr.iterations import ACCUMULATED, DRAWN, MemoryLimitError
from ..mccfr.sampling import Sampling, find_sampling
from ..mccfr.solver import MonteCarloCFR
from ..mccfr.table import table_of
from ..mccfr.table_lazy import lazy_table
from ..solving.prepare import Playable, prepare, prepare_lazy
from .explanation import Explanation
from .forced_deal import ForcedDeal, ForcedDealTable
from .records import Key, Update, Walk
from .transcript import Sample, Transcript

MOST_NODES = 1_000
_SURVEYED = 20_000  # histories that are looked at to see whether a deal fits, where samples are drawn
_SLICE = 0.1  # seconds between two chances to hear Ctrl-C


def explain(
    game: Playable,
    algorithm: str | Algorithm = "cfr",
    *,
    iteration: int = 1,
    deal: str | Sequence[str] | None = None,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    alternating: bool = True,
    horizon: int | None = None,
    max_nodes: int = MOST_NODES,
    max_histories: int | None = None,
    max_depth: int = MAX_DEPTH,
    on_stage: Callable[[str], None] | None = None,
) -> Explanation:
    """Return what one iteration of a CFR variant does, history by history and infoset by infoset.

    Parameters
    ----------
    game : str, Game or PublicGame
        As for :func:`equilibrist.load`.
    algorithm : str or Algorithm
        The algorithm.
    iteration : int
        Which iteration to explain; those before it are run first. The first is 1.
    deal : str or sequence of str, optional
        The outcomes of chance to look at, in the order in which they come up: ``"QK"`` in Kuhn poker deals a queen to
        player 0 and a king to player 1. Where everything is visited this decides what is shown; where outcomes of
        chance are drawn, these are drawn (in this iteration, not in those before it).
    sampling : str or Sampling, optional
        As for :func:`equilibrist.solve`: everything by default.
    seed : int, optional
        Decides what is drawn, with sampling; 0 by default.
    alternating : bool
        Whether players update in turn, each seeing the new strategies of those before.
    horizon : int, optional
        The planned number of iterations, for rows that are schedules.
    max_nodes : int
        Refuse to write down more histories than this.
    max_histories, max_depth : int, optional
        Limits of compilation; by default as many histories as there is memory for, and 1,000 moves.
    on_stage : callable, optional
        Called with a short text when a long stage begins.

    Raises
    ------
    GameError
        The game cannot be found or is not well formed, the deal does not fit it, or there is too much to write down.
    AlgorithmError
        The algorithm is unknown, or an option is impossible.

    Notes
    -----
    At a history h where player i moves, with the strategies of this iteration, the value of an action is that of the
    history after it, and

        cf_regret(h, a) = weight(h) · (value(h a) − value(h))        summed over the infoset: instant_regret(I, a)

    where weight(h) is the reach of the others and of chance; with sampling, divided by the probability with which the
    sample came to h, so that its mean over all samples is the same.

    Examples
    --------
    A queen against a king, chance-sampled, both players learning from the same strategies:

    >>> import equilibrist as eq
    >>> first = eq.explain("kuhn", deal="QK", sampling="chance", alternating=False)
    >>> node = first.node("Q", "K", "p", "b")
    >>> node.infoset, node.value[0], node.weight, [move.cf_regret for move in node.moves]
    ('Qpb', -1.5, 0.5, [0.25, -0.25])
    >>> first.updates[0, "Q"].instant_regret
    (-0.375, 0.375)
    """
    if isinstance(game, CompiledGame):
        raise GameError(f"To explain {game.name}, give the game itself: its rules name what happens.", wrong_use=True)
    for label, number in (("iteration", iteration), ("max_nodes", max_nodes)):
        if not is_whole(number, 1):
            raise AlgorithmError(f"{label} must be a whole number, 1 or more; got {number!r}.", wrong_use=True)
    scheme = find_sampling(sampling if sampling is not None else "full")
    rule = find_algorithm(algorithm, sampled=not scheme.full_width)
    scheme.check_algorithm(rule)
    _check_horizon(rule, horizon, iteration)
    if seed is not None and scheme.full_width:
        raise AlgorithmError(f"Full-width CFR draws nothing; got seed={seed!r}.", wrong_use=True)
    used_seed = 0 if seed is None else checked_seed(seed)
    forced = None if deal is None or (isinstance(deal, str) and not deal.strip()) else ForcedDeal(deal)
    if forced is not None and scheme.baseline is not None and scheme.definition.chance == "one":
        raise AlgorithmError(
            f"A baseline expects all outcomes of chance, so that no deal can be forced on '{scheme}'. Leave out the "
            "deal, or the baseline.",
            wrong_use=True,
        )
    rules = to_extensive_form(load(game))
    say = on_stage or (lambda text: None)
    limits = Limits.checked(max_histories, max_depth, None)
    transcript = Transcript(rules, forced, int(max_nodes), alternating)
    if scheme.full_width or forced is not None:
        transcript.check_deal(int(max_nodes) if scheme.full_width else _SURVEYED, all_shown=scheme.full_width)
    try:
        if scheme.full_width:
            form, _ = prepare(rules, form="sequence", limits=limits, say=say, sampled=True)
            solver = SequenceCFR(form, rule, alternating=alternating, horizon=horizon)  # type: ignore[arg-type]
            _run_to(solver, iteration - 1, say)
            walks, updates = _watch_full_width(solver, transcript)
        else:
            sampled = _sampled(rules, rule, scheme, limits, say, alternating=alternating, seed=used_seed)
            _run_to(sampled, iteration - 1, say)
            walks, updates = _watch_sampled(sampled, transcript)
    except MemoryLimitError:
        raise GameError(
            f"{game_name(rules)}: infosets and samples would take more memory than is allowed, or than there is. "
            "Explain an earlier iteration, draw smaller samples (sampling='outcome'), or allow more gigabytes."
        ) from None
    steps = rule.steps(iteration, 1, horizon=horizon)
    return Explanation(
        game=game if isinstance(game, str) else game_name(rules),
        algorithm=rule.name,
        sampling=str(scheme),
        iteration=int(iteration),
        alternating=alternating,
        seed=None if scheme.full_width else used_seed,
        deal="" if forced is None else forced.text,
        players=rules.players,
        discount=(
            float(steps.discount_positive[0]),
            float(steps.discount_negative[0]),
            float(steps.discount_average[0]),
        ),
        walks=walks,
        updates=updates,
    )


def _check_horizon(rule: Algorithm, horizon: int | None, iteration: int) -> None:
    if rule.needs_horizon and (horizon is None or not is_whole(horizon, iteration)):
        raise AlgorithmError(
            f"{rule.name!r} is a schedule over a planned number of iterations: horizon must be {iteration} or more; "
            f"got {horizon!r}.",
            wrong_use=True,
        )
    if horizon is not None and not rule.needs_horizon:
        raise AlgorithmError(
            f"{rule.name!r} is no schedule, so that horizon={horizon!r} would do nothing. Leave it out.", wrong_use=True
        )


def _sampled(
    rules: Game,
    rule: Algorithm,
    scheme: Sampling,
    limits: Limits,
    say: Callable[[str], None],
    *,
    alternating: bool,
    seed: int,
) -> MonteCarloCFR:
    """Return the solver of a game of which samples are drawn."""
    if scheme.tree:
        form, _ = prepare(rules, form="sequence", limits=limits, say=say, sampled=True)
        return MonteCarloCFR(table_of(form), rule, scheme, alternating=alternating, seed=seed)
    prepare_lazy(rules, say=say)
    table = lazy_table(rules, max_histories=limits.max_histories, max_depth=limits.max_depth)
    return MonteCarloCFR(table, rule, scheme, alternating=alternating, seed=seed)


def _run_to(solver: SequenceCFR | MonteCarloCFR, iteration: int, say: Callable[[str], None]) -> None:
    """Run up to an iteration, in slices short enough to hear Ctrl-C between two of them."""
    if iteration:
        say(f"Running {iteration:,} iterations")
    count, began = 1, time.perf_counter()
    while solver.iteration < iteration:
        solver.run(min(count, iteration - solver.iteration))
        ended = time.perf_counter()
        count, began = 2 * count if ended - began < _SLICE else max(1, count // 2), ended


def _watch_full_width(solver: SequenceCFR, transcript: Transcript) -> tuple[tuple[Walk, ...], dict[Key, Update]]:
    """Run one more iteration of full-width CFR and write down what it did."""
    form, players = solver.form, solver.form.players
    before = State(*(array.copy() for array in solver.state))
    solver.run(1)
    after = solver.state
    everything = MonteCarloCFR(table_of(form), solver.algorithm, Sampling("full"))
    strategy = everything.slots.strategy[players:]
    owner = np.repeat(form.infosets.owner, form.infosets.num_actions)
    strategy[:] = before.strategy[form.slot]
    walks = []
    for player in range(players):
        (records,) = everything.sample(player)
        sample = Sample(player, everything.source, everything.sampler._replace(records=records))
        walks.append(Walk((player,), transcript.nodes(sample)))
        if solver.alternating:  # the next player sees this one's new strategy
            strategy[owner == player] = after.strategy[form.slot[owner == player]]
    steps = solver.algorithm.steps(solver.iteration, 1, horizon=solver.horizon)
    positive, negative = float(steps.discount_positive[0]), float(steps.discount_negative[0])

    def update(key: Key, slot: int, actions: tuple[str, ...]) -> Update:
        own = form.slot[slot - players : slot - players + len(actions)]
        strategy, cf_value = before.strategy[own], after.cf_value[own]
        regret_sum = before.regret_sum[own]
        return _update(
            key,
            actions,
            strategy=strategy,
            instant_regret=cf_value - strategy @ cf_value,
            regret_sum_before=regret_sum,
            regret_sum_discounted=regret_sum * np.where(regret_sum > 0, positive, negative),
            regret_sum=after.regret_sum[own],
            strategy_sum_before=before.strategy_sum[own],
            strategy_sum=after.strategy_sum[own],
            next_strategy=after.strategy[own],
        )

    return transcript.joined(walks), transcript.updates(update)


def _watch_sampled(solver: MonteCarloCFR, transcript: Transcript) -> tuple[tuple[Walk, ...], dict[Key, Update]]:
    """Run one more iteration on samples and write down what it did."""
    players, used = transcript.rules.players, solver.table.used
    _, regret_sum, sums = solver.state_at(np.arange(players, used), solver.table.shape()[1])
    if transcript.deal is not None and solver.sampling.definition.chance == "one":
        solver = _dealt(solver, transcript.rules, transcript.deal)
    walks: list[Walk] = []
    strategy: dict[int, Floats] = {}
    discounted: dict[int, Floats] = {}
    instant: dict[int, Floats] = {}
    for stage in solver.stages():
        slots, player = solver.slots, stage.player
        if stage.name == DRAWN:
            (records,) = stage.records
            sample = Sample(player, solver.source, solver.sampler._replace(records=records))
            walks.append(Walk((player,), transcript.nodes(sample)))
            strategy[player] = slots.strategy.copy()
        elif stage.name == ACCUMULATED:
            discounted[player], instant[player] = slots.regret_sum.copy(), slots.instant_regret.copy()
    slots, new_sums = solver.slots, solver.average_sums()

    def update(key: Key, slot: int, actions: tuple[str, ...]) -> Update:
        own, player = slice(slot, slot + len(actions)), key[0]
        before = slice(slot - players, slot - players + len(actions))
        return _update(
            key,
            actions,
            strategy=strategy[player][own],
            instant_regret=instant[player][own],
            regret_sum_before=_padded(regret_sum, before),
            regret_sum_discounted=discounted[player][own],
            regret_sum=slots.regret_sum[own],
            strategy_sum_before=_padded(sums, before),
            strategy_sum=new_sums[own],
            next_strategy=slots.strategy[own],
        )

    return transcript.joined(walks), transcript.updates(update)


def _padded(array: Floats, own: slice) -> Floats:
    """Return a part of an array, and 0 where it was made before there was such a part."""
    part = np.zeros(own.stop - own.start)
    there = array[own]
    part[: len(there)] = there
    return part


def _dealt(solver: MonteCarloCFR, rules: Game, deal: ForcedDeal) -> MonteCarloCFR:
    """Return a solver that goes on where another is, and draws the outcomes of a forced deal."""
    table: Any = ForcedDealTable(solver.table, rules, deal)
    watched = MonteCarloCFR(table, solver.algorithm, solver.sampling, alternating=solver.alternating, seed=solver.seed)
    watched.load_state(solver.state_dict())
    return watched


def _update(key: Key, actions: tuple[str, ...], *, strategy_sum: Floats, **numbers: Floats) -> Update:
    """Return an update of plain numbers."""
    total = float(strategy_sum.sum())
    average = strategy_sum / total if total > 0 else np.full(len(actions), 1.0 / len(actions))
    arrays = {**numbers, "strategy_sum": strategy_sum, "average_strategy": average}
    plain: dict[str, Any] = {name: tuple(array.tolist()) for name, array in arrays.items()}
    return Update(*key, actions, **plain)
