"""Card games as public games: every board dealt, and no two of them taken for one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from .._util.arrays import Floats
from ..errors import GameError
from .card_game import CardGame, Pair, ShowdownPayoffs
from .deal import Deal, Reveal
from .folded import FoldedHands
from .protocol import CHANCE, TERMINAL, action_label, game_name
from .public import PublicGame, Showdown

Board = tuple[int, ...]
State = tuple[Any, Board]
"""The state of the betting, and the public cards."""

_TOLERANCE = (
    1e-9  # of the largest payoff, by which the sum of both players' payoffs may differ between ends
)


class BoardsGame:
    """A card game whose public states are all lines of actions with all boards; hands that the board blocks have the
    weight 0.

    Payoffs of a card game sum to the pot, those of a public game to 0: player 0 is paid half of
    what the players receive less half of what the other one receives, which is what a card game
    pays less half of the pot. A
    :class:`~equilibrist.errors.GameError` refuses hands of a player that differ in size, a deck that is too small, and
    betting that deals other streets than there are.
    """

    def __init__(self, game: CardGame) -> None:
        self.game = game
        self.hands = tuple([str(hand) for hand in player_hands] for player_hands in game.hands)
        self._name = game_name(game)
        deal = game.deal
        board = set(game.board)
        weights = [
            np.where([board.isdisjoint(hand) for hand in hands], weight, 0.0)
            for hands, weight in zip(deal.hands, deal.weights, strict=True)
        ]
        folded = None if deal.folded is None else deal.folded.on(game.board)
        self._deal = Deal(deal.hands, weights, cards=deal.cards, folded=folded)
        self._check_cards()
        self._paid = list(self._ends())
        self._ranks: dict[Board, tuple[Floats, Floats]] = {}
        self._reveals: dict[Board, list[Reveal]] = {}
        self._pair_chances: dict[Board, list[Floats]] = {}

    def __str__(self) -> str:
        return self._name

    def prior(self) -> Deal:
        return self._deal

    def start(self) -> State:
        """Return the start of the betting, with the first board."""
        return self.game.start(), tuple(self.game.board)

    def player(self, state: State) -> int:
        return self.game.player(state[0])

    def actions(self, state: State) -> Sequence[Hashable]:
        node, board = state
        if self.game.player(node) != CHANCE:
            return self.game.actions(node)
        return [reveal.cards for reveal in self._outcomes(board)]  # type: ignore[misc]

    def probabilities(self, state: State) -> Sequence[Reveal | Floats]:
        if self._deal.folded is not None:
            return self._chances_of_pairs(state[1], self._deal.folded)
        return self._outcomes(state[1])

    def next(self, state: State, action: Any) -> State:
        node, board = state
        if self.game.player(node) == CHANCE:
            return self.game.next(node, None), board + action
        return self.game.next(node, action), board

    def payoff(self, state: State) -> float | Showdown:
        """Return what player 0 receives, less half of the pot."""
        node, board = state
        paid = self.game.payoff(node)
        if isinstance(paid, ShowdownPayoffs):
            win, tie, lose = map(_net_payoffs, paid)
            return Showdown(self._strengths(board), win=win, tie=tie, lose=lose)
        return _net_payoffs(paid)

    def both_payoffs(self, state: State, hands: tuple[int, int]) -> Pair:
        """Return what both players receive with a pair of hands, by number, as the card game pays it."""
        node, board = state
        paid = self.game.payoff(node)
        if not isinstance(paid, ShowdownPayoffs):
            return paid
        first, second = (
            strengths[hand] for strengths, hand in zip(self._strengths(board), hands, strict=True)
        )
        if first > second:
            return paid.win
        if first < second:
            return paid.lose
        return paid.tie

    def action_label(self, state: State, action: Any) -> str:
        if self.game.player(state[0]) == CHANCE:
            return self._text(action)
        return action_label(self.game, state[0], action)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        """Return the board, and what the card game says of the betting, ``table(state, player)``, if it does."""
        node, board = state
        betting = getattr(self.game, "table", None)
        return [
            ("board", self._text(board) or "none"),
            *(betting(node, player) if callable(betting) else ()),
        ]

    def infoset(self, hand: str, moves: Sequence[str]) -> str:
        """Return the name of an infoset: hand, board and line, as ``AhKd QsJh2h7c X-B120-C | X``."""
        node: Any = self.game.start()
        board = self._text(self.game.board)
        line: list[list[str]] = [[]]
        for move in moves:
            if self.game.player(node) == CHANCE:
                node = self.game.next(node, None)
                board = board + move
                line.append([])
            else:
                action_of_label = {
                    action_label(self.game, node, action): action
                    for action in self.game.actions(node)
                }
                node = self.game.next(node, action_of_label[move])
                line[-1].append(move)
        text = " | ".join("-".join(street) for street in line).strip()
        return " ".join(part for part in (hand, board, text) if part)

    def _text(self, cards: Sequence[int]) -> str:
        return "".join(str(self.game.cards[card]) for card in cards)

    def _outcomes(self, board: Board) -> list[Reveal]:
        """Return all sets of cards of the next street, which are as probable as each other."""
        if board not in self._reveals:
            streets = self.game.streets
            num_dealt = len(board) - len(self.game.board)
            street = next(
                number for number in range(len(streets)) if sum(streets[:number]) == num_dealt
            )
            unseen = [card for card in range(self._deal.cards) if card not in board]
            sets = list(combinations(unseen, streets[street]))
            probability = 1 / comb(len(unseen) - self._deal.cards_held, streets[street])
            self._reveals[board] = [Reveal(cards, probability) for cards in sets]
        return self._reveals[board]

    def _chances_of_pairs(self, board: Board, folded: FoldedHands) -> list[Floats]:
        """Return the probability of each outcome for each pair of hands, where hands were folded before.

        What those hold cannot come, so that an outcome is the likelier the less often they hold it.
        """
        if board in self._pair_chances:
            return self._pair_chances[board]
        first, second = map(np.array, self._deal.hands)
        before = folded.pair_chances(first, second, board)
        outcomes = []
        for reveal in self._outcomes(board):
            after = folded.pair_chances(first, second, [*board, *reveal.cards])
            share = np.divide(after, before, out=np.zeros_like(after), where=before > 0.0)
            outcomes.append(share * reveal.probability)
        self._pair_chances[board] = outcomes
        return outcomes

    def _strengths(self, board: Board) -> tuple[Floats, Floats]:
        """Return the ranks of the strengths of all hands, which no float64 rounds."""
        if board not in self._ranks:
            first, second = self.game.strengths(np.array([board], np.int64).reshape(1, -1))
            ranks = np.unique(np.concatenate([first[0], second[0]]), return_inverse=True)[1].astype(
                np.float64
            )
            self._ranks[board] = ranks[: len(first[0])], ranks[len(first[0]) :]
        return self._ranks[board]

    def _check_cards(self) -> None:
        """Refuse hands of different sizes, and too few cards for them and the board."""
        sizes = [sorted({len(hand) for hand in hands}) for hands in self._deal.hands]
        for player, count in enumerate(sizes):
            if len(count) > 1:
                raise GameError(
                    f"{self._name}: all hands of a player must hold as many cards; those of "
                    f"player {player} hold {' or '.join(map(str, count))}."
                )
        needed = self._deal.cards_held + len(self.game.board) + sum(self.game.streets)
        if needed > self._deal.cards:
            raise GameError(
                f"{self._name}: hands and board take {needed} cards; the deck has "
                f"{self._deal.cards}. Deal fewer."
            )

    def check_payoffs(self) -> None:
        """Refuse payoffs of both players that do not have the same sum at all ends."""
        end_payoffs = [
            pair
            for paid in self._paid
            for pair in (paid if isinstance(paid, ShowdownPayoffs) else [paid])
        ]
        sums = [float(sum(pair)) for pair in end_payoffs]
        if max(sums) - min(sums) > _TOLERANCE * max(
            abs(amount) for pair in end_payoffs for amount in pair
        ):
            raise GameError(
                f"{self._name}: a public game is zero-sum, so what both players receive must sum "
                f"to the same at all ends; it sums to {min(sums)!r} at one and to {max(sums)!r} "
                "at another. Leave the rake out, or use form='cards' or 'sequence'.",
                wrong_use=True,
            )

    def _ends(self) -> Iterator[Pair | ShowdownPayoffs]:
        """Yield what the ends of the betting pay; refuse streets that are not there, or not dealt at a showdown."""
        stack: list[tuple[Any, int]] = [(self.game.start(), 0)]
        while stack:
            node, streets_dealt = stack.pop()
            player = self.game.player(node)
            if player == TERMINAL:
                paid = self.game.payoff(node)
                if isinstance(paid, ShowdownPayoffs) and streets_dealt < len(self.game.streets):
                    raise GameError(
                        f"{self._name}: there is a showdown after {streets_dealt} of "
                        f"{len(self.game.streets)} streets. Let chance deal the others before it."
                    )
                yield paid
            elif player == CHANCE:
                if streets_dealt == len(self.game.streets):
                    raise GameError(
                        f"{self._name}: the betting deals more than {streets_dealt} streets."
                    )
                stack.append((self.game.next(node, None), streets_dealt + 1))
            else:
                stack.extend(
                    (self.game.next(node, action), streets_dealt)
                    for action in self.game.actions(node)
                )


def _net_payoffs(paid: Pair) -> float:
    return (float(paid[0]) - float(paid[1])) / 2


def unfold_boards(game: CardGame) -> PublicGame:
    """Return a card game as a public game, with all boards: to compile, solve exactly, explain or play it as such.

    What both players receive must have the same sum at all ends: no rake. The public game pays
    player 0 half of that sum less. Boards that differ by a permutation of suits are told apart
    here: the cost grows with boards × pairs of hands. It is there for small games, and to judge
    what is found with boards merged.
    """
    public = BoardsGame(game)
    public.check_payoffs()
    return public
