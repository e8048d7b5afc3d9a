"""Where a part of a game in the sequence form is cut, and the ends that its plays have then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...errors import GameError
from ...game.protocol import CHANCE
from ..infosets import Infoset
from ..leaf import Leaf, LeafFunction
from .leaves import LeafTable
from .part import Ends, SequencePart
from .tree import NO_INFOSET, history_reach, history_values, levels, move_probabilities


class Cut(NamedTuple):
    """Where a part is cut.

    Attributes
    ----------
    leaves : int array
        The histories from which on nothing is walked.
    ends : Ends
        Those of plays that end before.
    above : int array, shape (histories,)
        The leaf that a history is or follows on; -1 for others.
    """

    leaves: Ints
    ends: Ends
    above: Ints


def cut_part(part: SequencePart, number: int, *, streets: bool) -> Cut:
    """Return where a part is cut after so many actions of the players, or where chance moves after theirs so often.

    Raises
    ------
    GameError
        An infoset lies before and after the cut.
    """
    tree = part.tree
    infosets = part.form.infosets
    inside = part.below(part.roots, part.roots)
    count = np.zeros(tree.histories, np.int64)
    above = np.full(tree.histories, -1)
    for level in levels(tree):
        up = tree.parent[level].astype(np.int64)
        moved = (inside[up] >= 0) & (tree.infoset[up] != NO_INFOSET)
        count[level] = count[up] + (moved & (tree.player[level] == CHANCE) if streets else moved)
        begins = (count[level] == number) & (count[up] < number) & (tree.num_children[level] > 0)
        above[level] = np.where(above[up] >= 0, above[up], np.where(begins, level, -1))
    decides = (inside >= 0) & (tree.infoset != NO_INFOSET)
    walked = np.unique(tree.infoset[decides & (above < 0)]).astype(np.int64)
    straddling = np.intersect1d(walked, tree.infoset[decides & (above >= 0)])
    if len(straddling):
        raise GameError(
            f"depth: the infoset {infosets[int(straddling[0])].key!r} lies partly before the cut "
            "and partly after it, as not everybody sees how often others have moved in "
            f"{part.form.name}; give another depth.",
            wrong_use=True,
        )
    leaves = np.flatnonzero(above == np.arange(tree.histories))
    full_ends = part.ends
    is_before = above[full_ends.history] < 0
    return Cut(
        leaves, Ends(walked, full_ends.history[is_before], full_ends.payoffs[is_before]), above
    )


def end_with_continuations(
    part: SequencePart, cut: Cut, ways: Sequence[Floats], names: Sequence[str]
) -> Ends:
    """Return the ends of a part that is cut, if the opponent chooses at each leaf, with each hand, how to go on.

    ``ways`` are strategies at the slots of the whole, by which both go on; those of the player are
    the same in all. What is chosen is known before anything more is seen, and each choice is worth
    exactly what follows by it.
    """
    if not len(cut.leaves):
        return cut.ends
    moves = [move_probabilities(part.tree, way[part.form.slot]) for way in ways]
    values = np.array([history_values(part.tree, probability)[cut.leaves] for probability in moves])
    hands = part.hands_at(cut.leaves, part.opponent)
    decides = hands.decides & (len(ways) > 1)
    begin = 1 + len(ways) * (np.cumsum(decides) - 1)  # of the choices of each hand
    history = [cut.ends.history]
    payoffs = [cut.ends.payoffs]
    choice = [np.zeros(len(cut.ends.history), np.int64)]
    for way, of_leaves in enumerate(values):
        chooses = decides[hands.number]
        if way == 0:
            leaves = np.arange(len(cut.leaves))
        else:
            leaves = np.flatnonzero(chooses)
        history.append(cut.leaves[leaves])
        payoffs.append(of_leaves[leaves])
        choice.append(np.where(chooses, begin[hands.number] + way, 0)[leaves])
    decisions = tuple(
        Infoset(part.opponent, f"{name}: how to go on", tuple(names))
        for name, chooses in zip(hands.names, decides.tolist(), strict=True)
        if chooses
    )
    return Ends(
        cut.ends.infosets,
        np.concatenate(history),
        np.concatenate(payoffs),
        decisions,
        np.concatenate(choice),
    )


def end_with_blueprint(part: SequencePart, cut: Cut, blueprint: Floats) -> Ends:
    """Return the ends of a part that is cut for the player alone: below, the opponent still decides everything.

    The player goes on there as a strategy at the slots of the whole does.
    """
    tree = part.tree
    full_ends = part.ends
    above = cut.above
    moves = move_probabilities(tree, blueprint[part.form.slot])
    is_fixed = (tree.player[tree.parent] == part.player) & (above[tree.parent] >= 0)
    reach = history_reach(tree, np.where(is_fixed, moves, 1.0))[full_ends.history]
    is_opponents = (above >= 0) & (tree.infoset != NO_INFOSET) & (tree.player == part.opponent)
    infosets = np.union1d(cut.ends.infosets, tree.infoset[is_opponents])
    walked = np.where(above[full_ends.history] >= 0, above[full_ends.history], full_ends.history)
    return Ends(infosets, full_ends.history, full_ends.payoffs * reach[:, None], walked=walked)


def end_with_function(
    part: SequencePart, cut: Cut, blueprint: Floats, function: LeafFunction
) -> Ends:
    """Return the ends of a part that is cut, if a function says what the leaves are worth; a strategy at the slots."""
    leaves = cut.leaves
    tree = part.tree
    last = part.last
    if not len(leaves):
        return cut.ends
    state = np.unique(part.groups(cut.above)[leaves], return_inverse=True)[1]
    root = part.below(part.roots, np.arange(len(part.roots)))[leaves]
    values = history_values(tree, move_probabilities(tree, blueprint[part.form.slot]))[leaves]
    hand = np.zeros((len(leaves), 2), np.int64)
    names = []
    for player in range(2):
        hands = part.hands_at(leaves, player)  # of these, some are told apart before the part alone
        pairs = np.stack([state, hands.number, part.hands_at(part.roots, player).number[root]])
        distinct, number = np.unique(pairs, axis=1, return_inverse=True)
        begin = np.searchsorted(distinct[0], np.arange(int(state.max()) + 1))
        hand[:, player] = number.reshape(-1) - begin[state]
        names.append(
            [
                [hands.names[k] for k in distinct[1, distinct[0] == leaf]]
                for leaf in range(len(begin))
            ]
        )
    at_states = []
    for leaf in range(int(state.max()) + 1):
        at_state = np.flatnonzero(state == leaf)
        chance = np.zeros((len(names[0][leaf]), len(names[1][leaf])))
        payoffs = []
        cells = hand[at_state, 0], hand[at_state, 1]
        np.add.at(chance, cells, last[1][leaves[at_state]])
        for player in range(2):
            total = np.zeros(chance.shape)
            np.add.at(total, cells, last[1][leaves[at_state]] * values[at_state, player])
            payoffs.append(np.divide(total, chance, out=np.zeros(chance.shape), where=chance > 0))
        leaf_names = tuple(names[0][leaf]), tuple(names[1][leaf])
        at_states.append(Leaf(leaf_names, chance, partial(np.array, payoffs)))
    ends = cut.ends
    return Ends(
        ends.infosets,
        np.append(ends.history, leaves),
        np.concatenate([ends.payoffs, np.zeros((len(leaves), 2))]),
        choice=np.zeros(len(ends.history) + len(leaves), np.int64),
        below=LeafTable(function, tuple(at_states), state, hand),
    )
