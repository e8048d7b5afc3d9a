"""Push or fold with four to nine seats; referees: hands ranked five cards at a time, pots split here, the exact games
of two and three seats.
"""

import random
from itertools import combinations, product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import AlgorithmError
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.games.compile import compile_any
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, hand_index
from equilibrist.poker.cards.hand_ranks import rank_of_five, strength_of
from equilibrist.poker.preflop.many_handed import CARDS, ManyHanded, strength
from equilibrist.poker.preflop.three_handed import Table, ThreeHanded
from support.pots import share_chips


def played(game, rng, goes):
    """Return the cards in the order in which they were dealt, who is all-in, and the payoffs of a random play."""
    state, dealt, shown = game.start(), [], []
    while (player := game.player(state)) != TERMINAL:
        actions = game.actions(state)
        action = rng.choice(actions) if player == CHANCE else actions[rng.random() > goes]
        if player == CHANCE:
            assert game.probabilities(state) == pytest.approx(
                [1 / (52 - len(dealt))] * (52 - len(dealt))
            )
            assert set(actions) == set(range(52)) - set(dealt)
            dealt.append(action)
        else:
            hand = hand_index(*dealt[2 * player : 2 * player + 2])
            assert game.infoset(state).split()[0] == CLASSES[CLASS_OF_HAND[hand]]
            shown += [player] if game.action_label(state, action) != "fold" else []
        state = game.next(state, action)
    return dealt, shown, game.payoffs(state)


