"""Rules of one's own: those of the papers play as the kernels do, on all forms; saving, resuming, what is refused."""

import hashlib
import runpy
import struct
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import find_algorithm

EXAMPLES = Path(__file__).parents[2] / "examples" / "rules.py"
RULES = runpy.run_path(str(EXAMPLES))
BUILT_IN = RULES["BUILT_IN"]
CFR = RULES["CFR"]
ITERATIONS = 40


def make_rule(name):
    """Return the rule of a built-in algorithm."""
    kind = BUILT_IN[name]
    if name == "hs-dcfr":
        return kind(ITERATIONS)
    return kind()


def test_every_built_in_algorithm_is_a_rule_of_a_few_lines():
    assert BUILT_IN.keys() == eq.ALGORITHMS.keys()
    for name, kind in BUILT_IN.items():
        assert kind.source == eq.ALGORITHMS[name].source
        assert getattr(kind, "gamma", 0) == eq.ALGORITHMS[name].gamma


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("game", ["kuhn", "leduc(ranks=2, raises=1)"])
def test_the_equations_play_as_the_kernels_do(name, alternating, game):
    rule = make_rule(name)
    rule.alternating = alternating
    expected = eq.solve(
        game, replace(eq.ALGORITHMS[name], alternating=alternating), iterations=ITERATIONS
    )
    solution = eq.solve(game, rule=rule, iterations=ITERATIONS)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12
    assert solution.current.probabilities == pytest.approx(
        expected.current.probabilities, abs=1e-12
    )
    assert solution.exploitability == pytest.approx(expected.exploitability, abs=1e-12)
    assert solution.nodes_touched == expected.nodes_touched


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("game", ["leduc", "liars_dice(faces=3)", "goofspiel(cards=4)"])
def test_the_equations_play_as_the_kernels_do_on_larger_games(name, game):
    expected = eq.solve(game, name, iterations=ITERATIONS)
    solution = eq.solve(game, rule=make_rule(name), iterations=ITERATIONS)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-11


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("leduc(ranks=2, raises=1)", "public"),
        ("leduc", "public"),  # infosets by actions are not in the order of the form
        pytest.param("rhode_island(ranks=3, suits=2, raises=1)", "cards", marks=pytest.mark.slow),
    ],
)
def test_a_rule_plays_on_every_form(game, form):
    """Card forms merge boards, whose values belong to several hands above."""
    expected = eq.solve(game, "cfr", form=form, precision="float64", iterations=20)
    solution = eq.solve(game, rule=CFR(), form=form, iterations=20)
    assert solution.info.game.form == form
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-10
    assert solution.exploitability == pytest.approx(expected.exploitability, rel=1e-9)


@pytest.mark.parametrize("alternating", [True, False])
def test_three_players_have_their_distance_from_a_coarse_correlated_equilibrium(alternating):
    rule = CFR()
    rule.alternating = alternating
    expected = eq.solve("kuhn(players=3)", f"cfr(alternating={alternating})", iterations=30)
    solution = eq.solve("kuhn(players=3)", rule=rule, iterations=30)
    assert solution.cce_distance == pytest.approx(expected.cce_distance, abs=1e-12)
    assert solution.cce_distance > 0


def test_the_order_of_updates_may_be_given_beside_a_rule(tmp_path):
    """As the command gives it (--simultaneous), and study files."""
    expected = eq.solve("kuhn", "cfr(alternating=False)", iterations=30)
    solution = eq.solve("kuhn", "auto(alternating=False)", rule=CFR(), iterations=30, save=tmp_path)
    assert solution.exploitability == pytest.approx(expected.exploitability, abs=1e-12)
    study = {"game": "kuhn", "iterations": 30, "alternating": False, "rule": CFR()}
    (row,) = eq.batch(study).rows()
    assert row["exploitability"] == solution.exploitability
    with pytest.raises(eq.AlgorithmError, match=r"alternating=False.* got .*alternating=True"):
        eq.solve(rule=CFR(), iterations=40, resume=tmp_path)
    same = {"algorithm": "auto(alternating=False)", "rule": CFR()}
    assert eq.solve(**same, iterations=40, resume=tmp_path).iterations == 40


