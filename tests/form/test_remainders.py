"""What is divided by a conditional weight: right where the hands that can be met are 1e-30 of the whole, and less.

The judge goes through pairs of hands and adds; nothing of it subtracts what is blocked from a whole.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.form.cards.build import compile_cards
from equilibrist.form.cards.terminal.blockers import Blockers
from equilibrist.form.public.build import compile_public
from equilibrist.game.card_game import ShowdownPayoffs
from equilibrist.game.deal import joint_weight
from equilibrist.game.protocol import CHANCE, TERMINAL, action_label
from equilibrist.games.compile import compile_any
from equilibrist.poker.preflop.all_in import BOARDS, load_all_in
from equilibrist.resolving.cards import CardPart
from support.card_reference import Dealt
from support.kuhn_cards import KuhnCards
from support.random_card_games import Narrowed, RandomCardGame, without_symmetries
from support.solvers import seeds

SPOT = {"board": "Td7s9s6cTc", "pot": 100, "stack": 600, "bets": "100%; a"}
FEW = {"oop": "JcTh,AsJh", "ip": "QcTh,AdJd"}  # QcTh meets AsJh alone


# --- The judge ---


def skewed_strategy(infosets, seed):
    """Return a strategy whose probabilities go down to 1e-40, from hand to hand."""
    rng = np.random.default_rng(seed)
    table = {}
    for player, key, actions in infosets:
        weights = 10.0 ** -rng.choice([0, 0, 1, 8, 22, 30, 40], len(actions))
        table[player, key] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
    return table


def histories_of(game, strategy):
    """Return {(player, infoset): [(state, reach of chance and the other)]}."""
    found = {}

    def visit(state, chance, reach):
        who = game.player(state)
        if who == TERMINAL:
            return
        if who == CHANCE:
            for action, p in zip(game.actions(state), game.probabilities(state), strict=True):
                visit(game.next(state, action), chance * p, reach)
            return
        key = (who, str(game.infoset(state)))
        found.setdefault(key, []).append((state, chance * reach[1 - who]))
        for action in game.actions(state):
            after = list(reach)
            after[who] *= strategy[key][action_label(game, state, action)]
            visit(game.next(state, action), chance, after)

    visit(game.start(), 1.0, [1.0, 1.0])
    return found


def outcomes(game, strategy, state):
    """Return the actions at a state and their probabilities, by chance or by the strategy."""
    actions = game.actions(state)
    who = game.player(state)
    if who == CHANCE:
        return list(zip(actions, game.probabilities(state), strict=True))
    mix = strategy[who, str(game.infoset(state))]
    return [(action, mix[action_label(game, state, action)]) for action in actions]


def value(game, strategy, state, player):
    """Return what a player expects at a history with the strategies of both."""
    if game.player(state) == TERMINAL:
        return game.payoffs(state)[player]
    shares = outcomes(game, strategy, state)
    return sum(p * value(game, strategy, game.next(state, action), player) for action, p in shares)


def best_value(game, strategy, histories, player):
    """Return the value of the best continuation from histories with these weights."""
    total, groups, waiting = 0.0, {}, list(histories)
    while waiting:
        state, weight = waiting.pop()
        who = game.player(state)
        if who == TERMINAL:
            total += weight * game.payoffs(state)[player]
        elif who == player:
            groups.setdefault(str(game.infoset(state)), []).append((state, weight))
        else:
            shares = outcomes(game, strategy, state)
            waiting += [(game.next(state, action), weight * p) for action, p in shares]
    for group in groups.values():
        actions = range(len(game.actions(group[0][0])))
        after = [
            [(game.next(s, game.actions(s)[a]), weight) for s, weight in group] for a in actions
        ]
        total += max(best_value(game, strategy, each, player) for each in after)
    return total


def quantal_gap(game, strategy, temperature):
    """Return the largest |σ − softmax(q / τ)|, with q summed over the histories of each infoset."""
    largest = 0.0
    for (player, key), histories in histories_of(game, strategy).items():
        mass = math.fsum(weight for _, weight in histories)
        if mass < 1e-250:
            continue
        q = []
        for a in range(len(game.actions(histories[0][0]))):
            after = [
                (game.next(state, game.actions(state)[a]), weight) for state, weight in histories
            ]
            q.append(
                sum(weight / mass * value(game, strategy, state, player) for state, weight in after)
            )
        exponents = [math.exp((each - max(q)) / temperature) for each in q]
        played = strategy[player, key].values()
        gaps = [abs(p - each / sum(exponents)) for p, each in zip(played, exponents, strict=True)]
        largest = max(largest, *gaps)
    return largest


# --- Values that are divided by the reach ---


def compare_off_path(game, form, table):
    """Compare the reach, the gain and the best values of every infoset with the judge's."""
    names = form.infosets
    strategy = form.to_slots(
        np.array([table[p, key][action] for p, key, actions in names for action in actions])
    )
    values = ActionValues(form, strategy)
    told = eq.evaluate(form, table, off_path=True).off_path
    for number, (player, key, _) in enumerate(names):
        histories = histories_of(game, table)[player, key]
        mass = math.fsum(weight for _, weight in histories)
        assert values.cf_reach[number] == pytest.approx(mass, rel=1e-9, abs=0), key
        if mass < 1e-200:
            continue
        conditional = [(state, weight / mass) for state, weight in histories]
        best = best_value(game, table, conditional, player)
        followed = sum(weight * value(game, table, state, player) for state, weight in conditional)
        assert told[player, key] == pytest.approx(best - followed, abs=1e-8), key
        first, last = form.first_action[number : number + 2]
        shown = values.values[first:last].max()
        assert shown == pytest.approx(best + game.half, abs=1e-8), key


