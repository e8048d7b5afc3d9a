"""The commands by name: all of them are in this table, or in entry points of other distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .._util.entry_points import find_entry_points, load_entry_point
from .._util.places import import_place
from ..errors import EquilibristError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


GROUP = "equilibrist.commands"
"""The group of entry points: each has the name of a command, and is its function, annotated as Typer reads it."""
SECTION_OF_OTHERS = "Others"
"""The section of the help with the commands of other distributions."""


class Entry(NamedTuple):
    """A command of this distribution.

    Parameters
    ----------
    section : str
        The section of the help that lists it.
    place : str
        Its module below the package, and its function, which is imported when it is asked for.
    about : str
        Its line in the list of commands.
    """

    section: str
    place: str
    about: str


COMMANDS = {
    "solve": Entry(
        "Solve", "cli.commands:solve", "Solve a game, and prove how good the answer is."
    ),
    "exact": Entry(
        "Solve", "cli.commands:exact", "Solve a two-player zero-sum game by linear programming."
    ),
    "correlated": Entry(
        "Solve",
        "cli.correlated:correlated",
        "Find a correlated equilibrium, by linear programming or regret dynamics.",
    ),
    "equilibria": Entry(
        "Solve",
        "cli.equilibria:equilibria",
        "List all equilibria of a small two-player game, in fractions.",
    ),
    "team": Entry(
        "Solve", "cli.correlated:team", "Find an equilibrium of two teams that agree beforehand."
    ),
    "prove": Entry(
        "Solve", "cli.proofs:prove", "Prove the value of a game, in fractions, as a file."
    ),
    "check-proof": Entry(
        "Solve", "cli.proofs:check_proof", "Check a proof of the value of a game."
    ),
    "exploit": Entry(
        "Solve",
        "cli.exploit:exploit",
        "Win the most from an opponent, at a risk that is proved.",
    ),
    "check": Entry("Solve", "cli.commands:check", "Check the rules of a game."),
    "games": Entry("Solve", "cli.commands:games", "List the built-in games."),
    "algorithms": Entry(
        "Solve", "cli.commands:algorithms", "List the algorithms and the sampling schemes."
    ),
    "explain": Entry(
        "Look", "learn.commands.explain:explain", "Explain one iteration, number by number."
    ),
    "plot": Entry("Look", "cli.plot:plot", "Draw runs, strategies and games."),
    "report": Entry("Look", "cli.plot:report", "Write one page about a run."),
    "play": Entry(
        "Look", "cli.play:play", "Play against a strategy, with the cost of each choice."
    ),
    "runs": Entry("Look", "cli.runs:runs", "List saved runs, search them, keep notes and tags."),
    "serve": Entry("Look", "study.command:serve", "Solve, inspect and play in the browser."),
    "mcp": Entry(
        "Look", "mcp.command:mcp", "Serve games and certificates to a language model (MCP)."
    ),
    "evaluate": Entry(
        "Judge", "cli.commands:evaluate", "Evaluate a strategy: value, exploitability, losses."
    ),
    "compare": Entry(
        "Judge", "cli.compare:compare", "Compare algorithms and samplings at the same budget."
    ),
    "spot": Entry(
        "Poker", "poker.commands.spots:spot", "Show a spot of hold'em and its betting tree."
    ),
    "show": Entry(
        "Poker",
        "poker.commands.spots:show",
        "Show any decision of a solved spot, or of push_fold and preflop.",
    ),
    "runouts": Entry(
        "Poker",
        "poker.commands.run_outs:runouts",
        "Show what is played and earned on each card that may come, and by texture.",
    ),
    "export": Entry(
        "Poker",
        "poker.commands.export:export",
        "Write a solved spot as one page that is walked without a server.",
    ),
    "resolve": Entry(
        "Poker",
        "poker.commands.spots:resolve",
        "Solve a part of a saved run again, safely for a player.",
    ),
    "aggregate": Entry(
        "Poker",
        "poker.commands.aggregate:aggregate",
        "Solve a spot of hold'em on many boards, and report the means.",
    ),
    "equity": Entry(
        "Poker",
        "poker.commands.equity:equity",
        "Show the equity of two ranges on a board, or before the flop.",
    ),
    "chart": Entry(
        "Poker",
        "poker.commands.preflop:chart",
        "Show which hands to push and to call with, by stack.",
    ),
    "deal": Entry(
        "Poker",
        "poker.commands.hands:deal",
        "Let a solved spot of hold'em or Omaha play itself, and write hand histories.",
    ),
    "grade": Entry(
        "Poker",
        "poker.commands.hands:grade",
        "Grade hand histories by runs of their spots: what each decision cost.",
    ),
    "batch": Entry("Scale", "cli.batch:batch", "Carry out the runs of a study, side by side."),
    "exercise": Entry(
        "Learn", "learn.commands.exercise:exercise", "Write CFR yourself: ten exercises, checked."
    ),
    "cache": Entry("Machine", "cli.cache:cache", "Show where machine code is kept, or remove it."),
}
"""The commands of this distribution, in the order in which the help lists them."""


class FoundCommand(NamedTuple):
    """A command that is ready to be added to the application: its name, its function, its line in the list."""

    name: str
    function: Callable[..., Any]
    about: str


def find_commands(asked: str | None) -> Iterator[FoundCommand]:
    """Yield the command of a name, or all commands where there is none of this name.

    Only the modules of commands that are yielded are imported.
    """
    if asked in COMMANDS:
        yield _load_command(asked)
        return
    others = _find_others()
    if asked in others:
        yield _load_other(others[asked])
        return
    yield from map(_load_command, COMMANDS)
    yield from map(_load_other, others.values())


def section_of(name: str) -> str:
    """Return the section of the help that lists a command."""
    if name in COMMANDS:
        return COMMANDS[name].section
    return SECTION_OF_OTHERS


def _find_others() -> dict[str, EntryPoint]:
    """Return the commands of other distributions; a name of this table stays what it is."""
    return {name: entry for name, entry in find_entry_points(GROUP).items() if name not in COMMANDS}


def _load_command(name: str) -> FoundCommand:
    entry = COMMANDS[name]
    return FoundCommand(name, import_place(entry.place), entry.about)


def _load_other(entry: EntryPoint) -> FoundCommand:
    try:
        function = load_entry_point(entry, EquilibristError)
    except EquilibristError as error:
        return FoundCommand(entry.name, _make_failing(error), "This cannot be imported.")
    documentation = getattr(function, "__doc__", None) or ""
    return FoundCommand(entry.name, function, documentation.strip().partition("\n")[0])


def _make_failing(error: EquilibristError) -> Callable[[], None]:
    """Return the function of a command that cannot be imported: help lists it, and who runs it hears why."""

    def fail() -> None:
        raise error

    return fail
