"""Thread teams: with any number of threads, each item of a phase is done once, and what needs all of them sees all."""

import numpy as np
import pytest

from equilibrist._jit.compile import compiled
from equilibrist._jit.thread_team import ThreadTeam, barrier, finish_item, finished_last, next_item

ITEMS, PHASES = 37, 300


@compiled(allocates=False, nogil=True)
def work(team, numbers, totals):
    """Change each number in each phase by the total of the phase before."""
    for number in range(1, len(totals)):
        item = next_item(team)
        while item >= 0:
            numbers[item] = 0.7 * numbers[item] + (item + number) / (1.0 + totals[number - 1])
            finish_item(team)
            item = next_item(team)
        if finished_last(team):
            total = 0.0
            for k in range(len(numbers)):
                total += numbers[k]
            totals[number] = total
        barrier(team)


def expected(items):
    numbers, totals = np.zeros(items), np.zeros(1 + PHASES)
    for number in range(1, 1 + PHASES):
        numbers = 0.7 * numbers + (np.arange(items) + number) / (1.0 + totals[number - 1])
        totals[number] = numbers.cumsum()[
            -1
        ]  # one after the other; since Python 3.12, sum() makes up for rounding
    return totals


def outcome(team, *, items=ITEMS, call=None):
    numbers, totals = np.zeros(items), np.zeros(1 + PHASES)

    def run(k):
        if call is not None:
            call(k)
        work(team.members[k], numbers, totals)

    try:
        team.run(run)
    except ZeroDivisionError:
        assert call is not None
    return totals


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("items", [1, ITEMS])
def test_each_item_is_done_once_and_phases_follow_each_other(threads, items):
    team = ThreadTeam(threads, items)
    for _ in range(3):
        assert outcome(team, items=items).tolist() == expected(items).tolist()
        assert 0 <= team.last < threads


@pytest.mark.parametrize("lost", [0, 1])
def test_nobody_waits_for_a_thread_that_fails(lost):
    team = ThreadTeam(3, ITEMS)

    def call(k):
        if k == lost:
            raise ZeroDivisionError

    found = outcome(team, call=call)
    assert found.tolist() == expected(ITEMS).tolist() or not found.any()  # nobody else had begun
    assert outcome(team).tolist() == expected(ITEMS).tolist()


def test_an_error_of_any_thread_is_raised():
    team = ThreadTeam(2, 1)
    with pytest.raises(ZeroDivisionError):
        team.run(lambda k: 1 // 0)
    ThreadTeam(2, 0).run(lambda k: 1 // 0)  # nothing to do
