"""The proofs of docs/proofs, checked by the checker that people copy, and the values that the page tells."""

import json
import runpy
from fractions import Fraction
from pathlib import Path

import pytest

import equilibrist as eq
from support.known import KNOWN

ROOT = Path(__file__).parents[2]
MAKING = runpy.run_path(str(ROOT / "docs" / "making" / "proofs.py"))
PROOFS = sorted(MAKING["PROOFS"].iterdir())
check = runpy.run_path(str(ROOT / "examples" / "check_proof.py"))["check"]
VALUES = {known.game: known for known in KNOWN if known.quantity == "value"}
proof_path = MAKING["proof_path"]
LARGE = [game for game in VALUES if not proof_path(game).exists()]


@pytest.mark.thinned(27)
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PROOFS])
def test_a_proof_of_the_documentation_is_one(path):
    proof = json.loads(path.read_text("utf-8"))
    assert path == proof_path(proof["game"])
    assert path.stat().st_size <= MAKING["LARGEST"]
    assert check(eq.load(proof["game"]), proof)[0]
    known = VALUES[proof["game"]]
    assert abs(Fraction(proof["value"][0]) - Fraction(known.number)) < 1e-15


def test_most_known_values_have_a_proof():
    assert len(PROOFS) >= 27
    assert len(PROOFS) + len(LARGE) == len(VALUES)


@pytest.mark.slow
@pytest.mark.parametrize("game", LARGE)
def test_a_known_value_without_a_proof_has_a_large_one(game, tmp_path):
    solution = eq.exact(game, rational=True)
    assert abs(solution.value[0] - Fraction(VALUES[game].number)) < 1e-15
    path = tmp_path / "large.proof.json"
    solution.write_proof(path)
    assert path.stat().st_size > MAKING["LARGEST"]
