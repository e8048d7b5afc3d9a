"""Tables of plain values as TOML, which Python reads but does not write."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any


def toml_text(table: Mapping[str, Any], *, repeated: Collection[str] = ()) -> str:
    """Return a table as the text of a TOML file; lists of the names ``repeated`` have a section for each table in them.

    >>> toml_text({"a": [1, {"b c": "d"}], "e": {"f": True}, "g": [{"h": 0.5}]}, repeated=["g"]).splitlines()
    ['a = [1, {"b c" = "d"}]', '', '[e]', 'f = true', '', '[[g]]', 'h = 0.5']
    """
    return "\n".join(_toml_lines(table, "", repeated)) + "\n"


def _toml_lines(table: Mapping[str, Any], prefix: str, repeated: Collection[str]) -> Iterator[str]:
    """Yield the lines of a table; ``prefix`` is its name with a dot at the end, or empty."""
    sections = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    for key, value in table.items():
        if key not in sections and key not in repeated:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in sections.items():
        yield f"\n[{prefix}{_key(key)}]"
        yield from _toml_lines(value, f"{prefix}{_key(key)}.", ())
    for key in repeated:
        for subtable in table.get(key, ()):
            yield f"\n[[{prefix}{_key(key)}]]"
            yield from (f"{_key(name)} = {_value(value)}" for name, value in subtable.items())


def _key(name: str) -> str:
    """Return a name as a key, in quotes where TOML wants some."""
    if re.fullmatch(r"[\w-]+", name, re.ASCII):
        return name
    return _value(name)


def _value(value: Any) -> str:
    """Return a text, number, list or table in one line: texts and numbers are written as JSON has them."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)} = {_value(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
