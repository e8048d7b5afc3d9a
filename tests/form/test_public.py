"""Public states: the same games, the same iterates and the same certificates as written out history by history."""

import itertools
import json
import math
import os
import re
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import equilibrist as eq
import equilibrist.form.public.terminal.payoffs
import equilibrist.games.compile
import equilibrist.solving.estimate
import equilibrist.solving.save
from equilibrist import CHANCE, TERMINAL, Showdown
from equilibrist._jit.simd import padded
from equilibrist.cfr.public_cfr import PublicCFR
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.evaluation.linear_program import equilibrium
from equilibrist.form.public import states, walker
from equilibrist.form.public.terminal.payoffs import DENSE, SHOWDOWN
from equilibrist.form.public.terminal.showdown import factorise
from equilibrist.solving.keywords import solve_keywords
from equilibrist.solving.save import too_long_for_csv
from support.known import KNOWN
from support.random_games import random_strategy
from support.random_public_games import RandomPublicGame
from support.reference import CFR, best_response, unfold, values
from support.runs import FOREVER, stop_at_6, without_seconds
from support.solvers import (
    arrays,
    certificate,
    estimate,
    rows,
    seeds,
    set_arrays,
    set_tables,
    tables,
    turn,
    variant,
)

pytestmark = pytest.mark.thinned(4)  # see conftest.py

FORMS = ["sequence", pytest.param("public", marks=pytest.mark.slow)]
PRECISIONS = ["float64", pytest.param("float32", marks=pytest.mark.slow)]
"""What is not slow compiles the kernels of public forms for one precision: those of float32 take 10 s more."""

GAMES = [
    "kuhn",
    "kuhn(cards=5, ante=2, bet=3)",
    "kuhn(cards=9, pass_ends=True)",
    "leduc",
    "leduc(merge_suits=False)",
    "leduc(ranks=4, suits=3, raises=1, bets=(1, 3), ante=2)",
    "leduc(ranks=9, suits=1, raises=1)",
    "liars_dice(faces=3)",
    "liars_dice(faces=4, order='face')",
    "liars_dice(dice=(2, 1), faces=2)",
    "liars_dice(dice=(1, 2), faces=3, order='face', wild_biddable=False)",
]
BLUFF = "liars_dice(order={!r}, wild_biddable=False)"


class Draw:
    """Both draw a number from 1 to 3, not the same; parts of it are replaced to see what is said about them."""

    hands = ("123", "123")

    def prior(self):
        return (1 - np.eye(3)) / 6

    def start(self):
        return ""

    def player(self, state):
        return len(state) if len(state) < 2 else TERMINAL

    def actions(self, state):
        return ["l", "m"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoff(self, state):
        stake = 1 + state.count("m")
        return Showdown(([1, 2, 3], [1, 2, 3]), win=stake, lose=-stake)


def replaced(**answers):
    """Return the game with other answers: a function, an error to raise, or what to return."""

    def method(answer):
        def answering(self, *args):
            if isinstance(answer, type) and issubclass(answer, BaseException):
                raise answer("oops")
            return answer(*args) if callable(answer) else answer

        return answering

    return type(
        "Draw", (Draw,), {name: a if name == "hands" else method(a) for name, a in answers.items()}
    )()


def in_public(game):
    """Return the public states of a game."""
    return game.public_states() if hasattr(game, "public_states") else game


def solvers(game, name, *, alternating=True, horizon=100, **options):
    """Return the two solvers of a game: on its public states, and written out."""
    row = eq.ALGORITHMS[name]
    options |= {"horizon": horizon if row.needs_horizon else None}
    row = variant(row, alternating=alternating)
    return PublicCFR(eq.compile_public(in_public(game)), row, **options), SequenceCFR(
        eq.compile_game(game), row, **options
    )


def matched(public, written):
    """Return the slots of two forms in the same order, having seen that they have the same infosets and actions."""

    def slots(form):
        table, numbers = {}, iter(form.slot.tolist())
        for player, key, actions in form.infosets:
            assert (player, key) not in table
            table[player, key] = {action: next(numbers) for action in actions}
        return table

    one, other = slots(public), slots(written)
    assert {key: list(row) for key, row in one.items()} == {
        key: list(row) for key, row in other.items()
    }
    return tuple(
        np.array([a for key in one for a in table[key].values()], np.int64)
        for table in (one, other)
    )


def same_certificate(one, other, tolerance=1e-12):
    assert one.value == pytest.approx(other.value, abs=tolerance)
    assert one.best_response_value == pytest.approx(other.best_response_value, abs=tolerance)
    assert one.nash_conv == pytest.approx(other.nash_conv, abs=2 * tolerance)


# --- The same game ---


@pytest.mark.parametrize("spec", GAMES)
def test_the_same_infosets_actions_and_sizes(spec):
    public, written = eq.compile_public(in_public(eq.load(spec))), eq.compile_game(eq.load(spec))
    mine, _ = matched(public, written)
    assert (public.num_infosets, public.slots) == (written.num_infosets, written.slots)
    assert (public.name, public.players, public.zero_sum) == (
        written.name,
        written.players,
        written.zero_sum,
    )
    assert len(set(mine.tolist())) == len(mine) == public.num_actions
    assert mine.min() >= 0
    assert mine.max() < public.length
    assert [public.infosets[i] for i in range(len(public.infosets))] == list(public.infosets)
    unfolded = eq.compile_game(eq.to_extensive_form(in_public(eq.load(spec))))
    matched(public, unfolded)
    assert public.depth == unfolded.depth
    assert public.histories == written.histories
    assert eq.evaluate(public, {}, missing="uniform").nash_conv == pytest.approx(
        eq.evaluate(unfolded, {}, missing="uniform").nash_conv, abs=1e-12
    )


@pytest.mark.parametrize("spec", GAMES)
def test_the_exact_equilibrium_is_one_of_the_public_form_too(spec):
    solution = eq.exact(spec)
    judged = eq.evaluate(eq.compile_public(in_public(eq.load(spec))), solution.strategy)
    assert judged.value == pytest.approx(solution.value, abs=1e-12)
    assert judged.nash_conv == pytest.approx(solution.nash_conv, abs=1e-12)


def test_three_players_have_no_public_states():
    assert eq.load("kuhn(players=3)").public_states() is None
    assert eq.load("leduc(players=3)").public_states() is None


# --- The same iterates ---


def compare_step_by_step(game, name, *, alternating, iterations=12, **options):
    """Run each iteration of both from the same numbers, and compare all that comes out to 1e-12.

    Strategies are compared where the regrets are more than rounding: where they cancel exactly, one of the two may see
    a last bit above zero where the other sees none.
    """
    public, written = solvers(game, name, alternating=alternating, **options)
    mine, theirs = matched(public.form, written.form)
    first = np.concatenate([[0], np.cumsum(public.form.infosets.num_actions)[:-1]]).astype(np.int64)
    for _ in range(iterations):
        new = arrays(public)
        for key, array in written.tables.items():
            new[key][mine] = array[theirs]
        set_arrays(public, new, written.iteration)
        public.run(1)
        written.run(1)
        after = {
            key: (public.tables[key][mine], array[theirs]) for key, array in written.tables.items()
        }
        for key in ("regret_sum", "strategy_sum"):
            np.testing.assert_allclose(*after[key], rtol=1e-12, atol=1e-12)
        decided = (
            [np.abs(np.maximum.reduceat(regret, first)) > 1e-7 for regret in after["regret_sum"]]
            if len(mine)
            else []
        )
        if len(mine):
            both = np.repeat(decided[0] & decided[1], public.form.infosets.num_actions)
            np.testing.assert_allclose(
                after["strategy"][0][both], after["strategy"][1][both], atol=1e-9
            )
    same_certificate(certificate(public), certificate(written))
    return public, written


@pytest.mark.thinned(14)
@rows
@turn
@pytest.mark.parametrize("spec", GAMES)
def test_iterations_are_the_same_step_by_step(spec, name, alternating):
    compare_step_by_step(eq.load(spec), name, alternating=alternating)


# Where no regrets cancel exactly, the two stay together when left to themselves; what one iteration rounds grows a bit.
@rows
@turn
@pytest.mark.parametrize(
    "spec", ["leduc(ranks=4, suits=3, raises=1, bets=(1, 3), ante=2)", "liars_dice(faces=3)"]
)
def test_left_to_themselves_they_stay_together(spec, name, alternating):
    public, written = solvers(eq.load(spec), name, alternating=alternating)
    mine, theirs = matched(public.form, written.form)
    for _ in range(3):
        public.run(8)
        written.run(8)
        average, other = public.average_strategy()[mine], written.average_strategy()[theirs]
        np.testing.assert_allclose(average, other, atol=1e-12)
        same_certificate(certificate(public), certificate(written))


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", [*map(BLUFF.format, ["quantity", "face"]), "leduc(ranks=5, suits=1)"]
)
def test_games_full_of_ties_are_solved_alike(spec):
    """Regrets that cancel exactly are taken for 0 by both, whatever rounding leaves; later on chaos parts them."""
    found = [eq.solve(spec, "cfr+", form=form, iterations=30) for form in ("public", "sequence")]
    assert found[0].nash_conv == pytest.approx(found[1].nash_conv, rel=1e-9)
    found = [eq.solve(spec, "cfr+", form=form, iterations=300) for form in ("public", "sequence")]
    assert [solution.info.game.form for solution in found] == ["public", "sequence"]
    bound = sum(solution.nash_conv for solution in found)
    assert 0 < bound < 0.1
    assert abs(found[0].value[0] - found[1].value[0]) <= bound


