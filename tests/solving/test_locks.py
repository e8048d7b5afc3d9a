"""Locks of card games: known solutions of locked spots, certificates that keep to them, suits, and mistakes."""

from dataclasses import replace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.card_cfr import CardCFR
from equilibrist.solving.estimate import estimate_run
from support.random_card_games import Narrowed, RandomCardGame

CLAIRVOYANCE = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
BOARD = " 2s3h4d6c7c"


def locked(text, *locks):
    game = eq.load(text)
    game.locks = locks
    return game


@pytest.mark.thinned(10)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"algorithm": "dcfr"},
        {"algorithm": "dcfr+(alternating=False)"},
        {"threads": 2},
        {"precision": "int16"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("folds", "jams"), [(0.25, 0.0), (0.5, 1.0)])
def test_one_player_is_locked(folds, jams, options):
    """Where the kings fold a quarter of the time a bluff loses, where they fold half the time it wins."""
    game = locked(CLAIRVOYANCE, eq.Lock("A10", {"F": folds, "C": 1 - folds}))
    solution = eq.solve(game, iterations=400, **options)
    strategy = solution.strategy
    assert strategy[1, f"KsKh{BOARD} A10"]["F"] == pytest.approx(folds, abs=1e-6)
    assert strategy[0, f"AsAh{BOARD}"]["A10"] == pytest.approx(1, abs=0.02)
    assert strategy[0, f"QsQh{BOARD}"]["A10"] == pytest.approx(jams, abs=0.02)
    assert (
        0 <= solution.nash_conv < 0.2
    )  # the kings would gain by calling otherwise, which they cannot
    assert solution.info.game.payoff.endswith("1 lock (A10)")


@pytest.mark.slow  # as all runs in 16 bits: kernels of their own
@pytest.mark.parametrize("folds", [0.3254, 0.9999, 1 / 3, 0.123456789])
def test_16_bits_keep_locks(folds):
    """Shares of whole numbers are the probabilities themselves, and up to 2e-8 those of more than four decimals."""
    game = locked(CLAIRVOYANCE, eq.Lock("A10", {"F": folds, "C": 1 - folds}))
    solution = eq.solve(game, iterations=2, precision="int16")
    close = 2e-8 if folds == 0.123456789 else 1e-15
    assert solution.strategy[1, f"KsKh{BOARD} A10"]["F"] == pytest.approx(folds, abs=close, rel=0)


def test_what_16_bits_take_with_locks_is_estimated():
    """4 bytes a slot: with locks regret sums have 16 bits as well."""
    form = eq.compile_cards(locked(CLAIRVOYANCE, eq.Lock("A10", {"F": 0.5, "C": 0.5})))
    solver = CardCFR(form, eq.ALGORITHMS["dcfr+"], precision="int16")
    tables = sum(
        table.nbytes for name, table in solver.tables.items() if not name.endswith("scale")
    )
    assert tables == 4 * form.length
    config = replace(eq.solve(form, "dcfr+", iterations=1).config, precision="int16")
    free = eq.compile_cards(eq.load(CLAIRVOYANCE))
    bytes_of = [
        1e9 * (e.gigabytes - e.held)
        for e in (estimate_run(f, config, timed=False) for f in (form, free))
    ]
    assert bytes_of[0] - bytes_of[1] == pytest.approx(form.length)


@pytest.mark.slow
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
    locks = (
        eq.Lock("A10", {"F": 0.5, "C": 0.5}),
        eq.Lock("X", {"X": 1.0}),
        eq.Lock("", {"X": 1.0}, ["AsAh"]),
    )
    form = eq.compile_cards(locked(CLAIRVOYANCE, *locks))
    weights = np.ones(form.length)
    weights[form.locks.slots] = form.locks.probabilities
    found = form.best_responses(form.average_from_sums(weights))
    assert found.best_response_value[0] == pytest.approx((20 + (0.5 * 20 - 0.5 * 10)) / 2)
    assert found.best_response_value[1] == found.value[1]  # with nothing left to choose
    first = form.slots_of(form.betting.streets[0].nodes[0][0], 0)
    assert found.best_response[first].tolist() == [[0, 1], [1, 0]]  # queens and aces
    free = eq.compile_cards(eq.load(CLAIRVOYANCE))
    assert free.best_responses(free.average_from_sums(weights)).best_response_value[
        0
    ] == pytest.approx((25 + 5) / 2)


