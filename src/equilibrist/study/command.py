"""``equilibrist serve``: solve, inspect and play in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Option


def serve(
    folder: Annotated[
        Path, Option("--folder", metavar="FOLDER", help="The folder of saved runs.")
    ] = Path("runs"),
    port: Annotated[
        int | None,
        Option("--port", min=0, max=65535, help="0 takes any. [the first free one from 8421]"),
    ] = None,
    host: Annotated[
        str,
        Option(
            "--host", help="The interface; another than loopback lets in whoever has the address."
        ),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, Option("--no-browser", help="Print the address only.")] = False,
    workers: Annotated[
        int, Option("--workers", min=1, max=64, help="Runs that are solved side by side.")
    ] = 1,
    trust_files: Annotated[
        bool,
        Option(
            "--trust-files",
            help="Load files of Python as games, which runs their code, once each was asked for.",
        ),
    ] = False,
) -> None:
    """Serve a page in which runs are made, watched, inspected, compared and played against.

    It is for whoever has the address that is printed. Ctrl-C ends it; runs that are being solved
    are saved first.
    """
    from .server import serve as start

    def print_address(address: str) -> None:
        typer.echo(f"Serving {folder} at {address}\nCtrl-C ends the server.")
        sys.stdout.flush()

    start(
        folder,
        port=port,
        host=host,
        workers=workers,
        trust_files=trust_files,
        browser=not no_browser,
        on_start=print_address,
    )