def test_most_infosets_are_decided():
    """What compare_step_by_step leaves out is the exception."""
    public, _ = compare_step_by_step(eq.load("leduc"), "dcfr", alternating=True)
    regret = np.abs(public.tables["regret_sum"][public.form.slot])
    assert np.mean(regret > 1e-7) > 0.9


# --- The reference, and random games ---


def untied(seed, *, ties, alternating, **options):
    """Return a random game; where updates alternate, one in which no two moves are worth the same.

    Else the first player's rounding decides what the second one meets within the iteration.
    """
    if alternating:
        return RandomPublicGame(seed, merges=False, **options)
    return RandomPublicGame(seed, ties=ties, **options)


def compare_with_the_reference(game, name, *, alternating, iterations=10):
    """Run each iteration from the numbers of the plain recursion over the histories, and compare to 1e-12."""
    public, _ = solvers(game, name, alternating=alternating)
    reference = CFR(
        eq.to_extensive_form(game),
        public.algorithm,
        alternating=alternating,
        horizon=public.horizon,
    )
    assert set(reference.strategy) == {
        (infoset.player, infoset.key) for infoset in public.form.infosets
    }
    for _ in range(iterations):
        set_tables(public, reference)
        public.run(1)
        reference.iterate()
        found = tables(public)
        for key, row in reference.strategy.items():
            scale = min(reference.wanted[key], 1.0)
            for action, probability in row.items():
                assert (
                    abs(found["regret_sum"][key][action] - reference.regret_sum[key][action])
                    <= 1e-12
                )
                assert (
                    abs(found["strategy_sum"][key][action] - reference.strategy_sum[key][action])
                    <= 1e-12
                )
                assert abs(found["strategy"][key][action] - probability) * scale <= 1e-12
    return public, reference


@pytest.mark.thinned(3)
@rows
@turn
@settings(max_examples=3)
@given(seed=seeds, ties=st.booleans())
def test_iterations_equal_the_reference(name, alternating, seed, ties):
    game = untied(seed, ties=ties, alternating=alternating, depth=3)
    compare_with_the_reference(game, name, alternating=alternating)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["kuhn", "kuhn(cards=9)", "liars_dice(faces=2)"])
@turn
def test_built_in_games_equal_the_reference(spec, alternating):
    for name in eq.ALGORITHMS:
        compare_with_the_reference(eq.load(spec).public_states(), name, alternating=alternating)


@given(seed=seeds, strategy=st.integers(0, 99))
def test_certificates_equal_the_reference(seed, strategy):
    game = RandomPublicGame(seed, ties=True, depth=3)
    form, root = eq.compile_public(game), unfold(eq.to_extensive_form(game))
    table = random_strategy(form.infosets, strategy)
    judged = eq.evaluate(form, table)
    assert judged.value == pytest.approx(values(root, table), abs=1e-12)
    best = [best_response(root, table, player=player)[1] for player in range(2)]
    assert judged.best_response_value == pytest.approx(best, abs=1e-12)
    # The best responses are ones, and the losses are where the strategy gives something away.
    for player in range(2):
        replies = {key: row for key, row in judged.best_response.items() if key[0] == player}
        assert all(
            sorted(row.values()) == [*[0.0] * (len(row) - 1), 1.0] for row in replies.values()
        )
        assert values(root, table | replies)[player] == pytest.approx(best[player], abs=1e-12)
    assert sum(loss.loss for loss in judged.losses) == pytest.approx(judged.nash_conv, abs=1e-12)
    again = {one[:2]: one.loss for one in eq.evaluate(eq.to_extensive_form(game), table).losses}
    for loss in judged.losses:
        assert loss.loss == pytest.approx(again.get(loss[:2], 0.0), abs=1e-12)


@pytest.mark.slow
@settings(max_examples=150)
@given(
    seed=seeds,
    ties=st.booleans(),
    alternating=st.booleans(),
    name=st.sampled_from(list(eq.ALGORITHMS)),
)
def test_random_games_are_the_same_written_out(seed, ties, alternating, name):
    game = untied(seed, ties=ties, alternating=alternating)
    public, written = compare_step_by_step(game, name, alternating=alternating, iterations=8)
    assert public.form.histories == written.form.histories
    assert public.form.depth >= written.form.depth  # what no hands can meet is there all the same
    assert (public.form.num_infosets, public.form.slots) == (
        written.form.num_infosets,
        written.form.slots,
    )


@settings(max_examples=20)
@given(seed=seeds, name=st.sampled_from(list(eq.ALGORITHMS)), alternating=st.booleans())
def test_random_games_left_to_themselves_stay_together(seed, name, alternating):
    """Payoffs are real numbers and nothing merges, so that no regrets cancel."""
    public, written = solvers(RandomPublicGame(seed, merges=False), name, alternating=alternating)
    mine, theirs = matched(public.form, written.form)
    public.run(20)
    written.run(20)
    np.testing.assert_allclose(
        public.average_strategy()[mine], written.average_strategy()[theirs], atol=1e-9
    )
    same_certificate(certificate(public), certificate(written), 1e-11)


@pytest.mark.slow
@settings(max_examples=10)
@given(seed=seeds, ties=st.booleans())
def test_random_games_are_solved(seed, ties):
    game = RandomPublicGame(seed, ties=ties)
    form = eq.compile_game(game)
    value = eq.evaluate(form, eq.Strategy.from_form(form, equilibrium(form))).value[0]
    solution = eq.solve(game, form="public", iterations=1000)
    assert solution.nash_conv < 0.05
    assert abs(solution.value[0] - value) <= solution.nash_conv + 1e-9


@pytest.mark.slow
def test_random_games_have_what_they_promise():
    """The generator is part of the evidence."""
    games = [RandomPublicGame(seed) for seed in range(200)]
    forms = [eq.compile_public(game) for game in games]
    shares = [form.nodes > len(form.public.mover) for form in forms]
    assert 0.2 < np.mean(shares) < 0.8  # one public state, many nodes
    dead = [
        any(
            len(hands) > len(possible_hands)
            for hands, possible_hands in zip(form.hands, form.names.possible_hands[0], strict=True)
        )
        for form in forms
    ]
    assert np.mean(dead) > 0.3
    fewer = [
        any(len(one[0]) < len(form.names.possible_hands[0][0]) for one in form.names.possible_hands)
        for form in forms
    ]
    assert np.mean(fewer) > 0.1  # chance shows some hands to be impossible
    assert np.mean([form.public.hands[0] != form.public.hands[1] for form in forms]) > 0.5
    assert {9} <= {size for form in forms for size in form.public.hands.tolist()}
    assert {0, 1, 2, 3} <= {mover for form in forms for mover in form.public.mover.tolist()}


class Sprawling(Draw):
    """Every way to the same number of moves is one state, and there are 2^40 ways."""

    def start(self):
        return 0

    def player(self, state):
        return state % 2 if state < 40 else TERMINAL

    def next(self, state, action):
        return state + 1

    def payoff(self, state):
        return 1.5


@pytest.mark.slow
def test_equal_states_are_asked_about_once():
    form = eq.compile_public(Sprawling())
    assert len(form.public.mover) == 41
    assert form.nodes == 2**41 - 1
    assert form.num_infosets == 3 * (2**40 - 1)
    assert form.depth == 42


