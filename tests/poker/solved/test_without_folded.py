"""What folded hands change: referees are equities by enumeration, and runs of the spot without them."""

import itertools

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.hand_ranks import strength_of
from equilibrist.poker.solved.without_folded import compare_without_folded

BOARD = "QsJh2h7c3d"
RANGES = ["AsAh,KsKh,8c8d", "QdQc,AcKc,9c9d", "JcJd,Ts9s,KdTd"]
FOLDED = "AdAc,KcKd:0.5,5s4s"


def deal_weight(hands, is_folded):
    """Return the weight of some hands: 0 where they share a card, and else that of the folded hands beside them."""
    cards = [hand[place : place + 2] for hand in hands for place in (0, 2)]
    if len({*cards}) < len(cards):
        return 0.0
    if not is_folded:
        return 1.0
    weight = 0.0
    for text in FOLDED.split(","):
        hand, _, share = text.partition(":")
        if not {hand[:2], hand[2:]} & {*cards}:
            weight += float(share or 1)
    return weight


def enumerate_equities(ranges, is_folded):
    """Return the share of the pot of each player, over all deals of the hands."""
    shares = [0.0] * len(ranges)
    total = 0.0
    for hands in itertools.product(*(text.split(",") for text in ranges)):
        weight = deal_weight(hands, is_folded)
        cards = np.array([parse_cards(BOARD + hand) for hand in hands])
        strengths = strength_of(cards).tolist()
        winners = [who for who, one in enumerate(strengths) if one == max(strengths)]
        total += weight
        for who in winners:
            shares[who] += weight / len(winners)
    return [share / total for share in shares]


def make_spot(count):
    """Return the settings of a spot of so many players with a pot of 10."""
    if count == 2:
        return {"oop": RANGES[0], "ip": RANGES[1], "pot": 10, "stack": 4, "bets": "50%"}
    return {"ranges": RANGES, "pot": 10, "stacks": 4, "bets": "50%", "max_raises": 0}


@pytest.mark.thinned(2)
@pytest.mark.parametrize("count", [2, 3])
def test_the_effect_is_that_of_two_runs(count, run, tmp_path):
    spot = make_spot(count)
    runs = {}
    for is_folded, folded in ((True, [FOLDED]), (False, [])):
        game = eq.poker.Holdem(BOARD, **spot, folded=folded)
        # In float64 as other tests of folded hands: their kernels take long to compile.
        runs[is_folded] = eq.solve(
            game, iterations=60, precision="float64", save=tmp_path / str(is_folded)
        )
    told = run("show", tmp_path / "True", "--without-folded", "--json").json
    for is_folded, name in ((True, "with_folded"), (False, "without_folded")):
        assert told[name]["ev"] == pytest.approx(runs[is_folded].value, abs=1e-9)
        expected = enumerate_equities(RANGES[:count], is_folded)
        assert told[name]["equity"] == pytest.approx(expected, abs=1e-12)
    word = "exploitability" if count == 2 else "largest_gain"
    assert told["with_folded"][word] == runs[True].final.gap
    text = run("show", tmp_path / "True", "--without-folded").out
    changes = [one - other for one, other in zip(runs[True].value, runs[False].value, strict=True)]
    assert all(f"{change:+.4f}" in text for change in changes)
    assert f"{changes[0] / 10:+.2%}" in text
    assert "all of whose deals are counted" in text


def test_what_has_no_effect_is_refused(run, tmp_path):
    solution = eq.solve(eq.poker.Holdem(BOARD, **make_spot(2)), iterations=2, save=tmp_path / "run")
    with pytest.raises(eq.SolutionError, match="nothing to leave out"):
        compare_without_folded(solution)
    run("show", tmp_path / "run", "--without-folded").fails(2, "has no folded hands")
    refused = run("show", tmp_path / "run", "--without-folded", "--line", "X")
    refused.fails(2, "--without-folded shows what all players have at the start")
