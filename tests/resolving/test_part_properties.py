"""What parts promise, each a property: percentages, gifts along the path, deviations of who never moves."""

from itertools import product

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.correlation.plans import find_best_plans, improve_plans, sequence_game
from equilibrist.form.cards.leaves import Above
from equilibrist.form.cards.subgame import find_board
from equilibrist.form.gadget import Boundary, Resolve, Unsafe, make_gadgets
from equilibrist.form.limits import CompileBudget
from equilibrist.form.sequence.part import SequencePart
from equilibrist.game.protocol import action_label
from equilibrist.resolving import depth
from equilibrist.resolving.cards import CardPart, make_part
from equilibrist.resolving.depth import DepthLimit
from equilibrist.resolving.splice import spliced_run
from support.random_card_games import RandomCardGame

TURN = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=80, stack=200, bets='50%, a; a')"


@pytest.fixture(scope="module")
def turn():
    return eq.solve(TURN, "cfr", iterations=5, precision="float64")


def test_a_spliced_run_has_the_percentage_of_its_own_exploitability(turn):
    whole = spliced_run(turn)
    assert whole.final.measures["exploitability_percent"] == pytest.approx(
        100 * whole.exploitability / 80, rel=1e-12
    )
    assert whole.final.measures["exploitability_percent"] == pytest.approx(
        turn.final.measures["exploitability_percent"], rel=1e-9
    )


def test_gifts_on_cards_are_what_a_hand_gave_up_on_the_way(turn):
    """Each is 0 or more, and the value of the best action of a hand × its weight, less that of the one it took."""
    part = CardPart(turn, "X-B40-C", "2s", None, 0)
    gifts = part.boundary(gifts=True).gift
    assert gifts.min() >= 0
    assert gifts.max() > 0
    form, weights = turn.strategy.form, turn.strategy.slots.weights
    best, reach = form.best_responses(weights).best_value, form.cf_reach_at_slots(weights)
    node = next(n for n in form.betting.streets[0].decisions if n.player == 1 and n.line == "X")
    slots = form.slots_of(node, 0)
    taken = node.actions.index("B40")
    expected = (best[slots].max(axis=0) - best[slots[taken]]) / reach[slots[taken]]
    assert gifts[form.hands_on(0, 0, 1)] == pytest.approx(expected, rel=1e-9)


def test_what_is_received_is_less_what_is_put_in_from_here_on(turn):
    """After an unequal bet whoever folds at once has put in nothing more: 80 and the bet of 40 are the other's."""
    parts = make_part(turn, "X-B40")[0], CardPart(turn, "X-B40", "", None, 0).form.game
    for part in parts:
        start = part.start()
        fold = next(a for a in part.actions(start) if action_label(part, start, a) == "F")
        assert part.payoff(part.next(start, fold)) == pytest.approx((0.0, 120.0))
        assert part.pot == pytest.approx(120.0)


@pytest.mark.slow
def test_hands_that_differ_by_suits_alone_need_not_play_alike_after_a_splice(turn):
    """On each river the spliced strategy is the part's, also where the run keeps rivers as one."""
    part = eq.resolve(turn, "X", player=0, iterations=3)
    spliced = eq.splice(turn, part)
    for (player, name), row in list(part.strategy.items())[::11]:
        hand, board, line = f"{name} ".split(" ", 2)
        whole = f"{hand} {board} X-{line}".strip(" -")
        if player == 0:
            assert spliced[player, whole] == pytest.approx(row, abs=1e-6)


