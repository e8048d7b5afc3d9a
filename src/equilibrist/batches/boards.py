"""Boards of a report: subsets of flops, the turns and rivers of a spot, or a list, each with a weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.files import read_text
from .._util.validate import is_number
from ..errors import GameError
from ..games.holdem.cards import HANDS, NUM_CARDS, SUIT_PERMUTATIONS, cards_text, hand_index, parse_cards
from ..games.holdem.flops import SUBSETS, board_classes, flop_subset
from ..games.holdem.ranges import Range

_FLOPS = (*map(str, SUBSETS), "all")
CHOICES = (*_FLOPS, "turns", "rivers")


def find_boards(choice: Any, settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the boards of a report on a spot with these settings by name, each with its weight.

    ``choice`` is as for :func:`equilibrist.aggregate`.
    """
    if isinstance(choice, Mapping):
        return _listed({str(name): weight for name, weight in choice.items()})
    if isinstance(choice, Sequence) and not isinstance(choice, str):
        return _listed(dict.fromkeys(map(str, choice), 1))
    text = str(choice).strip()
    if text in ("turns", "rivers"):
        return _later(text, settings)
    if text in _FLOPS and len(shown := parse_cards(settings["board"], "board")) > 3:
        raise GameError(
            f"boards={text!r} are flops, and the spot's pot, stack and bets are those of the board "
            f"{cards_text(shown)}: give a spot on the flop, or boards of {len(shown)} cards.",
            wrong_use=True,
        )
    permutations = kept_symmetries(settings)
    if text in map(str, SUBSETS):
        if len(permutations) < len(SUIT_PERMUTATIONS):
            raise GameError(
                f"A subset of {text} flops stands for all where suits are alike, and these ranges prefer some: give "
                "boards='all', or ranges without hands by suit.",
                wrong_use=True,
            )
        return {cards_text(cards): weight for cards, weight in flop_subset(int(text)).items()}
    if text == "all":
        flops = board_classes(combinations(range(NUM_CARDS), 3), permutations)
        return {cards_text(cards): weight for cards, weight in flops.items()}
    if text.lower().endswith((".txt", ".csv")):
        text = read_text(Path(text))
    return _listed(_read(text))


def _read(text: str) -> dict[str, Any]:
    """Return boards of a text, ``QsJh2h:12, AhKd2c``, or one a line."""
    boards: dict[str, Any] = {}
    for token in text.replace("\n", ",").split(","):
        name, colon, weight = token.partition(":")
        if name.strip():
            try:
                boards[name.strip()] = float(weight) if colon else 1.0
            except ValueError:
                raise GameError(f"boards: the weight of {name.strip()} must be a number; got {weight!r}.") from None
    return boards


def _listed(boards: Mapping[str, Any]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, weight in boards.items():
        if not is_number(weight, above=0):
            raise GameError(f"boards: a weight is a number above 0; got {weight!r} for {name}.", wrong_use=True)
        cards = parse_cards(name, "boards", count=(3, 4, 5))
        weights[cards_text(cards)] = float(weight)
    if not weights:
        raise GameError(f"boards must be one of {', '.join(CHOICES)}, or boards: 'QsJh2h, AhKd2c'.", wrong_use=True)
    if len({len(name) for name in weights}) > 1:
        raise GameError(f"boards: all are of one street; got {', '.join(list(weights)[:5])}.", wrong_use=True)
    return weights


def _later(street: str, settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the boards with one card more than the flop, or than the turn, of a spot."""
    shown = parse_cards(settings["board"], "board")
    need = 3 if street == "turns" else 4
    if len(shown) < need:
        raise GameError(
            f"boards={street!r} needs a board of {need} cards or more to begin with; got {settings['board']!r}.",
            wrong_use=True,
        )
    before = shown[:need]
    permutations = kept_symmetries(settings)
    permutations = permutations[np.isin(permutations[:, list(before)], before).all(axis=1)]
    cards = board_classes(([card] for card in range(NUM_CARDS) if card not in before), permutations)
    return {cards_text((*before, *card)): weight for card, weight in cards.items()}


def kept_symmetries(settings: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return the permutations of the suits that leave both ranges of a spot as they are."""
    permutations = SUIT_PERMUTATIONS
    for player in ("oop", "ip"):
        setting = settings[player]
        weights = Range(setting["range"] if isinstance(setting, Mapping) else setting, name=player).weights
        rows = [[hand_index(card, other) for card, other in permuted[HANDS].tolist()] for permuted in permutations]
        permutations = permutations[[bool((weights[row] == weights).all()) for row in rows]]
    return permutations
