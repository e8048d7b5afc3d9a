"""The bundler: modules of JavaScript as one classic script, and style sheets as one text.

Modules do not load from ``file://``, so that a page that stands alone is given one script, which
:func:`bundle_script` makes of them.
"""

from __future__ import annotations

import posixpath
import re
from importlib.resources import files

_PACKAGE = __package__.partition(".")[0]
_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|function|async function) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_COMMENT_IN_LINES = re.compile(r"^[ \t]*(?:/\*.*?\*/|//[^\n]*)", re.MULTILINE | re.DOTALL)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
_OTHER = re.compile(
    r"^ *(?:import|export)\b.*|\bimport\(.*|</script.*|<!--.*", re.MULTILINE | re.IGNORECASE
)


def read_asset(path: str) -> str:
    """Return the text of a file below the package, such as ``"learn/lab/kuhn.js"``."""
    return files(_PACKAGE).joinpath(path).read_text(encoding="utf-8")


def join_assets(*paths: str) -> str:
    """Return the texts of files below the package, one after the other: style sheets."""
    return "".join(map(read_asset, paths))


def bundle_script(path: str) -> str:
    """Return the classic script of a module: all modules in the order of imports, each in a function of its own."""
    modules: dict[str, str] = {}
    _add_module(path, modules, ())
    return '"use strict";\n(() => {\n' + "".join(modules.values()) + "})();\n"


def _add_module(path: str, modules: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to those that are there, after what it imports."""
    if path in importers:
        raise ValueError(f"{path} imports itself through {', '.join(importers)}.")
    if path in modules:
        return
    source = read_asset(path)
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


def strip_source(text: str) -> str:
    """Return JavaScript or CSS as it is sent: without comments and indentation, which no browser needs.

    Comments are an eighth of it; indentation is 3 % once it is compressed. Lines keep their
    numbers, so that an error names those of the file. No text of the page runs over a line.
    """
    without_comments = _COMMENT_IN_LINES.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    return _INDENT.sub("", without_comments)
