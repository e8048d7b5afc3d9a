"""Names with settings, ``leduc(ranks=4)`` or ``outcome(epsilon=0.4)``: reading, writing and checking them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from ..errors import EquilibristError, GameError
from .validate import MOST_WHOLE, is_whole

GAMBIT_FILES = (".efg", ".gbt", ".nfg")
"""The suffixes of files of Gambit, which are games and have no settings."""


class PythonPlace(NamedTuple):
    """A class in a Python file with its settings, as text.

    Attributes
    ----------
    file : str
        ``"rules.py"``
    call : str
        ``"Hedge(eta=0.5)"``
    """

    file: str
    call: str


def split_place(text: str) -> PythonPlace | None:
    """Return the file and the call of ``rules.py:Hedge(eta=0.5)``; None where a text names no Python file so.

    >>> split_place("rules.py:Poker(cards=4)"), split_place("kuhn(cards=4)")
    (PythonPlace(file='rules.py', call='Poker(cards=4)'), None)
    """
    # Not the first colon, which may be of a drive.
    stem, mark, call = text.strip().partition(".py:")
    if not mark:
        return None
    return PythonPlace(f"{stem}.py", call)


def parse_call(
    call: str,
    error: type[EquilibristError] = GameError,
    *,
    example: str = "kuhn(cards=4, ante=2)",
    first: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, dict[str, Any]]:
    """Return the name and the settings of ``name`` or ``name(setting=value, ...)``, evaluating nothing.

    ``error`` is raised where the text cannot be read, with the example; ``first`` has, by name, the
    setting that may come first without its own.
    """
    match = re.fullmatch(r"([^()]+)(?:\((.*)\))?", call.strip(), re.DOTALL)
    if match is None:
        raise error(
            f"Cannot read {call!r}; write a name, or settings as in {example!r}.", wrong_use=True
        )
    name = match[1].strip()
    arguments_text = match[2] or ""
    try:
        tree = ast.parse(f"f({arguments_text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        raise error(
            f"Cannot read the settings of {name!r} in {call!r}; write them as in {example!r}.",
            wrong_use=True,
        )
    if name in first and len(tree.args) == 1:
        tree.keywords.insert(0, ast.keyword(first[name], tree.args.pop()))
    if tree.args or any(keyword.arg is None for keyword in tree.keywords):
        raise error(
            f"Give every setting of {name!r} its name, as in {example!r}; got {call!r}.",
            wrong_use=True,
        )
    settings: dict[str, Any] = {}
    for keyword in tree.keywords:
        setting = str(keyword.arg)
        if setting in settings:
            raise error(
                f"The setting {setting!r} of {name!r} is given twice in {call!r}.", wrong_use=True
            )
        try:
            settings[setting] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            raise error(
                f"The setting {setting!r} of {name!r} must be a plain value, such as 4, 0.5, "
                f"True, 'text' or [1, 2]; got {ast.unparse(keyword.value)}.",
                wrong_use=True,
            ) from None
    return name, settings


def spec(name: str, game: type, settings: dict[str, Any]) -> str:
    """Return the text that makes a game again, such as ``kuhn(cards=4)``: only what differs from the defaults."""
    defaults = _defaults(game)
    arguments = [
        f"{key}={value!r}"
        for key, value in settings.items()
        if key not in defaults or value != defaults[key]
    ]
    if arguments:
        return f"{name}({', '.join(arguments)})"
    return name


@cache
def _defaults(game: type) -> dict[str, Any]:
    return {key: parameter.default for key, parameter in inspect.signature(game).parameters.items()}


def _refuse_value(
    game: str, name: str, value: object, requirement: str, allowed: tuple[Any, ...] | None = None
) -> NoReturn:
    raise GameError(
        f"{game}: {name} must be {requirement}; got {value!r}.",
        wrong_use=True,
        field=name,
        allowed=allowed,
    )


def whole(game: str, name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """Return ``value`` if it is a whole number in the range, else raise a :class:`GameError` that says so."""
    if not is_whole(value, least, MOST_WHOLE if most is None else most):
        span = f"{least} or more" if most is None else f"{least} to {most}"
        _refuse_value(game, name, value, f"a whole number, {span}", (least, most))
    return int(value)


def flag(game: str, name: str, value: object) -> bool:
    """Return ``value`` if it is True or False, else raise a :class:`GameError` that says so."""
    if not isinstance(value, bool):
        _refuse_value(game, name, value, "True or False")
    return value


def choice(game: str, name: str, value: object, allowed: Collection[str]) -> str:
    """Return ``value`` if it is one of the words allowed, else raise a :class:`GameError` that lists them."""
    if not isinstance(value, str) or value not in allowed:
        _refuse_value(game, name, value, " or ".join(map(repr, allowed)), tuple(allowed))
    return value


def wholes(
    game: str, name: str, value: object, *, count: int, least: int, most_count: int | None = None
) -> tuple[int, ...]:
    """Return ``value`` as a tuple if it is ``count`` whole numbers in the range, else raise a :class:`GameError`.

    With ``most_count``, there may be ``count`` to ``most_count`` of them.
    """
    numbers = tuple(value) if isinstance(value, list | tuple) else ()
    many = count if most_count is None else most_count
    if not count <= len(numbers) <= many or not all(is_whole(n, least) for n in numbers):
        span = f"{count}" if many == count else f"{count} to {many}"
        _refuse_value(
            game, name, value, f"{span} whole numbers, each {least} or more", (least, None)
        )
    return tuple(map(int, numbers))
