"""Explaining an iteration: the numbers are the solver's, and those of the recursion over histories."""

import json
import math
import re

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.cfr.algorithms import ALGORITHMS, find_algorithm
from equilibrist.cfr.sequence_cfr import SequenceCFR
from equilibrist.form.walk.build import compile_walk
from equilibrist.game.protocol import CHANCE, TERMINAL
from equilibrist.learn.explanation.deals import ForcedDeal
from equilibrist.learn.explanation.rendering import choose_columns
from equilibrist.mccfr.sampling import SCHEMES, find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import TreeTable
from equilibrist.mccfr.table_lazy import LazyTable
from support import reference
from support.command import call
from support.random_games import RandomGame
from support.solvers import variant

WAYS = [
    *SCHEMES,
    "full(pruning='zero-reach')",
    "chance(baseline='history')",
    "external(average='lazy')",
    "external(baseline='infoset', tree=False)",
    "external(tree=False)",
    "external(batch=3)",
    "outcome(baseline='history', average='lazy')",
    "outcome(baseline='infoset')",
    "average-strategy(epsilon=0.5)",
]


def regrets_of(node):
    return [move.regret for move in node.moves], [move.cf_regret for move in node.moves]


def summed(explanation):
    """Return {(player, infoset): instant regrets}, added up over the histories."""
    total = {}
    for walk in explanation.walks:
        for node in walk.nodes:
            if node.weight is not None:
                row = total.setdefault((node.player, node.infoset), np.zeros(len(node.moves)))
                row += [move.cf_regret for move in node.moves]
    return total


def test_golden_example():
    """A queen against a king, chance-sampled, simultaneous, first iteration: by hand, as in the tutorials."""
    first = eq.learn.explain("kuhn", "cfr(alternating=False)", deal="QK", sampling="chance")
    assert len(first.walks) == 1
    last = first.node("Q", "K", "p", "b")
    assert (last.infoset, last.value[0], last.weight) == ("Qpb", -1.5, 0.5)
    assert [move.value[0] for move in last.moves] == [-1, -2]
    assert regrets_of(last) == ([0.5, -0.5], [0.25, -0.25])
    assert first.node("Q", "K", "p").value[1] == 1.25
    assert regrets_of(first.node("Q", "K", "b")) == ([-1.5, 1.5], [-0.75, 0.75])
    root = first.node("Q", "K")
    assert (root.infoset, root.value[0], root.weight) == ("Q", -0.875, 1.0)
    assert regrets_of(root) == ([-0.375, 0.375], [-0.375, 0.375])
    assert first.updates[0, "Q"].next_strategy == (0.0, 1.0)
    assert first.updates[1, "Kb"].regret_sum == (-0.75, 0.75)


def test_second_iteration_is_computed_anew():
    """The queen bets now and the king always calls: the tutorials that print −0.875 again are wrong."""
    second = eq.learn.explain("kuhn", "cfr(alternating=False)", iteration=2, deal="QK")
    root = second.node("Q", "K")
    assert [move.probability for move in root.moves] == [0, 1]
    assert (root.value[0], root.moves[1].value[0]) == (-2, -2)
    assert (
        root.moves[0].value[0] == -2
    )  # passes, is bet into, and calls: with both jack and king in mind it pays
    assert second.node("Q", "K", "p").reach == (0, 1)
    assert second.node("Q", "K", "p").weight == 0


@pytest.mark.thinned(5)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("game", ["kuhn", RandomGame(3, ties=False), RandomGame(5)], ids=str)
def test_full_width_equals_the_recursion(game, name, alternating):
    """Every row: histories add up to the instant regrets, and sums and strategies are the recursion's."""
    row = find_algorithm(name)
    horizon = 10 if row.needs_horizon else None
    slow = reference.CFR(eq.load(game), row, alternating=alternating, horizon=horizon)
    for iteration in (1, 2, 5):
        while slow.t < iteration:
            before = {key: dict(sums) for key, sums in slow.regret_sum.items()}
            played = {key: dict(strategy) for key, strategy in slow.strategy.items()}
            slow.iterate()
        told = eq.learn.explain(
            game,
            f"{name}(alternating={alternating})",
            iteration=iteration,
            horizon=horizon,
            max_nodes=10**5,
        )
        assert len(told.walks) == (slow.players if alternating or slow.players == 1 else 1)
        assert set(told.updates) == set(slow.regret_sum)
        for key, update in told.updates.items():
            close = {"rel": 0, "abs": 1e-12}
            assert update.actions == tuple(slow.strategy[key])
            assert update.strategy == pytest.approx(list(played[key].values()), **close)
            assert update.regret_sum_before == pytest.approx(list(before[key].values()), **close)
            assert update.regret_sum == pytest.approx(list(slow.regret_sum[key].values()), **close)
            assert update.next_strategy == pytest.approx(list(slow.strategy[key].values()), **close)
            assert update.strategy_sum == pytest.approx(
                list(slow.strategy_sum[key].values()), **close
            )
            raised = np.add(update.regret_sum_discounted, update.instant_regret)
            assert update.regret_sum == pytest.approx(
                np.maximum(raised, 0) if row.floor else raised, **close
            )
        for key, total in summed(told).items():
            assert told.updates[key].instant_regret == pytest.approx(total, rel=0, abs=1e-12)


