"""Kill a run at each point where it changes its folder, and at each pair of points; see that nothing is ever lost.

    python tests/drills/kill.py            every point
    python tests/drills/kill.py --pairs    every pair of points as well: killed, resumed, killed again, resumed
    python tests/drills/kill.py --every 3 --first 1    a third of the points: those of number 1, 4, 7, ...

A process that is killed changes no file any more. So here, from a chosen call that changes a file on, that call and all
that follow do nothing but raise; the same process then goes on as the next one. After each kill the folder must load
what was saved last, or the run before; at the end, resumed, it must hold the same bits as a run that was never killed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import equilibrist as eq
from equilibrist.solving import run

ITERATIONS = 12
RUNS: dict[str, dict[str, Any]] = {
    "full": {"game": "kuhn", "algorithm": "cfr", "record": eq.Record("all", every=5)},
    "public": {"game": "kuhn", "algorithm": "dcfr", "form": "public"},
    "sampled": {
        "game": "kuhn",
        "sampling": "external(tree=False)",
        "seed": 1,
        "record": ["Qpb", "never"],
    },
}
CALLS = ("replace", "unlink", "fsync", "chmod", "open", "mkdir")


class Killed(BaseException):
    """What a dead process would have done next."""


class Killer:
    """Counts the calls that change files, and from one of them on raises instead."""

    def __init__(self, at: int | None = None, *, after: bool = False) -> None:
        self.at, self.after = at, after
        self.count = 0
        self.dead = False

    def wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **options: Any) -> Any:
            self.count += 1
            last = self.count == self.at
            if self.dead or (last and not self.after):
                self.dead = True
                raise Killed
            try:
                return call(*args, **options)
            finally:
                if last:
                    self.dead = True
                    raise Killed

        return guarded

    @contextmanager
    def at_work(self) -> Iterator[Killer]:
        """Patch the calls, and let every pause of a run save it."""
        wrapped = {name: self.wrapped(getattr(os, name)) for name in CALLS}
        often = mock.patch.multiple(run, _SAVE_EVERY=0.0, _SAVE_SHARE=0.0, _SLICE_SECONDS=1e9)
        with often, mock.patch.multiple(os, **wrapped):
            yield self


def solve(folder: Path, options: dict[str, Any], killer: Killer) -> eq.Solution | None:
    """Begin a run, or go on with the one in the folder; return None where it was killed."""
    resume = {"resume": folder} if holds(folder, options) else options
    try:
        with killer.at_work():
            return eq.solve(iterations=ITERATIONS, save=folder, **resume)
    except Killed:
        return None


def holds(folder: Path, options: dict[str, Any]) -> bool:
    """Return whether the folder holds a part of the run, not the one before."""
    if not (folder / "checkpoint.npz").exists():
        return False
    return eq.load_solution(folder).info.config.algorithm.name != BEFORE


BEFORE = "lcfr"  # what the run before was made with


def drill(options: dict[str, Any], kills: list[tuple[int, bool]], *, older: bool) -> int | None:
    """Kill a run at these points, one after the other, then let it end; return how many calls the last one made.

    Returns None where a kill came too late to kill anything, so that later points need not be tried.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        if older:
            eq.solve("kuhn", BEFORE, iterations=3, save=folder)
        least = 0  # iterations that have been saved for certain
        for at, after in kills:
            killer = Killer(at, after=after)
            if solve(folder, options, killer) is not None:
                return None
            if older or (folder / "checkpoint.npz").exists():
                found = eq.load_solution(folder)
                assert found.iterations >= least, (
                    f"{found.iterations} of {least} iterations are left"
                )
                least = found.iterations if holds(folder, options) else 0
        killer = Killer()
        ended = solve(folder, options, killer)
        assert ended is not None
        check(ended, options)
        check(eq.load_solution(folder), options)
        left = [path.name for path in folder.iterdir() if path.suffix == ".part"]
        assert not left, f"files are left behind: {left}"
        if older:
            assert (folder / "checkpoint.previous.npz").exists()
        return killer.count


def check(found: eq.Solution, options: dict[str, Any]) -> None:
    """See that a solution is that of a run which was never killed, bit for bit."""
    whole = whole_run(options)
    assert found.iterations == ITERATIONS
    assert [point._replace(seconds=0) for point in found.trace] == [
        point._replace(seconds=0) for point in whole.trace
    ]
    assert found.strategy.probabilities.tobytes() == whole.strategy.probabilities.tobytes()
    assert found.state.keys() == whole.state.keys()
    for name, array in found.state.items():
        np.testing.assert_array_equal(array, whole.state[name])
    assert found.recording == whole.recording


_WHOLE: dict[str, eq.Solution] = {}


def whole_run(options: dict[str, Any]) -> eq.Solution:
    """Return the run that is never killed."""
    key = repr(options)
    if key not in _WHOLE:
        _WHOLE[key] = eq.solve(iterations=ITERATIONS, **options)
    return _WHOLE[key]


def points(options: dict[str, Any], *, older: bool) -> Iterator[tuple[int, bool]]:
    """Iterate over the points at which a run can be killed: before and after each call that changes a file."""
    for again in (
        {},
        {"resume": whole_run(options)},
    ):  # lest machine code be written to its cache while we count
        eq.solve(**(again or options), iterations=ITERATIONS + len(again))
    calls = drill(options, [], older=older) or 0
    for at in range(1, calls + 1):
        yield at, False
        yield at, True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pairs", action="store_true", help="every pair of points as well: minutes"
    )
    parser.add_argument(
        "--run", choices=RUNS, action="append", help="only this one; may be repeated"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth point only")
    parser.add_argument(
        "--first", type=int, default=0, metavar="K", help="from point K on, counted from 0"
    )
    asked = parser.parse_args()
    for name in asked.run or RUNS:
        options = RUNS[name]
        for older in (False, True):
            every = list(points(options, older=older))[asked.first :: asked.every]
            for kill in every:
                attempt(name, options, [kill], older=older)
            tried = len(every)
            if asked.pairs:
                for one in every:
                    for two in every:
                        if attempt(name, options, [one, two], older=older) is None:
                            break
                        tried += 1
            print(
                f"{name}, {'over an older run' if older else 'into a new folder'}: {tried} kills, nothing lost"
            )


def attempt(
    name: str, options: dict[str, Any], kills: list[tuple[int, bool]], *, older: bool
) -> int | None:
    """Drill once; a failure says how to do it again."""
    try:
        return drill(options, kills, older=older)
    except BaseException:
        print(f"FAILED: run {name!r}, kills {kills}, older={older}", file=sys.stderr)
        raise


if __name__ == "__main__":
    main()
