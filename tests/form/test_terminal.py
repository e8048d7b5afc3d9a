"""Each kind of terminal payoff against the sum that it stands for, hand by hand."""

import numpy as np
import pytest

from equilibrist._jit.simd import LANES, padded, zeros
from equilibrist.form.public.terminal import payoffs as terminal
from equilibrist.form.public.tree import PublicTree
from equilibrist.form.public.walk import PublicGame
from equilibrist.game.public import Showdown

SIZES = [
    (1, 1),
    (3, 3),
    (8, 8),
    (9, 9),
    (25, 25),
    (40, 31),
    (31, 40),
    (50, 3),
]  # short of, at and beyond one and three groups


def tree_of(sizes, scale):
    """Return a tree of one terminal state, as far as payoffs read it."""
    unused = np.zeros(1, np.int64)
    arrays = dict.fromkeys(PublicTree._fields, unused)
    arrays |= {
        "hands": np.array(sizes, np.int64),
        "width": np.array([padded(size) for size in sizes], np.int64),
        "terminal": np.zeros(1, np.int64),
        "scale": np.array([scale]),
    }
    return PublicTree(**arrays)


def deal(sizes, rng, *, cards):
    """Return probabilities of pairs of hands that are independent, save that nobody can hold the other's card."""
    chance = np.outer(rng.uniform(0.1, 1, sizes[0]), rng.uniform(0.1, 1, sizes[1]))
    if cards:
        np.fill_diagonal(chance, 0.0)
    return chance / chance.sum()


def check(chance, payoff, matrix, kind, *, scale=1.7, rest=1.0, rel=None):
    """Compare both players' values with the sum over pairs; ``rest``: how much less all hands but one are reached."""
    record = terminal.make_terminal_payoffs(
        [(np.ones_like(chance) / chance.size, 0 * matrix), (chance, payoff)]
    )
    assert record.kind.tolist() == [terminal.DENSE, kind]
    tree = tree_of(chance.shape, scale)
    tree.terminal[0] = 1
    rng = np.random.default_rng(1)
    for player in range(2):
        own, others = chance.shape[player], chance.shape[1 - player]
        reach, value, sums = (
            zeros(LANES + padded(max(own, others))),
            zeros(LANES + padded(own)),
            zeros(1 + padded(others)),
        )
        reach[LANES : LANES + others] = rest * rng.uniform(0, 1, others)
        reach[LANES + 1] /= rest
        value[:] = np.nan
        terminal.terminal_values(
            PublicGame(tree, record), 0, player, reach, LANES, value, LANES, sums
        )
        for i in range(own):
            terms = [
                (chance[i, j] * matrix[i, j] if player == 0 else -chance[j, i] * matrix[j, i])
                * reach[LANES + j]
                for j in range(others)
            ]
            assert value[LANES + i] == pytest.approx(scale * sum(terms), abs=1e-14 * rest, rel=rel)
        assert np.isnan(value[:LANES]).all(), "only the row is written"


@pytest.mark.parametrize("sizes", SIZES)
def test_dense_equals_brute_force(sizes):
    rng = np.random.default_rng(0)
    matrix = rng.uniform(-2, 3, sizes)
    check(deal(sizes, rng, cards=False), matrix, matrix, terminal.DENSE)


@pytest.mark.parametrize("cards", [True, False])
@pytest.mark.parametrize("sizes", [size for size in SIZES if min(size) > 1])
def test_showdown_equals_brute_force(sizes, cards, monkeypatch):
    monkeypatch.setattr(terminal, "_FEW_PAIRS", 0)
    rng = np.random.default_rng(0)
    strengths = tuple(rng.integers(0, 5, size) for size in sizes)  # wins, losses and ties
    payoff = Showdown(strengths, win=2.0, tie=0.5, lose=-3.0)
    order = np.sign(np.subtract.outer(*strengths))
    matrix = np.where(order > 0, 2.0, np.where(order < 0, -3.0, 0.5))
    check(deal(sizes, rng, cards=cards and sizes[0] == sizes[1]), payoff, matrix, terminal.SHOWDOWN)


@pytest.mark.parametrize("size", [3, 9, 25])
def test_a_hand_whose_own_card_is_nearly_all_that_is_held(size, monkeypatch):
    """What is left for it is a difference of large sums, unless it is added up by itself."""
    monkeypatch.setattr(terminal, "_FEW_PAIRS", 0)
    rng = np.random.default_rng(0)
    strengths = tuple(rng.integers(0, 4, size) for _ in range(2))
    payoff = Showdown(strengths, win=2.0, tie=0.5, lose=-3.0)
    order = np.sign(np.subtract.outer(*strengths))
    matrix = np.where(order > 0, 2.0, np.where(order < 0, -3.0, 0.5))
    chance = deal((size, size), rng, cards=True)
    check(chance, payoff, matrix, terminal.SHOWDOWN, rest=1e-11, rel=1e-9)


def test_a_showdown_that_has_no_factors_is_dense(monkeypatch):
    monkeypatch.setattr(terminal, "_FEW_PAIRS", 0)
    rng = np.random.default_rng(0)
    chance = rng.uniform(0.1, 1, (5, 5))
    strengths = (np.arange(5), np.arange(5))
    order = np.sign(np.subtract.outer(*strengths))
    check(chance / chance.sum(), Showdown(strengths), order.astype(float), terminal.DENSE)