@pytest.mark.slow
@pytest.mark.parametrize("held", [1, 2, 3, 4])
@settings(max_examples=6)
@given(seed=seeds, rake=st.booleans(), uneven=st.booleans())
def test_gains_and_action_values_where_hardly_any_hand_can_be_met(held, seed, rake, uneven):
    cards = {1: 4, 2: 7, 3: 9, 4: 11}[held]
    options = {
        "hands": 5,
        "cards": cards,
        "streets": (1,) if held < 3 else (),
        "depth": 2,
        "held": held,
    }
    game = without_symmetries(RandomCardGame(seed, rake=rake, uneven=uneven, **options))
    form = compile_cards(game)
    if len(form.infosets):
        compare_off_path(Dealt(game), form, skewed_strategy(form.infosets, seed))


@pytest.mark.thinned(4)
@pytest.mark.parametrize("held", [1, 2, 4])
@pytest.mark.parametrize("seed", range(20))
def test_gains_in_games_of_one_street(held, seed):
    """Small enough for kernels in plain Python; the hands that one hand of the other leaves are 1e-20 of it or less."""
    cards = {1: 4, 2: 7, 4: 11}[held]
    options = {"hands": 9, "cards": cards, "streets": (), "depth": 2, "held": held, "rake": True}
    game = RandomCardGame(seed, **options)
    rng = np.random.default_rng(seed)
    weights = [10.0 ** -rng.choice([0, 20, 21, 22, 30], len(each)) for each in game.deal.weights]
    deal = eq.Deal(game.deal.hands, weights, cards=game.deal.cards)
    game = without_symmetries(Narrowed(game, deal=deal))
    form = compile_cards(game)
    if len(form.infosets):
        compare_off_path(Dealt(game), form, skewed_strategy(form.infosets, seed))


class RakedKuhnCards(KuhnCards):
    """Kuhn's betting over any hands, of whose pot some is raked at a showdown, and less where it is split."""

    def payoff(self, line):
        paid = super().payoff(line)
        if isinstance(paid, ShowdownPayoffs):
            (win, lose), (tie, _), _ = paid
            return ShowdownPayoffs((win - 0.3, lose), (tie - 0.1, tie - 0.1), (lose, win - 0.3))
        return paid


