"""Reports over boards: one spot solved on each of a subset of flops, the turns and rivers of a spot, or a list."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ..._util.callbacks import AnyCallbacks, find_listeners
from ..._util.files import read_text
from ..._util.validate import is_number
from ...batches.batch import run_study
from ...batches.study import Study, make_item
from ...batches.variants import change_settings, read_game, write_game
from ...errors import GameError
from ...game.locks import AnyLock, as_lock
from ...solving.settings import ENDS
from ..cards.cards import (
    CARDS,
    HANDS,
    NUM_CARDS,
    SUIT_PERMUTATIONS,
    blocked,
    cards_text,
    parse_cards,
)
from ..cards.flops import SUBSETS, board_classes, flop_subset
from ..cards.hand_filter import HandTable, is_filter, read_filter
from ..cards.hand_ranks import Deck
from ..cards.ranges import Range, RangeWarning
from ..spot.betting_tree import PLAYER_KEYS
from ..spot.game import Holdem
from ..spot.settings import find_deck, range_text
from .board_report import BoardReport
from .spot_measure import SpotMeasure

DEFAULT_UNTIL = "0.5%"


def board_report(
    spot: str | Path | Holdem,
    boards: str | int | Mapping[str, float] | Sequence[str] = "25",
    *,
    lines: Sequence[str] = ("", "X"),
    save: str | Path | None = None,
    executor: Executor | int | None = None,
    keep: str = "results",
    max_memory_gb: float | None = None,
    callbacks: AnyCallbacks = None,
    **options: Any,
) -> BoardReport:
    """Return a report on a spot over many boards: EV, equity, EQR and frequencies on each, and weighted means.

    Parameters
    ----------
    spot : str, path or Holdem
        The spot, as for :func:`equilibrist.load`; its board is replaced.
    boards : str, int, mapping or sequence of str
        ``25``, ``49``, ``95`` or ``184``: a weighted subset of the flops; ``"all"``: the 1,755
        flops that differ by more than suits (573 in short deck, which has no subsets); ``"turns"``
        or ``"rivers"``: each next card of the spot's flop, or of its turn; boards with weights,
        ``"QsJh2h:12, AhKd2c"`` or a mapping, or a file of those.
    lines : sequence of str
        The decisions that are reported, of the first street: by default the first one, and that
        after a check.
    save : path, optional
        Folder for the results, as for :func:`equilibrist.batch`: the same call goes on after an
        interrupt, at the board where it stopped; and for ``boards.csv``, ``boards.parquet``,
        ``classes.parquet`` and ``report.html``.
    executor, max_memory_gb, callbacks
        As for :func:`equilibrist.batch`.
    keep : {"results", "runs"}
        Whether the strategies are kept, in run folders; with ``save_streets=1`` those of the first
        street alone.
    **options
        Options and limits of :func:`equilibrist.solve`; by default ``until="0.5%"``.

    Raises
    ------
    EquilibristError
        The spot or the boards cannot be. What goes wrong on a board fails that board alone.

    Notes
    -----
    The mean over boards weighs each by what it stands for × the deals that the ranges allow on it:
    Σ of weight × weight over both players' hands that share no card with each other or the board;
    at a later line by the deals that come there. A board on which a range has no hand left is left
    out.

    Examples
    --------
    >>> import equilibrist as eq
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"
    >>> report = eq.poker.board_report(spot, "2s3h4d6c7c:1, Qs3h4d6c7c:2", until="1%")
    >>> [(row["board"], row["weight"], round(row["equity_oop"], 2)) for row in report.rows() if row["line"] == ""]
    [('2s3h4d6c7c', 1.0, 0.5), ('Qs3h4d6c7c', 2.0, 1.0)]
    """
    listeners = find_listeners(callbacks, "board_report", ("on_progress", "on_stage"))
    text, weights, study = plan_boards(spot, boards, options)
    result = run_study(
        study,
        save=save,
        executor=executor,
        keep=keep,
        measure=SpotMeasure(tuple(lines)),
        max_memory_gb=max_memory_gb,
        on_progress=listeners["on_progress"],
        on_stage=listeners["on_stage"],
    )
    report = BoardReport(
        spot=text,
        weights=tuple(weights.items()),
        records=result.records,
        computed=result.computed,
    )
    if result.folder is not None:
        report.write(result.folder)
    return report


def plan_boards(
    spot: str | Path | Holdem,
    boards: str | int | Mapping[str, float] | Sequence[str],
    options: Mapping[str, Any],
) -> tuple[str, dict[str, float], Study]:
    """Return a spot as a text, the boards of a report on it with their weights, and the runs of those.

    Parameters are those of :func:`board_report`, which raises the same errors.
    """
    name, settings = read_game(str(spot))
    if name != Holdem.name or "ranges" in settings:
        raise GameError(
            f"A report over boards needs a spot of hold'em with two ranges; got {spot!s}.",
            wrong_use=True,
        )
    limits = {key: value for key, value in options.items() if key in ENDS} or {
        "until": DEFAULT_UNTIL
    }
    options = {key: value for key, value in options.items() if key not in ENDS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RangeWarning)  # once, where the spot is read
        weights = find_boards(boards, settings)
        items = tuple(
            make_item(
                write_game(name, on_board),
                options,
                limits,
                {"board": board},
                title=f"board {board}",
            )
            for board in weights
            if (on_board := _settings_on_board(settings, board)) is not None
        )
        text = write_game(name, settings)
    if not items:
        raise GameError("boards: the ranges leave no hand on any of these boards.", wrong_use=True)
    return text, weights, Study("boards", items)


def _settings_on_board(settings: Mapping[str, Any], board: str) -> dict[str, Any] | None:
    """Return the settings of a spot on another board, without hands that it blocks; None where it leaves none."""
    cards = parse_cards(board)
    deck = find_deck(settings)
    changes: dict[str, Any] = {"board": board}
    weights_of_both = np.zeros(len(HANDS))
    for player in PLAYER_KEYS:
        setting = settings[player]
        player_range = Range(
            setting["range"] if isinstance(setting, Mapping) else setting, deck=deck
        )
        weights = player_range.weights * ~blocked(cards)
        if not weights.any():
            return None
        changes[f"{player}.range"] = range_text(Range(weights), cards)
        weights_of_both = np.maximum(weights_of_both, weights)
    if settings.get("locks"):
        locks = [_lock_on_board(lock, cards, weights_of_both, deck) for lock in settings["locks"]]
        changes["locks"] = [lock for lock in locks if lock is not None]
    return change_settings(settings, changes)


def _lock_on_board(
    lock: AnyLock, cards: Sequence[int], weights: Floats, deck: Deck
) -> dict[str, Any] | None:
    """Return a lock on another board, without hands that it blocks; None where it holds for none there.

    ``weights`` are those of the hands that somebody may hold there, shape (1326,).
    """
    table = as_lock(lock)._asdict()
    if isinstance(table["board"], str):
        first_cards = parse_cards(table["board"], "board")[: len(cards)]
        if set(first_cards) != set(cards[: len(first_cards)]):
            return None
    if not isinstance(table["hands"], str):
        return {name: value for name, value in table.items() if value is not None}
    if is_filter(table["hands"]):
        every_hand = np.flatnonzero(weights)
        hand_table = HandTable(
            hands=every_hand, board=tuple(cards), deck=deck, weight=weights[every_hand], mix={}
        )
        is_held = read_filter(table["hands"], deck=deck, name="hands").passes(hand_table).any()
    else:
        named = Range(table["hands"], name="hands", deck=deck).weights * (weights > 0)
        is_held = named.any()
        if is_held:
            table["hands"] = range_text(Range(named), cards)
    if not is_held:
        return None
    return {name: value for name, value in table.items() if value is not None}


_FLOPS = (*map(str, SUBSETS), "all")
CHOICES = (*_FLOPS, "turns", "rivers")


def find_boards(choice: Any, settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the boards of a report on a spot with these settings by name, each with its weight.

    ``choice`` is as for :func:`equilibrist.poker.board_report`.
    """
    names = CARDS[(first := find_deck(settings).first) :]
    if isinstance(choice, Mapping):
        return _weigh_boards({str(name): weight for name, weight in choice.items()}, names)
    if isinstance(choice, Sequence) and not isinstance(choice, str):
        return _weigh_boards(dict.fromkeys(map(str, choice), 1), names)
    text = str(choice).strip()
    if text in ("turns", "rivers"):
        return _later_boards(text, settings)
    if text in _FLOPS and len(board_cards := parse_cards(settings["board"], "board")) > 3:
        raise GameError(
            f"boards={text!r} are flops, and the spot's pot, stack and bets are those of the board "
            f"{cards_text(board_cards)}: give a spot on the flop, or boards of {len(board_cards)} cards.",
            wrong_use=True,
        )
    permutations = find_symmetries(settings)
    if text in map(str, SUBSETS):
        if first:
            raise GameError(
                f"A subset of {text} flops stands for all of the full deck; give boards='all', "
                "or a list.",
                wrong_use=True,
            )
        if len(permutations) < len(SUIT_PERMUTATIONS):
            raise GameError(
                f"A subset of {text} flops stands for all where suits are alike, and these "
                "ranges prefer some: give boards='all', or ranges without hands by suit.",
                wrong_use=True,
            )
        return {cards_text(cards): weight for cards, weight in flop_subset(int(text)).items()}
    if text == "all":
        flops = board_classes(combinations(range(first, NUM_CARDS), 3), permutations)
        return {cards_text(cards): weight for cards, weight in flops.items()}
    if text.lower().endswith((".txt", ".csv")):
        text = read_text(Path(text))
    return _weigh_boards(_parse_boards(text), names)


