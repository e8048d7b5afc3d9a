"""Omaha: strengths against other evaluators, and rivers against matrices of hands and a linear programme."""

import re
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from phevaluator.evaluator_omaha import evaluate_omaha_cards

import equilibrist as eq
from equilibrist.poker.cards.cards import CARDS
from equilibrist.poker.cards.hand_ranks import CATEGORIES, category_of
from equilibrist.poker.omaha.hands import all_hands, hand_names, strengths
from equilibrist.poker.omaha.ranges import read_range
from equilibrist.poker.spot.spot import read_spot, spot_text
from support import card_lp
from support.holdem_rules import cards, five_cards

BOARD = "Kh9s4d7c2h"
BOARDS = [BOARD, "QsJsTs9s2d", "8h8d8c8sAd", "7c7d2s2hKs", "5h6h7h8hJc"]


def cards_of(name):
    return [name[at : at + 2] for at in range(0, len(name), 2)]


def ranked(board, names):
    """Return the strength of hands on a board by another program; greater is stronger."""
    return np.array([-evaluate_omaha_cards(*cards_of(board), *cards_of(name)) for name in names])


def random_names(seed, count, board=BOARD):
    """Return names of random hands that the board leaves."""
    left = [card for card in range(52) if card not in cards(board)]
    random = np.random.default_rng(seed)
    hands = {
        tuple(sorted(random.choice(left, 4, replace=False).tolist())) for _ in range(count + 60)
    }
    return hand_names(np.array(sorted(hands)))[:count]


# --- Strengths ---


def test_there_are_as_many_hands():
    hands = all_hands()
    assert len(hands) == comb(52, 4) == len(set(map(tuple, hands.tolist())))
    assert hand_names(hands[[0, -1]]) == ["2s2h2d2c", "AsAhAdAc"]


@pytest.mark.parametrize("board", BOARDS)
def test_strengths_are_those_of_another_evaluator(board):
    names = random_names(7, 400, board)
    hands = np.array([sorted(map(CARDS.index, cards_of(name))) for name in names])
    mine = strengths(np.array([cards(board)]), hands)[0]
    theirs = ranked(board, names)
    assert (np.sign(mine[:, None] - mine.astype(int)) == np.sign(theirs[:, None] - theirs)).all()


def test_strengths_on_many_boards_at_once_are_those_of_another_evaluator():
    """More boards than are looked at together, so that each must be compared with its own row."""
    random = np.random.default_rng(11)
    boards = np.array([random.choice(52, 5, replace=False) for _ in range(20)])
    names = random_names(3, 40, board="")
    hands = np.array([sorted(cards(name)) for name in names])
    mine = strengths(boards, hands).astype(int)
    assert mine.shape == (20, 40)
    for number, board in enumerate(boards):
        apart = ~np.isin(hands, board).any(axis=1)
        shown = "".join(CARDS[card] for card in board)
        theirs = ranked(shown, np.array(names)[apart].tolist())
        ours = mine[number, apart]
        ordered = np.sign(ours[:, None] - ours) == np.sign(theirs[:, None] - theirs)
        assert ordered.all()


def test_exactly_two_cards_of_the_hand_count():
    board = np.array([cards("QsJsTs9s2d")])
    hands = np.array(
        [sorted(cards(hand)) for hand in ("As3d4h5c", "AsKd4h5c", "8s3s4h5c", "AhAdAcKh")]
    )
    kinds = [CATEGORIES[kind] for kind in category_of(strengths(board, hands)[0])]
    assert kinds == ["high card", "straight", "flush", "straight"]


FINER = {
    "set": "three of a kind",
    "trips": "three of a kind",
    "overpair": "pair",
    "top pair": "pair",
}
"""Made hands that are told apart, and what the best five cards are."""

COUNTS = {
    BOARD: [
        17_920,
        92_440,
        53_685,
        14_320,
        0,
        0,
        0,
        0,
        0,
    ],  # no two cards make a straight or a flush of it
    "QsJsTs9s2d": [7_749, 40_362, 28_755, 9_270, 63_603, 26_647, 0, 0, 1_979],
}


