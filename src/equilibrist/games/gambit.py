"""Gambit's extensive-form files (``.efg``, https://gambitproject.readthedocs.io), read and written without Gambit.

A file is a header and then the nodes of the tree, each before its children::

    EFG 2 R "title" { "player 1" "player 2" } "comment"
    c "node" infoset "label" { "outcome" probability ... } outcome "label" { payoffs }
    p "node" player infoset "label" { "action" ... } outcome "label" { payoffs }
    t "node" outcome "label" { payoffs }

What is in braces, and the label before it, may be left out once it has been said. Outcome 0 is none; an outcome at an
inner node is paid to all who pass it.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from operator import add
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, unquote

from .._util.display import Display
from .._util.files import whole_file
from ..errors import GameError
from ..form.build import to_extensive_form
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.public import PublicGame

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^\s{},"]+|"', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?|[+-]?\d+/\d+")

# Gambit wants probabilities that sum to exactly 1; other programs write thirds as 0.3333333333.
_SLACK = Fraction(1, 10**9)

# Gambit allows printable ASCII in labels and single spaces between. We write any other character, and the two that
# mean something in a file, as URLs do, and say so in the comment: only files with this comment are read back this way.
_ESCAPED = "Written by Equilibrist. In labels, %xx stands for a byte of UTF-8 that Gambit does not allow there."
_PLAIN = " !#$&'()*+,/:;<=>?@[]^`{|}"  # beside letters, digits and _.-~; without % " and backslash


@dataclass(slots=True)
class _Infoset:
    """One infoset of the file; player 0 is chance, as there."""

    player: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]
    name: str = ""
    child_of: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Node:
    """One node: its infoset (``None`` at the end), all that has been paid on the way to it, and its children."""

    infoset: _Infoset | None
    paid: tuple[Fraction, ...]
    children: list[int] = field(default_factory=list)

    def complete(self) -> bool:
        return self.infoset is None or len(self.children) == len(self.infoset.actions)


class GambitGame(Display):
    """A game from an ``.efg`` file; make it with :func:`read_efg`.

    States are the numbers of the nodes in the order of the file. Actions and infosets are their labels where these
    are there and unique (within the infoset, within the player), else their numbers, as text.

    Attributes
    ----------
    title : str
        The title of the file.
    names : tuple of str
        The name of each player.
    players : int
        Number of players, chance not counted.
    """

    def __init__(self, title: str, names: Sequence[str], nodes: Sequence[_Node]) -> None:
        self.title = title
        self.names = tuple(names)
        self.players = len(names)
        self._nodes = nodes

    def __str__(self) -> str:
        return self.title

    def _infoset(self, state: int) -> _Infoset:
        infoset = self._nodes[state].infoset
        if infoset is None:
            raise GameError(f"Node {state} of '{self}' is an end of the game: nobody moves there.", wrong_use=True)
        return infoset

    def start(self) -> int:
        """Return the state in which the game begins."""
        return 0

    def player(self, state: int) -> int:
        """Return whose move it is."""
        infoset = self._nodes[state].infoset
        # The file's player 0 is chance, our CHANCE is -1.
        return TERMINAL if infoset is None else infoset.player - 1

    def actions(self, state: int) -> list[str]:
        """Return the legal actions, or the outcomes of chance."""
        return list(self._infoset(state).child_of)

    def probabilities(self, state: int) -> list[float]:
        """Return the probability of each outcome of chance."""
        return [float(probability) for probability in self._infoset(state).probabilities]

    def next(self, state: int, action: str) -> int:
        """Return the state after ``action``."""
        return self._nodes[state].children[self._infoset(state).child_of[action]]

    def payoffs(self, state: int) -> list[float]:
        """Return the payoff of every player at the end: the exact sum of the outcomes on the way, rounded once."""
        return [float(payoff) for payoff in self._nodes[state].paid]

    def infoset(self, state: int) -> str:
        """Return the label of the infoset, or its number."""
        return self._infoset(state).name


def read_efg(path: str | os.PathLike[str]) -> GambitGame:
    """Return the game in a Gambit ``.efg`` file.

    Parameters
    ----------
    path : path-like
        The file. Numbers may be integers, decimals or fractions; they are kept exactly until asked for.

    Raises
    ------
    GameError
        If the file cannot be read (wrong use), or is broken: the file, the line, what was expected and what is there.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "coin.efg"
    >>> _ = path.write_text('EFG 2 R "coin" { "Ann" } p "" 1 1 "" { "heads" "tails" } 0 t "" 1 "" { 1/2 } t "" 0')
    >>> game = read_efg(path)
    >>> game.actions(game.start())
    ['heads', 'tails']
    >>> game.payoffs(game.next(game.start(), "heads"))
    [0.5]
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError as error:
        raise GameError(f"There is no file '{path}'.", wrong_use=True) from error
    except OSError as error:
        raise GameError(f"The file '{path}' cannot be read: {error.strerror}.", wrong_use=True) from error
    return _Parser(path, text).game()


