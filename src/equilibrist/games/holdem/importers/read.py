"""Spot files of any format: what a file says of solving, and what a spot cannot say, is told in warnings."""

from __future__ import annotations

import os
import re
import warnings

from ....errors import EquilibristWarning
from ...omaha.game import Omaha
from ..game import Holdem
from ..spot import read_game_file, read_spot, spot_from
from .piosolver import from_piosolver
from .postflop import from_postflop
from .texas_solver import from_texas_solver


def read_spot_file(path: str | os.PathLike[str]) -> Holdem | Omaha:
    """Return the spot in a file: TOML, settings of wasm-postflop or PioSOLVER, or a script of TexasSolver."""
    path = os.fspath(path)
    if path.lower().endswith(".toml"):
        return read_spot(path)
    text = read_game_file(path)
    if path.lower().endswith(".json") or text.lstrip().startswith("{"):
        read = from_postflop
    else:
        read = from_piosolver if re.match(r"\s*#\w[\w.]*#", text) else from_texas_solver
    settings, messages = read(text, path)
    for sentence in messages:
        warnings.warn(f"'{path}': {sentence}", EquilibristWarning, stacklevel=3)
    return spot_from(settings, path)
