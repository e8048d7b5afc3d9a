"""Buckets of hands: equities by brute force, distances by SciPy, one map for all forms of a game."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

import equilibrist as eq
from equilibrist.poker.buckets import street_tables
from equilibrist.poker.buckets.features import (
    BINS,
    describe_by_buckets,
    describe_by_histogram,
    make_features,
)
from equilibrist.poker.buckets.outcomes import Outcomes, Side, find_outcomes
from equilibrist.poker.cards.cards import CARDS

RIVER = (
    "holdem(board='Td9d6hQc2s', oop='AA,QTs,98s,65s,A5s', ip='KK,QJs,T9s,A5s,76s', pot=100, "
    "stack=200, bets='100%')"
)
TURN = RIVER.replace("2s'", "'")
ISLAND = "rhode_island(ranks=3, suits=2, raises=1)"


def random_side(source, boards, hands, held, deck):
    """Return random hands on random boards of three cards, with strengths that often are equal."""
    all_hands = list(combinations(range(deck), held))
    chosen = source.permutation(len(all_hands))[:hands]
    cards = np.array([all_hands[number] for number in chosen])
    blocked = (cards[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
    return Side(cards, source.integers(0, 4, blocked.shape), blocked)


@pytest.mark.parametrize("held", [1, 2])
def test_outcomes_are_those_of_all_pairs_of_hands(held):
    """By a loop over pairs: hands that share a card with each other or the board do not meet."""
    source = np.random.default_rng(held)
    deck = 8
    boards = np.array([source.permutation(deck)[:3] for _ in range(4)])
    hands, others = (random_side(source, boards, 8 if held == 1 else 15, held, deck) for _ in "12")
    weights = source.random(len(others.cards))
    equity, weight = find_outcomes(hands, others, weights, deck)
    for board in range(len(boards)):
        for hand, cards in enumerate(hands.cards.tolist()):
            won = mass = 0.0
            for other, other_cards in enumerate(others.cards.tolist()):
                if hands.blocked[board, hand] or others.blocked[board, other]:
                    continue
                if set(cards) & set(other_cards):
                    continue
                own, theirs = hands.strength[board, hand], others.strength[board, other]
                mass += weights[other]
                won += weights[other] * ((own > theirs) + (own == theirs) / 2)
            assert weight[board, hand] == pytest.approx(mass, abs=1e-12)
            assert equity[board, hand] == pytest.approx(won / mass if mass else 0.5, abs=1e-9)


@pytest.mark.parametrize("spot", [RIVER, TURN])
def test_equities_are_those_of_the_spot(spot):
    """As ``equity`` tells them, which the tests of spots hold against brute force."""
    buckets = eq.Buckets(features="equity").bind_game(spot)
    game = eq.load(spot)
    board = game.settings["board"]
    known = eq.poker.equity(board, *game.ranges)
    features = make_features("equity")
    for player in range(2):
        equities = features.describe([buckets._against_range[player]])[:, 0]
        assert np.allclose(equities, known.equity[player], atol=1e-12)


def test_the_distance_of_histograms_is_the_earth_movers():
    """Equities in the middle of bins of which no two distributions share one are told exactly."""
    source = np.random.default_rng(0)
    places = (source.permutation(BINS).reshape(2, -1)[:, :6] + 0.5) / BINS
    weights = source.random((6, 2))
    points = describe_by_histogram([Outcomes(places.T.copy(), weights)])
    assert points.shape == (2, BINS)
    told = np.abs(points[0] - points[1]).sum()
    known = wasserstein_distance(places[0], places[1], weights[:, 0], weights[:, 1])
    assert told == pytest.approx(known, abs=1 / BINS)
    single = describe_by_histogram([Outcomes(np.array([[0.123, 0.777]]), np.ones((1, 2)))])
    assert np.abs(single[0] - single[1]).sum() == pytest.approx(0.654, abs=1e-12)
    surest = describe_by_histogram([Outcomes(np.array([[0.0, 1.0]]), np.ones((1, 2)))])
    assert np.abs(surest[0] - surest[1]).sum() == pytest.approx(1.0, abs=1e-12)


def test_the_distance_of_buckets_is_the_earth_movers_between_their_equities():
    """Of five buckets no hand comes to the last one."""
    source = np.random.default_rng(1)
    position = np.sort(source.random(5))
    bucket = source.integers(0, 4, (7, 2))
    weight = source.random((7, 2))
    points = describe_by_buckets(bucket, weight, position)
    known = wasserstein_distance(
        position[bucket[:, 0]], position[bucket[:, 1]], weight[:, 0], weight[:, 1]
    )
    assert np.abs(points[0] - points[1]).sum() == pytest.approx(known, abs=1e-12)


# --- maps of games ---


def solve_in(form, buckets, **options):
    return eq.solve(eq.abstract(form, buckets), "cfr", iterations=10, **options)


@pytest.mark.parametrize("features", ["equity", "potential"])
def test_all_forms_have_the_same_buckets(features):
    """Boards that differ by suits are one in the card form, and several in the sequence form."""
    buckets = eq.Buckets(preflop=2, flop=3, turn=4, features=features)
    rules = eq.load(ISLAND)
    runs = [
        solve_in(eq.compile_game(rules, form=form), buckets)
        for form in ("sequence", "public", "cards")
    ]
    exploitabilities = [run.exploitability for run in runs]
    assert exploitabilities == pytest.approx([exploitabilities[0]] * 3, abs=1e-12)
    assert len({run.config.abstraction.buckets for run in runs}) == 1


def test_a_walk_has_the_buckets_of_the_stored_game():
    buckets = eq.Buckets(preflop=2, flop=3, turn=4)
    rules = eq.load(ISLAND)
    walked = eq.compile_game(rules, form="walk")
    known = solve_in(eq.compile_game(rules, form="cards"), buckets)
    assert solve_in(walked, buckets).exploitability == pytest.approx(known.exploitability)


@pytest.mark.slow
def test_samples_are_drawn_with_buckets():
    form = eq.compile_game(eq.load(ISLAND), form="sequence", keep_tree=True)
    game = eq.abstract(form, eq.Buckets(preflop=2, flop=3, turn=4))
    run = eq.solve(game, "cfr", sampling="external(average='opponent')", iterations=50, seed=1)
    assert run.config.abstraction.buckets == 188
    assert run.exploitability > 0


def test_enough_buckets_leave_nothing_out_but_hands_of_one_equity():
    """On a river every equity has a bucket, and hands of a bucket have one equity."""
    bound = eq.Buckets(river=1000, features="equity").bind_game(RIVER)
    for player in range(2):
        of_player = bound.buckets(player, 0)
        equity = bound._against_range[player].equity[0]
        position = of_player.clustering.position
        assert np.allclose(position[of_player.bucket[0]], equity, atol=1e-6)
        assert (np.diff(position) > 0).all()


def test_buckets_are_the_same_bits_for_a_seed_and_others_for_another():
    def labels(seed):
        bound = eq.Buckets(turn=5, river=6, seed=seed).bind_game(TURN)
        return bound.buckets(0, 1).bucket

    assert np.array_equal(labels(3), labels(3))
    assert not np.array_equal(labels(3), labels(4))


def test_a_function_tells_hands_apart():
    def chance_to_win(equity, weight):
        return ((equity > 0.5) * weight).sum(axis=0)[:, None] / weight.sum(axis=0)[:, None]

    bound = eq.Buckets(turn=4, features=chance_to_win).bind_game(TURN)
    assert bound.buckets(0, 0).clustering.count == 4
    assert "features='chance_to_win'" in str(eq.Buckets(features=chance_to_win))
    wrong = eq.Buckets(features=lambda equity, weight: equity).bind_game(TURN)
    with pytest.raises(eq.GameError, match="a row for each hand; got an array of shape"):
        wrong.buckets(0, 0)


def test_a_saved_run_knows_its_buckets(tmp_path):
    run = eq.solve(eq.abstract(RIVER, eq.Buckets(river=3)), iterations=10, save=tmp_path / "run")
    loaded = eq.load_solution(tmp_path / "run")
    assert loaded.config.abstraction.digest == run.config.abstraction.digest
    assert str(loaded.config.abstraction).startswith("Buckets(preflop=169, flop=200, turn=200, r")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: eq.Buckets(flop=0), "flop must be a number of buckets, 1 to 65536; got 0"),
        (
            lambda: eq.Buckets(features="equty"),
            "There is no kind of features 'equty'. Did you mean",
        ),
        (lambda: eq.abstract("matching_pennies", eq.Buckets()), "Buckets are for games of cards"),
        (lambda: eq.Buckets().assign("rivers", [[1, 2]]), "street must be one of 'preflop', 'flop"),
        (lambda: eq.Buckets().assign("flop", [[1, 2]]), "a row of 5 cards"),
        (
            lambda: eq.solve(eq.abstract("leduc", eq.Buckets())),
            "does not begin with the name of a hand, such as 'Js'",
        ),
    ],
)
def test_what_buckets_cannot_do_is_said(call, sentence):
    with pytest.raises(eq.EquilibristError, match=sentence):
        call()


# --- whole streets ---


def test_before_the_flop_each_hand_is_a_bucket_in_the_order_of_equities(tmp_path, monkeypatch):
    """Whether the table is made, or read from where it is kept: not from the user's cache, which outlives the code."""
    monkeypatch.setattr("equilibrist.poker.buckets.buckets.cache_folder", lambda: tmp_path)
    aces, kings, seven_two = [[51, 50], [47, 46], [20, 1]]
    for _ in range(2):
        buckets = eq.Buckets()
        assert buckets.count("preflop") == 169
        assert buckets.assign("preflop", [aces, kings, seven_two]).tolist()[:2] == [168, 167]
        assert buckets.assign("preflop", [seven_two])[0] < 20
    (kept,) = (tmp_path / "buckets").iterdir()
    assert kept.name.startswith("preflop-")


