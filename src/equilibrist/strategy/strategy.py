"""A strategy: infoset → action → probability, and its way in and out of files."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._util.files import read_text, write_atomically
from ..errors import SolutionError
from ..form.build_python import offsets
from ..form.infosets import Infoset, Infosets
from .tables import StrategyColumns, Tabular, name_columns, strategy_columns

if TYPE_CHECKING:
    import pyarrow

    from ..form.public import PublicForm
    from ..form.sequence import SequenceForm
    from ..game.protocol import Game
    from ..game.public import PublicGame

SUM_TOLERANCE = 1e-3
"""How far the probabilities of an infoset may be from summing to 1 (tables are often rounded); they are rescaled."""

CSV_HEADER = ["player", "infoset", "action", "probability"]
_MOST_PLAYERS = 100
_EXACT = 1e-13  # a sum that is so near to 1 is one of unrounded probabilities
_NAMED = 20  # how many offending infosets an error lists

Key = tuple[int, str]


class Strategy(Mapping[Key, dict[str, float]], Tabular):
    """A behavioural strategy of all players: for each (player, infoset), the probability of each action.

    Parameters
    ----------
    infosets : sequence of Infoset
        Player, key and action names of each infoset.
    probabilities : float64 array, shape (number of (infoset, action) pairs,)
        In the order of ``infosets`` and of their actions; sums to 1 at each infoset.

    Examples
    --------
    >>> import equilibrist as eq
    >>> strategy = eq.Strategy.from_dict({"J": {"p": 0.75, "b": 0.25}})
    >>> strategy["J"]["b"], strategy[0, "J"]["p"]
    (0.25, 0.75)
    """

    def __init__(self, infosets: Sequence[Infoset], probabilities: NDArray[np.float64]) -> None:
        self.infosets = infosets if isinstance(infosets, Infosets) else Infosets.named(infosets)
        self.probabilities = probabilities
        self._first = offsets(self.infosets.num_actions)

    @cached_property
    def _index(self) -> dict[Key, int]:
        """Where each infoset is; made when somebody asks, for a million names take seconds."""
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.infosets)}

    def __getitem__(self, key: Key | str) -> dict[str, float]:
        """Return {action: probability} at (player, infoset), or at an infoset that only one player has."""
        return self.at(self._index[self._full_key(key)])

    def at(self, index: int) -> dict[str, float]:
        """Return {action: probability} at the infoset of that number, without making the names of all others."""
        first, end = self._first[index], self._first[index + 1]
        return dict(zip(self.infosets[index].actions, self.probabilities[first:end].tolist(), strict=True))

    def _full_key(self, key: Key | str) -> Key:
        if not isinstance(key, str):
            return key
        owners = sorted({player for player, name in self._index if name == key})
        if len(owners) > 1:
            raise KeyError(f"{key!r} is an infoset of players {owners}: ask for ({owners[0]}, {key!r})")
        return (owners[0] if owners else 0, key)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self.infosets)

    def __repr__(self) -> str:
        return f"<Strategy: {len(self.infosets):,} infosets, {len(self.probabilities):,} probabilities>"

    def _repr_html_(self) -> str:
        from ..html.notebook import strategy_html

        return strategy_html(self)

    @classmethod
    def from_form(cls, form: SequenceForm | PublicForm, slots: NDArray[np.float64]) -> Strategy:
        """Return the strategy that has these probabilities at the slots of a compiled game."""
        return cls(form.infosets, slots[form.slot])

    @classmethod
    def from_dict(cls, table: Mapping[Any, Mapping[str, float]]) -> Strategy:
        """Return a strategy from {infoset: {action: probability}}; the infoset is (player, key), or key for player 0.

        Raises
        ------
        SolutionError
            A probability is not a number between 0 and 1, or those of an infoset do not sum to 1.
        """
        infosets: list[Infoset] = []
        probabilities: list[float] = []
        seen: set[Key] = set()
        for key, row in table.items():
            player, name = key if isinstance(key, tuple) else (0, key)
            if not 0 <= int(player) < _MOST_PLAYERS:
                raise SolutionError(f"Players are numbered from 0 to {_MOST_PLAYERS - 1}; got {player!r} for {name!r}.")
            if (int(player), str(name)) in seen:
                raise SolutionError(f"player {player} {name!r} is there twice.")
            seen.add((int(player), str(name)))
            infosets.append(Infoset(int(player), str(name), tuple(str(action) for action in row)))
            probabilities.extend(_checked(f"player {player} {name!r}", row))
        return cls(infosets, np.array(probabilities, np.float64))

    @classmethod
    def read_csv(cls, path: str | Path) -> Strategy:
        """Return the strategy in a CSV file with the columns player, infoset, action, probability.

        Raises
        ------
        SolutionError
            The file is not there, is not such a table, or its probabilities make no sense.
        """
        try:
            return cls.from_dict(_read_table(path))
        except csv.Error as error:
            raise SolutionError(f"{path} is no CSV file: {error}.") from error

    def write_csv(self, path: str | Path) -> None:
        """Write the strategy as CSV, atomically; reading it back gives the same bits.

        Raises
        ------
        SolutionError
            The file cannot be written; an older one is left as it was.
        """
        text = io.StringIO(newline="")
        # Python's writer does not see that a lone carriage return needs quotes; with this it quotes every text.
        odd = any("\r" in part for _, key, actions in self.infosets for part in (key, *actions))
        quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL
        writer = csv.writer(text, lineterminator="\n", quoting=quoting)
        writer.writerow(CSV_HEADER)
        writer.writerows(self.rows())
        write_atomically(path, text.getvalue().encode())

    @classmethod
    def from_table(cls, table: Any) -> Strategy:
        """Return the strategy in a table with the columns player, infoset, action, probability.

        Parameters
        ----------
        table : pyarrow.Table, pandas.DataFrame, polars.DataFrame, dict of columns, …
            Anything that speaks Arrow (has ``__arrow_c_stream__``); further columns are ignored.

        Raises
        ------
        SolutionError
            It is no such table, or its probabilities make no sense.

        Examples
        --------
        >>> import equilibrist as eq
        >>> table = {"player": [0, 0], "infoset": ["J", "J"], "action": ["p", "b"], "probability": [0.75, 0.25]}
        >>> eq.Strategy.from_table(table)["J"]
        {'p': 0.75, 'b': 0.25}
        """
        return cls(*_read_columns(strategy_columns(table)))

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with the columns player, infoset, action, probability: a row for each action.

        Names are dictionary-encoded; the probabilities are shared, not copied.
        """
        import pyarrow as pa

        return pa.table({**name_columns(self.infosets), "probability": pa.array(self.probabilities)})

    @classmethod
    def from_openspiel(cls, policy: Any) -> Strategy:
        """Return the strategy that a ``TabularPolicy`` of OpenSpiel's Python is; its game has moves in turn.

        Raises
        ------
        SolutionError
            It is something else.
        """
        from .profiles import from_tabular_policy

        return from_tabular_policy(policy)

    def to_openspiel(self, game: str, *, fill: str | None = None) -> Any:
        """Return the strategy as a ``TabularPolicy`` of OpenSpiel, to be evaluated, played or trained further there.

        Parameters
        ----------
        game : str
            The game of OpenSpiel that was solved, as ``"openspiel:leduc_poker"``. Where players move at the same time
            the policy is one of the turn-based game that OpenSpiel makes of it.
        fill : {None, "uniform"}
            Whether infosets that the strategy lacks are an error or played uniformly.

        Raises
        ------
        GameError
            OpenSpiel is not installed or does not know the game.
        SolutionError
            The strategy lacks infosets, or names actions that the game does not have.

        Examples
        --------
        >>> import equilibrist as eq
        >>> strategy = eq.solve("openspiel:kuhn_poker", until=1e-4).strategy  # doctest: +SKIP
        >>> policy = strategy.to_openspiel("openspiel:kuhn_poker")  # doctest: +SKIP
        >>> eq.Strategy.from_openspiel(policy)["0pb"]["Bet"] > 0.5  # doctest: +SKIP
        False
        """
        from ..games.openspiel import OpenSpielGame
        from .profiles import to_tabular_policy

        return to_tabular_policy(self, OpenSpielGame(game.removeprefix("openspiel:")), fill=fill)

    @classmethod
    def from_gambit(cls, profile: Any) -> Strategy:
        """Return the strategy that a mixed behaviour profile of ``pygambit`` is; infosets are named by their labels.

        Raises
        ------
        SolutionError
            It is something else.
        """
        from .profiles import from_behavior_profile

        return from_behavior_profile(profile)

    def to_gambit(self, game: str | Game | PublicGame, *, fill: str | None = None) -> Any:
        """Return the strategy as a mixed behaviour profile of ``pygambit``, on the game written as ``.efg``.

        Parameters
        ----------
        game : str, Game or PublicGame
            The game that was solved, as for :func:`equilibrist.load`.
        fill : {None, "uniform"}
            Whether infosets that the strategy lacks are an error or played uniformly.

        Raises
        ------
        GameError
            The game cannot be loaded or written, or pygambit is not installed.
        SolutionError
            The strategy lacks infosets, or names actions that the game does not have.
        """
        from ..games.load import load
        from .profiles import to_behavior_profile

        return to_behavior_profile(self, load(game), fill=fill)

    def rows(self) -> Iterator[tuple[int, str, str, float]]:
        """Iterate over (player, infoset, action, probability)."""
        numbers = iter(self.probabilities.tolist())
        for player, key, actions in self.infosets:
            for action in actions:
                yield player, key, action, next(numbers)

    def played(self, key: Key, actions: Sequence[str], game: str) -> list[float] | None:
        """Return the probability of each action of an infoset of a game, or None where the strategy lacks the infoset.

        Raises
        ------
        SolutionError
            The strategy names actions that the infoset does not have.
        """
        index = self._index.get(key)
        if index is None:
            return None
        row = self.at(index)
        strange = [action for action in row if action not in actions]
        if strange:
            raise SolutionError(
                f"Player {key[0]} {key[1]!r} has the actions {', '.join(map(repr, actions))} in {game}; "
                f"the strategy names {', '.join(map(repr, strange))}."
            )
        return [row.get(action, 0.0) for action in actions]

    def fitted(self, form: SequenceForm | PublicForm, *, fill: str | None = None) -> NDArray[np.float64]:
        """Return the probabilities at the slots of a compiled game (those of empty sequences are 1).

        Parameters
        ----------
        form : SequenceForm or PublicForm
            The game.
        fill : {None, "uniform"}
            What to do with infosets that the strategy lacks: refuse, or play uniformly there.

        Raises
        ------
        SolutionError
            The strategy lacks infosets, or names infosets or actions that the game does not have.
        """
        check_fill(fill)
        slots = np.ones(form.length)
        known = {(infoset.player, infoset.key) for infoset in form.infosets}
        unknown = [key for key in self if key not in known]
        if unknown:
            raise SolutionError(
                f"The strategy names infosets that {form.name} does not have ({len(unknown)}): {_named(unknown)}."
            )
        lacking, first, slot = [], 0, form.slot
        for player, key, actions in form.infosets:
            own = slot[first : first + len(actions)]
            first += len(actions)
            played = self.played((player, key), actions, form.name)
            if played is None:
                lacking.append((player, key))
            slots[own] = 1.0 / len(actions) if played is None else played
        if lacking and fill is None:
            raise SolutionError(
                f"The strategy lacks {len(lacking)} of the {len(form.infosets)} infosets of {form.name}: "
                f"{_named(lacking)}. Add them, or complete it with fill='uniform' (--fill uniform)."
            )
        return slots


