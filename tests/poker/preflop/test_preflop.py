"""Hold'em before the flop: lines, what ends pay, rake, and the spot after the flop."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES
from equilibrist.poker.preflop.all_in import load_all_in

EQUITY = load_all_in().equity


@pytest.fixture(scope="module")
def solution():
    return eq.solve("preflop(stack=6, sizes='2x; a')", until=1e-3)


def test_only_pushes_are_push_or_fold():
    solution = eq.solve(eq.poker.Preflop(stack=10, sizes="a", limp=False), until=1e-6)
    assert solution.value[0] == pytest.approx(-0.045370753, abs=2e-6)


def test_the_lines_of_a_tree():
    game = eq.poker.Preflop(stack=20, sizes="2.5x; 50%, 1c; a", max_raises=3)
    # half of the pot of 5, on top of the call; one chip on top is less than the least raise, which is 4
    assert game.nodes[game.find("R2.5")].actions == ("F", "C", "R4", "R5")
    assert game.nodes[game.find("C")].actions == ("X", "R2.5")
    assert game.nodes[game.find("R2.5-R4-A")].actions == ("F", "C")
    with pytest.raises(eq.GameError, match="R9"):
        game.find("R2.5-R9")
    with pytest.raises(eq.GameError, match="hand is over"):
        game.find("F-C")
    assert eq.poker.Preflop(stack=20, limp=False).nodes[0].actions == ("F", "R2.5", "A20")
    straddled = eq.poker.Preflop(stack=20, straddle=2)  # by the small blind, who acts last
    assert [straddled.nodes[straddled.find(line)].player for line in ("", "C")] == [1, 0]
    all_in = eq.poker.Preflop(stack=1)  # the big blind, who has no choice after a call
    assert [node.line for node in all_in.nodes] == ["", "F", "C"]


def test_the_last_sizes_go_for_all_raises_that_follow():
    game = eq.poker.Preflop(stack=100, sizes="2x; 3x", max_raises=4)
    assert game.nodes[game.find("R2-R6-R18-R54")].actions == ("F", "C")


def test_geometric_raises_take_the_stack_in_equal_shares():
    """By hand: 3e is three bets of the pot, each called: 2 → 6 → 18 → 54 chips; a raise before leaves two bets."""
    game = eq.poker.Preflop(stack=27, sizes="3e; 3e")
    assert game.nodes[0].actions == ("F", "C", "R3")
    pot = 2 * 3
    share = ((1 + 2 * (27 - 3) / pot) ** (1 / 2) - 1) / 2  # 1: after the call 6, then 18, then 54
    assert share == 1
    assert game.nodes[game.find("R3")].actions == ("F", "C", "R9")


@pytest.mark.slow
def test_ends_pay_folds_all_ins_and_boards_checked_down():
    game = eq.poker.Preflop(stack=20, sizes="2.5x; a", ante=0.25, bb_ante=1)
    pot = {line: game.payoff(game.find(line)) for line in ("F", "R2.5-F", "R2.5-C", "C-X")}
    assert pot["F"] == pytest.approx(-0.75)
    assert pot["R2.5-F"] == pytest.approx(2.25)
    assert pot["R2.5-C"] == pytest.approx(EQUITY * 6.5 - 2.75)
    assert pot["C-X"] == pytest.approx(EQUITY * 3.5 - 1.25)
    assert game.payoff(game.find("R2.5-A-C")) == pytest.approx(EQUITY * 39 - 19)


def test_dead_money_is_in_pots_and_belongs_to_both():
    """By hand: one chip of a player who has left is in each pot, and half of it is each player's to begin with."""
    game = eq.poker.Preflop(stack=20, sizes="50%; a", dead=1)
    assert game.nodes[0].actions == ("F", "C", "R2.5")  # 1, and half of a pot of 3
    assert game.payoff(game.find("F")) == pytest.approx(-0.5 - 0.5)
    assert game.payoff(game.find("R2.5-C")) == pytest.approx(EQUITY * 6 - 2.5 - 0.5)
    assert game.after(game.nodes[game.find("R2.5-C")]) == {"pot": 6, "stack": 17.5}


