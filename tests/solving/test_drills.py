"""A part of the drills, the same in every run: ``python tests/drills/kill.py --pairs`` and ``fuzz.py`` do more."""

import random

import pytest

from drills import fuzz, kill


@pytest.mark.slow
@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
@pytest.mark.parametrize("name", kill.RUNS)
def test_killed_at_points_and_pairs_of_points(name, older):
    dice = random.Random(f"{name} {older}")
    points = list(kill.points(kill.RUNS[name], older=older))
    assert len(points) > 100
    for one in dice.sample(points, 6):
        assert kill.drill(kill.RUNS[name], [one], older=older) is not None
    for _ in range(3):
        kill.drill(kill.RUNS[name], dice.sample(points, 2), older=older)


FEWER_CASES = {"tampered": 15, "folders": 6, "commands": 5, "members": 15}
"""Of kinds whose cases are dear: what can be read is resumed, and each command is run."""


@pytest.mark.thinned(8)
@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_damaged_and_tampered_files_are_read_or_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # commands are drilled in a folder of their own, and left there
    cases = FEWER_CASES.get(name, 60)
    counts, failed = fuzz.fuzz(fuzz.TARGETS[name](tmp_path), name, 0, 0, lambda case: case >= cases)
    assert (failed, sum(counts.values())) == (0, cases)
    if name != "library":  # the server sets aside what is damaged, and answers all the same
        assert counts["refused"] > 0