class _Parser:
    """Reads one file, token by token; strings keep their opening quote until they are asked for."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.source = text
        self.tokens: list[str] = [*_TOKEN.findall(text), ""]
        self.at = 0
        self.escaped = f'"{_ESCAPED}"' in text
        self.players = 0
        self.infosets: dict[tuple[int, int], _Infoset] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}

    def fail(self, expected: str, *, at: int | None = None, found: str | None = None) -> NoReturn:
        """Raise the error of token ``at``: where it is, what was expected, and what is there."""
        at = self.at if at is None else at
        token = next(islice(_TOKEN.finditer(self.source), at, None), None)
        line = self.source.count("\n", 0, token.start() if token else len(self.source.rstrip())) + 1
        if found is None:
            text = " ".join(self.tokens[at].split())[:60]
            found = {"": "the end of the file", '"': "a string without an end"}.get(text, text)
        raise GameError(f"{self.path}, line {line}: expected {expected}; found {found}.")

    # Tokens

    def skip(self, token: str, expected: str = "") -> None:
        if self.tokens[self.at] != token:
            self.fail(expected or repr(token))
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
        value = _fraction(self.tokens[self.at])
        if value is None:
            self.fail(f"{expected} (a number such as 2, -0.5 or 1/3)")
        self.at += 1
        return value

    def whole(self, expected: str, *, least: int = 0, most: float = math.inf) -> int:
        token = self.tokens[self.at]
        if not (token.isdecimal() and len(token) < 19 and least <= int(token) <= most):
            self.fail(f"{expected} (a whole number{'' if most == math.inf else f', {least} to {most}'})")
        self.at += 1
        return int(token)

    # Grammar

    def game(self) -> GambitGame:
        self.skip("EFG", "'EFG', with which a Gambit extensive-form file begins")
        self.skip("2", "version 2 of the format")
        if self.tokens[self.at] not in ("R", "D"):
            self.fail("'R' or 'D', the kind of numbers")
        self.at += 1
        title = self.string("the title")
        at = self.at
        names = self.names()
        if not names:
            self.fail("at least one player", at=at + 1)
        self.players = len(names)
        if self.is_string():
            self.string("the comment")
        nodes = self.nodes()
        if self.tokens[self.at]:
            self.fail("the end of the file, for every node has its children")
        self.name_infosets()
        return GambitGame(title or self.path.name, names, nodes)

    def names(self) -> list[str]:
        self.skip("{", "'{' and the names of the players")
        names = []
        while self.tokens[self.at] != "}":
            names.append(self.string("'}' or the name of a player"))
        self.at += 1
        return names

    def nodes(self) -> list[_Node]:
        """Read the tree: each node is the next child of the deepest node that still lacks one."""
        nodes: list[_Node] = []
        unfinished: list[_Node] = []
        while unfinished or not nodes:
            infoset, outcome = self.node()
            node = _Node(infoset, outcome)
            if unfinished:
                parent = unfinished[-1]
                parent.children.append(len(nodes))
                node.paid = tuple(map(add, parent.paid, outcome)) if any(outcome) else parent.paid
            nodes.append(node)
            unfinished.append(node)
            while unfinished and unfinished[-1].complete():
                unfinished.pop()
        return nodes

    def node(self) -> tuple[_Infoset | None, tuple[Fraction, ...]]:
        kind = self.tokens[self.at]
        if kind not in ("c", "p", "t"):
            self.fail("a node: 'c' (chance), 'p' (player) or 't' (the end)")
        self.at += 1
        self.string("the label of the node")
        if kind == "t":
            return None, self.outcome()
        player = self.whole("the player", least=1, most=self.players) if kind == "p" else 0
        return self.infoset(player), self.outcome()

    def infoset(self, player: int) -> _Infoset:
        at = self.at
        number = self.whole("the number of the infoset")
        known = self.infosets.get((player, number))
        label = self.string("the label of the infoset") if self.is_string() else None
        if known is not None and label not in (None, known.label):
            self.fail(f"the label {known.label!r}, which infoset {number} has already", at=at, found=repr(label))
        if self.tokens[self.at] == "{":
            infoset = _Infoset(player, label or "", *self.actions(chance=player == 0))
            known = self.infosets.setdefault((player, number), infoset)
            if (infoset.actions, infoset.probabilities) != (known.actions, known.probabilities):
                self.fail(f"the same actions as where infoset {number} was first mentioned", at=at, found="others")
        if known is None:
            self.fail(f"'{{' and the actions of infoset {number}, which is new here")
        return known

    def actions(self, *, chance: bool) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        at = self.at
        self.skip("{")
        labels: list[str] = []
        probabilities: list[Fraction] = []
        while self.tokens[self.at] != "}":
            labels.append(self.string("'}' or the label of an action"))
            if chance:
                probabilities.append(self.number("the probability of this outcome"))
        self.at += 1
        if not labels:
            self.fail("at least one action", at=at + 1)
        if chance and min(probabilities) < 0:
            self.fail("probabilities of 0 or more", at=at, found=str(min(probabilities)))
        total = sum(probabilities, Fraction())
        if chance and not 1 - _SLACK <= total <= 1 + _SLACK:
            self.fail("probabilities that sum to 1", at=at, found=f"the sum {total}")
        return tuple(labels), tuple(probabilities)

    def outcome(self) -> tuple[Fraction, ...]:
        at = self.at
        number = self.whole("the number of the outcome, or 0 for none")
        if number == 0:
            return (Fraction(0),) * self.players
        if self.is_string():
            self.string("the label of the outcome")
        known = self.outcomes.get(number)
        if self.tokens[self.at] == "{":
            self.at += 1
            payoffs = tuple(self.number("the payoff of every player") for _ in range(self.players))
            self.skip("}", f"'}}' after {self.players} payoffs, one for each player")
            known = self.outcomes.setdefault(number, payoffs)
            if payoffs != known:
                self.fail(f"the same payoffs as where outcome {number} was first mentioned", at=at, found="others")
        if known is None:
            self.fail(f"'{{' and the payoffs of outcome {number}, which is new here")
        return known

    def name_infosets(self) -> None:
        for player in range(self.players + 1):
            own = {number: infoset for (owner, number), infoset in self.infosets.items() if owner == player}
            names = _distinct({number: infoset.label for number, infoset in own.items()})
            for number, infoset in own.items():
                infoset.name = names[number]
                actions = _distinct(dict(enumerate(infoset.actions, start=1)))
                infoset.child_of = {action: number - 1 for number, action in actions.items()}


@lru_cache(maxsize=4096)
def _fraction(token: str) -> Fraction | None:
    """Return the exact value of a number in a file, or None where it is none (or has no float)."""
    try:
        value = Fraction(token) if _NUMBER.fullmatch(token) else None
        return None if value is None or math.isinf(float(value)) else value
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _distinct(labels: Mapping[int, str]) -> dict[int, str]:
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


def write_efg(game: Game | PublicGame, path: str | os.PathLike[str]) -> None:
    """Write ``game`` as a Gambit ``.efg`` file, which Gambit and :func:`read_efg` read back to the same game.

    Parameters
    ----------
    game : Game or PublicGame
        Any game; every one of its histories becomes a line.
    path : path-like
        Where to write. The file appears there complete or not at all.

    Raises
    ------
    GameError
        If the file cannot be written (wrong use), or the game cannot: two infosets of a player, or two actions of an
        infoset, with the same name; payoffs that are not finite; probabilities that do not sum to 1.

    Notes
    -----
    Payoffs are written as the shortest decimals that read back to the same float. Gambit wants probabilities that sum
    to exactly 1: they are written as the simple fractions they stand for (1/3), where there are such, else as their
    decimal value, the largest one taking up the difference, of the order of 1e-16.

    Labels that Gambit does not allow (anything but printable ASCII and single spaces) are written with ``%xx`` as in
    a URL, and the file's comment says so. An empty label stays empty, and is read back as a number.

    Examples
    --------
    >>> import tempfile
    >>> import equilibrist as eq
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.efg"
    >>> write_efg(eq.load("kuhn"), path)
    >>> eq.load(str(path)).players
    2
    """
    path, rules = Path(path), to_extensive_form(game)
    try:
        with whole_file(path) as file:
            file.writelines(line.encode("ascii") for line in _lines(rules))
    except OSError as error:
        raise GameError(f"The file '{path}' cannot be written: {error.strerror}.", wrong_use=True) from error


def _lines(game: Game) -> Iterator[str]:
    """Yield the lines of the file: the header, then every history before those that follow it."""
    names = game.names if isinstance(game, GambitGame) else [f"Player {i + 1}" for i in range(game.players)]
    yield f"EFG 2 R {_quoted(game_name(game))} {{ {' '.join(map(_quoted, names))} }}\n"
    yield f'"{_ESCAPED}"\n\n'
    chance_nodes = 0
    decisions = _Decisions(game)
    outcomes: dict[tuple[float, ...], int] = {}
    waiting: list[Any] = [game.start()]
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == TERMINAL:
            payoffs = tuple(float(payoff) for payoff in game.payoffs(state))
            if not all(map(math.isfinite, payoffs)):
                raise GameError(f"'{game_name(game)}' cannot be written as .efg: it has the payoffs {payoffs}.")
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            yield f't "" {number} "Outcome {number}" {{ {", ".join(map(_decimal, payoffs))} }}\n'
            continue
        actions = game.actions(state)
        if player == CHANCE:
            chance_nodes += 1
            labels = _labels(game, state, actions)
            probabilities = _exact(tuple(float(probability) for probability in game.probabilities(state)))
            pairs = " ".join(f"{label} {probability}" for label, probability in zip(labels, probabilities, strict=True))
            yield f'c "" {chance_nodes} "" {{ {pairs} }} 0\n'
        else:
            yield f'p "" {player + 1} {decisions.text(state, player, actions)} 0\n'
        waiting.extend(game.next(state, action) for action in reversed(actions))


class _Decisions:
    """The infosets met so far, each with its number and its text in the file."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[tuple[int, Hashable], tuple[list[Hashable], str]] = {}
        self.labels: set[tuple[int, str]] = set()

    def text(self, state: Any, player: int, actions: Sequence[Hashable]) -> str:
        """Return the number, label and actions of the infoset of ``state``."""
        key = self.game.infoset(state)
        if (player, key) not in self.known:
            label = str(key)
            if (player, label) in self.labels:
                self.refuse(f"two infosets of player {player} are both written {label!r}")
            self.labels.add((player, label))
            text = f"{len(self.labels)} {_quoted(label)} {{ {' '.join(_labels(self.game, state, actions))} }}"
            self.known[player, key] = list(actions), text
        known, text = self.known[player, key]
        if known != list(actions):
            self.refuse(f"the infoset {key!r} of player {player} has the actions {known} and also {list(actions)}")
        return text

    def refuse(self, reason: str) -> NoReturn:
        raise GameError(f"'{game_name(self.game)}' cannot be written as .efg: {reason}.")


