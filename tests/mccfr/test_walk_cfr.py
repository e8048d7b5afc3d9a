"""Full-width CFR without a tree: iterates of the sequence form, and the same bits for threads, stops and resumes."""

import pytest

import equilibrist as eq
from equilibrist.cfr.regret_matching import FlooredRegretMatching
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.errors import GameTooLargeError
from equilibrist.form.walk import compiled
from equilibrist.form.walk import walk as walks
from equilibrist.form.walk.build import compile_walk
from equilibrist.form.walk.walk import WalkEstimate
from equilibrist.games.kuhn import HANDS, P_PLAYERS, Kuhn
from equilibrist.mccfr.table_walked import WalkedTable
from equilibrist.mccfr.walk_cfr import WalkCFR

DICE, HEX = "liars_dice(faces=3)", "dark_hex(size=2)"
FORMS = "walk", "sequence"


class Spoken:
    """A built-in game as rules in Python: what compiles is hidden."""

    def __init__(self, game, **changes):
        self.game = eq.load(game)
        self.players = self.game.players
        for method in (
            "start",
            "player",
            "actions",
            "probabilities",
            "infoset",
            "next",
            "payoffs",
            "action_label",
        ):
            setattr(self, method, changes.get(method, getattr(self.game, method)))


def kuhn_table():
    table = WalkedTable(compile_walk(eq.load("kuhn")))
    table.enter_infosets(threads=1)
    return table


def rows(strategy):
    return {
        (infoset.player, infoset.key, action): probability
        for infoset in strategy.infosets
        for action, probability in strategy[infoset.player, infoset.key].items()
    }


def check_equal(walked, stored):
    """Assert that two solutions have the same strategies and certificates, up to rounding."""
    for ours, theirs in ((walked.strategy, stored.strategy), (walked.current, stored.current)):
        mine, expected = rows(ours), rows(theirs)
        assert mine.keys() == expected.keys()
        assert max(abs(mine[key] - probability) for key, probability in expected.items()) < 1e-12
    assert walked.value == pytest.approx(stored.value, abs=1e-12)
    assert walked.deviation_gains == pytest.approx(stored.deviation_gains, abs=1e-12)
    ours, theirs = walked.info.game, stored.info.game
    assert (ours.histories, ours.infosets, ours.slots) == (
        theirs.histories,
        theirs.infosets,
        theirs.slots,
    )
    assert (ours.zero_sum, ours.form) == (theirs.zero_sum, "walk")
    assert walked.nodes_touched == stored.nodes_touched


CHIP = 2.0**-60  # so little that a tolerance of its own would call all sums of payoffs the same


def lose(p, s, out):
    """Write what each player loses: a chip, as many as the number of the own card, and player 1 two more."""
    for i in range(p[P_PLAYERS]):
        out[i] = CHIP * (-1.0 - s[HANDS + i] - 2.0 * i)
    return 0


class Losing(Kuhn):
    """Kuhn poker in which everybody loses, whatever is done."""

    rules = Kuhn.rules._replace(payoffs=lose)


@pytest.mark.parametrize("game", [Losing(), Spoken(Losing())], ids=["compiled", "in Python"])
def test_the_largest_payoff_is_the_largest_loss_where_nobody_wins(game):
    """By hand: the king is card 2 and costs player 1 five chips; the mean card is 1."""
    table = WalkedTable(compile_walk(game))
    table.enter_infosets(threads=1)
    assert table.largest_payoff == CHIP * (1 + 2 + 2)
    walked, stored = (eq.solve(game, "dcfr", form=form, iterations=5) for form in FORMS)
    check_equal(walked, stored)
    assert walked.value == pytest.approx((-2 * CHIP, -4 * CHIP), rel=1e-12, abs=0)
    assert not table.sizes.zero_sum


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        ("kuhn", "dcfr"),
        ("kuhn", "hs-pcfr+"),
        ("kuhn(players=3)", "pdcfr+"),
        ("leduc", "cfr+"),
        ("leduc", "cfr(alternating=False)"),
        (DICE, "lcfr"),
        (DICE, "pcfr+(alternating=False)"),
        (HEX, "sapcfr+"),
        ("goofspiel(cards=3, hidden=False, prizes='random', returns='points')", "hs-dcfr"),
        pytest.param("phantom_ttt(rows=2, columns=3)", "cfr", marks=pytest.mark.slow),
    ],
)
def test_the_iterates_are_those_of_the_sequence_form(game, algorithm):
    iterations = 3 if game.startswith("phantom") else 12
    check_equal(*(eq.solve(game, algorithm, form=form, iterations=iterations) for form in FORMS))


