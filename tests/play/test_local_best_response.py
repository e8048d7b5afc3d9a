"""Local best responses: as compiled arrays have them, below the best response, and in hands that are drawn."""

import json

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.games.compile import compile_any
from equilibrist.mccfr.solver import MonteCarloCFR
from support.command import call
from support.random_games import RandomGame, random_strategy

CALLS = ("call", "check", "c", "x", "pass")


def passive(form, strategy):
    """Return probabilities of infosets with a call or a check that is always taken."""
    probabilities, first = strategy[form.slot].copy(), form.first_action
    for number, infoset in enumerate(form.infosets):
        names = [name.casefold() for name in infoset.actions]
        call = next((word for word in CALLS if word in names), None)
        if call is not None:
            probabilities[first[number] : first[number + 1]] = [
                float(name == call) for name in names
            ]
    return form.to_slots(probabilities)


def on_arrays(form, strategy, player, *, rest):
    """Return what a local best response earns, from counterfactual values of a compiled game."""
    after = form.with_player(
        strategy, passive(form, strategy) if rest == "call" else strategy, player
    )
    values, chosen = ActionValues(form, after).cf_values, strategy[form.slot].copy()
    for number, infoset in enumerate(form.infosets):
        if infoset.player == player:
            row = slice(form.first_action[number], form.first_action[number + 1])
            least = values[row].max() - 1e-9 * abs(values[row]).max()
            chosen[row] = np.arange(len(values[row])) == np.argmax(values[row] >= least)
    return form.values(form.with_player(strategy, form.to_slots(chosen), player)).value[player]


GAMES = [
    "kuhn",
    "kuhn(cards=4, players=3)",
    "leduc",
    "liars_dice(faces=2)",
    "goofspiel(cards=3)",
    *(RandomGame(seed, zero_sum=False, ties=False) for seed in range(4)),
]


@pytest.mark.parametrize("rest", ["call", "strategy"])
@pytest.mark.parametrize("spec", GAMES, ids=str)
def test_all_hands_enumerated(spec, rest):
    """Exactly what the compiled arrays say, and no more than the best response earns."""
    game = eq.load(spec)
    form = compile_any(game, keep_tree=True)
    strategy = eq.Strategy.from_dict(random_strategy(form.infosets, 3))
    judged = eq.evaluate(game, strategy)
    bound = eq.local_best_response(game, strategy, hands=None, rest=rest)
    for player, gain in bound.gains.items():
        assert gain.value == pytest.approx(
            on_arrays(form, strategy.at_slots(form), player, rest=rest), abs=1e-10
        )
        assert gain.gain == pytest.approx(gain.value - judged.value[player], abs=1e-10)
        assert gain.value <= judged.best_response_value[player] + 1e-10
        assert gain.gain >= -1e-10 or rest == "call"
    assert bound.exploitability <= judged.exploitability + 1e-10
    assert (bound.hands, bound.seed, bound.standard_error, bound.lacking) == (None, None, 0, 0)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", ["kuhn", "leduc", "openspiel:leduc_poker"])
def test_it_is_no_best_response_but_finds_much(spec):
    if spec.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    bound, exact = (
        eq.local_best_response(spec, {}, hands=None),
        eq.evaluate(spec, {}, missing="uniform"),
    )
    assert exact.exploitability / 2 < bound.exploitability <= exact.exploitability + 1e-12
    assert (bound.exploitability < exact.exploitability - 1e-3) == (
        spec != "kuhn"
    )  # where it is a best response
    assert bound.lacking == exact.infosets
    solved = eq.local_best_response(spec, eq.solve(spec, until=1e-4), hands=None)
    assert solved.exploitability <= 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"rollouts": 40}, {"rest": "strategy"}])