def _labels(game: Game, state: Any, actions: Sequence[Hashable]) -> list[str]:
    """Return the names of the actions at ``state``, quoted; they must differ, for Gambit renames those that do not."""
    labels = [action_label(game, state, action) for action in actions]
    if len(set(labels)) < len(labels):
        raise GameError(
            f"'{game_name(game)}' cannot be written as .efg: two actions of one infoset share a name: {labels}."
        )
    return [_quoted(label) for label in labels]


def _quoted(label: str) -> str:
    """Return a label as it stands in the file."""
    escaped = re.sub(r"^ | $|(?<= ) ", "%20", quote(label, safe=_PLAIN))
    return f'"{escaped}"'


def _decimal(value: float) -> str:
    """Return the shortest text that reads back to the same float, without ``.0``."""
    return repr(value).removesuffix(".0")


@lru_cache(maxsize=4096)
def _exact(probabilities: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Return fractions that sum to exactly 1 for floats that do so nearly: simple ones where there are such."""
    rest = Fraction(1)
    if all(0 <= probability < 2 for probability in probabilities):  # and not nan
        exact = [Fraction(repr(probability)) for probability in probabilities]
        rest -= sum(exact)
    if not -_SLACK <= rest <= _SLACK:
        raise GameError(f"Probabilities of chance must be 0 or more and sum to 1; got {list(probabilities)}.")
    simple = [fraction.limit_denominator(10**6) for fraction in exact]
    if sum(simple) == 1 and all(abs(float(s) - p) <= 1e-15 for s, p in zip(simple, probabilities, strict=True)):
        return tuple(simple)
    largest = exact.index(max(exact))
    exact[largest] += rest
    return tuple(exact)
