"""The command ``equilibrist``: a thin layer over the package. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import EquilibristError
from .output import Output

app = typer.Typer(
    name="equilibrist",
    help="Solve imperfect-information games, and prove how good the answer is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

GAME_HELP = "A built-in game such as kuhn or 'leduc(ranks=4)', openspiel:NAME, a Gambit file.efg, or file.py:Class."

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")]
MaxHistories = Annotated[
    int, typer.Option("--max-histories", min=1, help="Give up on a game with more histories than this.")
]
MaxDepth = Annotated[int, typer.Option("--max-depth", min=1, help="Give up on a game with longer plays than this.")]
StrategyOption = Annotated[
    Path | None, typer.Option("--strategy", metavar="FILE", help="Write player, infoset, action, probability as CSV.")
]
DEFAULT_MAX_HISTORIES, DEFAULT_MAX_DEPTH = 10_000_000, 1_000  # as form.MAX_…, which would import NumPy for --help


@app.command()
def solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)] = None,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="A row that 'equilibrist algorithms' lists, or auto.")
    ] = "auto",
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="Stop after so many iterations, those before included.")
    ] = None,
    until: Annotated[
        float | None, typer.Option("--until", "-u", help="Stop at this exploitability (payoff per game).")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so many seconds of solving.")] = None,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Update all players at once instead of in turn.")
    ] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FOLDER", help="Save the run, now and then and at the end.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FOLDER", help="Go on with a saved run; saves there again.")
    ] = None,
    strategy: StrategyOption = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Solve GAME until the first limit met (1,000 iterations where none is given).

    Ctrl-C stops cleanly: what there is is reported, and saved where --save or --resume was given.
    """
    output = Output(as_json)
    from ..files import check_writable
    from ..solve import solve as run

    if strategy is not None:
        check_writable(strategy)
    with output.live(title=game or f"{resume}") as live:
        solution = run(
            game,
            algorithm,
            iterations=iterations,
            until=until,
            seconds=seconds,
            alternating=False if simultaneous else None,
            resume=resume,
            save=save or resume,
            on_checkpoint=live.checkpoint,
            on_stage=live.stage,
            max_histories=max_histories,
            max_depth=max_depth,
        )
    output.solution(solution, saved=save or resume, strategy=strategy)
    if strategy is not None:
        solution.strategy.write_csv(strategy)


@app.command()
def evaluate(
    game: GameArgument,
    strategy: Annotated[
        Path,
        typer.Argument(
            metavar="STRATEGY", help="A CSV file: player, infoset, action, probability.", show_default=False
        ),
    ],
    fill: Annotated[
        str | None, typer.Option("--fill", help="'uniform' completes a strategy that lacks infosets.")
    ] = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Say how good a strategy is, from anyone's solver: value, exploitability, and where it loses."""
    output = Output(as_json)
    from ..evaluate import evaluate as run

    with output.live(title=game) as live:
        result = run(game, strategy, fill=fill, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
    output.evaluation(result)


@app.command()
def exact(
    game: GameArgument,
    strategy: StrategyOption = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Solve a two-player zero-sum GAME by linear programme: the equilibrium up to rounding."""
    output = Output(as_json)
    from ..files import check_writable
    from ..solve import exact as run

    if strategy is not None:
        check_writable(strategy)
    with output.live(title=game) as live:
        solution = run(game, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
    output.solution(solution, saved=None, strategy=strategy)
    if strategy is not None:
        solution.strategy.write_csv(strategy)


@app.command()
def check(
    game: GameArgument,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Walk all of GAME and name the first thing that is wrong with its rules."""
    output = Output(as_json)
    from ..form import check_game
    from ..loading import load

    rules = load(game)
    with output.live(title=game) as live:
        form = check_game(
            rules,
            max_histories=max_histories,
            max_depth=max_depth,
            progress=lambda found: live.stage(f"Checking {game}: {found:,} histories"),
        )
    output.checked(game, form)


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the built-in games and their parameters."""
    from ..games import GAMES

    Output(as_json).games(GAMES)


@app.command()
def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms: the rows of the CFR family."""
    from ..cfr.algorithms import ALGORITHMS

    Output(as_json).algorithms(ALGORITHMS)


def _version(show: bool) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"equilibrist {version('equilibrist')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Solve imperfect-information games, and prove how good the answer is."""


def main() -> None:
    """Run the command; every mistake ends in one sentence and exit code 2 (wrong use) or 1 (failure)."""
    try:
        app()
    except EquilibristError as error:
        _fail(str(error), 2 if error.wrong_use else 1)
    except BrokenPipeError:
        # Whoever read our output has gone (`… | head`): there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except MemoryError:
        _fail("The memory of this machine does not suffice. Choose a smaller game, or lower --max-histories.", 1)
    except RecursionError as error:
        _fail(f"The rules recurse too deeply: {error}.", 1)


def _fail(message: str, code: int) -> None:
    if "--json" in sys.argv:
        import json

        typer.echo(json.dumps({"error": message}))
    typer.echo(f"Error: {message}", err=True)
    raise SystemExit(code)
