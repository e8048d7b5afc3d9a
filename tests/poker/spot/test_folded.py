"""Spots in which others folded before: against three ranges, histories written out, and another program's EVs."""

import itertools
import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import equilibrist as eq
from equilibrist.cli.arguments import make_app
from equilibrist.errors import GameError
from equilibrist.form.ranges import folded_terms
from equilibrist.form.ranges.folded_terms import FoldedTerms
from equilibrist.poker.cards.cards import HAND_NAMES, HANDS, parse_cards
from equilibrist.poker.cards.hand_ranks import DECKS
from equilibrist.poker.cards.ranges import Range
from equilibrist.poker.spot.settings import fold_hands

OOP = "AhKh,AsQs,9s9d,8c7c:0.5,JsTs"
IP = "KsKd,AcJc,9h8h,7s7d,QhJh:0.7"
FOLDED = ["A9o,AJs,KJ,TT:0.5", "TT:0.5,87s,Q9"]
TURN = {"board": "Th9c6d8s", "oop": OOP, "ip": IP, "pot": 10, "stack": 15, "bets": "60%; a"}
RIVER = {**TURN, "board": "Th9c6d8s2c"}
SHORT_TURN = {**TURN, "deck": "short"}
SHORT_RIVER = {**SHORT_TURN, "board": "Th9c6d8s6c", "rake": 0.05}

# EVs of OOP and IP with no folder, one, two and three: postflop-solver, the engine of desktop-postflop, whose
# exploitability was at most 0.0005 % of the pot.
PEER = {
    "board": "QsJh2h7c3d",
    "oop": "AA,KK,QQ,JJ,TT,99,AKs,AQs,AKo,KQs,QJs,JTs,T9s",
    "ip": "AA,KK,QQ,JJ,TT,99,AKs,AQs,AKo,KQs,QJs,JTs,T9s",
    "pot": 100,
    "stack": 200,
    "bets": "50%; 60%",
}
PEER_FOLDED = [
    "22,33,44,55,A2s,A3s,A4s,A5s,AJo,ATo,A9o,KJo",
    "66-22,A9s-A2s,KTo",
    "88-22,A8s-A2s,QTo,T8s,97s,86s",
]
PEER_VALUES = [
    (47.26703, 52.73297),
    (47.291782, 52.708218),
    (47.30296, 52.69704),
    (47.33877, 52.66123),
]


def make(settings, **more):
    return eq.poker.Holdem(**settings, **more)


def uniform_value(game, form):
    """Return the values and the exploitability of the uniform strategy."""
    solution = eq.solve(game, "cfr", iterations=1, form=form, precision="float64")
    return [*solution.value, solution.exploitability]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SHORT_RIVER, id="river"),
        pytest.param(SHORT_TURN, id="turn", marks=pytest.mark.slow),
    ],
)
def test_cards_pay_what_written_out_histories_pay(settings):
    game = make(settings, folded=FOLDED)
    assert uniform_value(game, "cards") == pytest.approx(uniform_value(game, "sequence"), abs=1e-12)


@pytest.mark.parametrize(
    "settings",
    [pytest.param(RIVER, id="river"), pytest.param(TURN, id="turn", marks=pytest.mark.slow)],
)
def test_a_third_player_who_always_folds_is_a_folded_hand(settings):
    stakes = {"pot": 10, "bets": "50%; 60%", "board": settings["board"]}
    two = eq.poker.Holdem(**stakes, oop=OOP, ip=IP, stack=40, folded=FOLDED[:1], remove_lines=["X"])
    # OOP bets, and the next player can only fold.
    three = eq.poker.Holdem(
        **stakes,
        ranges=[OOP, FOLDED[0], IP],
        stacks=40,
        remove_lines=["X", "B5-C", "B5-R17"],
    )
    of_two = eq.solve(two, "cfr", iterations=10, precision="float64")
    of_three = eq.solve(three, "cfr", iterations=10)
    first, folder, second = of_three.value
    assert folder == 0.0
    assert (first, second) == pytest.approx(of_two.value, abs=1e-12)
    gains = of_three.deviation_gains
    assert (gains[0], gains[2]) == pytest.approx(of_two.deviation_gains, abs=1e-12)


