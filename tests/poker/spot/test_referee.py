"""Hold'em against rules of its own (tests/support/holdem_rules.py), linear programmes and other forms of the game."""

from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.cards.build import compile_cards
from equilibrist.form.public.build import compile_public
from equilibrist.game.unfold_cards import unfold_boards
from equilibrist.poker.spot.game import Holdem
from support.card_lp import equity
from support.holdem_rules import ISSUE_RANGES, Spot
from support.random_card_games import without_symmetries

EXAMPLES = Path(__file__).parents[3] / "examples" / "spots"
TURN = "Td9d6hQc"
SPOTS = {  # board, ranges, pot, stack; sizes in both spellings; equity and value of OOP by linear programme
    "clairvoyance": (
        "2s3h4d6c7c",
        ("AsAh,QsQh", "KsKh"),
        20,
        10,
        (("a",), ("a",)),
        "a; a",
        0.5,
        40 / 3,
    ),
    "turn, pot": (
        TURN,
        ("AA,QJs,T8s", "KK,JTs,98s"),
        100,
        200,
        ((1,), ("a",)),
        "100%; a",
        0.619485294,
        89.749962164,
    ),
    "turn, half pot or all-in": (
        TURN,
        ("AA,JJ,A5s,KQs,87s", "TT,QJs,T9s,AQs,66"),
        100,
        300,
        ((0.5, "a"), ("a",)),
        "50%, a; a",
        0.343553459,
        37.046258634,
    ),
    "m-river": (
        "Td9d6hQc2s",
        ISSUE_RANGES,
        200,
        900,
        ((0.5, "a"), (0.6, "a")),
        "50%, a; 60%, a",
        0.516173904,
        91.596410732,
    ),
}
spots = pytest.mark.parametrize("name", SPOTS)


def spot_of(name):
    board, ranges, pot, stack, (sizes, raises), *_ = SPOTS[name]
    return Spot(board, ranges, pot=pot, stack=stack, sizes=sizes, raises=raises)


def holdem_of(name):
    board, ranges, pot, stack, _, bets, *_ = SPOTS[name]
    return Holdem(board, *ranges, pot=pot, stack=stack, bets=bets)


def judged(form, seed):
    """Return the values of a random strategy, and of the best responses to it; the same for the same infosets."""
    rows = {}
    for player, key, actions in form.infosets:
        numbers = np.random.default_rng([seed, player, *key.encode()]).random(len(actions))
        rows[player, key] = numbers / numbers.sum()
    ordered = [rows[infoset.player, infoset.key] for infoset in form.infosets]
    found = form.values(form.to_slots(np.concatenate(ordered)))
    return [*found.value, *found.best_response_value]


@pytest.mark.thinned(6)
@spots
def test_the_same_infosets_and_values(name):
    mine, theirs = (compile_cards(game) for game in (spot_of(name), holdem_of(name)))
    assert {(p, key): list(actions) for p, key, actions in theirs.infosets} == {
        (p, key): list(actions) for p, key, actions in mine.infosets
    }
    assert theirs.histories == mine.histories
    assert judged(theirs, 1) == pytest.approx(judged(mine, 1), rel=1e-12)


@spots
def test_equity(name):
    assert equity(holdem_of(name)) == pytest.approx(SPOTS[name][-2], abs=1e-9)


@pytest.mark.thinned(4)
@spots
def test_solved_to_the_value_of_the_linear_programme(name):
    solution = eq.solve(holdem_of(name), "pcfr+", until=2e-4 * SPOTS[name][2])
    assert solution.value[0] == pytest.approx(SPOTS[name][-1], abs=solution.nash_conv + 1e-8)
    assert sum(solution.value) == pytest.approx(SPOTS[name][2], abs=1e-9)


def test_the_mixes_of_the_clairvoyance_spot():
    mixes = eq.solve(holdem_of("clairvoyance"), "pcfr+", until=1e-6).strategy
    assert mixes["AsAh 2s3h4d6c7c"]["A10"] == pytest.approx(1, abs=1e-3)
    assert mixes["QsQh 2s3h4d6c7c"]["A10"] == pytest.approx(1 / 3, abs=1e-3)
    assert mixes["KsKh 2s3h4d6c7c A10"]["C"] == pytest.approx(2 / 3, abs=1e-3)


@pytest.mark.thinned(6)
@spots
def test_the_same_values_in_the_public_form(name):
    game = holdem_of(name)
    public = compile_public(unfold_boards(game), check_names=False)
    expected = [number + SPOTS[name][2] / 2 for number in judged(public, 2)]
    assert judged(compile_cards(game), 2) == pytest.approx(expected, rel=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["AhKh2h", "QsJh2h", "7d7c2s"])
def test_flops_with_suits_merged(board):
    game = Holdem(board, "AKs,QQ:0.517,98s", "TT,A5s,KJo:0.273", pot=20, stack=60, bets="a; a")
    assert len(compile_cards(game).boards.streets[1]) < 49
    games = game, without_symmetries(game)
    # Later, rounding decides what is played where nobody comes, and from there on everything.
    found = [eq.solve(one, "dcfr(alternating=False)", iterations=2) for one in games]
    values = [[*solution.value, solution.nash_conv] for solution in found]
    assert values[0] == pytest.approx(values[1], abs=1e-10)
    close = [eq.solve(one, "dcfr", until=0.01) for one in games]
    assert close[0].value[0] == pytest.approx(
        close[1].value[0], abs=sum(solution.nash_conv for solution in close)
    )


# EV of OOP by postflop-solver after 300 iterations; how far off it may be besides our own exploitability.
KNOWN_TO_PEERS = {"turn": (91.95, 0.02), "m-turn": (93.3704, 0.01)}


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN_TO_PEERS)
def test_the_values_of_peers(name):
    value, tolerance = KNOWN_TO_PEERS[name]
    solution = eq.solve(EXAMPLES / f"{name}.toml", "dcfr", until="0.02%")
    assert solution.value[0] == pytest.approx(value, abs=solution.nash_conv + tolerance)
