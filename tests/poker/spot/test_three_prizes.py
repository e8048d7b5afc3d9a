"""Three ranges with prizes; referees: chips where one prize is paid, two ranges, and enumeration of all deals."""

import itertools

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.hand_ranks import strength_of

HANDS = "AsAh,KsKh,JsJh,TsTh"
KUHN = {"ranges": [HANDS] * 3, "pot": 3, "stacks": 1, "bets": "a"}
BOARD = "2c3d7h8d9c"


def test_one_prize_is_paid_as_chips_are():
    """Who takes all is paid in proportion to the stack: Kuhn poker of three, whose second player has 47/48 chips."""
    game = eq.poker.Holdem(BOARD, **KUHN, prizes=[6])
    solution = eq.solve(game, "dcfr", iterations=3000)
    assert solution.value[1] == pytest.approx(1 + 47 / 48, abs=1e-5)
    assert sum(solution.value) == pytest.approx(6, abs=1e-9)
    assert max(solution.deviation_gains) < 1e-5
    play = eq.solve(eq.poker.Holdem(BOARD, **KUHN), "dcfr", iterations=20).strategy
    in_chips = eq.evaluate(eq.poker.Holdem(BOARD, **KUHN), play)
    in_prizes = eq.evaluate(game, play)
    assert in_prizes.value == pytest.approx(1 + np.array(in_chips.value), abs=1e-9)
    assert in_prizes.nash_conv == pytest.approx(in_chips.nash_conv, abs=1e-9)


def test_a_third_player_without_chips_leaves_the_game_of_two():
    """Queens bet 3/7 and kings fold 18/47 beside a stack of 30; the third and the fourth place pay the same."""
    hands = ["AsAh,QsQh", "KsKh", "9h8d"]
    game = eq.poker.Holdem(
        "2s3h4d6c7c",
        ranges=hands,
        pot=20,
        stacks=[10, 10, 0],
        bets="a",
        prizes=[50, 30, 20, 20],
        others=[30],
    )
    solution = eq.solve(game, until=1e-6, iterations=200_000)
    assert solution.value[:2] == pytest.approx([10870 / 329, 1440 / 49], abs=1e-4)
    assert solution.value[2] == pytest.approx(20, abs=1e-9)
    assert solution.strategy[0, "QsQh"]["A10"] == pytest.approx(3 / 7, abs=2e-3)
    assert solution.strategy[1, "KsKh A10"]["F"] == pytest.approx(18 / 47, abs=2e-3)


def test_all_deals_are_paid_by_the_stacks_that_they_leave():
    """Nobody bets more than 3: all checks and a call of all, on each river, with a weight and a folded hand."""
    board = "2c3d7h8d"
    ranges = ["AsAh:0.5,KsKh", "QsQh,JsJh", "TsTh,AcKc"]
    stacks = [9, 5, 7]
    prizes = [60, 25, 15]
    game = eq.poker.Holdem(
        board, ranges=ranges, pot=6, stacks=stacks, bets="", prizes=prizes, others=[4]
    )
    value = eq.solve(game, "cfr", iterations=1).value
    worth = np.zeros(3)
    total = 0.0
    texts = [[part.partition(":") for part in text.split(",")] for text in ranges]
    for deal in itertools.product(*texts):
        weight = np.prod([float(share or 1) for _, _, share in deal])
        held = [parse_cards(hand) for hand, _, _ in deal]
        known = {*itertools.chain(*held), *parse_cards(board)}
        for card in set(range(52)) - known:
            cards = [[*parse_cards(board), card, *hand] for hand in held]
            strengths = strength_of(np.array(cards))
            winners = strengths == strengths.max()
            left = np.array(stacks) + 6 * winners / winners.sum()
            worth += weight * eq.poker.icm([*left, 4], prizes)[:3]
            total += weight
    assert value == pytest.approx(worth / total, abs=1e-9)


def test_a_spot_is_shown_written_and_read_again(run, tmp_path):
    file = tmp_path / "spot.toml"
    game = eq.poker.Holdem(BOARD, **KUHN, prizes=[50, 30, 20], others=[4])
    assert str(eq.load(str(game))) == str(game)
    shown = " ".join(run("spot", str(game), "--out", file).out.split())
    assert "prizes 50/30/20, others 4; all 64 deals of three hands are written out" in shown
    assert str(eq.load(str(file))) == str(game)
    assert run("spot", file, "--json").json["ends"] == 64 * 13
    told = run("solve", file, "-n", "20", "--save", tmp_path / "run").out
    assert "largest gain" in told
    assert "xploitab" not in told
    state = game.next(game.start(), game.actions(game.start())[0])
    assert game.table(state, 0)[-1] == ("prizes", "50 / 30 / 20")
    assert eq.load_solution(tmp_path / "run").info.game.pot is None
    run("show", tmp_path / "run").fails(2, "--infoset names")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prizes": []}, "prizes must be those of the first place"),
        ({"prizes": [50, 30, 20, 10]}, "there are 4 prizes for 3 players"),
        ({"prizes": [50, 20, 30]}, "place 3 has more than place 2"),
        ({"prizes": [50], "others": [0]}, "others"),
        ({"prizes": [50], "others": [1] * 999}, "at most 998 stacks; got 999"),
        ({"prizes": [50], "rake": 0.05}, "A spot of three ranges with prizes has no rake"),
        ({"prizes": [50], "locks": []}, "A spot of three ranges with prizes has no locks"),
        (
            {"prizes": [50], "ranges": ["22+,A2+"] * 3},
            "up to 200,000 deals of three hands and 1,000,000 ends; this one has",
        ),
        (
            {"prizes": [50], "board": "2c3d7h", "bets": "50%, a; a", "stacks": 40},
            "1,000,000 ends; this one has 64 and",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence(settings, message):
    with pytest.raises(eq.GameError, match=message) as caught:
        eq.poker.Holdem(**{"board": BOARD, **KUHN, **settings})
    assert caught.value.wrong_use