def test_a_weak_player_without_chips_is_a_folded_hand():
    # Who has no chips left decides nothing, and these hands win no pot.
    weak_hands = "As3s,Ac3h,Kh4h,Js3s:0.5"
    ranges = {"oop": OOP, "ip": IP}
    stakes = {"board": RIVER["board"], "pot": 10, "bets": "60%; a"}
    two = eq.poker.Holdem(**stakes, **ranges, stack=15, folded=[weak_hands])
    three = eq.poker.Holdem(**stakes, ranges=[OOP, IP, weak_hands], stacks=[15, 15, 0])
    of_two = eq.solve(two, "cfr", iterations=10, precision="float64")
    of_three = eq.solve(three, "cfr", iterations=10)
    assert of_three.value[:2] == pytest.approx(of_two.value, abs=1e-12)
    assert of_three.value[2] == pytest.approx(0.0, abs=1e-12)


THREE = [OOP, IP, "QcQd,AdTd,JhTd:0.3,KcQh,8d7d"]
OF_THREE = {"ranges": THREE, "pot": 10, "stacks": [15, 10, 15], "bets": "60%", "max_raises": 0}
MANY = "22+,A2+,K2+"
FEW = ["AJs,KJo:0.4", "A8s"]


def list_range(text, board):
    """Return the hands of a range: the cards of each, and its weight."""
    weights = Range(text, board=parse_cards(board)).weights
    return [(set(HANDS[hand].tolist()), weights[hand]) for hand in np.flatnonzero(weights)]


def list_apart(ranges):
    """Yield the deals of a hand of each range that share no card: the hands, their cards, the product of weights."""
    for hands in itertools.product(*ranges):
        cards = set().union(*(held for held, _ in hands))
        if len(cards) == 2 * len(hands):
            yield hands, cards, math.prod(weight for _, weight in hands)


@pytest.mark.parametrize(
    ("folded", "is_listed"), [([MANY], False), (FEW[:1], True), (FEW, True)], ids=str
)
def test_equities_of_three_are_sums_over_all_deals_of_the_folded_hands(folded, is_listed):
    game = eq.poker.Holdem(RIVER["board"], **{**OF_THREE, "bets": ""}, folded=folded)
    assert game.folded.is_exact
    assert game.folded.is_listed == is_listed
    ranges = [list_range(text, RIVER["board"]) for text in THREE]
    of_folded = [
        (cards, weight)
        for _, cards, weight in list_apart([list_range(text, RIVER["board"]) for text in folded])
    ]
    strength = eq.poker.Holdem(
        RIVER["board"], ranges=["AA,22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+"] * 3, pot=1, stacks=1
    )
    number = {frozenset(HANDS[hand].tolist()): hand for hand in range(len(HAND_NAMES))}
    place = {hand: k for k, hand in enumerate(strength.hands.tolist())}
    strengths = strength.strengths(np.array([parse_cards(RIVER["board"])]))[0]
    total = 0.0
    shares = np.zeros(3)
    for hands, cards, weight in list_apart(ranges):
        left = sum(share for held, share in of_folded if not held & cards)
        made = np.array([strengths[place[number[frozenset(held)]]] for held, _ in hands])
        best = made == made.max()
        shares += weight * left * best / best.sum()
        total += weight * left
    solution = eq.solve(game, "cfr", iterations=1, form="auto")
    assert solution.value == pytest.approx(10 * shares / total, abs=1e-12)  # nobody bets
    node = eq.poker.SolvedSpot(solution).node()
    assert node.equities == pytest.approx(shares / total, abs=1e-12)
    assert "all of whose deals are counted" in node.folded
    everything = sum(share for _, share in of_folded)
    assert eq.compile_game(game, form="auto").total == pytest.approx(total / everything, rel=1e-12)


@pytest.mark.parametrize("folded", [[MANY], FEW[:1], FEW], ids=str)
@pytest.mark.parametrize("river", ["", "2c"])
def test_terms_sum_up_to_the_weight_of_three_hands(folded, river):
    game = eq.poker.Holdem(TURN["board"], **OF_THREE, folded=folded)
    dealt = parse_cards(river, count=(0, 1))
    deals = [
        (cards, weight)
        for _, cards, weight in list_apart([list_range(text, TURN["board"]) for text in folded])
    ]
    everything = math.fsum(weight for _, weight in deals)
    is_possible = ~np.isin(HANDS, [*parse_cards(TURN["board"]), *dealt]).any(axis=1)
    hands = HANDS[is_possible]
    coefficient, factor = game.folded.terms(hands, dealt)
    assert len(coefficient) <= game.folded.num_terms
    random = np.random.default_rng(8)
    for _ in range(60):
        three = random.choice(len(hands), 3, replace=False)
        cards = set(hands[three].ravel().tolist())
        if len(cards) < 6:
            continue
        gone = cards | set(dealt)
        expected = math.fsum(weight for held, weight in deals if not held & gone) / everything
        weight = (coefficient * factor[:, three].prod(axis=1)).sum()
        assert weight == pytest.approx(expected, abs=1e-12)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("folded", [[MANY], FEW], ids=str)
