"""Finer games: a game with more actions below, such as bet sizes that were not in the tree, beside the coarse one."""

from __future__ import annotations

import numpy as np

from .._util.arrays import Ints
from ..errors import GameError
from ..form.gadget import Boundary
from ..form.sequence.form import SequenceForm
from ..form.sequence.part import SequencePart
from ..form.sequence.tree import NO_INFOSET, GameTree, levels
from ..game.protocol import CHANCE
from ..solving.sources import read_at_slots
from ..strategy.strategy import Strategy
from .added_actions import not_finer_error

_ABOUT = 1e-12  # of the largest payoff, and of probabilities, for rounding


def lacks_infosets(strategy: Strategy, form: SequenceForm) -> bool:
    """Return whether a form has infosets or actions that a strategy has not."""
    counts = {infoset[:2]: len(infoset.actions) for infoset in strategy.infosets}
    return any(counts.get(infoset[:2], 0) < len(infoset.actions) for infoset in form.infosets)


class FinerGame:
    """A sequence form whose game has more actions than that of a coarse one, and where the histories of the latter are.

    Both have their trees.

    Raises
    ------
    GameError
        The finer game has not everything that the coarse one has, with the same names,
        probabilities and payoffs.
    """

    def __init__(self, coarse: SequenceForm, finer: SequenceForm) -> None:
        assert coarse.tree is not None
        assert finer.tree is not None
        self.coarse = coarse
        self.finer = finer
        self._actions = self._match_actions()
        self._image = self._match_histories(coarse.tree, finer.tree)

    def _error(self, reason: str) -> GameError:
        return not_finer_error(self.coarse.name, self.finer.name, reason)

    def _match_actions(self) -> Ints:
        """Return the number in the finer game of each action of the coarse one."""
        infosets = {
            infoset[:2]: (i, infoset.actions) for i, infoset in enumerate(self.finer.infosets)
        }
        numbers = []
        for player, key, actions in self.coarse.infosets:
            i, finer_actions = infosets.get((player, key), (-1, ()))
            if i < 0:
                raise self._error(f"it has no infoset {key!r} of player {player}")
            for action in actions:
                if action not in finer_actions:
                    raise self._error(f"at {key!r} it has no action {action!r}")
                numbers.append(int(self.finer.first_action[i]) + finer_actions.index(action))
        return np.array(numbers, np.int64)

    def _match_histories(self, coarse: GameTree, finer: GameTree) -> Ints:
        """Return the number in the finer game of each history of the coarse one."""
        image = np.zeros(coarse.histories, np.int64)
        owner = np.repeat(np.arange(len(self.finer.infosets)), self.finer.infosets.num_actions)
        for level in [np.zeros(1, np.int64), *levels(coarse)]:
            parent = coarse.parent[level].astype(np.int64)
            place = level - coarse.first_child[parent]
            is_decision = coarse.infoset[parent] != NO_INFOSET
            action = self._actions[
                self.coarse.first_action[coarse.infoset[parent[is_decision]]] + place[is_decision]
            ]
            place[is_decision] = action - self.finer.first_action[owner[action]]
            if level[0]:
                image[level] = finer.first_child[image[parent]] + place
            finer_level = image[level]
            if (coarse.player[level] != finer.player[finer_level]).any():
                raise self._error(
                    "somebody else moves, or the game is over, after the same actions"
                )
            is_chance = coarse.player[level] == CHANCE
            if (
                coarse.num_children[level[is_chance]] != finer.num_children[finer_level[is_chance]]
            ).any():
                raise self._error("chance has another number of outcomes after the same actions")
            if (np.abs(coarse.probability[level] - finer.probability[finer_level]) > _ABOUT).any():
                raise self._error("outcomes of chance have other probabilities")
        leaf = np.zeros(finer.histories, np.int64)
        leaf[finer.leaf] = np.arange(len(finer.leaf))
        finer_payoffs = finer.payoffs[leaf[image[coarse.leaf]]]
        if (np.abs(coarse.payoffs - finer_payoffs) > _ABOUT * coarse.largest_payoff).any():
            raise self._error("the same plays have other payoffs")
        decides = np.flatnonzero(coarse.infoset != NO_INFOSET)
        first_action = self._actions[self.coarse.first_action[coarse.infoset[decides]]]
        if (owner[first_action] != finer.infoset[image[decides]]).any():
            raise self._error("the same plays belong to other infosets")
        return image

    def lift(self, strategy: Strategy) -> Strategy:
        """Return a strategy as one of the finer game: added actions are not played; what follows on them is uniform."""
        probabilities = np.repeat(
            1.0 / self.finer.infosets.num_actions, self.finer.infosets.num_actions
        )
        owner = np.repeat(np.arange(len(self.finer.infosets)), self.finer.infosets.num_actions)
        probabilities[np.isin(owner, owner[self._actions])] = 0.0
        probabilities[self._actions] = read_at_slots(strategy, self.coarse)[self.coarse.slot]
        return Strategy(self.finer.infosets, probabilities)

    def part(self, strategy: Strategy, line: str, player: int) -> tuple[SequencePart, Boundary]:
        """Return the part of the finer game that begins at an infoset of the coarse one, and what comes there.

        Values are those of the coarse game, where the opponent has no added actions either.
        """
        if not any(infoset.key == line for infoset in self.coarse.infosets):
            raise GameError(
                f"line: {self.coarse.name} has no infoset {line!r}; a part with added actions "
                "begins at one of the game that was solved, before the first added action.",
                wrong_use=True,
            )
        coarse_part = SequencePart(self.coarse, line, player)
        finer_part = SequencePart(self.finer, line, player)
        boundary = coarse_part.boundary(read_at_slots(strategy, self.coarse))
        roots = self._image[coarse_part.roots]
        if not np.array_equal(np.sort(roots), finer_part.roots):
            raise GameError(
                f"line: what follows on {line!r} in {self.finer.name} cannot be told from what "
                f"follows on actions that {self.coarse.name} has not; begin earlier.",
                wrong_use=True,
            )
        hand = np.zeros(len(finer_part.hands), np.int64)
        hand[finer_part.hand[np.searchsorted(finer_part.roots, roots)]] = coarse_part.hand
        return finer_part, Boundary(*(numbers[hand] for numbers in boundary))


def complete_by(strategy: Strategy, finer_strategy: Strategy) -> Strategy:
    """Return a strategy with the infosets and actions of a lifted one, which it plays as that where it has them not."""
    rows = {
        (i.player, i.key): dict(zip(i.actions, strategy[i.player, i.key].values(), strict=True))
        for i in strategy.infosets
    }
    probabilities = []
    for infoset in finer_strategy.infosets:
        row = rows.get((infoset.player, infoset.key))
        finer_row = finer_strategy[infoset.player, infoset.key]
        probabilities += [finer_row[a] if row is None else row.get(a, 0.0) for a in infoset.actions]
    return Strategy(finer_strategy.infosets, np.array(probabilities))
