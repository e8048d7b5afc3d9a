"""All equilibria: known numbers, the definition tried on every set of labels and supports, Gambit, and trees."""

import inspect
import json
import random
from fractions import Fraction
from itertools import product

import pytest

import equilibrist as eq
from equilibrist.bimatrix import all_equilibria as module
from equilibrist.evaluation.rational import evaluate_in_fractions, walk_in_fractions
from equilibrist.game.protocol import action_label
from equilibrist.games.matrix import Matrix
from support.bimatrix_reference import (
    equilibria_by_supports,
    extreme_equilibria,
    is_equilibrium,
    transposed,
)
from support.random_games import RandomGame

HALF = Fraction(1, 2)
CHICKEN = ([[0, 4], [1, 3]], [[0, 1], [4, 3]])
SEXES = ([[3, 0], [0, 2]], [[2, 0], [0, 3]])
DILEMMA = ([[3, 0], [5, 1]], [[3, 5], [0, 1]])
DEGENERATE = ([[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]])
SEVENTY_FIVE = (
    [
        [9504, -660, 19976, -20526, 1776, -8976],
        [-111771, 31680, -130944, 168124, -8514, 52764],
        [397584, -113850, 451176, -586476, 29216, -178761],
        [171204, -45936, 208626, -263076, 14124, -84436],
        [1303104, -453420, 1227336, -1718376, 72336, -461736],
        [737154, -227040, 774576, -1039236, 48081, -300036],
    ],
    [
        [72336, 48081, 29216, 14124, 1776, -8514],
        [-461736, -300036, -178761, -84436, -8976, 52764],
        [1227336, 774576, 451176, 208626, 19976, -130944],
        [-1718376, -1039236, -586476, -263076, -20526, 168124],
        [1303104, 737154, 397584, 171204, 9504, -111771],
        [-453420, -227040, -113850, -45936, -660, 31680],
    ],
)
"""More than 2⁶ − 1: von Stengel 1999, "New maximal numbers of equilibria in bimatrix games"."""


def identity(size):
    return [[int(i == k) for k in range(size)] for i in range(size)]


def solved(first, second):
    return eq.all_equilibria(Matrix(payoffs=first, payoffs2=second))


def mixtures(result):
    """Return all extreme equilibria as pairs of tuples of probabilities."""
    return [
        tuple(tuple(strategy.values()) for strategy in equilibrium.strategies)
        for equilibrium in result.equilibria
    ]


def random_game(seed, *, height, width, largest):
    rng = random.Random(seed)
    return [
        [[rng.randint(-largest, largest) for _ in range(width)] for _ in range(height)]
        for _ in range(2)
    ]


@pytest.mark.parametrize(
    ("game", "count"),
    [
        ("matching_pennies", 1),
        ("rps", 1),
        ("biased_rps", 1),
        (Matrix(payoffs=SEXES[0], payoffs2=SEXES[1]), 3),
        (Matrix(payoffs=CHICKEN[0], payoffs2=CHICKEN[1]), 3),
        (Matrix(payoffs=DILEMMA[0], payoffs2=DILEMMA[1]), 1),
        (Matrix(payoffs=SEVENTY_FIVE[0], payoffs2=SEVENTY_FIVE[1]), 75),
    ],
)
def test_known_numbers(game, count):
    result = eq.all_equilibria(game)
    assert len(result.equilibria) == len(result.subsets) == len(result.components) == count
    assert not result.is_degenerate


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_pure_coordination_has_an_equilibrium_for_each_set_of_plans(size):
    result = solved(identity(size), identity(size))
    assert len(result.equilibria) == 2**size - 1
    assert result.vertices == (2**size, 2**size)
    for equilibrium in result.equilibria:
        played, played_by_other = equilibrium.supports
        assert [name[1:] for name in played] == [name[1:] for name in played_by_other]
        assert equilibrium.payoffs == (Fraction(1, len(played)),) * 2


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 4), (2, 3), (4, 2)])
def test_where_all_payoffs_are_equal_all_pairs_of_plans_are_extreme(height, width):
    table = [[7] * width] * height
    result = solved(table, table)
    assert len(result.equilibria) == height * width
    everything = tuple(range(height * width))
    assert result.subsets == result.components == (everything,)
    assert all(equilibrium.payoffs == (7, 7) for equilibrium in result.equilibria)


