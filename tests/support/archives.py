"""Checkpoints that are tampered with: their digests are right."""

import json

from equilibrist._util.archive import Archive, write_archive

REMOVED = "removed"


def rewrite(checkpoint, about=None, texts=None, arrays=None):
    """Write a checkpoint again, with some of it changed; None leaves one out. Return the digest of all."""
    with Archive(checkpoint) as archive:
        old_texts = {name: json.loads(archive.text(name)) for name in archive.texts}
        old_arrays = {name: archive.array(name) for name in archive.arrays}
    for path, value in (about or {}).items():
        *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        part = old_texts["about"]
        for key in parents:
            part = part[key]
        part[last] = value
        if value is REMOVED:
            del part[last]
    new_texts = {
        name: value for name, value in (old_texts | (texts or {})).items() if value is not None
    }
    new_arrays = {
        name: value for name, value in (old_arrays | (arrays or {})).items() if value is not None
    }
    with checkpoint.open("wb") as file:
        return write_archive(
            file, {name: json.dumps(value) for name, value in new_texts.items()}, new_arrays
        )
