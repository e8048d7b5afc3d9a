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
from ..cards.cards import CARDS, parse_cards
from ..cards.hand_ranks import CATEGORIES, category_of, strengths
from ..omaha.hands import strengths as of_four
from ..spot.bet_sizes import number
from .first_line import FirstLine, read_first_line
from .hand import CUT, Action, Deal, PlayedHand, Table, UnreadableError

_BUTTON = re.compile(r"Seat #(\d+) is the button")
_ADDED = re.compile(r"^Cash Drop to Pot ?: total \D*?([\d,]+(?:\.\d+)?)", re.MULTILINE)
"""Money that GGPoker adds to a pot."""
_LONGEST_POST = 40  # characters of one that is named
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
    hole_cards = first_line.hole_cards
    seats = {seat[2]: int(seat[1]) for seat in _SEAT.finditer(text)}
    stacks = {seat[2]: min(_read_chips(seat[3]), first_line.cap) for seat in _SEAT.finditer(text)}
    names = {seat: name for name, seat in seats.items()}
    cards = {match[1]: _read_cards(match[2], hole_cards) for match in _DEALT.finditer(text)}
    cards |= {
        names[int(match[1])]: _read_cards(match[2], hole_cards)
        for match in _SHOWN.finditer(summary)
    }
    added = math.fsum(_read_chips(drop[1]) for drop in _ADDED.finditer(text))
    antes = dict.fromkeys(seats, 0.0)
    blinds = dict.fromkeys(seats, 0.0)
    acted: list[tuple[str, str, float] | Deal] = []
    posted: set[str] = set()
    for line in map(str.rstrip, text.splitlines()):
        if street := _STREET.match(line):
            acted.append(Deal(parse_cards(street[1])))
        name = next(
            (line[: at.start()] for at in re.finditer(": ", line) if line[: at.start()] in seats),
            "",
        )
        action_text = line[len(name) + 2 :] if name else ""
        if post := _POST.match(action_text):
            chips = _read_chips(post[2])
            live = {"the ante": 0.0, "small & big blinds": min(max(blinds.values()), chips)}.get(
                post[1], chips
            )
            posted.add(name)
            blinds[name] = live or blinds[name]
            antes[name] += chips - live
        elif action_text.startswith("posts "):
            raise UnreadableError(f"a post that is not known here: {action_text[:_LONGEST_POST]!r}")
        elif action_text.startswith("shows ["):
            cards[name] = _read_cards(action_text[7 : action_text.index("]")], hole_cards)
        elif action_text.startswith(("folds", "checks", "calls")):
            acted.append((name, "F" if action_text[0] == "f" else "C", 0.0))
        elif bet := _BET.match(action_text):
            acted.append((name, "B", _read_chips(bet[1] or bet[3])))
    # Nobody who sits out.
    acting = posted | {move[0] for move in acted if not isinstance(move, Deal)}
    players = tuple(sorted(acting, key=lambda name: (seats[name] <= button, seats[name])))
    if len(players) < 2:
        raise UnreadableError(CUT)
    moves = (
        move if isinstance(move, Deal) else Action(players.index(move[0]), *move[1:])
        for move in acted
    )
    return PlayedHand(
        name=first_line.number,
        players=players,
        stacks=tuple(stacks[name] for name in players),
        antes=tuple(antes[name] for name in players),
        blinds=tuple(blinds[name] for name in players),
        cards=tuple(cards.get(name, ()) for name in players),
        moves=tuple(moves),
        deck=first_line.deck,
        hole_cards=hole_cards,
        added=added,
    )


def _read_chips(text: str) -> float:
    return float(text.replace(",", ""))


def _read_cards(text: str, hole_cards: int) -> tuple[int, ...]:
    cards = parse_cards(text, count=tuple(range(1, hole_cards + 1)))
    # who shows one card of two
    if len(cards) == hole_cards:
        return cards
    return ()


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