def test_values_and_reaches_of_histories():
    """Values are those of the recursion under the strategies in play, reaches the products of its probabilities."""
    told = eq.learn.explain("kuhn", "cfr(alternating=False)", iteration=4)
    slow = reference.CFR(eq.load("kuhn"), find_algorithm("cfr"), alternating=False)
    for _ in range(3):
        slow.iterate()
    game, (walk,) = eq.load("kuhn"), told.walks
    assert len(walk.nodes) == 58 == sum(1 for _ in reference.nodes(slow.root))

    def visit(state, history, reach, chance_reach):
        node = told.node(*history)
        assert (node.reach, node.chance_reach) == (
            pytest.approx(reach),
            pytest.approx(chance_reach),
        )
        player = game.player(state)
        if player == TERMINAL:
            assert node.value == tuple(game.payoffs(state))
            return node.value
        value = [0.0, 0.0]
        for n, action in enumerate(game.actions(state)):
            label = game.action_label(state, action)
            p = (
                game.probabilities(state)[n]
                if player == CHANCE
                else slow.strategy[player, node.infoset][label]
            )
            assert node.moves[n].probability == pytest.approx(p, abs=1e-15)
            own = [r * (p if i == player else 1) for i, r in enumerate(reach)]
            chance = chance_reach * (p if player == CHANCE else 1)
            after = visit(game.next(state, action), (*history, label), own, chance)
            assert node.moves[n].value == pytest.approx(after, abs=1e-14)
            value = [v + p * a for v, a in zip(value, after, strict=True)]
        assert node.value == pytest.approx(value, abs=1e-14)
        if player != CHANCE:
            assert node.weight == pytest.approx(
                chance_reach * math.prod(reach) / max(reach[player], 1e-300)
            ) or (reach[player] == 0)
        return value

    visit(game.start(), (), [1.0, 1.0], 1.0)


@pytest.mark.thinned(25)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["cfr", "dcfr", "pcfr+"])
def test_samples_are_those_of_the_run(way, name, alternating):
    """What is written down adds up to what a run that nobody watches does in the same iteration."""
    way = find_sampling(way)
    game = (
        "leduc"
        if way.chance == "public"
        else "kuhn"
        if way.average_for(2) == "opponent"
        else "kuhn(players=3)"
    )
    rules = eq.load(game)
    ground = (
        TreeTable(eq.compile_game(rules, keep_tree=True))
        if way.tree
        else LazyTable(compile_walk(rules))
    )
    row = find_algorithm(name)
    full = way.full_width
    quiet = (
        SequenceCFR(ground.form, row)
        if full
        else MonteCarloCFR(ground, variant(row, alternating=alternating), way, seed=5)
    )
    quiet.run(7)
    seed = None if way.full_width else 5
    told = eq.learn.explain(
        game,
        f"{name}(alternating={alternating})",
        iteration=7,
        sampling=way,
        seed=seed,
        max_nodes=10**5,
    )
    for key, total in summed(told).items():
        assert told.updates[key].instant_regret == pytest.approx(total, rel=0, abs=1e-12)
    if full:  # test_full_width_equals_the_recursion says more
        return
    first, count = ground.shape()
    now = quiet.state_at(quiet.action_slots(), count)
    assert len(told.updates) == len(first)
    for infoset, slot in zip(ground.infosets(), first.tolist(), strict=True):
        update = told.updates[infoset.player, infoset.key]
        own = slice(slot - quiet.players, slot - quiet.players + len(infoset.actions))
        assert update.next_strategy == tuple(now.strategy[own])
        assert update.strategy_sum == tuple(now.strategy_sum[own])
        if update.visited:
            assert update.regret_sum == tuple(now.regret_sum[own])
        else:
            assert update.regret_sum == pytest.approx(now.regret_sum[own], rel=1e-12, abs=0)


