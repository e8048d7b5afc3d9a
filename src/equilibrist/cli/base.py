"""The Typer application."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer
from typer import Option

from ..errors import GameError, nearest
from .arguments import Command, Commands

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

_PLAYERS = ("oop", "ip")


def number_of(player: str | None) -> int | None:
    """Return the number of a player of hold'em, None where none is named."""
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
        bool, Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Solve imperfect-information games, and prove how good the answer is."""
