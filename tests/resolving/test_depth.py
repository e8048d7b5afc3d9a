"""Parts that are cut at a depth: against the cut game written as rules and solved by linear programme, and against
what the whole game says of the spliced strategy.
"""

import re

import numpy as np
import pytest

import equilibrist as eq
from support.cut_game import CutGame, FixedBelow
from support.random_card_games import RandomCardGame
from support.straddling import Straddling

FIRST = {"kuhn": "J", "leduc": "J", "liars_dice(faces=2)": "1", "liars_dice(faces=3)": "1"}
FAVOURED = {  # of the ways to go on but the blueprint, which actions are played more often, by their places
    "fold": (lambda actions: [action == "fold" for action in actions], 0),
    "call": (lambda actions: [action in ("call", "check", "pass") for action in actions], 1),
    "raise": (lambda actions: [action in ("bet", "raise") for action in actions], 2),
}


def compiled(game):
    return eq.compile_game(eq.load(game), keep_tree=True)


def gain(form, strategy, player):
    """Return what the best response to a player earns."""
    return form.values(strategy.at_slots(form)).best_response_value[1 - player]


def ways_of(blueprint, opponent, count):
    """Return the blueprint and the opponent's other ways to go on, by hand."""
    ways = [{key: dict(row) for key, row in blueprint.items()}]
    for kind in list(FAVOURED)[: count - 1]:
        way = {}
        for (player, key), row in blueprint.items():
            actions, is_favoured = list(row), FAVOURED[kind][0]
            if any(
                action[0].isdigit() for action in actions
            ):  # of liar's dice: the first, the middle, the last
                place = [0, len(actions) // 2, len(actions) - 1][FAVOURED[kind][1]]
                factors = [10.0 if i == place else 1.0 for i in range(len(actions))]
            else:
                factors = [10.0 if yes else 1.0 for yes in is_favoured(actions)]
            scaled = {
                a: p * (f if player == opponent else 1.0)
                for (a, p), f in zip(row.items(), factors, strict=True)
            }
            way[player, key] = {
                action: share / sum(scaled.values()) for action, share in scaled.items()
            }
        ways.append(way)
    return ways


def resolve_from_the_deal(game, blueprint, player, **options):
    return eq.resolve(blueprint, FIRST[game], player=player, game=game, method="unsafe", **options)


CASES = [
    ("kuhn", 1, 4),
    ("kuhn", 2, 3),
    ("liars_dice(faces=2)", 1, 4),
    ("liars_dice(faces=2)", 2, 2),
]
CASES += [("kuhn", 1, 1), ("liars_dice(faces=2)", 3, 1), ("leduc", "1 street", 4)]
SLOW = [
    ("leduc", 1, 4),
    ("leduc", 2, 4),
    ("leduc", 3, 2),
    ("leduc", "1 street", 1),
    ("liars_dice(faces=3)", 2, 4),
]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("game", "depth", "count"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)],
)
def test_the_cut_game_is_the_one_that_is_written_by_hand(game, depth, count, player):
    """Its value by linear programme is the same, and the strategy is worth it there against any answer."""
    blueprint = eq.solve(game, "cfr", iterations=5).strategy
    part = resolve_from_the_deal(
        game, blueprint, player, depth=depth, leaves=eq.continuations(count)
    )
    number, streets = (depth, False) if isinstance(depth, int) else (int(depth[0]), True)
    rules = CutGame(
        eq.load(game),
        number,
        streets=streets,
        opponent=1 - player,
        ways=ways_of(blueprint, 1 - player, count),
    )
    cut = eq.compile_game(rules)
    expected = eq.exact(cut).value
    assert part.value == pytest.approx(expected, abs=1e-9)
    rows = {(p, key): row for (p, key), row in part.strategy.items() if p == player}
    answer = eq.evaluate(cut, rows, missing="uniform").best_response_value[1 - player]
    assert answer == pytest.approx(expected[1 - player], abs=1e-9)


