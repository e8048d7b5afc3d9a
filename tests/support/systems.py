"""What this system has: reasons to skip a test on another one."""

import os
import signal

import pytest

from equilibrist._util import system

START_METHODS = ["spawn"] if not hasattr(os, "fork") else ["fork", "spawn", "forkserver"]
"""How processes can be started, the package's own way among them."""

is_imitated = system.IS_WINDOWS and os.name != "nt"
"""Whether this is another system that imitates Windows (``-p support.like_windows``)."""

alone = pytest.mark.skipif(is_imitated, reason="other processes do not imitate Windows")
"""For tests in which another process locks or removes files."""

posix = pytest.mark.skipif(system.IS_WINDOWS, reason="a way of POSIX")
"""For tests of what Windows does otherwise."""

signals = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signals")
"""For tests that send the signals of POSIX."""
