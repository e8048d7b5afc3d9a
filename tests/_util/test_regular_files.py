"""Readers that take regular files alone, of a bounded size: nothing else keeps them waiting."""

import os

import pytest

from equilibrist._util.regular_files import open_regular, read_regular
from equilibrist.errors import SolutionError


def test_a_file_is_read_up_to_its_bound(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, most=5) == b"12345"
    with pytest.raises(SolutionError, match="file is larger than 4 bytes"):
        read_regular(path, most=4)


def test_what_is_no_file_is_refused_at_once(tmp_path):
    """A pipe that nobody writes to would wait for ever, /dev/zero would never end."""
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path / "pipe", "/dev/zero"):
            with pytest.raises(OSError, match="a device or a pipe, no file"):
                open_regular(path)