def test_a_continuum_by_hand():
    """Player 0 plays up; both columns then pay player 1 the same, and no mixture of them makes down better."""
    result = solved([[1, 1], [0, 0]], [[1, 1], [1, 0]])
    assert mixtures(result) == [((1, 0), (1, 0)), ((1, 0), (0, 1))]
    assert result.subsets == result.components == ((0, 1),)
    assert result.is_degenerate


def test_an_isolated_equilibrium_beside_a_continuum():
    """The example of lrsnash in the documentation of QuantEcon."""
    result = solved(*DEGENERATE)
    third = Fraction(1, 3)
    assert mixtures(result) == [
        ((1, 0, 0), (1, 0)),
        ((1, 0, 0), (2 * third, third)),
        ((0, third, 2 * third), (third, 2 * third)),
    ]
    assert result.subsets == result.components == ((0, 1), (2,))


def test_a_component_of_several_subsets():
    """Two edges of a square meet in a corner: one player is indifferent along each of them."""
    first, second = [[1, 1], [1, 0]], [[1, 1], [1, 0]]
    result = solved(first, second)
    assert mixtures(result) == [((1, 0), (1, 0)), ((1, 0), (0, 1)), ((0, 1), (1, 0))]
    assert result.subsets == ((0, 1), (0, 2))
    assert result.components == ((0, 1, 2),)


