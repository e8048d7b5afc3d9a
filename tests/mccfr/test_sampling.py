"""Sampling: proofs that every scheme estimates the full update without bias, and that all ways of drawing agree."""

import itertools
import math
import signal
from dataclasses import dataclass, replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist._jit import rng
from equilibrist.cfr.algorithms import ALGORITHMS, find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.limits import CompileBudget
from equilibrist.form.walk.build import compile_walk
from equilibrist.form.walk.interpreted import WalkedPython
from equilibrist.mccfr import draw, iterations, sampling, table_lazy, update
from equilibrist.mccfr.iterations import MemoryLimitError
from equilibrist.mccfr.records import BLOCK
from equilibrist.mccfr.sampling import SCHEMES, Outcome, Sampling, find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import TreeTable
from equilibrist.mccfr.table_lazy import LazyTable
from support.random_games import RandomGame
from support.reference import CFR, infosets
from support.samples import by_infoset, current, full_regrets
from support.solvers import variant

pytestmark = pytest.mark.thinned(4)  # see conftest.py

ROWS = [name for name, row in ALGORITHMS.items() if not row.needs_horizon]


def solver_of(game, algorithm="cfr", sampling="external", *, alternating=True, **options):
    way = find_sampling(sampling)
    game = eq.load(game)
    table = (
        TreeTable(eq.compile_game(game, keep_tree=True))
        if way.tree
        else LazyTable(compile_walk(game))
    )
    return MonteCarloCFR(table, variant(algorithm, alternating=alternating), way, **options)


