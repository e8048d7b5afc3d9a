"""CFR+ with a transformed reward: what is played last, against a plain recursion and against exact values."""

from math import prod

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr import sequence_cfr
from equilibrist.cfr.reward_transformation import RTCFR_PLUS
from equilibrist.cfr.sequence_cfr import SequenceCFR
from support.reference import CFR, infosets, nash_conv, nodes, unfold
from support.solvers import GENERAL, tables, turn, variant

EXAMPLE = "matrix(payoffs=[[3,0,-3],[0,3,-4],[0,0,1]])"


class Transformed(CFR):
    """CFR+ by recursion, in which a player also receives weight × (r − x) at each action: r and x are own reach."""

    def __init__(self, game, weight, every, **options):
        super().__init__(game, RTCFR_PLUS, **options)
        self.above, self.weight, self.every = {}, {}, every
        largest = max(abs(payoff) for node in nodes(self.root) for payoff in node.payoffs)
        self.walk(self.root, [None] * self.players, [1.0] * self.players, 1.0, weight * largest)
        self.reference = self.reaches()

    def walk(self, node, last, reach, chance_reach, weight):
        """Tell the infoset and action before each infoset, and add up what chance and uniform others reach it by."""
        if node.key is not None:
            self.above[node.key] = last[node.player]
            others = prod(reach[: node.player] + reach[node.player + 1 :])
            self.weight[node.key] = self.weight.get(node.key, 0.0) + weight * chance_reach * others
        for label, child in node.children.items():
            if node.key is None:
                self.walk(child, last, reach, chance_reach * node.probabilities[label], weight)
            else:
                mine = [(node.key, label) if p == node.player else x for p, x in enumerate(last)]
                after = [
                    x / len(node.children) if p == node.player else x for p, x in enumerate(reach)
                ]
                self.walk(child, mine, after, chance_reach, weight)

    def reaches(self):
        """Return the own reach of each action."""
        table = {None: 1.0}
        for key, last in self.above.items():  # those that come first have been met first
            table |= {(key, label): p * table[last] for label, p in self.strategy[key].items()}
        return table

    def visit(self, node, reach, chance_reach):
        values = super().visit(node, reach, chance_reach)
        if node is self.root:
            play, added = self.reaches(), dict.fromkeys(self.reaches(), 0.0)
            for key, last in reversed(self.above.items()):
                for label, p in self.strategy[key].items():
                    action = key, label
                    added[action] += self.weight[key] * (self.reference[action] - play[action])
                    self.cf_value[key][label] += added[action]
                    added[last] += p * added[action]
        return values

    def iterate(self):
        super().iterate()
        if self.t % self.every == 0:
            self.reference = self.reaches()


@pytest.mark.thinned(6)
@turn
@pytest.mark.parametrize(
    "game", ["kuhn", "leduc(ranks=2)", "kuhn(players=3)", "goofspiel(cards=3)", EXAMPLE, GENERAL]
)
def test_the_rule_is_that_of_a_plain_recursion(game, alternating):
    """Regrets and strategy, after each of 50 iterations, in which the reference moves six times."""
    reference = Transformed(eq.load(game), 0.03, 8, alternating=alternating)
    form = eq.compile_game(eq.load(game), keep_tree=True)
    minimiser = eq.LastIterate(0.03, every=8).minimiser(form)
    solver = SequenceCFR(form, variant(RTCFR_PLUS, alternating=alternating), minimiser=minimiser)
    for _ in range(50):
        solver.run(1)
        reference.iterate()
        for name in ("regret_sum", "strategy"):
            for key, row in tables(solver)[name].items():
                np.testing.assert_allclose(
                    list(row.values()), list(getattr(reference, name)[key].values()), atol=1e-12
                )


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("game", "value", "within"),
    [
        ("kuhn", -1 / 18, 1000),
        ("leduc", -0.085606424078, 10_000),
        ("liars_dice(faces=3)", None, 4000),
        (EXAMPLE, 1 / 4, 5000),
    ],
)
def test_what_is_played_last_reaches_the_value(game, value, within):
    solution = eq.solve(game, concept=eq.LastIterate(), until=1e-6, iterations=within)
    assert solution.stop_reason == "until"
    value = eq.exact(game).value[0] if value is None else value
    assert solution.value[0] == pytest.approx(value, abs=2e-6)
    np.testing.assert_allclose(
        solution.current.probabilities, solution.strategy.probabilities, atol=1e-15
    )
    assert solution.algorithm == "rtcfr+"
    assert solution.guarantee.startswith("Two-player zero-sum: a Nash equilibrium")


def test_its_certificate_is_that_of_a_recursion():
    solution = eq.solve("kuhn", concept=eq.LastIterate(), iterations=100)
    assert solution.nash_conv == pytest.approx(
        nash_conv(unfold(eq.load("kuhn")), dict(solution.current), 2), abs=1e-12
    )


