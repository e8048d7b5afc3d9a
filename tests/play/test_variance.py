"""AIVAT: the same mean and less variance, over all hands that can happen; and in hands that are drawn."""

import math

import numpy as np
import pytest

import equilibrist as eq
import equilibrist.play.variance as variance_module
from equilibrist.form.limits import CompileBudget
from equilibrist.game.action_names import find_action
from equilibrist.game.protocol import CHANCE, TERMINAL, action_label
from equilibrist.games.compile import compile_any
from equilibrist.play.hand import Move
from equilibrist.play.opponents import make_opponent
from equilibrist.play.playable import compile_playable
from equilibrist.play.session import Session
from equilibrist.play.variance import Luck
from support.random_games import RandomGame, random_strategy

# The equilibrium of Kuhn poker with α = 1/6.
KUHN = {
    **{"J": {"p": 5 / 6, "b": 1 / 6}, "Q": {"p": 1}, "K": {"p": 1 / 2, "b": 1 / 2}},
    **{"Jpb": {"f": 1}, "Qpb": {"f": 1 / 2, "c": 1 / 2}, "Kpb": {"c": 1}},
    **{"Jp": {"p": 2 / 3, "b": 1 / 3}, "Qp": {"p": 1}, "Kp": {"b": 1}},
    **{"Jb": {"f": 1}, "Qb": {"f": 2 / 3, "c": 1 / 3}, "Kb": {"c": 1}},
}


TURN = "holdem(board='KdQd2d7d', oop='AsAh,QsJs', ip='KsKh,JdTd', pot=100, stack=100, bets='a; a')"
SPOT = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh,JsJh', pot=20, stack=10)"


def every_hand(game, played):
    """Iterate over all plays as (probability, moves, payoffs); ``played(player)`` has {infoset: {action: p}}."""

    def walk(state, chance, moves):
        player = game.player(state)
        if player == TERMINAL:
            yield chance, moves, np.array(game.payoffs(state), float)
            return
        actions = list(game.actions(state))
        labels = tuple(action_label(game, state, action) for action in actions)
        if player == CHANCE:
            odds, key = list(game.probabilities(state)), ""
        else:
            key = str(game.infoset(state))
            odds = played(player).probabilities_at((player, key), labels, "") or [
                1 / len(actions)
            ] * len(actions)
        for number, action in enumerate(actions):
            move = Move(player, key, labels, number, tuple(odds))
            yield from walk(game.next(state, action), chance * odds[number], (*moves, move))

    yield from walk(game.start(), 1.0, ())


def enumerated(game, strategy, against, aivat, *, baseline=None):
    """Return the mean and the variance of a hand of player 0, raw and by AIVAT, over all hands that can happen."""
    playable = compile_playable(game, CompileBudget(), None)
    first = make_opponent(strategy, playable, missing="uniform")
    other = make_opponent(against, playable, missing="uniform")
    luck = Luck.of_match(aivat, playable, first, other, 0)
    if baseline is not None:
        luck = Luck(
            luck.tree,
            np.random.default_rng(baseline).normal(0, 3, luck.baseline.shape),
            luck.is_known,
        )
    plays = list(every_hand(playable.rules, lambda player: other if player else first))
    chance = np.array([play[0] for play in plays])
    columns = (
        [payoffs[0] for _, _, payoffs in plays],
        [p[0] + luck.of_hand(moves)[0] for _, moves, p in plays],
    )
    assert math.fsum(chance) == pytest.approx(1, abs=1e-12)
    means = [float(chance @ column) for column in columns]
    return means, [
        float(chance @ (np.array(c) - mean) ** 2) for mean, c in zip(means, columns, strict=True)
    ]


SIDES = [(), ("strategy",), ("strategy", "against")]


@pytest.mark.parametrize(
    ("strategy", "raw", "reduced"),
    [
        ({}, 2.109375, (1.109375, 0.65625, 0)),
        (KUHN, 1.608024691358, (0.324074074074, 0.101851851852, 0)),
    ],
)
def test_variances_of_kuhn_poker(strategy, raw, reduced):
    for sides, expected in zip(SIDES, reduced, strict=True):
        means, variances = enumerated("kuhn", strategy, strategy, eq.AIVAT(sides))
        assert variances == pytest.approx((raw, expected), abs=1e-9)
        assert means[1] == pytest.approx(means[0], abs=1e-12)
        assert means[0] == pytest.approx(1 / 8 if strategy == {} else -1 / 18, abs=1e-12)


GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc(ranks=2)",
    "liars_dice(faces=2)",
    RandomGame(3, zero_sum=False, ties=False),
]


