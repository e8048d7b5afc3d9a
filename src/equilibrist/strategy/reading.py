"""Strategies read from dicts, tables and CSV files, with every name and probability checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import offsets
from .._util.files import read_text
from .._util.validate import is_whole
from ..errors import SolutionError
from ..form.infosets import Infoset
from .by_name import Key
from .tables import COLUMNS, strategy_columns

if TYPE_CHECKING:
    import pyarrow

SUM_TOLERANCE = 1e-3
"""How far the probabilities of an infoset may be from summing to 1 (tables are often rounded); they are rescaled."""

MOST_PLAYERS = 100
EXACT = 1e-13
"""How near to 1 the sum of unrounded probabilities is."""
_SHOWN = 200  # characters of a message of the CSV reader

Read = tuple[list[Infoset], NDArray[np.float64]]
"""Infosets, and the probabilities of their actions one infoset after the other."""


def check_missing(missing: str | None) -> None:
    """Refuse a value of ``missing``, which completes a strategy, that there is not."""
    if missing not in (None, "uniform"):
        raise SolutionError(f"missing must be None or 'uniform'; got {missing!r}.", wrong_use=True)


def split_key(key: Any) -> tuple[int | None, str]:
    """Return the player (None where it is left open) and the name of the infoset that a key of a dict stands for.

    A pair (player, infoset) names both. Anything else but a tuple is an infoset, named by its
    ``str()`` as games are.
    """
    if not isinstance(key, tuple):
        return None, str(key)
    if len(key) == 2 and is_whole(key[0], 0, MOST_PLAYERS - 1):
        return int(key[0]), str(key[1])
    raise SolutionError(
        "A key of a strategy is an infoset or (player, infoset), with players numbered from 0 "
        f"to {MOST_PLAYERS - 1}; "
        f"got {key!r}. Where the infoset is a tuple itself, give (player, infoset)."
    )


def read_mapping(
    table: Mapping[Any, Mapping[str, float]], owners: Callable[[str], Iterable[int]]
) -> Read:
    """Return the strategy in a dict {infoset: {action: probability}}, with keys as :func:`split_key` takes them.

    ``owners``, given the name of an infoset without a player, returns the players for whom it is
    meant.
    """
    infosets: list[Infoset] = []
    probabilities: list[float] = []
    keys_seen: set[Key] = set()
    if not isinstance(table, Mapping):
        raise SolutionError(
            f"A strategy is {{infoset: {{action: probability}}}}; got {table!r}.", wrong_use=True
        )
    for key, row in table.items():
        owner, name = split_key(key)
        for player in owners(name) if owner is None else (owner,):
            if (player, name) in keys_seen:
                raise SolutionError(f"player {player} {name!r} is there twice, once as {key!r}.")
            keys_seen.add((player, name))
            checked = _check_row(f"player {player} {name!r}", row)
            infosets.append(Infoset(player, name, tuple(str(action) for action in row)))
            probabilities.extend(checked)
    return infosets, np.array(probabilities, np.float64)


def read_columns(table: Any) -> Read:
    """Return the strategy in a table with the columns player, infoset, action, probability.

    Infosets are in order of appearance.
    """
    player, (keys, key), (labels, label), probability = strategy_columns(table)
    wrong_rows = np.flatnonzero((player < 0) | (player >= MOST_PLAYERS))
    if len(wrong_rows):
        raise SolutionError(
            f"Players are numbered from 0 to {MOST_PLAYERS - 1}; got {player[wrong_rows[0]]}."
        )
    _, first, infoset = np.unique(
        key * MOST_PLAYERS + player, return_index=True, return_inverse=True
    )
    appearance = np.argsort(first)
    infoset = np.argsort(appearance)[infoset]  # numbered in order of appearance
    order = np.argsort(infoset, kind="stable")
    first_row = offsets(np.bincount(infoset, minlength=len(first)))

    names = np.array(labels, object)[label[order]].tolist()
    owner = player[first[appearance]].tolist()
    texts = [keys[i] for i in key[first[appearance]].tolist()]
    ends = first_row.tolist()
    infosets = [
        Infoset(number, text, tuple(names[begin:end]))
        for number, text, begin, end in zip(owner, texts, ends[:-1], ends[1:], strict=True)
    ]
    sorted_pairs = np.sort(infoset * (1 + len(labels)) + label)
    if (sorted_pairs[1:] == sorted_pairs[:-1]).any():
        name, action = next(
            (f"player {infoset.player} {infoset.key!r}", action)
            for infoset in infosets
            for i, action in enumerate(infoset.actions)
            if action in infoset.actions[:i]
        )
        raise SolutionError(f"Action {action!r} of {name} is there twice.")
    sorted_probability = probability[order]
    if len(sorted_probability):
        totals = np.add.reduceat(sorted_probability, first_row[:-1])
    else:
        totals = np.zeros(0)
    is_wrong = np.abs(totals - 1) > EXACT
    is_wrong[infoset[~((probability >= 0) & (probability <= 1))]] = True  # NaN too
    for i in np.flatnonzero(is_wrong).tolist():
        row = dict(
            zip(
                infosets[i].actions, sorted_probability[ends[i] : ends[i + 1]].tolist(), strict=True
            )
        )
        sorted_probability[ends[i] : ends[i + 1]] = _check_row(
            f"player {owner[i]} {texts[i]!r}", row
        )
    return infosets, sorted_probability


def read_csv(path: str | Path) -> Read:
    """Return the strategy in a CSV file with the columns player, infoset, action, probability, and maybe others."""
    table = _read_csv_table(path)
    try:
        return read_columns(table)
    except SolutionError as error:
        raise SolutionError(f"{path}: {error}") from error


def _read_csv_table(path: str | Path) -> pyarrow.Table:
    import pyarrow as pa
    from pyarrow import csv

    content = read_text(path).encode()
    name = pa.dictionary(pa.int32(), pa.string())
    kinds = {"player": pa.int64(), "infoset": name, "action": name, "probability": pa.float64()}
    try:
        return csv.read_csv(
            pa.BufferReader(content),
            # threads tell no row numbers
            read_options=csv.ReadOptions(use_threads=False, block_size=len(content) + 1),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=kinds, include_columns=COLUMNS, null_values=[]
            ),
        )
    except KeyError as error:  # of Arrow: one of include_columns is not there
        header = content.partition(b"\n")[0].decode().strip()
        raise SolutionError(
            f"{path}: a strategy has the columns {', '.join(COLUMNS)}; got {header!r}."
        ) from error
    except pa.ArrowException as error:
        raise SolutionError(
            f"{path} is no table of a strategy, in which player is a whole number and "
            f"probability a number: {' '.join(str(error).split())[:_SHOWN]}."
        ) from error


def _check_row(place: str, row: Mapping[str, float]) -> list[float]:
    """Return the probabilities of one infoset, rescaled to sum to 1 exactly, or say what is wrong with them."""
    if not isinstance(row, Mapping):
        raise SolutionError(f"{place}: a row is a dict {{action: probability}}; got {row!r}.")
    for action, number in row.items():
        if not isinstance(number, Real) or not 0 <= number <= 1 + SUM_TOLERANCE:
            raise SolutionError(
                f"{place}: the probability of {action!r} must be between 0 and 1; got {number!r}."
            )
    numbers = [float(number) for number in row.values()]
    total = math.fsum(numbers)
    if abs(total - 1) > SUM_TOLERANCE:
        raise SolutionError(
            f"{place}: the probabilities must sum to 1; got {numbers!r}, which sum to {total!r}."
        )
    if abs(total - 1) < 1e-12:
        return numbers
    return [number / total for number in numbers]
