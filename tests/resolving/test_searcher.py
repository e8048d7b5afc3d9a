"""Searchers: certified exactly at all infosets of small games, beside parts that are solved and spliced one by one."""

import random

import pytest

import equilibrist as eq
from equilibrist.form.cards.form import CardForm
from equilibrist.resolving.cards import splice_cards
from equilibrist.resolving.splice import spliced_run
from support.straddling import Straddling

LEDUC = eq.compile_game(eq.load("leduc"), keep_tree=True)
FLOP = "holdem(board='KdQd2d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=100, bets='a; a; a')"
RIVER = "QhJh KdQd2d7s3c X-X | X-X |"


def gains(form, strategy):
    """Return what the best response to each player earns."""
    return form.values(strategy.at_slots(form)).best_response_value[::-1]


def begins(form):
    """Return the name of the first infoset of each of the 15 parts of Leduc that begin with the public card."""
    keys = [infoset.key for infoset in form.infosets]
    return list(
        {key[1:]: key for key in keys if "/" in key and key.index("/") == len(key) - 2}.values()
    )


def excess(searcher, player):
    return sum(record.excess or 0.0 for record in searcher.log if record.player == player)


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [5, 20])
def test_a_searcher_is_certified_on_leduc(iterations):
    """Each street is solved again once for each player, and the whole is worth what the splice of these parts is."""
    blueprint = eq.solve(LEDUC, "cfr", iterations=iterations)
    searcher = eq.Searcher(blueprint, game=LEDUC)
    strategy = searcher.strategy()
    assert len(begins(LEDUC)) == 15
    assert [record.player for record in searcher.log].count(0) == 15
    assert len(searcher.log) == 30
    before, after = gains(LEDUC, blueprint.strategy), gains(LEDUC, strategy)
    for player in (0, 1):
        assert after[player] < before[player] - 0.05
        assert excess(searcher, player) < 1e-9
        parts = [eq.resolve(blueprint, line, player=player, game=LEDUC) for line in begins(LEDUC)]
        expected = gains(LEDUC, eq.splice(blueprint, *parts))[player]
        assert after[player] == pytest.approx(expected, abs=1e-9)
    assert eq.evaluate(LEDUC, strategy).exploitability < blueprint.exploitability
    assert len(searcher.log) == 30


@pytest.mark.slow
def test_an_unsafe_searcher_makes_a_good_blueprint_worse():
    blueprint = eq.solve(LEDUC, "cfr", iterations=200)
    before = gains(LEDUC, blueprint.strategy)[0] - eq.exact(LEDUC).value[1]
    gain = {}
    for method in ("refined", "unsafe"):
        searcher = eq.Searcher(blueprint, method=method, game=LEDUC)
        gain[method] = gains(LEDUC, searcher.strategy())[0] - eq.exact(LEDUC).value[1]
    assert before == pytest.approx(0.0646, abs=5e-5)
    assert gain["refined"] < before
    assert gain["unsafe"] > 1.5 * before


@pytest.mark.thinned(4)
@pytest.mark.parametrize("method", ["refined", "reach"])
@pytest.mark.parametrize("game", ["kuhn", "liars_dice(faces=2)"])
def test_parts_of_parts_are_safe_in_any_order(game, method):
    """A later part is solved against the strategy that has the earlier ones: excesses add up at each step."""
    form = eq.compile_game(eq.load(game), keep_tree=True)
    blueprint = eq.solve(form, "cfr", iterations=5)
    before = gains(form, blueprint.strategy)
    infosets = list(form.infosets)
    random.Random(1).shuffle(infosets)
    searcher = eq.Searcher(blueprint, method=method, game=form)
    rows = {
        (i.player, i.key): searcher.probabilities_at((i.player, i.key), i.actions) for i in infosets
    }
    played, after = searcher.strategy(), gains(form, searcher.strategy())
    for player in (0, 1):
        assert after[player] <= before[player] + excess(searcher, player) + 1e-9
        assert excess(searcher, player) < 1e-9
    assert sum(after) < sum(before) - 1e-3
    records = [(record.player, record.line) for record in searcher.log]
    assert len(records) == len(set(records)) > 2
    last = {
        (i.player, i.key): searcher.probabilities_at((i.player, i.key), i.actions) for i in infosets
    }
    assert last == {key: list(played[key].values()) for key in rows}
    assert len(searcher.log) == len(records)


