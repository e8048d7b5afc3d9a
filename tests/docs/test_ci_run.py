""".ci/run: what could be installed on a machine before and cannot now is a failure, never a skip; and versions."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "run"
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def functions(tmp_path, lines, **environment):
    """Run lines with the functions of .ci/run that install extras, where ``works`` says whether pip can."""
    text = SCRIPT.read_text(encoding="utf-8")
    remembering = re.search(
        r"^# What could be installed .*?^}\n\ninstalled=", text, re.DOTALL | re.MULTILINE
    )[0]
    extra = re.search(r"^extra\(\) {.*?^}\n", text, re.DOTALL | re.MULTILINE)[0]
    stand_in = f'install() {{ [ "$works" = yes ]; }}\nrest="{tmp_path}"\n'
    script = f"set -euo pipefail\n{stand_in}{remembering}\n{extra}{lines}"
    surroundings = {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "GITHUB_ACTIONS": "",
        **environment,
    }
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=surroundings, check=False
    )


FAILS = "works=no; if extra {}; then echo RAN; fi; echo END"


def test_what_was_never_here_is_skipped_by_name(tmp_path):
    ran = functions(tmp_path, FAILS.format("gambit 3"))
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == [
        "gambit cannot be installed here: the tests of gambit were skipped.",
        "END",
    ]
    assert (
        tmp_path / "skipped"
    ).read_text() == "the tests of gambit, as gambit cannot be installed here\n"


def test_what_was_here_before_is_a_failure(tmp_path):
    assert functions(tmp_path, "works=yes; extra mlflow,search 3").returncode == 0
    assert functions(tmp_path, FAILS.format("cluster 3")).returncode == 0
    ran = functions(tmp_path, FAILS.format("search 3"))
    assert ran.returncode == 1
    assert "END" not in ran.stdout
    assert "search could be installed on this machine before and cannot now" in ran.stderr


def test_a_service_is_known_to_install_all(tmp_path):
    assert functions(tmp_path, FAILS.format("gambit 3"), GITHUB_ACTIONS="true").returncode == 1


def test_the_lowest_versions_are_those_of_pyproject():
    """Each requirement has a lower bound, and an upper one is no part of it."""
    printed = subprocess.run(
        [sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True, check=True
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["data"]]
    expected = [f"{re.split('[<>=]', row)[0]}=={row.split('>=')[1].split(',')[0]}" for row in asked]
    assert printed.stdout.split() == expected