@pytest.mark.thinned(2)
@pytest.mark.parametrize("board", BOARDS[:2])
def test_all_hands_of_a_board_by_category(board):
    """Each of the 178,365 hands by plain rules: the best of sixty sets of five cards, of which hands share many."""
    shown = cards(board)
    left = [card for card in range(52) if card not in shown]
    threes = [*combinations(shown, 3)]
    plain = {}
    for two in combinations(left, 2):
        plain[two] = max(five_cards([*two, *three])[0] for three in threes)
    hands = np.array([*combinations(left, 4)])
    kinds = np.zeros((52, 52), int)
    for (low, high), kind in plain.items():
        kinds[low, high] = kind
    best = np.max([kinds[hands[:, i], hands[:, j]] for i, j in combinations(range(4), 2)], axis=0)
    counts = np.bincount(best, minlength=9)
    mine = np.bincount(category_of(strengths(np.array([shown]), hands)[0]), minlength=9)
    assert counts.sum() == comb(47, 4) == 178_365
    assert mine.tolist() == counts.tolist() == COUNTS[board]


# --- Ranges ---


@pytest.mark.slow
def test_ranges_by_plain_words():
    every = hand_names(all_hands())

    def chosen(text):
        return set(hand_names(read_range(text).hands))

    def suits(name):
        return sorted((name[1::2].count(suit) for suit in set(name[1::2])), reverse=True)

    aces = {name for name in every if name[::2].count("A") >= 2}
    assert chosen("AAxx") == chosen("xxaA") == aces
    assert chosen("AAxxds") == {name for name in aces if suits(name) == [2, 2]}
    assert chosen("AAxxss") == {name for name in aces if suits(name) == [2, 1, 1]}
    assert chosen("AAxxr") == {name for name in aces if suits(name) == [1, 1, 1, 1]}
    assert chosen("T9KQ") == {name for name in every if name[::2] == "KQT9"}
    assert len(chosen("AKQJ")) == 4**4
    for text in ("random", "100%"):
        assert np.array_equal(np.sort(read_range(text).hands), np.sort(all_hands()))
    assert chosen("KhKsAsAh") == {"AsAhKsKh"}


@pytest.mark.slow
def test_shorthands_of_other_programs():
    def same(text, other):
        return np.array_equal(read_range(text).hands, read_range(other).hands)

    for text, other in (
        ("AA", "AAxx"),
        ("a*", "Axxx"),
        ("KQA", "AKQx"),
        ("AA:xxyy", "AAxxds"),
        ("AA:xxyz", "AAxxss"),
        ("AA:xyzw", "AAxxr"),
        ("AKQ$ds", "AKQxds"),
    ):
        assert same(text, other), text
    weighted = read_range("AA:xxyy:0.5, KK:0.25")
    assert weighted.text == "AAxxds:0.5,KKxx:0.25"
    counts = [name[::2] for name in hand_names(all_hands())]
    pairs = sum(max(name.count("A"), name.count("K")) >= 2 for name in counts)
    assert read_range("KK+").combos == pairs
    assert read_range("KK+").text == "KKxx+"
    assert same("KKxx+", "KK+")
    assert same("KK+:xxyy", "AA$ds,KKxxds")


def test_a_later_token_replaces_an_earlier_one():
    whole = read_range("AAxx:0.25; KhKsAsAh")
    weights = dict(zip(hand_names(whole.hands), whole.weights, strict=True))
    assert whole.text == "AAxx:0.25,AsAhKsKh"
    assert weights.pop("AsAhKsKh") == 1.0
    assert set(weights.values()) == {0.25}
    assert "KsKhKdKc" not in weights