def test_what_is_returned_and_what_is_changed_in_place_are_the_same():
    class Returning(CFR):
        def observe(self, state, strategy, values, t):
            regret = RULES["instant_regret"](strategy, values)
            return {"regret": state["regret"] + regret}

    in_place = eq.solve("kuhn", rule=CFR(), iterations=9)
    returned = eq.solve("kuhn", rule=Returning(), iterations=9)
    assert (in_place.strategy.probabilities == returned.strategy.probabilities).all()


@pytest.mark.parametrize(
    ("game", "iterations", "exploitability"),
    [
        ("kuhn", 11, 0.013732941288410988),
        ("kuhn", 101, 2.0836297470738785e-07),
        ("leduc", 11, 0.42930894375564665),
    ],
)
def test_rpcfr_plus_is_that_of_code_by_others(game, iterations, exploitability):
    """Code published with RPCFR+, on OpenSpiel, corrected in two places (docs/rules.md)."""
    solution = eq.solve(game, rule=RULES["RPCFRPlus"](), iterations=iterations)
    assert solution.exploitability == pytest.approx(exploitability, abs=1e-12)


SMALL = "matrix(payoffs=[[0.0, 2.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.5]])"


@pytest.mark.parametrize(
    ("name", "gaps"),
    [
        ("SOGRMPlus", {10: 0.21777934582606845, 100: 0.05301734413714415}),
        ("SmoothPRMPlus", {10: 0.24186317280015035, 100: 0.06220312224066535}),
        pytest.param("SOGRMPlus", {1000: 1.183790609e-06}, marks=pytest.mark.slow),
        pytest.param("SmoothPRMPlus", {1000: 1.292747146e-6}, marks=pytest.mark.slow),
    ],
)
def test_smooth_variants_are_those_of_code_by_others(name, gaps):
    """Code published with SOGRM+ (docs/rules.md): the duality gap of the last iterate."""
    for iterations, gap in gaps.items():
        solution = eq.solve(SMALL, rule=RULES[name](0.1), iterations=iterations)
        assert solution.nash_conv == pytest.approx(gap, rel=1e-8)


def play_extragradient(payoffs, eta, steps):
    """Return the last iterates of extragradient RM+ on a matrix game: one vector of regrets a player."""

    def nearest(regret):
        """By bisection: the sum of max(regret + shift, 0) grows with the shift."""
        if np.maximum(regret, 0).sum() >= 1:
            return np.maximum(regret, 0)
        low, high = 0.0, 1.0 + np.abs(regret).max()
        for _ in range(200):
            shift = (low + high) / 2
            if np.maximum(regret + shift, 0).sum() < 1:
                low = shift
            else:
                high = shift
        return np.maximum(regret + high, 0)

    def gradient(regrets):
        play = [regret / regret.sum() for regret in regrets]
        values = [payoffs @ play[1], -payoffs.T @ play[0]]
        return [value - value @ own for value, own in zip(values, play, strict=True)]

    regrets = [np.full(size, 1 / size) for size in payoffs.shape]
    for _ in range(steps):
        ahead = [nearest(z + eta * g) for z, g in zip(regrets, gradient(regrets), strict=True)]
        regrets = [nearest(z + eta * g) for z, g in zip(regrets, gradient(ahead), strict=True)]
    return [regret / regret.sum() for regret in regrets]


def test_extragradient_is_that_of_a_loop_of_its_own():
    payoffs = np.array([[3.0, 0.0, -3.0], [0.0, 3.0, -4.0], [0.0, 0.0, 1.0]])
    rows, columns = play_extragradient(payoffs, 0.1, 60)
    game = f"matrix(payoffs={payoffs.tolist()})"
    strategy = eq.solve(game, rule=RULES["ExRMPlus"](0.1), iterations=120).strategy
    assert list(strategy["row"].values()) == pytest.approx(rows.tolist(), abs=1e-12)
    assert list(strategy["column"].values()) == pytest.approx(columns.tolist(), abs=1e-12)


@pytest.mark.slow
def test_last_iterates_of_smooth_variants_settle_where_those_of_rm_plus_do_not():
    game = "matrix(payoffs=[[3.0, 0.0, -3.0], [0.0, 3.0, -4.0], [0.0, 0.0, 1.0]])"
    for name in ("SmoothPRMPlus", "ExRMPlus", "SOGRMPlus"):
        assert eq.solve(game, rule=RULES[name](0.1), iterations=3000).nash_conv < 1e-4
    plain = RULES["CFRPlus"]()
    plain.alternating = False
    plain.last_iterate = True
    assert eq.solve(game, rule=plain, iterations=3000).nash_conv > 0.1


