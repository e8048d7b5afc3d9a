"""Stakes before the flop; referee: pots that are shared chip by chip."""

import random

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.preflop.stakes import read_stakes, seat_names, share_pots, value_chips
from support.pots import CHIPS, share_chips


def random_ranking(rng, seats):
    """Return some players in random groups."""
    shown = rng.sample(range(seats), rng.randint(1, seats))
    ranking = [[shown[0]]]
    for player in shown[1:]:
        if rng.random() < 0.3:
            ranking[-1].append(player)
        else:
            ranking.append([player])
    return ranking


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 6, 9])
def test_pots_are_shared_chip_by_chip(seats):
    rng = random.Random(seats)
    for _ in range(60):
        ante = rng.choice([0, 1 / 8, 1 / 4])
        stakes = read_stakes(
            "game",
            seats=seats,
            stack=10,
            stacks=[5 + rng.randint(0, 6 * CHIPS) / CHIPS for _ in range(seats)],
            ante=ante,
            bb_ante=rng.choice([0, 1]),
            straddle=rng.choice([0, 2]),
            dead=rng.choice([0, 0.75]),
        )
        ranking = random_ranking(rng, seats)
        gains = share_pots(stakes, ranking)
        assert gains == pytest.approx(share_chips(stakes, ranking), abs=1e-9)
        assert gains.sum() == pytest.approx(stakes.dead)
        for prizes in (None, [50, 30][:seats]):
            assert value_chips(stakes, gains, prizes).sum() == pytest.approx(0, abs=1e-9)


def test_who_has_which_blind_and_pays_which_ante():
    stakes = read_stakes("game", seats=4, stack=10, ante=0.1, bb_ante=1, straddle=2, dead=0.3)
    assert stakes.names == seat_names(4, straddle=True) == ("BTN", "SB", "BB", "CO")
    assert stakes.blinds == (0, 0.5, 1, 2)
    assert stakes.antes == pytest.approx((0.1, 0.1, 1.1, 0.1))
    assert stakes.behind == pytest.approx((9.9, 9.9, 8.9, 9.9))
    assert stakes.dead == 0.3
    assert read_stakes("game", seats=2, stack=10, straddle=3).blinds == (3, 1)


def test_unequal_stacks_heads_up_play_for_the_smaller_one():
    """In chips the larger stack does not matter; for prizes it does."""
    equal = eq.solve("push_fold(stack=8)", until=1e-5)
    for stacks in ((8, 30), (30, 8)):
        unequal = eq.solve(f"push_fold(stacks={stacks})", until=1e-5)
        assert unequal.value == pytest.approx(equal.value, abs=1e-5)
    game = eq.load("push_fold(stacks=[8, 30], payouts=[50, 30])")
    won, lost = game.payoffs_of_hands(3)  # the big blind folds
    expected = eq.poker.icm([9, 29], [50, 30]) - eq.poker.icm([8, 30], [50, 30])
    assert (won, lost) == pytest.approx(tuple(expected))


def test_antes_of_those_who_have_folded_are_won_with_the_pot():
    """Payoffs are less half of them: stealing the blinds and 0.6 wins 1 + 0.6 − 0.3, and a fold −0.5 − 0.3."""
    game = eq.load("push_fold(dead=0.6)")
    stolen, folded = (game.payoffs_of_hands(node) for node in (3, 4))
    assert stolen == pytest.approx((1.3, -1.3))
    assert folded == pytest.approx((-0.8, 0.8))
    more, less = (eq.solve(f"push_fold(dead={dead})", until=1e-4) for dead in (1.5, 0))
    assert more.value[0] > less.value[0]
    preflop = eq.poker.Preflop(stack=20, sizes="100%; a", dead=1)
    assert preflop.nodes[0].actions == (
        "F",
        "C",
        "R4",
    )
    assert preflop.after(preflop.nodes[preflop.find("C-X")])["pot"] == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("stacks=[5, 6, 7]", r"stacks must be 2 numbers of big blinds, those of SB, BB; got"),
        ("seats=4, stacks=[5, 6, 7, 0.5]", r"the stack of BB must be .*, 1 or more; got 0.5"),
        ("seats=3, stacks=[5, 6, 7], stack=8", r"give stack, .* or stacks, .*; got stack=8"),
        ("seats=4, stacks=[5, 6, 7, 8], straddle=6", r"the stack of BTN must be .*, 6 or more"),
        ("dead=-1", r"dead must be a number of big blinds, 0 or more; got -1"),
        ("seats=4, stacks=[5, 6, 7, 8], payouts=[1]", r"prizes go with equal stacks"),
    ],
)
def test_wrong_stakes_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(f"push_fold({settings})")
    assert refused.value.wrong_use


