"""What tests of whole runs share."""

import dataclasses
import os
import signal
import threading

from equilibrist.form.limits import Limits
from equilibrist.solving.config import StopRule

GENERAL = "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])"
FOREVER = 2**40  # iterations


def without_seconds(solution):
    """Return all that a solution says, but for the time it took."""
    config = solution.config and dataclasses.replace(
        solution.config, stop=StopRule(), form=None, threads=1, limits=Limits(), backend="cpu"
    )
    return {
        "trace": [point._replace(seconds=0) for point in solution.trace],
        "final": solution.final._replace(seconds=0),
        "strategy": solution.strategy.probabilities.tobytes(),
        "infosets": list(solution.strategy.infosets),
        "state": {name: array.tobytes() for name, array in solution.state.items()},
        "stop_reason": solution.stop_reason,
        "game": solution.info.game,
        "config": config,
        "recording": solution.recording,
    }


def powers_of_root_2(last):
    """Return ⌈√2^k⌉ up to ``last``, in whole numbers: n with (n − 1)² < 2^k ≤ n² for some k."""
    powers = [2**k for k in range(2 * last.bit_length() + 1)]
    return [n for n in range(1, last + 1) if any((n - 1) ** 2 < power <= n**2 for power in powers)]


def interrupt_soon():
    """Press Ctrl-C from another thread, while the compiled loop runs."""
    timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()


def stop_at_6(point):
    if point.iteration == 6:
        interrupt_soon()
