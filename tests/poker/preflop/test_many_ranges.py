"""Push or fold by ranges; referees: the exact games of two and three seats, and seats that always fold."""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS, parse_cards
from equilibrist.poker.cards.hand_ranks import strength_of
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


def one_class(*names):
    """Return a range of some classes, as probabilities of all."""
    return np.array([float(name in names) for name in CLASSES])


def combos_of(*names):
    """Return all hands of some classes, as pairs of cards."""
    return [set(HANDS[number].tolist()) for number in np.flatnonzero(is_class(names))]


def is_class(names):
    return np.isin(np.array(CLASSES)[CLASS_OF_HAND], names)


def table_of(seats, prizes=None, **settings):
    """Return the game of a table."""
    stakes = read_stakes("game", seats=seats, stack=settings.pop("stack", 10), **settings)
    return ManyRanges("game", stakes, prizes)


RANGES = ("AA", "AKs", "72o"), ("KK", "AKo", "AQs", "33")
"""Two ranges that hold the same cards in part."""


def test_moves_are_counted_hand_by_hand():
    """How likely others move by one's own class, and how much that depends on each other: by all hands and pairs."""
    game = table_of(3)
    moves = game.read_moves(np.stack([one_class(*names) for names in RANGES]))
    nodes = len(RANGES)
    held = [combos_of(*names) for names in RANGES]
    everything = [set(hand.tolist()) for hand in HANDS]
    for name in ("AA", "AQs", "72o"):
        own = combos_of(name)[0]
        others = [hand for hand in everything if not hand & own]
        for node, combos in enumerate(held):
            goes = sum(not hand & own for hand in combos) / len(others)
            at = CLASSES.index(name)
            assert moves.conditional[node, at] == pytest.approx(goes, abs=1e-12)
            assert moves.conditional[nodes + node, at] == pytest.approx(1 - goes, abs=1e-12)
    pairs = 1326 * 1225
    shares = [len(combos) / 1326 for combos in held]
    both = sum(not one & other for one in held[0] for other in held[1]) / pairs
    joint = {
        (0, 1): both,
        (0, 3): shares[0] - both,
        (2, 1): shares[1] - both,
        (2, 3): 1 - shares[0] - shares[1] + both,
    }
    alone = [*shares, *(1 - share for share in shares)]
    for (one, other), likely in joint.items():
        assert moves.factor[one, other] == pytest.approx(likely / (alone[one] * alone[other]))
        assert moves.factor[other, one] == pytest.approx(moves.factor[one, other])
    nobody = game.read_moves(np.zeros((2, len(CLASSES))))
    assert nobody.factor[:2] == pytest.approx(1.0)


def test_hands_win_and_tie_as_often_as_published():
    """AA against KK and AKs against 72o: the odds of any table of all-ins."""
    moves = table_of(3).read_moves(np.stack([one_class("KK"), one_class("72o")]))
    aces, ace_king = CLASSES.index("AA"), CLASSES.index("AKs")
    assert moves.win[0, aces] == pytest.approx(0.8171, abs=5e-4)
    assert moves.tie[0, aces] == pytest.approx(0.0046, abs=5e-4)
    assert moves.equity[1, ace_king] == pytest.approx(0.6757, abs=0.02)


def test_lines_weigh_the_product_of_moves_and_their_factors():
    game = table_of(4)
    rng = np.random.default_rng(2)
    moves = game.read_moves(rng.random((len(game.betting.lines), len(CLASSES))))
    nodes = len(moves.push)
    lines = game.betting.lines_after(0, module.PUSH)
    weights = game.line_weights(moves, lines)
    for line, weight in zip(lines, weights, strict=True):
        places = [
            node if move == module.PUSH else nodes + node
            for node, move in zip(line.nodes, line.moves, strict=True)
        ]
        expected = np.ones(len(CLASSES))
        for number, place in enumerate(places):
            expected = expected * moves.conditional[place]
            for before in places[:number]:
                expected = expected * moves.factor[before, place]
        assert weight == pytest.approx(expected, rel=1e-12)
    assert weights.sum(axis=0) == pytest.approx(1.0, abs=0.01)


