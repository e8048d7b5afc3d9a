"""Sums over three hands against all triples of hands, and the form of three ranges against histories written out."""

from __future__ import annotations

import itertools
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

import equilibrist as eq
from equilibrist.errors import GameError, GameTooLargeError
from equilibrist.form.ranges.boards import find_symmetries
from equilibrist.form.ranges.disjoint import add_hand, disjoint_sum, make_pair_sums
from equilibrist.form.ranges.form import RangeForm
from equilibrist.form.ranges.game import PLAYERS, Pot
from equilibrist.form.ranges.payments import Payments, list_decisions
from equilibrist.form.ranges.size import measure_size
from equilibrist.form.ranges.values import SURE, THREE, TWO, RangeValues
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.poker.cards.cards import HAND_NAMES
from equilibrist.poker.solved.infoset_names import split_infoset_of_three
from equilibrist.poker.spot.spot import write_spot

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


@pytest.mark.thinned(12)
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name.startswith("turn") else ())
        for name in SPOTS
    ],
)
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


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["dcfr(gamma=5)", "dcfr+", "sapcfr+"])
def test_the_same_four_hands_for_three_players_are_kuhn_poker(algorithm: str) -> None:
    form = make_river("2c3d7h8d9c", [KUHN_HANDS] * 3, pot=3, stacks=1)
    solution = eq.solve(form, algorithm, iterations=1000)
    assert (solution.infosets, solution.slots) == (48, 99)
    # Szafron, Gibson and Sturtevant (2013): the second player loses 1/48 in every equilibrium found.
    assert solution.value[1] == pytest.approx(1 - 1 / 48, abs=1e-6)
    assert sum(solution.value) == pytest.approx(3, abs=1e-12)
    assert max(solution.deviation_gains) <= 1e-6 * 3  # of the pot


def gains_of_kuhn(iterations: int) -> np.ndarray:
    """Return what the players gain after iterations of dcfr on the river that is Kuhn poker; chips."""
    form = make_river("2c3d7h8d9c", [KUHN_HANDS] * 3, pot=3, stacks=1)
    return np.array(eq.solve(form, "dcfr", iterations=iterations).deviation_gains)


@pytest.mark.slow
def test_dcfr_comes_as_near_as_openspiel_on_kuhn_poker() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import discounted_cfr, exploitability

    game = pyspiel.load_game("kuhn_poker(players=3)")
    solver = discounted_cfr.DCFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    theirs = exploitability.nash_conv(game, solver.average_policy(), return_only_nash_conv=False)
    assert_allclose(gains_of_kuhn(10), theirs.player_improvements, rtol=0, atol=1e-9)


@pytest.mark.slow
def test_dcfr_needs_three_thousand_iterations_for_a_millionth_of_the_pot_in_kuhn_poker() -> None:
    """OpenSpiel's DCFRSolver is at 4.2e-6 of the pot after 1,000: gains 3.0e-6, 6.2e-6 and 1.26e-5 chips."""
    after_thousand = gains_of_kuhn(1000).max() / 3
    assert 3e-6 < after_thousand < 6e-6
    assert gains_of_kuhn(3000).max() / 3 < 1e-6


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


@pytest.mark.thinned(2)
@pytest.mark.parametrize("board", ["QsJh2h8d3c", "QsJh2h8d"])
def test_a_third_player_without_decisions_changes_no_number_of_two(board: str) -> None:
    third = "5d4d" if len(board) == 10 else "3c3s"
    names = ["AhAd,KsKc:0.5,8h8s", "9c9s,QdQc:0.25,Th9h"]
    # On the turn the third player may win the pot; what is bet is that of the others.
    two = eq.poker.Holdem(board, *names, pot=30, stack=60, bets="50%, a", max_raises=1)
    three = eq.poker.Holdem(
        board, ranges=[*names, third], pot=30, stacks=[60, 60, 0], bets="50%, a", max_raises=1
    )
    form = three.compile_ranges()
    rng = np.random.default_rng(8)
    play = {}
    of_two = {}
    for player, key, actions in form.infosets:
        mix = dict(zip(actions, rng.dirichlet(np.ones(len(actions))).tolist(), strict=True))
        play[player, key] = mix
        hand, dealt, line = split_infoset_of_three(key)
        of_two[player, " ".join(part for part in (hand, board + dealt, line) if part)] = mix
    ours = eq.evaluate(form, play)
    known = {infoset[:2] for infoset in eq.compile_game(two, form="cards").infosets}
    theirs = eq.evaluate(
        two, {key: mix for key, mix in of_two.items() if key in known}, missing="uniform"
    )
    if len(board) == 10:
        assert_allclose(ours.value[:2], theirs.value, rtol=0, atol=1e-12)
        best = ours.best_response_value[:2]
        assert_allclose(best, theirs.best_response_value, rtol=0, atol=1e-12)
    assert sum(ours.value) == pytest.approx(30, abs=1e-12)
    assert ours.best_response_value[2] == ours.value[2]