def test_weight_is_divided_by_the_probability_of_the_sample():
    for way in ("chance", "external", "outcome"):
        told = eq.learn.explain("leduc", sampling=way, iteration=3, seed=2)
        for walk in told.walks:
            for node in walk.nodes:
                if node.weight is None:
                    continue
                others = math.prod(reach for p, reach in enumerate(node.reach) if p != node.player)
                if way == "external":  # all that is drawn is drawn as it is played
                    assert node.weight == pytest.approx(1)
                elif way == "chance":
                    assert node.weight == pytest.approx(others)
                else:
                    assert node.weight >= 1 - 1e-12


def dealt(told):
    """Return the deals that the walks of an iteration of Kuhn poker drew."""
    return {node.history[:2] for walk in told.walks for node in walk.nodes if len(node.history) > 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", ["chance", "external(tree=False)", "outcome", "external(average='lazy')"]
)
def test_deals_are_those_of_the_samples(way):
    """Dealt by force or by luck, the same cards in all iterations give the same numbers."""
    options = {"sampling": way, "algorithm": "cfr(alternating=False)"}
    for seed in range(600):
        drawn = [eq.learn.explain("kuhn", iteration=t, seed=seed, **options) for t in (1, 2)]
        if (
            all(len(dealt(told)) == 1 for told in drawn)
            and len(dealt(drawn[0]) | dealt(drawn[1])) == 2
        ):
            break
    deals = ["".join(*dealt(told)) for told in drawn]
    forced = eq.learn.explain("kuhn", deals=deals, seed=seed, **options)
    assert (forced.iteration, forced.deals) == (2, tuple(deals))
    assert forced.walks == drawn[1].walks
    assert {key: forced.updates[key] for key in drawn[1].updates} == drawn[1].updates
    same = eq.learn.explain("kuhn", deals=[deals[0]] * 2, seed=seed, **options)
    every = eq.learn.explain("kuhn", deal=deals[0], iteration=2, seed=seed, **options)
    assert (every.walks, every.updates) == (same.walks, same.updates)


class Textbook:
    """CFR on Kuhn poker with the cards dealt in each iteration, as tutorials write it: no line is shared."""

    def __init__(self):
        self.regret, self.sums = {}, {}

    def sigma(self, key, regret):
        positive = [max(r, 0.0) for r in regret.get(key, (0.0, 0.0))]
        return [p / sum(positive) for p in positive] if sum(positive) else [0.5, 0.5]

    def iterate(self, cards, alternating):
        frozen = {key: [*regret] for key, regret in self.regret.items()}
        for player in (0, 1):
            played = (
                {key: [*regret] for key, regret in self.regret.items()} if alternating else frozen
            )
            self.visit(cards, "", [1.0, 1.0], player, played)

    def visit(self, cards, line, reach, player, played):
        mover = len(line) % 2
        if line in ("pp", "bb", "pbb", "bp", "pbp"):
            higher = 0 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else 1
            won = mover if line.endswith("bp") else higher
            return (2 if line.endswith("bb") else 1) * (1 if won == player else -1)
        key = (mover, cards[mover] + line)
        sigma, value, values = self.sigma(key, played), 0.0, []
        for action, p in zip("pb", sigma, strict=True):
            after = [r * p if i == mover else r for i, r in enumerate(reach)]
            values.append(self.visit(cards, line + action, after, player, played))
            value += p * values[-1]
        if mover == player:
            regret, sums = (
                self.regret.setdefault(key, [0.0, 0.0]),
                self.sums.setdefault(key, [0.0, 0.0]),
            )
            for a in (0, 1):
                regret[a] += reach[1 - mover] * (values[a] - value)
                sums[a] += reach[mover] * sigma[a]
        return value


@pytest.mark.thinned(2)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("tree", [True, False])
def test_deals_equal_the_textbook(tree, alternating):
    """The deal of every iteration is the one that was asked for, not the seed's."""
    slow, deals = Textbook(), ["QK", "QK", "JK", "KQ", "QJ", "QK"]
    for t, deal in enumerate(deals, 1):
        slow.iterate(deal, alternating)
        way = eq.ChanceSampling(tree=tree)
        told = eq.learn.explain(
            "kuhn", f"cfr(alternating={alternating})", deals=deals[:t], sampling=way
        )
        assert told.iteration == t
        assert {key for key, update in told.updates.items() if any(update.strategy_sum)} == set(
            slow.sums
        )
        for key, regret in slow.regret.items():
            update = told.updates[key]
            assert update.visited == (key[1][0] == deal[key[0]])
            assert update.regret_sum == pytest.approx(regret, rel=0, abs=1e-12)
            assert update.strategy_sum == pytest.approx(slow.sums[key], rel=0, abs=1e-12)
            assert update.next_strategy == pytest.approx(
                slow.sigma(key, slow.regret), rel=0, abs=1e-12
            )


