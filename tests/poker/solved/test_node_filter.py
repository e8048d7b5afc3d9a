"""The hands of a decision that pass a filter: means against sums over the hands, and what stays as it was."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import GameError
from equilibrist.evaluation.units import UNITS

RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,KQs,JJ:0.5,87s,A5s', ip='QQ,KJs,T9s,A9s,76s', pot=100, stack=100, "
    "bets='50%, a')"
)


@pytest.fixture(scope="module")
def node():
    return eq.poker.SolvedSpot(eq.solve(RIVER, iterations=20)).node("X")


def rows_of(node, player, fits):
    rows = [
        dict(zip(node.columns(player), values, strict=True))
        for values in zip(*node.columns(player).values(), strict=True)
    ]
    return [row for row in rows if fits(row)]


def mean(rows, name):
    total = sum(row["probability"] for row in rows)
    return sum(row["probability"] * row[name] for row in rows if row["probability"] > 0) / total


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("second pair or two pair", lambda row: row["made"] in ("second pair", "two pair")),
        ("equity > 40, not set", lambda row: row["equity"] > 0.4 and row["made"] != "set"),
        ("X > 50 and Ax", lambda row: row["X"] > 0.5 and "A" in row["hand"]),
        ("EV > 30", lambda row: row["ev"] > 30),
    ],
)
def test_means_are_those_over_the_hands_that_pass(node, text, fits):
    rows = rows_of(node, 1, fits)
    part = node.only_hands(text)
    assert list(part.hands[1]) == [row["hand"] for row in rows]
    assert part.evs[1] == pytest.approx(mean(rows, "ev"), abs=1e-12)
    assert part.equities[1] == pytest.approx(mean(rows, "equity"), abs=1e-12)
    for action, share in zip(node.actions, part.frequencies, strict=True):
        assert share == pytest.approx(mean(rows, action), abs=1e-12)
    assert part.evs[0] == node.evs[0]
    assert part.only.startswith(f"IP with {text} alone: ")


def test_the_other_player_has_no_actions_to_filter_by(node):
    part = node.only_hands("overpair", 0)
    assert set(part.columns(0)["made"]) == {"overpair"}
    assert part.frequencies.tolist() == node.frequencies.tolist()
    with pytest.raises(
        GameError, match="'X' at character 1 is none of weight, equity, EV, which have limits"
    ):
        node.only_hands("X > 50", 0)


def test_evs_are_in_the_unit_that_is_given(node):
    chips = node.passes("EV > 40")
    assert (node.passes("EV > 40", unit=UNITS["pot"]) == chips).all()  # of a pot of 100
    assert (node.passes("EV > -10", unit=UNITS["net"]) == chips).all()
    assert 0 < chips.sum() < len(chips)


def test_nothing_that_passes_is_refused(node):
    with pytest.raises(GameError, match="no hand in the range of IP passes 'straight flush' here"):
        node.only_hands("straight flush")


def test_a_table_has_the_hands_that_pass(node):
    assert np.all(node.only_hands("hearts").to_pandas()["hand"].str.contains("h"))


def test_hands_of_four_cards_have_no_filters():
    spot = "omaha(board='Kh9s4d7c2h', oop='KKQQds', ip='AAJJds', pot=100, stack=100, bets='a')"
    omaha = eq.poker.SolvedSpot(eq.solve(spot, iterations=2))
    with pytest.raises(GameError, match="filters are for hands of two cards"):
        omaha.node().only_hands("set")
