"""The proofs of the known values, docs/proofs: ``python -m docs.making.proofs``, from the root of the repository.

Every value of a two-player zero-sum game in ``tests/support/known.py`` is proved in fractions, which takes a minute in
all. Files of more than 100 kB are not kept.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "docs" / "proofs"
LARGEST = 100_000  # bytes


def proof_path(game: str) -> Path:
    """Return the file of the proof of a game's value."""
    slug = re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")
    return PROOFS / f"{slug}.proof.json"


def games_with_value() -> list[str]:
    """Return the games of two players whose value is known."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.known import KNOWN

    return list(dict.fromkeys(known.game for known in KNOWN if known.quantity == "value"))


def main() -> None:
    """Write the proofs, and say how large they are."""
    import equilibrist as eq

    for game in games_with_value():
        solution = eq.exact(game, rational=True)
        path = proof_path(game)
        solution.write_proof(path)
        size = path.stat().st_size
        if size > LARGEST:
            path.unlink()
        print(
            f"{game}: {solution.value[0]}, {size:,} bytes{' (not kept)' if size > LARGEST else ''}"
        )


if __name__ == "__main__":
    main()