@pytest.mark.slow
def test_the_last_token_of_a_hand_decides_its_weight_whether_more_or_less():
    text = "AAxx:0.25, AAKK:0.75, AAKKds:0.5, KKxx:0, AAKKds:0.125"
    whole = read_range(text)
    weights = dict(zip(hand_names(whole.hands), whole.weights, strict=True))
    for name in hand_names(all_hands()):
        aces = name[::2].count("A")
        if aces < 2:
            assert name not in weights
            continue
        kings = name[::2].count("K")
        of_suits = sorted(name[1::2].count(suit) for suit in set(name[1::2]))
        expected = 0.0 if kings >= 2 else 0.25
        expected = 0.125 if (aces, kings, of_suits) == (2, 2, [2, 2]) else expected
        assert weights.get(name, 0.0) == expected, name


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("AAxx", True),
        ("AKQJss,TT99:0.5", True),
        ("AsAhKsKh", False),
        (
            "AsAhKsKh,AdAcKdKc",
            False,
        ),  # spades and hearts may change places, hearts and diamonds not
        ("AsKsQsJs,AhKhQhJh,AdKdQdJd", False),  # all suits but one
        ("AsKsQsJs,AhKhQhJh,AdKdQdJd,AcKcQcJc", True),
        ("AsAdKsKd,AcAhKcKh", False),  # moving each suit on by two leaves these as they are
        ("AA77:0.5,AsAhAdAc,7s7h7d7c:0.25", True),
        ("AA77,AcAd7c7d:0.5", False),
    ],
)
def test_suits_are_alike_where_no_change_of_suits_changes_a_weight(text, alike):
    """By all 24 orders of the suits."""
    whole = read_range(text)
    weights = {
        frozenset(cards_of(name)): weight
        for name, weight in zip(hand_names(whole.hands), whole.weights, strict=True)
    }

    def renamed(order):
        suits = dict(zip("cdhs", order, strict=True))
        return {
            frozenset(card[0] + suits[card[1]] for card in hand): weight
            for hand, weight in weights.items()
        }

    assert all(renamed(order) == weights for order in permutations("cdhs")) == alike
    assert whole.treats_suits_alike() == alike


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AK1", r"oop: 'AK1' at character 1 cannot be read; write hands such as AsAhKdQc"),
        ("AK+", r"oop: 'AK\+' at character 1: a plus stands behind a pair, as in KK\+"),
        ("AA:xxxy", "a weight is a number from 0 to 1"),
        ("AAxx, AAKKs", r"oop: 'AAKKs' at character 7 cannot be read"),
        ("AsAsKdQc", "holds the same card twice"),
        ("AAAAss", "is no hand: four cards of a rank have four suits"),
        ("AAxx:2", "a weight is a number from 0 to 1"),
        ("KhKdAsAd", f"holds a card of {BOARD} in each of its hands"),
        ("AAxx:0", "no hand has any weight"),
        ("", "no hand has any weight"),
        (["AAxx"], r"a range of Omaha is a text; .*got \['AAxx'\]"),
    ],
)
def test_what_is_no_range(text, message):
    with pytest.raises(eq.GameError, match=message):
        eq.poker.Omaha(BOARD, text, "random", pot=100, stack=100)


# --- Spots ---


def test_bets_are_limited_by_the_pot():
    game = eq.poker.Omaha(
        BOARD, "AAxx", "QQxx", pot=100, stack=2000, bets="50%, a; a", add_lines=["B50-R150"]
    )
    lines = {node.line for node in game.tree.nodes}
    assert {
        "B50",
        "B100",
        "B50-R250",
        "B50-R150",
        "B100-R400",
        "B100-R400-R1300",
        "B100-R400-R1300-A2000",
    } <= lines
    raised = [
        int(re.findall(r"\d+", line)[-2]) for line in lines if re.search(r"[BR]\d+-A2000$", line)
    ]
    assert min(raised) >= (2000 - 100) / 3  # 100 + 3 · bet
    assert "More than the pot: " in "".join(game.tree.change_rows())
    free = eq.poker.Omaha(
        BOARD, "AAxx", "QQxx", pot=100, stack=2000, bets="50%, a; a", pot_limit=False
    )
    assert "A2000" in free.tree.nodes[0].actions
    with pytest.raises(eq.GameError, match=r"add_lines: 'B120' .* at most the pot limit of 100"):
        eq.poker.Omaha(BOARD, "AAxx", "QQxx", pot=100, stack=2000, add_lines=["B120"])


def random_spot(seed, count, **settings):
    weights = np.random.default_rng(seed).random((2, count)).round(3)
    oop, ip = (
        ",".join(
            f"{name}:{weight}"
            for name, weight in zip(random_names(seed + p, count), weights[p], strict=True)
        )
        for p in range(2)
    )
    return eq.poker.Omaha(BOARD, oop, ip, **{"pot": 100, "stack": 250, **settings})


