"""Hands dealt at a chosen decision, as often as a strategy comes there: at infosets of any game, at a line of a spot.
Or at the mistakes in a table of graded hands.

A play comes to infoset I of player i with the probability π_i(I) · π_{-i}(I). An infoset of those
that are chosen is drawn in this proportion (by π_{-i} where the strategy of the player itself never
comes to any of them), then a history of it in proportion to the reach of chance and the others:
what the player knows of them is what a play would tell.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .._util.archive import raise_one_sentence
from .._util.arrays import Floats, Ints
from .._util.files import open_regular
from ..errors import GameError, nearest
from ..evaluation.action_values import ActionValues, infoset_reach
from ..form.sequence.tree import GameTree, child_numbers, history_reach, move_probabilities
from ..strategy.tables import ParquetColumns
from .dealing import HandInPlay, draw_index
from .hand import Move
from .playable import PlayableGame

if TYPE_CHECKING:
    import pyarrow

MOST_TRIES = 20_000
"""Of hands that are dealt until one comes to the line, where there is no tree to look it up in."""

FEW_TRIES = 500
"""The same for one of many lines: what is met more rarely is left out."""


ANY = "*"
"""The pattern that everything fits."""

OFTEN = "as often as a play comes there"


class Start(NamedTuple):
    """Where a hand begins: the seat of who chooses, and the moves that lead there, by number or by name."""

    seat: int
    begin: tuple[int | str, ...]


class Line(Protocol):
    """Where hands are dealt: ``name`` and how ``often`` in words."""

    name: str
    often: str

    def deal(self, source: random.Random) -> Start:
        """Return the beginning of a hand."""
        ...


Costs = Mapping[tuple[int | None, str], float]
"""What decisions cost, by player (None where the game says who it is) and name of the infoset."""


class InfosetLine:
    """Infosets of a player at which hands are dealt, against the strategy of ``values``.

    The pattern is the name of an infoset, or stands for several: ``*`` for any text, ``?`` for a
    character. A seat is needed where the infosets of several players fit. It is an error if none
    fits, or chance and the others lead to none.
    """

    often = OFTEN

    def __init__(
        self, playable: PlayableGame, values: ActionValues, pattern: str, *, seat: int | None = None
    ) -> None:
        self._playable = playable
        self._values = values
        self.name = pattern
        names = [(infoset.player, infoset.key) for infoset in values.form.infosets]
        matches = [i for i, (_, key) in enumerate(names) if key == pattern]
        matches = matches or [i for i, (_, key) in enumerate(names) if fnmatchcase(key, pattern)]
        if seat is not None:
            matches = [i for i in matches if names[i][0] == seat]
        if not matches:
            hint = nearest(
                pattern, [key for player, key in names if seat is None or player == seat]
            )
            whose = "" if seat is None else f"player {seat} of "
            raise GameError(
                f"{whose}{playable.name} has no infoset {pattern!r}.{hint}", wrong_use=True
            )
        seats = sorted({names[i][0] for i in matches})
        if len(seats) > 1:
            both = " and ".join(map(str, seats))
            raise GameError(
                f"{pattern!r} fits infosets of the players {both} of {playable.name}; give a seat.",
                wrong_use=True,
            )
        self.seat = seats[0]
        self._keys = {i: names[i][1] for i in matches}
        self._infosets, self._weights = self._reached_infosets(np.array(matches))

    def _reached_infosets(self, matches: Ints) -> tuple[Ints, Floats]:
        """Return the infosets that are reached at all, and how often."""
        form = self._values.form
        strategy = self._values.strategy
        for reach in (infoset_reach(form, strategy), self._values.cf_reach):
            weights = reach[matches]
            if weights.sum() > 0:
                return matches[weights > 0], weights[weights > 0]
        raise GameError(
            f"{self.name!r}: chance and the others never lead there with this strategy; choose "
            "another line.",
            wrong_use=True,
        )

    def deal(self, source: random.Random) -> Start:
        infoset = source.choices(self._infosets.tolist(), self._weights.tolist())[0]
        if self._histories is None:
            return Start(self.seat, self._try_hands(infoset, source))
        tree, reach = self._histories
        histories = np.flatnonzero(tree.infoset == infoset)
        history = source.choices(histories.tolist(), reach[histories].tolist())[0]
        return Start(self.seat, tuple(child_numbers(tree.parent, tree.first_child, history)))

    @cached_property
    def _histories(self) -> tuple[GameTree, Floats] | None:
        """The tree, and the reach of each of its histories by chance and the others; None where there is no tree."""
        form = self._values.form
        tree = self._values.form.tree
        if tree is None:
            return None
        moves = move_probabilities(tree, self._values.strategy[form.slot])
        return tree, history_reach(
            tree, np.where(tree.player[tree.parent] == self.seat, 1.0, moves)
        )

    def _try_hands(self, infoset: int, source: random.Random) -> tuple[int | str, ...]:
        """Return the moves of the first hand that comes to an infoset whose player goes there on purpose."""
        form, path_actions = self._values.form, dict[str, int]()
        sequence = int(form.parents(np.array([infoset]))[0])
        while sequence >= 0:
            infoset_before = int(np.searchsorted(form.first_action, sequence, side="right")) - 1
            path_actions[form.infosets[infoset_before].key] = sequence - int(
                form.first_action[infoset_before]
            )
            sequence = int(form.parents(np.array([infoset_before]))[0])

        def decide(player: int, key: str, actions: tuple[str, ...]) -> Move | None:
            if player == self.seat:
                if key in path_actions:
                    return Move(player, key, actions, path_actions[key])
                return None
            index = self._values.index[player, key]
            slots = form.slot[form.first_action[index] : form.first_action[index + 1]]
            return Move(player, key, actions, -1, tuple(self._values.strategy[slots].tolist()))

        for _ in range(MOST_TRIES):
            hand = HandInPlay(self._playable, decide, partial(draw_index, source))
            if hand.choice is not None and hand.choice.infoset == self._keys[infoset]:
                return tuple(move.taken for move in hand.moves)
        raise GameError(
            f"{self._keys[infoset]!r} of {self._playable.name} was not met in {MOST_TRIES:,} hands; "
            "choose a line that is reached more often.",
            wrong_use=True,
        )


class AnyLine:
    """Lines of a spot, or infosets of any player, that are drawn one by one.

    ``groups`` are names that are drawn equally often, and so are those of each group; ``line_at``
    makes the line of a name. Names at which no hand can be dealt are left out; it is an error if
    none is left.
    """

    def __init__(
        self,
        groups: Sequence[Sequence[str]],
        line_at: Callable[[str], Line],
        name: str,
        *,
        often: str,
    ) -> None:
        self._groups = groups
        self._line_at = line_at
        self.name = name
        self.often = often
        self._lines: dict[str, Line | None] = {}

    def deal(self, source: random.Random) -> Start:
        # Anew, as the source alone decides.
        groups = [list(group) for group in self._groups if group]
        while groups:
            group = source.choice(groups)
            name = source.choice(group)
            line = self._find_line(name)
            seed = source.random()  # one number for a line, whether hands can be dealt there or not
            if line is not None:
                try:
                    return line.deal(random.Random(seed))
                except GameError:
                    self._lines[name] = None
            group.remove(name)
            groups = [names for names in groups if names]
        raise GameError(
            f"{self.name}: nobody comes there with this strategy; choose a line.", wrong_use=True
        )

    def _find_line(self, name: str) -> Line | None:
        """Return a line; None where nobody comes to it."""
        if name not in self._lines:
            self._lines[name] = None
            with suppress(GameError):
                self._lines[name] = self._line_at(name)
        return self._lines[name]


class MistakesLine:
    """Decisions that cost something, dealt again: each as often as it is part of what all of them cost.

    ``costs`` are by player and name of the infoset; ``line_at`` makes the line of one. Those that
    the game does not have, for other rules graded them, are left out; it is an error if none is
    left.
    """

    often = "as often as each is part of what they cost"

    def __init__(
        self, costs: Costs, line_at: Callable[[int | None, str], Line], source: str, remedy: str
    ) -> None:
        self.name = f"the mistakes in {source}"
        self._lines: dict[tuple[int | None, str], Line] = {}
        for place in costs:
            with suppress(GameError):
                self._lines[place] = line_at(*place)
        if not self._lines:
            if costs:
                lack = "decisions of other spots alone"
            else:
                lack = "no decision that costs anything"
            raise GameError(f"{source} has {lack}; {remedy}.", wrong_use=True)
        self._weights = [costs[place] for place in self._lines]

    def deal(self, source: random.Random) -> Start:
        return source.choices(list(self._lines.values()), self._weights)[0].deal(source)


def read_graded_costs(path: Path) -> Costs:
    """Return what decisions of a table of :class:`equilibrist.poker.Grades` cost, in % of the pot."""
    costs: Counter[tuple[int | None, str]] = Counter()
    for line, board, cards, cost in zip(*_read_graded_columns(path), strict=True):
        if cost > 0:
            costs[None, f"{cards} {board} {line}"] += cost
    return costs


def _read_graded_columns(path: Path) -> list[list[Any]]:
    """Return line, board, cards and cost in % of the pot of a table of grades."""
    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, read_csv

    names = ("line", "board", "cards", "cost_percent")
    kinds = {**dict.fromkeys(names[:3], pa.string()), names[3]: pa.float64()}
    missing = f"{path} is not there; give what 'equilibrist grade' wrote."
    broken = (
        f"{path} is no table of graded hands ({{detail}}); give what 'equilibrist grade' wrote."
    )
    with raise_one_sentence(path, broken, missing), open_regular(path) as file:
        if path.suffix == ".csv":
            options = ConvertOptions(
                column_types=kinds, include_columns=names, strings_can_be_null=False
            )
            table = read_csv(file, convert_options=options)
        else:
            table = ParquetColumns(file, texts=names[:3]).read(names)
        texts = [_read_texts(table[name]) for name in names[:3]]
        return [*texts, table[names[3]].cast(kinds[names[3]]).to_pylist()]


def _read_texts(column: pyarrow.ChunkedArray) -> list[str]:
    """Return the texts of a column; equal ones are one object, as a file may have few of them in millions of rows."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        encoded = column
    else:
        encoded = column.cast(pa.string()).dictionary_encode()
    rows: list[str] = []
    for chunk in encoded.chunks:
        words = chunk.dictionary.to_pylist()
        rows += [words[number] for number in chunk.indices.to_pylist()]
    return rows
