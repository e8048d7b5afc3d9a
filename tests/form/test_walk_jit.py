"""Compiled rules say what the rules in Python say, and walk to the same tree, array by array."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist._jit.compile import compiled
from equilibrist.form.infosets import Infoset, NamedInfosets
from equilibrist.form.limits import CompileBudget
from equilibrist.form.sequence import walk_jit as jit_module
from equilibrist.form.sequence import walk_python
from equilibrist.form.sequence.canonical import canonical_form
from equilibrist.form.sequence.form import sequence_form
from equilibrist.form.sequence.payoff.layout import entries, make_payoff
from equilibrist.form.sequence.tree import PublicChance
from equilibrist.form.sequence.walk_jit import walk_jit
from equilibrist.game.compiled_rules import CompiledRules, compile_rules
from equilibrist.game.protocol import CHANCE
from equilibrist.games.kuhn import Kuhn
from equilibrist.games.leduc import Leduc
from support.spelled import Spelled, end
from support.trees import walk

GAMES = [
    "kuhn",
    "kuhn(cards=13)",
    "kuhn(players=3, ante=2, bet=3)",
    "kuhn(pass_ends=True)",
    "leduc",
    "leduc(merge_suits=False)",
    "leduc(ranks=2, players=3, raises=1)",
    "leduc(ranks=4, suits=1, bets=(1, 3))",
    "liars_dice(faces=2)",
    "liars_dice(dice=(2, 1), faces=3)",
    "liars_dice(faces=4, wild_biddable=False)",
    "goofspiel",
    "goofspiel(cards=2)",
    "goofspiel(cards=4, hidden=False)",
    "goofspiel(cards=4, prizes='ascending', returns='points')",
    "goofspiel(cards=4, prizes='random')",
    "goofspiel(cards=4, hidden=False, prizes='random')",
]
NO_LIMITS = CompileBudget(10**8, 1000, None)


def in_python(game):
    return walk_python.walk_python(game, NO_LIMITS)


def assert_same_tree(one, two):
    fields = (
        "player",
        "parent",
        "first_child",
        "num_children",
        "probability",
        "infoset",
        "leaf",
        "payoffs",
    )
    pairs = [(getattr(one, name), getattr(two, name)) for name in fields]
    pairs += zip(one.public, two.public, strict=True)
    pairs += [
        (one.infosets.owner, two.infosets.owner),
        (one.infosets.num_actions, two.infosets.num_actions),
    ]
    for first, second in pairs:
        assert first.dtype == second.dtype
        assert first.shape == second.shape
        assert np.array_equal(first, second)
    assert one.infosets == two.infosets
    assert (one.name, one.players, one.depth) == (two.name, two.players, two.depth)


# --- The functions ---


@pytest.mark.thinned(17)
@pytest.mark.parametrize("spec", GAMES)
def test_the_machine_says_what_the_game_says(spec):
    game = eq.load(spec)
    rules, generator = compile_rules(game), np.random.default_rng(0)
    p = rules.parameters
    for _ in range(30):
        state, now = game.start(), rules.start.copy()
        while game.player(state) != eq.TERMINAL:
            assert call(rules.player, p, now) == game.player(state)
            actions = np.zeros(game.max_actions, np.int64)
            count = call(rules.actions, p, now, actions)
            assert actions[:count].tolist() == game.actions(state)
            seen = np.zeros(game.max_observation, np.int64)
            if game.player(state) == CHANCE:
                chances = np.zeros(game.max_actions)
                call(rules.chances, p, now, chances)
                assert chances[:count].tolist() == list(game.probabilities(state))
                known = call(rules.public, p, now, seen)
                assert game.public(state) == (None if known < 0 else tuple(seen[:known].tolist()))
            else:
                known = call(rules.observe, p, now, seen)
                assert game.infoset(state) == game.infoset_name(tuple(seen[:known].tolist()))
            action = int(generator.choice(actions[:count]))
            state = game.next(state, action)
            call(rules.play, p, now, action)
            assert tuple(now.tolist()) == state
        payoffs = np.zeros(game.players)
        assert call(rules.player, p, now) == eq.TERMINAL
        call(rules.payoffs, p, now, payoffs)
        assert payoffs.tolist() == game.payoffs(state)


@compiled(allocates=False)
def _call_2(function, p, s):
    return function(p, s)


@compiled(allocates=False)
def _call_3(function, p, s, third):
    return function(p, s, third)


def call(function, *arguments):
    """Call a compiled rule as kernels do."""
    return (_call_2 if len(arguments) == 2 else _call_3)(function, *arguments)


def test_one_kernel_serves_all_games():
    for spec in ("kuhn", "leduc", "goofspiel"):
        rules = compile_rules(eq.load(spec))
        assert isinstance(rules, CompiledRules)
        assert call(rules.player, rules.parameters, rules.start) == eq.load(spec).player(
            eq.load(spec).start()
        )
    assert len(_call_2.signatures) == 1


# --- The walk ---


@pytest.mark.thinned(2)
@pytest.mark.parametrize("spec", GAMES)
def test_both_walks_find_the_same_tree(spec):
    game = eq.load(spec)
    walked = walk_jit(game, NO_LIMITS, keep_tree=True)
    by_python = in_python(game)
    assert_same_tree(walked.tree, by_python)
    assert_same_canonical(walked.canonical, canonical_form(by_python))
    assert_same_canonical(
        walk_jit(game, NO_LIMITS, keep_tree=False).canonical, canonical_form(by_python)
    )


def assert_same_canonical(one, two):
    for name, first, second in zip(one._fields, one, two, strict=True):
        assert (
            np.array_equal(first, second) if isinstance(first, np.ndarray) else first == second
        ), name


def test_the_walk_goes_on_where_arrays_grow(monkeypatch):
    monkeypatch.setattr(jit_module, "_FIRST_STEPS", 1)
    monkeypatch.setattr(jit_module, "_MOST_STEPS", 7)
    monkeypatch.setattr(jit_module, "_LEVELS", 1)
    game = eq.load("goofspiel(cards=3, prizes='random')")
    assert_same_tree(walk_jit(game, NO_LIMITS, keep_tree=True).tree, in_python(game))


def test_equal_hashes_decide_nothing(monkeypatch):
    empty = jit_module.make_table
    monkeypatch.setattr(
        jit_module,
        "make_table",
        lambda most: empty(most)._replace(factors=np.zeros(most, np.int64)),
    )
    for spec in ("leduc", "goofspiel(cards=3, prizes='random')"):
        game = eq.load(spec)
        assert_same_tree(walk_jit(game, NO_LIMITS, keep_tree=True).tree, in_python(game))


def test_the_tree_is_kept_on_demand():
    game = eq.load("leduc")
    assert eq.compile_game(game).tree is None
    kept = eq.compile_game(game, keep_tree=True)
    assert_same_tree(kept.tree, in_python(game))
    for one, two in zip(kept.payoff, eq.compile_game(game).payoff, strict=True):
        assert np.array_equal(one, two)


@pytest.mark.parametrize("keep_tree", [True, False])
def test_limits_are_those_of_the_walk_in_python(keep_tree):
    game = eq.load("leduc")
    for limits in (
        CompileBudget(100, 1000, None),
        CompileBudget(1938, 1000, None),
        CompileBudget(10**6, 3, None),
        CompileBudget(1, 1000, None),
    ):
        with pytest.raises(eq.GameError) as by_python:
            walk_python.walk_python(game, limits)
        with pytest.raises(eq.GameError) as by_machine:
            walk_jit(game, limits, keep_tree=keep_tree)
        assert str(by_machine.value) == str(by_python.value)
    deep = in_python(game).depth
    assert (
        walk_jit(game, CompileBudget(1939, deep, None), keep_tree=keep_tree).canonical.histories
        == 1939
    )


def test_an_interrupt_is_heard():
    def stop(histories):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eq.compile_game(eq.load("liars_dice"), callbacks=stop)


# --- Games that are not what their rules say ---


class Blind(Leduc):
    """Nobody sees a private card: infosets merge, and the player forgets nothing."""

    def infoset_name(self, observation):
        return super().infoset_name((0, *observation[1:]))


class Generous(Kuhn):
    def payoffs(self, state):
        return [2 * payoff for payoff in super().payoffs(state)]


class Spoken(Kuhn):
    def action_label(self, state, action):
        return f"the {super().action_label(state, action)}"


def nothing(p, s, *out):
    return 0


def not_finite(p, s, out):
    out[0] = 1e308 * 10
    out[1] = 0.0
    return 0


def python_only(p, s):
    return {"player": s[0]}["player"]


def too_likely(p, s, out):
    for outcome in range(p[0]):
        out[outcome] = 0.9
    return 0


def forgetful(p, s, out):
    out[0] = 7
    return 1


def kuhn_with(**rules):
    """Return Kuhn poker with some rules of its own, and texts that belong to them."""

    class Changed(Kuhn):
        name = "changed"

        def infoset_name(self, observation):
            return str(observation)

    Changed.rules = Kuhn.rules._replace(**rules)
    return Changed()


def test_who_goes_by_the_rules():
    assert jit_module.follows_its_rules(Kuhn())
    assert jit_module.follows_its_rules(Spoken())
    assert jit_module.follows_its_rules(kuhn_with())
    assert not jit_module.follows_its_rules(Blind())
    assert not jit_module.follows_its_rules(Generous())
    patched = Kuhn()
    patched.payoffs = lambda state: [0, 0]
    assert not jit_module.follows_its_rules(patched)
    assert walk_jit(patched, NO_LIMITS, keep_tree=False) is None


def test_other_methods_are_asked():
    assert len(eq.compile_game(Blind()).infosets) < len(eq.compile_game(Leduc()).infosets)
    assert np.array_equal(walk(Generous()).payoffs, 2 * walk(Kuhn()).payoffs)
    assert walk(Spoken()).infosets[0] == (0, "J", ("the pass", "the bet"))


@pytest.mark.slow
def test_rules_that_only_python_understands():
    assert_same_tree(walk(kuhn_with(player=python_only)), in_python(kuhn_with()))


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"actions": nothing}, "nobody can move after the start"),
        ({"payoffs": not_finite}, "payoffs must be finite numbers"),
        ({"chances": too_likely}, "must be 0 or more and sum to 1"),
        ({"observe": forgetful}, "imperfect recall"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_walk_in_python(rules, match):
    with pytest.raises(eq.GameError, match=match):
        eq.check_game(kuhn_with(**rules))


# --- Public moves of chance ---


def test_no_public_chance_in_kuhn_and_in_games_that_do_not_say():
    for game in (eq.load("kuhn"), Spelled(2, (CHANCE, [1], {"x": end(0, 0)}))):
        public = walk(game).public
        assert [len(array) for array in public] == [0, 0, 1, 0]


@pytest.mark.parametrize(("spec", "groups"), [("leduc", 5), ("leduc(merge_suits=False)", 5)])
def test_the_public_card_of_leduc(spec, groups):
    game = eq.load(spec)
    tree = walk(game)
    public = tree.public
    assert all(array.dtype == np.uint32 for array in public)
    assert (np.diff(public.history.astype(int)) > 0).all()
    assert (
        len(set(public.group.tolist())) == groups
    )  # lines that end the first round without a fold
    assert (tree.player[public.history] == CHANCE).all()
    assert np.array_equal(np.diff(public.first), tree.num_children[public.history])
    kinds = game.parameters[1]
    assert public.outcome.max() == kinds - 1
    for i in range(len(public.history)):  # the outcomes of a history differ
        own = public.outcome[public.first[i] : public.first[i + 1]].tolist()
        assert len(set(own)) == len(own)


def test_outcomes_are_the_same_in_all_histories_of_a_group():
    game = eq.load("leduc")
    tree = walk(game)
    card = {}
    for history, group, first, last in zip(*tree.public[:3], tree.public.first[1:], strict=False):
        state = game.start()
        for number in walk_python.child_numbers(tree.parent, tree.first_child, history):
            state = game.next(state, game.actions(state)[number])
        for outcome, action in zip(
            tree.public.outcome[first:last].tolist(), game.actions(state), strict=True
        ):
            assert card.setdefault((group, outcome), action) == action
    assert len(set(card.values())) == 3


def test_a_public_coin_of_a_game_in_python():
    class Coin(Spelled):
        def public(self, state):
            return "everybody knows"

    flip = (0, "x", {"a": (CHANCE, [0.5, 0.5], {"h": end(1, -1), "t": end(-1, 1)})})
    other = (CHANCE, [0.25, 0.75], {"t": end(2, -2), "edge": end(0, 0)})
    public = walk(Coin(2, (0, "x", {**flip[2], "b": other}))).public
    assert public.group.tolist() == [0, 0]
    assert public.first.tolist() == [0, 2, 4]
    assert public.outcome.tolist() == [0, 1, 1, 2]
    assert isinstance(public, PublicChance)


# --- Infosets by number ---


def test_infosets_are_a_sequence():
    game = eq.load("leduc")
    infosets, names = walk(game).infosets, in_python(game).infosets
    assert len(infosets) == len(names) == 288
    assert infosets[0] == names[0]
    assert infosets[-1] == names[287]
    assert infosets[10:13] == tuple(names)[10:13]
    assert list(infosets) == list(names)
    assert infosets == names
    assert infosets == tuple(names)
    assert infosets != names[1:]
    assert infosets != "leduc"
    assert infosets.owner.tolist() == [infoset.player for infoset in names]
    assert infosets.num_actions.tolist() == [len(infoset.actions) for infoset in names]
    assert repr(infosets) == "<288 infosets>"
    with pytest.raises(IndexError):
        infosets[288]
    with pytest.raises(TypeError):
        hash(infosets)


def test_solving_needs_no_names(monkeypatch):
    monkeypatch.setattr("equilibrist.form.sequence.build.SMALL", 1)

    class Nameless(Kuhn):
        rules = Kuhn.rules

        def infoset_name(self, observation):
            raise AssertionError("nobody should ask")

        def action_label(self, state, action):
            raise AssertionError("nobody should ask")

    form = eq.compile_game(Nameless())
    assert len(form.infosets) == 12
    assert len(form.infosets.digest()) == 32
    from equilibrist.cfr.sequence_cfr import SequenceCFR

    SequenceCFR(form, eq.ALGORITHMS["cfr+"]).run(10)


def test_the_digest_tells_games_apart():
    same, other = (walk(eq.load(spec)).infosets.digest() for spec in ("kuhn", "kuhn(cards=4)"))
    assert same == walk(eq.load("kuhn")).infosets.digest() != other
    named = NamedInfosets([Infoset(0, "x", ("a", "b"))])
    assert named.digest() == NamedInfosets(list(named)).digest()
    assert named.digest() != NamedInfosets([Infoset(0, "y", ("a", "b"))]).digest()


# --- The payoff ---


def dense(form):
    """Return each player's entries as a dictionary."""
    tables = []
    for player in range(form.players):
        slot, column, weight = entries(form.payoff, player)
        keys = zip(slot.tolist(), *np.atleast_2d(column).tolist(), strict=True)
        tables.append(dict(zip(keys, weight.tolist(), strict=True)))
        assert len(tables[-1]) == len(slot)
    return tables


