"""What is worth training: reaches by plain recursion over histories and over pairs of hands, in the order promised."""

import math
from itertools import product

import pytest

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.game.protocol import CHANCE
from equilibrist.play.lines import read_graded_costs
from equilibrist.play.training import infosets_to_train
from equilibrist.poker.solved.lines import lines_to_train
from support.random_games import random_strategy
from support.reference import unfold

TURN = "holdem(board='AsKs7s2s', oop='QdQc,KdJh:0.5,9s8s', ip='JdJc,AdQh:0.75,TsTc', pot=100, stack=150, bets='50%; a')"


def reaches(root, strategy, *, but=None):
    """Return how often a play comes to each infoset, by all moves on the way ``but`` a player's."""
    found = {}
    waiting = [(root, 1.0)]
    while waiting:
        node, reach = waiting.pop()
        if node.key is not None:
            found[node.key] = found.get(node.key, 0.0) + reach
        for label, child in node.children.items():
            if node.player == CHANCE:
                odds = node.probabilities[label]
            elif node.player == but:
                odds = 1.0
            else:
                odds = strategy[node.key][label]
            waiting.append((child, reach * odds))
    return found


@pytest.mark.parametrize("spec", ["kuhn(players=3)", "leduc(ranks=2)"])
def test_infosets_come_by_how_often_and_how_much(spec):
    game = eq.load(spec)
    form = eq.compile_game(game, keep_tree=True)
    strategy = random_strategy(form.infosets, 4)
    places = infosets_to_train(form, strategy)
    root = unfold(game)
    reach = reaches(root, strategy)
    led_to = set()
    for player in range(game.players):
        by_others = reaches(root, strategy, but=player)
        led_to |= {key for key, odds in by_others.items() if key[0] == player and odds > 0}
    values = ActionValues(form, eq.Strategy.from_dict(strategy).at_slots(form))
    worth = []
    for place in places:
        key = (place["seat"], place["line"])
        of_actions = values.at(*key)
        assert place["reach"] == pytest.approx(reach[key], abs=1e-12)
        assert place["at_stake"] == pytest.approx(max(of_actions) - min(of_actions), abs=1e-12)
        assert list(place["actions"]) == list(strategy[key])
        worth.append(place["reach"] * place["at_stake"])
    assert worth == sorted(worth, reverse=True)
    assert {(place["seat"], place["line"]) for place in places} == led_to


def test_infosets_to_which_the_others_never_lead_are_left_out():
    never = {key: {"bet": 0.0, "pass": 1.0} for key in ("J", "Q", "K", "Jp", "Qp", "Kp")}
    form = eq.compile_game(eq.load("kuhn"), keep_tree=True)
    answers = {key: {"fold": 0.5, "call": 0.5} for key in ("Jb", "Qb", "Kb", "Jpb", "Qpb", "Kpb")}
    places = infosets_to_train(form, never | answers)
    assert {place["line"] for place in places} == {"J", "Q", "K", "Jp", "Qp", "Kp"}


def test_lines_of_a_spot_come_by_street_and_reach():
    """Of the first street by all pairs of hands: how often both play so, of all deals."""
    solution = eq.solve(TURN, iterations=4)
    spot = eq.poker.SolvedSpot(solution)
    game = spot.game
    pairs = [
        (one, other)
        for one, other in product(range(3), range(3))
        if not {game.hands[0][one][i : i + 2] for i in (0, 2)}
        & {game.hands[1][other][i : i + 2] for i in (0, 2)}
    ]
    weight = {pair: game.deal.weights[0][pair[0]] * game.deal.weights[1][pair[1]] for pair in pairs}
    places = lines_to_train(spot)
    assert places[0]["line"] == ""
    assert places[0]["reach"] == pytest.approx(1)
    for place in places:
        if place["street"] > places[0]["street"]:
            assert place["reach"] is None
            continue
        expected = 0.0
        for pair in pairs:
            chance = weight[pair] / math.fsum(weight.values())
            for node, action in game.tree.path(place["line"]):
                mix = spot.mix(node.line, "AsKs7s2s", game.hands[node.player][pair[node.player]])
                chance *= mix[action]
            expected += chance
        assert place["reach"] == pytest.approx(expected, abs=1e-6), place["line"]
    order = [(place["street"], -(place["reach"] or 0.0), len(place["line"])) for place in places]
    assert order == sorted(order)
    assert {(place["seat"], place["position"]) for place in places} == {(0, "OOP"), (1, "IP")}


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_what_a_decision_costs_each_time_adds_up(tmp_path, ending):
    """A decision that was missed twice costs both times; what costs nothing is no mistake."""
    pa = pytest.importorskip("pyarrow")
    columns = {
        "line": ["X", "B50", "X", "X", ""],
        "board": ["AsKs7s2s"] * 5,
        "cards": ["QdQc", "QdQc", "QdQc", "KdJh", "KdJh"],
        "cost_percent": [1.5, 2.0, 0.25, 4.0, 0.0],
    }
    path = tmp_path / f"graded{ending}"
    if ending == ".csv":
        from pyarrow.csv import write_csv

        write_csv(pa.table(columns), path)
    else:
        from pyarrow.parquet import write_table

        write_table(pa.table(columns), path)
    assert read_graded_costs(path) == {
        (None, "QdQc AsKs7s2s X"): 1.75,
        (None, "QdQc AsKs7s2s B50"): 2.0,
        (None, "KdJh AsKs7s2s X"): 4.0,
    }
