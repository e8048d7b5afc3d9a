"""Agents of other libraries: what they answer is what is certified."""

import random

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.games.rlcard_leduc import ACTIONS, RANKS, RLCardLeduc


def skewed_row(observation, legal):
    """Return probabilities of the legal columns that follow from what is observed, other ones at each infoset."""
    weights = legal * (1 + np.flatnonzero(observation).sum() * np.arange(1, len(legal) + 1) % 7)
    return weights / weights.sum()


def skewed(decisions):
    rows = zip(decisions.observations, decisions.legal, strict=True)
    return np.array([skewed_row(observation, legal) for observation, legal in rows])


@pytest.fixture(scope="module")
def judged():
    return eq.evaluate("rlcard_leduc", skewed)


class ByName:
    """As agents of RLCard are: what they are given has these keys, and they answer by the names of actions."""

    use_raw = False

    def eval_step(self, state):
        assert state["obs"].dtype == np.float64
        legal = np.isin(np.arange(4), list(state["legal_actions"]))
        probabilities = skewed_row(state["obs"], legal)
        names = zip(state["raw_legal_actions"], state["legal_actions"], strict=True)
        return 0, {"probs": {name: float(probabilities[column]) for name, column in names}}


class OfPettingZoo:
    """As RLCard's agents for PettingZoo are: they are given an observation and a mask, and answer by columns."""

    def eval_step(self, state):
        assert state["observation"].dtype == np.float32
        assert state["action_mask"].dtype == np.int8
        probabilities = skewed_row(state["observation"], state["action_mask"])
        columns = np.flatnonzero(state["action_mask"])
        return 0, {"probs": {int(column): float(probabilities[column]) for column in columns}}


def of_nashbench(observations, legal):
    return np.array([skewed_row(*row) for row in zip(observations, legal, strict=True)])


def partly(player):
    """Return a policy that is asked about one player's decisions alone."""

    def ask(decisions):
        assert set(decisions.player.tolist()) == {player}
        return skewed(decisions)

    return ask


@pytest.mark.parametrize(
    "agent",
    [ByName(), OfPettingZoo(), of_nashbench, [partly(0), partly(1)], (ByName(), of_nashbench)],
    ids=["RLCard", "PettingZoo", "nashbench", "players", "two libraries"],
)
def test_an_agent_is_worth_what_its_probabilities_are(agent, judged):
    assert eq.evaluate("rlcard_leduc", agent).nash_conv == pytest.approx(judged.nash_conv, abs=1e-6)


class Raiser:
    """Raises where it may and calls, as a column or, where it is asked raw, by name; it tells no probabilities."""

    def __init__(self, use_raw):
        self.use_raw = use_raw

    def eval_step(self, state):
        name = next(
            name for name in ("raise", "call", "check") if name in state["raw_legal_actions"]
        )
        if self.use_raw:
            assert state["raw_obs"]["legal_actions"] == state["raw_legal_actions"]
            assert (state["raw_obs"]["public_card"] is None) == (state["obs"][3:6].sum() == 0)
            return name, []
        return np.int64(ACTIONS.index(name)), {"values": {}}


@pytest.mark.slow
def test_an_agent_that_names_an_action_plays_it():
    """Two such agents raise to 6 before the public card and to 14 after it, so that the better hand wins 7 blinds."""
    results = [eq.evaluate("rlcard_leduc", Raiser(use_raw)) for use_raw in (False, True)]
    assert results[0].nash_conv == results[1].nash_conv > 1
    assert results[0].value == pytest.approx((0, 0), abs=1e-12)


def test_an_agent_that_draws_its_action_is_refused():
    class Drawing:
        def __init__(self):
            self.turn = 0

        def eval_step(self, state):
            self.turn += 1
            actions = list(state["legal_actions"])
            return actions[self.turn % len(actions)], {}

    with pytest.raises(eq.SolutionError, match=r"Drawing tells no probabilities .*asked again"):
        eq.evaluate("rlcard_leduc", Drawing())


class Answers:
    """Answers what it is made with, whatever it is asked."""

    def __init__(self, answer):
        self.answer = answer

    def eval_step(self, state):
        return self.answer


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        (Answers(2), "eval_step of Answers returns an action and a dictionary of .* got 2"),
        (Answers((0, {}, 1)), r"eval_step of Answers returns .* got \(0, \{\}, 1\)"),
        (Answers(([0], {})), "eval_step of Answers returns an action"),
        (Answers((9, {})), r"The action of eval_step of Answers .* not legal: \{9: 1.0\}"),
        (Answers((0, {"probs": [1.0]})), r"info\['probs'\] of Answers is .* got \[1.0\]"),
        (Answers((0, {"probs": {"raise": "often"}})), "with numbers; got 'often'"),
        (Answers((0, {"probs": {"bet": 1.0}})), "an action that is not legal: {'bet': 1.0}"),
        ([Answers((0, {"probs": {}})), skewed], "no probability of each legal action"),
        (lambda decisions: "call", "an array of probabilities, .* got 'call'"),
        (lambda decisions: [[0.5], [0.5, 0.5]], "an array of probabilities, a row"),
        ([skewed, lambda decisions: np.ones(3)], r"shape \(\d+, 4\), .* got shape \(3,\)"),
    ],
    ids=[
        "action alone",
        "three",
        "list",
        "illegal",
        "list of probabilities",
        "text",
        "unknown",
        "empty",
        "word",
        "ragged",
        "shape of a player",
    ],
)
def test_an_answer_that_is_none_is_refused_by_a_sentence(agent, sentence):
    with pytest.raises(eq.SolutionError, match=sentence) as refused:
        eq.evaluate("rlcard_leduc", agent)
    assert "failed with" not in str(refused.value)


