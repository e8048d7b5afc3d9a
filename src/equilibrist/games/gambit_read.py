"""Gambit's extensive-form files (``.efg``, https://gambitproject.readthedocs.io), read without Gambit.

A file is a header and then the nodes of the tree, each before its children::

    EFG 2 R "title" { "player 1" "player 2" } "comment"
    c "node" infoset "label" { "outcome" probability ... } outcome "label" { payoffs }
    p "node" player infoset "label" { "action" ... } outcome "label" { payoffs }
    t "node" outcome "label" { payoffs }

What is in braces, and the label before it, may be left out once it has been said. Outcome 0 is
none; an outcome at an inner node is paid to all who pass it.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from operator import add
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote

from .._util.files import read_bytes
from .._util.text import escape_controls
from ..errors import GameError
from .gambit_game import ESCAPED, PROBABILITY_SLACK, GambitGame, GambitInfoset, GambitNode

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?|[+-]?\d+/\d+")

_MAX_BITS = 4096
"""Of the denominator of a sum of payoffs; with more the sums along a deep tree would take forever."""


def read_efg(path: str | os.PathLike[str]) -> GambitGame:
    """Return the game in a Gambit ``.efg`` file, whose numbers are kept exactly until they are asked for.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coin.efg"
    >>> _ = path.write_text('EFG 2 R "coin" { "Ann" } p "" 1 1 "" { "heads" "tails" } 0 t "" 1 "" { 1/2 } t "" 0')
    >>> game = read_efg(path)
    >>> game.actions(game.start())
    ['heads', 'tails']
    >>> game.payoffs(game.next(game.start(), "heads"))
    [0.5]
    """
    return parse_efg(*read_text(path))


def parse_efg(path: Path, text: str) -> GambitGame:
    """Return the game that the text of an ``.efg`` file is; ``path`` is named in errors, and where it has no title."""
    return _TreeParser(path, text).game()


def read_text(path: str | os.PathLike[str]) -> tuple[Path, str]:
    """Return the path of a file, and what it holds."""
    path = Path(path)
    try:
        text = read_bytes(path).decode("utf-8-sig", errors="replace")
        return path, text.replace("\r\n", "\n").replace("\r", "\n")
    except (FileNotFoundError, ValueError) as error:  # the latter of a name that no file can have
        raise GameError(
            f"There is no file '{escape_controls(str(path))}'.", wrong_use=True
        ) from error
    except OSError as error:
        raise GameError(
            f"The file '{path}' cannot be read: {error.strerror}.", wrong_use=True
        ) from error


def _split_tokens(text: str) -> list[str]:
    """Return the tokens of a file, and an empty one at the end.

    A quote that opens a string without an end is the last token: whatever follows belongs to that
    string.
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        tokens.append(match[0])
        if match[0] == '"':
            break
    return [*tokens, ""]


