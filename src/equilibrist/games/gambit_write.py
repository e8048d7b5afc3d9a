"""Gambit's extensive-form files, written without Gambit; :mod:`equilibrist.games.gambit_read` describes the format."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .._util.files import whole_file
from ..errors import GameError
from ..form.sequence.build import check_and_unfold
from ..game.card_game import CardGame
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.public import PublicGame
from .gambit_game import ESCAPED, PROBABILITY_SLACK, GambitGame
from .load import load
from .matrix import Payoffs

_PLAIN = " !#$&'()*+,/:;<=>?@[]^`{|}"  # beside letters, digits and _.-~; without % " and backslash
_MAX_DENOMINATOR = 10**6  # of a probability that is written as a fraction: OpenSpiel reads 32 bits
_EXACT = Context(prec=2000)  # digits: more than the sum of any floats from 0 to 1 has


def write_efg(
    game: str | os.PathLike[str] | Game | PublicGame | CardGame | Payoffs,
    path: str | os.PathLike[str],
) -> None:
    """Write ``game`` as a Gambit ``.efg`` file, which Gambit and :func:`load` read back to the same game.

    Parameters
    ----------
    game : game, str, path-like or arrays
        Any game, as :func:`load` takes it; every one of its histories becomes a line.
    path : path-like
        Where to write. The file appears there complete or not at all.

    Raises
    ------
    GameError
        If the file cannot be written (wrong use), or the game cannot: two infosets of a player, or
        two actions of an infoset, with the same name; payoffs that are not finite; probabilities
        that do not sum to 1.

    Notes
    -----
    Payoffs are written as the shortest decimals that read back to the same float. Gambit wants
    probabilities that sum to exactly 1: they are written as the simple fractions they stand for
    (1/3), where there are such, else as decimals, the largest one taking up the difference, of the
    order of 1e-16. Infosets are numbered for each player. OpenSpiel, which wants that and no longer
    fractions, reads the file as well (``pyspiel.load_efg_game``).

    Labels that Gambit does not allow (anything but printable ASCII and single spaces) are written
    with ``%xx`` as in a URL, and the file's comment says so. An empty label stays empty, and is
    read back as a number.

    Examples
    --------
    >>> import tempfile
    >>> import equilibrist as eq
    >>> path = Path(tempfile.mkdtemp()) / "kuhn.efg"
    >>> write_efg(eq.load("kuhn"), path)
    >>> eq.load(str(path)).players
    2
    """
    path = Path(path)
    rules = check_and_unfold(load(game))
    try:
        with whole_file(path) as file:
            file.writelines(line.encode("ascii") for line in _write_lines(rules))
    except OSError as error:
        raise GameError(
            f"The file '{path}' cannot be written: {error.strerror}.", wrong_use=True
        ) from error


def _write_lines(game: Game) -> Iterator[str]:
    """Yield the lines of the file: the header, then every history before those that follow it."""
    names = (
        game.names
        if isinstance(game, GambitGame)
        else [f"Player {i + 1}" for i in range(game.players)]
    )
    yield f"EFG 2 R {_quote_label(game_name(game))} {{ {' '.join(map(_quote_label, names))} }}\n"
    yield f'"{ESCAPED}"\n\n'
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
                raise _write_error(game, f"it has the payoffs {payoffs}")
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            # The shortest that read back.
            texts = ", ".join(repr(payoff).removesuffix(".0") for payoff in payoffs)
            yield f't "" {number} "Outcome {number}" {{ {texts} }}\n'
            continue
        actions = game.actions(state)
        if player == CHANCE:
            chance_nodes += 1
            labels = _quote_labels(game, state, actions)
            probabilities = _exact_fractions(
                tuple(float(probability) for probability in game.probabilities(state))
            )
            pairs = " ".join(
                f"{label} {probability}"
                for label, probability in zip(labels, probabilities, strict=True)
            )
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
        self.numbered: Counter[int] = Counter()  # how many infosets of each player

    def text(self, state: Any, player: int, actions: Sequence[Hashable]) -> str:
        key = self.game.infoset(state)
        if (player, key) not in self.known:
            label = str(key)
            if (player, label) in self.labels:
                raise _write_error(
                    self.game, f"two infosets of player {player} are both written {label!r}"
                )
            self.labels.add((player, label))
            self.numbered[player] += 1
            text = (
                f"{self.numbered[player]} {_quote_label(label)} "
                f"{{ {' '.join(_quote_labels(self.game, state, actions))} }}"
            )
            self.known[player, key] = list(actions), text
        known_actions, text = self.known[player, key]
        if known_actions != list(actions):
            also = f"the actions {known_actions} and also {list(actions)}"
            raise _write_error(self.game, f"the infoset {key!r} of player {player} has {also}")
        return text


def _write_error(game: Game, reason: str) -> GameError:
    return GameError(f"'{game_name(game)}' cannot be written as .efg: {reason}.")


def _quote_labels(game: Game, state: Any, actions: Sequence[Hashable]) -> list[str]:
    """Return the names of the actions at ``state``, quoted; they must differ, for Gambit renames those that do not."""
    labels = [action_label(game, state, action) for action in actions]
    if len(set(labels)) < len(labels):
        raise _write_error(game, f"two actions of one infoset share a name: {labels}")
    return [_quote_label(label) for label in labels]


def _quote_label(label: str) -> str:
    """Return a label as it stands in the file."""
    escaped = re.sub(r"^ | $|(?<= ) ", "%20", quote(label, safe=_PLAIN))
    return f'"{escaped}"'


@lru_cache(maxsize=4096)
def _exact_fractions(probabilities: tuple[float, ...]) -> tuple[str, ...]:
    """Return numbers that sum to exactly 1 for floats that do so nearly: simple fractions, or else decimals."""
    exact: list[Decimal] = []
    if all(0 <= probability < 2 for probability in probabilities):  # and not nan
        exact = [Decimal(repr(probability)) for probability in probabilities]
    remainder = _EXACT.subtract(Decimal(1), reduce(_EXACT.add, exact, Decimal(0)))
    if not exact or abs(Fraction(remainder)) > PROBABILITY_SLACK:
        raise GameError(
            f"Probabilities of chance must be 0 or more and sum to 1; got {list(probabilities)}."
        )
    simple = [Fraction(number).limit_denominator(_MAX_DENOMINATOR) for number in exact]
    if sum(simple) == 1 and all(
        abs(float(s) - p) <= 1e-15 for s, p in zip(simple, probabilities, strict=True)
    ):
        return tuple(map(str, simple))
    largest = exact.index(max(exact))
    exact[largest] = _EXACT.add(exact[largest], remainder)
    return tuple(map(str, exact))
