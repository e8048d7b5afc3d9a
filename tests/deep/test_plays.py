"""Plays side by side: their estimates against a recursion over the rules, by enumeration of all draws; no PyTorch."""

from collections import defaultdict

import numpy as np
import pytest

from equilibrist.deep.plays import back_up_branches, back_up_plays, draw_columns, sample_plays
from equilibrist.deep.vector_game import VectorGame
from equilibrist.errors import GameError
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.games.load import load

EXPLORATION = 0.4


@pytest.fixture(scope="module")
def kuhn():
    return VectorGame("kuhn")


def observed(rules, state):
    """Return what the player to move observes, as integers, with zeros behind."""
    out = [0] * rules.max_observation
    rules.rules.observe(rules.parameters, state, out)
    return tuple(out)


def random_table():
    """Return what Kuhn's players do at each infoset: (player, observation) → probabilities."""
    random = np.random.default_rng(5)
    table = defaultdict(lambda: random.dirichlet([1.0, 1.0]))
    for player, observation in sorted(all_infosets()):
        table[player, observation] = random.dirichlet([1.0, 1.0])
    return table


def all_infosets():
    rules = load("kuhn")
    found = set()

    def visit(state):
        mover = rules.player(state)
        if mover == TERMINAL:
            return
        if mover != CHANCE:
            found.add((mover, observed(rules, state)))
        for action in rules.actions(state):
            visit(rules.next(state, action))

    visit(rules.start())
    return found


def strategies_of(table):
    def strategies(player, observation, legal):
        return np.array([table[player, tuple(row)] for row in observation.tolist()])

    return strategies


def value(rules, state, table, player):
    """Return what a player earns from a state on."""
    mover = rules.player(state)
    if mover == TERMINAL:
        return rules.payoffs(state)[player]
    actions = rules.actions(state)
    if mover == CHANCE:
        shares = rules.probabilities(state)
    else:
        shares = table[mover, observed(rules, state)]
    return sum(
        share * value(rules, rules.next(state, action), table, player)
        for share, action in zip(shares, actions, strict=True)
    )


def regrets(table, player):
    """Return the counterfactual regret of each action at each infoset of a player."""
    rules = load("kuhn")
    sums = defaultdict(lambda: np.zeros(2))

    def visit(state, reach):
        mover = rules.player(state)
        if mover == TERMINAL:
            return
        actions = rules.actions(state)
        after = [rules.next(state, action) for action in actions]
        if mover == CHANCE:
            shares = rules.probabilities(state)
        elif mover == player:
            shares = np.ones(2)
            action_values = np.array([value(rules, s, table, player) for s in after])
            advantage = action_values - table[mover, observed(rules, state)] @ action_values
            sums[observed(rules, state)] += reach * advantage
        else:
            shares = table[mover, observed(rules, state)]
        for share, state_after in zip(shares, after, strict=True):
            visit(state_after, reach * share)

    visit(rules.start(), 1.0)
    return sums


def enumerate_plays(table, traverser):
    """Return all plays in which the traverser explores: the numbers that draw each, and its probability."""
    rules = load("kuhn")
    numbers = []
    probabilities = []

    def visit(state, drawn, probability):
        mover = rules.player(state)
        if mover == TERMINAL:
            numbers.append(drawn)
            probabilities.append(probability)
            return
        if mover == CHANCE:
            shares = np.array(rules.probabilities(state))
        else:
            shares = table[mover, observed(rules, state)]
            if mover == traverser:
                shares = (1 - EXPLORATION) * shares + EXPLORATION / 2
        middles = np.cumsum(shares) - shares / 2
        for share, middle, action in zip(shares, middles, rules.actions(state), strict=True):
            visit(rules.next(state, action), [*drawn, middle], probability * share)

    visit(rules.start(), [], 1.0)
    longest = max(map(len, numbers))
    padded = [drawn + [0.0] * (longest + 1 - len(drawn)) for drawn in numbers]
    return np.array(padded), np.array(probabilities)


