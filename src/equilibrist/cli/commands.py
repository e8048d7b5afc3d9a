"""The commands that solve, evaluate and compare; each a thin layer over the function of the same name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..errors import AlgorithmError, SolutionError
from ..show.text import paint_result
from . import options
from .lists import algorithm_list, algorithm_rows, count_sizes, game_list, game_rows, size_list
from .output import Output
from .results import solution_report

if TYPE_CHECKING:
    from ..solving.solution import Solution
    from ..strategy.strategy import Strategy


def solve(
    game: Annotated[
        str | None, Argument(metavar="GAME", help=options.GAME_HELP, show_default=False)
    ] = None,
    algorithm: options.Algorithm = "auto",
    form: options.Form = None,
    rule: options.Rule = None,
    sampling: options.Sampling = None,
    concept: options.Concept = None,
    map_file: options.Map = None,
    opponent: options.Opponent = None,
    seed: options.Seed = None,
    threads: options.Threads = 1,
    precision: options.Precision = None,
    max_memory_gb: Annotated[float | None, options.setting_option("max_memory_gb")] = None,
    iterations: options.Iterations = None,
    nodes: Annotated[int | None, options.setting_option("nodes")] = None,
    until: options.Until = None,
    until_cce: Annotated[
        float | None,
        Option(
            "--until-cce",
            help="Stop at this distance from a coarse correlated equilibrium (payoff per game), for games that are "
            "general-sum or have more than two players.",
        ),
    ] = None,
    seconds: Annotated[float | None, options.setting_option("seconds")] = None,
    simultaneous: options.Simultaneous = False,
    save: options.Save = None,
    streets: Annotated[int | None, options.setting_option("save_streets")] = None,
    resume: Annotated[
        Path | None,
        Option(
            "--resume", metavar="FOLDER", help="Go on with a saved run, and save it there again."
        ),
    ] = None,
    trust: options.Trust = False,
    record: Annotated[list[str] | None, options.setting_option("record")] = None,
    record_every: Annotated[int | None, options.setting_option("record_every")] = None,
    strategy: options.ObservedFile = None,
    track: options.Track = None,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    actors: Annotated[int | None, options.setting_option("actors", min=1)] = None,
    ray: Annotated[str | None, options.setting_option("ray")] = None,
    suits: options.Suits = False,
    verbose: options.Verbose = False,
    as_json: options.Json = False,
) -> None:
    """Solve GAME until the first limit met (1,000 iterations where none is given).

    Ctrl-C stops cleanly: the solution so far is reported, and saved where --save or --resume was
    given.
    """
    output = Output(as_json, verbose=verbose)
    if game is None and resume is None:
        raise AlgorithmError("Say what to solve: a GAME, or --resume FOLDER.")
    from .._util.callbacks import Callbacks
    from .._util.files import check_writable
    from ..solving.keywords import solve_keywords
    from ..solving.load import load_solution
    from ..solving.solve import solve as run

    check_writable(strategy)
    check_observed(strategy, sampling, resume)
    try:
        with (
            options.open_trackers(track) as trackers,
            output.live(title=game or f"{resume}") as live,
        ):
            keywords = solve_keywords(
                {
                    "algorithm": algorithm,
                    "alternating": not simultaneous,
                    "form": form,
                    "sampling": sampling,
                    "concept": concept,
                    "rule": rule,
                    "seed": seed,
                    "precision": precision,
                    "max_memory_gb": max_memory_gb,
                    "iterations": iterations,
                    "nodes": nodes,
                    "until": options.read_criteria(until, until_cce),
                    "seconds": seconds,
                    "save": save or resume,
                    "save_streets": streets,
                    "record": record or None,
                    "record_every": record_every,
                    "max_histories": max_histories,
                    "max_depth": max_depth,
                    "actors": actors,
                    "ray": ray,
                }
            )
            run_to_resume: Path | Solution | None = resume
            if trust and resume is not None:
                run_to_resume = load_solution(resume, game, trust=True)
            solution = run(
                options.read_map(game, map_file, opponent),
                **keywords,
                threads=threads,
                resume=run_to_resume,
                callbacks=[
                    Callbacks(
                        on_checkpoint=live.checkpoint,
                        on_first_decision=live.first_decision,
                        on_stage=live.stage,
                    ),
                    *trackers,
                ],
            )
    except SolutionError as error:
        if error.solution is not None:  # solved, but not saved: not all is lost
            deliver(output, error.solution, saved=None, strategy=strategy, suits=suits, failed=True)
        raise
    deliver(output, solution, saved=save or resume, strategy=strategy, suits=suits)


def evaluate(
    game: options.Game,
    strategy: Annotated[
        Path,
        Argument(
            metavar="STRATEGY",
            help="A CSV, .parquet or .npz file, or the folder of a run.",
            show_default=False,
        ),
    ],
    form: options.Form = None,
    missing: options.Missing = None,
    lbr: Annotated[
        int | None,
        Option(
            "--lbr",
            metavar="HANDS",
            min=1,
            help="Compile nothing: play so many hands of a local best response, for a lower bound of the "
            "exploitability.",
        ),
    ] = None,
    seed: Annotated[
        int | None, Option("--seed", help="With --lbr: seed of the hands. [random, and printed]")
    ] = None,
    rollouts: Annotated[
        int | None,
        Option(
            "--rollouts",
            min=1,
            help="With --lbr: draw so many continuations of an action. [all that there are]",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        Option(
            "--samples",
            min=1,
            help="With --lbr: choose the actions from so many samples. [all histories]",
        ),
    ] = None,
    action_values: Annotated[
        bool,
        Option(
            "--action-values",
            help="Show the value and the counterfactual value of each action at each infoset.",
        ),
    ] = False,
    off_path: Annotated[
        bool,
        Option(
            "--off-path",
            help="Show what a best response from each infoset would gain, also where play never comes.",
        ),
    ] = False,
    rational: Annotated[
        bool,
        Option(
            "--rational",
            help="Evaluate in fractions, without rounding: value, best responses, exploitability.",
        ),
    ] = False,
    teams: Annotated[
        str | None,
        Option(
            "--teams",
            metavar="TEAMS",
            help="Show what partners gain who change their strategies together: 0,2/1,3 for two teams of two.",
        ),
    ] = None,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    as_json: options.Json = False,
) -> None:
    """Evaluate a STRATEGY of any solver: value, exploitability, and the infosets where it loses most."""
    output = Output(as_json)
    from ..form.limits import Limits

    if rational and lbr is not None:
        raise AlgorithmError("--rational does nothing with --lbr: leave one of them out.")
    certificate_options = {
        "--form": form,
        "--missing": missing,
        "--action-values": action_values,
        "--off-path": off_path,
    }
    if lbr is None:
        unused_options: dict[str, Any] = {
            "--seed": seed,
            "--rollouts": rollouts,
            "--samples": samples,
        }
        reason = "is for a local best response: add --lbr HANDS"
    else:
        unused_options = certificate_options | {"--teams": teams}
        reason = "does nothing with --lbr"
    for name, setting in unused_options.items():
        if setting not in (None, False):
            raise AlgorithmError(f"{name} {reason}, or leave it out; got {setting}.")
    if lbr is not None:
        from ..play.local_best_response import local_best_response

        with output.live(title=game) as live:
            bound = local_best_response(
                game,
                strategy,
                hands=lbr,
                seed=seed,
                rollouts=rollouts,
                samples=samples,
                limits=Limits(histories=max_histories),
                callbacks=live.stage,
            )
        output.emit(bound.summary, paint_result(bound, output.console.width))
        return
    from ..evaluation.evaluate import evaluate as run
    from ..evaluation.teams import team_responses
    from ..solving.solution import Solution
    from ..solving.sources import read_strategy

    # First, lest a long compilation ends in "no such file".
    source = read_strategy(strategy, game)
    table: Any = source.strategy if isinstance(source, Solution) else source
    if rational:
        with output.live(title=game) as live:
            exact_result = run(
                game,
                table,
                form=form or "auto",
                missing=missing,
                action_values=action_values,
                off_path=off_path,
                limits=Limits(histories=max_histories),
                callbacks=live.stage,
                rational=True,
            )
        output.emit(exact_result.summary, paint_result(exact_result, output.console.width))
        return
    with output.live(title=game) as live:
        if teams is not None:
            live.stage("Best responses of the teams")
        responses = () if teams is None else team_responses(game, table, teams, missing=missing)
        result = run(
            game,
            table,
            form=form or "auto",
            missing=missing,
            action_values=action_values,
            off_path=off_path,
            limits=Limits(histories=max_histories, depth=max_depth),
            callbacks=live.stage,
        )
    team_summary = {"teams": [team.summary() for team in responses]} if responses else {}
    output.emit(
        lambda: result.summary() | team_summary,
        paint_result(result, output.console.width, teams=responses),
    )


def exact(
    game: options.Game,
    concept: options.Concept = None,
    strategy: options.StrategyFile = None,
    rational: Annotated[
        bool,
        Option("--rational", help="Value and plans in fractions, which prove themselves."),
    ] = False,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    verbose: options.Verbose = False,
    as_json: options.Json = False,
) -> None:
    """Solve a two-player zero-sum GAME by linear programming: an equilibrium up to rounding, or in fractions."""
    output = Output(as_json, verbose=verbose)
    from .._util.files import check_writable
    from ..form.limits import Limits
    from ..solving.exact import exact as run

    check_writable(strategy)
    with output.live(title=game) as live:
        limits = Limits(histories=max_histories, depth=max_depth)
        if rational:
            proved = run(
                game,
                concept=concept or "nash",
                callbacks=live.stage,
                limits=Limits(histories=max_histories),
                rational=True,
            )
        else:
            solution = run(game, concept=concept or "nash", callbacks=live.stage, limits=limits)
    if rational:
        if strategy is not None:
            proved.to_strategy().write_csv(strategy)
        output.emit(proved.summary, paint_result(proved, output.console.width))
        return
    deliver(output, solution, saved=None, strategy=strategy)


def write_strategy(table: Strategy, path: Path) -> None:
    """Write a strategy as what the suffix of the file says."""
    from ..strategy.observed import is_observed

    if is_observed(path):
        table.write_observations(path)
    else:
        table.write_csv(path)


def check_observed(path: Path | None, sampling: str | None, resume: Path | None) -> None:
    """Refuse to write a strategy by observation, before any work is done, where the run will have names."""
    from ..mccfr.sampling import find_sampling
    from ..strategy.observed import is_observed

    if path is None or not is_observed(path) or resume is not None:
        return
    if find_sampling(sampling or "full").tree:
        raise SolutionError(
            f"{path} would hold what players observe, which runs without a tree have "
            "('external(tree=False)'): give a file .csv, which holds the names of infosets.",
            wrong_use=True,
        )


def deliver(
    output: Output,
    solution: Solution,
    *,
    saved: Path | None,
    strategy: Path | None,
    suits: bool = False,
    unit: str = "chips",
    failed: bool = False,
) -> None:
    """Write the strategy, then report: whoever reads the report may leave early (`… | head`)."""
    try:
        if strategy is not None:
            write_strategy(solution.strategy, strategy)
    except SolutionError:
        strategy = None
        failed = True
        raise
    finally:
        if not (failed and output.as_json):  # whose one object is the error
            if output.progress is not None and output.progress.rows and not output.as_json:
                output.show(output.progress.table())
            report = solution_report(
                solution, output, saved=saved, strategy=strategy, suits=suits, unit=unit
            )
            output.emit(solution.summary, report)


def check(
    game: options.Game,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    as_json: options.Json = False,
) -> None:
    """Visit all histories of GAME and report the first mistake in its rules.

    Of a game of up to 100,000 histories it shows what infosets merge, and warns where an infoset
    seems to lack what chance has dealt.
    """
    output = Output(as_json)
    from ..evaluation.check import check_game
    from ..evaluation.merged import list_merged
    from ..form.limits import Limits
    from ..games.load import load

    with output.live(title=game) as live:
        live.stage(f"Checking {game}")
        rules = load(game)
        form = check_game(
            rules,
            limits=Limits(histories=max_histories, depth=max_depth),
            callbacks=lambda histories: live.stage(f"Checking {game}: {histories:,} histories"),
        )
        merged = list_merged(rules, form.histories)
    output.emit(
        lambda: count_sizes(game, form, merged),
        size_list(game, form, merged, output.console.width),
    )


def games(as_json: options.Json = False) -> None:
    """List the built-in games and those of other distributions, and their parameters."""
    from ..games.registry import all_games

    output = Output(as_json)
    table = all_games()
    output.emit(lambda: {"games": game_rows(table)}, game_list(table, output.width))


def algorithms(as_json: options.Json = False) -> None:
    """List the algorithms of the CFR family, and the sampling schemes."""
    from ..cfr.algorithms import ALGORITHMS
    from ..mccfr.sampling import SCHEMES

    output = Output(as_json)
    output.emit(
        lambda: algorithm_rows(ALGORITHMS, SCHEMES),
        algorithm_list(ALGORITHMS, SCHEMES, output.width),
    )
