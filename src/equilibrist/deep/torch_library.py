"""PyTorch, of the extra ``deep``: imported where a network is made, and run so that a seed decides the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from .._util.text import install_command
from ..errors import AlgorithmError


def import_torch() -> Any:
    """Return the module of PyTorch.

    Raises
    ------
    AlgorithmError
        It is not installed.
    """
    if find_spec("torch") is None:
        raise AlgorithmError(
            f"Networks need PyTorch, which cannot be imported here: {install_command('deep')}."
        )
    import torch

    return torch


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Have PyTorch compute with so many threads: sums depend on how they are divided."""
    torch = import_torch()
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
