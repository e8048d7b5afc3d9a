"""What an enumeration of all extreme equilibria returns: records in fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .._util.display import Display
from ..evaluation.rational import (
    RationalStrategy,
    fraction_text,
    list_rows,
    short_fraction,
    strategy_in_floats,
)
from ..strategy.strategy import Strategy

MixedStrategy = Mapping[str, Fraction]
"""The probability of each reduced pure plan of a player, by its name; in a matrix, an action."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ExtremeEquilibrium(Display):
    """An extreme equilibrium: one that is no mixture of others of its maximal Nash subset.

    Attributes
    ----------
    strategies : pair of mapping
        The mixed strategy of each player: the probability of each plan, by its name, as fractions.
    behaviour : mapping
        The same play as probabilities of each action at each (player, infoset), as fractions.
    payoffs : pair of Fraction
        What each player receives on average; payoff per game.
    """

    strategies: tuple[MixedStrategy, MixedStrategy]
    behaviour: RationalStrategy
    payoffs: tuple[Fraction, Fraction]

    def __repr__(self) -> str:
        first, second = map(describe_mixture, self.strategies)
        return f"<ExtremeEquilibrium: {first} against {second}>"

    @property
    def supports(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The plans of each player that have a probability above 0."""
        first, second = (
            tuple(name for name, probability in strategy.items() if probability)
            for strategy in self.strategies
        )
        return first, second

    def to_strategy(self) -> Strategy:
        """Return the strategy in floating point, evaluated, played and written like any other."""
        return strategy_in_floats(self.behaviour)

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; fractions are texts."""
        return {
            "strategies": [
                {name: fraction_text(p) for name, p in strategy.items()}
                for strategy in self.strategies
            ],
            "payoffs": list(map(fraction_text, self.payoffs)),
            "behaviour": list_rows(self.behaviour),
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Equilibria(Display):
    """All equilibria of a two-player game, by their extreme points.

    Attributes
    ----------
    game : str
        The game, as :func:`equilibrist.load` takes it where it was given as text, else its name.
    plans : pair of int
        How many reduced pure plans each player has; of a matrix game these are actions.
    vertices : pair of int
        How many vertices the best-response polytope of each player has.
    is_degenerate : bool
        Whether some mixed strategy of k plans has more than k best responses. If not, the number of
        equilibria is odd.
    equilibria : tuple of ExtremeEquilibrium
        All extreme equilibria, those of the fewest plans first.
    subsets : tuple of tuple of int
        The maximal Nash subsets, as numbers of extreme equilibria: within each, any mixture of the
        strategies of player 0 and any mixture of those of player 1 are an equilibrium, and all
        equilibria are such pairs.
    components : tuple of tuple of int
        The connected components of the set of all equilibria, as numbers of extreme equilibria.
    seconds : dict
        Seconds spent on ``walk``, ``solve`` and ``certify``.
    """

    game: str
    plans: tuple[int, int]
    vertices: tuple[int, int]
    is_degenerate: bool
    equilibria: tuple[ExtremeEquilibrium, ...]
    subsets: tuple[tuple[int, ...], ...]
    components: tuple[tuple[int, ...], ...]
    seconds: dict[str, float]

    def __repr__(self) -> str:
        return (
            f"<Equilibria of {self.game}: {len(self.equilibria):,} extreme ones, in "
            f"{len(self.components):,} components>"
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; fractions are texts."""
        return {
            "game": self.game,
            "plans": list(self.plans),
            "vertices": list(self.vertices),
            "degenerate": self.is_degenerate,
            "equilibria": [equilibrium.summary() for equilibrium in self.equilibria],
            "subsets": list(map(list, self.subsets)),
            "components": list(map(list, self.components)),
            "seconds": dict(self.seconds),
        }


def describe_mixture(strategy: MixedStrategy) -> str:
    """Return a mixed strategy as text: ``"1/3 up + 2/3 down"``, or ``"up"`` where it is one plan."""
    parts = [(name, p) for name, p in strategy.items() if p]
    if len(parts) == 1:
        return parts[0][0]
    return " + ".join(f"{short_fraction(p)} {name}" for name, p in parts)
