"""The addresses of the API, below /api, and the function that answers each; its module is imported when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint

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

Handler = Callable[[Request], Response]

TABLE = (
    ("GET", "/runs", "serve.library.runs:library"),
    ("GET", "/runs/{run}", "serve.library.runs:run"),
    ("PATCH", "/runs/{run}", "serve.library.runs:change"),
    ("DELETE", "/runs/{run}", "serve.library.runs:delete"),
    ("GET", "/compare", "serve.library.runs:compare"),
    ("GET", "/compare/infosets", "serve.inspect.beside:infosets"),
    ("GET", "/compare/node", "serve.inspect.beside_nodes:node"),
    ("GET", "/deleted", "serve.library.runs:deleted"),
    ("DELETE", "/deleted", "serve.library.runs:empty"),
    ("POST", "/deleted/{deleted}/restore", "serve.library.runs:restore"),
    ("GET", "/runs/{run}/report", "serve.library.exports:report"),
    ("GET", "/runs/{run}/pictures", "serve.library.exports:pictures"),
    ("GET", "/runs/{run}/picture", "serve.library.exports:picture"),
    ("GET", "/runs/{run}/table", "serve.library.exports:table"),
    ("GET", "/runs/{run}/code", "serve.library.exports:code"),
    ("GET", "/reports", "serve.library.exports:reports"),
    ("GET", "/reports/{report}", "serve.library.exports:report_page"),
    ("GET", "/reports/{report}/file", "serve.library.exports:file"),
    ("GET", "/games", "serve.jobs.games:games"),
    ("GET", "/algorithms", "serve.jobs.games:algorithms"),
    ("POST", "/games/estimate", "serve.jobs.games:estimate"),
    ("POST", "/forecast", "serve.jobs.games:forecast"),
    ("POST", "/settings", "serve.jobs.games:settings"),
    ("POST", "/trust", "serve.jobs.games:trust"),
    ("POST", "/uploads", "serve.jobs.games:upload"),
    ("DELETE", "/uploads/{name}", "serve.jobs.games:delete_upload"),
    ("POST", "/spots/range", "serve.jobs.spots:read_range"),
    ("POST", "/spots/equity", "serve.jobs.spots:equity"),
    ("POST", "/spots/estimate", "serve.jobs.spots:estimate"),
    ("POST", "/spots/file", "serve.jobs.spots:spot_file"),
    ("POST", "/spots/read", "serve.jobs.spots:read_file"),
    ("GET", "/charts", "serve.jobs.charts:charts"),
    ("GET", "/presets", "serve.library.presets:presets"),
    ("PUT", "/presets", "serve.library.presets:save"),
    ("PATCH", "/presets", "serve.library.presets:rename"),
    ("DELETE", "/presets", "serve.library.presets:delete"),
    ("GET", "/presets/file", "serve.library.presets:export"),
    ("POST", "/presets/file", "serve.library.presets:import_file"),
    ("GET", "/batches", "serve.jobs.batches:batches"),
    ("POST", "/batches", "serve.jobs.batches:begin"),
    ("POST", "/batches/estimate", "serve.jobs.batches:estimate"),
    ("GET", "/batches/{batch}", "serve.jobs.batches:one_batch"),
    ("GET", "/batches/{batch}/table", "serve.jobs.batches:table"),
    ("GET", "/jobs", "serve.jobs.handlers:jobs"),
    ("POST", "/jobs", "serve.jobs.handlers:new_job"),
    ("PATCH", "/jobs", "serve.jobs.handlers:workers"),
    ("GET", "/jobs/{job}", "serve.jobs.handlers:one_job"),
    ("PATCH", "/jobs/{job}", "serve.jobs.handlers:move"),
    ("DELETE", "/jobs/{job}", "serve.jobs.handlers:dismiss"),
    ("POST", "/jobs/{job}/pause", "serve.jobs.handlers:pause"),
    ("POST", "/jobs/{job}/resume", "serve.jobs.handlers:go_on"),
    ("POST", "/jobs/{job}/stop", "serve.jobs.handlers:stop_job"),
    ("GET", "/runs/{run}/strategy", "serve.inspect.look_up:strategy"),
    ("GET", "/runs/{run}/overview", "serve.inspect.solutions:overview"),
    ("GET", "/runs/{run}/classes", "serve.inspect.classes:classes"),
    ("GET", "/runs/{run}/infosets", "serve.inspect.solutions:infosets"),
    ("GET", "/runs/{run}/infoset", "serve.inspect.solutions:infoset"),
    ("GET", "/runs/{run}/recording", "serve.inspect.solutions:recording"),
    ("GET", "/runs/{run}/tree", "serve.inspect.solutions:tree"),
    ("GET", "/runs/{run}/explain", "serve.inspect.explaining:explain"),
    ("GET", "/runs/{run}/flops", "serve.inspect.preflop:flops"),
    ("POST", "/runs/{run}/flops", "serve.inspect.preflop:spot"),
    ("GET", "/runs/{run}/spot", "serve.inspect.spots:overview"),
    ("GET", "/runs/{run}/spot/node", "serve.inspect.spots:node"),
    ("GET", "/runs/{run}/spot/hand", "serve.inspect.spots:hand"),
    ("GET", "/runs/{run}/spot/runouts", "serve.inspect.spots:run_outs"),
    ("POST", "/runs/{run}/spot/locks", "serve.inspect.spots:lock"),
    ("POST", "/runs/{run}/spot/locks/read", "serve.inspect.spots:read_locks"),
    ("POST", "/runs/{run}/spot/resolve", "serve.inspect.spots:resolve"),
    ("GET", "/tables", "serve.inspect.play_tables:list_tables"),
    ("POST", "/tables", "serve.inspect.play_tables:open_table"),
    ("GET", "/tables/{table}", "serve.inspect.play_tables:show_table"),
    ("DELETE", "/tables/{table}", "serve.inspect.play_tables:delete_table"),
    ("PATCH", "/tables/{table}", "serve.inspect.play_tables:change_table"),
    ("POST", "/tables/{table}/hands", "serve.inspect.play_tables:deal"),
    ("GET", "/tables/{table}/hands/{hand:int}", "serve.inspect.play_tables:hand"),
    ("POST", "/tables/{table}/moves", "serve.inspect.play_tables:move"),
    ("GET", "/runs/{run}/training", "serve.inspect.play_tables:training"),
    ("GET", "/history", "serve.inspect.play_tables:history"),
    ("GET", "/history/hands", "serve.inspect.play_tables:history_hands"),
)
"""Method, path below /api, and the place of the function."""

FILES = (("GET", "/static/labs/{name}", "html.lab.route:send_lab"),)
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
