"""What goes between the driver and the actors, counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .actors import Actors


@dataclass
class Exchange:
    """Calls of all actors, with how many messages and bytes of arrays they took."""

    actors: Actors
    messages: int = 0  # messages to the actors; as many come back
    # `sent`, `received`: bytes of the arrays in them
    sent: int = 0
    received: int = 0

    def call(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of all objects at once (:meth:`Actors.call`)."""
        answers = self.actors.call(method, arguments)
        self.messages += len(arguments)
        self.sent += _bytes(arguments)
        self.received += _bytes(answers)
        return answers


def _bytes(values: Iterable[Any]) -> int:
    """Return the bytes of the arrays in records, however nested."""
    total = 0
    for value in values:
        if isinstance(value, np.ndarray):
            total += value.nbytes
        elif isinstance(value, dict):
            total += _bytes(value.values())
        elif isinstance(value, tuple | list):
            total += _bytes(value)
    return total
