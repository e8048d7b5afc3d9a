"""Actions by their words, and by what people write for them."""

import pytest

import equilibrist as eq
from equilibrist.game.action_names import find_action

OPEN, FACING, BOTH = ("pass", "bet"), ("fold", "call"), ("fold", "call", "raise")


@pytest.mark.parametrize(
    ("given", "actions", "number"),
    [
        ("pass", OPEN, 0),
        ("Bet", OPEN, 1),
        ("p", OPEN, 0),
        ("b", OPEN, 1),
        ("check", OPEN, 0),
        ("p", FACING, 0),
        ("b", FACING, 1),
        ("pass", FACING, 0),
        ("f", FACING, 0),
        ("c", FACING, 1),
        ("c", BOTH, 1),
        ("r", BOTH, 2),
        ("b", BOTH, None),  # either call or raise
        ("bet", BOTH, None),
        ("raise", FACING, None),
        ("fold", OPEN, None),
        ("Call", ("check", "bet"), 0),  # as in OpenSpiel's Leduc
        ("Raise", ("check", "bet"), 1),
        ("r7", ("fold", "call", "raise to 5", "raise to 7"), 3),
        ("b3", ("check", "bet to 2", "bet to 3"), 2),
        ("r", ("fold", "call", "raise to 7"), None),
        ("call", ("p", "b"), 1),  # the other way round: the game writes letters
        ("fold", ("f", "c", "r"), 0),
        ("call", ("c", "b"), None),
        ("1", ("10", "11"), None),  # no beginnings of names
        ("1x2", ("1x1", "1x2"), 1),
        ("rock", ("Rock", "rock"), 1),
        ("ROCK", ("Rock", "rock"), None),
    ],
)
def test_an_action_is_found_by_its_name_or_what_people_write(given, actions, number):
    assert find_action(given, actions) == number


def test_a_strategy_may_be_given_and_asked_by_letters():
    words = eq.exact("kuhn").strategy
    letters = {key: dict(zip("pb", row.values(), strict=True)) for (_, key), row in words.items()}
    assert eq.evaluate("kuhn", letters).value == eq.evaluate("kuhn", words).value
    assert words["Jpb"]["p"] == words["Jpb"]["fold"] == 1
    with pytest.raises(KeyError, match="'x1'"):
        words["Jpb"]["x1"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"check": 1},
            "Player 0 'Jpb' has the actions 'fold', 'call' in kuhn; the strategy names 'check'.",
        ),
        ({"p": 0.5, "fold": 0.5}, "the strategy names one of them twice: 'p', 'fold'."),
    ],
)
def test_what_could_be_several_or_none_is_refused_in_one_sentence(row, message):
    with pytest.raises(eq.SolutionError, match=message):
        eq.evaluate("kuhn", {"Jpb": row}, missing="uniform")


def test_a_strategy_of_openspiel_by_another_name_for_the_same_moves():
    """Of Leduc, OpenSpiel calls the check a call and the bet a raise."""
    strategy = eq.solve("leduc(raises=1)", iterations=20).strategy
    theirs = {"check": "Call", "call": "Call", "bet": "Raise", "raise": "Raise", "fold": "Fold"}
    renamed = {
        key: {theirs[action]: p for action, p in row.items()} for key, row in strategy.items()
    }
    assert (
        eq.evaluate("leduc(raises=1)", renamed).nash_conv
        == eq.evaluate("leduc(raises=1)", strategy).nash_conv
    )
