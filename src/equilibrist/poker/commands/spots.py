"""Spots of hold'em: ``spot`` before it is solved, ``show`` any decision of its solution, ``resolve`` a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from ..._util.text import escape_controls
from ...cli import options
from ...cli.arguments import CSV, PARQUET, SPOT_FILE
from ...cli.commands import deliver
from ...cli.infosets import show_infoset
from ...cli.output import Output
from ...errors import GameError, SolutionError
from ...show.blocks import Block, Facts
from ...show.columns import fit_table
from ...show.registry import make_blocks
from ...show.text import paint_text

if TYPE_CHECKING:
    from ...evaluation.units import Unit
    from ...solving.solution import Solution
    from ..solved.spot_node import SpotNode
    from ..spot.betting_of_spot import Spot
    from ..spot.three_prizes import ThreePrizes
    from ..spot.three_ranges import ThreeRanges

_WIDTH = 80


def spot(
    spot: Annotated[
        str | None,
        Argument(
            metavar="SPOT",
            help="A spot file.toml, settings of wasm-postflop (file.json) or PioSOLVER (file.txt), a script of "
            "TexasSolver (file.txt), or 'holdem(board=…, …)'.",
            show_default=False,
        ),
    ] = None,
    line: Annotated[
        str,
        Option(
            "--line",
            help="Show the betting below a line, such as 'X-B120-C | B200'; with --from, that before the flop.",
            show_default=False,
        ),
    ] = "",
    run: Annotated[
        Path | None,
        Option(
            "--from",
            metavar="RUN",
            help="Take ranges, pot and stacks from a saved run of preflop, after --line.",
        ),
    ] = None,
    board: Annotated[
        str | None,
        Option("--board", help="With --from, or of an exported tree: the public cards, QsJh2h."),
    ] = None,
    oop: Annotated[
        str | None,
        Option(
            "--oop",
            metavar="RANGE",
            help="Of an exported tree: the range of OOP, or ranges.json:NAME.",
        ),
    ] = None,
    ip: Annotated[
        str | None,
        Option(
            "--ip",
            metavar="RANGE",
            help="Of an exported tree: the range of IP, or ranges.json:NAME.",
        ),
    ] = None,
    tree: Annotated[
        str | None,
        Option(
            "--tree",
            metavar="NAME",
            help="Which tree of those in a file that wasm-postflop exports.",
        ),
    ] = None,
    bets: Annotated[str, Option("--bets", help="With --from: sizes after the flop.")] = "50%, a; a",
    streets: Annotated[
        int,
        Option(
            "--streets",
            min=1,
            max=3,
            help="How many streets of betting are shown, from the line on.",
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        Option("--out", **SPOT_FILE, help="Write the spot as a spot file (TOML), to be solved."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show ranges, betting tree and node counts of SPOT before it is solved; with --out, write it as a spot file.

    With --from, --line and --board the spot is what a solved preflop game leads to. A tree that
    wasm-postflop exports (file.json) becomes a spot with --board, --oop and --ip.
    """
    output = Output(as_json)
    from ...games.load import load
    from ..spot.betting_of_spot import is_spot
    from ..spot.importers.read import read_spot_file
    from ..spot.spot import write_spot
    from ..spot.three_prizes import ThreePrizes
    from ..spot.three_ranges import ThreeRanges

    spot_options = {"board": board, "oop": oop, "ip": ip, "tree": tree}
    options_of_tree = {key: text for key, text in spot_options.items() if text is not None}
    if (spot is None) == (run is None) or (run is not None and options_of_tree.keys() != {"board"}):
        raise GameError("Give a SPOT, or --from RUN with --line and --board.", wrong_use=True)
    game: Spot | ThreeRanges | ThreePrizes
    if spot is None:
        game = _spot_after_preflop(run, line, board, bets)
    elif options_of_tree:
        game = read_spot_file(spot, options_of_tree)
    else:
        game = load(spot)
    line = line if run is None else ""
    if isinstance(game, ThreePrizes):
        _emit_prizes(output, game, line, streets, out)
        return
    if not (isinstance(game, ThreeRanges) or is_spot(game)):
        raise GameError(
            f"{spot!r} is no spot of hold'em or Omaha; give a file.toml, or 'holdem(board=…, …)'.",
            wrong_use=True,
        )
    rows = game.tree.rows(line, streets=streets, width=min(output.console.width, _WIDTH))
    if out is not None:
        write_spot(game, out)
    if isinstance(game, ThreeRanges):
        output.emit(lambda: _three_summary(game, out), _three_report(game, rows))
    else:
        output.emit(lambda: _spot_summary(game, out), _spot_report(game, rows))
    if out is not None and not as_json:
        output.list_files([out], {})