WAYS = [
    "chance",
    "chance(baseline='history')",
    "chance(low_discrepancy=True)",
    "external",
    "external(baseline='infoset')",
    "external(baseline='history')",
    "outcome",
    "outcome(epsilon=1.0)",
    "outcome(baseline='infoset')",
    "outcome(baseline='history', baseline_rate=1.0)",
    "average-strategy(epsilon=0.3, beta=1.0, tau=2.0)",
    "average-strategy(epsilon=0.3, beta=1.0, tau=2.0, baseline='infoset')",
    "full(pruning='zero-reach')",
]
GAMES = [
    "kuhn",
    "matching_pennies",
    *(RandomGame(seed, depth=4, ties=False) for seed in (1, 2, 3, 4, 5)),
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_mean_of_all_samples_is_the_full_update(game, way, enumerate_turns):
    if way.startswith("chance(low") and game == "matching_pennies":
        pytest.skip("nothing is drawn")
    rules = eq.load(game)
    solver = solver_of(game, "cfr", way, seed=7)
    for _ in range(3):
        solver.run(5)
        truth, _ = full_regrets(rules, current(solver))
        for player in range(rules.players):
            mean, total = 0.0, 0.0
            for probability, slots in itertools.islice(enumerate_turns(solver, player), 50_000):
                mean = mean + probability * slots.instant_regret
                total += probability
            assert total == pytest.approx(1, abs=1e-12)
            for key, regrets in by_infoset(solver, mean).items():
                if key[0] == player:
                    assert regrets == pytest.approx(truth[key], abs=1e-12)


@pytest.mark.thinned(25)
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize(
    "way", ["chance", "external(baseline='infoset')", "outcome(baseline='history')"]
)
def test_mean_is_the_full_update_for_every_row(row, way, enumerate_turns):
    game = RandomGame(6, depth=4)
    solver = solver_of(game, row, way, seed=1)
    solver.run(20)
    truth, _ = full_regrets(game, current(solver))
    for player in range(game.players):
        mean = sum(
            probability * slots.instant_regret
            for probability, slots in enumerate_turns(solver, player)
        )
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx(truth[key], abs=1e-12)


@pytest.mark.slow
def test_a_batch_adds_up_its_samples(enumerate_turns):
    solver = solver_of("kuhn", "cfr", "outcome(batch=2, baseline='infoset')", seed=1)
    solver.run(6)
    truth, _ = full_regrets(eq.load("kuhn"), current(solver))
    mean = sum(
        probability * slots.instant_regret for probability, slots in enumerate_turns(solver, 1)
    )
    for key, regrets in by_infoset(solver, mean).items():
        if key[0] == 1:
            assert regrets == pytest.approx([2 * regret for regret in truth[key]], abs=1e-12)


def test_public_chance_is_unbiased(enumerate_turns):
    """The board card of a small Leduc: one card for all hands, some of which cannot see it."""
    game = eq.load("leduc(ranks=2, raises=1)")
    solver = solver_of(game, "cfr", "public-chance", seed=1)
    solver.run(3)
    truth, _ = full_regrets(game, current(solver))
    for player in range(2):
        turns = list(enumerate_turns(solver, player))
        mean = sum(probability * slots.instant_regret for probability, slots in turns)
        assert sum(probability for probability, _ in turns) == pytest.approx(1, abs=1e-12)
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx(truth[key], abs=1e-12)


SMALL_LEDUC = "leduc(ranks=2, raises=1)"


@pytest.mark.parametrize(
    ("game", "way"),
    [
        ("kuhn", "external(one_deal=True)"),
        ("kuhn", "external(one_deal=True, baseline='history')"),
        (SMALL_LEDUC, "chance(one_deal=True, low_discrepancy=True)"),
        pytest.param(SMALL_LEDUC, "external(one_deal=True)", marks=pytest.mark.slow),
        pytest.param(
            SMALL_LEDUC, "external(one_deal=True, baseline='history')", marks=pytest.mark.slow
        ),
    ],
)
def test_one_deal_for_all_paths_is_unbiased(game, way, enumerate_turns):
    """All deals of a game in which outcomes of chance have probabilities that are multiples of 1/6."""
    game = eq.load(game)
    solver = solver_of(game, "cfr", way, seed=1)
    solver.run(3)
    truth, _ = full_regrets(game, current(solver))
    for player in range(2):
        mean, total = 0.0, 0.0
        for probability, slots in enumerate_turns(solver, player, places=6):
            mean = mean + probability * slots.instant_regret
            total += probability
        assert total == pytest.approx(1, abs=1e-12)
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx(truth[key], abs=1e-12)


def test_one_deal_is_seen_on_every_path_and_by_both_players():
    solver = solver_of("leduc", "cfr", "chance(one_deal=True, batch=3)", seed=5)
    solver.run(2)
    boards = []
    for player in range(2):
        records = solver.sample(player)
        chance = np.flatnonzero(records.mover == -1)
        outcomes = [int(records.action[records.first_child[k]]) for k in chance]
        # each of three deals: two private cards, and the same public card wherever it is turned
        firsts = [n for n, k in enumerate(chance) if records.parent[k] == k]
        deals = np.split(outcomes, firsts[1:])
        assert len(deals) == 3
        assert all(len(deal) > 3 and len(set(deal[2:].tolist())) == 1 for deal in deals)
        boards.append([deal[:3].tolist() for deal in deals])
    assert boards[0] == boards[1]


def test_a_saved_sampling_of_an_earlier_version_has_no_deal():
    plain = eq.External(batch=2).to_plain()
    del plain["one_deal"]
    assert Sampling.from_plain(plain) == eq.External(batch=2)


def test_a_scheme_of_ones_own_is_one_class(enumerate_turns, monkeypatch, tmp_path):
    """It says who is followed and which options there are; kernels, text, run folders and messages go by that."""
    monkeypatch.setattr(sampling, "SCHEMES", dict(SCHEMES))

    @dataclass(frozen=True, kw_only=True)
    class OthersSampling(Sampling):
        name, source = "others", "a note in my lab book"
        chance, updating, others = "all", "all", "one"

        average: str | None = None
        batch: int = 1

    assert find_sampling("others(batch=2)") == OthersSampling(batch=2)
    game = RandomGame(3, depth=4, ties=False)
    solver = solver_of(game, "cfr", "others(batch=2)", seed=7)
    solver.run(5)
    truth, _ = full_regrets(game, current(solver))
    for player in range(game.players):
        mean = sum(
            probability * slots.instant_regret
            for probability, slots in enumerate_turns(solver, player)
        )
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx([2 * regret for regret in truth[key]], abs=1e-12)
    options = {"sampling": OthersSampling(), "seed": 1}
    eq.solve("kuhn", "cfr", iterations=20_000, save=tmp_path, **options)
    resumed = eq.solve(resume=tmp_path, iterations=40_000)
    assert resumed.exploitability < 0.03
    assert resumed.strategy == eq.solve("kuhn", "cfr", iterations=40_000, **options).strategy
    with pytest.raises(
        eq.AlgorithmError, match=r"Sampling 'others' takes no tree; got tree=False.*use 'chance' or"
    ):
        find_sampling("others(tree=False)")
    with pytest.raises(eq.AlgorithmError, match=r"never draws a move.*got average='stochastic'"):
        OthersSampling(average="stochastic")


@pytest.mark.parametrize(
    ("scheme", "option"), [(eq.Full, "average"), (eq.External, "tau"), (eq.Outcome, "pruning")]
)
def test_options_without_a_meaning_cannot_be_written(scheme, option):
    with pytest.raises(TypeError, match=option):
        scheme(**{option: None})


AVERAGED_BY_TURN = [
    "chance",
    "external",
    "outcome",
    "average-strategy(epsilon=0.3, beta=1)",
    "external(batch=2)",
    "chance(batch=2)",
]


@pytest.mark.thinned(20)
@pytest.mark.parametrize("way", AVERAGED_BY_TURN)
@pytest.mark.parametrize(
    "game",
    ["kuhn", RandomGame(3, players=2, depth=4, ties=False), RandomGame(4, players=2, depth=4)],
    ids=str,
)
def test_the_average_adds_own_reach_times_strategy(game, way, enumerate_turns):
    """The mean increment is own reach × strategy × the chance reach of the infoset, a factor that never changes.

    Above all where the others never go: an average that forgets these iterations does not converge.
    """
    rules = eq.load(game)
    chance_reach = chance_reaches(rules)
    solver, never_reached = solver_of(game, "cfr", way, seed=2), 0
    for _ in range(3):
        solver.run(4)
        strategy, before = current(solver), solver.slots.strategy_sum.copy()
        _, own_reach = full_regrets(rules, strategy)
        mean = 0.0
        for player in range(2):
            for probability, slots in enumerate_turns(solver, player):
                mean = mean + probability * (slots.strategy_sum - before)
        for key, added in by_infoset(solver, mean).items():
            wanted = np.array([own_reach[key] * p for p in strategy[key].values()])
            assert added == pytest.approx(
                solver.sampling.batch * chance_reach[key] * wanted, abs=1e-12
            )
        never_reached += sum(p == 0 for row in strategy.values() for p in row.values())
    assert never_reached > 0


def chance_reaches(game):
    """Return {(player, infoset): the sum of the chance reach of its histories}."""
    reaches, waiting = {}, [(game.start(), 1.0)]
    while waiting:
        state, reach = waiting.pop()
        mover = game.player(state)
        if mover == eq.TERMINAL:
            continue
        actions = list(game.actions(state))
        outcomes = game.probabilities(state) if mover == eq.CHANCE else [1.0] * len(actions)
        if mover != eq.CHANCE:
            key = mover, str(game.infoset(state))
            reaches[key] = reaches.get(key, 0.0) + reach
        waiting += [
            (game.next(state, action), reach * p)
            for action, p in zip(actions, outcomes, strict=True)
        ]
    return reaches


@pytest.mark.parametrize("scheme", ["external", "outcome", "average-strategy"])
@pytest.mark.parametrize("average", ["stochastic", "optimistic"])
def test_averages_that_forget_what_the_others_never_play_are_refused(scheme, average):
    with pytest.raises(
        eq.AlgorithmError, match=rf"never draws a move.*got average='{average}'.*or 'lazy'"
    ) as caught:
        SCHEMES[scheme](average=average)
    assert caught.value.wrong_use


@pytest.mark.slow
@pytest.mark.parametrize("average", ["opponent", "lazy"])
@pytest.mark.parametrize(
    ("way", "iterations"),
    [("external", 300_000), ("outcome", 3_000_000)],
)
def test_both_averages_of_schemes_that_draw_the_others_converge(way, iterations, average):
    sampling = f"{way}(average='{average}')"
    solution = eq.solve("leduc(ranks=2)", "cfr", sampling=sampling, iterations=iterations, seed=1)
    assert (
        solution.nash_conv < 0.1
    )  # with the averages that are refused it stays above 0.3, for ever


@pytest.mark.thinned(28)
@pytest.mark.parametrize("row", ["cfr", "lcfr", "pcfr+"])
@pytest.mark.parametrize(
    "way", ["external(average='lazy')", "outcome(average='lazy')", "chance(average='lazy')"]
)
@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", RandomGame(8, depth=5)], ids=str)
def test_lazy_average_is_the_full_average(game, way, row):
    """As if all infosets had been added to at every iteration: an extra pass over the whole game each time."""
    rules = eq.load(game)
    solver = solver_of(game, row, way, alternating=False, seed=4)
    sums = {}
    for t in range(1, 30):
        strategy = current(solver)
        _, own_reach = full_regrets(rules, strategy)
        for key, probabilities in strategy.items():
            played = np.array(list(probabilities.values()))
            sums[key] = sums.get(key, 0) + t ** ALGORITHMS[row].gamma * own_reach[key] * played
        solver.run(1)
    average = solver.strategy()
    assert len(average) == len(sums)
    for key, total in sums.items():
        if total.sum() > 0:
            assert list(average[key].values()) == pytest.approx(total / total.sum(), abs=1e-12), key


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("row", ["dcfr", "pcfr+", "pdcfr+"])
def test_without_chance_a_sample_of_chance_is_a_full_pass(row, alternating):
    sampled = solver_of("biased_rps", row, "chance", alternating=alternating)
    full = SequenceCFR(sampled.form, variant(find_algorithm(row), alternating=alternating))
    for _ in range(6):
        sampled.run(1)
        full.run(1)
        assert sampled.average_strategy()[full.form.slot] == pytest.approx(
            full.average_strategy()[full.form.slot], abs=1e-12
        )


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize(
    "game",
    ["kuhn", RandomGame(11, depth=5, ties=False), RandomGame(12, depth=6, ties=False)],
    ids=str,
)
def test_zero_reach_pruning_changes_nothing_but_the_work(game, row, alternating):
    pruned = solver_of(game, row, "full(pruning='zero-reach')", alternating=alternating)
    full = SequenceCFR(pruned.form, variant(find_algorithm(row), alternating=alternating))
    for _ in range(5):
        pruned.run(6)
        full.run(6)
        assert pruned.average_strategy()[pruned.form.slot] == pytest.approx(
            full.average_strategy()[full.form.slot], abs=1e-9
        )
    assert pruned.nodes_touched <= full.iteration * full.form.players * full.form.histories


def test_pruning_saves_work():
    pruned = solver_of("leduc", "cfr+", "full(pruning='zero-reach')")
    pruned.run(100)
    assert pruned.nodes_touched < 0.8 * 100 * 2 * pruned.form.histories
    rare = solver_of("leduc", "cfr", "external(pruning='regret', prune_below=-20.0)", seed=1)
    plain = solver_of("leduc", "cfr", "external", seed=1)
    rare.run(20_000)
    plain.run(20_000)
    assert rare.nodes_touched < 0.95 * plain.nodes_touched


def test_regret_pruning_with_no_bound_or_no_rest_prunes_nothing():
    one = solver_of("leduc", "lcfr", "external(pruning='regret', prune_below=-1e300)", seed=3)
    other = solver_of("leduc", "lcfr", "external(pruning='regret', revisit=1.0)", seed=3)
    one.run(500)
    other.run(500)
    assert np.array_equal(one.average_strategy(), other.average_strategy())


SAME = [
    "chance",
    "external",
    "external(average='lazy')",
    "external(batch=5, baseline='infoset')",
    "external(low_discrepancy=True)",
    "external(batch=3, one_deal=True)",
    "outcome",
    "chance(average='optimistic')",
    "outcome(batch=4, average='lazy', baseline='infoset')",
    "average-strategy(beta=5.0)",
]


@pytest.mark.thinned(8)
@pytest.mark.parametrize("way", SAME)
@pytest.mark.parametrize(
    "game",
    ["kuhn(players=3)", "liars_dice(faces=3)", pytest.param("leduc", marks=pytest.mark.slow)],
)
def test_tree_rules_and_python_give_the_same_bits(game, way):
    if "players=3" in game and way.startswith("average-strategy"):
        way = way.replace("beta", "average='lazy', beta")
    rules, way = eq.load(game), find_sampling(way)
    without = replace(way, tree=False)
    row = find_algorithm("dcfr")
    in_python = WalkedPython(rules, CompileBudget(), lambda: rules)
    solvers = [
        MonteCarloCFR(TreeTable(eq.compile_game(rules, keep_tree=True)), row, way, seed=9),
        MonteCarloCFR(LazyTable(compile_walk(rules)), row, without, seed=9),
        MonteCarloCFR(LazyTable(in_python), row, without, seed=9),
    ]
    for solver in solvers:
        solver.run(30)
    tree, *others = (solver.strategy() for solver in solvers)
    for other in others:
        assert len(other) > 1
        assert all(other[key] == tree[key] for key in other)
    assert len({solver.nodes_touched for solver in solvers}) == 1
    assert len(others[0]) == len(others[1])


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    "way", ["external(batch=7)", "outcome(batch=16, baseline='history')", "chance(batch=3)"]
)
@pytest.mark.parametrize("alternating", [True, False])
def test_threads_change_nothing(way, alternating):
    results = []
    for threads in (1, 2, 3):
        solver = solver_of("leduc", "lcfr", way, seed=5, threads=threads, alternating=alternating)
        solver.run(50)
        results.append((solver.average_strategy(), solver.nodes_touched))
    for strategy, touched in results[1:]:
        assert np.array_equal(strategy, results[0][0])
        assert touched == results[0][1]


