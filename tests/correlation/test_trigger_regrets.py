"""Trigger regrets: gains against an enumeration over histories, fixed points, and the linear programme."""

from itertools import product

import numpy as np
import pytest
from tests.correlation.test_correlated import BATTLESHIP, CHICKEN, SHERIFF, Three, game_of, signal
from typer.testing import CliRunner

import equilibrist as eq
from equilibrist.cli.arguments import make_app
from equilibrist.correlation import trigger_kernels as kernels
from equilibrist.correlation.trigger_regrets import make_tables
from support.random_games import RandomGame
from support.reference import infosets, unfold
from support.solvers import GENERAL

RULES = {
    "chicken": eq.load(CHICKEN),
    "general": eq.load(GENERAL),
    "signal": signal(0),
    "no chance": signal(1, chance=False),
    "three": Three(),
    "random": RandomGame(3, zero_sum=False),
    "kuhn3": eq.load("kuhn(players=3)"),
}
SMALL = [pytest.param(rules, id=name) for name, rules in RULES.items()]
_MOST_PLANS = 300


def earned(node, player, strategy, trigger, instead, has_left=False):
    """Return what a player earns who leaves a strategy when a trigger is recommended, and takes other actions then."""
    if node.payoffs:
        return node.payoffs[player]
    total = 0.0
    for label in node.children:
        leaves, taken = has_left, label
        if node.key is None:
            p = node.probabilities[label]
        elif node.player != player:
            p = strategy[node.key][label]
        elif has_left:
            p = float(instead[node.key] == label)
        else:
            p, leaves = strategy[node.key][label], (node.key, label) == trigger
            taken = instead[node.key] if leaves else label
        if p > 0:
            total += p * earned(node.children[taken], player, strategy, trigger, instead, leaves)
    return total


def keys_after(node, key, player, has_come=False):
    """Return the infosets of a player from one on."""
    has_come = has_come or node.key == key
    keys = {node.key} if has_come and node.key is not None and node.player == player else set()
    return keys.union(
        *(keys_after(child, key, player, has_come) for child in node.children.values())
    )


@pytest.mark.parametrize("seed", range(6))
def test_gains_are_those_of_all_plans_of_all_triggers(seed):
    """By recursion over histories, each plan for what follows a trigger; the average over iterations of each."""
    game = RandomGame(seed, players=2 + seed % 2, zero_sum=False, ties=False, depth=4)
    root, compared = unfold(game), 0
    result = eq.correlated_equilibrium(game, method=eq.TriggerRegrets(7))
    labels = {key: list(group[0].children) for key, group in infosets(root).items()}
    profiles, weights = [dict(result.mixture[t]) for t in range(7)], np.arange(1, 8) / 28
    for deviation in result.deviations:
        player, key = deviation.player, (deviation.player, deviation.infoset)
        after = sorted(keys_after(root, key, player))
        plans = [
            dict(zip(after, plan, strict=True))
            for plan in product(*(labels[each] for each in after))
        ]
        if len(plans) > _MOST_PLANS:
            continue
        follow = np.dot(weights, [earned(root, player, profile, None, {}) for profile in profiles])
        leave = [
            np.dot(
                weights,
                [
                    earned(root, player, profile, (key, deviation.action), plan)
                    for profile in profiles
                ],
            )
            for plan in plans
        ]
        assert deviation.gain == pytest.approx(max(leave) - follow, abs=1e-12)
        compared += 1
    assert compared > 0.7 * len(result.deviations)


def deviated(t, player, play):
    """Return what the deviations make of a play, mixed by their weights: φ(x) = Σ_s w(s) φ_s(x), written out."""
    total = np.zeros(len(play))
    for j in range(t.first_infoset[player], t.first_infoset[player + 1]):
        for s in range(t.first[j], t.first[j + 1]):
            changed = play.copy()
            gone, continuation = {s}, {}
            for i in range(j, t.end[j]):
                above = 1.0 if i == j else continuation[t.parent[i]]
                for k in range(t.first[i], t.first[i + 1]):
                    gone |= {k} if t.parent[i] in gone else set()
                    continuation[k] = above * t.behaviour[t.offset[s] + k - t.first[j]]
            changed[list(gone)] = 0.0
            for k, probability in continuation.items():
                changed[k] += play[s] * probability
            total += t.weight[s] * changed
    return total


