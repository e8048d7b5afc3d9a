"""CFR in abstractions: iterates against a recursion, exploitability against linear programmes, and all forms alike."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.abstraction_lp import floors
from examples.abstractions.buckets import forget_bets, hand_class, jack_is_queen, tell_ranks

import equilibrist as eq
from equilibrist.cfr.abstract_cfr import AbstractCFR
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.bucket_kernels import Buckets, Places, add_up
from support.abstractions import LEAST, CFRInAbstraction, equal_buckets, forget_first_card
from support.solvers import turn, variant

ABSTRACTIONS = {
    "kuhn-2": ("kuhn(cards=12)", equal_buckets(2)),
    "kuhn-3": ("kuhn(cards=12)", equal_buckets(3)),
    "kuhn-4": ("kuhn(cards=12)", equal_buckets(4)),
    "leduc": ("leduc", jack_is_queen),
}
OPPONENTS = ("abstracted", "unabstracted", "best_response")


def by_itself(infoset):
    return None


def solve(game, find_bucket, algorithm="cfr+", *, opponent="abstracted", **options):
    return eq.solve(eq.abstract(game, find_bucket, opponent=opponent), algorithm, **options)


# --- Iterates ---


def test_values_and_reach_are_added_up_over_a_bucket():
    actions = np.array([0, 1, 2, 3, 0, 1])  # of the buckets, by the actions of three infosets
    places = Places(
        slots=np.array([1, 2, 3, 4, 5, 6]),
        bucket_action=actions,
        weight=np.array([0.5, 0.5, 1.0, 1.0, 2.0, 2.0]),
        copies=np.array([1.0, 1.0, 1.0, 1.0, 3.0, 3.0]),
    )
    buckets = Buckets(np.array([0, 2, 4]), *(np.full(4, 7.0) for _ in range(5)))
    values = np.array([9.0, 4.0, -2.0, 1.0, 0.0, 3.0, 5.0, 9.0])
    reach = np.array([9.0, 0.25, 0.75, 0.0, 1.0, 0.5, 0.0, 9.0])
    add_up(places, values, reach, buckets)
    assert buckets.value.tolist() == [8.0, 9.0, 1.0, 0.0]
    assert buckets.reach.tolist() == [1.75, 0.75, 0.0, 1.0]
    assert buckets.strategy.tolist() == [7.0] * 4


@pytest.mark.thinned(3)
@turn
@pytest.mark.parametrize("name", ["cfr", "dcfr", "sapcfr+", "pdcfr+", "lcfr"])
@pytest.mark.parametrize(
    ("game", "find_bucket"),
    [("kuhn", forget_first_card), ("kuhn(players=3)", by_itself)],
    ids=["forgetful", "three"],
)
def test_iterates_equal_the_recursion(game, find_bucket, name, alternating):
    rules = eq.load(game)
    algorithm = variant(find_algorithm(name), alternating=alternating)
    form = eq.compile_game(rules)
    solver = AbstractCFR(form, algorithm, abstraction=eq.abstract(game, find_bucket).abstraction)
    reference = CFRInAbstraction(rules, algorithm, find_bucket, alternating=alternating)
    for _ in range(12):
        solver.run(1)
        reference.iterate()
        tables = solver.tables
        k = 0
        for infoset in form.infosets:
            for action in infoset.actions:
                slot = form.slot[k]
                k += 1
                for table in ("regret_sum", "strategy_sum", "strategy"):
                    expected = getattr(reference, table)[infoset[:2]][action]
                    assert tables[table][slot] == pytest.approx(expected, abs=1e-9), table


@pytest.mark.slow
@turn
def test_iterates_of_leduc_with_imperfect_recall_equal_the_recursion(alternating):
    rules = eq.load("leduc")
    algorithm = variant(find_algorithm("dcfr"), alternating=alternating)
    form = eq.compile_game(rules)
    abstraction = eq.abstract(rules, forget_bets).abstraction
    solver = AbstractCFR(form, algorithm, abstraction=abstraction)
    assert not solver.abstraction.has_perfect_recall
    reference = CFRInAbstraction(rules, algorithm, forget_bets, alternating=alternating)
    for _ in range(3):
        solver.run(1)
        reference.iterate()
    strategy = solver.strategy()
    for key, expected in reference.average().items():
        assert strategy[key] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("concept", ["nash", "floors(0.02)"])
def test_the_identity_is_the_real_game(concept):
    options = {"concept": concept, "iterations": 30, "form": "sequence"}
    plain = eq.solve("kuhn", "pdcfr+", **options)
    mapped = solve("kuhn", by_itself, "pdcfr+", **options)
    assert mapped.strategy.probabilities == pytest.approx(plain.strategy.probabilities, abs=1e-12)
    assert mapped.exploitability == pytest.approx(plain.exploitability, abs=1e-12)


def test_players_of_a_bucket_play_alike():
    solution = solve("kuhn(cards=12)", equal_buckets(3), iterations=50)
    strategy = eq.lift(solution)
    assert strategy["3"] == strategy["6"] != strategy["7"]
    assert eq.evaluate("kuhn(cards=12)", strategy).nash_conv == solution.nash_conv


@pytest.mark.slow
def test_merged_suits_count_as_often_as_there_are_boards():
    """Infosets of a turn that are walked once stand for several: sums over buckets are those of all of them."""
    spot = eq.poker.Holdem("Td9d6h2d", "AA,KK:0.5,A5s", "QJs,99", pot=100, stack=100, bets="100%")
    merged = eq.compile_cards(spot)
    assert merged.merged

    def forgetful(infoset):
        hand, board, *line = infoset.key.split(" ")
        suits = hand[1] == hand[3]
        if len(board) == 8:
            return None
        return infoset.player, suits, tuple(line), infoset.actions

    for opponent in ("abstracted", "unabstracted"):
        found = [
            solve(game, forgetful, "dcfr", opponent=opponent, iterations=20).exploitability
            for game in (merged, merged.unmerged(), eq.compile_game(spot))
        ]
        assert found[1:] == pytest.approx([found[0]] * 2, rel=1e-9)


@pytest.fixture(scope="module")
def river():
    return eq.poker.Holdem(
        "Td9d6hQc2s",
        "AA,KK,JJ,88,A5s,54s",
        "QJs,QTs,T9s,99,AQo,KQs",
        pot=100,
        stack=200,
        bets="100%; a",
    )


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["abstracted", "unabstracted"])
def test_forms_agree_on_a_river(river, opponent):
    found = [
        solve(river, hand_class, opponent=opponent, iterations=100, form=form).exploitability
        for form in ("cards", "public", "sequence")
    ]
    assert found[1:] == pytest.approx([found[0]] * 2, rel=1e-9)


# --- The least exploitability ---


@pytest.mark.parametrize("name", ABSTRACTIONS)
def test_least_exploitability_by_linear_programmes(name):
    game, find_bucket = ABSTRACTIONS[name]
    assert sum(floors(eq.compile_game(eq.load(game)), find_bucket)) / 2 == pytest.approx(
        LEAST[name], abs=1e-9
    )


@pytest.mark.thinned(6)
@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("name", ["kuhn-2", "kuhn-4"])
def test_no_run_ends_below_the_least(name, opponent):
    game, find_bucket = ABSTRACTIONS[name]
    solution = solve(game, find_bucket, opponent=opponent, iterations=200)
    assert min(point.exploitability for point in solution.trace) >= LEAST[name] - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn-2", "kuhn-3"])
def test_an_opponent_in_the_real_game_leads_to_the_least(name):
    game, find_bucket = ABSTRACTIONS[name]
    iterations = {"unabstracted": 1000, "best_response": 4000}
    for opponent, count in iterations.items():
        solution = solve(game, find_bucket, opponent=opponent, iterations=count)
        assert LEAST[name] - 1e-9 <= solution.exploitability <= LEAST[name] * 1.03
    both = solve(game, find_bucket, iterations=1000)
    assert both.exploitability > 1.2 * LEAST[name]


@pytest.mark.slow
@pytest.mark.parametrize(("opponent", "most"), [("unabstracted", 1.002), ("best_response", 1.6)])
def test_the_least_of_leduc(opponent, most):
    """Responses change from one iteration to the next, and CFR-BR needs many more of them."""
    solution = solve("leduc", jack_is_queen, "dcfr", opponent=opponent, iterations=3000)
    assert LEAST["leduc"] - 1e-9 <= solution.exploitability <= most * LEAST["leduc"]


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
def test_a_finer_abstraction_can_be_more_exploitable(algorithm):
    """Of Leduc poker where the first player tells no ranks apart: the second one's last step to the real game costs."""
    coarse = solve("leduc", tell_ranks("JQK", "JQ.K"), algorithm, iterations=1000)
    fine = solve("leduc", tell_ranks("JQK", "J.Q.K"), algorithm, iterations=1000)
    assert coarse.config.abstraction.buckets < fine.config.abstraction.buckets
    assert coarse.config.abstraction.has_perfect_recall
    assert fine.config.abstraction.has_perfect_recall
    assert fine.exploitability > coarse.exploitability + 0.1


