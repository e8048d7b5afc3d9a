"""Equity before the flop; referees: all boards of some hands, sums over pairs of hands, published equities."""

import csv
import json
from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS
from equilibrist.poker.cards.ranges import Range
from equilibrist.poker.preflop import equity as module
from equilibrist.poker.preflop.all_in import load_all_in


def by_pairs(first, second):
    """Return the equity of the first range by its pairs of hands, one by one, each as good as its classes."""
    equity = load_all_in().equity
    won = met = 0.0
    for one, other in product(np.flatnonzero(first.weights), np.flatnonzero(second.weights)):
        if len({*HANDS[one].tolist(), *HANDS[other].tolist()}) == 4:
            weight = first.weights[one] * second.weights[other]
            won += weight * equity[CLASS_OF_HAND[one], CLASS_OF_HAND[other]]
            met += weight
    return won / met


@pytest.mark.parametrize(
    ("first", "second"),
    [("AKs", "QQ+"), ("22+,A5s:0.3,KQo", "AKo,JTs:0.25,99"), ("AhKh,7c6c:0.5", "66+,AQs")],
)
def test_equity_is_the_mean_over_pairs_of_hands(first, second):
    result = eq.poker.preflop_equity(first, second)
    assert result.equities[0] == pytest.approx(by_pairs(Range(first), Range(second)), abs=1e-12)
    assert sum(result.equities) == pytest.approx(1, abs=1e-12)
    assert sum(result.wins) + result.tie == pytest.approx(1, abs=1e-12)
    for player in (0, 1):
        table = result.columns(player)
        mean = np.dot(table["probability"], table["equity"])
        assert mean == pytest.approx(result.equities[player], abs=1e-12)
        assert table["equity"] == sorted(table["equity"], reverse=True)
        assert sum(table["combos"]) == pytest.approx(result.ranges[player].combos)


def test_published_equities():
    for first, second, percent in (
        ("AA", "KK", 81.95),
        ("AKs", "QQ", 46.05),
        ("AA", "random", 85.20),
        ("72o", "random", 34.58),
    ):
        assert 100 * eq.poker.preflop_equity(first, second).equities[0] == pytest.approx(
            percent, abs=0.006
        )


@pytest.mark.slow
def test_boards_one_by_one_agree_with_the_table():
    """Of all suits of two classes, dealt board by board, the mean is that of the table."""
    for first, second in (("AKs", "QQ"), ("QJo", "QJs")):
        dealt = module._sum_over_boards(Range(first), Range(second))
        table = module._sum_over_classes(Range(first), Range(second))
        for sums, expected in zip(dealt, table, strict=True):
            assert sums == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_suits_of_both_hands_count():
    """A flush that the other blocks is rarer; the pair of hands is that of published tables."""
    assert eq.poker.preflop_equity("AsKs", "QsQd").equities[0] == pytest.approx(0.4588, abs=5e-5)
    assert eq.poker.preflop_equity("AsKs", "QhQd").equities[0] > 0.462


def test_pairs_of_hands_are_counted_up_to_suits():
    pairs = module._pair_weights(Range("AsKs,AhKh:0.5"), Range("QsQd,QhQd"))
    # suited with a queen of the suit, or without
    assert len(pairs) == 2
    sums = sorted(sum(weight for *_, weight in parts) for parts in pairs.values())
    assert sums == [1.5, 1.5]
    classes = {part[:2] for parts in pairs.values() for part in parts}
    assert classes == {(CLASSES.index("AKs"), CLASSES.index("QQ"))}


def test_the_command_shows_both_and_writes_csv(run, tmp_path):
    shown = run("equity", "AKs", "QQ+").out
    assert "Equity before the flop" in shown
    assert "34.59%" in shown
    assert "Hands of QQ+" in shown
    file = tmp_path / "equity.csv"
    summary = json.loads(run("equity", "AKs", "QQ+", "--csv", str(file), "--json").out)
    assert summary["equity"] == list(eq.poker.preflop_equity("AKs", "QQ+").equities)
    rows = list(csv.DictReader(file.open()))
    assert [row["hand"] for row in rows] == ["AKs", "AA", "KK", "QQ"]
    assert "Hands of QQ+" in eq.poker.preflop_equity("AKs", "QQ+").to_html()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("QsJh2h", "AA"), "On the board QsJh2h two ranges are needed"),
        (("AA", "KK", "--deck", "short"), "those of all 52 cards; got the deck 'short'"),
        (("AsAh,AsAd", "AsKs"), "No hand of the first range can be dealt"),
        (("AA", "AAx"), "second: 'AAx' at character 1 cannot be read"),
        (("22+,AsAh:0.5,A2s+", "22+,KsKh:0.5,K2s+"), "at most 300 that differ"),
    ],
)
def test_wrong_ranges_are_refused(run, typed, message):
    ran = run("equity", *typed)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())