GROWN = [
    "external(batch=7, baseline='infoset')",
    "chance(batch=6, average='optimistic')",
    "chance(batch=3, average='lazy')",
    "average-strategy(batch=2, beta=2.0, average='lazy')",
]


@pytest.mark.slow
@pytest.mark.parametrize("way", GROWN)
@pytest.mark.parametrize("game", ["leduc", "kuhn(players=3)"])
@pytest.mark.parametrize(("row", "alternating"), [("dcfr", True), ("pcfr+", False)])
def test_tables_that_grow_change_nothing(game, way, row, alternating, monkeypatch):
    """Room for four slots and a handful of records at first, with any number of threads: the same bits as ever."""
    options = {"seed": 11, "alternating": alternating}
    tree = solver_of(game, row, way, **options)
    tree.run(30)
    wanted = tree.strategy()
    monkeypatch.setattr(table_lazy, "_FIRST_SLOTS", 4)
    monkeypatch.setattr(iterations, "_FIRST_RECORDS", 4)
    without = str(replace(find_sampling(way), tree=False))
    for threads, text in ((1, way), (3, way), (1, without), (3, without)):
        solver = solver_of(game, row, text, threads=threads, **options)
        solver.run(13)
        saved, solver = solver.state_dict(), solver_of(game, row, text, threads=threads, **options)
        solver.load_state(saved)
        solver.run(17)
        found = solver.strategy()
        assert len(found) > 1
        assert all(found[key] == wanted[key] for key in found)
        assert solver.nodes_touched == tree.nodes_touched


