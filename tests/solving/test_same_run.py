"""The same call gives the same run, whatever the clock says: two runs with faked clocks have the same bits."""

import random
import signal
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest

import equilibrist as eq
from equilibrist.correlation.trigger_regrets import TriggerRegrets
from equilibrist.form.projection import estimate_histories
from equilibrist.form.walk.compiled import WalkedRules
from equilibrist.game.plays import check_repeatable
from equilibrist.mccfr import table_solver
from equilibrist.play import playable
from support.runs import without_seconds

WAY = "external(tree=False)"
RIVER = "holdem(board='2s3h4d6c', oop='AA,QQ', ip='KK,22', pot=20, stack=10, bets='a')"


class Clock:
    """A clock that goes on by a step with each look at it, or by random ones from nanoseconds to hours."""

    def __init__(self, step=None, seed=0):
        self.now = 1e6
        self.step = step
        self.random = random.Random(seed)

    def __call__(self):
        self.now += 10 ** self.random.uniform(-9, 4) if self.step is None else self.step
        return self.now


pytestmark = [
    pytest.mark.usefixtures("somewhere"),
    pytest.mark.filterwarnings("ignore:.*compiling it may take"),  # as the clock says
]

CLOCKS = [lambda: Clock(1e-9), lambda: Clock(3e3), lambda: Clock(seed=1), lambda: Clock(seed=2)]
with_clocks = pytest.mark.parametrize(
    "clocks",
    [CLOCKS[1:3], pytest.param(CLOCKS, marks=pytest.mark.slow)],
    ids=["a slow and an odd clock", "all clocks"],
)

RUNS = {
    "full": {"game": "leduc", "algorithm": "cfr+", "until": 0.01},
    "followed": {
        "game": "leduc",
        "algorithm": "dcfr",
        "until": 0.02,
        "callbacks": lambda point: None,
    },
    "public": {"game": "leduc", "form": "public", "until": 0.02},
    "cards": {"game": RIVER, "until": "1%"},
    "sampled": {"game": "kuhn", "sampling": "external", "until": 0.05, "seed": 1},
    "batch": {"game": "leduc", "sampling": "outcome(batch=256)", "iterations": 60, "seed": 1},
    "python": {"game": "matching_pennies", "sampling": WAY, "iterations": 60, "seed": 1},
    "cheap certificates": {"game": "dark_hex(size=2)", "sampling": WAY, "until": 0.05, "seed": 1},
    "dear certificates": {"game": "dark_hex(size=2)", "sampling": WAY, "until": 0.02, "seed": 2},
    "walked": {"game": "dark_hex(size=2)", "form": "walk", "algorithm": "cfr", "until": 0.02},
    "qre": {"game": "kuhn", "concept": "qre(1.0)", "until": 1e-6},
    "floors": {"game": "kuhn", "concept": "floors(0.01)", "until": 1e-3},
    "last iterate": {"game": "kuhn", "concept": "last_iterate", "until": 1e-4},
}


@pytest.fixture
def set_clock(monkeypatch):
    """Return a function that lets all of the package see another clock."""

    def set_clock(clock):
        for name in ("perf_counter", "monotonic"):
            monkeypatch.setattr(time, name, clock)

    return set_clock


def make_dear(monkeypatch):
    """Let certificates of small games take turns as those of large ones do."""
    monkeypatch.setattr(WalkedRules, "quick_histories", 0)


QUICK_RUNS = {"followed", "cards", "sampled", "walked", "qre", "floors"}
NAMES = [
    pytest.param(name, marks=[] if name in QUICK_RUNS else [pytest.mark.slow]) for name in RUNS
]