@pytest.mark.thinned(20)
@pytest.mark.parametrize("sides", [*SIDES, ("against",)], ids=str)
@pytest.mark.parametrize("spec", GAMES, ids=str)
def test_no_baseline_makes_it_biased(spec, sides):
    game = eq.load(spec)
    one, other = (random_strategy(eq.compile_game(game).infosets, seed) for seed in (1, 2))
    for more in (
        {"aivat": eq.AIVAT(sides), "baseline": 5},
        {"aivat": eq.AIVAT(sides, baseline=other)},
    ):
        means, _ = enumerated(game, one, other, **more)
        assert means[1] == pytest.approx(means[0], abs=1e-10)
    exact = [
        enumerated(game, one, other, eq.AIVAT(each))[1][1]
        for each in ((), sides, ("strategy", "against"))
    ]
    assert exact[0] + 1e-12 >= exact[1] >= exact[2] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("spec", GAMES, ids=str)
def test_leaves_and_hands_are_corrected_alike(spec):
    """A match draws ends of the tree all at once: their luck is that of the hands that lead there."""
    playable = compile_playable(spec, CompileBudget(), None)
    played = {
        player: random_strategy(playable.form.infosets, player)
        for player in range(playable.players)
    }
    first = make_opponent(played[0], playable, missing=None)
    tree = playable.form.tree
    for seat in range(playable.players):
        for sides in (*SIDES, ("against",)):
            luck = Luck.of_match(eq.AIVAT(sides), playable, first, first, seat)
            plays = list(every_hand(playable.rules, lambda player: first))
            moves = np.ones(tree.histories)
            for _, hand, _ in plays:
                history = 0
                for move in hand:
                    history = int(tree.first_child[history]) + move.taken
                    moves[history] = move.probabilities[move.taken]
            of_leaves = sorted(map(tuple, luck.of_leaves(moves).round(9).tolist()))
            assert of_leaves == sorted(
                tuple(luck.of_hand(hand).round(9).tolist()) for _, hand, _ in plays
            )


@pytest.mark.parametrize("spec", ["leduc", "kuhn(players=3)"])
def test_matches_that_are_drawn(spec):
    one, other = (random_strategy(eq.compile_game(eq.load(spec)).infosets, seed) for seed in (1, 2))
    match = eq.play_match(
        spec, one, against=other, hands=30_000, seed=4, variance=eq.AIVAT(sides="against")
    )
    raw = eq.play_match(spec, one, against=other, hands=30_000, seed=4)
    for payoff in (*match.seats.values(), match.overall):
        assert abs(payoff.aivat.mean - payoff.exact) < 4 * payoff.aivat.standard_error
        assert payoff.worth == pytest.approx(
            payoff.hands * (payoff.standard_error / payoff.aivat.standard_error) ** 2
        )
        assert payoff.worth > 1.5 * payoff.hands
    assert match.overall._replace(aivat=None) == raw.overall
    told = match.summary()
    assert told["aivat"]["mean"] == match.overall.aivat.mean
    assert told["seats"][0]["worth"] == match.seats[0].worth
    everything = eq.play_match(
        spec, one, against=other, hands=1_000, seed=4, variance="aivat"
    ).overall
    assert everything.aivat.mean == pytest.approx(everything.exact, abs=1e-9)
    assert (everything.aivat.standard_error, everything.worth) == (pytest.approx(0, abs=1e-9), None)


@pytest.mark.slow
def test_by_the_rules_as_by_the_tree():
    """A spot is played hand by hand, with the values of its histories written out."""
    one, other = (eq.solve(SPOT, iterations=count) for count in (1, 300))
    chance, known = (
        eq.play_match(
            SPOT, one, against=other, hands=400, seed=2, variance=eq.AIVAT(sides, baseline=other)
        ).overall
        for sides in ((), ("strategy", "against"))
    )
    assert known.aivat.standard_error < chance.aivat.standard_error < chance.standard_error
    assert abs(known.aivat.mean - known.exact) < 4 * known.aivat.standard_error
    everything = eq.play_match(SPOT, one, against=other, hands=20, seed=2, variance="aivat").overall
    assert everything.aivat.mean == pytest.approx(
        everything.exact, abs=1e-5
    )  # tables of a spot are float32


def drawn(waiting):
    """Return what draws the outcomes that come next, and the list of their odds; what else may happen waits."""
    prefix, taken, chances = waiting.pop(), [], []

    def draw(odds):
        possible = [number for number, odd in enumerate(odds) if odd > 0]
        if len(taken) >= len(prefix):
            waiting.extend((*taken, other) for other in possible[1:])
        taken.append(prefix[len(taken)] if len(taken) < len(prefix) else possible[0])
        chances.append(odds[taken[-1]])
        return taken[-1]

    return draw, chances


