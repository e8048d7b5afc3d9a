"""The settings of a hold'em spot: checked, written in one way, and turned into ranges and rules of betting."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..._util.spec import choice, flag, whole
from ..._util.text import short_repr
from ..._util.validate import is_number
from ...errors import GameError, in_field
from ...game.folded import MOST_FOLDED, FoldedHands
from ..cards.cards import CARDS, CLASS_OF_HAND, HANDS, blocked, cards_text, parse_cards
from ..cards.hand_ranks import DECKS, Deck
from ..cards.ranges import Range, weight_of_classes
from .bet_sizes import (
    LEAST_CHIPS,
    MOST_CHIPS,
    STREETS,
    Parts,
    Sizes,
    check_keys,
    combine,
    read_parts,
    write_parts,
)
from .betting_tree import PLAYER_KEYS, BettingRules
from .icm import check_order
from .lines import START, split_line, streets_over

OfPlayer = str | Range | ArrayLike | Mapping[str, Any]
"""A range, or a table with a range and sizes."""

OfFolded = str | Range | ArrayLike
"""A range of a player who folded."""

OfStreet = str | Mapping[str, str] | None
"""Sizes of a street, as a text or a table."""

AnyRange = TypeVar("AnyRange")

MOST_OTHERS = 998
"""Stacks of players who are not in the hand: each end takes a moment for each."""
_OF_PLAYER = ("range", "bets", *STREETS)
_RIVER = 5  # public cards


def canonical_settings(**values: Any) -> tuple[dict[str, Any], tuple[Range, Range]]:
    """Return the settings of a spot, each in the one way of writing it; what means the same is written the same.

    And the ranges of both players, without what the board blocks.
    """
    deck = find_deck(values)
    with in_field("board"):
        numbers = parse_cards(values["board"], "board", count=(3, 4, 5), names=CARDS[deck.first :])
    board = [number + deck.first for number in numbers]

    def read_range(player: str, text: Any) -> tuple[str, Range]:
        player_range = Range(text, board=board, name=player, deck=deck)
        return range_text(player_range, board), player_range

    others = {key: value for key, value in values.items() if key != "folded"}
    settings, ranges = read_settings(others, read_range)
    if "folded" in values:
        texts = (text for text, _ in read_folded(values["folded"], board, deck))
        settings["folded"] = tuple(texts)
    return settings, ranges


def read_folded(value: Any, board: Collection[int], deck: Deck) -> list[tuple[str, Range]]:
    """Return the ranges of those who folded before the board was dealt, each as a text and as a range."""
    with in_field("folded"):
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        if not is_list and not isinstance(value, np.ndarray):
            raise GameError(
                "folded must be a list of ranges, such as ['22+,A2+'], one for each player who "
                f"folded; got {short_repr(value)}.",
                wrong_use=True,
            )
        if len(value) > MOST_FOLDED:
            raise GameError(
                f"folded must be the ranges of at most {MOST_FOLDED} players; got {len(value)}.",
                wrong_use=True,
            )
        ranges = [Range(text, board=board, name="folded", deck=deck) for text in value]
    return [(range_text(each, board), each) for each in ranges]


def fold_hands(
    ranges: Sequence[Range], board: Sequence[int], deck: Deck, *, players: int
) -> FoldedHands | None:
    """Return the hands of those who folded, of whom ``players`` play on; None where nobody has.

    ``board`` are the public cards at the start, numbered in the deck.
    """
    if not ranges:
        return None
    held = [np.flatnonzero(each.weights) for each in ranges]
    return FoldedHands(
        [HANDS[rows] - deck.first for rows in held],
        [each.weights[rows] for each, rows in zip(ranges, held, strict=True)],
        cards=len(CARDS) - deck.first,
        board=board,
        most=2 * players + _RIVER - len(board),
    )


def read_settings(
    values: Mapping[str, Any], read_range: Callable[[str, Any], tuple[str, AnyRange]]
) -> tuple[dict[str, Any], tuple[AnyRange, AnyRange]]:
    """Return the settings of a spot as :func:`canonical_settings` does, with ranges that are read in some way.

    ``read_range(player, setting)`` returns a range as a text, and the range.
    """
    settings: dict[str, Any] = {}
    ranges: dict[str, AnyRange] = {}
    for key, value in values.items():
        with in_field(key):
            if key in PLAYER_KEYS:
                settings[key], ranges[key] = read_player(key, value, read_range)
            else:
                settings[key] = read_setting(key, value)
    return settings, (ranges["oop"], ranges["ip"])


def read_setting(key: str, value: Any) -> Any:
    """Return a setting that is no range in the one way of writing it; None stays."""
    if value is None:
        return None
    return _READERS[key](key, value)


def find_deck(settings: Mapping[str, Any]) -> Deck:
    """Return the deck of a spot with some settings."""
    return DECKS[choice("holdem", "deck", settings.get("deck", "full"), DECKS)]


def read_chips(key: str, value: Any, *, above_0: bool = False) -> int | float:
    """Return a number of chips, 0 or more or above it, as an int where it is whole."""
    if not is_number(value) or float(value) < 0 or (above_0 and float(value) == 0):
        span = "above 0" if above_0 else "0 or more"
        raise GameError(
            f"{key} must be a number of chips, {span}; got {short_repr(value)}.", wrong_use=True
        )
    if value != 0 and not LEAST_CHIPS <= float(value) <= MOST_CHIPS:
        unit = "0, or " if not above_0 else ""
        raise GameError(
            f"{key} must be {unit}from {LEAST_CHIPS:g} to {MOST_CHIPS:g} chips; got "
            f"{short_repr(value)}. Count in another unit: only the ratios of chips matter.",
            wrong_use=True,
        )
    if float(value).is_integer():
        return int(value)
    return float(value)


def _read_share(key: str, value: Any, *, largest: float) -> float:
    """Return a share of the pot, from 0 to ``largest``."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*%\s*", value)
    else:
        match = None
    share = float(match[1]) / 100 if match else value
    if not is_number(share) or not 0 <= float(share) <= largest:
        raise GameError(
            f"{key} must be a share of the pot from 0 to {largest:g}, 0.15 or '15%'; got {value!r}.",
            wrong_use=True,
        )
    return float(share)


