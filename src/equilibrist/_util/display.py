"""HTML of objects in notebooks: the one place of the package that imports upwards."""

from __future__ import annotations


class Display:
    """Something that notebooks show as HTML, which :mod:`equilibrist.html.notebook` renders."""

    __slots__ = ()

    def to_html(self, *, page: bool = False) -> str:
        """Return an HTML fragment, which suits light pages and dark ones; or, with ``page``, a whole page."""
        from ..html.notebook import render, render_page

        return render_page(self) if page else render(self)

    def _repr_html_(self) -> str:
        return self.to_html()
