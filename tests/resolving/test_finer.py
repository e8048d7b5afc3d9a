"""Parts of a finer game: bets that were not in the tree, in games whose finer form can be solved whole."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.resolving.added_actions import adds_actions
from equilibrist.resolving.finer import FinerGame

GAME = "tests/support/bet_sizes.py:BetSizes"
SAFE = ("refined", "resolve", "maxmargin", "reach")
SPOT = "holdem(board='KdQd2d7s3c', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='{}')"


def best(game, strategy):
    return eq.evaluate(game, strategy).best_response_value


@pytest.fixture(scope="module")
def blueprint():
    return eq.solve(GAME, "cfr", iterations=10)


def least_sum(blueprint, sizes):
    """Minimise Σ max(f_h, CBV_h) over what player 0 does against bets after a check, by a programme of its own.

    Of each hand of player 1, f_h is the largest of the sums over player 0's hands that the rules say.
    """
    game, cards = eq.load(f"{GAME}(sizes={sizes!r})"), "JQK"
    checks = {card: blueprint.strategy[0, card]["check"] for card in cards}
    places = [
        (card, size) for card in cards for size in sizes
    ]  # variables: the probability to call, then the maxima
    answers = lambda strategy, size, card: strategy[0, f"{card} check bet {size}"]["call"]  # noqa: E731
    total, upper, right = len(places) + 3, [], []
    floor = []
    for k, theirs in enumerate(cards):
        others = [card for card in cards if card != theirs]
        worth = {
            "check": sum(
                checks[c] / 6 * game.payoffs((c, theirs, "check", "check"))[1] for c in others
            )
        }
        for size in sizes:
            row, constant, coarse = np.zeros(total), 0.0, 0.0
            for card in others:
                folded, called = (
                    checks[card] / 6 * game.payoffs((card, theirs, "check", f"bet {size}", each))[1]
                    for each in ("fold", "call")
                )
                row[places.index((card, size))] = called - folded
                constant += folded
                if size == 1:
                    coarse += folded + (called - folded) * answers(blueprint.strategy, 1, card)
            row[len(places) + k] = -1.0
            upper.append(row)
            right.append(-constant)
            if size == 1:
                worth["bet"] = coarse
        floor.append(
            (max(worth.values()), None)
        )  # CBV, in the coarse game; f_h is at least what a check is worth
    cost = np.concatenate([np.zeros(len(places)), np.ones(3)])
    result = linprog(cost, np.array(upper), right, bounds=[(0, 1)] * len(places) + floor)
    return result.fun, [low for low, _ in floor]


@pytest.mark.parametrize("sizes", [(1, 2), (1, 3, 9)])
def test_the_answer_to_an_off_tree_bet_is_that_of_a_programme(blueprint, sizes):
    """The values of the opponent's hands are those of the coarse game, though they have more bets now."""
    finer = f"{GAME}(sizes={sizes!r})"
    part = eq.resolve(blueprint, "J check", method="resolve", player=0, game=finer, trust=True)
    least, values = least_sum(blueprint, sizes)
    of_hand = dict(zip(part.part.hands, part.part.blueprint, strict=True))
    assert [of_hand[f"{card} check"] for card in "JQK"] == pytest.approx(values, abs=1e-9)
    assert np.maximum(part.part.value, part.part.blueprint).sum() == pytest.approx(least, abs=1e-9)
    assert (0, f"Q check bet {sizes[-1]}") in part.strategy


@pytest.mark.parametrize("method", SAFE)
def test_the_certificate_holds_in_the_whole_finer_game(blueprint, method):
    """The finer game differs below the part alone: what its best response earns is at most the excess more."""
    finer = f"{GAME}(sizes=(1, 4))"
    part = eq.resolve(blueprint, "J check", method=method, player=0, game=finer, trust=True)
    spliced = eq.splice(blueprint, part)
    before, after = best(GAME, blueprint.strategy)[1], best(finer, spliced)[1]
    assert after <= before + part.part.excess + 1e-9
    uniform = best(finer, part.part.lifted)[1]  # who answers the new bet by chance
    assert after < uniform - 0.05
    assert spliced[0, "J"] == pytest.approx(blueprint.strategy[0, "J"])
    assert spliced[1, "Q check"]["bet 4"] == 0.0


