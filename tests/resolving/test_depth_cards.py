"""Parts of card forms that are cut at a depth: the same game as in the sequence form, which programmes judge."""

from functools import cache

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.form.cards.leaves import Above
from equilibrist.form.gadget import Unsafe, make_gadgets
from equilibrist.form.sequence.part import SequencePart
from equilibrist.resolving.depth import DepthLimit
from support.random_card_games import RandomCardGame

TURN = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='50%, a; a')"
LEAVES = ("blueprint", eq.continuations(4))


def of_blueprint(leaf, ranges):
    """Return what hands get if both go on as the blueprint does."""
    return (leaf.chance * leaf.payoffs[0]) @ ranges[1], ranges[0] @ (leaf.chance * leaf.payoffs[1])


def blueprint_of(rules, iterations=3):
    return eq.solve(
        eq.compile_cards(rules).unmerged(), "cfr", iterations=iterations, precision="float64"
    )


GAMES = {
    (1,): RandomCardGame(7, streets=(1,)),
    (1, 1): RandomCardGame(2, streets=(1, 1), cards=12, hands=4, depth=2),
    "uneven": RandomCardGame(
        55, streets=(1,), cards=12, hands=14, depth=2, uneven=True
    ),  # two ends on a street
}


@cache
def example(streets):
    """Return a random card game by its name, or numbers of cards, with a blueprint and the sequence form."""
    rules = GAMES[streets]
    return rules, blueprint_of(rules), eq.compile_game(rules, keep_tree=True)


@pytest.mark.thinned(9)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("leaves", [*LEAVES, "best response", of_blueprint])
@pytest.mark.parametrize(
    ("streets", "depth"),
    [
        ((1,), "1 street"),
        ((1,), 1),
        ((1,), 3),
        ((1, 1), "1 street"),
        ((1, 1), "2 streets"),
        ((1, 1), 3),
        ("uneven", 2),
    ],
)
def test_the_cut_game_is_that_of_the_sequence_form(streets, depth, leaves, player):
    """Where both choose by chance, what they get and what best responses get; what is below is no uniform strategy."""
    rules, blueprint, form = example(streets)
    limit = DepthLimit.read(depth, leaves, player)
    slots = blueprint.strategy.slots
    above = Above(rules.deal.weights, 1.0 / rules.deal.total, "")
    cut = limit.cut_cards(slots.form, slots.weights, 1 - player, above)
    part = SequencePart(form, next(infoset.key for infoset in form.infosets), player)
    strategy = blueprint.strategy.at_slots(form)
    gadget = make_gadgets(Unsafe(), part.boundary(strategy))[0]
    game = part.game(strategy, gadget, "cut", limit.ends(part, strategy))
    sums = np.zeros(cut.length)
    if cut.locks is not None:
        sums[cut.locks.slots] = cut.locks.probabilities
    uniform = [
        each.values(each.average_from_sums(of))
        for each, of in ((cut, sums), (game, np.zeros(game.length)))
    ]
    assert cut.num_infosets > 0
    assert uniform[0].value == pytest.approx(uniform[1].value, abs=1e-9)
    assert uniform[0].best_response_value == pytest.approx(uniform[1].best_response_value, abs=1e-9)
    assert cut.zero_sum


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("leaves", [*LEAVES, "best response", of_blueprint])
@pytest.mark.parametrize("method", ["refined", "maxmargin"])
def test_parts_come_to_the_value_of_the_programme(method, leaves, player):
    """On a board of the second street; the certificate is that of the whole game, in which the opponent answers."""
    rules, blueprint, form = example((1, 1))
    whole = blueprint.strategy.form
    lines = dict.fromkeys(
        node.line.rpartition("|")[0].strip() for node in whole.betting.streets[1].decisions
    )
    board = whole.boards.streets[1][0].cards
    shown = "".join(rules.cards[card] for card in board[len(rules.board) :])
    for line in list(lines)[:2]:
        options = {"method": method, "player": player, "depth": 1, "leaves": leaves}
        part = eq.resolve(
            blueprint,
            line,
            board,
            iterations=1000,
            algorithm="cfr+",
            precision="float64",
            **options,
        )
        node = next(
            n
            for n in whole.betting.streets[1].decisions
            if n.line.rpartition("|")[0].strip() == line
        )
        key = next(i.key for i in form.infosets if i.key.endswith(f"{shown} {node.line}"))
        exact = eq.resolve(
            blueprint.strategy,
            key,
            game=form,
            **options | {"leaves": "blueprint" if callable(leaves) else leaves},
        )
        spliced = eq.splice(blueprint, part)
        below = SequencePart(form, key, player)
        hands = {hand.split()[0].removesuffix(":"): k for k, hand in enumerate(below.hands)}
        order = [hands[hand] for hand in part.part.hands]
        value = below.values(spliced.at_slots(form))[order]
        assert part.part.value + rules.pot / 2 * part.part.weight == pytest.approx(value, abs=1e-9)
        if method == "maxmargin":
            assert part.nash_conv < 2e-2
            assert part.value[1 - player] == pytest.approx(
                exact.value[1 - player], abs=part.nash_conv + 1e-9
            )


@pytest.mark.parametrize("method", ["refined", "maxmargin"])
@pytest.mark.parametrize(
    ("precision", "rounding"),
    [("float32", 1e-5), pytest.param("float64", 1e-9, marks=pytest.mark.slow)],
)
def test_a_function_that_says_what_the_blueprint_does_changes_no_iterate(
    method, precision, rounding
):
    """Decisions above the part, which change the ranges, and the certificate among what is the same."""
    blueprint = example((1,))[1]
    options = {"method": method, "player": 0, "depth": 1, "iterations": 3, "precision": precision}
    fixed, asked = (
        eq.resolve(blueprint, leaves=leaves, **options) for leaves in ("blueprint", of_blueprint)
    )
    assert asked.nash_conv == pytest.approx(fixed.nash_conv, abs=rounding)
    assert asked.value == pytest.approx(fixed.value, abs=rounding)
    assert asked.part.value == pytest.approx(fixed.part.value, abs=rounding)
    for key, row in fixed.strategy.items():
        assert asked.strategy[key] == pytest.approx(row, abs=rounding)


