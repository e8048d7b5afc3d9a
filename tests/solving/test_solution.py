"""Saved solutions: what lies in the folder, that it is written whole or not at all, and that no file can harm us."""

import csv
import errno
import hashlib
import io
import json
import os
import random
import tracemalloc
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

import equilibrist as eq
from equilibrist._util.files import write_atomically
from support.archives import REMOVED, rewrite
from support.bomb import Bomb
from support.runs import GENERAL, without_seconds
from support.spelled import Spelled, end, renamed, turns

FILES = {"checkpoint.npz", "solution.json", "strategy.csv"}


@pytest.fixture(scope="module")
def solution():
    return eq.solve("kuhn", "hs-dcfr", iterations=12)


@pytest.fixture
def folder(solution, tmp_path):
    solution.save(tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def checkpoint(folder):
    return folder / "checkpoint.npz"


# --- What lies in the folder ---


def test_the_folder(folder, solution):
    assert {path.name for path in folder.iterdir()} == FILES
    summary = json.loads((folder / "solution.json").read_text())
    assert summary["format"] == "equilibrist solution 6"
    assert (summary["game"], summary["algorithm"], summary["iterations"]) == ("kuhn", "hs-dcfr", 12)
    assert summary["value"] == list(solution.value)
    assert summary["nash_conv"] == solution.nash_conv
    assert [point["iteration"] for point in summary["trace"]] == [1, 2, 3, 4, 6, 8, 12]
    with (folder / "strategy.csv").open(newline="") as file:
        table = list(csv.reader(file))
    assert table[0] == ["player", "infoset", "action", "probability"]
    assert len(table) == 1 + 24
    with np.load(folder / "checkpoint.npz", allow_pickle=False) as arrays:
        assert all(
            arrays[name].dtype.kind in "fiu" for name in arrays.files if not name.endswith(".json")
        )


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("kuhn", "pcfr+"),
        ("kuhn", "exact"),
        ("kuhn(players=3)", "hs-dcfr"),
        ("matching_pennies", "dcfr"),
        (GENERAL, "cfr"),
    ],
)
def test_loading_returns_what_was_saved(spec, name, tmp_path):
    saved = (
        eq.exact(spec)
        if name == "exact"
        else eq.solve(spec, f"{name}(alternating=False)", iterations=20)
    )
    saved.save(tmp_path)
    loaded = eq.load_solution(tmp_path)
    assert without_seconds(loaded) == without_seconds(saved)
    assert loaded.seconds == saved.seconds
    assert loaded.trace == saved.trace
    assert loaded.strategy == saved.strategy
    assert loaded.guarantee == saved.guarantee


def test_games_without_decisions_are_saved_too(tmp_path):
    eq.solve(Spelled(2, end(1, -1)), iterations=3).save(tmp_path)
    assert eq.load_solution(tmp_path).value == (1, -1)


def test_saving_again_replaces_and_leaves_nothing_else(folder):
    eq.solve("leduc", iterations=5).save(folder)
    assert eq.load_solution(folder).game == "leduc"
    assert {path.name for path in folder.iterdir()} == FILES


def test_folders_are_made(tmp_path, solution):
    solution.save(str(tmp_path / "a" / "b"))
    assert eq.load_solution(tmp_path / "a" / "b").iterations == 12


def test_the_checkpoint_alone_is_enough(folder, solution):
    (folder / "solution.json").unlink()
    (folder / "strategy.csv").unlink()
    assert without_seconds(eq.load_solution(folder)) == without_seconds(solution)


# --- Strategies as CSV ---


def test_csv_round_trip_is_bit_equal(tmp_path):
    for spec in ("kuhn(players=3)", "leduc", "blotto"):
        strategy = eq.solve(spec, iterations=17).strategy
        strategy.write_csv(tmp_path / "strategy.csv")
        again = eq.Strategy.read_csv(tmp_path / "strategy.csv")
        assert {key: again[key] for key in again} == {
            key: strategy[key] for key in strategy
        }  # to the last bit


@pytest.mark.parametrize(
    "key",
    ["", " ", "a,b", 'say "x"', "two\nlines", "two\r\nlines", "a\rb", "♠ é", "'", "=1+1", "\t"],
)
def test_csv_keeps_any_text(tmp_path, key):
    strategy = eq.Strategy.from_dict({(1, key): {"a": 0.25, key or "b": 0.75}})
    strategy.write_csv(tmp_path / "strategy.csv")
    assert dict(eq.Strategy.read_csv(tmp_path / "strategy.csv")) == dict(strategy)


