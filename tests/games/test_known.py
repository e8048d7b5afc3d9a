"""Every known number of the built-in games, computed again."""

from functools import cache

import pytest

import equilibrist as eq
from support.census import LARGE, census
from support.known import KNOWN

COUNTS = {"infosets", "histories", "leaves"}
VALUES_OF = {"value_0", "value_1", "value_2"}


@cache
def exact(spec):
    return eq.exact(spec)


def compute(row):
    if row.quantity == "value":
        return exact(row.game).value[0]
    if row.quantity == "uniform_nash_conv":
        return eq.evaluate(row.game, {}, missing="uniform").nash_conv
    if row.game in LARGE or row.quantity == "leaves":
        return getattr(census(row.game), row.quantity)
    form = eq.compile_game(eq.load(row.game))
    return len(form.infosets) if row.quantity == "infosets" else form.histories


def named(row):
    return f"{row.game}-{row.quantity}"


@pytest.mark.thinned(90)
@pytest.mark.parametrize("row", [row for row in KNOWN if row.quantity not in VALUES_OF], ids=named)
def test_known_numbers(row):
    assert compute(row) == pytest.approx(row.number, rel=0, abs=row.tolerance)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
@pytest.mark.parametrize("spec", sorted({row.game for row in KNOWN if row.quantity in VALUES_OF}))
def test_known_values_of_three_players(spec, algorithm):
    """CFR promises no equilibrium here; but the certificate says how close it came to one."""
    solution = eq.solve(spec, algorithm, until=1e-5, iterations=1_000_000)
    assert solution.nash_conv <= 3e-5
    rows = [row for row in KNOWN if row.game == spec and row.quantity in VALUES_OF]
    assert {row.quantity for row in rows} == VALUES_OF
    for row in rows:
        assert solution.value[int(row.quantity[-1])] == pytest.approx(
            row.number, rel=0, abs=row.tolerance
        )


@pytest.mark.thinned(40)
@pytest.mark.parametrize("spec", sorted({row.game for row in KNOWN if row.quantity == "value"}))
def test_known_values_come_with_a_certificate(spec):
    solution = exact(spec)
    assert abs(solution.nash_conv) < 1e-9
    assert solution.value[0] == -solution.value[1] or solution.value[0] == pytest.approx(
        -solution.value[1], abs=1e-12
    )


def test_every_row_has_a_source():
    assert all(row.source for row in KNOWN)
    assert len({(row.game, row.quantity) for row in KNOWN}) == len(KNOWN)
    assert {row.quantity for row in KNOWN} == COUNTS | VALUES_OF | {"value", "uniform_nash_conv"}
