"""The answers of a public game: hands, matrices, outcomes and payoffs; one that makes no sense is refused."""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.text import short_repr
from ...errors import GameError
from ...game.checked import LARGEST_PAYOFF, PROBABILITY_TOLERANCE, CheckedGame, payoff_error
from ...game.protocol import game_name
from ...game.public import (
    DealHistories,
    PublicGame,
    Showdown,
    expand_reveal,
    number_or_matrix,
    prior_matrix,
)

Amounts = tuple[float, float, float]
NO_AMOUNTS: Amounts = (0.0, 0.0, 0.0)


class TerminalPayoff(NamedTuple):
    """What player 0 receives at an end.

    Attributes
    ----------
    payoff : float array or Showdown
        Showdown or float64 array, shape (hands of player 0, hands of player 1): a showdown with
        amounts up to 1, so that those that differ in scale are one; or a matrix.
    scale : float
        What it is multiplied by.
    amounts : Amounts
        What player 0 wins, ties and loses in a showdown.
    """

    payoff: Floats | Showdown
    scale: float
    amounts: Amounts

    @property
    def content(self) -> Hashable:
        """What is equal where the payoffs are, whatever their scale."""
        if isinstance(self.payoff, Showdown):
            first, second = (np.asarray(strength).tobytes() for strength in self.payoff.strengths)
            return first, second, self.payoff.win, self.payoff.lose, self.payoff.tie
        return self.payoff.tobytes()

    @property
    def largest(self) -> float:
        if isinstance(self.payoff, Showdown):
            of_matrix = 0.0
        else:
            of_matrix = float(np.abs(self.payoff).max())
        return max(of_matrix, *map(abs, self.amounts))