def test_boards_stand_for_all_boards():
    for public, count in ((3, 22_100), (4, 270_725)):
        assert street_tables.list_boards(public).copies.sum() == count


@pytest.mark.slow
def test_a_flop_is_described_as_a_spot_of_all_hands_is(monkeypatch):
    """The equity of all hands on a flop: against any hand, over all run-outs."""
    describer = street_tables.Describer(1, make_features("equity"), None, 0)
    board = street_tables.list_boards(3).cards[1234]
    [(hands, points, equity)] = describer.describe(board[None])
    names = "".join(CARDS[card] for card in board)
    everything = np.ones(1326)
    known = eq.poker.equity(names, everything, everything)
    assert np.allclose(equity, known.equity[0], atol=1e-12)
    assert np.allclose(points[:, 0], equity, atol=1e-6)
    assert len(hands) == 1176


@pytest.fixture
def few_boards(monkeypatch):
    """Two boards of each street, in the place of all of them."""
    all_boards = street_tables.list_boards

    def list_few(public):
        boards = all_boards(public)
        if public == 0:
            return boards
        return street_tables.Boards(boards.cards[100:102], boards.copies[100:102])

    monkeypatch.setattr(street_tables, "list_boards", list_few)
    return list_few


def build(street, features, following=None, count=6):
    return street_tables.build_table(
        street,
        count=count,
        features=make_features(features),
        following=following,
        seed=0,
        say=lambda text: None,
    )