def test_the_blueprints_own_values_are_wrong_leaves():
    """In rock, paper, scissors all actions are worth the same against the equilibrium: nothing is left to be found.

    Where the other one may choose, the only right answer is the equilibrium.
    """
    form = compiled("biased_rps")
    equilibrium = eq.exact(form).strategy
    key = next(infoset.key for infoset in form.infosets if infoset.player == 0)
    gains = {}
    for leaves in ("blueprint", eq.continuations(4)):
        part = eq.resolve(
            equilibrium, key, player=0, game=form, method="unsafe", depth=1, leaves=leaves
        )
        gains[str(leaves)] = gain(form, eq.splice(equilibrium, part), 0)
    assert gains["blueprint"] > 1.0
    assert gains["continuations(4)"] == pytest.approx(0.0, abs=1e-9)


def test_the_blueprints_own_values_harm_more_than_continuations_on_leduc():
    """The first action of all, with everything after it as it was: the other answers better than the blueprint does."""
    form = compiled("leduc")
    blueprint = eq.solve(form, "cfr", iterations=5).strategy
    gains = {None: gain(form, blueprint, 0)}
    for leaves in ("blueprint", "continuations"):
        part = eq.resolve(
            blueprint, "J", player=0, game=form, method="unsafe", depth=1, leaves=leaves
        )
        gains[leaves] = gain(form, eq.splice(blueprint, part), 0)
    assert gains["blueprint"] > gains[None] + 0.5
    assert gains["continuations"] < gains["blueprint"] - 0.5


@pytest.mark.slow
def test_searching_an_action_deep_on_leduc():
    """With the blueprint's values at the leaves it does harm; where the other one chooses, it takes off a quarter."""
    form = compiled("leduc")
    blueprint = eq.solve(form, "cfr", iterations=5)
    exploitability = {}
    for leaves in ("blueprint", "continuations"):
        searcher = eq.Searcher(blueprint, game=form, depth=1, leaves=leaves)
        exploitability[leaves] = eq.evaluate(form, searcher.strategy()).exploitability
    assert (
        exploitability["blueprint"]
        > blueprint.exploitability
        > exploitability["continuations"] + 0.3
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["refined", "resolve", "maxmargin", "reach", "unsafe"])
@pytest.mark.parametrize("game", ["kuhn", "liars_dice(faces=2)"])
def test_what_a_cut_part_costs_is_certified(game, method):
    """The excess is that of the whole game, which the part does not see."""
    form = compiled(game)
    blueprint = eq.solve(form, "cfr", iterations=5)
    positive = 0
    for player in (0, 1):
        before = gain(form, blueprint.strategy, player)
        for line in {infoset.key for infoset in form.infosets}:
            part = eq.resolve(
                blueprint.strategy,
                line,
                player=player,
                game=form,
                method=method,
                depth=1,
                leaves="blueprint",
            )
            after = gain(form, eq.splice(blueprint, part), player)
            assert after <= before + part.part.excess + 1e-9
            positive += part.part.excess > 1e-6
    if method in ("refined", "unsafe"):
        assert positive > 0


@pytest.mark.thinned(2)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_depth_beyond_the_end_cuts_nothing(game):
    blueprint = eq.solve(game, iterations=5)
    whole = eq.resolve(blueprint, FIRST[game], player=0)
    for depth in (30, "4 streets", "30 actions"):
        part = eq.resolve(blueprint, FIRST[game], player=0, depth=depth)
        assert part.value == pytest.approx(whole.value, abs=1e-9)
        assert len(part.strategy) == len(whole.strategy)


def test_what_is_below_stays():
    blueprint = eq.solve("leduc", iterations=5)
    part = eq.resolve(blueprint, "J", player=0, depth="1 street", leaves="blueprint")
    spliced = eq.splice(blueprint, part)
    changed = [
        key for player, key in spliced if spliced[player, key] != blueprint.strategy[player, key]
    ]
    assert changed
    assert not any("/" in key for key in changed)
    assert not any("/" in key for _, key in part.strategy)


