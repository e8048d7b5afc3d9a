"""Files of arrays that are damaged or made to fill memory: each is one short sentence, before it is unpacked.

Expected is what the file declares by its own construction; memory is measured by the operating system.
"""

import io
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import equilibrist as eq
from equilibrist._util.archive import Archive
from equilibrist.play.lines import read_graded_costs

COLUMNS = {"player": [0, 1], "observation": [[0], [3]], "probability": [[0.5, 0.5], [1.0, np.nan]]}
LONGEST = 300  # characters of a sentence about a file
NUMBERS = 4_000_000  # of a row of a column of zeros: 384 MB in 1.7 MB


def packed(content):
    file = io.BytesIO()
    np.save(file, content)
    return file.getvalue()


def write_dense(path):
    """Write a strategy whose probabilities are 384 MB of zeros, 1.7 MB of file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("player.npy", packed(np.zeros(12, np.int64)))
        archive.writestr("observation.npy", packed(np.zeros((12, 1), np.int64)))
        with archive.open("probability.npy", "w", force_zip64=True) as entry:
            header = {"descr": "<f8", "fortran_order": False, "shape": (12, NUMBERS)}
            np.lib.format.write_array_header_1_0(entry, header)
            for _ in range(12):
                entry.write(bytes(8 * NUMBERS))


def with_headers(content, local, central, value):
    """Return a zip in which a number of two bytes in all headers of its members is another one."""
    data = bytearray(content)
    for mark, place in ((b"PK\3\4", local), (b"PK\1\2", central)):
        at = data.find(mark)
        while at >= 0:
            struct.pack_into("<H", data, at + place, value)
            at = data.find(mark, at + 1)
    return bytes(data)


def write_changed(path, local, central, value):
    np.savez(path, **COLUMNS)
    path.write_bytes(with_headers(path.read_bytes(), local, central, value))


DAMAGED = {
    "bare": lambda path: path.write_bytes(packed(np.arange(3))),
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: (np.savez(path, **COLUMNS), path.write_bytes(path.read_bytes()[:-30])),
    "texts": lambda path: np.savez(path, **COLUMNS | {"player": ["a", "b"]}),
    "objects": lambda path: np.savez(path, **COLUMNS | {"player": np.array([0, None], object)}),
    "records": lambda path: np.savez(path, **COLUMNS | {"player": np.zeros(2, [("a", "i8")])}),
    "three dimensions": lambda path: np.savez(
        path, **COLUMNS | {"observation": np.zeros((2, 1, 1), int)}
    ),
    "texts of lengths": lambda path: np.savez(path, **COLUMNS | {"length": ["a", "b"]}),
    "complex": lambda path: np.savez(path, **COLUMNS | {"probability": np.ones((2, 1), complex)}),
    "large integers": lambda path: np.savez(
        path, **COLUMNS | {"observation": np.full((2, 1), 2**64 - 1, np.uint64)}
    ),
    "no text": lambda path: np.savez(
        path, **COLUMNS, game=np.array([0x7FFFFFFF], "u4").view("<U1")[0:1]
    ),
    "encrypted": lambda path: write_changed(path, 6, 8, 1),
    "method": lambda path: write_changed(path, 8, 10, 99),
    "version": lambda path: write_changed(path, 4, 6, 204),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_strategy_is_one_short_sentence(kind, tmp_path):
    path = tmp_path / "s.npz"
    DAMAGED[kind](path)
    with pytest.raises(eq.SolutionError, match=r"s\.npz") as caught:
        eq.Strategy.read(path)
    sentence = str(caught.value).replace(str(path), "s.npz")
    assert len(sentence) <= LONGEST
    assert "pickle" not in sentence  # advice of NumPy that nobody should follow
    assert "\n" not in sentence


def test_what_numpy_writes_is_read_whatever_its_layout(tmp_path):
    """Other orders, byte orders and widths of the same numbers, packed or not."""
    expected = eq.Strategy.from_observations(**COLUMNS).probabilities
    columns = {
        "player": np.array([0, 1], ">u2"),
        "observation": np.array([[0], [3]], "i1", order="F"),
        "probability": np.array([[0.5, 0.5], [1.0, np.nan]], ">f4", order="F"),
    }
    for write in (np.savez, np.savez_compressed):
        write(tmp_path / "s.npz", **columns)
        assert eq.Strategy.read(tmp_path / "s.npz").probabilities.tolist() == expected.tolist()


READING = """
import resource, sys
from pathlib import Path
import equilibrist as eq
import pyarrow.parquet
if sys.argv[2] == "strategy":
    read = eq.Strategy.read
else:
    from equilibrist.play.lines import read_graded_costs as read
# What reads is loaded, before it is measured.
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read(Path(sys.argv[1]))
    print("read")
