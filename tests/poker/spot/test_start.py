"""The beginning of the betting by its name in tables, ``start``, wherever a line is taken."""

import equilibrist as eq
from equilibrist.poker.solved.spots import SolvedSpot

SPOT = {"board": "2s3h4d6c7c", "oop": "AA,QQ", "ip": "KK", "pot": 20, "stack": 10, "bets": "a"}


def test_start_is_a_line(tmp_path, run):
    lock = {"strategy": {"X": 1.0}}
    named, empty = (
        eq.poker.Holdem(**SPOT, locks=[{"line": line, **lock}]) for line in ("start", "")
    )
    assert str(named) == str(empty)
    assert eq.poker.Holdem(**SPOT, after="start").settings == eq.poker.Holdem(**SPOT).settings
    solution = eq.solve(named, iterations=20, save=tmp_path / "run")
    spot = SolvedSpot(solution)
    for line in ("start", "Start", ""):
        assert named.tree.find(line) == 0
        assert spot.node(line).actions == ("X", "A10")
    assert eq.poker.Preflop(stack=10).find("start") == 0
    shown = [run("show", str(tmp_path / "run"), "--line", line).out for line in ("start", "")]
    assert shown[0] == shown[1]
    (tmp_path / "spot.toml").write_text(
        'board = "2s3h4d6c7c"\noop = "AA,QQ"\nip = "KK"\npot = 20\nstack = 10\nbets = "a"\n'
        '[[locks]]\nline = "start"\nstrategy = {X = 1.0}\n'
    )
    assert str(eq.load(tmp_path / "spot.toml")) == str(empty)
