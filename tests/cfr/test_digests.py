"""Results are the same to the last bit as those that are stored (tests/digests.py, which also tries other machines)."""

import json

import pytest

import digests

STORED = json.loads(digests.STORED.read_text())


@pytest.mark.thinned(20)
@pytest.mark.parametrize("name", digests.RUNS)
def test_the_bits_are_those_that_are_stored(name):
    found = digests.digest(digests.RUNS[name])
    assert found == STORED[name], "after a change on purpose: python tests/digests.py --record"
