"""Spots that pay prizes: the independent chip model at every end, gains by deviating, and what is refused."""

from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.evaluation.units import find_unit
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.game.protocol import TERMINAL
from equilibrist.poker.histories.runs import GradingRun
from equilibrist.poker.spot import betting_tree

BLUFF = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a'"
OF_THREE = f"{BLUFF}, prizes=[50, 30, 20], others=[30])"
FLOP = (
    "holdem(board='Td9d6h', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=90, bets='50%, a; 3x', "
    "prizes=[50, 30.5, 20, 1], others=[30, 25.5])"
)


@cache
def by_orders(stacks, prizes):
    """Return what stacks are worth: the mean over all orders in which the players can finish, in fractions."""
    worth = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        probability = Fraction(1)
        chips_left = Fraction(sum(stacks))
        for place, player in enumerate(order):
            if chips_left:
                probability *= stacks[player] / chips_left
            else:
                probability /= len(order) - place
            chips_left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += probability * Fraction(prize)
    return worth


def solve_bluffing():
    """Return how often queens bet and kings fold, and the equities of all three: both are indifferent.

    Aces bet. Queens that check lose; kings that fold to a bet lose what is in the middle.
    """

    def table(oop):
        return by_orders((Fraction(oop), Fraction(40 - oop), Fraction(30)), (50, 30, 20))

    lost_pot, won_pot = table(10), table(30)
    lost_all, won_all = table(0), table(40)
    # OOP: fold · won_pot + (1 - fold) · lost_all = lost_pot
    fold = (lost_pot[0] - lost_all[0]) / (won_pot[0] - lost_all[0])
    # IP: won_pot (1 + bet) = won_all + bet · lost_all, of aces and of queens that bet
    bet = (won_pot[1] - won_all[1]) / (lost_all[1] - won_pot[1])
    equities = [
        (
            fold * won_pot[who]
            + (1 - fold) * won_all[who]
            + bet * (fold * won_pot[who] + (1 - fold) * lost_all[who])
            + (1 - bet) * lost_pot[who]
        )
        / 2
        for who in range(3)
    ]
    return bet, fold, equities


def test_a_bluff_for_prizes():
    bet, fold, equities = solve_bluffing()
    assert (bet, fold) == (Fraction(3, 7), Fraction(18, 47))
    assert equities == [Fraction(10870, 329), Fraction(1440, 49), Fraction(86530, 2303)]
    solution = eq.solve(OF_THREE, iterations=4000, precision="float64")
    spot = eq.poker.SolvedSpot(solution)
    aces_and_queens = dict(zip(spot.node().hands[0], spot.node().strategy[1], strict=True))
    assert aces_and_queens["QsQh"] == pytest.approx(float(bet), abs=1e-3)
    assert aces_and_queens["AsAh"] == pytest.approx(1, abs=1e-6)
    assert spot.node("A10").frequencies[0] == pytest.approx(float(fold), abs=1e-3)
    assert solution.value == pytest.approx([float(equity) for equity in equities[:2]], abs=1e-3)
    assert sum(solution.value) + float(equities[2]) == pytest.approx(100, abs=2e-3)
    assert max(solution.deviation_gains) < 1e-3
    assert spot.node().evs == pytest.approx(solution.value, abs=1e-9)
    assert np.isnan(spot.node().eqrs).all()


def test_each_end_pays_what_the_stacks_are_worth():
    game = eq.load(FLOP)
    in_chips = eq.poker.Holdem(**{**game.settings, "prizes": (), "others": ()})
    kinds = set()
    for state, node in enumerate(game.tree.nodes):
        if node.player != TERMINAL:
            continue
        chips = in_chips.payoff(state)
        paid = game.payoff(state)
        kinds.add(type(paid))
        pairs = zip(chips, paid, strict=True) if node.folded < 0 else [(chips, paid)]
        for (oop_gain, ip_gain), worth in pairs:
            stacks = [Fraction(90 + gain) for gain in (oop_gain, ip_gain)]
            expected = by_orders((*stacks, Fraction(30), Fraction(51, 2)), (50, 30.5, 20, 1))
            assert worth == pytest.approx([float(x) for x in expected[:2]], abs=1e-12)
    assert kinds == {tuple, ShowdownPayoffs}


