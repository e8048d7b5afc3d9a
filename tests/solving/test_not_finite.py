"""A number that is not finite is never certified: the run ends with the name of the infoset."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
from equilibrist.form.responses import Values
from equilibrist.games.compile import compile_any
from equilibrist.mccfr.sampling import External
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import table_of
from equilibrist.mccfr.table_walked import walked_table
from equilibrist.mccfr.walk_cfr import WalkCFR
from equilibrist.solving.solvers import certify

RIVER = "holdem(board='Td9d6hQc2s', oop='AA,KK', ip='QQ,JJ', pot=100, stack=200, bets='100%; a')"


def full_width(game, form, precision="float64"):
    compiled = compile_any(game, form=form)
    return FULL_WIDTH[CPU, form](compiled, eq.ALGORITHMS["dcfr+"], precision=precision)


def walked():
    table = walked_table(eq.load("kuhn"))
    table.enter_infosets(threads=1)
    return WalkCFR(table, eq.ALGORITHMS["cfr"])


def sampled():
    table = table_of(eq.compile_game(eq.load("kuhn"), keep_tree=True))
    return MonteCarloCFR(table, eq.ALGORITHMS["cfr"], External())


SOLVERS = {
    "sequence": lambda: full_width("kuhn", "sequence"),
    "sequence, float32": lambda: full_width("kuhn", "sequence", "float32"),
    "public": lambda: full_width("kuhn", "public"),
    "cards": lambda: full_width(RIVER, "cards"),
    "cards, float32": lambda: full_width(RIVER, "cards", "float32"),
    "walk": walked,
    "sampled": sampled,
}


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("table", ["regret_sum", "strategy_sum"])
@pytest.mark.parametrize("name", SOLVERS)
def test_a_number_that_is_not_finite_ends_the_run_by_name(name, table, number):
    solver = SOLVERS[name]()
    solver.run(5)
    infoset = solver.infosets()[1]
    place = int(np.asarray(solver.action_slots())[len(solver.infosets()[0].actions)])
    tables = solver.tables if hasattr(solver, "tables") else solver.table.slots._asdict()
    tables[table][place] = number
    with pytest.raises(eq.AlgorithmError, match="nothing is certified") as caught:
        certify(solver, {"solve": 0.0})
    assert repr(infoset.key) in str(caught.value)
    assert "iteration 5" in str(caught.value)
    with pytest.raises(eq.AlgorithmError, match="nothing is certified"):
        solver.values()


def test_it_is_seen_where_certificates_are_computed_in_one_call():
    solver = CardCFR(compile_any(RIVER, form="cards"), eq.ALGORITHMS["dcfr+"])
    solver.run(5)
    solver.tables["strategy_sum"][int(np.asarray(solver.action_slots())[0])] = np.nan
    with pytest.raises(eq.AlgorithmError, match="nothing is certified"):
        solver.run_until([6, 8], 0.0)


@pytest.mark.parametrize(
    ("game", "form"), [("kuhn", "sequence"), ("kuhn", "public"), (RIVER, "cards")]
)
def test_a_saved_run_with_such_a_number_does_not_go_on(game, form):
    solution = eq.solve(game, form=form, iterations=5)
    solution.state["regret_sum"][:] = np.nan
    with pytest.raises(eq.SolutionError, match="not finite"):
        eq.solve(game, form=form, iterations=10, resume=solution)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_strategy_of_such_numbers_is_refused_by_name(number):
    strategy = eq.solve("kuhn", iterations=5).strategy
    probabilities = strategy.probabilities.copy()
    probabilities[2] = number
    key = strategy.infosets[1].key
    with pytest.raises(eq.SolutionError, match=f"at '{key}' has the probability {number}"):
        eq.Strategy(strategy.infosets, probabilities)


def test_a_value_that_overflows_is_not_certified(monkeypatch):
    solver = full_width("kuhn", "sequence")
    solver.run(5)
    monkeypatch.setattr(solver, "values", lambda: Values((np.inf, -np.inf), (np.inf, 0.0)))
    with pytest.raises(
        eq.AlgorithmError, match="value of kuhn after iteration 5 is no finite number"
    ):
        certify(solver, {"solve": 0.0})


@pytest.mark.parametrize("scale", [1e-100, 1e-39, 1e-21, 1e31, 1e39, 1e100])
def test_payoffs_that_float32_cannot_hold_are_refused_there_and_solved_in_float64(scale):
    game = f"matrix(payoffs=[[{2 * scale}, {-scale}], [{-scale}, {scale}]])"
    with pytest.raises(
        eq.AlgorithmError, match="precision='float32' computes in float32, which holds"
    ):
        eq.solve(game, precision="float32", iterations=10)
    solution = eq.solve(game, precision="float64", iterations=3_000)
    assert solution.value[0] / scale == pytest.approx(0.2, abs=1e-3)  # 2 by 2, by hand


@pytest.mark.parametrize("scale", [1e-19, 1e-9, 1.0, 1e9, 1e29])
def test_payoffs_that_float32_holds_are_solved_there(scale):
    class Scaled:
        """Kuhn poker with chips that are worth so much."""

        def __init__(self):
            self.rules = eq.load("kuhn")

        def __getattr__(self, name):
            return getattr(self.rules, name)

        def payoffs(self, state):
            return [scale * number for number in self.rules.payoffs(state)]

    solution = eq.solve(
        Scaled(), form="sequence", precision="float32", algorithm="pcfr+", iterations=3_000
    )
    assert solution.value[0] / scale == pytest.approx(-1 / 18, abs=1e-4)
    assert solution.nash_conv / scale < 1e-4