def test_actions_that_are_never_played_may_have_any_name(judged):
    class WithZeros(ByName):
        def eval_step(self, state):
            action, info = super().eval_step(state)
            return action, {"probs": info["probs"] | {"all-in": 0.0}}

    given = eq.evaluate("rlcard_leduc", WithZeros()).nash_conv
    assert given == pytest.approx(judged.nash_conv, abs=1e-6)


def test_what_cannot_be_asked():
    with pytest.raises(eq.SolutionError, match="one for each player: 2 in this game; got 1"):
        eq.evaluate("kuhn", [skewed])
    with pytest.raises(eq.SolutionError, match="does not tell its infosets as numbers"):
        eq.evaluate("kuhn", of_nashbench)
    with pytest.raises(eq.SolutionError, match="A strategy is a Strategy"):
        eq.evaluate("kuhn", [])


def test_a_function_with_a_default_is_given_decisions():
    def careful(decisions, share=0.5):
        return np.where(decisions.legal, share, 0)

    assert eq.evaluate("kuhn", careful).nash_conv == pytest.approx(11 / 12)


# The rules of RLCard's Leduc


def play(small_blind, hands, *actions):
    """Return the state after a deal and actions by name; a rank in capitals is the public card."""
    game = RLCardLeduc()
    state = game.next(game.start(), small_blind)
    for rank in hands:
        state = game.next(state, RANKS.index(rank))
    for action in actions:
        if action in RANKS:
            state = game.next(state, RANKS.index(action))
        else:
            state = game.next(state, ACTIONS.index(action))
    return game, state


@pytest.mark.parametrize(
    ("small_blind", "hands", "actions", "payoffs"),
    [
        (0, "JK", ["fold"], [-0.5, 0.5]),
        (1, "JK", ["call", "fold"], [-1, 1]),
        (0, "KJ", ["raise", "raise", "call", "J", "check", "check"], [-3, 3]),
        (0, "KJ", ["raise", "call", "Q", "raise", "raise", "call"], [6, -6]),
        (0, "KJ", ["call", "check", "Q", "raise", "fold"], [1, -1]),
        (1, "QQ", ["call", "check", "K", "check", "check"], [0, 0]),
    ],
)
def test_payoffs_by_hand(small_blind, hands, actions, payoffs):
    game, state = play(small_blind, hands, *actions)
    assert game.player(state) == eq.TERMINAL
    assert game.payoffs(state) == payoffs


def test_who_follows_the_last_to_act_begins_the_second_round():
    game, state = play(0, "JK", "raise", "call", "Q")
    assert (game.player(state), game.infoset(state)) == (0, "small J rc|Q")
    game, state = play(0, "JK", "call", "raise", "call", "Q")
    assert (game.player(state), game.infoset(state)) == (1, "big K crc|Q")


@pytest.mark.slow
def test_the_game_is_fair():
    assert eq.exact("rlcard_leduc").value == pytest.approx((0, 0), abs=1e-9)


def test_rlcard_plays_by_the_same_rules():
    rlcard = pytest.importorskip("rlcard", reason="needs RLCard, of the extra 'test'")
    environment = rlcard.make("leduc-holdem", {"seed": 3, "allow_step_back": False})
    game = RLCardLeduc()
    source = random.Random(1)
    for _ in range(500):
        theirs, player = environment.reset()
        players = environment.game.players
        hands = [member.hand.rank for member in players]
        small_blind = [member.in_chips for member in players].index(1)
        state = play(small_blind, hands)[1]
        while not environment.is_over():
            assert game.player(state) == player
            assert game.actions(state) == sorted(theirs["legal_actions"])
            assert game.observation(state) == theirs["obs"].tolist()
            raw = game.raw_observation(state)
            for key in ("all_chips", "my_chips", "current_player"):
                assert raw[key] == theirs["raw_obs"][key]
            action = source.choice(game.actions(state))
            state = game.next(state, action)
            theirs, player = environment.step(action)
            if game.player(state) == eq.CHANCE:
                state = game.next(state, RANKS.index(environment.game.public_card.rank))
        assert game.player(state) == eq.TERMINAL
        assert game.payoffs(state) == environment.get_payoffs().tolist()


@pytest.mark.slow
def test_rlcard_pays_its_agents_what_we_say():
    pytest.importorskip("rlcard", reason="needs RLCard, of the extra 'test'")
    import rlcard
    from rlcard.models import leducholdem_rule_models as models

    agents = [models.LeducHoldemRuleAgentV1(), models.LeducHoldemRuleAgentV2()]
    value = eq.evaluate("rlcard_leduc", agents).value[0]
    environment = rlcard.make("leduc-holdem", {"seed": 3})
    environment.set_agents(agents)
    paid = np.array([environment.run()[1][0] for _ in range(3_000)])
    assert abs(paid.mean() - value) < 5 * paid.std() / np.sqrt(len(paid))
