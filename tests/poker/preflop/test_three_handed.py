"""Push or fold with three seats; referees: the written-out game, a sum over deals written here, published figures."""

from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES, HANDS
from equilibrist.poker.cards.hand_ranks import strengths
from equilibrist.poker.preflop import three_handed as module
from equilibrist.poker.preflop import three_way as table_module
from equilibrist.poker.preflop.all_in import BOARDS, load_all_in
from equilibrist.poker.preflop.three_way import deals_of_classes, load_three_way
from equilibrist.poker.spot.three_hands import three_hand_form
from support.pots import share_chips

COMBOS = np.bincount(CLASS_OF_HAND)
FEW = ("AA", "AKo", "72o")


def index(name):
    return CLASSES.index(name)


@pytest.fixture
def few_hands(monkeypatch):
    """Only some classes are dealt, so that the game can be written out."""
    some = np.isin(CLASSES, FEW)
    deals = deals_of_classes() * (some[:, None, None] & some[:, None] & some)
    monkeypatch.setattr(module, "deals_of_classes", lambda: deals)
    return deals


def won(shown, hands, player):
    """Return the share of the pot of one of two or three hands, straight from the tables."""
    if len(shown) == 2:
        other = next(p for p in shown if p != player)
        return load_all_in().equity[hands[player], hands[other]]
    return load_three_way().share[(hands[player], *(hands[p] for p in shown if p != player))]


def referee(strategy, deals, stack):
    """Return what three players win on average, by a sum over all deals and lines; chips, no antes."""
    total = np.zeros(3)
    for hands in product(np.flatnonzero(deals.any(axis=(1, 2))), repeat=3):
        for moves in product((True, False), repeat=3):
            words, probability = [], deals[hands] / deals.sum()
            for player, goes in enumerate(moves):
                if words == ["fold", "fold"]:
                    probability *= goes  # the big blind does not act
                    continue
                word = ("call" if "push" in words else "push") if goes else "fold"
                key = f"{CLASSES[hands[player]]} {'-'.join(words)}".strip()
                probability *= strategy[player, key][word]
                words.append(word)
            shown = [player for player, word in enumerate(words) if word != "fold"] or [2]
            if len(words) == 2:
                shown = [2]
            bets = [stack if p in shown and len(shown) > 1 else (0, 0.5, 1)[p] for p in range(3)]
            for p in range(3):
                share = (
                    (p in shown) if len(shown) == 1 else won(shown, hands, p) if p in shown else 0
                )
                total[p] += probability * (sum(bets) * share - bets[p])
    return total


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, marks=pytest.mark.slow),
        {"stack": 8, "ante": 0.1, "bb_ante": 1, "payouts": [50, 30, 20]},
    ],
)
def test_the_form_equals_the_game_written_out(settings, few_hands):
    game = module.ThreeHanded(**settings)
    forms = three_hand_form(game.three_hands()), eq.compile_game(game)
    assert [form.histories for form in forms] == [forms[1].histories] * 2
    rng = np.random.default_rng(1)
    play = {
        (each.player, each.key): dict(zip(each.actions, rng.dirichlet((1, 1)), strict=True))
        for each in forms[0].infosets
    }
    slots = [
        form.to_slots(
            np.array(
                [play[each.player, each.key][a] for each in form.infosets for a in each.actions]
            )
        )
        for form in forms
    ]
    first, second = (form.best_responses(at) for form, at in zip(forms, slots, strict=True))
    assert first.value == pytest.approx(second.value, abs=1e-13)
    assert first.best_response_value == pytest.approx(second.best_response_value, abs=1e-13)
    if not settings:
        assert first.value == pytest.approx(referee(play, few_hands, 10), abs=1e-12)


ENDS = ("FF", "FPF", "FPC", "PFF", "PFC", "PCF", "PCC")
WORDS = {"F": "fold", "P": "push", "C": "call"}
DEALT = [("AA", "KQs", "72o"), ("AKo", "AKo", "AA"), ("JJ", "JTs", "JTs")]


