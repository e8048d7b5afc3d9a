"""Docstrings as the reference shows them: what they say of each other becomes a link."""

import re
from pathlib import Path
from typing import Any

import griffe

STUB = Path(__file__).parents[2] / "src" / "equilibrist" / "__init__.pyi"
PUBLIC = set(re.findall(r" as (\w+)$", STUB.read_text(encoding="utf-8"), re.MULTILINE))
"""The public names of the package, each of which has its place in the reference."""

_ROLE = re.compile(r":[a-z]+:`~?([\w.]+)`")
_TABLE = re.compile(r"^(=+  =+)\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)
_SEVERAL = re.compile(r"^(\w+(?:, \w+)+) : (.+\n(?:(?: {4}.*)?(?:\n|\Z))+)", re.MULTILINE)


class Roles(griffe.Extension):
    """Turn what Sphinx understands into what Markdown and the parser of docstrings understand.

    These are roles, ``:func:`equilibrist.solve```; tables of two columns; and several parameters described at once, for
    which the parser would give the default of the first to all.
    """

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of one object."""
        if obj.docstring:
            text = _TABLE.sub(_rows, obj.docstring.value)
            text = _SEVERAL.sub(_one_by_one, text)
            obj.docstring.value = _ROLE.sub(_link, text)


def _link(found: re.Match[str]) -> str:
    """Return a link to a public name or to the class that it belongs to, or just the name."""
    name = found[1].removeprefix("equilibrist.")
    owner = name.partition(".")[0]
    last = name.rpartition(".")[2]
    if owner in PUBLIC:
        return f"[`{name}`][equilibrist.{owner}]"
    return f"[`{last}`][equilibrist.{last}]" if last in PUBLIC else f"`{last}`"


def _rows(found: re.Match[str]) -> str:
    """Return a table of two columns, without a heading, as a list: a table of Markdown would need one."""
    second = found[1].index(" ") + 2
    pairs = [(line[:second].strip(), line[second:].strip()) for line in found[2].splitlines()]
    return "\n".join(f"- {name}: {text}" if name else f"  {text}" for name, text in pairs)


def _one_by_one(found: re.Match[str]) -> str:
    """Return parameters that were described together as several, with the same words."""
    return "".join(f"{name} : {found[2].rstrip()}\n" for name in found[1].split(", ")) + "\n"