def test_there_is_room_for_all_that_may_be_met():
    """Numba looks at no bounds: a sample that begins behind the last record, or touches more than there are rows."""
    solver = solver_of("leduc", "cfr", "external(batch=5)", alternating=False)
    sampler = solver.sampler
    for records in range(1, 60):
        end = draw.draw(
            solver.source, sampler._replace(records=sampler.records[:records]), 0, records
        )
        assert end == -1
    state = solver._iterations
    assert len(state.touched) >= 2 * len(state.workers[0].records)
    many = solver_of(RandomGame(1, players=3), "cfr", "chance(tree=False)", alternating=False)
    assert len(many._iterations.touched) >= 3 * len(many.sampler.records)


@pytest.mark.slow
def test_a_large_table_is_resumed():
    """The hash table has a power of two of places, however many infosets were saved."""
    options = {"seed": 3}
    whole = solver_of("liars_dice", "cfr", "external(tree=False)", **options)
    whole.run(500)
    again = solver_of("liars_dice", "cfr", "external(tree=False)", **options)
    again.load_state(whole.state_dict())
    assert len(whole.strategy()) > 5000
    places = len(again.source.table.cells)
    assert places & (places - 1) == 0
    whole.run(500)
    again.run(500)
    assert again.strategy() == whole.strategy()


@pytest.mark.parametrize(
    "way", ["external(tree=False, batch=3)", "outcome(tree=False, baseline='infoset')"]
)
@pytest.mark.parametrize("alternating", [True, False])
def test_memory_that_runs_out_loses_nothing(way, alternating, monkeypatch):
    """Between two players of an iteration too, where their regrets are still to be added."""
    monkeypatch.setattr(table_lazy, "_FIRST_SLOTS", 64)
    whole = solver_of("liars_dice(faces=4)", "dcfr", way, alternating=alternating)
    whole.run(80)
    limit, stops, memory, done = 2e-5, 0, None, 0
    while done < 80:
        limited = str(replace(find_sampling(way), gigabytes=limit))
        solver = solver_of("liars_dice(faces=4)", "dcfr", limited, alternating=alternating)
        if memory is not None:
            solver.load_state(memory)
        try:
            solver.run(80 - done)
        except MemoryLimitError:
            stops, limit = stops + 1, 1.5 * limit
        memory, done = solver.state_dict(), solver.iteration
    assert stops > 2
    assert solver.strategy() == whole.strategy()


@pytest.mark.parametrize("row", ["lcfr", "dcfr"])
def test_stopping_at_the_border_of_a_block_changes_nothing(row):
    whole = solver_of("kuhn", row, "outcome(average='lazy')", seed=5)
    whole.run(BLOCK + 300)
    parts = solver_of("kuhn", row, "outcome(average='lazy')", seed=5)
    for count in (BLOCK - 1, 1, 1, 299):
        memory = parts.state_dict()
        parts = solver_of("kuhn", row, "outcome(average='lazy')", seed=5)
        parts.load_state(memory)
        parts.run(count)
    assert parts.strategy() == whole.strategy()


@pytest.mark.parametrize("way", ["chance"])
@pytest.mark.parametrize("row", ["cfr", "pcfr+"])
@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", RandomGame(8, depth=5)], ids=str)
def test_optimistic_average_is_as_if_played_since_the_last_visit(game, way, row):
    """Lanctot 2013, 4.4: at a visit in iteration t, own reach · strategy for every iteration since the last visit."""
    rules = eq.load(game)
    solver = solver_of(game, row, f"{way}(average='optimistic')", alternating=False, seed=4)
    sums, last = {}, {}
    for t in range(1, 60):
        strategy = current(solver)
        _, own_reach = full_regrets(rules, strategy)
        solver.run(1)
        for key, updated in by_infoset(solver, solver.slots.updated).items():
            if updated[0] == t:
                since = sum(s ** ALGORITHMS[row].gamma for s in range(last.get(key, 0) + 1, t + 1))
                played = np.array(list(strategy[key].values()))
                sums[key], last[key] = sums.get(key, 0) + since * own_reach[key] * played, t
    for key, summed in by_infoset(solver, solver.slots.strategy_sum).items():
        total = sums.get(key, np.zeros(1))
        assert summed == pytest.approx(np.broadcast_to(total, len(summed)), abs=1e-9), key


