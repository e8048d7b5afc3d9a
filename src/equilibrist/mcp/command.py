"""``equilibrist mcp``: the package as tools of a language model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option


def mcp(
    folder: Annotated[
        Path,
        Argument(metavar="FOLDER", help="The folder whose files and saved runs tools may read."),
    ] = Path(),
    write: Annotated[
        Path | None,
        Option(
            "--write",
            metavar="FOLDER",
            help="Let tools save runs in this folder, and read those there. [nothing is written]",
        ),
    ] = None,
    seconds: Annotated[
        float, Option("--seconds", min=0.1, help="How long a run may iterate.")
    ] = 20.0,
    grace: Annotated[
        float,
        Option(
            "--grace",
            min=1,
            help="How many more seconds a call may take, to load, compile and certify.",
        ),
    ] = 120.0,
    memory_gb: Annotated[
        float, Option("--memory-gb", min=0.1, help="Gigabytes of memory that a call may take.")
    ] = 4.0,
    trust_files: Annotated[
        bool,
        Option(
            "--trust-files", help="Let tools run files of Python in FOLDER as games, as programs."
        ),
    ] = False,
) -> None:
    """Serve games, runs and certificates to a language model, over standard input and output.

    It is started by a client of the Model Context Protocol, and ends with it. Each call of a tool
    is a command in a process of its own, which is ended where it takes too long or too much.
    """
    from ..errors import SolutionError
    from .call import Limits
    from .files import Folders
    from .server import serve_stdio

    if not folder.is_dir():
        raise SolutionError(f"There is no folder {folder}.", wrong_use=True)
    if write is not None and not write.is_dir():
        raise SolutionError(f"There is no folder {write}: make it first.", wrong_use=True)
    folders = Folders(folder.resolve(), None if write is None else write.resolve(), trust_files)
    serve_stdio(folders, Limits(seconds, grace, memory_gb))