@pytest.mark.thinned(4)
@pytest.mark.parametrize("held", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_gains_at_showdowns_with_every_order_of_strength(held, seed):
    """Ranges of eight hands in which one has nearly all of the weight; the rest are weaker, equal and stronger."""
    rng = np.random.default_rng(seed)
    cards = 2 * held + 3
    hands = [
        sorted({tuple(sorted(rng.permutation(cards)[:held].tolist())) for _ in range(10)})
        for _ in range(2)
    ]
    weights = [10.0 ** -rng.choice([20, 21, 30], len(each)) for each in hands]
    for each in weights:
        each[rng.integers(len(each))] = 1.0
    strengths = {hand: int(rng.integers(4)) for own in hands for hand in own}
    game = RakedKuhnCards(
        hands, weights, cards=cards, strength=lambda hand, _: strengths[tuple(hand)]
    )
    form = compile_cards(game)
    compare_off_path(Dealt(game), form, skewed_strategy(form.infosets, seed))


def test_gains_against_the_only_hand_that_hardly_ever_bets():
    game = eq.poker.Holdem(**SPOT, **FEW)
    form = compile_cards(game)
    table = skewed_strategy(form.infosets, 0)
    first = {"JcTh": 1.0, "AsJh": 1e-30}
    for hand, share in first.items():
        actions = next(actions for p, key, actions in form.infosets if key == f"{hand} Td7s9s6cTc")
        rest = (1.0 - share) / (len(actions) - 1)
        table[0, f"{hand} Td7s9s6cTc"] = {
            action: share if action == "B100" else rest for action in actions
        }
    compare_off_path(Dealt(game), form, table)


# --- Quantal responses ---


@pytest.mark.parametrize("temperature", [0.5, 1.0, 5.0])
def test_a_hand_that_meets_one_rare_hand_plays_its_quantal_response(temperature):
    game = eq.poker.Holdem(**SPOT, **FEW)
    solution = eq.solve(game, concept=eq.QRE(temperature), until=1e-9, iterations=100_000)
    assert solution.stop_reason == "until"
    gap = quantal_gap(Dealt(game), dict(solution.strategy.items()), temperature)
    assert gap == pytest.approx(solution.final.measures["qre_gap"], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("held", [1, 2, 4])
@settings(max_examples=4)
@given(seed=seeds, share=st.sampled_from([0.02, 0.005]))
def test_told_gaps_are_those_of_pairs_of_hands(held, seed, share):
    cards = {1: 4, 2: 7, 4: 11}[held]
    game = without_symmetries(
        RandomCardGame(seed, hands=4, cards=cards, streets=(), depth=3, held=held)
    )
    form = compile_cards(game)
    temperature = share * form.largest_payoff
    solution = eq.solve(form, concept=eq.QRE(temperature), iterations=2_000)
    gap = quantal_gap(Dealt(game), dict(solution.strategy.items()), temperature)
    assert gap == pytest.approx(solution.final.measures["qre_gap"], abs=1e-8)


# --- Masses, deals and equities ---


def hands_and_weights(seed, held, cards=9):
    rng = np.random.default_rng(seed)
    hands = [
        {tuple(sorted(rng.choice(cards, held, replace=False).tolist())) for _ in range(8)}
        for _ in range(2)
    ]
    hands = [sorted(each) for each in hands]
    return hands, [10.0 ** -rng.choice([0, 1, 15, 22, 30], len(each)) for each in hands]


@pytest.mark.parametrize("held", [1, 2, 3, 4])
@given(seed=seeds)
def test_masses_and_deals_are_sums_of_fractions(held, seed):
    hands, weights = hands_and_weights(seed, held)
    pairs = product(
        *(
            zip(each, of_each.tolist(), strict=True)
            for each, of_each in zip(hands, weights, strict=True)
        )
    )
    total = sum(
        Fraction(w) * Fraction(v) for (one, w), (other, v) in pairs if not set(one) & set(other)
    )
    if not total:
        with pytest.raises(eq.GameError, match="no two hands"):
            joint_weight(hands, weights)
        return
    assert joint_weight(hands, weights) == pytest.approx(float(total), rel=1e-12, abs=0)
    blockers = Blockers(eq.Deal(hands, weights, cards=9))
    for player in range(2):
        masses = blockers.mass_of_others((weights[0], weights[1]), player)
        others = list(zip(hands[1 - player], weights[1 - player].tolist(), strict=True))
        for hand, mass in zip(hands[player], masses.tolist(), strict=True):
            right = sum(Fraction(weight) for other, weight in others if not set(hand) & set(other))
            assert mass == pytest.approx(float(right), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("board", "blocked", "met", "hand"),
    [
        ("Td7s9s6cTc", "JcTh", "AsJh", "QcTh"),
        ("Td7s9s6c", "JcTh", "AsJh", "QcTh"),
        ("AdKdQdJdTd", "9c8c", "7h6h", "9c7c"),
        ("Td7s9s6cTc", "JcTh", "AdJh", "KcJc"),
    ],
)
def test_equity_against_hands_of_which_nearly_all_are_blocked(board, blocked, met, hand):
    """It is that against the only hand that is met: better, a tie, or worse."""
    result = eq.poker.equity(board, f"{blocked},{met}:1e-25", f"{hand},2s2h")
    alone = eq.poker.equity(board, met, hand)
    number = list(result.hands[1]).index(hand)
    assert result.equity[1][number] == pytest.approx(alone.equity[1][0], abs=1e-12)


def test_the_numbers_of_a_spot_against_a_hand_that_hardly_ever_bets():
    game = eq.poker.Holdem(**SPOT, **FEW)
    solution = eq.solve(game, concept=eq.QRE(0.5), until=1e-9, iterations=100_000)
    node = eq.poker.SolvedSpot(solution).node("B100")
    number = node.number("QcTh")
    values = dict(zip(node.actions, node.action_ev[:, number].tolist(), strict=True))
    # It beats AsJh, which folds to the raise and has bet 100 into 100.
    assert values == pytest.approx({"F": 0.0, "C": 200.0, "A600": 200.0}, abs=1e-9)
    assert node.equity[1][number] == pytest.approx(1.0, abs=1e-12)


def test_what_an_opponent_of_the_page_answers_to_a_hand_that_hardly_ever_bets():
    """The costs of choices at a table are differences of these values."""
    solution = eq.solve(
        eq.poker.Holdem(**SPOT, **FEW), concept=eq.QRE(0.5), until=1e-9, iterations=100_000
    )
    values = eq.poker.SolvedSpot(solution).best_action_values("B100", SPOT["board"], "QcTh")
    assert values == pytest.approx([0.0, 200.0, 200.0], abs=1e-9)


# --- Before the flop ---


def test_calls_of_pushes_that_hardly_ever_come():
    """Classes of hands are never blocked whole, and ends are sums: nothing is subtracted."""
    table = load_all_in()
    assert (table.pairs > 0).all()
    form = compile_any("push_fold(stack=10)")
    classes = [infoset.key for infoset in form.infosets if infoset.player == 0]
    rng = np.random.default_rng(0)
    pushes = 10.0 ** -rng.choice([0, 8, 22, 30, 40], len(classes))
    pushes[0] = 1.0
    strategy = {(1, f"{name} push"): {"call": 0.5, "fold": 0.5} for name in classes}
    for name, share in zip(classes, pushes.tolist(), strict=True):
        strategy[0, name] = {"push": share, "fold": 1.0 - share}
    told = eq.evaluate(form, strategy, action_values=True).action_values
    for number, name in enumerate(classes):
        weights = table.pairs[:, number] * pushes
        won = table.wins[number] / (table.pairs[number] * BOARDS)
        lost = table.wins[:, number] / (table.pairs[:, number] * BOARDS)
        right = 10.0 * math.fsum(weights * (won - lost)) / math.fsum(weights)
        assert told[1, f"{name} push"]["call"].value == pytest.approx(right, abs=1e-12), name


# --- Parts that are solved again ---


def test_what_a_hand_is_worth_at_the_boundary_of_a_part():
    """Values of the boundary ÷ the weight of what is met: the margins of maxmargin are of this size."""
    game = eq.poker.Holdem(**SPOT, **FEW)
    solution = eq.solve(game, concept=eq.QRE(0.5), until=1e-9, iterations=100_000)
    part = CardPart(solution, "B100", "", None, 0)
    boundary = part.boundary(gifts=True)
    dealt, table = Dealt(game), dict(solution.strategy.items())
    for number, hand in enumerate(game.hands[1]):
        key = 1, f"{hand} Td7s9s6cTc B100"
        histories = histories_of(dealt, table)[key]
        mass = math.fsum(weight for _, weight in histories)
        best = best_value(dealt, table, [(state, weight / mass) for state, weight in histories], 1)
        told = boundary.value[number] / boundary.weight[number] + part.shift
        assert told == pytest.approx(best, abs=1e-9), hand


# --- Public forms ---


@pytest.mark.slow
def test_a_card_that_is_nearly_all_of_the_reach_against_itself():
    """Of 70 cards, who holds the one that nearly alone bets meets the others, whose weight is 1e-30 of it."""
    game = "kuhn(cards=70)"
    form = compile_public(eq.load(game).public_states())
    table = {}
    for player, key, actions in form.infosets:
        rest = 1e-30 * (1 + int(key.split()[0])) if "40" not in key.split()[:1] else 0.5
        table[player, key] = {actions[0]: 1 - rest, actions[1]: rest}
    told = eq.evaluate(form, table, off_path=True).off_path
    sequence = eq.evaluate(
        eq.compile_game(eq.load(game), keep_tree=True), table, off_path=True
    ).off_path
    for player, key, _ in form.infosets:
        assert told[player, key] == pytest.approx(sequence[player, key], abs=1e-9), key