def test_learned_discounts_give_the_published_curve():
    """DDCFR on Leduc: α, β, γ and exploitability of the first 30 iterations, from the results of its authors (MIT)."""
    example = runpy.run_path(str(EXAMPLES.parent / "ddcfr.py"))
    columns = example["read_rows"](EXAMPLES.parent / "ddcfr_leduc.csv")
    algorithm = example["make_algorithm"](columns)
    for iterations in (1, 5, 10, 20, 30):
        solution = eq.solve("leduc", algorithm, iterations=iterations)
        published = columns["conv"][iterations]
        assert solution.exploitability == pytest.approx(published, rel=1e-9)


def play_optimistic_hedge(payoffs, eta, iterations):
    """Return the average of optimistic Hedge by both players of a matrix game, a dozen lines of their own."""
    sums = [np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])]
    last = [np.zeros_like(total) for total in sums]
    averages = [np.zeros_like(total) for total in sums]
    for _ in range(iterations):
        play = [np.exp(eta * (total + before)) for total, before in zip(sums, last, strict=True)]
        play = [weights / weights.sum() for weights in play]
        last = [payoffs @ play[1], -payoffs.T @ play[0]]
        for player in range(2):
            sums[player] += last[player]
            averages[player] += play[player] / iterations
    return averages


def test_optimistic_hedge_is_that_of_a_loop_of_its_own():
    payoffs = np.array([[0.0, 2.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]])
    rows, columns = play_optimistic_hedge(payoffs, 0.3, 50)
    game = eq.load(f"matrix(payoffs={payoffs.tolist()})")
    strategy = eq.solve(game, rule=RULES["OptimisticHedge"](0.3), iterations=50).strategy
    assert list(strategy["row"].values()) == pytest.approx(rows.tolist(), abs=1e-12)
    assert list(strategy["column"].values()) == pytest.approx(columns.tolist(), abs=1e-12)


class Remembering(CFR):
    """Predicts by the mean of the last two values, of which the older one keeps its array."""

    def init(self, num_actions):
        zeros = np.zeros(num_actions)
        return {"regret": zeros, "last": zeros, "before": zeros}

    def strategy(self, state, t):
        predicted = (state["last"] + state["before"]) / 2
        return super().strategy({"regret": state["regret"] + predicted}, t)

    def learn(self, state, strategy, values):
        """Return the arrays by name, none of them copied."""
        regret = state["regret"] + RULES["instant_regret"](strategy, values)
        return {"last": values, "before": state["last"], "regret": regret}


class Copying(Remembering):
    def observe(self, state, strategy, values, t):
        after = self.learn(state, strategy, values)
        return {name: array.copy() for name, array in after.items()}


class Returning(Remembering):
    def observe(self, state, strategy, values, t):
        return self.learn(state, strategy, values)


class Putting(Remembering):
    def observe(self, state, strategy, values, t):
        state.update(self.learn(state, strategy, values))


class Overwriting(Remembering):
    def observe(self, state, strategy, values, t):
        after = self.learn(state, strategy, values)
        after["last"] = values.copy()
        values[:] = np.nan
        strategy[:] = np.nan
        return after


@pytest.mark.parametrize("kind", [Returning, Putting, Overwriting])
@pytest.mark.parametrize("alternating", [True, False])
def test_a_rule_may_keep_the_arrays_that_it_is_given(kind, alternating):
    rules = Copying(), kind()
    for rule in rules:
        rule.alternating = alternating
    expected, solution = (eq.solve("kuhn", rule=rule, iterations=20) for rule in rules)
    assert (solution.strategy.probabilities == expected.strategy.probabilities).all()


@pytest.mark.slow
def test_the_answer_may_be_what_is_played_last():
    class Last(RULES["OptimisticHedge"]):
        last_iterate = True

    solution = eq.solve("kuhn", rule=Last(2.0), iterations=3000)
    answered = solution.strategy.probabilities
    played = solution.current.probabilities
    # What is answered is divided by its sum, which is 1 but for the last digit.
    np.testing.assert_allclose(answered, played, rtol=1e-15, atol=0)
    assert solution.exploitability < 1e-3


