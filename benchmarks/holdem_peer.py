"""A solver of others on the same spot, in the same minutes, on the same machine: what it is told, what it answers.

``python -m benchmarks.holdem --peer COMMAND`` starts COMMAND once for each spot, number of threads and round, in turn
with ours. It reads one JSON object from standard input::

    {"board": "Td9d6hQc",                     # 3, 4 or 5 cards
     "pot": 200, "stack": 900,                # chips; the stack is what each player has left
     "ranges": {"oop": "66+,A8s+,AJo:0.5", "ip": "QQ-22"},
     "sizes": {"oop": {"turn":  {"bet": "60%, e, a", "raise": "2.5x", "donk": null},
                       "river": {"bet": "60%, e, a", "raise": "2.5x", "donk": "50%"}},
               "ip": {...}},                  # the streets with betting; donk null: the sizes of bets; "": none
     "add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1,  # 0 where the spot has none
     "rake": 0, "rake_cap": null,             # a share of the pot; null: no cap
     "threads": 1,
     "goals": [1, 0.5, 0.1],                  # exploitability, % of the pot
     "seconds": 120}                          # after so many seconds of solving it may give up

Ranges and sizes are in the dialect of docs/holdem.md, which is that of PioSOLVER and postflop-solver. It solves the
spot, with tables in float32 if it can, until the last goal is reached, and prints one JSON object to standard output::

    {"name": "postflop-solver 0.1.0",         # its name and version
     "ms_per_iteration": 10.2,                # milliseconds; one iteration updates both players
     "goals": {"1": {"iterations": 60, "ms": 660},        # milliseconds until that exploitability was seen, its own
               "0.5": {"iterations": 100, "ms": 1110}},   # looks at the exploitability included, building the game not
     "ev": 91.95,                             # optional: what OOP earns at the end, chips of the pot
     "exploitability": 0.09,                  # optional: at the end, % of the pot
     "megabytes": 12}                         # optional: memory of its tables

A goal that it did not reach is left out. Whatever else it says goes to standard error. It ends with status 0.
"""

from __future__ import annotations

import json
import math
import shlex
import statistics
import subprocess
from collections.abc import Sequence
from typing import Any

import equilibrist as eq

_STREETS = ("flop", "turn", "river")
_UNTOLD = (
    "max_raises",
    "min_bet",
    "chip",
    "add_lines",
    "remove_lines",
    "after",
    "locks",
)  # settings of a spot
_GRACE = 60.0  # seconds beyond those of solving: the program starts, and builds the game


def question(
    game: eq.poker.Holdem, *, threads: int, goals: Sequence[float], seconds: float
) -> dict[str, Any]:
    """Return what a program of others is told of a spot; ends the benchmark where that cannot say what the spot is."""
    untold = [name for name in _UNTOLD if game.settings.get(name)]
    if untold:
        raise SystemExit(
            f"--peer: a spot with {', '.join(untold)} cannot be told to another program. Leave it out."
        )
    rules, players = game.tree.rules, ("oop", "ip")

    def text(sizes: Sequence[object] | None) -> str | None:
        return None if sizes is None else ", ".join(map(str, sizes))

    sizes = {
        player: {
            _STREETS[street]: {
                "bet": text(each.bet),
                "raise": text(each.raise_),
                "donk": text(each.donk),
            }
            for street, each in enumerate(of_player)
            if street >= rules.street
        }
        for player, of_player in zip(players, rules.sizes, strict=True)
    }
    return {
        "board": game.settings["board"],
        "pot": rules.pot,
        "stack": rules.stack,
        "ranges": dict(zip(players, map(str, game.ranges), strict=True)),
        "sizes": sizes,
        **{name: getattr(rules, name) or 0 for name in ("add_all_in", "force_all_in", "merge")},
        "rake": rules.rake,
        "rake_cap": rules.rake_cap if math.isfinite(rules.rake_cap) else None,
        "threads": threads,
        "goals": list(goals),
        "seconds": seconds,
    }


def ask(command: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return what a program of others answers; ends the benchmark with a sentence where that is no answer."""
    try:
        ran = subprocess.run(
            shlex.split(command),
            input=json.dumps(told),
            stdout=subprocess.PIPE,
            text=True,
            timeout=told["seconds"] * 2 + _GRACE,
            check=True,
        )
        answer: dict[str, Any] = json.loads(ran.stdout)
        named = {"name": str(answer["name"]), "ms_per_iteration": float(answer["ms_per_iteration"])}
        goals = {
            goal: {"iterations": int(at["iterations"]), "ms": float(at["ms"])}
            for goal, at in answer["goals"].items()
        }
    except (
        OSError,
        subprocess.SubprocessError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ) as error:
        why = f"{type(error).__name__}: {error}"
        raise SystemExit(
            f"--peer: {command!r} gave no answer as benchmarks/holdem_peer.py asks for it ({why})."
        ) from None
    return answer | named | {"goals": goals}


def median_answer(answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the answers of several rounds as one: medians of times; a goal that was missed in a round is left out."""
    reached = set.intersection(*(set(answer["goals"]) for answer in answers))
    return answers[0] | {
        "ms_per_iteration": statistics.median(answer["ms_per_iteration"] for answer in answers),
        "goals": {
            goal: {
                name: statistics.median(answer["goals"][goal][name] for answer in answers)
                for name in at
            }
            for goal, at in answers[0]["goals"].items()
            if goal in reached
        },
    }
