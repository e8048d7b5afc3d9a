"""``equilibrist spot``: a spot of hold'em with its betting tree, before it is solved, or as a spot file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..errors import GameError
from . import options
from .base import app
from .output import Output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..games.holdem.game import Holdem

_WIDTH = 80


@app.command(short_help="Show a spot of hold'em and its betting tree.")
def spot(
    spot: Annotated[
        str,
        Argument(
            metavar="SPOT",
            help="A spot file.toml, settings of wasm-postflop (file.json) or PioSOLVER (file.txt), a script of "
            "TexasSolver (file.txt), or 'holdem(board=…, …)'.",
            show_default=False,
        ),
    ],
    line: Annotated[
        str, Option("--line", help="Show the betting below a line, such as 'X-B120-C | B200'.", show_default=False)
    ] = "",
    streets: Annotated[
        int, Option("--streets", min=1, max=3, help="How many streets of betting are shown, from the line on.")
    ] = 1,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Write the spot as a spot file (TOML), to be solved.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show ranges, betting tree and node counts of SPOT before it is solved; with --out, write it as a spot file."""
    output = Output(as_json)
    from ..games.holdem.game import Holdem
    from ..games.holdem.spot import write_spot
    from ..games.load import load

    game = load(spot)
    if not isinstance(game, Holdem):
        raise GameError(f"{spot!r} is no spot of hold'em; give a file.toml, or 'holdem(board=…, …)'.", wrong_use=True)
    rows = game.tree.rows(line, streets=streets, width=min(output.console.width, _WIDTH))
    if out is not None:
        write_spot(game, out)
    output.emit(lambda: _summary(game, out), _report(game, rows))
    if out is not None and not as_json:
        output.written([out], {})


def _summary(game: Holdem, out: Path | None) -> dict[str, Any]:
    return {
        "game": str(game),
        "settings": game.settings,
        "hands": {who: len(each) for who, each in zip(("oop", "ip"), game.hands, strict=True)},
        "combos": {who: each.combos for who, each in zip(("oop", "ip"), game.ranges, strict=True)},
        "nodes": game.tree.counts(),
        "changes": [change._asdict() for change in game.tree.changes],
        "lines": [node.line for node in game.tree.nodes if node.player >= 0],
        "file": None if out is None else str(out),
    }


def _report(game: Holdem, rows: list[str]) -> Iterator[RenderableType]:
    from rich.text import Text

    from ..games.holdem.betting_tree import PLAYERS
    from ..games.holdem.locks import lock_text

    settings = game.settings
    yield Text(f"Hold'em on {settings['board']}, pot {settings['pot']}, stacks {settings['stack']}", "bold")
    for who, names, weights in zip(PLAYERS, game.hands, game.ranges, strict=True):
        text = settings[who.lower()]
        combos = "" if weights.combos == len(names) else f" ({weights.combos:.6g} combos)"
        yield f"{who}, {len(names)} hands{combos}: {text if isinstance(text, str) else text['range']}"
    for part in (
        [f"locked {lock_text(lock)}" for lock in game.locks],
        rows,
        game.tree.count_rows(),
        game.tree.change_rows(),
    ):
        if part:
            yield ""
            yield from part
