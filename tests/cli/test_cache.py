"""The command `cache`: where machine code is kept, how much there is, and how to remove it."""

import json
import os

import pytest

from equilibrist.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Give a folder of machine code with two kernels, of 1,500,000 and 500,000 bytes, one of them used in 2026."""
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    (folder / "a.nbc").write_bytes(bytes(1_500_000))
    (folder / "b.nbc").write_bytes(bytes(500_000))
    os.utime(folder / "a.nbc", (1_767_225_600, 1_767_225_600))  # 2026-01-01
    monkeypatch.setenv("EQUILIBRIST_CACHE", str(folder))
    return folder


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr("sys.argv", ["equilibrist", "cache", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return capsys.readouterr().out


def test_the_folder_is_shown(folder, monkeypatch, capsys):
    out = run(monkeypatch, capsys)
    assert str(folder) in "".join(out.split())
    assert "2.0 MB of at most 500.0 MB" in out
    assert "2026-01-01" in out


def test_the_folder_as_json(folder, monkeypatch, capsys):
    facts = json.loads(run(monkeypatch, capsys, "--json"))
    assert facts == {
        "folder": str(folder),
        "variable": "EQUILIBRIST_CACHE",
        "kernels": 2,
        "bytes": 2_000_000,
        "most_bytes": 500_000_000,
        "used_longest_ago": "2026-01-01",
        "cleared": False,
    }


def test_the_folder_is_cleared(folder, monkeypatch, capsys):
    assert "Removed 2 kernels (2.0 MB)" in run(monkeypatch, capsys, "--clear")
    assert not folder.exists()
    assert json.loads(run(monkeypatch, capsys, "--json"))["kernels"] == 0