def test_infosets_that_were_not_visited_stay_as_they_are():
    told = eq.learn.explain("kuhn", "dcfr", deals="QK,JQ,QK")
    assert len(told.updates) == told.infosets == 12
    assert "All 12 infosets, before → after" in told.to_text(infosets=True)
    few = eq.learn.explain("kuhn", deals="QK", max_nodes=11)
    assert (len(few.updates), few.infosets) == (4, 12)
    assert "Infosets that the iteration came to, of 12" in few.to_text(infosets=True)
    for (player, key), update in told.updates.items():
        assert update.visited == (key[0] == "QK"[player])
        if not update.visited:
            assert (update.strategy, update.strategy_sum_before) == (
                update.next_strategy,
                update.strategy_sum,
            )
            assert update.regret_sum == update.regret_sum_discounted
            assert update.instant_regret == (0, 0)
    assert (
        told.updates[0, "J"].regret_sum != told.updates[0, "J"].regret_sum_before
    )  # the discount is for all


def test_notes_tell_what_may_mislead():
    """Earlier deals that come from the seed leave what is shown as it was at the start."""
    (note,) = eq.learn.explain(
        "kuhn", "cfr(alternating=False)", sampling="chance", iteration=2, seed=1
    ).notes[:1]
    assert note.startswith("No earlier iteration came to ")
    assert eq.learn.explain("kuhn", "cfr(alternating=False)", sampling="chance").notes == []
    (note,) = eq.learn.explain("kuhn", "cfr(alternating=False)", deals="QK,QK").notes
    assert "never come to Kp (weight 0)" in note
    assert (
        f"Note: {note}"
        in eq.learn.explain("kuhn", "cfr(alternating=False)", deals="QK,QK").to_text()
    )


SUM = re.compile(r"((?:[−(]*[\d.e−]+\)? [·+−] )+\(?[−\d.e]+\)?) = (−?[\d.e−]+)")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"algorithm": "cfr(alternating=False)"},
        {"deals": "QK,QK", "algorithm": "cfr(alternating=False)"},
        {"deals": "QK,JQ,QK", "algorithm": "dcfr"},
        {"algorithm": "pcfr+", "iteration": 4},
        {"sampling": "external", "iteration": 30},
        {"sampling": "outcome", "iteration": 30, "algorithm": "cfr(alternating=False)"},
        {"sampling": "external(batch=2)", "iteration": 3},
    ],
    ids=str,
)
def test_the_sums_of_a_story_are_right(options):
    told, sums = eq.learn.explain("kuhn", **options), 0
    for step in told.story():
        for formula, result in SUM.findall(step.sentence):
            sums += 1
            value = eval(formula.replace("−", "-").replace("·", "*"))
            assert value == pytest.approx(
                float(result.rstrip(".").replace("−", "-")), rel=1e-3, abs=2e-3
            )
    assert sums >= 2 * len(
        [node for walk in told.walks for node in walk.nodes if node.weight is not None]
    )


def test_a_story_goes_in_the_order_of_execution():
    story = eq.learn.explain("kuhn", "cfr(alternating=False)", deal="QK", sampling="chance").story()
    sentences = [step.sentence for step in story]
    order = [
        "Chance deals Q K (probability 0.1667). Player 0 moves at Q.",
        "pass (probability 0.5): Player 1 moves at Kp.",
        "bet (probability 0.5): Player 0 moves at Qpb.",
        "Back at Qpb: the value to player 0 is 0.5 · (−1) + 0.5 · (−2) = −1.5.",
        "Regret, value of the action − value here: fold −1 − (−1.5) = 0.5; call −2 − (−1.5) = −0.5.",
        "Back at Kp: the value to player 1 is 0.5 · 1 + 0.5 · 1.5 = 1.25.",
        "Back at Kb: the value to player 1 is 0.5 · (−1) + 0.5 · 2 = 0.5.",
        "Back at Q: the value to player 0 is 0.5 · (−1.25) + 0.5 · (−0.5) = −0.875.",
        "Player 0 at Q: regret sums: pass 0 + (−0.375) = −0.375; bet 0 + 0.375 = 0.375. Next strategy: pass 0, bet 1.",
    ]
    places = [
        next(i for i, sentence in enumerate(sentences) if sentence.startswith(start))
        for start in order
    ]
    assert places == sorted(places)
    assert story[places[2]].depth == 2
    both = [
        [
            s.sentence
            for s in eq.learn.explain("kuhn", f"cfr(alternating={a})", deal="QK").story()
            if s.is_title
        ]
        for a in (False, True)
    ]
    assert both[0][0].startswith("All players update at once")
    assert both[1][0].startswith("Player 0 updates; ")
    assert both[1][2].startswith("Player 1 updates against the others' newest strategies")