class PublicAnswers:
    """A public game, asked one thing at a time; ``ask`` is asked what any game is."""

    def __init__(self, game: PublicGame, ask: CheckedGame) -> None:
        self.game = game
        self.name = ask.name
        self.ask = ask
        self.shape = (0, 0)  # hands of the players, once they are known
        self._deal: Any = None  # what prior() returned

    @property
    def matrix_nbytes(self) -> int:
        return 8 * self.shape[0] * self.shape[1]

    def _rule_error(self, problem: str) -> GameError:
        return GameError(f"{self.name}: {problem} after {self.ask.history(0)}.")

    def hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        hands = tuple(tuple(str(hand) for hand in player_hands) for player_hands in self.game.hands)
        if len(hands) != 2 or not all(hands):
            raise GameError(
                f"{self.name}: hands must be two sequences of names, one or more each; got "
                f"{self.game.hands!r}."
            )
        for player, player_hands in enumerate(hands):
            for hand in player_hands:
                self.check_text(hand)
            if len(set(player_hands)) < len(player_hands):
                twice = next(hand for hand in player_hands if player_hands.count(hand) > 1)
                raise GameError(
                    f"{self.name}: two hands of player {player} have the same name: {twice!r}."
                )
        self.shape = (len(hands[0]), len(hands[1]))
        return hands[0], hands[1]

    def check_text(self, name: str) -> None:
        """Refuse a name that no file can hold."""
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise GameError(
                f"{self.name}: names of hands and infosets must be Unicode text; got {name!r}."
            ) from error

    def prior(self) -> Floats:
        self._deal = self.game.prior()
        prior = self._check_numbers("prior()", prior_matrix(self._deal))
        if isinstance(prior, float):
            raise GameError(
                f"{self.name}: prior() must be a Deal, or a matrix with a row for each of the "
                f"{self.shape[0]} hands of player 0 and a column for each of the {self.shape[1]} "
                f"of player 1; got {prior!r}."
            )
        if not (prior.min() >= 0.0 and abs(prior.sum() - 1.0) <= PROBABILITY_TOLERANCE):
            raise GameError(
                f"{self.name}: the probabilities of the deal, prior(), must be 0 or more and sum "
                f"to 1; they sum to {float(prior.sum())!r}, the least is {float(prior.min())!r}."
            )
        return prior

    def deal_histories(self, prior: Floats) -> DealHistories:
        """Return how many histories deal each pair of hands, 0 where the pair is impossible."""
        method = getattr(self.game, "deal_histories", None)
        if method is None:
            return DealHistories.of_hands(prior)
        moves, before, answer = method()
        pairs = np.asarray(answer, np.int64)
        if pairs.shape != self.shape or (pairs[prior > 0] < 1).any() or min(moves, before) < 1:
            raise GameError(
                f"{self.name}: deal_histories() must give one history or more for each possible "
                "pair of hands, one "
                f"move and one history before; got {short_repr((moves, before, answer))}."
            )
        return DealHistories(int(moves), int(before), np.where(prior > 0, pairs, 0))

    def state(self, state: Any) -> Hashable:
        try:
            hash(state)
        except TypeError:
            kinds = "a tuple, a string, a frozen dataclass"
            raise self._rule_error(
                f"public states must be hashable ({kinds}); got {state!r}"
            ) from None
        return state  # type: ignore[no-any-return]

    def outcomes(self, state: Any, count: int, before: Floats) -> list[tuple[Any, Floats]]:
        """Return each outcome of public chance as it was given, and by pair of hands, where ``before`` is not 0."""
        shares = [expand_reveal(share, self._deal) for share in self.game.probabilities(state)]
        if len(shares) != count:
            raise self._rule_error(f"chance has {count} outcomes but {len(shares)} probabilities")
        total = np.zeros(self.shape)
        outcomes = []
        for share in shares:
            matrix = np.full(self.shape, self._check_numbers("probabilities()", share))
            if matrix.min() < 0.0:
                raise self._rule_error(
                    f"the probabilities of chance must be 0 or more; got {short_repr(share)}"
                )
            total += matrix
            outcomes.append((share, matrix))
        wrong = (before > 0) & ~(np.abs(total - 1.0) <= PROBABILITY_TOLERANCE)
        if wrong.any():
            i, j = map(int, np.argwhere(wrong)[0])
            hands = f"{str(self.game.hands[0][i])!r} and {str(self.game.hands[1][j])!r}"
            raise GameError(
                f"{self.name}: the probabilities of chance must sum to 1 for each pair of hands; "
                f"after {self.ask.history(0)} they sum to {float(total[i, j])!r} where the hands "
                f"are {hands}."
            )
        return outcomes

    def payoff(self, state: Any) -> TerminalPayoff:
        answer = self.game.payoff(state)
        if isinstance(answer, Showdown):
            strengths = [
                self._strengths(player, strength)
                for player, strength in enumerate(answer.strengths)
            ]
            amounts = (answer.win, answer.tie, answer.lose)
            if not all(
                isinstance(amount, Real) and np.isfinite(float(amount)) for amount in amounts
            ):
                raise self._rule_error(f"a Showdown pays finite numbers; got {short_repr(answer)}")
            self._check_size(np.array(amounts, np.float64))
        else:
            payoff = self._check_numbers("payoff()", answer)
            self._check_size(payoff)
            if not isinstance(payoff, float):
                return TerminalPayoff(payoff, 1.0, NO_AMOUNTS)
            strengths = [np.zeros(size) for size in self.shape]
            amounts = (payoff, payoff, payoff)
        win, tie, lose = map(float, amounts)
        scale = max(abs(win), abs(tie), abs(lose)) or 1.0
        up_to_1 = Showdown(
            (strengths[0], strengths[1]), win=win / scale, lose=lose / scale, tie=tie / scale
        )
        return TerminalPayoff(up_to_1, scale, (win, tie, lose))

    def _check_size(self, payoff: float | Floats) -> None:
        largest = float(np.abs(payoff).max(initial=0.0))
        if largest > LARGEST_PAYOFF:
            raise payoff_error(game_name(self.game), largest)

    def _strengths(self, player: int, answer: Any) -> Floats:
        strength = np.asarray(answer, np.float64)
        if strength.shape != (self.shape[player],) or not np.isfinite(strength).all():
            hands = f"each of the {self.shape[player]} hands of player {player}"
            raise self._rule_error(
                f"a Showdown has a finite strength for {hands}; got {short_repr(answer)}"
            )
        return strength

    def _check_numbers(self, method_name: str, answer: Any) -> float | Floats:
        """Return a finite number, or a matrix of them, one for each pair of hands."""
        try:
            numbers = number_or_matrix(answer, self.shape)
        except ValueError:
            rows, columns = self.shape
            raise self._rule_error(
                f"{method_name} must give a number for each of {rows} × {columns} pairs of hands, as a "
                f"matrix, or one number for all; got {short_repr(answer)}"
            ) from None
        if not np.isfinite(numbers).all():
            raise self._rule_error(
                f"{method_name} must give finite numbers; got {short_repr(answer)}"
            )
        return numbers
