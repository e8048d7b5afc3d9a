"""``python -m equilibrist``: the command."""

from .cli import main

main()