def test_an_algorithm_of_ones_own_and_the_certificates_on_the_way():
    mine = eq.Algorithm("mine", "here", alpha=1.2, beta=0.3, gamma=1.5, restart=4)
    walked, stored = (eq.solve("kuhn", mine, form=form, iterations=30) for form in FORMS)
    check_equal(walked, stored)
    assert [point.iteration for point in walked.trace] == [
        point.iteration for point in stored.trace
    ]
    for ours, theirs in zip(walked.trace, stored.trace, strict=True):
        if ours.is_certified:  # one that took long rests
            assert ours.exploitability == pytest.approx(theirs.exploitability, abs=1e-12)


@pytest.mark.slow
def test_floors_of_a_minimiser_are_kept():
    options = {"algorithm": eq.Algorithm("cfr", "any"), "minimiser": FlooredRegretMatching(0.05)}
    form = eq.compile_game(eq.load("kuhn"))
    walked, stored = WalkCFR(kuhn_table(), **options), SequenceCFR(form, **options)
    for solver in (walked, stored):
        solver.run(10)
    mine, expected = rows(walked.strategy()), rows(stored.strategy())
    assert walked.average_sums().sum() == pytest.approx(
        stored.average_weights()[form.slot].sum(), abs=1e-12
    )
    assert mine == pytest.approx(expected, abs=1e-12)
    assert min(expected.values()) > 0.05


@pytest.mark.thinned(2)
@pytest.mark.parametrize("algorithm", ["dcfr", "cfr(alternating=False)"])
def test_threads_and_stops_change_no_bit(algorithm, tmp_path, monkeypatch):
    monkeypatch.setattr(walks, "_BUDGET", 50)  # histories after which a walk may be stopped
    whole = eq.solve(HEX, algorithm, form="walk", iterations=8)
    threads = eq.solve(HEX, algorithm, form="walk", iterations=8, threads=3)
    asked = iter(range(10**9))
    stop = eq.Callbacks(should_stop=lambda: next(asked) > 40)
    part = eq.solve(
        HEX, algorithm, form="walk", iterations=8, save=tmp_path / "run", callbacks=stop
    )
    assert (part.stop_reason, 0 < part.iterations < 8) == ("stop", True)
    loaded = eq.load_solution(tmp_path / "run")
    assert (loaded.current.probabilities == part.current.probabilities).all()
    resumed = eq.solve(resume=tmp_path / "run", iterations=8, threads=2)
    for other in (threads, resumed):
        assert other.final.measures == whole.final.measures
        assert (other.strategy.probabilities == whole.strategy.probabilities).all()
        assert other.state.keys() == whole.state.keys()
        for name, array in whole.state.items():
            assert (other.state[name] == array).all()


def test_tables_grow_and_refuse_to(monkeypatch):
    small = eq.solve(DICE, "cfr", form="walk", iterations=2)
    monkeypatch.setattr("equilibrist.mccfr.table_lazy._FIRST_SLOTS", 8)
    grown = eq.solve(DICE, "cfr", form="walk", iterations=2)
    assert (grown.strategy.probabilities == small.strategy.probabilities).all()
    with pytest.raises(
        GameTooLargeError, match=r"too large to walk: tables of more than .* actions take"
    ):
        eq.solve(DICE, "cfr", form="walk", iterations=2, limits=eq.Limits(memory_gb=1e-5))


def test_a_run_ends_at_its_goal_and_is_saved(tmp_path):
    solution = eq.solve(HEX, form="walk", until=0.001, save=tmp_path / "run")
    assert (solution.algorithm, solution.stop_reason) == ("sapcfr+", "until")
    assert solution.exploitability <= 0.001
    assert solution.guarantee.startswith("Two-player zero-sum")
    loaded = eq.load_solution(tmp_path / "run")
    assert (loaded.final, loaded.info) == (solution.final, solution.info)
    exact = eq.evaluate(HEX, loaded.strategy)
    assert solution.exploitability == pytest.approx(exact.exploitability, abs=1e-12)
    with pytest.raises(eq.SolutionError, match="holds other arrays than a run on kuhn"):
        WalkCFR(kuhn_table(), eq.Algorithm("cfr", "any")).load_state(loaded.state)


