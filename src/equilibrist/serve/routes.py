"""The addresses of the API, below /api, and the function that answers each; its module is imported when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

Handler = Callable[[Request], Response]

TABLE = (
    ("GET", "/runs", "library.runs:library"),
    ("GET", "/runs/{run}", "library.runs:run"),
    ("PATCH", "/runs/{run}", "library.runs:change"),
    ("DELETE", "/runs/{run}", "library.runs:delete"),
    ("GET", "/compare", "library.runs:compare"),
    ("GET", "/compare/infosets", "inspect.beside:infosets"),
    ("GET", "/compare/node", "inspect.beside:node"),
    ("GET", "/deleted", "library.runs:deleted"),
    ("DELETE", "/deleted", "library.runs:empty"),
    ("POST", "/deleted/{deleted}/restore", "library.runs:restore"),
    ("GET", "/runs/{run}/report", "library.exports:report"),
    ("GET", "/runs/{run}/pictures", "library.exports:pictures"),
    ("GET", "/runs/{run}/picture", "library.exports:picture"),
    ("GET", "/runs/{run}/table", "library.exports:table"),
    ("GET", "/runs/{run}/code", "library.exports:code"),
    ("GET", "/reports", "library.exports:reports"),
    ("GET", "/reports/{report}", "library.exports:report_page"),
    ("GET", "/reports/{report}/file", "library.exports:file"),
    ("GET", "/games", "jobs.games:games"),
    ("GET", "/algorithms", "jobs.games:algorithms"),
    ("POST", "/games/estimate", "jobs.games:estimate"),
    ("POST", "/forecast", "jobs.games:forecast"),
    ("POST", "/settings", "jobs.games:settings"),
    ("POST", "/trust", "jobs.games:trust"),
    ("POST", "/uploads", "jobs.games:upload"),
    ("DELETE", "/uploads/{name}", "jobs.games:delete_upload"),
    ("POST", "/spots/range", "jobs.spots:read_range"),
    ("POST", "/spots/equity", "jobs.spots:equity"),
    ("POST", "/spots/estimate", "jobs.spots:estimate"),
    ("POST", "/spots/file", "jobs.spots:spot_file"),
    ("POST", "/spots/read", "jobs.spots:read_file"),
    ("GET", "/charts", "jobs.charts:charts"),
    ("GET", "/presets", "library.presets:presets"),
    ("PUT", "/presets", "library.presets:save"),
    ("PATCH", "/presets", "library.presets:rename"),
    ("DELETE", "/presets", "library.presets:delete"),
    ("GET", "/presets/file", "library.presets:export"),
    ("POST", "/presets/file", "library.presets:import_file"),
    ("GET", "/batches", "jobs.batches:batches"),
    ("POST", "/batches", "jobs.batches:begin"),
    ("POST", "/batches/estimate", "jobs.batches:estimate"),
    ("GET", "/batches/{batch}", "jobs.batches:one_batch"),
    ("GET", "/batches/{batch}/table", "jobs.batches:table"),
    ("GET", "/jobs", "jobs.handlers:jobs"),
    ("POST", "/jobs", "jobs.handlers:new_job"),
    ("PATCH", "/jobs", "jobs.handlers:workers"),
    ("GET", "/jobs/{job}", "jobs.handlers:one_job"),
    ("PATCH", "/jobs/{job}", "jobs.handlers:move"),
    ("DELETE", "/jobs/{job}", "jobs.handlers:dismiss"),
    ("POST", "/jobs/{job}/pause", "jobs.handlers:pause"),
    ("POST", "/jobs/{job}/resume", "jobs.handlers:go_on"),
    ("POST", "/jobs/{job}/stop", "jobs.handlers:stop_job"),
    ("GET", "/runs/{run}/strategy", "inspect.look_up:strategy"),
    ("GET", "/runs/{run}/overview", "inspect.solutions:overview"),
    ("GET", "/runs/{run}/classes", "inspect.solutions:classes"),
    ("GET", "/runs/{run}/infosets", "inspect.solutions:infosets"),
    ("GET", "/runs/{run}/infoset", "inspect.solutions:infoset"),
    ("GET", "/runs/{run}/recording", "inspect.solutions:recording"),
    ("GET", "/runs/{run}/tree", "inspect.solutions:tree"),
    ("GET", "/runs/{run}/explain", "inspect.solutions:explain"),
    ("GET", "/runs/{run}/flops", "inspect.preflop:flops"),
    ("POST", "/runs/{run}/flops", "inspect.preflop:spot"),
    ("GET", "/runs/{run}/spot", "inspect.spots:overview"),
    ("GET", "/runs/{run}/spot/node", "inspect.spots:node"),
    ("GET", "/runs/{run}/spot/hand", "inspect.spots:hand"),
    ("GET", "/runs/{run}/spot/runouts", "inspect.spots:run_outs"),
    ("POST", "/runs/{run}/spot/locks", "inspect.spots:lock"),
    ("POST", "/runs/{run}/spot/locks/read", "inspect.spots:read_locks"),
    ("POST", "/runs/{run}/spot/resolve", "inspect.spots:resolve"),
    ("GET", "/tables", "inspect.play_tables:list_tables"),
    ("POST", "/tables", "inspect.play_tables:open_table"),
    ("GET", "/tables/{table}", "inspect.play_tables:show_table"),
    ("DELETE", "/tables/{table}", "inspect.play_tables:delete_table"),
    ("PATCH", "/tables/{table}", "inspect.play_tables:change_table"),
    ("POST", "/tables/{table}/hands", "inspect.play_tables:deal"),
    ("GET", "/tables/{table}/hands/{hand:int}", "inspect.play_tables:hand"),
    ("POST", "/tables/{table}/moves", "inspect.play_tables:move"),
    ("GET", "/runs/{run}/training", "inspect.play_tables:training"),
    ("GET", "/history", "inspect.play_tables:history"),
    ("GET", "/history/hands", "inspect.play_tables:history_hands"),
)
"""Method, path, and where the function is."""


def routes() -> list[Route]:
    """Return the routes of the table."""
    return [Route(path, partial(_answer, place), methods=[method]) for method, path, place in TABLE]


def find_handler(place: str) -> Handler:
    """Return a function of the table: ``"library.runs:library"``."""
    module, _, name = place.partition(":")
    handler: Handler = getattr(import_module(f".{module}", __package__), name)
    return handler


def _answer(place: str, request: Request) -> Response:  # in a thread, as it is not async
    return find_handler(place)(request)