@pytest.mark.thinned(2)
@pytest.mark.parametrize("player", [0, 1])
def test_more_raises_in_leduc(player):
    """From the first action on all of the finer game is below."""
    blueprint = eq.solve("leduc(raises=1)", "cfr", iterations=20)
    finer = eq.compile_game(eq.load("leduc"), keep_tree=True)
    part = eq.resolve(blueprint, "J", player=player, game=finer)
    before = best("leduc(raises=1)", blueprint.strategy)[1 - player]
    after = best(finer, eq.splice(blueprint, part))[1 - player]
    assert after <= before + part.part.excess + 1e-9
    assert after >= eq.exact(finer).value[1 - player] - 1e-9


def test_a_game_with_the_same_actions_is_the_game_of_the_run(blueprint):
    part = eq.resolve(blueprint, "J check", player=0, game=f"{GAME}(sizes=(1,))", trust=True)
    assert part.part.lifted is None
    assert part.part.excess < 1e-9


@pytest.mark.parametrize(
    ("game", "line", "message"),
    [
        (f"{GAME}(sizes=(1, 2), pot=4)", "J check", "the same plays have other payoffs"),
        (f"{GAME}(sizes=(1, 2), deck='JQKA')", "J check", "chance has another number of outcomes"),
        (f"{GAME}(sizes=(2, 3))", "J check", "at 'Q check' it has no action 'bet 1'"),
        ("leduc", "J check", "at 'J' it has no action 'bet 1'"),
        (
            f"{GAME}(sizes=(1, 2))",
            "J check bet 2",
            "has no infoset 'J check bet 2'; a part with added actions begins",
        ),
        (f"{GAME}(sizes=(1, 2))", "J check bet 1", None),
    ],
)
def test_what_is_not_finer_is_refused(blueprint, game, line, message):
    if message is None:  # nothing is added there
        part = eq.resolve(blueprint, line, player=0, game=game, trust=True)
        assert part.part.excess < 1e-9
        return
    with pytest.raises(eq.GameError, match=message):
        eq.resolve(blueprint, line, player=0, game=game, trust=True)


@pytest.mark.parametrize(
    ("coarse", "finer"), [(GAME, f"{GAME}(sizes=(1, 2))"), ("leduc(raises=1)", "leduc")]
)
def test_a_lifted_strategy_is_the_same_play(coarse, finer):
    """Each row sums to 1, what was added is not played, and both earn what they earned."""
    run = eq.solve(coarse, "cfr", iterations=5)
    line = "J check" if coarse == GAME else "J"
    lifted = eq.resolve(run, line, player=0, game=finer, trust=True).part.lifted
    for key, row in lifted.items():
        assert sum(row.values()) == pytest.approx(1.0, abs=1e-12)
        if key in run.strategy:
            assert {a: p for a, p in row.items() if p} == pytest.approx(
                {a: p for a, p in run.strategy[key].items() if p}
            )
    before, after = eq.evaluate(coarse, run.strategy), eq.evaluate(finer, lifted)
    assert after.value == pytest.approx(before.value, abs=1e-12)


def test_parts_of_two_finer_games_are_spliced():
    """What the second one alone has is not played where the first one was solved again: each row sums to 1."""
    run = eq.solve("leduc(raises=1)", iterations=5)
    first = eq.resolve(run, "Jcc/Q", player=0, game="leduc(raises=2)", iterations=1)
    second = eq.resolve(
        run, "Jcc/Q", method="unsafe", player=1, game="leduc(raises=3)", iterations=1
    )
    spliced = eq.splice(run, first, second)
    assert (0, "Jcc/Qrr") in first.strategy
    assert all(sum(row.values()) == pytest.approx(1.0, abs=1e-9) for _, row in spliced.items())


