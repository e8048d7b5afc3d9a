"""Chips in any unit: the same spot in other chips is the same game; absurd numbers are refused in a sentence."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq

HOLDEM = {"board": "Td9d6hQc2s", "oop": "AA,KK", "ip": "QQ,JJ,98s"}
OMAHA = {"board": "2c7d9hTs4s", "oop": "AhAdKcKs", "ip": "QhQdJcJs"}
SCALES = [10.0**k for k in range(-6, 7)]


def shape(game):
    """Return a tree without its chips: who decides where, and which kind of action leads where."""
    return [
        (
            node.street,
            node.player,
            node.folded,
            node.children,
            tuple(action[0] for action in node.actions),
        )
        for node in game.tree.nodes
    ]


def times(value, scale):
    return float(
        f"{value * scale:.12g}"
    )  # 0.0003, as it is written, and not 0.00030000000000000003


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    scale=st.sampled_from(SCALES),
    pot=st.integers(20, 300),
    stack=st.integers(5, 400),
    bets=st.sampled_from(["50%, 100%; 3x", "33%, a; 2.5x", "e; a", "a", "75%; 100%; 20%"]),
    rules=st.sampled_from(
        [{}, {"merge": 0.1, "force_all_in": 0.15}, {"add_all_in": 1.5, "max_raises": 2}]
    ),
    chip=st.sampled_from([0, 1, 0.5]),
    cls=st.sampled_from([eq.poker.Holdem, eq.poker.Omaha]),
)
def test_the_same_spot_in_other_chips_has_the_same_tree_and_pays_as_much_of_the_pot(
    scale, pot, stack, bets, rules, chip, cls
):
    cards = HOLDEM if cls is eq.poker.Holdem else OMAHA

    def spot(scale):
        chips = {"pot": pot, "stack": stack, "chip": chip, "min_bet": 2, "rake_cap": 4}
        scaled = {name: times(number, scale) for name, number in chips.items()}
        return cls(**cards, **scaled, bets=bets, rake=0.05, **rules)

    one, other = spot(1.0), spot(scale)
    assert shape(other) == shape(one)
    paid = [[node.paid for node in game.tree.nodes] for game in (one, other)]
    np.testing.assert_allclose(np.array(paid[1]) / scale, paid[0], rtol=1e-9, atol=1e-9)
    for node in other.tree.nodes[:40]:
        assert other.tree.find(node.line) >= 0  # a line that is printed is read back


@pytest.mark.parametrize("scale", [1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9])
def test_values_are_the_same_shares_of_the_pot(scale):
    def solved(scale):
        chips = {
            name: times(number, scale)
            for name, number in (("pot", 100), ("stack", 200), ("chip", 1))
        }
        return eq.solve(
            eq.poker.Holdem(**HOLDEM, **chips, bets="33%, 100%; a"),
            precision="float64",
            iterations=3_000,
        )

    one, other = solved(1.0), solved(scale)
    np.testing.assert_allclose(np.array(other.value) / scale, one.value, atol=1e-3)
    assert other.nash_conv / scale < 0.02


@pytest.mark.parametrize("scale", [1e-4, 1e-5, 1e-6, 1e-8])
def test_without_a_chip_tiny_pots_are_not_rounded_to_nothing(scale):
    tiny = eq.poker.Holdem(**HOLDEM, pot=times(1, scale), stack=times(2, scale), bets="100%; a")
    assert shape(tiny) == shape(eq.poker.Holdem(**HOLDEM, pot=1, stack=2, bets="100%; a"))


def test_omaha_with_a_tiny_pot_is_the_same_spot():
    tiny = eq.poker.Omaha(*OMAHA.values(), pot=0.001, stack=0.0004, bets="a")
    usual = eq.poker.Omaha(*OMAHA.values(), pot=1000, stack=400, bets="a")
    assert shape(tiny) == shape(usual)
    assert tiny.tree.nodes[0].actions == ("X", "A0.0004")


def test_a_pot_limit_that_is_rounded_to_nothing_leaves_no_bet():
    game = eq.poker.Omaha(*OMAHA.values(), pot=10, stack=100, chip=1000)
    assert {node.actions for node in game.tree.nodes if node.actions} == {("X",)}


@pytest.mark.parametrize("chips", [1e14, 123_456_789_012_345])
def test_actions_that_look_the_same_are_one(chips):
    game = eq.poker.Holdem(**HOLDEM, pot=chips, stack=chips, bets="50%, 50.00000000000001%, 30%; a")
    for node in game.tree.nodes:
        assert len(set(node.actions)) == len(node.actions) == len(node.children)


NUMBERS = [
    math.inf,
    -math.inf,
    math.nan,
    1e308,
    1e300,
    1e16,
    10**400,
    1e-13,
    5e-324,
    "inf",
    "nan",
    -1,
]
DIGITS = "9" * 400
SIZES = [
    f"{DIGITS}%",
    f"{DIGITS}c",
    f"{DIGITS}e",
    f"2e{DIGITS}%",
    "1" + "0" * 307 + "%",
    "50%; " + DIGITS + "x",
]


@pytest.mark.thinned(40)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("key", ["pot", "stack", "chip", "min_bet", "rake_cap"])
@pytest.mark.parametrize(("cls", "cards"), [(eq.poker.Holdem, HOLDEM), (eq.poker.Omaha, OMAHA)])
def test_chips_that_are_no_chips_are_refused_in_a_sentence(cls, cards, key, number):
    with pytest.raises(eq.GameError, match=f"^{key} must be"):
        cls(**{**cards, "pot": 100, "stack": 200, "bets": "50%; a", key: number})


@pytest.mark.parametrize("number", [math.inf, math.nan, 1e308, 10**400])
@pytest.mark.parametrize("key", ["rake", "merge", "force_all_in", "add_all_in", "max_raises"])
def test_shares_that_are_no_shares_are_refused_in_a_sentence(key, number):
    with pytest.raises(eq.GameError, match=key):
        eq.poker.Holdem(**{**HOLDEM, "pot": 100, "stack": 200, "bets": "50%", key: number})


@pytest.mark.parametrize("size", SIZES)
def test_sizes_without_end_are_refused_in_a_sentence(size, tmp_path):
    with pytest.raises(eq.GameError, match=r"cannot read .*no number may be above 1e\+15"):
        eq.poker.Holdem(**HOLDEM, pot=100, stack=200, bets=size)
    file = tmp_path / "spot.toml"
    file.write_text(
        f'board = "Td9d6hQc2s"\noop = "AA"\nip = "QQ"\npot = 100\nstack = 200\nbets = "{size}"\n'
    )
    with pytest.raises(eq.GameError, match="cannot read"):
        eq.load(str(file))
    if ";" not in size:
        with pytest.raises(eq.GameError, match="cannot read"):
            eq.poker.Preflop(sizes=size)


TEXAS = """set_pot 50
set_effective_stack 200
set_board Qs,Jh,2h,7c,3d
set_range_ip AA
set_range_oop KK
set_bet_sizes oop,river,bet,{size}
set_bet_sizes ip,river,raise,{size}
set_allin_threshold {threshold}
"""


@pytest.mark.parametrize(("size", "threshold"), [(DIGITS, "0.67"), ("50", "inf"), ("50", "nan")])
def test_a_script_of_another_solver_with_such_sizes_is_refused_in_a_sentence(
    tmp_path, size, threshold
):
    file = tmp_path / "spot.txt"
    file.write_text(TEXAS.format(size=size, threshold=threshold))
    with pytest.raises(eq.GameError, match=r"cannot read|must be a"):
        eq.load(str(file))


@pytest.mark.parametrize("key", ["stack", "ante", "bb_ante"])
@pytest.mark.parametrize("number", [math.inf, math.nan, 1e300, 10**400])
def test_big_blinds_without_end_are_refused_in_a_sentence(key, number):
    with pytest.raises(eq.GameError, match=f"{key} must be"):
        eq.poker.Preflop(**{key: number})