@pytest.mark.slow
def test_the_least_exploitability_falls_as_an_abstraction_gets_finer():
    form = eq.compile_game(eq.load("leduc"))
    least = [
        sum(floors(form, tell_ranks("JQK", second))) / 2 for second in ("JQK", "JQ.K", "J.Q.K")
    ]
    assert least == sorted(least, reverse=True)
    solution = solve(form, tell_ranks("JQK", "J.Q.K"), opponent="unabstracted", iterations=1000)
    assert least[-1] - 1e-9 <= solution.exploitability <= 1.01 * least[-1]


@pytest.mark.slow
def test_the_least_of_a_river(river):
    lost = floors(eq.compile_game(river), hand_class)
    assert lost == pytest.approx((0.087976540, 0.031991469), abs=2e-9)
    solution = solve(river, hand_class, opponent="unabstracted", iterations=20_000)
    least = sum(lost) / 2
    assert least - 1e-9 <= solution.exploitability <= 1.01 * least


def test_a_map_of_one_player_leaves_the_other_in_the_real_game():
    """Of one player, opponents in the real game are those of the profile in which the map binds that player alone."""

    def of_first(infoset):
        return equal_buckets(3)(infoset) if infoset.player == 0 else None

    one = solve("kuhn(cards=12)", of_first, iterations=100)
    both = solve("kuhn(cards=12)", equal_buckets(3), opponent="unabstracted", iterations=100)
    for infoset in both.strategy:
        if infoset[0] == 0:
            assert both.strategy[infoset] == one.strategy[infoset]


