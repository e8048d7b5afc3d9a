"""Equilibria in fractions as files that anybody can check: the value, both plans, and the game by name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from .._util.display import Display
from .._util.files import read_bytes, unreadable_file, write_atomically
from .._util.plain import refuse_constant
from .._util.text import short_repr
from ..errors import SolutionError
from ..strategy.by_name import ByAction, ByInfoset
from ..strategy.strategy import Strategy
from .rational import (
    RationalEvaluation,
    RationalGame,
    RationalStrategy,
    evaluate_in_fractions,
    fraction_text,
    list_rows,
    short_fraction,
    strategy_in_floats,
)
from .rational_program import check_rational

FORMAT = "equilibrist proof 1"
_LARGEST_FILE = 1 << 26  # bytes
_FRACTION = re.compile("(-?[0-9]{1,400000})(?:/([0-9]{1,400000}))?")
"""A million bits, which are as many as a solution may have. Nothing but digits, of which texts such as ``1e999999999``
are no short form."""
_HOW = (
    "For each player, compute the best response to the other's plan in fractions: each is worth the value of "
    "its player, so that nobody gains. examples/check_proof.py does that with nothing but Python."
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RationalSolution(Display):
    """An equilibrium of a two-player zero-sum game in fractions, which proves itself.

    Attributes
    ----------
    game : str
        The game, as :func:`equilibrist.load` takes it where it was given as text, else its name.
    strategy : mapping
        The probability of each action at each (player, infoset), as fractions.
    evaluation : RationalEvaluation
        What the strategy is worth, and the best responses to it, computed anew from the rules.
    seconds : dict
        Seconds spent on ``walk``, ``solve`` and ``certify``.
    """

    game: str
    strategy: RationalStrategy
    evaluation: RationalEvaluation
    seconds: dict[str, float]

    def __repr__(self) -> str:
        return (
            f"<RationalSolution of {self.game}: value {short_fraction(self.value[0])} to player 0>"
        )

    @property
    def value(self) -> tuple[Fraction, ...]:
        """The value of the game to each player; payoff per game."""
        return self.evaluation.value

    def to_strategy(self) -> Strategy:
        """Return the strategy in floating point, which is played and written like any other."""
        return strategy_in_floats(self.strategy)

    def proof(self) -> dict[str, Any]:
        """Return the proof as plain data for JSON."""
        return {
            "format": FORMAT,
            "game": self.game,
            "value": list(map(fraction_text, self.value)),
            "how to check": _HOW,
            "strategy": list_rows(self.strategy),
        }

    def write_proof(self, path: str | Path) -> None:
        """Write the proof as JSON, a line for each infoset, whole or not at all.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        proof = self.proof()
        rows = [json.dumps(row, separators=(",", ":")) for row in proof.pop("strategy")]
        head = json.dumps(proof, indent=1).removesuffix("\n}")
        text = head + ',\n "strategy": [\n  ' + ",\n  ".join(rows) + "\n ]\n}\n"
        write_atomically(path, text.encode())

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; fractions are texts."""
        return self.proof() | {"seconds": dict(self.seconds)} | self.evaluation.summary()


def read_proof(path: str | Path) -> dict[str, Any]:
    """Return the fields of a proof file.

    Raises
    ------
    SolutionError
        It cannot be read, or is no proof.
    """
    try:
        proof = json.loads(
            read_bytes(Path(path), most=_LARGEST_FILE),
            parse_constant=refuse_constant,
            object_pairs_hook=_refuse_repeated,
        )
    except OSError as error:
        raise unreadable_file(path, error) from error
    except ValueError as error:
        raise SolutionError(f"{path} cannot be read as a proof: {error}.") from error
    except RecursionError as error:
        raise SolutionError(
            f"{path} cannot be read as a proof: it is nested too deeply."
        ) from error
    if not isinstance(proof, dict) or proof.get("format") != FORMAT:
        raise SolutionError(f"{path} is no proof: its format is not {FORMAT!r}.")
    if not isinstance(proof.get("game"), str):
        raise SolutionError(f"{path} names no game.")
    return proof


def _refuse_repeated(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON, or refuse it where a name comes twice, of which readers take either."""
    counts = Counter(name for name, _ in pairs)
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise ValueError(f"the name {repeated[0]!r} comes twice in an object")
    return dict(pairs)


def check_proof(proof: dict[str, Any], game: RationalGame, path: str | Path) -> RationalEvaluation:
    """Return the evaluation of the plans of a proof in its game, which prove the value that it tells.

    Raises
    ------
    AlgorithmError
        The game is not of two players and zero-sum, so that its equilibria prove no value.
    SolutionError
        They do not: the message says what is not so.
    """
    check_rational(game)
    strategy = _read_strategy(proof, game, path)
    evaluation = evaluate_in_fractions(game, strategy)
    try:
        stated = tuple(map(_read_fraction, proof["value"]))
    except (KeyError, TypeError, ValueError) as error:
        raise SolutionError(f"{path} proves nothing: it tells no value in fractions.") from error
    for player, best in enumerate(evaluation.best_response_value):
        if best != evaluation.value[player]:
            gain = short_fraction(best - evaluation.value[player])
            raise SolutionError(
                f"{path} proves nothing: player {player} gains {gain} by a best response to the other's plan."
            )
    if stated != evaluation.value:
        stated_text = " and ".join(map(short_fraction, stated)) or "none"
        raise SolutionError(
            f"{path} proves another value than it tells: {short_fraction(evaluation.value[0])} to player 0 and minus "
            f"that to player 1, and it tells {stated_text}."
        )
    return evaluation


def _read_fraction(text: object) -> Fraction:
    """Return a fraction that is written as whole numbers: ``"-1/18"``."""
    match = None
    if isinstance(text, str):
        match = _FRACTION.fullmatch(text)
    if match is None:
        raise ValueError(f"{short_repr(text)} is not written as -1/18 is")
    numerator, denominator = match.groups(default="1")
    if not denominator.strip("0"):
        raise ValueError(f"{short_repr(text)} divides by 0")
    return Fraction(int(Decimal(numerator)), int(Decimal(denominator)))


def _read_strategy(proof: dict[str, Any], game: RationalGame, path: str | Path) -> RationalStrategy:
    """Return the plans of a proof, or refuse what is no strategy of the game."""
    table = ByInfoset[dict[str, Fraction]]()
    try:
        for row in proof["strategy"]:
            key = (row["player"], row["infoset"])
            if key in table:
                raise ValueError(f"player {key[0]} at {short_repr(key[1])} comes twice")
            pairs = row["probabilities"].items()
            table[key] = ByAction((name, _read_fraction(text)) for name, text in pairs)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SolutionError(
            f"{path} proves nothing: its plans are not as they should be ({error})."
        ) from error
    infosets = {(infoset.player, infoset.key) for infoset in game.infosets}
    for player, infoset_key in table.keys() - infosets:
        raise SolutionError(
            f"{path} proves nothing: it says what player {player} does at {short_repr(infoset_key)}, "
            f"which {game.name} does not have."
        )
    for infoset in game.infosets:
        row = table.get((infoset.player, infoset.key))
        place = f"player {infoset.player} at {infoset.key!r}"
        if row is None or set(row) != set(infoset.actions):
            raise SolutionError(f"{path} proves nothing: it does not say what {place} does.")
        if min(row.values()) < 0 or sum(row.values()) != 1:
            raise SolutionError(
                f"{path} proves nothing: the probabilities of {place} are below 0, or sum to "
                f"{short_fraction(sum(row.values(), Fraction(0)))}."
            )
    return table
