"""Abstractions as the user gives them: a game and a map of its infosets, and who is bound to the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._util.plain import fields_from_plain
from ..._util.python_classes import import_file
from ..._util.spec import split_place
from ..._util.text import count_text
from ...errors import AlgorithmError, GameError, SolutionError, nearest
from ..compiled_game import CompiledGame
from .infoset_map import (
    GameMap,
    InfosetMap,
    InfosetSource,
    MapFunction,
    MapTable,
    SavedBuckets,
    make_infoset_map,
)

if TYPE_CHECKING:
    from typing_extensions import TypeIs

ABSTRACTED = "abstracted"
UNABSTRACTED = "unabstracted"
BEST_RESPONSE = "best_response"
OPPONENTS = (ABSTRACTED, UNABSTRACTED, BEST_RESPONSE)
"""Whom each player learns against: the others in the abstraction, or somebody in the real game."""

NO_THEOREM = (
    "No theorem stands behind imperfect recall: a run may approach nothing, and more iterations "
    "may make it worse."
)


@dataclass(frozen=True, slots=True)
class Abstraction:
    """Which infosets a run plays alike, and against whom: a setting of the run.

    Attributes
    ----------
    map : str
        What the map is called.
    opponent : {"abstracted", "unabstracted", "best_response"}
        Whom each player learns against.
    buckets, infosets : int
        Number of buckets, and of the infosets in them; 0 before the game is compiled. Of a game of
        which nobody can count the infosets, these are 0.
    has_perfect_recall : bool
        Whether no player forgets what they knew or did.
    digest : str
        A digest of which infosets are together; empty before the game is compiled.
    source : function, table or SavedBuckets, optional
        The map itself; None where settings are read without the tables of their run.
    """

    map: str
    opponent: str = ABSTRACTED
    buckets: int = 0
    infosets: int = 0
    has_perfect_recall: bool = False
    digest: str = ""
    source: MapFunction | MapTable | SavedBuckets | None = field(
        default=None, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        if self.opponent not in OPPONENTS:
            raise AlgorithmError(
                f"opponent must be one of {', '.join(map(repr, OPPONENTS))}; got "
                f"{self.opponent!r}.",
                field="opponent",
            )

    @property
    def binds_opponents(self) -> bool:
        """Whether players learn against others who are bound to the abstraction as well."""
        return self.opponent == ABSTRACTED

    @property
    def responds(self) -> bool:
        """Whether players learn against a best response in the real game."""
        return self.opponent == BEST_RESPONSE

    def make_map(self, form: InfosetSource) -> InfosetMap:
        """Return the map of the infosets of a compiled game, or of the table of one that is walked."""
        assert self.source is not None
        return make_infoset_map(form, self.source)

    def check_saved(self, infoset_map: InfosetMap, bucket: Any) -> None:
        """Refuse to go on with another map than that of a saved run, whose buckets these are.

        Raises
        ------
        SolutionError
            They differ.
        """
        if not np.array_equal(infoset_map.bucket, bucket):
            raise SolutionError(
                f"The map {self.map} puts other infosets together than the saved run does. Give "
                "the map that the run began with, or the game without one: the run knows its "
                "buckets.",
                wrong_use=True,
            )

    def describe_map(self, infoset_map: InfosetMap) -> Abstraction:
        """Return the same with the sizes of a map."""
        return replace(
            self,
            buckets=infoset_map.num_buckets,
            infosets=len(infoset_map.bucket),
            has_perfect_recall=infoset_map.has_perfect_recall,
            digest=infoset_map.digest,
        )

    def check_bound(self, what: str, value: str) -> None:
        """Refuse opponents in the real game for a way to iterate that knows none: a setting and its value.

        Raises
        ------
        AlgorithmError
            There are some.
        """
        if not self.binds_opponents:
            raise AlgorithmError(
                f"opponent={self.opponent!r} is for full passes through a compiled game; got "
                f"{what}={value!r}. Leave one of them out.",
                field="opponent",
            )

    def check_sampled(self, sampling: str) -> None:
        """Refuse best responses in the real game, of which samples know none.

        Raises
        ------
        AlgorithmError
            Players learn against them.
        """
        if self.responds:
            raise AlgorithmError(
                f"opponent={self.opponent!r} is for full passes; got sampling={sampling!r}. Give "
                f"opponent={UNABSTRACTED!r}, who learns in the real game, or leave sampling out.",
                field="opponent",
            )

    def check_game(self, form: CompiledGame) -> None:
        """Refuse a game for which an opponent in the real game makes no sense, or whose strategies are locked.

        Raises
        ------
        AlgorithmError
            It has other than two players, payoffs without a constant sum, or locks.
        """
        if len(form.locked_slots):
            raise AlgorithmError(
                f"{form.name} has locks, which an abstraction does not know. Leave one of them "
                "out.",
                field="map",
            )
        if not self.binds_opponents and not (form.zero_sum and form.players == 2):
            raise AlgorithmError(
                f"opponent={self.opponent!r} is for zero-sum games of two players, where it leads "
                f"to the least exploitable strategy of an abstraction; {form.name} is none. Give "
                f"opponent={ABSTRACTED!r}.",
                field="opponent",
            )

    @property
    def guarantee(self) -> str:
        """What the exploitability of a run means, in two sentences."""
        where = (
            "Exact, in the real game, of the strategy that plays each infoset as its bucket does."
        )
        if self.buckets and not self.infosets:
            where = (
                "The strategy plays each infoset as its bucket does; how exploitable it is in the real "
                "game is not known."
            )
        if not self.has_perfect_recall:
            return f"{where} {NO_THEOREM}"
        if self.binds_opponents:
            towards = (
                "What is approached is an equilibrium of the abstraction, whose exploitability in "
                "the real game is not 0"
            )
        else:
            towards = (
                "What is approached is the least exploitable strategy of the abstraction, whose "
                "exploitability is not 0"
            )
        return f"{where} {towards}."

    def __str__(self) -> str:
        sizes = ""
        if self.buckets:
            sizes = f": {count_text(self.buckets, 'bucket')}"
        if self.infosets:
            sizes += f" of {count_text(self.infosets, 'infoset')}"
        return f"{self.map}{sizes}, {_OPPONENT_WORDS[self.opponent]}"

    def to_plain(self) -> dict[str, Any]:
        """Return the fields but the map itself, as plain data."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "source"}

    @classmethod
    def from_plain(cls, table: Any) -> Abstraction:
        """Return an abstraction from plain data, checked field by field."""
        return cls(**fields_from_plain(cls, {**table, "source": None}))