def test_it_does_not_depend_on_the_unit_of_payoffs():
    once, a_thousand = (
        eq.solve(
            f"matrix(payoffs=[[{3 * c},0,{-3 * c}],[0,{3 * c},{-4 * c}],[0,0,{c}]])",
            concept="last_iterate",
            iterations=64,
        )
        for c in (1, 1024)
    )
    np.testing.assert_array_equal(once.current.probabilities, a_thousand.current.probabilities)


@pytest.mark.parametrize("every", [None, 30])
def test_it_goes_on_bit_for_bit(tmp_path, every):
    concept = eq.LastIterate(every=every)
    eq.solve("leduc", concept=concept, iterations=205, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=400)
    whole = eq.solve("leduc", concept=concept, iterations=400)
    np.testing.assert_array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)
    assert resumed.config.concept == concept


@pytest.mark.slow
@pytest.mark.parametrize("game", ["leduc", "kuhn(players=3)"])
def test_threads_change_nothing(game, monkeypatch):
    monkeypatch.setattr(sequence_cfr, "LEAST_FOR_THREADS", 0)
    form, runs = eq.compile_game(eq.load(game), keep_tree=True), []
    for threads in (1, 2, 3):
        minimiser = eq.LastIterate().minimiser(form)
        solver = SequenceCFR(form, RTCFR_PLUS, minimiser=minimiser, threads=threads)
        solver.run(45)
        runs.append(solver.tables["regret_sum"].tobytes() + minimiser.state.tobytes())
    assert runs[0] == runs[1] == runs[2]


def test_the_reference_moves_when_half_of_the_gap_is_gone():
    """Looked at every ten iterations; the gap where the reference is the play is nash_conv."""
    form = eq.compile_game(eq.load("leduc"), keep_tree=True)
    minimiser = eq.LastIterate().minimiser(form)
    solver, moved = SequenceCFR(form, RTCFR_PLUS, minimiser=minimiser), 0
    for _ in range(40):
        gap, reference = minimiser.state[1], minimiser.state[2:].copy()
        solver.run(10)
        if (minimiser.state[2:] != reference).any():
            moved += 1
            assert minimiser.state[1] == pytest.approx(solver.values().nash_conv, abs=1e-12)
            np.testing.assert_array_equal(minimiser.state[2:], solver.state.reach)
        else:
            assert minimiser.state[1] == gap
    assert 1 < moved < 40


@pytest.mark.thinned(2)
@pytest.mark.parametrize("concept", ["last_iterate", "qre(0)"])
def test_the_play_is_not_tracked_where_its_last_strategy_is_the_answer(concept):
    solution = eq.solve("kuhn(players=3)", concept=concept, iterations=20)
    assert set(solution.final.measures) == {"nash_conv", "exploitability"}


@pytest.mark.parametrize("form", ["public", "cards"])
def test_other_forms_are_refused(form):
    river = "holdem(board='Td9d6hQc2s', oop='AA,KK', ip='QJs,99', pot=100, stack=200, bets='100%')"
    with pytest.raises(
        eq.AlgorithmError, match=r"for sequence forms; got (kuhn|holdem).*form='sequence'"
    ):
        eq.solve(
            "kuhn" if form == "public" else river, concept="last_iterate", form=form, iterations=1
        )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"sampling": "external"}, "draws samples"),
        ({"algorithm": "dcfr"}, "dynamics of its own"),
        ({"until": eq.QREGap(1e-3)}, "quantal response"),
        ({"until": eq.CCE(1e-3)}, "where the play is tracked"),
    ],
)
def test_what_makes_no_sense_is_refused(options, why):
    with pytest.raises(eq.AlgorithmError, match=why):
        eq.solve("kuhn", concept="last_iterate", **options)


@pytest.mark.parametrize(
    "text",
    [
        "last_iterate(0.1, 5)",
        "last_iterate(weight=0)",
        "last_iterate(every=0)",
        "last_iterate(every=1.5)",
    ],
)
def test_wrong_settings_are_refused(text):
    with pytest.raises(eq.AlgorithmError):
        eq.solve("kuhn", concept=text)


def test_the_weight_needs_no_name():
    solution = eq.solve("kuhn", concept="last_iterate(0.1, every=5)", iterations=1)
    assert solution.config.concept == eq.LastIterate(0.1, every=5)


def test_infosets_are_all_held():
    """Even those that are not played: each has a weight, 0 where there is no action."""
    form = eq.compile_game(eq.load("leduc"), keep_tree=True)
    weight = eq.LastIterate().minimiser(form)._weight
    assert (weight[form.slot] > 0).all()
    assert np.count_nonzero(weight) == len(form.slot) == sum(len(i.actions) for i in form.infosets)
    assert len(infosets(unfold(eq.load("leduc")))) == form.num_infosets