@pytest.mark.parametrize("way", ["external(baseline='infoset')", "outcome(baseline='history')"])
def test_baselines_and_simultaneous_updates(way, enumerate_turns):
    game = RandomGame(5, depth=4, ties=False)
    solver = solver_of(game, "pcfr+", way, seed=3, alternating=False)
    solver.run(7)
    truth, _ = full_regrets(game, current(solver))
    for player in range(game.players):
        mean = sum(
            probability * slots.instant_regret
            for probability, slots in enumerate_turns(solver, player)
        )
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx(truth[key], abs=1e-12)


@pytest.mark.slow
def test_public_chance_in_a_batch(enumerate_turns):
    """Each sample of a batch has a board card of its own."""
    game = eq.load("leduc(ranks=2, raises=1)")
    solver = solver_of(game, "cfr", "public-chance(batch=2)", seed=1)
    solver.run(3)
    truth, _ = full_regrets(game, current(solver))
    mean = sum(
        probability * slots.instant_regret for probability, slots in enumerate_turns(solver, 1)
    )
    for key, regrets in by_infoset(solver, mean).items():
        if key[0] == 1:
            assert regrets == pytest.approx([2 * regret for regret in truth[key]], abs=1e-12)


@pytest.mark.parametrize("game", ["leduc(ranks=2)", "goofspiel(cards=3, prizes='random')"])
def test_public_chance_and_threads(game):
    """Goofspiel turns up a prize in every round."""
    results = []
    for threads in (1, 2, 3):
        solver = solver_of(game, "dcfr", "public-chance(batch=4)", seed=2, threads=threads)
        solver.run(20)
        results.append(solver.average_strategy())
    assert all(np.array_equal(one, results[0]) for one in results[1:])
    exploitability = eq.solve(
        game, "cfr+", sampling="public-chance", iterations=3000
    ).exploitability
    assert exploitability < 0.1


@pytest.mark.parametrize("way", ["external", "external(average='lazy')", "outcome(tree=False)"])
@pytest.mark.parametrize("row", ["cfr", "dcfr"])
def test_stopping_changes_nothing(way, row):
    whole, parts = solver_of("kuhn", row, way, seed=5), solver_of("kuhn", row, way, seed=5)
    whole.run(BLOCK + 500)
    for count in (1, 2, BLOCK - 5, 3, 499):
        parts.run(count)
    assert whole.iteration == parts.iteration
    again = solver_of("kuhn", row, way, seed=5)
    again.load_state(whole.state_dict())
    for solver in (parts, again):
        assert np.array_equal(solver.strategy().probabilities, whole.strategy().probabilities)
    again.run(BLOCK)
    whole.run(BLOCK)
    assert np.array_equal(again.strategy().probabilities, whole.strategy().probabilities)


@pytest.mark.parametrize("row", ["lcfr", "dcfr", "dcfr+", "pdcfr+"])
def test_lazy_decay_is_decay_at_every_iteration(row):
    """With everything visited at every iteration, or put off for a block, sums are those of full-width CFR."""
    lazy = solver_of("kuhn", row, "full(pruning='zero-reach')")
    full = SequenceCFR(lazy.form, find_algorithm(row))
    lazy.run(40)
    full.run(40)
    sums = lazy.slots.regret_sum[lazy.form.players :]
    schedule, t = lazy._schedule(), lazy.iteration
    first, count = lazy.table.shape()
    update.flush_decay(lazy.slots, first, count, schedule, t)
    assert sums == pytest.approx(full.state.regret_sum[full.form.slot], rel=1e-10, abs=1e-12)


def test_random_numbers_are_splitmix64():
    """The first outputs for the seed 1234567, as published with the algorithm and checked by many."""
    state, outputs = np.uint64(1234567), []
    with np.errstate(over="ignore"):
        for _ in range(5):
            state += np.uint64(0x9E3779B97F4A7C15)
            outputs.append(int(rng.splitmix64(state)))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.slow
def test_low_discrepancy_outcomes_are_even():
    """Over n traversals each of Kuhn's six deals comes up n/6 times, within a few; at random it would be √n."""
    for dimension in range(8):
        stream = rng.make_rng(3, 2)
        numbers = []
        for t in range(6000):
            rng.begin(stream, t)
            numbers.append([rng.evenly(stream) for _ in range(8)][dimension])
        counts, _ = np.histogram(numbers, bins=6, range=(0, 1))
        assert np.abs(counts - 1000).max() <= 10


@pytest.mark.parametrize(
    "scheme", [name for name in SCHEMES if name not in ("full", "public-chance")]
)
@pytest.mark.parametrize("row", ["cfr", "lcfr"])
def test_every_scheme_solves_kuhn(scheme, row):
    solution = eq.solve("kuhn", row, sampling=scheme, iterations=100_000, seed=1)
    assert solution.exploitability < 0.02
    assert solution.value[0] == pytest.approx(-1 / 18, abs=0.02)
    assert (solution.sampling, solution.config.seed) == (scheme, 1)


def test_other_seeds_other_samples():
    one, two, three = (
        eq.solve("kuhn", sampling="external", iterations=50, seed=seed) for seed in (1, 1, 2)
    )
    assert one.strategy.probabilities.tolist() == two.strategy.probabilities.tolist()
    assert one.strategy.probabilities.tolist() != three.strategy.probabilities.tolist()


def test_every_infoset_of_every_player_is_an_infoset_of_the_tree():
    """Without a tree exactly the infosets of the tree are found, under the same names and with the same actions."""
    rules = eq.load("leduc(ranks=4)")
    solution = eq.solve(rules, sampling="chance(tree=False)", iterations=300)
    known = {
        (infoset.player, infoset.key): infoset.actions
        for infoset in eq.compile_game(rules).infosets
    }
    assert {
        (infoset.player, infoset.key): infoset.actions for infoset in solution.strategy.infosets
    } == known
    assert len(known) == len(infosets(CFR(rules, ALGORITHMS["cfr"]).root))
    assert np.isnan(solution.nash_conv)
    assert solution.value == ()
    assert solution.info.table_bytes > 0


