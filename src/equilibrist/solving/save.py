"""Run folders: writing a solution so that an interrupted save leaves a folder that loads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .._util.archive import open_archive, save_archive
from .._util.files import (
    explain_write_errors,
    lock_folder,
    open_regular,
    read_bytes,
    whole_file,
    write_atomically,
)
from .._util.plain import to_plain
from .._util.validate import is_whole
from ..cluster.checkpoint import ACTORS, checkpoint_folder
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset
from ..mccfr.sampling import find_sampling
from ..strategy.strategy import Strategy
from .notes import copy_notes
from .recording import ARRAYS as RECORDED

# another number once slots stand elsewhere: saved tables are in their order
FORMAT = "equilibrist solution 6"
CHECKPOINT = "checkpoint.npz"
PREVIOUS = "checkpoint.previous.npz"
SUMMARY = "solution.json"
STRATEGY = "strategy.csv"
RECORDING = "recording.parquet"

MOST_ROWS = 2_000_000
"""Of ``strategy.csv``; a longer strategy on public states is saved without names and probabilities, both of which
the game and the state tell again."""

MOST_CARD_ROWS = 100_000
"""The same for strategies of card forms, which are always saved without names and probabilities."""


@dataclass(frozen=True, slots=True)
class Save:
    """Where a run is saved, and how much of it.

    Parameters
    ----------
    folder : path
        Saved to now and then while solving and at the end. Checked before the work begins, and
        locked until the end: a second run into it is refused. An older run in it is kept as
        ``checkpoint.previous.npz``, unless this one resumes it.
    streets : int, optional
        Of a card game, save so many streets at the end, the first ones: the strategy alone, which
        is read but not resumed (:meth:`Solution.save`). What is saved on the way has all streets.
    """

    folder: str | Path
    streets: int | None = None


Saveable = Any
"""A :class:`~equilibrist.solving.solution.Solution`, which imports this file."""


def save_solution(solution: Saveable, folder: str | Path, *, streets: int | None = None) -> None:
    """Write a run folder, as :meth:`Solution.save` says."""
    check_streets(solution.strategy.form, streets)
    if solution.part is not None and solution.part.continued is not None:
        raise cut_part_error()
    with lock_folder(folder) as path:
        refuse_older(path)
        write_folder(solution, path, streets=streets)
        copy_notes(solution.folder, path)


def cut_part_error() -> SolutionError:
    """Return the error that a part of a card form that is cut is not saved: what it is worth follows from a run."""
    return SolutionError(
        "save: a part of a card form that is cut at a depth is not saved by itself: splice it "
        "(eq.splice, --splice) and save the whole, or leave depth out.",
        wrong_use=True,
    )


def find_actors_checkpoint(folder: Path) -> Path | None:
    """Return the checkpoint of actors that a run folder has; None where there is none."""
    with open_archive(folder / CHECKPOINT) as archive:
        name = json.loads(archive.text("about"))["actors"]
        if name is None:
            return None
        return checkpoint_folder(folder / ACTORS, name)


def refuse_older(folder: Path) -> None:
    """Refuse a run folder whose checkpoint is that of actors, which a new run would remove.

    What actors have left of a run that was killed before its first checkpoint belongs to none, and
    is removed.
    """
    if not (folder / ACTORS).exists():
        return
    try:
        is_of_actors = (folder / CHECKPOINT).exists() and find_actors_checkpoint(folder) is not None
    except SolutionError:
        is_of_actors = True
    if is_of_actors:
        raise SolutionError(
            f"{folder} holds a run over actors, of which no copy is kept aside. Resume it, or "
            "give another folder.",
            wrong_use=True,
        )
    shutil.rmtree(folder / ACTORS, ignore_errors=True)


def check_streets(form: CompiledGame | type[CompiledGame] | None, streets: int | None) -> None:
    """Refuse to save so many streets of a game."""
    if streets is None:
        return
    if form is None or not form.saves_streets:
        raise SolutionError(
            f"Streets are those of a card game in the card form, so that streets={streets!r} "
            "would do nothing. Leave it out.",
            wrong_use=True,
        )
    if not is_whole(streets, 1, form.num_streets):
        raise SolutionError(
            f"The streets to save must be a whole number from 1 to {form.num_streets}, those of "
            f"{form.name}; got {streets!r}.",
            wrong_use=True,
        )


def write_folder(
    solution: Saveable,
    folder: Path,
    *,
    streets: int | None = None,
    pack: bool = True,
    actors: str | None = None,
) -> None:
    """Write the files of a run into a folder that is locked; of a card game, so many streets.

    Without ``pack`` its arrays take more room and less time; ``actors`` names the folder where
    actors have saved them. The checkpoint counts, and comes first. Of the others each is that of
    this run, or none.
    """
    strategy = solution.strategy
    if streets is not None:
        strategy = strategy.first_streets(streets)
    save_archive(folder / CHECKPOINT, *_checkpoint_contents(solution, strategy, actors), pack=pack)
    _write_others(solution, strategy, folder)
    if actors is None:
        # Of a run whose state is saved otherwise now.
        shutil.rmtree(folder / ACTORS, ignore_errors=True)


def _write_others(solution: Saveable, strategy: Strategy, folder: Path) -> None:
    """Write the files of a run folder that come after its checkpoint; the summary is the last."""
    recording = folder / RECORDING
    table = folder / STRATEGY
    with explain_write_errors(recording):
        if solution.recording is None:
            recording.unlink(missing_ok=True)
        else:
            solution.recording.write(recording)
    if too_long_for_csv(strategy):
        with explain_write_errors(table):
            table.unlink(missing_ok=True)
    else:
        strategy.write_csv(table)
    write_atomically(folder / SUMMARY, _summary(solution))


def _summary(solution: Saveable) -> bytes:
    return f"{json.dumps({'format': FORMAT, **solution.summary()}, indent=2)}\n".encode()


def complete_folder(solution: Saveable, folder: Path) -> None:
    """Write what a run that was killed after its checkpoint has left out; ``solution`` is that of the folder."""
    with suppress(OSError):  # there is none
        if read_bytes(folder / SUMMARY) == _summary(solution):
            return
    with lock_folder(folder):
        _write_others(solution, solution.strategy, folder)


def too_long_for_csv(strategy: Strategy) -> bool:
    """Return whether a strategy has so many probabilities that it gets no CSV file."""
    return strategy.num_probabilities > (MOST_ROWS if strategy.form is None else MOST_CARD_ROWS)


def keep_older_checkpoint(folder: Path) -> None:
    """Keep the checkpoint of an older run in a folder as ``checkpoint.previous.npz``, as a new run will be saved."""
    try:
        # Copied, not renamed: until the new run is saved this one stays.
        with open_regular(folder / CHECKPOINT) as old, whole_file(folder / PREVIOUS) as copy:
            shutil.copyfileobj(old, copy)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SolutionError(
            f"The older run in {folder} cannot be kept: {error.strerror or error}."
        ) from error


def _checkpoint_contents(
    solution: Saveable, strategy: Strategy, actors: str | None
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the texts and arrays of a checkpoint, with the strategy or what it leaves of itself."""
    recording = solution.recording
    slots = strategy.slots  # of a card form, which names the infosets again
    is_made_again = not solution.info.game.traits.keeps_names and too_long_for_csv(strategy)
    compact = actors is not None or slots is not None or is_made_again
    arrays: dict[str, Any] = {f"state_{name}": array for name, array in solution.state.items()}
    streets = None
    if slots is not None and actors is None and not (slots.is_whole and solution.state):
        arrays = {"weights": slots.weights}
        streets = slots.streets
    about = {
        "format": FORMAT,
        **{
            name: to_plain(getattr(solution, name))
            for name in ("final", "trace", "seconds", "stop_reason", "info")
        },
        "part": to_plain(
            solution.part and replace(solution.part, lifted=None, continued=None, solved_with=None)
        ),
        "compact": compact,
        "streets": streets,
        "actors": actors,
        "recording": None
        if recording is None
        else {"wanted": to_plain(recording.wanted), "every": recording.every},
    }
    texts = {"about": json.dumps(about)}
    if not compact:
        texts["infosets"] = _infosets_text(strategy.infosets)
    if not compact or (
        actors is None
        and slots is None
        and (not find_sampling(solution.sampling).full_width or not solution.state)
    ):
        arrays["probabilities"] = strategy.probabilities
    if recording is not None:
        # Else they are those of the strategy.
        if recording.wanted is not None or streets is not None:
            texts["recorded_infosets"] = _infosets_text(recording.infosets)
        arrays |= {f"recording_{name}": getattr(recording, name) for name in RECORDED}
    return texts, arrays


def _infosets_text(infosets: Iterable[Infoset]) -> str:
    return json.dumps(
        [[infoset.player, infoset.key, list(infoset.actions)] for infoset in infosets]
    )
