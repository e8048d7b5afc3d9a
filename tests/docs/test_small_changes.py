"""The forty lines of docs/pseudo-code.md, and each change to them that docs/small-changes.md and docs/from/ show."""

import re
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = re.findall(
    r"^```python\n(.*?)^```$", (DOCS / "pseudo-code.md").read_text("utf-8"), re.M | re.S
)[0]
HEADED = re.compile(
    r"^##+ ([^\n]+)$(?:(?!^##).)*?^```diff\n(.*?)^```$", re.M | re.S
)  # a change, and its heading
CHANGES = dict(HEADED.findall((DOCS / "small-changes.md").read_text("utf-8")))
MISTAKES = {
    page.name: dict(HEADED.findall(page.read_text("utf-8")))
    for page in (DOCS / "from").glob("*.md")
}
PRUNING, TEAMS = "Pruning, in two phases", "Teams that share a reach"
SAMPLED = ["Chance sampling", "External sampling", "Outcome sampling"]
NAMES = {
    (infoset.player, infoset.key): infoset.actions
    for infoset in eq.compile_game(eq.load("kuhn")).infosets
}


def changed(program, change):
    """Return a program with a change made: each hunk is found once, and replaced."""
    for hunk in re.split(r"^@@.*\n", change, flags=re.M):
        lines = hunk.splitlines()
        before = "\n".join(line[1:] for line in lines if line[:1] != "+")
        after = "\n".join(line[1:] for line in lines if line[:1] != "-")
        assert program.count(before) == 1, before
        program = program.replace(before, after)
    return program


class Program:
    """The names of a program that has been run."""

    def __init__(self, *changes, game="kuhn"):
        text = PROGRAM
        for change in changes:
            text = changed(text, CHANGES.get(change, change))
        exec(text.replace('"kuhn"', repr(game)), vars(self))


class Script:
    """Random numbers that take each outcome in turn, the first ones as told, and note the probability of all."""

    def __init__(self, told):
        self.told, self.taken, self.counts, self.probability = told, [], [], 1.0

    def choice(self, count, p):
        possible = np.flatnonzero(p)
        taken = self.told[len(self.taken)] if len(self.taken) < len(self.told) else 0
        self.taken.append(taken)
        self.counts.append(len(possible))
        self.probability *= p[possible[taken]]
        return possible[taken]


def scripts(run):
    """Call ``run`` with every sequence of outcomes that it may draw, and yield each."""
    told = []
    while told is not None:
        script = Script(told)
        run(script)
        yield script
        told = script.taken
        while told and told[-1] + 1 == script.counts[len(told) - 1]:
            told = told[:-1]
        told = [*told[:-1], told[-1] + 1] if told else None


def equals(average, solution):
    for (player, infoset), probabilities in average.items():
        np.testing.assert_allclose(
            probabilities, list(solution.strategy[player, infoset].values()), atol=1e-12
        )


def test_every_change_is_made():
    assert list(CHANGES) == ["Simultaneous updates", "CFR+", *SAMPLED, PRUNING, TEAMS, "Batches"]
    assert len(PROGRAM.splitlines()) <= 50


@pytest.mark.thinned(2)
@pytest.mark.parametrize("game", ["kuhn", "leduc(ranks=2)"])
def test_exact_changes(game):
    iterations = 40 if game == "kuhn" else 6
    budget = {"iterations": iterations}
    equals(Program(game=game).solve(iterations), eq.solve(game, "cfr", **budget))
    equals(Program("CFR+", game=game).solve(iterations), eq.solve(game, "cfr+", **budget))
    at_once = eq.solve(game, "cfr(alternating=False)", **budget)
    equals(Program("Simultaneous updates", game=game).solve(iterations), at_once)


def test_pruning_changes_nothing_but_the_work():
    results, visits = [], []
    for changes in ([], [PRUNING]):
        program = Program(*changes, game="leduc(ranks=2)")
        walk, count = program.cfr, [0]

        def counted(*args, walk=walk, count=count):
            count[0] += 1
            return walk(*args)

        program.cfr = counted
        results.append(program.solve(8))
        visits.append(count[0])
    assert visits[1] < visits[0]
    for infoset, probabilities in results[0].items():
        np.testing.assert_array_equal(results[1][infoset], probabilities)


