"""Labs, figures that readers move: plain JavaScript that runs from a file, in a notebook and in the browser's page.

Each ``<name>.js`` here that mounts a lab is its first module, of which :func:`script` makes the
script of a page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ...page.bundle import bundle_script, join_assets
from ...show.markup import escape_html

LABS = {
    "kuhn": ("kuhn",),
    "one-bet": ("small", "one-bet"),
    "rps": ("small", "regret"),
    "blotto": ("small", "regret"),
    "leduc": ("small", "leduc"),
    "learning": ("small", "learning"),
}
"""The first modules, which are also what ``data-lab`` names, and the style sheets of each.

They stand beside ``colours.css`` and ``lab.css``, which all have.
"""
_FOLDER = "learn/lab"


@cache
def script(lab: str) -> str:
    """Return the classic script of a lab: its modules, and what they import."""
    return bundle_script(f"{_FOLDER}/{lab}.js")


def style(lab: str) -> str:
    """Return the style sheet of a lab."""
    return join_assets(*(f"{_FOLDER}/{name}.css" for name in ("colours", "lab", *LABS[lab])))


def lab_file(file: str) -> str | None:
    """Return a file that pages with labs have beside them: ``<lab>.css`` or ``<lab>.js``; None for any other name."""
    name, _, kind = file.rpartition(".")
    writers: dict[str, Callable[[str], str]] = {"css": style, "js": script}
    if kind in writers and name in LABS:
        return writers[kind](name)
    return None


def lab_html(lab: str, options: Mapping[str, Any]) -> str:
    """Return a lab as HTML that needs no other file; ``options`` are what its module is given."""
    settings = escape_html(json.dumps(dict(options)))
    place = f'<div class="eq-lab" data-lab="{escape_html(lab)}" data-options="{settings}"></div>'
    return f"<style>{style(lab)}</style>{place}<script>{script(lab)}</script>"