def test_hands_that_are_drawn(options):
    strategy = random_strategy(eq.compile_game(eq.load("leduc")).infosets, 3)
    exact = eq.local_best_response("leduc", strategy, hands=None, seed=1, **options)
    drawn = eq.local_best_response("leduc", strategy, hands=4_000, seed=1, **options)
    for player, gain in drawn.gains.items():
        assert abs(gain.gain - exact.gains[player].gain) < 4 * gain.gain_error
        assert abs(gain.value - exact.gains[player].value) < 4 * gain.value_error
    assert abs(drawn.exploitability - exact.exploitability) < 4 * drawn.standard_error
    assert drawn == eq.local_best_response("leduc", strategy, hands=4_000, seed=1, **options)


def test_drawn_continuations_follow_the_histories_as_often_as_they_come():
    """Bet at by kings alone, a queen folds; if all histories came equally often, it would call."""
    bets = {"J": {"bet": 0.05, "pass": 0.95}, "K": {"bet": 0.9, "pass": 0.1}}
    passes = {"Jp": {"bet": 0.05, "pass": 0.95}, "Kp": {"bet": 0.9, "pass": 0.1}}
    strategy = bets | passes
    exact = eq.local_best_response("kuhn", strategy, hands=None)
    drawn = eq.local_best_response("kuhn", strategy, hands=None, rollouts=300, seed=1)
    for player in range(2):
        assert drawn.gains[player].value == pytest.approx(exact.gains[player].value, abs=1e-12)
        assert drawn.gains[player].gain == pytest.approx(exact.gains[player].gain, abs=1e-12)


@pytest.mark.slow
def test_the_standard_error_is_the_spread_over_seeds():
    strategy = random_strategy(eq.compile_game(eq.load("kuhn")).infosets, 3)
    bounds = [eq.local_best_response("kuhn", strategy, hands=40, seed=seed) for seed in range(100)]
    spread = np.std([bound.exploitability for bound in bounds], ddof=1)
    told = np.sqrt(np.mean([bound.standard_error**2 for bound in bounds]))
    assert told == pytest.approx(spread, rel=0.3)  # 4 standard errors of a spread of 100 numbers
    of_one = [bound.gains[1] for bound in bounds]
    spread = np.std([gain.gain for gain in of_one], ddof=1)
    assert np.sqrt(np.mean([gain.gain_error**2 for gain in of_one])) == pytest.approx(
        spread, rel=0.3
    )


@pytest.mark.slow
def test_runs_functions_and_policies(tmp_path):
    """What has no compiled game: a run that was sampled without a tree, a function, and a policy of OpenSpiel."""
    run = eq.solve(
        "leduc",
        "cfr",
        sampling="external(tree=False)",
        iterations=300,
        seed=1,
        save=tmp_path / "run",
    )
    bound = eq.local_best_response(tmp_path / "run", hands=None)
    assert (
        0
        < bound.exploitability
        <= eq.evaluate("leduc", run.strategy, missing="uniform").exploitability
    )
    assert bound == eq.local_best_response(run, hands=None)
    asked = eq.local_best_response(
        "leduc", lambda *at: run.strategy.probabilities_at(at[:2], at[2], ""), hands=None, player=1
    )
    assert asked.gains[1] == bound.gains[1]
    assert asked.exploitability == bound.gains[1].gain / 2


def test_policies_of_openspiel():
    pytest.importorskip("pyspiel")
    strategy = eq.solve("openspiel:kuhn_poker", iterations=3).strategy
    bound = eq.local_best_response(
        "openspiel:kuhn_poker", strategy.to_openspiel("openspiel:kuhn_poker"), hands=None
    )
    assert bound.gains == eq.local_best_response("openspiel:kuhn_poker", strategy, hands=None).gains


def test_spots_of_holdem():
    spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh,JsJh', pot=20, stack=10)"
    run = eq.solve(spot, iterations=3)
    bound = eq.local_best_response(run, hands=None)
    assert 0 < bound.exploitability <= run.exploitability
    drawn = eq.local_best_response(run, hands=1_000, seed=1)
    assert abs(drawn.exploitability - bound.exploitability) < 4 * drawn.standard_error


