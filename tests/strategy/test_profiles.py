"""Strategies as behaviour profiles of Gambit, which pays what we say; and back."""

from importlib.util import find_spec
from types import SimpleNamespace

import pytest

import equilibrist as eq
from equilibrist.games.gambit_game import ESCAPED

with_gambit = pytest.mark.skipif(
    find_spec("pygambit") is None, reason="needs pygambit, of the extra 'gambit'"
)


class Profile16(dict):
    """What the package asks of a profile of pygambit 16, which has no wheel for each system: objects as keys."""

    def __init__(self, **infosets):
        super().__init__()
        members = []
        for label, shares in infosets.items():
            actions = [SimpleNamespace(label=name) for name in shares]
            self.update(
                (id(action), share) for action, share in zip(actions, shares.values(), strict=True)
            )
            members.append(SimpleNamespace(label=label, actions=actions))
        players = [SimpleNamespace(number=0, infosets=members)]
        self.game = SimpleNamespace(players=players, description=ESCAPED)

    def __getitem__(self, action):
        return super().__getitem__(id(action))

    def payoff(self, player):
        return 0.0


def test_a_profile_of_version_16():
    strategy = eq.Strategy.from_gambit(Profile16(J={"pass%2C": 0.25, "bet": 0.75}, K={"bet": 1.0}))
    assert strategy[0, "J"] == {"pass,": 0.25, "bet": 0.75}
    assert strategy[0, "K"] == {"bet": 1.0}


def test_what_is_no_profile():
    with pytest.raises(eq.SolutionError, match="A mixed profile of pygambit is needed; got dict"):
        eq.Strategy.from_gambit({})


def payoffs_of(profile):
    """Return what pygambit says that each player gets; players are objects in version 16, labels in version 17."""
    if hasattr(profile, "payoff"):
        return [float(profile.payoff(player)) for player in profile.game.players]
    return [float(profile.payoffs[player]) for player in profile.game.players]


@with_gambit
@pytest.mark.parametrize(
    "spec", ["kuhn", "kuhn(players=3)", "leduc", "goofspiel(cards=2)", "liars_dice(faces=2)", "rps"]
)
def test_gambit_pays_what_we_say(spec):
    solution = eq.solve(spec, "cfr+", iterations=30)
    profile = solution.strategy.to_gambit(spec)
    paid = payoffs_of(profile)
    assert paid == pytest.approx(list(solution.value), abs=1e-10)
    again = eq.Strategy.from_gambit(profile)
    assert {key: again[key] for key in again} == {
        key: solution.strategy[key] for key in solution.strategy
    }


@with_gambit
def test_a_public_game_and_misuse():
    public = eq.load("kuhn").public_states()
    solution = eq.solve(public, form="public", iterations=20)
    assert len(eq.Strategy.from_gambit(solution.strategy.to_gambit(public))) == 12
    with pytest.raises(eq.SolutionError, match="lacks 11 of the 12 infosets of kuhn"):
        eq.Strategy.from_dict({"J": {"p": 1.0}}).to_gambit("kuhn")
    assert eq.Strategy.from_gambit(
        eq.Strategy.from_dict({"J": {"p": 1.0}}).to_gambit("kuhn", missing="uniform")
    )["J"] == {
        "pass": 1.0,
        "bet": 0.0,
    }
