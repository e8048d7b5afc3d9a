"""A run of a spot of hold'em or Omaha that grades decisions of other hands: which it covers, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._util.recent import Recent
from ...errors import SolutionError
from ...evaluation.off_path import is_rare
from ...play.hand import Move
from ...play.score import Grading
from ...solving.solution import Solution
from ..cards.cards import SUIT_PERMUTATIONS, cards_text, parse_cards
from ..solved.opponent import SpotOpponent
from ..solved.spots import SolvedSpot, has_decisions
from ..spot.betting_of_spot import HandRange, Spot
from ..spot.betting_tree import BettingNode
from .hand import Decision, PlayedHand, Step

BEFORE = "before the first street of the run"
BOARD = "no run has the board"
CHIPS = "pot and stacks fit no run of the board"
SIZE = "a bet, here or before, that the run does not have"
HIDDEN = "the cards are not shown"
RANGE = "the hand is not in the range of the run"
RARE = "next to never reached by the run, which promises nothing there"
_MOVES_KEPT = 100_000
_REACHES_KEPT = 10_000


def make_opponent(name: str, solution: Solution) -> SpotOpponent:
    """Return the strategy of a run of a spot; it is an error if it is none, or was saved without its last streets."""
    strategy: Any = solution.strategy
    if not has_decisions(strategy):
        raise SolutionError(
            f"{name} is no run of a spot of hold'em or Omaha; give one of a spot.", wrong_use=True
        )
    opponent = SpotOpponent(strategy, strategy.form)
    if opponent.spot.streets < opponent.spot.form.num_streets:
        raise SolutionError(
            f"{name} was saved without its last streets, whose actions are unknown; save it "
            "without --streets.",
            wrong_use=True,
        )
    return opponent


class HandSpot:
    """A spot of hold'em or Omaha, asked which hands it fits; it is an error if it begins within a street."""

    def __init__(self, name: str, game: Spot) -> None:
        self.name = name
        self.game = game
        self.tree = game.tree
        tree = self.tree
        if not game.in_chips:
            raise SolutionError(
                f"{name} pays prizes, and decisions are graded in chips; grade with spots without "
                "prizes.",
                wrong_use=True,
            )
        if tree.before[0] != tree.before[1] or tree.nodes[0].player != 0:
            after = game.settings["after"]
            raise SolutionError(
                f"{name} begins within a street, after {after!r}; grade with spots that begin "
                "with a street.",
                wrong_use=True,
            )
        self.street = tree.nodes[0].street
        self.pot = tree.pot
        # Stacks as a multiple of the pot.
        self.depth = (tree.rules.stack - tree.before[0]) / self.pot
        self._board = parse_cards(game.settings["board"])
        self._ranks = _sort_ranks(self._board)
        self._suits = alike_suits(game.ranges, [*game.deck.missing, *self._board])
        if game.locks:  # which are of their own suits
            self._suits = self._suits[:1]

    def suits(self, hand: PlayedHand) -> Any:
        """Return a permutation of the deck that turns the first cards of the board of a hand into the spot's.

        None if none does, or the hand is of another game.
        """
        board = hand.board
        first = set(self._board)
        count = len(self._board)
        same = hand.deck.first == self.game.deck.first and hand.hole_cards == self.game.hole_cards
        if len(board) >= count and same and _sort_ranks(board[:count]) == self._ranks:
            for permutation in self._suits:
                if set(permutation[list(board[:count])].tolist()) == first:
                    return permutation
        return None

    def misfit(self, decision: Decision) -> float:
        """Return by which share stacks, as a multiple of the pot, differ from those of the spot."""
        start = decision.begun[self.street]
        if start is None:
            return float("inf")
        return abs(start[1] / start[0] / self.depth - 1)