# --- What ends pay ---


class Poker:
    """One bet between any hands: a fold, a matrix where player 0 checks, and a showdown."""

    def __init__(self, prior, strengths, *, tie=0.25, dense=False):
        self._prior, self.strengths, self.tie, self.dense = prior, strengths, tie, dense
        self.hands = tuple(
            [f"{who}{hand}" for hand in range(size)]
            for who, size in zip("KQ", prior.shape, strict=True)
        )

    def prior(self):
        return self._prior

    def start(self):
        return ""

    def player(self, state):
        return len(state) if state in ("", "b") else TERMINAL

    def actions(self, state):
        return "cbr" if state == "" else "fc"

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoff(self, state):
        if state == "bf":
            return 1.0625
        if state == "r":
            return np.cos(np.arange(self._prior.size)).reshape(self._prior.shape)
        showdown = Showdown(
            self.strengths, win=1.5 + len(state), lose=-1.25 - len(state), tie=self.tie
        )
        return showdown.matrix() if self.dense else showdown


def of_kind(kind, shape, dice):
    """Return the probability of each pair of hands: of independent dice, of one deck of cards, or something between."""
    own, other = dice.random(shape[0]) + 0.01, dice.random(shape[1]) + 0.01
    prior = np.outer(own, own[: shape[1]] if kind == "cards" and shape[0] == shape[1] else other)
    if kind != "dice" and shape[0] == shape[1]:
        prior *= 1 - np.eye(shape[0]) * (1.0 if kind == "cards" else 0.3)
    if "dead" in kind:
        prior[shape[0] // 2] = 0.0
        prior[:, 0] = 0.0
    return prior / prior.sum()


SHAPES = [(3, 3), (8, 8), (9, 9), (9, 8), (8, 9), (17, 3), (3, 17), (4, 33), (25, 24), (31, 31)]
KINDS = ["dice", "cards", "suits", "dead dice", "dead suits"]


@pytest.mark.parametrize("tie", [0.0, 0.25, 1.5])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sorted_hands_earn_what_the_matrix_says(shape, kind, tie, monkeypatch):
    """By the formula, written down in NumPy; with strengths that tie, and some that no other hand has."""
    dice = np.random.default_rng(sum(shape))
    prior = of_kind(kind, shape, dice)
    game = Poker(
        prior, tuple(dice.integers(0, 2 + max(shape) // 2, size) for size in shape), tie=tie
    )
    forms = []
    for few in (0, 2**40):
        monkeypatch.setattr(equilibrist.form.public.terminal.payoffs, "_FEW_PAIRS", few)
        forms.append(eq.compile_public(game))
    assert sorted(forms[0].terminal_payoffs.kind.tolist()) == [
        DENSE,
        *[SHOWDOWN] * 3,
    ]  # of "r" it is a matrix anyway
    assert forms[1].terminal_payoffs.kind.tolist() == [DENSE] * 4

    bets, calls = dice.dirichlet([1, 1, 1], shape[0]), dice.dirichlet([1, 1], shape[1])
    strategy = {
        (0, f"K{i}"): dict(zip("cbr", bets[i].tolist(), strict=True))
        for i in forms[0].names.possible_hands[0][0].tolist()
    }
    strategy |= {
        (1, f"Q{j} b"): dict(zip("fc", calls[j].tolist(), strict=True))
        for j in forms[0].names.possible_hands[0][1].tolist()
    }
    given = {end: game.payoff(end) for end in ("c", "bf", "bc", "r")}
    pays = {
        end: prior * (pay.matrix() if isinstance(pay, Showdown) else pay)
        for end, pay in given.items()
    }
    bet = pays["bf"] * calls[:, 0] + pays["bc"] * calls[:, 1]
    action_cfv = np.stack([pays["c"].sum(axis=1), bet.sum(axis=1), pays["r"].sum(axis=1)], axis=1)
    answers = -np.stack([bets[:, 1] @ pays["bf"], bets[:, 1] @ pays["bc"]], axis=1)
    others = -(bets[:, 0] @ pays["c"] + bets[:, 2] @ pays["r"]).sum()
    for form in forms:
        judged = eq.evaluate(form, strategy)
        assert judged.value[0] == pytest.approx((bets * action_cfv).sum(), abs=1e-14)
        assert judged.value[1] == pytest.approx(-judged.value[0], abs=1e-14)
        assert judged.best_response_value[0] == pytest.approx(
            action_cfv.max(axis=1).sum(), abs=1e-14
        )
        assert judged.best_response_value[1] == pytest.approx(
            answers.max(axis=1).sum() + others, abs=1e-14
        )


@pytest.mark.parametrize(
    "spec",
    [
        "kuhn(cards=9)",
        "kuhn(cards=40)",
        "leduc(ranks=9, suits=1, raises=1)",
        "liars_dice(dice=(2, 1), faces=3)",
    ],
)
def test_both_kinds_of_payoff_give_the_same_iterates(spec, monkeypatch):
    kinds = []
    for few in (0, 2**40):
        monkeypatch.setattr(equilibrist.form.public.terminal.payoffs, "_FEW_PAIRS", few)
        public, _ = compare_step_by_step(eq.load(spec), "dcfr", alternating=False)
        kinds.append(set(public.form.terminal_payoffs.kind.tolist()))
    assert SHOWDOWN in kinds[0]
    assert kinds[1] == {DENSE}


@pytest.mark.slow
@settings(max_examples=30)
@given(seed=seeds)
def test_random_games_with_sorted_payoffs(seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equilibrist.form.public.terminal.payoffs, "_FEW_PAIRS", 0)
        compare_step_by_step(RandomPublicGame(seed), "dcfr", alternating=False, iterations=3)


@given(
    seed=seeds,
    shape=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    square=st.booleans(),
    zeros=st.floats(0, 0.6),
)
def test_factors_are_those_of_the_chance(seed, shape, square, zeros):
    """Rank one plus a diagonal: found where it can be told, and refused where anything else is different."""
    dice = np.random.default_rng(seed)
    shape = (shape[0], shape[0]) if square else shape
    own, other = (dice.random(size) * (dice.random(size) >= zeros) for size in shape)
    chance = np.outer(own, other)
    if shape[0] == shape[1]:
        np.fill_diagonal(chance, dice.random(shape[0]) * dice.integers(0, 2))
    factors = factorise(chance)
    if factors is not None:
        product = np.outer(*factors.factor)
        level = min(shape)
        product[np.arange(level), np.arange(level)] += factors.diagonal[:level]
        np.testing.assert_allclose(product, chance, atol=1e-14 * chance.max())
    elif zeros == 0 and min(shape) >= 4:
        pytest.fail("two rows and two columns are full, so that they tell the factors")
    if chance.max() > 0 and min(shape) >= 4 and zeros == 0:
        i, j = dice.choice(min(shape), 2, replace=False)
        chance[i, j] += 1e-12 * chance.max()
        assert factorise(chance) is None


@pytest.mark.parametrize(
    "chance",
    [
        np.zeros((5, 5)),
        np.ones((2, 9)),
        np.ones((9, 1)),
        np.eye(6),
        np.array([[1.0, 2, 3, 4], [2, 4, 6, 8], [3, 6, 9, 13]]),
        np.random.default_rng(0).random((9, 9)),
        np.ones((5, 6))
        - np.eye(5, 6),  # a diagonal is only meant where both hold hands of one deck
        np.ones((6, 6)) - np.eye(6, k=1),
        np.kron(np.ones((4, 4)), np.eye(2)),
    ],
    ids=str,
)
def test_factors_of_what_has_none(chance):
    assert factorise(chance) is None


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 16, 17, 24, 25, 33])
@pytest.mark.parametrize("few", [0, 2**40])
def test_hands_are_padded_to_whole_lanes(size, few, monkeypatch):
    """With any number of hands, the same as written out; what fills up is never read."""
    monkeypatch.setattr(equilibrist.form.public.terminal.payoffs, "_FEW_PAIRS", few)
    dice = np.random.default_rng(size)
    for shape in ((size, size), (size, 3), (1, size)):
        game = Poker(of_kind("dice", shape, dice), tuple(dice.random(n) for n in shape))
        public, _ = compare_step_by_step(game, "pcfr+", alternating=True, iterations=4)
        assert public.form.public.width.tolist() == [-(-n // 8) * 8 for n in shape]
        for array in public.tables.values():
            assert np.all(np.isfinite(array))


# --- Threads ---


def bits(solver):
    return {name: array.tobytes() for name, array in solver.tables.items()}


@pytest.mark.parametrize("tasks", [None, 1, 7, 10**9])
@turn
@pytest.mark.parametrize("precision", PRECISIONS)
def test_threads_change_nothing(tasks, alternating, precision, monkeypatch):
    if tasks is not None:
        monkeypatch.setattr(walker, "_SUBTREES", tasks)
    for spec in ("liars_dice(dice=(2, 1), faces=3)", "leduc", "kuhn"):
        form, found = eq.compile_public(eq.load(spec).public_states()), []
        for threads in (1, 2, 3):
            solver = PublicCFR(
                form,
                variant(eq.ALGORITHMS["pcfr+"], alternating=alternating),
                threads=threads,
                precision=precision,
            )
            for iterations in (1, 4):
                solver.run(iterations)
            found.append((bits(solver), certificate(solver), solver.average_strategy().tobytes()))
        assert found[0] == found[1] == found[2]


def test_there_is_work_for_threads():
    """Else the tests before would say nothing."""
    form = eq.compile_public(eq.load("liars_dice(dice=(2, 1), faces=3)").public_states())
    cut = walker.find_cut(form.public, form.length // walker._SUBTREES)
    assert len(cut.state) > 100


@pytest.mark.slow
@settings(max_examples=20)
@given(seed=seeds, tasks=st.sampled_from([1, 2, 5, 1000]), alternating=st.booleans())
@example(seed=3659, tasks=5, alternating=True)  # all subtrees in one bundle
def test_threads_change_nothing_in_random_games(seed, tasks, alternating):
    form, found = eq.compile_public(RandomPublicGame(seed)), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walker, "_SUBTREES", tasks)
        for threads in (1, 2):
            solver = PublicCFR(
                form, variant(eq.ALGORITHMS["dcfr"], alternating=alternating), threads=threads
            )
            solver.run(3)
            found.append((bits(solver), certificate(solver)))
    assert found[0] == found[1]


def test_walkers_are_kept_and_lent_to_one_at_a_time():
    form = eq.compile_public(eq.load("leduc").public_states())
    with form.walkers.acquire() as one, form.walkers.acquire() as other:
        assert one is not other
    with form.walkers.acquire() as again:
        assert again in (one, other)
    with pytest.raises(ZeroDivisionError), form.walkers.acquire() as lost:
        raise ZeroDivisionError
    with form.walkers.acquire() as one, form.walkers.acquire() as other:
        assert lost not in (one, other), "one of its threads may still be at work"


def test_solves_of_one_form_at_the_same_time():
    """Each has scratch of its own: the bits are those of one after the other."""
    form = eq.compile_public(eq.load("liars_dice(faces=3)").public_states())
    alone = eq.solve(form, "pcfr+", iterations=30)
    with ThreadPoolExecutor(4) as pool:
        futures = [
            pool.submit(eq.solve, form, "pcfr+", iterations=30, threads=1 + k % 2) for k in range(8)
        ]
        together = [future.result() for future in futures]
    for solution in together:
        assert (solution.strategy.probabilities == alone.strategy.probabilities).all()
        assert solution.nash_conv == alone.nash_conv


def test_threads_of_solve():
    spec = "liars_dice(dice=(2, 1), faces=3)"
    one, two = (eq.solve(spec, form="public", iterations=20, threads=threads) for threads in (1, 2))
    assert without_seconds(one) == without_seconds(two)
    cut = eq.solve(spec, form="public", iterations=9, threads=3)
    assert without_seconds(eq.solve(resume=cut, iterations=20)) == without_seconds(one)


# --- Precision ---


@pytest.mark.parametrize("form", FORMS)
def test_float32_solves_kuhn(form):
    solution = eq.solve("kuhn", form=form, precision="float32", iterations=2000)
    assert (solution.info.game.form, solution.config.precision) == (form, "float32")
    assert -1e-12 < solution.nash_conv < 1e-4
    assert abs(solution.value[0] + 1 / 18) <= solution.nash_conv
    tables = [
        array for array in solution.state.values() if array.dtype.kind == "f"
    ]  # the rest are counts
    assert tables
    assert all(array.dtype == np.float32 for array in tables)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars_dice(faces=3)"])
@pytest.mark.parametrize("form", FORMS)
def test_certificates_of_float32_are_float64(spec, form):
    """What is certified is the strategy that is returned: that of the stored numbers, judged in float64."""
    solution = eq.solve(spec, form=form, precision="float32", iterations=30)
    for judge in (spec, eq.compile_public(eq.load(spec).public_states())):
        judged = eq.evaluate(judge, solution.strategy)
        assert judged.value == pytest.approx(solution.value, abs=1e-13)
        assert judged.nash_conv == pytest.approx(solution.nash_conv, abs=1e-13)
    assert (
        np.abs(
            np.fromiter((sum(row.values()) for row in solution.strategy.values()), float) - 1
        ).max()
        < 1e-15 * 8
    )


@pytest.mark.slow
@rows
@turn
def test_float32_stores_the_same_iterates_more_coarsely(name, alternating):
    for pair in zip(
        solvers(eq.load("liars_dice(faces=3)"), name, alternating=alternating),
        solvers(eq.load("liars_dice(faces=3)"), name, alternating=alternating, precision="float32"),
        strict=True,
    ):
        for solver in pair:
            solver.run(5)
        for one, other in zip(*(solver.tables.values() for solver in pair), strict=True):
            assert (one.dtype, other.dtype) == (np.float64, np.float32)
            np.testing.assert_allclose(one, other, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["leduc", "kuhn(cards=70)"])
@pytest.mark.parametrize("threads", [1, 2])
def test_float32_walks_compute_in_float32(spec, threads):
    """Payoffs by matrix and by sorted hands: sums are those of float64 to 1e-5 of the largest."""
    form = eq.compile_public(eq.load(spec).public_states())
    full, half = (
        PublicCFR(form, eq.ALGORITHMS["dcfr"], precision=kind) for kind in ("float64", "float32")
    )
    half.threads = threads
    for solver in (full, half):
        solver.run(5)
    for name in ("regret_sum", "strategy_sum"):
        sums = full.tables[name]
        np.testing.assert_allclose(half.tables[name], sums, rtol=0, atol=1e-5 * np.abs(sums).max())
    (walker,) = form.walkers._idle[os.getpid(), ("precision", "float32"), ("threads", threads)]
    arrays = (
        walker.scratch.value,
        walker.scratch.sigma,
        walker.subtrees.reach,
        walker.game.payoffs.numbers,
    )
    assert {array.dtype for array in arrays} == {np.dtype(np.float32)}


def test_payoffs_of_float32_are_those_of_float64_rounded():
    payoffs = eq.compile_public(eq.load("leduc").public_states()).arrays.payoffs
    converted = equilibrist.form.public.terminal.payoffs.convert_precision(payoffs, "float32")
    assert converted.numbers.dtype == np.float32
    np.testing.assert_array_equal(converted.numbers, payoffs.numbers.astype(np.float32))
    assert converted.indices is payoffs.indices


def test_float32_is_half_the_size():
    full, half = (
        solvers(eq.load("leduc"), "cfr", precision=precision)[0]
        for precision in ("float64", "float32")
    )
    sizes = [sum(array.nbytes for array in solver.tables.values()) for solver in (full, half)]
    assert sizes[0] == 2 * sizes[1]


# --- solve() ---


@pytest.mark.parametrize("spec", ["leduc", "kuhn(cards=70)", "liars_dice(faces=3)"])
def test_another_layout_has_the_same_fingerprint(spec, monkeypatch):
    form = eq.compile_public(eq.load(spec).public_states())
    monkeypatch.setattr(states, "padded", lambda size: 2 * padded(size))
    other = eq.compile_public(eq.load(spec).public_states())
    assert other.length == 2 * form.length
    assert other.fingerprint == form.fingerprint


@pytest.mark.slow
def test_auto_takes_public_states_where_there_is_much_to_write_out(monkeypatch):
    assert eq.solve("kuhn", iterations=1).info.game.form == "sequence"
    large = eq.solve("kuhn(cards=1000)", iterations=2)
    assert (large.info.game.form, large.infosets) == ("public", 4000)
    assert large.histories > equilibrist.games.compile.MOST_WRITTEN_OUT
    assert eq.solve("kuhn(cards=1000)", form="auto", iterations=1).info.game.form == "public"
    monkeypatch.setattr(equilibrist.games.compile, "MOST_WRITTEN_OUT", 10)
    assert eq.solve("kuhn", iterations=1).info.game.form == "public"
    assert eq.solve("goofspiel(cards=3)", iterations=1).info.game.form == "sequence"
    # A public game in Python is unfolded in Python as well, which takes longer.
    assert eq.solve(Draw(), iterations=1).info.game.form == "sequence"
    monkeypatch.setattr(equilibrist.games.compile, "MOST_UNFOLDED", 10)
    assert eq.solve(Draw(), iterations=1).info.game.form == "public"
    assert eq.solve("kuhn(players=3)", iterations=1).info.game.form == "sequence"


@pytest.mark.parametrize("form", ["public", "sequence"])
def test_a_form_that_is_asked_for(form):
    for game in ("leduc", eq.load("leduc"), eq.load("leduc").public_states()):
        solution = eq.solve(game, form=form, iterations=3)
        assert (solution.info.game.form, solution.infosets, solution.game) == (form, 288, "leduc")
    assert eq.solve(Draw(), form=form, iterations=3).infosets == 9


def test_compiled_already():
    form = eq.compile_public(Draw())
    one, other = eq.solve(form, iterations=20), eq.solve(Draw(), form="public", iterations=20)
    assert without_seconds(one) == without_seconds(other)
    assert eq.evaluate(form, one.strategy).nash_conv == pytest.approx(one.nash_conv, abs=1e-14)


@pytest.mark.slow
def test_what_a_solution_says(monkeypatch):
    monkeypatch.setattr(equilibrist.form.public.terminal.payoffs, "_FEW_PAIRS", 100)
    solution = eq.solve("kuhn(cards=40)", "auto(alternating=False)", form="public", iterations=3)
    assert (
        solution.histories
        == eq.compile_game(
            eq.to_extensive_form(eq.load("kuhn(cards=40)").public_states())
        ).histories
    )
    assert (solution.slots, solution.zero_sum, solution.players) == (4 * 40 * 2 + 2, True, 2)
    assert solution.info.game.payoff == "40 × 40 hands at 9 public nodes, 3 by sorted hands"
    assert solution.nodes_touched == 3 * 2 * solution.histories


@pytest.mark.parametrize(
    ("game", "options", "error", "match"),
    [
        (
            "kuhn",
            {"form": "tree"},
            eq.AlgorithmError,
            "form must be one of 'auto', 'sequence', 'public', 'cards', 'ranges', 'walk'; got 'tree'",
        ),
        (
            "goofspiel",
            {"form": "public"},
            eq.GameError,
            "goofspiel does not say what is public .* Use form='sequence'",
        ),
        ("kuhn(players=3)", {"form": "public"}, eq.GameError, "does not say what is public"),
        (
            "kuhn",
            {"threads": 2},
            eq.AlgorithmError,
            "threads=2 would do nothing for kuhn as a sequence form",
        ),
        (
            "kuhn",
            {"threads": 2, "form": "sequence"},
            eq.AlgorithmError,
            "threads=2 would do nothing for kuhn",
        ),
        (
            "kuhn",
            {"threads": 0, "form": "public"},
            eq.AlgorithmError,
            "threads must be a whole number, 1 to 1024, or 'auto'; got 0",
        ),
        (
            "kuhn",
            {"precision": "half"},
            eq.AlgorithmError,
            "precision must be one of 'auto', 'float64', 'float32', 'int16'; got 'half'",
        ),
        (
            "kuhn",
            {"max_memory_gb": 0},
            eq.AlgorithmError,
            "memory_gb must be gigabytes above 0; got 0",
        ),
        (
            "kuhn",
            {"max_memory_gb": math.nan},
            eq.AlgorithmError,
            "memory_gb must be gigabytes above 0; got nan",
        ),
        (
            "kuhn",
            {"max_memory_gb": "8"},
            eq.AlgorithmError,
            "memory_gb must be gigabytes above 0; got '8'",
        ),
        (
            "kuhn",
            {"precision": "float32", "sampling": "external"},
            eq.AlgorithmError,
            "precision='float32' would do nothing",
        ),
    ],
)
def test_options_that_make_no_sense(game, options, error, match):
    with pytest.raises(error, match=match) as caught:
        eq.solve(game, iterations=1, **solve_keywords(options))
    assert caught.value.wrong_use
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_what_takes_too_much_memory_is_refused_before_it_is_allocated():
    sentence = (
        r"^leduc is too large: 240 public nodes, 288 infosets: \S+ GB; "
        r"memory_gb=0.0002 allows less\. Allow more \(Limits\(memory_gb=\), --max-memory-gb\), or store it in half as "
        r"much \(precision='float32', --precision float32\), or sample it"
    )
    with pytest.raises(eq.GameError, match=sentence):
        eq.solve("leduc", form="public", limits=eq.Limits(memory_gb=2e-4), iterations=1)
    assert (
        eq.solve("leduc", form="public", limits=eq.Limits(memory_gb=0.01), iterations=1).iterations
        == 1
    )
    # A game that this machine cannot hold, told by its numbers: 2^40 infosets.
    with pytest.raises(
        eq.GameError,
        match=r"too large: 2,199,023,255,551 public nodes, 3,298,534,883,325 infosets: [\d,]+ GB",
    ):
        eq.solve(Sprawling(), form="public", iterations=1)


def test_what_no_machine_can_number_is_refused_with_the_sampling_to_use():
    with pytest.raises(
        eq.GameError, match=r"public nodes, which are too many .* for a walk takes \S+ years\."
    ):
        eq.solve("liars_dice(dice=(5, 5))", iterations=1)


@pytest.mark.parametrize("precision", PRECISIONS)
@settings(max_examples=20)
@given(seed=seeds, sample=st.sampled_from([8, 100, 1 << 20]))
def test_the_plan_is_enough_for_what_comes(seed, sample, precision):
    """Tried on a part of the game, whatever part it is."""
    form = eq.compile_public(RandomPublicGame(seed))
    assume(form.length > 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equilibrist.solving.estimate, "_PART", sample)
        clock = SimpleNamespace(
            perf_counter=itertools.count().__next__
        )  # the two iterations timed take a second
        patch.setattr(equilibrist.solving.estimate, "time", clock)
        plan = estimate(form, threads=2, precision=precision)
    assert f"{form.nodes:,} public nodes, {form.num_infosets:,} infosets" in str(plan)
    assert plan.seconds == pytest.approx(form.length / form.part(sample).length / 2 / 2)
    solution = eq.solve(form, iterations=1, precision=precision)
    arrays = [*solution.state.values(), solution.strategy.probabilities]
    assert sum(array.nbytes for array in arrays) <= plan.gigabytes * 1e9


def test_the_plan_is_told():
    stages = []
    eq.solve("leduc", form="public", iterations=1, callbacks=eq.Callbacks(on_stage=stages.append))
    assert any(
        re.search(r"public nodes, 288 infosets: .* GB, about .* s an iteration$", stage)
        for stage in stages
    )


@pytest.mark.thinned(42)
@pytest.mark.parametrize("precision", ["float64", "float32"])
@turn
@rows
def test_resumed_equals_uninterrupted(name, alternating, precision, tmp_path):
    options = {"form": "public", "precision": precision}
    name = f"{name}(alternating={alternating})"
    whole = eq.solve("kuhn", name, iterations=40, **options)
    cut = eq.solve(
        "kuhn", name, iterations=40, until=whole.trace[3].exploitability * 1.2, **options
    )
    assert cut.iterations < 40
    assert without_seconds(eq.solve(resume=cut, iterations=40)) == without_seconds(whole)
    cut.save(tmp_path)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=40)) == without_seconds(whole)
    assert without_seconds(
        eq.solve("kuhn", resume=tmp_path, iterations=40, form="public")
    ) == without_seconds(whole)


def test_resuming_with_auto_goes_on_as_it_began():
    """Whatever "auto" would choose today."""
    cut = eq.solve("kuhn", form="public", iterations=5)
    assert eq.solve(resume=cut, form="auto", iterations=10).info.game.form == "public"


@pytest.mark.parametrize(
    "options",
    [{"form": "sequence"}, {"precision": "float32"}, {"form": "sequence", "precision": "float32"}],
)
def test_what_cannot_be_resumed(options):
    first = eq.solve("kuhn", form="public", iterations=5)
    with pytest.raises(
        eq.AlgorithmError, match=r"The saved run has .*, and can only go on so; got"
    ):
        eq.solve("kuhn", resume=first, iterations=10, **options)
    written = eq.solve("kuhn", form="sequence", iterations=5)
    with pytest.raises(eq.AlgorithmError, match=r"has form='sequence', .* got form='public'\."):
        eq.solve("kuhn", resume=written, iterations=10, form="public")


def test_another_game_is_not_resumed():
    first = eq.solve("kuhn", form="public", iterations=5)
    for game in ("kuhn(ante=2)", "leduc", eq.load("kuhn(cards=4)").public_states()):
        with pytest.raises(eq.SolutionError, match="another game"):
            eq.solve(game, resume=first, iterations=10)
    first = eq.solve(Draw(), form="public", iterations=5)
    deal, stronger = np.full((3, 3), 1 / 9), Showdown(([1, 2, 3], [1, 3, 2]))
    for game in (
        replaced(prior=deal),
        replaced(payoff=stronger),
        replaced(action_label=lambda state, action: f"{action}!"),
    ):
        with pytest.raises(eq.SolutionError, match="another game"):
            eq.solve(game, form="public", resume=first, iterations=10)
    one = eq.solve(replaced(payoff=stronger), form="public", iterations=5)
    with pytest.raises(
        eq.SolutionError, match="another game"
    ):  # only who is stronger than whom is another
        eq.solve(
            replaced(payoff=Showdown(([1, 2, 3], [1, 2, 3]))),
            form="public",
            resume=one,
            iterations=10,
        )


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_saved_and_loaded(precision, tmp_path):
    saved = eq.solve(
        "leduc", "dcfr", form="public", precision=precision, iterations=20, save=tmp_path
    )
    for game in (
        None,
        "leduc",
        eq.load("leduc"),
        eq.compile_public(eq.load("leduc").public_states()),
    ):
        loaded = eq.load_solution(tmp_path, game)
        assert without_seconds(loaded) == without_seconds(saved)
        assert loaded.strategy == saved.strategy
    assert eq.evaluate("leduc", loaded.strategy).nash_conv == pytest.approx(
        saved.nash_conv, abs=1e-12
    )
    assert eq.Strategy.read_csv(tmp_path / "strategy.csv") == saved.strategy


def test_a_game_of_ones_own_is_given_again(tmp_path):
    saved = eq.solve(Draw(), form="public", iterations=20, save=tmp_path)
    assert without_seconds(eq.load_solution(tmp_path)) == without_seconds(
        saved
    )  # reading needs no game
    with pytest.raises(
        eq.SolutionError,
        match=r"solved Draw, which cannot be loaded: .* Give the game: solve\(game,",
    ):
        eq.solve(resume=tmp_path, iterations=30)
    assert without_seconds(eq.load_solution(tmp_path, Draw())) == without_seconds(saved)
    resumed = eq.solve(Draw(), resume=tmp_path, iterations=30)
    assert without_seconds(resumed) == without_seconds(
        eq.solve(Draw(), form="public", iterations=30)
    )
    with pytest.raises(eq.GameError, match="goofspiel does not say what is public"):
        eq.solve("goofspiel", resume=tmp_path, iterations=30)
    for other in ("kuhn", replaced(payoff=1.0), replaced(hands=("124", "123"))):
        with pytest.raises(
            eq.SolutionError, match=r"The saved run solved another game: .* Start afresh"
        ):
            eq.solve(other, resume=tmp_path, iterations=30)


def test_a_strategy_of_millions_of_rows_gets_no_csv(run, tmp_path, monkeypatch):
    monkeypatch.setattr(equilibrist.solving.save, "MOST_ROWS", 24)
    small = eq.solve("kuhn", form="public", iterations=3, save=tmp_path)
    assert not too_long_for_csv(small.strategy)
    assert (tmp_path / "strategy.csv").exists()
    large = eq.solve("leduc", form="public", iterations=3, save=tmp_path)
    assert too_long_for_csv(large.strategy)
    assert not (tmp_path / "strategy.csv").exists()  # not that of the run before
    assert without_seconds(eq.load_solution(tmp_path)) == without_seconds(large)
    assert json.loads((tmp_path / "solution.json").read_text())["form"] == "public"
    assert "strategy.csv" in run("solve", "kuhn", "-n", 3, "--save", tmp_path).out
    assert "strategy.csv" not in run("solve", "leduc", "-n", 3, "--save", tmp_path).out


def test_a_broken_checkpoint(tmp_path):
    eq.solve("kuhn", form="public", iterations=3, save=tmp_path)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(eq.SolutionError, match="is broken"):
        eq.load_solution(tmp_path)


@pytest.mark.slow
def test_float32_of_three_players_is_saved_and_loaded(tmp_path):
    """Whose memory holds float64 as well: the sums for the coarse correlated equilibrium."""
    saved = eq.solve("kuhn(players=3)", precision="float32", iterations=20, save=tmp_path)
    assert without_seconds(eq.load_solution(tmp_path)) == without_seconds(saved)
    whole = eq.solve("kuhn(players=3)", precision="float32", iterations=30)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=30)) == without_seconds(whole)


