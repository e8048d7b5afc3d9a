"""Routes of games and algorithms: what can be solved, and uploads."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
