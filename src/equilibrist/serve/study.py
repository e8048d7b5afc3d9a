"""Routes of a solved game: its tree, infosets and explanations."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
