"""Quantal responses on public and card forms: the sequence form and known numbers are what they must equal."""

from types import SimpleNamespace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.quantal import QuantalResponse
from support.random_card_games import RandomCardGame
from support.random_public_games import RandomPublicGame

TURN = {
    "board": "Td9d6hQc",
    "oop": "AA:0.5,KK,A5s",
    "ip": "QJs,99:0.25",
    "pot": 100,
    "stack": 100,
    "bets": "100%",
    "max_raises": 1,
}


def assert_the_same(game, form, concept, until=1e-11):
    """Assert that a game has the same equilibrium in a form as in its sequence form, infoset by infoset."""
    ours, theirs = (
        eq.solve(game, form=each, concept=concept, until=until, iterations=60_000)
        for each in (form, "sequence")
    )
    assert ours.info.game.form == form
    assert ours.stop_reason == theirs.stop_reason == "until"
    assert ours.value == pytest.approx(theirs.value, abs=1e-8)
    assert ours.nash_conv == pytest.approx(theirs.nash_conv, abs=1e-8)
    for (
        key,
        row,
    ) in ours.strategy.items():  # of boards that differ by suits, card forms name the first
        assert theirs.strategy[key] == pytest.approx(row, abs=1e-8), key


@pytest.mark.thinned(10)
@pytest.mark.parametrize(
    ("game", "temperature"),
    [
        ("kuhn", 1.0),
        ("leduc", 0.5),
        ("leduc", 0.05),
        ("liars_dice(faces=3)", 0.1),
        ("leduc(suits=1)", 0.3),
    ],
)
@pytest.mark.parametrize("dilated", [False, True])
def test_public_forms_have_the_equilibrium_of_sequence_forms(game, temperature, dilated):
    assert_the_same(game, "public", eq.QRE(temperature, dilated=dilated))


@pytest.mark.thinned(12)
@pytest.mark.parametrize("seed", [1, 2, 5, 7, 16, 22])
@pytest.mark.parametrize("dilated", [False, True])
def test_random_public_games_with_hands_that_exclude_each_other_have_it(seed, dilated):
    assert_the_same(RandomPublicGame(seed), "public", eq.QRE(0.5, dilated=dilated), until=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [eq.poker.Holdem(**TURN), RandomCardGame(3), RandomCardGame(7, streets=(1,))], ids=str
)
def test_dilated_responses_to_hands_of_any_weight_are_those_of_the_sequence_form(game):
    assert_the_same(
        game,
        "cards",
        eq.QRE(0.05 * eq.compile_game(game).largest_payoff, dilated=True),
        until=1e-10,
    )


@pytest.mark.slow
def test_a_game_is_solved_in_the_form_that_suits_it():
    """Written out it would have two million histories, and its tree with them."""
    solution = eq.solve("kuhn(cards=600)", concept=eq.QRE(0.5), until=1e-9)
    assert solution.info.game.form == "public"
    assert solution.strategy[1, "1 b"]["call"] == pytest.approx(
        1 / (1 + np.exp(2)), abs=1e-9
    )  # the lowest card
    np.testing.assert_allclose(
        solution.current.probabilities, solution.strategy.probabilities, atol=1e-12
    )
    assert eq.solve("leduc", concept=eq.QRE(0.5), iterations=1).info.game.form == "sequence"


@pytest.mark.slow
@pytest.mark.parametrize("concept", ["qre(0.1)", "qre(0.1, dilated=True)"])
def test_threads_and_parts_change_no_bit(concept, tmp_path):
    game, options = "liars_dice(faces=5)", {"form": "public", "concept": concept}
    whole = eq.solve(game, iterations=60, threads=1, **options)
    eq.solve(game, iterations=25, threads=2, save=tmp_path, **options)
    parts = eq.solve(game, iterations=60, threads=2, resume=tmp_path)
    np.testing.assert_array_equal(whole.strategy.probabilities, parts.strategy.probabilities)
    assert whole.final.measures == parts.final.measures


@pytest.mark.slow
def test_locks_of_dilated_responses_are_refused():
    locked = eq.poker.Holdem(**TURN, locks=[eq.Lock("", {"X": 1.0})])
    with pytest.raises(eq.AlgorithmError, match="Leave dilated out, or the locks"):
        eq.solve(locked, concept=eq.QRE(5, dilated=True), iterations=1)


class Ladder:
    """A solver whose gap is what it is said to be, and which steps from one look of its minimiser to the next."""

    def __init__(self, temperature, largest_payoff):
        form = SimpleNamespace(
            others_reach=lambda: None, locked_slots=[], largest_payoff=largest_payoff
        )
        self.minimiser = QuantalResponse(form, temperature)
        self.iteration, self.gap = 0, 0.0
        self.tables = {"strategy": np.zeros(2)}

    def responses(self, rules):
        return np.array([self.gap, -self.gap / 2])

    def look(self, gap):
        """Return temperature, step and iterations to the next look, after a look that shows a gap."""
        self.iteration += self.minimiser.steady(self.iteration)
        self.gap = gap
        self.minimiser.adapt(self)
        rules = self.minimiser.rules(None, SimpleNamespace(iteration=[0]), 0.0)
        step = 1 - rules.keep[0]
        return step / rules.gain[0], step, self.minimiser.steady(self.iteration)


def test_temperatures_fall_where_the_gap_is_small_and_steps_where_it_stays():
    """From the largest payoff, 8, to 0.3; η = 10 τ / 8, at most 0.5, and 3 / η iterations to a look, at least 24."""
    ladder = Ladder(0.3, 8.0)
    looks = [
        *(
            (0.002, 8, 0.5, 24),
            (0.001, 4, 0.5, 24),
            (0.0011, 4, 0.5, 24),
            (0.001, 2, 0.5, 24),
            (1e-4, 1, 0.5, 24),
        ),
        *((1e-4, 0.5, 0.5, 24), (1e-4, 0.3, 0.375, 24)),  # there it stays
        (0.89, 0.3, 0.375, 24),  # anything is less than before the first look
        (0.802, 0.3, 0.1875, 24),  # more than 0.9 of the last gap: steps are too long
        (0.72, 0.3, 0.1875, 24),
        (0.65, 0.3, 0.09375, 32),
        (0.02, 0.3, 0.09375, 32),
        (5e-13, 0.3, 0.09375, 32),
        (6e-13, 0.3, 0.09375, 32),  # which is rounding
        (2e-12, 0.3, 0.046875, 64),
    ]
    for gap, *expected in looks:
        assert ladder.look(gap) == pytest.approx(tuple(expected), rel=1e-9), gap
    ladder = Ladder(0.3, 8.0)
    assert ladder.look(1e-4)[:2] == pytest.approx((4, 0.5))
    for _ in range(5):  # a gap that does not fall, from 1
        ladder.look(0.95)
    assert ladder.look(0.95)[:2] == pytest.approx((4, 0.15625 / 2))
