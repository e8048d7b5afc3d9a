"""A number that is not finite is never certified: the run ends with the name of the infoset."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.cfr.quantal import QuantalResponse
from equilibrist.cfr.regret_matching import FlooredRegretMatching
from equilibrist.cfr.solvers import CPU, FULL_WIDTH
from equilibrist.form.responses import Values
from equilibrist.form.walk.build import compile_walk
from equilibrist.games.compile import compile_any
from equilibrist.mccfr.sampling import External
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import make_table
from equilibrist.mccfr.table_walked import WalkedTable
from equilibrist.mccfr.walk_cfr import WalkCFR
from equilibrist.solving.solvers import certify

RIVER = "holdem(board='Td9d6hQc2s', oop='AA,KK', ip='QQ,JJ', pot=100, stack=200, bets='100%; a')"


def full_width(game, form, precision="float64"):
    compiled = compile_any(game, form=form)
    return FULL_WIDTH[CPU, form](compiled, eq.ALGORITHMS["dcfr+"], precision=precision)


def walked():
    table = WalkedTable(compile_walk(eq.load("kuhn")))
    table.enter_infosets(threads=1)
    return WalkCFR(table, eq.ALGORITHMS["cfr"])


def sampled():
    table = make_table(eq.compile_game(eq.load("kuhn"), keep_tree=True))
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
    form = compile_any(RIVER, form="cards")
    solver = CardCFR(form, eq.ALGORITHMS["dcfr+"], precision="float32")
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


# --- Concepts beside the Nash equilibrium ---


CONCEPTS = {
    "qre": lambda form: QuantalResponse(form, 1.0),
    "dilated": lambda form: QuantalResponse(form, 1.0, dilated=True),
    "floors": lambda form: FlooredRegretMatching(0.01),
    "last iterate": lambda form: eq.LastIterate().minimiser(form),
}
CELLS = [("sequence", concept) for concept in CONCEPTS]
CELLS += [
    ("cards", "qre"),
    pytest.param("cards", "dilated", marks=pytest.mark.slow),
    pytest.param("cards", "floors", marks=pytest.mark.slow),
]


def solver_with(concept, form):
    """Return a solver after some iterations, and the slot of an action of its second infoset."""
    compiled = compile_any(RIVER, form="cards")
    if form == "sequence":
        compiled = eq.compile_game(eq.load("kuhn"), keep_tree=True)
    algorithm = eq.ALGORITHMS["cfr+"]
    minimiser = CONCEPTS[concept](compiled)
    solver = FULL_WIDTH[CPU, form](compiled, algorithm, precision="float64", minimiser=minimiser)
    solver.run(5)
    slots = np.asarray(solver.action_slots())
    return solver, int(slots[len(solver.infosets()[0].actions)])


@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize(("form", "concept"), CELLS)
def test_no_concept_certifies_a_number_that_is_not_finite(form, concept, number):
    solver, place = solver_with(concept, form)
    solver.tables["regret_sum"][place] = number
    with pytest.raises(eq.AlgorithmError, match="nothing is certified") as caught:
        certify(solver, {"solve": 0.0})
    assert repr(solver.infosets()[1].key) in str(caught.value)


@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize(
    ("form", "concept"),
    [
        ("sequence", "qre"),
        ("sequence", "dilated"),
        ("cards", "qre"),
        pytest.param("cards", "dilated", marks=pytest.mark.slow),
    ],
)
def test_a_quantal_response_that_is_no_probability_is_not_certified(form, concept, number):
    """What is certified is what is played last."""
    solver, place = solver_with(concept, form)
    solver.tables["strategy"][place] = number
    assert not solver.minimiser.gap(solver) <= 1.0  # nor is any gap met
    with pytest.raises(eq.AlgorithmError, match="nothing is certified"):
        certify(solver, {"solve": 0.0})


class Failing:
    """Two moves at a time; payoffs are right at first, and from some call on are not."""

    players = 2
    rows = (((3.0, 2.0), (0.0, 0.0)), ((0.0, 0.0), (2.0, 3.0)))

    def __init__(self, calls, number, zero_sum):
        self.calls = calls
        self.number = number
        self.zero_sum = zero_sum

    def start(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else eq.TERMINAL

    def actions(self, state):
        return (0, 1)

    def probabilities(self, state):
        return ()

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        self.calls -= 1
        if self.calls < 0:
            return (self.number, -self.number)
        first, second = self.rows[state[0]][state[1]]
        return (first, -first) if self.zero_sum else (first, second)

    def infoset(self, state):
        return "choose"


def numbers_of(result):
    gain = getattr(result, "gap", None)
    gain = getattr(result, "largest_gain", None) if gain is None else gain
    gain = result.nash_conv if gain is None else gain
    return np.append(np.ravel(result.value), [0.0 if gain is None else gain])


WAYS = {
    "qre": lambda game: eq.solve(game, concept=eq.QRE(1.0), iterations=20),
    "walk": lambda game: eq.solve(game, "cfr", form="walk", iterations=5),
    "sampled": lambda game: eq.solve(
        game, "cfr", sampling="external(tree=False)", iterations=20, seed=1
    ),
    "correlated": lambda game: eq.correlated_equilibrium(game, "efce"),
    "dynamics": lambda game: eq.correlated_equilibrium(game, method=eq.TriggerRegrets(20)),
    "team": lambda game: eq.team_equilibrium(game, "0/1"),
    "exact": eq.exact,
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize("way", WAYS)
def test_payoffs_that_stop_being_numbers_are_never_certified(way, number):
    """The game is refused, or the answer is that of a game that goes on being right."""
    zero_sum = way in ("team", "exact")
    expected = numbers_of(WAYS[way](Failing(10**9, number, zero_sum)))
    refused = 0
    for calls in (*range(12), 20, 30, 40, 60):
        try:
            found = numbers_of(WAYS[way](Failing(calls, number, zero_sum)))
        except eq.EquilibristError:
            refused += 1
            continue
        assert found == pytest.approx(expected, abs=1e-12)
    assert refused > 0


def test_dynamics_whose_sums_overflow_are_not_certified():
    """Payoffs of 9e299 × the numbers of 60,000 iterations are more than float64 holds."""
    rows = "payoffs=[[0.0, 9e299], [2e299, 6e299]], payoffs2=[[0.0, 2e299], [9e299, 6e299]]"
    with pytest.raises(eq.AlgorithmError, match=r"no finite number .*nothing is certified"):
        eq.correlated_equilibrium(f"matrix({rows})", method=eq.TriggerRegrets(60_000))