class Counting(CFR):
    """CFR that also counts, to be saved with arrays of other shapes and types."""

    def init(self, num_actions):
        return {
            "regret": np.zeros(num_actions),
            "count": 0,
            "table": np.zeros((2, num_actions)),
            "is_met": np.zeros(num_actions, bool),
        }

    def observe(self, state, strategy, values, t):
        super().observe(state, strategy, values, t)
        state["count"] += 1
        state["table"][:, t % 2] += strategy[:, :1]
        state["is_met"] |= values > 0


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)"])
def test_a_saved_run_goes_on_to_the_same(tmp_path, game):
    whole = eq.solve(game, rule=Counting(), iterations=30)
    eq.solve(game, rule=Counting(), iterations=11, save=tmp_path)
    saved = eq.load_solution(tmp_path)
    assert saved.algorithm == "Counting"
    resumed = eq.solve(game, rule=Counting(), iterations=30, resume=tmp_path)
    assert (resumed.strategy.probabilities == whole.strategy.probabilities).all()
    assert resumed.final.measures == whole.final.measures
    for name, array in whole.state.items():
        assert (resumed.state[name] == array).all(), name
    with pytest.raises(eq.AlgorithmError, match="code and not saved with it: give it again"):
        eq.solve(resume=tmp_path, iterations=30)
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(game, "cfr", resume=tmp_path, iterations=30)
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(game, rule=CFR(), resume=tmp_path, iterations=30)


class Logarithms(CFR):
    """Knows infinities: the logarithm of what has not been played."""

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions), "logarithm": np.full(num_actions, -np.inf)}


def test_a_saved_run_may_know_infinities(tmp_path):
    whole = eq.solve("kuhn", rule=Logarithms(), iterations=9)
    eq.solve("kuhn", rule=Logarithms(), iterations=4, save=tmp_path)
    resumed = eq.solve("kuhn", rule=Logarithms(), iterations=9, resume=tmp_path)
    assert (resumed.strategy.probabilities == whole.strategy.probabilities).all()


def test_a_run_goes_on_with_the_same_file_from_another_folder(tmp_path, monkeypatch):
    (tmp_path / "rules.py").write_text(EXAMPLES.read_text())
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    eq.solve("kuhn", rule="rules.py:Hedge(eta=2)", iterations=4, save="run")
    monkeypatch.chdir(tmp_path / "below")
    resumed = eq.solve(rule="../rules.py:Hedge( eta = 2 )", iterations=9, resume="../run")
    assert resumed.iterations == 9
    assert resumed.algorithm == "Hedge(eta=2)"
    other = "../rules.py:Hedge(eta=1)"
    with pytest.raises(eq.AlgorithmError, match=r"rule 'rules.py:Hedge\(eta=2\)', and .*eta=1\)'"):
        eq.solve(rule=other, iterations=20, resume="../run")
    with pytest.raises(eq.AlgorithmError, match="can only go on so"):
        eq.solve(rule=RULES["Hedge"](2), iterations=20, resume="../run")


def test_rules_with_other_numbers_are_other_rules(tmp_path):
    hedge = RULES["Hedge"]
    comparison = eq.compare("kuhn", algorithms=[hedge(0.5), hedge(2.0)], iterations=20)
    assert [run.algorithm for run in comparison.runs] == ["Hedge(eta=0.5)", "Hedge(eta=2.0)"]
    eq.solve("kuhn", rule=hedge(0.5), iterations=4, save=tmp_path)
    with pytest.raises(eq.AlgorithmError, match=r"give the rule 'Hedge\(eta=0.5\)'; or start"):
        eq.solve(rule=hedge(2.0), iterations=9, resume=tmp_path)
    with pytest.raises(eq.AlgorithmError, match=r"got algorithm='cfr'.* give the rule 'Hedge"):
        eq.solve(algorithm="cfr", iterations=9, resume=tmp_path)


def test_a_run_goes_on_with_another_source_but_not_with_other_weights(tmp_path):
    eq.solve("kuhn", rule=CFR(), iterations=4, save=tmp_path)
    rule = CFR()
    rule.source = "the paper, once it is out"
    assert eq.solve(rule=rule, iterations=9, resume=tmp_path).iterations == 9
    rule.gamma = 2
    with pytest.raises(eq.AlgorithmError, match=r"with source=.*gamma=0.0, .* gamma=2\."):
        eq.solve(rule=rule, iterations=9, resume=tmp_path)


