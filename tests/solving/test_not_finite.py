"""A number that is not finite is never certified: the run ends with the name of the infoset."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
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


@pytest.mark.parametrize(("game", "form"), [("kuhn", "sequence"), ("kuhn", "public"), (RIVER, "cards")])
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


def test_payoffs_whose_values_overflow_are_not_certified():
    with pytest.raises(eq.EquilibristError):
        eq.solve("matrix(payoffs=[[1e308, -1e308], [-1e308, 1e308]])", iterations=10)
