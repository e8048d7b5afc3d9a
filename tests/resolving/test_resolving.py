"""Safe re-solving: the coin toss of Brown & Sandholm 2017, Leduc against linear programmes of the whole game, and
what must hold of every part of every game.
"""

import re
from contextlib import suppress

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_array

import equilibrist as eq
from equilibrist.form.gadget import Boundary, Refined, make_gadgets
from equilibrist.form.sequence.part import SequencePart
from support.straddling import Straddling

SAFE = ("refined", "resolve", "maxmargin", "reach")
COIN = "examples/coin_toss.py:CoinToss"
HALF = {"heads": 0.5, "tails": 0.5}
LEDUC = "openspiel:leduc_poker(suit_isomorphism=True)"


def test_refined_adds_a_penalty_to_the_range():
    """Hands enter with their range, of a play that comes there, and with ten times the largest of it by choice."""
    at = Boundary(np.array([0.5, 0.25, 1.0]), np.array([0.2, 0.4, 0.0]), np.ones(3), np.zeros(3))
    gadget = make_gadgets(Refined(), at)[0]
    assert gadget.always == pytest.approx([2.5, 1.25, 0.0])
    assert gadget.chosen == pytest.approx([25.0, 25.0, 0.0])
    assert make_gadgets(Refined(penalty=3.0), at)[0].chosen == pytest.approx([7.5, 7.5, 0.0])


# --- The coin toss: the value is 0, and heads must be guessed with 1/4 ---


def coin_toss(**options):
    """Return the guess and the exploitability after solving it again, where it was 1/2."""
    play = {"sell": 0.5, "play": 0.5}
    blueprint = eq.Strategy.from_dict({(0, "heads"): play, (0, "tails"): play, (1, "guess"): HALF})
    part = eq.resolve(blueprint, "guess", player=1, game=eq.load(COIN), **options)
    spliced = eq.splice(blueprint, part)
    return (
        spliced[1, "guess"]["heads"],
        eq.evaluate(COIN, spliced).best_response_value[0],
        part.part,
    )


@pytest.mark.parametrize(
    ("method", "heads", "exploitability"),
    [
        ("maxmargin", 1 / 2, 1 / 4),
        ("reach", 3 / 8, 1 / 8),
        ("refined", 1 / 2, 1 / 4),
        ("resolve", 1 / 2, 1 / 4),
    ],
)
def test_the_coin_toss(method, heads, exploitability):
    guess, gain, part = coin_toss(method=method)
    assert (guess, gain) == pytest.approx((heads, exploitability), abs=1e-12)
    assert part.excess == pytest.approx(0, abs=1e-12)
    assert part.margin == pytest.approx(0.25 if method == "reach" else 0.0, abs=1e-12)


def test_true_values_as_estimates_give_the_equilibrium_of_the_coin_toss():
    estimates = {"heads: play": 0.5, "tails: play": -0.5}
    assert coin_toss(method=eq.MaxMargin(values=estimates))[:2] == pytest.approx(
        (0.25, 0.0), abs=1e-12
    )
    with pytest.raises(eq.GameError, match="the opponent has no hand 'heads' there"):
        coin_toss(method=eq.Refined(values={"heads": 0.5}))
    with pytest.raises(eq.GameError, match="nothing for the hand 'tails: play'"):
        coin_toss(method=eq.Refined(values={"heads: play": 0.5}))


def test_what_a_method_does_not_take_cannot_be_written():
    with pytest.raises(TypeError):
        eq.Reach(values={})
    with pytest.raises(TypeError):
        eq.Unsafe(values={})
    with pytest.raises(eq.GameError, match="penalty must be a number above 0; got 0"):
        eq.Refined(penalty=0)


def test_unsafe_forgets_what_selling_pays():
    guess, gain, part = coin_toss(method="unsafe")
    assert gain == pytest.approx(abs(guess - 0.25), abs=1e-9)  # any guess is an optimum
    assert part.excess == pytest.approx(abs(guess - 0.5), abs=1e-9)