def test_sessions_of_a_person():
    """Chance and the other player are known, the person is not: the mean over all hands stays, seat by seat."""

    def choose(turn):
        return len(turn.infoset) % len(turn.actions)

    for seat in (0, 1):
        session = Session("kuhn", against=KUHN, seat=seat, seed=1, variance="aivat")
        hands, waiting = [], [()]

        while waiting:
            draw, chances = drawn(waiting)
            hand = session.play(choose, draw=draw)
            hands.append((math.prod(chances), hand.payoff, hand.aivat))
        chance, payoff, aivat = np.array(hands).T
        assert chance.sum() == pytest.approx(1, abs=1e-12)
        assert chance @ aivat == pytest.approx(chance @ payoff, abs=1e-12)
        assert chance @ aivat**2 < chance @ payoff**2 / 2
        assert session.hands[-1].summary()["aivat"] == session.hands[-1].aivat
        assert "aivat" in session.totals()


def test_sessions_that_begin_at_an_infoset():
    session = Session(
        "leduc",
        seat=0,
        seed=3,
        line="K?r",
        variance=eq.AIVAT(sides="against"),
        against=eq.exact("leduc"),
    )
    for _ in range(200):
        session.play(lambda turn: find_action("c", turn.actions))
    totals = session.totals()
    assert abs(totals["aivat"].mean - totals["payoff"].mean) < 4 * totals["payoff"].error
    assert totals["aivat"].error < totals["payoff"].error
    assert "aivat" not in Session("kuhn", against=KUHN, seed=1).totals()


def test_refused(monkeypatch):
    for variance in (
        "avait",
        "aivat(of=1)",
        "aivat(sides=5)",
        "aivat(sides=[[1]])",
        "aivat(sides='chance')",
        "aivat(sides=[1])",
    ):
        with pytest.raises(eq.AlgorithmError, match="got"):
            eq.play_match("kuhn", KUHN, against=KUHN, variance=variance)
    with pytest.raises(
        eq.GameError,
        match=r"AIVAT needs the value of each history of kuhn, which is played without",
    ):
        eq.play_match(
            "kuhn",
            {},
            against={},
            missing="uniform",
            limits=eq.Limits(histories=20),
            variance="aivat",
        )
    monkeypatch.setattr(variance_module, "MOST_VALUED", 10)
    public = compile_any("kuhn", form="public")
    with pytest.raises(eq.GameError, match=r"which cannot be written out with up to 10 histories"):
        Session("kuhn", against=KUHN, form=public, variance="aivat")
    searching = eq.Searcher(eq.solve(TURN, iterations=1), iterations=1, precision="float64")
    with pytest.raises(
        eq.GameError, match=r"AIVAT needs a baseline where all players of holdem.* search"
    ):
        Session(TURN, against=searching, variance="aivat")
    raked = eq.solve(f"{TURN[:-1]}, rake=0.05)", iterations=1)
    with pytest.raises(
        eq.GameError,
        match=r"AIVAT needs payoffs that sum to a constant.*has a rake or prizes: leave them out",
    ):
        eq.play_match(f"{TURN[:-1]}, rake=0.05)", raked, against=raked, hands=1, variance="aivat")


def test_a_spot_too_large_to_be_written_out_has_the_same_luck(monkeypatch):
    """Pair by pair of hands as by the tree, also after a line that the baseline nearly never takes."""
    first, second = (eq.solve(TURN, iterations=iterations) for iterations in (5, 40))

    def luck(variance):
        match = eq.play_match(TURN, first, against=second, hands=40, seed=1, variance=variance)
        numbers = [match.overall.aivat.mean, match.overall.aivat.standard_error]
        for seat, line, choices in (
            (0, None, (0, -1)),
            (1, None, (0, -1)),
            (0, "X-A100", (1,)),
            (1, "X", (0, -1)),
        ):
            session = Session(TURN, against=second, seat=seat, seed=3, line=line, variance=variance)
            for choice in choices:
                numbers += [
                    session.play(lambda turn, c=choice: c % len(turn.actions)).aivat
                    for _ in range(4)
                ]
        return numbers

    for sides in ("aivat", "aivat(sides='against')"):
        monkeypatch.setattr(variance_module, "MOST_VALUED", 1_000_000)
        by_tree = luck(sides)
        monkeypatch.setattr(variance_module, "MOST_VALUED", 10)
        assert luck(sides) == pytest.approx(by_tree, abs=1e-9)


@pytest.mark.slow
def test_a_match_with_somebody_who_searches_has_little_luck_left(monkeypatch):
    """The other plays the baseline, so that decisions before the first part tell nothing."""
    monkeypatch.setattr(variance_module, "MOST_VALUED", 10)
    turn = TURN.replace("QsJs", "QJs").replace("JdTd", "JTs")
    blueprint = eq.solve(turn, iterations=5)
    searcher = eq.Searcher(blueprint, iterations=20, precision="float64")
    payoff = eq.play_match(
        turn, blueprint, against=searcher, hands=40, seed=1, variance="aivat"
    ).overall
    assert payoff.aivat.standard_error < payoff.standard_error / 3
    assert abs(payoff.aivat.mean - 50) < 10