def check_fill(fill: str | None) -> None:
    """Refuse a way to complete a strategy that there is not."""
    if fill not in (None, "uniform"):
        raise SolutionError(f"fill must be None or 'uniform'; got {fill!r}.", wrong_use=True)


def _checked(where: str, row: Mapping[str, float]) -> list[float]:
    """Return the probabilities of one infoset, rescaled to sum to 1 exactly, or say what is wrong with them."""
    if not isinstance(row, Mapping):
        raise SolutionError(f"{where}: a row is a dict {{action: probability}}; got {row!r}.")
    for action, number in row.items():
        if not isinstance(number, Real) or not 0 <= number <= 1 + SUM_TOLERANCE:
            raise SolutionError(f"{where}: the probability of {action!r} must be between 0 and 1; got {number!r}.")
    numbers = [float(number) for number in row.values()]
    total = math.fsum(numbers)
    if abs(total - 1) > SUM_TOLERANCE:
        raise SolutionError(f"{where}: the probabilities must sum to 1; got {numbers!r}, which sum to {total!r}.")
    return numbers if abs(total - 1) < 1e-12 else [number / total for number in numbers]


def _read_columns(table: StrategyColumns) -> tuple[list[Infoset], NDArray[np.float64]]:
    """Return infosets in order of appearance, and probabilities in the order of their actions."""
    player, keys, key, labels, label, probability = table
    odd = np.flatnonzero((player < 0) | (player >= _MOST_PLAYERS))
    if len(odd):
        raise SolutionError(f"Players are numbered from 0 to {_MOST_PLAYERS - 1}; got {player[odd[0]]}.")
    _, first, infoset = np.unique(key * _MOST_PLAYERS + player, return_index=True, return_inverse=True)
    appearance = np.argsort(first)
    infoset = np.argsort(appearance)[infoset]  # numbered in order of appearance
    order = np.argsort(infoset, kind="stable")
    own = offsets(np.bincount(infoset, minlength=len(first)))

    names = np.array(labels, object)[label[order]].tolist()
    owner, texts = player[first[appearance]].tolist(), [keys[i] for i in key[first[appearance]].tolist()]
    ends = own.tolist()
    infosets = [
        Infoset(one, text, tuple(names[begin:end]))
        for one, text, begin, end in zip(owner, texts, ends[:-1], ends[1:], strict=True)
    ]
    twice = np.sort(infoset * (1 + len(labels)) + label)
    if (twice[1:] == twice[:-1]).any():
        _refuse_twice(infosets)
    ordered = probability[order]
    totals = np.add.reduceat(ordered, own[:-1]) if len(ordered) else np.zeros(0)
    strange = np.abs(totals - 1) > _EXACT
    strange[infoset[~((probability >= 0) & (probability <= 1))]] = True  # NaN too
    for i in np.flatnonzero(strange).tolist():
        row = dict(zip(infosets[i].actions, ordered[ends[i] : ends[i + 1]].tolist(), strict=True))
        ordered[ends[i] : ends[i + 1]] = _checked(f"player {owner[i]} {texts[i]!r}", row)
    return infosets, ordered


