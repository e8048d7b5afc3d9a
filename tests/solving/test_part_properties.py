"""What parts promise, each a property: percentages, gifts along the path, deviations of who never moves."""

from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.correlation.plans import best_plans, good_plans, sequence_game
from equilibrist.form.limits import MAX_DEPTH, Limits
from equilibrist.form.sequence.part import SequencePart
from equilibrist.solving.resolving.cards import CardPart
from equilibrist.solving.resolving.splice import spliced_run

TURN = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=80, stack=200, bets='50%, a; a')"


@pytest.fixture(scope="module")
def turn():
    return eq.solve(TURN, "cfr", iterations=5, precision="float64")


def test_a_spliced_run_has_the_percentage_of_its_own_exploitability(turn):
    whole = spliced_run(turn)
    assert whole.final.measures["exploitability_percent"] == pytest.approx(
        100 * whole.exploitability / 80, rel=1e-12
    )
    assert whole.final.measures["exploitability_percent"] == pytest.approx(
        turn.final.measures["exploitability_percent"], rel=1e-9
    )


def test_gifts_on_cards_are_what_a_hand_gave_up_on_the_way(turn):
    """Each is 0 or more, and the value of the best action of a hand × its weight, less that of the one it took."""
    part = CardPart(turn, "X-B40-C", "2s", None, 0)
    gifts = part.boundary(gifts=True).gift
    assert gifts.min() >= 0
    assert gifts.max() > 0
    form, weights = turn.strategy.form, turn.strategy.slots.weights
    best, reach = form.best_responses(weights).best_value, form.cf_reach_at_slots(weights)
    node = next(n for n in form.betting.streets[0].decisions if n.player == 1 and n.line == "X")
    slots = form.slots_of(node, 0)
    taken = node.actions.index("B40")
    expected = (best[slots].max(axis=0) - best[slots[taken]]) / reach[slots[taken]]
    assert gifts[form.hands_on(0, 0, 1)] == pytest.approx(expected, rel=1e-9)


class TwoGifts:
    """Player 0 may sell for 3, then for 2, and then lets player 1 guess for 1."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        if state.endswith("s") or len(state) == 3:
            return eq.TERMINAL
        return 1 if len(state) == 2 else 0

    def actions(self, state):
        return ["l", "r"] if len(state) == 2 else ["s", "p"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        value = {"s": 3.0, "ps": 2.0}.get(state, 1.0 if state.endswith("l") else -1.0)
        return value, -value

    def infoset(self, state):
        return f"after {state}"


def test_gifts_are_summed_up_along_the_path():
    """At the first choice 3 is left for 2, the best of what follows; at the second 2 for 1: a gift of 1 and 1."""
    form = eq.compile_game(TwoGifts(), keep_tree=True)
    strategy = eq.Strategy.from_dict(
        {
            (0, "after "): {"s": 0.5, "p": 0.5},
            (0, "after p"): {"s": 0.5, "p": 0.5},
            (1, "after pp"): {"l": 1.0, "r": 0.0},
        }
    )
    boundary = SequencePart(form, "after pp", 1).boundary(strategy.at_slots(form))
    assert boundary.gift == pytest.approx([2.0], abs=1e-12)
    assert boundary.value == pytest.approx([1.0], abs=1e-12)


class Leaves:
    """Player 1 ends the game at once, or lets player 0 choose: of most plays player 0 never moves."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return 1 if state == "" else 0 if state == "o" else eq.TERMINAL

    def actions(self, state):
        return ["e", "o"] if state == "" else ["a", "b"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        return {"e": (5.0, 1.0), "oa": (0.0, 2.0), "ob": (1.0, 0.0)}[state]

    def infoset(self, state):
        return "first" if state == "" else "second"


@pytest.mark.parametrize("kind", ["nfcce", "efce", "ce"])
def test_what_who_never_moves_receives_counts_on_both_sides_of_a_deviation(kind):
    """By all deviations in a table of plans: (e, o) × (a, b), with what the mediator draws."""
    result = eq.correlated_equilibrium(Leaves(), kind)
    assert result.value == pytest.approx(
        (5.0, 1.0), abs=1e-9
    )  # who does not come cannot gain: b is drawn after o
    by_player = {each.player: each.gain for each in result.deviations if each.infoset is None}
    if kind == "nfcce":
        drawn = sum(
            outcome.probability for outcome in result.outcomes if outcome.payoffs == (5.0, 1.0)
        )
        assert drawn == pytest.approx(1, abs=1e-9)
        assert by_player[0] == pytest.approx(0, abs=1e-9)  # with a or b the same 5 comes


def test_best_plans_are_found_where_little_is_between_them():
    """Against all joint plans: also where the best one is better by 1e-7 of the largest weight."""
    game = sequence_game(eq.load("kuhn(players=2)"), Limits.checked(None, MAX_DEPTH))
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-9, 1e9):
        weights = size * (1 + 1e-7 * rng.random(len(game.leaves)))
        worth, plan = best_plans(game, game.leaves, weights, (0, 1))
        plans = [game.pure_plans(player) for player in (0, 1)]
        joint = [first | second for first, second in product(*plans)]
        held = np.array([np.isin(game.leaves, list(each)).all(axis=1) for each in joint])
        assert worth == pytest.approx((held @ weights).max(), rel=1e-9)
        assert good_plans(game, game.leaves, weights, (0, 1), plan)[0] == pytest.approx(
            worth, rel=1e-12
        )