class GradingRun(HandSpot):
    """A run of a spot of hold'em or Omaha, asked for the cost of decisions."""

    def __init__(self, name: str, solution: Solution) -> None:
        self.opponent = make_opponent(name, solution)
        self.spot: SolvedSpot = self.opponent.spot
        super().__init__(name, self.spot.game)
        self.grading = Grading(self.pot, self.opponent.certificate.exploitability)
        self.hands = [set(names) for names in self.game.hands]
        self._moves = Recent[Move | None](_MOVES_KEPT)
        self._reaches = Recent[float](_REACHES_KEPT)

    @property
    def exploitability(self) -> float:
        """Of the strategy, chips of the run."""
        return self.grading.exploitability

    @property
    def exploitability_percent(self) -> float:
        """The same in % of the pot at the start."""
        return 100 * self.exploitability / self.pot

    def grade(
        self,
        decision: Decision,
        board: Sequence[int],
        cards: Sequence[int],
        suits: Any,
        tolerance: float,
    ) -> Move | str:
        """Return the choice on a board with the player's cards, whose ``suits`` become the run's; or why not."""
        place = self.find_place(decision, tolerance)
        if place is None:
            return SIZE
        if not len(cards):
            return HIDDEN
        node, action = place
        hand = self.game.hand_of(suits[list(cards)].tolist())
        if hand not in self.hands[node.player]:
            return RANGE
        board_text = cards_text(suits[list(board[: 3 + node.street])].tolist())
        infoset = f"{hand} {board_text} {node.line}"
        move = self._moves.get(infoset, lambda: self._find_move(node, board_text, infoset))
        if move is None:
            return RARE
        return move._replace(taken=action)

    def _find_move(self, node: BettingNode, board: str, infoset: str) -> Move | None:
        """Return what is known of a choice, with nothing taken; None where play next to never comes."""
        if is_rare(
            self._reaches.get((node.line, board), lambda: self.spot.reach(node.line, board))
        ):
            return None
        values = self.opponent.at(node.player, infoset)
        if values is None:
            return None
        mix = self.opponent.probabilities_at((node.player, infoset), node.actions, self.name)
        return Move(node.player, infoset, node.actions, -1, action_values=values, mix=tuple(mix))

    def find_place(self, decision: Decision, tolerance: float) -> tuple[BettingNode, int] | None:
        """Return the node of a decision and the number of its action; None where the tree has not all bets of it."""
        tree = self.tree
        index = 0
        start = self.tree.before[0]
        street = self.street
        steps = [
            (number, step)
            for number in range(street, decision.street)
            for step in decision.past[number]
        ]
        steps += [(decision.street, step) for step in (*decision.past[-1], decision.step)]
        place = None
        for number, step in steps:
            node = tree.nodes[index]
            if node.player < 0 or node.street != number:
                return None
            if number != street:
                start = node.paid[0]
                street = number
            action = self._match_action(node, step, start, tolerance)
            if action is None:
                return None
            place = (node, action)
            index = tree.after_cards(node.children[action])
        if place is not None and place[0].player == decision.player:
            return place
        return None

    def _match_action(
        self, node: BettingNode, step: Step, start: float, tolerance: float
    ) -> int | None:
        """Return the number of the action nearest to what was done; None where none is near enough."""
        if step.kind != "B":
            if step.kind in node.actions:
                return node.actions.index(step.kind)
            return None
        other_paid = node.paid[1 - node.player]
        pot = self.tree.rules.pot + 2 * other_paid
        shares = {
            number: (float(name[1:]) + start - other_paid) / pot
            for number, name in enumerate(node.actions)
            if name[0] in "BRA" and (name[0] == "A") >= (step.all_in and node.actions[-1][0] == "A")
        }
        if not shares:
            return None
        nearest = min(shares, key=lambda number: abs(shares[number] - step.share))
        all_in = step.all_in and node.actions[nearest][0] == "A"
        if all_in or abs(step.share / shares[nearest] - 1) <= tolerance:
            return nearest
        return None


def _sort_ranks(cards: Sequence[int]) -> list[int]:
    """Return the ranks of cards, 0 to 12, the least first: what boards that are alike up to suits share."""
    return sorted(card // 4 for card in cards)


def alike_suits(ranges: Sequence[HandRange], gone: Sequence[int] = ()) -> Any:
    """Return the permutations of suits that leave ranges as they are; cards that are ``gone`` are in no hand."""
    if all(hand_range.treats_suits_alike(gone) for hand_range in ranges):
        return SUIT_PERMUTATIONS
    return SUIT_PERMUTATIONS[:1]
