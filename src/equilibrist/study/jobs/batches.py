"""Routes of batches: reports over boards and studies, planned, sized up, queued as jobs, and read while they grow."""

from __future__ import annotations

import itertools
import json
import math
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from ..._util.command_line import quote_word
from ..._util.files import read_bytes
from ..._util.places import import_place
from ..._util.toml import toml_text
from ...errors import EquilibristError
from ...web.answers import Answer
from ...web.requests import (
    CHECKED_SETTINGS,
    check_game_text,
    check_goal_of_spot,
    check_keywords,
    read_game,
    read_run_keywords,
)
from ...web.respond import TABLE_FORMATS, Fields, RequestError, answer, body, download_arrow, query
from ...web.workspace import Workspace, workspace_of
from ..answers import (
    Batches,
    BatchEstimate,
    BatchFacts,
    BatchLines,
    BatchOfBoards,
    BatchOfRuns,
    BatchRow,
    BegunJobs,
)
from ..library.batches import (
    PLAN,
    ROWS,
    TEXTURES,
    Results,
    batch_folders,
    explain_read_errors,
    find_results,
)
from .job import JOB
from .kinds import REPORTS

MOST_RUNS = 5_000
_MOST_REPORTS = 20
_MOST_VALUES = 1_000
_MOST_LINES = 8
_FIELDS = (
    "name",
    "spot",
    "games",
    "boards",
    "lines",
    "vary",
    "algorithms",
    "samplings",
    "seeds",
    "processes",
)
_OF_A_SINGLE_RUN = ("record", "record_every", "save_streets", "tags", "note")
_FLOPS = 6  # cards of the texts of boards: more than a flop has a next street


def read_plans(workspace: Workspace, fields: Fields) -> list[dict[str, Any]]:
    """Return the batches that a request asks for, each as a job keeps it: a study, or a report for each variation.

    A plan has ``title``, ``game`` (what is solved, as a text), ``processes``, and either ``study``,
    a mapping as
    :func:`equilibrist.read_study` takes it, or ``spot``, ``boards``, ``lines`` and ``options`` of
    :func:`equilibrist.poker.board_report`.
    """
    for name in _OF_A_SINGLE_RUN:
        if name in fields:
            raise RequestError(
                f"{name} is of a single run; the runs of a batch have none: leave it out.",
                field=name,
            )
    fields.only(*_FIELDS, *CHECKED_SETTINGS)
    is_spot = "spot" in fields
    keywords = read_run_keywords(fields, check=False)  # but with each algorithm and sampling
    if is_spot:
        check_goal_of_spot(keywords)
    axes = {
        **_read_axes(fields),
        **{
            single: texts
            for single, several in (("algorithm", "algorithms"), ("sampling", "samplings"))
            if (texts := _read_texts(fields, several))
        },
    }
    processes = fields.whole("processes", 1, low=1, high=64)
    if "boards" in fields:
        return _plan_reports(workspace, fields, keywords, axes, processes)
    study = dict(keywords)
    if is_spot:
        facts = workspace.queue.estimates.ask({"spot": fields.table("spot"), "sizes": False})
        title = facts["title"]
        games = [facts["game"]]
    else:
        games = [
            read_game(workspace, Fields({"game": game}))
            for game in fields.list("games", most=_MOST_VALUES)
        ]
        if not games:
            raise RequestError("games must name one game or more.", field="games")
        if len(games) < 4:
            title = ", ".join(games)
        else:
            title = f"{len(games)} games"
    if len(games) > 1:
        axes = {"game": games, **axes}
    else:
        study["game"] = games[0]
    axes, left_out = _choose_fitting(axes, keywords)
    seeds = _count_seeds(fields)
    runs = math.prod(map(len, axes.values())) * seeds
    if runs > MOST_RUNS:
        raise RequestError(
            f"A batch has at most {MOST_RUNS:,} runs; this one has {runs:,}.", field="vary"
        )
    vary = {**axes, **({"seeds": seeds} if seeds > 1 else {})}
    study |= {"vary": vary} if vary else {}
    return [
        {
            "title": title,
            "game": ", ".join(games),
            "processes": processes,
            "study": study,
            "left_out": left_out,
        },
    ]


def _read_axes(fields: Fields) -> dict[str, list[Any]]:
    """Return settings of the game with their values; an empty list says nothing."""
    axes = {}
    for name, values in fields.table("vary", {}).items():
        plain = isinstance(values, list) and len(values) <= _MOST_VALUES
        if not plain or not all(isinstance(value, str | int | float | bool) for value in values):
            raise RequestError(
                f"vary.{name} must be a list of texts and numbers; got {values!r:.100}.",
                field="vary",
            )
        if name in ("game", "seeds", "items", "name", *CHECKED_SETTINGS):
            raise RequestError(
                f"{name} is no setting of a game: give it as a field of its own.", field="vary"
            )
        if values:
            axes[name] = values
    return axes