def _parse_boards(text: str) -> dict[str, Any]:
    """Return boards of a text, ``QsJh2h:12, AhKd2c``, or one a line."""
    boards: dict[str, Any] = {}
    for token in text.replace("\n", ",").split(","):
        name, colon, weight = token.partition(":")
        if name.strip():
            try:
                boards[name.strip()] = float(weight) if colon else 1.0
            except ValueError:
                raise GameError(
                    f"boards: the weight of {name.strip()} must be a number; got {weight!r}."
                ) from None
    return boards


def _weigh_boards(boards: Mapping[str, Any], names: Sequence[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for name, weight in boards.items():
        if not is_number(weight, above=0):
            raise GameError(
                f"boards: a weight is a number above 0; got {weight!r} for {name}.", wrong_use=True
            )
        cards = parse_cards(name, "boards", count=(3, 4, 5), names=names)
        weights[cards_text(cards, names)] = float(weight)
    if not weights:
        raise GameError(
            f"boards must be one of {', '.join(CHOICES)}, or boards: 'QsJh2h, AhKd2c'.",
            wrong_use=True,
        )
    if len({len(name) for name in weights}) > 1:
        raise GameError(
            f"boards: all are of one street; got {', '.join(list(weights)[:5])}.", wrong_use=True
        )
    return weights


def _later_boards(street: str, settings: Mapping[str, Any]) -> dict[str, float]:
    """Return the boards with one card more than the flop, or than the turn, of a spot."""
    board_cards = parse_cards(settings["board"], "board")
    need = 3 if street == "turns" else 4
    if len(board_cards) < need:
        raise GameError(
            f"boards={street!r} needs a board of {need} cards or more to begin with; got "
            f"{settings['board']!r}.",
            wrong_use=True,
        )
    earlier_cards = board_cards[:need]
    permutations = find_symmetries(settings)
    permutations = permutations[
        np.isin(permutations[:, list(earlier_cards)], earlier_cards).all(axis=1)
    ]
    cards_left = [
        [card] for card in range(find_deck(settings).first, NUM_CARDS) if card not in earlier_cards
    ]
    cards = board_classes(cards_left, permutations)
    return {cards_text((*earlier_cards, *card)): weight for card, weight in cards.items()}


def find_symmetries(settings: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return the permutations of the suits that leave both ranges of a spot, and its locks, as they are."""
    deck = find_deck(settings)
    tables = []
    for player in PLAYER_KEYS:
        setting = settings[player]
        text = setting["range"] if isinstance(setting, Mapping) else setting
        tables.append(Range(text, name=player, deck=deck).weights)
    for lock in map(as_lock, settings.get("locks") or ()):
        if lock.board is not None or (isinstance(lock.hands, str) and is_filter(lock.hands)):
            return SUIT_PERMUTATIONS[:1]  # which may tell suits apart
        if lock.hands is not None:
            names = lock.hands if isinstance(lock.hands, str) else ",".join(lock.hands)
            tables.append(Range(names, name="hands", deck=deck).weights)
    permutations = SUIT_PERMUTATIONS
    for weights in tables:
        of_cards = np.zeros((NUM_CARDS, NUM_CARDS))
        of_cards[*HANDS.T] = of_cards[*HANDS.T[::-1]] = weights
        permutations = permutations[
            (of_cards[*permutations.T[HANDS.T]] == weights[:, None]).all(axis=0)
        ]
    return permutations
