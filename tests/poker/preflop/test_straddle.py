"""Straddles before the flop: who acts first and last, what is legal by PokerKit, and games known without one."""

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.protocol import TERMINAL
from equilibrist.poker.cards.cards import CLASSES
from equilibrist.poker.preflop.all_in import BOARDS, load_all_in
from equilibrist.poker.preflop.charts import list_decisions
from equilibrist.poker.preflop.three_handed import Table, ThreeHanded


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    ("plain", "straddled"),
    [
        ("push_fold(stack=10)", "push_fold(stack=20, straddle=2)"),
        (
            "push_fold(stack=10, ante=0.1, bb_ante=0)",
            "push_fold(stack=20, ante=0.2, straddle=2)",
        ),
        (
            "preflop(stack=6, sizes='2x; a')",
            "preflop(stack=12, sizes='2x; a', straddle=2)",
        ),
    ],
)
def test_two_big_blinds_are_the_game_of_twice_the_blinds(plain, straddled):
    """The straddle is then the big blind and the big blind the small one, of whom the other has the button."""
    first, second = (eq.solve(game, until=1e-5) for game in (plain, straddled))
    assert second.value == pytest.approx([2 * first.value[1], 2 * first.value[0]], abs=1e-4)
    before, after = eq.load(plain), eq.load(straddled)
    assert len(before.nodes) == len(after.nodes)
    for node, other in zip(before.nodes, after.nodes, strict=True):
        assert node.player in (1 - other.player, TERMINAL)
        assert other.bets == pytest.approx([2 * node.bets[1], 2 * node.bets[0]])


def replay(pokerkit, game, line):
    """Return the state of PokerKit after a line, in hundredths of a big blind; its player 0 is the big blind."""
    automations = (
        pokerkit.Automation.ANTE_POSTING,
        pokerkit.Automation.BET_COLLECTION,
        pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
        pokerkit.Automation.HOLE_DEALING,
    )
    straddle = game.settings["straddle"] or 0.5
    antes = [round(100 * ante) for ante in game.antes]
    state = pokerkit.NoLimitTexasHoldem.create_state(
        automations,
        False,  # antes are not the same for both
        antes,
        (round(100 * straddle), 100),
        100,
        [round(100 * game.stack) + ante for ante in reversed(antes)],
        2,
    )
    for action in filter(None, line.split("-")):
        if action == "F":
            state.fold()
        elif action in "XC":
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(round(100 * float(action[1:])))
    return state


@pytest.mark.parametrize(
    "game",
    [
        "preflop(stack=20, sizes='2x, 3x, a; 2x, 3x; a')",
        "preflop(stack=20, sizes='1.5x, 3x, a; 2x, 3x; a', straddle=2)",
        "preflop(stack=20, sizes='1c, 50%; 2x; a', straddle=4, ante=0.25, bb_ante=1)",
        "preflop(stack=3, straddle=3)",
    ],
)
def test_pokerkit_allows_all_actions(game):
    pokerkit = pytest.importorskip("pokerkit", reason="needs pokerkit, of the extra 'hands'")
    game = eq.load(game)
    for node in game.nodes:
        state = replay(pokerkit, game, node.line)
        if node.player == TERMINAL:
            assert state.actor_index is None
            continue
        assert state.actor_index == 1 - node.player, node.line
        assert [bet / 100 for bet in state.bets] == pytest.approx(node.bets[::-1])
        to_call = (node.bets[1 - node.player] - node.bets[node.player]) * 100
        assert state.checking_or_calling_amount == pytest.approx(to_call)
        assert state.can_fold() == ("F" in node.actions)
        for action in node.actions:
            if action[0] in "RA":
                chips = round(100 * float(action[1:]))
                assert state.can_complete_bet_or_raise_to(chips), (node.line, action)


def test_a_raise_is_by_a_big_blind_at_least():
    """As PokerKit has it: not by the straddle."""
    nodes = eq.poker.Preflop(stack=20, straddle=4, sizes="0.1c; a").nodes
    assert nodes[0].player == 1
    assert nodes[0].actions == ("F", "C", "R5")


def test_three_seats_with_a_straddle_on_the_button():
    """The small blind acts first and the button last, and everybody's chips are those that were lost by others."""
    game = ThreeHanded(stack=8, ante=0.25, bb_ante=1, straddle=2)
    antes = np.array([0.25, 1.25, 0.25])
    held = 8 - 1.25
    hands = tuple(map(CLASSES.index, ("AKo", "QQ", "72o")))

    def won(bets, winner):
        paid = np.add(bets, antes)
        return paid.sum() * np.eye(3)[winner] - paid

    def paid_after(*moves):
        return game.payoffs(Table(hands, moves))

    assert paid_after("fold", "fold") == pytest.approx(won([0.5, 1, 2], 2))
    assert paid_after("push", "fold", "fold") == pytest.approx(won([held, 1, 2], 0))
    assert paid_after("fold", "push", "fold") == pytest.approx(won([0.5, held, 2], 1))
    table = load_all_in()
    deals = table.pairs[hands[0], hands[1]] * BOARDS
    wins = table.wins[hands[0], hands[1]] / deals
    losses = table.wins[hands[1], hands[0]] / deals
    bets = [held, held, 2]
    split = (won(bets, 0) + won(bets, 1)) / 2
    expected = wins * won(bets, 0) + losses * won(bets, 1) + (1 - wins - losses) * split
    assert paid_after("push", "call", "fold") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("push_fold(straddle=1)", r"straddle must be more than the big blind, such as 2.*; got 1"),
        ("preflop(straddle=-2)", r"straddle must be a number of big blinds, 0 or more; got -2"),
        ("push_fold(seats=3, stack=2, bb_ante=1, straddle=2)", r"stack must be .*, 3 or more"),
        (
            "push_fold(seats=6, straddle=2, payouts=[1])",
            r"with 6 seats prizes go with .* without a",
        ),
        ("preflop(seats=3)", r"seats must be 2; got 3\. With raises three players act more than"),
    ],
)
def test_wrong_straddles_and_seats_are_refused(game, message):
    with pytest.raises(eq.GameError, match=message) as refused:
        eq.load(game)
    assert refused.value.wrong_use


def test_charts_with_a_straddle_are_those_of_twice_the_blinds():
    """The big blind pushes, and the small blind, who has bet twice as much, calls."""
    plain = eq.poker.push_fold_charts([6], until=1e-6)
    straddled = eq.poker.push_fold_charts([12], straddle=2, until=1e-6)
    for one, other in ((straddled.push, plain.push), (straddled.call, plain.call)):
        assert one == pytest.approx(other, abs=0.5)  # a hand or two may mix otherwise
        assert one.mean() == pytest.approx(other.mean(), abs=0.005)


def test_charts_of_three_seats_with_a_straddle_name_the_seats():
    decisions = list_decisions(3, straddle=True)
    assert list(decisions) == [
        "push from SB",
        "push from BB",
        "call SB from BB",
        "call SB from BTN",
        "call BB from BTN",
        "call both from BTN",
    ]
    assert decisions["call BB from BTN"] == (2, " fold-push", "call")
