"""Bet sizes: what is read, what is written back, the chips that they mean, and what is refused."""

import math

import pytest

import equilibrist as eq
from equilibrist.poker.spot.bet_sizes import (
    BetSize,
    Sizes,
    combine,
    read_parts,
    read_sizes,
    write_parts,
    write_sizes,
)


def chips(text, **facts):
    """Return the chips of one size; by default a bet into a pot of 100 with 400 left and three streets to go."""
    (size,) = read_sizes(text, "sizes", raises=True)
    return size.chips(**{"pot": 100.0, "bet": 0.0, "stack": 400.0, "streets": 3, **facts})


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("50%", "50%"),
        (" 33.3 % , A", "33.3%, a"),
        ("e, 2E, 3e200%, e75%", "e, 2e, 3e200%, e75%"),
        ("100c,.5%", "100c, 0.5%"),
        ("2.50x, all-in, allin", "2.5x, a, a"),
        ("", "none"),
        ("none", "none"),
    ],
)
def test_sizes_round_trip(typed, written):
    sizes = read_sizes(typed, "sizes", raises=True)
    assert write_sizes(sizes) == written
    assert read_sizes(written, "sizes", raises=True) == sizes


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("75%", {}, 75),
        (
            "50%",
            {"pot": 250.0, "bet": 75.0},
            200,
        ),  # call 75, then half of 250: the example in wasm-postflop's help
        ("2.5x", {"bet": 75.0}, 187.5),
        ("30c", {}, 30),
        ("30c", {"bet": 75.0}, 105),
        ("a", {"bet": 75.0, "stack": 325.0}, 400),
        ("2e", {}, 100),  # again wasm-postflop's help: 100 into 100, then 300 into 300
        ("e", {"streets": 1}, 400),
        ("3e50%", {}, 50),
        ("e", {"bet": 75.0, "stack": 325.0, "pot": 250.0, "streets": 2, "raises": 1}, 400),
    ],
)
def test_chips(text, facts, expected):
    assert chips(text, **facts) == pytest.approx(expected)


@pytest.mark.parametrize("bets", [1, 2, 3, 4])
def test_geometric_bets_that_are_called_end_all_in(bets):
    pot, stack, share = 100.0, 777.0, None
    for left in range(bets, 0, -1):
        bet = chips("e", pot=pot, stack=stack, streets=left)
        assert share is None or bet / pot == pytest.approx(share)
        share, pot, stack = bet / pot, pot + 2 * bet, stack - bet
    assert stack == pytest.approx(0, abs=1e-9)


def test_parts():
    assert read_parts("60%, a; 2.5x; none", "bets") == {
        "bet": (BetSize("%", 0.6), BetSize("a")),
        "raise": (BetSize("x", 2.5),),
        "donk": (),
    }
    assert (
        read_parts("; 3x", "bets")
        == read_parts({"raise": "3x"}, "bets")
        == {"raise": (BetSize("x", 3.0),)}
    )
    assert write_parts(" 60 %,A ;2.50x", "bets") == "60%, a; 2.5x"
    assert write_parts("50%;;none", "bets") == "50%; ; none"
    assert write_parts({"donk": ""}, "bets") == {"donk": "none"}
    combined = combine(
        read_parts("50%; 3x", ""), read_parts("; 4x", ""), read_parts({"donk": "20%"}, "")
    )
    assert combined == Sizes((BetSize("%", 0.5),), (BetSize("x", 4.0),), (BetSize("%", 0.2),))
    assert combine(read_parts("50%", "")).donk is None
    assert read_sizes("e", "")[0].most == math.inf


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            "60%, 5o%",
            r"^turn: cannot read '5o%' in '60%, 5o%': a size is 50% \(of the pot\), 100c \(chips\), e or 2e",
        ),
        ("50", "cannot read '50' in '50': .*; write 50% for a share of the pot, 50c for chips"),
        ("50%,,a", "cannot read '' in '50%,,a'"),
        (
            "2.5x",
            "cannot read '2.5x' in '2.5x': only a raise is a multiple of a bet; write a bet as 50% of the pot",
        ),
        ("0%", "cannot read '0%'"),
        ("0e", "cannot read '0e'"),
        ("-5%", "cannot read '-5%'"),
        (5, "turn must be a text such as '50%, a'; got 5"),
    ],
)
def test_sizes_that_cannot_be_read(typed, message):
    with pytest.raises(eq.GameError, match=message) as refused:
        read_sizes(typed, "turn")
    assert refused.value.wrong_use


@pytest.mark.parametrize("typed", [",".join(["50%"] * 200) + ",5o%", "5o" * 2_000, ";" * 4_000])
def test_long_texts_are_not_repeated_whole(typed):
    with pytest.raises(eq.GameError, match=r"\.\.\.") as refused:
        read_parts(typed, "bets")
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("typed", ["1x", "0.8x"])
def test_a_raise_that_raises_nothing_is_refused(typed):
    with pytest.raises(
        eq.GameError,
        match=f"'{typed}' in '{typed}': that is no raise: the least raise of a bet is 2x",
    ):
        read_sizes(typed, "bets", raises=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("50%; 2x; a; a", "river must be at most three parts, 'bets; raises; donk bets'"),
        (["50%"], r"river must be a text such as '60%, a; 2.5x' \(bets; raises\) or a table"),
        ({"bets": "50%"}, "river: there is no 'bets'. Did you mean 'bet'"),
        ({"raise": "2q"}, "river, raise: cannot read '2q'"),
    ],
)
def test_parts_that_cannot_be_read(given, message):
    with pytest.raises(eq.GameError, match=message):
        read_parts(given, "river")
