"""Routes of spots of hold'em: ranges, previews, spot files."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