def _read_stacks(key: str, value: Any) -> tuple[int | float, ...]:
    """Return the chips of some players, each above 0."""
    if not isinstance(value, list | tuple):
        raise GameError(
            f"{key} must be a list of stacks, such as [30, 25], one for each player who is not in "
            f"the hand; got {short_repr(value)}.",
            wrong_use=True,
        )
    return tuple(read_chips(key, chips, above_0=True) for chips in value)


def _read_surplus(key: str, value: Any) -> tuple[int | float, ...]:
    """Return what OOP and IP have beyond the stack, of whom one has nothing; none where both have nothing."""
    if not isinstance(value, list | tuple) or len(value) not in (0, 2):
        raise GameError(
            f"{key} must be the chips that OOP and IP have beyond the stack, such as [0, 50]; got "
            f"{short_repr(value)}.",
            wrong_use=True,
        )
    chips = tuple(read_chips(key, number) for number in value)
    if not any(chips):
        return ()
    if min(chips) > 0:
        raise GameError(
            f"{key}: stack is the smaller one of both, so that one of them has 0 beyond it; got "
            f"{short_repr(value)}. Add {min(chips):g} to stack.",
            wrong_use=True,
        )
    return chips


def _read_prizes(key: str, value: Any) -> tuple[int | float, ...]:
    """Return prizes, each 0 or more and not all of them 0; none is no tournament."""
    if not isinstance(value, list | tuple) or not all(is_number(x) and x >= 0 for x in value):
        raise GameError(
            f"{key} must be a list of numbers, each 0 or more, such as [50, 30, 20]; got "
            f"{short_repr(value)}.",
            wrong_use=True,
        )
    if len(value) and not any(value):
        raise GameError(
            f"{key}: one of the prizes must be above 0; got {short_repr(value)}. Leave them out to "
            "be paid in chips.",
            wrong_use=True,
        )
    check_order(key, value)
    return tuple(int(x) if float(x).is_integer() else float(x) for x in value)