def _make_scale(factor):
    def scale(values):
        return factor * values

    return scale


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]])),
        (np.zeros(2), np.zeros(2, np.float32)),
        ([np.zeros(2), 1], [np.ones(2), 1]),
        ({"rate": np.zeros(2)}, {"rate": np.ones(2)}),
        (np.exp, None),
        (_make_scale(1), _make_scale(2)),
        (lambda t: t, lambda t: t + 1),
        (np.float32(1), np.float32(2)),
    ],
    ids=["numbers", "shape", "type", "list", "dict", "ufunc", "closure", "lambda", "scalar"],
)
def test_rules_with_other_arrays_and_functions_are_other_rules(one, other):
    first, again, second = CFR(), CFR(), CFR()
    first.schedule = one
    again.schedule = one.copy() if isinstance(one, np.ndarray) else one
    second.schedule = other
    assert eq.Algorithm.of_rule(first) == eq.Algorithm.of_rule(again)
    assert eq.Algorithm.of_rule(first) != eq.Algorithm.of_rule(second)


def test_the_text_of_a_rule_with_an_array_is_short_and_the_same_everywhere():
    rule = CFR()
    rule.weights = np.arange(1000.0)
    rule.others = np.array([object()])
    rule._seen = np.zeros(3)
    digest = hashlib.sha256(struct.pack("1000d", *range(1000))).hexdigest()
    assert eq.Algorithm.of_rule(rule).name == f"CFR(weights=float64[1000]#{digest[:8]})"


@dataclass
class DataRule(CFR):
    """A rule as a dataclass, whose ``repr`` shortens arrays and shows functions by their addresses."""

    schedule: object = None


@dataclass(frozen=True, slots=True)
class SlottedDataRule:
    eta: float = 1.0
    init = CFR.init
    strategy = CFR.strategy
    observe = CFR.observe


class SlottedRule:
    __slots__ = ("eta",)
    init = CFR.init
    strategy = CFR.strategy
    observe = CFR.observe

    def __init__(self, eta):
        self.eta = eta


def test_dataclasses_are_known_by_all_that_their_arrays_and_functions_hold():
    zeros = np.zeros(3000)
    other = zeros.copy()
    other[1500] = 1
    assert eq.Algorithm.of_rule(DataRule(zeros)) == eq.Algorithm.of_rule(DataRule(zeros.copy()))
    assert eq.Algorithm.of_rule(DataRule(zeros)) != eq.Algorithm.of_rule(DataRule(other))
    # As in another process, where the address is another.
    functions = [_make_scale(2), _make_scale(2)]
    texts = {eq.Algorithm.of_rule(DataRule(function)).name for function in functions}
    assert len(texts) == 1


@pytest.mark.parametrize("kind", [SlottedDataRule, SlottedRule])
def test_attributes_in_slots_count(kind):
    assert eq.Algorithm.of_rule(kind(0.5)).name == f"{kind.__name__}(eta=0.5)"
    comparison = eq.compare("kuhn", algorithms=[kind(0.5), kind(2.0)], iterations=2)
    assert len(comparison.runs) == 2


def _make_rule(factor):
    class Scaled(CFR):
        def observe(self, state, strategy, values, t):
            return super().observe(state, strategy, factor * values, t)

    return Scaled()


def _make_hidden(eta):
    rule = CFR()
    rule._eta = eta
    return rule


def _make_optioned(option):
    rule = CFR()
    rule.option = option
    return rule


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_make_rule(1), _make_rule(2)),
        (_make_hidden(1), _make_hidden(2)),
        (_make_optioned({1}), _make_optioned({2})),
    ],
    ids=["class", "hidden", "set"],
)
def test_different_rules_of_the_same_text_are_not_taken_for_one(one, other):
    message = "Two different rules are both known as (Scaled|CFR)"
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.compare("kuhn", algorithms=[one, other], iterations=2)
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.batch({"game": "kuhn", "iterations": 2, "vary": {"rule": [one, other]}})
    other.name = "other"
    assert len(eq.compare("kuhn", algorithms=[one, other], iterations=2).runs) == 2


def test_the_same_rule_twice_is_one():
    rules = [_make_hidden(1), _make_hidden(1)]
    assert len(eq.compare("kuhn", algorithms=rules, iterations=2).runs) == 1


@pytest.mark.slow
@pytest.mark.parametrize("key", ["rule", "algorithm"])
def test_studies_take_rules_that_are_objects(tmp_path, key):
    hedge = RULES["Hedge"]
    study = {"game": "kuhn", "iterations": 20}
    result = eq.batch(study | {"vary": {key: [hedge(0.5), hedge(2.0)]}}, save=tmp_path)
    assert [row[key] for row in result.rows()] == ["Hedge(eta=0.5)", "Hedge(eta=2.0)"]
    again = eq.batch(study | {"vary": {key: [hedge(0.5), hedge(3.0)]}}, save=tmp_path)
    assert again.computed == 1


