"""Limits of compiling: a count that the user gives, the memory there is, and what random plays tell beforehand."""

import math
import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.errors import GameTooLargeError
from equilibrist.form import limits
from equilibrist.form.limits import CompileBudget
from equilibrist.form.projection import estimate_histories
from equilibrist.form.public import build as public_build
from equilibrist.form.sequence import walk_jit, walk_python
from equilibrist.form.sequence.build import compile_within
from equilibrist.solving import plan

RIVER = str(Path(__file__).parents[2] / "examples" / "spots" / "river.toml")


class Wide:
    """Each of so many moves has so many actions; the payoff tells nothing of them."""

    players = 2

    def __init__(self, moves, actions):
        self.moves, self.choices = moves, range(actions)

    def start(self):
        return ()

    def player(self, state):
        return len(state) % 2 if len(state) < self.moves else -2

    def actions(self, state):
        return self.choices

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return (1, -1)

    def infoset(self, state):
        return str(state)


def test_the_projection_of_an_even_game_is_exact():
    found = estimate_histories(eq.load("goofspiel(cards=5)"), max_depth=1000)
    assert found.expected == pytest.approx(26_931)
    assert found.least == pytest.approx(1e-6 ** (1 / 32) * 26_931)
    assert str(found) == "27,000"


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    "spec",
    ["leduc", "kuhn(players=3)", "liars_dice(faces=3)", "battleship", "no_limit_leduc(stack=7)"],
)
def test_the_projection_is_careful_and_near(spec):
    histories = eq.check_game(eq.load(spec)).histories
    found = estimate_histories(eq.load(spec), max_depth=1000)
    assert histories / 10 < found.least < histories
    assert 0.2 < found.expected / histories < 5


def test_few_plays_suffice_for_a_game_that_is_far_too_large():
    asked = []

    class Counted(Wide):
        def start(self):
            asked.append(self)
            return super().start()

    assert estimate_histories(Counted(80, 10), max_depth=1000, limit=1e9).least > 1e9
    assert len(asked) == 1


def test_rules_that_fail_are_not_projected():
    game = Wide(3, 3)
    game.player = None
    assert estimate_histories(game, max_depth=10) is None


def test_there_is_no_limit_but_the_memory():
    game = eq.load("goofspiel(cards=5)")
    assert compile_within(game, CompileBudget(memory=0.1), keep_tree=False).histories == 26_931
    with pytest.raises(
        eq.GameError,
        match=r"too large to compile: the [\d,]+ histories found so far take .* GB; memory_gb",
    ):
        compile_within(game, CompileBudget(memory=6e-4), keep_tree=False)


def test_rules_in_python_are_limited_by_the_memory():
    with pytest.raises(
        eq.GameError, match=r"histories found so far take .* GB; memory_gb=1e-05 allows less"
    ):
        compile_within(Wide(6, 4), CompileBudget(memory=1e-5), keep_tree=False)


@pytest.mark.parametrize("form", ["sequence", "public", "cards"])
def test_every_form_keeps_to_a_limit_on_histories(form):
    """Those that hold public nodes in place of histories count these."""
    leduc = eq.load("leduc")
    free = eq.compile_game(leduc, form=form)
    if form == "sequence":
        size = free.histories
    else:
        size = free.nodes
    limited = eq.compile_game(leduc, form=form, limits=eq.Limits(histories=size))
    assert limited.fingerprint == free.fingerprint
    too_few = size // 2
    with pytest.raises(GameTooLargeError, match=rf"more than {too_few} .*Limits\(histories=\)"):
        eq.compile_game(leduc, form=form, limits=eq.Limits(histories=too_few))


@pytest.mark.parametrize("form", ["auto", "public"])
def test_a_form_that_is_chosen_keeps_to_a_limit_on_histories(form):
    """No form is named: it is a card form for a spot, and a public one for dice of so many sides."""
    for game in (RIVER, "liars_dice(dice=[1,1], faces=8)"):
        with pytest.raises(GameTooLargeError, match=r"more than 5 .*Limits\(histories=\)"):
            eq.compile_game(game, form=form, limits=eq.Limits(histories=5))