@pytest.mark.slow
def test_memory_runs_out_cleanly(tmp_path):
    limited = "external(tree=False, gigabytes=0.002)"
    solution = eq.solve("liars_dice", sampling=limited, iterations=10**6, seed=1, save=tmp_path)
    assert solution.stop_reason == "out of memory"
    assert 0 < solution.info.table_bytes <= 2_000_000
    assert eq.load_solution(tmp_path).strategy == solution.strategy
    assert eq.evaluate("liars_dice", solution.strategy, missing="uniform").exploitability < 1


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("externl", "Did you mean 'external'"),
        (
            "external(epsilon=0.5)",
            "takes no epsilon; got epsilon=0.5. Leave it out, or use 'outcome'",
        ),
        (
            "chance(baseline='infoset')",
            "draws only where nobody has an infoset.*use 'history'",
        ),
        (
            "full(baseline='history')",
            "takes no baseline; got baseline='history'.*use 'chance' or 'external'",
        ),
        ("chance(average='opponent')", "use 'stochastic' or 'optimistic' or 'lazy'"),
        ("external(pruning='zero-reach')", "use 'regret'"),
        ("outcome(pruning='regret')", "use 'full' or 'chance' or 'external'"),
        ("full(batch=3)", "takes no options but pruning"),
        ("full(tree=False, pruning='zero-reach')", "use 'chance' or 'external' or 'outcome'"),
        ("public-chance(tree=False)", "use 'chance' or 'external'"),
        ("public-chance(low_discrepancy=True)", "use 'chance'"),
        ("external(batch=0)", "batch must be a whole number, 1 to 10"),
        ("external(gigabytes=1)", "add tree=False"),
        ("outcome(epsilon=1.5)", "epsilon must be above 0, at most 1; got epsilon=1.5"),
        ("outcome(epsilon=nan)", "must be a plain value"),
        ("external(prune_below=3)", "prune_below must be below 0"),
        ("external(average='mean')", "average must be None or one of"),
        ("external(bacth=2)", "Did you mean 'batch'"),
        ("external(batch=10000000000)", "batch must be a whole number, 1 to 10"),
        ("external(tau=5)", "takes no tau; got tau=5. Leave it out, or use 'average-strategy'"),
        ("external(revisit=0.1)", "use pruning='regret'"),
        ("outcome(baseline_rate=0.1)", "There is no baseline"),
        ("['external']", "There is no sampling"),
        (Ellipsis, "There is no sampling"),
        ("external(", "Cannot read"),
        ("chance(pruning='zero-reach', average='stochastic')", "Only a lazy average"),
        ("external(pruning='regret', average='opponent')", "Only a lazy average"),
        ("outcome(tree=False, baseline='history')", "use 'infoset'"),
    ],
)
def test_nonsense_is_refused_with_a_remedy(way, message):
    with pytest.raises(eq.AlgorithmError, match=message.replace("(", r"\(")) as caught:
        find_sampling(way)
    assert caught.value.wrong_use


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "hs-dcfr", "sampling": "external", "iterations": 9}, "must be 'full'"),
        (
            {"algorithm": "cfr+", "sampling": "external(pruning='regret')"},
            "No regret sum of 'cfr\\+'",
        ),
        ({"sampling": "public-chance"}, "says of no chance node"),
        ({"seed": 3}, "draws nothing"),
        ({"sampling": "external", "seed": -1}, "seed must be"),
        ({"sampling": "external", "threads": 0}, "threads must be"),
        ({"sampling": "external", "threads": 2}, "Threads draw the samples of a batch"),
        ({"threads": 2}, "Threads share public states"),
        ({"sampling": "external", "seed": 2**63}, "seed must be"),
        ({"sampling": "external", "seed": 1.0}, "seed must be"),
        ({"sampling": 3}, "There is no sampling '3'"),
        (
            {"game": "matching_pennies", "sampling": "external(tree=False)", "until": 0.1},
            "exact exploitability",
        ),
        (
            {"sampling": "external(tree=False)", "limits": eq.Limits(memory_gb=4)},
            "so that memory_gb=4.0 would do nothing",
        ),
        (
            {"sampling": "external(tree=False)", "form": "public"},
            "so that form='public' would do nothing",
        ),
        ({"game": "kuhn(players=3)", "sampling": "external(average='opponent')"}, "use 'lazy'"),
        (
            {"algorithm": eq.Algorithm("mine", "me", restart=4), "sampling": "external"},
            "Its average restarts",
        ),
    ],
)
def test_combinations_without_a_meaning_are_refused(options, message):
    with pytest.raises(eq.AlgorithmError, match=message) as caught:
        eq.solve(**{"game": "kuhn"} | options)
    assert caught.value.wrong_use


def test_a_limit_on_nodes_is_a_whole_number():
    with pytest.raises(eq.AlgorithmError, match="nodes must be a whole number"):
        eq.Limits(nodes=0)


def test_sampling_is_written_as_it_is_read():
    for text in [*WAYS, *SAME, "external(tree=False, gigabytes=2)"]:
        way = find_sampling(text)
        assert find_sampling(str(way)) == way


def test_a_compiled_game_needs_its_tree():
    form = eq.compile_game(eq.load("kuhn"))
    with pytest.raises(eq.GameError, match="keep_tree=True"):
        eq.solve(form, sampling="external")
    assert (
        eq.solve(eq.compile_game(eq.load("kuhn"), keep_tree=True), sampling="external").histories
        == 58
    )


