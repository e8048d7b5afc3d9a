"""The command ``equilibrist``: a thin layer over the package. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ..errors import AlgorithmError, EquilibristError, SolutionError
from .output import Output, visible

if TYPE_CHECKING:
    from ..solution import Solution

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
DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"  # as comparing.DEFAULT_ALGORITHMS, likewise

_UsageError: Any = typer.BadParameter.__base__  # Typer gives it no name of its own


@app.command()
def solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)] = None,
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="A row that 'equilibrist algorithms' lists, or auto.")
    ] = "auto",
    form: Annotated[
        str | None,
        typer.Option(
            "--form",
            help="What the game is compiled into: sequence (every history), public (public states, for large games of "
            "private hands), or auto, the default.",
        ),
    ] = None,
    sampling: Annotated[
        str | None,
        typer.Option(
            "--sampling",
            "-s",
            help="What an iteration visits: full (the default), chance, external, outcome, average-strategy or "
            "public-chance; options as in \"outcome(epsilon=0.4, average='lazy')\"; external(tree=False) does without "
            "compiling the game.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Decides what is drawn, with sampling; 0 by default.")
    ] = None,
    threads: Annotated[
        int,
        typer.Option("--threads", help="Threads for public states, or for the samples of a batch: external(batch=64)."),
    ] = 1,
    precision: Annotated[
        str | None, typer.Option("--precision", help="float64 (the default), or float32 for half the memory.")
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option("--memory", help="Gigabytes that a run on public states may take. [what the machine has free]"),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="Stop after so many iterations, those before included.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Stop when so many histories are touched, those before included.")
    ] = None,
    until: Annotated[
        float | None, typer.Option("--until", "-u", help="Stop at this exploitability (payoff per game).")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so many seconds of iterating.")] = None,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Update all players at once instead of in turn.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FOLDER", help="Save the run, now and then and at the end; an older one is kept aside."
        ),
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
    if game is None and resume is None:
        raise AlgorithmError("Say what to solve: a GAME, or --resume FOLDER.", wrong_use=True)
    from ..files import check_writable
    from ..solving import solve as run

    if strategy is not None:
        check_writable(strategy)
    try:
        with output.live(title=game or f"{resume}") as live:
            solution = run(
                game,
                algorithm,
                form=form,
                sampling=sampling,
                seed=seed,
                threads=threads,
                precision=precision,
                memory=memory,
                iterations=iterations,
                nodes=nodes,
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
    except SolutionError as error:
        if error.solution is not None:  # solved, but not saved: not all is lost
            _deliver(output, error.solution, saved=None, strategy=strategy, failed=True)
        raise
    _deliver(output, solution, saved=save or resume, strategy=strategy)


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
    from ..evaluation import evaluate as run
    from ..strategy import Strategy

    table = Strategy.read_csv(strategy)  # first, lest a long compilation ends in "no such file"
    with output.live(title=game) as live:
        result = run(game, table, fill=fill, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
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
    from ..solving import exact as run

    if strategy is not None:
        check_writable(strategy)
    with output.live(title=game) as live:
        solution = run(game, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
    _deliver(output, solution, saved=None, strategy=strategy)


@app.command()
def compare(
    game: GameArgument,
    algorithms: Annotated[
        str, typer.Option("--algorithms", "-a", help="Rows that 'equilibrist algorithms' lists, joined by commas.")
    ] = DEFAULT_ALGORITHMS,
    sampling: Annotated[str, typer.Option("--sampling", help="Ways to sample, joined by commas.")] = "full",
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", help="The budget of each run: seconds of iterating. [10, if no other is given]"),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="The budget of each run: nodes touched.")] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "-n", help="The budget of each run: iterations.")
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", help="Runs of each combination that draws at random.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Write picture, table and runs there, and go on with the runs it holds."
        ),
    ] = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Compare algorithms and samplings on GAME, each given the same budget, and say who is best when.

    Ctrl-C stops cleanly and reports what there is. With --out the same command goes on where it stopped, and with a
    larger budget it extends the comparison.
    """
    output = Output(as_json)
    import logging

    from ..comparing import compare as run
    from .compared import RunsProgress

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # what it has to say about its fonts is no news of ours
    progress = RunsProgress(game, output.console)
    with output.live(title=game, progress=progress):
        comparison = run(
            game,
            algorithms=algorithms,
            sampling=sampling,
            seeds=seeds,
            seconds=seconds,
            nodes=nodes,
            iterations=iterations,
            out=out,
            on_run=progress.run,
            on_checkpoint=progress.checkpoint,
            on_stage=progress.stage,
            max_histories=max_histories,
            max_depth=max_depth,
        )
    output.comparison(comparison, out=out)