def test_a_part_is_refused_where_one_hand_gets_less_though_others_get_more(turn):
    """Solved where player 0 folds to each bet, and spliced where 0 calls: weak hands got more by betting then."""
    form, weights = turn.strategy.form, turn.strategy.slots.weights
    folds, calls = weights.copy(), weights.copy()
    board = find_board(form, form.boards.streets[1][0].cards).board
    for node in form.betting.streets[1].decisions:
        if node.player == 0 and node.line.startswith("X-X |") and "F" in node.actions:
            slots = form.slots_of(node, board)
            for changed, name in ((folds, "F"), (calls, "C")):
                changed[slots] = 0.0
                changed[slots[node.actions.index(name)]] = 1.0
    there, other = (eq.Strategy.from_weights(form, each) for each in (folds, calls))
    part = eq.resolve(there, "X-X", form.boards.streets[1][0].cards, player=0, iterations=3)
    assert eq.splice(there, part) is not None
    with pytest.raises(eq.SolutionError, match="plays otherwise there"):
        eq.splice(other, part)


@pytest.mark.slow
def test_a_part_replaces_what_lies_in_it_and_not_what_it_lies_in():
    """Solved with the run alone, one around an earlier part counts; within a part around it, it is refused."""
    run = eq.solve("leduc(ranks=2)", iterations=5)
    inner, middle, outer = (eq.resolve(run, line, player=1) for line in ("Kcc/A", "Kc", "K"))
    assert eq.splice(run, inner, outer) == eq.splice(run, outer)
    for parts in ((outer, middle), (inner, outer, middle)):
        with pytest.raises(eq.SolutionError, match="is not safe in this strategy"):
            eq.splice(run, *parts)


@pytest.mark.parametrize("player", [0, 1])
def test_hands_are_held_to_values_that_do_not_depend_on_what_the_opponent_did(turn, player):
    """Value and weight are counterfactual: the opponent may come there with other hands, or hardly at all."""
    form, weights = turn.strategy.form, turn.strategy.slots.weights
    rng = np.random.default_rng(0)
    line = "X-B40-C"  # both act on it
    other = weights.copy()
    for node in form.betting.streets[0].decisions:
        if node.player == 1 - player and node.line in ("", "X", "X-B40"):
            slots = form.slots_of(node, 0)
            other[slots] = rng.random(slots.shape)
    changed = eq.Strategy.from_weights(form, other)
    before = CardPart(turn, line, "2s", None, player).boundary(gifts=False)
    after = CardPart(changed, line, "2s", None, player).boundary(gifts=False)
    assert after.reach != pytest.approx(before.reach, rel=1e-3)
    assert after.weight == pytest.approx(before.weight, rel=1e-9)
    assert after.value == pytest.approx(before.value, rel=1e-9, abs=1e-12)


def reach_by_rows(strategy, rules, player, hand, line, board):
    """Return the probability that a player's hand takes its actions on a line, row by row of a strategy."""
    reach, so_far = 1.0, ""
    for street, actions in enumerate(line.split("|")):
        shown = "".join(rules.cards[card] for card in board[: len(rules.board) + street])
        for action in filter(None, actions.strip().split("-")):
            name = " ".join(filter(None, (hand, shown, so_far.strip())))
            if (player, name) in strategy:
                reach *= strategy[player, name][action]
            joint = "" if not so_far or so_far.endswith("| ") else "-"
            so_far += joint + action
        so_far = f"{so_far} | ".lstrip()
    return reach


@pytest.mark.parametrize("seed", [2, 8])
def test_a_part_is_as_likely_as_its_cards_the_hands_and_what_the_player_does(seed):
    """Two streets down, pair of hands by pair: also of hands that the first board blocks, and after an idle street."""
    rules = RandomCardGame(seed, streets=(1, 1), cards=12, hands=4, depth=2)
    form = eq.compile_cards(rules).unmerged()
    run = eq.solve(form, "cfr", iterations=3, precision="float64")
    lines = dict.fromkeys(
        node.line.rpartition("|")[0] for node in form.betting.streets[2].decisions
    )
    hands, weights, start = rules.deal.hands, rules.deal.weights, set(rules.board)
    pairs = [
        (i, j, float(weights[0][i] * weights[1][j]))
        for i, j in product(range(len(hands[0])), range(len(hands[1])))
        if len({*hands[0][i], *hands[1][j], *start}) == len([*hands[0][i], *hands[1][j], *start])
    ]
    total = sum(weight for _, _, weight in pairs)
    left = len(rules.cards) - len(start) - len(hands[0][0]) - len(hands[1][0])
    board = form.boards.streets[2][0].cards
    for line, player in product(list(lines)[:3], range(2)):
        part = CardPart(run, line, board, None, player)
        expected = np.zeros(len(hands[1 - player]))
        for i, j, weight in pairs:
            if not {*hands[0][i], *hands[1][j]} & set(board):
                own = (i, j)[player]
                reach = reach_by_rows(
                    run.strategy, rules, player, rules.hands[player][own], line, board
                )
                expected[(j, i)[player]] += weight * reach / (total * left * (left - 1))
        found = part.boundary(gifts=False).weight * part.scale
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-18)


