"""Explain an iteration: run the solver up to it, watch it run once more, and write down what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ..._util.callbacks import AnyCallbacks, stage_listener
from ..._util.validate import check_seed, is_whole
from ...cfr.algorithms import Algorithm, find_algorithm
from ...cfr.sequence_cfr import SequenceCFR
from ...errors import AlgorithmError, GameError
from ...form.limits import CompileBudget, Limits, compile_budget
from ...form.sequence.build import check_and_unfold
from ...form.traits import SequenceTraits
from ...form.walk.build import compile_walk
from ...game.card_game import CardGame
from ...game.protocol import Game, game_name
from ...game.public import PublicGame
from ...games.compile import compile_any
from ...games.load import load
from ...mccfr.iterations import MemoryLimitError
from ...mccfr.sampling import Sampling, find_sampling
from ...mccfr.solver import MonteCarloCFR
from ...mccfr.table import InfosetTable, make_table
from ...mccfr.table_lazy import LazyTable
from ...solving.plan import suitable_algorithm
from .deals import Deals, DealtGame, Force, deal_form
from .explanation import Explanation
from .transcript import Transcript
from .watch import watch_full_width, watch_sampled

MOST_NODES = 1_000
_SURVEYED = (
    20_000  # histories that are looked at to see whether a deal fits, where samples are drawn
)
_SLICE = 0.1  # seconds between two chances to hear Ctrl-C

Deal = str | Sequence[str]


def explain(
    game: str | Game | PublicGame | CardGame,
    algorithm: str | Algorithm = "cfr",
    *,
    iteration: int | None = None,
    deal: Deal | None = None,
    deals: str | Sequence[Deal] | None = None,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    horizon: int | None = None,
    max_nodes: int = MOST_NODES,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> Explanation:
    """Return what one iteration of a CFR variant does, history by history and infoset by infoset.

    Parameters
    ----------
    game : str, Game or PublicGame
        As for :func:`equilibrist.load`.
    algorithm : str or Algorithm
        The algorithm; with ``"cfr(alternating=False)"`` all players update at once, against the
        strategies with which the iteration begins.
    iteration : int, optional
        Which iteration to explain; those before it are run first. By default the last that
        ``deals`` names, or 1, which is the first.
    deal : str or sequence of str, optional
        The outcomes of chance, in the order in which they come up: ``"QK"`` in Kuhn poker deals a
        queen to player 0 and a king to player 1. Where outcomes of chance are drawn, all iterations
        draw these; where everything is visited, they are what is shown of it.
    deals : str or sequence, optional
        The deal of iterations 1, 2, …, one for each up to the one to explain: ``"QK,JQ"``, or a
        list. They are drawn, so that ``sampling`` is ``"chance"`` by default.
    sampling : str or Sampling, optional
        As for :func:`equilibrist.solve`: everything by default.
    seed : int, optional
        Decides what is drawn and no deal names, with sampling; 0 by default.
    horizon : int, optional
        The planned number of iterations, for algorithms that are schedules.
    max_nodes : int
        Refuse to write down more histories than this. Of a game with more infosets, only those
        visited are told.
    limits : Limits, optional
        Limits of compilation: ``eq.Limits(memory_gb=, histories=, depth=)``; by default as many
        histories as there is memory for, and 1,000 moves.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be found or is not well formed, the deal does not fit it, or there is too
        much to write down.
    AlgorithmError
        The algorithm is unknown, or an option is impossible.

    Notes
    -----
    At a history h where player i moves, with the strategies of this iteration, the value of an
    action is that of the history after it, and

        cf_regret(h, a) = weight(h) · (value(h a) − value(h))        summed over the infoset: instant_regret(I, a)

    where weight(h) is the reach of the others and of chance; with sampling, divided by the
    probability with which the sample came to h, so that its mean over all samples is the same.

    Examples
    --------
    A queen against a king, chance-sampled, both players learning from the same strategies:

    >>> import equilibrist as eq
    >>> first = eq.learn.explain("kuhn", "cfr(alternating=False)", deal="QK", sampling="chance")
    >>> node = first.node("Q", "K", "p", "b")
    >>> node.infoset, node.value[0], node.weight, [move.cf_regret for move in node.moves]
    ('Qpb', -1.5, 0.5, [0.25, -0.25])
    >>> first.updates[0, "Q"].instant_regret
    (-0.375, 0.375)
    """
    forced_deals = Deals(deal, deals)
    last = iteration if iteration is not None else max(1, forced_deals.last)
    for label, number in (("iteration", last), ("max_nodes", max_nodes)):
        if not is_whole(number, 1):
            raise AlgorithmError(f"{label} must be a whole number, 1 or more; got {number!r}.")
    last = int(last)
    node_limit = int(max_nodes)
    scheme = find_sampling(
        sampling if sampling is not None else "chance" if forced_deals.last else "full"
    )
    rule = suitable_algorithm(
        find_algorithm(algorithm), SequenceTraits, sampled=not scheme.full_width
    )
    scheme.check_algorithm(rule)
    if rule.rule is not None:
        raise AlgorithmError(
            f"Steps are told of regret matching; {rule.name} is a rule of one's own. Leave it out."
        )
    _check_horizon(rule, horizon, last)
    rule = rule.planned(horizon)
    if seed is not None and scheme.full_width:
        raise AlgorithmError(f"Full-width CFR draws nothing; got seed={seed!r}.")
    used_seed = 0 if seed is None else check_seed(seed)
    _check_deals(forced_deals, scheme, last)
    rules = check_and_unfold(load(game))
    on_stage = stage_listener(callbacks, "explain") or (lambda _: None)
    budget = compile_budget(limits, "explain")
    transcript = Transcript(rules, forced_deals.at(last), node_limit, rule.alternating)
    if scheme.full_width:
        transcript.check_deal(node_limit, all_shown=True)
    else:
        for forced_deal in forced_deals.different():
            Transcript(rules, forced_deal, node_limit, rule.alternating).check_deal(
                _SURVEYED, all_shown=False
            )
    try:
        if scheme.full_width:
            form = compile_any(rules, form="sequence", limits=budget, say=on_stage, keep_tree=True)
            solver = SequenceCFR(form, rule, horizon=horizon)  # type: ignore[arg-type]
            _run_to(solver, last - 1, on_stage)
            observed = watch_full_width(solver, transcript)
        else:
            sampling_solver, force = _make_sampler(
                rules, rule, scheme, budget, on_stage, forced_deals=forced_deals, seed=used_seed
            )
            for t in range(1, last if forced_deals.last else 1):
                force(forced_deals.at(t))
                sampling_solver.run(1)
            force(forced_deals.at(last))
            _run_to(sampling_solver, last - 1, on_stage)
            observed = watch_sampled(sampling_solver, transcript)
    except MemoryLimitError:
        raise GameError(
            f"{game_name(rules)}: infosets and samples would take more memory than is allowed, "
            "or than there is. Explain an earlier iteration, draw smaller samples "
            "(sampling='outcome'), or allow more gigabytes."
        ) from None
    steps = rule.steps(last, 1, horizon=horizon)
    return Explanation(
        game=game if isinstance(game, str) else game_name(rules),
        algorithm=rule.name,
        sampling=str(scheme),
        iteration=last,
        alternating=rule.alternating,
        seed=None if scheme.full_width else used_seed,
        deals=forced_deals.texts[:last],
        players=rules.players,
        discount=(
            float(steps.discount_positive[0]),
            float(steps.discount_negative[0]),
            float(steps.discount_average[0]),
        ),
        infosets=observed.infosets,
        walks=observed.walks,
        updates=observed.updates,
    )


def _check_deals(forced_deals: Deals, scheme: Sampling, last: int) -> None:
    if forced_deals.different() and scheme.baseline is not None and scheme.draws_deals:
        raise AlgorithmError(
            "A baseline expects all outcomes of chance, so that no deal can be forced on "
            f"'{scheme}'. Leave out the deal, or the baseline."
        )
    if forced_deals.last and not scheme.draws_deals:
        raise AlgorithmError(
            f"deals says what is drawn in each iteration, and '{scheme}' draws no single "
            "outcomes of chance. Use sampling='chance', or deal= to choose what is shown."
        )
    if forced_deals.last and last > forced_deals.last:
        raise AlgorithmError(
            f"deals names no deal beyond iteration {forced_deals.last}; got iteration={last}. Name one "
            "for each, or "
            "deal= for all iterations."
        )


def _check_horizon(rule: Algorithm, horizon: int | None, iteration: int) -> None:
    if rule.needs_horizon and (horizon is None or not is_whole(horizon, iteration)):
        raise AlgorithmError(
            f"{rule.name!r} is a schedule over a planned number of iterations: horizon must be "
            f"{iteration} or more; got {horizon!r}."
        )
    if horizon is not None and not rule.needs_horizon:
        raise AlgorithmError(
            f"{rule.name!r} is no schedule, so that horizon={horizon!r} would do nothing. Leave "
            "it out."
        )


def _make_sampler(
    rules: Game,
    rule: Algorithm,
    scheme: Sampling,
    limits: CompileBudget,
    on_stage: Callable[[str], None],
    *,
    forced_deals: Deals,
    seed: int,
) -> tuple[MonteCarloCFR, Force]:
    """Return the solver of a game of which samples are drawn, and what tells chance what to deal."""
    deals_are_forced = bool(forced_deals.different()) and scheme.draws_deals
    force: Force = lambda deal: None  # noqa: E731
    if scheme.tree:
        form = compile_any(rules, form="sequence", limits=limits, say=on_stage, keep_tree=True)
        if deals_are_forced:
            form, force = deal_form(form, rules)
        table: InfosetTable = make_table(form)
    else:
        if deals_are_forced:
            rules = game = DealtGame(rules)
            force = game.force
        table = LazyTable(compile_walk(rules, limits))
    return MonteCarloCFR(table, rule, scheme, seed=seed), force


def _run_to(
    solver: SequenceCFR | MonteCarloCFR, iteration: int, on_stage: Callable[[str], None]
) -> None:
    """Run up to an iteration, in slices short enough to hear Ctrl-C between two of them."""
    if iteration > solver.iteration:
        on_stage(f"Running {iteration:,} iterations")
    count = 1
    slice_start = time.perf_counter()
    while solver.iteration < iteration:
        solver.run(min(count, iteration - solver.iteration))
        slice_end = time.perf_counter()
        count = 2 * count if slice_end - slice_start < _SLICE else max(1, count // 2)
        slice_start = slice_end