# --- Leduc: linear programmes of the whole game, with what comes before the parts held fast ---


class Leduc:
    """OpenSpiel's Leduc poker, its 15 parts after the public card, and programmes over all of it."""

    def __init__(self):
        self.form = eq.compile_game(eq.load(LEDUC), keep_tree=True)
        self.infosets = list(self.form.infosets)
        self.place = [self._place(infoset.key) for infoset in self.infosets]
        self.lines = {}
        for infoset, place in zip(self.infosets, self.place, strict=True):
            if place is not None and infoset.key.endswith("[Round2: ]"):
                self.lines.setdefault(place, infoset.key)
        self.value = eq.exact(self.form).value

    @staticmethod
    def _place(key):
        """Return the line and the public card of an infoset of the second round: ("rc", "K")."""
        match = re.search(r"\[Public: (\d)\]\[Round1: ([\d ]+)\]", key)
        return match and (
            match[2].replace(" ", "").translate(str.maketrans("12", "cr")),
            "JQK"[int(match[1])],
        )

    def gain(self, strategy, player):
        """Return what the best response of the other earns beyond the value of the game."""
        return (
            eq.evaluate(self.form, strategy).best_response_value[1 - player]
            - self.value[1 - player]
        )

    def solve_again(self, blueprint, player, method, **options):
        solve = lambda line: eq.resolve(  # noqa: E731
            blueprint, line, method=method, player=player, game=self.form, **options
        )
        return {place: solve(line) for place, line in self.lines.items()}

    def programme(self, strategy, player, *, free, cost, limits=None):
        """Minimise the sum of costs × best-response values of hands of the other over what the player does at ``free``.

        ``cost`` is by (place, hand), or None for the value of the game; ``limits`` are upper bounds of the same.
        """
        form, other, slots = self.form, 1 - player, strategy.at_slots(self.form)[self.form.slot]
        theirs = [i for i, infoset in enumerate(self.infosets) if infoset.player == other]
        sequences, size = form.num_actions + 1, form.num_actions + 1 + len(theirs) + 1
        number = {
            infoset: sequences + 1 + k for k, infoset in enumerate(theirs)
        }  # of its value; the game's is before
        equal, upper = [], []  # (row, column, number)
        rows, right = 1, [1.0]
        equal.append((0, 0, 1.0))
        for i, infoset in enumerate(self.infosets):
            parent, first = int(form.parent_sequence[i]), 1 + int(form.first_action[i])
            actions = range(first, first + len(infoset.actions))
            if infoset.player == player and free[i]:
                equal += [(rows, parent, -1.0), *((rows, a, 1.0) for a in actions)]
                rows += 1
                right.append(0.0)
            elif infoset.player == player:
                for a in actions:
                    equal += [(rows, a, 1.0), (rows, parent, -slots[a - 1])]
                    rows += 1
                    right.append(0.0)
        owner = {0: sequences} | {
            1 + int(form.first_action[i]) + a: number[i]
            for i in theirs
            for a in range(len(self.infosets[i].actions))
        }
        line = {sequence: k for k, sequence in enumerate(owner)}
        for sequence, value in owner.items():
            upper.append((line[sequence], value, -1.0))
        for i in theirs:
            upper.append((line[int(form.parent_sequence[i])], number[i], 1.0))
        entries = form.entries(other)
        upper += list(
            zip(
                [line[int(s)] for s in entries.sequence],
                entries.others[0].astype(int).tolist(),
                entries.weight.tolist(),
                strict=True,
            )
        )
        below, right_upper = len(line), [0.0] * len(line)
        hands = {}
        for i in theirs:
            parent = int(form.parent_sequence[i]) - 1
            above = (
                int(np.searchsorted(form.first_action, parent, side="right")) - 1
                if parent >= 0
                else -1
            )
            if self.place[i] is not None and (above < 0 or self.place[above] is None):
                hands.setdefault(
                    (self.place[i], re.search(r"Private: (\d)", self.infosets[i].key)[1]), []
                ).append(i)
        for hand, limit in (limits or {}).items():
            upper += [(below, number[i], 1.0) for i in hands[hand]]
            right_upper.append(limit)
            below += 1
        objective = np.zeros(size)
        if cost is None:
            objective[sequences] = 1.0
        else:
            for hand, weight in cost(hands).items():
                objective[[number[i] for i in hands[hand]]] = weight
        matrix = lambda cells, count: coo_array(  # noqa: E731
            ([c[2] for c in cells], ([c[0] for c in cells], [c[1] for c in cells])),
            shape=(count, size),
        ).tocsr()
        bounds = [(0, None)] * sequences + [(None, None)] * (size - sequences)
        result = linprog(
            objective, matrix(upper, below), right_upper, matrix(equal, rows), right, bounds
        )
        assert result.status == 0
        return result.fun, {
            hand: result.x[[number[i] for i in group]].sum() for hand, group in hands.items()
        }


