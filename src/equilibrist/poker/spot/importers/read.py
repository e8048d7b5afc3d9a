"""Spot files of any format: what a file says of solving, and what a spot cannot say, is told in warnings."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from typing import Any

from ....errors import EquilibristWarning, GameError
from ..betting_of_spot import Spot
from ..spot import make_spot, read_game_file, read_spot
from ..three_prizes import ThreePrizes
from ..three_ranges import ThreeRanges
from .piosolver import from_piosolver
from .postflop import from_postflop, read_given_range
from .texas_solver import from_texas_solver


def read_spot_file(
    path: str | os.PathLike[str], options: Mapping[str, str] | None = None
) -> Spot | ThreeRanges | ThreePrizes:
    """Return the spot in a file: TOML, settings of wasm-postflop or PioSOLVER, or a script of TexasSolver.

    ``options`` are what an exported tree of wasm-postflop lacks, and replace what a spot of it has:
    ``board``, ``oop`` and ``ip``; and the name of the ``tree``.
    """
    path = os.fspath(path)
    is_toml = path.lower().endswith(".toml")
    text = "" if is_toml else read_game_file(path)
    is_json = path.lower().endswith(".json") or text.lstrip().startswith("{")
    if options and not is_json:
        raise GameError(
            f"'{path}' has board and ranges of its own; --board, --oop, --ip and --tree are for "
            "trees that wasm-postflop exports.",
            wrong_use=True,
        )
    if is_toml:
        return read_spot(path)
    if is_json:
        ranges = {
            key: read_given_range(options[key])
            for key in ("oop", "ip")
            if options and key in options
        }
        settings, messages = from_postflop(text, path, {**(options or {}), **ranges})
    elif re.match(r"\s*#\w[\w.]*#", text):
        settings, messages = from_piosolver(text, path)
    else:
        settings, messages = from_texas_solver(text, path)
    for sentence in messages:
        warnings.warn(f"'{path}': {sentence}", EquilibristWarning, stacklevel=3)
    return make_spot(settings, path)


def read_settings(path: str) -> tuple[str, dict[str, Any]]:
    """Return the name of the game in a file of another program, and the settings of its spot."""
    spot = read_spot_file(path)
    return spot.name, dict(spot.settings)
