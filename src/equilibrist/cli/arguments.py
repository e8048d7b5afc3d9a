"""The Typer application and what is typed after it: commands in sections, whole numbers, answers to what was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup

from .._util.command_line import quote_word
from .._util.text import escape_controls
from .table import find_commands, section_of

UsageError: Any = typer.BadParameter.__base__  # Typer gives it no name of its own
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
_SETTING = re.compile(r"[A-Za-z_]\w*=.+", re.DOTALL)
_GAME_FILE = re.compile(r".*\.(efg|gbt|nfg|toml|py:\w+(\(.*\))?)", re.DOTALL | re.IGNORECASE)
_QUIET = ("--quiet", "--silent", "-q")


def parse_whole(text: Any) -> int:
    """Return the whole number that a text is: 100000, 100_000, 100,000 or 1e5."""
    digits = str(text).strip()
    digits = digits.replace(",", "") if _GROUPED.fullmatch(digits) else digits
    with suppress(ValueError):
        return int(digits)
    with suppress(ValueError):
        if float(digits).is_integer():
            return int(float(digits))
    raise typer.BadParameter(f"{text!r} is no whole number; write 100000, 100,000 or 1e5.")


def _check_file(content: str, suffixes: tuple[str, ...], text: Any) -> Path:
    """Return the path that a text names, or refuse a suffix that says that something else would be written."""
    path = Path(text)
    if path.suffix.lower() in ("", *suffixes):  # none: a device, a pipe
        return path
    names = " or ".join(suffixes)
    raise typer.BadParameter(f"{content} is written here, as {names}; got {str(path)!r}.")


def file_option(content: str, *suffixes: str) -> dict[str, Any]:
    """Return the keywords of an option that is a file to be written: what, and the suffixes that say so."""
    return {"parser": partial(_check_file, content, suffixes), "metavar": "FILE"}


CSV = file_option("CSV", ".csv", ".txt")
"""The keywords of an option that is a file of CSV to be written."""

PARQUET = file_option("Parquet", ".parquet")
"""The same of Parquet."""

PAGE = file_option("A page of HTML", ".html", ".htm")
"""The same of a page."""

SPOT_FILE = file_option("TOML", ".toml")
"""The same of a spot file."""

COUNT: dict[str, Any] = {"parser": parse_whole, "metavar": "N"}
"""The keywords of an option that is a count, which may be large."""


def parse_number_or_auto(text: Any) -> Any:
    """Return the number that a text is, or the text."""
    if str(text).lstrip("+-").isdecimal():
        return int(text)
    return text


def _convert_value(parameter: Any, ctx: Any, typed_value: Any) -> Any:
    """Return the value of a parameter: texts, counts and what is left out here, as Typer imports Pydantic: 0.1 s."""
    kind = getattr(parameter, "type_descriptor", None)
    is_multiple = parameter.multiple or parameter.nargs != 1
    if kind is not None and typed_value is None and not parameter.required:
        value: Any = () if is_multiple else None
    elif kind is not None and kind.parameter_info.parser is not None and not is_multiple:
        value = kind.parameter_info.parser(typed_value)
    elif (
        kind is not None
        and kind.annotation is type(typed_value)
        and (typed_value is parameter.default or type(typed_value) is str)
    ):
        value = typed_value
    else:
        return type(parameter).process_value(parameter, ctx, typed_value)
    if parameter.callback is None:
        return value
    return parameter.callback(ctx, parameter, value)


class _WithoutPydantic:
    """A command whose parameters are read by :func:`_convert_value`."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # of Typer's commands
        for parameter in params:
            parameter.process_value = partial(_convert_value, parameter)
        return params


class Commands(_WithoutPydantic, TyperGroup):
    """The commands in sections; ``help COMMAND`` is COMMAND ``--help``, and a game is no command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and is_game(args[0]):
            game_text = quote_word(args[0])
            ctx.fail(
                escape_controls(
                    f"{args[0]!r} is a game, not a command. To solve it: equilibrist solve {game_text}"
                )
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        max_length = max(map(len, self.commands))
        room = formatter.width - max_length - 6
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            row = name.ljust(max_length), command.get_short_help_str(room)
            sections.setdefault(section_of(name), []).append(row)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)


class Command(_WithoutPydantic, TyperCommand):
    """A command that says what may have been meant where it is given too much."""

    allow_extra_args = True  # refused below

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(args)
        paths = [
            option
            for parameter in self.params
            if parameter.metavar in ("FILE", "FOLDER")
            for option in parameter.opts
        ]
        for option, value in pairwise([*words, "-"]):
            if (option in paths and value == "") or (option.endswith("=") and option[:-1] in paths):
                ctx.fail(f"{option.removesuffix('=')} is empty: name a file or a folder.")
        try:
            super().parse_args(ctx, args)
        except UsageError as error:
            if getattr(error, "option_name", None) in _QUIET:
                error.possibilities = None
                error.message += (
                    ". '> /dev/null' leaves out what is printed; --json makes it one object."
                )
            raise
        if ctx.args:
            ctx.fail(
                escape_controls(
                    "Got unexpected extra argument(s) "
                    f"({' '.join(ctx.args)}).{self._hint(ctx, words)}"
                )
            )
        return []

    def _hint(self, ctx: Any, words: Sequence[str]) -> str:
        extra = ctx.args
        place = words.index(ctx.args[0])
        options = {name: option for option in self.params for name in option.opts}
        list_option = options.get(words[place - 2]) if place >= 2 else None
        if list_option is not None and "separated by commas" in (
            getattr(list_option, "help", None) or ""
        ):
            values = ",".join(word.strip(",") for word in (words[place - 1], *extra))
            return f" Several are separated by commas: {words[place - 2]} {values}"
        game = ctx.params.get("game")
        if isinstance(game, str) and "(" not in game and all(map(_SETTING.fullmatch, extra)):
            settings = ", ".join(extra)
            return f" Settings of a game stand in brackets: {quote_word(f'{game}({settings})')}"
        if "--iterations" in options and len(extra) == 1 and re.fullmatch(r"[\d,_.eE+]+", extra[0]):
            return f" Did you mean --iterations {extra[0]}?"
        return ""


def is_game(text: str) -> bool:
    """Return whether a text names a game, as far as it can be known without loading it."""
    from ..errors import GameError
    from ..games.registry import find_game

    if text.startswith("openspiel:") or _GAME_FILE.fullmatch(text):
        return True
    try:
        find_game(text.partition("(")[0], {})
    except GameError:
        return False
    return True


def _version(show: bool) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"equilibrist {version('equilibrist')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        Option("--version", callback=_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Solve imperfect-information games, and prove how good the answer is."""


def make_app(asked: str | None = None) -> typer.Typer:
    """Return the application with the command that is asked for, or with all where there is none of this name.

    Each command that is added has its options made, which takes 2 ms.
    """
    app = typer.Typer(
        name="equilibrist",
        cls=Commands,
        help="Solve imperfect-information games, and prove how good the answer is.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for command in find_commands(asked):
        app.command(command.name, cls=Command, short_help=command.about)(command.function)
    return app