def test_deals_average_to_the_full_update():
    """Chance sampling is unbiased: over all deals with their probabilities, the mean regret is that of a full pass."""
    whole = eq.learn.explain("kuhn", "cfr(alternating=False)")
    mean = {key: np.zeros(2) for key in whole.updates}
    for deal in ("JQ", "JK", "QJ", "QK", "KJ", "KQ"):
        told = eq.learn.explain("kuhn", "cfr(alternating=False)", sampling="chance", deal=deal)
        for key, update in told.updates.items():
            mean[key] += np.array(update.instant_regret) / 6
    for key, update in whole.updates.items():
        assert update.instant_regret == pytest.approx(mean[key], rel=0, abs=1e-12)


@pytest.mark.slow
def test_a_deal_chooses_what_is_shown_of_a_full_pass():
    whole, part = eq.learn.explain("leduc", max_nodes=10**5), eq.learn.explain("leduc", deal="QKJ")
    assert all(
        node.history[:2] == ("Q", "K")[: len(node.history)]
        for walk in part.walks
        for node in walk.nodes
    )
    public = {
        node.history[4]
        for walk in part.walks
        for node in walk.nodes
        if len(node.history) > 4 and node.history[2:4] == ("check", "check")
    }
    assert public == {"J"}
    for key, update in part.updates.items():
        assert update == whole.updates[key]
    for walk in part.walks:
        for node in walk.nodes:
            assert node == next(
                n for n in whole.walks[walk.players[0]].nodes if n.history == node.history
            )


@pytest.mark.parametrize(
    ("outcomes", "names", "number", "rest"),
    [
        ("QK", ["J", "Q", "K"], 1, ("K",)),
        ("Q K", ["J", "Q", "K"], 1, ("K",)),
        ("10, 1", ["1", "10"], 1, ("1",)),
        ("101", ["1", "10"], 1, ("1",)),
        ("QsKh", ["Qh", "Qs"], 1, ("Kh",)),
        ("1,0", ["Chance outcome:0", "Chance outcome:1"], 1, ("0",)),
        (["Q", "K"], ["J", "Q", "K"], 1, ("K",)),
        ("Q", ["J", "Q"], 1, ()),
        ("-1 1", ["1", "-1"], 1, ("1",)),  # a name that begins with what may stand between others
        ("1, -1", ["1", "-1"], 0, ("-1",)),
        ("-K", ["Q", "K"], 1, ()),
        ("ace of spades/♠ 2", ["ace", "ace of spades"], 1, ("/♠ 2",)),
        ("Q -", ["J", "Q"], 1, ()),
    ],
)
def test_deals_are_read(outcomes, names, number, rest):
    deal = ForcedDeal(outcomes)
    assert deal.take(deal.remaining, names) == (number, rest)


def test_deals_that_do_not_fit():
    assert ForcedDeal("X").take(("X",), ["J", "Q"]) is None
    assert ForcedDeal(["QK", "J"]).take(("QK", "J"), ["Q", "K"]) is None  # each part is one outcome
    for deal, sentence in (
        ("QX", "at 'X' chance deals one of 'J', 'K'"),
        ("QQ", "'J', 'K'"),
        ("QKJ", "leave out 'J'"),
        ("QK" * 500, "…' names more outcomes than chance deals in kuhn"),
        (7, "A deal must be a text or a list of texts; got 7"),
    ):
        for sampling in ("full", "chance", "external(tree=False)"):
            with pytest.raises(eq.GameError, match=re.escape(sentence)):
                eq.learn.explain("kuhn", deal=deal, sampling=sampling)


