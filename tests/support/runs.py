"""What tests of whole runs share."""

import dataclasses
import os
import signal
import threading

GENERAL = "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])"
FOREVER = 2**40  # iterations


def without_seconds(solution):
    """Return all that a solution says, but for the time it took."""
    table = {field.name: getattr(solution, field.name) for field in dataclasses.fields(solution)}
    del table["seconds"]
    table["trace"] = [point._replace(seconds=0) for point in solution.trace]
    table["strategy"] = solution.strategy.probabilities.tobytes()
    table["memory"] = {name: array.tobytes() for name, array in solution.memory.items()}
    return table


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