@pytest.mark.parametrize("change", SAMPLED)
@pytest.mark.parametrize("player", [0, 1])
def test_the_mean_over_all_draws_is_the_full_walk(change, player):
    full = Program()
    full.solve(3)
    regrets, averages = dict(full.regret_sum), dict(full.strategy_sum)
    full.current.clear()
    for i in (0, 1):
        full.cfr(full.game.start(), i, 1, 1)
    sampled, mean_regret, mean_average, total = Program(change), {}, {}, 0.0

    def run(script):
        sampled.random = script
        sampled.current.clear()
        sampled.regret_sum.clear()
        sampled.regret_sum.update(regrets)
        sampled.strategy_sum.clear()
        sampled.cfr(sampled.game.start(), player, 1, 1)

    for script in scripts(run):
        total += script.probability
        for infoset, regret in sampled.regret_sum.items():
            mean_regret[infoset] = mean_regret.get(infoset, 0) + script.probability * (
                regret - regrets[infoset]
            )
        for infoset, added in sampled.strategy_sum.items():
            mean_average[infoset] = mean_average.get(infoset, 0) + script.probability * added
    assert abs(total - 1) < 1e-12
    for infoset, regret in full.regret_sum.items():
        expected = regret - regrets[infoset] if infoset[0] == player else np.zeros(2)
        np.testing.assert_allclose(mean_regret[infoset], expected, atol=1e-12)
    averaged = (
        player if change == "Chance sampling" else 1 - player
    )  # whose average this walk adds to
    for infoset, before in averages.items():
        if infoset[0] == averaged:  # a deal is a sixth of the full walk
            expected = (full.strategy_sum[infoset] - before) / 6
            np.testing.assert_allclose(mean_average.get(infoset, np.zeros(2)), expected, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("change", SAMPLED)
def test_sampled_changes_converge(change):
    average = Program(change).solve(2000)
    strategy = {
        key: dict(zip(NAMES[key], map(float, p), strict=True)) for key, p in average.items()
    }
    assert (
        eq.evaluate("kuhn", strategy, missing="uniform").nash_conv < 0.25
    )  # 11/12 at the beginning


def test_a_batch_of_all_deals_is_an_iteration():
    program = Program("Chance sampling", "Batches")
    deals = [(first, second) for first in range(3) for second in range(2)]
    outcomes = iter([outcome for _ in range(40) for deal in deals for outcome in deal])
    program.random = type("Deals", (), {"choice": staticmethod(lambda count, p: next(outcomes))})
    equals(program.solve(20), eq.solve("kuhn", "cfr", iterations=20))


@pytest.mark.slow
def test_teams_that_share_a_reach():
    """On the page's game it ends where one partner alone gains 2 for the team; each for himself finds the best."""
    page = {}
    exec(
        re.findall(
            r"^```python\n(.*?)^```$", (DOCS / "small-changes.md").read_text("utf-8"), re.M | re.S
        )[0],
        page,
    )
    game, teams = page["Partners"](), {}
    for changes in ([], [TEAMS]):
        program = Program(*changes)
        program.game = game
        strategy = {
            (player, infoset): dict(zip("AB" if player < 2 else "xy", map(float, p), strict=True))
            for (player, infoset), p in program.solve(500).items()
        }
        teams[len(changes)] = eq.team_responses(game, strategy)
    for alone, shared in zip(teams[0], teams[1], strict=True):
        assert abs(alone.best_response_value - alone.value) < 0.02
        assert abs(shared.alone - shared.value - 2) < 0.02
        assert abs(shared.best_response_value - shared.value - 2) < 0.02


PHASE, WITHIN, CHANCE, UNIFORM, REACH = (
    "The average is summed in the second phase only",
    "The strategy changes within an iteration",
    "Chance in the reach of one player",
    "Chance is uniform in the program",
    "A reach that forgets",
)
RUST, NOTEBOOK = "cfr-in-rust.md", "kuhn-notebook.md"


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    ("page", "heading", "game", "iterations"),
    [
        (RUST, PHASE, "kuhn", 100),
        (RUST, PHASE, "kuhn", 1000),
        (RUST, WITHIN, "kuhn", 100),
        (RUST, WITHIN, "kuhn", 1000),
        (RUST, CHANCE, "leduc(ranks=2)", 30),
        pytest.param(RUST, CHANCE, "leduc(ranks=2)", 300, marks=pytest.mark.slow),
        # from 500 on, what the wrong program plays turns on how the processor's library adds up
        pytest.param(RUST, CHANCE, "leduc(ranks=2)", 400, marks=pytest.mark.slow),
        (RUST, UNIFORM, "leduc(ranks=2)", 30),
        pytest.param(RUST, UNIFORM, "leduc(ranks=2)", 300, marks=pytest.mark.slow),
        pytest.param(RUST, UNIFORM, "leduc(ranks=2)", 1000, marks=pytest.mark.slow),
        (NOTEBOOK, REACH, "leduc(ranks=2, raises=4)", 30),
        pytest.param(NOTEBOOK, REACH, "leduc(ranks=2, raises=4)", 100, marks=pytest.mark.slow),
        pytest.param(NOTEBOOK, REACH, "leduc(ranks=2, raises=4)", 300, marks=pytest.mark.slow),
    ],
)
def test_what_a_mistake_costs(page, heading, game, iterations):
    """The first row of the table below a change is the right program, the second the changed one."""
    program = Program(MISTAKES[page][heading], game=game)
    program.solve(iterations)
    names = {
        (infoset.player, infoset.key): infoset.actions
        for infoset in eq.compile_game(eq.load(game)).infosets
    }
    strategy = {
        key: dict(zip(names[key], (total / total.sum()).tolist(), strict=True))
        for key, total in program.strategy_sum.items()
        if total.sum() > 0
    }
    right = eq.solve(game, "cfr", iterations=iterations).nash_conv
    wrong = eq.evaluate(game, strategy, missing="uniform").nash_conv
    section = (
        (DOCS / "from" / page)
        .read_text("utf-8")
        .partition(f"### {heading}\n")[2]
        .partition("\n### ")[0]
    )
    rows = [
        [cell.strip() for cell in row.split("|")[2:-1]]
        for row in re.findall(r"^\|.+\|$", section, re.M)
    ]
    column = rows[0].index(f"{iterations:,}")
    assert [rows[2][column], rows[3][column]] == [f"{right:.3g}", f"{wrong:.3g}"]