def test_the_text_of_an_algorithm_with_settings_names_it():
    text = "cfr+(gamma=3, alternating=False)"
    algorithm = find_algorithm(text)
    assert str(algorithm) == text
    assert find_algorithm(str(algorithm)) == algorithm


@pytest.mark.parametrize("name", ["", "two\nlines", 5, "cfr"])
def test_names_that_mislead_are_refused(name):
    rule = CFR()
    rule.name = name
    with pytest.raises(eq.AlgorithmError, match="name"):
        eq.solve("kuhn", rule=rule, iterations=1)


@pytest.mark.parametrize("gamma", [np.int64(2), np.float32(2), np.array(2.0)], ids=repr)
def test_numbers_of_numpy_are_exponents(gamma):
    rule = CFR()
    rule.gamma = gamma
    expected = eq.solve("kuhn", "cfr(gamma=2)", iterations=9)
    solution = eq.solve("kuhn", rule=rule, iterations=9)
    assert solution.exploitability == pytest.approx(expected.exploitability, abs=1e-12)


def test_comparisons_take_rules():
    comparison = eq.compare("kuhn", algorithms=["cfr", CFR(), "cfr+(gamma=2)"], iterations=20)
    runs = {run.algorithm: run.trace[-1].exploitability for run in comparison.runs}
    assert set(runs) == {"cfr", "CFR", "cfr+(gamma=2)"}
    assert runs["cfr"] == pytest.approx(runs["CFR"], abs=1e-12)


class NotANumber(CFR):
    def strategy(self, state, t):
        strategy = super().strategy(state, t)
        if t == 7:
            strategy[0, 0] = np.nan
        return strategy


class Overflowing(CFR):
    def strategy(self, state, t):
        with np.errstate(over="ignore", invalid="ignore"):
            weights = np.exp(1e4 * state["regret"])
            return weights / weights.sum(axis=1, keepdims=True)


class TooMuch(CFR):
    def strategy(self, state, t):
        return super().strategy(state, t) * 1.01


class Negative(CFR):
    def strategy(self, state, t):
        strategy = super().strategy(state, t)
        return strategy + np.array([[0.75, -0.75]])


class Flat(CFR):
    def strategy(self, state, t):
        return super().strategy(state, t).ravel()


class Raising(CFR):
    def observe(self, state, strategy, values, t):
        return 1 / 0


class OtherNames(CFR):
    def observe(self, state, strategy, values, t):
        return {"regrets": state["regret"]}


class NoArrays(CFR):
    def init(self, num_actions):
        return np.zeros(num_actions)


class Texts(CFR):
    def init(self, num_actions):
        return {"regret": ["a"] * num_actions}


class Unknown(CFR):
    """Plays uniformly where it does not know: comparisons with nan are false."""

    def observe(self, state, strategy, values, t):
        return {"regret": np.where(t == 3, np.nan, values)}


class Ragged(CFR):
    def strategy(self, state, t):
        return [[1], [0.5, 0.5]]


class Complex(CFR):
    def observe(self, state, strategy, values, t):
        return {"regret": values + 1j}


class MoreNames(CFR):
    def observe(self, state, strategy, values, t):
        state["value"] = values


class Spaced(CFR):
    def init(self, num_actions):
        return {"my regret": np.zeros(num_actions)}


class PutsMore(CFR):
    def strategy(self, state, t):
        state["played"] = super().strategy(state, t)
        return state["played"]


class TakesAway(CFR):
    def strategy(self, state, t):
        return 0 * state.pop("regret") + 0.5


class Forgetful(CFR):
    def observe(self, state, strategy, values, t):
        return {}


class Listing(CFR):
    def observe(self, state, strategy, values, t):
        return [1.0]


class Single(CFR):
    def strategy(self, state, t):
        return super().strategy(state, t).astype(np.float32) * np.float32(1.0000001)


class Silent(CFR):
    def observe(self, state, strategy, values, t):
        raise AssertionError


class Exiting(CFR):
    def observe(self, state, strategy, values, t):
        raise SystemExit(0)