@pytest.mark.parametrize(
    "board",
    [
        pytest.param(RIVER["board"], id="river"),
        pytest.param(TURN["board"], id="turn", marks=pytest.mark.slow),
    ],
)
def test_three_ranges_are_paid_as_histories_are(board, folded):
    ranges = THREE
    if len(board) == 8:
        # Histories of a turn are written out in Python, one by one.
        ranges = ["AhKh,9s9d", "KsKd,9h8h", "QcQd,JhTd:0.3"]
    game = eq.poker.Holdem(board, **{**OF_THREE, "ranges": ranges}, folded=folded)
    by_hands = eq.solve(game, "cfr", iterations=3, form="auto")
    written_out = eq.compile_game(game, form="sequence")
    assert written_out.kind == "sequence"  # and not the form of three ranges once more
    histories = eq.solve(written_out, "cfr", iterations=3)
    assert by_hands.value == pytest.approx(histories.value, abs=1e-12)
    assert by_hands.deviation_gains == pytest.approx(histories.deviation_gains, abs=1e-12)
    assert by_hands.cce_distance == pytest.approx(histories.cce_distance, abs=1e-12)
    assert by_hands.cce_distance > 0.01
    assert sum(by_hands.value) == pytest.approx(10, abs=1e-12)


def test_a_third_player_who_always_folds_is_a_second_folded_hand():
    stakes = {"pot": 10, "bets": "50%; 60%", "board": RIVER["board"]}
    two = eq.poker.Holdem(**stakes, oop=OOP, ip=IP, stack=40, folded=FOLDED, remove_lines=["X"])
    three = eq.poker.Holdem(
        **stakes,
        ranges=[OOP, FOLDED[0], IP],
        stacks=40,
        remove_lines=["X", "B5-C", "B5-R17"],
        folded=FOLDED[1:],
    )
    of_two = eq.solve(two, "cfr", iterations=10, precision="float64")
    of_three = eq.solve(three, "cfr", iterations=10)
    first, folder, second = of_three.value
    assert folder == 0.0
    assert (first, second) == pytest.approx(of_two.value, abs=1e-12)
    gains = of_three.deviation_gains
    assert (gains[0], gains[2]) == pytest.approx(of_two.deviation_gains, abs=1e-12)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("folded", [["22+,A2s+,K2s+"], ["99+", "TT+"]], ids=str)
def test_suits_of_three_ranges_are_merged_where_folded_hands_are_alike(folded, monkeypatch):
    ranges = ["AA,KK,87s", "QQ,AKs,76s", "TT,AQs"]
    game = eq.poker.Holdem("QsJsTs9s2s", **{**OF_THREE, "ranges": ranges}, folded=folded)
    if not game.folded.is_exact:
        # Sampled deals are not alike after suits change places.
        assert not eq.compile_game(game, form="auto").merged
        monkeypatch.setattr(folded_terms, "LISTED", 20_000)
        game = eq.poker.Holdem("QsJsTs9s2s", **{**OF_THREE, "ranges": ranges}, folded=folded)
    form = eq.compile_game(game, form="auto")
    assert form.merged
    merged = eq.solve(game, "cfr", iterations=5, form="auto")
    apart = eq.solve(form.unmerged(), "cfr", iterations=5)
    assert merged.value == pytest.approx(apart.value, abs=1e-12)
    other = eq.poker.Holdem("QsJsTs9s2s", **{**OF_THREE, "ranges": ranges}, folded=["AhKh"])
    permutations = [eq.compile_game(each, form="auto").boards.symmetries for each in (game, other)]
    assert len(permutations[1]) < len(permutations[0])


