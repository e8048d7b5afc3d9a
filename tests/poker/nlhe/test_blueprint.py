"""No-limit hold'em in buckets: its samples, runs and blueprints, beside games that are solved exactly elsewhere."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CARDS, CLASSES
from equilibrist.poker.cards.hand_ranks import strength_of
from equilibrist.poker.nlhe.betting import BOARD_CARDS, STREETS
from equilibrist.poker.nlhe.deals import assign_buckets, draw_deals
from support.made_hands import MadeHands

BUCKETS = MadeHands()
GAME = "nlhe(stack=6, sizes='100%, a', max_raises=1)"
EXTERNAL = "external(tree=False)"


def solve(game=GAME, buckets=BUCKETS, **settings):
    settings = {"sampling": EXTERNAL, "seed": 1, "iterations": 3000, **settings}
    return eq.solve(eq.abstract(game, buckets), "cfr", **settings)


def test_deals_hold_nine_different_cards_and_say_who_wins():
    deals = draw_deals(500, np.random.default_rng(3))
    assert all(len(set(row)) == 9 for row in deals.cards.tolist())
    assert np.bincount(deals.cards.reshape(-1), minlength=52).min() > 40
    won = deals.won()
    for row, result in zip(deals.cards[:50], won, strict=False):
        one, other = strength_of(np.array([[*row[:2], *row[4:]], [*row[2:4], *row[4:]]]))
        assert result == np.sign(int(one) - int(other))
    assigned = assign_buckets(BUCKETS, deals)
    for number, street in enumerate(STREETS):
        cards = np.hstack([deals.cards[:, 2:4], deals.cards[:, 4 : 4 + BOARD_CARDS[number]]])
        assert assigned[:, 1, number].tolist() == BUCKETS.assign(street, cards).tolist()


def test_memory_is_known_before_and_refused_beyond_a_limit():
    game = eq.load(GAME)
    offer = game.offer_bucket_table(buckets=BUCKETS)
    tree = game.tree
    nodes = tree.decisions
    counts = np.where(tree.street[nodes] == 0, 169, 9)
    assert offer.infosets == counts.sum()
    assert offer.nbytes == 56 * (counts * tree.num_actions[nodes]).sum()
    with pytest.raises(eq.GameError, match=r"take 0\.00 GB; the limit is 1e-05"):
        solve(sampling="external(tree=False, gigabytes=1e-05)")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: solve(buckets=lambda infoset: 0), eq.GameError, r"eq\.Buckets.*count\(street\)"),
        (lambda: solve("kuhn"), eq.AlgorithmError, r"A game whose players forget.*for kuhn"),
        (
            lambda: solve(sampling="external(tree=False, average='lazy')"),
            eq.AlgorithmError,
            "Players forget by the map MadeHands",
        ),
        (lambda: solve(sampling="external"), eq.GameError, "too large to be compiled"),
    ],
    ids=["function", "kuhn", "lazy", "tree"],
)
def test_what_makes_no_sense_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def answer(count=None, assign=None):
    """Return buckets that answer so."""

    class Answering(MadeHands):
        def count(self, street):
            return super().count(street) if count is None else count

        def assign(self, street, hands):
            return super().assign(street, hands) if assign is None else assign(hands)

    return Answering()


def fail(hands):
    raise RuntimeError("no such hand")


@pytest.mark.thinned(2)
@pytest.mark.parametrize(
    ("buckets", "sentence"),
    [
        (answer(count=0), r"from 1 to 65,536 in count\('preflop'\); got 0"),
        (answer(count="3"), r"in count\('preflop'\); got '3'"),
        (answer(assign=lambda hands: np.full(len(hands), 169)), "to 168; .* from 169 to 169"),
        (answer(assign=lambda hands: np.full(len(hands), -1)), "returned some from -1 to -1"),
        (answer(assign=lambda hands: np.full(len(hands), 0.5)), "got an array of float64"),
        (answer(assign=lambda hands: hands[1:, 0]), r"of them; got an array of int64 of shape"),
        (
            answer(assign=fail),
            r"failed at assign\('preflop', hands\) with RuntimeError: no such hand",
        ),
    ],
)
def test_buckets_that_are_none_are_refused(buckets, sentence):
    with pytest.raises(eq.GameError, match=sentence):
        solve(buckets=buckets, iterations=1)


def test_buckets_that_are_made_first_say_how_far_they_are():
    class Prepared(MadeHands):
        def prepare(self, say):
            say("river: half")

    stages = []
    callbacks = eq.Callbacks(on_stage=stages.append)
    solve(buckets=Prepared(), iterations=1, callbacks=callbacks)
    assert stages[0] == "river: half"


def test_a_blueprint_of_a_folder_is_refused():
    with pytest.raises(eq.GameError, match=r"load_solution\(folder\); got 'blueprint'"):
        eq.poker.Blueprint("blueprint", BUCKETS)


def test_a_run_that_nothing_certifies_says_so():
    with pytest.raises(
        eq.AlgorithmError, match=r"nothing certifies nlhe.* in buckets\. Give iterations"
    ):
        solve(iterations=None, until=0.1)
    run = solve(iterations=2)
    assert str(run.config.abstraction).startswith("MadeHands(9): ")
    assert "of 0 infosets" not in str(run.config.abstraction)
    assert "how exploitable it is in the real game is not known" in run.guarantee


@pytest.mark.slow
def test_preflop_play_approaches_the_game_that_is_solved_exactly():
    """With no bets after the flop the game is ``preflop``, with exact equities and an exact certificate."""
    run = solve(
        "nlhe(stack=8, sizes='none', preflop='a', max_raises=1)",
        MadeHands(1),
        iterations=400_000,
    )
    exact = eq.load("preflop(stack=8, sizes='a', max_raises=1)")
    moves = {"": (), "c": ("C",), "r8": ("A8",), "cr8": ("C", "A8")}
    words = {"fold": "F", "call": "C", "check": "X", "raise to 8": "A8"}
    strategy = {}
    for infoset in run.strategy.infosets:
        bucket, _, line = infoset.key.partition(" ")
        if "/" in line:
            continue
        name = exact.infoset(CLASSES[int(bucket[1:])], moves[line])
        row = run.strategy[infoset.player, infoset.key]
        strategy[infoset.player, name] = {words[word]: share for word, share in row.items()}
    judged = eq.evaluate(exact, strategy)
    assert judged.exploitability < 0.05
    assert judged.value[0] == pytest.approx(eq.solve(exact, until=1e-4).value[0], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 200])
def test_a_run_goes_on_as_if_it_had_never_stopped(batch, tmp_path):
    sampling = f"external(tree=False, batch={batch})"
    whole = solve(sampling=sampling, iterations=900)
    solve(sampling=sampling, iterations=411, save=tmp_path)
    game = eq.abstract(GAME, BUCKETS)
    threads = 2 if batch > 1 else None
    resumed = eq.solve(game, resume=tmp_path, iterations=900, threads=threads)
    assert resumed.strategy == whole.strategy
    assert resumed.nodes_touched == whole.nodes_touched
    with pytest.raises(eq.SolutionError, match="does not hold its buckets"):
        eq.solve(resume=tmp_path, iterations=1000)
    with pytest.raises(eq.SolutionError, match="put other hands together"):
        eq.solve(eq.abstract(GAME, Other()), resume=tmp_path, iterations=1000)


class Other(MadeHands):
    def assign(self, street, hands):
        return (super().assign(street, hands) + 1) % self.count(street)


@pytest.mark.slow
def test_a_blueprint_is_looked_up_by_hand_board_and_line(tmp_path):
    run = solve(iterations=20_000, save=tmp_path)
    blueprint = eq.poker.Blueprint(eq.load_solution(tmp_path), BUCKETS)
    aces = CLASSES.index("AA")
    assert blueprint.play("AhAd") == run.strategy[0, f"#{aces}"]
    assert sum(blueprint.play("7c2d").values()) == pytest.approx(1)
    flop = blueprint.play("AhKd", "Ac9d6h", "r3c/")
    pair = int(BUCKETS.assign("flop", cards("AhKdAc9d6h"))[0])
    assert flop == run.strategy[1, f"#{pair} r3c/"]
    assert blueprint.play("AhKd", "Ac9d6h", "r2.9c/") == flop
    assert "169 preflop, 9 flop" in blueprint._repr_html_()
    policy = blueprint(1, "AhKd r3c/Ac9d6h", tuple(flop))
    assert policy == list(flop.values())
    for hand, board, line, message in (
        ("AhKd", "", "r3c/", r"there are 3 public cards; got 0"),
        ("AhKd", "AhTd2c", "r3c/", "twice"),
        ("AhKd", "", "x", "cannot be read"),
        ("AhKd", "", "f", "nobody acts after it"),
        ("AhKd", "AcTd2c", "cc/cc/", "3|4 public"),
        ("AhKd", "", "ccc", "street 0 is over"),
        ("AhKd", "", "r6r9", "is not possible"),
    ):
        with pytest.raises(eq.GameError, match=message):
            blueprint.play(hand, board, line)
    with pytest.raises(eq.SolutionError, match="Give the buckets that the run had"):
        eq.poker.Blueprint(run, MadeHands(5))
    with pytest.raises(eq.GameError, match="got one on kuhn"):
        eq.poker.Blueprint(eq.solve("kuhn", iterations=5), BUCKETS)


def cards(text):
    return np.array([[CARDS.index(text[k : k + 2]) for k in range(0, len(text), 2)]])


class Run:
    """Stands for a run that plays an action always, where there is one of its name, else checks or calls."""

    def __init__(self, game, word):
        self.game = game
        infosets = eq.load(game).offer_bucket_table(buckets=MadeHands(1))
        infosets = infosets.make(seed=0, batch=1).infosets()
        rows = []
        for infoset in infosets:
            words = (word,) if word in infoset.actions else ("call", "check")
            rows += [action in words for action in infoset.actions]
        self.strategy = eq.Strategy(infosets, np.array(rows, np.float64))


def test_a_local_best_response_takes_all_from_who_always_folds():
    """It goes all-in and wins a big blind, or is given half a one: 0.75 bb a hand, with no luck at all."""
    game = "nlhe(stack=2, sizes='none', preflop='a', max_raises=1)"
    blueprint = eq.poker.Blueprint(Run(game, "fold"), MadeHands(1))
    bound = blueprint.local_best_response(hands=20, seed=1)
    assert (bound.gains[0].value, bound.gains[1].value) == (1.0, 0.5)
    assert (bound.exploitability, bound.standard_error) == (0.75, 0.0)
    with pytest.raises(eq.AlgorithmError, match="hands must be a whole number"):
        blueprint.local_best_response(hands=1)


@pytest.mark.slow
def test_a_local_best_response_bets_good_hands_alone_against_who_always_calls():
    """Its hands are worth 2 (2 e − 1) big blinds with an equity e above a half, and else 2 e − 1 for a limp.

    Of all hands the former happens half of the time, with an equity of 0.57 on average.
    """
    game = "nlhe(stack=2, sizes='none', preflop='a', max_raises=1)"
    blueprint = eq.poker.Blueprint(Run(game, "call"), MadeHands(1))
    bound = blueprint.local_best_response(hands=300, seed=1)
    assert bound.gains[0].value == pytest.approx(0.07, abs=4 * bound.gains[0].value_error)
    assert bound.gains[0].value_error < 0.15
    first, again = (blueprint.local_best_response(hands=15, seed=1) for _ in range(2))
    assert first == again
