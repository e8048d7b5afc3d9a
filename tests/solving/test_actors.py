"""Runs of solve over several actors: those of one machine to the last bit, saved by the actors, resumed by anybody."""

import json

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.solving import actors as spread
from support.actors import Here
from support.command import call

FLOP = "holdem(board='2s3h4d6c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
GAMES = [("leduc", {"form": "public"}), (FLOP, {})]


@pytest.fixture
def here(monkeypatch):
    """Have actors in this process; return those of the last run."""
    made = []

    def make(*_, **__):
        made.append(Here())
        return made[-1]

    monkeypatch.setattr(spread, "make_actors", make)
    return made


def alike(one, other):
    assert [point._replace(seconds=0) for point in one.trace] == [point._replace(seconds=0) for point in other.trace]
    assert np.array_equal(one.strategy.probabilities, other.strategy.probabilities)
    assert one.value == other.value
    return True


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_run_is_saved_by_its_actors_and_goes_on_with_more_or_none(here, tmp_path, game, options):
    straight = eq.solve(game, "dcfr", **options, iterations=20)
    first = eq.solve(game, "dcfr", **options, iterations=7, actors=2, save=tmp_path)
    assert len(here[-1].objects) == 2
    assert first.state == {}
    (kept,) = (tmp_path / "actors").glob("iteration-*")
    assert kept.name == "iteration-7"
    assert len(list(kept.glob("part-*.npz"))) == 2
    assert alike(eq.load_solution(tmp_path), first)
    second = eq.solve(resume=tmp_path, save=tmp_path, iterations=12, actors=3)
    assert len(here[-1].objects) == 3
    assert second.info.run_id == first.info.run_id
    elsewhere = eq.solve(resume=tmp_path, iterations=20, actors=1)
    alone = eq.solve(resume=tmp_path, save=tmp_path, iterations=20)
    assert alike(alone, straight)
    assert alike(elsewhere, straight)
    assert not (tmp_path / "actors").exists()
    alone.save(tmp_path / "other")
    again = eq.solve(resume=tmp_path, iterations=25, actors=2)
    assert again.nash_conv == eq.solve(game, "dcfr", **options, iterations=25).nash_conv
    again.save(tmp_path / "strategy")
    assert alike(eq.load_solution(tmp_path / "strategy"), again)
    with pytest.raises(eq.SolutionError, match="not resumed"):
        eq.solve(resume=tmp_path / "strategy", iterations=30)


def test_an_actor_that_dies_costs_what_came_after_the_last_save(here, tmp_path, monkeypatch):
    def dying(point):
        if point.iteration == 8:
            actors = here[-1]
            actors.deaths = {actors.calls + 3: [0], actors.calls + 40: [1]}

    straight = eq.solve("leduc", "dcfr", form="public", iterations=20)
    found = eq.solve("leduc", "dcfr", form="public", iterations=20, actors=2, save=tmp_path, on_checkpoint=dying)
    assert not here[-1].deaths
    assert alike(found, straight)
    here.clear()
    saved = eq.solve("leduc", "dcfr", form="public", iterations=20, actors=2, on_checkpoint=dying)
    assert alike(saved, straight)


def test_recordings_are_those_of_one_machine(here):
    both = [eq.solve("leduc", "dcfr", form="public", iterations=5, record=["J"], actors=count) for count in (None, 2)]
    one, other = (solution.recording for solution in both)
    for name in ("iteration", "strategy", "average_strategy", "regret_sum", "reach"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_the_first_street_is_kept_without_bringing_a_table(here, tmp_path):
    whole = eq.solve(FLOP, "dcfr", iterations=5)
    first = eq.solve(FLOP, "dcfr", iterations=5, actors=2, save=tmp_path, save_streets=1)
    assert alike(eq.load_solution(tmp_path), first)
    assert not (tmp_path / "actors").exists()
    weights = whole.strategy.first_streets(1).weights
    assert np.array_equal(first.strategy.weights, weights)
    assert first.value == whole.value


def test_what_cannot_be_is_refused(here, tmp_path):
    for options, reason in [
        ({"sampling": "external"}, "sampling='external'.*solve_chains"),
        ({"sampling": "full(pruning='zero-reach')"}, "full-width CFR"),
        ({"form": "sequence"}, "a sequence form, which is not split"),
        ({"until_cce": 1.0}, "not tracked over actors"),
        ({"actors": 0}, "1 or more; got 0"),
        ({"form": "public", "max_memory_gb": 1e-3}, "in actors on this machine"),
    ]:
        with pytest.raises(eq.EquilibristError, match=reason):
            eq.solve("leduc", **{"actors": 2, "iterations": 3, **options})
    with pytest.raises(eq.AlgorithmError, match="give actors="):
        eq.solve("leduc", ray="auto", iterations=3)
    eq.solve("leduc", form="public", iterations=3, actors=2, save=tmp_path)
    with pytest.raises(eq.SolutionError, match="Resume it, or give another folder"):
        eq.solve("leduc", iterations=3, save=tmp_path)
    with pytest.raises(eq.SolutionError, match="Resume it, or give another folder"):
        eq.load_solution(tmp_path).save(tmp_path)
    about = next(tmp_path.glob("actors/iteration-3/checkpoint.json"))
    about.write_text("{")
    with pytest.raises(eq.SolutionError, match="cannot be read"):
        eq.load_solution(tmp_path)
    with pytest.raises(eq.SolutionError, match="cannot be read"):
        eq.solve(resume=tmp_path, iterations=5, actors=2)


@pytest.mark.slow
def test_the_command_spreads_a_run(tmp_path, capsys):
    given = ("--form", "public", "--iterations", 4, "--json")
    alone = call(capsys, "solve", "leduc", *given).json
    found = call(capsys, "solve", "leduc", *given, "--actors", 2, "--save", tmp_path).json
    assert found["nash_conv"] == alone["nash_conv"]
    assert json.loads((tmp_path / "solution.json").read_text())["nash_conv"] == alone["nash_conv"]
    call(capsys, "solve", "leduc", "--ray", "auto").fails(2, "give actors= (--actors)")