def test_a_game_of_cards_is_checked_within_limits():
    with pytest.raises(GameTooLargeError, match="more than 5 public nodes"):
        eq.check_game(eq.load(RIVER), limits=eq.Limits(histories=5))


def test_a_walk_keeps_to_a_limit_on_moves_or_refuses_it():
    limited = eq.Limits(depth=3)
    with pytest.raises(eq.GameError, match=r"counts no moves.*depth=3.*Leave depth out") as refused:
        eq.compile_game(eq.load("kuhn"), form="walk", limits=limited)
    assert refused.value.wrong_use
    with pytest.raises(eq.GameError, match="does not end within 3 moves"):
        eq.evaluate(Wide(5, 2), {}, missing="uniform", form="walk", limits=limited)


def test_a_game_that_cannot_be_compiled_is_refused_early():
    match = (
        r"Wide is too large to compile: about 1e\+30 or more histories, by random plays, would "
        r"take .*tree=False.*years"
    )
    with pytest.raises(eq.GameError, match=match):
        eq.compile_game(Wide(80, 10))
    with pytest.raises(
        eq.GameError, match=r"more than 1,000,000 histories, about .* Raise Limits\(histories=\)"
    ):
        eq.compile_game(Wide(80, 10), limits=eq.Limits(histories=1_000_000))


@pytest.mark.thinned(4)
@pytest.mark.parametrize(
    ("game", "instead"),
    [
        (
            "dark_hex",
            r"external\(tree=False\)'\): a walk of [\d.]+ minutes certifies the run \(until=\), and any strategy",
        ),
        (
            "dark_hex(size=4)",
            r"external\(tree=False\)'\), and bound .* --samples …\), for a walk takes [\d,]+ years",
        ),
        (
            Wide(18, 4),
            r"outcome\(tree=False\)'\), and bound .* --rollouts …\), for a walk takes [\d.]+ (hours|days)",
        ),
        (
            Wide(10, 5),
            r"outcome\(tree=False\)'\): a walk of [\d.]+ (seconds|minutes|hours) certifies any strategy",
        ),
    ],
)
def test_what_is_too_large_is_refused_with_what_to_do_before_kernels_are_loaded(
    game, instead, monkeypatch
):
    monkeypatch.setattr(plan, "warm_up", None)
    with pytest.raises(
        eq.GameError, match=f"is too large to compile: about .*, by random plays, .*{instead}"
    ):
        eq.solve(game, limits=eq.Limits(memory_gb=1.0))


def test_size_share_and_time_left_are_told_on_the_way(monkeypatch):
    """The estimate is that of random plays for what is left, so that it ends at the number of histories."""
    for walk, game in ((walk_python, Wide(6, 4)), (walk_jit, eq.load("goofspiel(cards=5)"))):
        monkeypatch.setattr(walk, "_LOOK_AT", 16)
        monkeypatch.setattr(walk, "_PROJECT_AT", 60)
        told = []
        histories = compile_within(
            game, CompileBudget(on_stage=told.append), keep_tree=False
        ).histories
        assert re.fullmatch(r"Compiling \S+: \d+ histories", told[0])
        told = [
            re.search(r": ([\d,]+) histories of about ([\d,]+) \((\d+)%\), .* left", text)
            for text in told[1:]
        ]
        found, about, percent = ([int(one[k].replace(",", "")) for one in told] for k in (1, 2, 3))
        assert (found, percent) == (sorted(found), sorted(percent))
        assert about == pytest.approx([histories] * len(about), rel=0.02)  # both games are even
        assert percent == pytest.approx([100 * each / histories for each in found], abs=1)


def test_a_game_that_takes_long_is_announced_with_a_remedy(monkeypatch):
    monkeypatch.setattr(walk_python, "_PROJECT_AT", 60)
    monkeypatch.setattr(limits, "LONG", 0.0)
    match = r"about 5,500 histories, by random plays: compiling it may take .* and 0.0011 GB, of .* GB\. .*tree=False"
    with pytest.warns(eq.EquilibristWarning, match=match):
        assert compile_within(Wide(6, 4), CompileBudget(), keep_tree=False).histories == 5461


