"""The command `cache`: where machine code is kept, how much there is, and how to remove it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from .._util.text import escape_controls
from . import options
from .output import Output

if TYPE_CHECKING:
    from rich.console import RenderableType


def cache(
    clear: Annotated[
        bool, Option("--clear", help="Remove the machine code: the next commands compile again.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Show where the machine code of kernels is kept for all environments of this user, and how much there is."""
    output = Output(as_json)
    facts = describe_cache()
    if clear:
        from .._jit.cache_folder import cache_folder
        from .._jit.cache_folder import clear as clear_folder

        clear_folder(cache_folder())
    facts["cleared"] = clear
    output.emit(lambda: facts, cache_report(facts))


def describe_cache() -> dict[str, Any]:
    """Return the folder of machine code, its files and their size, as plain data for JSON."""
    from .._jit.cache_folder import MOST_BYTES, VARIABLE, cache_folder, list_files

    folder = cache_folder()
    files = list_files(folder)
    oldest = files[0].used if files else None
    return {
        "folder": str(folder),
        "variable": VARIABLE,
        "kernels": len(files),
        "bytes": sum(file.size for file in files),
        "most_bytes": MOST_BYTES,
        "used_longest_ago": None
        if oldest is None
        else datetime.fromtimestamp(oldest, UTC).date().isoformat(),
    }


def cache_report(facts: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Iterate over what is printed of the folder."""
    from rich.table import Table

    if facts["cleared"]:
        yield (
            f"Removed {facts['kernels']:,} kernels ({_megabytes(facts['bytes'])}) "
            f"from {escape_controls(facts['folder'])}."
        )
        return
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(overflow="fold")
    table.add_row("folder", escape_controls(facts["folder"]))
    table.add_row("kernels", f"{facts['kernels']:,}")
    table.add_row(
        "size", f"{_megabytes(facts['bytes'])} of at most {_megabytes(facts['most_bytes'])}"
    )
    if facts["used_longest_ago"] is not None:
        table.add_row("oldest use", facts["used_longest_ago"])
    yield table
    yield f"{facts['variable']} names another folder; --clear removes the machine code."


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