class Matrix:
    """A river of Omaha as the matrix of all pairs of hands: what a strategy earns, and the best response to it."""

    def __init__(self, game, strategy):
        self.game, self.strategy = game, strategy
        one, other = (ranked(BOARD, names) for names in game.hands)
        self.sign = np.sign(one[:, None] - other)
        apart = [
            [not set(cards_of(a)) & set(cards_of(b)) for b in game.hands[1]] for a in game.hands[0]
        ]
        self.prior = np.outer(*game.deal.weights) * apart
        self.prior /= self.prior.sum()

    def value(self, player, *, best):
        return self._walk(
            self.game.start(), "", player, best, np.ones(len(self.game.hands[1 - player]))
        ).sum()

    def _walk(self, state, line, player, best, reach):
        """Return the value of each hand of a player: Σ over the other's of prior × reach × payoff."""
        game, mover = self.game, self.game.player(state)
        if mover == eq.TERMINAL:
            paid = game.payoff(state)
            if isinstance(paid, eq.ShowdownPayoffs):
                shown = {1: paid.win, 0: paid.tie, -1: paid.lose}
                payoff = np.select(
                    [self.sign == sign for sign in shown], [pair[player] for pair in shown.values()]
                )
            else:
                payoff = paid[player]
            weighted = self.prior * payoff
            return (weighted if player == 0 else weighted.T) @ reach
        actions = game.actions(state)
        keys = [f"{name} {BOARD} {line}".strip() for name in game.hands[mover]]
        mix = np.array([[self.strategy[mover, key][action] for action in actions] for key in keys])
        below = [
            self._walk(
                game.next(state, action),
                f"{line}-{action}".strip("-"),
                player,
                best,
                reach if mover == player else reach * mix[:, number],
            )
            for number, action in enumerate(actions)
        ]
        if mover != player:
            return np.sum(below, axis=0)
        return np.max(below, axis=0) if best else (np.array(below).T * mix).sum(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("rake", [0.0, 0.05])
def test_values_and_the_certificate_are_those_of_a_matrix_of_500_hands(rake):
    game = random_spot(3, 500, rake=rake)
    solution = eq.solve(game, iterations=30)
    matrix = Matrix(game, solution.strategy)
    value, best = (
        [matrix.value(player, best=best) for player in range(2)] for best in (False, True)
    )
    assert solution.value == pytest.approx(value, abs=1e-9)
    assert solution.exploitability == pytest.approx((sum(best) - sum(value)) / 2, abs=1e-9)
    assert 0.1 < solution.exploitability < 5


@pytest.mark.slow
def test_the_value_is_that_of_a_linear_programme():
    game = random_spot(5, 40, bets="100%; 100%")
    solution = eq.solve(game, until="0.01%")
    assert solution.value[0] == pytest.approx(card_lp.value(game), abs=0.02)


@pytest.mark.slow
def test_all_hands_against_all_hands_are_counted():
    game = eq.poker.Omaha(BOARD, "random", "random", pot=100, stack=100)
    assert [len(hands) for hands in game.hands] == [178_365] * 2
    assert game.deal.total == comb(47, 4) * comb(43, 4)


@pytest.mark.slow
def test_a_turn_deals_the_river_to_four_cards_each():
    """A check-down by hand: each river that neither hand blocks, with the same probability."""
    oop, ip, board = ("AsAhQdJc", "KsQsTs5d"), ("8s8h7d6c", "QhJhTd9d"), "Kh9s4d7c"
    game = eq.poker.Omaha(board, ",".join(oop), ",".join(ip), pot=1, stack=1, bets="none")
    form = eq.compile_cards(game)
    total, pairs = 0.0, 0
    for one in oop:
        for other in ip:
            left = [
                card
                for card in CARDS
                if card not in {*cards_of(board), *cards_of(one), *cards_of(other)}
            ]
            signs = [np.sign(np.diff(ranked(board + card, (other, one)))[0]) for card in left]
            if len(left) == 40:
                total, pairs = total + np.mean([(1 + sign) / 2 for sign in signs]), pairs + 1
    assert form.values(np.ones(form.length)).value[0] == pytest.approx(total / pairs, abs=1e-12)


@pytest.mark.slow
def test_hands_are_named_and_described_whatever_the_order_of_their_cards():
    """What a hand makes is found by plain rules: the best of sixty sets of five cards."""
    game = eq.poker.Omaha("QsJsTs9s2d", "AKxx", "random", pot=100, stack=100)
    board = cards("QsJsTs9s2d")
    for name in game.hands[0][:: len(game.hands[0]) // 10]:
        held = sorted(cards(name), reverse=True)
        best = max(
            five_cards([*two, *three])[0]
            for two in combinations(held, 2)
            for three in combinations(board, 3)
        )
        ranks = name[::2]
        for order in list(permutations(held))[::7]:
            assert game.hand_of(order) == name
            kind, made = game.describe("".join(CARDS[card] for card in order), board)
            assert kind[:4] == ranks
            assert FINER.get(made, made) == CATEGORIES[best]
        assert name in hand_names(read_range(kind).hands)


def test_a_spot_file(tmp_path):
    game = eq.poker.Omaha(
        BOARD, {"range": "AAxx:0.5", "river": "a"}, "QQxxds", pot=20, stack=10, rake=0.05
    )
    path = tmp_path / "spot.toml"
    path.write_text(spot_text(game))
    assert path.read_text().startswith('game = "omaha"\nboard = "Kh9s4d7c2h"\n')
    assert str(read_spot(path)) == str(eq.load(str(path))) == str(eq.load(str(game))) == str(game)
    path.write_text('game = "draw"\n')
    with pytest.raises(eq.GameError, match=r"game must be 'holdem' or 'omaha'; got 'draw'"):
        read_spot(path)


@pytest.mark.slow
def test_a_run_is_saved_and_goes_on(tmp_path):
    game = random_spot(8, 30)
    once = eq.solve(game, iterations=20)
    eq.solve(game, iterations=10, save=tmp_path / "run")
    again = eq.solve(game, iterations=20, resume=tmp_path / "run")
    loaded = eq.load_solution(tmp_path / "run")
    assert again.exploitability == once.exploitability
    name = f"{game.hands[0][0]} {BOARD}"
    assert loaded.strategy[0, name].keys() == once.strategy[0, name].keys() == {"X", "B50", "B100"}


# --- Decisions ---


@pytest.mark.slow
def test_a_decision_is_that_of_the_matrix():
    game = random_spot(9, 60, bets="100%")
    solution = eq.solve(game, iterations=15)
    matrix = Matrix(game, solution.strategy)
    node = eq.poker.SolvedSpot(solution).node()
    assert node.evs == pytest.approx(
        [matrix.value(player, best=False) for player in range(2)], abs=1e-9
    )
    equity = (matrix.prior * (matrix.sign + 1) / 2).sum()
    assert node.equities == pytest.approx([equity, 1 - equity], abs=1e-12)
    held = matrix.prior.sum(axis=1)
    assert node.equity[0] == pytest.approx(
        (matrix.prior * (matrix.sign + 1) / 2).sum(axis=1) / held, abs=1e-9
    )
    made = node.made()
    assert sum(share for share, _ in made.values()) == pytest.approx(1)
    assert sum(share * values[0] for share, values in made.values()) == pytest.approx(node.evs[0])
    hand = game.hands[0][5]
    assert node.number(hand[4:] + hand[:4]) == 5
    columns = node.columns()
    assert columns["hand"][5] == hand
    assert columns["made"][5] in made
    assert columns["B100"][5] == solution.strategy[0, f"{hand} {BOARD}"]["B100"]
    with pytest.raises(eq.GameError, match="hand must be 4 cards; got 2"):
        node.number("AsAh")
    with pytest.raises(
        eq.GameError, match=r"is none of the 60 hands that OOP can hold on Kh9s4d7c2h"
    ):
        node.number("KhAsAhAd")
    with pytest.raises(eq.GameError, match="Hands of Omaha have no grid of classes"):
        node.classes()
