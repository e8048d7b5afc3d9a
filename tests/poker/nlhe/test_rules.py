"""No-limit hold'em from the first card: the rules beside those of PokerKit, hand by hand, and names that are read."""

import random

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CARDS, HANDS
from equilibrist.poker.nlhe.betting import BIG_BLIND, CALL, FOLD, RAISE, SMALL_BLIND, translate
from equilibrist.poker.nlhe.game import NoLimitHoldem
from equilibrist.poker.spot.bet_sizes import BetSize

GAMES = {
    stack: NoLimitHoldem(stack=stack, sizes="30%, 110%, a", preflop="2.3x, 100%", max_raises=3)
    for stack in (2, 9.5, 25)
}


def pokerkit_hand(stack):
    pokerkit = pytest.importorskip("pokerkit")
    automations = (
        pokerkit.Automation.ANTE_POSTING,
        pokerkit.Automation.BET_COLLECTION,
        pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
        pokerkit.Automation.CARD_BURNING,
        pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        pokerkit.Automation.HAND_KILLING,
        pokerkit.Automation.CHIPS_PUSHING,
        pokerkit.Automation.CHIPS_PULLING,
    )
    blinds = (SMALL_BLIND, BIG_BLIND)
    return pokerkit.NoLimitTexasHoldem.create_state(
        automations, True, 0, blinds, BIG_BLIND, stack, 2
    )


def names(cards):
    return "".join(CARDS[card] for card in cards)


# theirs has the button last where two play
THEIRS = {0: 1, 1: 0}


def deal_theirs(hand, state, dealt):
    """Deal the public cards that our state has and theirs has not."""
    cards = [card for card in state.board if CARDS[card] not in dealt]
    while hand.can_deal_board() and cards:
        count = 3 if not dealt else 1
        hand.deal_board(names(cards[:count]))
        dealt += [CARDS[card] for card in cards[:count]]
        cards = cards[count:]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("stack", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_random_hands_go_as_pokerkit_says(stack):
    game = GAMES[stack]
    rules = game.betting
    choose = random.Random(int(10 * stack))
    raised_short = folded = shown = 0
    for _ in range(60):
        state = game.start()
        place = rules.first_place()
        hand = pokerkit_hand(rules.stack)
        dealt = []
        while game.player(state) != eq.TERMINAL:
            mover = game.player(state)
            if mover == eq.CHANCE:
                state = game.next(state, choose.choice(list(game.actions(state))))
                if len(state.hands) == 2 and hand.can_deal_hole():
                    for player in (1, 0):
                        hand.deal_hole(names(HANDS[state.hands[player]]))
                continue
            deal_theirs(hand, state, dealt)
            assert hand.actor_index == THEIRS[mover]
            actions = game.tree.actions[state.node]
            kinds = [action.kind for action in actions]
            assert (FOLD in kinds) == (hand.checking_or_calling_amount > 0)
            least = hand.min_completion_betting_or_raising_to_amount
            if least is not None:
                assert rules.raise_to(place, BetSize("c", 1)) - place.before == least
                assert rules.raise_to(place, BetSize("a")) - place.before == (
                    hand.max_completion_betting_or_raising_to_amount
                )
            raises = [action.paid - place.before for action in actions if action.kind == RAISE]
            assert all(hand.can_complete_bet_or_raise_to(amount) for amount in raises)
            assert raises or least is None or place.raises == rules.max_raises
            number = choose.choices(range(len(actions)), [1, 4, 4, 4, 2][: len(actions)])[0]
            action = actions[number]
            if action.kind == FOLD:
                hand.fold()
                folded += 1
            elif action.kind == CALL:
                hand.check_or_call()
            else:
                raised_short += action.paid - max(place.paid) < place.least_raise
                hand.complete_bet_or_raise_to(action.paid - place.before)
            place = rules.next_place(place, action)
            state = game.next(state, number)
        deal_theirs(hand, state, dealt)
        shown += hand.street_index is None and len(state.board) == 5
        assert not hand.status
        assert game.payoffs(state) == [hand.payoffs[THEIRS[p]] / BIG_BLIND for p in range(2)]
    assert folded > 5
    assert shown > 5
    if stack > 2:
        assert raised_short


def test_infosets_and_actions_have_names_that_say_what_was_seen():
    game = eq.load("nlhe(stack=20, sizes='100%', preflop='2.5x')")
    state = game.start()
    for action in (1325, 0):
        state = game.next(state, action)
    assert game.infoset(state) == "AsAh"
    assert [game.action_label(state, n) for n in range(3)] == ["fold", "call", "raise to 2.5"]
    for action in (1, 0):
        state = game.next(state, action)
    assert game.player(state) == eq.CHANCE
    for card in ("7h", "Td", "9d"):
        state = game.next(state, CARDS.index(card))
    assert game.infoset(state) == "2d2c cc/Td9d7h"
    assert [game.action_label(state, n) for n in range(2)] == ["check", "bet to 3"]
    state = game.next(state, 1)
    assert game.infoset(state) == "AsAh cc/Td9d7h r3"
    assert [game.action_label(state, n) for n in range(3)] == ["fold", "call", "raise to 9"]
    other_order = state._replace(board=tuple(reversed(state.board)))
    assert game.infoset(other_order) == game.infoset(state)


def test_probabilities_sum_to_one_and_cards_are_dealt_once():
    game = GAMES[9.5]
    state = game.next(game.start(), 17)
    assert len(game.actions(state)) == 1225
    assert sum(game.probabilities(state)) == pytest.approx(1)
    assert not np.isin(HANDS[game.actions(state)], HANDS[17]).any()


def test_the_text_of_a_game_makes_it_again():
    game = eq.load("nlhe(stack=12.25, sizes='50%, A', preflop='2.5x', max_raises=2)")
    assert str(game) == "nlhe(stack=12.25, sizes='50%, a', preflop='2.5x', max_raises=2)"
    assert str(eq.load(str(game))) == str(game)
    assert repr(eq.load("nlhe")).startswith("NoLimitHoldem(stack=20, sizes='50%, 100%'")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("stack=1", r"stack must be 2 to 1,000 big blinds; got 1\."),
        ("stack=10.123", r"whole number of hundredths of a big blind.*got 10\.123"),
        ("sizes='half'", "half"),
        ("max_raises=0", "max_raises"),
        ("stack=1000, sizes='10%, 20%, 30%, 40%', max_raises=20", "more than 5,000,000 places"),
    ],
)
@pytest.mark.slow
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message):
        _ = eq.load(f"nlhe({settings})").tree


def test_the_game_is_not_compiled():
    with pytest.raises(eq.GameError, match=r"too large to be compiled.*eq\.abstract"):
        eq.solve("nlhe(sizes='a', stack=2)", iterations=1)


def test_a_bet_between_two_is_taken_for_either_by_its_share_of_the_pot():
    """Ganzfried & Sandholm 2013: of 0 and 1 pot, a bet of x is taken for 0 with probability (1 - x) / (1 + x)."""
    for bet in (10, 25, 50, 90):
        x = bet / 100
        assert translate(bet, [0, 100], 100) == pytest.approx([(1 - x) / (1 + x), 2 * x / (1 + x)])
    assert translate(75, [0, 50, 100], 100)[0] == 0.0
    assert translate(50, [0, 50, 100], 100) == [0.0, 1.0, 0.0]
    assert translate(500, [0, 50, 100], 100) == [0.0, 0.0, 1.0]
