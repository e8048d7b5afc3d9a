"""The command, run as a user runs it: in this process, which is quick, or in one of its own."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest

from equilibrist import cli
from equilibrist.cli import output

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "equilibrist")
_CHANGES = (
    "COLUMNS",
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "EQUILIBRIST_TRACEBACK",
)  # what the command prints


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Return the one object on standard output; NaN and Infinity, which JSON does not have, are refused."""
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    def checked(self):
        """Return itself, having seen that no mistake of a user ends in a traceback or in an excuse."""
        for text in (self.out, self.err):
            assert "Traceback" not in text
            assert "Equilibrist itself failed" not in text
        return self

    def fails(self, code, sentence=""):
        """See that it ended with this exit code, and one line about it that begins so or holds that."""
        assert self.code == code, self
        assert self.err.splitlines()[-1].startswith("Error: "), self.err
        assert sentence in self.err, self.err
        if "Usage:" not in self.err:
            assert len(self.err.splitlines()) == 1, self.err
        return self


def call(capsys, *args):
    """Run ``equilibrist`` with these arguments in this process."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["equilibrist", *map(str, args)])
        patch.setattr(
            output, "_PATIENCE", 600.0
        )  # on a slow machine, too, nothing is said of stages that take long
        with pytest.raises(SystemExit) as end:
            cli.main()
    return Ran(end.value.code or 0, *capsys.readouterr()).checked()


def environment(**changes):
    """Return this environment, free of what changes the output, with these changes."""
    return {name: value for name, value in os.environ.items() if name not in _CHANGES} | changes


def start(*args, env=None, **options):
    """Start ``equilibrist`` in a process of its own."""
    return subprocess.Popen(
        [PROGRAM, *map(str, args)],
        env=env or environment(),
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        | options,
    )


def ended(process, timeout=60):
    """Wait for a process, and return how it ended."""
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return Ran(
        process.returncode, *((text or b"").decode(errors="replace") for text in (out, err))
    ).checked()


def spawn(*args, **options):
    """Run ``equilibrist`` with these arguments in a process of its own."""
    return ended(start(*args, **options))


def python(program, **options):
    """Run a Python program in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, **options
    )
    return Ran(done.returncode, done.stdout, done.stderr).checked()
