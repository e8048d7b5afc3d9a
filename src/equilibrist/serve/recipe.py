"""Command lines and Python lines that make a run again, go on with it, and look at it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING, Any

from ..errors import SolutionError

if TYPE_CHECKING:
    from ..solving.solution import Solution

_PRECISION = {"cards": "float32"}
"""What ``"auto"`` becomes, by the form of the game; float64 elsewhere."""


def settings(solution: Solution) -> dict[str, Any]:
    """Return the keywords of :func:`equilibrist.solve` that make a run again, defaults left out.

    Raises
    ------
    SolutionError
        The run is a linear programme, or its algorithm is a row of somebody's own, which has no name.
    """
    from ..cfr.algorithms import ALGORITHMS

    config = solution.config
    if config is None:
        raise SolutionError("The linear programme has no settings: equilibrist exact.")
    if ALGORITHMS.get(config.algorithm.name) != config.algorithm:
        raise SolutionError(
            f"The algorithm {config.algorithm.name!r} is a row of its own, which no command line names."
        )
    usual = type(config)(algorithm=config.algorithm, horizon=config.horizon)
    found: dict[str, Any] = {"algorithm": config.algorithm.name}
    if config.sampling != usual.sampling:
        found["sampling"] = str(config.sampling)
    for name in ("form", "seed", "threads", "max_memory_gb", "max_histories", "max_depth"):
        if getattr(config, name) != getattr(usual, name):
            found[name] = getattr(config, name)
    if config.sampling.full_width and config.precision != _PRECISION.get(solution.info.game.form, "float64"):
        found["precision"] = config.precision
    if not config.alternating:
        found["alternating"] = False
    for name in ("iterations", "until", "until_cce", "seconds", "nodes"):
        if getattr(config.stop, name) is not None:
            found[name] = getattr(config.stop, name)
    pot = solution.info.game.pot
    if pot and "until" in found and (share := _share(found["until"], pot)) is not None:
        found["until"] = share
    return found


def _share(until: float, pot: float) -> str | None:
    """Return a goal as a share of the pot, ``"0.5%"``, where that text is read as exactly this number again."""
    share = f"{100 * until / pot:.6g}"
    return f"{share}%" if float(share) / 100 * pot == until else None


def recipe(solution: Solution, folder: str) -> dict[str, str]:
    """Return the lines for a terminal and for Python, as text: make the run again beside it, and look at it."""
    game = solution.game
    run, beside = quoted(folder), _free(folder)
    look = [*([f"equilibrist show {run}"] if solution.info.game.form == "cards" else []), f"equilibrist report {run}"]
    try:
        given = settings(solution)
    except SolutionError as error:
        again = call = f"# {error}"
        if solution.config is None:
            again, call = f"equilibrist exact {quoted(game)}", f"solution = eq.exact({game!r})"
    else:
        again, call = f"{as_command(game, given)} --save {quoted(beside)}", as_python(game, given)
    load = f"solution = eq.load_solution({folder!r})"
    return {
        "command": "\n".join([again, *look]),
        "resume": f"equilibrist solve --resume {run} --seconds 60",
        "python": f"import equilibrist as eq\n\n{load}\nprint(solution.exploitability)\n",
        "solve": f"import equilibrist as eq\n\n{call}\nsolution.save({beside!r})\n",
    }


def _free(folder: str) -> str:
    """Return a path beside a folder at which nothing is: ``kuhn-2`` beside ``kuhn``."""
    return next(path for number in count(2) if not os.path.lexists(path := f"{folder}-{number}"))


def as_command(game: str, keywords: Mapping[str, Any]) -> str:
    """Return the command that solves a game with these keywords of :func:`equilibrist.solve`."""
    parts = ["equilibrist solve", quoted(game)]
    for name, value in keywords.items():
        if name == "alternating":
            parts += [] if value else ["--simultaneous"]
        else:
            option = "streets" if name == "save_streets" else name.replace("_", "-")
            parts.append(f"--{option} {quoted(','.join(value) if isinstance(value, list) else str(value))}")
    return " ".join(parts)


def as_python(game: str, keywords: Mapping[str, Any]) -> str:
    """Return the line of Python that does the same."""
    given = ", ".join([repr(game), *(f"{name}={value!r}" for name, value in keywords.items())])
    return f"solution = eq.solve({given})"


def quoted(text: str) -> str:
    """Return a text as one word of a command line, in double quotes where it has single ones and that will do."""
    return f'"{text}"' if "'" in text and not set(text) & set('"$`\\!\n') else shlex.quote(text)
