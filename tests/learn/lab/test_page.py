"""What docs/lab.md says that one finds in the lab, computed by the package."""

from pathlib import Path

import pytest

import equilibrist as eq

TEXT = " ".join((Path(__file__).parents[3] / "docs" / "lab.md").read_text("utf-8").split())


def evaluated(alpha, **changes):
    bets = {"J": alpha, "Jpb": 0, "Q": 0, "Qpb": alpha + 1 / 3, "K": 3 * alpha, "Kpb": 1}
    bets |= {"Jp": 1 / 3, "Jb": 0, "Qp": 0, "Qb": 1 / 3, "Kp": 1, "Kb": 1} | changes
    result = eq.evaluate("kuhn", {key: {"p": 1 - bet, "b": bet} for key, bet in bets.items()})
    return result, {loss.infoset: loss.loss for loss in result.losses}


def test_leaving_an_equilibrium():
    assert (
        "player 0 could gain 1/36: betting the jack one time in five loses 1/60, and passing the king"
        in TEXT
    )
    assert "two times in five loses 1/90" in TEXT
    result, losses = evaluated(1 / 5, Qb=1 / 2)
    assert result.value[0] == pytest.approx(-1 / 18)
    assert result.best_response_value[0] - result.value[0] == pytest.approx(1 / 36)
    assert (losses["J"], losses["K"]) == (pytest.approx(1 / 60), pytest.approx(1 / 90))
    assert result.best_response["J"] == {"pass": 1, "bet": 0}
    assert result.best_response["K"] == {"pass": 0, "bet": 1}


def test_a_mistake_that_costs_nothing():
    assert (
        "At α = 1/5 the same mistake loses 1/15 at `Kpb`, and player 1 could gain 4/15 by always betting"
        in TEXT
    )
    assert "the jack and the queen after a pass: the exploitability is 1/6" in TEXT
    assert abs(evaluated(1 / 3, Kpb=0)[0].exploitability) < 1e-15
    result, losses = evaluated(1 / 5, Kpb=0)
    assert losses["Kpb"] == pytest.approx(1 / 15)
    assert losses["Jp"] + losses["Qp"] == pytest.approx(4 / 15)
    assert result.best_response["Jp"]["bet"] == result.best_response["Qp"]["bet"] == 1
    assert result.exploitability == pytest.approx(1 / 6)


def test_the_example_of_the_page_about_explain():
    assert "at `Q` the regrets are −3/8 and 3/8" in TEXT
    explained = eq.learn.explain("kuhn", "cfr(alternating=False)", deal="QK", sampling="chance")
    assert explained.updates[0, "Q"].instant_regret == (-3 / 8, 3 / 8)


def test_trust_in_a_model():
    assert "It comes to win 7/18 from the model, at a risk of 1/18." in TEXT
    assert "With trust 9/10 it wins 1/2, which is all that can be won, at a risk of 5/18" in TEXT
    assert "the last 1/9 costs 2/9 against an opponent who knows" in TEXT
    for trust, won, risk in ((1 / 2, 7 / 18, 1 / 18), (9 / 10, 1 / 2, 5 / 18)):
        answer = eq.exploit("kuhn", "uniform", trust=trust)
        assert answer.model_value == pytest.approx(won)
        assert -1 / 18 - answer.worst_case == pytest.approx(risk)
    assert eq.evaluate("kuhn", {}, missing="uniform").best_response_value[0] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("algorithm", "figures"), [("cfr", ("0.00094", "0.052")), ("cfr+", ("0.000087", "0.019"))]
)
def test_average_and_current_strategy(algorithm, figures):
    solution = eq.solve("kuhn", algorithm, iterations=1000, record="all")
    last = {
        key: dict(zip(row, solution.recording.at(key).strategy[-1], strict=True))
        for key, row in solution.strategy.items()
    }
    current = eq.evaluate("kuhn", last).exploitability
    for figure, value in zip(figures, (solution.exploitability, current), strict=True):
        assert figure in TEXT
        assert f"{value:.2g}" in (figure, f"{float(figure):.2g}")
