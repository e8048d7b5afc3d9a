"""Flops: all of them are stood for once, and averages over the subsets approach those over all."""

from itertools import combinations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, parse_cards
from equilibrist.poker.cards.flops import SUBSETS, all_flops, flop_subset, texture
from equilibrist.poker.cards.hand_ranks import strengths

PREFLOP = {
    ("AA", "KK"): 81.946,
    ("AKs", "QQ"): 46.049,
    ("AKo", "22"): 47.351,
    ("JTs", "AA"): 21.160,
}
"""Equities before the flop in %, by complete enumeration: well known, and printed by every calculator."""


def hands_of(name):
    return HANDS[np.equal(CLASS_OF_HAND, CLASSES.index(name))]


def net_and_pairs(flop, one, other):
    """Return Σ over pairs of hands and later cards of wins less losses, and how many there are."""
    rest = [card for card in range(52) if card not in flop]
    boards = np.array([(*flop, *later) for later in combinations(rest, 2)])
    mine, theirs = (own[~np.isin(own, flop).any(axis=1)] for own in (one, other))
    net = pairs = 0
    if not (len(mine) and len(theirs)):
        return 0, 0
    left, right = strengths(boards, mine), strengths(boards, theirs)
    free = [
        ~(boards[:, 3:, None, None] == own[None, None]).any(axis=(1, 3)) for own in (mine, theirs)
    ]
    for i, hand in enumerate(mine):
        for j, rival in enumerate(theirs):
            if set(hand) & set(rival):
                continue
            open_ = free[0][:, i] & free[1][:, j]
            net += int(np.sign(left[open_, i].astype(int) - right[open_, j]).sum())
            pairs += int(open_.sum())
    return net, pairs


def test_all_flops_are_stood_for_once():
    flops = all_flops()
    assert (len(flops), sum(flops.values())) == (1755, 22100)
    assert set(flops.values()) == {4, 12, 24}
    suits = dict.fromkeys(("monotone", "two-tone", "rainbow"), 0)
    for flop, count in flops.items():
        suits[texture(flop).suits] += count
    assert {name: suits[name] for name in ("monotone", "rainbow")} == {
        "monotone": 4 * 286,
        "rainbow": 24 * 286 + 12 * 156 + 4 * 13,
    }  # by hand: C(13, 3) sets of ranks
    assert sum(n for flop, n in flops.items() if texture(flop).pairing == "trips") == 52
    assert sum(n for flop, n in flops.items() if texture(flop).pairing == "paired") == 13 * 6 * 48


@pytest.mark.parametrize("size", SUBSETS)
def test_subsets_are_of_these(size):
    subset = flop_subset(size)
    assert (len(subset), sum(subset.values())) == (size, 22100)
    assert subset.keys() <= all_flops().keys()
    assert min(subset.values()) >= 1
    suits = (
        sum(weight for flop, weight in subset.items() if texture(flop).suits == "monotone") / 22100
    )
    paired = (
        sum(weight for flop, weight in subset.items() if texture(flop).pairing == "paired") / 22100
    )
    assert suits == pytest.approx(1144 / 22100, abs=0.02)
    assert paired == pytest.approx(3744 / 22100, abs=0.02)


def test_an_unknown_subset_is_refused():
    with pytest.raises(
        eq.GameError, match="There are subsets of 25, 49, 95, 184 flops, and all 1,755; got 26"
    ):
        flop_subset(26)


@pytest.mark.parametrize(
    ("board", "looks"),
    [
        ("9s8s7s", ("monotone", "unpaired", 3, "9")),
        ("9s8s7s2s", ("monotone", "unpaired", 3, "9")),
        ("Kd9d2dKcQh", ("three suited", "paired", 1, "K")),
        ("Kd9d2dQdQh", ("four suited", "paired", 1, "K")),
        ("As3h2d", ("rainbow", "unpaired", 1, "A")),
        ("KdKc5h", ("rainbow", "paired", 0, "K")),
        ("5d5c5h2h", ("two-tone", "trips", 0, "5")),
        ("KdKc5h5s", ("rainbow", "two pair", 0, "K")),
    ],
)
def test_textures(board, looks):
    assert texture(parse_cards(board)) == looks


@pytest.mark.slow
@pytest.mark.parametrize("match", PREFLOP)
def test_averages_over_the_subsets_approach_those_over_all_flops(match):
    """The equity over all flops is the one before the flop; subsets come near to it, the larger the nearer."""
    one, other = map(hands_of, match)
    found = {flop: net_and_pairs(flop, one, other) for flop in all_flops()}

    def equity(weights):
        net, pairs = (
            sum(weight * found[flop][at] for flop, weight in weights.items()) for at in range(2)
        )
        return 100 * (0.5 + net / (2 * pairs))

    assert equity(all_flops()) == pytest.approx(PREFLOP[match], abs=2e-3)
    errors = [abs(equity(flop_subset(size)) - PREFLOP[match]) for size in SUBSETS]
    print(match, [f"{error:.3f} %" for error in errors])
    assert max(errors) < 2.5
    assert errors[-1] < 0.15
