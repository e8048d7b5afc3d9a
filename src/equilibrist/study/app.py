"""The web application: routes of all modules below /api, static files, and one page for every other address."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import EquilibristError
from ..page import SUFFIXES
from ..page.bundle import strip_source
from ..web.respond import on_error
from ..web.workspace import Workspace
from .jobs import handlers
from .library import runs
from .routes import api_routes, file_routes
from .security import Security

STATIC = Path(__file__).parents[1] / "page"


def make_app(
    workspace: Workspace, *, token: str, trust_files: bool = False, hosts: tuple[str, ...] = ()
) -> Starlette:
    """Return the application that serves a folder of runs to whoever has the token
    (:class:`~equilibrist.study.security.Security`).

    ``hosts`` are the names by which the server is reached beside loopback; with ``trust_files``
    files of Python may be loaded, which runs them.
    """
    workspace.trust_files = trust_files
    app = Starlette(
        routes=[
            Mount("/api", routes=[*api_routes(), Route("/events", handlers.events)]),
            *file_routes(),
            Mount("/static", GZipMiddleware(_Static(directory=STATIC))),
            Route("/play", RedirectResponse("/history")),
            Route("/{path:path}", _send_page),
        ],
        middleware=[Middleware(Security, token=token, hosts=hosts)],
        exception_handlers=dict.fromkeys(
            (EquilibristError, HTTPException, OSError, Exception), on_error
        ),
        lifespan=_lifespan,
    )
    app.state.workspace = workspace
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    workspace = app.state.workspace
    runs.clear_deleted(workspace)
    await handlers.start(workspace)
    try:
        yield
    finally:
        await handlers.stop(workspace)
        workspace.close()


class _Static(StaticFiles):
    """Static files, which the browser asks for again each time: an updated package is seen at once.

    Python and its caches lie in the same folder and are no files of the page.
    """

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        if Path(path).suffix not in SUFFIXES:
            return "", None
        return super().lookup_path(path)

    def file_response(self, full_path: Any, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(full_path, *args, **kwargs)
        if isinstance(response, FileResponse) and Path(full_path).suffix in (".js", ".css"):
            text = strip_source(Path(full_path).read_text(encoding="utf-8"))
            cache_headers = {name: response.headers[name] for name in ("etag", "last-modified")}
            response = Response(text, media_type=response.media_type, headers=cache_headers)
        response.headers["cache-control"] = "no-cache"
        return response


async def _send_page(request: Request) -> Response:
    """Return the page: which view it shows is for the router in the browser."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})