def test_chips_beyond_the_stack_count_for_prizes_alone():
    """A bluff against a player who has three times as much: indifference, in fractions."""
    game = eq.load(OF_THREE.replace("others=[30]", "others=[30], surplus=[0, 20]"))

    def table(oop):
        return by_orders((Fraction(oop), Fraction(60 - oop), Fraction(30)), (50, 30, 20))

    paid = game.payoff(game.tree.find("A10-C"))
    assert paid.win == pytest.approx([float(x) for x in table(40)[:2]], abs=1e-12)
    assert paid.lose == pytest.approx([float(x) for x in table(0)[:2]], abs=1e-12)
    solution = eq.solve(game, iterations=3000, precision="float64")
    fold = (table(10)[0] - table(0)[0]) / (table(30)[0] - table(0)[0])
    bet = (table(30)[1] - table(40)[1]) / (table(0)[1] - table(30)[1])
    spot = eq.poker.SolvedSpot(solution)
    assert spot.node("A10").frequencies[0] == pytest.approx(float(fold), abs=2e-3)
    queens = dict(zip(spot.node().hands[0], spot.node().strategy[1], strict=True))["QsQh"]
    assert queens == pytest.approx(float(bet), abs=2e-3)


def test_ends_with_equal_stacks_share_one_number(monkeypatch):
    asked = []

    def icm(stacks, prizes):
        asked.append(stacks)
        return eq.poker.icm(stacks, prizes)

    monkeypatch.setattr(betting_tree, "icm", icm)
    betting_tree._price_stacks.cache_clear()
    game = eq.load(FLOP)
    ends = [state for state, node in enumerate(game.tree.nodes) if node.player == TERMINAL]
    for state in ends:
        game.payoff(state)
    assert len(asked) == len(set(asked)) < len(ends) / 2


def test_a_single_prize_between_two_is_what_chips_are():
    """The worth of a stack is then its share of the chips: a payoff beside the stack of the start."""
    chips = eq.solve(f"{BLUFF})", iterations=300, precision="float64")
    prize = eq.solve(f"{BLUFF}, prizes=[40])", iterations=300, precision="float64")
    assert prize.zero_sum
    assert prize.value == pytest.approx(np.add(chips.value, 10), abs=1e-9)
    for key, mix in chips.strategy.items():
        assert prize.strategy[key] == pytest.approx(mix, abs=1e-6)


def test_what_follows_on_a_line_pays_the_same_stacks():
    game = eq.load(FLOP)
    after = eq.poker.Holdem(**{**game.settings, "after": "X-B10"})
    assert after.payoff(after.tree.find("F")) == game.payoff(game.tree.find("X-B10-F"))
    assert after.paid(after.tree.find("R30")) == (0, 0)


def test_a_part_is_solved_again_with_the_ranges_that_come_there():
    turn = OF_THREE.replace("7c'", "'")
    solution = eq.solve(turn, iterations=100, precision="float64")
    part = eq.resolve(solution, "X-X", "2s3h4d6c7c", iterations=300, precision="float64")
    node = eq.poker.SolvedSpot(part).node()
    assert part.value == pytest.approx(node.evs, abs=1e-9)
    assert sum(part.value) == pytest.approx(100 - float(solve_bluffing()[2][2]), abs=3)
    with pytest.raises(eq.GameError, match="as with a rake or prizes"):
        eq.resolve(solution, "X-X", "2s3h4d6c7c", player=0)


