"""The arithmetic of the labs of one bet and of regret matching, in Node, against the package."""

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR

NODE = shutil.which("node")
COMPARE = Path(__file__).with_name("small_labs.js")
RPS = {"fair": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], "double": [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]}
HANDS = ["rock", "paper", "scissors"]
ALGORITHMS = {
    "cfr(alternating=False)": {},
    "cfr": {"inTurn": True},
    "cfr+(alternating=False)": {"plus": True},
    "cfr+": {"inTurn": True, "plus": True},
}
START = 1e-9
"""How large the regrets are from which a run begins at a point: regret-rule.js."""
KINDS = {
    "value",
    "gains",
    "exploitability",
    "security levels",
    "equilibrium",
    "runs: strategies",
    "steps from a point: averages",
}


def one_bet(S):
    """Return the game of one bet with blinds of S chips, its payoffs S's denominator times as large."""
    return eq.load(f"kuhn(ante={S.numerator}, bet={S.denominator}, pass_ends=True)")


def obvious(bluff, call):
    """Return the strategy with these two probabilities, else what is obvious: docs/one-bet.md."""
    bets = {"J": bluff, "Q": 0, "K": 1, "Jb": 0, "Qb": call, "Kb": 1}
    return {infoset: {"p": 1 - p, "b": p} for infoset, p in bets.items()}


def points(rng, blinds, each):
    """Yield what the package says of random decisions, for blinds of many sizes."""
    for _ in range(blinds):
        S = Fraction(int(rng.integers(1, 60)), int(rng.integers(1, 12)))
        game = eq.compile_game(one_bet(S))
        corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
        for bluff, call in [*corners, *rng.random((each - 4, 2)).tolist()]:
            result = eq.evaluate(game, obvious(bluff, call))
            gains = [
                (best - value)
                for best, value in zip(result.best_response_value, result.value, strict=True)
            ]
            yield {
                "S": float(S),
                "bluff": bluff,
                "call": call,
                "value": result.value[0] / S.denominator,
                "gains": [gain / S.denominator for gain in gains],
                "exploitability": result.exploitability / S.denominator,
            }


def equilibria(blinds):
    """Yield the equilibrium of the linear programme, for blinds above half a chip, where it is the only one."""
    for S in blinds:
        solution = eq.exact(one_bet(S))
        value = solution.value[0] / S.denominator
        yield {
            "S": float(S),
            "bluff": solution.strategy["J"]["b"],
            "call": solution.strategy["Qb"]["b"],
            "value": value,
        }


def payoffs_of(S):
    """Return the payoffs of the two decisions, from the package: rows pass and bet, columns fold and call."""
    game = eq.compile_game(one_bet(S))
    return [
        [eq.evaluate(game, obvious(a, b)).value[0] / S.denominator for b in (0, 1)] for a in (0, 1)
    ]


def recorded_run(payoffs, algorithm, iterations):
    """Return what the package's CFR plays from the uniform strategies."""
    game = eq.load(f"matrix(payoffs={json.dumps(payoffs)})")
    run = eq.solve(game, algorithm, iterations=iterations, record=eq.Record("all", every=1))
    players = [run.recording.at("row"), run.recording.at("column")]
    names = {"strategies": "strategy", "averages": "average_strategy", "sums": "regret_sum"}
    recorded = {
        name: [
            [getattr(player, field)[t].tolist() for player in players] for t in range(iterations)
        ]
        for name, field in names.items()
    }
    return {"payoffs": payoffs, "options": ALGORITHMS[algorithm], "start": None, **recorded}


def run_from(payoffs, start, iterations):
    """Return what the package's CFR, both players at once, plays from these strategies; its regrets agree with them."""
    form = eq.compile_game(eq.load(f"matrix(payoffs={json.dumps(payoffs)})"))
    solver = SequenceCFR(form, find_algorithm("cfr(alternating=False)"))
    state = solver.state_dict()
    state["strategy"][form.slot] = np.ravel(start)
    state["regret_sum"][form.slot] = START * np.ravel(start)
    solver.load_state(state)
    run = {
        "payoffs": payoffs,
        "options": {},
        "start": start,
        "strategies": [],
        "averages": [],
        "sums": [],
    }
    for t in range(1, iterations + 1):
        solver.run(1)
        pairs = {name: array[form.slot].reshape(2, 2) for name, array in solver.tables.items()}
        run["strategies"].append(pairs["strategy"].tolist())
        run["averages"].append((pairs["strategy_sum"] / t).tolist())
        run["sums"].append(pairs["regret_sum"].tolist())
    return run


def matrices(rng, count):
    """Yield what the package says of random strategies of both players."""
    for name, game in {
        **{name: load_rps(name) for name in RPS},
        "blotto": eq.load("blotto"),
    }.items():
        form = eq.compile_game(game)
        actions = HANDS if name in RPS else list(eq.solve(game, iterations=1).strategy["row"])
        for _ in range(count):
            rows, columns = rng.dirichlet(np.full(len(actions), 0.3), 2)
            strategy = {
                infoset: dict(zip(actions, one.tolist(), strict=True))
                for infoset, one in (("row", rows), ("column", columns))
            }
            result = eq.evaluate(form, strategy)
            gains = [
                best - value
                for best, value in zip(result.best_response_value, result.value, strict=True)
            ]
            yield {
                "game": name,
                "rows": rows.tolist(),
                "columns": columns.tolist(),
                "value": result.value[0],
                "gains": gains,
                "nashConv": result.nash_conv,
            }


def load_rps(name):
    return eq.load(f"matrix(payoffs={json.dumps(RPS[name])}, rows={HANDS}, columns={HANDS})")


def games():
    """Yield the games of the lab as the package has them."""
    for name, payoffs in RPS.items():
        yield {"game": name, "actions": HANDS, "payoffs": payoffs}
    blotto = eq.load("blotto")
    state = blotto.start()
    splits = list(blotto.actions(state))
    payoffs = [
        [blotto.payoffs(blotto.next(blotto.next(state, row), column))[0] for column in splits]
        for row in splits
    ]
    yield {"game": "blotto", "actions": splits, "payoffs": payoffs}


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node is not installed: https://nodejs.org")
def test_the_arithmetic_of_the_small_labs(tmp_path):
    rng = np.random.default_rng(12)
    blinds = [
        Fraction(n, d)
        for n, d in ((1, 1), (3, 4), (3, 2), (2, 1), (11, 4), (3, 1), (5, 1), (17, 3))
    ]
    runs = [
        recorded_run(payoffs_of(S), algorithm, 200) for S in blinds[:6] for algorithm in ALGORITHMS
    ]
    for payoffs in RPS.values():
        runs += [recorded_run(payoffs, algorithm, 100) for algorithm in ALGORITHMS]
    for S in blinds:
        for bluff, call in [(0, 0), (1, 0), (0.25, 0.75), *rng.random((4, 2)).tolist()]:
            runs.append(run_from(payoffs_of(S), [[1 - bluff, bluff], [1 - call, call]], 300))
    cases = {
        "points": list(points(rng, 200, 15)),
        "equilibria": list(equilibria(blinds)),
        "runs": runs,
        "matrices": list(matrices(rng, 400)),
        "games": list(games()),
    }
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    result = subprocess.run(
        [NODE, COMPARE, path], check=False, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr
    counts = json.loads(result.stdout)["counts"]
    assert counts.keys() >= KINDS
    assert counts["value"] == 3000
    print(result.stdout)