def test_rake_is_taken_of_pots_that_see_a_flop():
    game = eq.poker.Preflop(stack=20, sizes="2.5x; a", rake=0.05, rake_cap=1.5)
    assert [game.payoffs_of_hands(game.find("R2.5-F"))] == [(1.0, -1.0)]
    first, second = game.payoffs_of_hands(game.find("R2.5-C"))
    assert first + second == pytest.approx(np.full((169, 169), -0.25))
    first, second = game.payoffs_of_hands(game.find("R2.5-A-C"))
    assert first + second == pytest.approx(np.full((169, 169), -1.5))
    unfolded = eq.to_extensive_form(game)
    state = unfolded.start()
    for action in (CLASSES.index("AA"), CLASSES.index("KK"), "R2.5", "C"):
        state = unfolded.next(state, action)
    share = EQUITY[CLASSES.index("AA"), CLASSES.index("KK")]
    assert unfolded.payoffs(state) == pytest.approx([share * 4.75 - 2.5, (1 - share) * 4.75 - 2.5])
    with pytest.raises(eq.GameError, match="not zero-sum"):
        eq.solve(game, form="public", iterations=1)


@pytest.mark.slow
def test_rake_makes_fewer_hands_play():
    runs = [
        eq.solve(f"preflop(stack=8, sizes='a', limp=False, rake={rake})", iterations=300)
        for rake in (0, 0.1)
    ]
    assert runs[1].value[0] + runs[1].value[1] < -0.05
    calls = [sum(run.strategy[1, f"{hand} A8"]["C"] for hand in CLASSES) for run in runs]
    assert calls[1] < calls[0]


def test_the_spot_after_the_flop_has_the_ranges_that_come_there(solution, tmp_path):
    game = eq.load(solution.game)
    spot = game.spot(solution.strategy, "C-R2-C", "QsJh2h", bets="75%, a")
    assert (spot.settings["pot"], spot.settings["stack"], spot.settings["bets"]) == (4, 4, "75%, a")
    strategy = solution.strategy
    bb = np.array([strategy[1, f"{hand} C"]["R2"] for hand in CLASSES])
    sb = np.array([strategy[0, hand]["C"] * strategy[0, f"{hand} C-R2"]["C"] for hand in CLASSES])
    for weights, of_player in zip((bb, sb), spot.ranges, strict=True):
        expected = weights[CLASS_OF_HAND]
        there = of_player.weights > 0
        assert of_player.weights[there] == pytest.approx(expected[there], abs=5.1e-5)
    eq.poker.write_spot(spot, tmp_path / "spot.toml")
    assert eq.load(tmp_path / "spot.toml").settings == spot.settings


@pytest.mark.parametrize("line", ["", "F", "R2", "R2-A6-C", "R2-F"])
def test_lines_that_see_no_flop_are_refused(line):
    with pytest.raises(eq.GameError, match="lead there are C-X, C-R2-C, R2-C"):
        eq.poker.Preflop(stack=6, sizes="2x; a").spot({}, line, "QsJh2h")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("stack=0", "1 or more"),
        ("sizes='7'", "cannot read"),
        ("sizes=3", "must be a text"),
        ("limp=1", "True or False"),
        ("max_raises=0", "1 to 8"),
        ("rake=2", "0 to 1"),
        ("rake=0.1, rake_cap=-1", "0 or more"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message):
        eq.load(f"preflop({settings})")


