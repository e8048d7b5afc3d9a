"""Teams: whatever the number of threads, every part of a round is done once, and what needs all of them sees them."""

import numpy as np
import pytest

from equilibrist._jit.compile import compiled
from equilibrist._jit.team import TeamOfThreads, end_part, is_last, next_part, next_round

PARTS, ROUNDS = 37, 300


@compiled(allocates=False, beside=True)
def work(team, numbers, totals):
    """Change each number in each round by the total of the round before."""
    for number in range(1, len(totals)):
        part = next_part(team)
        while part >= 0:
            numbers[part] = 0.7 * numbers[part] + (part + number) / (1.0 + totals[number - 1])
            end_part(team)
            part = next_part(team)
        if is_last(team):
            total = 0.0
            for k in range(len(numbers)):
                total += numbers[k]
            totals[number] = total
        next_round(team)


def expected(parts):
    numbers, totals = np.zeros(parts), np.zeros(1 + ROUNDS)
    for number in range(1, 1 + ROUNDS):
        numbers = 0.7 * numbers + (np.arange(parts) + number) / (1.0 + totals[number - 1])
        totals[number] = numbers.cumsum()[-1]  # one after the other; since Python 3.12, sum() makes up for rounding
    return totals


def outcome(team, *, parts=PARTS, call=None):
    numbers, totals = np.zeros(parts), np.zeros(1 + ROUNDS)

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
@pytest.mark.parametrize("parts", [1, PARTS])
def test_each_part_is_done_once_and_rounds_follow_each_other(threads, parts):
    team = TeamOfThreads(threads, parts)
    for _ in range(3):
        assert outcome(team, parts=parts).tolist() == expected(parts).tolist()
        assert 0 <= team.last < threads


@pytest.mark.parametrize("lost", [0, 1])
def test_nobody_waits_for_a_thread_that_fails(lost):
    team = TeamOfThreads(3, PARTS)

    def call(k):
        if k == lost:
            raise ZeroDivisionError

    found = outcome(team, call=call)
    assert found.tolist() == expected(PARTS).tolist() or not found.any()  # nobody else had begun
    assert outcome(team).tolist() == expected(PARTS).tolist()


def test_an_error_of_any_thread_is_raised():
    team = TeamOfThreads(2, 1)
    with pytest.raises(ZeroDivisionError):
        team.run(lambda k: 1 // 0)
    TeamOfThreads(2, 0).run(lambda k: 1 // 0)  # nothing to do
