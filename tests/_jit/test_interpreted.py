"""Without the compiler (``NUMBA_DISABLE_JIT=1``) every kernel runs in Python, to be stepped through: the same bits."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist._jit.compile import INTERPRETED
from equilibrist._jit.sources import PACKAGE

HERE = Path(__file__).parent
SAMPLINGS = (
    "chance(low_discrepancy=True)",
    "external",
    "external(baseline='history')",
    "external(average='lazy', pruning='regret')",
    "external(tree=False, batch=3)",
    "outcome(baseline='infoset')",
    "outcome(tree=False)",
    "average-strategy",
    "public-chance",
)
pytestmark = pytest.mark.skipif(INTERPRETED, reason="this compares with compiled code")


def cases():
    """Yield a name, a game and options: every row on either form, and sampled, and what else has kernels."""
    for name, row in eq.ALGORITHMS.items():
        for form in ("sequence", "public"):
            yield f"{name} {form}", "kuhn", {"algorithm": name, "form": form, "iterations": 3}
        if not row.needs_horizon:
            for sampling in SAMPLINGS:
                game = "leduc(ranks=2)" if sampling == "public-chance" else "kuhn"
                yield (
                    f"{name} {sampling}",
                    game,
                    {"algorithm": name, "sampling": sampling, "iterations": 4, "seed": 1},
                )
    for sampling in ("chance", "external", "outcome", "public-chance"):
        options = {
            "algorithm": "cfr",
            "sampling": sampling,
            "form": "public",
            "iterations": 4,
            "seed": 2,
        }
        yield f"public {sampling}", "leduc(ranks=2)", options
    for game in ("kuhn(players=3)", "goofspiel(cards=3)", "liars_dice(faces=2)"):
        yield game, game, {"algorithm": "cfr", "iterations": 2}
    yield "simultaneous", "kuhn", {"algorithm": "cfr(alternating=False)", "iterations": 3}
    yield "float32", "kuhn", {"iterations": 3, "form": "public", "precision": "float32"}
    yield "threads", "kuhn", {"iterations": 3, "form": "public", "threads": 2}


def results():
    """Return what comes out of every case, to the last bit; an error where a row cannot be sampled so."""
    found = {}
    for name, game, options in cases():
        try:
            solution = eq.solve(game, **options)
        except eq.AlgorithmError as error:
            found[name] = str(error)
        else:
            value = solution.nash_conv if solution.final.is_certified else 0.0
            found[name] = [
                float(value).hex(),
                *(p.hex() for p in solution.strategy.probabilities.tolist()),
            ]
    found["exact"] = [value.hex() for value in eq.exact("kuhn").value]
    return found


def interpreted(*command):
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), str(HERE)]),
    }
    environment.pop("TESTS_PART", None)  # of .ci/run, whose part these tests are
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_every_way_of_iterating_gives_the_same_bits_in_python():
    found = json.loads(
        interpreted(
            "-c", "import json, test_interpreted; print(json.dumps(test_interpreted.results()))"
        )
    )
    wanted = results()
    assert found.keys() == wanted.keys()
    assert {name for name in wanted if found[name] != wanted[name]} == set()
    assert sum(isinstance(result, list) for result in wanted.values()) > 50


@pytest.mark.slow
def test_units_of_this_room_pass_in_python():
    tests = [str(HERE / f"test_{name}.py") for name in ("simd", "rng", "hashtable")]
    interpreted("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


@pytest.mark.slow
def test_16_bits_in_python():
    """Kernels of 16 bits take long to compile, so that the tests of the card form leave them out by default."""
    files = [str(HERE.parent / name) for name in ("cfr/test_card_cfr.py", "solving/test_locks.py")]
    chosen = "(16_bits and alternating) or (resumed and locks and int16)"
    interpreted("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "", "-k", chosen, *files)
