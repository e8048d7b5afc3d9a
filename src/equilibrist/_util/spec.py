"""Texts that look like calls, ``leduc(ranks=4)`` or ``outcome(epsilon=0.4)``: a name with settings, nothing else."""

from __future__ import annotations

import ast
import re
from typing import Any

from ..errors import EquilibristError, GameError


def parse_call(
    call: str, error: type[EquilibristError] = GameError, *, example: str = "kuhn(cards=4, ante=2)"
) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings of ``name`` or ``name(setting=value, ...)``, evaluating nothing.

    ``error`` is raised where the text cannot be read, with the example.
    """
    match = re.fullmatch(r"([^()]+)(?:\((.*)\))?", call.strip(), re.DOTALL)
    if match is None:
        raise error(f"Cannot read {call!r}; write a name, or settings as in {example!r}.", wrong_use=True)
    name, inside = match[1].strip(), match[2] or ""
    try:
        tree = ast.parse(f"f({inside})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise error(
            f"Cannot read the settings of {name!r} in {call!r}; write them as in {example!r}.",
            wrong_use=True,
        )
    if tree.args or any(keyword.arg is None for keyword in tree.keywords):
        raise error(f"Give every setting of {name!r} its name, as in {example!r}; got {call!r}.", wrong_use=True)
    settings: dict[str, Any] = {}
    for keyword in tree.keywords:
        setting = str(keyword.arg)
        if setting in settings:
            raise error(f"The setting {setting!r} of {name!r} is given twice in {call!r}.", wrong_use=True)
        try:
            settings[setting] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            raise error(
                f"The setting {setting!r} of {name!r} must be a plain value, such as 4, 0.5, True, 'text' or [1, 2]; "
                f"got {ast.unparse(keyword.value)}.",
                wrong_use=True,
            ) from None
    return name, settings
