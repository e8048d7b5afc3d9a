"""Strategies: the probability of each action at each infoset, and what they are read from and written to."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Ints, offsets
from .._util.display import Display
from .._util.names import suggest_names
from ..errors import SolutionError
from ..form.infosets import Infoset, Infosets, NamedInfosets
from ..game.action_names import find_action
from .by_name import ByAction, Key, find_key
from .observed import from_columns, is_observed, read_observed, write_observed
from .order import MOST_IN_ORDER, reading_order
from .profiles import (
    from_gambit_profile,
    from_tabular_policy,
    to_behavior_profile,
    to_tabular_policy,
)
from .reading import check_missing, read_columns, read_csv, read_mapping
from .stores import NamedProbabilities, SlotWeights, Store
from .tables import COLUMNS, Tabular, name_columns, ranges, write_csv

if TYPE_CHECKING:
    import pyarrow

    from ..form.compiled_game import CompiledGame
    from ..game.protocol import Game
    from ..game.public import PublicGame

_NAMED = 20  # how many offending infosets an error lists


def refuse_infinite(infosets: Infosets, probabilities: NDArray[np.float64]) -> None:
    """Refuse probabilities of which one is not finite, by the name of its infoset."""
    place = int(np.argmin(np.isfinite(probabilities)))
    number = int(np.searchsorted(infosets.first_action(), place, side="right")) - 1
    player, key, actions = infosets[number]
    action = actions[place - int(infosets.first_action()[number])]
    raise SolutionError(
        f"The strategy of player {player} at {key!r} has the probability {probabilities[place]} "
        f"for {action!r}: give a number from 0 to 1."
    )


class Strategy(Mapping[Key, dict[str, float]], Tabular, Display):
    """A behavioural strategy of all players: for each (player, infoset), the probability of each action.

    Actions may be given, and asked for, by other spellings of their names: ``p`` and ``b`` for pass
    and bet, or for fold and call.

    Parameters
    ----------
    infosets : sequence of Infoset
        Player, key and action names of each infoset.
    probabilities : float64 array, shape (number of (infoset, action) pairs,)
        In the order of ``infosets`` and of their actions; sums to 1 at each infoset.

    Examples
    --------
    >>> import equilibrist as eq
    >>> strategy = eq.Strategy.from_dict({"J": {"pass": 0.75, "bet": 0.25}})
    >>> strategy["J"]["bet"], strategy[0, "J"]["p"]
    (0.25, 0.75)
    """

    slots: SlotWeights | None = None
    """Weights at the slots of a card form, where the strategy is made of them."""

    def __init__(self, infosets: Sequence[Infoset], probabilities: NDArray[np.float64]) -> None:
        if isinstance(infosets, Infosets):
            named = infosets
        else:
            named = NamedInfosets(infosets)
        if not np.isfinite(probabilities.sum()):
            refuse_infinite(named, probabilities)
        self._store: Store = NamedProbabilities(named, probabilities)

    @classmethod
    def from_weights(cls, form: Any, weights: NDArray[Any], streets: int | None = None) -> Strategy:
        """Return the strategy of a form of cards, or of its first streets, that plays shares of weights at slots."""
        strategy = cls.__new__(cls)
        strategy._store = strategy.slots = SlotWeights(form, weights, streets or form.num_streets)
        return strategy

    @property
    def infosets(self) -> Infosets:
        """Player, key and action names of each infoset."""
        return self._store.infosets

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each action of each infoset."""
        return self._store.probabilities

    @property
    def num_probabilities(self) -> int:
        """Number of probabilities: one for each action of each infoset."""
        return self._store.num_probabilities

    @property
    def form(self) -> Any:
        """The form of cards at whose slots the strategy has weights; None where it has none."""
        if self.slots is None:
            return None
        return self.slots.form

    def first_streets(self, streets: int) -> Strategy:
        """Return the strategy of a card form on the first streets; the weights are shared, not copied."""
        if self.slots is None:
            raise ValueError("The strategy has no streets.")
        form = self.slots.form
        return Strategy.from_weights(
            form, self.slots.weights[: form.length_of_streets(streets)], streets
        )

    @cached_property
    def _first(self) -> Ints:
        return offsets(self.infosets.num_actions)

    @cached_property
    def _index(self) -> dict[Key, int]:
        """Where each infoset is; made when somebody asks, for a million names take seconds."""
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.infosets)}

    @cached_property
    def order(self) -> list[int]:
        """Numbers of the infosets by player, round, line of moves and hand: the order of tables and files."""
        return reading_order(self.infosets)

    def row_order(self) -> NDArray[np.int64]:
        """Return the numbers of the probabilities in the order of tables and files."""
        order = np.asarray(self.order, np.int64)
        return ranges(self._first[:-1][order], self.infosets.num_actions[order].astype(np.int64))

    def __getitem__(self, key: Key | str) -> dict[str, float]:
        """Return {action: probability} at (player, infoset), or at an infoset that only one player has.

        Raises
        ------
        KeyError
            There is no such infoset, with what the name may have meant; or several players have it.
        """
        return self.at(self.number(key))

    def number(self, key: Key | str) -> int:
        """Return the number of an infoset, given as (player, infoset) or, if only one player has it, by its name."""
        return self._index[find_key(key, self._index)]

    def at(self, index: int) -> dict[str, float]:
        """Return {action: probability} at the infoset of that number, without making the names of all others."""
        first = self._first[index]
        end = self._first[index + 1]
        return ByAction(
            zip(self.infosets[index].actions, self.probabilities[first:end].tolist(), strict=True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what a strategy is made of; the index of names is made again when it is asked for."""
        if self.slots is not None:
            return Strategy.from_weights, (self.slots.form, self.slots.weights, self.slots.streets)
        return Strategy, (self.infosets, self.probabilities)

    def __iter__(self) -> Iterator[Key]:
        return (
            (infoset.player, infoset.key) for infoset in map(self.infosets.__getitem__, self.order)
        )

    def __len__(self) -> int:
        return self._store.num_infosets

    def __repr__(self) -> str:
        return f"<Strategy: {len(self):,} infosets, {self.num_probabilities:,} probabilities>"

    @classmethod
    def from_form(cls, form: CompiledGame, slots: NDArray[np.float64]) -> Strategy:
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
        return cls(*read_mapping(table, lambda _: (0,)))

    @classmethod
    def read_csv(cls, path: str | Path) -> Strategy:
        """Return the strategy in a CSV file with the columns player, infoset, action, probability.

        Raises
        ------
        SolutionError
            The file is not there, is not such a table, or its probabilities make no sense.
        """
        return cls(*read_csv(path))

    @classmethod
    def read(cls, path: str | Path) -> Strategy:
        """Return the strategy in a file: of observations where it ends in ``.parquet`` or ``.npz``, else CSV."""
        if is_observed(path):
            return cls.read_observations(path)
        return cls.read_csv(path)

    @classmethod
    def from_observations(
        cls,
        *,
        player: Any,
        observation: Any,
        probability: Any,
        length: Any = None,
        game: str | None = None,
    ) -> Strategy:
        """Return the strategy of a table by what players observe, for games too large for names.

        Parameters
        ----------
        player : int array, shape (n,)
            Who decides.
        observation : int array, shape (n, integers)
            What the rules of the game observe there, as :meth:`write_observations` writes it.
        probability : float array, shape (n, columns)
            Of the legal actions in the order of the game; NaN in columns that are none, wherever
            they stand. They sum to 1 up to 0.001, and are rescaled.
        length : int array, shape (n,), optional
            How many integers each observation has; by default all.
        game : str, optional
            The game, which makes the names of infosets where somebody asks for one.

        Raises
        ------
        SolutionError
            The shapes do not fit, or a row is no probability of anything.

        Examples
        --------
        >>> import equilibrist as eq
        >>> eq.Strategy.from_observations(player=[0], observation=[[0]], probability=[[0.1, 0.2, 0.3, 0.4]])
        <Strategy: 1 infosets, 4 probabilities>
        """
        return cls(*from_columns(player, observation, probability, length, game))

    @classmethod
    def read_observations(cls, path: str | Path) -> Strategy:
        """Return the strategy in a file of :meth:`write_observations`, or of another program that has its columns.

        Raises
        ------
        SolutionError
            The file is not there, is not such a table, or a row is no probability of anything.
        """
        return cls(*read_observed(path))

    def write_observations(self, path: str | Path) -> None:
        """Write the strategy by what players observe, as ``.parquet`` or ``.npz``: seconds for millions of infosets.

        The columns are player, observation and probability: of a Parquet file a number and two
        lists in each row, of a NumPy archive arrays as :meth:`from_observations` takes them.

        Raises
        ------
        SolutionError
            The file cannot be written, or the strategy is known by names alone.
        """
        write_observed(path, self.infosets, self.probabilities)

    def write_csv(self, path: str | Path) -> None:
        """Write the strategy as CSV, atomically; reading it back gives the same bits.

        Names are written as they are. A spreadsheet takes a cell that begins with ``=``, ``+``,
        ``-`` or ``@`` for a formula: import the columns infoset and action as text if you did not
        make the game yourself.

        Raises
        ------
        SolutionError
            The file cannot be written; an older one is left as it was.
        """
        # Python's writer does not see that a lone carriage return needs quotes; with this it quotes
        # every text.
        needs_quotes = any(
            "\r" in part for _, key, actions in self.infosets for part in (key, *actions)
        )
        write_csv(
            path, COLUMNS, self.rows(), csv.QUOTE_NONNUMERIC if needs_quotes else csv.QUOTE_MINIMAL
        )

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
        >>> table = {"player": [0, 0], "infoset": ["J", "J"], "action": ["pass", "bet"], "probability": [0.75, 0.25]}
        >>> eq.Strategy.from_table(table)["J"]
        {'pass': 0.75, 'bet': 0.25}
        """
        return cls(*read_columns(table))

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with the columns player, infoset, action, probability: a row for each action.

        Names are dictionary-encoded. The rows are in the order of :attr:`order`; where that is the
        order of ``infosets``, as with more than 20,000 of them, the probabilities are shared, not
        copied.
        """
        import pyarrow as pa

        if self.order == list(range(len(self))):
            return pa.table(
                {**name_columns(self.infosets), "probability": pa.array(self.probabilities)}
            )
        names = name_columns([self.infosets[index] for index in self.order])
        return pa.table({**names, "probability": pa.array(self.probabilities[self.row_order()])})

    @classmethod
    def from_openspiel(cls, policy: Any) -> Strategy:
        """Return the strategy that a ``TabularPolicy`` of OpenSpiel's Python is; its game has moves in turn.

        Raises
        ------
        SolutionError
            It is something else.
        """
        return cls.from_dict(from_tabular_policy(policy))

    def to_openspiel(self, game: Any, *, missing: str | None = None) -> Any:
        """Return the strategy as a ``TabularPolicy`` of OpenSpiel, to be evaluated, played or trained further there.

        Parameters
        ----------
        game : str, pyspiel.Game or OpenSpielGame
            The game of OpenSpiel that was solved, as ``"openspiel:leduc_poker"``. Where players
            move at the same time the policy is one of the turn-based game that OpenSpiel makes of
            it.
        missing : {None, "uniform"}
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

        if isinstance(game, str):
            named = game.removeprefix("openspiel:")
        else:
            named = game
        rules = named if isinstance(named, OpenSpielGame) else OpenSpielGame(named)
        return to_tabular_policy(self.probabilities_at, rules, missing=missing)

    @classmethod
    def from_gambit(cls, profile: Any) -> Strategy:
        """Return the strategy that a mixed profile of ``pygambit`` is; infosets are named as in a file of its game.

        Raises
        ------
        SolutionError
            It is something else.
        """
        return cls.from_dict(from_gambit_profile(profile))

    def to_gambit(self, game: str | Game | PublicGame, *, missing: str | None = None) -> Any:
        """Return the strategy as a mixed behaviour profile of ``pygambit``, on the game written as ``.efg``.

        Parameters
        ----------
        game : str, Game or PublicGame
            The game that was solved, as for :func:`equilibrist.load`.
        missing : {None, "uniform"}
            Whether infosets that the strategy lacks are an error or played uniformly.

        Raises
        ------
        GameError
            The game cannot be loaded or written, or pygambit is not installed.
        SolutionError
            The strategy lacks infosets, or names actions that the game does not have.
        """
        from ..games.load import load

        return to_behavior_profile(self.probabilities_at, load(game), missing=missing)

    def rows(self) -> Iterator[tuple[int, str, str, float]]:
        """Iterate over (player, infoset, action, probability), in the order of tables and files."""
        if len(self.infosets) > MOST_IN_ORDER:
            named: Iterable[tuple[int, Infoset]] = enumerate(self.infosets)
        else:
            # One after the other, names are made faster than each by itself.
            infosets = list(self.infosets)
            named = ((index, infosets[index]) for index in self.order)
        for index, (player, key, actions) in named:
            row = self.probabilities[self._first[index] : self._first[index + 1]].tolist()
            for action, probability in zip(actions, row, strict=True):
                yield player, key, action, probability

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str) -> list[float] | None:
        """Return the probability of each action of an infoset of a game, or None where the strategy lacks the infoset.

        Raises
        ------
        SolutionError
            The strategy names actions that the infoset does not have, or one of them twice.
        """
        index = self._index.get(key)
        if index is None:
            return None
        row = self.at(index)
        if not row.keys() <= set(actions):
            row = self._by_name(key, row, actions, game)
        return [row.get(action, 0.0) for action in actions]

    def _by_name(
        self, key: Key, row: dict[str, float], actions: Sequence[str], game: str
    ) -> dict[str, float]:
        """Return the probabilities of an infoset by the names of its actions, where they have other spellings."""
        numbers = {spelling: find_action(spelling, actions) for spelling in row}
        complaint = (
            f"Player {key[0]} {key[1]!r} has the actions {', '.join(map(repr, actions))} in "
            f"{game}; the strategy names"
        )
        unknown_names = [spelling for spelling, number in numbers.items() if number is None]
        if unknown_names:
            raise SolutionError(f"{complaint} {', '.join(map(repr, unknown_names))}.")
        if len(set(numbers.values())) < len(numbers):
            raise SolutionError(f"{complaint} one of them twice: {', '.join(map(repr, row))}.")
        return {
            actions[number]: row[spelling]
            for spelling, number in numbers.items()
            if number is not None
        }

    def form_for(self, form: CompiledGame) -> CompiledGame:
        """Return the form of a game that has the infosets named here, another one where boards are merged there."""
        if self._store.is_on(form):
            return form
        return form.form_with_names(self._on_all_boards.infosets)

    @cached_property
    def _on_all_boards(self) -> Strategy:
        if self.slots is None:
            return self
        return Strategy(*self.slots.on_all_boards())

    def weights_at(self, form: CompiledGame, *, missing: str | None = None) -> NDArray[Any]:
        """Return weights at the slots of a compiled game, of which each infoset plays its shares."""
        check_missing(missing)
        is_on = self._store.is_on(form)
        if is_on:
            return self._store.weights_at(form, missing=missing)
        return self.at_slots(form, missing=missing)

    def at_slots(self, form: CompiledGame, *, missing: str | None = None) -> NDArray[np.float64]:
        """Return the probabilities at the slots of a compiled game (those of empty sequences are 1).

        Parameters
        ----------
        form : SequenceForm or PublicForm
            The game.
        missing : {None, "uniform"}
            What to do with infosets that the strategy lacks: refuse, or play uniformly there.

        Raises
        ------
        SolutionError
            The strategy lacks infosets, or names infosets or actions that the game does not have.
        """
        check_missing(missing)
        if self._store.is_on(form):  # no need for millions of names
            return self._store.at_slots(form, missing=missing)
        if self.slots is not None:
            return self._on_all_boards.at_slots(form, missing=missing)
        slots = np.ones(form.length)
        slot = form.slot
        names = {(infoset.player, infoset.key) for infoset in form.infosets}
        unknown_keys = [key for key in self._index if key not in names]
        if unknown_keys:
            player, key = unknown_keys[0]
            suggestion = suggest_names(key, (name for owner, name in names if owner == player))
            raise SolutionError(
                f"The strategy names infosets that {form.name} does not have ({len(unknown_keys)}): "
                f"{_list_infosets(unknown_keys)}.{suggestion}"
            )
        keys_lacking = []
        first = 0
        for player, key, actions in form.infosets:
            action_slots = slot[first : first + len(actions)]
            first += len(actions)
            sigma = self.probabilities_at((player, key), actions, form.name)
            if sigma is None:
                keys_lacking.append((player, key))
            if sigma is None:
                slots[action_slots] = 1.0 / len(actions)
            else:
                slots[action_slots] = sigma
        if keys_lacking and missing is None:
            raise SolutionError(
                f"The strategy lacks {len(keys_lacking)} of the {len(form.infosets)} infosets of "
                f"{form.name}: "
                f"{_list_infosets(keys_lacking)}. Add them, or complete it with missing='uniform' (--missing "
                "uniform)."
            )
        return slots


def _list_infosets(keys: Iterable[Key]) -> str:
    keys = list(keys)
    named = ", ".join(f"player {player} {key!r}" for player, key in keys[:_NAMED])
    if len(keys) <= _NAMED:
        return named
    return f"{named} and {len(keys) - _NAMED} more"
