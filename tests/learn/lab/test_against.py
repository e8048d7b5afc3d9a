"""The arithmetic of the Kuhn lab against the package: Node compares what the package has computed with its own."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr import algorithms
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR

NODE = shutil.which("node")
FORM = eq.compile_game(eq.load("kuhn"))
ALGORITHMS = [name for name, one in algorithms.ALGORITHMS.items() if not one.needs_horizon]
DEALS = ("JQ", "JK", "QJ", "QK", "KJ", "KQ")
EVALUATIONS, RUNS, EXPLANATIONS = 3000, 60, 6
ANSWERS, ANSWERED = 10, 30
RECORDED = {
    "strategy": "strategy",
    "instant": "instant_regret",
    "regretBefore": "regret_sum_before",
    "discounted": "regret_sum_discounted",
    "regretAfter": "regret_sum",
    "sumBefore": "strategy_sum_before",
    "sumAfter": "strategy_sum",
    "next": "next_strategy",
}
rng = np.random.default_rng(23)


def by_infoset(slots, *, pairs=False):
    """Return an array of a number a slot by infoset: the second action's alone, or both."""
    table = slots[FORM.slot].reshape(-1, 2).tolist()
    return {
        infoset.key: row if pairs else row[1]
        for infoset, row in zip(FORM.infosets, table, strict=True)
    }


def at_slots(bets):
    """Return an array of a number a slot from the probability of each infoset's second action."""
    slots = np.zeros(FORM.length)
    slots[FORM.slot] = np.stack([1 - bets, bets], axis=1).ravel()
    return slots


def random_bets():
    """Return a probability for each infoset, a third of them 0 or 1."""
    bets = rng.random(FORM.num_infosets)
    return np.where(rng.random(len(bets)) < 1 / 3, bets.round(), bets)


def evaluation(bets):
    """Return what `evaluate` says of a strategy, and of the form what its losses come from."""
    slots = at_slots(bets)
    result = eq.evaluate(FORM, eq.Strategy.from_form(FORM, slots))
    return {
        "strategy": by_infoset(slots),
        "value": result.value[0],
        "best": list(result.best_response_value),
        "nashConv": result.nash_conv,
        "exploitability": result.exploitability,
        "losses": {infoset.key: 0.0 for infoset in FORM.infosets}
        | {one.infoset: one.loss for one in result.losses},
        "actions": by_infoset(FORM.best_responses(slots).best_value, pairs=True),
    }


def states(algorithm, alternating, stops):
    """Return a random state, and what the package makes of it after some iterations."""
    rule = find_algorithm(f"{algorithm}(alternating={alternating})")
    solver = SequenceCFR(FORM, rule)
    t = 0 if rng.random() < 0.2 else int(rng.integers(1, 200))
    regrets, sums = rng.normal(size=2 * FORM.num_infosets), rng.random(2 * FORM.num_infosets)
    state = {name: np.zeros(FORM.length) for name in solver.tables} | {"iteration": np.asarray(t)}
    state["strategy"] = at_slots(random_bets())
    state["regret_sum"][FORM.slot] = np.maximum(regrets, 0) if rule.floor else regrets
    state["strategy_sum"][FORM.slot] = t * sums
    solver.load_state(
        {name: state[name].astype(array.dtype) for name, array in solver.state_dict().items()}
    )
    case = {
        "algorithm": algorithm,
        "alternating": alternating,
        "start": {"t": t, **tables(solver)},
        "stops": [],
    }
    for after in stops:
        solver.run(t + after - solver.iteration)
        average = by_infoset(solver.average_strategy())
        case["stops"].append({"after": after, **tables(solver), "average": average})
    return case


def tables(solver):
    """Return the tables of a solver by infoset."""
    names = {"strategy": "strategy", "regretSum": "regret_sum", "strategySum": "strategy_sum"}
    return {
        ours: by_infoset(solver.tables[name], pairs=name != "strategy")
        for ours, name in names.items()
    }


def explanation(algorithm, alternating, deals):
    """Return the last iteration of a run, full where no deals are named, as `explain` has it."""
    sampled = {"deals": deals, "sampling": "chance"} if deals[0] else {"iteration": len(deals)}
    explained = eq.learn.explain("kuhn", f"{algorithm}(alternating={alternating})", **sampled)
    updates = {
        key: {ours: list(getattr(update, name)) for ours, name in RECORDED.items()}
        for (_, key), update in explained.updates.items()
    }
    for walk in explained.walks:
        for (player, key), nodes in walk.visits().items():
            updates[key]["visited"] = {
                "".join(node.history[:2]): {
                    "weight": node.weight,
                    "value": node.value[player],
                    "values": [move.value[player] for move in node.moves],
                }
                for node in nodes
            }
    return {"algorithm": algorithm, "alternating": alternating, "deals": deals, "updates": updates}


def answer(algorithm, alternating, player):
    """Return what `exploit` says of an answer to a random model after some iterations of CFR."""
    bets = random_bets()
    trust = float(rng.uniform(0.05, 0.95))
    settings = {"algorithm": f"{algorithm}(alternating={alternating})", "until": 1e-15}
    model = eq.Strategy.from_form(FORM, at_slots(bets))
    found = eq.exploit(FORM, model, trust=trust, player=player, iterations=ANSWERED, **settings)
    lower, upper = found.bounds
    return {
        "model": by_infoset(at_slots(bets)),
        "player": player,
        "trust": trust,
        "algorithm": algorithm,
        "alternating": alternating,
        "iterations": found.solution.iterations,
        "average": {
            key: list(row.values())[1]
            for (who, key), row in found.strategy.items()
            if who == player
        },
        "won": found.model_value,
        "worst": found.worst_case,
        "lower": lower,
        "upper": upper,
    }


def deals_drawn():
    return rng.choice(DEALS, size=int(rng.integers(1, 11))).tolist()


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_lab_computes_what_the_package_does(tmp_path):
    settings = [(name, alternating) for name in ALGORITHMS for alternating in (True, False)]
    cases = {
        "evaluations": [evaluation(random_bets()) for _ in range(EVALUATIONS)],
        "equilibria": [
            {"alpha": bets["J"], "strategy": bets}
            for alpha in np.linspace(0, 1 / 3, 30)
            for bets in [equilibrium(alpha)]
        ],
        "runs": [states(*chosen, (1, 10)) for chosen in settings for _ in range(RUNS)],
        "explanations": [
            explanation(*chosen, deals)
            for chosen in settings
            for deals in [*([None] * n for n in (1, 2, 9)), *([deal] for deal in DEALS)]
            + [deals_drawn() for _ in range(EXPLANATIONS)]
        ],
        "answers": [
            answer(*chosen, player)
            for chosen in settings
            for player in (0, 1)
            for _ in range(ANSWERS)
        ],
    }
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    command = [NODE, Path(__file__).with_name("against.js"), path]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300_000  # numbers compared


def equilibrium(alpha):
    """Return an equilibrium of Kuhn poker, by its paper, checked by the package."""
    bets = {infoset.key: 0.0 for infoset in FORM.infosets}
    bets |= {
        "J": alpha,
        "Qpb": alpha + 1 / 3,
        "K": 3 * alpha,
        "Kpb": 1.0,
        "Kp": 1.0,
        "Kb": 1.0,
        "Jp": 1 / 3,
        "Qb": 1 / 3,
    }
    slots = at_slots(np.array([bets[infoset.key] for infoset in FORM.infosets]))
    assert abs(eq.evaluate(FORM, eq.Strategy.from_form(FORM, slots)).nash_conv) < 1e-12
    return bets