class Parser:
    """Reads one file, token by token; strings keep their opening quote until they are asked for."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.source = text
        self.tokens = _split_tokens(text)
        self.at = 0
        self.escaped = f'"{ESCAPED}"' in text
        self.players = 0

    def fail(self, expected: str, *, at: int | None = None, read: str | None = None) -> NoReturn:
        """Raise the error of token ``at``: where it is, what was expected, and what is there."""
        at = self.at if at is None else at
        token = next(islice(_TOKEN.finditer(self.source), at, None), None)
        line = self.source.count("\n", 0, token.start() if token else len(self.source.rstrip())) + 1
        if read is None:
            text = " ".join(self.tokens[at].split())[:60]
            read = {"": "the end of the file", '"': "a string without an end"}.get(text, text)
        raise GameError(f"{self.path}, line {line}: expected {expected}; found {read}.")

    # Tokens

    def skip(self, token: str, expected: str = "") -> None:
        if self.tokens[self.at] != token:
            self.fail(expected or repr(token))
        self.at += 1

    def in_braces(self, expected: str = "") -> Iterator[None]:
        """Yield before each entry of a list in braces, which whoever asks reads."""
        self.skip("{", expected)
        while self.tokens[self.at] != "}":
            yield
        self.at += 1

    def is_string(self) -> bool:
        token = self.tokens[self.at]
        return token[:1] == '"' and len(token) > 1

    def string(self, expected: str) -> str:
        if not self.is_string():
            self.fail(f"{expected}, in double quotes")
        text = self.tokens[self.at][1:-1]
        self.at += 1
        if "\\" in text:
            text = re.sub(r'\\(["\\])', r"\1", text)
        if self.escaped and "%" in text:
            text = unquote(text)
        return text

    def number(self, expected: str) -> Fraction:
        value = _read_fraction(self.tokens[self.at])
        if value is None:
            self.fail(f"{expected} (a number such as 2, -0.5 or 1/3)")
        self.at += 1
        return value

    def whole(self, expected: str, *, least: int = 0, most: float = math.inf) -> int:
        token = self.tokens[self.at]
        if not (token.isdecimal() and len(token) < 19 and least <= int(token) <= most):
            self.fail(
                f"{expected} (a whole number{'' if most == math.inf else f', {least} to {most}'})"
            )
        self.at += 1
        return int(token)

    # What both kinds of files begin with

    def header(self, word: str, version: str, kind: str) -> tuple[str, list[str]]:
        """Read the title, and the names of the players."""
        self.skip(word, f"'{word}', with which a Gambit {kind} file begins")
        self.skip(version, f"version {version} of the format")
        if self.tokens[self.at] not in ("R", "D"):
            self.fail("'R' or 'D', the kind of numbers")
        self.at += 1
        title = self.string("the title")
        at = self.at
        names = self.names("the names of the players", "the name of a player")
        if not names:
            self.fail("at least one player", at=at + 1)
        self.players = len(names)
        return title, names

    def names(self, plural: str, singular: str) -> list[str]:
        return [self.string(f"'}}' or {singular}") for _ in self.in_braces(f"'{{' and {plural}")]


class _TreeParser(Parser):
    """Reads a tree, node by node."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(path, text)
        self.infosets: dict[tuple[int, int], GambitInfoset] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}

    def game(self) -> GambitGame:
        title, names = self.header("EFG", "2", "extensive-form")
        if self.is_string():
            self.string("the comment")
        nodes = self.nodes()
        if self.tokens[self.at]:
            self.fail("the end of the file, for every node has its children")
        self.name_infosets()
        return GambitGame(title or self.path.name, names, nodes)

    def nodes(self) -> list[GambitNode]:
        """Read the tree: each node is the next child of the deepest node that still lacks one."""
        nodes: list[GambitNode] = []
        unfinished: list[GambitNode] = []
        while unfinished or not nodes:
            at = self.at
            infoset, outcome = self.node()
            node = GambitNode(infoset, outcome)
            if unfinished:
                parent = unfinished[-1]
                parent.children.append(len(nodes))
                if any(outcome):
                    node.paid = tuple(map(add, parent.paid, outcome))
                else:
                    node.paid = parent.paid
                if any(payoff.denominator.bit_length() > _MAX_BITS for payoff in node.paid):
                    self.fail(
                        f"payoffs on the way here with a common denominator of {_MAX_BITS} bits "
                        "or fewer",
                        at=at,
                    )
            nodes.append(node)
            unfinished.append(node)
            while unfinished and unfinished[-1].complete():
                unfinished.pop()
        return nodes

    def node(self) -> tuple[GambitInfoset | None, tuple[Fraction, ...]]:
        kind = self.tokens[self.at]
        if kind not in ("c", "p", "t"):
            self.fail("a node: 'c' (chance), 'p' (player) or 't' (the end)")
        self.at += 1
        self.string("the label of the node")
        if kind == "t":
            return None, self.outcome()
        if kind == "p":
            player = self.whole("the player", least=1, most=self.players)
        else:
            player = 0
        return self.infoset(player), self.outcome()

    def infoset(self, player: int) -> GambitInfoset:
        at = self.at
        number = self.whole("the number of the infoset")
        stored = self.infosets.get((player, number))
        if self.is_string():
            label = self.string("the label of the infoset")
        else:
            label = None
        if stored is not None and label not in (None, stored.label):
            self.fail(
                f"the label {stored.label!r}, which infoset {number} has already",
                at=at,
                read=repr(label),
            )
        if self.tokens[self.at] == "{":
            infoset = GambitInfoset(player, label or "", *self.actions(chance=player == 0))
            stored = self.infosets.setdefault((player, number), infoset)
            if (infoset.actions, infoset.probabilities) != (stored.actions, stored.probabilities):
                self.fail_again("actions", f"infoset {number}", at)
        if stored is None:
            self.fail(f"'{{' and the actions of infoset {number}, which is new here")
        return stored

    def actions(self, *, chance: bool) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        at = self.at
        labels: list[str] = []
        probabilities: list[Fraction] = []
        for _ in self.in_braces():
            labels.append(self.string("'}' or the label of an action"))
            if chance:
                probabilities.append(self.number("the probability of this outcome"))
        if not labels:
            self.fail("at least one action", at=at + 1)
        if chance and min(probabilities) < 0:
            self.fail("probabilities of 0 or more", at=at, read=str(min(probabilities)))
        total = sum(probabilities, Fraction())
        if chance and not 1 - PROBABILITY_SLACK <= total <= 1 + PROBABILITY_SLACK:
            self.fail("probabilities that sum to 1", at=at, read=f"the sum {total}")
        return tuple(labels), tuple(probabilities)

    def outcome(self) -> tuple[Fraction, ...]:
        at = self.at
        number = self.whole("the number of the outcome, or 0 for none")
        if number == 0:
            return (Fraction(0),) * self.players
        if self.is_string():
            self.string("the label of the outcome")
        stored = self.outcomes.get(number)
        if self.tokens[self.at] == "{":
            self.at += 1
            payoffs = tuple(self.number("the payoff of every player") for _ in range(self.players))
            self.skip("}", f"'}}' after {self.players} payoffs, one for each player")
            stored = self.outcomes.setdefault(number, payoffs)
            if payoffs != stored:
                self.fail_again("payoffs", f"outcome {number}", at)
        if stored is None:
            self.fail(f"'{{' and the payoffs of outcome {number}, which is new here")
        return stored

    def fail_again(self, content: str, name: str, at: int) -> NoReturn:
        """Refuse something that is defined once more, with another content."""
        self.fail(f"the same {content} as where {name} was first mentioned", at=at, read="others")

    def name_infosets(self) -> None:
        for player in range(self.players + 1):
            player_infosets = {
                number: infoset
                for (owner, number), infoset in self.infosets.items()
                if owner == player
            }
            names = make_unique_names(
                {number: infoset.label for number, infoset in player_infosets.items()}
            )
            for number, infoset in player_infosets.items():
                infoset.name = names[number]
                actions = make_unique_names(dict(enumerate(infoset.actions, start=1)))
                infoset.child_of = {action: number - 1 for number, action in actions.items()}


@lru_cache(maxsize=4096)
def _read_fraction(token: str) -> Fraction | None:
    """Return the exact value of a number in a file, or None where it is none (or has no float)."""
    try:
        value = Fraction(token) if _NUMBER.fullmatch(token) else None
        if value is None or math.isinf(float(value)):
            return None
        return value
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def make_unique_names(labels: Mapping[int, str]) -> dict[int, str]:
    """Return a name for each number: its label where it is there and unique, else the number itself."""
    count = Counter(labels.values())
    names = {}
    for number, label in labels.items():
        name = label
        if not label or count[label] > 1:
            name = str(number)
            while name in count:
                name = f"#{name}"
        names[number] = name
    return names