@pytest.fixture(scope="module")
def leduc():
    return Leduc()


def uniform(game):
    return eq.Strategy.from_form(game.form, game.form.average_from_sums(np.zeros(game.form.length)))


def after_three(game):
    return eq.solve(game.form, "cfr", iterations=3).strategy


def reach_of_hands(game, blueprint, player):
    """Return the opponent's own reach of each (place, hand)."""
    reach = game.form.reach(blueprint.at_slots(game.form))[game.form.slot]

    def of(hands):
        parents = {
            hand: int(game.form.parent_sequence[group[0]]) - 1 for hand, group in hands.items()
        }
        return {hand: float(reach[parent]) for hand, parent in parents.items()}

    return of


ROWS = [
    (uniform, 0, 2.574115798, 0.874033078),
    (uniform, 1, 2.173106424, 0.802934584),
    (after_three, 0, 2.223117861, 0.410599097),
    (after_three, 1, 1.374495313, 0.359291006),
]


@pytest.mark.slow
@pytest.mark.parametrize(("make", "player", "before", "least"), ROWS)
def test_all_parts_of_leduc_at_once(leduc, make, player, before, least):
    """Before and least are from elsewhere; what refined comes to is a linear programme with the limits as rows."""
    blueprint = make(leduc)
    assert leduc.gain(blueprint, player) == pytest.approx(before, abs=1e-9)
    free = [place is not None for place in leduc.place]
    total, _ = leduc.programme(blueprint, player, free=free, cost=None)
    assert total - leduc.value[1 - player] == pytest.approx(least, abs=1e-8)
    ones = lambda hands: dict.fromkeys(hands, 1.0)  # noqa: E731
    _, limits = leduc.programme(blueprint, player, free=[False] * len(free), cost=ones)
    reach = reach_of_hands(leduc, blueprint, player)
    results = {}
    for method in ("unsafe", "refined"):
        parts = leduc.solve_again(blueprint, player, method)
        spliced = eq.splice(blueprint, *parts.values())
        results[method] = leduc.gain(spliced, player)
        held = limits if method == "refined" else None
        objective, _ = leduc.programme(blueprint, player, free=free, cost=reach, limits=held)
        mine, _ = leduc.programme(spliced, player, free=[False] * len(free), cost=reach)
        assert mine == pytest.approx(objective, abs=1e-8)
        if method == "refined":
            assert sum(part.part.excess for part in parts.values()) < 1e-9
            values = {}
            for place, part in parts.items():
                for hand, number in zip(part.part.hands, part.part.blueprint, strict=True):
                    values[place, re.search(r"Private: (\d)", hand)[1]] = number
            assert values == pytest.approx({hand: limits[hand] for hand in values}, abs=1e-9)
    assert least - 1e-8 <= results["unsafe"] <= results["refined"] + 1e-9 < before


