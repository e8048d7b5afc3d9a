"""A part of a game in the sequence form, by its histories, as a game of its own: to be solved again."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints, offsets
from ...errors import GameError, nearest
from ..gadget import Boundary, Gadget
from ..infosets import Infoset
from .form import SequenceForm
from .leaves import LeafTable, with_leaf_values
from .part_game import (
    Copy,
    PartGame,
    PartInfoset,
    PartLeaves,
    copies_below,
    decisions_above,
)
from .tree import NO_INFOSET, cf_reach_of_infosets, levels, missing_tree


class Hands(NamedTuple):
    """The hands that a player can hold where some histories are: histories that the player cannot tell apart.

    Attributes
    ----------
    number : int array, shape (histories,)
        The hand at each of these.
    names : tuple of str
        Of the first infosets after; where there is none, of the last one before and the action.
    decides : bool array, shape (hands,)
        Whether the player decides anything after.
    """

    number: Ints
    names: tuple[str, ...]
    decides: NDArray[np.bool_]


class Ends(NamedTuple):
    """Where the plays of a part end, and what the opponent decides there, in the numbers of the whole form.

    Attributes
    ----------
    infosets : int array, shape (infosets,)
        Where somebody decides before.
    history : int array, shape (ends,)
    payoffs : float array, shape (ends, 2)
    decisions : tuple of Infoset
        Of the opponent, after all others.
    choice : int array, shape (ends,)
        1 + the number, through all decisions, of the action that leads to an end; 0 where there is
        none.
    walked : int array or None, shape (ends,)
        The last histories that the player decides on, if not the ends.
    below : LeafTable or None
        Of the last ends, the leaves of which a function says what they are worth.
    """

    infosets: Ints
    history: Ints
    payoffs: Floats
    decisions: tuple[Infoset, ...] = ()
    choice: Ints = np.zeros(0, np.int64)
    walked: Ints | None = None
    below: LeafTable | None = None


class SequencePart:
    """The smallest set of histories after as many moves that no infoset leaves, and all that follows on them.

    Parameters
    ----------
    form : SequenceForm
        The whole game, with its tree, of two players.
    line : str
        The name of an infoset where the part begins, or a pattern of names (``*`` is any text): the
        part begins where its histories are, as with ``equilibrist play --line``.
    player : int
        Who is solved again; the other is the opponent.

    Raises
    ------
    GameError
        No infoset has such a name, those that have are in several parts, or an infoset lies inside
        and outside.
    """

    def __init__(self, form: SequenceForm, line: str, player: int) -> None:
        if form.tree is None:
            raise missing_tree(form.name)
        self.form = form
        self.tree = form.tree
        self.player = player
        self.opponent = 1 - player
        self._find_roots(line)

    def _find_roots(self, line: str) -> None:
        tree = self.tree
        infosets = self.form.infosets
        keys = [infoset.key for infoset in infosets]
        matches = [i for i, key in enumerate(keys) if key == line]
        matches = matches or [i for i, key in enumerate(keys) if fnmatchcase(key, line)]
        if not matches:
            raise GameError(
                f"line: {self.form.name} has no infoset {line!r}, by which a part of a game in "
                f"the sequence form is named.{nearest(line, keys)}",
                wrong_use=True,
            )
        depth = np.zeros(tree.histories, np.int64)
        for number, level in enumerate(levels(tree), 1):
            depth[level] = number
        begins = np.flatnonzero(np.isin(tree.infoset, matches))
        moves = int(depth[begins].min())
        root = np.full(tree.histories, -1)  # the history after so many moves on the way to each
        root[depth == moves] = np.flatnonzero(depth == moves)
        for number, level in enumerate(levels(tree), 1):
            if number > moves:
                root[level] = root[tree.parent[level]]
        group = self.groups(root)
        groups = np.unique(group[root[begins[root[begins] >= 0]]])
        if len(groups) > 1:
            raise GameError(
                f"line: {line!r} names infosets of {len(groups)} parts of {self.form.name}, "
                "which are solved again one by one; give a name that belongs to one of them.",
                wrong_use=True,
            )
        is_inside = (root >= 0) & (group[root] == groups[0])
        is_decision = tree.infoset != NO_INFOSET
        is_within = np.zeros(len(infosets), bool)
        is_within[tree.infoset[is_decision & is_inside]] = True
        straddling = np.unique(
            tree.infoset[
                is_decision & ~is_inside & is_within[np.where(is_decision, tree.infoset, 0)]
            ]
        )
        if len(straddling):
            raise GameError(
                f"line: the infoset {keys[straddling[0]]!r} of player "
                f"{infosets[int(straddling[0])].player} lies partly in what follows on {line!r} "
                f"and partly elsewhere, so that this part of {self.form.name} cannot be solved "
                "again by itself; begin earlier.",
                wrong_use=True,
            )
        self.roots = np.flatnonzero(is_inside & (depth == moves))
        self.infosets: Ints = np.flatnonzero(is_within)
        leaves = np.flatnonzero(is_inside[tree.leaf])
        self.ends = Ends(self.infosets, tree.leaf[leaves].astype(np.int64), tree.payoffs[leaves])

    def groups(self, root: Ints) -> Ints:
        """Return a number for each history: histories of ``root`` with the same one belong together.

        They do if an infoset has histories that follow on both, or if somebody who decides nothing
        more after them did the same before: what is public is known by what anybody can tell apart.
        """
        tree = self.tree
        count = self.tree.histories
        decisions = np.flatnonzero((tree.infoset != NO_INFOSET) & (root >= 0))
        rows = [root[decisions]]
        columns = [count + tree.infoset[decisions].astype(np.int64)]
        first = count + len(self.form.infosets)
        for player in range(2):
            deciding_roots = root[decisions[tree.player[decisions] == player]]
            idle_roots = np.setdiff1d(root[decisions], deciding_roots)
            rows.append(idle_roots)
            columns.append(first + self.last[0][idle_roots, player])
            first += 1 + self.form.num_actions
        cells = np.concatenate(rows), np.concatenate(columns)
        return _components(cells[0], cells[1], first)

    @cached_property
    def last(self) -> tuple[Ints, Floats]:
        """The last sequence of each player before each history, and the reach of chance."""
        tree = self.tree
        first = 1 + self.form.first_action
        last = np.zeros((tree.histories, 2), np.int64)
        chance = tree.probability.copy()
        for level in levels(tree):
            up = tree.parent[level]
            last[level], chance[level] = last[up], chance[level] * chance[up]
            for player in range(2):
                moved = level[tree.player[up] == player]
                above = tree.parent[moved]
                last[moved, player] = first[tree.infoset[above]] + moved - tree.first_child[above]
        return last, chance

    @cached_property
    def own_infosets(self) -> Ints:
        """The infosets of the player in the part."""
        return np.asarray(self.infosets[self.form.infosets.owner[self.infosets] == self.player])

    @cached_property
    def own_infosets_above(self) -> Ints:
        """The infosets of the player on the way to the part."""
        infosets: set[int] = set()
        pending = set(self.last[0][self.roots, self.player].tolist())
        while pending:
            sequence = pending.pop()
            if sequence:
                infoset = (
                    int(np.searchsorted(self.form.first_action, sequence - 1, side="right")) - 1
                )
                infosets.add(infoset)
                pending.add(int(self.form.parent_sequence[infoset]))
        return np.array(sorted(infosets), np.int64)

    def find_unreached(self, strategy: Floats) -> Ints:
        """Return those of the player's infosets in the part to which a strategy at the slots of the whole never leads.

        The player does not come to the part with these hands, whatever is done in it.
        """
        own_reach = self._own_reach(strategy)
        root = self._root_of_history
        tree = self.tree
        theirs = np.flatnonzero(
            (root >= 0) & (tree.infoset != NO_INFOSET) & (tree.player == self.player)
        )
        reached = tree.infoset[theirs[own_reach[root[theirs]] > 0]]
        return np.setdiff1d(self.own_infosets, reached)

    @cached_property
    def _hands(self) -> Hands:
        return self.hands_at(self.roots, self.opponent)

    @property
    def hand(self) -> Ints:
        """The opponent's hand at each of the roots: a number; infosets below, or what was done before, tell it."""
        return self._hands.number

    @property
    def hands(self) -> tuple[str, ...]:
        """The opponent's hands, by the names of their first infosets below; or of the last one before, and the action
        there; or by number, where the opponent decides nothing at all.
        """
        return self._hands.names

    def hands_at(self, histories: Ints, player: int) -> Hands:
        """Return the hands of a player at some histories, none of which follows on another."""
        tree = self.tree
        infosets = self.form.infosets
        number = self.below(histories, np.arange(len(histories)))
        last = self.last[0][histories, player]
        decisions = np.flatnonzero(
            (number >= 0) & (tree.infoset != NO_INFOSET) & (tree.player == player)
        )
        # where the player decides nothing more
        idle = np.setdiff1d(np.arange(len(histories)), number[decisions])
        first = len(histories) + len(infosets)
        knows = np.append(
            len(histories) + tree.infoset[decisions].astype(np.int64), first + last[idle]
        )
        size = first + 1 + self.form.num_actions
        group = _components(np.append(number[decisions], idle), knows, size)[: len(histories)]
        hand = np.unique(group, return_inverse=True)[1]
        first_infoset = np.full(int(hand.max(initial=-1)) + 1, -1)  # the first infoset of each hand
        first_infoset[hand[number[decisions[::-1]]]] = tree.infoset[decisions[::-1]]
        names = []
        for i, infoset in enumerate(first_infoset.tolist()):
            action = int(last[hand == i][0]) - 1
            if infoset >= 0:
                names.append(infosets[infoset].key)
            elif action >= 0:
                above = int(np.searchsorted(self.form.first_action, action, side="right")) - 1
                action_name = infosets[above].actions[action - int(self.form.first_action[above])]
                names.append(f"{infosets[above].key}: {action_name}")
            else:
                names.append(f"hand {i}")
        return Hands(hand, tuple(names), first_infoset >= 0)

    def below(self, histories: Ints, numbers: Ints) -> Ints:
        """Return, for each history that follows on some, what belongs to that one; -1 for the others."""
        number = np.full(self.tree.histories, -1)
        number[histories] = numbers
        for level in levels(self.tree):
            number[level] = np.maximum(number[level], number[self.tree.parent[level]])
        return number

    def boundary(self, strategy: Floats) -> Boundary:
        """Return what the opponent's hands bring, for a strategy of the whole game at the slots."""
        form = self.form
        reach = np.append(1.0, form.reach(strategy)[form.slot])
        (last, chance) = self.last
        weight = self._sum_by_hand(chance[self.roots] * reach[last[self.roots, self.player]])
        gift = self._gifts(strategy)
        last_of_hand = np.zeros(len(self.hands), np.int64)
        last_of_hand[self.hand] = last[self.roots, self.opponent]
        return Boundary(reach[last_of_hand], weight, self.values(strategy), gift[last_of_hand])

    def _gifts(self, strategy: Floats) -> Floats:
        """Return what the opponent gives away on the way to the end of each sequence, per reach of the others.

        The strategy is one of the whole game at the slots; the result has shape (1 + actions,).
        """
        form = self.form
        num_actions = form.infosets.num_actions
        value = form.best_responses(strategy).best_value[form.slot]
        best_value = np.repeat(np.maximum.reduceat(value, form.first_action[:-1]), num_actions)
        with np.errstate(divide="ignore", invalid="ignore"):
            cf_reach = cf_reach_of_infosets(form.name, self.tree, strategy[form.slot])
            loss = np.maximum(best_value - value, 0.0) / np.repeat(cf_reach, num_actions)
        gift = np.append(0.0, np.where(np.isfinite(loss), loss, 0.0))
        # An infoset comes after those that lead to it.
        for i in np.flatnonzero(form.infosets.owner == self.opponent).tolist():
            actions = slice(1 + int(form.first_action[i]), 1 + int(form.first_action[i + 1]))
            gift[actions] += gift[form.parent_sequence[i]]
        return gift

    def values(self, strategy: Floats, ends: Ends | None = None) -> Floats:
        """Return the counterfactual best-response value of each hand of the opponent, shape (hands,).

        It is that against the player's part of a strategy at the slots of the whole game: the reach
        before and below.
        """
        ends = ends or self.ends
        ones = np.ones(len(self.hands))
        zeros = np.zeros(len(self.hands))
        form = self.game(strategy, Gadget(zeros, ones, zeros, picks=True), ends=ends)
        first = self.form.first_action[:-1][ends.infosets]
        count = self.form.infosets.num_actions[ends.infosets]
        first_of_infoset = offsets(count)
        actions = np.repeat(first - first_of_infoset[:-1], count) + np.arange(first_of_infoset[-1])
        chosen = np.ones(sum(len(infoset.actions) for infoset in ends.decisions))
        at = form.to_slots(np.concatenate([ones, strategy[self.form.slot][actions], chosen]))
        values: Floats = form.best_responses(at).best_value[form.slot[: len(self.hands)]]
        return values

    def _sum_by_hand(self, of_roots: Floats) -> Floats:
        """Return the sum over the roots of each hand."""
        return np.bincount(self.hand, of_roots, len(self.hands)).astype(np.float64)

    def game(
        self, strategy: Floats, gadget: Gadget, name: str = "", ends: Ends | None = None
    ) -> SequenceForm:
        """Return the part as a game, in which the player comes with the reach of a strategy at the slots of the whole.

        The player's infosets have their names. The opponent decides above the part as the gadget
        says: those infosets are the first ones, and where some hands enter always, the infosets
        below which were chosen have other names. Payoffs are those of the opponent, and minus these
        for the player, if anything is decided. ``ends`` are where plays end, if not those of the
        whole game.
        """
        ends = ends or self.ends
        decisions = decisions_above(gadget, self.hands, self.opponent)
        copies = copies_below(gadget, decisions)
        leaves = self._part_leaves(strategy, gadget, ends)
        infosets = self._part_infosets(ends)
        num_choices = sum(len(infoset.actions) for infoset in ends.decisions)
        game = PartGame(self.opponent, decisions, 1 + self.form.num_actions + num_choices)
        for copy in copies:
            game.add_copy(copy, infosets, leaves)
        if gadget.decides:
            game.add_values(gadget)
            payoff_sum: float | None = 0.0
        else:
            payoff_sum = self.form.payoff_sum
        form = game.form(self.form, name or f"part of {self.form.name}", payoff_sum)
        if ends.below is None:
            return form
        return self._with_leaf_values(form, ends.below, gadget, leaves, game, copies)

    @cached_property
    def _root_of_history(self) -> Ints:
        """The number of the root on the way to each history, -1 outside the part."""
        return self.below(self.roots, np.arange(len(self.roots)))

    def _own_reach(self, strategy: Floats) -> Floats:
        """Return the player's reach of each root, for a strategy at the slots of the whole."""
        by_sequence = np.append(1.0, self.form.reach(strategy)[self.form.slot])
        return np.asarray(by_sequence[self.last[0][self.roots, self.player]])

    def _part_leaves(self, strategy: Floats, gadget: Gadget, ends: Ends) -> PartLeaves:
        """Return the leaves of the part, for the reach of a strategy at the slots of the whole.

        Where anything is decided above the part, the player gets minus what the opponent gets.
        """
        (last, chance) = self.last
        sequence = last[ends.history]
        if ends.walked is not None:
            sequence[:, self.player] = last[ends.walked, self.player]
        choices = np.flatnonzero(ends.choice)
        sequence[choices, self.opponent] = self.form.num_actions + ends.choice[choices]
        payoffs = ends.payoffs
        if gadget.decides:
            sign = np.where(np.arange(2) == self.opponent, 1.0, -1.0)
            payoffs = payoffs[:, [self.opponent]] * sign
        root = self._root_of_history[ends.history]
        own_reach = self._own_reach(strategy)[root]
        weights = payoffs * (chance[ends.history] * own_reach)[:, None]
        return PartLeaves(sequence, self.hand[root], own_reach, weights)

    def _part_infosets(self, ends: Ends) -> list[PartInfoset]:
        """Return the infosets of the part, then those at which the opponent decides at its ends."""
        form = self.form
        tree = self.tree
        decisions = np.flatnonzero((self._root_of_history >= 0) & (tree.infoset != NO_INFOSET))
        hand = np.zeros(len(form.infosets), np.int64)
        hand[tree.infoset[decisions]] = self.hand[self._root_of_history[decisions]]
        infosets = []
        for i in ends.infosets.tolist():
            parent = int(form.parent_sequence[i])
            first = 1 + int(form.first_action[i])
            infosets.append(PartInfoset(form.infosets[i], parent, first, int(hand[i])))
        choice = 1
        for infoset in ends.decisions:
            end = ends.history[np.flatnonzero(ends.choice == choice)[0]]  # by the first action
            parent = int(self.last[0][end, self.opponent])
            first = form.num_actions + choice
            infosets.append(
                PartInfoset(infoset, parent, first, int(self.hand[self._root_of_history[end]]))
            )
            choice += len(infoset.actions)
        return infosets

    def _with_leaf_values(
        self,
        form: SequenceForm,
        below: LeafTable,
        gadget: Gadget,
        leaves: PartLeaves,
        game: PartGame,
        copies: list[Copy],
    ) -> SequenceForm:
        """Return the form of the part with the values of its last leaves, which a function says."""
        cut = slice(-len(below.state), None)
        hand = leaves.hand[cut]
        paths: list[list[tuple[Ints, Floats]]] = [[], []]
        # The opponent comes to each copy with its own sequences, the player to all with the same.
        for copy, sequence in zip(copies, game.leaf_sequences, strict=False):
            paths[self.opponent].append((sequence[cut, self.opponent], copy.weight[hand]))
        own_sequence = game.leaf_sequences[0][cut, self.player]
        paths[self.player].append((own_sequence, leaves.own_reach[cut]))
        constant = np.zeros(2)
        if gadget.decides:
            constant[self.player] = self.form.payoff_sum or 0.0
        return with_leaf_values(form, below, paths, constant)


def _components(ends: Ints, other_ends: Ints, size: int) -> Ints:
    """Return the number of the connected component of each of so many vertices; links have two ends."""
    from scipy.sparse import coo_array  # a third of a second
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(ends)), (ends, other_ends)), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1])
