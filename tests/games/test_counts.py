"""The larger built-in games, counted a second time in another style, and the same numbers in all places."""

import math
import re
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.game.protocol import CHANCE
from equilibrist.games.registry import make
from support.census import census
from support.trees import walk

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")


def table(heading):
    """Return the rows of the table of a section of docs/games.md, as lists of text, without the commas of thousands."""
    section = PAGE.partition(f"## {heading}")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[re.sub(r"(?<=\d),(?=\d)", "", cell.strip()) for cell in row] for row in rows[2:]]


# --- Battleship ---

SIZES = {  # OpenSpiel, battleship_test.cc: sequences and infosets of either player, leaves
    "battleship(shots=2)": (165, 341, 53, 109, 1072),
    "battleship": (741, 917, 341, 397, 2224),
    "battleship(ships=(1, 2), shots=2)": (1197, 3597, 397, 1189, 9216),
    "battleship(ships=(1, 2))": (13485, 22029, 6541, 10405, 32256),
    "battleship(width=3, shots=2)": (943, 3787, 187, 751, 19116),
    "battleship(width=3)": (15343, 46987, 3787, 11551, 191916),
    "battleship(width=3, shots=4)": (144943, 306187, 46987, 97951, 969516),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", SIZES)
def test_battleship_has_the_sizes_of_openspiel(text):
    sizes = census(text)
    assert (*sizes.sequences_of, *sizes.infosets_of, sizes.leaves) == SIZES[text]


def test_the_page_says_the_sizes_of_battleship():
    rows = table("Battleship")
    assert len(rows) >= 5
    for grid, shots, ships, *counts in rows:
        height, width = (int(number) for number in grid.split(" × "))
        lengths = tuple(int(length) for length in ships.split(","))
        text = str(make("battleship", height=height, width=width, ships=lengths, shots=int(shots)))
        infosets_0, infosets_1, sequences_0, sequences_1, leaves = map(int, counts[:5])
        assert SIZES[text] == (sequences_0, sequences_1, infosets_0, infosets_1, leaves)


# --- No-limit Leduc ---


def lines(stack, bets, start):
    """Yield each line of one round from ``start`` chips each as (moves, how it stands: the chips paid or 'f')."""

    def go(moves, own, other, least):
        yield moves, None
        if own == other:
            yield from [(f"{moves}c", own)] if moves else go("c", own, other, least)
        else:
            yield f"{moves}f", "f"
            yield f"{moves}c", other
        if moves.count("r") < bets:
            for to in range(other + 1, stack + 1):
                if to - other >= least or to == stack:
                    yield from go(f"{moves}r{to}", other, to, to - other)

    yield from go("", start, start, 1)


@cache
def lines_counted(stack, bets, start):
    """Return the number of decisions and of folds of a round, and how many calls end it at each number of chips."""
    ends = Counter(end for _, end in lines(stack, bets, start))
    return ends.pop(None), ends.pop("f", 0), ends


def no_limit_sizes(stack, bets=4, ranks=3):
    """Return the histories and infosets of two suits, merged: the lines of both rounds, times the deals."""
    decisions, folds, called = lines_counted(stack, bets, 1)
    below = second = 0  # histories of the second round for one public card; its decisions
    for chips, count in called.items():
        asked, ended, shown = (
            lines_counted(stack, bets, chips) if chips < stack else (0, 0, {stack: 1})
        )
        below += count * (asked + ended + sum(shown.values()))
        second += count * asked
    deals = ranks * ranks  # of one card each
    boards = deals * ranks - ranks  # a pair of hands leaves no third card of its rank
    histories = 1 + ranks + deals * (decisions + folds + sum(called.values())) + boards * below
    return histories, ranks * decisions + ranks * ranks * second


@pytest.mark.parametrize(
    ("stack", "bets"), [(2, 4), (3, 4), (5, 4), (7, 4), (7, 1), (10, 2), (10, 4)]
)
def test_no_limit_leduc_has_the_sizes_of_its_lines(stack, bets):
    sizes = census(str(make("no_limit_leduc", stack=stack, bets=bets)))
    assert (sizes.histories, sizes.infosets) == no_limit_sizes(stack, bets)


def test_the_page_says_the_sizes_of_no_limit_leduc():
    rows = table("No-limit Leduc")
    assert [row[0] for row in rows][-1] == "20"
    for stack, histories, infosets, *_ in rows:
        assert no_limit_sizes(int(stack)) == (int(histories), int(infosets))


def test_no_limit_leduc_asks_what_the_lines_say():
    """Action by action, not only how many."""
    game = make("no_limit_leduc", stack=7)
    found = set()

    def visit(state, moves):
        if game.player(state) in (0, 1):
            for action in game.actions(state):
                label = game.action_label(state, action)
                word, _, chips = label.partition(" to ")
                letter = {"check": "c", "call": "c", "fold": "f", "bet": "r", "raise": "r"}[
                    word
                ] + chips
                found.add(moves + letter)
                visit(game.next(state, action), moves + letter)

    visit(game.next(game.next(game.start(), 0), 2), "")
    assert found | {""} == {moves for moves, _ in lines(7, 4, 1)}


def rounds_in_chips(left, added=()):
    """Yield each decision of a round of at most four actions as the chips added so far, and the chips at each showdown.

    An action adds chips: 0 checks or folds, what is missing calls, a raise adds at least twice that, or all there is.
    """
    own, other = sum(added[len(added) % 2 :: 2]), sum(added[1 - len(added) % 2 :: 2])
    if len(added) >= 2 and own == other:
        yield None, own
    elif len(added) >= 2 and added[-1] == 0:
        pass  # a fold
    elif left > 0:
        yield added, None
        call, room = other - own, left - own
        actions = {0, call}
        if len(added) < 3:
            actions |= set(range(2 * call or 1, room + 1)) or {room}
        for action in sorted(actions):
            yield from rounds_in_chips(left, (*added, action))


def infosets_in_chips(stack, ranks=3):
    """Return the infosets of no-limit Leduc with an ante of 1 and at most four actions in a round."""
    first = list(rounds_in_chips(stack - 1))
    second = sum(
        decision is not None
        for _, paid in first
        if paid is not None
        for decision, _ in rounds_in_chips(stack - 1 - paid)
    )
    return ranks * sum(decision is not None for decision, _ in first) + ranks * ranks * second


@pytest.mark.parametrize(("stack", "infosets"), [(3, 168), (5, 1014), (7, 3459), (10, 13611)])
def test_no_limit_leduc_with_four_actions_has_the_sizes_of_its_lines(stack, infosets):
    game = make("no_limit_leduc", stack=stack, actions=4)
    assert infosets_in_chips(stack) == census(str(game)).infosets == infosets


def test_a_bet_leaves_room_for_its_answer():
    game = make("no_limit_leduc", stack=9, actions=3)
    state = game.next(game.next(game.start(), 2), 0)
    for action, left in ((1, "check"), (2, "bet to 2")):
        labels = [game.action_label(state, one) for one in game.actions(state)]
        assert left in labels
        state = game.next(state, action)
    assert [game.action_label(state, one) for one in game.actions(state)] == ["fold", "call"]


@pytest.mark.slow
@pytest.mark.parametrize("stack", [3, 4, 5])
def test_no_limit_leduc_is_solved_by_linear_programme_and_by_cfr(stack):
    exact = eq.exact(make("no_limit_leduc", stack=stack))
    solved = eq.solve(make("no_limit_leduc", stack=stack), "cfr+", until=1e-4)
    assert abs(exact.nash_conv) < 1e-9
    assert solved.value[0] == pytest.approx(exact.value[0], abs=2e-4)
    whole = (
        eq.exact(make("no_limit_leduc", stack=stack, merge_suits=False)) if stack == 3 else exact
    )
    assert whole.value[0] == pytest.approx(exact.value[0], abs=1e-9)


# --- Mini euchre ---

ORDERS = {  # with bowers or without: the trumps and the other suit, the highest first
    True: (["Js", "Jc", "As", "Ks", "Qs"], ["Ac", "Kc", "Qc"]),
    False: (["As", "Ks", "Qs", "Js"], ["Ac", "Kc", "Qc", "Jc"]),
}


def euchre_lines(hands, trumps, plain):
    """Yield the cards played at each history of one deal of two cards each, and team 0's tricks at the end."""

    def beats(card, best):
        if card in trumps:
            return best not in trumps or trumps.index(card) < trumps.index(best)
        return best in plain and plain.index(card) < plain.index(best)

    def first_trick(cards):
        if len(cards) == 4:
            tricks = [0, 0]
            left = [[card for card in hand if card not in cards] for hand in hands]
            leader = 0
            for number in range(2):
                trick = cards if number == 0 else [left[(leader + i) % 4][0] for i in range(4)]
                best = 0
                for place in (1, 2, 3):
                    if beats(trick[place], trick[best]):
                        best = place
                leader = (leader + best) % 4
                tricks[leader % 2] += 1
            yield cards, tricks[0]
            return
        yield cards, None
        hand = hands[len(cards)]
        follow = [card for card in hand if cards and (card in trumps) == (cards[0] in trumps)]
        for card in follow or hand:
            yield from first_trick([*cards, card])

    yield from first_trick([])


@pytest.mark.slow
@pytest.mark.parametrize("bowers", ORDERS)
def test_mini_euchre_deal_by_deal(bowers):
    deck = {card for suit in ORDERS[bowers] for card in suit}
    histories, infosets, outcomes, deals = 1, set(), Counter(), 0
    for first in combinations(sorted(deck), 2):
        histories += 1
        for second in combinations(sorted(deck - {*first}), 2):
            histories += 1
            for third in combinations(sorted(deck - {*first, *second}), 2):
                histories += 1
                deals += 1
                hands = [first, second, third, tuple(sorted(deck - {*first, *second, *third}))]
                for cards, tricks in euchre_lines(hands, *ORDERS[bowers]):
                    histories += 1
                    if tricks is None:
                        infosets.add((hands[len(cards)], *cards))
                    else:
                        outcomes[tricks] += 1
    tree = walk(make("mini_euchre", bowers=bowers))
    assert deals == math.factorial(8) // 2**4
    assert (histories, len(infosets)) == (tree.histories, len(tree.infosets))
    ours = Counter(tree.payoffs[:, 0].tolist())
    assert ours == {tricks - 1: count for tricks, count in outcomes.items()}


def test_mini_euchre_with_a_card_turned():
    text = "mini_euchre(suits=3, ranks=3, turned=True)"
    form = eq.compile_game(
        make("mini_euchre", suits=3, ranks=3, turned=True)
    )  # perfect recall, or it is refused
    sizes = census(text)
    assert (
        (sizes.histories, sizes.infosets)
        == (form.histories, len(form.infosets))
        == (448_993, 36_324)
    )


def test_the_turned_card_is_dealt_in_public():
    game = make("mini_euchre", suits=3, ranks=3, turned=True)
    state = game.start()
    for _ in range(4):
        assert game.public(state) is None
        state = game.next(state, game.actions(state)[0])
    assert game.player(state) == CHANCE
    assert game.public(state) == ()


# --- Liar's dice ---


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("dice", "faces", "wild_biddable"),
    [((1, 1), 3, True), ((2, 1), 2, True), ((1, 2), 3, False), ((2, 1), 6, False)],
)
def test_liars_dice_has_as_many_infosets_as_rolls_and_sets_of_bids(dice, faces, wild_biddable):
    bids = sum(dice) * (faces - (not wild_biddable))
    sorted_rolls = [math.comb(faces + number - 1, number) for number in dice]
    text = str(
        make("liars_dice", dice=dice, faces=faces, wild_biddable=wild_biddable, order="face")
    )
    sizes = census(text)
    assert sizes.infosets_of == tuple(2 ** (bids - 1) * rolls for rolls in sorted_rolls)
    assert sizes.leaves == faces ** sum(dice) * (2**bids - 1)
