"""Sampling public states: the same bits as from the tree of the same game, with nothing written out."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist import CHANCE, TERMINAL, Showdown
from equilibrist.cfr.algorithms import ALGORITHMS
from equilibrist.form.sequence import walk_python as tree_module
from equilibrist.game.unfold import to_extensive_form
from equilibrist.mccfr import iterations, source_public
from equilibrist.mccfr import table as table_module
from equilibrist.mccfr.records import BLOCK
from equilibrist.mccfr.sampling import SCHEMES, find_sampling
from equilibrist.mccfr.solver import MonteCarloCFR
from equilibrist.mccfr.table import PublicTable, TreeTable
from support.random_public_games import RandomPublicGame
from support.samples import by_infoset, current, full_regrets
from support.solvers import certificate, variant

pytestmark = pytest.mark.thinned(4)  # see conftest.py

ROWS = [name for name, row in ALGORITHMS.items() if not row.needs_horizon]


class Poker:
    """A card each, and a card on the table that nobody can hold as well; a stake that can be raised at either time.

    A state is (the card on the table or None, moves made in this round, whether a raise is open, the stake), or, after
    a fold, (who has folded, the stake).
    """

    def __init__(self, copies=(3, 2, 1), *, table=True):
        self.copies, self.table = np.array(copies), table
        self.hands = ("JQKA"[: len(copies)],) * 2

    def __str__(self):
        return f"poker {self.copies.tolist()}"

    def _left(self, *gone):
        """Return how many cards of each kind are left, and of all, for each pair of hands."""
        own = np.eye(len(self.copies))
        return self.copies - own[:, None] - own[None] - sum(own[card] for card in gone)

    def prior(self):
        prior = np.outer(self.copies, self.copies) - np.diag(self.copies)
        return prior / prior.sum()

    def start(self):
        return (None, 0, False, 1)

    def player(self, state):
        if len(state) == 2:
            return TERMINAL
        card, moves, raised, _ = state
        if moves == 2:
            return CHANCE if card is None and self.table else TERMINAL
        return 1 - moves % 2 if raised else moves % 2

    def actions(self, state):
        if self.player(state) == CHANCE:
            return range(len(self.copies))
        return ("stay", "fold") if state[2] else ("stay", "raise")

    def action_label(self, state, action):
        return self.hands[0][action] if self.player(state) == CHANCE else action

    def probabilities(self, state):
        left = self._left()
        return [
            np.maximum(left[:, :, card], 0) / (self.copies.sum() - 2)
            for card in range(len(self.copies))
        ]

    def next(self, state, action):
        card, moves, raised, stake = state
        if self.player(state) == CHANCE:
            return (action, 0, False, stake)
        if action == "raise":
            return (card, moves, True, stake + 2)
        if action == "fold":
            return (self.player(state), stake - 2)
        return (card, 2 if raised else moves + 1, False, stake)

    def payoff(self, state):
        if len(state) == 2:
            folded, stake = state
            return stake if folded == 1 else -stake
        card, _, _, stake = state
        strength = [10 if own == card else own for own in range(len(self.copies))]
        return Showdown((strength, strength), win=0.3 * stake, lose=-0.7 * stake, tie=0.1)


class Dice:
    """One die each, bids "at least so many of both dice", and a call; an end is a matrix."""

    def __init__(self, faces=3):
        self.faces = faces
        self.hands = ([f"roll {face}" for face in range(faces)],) * 2

    def __str__(self):
        return f"dice with {self.faces} faces"

    def prior(self):
        return np.full((self.faces, self.faces), 1 / self.faces**2)

    def start(self):
        return (-1, 0)

    def player(self, state):
        return TERMINAL if len(state) == 3 else state[1]

    def actions(self, state):
        return [*range(state[0] + 1, 2 * self.faces), *["call"] * (state[0] >= 0)]

    def probabilities(self, state):
        return []

    def next(self, state, action):
        return (*state, "called") if action == "call" else (action, 1 - state[1])

    def payoff(self, state):
        count, face = divmod(state[0], self.faces)
        shows = np.arange(self.faces) == face
        true = shows[:, None] + 1 * shows[None] > count
        return np.where(true, 1.0, -1.0) * (1 if state[1] == 1 else -1)


GAMES = [Poker((1, 1, 1), table=False), Poker(), Dice()]
PUBLIC = [Poker(), Poker((1, 2, 3)), RandomPublicGame(5), RandomPublicGame(8)]
WAYS = [
    "chance",
    "chance(average='lazy')",
    "chance(average='optimistic', low_discrepancy=True)",
    "chance(pruning='zero-reach', batch=3)",
    "external",
    "external(average='lazy')",
    "external(baseline='infoset', low_discrepancy=True)",
    "external(pruning='regret', prune_below=-0.5, revisit=0.3)",
    "outcome",
    "outcome(average='lazy', baseline='infoset', batch=4)",
    "average-strategy(beta=2.0)",
    "average-strategy(beta=2.0, average='lazy', baseline='infoset')",
    "full(pruning='zero-reach')",
    "full(pruning='regret', prune_below=-0.5)",
    "public-chance",
    "public-chance(average='lazy', batch=3)",
    "public-chance(average='optimistic')",
]


@pytest.fixture(scope="module", autouse=True)
def outcomes_in_their_order():
    """Let trees number the outcomes that everybody sees in the order of the rules: then draws are the same."""

    class InOrder(list):
        def append(self, numbers):
            super().append({outcome: outcome for outcome in range(8)})

    class Walk(tree_module._Walk):
        def _note_public_chance(self, *here):
            self.outcomes = InOrder(self.outcomes)
            super()._note_public_chance(*here)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_module, "_Walk", Walk)
        yield


compile_public = lru_cache(50)(
    eq.compile_public
)  # once for all the solvers of a game of this module


@lru_cache(50)
def compile_tree(game):
    return eq.compile_game(to_extensive_form(game), keep_tree=True)


def from_tree(game):
    return TreeTable(compile_tree(game))


def from_hands(game):
    return PublicTable(compile_public(game))


def solver_of(
    game, algorithm="cfr", sampling="external", *, made=from_hands, alternating=True, **options
):
    return MonteCarloCFR(
        made(game), variant(algorithm, alternating=alternating), find_sampling(sampling), **options
    )


def assert_the_same(one, other):
    """The same nodes, and the same bits in every table, infoset by infoset."""
    assert (one.nodes_touched, one.iteration) == (other.nodes_touched, other.iteration)
    for name in ("strategy", "regret_sum", "strategy_sum", "parent_sum", "updated"):
        wanted = by_infoset(other, getattr(other.slots, name))
        found = by_infoset(one, getattr(one.slots, name))
        assert found.keys() == wanted.keys()
        assert all(np.array_equal(found[key], wanted[key]) for key in wanted), name
    assert one.strategy() == other.strategy()


@pytest.mark.slow
@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("row", ["cfr", "dcfr", "pcfr+"])
@pytest.mark.parametrize("way", WAYS)
def test_the_same_bits_as_from_a_tree(way, row, alternating):
    if "regret" in way and ALGORITHMS[row].floor:
        pytest.skip("nothing is pruned")
    for game in PUBLIC if way.startswith("public") else GAMES:
        solvers = [
            solver_of(game, row, way, made=made, seed=9, alternating=alternating)
            for made in (from_hands, from_tree)
        ]
        for solver in solvers:
            solver.run(40)
        assert_the_same(*solvers)
        for one, other in zip(*(certificate(solver) for solver in solvers), strict=True):
            assert one == pytest.approx(other, abs=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1),
    rng=st.integers(0, 2**63 - 1),
    row=st.sampled_from(ROWS),
    way=st.sampled_from(WAYS),
    alternating=st.booleans(),
)
def test_any_game_is_sampled_as_from_its_tree(seed, rng, row, way, alternating):
    """Hands that are never dealt or never meet, outcomes that some cannot have, branches that grow together."""
    game = RandomPublicGame(seed)
    assume("regret" not in way or not ALGORITHMS[row].floor)
    hands, tree = from_hands(game), from_tree(game)
    assert hands.has_public_chance == tree.has_public_chance
    assume(hands.has_public_chance or not way.startswith("public"))
    solvers = [
        MonteCarloCFR(
            one, variant(ALGORITHMS[row], alternating=alternating), find_sampling(way), seed=rng
        )
        for one in (hands, tree)
    ]
    for solver in solvers:
        solver.run(25)
    assert_the_same(*solvers)
    certificates = [certificate(solver) for solver in solvers]
    assert certificates[0].value == pytest.approx(certificates[1].value, abs=1e-12)
    assert certificates[0].best_response_value == pytest.approx(
        certificates[1].best_response_value, abs=1e-12
    )


@pytest.mark.parametrize(
    "way", ["chance", "external", "outcome(baseline='infoset')", "public-chance"]
)
def test_mean_of_all_samples_is_the_full_update(way, enumerate_turns):
    game = Poker((2, 1))
    solver = solver_of(game, "cfr", way, seed=7)
    solver.run(5)
    truth, _ = full_regrets(to_extensive_form(game), current(solver))
    for player in range(2):
        mean, total = 0.0, 0.0
        for probability, slots in enumerate_turns(solver, player):
            mean = mean + probability * slots.instant_regret
            total += probability
        assert total == pytest.approx(1, abs=1e-12)
        for key, regrets in by_infoset(solver, mean).items():
            if key[0] == player:
                assert regrets == pytest.approx(truth[key], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("way", [way for way in WAYS if "batch" in way])
@pytest.mark.parametrize("alternating", [True, False])
def test_threads_change_nothing(way, alternating, monkeypatch):
    monkeypatch.setattr(iterations, "_FIRST_RECORDS", 4)  # and neither does room that has to grow
    results = [
        solver_of(Poker(), "lcfr", way, seed=5, threads=threads, alternating=alternating)
        for threads in (1, 2, 3)
    ]
    for solver in results:
        solver.run(50)
    for solver in results[1:]:
        assert_the_same(solver, results[0])
        assert certificate(solver) == certificate(results[0])


@pytest.mark.thinned(36)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("row", ["cfr", "dcfr"])
def test_stopping_changes_nothing(way, row):
    game = GAMES[1]
    whole, done = solver_of(game, row, way, seed=5), 0
    counts = (1, 30, 25) if find_sampling(way).others == "all" else (BLOCK - 3, 2, 2, 50)
    for count in counts:
        whole.run(count)
        again = solver_of(game, row, way, seed=5)
        again.load_state(whole.state_dict())
        assert again.strategy() == whole.strategy()
        done += count
    whole.run(20)
    again.run(20)
    parts = solver_of(game, row, way, seed=5)
    parts.run(done + 20)
    assert_the_same(again, whole)
    assert_the_same(parts, whole)


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "full"])
def test_every_scheme_gets_better(scheme):
    solver = solver_of(Poker(), "cfr", scheme, seed=1)
    solver.run(20)
    before = certificate(solver).nash_conv
    solver.run(50_000)
    assert certificate(solver).nash_conv < 0.05 < before


@pytest.mark.slow
def test_built_in_games_by_their_public_states():
    for name in ("kuhn", "leduc", "liars_dice(faces=3)"):
        game = eq.load(name).public_states()
        solvers = [
            solver_of(game, "lcfr", "external(batch=2)", made=made, seed=2)
            for made in (from_hands, from_tree)
        ]
        for solver in solvers:
            solver.run(500)
        assert_the_same(*solvers)


def test_the_average_strategy_is_at_the_slots_of_the_form():
    solver = solver_of(Poker(), "cfr", "outcome", seed=3)
    solver.run(200)
    given = solver.average_strategy()[solver.form.slot]
    assert np.array_equal(given, solver.strategy().probabilities)
    assert solver.table_bytes == 7 * 8 * solver.form.slots


def test_slots_are_numbered_as_in_a_tree():
    """An empty sequence for each player, then all actions of one infoset after the other, in the order of the form."""
    solver = solver_of(Poker(), "cfr", "full(pruning='zero-reach')")
    solver.run(3)
    first, count = solver.table.shape()
    assert first[0] == 2
    assert np.array_equal(np.cumsum(count) + 2, [*first[1:], solver.form.slots])
    assert list(solver.table.infosets()) == list(solver.form.infosets)
    assert solver.table.used == len(solver.slots.strategy) == solver.form.slots


@pytest.mark.slow
def test_a_large_game_is_sampled_without_writing_anything_out():
    """Bluff(2,1): 442,368 infosets, of which few are met."""
    game = eq.load("liars_dice(dice=(2,1), wild_biddable=False, order='face')").public_states()
    solver = solver_of(game, "cfr", "external", seed=1)
    source = solver.table.source(None, records=100)
    assert sum(array.nbytes for array in source) < 100_000
    solver.run(2000)
    assert certificate(solver).value[0] == pytest.approx(0.2315, abs=0.2)
    assert solver.nodes_touched < 2000 * solver.form.nodes


@pytest.mark.parametrize("place", [0, 2**64 - 1])
def test_public_nodes_that_fall_on_the_same_place(place, monkeypatch):
    wanted = solver_of(Poker(), "cfr", "public-chance(batch=2)", seed=4)
    wanted.run(6)
    monkeypatch.setattr(source_public, "splitmix64", lambda number: np.uint64(place))
    solver = solver_of(Poker(), "cfr", "public-chance(batch=2)", seed=4)
    solver.table.interpreted = True  # by kernels that Python runs itself
    solver.run(6)
    assert_the_same(solver, wanted)


@pytest.mark.parametrize(
    ("game", "way", "message"),
    [
        (
            Poker(),
            "outcome(baseline='history')",
            "keeps no baseline by history; got baseline='history'.*'infoset'",
        ),
        (Poker(), "chance(baseline='history')", "keeps no baseline by history"),
        (Dice(), "public-chance", "says of no chance node that everybody sees its outcome"),
    ],
)
def test_what_makes_no_sense_is_refused(game, way, message):
    with pytest.raises(eq.AlgorithmError, match=message):
        solver_of(game, "cfr", way)


def test_more_slots_than_can_be_numbered_are_refused(monkeypatch):
    monkeypatch.setattr(table_module, "MOST_SLOTS", 20)
    with pytest.raises(
        eq.GameError,
        match=r"samples can number 20 actions at infosets, and there are \d+.*tree=False",
    ):
        from_hands(Poker())
