"""Parts that lie in each other: whatever is spliced is safe by its certificates, or is refused."""

import random
from contextlib import suppress
from itertools import product

import pytest

import equilibrist as eq
from support.random_card_games import RandomCardGame
from support.random_games import RandomGame, random_strategy
from support.reference import best_response, unfold

SAFE = ("refined", "resolve", "maxmargin", "reach")


class Hidden:
    """Player 1 goes S or R; player 0 goes on and does not see which; player 1 plays x or y."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return (1, 0, 1, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return (["S", "R"], ["g"], ["x", "y"])[len(state)]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        value = {"Sgx": 0, "Sgy": 0, "Rgx": 3, "Rgy": -1}[state]
        return value, -value

    def infoset(self, state):
        return "other" if len(state) == 1 else state or "start"


BLUEPRINT = eq.Strategy.from_dict(
    {
        (1, "start"): {"S": 1, "R": 0},
        (0, "other"): {"g": 1},
        (1, "Sg"): {"x": 1, "y": 0},
        (1, "Rg"): {"x": 0, "y": 1},
    }
)


@pytest.mark.parametrize("method", SAFE)
def test_where_the_player_never_comes_the_blueprint_stays(method):
    """Player 1 never goes R, so that no value says anything of Rg; y is good there, and x gives 3 away."""
    part = eq.resolve(BLUEPRINT, "other", player=1, game=Hidden(), method=method)
    assert part.strategy[1, "Rg"] == {"x": 0, "y": 1}
    assert eq.splice(BLUEPRINT, part)[1, "Rg"] == {"x": 0, "y": 1}


@pytest.mark.parametrize("method", ["refined", "maxmargin", "reach"])
def test_a_part_in_another_is_refused_unless_it_was_solved_with_it(tmp_path, method):
    """The four payoffs say what is right: R and y give player 0 -1."""
    game = Hidden()
    outer = eq.resolve(BLUEPRINT, "start", player=1, game=game, method=method)
    inner = eq.resolve(BLUEPRINT, "other", player=1, game=game, method=method)
    inner.save(tmp_path / "inner")
    for part in (inner, tmp_path / "inner"):
        with pytest.raises(
            eq.SolutionError,
            match=r"'other' is not safe in this strategy.*Solve it again with that",
        ):
            eq.splice(BLUEPRINT, outer, part)
    whole = eq.splice(BLUEPRINT, outer)
    again = eq.resolve(whole, "other", player=1, game=game, method=method)
    assert eq.splice(BLUEPRINT, outer, again) == eq.splice(whole, again)
    assert eq.evaluate(game, eq.splice(whole, again)).best_response_value[0] == pytest.approx(
        -1, abs=1e-12
    )
    last = eq.splice(BLUEPRINT, inner, outer)  # which holds the first one, and alone counts
    assert eq.evaluate(game, last).best_response_value[0] == pytest.approx(-1, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 5, 8, 12, 5080, 5115, 5137])
def test_up_to_eight_parts_are_worth_no_more_than_their_certificates_say(seed):
    """Solved with the blueprint, what is not refused is safe; solved with those before, nothing is refused."""
    game = RandomGame(seed, players=2, depth=5, ties=seed % 2 == 0)
    form = eq.compile_game(game, keep_tree=True)
    blueprint = eq.Strategy.from_dict(
        random_strategy([infoset[:3] for infoset in form.infosets], seed)
    )
    root, dice = unfold(game), random.Random(seed)
    for player in (0, 1):
        method = dice.choice(SAFE)
        lines = dice.sample([infoset.key for infoset in form.infosets], min(8, form.num_infosets))
        before = best_response(root, dict(blueprint), player=1 - player)[1]
        for anew in (False, True):
            played, parts, excess = blueprint, [], 0.0
            for line in lines:
                try:
                    start = played if anew else blueprint
                    part = eq.resolve(start, line, player=player, method=method, game=form)
                except (
                    eq.GameError,
                    eq.SolutionError,
                ):  # it straddles, or the player never comes there
                    continue
                try:
                    played = eq.splice(blueprint, *parts, part)
                except eq.SolutionError as error:
                    is_expected = not anew and "is not safe in this strategy" in str(error)
                    if not is_expected:
                        raise
                    continue
                parts.append(part)
                excess += part.part.excess
            after = best_response(root, dict(played), player=1 - player)[1]
            assert after <= before + excess + 1e-9


def test_a_river_in_a_turn_that_was_solved_again():
    """In card forms: refused if it was solved with the run, taken if it was solved with the turn spliced."""
    rules = RandomCardGame(3, streets=(1, 1))
    form = eq.compile_cards(rules).unmerged()
    run = eq.solve(form, "cfr", iterations=3, precision="float64")
    lines = dict.fromkeys(
        n.line.rpartition("|")[0].strip() for n in form.betting.streets[2].decisions
    )
    for line, board in product(lines, form.boards.streets[2]):
        river, turn = board.cards, board.cards[: len(rules.board) + 1]
        with suppress(eq.SolutionError):  # no two hands get there
            inner = eq.resolve(run, line, river, player=0, iterations=200)
            outer = eq.resolve(run, line.rpartition("|")[0].strip(), turn, player=0, iterations=200)
            break
    with pytest.raises(eq.SolutionError, match="is not safe in this strategy"):
        eq.splice(run, outer, inner)
    whole = eq.splice(run, outer)
    again = eq.resolve(whole, line, river, player=0, iterations=200)
    before, between, after = (
        eq.evaluate(form, each).best_response_value[1]
        for each in (run.strategy, whole, eq.splice(run, outer, again))
    )
    assert between <= before + outer.part.excess + 1e-9
    assert after <= between + again.part.excess + 1e-9
