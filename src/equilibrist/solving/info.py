"""What a solution says of its run and its game: a run id, the settings, versions, sizes."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from platform import python_version

from ..form.traits import TRAITS, FormTraits
from .config import SolveConfig


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that decide a result."""
    return {
        "python": python_version(),
        **{name: _version(name) for name in ("equilibrist", "numpy", "numba")},
    }


_version = cache(version)  # which reads a file: as long as half of solving a river


@dataclass(frozen=True, slots=True, kw_only=True)
class GameInfo:
    """Sizes and kind of a game; of one that is sampled without a tree, of what was met.

    Attributes
    ----------
    name : str
        The game, as :func:`equilibrist.load` takes it where it was given as text, else its name.
    players : int
        Number of players.
    histories : int or None
        None where the game is sampled without a tree.
    infosets : int
        Of all players together.
    slots : int
        Actions at infosets, and an empty sequence of each player.
    zero_sum : bool or None
        Whether payoffs sum to 0 everywhere; None where ``histories`` are.
    form : str
        What the game was compiled into: "sequence", "public", "cards"; "walk" where it is walked,
        "none" where it is sampled without a tree.
    payoff : str
        What the payoff between the players was made of, in words.
    pot : float or None
        What is in the middle at the start of a card game that says so; payoff.
    definition : str
        Name of the compiled game where ``name`` is another, as that of a file is: what builds the
        game if the file has gone or changed.
    fingerprint : str
        Digest of the compiled game, so that a run is resumed on the game that it began with.
    """

    name: str
    players: int
    histories: int | None
    infosets: int
    slots: int
    zero_sum: bool | None
    form: str
    payoff: str = ""
    pot: float | None = None
    definition: str = ""
    fingerprint: str = ""

    @property
    def traits(self) -> type[FormTraits]:
        """What is true of the form of the game."""
        return TRAITS[self.form]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """Identity and settings of a run.

    Attributes
    ----------
    game : GameInfo
        Name, sizes and kind of the game.
    run_id : str
        32 hexadecimal digits, new for each run and kept when it is resumed: trackers and servers
        know it by this.
    started : str
        When the run began, UTC, in ISO 8601.
    config : SolveConfig or None
        All settings; None for the linear programme, which has none. Those of a resumed run are the
        ones that it went on with last.
    versions : dict
        Versions of Python, Equilibrist, NumPy and Numba that ran last.
    table_bytes : int
        Bytes that the tables of a sampled run took.
    """

    game: GameInfo
    run_id: str
    started: str
    config: SolveConfig | None = None
    versions: dict[str, str] = field(default_factory=package_versions)
    table_bytes: int = 0


def new_run_id() -> str:
    """Return an id that no other run has."""
    return uuid.uuid4().hex


def utc_now() -> str:
    """Return the time, as :attr:`RunInfo.started` tells it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