def _check_prizes(settings: Mapping[str, Any]) -> None:
    """Refuse prizes that do not go with the other settings."""
    prizes = settings["prizes"] or ()
    others = settings["others"] or ()
    if settings["surplus"] and not prizes:
        raise GameError(
            "surplus: chips beyond the stack are never at stake, and count for prizes alone; give "
            f"prizes, such as [50, 30, 20], or leave surplus out; got {list(settings['surplus'])!r}.",
            wrong_use=True,
        )
    if others and not prizes:
        raise GameError(
            f"others are the stacks of those who play for the same prizes; give prizes, such as "
            f"[50, 30, 20], or leave others out; got {list(others)!r}.",
            wrong_use=True,
        )
    players = 2 + len(others)
    if len(others) > MOST_OTHERS:
        raise GameError(
            f"others must be at most {MOST_OTHERS} stacks; got {len(others)}.", wrong_use=True
        )
    if len(prizes) > players:
        raise GameError(
            f"prizes: there are {len(prizes)} prizes for {players} players, who are OOP, IP and "
            f"{len(others)} others; give at most one for each, or the stacks of the others.",
            wrong_use=True,
        )
    if prizes and settings["rake"]:
        raise GameError(
            "rake: the house takes nothing out of pots that are played for prizes; leave out rake "
            f"or prizes; got rake={settings['rake']!r}.",
            wrong_use=True,
        )


def _read_lines(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(
        isinstance(line, str) and split_line(line) for line in value
    ):
        raise GameError(
            f"{key} must be a list of lines, such as ['X-B120-R500']; got {value!r}.",
            wrong_use=True,
        )
    return tuple(map(_read_line, value))


def _read_line(line: str) -> str:
    return re.sub(r"[\s>-]*\|[\s>-]*", " | ", re.sub(r"\s*[->]\s*", "-", line.strip())).upper()


def _read_after(key: str, value: Any) -> str | None:
    if not isinstance(value, str) or (
        value.strip().lower() not in ("", START) and not split_line(value)
    ):
        raise GameError(
            f"{key} must be a line, such as 'X-B120-C | X'; got {value!r}.", wrong_use=True
        )
    if not split_line(value):
        return None
    return _read_line(value).strip(" |")


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "board": lambda key, value: cards_text(parse_cards(value, key)),
    **dict.fromkeys(("pot", "stack"), partial(read_chips, above_0=True)),
    **dict.fromkeys(("bets", *STREETS), lambda key, value: write_parts(value, key)),
    "add_all_in": partial(_read_share, largest=100),
    **dict.fromkeys(("force_all_in", "merge"), partial(_read_share, largest=10)),
    "max_raises": partial(whole, "spot", least=0),
    **dict.fromkeys(("min_bet", "chip", "rake_cap"), read_chips),
    "rake": partial(_read_share, largest=1),
    "prizes": _read_prizes,
    "others": _read_stacks,
    "surplus": _read_surplus,
    "add_lines": _read_lines,
    "remove_lines": _read_lines,
    "after": _read_after,
    "deck": partial(choice, "holdem", allowed=DECKS),
    "pot_limit": partial(flag, "omaha"),
}


