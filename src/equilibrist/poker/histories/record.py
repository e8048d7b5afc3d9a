"""What the text of a hand tells, put together line after line: seats, posts, actions, cards."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..cards.cards import parse_cards
from ..cards.hand_ranks import FULL_DECK
from ..cards.hand_ranks import Deck as Cards
from .hand import CUT, Action, Deal, PlayedHand, UnreadableError

_LONGEST_POST = 40  # characters of one that is named
_AMOUNT = re.compile(r"\d[\d.,\s\xa0\u202f]*")
_BLANKS = re.compile(r"[\s\xa0\u202f]")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")


def read_amount(text: str) -> float:
    """Return the first amount of money or chips in a text, in the ways of writing of several countries.

    The last of a comma and a point begins the decimals where both are there. Where only one of them
    is, groups of three digits behind it are thousands.

    >>> [read_amount(text) for text in ("$1,594", "1 001,24€", "0.25€", "€1.234,50", "2,50")]
    [1594.0, 1001.24, 0.25, 1234.5, 2.5]

    Raises
    ------
    ValueError
        There is none.
    """
    amount = _AMOUNT.search(text)
    if amount is None:
        raise ValueError(f"no amount in {text!r}")
    digits = _BLANKS.sub("", amount[0]).rstrip(".,")
    if "," in digits and "." in digits:
        thousands = "," if digits.rindex(".") > digits.rindex(",") else "."
        digits = digits.replace(thousands, "")
    elif _GROUPS.fullmatch(digits):
        digits = digits.replace(",", "").replace(".", "")
    return float(digits.replace(",", "."))


class HandRecord:
    """A hand as its text is read.

    Parameters
    ----------
    seats : dict of str to int
        The number of the seat of each player.
    stacks : dict of str to float
        Before antes and blinds, chips.
    button : int
        The number of the seat of the button.
    hole_cards : int
        Of each player: four in Omaha.
    """

    def __init__(
        self, seats: Mapping[str, int], stacks: Mapping[str, float], button: int, hole_cards: int
    ) -> None:
        self.seats = seats
        self.cards: dict[str, tuple[int, ...]] = {}
        self._stacks = stacks
        self._button = button
        self._hole_cards = hole_cards
        self._antes = dict.fromkeys(seats, 0.0)
        self._blinds = dict.fromkeys(seats, 0.0)
        self._bets = dict.fromkeys(seats, 0.0)  # on this street
        self._left = dict(stacks)
        self._moves: list[tuple[str, str, float] | Deal] = []
        self._posted: set[str] = set()

    @classmethod
    def begin(
        cls,
        text: str,
        *,
        seat: re.Pattern[str],
        dealt: re.Pattern[str],
        button: int,
        hole_cards: int,
    ) -> HandRecord:
        """Return a record of the players in a text, and of the cards that it shows from the start.

        ``seat`` finds the number of a seat, the name of its player and the stack, and ``dealt`` a
        name and the cards of that player.
        """
        seats = list(seat.finditer(text))
        record = cls(
            seats={match[2]: int(match[1]) for match in seats},
            stacks={match[2]: read_amount(match[3]) for match in seats},
            button=button,
            hole_cards=hole_cards,
        )
        for match in dealt.finditer(text):
            record.show(match[1], match[2])
        return record

    @property
    def largest_blind(self) -> float:
        """The most that somebody has posted as a bet, chips."""
        return max(self._blinds.values())

    def post(self, name: str, chips: float, live: float) -> None:
        """Let a player post chips, of which those that are live count for their bet."""
        self._posted.add(name)
        self._blinds[name] = live or self._blinds[name]
        self._antes[name] += chips - live
        self._bets[name] = self._blinds[name]
        self._left[name] -= chips

    def fold(self, name: str) -> None:
        self._moves.append((name, "F", 0.0))

    def call(self, name: str) -> None:
        """Let a player check, or call what there is to call."""
        missing = max(self._bets.values()) - self._bets[name]
        self._put(name, min(missing, self._left[name]))
        self._moves.append((name, "C", 0.0))

    def bet_to(self, name: str, chips: float) -> None:
        """Let a player bet or raise to as much on this street."""
        self._put(name, chips - self._bets[name])
        self._moves.append((name, "B", chips))

    def bet_more(self, name: str, chips: float) -> None:
        """Let a player bet or raise by putting in as much more."""
        self.bet_to(name, self._bets[name] + chips)

    def go_all_in(self, name: str) -> None:
        """Let a player put in all that is left: a call where it is no more than the bet."""
        total = self._bets[name] + self._left[name]
        if total > max(self._bets.values()):
            self.bet_to(name, total)
        else:
            self.call(name)

    def _put(self, name: str, chips: float) -> None:
        self._bets[name] += chips
        self._left[name] -= chips

    def deal(self, cards: str) -> None:
        """Deal public cards."""
        self._moves.append(Deal(parse_cards(cards)))
        self._bets = dict.fromkeys(self.seats, 0.0)

    def show(self, name: str, cards: str) -> None:
        """Note what a player holds; who shows one card of two shows nothing that can be graded."""
        held = parse_cards(cards, count=tuple(range(1, self._hole_cards + 1)))
        self.cards[name] = held if len(held) == self._hole_cards else ()

    def end(self, name: str, deck: Cards = FULL_DECK, added: float = 0.0) -> PlayedHand:
        """Return the hand, without those who sit out; ``added`` are chips of the house in the pot."""
        acting = self._posted | {move[0] for move in self._moves if not isinstance(move, Deal)}
        players = tuple(
            sorted(
                acting, key=lambda player: (self.seats[player] <= self._button, self.seats[player])
            )
        )
        if len(players) < 2:
            raise UnreadableError(CUT)
        moves = tuple(
            move if isinstance(move, Deal) else Action(players.index(move[0]), *move[1:])
            for move in self._moves
        )
        return PlayedHand(
            name=name,
            players=players,
            stacks=tuple(self._stacks[player] for player in players),
            antes=tuple(self._antes[player] for player in players),
            blinds=tuple(self._blinds[player] for player in players),
            cards=tuple(self.cards.get(player, ()) for player in players),
            moves=moves,
            deck=deck,
            hole_cards=self._hole_cards,
            added=added,
        )


def unknown_post(text: str) -> UnreadableError:
    """Return the error that names a post that is not known."""
    return UnreadableError(f"a post that is not known here: {text[:_LONGEST_POST]!r}")
