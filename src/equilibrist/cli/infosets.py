"""One infoset of a saved run, on a terminal or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import SolutionError
from ..show.blocks import Column, Table
from ..show.text import paint_text

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from .output import Output


def show_infoset(output: Output, solution: Solution, name: str, player: str | None) -> None:
    """Print how often each action is played at an infoset of a run; ``player`` is a number, as text, or None.

    Raises
    ------
    SolutionError
        The run has no such infoset, or several players have it.
    """
    strategy = solution.strategy
    key: Any = name
    if player is not None:
        if not player.isdecimal():
            raise SolutionError(
                f"With --infoset, --player is a number from 0; got {player!r}.", wrong_use=True
            )
        key = (int(player), name)
    try:
        number = strategy.number(key)
    except KeyError as error:
        raise SolutionError(str(error), wrong_use=True) from error
    row = strategy.at(number)
    owner = int(strategy.infosets[number].player)
    summary = {
        "game": solution.game,
        "player": owner,
        "infoset": name,
        "strategy": dict(row),
        "exploitability": solution.exploitability,
    }
    columns = [Column("action", list(row)), Column("probability", list(row.values()), ".4g")]
    table = Table(columns, f"Player {owner} at {name}")
    output.emit(lambda: summary, paint_text([table], output.console.width))