def end_after(letters, hands):
    moves = tuple(WORDS[letter] for letter in letters)
    return module.Table(tuple(map(index, hands)), moves)


@pytest.mark.slow
def test_a_single_prize_is_won_in_proportion_to_chips():
    """Where the winner takes all a stack is worth its share of all chips."""
    settings = {"stack": 6, "ante": 0.25, "bb_ante": 1}
    chips = module.ThreeHanded(**settings)
    prize = module.ThreeHanded(**settings, payouts=[90])
    for letters, hands in product(ENDS, DEALT):
        state = end_after(letters, hands)
        won = np.array(chips.payoffs(state))
        assert won.sum() == pytest.approx(0, abs=1e-12)
        assert prize.payoffs(state) == pytest.approx(won * 90 / 18, abs=1e-10), letters


@pytest.mark.slow
def test_an_all_in_pays_the_mean_worth_of_the_stacks_it_may_leave():
    """By outcome: the order of the hands, or which two share; a tie of three is a third of each win."""
    game = module.ThreeHanded(stack=6, ante=0.25, bb_ante=1, payouts=[50, 30, 20])

    def worth(*ranking):
        gains = share_chips(game.stakes, ranking)
        return eq.poker.icm(6 + gains, [50, 30, 20]) - 100 / 3

    table = load_all_in()
    for letters, hands in product(ENDS, DEALT):
        numbers = list(map(index, hands))
        shown = [player for player, letter in enumerate(letters) if letter != "F"]
        if len(shown) < 2:
            expected = worth(shown or [2])
        elif len(shown) == 2:
            one, other = (numbers[player] for player in shown)
            deals = table.pairs[one, other] * BOARDS
            first = table.wins[one, other] / deals
            second = table.wins[other, one] / deals
            winner, loser = shown
            expected = first * worth([winner], [loser]) + second * worth([loser], [winner])
            expected += (1 - first - second) * worth(shown)
        else:
            expected = np.zeros(3)
            for one, other, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
                tie = load_three_way().ties[numbers[one], numbers[other], numbers[third]]
                expected += tie * worth([one, other], [third])
                before = load_all_in().equity[numbers[one], numbers[other]] - won(
                    shown, numbers, one
                )
                before = min(max(before, 0), won(shown, numbers, third))
                expected += before * worth([third], [one], [other])
                expected += (won(shown, numbers, third) - before) * worth([third], [other], [one])
                for ranking in ([[one], [other], [third]], [[other], [one], [third]]):
                    expected -= tie / 2 * worth(*ranking)
        paid = game.payoffs(end_after(letters, hands))
        assert paid == pytest.approx(expected, abs=1e-9), letters


@pytest.mark.slow
def test_iterations_equal_those_on_the_game_written_out(few_hands):
    game = module.ThreeHanded()
    plain = eq.solve(eq.compile_game(game), "cfr+", iterations=20)
    hands = eq.solve(three_hand_form(game.three_hands()), "cfr+", iterations=20)
    assert hands.value == pytest.approx(plain.value, abs=1e-12)
    assert hands.nash_conv == pytest.approx(plain.nash_conv, abs=1e-12)
    assert hands.cce_distance == pytest.approx(plain.cce_distance, abs=1e-12)


def test_deals_of_three_classes_are_counted():
    deals = deals_of_classes()
    assert deals.sum() == 1326 * 1225 * 1128
    assert (deals == deals.transpose(1, 2, 0)).all()
    for names in (
        ("AA", "KK", "QQ"),
        ("AA", "AA", "AKo"),
        ("AKs", "AKo", "A2s"),
        ("77", "77", "76s"),
    ):
        hands = [HANDS[index(name) == CLASS_OF_HAND].tolist() for name in names]
        counted = sum(len({*a, *b, *c}) == 6 for a, b, c in product(*hands))
        assert deals[tuple(map(index, names))] == counted


