"""The addresses of the API, below /api, and the function that answers each; its module is imported when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .._util.entry_points import (
    describe_entry,
    explain_failures,
    find_entry_points,
    load_entry_point,
)
from .._util.places import import_place
from ..errors import SolutionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Handler = Callable[[Request], Response]

TABLE = (
    ("GET", "/runs", "study.library.runs:library"),
    ("GET", "/runs/{run}", "study.library.runs:run"),
    ("PATCH", "/runs/{run}", "study.library.runs:change"),
    ("DELETE", "/runs/{run}", "study.library.runs:delete"),
    ("GET", "/compare", "study.library.runs:compare"),
    ("GET", "/compare/infosets", "web.beside:infosets"),
    ("GET", "/compare/node", "poker.pages.beside:node"),
    ("GET", "/deleted", "study.library.runs:deleted"),
    ("DELETE", "/deleted", "study.library.runs:empty"),
    ("POST", "/deleted/{deleted}/restore", "study.library.runs:restore"),
    ("GET", "/runs/{run}/report", "study.library.exports:report"),
    ("GET", "/runs/{run}/pictures", "study.library.exports:pictures"),
    ("GET", "/runs/{run}/picture", "study.library.exports:picture"),
    ("GET", "/runs/{run}/table", "study.library.exports:table"),
    ("GET", "/runs/{run}/code", "study.library.exports:code"),
    ("GET", "/reports", "study.library.exports:reports"),
    ("GET", "/reports/{report}", "study.library.exports:report_page"),
    ("GET", "/reports/{report}/file", "study.library.exports:file"),
    ("GET", "/games", "study.jobs.games:games"),
    ("GET", "/algorithms", "study.jobs.games:algorithms"),
    ("POST", "/games/estimate", "study.jobs.games:estimate"),
    ("POST", "/forecast", "study.jobs.games:forecast"),
    ("POST", "/settings", "study.jobs.games:settings"),
    ("POST", "/trust", "study.jobs.games:trust"),
    ("POST", "/uploads", "study.jobs.games:upload"),
    ("DELETE", "/uploads/{name}", "study.jobs.games:delete_upload"),
    ("POST", "/spots/range", "poker.pages.spot_jobs:read_range"),
    ("POST", "/spots/equity", "poker.pages.spot_jobs:equity"),
    ("POST", "/spots/estimate", "poker.pages.spot_jobs:estimate"),
    ("POST", "/spots/file", "poker.pages.spot_jobs:spot_file"),
    ("POST", "/spots/read", "poker.pages.spot_jobs:read_file"),
    ("GET", "/charts", "poker.pages.charts:charts"),
    ("GET", "/presets", "poker.pages.presets:presets"),
    ("PUT", "/presets", "poker.pages.presets:save"),
    ("PATCH", "/presets", "poker.pages.presets:rename"),
    ("DELETE", "/presets", "poker.pages.presets:delete"),
    ("GET", "/presets/file", "poker.pages.presets:export"),
    ("POST", "/presets/file", "poker.pages.presets:import_file"),
    ("GET", "/hands", "poker.pages.hands:collections"),
    ("POST", "/hands", "poker.pages.hands:new_collection"),
    ("GET", "/hands/{hands}", "poker.pages.hands:collection"),
    ("DELETE", "/hands/{hands}", "poker.pages.hands:delete_collection"),
    ("POST", "/hands/{hands}/files", "poker.pages.hands:add_file"),
    ("POST", "/hands/{hands}/grade", "poker.pages.hands:grade"),
    ("POST", "/hands/{hands}/stop", "poker.pages.hands:stop"),
    ("GET", "/hands/{hands}/decisions", "poker.pages.hands:decisions"),
    ("GET", "/batches", "study.jobs.batches:batches"),
    ("POST", "/batches", "study.jobs.batches:begin"),
    ("POST", "/batches/estimate", "study.jobs.batches:estimate"),
    ("GET", "/batches/{batch}", "study.jobs.batches:one_batch"),
    ("GET", "/batches/{batch}/table", "study.jobs.batches:table"),
    ("GET", "/jobs", "study.jobs.handlers:jobs"),
    ("POST", "/jobs", "study.jobs.handlers:new_job"),
    ("PATCH", "/jobs", "study.jobs.handlers:workers"),
    ("GET", "/jobs/{job}", "study.jobs.handlers:one_job"),
    ("PATCH", "/jobs/{job}", "study.jobs.handlers:move"),
    ("DELETE", "/jobs/{job}", "study.jobs.handlers:dismiss"),
    ("POST", "/jobs/{job}/pause", "study.jobs.handlers:pause"),
    ("POST", "/jobs/{job}/resume", "study.jobs.handlers:go_on"),
    ("POST", "/jobs/{job}/stop", "study.jobs.handlers:stop_job"),
    ("GET", "/runs/{run}/strategy", "study.inspect.look_up:strategy"),
    ("GET", "/runs/{run}/overview", "study.inspect.solutions:overview"),
    ("GET", "/runs/{run}/classes", "poker.pages.classes:classes"),
    ("GET", "/runs/{run}/infosets", "study.inspect.solutions:infosets"),
    ("GET", "/runs/{run}/infoset", "study.inspect.solutions:infoset"),
    ("GET", "/runs/{run}/recording", "study.inspect.solutions:recording"),
    ("GET", "/runs/{run}/tree", "study.inspect.solutions:tree"),
    ("GET", "/runs/{run}/explain", "learn.pages.explain:explain"),
    ("GET", "/runs/{run}/exploit", "study.jobs.exploits:show"),
    ("POST", "/runs/{run}/exploit", "study.jobs.exploits:begin"),
    ("GET", "/runs/{run}/exploit/money", "study.jobs.exploits:money"),
    ("GET", "/runs/{run}/flops", "poker.pages.preflop:flops"),
    ("POST", "/runs/{run}/flops", "poker.pages.preflop:spot"),
    ("GET", "/runs/{run}/spot", "poker.pages.spots:overview"),
    ("GET", "/runs/{run}/spot/node", "poker.pages.spots:node"),
    ("GET", "/runs/{run}/spot/filter", "poker.pages.filtered_hands:filtered_hands"),
    ("GET", "/runs/{run}/spot/notes", "poker.pages.decision_notes:decision_notes"),
    ("PUT", "/runs/{run}/spot/notes", "poker.pages.decision_notes:write_decision_note"),
    ("GET", "/runs/{run}/spot/offline", "poker.pages.offline:offline"),
    ("GET", "/runs/{run}/spot/offline/size", "poker.pages.offline:offline_size"),
    ("GET", "/runs/{run}/spot/hand", "poker.pages.spots:hand"),
    ("GET", "/runs/{run}/spot/runouts", "poker.pages.spots:run_outs"),
    ("POST", "/runs/{run}/spot/locks", "poker.pages.spots:lock"),
    ("POST", "/runs/{run}/spot/locks/read", "poker.pages.spots:read_locks"),
    ("POST", "/runs/{run}/spot/resolve", "poker.pages.spots:resolve"),
    ("GET", "/tables", "study.inspect.play_tables:list_tables"),
    ("POST", "/tables", "study.inspect.play_tables:open_table"),
    ("GET", "/tables/{table}", "study.inspect.play_tables:show_table"),
    ("DELETE", "/tables/{table}", "study.inspect.play_tables:delete_table"),
    ("PATCH", "/tables/{table}", "study.inspect.play_tables:change_table"),
    ("POST", "/tables/{table}/hands", "study.inspect.play_tables:deal"),
    ("GET", "/tables/{table}/hands/{hand:int}", "study.inspect.play_tables:hand"),
    ("POST", "/tables/{table}/moves", "study.inspect.play_tables:move"),
    ("GET", "/runs/{run}/training", "study.inspect.play_tables:training"),
    ("GET", "/history", "study.inspect.play_tables:history"),
    ("GET", "/history/decisions", "study.inspect.play_tables:history_decisions"),
    ("GET", "/history/hands", "study.inspect.play_tables:history_hands"),
)
"""Method, path below /api, and the place of the function."""

FILES = (("GET", "/static/labs/{name}", "learn.lab.route:send_lab"),)
"""The same of files that are made when they are asked for; paths are whole."""

GROUP = "equilibrist.pages"
"""The group of entry points: functions of a request, whose names are a method and a path: ``GET /mine``."""
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def api_routes() -> list[Route]:
    """Return the routes of the table, and those of other distributions; paths are below /api.

    Raises
    ------
    SolutionError
        Another distribution has a route that is there already, or one that is none.
    """
    routes = [_make_route(*row) for row in TABLE]
    built_in = {(method, path) for method, path, _ in TABLE}
    for name, entry in find_entry_points(GROUP).items():
        method, _, path = name.partition(" ")
        if method not in _METHODS or not path.startswith("/") or (method, path) in built_in:
            raise SolutionError(
                f"{describe_entry(entry)} is no route that can be added: its name is a method and a path that "
                "is not there yet, such as 'GET /mine'."
            )
        routes.append(Route(path, partial(_answer_entry, entry), methods=[method]))
    return routes


def file_routes() -> list[Route]:
    """Return the routes of files that are made when they are asked for."""
    return [_make_route(*row) for row in FILES]


def _make_route(method: str, path: str, place: str) -> Route:
    return Route(path, partial(_answer, place), methods=[method])


def _answer(place: str, request: Request) -> Response:  # in a thread, as it is not async
    handler: Handler = import_place(place)
    return handler(request)


def _answer_entry(entry: EntryPoint, request: Request) -> Response:
    handler: Handler = load_entry_point(entry, SolutionError)
    with explain_failures(entry, f"answering {request.url.path}", SolutionError):
        return handler(request)