def test_samples_may_end_before_all_is_dealt():
    """A fold comes before the public card, which a deal may name all the same; a wrong one is refused all the same."""
    told = [
        eq.learn.explain("leduc", deal="QKJ", sampling="outcome", seed=seed) for seed in range(12)
    ]
    dealt = {
        len([n for n in walk.nodes if n.player == CHANCE]) for one in told for walk in one.walks
    }
    assert dealt == {2, 3}
    for seed in range(3):
        with pytest.raises(eq.GameError, match="at 'X' chance deals one of 'J', 'Q', 'K'"):
            eq.learn.explain("leduc", deal="QKX", sampling="outcome", seed=seed)


def test_samples_may_end_nowhere():
    """Average-strategy sampling may follow no move at all; that is no other deal."""
    way = "average-strategy(epsilon=0.01, beta=0.0, tau=0.0)"
    told = [
        eq.learn.explain("kuhn", deal="QK", sampling=way, iteration=5, seed=seed)
        for seed in range(5)
    ]
    assert any(node.player != TERMINAL for one in told for node in one.walks[0].nodes[-1:])


@pytest.mark.parametrize("options", [{}, {"deal": "Q"}, {"deal": "QX", "sampling": "external"}])
def test_refused_before_anything_is_run(options):
    stages = []
    with pytest.raises(eq.GameError):
        eq.learn.explain("no_limit_leduc", iteration=10**9, callbacks=stages.append, **options)
    assert not stages


def test_rules_that_fail_are_named():
    class Broken(RandomGame):
        def probabilities(self, state):
            return [1 / 0]

    with pytest.raises(eq.GameError, match=r"the rules failed after \[.*ZeroDivisionError"):
        eq.learn.explain(Broken(1), deal="a")


@pytest.mark.parametrize("way", ["external", "outcome(average='lazy')"])
@pytest.mark.parametrize("iteration", [6, 4096, 4097, 4100])
def test_before_is_what_the_iteration_before_left(way, iteration):
    """Decays that are made up for late are shown as if they had been in time, across the blocks of iterations."""
    left = eq.solve(
        "kuhn", "dcfr", iterations=iteration - 1, sampling=way, seed=3, record="all"
    ).recording
    told = eq.learn.explain("kuhn", "dcfr", iteration=iteration, sampling=way, seed=3)
    for key, update in told.updates.items():
        before, sums = np.array(update.regret_sum_before), np.array(update.strategy_sum_before)
        assert before.tolist() == left.at(key).regret_sum[-1].tolist()
        assert update.regret_sum_discounted == pytest.approx(
            before * np.where(before > 0, *told.discount[:2]), rel=1e-9
        )
        if sums.sum():
            assert sums / sums.sum() == pytest.approx(left.at(key).average_strategy[-1], abs=1e-12)


@pytest.mark.parametrize(
    "way", ["external", "outcome", "chance(batch=2)", "outcome(tree=False, average='lazy')"]
)
def test_values_of_samples_follow_from_what_was_visited(way):
    """Up the tree: a drawn move of the updating player is worth value × p ÷ q, of others value, all Σ p value."""
    way = find_sampling(way)
    for game in (
        RandomGame(8),
        RandomGame(11, players=1),
        RandomGame(13, players=4, zero_sum=False),
        "goofspiel(cards=3)",
    ):
        for walk in eq.learn.explain(
            game, "dcfr", iteration=4, seed=9, sampling=way, max_nodes=10**4
        ).walks:
            for i, node in enumerate(walk.nodes):
                (player,) = walk.players
                followed = [move for move in node.moves if move.visited]
                mode = (
                    way.chance
                    if node.player == CHANCE
                    else way.updating
                    if node.player == player
                    else way.others
                )
                if node.player == TERMINAL:
                    continue
                assert walk.nodes[i + 1].history == (*node.history, followed[0].action)
                assert len(followed) == (1 if mode == "one" else len(node.moves))
                shares = [move.probability if mode == "all" else 1.0 for move in followed]
                if mode == "one" and node.player == player:
                    shares = [
                        followed[0].probability
                        / (0.6 / len(node.moves) + 0.4 * followed[0].probability)
                    ]
                value = sum(
                    share * move.value[player] for share, move in zip(shares, followed, strict=True)
                )
                assert node.value[player] == pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"iteration": 0}, eq.AlgorithmError, "iteration must be a whole number, 1 or more; got 0"),
        ({"iteration": True}, eq.AlgorithmError, "got True"),
        ({"max_nodes": 3}, eq.GameError, "more than 3 histories to explain. Name a deal"),
        ({"algorithm": "cfrr"}, eq.AlgorithmError, "Did you mean"),
        ({"seed": 1}, eq.AlgorithmError, "draws nothing"),
        ({"seed": -1, "sampling": "chance"}, eq.AlgorithmError, "seed must be a whole number"),
        ({"algorithm": "hs-dcfr"}, eq.AlgorithmError, "horizon must be 1 or more; got None"),
        ({"horizon": 10}, eq.AlgorithmError, "'cfr' is no schedule"),
        (
            {"sampling": "chance(baseline='history')", "deal": "QK"},
            eq.AlgorithmError,
            "no deal can be forced",
        ),
        ({"deals": "QK", "deal": "QK"}, eq.GameError, "got both, 'QK' and 'QK'"),
        ({"deals": "QK,"}, eq.GameError, "deals must name the deal of each iteration"),
        ({"deals": 5}, eq.GameError, "deals must be a text or a list of deals; got 5"),
        (
            {"deals": "QK", "iteration": 2},
            eq.AlgorithmError,
            "deals names no deal beyond iteration 1; got iteration=2",
        ),
        (
            {"deals": "QK", "sampling": "full"},
            eq.AlgorithmError,
            "'full' draws no single outcomes of chance",
        ),
        ({"deals": "QK,QX"}, eq.GameError, "The deal 'QX' does not fit kuhn"),
        ({"game": eq.compile_game(eq.load("kuhn"))}, eq.GameError, "give the game itself"),
        ({"game": "khun"}, eq.GameError, "kuhn"),
    ],
)
def test_refusals(options, error, sentence):
    with pytest.raises(error, match=re.escape(sentence)) as refused:
        eq.learn.explain(**{"game": "kuhn"} | options)
    assert refused.value.wrong_use


