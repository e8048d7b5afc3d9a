"""Locks of Omaha: hands as its ranges and filters name them, known solutions, and what is no lock."""

import re

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.spot.spot import read_spot, spot_text

BOARD = "Kh9s4d7c2h"
SPOT = {
    "board": BOARD,
    "oop": "KK77,KQJTds,AAJ9,AAQJds",
    "ip": "99T8ss,7744:0.5",
    "pot": 100,
    "stack": 250,
}
CHECK = {"X": 1.0}

# Out of position two hands that win or lose whatever happens, in position one that beats the second: as in the river
# of hold'em whose locked answers are known.
NUTS = "AdAc8s5s"  # 4-5-6-7-8
AIR = "QsQhJsJh"
CATCHER = "KsKhTsTh"
CLAIRVOYANCE = (
    f"omaha(board='2s3h4d6c7c', oop='{NUTS},{AIR}', ip='{CATCHER}', pot=20, stack=10, bets='a')"
)


def spot(*locks, **changes):
    return eq.poker.Omaha(**{**SPOT, **changes}, locks=locks)


def lock(hands, line="", strategy=None, **more):
    return {"line": line, "strategy": strategy or CHECK, "hands": hands, **more}


@pytest.mark.parametrize(("folds", "bluffs"), [(0.25, 0.0), (0.5, 1.0)])
def test_the_answer_to_a_lock_is_the_known_one(folds, bluffs):
    """Where the kings fold a quarter of the time a bluff loses, where they fold half the time it wins."""
    game = eq.load(CLAIRVOYANCE)
    game.locks = [eq.Lock("A10", {"F": folds, "C": 1 - folds}, hands=CATCHER)]
    solution = eq.solve(game, iterations=400)
    assert solution.strategy[1, f"{CATCHER} 2s3h4d6c7c A10"]["F"] == pytest.approx(folds, abs=1e-6)
    assert solution.strategy[0, f"{NUTS} 2s3h4d6c7c"]["A10"] == pytest.approx(1, abs=0.02)
    assert solution.strategy[0, f"{AIR} 2s3h4d6c7c"]["A10"] == pytest.approx(bluffs, abs=0.02)
    assert (
        0 <= solution.nash_conv < 0.2
    )  # what the kings would gain by calling otherwise they cannot


def test_best_responses_keep_to_locks():
    """The nuts must check and win the pot of 20; the air jams: half the time it wins it, else it loses its 10."""
    locks = (
        eq.Lock("A10", {"F": 0.5, "C": 0.5}),
        eq.Lock("X", {"X": 1.0}),
        eq.Lock("", {"X": 1.0}, hands=NUTS),
    )
    game = eq.load(CLAIRVOYANCE)
    game.locks = locks
    form = eq.compile_cards(game)
    weights = np.ones(form.length)
    weights[form.locks.slots] = form.locks.probabilities
    found = form.best_responses(form.average_from_sums(weights))
    assert found.best_response_value[0] == pytest.approx((20 + (0.5 * 20 - 0.5 * 10)) / 2)
    assert found.best_response_value[1] == found.value[1]


def test_ranges_name_hands_one_by_one_by_ranks_and_by_suits():
    game = spot(lock("AAxxds, KK77"), lock("7744", line="X"))
    expected = {
        name
        for name in game.hands[0]
        if (name.count("A") >= 2 and is_double_suited(name))
        or (name.count("K") == 2 and name.count("7") == 2)
    }
    assert set(game.locks[0].hands) == expected
    assert set(game.locks[1].hands) == {
        name for name in game.hands[1] if name.count("7") == 2 and name.count("4") == 2
    }
    assert [setting["hands"] for setting in game.settings["locks"]] == ["AAxxds,KK77", "7744"]


def is_double_suited(name):
    suits = name[1::2]
    return sorted(map(suits.count, set(suits))) == [2, 2]