def test_nodes_are_a_limit():
    solution = eq.solve("leduc", sampling="external", limits=eq.Limits(nodes=5000), seed=1)
    assert solution.stop_reason == "nodes"
    assert solution.nodes_touched >= 5000
    assert (
        eq.solve(
            "kuhn", sampling="external", limits=eq.Limits(nodes=10**30), iterations=5
        ).stop_reason
        == "iterations"
    )
    one_less = eq.solve("leduc", sampling="external", iterations=solution.iterations - 1, seed=1)
    assert one_less.nodes_touched < 5000
    full = eq.solve("kuhn", limits=eq.Limits(nodes=1000))
    assert (full.iterations, full.nodes_touched) == (9, 9 * 2 * 58)


@pytest.mark.slow
def test_rules_in_python_are_sampled_without_a_tree():
    game = RandomGame(21, players=2, depth=5)
    solution = eq.solve(game, "cfr", sampling="external(tree=False)", iterations=300, seed=1)
    assert eq.evaluate(game, solution.strategy, missing="uniform").nash_conv < 0.5


class Coins:
    """Two players call heads or tails at once; parts of it are replaced to see what is said about them."""

    players = 2

    def __init__(self, **methods):
        for name, method in methods.items():
            setattr(self, name, method)

    def start(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else eq.TERMINAL

    def actions(self, state):
        return ["h", "t"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return (1, -1) if state[0] == state[1] else (-1, 1)

    def infoset(self, state):
        return "call"


def chance_first(state):
    return eq.CHANCE if not state else len(state) - 1 if len(state) < 3 else eq.TERMINAL


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            {"payoffs": lambda state: (1,)},
            r"payoffs for 2 players are needed after \['.', '.'\]; got \(1,\)",
        ),
        ({"payoffs": lambda state: (float("nan"), 0)}, "payoffs must be finite"),
        ({"payoffs": lambda state: None}, "payoffs for 2 players are needed"),
        (
            {"player": lambda state: 5},
            "must return 0 to 1, CHANCE or TERMINAL; got 5 after the start",
        ),
        ({"player": lambda state: None}, "got None after the start"),
        ({"actions": lambda state: []}, "nobody can move after the start"),
        ({"actions": lambda state: ["h", "h"]}, "two actions have the same name"),
        ({"actions": lambda state: range(5000)}, "4,096 moves at a history; got 5,000"),
        (
            {"actions": lambda state: 1 / 0},
            r"failed after the start with ZeroDivisionError.*test_sampling.py, line",
        ),
        ({"next": lambda state, action: 1 / 0}, "failed after the start with ZeroDivisionError"),
        ({"next": lambda state, action: state}, r"next\(\) must return a new state"),
        ({"start": lambda: 1 / 0}, "failed after the start with ZeroDivisionError"),
        (
            {"player": chance_first, "probabilities": lambda state: [0.5, 0.4]},
            r"sum to 1; got \[0.5, 0.4\]",
        ),
        ({"player": chance_first, "probabilities": lambda state: [1.0]}, "chance has 2 outcomes"),
        ({"player": chance_first, "probabilities": lambda state: [2, -1]}, "0 or more"),
        ({"player": chance_first, "probabilities": lambda state: None}, "got None"),
        (
            {"player": lambda state: 0 if len(state) < 2 else eq.TERMINAL},
            "player 0 has imperfect recall",
        ),
        (
            {"actions": lambda state: "ht"[: 1 + len(state)], "player": lambda state: 0},
            "actions differ",
        ),
        ({"player": lambda state: 0, "infoset": str}, "does not end within 12 moves"),
        ({"infoset": lambda state: "call" + chr(0xD800)}, "must be Unicode text"),
        ({"action_label": lambda state, action: 1 / 0}, "ZeroDivisionError"),
    ],
)
def test_rules_in_python_that_are_not_well_formed(methods, message):
    with pytest.raises(eq.GameError, match=message):
        eq.solve(
            Coins(**methods),
            sampling="external(tree=False)",
            iterations=5,
            limits=eq.Limits(depth=12),
        )


def test_rules_in_python_that_never_end_are_given_up():
    endless = Coins(player=lambda state: len(state) % 2, infoset=str)
    with pytest.raises(eq.GameError, match="A sample of Coins: more than 1,000 histories"):
        eq.solve(
            endless, sampling="external(tree=False)", iterations=5, limits=eq.Limits(histories=1000)
        )


@pytest.mark.parametrize(
    "way", ["external", "outcome(tree=False)", "chance(tree=False)", "average-strategy(beta=0)"]
)
def test_one_player_and_an_outcome_that_never_comes(way):
    game = Coins(
        players=1,
        player=lambda state: (eq.CHANCE, 0, eq.TERMINAL)[len(state)],
        actions=lambda state: ["l", "r"] if state else ["l", "never", "r"],
        probabilities=lambda state: [0.5, 0.0, 0.5],
        payoffs=lambda state: (float(state[0] == state[1]),),
        infoset=lambda state: state[0],
    )
    solution = eq.solve(game, sampling=way, iterations=400, seed=1)
    best = {infoset: max(row, key=row.get) for (_, infoset), row in solution.strategy.items()}
    assert (best["l"], best["r"]) == ("l", "r")
    with pytest.raises(eq.AlgorithmError, match="this game has 1"):
        eq.solve(game, sampling="external(average='opponent')")


@pytest.mark.slow
def test_payoffs_as_large_as_numbers_go_end_in_no_crash():
    huge = Coins(payoffs=lambda state: (1e300, -1e300) if state[0] == state[1] else (-1e300, 1e300))
    for way in ("outcome", "outcome(tree=False, batch=3)", "external", "average-strategy"):
        probabilities = eq.solve(huge, "pcfr+", sampling=way, iterations=300).strategy.probabilities
        assert len(probabilities) == 4


def test_a_built_in_game_with_other_payoffs_is_not_taken_for_itself():
    class Generous(type(eq.load("kuhn"))):
        def payoffs(self, state):
            return [1.0 + payoff for payoff in super().payoffs(state)]

    other = compile_walk(Generous())
    assert isinstance(other, WalkedPython)
    assert other.fingerprint != compile_walk(eq.load("kuhn")).fingerprint


