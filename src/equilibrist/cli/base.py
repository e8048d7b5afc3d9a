"""The Typer application, and the arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from ..errors import GameError, nearest
from .arguments import COUNT, Command, Commands, number_or_auto

_Function = TypeVar("_Function", bound=Callable[..., Any])


class App(typer.Typer):
    """Typer, whose commands are those of :mod:`equilibrist.cli.arguments`."""

    def command(self, *names: Any, **options: Any) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a command."""
        return super().command(*names, cls=Command, **options)


app = App(
    name="equilibrist",
    cls=Commands,
    help="Solve imperfect-information games, and prove how good the answer is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

GAME_HELP = (
    "A built-in game such as kuhn or 'leduc(ranks=4)', a spot file.toml of hold'em, openspiel:NAME, a Gambit "
    "file.efg, or file.py:Class."
)

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")]
MaxHistories = Annotated[
    int | None,
    typer.Option(
        "--max-histories",
        **COUNT,
        help="Refuse a game with more histories than this; memory limits any.",
    ),
]
MaxDepth = Annotated[int, typer.Option("--max-depth", min=1, help="Refuse a game with longer plays than this.")]
StrategyOption = Annotated[
    Path | None, typer.Option("--strategy", metavar="FILE", help="Write player, infoset, action, probability as CSV.")
]
FillOption = Annotated[
    str | None, typer.Option("--fill", help="uniform: play uniformly at infosets that the strategy lacks.")
]
FormOption = Annotated[
    str | None,
    typer.Option(
        "--form",
        help="What the game is compiled into: sequence (every history), public (public states, for large games of "
        "private hands), cards (the boards of a card game), or auto. [auto]",
    ),
]
TrustOption = Annotated[
    bool, typer.Option("--trust", help="Run the Python file that a saved run names as its game, where it is needed.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", help="Show how the game is stored, and the time of each stage, too.")
]
LineOption = Annotated[
    str,
    typer.Option("--line", help="The actions before, such as 'X-B100' or 'X-B120-C | B200'. [the first decision]"),
]
BoardOption = Annotated[
    str | None, typer.Option("--board", help="All public cards, such as QsJh2h7c, once a card was dealt.")
]
HandOption = Annotated[str | None, typer.Option("--hand", help="One hand, such as AhKd: its EV and its actions.")]
PlayerOption = Annotated[str | None, typer.Option("--player", help="Whose range: oop or ip. [whoever decides]")]


ThreadsOption = Annotated[
    Any,
    typer.Option(
        "--threads",
        parser=number_or_auto,
        metavar="N",
        help="Threads of full-width CFR, or for the samples of a batch: external(batch=64). auto: all cores where that "
        "is faster.",
    ),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Seed of the random numbers, where something is sampled. [0]")
]
SimultaneousOption = Annotated[
    bool, typer.Option("--simultaneous", help="Update all players at once instead of in turn.")
]
DEFAULT_MAX_DEPTH = 1_000  # as form.limits.MAX_DEPTH, which would import NumPy for --help
DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"  # as comparing.DEFAULT_ALGORITHMS, likewise


_PLAYERS = ("oop", "ip")


def number_of(player: str | None) -> int | None:
    """Return the number of a player of hold'em, None where none is named.

    Raises
    ------
    GameError
        There is no such player.
    """
    if player is not None and player.lower() not in _PLAYERS:
        raise GameError(f"--player must be oop or ip; got {player!r}.{nearest(player, _PLAYERS)}", wrong_use=True)
    return None if player is None else _PLAYERS.index(player.lower())


def _version(show: bool) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"equilibrist {version('equilibrist')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Solve imperfect-information games, and prove how good the answer is."""
