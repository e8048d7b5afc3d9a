"""The server as a command: its port, its address, the browser, and its end."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from .._util.places import import_place
from ..web.workspace import Workspace
from .app import make_app
from .folder_lock import ServeError, lock_server_folder

DEFAULT_PORT = 8421
_LEADS_THERE = """<!doctype html><meta charset="utf-8"><title>Equilibrist</title>
<meta http-equiv="refresh" content="0; url={address}"><a href="{address}">Equilibrist</a>
"""
"""A page in the server's own folder, for the browser: anybody on this machine can read the arguments of processes."""
_TRIED = 20  # ports, where none is given
_PATIENCE = 1.0  # seconds that threads of requests have once everything is saved
_FIRST_ASKED = 1.5  # seconds after the start, when the page has been sent


def serve(
    folder: str | Path,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    workers: int = 1,
    trust_files: bool = False,
    browser: bool = True,
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Serve a folder of runs, made where it is not there, until it is stopped.

    ``port`` is by default the first free one from 8421; 0 takes any. A ``host`` other than loopback
    lets other machines in that have the token. With ``trust_files`` files of Python may be loaded,
    which runs them. ``on_start`` is called with the address once it answers.
    """
    workspace = Workspace(folder, workers=workers)
    with lock_server_folder(workspace.folder, workspace.private) as tell_address:
        _serve_workspace(
            workspace,
            host,
            port,
            trust_files=trust_files,
            browser=browser,
            on_start=on_start,
            on_bound=tell_address,
        )


def _serve_workspace(
    workspace: Workspace,
    host: str,
    port: int | None,
    *,
    trust_files: bool,
    browser: bool,
    on_start: Callable[[str], None] | None,
    on_bound: Callable[[str], None],
) -> None:
    """Serve a workspace until it is stopped; ``on_bound`` is told the address without the token."""
    listening = _listen(host, port)
    token = secrets.token_urlsafe(24)
    port_taken = listening.getsockname()[1]
    base = f"http://{_address_text(host)}:{port_taken}/"
    on_bound(base)
    address = f"{base}?token={token}"
    app = make_app(workspace, token=token, trust_files=trust_files, hosts=(host,))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    server = _Server(
        config,
        lambda: _print_address(
            address, workspace.private / f"open-{port_taken}.html" if browser else None, on_start
        ),
        lambda: workspace.listeners.close(),  # noqa: PLW0108 (they are made when the server starts)
    )
    logging.getLogger("uvicorn.error").addFilter(
        lambda record: not (server.should_exit and _has_traceback(record))
    )
    warming = threading.Timer(_FIRST_ASKED, warm_up)
    warming.daemon = True
    warming.start()
    with suppress(KeyboardInterrupt):  # which uvicorn raises again once it has ended
        server.run(sockets=[listening])
    (workspace.private / f"open-{port_taken}.html").unlink(missing_ok=True)


def _has_traceback(record: logging.LogRecord) -> bool:
    """Return whether a record tells of an exception; that of the lifespan has it as its message."""
    return record.exc_info is not None or "Traceback" in record.getMessage()


class _Server(uvicorn.Server):
    """A server that tells when it answers, and when it is about to end: streams of events last until then."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], on_end: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_end = on_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_end()
        await super().shutdown(sockets)
        # A tree that nobody waits for any more.
        patience = threading.Timer(_PATIENCE, os._exit, (0,))
        patience.daemon = True
        patience.start()


_FIRST_HANDLERS = ("study.inspect.solutions:overview", "poker.pages.spots:overview")


def warm_up() -> None:
    """Import what the first look at a run needs: Numba and its friends take a second."""
    for place in _FIRST_HANDLERS:
        import_place(place)


def _print_address(address: str, page: Path | None, on_start: Callable[[str], None] | None) -> None:
    if on_start is not None:
        on_start(address)
    if page is not None:
        with suppress(OSError):  # a full disk: the address is printed
            page.write_text(_LEADS_THERE.format(address=address), encoding="utf-8")
            threading.Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()


# A port that a server has just left is free, and one that a server has is not: Windows says the
# latter by another option, and would with SO_REUSEADDR let both have it.
_ONE_SERVER = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)


def _listen(host: str, port: int | None) -> socket.socket:
    ports = range(DEFAULT_PORT, DEFAULT_PORT + _TRIED) if port is None else (port,)
    reason = ""
    for number in ports:
        try:
            family, kind, protocol, _, place = socket.getaddrinfo(
                host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            listening = socket.socket(family, kind, protocol)
        except OSError as error:
            raise ServeError(
                f"{host!r} is no interface of this machine: {error.strerror}.", wrong_use=True
            ) from None
        try:
            listening.setsockopt(socket.SOL_SOCKET, _ONE_SERVER, 1)
            listening.bind(place)
            listening.listen(128)
        except OSError as error:
            listening.close()
            reason = (
                f"Port {number} of {host} cannot be had: {error.strerror}. Give another --port, "
                "or 0 for any."
            )
            continue
        return listening
    raise ServeError(reason, wrong_use=True)


def _address_text(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # all interfaces: this machine is reached by loopback
        if host == "0.0.0.0":
            return "127.0.0.1"
        return "[::1]"
    if ":" in host:
        return f"[{host}]"
    return host