def test_the_table_of_three_way_all_ins():
    table, deals = load_three_way(), deals_of_classes()
    whole = table.share + table.share.transpose(1, 0, 2) + table.share.transpose(1, 2, 0)
    assert np.abs(whole - 1).max() < 1e-12
    against_two = (deals * table.share).sum(axis=(1, 2)) / deals.sum(axis=(1, 2))
    for name, percent in (("AA", 73.4), ("KK", 68.9), ("AKs", 50.7)):
        assert 100 * against_two[index(name)] == pytest.approx(percent, abs=0.2)


def test_the_table_agrees_with_random_boards():
    rng, names = np.random.default_rng(5), ("QQ", "AKs", "JTs")
    boards = np.array([rng.choice(52, 5, replace=False) for _ in range(8_000)])
    won_pots, count = np.zeros(3), 0
    for hands in product(*(HANDS[index(name) == CLASS_OF_HAND] for name in names)):
        if len(np.unique(hands)) == 6 and rng.random() < 0.2:
            apart = boards[~np.isin(boards, hands).any(axis=1)]
            best = strengths(apart, np.array(hands))
            wins = best == best.max(axis=1, keepdims=True)
            won_pots, count = (
                won_pots + (wins / wins.sum(axis=1, keepdims=True)).sum(axis=0),
                count + len(apart),
            )
    for first, second, third in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        share = load_three_way().share[tuple(index(names[each]) for each in (first, second, third))]
        assert share == pytest.approx(won_pots[first] / count, abs=0.015)


@pytest.mark.slow
def test_two_seats_are_recovered_where_the_button_folds():
    two = eq.solve("push_fold", until=1e-5)
    play = {}
    for hand in CLASSES:
        play[0, hand] = {"push": 0.0, "fold": 1.0}
        play[1, f"{hand} fold"] = two.strategy[0, hand]
        play[2, f"{hand} fold-push"] = two.strategy[1, f"{hand} push"]
    result = eq.evaluate("push_fold(seats=3)", play, missing="uniform")
    assert result.value == pytest.approx((0, two.value[0], two.value[1]), abs=1e-12)
    gains = np.subtract(result.best_response_value, result.value)[1:]
    assert gains.sum() == pytest.approx(two.nash_conv, abs=1e-12)
    assert result.best_response_value[0] > 0.1  # aces are not folded


@pytest.mark.slow
def test_the_button_pushes_less_than_the_small_blind_and_prizes_tighten_calls():
    def pushed(solution, player, after, action):
        return (
            sum(
                solution.strategy[player, hand + after][action] * n
                for hand, n in zip(CLASSES, COMBOS, strict=True)
            )
            / 1326
        )

    chips = eq.solve("push_fold(seats=3)", iterations=60)
    prizes = eq.solve("push_fold(seats=3, payouts=[50, 30, 20])", iterations=60)
    assert pushed(chips, 0, "", "push") < pushed(chips, 1, " fold", "push") - 0.1
    assert pushed(chips, 2, " push-call", "call") < pushed(chips, 2, " push-fold", "call")
    for after in (" push-fold", " fold-push"):
        assert pushed(prizes, 2, after, "call") < pushed(chips, 2, after, "call")
    assert sum(chips.value) == pytest.approx(0, abs=1e-9)
    assert chips.nash_conv < 0.01


def test_a_damaged_table_is_refused(tmp_path, monkeypatch):
    damaged = bytearray(table_module.FILE.read_bytes())
    damaged[5_000] ^= 1
    path = tmp_path / "three_way.npz"
    path.write_bytes(damaged)
    monkeypatch.setattr(table_module, "FILE", path)
    with pytest.raises(eq.GameError, match="damaged"):
        load_three_way.__wrapped__()


@pytest.mark.parametrize(
    ("settings", "message"),
    [("seats=3, stack=0.5", "1 or more"), ("seats=3, payouts=[1, 2, 3, 4]", "4 prizes")],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(eq.GameError, match=message) as error:
        eq.load(f"push_fold({settings})")
    assert error.value.wrong_use


def test_samples_of_the_tree_are_refused():
    with pytest.raises(eq.GameError, match="tree=False"):
        eq.solve("push_fold(seats=3)", sampling="external", iterations=1)
