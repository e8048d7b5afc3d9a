"""Sums over three hands against all triples of hands, and the form of three ranges against histories written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

import equilibrist as eq
from equilibrist.errors import GameError, GameTooLargeError
from equilibrist.form.ranges.disjoint import add_hand, disjoint_sum, make_pair_sums
from equilibrist.form.ranges.form import RangeForm
from equilibrist.form.ranges.game import PLAYERS, Pot
from equilibrist.form.ranges.payments import Payments
from equilibrist.form.ranges.values import SURE, THREE, TWO, RangeValues
from equilibrist.poker.cards.cards import HAND_NAMES

BOARDS = {
    "ties for all": "AsKsQsJsTs",
    "one strength of full houses": "AcAdAh2c2d",
    "quads": "7c7d7h7sKd",
    "random": "Qs9h2h8d3c",
}
KUHN_HANDS = "AsAh,KsKh,JsJh,TsTh"


def random_range(rng: np.random.Generator, hands: int = 24) -> dict[str, float]:
    """Return weights of some hands, which share cards with each other."""
    weights = np.zeros(1326)
    weights[rng.choice(1326, hands, replace=False)] = rng.uniform(0.1, 1, hands)
    return weights


def make_river(board: str, ranges: list, **settings) -> eq.types.CompiledGame:
    """Return the form of a spot of three."""
    stakes = {"pot": 6, "stacks": [4, 2, 7], "bets": "a"} | settings
    return eq.compile_game(eq.poker.Holdem(board, ranges=ranges, **stakes), form="auto")


def share(strength: tuple[int, ...], sharing: tuple[int, ...]) -> float:
    """Return the share of a pot of the first of these players."""
    best = max(strength[player] for player in sharing)
    if strength[0] < best:
        return 0.0
    return 1 / sum(strength[player] == best for player in sharing)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kind", [SURE, TWO, THREE])
def test_payments_are_sums_over_triples_of_hands(board: str, kind: int) -> None:
    rng = np.random.default_rng(hash((len(board), kind)) % 100)
    form = make_river(BOARDS[board], [random_range(rng) for _ in PLAYERS])
    boards = form.boards.arrays
    counts = form.boards.counts[:, 0].tolist()
    # A row of reach of each player after each other; what is paid stands in the row of the first.
    first_row = np.concatenate([[0], np.cumsum(counts)])
    reach = np.concatenate([rng.uniform(0, 1, int(first_row[-1])), np.zeros(8)])
    payments = Payments(
        first_group=np.array([0, 1, 1, 1]),
        first=np.array([0, 1]),
        kind=np.array([kind]),
        board=np.array([0]),
        amount=np.array([2.5]),
        row=first_row[:3, None].copy(),
        street=np.zeros((3, 1), np.int64),
        player=np.arange(3)[:, None].copy(),
    )
    values = np.zeros(len(reach))
    RangeValues(boards, payments, (0, 0, 0))(0, reach, values)

    game = form.range_game
    cards = game.hand_cards
    strength = game.strengths(np.array([game.board]))[0]
    held = [form.boards.held[player][0] for player in PLAYERS]
    sharing = {SURE: (0,), TWO: (0, 1), THREE: (0, 1, 2)}[kind]
    expected = np.zeros(counts[0])
    for numbers in product(*map(range, counts)):
        hands = [held[player][number] for player, number in enumerate(numbers)]
        if len(np.unique(cards[hands])) < 6:
            continue
        weight = 2.5 * game.weights[0, hands[0]]
        for player in (1, 2):
            weight *= game.weights[player, hands[player]]
            weight *= reach[first_row[player] + numbers[player]]
        expected[numbers[0]] += weight * share(tuple(strength[hands].tolist()), sharing)
    assert expected.any()
    assert_allclose(values[: counts[0]], expected, rtol=0, atol=1e-12 * expected.max())


def test_sums_of_disjoint_hands_with_equal_hands_and_shared_cards() -> None:
    sums = make_pair_sums(8)
    weights = {(0, 1): (2.0, 3.0), (0, 2): (5.0, 7.0), (2, 3): (11.0, 13.0), (4, 5): (17.0, 19.0)}
    for (first, second), (x, y) in weights.items():
        add_hand(sums, 8, first, second, x, y, x * y)
    expected = 0.0
    for hand, other in product(weights, repeat=2):
        if len({*hand, *other, 0, 6}) == 6:
            expected += weights[hand][0] * weights[other][1]
    assert expected == 11 * 19 + 17 * 13
    assert disjoint_sum(sums, 8, 0, 6) == pytest.approx(expected, abs=1e-12)


SPOTS = {
    "river": {"board": "Qs9h2h8d3c", "stacks": [4, 2, 7], "bets": "50%, a; a"},
    "river, raked": {"board": "Qs9h2h8d3c", "stacks": [4, 4, 4], "bets": "a", "rake": 0.1},
    "river, a cap of rake": {
        "board": "Qs9h2h8d3c",
        "stacks": [4, 9, 2],
        "bets": "a; a",
        "rake": 0.2,
        "rake_cap": 1.5,
    },
    "turn, side pots": {"board": "9s9h2h8d", "stacks": [2, 1, 3], "bets": "a"},
    "turn": {"board": "9s9h2h8d", "stacks": [3, 3, 3], "bets": "50%", "max_raises": 0},
}


@pytest.mark.parametrize("name", SPOTS)
def test_values_are_those_of_the_histories_written_out(name: str) -> None:
    rng = np.random.default_rng(5)
    ranges = [
        {"range": "9c9d:0.5,AsKs,8s7s,AhTh", "river": "a"},
        "AsAc,KsJs:0.25,8s7s,Jh7h",
        "9c8c,QdQc,Td7d:0.7",
    ]
    if name.startswith("turn"):
        ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25", "8c7c,QdQc"]
    settings = {"pot": 6, "ranges": ranges, **SPOTS[name]}
    spot = eq.poker.Holdem(**settings)
    form = eq.compile_game(spot, form="auto")
    assert isinstance(form, RangeForm)
    plain = eq.compile_game(spot, form="sequence")  # all histories written out, from the rules
    assert (form.histories, form.depth) == (plain.histories, plain.depth)
    assert form.payoff_sum == (plain.payoff_sum and pytest.approx(plain.payoff_sum))
    # Hands that no two others go with have infosets in the form of three ranges, to which nobody comes.
    known = set(plain.infosets)
    assert known <= set(form.infosets)
    play = {}
    for infoset in form.infosets:
        shares = rng.dirichlet(np.ones(len(infoset.actions)))
        play[infoset] = dict(zip(infoset.actions, shares.tolist(), strict=True))
    ours = eq.evaluate(form, {infoset[:2]: mix for infoset, mix in play.items()})
    theirs = eq.evaluate(plain, {infoset[:2]: play[infoset] for infoset in known})
    assert_allclose(ours.value, theirs.value, rtol=0, atol=1e-12)
    assert_allclose(ours.best_response_value, theirs.best_response_value, rtol=0, atol=1e-12)


MERGED = {
    "river": ("QsQh7s2h3s", ["22,A2s", "QQ,77,KTs", "JJ,AKo"]),
    "turn": ("QsJs7s2s", ["TT,AKs", "99,AQo", "JJ,87s"]),
}


@pytest.mark.parametrize("name", MERGED)
def test_suits_are_merged_where_they_are_common_to_all_ranges(name: str) -> None:
    board, ranges = MERGED[name]
    spot = eq.poker.Holdem(board, ranges=ranges, pot=6, stacks=[3, 2, 3], bets="50%", max_raises=0)
    form = spot.compile_ranges()
    unmerged = form.unmerged()
    assert form.num_infosets < 0.75 * unmerged.num_infosets
    assert (form.histories, form.depth) == (unmerged.histories, unmerged.depth)
    assert form.fingerprint != unmerged.fingerprint
    ours, theirs = (eq.solve(each, "dcfr", iterations=10) for each in (form, unmerged))
    assert_allclose(ours.value, theirs.value, rtol=0, atol=1e-12)
    assert_allclose(ours.deviation_gains, theirs.deviation_gains, rtol=0, atol=1e-12)
    assert ours.cce_distance == pytest.approx(theirs.cce_distance, abs=1e-12)


def test_suits_that_a_single_range_tells_apart_are_not_merged() -> None:
    ranges = ["22,A2s", "QQ,77,KTs", "JJ,AKo,8c7c:0.5"]
    board = "QsQh7s2h3s"
    form = eq.poker.Holdem(board, ranges=ranges, pot=6, stacks=3, bets="a").compile_ranges()
    assert not form.merged
    assert form.unmerged() is form


def test_threads_change_no_bit() -> None:
    rng = np.random.default_rng(2)
    form = make_river("Qs9h2h8d3c", [random_range(rng, 60) for _ in PLAYERS])
    one, two = (eq.solve(form, "dcfr", iterations=5, threads=threads) for threads in (1, 2))
    assert one.value == two.value
    assert np.array_equal(one.strategy.probabilities, two.strategy.probabilities)


@pytest.mark.parametrize("algorithm", ["dcfr+", "sapcfr+"])
def test_the_same_four_hands_for_three_players_are_kuhn_poker(algorithm: str) -> None:
    form = make_river("2c3d7h8d9c", [KUHN_HANDS] * 3, pot=3, stacks=1)
    solution = eq.solve(form, algorithm, iterations=1000)
    assert (solution.infosets, solution.slots) == (48, 99)
    # Szafron, Gibson and Sturtevant (2013): the second player loses 1/48 in every equilibrium found.
    assert solution.value[1] == pytest.approx(1 - 1 / 48, abs=1e-6)
    assert sum(solution.value) == pytest.approx(3, abs=1e-12)
    assert max(solution.deviation_gains) <= 3e-6


def test_until_is_the_largest_gain_of_three_players() -> None:
    form = make_river("2c3d7h8d9c", [KUHN_HANDS] * 3, pot=3, stacks=1)
    solution = eq.solve(form, "dcfr", until="0.5%", iterations=500)
    gains = solution.deviation_gains
    assert solution.stop_reason == "until"
    assert max(gains) <= 0.005 * 3
    earlier = [point for point in solution.trace if point.iteration < solution.iterations]
    # A mean of 0.5 % comes before.
    assert all(max(point.deviation_gains) > 0.005 * 3 for point in earlier)
    assert solution.final.measures["largest_gain"] == max(gains)
    assert solution.final.gap == max(gains)
    assert solution.final.gap_percent == pytest.approx(100 * max(gains) / 3)
    again = eq.solve(form, "dcfr", until="largest_gain(0.5%)", iterations=500)
    assert again.iterations == solution.iterations


OOP = "22+,A2s+,KTs+,QTs+,ATo+"
IP = "33-99,A8s+,KQs,T9s,98s"
RIVER = "QsJh2h8d3c"


def test_a_third_player_without_chips_who_never_wins_is_a_pot_of_two() -> None:
    third = "5d4d"
    ranges = [OOP, IP]
    # The third hand blocks: the ranges of two are those without its cards.
    without = []
    for text in ranges:
        weights = eq.poker.Range(text).weights.copy()
        for number, name in enumerate(HAND_NAMES):
            if "5d" in name or "4d" in name:
                weights[number] = 0.0
        without.append(weights)
    two = eq.poker.Holdem(RIVER, *without, pot=30, stack=60, bets="50%, a; a")
    three = eq.poker.Holdem(
        RIVER, ranges=[*ranges, third], pot=30, stacks=[60, 60, 0], bets="50%, a; a"
    )
    expected = eq.solve(two, "dcfr", iterations=60, precision="float64")
    solution = eq.solve(three, "dcfr", iterations=60)
    assert_allclose(solution.value[:2], expected.value, rtol=0, atol=1e-9)
    assert solution.value[2] == pytest.approx(0, abs=1e-12)
    gains = solution.deviation_gains
    assert_allclose(gains[:2], expected.deviation_gains, rtol=0, atol=1e-9)


def test_pots_of_different_stacks() -> None:
    spot = eq.poker.Holdem(
        RIVER, ranges=[OOP, IP, "QQ"], pot=10, stacks=[5, 20, 50], bets="a", rake=0.1
    )
    tree = spot.tree
    # The button can put in no more than the big blind can match.
    end = tree.nodes[tree.find("X-X-A20-C-C")]
    assert end.paid == (5, 20, 20)
    assert tree.pots(end) == (Pot(25 * 0.9, (0, 1, 2)), Pot(30 * 0.9, (1, 2)))
    end = tree.nodes[tree.find("X-X-A20-C-F")]
    # 15 chips of the button were called by nobody, and come back before rake is taken.
    assert tree.pots(end) == (Pot(20 * 0.9, (0, 2)), Pot(15, (2,)))
    end = tree.nodes[tree.find("X-X-A20-F-F")]
    assert tree.pots(end) == (Pot(10 * 0.9, (2,)), Pot(20, (2,)))


def test_reach_of_infosets_is_that_of_the_histories() -> None:
    ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25", "8c7c,QdQc"]
    spot = eq.poker.Holdem("9s9h2h8d3c", ranges=ranges, pot=6, stacks=[3, 3, 3], bets="a")
    form = eq.compile_game(spot, form="auto")
    plain = eq.compile_game(spot, form="sequence", keep_tree=True)
    uniform = [compiled.average_from_sums(np.zeros(compiled.length)) for compiled in (form, plain)]
    ours = dict(zip((each[:2] for each in form.infosets), form.cf_reach(uniform[0]), strict=True))
    for infoset, reach in zip(plain.infosets, plain.cf_reach(uniform[1]), strict=True):
        assert ours[infoset[:2]] == pytest.approx(reach, abs=1e-14)


def test_saved_runs_go_on_to_the_last_bit(tmp_path) -> None:
    rng = np.random.default_rng(4)
    ranges = [random_range(rng, 30) for _ in PLAYERS]
    spot = eq.poker.Holdem("Qs9h2h8d3c", ranges=ranges, pot=6, stacks=[4, 4, 4], bets="a")
    solution = eq.solve(spot, "dcfr", iterations=20)
    solution.save(tmp_path / "run")
    again = eq.load_solution(tmp_path / "run")
    assert again.value == solution.value
    assert eq.evaluate(spot, again).value == pytest.approx(solution.value, abs=1e-12)
    longer = eq.solve(resume=tmp_path / "run", iterations=40)
    assert longer.value == eq.solve(spot, "dcfr", iterations=40).value


def test_what_is_not_served_is_refused() -> None:
    ranges = ["AA", "KK", "QQ"]
    with pytest.raises(GameError, match="ranges must be those of three players; for two"):
        eq.poker.Holdem(RIVER, ranges=ranges[:2], pot=1, stacks=1)
    with pytest.raises(GameError, match="stacks must be above 0 for two players at least"):
        eq.poker.Holdem(RIVER, ranges=ranges, pot=1, stacks=[0, 0, 1])
    with pytest.raises(GameError, match="stacks must be a number of chips, or three of them"):
        eq.poker.Holdem(RIVER, ranges=ranges, pot=1, stacks=[1, 1])
    with pytest.raises(GameError, match="names must be three different names"):
        eq.poker.Holdem(RIVER, ranges=ranges, pot=1, stacks=1, names=["A", "A", "B"])
    with pytest.raises(GameError, match="bets has donk bets"):
        eq.poker.Holdem(RIVER, ranges=ranges, pot=1, stacks=1, bets="50%; a; 50%")
    same = eq.poker.Holdem(RIVER, ranges=["AsAc", "AsAc", "KK"], pot=1, stacks=1)
    with pytest.raises(GameError, match="No three hands"):
        eq.compile_game(same, form="auto")
    full = np.ones(1326)
    flop = eq.poker.Holdem("QsJh2h", ranges=[full] * 3, pot=30, stacks=95, bets="60%; 60%")
    with pytest.raises(GameTooLargeError, match=r"takes some .* GB; this machine has"):
        eq.compile_game(flop, form="auto")
    river = eq.poker.Holdem(RIVER, ranges=[full] * 3, pot=30, stacks=95)
    with pytest.raises(GameError, match="more than 200,000 deals of three hands"):
        eq.solve(river, "cfr", sampling="external", iterations=1)


def test_what_other_rooms_do_not_serve_is_refused_in_a_sentence() -> None:
    spot = eq.poker.Holdem("2c3d7h8d9c", ranges=[KUHN_HANDS] * 3, pot=3, stacks=1, bets="a")
    for concept in ("floors(0.01)", "qre(0.1)"):
        with pytest.raises(GameError, match=r"With three ranges .* are not there"):
            eq.solve(spot, concept=concept, iterations=1)
    with pytest.raises(GameError, match="needs a spot of hold'em with two ranges"):
        eq.poker.board_report(spot, ["2c3d7h8d9c"])