@pytest.mark.parametrize("game", [*SMALL, pytest.param(eq.load("leduc(ranks=2)"), id="leduc2")])
def test_each_player_plays_a_fixed_point_of_the_deviations(game):
    """Looked at after every fourth iteration; on Leduc what follows several triggers is mixed."""
    sequences = game_of(game)
    _, t = make_tables(sequences)
    profiles = np.empty((24, len(t.play)))
    for _ in range(6):
        kernels.run_iterations(t, profiles, 4)
        for player in range(sequences.players):
            own = slice(*t.first[t.first_infoset[player : player + 2]])
            assert t.weight[own].sum() == pytest.approx(1.0 if own.stop > own.start else 0.0)
            np.testing.assert_allclose(deviated(t, player, t.play)[own], t.play[own], atol=1e-12)
        for i, parent in enumerate(t.parent):
            assert t.play[t.first[i] : t.first[i + 1]].sum() == pytest.approx(
                t.play[parent], abs=1e-12
            )


class Learner:
    """What a player learns of a trigger s at infoset j, by recursion over infosets, from play that is given."""

    def __init__(self, t, j, s):
        self.t, self.j, self.s = t, j, s
        self.own = range(t.first[j], t.first[t.end[j]])
        self.regret = dict.fromkeys(self.own, 0.0)
        self.behaviour = {}
        for i in range(j, t.end[j]):
            actions = range(t.first[i], t.first[i + 1])
            self.behaviour |= dict.fromkeys(actions, 1 / len(actions))

    def worth(self, i, play, value):
        """Return what the continuation is worth from an infoset on; match regrets there."""
        t, actions = self.t, range(self.t.first[i], self.t.first[i + 1])
        values = {
            k: play[self.s] * value[k]
            + sum(
                self.worth(later, play, value)
                for later in range(i + 1, t.end[i])
                if t.parent[later] == k
            )
            for k in actions
        }
        total = sum(self.behaviour[k] * values[k] for k in actions)
        for k in actions:
            self.regret[k] = max(self.regret[k] + values[k] - total, 0.0)
        positive = sum(self.regret[k] for k in actions)
        for k in actions:
            self.behaviour[k] = self.regret[k] / positive if positive > 0 else 1 / len(actions)
        return total

    def gain(self, play, value):
        """Return what leaving at the trigger gains in an iteration, and learn from it."""
        after = {self.s}
        for i in range(self.j + 1, self.t.end[self.j]):
            if self.t.parent[i] in after:
                after |= set(range(self.t.first[i], self.t.first[i + 1]))
        return self.worth(self.j, play, value) - sum(play[k] * value[k] for k in after)


def counterfactual(t, player, play):
    """Return the payoff × the probability that chance and the others come there, at the sequences of a player."""
    value = np.zeros(len(play))
    for z, leaf in enumerate(t.leaf):
        value[leaf[player]] += t.payoff[player, z] * np.prod(
            [play[s] for p, s in enumerate(leaf) if p != player]
        )
    return value