def _refuse_twice(infosets: Iterable[Infoset]) -> NoReturn:
    for player, key, actions in infosets:
        for i, action in enumerate(actions):
            if action in actions[:i]:
                raise SolutionError(f"Action {action!r} of player {player} {key!r} is there twice.")
    raise ValueError("Nothing is there twice.")


def _named(keys: Iterable[Key]) -> str:
    keys = list(keys)
    named = ", ".join(f"player {player} {key!r}" for player, key in keys[:_NAMED])
    return named if len(keys) <= _NAMED else f"{named} and {len(keys) - _NAMED} more"


def _read_table(path: str | Path) -> dict[Key, dict[str, float]]:
    """Return the rows of a CSV file as {(player, infoset): {action: probability}}."""
    table: dict[Key, dict[str, float]] = {}
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    missing = [name for name in CSV_HEADER if name not in (reader.fieldnames or [])]
    if missing:
        raise SolutionError(
            f"{path}: a strategy has the columns {', '.join(CSV_HEADER)}; missing: {', '.join(missing)}."
        )
    for row in reader:
        try:
            player, probability = int(row["player"]), float(row["probability"])
        except (TypeError, ValueError):
            raise SolutionError(
                f"{path}, line {reader.line_num}: player must be a whole number and probability a number; "
                f"got {row['player']!r} and {row['probability']!r}."
            ) from None
        actions = table.setdefault((player, row["infoset"]), {})
        if row["action"] in actions:
            raise SolutionError(
                f"{path}, line {reader.line_num}: action {row['action']!r} of player {player} {row['infoset']!r} "
                "is there twice."
            )
        actions[row["action"]] = probability
    return table