@pytest.mark.slow
def test_what_a_margin_is_worth_on_leduc(leduc):
    """The margins are unique; how much the safe methods take off depends on which optimum is found."""
    blueprint, gains = uniform(leduc), {}
    margins = {"cc": 0.1875, "rc": 691 / 448, "crc": 691 / 448, "rrc": 183 / 76, "crrc": 183 / 76}
    unsafe = {"cc": 0.002777778, "rc": 0.005354035, "rrc": 0.001778353}
    weight = {
        "cc": 1 / 12,
        "rc": 1 / 18,
        "rrc": 1 / 36,
    }  # how often uniform play comes there with a public rank
    for method in ("refined", "maxmargin"):
        parts = leduc.solve_again(blueprint, 0, method)
        gains[method] = leduc.gain(eq.splice(blueprint, *parts.values()), 0)
        for (line, _), part in parts.items():
            if method == "maxmargin":
                assert part.part.margin == pytest.approx(margins[line], abs=1e-9)
    assert gains["refined"] < gains["maxmargin"] < 2.574115798
    for (line, rank), name in leduc.lines.items():
        if line == "cc":
            reach = eq.resolve(blueprint, name, method="reach", player=0, game=leduc.form).part
            assert reach.margin == pytest.approx(
                0.498611111 if rank == "J" else 0.259722222, abs=1e-9
            )
        if line in unsafe and rank == "Q":
            part = eq.resolve(blueprint, name, method="unsafe", player=0, game=leduc.form)
            assert -part.value[0] * weight[line] == pytest.approx(unsafe[line], abs=1e-9)


@pytest.mark.slow
def test_unsafe_harms_what_refined_does_not(leduc):
    blueprint = eq.solve(leduc.form, "cfr", iterations=200).strategy
    before = leduc.gain(blueprint, 0)
    gains = {}
    for method in ("unsafe", "refined"):
        parts = leduc.solve_again(blueprint, 0, method)
        gains[method] = leduc.gain(eq.splice(blueprint, *parts.values()), 0)
    assert gains["refined"] <= before + 1e-9
    assert gains["unsafe"] > 1.5 * before


def test_the_blueprints_own_values_are_a_wrong_boundary(leduc):
    """They are below those of a best response: held to them, the opponent would gain elsewhere, or nothing fits."""
    blueprint = uniform(leduc)
    at_slots = blueprint.at_slots(leduc.form)
    part = SequencePart(leduc.form, leduc.lines["cc", "K"], 0)
    boundary = part.boundary(at_slots)
    ones = lambda hands: dict.fromkeys(hands, 1.0)  # noqa: E731
    _, limits = leduc.programme(blueprint, 0, free=[False] * len(leduc.place), cost=ones)
    expected = [limits[("cc", "K"), re.search(r"Private: (\d)", hand)[1]] for hand in part.hands]
    assert boundary.value == pytest.approx(expected, abs=1e-9)


# --- CFR in the place of the linear programme ---


@pytest.mark.parametrize("method", SAFE)
def test_cfr_comes_to_the_same_and_certifies_it(leduc, method):
    blueprint, line = after_three(leduc), leduc.lines["rc", "J"]
    exact = eq.resolve(blueprint, line, method=method, player=0, game=leduc.form)
    part = eq.resolve(
        blueprint, line, method=method, player=0, game=leduc.form, algorithm="cfr+", iterations=2000
    )
    assert part.value == pytest.approx(exact.value, abs=2 * part.nash_conv)
    assert part.nash_conv < 5e-3
    assert part.part.excess <= part.nash_conv


# --- What must hold everywhere ---