@pytest.mark.slow
def test_a_saved_run_without_a_tree_goes_on_with_its_own_game_only(tmp_path):
    eq.solve(Coins(), sampling="outcome(tree=False)", iterations=20, seed=2, save=tmp_path)
    other = Coins(payoffs=lambda state: (2, -2) if state[0] == state[1] else (-2, 2))
    with pytest.raises(eq.SolutionError, match="solved another game"):
        eq.solve(other, resume=tmp_path, iterations=40)
    whole = eq.solve(Coins(), sampling="outcome(tree=False)", iterations=40, seed=2)
    assert eq.solve(Coins(), resume=tmp_path, iterations=40).strategy == whole.strategy
    eq.solve("kuhn", sampling="outcome(tree=False)", iterations=20, save=tmp_path)
    with pytest.raises(eq.SolutionError, match="solved another game"):
        eq.solve("kuhn(cards=4)", resume=tmp_path, iterations=40)


@pytest.mark.slow
def test_more_memory_for_a_saved_run(tmp_path):
    limited = "external(tree=False, gigabytes=0.002)"
    cut = eq.solve("liars_dice", sampling=limited, iterations=300, save=tmp_path)
    assert cut.stop_reason == "out of memory"
    assert eq.solve(resume=tmp_path, iterations=300).iterations == cut.iterations
    resumed = eq.solve(
        resume=tmp_path, sampling="external(tree=False, gigabytes=1)", iterations=300
    )
    assert (
        resumed.strategy
        == eq.solve("liars_dice", sampling="external(tree=False)", iterations=300).strategy
    )
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(resume=tmp_path, sampling="external(tree=False, batch=2)", iterations=400)


def test_ctrl_c_is_heard_while_rules_in_python_are_sampled():
    """In the middle of a sample, which is dropped; what was there before is reported."""
    asked = 0

    def following(state, action):
        nonlocal asked
        asked += 1
        if asked == 1000:
            signal.raise_signal(signal.SIGINT)
        return (*state, action)

    game = Coins(next=following)
    solution = eq.solve(game, sampling="chance(tree=False, batch=40)", iterations=10**6, seed=1)
    assert solution.stop_reason == "interrupt"
    assert 0 < solution.iterations < 10
    whole = eq.solve(
        Coins(), sampling="chance(tree=False, batch=40)", iterations=solution.iterations + 5, seed=1
    )
    assert eq.solve(game, resume=solution, iterations=whole.iterations).strategy == whole.strategy


def test_numbers_of_numpy_are_numbers():
    way = Outcome(epsilon=np.float64(0.5), batch=np.int64(2))
    assert str(way) == "outcome(epsilon=0.5, batch=2)"
    assert find_sampling("outcome(epsilon=1)") == Outcome(epsilon=1.0)
    solution = eq.solve(
        "kuhn", sampling=way, seed=np.int64(3), threads=np.int64(2), iterations=np.int64(5)
    )
    assert (solution.config.seed, type(solution.config.seed)) == (3, int)


def test_rules_in_python_that_fail_are_named():
    class Broken(RandomGame):
        def infoset(self, state):
            raise KeyError("oops")

    with pytest.raises(eq.GameError, match="the rules failed after the start with KeyError"):
        eq.solve(Broken(1), sampling="external(tree=False)", iterations=3)


BLUFF = "liars_dice(dice=(2, 1), wild_biddable=False, order='face')"


@pytest.mark.slow
def test_bluff_with_two_dice_against_one_both_ways():
    """The same value from full-width CFR and from samples without a tree: 442,368 infosets, 7,077,672 leaves."""
    form = eq.compile_game(eq.load(BLUFF), limits=eq.Limits(histories=15_000_000))
    full = eq.solve(form, "dcfr+", iterations=150)
    assert full.nash_conv < 1e-3
    sampled = eq.solve(BLUFF, "lcfr", sampling="external(tree=False)", iterations=30_000, seed=1)
    judged = eq.evaluate(form, sampled.strategy, missing="uniform")
    assert judged.nash_conv < 0.1
    # In a zero-sum game of two, no profile's value is further from the game's than its nash_conv.
    assert abs(full.value[0] - judged.value[0]) <= full.nash_conv + judged.nash_conv


@pytest.mark.slow
@pytest.mark.parametrize("way", ["external(tree=False)", "outcome(baseline='history')"])
def test_no_limit_leduc_is_what_the_linear_programme_says(way):
    game = "no_limit_leduc(stack=4)"
    exact = eq.exact(game)
    sampled = eq.solve(game, "cfr", sampling=way, limits=eq.Limits(nodes=10_000_000), seed=1)
    judged = eq.evaluate(game, sampled.strategy, missing="uniform")
    assert judged.nash_conv < 0.06
    assert abs(exact.value[0] - judged.value[0]) <= judged.nash_conv


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", ["external", "outcome(baseline='history')", "chance", "external(tree=False)"]
)
def test_three_players(way):
    """Kuhn poker for three: player 1 loses 1/48 at every known equilibrium, the others between 1/48 and 1/16."""
    game = "kuhn(players=3)"
    solution = eq.solve(game, "cfr", sampling=way, iterations=200_000, seed=1)
    judged = eq.evaluate(game, solution.strategy, missing="uniform")
    assert judged.nash_conv < 0.02
    assert judged.value[1] == pytest.approx(-1 / 48, abs=judged.nash_conv)
    assert -1 / 24 - judged.nash_conv <= judged.value[0] <= -1 / 48 + judged.nash_conv


@pytest.mark.slow
def test_teams_are_sampled_too():
    solution = eq.solve("mini_euchre", "cfr", sampling="external", iterations=20_000, seed=1)
    assert solution.value[::2] == pytest.approx([-solution.value[1]] * 2, abs=1e-12)
    assert sum(solution.deviation_gains) == pytest.approx(solution.nash_conv, abs=1e-12)
    assert math.isnan(solution.cce_distance)  # what would be needed is a full pass
    assert 0 <= solution.nash_conv < 0.05