def settle(pot: float, paid: tuple, folded: tuple, strength: list) -> list[float]:
    """Return what three players win less what they put in, layer by layer of what they put in."""
    won = [-chips for chips in paid]
    levels = sorted({0.0, *paid})
    layers = [(pot, [player for player in PLAYERS if not folded[player]])]
    for below, level in itertools.pairwise(levels):
        payers = [player for player in PLAYERS if paid[player] > below]
        winners = [player for player in payers if not folded[player]]
        layers.append(((level - below) * len(payers), winners))
    for chips, players in layers:
        best = max(strength[player] for player in players)
        sharing = [player for player in players if strength[player] == best]
        for player in sharing:
            won[player] += chips / len(sharing)
    return won


@pytest.mark.parametrize("stacks", [(5, 20, 50), (4, 2, 7), (10, 10, 3), (0, 8, 5), (1, 2, 3)])
def test_side_pots_are_settled_layer_by_layer(stacks: tuple) -> None:
    rng = np.random.default_rng(sum(stacks))
    spot = eq.poker.Holdem(
        RIVER, ranges=[OOP, IP, "QQ"], pot=7, stacks=stacks, bets="50%, a; a", max_raises=2
    )
    ends = [k for k, node in enumerate(spot.tree.nodes) if node.player == TERMINAL]
    unequal = 0
    for index in ends:
        node = spot.tree.nodes[index]
        unequal += len({node.paid[p] for p in PLAYERS if not node.folded[p]}) > 1
        for _ in range(4):
            hands = rng.choice(len(spot.hand_names), 3).tolist()
            strength = spot.strengths(np.array([spot.board]))[0, hands].tolist()
            expected = settle(7, node.paid, node.folded, strength)
            state = tuple(hands), index, ()
            assert_allclose(spot.payoffs(state), expected, rtol=0, atol=1e-12)
    assert unequal


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


class WithLocks:
    """The rules of a spot of three, in which chance moves where the strategy is locked."""

    def __init__(self, spot, locks):
        self.spot = spot
        self.locks = locks
        self.players = spot.players

    def _mix(self, state):
        if self.spot.player(state) < 0:
            return None
        return self.locks.get((self.spot.player(state), self.spot.infoset(state)))

    def player(self, state):
        return self.spot.player(state) if self._mix(state) is None else CHANCE

    def probabilities(self, state):
        mix = self._mix(state)
        if mix is None:
            return self.spot.probabilities(state)
        return [mix.get(action, 0.0) for action in self.spot.actions(state)]

    def actions(self, state):
        return self.spot.actions(state)

    def __getattr__(self, name):
        if name in ("start", "next", "payoffs", "infoset"):
            return getattr(self.spot, name)
        raise AttributeError(name)


LOCKS = {
    "some hands": [
        {"line": "X", "strategy": {"X": 0.25, "A": 0.75}, "hands": "AsAc"},
        {"line": "X-A2", "strategy": {"F": 0.5, "C": 0.5}},
    ],
    "one board": [
        {"line": "X-X-X", "strategy": {"X": 1}, "board": "Td"},
        {"line": "", "strategy": {"X": "20%", "A": "80%"}, "hands": "AsKs"},
    ],
}


LOCKED = {
    "some hands": {"1 AsAc X", "2 8c7c X-A2", "2 QdQc X-A2"},
    "one board": {"0 AsKs", "0 9d9c Td X-X-X |", "0 AsKs Td X-X-X |"},
}