def line_of(game, shown):
    """Return the line after the first seat went all-in, in which those who are shown call and others fold."""
    lines = game.betting.lines_after(0, module.PUSH)
    return next(line for line in lines if line.shown == shown)


def test_pots_of_one_and_two_are_paid_by_hand():
    """Blinds of 0.5 and 1 are in the middle; stacks of 10 and 7, so that who loses to the shorter one keeps 3."""
    game = table_of(4, stacks=[10, 7, 10, 10])
    moves = game.read_moves(np.stack([one_class("KK")] * len(game.betting.lines)))
    lines = [line_of(game, ()), line_of(game, (1,))]
    alone, called = game.values_all_in(moves, 0, lines)
    aces = CLASSES.index("AA")
    assert np.unique(alone) == pytest.approx([1.5])
    win, tie = moves.win[0, aces], moves.tie[0, aces]
    expected = win * (7 + 1.5) + tie * 0.75 - (1 - win - tie) * 7
    assert called[aces] == pytest.approx(expected, abs=1e-12)


def test_a_pot_of_three_is_shared_as_the_table_says():
    """Of the same stacks: the share of AA against KK and QQ in all deals of three, of a pot of 30 and the blinds."""
    game = table_of(4, stack=10)
    push = np.stack([one_class("KK")] * len(game.betting.lines))
    line = line_of(game, (1, 3))
    push[line.nodes[line.shown.index(3) + 1]] = one_class("QQ")
    moves = game.read_moves(push)
    (value,) = game.values_all_in(moves, 0, [line])
    aces, kings, queens = (CLASSES.index(name) for name in ("AA", "KK", "QQ"))
    share = module.load_three_way().share[aces, kings, queens]
    assert value[aces] == pytest.approx(share * (20 + 0.5) - (1 - share) * 10, abs=1e-12)
    assert share == pytest.approx(0.665, abs=0.01)


def test_hands_win_against_many_as_often_as_in_deals():
    """AA and 72o against three and five random hands: 200,000 deals of each were compared hand by hand."""
    equity = (module._load_tables().pairs * module.load_all_in().equity).sum(axis=1)
    aces, worst = CLASSES.index("AA"), CLASSES.index("72o")
    three, five = (module._share_of_many(np.stack([equity] * others)) for others in (3, 5))
    assert three[[aces, worst]] == pytest.approx([0.6395, 0.1415], abs=0.01)
    assert five[[aces, worst]] == pytest.approx([0.4892, 0.0875], abs=0.02)


@cache
def count_orders(names, deals=100_000):
    """Return how hands of two cards rank on random boards, best first and ties together, and how often each way."""
    rng = np.random.default_rng(4)
    held = np.array([parse_cards(name) for name in names])
    left = np.setdiff1d(np.arange(52), held)
    boards = rng.permuted(np.tile(left, (deals, 1)), axis=1)[:, :5]
    strengths = np.stack(
        [strength_of(np.concatenate([boards, np.tile(hand, (deals, 1))], axis=1)) for hand in held],
        axis=1,
    )
    num_better = (strengths[:, None, :] > strengths[:, :, None]).sum(axis=2)  # (deals, seats)
    orders = {}
    for row, count in Counter(map(tuple, num_better.tolist())).items():
        ranking = tuple(
            tuple(seat for seat, better in enumerate(row) if better == level)
            for level in sorted(set(row))
        )
        orders[ranking] = count / deals
    return orders


def order_worths(game, names):
    """Return what the first seat of some hands earns on average over random boards, all-in."""
    orders = count_orders(names)
    return sum(share * game.worth(ranking, 0) for ranking, share in orders.items())