@pytest.mark.parametrize("traverser", [0, 1])
def test_baselines_leave_the_regrets_of_all_plays_as_they_are(kuhn, traverser):
    """The mean over all plays, by their probability, is the regret, whatever the baselines guess."""
    table = random_table()
    numbers, probability = enumerate_plays(table, traverser)
    assert probability.sum() == pytest.approx(1.0)
    steps = sample_plays(
        kuhn,
        len(numbers),
        strategies_of(table),
        lambda depth, play: numbers[play, depth],
        traverser=traverser,
        exploration=EXPLORATION,
    )
    expected = regrets(table, traverser)
    random = np.random.default_rng(1)
    by_state = defaultdict(lambda: random.normal(size=2))
    guesses = [
        np.array([by_state[tuple(state)] for state in step.level.states.tolist()]) for step in steps
    ]
    spreads = []
    for scale in (0.0, 1.0, 20.0):
        values, action_values = back_up_plays(
            steps, traverser, [scale * guess for guess in guesses]
        )
        mean = defaultdict(lambda: np.zeros(2))
        squares = 0.0
        for depth, step in enumerate(steps):
            for i in np.flatnonzero(step.level.mover == traverser):
                advantage = action_values[depth][i] - values[depth][i]
                share = probability[step.play[i]] / step.sampled_reach[i]
                mean[tuple(step.level.observation[i].tolist())] += share * advantage
                squares += share * float(advantage @ advantage)
        spreads.append(squares)
        assert set(mean) == set(expected)
        for infoset, regret in expected.items():
            np.testing.assert_allclose(mean[infoset], regret, atol=1e-12)
    assert spreads[2] > 2 * spreads[0]  # the guesses do matter to a single play


def test_the_right_baselines_take_all_variance_out(kuhn):
    """With the true values of actions, each play says what the history is worth."""
    table = random_table()
    rules = load("kuhn")
    random = np.random.default_rng(2)
    steps = sample_plays(
        kuhn,
        50,
        strategies_of(table),
        lambda depth, play: random.random(len(play)),
        traverser=0,
        exploration=EXPLORATION,
    )
    baselines = []
    for step in steps:
        rows = []
        for state, mover in zip(step.level.states.tolist(), step.level.mover, strict=True):
            row = [0.0, 0.0]
            if mover >= 0:
                after = [rules.next(tuple(state), action) for action in (0, 1)]
                row = [value(rules, s, table, 0) for s in after]
            rows.append(row)
        baselines.append(np.array(rows))
    values, _ = back_up_plays(steps, 0, baselines)
    for step, found in zip(steps, values, strict=True):
        decides = step.level.mover >= 0
        exact = [value(rules, tuple(s), table, 0) for s in step.level.states[decides].tolist()]
        np.testing.assert_allclose(found[decides], exact, atol=1e-12)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("traverser", [0, 1])
def test_branches_average_to_the_regrets(kuhn, traverser):
    """External sampling: 40,000 traversals of a fixed seed, up to five standard errors."""
    table = random_table()
    random = np.random.default_rng(3)
    count = 40_000
    steps = sample_plays(
        kuhn,
        count,
        strategies_of(table),
        lambda depth, play: random.random(len(play)),
        traverser=traverser,
        exploration=None,
    )
    advantages = back_up_branches(steps, traverser)
    samples = defaultdict(lambda: np.zeros((count, 2)))
    for step, advantage in zip(steps, advantages, strict=True):
        for i in np.flatnonzero(step.level.mover == traverser):
            samples[tuple(step.level.observation[i].tolist())][step.play[i]] += advantage[i]
    for infoset, regret in regrets(table, traverser).items():
        error = samples[infoset].std(axis=0) / np.sqrt(count)
        np.testing.assert_array_less(
            np.abs(samples[infoset].mean(axis=0) - regret), 5 * error + 1e-9
        )


def test_columns_are_drawn_by_their_shares():
    shares = np.array([[0.2, 0.0, 0.8]] * 4)
    assert draw_columns(shares, np.array([0.0, 0.199, 0.2, 0.999])).tolist() == [0, 0, 2, 2]


def test_features_of_infosets_tell_all_of_them_apart():
    for name in ("kuhn", "leduc", "liars_dice(faces=3)", "dark_hex(size=2)", "goofspiel(cards=3)"):
        game = VectorGame(name)
        infosets = game.rules
        from equilibrist.form.walk.build import compile_walk

        states = compile_walk(infosets).infosets().states_of(infosets)
        level = game.observe(np.ascontiguousarray(states, np.int64))
        for player in (0, 1):
            observations = level.observation[level.mover == player]
            features = game.features(player, observations)
            assert len(np.unique(features, axis=0)) == len(observations)


def test_rules_in_python_are_refused_in_one_sentence():
    with pytest.raises(GameError, match="Networks learn games whose rules compile"):
        VectorGame("matching_pennies")
