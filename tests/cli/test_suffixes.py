"""What the suffix of a file says is what is written: options that write files, given the suffix of another format.

The table of formats is what `file` would say: the first bytes of what is written.
"""

import re
from pathlib import Path

import pytest

import equilibrist as eq

pytestmark = pytest.mark.usefixtures("somewhere")
FIRST = {
    ".npz": rb"PK\x03\x04",
    ".parquet": rb"PAR1",
    ".csv": rb"player,infoset,action,probability\n",
    ".txt": rb"player,infoset,action,probability\n",
    "": rb"player,infoset,action,probability\n",
}
SAMPLED = (
    "solve",
    "dark_hex(size=2)",
    "-n",
    20,
    "-s",
    "external(tree=False)",
    "--seed",
    1,
    "--strategy",
)


@pytest.mark.thinned(5)
@pytest.mark.parametrize("suffix", FIRST)
def test_a_strategy_is_written_as_its_suffix_says(run, suffix):
    assert run(*SAMPLED, f"s{suffix}").code == 0
    assert re.match(FIRST[suffix], Path(f"s{suffix}").read_bytes())
    assert len(eq.Strategy.read(f"s{suffix}")) > 10


@pytest.mark.parametrize("command", [("solve", "kuhn", "-n", 2), ("exact", "kuhn")])
@pytest.mark.parametrize("suffix", [".npz", ".parquet", ".NPZ", ".json", ".html"])
def test_another_format_is_refused_before_anything_is_solved(run, command, suffix):
    ran = run(*command, "--strategy", f"s{suffix}").fails(2, f"s{suffix}")
    assert not Path(f"s{suffix}").exists()
    assert "Strategy" not in ran.out
    assert "pickle" not in ran.err


@pytest.mark.parametrize(
    ("args", "suffix"),
    [
        (("equity", "AsKd7c", "QQ", "JJ", "--csv"), ".parquet"),
        (("chart", "1..2", "--csv"), ".html"),
        (("report", "nowhere", "--out"), ".csv"),
        (("spot", "nowhere.toml", "--out"), ".csv"),
        (("grade", "nowhere.phh", "--csv"), ".npz"),
        (("grade", "nowhere.phh", "--parquet"), ".csv"),
    ],
)
def test_options_refuse_the_suffix_of_another_format(run, args, suffix):
    ran = run(*args, f"s{suffix}")
    assert ran.code == 2
    assert f"got 's{suffix}'" in ran.err, ran.err
    assert not Path(f"s{suffix}").exists()
