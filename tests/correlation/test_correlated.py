"""Correlated equilibria: published values, two programmes that share no constraint, and deviations plan by plan."""

import re
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.correlation import correlated as module
from equilibrist.correlation.deviations import KINDS, constraints, deviations, num_rows
from equilibrist.correlation.plans import normal_form, sequence_game
from equilibrist.correlation.programmes import solve_columns, solve_polytope
from equilibrist.errors import EquilibristError
from equilibrist.form.limits import CompileBudget

CHICKEN = "matrix(payoffs=[[0, 4], [1, 3]], payoffs2=[[0, 1], [4, 3]])"
BATTLESHIP = (
    "openspiel:battleship(board_height=1,board_width=3,ship_sizes=[1],ship_values=[1],num_shots=2,"
    "loss_multiplier=2.0,allow_repeated_shots=False)"
)
SHERIFF = "openspiel:sheriff(max_bribe=2,max_items=10,num_rounds=1,item_value=5.0,item_penalty=1.0,sheriff_penalty=1.0)"
# The games are of Farina, Ling, Fang & Sandholm 2019 (battleship, sheriff); efcce and nfcce of them are of Farina,
# Bianchi & Sandholm 2020; chicken by hand
KNOWN = [
    (CHICKEN, "efce", "sum", 16 / 3),
    (CHICKEN, "ce", "sum", 16 / 3),
    (BATTLESHIP, "efce", "sum", -0.722222222),
    (BATTLESHIP, "efce", "-sum", -0.888888889),
    (BATTLESHIP, "efcce", "sum", -0.722222222),
    (BATTLESHIP, "nfcce", "sum", 0.0),
    (SHERIFF, "efce", "sum", 2.693470083),
    (SHERIFF, "efcce", "sum", 3.237674761),
    (SHERIFF, "cce", "sum", 7.927795981),
]


@pytest.mark.thinned(4)
@pytest.mark.parametrize(("game", "kind", "objective", "total"), KNOWN)
def test_known_sums(game, kind, objective, total):
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    result = eq.correlated_equilibrium(game, kind, objective=objective)
    assert sum(result.value) == pytest.approx(total, abs=1e-8)
    assert result.largest_gain <= 1e-8
    assert sum(play.probability for play in result.outcomes) == pytest.approx(1.0)


class Signal:
    """Player 0 draws a card and signals it or lies; player 1, who has seen the signal alone, guesses; general-sum."""

    players = 2

    def __init__(self, payoffs, chance=True):
        self.table = payoffs
        self.movers = (eq.CHANCE if chance else 0, 0, 1, 0)

    def start(self):
        return ()

    def player(self, state):
        return (*self.movers, eq.TERMINAL)[len(state)]

    def actions(self, state):
        return (0, 1)

    def probabilities(self, state):
        return (0.25, 0.75)

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return self.table[state]

    def infoset(self, state):
        return {0: "", 1: f"{state}", 2: f"{state[1:]}", 3: f"{state}"}[len(state)]


def signal(seed, chance=True):
    rng = np.random.default_rng(seed)
    table = {z: rng.integers(-4, 5, 2).astype(float).tolist() for z in product((0, 1), repeat=4)}
    return Signal(table, chance)


def game_of(rules):
    return sequence_game(rules, CompileBudget())


def total(game, plan):
    chances = game.chance * [plan.probability(tuple(leaf)) for leaf in game.leaves.tolist()]
    return float((chances @ game.payoffs).sum())


@pytest.mark.parametrize("kind", ["efce", "efcce", "nfcce"])
@pytest.mark.parametrize("seed", range(3))
def test_the_polytope_and_columns_of_plans_agree(seed, kind):
    """One has the flows of pairs of sequences, the other no constraint of that kind but whole plans."""
    game = game_of(signal(seed, chance=False))
    rows, terms = constraints(game, kind), game.weight_leaves(game.payoffs.sum(axis=1))
    one, other = (solve(game, rows, terms) for solve in (solve_polytope, solve_columns))
    assert total(game, one) == pytest.approx(total(game, other), abs=1e-7)