except eq.EquilibristError as error:
    print(error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def limit_memory():
    """Keep a process that does fill memory from filling that of the machine."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (8_000_000_000,) * 2)


def growth(path, what="strategy"):
    """Return what a process of its own says of a file, and by how many megabytes it grew."""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", READING, str(path), what]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=True, preexec_fn=limit_memory
    )
    sentence, kilobytes = ran.stdout.splitlines()
    return sentence, int(kilobytes) / 1000


def test_a_small_file_that_declares_hundreds_of_megabytes_is_not_unpacked(tmp_path):
    path = tmp_path / "s.npz"
    write_dense(path)
    assert path.stat().st_size < 2_000_000
    sentence, megabytes = growth(path)
    assert "probability.npy is packed too densely: 384,000,128 bytes" in sentence
    assert megabytes < 50


@pytest.mark.slow
def test_a_small_parquet_file_that_declares_as_much_is_not_unpacked(tmp_path):
    """Equal numbers take no place in Parquet; nor do equal texts, of which a table of grades has three columns."""
    rows = 3_000_000
    one = pa.array(np.zeros(rows, np.int8))
    lists = pa.FixedSizeListArray.from_arrays(one, 1)
    table = pa.table({"player": one, "observation": lists, "probability": lists})
    pyarrow.parquet.write_table(table, tmp_path / "s.parquet", compression="zstd")
    assert (tmp_path / "s.parquet").stat().st_size < 2_000_000
    sentence, megabytes = growth(tmp_path / "s.parquet")
    assert "it is packed too densely: 72,000,000 bytes" in sentence
    assert megabytes < 50
    text = pa.DictionaryArray.from_arrays(one, pa.array(["x"]))
    table = pa.table({"line": text, "board": text, "cards": text, "cost_percent": one})
    pyarrow.parquet.write_table(table, tmp_path / "grades.parquet", compression="zstd")
    assert (tmp_path / "grades.parquet").stat().st_size < 2_000_000
    sentence, megabytes = growth(tmp_path / "grades.parquet", "grades")
    assert "is no table of graded hands (it is packed too densely" in sentence
    assert megabytes < 50


@pytest.mark.slow
def test_a_long_text_that_is_in_many_rows_is_kept_once(tmp_path):
    """A text of a megabyte in 2,000 rows is 2 GB where each row has its own."""
    one = pa.array(np.zeros(2000, np.int8))
    long = pa.DictionaryArray.from_arrays(one, pa.array(["x" * 1_000_000]))
    short = pa.DictionaryArray.from_arrays(one, pa.array(["x"]))
    table = pa.table(
        {"line": long, "board": short, "cards": short, "cost_percent": pa.array(np.zeros(2000))}
    )
    pyarrow.parquet.write_table(
        table, tmp_path / "grades.parquet", dictionary_pagesize_limit=1 << 24
    )
    assert (tmp_path / "grades.parquet").stat().st_size < 2_000_000
    *_, megabytes = growth(tmp_path / "grades.parquet", "grades")
    assert megabytes < 200


def test_a_small_game_that_declares_gigabytes_is_refused_where_it_does(tmp_path):
    """A thousand players with ten million strategies each, in ten kilobytes."""
    path = tmp_path / "g.nfg"
    path.write_text(
        'NFG 1 R "t" { ' + '"a" ' * 1000 + "} { " + "9999999 " * 1000 + "} 1", encoding="utf-8"
    )
    with pytest.raises(
        eq.GameError, match=r"expected at most 10,000,000 profiles; found 99,999,980,000,001"
    ):
        eq.load(str(path))


@pytest.mark.slow
def test_a_checkpoint_is_read_by_the_same_reader(tmp_path):
    """Its digests are checked after its sizes: the same bomb is refused in the same words."""
    write_dense(tmp_path / "s.npz")
    with zipfile.ZipFile(tmp_path / "s.npz", "a") as archive:
        archive.writestr(
            "sha256.json", '{"player.npy": "", "observation.npy": "", "probability.npy": ""}'
        )
    with (
        Archive(tmp_path / "s.npz") as archive,
        pytest.raises(ValueError, match="packed too densely"),
    ):
        archive.array("probability")


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_a_file_of_python_that_a_strategy_names_is_not_run(suffix, tmp_path):
    """Reading a strategy is no consent to run what its author wrote."""
    (tmp_path / "evil.py").write_text(
        "open('RAN', 'w').close()\nclass Game: pass\n", encoding="utf-8"
    )
    sampled = eq.solve("kuhn", sampling="external(tree=False)", iterations=5, seed=1).strategy
    path = tmp_path / f"s.{suffix}"
    sampled.write_observations(path)
    named = f"{tmp_path}/evil.py:Game"
    if suffix == "npz":
        with np.load(path) as arrays:
            np.savez(path, **{**arrays, "game": np.array(named)})
    else:
        table = pyarrow.parquet.read_table(path)
        pyarrow.parquet.write_table(
            table.replace_schema_metadata({"equilibrist.game": named}), path
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        strategy = eq.Strategy.read(path)
        assert len(strategy) == len(sampled)
    assert not (tmp_path / "RAN").exists()


def test_an_observation_that_rules_cannot_name_is_a_sentence(tmp_path):
    columns = {"player": [0], "observation": np.full((1, 9), 2**62), "probability": [[0.5, 0.5]]}
    np.savez(tmp_path / "s.npz", **columns, game="leduc")
    strategy = eq.Strategy.read(tmp_path / "s.npz")
    with pytest.raises(eq.SolutionError, match=r"\(row 0\) is no observation of leduc") as caught:
        list(strategy.infosets)
    assert len(str(caught.value)) <= LONGEST


def test_grades_are_read_from_files_alone(tmp_path):
    (tmp_path / "g.csv").write_text(
        "line,board,cards,cost_percent\nX,AsKd7c,QhQd,2.5\n", encoding="utf-8"
    )
    assert read_graded_costs(tmp_path / "g.csv") == {(None, "QhQd AsKd7c X"): 2.5}
    with pytest.raises(eq.SolutionError, match=r"cannot be read: Is a directory"):
        read_graded_costs(tmp_path)
