"""Routes of tables of play: dealing, acting, histories."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
