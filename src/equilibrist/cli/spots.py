"""Spots of hold'em: ``spot`` before it is solved, ``show`` any decision of its solution, ``resolve`` a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from ..errors import GameError
from . import options
from .arguments import app
from .commands import deliver
from .output import Output
from .ranges import decision, earnings, one_hand

if TYPE_CHECKING:
    from ..evaluation.spot_node import SpotNode
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
    output.emit(lambda: _summary(game, out), _spot_report(game, rows))
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


def _spot_report(game: Holdem, rows: list[str]) -> Iterator[RenderableType]:
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


@app.command(short_help="Show any decision of a solved spot of hold'em.")
def show(
    run: options.Run,
    line: options.Line = "",
    board: options.Board = None,
    hand: options.Hand = None,
    player: options.Player = None,
    suits: options.Suits = False,
    csv: Annotated[
        Path | None, Option("--csv", metavar="FILE", help="Write all hands as CSV: range, EV, equity, actions.")
    ] = None,
    parquet: Annotated[
        Path | None, Option("--parquet", metavar="FILE", help="Write the same table as Parquet.")
    ] = None,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Draw the grid of hands: a .svg, .png or .pdf.")
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Show who earns what at a decision of RUN, how often each action is played, and by which hands."""
    output = Output(as_json)
    number = options.number_of(player)
    from .._util.files import check_writable
    from ..evaluation.spots import SolvedSpot
    from ..solving.load import load_solution

    files = [path for path in (csv, parquet, out) if path is not None]
    check_writable(*files)
    with output.live(title=str(run)) as live:
        live.stage(f"Loading {run}")
        solution = load_solution(run, game, trust=trust)
        live.stage("Walking the boards")
        node = SolvedSpot(solution, game).node(line, board)
    who = node.player if number is None else number
    if hand is not None:
        node.number(hand, who)
    if csv is not None:
        node.write_csv(csv, who)
    if parquet is not None:
        node.write_parquet(parquet, who)
    if out is not None:
        from ..plot.ranges import range_grid
        from ..plot.style import write_picture

        write_picture(partial(range_grid, node, player=who, hand=hand), out)
    output.emit(node.summary, _node_report(node, who, hand, output.console.width, suits=suits))
    if files and not as_json:
        output.written(files, {})


def _node_report(node: SpotNode, player: int, hand: str | None, width: int, *, suits: bool) -> Iterator[RenderableType]:
    yield earnings(node)
    if hand is not None:
        yield ""
        yield one_hand(node, hand, player)
        yield from filter(None, [node.off_path])
        return
    yield from decision(node, width, player=player, suits=suits)


@app.command(short_help="Solve a later street of a saved run again.")
def resolve(
    run: options.Run,
    line: Annotated[str, Option("--line", help='The actions before: "X-B120-C | X-X".')] = "",
    board: Annotated[str, Option("--board", help="All public cards there, QsJh2h7c, or those dealt since.")] = "",
    until: options.Until = None,
    iterations: options.Iterations = None,
    threads: options.Threads = 1,
    locks: Annotated[
        Path | None, Option("--locks", help="A TOML file with [[locks]] to keep, in place of those of the game.")
    ] = None,
    save: options.Save = None,
    suits: options.Suits = False,
    trust: options.Trust = False,
    strategy: options.StrategyFile = None,
    as_json: options.Json = False,
) -> None:
    """Solve what follows on a line and a board of a saved RUN again, with the ranges that come there.

    It stops at 0.1 % of the pot there, where no other limit is given. The certificate is that of this part alone.
    """
    output = Output(as_json)
    from .._util.files import check_writable
    from ..games.holdem.spot import read_locks_file
    from ..solving.callbacks import Callbacks
    from ..solving.resolving.resolve import resolve as again

    check_writable(strategy)
    with output.live(title=f"{run} after {line or 'the deal'}") as live:
        solution = again(
            run,
            line,
            board,
            trust=trust,
            locks=None if locks is None else read_locks_file(locks),
            until=options.read_criteria(until),
            iterations=iterations,
            threads=threads,
            save=save,
            callbacks=Callbacks(on_checkpoint=live.checkpoint, on_stage=live.stage),
        )
    deliver(output, solution, saved=save, strategy=strategy, suits=suits)
