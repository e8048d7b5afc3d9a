"""The sequence form: the numbering of slots, what leads to what, and the payoff between them."""

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist._jit.simd import LANES
from equilibrist.form.limits import CompileBudget
from equilibrist.form.sequence import treeplex
from equilibrist.form.sequence.build import explore
from equilibrist.form.sequence.canonical import canonical_form
from equilibrist.form.sequence.form import sequence_form
from equilibrist.form.sequence.payoff.entries import payoff_entries
from equilibrist.form.sequence.payoff.layout import entries, make_payoff
from equilibrist.game.protocol import CHANCE, TERMINAL
from support.random_games import RandomGame
from support.reference import unfold
from support.spelled import turns

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "goofspiel(cards=3, prizes='random')",
    "liars_dice(faces=3)",
    "leduc",
    "blotto",
]
seeds = st.integers(0, 2**32 - 1)
examples = pytest.mark.parametrize("spec", GAMES)


def slots_by_name(form):
    """Return {(player, infoset, action): slot}, and the empty sequence of each player under (player, None)."""
    names = [(player, key, action) for player, key, actions in form.infosets for action in actions]
    table = dict(zip(names, form.slot.tolist(), strict=True))
    return table | {
        (player, None): int(form.treeplex.first_slot[player]) for player in range(form.players)
    }


def bucket_of(form, slot):
    return int(np.searchsorted(form.treeplex.bucket_slot, slot, side="right")) - 1


def check_layout(form):
    """The layout is the one that the class describes."""
    layout, slots = form.treeplex, slots_by_name(form)
    assert len(set(slots.values())) == len(slots) == form.slots, (
        "each slot is one action or one empty sequence"
    )
    assert max(slots.values()) < layout.first_slot[-1] <= form.length

    real, after = set(slots.values()), 0
    for player in range(form.players):
        assert layout.first_slot[player] == after
        after += LANES  # the empty sequence, alone
        for b in range(layout.first_bucket[player], layout.first_bucket[player + 1]):
            first, size, actions = (
                layout.bucket_slot[b],
                layout.bucket_size[b],
                layout.bucket_actions[b],
            )
            assert first == after, "no gaps, player by player"
            after += int(size * actions)
            assert size % LANES == first % LANES == 0
            for i in range(size):
                parent = layout.parent_slot[layout.bucket_infoset[b] + i]
                assert layout.first_slot[player] <= parent < first, (
                    "what leads to a bucket lies in an earlier one"
                )
                filled = {int(first + a * size + i) in real for a in range(actions)}
                assert filled == {int(parent) in real}, (
                    "what fills up a bucket hangs from no slot of the game"
                )
    assert layout.first_slot[-1] == after
    assert layout.bucket_size.sum() == len(layout.parent_slot)

    index = 0
    for player, _, actions in form.infosets:
        own = form.slot[index : index + len(actions)].astype(int)
        index += len(actions)
        b = bucket_of(form, own[0])
        assert layout.first_bucket[player] <= b < layout.first_bucket[player + 1]
        assert layout.bucket_actions[b] == len(actions)
        assert np.all(own == own[0] + np.arange(len(actions)) * int(layout.bucket_size[b])), (
            "[action][infoset]"
        )
        assert own[0] - layout.bucket_slot[b] < layout.bucket_size[b]
    assert index == len(form.slot)


def check_parents(form, root):
    """Each infoset hangs from the last move of the same player."""
    layout, slots = form.treeplex, slots_by_name(form)

    def visit(node, last):
        if node.player >= 0:
            first_action = slots[(*node.key, next(iter(node.children)))]
            b = bucket_of(form, first_action)
            parent = layout.parent_slot[
                layout.bucket_infoset[b] + first_action - layout.bucket_slot[b]
            ]
            assert parent == slots[last[node.player]]
        for label, child in node.children.items():
            visit(child, {**last, node.player: (*node.key, label)} if node.player >= 0 else last)

    visit(root, {player: (player, None) for player in range(form.players)})


def check_payoff(form, root):
    """The payoff is the sum over all leaves that share their slots, each slot's row sorted out, zeros left out."""
    slots, expected = slots_by_name(form), defaultdict(lambda: [[] for _ in range(form.players)])

    def visit(node, last, chance_reach):
        if node.player == TERMINAL:
            for sums, payoff in zip(expected[tuple(last)], node.payoffs, strict=True):
                sums.append(payoff * chance_reach)
        for label, child in node.children.items():
            if node.player == CHANCE:
                visit(child, last, chance_reach * node.probabilities[label])
            else:
                slot = slots[(*node.key, label)]
                visit(child, [*last[: node.player], slot, *last[node.player + 1 :]], chance_reach)

    visit(root, [slots[player, None] for player in range(form.players)], 1.0)

    found = {}
    for player in range(form.players):
        own, column, weight = entries(form.payoff, player)
        column = column.reshape(form.players - 1, len(weight))
        for k, slot in enumerate(own.tolist()):
            key = slot, tuple(column[:, k].tolist())
            assert key not in found, "leaves with the same slots are merged"
            assert weight[k] != 0
            found[key] = weight[k]
    for leaf, sums in expected.items():
        for player in range(form.players):
            key = leaf[player], leaf[:player] + leaf[player + 1 :]
            assert math.isclose(
                found.pop(key, 0.0), math.fsum(sums[player]), rel_tol=1e-12, abs_tol=1e-15
            )
    assert not found


@examples
def test_layout(spec):
    check_layout(eq.compile_game(eq.load(spec)))


@given(seed=seeds)
def test_layout_of_random_games(seed):
    check_layout(eq.compile_game(RandomGame(seed)))


@examples
def test_parents(spec):
    game = eq.load(spec)
    check_parents(eq.compile_game(game), unfold(game))