def _count_seeds(fields: Fields) -> int:
    try:
        count: int = fields.whole("seeds", 1, low=1, high=_MOST_VALUES)
    except RequestError as error:
        raise RequestError(
            f"{error} It is how many seeds: 3 stands for 0, 1 and 2.", field="seeds"
        ) from None
    return count


def _read_texts(fields: Fields, name: str) -> list[str]:
    texts: list[Any] = fields.list(name, [], most=_MOST_VALUES)
    if not all(isinstance(text, str) and 0 < len(text) <= 200 for text in texts):
        raise RequestError(f"{name} must be a list of texts.", field=name)
    return texts


def _choose_fitting(
    axes: dict[str, list[Any]], keywords: Mapping[str, Any]
) -> tuple[dict[str, list[Any]], list[dict[str, str]]]:
    """Return the axes with those pairs of an algorithm and a sampling alone that go together, and why others do not."""
    algorithms = axes.get("algorithm", [None])
    samplings = axes.get("sampling", [None])
    pairs = []
    left_out = []
    reason: EquilibristError | None = None
    for algorithm, sampling in itertools.product(algorithms, samplings):
        pair = {
            k: v for k, v in (("algorithm", algorithm), ("sampling", sampling)) if v is not None
        }
        try:
            check_keywords({**keywords, **pair})
        except EquilibristError as error:
            reason = error
            left_out.append({**pair, "reason": str(error)})
        else:
            pairs.append(pair)
    if not pairs and reason is not None:
        raise reason
    if not left_out:
        return axes, []
    names = [{"name": ", ".join(pair.values()), **pair} for pair in pairs]
    other_axes = {
        name: values for name, values in axes.items() if name not in ("algorithm", "sampling")
    }
    return {**other_axes, "solver": names}, left_out


def _plan_reports(
    workspace: Workspace,
    fields: Fields,
    keywords: dict[str, Any],
    axes: dict[str, list[Any]],
    processes: int,
) -> list[dict[str, Any]]:
    """Return a report over boards for each variation of a spot and of its algorithm."""
    from ...batches.variants import change_settings

    if "spot" not in fields:
        raise RequestError("A report over boards needs a spot of hold'em.", field="spot")
    for name in ("games", "samplings", "seeds"):
        if name in fields:
            raise RequestError(
                f"{name} are not of reports over boards, which are solved in full.", field=name
            )
    boards = _read_boards(fields)
    spot = fields.table("spot")
    lines = [str(line) for line in fields.list("lines", ["", "X"], most=_MOST_LINES)]
    if math.prod(map(len, axes.values())) > _MOST_REPORTS:
        raise RequestError(f"At most {_MOST_REPORTS} reports are begun at once.", field="vary")
    options = {
        name: value
        for name, value in keywords.items()
        if name != "algorithm" or "algorithm" not in axes
    }
    plans: list[dict[str, Any]] = []
    group = secrets.token_hex(8)
    for values in itertools.product(*axes.values()):
        variation = dict(zip(axes, values, strict=True))
        if "algorithm" in variation:
            algorithm = {"algorithm": variation.pop("algorithm")}
        else:
            algorithm = {}
        facts = workspace.queue.estimates.ask(
            {"spot": change_settings(spot, variation), "sizes": False}
        )
        check_keywords({**options, **algorithm})
        varied = {**variation, **algorithm}
        words = ", ".join(f"{name} {value}" for name, value in varied.items())
        if boards.isdecimal():
            boards_text = f"{boards} flops"
        elif len(boards) < 40:
            boards_text = boards
        else:
            boards_text = "some boards"
        if boards in ("turns", "rivers"):
            board = facts["settings"]["board"]
        else:
            board = ""
        plan = {
            "title": " ".join(part for part in (boards_text, board) if part)
            + (f", {words}" if words else ""),
            "game": facts["game"],
            "processes": processes,
            "spot": facts["game"],
            "boards": boards,
            "lines": lines,
            "options": {**options, **algorithm},
            "left_out": [],
            "one_of": {"group": group, "place": len(plans), "varied": varied},
        }
        if len(facts["settings"]["board"]) <= _FLOPS or boards in ("turns",):
            plan["options"]["save_streets"] = 1
        plans.append(plan)
    return plans


def _read_boards(fields: Fields) -> str:
    """Return what boards a report is over; no path of a file, which
    :func:`equilibrist.poker.board_report` takes as well.
    """
    choices: tuple[str, ...] = import_place(REPORTS["choices"])
    text: str = fields.text("boards", longest=100_000).strip()
    if text not in choices and not set(text) <= set("0123456789TJQKAcdhs:., \n"):
        raise RequestError(
            f"boards must be one of {', '.join(choices)}, or boards with weights, as 'QsJh2h:12, "
            f"AhKd2c'; got {text[:60]!r}.",
            field="boards",
        )
    return text


