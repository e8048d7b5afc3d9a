"""What a run kept of chosen infosets on its way: strategies, regret sums and reach; its tables and its file."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.display import Display
from .._util.files import whole_file
from .._util.names import suggest_names
from .._util.text import count_text
from ..errors import SolutionError
from ..form.infosets import Infosets
from ..strategy.by_name import Key, full_key
from ..strategy.tables import Tabular, name_columns, repeat_columns

if TYPE_CHECKING:
    import pyarrow

FORMAT = "equilibrist recording 1"

Wanted = tuple[int | None, str]
"""An infoset by player and name; None is every player who has an infoset of that name."""

MEASURES = ("strategy", "average_strategy", "regret_sum")
"""What is kept of each action of an infoset; ``reach`` is kept of the infoset."""

ARRAYS = ("iteration", *MEASURES, "reach")
"""The arrays of a recording."""

_ROWS_A_GROUP = 1 << 20  # of the file: so many are in memory at a time while it is written


class Recorded(NamedTuple):
    """What was kept of one infoset; arrays have a row for each iteration that was recorded.

    Attributes
    ----------
    player : int
        Whose infoset it is.
    infoset : str
        Its name.
    actions : tuple of str
        Names of its actions.
    iteration : int64 array, shape (times,)
        The iterations that were recorded.
    strategy : float array, shape (times, actions)
        Current strategy.
    average_strategy : float array, shape (times, actions)
        Average strategy.
    regret_sum : float array, shape (times, actions)
        Regret sums; payoff × probability.
    reach : float array, shape (times,)
        Reach of the infoset by its player.
    """

    player: int
    infoset: str
    actions: tuple[str, ...]
    iteration: NDArray[np.int64]
    strategy: Floats
    average_strategy: Floats
    regret_sum: Floats
    reach: Floats

    def __repr__(self) -> str:
        actions = ", ".join(self.actions)
        times = len(self.iteration)
        return (
            f"<Recorded {self.infoset!r} of player {self.player}: actions {actions}, after "
            f"{times:,} iterations>"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Recording(Tabular, Display):
    """What a run kept of chosen infosets after some of its iterations: ``solve(..., record=...)`` makes it.

    Attributes
    ----------
    iteration : int64 array, shape (times,)
        After which iterations: every number in a row is as it was when so many iterations were
        done.
    infosets : Infosets
        The chosen ones, in the order in which they were asked for; with ``"all"``, in the order of
        the game.
    strategy : float64 array, shape (times, number of (infoset, action) pairs)
        The current strategy, in order of the infosets and of their actions: what the *next*
        iteration plays.
    average_strategy : float64 array, like strategy
        The average over the iterations so far: what the run would have returned, had it ended
        there.
    regret_sum : float64 array, like strategy
        The sums of the regrets as the algorithm holds them: floored and decayed as its row says,
        the next iteration's decay not yet applied; payoff × probability.
    reach : float64 array, shape (times, number of infosets)
        The own reach: the product of the player's own probabilities, by ``strategy``, on the way to
        the infoset. NaN for samples without a tree, where nobody knows the way.
    wanted : tuple of (player or None, name), or None
        What was asked for; None is everything.
    every : int or None
        At which multiples a row was kept; None for the iterations of the trace: 1, 2, 3, 4, 6, 8,
        12, 16, …

    Examples
    --------
    >>> import equilibrist as eq
    >>> recording = eq.solve("kuhn", "cfr", iterations=100, record=["J", "Qpb"]).recording
    >>> recording
    <Recording of 2 infosets after 14 iterations, 1 to 100>
    >>> recording.at("J").strategy.shape
    (14, 2)
    >>> recording.to_arrow().column_names
    ['iteration', 'player', 'infoset', 'action', 'strategy', 'average_strategy', 'regret_sum', 'reach']
    """

    iteration: NDArray[np.int64]
    infosets: Infosets
    strategy: Floats
    average_strategy: Floats
    regret_sum: Floats
    reach: Floats
    wanted: tuple[Wanted, ...] | None = None
    every: int | None = None

    def __repr__(self) -> str:
        times = len(self.iteration)
        if times:
            span = f", {self.iteration[0]:,} to {self.iteration[-1]:,}"
        else:
            span = ""
        infosets = count_text(len(self.infosets), "infoset")
        iterations = count_text(times, "iteration")
        return f"<Recording of {infosets} after {iterations}{span}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Recording):
            return NotImplemented
        same = (self.wanted, self.every, self.infosets) == (
            other.wanted,
            other.every,
            other.infosets,
        )
        return same and all(
            getattr(self, name).shape == getattr(other, name).shape
            and getattr(self, name).tobytes() == getattr(other, name).tobytes()
            for name in ARRAYS
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: not what is made from it when somebody asks."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    __hash__ = None  # type: ignore[assignment]  # as of anything that holds arrays

    @cached_property
    def _index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.infosets)}

    @cached_property
    def _names(self) -> dict[str, pyarrow.Array]:
        return name_columns(self.infosets)

    @property
    def unmet(self) -> tuple[Wanted, ...]:
        """What was asked for and never met: that happens where samples are drawn without a tree."""
        names = {key for _, key in self._index}
        return tuple(
            (player, key)
            for player, key in self.wanted or ()
            if not (key in names if player is None else (player, key) in self._index)
        )

    def at(self, infoset: str | Key) -> Recorded:
        """Return what was kept of one infoset.

        Parameters
        ----------
        infoset : str or (player, str)
            Its name; the player is needed where several have an infoset of that name.

        Raises
        ------
        SolutionError
            It was not recorded, or the name does not tell whose it is.
        """
        if not (isinstance(infoset, str) or (isinstance(infoset, tuple) and len(infoset) == 2)):
            raise SolutionError(
                f"An infoset is given by its name, or (player, name); got {infoset!r}.",
                wrong_use=True,
            )
        try:
            key = full_key(infoset, self._index)
        except KeyError as error:
            raise SolutionError(str(error), wrong_use=True) from None
        index = self._index.get(key)
        if index is None:
            names = [name for _, name in self._index]
            raise SolutionError(
                f"{infoset!r} was not recorded.{suggest_names(str(key[1]), names)}", wrong_use=True
            )
        player, name, actions = self.infosets[index]
        pairs = slice(*self.infosets.first_action()[index : index + 2].tolist())
        return Recorded(
            player=player,
            infoset=name,
            actions=actions,
            iteration=self.iteration,
            **{name: getattr(self, name)[:, pairs] for name in MEASURES},
            reach=self.reach[:, index],
        )

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each iteration, infoset and action.

        The columns are iteration, player, infoset, action, strategy, average_strategy, regret_sum
        and reach; names of infosets and actions are dictionary-encoded.
        """
        return self._table(0, len(self.iteration))

    def _table(self, first: int, last: int) -> pyarrow.Table:
        """Return the rows of some of the iterations as a table."""
        import pyarrow as pa

        columns = {
            "iteration": pa.array(np.repeat(self.iteration[first:last], self.strategy.shape[1]))
        }
        columns |= repeat_columns(self._names, last - first)
        for name in MEASURES:
            columns[name] = pa.array(
                np.ascontiguousarray(getattr(self, name)[first:last]).reshape(-1)
            )
        columns["reach"] = pa.array(
            np.repeat(self.reach[first:last], self.infosets.num_actions, axis=1).reshape(-1)
        )
        about = {"format": FORMAT, "wanted": self.wanted, "every": self.every}
        return pa.table(columns).replace_schema_metadata({"equilibrist": json.dumps(about)})

    def summary(self) -> dict[str, Any]:
        """Return how much was kept, as plain data for JSON."""
        return {"infosets": len(self.infosets), "times": len(self.iteration), "every": self.every}

    def write(self, path: Path) -> None:
        """Write the table as Parquet, whole or not at all.

        Raises
        ------
        OSError
            The file cannot be written; an older one is left as it was.
        """
        import pyarrow.parquet as pq

        times = max(1, _ROWS_A_GROUP // max(1, self.strategy.shape[1]))
        with whole_file(path) as file:
            head = self._table(0, 0)
            # Numbers are written as they are: a dictionary of them would take -0.0 and 0.0 for the
            # same.
            named = ["iteration", "player", "infoset", "action"]
            with pq.ParquetWriter(
                file, head.schema, compression="zstd", use_dictionary=named
            ) as writer:
                for first in range(0, len(self.iteration), times):
                    writer.write_table(self._table(first, min(first + times, len(self.iteration))))
