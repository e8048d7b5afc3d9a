"""HTML of results: what notebooks show, and pages with nothing but a result."""

from __future__ import annotations

from typing import Any

from .markup import fragment, page, paint_markup
from .registry import find_fragment, find_page, make_blocks


def render(result: Any) -> str:
    """Return the HTML fragment of a result, a game or a compiled game."""
    make_fragment = find_fragment(result)
    if make_fragment is not None:
        return make_fragment(result)
    return fragment(paint_markup(make_blocks(result)))


def render_page(result: Any) -> str:
    """Return the page of a result: its own, or one with nothing but its HTML."""
    make_page = find_page(result)
    if make_page is not None:
        return make_page(result)
    return page(_page_title(result), render(result))


def _page_title(result: Any) -> str:
    return str(
        getattr(result, "game", None) or getattr(result, "name", None) or type(result).__name__
    )
