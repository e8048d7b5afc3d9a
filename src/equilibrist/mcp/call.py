"""A call of a tool: the command that it is, run with limits, and its answer, of a bounded size."""

from __future__ import annotations

import json
import re
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .._util.limited import Ended, run_limited
from .._util.processes import python_command
from ..errors import AlgorithmError, EquilibristError
from .files import Folders, is_content, write_content
from .schema import Parameter, check_names, list_parameters
from .tools import TOOLS, Tool

MOST_ANSWERED = 24_000
"""Characters of an answer: some 8,000 tokens."""
_LENGTHS = (400, 100, 40, 20, 10, 5, 2)
"""To how many entries lists and objects are cut, one after the other, until an answer is small enough."""
_GIGABYTE = 1e9
_LONGEST_WORD = 30_000
"""Characters of a word of a command line, which systems bound."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_WARNING = "Warning: "
_TEXTS = ("game", "against")
"""Parameters that are texts, and may name files."""


class Limits(NamedTuple):
    """What a call may take.

    Attributes
    ----------
    seconds : float
        How long a tool that has a budget iterates at most.
    grace : float
        How much longer any call may take, for what comes before and after: loading, compiling,
        certifying.
    memory_gb : float
        Gigabytes of memory.
    """

    seconds: float
    grace: float
    memory_gb: float


class Answer(NamedTuple):
    """The answer of a call: plain data, and whether it is that of an error."""

    content: dict[str, Any]
    is_error: bool


def call_tool(
    name: str,
    values: Mapping[str, Any],
    *,
    folders: Folders,
    limits: Limits,
    ending: threading.Event,
) -> Answer:
    """Return the answer of a tool; wrong use is a sentence, that of the command where the command is asked.

    Parameters
    ----------
    name : str
        The name of a tool.
    values : mapping
        Its parameters.
    folders : Folders
        What it may read and write.
    limits : Limits
        What it may take.
    ending : threading.Event
        Ends it where it is set.
    """
    tool = TOOLS[name]
    mistake = check_names(tool, values, writes=folders.write is not None)
    if mistake:
        return _error(mistake)
    if _SURROGATE.search(json.dumps(values, ensure_ascii=False)):
        return _error("A text has half of a character (a lone surrogate), which no file can hold.")
    with tempfile.TemporaryDirectory() as scratch:
        try:
            words = _make_words(tool, values, folders, limits, Path(scratch))
        except EquilibristError as error:
            return _error(str(error))
        if any("\0" in word for word in words):
            return _error("A text has a character 0, which no command takes.")
        longest = max(map(len, words))
        if longest > _LONGEST_WORD:
            return _error(
                f"A text has {longest:,} characters, and no command takes more than "
                f"{_LONGEST_WORD:,}: give it as a file."
            )
        ended = run_limited(
            python_command("equilibrist", tool.command, *words),
            folder=folders.read,
            seconds=limits.seconds + limits.grace,
            memory=limits.memory_gb * _GIGABYTE,
            ending=ending,
        )
    answer = _read_answer(name, ended, limits)
    if answer.is_error or tool.select is None:
        return _fit(answer)
    choices = {choice: values[choice] for choice in tool.choices}
    selection = tool.select(answer.content, **choices)
    return _fit(Answer(selection, "error" in selection))


def _make_words(
    tool: Tool, values: Mapping[str, Any], folders: Folders, limits: Limits, scratch: Path
) -> list[str]:
    """Return the words of the command line after the command."""
    options = ["--json"]
    arguments: list[str] = []
    for parameter in list_parameters(tool):
        value = values.get(parameter.name)
        if parameter.name == "seconds":
            value = _limit(parameter, value, limits.seconds)
        elif parameter.name == "max_memory_gb":
            value = _limit(parameter, value, limits.memory_gb)
        elif value is not None:
            value = _read_value(tool, parameter, value, folders, scratch)
        if value is None:
            continue
        if parameter.is_argument:
            arguments.extend(parameter.words(value))
        else:
            options.extend(parameter.words(value))
    return [*options, "--", *arguments]


def _limit(parameter: Parameter, value: Any, most: float) -> float:
    """Return a number that is at most what the server allows; one that makes no sense is for the command to refuse."""
    if value is None:
        return most
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AlgorithmError(
            f"{parameter.name} must be a number, without quotation marks; got {value!r}.",
            wrong_use=True,
        )
    return min(value, most)


def _read_value(
    tool: Tool, parameter: Parameter, value: Any, folders: Folders, scratch: Path
) -> Any:
    """Return a value as the command takes it: files by their paths, contents as files."""
    if parameter.name == "save":
        return folders.place_of(value)
    if parameter.is_list and not isinstance(value, list):
        value = [value]
    kind = tool.contents.get(parameter.name)
    if kind is not None:
        entries = value if parameter.is_list else [value]
        if any(is_content(kind, entry) for entry in entries):
            files = [
                _place_entry(kind, entry, folders, scratch / f"{parameter.name}-{number}")
                for number, entry in enumerate(entries)
            ]
            return files if parameter.is_list else files[0]
    if parameter.is_path:
        if parameter.is_list:
            return [folders.find(entry) for entry in value]
        return folders.find(value)
    if parameter.name in _TEXTS:
        is_game = parameter.name == "game"
        if parameter.is_list:
            return [folders.check_text(str(entry), is_game=is_game) for entry in value]
        return folders.check_text(str(value), is_game=is_game)
    return value


def _place_entry(kind: str, entry: Any, folders: Folders, scratch: Path) -> Path:
    """Return the file of an entry that is a content or the name of a file."""
    if not is_content(kind, entry):
        return folders.find(entry)
    scratch.mkdir()
    return write_content(kind, entry, scratch)


def _read_answer(name: str, ended: Ended, limits: Limits) -> Answer:
    """Return what a command has printed, or the sentence of how it has ended."""
    if ended.reason == "late":
        return _error(
            f"{name} was ended after {limits.seconds + limits.grace:g} seconds, the most that this "
            "server allows: ask for a smaller game or fewer iterations, or have the server started with "
            "more --seconds."
        )
    if ended.reason == "memory":
        return _error(
            f"{name} was ended, as it took more than {limits.memory_gb:g} GB of memory, the most "
            "that this server allows: ask for a smaller game, or have the server started with more "
            "--memory-gb."
        )
    if ended.reason:
        return _error(f"{name} was ended ({ended.reason}) before it had an answer.")
    try:
        content = json.loads(ended.output)
    except ValueError:
        lines = ended.errors.strip().splitlines() or [f"it ended with code {ended.code}"]
        return _error(f"{name} has no answer: {lines[-1].removeprefix('Error: ')}")
    notes = [
        line.removeprefix(_WARNING)
        for line in ended.errors.splitlines()
        if line.startswith(_WARNING)
    ]
    if notes:
        content["warnings"] = notes
    return Answer(content, ended.code != 0)


def _error(sentence: str) -> Answer:
    return Answer({"error": sentence}, True)


def _fit(answer: Answer) -> Answer:
    """Return an answer whose lists are cut until it is small enough; ``left_out`` says how much, and where."""
    if len(json.dumps(answer.content)) <= MOST_ANSWERED:
        return answer
    for most in _LENGTHS:
        left_out: dict[str, int] = {}
        content = _cut(answer.content, most, "", left_out) | {"left_out": left_out}
        if len(json.dumps(content)) <= MOST_ANSWERED:
            return Answer(content, answer.is_error)
    return _error(
        f"The answer is longer than {MOST_ANSWERED:,} characters, the most that this server gives: "
        "ask for less."
    )


def _cut(value: Any, most: int, place: str, left_out: dict[str, int]) -> Any:
    """Return plain data with at most so many entries of each list and object below the first."""
    if isinstance(value, list):
        if len(value) > most:
            left_out[place] = left_out.get(place, 0) + len(value) - most
        return [_cut(entry, most, f"{place}[]", left_out) for entry in value[:most]]
    if isinstance(value, dict):
        names = list(value)
        if place:
            names = names[: max(most, _MOST_FIELDS)]
        if len(names) < len(value):
            left_out[place] = left_out.get(place, 0) + len(value) - len(names)
        return {
            name: _cut(value[name], most, f"{place}.{name}".lstrip("."), left_out) for name in names
        }
    return value


_MOST_FIELDS = 40  # of an object, however short lists are cut
