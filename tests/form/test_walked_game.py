"""A game that is walked: one interface whoever runs its rules, and the public door to it."""

import pickle

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.walk.compiled import WalkedRules
from equilibrist.form.walk.interpreted import WalkedPython
from equilibrist.games.kuhn import Kuhn
from equilibrist.mccfr.sampling import External
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table_lazy import LazyTable
from equilibrist.mccfr.table_walked import WalkedTable


class InPython(Kuhn):
    """Kuhn poker whose compiled rules are not taken, as it has a method of its own."""

    def payoffs(self, state):
        return super().payoffs(state)


MAKERS = [(Kuhn, WalkedRules), (InPython, WalkedPython)]


@pytest.mark.parametrize(("rules", "kind"), MAKERS)
def test_what_a_walked_game_says_of_itself(rules, kind):
    walked = eq.compile_game(rules(), form="walk")
    assert type(walked) is kind
    assert isinstance(walked, eq.types.WalkedGame)
    assert (walked.kind, walked.name, walked.players) == ("walk", str(rules()), 2)
    assert repr(walked) == f"<{kind.__name__} of {rules()}: 2 players, nothing stored>"
    assert not walked.is_complete
    assert eq.load(walked) is walked.rules
    run = eq.solve(walked, iterations=2).info.game
    assert (run.form, run.fingerprint) == ("walk", walked.fingerprint)
    assert run.fingerprint == eq.solve(rules(), form="walk", iterations=2).info.game.fingerprint
    other = eq.compile_game(rules(cards=4), form="walk")
    assert other.fingerprint != walked.fingerprint
    assert pickle.loads(pickle.dumps(walked)).fingerprint == walked.fingerprint


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "kind"), MAKERS)
def test_a_walked_game_is_solved_and_evaluated(rules, kind):
    """The referee is the value of Kuhn poker, -1/18, and the tree, which no walk makes."""
    walked = pickle.loads(pickle.dumps(eq.compile_game(rules(), form="walk")))
    solution = eq.solve(walked, "cfr+", iterations=300)
    assert solution.value[0] == pytest.approx(-1 / 18, abs=1e-4)
    result = eq.evaluate(walked, solution.strategy)
    expected = eq.evaluate("kuhn", solution.strategy)
    assert result.value == pytest.approx(expected.value, abs=1e-12)
    assert result.exploitability == pytest.approx(expected.exploitability, abs=1e-12)
    assert (result.histories, result.infosets, result.zero_sum) == (58, 12, True)


@pytest.mark.parametrize(("rules", "kind"), MAKERS)
def test_infosets_that_no_sample_met_are_played_uniformly(rules, kind):
    walked = eq.compile_game(rules(), form="walk")
    solver = MonteCarloCFR(LazyTable(walked), eq.ALGORITHMS["cfr"], External(tree=False), seed=3)
    solver.run(2)
    assert 0 < len(solver.infosets()) < 12
    assert not solver.certifies
    solver.table.certificate = walked.estimate()
    assert solver.certifies
    expected = eq.evaluate("kuhn", solver.strategy(), missing="uniform")
    values = solver.values()
    assert values.value == pytest.approx(expected.value, abs=1e-12)
    assert values.best_response_value == pytest.approx(expected.best_response_value, abs=1e-12)


def test_the_two_makers_give_the_same_bits():
    tables = [WalkedTable(eq.compile_game(rules(), form="walk")) for rules, _ in MAKERS]
    for table in tables:
        table.enter_infosets()
    one, other = tables
    assert list(one.infosets()) == list(other.infosets())
    for player in range(2):
        for table in tables:
            table.fill_values(player, threads=1, should_stop=lambda: False)
        values = [table.slots.instant_regret[: table.used] for table in tables]
        assert np.array_equal(*values)
        assert values[0].any()


@pytest.mark.parametrize(("rules", "kind"), MAKERS)
def test_tables_that_outgrow_their_limit_are_refused(rules, kind, monkeypatch):
    monkeypatch.setattr("equilibrist.mccfr.table_lazy._FIRST_SLOTS", 8)
    with pytest.raises(eq.GameError, match="too large to walk: tables of more than"):
        eq.solve(rules(), form="walk", iterations=1, limits=eq.Limits(memory_gb=1e-9))


def test_the_door_of_all_forms():
    kuhn = eq.load("kuhn")
    kinds = [eq.compile_game(kuhn, form=form).kind for form in ("sequence", "public", "walk")]
    assert kinds == ["sequence", "public", "walk"]
    with pytest.raises(eq.GameError, match=r"'auto', 'sequence'.*'walk'; got 'wlak'"):
        eq.compile_game(kuhn, form="wlak")
    with pytest.raises(eq.GameError, match=r"give eq\.load"):
        eq.compile_game("kuhn", form="walk")
    walked = eq.compile_game(kuhn, form="walk")
    with pytest.raises(eq.AlgorithmError, match="form='walk' makes full-width passes"):
        eq.solve(walked, sampling="external")
    sampled = eq.solve(walked, sampling="external(tree=False)", iterations=10)
    assert sampled.info.game.form == "none"
    assert (
        sampled.strategy == eq.solve(kuhn, sampling="external(tree=False)", iterations=10).strategy
    )
