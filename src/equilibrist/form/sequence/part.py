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
from ..infosets import Infoset, NamedInfosets
from .canonical import CanonicalForm
from .form import SequenceForm, sequence_form
from .leaves import LeafTable, with_leaf_values
from .tree import NO_INFOSET, cf_reach_of_infosets, levels, missing_tree

ABOVE = "above the part"
ENTER = "enter"
TAKE = "take the value"
"""What the opponent decides above a part, with each hand."""


class _Copy(NamedTuple):
    """The leaves of a part once, with a weight for each hand, and what leads the opponent to it."""

    weight: Floats  # shape (hands,)
    above: Ints  # shape (hands,): the opponent's sequence, in the numbers of the new form, that leads to each hand
    suffix: str  # of the names of the opponent's infosets


class Hands(NamedTuple):
    """The hands that a player can hold where some histories are: histories that the player cannot tell apart."""

    number: Ints  # shape (histories,): the hand at each of these
    names: tuple[
        str, ...
    ]  # of the first infosets after; where there is none, of the last one before and the action
    decides: NDArray[np.bool_]  # shape (hands,): whether the player decides anything after


class Ends(NamedTuple):
    """Where the plays of a part end, and what the opponent decides there, in the numbers of the whole form."""

    infosets: Ints  # shape (infosets,): where somebody decides before
    history: Ints  # shape (ends,)
    payoffs: Floats  # shape (ends, 2)
    decisions: tuple[Infoset, ...] = ()  # of the opponent, after all others
    # shape (ends,): 1 + the number, through all decisions, of the action that leads to an end; 0 where there is none
    choice: Ints = np.zeros(0, np.int64)
    walked: Ints | None = (
        None  # shape (ends,): the last histories that the player decides on, if not the ends
    )
    below: LeafTable | None = (
        None  # of the last ends, the leaves of which a function says what they are worth
    )