def test_a_straddle_of_four_seats_acts_last():
    game = eq.load("push_fold(seats=4, straddle=2, stacks=[8, 9, 10, 11])")
    assert str(game) == "push_fold(seats=4, stacks=[8, 9, 10, 11], straddle=2)"
    state = game.start()
    for card in range(8):
        state = game.next(state, card)
    for _ in range(3):
        state = game.next(state, 1)
    assert game.player(state) == eq.TERMINAL
    assert game.payoffs(state) == pytest.approx([0, -0.5, -1, 1.5])


@pytest.mark.slow
def test_side_pots_of_three_hands_in_the_mean():
    """In chips: a main pot by the shares of three, and a side pot of two by those of both."""
    from equilibrist.poker.cards.cards import CLASSES
    from equilibrist.poker.preflop.all_in import load_all_in
    from equilibrist.poker.preflop.three_handed import Table, ThreeHanded
    from equilibrist.poker.preflop.three_way import load_three_way

    hands = tuple(map(CLASSES.index, ("QQ", "AKs", "T9s")))
    share = load_three_way().share
    shares = np.array([share[hands], share[hands[1], hands[0], hands[2]], 0])
    shares[2] = 1 - shares.sum()
    equity = load_all_in().equity
    for stacks, short in (((4, 9, 11), 0), ((9, 4, 11), 1), ((9, 11, 4), 2)):
        game = ThreeHanded(stacks=stacks, dead=0.9)
        both = [player for player in range(3) if player != short]
        side = equity[hands[both[0]], hands[both[1]]]
        expected = (12 + 0.9) * shares - 4 - 0.3
        expected[both] += 10 * np.array([side, 1 - side]) - 5
        paid = game.payoffs(Table(hands, ("push", "call", "call")))
        assert paid == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_prizes_of_three_unequal_stacks():
    """The mean over orders of what stacks are worth, whose probabilities sum to the tables' shares."""
    from equilibrist.poker.cards.cards import CLASSES
    from equilibrist.poker.preflop.all_in import load_all_in
    from equilibrist.poker.preflop.three_handed import Table, ThreeHanded
    from equilibrist.poker.preflop.three_way import load_three_way

    names = ("JJ", "A5s", "A4o")
    hands = tuple(map(CLASSES.index, names))
    stacks, prizes = (4, 7, 12), [50, 30, 20]
    game = ThreeHanded(stacks=stacks, payouts=prizes)
    table, equity = load_three_way(), load_all_in().equity
    share = {}
    for player in range(3):
        others = [hands[other] for other in range(3) if other != player]
        share[player] = table.share[(hands[player], *others)]

    def worth(ranking):
        return value_chips(game.stakes, share_chips(game.stakes, ranking), prizes)

    expected = np.zeros(3)
    for first in range(3):
        second, third = (player for player in range(3) if player != first)
        before = equity[hands[second], hands[third]] - share[second]
        expected += before * worth([[first], [second], [third]])
        expected += (share[first] - before) * worth([[first], [third], [second]])
    for one, other, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        tie = table.ties[hands[one], hands[other], hands[third]]
        expected += tie * worth([[one, other], [third]])
        for ranking in ([[one], [other], [third]], [[other], [one], [third]]):
            expected -= tie / 2 * worth(ranking)
    paid = game.payoffs(Table(hands, ("push", "call", "call")))
    assert paid == pytest.approx(expected, abs=1e-9)
