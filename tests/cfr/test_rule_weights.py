"""Rules that say how much an iteration counts in the average at each infoset: on all forms, saved, refused."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.rule_kernels import Room, add_weighted

RULES = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "rules.py"))
CFR = RULES["CFR"]


class Powers(CFR):
    """CFR whose iteration t counts t^power, said by weights()."""

    def __init__(self, power=1.0):
        self.power = power

    def weights(self, state, t):
        return np.full(len(state["regret"]), float(t) ** self.power)


class SameForAll(CFR):
    gamma = 1


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("kuhn", "sequence"),
        ("leduc(ranks=2, raises=1)", "public"),
        ("kuhn(players=3)", "sequence"),
        pytest.param("rhode_island(ranks=3, suits=2, raises=1)", "cards", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("alternating", [True, False])
def test_weights_that_are_powers_of_t_are_those_of_gamma(game, form, alternating):
    rules = Powers(), SameForAll()
    for rule in rules:
        rule.alternating = alternating
    solution, expected = (eq.solve(game, rule=rule, form=form, iterations=20) for rule in rules)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12
    assert solution.exploitability == pytest.approx(expected.exploitability, abs=1e-12)


def test_weights_come_beside_gamma():
    both = Powers()
    both.gamma = 2
    solution = eq.solve("kuhn", rule=both, iterations=20)
    expected = eq.solve("kuhn", rule=Powers(3.0), iterations=20)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12


class ByActions(CFR):
    """Counts an iteration at infosets where the first action was played more than the last alone, and counts these."""

    def init(self, num_actions):
        return {"regret": np.zeros(num_actions), "is_counted": False, "counted": 0}

    def observe(self, state, strategy, values, t):
        super().observe(state, strategy, values, t)
        state["is_counted"] = strategy[:, 0] > strategy[:, -1]
        state["counted"] += state["is_counted"]

    def weights(self, state, t):
        return state["is_counted"]


def test_infosets_count_iterations_of_their_own():
    """The averages, made of what each iteration of the same run plays."""
    solution = eq.solve("kuhn", rule=ByActions(), iterations=30)
    uniform = {key: dict.fromkeys(row, 0.5) for key, row in solution.strategy.items()}
    played = [uniform] + [
        eq.solve("kuhn", rule=CFR(), iterations=done).current for done in range(1, 30)
    ]
    for key, average in solution.strategy.items():
        sums = dict.fromkeys(average, 0.0)
        for strategy in played:
            first, last = strategy[key].values()
            player, infoset = key
            own_reach = strategy[player, infoset[0]]["pass"] if infoset.endswith("pb") else 1.0
            for action, probability in strategy[key].items():
                sums[action] += (first > last) * own_reach * probability
        total = sum(sums.values())
        for action, probability in average.items():
            expected = sums[action] / total if total > 0 else 0.5
            assert probability == pytest.approx(expected, abs=1e-12)


@eq.compiled_rule
class CompiledByActions(ByActions):
    """Weights as the rule before; ``factor`` times as much, which changes nothing unless it is below 0 or infinite."""

    def __init__(self, factor=1.0):
        self.factor = factor

    def observe(self, state, strategy, values, t):
        value = (strategy * values).sum(axis=1, keepdims=True)
        state["regret"] += values - value
        state["is_counted"] = strategy[:, 0] > strategy[:, -1]
        state["counted"] += state["is_counted"]

    def strategy(self, state, t):
        positive = np.maximum(state["regret"], 0)
        total = positive.sum(axis=1, keepdims=True)
        return np.where(total > 1e-12, positive / np.maximum(total, 1e-12), 1 / positive.shape[1])

    def weights(self, state, t):
        return self.factor * state["is_counted"]


@pytest.mark.slow
def test_a_compiled_rule_has_the_same_weights():
    """On a sequence form, where whole iterations are compiled; with two and three actions."""
    game = "leduc(ranks=2)"
    solution = eq.solve(game, rule=CompiledByActions(2.0), iterations=40)
    expected = eq.solve(game, rule=ByActions(), iterations=40)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12
    with pytest.raises(
        eq.AlgorithmError, match=r"weights\(\) gives -1\.0 for player 0 at .* in ite"
    ):
        eq.solve(game, rule=CompiledByActions(-1.0), iterations=40)
    with pytest.raises(eq.AlgorithmError, match=r"weights\(\) gives nan for player"):
        eq.solve(game, rule=CompiledByActions(np.inf), iterations=40)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "form"), [("leduc", "public"), ("kuhn(players=3)", "sequence")])
@pytest.mark.parametrize("alternating", [True, False])
def test_a_compiled_rule_has_the_same_weights_everywhere(game, form, alternating):
    rules = CompiledByActions(), ByActions()
    for rule in rules:
        rule.alternating = alternating
    solution, expected = (eq.solve(game, rule=rule, form=form, iterations=20) for rule in rules)
    difference = solution.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-9
    if form == "public":
        with pytest.raises(eq.AlgorithmError, match=r"weights\(\) gives -1\.0 for player 0"):
            eq.solve(game, rule=CompiledByActions(-1.0), form=form, iterations=20)


@eq.compiled_rule
class OfAnotherShape(CompiledByActions):
    observe = CompiledByActions.observe
    strategy = CompiledByActions.strategy

    def weights(self, state, t):
        return self.factor * state["regret"]


def rule_with_weights(method):
    """Return a compiled rule that says its weights by a method."""
    members = {"weights": method, "factor": 1.0}
    for name in ("init", "strategy", "observe"):
        members[name] = getattr(CompiledByActions, name)
    return eq.compiled_rule(type("Rule", (), members))()


def change_array(self, state, t):
    state["counted"] += 1
    return self.factor * state["counted"]


def change_numbers(self, state, t):
    state["regret"][:, 0] += 5.0
    regret = state["regret"]
    regret += 5.0
    return np.ones(len(regret))


def take_nothing(self):
    return 1.0


def return_one_number(self, state, t):
    return 1.0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["sequence", "public"])
def test_compiled_weights_of_another_shape_end_the_run(form):
    with pytest.raises(eq.AlgorithmError, match="a number for each infoset; got another shape"):
        eq.solve("leduc", rule=OfAnotherShape(), form=form, iterations=3)


@pytest.mark.slow
def test_what_cannot_be_compiled_in_weights_is_told():
    for method, message in (
        (change_array, r"weights\(\) at line .* changes 'counted', which"),
        (take_nothing, r"weights\(\) at line \d+: it takes \(self, state, t\)"),
        (return_one_number, "an array with a number for each infoset; got float64"),
    ):
        with pytest.raises(eq.AlgorithmError, match=message):
            eq.solve("kuhn", rule=rule_with_weights(method), iterations=3)


@pytest.mark.slow
def test_compiled_weights_change_nothing_that_the_rule_knows():
    changing = eq.solve("kuhn", rule=rule_with_weights(change_numbers), iterations=20)
    expected = eq.solve("kuhn", rule=CFR(), iterations=20)
    difference = changing.strategy.probabilities - expected.strategy.probabilities
    assert np.abs(difference).max() < 1e-12


@pytest.mark.parametrize("wrong", [None, 0, 1, 2])
def test_an_iteration_is_added_block_by_block(wrong):
    """Two infosets with two actions and one with three, whose numbers stand action after action."""
    weights = np.array([1.0, 2.0, 3.0])
    if wrong is not None:
        weights[wrong] = -weights[wrong]
    slots = np.array([6, 0, 5, 1, 4, 2, 3], np.uint32)
    infoset_of_action = [0, 1, 0, 1, 2, 2, 2]
    numbers = np.zeros(7)
    blocks = np.array([[2, 2, 0], [1, 3, 4]])
    room = Room(slots, blocks, numbers, numbers, numbers, weights)
    own_reach = np.arange(1.0, 8.0)
    sums = np.arange(10.0, 17.0)
    expected = 0.5 * sums
    for slot, infoset in zip(slots, infoset_of_action, strict=True):
        expected[slot] += weights[infoset] * own_reach[slot]
    assert add_weighted(room, own_reach, 0.5, sums) == (wrong is None)
    assert (sums == expected).all()


def test_a_saved_run_goes_on_to_the_same_average(tmp_path):
    whole = eq.solve("leduc(ranks=2, raises=1)", rule=ByActions(), iterations=30)
    eq.solve("leduc(ranks=2, raises=1)", rule=ByActions(), iterations=11, save=tmp_path)
    resumed = eq.solve(rule=ByActions(), iterations=30, resume=tmp_path)
    assert (resumed.strategy.probabilities == whole.strategy.probabilities).all()


def test_an_infoset_without_a_counted_iteration_plays_uniformly():
    class Never(CFR):
        def weights(self, state, t):
            return np.zeros(len(state["regret"]))

    solution = eq.solve("kuhn", rule=Never(), iterations=9)
    assert set(solution.strategy.probabilities.tolist()) == {0.5}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda infosets: np.full(infosets, -0.5), r"weights\(\) gives -0\.5 for player 0 at 'J'"),
        (lambda infosets: np.full(infosets, np.nan), r"weights\(\) gives nan .* a number from 0"),
        (lambda infosets: np.full(infosets, 1.2e308), r"gives 1\.2e\+308 .* from 0 to 1e\+100"),
        (lambda infosets: np.full(infosets, np.longdouble("1e400")), r"gives inf for player"),
        (lambda infosets: np.ones((infosets, 2)), r"shape \(6,\); got float64 of shape \(6, 2\)"),
        (lambda infosets: 1.0, r"a number for each infoset, .* got float64 of shape \(\)"),
        (lambda infosets: np.array(["much"] * infosets), r"got <U4 of shape \(6,\)"),
    ],
)
def test_weights_that_are_none_end_the_run(answer, message):
    class Wrong(CFR):
        def weights(self, state, t):
            return answer(len(state["regret"]))

    with pytest.raises(eq.AlgorithmError, match=message) as caught:
        eq.solve("kuhn", rule=Wrong(), iterations=5)
    assert not caught.value.wrong_use


def test_weights_may_not_change_what_the_rule_knows():
    class Changing(Powers):
        def weights(self, state, t):
            state["regret"] += 1
            return super().weights(state, t)

    with pytest.raises(eq.AlgorithmError, match=r"weights\(\) raised ValueError: .*read-only"):
        eq.solve("kuhn", rule=Changing(), iterations=20)


def test_weights_may_be_a_column():
    class Column(Powers):
        def weights(self, state, t):
            return super().weights(state, t)[:, None]

    solution = eq.solve("kuhn", rule=Column(), iterations=20)
    expected = eq.solve("kuhn", rule=Powers(), iterations=20)
    assert (solution.strategy.probabilities == expected.strategy.probabilities).all()


def test_weights_that_would_do_nothing_are_refused():
    class Last(Powers):
        last_iterate = True

    class Whole:
        init = plan = observe = weights = Powers.weights

    for kind, why in ((Last, "last_iterate is True"), (Whole, "plays for a whole player")):
        expected = re.escape(why) + r".*, so that weights\(\) would do nothing"
        with pytest.raises(eq.AlgorithmError, match=expected):
            eq.solve("kuhn", rule=kind(), iterations=5)
    with pytest.raises(eq.AlgorithmError, match=r"weights\(\).* samples do not know"):
        eq.solve("kuhn", rule=Powers(), sampling="external", seed=1, iterations=5)


def test_weights_of_infosets_are_none_of_the_play_of_all():
    """So its distance from a coarse correlated equilibrium is not known."""
    solution = eq.solve("kuhn(players=3)", rule=Powers(), iterations=20)
    assert np.isnan(solution.cce_distance)
    with pytest.raises(eq.AlgorithmError, match="not by a rule with weights"):
        eq.solve("kuhn(players=3)", rule=Powers(), until=eq.CCE(0.01))


def test_an_object_that_hands_on_to_a_rule_hands_on_its_weights():
    class Around:
        name = "around"

        def __init__(self, rule):
            self._rule = rule

        def __getattr__(self, method):
            return getattr(self._rule, method)

    solution = eq.solve("kuhn", rule=Around(Powers()), iterations=20)
    expected = eq.solve("kuhn", rule=Powers(), iterations=20)
    assert (solution.strategy.probabilities == expected.strategy.probabilities).all()


def test_numbers_by_this_name_are_a_setting_of_the_rule():
    rule = CFR()
    rule.weights = lambda state, t: 1 / 0
    assert eq.solve("kuhn", rule=rule, iterations=3).iterations == 3
