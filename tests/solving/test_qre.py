"""Quantal response equilibria: numbers of the literature and of Gambit, a plain fixed point, and what must hold."""

import itertools
import math

import numba
import numpy as np
import pytest

import equilibrist as eq
from equilibrist._jit import simd
from equilibrist.cfr.quantal import exponential
from equilibrist.evaluation.action_values import ActionValues
from equilibrist.form.sequence.build import compile_sequence
from equilibrist.games.gambit_write import write_efg

RIVER = {
    "board": "Td9d6hQc2s",
    "oop": "AA,KK,JJ,88,A5s,54s",
    "ip": "QJs,QTs,T9s,99,AQo,KQs",
    "pot": 100,
    "stack": 200,
    "bets": "100%; a",
}
KNOWN = [
    ("kuhn", 1.0, -0.033624847, 0.339608692),
    ("kuhn", 0.5, -0.044835469, 0.224819753),
    ("leduc", 2.0, -0.193975493, 1.590412078),
    ("leduc", 0.5, -0.113054456, 0.449633334),
]
"""Game, temperature, value of player 0 and nash_conv: computed outside this library."""

EV_OF_RIVER = {
    50: (2.138073589, 14.115027447),
    20: (11.295289759, 5.367678930),
    5: (14.286918064, 0.522568330),
    1: (14.247892751, 0.088890497),
    0.2: (14.163924299, 0.013950739),
}
"""EV of OOP and exploitability by temperature in chips: computed outside this library."""


@pytest.fixture(scope="module")
def river():
    return eq.poker.Holdem(**RIVER)


def gap_of(solution, temperature):
    """Return the largest |σ − softmax(q / τ)|, with q of :class:`ActionValues`, which no kernel of a run computes."""
    form = solution.strategy.form or compile_sequence(eq.load(solution.game), keep_tree=True)
    if form.kind == "sequence" and form.tree is None:
        form = compile_sequence(eq.load(solution.game), keep_tree=True)
    strategy = np.zeros(form.length)
    rows = (
        solution.strategy[player, key] for player, key, _ in form.infosets
    )  # in the order of this form
    strategy[form.slot] = [p for row in rows for p in row.values()]
    values = ActionValues(form, strategy)
    q, largest = values.per_reach(values.cf_values), 0.0
    for first, last in itertools.pairwise(form.first_action):
        if values.cf_reach[np.searchsorted(form.first_action, first)] > 1e-200:
            weights = np.exp((q[first:last] - q[first:last].max()) / temperature)
            played = strategy[form.slot[first:last]]
            largest = max(largest, np.abs(played - weights / weights.sum()).max())
    return largest


@pytest.mark.thinned(8)
@pytest.mark.parametrize("form", ["sequence", "public"])
@pytest.mark.parametrize(("game", "temperature", "value", "nash_conv"), KNOWN)
def test_small_games_have_the_known_values(game, temperature, value, nash_conv, form):
    solution = eq.solve(game, concept=eq.QRE(temperature), until=1e-11, form=form)
    assert solution.value[0] == pytest.approx(value, abs=2e-9)
    assert solution.nash_conv == pytest.approx(nash_conv, abs=2e-9)
    assert solution.stop_reason == "until"
    assert solution.final.measures["qre_gap"] <= 1e-11
    assert gap_of(solution, temperature) < 1e-9


def test_kuhn_bets_first_as_known():
    """At λ = 1 jack, queen and king bet first with these probabilities."""
    strategy = eq.solve("kuhn", concept=eq.QRE(1.0), until=1e-11).strategy
    for card, probability in (("J", 0.421936491), ("Q", 0.478837935), ("K", 0.528246938)):
        assert strategy[card]["bet"] == pytest.approx(probability, abs=2e-9)


@pytest.mark.parametrize(("temperature", "known"), EV_OF_RIVER.items())
def test_a_river_has_the_known_values(river, temperature, known):
    solution = eq.solve(river, concept=eq.QRE(temperature), until=1e-10)
    assert (solution.value[0], solution.exploitability) == pytest.approx(known, abs=2e-9)
    if temperature >= 5:
        assert gap_of(solution, temperature) < 1e-8


def test_a_share_of_the_pot_is_that_many_chips(river):
    shares, chips = (
        eq.solve(river, concept=concept, until=1e-9) for concept in ("qre(5%)", eq.QRE(5))
    )
    assert shares.value == chips.value
    assert shares.algorithm == "mmd"


