"""Matches of blueprints: what is won is what is counted elsewhere, and taking luck out changes no mean."""

from itertools import combinations

import numpy as np
import pytest
from phevaluator import evaluate_cards

import equilibrist as eq
from equilibrist.poker.cards.cards import CARDS, CLASS_OF_HAND, CLASSES, hand_name
from equilibrist.poker.nlhe.betting import BOARD_CARDS, STREETS
from equilibrist.poker.nlhe.matches import _Deal, _play
from equilibrist.poker.preflop.all_in import load_all_in, pairs_of_classes

from .test_blueprint import BUCKETS, MadeHands

PUSH = "nlhe(stack=4, sizes='none', preflop='a', max_raises=1)"
BETS = "nlhe(stack=6, sizes='100%, a', max_raises=1)"


class SuitedBuckets(MadeHands):
    """Buckets that tell suits apart before the flop."""

    def assign(self, street, hands):
        if street == "preflop":
            return hands[:, 0] % 4
        return super().assign(street, hands)


class Drawn:
    """Stands for a run whose probabilities are drawn, those of each infoset for themselves."""

    def __init__(self, game, seed, sharp=0.4):
        self.game = game
        table = eq.load(game).offer_bucket_table(buckets=BUCKETS).make(seed=0, batch=1)
        infosets = table.infosets()
        random = np.random.default_rng(seed)
        rows = [random.dirichlet(np.full(len(infoset.actions), sharp)) for infoset in infosets]
        self.strategy = eq.Strategy(infosets, np.concatenate(rows))


def draw(game, seed):
    return eq.poker.Blueprint(Drawn(game, seed), BUCKETS)


def push_value(button, blind):
    """Return what the button wins in ``PUSH`` on average, by the classes of both hands."""
    tree = button.game.tree
    node_of = {"/".join(tree.lines(node)): node for node in tree.decisions.tolist()}

    def rows(blueprint, line):
        by_hand = blueprint.hand_rows(node_of[line], ())
        classes = np.zeros((len(CLASSES), by_hand.shape[1]))
        classes[CLASS_OF_HAND] = by_hand
        return classes

    fold, limp, push = rows(button, "").T[:, :, None]
    check, raised = rows(blind, "c").T
    folds, calls = rows(blind, "r4").T
    gives_up, calls_raise = rows(button, "cr4").T[:, :, None]
    edge = 2 * load_all_in().equity - 1
    after_raise = gives_up * -1 + calls_raise * 4 * edge
    won = fold * -0.5 + limp * (check * edge + raised * after_raise)
    won += push * (folds * 1 + calls * 4 * edge)
    pairs = pairs_of_classes()
    return float((pairs * won).sum() / pairs.sum())


@pytest.mark.slow
def test_what_is_won_is_what_the_classes_of_all_hands_say():
    first, second = draw(PUSH, 1), draw(PUSH, 2)
    expected = (push_value(first, second) - push_value(second, first)) / 2
    match = first.play_match(second, hands=400, seed=4)
    raw, reduced = match.overall, match.overall.aivat
    assert abs(raw.mean - expected) < 4 * raw.standard_error
    assert abs(reduced.mean - expected) < 4 * reduced.standard_error
    assert reduced.standard_error < raw.standard_error / 3
    assert (match.players, raw.hands, match.seats[0].hands) == (2, 800, 400)
    assert (match.seats[0].mean + match.seats[1].mean) / 2 == pytest.approx(raw.mean)


@pytest.mark.slow
def test_luck_has_the_mean_zero_with_bets_on_all_streets():
    players = [draw(BETS, 3), draw(BETS, 4)]
    luck = []
    for number in range(300):
        deal = _Deal(np.random.default_rng([7, number]))
        luck.append(_play(players, deal, np.random.default_rng(number)).luck)
    assert abs(np.mean(luck)) < 4 * np.std(luck) / np.sqrt(len(luck))
    assert np.std(luck) > 0.5


@pytest.mark.slow
def test_nothing_is_left_where_nobody_bets():
    """All that is won then is the luck of the cards."""
    blueprint = draw(PUSH, 1)
    tree = blueprint.game.tree
    for node in tree.decisions.tolist():
        blueprint._probabilities[node][:] = [action.kind == 1 for action in tree.actions[node]]
    match = blueprint.play_match(blueprint, hands=40, seed=2)
    assert match.overall.aivat.mean == pytest.approx(0, abs=1e-12)
    assert match.overall.aivat.standard_error == pytest.approx(0, abs=1e-12)
    assert match.seats[0].standard_error > 0.1


def test_shares_are_those_of_all_boards():
    deal = _Deal(np.random.default_rng(5))
    names = [hand_name(hand) for hand in deal.hands]
    hands = [[name[:2], name[2:]] for name in names]
    board = [CARDS[card] for card in deal.board]
    assert len({*board, *hands[0], *hands[1]}) == 9
    for street in range(1, len(STREETS)):
        shown = board[: BOARD_CARDS[street]]
        left = [card for card in CARDS if card not in {*shown, *hands[0], *hands[1]}]
        shares = []
        for rest in combinations(left, 5 - len(shown)):
            button, blind = (evaluate_cards(*hand, *shown, *rest) for hand in hands)
            shares.append(1.0 if button < blind else 0.5 if button == blind else 0.0)
        assert deal.share(street) == pytest.approx(np.mean(shares), abs=1e-12)
    classes = CLASS_OF_HAND[list(deal.hands)]
    assert deal.share(0) == load_all_in().equity[classes[0], classes[1]]


def test_the_same_seed_plays_the_same_hands():
    first, second = draw(BETS, 3), draw(BETS, 4)
    assert first.play_match(second, hands=20, seed=1) == first.play_match(second, hands=20, seed=1)
    assert first.play_match(second, hands=20, seed=1) != first.play_match(second, hands=20, seed=2)


@pytest.mark.parametrize(
    ("play", "error", "message"),
    [
        (lambda one: one.play_match("kuhn"), eq.GameError, "plays against a blueprint; got 'kuhn'"),
        (lambda one: one.play_match(draw(BETS, 1)), eq.GameError, "of the same game; got nlhe"),
        (lambda one: one.play_match(one, hands=1), eq.AlgorithmError, "hands must be a whole num"),
        (lambda one: one.play_match(one, seed=-1), eq.AlgorithmError, "seed"),
        (
            lambda one: one.play_match(eq.poker.Blueprint(Drawn(PUSH, 1), SuitedBuckets())),
            eq.GameError,
            "differ in their suits alone",
        ),
    ],
    ids=["no blueprint", "another game", "one hand", "seed", "suits"],
)
def test_what_makes_no_match_is_refused(play, error, message):
    with pytest.raises(error, match=message):
        play(draw(PUSH, 1))