def test_it_is_written_to_files_and_read(tmp_path, run):
    game = eq.load(OF_THREE)
    eq.poker.write_spot(game, tmp_path / "spot.toml")
    assert "prizes = [50, 30, 20]\nothers = [30]\n" in (tmp_path / "spot.toml").read_text()
    assert eq.load(tmp_path / "spot.toml").settings == game.settings
    assert str(eq.load(str(game))) == str(game)
    shown = run("spot", str(tmp_path / "spot.toml")).out
    assert "stacks 10, prizes 50/30/20, others 30" in shown
    solved = run(
        *(
            "solve",
            str(tmp_path / "spot.toml"),
            "--iterations",
            "200",
            "--save",
            str(tmp_path / "run"),
        )
    ).out
    assert "gains by deviating alone, prizes: OOP " in solved
    assert "% of pot" not in solved
    ran = run("show", str(tmp_path / "run"), "--line", "A10", "--hand", "KsKh")
    assert "EV, prizes" in ran.out
    assert "pot" not in ran.out.lower()
    again = eq.load_solution(tmp_path / "run")
    assert str(eq.poker.SolvedSpot(again).game) == str(game)
    assert run("show", str(tmp_path / "run"), "--unit", "pot").code == 2


def test_omaha_pays_prizes_as_well():
    spot = "omaha(board='Kh9s4d7c2h', oop='KK77', ip='99xxss', pot=20, stack=10"
    game = eq.load(f"{spot}, prizes=[50, 30, 20], others=[30])")
    won = [float(x) for x in by_orders((Fraction(30), Fraction(10), Fraction(30)), (50, 30, 20))]
    assert game.payoff(game.tree.find("X-X")).win == pytest.approx(won[:2], abs=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prizes": 50}, r"prizes must be a list of numbers, each 0 or more.*; got 50"),
        ({"prizes": [50, -1]}, r"prizes must be a list of numbers.*; got \[50, -1\]"),
        ({"prizes": [0, 0]}, r"one of the prizes must be above 0; got \[0, 0\]"),
        ({"prizes": [30, 50]}, r"do not rise; got \[30, 50\], where place 2 has more than place 1"),
        ({"others": [30]}, r"give prizes, such as \[50, 30, 20\], or leave others out; got \[30\]"),
        ({"prizes": [5, 3, 2]}, r"there are 3 prizes for 2 players"),
        ({"prizes": [5], "others": [0]}, r"others must be a number of chips, above 0; got 0"),
        ({"prizes": [5], "others": 30}, r"others must be a list of stacks.*; got 30"),
        ({"prizes": [5], "others": [1] * 999}, r"others must be at most 998 stacks; got 999"),
        ({"surplus": [0, 5]}, r"surplus: chips beyond .* give prizes.*; got \[0, 5\]"),
        ({"prizes": [5], "surplus": [5]}, r"chips that OOP and IP have beyond .*; got \[5\]"),
        ({"prizes": [5], "surplus": [2, 5]}, r"one of them has 0 .* Add 2 to stack"),
        ({"prizes": [5], "rake": 0.05}, r"leave out rake or prizes; got rake=0\.05"),
    ],
)
def test_wrong_prizes_are_refused(settings, message):
    game = eq.load(f"{BLUFF})")
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.poker.Holdem(**{**game.settings, **settings})
    assert refused.value.wrong_use


def test_what_counts_in_chips_is_refused(tmp_path):
    solution = eq.solve(OF_THREE, iterations=10)
    with pytest.raises(eq.AlgorithmError, match="is a share of the pot, and"):
        eq.solve(OF_THREE, until="0.5%")
    with pytest.raises(eq.GameError, match="tell chips, and this spot pays prizes"):
        eq.poker.write_hands(solution, tmp_path / "hands.phhs", hands=1, seed=1)
    with pytest.raises(eq.GameError, match="is for spots of hold'em that pay chips"):
        find_unit("net", eq.load(OF_THREE))
    with pytest.raises(eq.SolutionError, match="decisions are graded in chips"):
        GradingRun("run", solution)