def leave(game, plan, player, infoset, action, instead):
    """Return the plan of all with that of a player who, recommended an action at an infoset, takes others from there.

    ``instead`` has an action for each infoset of the player.
    """
    if infoset is not None and (game.parent[infoset] not in plan or action not in {None, *plan}):
        return plan
    others = {s for s in plan if s == 0 or game.infosets[game.infoset_of[s]].player != player}
    held = {0}
    for i, each in enumerate(game.infosets):  # parents come first
        if each.player != player or game.parent[i] not in held:
            continue
        path, up = {i}, game.parent[i]
        while up:
            path.add(game.infoset_of[up])
            up = game.parent[game.infoset_of[up]]
        held |= set(game.sequences(i)) & set(
            instead if infoset is None or infoset in path else plan
        )
    return others | held


def gains_by_plans(game, kind, drawn):
    """Return what the best way to leave gains over following, by player, infoset and action recommended there.

    Every joint plan that is drawn, against every way to leave it: no value of an infoset is computed.
    """
    weights = game.payoffs * game.chance[:, None]

    @cache
    def payoff(plan, player):
        holds = [all(s in plan for s in leaf) for leaf in game.leaves.tolist()]
        return float(weights[holds, player].sum())

    gains = {}
    for player in range(2):
        infosets = [i for i, infoset in enumerate(game.infosets) if infoset.player == player]
        choices = [
            set(chosen) for chosen in product(*(game.sequences(i) for i in infosets))
        ]  # an action everywhere: of a plan that leaves, what it does not come to means nothing
        points = {
            "efce": [(i, s) for i in infosets for s in game.sequences(i)],
            "efcce": [(i, None) for i in infosets],
            "nfcce": [(None, None)],
        }[kind]
        followed = sum(share * payoff(plan, player) for share, plan in drawn)
        for infoset, action in points:
            left = max(
                sum(
                    share
                    * payoff(frozenset(leave(game, plan, player, infoset, action, instead)), player)
                    for share, plan in drawn
                )
                for instead in choices
            )
            key = None if infoset is None else game.infosets[infoset].key
            label = (
                None
                if action is None
                else game.infosets[infoset].actions[action - game.first[infoset]]
            )
            gains[player, key, label] = left - followed
    return gains


@pytest.mark.thinned(3)
@pytest.mark.parametrize("kind", ["efce", "efcce", "nfcce"])
@pytest.mark.parametrize("seed", range(2))
def test_no_deviation_gains_plan_by_plan(seed, kind):
    game = game_of(signal(seed))
    terms = game.weight_leaves(game.payoffs.sum(axis=1))
    drawn = solve_columns(game, constraints(game, kind), terms).plans
    assert sum(share for share, _ in drawn) == pytest.approx(1.0)
    gains = gains_by_plans(game, kind, drawn)
    assert max(gains.values()) <= 1e-7, gains