def test_sampled_deals_of_folded_hands_weigh_as_all_of_them_do_up_to_their_error():
    board = parse_cards(RIVER["board"])
    ranges = [Range(text, board=board) for text in (MANY, "T2+,92+,82+")]
    folded = fold_hands(ranges, board, DECKS["full"], players=2)
    terms = FoldedTerms(folded)
    assert not terms.is_exact
    assert terms.num_terms == folded_terms.SAMPLED
    assert 0.03 < terms.standard_error < 0.08
    free = [card for card in range(52) if card not in board]
    random = np.random.default_rng(3)
    cards = np.array([random.choice(free, 4, replace=False) for _ in range(200)])
    exact = [folded.pair_chances(four[None, :2], four[None, 2:], board)[0, 0] for four in cards]
    errors = np.array([terms.weight(four.tolist()) for four in cards]) / exact - 1.0
    assert abs(errors.mean()) < terms.standard_error
    assert errors.std() < 1.5 * terms.standard_error


@pytest.mark.thinned(4)
@pytest.mark.parametrize("count", range(len(PEER_VALUES)))
def test_values_are_those_of_postflop_solver(count):
    game = make(PEER, folded=PEER_FOLDED[:count])
    solution = eq.solve(game, precision="float64", until=2e-3, iterations=2000)
    assert solution.exploitability < 2e-3
    assert solution.value == pytest.approx(PEER_VALUES[count], abs=5e-3)


def test_decisions_are_weighed_by_folded_hands():
    solution = eq.solve(make(RIVER, folded=FOLDED), precision="float64", iterations=30)
    spot = eq.poker.SolvedSpot(solution)
    assert spot.node().evs == pytest.approx(solution.value, abs=1e-12)
    equity = eq.poker.equity(RIVER["board"], OOP, IP, folded=FOLDED)
    assert spot.node().equities == pytest.approx(equity.equities, abs=1e-12)
    without = eq.poker.equity(RIVER["board"], OOP, IP)
    assert abs(equity.equities[0] - without.equities[0]) > 0.01
    for player in range(2):
        probabilities = spot.node().probabilities[player]
        assert probabilities == pytest.approx(equity.probabilities[player], abs=1e-12)


@pytest.mark.slow
def test_later_streets_parts_and_threads_know_folded_hands():
    game = make(TURN, folded=FOLDED)
    solution = eq.solve(game, iterations=200)
    assert eq.solve(game, iterations=200, threads=2).value == solution.value
    spot = eq.poker.SolvedSpot(solution)
    # What a player has at the end of the turn is what the run-outs bring, by their weights.
    means = np.zeros(2)
    total = 0.0
    for cards in spot.run_outs("X-X"):
        node = spot.node("X-X", TURN["board"] + cards[0])
        board = tuple(game.cards.index(node.board[at : at + 2]) for at in range(0, 10, 2))
        weight = spot.pair_mass(node.ranges, board) * len(cards)
        means += weight * np.array(node.evs)
        total += weight
    part = eq.resolve(solution, "X-X", TURN["board"] + "6c", player=0, iterations=100).part
    assert part.value == pytest.approx(part.blueprint, abs=1e-3)
    assert (means / total).sum() == pytest.approx(10.0)
    with pytest.raises(GameError, match="depth cuts no part of a game in which hands were folded"):
        eq.resolve(solution, "X", TURN["board"], player=0, depth=1, iterations=10)


def test_a_spot_keeps_its_folded_hands_in_texts_files_and_runs(tmp_path):
    game = make(RIVER, folded=FOLDED)
    again = eq.load(str(game))
    assert again.settings["folded"] == game.settings["folded"]
    assert game.settings["folded"] == ("TT:0.5,AJs,A9o,KJ", "TT:0.5,Q9,87s")
    for form in ("cards", "sequence"):
        fingerprints = [
            eq.compile_game(spot, form=form).fingerprint
            for spot in (game, again, make(RIVER, folded=FOLDED[:1]), make(RIVER))
        ]
        assert fingerprints[0] == fingerprints[1]
        assert len(set(fingerprints)) == 3
    path = tmp_path / "spot.toml"
    result = CliRunner().invoke(make_app(), ["spot", str(game), "--out", str(path)])
    assert "folded: TT:0.5,Q9,87s" in result.stdout
    assert eq.load(path).settings == game.settings
    eq.solve(path, precision="float64", iterations=5, save=tmp_path / "run")
    resumed = eq.solve(resume=tmp_path / "run", iterations=10)
    assert resumed.value == eq.solve(game, precision="float64", iterations=10).value
    shown = CliRunner().invoke(make_app(), ["show", str(tmp_path / "run")]).stdout
    assert "dealt with 2 folded hands, all of whose deals are counted" in shown
    table = CliRunner().invoke(
        make_app(), ["equity", RIVER["board"], OOP, IP, "--folded", FOLDED[0], "--json"]
    )
    equity = eq.poker.equity(RIVER["board"], OOP, IP, folded=FOLDED[:1])
    assert json.loads(table.stdout)["equity"] == pytest.approx(list(equity.equities))