def test_a_small_gap_is_reached_on_leduc():
    solution = eq.solve("leduc", concept=eq.QRE(1 / 20), until=1e-9, iterations=20_000)
    assert solution.stop_reason == "until"
    assert gap_of(solution, 1 / 20) < 1e-8


@pytest.mark.thinned(10)
@pytest.mark.parametrize(
    "game", ["liars_dice(faces=3)", "goofspiel(cards=4)", "blotto", "kuhn(players=3)", "rps"]
)
@pytest.mark.parametrize("share", [0.3, 0.02])
def test_other_games_come_to_a_fixed_point(game, share):
    temperature = share * compile_sequence(eq.load(game)).largest_payoff
    solution = eq.solve(game, concept=eq.QRE(temperature), until=1e-9, iterations=40_000)
    assert solution.stop_reason == "until"
    assert gap_of(solution, temperature) < 1e-8


def test_matching_pennies_with_a_stronger_side_against_a_plain_fixed_point():
    """A matrix game whose equilibrium is not uniform: the two equations of its QRE, solved by bisection."""
    win, temperature = 3.0, 0.4

    class Game:
        players = 2

        def start(self):
            return ""

        def player(self, state):
            return len(state) if len(state) < 2 else eq.TERMINAL

        def actions(self, state):
            return "ht"

        def probabilities(self, state):
            return []

        def next(self, state, action):
            return state + action

        def payoffs(self, state):
            first = {"hh": win, "tt": 1.0}.get(state, -1.0)
            return [first, -first]

        def infoset(self, state):
            return str(len(state))

    def logistic(x):
        return 1 / (1 + math.exp(-x))

    def answer(p):  # of player 1 to heads with p, then of player 0 to that
        q = logistic(-((win + 1) * p - 2 * (1 - p)) / temperature)
        return logistic(((win + 1) * q - 2 * (1 - q)) / temperature)

    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if answer(middle) > middle else (low, middle)
    solution = eq.solve(Game(), concept=eq.QRE(temperature), until=1e-12)
    assert solution.strategy["0"]["h"] == pytest.approx(low, abs=1e-10)
    assert abs(low - 0.5) > 0.1