@pytest.mark.parametrize(
    "game", [Draw(), "leduc", RandomPublicGame(6)], ids=["own", "built in", "random"]
)
def test_evaluate_and_exact_take_public_games(game):
    solution = eq.exact(game)
    assert abs(solution.nash_conv) < 1e-9
    assert eq.evaluate(game, solution.strategy).value == pytest.approx(solution.value, abs=1e-12)
    form = eq.compile_public(in_public(eq.load(game)))
    assert eq.evaluate(form, solution.strategy).nash_conv == pytest.approx(
        solution.nash_conv, abs=1e-12
    )
    with pytest.raises(
        eq.AlgorithmError,
        match=r"The linear programme needs every history .* give the game instead",
    ):
        eq.exact(form)


def test_of_equally_good_replies_the_first_is_named():
    game = replaced(payoff=1.0)
    for form in (eq.compile_public(game), eq.compile_game(game)):
        judged = eq.evaluate(form, {}, missing="uniform")
        assert {tuple(row.items()) for row in judged.best_response.values()} == {
            (("l", 1.0), ("m", 0.0))
        }
        assert judged.losses == ()


def test_strategies_that_do_not_fit_the_public_form():
    form = eq.compile_public(Draw())
    with pytest.raises(eq.SolutionError, match="names infosets that Draw does not have"):
        eq.evaluate(form, {"4": {"l": 1.0}}, missing="uniform")
    with pytest.raises(eq.SolutionError, match="lacks 9 of the 9 infosets"):
        eq.evaluate(form, {})
    with pytest.raises(eq.SolutionError, match="has the actions 'l', 'm' in Draw"):
        eq.evaluate(form, {"3": {"n": 1.0}}, missing="uniform")