class Secret:
    """Player 1 chooses a or b in secret, and player 0 guesses which; in the finer game in another order, or passes."""

    players = 2

    def __init__(self, is_finer=False):
        self.is_finer = is_finer

    def __str__(self):
        return f"secret({self.is_finer})"

    def start(self):
        return ()

    def player(self, state):
        return (1, 0, eq.TERMINAL)[len(state)]

    def actions(self, state):
        if state:
            return ["a", "b", "pass"] if self.is_finer else ["a", "b"]
        return ["b", "a"] if self.is_finer else ["a", "b"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        secret, guess = state
        won = {"a": 1.0, "b": 3.0}[secret] if guess == secret else 0.0
        return won, -won

    def infoset(self, state):
        return "guess" if state else "secret"


def test_hands_are_known_by_what_they_did_in_whatever_order_a_finer_game_has_it():
    """Against a guess of a with 0.25, a loses 0.25 and b loses 2.25: in both games."""
    rows = {(1, "secret"): {"a": 0.5, "b": 0.5}, (0, "guess"): {"a": 0.25, "b": 0.75}}
    forms = [eq.compile_game(Secret(is_finer), keep_tree=True) for is_finer in (False, True)]
    part, boundary = FinerGame(*forms).part(eq.Strategy.from_dict(rows), "guess", 0)
    values = dict(zip(part.hands, boundary.value, strict=True))
    assert values == pytest.approx({"secret: a": -0.25, "secret: b": -2.25}, abs=1e-12)


# --- Card forms ---


def test_a_part_of_the_coarse_spot_around_one_of_the_finer_plays_nothing_that_was_added():
    """It replaces what lies in it: at its decisions the added bet is not played any more."""
    coarse, finer = SPOT.format("50%"), SPOT.format("50%, 100%")
    cards = eq.solve(coarse, "cfr", iterations=5, precision="float64")
    inner = eq.resolve(cards, "X", player=1, game=finer, until="5%")
    outer = eq.resolve(cards, "", player=1, until="5%")
    assert any(row.get("B100", 0.0) > 0 for (p, _), row in inner.strategy.items() if p == 1)
    spliced = eq.splice(cards, inner, outer)
    for key, row in outer.strategy.items():
        if key[0] == 1:
            assert {a: p for a, p in spliced[key].items() if a in row} == pytest.approx(
                row, abs=1e-6
            )
            assert spliced[key].get("B100", 0.0) == 0.0


@pytest.mark.slow
def test_a_finer_spot_has_the_values_of_the_coarse_one():
    """As in the sequence form of the same spot, by linear programme."""
    coarse, finer = SPOT.format("50%"), SPOT.format("50%, 100%")
    cards = eq.solve(coarse, iterations=5, precision="float64")
    written = eq.solve(coarse, form="sequence", iterations=1)
    written = replace(written, strategy=eq.Strategy.from_dict(dict(cards.strategy.items())))
    part = eq.resolve(
        cards, "X", player=0, game=finer, algorithm="cfr+", iterations=500, precision="float64"
    )
    key = next(key for player, key in written.strategy if player == 1 and key.endswith(" X"))
    exact = eq.resolve(written, key, player=0, game=finer)
    theirs = [{name[:2], name[2:4]} for name in exact.part.hands]
    order = [theirs.index({hand[:2], hand[2:]}) for hand in part.part.hands]
    shift = 50 * part.part.weight  # half the pot, which card forms leave out of values
    assert part.part.blueprint + shift == pytest.approx(exact.part.blueprint[order], abs=1e-6)
    worth = lambda resolved: np.maximum(resolved.value - resolved.blueprint, 0).sum()  # noqa: E731
    assert worth(part.part) == pytest.approx(worth(exact.part), abs=2e-2)
    assert any(" B100" in key for _, key in part.strategy)


@pytest.mark.parametrize("player", [0, 1])
def test_a_part_of_a_finer_spot_is_spliced(tmp_path, player):
    """The whole is worth what the sequence form of the finer spot says; parts of both games go in any order."""
    coarse, finer = SPOT.format("50%"), SPOT.format("50%, 100%")
    cards = eq.solve(coarse, "cfr", iterations=5, precision="float64")
    part = eq.resolve(cards, "", player=player, game=finer, until="0.5%", save=tmp_path)
    spliced = eq.splice(cards, tmp_path)
    written = eq.compile_game(eq.load(finer))
    after = eq.evaluate(written, spliced).best_response_value
    assert best(spliced.form, spliced) == pytest.approx(after, abs=1e-6)
    assert after[1 - player] <= best(coarse, cards.strategy)[1 - player] + part.part.excess + 1e-6
    mine = next(key for p, key in spliced if p == player)
    assert spliced[player, mine] == pytest.approx(part.strategy[player, mine])
    theirs = {
        key: row for (p, key), row in spliced.items() if p != player and (p, key) in cards.strategy
    }
    assert all(row.get("B100", 0.0) == 0.0 for row in theirs.values())
    for key, row in list(theirs.items())[::7]:
        assert {a: p for a, p in row.items() if p} == pytest.approx(
            {a: p for a, p in cards.strategy[1 - player, key].items() if p}
        )
    other = eq.resolve(cards, "X", player=1 - player, until="1%")
    both = [eq.splice(cards, *parts) for parts in ((part, other), (other, part))]
    assert dict(both[0].items()) == dict(both[1].items())


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (SPOT.format("50%, 100%").replace("pot=100", "pot=120"), "its pot is 120, not 100"),
        (SPOT.format("70%"), "the action B50 is missing"),
        (SPOT.format("50%, a").replace("3c", "4c"), "its board or deck is another"),
        (SPOT.format("50%, a").replace("QJs", "QJs:0.5"), "player 0 has another range"),
        (SPOT.format("50%, a").replace("stack=200", "stack=40"), "the action B50 is missing"),
    ],
)
def test_spots_that_are_not_finer_are_refused(game, message):
    with pytest.raises(eq.GameError, match=message):
        adds_actions(eq.load(SPOT.format("50%")), eq.load(game))
    assert adds_actions(eq.load(SPOT.format("50%")), eq.load(SPOT.format("50%, 100%")))
    assert not adds_actions(eq.load(game), eq.load(game))