# --- Runs ---


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_run_goes_on_bit_for_bit(tmp_path, opponent):
    game = eq.abstract("kuhn", forget_first_card, opponent=opponent)
    whole = eq.solve(game, "pcfr+", iterations=20)
    eq.solve(game, "pcfr+", iterations=7, save=tmp_path)
    without_map = eq.solve(resume=tmp_path, iterations=20)
    with_map = eq.solve(game, resume=tmp_path, iterations=20)
    for solution in (without_map, with_map):
        assert np.array_equal(solution.strategy.probabilities, whole.strategy.probabilities)
        assert solution.config.abstraction == whole.config.abstraction
    for name, table in whole.state.items():
        assert np.array_equal(table, without_map.state[name])


def test_a_run_goes_on_with_its_own_map_alone(tmp_path):
    game = eq.abstract("kuhn", forget_first_card)
    eq.solve(game, iterations=7, save=tmp_path)
    with pytest.raises(eq.SolutionError, match=r"^The map by_itself puts other infosets together"):
        eq.solve(eq.abstract("kuhn", by_itself), resume=tmp_path, iterations=9)
    other = eq.abstract("kuhn", forget_first_card, opponent="unabstracted")
    with pytest.raises(eq.AlgorithmError, match="and can only go on so; got forget_first_card"):
        eq.solve(other, resume=tmp_path, iterations=9)
    plain = tmp_path / "plain"
    eq.solve("kuhn", iterations=7, save=plain)
    with pytest.raises(eq.AlgorithmError, match="has no abstraction, and can only go on so"):
        eq.solve(game, resume=plain, iterations=9)


def test_saved_buckets_are_checked():
    solution = solve("kuhn", forget_first_card, iterations=3)
    wrong = replace(solution, state={**solution.state, "bucket": np.zeros(12, np.int64)})
    with pytest.raises(eq.SolutionError, match="has no buckets of its infosets"):
        eq.solve(resume=wrong, iterations=5)


def test_a_run_tells_what_it_means():
    forgetful = solve("kuhn", forget_first_card, iterations=3)
    assert "No theorem stands behind imperfect recall" in forgetful.guarantee
    least = solve("kuhn", {"J": 1, "Q": 1}, opponent="unabstracted", iterations=3)
    assert "the least exploitable strategy of the abstraction" in least.guarantee
    assert str(least.config.abstraction) == (
        "a table of 2 infosets: 11 buckets of 12 infosets, each against an opponent in the real "
        "game"
    )
    assert least.nodes_touched == 2 * forgetful.nodes_touched
    with pytest.raises(eq.SolutionError, match="not an abstraction of it"):
        eq.lift(eq.solve("kuhn", iterations=1))


def test_until_alone_may_never_end(recwarn):
    solve("kuhn", by_itself, until=0.05, iterations=100)
    assert not recwarn
    with pytest.warns(eq.EquilibristWarning, match="^What by_itself costs in kuhn is not known"):
        solve("kuhn", by_itself, until=0.05)


@pytest.mark.parametrize(
    "options",
    [
        {"sampling": "external(tree=False)"},
        {"sampling": "full(pruning='zero-reach')"},
        {"precision": "float32"},
        {"concept": "qre(1.0)"},
        {"concept": eq.Floors({"J": 0.1})},
    ],
    ids=["sampling", "pruning", "precision", "concept", "floors"],
)
def test_what_does_not_learn_by_buckets_is_refused(options):
    with pytest.raises(eq.AlgorithmError, match=r"^A game whose players forget .* got "):
        solve("kuhn", by_itself, "auto", iterations=3, **options)


def test_the_least_exploitability_is_of_zero_sum_games_of_two():
    with pytest.raises(eq.AlgorithmError, match=r"for zero-sum games of two players"):
        solve("kuhn(players=3)", by_itself, opponent="unabstracted", iterations=3)


def test_locks_are_refused():
    spot = eq.poker.Holdem(
        "Td9d6hQc2s",
        "AA,KK",
        "QQ,JJ",
        pot=100,
        stack=100,
        bets="100%",
        locks=[eq.Lock("", {"X": 1.0})],
    )
    with pytest.raises(eq.AlgorithmError, match="has locks, which an abstraction does not know"):
        solve(spot, by_itself, iterations=3)
