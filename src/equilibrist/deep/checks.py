"""Checks of the numbers of methods."""

from __future__ import annotations

from typing import Any

from .._util.validate import is_number, is_whole
from ..errors import AlgorithmError
from .network import Network


def check_counts(method: Any, *names: str) -> None:
    """Refuse fields that are no whole numbers of 1 or more."""
    for name in names:
        value = getattr(method, name)
        if not is_whole(value, 1):
            raise AlgorithmError(f"{name} must be a whole number, 1 or more; got {value!r}.")


def check_numbers(method: Any, *names: str) -> None:
    """Refuse fields that are no numbers above 0."""
    for name in names:
        value = getattr(method, name)
        if not is_number(value, above=0):
            raise AlgorithmError(f"{name} must be a number above 0; got {value!r}.")


def check_shares(method: Any, *names: str) -> None:
    """Refuse fields that are no numbers above 0, of 1 at most."""
    for name in names:
        value = getattr(method, name)
        if not is_number(value, above=0) or value > 1:
            raise AlgorithmError(f"{name} must be above 0, and 1 at most; got {value!r}.")


def check_network(network: Any) -> None:
    """Refuse what is no network."""
    if not isinstance(network, Network):
        raise AlgorithmError(
            f"network must be an eq.deep.Network, such as eq.deep.Network(hidden=(64, 64)); got "
            f"{network!r}."
        )
