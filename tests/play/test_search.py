"""Searchers in matches and sessions, and ``equilibrist play --search``."""

import io
import sys

import pytest

import equilibrist as eq
from equilibrist.play.session import Session

FLOP = "holdem(board='KdQd2d7d', oop='AA,QJs', ip='KK,JTs', pot=100, stack=100, bets='a; a')"
LEDUC = eq.solve("leduc", "cfr", iterations=5)


@pytest.mark.slow
def test_a_match_against_a_searcher_is_exact():
    """The same as against its strategy, written down; and it earns what the safe parts are worth."""
    searcher = eq.Searcher(LEDUC)
    match = eq.play_match("leduc", LEDUC, against=searcher, hands=20_000, seed=1)
    written = eq.play_match("leduc", LEDUC, against=searcher.strategy(), hands=20_000, seed=1)
    assert match.summary() == written.summary()
    assert match.overall.exact < -0.05
    assert match.overall.holds_exact
    assert len(searcher.log) == 30


def test_a_person_plays_against_a_searcher():
    """It solves the parts to which play comes, for its own seat alone."""
    session = Session("leduc", against=eq.Searcher(LEDUC), seat=0, seed=3)
    for _ in range(3):
        session.play(lambda turn: 0)
    searches = session.summary()["searches"]
    lines = {record["line"][1:] for record in searches}
    assert {record["player"] for record in searches} == {1}
    assert lines == {f"cc/{hand.moves[4].action}" for hand in session.hands if len(hand.moves) > 5}
    assert session.hands[0].cost is None
    assert "searches" not in Session("leduc", against=LEDUC, seed=3).summary()
    with pytest.raises(
        eq.AlgorithmError, match="cannot be dealt at 'Q', for the opponent searches"
    ):
        Session("leduc", against=eq.Searcher(LEDUC), line="Q")


@pytest.mark.slow
def test_a_spot_is_searched_street_by_street():
    blueprint = eq.solve(FLOP, iterations=5)
    # In float64 as other tests of parts: their kernels take long to compile.
    searcher = eq.Searcher(blueprint, iterations=5, precision="float64")
    match = eq.play_match(FLOP, blueprint, against=searcher, hands=20, seed=2)
    assert (match.sampled, match.overall.hands, match.overall.exact) == ("rules", 20, None)
    assert searcher.log
    assert {record.line for record in searcher.log} == {"X-X"}


def test_the_command_says_that_the_opponent_searches(run, tmp_path, monkeypatch):
    folder = str(tmp_path / "run")
    LEDUC.save(folder)
    out = run("play", folder, "--as", folder, "--search", "--hands", "10", "--seed", "1").out
    assert "which searches" in " ".join(out.split())
    assert "The opponent solved 30 parts again in" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 5))
    ran = run("play", folder, "--search", "--hands", "1", "--seed", "1", "--seat", "0")
    assert "It solves again, safely, the parts of the game to which play comes." in ran.out
    assert "Costs are unknown, for the opponent searches" in ran.out
    assert "Solved again at Jcrc/K by refined in" in ran.out
    run("play", "leduc", "--search").fails(2, "give a saved run in place of GAME, or --against")
