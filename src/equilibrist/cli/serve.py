"""``equilibrist serve``: solve, study and play in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .._util.text import install
from ..errors import SolutionError
from .base import app


@app.command(short_help="Solve, study and play in the browser.")
def serve(
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="The folder of saved runs.")] = Path(
        "runs"
    ),
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="0 takes any. [the first free one from 8421]")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="The interface; another than loopback lets in whoever has the address.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Runs that are solved side by side.")] = 1,
    trust_files: Annotated[
        bool,
        typer.Option(
            "--trust-files", help="Load files of Python as games, which runs their code, once each was asked for."
        ),
    ] = False,
) -> None:
    """Serve a page in which runs are made, watched, studied, compared and played against.

    It is for whoever has the address that is printed. Ctrl-C ends it; runs that are being solved are saved first.
    """
    try:
        from ..serve.server import serve as start
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise SolutionError(
            f"The page needs Starlette and uvicorn, which are not installed: {install('serve')}.",
            wrong_use=True,
        ) from None

    def tell(address: str) -> None:
        typer.echo(f"Serving {folder} at {address}\nCtrl-C ends the server.")
        sys.stdout.flush()

    start(
        folder,
        port=port,
        host=host,
        workers=workers,
        trust_files=trust_files,
        browser=not no_browser,
        on_start=tell,
    )