@pytest.mark.thinned(2)
@pytest.mark.parametrize("spec", ["leduc(ranks=2000)", "leduc(ranks=1000, merge_suits=False)"])
def test_outcomes_of_public_chance_are_counted_before_they_are_listed(spec, monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 8.0)
    match = r"2,000 outcomes of chance for 2,000 × 2,000 pairs of hands take 384 GB; this machine has 8 GB"
    with pytest.raises(eq.GameError, match=match):
        eq.compile_public(eq.load(spec).public_states())


def test_hands_are_counted_before_they_are_paired(monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 1.0)
    game = eq.load("kuhn").public_states()
    game.hands = [[f"{player}{hand}" for hand in range(10_000)] for player in range(2)]
    monkeypatch.setattr(game, "prior", None)
    with pytest.raises(
        eq.GameError,
        match=r"10,000 × 10,000 pairs of hands take 4.8 GB; this machine has 1 GB free",
    ):
        eq.compile_public(game)


@pytest.mark.parametrize("build", ["walk_python", "walk_jit", "canonical_form"])
def test_too_little_memory_is_told_in_a_sentence(build, monkeypatch):
    def fail(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr(f"equilibrist.form.sequence.build.{build}", fail)
    monkeypatch.setattr("equilibrist.form.sequence.build.SMALL", 1)
    with pytest.raises(
        eq.GameError, match=r"takes more memory than there is\. Sample it without compiling it"
    ):
        eq.compile_game(eq.load("kuhn") if build == "walk_jit" else Wide(2, 2))


def test_too_little_memory_for_public_states_is_told_in_a_sentence(monkeypatch):
    def fail(*args):
        raise MemoryError

    game = eq.load("kuhn").public_states()
    monkeypatch.setattr(game, "prior", fail)
    with pytest.raises(eq.GameError, match="takes more memory than there is"):
        eq.compile_public(game)


def test_public_states_are_limited_by_the_memory(monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 1e-6)
    monkeypatch.setattr(public_build, "_MATRICES_OF_DEAL", 0)
    monkeypatch.setattr(public_build, "_MATRICES_OF_OUTCOME", 0)
    with pytest.raises(eq.GameError, match=r"public states found so far take .* GB"):
        eq.compile_public(eq.load("leduc").public_states())


@pytest.mark.parametrize("count", [0, -1, 2.5, "many", math.inf])
def test_limits_are_whole_numbers(count):
    with pytest.raises(eq.AlgorithmError, match="histories must be a whole number, 1 or more"):
        eq.Limits(histories=count)
    with pytest.raises(eq.AlgorithmError, match="depth must be a whole number, 1 or more"):
        eq.Limits(depth=count)


class Queue:
    """Players decide in turn whether to stop: n players have 2n + 1 histories."""

    def __init__(self, players):
        self.players = players

    def start(self):
        return ()

    def player(self, state):
        return -2 if len(state) == self.players or "stop" in state else len(state)

    def actions(self, state):
        return ("stop", "go")

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, action)

    def payoffs(self, state):
        return [float(player == len(state) - 1) for player in range(self.players)]

    def infoset(self, state):
        return "turn"


@pytest.mark.thinned(5)
@pytest.mark.parametrize("sampling", ["full", "external", "external(tree=False)"])
@pytest.mark.parametrize("players", [1, 2, 18, 24, 100])
def test_many_players_start_at_once(players, sampling):
    solution = eq.solve(Queue(players), iterations=3, sampling=sampling)
    assert solution.histories in (2 * players + 1, None)
    assert solution.players == players


def test_a_public_game_is_compiled_into_public_states_once(monkeypatch):
    from equilibrist.form.public.build import _Compiler
    from equilibrist.games.compile import compile_any

    runs = []
    run = _Compiler.run
    monkeypatch.setattr(_Compiler, "run", lambda self: runs.append(self.name) or run(self))
    game = eq.load("leduc").public_states()
    form = compile_any(game, form="sequence")
    assert form.kind == "sequence"
    assert len([name for name in runs if name == str(game) or "leduc" in name.lower()]) <= 1
