"""Equity of two ranges, against all pairs of hands and all boards one by one, and against known equities."""

import json
from itertools import combinations

import numpy as np
import pytest

import equilibrist as eq

OOP, IP = "AA:0.5,QJs,T8s,A5s,7c6c", "KK,JTs:0.25,98s,AA,QTo"


def by_pairs(result, player):
    """Return the equity of each hand by going through all pairs of hands and all boards, with another evaluator."""
    evaluate = pytest.importorskip("phevaluator").evaluate_cards
    board = [result.board[i : i + 2] for i in range(0, len(result.board), 2)]
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    equities = []
    for name in result.hands[player]:
        won = met = 0.0
        for other, weight in zip(result.hands[1 - player], result.ranges[1 - player], strict=True):
            both = [name[:2], name[2:], other[:2], other[2:]]
            if len(set(both)) < 4:
                continue
            left = [card for card in deck if card not in both + board]
            for cards in combinations(left, 5 - len(board)):
                mine, theirs = (
                    evaluate(*both[:2], *board, *cards),
                    evaluate(*both[2:], *board, *cards),
                )
                won += weight * (1.0 if mine < theirs else 0.5 if mine == theirs else 0.0)
                met += weight
        equities.append(won / met if met else np.nan)
    return equities


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("board", "oop", "ip"),
    [("Td9d6hQc2s", OOP, IP), ("Td9d6hQc", OOP, IP), ("Td9d6h", "A5s", "AhKh,T9s:0.3")],
)
def test_equities_are_those_of_all_pairs(board, oop, ip):
    result = eq.poker.equity(board, oop, ip)
    for player in range(2):
        np.testing.assert_allclose(result.equity[player], by_pairs(result, player), atol=1e-12)
    assert sum(result.equities) == pytest.approx(1, abs=1e-12)


def test_known_equities():
    """Set against flush draw: 47 · 46 / 2 ... as all run-outs count them; a hand against itself has half."""
    assert eq.poker.equity("QsJh2h", "random", "random").equities == pytest.approx(
        (0.5, 0.5), abs=1e-12
    )
    drawing_dead = eq.poker.equity("AsAdAc", "2c2d", "AhKh")
    assert drawing_dead.equities == pytest.approx((0, 1), abs=1e-15)
    outs = eq.poker.equity("AsKs7s2d", "QsJs", "7c7d")  # ten cards pair the board or make quads
    assert outs.equities[1] == pytest.approx(10 / 44, abs=1e-15)


def test_spread_and_made_hands_of_a_range():
    result = eq.poker.equity("Td9d6hQc2s", OOP, IP)
    for player in range(2):
        assert result.distribution(player, 7).sum() == pytest.approx(1)
        made = result.made(player)
        assert sum(share for share, _ in made.values()) == pytest.approx(1)
        assert sum(share * values[0] for share, values in made.values()) == pytest.approx(
            result.equities[player]
        )
    removal = result.removal(1)
    assert removal["Kh"] == pytest.approx(3 / result.ranges[1].sum())
    assert sum(removal.values()) == pytest.approx(2)
    assert "Td" not in removal


def test_hands_that_nobody_can_meet_have_no_equity():
    result = eq.poker.equity("2c3d4h", "AsAh,KsKh", "AsAc,AsAd")
    equity = dict(zip(result.hands[0], result.equity[0], strict=True))
    assert np.isnan(equity["AsAh"])
    assert result.probabilities[0].tolist() == [1.0, 0.0]
    assert result.distribution(0).sum() == pytest.approx(1)


def test_equity_as_tables(tmp_path):
    result = eq.poker.equity("QsJh2h", "AhKh,QdQc", "TT")
    rows = result.to_arrow().to_pylist()
    assert list(rows[0]) == [
        "player",
        "hand",
        "class",
        "made",
        "draws",
        "range",
        "probability",
        "equity",
    ]
    assert {row["hand"]: row["made"] for row in rows if row["player"] == 0} == {
        "AhKh": "ace high",
        "QdQc": "set",
    }
    result.write_csv(tmp_path / "equity.csv")
    assert len((tmp_path / "equity.csv").read_text().splitlines()) == 1 + len(rows)
    assert json.loads(json.dumps(result.summary()))["made"][0]["set"][0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("QsJh", "AA", "KK"), "3 or 4 or 5 cards"),
        (("QsJh2h", "AY", "KK"), "oop"),
        (("QsJhQd", "QQ", "QQ"), "no two"),
    ],
)
def test_what_cannot_be_read_is_refused(arguments, reason):
    with pytest.raises(eq.GameError, match=reason):
        eq.poker.equity(*arguments)