@pytest.mark.parametrize("name", LOCKS)
def test_locks_are_moves_of_chance(name: str) -> None:
    board = "9s9h2h8d3c" if name == "some hands" else "9s9h2h8d"
    ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25", "8c7c,QdQc"]
    spot = eq.poker.Holdem(
        board, ranges=ranges, pot=6, stacks=[3, 2, 3], bets="a", locks=LOCKS[name]
    )
    form = spot.compile_ranges()
    locked = {}
    slots = set(form.locked_slots.tolist())
    assert slots
    at_slots = form.average_from_sums(np.zeros(form.length))
    for number, infoset in enumerate(form.infosets):
        span = slice(form.first_action[number], form.first_action[number + 1])
        own = form.slot[span].astype(int)
        if own[0] in slots:
            locked[infoset[:2]] = dict(zip(infoset.actions, at_slots[own].tolist(), strict=True))
    assert {f"{player} {key}" for player, key in locked} == LOCKED[name]
    plain = eq.compile_game(WithLocks(spot, locked), form="sequence")
    known = {infoset[:2] for infoset in plain.infosets}
    assert not known & locked.keys()
    rng = np.random.default_rng(3)
    play = {}
    for infoset in form.infosets:
        shares = rng.dirichlet(np.ones(len(infoset.actions)))
        mix = dict(zip(infoset.actions, shares.tolist(), strict=True))
        play[infoset[:2]] = locked.get(infoset[:2], mix)
    ours = eq.evaluate(form, play)
    theirs = eq.evaluate(plain, {key: mix for key, mix in play.items() if key in known})
    assert_allclose(ours.value, theirs.value, rtol=0, atol=1e-12)
    assert_allclose(ours.best_response_value, theirs.best_response_value, rtol=0, atol=1e-12)
    lost = {loss[:2]: loss.loss for loss in ours.losses if loss.loss > 1e-13}
    expected_lost = {loss[:2]: loss.loss for loss in theirs.losses if loss.loss > 1e-13}
    assert lost == pytest.approx(expected_lost, abs=1e-12)
    assert sum(lost.values()) == pytest.approx(ours.nash_conv, abs=1e-12)
    assert (ours.locks, theirs.locks) == (len(locked), 0)
    assert "locked in part" in ours.guarantee
    solution = eq.solve(form, "dcfr", iterations=20)
    expected = eq.solve(plain, "dcfr", iterations=20)
    assert_allclose(solution.value, expected.value, rtol=0, atol=1e-10)
    assert_allclose(solution.deviation_gains, expected.deviation_gains, rtol=0, atol=1e-10)
    assert solution.cce_distance == pytest.approx(expected.cce_distance, abs=1e-10)
    assert len(solution.locks) == 2
    for key, mix in locked.items():
        assert solution.strategy[key] == pytest.approx(mix, abs=1e-12)


def test_locks_keep_to_suits_and_are_saved(tmp_path) -> None:
    settings = {"ranges": ["22,A2s", "QQ,77,KTs", "JJ,AKo"], "pot": 6, "stacks": 3, "bets": "a"}
    board = "QsQh7s2h3s"
    assert eq.poker.Holdem(board, **settings).compile_ranges().merged
    # Clubs and diamonds are told apart.
    lock = {"line": "X", "strategy": {"X": 1}, "hands": "7h7c"}
    spot = eq.poker.Holdem(board, **settings, locks=[lock])
    assert not spot.compile_ranges().merged
    spot = eq.poker.Holdem(board, **settings, locks=[{**lock, "hands": "77"}])
    assert spot.compile_ranges().merged
    path = tmp_path / "spot.toml"
    write_spot(spot, path)
    assert str(eq.load(str(path))) == str(eq.load(str(spot))) == str(spot)
    with pytest.raises(GameError, match="QsJs is not in the range of BB on this board"):
        eq.poker.Holdem(board, **settings, locks=[{**lock, "hands": "QsJs"}])
    with pytest.raises(GameError, match="is locked twice"):
        eq.poker.Holdem(board, **settings, locks=[lock, lock])


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


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"board": "9s9h2h8d3c", "folded": ["A2o,KQs"]}, id="river"),
        pytest.param({"board": "9s9h2h8d"}, id="turn"),
    ],
)
def test_the_size_that_is_told_beforehand_is_that_of_the_form(settings):
    ranges = ["9c9d:0.5,AsKs", "AsAc,KhJs:0.25,QcQd", "8c7c,JJ"]
    spot = eq.poker.Holdem(
        **settings, ranges=ranges, pot=6, stacks=[9, 6, 9], bets="50%; 50%", max_raises=1
    )
    game = spot.range_game()
    decisions, ends = list_decisions(game)
    size = measure_size(game, decisions, ends, find_symmetries(game))
    form = spot.compile_ranges()
    assert size.boards == form.boards_per_street
    assert size.infosets == form.num_infosets
    assert size.slots == form.num_actions
    payments = form.leaf_values.payments
    arrays = form.boards.arrays
    hands = np.diff(arrays.first_hand)[payments.board]
    num_terms = max(1, arrays.coefficient.shape[1])
    for kind in (SURE, TWO, THREE):
        assert size.sums[kind] == num_terms * hands[payments.kind == kind].sum()
    told = spot.describe_size()
    assert f"{form.num_infosets:,} infosets on" in told
    assert "s an iteration on one core" in told
