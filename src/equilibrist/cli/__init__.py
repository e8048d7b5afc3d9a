"""The command ``equilibrist``: a thin layer over the package.

Import `cli.main`; nothing imports this room. Its modules are imported only where an interrupt is
heard already.
"""

from __future__ import annotations

import gc
import sys

_INTERRUPTED = "Interrupted before there was anything to report."


def main() -> None:
    """Run the command; every mistake ends in one sentence and exit code 2 (wrong use) or 1 (failure)."""
    gc.set_threshold(300_000, 50, 100)  # importing makes much and drops nothing
    try:
        from .run import run

        run()
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            sys.stdout.write(f'{{"error": "{_INTERRUPTED}"}}\n')
        sys.stderr.write(f"Error: {_INTERRUPTED}\n")
        raise SystemExit(1) from None
    finally:
        gc.freeze()  # or the interpreter, at its end, would look for garbage in all modules: 0.3 s