def rank_of_seven(cards):
    """Return the rank of the best five of seven cards."""
    best_five = (
        rank_of_five([card // 4 for card in five], len({card % 4 for card in five}) == 1)
        for five in combinations(cards, 5)
    )
    return max(best_five)


def earned(stakes, dealt, shown, payouts):
    """Return what each player earns, from the cards and who is all-in: by chips that go into a pot one by one."""
    seats = len(stakes.stacks)
    assert len(dealt) == 2 * seats + 5 * (len(shown) > 1)
    ranking = [shown or [seats - 1]]
    if len(shown) > 1:
        board = dealt[2 * seats :]
        ranks = {
            player: rank_of_seven(dealt[2 * player : 2 * player + 2] + board) for player in shown
        }
        ranking = [
            [player for player in shown if ranks[player] == rank]
            for rank in sorted(set(ranks.values()), reverse=True)
        ]
    gains = share_chips(stakes, ranking)
    if payouts is None:
        return gains - stakes.dead / seats
    before = eq.poker.icm(stakes.stacks, payouts)
    return eq.poker.icm(np.maximum(stakes.stacks + gains, 0), payouts) - before


@pytest.mark.parametrize("seats", [2, 3, pytest.param(9, marks=pytest.mark.slow)])
def test_what_is_paid(seats):
    rng, several = random.Random(seats), 0
    unequal = [4 + 7 * player % 5 for player in range(seats)]
    for changed in (
        {"stack": 8, "ante": 0.125, "bb_ante": 0.5},
        {"stack": 8, "payouts": [5, 3, 1.5][:seats]},
        {"stacks": unequal, "straddle": 2, "dead": 0.75},
    ):
        game = ManyHanded(seats=seats, **changed)
        for _ in range(25):
            dealt, shown, paid = played(game, rng, goes=0.65)
            expected = earned(game.stakes, dealt, shown, changed.get("payouts"))
            assert paid == pytest.approx(expected, abs=1e-11)
            assert sum(paid) == pytest.approx(0, abs=1e-12)
            several += len(shown) > 2
    assert several > 5 or seats == 2


def test_strengths_are_those_of_the_tables():
    game, rng = ManyHanded(seats=2), random.Random(5)
    flushes = [[suit + 4 * rank for rank in rng.sample(range(13), 5)] for suit in range(4)]
    hands = [
        (flush + rng.sample([card for card in range(52) if card not in flush], 4))
        for flush in flushes
    ]
    hands += [rng.sample(range(52), 9) for _ in range(200)]
    for cards in hands:
        state = [0] * CARDS + cards
        both = np.array([[*cards[2 * player : 2 * player + 2], *cards[4:]] for player in (0, 1)])
        assert [strength(game.parameters, state, player) for player in (0, 1)] == strength_of(
            both
        ).tolist()


def test_pots_that_are_split():
    """The board plays: two, three and four share."""
    game, board = ManyHanded(seats=4, stack=10), (51, 47, 43, 39, 35)  # As to Ts
    for shown in product((True, False), repeat=4):
        state = game.start()
        for card in range(8):
            state = game.next(state, card)
        for goes in shown:
            if game.player(state) >= 0:
                state = game.next(state, 0 if goes else 1)
        while game.player(state) == CHANCE:
            state = game.next(state, board[state[1] - 8])
        count, bets = (
            sum(shown),
            [10 * goes or blind for goes, blind in zip(shown, (0, 0, 0.5, 1), strict=True)],
        )
        if count > 1:
            assert game.payoffs(state) == pytest.approx(
                [sum(bets) / count * goes - bet for goes, bet in zip(shown, bets, strict=True)]
            )


def test_infosets_and_actions_are_those_of_three_seats():
    game, exact, keys, rng = ManyHanded(seats=3, stack=10), ThreeHanded(), set(), random.Random(3)
    lines = [line for count in range(3) for line in product(("push", "call", "fold"), repeat=count)]
    for hand, line in product(range(169), lines):
        table = Table((hand,) * 3, line)
        if exact.player(table) == TERMINAL or any(
            move not in exact.actions(Table(table.hands, line[:n])) for n, move in enumerate(line)
        ):
            continue
        player, key = exact.player(table), exact.infoset(table)
        state = game.state_of(player, key)
        assert (game.player(state), game.infoset(state)) == (player, key)
        assert [
            game.action_label(state, action) for action in game.actions(state)
        ] == exact.actions(table)
        keys.add((player, key))
    assert len(keys) == 169 * 6
    for _ in range(200):
        state = game.start()
        while (player := game.player(state)) != TERMINAL:
            assert player == CHANCE or (player, game.infoset(state)) in keys
            state = game.next(state, rng.choice(game.actions(state)))
    for player, name in (
        (2, "AKs fold-fold"),
        (1, "AKs"),
        (0, "AKx"),
        (2, "AKs fold-call"),
        (2, "AKs push-push"),
    ):
        assert game.state_of(player, name) is None


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "stack"), [(2, 10), (3, 6)])
def test_samples_agree_with_the_exact_games(seats, stack):
    """What a strategy earns, and what a best response to it earns, against exact sums over all deals."""
    exact, game = (
        f"push_fold(seats={seats}, stack={stack}, ante=0.1)",
        ManyHanded(seats=seats, stack=stack, ante=0.1),
    )
    rng = np.random.default_rng(1)
    play = {
        (each.player, each.key): dict(zip(each.actions, rng.dirichlet((1, 1)), strict=True))
        for each in compile_any(exact).infosets
    }
    judged, hands = eq.evaluate(exact, play), 50_000
    bound = eq.local_best_response(game, play, hands=hands, samples=hands, seed=1)
    assert bound.lacking == 0
    for player, gain in bound.gains.items():
        assert gain.value - gain.gain == pytest.approx(
            judged.value[player], abs=4 * gain.value_error
        )
        best = judged.best_response_value[player]
        assert best - 0.03 - 4 * gain.value_error < gain.value < best + 4 * gain.value_error


@pytest.mark.slow
def test_a_sampled_run_comes_near_the_equilibrium_of_three_seats():
    run = eq.solve(
        ManyHanded(seats=3, stack=8), sampling="external(tree=False)", iterations=250_000, seed=1
    )
    judged = eq.evaluate(
        "push_fold(seats=3, stack=8)", dict(run.strategy.items()), missing="uniform"
    )
    assert judged.nash_conv < 0.2  # uniform play: above 1.5


def test_a_tree_of_its_deals_is_refused():
    with pytest.raises(eq.GameError, match=r"leave sampling out, or .*external\(tree=False\)"):
        eq.solve("push_fold(seats=4)", sampling="external", iterations=1)
    with pytest.raises(AlgorithmError, match="local_best_response"):
        eq.solve("push_fold(seats=4)", sampling="external(tree=False)", until=0.1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("seats=10", "2 to 9"),
        ("seats=4, stack=0.5", "1 or more"),
        ("seats=4, payouts=[1, 2, 3, 4, 5]", "5 prizes"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message) as error:
        eq.load(f"push_fold({settings})")
    assert error.value.wrong_use
