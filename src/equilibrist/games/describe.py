"""Descriptions of games for forms: parameters with kind, default, limits and help, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from ..errors import EquilibristError

_KINDS = {
    "bool": "flag",
    "float": "number",
    "int": "whole",
    "str": "text",
    "Sequence[Sequence[float]]": "matrix",
    "Sequence[int]": "wholes",
    "Sequence[str]": "texts",
}
"""What is asked for, by annotation; of several the first that is known."""

_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")
_IMPOSSIBLE: dict[str, Any] = {"whole": -(10**18), "wholes": (-(10**18),), "text": "\0"}
"""Values that no game takes, so that it says which ones it does."""


def describe_games(games: Mapping[str, type[Any]]) -> list[dict[str, Any]]:
    """Return a description of each game: name, first line and text of its docstring, and its parameters.

    Each parameter has ``name``, ``kind`` (``"whole"``, ``"number"``, ``"flag"``, ``"choice"``,
    ``"text"``, ``"wholes"``, ``"texts"`` or ``"matrix"``), ``default``, ``required``, ``optional``
    (whether None will do), ``least`` and ``most`` of numbers, ``choices``, and ``help``.
    """
    return [describe_game(name, cls) for name, cls in games.items()]


def describe_game(name: str, cls: type[Any]) -> dict[str, Any]:
    """Return the description of one game."""
    about, _, body = (inspect.getdoc(cls) or "").partition("\n")
    text = re.split(r"\n\w[\w ]*\n-{3,}\n", body)[0]
    helps = _read_helps(body)
    parameters = [
        _describe_class(cls, parameter, helps.get(label, ""))
        for label, parameter in inspect.signature(cls).parameters.items()
    ]
    return {"name": name, "about": about, "text": _join_lines(text), "parameters": parameters}


def _describe_class(cls: type[Any], parameter: inspect.Parameter, text: str) -> dict[str, Any]:
    options = [part.strip() for part in str(parameter.annotation).split("|")]
    kind = next((_KINDS[option] for option in options if option in _KINDS), "text")
    required = parameter.default is parameter.empty
    allowed = _ask_allowed(cls, parameter.name, _IMPOSSIBLE.get(kind))
    choices = list(allowed) if kind == "text" else []
    if kind in ("whole", "wholes") and len(allowed) == 2:
        least, most = allowed
    else:
        least = None
        most = None
    return {
        "name": parameter.name,
        "kind": "choice" if choices else kind,
        "default": None if required else parameter.default,
        "required": required,
        "optional": "None" in options,
        "least": least,
        "most": most,
        "choices": choices,
        "help": text,
    }


def _ask_allowed(cls: type[Any], name: str, impossible: Any) -> tuple[Any, ...]:
    """Return what a game says that a parameter may be: it is asked by an impossible value."""
    if impossible is None:
        return ()
    try:
        cls(**{name: impossible})
    except EquilibristError as error:
        if error.field == name:
            return error.allowed or ()
        return ()
    except TypeError:  # other parameters are needed
        return ()
    return ()


def _read_helps(doc: str) -> dict[str, str]:
    match = re.search(r"(?:^|\n)Parameters\n-+\n(.*?)(?=\n\n?\w[\w ]*\n-{3,}\n|\Z)", doc, re.DOTALL)
    described: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in match[1].splitlines() if match else []:
        entry = _ENTRY.match(line)
        if entry:
            lines = []
            described |= dict.fromkeys(entry[1].split(", "), lines)
        else:
            lines.append(line)
    return {name: _join_lines("\n".join(words)) for name, words in described.items()}


def _join_lines(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in text.strip().split("\n\n"))
    return "\n\n".join(paragraph.replace("``", "") for paragraph in paragraphs if paragraph)
