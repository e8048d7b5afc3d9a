"""The table of commands, and commands that other distributions bring by entry points."""

import re

from equilibrist.cli import table

SHUFFLE = """
    from typing import Annotated
    import typer

    def shuffle(cards: Annotated[int, typer.Argument(help="How many.")] = 52) -> None:
        '''Shuffle so many cards.

        A second paragraph.
        '''
        typer.echo(f"{cards} cards are shuffled")
"""


def test_a_distribution_brings_a_command(install_distribution, run):
    install_distribution(
        table.GROUP, {"shuffle": "shuffler:shuffle"}, module="shuffler", source=SHUFFLE
    )
    assert run("shuffle", "10").out == "10 cards are shuffled\n"
    assert "How many." in run("shuffle", "--help").out
    overview = run("--help").out
    assert re.search(r"^Others:\n  shuffle +Shuffle so many cards\.$", overview, re.MULTILINE)
    assert "paragraph" not in overview


def test_a_name_that_is_taken_stays_what_it_is(install_distribution, run):
    install_distribution(
        table.GROUP, {"games": "shuffler:shuffle"}, module="shuffler", source=SHUFFLE
    )
    assert "kuhn" in run("games").out
    assert "Others:" not in run("--help").out


def test_a_command_that_cannot_be_imported_is_one_sentence(install_distribution, run):
    install_distribution(
        table.GROUP, {"broken": "broken_one:run"}, module="broken_one", source="raise OSError('no')"
    )
    run("broken").fails(
        1,
        "'broken' of the distribution broken_one 1.0 (broken_one:run): importing it failed with OSError: no.",
    )
    assert "kuhn" in run("games").out, "other commands do not ask for it"
    overview = run("--help").out
    assert re.search(r"^  broken +This cannot be imported\.$", overview, re.MULTILINE)


def test_a_command_that_is_asked_for_imports_no_other(monkeypatch):
    asked = []
    monkeypatch.setattr(table, "import_place", asked.append)
    list(table.find_commands("cache"))
    assert asked == ["cli.cache:cache"]
