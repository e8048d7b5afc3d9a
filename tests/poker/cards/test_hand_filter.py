"""Filters of hands: the cases that the page is tested with as well, against ranges, and what a table may lack."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.poker.cards.cards import CLASSES, HANDS, hand_numbers, parse_cards
from equilibrist.poker.cards.hand_filter import HandTable, read_filter
from equilibrist.poker.cards.hand_ranks import FULL_DECK
from equilibrist.poker.cards.made_hands import hand_columns
from equilibrist.poker.cards.ranges import Range

SHARED = json.loads(
    Path(__file__).parents[2].joinpath("data", "hand_filters.json").read_text(encoding="utf-8")
)
NAMES = [row["hand"] for row in SHARED["rows"]]
BOARD = parse_cards(SHARED["board"])


def _numbers(values):
    return np.array([np.nan if value is None else value for value in values], float)


def _table(**changes):
    rows = SHARED["rows"]
    facts = {
        "hands": hand_numbers(NAMES),
        "board": BOARD,
        "deck": FULL_DECK,
        "weight": _numbers([row["weight"] for row in rows]),
        "equity": _numbers([row["equity"] for row in rows]),
        "ev": _numbers([row["ev"] for row in rows]),
        "mix": {
            action: _numbers([row["mix"][place] if row["mix"] else None for row in rows])
            for place, action in enumerate(SHARED["actions"])
        },
    }
    return HandTable(**{**facts, **changes})


def test_the_rows_of_the_shared_cases_are_what_their_hands_make():
    columns = hand_columns(BOARD, hand_numbers(NAMES))
    assert columns["made"].tolist() == [row["made"] for row in SHARED["rows"]]
    assert columns["draws"].tolist() == [", ".join(row["draws"]) for row in SHARED["rows"]]


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["text"] or "nothing")
def test_shared_case(case):
    passes = read_filter(case["text"], SHARED["actions"]).passes(_table())
    assert [name for name, is_shown in zip(NAMES, passes, strict=True) if is_shown] == case["hands"]


@pytest.mark.parametrize("case", SHARED["errors"], ids=lambda case: case["text"][:20])
def test_shared_error(case):
    with pytest.raises(GameError) as caught:
        read_filter(case["text"], SHARED["actions"])
    assert str(caught.value) == case["message"]
    assert caught.value.span == (case["start"], case["length"])
    assert caught.value.wrong_use


@pytest.mark.parametrize("case", SHARED["counts"], ids=lambda case: case["text"])
def test_shared_count(case):
    every_hand = np.arange(len(HANDS))
    table = _table(hands=every_hand, weight=np.ones(len(HANDS)), mix={})
    assert read_filter(case["text"]).passes(table).sum() == case["hands"]


@pytest.mark.parametrize(
    "text",
    ["QQ+", "T9s+", "A9s-A6s", "98o-65o", "Jx+", "-55", "A5s-", "top 20%", "5%-15%", *CLASSES[:9]],
)
def test_hands_are_those_of_a_range(text):
    every_hand = np.arange(len(HANDS))
    passes = read_filter(text).passes(_table(hands=every_hand, mix={}))
    with warnings.catch_warnings(action="ignore"):
        assert (passes == (Range(text).weights > 0)).all()


@pytest.mark.parametrize("text", ["equity > 50", "set or not EV > 3"])
def test_what_only_a_solution_knows_is_refused_elsewhere(text):
    with pytest.raises(GameError, match="asks for what is known of a solved spot alone"):
        read_filter(text).passes(_table(equity=None, ev=None))


def test_no_filter_warns_of_how_other_programs_read_a_range():
    with warnings.catch_warnings(action="error"):
        read_filter("20%, T9s+, Jx+")
