"""What became of the hands in files: how many there are, and for each reason how many are not graded, and where."""

from __future__ import annotations

from collections import Counter

from .hand import UNDERSTOOD, Decision, PlayedHand, Unread

MOST_PLACES = 3
"""Of a reason: where the first hands of it are."""


class HandAccount:
    """Counts of hands by what became of each; every hand is in one of them.

    Attributes
    ----------
    hands : int
        How many there are, those of other games and those that are cut off included.
    understood : int
        How many can be read to their end.
    skipped : Counter of str
        Hands, and texts that are none, without a decision to grade, by reason.
    places : dict of str to list of str
        By reason, where the first of them begin, and with which words.
    """

    def __init__(self) -> None:
        self.hands = 0
        self.understood = 0
        self.skipped = Counter[str]()
        self.places: dict[str, list[str]] = {}

    def add(self, played: tuple[PlayedHand, list[Decision]] | Unread) -> None:
        """Count a hand with decisions, or what is not graded."""
        if not isinstance(played, Unread):
            self.hands += 1
            self.understood += 1
            return
        reason = played.reason
        self.hands += played.is_hand
        self.understood += reason in UNDERSTOOD
        self.skipped[reason] += 1
        places = self.places.setdefault(reason, [])
        if played.place and len(places) < MOST_PLACES:
            places.append(f"{played.place}: {played.text}" if played.text else played.place)