def test_suits_are_told_apart_where_a_lock_does():
    text = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"
    lock = eq.Lock("", {"X": 1.0})
    free, same, other = (
        eq.compile_cards(locked(text, *locks))
        for locks in ((), [lock], [lock._replace(hands=["AsAh"])])
    )
    assert len(free.boards.streets[1]) == len(same.boards.streets[1]) < len(other.boards.streets[1])
    assert len({free.fingerprint, same.fingerprint, other.fingerprint}) == 3


@pytest.mark.parametrize(
    "precision", ["float32", "float64", pytest.param("int16", marks=pytest.mark.slow)]
)
def test_a_run_with_locks_is_resumed(precision, tmp_path):
    game = locked(CLAIRVOYANCE, eq.Lock("A10", {"F": 0.25, "C": 0.75}))
    whole = eq.solve(game, "dcfr", iterations=9, precision=precision)
    eq.solve(game, "dcfr", iterations=4, precision=precision, save=tmp_path)
    resumed = eq.solve(game, resume=tmp_path, iterations=9)
    assert all((resumed.state[name] == array).all() for name, array in whole.state.items())
    again = eq.load_solution(tmp_path)  # by its name, which says the locks
    assert again.strategy[1, "KsKh 2s3h4d6c7c A10"] == resumed.strategy[1, "KsKh 2s3h4d6c7c A10"]
    with pytest.raises(eq.SolutionError, match="solved another game"):
        eq.load_solution(tmp_path, CLAIRVOYANCE)


@pytest.mark.slow
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


@pytest.mark.thinned(8)
@pytest.mark.parametrize("seed", [0, 1, 2, pytest.param(3, marks=pytest.mark.slow), 4, 5])
def test_locks_on_single_boards_hold_there_alone(seed):
    """Every decision is locked board by board, each board to an action of its own: no suits are alike any more."""
    game = RandomCardGame(seed)
    form = eq.compile_cards(Narrowed(game, symmetries=game.symmetries[:1]))
    weights, locks = np.zeros(form.length), []
    for node in form.betting.nodes:
        for number, board in enumerate(form.boards.streets[node.street]):
            action = (seed + sum(board.cards) + node.number) % len(node.actions)
            weights[form.slots_of(node, number)[action]] = 1.0
            locks.append(eq.Lock(node.line, {node.actions[action]: 1.0}, board=board.cards))
    game.locks = locks
    solution = eq.solve(game, iterations=1, precision="float64")
    assert solution.value == pytest.approx(form.values(weights, weights=True).value)
    assert solution.nash_conv == pytest.approx(0, abs=1e-12)


TURN = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='100%')"
ON_3C = eq.Lock("X-X | X", {"B100": 1.0}, "KK,JTs", "3c")


def test_a_lock_on_one_river():
    solution = eq.solve(locked(TURN, ON_3C), iterations=300)
    spot = eq.poker.SolvedSpot(solution)
    held = ~np.isnan(spot.node("X-X | X", "3c").strategy[1])
    assert spot.node("X-X | X", "3c").strategy[1][held] == pytest.approx(1)
    assert (
        spot.node("X-X | X", "3h").frequencies[1] < 0.9
    )  # which would be the same river otherwise
    free = eq.compile_cards(eq.load(TURN))
    assert len(solution.strategy.form.boards.streets[1]) > len(free.boards.streets[1])


def test_a_board_of_an_earlier_street_means_all_that_begin_so():
    flop = "holdem(board='KdQd2d', oop='AsAh', ip='KsKh', pot=100, stack=300, bets='a')"
    lock = eq.Lock("X-X | X-X | X", {"X": 1.0}, board="7c")
    form = eq.compile_cards(locked(flop, lock))
    node = next(node for node in form.betting.nodes if node.line == "X-X | X-X | X")
    slots = set(form.locks.slots.tolist())
    after_7c = [
        number for number, board in enumerate(form.boards.streets[2]) if board.cards[3] == 20
    ]
    assert slots == {
        slot for number in after_7c for slot in form.slots_of(node, number).ravel().tolist()
    }


