"""How a run came about: the checkpoints of its trace, and the iterations at which they are kept."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .._util.display import Display
from .._util.text import count_text
from ..evaluation.gaps import find_gap, find_gap_percent, gap_words, tells_gains
from ..strategy.tables import Tabular

if TYPE_CHECKING:
    import pyarrow


MEASURES = ("nash_conv", "exploitability", "cce_distance", "exploitability_percent")
"""What is measured at each checkpoint, whatever ends the run: the attributes of :class:`Checkpoint` of these names."""


class Checkpoint(NamedTuple):
    """The state of the average strategy after some iterations; seconds are those spent iterating.

    ``measures`` are numbers by name: :data:`MEASURES`, where they are known, and those of the
    criteria that end the run. Where the game is sampled without a tree nothing is known exactly,
    unless ``until`` asks for it (docs/walk.md): ``value`` and ``deviation_gains`` are empty, and
    ``measures`` are at most those of the criteria. The attributes of their names are then NaN,
    which no comparison holds of and no JSON has.
    """

    iteration: int
    nodes_touched: int
    seconds: float
    value: tuple[float, ...]
    deviation_gains: tuple[float, ...]
    measures: dict[str, float]

    @property
    def is_certified(self) -> bool:
        """Whether the best responses are known, and with them nash_conv and exploitability."""
        return "exploitability" in self.measures

    @property
    def nash_conv(self) -> float:
        """Σ over players of (best-response value − value), exact and never clamped; NaN where it is not known."""
        return self.measures.get("nash_conv", math.nan)

    @property
    def exploitability(self) -> float:
        """nash_conv / players; payoff per game. NaN where it is not known."""
        return self.measures.get("exploitability", math.nan)

    @property
    def gap(self) -> float:
        """How far the strategy is: the exploitability, or of three players and more the largest gain of one who
        deviates alone.
        """
        return find_gap(self.exploitability, self.deviation_gains)

    @property
    def gap_percent(self) -> float:
        """The same in % of the pot; NaN where the game has none."""
        return find_gap_percent(
            self.exploitability_percent, self.exploitability, self.deviation_gains
        )

    @property
    def named_measures(self) -> dict[str, float]:
        """The measures by their names, with the largest gain of three players and more for the exploitability."""
        named = dict(self.measures)
        if tells_gains(len(self.deviation_gains)):
            del named["exploitability"]
            named["largest_gain"] = self.gap
            if named.pop("exploitability_percent", None) is not None:
                named["largest_gain_percent"] = self.gap_percent
        return named

    @property
    def cce_distance(self) -> float:
        """Distance of the play from a coarse correlated equilibrium, payoff per game; NaN where it is not tracked."""
        return self.measures.get("cce_distance", math.nan)

    @property
    def exploitability_percent(self) -> float:
        """Exploitability in % of the pot; NaN where the game has none."""
        return self.measures.get("exploitability_percent", math.nan)


class Trace(tuple[Checkpoint, ...], Tabular, Display):
    """The checkpoints of a run, first to last: a tuple that converts to tables.

    Examples
    --------
    >>> import equilibrist as eq
    >>> trace = eq.solve("kuhn", "cfr", iterations=100).trace
    >>> trace
    <Trace: 14 checkpoints, iterations 1 to 100, exploitability 0.458 to 0.00823>
    >>> trace[-1].iteration
    100
    >>> trace.to_arrow().column_names[:4]
    ['iteration', 'nodes_touched', 'seconds', 'nash_conv']
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "<Trace: no checkpoints>"
        count = count_text(len(self), "checkpoint")
        span = _span_text(
            "iteration",
            [f"{point.iteration:,}" for point in (self[0], self[-1])],
            plural="iterations",
        )
        certified = [point for point in self if point.is_certified]
        if not certified:
            return f"<Trace: {count}, {span}, exploitability unknown>"
        word = gap_words(len(certified[0].value)).gap
        ends = [f"{point.gap:.3g}" for point in (certified[0], certified[-1])]
        return f"<Trace: {count}, {span}, {_span_text(word, ends)}>"

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each checkpoint; what is not known is null.

        The columns are iteration, nodes_touched, seconds, nash_conv, exploitability, cce_distance,
        further measures where there are any, and for each player value_0, value_1, …, and gain_0,
        gain_1, …: payoff per game, as in
        :class:`Checkpoint`.
        """
        import pyarrow as pa

        plain = {"iteration": pa.int64(), "nodes_touched": pa.int64(), "seconds": pa.float64()}
        columns = {
            name: pa.array([getattr(point, name) for point in self], kind)
            for name, kind in plain.items()
        }
        names = dict.fromkeys((*MEASURES[:3], *(name for point in self for name in point.measures)))
        columns |= {
            name: pa.array([point.measures.get(name) for point in self], pa.float64())
            for name in names
        }
        for name, field in (("value", "value"), ("gain", "deviation_gains")):
            rows = [getattr(point, field) for point in self]
            for player in range(max(map(len, rows), default=0)):
                numbers = [row[player] if player < len(row) else None for row in rows]
                columns[f"{name}_{player}"] = pa.array(numbers, pa.float64())
        return pa.table(columns)


def _span_text(word: str, ends: list[str], *, plural: str | None = None) -> str:
    """Return "iterations 1 to 100", or "iteration 1" where both ends are the same."""
    first, last = ends
    if first == last:
        return f"{word} {first}"
    return f"{plural or word} {first} to {last}"


def is_on_grid(iteration: int) -> bool:
    """Return whether a checkpoint is kept after this iteration, wherever the run ends."""
    return iteration > 0 and next_on_grid(iteration - 1) == iteration


@lru_cache(1 << 12)
def next_on_grid(iteration: int) -> int:
    """Return the next of 1, 2, 3, 4, 6, 8, 12, 16, 23, 32, and so on: the powers of √2, rounded up."""
    k = max(0, 2 * iteration.bit_length() - 3)
    while True:
        point = math.isqrt(2**k - 1) + 1 if k > 0 else 1
        if point > iteration:
            return point
        k += 1
