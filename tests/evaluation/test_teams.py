"""Best responses of teams, against all pairs of pure strategies, one by one."""

from itertools import product

import pytest

import equilibrist as eq
from equilibrist.game.protocol import CHANCE, TERMINAL


class Signals:
    """Players 0 and 2 each see a coin of their own; 0 and then 2 say heads or tails, player 1 guesses between them.

    The team wins 1 if both say what the partner's coin shows, which only one of them can learn, and 1 is taken where
    player 1 has guessed player 0's coin.
    """

    players = 3
    tells = True

    def start(self):
        return ""

    def player(self, state):
        return (CHANCE, CHANCE, 0, 1, 2, TERMINAL)[len(state)]

    def actions(self, state):
        return ["h", "t"]

    def probabilities(self, state):
        return [0.5, 0.5] if not state else [0.75, 0.25]

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        one, two, said, guess, answer = state
        won = (said == two) + 2 * (answer == one) + (said == answer == "h") - (guess == one)
        return [won / 2, -won, won / 2]

    def infoset(self, state):
        seen = {2: state[:1], 3: state[2:3] if self.tells else "", 4: state[1:2] + state[2:4]}[
            len(state)
        ]
        return f"{len(state)}:{seen}"


def pure_strategies(form, players):
    own = [infoset for infoset in form.infosets if infoset.player in players]
    for choice in product(*(infoset.actions for infoset in own)):
        yield {
            (one.player, one.key): {action: 1.0} for one, action in zip(own, choice, strict=True)
        }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_team_has_no_better_pair_of_strategies(seed):
    game = Signals()
    form = eq.compile_game(game)
    given = eq.solve(game, "cfr", iterations=seed + 1).strategy
    best = max(
        sum(eq.evaluate(form, {**given, **pure}).value[p] for p in (0, 2))
        for pure in pure_strategies(form, (0, 2))
    )
    team, alone = eq.team_responses(game, given, teams=[(0, 2), (1,)], seed=seed)
    assert team.best_response_value == pytest.approx(best, abs=1e-12)
    assert team.value <= team.alone <= team.best_response_value <= team.upper_bound + 1e-12
    value = eq.evaluate(game, team.best_response).value
    assert value[0] + value[2] == pytest.approx(best, abs=1e-12)
    assert alone.is_exact
    assert alone.best_response_value == pytest.approx(
        eq.evaluate(game, given).best_response_value[1], abs=1e-12
    )


def test_partners_who_tell_each_other_earn_more_than_those_who_cannot():
    """What player 2 sees is of no use to player 0, who moves before; player 2 learns player 0's coin by being told."""
    game = Signals()
    given = eq.Strategy.from_dict({(1, "3:h"): {"h": 1.0}, (1, "3:t"): {"t": 1.0}})
    team, _ = eq.team_responses(game, given, teams=[(0, 2), (1,)], missing="uniform")
    assert not team.is_exact
    # player 0 says h, right with 3/4; player 2 repeats the coin for 2; both say h in half; half the guesses are right
    assert team.upper_bound == pytest.approx(0.75 + 2 + 0.5 - 0.5)


@pytest.mark.slow
def test_the_partners_of_mini_euchre_gain_hardly_more_together_than_alone():
    solution = eq.solve("mini_euchre", iterations=100)
    for team in eq.team_responses("mini_euchre", solution.strategy, starts=0):
        assert team.value <= team.alone <= team.best_response_value <= team.upper_bound + 1e-12
        assert team.value < team.best_response_value
        assert team.upper_bound - team.value < 0.01


@pytest.mark.parametrize(
    "teams", [[(0, 1)], [(0, 0), (1, 2)], [(0, 1), (2,), ()], [(0, 1, 2, 3)], [("0", 1), (2,)]]
)
def test_teams_that_are_none_are_refused(teams):
    with pytest.raises(eq.GameError, match="teams must name each of the players 0 to 2 once"):
        eq.team_responses(Signals(), {}, teams=teams, missing="uniform")
