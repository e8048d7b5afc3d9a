"""Modules of public names, each imported when it is first asked for; a stub beside the module says from where."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any


def attach_names(
    module: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a module whose names lie in other rooms.

    ``lazy_loader`` does this for names of modules below a package, and keeps what was found in that
    package; here the module itself keeps it.

    Parameters
    ----------
    module : str
        Its ``__name__``: a module of a package, or a package.
    file : str
        Its ``__file__``; beside it lies the stub, with a line ``from .room.part import Name as Name``
        for each name.
    """
    is_package = Path(file).stem == "__init__"
    package = module if is_package else module.rpartition(".")[0]
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    places = {
        alias.name: resolve_name("." * line.level + str(line.module), package)
        for line in stub.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }
    names = sorted(places)

    def find_name(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"No {module} attribute {name}")
        value = getattr(import_module(places[name]), name)
        setattr(sys.modules[module], name, value)
        return value

    def list_names() -> list[str]:
        return names.copy()

    return find_name, list_names, names