SWAPPED = """\
-        regret_sum[infoset] = regret_sum.get(infoset, 0) + others * (value - node_value)
-        strategy_sum[infoset] = strategy_sum.get(infoset, 0) + own * sigma
+        regret_sum[infoset] = regret_sum.get(infoset, 0) + own * (value - node_value)
+        strategy_sum[infoset] = strategy_sum.get(infoset, 0) + others * sigma
"""


@pytest.mark.slow
def test_what_swapped_reaches_cost():
    page = (DOCS / "pseudo-code.md").read_text("utf-8")
    shown = re.findall(r"(0\.\d+) after ([\d,]+) iterations and (0\.\d+) after ([\d,]+)", page)[0]
    for cost, iterations in (shown[:2], shown[2:]):
        program = Program(SWAPPED)
        with np.errstate(invalid="ignore"):  # 0 / 0
            average = program.solve(int(iterations.replace(",", "")))
        assert any(np.isnan(shares).any() for shares in average.values())
        strategy = {
            key: dict(zip(NAMES[key], np.nan_to_num(shares, nan=0.5).tolist(), strict=True))
            for key, shares in average.items()
        }
        assert f"{eq.evaluate('kuhn', strategy).nash_conv:.4f}" == cost


def test_every_mistaken_program_is_run():
    shown = {(page, heading) for page, headings in MISTAKES.items() for heading in headings}
    assert shown == {
        (RUST, PHASE),
        (RUST, WITHIN),
        (RUST, CHANCE),
        (RUST, UNIFORM),
        (NOTEBOOK, REACH),
    }
