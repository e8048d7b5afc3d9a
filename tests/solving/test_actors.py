"""Runs of solve over several actors: those of one machine to the last bit, saved by the actors, resumed by anybody."""

import errno
import json
import os
import shutil

import numpy as np
import pytest

import equilibrist as eq
from equilibrist._util.archive import Archive
from equilibrist.cluster import backend
from equilibrist.cluster.checkpoint import read_facts
from support.actors import Here
from support.archives import REMOVED, rewrite
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

    monkeypatch.setattr(backend, "ProcessActors", make)
    return made


def alike(one, other):
    assert [point._replace(seconds=0) for point in one.trace] == [
        point._replace(seconds=0) for point in other.trace
    ]
    assert np.array_equal(one.strategy.probabilities, other.strategy.probabilities)
    assert one.value == other.value
    return True


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_run_is_saved_by_its_actors_and_goes_on_with_more_or_none(here, tmp_path, game, options):
    straight = eq.solve(game, "dcfr", **options, iterations=20)
    first = eq.solve(game, "dcfr", **options, iterations=7, backend=eq.Cluster(2), save=tmp_path)
    assert len(here[-1].objects) == 2
    assert first.state == {}
    (kept,) = (tmp_path / "actors").glob("iteration-*")
    assert kept.name == "iteration-7"
    assert len(list(kept.glob("part-*.npz"))) == 2
    assert alike(eq.load_solution(tmp_path), first)
    second = eq.solve(resume=tmp_path, save=tmp_path, iterations=12, backend=eq.Cluster(3))
    assert len(here[-1].objects) == 3
    assert second.info.run_id == first.info.run_id
    elsewhere = eq.solve(resume=tmp_path, iterations=20, backend=eq.Cluster(1))
    alone = eq.solve(resume=tmp_path, save=tmp_path, iterations=20)
    assert alike(alone, straight)
    assert alike(elsewhere, straight)
    assert not (tmp_path / "actors").exists()
    alone.save(tmp_path / "other")
    again = eq.solve(resume=tmp_path, iterations=25, backend=eq.Cluster(2))
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
    found = eq.solve(
        "leduc",
        "dcfr",
        form="public",
        iterations=20,
        backend=eq.Cluster(2),
        save=tmp_path,
        callbacks=dying,
    )
    assert not here[-1].deaths
    assert alike(found, straight)
    here.clear()
    saved = eq.solve(
        "leduc", "dcfr", form="public", iterations=20, backend=eq.Cluster(2), callbacks=dying
    )
    assert alike(saved, straight)


