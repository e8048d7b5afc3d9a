"""Short deck: counts of all hands by a second way of counting, and spots against rules and recursion of their own."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.cards.build import compile_cards
from equilibrist.play.session import Session
from equilibrist.poker.boards.aggregate import find_boards
from equilibrist.poker.cards.cards import CARDS, CLASSES, parse_cards
from equilibrist.poker.cards.flops import texture
from equilibrist.poker.cards.hand_ranks import CATEGORIES, DECKS, category_of, strength_of, tables
from equilibrist.poker.cards.ranges import Range
from equilibrist.poker.spot.spot import read_spot, spot_text
from support.random_card_games import without_symmetries
from support.short_deck import KINDS, OTHER_ORDER, STRAIGHTS, Recursion, share, strength

SHORT, TRIPS = "short", "short, trips beat straights"
ORDERS = {SHORT: KINDS, TRIPS: OTHER_ORDER}
orders = pytest.mark.parametrize("deck", ORDERS)
NAMES = {"high": "high card", "three": "three of a kind", "four": "four of a kind"}

# https://en.wikipedia.org/wiki/Six-plus_hold_%27em
FIVE = {
    "straight flush": 24,
    "four of a kind": 288,
    "flush": 480,
    "full house": 1_728,
    "straight": 6_120,
    "three of a kind": 16_128,
    "two pair": 36_288,
    "pair": 193_536,
    "high card": 122_400,
}


def by_category(deck, cards):
    counts = np.bincount(category_of(strength_of(cards, DECKS[deck]), DECKS[deck]), minlength=9)
    return dict(zip(CATEGORIES, counts.tolist(), strict=True))


@pytest.mark.slow
@orders
def test_all_hands_of_five_cards(deck):
    cards = np.array(list(combinations(range(16, 52), 5)))
    assert by_category(deck, cards) == FIVE
    strengths = strength_of(cards, DECKS[deck])
    assert np.unique(strengths).tolist() == list(range(len(tables(DECKS[deck]).ranks)))


def groups_of_seven():
    """Yield hands of seven cards that are alike: their ranks, those of a suit with five cards or more, how many."""
    for ranks in combinations_with_replacement(range(9), 7):
        number = Counter(ranks)
        if max(number.values()) <= 4:
            left = prod(comb(4, n) for n in number.values())
            for flush in (flush for size in (5, 6, 7) for flush in combinations(number, size)):
                ways = 4 * prod(comb(3, n - (rank in flush)) for rank, n in number.items())
                left -= ways
                yield ranks, set(flush), ways
            yield ranks, set(), left


def one_of(ranks, flush):
    """Return a hand of such a group as cards: the flush in clubs, or no five cards of a suit."""
    if not flush:
        return [4 * (rank + 4) + place % 4 for place, rank in enumerate(ranks)]
    suits = {rank: iter(range(0 if rank in flush else 1, 4)) for rank in ranks}
    return [4 * (rank + 4) + next(suits[rank]) for rank in ranks]


def category(ranks, flush, kinds):
    """Return what the best five of seven cards are, straight from the rules."""
    groups = sorted(Counter(ranks).values(), reverse=True)
    straights = [{"6789TJQKA".index(rank) for rank in straight} for straight in STRAIGHTS]
    fits = {
        "straight flush": any(straight <= flush for straight in straights),
        "flush": bool(flush),
        "four": groups[0] == 4,
        "full house": groups[0] == 3 and groups[1] >= 2,
        "straight": any(straight <= set(ranks) for straight in straights),
        "three": groups[0] == 3,
        "two pair": groups[:2] == [2, 2],
        "pair": groups[0] == 2,
        "high": True,
    }
    best = max((kind for kind in fits if fits[kind]), key=kinds.index)
    return NAMES.get(best, best)


SEVEN = {
    "straight flush": 10_560,
    "four of a kind": 44_640,
    "flush": 175_560,
    "full house": 633_024,
    "straight": 1_169_940,
    "three of a kind": 607_200,
    "two pair": 3_157_056,
    "pair": 2_316_600,
    "high card": 233_100,
}
BOTH = (
    30_360  # hands with a straight and three of a kind, of which the order of the deck chooses one
)
COUNTS = {
    SHORT: SEVEN,
    TRIPS: SEVEN
    | {"straight": SEVEN["straight"] - BOTH, "three of a kind": SEVEN["three of a kind"] + BOTH},
}


@pytest.mark.slow
@orders
def test_all_hands_of_seven_cards(deck):
    """By strengths of one hand of each group, and by the rules, group by group."""
    groups = list(groups_of_seven())
    cards = np.array([one_of(ranks, flush) for ranks, flush, _ in groups])
    assert all(len(set(hand)) == 7 for hand in cards.tolist())
    by_strength, by_rules = Counter(), Counter()
    for (ranks, flush, ways), number in zip(
        groups, category_of(strength_of(cards, DECKS[deck]), DECKS[deck]), strict=True
    ):
        by_strength[CATEGORIES[number]] += ways
        by_rules[category(ranks, flush, ORDERS[deck])] += ways
    assert by_strength == by_rules == COUNTS[deck]
    assert by_rules.total() == comb(36, 7) == 8_347_680


@pytest.mark.slow
def test_all_hands_of_seven_cards_one_by_one():
    """Each hand has a card that is the lowest, and six above it."""
    counts = {deck: Counter() for deck in ORDERS}
    for lowest in range(16, 46):
        above = np.array(list(combinations(range(lowest + 1, 52), 6)))
        for part in np.array_split(above, 1 + len(above) // 100_000):
            hands = np.column_stack([np.full(len(part), lowest), part])
            for deck, count in counts.items():
                count.update(by_category(deck, hands))
    assert counts == COUNTS


@orders
@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_in_the_order_of_another_evaluator(deck, size):
    rng = np.random.default_rng(size)
    hands = np.array([16 + rng.permutation(36)[:size] for _ in range(150)])
    hands = np.vstack(
        [
            hands,
            [
                parse_cards(text)[:size]
                for text in ("As6s7s8s9s6dKd", "Ad6s7s8s9sKdKh", "9c9d9h8cTdJs7h")
            ],
        ]
    )
    strengths = strength_of(hands, DECKS[deck])
    theirs = [strength([CARDS[card] for card in hand], ORDERS[deck]) for hand in hands.tolist()]
    ordered = sorted(theirs)
    assert np.argsort(strengths, kind="stable").tolist() == sorted(
        range(len(theirs)), key=theirs.__getitem__
    )
    same = [[a == b for b in ordered] for a in ordered[::10]]
    assert same == [[a == b for b in np.sort(strengths)] for a in np.sort(strengths)[::10].tolist()]


def best(text, deck):
    return CATEGORIES[
        category_of(strength_of(np.array([parse_cards(text)]), DECKS[deck]), DECKS[deck])[0]
    ]


@pytest.mark.parametrize(
    ("cards", "short", "trips"),
    [
        ("Ac6d7h8s9c", "straight", "straight"),
        ("Ac6c7c8c9cKdKh", "straight flush", "straight flush"),
        ("Ac6c7c8cJcTdKh", "flush", "flush"),
        ("9c9d9h8cTdJs7h", "straight", "three of a kind"),
        ("9c9d9h8c8dJs7h", "full house", "full house"),
    ],
)
def test_the_best_five_cards_count(cards, short, trips):
    assert (best(cards, SHORT), best(cards, TRIPS)) == (short, trips)


def strength_in(text, deck):
    return strength_of(np.array([parse_cards(text)]), DECKS[deck])[0]


@orders
def test_what_beats_what(deck):
    weakest_flush, best_full_house = "6c7c8c9cJc", "AcAdAhKcKd"
    assert strength_in(weakest_flush, deck) > strength_in(best_full_house, deck)
    assert strength_in(weakest_flush, "full") < strength_in(best_full_house, "full")
    assert (strength_in("6c6d6h7c8d", deck) > strength_in("AcKdQhJcTd", deck)) == (deck == TRIPS)
    assert strength_in("Ac6d7h8s9c", deck) < strength_in("6d7h8s9cTc", deck)


SPOTS = {  # board, ranges
    "river": ("Td9d8hQc6s", "AA,T9s,J7s,KJs:0.5,76s,AdJd", "QQ,66,KJo:0.25,97s,AKs"),
    "turn": ("Td9d8hQc", "AcAd,JdJh,KdJd:0.5,7c6c", "QdQh,7s7h,KcJc:0.25"),
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize(("name", "deck"), [("river", SHORT), ("river", TRIPS), ("turn", TRIPS)])
def test_values_by_plain_recursion(name, deck):
    """The value of a strategy, and of the best responses to it: cards to come with 1/28, not 1/44."""
    board, oop, ip = SPOTS[name]
    game = eq.poker.Holdem(board, oop, ip, pot=20, stack=30, bets="a; a", deck=deck)
    solution = eq.solve(game, iterations=15)
    spot = eq.poker.SolvedSpot(solution)
    hands = [
        dict(zip(names, weights, strict=True))
        for names, weights in zip(game.hands, game.deal.weights, strict=True)
    ]
    referee = Recursion(board, hands, spot.mix, pot=20, stack=30, kinds=ORDERS[deck])
    for player in range(2):
        assert solution.value[player] == pytest.approx(referee.value(player, best=False), abs=1e-9)
    gains = [
        referee.value(player, best=True) - referee.value(player, best=False) for player in range(2)
    ]
    assert solution.nash_conv == pytest.approx(sum(gains), abs=1e-9)
    assert solution.nash_conv > 1e-4


@pytest.mark.parametrize(
    ("board", "oop", "ip", "deck"),
    [("Td9d8h", "AhKh", "TcTh,JcJs:0.5", TRIPS), (*SPOTS["turn"], SHORT), (*SPOTS["river"], TRIPS)],
)
def test_equity_by_enumeration(board, oop, ip, deck):
    result = eq.poker.equity(board, oop, ip, deck=deck)
    for hand, equity in zip(result.hands[0], result.equity[0], strict=True):
        others = zip(result.hands[1], result.ranges[1], strict=True)
        pairs = [
            (other, weight)
            for other, weight in others
            if not {hand[:2], hand[2:]} & {other[:2], other[2:]}
        ]
        expected = sum(weight * share(hand, other, board, ORDERS[deck]) for other, weight in pairs)
        assert equity == pytest.approx(expected / sum(weight for _, weight in pairs), abs=1e-12)
    assert sum(result.equities) == pytest.approx(1, abs=1e-12)


def test_suits_are_merged():
    game = eq.poker.Holdem(
        "Td9dTh9h", "AA,KQs,87s", "QQ,AJo:0.3", pot=20, stack=20, bets="a", deck=SHORT
    )
    assert len(compile_cards(game).boards.streets[1]) < 32
    solutions = [
        eq.solve(each, "dcfr(alternating=False)", iterations=2)
        for each in (game, without_symmetries(game))
    ]
    assert solutions[0].value == pytest.approx(solutions[1].value, abs=1e-10)
    assert solutions[0].nash_conv == pytest.approx(solutions[1].nash_conv, abs=1e-10)


def test_ranges():
    game = eq.poker.Holdem("Td9d8h", "random", "22+,A2s+,top 20%", pot=1, stack=1, deck=SHORT)
    assert game.settings["oop"] == "66+,A6+,K6+,Q6+,J6+,T6+,96+,86+,76"
    assert len(game.hands[0]) == comb(33, 2)
    assert not any(card in name for names in game.hands for name in names for card in "2345")
    assert Range("top 100%", deck=DECKS[SHORT]).combos == comb(36, 2)
    assert Range("top 10%", deck=DECKS[SHORT]).combos == pytest.approx(63, abs=6)


def test_settings(tmp_path):
    """The deck is said where it is not the full one, and read back."""
    plain = eq.poker.Holdem("Td9d8h", "AA", "KK", pot=20, stack=30)
    assert "deck" not in str(plain) + spot_text(plain)
    game = eq.poker.Holdem("Td9d8h", "AA", "KK", pot=20, stack=30, deck=TRIPS)
    path = tmp_path / "spot.toml"
    path.write_text(spot_text(game))
    assert 'deck = "short, trips beat straights"' in path.read_text()
    assert str(read_spot(path)) == str(eq.load(str(game))) == str(game)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (
            {"board": "Td9d5h"},
            "'5h' at character 5 .* is no card of this deck; a card is one of 6789TJQKA",
        ),
        (
            {"oop": "AA,55"},
            "'55' at character 4 holds a card of Td9d8h or one below 6 that the deck lacks in each",
        ),
        (
            {"deck": "six plus"},
            "deck must be 'full' or 'short' or 'short, trips beat straights'; got 'six plus'",
        ),
        (
            {"ip": np.eye(1326)[0]},
            "no hand has any weight but those that hold a card of Td9d8h or one below 6",
        ),
    ],
)
def test_what_cannot_be_is_refused(changes, reason):
    with pytest.raises(eq.GameError, match=reason):
        eq.poker.Holdem(
            **{
                "board": "Td9d8h",
                "oop": "AA",
                "ip": "KK",
                "pot": 20,
                "stack": 30,
                "deck": SHORT,
                **changes,
            }
        )


@pytest.mark.parametrize(
    ("board", "hand", "made", "drawn"),
    [
        ("Td9d8h", "Ac6c", "ace high", "gutshot"),  # a seven makes 6 to T
        ("9d8h7s", "AcKd", "ace high", "gutshot, overcards"),  # a six makes A-6-7-8-9
        (
            "Ts8h7d",
            "Ac9c",
            "ace high",
            "open-ended, nut blocker",
        ),  # a six makes 6 to T, a jack 7 to J
        ("KdKhKs", "QcJc", "nothing", ""),
    ],
)
def test_what_hands_are_on_a_board(board, hand, made, drawn):
    table = eq.poker.equity(board, hand, "JhTh", deck=SHORT).columns(0)
    assert (table["made"][0], table["draws"][0]) == (made, drawn)


@pytest.mark.parametrize(
    ("deck", "order"), [(SHORT, ["straight", "set"]), (TRIPS, ["set", "straight"])]
)
def test_made_hands_from_the_strongest_on(deck, order):
    assert list(eq.poker.equity("Td9d8hQc", "QdQh,J7s,AsAh", "KK", deck=deck).made(0)) == [
        *order,
        "overpair",
    ]
    ordered = eq.poker.equity("TdTs8d6dQc", "Ad9d,QdQh,TcTh,AsAh", "KK", deck=deck).made(0)
    assert list(ordered) == ["four of a kind", "flush", "full house", "overpair"]


def test_boards_of_a_report():
    settings = {
        "board": "Td9d8h",
        "oop": "AA,KQs",
        "ip": "KK",
        "pot": 20,
        "stack": 10,
        "deck": SHORT,
    }
    flops = find_boards("all", settings)
    assert (len(flops), sum(flops.values())) == (573, comb(36, 3))
    assert sum(find_boards("turns", settings).values()) == 33
    with pytest.raises(eq.GameError, match="stands for all of the full deck"):
        find_boards("25", settings)
    with pytest.raises(
        eq.GameError, match="'2h' at character 5 of 'QsJh2h' is no card of this deck"
    ):
        find_boards("QsJh2h", settings)
    assert texture(parse_cards("Ad6h7c"), DECKS[SHORT]).connected
    assert not texture(parse_cards("Ad6h7c")).connected
    report = eq.poker.board_report(
        eq.poker.Holdem(**settings, bets="a"), "Td9d8h7c6s, Ad7h6cKdKh", iterations=2
    )
    assert [row["board"] for row in report.rows()][::2] == ["Td9d8h7c6s", "Ad7h6cKdKh"]


@pytest.fixture(scope="module")
def solution():
    game = eq.poker.Holdem(
        "Td9d8hQc", "AA,KJs,77,8c6c", "QQ,J7s,AKs", pot=20, stack=30, bets="a", deck=TRIPS
    )
    return eq.solve(game, iterations=30)


def test_a_part_is_solved_again(solution):
    part = eq.resolve(solution, "X-X", board="Td9d8hQc7s", until="0.5%")
    assert "deck='short, trips beat straights'" in part.info.game.definition
    node, whole = eq.poker.SolvedSpot(part).node(), eq.poker.SolvedSpot(solution).node("X-X", "7s")
    assert node.board == whole.board == "Td9d8hQc7s"
    assert "8c6c" in node.hands[0]
    assert node.equities == pytest.approx(whole.equities)
    assert sum(node.evs) == pytest.approx(20)


def test_locks_on_a_board_with_a_card_to_come():
    lock = {"line": "X-X | X", "board": "7s", "hands": "J7s,top 1%", "strategy": {"X": 1}}
    spot = {
        "board": "Td9d8hQc",
        "oop": "AA",
        "ip": "AA,J7s",
        "pot": 20,
        "stack": 30,
        "bets": "a",
        "deck": SHORT,
    }
    game = eq.poker.Holdem(**spot, locks=[lock])
    assert game.settings["locks"][0]["board"] == "Td9d8hQc7s"
    assert str(eq.load(str(game))) == str(game)
    node = eq.poker.SolvedSpot(eq.solve(game, iterations=5)).node("X-X-X", "7s")
    played = dict(zip(node.hands[1], node.strategy[0], strict=True))
    assert played["Jc7c"] == 1


def test_run_outs_and_grid(solution):
    spot = eq.poker.SolvedSpot(solution)
    cards = [card for alike in spot.run_outs("X-X") for card in alike]
    assert len(cards) == 32
    assert all(card[0] in "6789TJQKA" for card in cards)
    weights, _ = spot.node().classes(1)
    assert weights[CLASSES.index("J7s")] == 1
    assert weights.sum() == 3


@pytest.mark.slow
def test_hands_that_are_played_have_cards_of_the_deck(solution):
    """Dealt at a line of the spot, as the search of a training does; the tree of the game deals by the same chance."""
    session = Session(str(solution.game), against=solution, seed=4, line="X-X", answers=1)
    for _ in range(60):
        session.deal()
        table = dict(session.turn.table)
        dealt = table["your hand"] + table["board"]
        assert not set(dealt) & set("2345")
        assert table["board"].startswith("Td9d8hQc")
        session.take(0)
