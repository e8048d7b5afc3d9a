"""Push or fold, its table of all-in wins, and prizes; referees: a linear programme written here, enumeration."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS
from equilibrist.poker.cards.hand_ranks import strengths
from equilibrist.poker.preflop import all_in as module
from equilibrist.poker.preflop.all_in import BOARDS, load_all_in

COMBOS = np.bincount(CLASS_OF_HAND)
NUMBERS = {
    5: (0.056200670, 71.484, 62.068),
    8: (-0.004137472, 61.863, 44.973),
    10: (-0.045370753, 58.284, 37.376),
    15: (-0.127226999, 45.655, 28.547),
}


def index(name):
    return CLASSES.index(name)


def referee(stack):
    """Return value, pushes and calls by a linear programme of 338 variables, from the table of equities alone."""
    table = load_all_in()
    prior = table.pairs / table.pairs.sum()
    called = prior * stack * (2 * table.equity - 1)
    cost = np.concatenate(
        [-0.5 * prior.sum(axis=1), -np.ones(169)]
    )  # minus what pushing adds to -0.5, and v
    upper = np.block([[-called.T, np.eye(169)], [-prior.T, np.eye(169)]])
    bounds = [(0, 1)] * 169 + [(None, None)] * 169
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    result = linprog(cost, upper, np.zeros(338), bounds=bounds, method="highs", options=options)
    calls = -result.ineqlin.marginals[:169]
    return -0.5 - result.fun, result.x[:169], calls


@pytest.mark.parametrize(
    ("hand", "other", "equity"),
    [
        ("AA", "KK", 0.819460505),
        ("AKs", "QQ", 0.460485258),
        ("AKo", "22", 0.473508355),
        ("JTs", "22", 0.538384101),
    ],
)
def test_all_in_equities_are_those_that_are_published(hand, other, equity):
    table = load_all_in().equity
    assert table[index(hand), index(other)] == pytest.approx(equity, abs=5e-10)
    assert table[index(other), index(hand)] == pytest.approx(1 - equity, abs=5e-10)


def test_the_table_counts_each_pair_and_board_once():
    table = load_all_in()
    assert table.pairs.sum() == 1326 * 1225
    assert (table.ties >= 0).all()
    assert (table.ties == table.ties.T).all()
    assert (table.wins + table.wins.T + table.ties == table.pairs * BOARDS).all()


def test_the_table_agrees_with_random_boards():
    rng = np.random.default_rng(1)
    boards = np.array([rng.choice(52, 5, replace=False) for _ in range(4_000)])
    names = ("A5s", "K9o", "77", "T8s", "32o")
    hands = np.flatnonzero(np.isin(CLASS_OF_HAND, [index(name) for name in names]))
    ranked = strengths(boards, HANDS[hands])
    possible = ~(HANDS[hands][None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
    for name in names:
        for other in names:
            first, second = (
                np.flatnonzero(CLASS_OF_HAND[hands] == index(each)) for each in (name, other)
            )
            apart = ~(
                HANDS[hands[first]][:, None, :, None] == HANDS[hands[second]][None, :, None, :]
            ).any(axis=(2, 3))
            dealt = possible[:, first, None] & possible[:, None, second] & apart
            sign = np.sign(ranked[:, first, None].astype(int) - ranked[:, None, second])
            sampled = (0.5 + 0.5 * sign)[dealt].mean()
            assert load_all_in().equity[index(name), index(other)] == pytest.approx(
                sampled, abs=0.02
            )


def test_a_damaged_table_is_refused(tmp_path, monkeypatch):
    damaged = bytearray(module.FILE.read_bytes())
    damaged[5_000] ^= 1
    path = tmp_path / "all_in.npy"
    path.write_bytes(damaged)
    monkeypatch.setattr(module, "FILE", path)
    with pytest.raises(eq.GameError, match="damaged"):
        load_all_in.__wrapped__()
    monkeypatch.setattr(module, "FILE", tmp_path / "none.npy")
    with pytest.raises(eq.GameError, match="install"):
        load_all_in.__wrapped__()


@pytest.mark.thinned(4)
@pytest.mark.parametrize("stack", NUMBERS)
def test_values_and_percentages_of_push_or_fold(stack):
    value, pushed, called = NUMBERS[stack]
    exact_value, pushes, calls = referee(stack)
    assert exact_value == pytest.approx(value, abs=1e-8)
    assert 100 * pushes @ COMBOS / 1326 == pytest.approx(pushed, abs=1e-3)
    assert 100 * calls @ COMBOS / 1326 == pytest.approx(called, abs=1e-3)
    solution = eq.solve(f"push_fold(stack={stack})", until=1e-6)
    assert solution.value[0] == pytest.approx(value, abs=2e-6)
    cfr = np.array([solution.strategy[0, name]["push"] for name in CLASSES])
    assert (np.abs(cfr - pushes) < 0.02).sum() >= 167  # all but hands that mix


def test_the_hands_that_mix_at_ten_big_blinds():
    _, pushes, calls = referee(10)
    mixed = [
        {CLASSES[k]: row[k] for k in np.flatnonzero((row > 1e-6) & (row < 1 - 1e-6))}
        for row in (pushes, calls)
    ]
    assert mixed == [
        {"43s": pytest.approx(0.711, abs=5e-4)},
        {"Q6s": pytest.approx(0.403, abs=5e-4)},
    ]


@pytest.mark.slow
def test_exact_agrees():
    solution = eq.exact("push_fold")
    assert solution.value[0] == pytest.approx(NUMBERS[10][0], abs=1e-8)
    assert solution.strategy[0, "43s"]["push"] == pytest.approx(0.711, abs=5e-4)


def test_push_or_fold_compiles_to_the_public_form_with_exact_card_removal():
    game = eq.load("push_fold(stack=8, ante=0.1, bb_ante=1)")
    assert str(game) == "push_fold(stack=8, ante=0.1, bb_ante=1)"
    form = eq.compile_public(game)
    assert form.num_infosets == 338
    pairs = {(0, "AA"): 6 * 1225, (1, "AKo"): 12 * 1225}
    prior = game.prior() * 1326 * 1225
    assert prior.sum(axis=1)[index("AA")] == pytest.approx(pairs[0, "AA"])
    assert prior.sum(axis=0)[index("AKo")] == pytest.approx(pairs[1, "AKo"])
    assert prior[index("AA"), index("AA")] == pytest.approx(6)  # of aces one other pair is left


@pytest.mark.slow
def test_antes_are_dead_money():
    game = eq.load("push_fold(stack=8, ante=0.1, bb_ante=1)")
    fold, steal, call = (game.payoffs_of_hands(state) for state in (4, 3, 2))
    assert fold == pytest.approx((-0.6, 0.6))
    assert steal == pytest.approx((2.1, -2.1))
    equity = load_all_in().equity
    # 6.9 each after the antes, and 1.2 of antes in the pot
    assert call[0] == pytest.approx(equity * (2 * 6.9 + 1.2) - 7.0)
    assert call[0] + call[1] == pytest.approx(np.zeros((169, 169)), abs=1e-12)


def test_prizes_of_two_players_scale_the_chips():
    chips = eq.solve("push_fold(stack=10)", until=1e-4, iterations=300).value[0]
    money = eq.solve("push_fold(stack=10, payouts=[100, 60])", until=2e-4, iterations=300).value[0]
    assert money == pytest.approx(chips * 40 / 20, abs=1e-3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("seats=1", "2 to 9"),
        ("stack=0.5", "1 or more"),
        ("stack='x'", "number of big blinds"),
        ("ante=-1", "0 or more"),
        ("payouts=[1, 2, 3]", "3 prizes for 2 players"),
        ("payouts=[1, 2]", "payouts: prizes are those of the first place.* do not rise"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message) as error:
        eq.load(f"push_fold({settings})")
    assert error.value.wrong_use


def by_orders(stacks, prizes):
    """Return the worth of stacks by enumeration of all finishing orders."""
    worth = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        probability, left = 1.0, sum(stacks)
        for player in order:
            probability *= stacks[player] / left if left else 1.0
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += probability * prize
    return worth


@pytest.mark.parametrize(
    ("stacks", "prizes"),
    [
        ((50, 30, 20), (50, 30, 20)),
        ((7, 1, 4, 2, 9), (10, 6, 1)),
        ((3, 5), (1,)),
        ((4, 4, 2, 1), (8, 4, 2, 1)),
    ],
)
def test_icm_is_the_mean_over_finishing_orders(stacks, prizes):
    assert eq.poker.icm(stacks, prizes) == pytest.approx(by_orders(stacks, prizes), abs=1e-12)


def by_sets(stacks, prizes):
    """Return the worth of stacks by the probability of each set of players, as bits, to take the first places."""
    players = range(len(stacks))
    worth = np.zeros(len(stacks))
    first = {0: 1.0}
    for prize in prizes:
        following = {}
        for out, probability in first.items():
            left = [player for player in players if not out >> player & 1]
            chips = sum(stacks[player] for player in left)
            for player in left:
                share = probability * stacks[player] / chips
                worth[player] += share * prize
                following[out | 1 << player] = following.get(out | 1 << player, 0.0) + share
        first = following
    return worth


@pytest.mark.parametrize("prizes", [1, 4, 12])
def test_icm_of_twelve_players_is_the_sum_over_sets(prizes):
    stacks = [9, 1, 30, 0.25, 4, 4, 17, 2, 1e-6, 8, 120, 5]
    money = [50, 30, 20, 12, 9, 7, 7, 7, 4, 4, 3, 1][:prizes]
    assert eq.poker.icm(stacks, money) == pytest.approx(by_sets(stacks, money), rel=1e-12)


@pytest.mark.slow
def test_icm_of_four_hundred_players():
    """The second place in closed form: Σ_j s_j / T · s_i / (T − s_j) over the others, who are first."""
    stacks = np.random.default_rng(1).exponential(size=400)
    total = stacks.sum()
    first = stacks / total
    ahead = first / (total - stacks)
    second = stacks * (ahead.sum() - ahead)
    assert eq.poker.icm(stacks, [100, 60]) == pytest.approx(100 * first + 60 * second, rel=1e-12)
    every = eq.poker.icm(stacks, np.ones(400))
    assert every == pytest.approx(np.ones(400), rel=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1.7e307, 1e-290, 5e-324])
def test_icm_is_in_the_unit_of_the_prizes(unit):
    """Sums of prizes near the largest number overflow, and no stack is worth more than the first prize."""
    prizes = np.array([10, 6, 2]) * unit
    worth = eq.poker.icm([0, 5, 0], prizes)
    assert worth == pytest.approx([prizes[1:].mean(), prizes[0], prizes[1:].mean()], rel=1e-12)
    assert worth.max() <= prizes[0]
    assert eq.poker.icm([1, 1], [1.7e308, 1.7e308]).tolist() == pytest.approx([1.7e308] * 2)


def test_icm_of_the_textbook():
    assert eq.poker.icm([50, 30, 20], [50, 30, 20]) == pytest.approx(
        [38.392857, 32.75, 28.857143], abs=5e-7
    )
    assert eq.poker.icm([0, 5, 0], [10, 6, 2]) == pytest.approx([4, 10, 4])


@pytest.mark.parametrize(
    ("stacks", "prizes", "message"),
    [
        ([], [], "stacks"),
        ([0, 0], [1], "somebody has chips"),
        ([1, -1], [1], "0 or more"),
        ([1], [1, 2], "2 prizes"),
    ],
)
def test_icm_refuses_what_is_no_tournament(stacks, prizes, message):
    with pytest.raises(eq.GameError, match=message):
        eq.poker.icm(stacks, prizes)