def test_recordings_are_those_of_one_machine(here):
    both = [
        eq.solve("leduc", "dcfr", form="public", iterations=5, record=["J"], backend=where)
        for where in (None, eq.Cluster(2))
    ]
    one, other = (solution.recording for solution in both)
    for name in ("iteration", "strategy", "average_strategy", "regret_sum", "reach"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_the_first_street_is_kept_without_bringing_a_table(here, tmp_path):
    whole = eq.solve(FLOP, "dcfr", iterations=5)
    first = eq.solve(
        FLOP, "dcfr", iterations=5, backend=eq.Cluster(2), save=eq.Save(tmp_path, streets=1)
    )
    assert alike(eq.load_solution(tmp_path), first)
    assert not (tmp_path / "actors").exists()
    weights = whole.strategy.first_streets(1).slots.weights
    assert np.array_equal(first.strategy.slots.weights, weights)
    assert first.value == whole.value


def test_what_cannot_be_is_refused(here, tmp_path):
    for options, reason in [
        ({"sampling": "external"}, "sampling='external'.*solve_chains"),
        ({"sampling": "full(pruning='zero-reach')"}, "full-width CFR"),
        ({"form": "sequence"}, "a sequence form, which is not split"),
        ({"form": "public", "until": eq.CCE(1.0)}, "where the play is tracked"),
        ({"form": "public", "limits": eq.Limits(memory_gb=1e-3)}, "in actors on this machine"),
    ]:
        with pytest.raises(eq.EquilibristError, match=reason):
            eq.solve("leduc", **{"backend": eq.Cluster(2), "iterations": 3, **options})
    with pytest.raises(eq.AlgorithmError, match="1 or more; got 0"):
        eq.Cluster(0)
    eq.solve("leduc", form="public", iterations=3, backend=eq.Cluster(2), save=tmp_path)
    with pytest.raises(eq.SolutionError, match="Resume it, or give another folder"):
        eq.solve("leduc", iterations=3, save=tmp_path)
    with pytest.raises(eq.SolutionError, match="Resume it, or give another folder"):
        eq.load_solution(tmp_path).save(tmp_path)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Return the folder of a run over actors in this process."""
    folder = tmp_path_factory.mktemp("saved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "ProcessActors", Here)
        eq.solve("leduc", "dcfr", form="public", iterations=3, backend=eq.Cluster(2), save=folder)
    return folder


def refused(folder):
    """Check that nothing goes on from a damaged folder, in whichever way."""
    for read in (
        lambda: eq.load_solution(folder),
        lambda: eq.solve(resume=folder, iterations=5),
        lambda: eq.solve(resume=folder, iterations=5, backend=eq.Cluster(2)),
        lambda: eq.solve(resume=folder, save=folder, iterations=5, backend=eq.Cluster(3)),
    ):
        with pytest.raises(eq.EquilibristError) as caught:
            read()
        assert "\n" not in str(caught.value)


def part_of(folder):
    return min((folder / "actors" / "iteration-3").glob("part-*.npz"))


def cut(path):
    path.write_bytes(path.read_bytes()[:200])


def flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage", [cut, flipped, lambda path: path.write_bytes(b""), lambda path: path.unlink()]
)
@pytest.mark.parametrize("which", ["checkpoint", "part"])
def test_damaged_checkpoints_of_actors_are_refused(here, saved, tmp_path, damage, which):
    folder = shutil.copytree(saved, tmp_path / "run")
    part = part_of(folder)
    damage(part if which == "part" else part.with_name("checkpoint.npz"))
    refused(folder)


def test_a_part_of_another_run_is_refused(here, saved, tmp_path):
    folder = shutil.copytree(saved, tmp_path / "run")
    eq.solve(
        "leduc", "cfr", form="public", iterations=3, backend=eq.Cluster(2), save=tmp_path / "other"
    )
    shutil.copy(part_of(tmp_path / "other"), part_of(folder))
    refused(folder)


def test_parts_outside_of_the_folder_are_not_read(here, saved, tmp_path):
    folder = shutil.copytree(saved, tmp_path / "run")
    part = part_of(folder)
    top = part.with_name("checkpoint.npz")
    number = [file.name for file in read_facts(top.parent).files].index(part.name)
    part.rename(folder / "part.npz")
    rewrite(top, about={f"files.{number}.name": "../../part.npz"})
    refused(folder)


def test_a_checkpoint_of_actors_of_another_iteration_is_refused(here, saved, tmp_path):
    folder = shutil.copytree(saved, tmp_path / "run")
    rewrite(folder / "checkpoint.npz", about={"final.iteration": 4})
    refused(folder)


ALL = [[0, 2**40]]


@pytest.mark.parametrize(
    "changes",
    [
        {"files": REMOVED},
        {"files": []},
        {"files.1": REMOVED},
        {"files": "part"},
        {"files.0.name": "../../../checkpoint.npz"},
        {"files.0.name": 3},
        {"files.0.digest": "0"},
        {"files.0.ranges": ALL},
        {"files.0.ranges": [[5, 3]]},
        {"files.0.ranges": [[0, 1.5]]},
        {"files.0.ranges": REMOVED},
        {"files.0.more": 1},
        {"most": REMOVED},
        {"most": "many"},
        {"most": -1},
        {"most": 2**40},
        {"run": []},
        {"run.fingerprint": "other"},
        {"run.fingerprint": REMOVED},
        {"more": 1},
    ],
    ids=str,
)
def test_what_a_checkpoint_of_actors_says_is_checked(here, saved, tmp_path, changes):
    folder = shutil.copytree(saved, tmp_path / "run")
    rewrite(part_of(folder).with_name("checkpoint.npz"), about=changes)
    refused(folder)


@pytest.mark.thinned(3)
@pytest.mark.parametrize("which", ["top", "part"])
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("regret_sum", lambda table: table * np.nan),
        ("strategy_sum", lambda table: -1 - table),
        ("strategy", lambda table: 2 * table),
        ("strategy_sum", lambda table: np.concatenate([table, table])),
        ("regret_sum", lambda table: table[:-1]),
        ("regret_sum", lambda table: table.astype(np.float32)),
    ],
)
def test_tables_of_actors_are_checked_whatever_their_digest(
    here, saved, tmp_path, which, name, change
):
    folder = shutil.copytree(saved, tmp_path / "run")
    part = part_of(folder)
    top = part.with_name("checkpoint.npz")
    changed = part if which == "part" else top
    with Archive(changed) as archive:
        table = archive.array(name)
    digest = rewrite(changed, arrays={name: change(table)})
    if which == "part":
        files = read_facts(top.parent).files
        rewrite(
            top, about={f"files.{[file.name for file in files].index(part.name)}.digest": digest}
        )
    if name == "strategy":  # which the average is not made of
        assert eq.load_solution(folder).iterations == 3
        for where in (None, eq.Cluster(2)):
            with pytest.raises(
                eq.SolutionError, match="The state of the saved run on leduc does not belong to it"
            ):
                eq.solve(resume=folder, iterations=5, backend=where)
    else:
        refused(folder)


def test_a_checkpoint_of_actors_is_not_written_twice(here, tmp_path):
    """Were it, a kill between two parts would leave none: those of another number of actors have other names."""
    eq.solve("leduc", form="public", iterations=3, backend=eq.Cluster(2), save=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("actors/*/*")}
    eq.solve(resume=tmp_path, save=tmp_path, iterations=3, backend=eq.Cluster(3))
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("actors/*/*")} == before
    assert eq.load_solution(tmp_path).iterations == 3


class Killed(BaseException):
    """What a dead process would have done next."""


@pytest.mark.parametrize("older", [False, True])
def test_what_a_run_left_that_was_killed_before_its_first_checkpoint_is_swept(
    here, tmp_path, monkeypatch, older
):
    def kill(*_, **__):
        raise Killed

    options = {"form": "public", "iterations": 3, "save": tmp_path}
    if older:
        eq.solve("leduc", "cfr", **options)
    with monkeypatch.context() as patch:
        patch.setattr("equilibrist.solving.run.write_folder", kill)
        with pytest.raises(Killed):
            eq.solve("leduc", "dcfr", backend=eq.Cluster(2), **options)
    assert list(tmp_path.glob("actors/iteration-*"))
    ended = eq.solve("leduc", "dcfr", backend=eq.Cluster(3), **options)
    assert alike(eq.load_solution(tmp_path), ended)
    assert (tmp_path / "checkpoint.previous.npz").exists() == older
    assert len(list(tmp_path.glob("actors/*/part-*.npz"))) == 3
    (tmp_path / "checkpoint.npz").write_bytes(
        b""
    )  # of which nobody knows whether it is that of actors
    with pytest.raises(eq.SolutionError, match="Resume it, or give another folder"):
        eq.solve("leduc", **options)


def test_a_full_disk_at_the_actors_is_told_in_a_sentence(here, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("equilibrist._util.archive.write_archive", full)
    with pytest.raises(
        eq.SolutionError, match=r"part-.*npz cannot be written: No space left"
    ) as caught:
        eq.solve("leduc", form="public", iterations=3, backend=eq.Cluster(2), save=tmp_path)
    assert caught.value.solution.iterations == 3


@pytest.mark.slow
def test_the_command_spreads_a_run(tmp_path, capsys):
    given = ("--form", "public", "--iterations", 4, "--json")
    alone = call(capsys, "solve", "leduc", *given).json
    found = call(capsys, "solve", "leduc", *given, "--actors", 2, "--save", tmp_path).json
    assert found["nash_conv"] == alone["nash_conv"]
    assert json.loads((tmp_path / "solution.json").read_text())["nash_conv"] == alone["nash_conv"]
    call(capsys, "solve", "leduc", "--ray", "auto").fails(2, "give actors= (--actors)")
