"""Values, best responses and losses: against plain recursion, known equilibria and OpenSpiel; strategies refused."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from support.random_games import RandomGame, random_strategy
from support.reference import best_response, nash_conv, unfold, values

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "liars_dice(faces=3)",
    "goofspiel(cards=3, prizes='random')",
    "biased_rps",
    "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])",
]
seeds = st.integers(0, 2**32 - 1)


# --- Against plain recursion ---


def check_against_recursion(game, seed):
    root, players = unfold(game), game.players
    strategy = random_strategy(eq.compile_game(game).infosets, seed)
    result = eq.evaluate(game, strategy)
    assert result.value == pytest.approx(values(root, strategy), abs=1e-12)
    for player in range(players):
        best = best_response(root, strategy, player=player)[1]
        assert result.best_response_value[player] == pytest.approx(best, abs=1e-12)
        # The best response that is returned earns what is claimed, against the others' strategies.
        replies = {key: row for key, row in result.best_response.items() if key[0] == player}
        assert all(set(row.values()) <= {0.0, 1.0} for row in replies.values())
        assert values(root, strategy | replies)[player] == pytest.approx(best, abs=1e-12)
    assert result.nash_conv == pytest.approx(nash_conv(root, strategy, players), abs=1e-12)
    assert result.exploitability == result.nash_conv / players
    assert math.fsum(loss.loss for loss in result.losses) == pytest.approx(
        result.nash_conv, abs=1e-12
    )
    for player in range(players):
        own = math.fsum(loss.loss for loss in result.losses if loss.player == player)
        assert own == pytest.approx(
            result.best_response_value[player] - result.value[player], abs=1e-12
        )
    assert [loss.loss for loss in result.losses] == sorted(
        (loss.loss for loss in result.losses), reverse=True
    )
    assert all(loss.loss > 0 for loss in result.losses)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_values_and_best_responses(spec, seed):
    check_against_recursion(eq.load(spec), seed)


@given(seed=seeds, zero_sum=st.booleans(), ties=st.booleans())
def test_values_and_best_responses_in_random_games(seed, zero_sum, ties):
    check_against_recursion(RandomGame(seed, zero_sum=zero_sum, ties=ties), seed)


# --- Known equilibria ---


def kuhn_equilibrium(alpha):
    """Return Kuhn's family: player 0 bluffs the jack with alpha ≤ 1/3 and bets the king three times as often."""
    bet = {"J": alpha, "Q": 0, "K": 3 * alpha, "Jpb": 0, "Qpb": alpha + 1 / 3, "Kpb": 1}
    bet |= {"Jp": 1 / 3, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": 1 / 3, "Kb": 1}
    return {infoset: {"p": 1 - p, "b": p} for infoset, p in bet.items()}


@pytest.mark.parametrize("alpha", [0, 0.1, 1 / 4, 1 / 3])
def test_kuhn_equilibria(alpha):
    result = eq.evaluate("kuhn", kuhn_equilibrium(alpha))
    assert result.value == pytest.approx((-1 / 18, 1 / 18), abs=1e-15)
    assert result.nash_conv == pytest.approx(0, abs=1e-15)


def test_beyond_kuhns_family_there_is_something_to_gain():
    strategy = kuhn_equilibrium(1 / 3) | {"J": {"p": 0.6, "b": 0.4}}
    assert eq.evaluate("kuhn", strategy).nash_conv > 0.01


@pytest.mark.parametrize("ante", [1, 2, 5])
def test_equilibria_of_kuhn_where_a_pass_ends(ante):
    bluff, call = 1 / (1 + 2 * ante), (2 * ante - 1) / (1 + 2 * ante)
    bet = {"J": bluff, "Q": 0, "K": 1, "Jb": 0, "Qb": call, "Kb": 1}
    strategy = {infoset: {"p": 1 - p, "b": p} for infoset, p in bet.items()}
    result = eq.evaluate(f"kuhn(ante={ante}, pass_ends=True)", strategy)
    assert result.value[0] == pytest.approx((2 * ante - 1) / (6 * (1 + 2 * ante)), abs=1e-14)
    assert result.nash_conv == pytest.approx(0, abs=1e-14)


def test_equilibria_of_matrix_games():
    mix = {"rock": 1 / 16, "paper": 10 / 16, "scissors": 5 / 16}
    assert eq.evaluate("biased_rps", {"row": mix, "column": mix}).nash_conv == pytest.approx(
        0, abs=1e-14
    )
    coin = {"heads": 0.5, "tails": 0.5}
    assert eq.evaluate("matching_pennies", {"row": coin, "column": coin}).nash_conv == 0
    # The prisoners' dilemma: general-sum, both confess.
    dilemma = "matrix(payoffs=[[3, 0], [5, 1]], payoffs2=[[3, 5], [0, 1]])"
    result = eq.evaluate(dilemma, {"row": {"r2": 1}, "column": {"c2": 1}})
    assert (result.value, result.nash_conv) == ((1, 1), 0)
    result = eq.evaluate(dilemma, {"row": {"r1": 1}, "column": {"c1": 1}})
    assert (result.value, result.best_response_value, result.nash_conv) == ((3, 3), (5, 5), 4)


def test_a_mistake_is_found_where_it_is_made():
    """Folding the king to a bet loses 3 where the jack bluffs: 1/6 of the deals × 1/3, and the king is not folded."""
    strategy = kuhn_equilibrium(1 / 3) | {"Kb": {"p": 1.0, "b": 0.0}}
    result = eq.evaluate("kuhn", strategy)
    losses = {(loss.player, loss.infoset): loss.loss for loss in result.losses if loss.player == 1}
    assert {key for key, loss in losses.items() if loss > 1e-12} == {(1, "Kb")}
    assert losses[1, "Kb"] == pytest.approx(1 / 6 * 1 / 3 * 3)


def test_a_game_in_which_nobody_decides_is_valued_and_loses_nothing():
    class Coin:
        players = 2

        def start(self):
            return ""

        def player(self, state):
            return eq.TERMINAL if state else eq.CHANCE

        def actions(self, state):
            return ["heads", "tails"]

        def next(self, state, action):
            return action

        def infoset(self, state):
            raise AssertionError

        def probabilities(self, state):
            return [0.75, 0.25]

        def payoffs(self, state):
            return (4.0, -4.0) if state == "heads" else (0.0, 0.0)

    result = eq.evaluate(Coin(), {})
    assert (result.value, result.best_response_value, result.losses) == (
        (3.0, -3.0),
        (3.0, -3.0),
        (),
    )


# --- What is taken as a strategy ---


def test_every_form_of_a_strategy_is_the_same_strategy(tmp_path):
    table = kuhn_equilibrium(0.2)
    full = {(0 if len(key) in (1, 3) else 1, key): row for key, row in table.items()}
    strategy = eq.Strategy.from_dict(full)
    strategy.write_csv(tmp_path / "strategy.csv")
    expected = eq.evaluate("kuhn", table)
    for form in (full, strategy, tmp_path / "strategy.csv", str(tmp_path / "strategy.csv")):
        result = eq.evaluate("kuhn", form)
        assert (result.value, result.nash_conv) == (expected.value, expected.nash_conv)
    assert eq.evaluate(eq.load("kuhn"), table).nash_conv == expected.nash_conv


def test_a_table_by_hand(tmp_path):
    """In any order, with more columns, actions left out, rounded, and a byte-order mark from a spreadsheet."""
    path = tmp_path / "by hand.csv"
    rows = [
        "probability,comment,infoset,player,action",
        "0.333,,column,1,rock",
        "0.333,,column,1,paper",
    ]
    rows += ["0.333,so,column,1,scissors", "1,,row,0,paper"]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8-sig")
    assert eq.evaluate("rps", path).best_response_value == pytest.approx((0, 1))


def test_actions_left_out_have_probability_0():
    assert eq.evaluate("rps", {"row": {"rock": 1}, "column": {"rock": 1}}).nash_conv == 2


def test_a_text_that_both_players_use_is_meant_for_both():
    result = eq.evaluate("goofspiel(cards=2)", {"2:": {"2": 1.0}}, missing="uniform")
    assert result.nash_conv == 0


def test_uniform_fill():
    assert eq.evaluate("kuhn", {}, missing="uniform").nash_conv == pytest.approx(11 / 12)
    mixed = eq.evaluate("kuhn", {"K": {"b": 1}}, missing="uniform")
    assert mixed.nash_conv != pytest.approx(11 / 12)


def test_sizes():
    result = eq.evaluate("kuhn", kuhn_equilibrium(0))
    assert (result.game, result.players, result.histories, result.infosets, result.slots) == (
        "kuhn",
        2,
        58,
        12,
        26,
    )


def refuses(strategy, match, *, wrong_use=False, game="kuhn", **options):
    with pytest.raises(eq.SolutionError, match=match) as caught:
        eq.evaluate(game, strategy, **options)
    assert caught.value.wrong_use == wrong_use
    assert "\n" not in str(caught.value)


def test_missing_infosets_are_named():
    strategy = kuhn_equilibrium(0)
    del strategy["Qpb"], strategy["Kb"]
    refuses(
        strategy,
        r"lacks 2 of the 12 infosets of kuhn: player \d '(Qpb|Kb)', player \d '(Kb|Qpb)'\. Add them",
    )
    everywhere = ".*".join(
        f"'{infoset.key}'" for infoset in eq.compile_game(eq.load("kuhn")).infosets
    )
    refuses({}, rf"lacks 12 of the 12 infosets of kuhn: .*{everywhere}\..*--missing uniform")


@pytest.mark.parametrize("missing", [None, "uniform"])
def test_unknown_infosets_and_actions_are_named(missing):
    refuses(
        kuhn_equilibrium(0) | {"A": {"p": 1}},
        r"infosets that kuhn does not have \(1\): player 0 'A'",
        missing=missing,
    )
    refuses(
        kuhn_equilibrium(0) | {(1, "J"): {"p": 1}},
        r"does not have \(1\): player 1 'J'",
        missing=missing,
    )
    refuses(
        kuhn_equilibrium(0) | {"J": {"p": 0.5, "fold": 0.5}},
        "Player 0 'J' has the actions 'pass', 'bet' in kuhn; the strategy names 'fold'",
        missing=missing,
    )


@pytest.mark.parametrize(
    ("row", "match"),
    [
        (
            {"p": 0.5, "b": 0.6},
            r"player 0 'J': the probabilities must sum to 1; got \[0.5, 0.6\], which sum to 1.1",
        ),
        ({"p": 0.25}, "the probabilities must sum to 1"),
        ({}, "the probabilities must sum to 1"),
        ({"p": math.nan, "b": 1}, "the probability of 'p' must be between 0 and 1; got nan"),
        ({"p": -0.5, "b": 1.5}, "the probability of 'p' must be between 0 and 1; got -0.5"),
        ({"p": math.inf, "b": 0}, "the probability of 'p' must be between 0 and 1; got inf"),
        ({"p": "often", "b": 0}, "'J'.*'often'"),
        ({"p": None, "b": 1}, "'J'.*None"),
        ([0.5, 0.5], "'J'"),
    ],
)
def test_probabilities_that_make_no_sense(row, match):
    refuses(kuhn_equilibrium(0) | {"J": row}, match)


class Named:
    """Matching pennies, whose infosets are named by these keys."""

    players = 2

    def __init__(self, *keys):
        self.keys = keys

    def start(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else eq.TERMINAL

    def actions(self, state):
        return ("h", "t")

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return (1, -1) if state[0] == state[1] else (-1, 1)

    def infoset(self, state):
        return self.keys[len(state)]


@pytest.mark.parametrize(
    "key", [("J", ()), (0.9, "J"), (True, "J"), ("0", "J"), (0, "J", 1), (), (-1, "J"), (100, "J")]
)
def test_tuples_that_are_not_a_player_and_an_infoset(key):
    refuses(
        {key: {"h": 1}},
        r"is an infoset or \(player, infoset\), with players .*; got",
        game=Named(("J", ()), 1),
    )
    with pytest.raises(eq.SolutionError, match=r"\(player, infoset\)"):
        eq.Strategy.from_dict({key: {"h": 1}})


@pytest.mark.parametrize("keys", [(5, 7), (0, 1), (1, 0), (("J", ()), ("K", 1)), (0.5, None)])
def test_infosets_that_are_no_texts(keys):
    """They are named by ``str()``, in the game and in a strategy."""
    game = Named(*keys)
    tables = [{str(key): {side: 1} for key, side in zip(keys, "ht", strict=True)}]
    tables.append(
        {
            (np.int64(player), key): {side: 1}
            for player, (key, side) in enumerate(zip(keys, "ht", strict=True))
        }
    )
    if not isinstance(keys[0], tuple):
        tables.append({key: {side: 1} for key, side in zip(keys, "ht", strict=True)})
    for table in tables:
        assert eq.evaluate(game, table).value == (-1, 1)


def test_a_key_in_two_guises_is_refused():
    refuses(
        {5: {"h": 1}, "5": {"h": 1}}, "player 0 '5' is there twice, once as '5'", game=Named(5, 7)
    )


def test_unknown_fill():
    refuses({}, "missing must be None or 'uniform'; got 'zeros'", missing="zeros", wrong_use=True)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (
            "player,infoset,action\n0,J,p\n",
            "has the columns player, .*; got 'player,infoset,action'",
        ),
        ("", "is no table of a strategy, .*: Empty CSV file"),
        ("player,infoset,action,probability\n0,J,p,half\n", "Row #2: .*'half'"),
        ("player,infoset,action,probability\nzero,J,p,1\n", "Row #2: .*'zero'"),
        ("player,infoset,action,probability\n0.5,J,p,1\n", "Row #2: .*'0.5'"),
        ("player,infoset,action,probability\n0,J,p,1\n0,J\n", "Row #3: Expected 4 columns, got 2"),
        ('player,infoset,action,probability\n0,"J,p,1\n', "Row #2: Expected 4 columns"),
        ("player,infoset,action,probability\n0,J,p,\n", "Row #2"),
        ("player,infoset,action,probability\n100,J,p,1\n", "numbered from 0 to 99; got 100"),
        (
            "player,infoset,action,probability\n0,J,p,1\n0,J,p,0\n",
            "csv: Action 'p' of player 0 'J' is there twice",
        ),
        (
            "player,infoset,action,probability\n0,J,p,0.5\n",
            "player 0 'J': the probabilities must sum to 1",
        ),
        (
            "player,infoset,action,probability\n0,J,p,nan\n0,J,b,1\n",
            "must be between 0 and 1; got nan",
        ),
    ],
)
def test_broken_tables(tmp_path, text, match):
    path = tmp_path / "strategy.csv"
    path.write_text(text)
    refuses(path, match, missing="uniform")


