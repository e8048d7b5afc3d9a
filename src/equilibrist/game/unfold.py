"""Public games and card games as ordinary ones, history by history."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from .._util.recent import Recent
from ..errors import GameError
from .card_game import CardGame, is_card_game
from .deal import Reveal
from .protocol import CHANCE, Game, action_label, game_name
from .public import (
    Floats,
    PublicGame,
    Showdown,
    expand_reveal,
    infoset_name,
    is_public_game,
    is_zero_sum,
    number_or_matrix,
    prior_matrix,
)
from .unfold_cards import BoardsGame

_ENDS_KEPT = 64
_MOST_PAIRS = 100_000_000
"""Of hands, each of which has a probability of 8 bytes."""


class UnfoldedGame:
    """A public game as an ordinary one: chance deals a hand to player 0, then one to player 1.

    A state is the hands that are dealt, the public state, and the public moves so far, those of
    chance included.
    """

    players = 2

    def __init__(self, game: PublicGame) -> None:
        self.game = game
        self._hands = [[str(hand) for hand in player_hands] for player_hands in game.hands]
        pairs = len(self._hands[0]) * len(self._hands[1])
        if pairs > _MOST_PAIRS:
            raise GameError(
                f"{game_name(game)} has {pairs:,} pairs of hands, of which at most "
                f"{_MOST_PAIRS:,} can be dealt one by one; give ranges of fewer hands.",
                wrong_use=True,
            )
        self._deal = game.prior()
        self._prior = np.asarray(prior_matrix(self._deal), np.float64)
        self._shape = len(self._hands[0]), len(self._hands[1])
        self._marginal = self._prior.sum(axis=1)  # of each hand of player 0
        self._paid = Recent[Any](_ENDS_KEPT)  # at public ends, which every pair of hands comes to

    def __str__(self) -> str:
        return game_name(self.game)

    def start(self) -> Any:
        return ((), self.game.start(), ())

    def player(self, state: Any) -> int:
        hands_dealt, public, _ = state
        if len(hands_dealt) < 2:
            return CHANCE
        return self.game.player(public)

    def actions(self, state: Any) -> Sequence[Hashable]:
        hands_dealt, public, _ = state
        if len(hands_dealt) < 2:
            return np.flatnonzero(self._hand_probabilities(hands_dealt)).tolist()
        actions = self.game.actions(public)
        if self.game.player(public) != CHANCE:
            return actions
        return [
            action
            for action, p in zip(
                actions, self._outcome_probabilities(hands_dealt, public), strict=True
            )
            if p != 0
        ]

    def probabilities(self, state: Any) -> list[float]:
        hands_dealt, public, _ = state
        if len(hands_dealt) < 2:
            return [p for p in self._hand_probabilities(hands_dealt).tolist() if p != 0]
        return [p for p in self._outcome_probabilities(hands_dealt, public) if p != 0]

    def _hand_probabilities(self, hands_dealt: tuple[int, ...]) -> Floats:
        return np.asarray(
            self._prior[hands_dealt[0]] / self._marginal[hands_dealt[0]]
            if hands_dealt
            else self._marginal
        )

    def _outcome_probabilities(self, pair: tuple[int, int], public: Any) -> list[float]:
        outcomes = self.game.probabilities(public)
        factors = (
            number_or_matrix(expand_reveal(outcome, self._deal), self._shape)
            for outcome in outcomes
        )
        return [p if isinstance(p, float) else float(p[pair]) for p in factors]

    def next(self, state: Any, action: Any) -> Any:
        hands_dealt, public, moves = state
        if len(hands_dealt) < 2:
            return ((*hands_dealt, action), public, moves)
        return (
            hands_dealt,
            self.game.next(public, action),
            (*moves, action_label(self.game, public, action)),
        )

    def payoffs(self, state: Any) -> list[float]:
        pair, public, _ = state
        payoff = self._paid.get(public, lambda: self._payoff(public))
        if isinstance(payoff, float):
            amount = payoff
        else:
            amount = float(payoff[pair])
        return [amount, -amount]

    def _payoff(self, public: Any) -> float | Floats:
        paid = self.game.payoff(public)
        if isinstance(paid, Showdown):
            return paid.matrix()
        return number_or_matrix(paid, self._shape)

    def infoset(self, state: Any) -> str:
        pair, public, moves = state
        player = self.game.player(public)
        return infoset_name(self.game, self._hands[player][pair[player]], moves)

    def action_label(self, state: Any, action: Any) -> str:
        hands_dealt, public, _ = state
        if len(hands_dealt) < 2:
            hand: str = self._hands[len(hands_dealt)][action]
            return hand
        return action_label(self.game, public, action)

    def public(self, state: Any) -> Hashable:
        """Return the public moves where chance makes another; the deal is private."""
        hands_dealt, _, moves = state
        if len(hands_dealt) < 2:
            return None
        return tuple(moves)


class UnfoldedCardGame(UnfoldedGame):
    """A card game as an ordinary one, with all boards; payoffs are those of both players, whatever their sum."""

    game: BoardsGame

    def __init__(self, game: CardGame) -> None:
        super().__init__(BoardsGame(game))

    def payoffs(self, state: Any) -> list[float]:
        pair, public, _ = state
        return [float(amount) for amount in self.game.both_payoffs(public, pair)]

    def _outcome_probabilities(self, pair: tuple[int, int], public: Any) -> list[float]:
        cards_held = {
            card
            for hands, number in zip(self.game.prior().hands, pair, strict=True)
            for card in hands[number]
        }
        probabilities = []
        for outcome in self.game.probabilities(public):
            if not isinstance(outcome, Reveal):
                probabilities.append(float(outcome[pair]))
            elif cards_held.isdisjoint(outcome.cards):
                probabilities.append(outcome.probability)
            else:
                probabilities.append(0.0)
        return probabilities

    def table(self, state: Any, player: int) -> list[tuple[str, str]]:
        """Return what a player sees on the table: cards, and what the card game itself has to say."""
        pair, public, _ = state
        return [("your hand", self._hands[player][pair[player]]), *self.game.table(public, player)]


class UnfoldedGeneralSum(UnfoldedGame):
    """A public game whose ``payoffs_of_hands(state)`` says what both players earn, whatever their sum."""

    def payoffs(self, state: Any) -> list[float]:
        pair, public, _ = state
        amounts = self._paid.get(public, lambda: self._payoffs_of_hands(public))
        return [amount if isinstance(amount, float) else float(amount[pair]) for amount in amounts]

    def _payoffs_of_hands(self, public: Any) -> list[float | Floats]:
        game: Any = self.game  # whose class says it
        payoffs = game.payoffs_of_hands(public)
        return [number_or_matrix(amounts, self._shape) for amounts in payoffs]


def to_extensive_form(game: PublicGame | CardGame | Game) -> Game:
    """Return a public game or a card game as an ordinary one: to compile, sample, explain or write it as such.

    Parameters
    ----------
    game : PublicGame, CardGame or Game
        The rules. An end pays each pair of hands what it says, a deal of probability 0 is left out.
        An ordinary game is returned as it is.

    Examples
    --------
    >>> import equilibrist as eq
    >>> public = eq.load("kuhn").public_states()
    >>> eq.check_game(eq.to_extensive_form(public)).histories
    58
    """
    if is_card_game(game):
        return UnfoldedCardGame(game)
    if is_public_game(game) and not is_zero_sum(game):
        return UnfoldedGeneralSum(game)
    ordinary: Game = UnfoldedGame(game) if is_public_game(game) else game  # type: ignore[assignment]
    return ordinary
