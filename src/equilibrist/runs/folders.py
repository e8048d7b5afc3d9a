"""Folders of saved runs: where they are below a folder, and how their paths are ids."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .catalogue import CHECKPOINT

DEEPEST = 4  # folders within folders that are looked through


def run_folders(folder: Path) -> Iterator[Path]:
    """Yield the folders of saved runs below a folder, in folders within folders too; links are not followed."""
    return (run for run, entries in folders_below(folder) if is_file(entries, CHECKPOINT))


def id_of(path: Path) -> str:
    """Return the id of a run whose path, relative to the served folder, is this one (RFC 6901)."""
    return path.as_posix().replace("~", "~0").replace("/", "~1")


def path_of(run_id: str) -> str:
    """Return the path of a run, relative to the served folder."""
    return run_id.replace("~1", "/").replace("~0", "~")


def has_files_alone(folder: Path) -> bool:
    """Return whether a folder has regular files and folders alone in it.

    Saving to a run, or reading it, would follow a link, and wait for ever at a pipe.
    """
    with os.scandir(folder) as entries:
        return all(map(is_plain, entries))


def is_plain(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a regular file or a folder."""
    return entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)


def folders_below(
    folder: Path, depth: int = 0
) -> Iterator[tuple[Path, dict[str, os.DirEntry[str]]]]:
    """Yield folders that may be runs or reports, with what is in them: plain files alone; a run holds no other."""
    try:
        with os.scandir(folder) as scanned:
            entries = {entry.name: entry for entry in scanned if not entry.name.startswith(".")}
    except OSError:
        return
    if depth > 0 and all(map(is_plain, entries.values())):
        yield folder, entries
    if depth < DEEPEST and not (depth > 0 and is_file(entries, CHECKPOINT)):
        for entry in entries.values():
            if entry.is_dir(follow_symlinks=False):
                yield from folders_below(folder / entry.name, depth + 1)


def is_file(entries: dict[str, os.DirEntry[str]], name: str) -> bool:
    """Return whether a folder with these entries has a regular file of a name."""
    return name in entries and entries[name].is_file(follow_symlinks=False)