def test_games_of_all_kinds():
    for game in (
        "rps",
        "goofspiel(cards=3)",
        "examples/my_game.py:MyKuhn",
        eq.load("kuhn").public_states(),
    ):
        assert eq.learn.explain(game, iteration=3).updates
    single = eq.learn.explain(
        "examples/my_game.py:MyKuhn", sampling="external(tree=False)", iteration=2
    )
    assert single.updates


def test_rows_are_a_table():
    told = eq.learn.explain("kuhn", deal="QK", sampling="outcome", seed=1)
    table = list(told.rows())
    assert len({tuple(row) for row in table}) == 1  # the same columns everywhere
    assert sum(row["player"] == "end" for row in table) == 2
    arrow = told.to_arrow()
    assert arrow.column_names == list(table[0])
    assert arrow["cf_regret"].to_pylist() == [row["cf_regret"] for row in table]
    assert json.loads(json.dumps(told.summary()))["iteration"] == 1


@pytest.mark.needs("pandas", "polars")
def test_rows_are_a_frame():
    told = eq.learn.explain("kuhn", deal="QK", sampling="outcome", seed=1)
    table = list(told.rows())
    assert told.to_polars().shape == told.to_pandas().shape == (len(table), len(table[0]))


def test_texts():
    told = eq.learn.explain("kuhn", "dcfr(alternating=False)", deal="QK", iteration=2)
    text = str(told)
    assert text.splitlines()[0] == "Iteration 2 of dcfr on kuhn, simultaneous updates, shown for QK"
    line = next(line for line in text.splitlines() if "├─ fold  ends: 1, −1" in line)
    update, node = told.updates[1, "Kb"], told.node("Q", "K", "b")
    for value in (node.moves[0].value[1], update.regret_sum[0], update.next_strategy[0]):
        assert f"{value:.4g}".replace("-", "−") in line.split()
    assert max(map(len, told.to_text(width=80).splitlines())) <= 80
    narrow = told.to_text(width=80)
    for column in ("weight", "cf regret", "instant", "strategy sum", " → "):
        assert column in narrow
    assert told.to_markdown().count("| **player 0 at Q** |") == 1
    shown, _, folded = told.to_html().partition("<details>")
    assert (shown.count("<b>player 0 at Q</b>"), folded.count("<b>player 0 at Q</b>")) == (2, 1)
    assert "Back at Q:" in folded
    assert told._repr_html_() == told.to_html()
    assert repr(told) == "<Explanation of iteration 2 of dcfr on kuhn: 11 histories>"
    with pytest.raises(KeyError, match="did not come to 'J Q'"):
        told.node("J", "Q")