@pytest.mark.thinned(3)
@with_clocks
@pytest.mark.parametrize("name", NAMES)
def test_the_clock_decides_nothing(name, clocks, set_clock, monkeypatch, tmp_path):
    if name in ("dear certificates", "walked"):
        make_dear(monkeypatch)
    expected = without_seconds(eq.solve(**RUNS[name]))
    for number, make_clock in enumerate(clocks):
        set_clock(make_clock())
        saved = eq.solve(
            **RUNS[name], save=tmp_path / str(number)
        )  # saved on the way at random, or never
        monkeypatch.undo()
        if name in ("dear certificates", "walked"):
            make_dear(monkeypatch)
        assert without_seconds(saved) == expected
    if name == "dear certificates":
        certified = [point.is_certified for point in saved.trace]
        assert 1 <= sum(certified) < len(certified)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dear certificates", "walked", "cheap certificates", "sampled"])
@pytest.mark.parametrize("every", [1, 3])
def test_a_run_that_is_stopped_anywhere_ends_where_an_undisturbed_one_does(
    name, every, monkeypatch, tmp_path
):
    """Stopped at the checkpoints, by a limit that certifies out of turn, or within an iteration; and resumed."""
    make_dear(monkeypatch)
    options = RUNS[name]
    whole = eq.solve(**options)
    done, stops = 0, 0
    part = None
    while part is None or part.stop_reason != "until":
        # Each takes a few nodes more, so that it ends at any turn of any player.
        nodes = (0 if part is None else part.nodes_touched) + 1 + 397 * every
        limits = eq.Limits(nodes=nodes)
        again = options if part is None else {"resume": tmp_path, "until": options["until"]}
        part = eq.solve(**again, limits=limits, save=tmp_path)
        assert part.nodes_touched > done
        done = part.nodes_touched
        stops += 1
    assert stops > 3
    one, other = without_seconds(part), without_seconds(whole)
    assert {key: one[key] for key in ("final", "strategy", "state")} == {
        key: other[key] for key in ("final", "strategy", "state")
    }
    assert [point.iteration for point in part.trace] == [point.iteration for point in whole.trace]


@pytest.mark.parametrize(
    "name", ["dear certificates", pytest.param("cheap certificates", marks=pytest.mark.slow)]
)
def test_a_signal_in_a_walk_leaves_no_row_without_its_certificate(name, monkeypatch, tmp_path):
    """Each row of the trace has its certificate where an undisturbed run has one, also where a signal has left it."""
    if name == "dear certificates":
        make_dear(monkeypatch)
    options = RUNS[name]
    whole = without_seconds(eq.solve(**options))
    walk = table_solver.TableSolver.values
    walks = []

    def interrupted(solver, **keywords):
        walks.append(solver.iteration)
        if len(walks) % 3 == 0:
            signal.raise_signal(signal.SIGINT)
        return walk(solver, **keywords)

    monkeypatch.setattr(table_solver.TableSolver, "values", interrupted)
    part = eq.solve(**options, save=tmp_path)
    stops = 0
    while part.stop_reason != "until":
        assert part.stop_reason == "interrupt"
        part = eq.solve(resume=tmp_path, save=tmp_path, until=options["until"])
        stops += 1
    assert stops > 1
    assert without_seconds(part) == whole


@pytest.mark.slow
def test_dear_certificates_take_turns_by_counted_work(monkeypatch):
    """After a certificate iterations touch three times as many nodes as it stands for."""
    make_dear(monkeypatch)
    solution = eq.solve(
        "dark_hex(size=2)", "cfr", sampling=WAY, until=1e-9, iterations=4000, seed=1
    )
    looks = [point.nodes_touched for point in solution.trace if point.is_certified][:-1]
    work = (
        3 * 2 * 441 / 2.5
    )  # histories of both players' walks, five of which count as two that are sampled
    assert len(looks) >= 5
    assert all(after - before >= work for before, after in pairwise(looks))


@pytest.mark.slow
def test_states_of_earlier_versions_go_on(tmp_path):
    options = {"game": "kuhn", "sampling": WAY, "until": 1e-9, "seed": 1}
    old = eq.solve(**options, iterations=20)
    del old.state["certified_at"]
    more = eq.solve(resume=old, until=1e-9, iterations=40)
    assert more.strategy == eq.solve(**options, iterations=40).strategy


