"""Routes of jobs: the queue of runs that are being solved, and events of their progress."""

from __future__ import annotations

from starlette.routing import Route

from .workspace import Workspace

ROUTES: list[Route] = []


async def start(workspace: Workspace) -> None:
    """Begin with the server: nothing is solved yet."""


async def stop(workspace: Workspace) -> None:
    """End with the server."""
