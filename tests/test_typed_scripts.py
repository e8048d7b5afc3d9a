"""Scripts of users are checked by mypy --strict as they are: what they read of results has one type."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import equilibrist as eq

SCRIPT = """\
import math

import numpy as np
from numpy.typing import NDArray

import equilibrist as eq

State = dict[str, NDArray[np.float64]]


def describe(solution: eq.Solution) -> str:
    return f"{solution.game}: value {solution.value[0]:+.4f}, {solution.exploitability:.2e}"


def half_of(number: float) -> float:
    return number / 2


solution = eq.solve("kuhn", "cfr+", iterations=100)
print(describe(solution), solution.citation())
gain: float = solution.nash_conv
if solution.exploitability < 1e-3 and not math.isnan(gain):
    print(f"{solution.exploitability_percent:.1f} % of the pot, {half_of(solution.cce_distance)}")
lowest = min(point.exploitability for point in solution.trace)
slowly = [point for point in solution.trace if half_of(point.nash_conv) > lowest]
bet: float = solution.strategy["J"]["bet"]
bets: dict[str, float] = {
    key: row["bet"] for (_, key), row in solution.strategy.items() if "bet" in row
}
evaluation = eq.evaluate("kuhn", solution)
print(evaluation.exploitability - solution.exploitability, evaluation.losses[0].infoset)
rows = np.array([[3.0, 0.0], [5.0, 1.0]])
print(eq.solve((rows, rows.T), iterations=3).value, eq.all_equilibria((rows, rows.T)))
answer = eq.exploit("kuhn", solution, trust=0.5)
print(eq.evaluate("kuhn", answer.strategy).value, eq.evaluate("kuhn", answer).value)
in_fractions = eq.evaluate("kuhn", {}, missing="uniform", rational=True)
print(in_fractions.exploitability + 1)
comparison = eq.compare(
    "kuhn", algorithms=["cfr", "dcfr"], sampling="external", seeds=3, iterations=100
)
last: float = comparison.results[0].last.exploitability
comparison.plot(interval="student", against="nodes", size=(5.5, 2.6)).savefig("comparison.pdf")
print(comparison.to_latex(interval="bootstrap(resamples=500)"))


class Uniform:
    def init(self, num_actions: int) -> State:
        return {"chances": np.full(num_actions, 1 / num_actions)}

    def strategy(self, state: State, t: int) -> NDArray[np.float64]:
        return state["chances"]

    def observe(
        self,
        state: State,
        strategy: NDArray[np.float64],
        values: NDArray[np.float64],
        t: int,
    ) -> None:
        return None


class UniformPlan:
    def init(self, treeplex: eq.types.Treeplex) -> State:
        return {"plan": treeplex.uniform_plan()}

    def plan(self, treeplex: eq.types.Treeplex, state: State, t: int) -> NDArray[np.float64]:
        return state["plan"]

    def observe(
        self,
        treeplex: eq.types.Treeplex,
        state: State,
        plan: NDArray[np.float64],
        values: NDArray[np.float64],
        t: int,
    ) -> State:
        return state


eq.solve("kuhn", rule=Uniform(), iterations=3)
eq.solve("kuhn", rule=UniformPlan(), iterations=3)
eq.compare("kuhn", algorithms=["cfr", Uniform(), UniformPlan()], iterations=3)
match = eq.play_match("kuhn", solution, against={}, missing="uniform", hands=100)
"""

WRONG = """\
import equilibrist as eq

text: str = eq.solve("kuhn").exploitability
"""


def check(program, folder):
    """Return what mypy --strict says of a program, which imports the package that is tested."""
    (folder / "script.py").write_text(program)
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--no-error-summary"]
    package = Path(eq.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--cache-dir=cache", "script.py"],
        capture_output=True,
        check=False,
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(package)},
        text=True,
    )
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_script_of_common_uses_is_typed(tmp_path):
    pytest.importorskip("mypy")
    assert check(SCRIPT, tmp_path) == []
    (complaint,) = check(WRONG, tmp_path)  # so it has read the types of the package
    assert '(expression has type "float", variable has type "str")' in complaint


@pytest.mark.slow
def test_it_runs(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "script.py"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(eq.__file__).parents[1])},
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kuhn: value -0.05")
