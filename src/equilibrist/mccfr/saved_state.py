"""Saved states: what the arrays of a run must be before a kernel sees them, which checks no index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .records import STATE
from .update import ITERATION, NODES, PLAYER, TOUCHED

State = dict[str, NDArray[Any]]

_SUM_TOLERANCE = 1e-9
_MOST_ITERATIONS = 2**53


def check_state(state: State, expected: State, *, players: int, baseline_rows: int) -> None:
    """Refuse arrays that no run leaves behind, by a ValueError; ``expected`` are those of a new run."""
    _require(state.keys() == expected.keys(), "other names")
    for name, array in expected.items():
        _require(
            (state[name].dtype, state[name].ndim) == (array.dtype, array.ndim),
            f"another kind of {name!r}",
        )
        _require(
            array.dtype.kind != "f" or bool(np.isfinite(state[name]).all()),
            f"{name!r} is not finite",
        )
    used = len(state["strategy"])
    _require(all(state[name].shape == (used,) for name in STATE), "slots")
    _require(state["place"].shape == expected["place"].shape, "place")
    place = state["place"]
    pending = int(place[TOUCHED])
    _require(
        1 <= place[ITERATION] < _MOST_ITERATIONS
        and place[NODES] >= 0
        and 0 <= place[PLAYER] < players,
        "place",
    )
    _require(state["touched"].shape == (pending, 2), "touched")
    _require(state["instant_regret"].shape == (used if pending else 0,), "instant_regret")
    _require(state["baseline"].shape == (baseline_rows, players), "baseline")
    for name, least, largest in (
        ("strategy", 0, 1 + _SUM_TOLERANCE),
        ("strategy_sum", 0, np.inf),
        ("parent_slot", 0, used - 1),
        ("updated", 0, place[ITERATION]),
    ):
        _require(bool(((state[name] >= least) & (state[name] <= largest)).all()), name)


def check_infosets(state: State, first: NDArray[Any], num_actions: NDArray[Any]) -> None:
    """Refuse strategies that do not sum to 1, and touched infosets that are none, by a ValueError."""
    if len(first):
        totals = np.add.reduceat(state["strategy"], first.astype(np.int64))
        _require(bool((np.abs(totals - 1) <= _SUM_TOLERANCE).all()), "strategy")
    if len(state["touched"]):
        infosets = dict(zip(first.tolist(), num_actions.tolist(), strict=True))
    else:
        infosets = {}
    _require(
        all(infosets.get(slot) == count for slot, count in state["touched"].tolist()), "touched"
    )


def _require(condition: bool | np.bool_, message: str) -> None:
    if not condition:
        raise ValueError(message)
