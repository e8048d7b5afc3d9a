"""Policies that are asked: what they answer is what is certified, and OpenSpiel judges its own policies alike."""

import numpy as np
import pytest

import equilibrist as eq
from support.random_games import RandomGame


def uniform(decisions):
    return decisions.legal / decisions.legal.sum(axis=1, keepdims=True)


def shares(key, count):
    """Return probabilities of so many actions that follow from the name of an infoset."""
    weights = [1 + sum(key.encode()) * (i + 1) % 7 for i in range(count)]
    return np.array(weights) / sum(weights)


def skewed(decisions):
    """Play by numbers that follow from names alone, other ones at each infoset."""
    table = np.zeros(decisions.legal.shape)
    for row, key, columns in zip(table, decisions.infosets, decisions.columns, strict=True):
        row[list(columns)] = shares(key, len(columns))
    return table


def as_dict(decisions):
    """Return what :func:`skewed` answers, as a dict."""
    rows = zip(
        decisions.player,
        decisions.infosets,
        decisions.actions,
        decisions.columns,
        skewed(decisions),
        strict=True,
    )
    return {
        (int(player), key): dict(zip(names, row[list(columns)], strict=True))
        for player, key, names, columns, row in rows
    }


@pytest.mark.thinned(5)
@pytest.mark.parametrize(
    "game",
    ["kuhn", "leduc", "liars_dice(faces=3)", "no_limit_leduc(stack=5)", RandomGame(3)],
    ids=str,
)
def test_a_policy_is_worth_what_its_table_is(game, monkeypatch):
    """Batches of seven, whatever the shape of the game; states are states of the infosets that are asked about."""
    monkeypatch.setattr("equilibrist.evaluation.policies.BATCH", 7)
    rules, table = eq.load(game), {}

    def ask(decisions):
        assert 0 < len(decisions) <= 7
        table.update(as_dict(decisions))
        if hasattr(rules, "infoset"):
            assert [str(rules.infoset(state)) for state in decisions.states] == list(
                decisions.infosets
            )
        return skewed(decisions).astype(np.float32)

    asked = eq.evaluate(game, ask)
    assert asked.nash_conv == pytest.approx(eq.evaluate(game, table).nash_conv, abs=1e-6)
    assert asked.infosets == len(table)


@pytest.mark.parametrize("game", ["kuhn", "dark_hex(size=2)"])
def test_a_walk_asks_about_every_infoset(game, monkeypatch):
    monkeypatch.setattr("equilibrist.evaluation.policies.BATCH", 7)
    table = {}

    def ask(decisions):
        table.update(as_dict(decisions))
        assert [rules.infoset(state) for state in decisions.states] == list(decisions.infosets)
        return skewed(decisions)

    rules = eq.load(game)
    by_walk, compiled = eq.evaluate(game, ask, form="walk"), eq.evaluate(game, ask)
    assert by_walk.best_response_value == pytest.approx(compiled.best_response_value, abs=1e-12)
    assert by_walk.infosets == compiled.infosets == len(table)


class Skewed:
    """The policy ``skewed``, which answers for states as integers as well, ``noise`` away from it."""

    def __init__(self, rules, noise=0.0):
        self.rules = rules
        self.noise = noise
        self.asked = []

    def __call__(self, decisions):
        return skewed(decisions)

    def at_states(self, game, states):
        assert game == str(self.rules)
        self.asked.append(len(states))
        answers = [
            shares(self.rules.infoset(state), len(self.rules.actions(state)))
            for state in map(tuple, states.tolist())
        ]
        return np.concatenate(answers) + self.noise


@pytest.mark.parametrize("game", ["kuhn", "dark_hex(size=2)"])
def test_a_policy_answers_for_states_as_integers(game, monkeypatch):
    monkeypatch.setattr("equilibrist.evaluation.policies.STATE_BATCH", 7)
    rules = eq.load(game)
    policy = Skewed(rules)
    by_states = eq.evaluate(rules, policy, form="walk")
    by_decisions = eq.evaluate(rules, skewed, form="walk")
    assert by_states.best_response_value == pytest.approx(
        by_decisions.best_response_value, abs=1e-12
    )
    assert by_states.value == pytest.approx(by_decisions.value, abs=1e-12)
    assert max(policy.asked) <= 7
    assert sum(policy.asked) == by_states.infosets


def test_answers_for_states_are_checked():
    rules = eq.load("kuhn")
    with pytest.raises(eq.SolutionError, match=r"at '.*' is no probability of each legal action"):
        eq.evaluate(rules, Skewed(rules, noise=0.1), form="walk")
    policy = Skewed(rules)
    policy.at_states = lambda game, states: np.ones(3)
    with pytest.raises(eq.SolutionError, match=r"shape \(3,\) for 24 actions of 12 infosets"):
        eq.evaluate(rules, policy, form="walk")
    policy.at_states = lambda game, states: states["no such column"]
    failed = r"The policy failed with IndexError: .* \(asked about 12 infosets of kuhn\)"
    with pytest.raises(eq.SolutionError, match=failed):
        eq.evaluate(rules, policy, form="walk")


def test_dark_hex_is_told_in_numbers():
    """Attempts in order, one-hot, and whether they failed; a column for each cell."""
    seen = {}

    def ask(decisions):
        seen.update(
            zip(
                zip(decisions.player, decisions.infosets, strict=True),
                decisions.observations,
                strict=True,
            )
        )
        return decisions.legal / decisions.legal.sum(axis=1, keepdims=True)

    eq.evaluate("dark_hex(size=2)", ask, form="walk")
    assert seen[1, "b1 (a1)"].reshape(4, 5).tolist() == [
        [0, 1, 0, 0, 0],
        [1, 0, 0, 0, 1],
        [0] * 5,
        [0] * 5,
    ]
    assert len({row.tobytes() for (player, _), row in seen.items() if player == 0}) == sum(
        p == 0 for p, _ in seen
    )