class Recorded:
    """A meter that writes down what it is asked."""

    def __init__(self):
        self.told = []

    def __call__(self, *_, **__):
        return self

    def check(self, needed, what):
        self.told.append((needed, what))


@pytest.mark.slow
def test_as_many_matrices_are_announced_as_are_made(monkeypatch):
    """One for each board and way to go on, but for leaves below which the opponent decides nothing: there one."""
    meter, made = Recorded(), []

    class Counted(depth.PairPayoffs):
        def of_leaves(self):
            payoffs = super().of_leaves()
            made.append([[len(way.values) for way in of_leaf] for of_leaf in payoffs])
            return payoffs

    monkeypatch.setattr(depth, "Meter", meter)
    monkeypatch.setattr(depth, "PairPayoffs", Counted)
    rules = RandomCardGame(7, streets=(1,))
    run = eq.solve(eq.compile_cards(rules).unmerged(), "cfr", iterations=2)
    slots = run.strategy.slots
    above = Above(rules.deal.weights, 1.0, "")
    for player, number in product(range(2), (1, 2, 3)):
        limit = DepthLimit.read(number, eq.continuations(4), player)
        limit.cut_cards(slots.form, slots.weights, 1 - player, above)
    counts = [sum(map(sum, each)) for each in made]
    hands = [len(of_player) for of_player in rules.deal.hands]
    assert any(len(of_leaf) == 1 for each in made for of_leaf in each)  # where nothing is decided
    assert [int(what.split()[0].replace(",", "")) for _, what in meter.told] == counts
    assert [needed for needed, _ in meter.told] == [32 * n * hands[0] * hands[1] for n in counts]


def test_hands_come_to_a_part_as_shares_of_a_play():
    """By resolve with the probability of chance and the player, by unsafe with that of all three: they sum to 1."""
    at = Boundary(np.array([0.5, 0.25, 0.0]), np.array([0.2, 0.4, 0.1]), np.ones(3), np.zeros(3))
    resolve, unsafe = make_gadgets(Resolve(), at)[0], make_gadgets(Unsafe(), at)[0]
    assert resolve.chosen * at.weight == pytest.approx(at.weight / 0.7, rel=1e-12)
    assert unsafe.always * at.weight == pytest.approx([0.5, 0.5, 0.0], rel=1e-12)
    never = make_gadgets(Unsafe(), at._replace(reach=np.zeros(3)))[0]
    assert never.always == pytest.approx(np.full(3, 1 / 0.7), rel=1e-12)  # all hands alike