def check_plan(workspace: Workspace, plan: dict[str, Any]) -> None:
    """Refuse a plan that no request makes: the file of a job may have been changed."""
    from ...games.load import check_trust

    study = plan.get("study")
    if study is None:
        _read_boards(Fields({"boards": plan["boards"]}))
        games = [plan["spot"]]
    else:
        vary = study.get("vary", {})
        if set(study) & {"items"} or any(
            isinstance(value, dict) and set(value) - {"name", "algorithm", "sampling"}
            for values in vary.values()
            for value in (values if isinstance(values, list) else [])
        ):
            raise RequestError("A batch of this kind is not made here.")
        games = [*([study["game"]] if "game" in study else []), *vary.get("game", [])]
    for game in games:
        check_trust(check_game_text(workspace, str(game)), workspace.trusted)


def estimate(request: Request) -> Answer[BatchEstimate]:
    """Return what the batches of a request are before they begin: runs, memory, time, and lines that do the same.

    Fields: a ``spot`` or ``games``; ``boards``, which makes reports; ``lines`` of them; ``vary``,
    settings of the game with lists of values; ``algorithms``, ``samplings``, ``seeds``;
    ``processes``; ``name``; settings of a run.
    """
    workspace = workspace_of(request)
    fields = body(request)
    plans = read_plans(workspace, fields)
    facts: BatchFacts = workspace.queue.estimates.ask({"batch": plans[0]})
    name = fields.text("name", "", longest=100).strip() or make_name(plans[0])
    seconds = facts["seconds"]
    return answer(
        {
            **facts,
            "batches": len(plans),
            "runs": facts["runs"] * len(plans),
            "seconds": seconds and [seconds_each * len(plans) for seconds_each in seconds],
            "titles": [plan["title"] for plan in plans],
            "left_out": plans[0]["left_out"],
            **write_lines(plans[0], name),
        }
    )


def make_name(plan: Mapping[str, Any]) -> str:
    """Return the name of a folder for a batch."""
    words = "".join(
        char if char.isalnum() else " " for char in plan["title"].replace("'", "")
    ).split()
    return "-".join([*words, "report" if "boards" in plan else "study"])[:70]


def begin(request: Request) -> Answer[BegunJobs]:
    """Put batches into the queue, each a job: fields as for :func:`estimate`."""
    workspace = workspace_of(request)
    fields = body(request)
    plans = read_plans(workspace, fields)
    name = fields.text("name", "", longest=100).strip()
    # Or an error.
    runs = [workspace.queue.estimates.ask({"batch": plan, "sizes": False}) for plan in plans]
    jobs = []
    for plan, about in zip(plans, runs, strict=True):
        request_of_job = {
            "game": plan["game"],
            "title": plan["title"],
            "keywords": {},
            "batch": plan,
        }
        record = {"plan": plan, "items": about["items"], "weights": about["weights"]}
        jobs.append(
            workspace.queue.add(request_of_job, name or make_name(plan), {PLAN: json.dumps(record)})
        )
    return answer({"jobs": [job.summary() for job in jobs]}, status=201)


def write_lines(plan: Mapping[str, Any], name: str) -> BatchLines:
    """Return the command and the line of Python that do the same, and the study file of a study."""
    if plan["processes"] > 1:
        processes = f" --processes {plan['processes']}"
    else:
        processes = ""
    if plan["processes"] > 1:
        option_of_processes = {"executor": plan["processes"]}
    else:
        option_of_processes = {}
    if "study" in plan:
        keywords = {"save": name, **option_of_processes}
        return {
            "file": toml_text(plan["study"]),
            "command": f"equilibrist batch {quote_word(f'{name}.toml')} --out {quote_word(name)}{processes}",
            "python": f"result = eq.batch({plan['study']!r}, {_arguments(keywords)})",
        }
    options = {key: value for key, value in plan["options"].items() if key != "save_streets"}
    words = [
        f"equilibrist aggregate {quote_word(plan['spot'])}",
        f"--boards {quote_word(plan['boards'])}",
    ]
    words += (
        [f"--line {quote_word(line)}" for line in plan["lines"]]
        if plan["lines"] != ["", "X"]
        else []
    )
    words += [
        f"--{key.replace('_', '-')} {quote_word(str(value))}" for key, value in options.items()
    ]
    keywords = {
        "lines": plan["lines"],
        "save": name,
        "keep": "runs",
        **option_of_processes,
        **plan["options"],
    }
    return {
        "file": None,
        "command": f"{' '.join(words)} --save-runs --out {quote_word(name)}{processes}",
        "python": f"report = eq.poker.board_report({plan['spot']!r}, {plan['boards']!r}, {_arguments(keywords)})",
    }