def test_files_that_are_no_tables(tmp_path):
    path = tmp_path / "strategy.csv"
    refuses(path, "cannot be read: No such file", wrong_use=True)
    path.write_bytes(b"\xff\xfe\x00")
    refuses(path, "is not a text file in UTF-8")
    refuses(tmp_path, "cannot be read: Is a directory; give a file", wrong_use=True)


def test_large_games_are_refused_before_they_are_built():
    with pytest.raises(eq.GameError, match="more than 100 histories"):
        eq.evaluate("leduc", {}, missing="uniform", limits=eq.Limits(histories=100))


# --- Parity with OpenSpiel ---

OPENSPIEL = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(dice_sides=3)",
    "goofspiel(imp_info=True,num_cards=3,points_order=descending)",
    "goofspiel(imp_info=True,num_cards=3)",
    "matrix_brps",
    "matrix_rpsw",
    "matrix_pd",
    "matching_pennies_3p",
    "first_sealed_auction(max_value=4)",
    "blotto(players=3,coins=3,fields=2)",
    "oshi_zumo(coins=3,size=1,horizon=3)",
    "coordinated_mp",
    "tiny_hanabi",
    "sheriff(num_rounds=1,max_items=2,max_bribe=2)",
    "dark_hex(board_size=2)",
]
NOT_ZERO_SUM = ("matrix_pd", "matching_pennies_3p", "first_sealed", "tiny_hanabi", "sheriff")


