"""The values of actions, against a recursion over histories and against OpenSpiel."""

from collections import defaultdict

import numpy as np
import pytest
from pyarrow.csv import read_csv

import equilibrist as eq
from equilibrist.game.protocol import CHANCE, TERMINAL, action_label
from support.random_games import RandomGame, random_strategy


def by_recursion(game, strategy):
    """Return {(player, infoset): [reach of chance and the others, {action: cf value}]}, history by history."""
    found = defaultdict(lambda: [0.0, defaultdict(float)])

    def visit(state, chance, reach):
        who = game.player(state)
        if who == TERMINAL:
            return np.array(game.payoffs(state), float)
        actions = game.actions(state)
        if who == CHANCE:
            shares = game.probabilities(state)
            return sum(
                p * visit(game.next(state, a), chance * p, reach)
                for a, p in zip(actions, shares, strict=True)
            )
        key = (who, str(game.infoset(state)))
        others = chance * np.prod(np.delete(reach, who))
        found[key][0] += others
        total = 0.0
        for action in actions:
            label = action_label(game, state, action)
            p = strategy[key][label]
            after = reach.copy()
            after[who] *= p
            value = visit(game.next(state, action), chance, after)
            found[key][1][label] += others * value[who]
            total = total + p * value
        return total

    visit(game.start(), 1.0, np.ones(game.players))
    return found


def agrees(table, found):
    assert len(table.strategy) == len(found)
    for key, (reach, cf_values) in found.items():
        for action, cf_value in cf_values.items():
            got = table[key][action]
            assert got.cf_value == pytest.approx(cf_value, abs=1e-13)
            if reach > 0:
                assert got.value == pytest.approx(cf_value / reach, rel=1e-9, abs=1e-12)
                assert got.best_value >= got.value - 1e-12
            else:
                assert np.isnan(got.value)


@pytest.mark.parametrize(
    "text", ["kuhn", "kuhn(players=3)", "leduc(ranks=2)", "goofspiel(cards=3)", "rps"]
)
def test_values_are_those_of_a_recursion(text):
    game = eq.load(text)
    strategy = eq.solve(
        text, "cfr", iterations=3
    ).strategy  # with some actions that are never played
    table = eq.evaluate(text, strategy, action_values=True).action_values
    agrees(table, by_recursion(game, strategy))


@pytest.mark.parametrize("seed", range(5))
def test_values_of_random_games(seed):
    game = RandomGame(seed)
    strategy = eq.Strategy.from_dict(random_strategy(eq.compile_game(game).infosets, seed))
    agrees(
        eq.evaluate(game, strategy, action_values=True).action_values, by_recursion(game, strategy)
    )


@pytest.mark.parametrize("text", ["kuhn", "leduc"])
def test_public_states_give_the_same(text):
    public = eq.compile_public(eq.load(text).public_states())
    strategy = eq.solve(text, "cfr", iterations=5).strategy
    one, other = (
        eq.evaluate(g, strategy, action_values=True).action_values for g in (public, text)
    )
    for key in strategy:
        for action, values in other[key].items():
            assert list(one[key][action]) == pytest.approx(list(values), abs=1e-12, nan_ok=True)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_values_are_those_of_openspiel(name):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import action_value

    solution = eq.solve(f"openspiel:{name}", "cfr", iterations=4)
    theirs = action_value.TreeWalkCalculator(pyspiel.load_game(name))
    policy = solution.strategy.to_openspiel(name)
    theirs.compute_all_states_action_values([policy, policy])
    table = eq.evaluate(f"openspiel:{name}", solution.strategy, action_values=True).action_values
    for state in policy.states:
        key = state.current_player(), state.information_state_string()
        for action in state.legal_actions():
            got = table[key][state.action_to_string(action)]
            assert got.cf_value == pytest.approx(
                theirs.info_state_cf_prob_by_q_sum[key][action], abs=1e-12
            )


@pytest.mark.needs("pandas")
def test_the_table_is_a_frame():
    evaluation = eq.evaluate("kuhn", {"J": {"bet": 1}}, missing="uniform", action_values=True)
    table = evaluation.action_values
    arrow = table.to_arrow()
    frame = table.to_pandas()
    assert list(frame.columns) == arrow.column_names
    assert frame["cf_value"].tolist() == arrow["cf_value"].to_pylist()


def test_the_table_converts_and_is_written(tmp_path):
    table = eq.evaluate(
        "kuhn", {"J": {"bet": 1}}, missing="uniform", action_values=True
    ).action_values
    assert repr(table) == "<ActionValueTable: 24 actions at 12 infosets>"
    table.write_csv(tmp_path / "values.csv")
    read = read_csv(tmp_path / "values.csv")
    assert read.column_names == table.to_arrow().column_names
    assert read["cf_value"].to_pylist() == table.to_arrow()["cf_value"].to_pylist()
    assert table.to_arrow()["value"].null_count == 0
    for row in (*table.rows(), *table.to_arrow().to_pylist()):
        values = table[row["player"], row["infoset"]][row["action"]]
        assert [row["probability"], row["value"], row["cf_value"], row["best_value"]] == list(
            values
        )
    never = eq.evaluate(
        "kuhn", {k: {"bet": 1} for k in "JQK"}, missing="uniform", action_values=True
    ).action_values
    assert never.to_arrow()["value"].null_count == 6  # player 1 never sees a pass
    assert never["Qp"]["bet"].cf_value == 0
    assert eq.evaluate("kuhn", {}, missing="uniform").action_values is None
