"""Histories of play: their sums are those of the hands that were put in, counted here without a database."""

import math
import random

import pytest

from equilibrist.play.hand import Hand, Move
from equilibrist.play.history import History
from equilibrist.play.score import GRADES, Grading

UNIT = 10.0
GRADING = Grading(UNIT)


def choice(key, values, taken):
    return Move(0, key, ("a", "b", "c"), taken, action_values=values)


def made(number, *choices, payoff=1.0):
    return Hand(number, 0, tuple(choices), (payoff, -payoff), 2.0)


def graded(move):
    """Return the grade by hand: 0.1 %, 1 % and 5 % of the unit."""
    return sum(move.cost > limit * UNIT * (1 + 1e-9) for limit in (0.001, 0.01, 0.05))


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "play.sqlite")


def table(history, unit=UNIT):
    return history.open_table(
        {}, kind="play", game="a game", run=None, opponent="somebody", unit=unit
    )


def test_sums_are_those_of_the_hands(history):
    """What is best within 0.1 % is charged nothing in the score, though it counts in what was lost."""
    source = random.Random(3)
    at, hands = table(history), []
    for number in range(1, 13):
        choices = []
        for _ in range(source.randint(1, 3)):
            best = source.uniform(-3, 3)
            costs = [0.0, source.choice((0.004, 0.05, 0.3, 2.0)), source.uniform(0, 4)]
            source.shuffle(costs)
            values = tuple(best - cost for cost in costs)
            choices.append(choice(source.choice("IJK"), values, source.randrange(3)))
        hands.append(made(number, *choices))
        history.add(at, hands[-1], GRADING)
    moves = [move for hand in hands for move in hand.moves]
    grades = list(map(graded, moves))
    assert {0, 1, 2, 3} == set(grades)
    charged = math.fsum(move.cost for move, grade in zip(moves, grades, strict=True) if grade)
    assert charged < math.fsum(move.cost for move in moves)
    for infoset in (None, "I", "J"):
        some = [move for move in moves if infoset in (None, move.infoset)]
        told = history.score({"infoset": infoset})
        assert told["decisions"] == len(some)
        assert told["hands"] == sum(any(move in some for move in hand.moves) for hand in hands)
        assert told["cost"] == pytest.approx(math.fsum(move.cost for move in some))
        assert told["lost"] == pytest.approx(told["cost"] / UNIT)
        assert told["at_stake"] == pytest.approx(math.fsum(move.at_stake for move in some))
        of_grades = [graded(move) for move in some]
        assert told["grades"] == {
            name: of_grades.count(number) for number, name in enumerate(GRADES)
        }
        charged = math.fsum(move.cost for move in some if graded(move))
        stake = math.fsum(move.at_stake for move in some)
        assert told["score"] == pytest.approx(1 - charged / stake)
    rows = history.by("infoset")
    lost = [row["lost"] for row in rows]
    assert lost == sorted(lost, reverse=True)
    assert math.fsum(lost) == pytest.approx(history.score()["lost"])


def test_a_mistake_is_one_that_was_made_the_last_time(history):
    """By the last answer alone, the dearest first: what was wrong once and then right is none."""
    at = table(history)
    right, small, large = (5.0, 4.0, 1.0), (5.0, 4.7, 1.0), (5.0, 4.0, 0.0)
    answers = [
        ("I", right, 2),
        ("I", right, 0),
        ("J", right, 0),
        ("J", small, 1),
        ("K", large, 2),
        ("L", right, 1),
        ("L", right, 2),
    ]
    for number, (key, values, taken) in enumerate(answers, 1):
        history.add(at, made(number, choice(key, values, taken)), GRADING)
    found = history.mistakes()
    assert [(player, key) for player, key, _ in found] == [(0, "K"), (0, "L"), (0, "J")]
    assert [share for _, _, share in found] == pytest.approx([0.5, 0.4, 0.03])
    assert len(history.mistakes(most=1)) == 1


def test_hands_come_in_the_order_that_is_asked_for(history):
    """Costs of different games are compared as shares of their units."""
    small, large = table(history), table(history, unit=100.0)
    costs = {(small, 1): 3.0, (small, 2): 0.0, (large, 1): 20.0, (small, 3): 1.0}
    for (at, number), cost in costs.items():
        move = choice("I", (5.0, 5.0 - cost, 5.0 - 50.0), 1)
        history.add(at, made(number, move, payoff=10.0 - cost * number), GRADING)
    units = {small: UNIT, large: 100.0}

    def places(order):
        return [(row["table_id"], row["number"]) for row in history.hands(order=order)]

    dearest = sorted(costs, key=lambda place: -costs[place] / units[place[0]])
    assert places("cost") == dearest
    paid = {place: (10.0 - cost * place[1]) / units[place[0]] for place, cost in costs.items()}
    assert places("payoff")[0] == min(paid, key=paid.get)
    assert places("played") == list(reversed(costs))
    luck = {
        place: (10.0 - cost * place[1] - 2.0 + cost) / units[place[0]]
        for place, cost in costs.items()
    }
    assert places("luck")[0] == min(luck, key=luck.get)
    assert len(history.hands({"table": small})) == 3
    assert [row.payoff for row in history.numbers(small)] == [7.0, 10.0, 7.0]