@pytest.mark.slow
def test_an_interrupt_ends_the_run_and_leaves_no_mark(tmp_path):
    cut = eq.solve("leduc", form="public", iterations=FOREVER, save=tmp_path, callbacks=stop_at_6)
    assert cut.stop_reason == "interrupt"
    assert 6 <= cut.iterations < 10**6
    assert without_seconds(eq.load_solution(tmp_path)) == without_seconds(cut)
    last = cut.iterations + 20
    whole = eq.solve("leduc", form="public", iterations=last)
    assert without_seconds(eq.solve(resume=tmp_path, iterations=last)) == without_seconds(whole)


def test_an_interrupt_is_heard_with_threads():
    cut = eq.solve(
        "liars_dice(faces=5)", form="public", threads=2, iterations=FOREVER, callbacks=stop_at_6
    )
    assert cut.stop_reason == "interrupt"


class Fair:
    """Chance shows one of two colours, and that is all."""

    hands = ("12", "12")

    def prior(self):
        return np.full((2, 2), 0.25)

    def start(self):
        return ""

    def player(self, state):
        return TERMINAL if state else CHANCE

    def actions(self, state):
        return ["red", "black"]

    def probabilities(self, state):
        return [0.5, 0.5]

    def next(self, state, action):
        return action

    def payoff(self, state):
        return 1.0 if state == "red" else -2.0


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_games_without_decisions_are_solved_too(form, tmp_path):
    solution = eq.solve(Fair(), form=form, iterations=3, save=tmp_path)
    assert solution.value == pytest.approx((-0.5, 0.5))
    assert (solution.infosets, solution.nash_conv) == (0, pytest.approx(0))