@pytest.mark.parametrize(
    ("antes", "raised"),
    [
        ({}, "R2"),
        ({"ante": 0.5}, "R2.5"),
        ({"bb_ante": 1}, "R2.5"),
        ({"ante": 0.25, "bb_ante": 1}, "R2.75"),
    ],
)
def test_a_raise_by_a_share_of_the_pot_counts_the_antes(antes, raised):
    """By hand: after a call two big blinds and the antes are in, and half of that is raised."""
    game = eq.poker.Preflop(stack=20, sizes="50%; a", **antes)
    assert game.nodes[0].actions[-1] == raised
    # the next one: 100 % of the pot after a call of that
    to = float(raised[1:])
    again = eq.poker.Preflop(stack=60, sizes="50%; 100%; a", **antes)
    node = again.nodes[again.find(raised)]
    dead = 2 * antes.get("ante", 0) + antes.get("bb_ante", 0)
    assert float(node.actions[-1][1:]) == pytest.approx(to + 2 * to + dead)


@pytest.mark.slow
def test_what_the_players_lose_together_is_the_rake_of_the_whole_pot():
    """By hand: the house takes its share of bets and antes, at most the cap, and of folds nothing."""
    game = eq.poker.Preflop(
        stack=12, sizes="2x, a; a", ante=0.5, bb_ante=1, rake=0.05, rake_cap=0.375
    )
    taken = set()
    for number, node in enumerate(game.nodes):
        if node.player != eq.TERMINAL:
            continue
        pot = 2 * min(node.bets) + 2 * 0.5 + 1
        rake = 0.0 if node.line.endswith("F") else min(0.05 * pot, 0.375)
        together = np.sum(np.broadcast_arrays(*game.payoffs_of_hands(number)), axis=0)
        assert together == pytest.approx(np.full(together.shape, -rake), abs=1e-12), node.line
        taken.add(rake)
    assert sorted(taken) == pytest.approx([0.0, 0.05 * 4, 0.05 * 6, 0.375])


def test_no_chip_is_lost_between_the_betting_and_the_flop():
    """Pot and stacks after the flop are all chips in reach, and the house goes on taking its share."""
    settings = {"stack": 20, "sizes": "2x; 3x; a", "ante": 0.25, "bb_ante": 1}
    game = eq.poker.Preflop(**settings, rake=0.04, rake_cap=2)
    free = eq.poker.Preflop(**settings)
    chips = 2 * (20 - 1.25) + 2 * 0.25 + 1  # both play for what the big blind has after the antes
    for node in game.flop_nodes():
        after = game.after(node)
        assert after["pot"] + 2 * after["stack"] == pytest.approx(chips), node.line
        assert after["stack"] == pytest.approx(20 - 1.25 - node.bets[0]), node.line
    assert game.flop_nodes()
    random = np.random.default_rng(1)
    played = {}
    for node in game.nodes:
        for hand in CLASSES if node.player != eq.TERMINAL else ():
            odds = random.dirichlet(np.ones(len(node.actions))).tolist()
            key = (node.player, f"{hand} {node.line}".strip())
            played[key] = dict(zip(node.actions, odds, strict=True))
    spot = game.spot(played, "R2-C", "QsJh2h")
    assert spot.settings["pot"] == pytest.approx(2 * 2 + 1.5)
    assert (spot.settings["rake"], spot.settings["rake_cap"]) == (0.04, 2)
    assert not free.spot(played, "R2-C", "QsJh2h").settings["rake"]
    for line in ("R2-C", "C-R2-R6-C"):
        reach = np.ones((2, len(CLASSES)))
        before = []
        for action in line.split("-"):
            player = len(before) % 2
            keys = [(player, f"{hand} {'-'.join(before)}".strip()) for hand in CLASSES]
            reach[player] *= [played[key][action] for key in keys]
            before.append(action)
        ranges = game.spot(played, line, "QsJh2h").ranges  # of the big blind first
        for weights, of_player in zip(reach[::-1], ranges, strict=True):
            expected = weights[CLASS_OF_HAND]
            held = of_player.weights > 0
            assert of_player.weights[held] == pytest.approx(expected[held], abs=5.1e-5)
