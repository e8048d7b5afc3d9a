"""Strategies as behaviour profiles of Gambit, which pays what we say; and back."""

import pytest

import equilibrist as eq

pytest.importorskip("pygambit")


@pytest.mark.parametrize(
    "spec", ["kuhn", "kuhn(players=3)", "leduc", "goofspiel(cards=2)", "liars_dice(faces=2)", "rps"]
)
def test_gambit_pays_what_we_say(spec):
    solution = eq.solve(spec, "cfr+", iterations=30)
    profile = solution.strategy.to_gambit(spec)
    paid = [float(profile.payoff(player)) for player in profile.game.players]
    assert paid == pytest.approx(list(solution.value), abs=1e-10)
    again = eq.Strategy.from_gambit(profile)
    assert {key: again[key] for key in again} == {key: solution.strategy[key] for key in solution.strategy}


def test_a_public_game_and_misuse():
    public = eq.load("kuhn").public_states()
    solution = eq.solve(public, form="public", iterations=20)
    assert len(eq.Strategy.from_gambit(solution.strategy.to_gambit(public))) == 12
    with pytest.raises(eq.SolutionError, match="lacks 11 of the 12 infosets of kuhn"):
        eq.Strategy.from_dict({"J": {"p": 1.0}}).to_gambit("kuhn")
    with pytest.raises(eq.SolutionError, match="A mixed behaviour profile of pygambit is needed; got dict"):
        eq.Strategy.from_gambit({})
    assert eq.Strategy.from_gambit(eq.Strategy.from_dict({"J": {"p": 1.0}}).to_gambit("kuhn", missing="uniform"))[
        "J"
    ] == {
        "pass": 1.0,
        "bet": 0.0,
    }