# --- Known numbers ---

PLAYED = [
    row
    for row in KNOWN
    if row.game.startswith(("kuhn", "leduc", "liars_dice")) and "players=3" not in row.game
]


@pytest.mark.parametrize(
    "row", [row for row in PLAYED if row.quantity == "value"], ids=lambda row: row.game
)
def test_known_values(row):
    """Where nash_conv is small, the value of the average is that close to the value of the game."""
    iterations = (
        200 if row.game in ("liars_dice", "liars_dice(wild_biddable=False)") else 2000
    )  # 0.1 s
    solution = eq.solve(row.game, "pcfr+", form="public", iterations=iterations, until=1e-5)
    assert solution.info.game.form == "public"
    assert solution.nash_conv < 0.005
    assert abs(solution.value[0] - row.number) <= solution.nash_conv + row.tolerance


@pytest.mark.parametrize(("order", "value"), [("quantity", -7 / 327), ("face", 0.0)])
def test_known_values_of_bluff(order, value):
    solution = eq.solve(BLUFF.format(order), form="public", iterations=300)
    assert solution.nash_conv < 0.01
    assert abs(solution.value[0] - value) <= solution.nash_conv


@pytest.mark.parametrize(
    "row",
    [row for row in PLAYED if row.quantity in ("infosets", "uniform_nash_conv")],
    ids=lambda row: row.game,
)
def test_other_known_numbers(row):
    form = eq.compile_public(eq.load(row.game).public_states())
    if row.quantity == "infosets":
        assert form.num_infosets == row.number
    else:
        uniform = eq.evaluate(form, {}, missing="uniform")
        assert uniform.nash_conv == pytest.approx(row.number, abs=row.tolerance)