def test_every_number_is_whole_at_any_width():
    told = eq.learn.explain("kuhn", "dcfr", deal="QK", iteration=2)
    for width in (40, 60, 80, 120, 200):
        text = told.to_text(width=width)
        assert "…" not in text
        assert "0.1042" in text.replace("−", "-") or width < 80
    assert max(map(len, told.to_text(width=60).splitlines())) <= 60
    assert all("strategy" in told.to_text(width=width) for width in (40, 60))
    wide = eq.learn.explain(
        "liars_dice", sampling="outcome", seed=1, iteration=2
    )  # a deep tree, whole in a file
    assert "cf value   weight × value" in wide.to_text()
    assert "cf value   weight × value" not in wide.to_text(width=100)
    kuhn = eq.learn.explain("kuhn", deal="QK")
    for width, left_out in (
        (80, "cf value"),
        (60, "reach, cf value, regret, instant"),
    ):  # what is not shown is named
        assert f"Left out for want of room: {left_out}." in kuhn.to_text(width=width).replace(
            "\n", " "
        )


def test_a_deal_may_be_typed_in_small_letters():
    capitals = eq.learn.explain("kuhn", deal="QK").walks
    assert (
        eq.learn.explain("kuhn", deal="qk").walks
        == eq.learn.explain("kuhn", deal=["q", "K"]).walks
        == capitals
    )
    assert (
        eq.learn.explain("kuhn", deals="qk,qj").walks
        == eq.learn.explain("kuhn", deals="QK,QJ").walks
    )


def test_a_column_that_repeats_another_is_left_out():
    """Each infoset of this game has one history: its instant regrets are those of the history, but for rounding."""

    class Alone(RandomGame):
        def infoset(self, state):
            return str(state)

    told = eq.learn.explain(Alone(4, ties=False), iteration=3)
    assert "instant" not in choose_columns(told)
    assert "instant" in choose_columns(eq.learn.explain("rps", iteration=2))


def test_memory_that_does_not_suffice():
    with pytest.raises(eq.GameError, match="more memory than is allowed"):
        eq.learn.explain(
            "liars_dice", sampling="external(tree=False, gigabytes=0.0001)", iteration=2000
        )


def test_names_are_made_fit_to_be_shown():
    class Odd:
        players = 1

        def start(self):
            return ""

        def player(self, state):
            return TERMINAL if state else 0

        def actions(self, state):
            return ["<b>|\x1b[2J", "b", "*c*", "_d_ e_f"]

        def next(self, state, action):
            return action

        def probabilities(self, state):
            return []

        def payoffs(self, state):
            return [1.0 if state == "b" else 0.0]

        def infoset(self, state):
            return "a\nb & <i>"

    told = eq.learn.explain(Odd(), iteration=2)
    assert "\x1b" not in told.to_text() + told.to_markdown()
    assert "<i>" not in told.to_html() + told.to_markdown().replace("&lt;", "")
    assert "\\|" in told.to_markdown()
    assert "| \\*c\\*" in told.to_markdown()
    assert "| \\_d\\_ e_f" in told.to_markdown()


class TestCommand:
    def test_formats(self, capsys, monkeypatch):
        monkeypatch.delenv("COLUMNS", raising=False)  # how wide the lines of a pipe are to be
        options = ("explain", "kuhn", "--deal", "QK", "--iteration", "2")
        text = call(capsys, *options)
        assert (text.code, text.err) == (0, "")
        assert text.out == str(eq.learn.explain("kuhn", deal="QK", iteration=2))
        for form in ("json", "markdown", "html"):
            shown = call(capsys, *options, "--format", form)
            assert (shown.code, shown.err) == (0, "")
            assert "Kb" in shown.out
            assert ("Kpb" in shown.out) == (form != "markdown")
        told = call(capsys, *options, "--json").json
        assert told["iteration"] == 2
        assert call(capsys, *options, "--format", "json").json == told

    def test_any_encoding(self, capsys):
        page = call(capsys, "explain", "kuhn", "--deal", "QK", "--format", "html").out
        assert page.isascii()  # what a terminal of another encoding than the page says cannot spoil
        assert "&#963;" in page

    def test_mistakes(self, capsys):
        call(capsys, "explain", "kuhn", "--format", "htm").fails(2, "Did you mean 'html'?")
        call(capsys, "explain", "kuhn", "--deal", "QX").fails(2, "The deal 'QX' does not fit kuhn")
        call(capsys, "explain", "leduc").fails(2, "--max-nodes")
        call(capsys, "explain", "kuhn", "--iteration", "0").fails(2, "iteration must be")