def test_a_saved_part_of_a_finer_game_is_read_and_not_spliced(tmp_path):
    """It is saved without the blueprint of which the spliced strategy would be made."""
    blueprint = eq.solve("leduc(raises=1)", iterations=5)
    part = eq.resolve(blueprint, "Jcc/Q", player=0, game="leduc", save=tmp_path)
    read = eq.load_solution(tmp_path)
    assert read.part.excess == part.part.excess
    assert read.exploitability == part.exploitability
    with pytest.raises(
        eq.SolutionError, match="is a part of a finer game, and folders do not have the blueprint"
    ):
        eq.splice(blueprint, tmp_path)
    assert eq.splice(blueprint, part, tmp_path) == eq.splice(blueprint, part)


def test_parts_of_the_finer_and_of_the_coarse_game_are_spliced_in_any_order(blueprint):
    """Added actions are never played by a part that does not know them."""
    finer = eq.resolve(blueprint, "J check", player=0, game=f"{GAME}(sizes=(1, 2))", trust=True)
    coarse = eq.resolve(blueprint, "J check", player=1)
    both = [eq.splice(blueprint, *parts) for parts in ((finer, coarse), (coarse, finer))]
    assert dict(both[0].items()) == dict(both[1].items())
    assert both[0][1, "Q check"]["bet 2"] == 0.0