# --- All answers at the leaves ---


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("game", "depth"),
    [
        ("kuhn", 1),
        ("liars_dice(faces=2)", 2),
        pytest.param("leduc", 2, marks=pytest.mark.slow),
        pytest.param("leduc", "1 street", marks=pytest.mark.slow),
    ],
)
def test_against_all_answers_nothing_better_is_above(game, depth, player):
    """The value is that of the game in which the player's moves below are chance's, and the spliced strategy has it."""
    form = compiled(game)
    blueprint = eq.solve(form, "cfr", iterations=5).strategy
    gains = {}
    for leaves in ("blueprint", "continuations", "best response"):
        part = resolve_from_the_deal(game, blueprint, player, depth=depth, leaves=leaves)
        gains[leaves] = gain(form, eq.splice(blueprint, part), player)
    number, streets = (depth, False) if isinstance(depth, int) else (int(depth[0]), True)
    ways = [{key: dict(row) for key, row in blueprint.items()}]
    fixed = eq.compile_game(
        FixedBelow(eq.load(game), number, streets=streets, opponent=1 - player, ways=ways)
    )
    assert gains["best response"] == pytest.approx(eq.exact(fixed).value[1 - player], abs=1e-9)
    assert part.value[1 - player] == pytest.approx(gains["best response"], abs=1e-9)
    assert gains["best response"] <= min(gains.values()) + 1e-9


@pytest.mark.thinned(9)
@pytest.mark.parametrize("method", ["refined", "resolve", "maxmargin", "reach"])
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_against_all_answers_parts_are_safe_at_any_depth(game, method):
    form = compiled(game)
    blueprint = eq.solve(form, "cfr", iterations=5)
    for player in (0, 1):
        before = gain(form, blueprint.strategy, player)
        for line in ("J", "Jpb", "Qb") if game == "kuhn" else ("J", "Jr", "Jcc/Q"):
            options = {"player": player, "game": form, "method": method}
            for depth in (1, 2):
                part = eq.resolve(
                    blueprint.strategy, line, depth=depth, leaves="best response", **options
                )
                assert part.part.excess < 1e-8
                assert gain(form, eq.splice(blueprint, part), player) <= before + 1e-8


# --- Functions at the leaves ---


def of_blueprint(leaf, ranges):
    """Return what hands get if both go on as the blueprint does."""
    return (leaf.chance * leaf.payoffs[0]) @ ranges[1], ranges[0] @ (leaf.chance * leaf.payoffs[1])


@pytest.mark.thinned(10)
@pytest.mark.parametrize(
    ("game", "line", "depth"), [("kuhn", "J", 1), ("leduc", "J", 2), ("leduc", "Jcc/Q", 1)]
)
@pytest.mark.parametrize("method", ["unsafe", "refined", "maxmargin"])
def test_a_function_that_says_what_the_blueprint_does(game, line, depth, method):
    """CFR comes to the value of the linear programme over the leaves of the blueprint."""
    form = compiled(game)
    blueprint = eq.solve(form, "cfr", iterations=5).strategy
    for player in (0, 1):
        options = {"player": player, "game": form, "method": method, "depth": depth}
        exact = eq.resolve(blueprint, line, leaves="blueprint", **options)
        part = eq.resolve(
            blueprint, line, leaves=of_blueprint, algorithm="cfr+", iterations=400, **options
        )
        assert part.nash_conv < 2e-2
        assert part.value == pytest.approx(exact.value, abs=part.nash_conv + 1e-9)


@pytest.mark.thinned(2)
@pytest.mark.parametrize("player", [0, 1])
def test_a_function_where_payoffs_have_a_sum(player):
    """A pot is in the middle: what both get together at the leaves is counted as at other ends."""
    form = eq.compile_game(RandomCardGame(7, streets=(1,)), keep_tree=True)
    assert form.payoff_sum != 0
    blueprint = eq.solve(form, "cfr", iterations=3).strategy
    line = next(infoset.key for infoset in form.infosets)
    options = {"player": player, "game": form, "method": "maxmargin", "depth": "1 street"}
    exact = eq.resolve(blueprint, line, leaves="blueprint", **options)
    part = eq.resolve(
        blueprint, line, leaves=of_blueprint, algorithm="cfr+", iterations=300, **options
    )
    assert part.nash_conv < 2e-2
    assert part.value == pytest.approx(exact.value, abs=part.nash_conv + 1e-9)


