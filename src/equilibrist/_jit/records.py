"""Records of arrays for kernels: named tuples that Numba hands on by their address (record_model.py)."""

from __future__ import annotations

from typing import TypeVar

from .compile import INTERPRETED, PLAIN

Class = TypeVar("Class", bound=type)


def record(cls: Class) -> Class:
    """Let kernels take the named tuples of a class by their address; kernels read their fields and make none."""
    if not (INTERPRETED or PLAIN):
        from .record_model import register

        register(cls)
    return cls
