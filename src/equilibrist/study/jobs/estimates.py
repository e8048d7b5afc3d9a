"""Estimates of runs before they start, by a process of its own: no game that is too large holds the server up."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from ..._util.places import import_place
from ..._util.workers import LineProcess
from ...errors import EquilibristError, GameTooLargeError
from ...runs.catalogue import game_title
from ...solving.settings import SETTINGS
from ...web.respond import RequestError
from .compiling import CompilingWatch
from .kinds import ESTIMATES, FACTS, GAMES, REPORTS

if TYPE_CHECKING:
    from ...form.compiled_game import CompiledGame
    from ...solving.estimate import ResourceEstimate

_PATIENCE = 20.0  # seconds
# the same of what needs further kernels: they are loaded, and the very first time of all compiled
_FIRST = 180.0
_COMPILING = ('{"compiling": false}\n', '{"compiling": true}\n')  # lines beside the answers


class Estimates:
    """A process that estimates runs, started when it is needed; a request that takes too long ends it.

    ``on_compiling`` is called with whether the process waits for kernels, when that changes.
    """

    def __init__(self, on_compiling: Callable[[bool], None] = lambda active: None) -> None:
        self._on_compiling = on_compiling
        self._lock = threading.Lock()
        self._process: LineProcess | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._warm = False

    def ask(self, request: dict[str, Any]) -> Any:
        """Return what the process answers, which depends on what it is asked for."""
        with self._lock:
            process = self._find_process()
            slow = request.get("forecast") or request.get("batch")
            patience = _PATIENCE if self._warm and not slow else _FIRST
            process.send(json.dumps(request))
            try:
                line = self._answers.get(timeout=patience)
            except queue.Empty:
                line = None
            if line is None:
                self._end()
                raise GameTooLargeError(
                    f"The size of the game cannot be told within {patience:g} seconds: it is "
                    "very large. It can be solved all the same, if there is memory for it, or "
                    "sampled without being compiled."
                )
            self._warm = True
        reply: dict[str, Any] = json.loads(line)
        error = reply.get("error")
        if error is not None:
            status = 400 if error["wrong_use"] else 422
            raise RequestError(
                error["message"], field=error["field"], span=error["span"], status=status
            )
        return reply

    def close(self) -> None:
        with self._lock:
            self._end()

    def _find_process(self) -> LineProcess:
        if self._process is None or self._process.poll() is not None:
            self._process = LineProcess("equilibrist.study.jobs.worker", "--estimate")
            self._answers = queue.Queue()
            self._warm = False
            threading.Thread(
                target=self._read, args=(self._process, self._answers), daemon=True
            ).start()
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.end_input()
            self._process.wait()
        self._process = None

    def _read(self, process: LineProcess, answers: queue.Queue[str | None]) -> None:
        """Pass lines on; None at the end."""
        for line in process.lines():
            if line in _COMPILING:
                self._on_compiling(line == _COMPILING[True])
            else:
                answers.put(line)
        self._on_compiling(False)
        answers.put(None)


# --- In the process ---


def answer_lines(stream: IO[str], output: IO[str]) -> int:
    """Answer each line of a stream by a line, until it ends; other lines tell when kernels are compiled."""
    lock = threading.Lock()

    def write(text: str) -> None:
        with lock:
            output.write(text)
            output.flush()

    def tell(active: bool) -> None:
        with suppress(OSError):
            write(_COMPILING[active])

    watch = CompilingWatch(tell)
    try:
        for line in stream:
            write(json.dumps(_answer(line)) + "\n")
    except OSError:
        return 1
    finally:
        watch.close()
    return 0


def _answer(line: str) -> dict[str, Any]:
    try:
        return estimate(json.loads(line))
    except EquilibristError as error:
        told_error = error
    except Exception as error:
        told_error = EquilibristError(
            f"The size of the game cannot be told: {type(error).__name__}: {error}"
        )
    return {
        "error": {
            "message": str(told_error),
            "field": told_error.field,
            "span": told_error.span,
            "wrong_use": told_error.wrong_use,
        }
    }


def estimate(request: dict[str, Any]) -> dict[str, Any]:
    """Return what a game is and what a run on it takes.

    A request has ``game``, a text as :func:`equilibrist.load` takes it, or ``spot``, settings of
    hold'em; ``sizes``, whether it is compiled for its size; ``line``, where the rows of a spot's
    tree begin; ``forecast``, whether nothing is wanted but the time to the goal; and settings of a
    run. One with ``charts``, keywords of
    :func:`equilibrist.poker.push_fold_charts`, is answered by their numbers.
    """
    for field, place in ESTIMATES.items():
        if field in request:
            facts_of_field: dict[str, Any] = import_place(place)(request[field])
            return facts_of_field
    import warnings

    from ...game.protocol import game_name

    if request.get("batch") is not None:
        return _batch_facts(request["batch"], sizes=request.get("sizes", True))
    with warnings.catch_warnings(record=True, action="always") as caught:
        game = _load_game(request)
        facts: dict[str, Any] = {}
        for field, place in FACTS.items():
            if request.get(field) is not None:
                facts |= import_place(place)(game, request)
        if request.get("forecast"):
            return _forecast(game, request)
        if request.get("sizes", True):
            facts |= _game_sizes(game, request)
    sentences = dict.fromkeys(str(warning.message) for warning in caught)
    about = {
        "game": str(game),
        "title": game_title(game_name(game)),
        "pot": getattr(game, "pot", None),
    }
    return {**about, "warnings": list(sentences), **facts}


def _batch_facts(plan: dict[str, Any], *, sizes: bool) -> dict[str, Any]:
    """Return the runs of a batch; with ``sizes`` also its memory and time, by those of a few of its runs."""
    from ...batches.study import read_study
    from ...form.limits import free_memory

    weights: dict[str, float] = {}
    if "study" in plan:
        study = read_study(plan["study"])
    else:
        plan_boards = import_place(REPORTS["plan"])
        _, weights, study = plan_boards(plan["spot"], plan["boards"], plan["options"])
    items = study.items
    about: dict[str, Any] = {"runs": len(items)}
    if not sizes:
        runs = [(item.name, dict(item.labels)) for item in items]
        return {**about, "items": runs, "weights": list(weights.items())}
    spans = []
    gigabytes = 0.0
    slots = 0
    measured = sorted(
        {round(place * (len(items) - 1) / max(_MEASURED - 1, 1)) for place in range(_MEASURED)}
    )
    for number, place in enumerate(measured):
        if slots > _MOST_MEASURED:
            measured = measured[:number]
            break
        item = items[place]
        run = {**item.options, **item.limits, "game": item.game}
        game = _load_game(run)
        facts = _game_sizes(game, run)
        gigabytes = max(gigabytes, facts.get("gigabytes") or 0.0)
        slots += facts.get("slots") or 0
        spans.append(_time_span(game, run, facts.get("seconds")))
    finite = [span for span in spans if span is not None]
    scale = len(items) / max(len(spans), 1) / min(plan["processes"], len(items))
    seconds = None
    if len(finite) == len(spans):
        seconds = [scale * sum(span_ends) for span_ends in zip(*finite, strict=True)]
    return {
        **about,
        "measured": len(measured),
        "gigabytes": gigabytes * min(plan["processes"], len(items)),
        "free": free_memory(),
        "seconds": seconds,
        "titles_of_runs": [str(item) for item in items[:_MOST_TITLES]],
    }


# runs that are sized up, until they have so many slots together
_MEASURED = 4
_MOST_MEASURED = 1 << 23
_MOST_TITLES = 50


def _time_span(game: Any, run: dict[str, Any], seconds: float | None) -> tuple[float, float] | None:
    """Return from, to how long a run takes to the first of its limits; None where that is not known."""
    from ...solving.plan import DEFAULT_ITERATIONS

    spans: list[tuple[float, float]] = []
    iterations = run.get("iterations")
    if iterations is None and not any(
        run.get(name) is not None for name in ("until", "seconds", "nodes")
    ):
        iterations = DEFAULT_ITERATIONS
    if iterations is not None:
        seconds_each = _time_iteration(game, run) if seconds is None else seconds
        spans += [] if seconds_each is None else [(iterations * seconds_each,) * 2]
    if run.get("seconds") is not None:
        spans.append((float(run["seconds"]),) * 2)
    if run.get("until") is not None:
        goal = _forecast(game, run)["goal"]
        spans += [goal["seconds"]] if goal else []
    if not spans:
        return None
    least, largest = (min(span_ends) for span_ends in zip(*spans, strict=True))
    return least, largest


def _time_iteration(game: Any, run: dict[str, Any]) -> float | None:
    """Return the seconds of an iteration, by those of a moment; None where the game is too large to be tried."""
    from ...mccfr.sampling import find_sampling
    from ...solving.keywords import solve_keywords
    from ...solving.solve import solve

    if not find_sampling(run.get("sampling") or "full").tree:
        return None
    form = _compile_game(game, run)
    if form.length > _MOST_TRIED:
        return None
    options = {name: run.get(name) for name in (*_SIZED, "iterations", "seed")}
    solution = solve(form, **solve_keywords({**options, "seconds": _TRIAL}))
    return solution.seconds["solve"] / max(solution.iterations, 1)


# slots; seconds
_MOST_TRIED = 1 << 21
_TRIAL = 0.2


def _load_game(request: dict[str, Any]) -> Any:
    from ...games.load import load

    for field, place in GAMES.items():
        if request.get(field) is not None:
            return import_place(place)(request[field])
    return load(request["game"])


def _game_sizes(game: Any, request: dict[str, Any]) -> dict[str, Any]:
    from ...form.limits import free_memory
    from ...mccfr.sampling import find_sampling

    if not find_sampling(request.get("sampling") or "full").tree:
        return {"form": "none", "size": "The game is not compiled.", "free": free_memory()}
    start = time.perf_counter()
    form = _compile_game(game, request)
    compiling = time.perf_counter() - start
    expected, algorithm = _expect_resources(form, request)
    return {
        "form": form.kind,
        "algorithm": algorithm,
        "players": form.players,
        "zero_sum": form.zero_sum,
        "histories": form.histories,
        "infosets": form.num_infosets,
        "slots": form.slots,
        "size": form.size,
        "boards": form.boards_per_street,
        "gigabytes": expected.gigabytes,
        "free": free_memory() + expected.held,
        "seconds": expected.seconds,
        "compiling": compiling,
        "smaller": expected.smaller,
    }


_newest: dict[str, CompiledGame] = {}
"""The game that was compiled last, by what was asked for: its forecast is asked for after its size."""


def _compile_game(game: Any, request: dict[str, Any]) -> CompiledGame:
    from ...games.compile import compile_any
    from ...mccfr.sampling import find_sampling

    sampled = not find_sampling(request.get("sampling") or "full").full_width
    form = request.get("form") or "auto"
    key = f"{game} {form} {sampled}"
    if key not in _newest:
        _newest.clear()  # first, as there may be no memory for both
        _newest[key] = compile_any(game, form=form, keep_tree=sampled)
    return _newest[key]


def _expect_resources(form: CompiledGame, request: dict[str, Any]) -> tuple[ResourceEstimate, str]:
    from ...solving.estimate import estimate_run
    from ...solving.keywords import solve_keywords
    from ...solving.plan import fill_defaults, new_config

    config = fill_defaults(
        new_config(**solve_keywords({name: request.get(name) for name in _SIZED})), form
    )
    return estimate_run(form, config), config.algorithm.name


_SIZED = tuple(setting.name for setting in SETTINGS if setting.sizes)


def _forecast(game: Any, request: dict[str, Any]) -> dict[str, Any]:
    from ...mccfr.sampling import find_sampling
    from ...solving.forecast import forecast
    from ...solving.keywords import solve_keywords

    if request.get("concept") is not None:  # nobody has measured how long those take
        return {"goal": None}
    if (
        request.get("until") is None
        or not find_sampling(request.get("sampling") or "full").full_width
    ):
        return {"goal": None}
    form = _compile_game(game, request)
    options = solve_keywords({name: request.get(name) for name in _FORECAST})
    expected = forecast(form, seconds=_expect_resources(form, request)[0].seconds, **options)
    return {"goal": None if expected is None else expected._asdict()}


_FORECAST = ("until", *(name for name in _SIZED if name not in ("sampling", "concept")))