@pytest.mark.slow
def test_what_a_function_is_asked_on_cards():
    """The cards of hands that can be there, the whole line and board, and the deal of the whole game."""
    asked = {}

    def leaves(leaf, ranges):
        asked[leaf.line, leaf.board] = leaf
        assert [len(each) for each in ranges] == [len(names) for names in leaf.hands]
        return of_blueprint(leaf, ranges)

    blueprint = eq.solve(TURN, iterations=1)
    eq.resolve(blueprint, "X", player=0, depth="1 street", leaves=leaves, iterations=1)
    assert {board for _, board in asked} == {"KdQd2d7d"}
    assert {"X-X", "X-B50-C"} <= {line for line, _ in asked}
    leaf = asked["X-X", "KdQd2d7d"]
    assert (len(leaf.hands[0]), len(leaf.hands[1])) == (9, 7)
    assert leaf.chance.sum() == pytest.approx(1.0)
    assert leaf.chance[leaf.hands[0].index("QhJh"), leaf.hands[1].index("JhTh")] == 0.0
    assert leaf.payoffs.sum(axis=0)[leaf.chance > 0] == pytest.approx(100.0)


def gain(strategy, player):
    return eq.evaluate(strategy.form, strategy).best_response_value[1 - player]


def test_a_turn_that_is_solved_without_its_rivers():
    """What is below stays, the excess bounds what is lost, and who is offered four ways is harder to fool."""
    blueprint = eq.solve(TURN, "cfr", iterations=60, precision="float64")
    before, excess = gain(blueprint.strategy, 0), {}
    for leaves in LEAVES:
        part = eq.resolve(blueprint, player=0, depth="1 street", leaves=leaves, iterations=300)
        spliced = eq.splice(blueprint, part)
        assert gain(spliced, 0) <= before + part.part.excess + 1e-9
        excess[str(leaves)] = part.part.excess
        rows = [(key, row, spliced[key]) for key, row in blueprint.strategy.items()]
        moved = [key for key, row, after in rows if max(abs(row[a] - after[a]) for a in row) > 1e-6]
        assert moved
        assert all(player == 0 and "|" not in name for player, name in moved)
        assert not any("|" in key and player == 0 for player, key in part.strategy)
        with pytest.raises(eq.SolutionError, match="is not saved by itself: splice it"):
            part.save("part")
    assert 0 < excess["continuations(4)"] < excess["blueprint"] - 1


@pytest.mark.slow
def test_beyond_the_end_nothing_is_cut():
    blueprint = eq.solve(TURN, "cfr", iterations=2)
    for depth in ("2 streets", 30):
        part = eq.resolve(blueprint, "", player=0, depth=depth, iterations=3)
        assert part.value == eq.resolve(blueprint, "", player=0, iterations=3).value
        assert part.part.continued is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"leaves": lambda leaf, ranges: ([0.0], [0.0])},
            "must return two arrays of finite numbers, 9 and 7 long",
        ),
        ({"save": "part"}, "is not saved by itself: splice it"),
        ({"locks": []}, "^locks: in card forms what is below a depth is played as in the run"),
        ({"game": TURN.replace("50%", "50%, 100%")}, "^game: in card forms what is below a depth"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    blueprint = eq.solve(TURN, iterations=1)
    with pytest.raises((eq.GameError, eq.SolutionError), match=message):
        eq.resolve(blueprint, "", player=0, **{"depth": "1 street"} | options)


# --- Searchers ---


@pytest.mark.thinned(2)
@pytest.mark.parametrize("options", [{}, {"depth": 1, "leaves": "blueprint"}])
def test_a_searcher_plays_a_card_game_of_ones_own(options):
    """Whose hands have names of their own; the strategy plays what the searcher says."""
    rules = RandomCardGame(9, streets=(1,))
    blueprint = blueprint_of(rules, iterations=5)
    searcher = eq.Searcher(blueprint, iterations=20, **options)
    strategy = searcher.strategy()
    form = blueprint.strategy.form
    allowed = sum(record.excess or 0.0 for record in searcher.log)
    assert eq.evaluate(form, strategy).nash_conv <= blueprint.nash_conv + allowed + 1e-9
    assert any(record.excess is not None for record in searcher.log)
    for infoset in list(form.infosets)[::7]:
        row = searcher.probabilities_at(infoset[:2], infoset.actions)
        assert row == pytest.approx(list(strategy[infoset[:2]].values()), abs=1e-6)


def test_a_searcher_solves_each_street_to_its_end():
    """The river is solved against the turn that was cut there, with the blueprint's river below."""
    flop = "holdem(board='KdQd2d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=100, bets='a')"
    searcher = eq.Searcher(eq.solve(flop, iterations=5), depth="1 street", iterations=3)
    row = searcher.probabilities_at((0, "QhJh KdQd2d7s3c X-X | X-X |"), ("X", "A100"))
    assert sum(row) == pytest.approx(1.0)
    turn, river = searcher.log
    assert (turn.line, river.line) == ("X-X", "X-X | X-X")
    assert turn.excess is not None
    assert river.excess is not None
    with pytest.raises(eq.SolutionError, match="Player 0 has no infoset 'Qh"):
        searcher.probabilities_at((0, "Qh KdQd2d"), ("X", "A100"))
