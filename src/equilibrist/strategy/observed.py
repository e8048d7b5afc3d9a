"""Strategies by what players observe, in Parquet and NumPy files: columns of numbers, made and read without names.

The columns are ``player``, ``observation`` (the integers that the rules observe) and
``probability`` (of each legal action, in the order of the game). Rows of Parquet are lists, as long
as they are; of NumPy rows of two-dimensional arrays, in which NaN stands where there is no action,
and ``length`` says how long an observation is if not all are as long as the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.archive import open_arrays
from .._util.arrays import Floats, Ints, offsets
from .._util.files import explain_write_errors, whole_file
from .._util.text import shorten
from .._util.validate import MOST_WHOLE
from ..errors import GameError, SolutionError
from ..form.infosets import Infosets, ObservedInfosets, StateInfosets
from ..form.walk.walk import observe
from ..game.rules import RulesGame
from ..games.load import load
from .reading import EXACT, MOST_PLAYERS, SUM_TOLERANCE
from .tables import open_parquet, write_parquet

if TYPE_CHECKING:
    import pyarrow

COLUMNS = ("player", "observation", "probability")
PARQUET = ".parquet"
NUMPY = ".npz"
_GAME = b"equilibrist.game"


class Ragged(NamedTuple):
    """Rows of different lengths, one after the other."""

    length: Ints
    flat: NDArray[Any]

    @classmethod
    def of(cls, table: NDArray[Any], length: Any = None) -> Ragged:
        """Return the rows of a table, each as long as it is said to be, or without its NaN."""
        if length is None:
            is_inside = ~np.isnan(table)
        else:
            is_inside = np.arange(table.shape[1]) < np.asarray(length)[:, None]
        return cls(is_inside.sum(axis=1), table[is_inside])

    def padded(self, filling: Any = 0) -> NDArray[Any]:
        """Return a table, in which ``filling`` stands where rows have ended."""
        width = int(self.length.max(initial=0))
        if (self.length == width).all():
            return self.flat.reshape(len(self.length), width)
        table = np.full((len(self.length), width), filling, self.flat.dtype)
        table[np.arange(table.shape[1]) < self.length[:, None]] = self.flat
        return table


def is_observed(path: str | Path) -> bool:
    """Return whether a file is one of those that this module reads, by its name."""
    return _suffix_of(path) in (PARQUET, NUMPY)


def _suffix_of(path: str | Path) -> str:
    return Path(path).suffix.lower()


def from_columns(
    player: Any, observation: Any, probability: Any, length: Any = None, game: Any = None
) -> tuple[Infosets, Floats]:
    """Return infosets and their probabilities from columns, checked, as :meth:`Strategy.from_observations` does."""
    owner = np.asarray(player)
    observed = np.asarray(observation)
    strategy = np.asarray(probability)
    n = len(owner) if owner.ndim == 1 else -1
    shapes = f"player {owner.shape}, observation {observed.shape}, probability {strategy.shape}"
    if not (observed.ndim == strategy.ndim == 2 and len(observed) == len(strategy) == n):
        raise SolutionError(
            "Shapes for n infosets are player (n,), observation (n, …), probability (n, …); got "
            f"{shapes}."
        )
    if length is None:
        lengths = np.full(n, observed.shape[1])
    else:
        lengths = np.asarray(length)
    if lengths.shape != (n,) or lengths.dtype.kind not in "iu":
        raise SolutionError(
            f"length says how many integers each observation has, shape ({n},); got "
            f"{lengths.shape}."
        )
    if wrong_lengths := lengths[(lengths < 0) | (lengths > observed.shape[1])].tolist():
        raise SolutionError(
            f"An observation has 0 to {observed.shape[1]} integers, those of its row; got "
            f"{wrong_lengths[0]}."
        )
    if observed.dtype.kind not in "iu" or strategy.dtype.kind not in "fiu":
        raise SolutionError(
            f"observation holds integers and probability numbers; got {observed.dtype} and "
            f"{strategy.dtype}."
        )
    return _check_rows(
        owner,
        Ragged.of(observed, lengths),
        Ragged.of(strategy.astype(np.float64, copy=False)),
        game,
    )


def read_observed(path: str | Path) -> tuple[Infosets, Floats]:
    """Return the infosets and probabilities of a Parquet or NumPy file of :data:`COLUMNS`."""
    path = Path(path)
    if _suffix_of(path) == PARQUET:
        table, game = _parquet_table(path)
        with _name_file(path):
            return _read_columns(table, game)
    with open_arrays(path, "strategy by observation") as arrays:
        names = [name for name in (*COLUMNS, "length", "game") if name in arrays.arrays]
        with _name_file(path):
            _check_columns(names)
        columns = {name: arrays.array(name) for name in names}
    game = str(columns.pop("game", ""))
    with _name_file(path):
        return from_columns(**columns, game=game or None)


@contextmanager
def _name_file(path: Path) -> Iterator[None]:
    """Name the file in every error that is raised within."""
    try:
        yield
    except SolutionError as error:
        raise SolutionError(f"{path}: {error}") from error


def write_observed(path: str | Path, infosets: Infosets, probability: Floats) -> None:
    """Write infosets that are known by states or observations, with their probabilities; see :func:`read_observed`."""
    if isinstance(infosets, StateInfosets):
        states = infosets.states_of(infosets.game)
        assert states is not None
        observed = observe(infosets.game, states)
        infosets = ObservedInfosets(infosets.game, infosets.owner, infosets.num_actions, *observed)
    if not isinstance(infosets, ObservedInfosets):
        raise SolutionError(
            "Only strategies that runs without a tree have, or of large games whose rules "
            "compile, are written by observation; write_csv writes any.",
            wrong_use=True,
        )
    if not is_observed(path):
        raise SolutionError(
            f"A strategy by observation is a file {PARQUET} or {NUMPY}; got {path}.", wrong_use=True
        )
    observation = Ragged.of(infosets.observation, infosets.length)
    strategy = Ragged(infosets.num_actions.astype(np.int64), probability)
    game = "" if infosets.game is None else str(infosets.game)
    if _suffix_of(path) == PARQUET:
        import pyarrow as pa

        table = pa.table(
            [infosets.owner.astype(np.uint8), _list_column(observation), _list_column(strategy)],
            names=COLUMNS,
        )
        write_parquet(path, table.replace_schema_metadata({_GAME: game}))
        return
    with explain_write_errors(path), whole_file(path) as file:
        np.savez(
            file,
            player=infosets.owner.astype(np.uint8),
            observation=infosets.observation,
            length=infosets.length,
            probability=strategy.padded(np.nan),
            game=np.array(game),
        )


def _list_column(rows: Ragged) -> pyarrow.LargeListArray:
    import pyarrow as pa

    return pa.LargeListArray.from_arrays(pa.array(offsets(rows.length)), pa.array(rows.flat))


def _parquet_table(path: Path) -> tuple[pyarrow.Table, str]:
    """Return the columns of a strategy by observation in a Parquet file, and the game that it names."""
    with open_parquet(path, "strategy by observation") as file:
        with _name_file(path):
            _check_columns(file.names)
        game = (file.metadata.get(_GAME) or b"").decode()
        return file.read(COLUMNS), game


def _read_columns(table: pyarrow.Table, game: str) -> tuple[Infosets, Floats]:
    import pyarrow as pa

    try:
        owner = table["player"].combine_chunks().to_numpy(zero_copy_only=False)
        observed = _read_rows(table["observation"], "observation", pa.int64())
        return _check_rows(
            owner, observed, _read_rows(table["probability"], "probability", pa.float64()), game
        )
    except pa.ArrowException as error:
        raise SolutionError(f"this is no table of a strategy: {shorten(str(error))}.") from error


def _check_columns(names: Any) -> None:
    missing_columns = [name for name in COLUMNS if name not in names]
    if missing_columns:
        raise SolutionError(
            f"a strategy by observation has the columns {', '.join(COLUMNS)}; without {missing_columns}."
        )


def _read_rows(column: pyarrow.ChunkedArray, name: str, kind: pyarrow.DataType) -> Ragged:
    """Return the rows of a column of lists; what is null or NaN in them is left out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    types = pa.types
    if not (
        types.is_list(column.type)
        or types.is_large_list(column.type)
        or types.is_fixed_size_list(column.type)
    ):
        raise SolutionError(f"{name} is a list of numbers in each row; got {column.type}.")
    rows = column.combine_chunks()
    flat = rows.flatten().cast(kind)
    length = (
        pc.fill_null(pc.list_value_length(rows), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    )
    values = flat.to_numpy(zero_copy_only=False)
    # nulls are NaN by now
    if values.dtype.kind == "f":
        absent = np.isnan(values)
    else:
        absent = np.zeros(0, np.bool_)
    if absent.any():
        length -= np.bincount(
            np.repeat(np.arange(len(length)), length)[absent], minlength=len(length)
        )
        values = values[~absent]
    return Ragged(length, values)


def _check_rows(
    owner: NDArray[Any], observed: Ragged, strategy: Ragged, game: Any
) -> tuple[Infosets, Floats]:
    """Return infosets and probabilities, which are rescaled where they are rounded, or say what is wrong."""
    expected_player = f"player is a whole number from 0 to {MOST_PLAYERS - 1}"
    if len(owner) and owner.dtype.kind not in "iu":
        raise SolutionError(
            f"{expected_player}; got numbers or texts of another kind: {owner.dtype}."
        )
    if len(owner) and (owner.min() < 0 or owner.max() >= MOST_PLAYERS):
        raise SolutionError(f"{expected_player}; got {owner.min()}, {owner.max()}.")
    if observed.flat.dtype.kind not in "iu":
        raise SolutionError("observation holds integers; a null is none.")
    largest = int(observed.flat.max(initial=0))
    if largest > MOST_WHOLE:
        raise SolutionError(
            f"observation holds integers of 64 bits with a sign, up to 2^63 - 1; got {largest}."
        )
    first = offsets(strategy.length)
    _refuse_rows(strategy.length == 0, "has no probability")
    probability = strategy.flat.astype(np.float64)
    wrong_places = np.flatnonzero(~((probability >= 0) & (probability <= 1 + SUM_TOLERANCE)))
    if len(wrong_places):
        row = int(np.searchsorted(first, wrong_places[0], "right")) - 1
        raise SolutionError(
            f"row {row}: a probability is between 0 and 1; got {probability[wrong_places[0]]:g}."
        )
    if len(owner):
        total = np.add.reduceat(probability, first[:-1])
    else:
        total = np.zeros(0)
    _refuse_rows(
        np.abs(total - 1) > SUM_TOLERANCE, "has probabilities that sum to {:g}, not to 1", total
    )
    if (np.abs(total - 1) > EXACT).any():
        probability /= np.repeat(total, strategy.length)
    infosets = ObservedInfosets(
        _load_game(game),
        owner.astype(np.uint32),
        strategy.length.astype(np.uint32),
        observed.padded(),
        observed.length,
    )
    return infosets, probability


def _refuse_rows(
    is_wrong: NDArray[np.bool_], problem: str, numbers: NDArray[Any] | None = None
) -> None:
    """Refuse a table in which something is wrong with a row."""
    rows = np.flatnonzero(is_wrong)
    if len(rows):
        text = problem if numbers is None else problem.format(numbers[rows[0]])
        count_text = f" ({len(rows):,} such rows)" if len(rows) > 1 else ""
        raise SolutionError(f"row {rows[0]} {text}{count_text}.")


def _load_game(game: Any) -> Any:
    """Return the game that a file names, which tells the names of infosets; None where it is none of ours."""
    try:
        # a file of Python that a strategy names is not run
        if game:
            rules = load(game, trust=False)
        else:
            rules = None
    except GameError:
        return None
    if isinstance(rules, RulesGame):
        return rules
    return None
