"""Comparison of algorithms and samplings on one game: a study whose runs have the same budget, and its curves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from .._util.callbacks import AnyCallbacks
from .._util.files import make_folder, read_text
from .._util.plain import from_plain
from .._util.spec import split_place
from .._util.validate import is_whole
from ..batches.batch import RUNS, Batch, BatchProgress, open_batch
from ..batches.study import MOST_ITEMS, Item, Study, make_item
from ..cfr.algorithms import Algorithm, find_algorithm
from ..cfr.treeplex_rule import AnyRule
from ..errors import AlgorithmError, SolutionError
from ..form.compiled_game import CompiledGame
from ..form.limits import Limits, compile_budget
from ..form.traits import FormTraits
from ..games.compile import Playable, compile_any
from ..mccfr.sampling import Sampling, find_sampling
from ..solving.callbacks import (
    CallbackList,
    GroupedTracker,
    Plain,
    split_trackers,
)
from ..solving.config import StopRule
from ..solving.keywords import solve_keywords
from ..solving.plan import suitable_algorithm
from ..solving.save import CHECKPOINT
from ..solving.solve import solve
from ..solving.trace import Checkpoint
from .comparison import FORMAT, SUMMARY, Comparison, Skipped, budget_text
from .series import Run

DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"
DEFAULT_SECONDS = 10.0
DRAWING = "Drawing"  # the last stage


def compare(
    game: Playable,
    *,
    algorithms: str
    | Algorithm
    | AnyRule
    | Iterable[str | Algorithm | AnyRule] = DEFAULT_ALGORITHMS,
    sampling: str | Sampling | Iterable[str | Sampling] = "full",
    form: str = "auto",
    seeds: int = 1,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    save: str | Path | None = None,
    executor: Executor | None = None,
    callbacks: AnyCallbacks = None,
    limits: Limits | None = None,
) -> Comparison:
    """Return the comparison of algorithms and samplings on a game, each combination with the same budget.

    Combinations that make no sense are skipped, with the reason, and a rule that fails on the way
    fails its run alone (:attr:`Comparison.failed`). An interrupt (Ctrl-C) stops the current run and
    returns the results so far.

    Parameters
    ----------
    game : str, Game, PublicGame or CompiledGame
        As for :func:`equilibrist.solve`.
    algorithms : str, Algorithm, Rule, or several
        Algorithms by name, or of your own: an object, or a class in a file,
        ``"rules.py:Hedge(eta=0.5)"``. Names may be separated by commas.
    sampling : str, Sampling, or several
        As for :func:`equilibrist.solve`. Names may be separated by commas.
    form : {"auto", "sequence", "public", "cards"}
        As for :func:`equilibrist.solve`: what the game is compiled into, for all runs. Nodes
        touched are counted in one unit whatever it is; seconds are those of the form.
    seeds : int
        Number of runs of each combination that samples; their seeds are 0, 1, 2, …
    seconds, nodes, iterations : number, optional
        The budget of each run, one of these three: seconds spent iterating (certificates are not
        counted), nodes touched, or iterations. Without any, 10 seconds. Seconds that are given
        bound the time of compiling as well, as in :func:`solve`.
    save : path, optional
        Folder for the results (see :meth:`Comparison.write`) and for the runs, kept as
        :func:`equilibrist.batch` keeps them. A run that is there already is not run again: it goes
        on where it stopped, or is finished where it has used up the budget. So the same call goes
        on after an interrupt, and a larger budget extends the comparison.
    executor : concurrent.futures.Executor, optional
        Where the runs are carried out, side by side: a ``ProcessPoolExecutor(4)``, or what has the
        same interface. By default here, one after the other. The results are the same; only
        ``seconds`` as a budget depend on how busy the machine is. ``on_run`` and ``on_checkpoint``
        are then called once a run is over; trackers follow it where it is at work, so that
        processes need trackers that can be pickled.
    callbacks : Callbacks, callable, tracker, or several of them, optional
        ``on_run`` is called when a run begins or goes on, ``on_checkpoint`` (or a callable) with
        each :class:`Checkpoint` of the current run, ``on_stage`` with a short text when a long
        stage begins. A tracker (:mod:`equilibrist.track`), as is any object with another method
        that :func:`equilibrist.solve` calls, follows each run: the comparison is one experiment,
        ``"compare GAME"`` unless the tracker names another, with a run for each combination and
        seed. A run that was finished before is not reported again.
    limits : Limits, optional
        Limits of compilation: ``eq.Limits(memory_gb=, histories=, depth=)``; by default as many
        histories as there is memory for, and 1,000 moves.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        A name is unknown, a number impossible, no combination makes sense, or all runs failed.
    SolutionError
        ``save`` cannot be written or read, or holds another comparison.

    Examples
    --------
    >>> import equilibrist as eq
    >>> comparison = eq.compare("kuhn", algorithms=["cfr", "cfr+"], iterations=100)
    >>> [(curve.algorithm, curve.last.exploitability < 0.01) for curve in comparison.results]
    [('cfr+', True), ('cfr', True)]
    """
    limit, budget = _check_budget(seconds=seconds, nodes=nodes, iterations=iterations)
    combinations = find_combinations(algorithms, sampling)
    if not is_whole(seeds, 1, MOST_ITEMS):
        raise AlgorithmError(f"seeds must be a whole number, 1 to {MOST_ITEMS:,}; got {seeds!r}.")
    listeners, trackers = split_trackers(
        callbacks, "compare", ("on_checkpoint", "on_run", "on_stage")
    )
    points = CallbackList(listeners["on_checkpoint"])
    on_run = listeners["on_run"] or (lambda *_: None)
    on_stage = listeners["on_stage"] or (lambda _: None)
    folder = None if save is None else make_folder(save)
    needs_tree = any(scheme.tree and not scheme.full_width for _, scheme in combinations)
    compile_limits = compile_budget(limits, "compare")._replace(seconds=seconds)
    form_of_game = compile_any(
        game, form=form, limits=compile_limits, say=on_stage, keep_tree=needs_tree
    )
    form_of_game = form_of_game.renamed(game if isinstance(game, str) else form_of_game.name)
    comparison = Comparison(
        form_of_game.name,
        form_of_game.fingerprint,
        limit,
        budget,
        int(seeds),
        runs=(),
        form=form_of_game.kind,
    )
    if folder is not None:
        _check_folder(folder, comparison)
    followers: list[Any] = [
        GroupedTracker(tracker, f"compare {form_of_game.name}") for tracker in trackers
    ]
    if executor is None:
        followers = [*points.members, *followers]
    on_stage(f"Trying {len(combinations)} combinations")
    refusals = {
        combination: _refusal(form_of_game, combination, limit, budget, folder)
        for combination in combinations
    }
    skipped_runs = [
        Skipped(*combination.names, reason)
        for combination, reason in refusals.items()
        if reason is not None
    ]
    if len(skipped_runs) == len(combinations):
        raise AlgorithmError(skipped_runs[0].reason)
    # Seed by seed: after an interrupt each combination has some runs, rather than some combinations
    # all of theirs.
    items = [
        _make_item(form_of_game, combination, seed, {limit: budget})
        for seed in range(int(seeds))
        for combination, reason in refusals.items()
        if reason is None and (seed == 0 or combination.sampling.random)
    ]
    comparison = replace(comparison, skipped=tuple(skipped_runs))
    with open_batch(
        Study(form_of_game.name, tuple(items)), folder, executor, followers, guard=AlgorithmError
    ) as batch:
        runs = [_read_run(batch, item) for item in items]

        def begin(number: int) -> None:
            if executor is None:
                on_run(runs[number], number + 1, len(runs))

        def follow(progress: BatchProgress) -> None:
            if progress.item is not None and progress.outcome is not None:
                number = items.index(progress.item)
                finished_run = runs[number]
                runs[number] = _read_run(batch, progress.item)
                if executor is not None:
                    on_run(finished_run, number + 1, len(runs))
                    for point in progress.outcome.trace[len(finished_run.trace) :]:
                        points.on_checkpoint(point)
            if folder is not None:
                replace(comparison, runs=tuple(runs)).write_tables(folder)

        batch.execute(follow, on_stage, begin)
    comparison = replace(comparison, runs=tuple(runs))
    if folder is not None:
        on_stage(DRAWING)
        comparison.write(folder)
    if len(comparison.failed) == len(runs):
        raise AlgorithmError(runs[0].error, wrong_use=False)
    return comparison


class Combination(NamedTuple):
    """An algorithm with a sampling."""

    algorithm: Algorithm
    sampling: Sampling

    @property
    def names(self) -> tuple[str, str]:
        return str(self.algorithm), str(self.sampling)

    @property
    def keywords(self) -> dict[str, Any]:
        """What :func:`equilibrist.solve` is given: a rule in a file as its text, which any process can read."""
        rule = self.algorithm.rule
        if rule is not None and rule.is_in_file:
            return {"rule": rule.text, "sampling": self.sampling}
        return self._asdict()


def find_combinations(
    algorithms: str | Algorithm | AnyRule | Iterable[str | Algorithm | AnyRule],
    sampling: str | Sampling | Iterable[str | Sampling],
) -> list[Combination]:
    """Return each combination once; "auto" depends on the sampling."""
    samplings = [find_sampling(scheme) for scheme in _to_list(sampling)]
    combinations: dict[tuple[str, str], Combination] = {}
    for algorithm in _to_list(algorithms):
        for scheme in samplings:
            algorithm_name = suitable_algorithm(
                _find_method(algorithm), FormTraits, sampled=not scheme.full_width
            )
            combination = Combination(algorithm_name, scheme)
            first = combinations.setdefault(combination.names, combination)
            if first != combination:
                raise AlgorithmError(
                    f"Two different algorithms are called {combination.algorithm.name!r}; give "
                    "one of them another name.",
                )
            if first.algorithm.rule is not None and algorithm_name.rule is not None:
                first.algorithm.rule.check_same(algorithm_name.rule)
    if not combinations:
        parameter, value = ("algorithm", algorithms) if samplings else ("sampling", sampling)
        raise AlgorithmError(f"Give at least one {parameter}; got {value!r}.")
    return list(combinations.values())


def _find_method(algorithm: str | Algorithm | AnyRule) -> Algorithm:
    """Return the algorithm of a name or an object, or of a rule in a file."""
    if isinstance(algorithm, str) and split_place(algorithm) is not None:
        return Algorithm.of_rule(algorithm)
    return find_algorithm(algorithm)


def _to_list(choice: Any) -> list[Any]:
    """Return a list of one thing or several, texts cut at the commas between names."""
    choices = [choice] if isinstance(choice, str) or not isinstance(choice, Iterable) else choice
    names_and_objects: list[Any] = []
    for element in choices:
        if isinstance(element, str):
            names_and_objects += _split_names(element)
        else:
            names_and_objects.append(element)
    return names_and_objects


def _split_names(text: str) -> list[str]:
    """Return the names in ``cfr,dcfr`` or ``full,outcome(epsilon=0.4, average='lazy')``."""
    names = [""]
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append("")
        else:
            names[-1] += char
    return [name.strip() for name in names if name.strip()]


def _read_run(batch: Batch, item: Item) -> Run:
    """Return the run of an item, as far as the log of a batch has it."""
    labels = item.labels
    record = batch.log.records.get(item.name, {"trace": []})
    return Run(
        str(labels["algorithm"]),
        str(labels["sampling"]),
        int(labels.get("seed") or 0),
        from_plain(tuple[Checkpoint, ...], record["trace"]),
        batch.is_finished(item),
        str(record.get("error", "")),
    )


def _make_item(
    form: CompiledGame, combination: Combination, seed: int, limits: Mapping[str, Any]
) -> Item:
    """Return a run of the study; the seed is that of one that draws something."""
    algorithm, sampling = combination.names
    seed_label = {"seed": seed} if combination.sampling.random else {}
    labels: dict[str, Plain] = {"algorithm": algorithm, "sampling": sampling, **seed_label}
    return make_item(
        form,
        {**combination.keywords, **seed_label},
        limits,
        labels,
        title=str(Run(algorithm, sampling, seed)),
    )


def _refusal(
    form: CompiledGame, combination: Combination, limit: str, budget: float, folder: Path | None
) -> str | None:
    """Return why a combination makes no sense, or None: an iteration of it is tried, unless a run of it is there.

    One that fails in this iteration, as a rule may, fails in its run again and is told there.
    """
    if not combination.sampling.tree:
        return "Without a tree there is no exact exploitability to compare. Leave tree=False out."
    try:
        item = _make_item(form, combination, 0, {limit: budget})
        if folder is not None and (folder / RUNS / item.name / CHECKPOINT).exists():
            return None
        smallest_limit = 1e-9 if limit == "seconds" else 1
        if (
            solve(form, **solve_keywords({**item.options, limit: smallest_limit})).stop_reason
            == "interrupt"
        ):
            raise KeyboardInterrupt
    except AlgorithmError as error:
        return str(error) if error.wrong_use else None
    return None


def _check_budget(**limits: Any) -> tuple[str, float]:
    """Return what limits a run, and how much of it: the one that is given, or the default."""
    numbers: dict[str, Any] = {
        name: number for name, number in limits.items() if number is not None
    }
    if len(numbers) > 1:
        raise AlgorithmError(
            "The budget of a run is one of seconds, nodes and iterations; got "
            f"{' and '.join(numbers)}."
        )
    limit, number = next(iter((numbers or {"seconds": DEFAULT_SECONDS}).items()))
    valid_limits = Limits(nodes=number) if limit == "nodes" else StopRule(**{limit: number})
    return limit, getattr(valid_limits, limit)


def _check_folder(folder: Path, comparison: Comparison) -> None:
    """Refuse a folder with a comparison on another game or form, or with another kind of budget or a larger one."""
    path = folder / SUMMARY
    if not path.exists():
        return
    text = read_text(path)
    try:
        older: dict[str, Any] = json.loads(text)
        if older["format"] != FORMAT:
            raise ValueError(older["format"])
        game = older["game"]
        form = older["form"]
        fingerprint = older["fingerprint"]
        older_budget = budget_text(older["limit"], older["budget"])
        fits = older["limit"] == comparison.limit and older["budget"] <= comparison.budget
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(
            f"{path} is broken, or was not written by Equilibrist ({type(error).__name__}). Give "
            "another folder."
        ) from error
    if not fits:
        problem = (
            f"{game} with {older_budget} a run, which can be extended but not changed; got "
            f"{comparison.budget_text}. Give "
            f"{older_budget} or more"
        )
    elif form != comparison.form:
        problem = (
            f"the {form} form of {game}; got the {comparison.form} one. Give form={form!r} "
            f"(--form {form})"
        )
    elif fingerprint != comparison.fingerprint:
        problem = (
            f"another game: {comparison.game} as it is now has other infosets, actions or "
            f"payoffs than {game} had then. Give that game"
        )
    else:
        return
    raise SolutionError(
        f"{folder} holds a comparison on {problem}, or another folder.", wrong_use=True
    )