def read_player(
    player: str, setting: Any, read_range: Callable[[str, Any], tuple[str, AnyRange]]
) -> tuple[str | dict[str, Any], AnyRange]:
    """Return the range of a player as a text, or the table of it and the player's own sizes; and the range itself."""
    if isinstance(setting, Mapping):
        table = dict(setting)
    else:
        table = {"range": setting}
    for key in table:
        if key in _READERS and key not in _OF_PLAYER:
            raise GameError(
                f"{player} has no {key!r} of its own: in a file, write {key} above [{player}].",
                wrong_use=True,
            )
    check_keys(table, _OF_PLAYER, player)
    if "range" not in table:
        raise GameError(
            f"{player} needs a range: {player} = {{'range': 'QQ+,AKs'}}; got {setting!r}.",
            wrong_use=True,
        )
    text, player_range = read_range(player, table["range"])
    written: dict[str, Any] = {"range": text}
    for key in _OF_PLAYER[1:]:
        if key not in table:
            continue
        with in_field(f"{player}.{key}"):
            written[key] = write_parts(table[key], f"{player}.{key}")
            if player == "ip" and "donk" in read_parts(table[key], key):
                raise GameError(
                    f"ip.{key} has donk bets, which only OOP can make, for OOP acts first on "
                    f"each street; got {table[key]!r}.",
                    wrong_use=True,
                )
    return written if len(written) > 1 else written["range"], player_range


def range_text(player_range: Range, board: Collection[int]) -> str:
    """Return the text of a range in which blocked hands weigh as much as the others of their class, if those agree."""
    weight = weight_of_classes(player_range.weights, ~blocked(board))[CLASS_OF_HAND]
    return str(Range(np.where(np.isnan(weight), player_range.weights, weight)))


def betting_rules(settings: Mapping[str, Any]) -> BettingRules:
    """Return the rules of betting that canonical settings say."""
    _check_prizes(settings)
    players = [settings[player] for player in PLAYER_KEYS]
    return BettingRules(
        **rules_keywords(settings, players, float(settings["stack"])),
        prizes=tuple(map(float, settings["prizes"] or ())),
        others=tuple(map(float, settings["others"] or ())),
        surplus=tuple(map(float, settings["surplus"] or (0, 0))),
    )


def rules_keywords(
    settings: Mapping[str, Any], players: Sequence[Any], stack: float
) -> dict[str, Any]:
    """Return the keywords of :class:`BettingRules` that canonical settings say; ``players`` are what each player has
    of its own.
    """
    if settings["chip"] is None:
        chip = _default_chip(settings["pot"], stack)
    else:
        chip = float(settings["chip"])
    lines = {key: settings[key] for key in ("add_lines", "remove_lines")}
    after = settings.get("after") or ""
    street = len(parse_cards(settings["board"])) - 3 - streets_over(after)
    if street < 0:
        raise GameError(
            f"after: with the board {settings['board']} no more than "
            f"{street + streets_over(after)} streets can be over; got {after!r}.",
            wrong_use=True,
        )
    return dict(
        street=street,
        pot=float(settings["pot"]),
        stack=stack,
        sizes=tuple(
            tuple(_choose_sizes(settings, player, street) for street in STREETS)
            for player in players
        ),
        chip=chip,
        min_bet=max(chip, float(settings["min_bet"] or 0)),
        add_all_in=settings["add_all_in"],
        force_all_in=settings["force_all_in"],
        merge=settings["merge"],
        max_raises=settings["max_raises"],
        rake=settings["rake"],
        rake_cap=math.inf if settings["rake_cap"] is None else float(settings["rake_cap"]),
        pot_limit=settings.get("pot_limit", False),
        **lines,
    )


def _default_chip(pot: float, stack: float) -> float:
    """Return what bets are rounded to where no chip is given; 0, which rounds nothing, where 0.01 would round all."""
    if float(pot).is_integer() and float(stack).is_integer():
        return 1.0
    if min(pot, stack) >= 0.01:
        return 0.01
    return 0.0


def _choose_sizes(settings: Mapping[str, Any], player: Any, street: str) -> Sizes:
    """Return the sizes of a player on a street: those of all, of the street, of the player, of the player's street."""
    if isinstance(player, Mapping):
        sizes = player
    else:
        sizes = {}
    layers = [settings["bets"], settings[street], sizes.get("bets"), sizes.get(street)]
    parts: list[Parts] = [read_parts(layer, "sizes") for layer in layers if layer is not None]
    return combine(*parts)
