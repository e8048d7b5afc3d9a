"""Rules for treeplexes: gradients, the methods of the papers and their rates, saving, what is refused."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq

EXAMPLES = Path(__file__).parents[2] / "examples" / "treeplex_rules.py"
RULES = runpy.run_path(str(EXAMPLES))
MirrorAscent = RULES["MirrorAscent"]
DOMWU = RULES["DOMWU"]
MirrorProx = RULES["MirrorProx"]
PAYOFFS = np.array([[0.0, 2.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
MATRIX = f"matrix(payoffs={PAYOFFS.tolist()})"


class Probe(MirrorAscent):
    """Notes what each player is paid by the gradient."""

    def __init__(self):
        super().__init__()
        self._paid = {}

    def observe(self, treeplex, state, plan, values, t):
        self._paid[treeplex.player] = float(values @ plan)
        return super().observe(treeplex, state, plan, values, t)


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("kuhn", "sequence"),
        ("leduc(ranks=2, raises=1)", "sequence"),
        ("leduc(ranks=2, raises=1)", "public"),
        ("kuhn(players=3)", "sequence"),
    ],
)
def test_the_gradient_pays_what_the_game_pays(game, form):
    rule = Probe()
    before = eq.solve(game, rule=MirrorAscent(), form=form, iterations=6)
    eq.solve(game, rule=rule, form=form, iterations=7)
    value = eq.evaluate(game, before.current).value
    assert [rule._paid[player] for player in range(len(value))] == pytest.approx(value, abs=1e-12)


@pytest.mark.thinned(5)
@pytest.mark.parametrize(
    "rule", ["MirrorAscent", "ProjectedAscent", "DOMWU", "VOGDA", "MirrorProx"]
)
def test_both_forms_play_alike(rule):
    game = "leduc(ranks=2, raises=1)"
    solutions = [
        eq.solve(game, rule=RULES[rule](), form=form, iterations=12)
        for form in ("sequence", "public")
    ]
    assert solutions[0].nash_conv == pytest.approx(solutions[1].nash_conv, abs=1e-10)


def play_omwu(eta, iterations):
    """Return what optimistic multiplicative weights play last: x ∝ x̂ exp(η v), v the last gradient."""
    hats = [np.full(3, 1 / 3), np.full(3, 1 / 3)]
    last = [np.zeros(3), np.zeros(3)]
    for _ in range(iterations + 1):
        play = [hat * np.exp(eta * value) for hat, value in zip(hats, last, strict=True)]
        play = [weights / weights.sum() for weights in play]
        last = [PAYOFFS @ play[1], -PAYOFFS.T @ play[0]]
        hats = [hat * np.exp(eta * value) for hat, value in zip(hats, last, strict=True)]
        hats = [weights / weights.sum() for weights in hats]
    return play


def test_domwu_on_a_matrix_game_is_omwu():
    rows, columns = play_omwu(0.3, 40)
    strategy = eq.solve(MATRIX, rule=DOMWU(0.3), iterations=40).strategy
    assert list(strategy["row"].values()) == pytest.approx(rows.tolist(), abs=1e-12)
    assert list(strategy["column"].values()) == pytest.approx(columns.tolist(), abs=1e-12)


def test_mirror_ascent_on_a_matrix_game_multiplies_weights():
    """Without steps that shrink it is Hedge on the sum of the values."""

    class Constant(MirrorAscent):
        def observe(self, treeplex, state, plan, values, t):
            return {"plan": treeplex.prox(self.eta * values, plan)}

    hedge = runpy.run_path(str(EXAMPLES.with_name("rules.py")))["Hedge"]
    expected = eq.solve(MATRIX, rule=hedge(0.3), iterations=30)
    solution = eq.solve(MATRIX, rule=Constant(0.3), iterations=30)
    assert solution.strategy.probabilities == pytest.approx(
        expected.strategy.probabilities, abs=1e-12
    )


@pytest.mark.slow
def test_domwu_converges_linearly_in_its_last_iterate():
    gaps = [
        eq.solve("kuhn", rule=DOMWU(2.0), iterations=iterations).nash_conv
        for iterations in (250, 500, 750)
    ]
    assert gaps[0] < 5e-3
    assert gaps[1] < gaps[0] / 10
    assert gaps[2] < gaps[1] / 10
    assert eq.solve("kuhn", rule=DOMWU(2.0), iterations=750).value[0] == pytest.approx(
        -1 / 18, abs=1e-5
    )


class Bounding(MirrorProx):
    """Notes the largest divergence of a plan from the uniform one."""

    def __init__(self, eta):
        super().__init__(eta)
        self._largest = {}

    def init(self, treeplex):
        values = np.zeros(treeplex.num_sequences)
        np.add.at(values, treeplex.parent, np.log(np.diff(treeplex.first)))
        self._largest[treeplex.player] = float(values @ treeplex.best_response(values))
        return super().init(treeplex)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("steps", [50, 200])
def test_mirror_prox_keeps_its_bound(steps):
    """The gap after k steps is at most max D(z‖uniform) / (η k) (Nemirovski 2004)."""
    rule = Bounding(0.5)
    solution = eq.solve("kuhn", rule=rule, iterations=2 * steps)
    bound = sum(rule._largest.values()) / (0.5 * steps)
    assert bound / 10 < solution.nash_conv <= bound


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["MirrorAscent", "ProjectedAscent"])
def test_averages_of_ascent_approach_the_value(kind):
    gaps = [
        eq.solve("kuhn", rule=RULES[kind](), iterations=iterations).nash_conv
        for iterations in (25, 400)
    ]
    assert gaps[1] < gaps[0] / 2


@pytest.mark.slow
def test_rtcfr_plus_converges_in_its_last_iterate():
    solution = eq.solve("kuhn", rule=RULES["RTCFRPlus"](), iterations=1500)
    assert (solution.strategy.probabilities == solution.current.probabilities).all()
    assert solution.nash_conv < 1e-2


def test_domwu_comes_close_in_its_last_iterate():
    gaps = [eq.solve("kuhn", rule=DOMWU(2.0), iterations=n).nash_conv for n in (10, 150)]
    assert gaps[1] < gaps[0] / 5


def test_rtcfr_plus_without_a_transformation_is_cfr_plus():
    expected = eq.solve("leduc(ranks=2, raises=1)", "cfr+", iterations=20)
    solution = eq.solve(
        "leduc(ranks=2, raises=1)", rule=RULES["RTCFRPlus"](mu=0.0, gamma=0.0), iterations=20
    )
    assert solution.current.probabilities == pytest.approx(
        expected.current.probabilities, abs=1e-10
    )


class Counting(MirrorProx):
    """Mirror prox that also knows a number, booleans and an infinity."""

    def init(self, treeplex):
        more = {"count": 0, "is_met": np.zeros(3, bool), "least": np.inf}
        return super().init(treeplex) | more

    def observe(self, treeplex, state, plan, values, t):
        after = state | super().observe(treeplex, state, plan, values, t)
        after["count"] = state["count"] + 1
        after["is_met"][t % 3] = True
        return after


@pytest.mark.parametrize("alternating", [False, True])
def test_a_saved_run_goes_on_to_the_same(tmp_path, alternating):
    rule = Counting()
    rule.alternating = alternating
    whole = eq.solve("kuhn", rule=rule, iterations=30)
    eq.solve("kuhn", rule=rule, iterations=11, save=tmp_path)
    resumed = eq.solve("kuhn", rule=rule, iterations=30, resume=tmp_path)
    assert (resumed.strategy.probabilities == whole.strategy.probabilities).all()
    assert resumed.final.measures == whole.final.measures
    for name, array in whole.state.items():
        assert (resumed.state[name] == array).all(), name
    with pytest.raises(eq.AlgorithmError, match="code and not saved with it: give it again"):
        eq.solve(resume=tmp_path, iterations=40)


def test_a_file_names_a_rule(tmp_path, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    rule = "treeplex_rules.py:DOMWU(eta=2)"
    eq.solve("kuhn", rule=rule, iterations=5, save=tmp_path / "run")
    resumed = eq.solve(rule=rule, iterations=9, resume=tmp_path / "run")
    expected = eq.solve("kuhn", rule=DOMWU(2), iterations=9)
    assert (resumed.strategy.probabilities == expected.strategy.probabilities).all()


def test_comparisons_take_rules_for_treeplexes():
    comparison = eq.compare("kuhn", algorithms=["cfr", DOMWU(2.0)], iterations=20)
    assert [run.algorithm for run in comparison.runs] == ["cfr", "DOMWU(eta=2.0)"]


class NoPlan(MirrorAscent):
    def plan(self, treeplex, state, t):
        plan = state["plan"].copy()
        if t == 3:
            plan[1] += 0.25
        return plan


class Negative(MirrorAscent):
    def plan(self, treeplex, state, t):
        plan = state["plan"].copy()
        plan[1:3] = -0.5, 1.5
        return plan


class Empty(MirrorAscent):
    def plan(self, treeplex, state, t):
        return 2 * state["plan"]


class Short(MirrorAscent):
    def plan(self, treeplex, state, t):
        return state["plan"][1:]


class NotANumber(MirrorAscent):
    def observe(self, treeplex, state, plan, values, t):
        return {"plan": np.nan * plan}


class OtherNames(MirrorAscent):
    def observe(self, treeplex, state, plan, values, t):
        return {"plans": plan}


class NoArrays(MirrorAscent):
    def init(self, treeplex):
        return treeplex.uniform_plan()


class Raising(MirrorAscent):
    def observe(self, treeplex, state, plan, values, t):
        return 1 / 0


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (NoPlan, r"plan\(\) gives \[.*\] for .* of player 0 at '\w+' in iteration 3 on kuhn"),
        (Negative, r"plan\(\) gives \[-0.5, 1.5\].*nothing is certified"),
        (Empty, r"the empty sequence 2.0 for player 0 in iteration 1 on kuhn; it must be 1"),
        (Short, r"plan\(\) must return a realisation plan of shape \(13,\).*got float64 of shape"),
        (NotANumber, r"'plan' is nan for player 0 after iteration 1 on kuhn"),
        (OtherNames, r"observe\(\) must return the arrays that init\(\) names"),
        (NoArrays, r"init\(\) must return arrays by name"),
        (Raising, r"observe\(\) raised ZeroDivisionError: division by zero"),
    ],
)
def test_a_rule_that_goes_wrong_ends_the_run_with_a_sentence(kind, message):
    with pytest.raises(eq.AlgorithmError, match=message) as raised:
        eq.solve("kuhn", rule=kind(), iterations=20)
    assert not raised.value.wrong_use


def test_an_answer_changes_nothing_of_a_run():
    """How often it is asked for is not to decide what comes out."""

    class Wasteful(MirrorAscent):
        def answer(self, treeplex, state, t):
            plan = state["plan"].copy()
            state["plan"][:] = treeplex.uniform_plan()
            return plan

    expected = eq.solve("kuhn", rule=MirrorAscent(), iterations=40)
    solution = eq.solve("kuhn", rule=Wasteful(), iterations=40, record="all")
    last = MirrorAscent()
    last.last_iterate = True
    assert eq.solve("kuhn", rule=last, iterations=40).final.measures == solution.final.measures
    assert expected.final.measures != solution.final.measures


def test_what_such_a_rule_does_not_do_is_refused():
    class Half:
        def plan(self, treeplex, state, t):
            return None

    with pytest.raises(eq.AlgorithmError, match="has the methods init, plan, observe; Half lacks"):
        eq.solve("kuhn", rule=Half(), iterations=1)
    with pytest.raises(eq.AlgorithmError, match="sampling='external'"):
        eq.solve("kuhn", rule=DOMWU(), sampling="external", iterations=1)


@pytest.mark.slow
def test_boards_that_are_merged_are_refused():
    game = "rhode_island(ranks=3, suits=2, raises=1)"
    with pytest.raises(eq.AlgorithmError, match="Give form='public' or form='sequence'"):
        eq.solve(game, rule=DOMWU(), form="cards", iterations=1)
    assert eq.solve(game, rule=DOMWU(), form="sequence", iterations=1).iterations == 1


def test_studies_take_rules_for_treeplexes(tmp_path, monkeypatch):
    (tmp_path / "treeplex_rules.py").write_text(EXAMPLES.read_text(encoding="utf-8"))
    study = tmp_path / "study.toml"
    study.write_text('game = "kuhn"\nrule = "treeplex_rules.py:DOMWU(eta=2)"\niterations = 9\n')
    monkeypatch.chdir(tmp_path)
    rows = eq.batch("study.toml", trust=True).rows()
    expected = eq.solve("kuhn", rule=DOMWU(2), iterations=9)
    assert [row["value_0"] for row in rows] == [expected.value[0]]
