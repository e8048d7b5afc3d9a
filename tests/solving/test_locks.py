"""Locks of card games: known solutions of locked spots, certificates that keep to them, suits, and mistakes."""

import numpy as np
import pytest

import equilibrist as eq
from support.random_card_games import RandomCardGame

CLAIRVOYANCE = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
BOARD = " 2s3h4d6c7c"


def locked(text, *locks):
    game = eq.load(text)
    game.locks = locks
    return game


@pytest.mark.parametrize("options", [{}, {"algorithm": "dcfr"}, {"alternating": False}, {"threads": 2}], ids=str)
@pytest.mark.parametrize(("folds", "jams"), [(0.25, 0.0), (0.5, 1.0)])
def test_one_player_is_locked(folds, jams, options):
    """Where the kings fold a quarter of the time a bluff loses, where they fold half the time it wins."""
    game = locked(CLAIRVOYANCE, eq.Lock("A10", {"F": folds, "C": 1 - folds}))
    solution = eq.solve(game, iterations=400, **options)
    strategy = solution.strategy
    assert strategy[1, f"KsKh{BOARD} A10"]["F"] == pytest.approx(folds, abs=1e-6)
    assert strategy[0, f"AsAh{BOARD}"]["A10"] == pytest.approx(1, abs=0.02)
    assert strategy[0, f"QsQh{BOARD}"]["A10"] == pytest.approx(jams, abs=0.02)
    assert 0 <= solution.nash_conv < 0.2  # the kings would gain by calling otherwise, which they cannot
    assert "1 lock" in solution.info.game.payoff


def test_some_hands_are_locked():
    """The jacks check four times in five, so that the queens bluff the rest: known from solvers."""
    text = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh,JsJh', ip='KsKh', pot=10, stack=10, bets='a')"
    solution = eq.solve(locked(text, eq.Lock("", {"X": 0.8, "A10": 0.2}, ["JsJh"])), until=1e-4)
    at = {hand: solution.strategy[0, f"{hand}{BOARD}"]["X"] for hand in ("AsAh", "QsQh", "JsJh")}
    assert at["AsAh"] == pytest.approx(0, abs=0.01)
    assert at["QsQh"] == pytest.approx(0.7, abs=0.01)
    assert at["JsJh"] == pytest.approx(0.8, abs=1e-6)


def test_best_responses_keep_to_locks():
    """The aces must check and win the pot of 20; the queens jam: half the time they win it, else they lose their 10."""
    locks = eq.Lock("A10", {"F": 0.5, "C": 0.5}), eq.Lock("X", {"X": 1.0}), eq.Lock("", {"X": 1.0}, ["AsAh"])
    form = eq.compile_cards(locked(CLAIRVOYANCE, *locks))
    weights = np.ones(form.length)
    weights[form.locks.slots] = form.locks.probabilities
    found = form.best_responses(form.average_from_sums(weights))
    assert found.best_response_value[0] == pytest.approx((20 + (0.5 * 20 - 0.5 * 10)) / 2)
    assert found.best_response_value[1] == found.value[1]  # with nothing left to choose
    first = form.slots_of(form.betting.streets[0].nodes[0][0], 0)
    assert found.best_response[first].tolist() == [[0, 1], [1, 0]]  # queens and aces
    free = eq.compile_cards(eq.load(CLAIRVOYANCE))
    assert free.best_responses(free.average_from_sums(weights)).best_response_value[0] == pytest.approx((25 + 5) / 2)


def test_suits_are_told_apart_where_a_lock_does():
    text = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"
    lock = eq.Lock("", {"X": 1.0})
    free, same, other = (
        eq.compile_cards(locked(text, *locks)) for locks in ((), [lock], [lock._replace(hands=["AsAh"])])
    )
    assert len(free.boards.streets[1]) == len(same.boards.streets[1]) < len(other.boards.streets[1])
    assert len({free.fingerprint, same.fingerprint, other.fingerprint}) == 3


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_run_with_locks_is_resumed(precision, tmp_path):
    game = locked(CLAIRVOYANCE, eq.Lock("A10", {"F": 0.25, "C": 0.75}))
    whole = eq.solve(game, "dcfr", iterations=9, precision=precision)
    eq.solve(game, "dcfr", iterations=4, precision=precision, save=tmp_path)
    resumed = eq.solve(game, resume=tmp_path, iterations=9)
    assert all((resumed.state[name] == array).all() for name, array in whole.state.items())
    with pytest.raises(eq.SolutionError, match="solved another game"):
        eq.load_solution(tmp_path)  # by its name, which says nothing of locks


@pytest.mark.parametrize("seed", range(6))
def test_locks_of_a_whole_strategy_give_its_value(seed):
    """Both players are locked at every decision: no best response is left, and the value is that of the strategy."""
    game = RandomCardGame(seed)
    form = eq.compile_cards(game)
    game.locks = [
        eq.Lock(node.line, dict.fromkeys(node.actions, 0.0) | {node.actions[-1]: 1.0})
        for street in form.betting.streets
        for own in street.nodes
        for node in own
    ]
    solution = eq.solve(game, "dcfr", iterations=2, precision="float64")
    weights = np.zeros(form.length)
    for number, street in enumerate(form.betting.streets):
        for own in street.nodes:
            for node in own:
                for board in range(len(form.boards.streets[number])):
                    weights[form.slots_of(node, board)[-1]] = 1.0
    assert solution.value == pytest.approx(form.values(weights, weights=True).value)
    assert solution.nash_conv == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("lock", "sentence"),
    [
        (eq.Lock("B5", {"X": 1.0}), "lock on 'B5': nobody decides there; after the deal there are X, A10"),
        (eq.Lock("A10", {"X": 1.0}), "lock on 'A10': the actions there are .*; got 'X'"),
        (eq.Lock("A10", {"F": 0.5}), r"must be probabilities of sum 1; got \{'F': 0.5\}"),
        (eq.Lock("A10", {"F": 1.0}, ["AsAh"]), "player 1 has no hand 'AsAh'; hands are named like 'KsKh'"),
    ],
)
def test_mistakes(lock, sentence):
    with pytest.raises(eq.GameError, match=sentence):
        eq.solve(locked(CLAIRVOYANCE, lock), iterations=1)


def test_a_hand_is_locked_once():
    lock = eq.Lock("A10", {"F": 1.0})
    with pytest.raises(eq.GameError, match="a hand is locked twice"):
        eq.solve(locked(CLAIRVOYANCE, lock, lock), iterations=1)


@pytest.mark.parametrize("form", ["public", "sequence"])
def test_other_forms_refuse(form):
    with pytest.raises(eq.GameError, match="has locks, which full-width CFR on the card form alone keeps"):
        eq.solve(locked(CLAIRVOYANCE, eq.Lock("A10", {"F": 1.0})), form=form, iterations=1)