@given(seed=seeds)
def test_parents_of_random_games(seed):
    game = RandomGame(seed)
    check_parents(eq.compile_game(game), unfold(game))


@examples
def test_payoff(spec):
    game = eq.load(spec)
    check_payoff(eq.compile_game(game), unfold(game))


@given(seed=seeds, zero_sum=st.booleans())
def test_payoff_of_random_games(seed, zero_sum):
    game = RandomGame(seed, zero_sum=zero_sum)
    check_payoff(eq.compile_game(game), unfold(game))


@pytest.mark.parametrize(
    ("order", "players"),
    [
        ([0, 1], 2),
        ([1, 0], 2),
        ([2, 0, 1], 3),
        ([2, 2, 0], 3),
        ([1], 2),
        ([4, 1, 3, 0, 2], 5),
        ([3, 0, 3, 4, 3], 5),
    ],
)
def test_players_that_first_appear_in_any_order(order, players):
    game = turns(order, players)
    form, root = eq.compile_game(game), unfold(game)
    assert form.players == players
    check_layout(form)
    check_parents(form, root)
    check_payoff(form, root)


def count_entries(form):
    return sum(len(entries(form.payoff, player)[0]) for player in range(form.players))


def test_sizes_of_kuhn():
    form = eq.compile_game(eq.load("kuhn"))
    assert (form.histories, form.depth, len(form.infosets), form.slots, form.zero_sum) == (
        58,
        5,
        12,
        26,
        True,
    )
    assert count_entries(form) == 2 * 30  # 30 leaves, no two with the same slots, no payoff 0


def test_leaves_that_differ_by_suit_alone_are_merged():
    merged, apart = (
        eq.compile_game(eq.load(f"leduc(merge_suits={merge})")) for merge in (True, False)
    )
    assert merged.histories < apart.histories
    assert count_entries(merged) < count_entries(apart) / 4


def test_arrays_are_unsigned_32_bits():
    """Signed indices would make Numba check each of them for being negative."""
    for spec in ("kuhn", "kuhn(players=3)", "leduc"):
        form = eq.compile_game(eq.load(spec))
        for array in (form.slot, *form.treeplex, *form.payoff):
            assert array.dtype in (np.uint32, np.float64)
            assert array.flags.c_contiguous
        weights = [
            name for name in form.payoff._fields if getattr(form.payoff, name).dtype == np.float64
        ]
        assert all("weight" in name for name in weights)


def test_compiling_twice_gives_the_same_arrays():
    one, other = (eq.compile_game(eq.load("leduc")) for _ in range(2))
    assert one.infosets == other.infosets
    for left, right in zip(
        (*one.treeplex, *one.payoff), (*other.treeplex, *other.payoff), strict=True
    ):
        assert np.array_equal(left, right)


@examples
def test_the_form_gives_the_canonical_entries_back(spec):
    game = eq.load(spec)
    walked = explore(game, CompileBudget(), keep_tree=False)
    canonical = walked.canonical or canonical_form(walked.whole, game)
    form = sequence_form(canonical)
    for player in range(form.players):
        whole = payoff_entries(
            np.ascontiguousarray(canonical.leaf_sequence.T), canonical.weights, player
        )
        sequence, others, weight = form.entries(player)
        assert np.array_equal(
            sequence, np.repeat(np.arange(len(whole.start) - 1), np.diff(whole.start))
        )
        assert np.array_equal(others.T, whole.slots[whole.column])
        assert np.array_equal(weight, whole.weight)


@examples
def test_another_layout_has_the_same_fingerprint(spec, monkeypatch):
    form = eq.compile_game(eq.load(spec))
    monkeypatch.setattr(treeplex, "LANES", 16)
    other = eq.compile_game(eq.load(spec))
    assert not np.array_equal(other.slot, form.slot)
    assert other.fingerprint == form.fingerprint
    for player in range(form.players):
        assert all(map(np.array_equal, other.entries(player), form.entries(player)))


def brute_entries(leaf_slots, weights, player):
    """Sum payoffs over leaves by slot and the others' slots; what cancels is no entry."""
    found = defaultdict(float)
    for leaf in range(leaf_slots.shape[1]):
        if weights[leaf, player] != 0:
            others = tuple(np.delete(leaf_slots[:, leaf], player).tolist())
            found[int(leaf_slots[player, leaf]), others] += weights[leaf, player]
    return {key: weight for key, weight in found.items() if weight != 0}


@given(seed=seeds, players=st.integers(1, 4))
def test_the_layout_holds_the_canonical_entries(seed, players):
    """Both are what is summed leaf by leaf: sums that cancel, ties, slots apart, and weights that are shared."""
    dice = np.random.default_rng(seed)
    leaves = int(dice.integers(0, 60))
    leaf_slots = dice.integers(0, int(dice.integers(1, 40)), (players, leaves)).astype(np.uint32)
    weights = dice.choice([-1.0, 0.0, 0.5, 1.0], (leaves, players))
    payoff = make_payoff(leaf_slots, weights)
    for player in range(players):
        expected = brute_entries(leaf_slots, weights, player)
        canonical = payoff_entries(leaf_slots, weights, player)
        rows = np.repeat(np.arange(len(canonical.start) - 1), np.diff(canonical.start))
        others = canonical.slots[canonical.column]
        assert {
            (int(slot), tuple(own.tolist())): weight
            for slot, own, weight in zip(rows, others, canonical.weight, strict=True)
        } == expected
        slot, column, weight = entries(payoff, player)
        column = column.reshape(players - 1, len(weight)).T
        assert len(weight) == len(expected)
        assert {
            (int(one), tuple(own.tolist())): number
            for one, own, number in zip(slot, column, weight, strict=True)
        } == expected
