"""A hand as a history tells it, and the state of its betting at each decision after the flop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..cards.hand_ranks import FULL_DECK
from ..cards.hand_ranks import Deck as Cards

_SLACK = 1e-6
"""Chips by which amounts of a history may differ through rounding."""


class UnreadableError(Exception):
    """A hand that cannot be graded at all; the text is the reason, under which it is counted."""


CUT = "cut off, or not as such histories are written"
OTHER_GAME = "another game than no-limit hold'em and pot-limit Omaha"
NO_FLOP = "over before the flop"
CROWDED = "no decision of two players after the flop"
SIDE_POT = "a side pot"
ABSENT = "no decision of this player"
UNDERSTOOD = frozenset({OTHER_GAME, NO_FLOP, CROWDED, SIDE_POT, ABSENT})
"""Reasons for which a hand that can be read is not graded."""


class Unread(NamedTuple):
    """A part of a file that is no hand of a known format, or a hand that is not graded.

    Attributes
    ----------
    reason : str
    is_hand : bool
    place : str
        File and line of its beginning: ``"session.txt, line 12"``.
    text : str
        How it begins, which tells the game.
    """

    reason: str
    is_hand: bool = True
    place: str = ""
    text: str = ""


class Action(NamedTuple):
    """What a player did.

    Attributes
    ----------
    player : int
    kind : str
        F fold, C check or call, B bet or raise.
    chips : float
        Of a bet or raise: what the player has then put in on this street.
    """

    player: int
    kind: str
    chips: float = 0.0


class Deal(NamedTuple):
    """Public cards that were dealt."""

    cards: tuple[int, ...]


class PlayedHand(NamedTuple):
    """A hand as a history tells it; players in the order in which they act after the flop.

    Attributes
    ----------
    name : str
    players : tuple of str
    stacks : tuple of float
        Before antes and blinds.
    antes : tuple of float
        Chips that count for no bet.
    blinds : tuple of float
        Chips that do, before the first action.
    cards : tuple of tuple of int
        Of each player; empty where the history does not say.
    moves : tuple of Action or Deal
    deck : Cards
    hole_cards : int
        Of each player: four in Omaha.
    added : float
        Chips of the house in the pot.
    """

    name: str
    players: tuple[str, ...]
    stacks: tuple[float, ...]
    antes: tuple[float, ...]
    blinds: tuple[float, ...]
    cards: tuple[tuple[int, ...], ...]
    moves: tuple[Action | Deal, ...]
    deck: Cards = FULL_DECK
    hole_cards: int = 2
    added: float = 0.0

    @property
    def board(self) -> tuple[int, ...]:
        """The public cards, in the order in which they came."""
        return tuple(card for move in self.moves if isinstance(move, Deal) for card in move.cards)


class Step(NamedTuple):
    """An action after the flop, by what the size of bets is known.

    Attributes
    ----------
    kind : str
        X check, F fold, C call, B bet or raise.
    share : float
        Of a bet or raise: what is put in beyond a call, as a share of the pot after the call.
    all_in : bool
        Whether one of both players has nothing left after it.
    chips : float
        Of a bet or raise: what the player has then put in on this street.
    """

    kind: str
    share: float = 0.0
    all_in: bool = False
    chips: float = 0.0


class Decision(NamedTuple):
    """A decision after the flop between two players who are left; OOP and IP are 0 and 1.

    Attributes
    ----------
    seat : int
        Of the hand.
    player : int
    street : int
        0 flop, 1 turn, 2 river.
    begun : tuple of pair of float or None
        Pot, and the smaller of both stacks, when the flop, … this street began; None where others
        were in the hand.
    past : tuple of tuple of Step
        What both did before on the flop, …, this street.
    step : Step
        What is done now.
    """

    seat: int
    player: int
    street: int
    begun: tuple[tuple[float, float] | None, ...]
    past: tuple[tuple[Step, ...], ...]
    step: Step


class Table:
    """The betting of a hand as it goes on; wrong amounts and players end in :class:`UnreadableError`."""

    def __init__(self, hand: PlayedHand) -> None:
        count = len(hand.players)
        self.left = [stack - ante for stack, ante in zip(hand.stacks, hand.antes, strict=True)]
        self.pot = math.fsum(hand.antes) + hand.added
        self.bets = [0.0] * count
        self.live = [True] * count
        self.to_act = set(range(count))
        for seat, blind in enumerate(hand.blinds):
            self.put(seat, min(blind, self.left[seat]))

    def put(self, seat: int, chips: float) -> None:
        if not -_SLACK <= chips <= self.left[seat] + _SLACK:
            raise UnreadableError(CUT)
        self.left[seat] -= chips
        self.bets[seat] += chips
        self.pot += chips

    @property
    def players(self) -> list[int]:
        return [seat for seat, live in enumerate(self.live) if live]

    @property
    def waiting(self) -> bool:
        """Whether somebody has still to act on this street."""
        acting = [seat for seat in self.players if self.left[seat] > _SLACK]
        behind = [seat for seat in acting if self.bets[seat] < max(self.bets) - _SLACK]
        able = len(acting) > 1 and any(seat in self.to_act for seat in acting)
        return len(self.players) > 1 and (bool(behind) or able)

    def act(self, action: Action) -> None:
        seat = action.player
        behind = self.bets[seat] < max(self.bets) - _SLACK
        if not (
            self.live[seat]
            and self.left[seat] > _SLACK
            and self.waiting
            and (behind or seat in self.to_act)
        ):
            raise UnreadableError(CUT)
        self.to_act.discard(seat)
        if action.kind == "F":
            self.live[seat] = False
        elif action.kind == "C":
            self.put(seat, min(max(self.bets) - self.bets[seat], self.left[seat]))
        elif action.chips <= max(self.bets) + _SLACK:
            raise UnreadableError(CUT)
        else:
            self.put(seat, action.chips - self.bets[seat])
            self.to_act = {other for other in self.players if other != seat}

    def deal(self) -> None:
        if self.waiting or len(self.players) < 2 or self.pot <= _SLACK:
            raise UnreadableError(CUT)
        self.bets = [0.0] * len(self.bets)
        self.to_act = set(self.players)


def decisions(hand: PlayedHand) -> Iterator[Decision]:
    """Yield the decisions after the flop between two players; raise :class:`UnreadableError` where there is none.

    The whole history is followed first, so that of one that is cut off nothing is taken.
    """
    cards_per_street = [len(move.cards) for move in hand.moves if isinstance(move, Deal)]
    cards_seen = [card for cards in (hand.board, *hand.cards) for card in cards]
    if cards_per_street != [3, 1, 1][: len(cards_per_street)] or len(set(cards_seen)) != len(
        cards_seen
    ):
        raise UnreadableError(CUT)
    table = Table(hand)
    street = -1
    side_pot = False
    begun: tuple[tuple[float, float] | None, ...] = ()
    past: tuple[tuple[Step, ...], ...] = ()
    matches: list[Decision] = []
    for move in hand.moves:
        if isinstance(move, Deal):
            table.deal()
            street = street + 1
            past = (*past, ())
            chips_left = [table.left[seat] for seat in table.players]
            begun = (*begun, (table.pot, min(chips_left)) if len(chips_left) == 2 else None)
            continue
        players = table.players
        bet = max(table.bets)
        pot = table.pot
        to_call = bet - table.bets[move.player]
        most_callable = min(
            table.left[seat] + table.bets[seat] for seat in players
        )  # that can be called
        table.act(move)
        if street < 0:
            continue
        side_pot = side_pot or (
            len(players) > 2 and any(table.left[seat] <= _SLACK for seat in players)
        )
        step = Step("X" if move.kind == "C" and to_call <= _SLACK else move.kind)
        if move.kind == "B":
            raised = min(move.chips, most_callable)
            step = Step(
                "B", (raised - bet) / (pot + to_call), raised >= most_callable - _SLACK, move.chips
            )
        if len(players) == 2:
            matches.append(
                Decision(move.player, players.index(move.player), street, begun, past, step)
            )
        past = (*past[:-1], (*past[-1], step))
    if table.waiting or (len(table.players) > 1 and street < 2):
        raise UnreadableError(CUT)
    if not matches:
        raise UnreadableError(NO_FLOP if street < 0 else SIDE_POT if side_pot else CROWDED)
    yield from matches
