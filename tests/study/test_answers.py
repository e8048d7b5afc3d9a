"""What routes answer is what their handlers say, and what the page's JavaScript is checked against."""

from types import NoneType
from typing import Any, Literal, NotRequired, TypedDict

import pytest

from answer_types import FILE, answer_type, declarations, find_mismatch, sends_files
from equilibrist.study.routes import TABLE


def test_the_types_of_the_page_are_up_to_date():
    """``python tests/answer_types.py`` writes the file."""
    assert FILE.read_text(encoding="utf-8") == declarations()


def test_every_handler_says_what_it_answers():
    for _, path, place in TABLE:
        assert answer_type(place) is not None or sends_files(place), path


class Card(TypedDict):
    """A card for these tests."""

    rank: Literal["A", "K"]
    weight: NotRequired[float | None]


class Hand(TypedDict):
    """Two cards for these tests."""

    cards: tuple[Card, Card]
    names: list[str]
    odds: dict[str, float]


ACE = {"rank": "A"}
HAND = {"cards": [ACE, {"rank": "K", "weight": 1}], "names": [], "odds": {"AA": 0.5}}


@pytest.mark.parametrize("value", [HAND, {**HAND, "cards": [{"rank": "A", "weight": None}, ACE]}])
def test_a_value_is_of_its_type(value):
    assert find_mismatch(value, Hand) == ""


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "answer is None, not Hand"),
        ({**HAND, "other": 1}, "answer.other is no field of Hand"),
        ({"cards": [ACE, ACE], "names": []}, "answer lacks odds of Hand"),
        ({**HAND, "cards": [ACE]}, "answer.cards is "),
        ({**HAND, "cards": [ACE, {"rank": "Q"}]}, "answer.cards[1].rank is 'Q', not one of "),
        ({**HAND, "names": [1]}, "answer.names[0] is 1, not string"),
        ({**HAND, "odds": {"AA": None}}, "answer.odds.AA is None, not number"),
        ({**HAND, "odds": {"AA": True}}, "answer.odds.AA is True, not number"),
    ],
)
def test_what_is_not_of_its_type_is_named(value, problem):
    assert find_mismatch(value, Hand).startswith(problem)


@pytest.mark.parametrize(
    ("value", "kind"), [(1, int), (0.5, float | None), (None, NoneType), ({}, Any), (1, str | int)]
)
def test_plain_values_have_types(value, kind):
    assert find_mismatch(value, kind) == ""


def test_of_a_union_the_arm_that_is_meant_is_named():
    assert (
        find_mismatch({"rank": "A", "suit": "s"}, Card | None) == "answer.suit is no field of Card"
    )