def _deliver(
    output: Output, solution: Solution, *, saved: Path | None, strategy: Path | None, failed: bool = False
) -> None:
    """Write the strategy, then report: whoever reads the report may leave early (`… | head`)."""
    try:
        if strategy is not None:
            solution.strategy.write_csv(strategy)
    except SolutionError:
        strategy, failed = None, True
        raise
    finally:
        if not (failed and output.as_json):  # whose one object is the error
            output.solution(solution, saved=saved, strategy=strategy)


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

    with output.live(title=game) as live:
        live.stage(f"Checking {game}")
        form = check_game(
            load(game),
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
    """List the algorithms: the rows of the CFR family, and the ways to sample."""
    from ..cfr.algorithms import ALGORITHMS
    from ..cfr.sampling import SCHEMES

    Output(as_json).algorithms(ALGORITHMS, SCHEMES)


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
        code = app(standalone_mode=False)
        if sys.stdout is not None:  # as it is where the shell closed it: `>&-`
            sys.stdout.flush()
    except _UsageError as error:
        error.show()
        _fail(error.format_message(), 2, shown=True)
    except EquilibristError as error:
        _fail(str(error), 2 if error.wrong_use else 1)
    except typer.Abort as abort:  # what Typer makes of an interrupt, and of an EOFError
        if isinstance(abort.__cause__, EOFError):
            _admit(abort.__cause__)
        code = _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone (`… | head`): there is nobody left to tell.
        _drop_output()
        raise SystemExit(1) from None
    except OSError as error:
        _drop_output()
        reason = error.strerror or str(error)
        _fail(f"{error.filename}: {reason}." if error.filename else f"The output cannot be written: {reason}.", 1)
    except MemoryError:
        _fail("The memory of this machine does not suffice. Choose a smaller game, or lower --max-histories.", 1)
    except RecursionError as error:
        _fail(f"The rules recurse too deeply: {error}.", 1)
    except Exception as error:
        _admit(error)
    if code == _INTERRUPTED:
        _fail("Interrupted before there was anything to report.", 1)
    raise SystemExit(code)


_INTERRUPTED = 130  # what Typer gives for Ctrl-C
_SHOW_TRACEBACK = "EQUILIBRIST_TRACEBACK"


def _drop_output() -> None:
    """Send what is left to nowhere: flushing it at the end would fail once more."""
    with suppress(OSError, AttributeError):  # a stream that is no file, or none
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _admit(error: Exception) -> NoReturn:
    """End with an error that nobody foresaw."""
    if os.environ.get(_SHOW_TRACEBACK):
        raise error
    _fail(
        f"Equilibrist itself failed, with {type(error).__name__}: {error}. This should not happen: please report it, "
        f"with what {_SHOW_TRACEBACK}=1 in the environment shows.",
        1,
    )


def _fail(message: str, code: int, *, shown: bool = False) -> NoReturn:
    """End with an error: one sentence on standard error unless shown there, and an object where JSON is asked for."""
    message = visible(" ".join(message.splitlines()))
    if "--json" in sys.argv:
        import json

        typer.echo(json.dumps({"error": message}))
    if not shown:
        typer.echo(f"Error: {message}", err=True)
    raise SystemExit(code)
