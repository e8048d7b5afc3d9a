"""The walk over a game: what it counts, how it lays histories out, and every game that it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.form.sequence.tree import NO_INFOSET
from equilibrist.game.protocol import CHANCE, TERMINAL
from support.random_games import RandomGame, random_strategy
from support.reference import infosets, nodes, unfold
from support.spelled import Spelled, end
from support.trees import walk

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "goofspiel(cards=3, prizes='random')",
    "liars_dice(faces=2)",
    "leduc",
    "blotto",
]
seeds = st.integers(0, 2**32 - 1)


# --- What the tree says ---


def depth(node):
    return 1 + max(map(depth, node.children.values())) if node.children else 0


def check_against_recursion(game):
    tree, root = walk(game), unfold(game)
    listed = list(nodes(root))
    leaves = [node for node in listed if node.player == TERMINAL]
    assert tree.histories == len(listed)
    assert tree.depth == depth(root)
    assert tree.players == game.players
    assert [(infoset.player, infoset.key) for infoset in tree.infosets] == list(infosets(root))
    for infoset, group in zip(tree.infosets, infosets(root).values(), strict=True):
        assert infoset.actions == tuple(group[0].children)
    # The leaves come in the order of a depth-first walk, first action first.
    assert tree.payoffs.tolist() == [list(leaf.payoffs) for leaf in leaves]
    sums = [sum(leaf.payoffs) for leaf in leaves]
    assert tree.zero_sum == (max(sums) - min(sums) < 1e-12)


@pytest.mark.parametrize("spec", GAMES)
def test_the_tree_is_that_of_the_rules(spec):
    check_against_recursion(eq.load(spec))


@given(seed=seeds, zero_sum=st.booleans())
def test_the_tree_of_a_random_game_is_that_of_the_rules(seed, zero_sum):
    check_against_recursion(RandomGame(seed, zero_sum=zero_sum))


@given(seed=seeds)
def test_children_are_consecutive_and_come_after_their_parent(seed):
    tree = walk(RandomGame(seed))
    met = [0]
    for h in range(tree.histories):
        children = range(tree.first_child[h], tree.first_child[h] + tree.num_children[h])
        met.extend(children)
        assert all(child > h and tree.parent[child] == h for child in children)
        assert (tree.num_children[h] == 0) == (tree.player[h] == TERMINAL)
        assert (tree.infoset[h] == NO_INFOSET) == (tree.player[h] in (CHANCE, TERMINAL))
    assert tree.parent[0] == 0
    assert sorted(met) == list(range(tree.histories))
    assert sorted(tree.leaf) == np.flatnonzero(tree.player == TERMINAL).tolist()


@pytest.mark.slow
@given(seed=seeds)
def test_the_reach_of_all_leaves_sums_to_1(seed):
    tree = walk(RandomGame(seed))
    strategy = random_strategy(tree.infosets, seed)
    reach = np.ones(tree.histories)
    for h in range(1, tree.histories):
        up = tree.parent[h]
        reach[h] = reach[up] * tree.probability[h]
        if tree.player[up] >= 0:
            player, key, actions = tree.infosets[tree.infoset[up]]
            assert tree.probability[h] == 1
            reach[h] *= strategy[player, key][actions[h - tree.first_child[up]]]
    assert math.isclose(reach[tree.leaf].sum(), 1, rel_tol=1e-12)


def test_histories_after_an_impossible_outcome_are_kept():
    tree = (CHANCE, [0, 1], {"never": (0, "x", {"a": end(9), "b": end(8)}), "always": end(1)})
    form = eq.compile_game(Spelled(1, tree))
    assert form.histories == 5
    assert len(form.infosets) == 1
    assert eq.solve(Spelled(1, tree), iterations=3).value == (1,)


def test_progress_counts_the_histories(monkeypatch):
    monkeypatch.setattr("equilibrist.form.sequence.walk_jit._LOOK_AT", 1000)
    seen = []
    walk(eq.load("leduc(merge_suits=False)"), progress=seen.append)
    assert seen == sorted(seen)
    assert (
        len(seen) >= 3
    )  # after 1000, whenever a tenth of a second is over, and when there are twice as many
    assert seen[-1] <= 9457


# --- Degenerate games: nothing here is an error ---

ONE_MOVE = {"a": end(1, -1), "b": end(3, -3)}
DEGENERATE = {
    "over at once": (Spelled(2, end(2, -2)), (2, -2)),
    "over at once, alone": (Spelled(1, end(5)), (5,)),
    "only chance": (Spelled(2, (CHANCE, [0.25, 0.75], {"h": end(4, -4), "t": end(0, 0)})), (1, -1)),
    "one player": (Spelled(1, (0, "x", {"a": end(1), "b": end(3)})), (3,)),
    "player 1 never moves": (Spelled(2, (0, "x", ONE_MOVE)), (3, -3)),
    "player 0 never moves": (Spelled(2, (1, "x", ONE_MOVE)), (1, -1)),
    "only the last of three moves": (
        Spelled(3, (2, "x", {"a": end(0, 0, 1), "b": end(7, 8, 9)})),
        (7, 8, 9),
    ),
    "nothing at stake": (
        Spelled(2, (0, "x", {"a": (1, "y", {"c": end(0, 0)}), "b": end(0, 0)})),
        (0, 0),
    ),
    "a single action": (
        Spelled(2, (0, "x", {"a": (1, "y", {"c": end(2, -2), "d": end(4, -4)})})),
        (2, -2),
    ),
    "infosets without text": (Spelled(2, (0, "", {"": (1, "", {"": end(2, -2)})})), (2, -2)),
}


@pytest.mark.thinned(20)
@pytest.mark.parametrize(("game", "value"), DEGENERATE.values(), ids=DEGENERATE)
@pytest.mark.parametrize("alternating", [True, False])
def test_degenerate_games_are_solved(game, value, alternating):
    assert eq.check_game(game).players == len(value)
    for row in eq.ALGORITHMS:
        solution = eq.solve(game, f"{row}(alternating={alternating})", iterations=300)
        assert solution.value == pytest.approx(value, abs=0.05)
        assert 0 <= solution.nash_conv < 0.05


@pytest.mark.parametrize(("game", "value"), DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_games_are_evaluated(game, value):
    result = eq.evaluate(game, {}, missing="uniform")
    assert all(
        best >= own for best, own in zip(result.best_response_value, result.value, strict=True)
    )
    assert sum(loss.loss for loss in result.losses) == pytest.approx(result.nash_conv, abs=1e-12)
    if game.players == 2:
        solution = eq.exact(game)
        assert solution.value == pytest.approx(value, abs=1e-9)
        assert solution.nash_conv == pytest.approx(0, abs=1e-9)


# --- Broken games ---


def refuses(tree, match, *, players=2, **limits):
    with pytest.raises(eq.GameError, match=match):
        eq.check_game(Spelled(players, tree), **limits)


def after_a(broken):
    """Put a broken history after the move 'a', where the error must find it."""
    return (0, "x", {"b": end(0, 0), "a": broken})


def test_different_actions_at_an_infoset():
    tree = (0, "x", {"a": (1, "y", {"c": end(0, 0)}), "b": (1, "y", {"d": end(0, 0)})})
    refuses(
        tree,
        r"player 1 cannot tell \['a'\] from \['b'\] \(infoset 'y'\), yet .* differ: \['c'\] against \['d'\]",
    )


def test_the_same_actions_in_another_order():
    leaf = end(0, 0)
    tree = (0, "x", {"a": (1, "y", {"c": leaf, "d": leaf}), "b": (1, "y", {"d": leaf, "c": leaf})})
    refuses(tree, r"\['a'\] from \['b'\] .* actions differ")


def test_forgetting_a_move():
    tree = (0, "x", {"a": (0, "y", {"c": end(1, 0)}), "b": (0, "y", {"c": end(0, 0)})})
    refuses(tree, r"player 0 has imperfect recall: infoset 'y' holds both \['a'\] and \['b'\]")


def test_forgetting_what_was_known():
    later = (0, "later", {"a": end(1, -1), "b": end(-1, 1)})
    tree = (
        CHANCE,
        [0.5, 0.5],
        {"h": (0, "saw h", {"on": later}), "t": (0, "saw t", {"on": later})},
    )
    refuses(
        tree,
        r"player 0 has imperfect recall: infoset 'later' holds both \['h', 'on'\] and \['t', 'on'\]",
    )


def test_forgetting_having_moved():
    tree = (0, "x", {"a": (0, "x", {"a": end(0, 0), "b": end(1, 0)}), "b": end(2, 0)})
    refuses(tree, r"imperfect recall: infoset 'x' holds both the start and \['a'\]")


def test_forgetting_is_found_for_each_player_and_below_others():
    def after(move):
        return (0, f"then {move}", {"c": (1, "forgot", {"e": end(0, 0), "f": end(1, -1)})})

    tree = (1, "first", {"a": after("a"), "b": after("b")})
    refuses(
        tree,
        r"player 1 has imperfect recall: infoset 'forgot' holds both \['a', 'c'\] and \['b', 'c'\]",
    )


@pytest.mark.parametrize(
    ("probabilities", "match"),
    [
        ([0.5, 0.6], r"sum to 1; got \[0.5, 0.6\] \(sum 1.1\) after \['a'\]"),
        ([-0.5, 1.5], r"0 or more .* got \[-0.5, 1.5\]"),
        ([0.5, math.nan], "0 or more and sum to 1"),
        ([0.5, math.inf], "0 or more and sum to 1"),
        ([1.0], r"chance has 2 outcomes but 1 probabilities after \['a'\]"),
        (None, r"probabilities.* after \['a'\]"),
    ],
)
def test_broken_chance(probabilities, match):
    refuses(after_a((CHANCE, probabilities, {"h": end(0, 0), "t": end(0, 0)})), match)


def test_thirds_and_sevenths_sum_to_1():
    outcomes = {str(number): end(number) for number in range(7)}
    assert eq.check_game(Spelled(1, (CHANCE, [1 / 7] * 7, outcomes))).histories == 8


@pytest.mark.parametrize(
    ("payoffs", "match"),
    [
        ((1,), r"payoffs for 2 players are needed after \['a'\]; got \(1,\)"),
        ((1, 2, 3), r"payoffs for 2 players are needed after \['a'\]"),
        ((), r"payoffs for 2 players are needed after \['a'\]"),
        ((math.nan, 0), r"payoffs must be finite numbers; got \(nan, 0\) after \['a'\]"),
        ((math.inf, 0), r"payoffs must be finite"),
        (None, r"payoffs .*after \['a'\]"),
        (1.0, r"payoffs .*after \['a'\]"),
        (("1", "2"), r"payoffs .*after \['a'\]"),
    ],
)
def test_broken_payoffs(payoffs, match):
    refuses(after_a((TERMINAL, payoffs, {})), match)


@pytest.mark.parametrize("player", [2, 7, -3, 200, -200, None, "0", 0.5])
def test_a_player_that_is_not_there(player):
    refuses(
        after_a((player, "y", {"c": end(0, 0)})),
        rf"player\(\) must return 0 to 1.*got {player!r} after \['a'\]",
    )


@pytest.mark.parametrize("player", [0, CHANCE])
def test_nobody_can_move(player):
    refuses(
        after_a((player, [], {})), r"nobody can move after \['a'\], but the game is not over there"
    )


def test_two_actions_of_one_name():
    refuses(
        after_a((1, "y", {1: end(0, 0), "1": end(1, 1)})),
        r"two actions have the same name after \['a'\]",
    )


def test_two_infosets_of_one_text():
    tree = (0, 1, {"a": (0, "1", {"c": end(0, 0)}), "b": end(0, 0)})
    refuses(tree, "two infosets of a player have the same text")


@pytest.mark.parametrize("players", [0, -1, 101, 2.0, None, "2"])
def test_a_number_of_players_that_makes_no_sense(players):
    refuses(end(), "players must be a whole number", players=players)


def test_players_may_share_a_text():
    tree = (0, "x", {"a": (1, "x", {"c": end(0, 0), "d": end(1, -1)})})
    assert [infoset[:2] for infoset in eq.check_game(Spelled(2, tree)).infosets] == [
        (0, "x"),
        (1, "x"),
    ]


# --- Limits ---


class Endless:
    """A game that goes on for ever."""

    players = 1
    player = probabilities = payoffs = staticmethod(lambda state: 0)

    def __init__(self, width):
        self.width = width

    def start(self):
        return ""

    def actions(self, state):
        return "abc"[: self.width]

    def next(self, state, action):
        return state + action

    def infoset(self, state):
        return state


def test_a_game_that_never_ends():
    with pytest.raises(
        eq.GameError, match=r"Endless: the game does not end within 3 moves: \['a', 'a', 'a'\]"
    ):
        eq.check_game(Endless(2), limits=eq.Limits(depth=3))
    with pytest.raises(eq.GameError, match="does not end within 1000 moves"):
        eq.check_game(Endless(1))


def test_a_game_that_is_too_large_says_what_it_found(monkeypatch):
    # Where 5,000 histories take a third of a second, it says what there are going to be.
    monkeypatch.setattr("equilibrist.form.limits._PATIENCE", float("inf"))
    match = r"Endless: more than 5,000 histories, 4,9\d\d of them found so far\. Raise Limits\(histories=\)"
    with pytest.raises(eq.GameError, match=match):
        eq.check_game(Endless(2), limits=eq.Limits(histories=5000, depth=10_000))


def test_the_limits_themselves_are_allowed():
    kuhn = eq.load("kuhn")
    assert eq.check_game(kuhn, limits=eq.Limits(histories=58, depth=5)).histories == 58
    with pytest.raises(eq.GameError, match="more than 57 histories"):
        eq.check_game(kuhn, limits=eq.Limits(histories=57))
    with pytest.raises(eq.GameError, match="does not end within 4 moves"):
        eq.check_game(kuhn, limits=eq.Limits(depth=4))


# --- The sum of payoffs ---


class Ends:
    """Player 0 chooses what is paid."""

    def __init__(self, *payoffs):
        self.players = len(payoffs[0])
        self.ends = payoffs

    def start(self):
        return -1

    def player(self, state):
        return 0 if state < 0 else TERMINAL

    def actions(self, state):
        return range(len(self.ends))

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return action

    def payoffs(self, state):
        return self.ends[state]

    def infoset(self, state):
        return "choose"


@pytest.mark.parametrize(
    ("payoffs", "expected"),
    [
        ([(1, 0), (0, 1)], 1.0),
        ([(1, -1), (0, 0)], 0.0),
        ([(0.1, 0.2), (0.3, 0.0)], pytest.approx(0.3)),  # up to rounding
        ([(1e13, -1e13), (1, 1), (2, 0)], 2.0),  # what is exact decides
        ([(1e13, -1e13), (1, -1), (5, 5)], None),
        ([(1e13, -1e13), (3, -1)], 2.0),
        ([(5, 5), (1, -1)], None),
        ([(1, 2, 3), (6, 0, 0)], 6.0),
        ([(0, 0), (1e-6, -2e-6)], None),
    ],
)
def test_each_leaf_is_judged_by_its_own_payoffs(payoffs, expected):
    form = eq.compile_game(Ends(*payoffs))
    assert form.payoff_sum == expected
    assert form.zero_sum == (expected is not None)
    assert form.largest_payoff == max(abs(payoff) for end in payoffs for payoff in end)


def test_constant_sum_games_are_solved_like_zero_sum_ones():
    pennies = (
        0,
        "x",
        {a: (1, "y", {b: end(float(a == b), float(a != b)) for b in "ht"}) for a in "ht"},
    )
    solution = eq.exact(Spelled(2, pennies))
    assert solution.value == pytest.approx((0.5, 0.5))
    assert solution.nash_conv == pytest.approx(0, abs=1e-9)
    assert "Two-player zero-sum" in solution.guarantee
    assert math.isnan(eq.solve(Spelled(2, pennies), iterations=10).cce_distance)


def test_compiled_rules_find_the_same_sum():
    from equilibrist.form.limits import CompileBudget
    from equilibrist.form.sequence.walk_python import walk_python

    for spec in ("blotto", "kuhn(players=3)", "goofspiel(cards=3, returns='points')", "battleship"):
        game = eq.load(spec)
        form, tree = eq.compile_game(game), walk_python(game, CompileBudget())
        assert form.payoff_sum == tree.payoff_sum
        assert form.largest_payoff == tree.largest_payoff