@pytest.mark.parametrize("game", [SMALL[2], *SMALL[4:6]])
def test_what_is_learnt_is_what_regret_matching_plus_learns(game):
    """Of each trigger and of the weights of triggers, for 15 iterations, given what is played."""
    sequences = game_of(game)
    _, t = make_tables(sequences)
    profiles = np.empty((15, len(t.play)))
    learners = [
        Learner(t, j, s) for j in range(len(t.parent)) for s in range(t.first[j], t.first[j + 1])
    ]
    regret, weight = np.zeros(len(t.play)), np.zeros(len(t.play))
    for n in range(15):
        kernels.run_iterations(t, profiles, 1)
        for player in range(sequences.players):
            value = counterfactual(t, player, profiles[n])
            mine = [
                each for each in learners if each.j in range(*t.first_infoset[player : player + 2])
            ]
            gains = {each.s: each.gain(profiles[n], value) for each in mine}
            mean = sum(weight[s] * gain for s, gain in gains.items())
            assert mean == pytest.approx(0.0, abs=1e-12)  # play is a fixed point
            for s, gain in gains.items():
                regret[s] = max(regret[s] + gain - mean, 0.0)
            total = sum(regret[s] for s in gains)
            for s in gains:
                weight[s] = regret[s] / total if total > 0 else 1 / len(gains)
        np.testing.assert_allclose(t.trigger_regret, regret, atol=1e-12)
        np.testing.assert_allclose(t.weight, weight, atol=1e-9)
        for each in learners:
            at = slice(t.offset[each.s], t.offset[each.s] + len(each.own))
            np.testing.assert_allclose(t.regret[at], list(each.regret.values()), atol=1e-12)
            np.testing.assert_allclose(t.behaviour[at], list(each.behaviour.values()), atol=1e-9)


@pytest.mark.parametrize("game", SMALL)
def test_gains_are_bounded_by_the_regrets_of_the_minimisers(game):
    """Of a trigger: the regret for not having deviated there, and those of the infosets after it (Tammelin et al. 2015:
    iterations times their numbers).
    """
    _, t = make_tables(game_of(game))
    kernels.run_iterations(t, np.empty((200, len(t.play))), 200)
    gains = np.zeros(len(t.play))
    kernels.deviation_gains(t, gains)
    for j in range(len(t.parent)):
        for s in range(t.first[j], t.first[j + 1]):
            local = [
                t.regret[
                    t.offset[s] + t.first[i] - t.first[j] : t.offset[s]
                    + t.first[i + 1]
                    - t.first[j]
                ].max()
                for i in range(j, t.end[j])
            ]
            assert gains[s] <= 200 * (t.trigger_regret[s] + sum(local)) + 1e-9


@pytest.mark.thinned(8)
@pytest.mark.parametrize("game", [*SMALL, "leduc(ranks=2)"])
def test_gains_fall_with_the_root_of_iterations_or_faster(game):
    gains = [
        eq.correlated_equilibrium(game, method=eq.TriggerRegrets(count)).largest_gain
        for count in (100, 2500)
    ]
    assert gains[1] <= max(gains[0] / 5, 1e-12)


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    "game",
    [*SMALL[:-1], pytest.param(BATTLESHIP, id="battleship"), pytest.param(SHERIFF, id="sheriff")],
)
def test_the_sum_lies_between_those_of_the_linear_programme(game):
    if isinstance(game, str) and game.startswith("openspiel"):
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    until = 0.02 if game == SHERIFF else 1e-3  # where payoffs are up to 50
    result = eq.correlated_equilibrium(game, method=eq.TriggerRegrets(20_000, until=until))
    assert result.largest_gain <= until
    assert result.stop_reason == "until"
    least, most = (
        sum(eq.correlated_equilibrium(game, objective=objective).value)
        for objective in ("-sum", "sum")
    )
    assert least - 5 * until <= sum(result.value) <= most + 5 * until


def test_a_zero_sum_game_comes_to_its_value():
    result = eq.correlated_equilibrium("kuhn", method=eq.TriggerRegrets(until=2e-3))
    assert result.value[0] == pytest.approx(-1 / 18, abs=0.02)
    assert result.largest_gain <= 2e-3


def test_the_mixture_is_what_is_certified():
    game = eq.load("kuhn(players=3)")
    result = eq.correlated_equilibrium(game, method=eq.TriggerRegrets(40))
    values = [eq.evaluate(game, result.mixture[t]).value for t in range(40)]
    np.testing.assert_allclose(result.mixture.weights @ values, result.value, atol=1e-12)
    assert result.mixture.weights.tolist() == [(t + 1) / 820 for t in range(40)]
    assert sum(play.probability for play in result.outcomes) == pytest.approx(1.0)
    assert result.mixture.profiles.shape == (40, 96)
    drawn = [result.mixture.draw(5).probabilities.tolist() for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] in result.mixture.profiles.tolist()
    assert len({str(result.mixture.draw(seed).probabilities) for seed in range(9)}) > 3