@pytest.mark.slow
def test_what_was_answered_stays():
    """Parts that are solved later lie below or elsewhere, so that a strategy can be played while it is searched."""
    form = eq.compile_game(eq.load("liars_dice(faces=2)"), keep_tree=True)
    searcher = eq.Searcher(eq.solve(form, "cfr", iterations=5), game=form)
    deepest = max(form.infosets, key=lambda infoset: len(infoset.key))
    searcher.probabilities_at((deepest.player, deepest.key), deepest.actions)
    assert len(searcher.log) > 1
    assert [len(record.line) for record in searcher.log] == sorted(
        len(record.line) for record in searcher.log
    )
    rows = [(i, searcher.probabilities_at((i.player, i.key), i.actions)) for i in form.infosets]
    assert all(searcher.probabilities_at((i.player, i.key), i.actions) == row for i, row in rows)


def test_seconds_are_those_of_cfr_for_each_part():
    blueprint = eq.solve(LEDUC, "cfr", iterations=5)
    searcher = eq.Searcher(blueprint, seconds=0.02, game=LEDUC)
    searcher.probabilities_at((0, "Jcc/Q"), ("check", "bet"))
    (record,) = searcher.log
    assert (record.player, record.line, record.board, record.method) == (0, "Jcc/Q", "", "refined")
    assert record.seconds > 0
    assert record.exploitability > 1e-12  # by linear programme it is less
    assert "Solved again at Jcc/Q by refined in" in record.sentence
    assert repr(searcher) == "<Searcher on leduc: 1 part solved again>"


def test_where_nothing_can_be_solved_what_was_there_goes_on():
    game = Straddling()
    blueprint = eq.solve(game, iterations=3)
    searcher = eq.Searcher(blueprint, game=game)
    row = searcher.probabilities_at((0, "second"), ("c", "d"))
    above = eq.splice(blueprint, eq.resolve(blueprint, "forced", player=0, game=game))
    assert row == [*above[0, "second"].values()]
    forced, second = searcher.log
    assert forced.excess < 1e-9
    assert (second.line, second.exploitability, second.excess) == ("second", None, None)
    assert "lies partly in what follows on 'second'" in second.reason
    assert second.sentence.startswith("Not solved again at second: line: the infoset 'either'")


def test_where_the_player_never_comes_the_blueprint_is_played():
    bets = {(0, card): {"pass": 0.0, "bet": 1.0} for card in "JQK"}
    blueprint = eq.solve("kuhn", iterations=5).strategy
    searcher = eq.Searcher(
        eq.Strategy.from_dict({**{key: blueprint[key] for key in blueprint}, **bets}), game="kuhn"
    )
    assert searcher.probabilities_at((0, "Qpb"), ("fold", "call")) == [
        *blueprint[0, "Qpb"].values()
    ]
    assert "Player 0 never gets to 'Qpb'" in searcher.log[0].reason


# --- Spots of hold'em ---


@pytest.fixture(scope="module")
def flop():
    return eq.solve(FLOP, iterations=20, precision="float64")


@pytest.mark.slow
def test_a_river_is_solved_against_the_turn_that_was_solved_again(flop):
    """The values of the opponent's hands there are those of the whole strategy with the turn spliced."""
    searcher = eq.Searcher(flop, iterations=3)
    row = searcher.probabilities_at((0, RIVER), ("X", "A100"))
    turn, river = searcher.log
    assert (turn.line, turn.board, river.line, river.board) == (
        "X-X",
        "KdQd2d7s",
        "X-X | X-X",
        "KdQd2d7s3c",
    )
    above, below = searcher._parts._part_of_place.values()
    spliced = spliced_run(flop, above.solution)
    direct = eq.resolve(spliced, "X-X | X-X", "7s3c", player=0, iterations=3).part
    part = below.solution.part
    assert above.scale * part.weight == pytest.approx(direct.weight, rel=1e-6)
    assert above.scale * part.blueprint == pytest.approx(direct.blueprint, abs=1e-6 * above.scale)
    assert 0 < river.excess == pytest.approx(above.scale * part.excess)
    both = splice_cards(spliced.strategy, below.solution.strategy, "X-X | X-X", (0,))
    assert row == pytest.approx(list(both[0, RIVER].values()), abs=1e-6)
    form = both.form
    assert isinstance(form, CardForm)
    before, after = gains(form.unmerged(), spliced.strategy)[0], gains(form.unmerged(), both)[0]
    assert after <= before + river.excess + 1e-9


