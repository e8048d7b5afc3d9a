"""Saved runs: one file with all that decides how a run goes on, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .._util.files import check_path, explain_write_errors, whole_file
from .._util.plain import from_plain, to_plain
from ..errors import SolutionError
from ..games.registry import GAMES
from ..solving.trace import Checkpoint
from .deep_cfr import DeepCFR
from .dream import DREAM
from .learner import Method
from .mmd import MMD
from .torch_library import import_torch

METHODS: dict[str, Any] = {method.name: method for method in (DeepCFR, DREAM, MMD)}
"""The ways to learn, by name."""

_FORMAT = 1


def write_run(path: str | Path, facts: dict[str, Any], state: dict[str, Any]) -> None:
    """Write a run: plain facts, and the state of its learner.

    Raises
    ------
    SolutionError
        The file cannot be written.
    """
    torch = import_torch()
    content = {"format": _FORMAT, "facts": facts, "state": _to_tensors(state)}
    with explain_write_errors(path), whole_file(check_path(path)) as file:
        torch.save(content, file)


def read_run(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the facts and the state of a saved run. Files hold numbers and text, and no code is run.

    Raises
    ------
    SolutionError
        The file is not there, or is none of these.
    """
    torch = import_torch()
    path = check_path(path)
    if not path.is_file():
        raise SolutionError(f"There is no file {path}.", wrong_use=True)
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
        saved_format = content["format"]
        facts = dict(content["facts"])
        state = dict(content["state"])
    except Exception as error:
        raise SolutionError(
            f"{path} is no run that eq.deep.train saved, or is damaged: {type(error).__name__}."
        ) from error
    if saved_format != _FORMAT:
        raise SolutionError(
            f"{path} has format {saved_format}, and this version reads format {_FORMAT}."
        )
    return facts, state


def method_to_plain(method: Method) -> dict[str, Any]:
    """Return a way to learn as plain data."""
    plain: dict[str, Any] = to_plain(method)
    return {"name": method.name, **plain}


def method_from_plain(plain: dict[str, Any]) -> Method:
    """Return the way to learn of which :func:`method_to_plain` made plain data."""
    numbers = dict(plain)
    kind = METHODS[numbers.pop("name")]
    method: Method = from_plain(kind, numbers)
    return method


def checkpoint_from_plain(plain: dict[str, Any]) -> Checkpoint:
    """Return a checkpoint of its plain data."""
    return Checkpoint(
        **{
            **plain,
            "value": tuple(plain["value"]),
            "deviation_gains": tuple(plain["deviation_gains"]),
        }
    )


def check_built_in(name: str, path: str | Path) -> str:
    """Return the name of a saved run's game, or refuse one that is not built in: a file may name any code."""
    if name.partition("(")[0] not in GAMES:
        raise SolutionError(
            f"{path} is a run of {name}, which is not built in: give the game, game=…",
            wrong_use=True,
        )
    return name


def _to_tensors(value: Any) -> Any:
    """Return nested values with tensors in the place of arrays."""
    torch = import_torch()
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(value))
    if isinstance(value, dict):
        return {key: _to_tensors(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_to_tensors(part) for part in value]
    return value
