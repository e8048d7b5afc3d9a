"""Objects of classes in a user's Python file, ``rules.py:Poker(cards=4)``: importing, making, and what goes wrong."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from zlib import crc32

from ..errors import EquilibristError, nearest
from .spec import parse_call
from .text import escape_controls

Checked = TypeVar("Checked")


def make_object(
    path: Path,
    call: str,
    check: Callable[[Any], Checked],
    error: type[EquilibristError],
    *,
    example: str,
) -> Checked:
    """Return what ``check`` makes of an object of a class in a Python file, which is run.

    ``call`` is the name of the class with its settings, as in the example; ``error`` is what is
    raised where something is missing or the user's code fails.
    """
    name, settings = parse_call(call, error, example=example)
    module = import_file(path, error)
    cls = vars(module).get(name)
    if not isinstance(cls, type):
        members = vars(module).items()
        classes = [
            key
            for key, value in members
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        if classes:
            hint = nearest(name, classes)
        else:
            hint = " It defines no class."
        raise error(f"There is no class {name!r} in '{path}'.{hint}", wrong_use=True)
    try:
        signature = inspect.signature(cls)
    except ValueError:  # of a class of classes: what it makes tells
        pass
    else:
        try:
            signature.bind(**settings)
        except TypeError as wrong:
            raise error(
                f"{name} of '{path}' takes {signature}: {wrong}.", wrong_use=True
            ) from wrong
    try:
        return check(cls(**settings))
    except EquilibristError:
        raise
    except Exception as wrong:
        raise user_code_error(path, f"making {call}", wrong, error) from wrong


def import_file(path: Path, error: type[EquilibristError]) -> ModuleType:
    """Run a Python file as a module under a name of its own, so that it can hide no other module."""
    if not path.is_file():
        raise error(f"There is no file '{escape_controls(str(path))}'.", wrong_use=True)
    module = ModuleType(f"_equilibrist_game_{crc32(os.fsencode(path.resolve())):08x}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)  # as when Python runs the file: it may import what lies next to it
    try:
        # Not through importlib, which may answer with the bytecode of the file as it was a moment
        # ago.
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as wrong:
        del sys.modules[module.__name__]
        raise user_code_error(path, "importing it", wrong, error) from wrong
    finally:
        sys.path.remove(folder)
    return module


def user_code_error(
    path: Path, doing: str, raised: BaseException, error: type[EquilibristError]
) -> EquilibristError:
    """Return the error for user code that raised: the last line of the file that took part, and what was raised."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(raised.__traceback__)
        if frame.filename == str(path)
    ]
    if isinstance(raised, SyntaxError) and raised.filename == str(path):
        lines = [raised.lineno]
        message = raised.msg
    else:
        message = str(raised)
    place = f"'{path}', line {lines[-1]}" if lines else f"'{path}'"
    return error(
        f"{place}: {doing} failed with {type(raised).__name__}: {message.removesuffix('.')}.",
        wrong_use=False,
    )
