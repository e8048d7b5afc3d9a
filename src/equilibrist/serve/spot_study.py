"""Routes of a solved spot of hold'em: nodes, hands, run-outs, locks."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