def parts_of(form, player):
    """Return the name of an infoset of each part that there is, by how many moves it begins after."""
    parts, seen = {}, set()
    for infoset in form.infosets:
        if infoset.key not in seen:
            try:
                part = SequencePart(form, infoset.key, player)
            except eq.GameError:
                continue
            keys = {
                form.tree.infosets[int(i)].key for i in np.unique(form.tree.infoset[part.roots])
            }
            seen |= keys
            depth, up = 0, int(part.roots[0])
            while up:
                depth, up = depth + 1, int(form.tree.parent[up])
            parts.setdefault(depth, []).append(infoset.key)
    return parts


GAMES = ["no_limit_leduc(stack=5)", "liars_dice(faces=4)", "leduc", "liars_dice(faces=3)"]
CASES = [("kuhn", 5, method) for method in SAFE]
CASES += [
    (game, iterations, method) for game in GAMES for iterations in (5, 20, 100) for method in SAFE
]


@pytest.mark.thinned(60)
@pytest.mark.parametrize(("game", "iterations", "method"), CASES)
def test_no_safe_method_makes_it_worse_anywhere(game, iterations, method):
    """At public states by themselves, and at those that begin after as many moves together; of large games two."""
    form = eq.compile_game(eq.load(game), keep_tree=True)
    blueprint = eq.solve(form, "cfr", iterations=iterations).strategy
    best = form.values(blueprint.at_slots(form)).best_response_value
    for player in (0, 1):
        for every in parts_of(form, player).values():
            lines = every if form.num_infosets < 400 else every[:: 1 + len(every) // 2]
            parts = []
            for line in lines:
                with suppress(eq.SolutionError):  # the player never comes there
                    parts.append(
                        eq.resolve(blueprint, line, method=method, player=player, game=form)
                    )
            for together in ([part] for part in parts), [parts]:
                for some in together:
                    after = form.values(
                        eq.splice(blueprint, *some).at_slots(form)
                    ).best_response_value[1 - player]
                    assert after <= best[1 - player] + sum(part.part.excess for part in some) + 1e-9
                    assert sum(part.part.excess for part in some) < 1e-8


# --- Errors ---


def test_an_infoset_that_straddles_a_part_is_named():
    game = Straddling()
    blueprint = eq.solve(game, iterations=1).strategy
    message = r"infoset 'either' of player 1 lies partly in what follows on 'second'.*begin earlier"
    with pytest.raises(eq.GameError, match=message):
        eq.resolve(blueprint, "second", player=0, game=game)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"line": "Qb", "player": 2}, "player must be 0 or 1"),
        ({"line": "Qb", "player": True}, "player must be 0 or 1, or None for both; got True"),
        ({"line": None, "player": 1}, "line must be a text.*got None"),
        ({"line": "Qb", "player": 1, "method": ""}, "method must be one of.*got ''"),
        (
            {"line": "Qb", "player": 1, "method": eq.Refined(values=[1, 2])},
            r"values must be a payoff for each hand.*got \[1, 2\]",
        ),
        (
            {"line": "Qb", "player": 1, "method": eq.Refined(values={"Qb": float("nan")})},
            "values must be a payoff for each hand.*nan",
        ),
        ({"line": "Qb", "method": "best"}, "method must be one of 'refined', 'resolve'"),
        ({"line": "Qb", "method": "refined"}, "give player=0 or player=1"),
        ({"line": "Zb", "player": 1}, "has no infoset 'Zb'.*Did you mean"),
        ({"line": "?[pb]", "player": 1}, "names infosets of 2 parts"),
        ({"line": "Qb", "player": 1, "board": "Ks"}, "board and locks are for card forms"),
        (
            {"line": "Qb", "player": 1, "sampling": "external"},
            "sampling='external' is for whole games: parts are",
        ),
        (
            {"line": "Qb", "player": 1, "concept": eq.QRE(1.0)},
            "concept=QRE.* is for whole games: parts are solved",
        ),
        (
            {"line": "Qb", "player": 1, "form": "public", "iterations": 5},
            "form='public' is for whole games",
        ),
        (
            {"line": "Qb", "player": 1, "threads": 2},
            "threads=2 does nothing for a linear programme.*give iterations",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(eq.GameError, match=message):
        eq.resolve(eq.solve("kuhn", iterations=5), **options)


def test_where_the_player_never_comes_there_is_nothing_to_solve():
    rows = {
        "K": {"pass": 1.0, "bet": 0.0},
        "Q": {"pass": 1.0, "bet": 0.0},
        "J": {"pass": 1.0, "bet": 0.0},
    }
    whole = eq.solve("kuhn", iterations=5).strategy
    strategy = eq.Strategy.from_dict(
        {**{key: whole[key] for key in whole}, **{(0, k): v for k, v in rows.items()}}
    )
    with pytest.raises(eq.SolutionError, match="Player 0 never gets to 'Qb'"):
        eq.resolve(strategy, "Qb", player=0, game="kuhn")


def test_what_is_no_part_is_not_spliced(tmp_path):
    blueprint = eq.solve("kuhn", iterations=5)
    part = eq.resolve(blueprint, "Qb", player=1)
    blueprint.save(tmp_path / "whole")
    for other in (blueprint, tmp_path / "whole", [part], None):
        with pytest.raises(eq.SolutionError, match=r"A part is what eq\.resolve returned.*got"):
            eq.splice(blueprint, other)
    with pytest.raises(eq.SolutionError, match=r"A strategy is a Strategy.*got None"):
        eq.splice(None, part)
    with pytest.raises(
        eq.SolutionError, match=r"lacks the infoset '.b' of player 1 with the actions fold, call"
    ):
        eq.splice(eq.solve("leduc", iterations=1), part)


@pytest.mark.parametrize("options", [{}, {"iterations": 20}])
def test_a_part_is_saved_spliced_and_resumed(tmp_path, options):
    blueprint = eq.solve("kuhn", iterations=5)
    part = eq.resolve(blueprint, "Qb", player=1, save=tmp_path / "part", **options)
    read = eq.load_solution(tmp_path / "part")
    assert (read.exploitability, read.summary()["part"]) == (
        part.exploitability,
        part.summary()["part"],
    )
    assert all(
        (getattr(read.part, name) == getattr(part.part, name)).all()
        for name in ("blueprint", "value")
    )
    assert eq.splice(blueprint, tmp_path / "part") == eq.splice(blueprint, part)
    with pytest.raises(
        eq.SolutionError, match=r"holds no regrets|is a part of a run.*eq\.resolve\(RUN, 'Qb'"
    ):
        eq.solve(resume=tmp_path / "part", iterations=40)
    if options:
        again = eq.resolve(blueprint, "Qb", player=1, resume=tmp_path / "part", iterations=40)
        at_once = eq.resolve(blueprint, "Qb", player=1, iterations=40)
        assert (again.strategy, again.part.excess) == (at_once.strategy, at_once.part.excess)


def test_actions_may_be_in_any_order():
    blueprint = eq.solve("kuhn", iterations=5).strategy
    mirrored = eq.Strategy.from_dict(
        {key: dict(reversed(row.items())) for key, row in blueprint.items()}
    )
    gains = []
    for strategy in (blueprint, mirrored):
        part = eq.resolve(strategy, "Qb", player=1, game="kuhn")
        assert part.part.excess < 1e-9
        gains.append(eq.evaluate("kuhn", eq.splice(strategy, part)).exploitability)
    assert gains[1] == pytest.approx(gains[0], abs=1e-12)


def test_where_both_are_solved_again_no_hand_is_held_to_anything():
    blueprint = eq.solve("kuhn", iterations=5)
    part = eq.resolve(blueprint, "Qb")
    assert part.part.summary() == {"method": "unsafe", "players": [0, 1], "line": "Qb"}
    assert eq.splice(blueprint, part) != blueprint.strategy
