"""The commands that solve, judge and compare; each a thin layer over the function of the same name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import AlgorithmError, SolutionError
from .base import (
    DEFAULT_ALGORITHMS,
    DEFAULT_MAX_DEPTH,
    DEFAULT_MAX_HISTORIES,
    GAME_HELP,
    FillOption,
    GameArgument,
    JsonOption,
    MaxDepth,
    MaxHistories,
    SeedOption,
    SimultaneousOption,
    StrategyOption,
    app,
)
from .lists import algorithm_list, algorithm_rows, game_list, game_rows, size_list, sizes
from .output import Output
from .results import evaluation_report, solution_report
from .track import TrackOption, tracked

if TYPE_CHECKING:
    from ..solving.solution import Solution


@app.command(short_help="Solve a game, and prove how good the answer is.")
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
    seed: SeedOption = None,
    threads: Annotated[
        int,
        typer.Option("--threads", help="Threads for public states, or for the samples of a batch: external(batch=64)."),
    ] = 1,
    precision: Annotated[
        str | None, typer.Option("--precision", help="float64 (the default), or float32 for half the memory.")
    ] = None,
    max_memory_gb: Annotated[
        float | None,
        typer.Option("--max-memory-gb", help="Gigabytes that a compiled run may take. [what the machine has free]"),
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
    until_cce: Annotated[
        float | None,
        typer.Option(
            "--until-cce",
            help="Stop at this distance from a coarse correlated equilibrium (payoff per game), for games that are "
            "general-sum or have more than two players.",
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so many seconds of iterating.")] = None,
    simultaneous: SimultaneousOption = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FOLDER", help="Save the run, now and then and at the end; an older one is kept aside."
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FOLDER", help="Go on with a saved run; saves there again.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the Python file that a saved run names as its game, to go on.")
    ] = False,
    record: Annotated[
        list[str] | None,
        typer.Option(
            "--record",
            metavar="INFOSETS",
            help="Keep strategies, regrets and reach of these on the way: names joined by commas, or all. A name with "
            "a comma in it is understood; the option may be repeated.",
        ),
    ] = None,
    record_every: Annotated[
        int | None,
        typer.Option("--record-every", metavar="K", help="Record after every K iterations. [at the checkpoints]"),
    ] = None,
    strategy: StrategyOption = None,
    track: TrackOption = None,
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
    from .._util.files import check_writable
    from ..solving.solve import solve as run

    if strategy is not None:
        check_writable(strategy)
    try:
        with tracked(track) as trackers, output.live(title=game or f"{resume}") as live:
            solution = run(
                game,
                algorithm,
                form=form,
                sampling=sampling,
                seed=seed,
                threads=threads,
                precision=precision,
                max_memory_gb=max_memory_gb,
                iterations=iterations,
                nodes=nodes,
                until=until,
                until_cce=until_cce,
                seconds=seconds,
                alternating=False if simultaneous else None,
                resume=resume,
                save=save or resume,
                trust=trust,
                record=record or None,
                record_every=record_every,
                on_checkpoint=[live.checkpoint, *trackers],
                on_stage=live.stage,
                max_histories=max_histories,
                max_depth=max_depth,
            )
    except SolutionError as error:
        if error.solution is not None:  # solved, but not saved: not all is lost
            _deliver(output, error.solution, saved=None, strategy=strategy, failed=True)
        raise
    _deliver(output, solution, saved=save or resume, strategy=strategy)


@app.command(short_help="Say how good a strategy is, and where it loses.")
def evaluate(
    game: GameArgument,
    strategy: Annotated[
        Path,
        typer.Argument(
            metavar="STRATEGY", help="A CSV file: player, infoset, action, probability.", show_default=False
        ),
    ],
    fill: FillOption = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Say how good a strategy is, from anyone's solver: value, exploitability, and where it loses."""
    output = Output(as_json)
    from ..evaluation.evaluate import evaluate as run
    from ..strategy.strategy import Strategy

    table = Strategy.read_csv(strategy)  # first, lest a long compilation ends in "no such file"
    with output.live(title=game) as live:
        result = run(game, table, fill=fill, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
    output.emit(result.summary, evaluation_report(result, output.console.width))


@app.command(short_help="Solve a two-player zero-sum game by linear programme.")
def exact(
    game: GameArgument,
    strategy: StrategyOption = None,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Solve a two-player zero-sum GAME by linear programme: the equilibrium up to rounding."""
    output = Output(as_json)
    from .._util.files import check_writable
    from ..solving.exact import exact as run

    if strategy is not None:
        check_writable(strategy)
    with output.live(title=game) as live:
        solution = run(game, max_histories=max_histories, max_depth=max_depth, on_stage=live.stage)
    _deliver(output, solution, saved=None, strategy=strategy)


@app.command(short_help="Give algorithms and samplings the same budget.")
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
    track: TrackOption = None,
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

    from ..comparison.compare import compare as run
    from .compare import RunsProgress, report

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # what it has to say about its fonts is no news of ours
    progress = RunsProgress(game, output.console)
    with tracked(track) as trackers, output.live(title=game, progress=progress):
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
            track=trackers,
            max_histories=max_histories,
            max_depth=max_depth,
        )
    output.emit(comparison.summary, report(comparison, out=out, width=output.console.width))


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
            if output.progress is not None and output.progress.points and not output.as_json:
                output.show(output.progress.table())
            output.emit(solution.summary, solution_report(solution, saved=saved, strategy=strategy))


@app.command(short_help="Say what is wrong with the rules of a game.")
def check(
    game: GameArgument,
    max_histories: MaxHistories = DEFAULT_MAX_HISTORIES,
    max_depth: MaxDepth = DEFAULT_MAX_DEPTH,
    as_json: JsonOption = False,
) -> None:
    """Walk all of GAME and name the first thing that is wrong with its rules."""
    output = Output(as_json)
    from ..form.build import check_game
    from ..games.load import load

    with output.live(title=game) as live:
        live.stage(f"Checking {game}")
        form = check_game(
            load(game),
            max_histories=max_histories,
            max_depth=max_depth,
            progress=lambda found: live.stage(f"Checking {game}: {found:,} histories"),
        )
    facts = sizes(game, form)
    output.emit(lambda: facts, size_list(facts))


@app.command(short_help="List the built-in games.")
def games(as_json: JsonOption = False) -> None:
    """List the built-in games and their parameters."""
    from ..games.registry import GAMES

    Output(as_json).emit(lambda: {"games": game_rows(GAMES)}, game_list(GAMES))


@app.command(short_help="List the algorithms, and the ways to sample.")
def algorithms(as_json: JsonOption = False) -> None:
    """List the algorithms: the rows of the CFR family, and the ways to sample."""
    from ..cfr.algorithms import ALGORITHMS
    from ..mccfr.sampling import SCHEMES

    Output(as_json).emit(lambda: algorithm_rows(ALGORITHMS, SCHEMES), algorithm_list(ALGORITHMS, SCHEMES))
