"""``python -m equilibrist``: the command."""

from .cli import main

if __name__ == "__main__":  # processes that are spawned import this module again
    main()