@pytest.mark.slow
@pytest.mark.parametrize("sampled", [False, True])
def test_a_river_is_given_buckets_in_the_order_of_equities(few_boards, monkeypatch, sampled):
    """Whether clusters are found on all boards or on a sample: here on one of two."""
    if sampled:
        monkeypatch.setattr(street_tables, "MOST_FITTED", 1100)
    table = build(3, "equity")
    assert len(table.position) == 6
    assert (np.diff(table.position) > 0).all()
    everything = np.ones(1326)
    for board in few_boards(5).cards:
        known = eq.poker.equity("".join(CARDS[card] for card in board), everything, everything)
        hands = np.array([[*map(CARDS.index, (name[2:], name[:2]))] for name in known.hands[0]])
        whole = np.hstack([hands, np.broadcast_to(board, (len(hands), 5))])
        bucket = table.bucket[street_tables.street_indexer(3).index(whole)]
        order = np.argsort(known.equity[0], kind="stable")
        assert (np.diff(bucket[order].astype(int)) >= 0).all()


@pytest.mark.slow
def test_each_kind_of_features_makes_tables_of_streets(few_boards):
    river = build(3, "ochs")
    assert 1 < len(river.position) <= 6
    turn = build(2, "potential", following=river)
    flop = build(1, "potential", following=turn)
    preflop = build(0, "potential", following=flop)
    of_histograms = build(0, "histogram")
    assert build(1, "histogram").bucket.max() == 5
    for table in (river, turn, flop, preflop, of_histograms):
        assert int(table.bucket.max()) == len(table.position) - 1
        assert (np.diff(table.position) >= 0).all()


@pytest.mark.slow
def test_tables_are_kept_and_read_again(few_boards, monkeypatch, tmp_path):
    monkeypatch.setenv("EQUILIBRIST_CACHE", str(tmp_path))
    messages = []
    buckets = eq.Buckets(turn=4, river=5, features="equity", seed=7)
    buckets._table(2, messages.append)
    assert any("turn" in message for message in messages)
    [path] = (tmp_path / "buckets").iterdir()
    again = eq.Buckets(turn=4, river=5, features="equity", seed=7)
    monkeypatch.setattr("equilibrist.poker.buckets.buckets.build_table", None)
    assert np.array_equal(again.table("turn"), buckets.table("turn"))
    assert again.count("turn") == 4
    path.write_bytes(b"broken")
    with pytest.raises(TypeError):  # it is made again
        eq.Buckets(turn=4, river=5, features="equity", seed=7).count("turn")
