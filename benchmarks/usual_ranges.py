"""Make the ranges to start from that the page offers: heads-up, before the flop, of our own solutions.

    python -m benchmarks.usual_ranges          # solves them again, and writes usual_ranges.json
    python -m benchmarks.usual_ranges --check  # whether the file is what comes out

Each is solved to 1e-4 big blinds a hand. Push or fold is exact; in games with raises the board is checked down after
the flop, which docs/preflop.md describes. Weights are rounded to 5 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASS_OF_HAND, CLASSES
from equilibrist.poker.preflop.game import SEATS

KEPT = Path(__file__).parents[1] / "src" / "equilibrist" / "poker" / "spot" / "usual_ranges.json"
UNTIL = 1e-4  # big blinds a hand
STEP = 0.05
PUSH_FOLD = (5, 8, 10, 12, 15, 20)
RAISES = {25: "2x, a; 3x, a; a", 50: "2.5x; 3x, a; 2.5x, a; a", 100: "2.5x; 3.5x; 2.3x; a"}
"""Sizes by stack, big blinds."""
LONGEST = 3  # actions of a line


def rows_of(text: str) -> list[dict[str, str]]:
    """Solve a game; return the range with which each player comes to the end of each short line, but by a fold."""
    solution, game = eq.solve(text, until=UNTIL), eq.load(text)
    print(
        f"{text}: {solution.exploitability:.2g} bb, {solution.iterations} iterations",
        file=sys.stderr,
    )
    rows = []
    for node in game.nodes:
        before = tuple(filter(None, node.line.split("-")))
        for action in node.actions:
            if len(before) >= LONGEST or action in ("F", "fold"):
                continue
            weights, state, moves = np.ones(len(CLASSES)), 0, ()  # type: np.ndarray, int, tuple[str, ...]
            for taken in (*before, action):
                if game.player(state) == node.player:
                    mixes = (
                        solution.strategy[node.player, game.infoset(hand, moves)]
                        for hand in CLASSES
                    )
                    weights *= [mix[taken] for mix in mixes]
                state, moves = game.next(state, taken), (*moves, taken)
            rounded = np.round(np.round(weights / STEP) * STEP, 2)
            if rounded.any():
                seat, after = SEATS[node.player], f" after {node.line}" * bool(node.line)
                name = f"Heads-up {game.settings['stack']:g} bb/{seat} {verb(action, node.line)}{after}"
                hands = str(eq.poker.Range(rounded[CLASS_OF_HAND]))
                rows.append({"name": name, "position": seat, "text": hands, "game": text})
    return rows


def verb(action: str, line: str) -> str:
    """Return an action in words."""
    if action[0] == "R":
        return f"raises to {action[1:]}"
    if action == "C":
        return "calls" if line else "limps"
    return {"X": "checks", "A": "goes all-in", "p": "pushes", "c": "calls"}[action[0]]


def make() -> list[dict[str, str]]:
    """Solve all games, and return the ranges as rows."""
    games = [f"push_fold(stack={stack})" for stack in PUSH_FOLD]
    games += [f"preflop(stack={stack}, sizes={sizes!r})" for stack, sizes in RAISES.items()]
    return [row for text in games for row in rows_of(text)]


def main() -> int:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail if the file is another")
    arguments = parser.parse_args()
    text = json.dumps(make(), indent=1) + "\n"
    if arguments.check:
        return int(KEPT.read_text(encoding="utf-8") != text)
    KEPT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