def _emit_prizes(
    output: Output, game: ThreePrizes, line: str, streets: int, out: Path | None
) -> None:
    """Show a spot of three ranges that pays prizes, and write it as a spot file."""
    from ..spot.spot import write_spot

    spot = game.spot
    rows = spot.tree.rows(line, streets=streets, width=min(output.console.width, _WIDTH))
    if out is not None:
        write_spot(game, out)
    sizes = {"deals": game.num_deals, "ends": game.num_ends}
    prizes = "/".join(f"{prize:g}" for prize in game.prizes)
    others = ", ".join(f"{stack:g}" for stack in game.others)
    size = (
        f"prizes {prizes}{f', others {others}' if others else ''}; all {game.num_deals:,} deals of "
        f"three hands are written out, up to {game.num_ends:,} ends"
    )
    summary = _three_summary(spot, out) | {"game": str(game), "settings": game.settings} | sizes
    output.emit(lambda: summary, _three_report(spot, rows, size))
    if out is not None and not output.as_json:
        output.list_files([out], {})


def _spot_after_preflop(run: Any, line: str, board: Any, bets: str) -> Spot:
    """Return the spot to which a saved run of a preflop game leads."""
    from ...solving.sources import find_game, read_run
    from ..preflop.game import is_preflop

    solution = read_run(run)
    game = find_game(solution)
    if not is_preflop(game):
        raise GameError(
            f"--from {run}: a run of preflop is needed; this one is of {solution.game}.",
            wrong_use=True,
        )
    return game.spot(solution.strategy, line, board, bets=bets)


def _spot_summary(game: Spot, out: Path | None) -> dict[str, Any]:
    from ..spot.betting_tree import PLAYER_KEYS

    return {
        "game": str(game),
        "settings": game.settings,
        "hands": {seat: len(entry) for seat, entry in zip(PLAYER_KEYS, game.hands, strict=True)},
        "combos": {
            seat: entry.combos for seat, entry in zip(PLAYER_KEYS, game.ranges, strict=True)
        },
        "nodes": game.tree.counts(),
        "changes": [change._asdict() for change in game.tree.changes],
        "lines": [node.line for node in game.tree.nodes if node.player >= 0],
        "file": None if out is None else str(out),
    }


def _three_summary(game: ThreeRanges, out: Path | None) -> dict[str, Any]:
    return {
        "game": str(game),
        "settings": game.settings,
        "hands": dict(zip(game.names, (game.weights > 0).sum(axis=1).tolist(), strict=True)),
        "combos": {
            name: player_range.combos
            for name, player_range in zip(game.names, game.ranges, strict=True)
        },
        "nodes": game.tree.counts(),
        "changes": [change._asdict() for change in game.tree.changes],
        "lines": [node.line for node in game.tree.nodes if node.player >= 0],
        "file": None if out is None else str(out),
    }


def _three_report(
    game: ThreeRanges, rows: list[str], size: str | None = None
) -> Iterator[RenderableType]:
    """Yield what is shown of a spot of three; ``size`` says how large it is to be solved, by default as ranges."""
    from ..spot.locks import lock_text

    settings = game.settings
    stacks = ", ".join(f"{chips:g}" for chips in settings["stacks"])
    deck = f", deck: {settings['deck']}" if game.deck.first else ""
    yield Text(
        f"Hold'em on {settings['board']}, pot {settings['pot']}, stacks {stacks}{deck}", "bold"
    )
    counts = (game.weights > 0).sum(axis=1).tolist()
    for name, count, text in zip(game.names, counts, settings["ranges"], strict=True):
        yield f"{name}, {count} hands: {text if isinstance(text, str) else text['range']}"
    for text in settings["folded"]:
        yield f"folded: {text}"
    if game.folded is not None:
        yield f"Dealt with {game.folded.describe()}."
    yield f"To be solved: {size or game.describe_size()}."
    locks = [f"locked {lock_text(lock)}" for lock in game.locks]
    for part in (locks, rows, game.tree.count_rows(), game.tree.change_rows()):
        if part:
            yield ""
            yield from part


def _folded_rows(folded: Sequence[str]) -> Iterator[str]:
    """Yield a row for the range of each player who folded, and one that says how these are counted."""
    from ...game.folded import MOST_EXACT, SAMPLES

    for text in folded:
        yield f"folded: {text}"
    if len(folded) > MOST_EXACT:
        yield f"Of more than {MOST_EXACT} folded hands, {SAMPLES:,} deals are sampled."


