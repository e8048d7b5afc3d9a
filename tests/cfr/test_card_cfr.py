"""CFR on card forms: the same iterations as by recursion over histories dealt card by card, boards merged or not."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist import TERMINAL
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.card_kernels import _inverse_unit
from equilibrist.form.cards import checked
from equilibrist.form.cards.build import compile_cards
from support.card_reference import Dealt, close
from support.card_symmetries import parsed
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame, without_symmetries
from support.reference import CFR
from support.runs import without_seconds
from support.solvers import arrays, certificate, rows, seeds, set_arrays, turn, variant

MOST_HISTORIES = 1500


def solver_for(game, name, *, alternating=True, horizon=100, **options):
    row = eq.ALGORITHMS[name]
    horizon = horizon if row.needs_horizon else None
    return CardCFR(
        compile_cards(game), variant(row, alternating=alternating), horizon=horizon, **options
    )


def small_game(seed, **options):
    """Return a game that the recursion over histories walks in a moment."""
    game = RandomCardGame(seed, hands=4, cards=7, depth=2, **options)
    assume(compile_cards(game).histories <= MOST_HISTORIES)
    return game


def own_weights(game, form):
    """Return the weight of the hand of each action of each infoset: regrets are those of a hand that is held."""
    weights = []
    for player, key, actions in form.infosets:
        hand = game.hands[player].index(key.split(" ")[0])
        assert parsed(game, player, key)[0] == game.deal.hands[player][hand]
        weights += [game.deal.weights[player][hand]] * len(actions)
    return np.array(weights)


def table_of(reference, form, name):
    """Return a table of the reference at the actions of a form; 0 at infosets that cannot be reached."""
    table = getattr(reference, name)
    return np.array(
        [table.get((p, key), {}).get(a, 0.0) for p, key, actions in form.infosets for a in actions]
    )


def compare_step_by_step(game, name, *, alternating, iterations=6):
    """Run each iteration from the numbers of the plain recursion over all histories, and compare what comes out.

    Where regrets cancel exactly, one of the two may see a last bit above zero where the other sees none: strategies
    are compared before they are scaled to sum to 1.
    """
    solver = solver_for(game, name, alternating=alternating)
    form, tolerance = solver.form, close(game)
    reference = CFR(Dealt(game), solver.algorithm, alternating=alternating, horizon=solver.horizon)
    weights, slot = own_weights(game, form), np.asarray(form.slot)
    scale = dict.fromkeys(reference.strategy, 1.0)
    for _ in range(iterations):
        new = arrays(solver)
        for table, array in new.items():
            found = table_of(reference, form, table)
            array[slot] = found / weights if table == "regret_sum" else found
        set_arrays(solver, new, reference.t)
        solver.run(1)
        reference.iterate()
        state = solver.state_at(slot, form.infosets.num_actions)
        reached = np.array(
            [(p, key) in scale for p, key, actions in form.infosets for a in actions], bool
        )
        wanted = np.array(
            [
                reference.wanted.get((p, key), 0.0)
                for p, key, actions in form.infosets
                for a in actions
            ]
        )
        pairs = (
            (state.regret_sum * weights, table_of(reference, form, "regret_sum"), 1.0),
            (state.strategy_sum, table_of(reference, form, "strategy_sum"), 1.0),
            (state.strategy, table_of(reference, form, "strategy"), np.minimum(wanted, 1.0)),
        )
        for mine, theirs, size in pairs:
            difference = np.where(reached, np.abs(mine - theirs) * size, 0.0)
            assert difference.max(initial=0.0) <= tolerance
    return solver, reference


@pytest.mark.thinned(3)
@rows
@turn
@settings(max_examples=3)
@given(seed=seeds, rake=st.booleans())
def test_iterations_equal_the_recursion(name, alternating, seed, rake):
    game = small_game(seed, rake=rake, ties=not alternating)
    compare_step_by_step(game, name, alternating=alternating)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    seed=seeds,
    rake=st.booleans(),
    alternating=st.booleans(),
    name=st.sampled_from(list(eq.ALGORITHMS)),
)
def test_iterations_equal_the_recursion_in_more_games(seed, rake, alternating, name):
    game = small_game(seed, rake=rake, ties=not alternating)
    compare_step_by_step(game, name, alternating=alternating, iterations=4)


@pytest.mark.slow
@settings(max_examples=20)
@given(
    seed=seeds,
    name=st.sampled_from(list(eq.ALGORITHMS)),
    alternating=st.booleans(),
    rake=st.booleans(),
)
def test_merged_boards_give_the_iterations_of_all_boards(seed, name, alternating, rake):
    """Payoffs are real numbers, so that few regrets cancel: the two stay together."""
    game = RandomCardGame(seed, rake=rake, hands=6, cards=9, ties=False)
    merged, full = (
        solver_for(one, name, alternating=alternating) for one in (game, without_symmetries(game))
    )
    merged.run(8)
    full.run(8)
    one, other = certificate(merged), certificate(full)
    assert [*one.value, one.nash_conv] == pytest.approx(
        [*other.value, other.nash_conv], abs=close(game)
    )


def bits(solver):
    return {name: array.tobytes() for name, array in solver.tables.items()}


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float64", "float32", "int16"])
@settings(max_examples=7)
@given(seed=seeds, name=st.sampled_from(["cfr", "pcfr+", "dcfr"]), alternating=st.booleans())
def test_threads_change_nothing(precision, seed, name, alternating):
    game, found = RandomCardGame(seed, rake=seed % 2 == 0, hands=9, cards=12, streets=(1, 1)), []
    for threads in (1, 2, 3):
        solver = solver_for(
            game, name, alternating=alternating, threads=threads, precision=precision
        )
        solver.run(1)
        solver.run(3)
        found.append((bits(solver), certificate(solver), solver.average_strategy().tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("precision", ["float32", pytest.param("int16", marks=pytest.mark.slow)])
def test_hands_that_are_the_same_but_for_suits_play_alike_to_the_last_bit(precision, monkeypatch):
    """Their sums in float32 differ by rounding; boards that are walked as one need the same strategy for them."""
    game = eq.load(
        "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"
    )
    solver = solver_for(game, "dcfr+", precision=precision)
    assert solver.form.merged
    solver.run(20)
    monkeypatch.setattr(checked, "_TOLERANCE", 0.0)
    checked.check_symmetric(solver.form, solver.average_strategy())


@pytest.mark.parametrize(
    "algorithm",
    [eq.ALGORITHMS["dcfr+"], eq.Algorithm("both", "at once", gamma=1, alternating=False)],
    ids=str,
)
def test_the_infosets_of_a_node_and_board_have_one_scale_in_16_bits(algorithm):
    """Whole numbers of any size are times the scale of their node, whether all are asked for or some."""
    form = compile_cards(RandomCardGame(11, ties=False))
    solver = CardCFR(form, algorithm, precision="int16")
    rng = np.random.default_rng(1)
    tables = {"regret_sum": solver._regret_sum, "strategy_sum": solver._strategy_sum}
    for name, table in tables.items():
        table[:] = rng.integers(1, np.iinfo(table.dtype).max, len(table))
        scales = getattr(solver._scales, name)
        scales[:] = rng.permutation(len(scales)) + 1
    slots = np.asarray(form.slot, np.int64)
    state = solver.state_at(slots, form.infosets.num_actions)
    node = [
        (player, key.partition(" ")[2]) for player, key, actions in form.infosets for _ in actions
    ]
    for numbers, (name, table) in zip(state[1:], tables.items(), strict=True):
        found = {}
        for place, scale in zip(node, numbers / table[slots], strict=True):
            assert found.setdefault(place, scale) == pytest.approx(scale, rel=1e-12)
        assert len(np.unique(np.round(list(found.values())))) == len(found) > 10
        assert solver._float_tables()[name][slots] == pytest.approx(numbers, rel=1e-12)


@pytest.mark.slow
@rows
@turn
def test_16_bits_store_the_same_iterates_more_coarsely_still(name, alternating):
    """The infosets of a node are scaled together; regret sums that are cut at 0 have 8 bits."""
    game = RandomCardGame(11, ties=False)
    solvers = [
        solver_for(game, name, alternating=alternating, precision=p) for p in ("float64", "int16")
    ]
    for solver in solvers:
        solver.run(2)
    exact, coarse = solvers
    short = eq.ALGORITHMS[name].floor
    kinds = {np.dtype(np.int16), np.dtype(np.float32)} | ({np.dtype(np.uint8)} if short else set())
    assert {table.dtype for table in coarse.tables.values()} == kinds
    numbers = sum(
        table.nbytes for name, table in coarse.tables.items() if not name.endswith("scale")
    )
    following = exact.form.length * 2 * (not alternating)
    assert (
        numbers + following == CardCFR.bytes_per_slot(coarse.algorithm, "int16") * exact.form.length
    )
    slots, actions = np.asarray(exact.form.slot, np.int64), exact.form.infosets.num_actions
    close = 1e-2 if short else 2e-4
    for found, expected in zip(
        coarse.state_at(slots, actions)[1:], exact.state_at(slots, actions)[1:], strict=True
    ):
        assert found == pytest.approx(expected, abs=close * np.abs(expected).max())
    assert certificate(coarse).value == pytest.approx(
        certificate(exact).value, abs=5 * close * game.pot
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dcfr+", "dcfr"])
def test_tables_of_integers_are_as_good_as_float32(name):
    """Rounding to the nearest lost what later iterations add to the average: 0.06 % of the pot was left for ever."""
    game, after = eq.load("examples/spots/narrow-river.toml"), {}
    for precision in ("float32", "int16"):
        solver = solver_for(game, name, precision=precision)
        after[precision] = [
            solver.run(more) or certificate(solver).nash_conv / 2 / game.pot for more in (100, 1900)
        ]
    assert after["int16"][0] == pytest.approx(after["float32"][0], rel=0.3)
    assert after["int16"][1] < 1e-4  # 0.01 %
    blocks = [solver.tables[name].nbytes for name in ("regret_sum", "strategy_sum")]
    assert sum(blocks) == solver.form.length * (3 if name == "dcfr+" else 4)


@pytest.mark.thinned(20)
@rows
@turn
def test_float32_stores_the_same_iterates_more_coarsely(name, alternating):
    game = RandomCardGame(11, ties=False)
    solvers = [
        solver_for(game, name, alternating=alternating, precision=p) for p in ("float64", "float32")
    ]
    for solver in solvers:
        solver.run(10)
    one, other = map(certificate, solvers)
    assert other.value == pytest.approx(one.value, abs=1e-5)
    assert {table.dtype for table in solvers[1].tables.values()} == {np.dtype(np.float32)}


@pytest.mark.thinned(21)
@pytest.mark.parametrize("precision", ["float32", pytest.param("int16", marks=pytest.mark.slow)])
@rows
@turn
def test_resumed_equals_uninterrupted(name, alternating, precision, tmp_path):
    options = {"threads": 2, "precision": precision}
    game, name = RandomCardGame(11), f"{name}(alternating={alternating})"
    whole = eq.solve(game, name, iterations=40, **options)
    cut = eq.solve(
        game, name, iterations=40, until=1.2 * whole.trace[3].exploitability or 1e-12, **options
    )
    assert cut.iterations < 40
    cut.save(tmp_path)
    for resumed in (
        eq.solve(game, resume=cut, iterations=40),
        eq.solve(game, resume=tmp_path, iterations=40, threads=1),
    ):
        assert without_seconds(resumed) == without_seconds(whole)


@pytest.mark.parametrize("form", ["cards", "sequence"])
def test_with_rake_every_form_pays_the_same(form):
    game = RandomCardGame(8, rake=True, hands=4, cards=7, depth=2)
    settings = {"algorithm": "dcfr", "iterations": 50, "precision": "float64"}
    found, expected = eq.solve(game, form=form, **settings), eq.solve(game, **settings)
    assert [*found.value, found.nash_conv] == pytest.approx(
        [*expected.value, expected.nash_conv], abs=1e-9
    )
    assert (found.info.game.form, expected.info.game.form) == (form, "cards")


@pytest.mark.parametrize("paid", [0.3, 1.3])
def test_regrets_of_rounding_size_are_no_regrets(paid):
    """Every action is worth the same, as one product or as a sum of five: what regrets are left with is rounding."""
    hands = [[(0,), (1,), (2,)], [(3,), (4,), (5,)]]
    game = Narrowed(
        KuhnCards(hands, [[0.1, 0.3, 0.7], [1, 0.2, 0.3]], cards=6),
        player=lambda line: {"": 0, "b": 1}.get(line, TERMINAL),
        actions=lambda line: "vwxyz" if line else "pbq",
        payoff=lambda line: (paid, -paid),
    )
    solver = solver_for(game, "cfr")
    solver.run(9)
    state = solver.state_at(solver.form.slot, solver.form.infosets.num_actions)
    assert 0 < state.regret_sum.max() < 1e-14
    for played in (state.strategy, solver.strategy().probabilities):
        assert played == pytest.approx([1 / 3] * 9 + [1 / 5] * 15, abs=1e-12)


@pytest.mark.parametrize(
    ("unit", "inverse"), [(0.0, 0.0), (1e-42, 0.0), (2.0**-110, 2.0**126), (0.25, 2.0**18)]
)
def test_inverses_of_units_are_floats(unit, inverse):
    """That of a smaller one exceeds the largest float32, and 0 times infinity is no number."""
    assert _inverse_unit(np.float32(unit)) == inverse
