"""Command lines and Python lines that make a run again, go on with it, and look at it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import is_dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypedDict

from .._util.command_line import quote_word
from ..errors import AlgorithmError, SolutionError
from ..evaluation.gaps import tells_gains
from ..solving.settings import BY_NAME, ENDS

if TYPE_CHECKING:
    from ..cfr.algorithms import Algorithm
    from ..cfr.criteria import Criterion
    from ..solving.solution import Solution


def _algorithm_keywords(algorithm: Algorithm) -> dict[str, Any]:
    """Return the plain keywords that name an algorithm, or the rule of one's own in a file.

    Raises
    ------
    SolutionError
        No text names it.
    """
    from ..cfr.algorithms import find_algorithm

    if algorithm.rule is not None and algorithm.rule.is_in_file:
        return {"rule": algorithm.rule.text}
    with suppress(AlgorithmError):
        if find_algorithm(algorithm.name) == replace(algorithm, alternating=True):
            return {"algorithm": algorithm.name}
    raise SolutionError(
        f"The algorithm {algorithm.name!r} is one of its own, which no command line names."
    )


def settings(solution: Solution) -> dict[str, Any]:
    """Return the plain keywords that make a run again (:mod:`equilibrist.solving.keywords`), defaults left out."""
    from ..solving.keywords import plain_limits
    from ..solving.plan import default_precision

    config = solution.config
    if config is None:
        raise SolutionError("The linear programme has no settings: equilibrist exact.")
    if config.concept.needs_model:
        raise SolutionError(
            "The model of the opponent is in the tables of the run alone: make another answer by "
            "equilibrist exploit, or go on with this one."
        )
    if config.abstraction is not None:
        raise SolutionError(
            f"The run is of an abstraction, by the map {config.abstraction.map}, which no line of "
            "settings names: solve the game again with its map (eq.abstract, --map), or go on with "
            "this one."
        )
    has_algorithm = config.concept.algorithm is None
    usual = type(config)(algorithm=config.algorithm, horizon=config.horizon)
    keywords = _algorithm_keywords(config.algorithm) if has_algorithm else {}
    if config.sampling != usual.sampling:
        keywords["sampling"] = str(config.sampling)
    if config.concept != usual.concept:
        keywords["concept"] = str(config.concept)
    for name in ("form", "seed", "threads"):
        if getattr(config, name) != getattr(usual, name):
            keywords[name] = getattr(config, name)
    keywords |= plain_limits(config.limits)
    if config.sampling.full_width and config.precision != default_precision(
        config.concept, solution.info.game.traits
    ):
        keywords["precision"] = config.precision
    if not config.algorithm.alternating:
        keywords["alternating"] = False
    for name in ("iterations", "seconds"):
        if getattr(config.stop, name) is not None:
            keywords[name] = getattr(config.stop, name)
    until = [_criterion_text(criterion, solution.info.game.pot) for criterion in config.stop.until]
    if until:
        keywords["until"] = until[0] if len(until) == 1 else until
    return keywords


def carried_settings(solution: Solution) -> dict[str, Any]:
    """Return the plain keywords that a run on the same or a changed game takes over: what it is to find, and how.

    What ends a run, and threads, are those of the new run; an algorithm that
    ``"auto"`` stands for is left to it. A temperature is a share of the pot where that is exact, as
    a form has it.
    """
    from ..cfr.concepts import QRE
    from ..solving.plan import default_algorithms

    config = solution.config
    if config is None or config.concept.needs_model:  # a linear programme, or an answer to a model
        return {}
    if config.abstraction is not None:
        return {}
    left_out = (*ENDS, "threads")
    keywords = {name: value for name, value in settings(solution).items() if name not in left_out}
    usual = default_algorithms()
    if config.sampling.full_width:
        place = solution.info.game.form
    else:
        place = "sampled"
    if keywords.get("algorithm") == usual.get(place):
        del keywords["algorithm"]
    concept = config.concept
    pot = solution.info.game.pot
    if (
        isinstance(concept, QRE)
        and concept.temperature
        and not isinstance(concept.temperature, str)
        and pot
    ):
        share = f"{100 * concept.temperature / pot:.6g}%"
        if float(share[:-1]) / 100 * pot == concept.temperature:
            keywords["concept"] = str(replace(concept, temperature=share))
    return keywords


def _criterion_text(criterion: Criterion, pot: float | None) -> float | str:
    """Return a criterion as ``until`` takes it: a share of the pot where that is read as exactly this number again."""
    until = criterion.to_plain()
    if pot is None or isinstance(until, str):
        return until
    share = f"{100 * until / pot:.6g}"
    if float(share) / 100 * pot == until:
        return f"{share}%"
    return until


class Lines(TypedDict):
    """The command line and the line of Python that do the same elsewhere."""

    command: str
    python: str


class RunLines(Lines):
    """The lines that make a run again and look at it: ``resume`` and ``solve`` beside those that load it."""

    resume: str
    solve: str


def reproduce(solution: Solution, folder: str) -> RunLines:
    """Return the lines for a terminal and for Python, as text: make the run again beside it, and look at it."""
    game = solution.game
    run = quote_word(folder)
    free_folder = next(
        path for number in count(2) if not os.path.lexists(path := f"{folder}-{number}")
    )
    look = [
        *([f"equilibrist show {run}"] if solution.info.game.traits.keeps_weights else []),
        f"equilibrist report {run}",
    ]
    try:
        keywords = settings(solution)
    except SolutionError as error:
        save_command = call = f"# {error}"
        if solution.config is None:
            save_command = f"equilibrist exact {quote_word(game)}"
            call = f"solution = eq.exact({game!r})"
    else:
        save_command = f"{write_command(game, keywords)} --save {quote_word(free_folder)}"
        call = write_python(game, keywords)
    load = f"solution = eq.load_solution({folder!r})"
    gap = "deviation_gains" if tells_gains(solution.players) else "exploitability"
    return {
        "command": "\n".join([save_command, *look]),
        "resume": f"equilibrist {_resumed_by(solution)} --resume {run} --seconds 60",
        "python": f"import equilibrist as eq\n\n{load}\nprint(solution.{gap})\n",
        "solve": f"import equilibrist as eq\n\n{call}\nsolution.save({free_folder!r})\n",
    }


def _resumed_by(solution: Solution) -> str:
    """Return the command that goes on with a run."""
    if solution.config is not None and solution.config.concept.needs_model:
        return "exploit"
    return "solve"


def write_command(game: str, keywords: Mapping[str, Any]) -> str:
    """Return the command that solves a game with these keywords of :func:`equilibrist.solve`."""
    parts = ["equilibrist solve", quote_word(game)]
    for name, value in keywords.items():
        if name == "alternating":
            parts += [] if value else BY_NAME[name].flags
        else:
            option = BY_NAME[name].flags[0]
            parts.append(
                f"{option} {quote_word(','.join(map(str, value)) if isinstance(value, list) else str(value))}"
            )
    return " ".join(parts)


def write_python(game: str, keywords: Mapping[str, Any]) -> str:
    """Return the line of Python that does the same."""
    from ..cfr.algorithms import Algorithm
    from ..solving.keywords import solve_keywords

    def literal(value: Any) -> str:
        if isinstance(value, Algorithm):
            return repr(str(value))
        if is_dataclass(value):
            return f"eq.{value!r}"
        return repr(value)

    arguments = [
        repr(game),
        *(f"{name}={literal(value)}" for name, value in solve_keywords(keywords).items()),
    ]
    return f"solution = eq.solve({', '.join(arguments)})"


def write_lines(game: str, keywords: Mapping[str, Any]) -> Lines:
    """Return the command and the line of Python that solve the same."""
    return {"command": write_command(game, keywords), "python": write_python(game, keywords)}