# --- Rules that are not well formed ---

THIRD = 1 / 3
CHANCES = {"player": lambda state: CHANCE if state == "" else TERMINAL}
BROKEN = [
    (
        {"hands": ("123",)},
        r"hands must be two sequences of names, one or more each; got \('123',\)",
    ),
    ({"hands": ("123", "")}, "hands must be two sequences of names, one or more each"),
    ({"hands": ("123", "122")}, "two hands of player 1 have the same name: '2'"),
    ({"hands": 5}, "the rules failed after the deal with TypeError"),
    (
        {"prior": np.ones((2, 2)) / 4},
        "prior\\(\\) must give a number for each of 3 × 3 pairs .* got array",
    ),
    (
        {"prior": np.ones((3, 4)) / 12},
        "prior\\(\\) must give a number for each of 3 × 3 pairs .* got array",
    ),
    (
        {"prior": np.full(3, 1 / 9)},
        "prior\\(\\) must give a number for each of 3 × 3 pairs of hands",
    ),
    (
        {"prior": 1 / 9},
        r"prior\(\) must be a Deal, or a matrix with a row for each of the 3 hands of player 0",
    ),
    (
        {"prior": "even"},
        "prior\\(\\) must give a number for each of 3 × 3 pairs .* got 'even'",
    ),
    (
        {"prior": np.ones((3, 3))},
        "the probabilities of the deal, prior\\(\\), must be 0 or more and sum to 1; they sum to 9.0",
    ),
    ({"prior": (1 - 2 * np.eye(3)) / 3}, "they sum to 1.0, the least is -0.33"),
    ({"prior": np.zeros((3, 3))}, "they sum to 0.0"),
    ({"prior": np.full((3, 3), math.nan)}, "prior\\(\\) must give finite numbers; got array"),
    (
        {"prior": ValueError},
        "the rules failed after the deal with ValueError: oops .*test_public.py, line",
    ),
    ({"start": []}, r"public states must be hashable .*; got \[\] after the deal"),
    (
        {"next": lambda state, action: [action]},
        r"public states must be hashable .*; got \['l'\] after the public moves l",
    ),
    ({"start": KeyError}, "the rules failed after the deal with KeyError: 'oops'"),
    ({"player": 2}, "player\\(\\) must return 0 to 1, CHANCE or TERMINAL; got 2 after the deal"),
    ({"player": None}, "got None after the deal"),
    ({"player": ZeroDivisionError}, "the rules failed after the deal with ZeroDivisionError: oops"),
    ({"actions": []}, "nobody can move after the deal, but the game is not over there"),
    ({"actions": ["l", "l"]}, r"two actions have the same name after the deal: \('l', 'l'\)"),
    ({"actions": RuntimeError}, "the rules failed after the deal with RuntimeError: oops"),
    (
        {"action_label": lambda state, action: "x"},
        r"two actions have the same name after the deal: \('x', 'x'\)",
    ),
    (
        {"action_label": lambda state, action: f"{action}\ud800"},
        "names of infosets and actions must be Unicode text",
    ),
    (
        {"next": lambda state, action: state},
        "next\\(\\) must return a new state .* after the public moves l",
    ),
    (
        {"next": lambda state, action: {"": "x", "x": ""}[state], "player": 0},
        "the game does not end within 1000 moves",
    ),
    ({"next": OSError}, "the rules failed after the public moves l with OSError: oops"),
    (CHANCES, "chance has 2 outcomes but 0 probabilities after the deal"),
    (CHANCES | {"probabilities": 0.5}, "the rules failed after the deal with TypeError"),
    (
        CHANCES | {"probabilities": [0.5, 0.4]},
        "must sum to 1 for each pair of hands; after the deal they sum to 0.9 where the hands are '1' and '2'",
    ),
    (
        CHANCES | {"probabilities": [1.5, -0.5]},
        "the probabilities of chance must be 0 or more; got -0.5 after the deal",
    ),
    (
        CHANCES | {"probabilities": [math.nan, 0.5]},
        "probabilities\\(\\) must give finite numbers; got nan after the deal",
    ),
    (
        CHANCES | {"probabilities": [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]},
        r"probabilities\(\) must give a number for each of 3 × 3 pairs .* got \[0.5, 0.5, 0.5\] after the deal",
    ),
    (
        CHANCES | {"probabilities": ["half", 0.5]},
        "probabilities\\(\\) must give a number for each of 3 × 3 pairs",
    ),
    (
        CHANCES | {"probabilities": [np.ones((2, 2)), 0.5]},
        "probabilities\\(\\) must give a number for each of 3 × 3 pairs",
    ),
    (
        CHANCES | {"probabilities": [np.full((3, 3), 0.5), 0.5 + 0.25 * np.eye(3, k=-2)]},
        "after the deal they sum to 1.25 where the hands are '3' and '1'",
    ),
    (CHANCES | {"probabilities": MemoryError}, None),
    (
        {"payoff": math.nan},
        "payoff\\(\\) must give finite numbers; got nan after the public moves l l",
    ),
    ({"payoff": math.inf}, "payoff\\(\\) must give finite numbers; got inf"),
    (
        {"payoff": "much"},
        "payoff\\(\\) must give a number for each of 3 × 3 pairs .* got 'much'",
    ),
    (
        {"payoff": None},
        "payoff\\(\\) must give finite numbers; got None",
    ),
    ({"payoff": 1j}, "payoff\\(\\) must give a number"),
    (
        {"payoff": (1, -1)},
        r"payoff\(\) must give a number for each of 3 × 3 pairs .* got \(1, -1\) after",
    ),
    (
        {"payoff": [1, 2, 3]},
        r"payoff\(\) must give a number for each of 3 × 3 pairs .* got \[1, 2, 3\]",
    ),
    ({"payoff": [[1], [2], [3]]}, "payoff\\(\\) must give a number for each of 3 × 3 pairs"),
    ({"payoff": [[1, 2], [3]]}, "payoff\\(\\) must give a number for each of 3 × 3 pairs"),
    (
        {"payoff": np.ones((2, 3))},
        "payoff\\(\\) must give a number for each of 3 × 3 pairs .* got array",
    ),
    ({"payoff": np.full((3, 3), math.nan)}, "payoff\\(\\) must give finite numbers; got array"),
    (
        {"payoff": Showdown(([1, 2], [1, 2, 3]))},
        r"a strength for each of the 3 hands of player 0; got \[1, 2\] after the public moves l l",
    ),
    (
        {"payoff": Showdown(([1, 2, 3], [1, 2, 3, 4]))},
        "a strength for each of the 3 hands of player 1",
    ),
    (
        {"payoff": Showdown(([1, 2, math.nan], [1, 2, 3]))},
        "a finite strength for each of the 3 hands of player 0",
    ),
    ({"payoff": Showdown(([1, 2, 3], "123"))}, None),
    (
        {"payoff": Showdown(([1, 2, 3], [1, 2, 3]), win=math.nan)},
        "a Showdown pays finite numbers; got",
    ),
    (
        {"payoff": Showdown(([1, 2, 3], [1, 2, 3]), tie="split")},
        "a Showdown pays finite numbers; got",
    ),
    ({"payoff": LookupError}, "the rules failed after the public moves l l with LookupError: oops"),
]