@given(seed=st.integers(0, 2**32 - 1), players=st.integers(1, 4))
def test_the_payoff_holds_the_sums_of_all_leaves(seed, players):
    generator = np.random.default_rng(seed)
    leaves = int(generator.integers(1, 200))
    size = int(generator.integers(1, 40))
    slots = generator.integers(0, size, (players, leaves)).astype(np.uint32)
    weights = generator.integers(-1, 2, (leaves, players)).astype(float)
    payoff = make_payoff(slots, weights)
    for player in range(players):
        wanted = {}
        for leaf in range(leaves):
            key = (int(slots[player, leaf]), *np.delete(slots[:, leaf], player).tolist())
            wanted[key] = wanted.get(key, 0.0) + weights[leaf, player]
        slot, column, weight = entries(payoff, player)
        keys = (
            zip(slot.tolist(), *np.atleast_2d(column).tolist(), strict=True)
            if players > 1
            else zip(slot.tolist())
        )
        assert dict(zip(keys, weight.tolist(), strict=True)) == {
            key: total for key, total in wanted.items() if total
        }


@pytest.mark.thinned(3)
@pytest.mark.parametrize("spec", ["leduc(players=3)", "goofspiel(cards=5)", "liars_dice(faces=4)"])
def test_weights_are_shared_by_blocks_or_by_columns_with_the_same_result(spec, monkeypatch):
    from equilibrist.cfr.sequence_cfr import SequenceCFR
    from equilibrist.form.sequence.payoff import pool as module

    forms = []
    for few in (0, 2**40):
        monkeypatch.setattr(module, "_FEW_WEIGHTS", few)
        forms.append(eq.compile_game(eq.load(spec)))
    by_columns, by_blocks = forms
    assert by_columns.payoff.column_weight.ndim == 1
    assert by_blocks.payoff.column_weight.ndim == 2
    assert dense(by_columns) == dense(by_blocks)
    strategies = []
    for form in forms:
        cfr = SequenceCFR(form, eq.ALGORITHMS["cfr+"])
        cfr.run(20)
        strategies.append(cfr.average_strategy())
    assert np.array_equal(*strategies)


def test_the_table_of_eights_grows():
    generator = np.random.default_rng(0)
    leaves = 4000
    slots = np.stack([np.arange(leaves) % 16, np.arange(leaves) // 16]).astype(np.uint32)
    weights = generator.normal(size=(leaves, 2))
    slot, column, weight = entries(make_payoff(slots, weights), 0)
    assert len(slot) == leaves
    assert dict(
        zip(zip(slot.tolist(), column.tolist(), strict=True), weight.tolist(), strict=True)
    ) == {(int(slots[0, leaf]), int(slots[1, leaf])): weights[leaf, 0] for leaf in range(leaves)}


def test_a_form_is_made_of_the_canonical_form():
    game = eq.load("goofspiel(cards=3)")
    tree = in_python(game)
    one, two = sequence_form(canonical_form(tree)), eq.compile_game(game)
    assert one.infosets == two.infosets
    assert all(
        np.array_equal(first, second) for first, second in zip(one.payoff, two.payoff, strict=True)
    )