def test_filters_name_hands_by_what_they_make():
    game = spot(lock("set and not double-suited"))
    node = eq.poker.SolvedSpot(eq.solve(spot(), iterations=1)).node()
    passes = node.passes("set and not double-suited", 0)
    expected = [name for name, is_held in zip(node.hands[0], passes, strict=True) if is_held]
    assert 0 < len(expected) < len(game.hands[0])
    assert list(game.locks[0].hands) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "hands", ["set", "top pair", "AAJ9r", "AsAhQsJh", "weight > 50", ["AsAhQsJh", "AsAhJd9c"]]
)
def test_a_spot_with_locks_is_written_and_read_back(hands, tmp_path):
    game = spot(lock(hands))
    for again in (eq.load(str(game)), file_read(game, tmp_path)):
        assert again.locks == game.locks
        assert str(again) == str(game)
    moved = spot()
    moved.locks = game.locks  # as names alone
    assert set(moved.locks[0].hands) == set(game.locks[0].hands)
    assert set(eq.load(str(moved)).locks[0].hands) == set(game.locks[0].hands)


def file_read(game, folder):
    path = folder / "spot.toml"
    path.write_text(spot_text(game), encoding="utf-8")
    return read_spot(path)


def test_of_a_later_street_a_filter_needs_a_board():
    on_turn = lock("set", line="X-X |", board="Kh9s4d7c")
    game = spot(on_turn, board="Kh9s4d", oop="KK77,KQJ9ds", ip="99xxss")
    assert game.locks[0].board == "Kh9s4d7c"
    assert all(name.count("7") < 3 for name in game.locks[0].hands)
    assert any(name.count("7") == 2 for name in game.locks[0].hands)
    with pytest.raises(eq.GameError, match="so the lock needs a board of 4 cards; got Kh9s4d"):
        spot(lock("set", line="X-X |"), board="Kh9s4d", oop="KK77,KQJ9ds", ip="99xxss")


@pytest.mark.slow
def test_suits_are_told_apart_where_a_lock_does():
    text = (
        "omaha(board='KdQd2d7d', oop='AA22,QJ98', ip='KK77,JT98', pot=100, stack=200, bets='100%')"
    )
    sizes = []
    for locks in ((), [lock("AAxx")], [lock("AsAh2s2c")]):
        game = eq.load(text)
        game.locks = locks
        sizes.append(len(eq.compile_cards(game).boards.streets[1]))
    free, same, other = sizes
    assert free == same < other


@pytest.mark.slow
def test_a_run_with_locks_is_resumed(tmp_path):
    game = spot(lock("set"))
    whole = eq.solve(game, "dcfr", iterations=6)
    eq.solve(game, "dcfr", iterations=3, save=tmp_path)
    resumed = eq.solve(resume=tmp_path, iterations=6)  # by its name, which says the locks
    assert all((resumed.state[name] == array).all() for name, array in whole.state.items())


@pytest.mark.parametrize(
    ("hands", "problem"),
    [
        ("JJTT", "JJTT is not in the range of OOP on this board"),
        ("KK77, 2s3s4s5s", "2s3s4s5s is not in the range of OOP"),
        ("AAxx:0.5", "'AAxx:0.5' has a weight"),
        ("AKs", "'AKs' cannot be read; write hands such as AsAhKdQc"),
        ("bottom pair", "'bottom' cannot be read; write hands such as"),
        ("equity > 50", "asks for what is known of a solved spot alone"),
        ("four of a kind", f"no hand of the range passes 'four of a kind' on {BOARD}"),
        ("", "no hand has any weight"),
        (7, "hands must be a range"),
    ],
)
def test_what_is_no_lock_is_refused(hands, problem):
    with pytest.raises(eq.GameError, match=re.escape(problem)) as refused:
        spot(lock(hands))
    assert str(refused.value).startswith("lock on 'the start':")


def test_a_hand_is_locked_once():
    with pytest.raises(eq.GameError, match="is locked twice"):
        spot(lock("KK77"), lock("set"))


def test_the_command_solves_and_shows_locks(run, tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(spot_text(spot(lock("set"), oop="KK77,KQJ9ds")), encoding="utf-8")
    shown = run("spot", path)
    assert shown.code == 0
    assert "locked at the start: X 100 %, with" in " ".join(shown.out.split())
    solved = run("solve", path, "-n", 20, "--save", tmp_path / "run")
    assert solved.code == 0
    assert "The strategy is locked, and best responses keep to it:" in solved.out