class TwoGifts:
    """Player 0 may sell for 3, then for 2, and then lets player 1 guess for 1."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        if state.endswith("s") or len(state) == 3:
            return eq.TERMINAL
        return 1 if len(state) == 2 else 0

    def actions(self, state):
        return ["l", "r"] if len(state) == 2 else ["s", "p"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        value = {"s": 3.0, "ps": 2.0}.get(state, 1.0 if state.endswith("l") else -1.0)
        return value, -value

    def infoset(self, state):
        return f"after {state}"


def test_gifts_are_summed_up_along_the_path():
    """At the first choice 3 is left for 2, the best of what follows; at the second 2 for 1: a gift of 1 and 1."""
    form = eq.compile_game(TwoGifts(), keep_tree=True)
    strategy = eq.Strategy.from_dict(
        {
            (0, "after "): {"s": 0.5, "p": 0.5},
            (0, "after p"): {"s": 0.5, "p": 0.5},
            (1, "after pp"): {"l": 1.0, "r": 0.0},
        }
    )
    boundary = SequencePart(form, "after pp", 1).boundary(strategy.at_slots(form))
    assert boundary.gift == pytest.approx([2.0], abs=1e-12)
    assert boundary.value == pytest.approx([1.0], abs=1e-12)


class Leaves:
    """Player 1 ends the game at once, or lets player 0 choose: of most plays player 0 never moves."""

    players = 2

    def start(self):
        return ""

    def player(self, state):
        return 1 if state == "" else 0 if state == "o" else eq.TERMINAL

    def actions(self, state):
        return ["e", "o"] if state == "" else ["a", "b"]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return state + action

    def payoffs(self, state):
        return {"e": (5.0, 1.0), "oa": (0.0, 2.0), "ob": (1.0, 0.0)}[state]

    def infoset(self, state):
        return "first" if state == "" else "second"


@pytest.mark.parametrize("kind", ["nfcce", "efce", "ce"])
def test_what_who_never_moves_receives_counts_on_both_sides_of_a_deviation(kind):
    """By all deviations in a table of plans: (e, o) × (a, b), with what the mediator draws."""
    result = eq.correlated_equilibrium(Leaves(), kind)
    assert result.value == pytest.approx(
        (5.0, 1.0), abs=1e-9
    )  # who does not come cannot gain: b is drawn after o
    by_player = {each.player: each.gain for each in result.deviations if each.infoset is None}
    if kind == "nfcce":
        drawn = sum(
            outcome.probability for outcome in result.outcomes if outcome.payoffs == (5.0, 1.0)
        )
        assert drawn == pytest.approx(1, abs=1e-9)
        assert by_player[0] == pytest.approx(0, abs=1e-9)  # with a or b the same 5 comes


@pytest.mark.parametrize("seed", range(3))
def test_no_player_alone_improves_good_plans(seed):
    """Whoever begins, and from wherever: each plan is best among all plans of its player, given the others'."""
    game = sequence_game(eq.load("kuhn(players=2)"), CompileBudget())
    rng = np.random.default_rng(seed)
    plans = [game.pure_plans(player) for player in (0, 1)]
    for order in ((0, 1), (1, 0)):
        weights = rng.normal(size=len(game.leaves))
        start = plans[0][int(rng.integers(len(plans[0])))] | plans[1][0]
        worth, plan = improve_plans(game, game.leaves, weights, order, start)
        value = lambda held: weights[np.isin(game.leaves, list(held)).all(axis=1)].sum()  # noqa: B023, E731
        assert worth == pytest.approx(value(plan), abs=1e-12)
        for player in (0, 1):
            others = {s for s in plan if game.owner[s] != player}
            assert worth >= max(value(others | own) for own in plans[player]) - 1e-9


@pytest.mark.slow
def test_best_plans_are_found_where_little_is_between_them():
    """Against all joint plans: also where the best one is better by 1e-7 of the largest weight."""
    game = sequence_game(eq.load("kuhn(players=2)"), CompileBudget())
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-9, 1e9):
        weights = size * (1 + 1e-7 * rng.random(len(game.leaves)))
        worth, plan = find_best_plans(game, game.leaves, weights, (0, 1))
        plans = [game.pure_plans(player) for player in (0, 1)]
        joint = [first | second for first, second in product(*plans)]
        held = np.array([np.isin(game.leaves, list(each)).all(axis=1) for each in joint])
        assert worth == pytest.approx((held @ weights).max(), rel=1e-9)
        assert improve_plans(game, game.leaves, weights, (0, 1), plan)[0] == pytest.approx(
            worth, rel=1e-12
        )
