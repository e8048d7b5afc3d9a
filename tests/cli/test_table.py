"""The table of commands, and commands that other distributions bring by entry points."""

import sys
from textwrap import dedent

import pytest

from equilibrist.cli import table


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return what puts a distribution with entry points of a group beside the others, for one test."""
    monkeypatch.syspath_prepend(tmp_path)

    def add(group, entries, *, module, source):
        (tmp_path / f"{module}.py").write_text(dedent(source), encoding="utf-8")
        folder = tmp_path / f"{module}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        lines = [f"{name} = {place}" for name, place in entries.items()]
        (folder / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        monkeypatch.delitem(sys.modules, module, raising=False)

    return add


SHUFFLE = """
    from typing import Annotated
    import typer

    def shuffle(cards: Annotated[int, typer.Argument(help="How many.")] = 52) -> None:
        '''Shuffle so many cards.

        A second paragraph.
        '''
        typer.echo(f"{cards} cards are shuffled")
"""


def test_a_distribution_brings_a_command(install, run):
    install(table.GROUP, {"shuffle": "shuffler:shuffle"}, module="shuffler", source=SHUFFLE)
    assert run("shuffle", "10").out == "10 cards are shuffled\n"
    assert "How many." in run("shuffle", "--help").out
    overview = run("--help").out
    assert "Others:\n  shuffle     Shuffle so many cards.\n" in overview
    assert "paragraph" not in overview


def test_a_name_that_is_taken_stays_what_it_is(install, run):
    install(table.GROUP, {"games": "shuffler:shuffle"}, module="shuffler", source=SHUFFLE)
    assert "kuhn" in run("games").out
    assert "Others:" not in run("--help").out


def test_a_command_that_cannot_be_imported_is_one_sentence(install, run):
    install(
        table.GROUP, {"broken": "broken_one:run"}, module="broken_one", source="raise OSError('no')"
    )
    run("broken").fails(
        1,
        "'broken' of the distribution broken_one 1.0 (broken_one:run): importing it failed with OSError: no.",
    )
    assert "kuhn" in run("games").out, "other commands do not ask for it"
    assert "broken      This cannot be imported." in run("--help").out


def test_a_command_that_is_asked_for_imports_no_other(monkeypatch):
    asked = []
    monkeypatch.setattr(table, "import_place", asked.append)
    list(table.find_commands("cache"))
    assert asked == ["cli.cache:cache"]
