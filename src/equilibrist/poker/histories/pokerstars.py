"""Hand histories as PokerStars writes them in English: no-limit hold'em and pot-limit Omaha, cash and tournaments.

GGPoker writes the same lines below another first one, and may add money to the pot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np

from ...errors import GameError
from ..cards.cards import CARDS
from ..cards.hand_ranks import CATEGORIES, category_of, strengths
from ..omaha.hands import strengths as of_four
from ..spot.bet_sizes import number
from .first_line import FirstLine, read_first_line
from .hand import CUT, Deal, PlayedHand, Table, UnreadableError
from .record import HandRecord, unknown_post

_BUTTON = re.compile(r"Seat #(\d+) is the button")
_ADDED = re.compile(r"^Cash Drop to Pot ?: total \D*?([\d,]+(?:\.\d+)?)", re.MULTILINE)
"""Money that GGPoker adds to a pot."""
_SEAT = re.compile(r"^Seat (\d+): (.+) \(\D*([\d,.]+) in chips[^()\n]*\)", re.MULTILINE)
_AMOUNT = r"\D*?([\d,]+(?:\.\d+)?)"
_POST = re.compile(
    rf"posts (the ante|button blind|small blind|big blind|small & big blinds|straddle){_AMOUNT}(?: |$)"
)
_BET = re.compile(rf"(?:bets{_AMOUNT}|raises{_AMOUNT} to{_AMOUNT})(?: |$)")
_DEALT = re.compile(r"^Dealt to (.+) \[([^\]]*)\]", re.MULTILINE)
_SHOWN = re.compile(r"^Seat (\d+): .+ (?:showed|mucked) \[([^\]]*)\]", re.MULTILINE)
_STREET = re.compile(r"\*\*\* (?:FIRST )?(?:FLOP|TURN|RIVER) \*\*\* .*\[([^\]]*)\]$")
_STREETS = {0: "FLOP", 3: "TURN", 4: "RIVER"}  # by the public cards before
_ROUNDING = 1e-6  # cents
_FIRST = datetime(2000, 1, 1)


def read_pokerstars(text: str) -> PlayedHand:
    """Return the hand in a text; raise :class:`UnreadableError` where it is cut off, or another game."""
    first_line = read_first_line(text)
    button = _BUTTON.search(text)
    if button is None or "*** SUMMARY ***" not in text:
        raise UnreadableError(CUT)
    try:
        return _read_hand(first_line, int(button[1]), *text.split("*** SUMMARY ***", 1))
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None


def _read_hand(first_line: FirstLine, button: int, text: str, summary: str) -> PlayedHand:
    seats = {seat[2]: int(seat[1]) for seat in _SEAT.finditer(text)}
    record = HandRecord(
        seats=seats,
        stacks={
            seat[2]: min(_read_chips(seat[3]), first_line.cap) for seat in _SEAT.finditer(text)
        },
        button=button,
        hole_cards=first_line.hole_cards,
    )
    for dealt in _DEALT.finditer(text):
        record.show(dealt[1], dealt[2])
    for line in map(str.rstrip, text.splitlines()):
        if street := _STREET.match(line):
            record.deal(street[1])
        name = next(
            (line[: at.start()] for at in re.finditer(": ", line) if line[: at.start()] in seats),
            "",
        )
        if name:
            _read_action(record, name, line[len(name) + 2 :])
    names = {seat: name for name, seat in seats.items()}
    for shown in _SHOWN.finditer(summary):
        record.show(names[int(shown[1])], shown[2])
    added = math.fsum(_read_chips(drop[1]) for drop in _ADDED.finditer(text))
    return record.end(first_line.number, first_line.deck, added)


def _read_action(record: HandRecord, name: str, action: str) -> None:
    if post := _POST.match(action):
        chips = _read_chips(post[2])
        live = chips
        if post[1] == "the ante":
            live = 0.0
        elif post[1] == "small & big blinds":
            live = min(record.largest_blind, chips)
        record.post(name, chips, live)
    elif action.startswith("posts "):
        raise unknown_post(action)
    elif action.startswith("shows ["):
        record.show(name, action[7 : action.index("]")])
    elif action.startswith("folds"):
        record.fold(name)
    elif action.startswith(("checks", "calls")):
        record.call(name)
    elif bet := _BET.match(action):
        record.bet_to(name, _read_chips(bet[1] or bet[3]))


def _read_chips(text: str) -> float:
    return float(text.replace(",", ""))


def write_pokerstars(hand: PlayedHand, shown: Sequence[int], collected: Sequence[float]) -> str:
    """Return a hand of two players, big blind and button, as a text; the cards of the former are dealt face up.

    ``shown`` are those who show their cards, in order, and ``collected`` is what both take from the
    pot, of which the house has the rest. It is an error if an amount is not one of whole cents.
    """
    return "\n".join(_write_lines(hand, shown, collected)) + "\n\n\n"


def _write_lines(
    hand: PlayedHand, shown: Sequence[int], collected: Sequence[float]
) -> Iterator[str]:
    big, small = hand.blinds
    when = _FIRST + timedelta(minutes=int(hand.name) % 10**7)
    stakes = f"(${small:.2f}/${big:.2f} USD)"
    is_omaha = hand.hole_cards > 2
    if is_omaha:
        game = " Omaha Pot Limit"
    else:
        game = f"{'6+' if hand.deck.first else ''} Hold'em No Limit"
    yield f"PokerStars Hand #{hand.name}: {game} {stakes} - {when:%Y/%m/%d} {when.hour}:{when:%M:%S} ET"
    yield "Table 'Equilibrist' 2-max Seat #1 is the button"
    for seat in (1, 0):
        yield f"Seat {2 - seat}: {hand.players[seat]} ({_money_text(hand.stacks[seat])} in chips)"
    yield f"{hand.players[1]}: posts small blind {_money_text(small)}"
    yield f"{hand.players[0]}: posts big blind {_money_text(big)}"
    yield "*** HOLE CARDS ***"
    yield f"Dealt to {hand.players[0]} [{_cards_text(hand.cards[0])}]"
    table = Table(hand)
    street = ""
    ends = [""] * 2
    board: tuple[int, ...] = ()
    for move in hand.moves:
        if isinstance(move, Deal):
            table.deal()
            board_text = f" [{_cards_text(board)}]" if board else ""
            street = _STREETS[len(board)]
            yield f"*** {street} ***{board_text} [{_cards_text(move.cards)}]"
            board += move.cards
            continue
        player = move.player
        bet = max(table.bets)
        chips_before = table.bets[move.player]
        table.act(move)
        chips = table.bets[player] - chips_before
        text = {"F": "folds", "C": f"calls {_money_text(chips)}" if chips else "checks"}.get(
            move.kind
        )
        raises = (
            f"raises {_money_text(table.bets[player] - bet)} to {_money_text(table.bets[player])}"
        )
        text = text or (raises if bet else f"bets {_money_text(chips)}")
        yield f"{hand.players[player]}: {text}{' and is all-in' * (chips > 0 and table.left[player] < 0.005)}"
        if move.kind == "F":
            ends[player] = f" folded on the {street.capitalize()}"
    if table.bets[0] != table.bets[1]:
        caller = hand.players[int(table.bets[1] > table.bets[0])]
        yield f"Uncalled bet ({_money_text(abs(table.bets[0] - table.bets[1]))}) returned to {caller}"
    paid = [math.floor(chips * 100 + _ROUNDING) / 100 for chips in collected]
    if shown:
        yield "*** SHOW DOWN ***"
        hands = np.sort(hand.cards)
        strengths_held = (
            of_four(np.array([board]), hands)
            if is_omaha
            else strengths(np.array([board]), hands, hand.deck)
        )[0]
        words = [
            CATEGORIES[category] for category in category_of(strengths_held, hand.deck).tolist()
        ]
        for player in shown:
            won = f"won ({_money_text(paid[player])})" if paid[player] else "lost"
            ends[player] = (
                f" showed [{_cards_text(hand.cards[player])}] and {won} with {words[player]}"
            )
            yield f"{hand.players[player]}: shows [{_cards_text(hand.cards[player])}] ({words[player]})"
    for player in (0, 1):
        if paid[player]:
            yield f"{hand.players[player]} collected {_money_text(paid[player])} from pot"
    pot = table.pot - abs(table.bets[0] - table.bets[1])
    yield "*** SUMMARY ***"
    yield f"Total pot {_money_text(pot)} | Rake {_money_text(pot - math.fsum(paid))}"
    yield f"Board [{_cards_text(board)}]"
    for player, blind in ((1, "(button) (small blind)"), (0, "(big blind)")):
        end = ends[player] or f" collected ({_money_text(paid[player])})"
        yield f"Seat {2 - player}: {hand.players[player]} {blind}{end}"


def _money_text(chips: float) -> str:
    """Return an amount of whole cents as a text."""
    cents = round(chips * 100)
    if abs(chips * 100 - cents) > _ROUNDING:
        raise GameError(
            f"PokerStars counts in cents, and {number(chips)} chips are no whole ones; write "
            "phh, or solve the spot with chip=0.01.",
            wrong_use=True,
        )
    if cents % 100 == 0:
        return f"${cents // 100}"
    return f"${cents / 100:.2f}"


def _cards_text(cards: Sequence[int]) -> str:
    return " ".join(CARDS[card] for card in cards)