def _arguments(keywords: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in keywords.items())


# --- Results ---


def is_batch(workspace: Workspace, batch_id: str) -> bool:
    """Return whether a folder is that of a batch which can go on."""
    with suppress(RequestError):
        return (workspace.folder_of(batch_id, holds=PLAN) / JOB).is_file()
    return False


def batches(request: Request) -> Answer[Batches]:
    """Return the batches of the folder, the last one first, and how far each is."""
    workspace = workspace_of(request)
    rows = []
    for folder in batch_folders(workspace):
        with suppress(RequestError):  # somebody else wrote it, and it is broken
            rows.append(_describe_batch(workspace, workspace.id_of(folder)))
    return answer({"batches": sorted(rows, key=lambda row: -row["saved"])})


def _describe_batch(workspace: Workspace, batch_id: str) -> BatchRow:
    results = find_results(workspace, batch_id)
    job = workspace.queue.jobs.get(batch_id)
    if job is not None:
        state = job.state
    elif results.done + results.failed >= results.total > 0:
        state = "done"
    else:
        state = "stopped"
    return cast(BatchRow, {**results.summary(), "state": state})


def one_batch(request: Request) -> Answer[BatchOfRuns | BatchOfBoards]:
    """Return a batch while it grows: how far it is, its rows and, of a report, its means.

    ``line`` says which decision of a report; ``by``, two textures, separated by a comma, that its
    ``textures`` tell apart.
    """
    workspace = workspace_of(request)
    batch_id = request.path_params["batch"]
    fields = query(request).only("line", "by")
    results = find_results(workspace, batch_id)
    line = fields.text("line", "")
    by = _read_textures(fields)
    plan = results.plan
    with explain_read_errors(batch_id):
        about = {
            **_describe_batch(workspace, batch_id),
            **write_lines(plan, results.folder.name),
            "variations": _variations(workspace, results, line),
            **results.shown(workspace, line, by),
        }
        return answer(cast(BatchOfRuns | BatchOfBoards, about))


def _variations(workspace: Workspace, results: Results, line: str) -> list[dict[str, Any]]:
    """Return a row for each report that was begun together with one: what varies, and the means at a line by now."""
    if not results.is_report:
        return []
    group = results.plan.get("one_of", {}).get("group")
    rows = []
    for folder in batch_folders(workspace):
        with suppress(
            RequestError,
            OSError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            ArithmeticError,
        ):
            plan = json.loads(read_bytes(folder / PLAN))["plan"]
            if group is None or plan.get("one_of", {}).get("group") != group:
                continue
            other = find_results(workspace, workspace.id_of(folder))
            facts = {name: other.summary()[name] for name in ("id", "name", "done", "total")}
            means = [mean for mean in other.report().means() if mean["line"] == line]
            rows.append(
                (
                    int(plan["one_of"]["place"]),
                    {**facts, **plan["one_of"]["varied"], **(means[0] if means else {})},
                )
            )
    if len(rows) > 1:
        return [row for _, row in sorted(rows, key=lambda each: each[0])]
    return []


def _read_textures(fields: Fields) -> tuple[str, ...]:
    by = tuple(word.strip() for word in fields.text("by", "high,suits").split(","))
    if not 1 <= len(by) <= 2 or not set(by) <= set(TEXTURES) or len(set(by)) < len(by):
        raise RequestError(
            f"by must be one or two of {', '.join(TEXTURES)}; got {','.join(by)!r}.", field="by"
        )
    return by


def table(request: Request) -> Response:
    """Return a table of a batch by now as a file: ``what`` (rows, textures, variations), ``format`` (csv, parquet).

    Of the last two, ``line`` and ``by`` as for :func:`one_batch`.
    """
    import pyarrow as pa

    from ...batches.result import rows_to_columns

    workspace = workspace_of(request)
    batch_id = request.path_params["batch"]
    fields = query(request).only("what", "format", "line", "by")
    table_kind = fields.choice("what", ("rows", "textures", "variations"), "rows")
    suffix = fields.choice("format", tuple(TABLE_FORMATS), "csv")
    results: Results = find_results(workspace, batch_id)
    with explain_read_errors(batch_id):
        line = fields.text("line", "")
        if table_kind == ROWS:
            arrow = results.arrow()
        elif table_kind == "textures":
            arrow = results.textures_arrow(line, _read_textures(fields))
        else:
            arrow = pa.table(rows_to_columns(_variations(workspace, results, line)))
    if arrow.num_columns == 0:
        raise RequestError("There is nothing in this table yet.", status=404)
    return download_arrow(arrow, f"{Path(results.folder).name}-{table_kind}", suffix)
