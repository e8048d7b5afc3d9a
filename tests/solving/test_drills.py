"""A part of the drills, the same in every run: ``python tests/drills/kill.py --pairs`` and ``fuzz.py`` do more."""

import random

import pytest

from drills import fuzz, kill


@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
@pytest.mark.parametrize("name", kill.RUNS)
def test_killed_at_points_and_pairs_of_points(name, older):
    dice = random.Random(f"{name} {older}")
    points = list(kill.points(kill.RUNS[name], older=older))
    assert len(points) > 100
    for one in dice.sample(points, 12):
        assert kill.drill(kill.RUNS[name], [one], older=older) is not None
    for _ in range(6):
        kill.drill(kill.RUNS[name], dice.sample(points, 2), older=older)


@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_damaged_and_tampered_files_are_read_or_refused(name, tmp_path):
    counts, failed = fuzz.fuzz(fuzz.TARGETS[name](tmp_path), name, 0, 0, lambda case: case >= 60)
    assert (failed, sum(counts.values())) == (0, 60)
    assert counts["refused"] > 0
