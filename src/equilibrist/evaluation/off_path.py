"""Off the path: how well a strategy answers where play does not come, and what counts as such a place.

At an infoset I of player i the beliefs are the histories of I weighted by the reach π(h) of chance
and the others; i's own reach is the same for all of them. What a best response from there would
gain is

    gain(I) = (counterfactual value of I with i's best continuation − that with the strategy) / Σ
    π(h)

in payoff, given that play is at I: the distance of the infoset (arXiv 2508.07699).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats, Ints
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infosets
from ..strategy.by_name import Key, find_key
from ..strategy.order import reading_order
from ..strategy.tables import Tabular, write_csv
from .action_values import ActionValues, count_own_moves, infoset_reach, uniform_strategy

if TYPE_CHECKING:
    import pyarrow

RARE = 1e-3
"""Of how often play might come to a place: at most this share, and the place is off the path."""
MARK = "†"
PROMISES_NOTHING = "a Nash equilibrium promises nothing there, and any answer may stand"
_NEVER = (
    1e-250  # reach of chance and the others: less is too near to the least numbers to divide by
)


def is_rare(reach: float | Floats, possible: float | Floats = 1.0) -> NDArray[np.bool_]:
    """Return where play comes so rarely that it is off the path; ``possible`` is how often it might."""
    return np.asarray(np.less_equal(reach, RARE * np.asarray(possible)))


def off_path_note(promise: str, often: str = "as often as in uniform play") -> str:
    """Return what the mark means, in a sentence with what such an equilibrium promises there."""
    return f"{MARK} reached at most {RARE:.1%} {often}: {promise}."


class OffPath(Tabular):
    """What a best response from each infoset would gain given the beliefs there, also where play never comes.

    Attributes
    ----------
    infosets : Infosets
        Player, key and actions of each infoset.
    gain : float64 array, shape (infosets,)
        Payoff, given that play is there; 0 or more, NaN where chance and the others never lead.
    own_reach, cf_reach : float64 arrays, shape (infosets,)
        The probability of the player's own actions on the way there, and that of chance and the
        others.
    own_moves : int64 array, shape (infosets,)
        How many decisions of the same player come before: the depth.
    rare : bool array, shape (infosets,)
        Whether play comes there at most 0.1 % as often as if everybody played uniformly.

    Notes
    -----
    What a player gains in the whole game is Σ cf_reach · gain over the first infosets of the
    player, and at least own_reach · cf_reach · gain at each infoset: so much an exploitability says
    of it, and nothing where reach is 0.

    References
    ----------
    arXiv 2508.07699: the distance of an infoset.

    Examples
    --------
    An equilibrium of Kuhn poker in which kings always bet, so that it costs nothing to fold one to
    a bet after a pass:

    >>> import equilibrist as eq
    >>> bets = {"J": 1 / 3, "Q": 0, "K": 1, "Jp": 1 / 3, "Qp": 0, "Kp": 1}
    >>> calls = {"Jpb": 0, "Qpb": 2 / 3, "Kpb": 0, "Jb": 0, "Qb": 1 / 3, "Kb": 1}
    >>> strategy = {key: {"bet": p, "pass": 1 - p} for key, p in bets.items()}
    >>> strategy |= {key: {"call": p, "fold": 1 - p} for key, p in calls.items()}
    >>> result = eq.evaluate("kuhn", strategy, off_path=True)
    >>> abs(result.exploitability) < 1e-12, result.off_path
    (True, <OffPath: 12 infosets, the largest gain 3 by player 0 at 'Kpb'>)
    """

    def __init__(
        self,
        infosets: Infosets,
        *,
        gain: Floats,
        own_reach: Floats,
        cf_reach: Floats,
        own_moves: Ints,
        rare: NDArray[np.bool_],
    ) -> None:
        self.infosets = infosets
        self.gain = gain
        self.own_reach = own_reach
        self.cf_reach = cf_reach
        self.own_moves = own_moves
        self.rare = rare

    def __len__(self) -> int:
        return len(self.gain)

    def __repr__(self) -> str:
        player, key = self.worst or (0, "")
        at = f" by player {player} at {key!r}" if self.worst else ""
        return f"<OffPath: {len(self):,} infosets, the largest gain {self.max_gain:.3g}{at}>"

    def __getitem__(self, key: Key | str) -> float:
        """Return the gain at (player, infoset), or at an infoset that only one player has."""
        return float(self.gain[self._index[find_key(key, self._index)]])

    @cached_property
    def _index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.infosets)}

    @property
    def order(self) -> list[int]:
        """Numbers of the infosets, the largest gain first; those that are not known at the end."""
        return np.argsort(-self.gain, kind="stable").tolist()  # type: ignore[no-any-return]

    @property
    def max_gain(self) -> float:
        """The largest gain; payoff."""
        return float(np.nanmax(self.gain, initial=0.0))

    @property
    def worst(self) -> Key | None:
        """Player and key of the infoset with the largest gain; None where nothing is gained anywhere."""
        if self.max_gain > 0:
            return self.infosets[self.order[0]][:2]
        return None

    @property
    def by_depth(self) -> tuple[float, ...]:
        """The largest gain of infosets with 0, 1, 2, … decisions of the same player before."""
        largest = np.zeros(int(self.own_moves.max(initial=-1)) + 1)
        np.fmax.at(largest, self.own_moves, self.gain)
        return tuple(largest.tolist())

    def rows(self) -> Iterator[dict[str, Any]]:
        """Iterate over all infosets as plain values, in the order of tables and files; NaN is None."""
        for i in reading_order(self.infosets):
            player, key, _ = self.infosets[i]
            gain = None if np.isnan(self.gain[i]) else float(self.gain[i])
            reach = {"own_reach": float(self.own_reach[i]), "cf_reach": float(self.cf_reach[i])}
            more = {"own_moves": int(self.own_moves[i]), "rare": bool(self.rare[i])}
            yield {"player": player, "infoset": key, "gain": gain, **reach, **more}

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each infoset; a gain that is not known is null."""
        import pyarrow as pa

        return pa.Table.from_pylist(list(self.rows()))

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV, atomically; a gain that is not known is an empty cell.

        Raises
        ------
        SolutionError
            The file cannot be written; an older one is left as it was.
        """
        table = self.to_arrow()
        write_csv(path, table.column_names, (row.values() for row in table.to_pylist()))

    def summary(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        largest = {"max_gain": self.max_gain, "worst": self.worst, "by_depth": list(self.by_depth)}
        return {**largest, "infosets": list(self.rows())}


def off_path_gains(form: CompiledGame, strategy: Floats) -> OffPath:
    """Return the gains for a strategy at the slots of a compiled game, in which nothing is taken together.

    What a best response does at an infoset earns more than the mix of the strategy, with the best
    play below; a gain is the sum of that over the infosets below, by the reach of the strategy from
    there. No term is negative, and nothing large cancels.
    """
    values = ActionValues(form, strategy)
    infosets = form.infosets
    moves, parent = count_own_moves(form)
    count = infosets.num_actions
    first = form.first_action[:-1]
    slot = form.slot
    sigma = strategy[slot]
    responses = values.best_responses
    best_value = responses.best_value[slot]
    cf_gain = np.zeros(len(infosets))
    own_reach = np.zeros(len(infosets))
    if len(infosets):
        # A locked hand keeps its mix.
        best = np.add.reduceat(responses.best_response[slot] * best_value, first)
        cf_gain = np.add.reduceat(sigma * (np.repeat(best, count) - best_value), first)
        own_reach = np.add.reduceat(responses.reach[slot], first)
    infoset = np.repeat(np.arange(len(infosets)), count)
    for number in range(int(moves.max(initial=0)), 0, -1):
        last = np.flatnonzero(moves == number)
        np.add.at(cf_gain, infoset[parent[last]], sigma[parent[last]] * cf_gain[last])
    reach = values.cf_reach
    gain = np.full(len(infosets), np.nan)
    np.divide(cf_gain, reach, out=gain, where=reach > _NEVER)
    rare = is_rare(own_reach * reach, infoset_reach(form, uniform_strategy(form)))
    return OffPath(
        infosets, gain=gain, own_reach=own_reach, cf_reach=reach, own_moves=moves, rare=rare
    )
