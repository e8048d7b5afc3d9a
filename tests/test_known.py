"""Every known number of the built-in games, computed again."""

from functools import cache

import pytest

import equilibrist as eq
from equilibrist.games.known import KNOWN


@cache
def exact(spec):
    return eq.exact(spec)


def compute(row):
    if row.quantity == "value":
        return exact(row.game).value[0]
    if row.quantity == "uniform_nash_conv":
        return eq.evaluate(row.game, {}, fill="uniform").nash_conv
    return getattr(eq.compile_game(eq.load(row.game)), row.quantity)


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: f"{row.game}-{row.quantity}")
def test_known_numbers(row):
    number = compute(row)
    number = len(number) if row.quantity == "infosets" else number
    assert number == pytest.approx(row.number, rel=0, abs=row.tolerance)


@pytest.mark.parametrize("spec", sorted({row.game for row in KNOWN if row.quantity == "value"}))
def test_known_values_come_with_a_certificate(spec):
    solution = exact(spec)
    assert abs(solution.nash_conv) < 1e-9
    assert solution.value[0] == -solution.value[1] or solution.value[0] == pytest.approx(-solution.value[1], abs=1e-12)


def test_every_row_has_a_source():
    assert all(row.source for row in KNOWN)
    assert len({(row.game, row.quantity) for row in KNOWN}) == len(KNOWN)
    assert {row.quantity for row in KNOWN} == {"value", "infosets", "histories", "uniform_nash_conv"}
