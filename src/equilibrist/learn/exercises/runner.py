"""The process that a reader's program runs in: it loads the file, calls its functions, and sends what they answer.

``python -m equilibrist.learn.exercises.runner`` is started by
:class:`equilibrist.learn.exercises.program.Program`, which judges the answers: nothing here knows a right
one.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from ..._util.confined_limits import MEMORY, MOST_SENT
from ...game.protocol import CHANCE, TERMINAL
from .messages import decode, encode

_MODULE = "_equilibrist_exercise"
_MOST_WRITTEN = 1 << 30  # bytes of a file


class Runner:
    """Answers messages, one after the other, until there are no more."""

    def __init__(self, receiving: BinaryIO, sending: BinaryIO) -> None:
        self._receiving = receiving
        self._sending = sending
        self._path = ""
        self._names: dict[str, Any] = {}
        self._process = os.getpid()

    def serve(self) -> None:
        while message := self._receive():
            faulthandler.dump_traceback_later(message["seconds"], exit=True, file=self._sending)
            try:
                answer = {"answer": self._answer(message)}
            except BaseException as error:
                # Also of those that no program should raise: GeneratorExit.
                answer = {"failed": self._failure(error)}
            faulthandler.cancel_dump_traceback_later()
            self._send(answer)

    def _receive(self) -> dict[str, Any]:
        line = self._receiving.readline()
        if line:
            return dict(json.loads(line))
        return {}

    def _send(self, message: dict[str, Any]) -> None:
        # A copy that the program has made of its process: the first one answers.
        if os.getpid() != self._process:
            os._exit(0)
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        data = json.dumps(message).encode() + b"\n"
        if len(data) > MOST_SENT:
            data = b'{"failed": {"large": true}}\n'
        self._sending.write(data)
        self._sending.flush()

    def _answer(self, message: dict[str, Any]) -> Any:
        match message:
            case {"load": str(source), "path": str(path)}:
                return self._load(path, source.encode("latin-1"))
            case {"call": str(name), "args": list(args)}:
                return encode(self._names[name](*(decode(arg, self._draw) for arg in args)))
            case {"value": str(name)}:
                return encode(self._names[name])
            case {"unfold": str(name), "most": int(most)}:
                return unfold(self._names[name](), most)
        raise ValueError(message)

    def _load(self, path: str, source: bytes) -> dict[str, bool]:
        """Run the file; return the names that it defines, and whether each can be called."""
        self._path = path
        module = sys.modules[_MODULE] = ModuleType(_MODULE)  # for dataclasses
        module.__file__ = path
        self._names = vars(module)
        sys.path.insert(0, str(Path(path).resolve().parent))
        exec(compile(source, path, "exec"), self._names)
        return {
            name: callable(value) for name, value in self._names.items() if not name.startswith("_")
        }

    def _draw(self, probabilities: Any) -> int:
        """Return the number that the grader draws: it goes through all draws."""
        self._send({"draw": encode([float(probability) for probability in probabilities])})
        return int(self._receive()["drawn"])

    def _failure(self, error: BaseException) -> dict[str, Any]:
        """Return what went wrong, and the last line of the file that took part."""
        frames = reversed(traceback.extract_tb(error.__traceback__))
        line = next((frame.lineno for frame in frames if frame.filename == self._path), None)
        if isinstance(error, SyntaxError):
            line = error.lineno
        try:
            text = str(getattr(error, "msg", error))
        except Exception as worse:
            text = f"a message that fails with {type(worse).__name__}"
        unwritten = isinstance(error, NotImplementedError)
        return {
            "kind": type(error).__name__,
            "text": text[:_LONGEST],
            "line": line,
            "unwritten": unwritten,
        }


_LONGEST = 300  # characters of the message of an exception


def unfold(game: Any, most: int) -> dict[str, Any]:
    """Return the histories of a game, each before those after it, as plain data; at most one more than ``most``."""
    label: Callable[[Any, Any], Any] = getattr(game, "action_label", lambda state, action: action)
    states: list[Any] = [game.start()]
    nodes: list[dict[str, Any]] = []
    for state in states:  # which grows
        if len(nodes) > most:
            break
        player = game.player(state)
        node = {"player": encode(player)}
        nodes.append(node)
        if player == TERMINAL:
            node["payoffs"] = encode(_to_list(game.payoffs(state)))
            continue
        actions = list(game.actions(state))
        node["actions"] = [str(label(state, action)) for action in actions]
        if player == CHANCE:
            node["probabilities"] = encode(_to_list(game.probabilities(state)))
        else:
            node["infoset"] = encode(game.infoset(state))
        node["first"] = len(states)
        states += [game.next(state, action) for action in actions]
    return {"players": encode(game.players), "nodes": nodes}


def _to_list(values: Any) -> Any:
    """Return values as a list, where they are several."""
    if hasattr(values, "__iter__") and not isinstance(values, str):
        return list(values)
    return values


def limit_resources() -> None:
    """Let this process take no more memory, and write no larger files, than it may; where the system can do that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    memory_in_use = 0
    with suppress(OSError):
        memory_in_use = (
            int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            * resource.getpagesize()
        )
    limits = {
        resource.RLIMIT_AS: memory_in_use + MEMORY,
        resource.RLIMIT_FSIZE: _MOST_WRITTEN,
        resource.RLIMIT_CORE: 0,
    }
    for resource_kind, number in limits.items():
        with suppress(OSError, ValueError):
            _, hard_limit = resource.getrlimit(resource_kind)
            if hard_limit == resource.RLIM_INFINITY:
                soft_limit = number
            else:
                soft_limit = min(number, hard_limit)
            resource.setrlimit(resource_kind, (soft_limit, hard_limit))


def main() -> None:
    """Keep the pipes of the messages for this module; the program prints to standard error, and reads nothing."""
    receiving = os.fdopen(os.dup(0), "rb")
    sending = os.fdopen(os.dup(1), "wb")
    empty_input = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty_input, 0)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    limit_resources()
    Runner(receiving, sending).serve()


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # threads of the program are not waited for
