"""Labs, figures that readers move: plain JavaScript that runs from a file, in a notebook and in the browser's page.

Each ``<name>.js`` here that mounts a lab is its first module. Modules do not load from ``file://``,
so that a page is given one classic script, which :func:`script` makes of them.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ...show.markup import asset, escape_html

LABS = {
    "kuhn": ("kuhn",),
    "one-bet": ("small", "one-bet"),
    "rps": ("small", "regret"),
    "blotto": ("small", "regret"),
}
"""The first modules, which are also what ``data-lab`` names, and the style sheets that each has beside ``lab.css``."""
_PACKAGE = __package__.partition(".")[0]
_FOLDER = "html/lab"
_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_OTHER = re.compile(
    r"^ *(?:import|export)\b.*|\bimport\(.*|</script.*|<!--.*", re.MULTILINE | re.IGNORECASE
)


@cache
def script(lab: str) -> str:
    """Return the classic script of a lab: its modules in the order of imports, each in a function of its own."""
    modules: dict[str, str] = {}
    _add_module(f"{_FOLDER}/{lab}.js", modules, ())
    return '"use strict";\n(() => {\n' + "".join(modules.values()) + "})();\n"


def _add_module(path: str, modules: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to those that are there, after what it imports."""
    if path in importers:
        raise ValueError(f"{path} imports itself through {', '.join(importers)}.")
    if path in modules:
        return
    source = files(_PACKAGE).joinpath(path).read_text(encoding="utf-8")
    targets = [
        posixpath.normpath(f"{posixpath.dirname(path)}/{match[2]}")
        for match in _IMPORT.finditer(source)
    ]
    for target in targets:
        _add_module(target, modules, (*importers, path))
    modules[path] = wrap_module(source, path, [_module_constant(target) for target in targets])


def wrap_module(source: str, path: str, variables: list[str]) -> str:
    """Return a module as a constant that holds what it exports; ``variables`` are the constants that it imports from.

    Raises
    ------
    ValueError
        The module imports or exports in another form than ``import { a, b as c } from
        "./other.js"``, ``export const``, ``export function`` and ``export class``; or it cannot
        stand inside a page.
    """
    source = _COMMENT.sub("", source)
    exported = [match[1] for match in _EXPORT.finditer(source)]
    names = iter(variables)
    body = _IMPORT.sub(
        lambda match: f"const {{{match[1].replace(' as ', ': ')}}} = {next(names)};\n", source
    )
    body = _EXPORT.sub("", body)
    if other := _OTHER.search(body):
        raise ValueError(f"{path} has {other[0].strip()!r}, which a classic script cannot have.")
    return f"const {_module_constant(path)} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"


def _module_constant(path: str) -> str:
    """Return the name of the constant that holds what a module exports: one that no module uses itself."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def style(lab: str) -> str:
    """Return the style sheet of a lab."""
    return "".join(asset(f"lab/{name}.css", "equilibrist.html") for name in ("lab", *LABS[lab]))


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