def test_iterations_do_not_depend_on_where_it_is_looked():
    results = []
    for counts in ([30], [1, 2, 27], [10] * 3):
        _, t = make_tables(game_of(signal(2)))
        profiles = np.empty((30, len(t.play)))
        for count in counts:
            kernels.run_iterations(t, profiles, count)
        results.append((profiles.tobytes(), t.gained.tobytes(), t.reached.tobytes()))
    assert results[0] == results[1] == results[2]


def test_what_ends_it():
    row_bytes = 8 * 97
    result = eq.correlated_equilibrium(
        "kuhn(players=3)", method=eq.TriggerRegrets(memory_gb=10.5 * row_bytes / 1e9)
    )
    assert (result.stop_reason, len(result.mixture)) == ("memory", 10)
    assert (
        eq.correlated_equilibrium("kuhn", method=eq.TriggerRegrets(3)).stop_reason == "iterations"
    )

    def interrupt(text):
        if text.startswith("Iteration"):
            raise KeyboardInterrupt

    result = eq.correlated_equilibrium("kuhn", method=eq.TriggerRegrets(), callbacks=interrupt)
    assert (result.stop_reason, len(result.mixture)) == ("interrupt", 1)
    assert result.largest_gain > 0.1


def test_where_nobody_decides_nothing_is_gained():
    class Nobody(Three):
        movers = ()

        def __init__(self):
            self.table = {(): [1.0, 2.0, 3.0]}

    result = eq.correlated_equilibrium(Nobody(), method=eq.TriggerRegrets(3))
    assert (result.value, result.deviations, result.largest_gain) == ((1.0, 2.0, 3.0), (), 0.0)


def test_it_is_said_in_words_and_as_plain_data():
    result = eq.correlated_equilibrium("kuhn", method=eq.TriggerRegrets(until=0.05))
    assert result.guarantee.startswith("An extensive-form correlated equilibrium up to 0.0")
    assert result.summary()["iterations"] == len(result.mixture)
    assert "mixture" not in result.summary()
    assert repr(result.mixture).startswith(
        f"<Mixture of {len(result.mixture)} profiles of 12 infosets"
    )
    assert "no deviation gains" in eq.correlated_equilibrium(CHICKEN).guarantee


def test_what_makes_no_sense_is_refused():
    method = eq.TriggerRegrets()
    for kind in ("ce", "nfcce"):
        with pytest.raises(eq.AlgorithmError, match=f"approaches an 'efce'.*got kind='{kind}'"):
            eq.correlated_equilibrium("kuhn", kind, method=method)
    with pytest.raises(eq.AlgorithmError, match="objective='sum' would do nothing"):
        eq.correlated_equilibrium("kuhn", objective="sum", method=method)
    for settings in ({"iterations": 0}, {"until": 0}, {"until": "1%"}, {"memory_gb": -1}):
        with pytest.raises(eq.AlgorithmError, match="must be"):
            eq.TriggerRegrets(**settings)
    for other in (eq.TriggerRegrets, "trigger regrets"):
        with pytest.raises(eq.AlgorithmError, match=r"method must be eq\.TriggerRegrets\(\.\.\.\)"):
            eq.correlated_equilibrium("kuhn", method=other)
    with pytest.raises(eq.EquilibristError, match=r"efce by method=eq\.TriggerRegrets"):
        eq.correlated_equilibrium("leduc")


def test_the_command():
    result = CliRunner().invoke(make_app(), ["correlated", "leduc", "--until", "0.1"])
    assert result.exit_code == 0
    assert "approached in" in result.output
    assert "… and 652 more deviations; --json has all." in result.output
