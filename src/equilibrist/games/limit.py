"""Poker with bets of fixed sizes: words and letters of the moves, and names of infosets with public cards between."""

from __future__ import annotations

from collections.abc import Sequence

from ..game.rules import RulesGame, State

FOLD, CALL, RAISE = range(3)

WORDS = (("", "check", "bet"), ("fold", "call", "raise"))
"""The moves where nobody has bet in a round, and where somebody has."""

_LETTERS = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}


class LimitGame(RulesGame):
    """Poker with one private card each, rounds of fixed bets, and a public card between them: ``Krc/Qr``.

    The ``separator`` stands between a card and the moves after it.
    """

    cards: list[str]
    separator: str

    def infoset_name(self, observation: State) -> str:
        """Return the private card and the first round, then each public card and the round after it."""
        rounds = zip(observation[::2], observation[1::2], strict=True)
        return "/".join(
            self._round_text(self.cards[card], _move_letters(line)) for card, line in rounds
        )

    def infoset_after(self, card: str, moves: tuple[str, ...]) -> str:
        """Return the name of the infoset with this private card after these public moves, public cards included."""
        rounds: list[tuple[str, list[str]]] = [(card, [])]
        for move in moves:
            if move in _LETTERS:
                rounds[-1][1].append(_LETTERS[move])
            else:
                rounds.append((move, []))
        return "/".join(self._round_text(first, "".join(letters)) for first, letters in rounds)

    def _round_text(self, card: str, moves: str) -> str:
        return f"{card}{self.separator}{moves}".rstrip()


def _move_letters(line: int) -> str:
    """Return the letters of the moves of a round, from a 1 and then the moves in base 4."""
    moves: Sequence[str] = []
    while line > 1:
        moves = ["fcr"[line % 4], *moves]
        line //= 4
    return "".join(moves)
