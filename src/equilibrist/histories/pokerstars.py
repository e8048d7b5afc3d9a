"""Hand histories as PokerStars writes them in English, no-limit hold'em: cash games and tournaments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from ..errors import GameError
from ..games.holdem.bet_sizes import number
from ..games.holdem.cards import CARDS, parse_cards
from .hand import CUT, OTHER_GAME, Action, Deal, Ending, PlayedHand, UnreadableError

_GAME = re.compile(r"#(\d+):.*(?<!6\+ )Hold'em No Limit\b")
_BUTTON = re.compile(r"Seat #(\d+) is the button")
_SEAT = re.compile(r"Seat (\d+): (.+) \(\D*([\d,.]+) in chips[^()]*\)")
_AMOUNT = r"\D*?([\d,]+(?:\.\d+)?)"
_POST = re.compile(rf"posts (the ante|small blind|big blind|small & big blinds|straddle){_AMOUNT}(?: |$)")
_BET = re.compile(rf"(?:bets{_AMOUNT}|raises{_AMOUNT} to{_AMOUNT})(?: |$)")
_DEALT = re.compile(r"Dealt to (.+) \[([^\]]*)\]")
_SUMMED = re.compile(r"Seat (\d+): .+ (?:showed|mucked) \[([^\]]*)\]")
_STREET = re.compile(r"\*\*\* (?:FIRST )?(?:FLOP|TURN|RIVER) \*\*\* .*\[([^\]]*)\]$")
_STREETS = ("FLOP", "TURN", "RIVER")
_ROUNDING = 1e-6  # cents
_FIRST = datetime(2000, 1, 1)


def read_pokerstars(text: str) -> PlayedHand:
    """Return the hand in a text; raise :class:`UnreadableError` where it is cut off, or another game."""
    head, *lines = [line.rstrip() for line in text.splitlines()]
    game, button = _GAME.search(head), _BUTTON.search(text)
    if game is None:
        raise UnreadableError(OTHER_GAME if "#" in head else CUT)
    if button is None or not any(line.startswith("*** SUMMARY ***") for line in lines):
        raise UnreadableError(CUT)
    hand = _Reader()
    try:
        for line in lines:
            hand.line(line)
    except (LookupError, ValueError, GameError):
        raise UnreadableError(CUT) from None
    return hand.result(game[1], int(button[1]))


class _Reader:
    """What the lines of a history say, one after the other."""

    def __init__(self) -> None:
        self.seats: dict[str, int] = {}
        self.stacks: dict[str, float] = {}
        self.antes: dict[str, float] = {}
        self.blinds: dict[str, float] = {}
        self.cards: dict[str, tuple[int, ...]] = {}
        self.moves: list[tuple[str, Action] | Deal] = []
        self.is_over = False

    def line(self, line: str) -> None:
        self.is_over = self.is_over or line.startswith("*** SUMMARY ***")
        if line.startswith("Seat "):
            self._seat(line)
        elif (dealt := _DEALT.match(line)) and dealt[1] in self.seats:
            self.cards[dealt[1]] = _hand(dealt[2])
        elif street := _STREET.match(line):
            self.moves.append(Deal(parse_cards(street[1])))
        elif not self.is_over:
            for split in re.finditer(": ", line):
                if line[: split.start()] in self.seats:
                    self._act(line[: split.start()], line[split.end() :])
                    return

    def _seat(self, line: str) -> None:
        if not self.is_over and (seat := _SEAT.match(line)):
            self.seats[seat[2]] = int(seat[1])
            self.stacks[seat[2]] = _chips(seat[3])
        elif shown := _SUMMED.match(line):
            names = {seat: name for name, seat in self.seats.items()}
            self.cards[names[int(shown[1])]] = _hand(shown[2])

    def _act(self, name: str, text: str) -> None:
        if post := _POST.match(text):
            chips, blind = _chips(post[2]), max(self.blinds.values(), default=0.0)
            live = {"the ante": 0.0, "small & big blinds": min(blind, chips)}.get(post[1], chips)
            if live:
                self.blinds[name] = live
            self.antes[name] = self.antes.get(name, 0.0) + chips - live
        elif text.startswith("shows ["):
            self.cards[name] = _hand(text[7 : text.index("]")])
        elif text.startswith(("folds", "checks", "calls")):
            self.moves.append((name, Action(0, "F" if text[0] == "f" else "C")))
        elif bet := _BET.match(text):
            self.moves.append((name, Action(0, "B", _chips(bet[1] or bet[3]))))

    def result(self, name: str, button: int) -> PlayedHand:
        acting = {*self.antes, *self.blinds, *(move[0] for move in self.moves if not isinstance(move, Deal))}
        players = sorted(acting, key=lambda player: (self.seats[player] <= button, self.seats[player]))
        if len(players) < 2:
            raise UnreadableError(CUT)
        stacks, antes, blinds = (
            tuple(chips.get(player, 0.0) for player in players) for chips in (self.stacks, self.antes, self.blinds)
        )
        return PlayedHand(
            name,
            tuple(players),
            stacks,
            antes,
            blinds,
            tuple(self.cards.get(player, ()) for player in players),
            tuple(
                move if isinstance(move, Deal) else move[1]._replace(player=players.index(move[0]))
                for move in self.moves
            ),
        )


def _chips(text: str) -> float:
    return float(text.replace(",", ""))


def _hand(text: str) -> tuple[int, ...]:
    cards = parse_cards(text)
    if len(cards) not in (1, 2):
        raise UnreadableError(OTHER_GAME)
    return cards if len(cards) == 2 else ()  # who shows one card of two


def write_pokerstars(hand: PlayedHand, ending: Ending, *, hero: int = 0) -> str:
    """Return a hand of two players, big blind and button, as a text; cards of ``hero`` are dealt face up.

    Raises
    ------
    GameError
        An amount is not one of whole cents.
    """
    return "\n".join(_lines(hand, ending, hero)) + "\n\n\n"


def _lines(hand: PlayedHand, ending: Ending, hero: int) -> Iterator[str]:
    order, words, returned, exact, _ = ending
    collected = [math.floor(chips * 100 + _ROUNDING) / 100 for chips in exact]
    rake = ending.rake + math.fsum(exact) - math.fsum(collected)
    big, small = hand.blinds
    when = _FIRST + timedelta(minutes=int(hand.name) % 10**7)
    stakes = f"${small:.2f}/${big:.2f} USD"
    yield f"PokerStars Hand #{hand.name}:  Hold'em No Limit ({stakes}) - {when:%Y/%m/%d} {when.hour}:{when:%M:%S} ET"
    yield "Table 'Equilibrist' 2-max Seat #1 is the button"
    for seat in (1, 0):
        yield f"Seat {2 - seat}: {hand.players[seat]} ({_money(hand.stacks[seat])} in chips)"
    yield f"{hand.players[1]}: posts small blind {_money(small)}"
    yield f"{hand.players[0]}: posts big blind {_money(big)}"
    yield "*** HOLE CARDS ***"
    yield f"Dealt to {hand.players[hero]} [{_cards(hand.cards[hero])}]"
    bets, left = [big, small], [hand.stacks[0] - big, hand.stacks[1] - small]
    board: tuple[int, ...] = ()
    folded, street = [""] * 2, -1
    for move in hand.moves:
        if isinstance(move, Deal):
            street += 1
            before = f" [{_cards(board)}]" * (street > 0)
            yield f"*** {_STREETS[street]} ***{before} [{_cards(move.cards)}]"
            bets, board = [0.0, 0.0], board + move.cards
            continue
        who, bet = move.player, max(bets)
        chips = {"F": 0.0, "C": min(bet - bets[who], left[who])}.get(move.kind, move.chips - bets[who])
        left[who], bets[who] = left[who] - chips, bets[who] + chips
        done = {"F": "folds", "C": f"calls {_money(chips)}" if chips else "checks", "B": f"bets {_money(chips)}"}
        text = (
            f"raises {_money(bets[who] - bet)} to {_money(bets[who])}" if move.kind == "B" and bet else done[move.kind]
        )
        yield f"{hand.players[who]}: {text}{' and is all-in' * (move.kind != 'F' and left[who] < 0.005)}"
        if move.kind == "F":
            folded[who] = f" folded on the {_STREETS[street].capitalize()}"
    if returned[1]:
        yield f"Uncalled bet ({_money(returned[1])}) returned to {hand.players[returned[0]]}"
    if order:
        yield "*** SHOW DOWN ***"
    for who in order:
        yield f"{hand.players[who]}: shows [{_cards(hand.cards[who])}] ({words[who]})"
    for who in (0, 1):
        if collected[who]:
            yield f"{hand.players[who]} collected {_money(collected[who])} from pot"
    yield "*** SUMMARY ***"
    yield f"Total pot {_money(math.fsum(collected) + rake)} | Rake {_money(rake)}"
    yield f"Board [{_cards(board)}]"
    for who, blind in ((1, "(button) (small blind)"), (0, "(big blind)")):
        won = f"won ({_money(collected[who])})" if collected[who] else "lost"
        shown = f" showed [{_cards(hand.cards[who])}] and {won} with {words[who]}" if order else ""
        text = folded[who] or shown or f" collected ({_money(collected[who])})"
        yield f"Seat {2 - who}: {hand.players[who]} {blind}{text}"


def _money(chips: float) -> str:
    """Return an amount of whole cents as a text."""
    cents = round(chips * 100)
    if abs(chips * 100 - cents) > _ROUNDING:
        raise GameError(
            f"PokerStars counts in cents, and {number(chips)} chips are no whole ones; write phh, or solve the spot "
            "with chip=0.01.",
            wrong_use=True,
        )
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"


def _cards(cards: Sequence[int]) -> str:
    return " ".join(CARDS[card] for card in cards)