def _spot_report(game: Spot, rows: list[str]) -> Iterator[RenderableType]:
    from ..spot.betting_tree import PLAYERS
    from ..spot.locks import lock_text

    settings = game.settings
    deck = f", deck: {settings['deck']}" if game.deck.first else ""
    prizes = "" if game.in_chips else f", prizes {'/'.join(map(str, settings['prizes']))}"
    others = f", others {'/'.join(map(str, settings['others']))}" if settings["others"] else ""
    surplus = ""
    if settings["surplus"]:
        surplus = f" and {'/'.join(map(str, settings['surplus']))} beyond"
    yield Text(
        f"{game.title} on {settings['board']}, pot {settings['pot']}, stacks "
        f"{settings['stack']}{surplus}{deck}{prizes}{others}",
        "bold",
    )
    for who, names, weights in zip(PLAYERS, game.hands, game.ranges, strict=True):
        text = settings[who.lower()]
        if weights.combos == len(names):
            combos = ""
        else:
            combos = f" ({weights.combos:.6g} combos)"
        yield f"{who}, {len(names)} hands{combos}: {text if isinstance(text, str) else text['range']}"
    yield from _folded_rows(settings.get("folded", ()))
    for part in (
        [f"locked {lock_text(lock)}" for lock in game.locks],
        rows,
        game.tree.count_rows(),
        game.tree.change_rows(),
    ):
        if part:
            yield ""
            yield from part


def show(
    run: options.Run,
    line: options.Line = "",
    board: options.Board = None,
    hand: options.Hand = None,
    player: options.Player = None,
    infoset: Annotated[
        str | None,
        Option(
            "--infoset",
            help="Of any game but spots: an infoset by its name; with --player 1 where several have it.",
        ),
    ] = None,
    suits: options.Suits = False,
    made: Annotated[
        bool, Option("--made", help="Show the range by made hand instead of the grid.")
    ] = False,
    without_folded: Annotated[
        bool,
        Option(
            "--without-folded",
            help="Solve the spot without its folded hands as well, and show EV and equity with and without.",
        ),
    ] = False,
    only: options.Only = None,
    unit: options.Unit = "chips",
    csv: Annotated[
        Path | None,
        Option("--csv", **CSV, help="Write all hands as CSV: range, EV, equity, actions."),
    ] = None,
    parquet: Annotated[
        Path | None, Option("--parquet", **PARQUET, help="Write the same table as Parquet.")
    ] = None,
    out: Annotated[
        Path | None,
        Option("--out", metavar="FILE", help="Draw the grid of hands: a .svg, .png or .pdf."),
    ] = None,
    game: options.GameOfRun = None,
    trust: options.Trust = False,
    as_json: options.Json = False,
) -> None:
    """Show who earns what at a decision of RUN, how often each action is played, and by which hands.

    Before the flop (push_fold, preflop) it is how often each action is played, and by which hands.
    Of any other game it is how often each action is played at an infoset.
    """
    output = Output(as_json)
    from ..._util.files import check_writable
    from ...evaluation.units import find_unit
    from ...solving.load import load_solution
    from ..solved.hand_classes import HandClasses
    from ..solved.spots import SolvedSpot, has_decisions, has_three_ranges

    files = [path for path in (csv, parquet, out) if path is not None]
    check_writable(*files)
    if out is not None:  # Matplotlib takes a while to be loaded
        from ...plot.style import write_picture
        from ..pictures import range_grid
    with output.live(title=str(run)) as live:
        live.stage(f"Loading {run}")
        solution = load_solution(run, game, trust=trust)
    if without_folded:
        looks = (line, board, hand, player, infoset, suits, made, only, unit != "chips", files)
        if any(look not in ("", None, False, []) for look in looks):
            raise SolutionError(
                "--without-folded shows what all players have at the start: leave --line, --board, "
                "--hand, --player, --infoset, --suits, --made, --only, --unit and files out.",
                wrong_use=True,
            )
        _show_without_folded(output, solution, game)
        return
    if infoset is not None:
        show_infoset(output, solution, infoset, player)
        return
    # Of which no hand is worth what it says: the opponent decides above it.
    if solution.part is not None:
        if line or board or hand or player or made or only or files:
            raise SolutionError(
                f"{run} is a part that was solved again for a player, of which all is shown: "
                "leave --line, --board, --hand, --player, --made, --only and files out, or put it into "
                "its run ('equilibrist resolve --splice --save FOLDER') and show that.",
                wrong_use=True,
            )
        deliver(output, solution, saved=None, strategy=None, suits=suits, unit=unit)
        return
    if (classes := HandClasses.of(solution)) is not None:
        class_node = classes.node(line)
        if (
            board is not None
            or made
            or only is not None
            or parquet is not None
            or unit != "chips"
            or player is not None
        ):
            raise SolutionError(
                f"{run} is of a game before the flop, of which each decision has one player and "
                "no board: leave --board, --player, --made, --only, --unit and --parquet out.",
                wrong_use=True,
            )
        if hand is not None:
            class_node.number(hand)
        if csv is not None:
            class_node.write_csv(csv)
        if out is not None:
            write_picture(partial(range_grid, class_node, hand=hand), out)
        width = output.console.width
        blocks = make_blocks(class_node, hand=hand)
        output.emit(class_node.summary, paint_text(blocks, width, begins_page=True))
        if files and not as_json:
            output.list_files(files, {})
        return
    has_hands = has_decisions(solution.strategy) or has_three_ranges(solution)
    if game is None and not has_hands:
        raise SolutionError(
            f"{run} is of {solution.game}, which is no spot of hold'em: of its decisions one infoset is "
            "shown, which --infoset names.",
            wrong_use=True,
        )
    with output.live(title=str(run)) as live:
        live.stage("Walking the boards")
        solved_spot = SolvedSpot(solution, game)
        shown_unit = find_unit(unit, solved_spot.game)
        node = solved_spot.node(line, board)
    holder = node.find_player(player)
    if only is not None:
        node = node.only_hands(only, holder, unit=shown_unit)
    if hand is not None:
        node.number(hand, holder)
    if csv is not None:
        node.write_csv(csv, holder)
    if parquet is not None:
        node.write_parquet(parquet, holder)
    if out is not None:
        write_picture(partial(range_grid, node, player=holder, hand=hand), out)
    asked_for = _node_blocks(node, holder, hand, suits=suits, made=made, unit=shown_unit)
    summary = {"only": node.only} if node.only else {}
    output.emit(lambda: node.summary() | summary, paint_text(asked_for, output.console.width))
    if files and not as_json:
        output.list_files(files, {})