@pytest.mark.slow
def test_rules_in_python_are_walked(tmp_path):
    texts = []
    options = {
        "iterations": 5,
        "save": tmp_path / "run",
        "callbacks": eq.Callbacks(on_stage=texts.append),
    }
    walked = eq.solve(Spoken("kuhn(players=3)"), "dcfr", form="walk", **options)
    check_equal(walked, eq.solve("kuhn(players=3)", "dcfr", form="sequence", iterations=5))
    assert any("a second, as the rules are in Python) for an iteration" in text for text in texts)
    resumed = eq.solve(Spoken("kuhn(players=3)"), resume=tmp_path / "run", iterations=9)
    check_equal(resumed, eq.solve("kuhn(players=3)", "dcfr", form="sequence", iterations=9))
    result = eq.evaluate(
        Spoken("kuhn(players=3)"), walked.strategy, form="walk", callbacks=texts.append
    )
    expected = eq.evaluate("kuhn(players=3)", walked.strategy)
    assert result.value == pytest.approx(expected.value, abs=1e-12)
    assert result.best_response_value == pytest.approx(expected.best_response_value, abs=1e-12)
    sizes = result.histories, result.infosets, result.slots, result.zero_sum
    assert sizes == (expected.histories, expected.infosets, expected.slots, expected.zero_sum)


def test_what_a_strategy_of_rules_in_python_lacks_or_adds():
    kuhn = Spoken("kuhn")
    with pytest.raises(
        eq.SolutionError, match="lacks infosets of Spoken that it leads to, among them player 0"
    ):
        eq.evaluate(kuhn, {"Kb": {"call": 1.0}}, form="walk")
    with pytest.raises(eq.SolutionError, match=r"does not have \(1\): player 0 'Kb'"):
        eq.evaluate(kuhn, {(0, "Kb"): {"call": 0.5, "fold": 0.5}}, missing="uniform", form="walk")
    strategy = {"Kb": {"call": 1.0}, "K": {"bet": 1.0}}
    result = eq.evaluate(kuhn, strategy, missing="uniform", form="walk")
    assert result.nash_conv == pytest.approx(
        eq.evaluate("kuhn", strategy, missing="uniform").nash_conv, abs=1e-12
    )


def test_openspiel_is_walked():
    pytest.importorskip("pyspiel")
    result = eq.evaluate("openspiel:dark_hex(board_size=2)", {}, missing="uniform", form="walk")
    assert result.best_response_value == pytest.approx((1.0, 0.25), abs=1e-12)
    check_equal(
        *(eq.solve("openspiel:kuhn_poker", "cfr+", form=form, iterations=6) for form in FORMS)
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"infoset": lambda state: "all"},
            "comes to infoset 'all' from several infosets or actions",
        ),
        ({"payoffs": lambda state: [1.0]}, "payoffs for 2 players are needed after"),
    ],
)
def test_rules_in_python_that_cannot_be_walked(changes, message):
    with pytest.raises(eq.GameError, match=message):
        eq.solve(Spoken("kuhn", **changes), form="walk")


def test_players_who_forget_are_refused():
    table = kuhn_table()
    with pytest.raises(eq.GameError, match="comes to infoset 'J' from several"):
        table.enter_infosets(
            threads=1
        )  # where all have numbers already, as if they had been entered before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"sampling": "external"},
            r"form='walk' makes full-width passes .* got sampling='external'",
        ),
        ({"sampling": "external(tree=False)"}, "form='walk' would do nothing"),
        ({"precision": "float32"}, "got precision='float32'"),
        ({"concept": "floors(0.01)"}, "got concept="),
        ({"limits": eq.Limits(histories=100)}, "got limits="),
        ({"until": eq.CCE(0.1)}, "is for games that are general-sum or have more than two players"),
    ],
)
def test_what_no_walk_does_is_refused(options, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        eq.solve("kuhn", form="walk", **options)


def test_a_game_of_too_many_histories_is_refused_beforehand(monkeypatch):
    monkeypatch.setattr(compiled, "estimate_walk", lambda game, *, threads: WalkEstimate(1e14, 1e6))
    with pytest.raises(GameTooLargeError, match=r"12 days at most for one iteration\. Sample it"):
        eq.solve("kuhn", form="walk")
    with pytest.raises(eq.GameError, match="compiled already; form='walk' takes the rules"):
        eq.solve(eq.compile_game(eq.load("kuhn")), form="walk")
