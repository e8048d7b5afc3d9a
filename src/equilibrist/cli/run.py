"""The application run to its end: every mistake becomes one sentence and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from contextlib import suppress
from typing import Any, NoReturn

import typer

from .._util.interrupt import hear_interrupts
from .._util.system import IS_WINDOWS
from .._util.text import escape_controls
from ..errors import EquilibristError, EquilibristWarning
from .arguments import UsageError, make_app


def run() -> NoReturn:
    """Run the command; every mistake ends in one sentence and exit code 2 (wrong use) or 1 (failure)."""
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        _run()


def _run() -> NoReturn:
    try:
        asked = sys.argv[1] if len(sys.argv) > 1 else None
        with hear_interrupts():
            code = make_app(asked)(standalone_mode=False)
        if sys.stdout is not None:  # as it is where the shell closed it: `>&-`
            sys.stdout.flush()
    except UsageError as error:
        error.show()
        _fail(error.format_message(), 2, is_shown=True)
    except EquilibristError as error:
        _fail(str(error), 2 if error.wrong_use else 1)
    except typer.Abort as abort:  # what Typer makes of an interrupt, and of an EOFError
        if isinstance(abort.__cause__, EOFError):
            _report_bug(abort.__cause__)
        raise KeyboardInterrupt from abort
    except BrokenPipeError:
        # Whoever read our output has gone (`… | head`): there is nobody left to tell.
        _drop_output()
        raise SystemExit(1) from None
    except OSError as error:
        _drop_output()
        if IS_WINDOWS and error.errno == errno.EINVAL and error.filename is None:
            raise SystemExit(1) from None  # what a pipe that is read no more is there
        reason = error.strerror or str(error)
        what_failed = error.filename or "The output cannot be written"
        _fail(f"{what_failed}: {reason}.", 1)
    except MemoryError:
        _fail(
            "The memory of this machine does not suffice. Choose a smaller game, or lower "
            "--max-histories.",
            1,
        )
    except RecursionError as error:
        _fail(f"The rules recurse too deeply: {error}.", 1)
    except Exception as error:
        _report_bug(error)
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    raise SystemExit(code)


_INTERRUPTED = 130  # what Typer gives for Ctrl-C
_SHOW_TRACEBACK = "EQUILIBRIST_TRACEBACK"


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **_: Any) -> None:
    """Show a warning of Equilibrist as one sentence on standard error, without its place in the code."""
    text = warnings.formatwarning(message, category, *place[:2])
    if issubclass(category, EquilibristWarning):
        text = f"Warning: {escape_controls(' '.join(str(message).split()))}"
    typer.echo(text, err=True)


def _drop_output() -> None:
    """Send what is left to nowhere: flushing it at the end would fail once more."""
    with suppress(OSError, AttributeError):  # a stream that is no file, or none
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_bug(error: Exception) -> NoReturn:
    if os.environ.get(_SHOW_TRACEBACK):
        raise error
    _fail(
        f"Equilibrist itself failed, with {type(error).__name__}: {error}. This should not "
        f"happen: please report it, with what {_SHOW_TRACEBACK}=1 in the environment shows.",
        1,
    )


def _fail(message: str, code: int, *, is_shown: bool = False) -> NoReturn:
    """End with an error: one sentence on standard error unless shown there, and an object where JSON is asked for."""
    message = escape_controls(" ".join(message.splitlines()))
    if "--json" in sys.argv:
        import json

        typer.echo(json.dumps({"error": message}))
    if not is_shown:
        typer.echo(f"Error: {message}", err=True)
    raise SystemExit(code)