def test_a_spot_file_says_locks_and_is_written_back(tmp_path):
    text = """board = "KdQd2d7d"
oop = "QJs,AA"
ip = "KK,JTs"
pot = 100
stack = 200
bets = "100%"

[[locks]]
line = "x-x|x"
strategy = {B100 = "75%", X = 0.25}
hands = "JTs, KK"
board = "kd qd 2d 7d 3c"

[[locks]]
line = "B100"
strategy = {F = 1}
"""
    (tmp_path / "spot.toml").write_text(text)
    game = eq.load(tmp_path / "spot.toml")
    hands = game.hands[1]
    assert game.locks == (
        eq.Lock("X-X | X", {"X": 0.25, "B100": 0.75}, tuple(hands), "KdQd2d7d3c"),
        eq.Lock("B100", {"F": 1.0}),
    )
    assert eq.load(str(game)).locks == game.locks
    assert "'hands': 'KK,JTs'" in str(game)
    eq.poker.write_spot(game, tmp_path / "copy.toml")
    assert str(eq.load(tmp_path / "copy.toml")) == str(game)


def test_resolve_keeps_locks_and_takes_others():
    """The lock on 3c holds where that river is solved again; others take its place, or none."""
    solution = eq.solve(locked(TURN, ON_3C), iterations=100)
    again = eq.resolve(solution, "X-X", "3c", iterations=100)
    assert again.info.game.payoff.endswith("1 lock (X)")
    assert "1 locked" in again.game
    for hand in ("KsKh", "JsTs"):
        assert again.strategy[1, f"{hand} KdQd2d7d3c X"]["B100"] == pytest.approx(1)
    assert eq.resolve(solution, "X-X", "3h", iterations=1).strategy.form.locks is None
    assert eq.resolve(solution, "X-X", "3c", iterations=1, locks=[]).strategy.form.locks is None
    lock = {"line": "X-X | X-B100", "strategy": {"F": 1}, "hands": "QJs"}
    other = eq.resolve(solution, "X-X", "3c", iterations=100, locks=[lock])
    assert other.strategy[0, "QsJs KdQd2d7d3c X-B100"]["F"] == pytest.approx(1)
    whole = eq.resolve(solution, locks=[lock], iterations=2)
    assert whole.info.game.payoff.endswith("1 lock (X-X | X-B100)")
    for wrong, what in (
        ({"line": "B100", "strategy": {"F": 1}}, "line"),
        (lock | {"board": "3h"}, "board"),
    ):
        with pytest.raises(
            eq.GameError, match=f"its {what} is not in the part that is solved again"
        ):
            eq.resolve(solution, "X-X", "3c", iterations=1, locks=[wrong])


@pytest.mark.parametrize(
    ("lock", "sentence"),
    [
        (
            {"line": "X-B5", "strategy": {"F": 1}},
            "lock on 'X-B5': There is no 'B5' .*: the actions after 'X' are X, A10",
        ),
        (
            {"line": "X-X", "strategy": {"X": 1}},
            "lock on 'X-X': nobody decides there, for the hand is over",
        ),
        (
            {"line": "A10", "strategy": {"X": 1.0}},
            "lock on 'A10': the actions there are F, C; got 'X'",
        ),
        (
            {"line": "A10", "strategy": {"F": 0.5}},
            r"probabilities must sum to 1; those of \{'F': 0.5\} sum to 0.5",
        ),
        (
            {"line": "A10", "strategy": {"F": -1, "C": 2}},
            "F must have a probability of 0 or more, .*; got -1",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "hands": "KK,AsAh"},
            "AsAh is not in the range of IP on this board",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "hands": "KK:0.5"},
            "hands that are locked have no weights; got 'KK:0.5'",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "board": "8c"},
            "board: these are 0 more cards than 2s3h4d6c7c.*'8c'",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "board": 8},
            "board: cards are a text, such as '2cAs', .*; got 8",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "board": ["8c"]},
            "board: cards are a text, .* a list of numbers; got",
        ),
        (
            {"line": "A10", "strategy": {"F": 1}, "boards": "8c"},
            "A lock has no 'boards'. Did you mean 'board'?",
        ),
        ({"line": "A10"}, "A lock has a line and a strategy, .*got {'line': 'A10'}"),
    ],
)
def test_mistakes_in_a_spot(lock, sentence):
    with pytest.raises(eq.GameError, match=sentence) as raised:
        locked(CLAIRVOYANCE, lock)
    assert raised.value.wrong_use


