"""Push or fold by ranges; referees: the exact games of two and three seats, and seats that always fold."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES
from equilibrist.poker.preflop import many_ranges as module
from equilibrist.poker.preflop.heads_up import solve_heads_up
from equilibrist.poker.preflop.many_ranges import Betting, ManyRanges, many_ranges_form
from equilibrist.poker.preflop.stakes import read_stakes
from equilibrist.poker.preflop.three_handed import ThreeHanded
from equilibrist.poker.spot.three_hands import three_hand_form

STRENGTH = np.argsort(np.argsort(-module.load_all_in().equity.mean(axis=1)))  # 0 is the best class


def form_of(seats, prizes=None, **settings):
    """Return the form of a table."""
    stakes = read_stakes("game", seats=seats, stack=settings.pop("stack", 10), **settings)
    return many_ranges_form(ManyRanges("game", stakes, prizes))


def slots_of(form, play):
    """Return a strategy by (player, infoset, action) at the slots of a form."""
    return form.to_slots(
        np.array(
            [play(one.player, one.key, action) for one in form.infosets for action in one.actions]
        )
    )


def best_hands(share):
    """Return a play: the best hands of each infoset, a share of the classes."""

    def play(player, key, action):
        goes = float(STRENGTH[CLASSES.index(key.split()[0])] < share(player, key) * len(CLASSES))
        return 1 - goes if action == "fold" else goes

    return play


@pytest.mark.parametrize("first_seats", [0, 2])
def test_two_seats_are_exact_whoever_folds_before(first_seats):
    """The equilibrium of two, played by the blinds of a table where all others fold."""
    equilibrium = solve_heads_up(eq.load("push_fold(stack=8, ante=0.1)"))
    seats = 2 + first_seats
    # dead money is won, and a share of it taken off each payoff
    form = form_of(seats, stack=8, ante=0.1)
    solved = eq.load("push_fold(stack=8, ante=0.1)")

    def play(player, key, action):
        number = CLASSES.index(key.split()[0])
        goes = 0.0
        if player == seats - 2:
            goes = equilibrium.push[number]
        elif player == seats - 1:
            goes = equilibrium.call[number]
        return 1 - goes if action == "fold" else goes

    result = form.best_responses(slots_of(form, play))
    if first_seats == 0:
        gains = np.subtract(result.best_response_value, result.value)
        assert gains == pytest.approx([0, 0], abs=1e-12)
        prior = solved.prior()
        ends = [solved.payoffs_of_hands(node)[0] for node in (2, 3, 4)]
        push, call = equilibrium.push[:, None], equilibrium.call
        value = push * (call * ends[0] + (1 - call) * ends[1]) + (1 - push) * ends[2]
        assert result.value[0] == pytest.approx((prior * value).sum(), abs=1e-12)
    else:
        assert result.value[:2] == pytest.approx([-0.1, -0.1], abs=1e-12)
    assert sum(result.value) == pytest.approx(0, abs=1e-12)


def test_infosets_are_those_of_the_rules():
    game = eq.load("push_fold(seats=4)")
    betting = Betting(4)
    assert len(betting.lines) == 2**4 - 2
    for node, line in enumerate(betting.lines):
        after, move = betting.words(node)
        state = game.state_of(len(line), f"AKs {after}".strip())
        assert game.action_label(state, 0) == move
    assert len(betting.lines_after(0, module.PUSH)) == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "prizes"),
    [
        ({}, None),
        ({"stacks": [6, 9, 12], "ante": 0.25, "bb_ante": 1}, None),
        ({"stacks": [6, 9, 12]}, [50, 30, 20]),
    ],
)
def test_three_seats_come_near_the_exact_deal(settings, prizes):
    stack = {} if "stacks" in settings else {"stack": 10}
    form = form_of(3, prizes, **stack, **settings)
    game = ThreeHanded(**stack, **settings, payouts=prizes)
    exact = three_hand_form(game.three_hands())
    play = best_hands(lambda player, key: 0.4 if " " not in key else 0.25)
    results = [each.best_responses(slots_of(each, play)) for each in (form, exact)]
    scale = 1 if prizes is None else 3
    assert results[0].value == pytest.approx(results[1].value, abs=0.01 * scale)
    assert results[0].best_response_value == pytest.approx(
        results[1].best_response_value, abs=0.02 * scale
    )


@pytest.mark.slow
def test_four_seats_are_solved():
    solution = eq.solve("push_fold(seats=4, stack=8)", iterations=25)
    assert solution.nash_conv < 0.02
    assert sum(solution.value) == pytest.approx(0, abs=0.02)
    combos = np.bincount(CLASS_OF_HAND)
    pushed = sum(
        solution.strategy[0, hand]["push"] * count
        for hand, count in zip(CLASSES, combos, strict=True)
    )
    assert 0.24 < pushed / combos.sum() < 0.32  # that of the cutoff with six seats


def test_a_share_of_many_is_that_of_random_hands():
    """Of four random hands each wins a quarter on average, of six a sixth."""
    equity = (module._load_tables().pairs * module.load_all_in().equity).sum(axis=1)
    for others in (3, 5):
        share = module._share_of_many(np.stack([equity] * others)) @ module._PRIOR
        assert share == pytest.approx(1 / (others + 1), abs=0.006)