def openspiel_strategies(game, seed):
    """Return the same random strategy as OpenSpiel's table and as ours."""
    theirs, ours, dice = {}, {}, random.Random(seed)

    def visit(state):
        if not state.is_terminal() and not state.is_chance_node():
            key, actions = state.information_state_string(), state.legal_actions()
            if key not in theirs:
                weights = [dice.choice((0.01, dice.random(), 1.0)) for _ in actions]
                theirs[key] = [
                    (a, weight / sum(weights)) for a, weight in zip(actions, weights, strict=True)
                ]
            ours[state.current_player(), key] = {
                state.action_to_string(a): p for a, p in theirs[key]
            }
        for action in [] if state.is_terminal() else state.legal_actions():
            visit(state.child(action))

    visit(game.new_initial_state())
    return theirs, ours


@pytest.mark.thinned(20)
@pytest.mark.parametrize("spec", OPENSPIEL)
def test_openspiel_says_the_same(spec):
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(spec)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    for seed in range(2):
        theirs, ours = openspiel_strategies(game, seed)
        policy = pyspiel.TabularPolicy(theirs)
        result = eq.evaluate(f"openspiel:{spec}", ours)
        assert result.nash_conv == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-12)
        if not spec.startswith(NOT_ZERO_SUM):
            assert result.exploitability == pytest.approx(
                pyspiel.exploitability(game, policy), abs=1e-12
            )


@pytest.mark.slow
def test_strategies_of_a_spot_are_evaluated_in_any_form():
    """Names on boards that differ by suits alone may all be there, or one of them."""
    spot = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"
    merged = eq.solve(spot, iterations=10).strategy
    whole = eq.solve(spot, iterations=10, form="public").strategy
    assert len(merged) < len(whole)
    expected = eq.evaluate(spot, merged).nash_conv
    for strategy in (merged, dict(merged)):
        assert eq.evaluate(spot, strategy).nash_conv == pytest.approx(expected)
    assert eq.evaluate(spot, merged, form="public").nash_conv == pytest.approx(expected)
    found = eq.evaluate(spot, whole)
    assert found.infosets == len(whole)
    assert found.nash_conv == pytest.approx(eq.evaluate(spot, whole, form="public").nash_conv)


def test_names_that_are_nowhere_are_still_refused():
    with pytest.raises(eq.SolutionError, match="names infosets that"):
        eq.evaluate(
            "holdem(board='KdQd2d7d', oop='AA', ip='KK', pot=1, stack=2)", {"zz": {"X": 1.0}}
        )
