"""``python -m equilibrist``: the command."""

from ._util.processes import drop_working_folder

if __name__ == "__main__":  # processes that are spawned import this module again
    drop_working_folder()
    from .cli import main

    main()
