"""Buckets of hands of cards, as users ask for them: how many on each street, and what tells hands apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._jit.cache_folder import cache_folder
from ..._util.archive import open_archive, save_archive
from ..._util.arrays import Ints
from ..._util.files import make_folder
from ..._util.validate import check_seed, is_whole
from ...errors import GameError, SolutionError
from ...form.compiled_game import is_compiled
from ...form.walk.form import is_walked
from ...game.card_game import CardGame, card_game
from ...games.load import load
from .features import BINS, DECIMALS, OPPONENT_CLUSTERS, FeatureFunction, make_features
from .game_buckets import GameBuckets
from .hand_index import HandIndexer
from .street_tables import (
    MOST_FITTED,
    PUBLIC,
    STREETS,
    StreetTable,
    build_table,
    street_indexer,
)

Say = Callable[[str], None]
MOST_BUCKETS = 65_536
_VERSION = 1
"""Of the tables that are kept: a greater one where the same settings lead to others."""


class Buckets:
    """Buckets of hands that are played alike: a map of infosets for :func:`equilibrist.abstract`.

    Hands are put together by k-means, from what they come to if nobody bets any more. On a street
    all hands on all boards share the buckets, which are numbered from the weakest to the strongest.
    Players forget in which buckets they were before (imperfect recall).

    Parameters
    ----------
    preflop, flop, turn, river : int
        How many buckets there are at most on each street. A game of other cards than hold'em has its
        first buckets from ``preflop``, those after the first public cards from ``flop``, and so on.
    features : str or function
        What tells hands apart. ``"equity"`` (``"ev"``): the share of a pot that is checked down.
        ``"histogram"``: the distribution of the equity over the run-outs, by the earth mover's
        distance. ``"potential"``: the distribution over the buckets of the next street, by the same
        distance; on the last street the equity. ``"strength against opponents' clusters"``
        (``"ochs"``): the equity against each of eight clusters of the opponent's hands. Or a function
        of two arrays of shape (run-outs, hands), equity and weight, which returns numbers of shape
        (hands, dimensions).
    seed : int
        Of the clusters; the same seed gives the same buckets, to the bits.

    Raises
    ------
    GameError
        A number of buckets is not from 1 to 65,536, or there are no such features.
    AlgorithmError
        ``seed`` is none.

    Notes
    -----
    In a game that begins on a board, the equity is that against the opponent's range, and each
    player has buckets of their own (:func:`equilibrist.abstract` makes them, in seconds). For whole
    streets (:meth:`assign`) it is that against any hand; tables of all hands up to suits are made
    when they are asked for, which takes minutes, and kept in the user's cache folder.

    References
    ----------
    Johanson, Burch, Valenzano & Bowling 2013, "Evaluating state-space abstractions in
    extensive-form games" (clusters of opponents' hands). Ganzfried & Sandholm 2014,
    "Potential-aware imperfect-recall abstraction with earth mover's distance in imperfect-information
    games"; their distance between the buckets of the next street is not that between equities.
    Gilpin, Sandholm & Sørensen 2007 (histograms).

    Examples
    --------
    >>> import equilibrist as eq
    >>> buckets = eq.Buckets(river=20, features="equity")
    >>> game = eq.abstract("holdem(board='Td9d6hQc2s', oop='66+,A8s+', ip='QQ-22,ATo+', pot=200, "
    ...                    "stack=900, bets='50%')", buckets)
    >>> solution = eq.solve(game, iterations=100)
    >>> solution.config.abstraction.buckets < solution.infosets
    True
    """

    def __init__(
        self,
        preflop: int = 169,
        flop: int = 200,
        turn: int = 200,
        river: int = 100,
        *,
        features: str | FeatureFunction = "histogram",
        seed: int = 0,
    ) -> None:
        counts = (preflop, flop, turn, river)
        for street, count in zip(STREETS, counts, strict=True):
            if not is_whole(count, 1, MOST_BUCKETS):
                raise GameError(
                    f"Buckets: {street} must be a number of buckets, 1 to {MOST_BUCKETS}; got "
                    f"{count!r}.",
                    wrong_use=True,
                    field=street,
                )
        self.counts = counts
        self.features = make_features(features)
        self._is_own = callable(features)
        self.seed = check_seed(seed)
        self._tables: dict[int, StreetTable] = {}

    def __str__(self) -> str:
        names = ", ".join(
            f"{street}={count}" for street, count in zip(STREETS, self.counts, strict=True)
        )
        return f"Buckets({names}, features={self.features.name!r}, seed={self.seed})"

    __repr__ = __str__

    # --- of a game ---

    def bind_game(self, game: Any) -> GameBuckets | Buckets:
        """Return the map of the infosets of a game, which :func:`equilibrist.abstract` asks for.

        Raises
        ------
        GameError
            It is no game of cards, or has hands of more than two, or too many run-outs.
        """
        rules = load(game) if isinstance(game, str) else game
        if hasattr(rules, "offer_bucket_table"):
            # A game from the first card on is solved in buckets of whole streets.
            return self
        cards = _find_card_game(game)
        counts = [self.counts[street] for street in _find_streets(cards)]
        return GameBuckets(
            cards, name=str(self), counts=counts, features=self.features, seed=self.seed
        )

    # --- of whole streets ---

    def indexer(self, street: str) -> HandIndexer:
        """Return what numbers the hands of a street up to suits: two private cards, and the board as a set."""
        return street_indexer(_street_number(street))

    def count(self, street: str) -> int:
        """Return how many buckets a street has; makes its table if nobody has yet."""
        return len(self._table(_street_number(street)).position)

    def table(self, street: str) -> NDArray[np.uint16]:
        """Return the bucket of each hand of a street, by the number that :meth:`indexer` gives it."""
        return self._table(_street_number(street)).bucket

    def assign(self, street: str, hands: ArrayLike) -> Ints:
        """Return the bucket of each hand on a street, shape (n,).

        Parameters
        ----------
        street : {"preflop", "flop", "turn", "river"}
            Which.
        hands : array-like of int, shape (n, cards)
            Two private cards and the public cards of each: 2, 5, 6 or 7; 4 · rank + suit.

        Raises
        ------
        GameError
            There is no such street, or hands have another number of cards.
        """
        number = _street_number(street)
        index = street_indexer(number).index(hands)
        return self._table(number).bucket[index].astype(np.int64)

    def prepare(self, say: Say = lambda text: None) -> None:
        """Make the tables of all streets that are not kept yet, the last street first.

        ``say`` is told in a few words how far it is.
        """
        for number in reversed(range(len(STREETS))):
            self._table(number, say)

    def _table(self, street: int, say: Say = lambda text: None) -> StreetTable:
        """Return the table of a street: the one that is known, or kept on disk, or made now."""
        if street in self._tables:
            return self._tables[street]
        path = self._path(street)
        table = None if path is None else _read_table(path, street_indexer(street).size)
        if table is None:
            following = None
            if self._needs_next(street):
                following = self._table(street + 1, say)
            table = build_table(
                street,
                count=self.counts[street],
                features=self.features,
                following=following,
                seed=self.seed,
                say=say,
            )
            if path is not None:
                _write_table(path, table)
        self._tables[street] = table
        return table

    def _needs_next(self, street: int) -> bool:
        """Return whether the features of a street are told by the buckets of the next one."""
        return self.features.needs_next_street and street < len(STREETS) - 1

    def _path(self, street: int) -> Path | None:
        """Return where the table of a street is kept, by a digest of all that it depends on; None for own features."""
        if self._is_own:
            return None
        last = len(STREETS) if self._needs_next(street) else street + 1
        settings = {
            "version": _VERSION,
            "street": street,
            "counts": self.counts[street:last],
            "features": self.features.name,
            "seed": self.seed,
            "constants": (BINS, DECIMALS, OPPONENT_CLUSTERS, MOST_FITTED),
        }
        digest = hashlib.sha256(json.dumps(settings).encode()).hexdigest()
        return cache_folder() / "buckets" / f"{STREETS[street]}-{digest[:32]}.npz"


def _street_number(street: str) -> int:
    if street not in STREETS:
        raise GameError(
            f"street must be one of {', '.join(map(repr, STREETS))}; got {street!r}.",
            wrong_use=True,
            field="street",
        )
    return STREETS.index(street)


def _find_card_game(game: Any) -> CardGame:
    """Return the cards of a game that is given as a text, as rules, or compiled."""
    rules = game
    if isinstance(game, str):
        rules = load(game)
    elif is_walked(game):
        rules = load(game.name)
    elif is_compiled(game):
        rules = getattr(game, "game", None)
        if rules is None:
            rules = load(game.definition)
    cards = card_game(rules)
    if cards is None:
        raise GameError(
            f"Buckets are for games of cards, such as holdem and rhode_island; got {game}. Write a "
            "map of your own: a function of an infoset.",
            wrong_use=True,
            field="map",
        )
    return cards


def _find_streets(cards: CardGame) -> list[int]:
    """Return which of the four streets each street of a game is: by the public cards of hold'em, or by their order."""
    public = [len(cards.board)]
    for shown in cards.streets:
        public.append(public[-1] + shown)
    if public[-1] == PUBLIC[-1]:
        return [PUBLIC.index(count) for count in public]
    last = len(STREETS) - 1
    return [min(number, last) for number in range(len(public))]


def _read_table(path: Path, hands: int) -> StreetTable | None:
    """Return a table that was kept, or None where there is none that can be read."""
    if not path.exists():
        return None
    try:
        with open_archive(path) as archive:
            table = StreetTable(
                archive.array("bucket", max_size=hands),
                archive.array("position", max_size=MOST_BUCKETS),
            )
    except SolutionError:
        return None
    if table.bucket.shape != (hands,) or table.bucket.max() >= len(table.position):
        return None
    return table


def _write_table(path: Path, table: StreetTable) -> None:
    """Keep a table, whole or not at all; where nothing can be written it is made again another time."""
    with suppress(SolutionError, OSError):
        make_folder(path.parent)
        arrays: dict[str, NDArray[Any]] = {"bucket": table.bucket, "position": table.position}
        save_archive(path, {}, arrays)