@pytest.mark.parametrize(
    ("lock", "sentence"),
    [
        (eq.Lock("zz", {"X": 1.0}), "lock on 'zz': nobody decides there; after the deal there are"),
        (eq.Lock("", {"zz": 1.0}), "lock on 'the start': the actions there are .*; got 'zz'"),
        (eq.Lock("", {}), r"must be probabilities of sum 1; got \{\}"),
        (eq.Lock("", {}, ["zz"]), "must be probabilities of sum 1"),
        (eq.Lock("", {}, board="zz"), "lock on 'the start': board: cards are .*; got 'zz'"),
    ],
)
def test_mistakes_in_any_card_game(lock, sentence):
    game = RandomCardGame(0)
    game.locks = [lock]
    with pytest.raises(eq.GameError, match=sentence):
        eq.solve(game, iterations=1)


def test_a_board_that_goes_further_than_the_line():
    with pytest.raises(eq.GameError, match="board: at the start it is the turn; got '3c'"):
        locked(TURN, eq.Lock("", {"X": 1.0}, board="3c"))


FOLD = {"line": "X-X | X-B100", "strategy": {"F": 1.0}}


@pytest.mark.parametrize(
    "second",
    [
        {},
        {"hands": "QsJs,AsAh"},
        {"hands": "AhAs", "board": "3c"},
        {"line": "x-x|x-b100", "board": "KdQd2d7d3h"},
    ],
    ids=str,
)
def test_a_hand_is_locked_once_where_locks_are_written(second):
    for locks in ([FOLD, {**FOLD, **second}], [{**FOLD, **second}, FOLD]):
        with pytest.raises(
            eq.GameError,
            match=r"^lock on 'X-X \| X-B100': \w{4} is locked twice; lock each hand once",
        ):
            locked(TURN, *locks)


def test_a_spot_file_locks_a_hand_once(tmp_path):
    lock = '[[locks]]\nline = "B100"\nstrategy = {F = 1}\n'
    spot = (
        'board = "KdQd2d7d"\noop = "AA,QJs"\nip = "KK,JTs"\npot = 100\nstack = 200\nbets = "100%"\n'
    )
    (tmp_path / "spot.toml").write_text(spot + 2 * lock)
    with pytest.raises(eq.GameError, match=r"spot.toml': lock on 'B100': \w{4} is locked twice"):
        eq.load(tmp_path / "spot.toml")


def test_a_hand_may_be_locked_on_boards_apart():
    """On two rivers, with other hands on all of them, and on one that it cannot be on."""
    on_3c, on_3h = ({**FOLD, "hands": "AA", "board": card} for card in ("3c", "3h"))
    on_ac = {**FOLD, "hands": "AhAd,AsAd,AsAh", "board": "Ac"}
    eq.solve(locked(TURN, on_3c, on_3h, on_ac, {**FOLD, "hands": "QJs"}), iterations=1)
    eq.solve(locked(TURN, {**FOLD, "hands": "AsAc"}, on_ac), iterations=1)


def test_a_hand_of_any_card_game_is_locked_once():
    game = RandomCardGame(0)
    game.locks = [eq.Lock("", {"X": 1.0}), eq.Lock("", {"X": 1.0}, game.hands[0][:1])]
    with pytest.raises(eq.GameError, match="is locked twice; lock each hand once"):
        eq.compile_cards(game)


@pytest.mark.parametrize("form", ["public", "sequence"])
def test_other_forms_refuse(form):
    with pytest.raises(eq.GameError, match="has locks, which full-width CFR alone keeps"):
        eq.solve(locked(CLAIRVOYANCE, eq.Lock("A10", {"F": 1.0})), form=form, iterations=1)