_OPPONENT_WORDS = {
    ABSTRACTED: "all players in the abstraction",
    UNABSTRACTED: "each against an opponent in the real game",
    BEST_RESPONSE: "each against a best response in the real game",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AbstractGame:
    """A game whose players forget: what :func:`abstract` returns and :func:`equilibrist.solve` takes.

    Attributes
    ----------
    game : str, Game, PublicGame, CardGame or compiled game
        The real game, in which strategies are certified.
    abstraction : Abstraction
        Which of its infosets are played alike.
    """

    game: Any
    abstraction: Abstraction

    def __repr__(self) -> str:
        return f"<AbstractGame: {self}>"

    def __str__(self) -> str:
        name = self.game if isinstance(self.game, str) else getattr(self.game, "name", self.game)
        return f"{name} by {self.abstraction}"


def abstract(
    game: Any, map: MapFunction | MapTable | GameMap | str, *, opponent: str = ABSTRACTED
) -> AbstractGame:
    """Return a game whose players forget: infosets that a map puts into the same bucket are played alike.

    :func:`equilibrist.solve` takes it in the place of a game. Values and regrets are added up over
    a bucket. The strategy that comes out is one of the real game, and all that is said of it, its
    exploitability first, is said there: of the abstract game no number is given.

    Parameters
    ----------
    game : str, Game, PublicGame, CardGame, SequenceForm, PublicForm or CardForm
        The real game, as for :func:`equilibrist.solve`.
    map : function, mapping, Buckets or str
        A function of an infoset, a named tuple with ``player``, ``key`` and ``actions``, that
        returns the name of its bucket: anything that can be a key of a dictionary, or None, which
        leaves the infoset by itself. Or a table, ``{"J": "low", (1, "Q"): "low"}``, which leaves
        infosets that it has not by themselves. Or where a Python file has either,
        ``"buckets.py:halves"``. Infosets of a bucket have the same player and the same actions. A
        player may forget what they knew or did before (imperfect recall).
        :class:`equilibrist.Buckets` are a map of hands of cards.
    opponent : {"abstracted", "unabstracted", "best_response"}
        Whom each player learns against. ``"abstracted"``: the others, who are in the abstraction as
        well. ``"unabstracted"``: each player against somebody who plays the real game and learns by
        the same algorithm. ``"best_response"``: against the best response of the real game to what
        is played (CFR-BR). The last two lead to the least exploitable strategy of the abstraction,
        in zero-sum games of two players. An iteration of them takes longer, with best responses of
        small games a hundred times as long (``python -m benchmarks.abstraction``). With samples of a
        tree there are ``"abstracted"`` and ``"unabstracted"``.

    Raises
    ------
    GameError
        ``map`` is none, or the Python file has none of that name. What is wrong with its buckets is
        said when the game is compiled: different players or actions in one of them, or an infoset
        that comes after another one of its bucket in a play.
    AlgorithmError
        There is no such ``opponent``.

    Notes
    -----
    With perfect recall in the abstraction an equilibrium of it is approached. No theorem stands
    behind imperfect recall. A finer abstraction can be more exploitable (Waugh et al. 2009).

    References
    ----------
    Waugh, Schnizlein, Bowling & Szafron 2009, "Abstraction pathologies in extensive games".
    Lanctot, Gibson, Burch, Zinkevich & Bowling 2012, "No-regret learning in extensive-form games
    with imperfect recall". Johanson, Bard, Burch & Bowling 2012, "Finding optimal abstract
    strategies in extensive-form games" (CFR-BR).

    Examples
    --------
    Kuhn poker with four cards, of which two are told apart:

    >>> import equilibrist as eq
    >>> def halves(infoset):
    ...     return infoset.player, infoset.key[0] in "QJ", infoset.key[1:]
    >>> game = eq.abstract("kuhn(cards=4)", halves, opponent="unabstracted")
    >>> solution = eq.solve(game, iterations=1000)
    >>> solution.infosets, solution.config.abstraction.buckets
    (16, 8)
    >>> 0.052 < solution.exploitability < 0.053  # 5/96 is the least
    True
    """
    if isinstance(game, AbstractGame):
        raise GameError(
            f"{game.game} is abstracted already, by {game.abstraction.map}: give the real game.",
            wrong_use=True,
        )
    source: Any = map
    if isinstance(map, str):
        source = load_map(map)
        text = map
    else:
        text = _describe_source(map)
    if isinstance(source, GameMap):
        source = source.bind_game(game)
    return AbstractGame(game, Abstraction(text, opponent, source=source))


def load_map(text: str) -> MapFunction | MapTable | GameMap:
    """Return the function or table that a text names, ``buckets.py:halves``; the file is run.

    Raises
    ------
    GameError
        There is no such file, or nothing in it that is a map and has that name.
    """
    place = split_place(text)
    if place is None:
        raise GameError(
            "A map is a function or a table, or where a Python file has it, as in "
            f"'buckets.py:halves'; got {text!r}.",
            wrong_use=True,
            field="map",
        )
    members = vars(import_file(Path(place.file), GameError))
    source: Any = members.get(place.call.strip())
    if not _is_map(source):
        names = [name for name, member in members.items() if name[0] != "_" and _is_map(member)]
        hint = nearest(place.call, names) if names else ""
        raise GameError(
            f"There is no function or table {place.call!r} in '{place.file}'.{hint}",
            wrong_use=True,
            field="map",
        )
    checked: MapFunction | MapTable | GameMap = source
    return checked


def _is_map(source: Any) -> bool:
    if isinstance(source, type):
        return False
    return isinstance(source, Mapping | GameMap) or callable(source)


def _describe_source(source: Any) -> str:
    """Return what a map is called that is given as an object, or refuse what is none."""
    if isinstance(source, Mapping):
        return f"a table of {count_text(len(source), 'infoset')}"
    if not _is_map(source):
        raise GameError(
            "A map is a function of an infoset, a table by infoset, or where a Python file has "
            f"one, as in 'buckets.py:halves'; got an object of type {type(source).__name__!r}.",
            wrong_use=True,
            field="map",
        )
    if isinstance(source, GameMap):
        return str(source)
    return str(getattr(source, "__name__", type(source).__name__))


def is_abstract(game: object) -> TypeIs[AbstractGame]:
    """Return whether a game is one whose players forget."""
    return isinstance(game, AbstractGame)


def split_game(game: Any) -> tuple[Any, Abstraction | None]:
    """Return the real game, and the abstraction where there is one."""
    if is_abstract(game):
        return game.game, game.abstraction
    return game, None
