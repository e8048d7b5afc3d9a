"""What `solve` returns: a strategy, its certificate, and the trace of how it came about; saved, loaded, resumed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from numpy.typing import NDArray

from .._util.display import Display
from .._util.files import make_folder, whole_file, write_atomically
from ..errors import GameError, SolutionError
from ..evaluation.certificate import guarantee
from ..form.build_public import compile_public
from ..form.infosets import Infoset
from ..form.public import PublicForm
from ..game.public import public_game
from ..games.load import load
from ..strategy.strategy import Strategy
from .recording import FILE as RECORDING
from .recording import Recording, digest_of, read_recording
from .trace import Checkpoint as Checkpoint  # noqa: PLC0414 (others know it as one of solution)
from .trace import Trace

CHECKPOINT = "checkpoint.npz"
NEW_RECORDING = f"{RECORDING}.new"
PREVIOUS = {CHECKPOINT: "checkpoint.previous.npz", RECORDING: "recording.previous.parquet"}
SUMMARY = "solution.json"
STRATEGY = "strategy.csv"
FORMAT = "equilibrist solution 3"

_MOST_ROWS = 2_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Display):
    """A strategy with its certificate, its trace, and what was recorded on the way.

    Attributes
    ----------
    game : str
        The game, as :func:`equilibrist.load` takes it where it was given as text, else its name.
    algorithm : str
        Name of the row, or ``"exact"`` for the linear programme.
    players, histories, infosets, slots : int
        Sizes of the compiled game, those of all players together; without a tree, of what was met, and ``histories``
        is None.
    zero_sum : bool or None
        Whether payoffs sum to 0 everywhere; None without a tree.
    strategy : Strategy
        The average strategy.
    value : tuple of float
        What each player earns with it; payoff per game. Without a tree nobody knows: it is empty, and the next two
        are None.
    nash_conv : float or None
        Σ over players of (best-response value − value), exact and never clamped; payoff per game.
    exploitability : float or None
        nash_conv / players.
    gains : tuple of float
        What each player could gain by deviating alone, best-response value − value; they sum to nash_conv. Empty
        without a tree.
    cce_distance : float or None
        How far the play, which is the profile of each iteration with the weights of the average, is from a coarse
        correlated equilibrium: the largest gain of a player who leaves it for the best plan of their own; payoff per
        game. At 0 or below it is one. None where it is not tracked: for one player, for two in a zero-sum game, and
        with sampling.
    iterations : int
        Iterations run, those before a resume included.
    nodes_touched : int
        Histories that the textbook recursion would have visited: all of them once a pass, one pass an iteration with
        simultaneous updates and one for each player with alternating ones. On public states a pass counts, at each
        public node, one for each hand of either player. With sampling, the histories that were visited.
    seconds : dict
        Seconds spent on ``compile`` (the game), ``jit`` (loading or compiling the kernels), ``solve`` (iterating),
        ``certify`` (computing nash_conv at the checkpoints), and ``record`` where something is recorded.
    trace : Trace
        A tuple of :class:`Checkpoint`: at iterations 1, 2, 3, 4, 6, 8, 12, 16, … (powers of √2, rounded up) and at the
        end. It converts to Arrow, pandas and Polars.
    stopped : str
        What ended the run: ``"iterations"``, ``"until"``, ``"seconds"``, ``"nodes"``, ``"memory"`` (there is room for
        no more infosets, or no more of the recording), ``"interrupt"`` or ``"optimal"``.
    row : str
        The numbers of the row that ran, as the text of an :class:`Algorithm`.
    alternating : bool or None
        Whether players updated in turn; None where nothing was updated.
    horizon : int or None
        The planned number of iterations, for rows that are schedules.
    form : str
        What the game was compiled into: ``"sequence"``, ``"public"``, or ``"none"`` without a tree.
    payoff : str
        What the payoff between the players was made of, in words.
    precision : str
        How the tables of full-width CFR were stored.
    sampling : str
        What an iteration visits, as :func:`equilibrist.solve` takes it.
    seed : int or None
        What decided the samples; None where nothing was drawn.
    table_bytes : int
        Bytes that the table of a sampled run took.
    fingerprint : str
        A digest of the compiled game, so that a run is resumed on the game that it began with.
    recording : Recording or None
        What was kept of chosen infosets on the way, where :func:`equilibrist.solve` was asked to record them.
    memory : dict
        The arrays with which the run goes on: what CFR remembers, one number a slot.
    """

    game: str
    algorithm: str
    players: int
    histories: int | None
    infosets: int
    slots: int
    zero_sum: bool | None
    strategy: Strategy
    value: tuple[float, ...]
    nash_conv: float | None
    exploitability: float | None
    iterations: int
    nodes_touched: int
    seconds: dict[str, float]
    trace: Trace
    stopped: str
    gains: tuple[float, ...] = ()
    cce_distance: float | None = None
    row: str = ""
    alternating: bool | None = None
    horizon: int | None = None
    form: str = "sequence"
    payoff: str = ""
    precision: str = "float64"
    sampling: str = "full"
    seed: int | None = None
    table_bytes: int = 0
    fingerprint: str = ""
    recording: Recording | None = None
    memory: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __repr__(self) -> str:
        value = ", ".join(f"{number:.6g}" for number in self.value) or "unknown"
        known = "unknown" if self.exploitability is None else f"{self.exploitability:.3g}"
        return (
            f"<Solution of {self.game} by {self.algorithm}: {self.iterations:,} iterations, value ({value}), "
            f"exploitability {known}>"
        )

    @property
    def guarantee(self) -> str:
        """What nash_conv promises for this kind of game, in one sentence."""
        return guarantee(self.players, zero_sum=self.zero_sum)

    def summary(self) -> dict[str, Any]:
        """Return everything but the strategy, the memory and what was recorded, as plain data for JSON."""
        apart = {"strategy", "memory", "recording"}
        table = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in apart}
        table["value"], table["gains"] = list(self.value), list(self.gains)
        table["guarantee"] = self.guarantee
        table["recording"] = None if self.recording is None else self.recording.summary()
        table["trace"] = [
            {**point._asdict(), "value": list(point.value), "gains": list(point.gains)} for point in self.trace
        ]
        return table

    def save(self, folder: str | Path) -> None:
        """Write ``solution.json``, ``strategy.csv``, ``checkpoint.npz``, and ``recording.parquet`` if there is one.

        The last two are enough to load again. Each file is replaced whole or not at all, and the checkpoint knows the
        recording that belongs to it, so that an interrupted save leaves a folder that loads: as it was before, or as it
        is now. A strategy of more than two million probabilities gets no CSV file (:meth:`Strategy.write_csv` writes
        any).

        Raises
        ------
        SolutionError
            The folder cannot be written to.
        """
        folder = make_folder(folder)
        try:
            path = folder / NEW_RECORDING
            recorded = None if self.recording is None else self.recording.write(path)
            path = folder / CHECKPOINT
            with whole_file(path) as file:
                self._pack(file, recorded)
            # From here on the new recording counts, under either name; that of another run would be taken for it.
            path = folder / RECORDING
            if recorded is None:
                path.unlink(missing_ok=True)
                (folder / NEW_RECORDING).unlink(missing_ok=True)
            else:
                os.replace(folder / NEW_RECORDING, path)
            if self.too_long_for_csv:
                (folder / STRATEGY).unlink(missing_ok=True)  # likewise
        except OSError as error:
            raise SolutionError(f"{path} cannot be written: {error.strerror or error}.") from error
        if not self.too_long_for_csv:
            self.strategy.write_csv(folder / STRATEGY)
        text = json.dumps({"format": FORMAT, **self.summary()}, indent=2)
        write_atomically(folder / SUMMARY, f"{text}\n".encode())

    @property
    def too_long_for_csv(self) -> bool:
        """Whether the strategy has so many probabilities that :meth:`save` writes no CSV file."""
        return len(self.strategy.probabilities) > _MOST_ROWS

    def _pack(self, file: BinaryIO, recorded: str | None) -> None:
        """Write the checkpoint, without what the rules and the memory of a run on public states tell again."""
        about: dict[str, Any] = {"format": FORMAT, **self.summary(), "memory": list(self.memory), "recorded": recorded}
        arrays = {f"memory_{name}": array for name, array in self.memory.items()}
        if self.form != "public":
            infosets = self.strategy.infosets
            about["infoset_names"] = [[infoset.player, infoset.key, list(infoset.actions)] for infoset in infosets]
        if self.form != "public" or self.sampling != "full":
            arrays["probabilities"] = self.strategy.probabilities
        arrays["about"] = np.array(json.dumps(about))
        # The lightest compression: it takes seconds for a gigabyte of such tables and leaves a tenth of it.
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array(entry, array, allow_pickle=False)


def set_aside(folder: str | Path) -> None:
    """Keep the checkpoint and recording of an older run in a folder, for a new run is going to be saved there.

    Raises
    ------
    SolutionError
        They cannot be copied.
    """
    try:
        if not (Path(folder) / CHECKPOINT).exists():
            return
        for name, kept in PREVIOUS.items():
            older = Path(folder) / name
            if older.exists():
                shutil.copy2(older, older.with_name(kept))  # not renamed: until the new run is saved this one stays
            else:
                older.with_name(kept).unlink(missing_ok=True)  # it belongs to a run before
    except OSError as error:
        raise SolutionError(f"The older run in {folder} cannot be kept: {error.strerror or error}.") from error


def load_solution(folder: str | Path, game: Any = None) -> Solution:
    """Return the solution that was saved in a folder.

    Parameters
    ----------
    folder : path
        Where it was saved.
    game : optional
        The game of a run on public states that was not given as text: there may be millions of names of infosets, so
        they are not saved but made again.

    Raises
    ------
    SolutionError
        There is no solution in the folder, its files are broken or not ours, or ``game`` is needed or another one.

    Examples
    --------
    >>> import equilibrist as eq, tempfile
    >>> solution = eq.solve("kuhn", iterations=10)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     solution.save(folder)
    ...     eq.load_solution(folder).nash_conv == solution.nash_conv
    True
    """
    path = Path(folder) / CHECKPOINT
    try:
        with np.load(path, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            probabilities = arrays.get("probabilities")
            memory = {name.removeprefix("memory_"): arrays[name] for name in arrays.files if name.startswith("memory_")}
        if about["format"] != FORMAT:
            raise SolutionError(f"{path} has the format {about['format']!r}; this version reads {FORMAT!r}.")
        solution = _unpacked(about, probabilities, memory, game)
    except SolutionError:
        raise
    except FileNotFoundError:
        raise SolutionError(
            f"There is no solution in {folder}: it has no {CHECKPOINT}. Give the folder of a saved run.", wrong_use=True
        ) from None
    except OSError as error:
        raise SolutionError(f"{path} cannot be read: {error.strerror or error}.") from error
    except Exception as error:  # a broken file makes the readers of zip, NumPy and JSON raise all sorts
        raise SolutionError(
            f"{path} is broken, or was not written by Equilibrist ({type(error).__name__}). "
            "Use an older copy, or solve again."
        ) from error
    recorded = about.get("recorded")  # runs of older versions know nothing of recordings
    return solution if recorded is None else replace(solution, recording=_recorded(Path(folder), recorded))


def _recorded(folder: Path, digest: str) -> Recording:
    """Return the recording of the run in a folder, of which the digest is known."""
    path = folder / RECORDING
    try:
        for name in (RECORDING, NEW_RECORDING):
            if (folder / name).exists() and digest_of(folder / name) == digest:
                return read_recording(folder / name)
    except Exception as error:
        reason = f"cannot be read ({getattr(error, 'strerror', None) or type(error).__name__})"
        raise SolutionError(f"{path}, what the run recorded, {reason}.") from error
    what = "is broken, or that of another run" if path.exists() else "is not there"
    raise SolutionError(f"{path}, what the run recorded, {what}. Use an older copy of the folder, or solve again.")


_KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("game", "algorithm", "stopped", "row", "fingerprint", "form", "payoff", "precision"), str),
    **dict.fromkeys(("players", "infosets", "slots", "iterations", "nodes_touched", "table_bytes"), int),
    **dict.fromkeys(("nash_conv", "exploitability", "cce_distance"), (int, float, type(None))),
    **dict.fromkeys(("histories", "seed"), (int, type(None))),
    "sampling": str,
    "zero_sum": (bool, type(None)),
    "alternating": (bool, type(None)),
    "horizon": (int, type(None)),
    "value": list,
    "gains": list,
    "seconds": dict,
    "trace": list,
}
"""What each field must be when it is read from JSON."""


def _unpacked(
    about: Mapping[str, Any], probabilities: NDArray[np.float64] | None, memory: dict[str, NDArray[Any]], game: Any
) -> Solution:
    """Return the solution, or raise any error where something is not as :meth:`Solution.save` writes it."""
    fields = {name: about[name] for name in _KINDS}
    if not all(isinstance(fields[name], kind) for name, kind in _KINDS.items()) or fields["iterations"] < 0:
        raise TypeError("a field of the wrong type")
    for name in ("value", "gains"):
        fields[name] = tuple(map(float, fields[name]))
    fields["seconds"] = {str(stage): float(spent) for stage, spent in fields["seconds"].items()}
    fields["trace"] = Trace(
        Checkpoint(**{**point, "value": tuple(point["value"]), "gains": tuple(point["gains"])})
        for point in fields["trace"]
    )
    infosets: Sequence[Infoset]
    if fields["form"] == "public":
        form = _public_form(about, game)
        infosets, count = form.infosets, form.num_actions
        if probabilities is None:
            probabilities = form.average_from_sums(memory["strategy_sum"])[form.slot]
    else:
        infosets = [Infoset(player, key, tuple(actions)) for player, key, actions in about["infoset_names"]]
        count = sum(len(infoset.actions) for infoset in infosets)
    if probabilities is None or probabilities.shape != (count,):
        raise ValueError("another number of probabilities than of actions")
    if any(array.dtype.kind not in "fiu" for array in memory.values()) or probabilities.dtype != np.float64:
        raise ValueError("arrays of another type")
    if fields["sampling"] == "full" and len({array.shape for name, array in memory.items() if name != "iteration"}) > 1:
        raise ValueError("arrays that do not belong together")
    if list(memory) != about["memory"]:
        raise ValueError("other arrays than were saved")
    return Solution(**fields, strategy=Strategy(infosets, probabilities), memory=memory)


def _public_form(about: Mapping[str, Any], game: Any) -> PublicForm:
    """Return the public form of the game that a run solved."""
    if isinstance(game, PublicForm):
        form = game
    else:
        try:
            public = public_game(load(about["game"] if game is None else game))
        except GameError:
            public = None
        if public is None:
            raise SolutionError(
                f"The run solved {about['game']} on its public states, and its infosets are named by the game, which "
                "cannot be loaded by that name. Give the game: load_solution(folder, game), solve(game, resume=folder)."
            )
        form = compile_public(public)
    if form.fingerprint != about["fingerprint"]:
        raise SolutionError(
            f"The run solved another game: {form.name} as it is now has other hands, actions or payoffs than "
            f"{about['game']} had then. Start afresh."
        )
    return form