@pytest.mark.slow
def test_the_clock_ends_no_regret_dynamics(set_clock, monkeypatch):
    found = []
    for make_clock in CLOCKS:
        set_clock(make_clock())
        found.append(
            eq.correlated_equilibrium(
                "kuhn(players=3)", method=TriggerRegrets(iterations=20_000, until=3e-3)
            )
        )
        monkeypatch.undo()
    assert len({len(each.mixture) for each in found}) == 1
    assert len({each.mixture.profiles.tobytes() for each in found}) == 1
    assert 3 < len(found[0].mixture) < 20_000


@pytest.mark.slow
def test_the_clock_ends_no_random_plays(set_clock, monkeypatch):
    class Counted:
        def __init__(self):
            self.game, self.calls = eq.load("leduc"), 0

        def __getattr__(self, name):
            return getattr(self.game, name)

        def next(self, state, action):
            self.calls += 1
            return self.game.next(state, action)

    found = []
    for make_clock in CLOCKS:
        set_clock(make_clock())
        game = Counted()
        projection = estimate_histories(game, max_depth=100)
        projected, game.calls = game.calls, 0
        check_repeatable(game)
        found.append((projection, projected, game.calls))
        monkeypatch.undo()
    assert len(set(found)) == 1
    assert min(found[0][1:]) > 100


def test_the_clock_chooses_no_opponent(set_clock, monkeypatch):
    """An opponent that is made on the spot is always the same, in as many iterations as its slots say."""
    form = eq.compile_game(eq.load("kuhn"))
    found = []
    for make_clock in CLOCKS:
        monkeypatch.setattr(playable, "_MOST_BY_PROGRAMME", 0)
        monkeypatch.setattr(playable, "_UNTIL", 1e-12)
        monkeypatch.setattr(playable, "_SLOTS_UPDATED", 100 * form.length)
        set_clock(make_clock())
        opponent, how = playable.solve_opponent(SimpleNamespace(form=form), None)
        monkeypatch.undo()
        found.append((opponent.probabilities.tobytes(), how))
    assert len(set(found)) == 1
    assert "in 100 iterations" in found[0][1]


def many(_):
    return [without_seconds(each) for each in eq.solve_many(["kuhn", "leduc"], until=0.01)]


def charts(_):
    chart = eq.poker.push_fold_charts([3.0, 5.0], until=1e-3)
    return {action: table.tobytes() for action, table in chart.tables.items()}


def chains(_):
    merged = eq.solve_chains(
        eq.compile_game(eq.load("kuhn"), keep_tree=True), chains=2, iterations=200
    )
    return merged.strategy.probabilities.tobytes()


def batch(folder):
    study = {"game": "kuhn", "until": 0.02, "vary": {"algorithm": ["cfr", "dcfr"]}}
    rows = eq.batch(study, save=folder).to_arrow().to_pylist()
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def compare(_):
    comparison = eq.compare("kuhn", algorithms=["cfr", "cfr+"], iterations=200)
    return [(str(curve.algorithm), curve.last._replace(seconds=0)) for curve in comparison.results]


def aggregate(folder):
    report = eq.poker.board_report(RIVER, ["2s3h4d6c7c", "Qs3h4d6c7c"], save=folder, until="1%")
    assert [(record["state"], record["error"]) for record in report.records] == [
        ("finished", "")
    ] * 2
    return report.rows()


def resolve(_):
    blueprint = eq.solve("leduc", "cfr", iterations=20)
    return eq.resolve(blueprint, "Qr", player=1, iterations=50).strategy.probabilities.tobytes()


def explain(_):
    return str(eq.learn.explain("kuhn", iteration=300))


@pytest.mark.thinned(8)
@with_clocks
@pytest.mark.parametrize(
    "call", [many, charts, chains, batch, compare, aggregate, resolve, explain]
)
def test_the_clock_decides_nothing_in_many_runs(call, clocks, set_clock, monkeypatch, tmp_path):
    found = []
    for number, make_clock in enumerate(clocks):
        set_clock(make_clock())
        found.append(call(tmp_path / str(number)))
        monkeypatch.undo()
    for each in found[1:]:
        assert each == found[0]