@pytest.mark.parametrize("kind", ["efce", "efcce", "nfcce"])
def test_deviations_from_any_plans_gain_what_the_best_way_to_leave_gains(kind):
    game = game_of(signal(2))
    random = np.random.default_rng(4)
    plans = [game.pure_plans(player) for player in range(2)]
    drawn = [
        (share, frozenset().union(*(own[random.integers(len(own))] for own in plans)))
        for share in random.dirichlet(np.ones(4)).tolist()
    ]
    listed = deviations(
        game,
        kind,
        constraints(game, kind).rows,
        lambda product: sum(share for share, plan in drawn if plan.issuperset(product)),
    )
    expected = gains_by_plans(game, kind, drawn)
    assert max(expected.values()) > 0.1
    found = {(each.player, each.infoset, each.action): each.gain for each in listed}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_a_correlated_equilibrium_of_a_table(seed):
    """By its definition: over pairs of actions, no action gains on being swapped for another."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(-5, 6, (2, 3, 4)).astype(float)
    rows = []
    for a, b in product(range(3), repeat=2):
        row = np.zeros((3, 4))
        row[a] = first[b] - first[a]
        rows.append(row.ravel())
    for a, b in product(range(4), repeat=2):
        row = np.zeros((3, 4))
        row[:, a] = second[:, b] - second[:, a]
        rows.append(row.ravel())
    best = linprog(-(first + second).ravel(), rows, np.zeros(len(rows)), np.ones((1, 12)), [1.0])
    game = f"matrix(payoffs={first.tolist()}, payoffs2={second.tolist()})"
    for kind in ("ce", "efce"):
        assert sum(eq.correlated_equilibrium(game, kind).value) == pytest.approx(
            -best.fun, abs=1e-8
        )


@pytest.mark.slow
def test_kinds_are_nested_and_the_normal_form_is_the_same_game():
    rules = signal(7)
    sums = [
        sum(eq.correlated_equilibrium(rules, kind).value)
        for kind in ("ce", "efce", "efcce", "nfcce")
    ]
    assert sums == sorted(sums) or np.allclose(sums, sorted(sums), atol=1e-8)
    game = game_of(rules)
    plans = [game.pure_plans(player) for player in range(2)]
    table = normal_form(game, plans)
    for (one, other), payoffs in zip(product(*plans), table.payoffs, strict=True):
        holds = [leaf[0] in one and leaf[1] in other for leaf in game.leaves.tolist()]
        assert payoffs.tolist() == pytest.approx(
            (game.chance[holds] @ game.payoffs[holds]).tolist()
        )


@pytest.mark.slow
def test_a_zero_sum_game_has_its_value_in_every_kind():
    for kind in ("efce", "efcce", "nfcce", "ce"):
        assert eq.correlated_equilibrium("kuhn", kind, objective="player 0").value[
            0
        ] == pytest.approx(-1 / 18, abs=1e-8)


def test_three_players():
    result = eq.correlated_equilibrium(Three(), "efce")
    assert result.largest_gain <= 1e-8
    assert sum(result.value) == pytest.approx(3.0)


class Three(Signal):
    """Three players choose at once, and each earns 1 where all choose the same."""

    players, movers = 3, (0, 1, 2)

    def __init__(self):
        self.table = {z: [float(len(set(z)) == 1)] * 3 for z in product((0, 1), repeat=3)}

    def infoset(self, state):
        return ""


def test_what_is_wrong_is_said_in_a_sentence():
    with pytest.raises(EquilibristError, match=r"no kind 'efc'.*'efce'"):
        eq.correlated_equilibrium("kuhn", "efc")
    with pytest.raises(
        EquilibristError, match=r"objective must be 'sum', 'player 0', 'player 1'.*got 'player 2'"
    ):
        eq.correlated_equilibrium("kuhn", objective="player 2")
    with pytest.raises(EquilibristError, match=f"more than {module._MOST_PLANS} plans"):
        eq.correlated_equilibrium("leduc", "ce")


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_counted_before_they_are_written(kind):
    for rules in (eq.load("kuhn(players=3)"), signal(0), eq.load("goofspiel(cards=3)")):
        game = game_of(rules)
        assert num_rows(game, kind) == len(constraints(game, kind).rows)


@pytest.mark.parametrize(
    ("game", "kind", "sentence"),
    [
        (
            "leduc",
            "efce",
            r"4,992 rows over 1,116 ends .* at most 1,500 rows \(of a game with chance.*--kind nfcce",
        ),
        (
            "leduc",
            "ce",
            r"more than 300 plans \(5e\+26\), too many for the normal form. .*--kind nfcce",
        ),
        (
            "goofspiel(cards=5)",
            "efce",
            r"66,320 rows over 14,400 ends of the game; at most 30,000 rows .*--kind efcce.*TriggerRegrets.*--until",
        ),
        (
            "blotto(soldiers=20)",
            "nfcce",
            r"464 rows over 53,361 ends .* or solve\(\), which approaches",
        ),
    ],
)
def test_what_would_take_hours_is_refused(run, game, kind, sentence):
    ran = run("correlated", game, "--kind", kind)
    assert ran.code == 2
    assert re.search(rf"^Error: {re.escape(game)}: .*{sentence}.*\.$", " ".join(ran.err.split()))


@pytest.mark.slow
def test_progress_is_told():
    told = []
    eq.correlated_equilibrium("kuhn(players=3)", "nfcce", callbacks=told.append)
    plans = [
        re.search(r"^Solving the linear programme: 99 rows, (\d+) plans, deviations gain", line)
        for line in told
    ]
    counts = [int(match[1]) for match in plans if match]
    assert counts[0] == 1
    assert counts == sorted(counts)
    assert told[-1].endswith("the objective is 0")
    eq.correlated_equilibrium(CHICKEN, "efce", callbacks=told.append)
    assert told[-1] == "Solving the linear programme: 19 rows × 13 columns"


def test_the_largest_sum_is_that_of_payoffs_as_they_are():
    """Also where those of one player are 512 times as large: no other equilibrium has a larger one."""
    chicken = "matrix(payoffs=[[0, 4], [1, 3]], payoffs2=[[0, 512], [2048, 1536]])"
    largest = sum(eq.correlated_equilibrium(chicken).value)
    for player in (0, 1):
        assert (
            largest
            >= sum(eq.correlated_equilibrium(chicken, objective=f"player {player}").value) - 1e-6
        )