def test_strategies_are_mappings():
    strategy = eq.solve("goofspiel(cards=2)", iterations=5).strategy
    assert len(strategy) == len(list(strategy)) == len(strategy.infosets)
    assert (0, "2:") in strategy
    assert (2, "2:") not in strategy
    with pytest.raises(
        KeyError, match=r"'2:' is an infoset of players \[0, 1\]: ask for \(0, '2:'\)"
    ):
        strategy["2:"]
    with pytest.raises(KeyError):
        strategy["nowhere"]
    assert all(sum(row.values()) == pytest.approx(1) for row in strategy.values())


# --- Whole or not at all ---


def failing(*_args, **_kwargs):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["replace", "fsync", "fdopen", "chmod"])
def test_a_full_disk_leaves_the_old_files(folder, step, monkeypatch):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    newer = eq.solve("kuhn", "hs-dcfr", iterations=30)
    monkeypatch.setattr(os, step, failing)
    with pytest.raises(
        eq.SolutionError, match=r"checkpoint.npz cannot be written: No space left on device\.$"
    ):
        newer.save(folder)
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert eq.load_solution(folder).iterations == 12


def test_a_disk_that_is_full_after_the_first_file_leaves_a_folder_that_loads(folder, monkeypatch):
    newer, replaced = eq.solve("kuhn", "hs-dcfr", iterations=30), []

    def once(source, target, replace=os.replace):
        if replaced:
            failing()
        replaced.append(target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(eq.SolutionError, match="cannot be written: No space left"):
        newer.save(folder)
    monkeypatch.undo()
    assert {path.name for path in folder.iterdir()} == FILES
    assert without_seconds(eq.load_solution(folder)) == without_seconds(newer)


def test_a_strategy_file_is_written_whole_or_not_at_all(tmp_path, solution, monkeypatch):
    path = tmp_path / "strategy.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(eq.SolutionError, match=r"strategy.csv cannot be written: No space left"):
        solution.strategy.write_csv(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_get_the_usual_rights(folder):
    os.umask(mask := os.umask(0))
    assert all(path.stat().st_mode & 0o777 == 0o666 & ~mask for path in folder.iterdir())


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(eq.SolutionError, match="cannot be written: No such file or directory"):
        write_atomically(tmp_path / "nowhere" / "x", b"")


# --- Broken and foreign files ---


def refused(folder, match, *, wrong_use=False):
    with pytest.raises(eq.SolutionError, match=match) as caught:
        eq.load_solution(folder)
    assert caught.value.wrong_use == wrong_use
    assert "\n" not in str(caught.value)


def test_no_solution_in_the_folder(tmp_path):
    refused(tmp_path, "There is no solution in .*: it has no checkpoint.npz", wrong_use=True)
    refused(tmp_path / "nowhere", "There is no solution in", wrong_use=True)
    with pytest.raises(eq.SolutionError, match="There is no solution in"):
        eq.solve(resume=tmp_path)


def test_a_checkpoint_that_is_a_folder(tmp_path):
    (tmp_path / "checkpoint.npz").mkdir()
    refused(tmp_path, "cannot be read: Is a directory; give a file", wrong_use=True)


def test_every_truncation_is_noticed(folder, checkpoint):
    content = checkpoint.read_bytes()
    for length in [*range(0, len(content), 11), len(content) - 1]:
        checkpoint.write_bytes(content[:length])
        refused(folder, r"checkpoint.npz is broken, or was not written by this version")


@pytest.mark.thinned(2)
@pytest.mark.parametrize("flips", [1, 20])
def test_flipped_bytes_are_noticed_or_do_no_harm(folder, checkpoint, solution, flips):
    """Zip files carry checksums: what loads is what was saved."""
    content, dice, loaded = checkpoint.read_bytes(), random.Random(flips), 0
    expected = without_seconds(solution)
    for _ in range(400):
        broken = bytearray(content)
        for _ in range(flips):
            broken[dice.randrange(len(broken))] ^= dice.randrange(1, 256)
        checkpoint.write_bytes(broken)
        try:
            found = eq.load_solution(folder)
        except eq.SolutionError:
            continue
        loaded += 1
        assert without_seconds(found) == expected
    assert loaded < 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"PK\x03\x04",
        b"\x80\x04N.",
        b"\x93NUMPY",
        b"{}",
        b"\0" * 10_000,
        b"x" * 10_000,
    ],
    ids=["empty", "text", "zip", "pickle", "npy", "json", "zeros", "letters"],
)
def test_files_of_another_kind(folder, checkpoint, content):
    checkpoint.write_bytes(content)
    refused(folder, "is broken, or was not written by this version")


def test_a_single_array_is_not_a_solution(folder, checkpoint):
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    checkpoint.write_bytes(buffer.getvalue())
    refused(folder, "is broken, or was not written by this version")


