"""Workers: what one thread needs to draw samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._jit.rng import make_rng
from .._util.arrays import Floats
from .records import SAMPLED_HISTORY, Plan, Sampler
from .table import InfosetTable

_FIRST_RECORDS = 1 << 12


class Worker:
    """Records, random numbers, and a source with scratch of its own.

    Attributes
    ----------
    source : source of samples
        See :mod:`equilibrist.mccfr.source`.
    records : record array of :data:`~equilibrist.mccfr.records.SAMPLED_HISTORY`
    """

    def __init__(self, table: InfosetTable, seed: int) -> None:
        self._table = table
        self._rng = make_rng(seed, table.moves)
        self.make_room(max(_FIRST_RECORDS, 2 * table.moves))

    def make_room(self, records: int) -> None:
        """Make room for so many records, all new."""
        self.records: Any = np.zeros(records, SAMPLED_HISTORY).view(np.recarray)
        self.source = self._table.source(None, records=records)

    def renew_source(self) -> None:
        """Let the source read the table as it is now."""
        self.source = self._table.source(self.source)

    def sampler(self, baseline: Floats, plan: Plan) -> Sampler:
        """Return all that samples are drawn with."""
        return Sampler(self._table.slots, self.records, baseline, plan, self._rng)

    @property
    def nbytes(self) -> int:
        """Bytes of the records."""
        states = getattr(self.source, "states", None)
        return int(self.records.nbytes) + (0 if states is None else int(states.nbytes))
