"""Tables of games that are not compiled: infosets are entered when samples meet them, and nothing else is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from numpy.typing import NDArray

from .._util.arrays import Floats
from ..form.floors import Terms
from ..form.infosets import Infoset
from ..form.responses import Values
from ..form.walk.form import WalkedGame
from ..form.walk.index import Counts, StrategyRows
from ..form.walk.walk import WalkEstimate
from .records import make_slots
from .table import UncompiledTable

_FIRST_SLOTS = 1 << 12


class LazyTable(UncompiledTable):
    """Table of a walked game: rules are sampled, and the infosets are those that samples have met so far."""

    form: WalkedGame
    # how long a walk takes that certifies strategies; None where nobody has asked for certificates
    certificate: WalkEstimate | None = None

    def __init__(self, game: WalkedGame) -> None:
        self.form = game
        self.index = game.table()
        self.interpreted = self.index.interpreted
        self.moves = self.index.moves
        self.slots = make_slots(_FIRST_SLOTS)
        self.index.make_room(_FIRST_SLOTS // 2)

    def source(self, old: Any, *, records: int = 0) -> Any:
        return self.index.source(old, records=records)

    def shape(self) -> tuple[Counts, Counts]:
        return self.index.shape()

    def infosets(self) -> Sequence[Infoset]:
        return self.index.infosets()

    def grow(self) -> None:
        super().grow()
        self.index.grow()

    def set_strategy(self, strategy: StrategyRows, bare: Collection[str]) -> None:
        """Put the infosets of a strategy in the place of all that is there, of which samples then draw.

        ``bare`` are those that were named without a player.
        """
        probabilities = self.index.set_strategy(strategy, bare)
        used = self.players + len(probabilities)
        self.slots = make_slots(2 * max(used, _FIRST_SLOTS))
        self.slots.strategy[self.players : used] = probabilities
        self.index.make_room(2 * max(len(self.index), _FIRST_SLOTS))

    @property
    def certifies(self) -> bool:
        return self.certificate is not None

    @property
    def walked_histories(self) -> float:
        if self.certificate is None:
            return 0.0
        histories = self.certificate.histories
        if histories * self.players <= self.form.quick_histories:
            return 0.0
        return histories

    def values(
        self,
        sums: Floats,
        *,
        threads: int,
        floors: Terms,
        should_stop: Callable[[], bool],
    ) -> Values:
        """As in the base; infosets that were not met are played uniformly, and a certificate has its own threads."""
        certificate = self.certificate
        if certificate is None:
            raise ValueError("Nobody has asked for certificates of this table.")
        return self.index.values(
            self.average(sums),
            histories=certificate.histories,
            threads=certificate.threads,
            should_stop=should_stop,
        )

    @property
    def nbytes(self) -> int:
        return super().nbytes + self.index.nbytes

    def poll_with(self, poll: Callable[[], None]) -> None:
        self.index.poll_with(poll)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return self.index.state_dict()

    def load_state(self, state: dict[str, NDArray[Any]], *, slots: int) -> None:
        self.index.load_state(state, slots=slots, grow=self.grow)
        while len(self.slots.strategy) < slots:
            self.grow()
