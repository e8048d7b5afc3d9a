"""Reports over boards: a spot solved on many flops, turns or rivers, board by board and in the mean."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from ..errors import GameError
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.cards import blocked, parse_cards
from ..games.holdem.game import Holdem
from ..games.holdem.ranges import Range, RangeWarning
from ..games.holdem.settings import range_text
from .batch import BatchProgress, carry_out
from .board_report import BoardReport
from .boards import find_boards
from .spot_measure import SpotMeasure
from .study import Study, make_item
from .task import LIMITS
from .variants import read_game, write_game

DEFAULT_UNTIL = "0.5%"


def aggregate(
    spot: str | Path | Holdem,
    boards: str | int | Mapping[str, float] | Sequence[str] = "25",
    *,
    lines: Sequence[str] = ("", "X"),
    out: str | Path | None = None,
    executor: Executor | None = None,
    processes: int = 1,
    keep: str = "results",
    max_memory_gb: float | None = None,
    on_progress: Callable[[BatchProgress], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    **options: Any,
) -> BoardReport:
    """Return a report on a spot over many boards: EV, equity, EQR and frequencies on each, and weighted means.

    Parameters
    ----------
    spot : str, path or Holdem
        The spot, as for :func:`equilibrist.load`; its board is replaced.
    boards : str, int, mapping or sequence of str
        ``25``, ``49``, ``95`` or ``184``: a weighted subset of the flops; ``"all"``: the 1,755 flops that differ by
        more than suits; ``"turns"`` or ``"rivers"``: each next card of the spot's flop, or of its turn; boards with
        weights, ``"QsJh2h:12, AhKd2c"`` or a mapping, or a file of those.
    lines : sequence of str
        The decisions that are reported, of the first street: by default the first one, and that after a check.
    out : path, optional
        Folder for the results, as for :func:`equilibrist.batch`: the same call goes on after an interrupt, at the board
        where it stopped; and for ``boards.csv``, ``boards.parquet``, ``classes.parquet`` and ``report.html``.
    executor, processes, max_memory_gb, on_progress, on_stage
        As for :func:`equilibrist.batch`.
    keep : {"results", "runs"}
        Whether the strategies are kept, in run folders; with ``save_streets=1`` those of the first street alone.
    **options
        Options and limits of :func:`equilibrist.solve`; by default ``until="0.5%"``.

    Raises
    ------
    EquilibristError
        The spot or the boards cannot be. What goes wrong on a board fails that board alone.

    Notes
    -----
    The mean over boards weighs each by what it stands for × the deals that the ranges allow on it: Σ of weight × weight
    over both players' hands that share no card with each other or the board; at a later line by the deals that come
    there. A board on which a range has no hand left is left out.

    Examples
    --------
    >>> import equilibrist as eq
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"
    >>> report = eq.aggregate(spot, "2s3h4d6c7c:1, Qs3h4d6c7c:2", until="1%")
    >>> [(row["board"], row["weight"], round(row["equity_oop"], 2)) for row in report.rows() if row["line"] == ""]
    [('2s3h4d6c7c', 1.0, 0.5), ('Qs3h4d6c7c', 2.0, 1.0)]
    """
    text, weights, study = boards_of(spot, boards, options)
    result = carry_out(
        study,
        out=out,
        executor=executor,
        processes=processes,
        keep=keep,
        measure=SpotMeasure(tuple(lines)),
        max_memory_gb=max_memory_gb,
        on_progress=on_progress,
        on_stage=on_stage,
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


def boards_of(
    spot: str | Path | Holdem, boards: str | int | Mapping[str, float] | Sequence[str], options: Mapping[str, Any]
) -> tuple[str, dict[str, float], Study]:
    """Return a spot as a text, the boards of a report on it with their weights, and the runs of those.

    Parameters are those of :func:`aggregate`, which raises the same errors.
    """
    name, settings = read_game(str(spot))
    if name != Holdem.name:
        raise GameError(f"A report over boards needs a spot of hold'em; got {spot!s}.", wrong_use=True)
    limits = {key: value for key, value in options.items() if key in LIMITS} or {"until": DEFAULT_UNTIL}
    options = {key: value for key, value in options.items() if key not in LIMITS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RangeWarning)  # once, where the spot is read
        weights = find_boards(boards, settings)
        items = tuple(
            make_item(write_game(name, on_board), options, limits, {"board": board}, title=f"board {board}")
            for board in weights
            if (on_board := _on_board(settings, board)) is not None
        )
        text = write_game(name, settings)
    if not items:
        raise GameError("boards: the ranges leave no hand on any of these boards.", wrong_use=True)
    return text, weights, Study("boards", items)


def _on_board(settings: Mapping[str, Any], board: str) -> dict[str, Any] | None:
    """Return the settings of a spot on another board, without hands that it blocks; None where it leaves none."""
    cards = parse_cards(board)
    changed = {**settings, "board": board}
    for player in PLAYERS:
        setting = settings[player.lower()]
        weights = Range(setting["range"] if isinstance(setting, Mapping) else setting).weights * ~blocked(cards)
        if not weights.any():
            return None
        text = range_text(Range(weights), cards)
        changed[player.lower()] = {**setting, "range": text} if isinstance(setting, Mapping) else text
    return changed