def test_words():
    bound = eq.local_best_response("kuhn", {}, hands=400, seed=1)
    assert bound.promise.startswith("The exploitability is 0.")
    assert "(standard error) or more, as far as 400 hands tell; how much more" in bound.promise
    assert bound.summary()["players"][1]["gain"] == bound.gains[1].gain
    assert "or more, exactly" in eq.local_best_response("kuhn", {}, hands=None).promise
    assert eq.local_best_response("kuhn", {}, hands=1, seed=1).standard_error is None


def test_by_command(capsys, tmp_path):
    eq.solve(
        "leduc",
        "cfr",
        sampling="external(tree=False)",
        iterations=50,
        seed=1,
        save=tmp_path / "run",
    )
    arguments = ("evaluate", "leduc", tmp_path / "run", "--lbr", 50, "--seed", 2, "--rollouts", 5)
    ran = call(capsys, *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "leduc: a lower bound of the exploitability" in ran.out
    assert "Again with --seed 2" in ran.out
    bound = eq.local_best_response("leduc", tmp_path / "run", hands=50, seed=2, rollouts=5)
    assert call(capsys, *arguments, "--json").json == json.loads(json.dumps(bound.summary()))


@pytest.mark.parametrize(
    ("misuse", "error", "message"),
    [
        ({"rest": "fold"}, eq.AlgorithmError, "rest must be 'call' or 'strategy'; got 'fold'"),
        ({"hands": 0}, eq.AlgorithmError, "hands must be a whole number, 1 or more; got 0"),
        ({"player": 2}, eq.AlgorithmError, "player must be 0 to 1 in kuhn; got 2"),
        (
            {"limits": eq.Limits(histories=5)},
            eq.GameError,
            "a decision of player 0 has more than 5 histories; give rollouts=100",
        ),
        (
            {"strategy": lambda *at: [1, 1]},
            eq.SolutionError,
            r"needs 2 probabilities that sum to 1.*\[1, 1\]",
        ),
        ({"strategy": 3}, eq.SolutionError, "got 3"),
        (
            {"limits": eq.Limits(memory_gb=1)},
            eq.AlgorithmError,
            r"keeps to limits on histories; got limits=eq\.Limits\(memory_gb=1\.0\)",
        ),
        (
            {"strategy": lambda *at: 1},
            eq.SolutionError,
            "needs 2 probabilities that sum to 1; the strategy has 1",
        ),
        (
            {"strategy": lambda *at: "pb"},
            eq.SolutionError,
            "needs 2 probabilities.*the strategy has 'pb'",
        ),
    ],
)
def test_refused(misuse, error, message):
    with pytest.raises(error, match=message):
        eq.local_best_response("kuhn", **{"strategy": {}, **misuse})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--seed", 1),
            "--seed is for a local best response: add --lbr HANDS, or leave it out; got 1",
        ),
        (("--lbr", 5, "--off-path"), "--off-path does nothing with --lbr"),
        (("--lbr", 5, "--max-histories", 3), "or a larger Limits(histories=) (--max-histories)"),
    ],
)
def test_options_that_do_nothing_are_refused(capsys, tmp_path, options, message):
    eq.solve("kuhn", iterations=5).strategy.write_csv(tmp_path / "kuhn.csv")
    call(capsys, "evaluate", "kuhn", tmp_path / "kuhn.csv", *options).fails(2, message)


def test_a_run_of_another_game_is_refused():
    with pytest.raises(
        eq.SolutionError, match=r"The run of kuhn lacks .* infosets of leduc that were met: give"
    ):
        eq.local_best_response("leduc", eq.solve("kuhn", iterations=2), hands=3, seed=1)
    spot = eq.solve(
        "holdem(board='2s3h4d6c7c', oop='AsAh', ip='KsKh,JsJh', pot=20, stack=10)", iterations=2
    )
    with pytest.raises(
        eq.SolutionError, match=r"The run solved holdem.*, and not kuhn: give its game"
    ):
        eq.local_best_response("kuhn", spot, hands=3)