@pytest.mark.parametrize("stacks", list(itertools.permutations((4, 7, 12))), ids=str)
def test_orders_of_three_are_paid_as_in_deals(stacks):
    """With prizes and unequal stacks it matters who is second: 100,000 boards, by the worth of each order."""
    game = table_of(4, [60, 25, 15], stacks=[*stacks, 9])
    line = line_of(game, (1, 2))
    for first, second, own, cards, error in (
        ("KK", "QQ", "AA", ("AcAd", "KhKs", "QcQd"), 0.32),
        ("KK", "QQ", "JTs", ("JcTc", "KhKs", "QdQs"), 0.5),
        ("72o", "QQ", "KK", ("KcKd", "7h2s", "QhQs"), 0.32),
        ("KK", "KK", "AA", ("AcAd", "KcKd", "KhKs"), 0.7),  # who wins more often than against one
    ):
        push = np.zeros((len(game.betting.lines), len(CLASSES)))
        push[line.nodes[0]] = one_class(first)
        push[line.nodes[1]] = one_class(second)
        (value,) = game.values_all_in(game.read_moves(push), 0, [line])
        told = value[CLASSES.index(own)]
        assert told == pytest.approx(order_worths(game, cards), abs=error), own


def test_nobody_is_met_by_a_range_that_is_empty():
    game = table_of(4)
    kings = one_class("KK")
    for first, second in ((kings, 0 * kings), (0 * kings, kings)):
        assert game._share_of_other(first, second) == pytest.approx(1 / 3)


def test_all_deals_of_three_hands_are_counted():
    assert module._load_tables().deals.sum() == 1326 * 1225 * 1128


def test_four_of_different_stacks_are_paid_by_hand():
    """Who has 12 wins 4, 7 and 10, or loses the 10 that others can call, whoever wins."""
    game = table_of(4, stacks=[12, 4, 7, 10])
    moves = game.read_moves(np.stack([one_class("KK", "QQ", "JTs")] * len(game.betting.lines)))
    (value,) = game.values_all_in(moves, 0, [line_of(game, (1, 2, 3))])
    share = module._share_of_many(np.stack([moves.equity[0]] * 3))
    assert value == pytest.approx(share * 21 - (1 - share) * 10, abs=1e-12)


def test_four_all_in_are_paid_by_their_shares():
    """Who wins takes the three other stacks and no blind is dead, who loses 10: all three others called."""
    game = table_of(4, stack=10)
    moves = game.read_moves(np.stack([one_class("KK", "QQ", "JTs")] * len(game.betting.lines)))
    line = line_of(game, (1, 2, 3))
    (value,) = game.values_all_in(moves, 0, [line])
    share = module._share_of_many(np.stack([moves.equity[0]] * 3))
    assert value == pytest.approx(share * 30 - (1 - share) * 10, abs=1e-12)


def test_who_folds_is_worth_what_others_pots_leave():
    """Prizes of 50, 30 and 20 in a table of four: AA against KK, two and three all-in, by the worth of all stacks."""
    prizes = [50, 30, 20]
    game = table_of(4, prizes, stacks=[10, 10, 10, 10])
    push = np.stack([one_class("KK")] * len(game.betting.lines))
    lines = game.betting.lines_after(0, module.FOLD)
    by_shown = {line.shown: line for line in lines}
    for node in {by_shown[1, 2].nodes[0], by_shown[1, 2, 3].nodes[0]}:
        push[node] = one_class("AA")
    moves = game.read_moves(push)
    values = game.values_folded(moves, 0, [by_shown[()], by_shown[1,], by_shown[1, 2]])

    def worth(*stacks):
        return eq.poker.icm(stacks, prizes)[0] - 25  # what four equal stacks are worth

    aces, kings = CLASSES.index("AA"), CLASSES.index("KK")
    equity = module.load_all_in().equity[aces, kings]
    # the small blind, seat 2, has put in 0.5 and the big blind 1
    assert values[0] == pytest.approx(worth(10, 10, 9.5, 10.5), abs=1e-9)
    assert values[1] == pytest.approx(worth(10, 11.5, 9.5, 9), abs=1e-9)
    won = worth(10, 21, 0, 9)
    lost = worth(10, 0, 21, 9)
    assert values[2] == pytest.approx(equity * won + (1 - equity) * lost, abs=1e-9)
    (of_three,) = game.values_folded(moves, 0, [by_shown[1, 2, 3]])
    assert of_three == pytest.approx(worth(10, 30, 0, 0), abs=1e-9)  # whoever wins has all
    assert module._mean_equity(one_class("AA"), one_class("KK")) == pytest.approx(0.8194, abs=5e-4)


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