def test_a_spot_of_three_keeps_its_folded_hands_in_texts_files_and_runs(tmp_path):
    game = eq.poker.Holdem(RIVER["board"], **OF_THREE, folded=[MANY, "QQ,JTo:0.5"])
    again = eq.load(str(game))
    assert again.settings == game.settings
    others = [eq.poker.Holdem(RIVER["board"], **OF_THREE, folded=each) for each in ([MANY], [])]
    fingerprints = [
        eq.compile_game(spot, form="auto").fingerprint for spot in (game, again, *others)
    ]
    assert fingerprints[0] == fingerprints[1]
    assert len(set(fingerprints)) == 3
    path = tmp_path / "spot.toml"
    result = CliRunner().invoke(make_app(), ["spot", str(game), "--out", str(path)])
    assert "folded: QQ,JTo:0.5" in result.stdout
    assert "Dealt with 2 folded hands, by 256 sampled deals" in result.stdout
    assert eq.load(path).settings == game.settings
    eq.solve(others[0], iterations=5, save=tmp_path / "run")
    resumed = eq.solve(resume=tmp_path / "run", iterations=10)
    assert resumed.value == eq.solve(others[0], iterations=10, threads=2).value
    shown = CliRunner().invoke(make_app(), ["show", str(tmp_path / "run")]).stdout
    assert "dealt with 1 folded hand, all of whose deals are counted" in shown


def test_settings_that_a_spot_does_not_have_are_refused_in_a_sentence():
    with pytest.raises(GameError, match="Omaha has no folded; leave it out"):
        eq.poker.Omaha(RIVER["board"], "AAxx", "KKxx", pot=1, stack=1, folded=["AA"])
    with pytest.raises(GameError, match="A spot of three ranges has no surplus; it takes board"):
        eq.poker.Holdem(RIVER["board"], **OF_THREE, surplus=[0, 50])


def test_three_hands_that_cannot_be_dealt_beside_the_folded_ones_are_refused():
    narrow = {**OF_THREE, "ranges": ["AhKh", "KsKd", "QcQd"]}
    game = eq.poker.Holdem(RIVER["board"], **narrow, folded=["AhAd"])
    for form in ("auto", "sequence"):
        with pytest.raises(GameError, match=r"No three hands .* can be dealt at once"):
            eq.compile_game(game, form=form)
    with pytest.raises(GameError, match="folded: the hands that were folded cannot be dealt"):
        eq.compile_game(
            eq.poker.Holdem(RIVER["board"], **OF_THREE, folded=["AcAd", "AcAh"]), form="auto"
        )
    with pytest.raises(GameError, match="folded must be a list of ranges"):
        eq.poker.Holdem(RIVER["board"], **OF_THREE, folded="AA")


@pytest.mark.parametrize(
    ("folded", "message"),
    [
        ("AA", "folded must be a list of ranges"),
        (3, "folded must be a list of ranges"),
        (["AA"] * 8, "folded must be the ranges of at most 7 players; got 8"),
        (["QQQ"], "folded: 'QQQ'"),
        (["2c2d"], "folded: '2c2d' at character 1 holds a card of Th9c6d8s2c"),
    ],
)
def test_folded_that_cannot_be_read_is_refused(folded, message):
    with pytest.raises(GameError, match=message) as refused:
        make(RIVER, folded=folded)
    assert refused.value.wrong_use


def test_hands_that_cannot_be_dealt_beside_the_others_are_refused():
    with pytest.raises(GameError, match="folded: the hands that were folded cannot be dealt"):
        eq.compile_game(make(RIVER, folded=["AcAd", "AcAh"]), form="cards")
    narrow = {**RIVER, "oop": "AhKh", "ip": "KsKd"}
    for form in ("cards", "sequence"):
        with pytest.raises(GameError, match="folded: no two hands of both players go with"):
            eq.compile_game(make(narrow, folded=["AhAd"]), form=form)