class SequencePart:
    """The smallest set of histories after as many moves that no infoset leaves, and all that follows on them.

    Parameters
    ----------
    form : SequenceForm
        The whole game, with its tree, of two players.
    line : str
        The name of an infoset where the part begins, or a pattern of names (``*`` is any text): the part begins where
        its histories are, as with ``equilibrist play --line``.
    player : int
        Who is solved again; the other is the opponent.

    Raises
    ------
    GameError
        No infoset has such a name, those that have are in several parts, or an infoset lies inside and outside.
    """

    def __init__(self, form: SequenceForm, line: str, player: int) -> None:
        if form.tree is None:
            raise missing_tree(form.name)
        self.form = form
        self.tree = form.tree
        self.player = player
        self.opponent = 1 - player
        self._find(line)

    def _find(self, line: str) -> None:
        tree = self.tree
        infosets = self.form.infosets
        keys = [infoset.key for infoset in infosets]
        matches = [i for i, key in enumerate(keys) if key == line]
        matches = matches or [i for i, key in enumerate(keys) if fnmatchcase(key, line)]
        if not matches:
            raise GameError(
                f"line: {self.form.name} has no infoset {line!r}, by which a part of a game in the sequence form is "
                f"named.{nearest(line, keys)}",
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
                f"line: {line!r} names infosets of {len(groups)} parts of {self.form.name}, which are solved again one "
                "by one; give a name that belongs to one of them.",
                wrong_use=True,
            )
        inside = (root >= 0) & (group[root] == groups[0])
        members = tree.infoset != NO_INFOSET
        within = np.zeros(len(infosets), bool)
        within[tree.infoset[members & inside]] = True
        straddling = np.unique(
            tree.infoset[members & ~inside & within[np.where(members, tree.infoset, 0)]]
        )
        if len(straddling):
            raise GameError(
                f"line: the infoset {keys[straddling[0]]!r} of player {infosets[int(straddling[0])].player} lies "
                f"partly in what follows on {line!r} and partly elsewhere, so that this part of {self.form.name} "
                "cannot be solved again by itself; begin earlier.",
                wrong_use=True,
            )
        self.roots = np.flatnonzero(inside & (depth == moves))
        self.infosets: Ints = np.flatnonzero(within)
        leaves = np.flatnonzero(inside[tree.leaf])
        self.ends = Ends(self.infosets, tree.leaf[leaves].astype(np.int64), tree.payoffs[leaves])

    def groups(self, root: Ints) -> Ints:
        """Return a number for each history: histories of ``root`` with the same one belong together.

        They do if an infoset has histories that follow on both, or if somebody who decides nothing more after them did
        the same before: what is public is known by what anybody can tell apart.
        """
        tree = self.tree
        count = self.tree.histories
        decisions = np.flatnonzero((tree.infoset != NO_INFOSET) & (root >= 0))
        rows = [root[decisions]]
        columns = [count + tree.infoset[decisions].astype(np.int64)]
        first = count + len(self.form.infosets)
        for player in range(2):
            busy = root[decisions[tree.player[decisions] == player]]
            idle = np.setdiff1d(root[decisions], busy)
            rows.append(idle)
            columns.append(first + self.last[0][idle, player])
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

    def unreached(self, strategy: Floats) -> Ints:
        """Return those of the player's infosets in the part to which a strategy at the slots of the whole never leads.

        The player does not come to the part with these hands, whatever is done in it.
        """
        own_reach = np.append(1.0, self.form.reach(strategy)[self.form.slot])[
            self.last[0][self.roots, self.player]
        ]
        root = self.below(self.roots, np.arange(len(self.roots)))
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
        theirs = np.flatnonzero(
            (number >= 0) & (tree.infoset != NO_INFOSET) & (tree.player == player)
        )
        idle = np.setdiff1d(
            np.arange(len(histories)), number[theirs]
        )  # where the player decides nothing more
        first = len(histories) + len(infosets)
        knows = np.append(
            len(histories) + tree.infoset[theirs].astype(np.int64), first + last[idle]
        )
        size = first + 1 + self.form.num_actions
        group = _components(np.append(number[theirs], idle), knows, size)[: len(histories)]
        hand = np.unique(group, return_inverse=True)[1]
        below = np.full(int(hand.max(initial=-1)) + 1, -1)  # the first infoset of each hand
        below[hand[number[theirs[::-1]]]] = tree.infoset[theirs[::-1]]
        names = []
        for i, infoset in enumerate(below.tolist()):
            action = int(last[hand == i][0]) - 1
            if infoset >= 0:
                names.append(infosets[infoset].key)
            elif action >= 0:
                above = int(np.searchsorted(self.form.first_action, action, side="right")) - 1
                taken = infosets[above].actions[action - int(self.form.first_action[above])]
                names.append(f"{infosets[above].key}: {taken}")
            else:
                names.append(f"hand {i}")
        return Hands(hand, tuple(names), below >= 0)

    def below(self, histories: Ints, numbers: Ints) -> Ints:
        """Return, for each history that follows on some, what belongs to that one; -1 for the others."""
        number = np.full(self.tree.histories, -1)
        number[histories] = numbers
        for level in levels(self.tree):
            number[level] = np.maximum(number[level], number[self.tree.parent[level]])
        return number

    def boundary(self, strategy: Floats) -> Boundary:
        """Return what the opponent's hands bring, for a strategy of the whole game at the slots."""
        own_reach = np.append(1.0, self.form.reach(strategy)[self.form.slot])
        responses = self.form.best_responses(strategy)
        best = responses.best_value[self.form.slot]
        owner = self.form.infosets.owner
        last, chance = self.last
        weight = self._sum(chance[self.roots] * own_reach[last[self.roots, self.player]])
        with np.errstate(divide="ignore", invalid="ignore"):
            lost = np.repeat(
                np.maximum.reduceat(best, self.form.first_action[:-1]),
                self.form.infosets.num_actions,
            )
            per_reach = cf_reach_of_infosets(self.form.name, self.tree, strategy[self.form.slot])
            lost = np.maximum(lost - best, 0.0) / np.repeat(
                per_reach, self.form.infosets.num_actions
            )
        gift = np.append(0.0, np.where(np.isfinite(lost), lost, 0.0))
        for i in np.flatnonzero(
            owner == self.opponent
        ).tolist():  # an infoset comes after those that lead to it
            actions = slice(
                1 + int(self.form.first_action[i]), 1 + int(self.form.first_action[i + 1])
            )
            gift[actions] += gift[self.form.parent_sequence[i]]
        before = np.zeros(len(self.hands), np.int64)
        before[self.hand] = last[self.roots, self.opponent]
        return Boundary(own_reach[before], weight, self.values(strategy), gift[before])

    def values(self, strategy: Floats, ends: Ends | None = None) -> Floats:
        """Return the counterfactual best-response value of each hand of the opponent, shape (hands,).

        It is that against the player's part of a strategy at the slots of the whole game: the reach before and below.
        """
        ends = ends or self.ends
        ones = np.ones(len(self.hands))
        zeros = np.zeros(len(self.hands))
        form = self.game(strategy, Gadget(zeros, ones, zeros, picks=True), ends=ends)
        first = self.form.first_action[:-1][ends.infosets]
        count = self.form.infosets.num_actions[ends.infosets]
        before = offsets(count)
        actions = np.repeat(first - before[:-1], count) + np.arange(before[-1])
        chosen = np.ones(sum(len(infoset.actions) for infoset in ends.decisions))
        at = form.to_slots(np.concatenate([ones, strategy[self.form.slot][actions], chosen]))
        values: Floats = form.best_responses(at).best_value[form.slot[: len(self.hands)]]
        return values

    def _sum(self, of_roots: Floats) -> Floats:
        """Return the sum over the roots of each hand."""
        return np.bincount(self.hand, of_roots, len(self.hands)).astype(np.float64)

    def game(
        self, strategy: Floats, gadget: Gadget, name: str = "", ends: Ends | None = None
    ) -> SequenceForm:
        """Return the part as a game, in which the player comes with the reach of a strategy at the slots of the whole.

        The player's infosets have their names. The opponent decides above the part as the gadget says: those infosets
        are the first ones, and where some hands enter always, the infosets below which were chosen have other names.
        Payoffs are those of the opponent, and minus these for the player, if anything is decided. ``ends`` are where
        plays end, if not those of the whole game.
        """
        ends = ends or self.ends
        form, last, chance = self.form, *self.last
        picks = gadget.picks
        enters = np.flatnonzero(gadget.chosen > 0)
        decisions: list[Infoset] = []
        if gadget.decides and picks:
            names = tuple(f"{ENTER} with {self.hands[hand]}" for hand in enters.tolist())
            decisions = [Infoset(self.opponent, ABOVE, names)]
        elif gadget.decides:
            whose = (self.hands[hand] for hand in enters.tolist())
            decisions = [
                Infoset(self.opponent, f"{ABOVE}: {hand}", (TAKE, ENTER)) for hand in whose
            ]
        sequences = sum(len(infoset.actions) for infoset in decisions)
        hands = len(gadget.chosen)
        enter = np.zeros(hands, np.int64)
        if picks:
            enter[enters] = 1 + np.arange(len(enters))
        else:
            enter[enters] = 2 + 2 * np.arange(len(enters))
        if gadget.always.any():
            copies = [_Copy(gadget.always, np.zeros(hands, np.int64), "")]
        else:
            copies = []
        if gadget.decides:
            copies.append(_Copy(gadget.chosen, enter, " (chosen)" if copies else ""))

        own_reach = np.append(1.0, form.reach(strategy)[form.slot])[last[self.roots, self.player]]
        leaves = ends.history
        payoffs = ends.payoffs
        if gadget.decides:
            payoffs = payoffs[:, [self.opponent]] * np.where(
                np.arange(2) == self.opponent, 1.0, -1.0
            )
        root = self.below(self.roots, np.arange(len(self.roots)))
        reach_there = own_reach[root[leaves]]
        weights = payoffs * (chance[leaves] * reach_there)[:, None]
        hand_of_leaf = self.hand[root[leaves]]
        hand_of_infoset = np.zeros(len(form.infosets), np.int64)
        decided = np.flatnonzero((root >= 0) & (self.tree.infoset != NO_INFOSET))
        hand_of_infoset[self.tree.infoset[decided]] = self.hand[root[decided]]
        listed = [
            (
                form.infosets[i],
                int(form.parent_sequence[i]),
                1 + int(form.first_action[i]),
                int(hand_of_infoset[i]),
            )
            for i in ends.infosets.tolist()
        ]
        chosen = 1 + form.num_actions
        choices = np.flatnonzero(ends.choice)
        for infoset in ends.decisions:
            end = np.flatnonzero(ends.choice == chosen - form.num_actions)[0]  # by the first action
            listed.append(
                (infoset, int(last[leaves[end], self.opponent]), chosen, int(hand_of_leaf[end]))
            )
            chosen += len(infoset.actions)

        all_infosets = list(decisions)
        parents = [0] * len(decisions)
        leaf_sequences = []
        all_weights = []
        own_weights = []  # of each copy, what is done before with the hands of both
        moved = np.zeros(
            chosen, np.int64
        )  # what each sequence of the whole is in the part; 0: before it
        for number, copy in enumerate(copies):
            for infoset, parent, begin, hand in listed:
                is_theirs = infoset.player == self.opponent
                count = len(infoset.actions)
                if number and not is_theirs:
                    continue
                above = int(moved[parent])  # an infoset comes after those that lead to it
                parents.append(above or (int(copy.above[hand]) if is_theirs else 0))
                all_infosets.append(
                    infoset._replace(key=infoset.key + copy.suffix) if is_theirs else infoset
                )
                moved[begin : begin + count] = 1 + sequences + np.arange(count)
                sequences += count
            pair = moved[last[leaves]]
            if ends.walked is not None:
                pair[:, self.player] = moved[last[ends.walked, self.player]]
            pair[choices, self.opponent] = moved[form.num_actions + ends.choice[choices]]
            outside = pair[:, self.opponent] == 0
            pair[outside, self.opponent] = copy.above[hand_of_leaf[outside]]
            leaf_sequences.append(pair)
            all_weights.append(weights * copy.weight[hand_of_leaf][:, None])
            of_opponent = copy.weight[hand_of_leaf]
            own_weights.append(
                np.where(np.arange(2) == self.opponent, of_opponent[:, None], reach_there[:, None])
            )
        if gadget.decides:
            pair = np.zeros((len(enters), 2), np.int64)
            if picks:
                pair[:, self.opponent] = enter[enters]
            else:
                pair[:, self.opponent] = enter[enters] - 1
            sign = np.where(np.arange(2) == self.opponent, 1.0, -1.0) * (-1.0 if picks else 1.0)
            leaf_sequences.append(pair)
            all_weights.append((gadget.chosen * gadget.value)[enters, None] * sign)
        canonical = CanonicalForm(
            name=name or f"part of {form.name}",
            histories=1 + sum(map(len, leaf_sequences)),
            depth=form.depth,
            payoff_sum=0.0 if gadget.decides else form.payoff_sum,
            largest_payoff=form.largest_payoff,
            infosets=NamedInfosets(all_infosets),
            parent_sequence=np.array(parents, np.uint32),
            leaf_sequence=np.concatenate(leaf_sequences).astype(np.uint32),
            weights=np.concatenate(all_weights),
        )
        part = sequence_form(canonical)
        if ends.below is None:
            return part
        copied = range(len(copies)), range(1)  # of the opponent's hands, and of the player's
        paths = [
            [
                (
                    leaf_sequences[k][-len(ends.below.state) :, player],
                    own_weights[k][-len(ends.below.state) :, player],
                )
                for k in copied[player != self.opponent]
            ]
            for player in range(2)
        ]
        constant = np.where(
            np.arange(2) == self.player, (form.payoff_sum or 0.0) if gadget.decides else 0.0, 0.0
        )
        return with_leaf_values(part, ends.below, paths, constant)


def _components(ends: Ints, other_ends: Ints, size: int) -> Ints:
    """Return the number of the connected component of each of so many vertices; links have two ends."""
    from scipy.sparse import coo_array  # a third of a second
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(ends)), (ends, other_ends)), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1])