def test_boards_are_remembered_by_their_cards(flop):
    searcher = eq.Searcher(flop, iterations=10)
    first = searcher.probabilities_at((0, "QhJh KdQd2d7s X-X |"), ("X", "A100"))
    assert searcher.probabilities_at((0, "QhJh Qd2dKd7s X-X |"), ("X", "A100")) == first
    assert len(searcher.log) == 1
    searcher.probabilities_at((0, "QhJh KdQd2d8s X-X |"), ("X", "A100"))
    searcher.probabilities_at((1, "KsKh KdQd2d7s X-X | X"), ("X", "A100"))
    assert [(record.player, record.board[-2:]) for record in searcher.log] == [
        (0, "7s"),
        (0, "8s"),
        (1, "7s"),
    ]
    root = searcher.probabilities_at((0, "QhJh KdQd2d"), ("X", "A100"))
    assert root == pytest.approx(list(flop.strategy[0, "QhJh KdQd2d"].values()))
    with pytest.raises(eq.SolutionError, match="too many boards"):
        searcher.strategy()
    with pytest.raises(eq.SolutionError, match="Player 0 has no infoset '2c2s KdQd2d'"):
        searcher.probabilities_at((0, "2c2s KdQd2d"), ("X", "A100"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: eq.Searcher(eq.solve("kuhn", iterations=1), method="best"),
            "method must be one of 'refined'",
        ),
        (
            lambda: eq.Searcher(eq.solve("kuhn", iterations=1), every="card"),
            "every must be 'street' or 'decision'",
        ),
        (
            lambda: eq.Searcher(eq.solve("kuhn", iterations=1), every="street"),
            "use every='decision'",
        ),
        (lambda: eq.Searcher({}), "the rules are needed beside a strategy"),
        (lambda: eq.Searcher(eq.solve(FLOP, iterations=1), every="decision"), "leave every out"),
        (lambda: eq.Searcher(eq.solve(RIVER_SPOT, iterations=1)), "is a single street"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(eq.GameError, match=message):
        make()


RIVER_SPOT = "holdem(board='KdQd2d7s3c', oop='AA,QJs', ip='KK,JTs', pot=100, stack=100, bets='a')"


def test_an_infoset_of_another_game():
    with pytest.raises(eq.SolutionError, match="Player 1 has no infoset 'Qcc/K' in kuhn"):
        eq.Searcher(eq.solve("kuhn", iterations=1)).probabilities_at((1, "Qcc/K"), ("check", "bet"))


@pytest.mark.slow
def test_a_searcher_on_a_turn_is_certified():
    """All rivers are solved again; the strategy plays what the searcher says, and each excess counts once a copy."""
    turn = (
        "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=200, bets='50%, a; a')"
    )
    blueprint = eq.solve(turn, "cfr", iterations=5)
    searcher = eq.Searcher(blueprint, iterations=100)
    strategy = searcher.strategy()
    form = blueprint.strategy.form
    rivers = form.boards.streets[1]
    lines = {node.line.rpartition("|")[0].strip() for node in form.betting.streets[1].decisions}
    assert len(searcher.log) == 2 * len(rivers) * len(lines)
    copies = {
        "".join(eq.load(turn).cards[card] for card in board.cards): len(board.copies)
        for board in rivers
    }
    allowed = sum(copies[record.board] * (record.excess or 0.0) for record in searcher.log)
    after = eq.evaluate(form, strategy).nash_conv
    assert after <= blueprint.nash_conv + allowed + 1e-6
    assert after < 0.9 * blueprint.nash_conv
    key = (0, "QhJh KdQd2d7d3c X-X |")
    assert strategy[key] == pytest.approx(
        dict(zip(strategy[key], searcher.probabilities_at(key, ()), strict=True))
    )
