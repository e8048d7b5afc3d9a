"""The arithmetic of the Leduc lab, in Node, against the package: iterations, certificates, parts solved again."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR

NODE = shutil.which("node")
COMPARE = Path(__file__).with_name("leduc.js")
FORM = eq.compile_game(eq.load("leduc"), keep_tree=True)
ALGORITHMS = ("cfr", "cfr+")
STOPS = (1, 2, 10, 30)
METHODS = ("unsafe", "resolve", "maxmargin")
EVALUATIONS = 40
PARTS = (("rc/Q", 1), ("cc/J", 0), ("crrc/K", 1))


def by_infoset(slots):
    """Return an array of a number a slot as rows by the names of infosets, which tell the player as well."""
    rows = {}
    first = 0
    for infoset in FORM.infosets:
        last = first + len(infoset.actions)
        rows[infoset.key] = np.asarray(slots)[FORM.slot[first:last]].tolist()
        first = last
    return rows


def random_slots(rng):
    """Return a random strategy at slots, a third of its infosets pure."""
    slots = np.zeros(FORM.length)
    first = 0
    for infoset in FORM.infosets:
        count = len(infoset.actions)
        row = rng.dirichlet(np.ones(count))
        if rng.random() < 1 / 3:
            row = np.eye(count)[rng.integers(count)]
        slots[FORM.slot[first : first + count]] = row
        first += count
    return slots


def recorded_run(algorithm):
    """Return averages and regret sums of a run, by infoset."""
    solver = SequenceCFR(FORM, find_algorithm(algorithm))
    stops = []
    for after in STOPS:
        solver.run(after - solver.iteration)
        stops.append(
            {
                "after": after,
                "average": by_infoset(solver.average_strategy()),
                "regrets": by_infoset(solver.tables["regret_sum"]),
            }
        )
    return {"algorithm": algorithm, "stops": stops}


def evaluation(slots):
    """Return what the package says of a strategy."""
    result = eq.evaluate(FORM, eq.Strategy.from_form(FORM, slots))
    return {
        "strategy": by_infoset(slots),
        "value": result.value[0],
        "best": list(result.best_response_value),
        "nashConv": result.nash_conv,
        "exploitability": result.exploitability,
    }


def opponent_reach(strategy, first_round, opponent):
    """Return the probability that the opponent's moves of the first round are played, by hand."""
    reach = []
    for card in "JQK":
        product = 1.0
        for place, move in enumerate(first_round):
            if place % 2 != opponent:
                continue
            row = strategy[opponent, card + first_round[:place]]
            words = {"f": ("fold",), "c": ("check", "call"), "r": ("bet", "raise")}[move]
            product *= sum(row.get(word, 0.0) for word in words)
        reach.append(product)
    return np.array(reach)


def minimised(method, value, allowed, weight, comes):
    """Return what a method minimises, docs/resolving.md, where hands get a value."""
    if method == "unsafe":
        return float(comes @ value)
    if method == "resolve":
        return float(np.maximum(value, allowed).sum())
    return float(((value - allowed) / weight).max())


def solved_part(slots, name, player):
    """Return a part of a strategy, solved again by linear programmes."""
    strategy = eq.Strategy.from_form(FORM, slots)
    comes = opponent_reach(strategy, name.partition("/")[0], 1 - player)
    parts = []
    for method in METHODS:
        line = f"K{name}"
        part = eq.resolve(strategy, line, method=method, player=player, game=FORM).part
        order = [[hand[0] for hand in part.hands].index(card) for card in "JQK"]
        value, allowed, weight = (
            np.asarray(numbers)[order] for numbers in (part.value, part.allowed, part.weight)
        )
        parts.append(
            {
                "method": method,
                "allowed": allowed.tolist(),
                "weight": weight.tolist(),
                "objective": minimised(method, value, allowed, weight, comes),
            }
        )
    return {"strategy": by_infoset(slots), "player": player, "part": name, "parts": parts}


def slots_of(rows):
    """Return rows by the names of infosets as an array of a number a slot."""
    slots = np.zeros(FORM.length)
    numbers = [number for infoset in FORM.infosets for number in rows[infoset.key]]
    slots[FORM.slot] = numbers
    return slots


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node is not installed: https://nodejs.org")
def test_the_arithmetic_of_the_leduc_lab(tmp_path):
    rng = np.random.default_rng(41)
    solver = SequenceCFR(FORM, find_algorithm("cfr"))
    solver.run(20)
    blueprints = [solver.average_strategy(), np.asarray(random_slots(rng))]
    cases = {
        "runs": [recorded_run(algorithm) for algorithm in ALGORITHMS],
        "evaluations": [evaluation(random_slots(rng)) for _ in range(EVALUATIONS)],
        "parts": [
            solved_part(slots, name, player) for slots in blueprints for name, player in PARTS
        ],
    }
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    result = subprocess.run(
        [NODE, COMPARE, path], check=False, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert sum(answer["counts"].values()) > 11_000
    for spliced in answer["spliced"]:  # the certificates of what the lab has found itself
        strategy = eq.Strategy.from_form(FORM, slots_of(spliced["strategy"]))
        best = eq.evaluate(FORM, strategy).best_response_value
        assert spliced["best"] == pytest.approx(best, abs=1e-12)
