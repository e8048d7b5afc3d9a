"""Deals of hands that are sets of cards: the same prior, and the same compiled game, as a dense matrix."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist import Deal, Reveal
from equilibrist.form.public.build import compile_public

KUHN = [[card] for card in range(3)]


def counted(deal):
    """Return the prior pair by pair."""
    prior = np.zeros([len(own) for own in deal.hands])
    for i, one in enumerate(deal.hands[0]):
        for j, other in enumerate(deal.hands[1]):
            if not set(one) & set(other):
                prior[i, j] = deal.weights[0][i] * deal.weights[1][j]
    return prior / prior.sum(), prior.sum()


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_hands_of_several_cards(size):
    hands = list(combinations(range(7), size))
    generator = np.random.default_rng(size)
    deal = Deal([hands, hands[::-1]], [generator.random(len(hands)) for _ in range(2)], cards=7)
    prior, total = counted(deal)
    assert deal.total == pytest.approx(total, rel=1e-12)
    assert deal.matrix() == pytest.approx(prior, rel=1e-12)


@given(seed=st.integers(0, 2**32 - 1))
def test_any_sets_of_cards(seed):
    generator = np.random.default_rng(seed)
    hands = [
        [
            generator.permutation(6)[: generator.integers(0, 4)].tolist()
            for _ in range(generator.integers(1, 6))
        ]
        for _ in range(2)
    ]
    weights = [generator.integers(0, 3, len(own)) for own in hands]
    pairs = [
        list(zip(own, weight, strict=True)) for own, weight in zip(hands, weights, strict=True)
    ]
    apart = [a * b for one, a in pairs[0] for two, b in pairs[1] if not set(one) & set(two)]
    if not sum(apart):
        with pytest.raises(
            eq.GameError, match="no two hands of positive weight can be dealt together"
        ):
            Deal(hands, weights, cards=6)
        return
    deal = Deal(hands, weights, cards=6)
    prior, total = counted(deal)
    assert deal.total == total
    assert deal.matrix() == pytest.approx(prior, rel=1e-12)


def test_the_ranges_of_hold_em_are_no_trouble():
    hands = list(combinations(range(52), 2))
    deal = Deal([hands, hands], cards=52)
    assert deal.total == 1326 * 1225


@pytest.mark.parametrize(
    ("hands", "weights", "match"),
    [
        ([KUHN], None, "hands must be those of two players"),
        ([KUHN, []], None, "hands must be those of two players"),
        (
            [KUHN, [[3]]],
            None,
            r"a hand is a set of cards, whole numbers from 0 to 2; got \[3\] of player 1",
        ),
        ([KUHN, [[1, 1]]], None, r"a hand is a set of cards.* got \[1, 1\]"),
        ([KUHN, [[0.5]]], None, "a hand is a set of cards"),
        ([KUHN, KUHN], [[1, 1, 1]], "weights must be those of two players; got 1"),
        ([KUHN, KUHN], [[1, 1], [1, 1, 1]], "weights must be 3 finite numbers.* player 0"),
        ([KUHN, KUHN], [[1, 1, 1], [1, 1, -1]], "weights must be 3 finite numbers.* player 1"),
        ([[[0]], [[0]]], None, "no two hands .* can be dealt together"),
        ([KUHN, KUHN], [[1, 0, 0], [1, 0, 0]], "no two hands .* can be dealt together"),
    ],
)
def test_deals_that_are_refused(hands, weights, match):
    with pytest.raises(eq.GameError, match=f"^Deal: {match}"):
        Deal(hands, weights, cards=3)


def test_a_deck_has_a_number_of_cards():
    with pytest.raises(
        eq.GameError, match=r"^Deal: cards must be a whole number, 0 or more; got -1"
    ):
        Deal([KUHN, KUHN], cards=-1)


class Dense:
    """A public game with its deal, and the cards that it shows, written out as matrices."""

    def __init__(self, game):
        self._game, self._deal = game, game.prior()

    def __getattr__(self, name):
        return getattr(self._game, name)

    def __str__(self):
        return str(self._game)

    def prior(self):
        return self._deal.matrix()

    def probabilities(self, state):
        return [self._deal.probability(outcome) for outcome in self._game.probabilities(state)]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(cards=20, ante=2)", "leduc(merge_suits=False)"])
def test_both_ways_of_dealing_are_the_same_compiled_game(spec):
    game = eq.load(spec).public_states()
    assert isinstance(game.prior(), Deal)
    one, other = compile_public(game), compile_public(Dense(game))
    assert one.fingerprint == other.fingerprint
    assert one.histories == other.histories
    for mine, theirs in zip(one.terminal_payoffs, other.terminal_payoffs, strict=True):
        assert np.array_equal(mine, theirs)
    assert np.array_equal(one.joint_hands.prior, other.joint_hands.prior)
    results = [eq.solve(g, form="public", iterations=20) for g in (game, Dense(game))]
    assert np.array_equal(*(result.strategy.probabilities for result in results))
    assert eq.compile_game(game).histories == one.histories


class Sums:
    """Two cards of six each, one more is shown; whose sum is farther from it wins the product of the bets."""

    cards = 6

    def __init__(self):
        self.pairs = list(combinations(range(self.cards), 2))
        self.hands = [[f"{a}-{b}" for a, b in self.pairs]] * 2

    def prior(self):
        return Deal([self.pairs, self.pairs], cards=self.cards)

    def start(self):
        return ()

    def player(self, state):
        return (0, eq.CHANCE, 1, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return list(range(self.cards)) if len(state) == 1 else [1, 2]

    def probabilities(self, state):
        return [Reveal([card], 1 / (self.cards - 4)) for card in range(self.cards)]

    def next(self, state, action):
        return (*state, action)

    def payoff(self, state):
        sums = [abs(a + b - state[1]) for a, b in self.pairs]
        stake = state[0] * state[2]
        return eq.Showdown((sums, sums), win=stake, lose=-stake)


@pytest.mark.slow
def test_a_game_of_two_cards_and_one_that_is_shown():
    form = eq.check_game(Sums())
    assert form.histories == eq.compile_game(Sums()).histories
    public, exact = eq.solve(Sums(), form="public", until=1e-5), eq.exact(Sums())
    assert public.value[0] == pytest.approx(exact.value[0], abs=1e-5)


def test_what_is_wrong_with_cards_that_are_shown():
    class Wrong(Sums):
        reveal = Reveal([0], 0.5)

        def probabilities(self, state):
            return [self.reveal] * self.cards

    for reveal, match in (
        (Reveal([6], 0.5), "A Reveal shows cards from 0 to 5"),
        (Reveal([0], 1.5), "A Reveal shows cards from 0 to 5 with a probability from 0 to 1"),
        (Reveal([0], 0.5), "must sum to 1 for each pair of hands"),
    ):
        Wrong.reveal = reveal
        with pytest.raises(eq.GameError, match=match):
            eq.check_game(Wrong())

    class Hidden(Sums):
        def prior(self):
            return super().prior().matrix()

    with pytest.raises(eq.GameError, match=r"shows cards, so prior\(\) must return a Deal"):
        eq.check_game(Hidden())
