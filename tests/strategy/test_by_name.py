"""Mappings by the names of infosets and actions: what is asked for is there, or they say what it may have meant."""

import pickle

import pytest

import equilibrist as eq
from equilibrist.strategy.by_name import ByAction, ByInfoset


def uniform_values():
    return eq.evaluate("kuhn", {}, missing="uniform", action_values=True, off_path=True)


MAPPINGS = {
    "strategy": lambda: eq.solve("kuhn", iterations=3).strategy,
    "best response": lambda: uniform_values().best_response,
    "action values": lambda: uniform_values().action_values,
    "off path": lambda: uniform_values().off_path,
    "fractions": lambda: eq.exact("kuhn", rational=True).strategy,
    "updates": lambda: eq.learn.explain("kuhn").updates,
}
BY_ACTION = ("strategy", "best response", "action values", "fractions")


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_mapping_says_which_infoset_was_meant(name):
    mapping = MAPPINGS[name]()
    assert mapping["Kb"] == mapping[1, "Kb"]
    for key, sentence in (
        ("KQ", r"^There is no infoset 'KQ'\. Did you mean .*'K'"),
        ((0, "Kqb"), r"^Player 0 has no infoset 'Kqb'\. Did you mean .*'Kpb'"),
        ((0, "Kb"), r"^Player 0 has no infoset 'Kb'; player 1 has\.$"),
        ((7, "K"), r"^Player 7 has no infoset 'K'; player 0 has\.$"),
        ((7, "zzzz"), r"^Player 7 has no infoset 'zzzz'\.$"),
        (3, r"^An infoset is given by its name, or \(player, name\); got 3\.$"),
    ):
        with pytest.raises(KeyError, match=sentence):
            mapping[key]


@pytest.mark.parametrize("name", BY_ACTION)
def test_a_row_says_which_action_was_meant(name):
    row = MAPPINGS[name]()["Kb"]
    assert row["c"] == row["call"]
    with pytest.raises(KeyError, match=r"^There is no action 'fould'\. Did you mean 'fold'\?$"):
        row["fould"]
    with pytest.raises(KeyError, match=r"^There is no action 'zzz'\. Known: call, fold\.$"):
        row["zzz"]


def test_a_name_of_several_players_is_nobodys():
    table = ByInfoset({(0, "rps"): 1, (1, "rps"): 2})
    with pytest.raises(KeyError, match=r"^'rps' is an infoset of players \[0, 1\]: ask for \(0,"):
        table["rps"]


def test_whoever_asks_whether_a_name_is_there_waits_for_no_sentence(monkeypatch):
    strategy = eq.solve("kuhn", iterations=3).strategy
    looked = []
    monkeypatch.setattr(
        "equilibrist.strategy.by_name.suggest_names", lambda *names: looked.append(names) or ""
    )
    assert "KQ" not in strategy
    assert (0, "KQ") not in strategy
    assert strategy.get("KQ", "none") == "none"
    assert strategy["K"].get("zzz") is None
    assert not looked
    with pytest.raises(KeyError) as caught:
        strategy["KQ"]
    assert str(caught.value) == "There is no infoset 'KQ'."
    assert looked


def test_an_error_can_be_sent_to_another_process():
    with pytest.raises(KeyError) as caught:
        ByAction({"fold": 1.0})["fould"]
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, KeyError)
    assert copy.args == (str(caught.value),)


def test_a_strategy_for_another_game_says_what_was_meant():
    with pytest.raises(eq.SolutionError, match=r"player 0 'KQ'\. Did you mean .*'K'"):
        eq.evaluate("kuhn", {(0, "KQ"): {"bet": 1.0}}, missing="uniform")
    with pytest.raises(eq.SolutionError, match=r"There is no infoset 'KQ'\. Did you mean .*'K'"):
        eq.fit_qre("kuhn", {"KQ": {"bet": 1}})
