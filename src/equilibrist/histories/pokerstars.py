"""Hand histories as PokerStars writes them in English: no-limit hold'em and pot-limit Omaha, cash and tournaments.

GGPoker writes the same lines below another first one, and may add money to the pot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np

from ..errors import GameError
from ..games.holdem.bet_sizes import number
from ..games.holdem.cards import CARDS, parse_cards
from ..games.holdem.hand_ranks import CATEGORIES, category_of, strengths
from ..games.omaha.hands import strengths as of_four
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
        return _read(first_line, int(button[1]), *text.split("*** SUMMARY ***", 1))
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None


def _read(first_line: FirstLine, button: int, text: str, summary: str) -> PlayedHand:
    hole_cards = first_line.hole_cards
    seats = {seat[2]: int(seat[1]) for seat in _SEAT.finditer(text)}
    stacks = {seat[2]: min(_chips(seat[3]), first_line.cap) for seat in _SEAT.finditer(text)}
    names = {seat: name for name, seat in seats.items()}
    cards = {dealt[1]: _hand(dealt[2], hole_cards) for dealt in _DEALT.finditer(text)}
    cards |= {
        names[int(shown[1])]: _hand(shown[2], hole_cards) for shown in _SHOWN.finditer(summary)
    }
    added = math.fsum(_chips(drop[1]) for drop in _ADDED.finditer(text))
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
        done = line[len(name) + 2 :] if name else ""
        if post := _POST.match(done):
            chips = _chips(post[2])
            live = {"the ante": 0.0, "small & big blinds": min(max(blinds.values()), chips)}.get(
                post[1], chips
            )
            posted.add(name)
            blinds[name] = live or blinds[name]
            antes[name] += chips - live
        elif done.startswith("posts "):
            raise UnreadableError(f"a post that is not known here: {done[:_LONGEST_POST]!r}")
        elif done.startswith("shows ["):
            cards[name] = _hand(done[7 : done.index("]")], hole_cards)
        elif done.startswith(("folds", "checks", "calls")):
            acted.append((name, "F" if done[0] == "f" else "C", 0.0))
        elif bet := _BET.match(done):
            acted.append((name, "B", _chips(bet[1] or bet[3])))
    acting = posted | {
        move[0] for move in acted if not isinstance(move, Deal)
    }  # nobody who sits out
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


def _chips(text: str) -> float:
    return float(text.replace(",", ""))


def _hand(text: str, hole_cards: int) -> tuple[int, ...]:
    cards = parse_cards(text, count=tuple(range(1, hole_cards + 1)))
    # who shows one card of two
    if len(cards) == hole_cards:
        return cards
    return ()


def write_pokerstars(hand: PlayedHand, shown: Sequence[int], collected: Sequence[float]) -> str:
    """Return a hand of two players, big blind and button, as a text; the cards of the former are dealt face up.

    ``shown`` are those who show their cards, in order, and ``collected`` is what both take from the pot, of which the
    house has the rest. It is an error if an amount is not one of whole cents.
    """
    return "\n".join(_lines(hand, shown, collected)) + "\n\n\n"


def _lines(hand: PlayedHand, shown: Sequence[int], collected: Sequence[float]) -> Iterator[str]:
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
        yield f"Seat {2 - seat}: {hand.players[seat]} ({_money(hand.stacks[seat])} in chips)"
    yield f"{hand.players[1]}: posts small blind {_money(small)}"
    yield f"{hand.players[0]}: posts big blind {_money(big)}"
    yield "*** HOLE CARDS ***"
    yield f"Dealt to {hand.players[0]} [{_cards(hand.cards[0])}]"
    table = Table(hand)
    street = ""
    ends = [""] * 2
    board: tuple[int, ...] = ()
    for move in hand.moves:
        if isinstance(move, Deal):
            table.deal()
            before = f" [{_cards(board)}]" if board else ""
            street = _STREETS[len(board)]
            yield f"*** {street} ***{before} [{_cards(move.cards)}]"
            board += move.cards
            continue
        who = move.player
        bet = max(table.bets)
        before_it = table.bets[move.player]
        table.act(move)
        chips = table.bets[who] - before_it
        text = {"F": "folds", "C": f"calls {_money(chips)}" if chips else "checks"}.get(move.kind)
        raises = f"raises {_money(table.bets[who] - bet)} to {_money(table.bets[who])}"
        text = text or (raises if bet else f"bets {_money(chips)}")
        yield f"{hand.players[who]}: {text}{' and is all-in' * (chips > 0 and table.left[who] < 0.005)}"
        if move.kind == "F":
            ends[who] = f" folded on the {street.capitalize()}"
    if table.bets[0] != table.bets[1]:
        caller = hand.players[int(table.bets[1] > table.bets[0])]
        yield f"Uncalled bet ({_money(abs(table.bets[0] - table.bets[1]))}) returned to {caller}"
    paid = [math.floor(chips * 100 + _ROUNDING) / 100 for chips in collected]
    if shown:
        yield "*** SHOW DOWN ***"
        hands = np.sort(hand.cards)
        held = (
            of_four(np.array([board]), hands)
            if is_omaha
            else strengths(np.array([board]), hands, hand.deck)
        )[0]
        words = [CATEGORIES[category] for category in category_of(held, hand.deck).tolist()]
        for who in shown:
            won = f"won ({_money(paid[who])})" if paid[who] else "lost"
            ends[who] = f" showed [{_cards(hand.cards[who])}] and {won} with {words[who]}"
            yield f"{hand.players[who]}: shows [{_cards(hand.cards[who])}] ({words[who]})"
    for who in (0, 1):
        if paid[who]:
            yield f"{hand.players[who]} collected {_money(paid[who])} from pot"
    pot = table.pot - abs(table.bets[0] - table.bets[1])
    yield "*** SUMMARY ***"
    yield f"Total pot {_money(pot)} | Rake {_money(pot - math.fsum(paid))}"
    yield f"Board [{_cards(board)}]"
    for who, blind in ((1, "(button) (small blind)"), (0, "(big blind)")):
        yield f"Seat {2 - who}: {hand.players[who]} {blind}{ends[who] or f' collected ({_money(paid[who])})'}"


def _money(chips: float) -> str:
    """Return an amount of whole cents as a text."""
    cents = round(chips * 100)
    if abs(chips * 100 - cents) > _ROUNDING:
        raise GameError(
            f"PokerStars counts in cents, and {number(chips)} chips are no whole ones; write phh, or solve the spot "
            "with chip=0.01.",
            wrong_use=True,
        )
    if cents % 100 == 0:
        return f"${cents // 100}"
    return f"${cents / 100:.2f}"


def _cards(cards: Sequence[int]) -> str:
    return " ".join(CARDS[card] for card in cards)
