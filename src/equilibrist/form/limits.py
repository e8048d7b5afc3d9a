"""Where compiling gives up: at a number of histories or moves, or where the memory that there is does not suffice."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import psutil

from .._util.validate import MOST_WHOLE, is_number, is_whole
from ..errors import AlgorithmError, EquilibristWarning, GameError, GameTooLargeError
from ..show.numbers import format_duration, format_estimate, format_two_digits
from .projection import Projection, estimate_histories

MAX_DEPTH = 1_000
PROCESS_GB = 0.25
"""Gigabytes that a process takes by itself: the interpreter, the libraries and the kernels."""
NEVER = 2**62
"""More histories than any game has."""
LONG = 300.0
"""Seconds of compiling that are announced in a warning."""
LEAST_COMPILING = 1.0
"""Seconds that any limit leaves for compiling: a short one is meant for the iterations."""

MOST_WALKED = 86_400.0
"""Seconds of walks of all players beyond which they are refused."""
WALKED_EACH = 45e-9
"""Seconds that a walk of compiled rules takes for each history where it is long: ``python -m benchmarks.walk``."""
_SHARE_WALKED = (
    0.7  # of the time that compiling takes, where rules are in Python: the walk of a player
)

RAISE_INSTEAD = (
    "Raise Limits(histories=) (--max-histories), leave it out to take as many as there is memory for, "
    "or choose a smaller game."
)
_PAUSE = 0.1  # seconds between two looks at what has been found
_PATIENCE = 0.3  # seconds after which a game is played at random even if little has been found
# random plays before anything has been found; more of a game that seems too large
_GLIMPSES = (
    64,
    1024,
)
# found between two looks
_FEWEST = 1 << 4
_MOST = 1 << 18


def instead_of_compiling(*, compiled_rules: bool, walk: float | None = None) -> str:
    """Return what to do with a game that is too large; walks of all players take so many seconds, if that is known."""
    if compiled_rules:
        scheme = "external"
        draws = "samples"
    else:
        scheme = "outcome"
        draws = "rollouts"
    sampled = (
        f"Sample it without compiling it (sampling='{scheme}(tree=False)', --sampling "
        f"'{scheme}(tree=False)')"
    )
    if walk is not None and walk > MOST_WALKED:
        return (
            f"{sampled}, and bound how exploitable it is by eq.local_best_response(…, {draws}=…) "
            "(evaluate --lbr … "
            f"--{draws} …), for a walk takes {format_duration(walk)}. Or choose a smaller game."
        )
    if walk is not None and walk > 1.0:
        length = f"a walk of {format_duration(walk)}"
    else:
        length = "a walk"
    if compiled_rules:
        run = "the run (until=), and any strategy"
    else:
        run = "any strategy"
    return (
        f"{sampled}: {length} certifies {run} (form='walk', --form walk). Or choose a smaller game."
    )


def free_memory() -> float:
    """Return the gigabytes that this machine has free."""
    return float(psutil.virtual_memory().available) / 1e9


class CompilingTimeError(GameError):
    """A game takes more time to compile than is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run, or anything else that compiles a game, may take.

    A function refuses a limit that it cannot keep to.

    Parameters
    ----------
    memory_gb : float, optional
        Gigabytes that a game may take while it is compiled, and then with the tables and the
        solution; by default what the machine has free. (Without a tree: ``Sampling.gigabytes``.)
    nodes : int, optional
        The run ends when this many histories have been touched (:attr:`Solution.nodes_touched`),
        those before a resume included. For runs alone.
    histories : int, optional
        The most histories of a game that is compiled, or public nodes of one whose form is public or
        of cards; by default as many as there is memory for.
    depth : int, optional
        The most moves of a play, 1,000 by default.

    Raises
    ------
    AlgorithmError
        A limit makes no sense.

    Examples
    --------
    >>> import equilibrist as eq
    >>> eq.solve("kuhn", limits=eq.Limits(nodes=10_000)).nodes_touched
    10092
    >>> eq.evaluate("leduc", {}, missing="uniform", limits=eq.Limits(histories=2_000)).histories
    1939
    """

    memory_gb: float | None = None
    nodes: int | None = None
    histories: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.memory_gb is not None:
            if not is_number(self.memory_gb, above=0):
                raise AlgorithmError(
                    f"memory_gb must be gigabytes above 0; got {self.memory_gb!r}.",
                    field="max_memory_gb",
                )
            object.__setattr__(self, "memory_gb", float(self.memory_gb))
        for name, field_name in (
            ("nodes", "nodes"),
            ("histories", "max_histories"),
            ("depth", "max_depth"),
        ):
            count = getattr(self, name)
            if count is not None:
                if not is_whole(count, 1, math.inf if name == "nodes" else MOST_WHOLE):
                    raise AlgorithmError(
                        f"{name} must be a whole number, 1 or more; got {count!r}.",
                        field=field_name,
                    )
                object.__setattr__(self, name, min(int(count), NEVER))

    def __repr__(self) -> str:
        numbers = [
            f"{name}={value!r}"
            for name in self.__slots__
            if (value := getattr(self, name)) is not None
        ]
        return f"Limits({', '.join(numbers)})"

    def of_compiling(self) -> CompileBudget:
        """Return what a builder may take."""
        return CompileBudget(self.histories, self.depth or MAX_DEPTH, memory=self.memory_gb)


OF_COMPILING = ("memory_gb", "histories", "depth")
"""The limits of what compiles a game and runs nothing."""

IN_FRACTIONS = ("histories", "depth")
"""The limits of what walks a game in fractions, which do not bound the memory of their digits."""


def check_limits(
    limits: Limits | None, name: str, fields: tuple[str, ...] = OF_COMPILING, *, why: str = ""
) -> Limits:
    """Return limits, none at all for None, having refused those that are not kept.

    ``name`` is that of the public function whose limits they are, ``fields`` the limits that it keeps
    to, and ``why`` a clause that says more.
    """
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise AlgorithmError(
            f"limits must be eq.Limits(...), such as eq.Limits(memory_gb=4); got {limits!r}.",
            field="limits",
        )
    for field in Limits.__slots__:
        value = getattr(limits, field)
        if value is not None and field not in fields:
            raise AlgorithmError(
                f"{name} keeps to limits on {', '.join(fields) or 'nothing'}{why}; got "
                f"limits=eq.Limits({field}={value!r}). Leave {field} out.",
                field="limits",
            )
    return limits


def compile_budget(limits: Limits | None, name: str) -> CompileBudget:
    """Return what compiling may take in a public function that runs nothing, by name."""
    return check_limits(limits, name).of_compiling()


class CompileBudget(NamedTuple):
    """What a builder may take, and who is called with its progress.

    Attributes
    ----------
    max_histories : int or None
        The most histories (of a public form or a card form: public nodes); None for as many as
        there is memory for.
    max_depth : int
        The most moves of a play.
    progress : callable or None
        Called now and then with the number of histories found so far.
    on_stage : callable or None
        Called now and then with a short text: what has been found, how large the game is and what
        is left to do.
    memory : float or None
        Gigabytes that compiling may take; None for what the machine has free when it begins.
    seconds : float or None
        What finding the histories may take, once kernels are there; at least one is allowed.
    """

    max_histories: int | None = None
    max_depth: int = MAX_DEPTH
    progress: Callable[[int], None] | None = None
    on_stage: Callable[[str], None] | None = None
    memory: float | None = None
    seconds: float | None = None

    def too_many(
        self, name: str, count: str, *, things: str = "histories", instead: str = RAISE_INSTEAD
    ) -> GameTooLargeError:
        """Return the error of a game with more histories than are allowed; ``count`` says how many, in words."""
        return GameTooLargeError(
            f"{name}: more than {self.max_histories:,} {things}, {count}. {instead}"
        )

    def check_nodes(self, name: str, nodes: int) -> None:
        """Refuse a game whose form keeps public nodes in place of histories, where it has more than are allowed."""
        if self.max_histories is not None and nodes > self.max_histories:
            raise self.too_many(name, f"{nodes:,} of them", things="public nodes")

    def is_late(self, seconds: float) -> bool:
        """Return whether so many seconds of finding histories are more than are allowed."""
        return self.seconds is not None and seconds > max(self.seconds, LEAST_COMPILING)

    def too_slow(self, name: str, progress_text: str, instead: str) -> CompilingTimeError:
        """Return the error of a game that is not compiled in time, and how far it has come, in words."""
        seconds = max(self.seconds or 0.0, LEAST_COMPILING)
        return CompilingTimeError(
            f"{name} was not compiled within {seconds:g} s: {progress_text}. Allow more "
            f"(seconds=, --seconds), or leave the limit out. {instead}"
        )

    def too_deep(self, name: str, history: str) -> GameError:
        return GameError(
            f"{name}: the game does not end within {self.max_depth} moves: {history}. If it does "
            "end, raise Limits(depth=)."
        )


@contextmanager
def within_memory(name: str, instead: str | None = None) -> Iterator[None]:
    """Turn a :class:`MemoryError` inside into one sentence."""
    try:
        yield
    except MemoryError:
        instead = instead or instead_of_compiling(compiled_rules=False)
        raise GameTooLargeError(f"{name} takes more memory than there is. {instead}") from None


class Meter:
    """What a builder has found so far, against the limits: it refuses what is too large, and tells how long it takes.

    ``things`` are what is counted, and ``instead`` is what to do with a game that is too large: by
    default to sample it and to walk it, by compiled rules where ``compiled_rules`` says so, those
    of the game ``twin`` if there is one. Rules ``game`` are played at random, once, to estimate how
    many things there are going to be: when ``project_at`` have been found, or after 0.3 seconds.
    """

    def __init__(
        self,
        limits: CompileBudget,
        name: str,
        *,
        things: str = "histories",
        instead: str | None = None,
        game: Any = None,
        project_at: int = 0,
        compiled_rules: bool = False,
        twin: str | None = None,
    ) -> None:
        self.name = name
        self._limits = limits
        self._things = things
        self._others = instead
        self._compiled_rules = compiled_rules or twin is not None
        self._twin = twin
        self._walk: float | None = None  # seconds that walks of all players take
        self._game = game
        self._project_at = project_at
        if limits.memory is None:
            self._allowed = free_memory()
        else:
            self._allowed = limits.memory
        self._expected: float | None = None
        self._first = (
            0  # found at the first look: the clock starts there, for kernels are compiled before
        )
        self._began = 0.0

    def look(self, count: int, bytes_each: float, share: float = 0.0) -> int:
        """Tell how far the builder is, or refuse the game; return the number of things at which to look again.

        So many were found so far, each of which takes ``bytes_each`` at the peak of compiling;
        ``share`` is that of the game that has been walked, where all actions of a decision are
        equally large.
        """
        self.check(count * bytes_each, f"the {count:,} {self._things} found so far take")
        if not self._first:
            self._first = count
            self._began = time.perf_counter()
            return 2 * count
        seconds = time.perf_counter() - self._began
        seconds_each = seconds / (count - self._first)
        if self._limits.is_late(seconds):
            raise self._limits.too_slow(self.name, self._found_text(count), self._instead)
        if self._game is not None and (count >= self._project_at or seconds > _PATIENCE):
            game = self._game
            self._game = None
            self._project(game, count, bytes_each, seconds_each)
            self._began = time.perf_counter() - seconds  # these plays are no part of the walk
        if self._limits.progress is not None:
            self._limits.progress(count)
        if self._limits.on_stage is not None:
            self._limits.on_stage(
                f"Compiling {self.name}: {count:,} "
                f"{self._things}{self._left_text(count, share, seconds_each)}"
            )
        return count + min(count, _MOST, max(_FEWEST, int(_PAUSE / max(seconds_each, 1e-9))))

    def foresee(self, bytes_each: float) -> None:
        """Refuse a game of which a few random plays show that it is far too large, at so many bytes each or more."""
        most_histories = 1e9 * self._allowed / bytes_each
        for plays in _GLIMPSES:
            projection = estimate_histories(
                self._game, max_depth=self._limits.max_depth, limit=most_histories, plays=plays
            )
            if projection is not None:
                self._refuse(self._game, projection, bytes_each, more=" more than")
            if projection is None or projection.expected < most_histories:
                break

    @property
    def _instead(self) -> str:
        if self._others is not None:
            return self._others
        if self._twin is None:
            take = ""
        else:
            take = f"Take {self._twin!r}, the same rules compiled. "
        return take + instead_of_compiling(compiled_rules=self._compiled_rules, walk=self._walk)

    def check(self, needed: float, part_text: str) -> None:
        """Refuse a game of which a part, ``part_text`` in words with a verb, takes more bytes than there are."""
        if needed > 1e9 * self._allowed:
            memory = self._limits.memory
            free = f"this machine has {format_two_digits(self._allowed)} GB free"
            if memory is None:
                limit_text = free
            else:
                limit_text = f"memory_gb={memory:g} allows less"
            raise GameTooLargeError(
                f"{self.name} is too large to compile: {part_text} {format_two_digits(needed / 1e9)} GB; "
                f"{limit_text}. {self._instead}"
            )

    def _project(self, game: Any, count: int, bytes_each: float, seconds_each: float) -> None:
        """Estimate the size of the game; refuse it if it is too large, and warn if it takes long."""
        limits = self._limits
        most_histories = 1e9 * self._allowed / bytes_each
        if limits.max_histories is not None:
            most_histories = min(most_histories, limits.max_histories)
        projection = estimate_histories(game, max_depth=limits.max_depth, limit=most_histories)
        if projection is None:
            return
        if limits.max_histories is not None and projection.least > limits.max_histories:
            instead = self._others or RAISE_INSTEAD
            raise limits.too_many(
                self.name, f"about {projection}", things=self._things, instead=instead
            )
        self._refuse(game, projection, bytes_each, seconds_each)
        self._expected = expected = max(projection.expected, count)
        if expected * seconds_each > LONG and limits.seconds is None:
            needed = format_two_digits(expected * bytes_each / 1e9)
            warnings.warn(
                f"{self.name} has about {projection} {self._things}, by random plays: compiling "
                f"it may take {format_duration(expected * seconds_each)} and {needed} GB, of "
                f"{format_two_digits(self._allowed)} GB. Ctrl-C ends it. {self._instead}",
                EquilibristWarning,
                stacklevel=2,
            )

    def _refuse(
        self,
        game: Any,
        projection: Projection,
        bytes_each: float,
        seconds_each: float = 0.0,
        more: str = "",
    ) -> None:
        """Refuse a game for which there is not enough memory; note how long walks of it take."""
        if self._compiled_rules or seconds_each:
            if self._compiled_rules:
                seconds = WALKED_EACH
            else:
                seconds = _SHARE_WALKED * seconds_each
            self._walk = projection.expected * getattr(game, "players", 1) * seconds
        if projection.least * bytes_each > 1e9 * self._allowed:
            game_text = f"about {projection} {self._things}, by random plays, would take{more}"
            self.check(projection.expected * bytes_each, game_text)

    def _found_text(self, count: int) -> str:
        """Return what has been found, and how much there is, where that is known."""
        if self._expected is None:
            of_all = ""
        else:
            of_all = f" of about {format_estimate(self._expected)}"
        return f"{count:,}{of_all} {self._things} were found"

    def _left_text(self, count: int, share: float, seconds_each: float) -> str:
        """Return how many things there are going to be, and the time left, where that is known."""
        if self._expected is None:
            return ""
        remaining = (1.0 - share) * self._expected
        share_done = count / (count + remaining)
        return (
            f" of about {format_estimate(count + remaining)} ({share_done:.0%}), "
            f"{format_duration(remaining * seconds_each)} left"
        )


def make_sentence(words: str) -> str:
    """Return words as a sentence: its first letter is made large, and a full stop added."""
    return f"{words[:1].upper()}{words[1:]}."