def test_a_walk_asks_nothing_about_rules_in_python():
    with pytest.raises(
        eq.GameError, match="matching_pennies are in Python, of which a walk asks no policy"
    ):
        eq.evaluate("matching_pennies", skewed, form="walk")


class Told:
    """Kuhn poker that tells its infosets as numbers."""

    def __init__(self):
        self.rules = eq.load("kuhn")

    def __getattr__(self, name):
        return getattr(self.rules, name)

    def __str__(self):
        return "told"

    def observation(self, state):
        infoset = self.rules.infoset(state)
        return ["JQK".index(infoset[0]), len(infoset)]


def test_observations_are_those_of_the_rules():
    def king_bets(decisions):
        assert decisions.observations.dtype == np.float32
        king = decisions.observations[:, 0] == 2
        return np.column_stack([~king, king])

    expected = {
        infoset: {"bet" if infoset[0] == "K" else "pass": 1.0}
        for _, infoset, _ in eq.compile_game(eq.load("kuhn")).infosets
    }
    assert eq.evaluate(Told(), king_bets).nash_conv == pytest.approx(
        eq.evaluate("kuhn", expected).nash_conv
    )


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "name", ["leduc_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=2)"]
)
def test_openspiel_judges_its_policies_alike(name):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    rules = pyspiel.load_game(name)
    for first in (policy.FirstActionPolicy(rules), pyspiel.UniformRandomPolicy(rules)):
        ours = eq.evaluate(f"openspiel:{name}", first)
        if isinstance(first, policy.Policy):
            assert ours.nash_conv == pytest.approx(exploitability.nash_conv(rules, first))
        else:
            assert ours.nash_conv == pytest.approx(
                eq.evaluate(f"openspiel:{name}", {}, missing="uniform").nash_conv
            )


def test_tensors_of_openspiel_tell_infosets_apart():
    pytest.importorskip("pyspiel")

    def ask(decisions):
        assert len(np.unique(decisions.observations, axis=0)) == len(decisions)
        assert decisions.legal.shape == (936, 3)
        return uniform(decisions)

    assert eq.evaluate("openspiel:leduc_poker", ask).nash_conv == pytest.approx(4.7472222)


def with_gradient(decisions):
    """Return what PyTorch does for an array that is still part of a computation."""

    class Tensor:
        def detach(self):
            return self

        def cpu(self):
            return uniform(decisions)

    return Tensor()


def test_tensors_that_carry_gradients_are_taken():
    assert eq.evaluate("kuhn", with_gradient).nash_conv == pytest.approx(11 / 12)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda decisions: decisions.legal, r"player 0 at 'J' .*\{'pass': 1.0, 'bet': 1.0\}"),
        (lambda decisions: uniform(decisions) * 0.99, r"'pass': 0.495"),
        (lambda decisions: uniform(decisions) * np.nan, r"'pass': nan"),
        (lambda decisions: np.tile([1.5, -0.5], (12, 1)), r"'bet': -0.5"),
        (lambda decisions: decisions.legal[:, :1], r"shape \(12, 2\).* got shape \(12, 1\)"),
        (lambda decisions: None, r"got shape \(\)"),
        (
            lambda decisions: 1 / 0,
            "failed with ZeroDivisionError: division by zero .*12 infosets of kuhn",
        ),
        (lambda decisions: decisions.observations, "observation\\(state\\)"),
    ],
)
def test_answers_that_are_no_probabilities_are_refused(policy, sentence):
    with pytest.raises(eq.SolutionError, match=sentence):
        eq.evaluate("kuhn", policy)


def test_probabilities_of_actions_that_are_not_legal_are_refused():
    def everything(decisions):
        return np.full(decisions.legal.shape, 1 / decisions.legal.shape[1])

    with pytest.raises(eq.SolutionError, match=r"0\.333333 for actions that are not legal"):
        eq.evaluate("leduc", everything)


def test_what_cannot_be_asked_is_refused():
    class Asked:
        def action_probabilities(self, state):
            return {0: 1.0}

    with pytest.raises(eq.SolutionError, match=r"plays games of OpenSpiel.*got kuhn"):
        eq.evaluate("kuhn", Asked())
    with pytest.raises(eq.GameError, match="give the game itself"):
        eq.evaluate(eq.compile_game(eq.load("kuhn")), uniform)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ([0.5, 0.5], r"action_probabilities of Answers is .* got \[0.5, 0.5\]"),
        ({9: 1.0}, r"an action that is not legal: \{9: 1.0\}, where \[0, 1\] are"),
        ({0: None}, "with numbers; got None"),
    ],
)
def test_a_policy_of_openspiel_answers_by_legal_actions(answer, sentence):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[openspiel]'")

    class Answers:
        def action_probabilities(self, state):
            return answer

    with pytest.raises(eq.SolutionError, match=sentence) as refused:
        eq.evaluate("openspiel:kuhn_poker", Answers())
    assert "failed with" not in str(refused.value)


def test_what_was_answered_is_a_strategy(tmp_path):
    strategy = eq.strategy_from_policy("leduc", skewed)
    strategy.write_csv(tmp_path / "agent.csv")
    assert (
        eq.evaluate("leduc", tmp_path / "agent.csv").nash_conv
        == eq.evaluate("leduc", skewed).nash_conv
    )