def _show_without_folded(output: Output, solution: Solution, game: Any) -> None:
    """Show what the folded hands of a spot change."""
    from ..solved.without_folded import compare_without_folded

    with output.live(title=solution.game) as live:
        effect = compare_without_folded(solution, game, say=live.stage)
    output.emit(effect.summary, paint_text(effect.blocks(), output.console.width))


def _node_blocks(
    node: SpotNode, player: int, hand: str | None, *, suits: bool, made: bool, unit: Unit
) -> Iterator[Block]:
    """Yield what is asked for of a decision, after who earns what."""
    from ..solved.blocks import (
        decision_blocks,
        earnings_table,
        folded_text,
        hand_table,
        made_hand_table,
    )

    yield earnings_table(node, unit)
    if node.folded:
        yield Facts([folded_text(node)])
    if node.only:
        yield Facts([node.only])
    if hand is not None:
        yield Facts([""])
        yield hand_table(node, hand, player, unit)
        if node.off_path:
            yield Facts([node.off_path])
    elif made:
        yield made_hand_table(node, player, unit)
    else:
        yield from decision_blocks(node, player=player, suits=suits, unit=unit)


def resolve(
    run: options.Run,
    line: Annotated[
        str,
        Option(
            "--line",
            help='The actions before: "X-B120-C | X-X"; outside the card form, an infoset of the part.',
        ),
    ] = "",
    board: Annotated[
        str, Option("--board", help="All public cards there, QsJh2h7c, or those dealt since.")
    ] = "",
    method: Annotated[
        str | None,
        Option(
            "--method",
            help="refined, resolve, maxmargin, reach or unsafe. [refined with --player, else unsafe]",
        ),
    ] = None,
    player: Annotated[
        int | None,
        Option(
            "--player",
            min=0,
            max=1,
            help="Who is solved again, against all that the other can hold.",
        ),
    ] = None,
    splice: Annotated[
        bool,
        Option(
            "--splice", help="Put the part into the run: --save and --strategy are of the whole."
        ),
    ] = False,
    depth: options.Depth = None,
    leaves: options.Leaves = None,
    finer: Annotated[
        str | None,
        Option(
            "--finer", metavar="GAME", help="A game with more actions below, which has the part."
        ),
    ] = None,
    game: options.GameOfRun = None,
    until: options.Until = None,
    iterations: options.Iterations = None,
    threads: options.Threads = 1,
    locks: Annotated[
        Path | None,
        Option(
            "--locks", help="A TOML file with [[locks]] to keep, in place of those of the game."
        ),
    ] = None,
    save: options.Save = None,
    suits: options.Suits = False,
    unit: options.Unit = "chips",
    trust: options.Trust = False,
    strategy: options.StrategyFile = None,
    as_json: options.Json = False,
) -> None:
    """Solve what follows on a line and a board of a saved RUN again.

    Without --player both are, with the ranges that come there: to look at a spot. With one, the
    certificate is that of a game in which the other decides above the part with which hands to
    enter it. --splice prints the exploitability of the run before and after. Card forms stop at 0.1
    % of the pot there, where no other limit is given; other games are solved by linear programme.
    """
    output = Output(as_json)
    from ..._util.callbacks import Callbacks
    from ..._util.files import check_writable
    from ...evaluation.units import find_unit
    from ...resolving.resolve import resolve as again
    from ...resolving.splice import spliced_run
    from ...solving.sources import read_run
    from ..spot.spot import read_locks_file

    check_writable(strategy)
    if splice and finer is not None:
        raise SolutionError(
            "--splice puts a part into the run, and one of a finer game is of another game: "
            "leave --splice out.",
            wrong_use=True,
        )
    if save is not None and save.resolve() == Path(run).resolve():
        raise SolutionError(
            f"--save {save} would replace the run that is solved again in part; give another "
            "folder.",
            wrong_use=True,
        )
    with output.live(title=f"{run} after {line or 'the deal'}") as live:
        blueprint = read_run(run, game, trust=trust)
        # Before anything is solved.
        find_unit(unit, getattr(blueprint.strategy.form, "game", blueprint))
        if splice and player is None and blueprint.info.game.traits.keeps_weights:
            raise SolutionError(
                "--splice puts a part of a card form into the run for a player: give --player 0 "
                "or --player 1.",
                wrong_use=True,
            )
        settings: dict[str, Any] = {"until": options.read_criteria(until), "iterations": iterations}
        settings = {name: value for name, value in settings.items() if value is not None}
        if threads != 1:
            settings["threads"] = threads
        if settings or blueprint.info.game.traits.keeps_weights:
            settings["callbacks"] = Callbacks(on_checkpoint=live.checkpoint, on_stage=live.stage)
        if not blueprint.info.game.traits.keeps_weights:  # which may take minutes
            live.stage(
                f"Writing out {blueprint.game} as a sequence form, in which parts are solved"
            )
        solution = again(
            blueprint,
            line,
            board,
            method=method,
            player=player,
            game=finer or game,
            trust=trust,
            locks=None if locks is None else read_locks_file(locks),
            depth=depth,
            leaves=leaves,
            save=None if splice else save,
            **settings,
        )
        if splice:
            spliced_whole = spliced_run(blueprint, solution, game=game)
        else:
            spliced_whole = None
    if spliced_whole is None:
        deliver(output, solution, saved=save, strategy=strategy, suits=suits, unit=unit)
        return
    if save is not None:
        spliced_whole.save(save)
    if strategy is not None:
        spliced_whole.strategy.write_csv(strategy)
    if blueprint.final.is_certified:
        run_before = blueprint
    else:
        run_before = spliced_run(blueprint, game=game)
    summary = {
        "part": solution.summary(),
        "before": run_before.exploitability,
        "after": spliced_whole.exploitability,
    }
    output.emit(
        lambda: summary, _splice_report(solution, run_before, spliced_whole, output.console.width)
    )
    if not as_json:
        output.list_files([path for path in (save, strategy) if path is not None], {})


def _splice_report(
    part: Solution, run_before: Solution, run_after: Solution, width: int
) -> Iterator[RenderableType]:
    """Iterate over what is printed of a part that was spliced: its certificate, and that of the whole."""
    part_solution = part.part
    if part_solution is not None:
        yield Text.assemble(
            (f"\n{escape_controls(part.game)}", "bold"),
            f"  {part_solution.method}, {part.algorithm}",
        )
    runs = (run_before, run_after)
    columns = {
        "": ["before", "after"],
        **{
            f"gain of player {player}": [f"{run.deviation_gains[player]:.6g}" for run in runs]
            for player in range(run_before.players)
        },
        "exploitability": [f"{run.exploitability:.6g}" for run in runs],
    }
    if "exploitability_percent" in run_before.final.measures:
        columns["% of pot"] = [f"{run.exploitability_percent:.3g}" for run in runs]
    yield fit_table(run_before.game, columns, width, text=("",))
    if part_solution is not None and len(part_solution.hands):
        yield Text(
            f"The opponent's {len(part_solution.hands)} hands get at most {part_solution.excess:.3g} more than "
            "they may, all together."
        )