@pytest.mark.parametrize(
    ("answers", "match"),
    [row for row in BROKEN if row[1]],
    ids=lambda part: "-".join(part) if isinstance(part, dict) else "",
)
def test_rules_that_are_not_well_formed(answers, match):
    game = replaced(**answers)
    for ask in (
        eq.check_game,
        eq.compile_public,
        lambda game: eq.solve(game, iterations=1),
        lambda game: eq.evaluate(game, {}),
    ):
        with pytest.raises(
            eq.GameError, match=f"^Draw: .*{match.replace('a strength', 'a finite strength')}"
        ) as caught:
            ask(game)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 500


PRIORS = [answers["prior"] for answers, _ in BROKEN if "prior" in answers]


@pytest.mark.parametrize("prior", PRIORS, ids=lambda prior: " ".join(repr(prior).split()))
def test_a_deal_that_is_not_well_formed_is_refused_written_out_too(prior):
    with pytest.raises(eq.GameError, match=r"^Draw: "):
        eq.exact(replaced(prior=prior))


def test_infosets_of_the_same_name_are_refused():
    """Else two infosets share a row of the strategy: written out they are one, or break perfect recall."""
    with pytest.raises(eq.GameError, match=r"same name|imperfect recall"):
        eq.check_game(replaced(infoset=lambda hand, moves: "same"))


def test_names_of_hands_that_no_file_can_hold():
    with pytest.raises(eq.GameError, match="must be Unicode text"):
        eq.check_game(replaced(hands=("12\ud800", "123")))


def test_hands_that_are_not_text():
    """Where one form takes their ``str()``, so does the other."""
    game = replaced(hands=(range(1, 4), range(1, 4)))
    matched(eq.compile_public(game), eq.compile_game(game))


def test_what_is_not_a_public_game():
    class Half:
        hands = ("1", "1")

        def prior(self):
            return [[1.0]]

    with pytest.raises(
        eq.GameError, match=r"it has no start, player, .*payoff\. See equilibrist\.PublicGame for"
    ):
        eq.solve(Half())
    with pytest.raises(eq.GameError, match="Draw is a class; pass an instance"):
        eq.solve(Draw)


def test_limits_of_compilation():
    with pytest.raises(
        eq.GameError, match=r"more than 3 different public states\. Raise Limits\(histories=\)"
    ):
        eq.check_game(Draw(), limits=eq.Limits(histories=3))
    with pytest.raises(eq.GameError, match="does not end within 1 moves"):
        eq.check_game(Draw(), limits=eq.Limits(depth=1))
    assert eq.check_game(Draw(), limits=eq.Limits(histories=7)).nodes == 7


@pytest.mark.slow
def test_progress_is_told():
    told = []
    game = replaced(
        player=lambda state: 0 if len(state) < 13 else TERMINAL,
        payoff=lambda state: float(state.count("m")),
    )
    eq.check_game(game, callbacks=told.append)
    assert told == sorted(told)
    assert told[:3] == [32, 64, 128]
    assert told[-1] <= 16_383


def test_long_plays_are_told_in_short():
    game = replaced(
        player=lambda state: 0 if len(state) < 99 else TERMINAL, actions=["l"], payoff=math.nan
    )
    with pytest.raises(
        eq.GameError, match=r"got nan after the public moves (l ){10}… 79 more moves …( l){10}\."
    ):
        eq.check_game(game)


@pytest.mark.parametrize("most", [0, 10**6])
def test_compare_takes_public_games(most, monkeypatch):
    """As solve() does, in the form that it chooses."""
    for limit in ("MOST_WRITTEN_OUT", "MOST_UNFOLDED"):
        monkeypatch.setattr(equilibrist.games.compile, limit, most)
    for game in (Draw(), "kuhn"):
        compared = eq.compare(game, algorithms=["cfr", "dcfr"], iterations=5)
        for run in compared.runs:
            alone = eq.solve(game, run.algorithm, iterations=5)
            assert alone.info.game.form == ("public" if most == 0 else "sequence")
            assert run.trace[-1]._replace(seconds=0.0) == alone.trace[-1]._replace(seconds=0.0)


# --- The command ---

RULES = """
import numpy as np
import equilibrist as eq

class Draw:
    hands = ("123", "123")
    def __init__(self, bonus=0): self.bonus = bonus
    def prior(self): return (1 - np.eye(3)) / 6
    def start(self): return ""
    def player(self, state): return len(state) if len(state) < 2 else -2
    def actions(self, state): return ["l", "m"]
    def probabilities(self, state): return []
    def next(self, state, action): return state + action
    def payoff(self, state):
        stake = 1 + state.count("m") + self.bonus
        return eq.Showdown(([1, 2, 3], [1, 2, 3]), win=stake, lose=-stake)
"""


@pytest.fixture
def rules(somewhere, tmp_path):
    (tmp_path / "rules.py").write_text(RULES)
    return "rules.py:Draw"


def test_the_command_checks_a_public_game(run, rules, tmp_path):
    ran = run("check", f"{rules}(bonus=1)")
    assert ran.code == 0
    assert "infosets             9 " in ran.out
    as_json = run("check", rules, "--json").json
    assert (as_json["infosets"], as_json["histories"]) == (9, 1 + 3 + 6 * 7)
    (tmp_path / "broken.py").write_text(RULES.replace("(1 - np.eye(3)) / 6", "np.eye(3)"))
    for command in (("check",), ("solve",), ("solve", "--form", "public")):
        run(command[0], "broken.py:Draw", *command[1:]).fails(
            1, "Draw: the probabilities of the deal, prior(), must be"
        )


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_command_solves_a_public_game(run, rules, tmp_path, precision):
    ran = run(
        "solve",
        rules,
        "--form",
        "public",
        "-n",
        20,
        "--precision",
        precision,
        "--save",
        "run",
        "--json",
    )
    assert (ran.code, ran.json["form"], ran.json["config"]["precision"]) == (0, "public", precision)
    again = run("solve", "--resume", "run", "--trust", "-n", 40, "--threads", 2, "--json").json
    whole = run(
        "solve", rules, "--form", "public", "-n", 40, "--precision", precision, "--json"
    ).json
    assert (again["iterations"], again["nash_conv"]) == (40, whole["nash_conv"])
    judged = run("evaluate", rules, "run/strategy.csv", "--json").json
    assert judged["nash_conv"] == pytest.approx(whole["nash_conv"], abs=1e-12)
    assert run("exact", rules, "--json").json["nash_conv"] == pytest.approx(0, abs=1e-9)
    text = run("solve", rules, "--form", "public", "-n", 20, "--verbose").out
    assert "9 infosets" in text
    assert "3 × 3 hands at 7 public nodes" in " ".join(text.split())


def test_the_command_refuses(run, rules):
    run("solve", "goofspiel", "--form", "public").fails(
        2, "goofspiel does not say what is public in it"
    )
    run("solve", "kuhn", "--form", "tree").fails(
        2, "form must be one of 'auto', 'sequence', 'public', 'cards', 'ranges', 'walk'; got 'tree'"
    )
    run("solve", "kuhn", "--threads", 2).fails(
        2, "threads=2 would do nothing for kuhn as a sequence form"
    )
    run("solve", "leduc", "--form", "public", "--max-memory-gb", "2e-4").fails(
        1, "leduc is too large: "
    )
    run("solve", "kuhn", "--precision", "half").fails(
        2, "precision must be one of 'auto', 'float64', 'float32', 'int16'; got 'half'"
    )


@pytest.mark.parametrize("game", ["leduc", "kuhn(cards=5)", 1, 2, 3])
def test_infosets_come_one_after_the_other_as_by_their_numbers(game):
    rules = eq.load(game) if isinstance(game, str) else RandomPublicGame(game)
    infosets = eq.compile_public(in_public(rules)).infosets
    assert list(infosets) == [infosets[number] for number in range(len(infosets))]