class Fraught(CFR):
    @property
    def gamma(self):
        raise ZeroDivisionError("no weight")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Unknown, r"'regret' is nan for player 0 at '\w+' after iteration 3 on kuhn"),
        (Ragged, r"strategy\(\) must return arrays; got \[\[1\], \[0.5, 0.5\]\]"),
        (Complex, r"expected numbers of the shapes {'regret': \(6, 2\)}"),
        (MoreNames, r"observe\(\) must return the arrays that init\(\) names"),
        (Spaced, r"letters, digits and _, as runs are saved with these names; got 'my regret'"),
        (PutsMore, r"strategy\(\) must leave the arrays .*'played': float64 of shape \(6, 2\)"),
        (TakesAway, r"strategy\(\) must leave the arrays .* got {}"),
        (Forgetful, r"observe\(\) must return the arrays .* got {}"),
        (Listing, r"observe\(\) must return the arrays .* got \[1.0\]"),
        (OtherNames, r"got {'regrets': float64 of shape \(6, 2\)}"),
        (Single, r"no probabilities that sum to 1 \(to 1e-09\); their sum is 1.00000"),
        (Silent, r"observe\(\) raised AssertionError \('test_own_rule.py', line \d+\)\.$"),
        (Exiting, r"observe\(\) raised SystemExit: 0"),
        (
            Fraught,
            r"its gamma raised ZeroDivisionError: no weight \('test_own_rule.py', line \d+\)",
        ),
        (NotANumber, r"\[nan, .*\] for .* of player \d at '.*' in iteration 7 on kuhn"),
        (Overflowing, r"nan.*in iteration 2 on kuhn.*nothing is certified"),
        (TooMuch, r"in iteration 1 on kuhn: no probabilities that sum to 1"),
        (Negative, r"\[1.25, -0.25\] for \w+, \w+ of player 0"),
        (Flat, r"shape \(\d+, 2\), infosets × actions; got float64 of shape \(\d+,\)"),
        (Raising, r"observe\(\) raised ZeroDivisionError: division by zero"),
        (OtherNames, r"observe\(\) must return the arrays that init\(\) names"),
        (NoArrays, r"init\(\) must return arrays by name"),
        (Texts, r"arrays of numbers or booleans; got <U1 for 'regret'"),
    ],
)
def test_a_rule_that_goes_wrong_ends_the_run_with_a_sentence(kind, message):
    with pytest.raises(eq.AlgorithmError, match=message) as raised:
        eq.solve("kuhn", rule=kind(), iterations=20)
    assert not raised.value.wrong_use


def _last(last_iterate):
    rule = CFR()
    rule.last_iterate = last_iterate
    return rule