def test_pickles_are_never_opened(folder, checkpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez(checkpoint, about=np.array([Bomb()], dtype=object))
    refused(folder, "is broken, or was not written by this version")
    assert not (tmp_path / "exploded").exists()


def test_rewriting_changes_nothing_by_itself(folder, checkpoint, solution):
    rewrite(checkpoint)
    assert without_seconds(eq.load_solution(folder)) == without_seconds(solution)


HALVES = np.full(24, 0.5)


@pytest.mark.parametrize(
    "changes",
    [
        {"probabilities": None},
        {"probabilities": np.zeros(24)},
        {"probabilities": HALVES[:23]},
        {"probabilities": HALVES[:, None]},
        {"probabilities": HALVES.astype(np.float32)},
        {"probabilities": np.where(np.arange(24) == 3, np.nan, HALVES)},
        {
            "probabilities": np.where(
                np.arange(24) == 3, -0.5, np.where(np.arange(24) == 2, 1.5, HALVES)
            )
        },
        {"probabilities": np.ones(24, np.int64)},
        {"state_regret_sum": np.full(40, np.nan)},
        {"state_strategy": np.full(40, np.inf)},
        {"state_regret_sum": np.zeros(1000)},
        {"state_hello": np.zeros(40)},
        {"hello": np.zeros(40)},
    ],
    ids="-".join,
)
def test_arrays_that_are_wrong(folder, checkpoint, changes):
    rewrite(checkpoint, arrays=changes)
    refused(folder, "is broken, or was not written by this version of Equilibrist")


@pytest.mark.parametrize(
    "changes",
    [
        {"state_regret_sum": np.zeros(40)},
        {"state_regret_sum": np.zeros(72, np.float32)},
        {"state_regret_sum": None},
        {"state_strategy": np.zeros(40)},
        {"state_deviation_sum": np.zeros(40)},
    ],
    ids="-".join,
)
def test_states_that_are_wrong_are_read_but_not_resumed(folder, checkpoint, changes):
    rewrite(checkpoint, arrays=changes)
    assert eq.load_solution(folder).iterations == 12
    with pytest.raises(
        eq.SolutionError,
        match=r"The saved run holds other arrays than a run on kuhn .* Start afresh",
    ):
        eq.solve(resume=folder)


@pytest.mark.parametrize(
    ("options", "name", "change"),
    [
        ({}, "iteration", lambda array: array + 1),
        ({}, "strategy", lambda array: array / 2),
        ({"form": "public"}, "strategy", lambda array: array / 2),
        (
            {"form": "public", "sampling": "full(pruning='zero-reach')"},
            "nodes",
            lambda array: array + 1,
        ),
        (
            {"form": "public", "sampling": "full(pruning='zero-reach')"},
            "strategy",
            lambda array: array / 2,
        ),
        ({"sampling": "external"}, "place", lambda array: array + (np.arange(4) == 0)),
        ({"sampling": "external"}, "place", lambda array: array + (np.arange(4) == 3)),
    ],
)
def test_a_state_of_another_moment_or_strategy_is_not_resumed(tmp_path, options, name, change):
    solution = eq.solve("kuhn", "cfr", iterations=12, save=tmp_path, **options)
    rewrite(
        tmp_path / "checkpoint.npz",
        arrays={f"state_{name}": np.asarray(change(solution.state[name]))},
    )
    assert eq.load_solution(tmp_path).iterations == 12
    with pytest.raises(
        eq.SolutionError, match="The state of the saved run on kuhn does not belong to it"
    ):
        eq.solve(resume=tmp_path, iterations=20)


@pytest.mark.parametrize(
    "changes",
    [
        {"final": 3},
        {"final.value": 0.5},
        {"final.value": [0.5]},
        {"final.value": ["much", "more"]},
        {"final.exploitability": None},
        {"final.iteration": -5},
        {"final.iteration": "ten"},
        {"final.seconds": -1.0},
        {"trace": 5},
        {"trace": [{}]},
        {"trace.3.iteration": 1},
        {"trace.6.iteration": 13},
        {"seconds": 3},
        {"seconds.solve": None},
        {"stop_reason": "somewhere"},
        {"info.run_id": "../x"},
        {"info.game.players": REMOVED},
        {"info.game.players": 0},
        {"info.game.players": 3},
        {"info.game.players": True},
        {"info.game.slots": "many"},
        {"info.game.infosets": 11},
        {"info.game.form": "none"},
        {"info.game.more": 1},
        {"info.config.horizon": "far"},
        {"info.config.horizon": None},
        {"info.config.threads": 0},
        {"info.config.seed": 3},
        {"info.config.algorithm.gamma": None},
        {"info.config.algorithm.gamma.start": "a"},
        {"info.config.sampling.scheme": "none"},
        {"info.config.stop.until": -1},
        {"compact": True},
        {"recording": {"wanted": None, "every": None}},
        {"recording": {}},
        {"format": REMOVED},
    ],
    ids=str,
)
def test_texts_that_are_wrong(folder, checkpoint, changes):
    rewrite(checkpoint, about=changes)
    refused(folder, "is broken, or was not written by this version of Equilibrist")


@pytest.mark.parametrize(
    "names",
    [
        None,
        3,
        [],
        [[0, "J"]] * 12,
        [[0, "J", ["p", "b"]]] * 12,
        [[2, str(i), ["p", "b"]] for i in range(12)],
        [[0, str(i), ["p", "p"]] for i in range(12)],
        [[0, str(i), "pb"] for i in range(12)],
        [[0, i, ["p", "b"]] for i in range(12)],
    ],
    ids=str,
)
def test_names_that_are_wrong(folder, checkpoint, names):
    rewrite(checkpoint, texts={"infosets": names})
    refused(folder, "is broken, or was not written by this version of Equilibrist")


def test_every_change_is_noticed_by_a_digest(folder, checkpoint):
    """An archive that zip programs take for whole: other contents under the old digests."""
    with zipfile.ZipFile(checkpoint) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for changed in [name for name in entries if name != "sha256.json"]:
        with zipfile.ZipFile(checkpoint, "w") as archive:
            for name, data in entries.items():
                archive.writestr(
                    name, data[:-1] + bytes([data[-1] ^ 1]) if name == changed else data
                )
        refused(folder, "is broken, or was not written by this version of Equilibrist")


def test_a_bomb_is_not_opened(folder, checkpoint):
    """Names of 100 MB that are packed into a thousandth of it."""
    with zipfile.ZipFile(checkpoint) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    bomb = b"[" + b" " * 100_000_000 + b"]"
    entries["sha256.json"] = json.dumps(
        json.loads(entries["sha256.json"]) | {"infosets.json": hashlib.sha256(bomb).hexdigest()}
    ).encode()
    with zipfile.ZipFile(checkpoint, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (entries | {"infosets.json": bomb}).items():
            archive.writestr(name, data)
    del bomb
    tracemalloc.start()
    refused(folder, "is broken, or was not written by this version of Equilibrist")
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


def test_zeros_that_are_packed_too_densely_are_not_read(folder, checkpoint, monkeypatch):
    monkeypatch.setattr("equilibrist.solving.load.LANES", 10_000_000)
    rewrite(
        checkpoint, arrays={"state_regret_sum": np.zeros(5_000_000)}
    )  # which stores them as they are
    assert len(eq.load_solution(folder).state["regret_sum"]) == 5_000_000
    monkeypatch.setattr("equilibrist._util.archive._is_dense", lambda *_: False)
    rewrite(checkpoint)
    assert checkpoint.stat().st_size < 1_000_000
    tracemalloc.start()
    refused(folder, "is broken, or was not written by this version of Equilibrist")
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_what_would_not_fit_into_memory_is_not_read(folder, monkeypatch):
    monkeypatch.setattr(
        "equilibrist._util.archive.psutil.virtual_memory", lambda: SimpleNamespace(available=1000)
    )
    refused(folder, "holds more than this machine has memory free")


@pytest.mark.slow
def test_names_that_repeat_themselves_are_saved_all_the_same(tmp_path):
    game = renamed(turns([1, 0], 2), {0: "x" * 3_000_000, 1: ""})
    eq.solve(game, iterations=2, save=tmp_path)
    assert (tmp_path / "checkpoint.npz").stat().st_size > 3_000_000
    assert (0, "x" * 3_000_000) in eq.load_solution(tmp_path).strategy


def test_a_format_of_another_version(folder, checkpoint):
    rewrite(checkpoint, about={"format": "equilibrist solution 7"})
    refused(
        folder,
        "has the format 'equilibrist solution 7'; this version reads 'equilibrist solution 6'",
    )
    np.savez(checkpoint, about=np.array("{}"))
    refused(folder, "is broken, or was not written by this version of Equilibrist")


def test_a_zip_of_something_else(folder, checkpoint):
    with zipfile.ZipFile(checkpoint, "w") as archive:
        archive.writestr("readme.txt", "hello")
    refused(folder, "is broken, or was not written by this version")


def test_resuming_from_a_broken_file_says_so(folder, checkpoint):
    checkpoint.write_bytes(checkpoint.read_bytes()[:100])
    with pytest.raises(eq.SolutionError, match="is broken"):
        eq.solve(resume=folder, iterations=20)