def test_small_temperatures_come_near_a_nash_equilibrium():
    gaps = [eq.solve("kuhn", concept=eq.QRE(t), until=1e-10).nash_conv for t in (0.5, 0.1, 0.02)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.01


@pytest.mark.parametrize("game", ["leduc", "river"])
def test_a_run_in_parts_saved_between_is_the_run_in_one(game, river, tmp_path):
    game = river if game == "river" else game
    whole = eq.solve(game, concept="qre(0.5)", iterations=150)
    eq.solve(game, concept="qre(0.5)", iterations=67, save=tmp_path / "run")
    parts = eq.solve(game, concept="qre(0.5)", iterations=150, resume=tmp_path / "run")
    np.testing.assert_array_equal(whole.strategy.probabilities, parts.strategy.probabilities)
    assert whole.value == parts.value


def test_threads_change_no_bit():
    spot = eq.poker.Holdem(**RIVER | {"board": "Td9d6hQc"})
    one, two = (
        eq.solve(spot, concept=eq.QRE("2%"), iterations=40, threads=threads) for threads in (1, 2)
    )
    np.testing.assert_array_equal(one.strategy.probabilities, two.strategy.probabilities)


@pytest.mark.parametrize(
    ("game", "precisions"),
    [
        ("kuhn", (1, 2, 20)),
        pytest.param("liars_dice(faces=2)", (1, 5), marks=pytest.mark.slow),
    ],
)
def test_every_infoset_is_that_of_gambit(game, precisions, tmp_path):
    """The profiles of Gambit's tracing of the principal branch, infoset by infoset."""
    pygambit = pytest.importorskip("pygambit")
    if not hasattr(pygambit, "Infoset"):
        pytest.skip("its tracing is asked here as version 16 has it")
    rules, path = eq.load(game), tmp_path / "game.efg"
    write_efg(rules, path)
    theirs = pygambit.read_efg(path)
    for precision in precisions:
        strategy = eq.solve(rules, concept=eq.QRE(1 / precision), until=1e-11).strategy
        probabilities = list(pygambit.qre.logit_solve_lambda(theirs, [precision])[0])
        for number, player in enumerate(theirs.players):
            for infoset in player.infosets:
                ours = strategy[number, infoset.label]
                expected = {action.label: probabilities.pop(0) for action in infoset.actions}
                assert ours == pytest.approx(expected, abs=1e-7)
        assert not probabilities


@pytest.mark.slow
def test_a_locked_decision_is_played_as_it_is_locked():
    solution = eq.solve(
        eq.poker.Holdem(**RIVER, locks=[eq.Lock("", {"X": 1.0})]), concept=eq.QRE(5), until=1e-9
    )
    assert solution.strategy[0, "AsAh Td9d6hQc2s"] == {"X": 1.0, "B100": 0.0}
    assert (
        solution.strategy[1, "KsQs Td9d6hQc2s B100"]["C"] < 1
    )  # which never happens, and is answered
    assert solution.final.measures["qre_gap"] <= 1e-9


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"concept": "qre(-1)"}, "must be above 0"),
        ({"concept": "qre"}, "concept must be"),
        ({"concept": "qre(x%)"}, "qre"),
        ({"concept": "qre(1%)"}, "share of the pot"),
        ({"concept": "qre(1)", "algorithm": "cfr+"}, "dynamics of its own"),
        ({"concept": "qre(1)", "precision": "float32"}, "float64"),
        ({"concept": "qre(1)", "sampling": "external"}, "settle"),
        ({"concept": "qre(1)", "backend": eq.Cluster(actors=2)}, "Nash equilibria alone"),
        ({"until": eq.QREGap(0.1)}, "concept=eq.QRE"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(keywords, message):
    with pytest.raises(eq.EquilibristError, match=message):
        eq.solve("kuhn", **keywords)


def test_a_form_without_its_tree_is_refused():
    with pytest.raises(eq.EquilibristError, match="keep_tree"):
        eq.solve(eq.compile_game(eq.load("kuhn")), concept=eq.QRE(1))


@numba.njit(error_model="numpy")
def _exponentials(numbers, out):
    for i in range(0, len(numbers), simd.LANES):
        simd.store(out, i, exponential(simd.load(numbers, i)))


def test_the_exponential_of_kernels_is_that_of_numpy():
    x = -np.concatenate(
        [[0.0, 1e-12, 0.34657, 0.35, 699.9], np.random.default_rng(0).uniform(0, 690, 2043)]
    )
    ours = np.empty_like(x)
    _exponentials(x, ours)
    np.testing.assert_allclose(ours, np.exp(x), rtol=6e-16)
    _exponentials(np.full(8, -1e300), ours[:8])
    np.testing.assert_allclose(ours[:8], np.exp(-700), rtol=6e-16)  # the least that is played


def test_infosets_that_the_others_hardly_ever_reach_keep_what_they_play():
    """Player 0 would give up twice, each time with e^-700: nothing is left of that, and player 1 stays with the answer
    that was found as long as it happened.
    """

    class Game:
        players = 2

        def start(self):
            return ""

        def player(self, state):
            return {"": 0, "g": 0, "gg": 1, "ggl": 0}.get(state, eq.TERMINAL)

        def actions(self, state):
            return {"": "kg", "g": "kg", "gg": "lr", "ggl": "xy"}[state]

        def probabilities(self, state):
            return []

        def next(self, state, action):
            return state + action

        def payoffs(self, state):
            first = {"k": 1.0, "gk": 0.0, "ggr": -1.0, "gglx": -0.9, "ggly": -0.899}[state]
            return [first, -first]

        def infoset(self, state):
            return state

    solution = eq.solve(Game(), concept=eq.QRE(0.001), until=1e-9, iterations=20_000)
    assert solution.stop_reason == "until"
    assert np.isfinite(solution.strategy.probabilities).all()
    assert 0 < solution.strategy[""]["g"] == solution.strategy["g"]["g"] < 1e-300
    assert solution.strategy["gg"]["r"] > 0.9
    assert solution.strategy["ggl"]["y"] == pytest.approx(math.e / (1 + math.e), abs=1e-8)


@pytest.mark.parametrize(
    "text", ["floor(0.1)", "(1)", "q", "floors(first=0.1)", "qre()", "qre(1, decay=1)"]
)
def test_texts_that_name_no_concept_are_answered_by_all_that_do(text):
    with pytest.raises(eq.AlgorithmError, match=r"concept must be 'nash', 'floors\(ε\)'"):
        eq.solve("kuhn", concept=text, iterations=1)
