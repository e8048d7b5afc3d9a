"""HTML of objects in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


class Display:
    """Something that notebooks show as HTML."""

    __slots__ = ()

    _render: ClassVar[Callable[..., str]]
    """Returns the HTML fragment of an object, or with ``page=True`` a whole page: set by :mod:`equilibrist` itself."""

    def to_html(self, *, page: bool = False) -> str:
        """Return an HTML fragment, which suits light pages and dark ones; or, with ``page``, a whole page."""
        return Display._render(self, page=page)

    def _repr_html_(self) -> str:
        return self.to_html()