def test_what_strategy_puts_into_the_state_is_kept_as_a_copy():
    class Reusing(CFR):
        def __init__(self):
            self._room = {}

        def strategy(self, state, t):
            room = self._room.setdefault(state["regret"].shape, np.zeros_like(state["regret"]))
            room[:] = state["regret"]
            state["regret"] = room
            return super().strategy(state, t)

    solution = eq.solve("kuhn", rule=Reusing(), iterations=30)
    expected = eq.solve("kuhn", rule=CFR(), iterations=30)
    assert solution.exploitability == expected.exploitability


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rule": CFR}, "is a class; pass an instance"),
        ({"rule": _last("no")}, "last_iterate must be True or False; got 'no'"),
        ({"rule": object()}, "object lacks init, strategy, observe"),
        ({"rule": "rules"}, "a class in a Python file"),
        ({"rule": "none.py:A"}, "There is no file 'none.py'"),
        ({"rule": f"{EXAMPLES}:Cfr"}, "There is no class 'Cfr'"),
        ({"rule": f"{EXAMPLES}:Hedge(1)"}, r"its name, as in 'Hedge\(eta=0.1\)'; got 'Hedge\(1\)'"),
        ({"rule": f"{EXAMPLES}:Hedge(etta=1)"}, "unexpected keyword argument 'etta'"),
        ({"rule": CFR(), "algorithm": "cfr"}, "not both"),
        ({"rule": CFR(), "sampling": "full(pruning='zero-reach')"}, "got sampling=.full"),
        ({"rule": CFR(), "form": "walk"}, "form='walk'"),
        ({"rule": CFR(), "precision": "float32"}, "got precision='float32'"),
        ({"rule": CFR(), "concept": "floors(0.1)"}, "got concept="),
    ],
)
def test_what_makes_no_sense_with_a_rule_is_refused(keywords, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve("kuhn", iterations=1, **keywords)


def test_numbers_of_the_family_do_nothing_beside_a_rule():
    with pytest.raises(eq.AlgorithmError, match="alpha, floor would do nothing"):
        eq.Algorithm("x", "y", alpha=1.0, floor=True, rule=CFR())
    mine = eq.Algorithm("x", "y", gamma=2, rule=CFR())
    weighted = eq.solve("kuhn", mine, iterations=20)
    expected = eq.solve("kuhn", "cfr(gamma=2)", iterations=20)
    assert weighted.exploitability == pytest.approx(expected.exploitability, abs=1e-12)


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("text", "algorithm"),
    [
        ("cfr+(gamma=3)", replace(eq.ALGORITHMS["cfr+"], gamma=3)),
        ("dcfr(alpha=2, beta=0.5)", replace(eq.ALGORITHMS["dcfr"], alpha=2, beta=0.5)),
        ("pcfr+(predict=0.5, alternating=False)", None),
        ("lcfr(gamma=[1, 2, 3])", replace(eq.ALGORITHMS["lcfr"], gamma=(1, 2, 3))),
    ],
)
def test_a_text_may_change_the_numbers_of_an_algorithm(text, algorithm):
    if algorithm is None:
        algorithm = replace(eq.ALGORITHMS["pcfr+"], predict=0.5, alternating=False)
    expected = eq.solve("kuhn", algorithm, iterations=25)
    solution = eq.solve("kuhn", text, iterations=25)
    assert (solution.strategy.probabilities == expected.strategy.probabilities).all()
    assert solution.algorithm == text.replace(", alternating=False", "").replace(
        "[1, 2, 3]", "(1, 2, 3)"
    )
    assert (
        solution.exploitability
        != eq.solve("kuhn", text.partition("(")[0], iterations=25).exploitability
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cfr(gama=1)", "Settings of the algorithm 'cfr' are alpha, .*; got 'gama'"),
        ("rules.py:Hedge(eta=2)", "is a rule in a file, no algorithm: give it as rule="),
        ("auto(gamma=1)", "Settings of the algorithm 'auto' are alternating"),
        ("cfr+(beta=1)", "would do nothing"),
        ("cfr(gamma=-1)", "gamma must be 0 or more"),
        ("cfr(gamma=[1, -1])", "gamma must be 0 or more"),
        ("cfr(gamma=[])", "gamma must be finite"),
        ("cfr(alpha='x')", "alpha must be finite"),
        ("cfr(floor=2)", "floor must be True or False; got 2"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(text, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve("kuhn", text, iterations=1)


def test_weights_by_iteration_are_those_of_a_ramp_that_has_them():
    """The last number stays; a schedule needs no planned number of iterations."""
    numbers = tuple(1 + 3 * t / 20 for t in range(20))
    ramp = eq.Algorithm("ramp", "x", alpha=eq.Ramp(1, 3), beta=0, gamma=eq.Ramp(1, 3))
    table = eq.Algorithm("table", "x", alpha=numbers, beta=0, gamma=np.array(numbers))
    expected = eq.solve("leduc(ranks=2, raises=1)", ramp, iterations=20)
    solution = eq.solve("leduc(ranks=2, raises=1)", table, iterations=20)
    assert (solution.strategy.probabilities == expected.strategy.probabilities).all()
    assert eq.solve("kuhn", table, iterations=50).iterations == 50
    with pytest.raises(eq.AlgorithmError, match="schedule"):
        eq.solve("kuhn", table, sampling="external", iterations=5)


def test_a_run_with_numbers_of_its_own_is_saved_and_made_again(tmp_path):
    solution = eq.solve("kuhn", "cfr+(gamma=[1, 2])", iterations=9, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=20)
    assert (
        resumed.exploitability == eq.solve("kuhn", solution.algorithm, iterations=20).exploitability
    )


class Unprintable:
    def __repr__(self):
        raise ZeroDivisionError("nothing to show")


@dataclass
class Holding(CFR):
    held: object


def test_a_repr_that_raises_is_told_in_a_sentence():
    sentence = r"repr\(\) of held of a rule, Holding, raised ZeroDivisionError: nothing to show\."
    with pytest.raises(eq.AlgorithmError, match=sentence):
        eq.solve("kuhn", rule=Holding(Unprintable()), iterations=2)