@pytest.mark.slow
def test_actions_chosen_from_samples():
    """Nearly what is earned by the exact values of actions; a player of Leduc decides more than once."""
    strategy = random_strategy(eq.compile_game(eq.load("leduc")).infosets, 3)
    exact = eq.local_best_response("leduc", strategy, hands=None, rest="strategy")
    judged = eq.evaluate("leduc", strategy)
    drawn = eq.local_best_response("leduc", strategy, hands=40_000, samples=80_000, seed=1)
    for player, gain in drawn.gains.items():
        assert gain.value - gain.gain == pytest.approx(
            judged.value[player], abs=4 * gain.value_error
        )
        assert gain.gain == pytest.approx(exact.gains[player].gain, abs=4 * gain.gain_error)
        assert exact.gains[player].gain > 20 * gain.gain_error
    assert drawn.lacking == 0
    nothing = eq.local_best_response("leduc", {}, hands=10_000, samples=10_000, seed=1, player=1)
    assert nothing.lacking == 144  # of the responder
    assert nothing.gains[1].gain > 0.5


@pytest.mark.slow
def test_where_each_player_decides_once_or_twice_samples_find_the_exact_response():
    """In Kuhn poker the action that is best in many samples is the best one, or next to it."""
    strategy = random_strategy(eq.compile_game(eq.load("kuhn")).infosets, 3)
    exact = eq.local_best_response("kuhn", strategy, hands=None, rest="strategy")
    judged = eq.evaluate("kuhn", strategy)
    drawn = eq.local_best_response("kuhn", strategy, hands=20_000, samples=20_000, seed=1)
    for player, gain in drawn.gains.items():
        assert gain.gain == pytest.approx(exact.gains[player].gain, abs=4 * gain.gain_error)
        assert gain.value == pytest.approx(exact.gains[player].value, abs=4 * gain.value_error)
        followed = gain.value - gain.gain
        assert followed == pytest.approx(judged.value[player], abs=4 * gain.value_error)
        assert 4 * gain.gain_error < exact.gains[player].gain / 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": None}, "Give hands, and leave rollouts and rest out"),
        ({"rollouts": 5}, "rollouts=5"),
        ({"rest": "call"}, "rest='call'"),
        ({"samples": 0}, "samples must be a whole number"),
        ({"strategy": lambda *at: [0.5, 0.5]}, "names its infosets"),
        ({"game": RandomGame(1)}, "rules in Python"),
    ],
)
def test_samples_that_cannot_be_drawn_are_refused(options, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.local_best_response(**({"game": "kuhn", "strategy": {}, "samples": 10} | options))


def test_the_samples_that_value_a_choice_are_others_than_those_that_made_it(monkeypatch):
    """Valued by its own samples, a choice would seem better than it is: the largest of some means is biased."""
    choosing, valuing = set(), []
    sample = MonteCarloCFR.sample

    def noted(self, player, *, turn=None, insert=False):
        if insert:
            choosing.add(turn)
        else:
            valuing.append(turn)
        return sample(self, player, turn=turn, insert=insert)

    monkeypatch.setattr(MonteCarloCFR, "sample", noted)
    eq.local_best_response("kuhn", {}, hands=9_000, samples=9_000, seed=1, player=0)
    assert len(choosing) == 3
    assert not choosing & set(valuing)
    assert [valuing.count(turn) for turn in sorted(set(valuing))] == [
        2,
        2,
        2,
    ]  # with the choice and without it


def test_infosets_that_a_strategy_lacks_are_counted_exactly():
    """The first that is lacking counts as well: all twelve of Kuhn poker, or those of one player of a strategy."""
    nothing = eq.local_best_response("kuhn", {}, hands=9_000, samples=9_000, seed=1)
    assert nothing.lacking == 12
    uniform = eq.solve("kuhn", iterations=1).strategy
    assert eq.local_best_response("kuhn", uniform, hands=9_000, samples=9_000, seed=1).lacking == 0