@pytest.mark.thinned(60)
@pytest.mark.parametrize("seed", range(60))
def test_extreme_equilibria_are_those_of_the_definition(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    largest = rng.choice([1, 1, 2, 3, 1000])
    first, second = random_game(seed, height=height, width=width, largest=largest)
    result = solved(first, second)
    listed = mixtures(result)
    assert len(listed) == len(set(listed))
    assert set(listed) == extreme_equilibria(first, second)
    if not result.is_degenerate:
        assert set(listed) == equilibria_by_supports(first, second)
        assert len(listed) % 2 == 1
        assert len(result.components) == len(listed)


@pytest.mark.parametrize("seed", range(12))
def test_all_mixtures_within_a_subset_are_equilibria(seed):
    rng = random.Random(seed)
    first, second = random_game(seed, height=4, width=5, largest=1)
    result = solved(first, second)
    listed = mixtures(result)
    for subset in result.subsets:
        for x, y in product([listed[n][0] for n in subset], [listed[n][1] for n in subset]):
            assert (x, y) in listed
        points = []
        for player in range(2):
            corners = sorted({listed[number][player] for number in subset})
            weights = [Fraction(rng.randint(1, 9)) for _ in corners]
            total = sum(weights)
            points.append(
                [
                    sum(w * p for w, p in zip(weights, column, strict=True)) / total
                    for column in transposed(corners)
                ]
            )
        assert is_equilibrium(first, second, *points)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("largest", [2, 50])
def test_the_unit_of_payoffs_and_constants_change_nothing(seed, largest):
    first, second = random_game(seed, height=3, width=4, largest=largest)
    expected = solved(first, second)
    for factor, unit, constant in (
        (10**12, 1, 0),
        (1, 10**12, 0),
        (1, 10, 0),
        (1, 2**30, 0),
        (1, 1, 7),
        (3, 7, 0),
    ):
        scaled = [[factor * x / unit + constant for x in row] for row in first]
        result = solved(scaled, second)
        assert mixtures(result) == mixtures(expected)
        assert result.subsets == expected.subsets
    shifted = [[x + 3 * j for j, x in enumerate(row)] for row in first]  # by plan of the other
    assert mixtures(solved(shifted, second)) == mixtures(expected)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_have_an_odd_number_of_equilibria(seed):
    first, second = random_game(seed, height=7, width=6, largest=10**6)
    result = solved(first, second)
    assert not result.is_degenerate
    assert len(result.equilibria) % 2 == 1
    assert all(is_equilibrium(first, second, x, y) for x, y in mixtures(result))


@pytest.mark.parametrize(
    ("height", "width"),
    [(2, 100), (100, 2), (1, 200), pytest.param(12, 12, marks=pytest.mark.slow)],
)
def test_large_games(height, width):
    first, second = random_game(1, height=height, width=width, largest=10**6)
    result = solved(first, second)
    assert len(result.equilibria) % 2 == 1
    assert all(is_equilibrium(first, second, x, y) for x, y in mixtures(result))


def test_gambit_lists_the_same(tmp_path):
    """Gambit lists some of them twice where the game is degenerate, and from version 17 on their cliques."""
    pygambit = pytest.importorskip("pygambit", reason="Gambit is not installed")
    solve = pygambit.nash.enummixed_solve
    has_cliques = "cliques" in inspect.signature(solve).parameters

    def read(profile):
        """Return both mixed strategies of a profile of Gambit."""
        return tuple(
            tuple(Fraction(str(probability)) for _, probability in profile[player])
            for player in profile.game.players
        )

    for seed in range(40):
        rng = random.Random(seed)
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        first, second = random_game(
            seed, height=height, width=width, largest=rng.choice([1, 3, 99])
        )
        pairs = [f"{first[i][j]} {second[i][j]}" for j in range(width) for i in range(height)]
        path = tmp_path / "game.nfg"
        path.write_text(f'NFG 1 R "x" {{ "a" "b" }} {{ {height} {width} }}\n\n{" ".join(pairs)}')
        options = {"cliques": True} if has_cliques else {}
        theirs = solve(pygambit.read_nfg(path), rational=True, **options)
        result = eq.all_equilibria(str(path))
        ours = mixtures(result)
        assert set(ours) == set(map(read, theirs.equilibria))
        if has_cliques:
            cliques = {frozenset(map(read, clique)) for clique in theirs.cliques}
            assert cliques == {frozenset(ours[n] for n in subset) for subset in result.subsets}


# Trees


def actions_that_happen(game, state):
    """Return the actions at a state without outcomes of chance whose probability is 0."""
    actions = list(game.actions(state))
    if game.player(state) != eq.CHANCE:
        return actions
    pairs = zip(actions, game.probabilities(state), strict=True)
    return [action for action, probability in pairs if probability]


def find_action(game, state, name):
    return next(a for a in game.actions(state) if action_label(game, state, a) == name)


def plans_by_definition(game, player):
    """Return the reduced plans of a player by name: pure strategies without what they rule out themselves."""
    infosets = {}

    def collect(state):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return
        if mover == player:
            names = [action_label(game, state, action) for action in game.actions(state)]
            infosets.setdefault(str(game.infoset(state)), names)
        for action in actions_that_happen(game, state):
            collect(game.next(state, action))

    def reached(state, plan):
        mover = game.player(state)
        if mover == eq.TERMINAL:
            return set()
        if mover == player:
            key = str(game.infoset(state))
            action = find_action(game, state, plan[key])
            return {key} | reached(game.next(state, action), plan)
        following = [game.next(state, a) for a in actions_that_happen(game, state)]
        return set().union(*(reached(after, plan) for after in following))

    collect(game.start())
    plans = {}
    for actions in product(*infosets.values()):
        plan = dict(zip(infosets, actions, strict=True))
        at = reached(game.start(), plan)
        moves = [(key, action) for key, action in plan.items() if key in at]
        if not moves:
            name = "nothing to choose"
        elif len(infosets) == 1:
            name = moves[0][1]
        else:
            name = ", ".join(f"{key}: {action}" for key, action in moves)
        plans[name] = plan
    return plans


def payoffs_by_definition(game, state, plans):
    """Return what both players are paid on average, where each follows a pure plan."""
    mover = game.player(state)
    if mover == eq.TERMINAL:
        return [Fraction(payoff) for payoff in game.payoffs(state)]
    actions = game.actions(state)
    if mover == eq.CHANCE:
        weights = [Fraction(str(p)) for p in game.probabilities(state)]
    else:
        chosen = find_action(game, state, plans[mover][str(game.infoset(state))])
        weights = [int(action == chosen) for action in actions]
    total = [Fraction(0), Fraction(0)]
    for action, weight in zip(actions, weights, strict=True):
        if weight:
            paid = payoffs_by_definition(game, game.next(state, action), plans)
            total = [sum_ + weight * pay for sum_, pay in zip(total, paid, strict=True)]
    return total


def small_trees():
    """Yield random trees whose reduced normal form is small, and not of one plan."""
    for seed in range(60):
        game = RandomGame(seed, players=2, zero_sum=seed % 2 == 0, depth=3)
        counts = [len(plans_by_definition(game, player)) for player in range(2)]
        if sum(counts) >= 3 and max(counts) <= 5 and sum(counts) <= 8:
            yield game


@pytest.mark.thinned(12)
@pytest.mark.parametrize("game", list(small_trees()), ids=str)
def test_trees_have_the_equilibria_of_their_reduced_normal_form(game):
    plans = [plans_by_definition(game, player) for player in range(2)]
    tables = [[], []]
    for first in plans[0].values():
        paid = [payoffs_by_definition(game, game.start(), [first, p]) for p in plans[1].values()]
        for player, table in enumerate(tables):
            table.append([pay[player] for pay in paid])
    result = eq.all_equilibria(game)
    listed = set()
    for equilibrium in result.equilibria:
        assert [set(strategy) for strategy in equilibrium.strategies] == list(map(set, plans))
        x, y = (
            tuple(strategy[name] for name in plans[player])
            for player, strategy in enumerate(equilibrium.strategies)
        )
        listed.add((x, y))
        walked = walk_in_fractions(game)
        evaluation = evaluate_in_fractions(walked, equilibrium.behaviour)
        assert evaluation.nash_conv == 0
        assert evaluation.value == equilibrium.payoffs
        certificate = eq.evaluate(game, equilibrium.to_strategy())
        assert certificate.nash_conv == pytest.approx(0, abs=1e-12)
    assert listed == extreme_equilibria(*tables)


def test_enough_trees_are_tried():
    assert len(list(small_trees())) >= 12


class Entry:
    """A firm enters a market or stays out; the other, which has seen it, fights or yields."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return eq.TERMINAL if state == "o" or len(state) == 2 else len(state)

    def actions(self, state):
        return "fy" if state else "eo"  # enter, out; fight, yield

    def action_label(self, state, action):
        return {"e": "enter", "o": "stay out", "f": "fight", "y": "yield"}[action]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        return {"o": (0, 2), "ef": (-1, -1), "ey": (1, 1)}[state]

    def infoset(self, state):
        return "market"


def test_threats_that_are_not_credible_are_equilibria():
    result = eq.all_equilibria(Entry())
    assert [equilibrium.supports for equilibrium in result.equilibria] == [
        (("enter",), ("yield",)),
        (("stay out",), ("fight",)),
        (("stay out",), ("fight", "yield")),
    ]
    assert result.equilibria[2].strategies[1] == {"fight": HALF, "yield": HALF}
    assert result.subsets == result.components == ((0,), (1, 2))
    assert result.game == "Entry"


def test_an_equilibrium_is_evaluated_like_any_strategy(tmp_path):
    game = Matrix(payoffs=CHICKEN[0], payoffs2=CHICKEN[1], rows=["dare", "swerve"])
    mixed = eq.all_equilibria(game).equilibria[2]
    assert mixed.strategies[0] == {"dare": HALF, "swerve": HALF}
    assert mixed.behaviour[0, "row"] == {"dare": HALF, "swerve": HALF}
    evaluation = eq.evaluate(game, mixed.to_strategy())
    assert evaluation.value == pytest.approx([2, 2])
    assert evaluation.nash_conv == pytest.approx(0)
    mixed.to_strategy().write_csv(tmp_path / "mixed.csv")
    assert eq.evaluate(game, tmp_path / "mixed.csv", rational=True).nash_conv == 0


@pytest.mark.slow
def test_an_equilibrium_is_played_like_any_strategy():
    strategy = eq.all_equilibria("rps").equilibria[0].to_strategy()
    match = eq.play_match("rps", strategy, against=strategy, hands=100, seed=1)
    assert match.summary()["hands"] == 100


@pytest.mark.parametrize("game", ["rps", "biased_rps", "matrix(payoffs=[[0, 2, -1], [-1, 0, 1]])"])
def test_zero_sum_games_pay_their_value(game):
    for equilibrium in eq.all_equilibria(game).equilibria:
        assert float(equilibrium.payoffs[0]) == pytest.approx(eq.exact(game).value[0])
        assert sum(equilibrium.payoffs) == 0


def test_fractions_of_a_file(tmp_path):
    path = tmp_path / "thirds.nfg"
    path.write_text('NFG 1 R "thirds" { "Ann" "Ben" } { { "up" "down" } { "left" "right" } }\n'
                    '1/3 1 0 0 0 0 1 1/3\n')  # fmt: skip
    result = eq.all_equilibria(str(path))
    assert [equilibrium.payoffs for equilibrium in result.equilibria] == [
        (Fraction(1, 3), 1),
        (1, Fraction(1, 3)),
        (Fraction(1, 4), Fraction(1, 4)),
    ]
    assert result.equilibria[2].strategies[0] == {"up": Fraction(1, 4), "down": Fraction(3, 4)}


def test_digits_that_floating_point_has_no_room_for(tmp_path):
    """Both rows pay player 0 the same as floats; as the file says, the second pays one more."""
    path = tmp_path / "long.nfg"
    path.write_text('NFG 1 R "long" { "Ann" "Ben" } { 2 1 }\n\n'
                    "10000000000000000000 0 10000000000000000001 0\n")  # fmt: skip
    result = eq.all_equilibria(str(path))
    assert [equilibrium.payoffs for equilibrium in result.equilibria] == [(10**19 + 1, 0)]


# What is returned, told and refused


def test_records_say_what_they_are():
    result = solved(*DEGENERATE)
    assert repr(result).startswith("<Equilibria of matrix(")
    assert "3 extreme ones, in 2 components" in repr(result)
    assert (
        repr(result.equilibria[2])
        == "<ExtremeEquilibrium: 1/3 r2 + 2/3 r3 against 1/3 c1 + 2/3 c2>"
    )
    plain = json.loads(json.dumps(result.summary()))
    assert plain["equilibria"][2]["strategies"][0] == {"r1": "0", "r2": "1/3", "r3": "2/3"}
    assert plain["equilibria"][2]["payoffs"] == ["4", "8/3"]
    assert plain["subsets"] == [[0, 1], [2]]
    assert "2/3" in result.to_html()
    assert "8/3" in result.equilibria[2].to_html()


def test_stages_are_told():
    stages = []
    eq.all_equilibria("rps", callbacks=stages.append)
    assert any("polytope" in stage for stage in stages)
    assert stages[-1].startswith("Checking")


def test_a_wrong_answer_of_the_enumeration_is_not_returned(monkeypatch):
    def list_wrong_pairs(payoffs, say):
        pairs = module_list(payoffs, say)
        return pairs._replace(mixtures=(pairs.mixtures[0], [(Fraction(1), Fraction(0))]))

    module_list = module.list_extreme_pairs
    monkeypatch.setattr(module, "list_extreme_pairs", list_wrong_pairs)
    with pytest.raises(eq.SolutionError, match=r"no equilibrium: .* gain 1 and 0"):
        eq.all_equilibria("matching_pennies")


class Faulty(Entry):
    """Rules that may be broken in one place."""

    def __init__(self, **broken):
        vars(self).update(broken)


class Forgetful(Entry):
    """Player 0 moves twice, and forgets the first move."""

    def player(self, state):
        return eq.TERMINAL if len(state) == 2 else 0

    def actions(self, state):
        return "eo"

    def payoffs(self, state):
        return (0, 0)


@pytest.mark.parametrize(
    ("game", "message", "wrong_use"),
    [
        ("kuhn(players=3)", r"two players; kuhn\(players=3\) has 3", True),
        ("kuhn", r"27 × 64 reduced plans, .* at most 160,000 are enumerated", False),
        ("leduc", "at most 200 plans of a player", False),
        ("liars_dice(faces=6)", "more than 100,000 histories", False),
        ("no such game", "There is no game", True),
        ("nothing.nfg", "nothing.nfg", True),
        ("matrix(payoffs=[[1, 2], [3]])", "all of one length", True),
        (Faulty(payoffs=lambda state: (float("nan"), 0)), "finite", False),
        (Faulty(payoffs=lambda state: (1,)), "payoff", False),
        (Forgetful(), "imperfect recall", False),
    ],
)
def test_what_is_refused(game, message, wrong_use):
    with pytest.raises(eq.EquilibristError, match=message) as caught:
        eq.all_equilibria(game)
    assert caught.value.wrong_use == wrong_use


def test_a_compiled_game_is_refused():
    with pytest.raises(eq.GameError, match="compiled already") as caught:
        eq.all_equilibria(eq.compile_game(eq.load("rps")))
    assert caught.value.wrong_use
