"""Every setting of a spot of hold'em, with values that it may have: what forms and files must hold."""

import inspect
import itertools

from equilibrist.poker.spot.bet_sizes import STREETS, read_parts
from equilibrist.poker.spot.game import Holdem

BASE = {
    "board": "Td9d6h",
    "oop": "QQ+,AKs:0.5",
    "ip": "JJ-99,AhKh:0.123456",
    "pot": 100,
    "stack": 400,
    "bets": "50%; 3x",
}
VALUES = {
    "board": ["Td9d6h", "Td9d6hQc"],
    "oop": ["AA", {"range": "AA", "bets": "33%; 2.5x", "turn": {"bet": "75%"}, "river": "; ; 40%"}],
    "ip": ["KK:0.25,QQ", {"range": "KK", "flop": "none", "river": {"bet": "a", "raise": "3x"}}],
    "pot": [77, 100.25],
    "stack": [333, 90.5],
    "bets": ["33%, 75%; 3x; 20%", "none", "", "; 3x", "; ; 33%"],
    "flop": ["25%", "; 4x", {"bet": "none", "donk": "33%"}],
    "turn": ["66%; 2.5x", {"donk": "none"}],
    "river": ["a", {"raise": "a"}],
    "add_all_in": [1.5, 0.0, 0.333],
    "force_all_in": [0.15, 0.0],
    "merge": [0.1, 0.0, 1e-7],
    "max_raises": [2, 0],
    "min_bet": [4, 0, 0.5],
    "chip": [0, 5, 0.01],
    "rake": [0.05, 0.0333],
    "rake_cap": [3, 0],
    "prizes": [[50, 30.5], [1]],
    "others": [[30, 25.5]],
    "surplus": [[0, 12.5], [3, 0]],
    "folded": [["AA,KK"], ["K5o-K2o:0.5", "QQ"]],
    "add_lines": [["X-B120", "B50-R220"]],
    "remove_lines": [["X-B50"]],
    "after": ["X-B50", "X"],
    "locks": [
        [{"line": "X", "strategy": {"X": 0.25, "B50": 0.75}}],
        [
            {"line": "", "strategy": {"X": 1.0}, "hands": "QQ"},
            {"line": "X-X |", "strategy": {"X": 0.5, "B50": 0.5}, "board": "Td9d6h2c"},
        ],
    ],
    "deck": ["full", "short", "short, trips beat straights"],
}
"""Values of each setting. A test fails where the constructor has a setting that is not here."""

TOGETHER = {
    "board": "Td9d6hQc",
    "oop": {"range": "QQ+,AKs:0.5", "bets": "33%; 3x", "river": {"bet": "40%"}},
    "ip": {"range": "JJ-99", "turn": "75%; 3x"},
    "pot": 100,
    "stack": 400,
    "bets": "50%; 3x; 25%",
    "flop": "20%",
    "turn": "60%; 3x",
    "river": {"bet": "80%, a", "raise": "a"},
    "add_all_in": 1.5,
    "force_all_in": 0.15,
    "merge": 0.1,
    "max_raises": 3,
    "min_bet": 2,
    "chip": 0.5,
    "rake": 0.05,
    "rake_cap": 7.5,
    "prizes": [],
    "others": [],
    "surplus": [],
    "folded": ["22+:0.5"],
    "add_lines": ["X-B120-R370"],
    "remove_lines": ["X-X | B40"],
    "after": "X-B120",
    "locks": [{"line": "", "strategy": {"F": 0.5, "C": 0.5}, "hands": "KK"}],
    "deck": "short",
}
"""A spot in which every setting has a value of its own, but for prizes, which go with no rake."""
NEEDS = {"others": {"prizes": [50, 30, 20]}, "surplus": {"prizes": [50, 30]}}
"""What other settings a setting needs."""


def spots():
    """Return settings of spots: for each value of each setting a spot that has it, and one that has them all."""
    parameters = set(inspect.signature(Holdem).parameters)
    assert parameters == set(VALUES) == set(TOGETHER), "a setting of spots has no values here"
    alone = (
        {**BASE, **NEEDS.get(name, {}), name: value}
        for name, values in VALUES.items()
        for value in values
    )
    return [*itertools.chain(alone, [TOGETHER])]


def meaning(settings):
    """Return what settings mean, so that what is the same spot is equal: sizes by part, shares to twelve digits."""
    read = dict(Holdem(**settings).settings)
    for name in ("add_all_in", "force_all_in", "merge", "rake"):
        read[name] = None if read[name] is None else float(f"{read[name]:.12g}")
    for name in ("bets", *STREETS):
        read[name] = read_parts(read[name] or "", name)
    for who in ("oop", "ip"):
        table = read[who] if isinstance(read[who], dict) else {"range": read[who]}
        read[who] = {
            key: value if key == "range" else read_parts(value, key) for key, value in table.items()
        }
    return read