def test_what_a_function_is_asked():
    """Ranges of whole hands in the play that comes there, and what chance and the blueprint do."""
    form = compiled("kuhn")
    asked = {}

    def leaves(leaf, ranges):
        assert [len(each) for each in ranges] == [len(names) for names in leaf.hands]
        asked[leaf.hands] = leaf, ranges
        return of_blueprint(leaf, ranges)

    blueprint = eq.solve(form, "cfr", iterations=5).strategy
    eq.resolve(
        blueprint, "J", player=0, game=form, method="unsafe", depth=1, leaves=leaves, iterations=1
    )
    assert (
        sorted(len(names) for hands in asked for names in hands) == [3] * 4
    )  # after a pass and after a bet
    for (mine, theirs), (leaf, _) in asked.items():
        same = [[a[0] == b[0] for b in theirs] for a in mine]
        assert leaf.chance == pytest.approx(np.where(same, 0.0, 1 / 6))
        assert leaf.payoffs[0] == pytest.approx(-leaf.payoffs[1])
        assert {key[1:] for key in theirs} <= {"p", "b"}
    calls = blueprint[1, "Kb"]["call"]
    (leaf,) = (leaf for hands, (leaf, _) in asked.items() if "Kb" in hands[1])
    after = leaf.hands[0].index("Q: bet"), leaf.hands[1].index("Kb")
    assert leaf.payoffs[0][after] == pytest.approx(-2 * calls + 1 - calls)


@pytest.mark.parametrize("answer", [([1.0], [1.0]), (np.full(3, np.nan), np.zeros(3))])
def test_a_function_must_return_a_value_for_each_hand(answer):
    with pytest.raises(
        eq.SolutionError, match=r"must return two arrays of finite numbers, 3 and 3 long.*got array"
    ):
        eq.resolve(
            eq.solve("kuhn", iterations=5),
            "J",
            player=0,
            depth=1,
            leaves=lambda leaf, ranges: answer,
        )


# --- Searchers ---


@pytest.mark.parametrize("leaves", ["blueprint", eq.continuations(3)])
def test_a_searcher_with_a_depth_begins_at_each_decision(leaves):
    form = compiled("kuhn")
    blueprint = eq.solve(form, "cfr", iterations=5)
    searcher = eq.Searcher(blueprint, game=form, depth=1, leaves=leaves)
    strategy = searcher.strategy()
    for player in (0, 1):
        excess = sum(record.excess for record in searcher.log if record.player == player)
        assert (
            gain(form, strategy, player) <= gain(form, blueprint.strategy, player) + excess + 1e-9
        )
    assert {re.sub("^.", "", record.line) for record in searcher.log} == {"p", "b", "pb"}


# --- Errors ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth must be a number of actions or of streets.*got 0"),
        ({"depth": True}, "depth must be.*got True"),
        ({"depth": 1.5}, "depth must be.*got 1.5"),
        ({"depth": "2 cards"}, "depth must be.*got '2 cards'"),
        ({"leaves": "blueprint"}, "give a depth as well"),
        (
            {"depth": 1, "leaves": "zero"},
            r"leaves must be 'blueprint', 'best response', eq\.continuations.*got 'zero'",
        ),
        ({"depth": 1, "leaves": 0}, "leaves must be.*got 0"),
        ({"depth": 1, "leaves": "continuations(9)"}, "there are 1 to 4"),
        ({"depth": 1, "player": None}, "depth is for parts that are solved again for a player"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(eq.GameError, match=message):
        eq.resolve(eq.solve("kuhn", iterations=1), "J", **{"player": 0} | options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: eq.continuations(5), "there are 1 to 4.*got 5"),
        (lambda: eq.continuations(2, factor=1), "factor must be a number above 1; got 1"),
        (lambda: eq.continuations(2, factor="a"), "factor must be a number above 1; got 'a'"),
    ],
)
def test_continuations_that_make_no_sense(make, message):
    with pytest.raises(eq.GameError, match=message):
        make()


def test_an_infoset_before_and_after_the_cut_is_named():
    game = Straddling()
    blueprint = eq.solve(game, iterations=1).strategy
    with pytest.raises(
        eq.GameError, match="the infoset 'either' lies partly before the cut and partly after it"
    ):
        eq.resolve(blueprint, "first", player=0, game=game, depth=2)
