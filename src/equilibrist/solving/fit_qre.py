"""Fit the precision of a quantal response equilibrium to observed play, by maximum likelihood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .._util.arrays import Floats
from .._util.validate import is_number
from ..cfr.concepts import QRE
from ..errors import SolutionError
from ..form.compiled_game import CompiledGame
from ..games.compile import Playable
from ..strategy.by_name import Key, find_key
from .plan import compile_warm
from .solution import Solution
from .solve import solve

_GAP = 1e-9
_ITERATIONS = 200_000
# of precisions × the largest payoff, between which the best is looked for
_LEAST = 1e-3
_LARGEST = 1e3
_GRID = 25


class QREFit(NamedTuple):
    """The quantal response equilibrium on the principal branch that explains observed play best.

    Attributes
    ----------
    precision, temperature : float
        λ and τ = 1 ÷ λ; per unit of payoff, and payoff per game.
    log_likelihood : float
        Σ counts · log σ at that equilibrium.
    at_bound : bool
        Whether the best is the smallest or the largest precision that is tried, 0.001 and 1,000 ÷
        the largest payoff: play that is next to random, or that goes on being explained the better
        the fewer errors it is given.
    solution : Solution
        The equilibrium.
    """

    precision: float
    temperature: float
    log_likelihood: float
    at_bound: bool
    solution: Solution


def fit_qre(game: Playable, counts: Mapping[Key | str, Mapping[str, float]]) -> QREFit:
    """Return the agent logit quantal response equilibrium that makes observed play most likely.

    The precision is looked for on a grid along the principal branch, and refined around the best of
    it.

    Parameters
    ----------
    game : str, Game or compiled game
        The game, as :func:`solve` takes it.
    counts : mapping
        How often each action was taken, by infoset: ``{"J": {"pass": 71, "bet": 29}, …}``. What is
        left out was never seen.

    Raises
    ------
    SolutionError
        An infoset or an action is not the game's, a count is no number of 0 or more, or nothing was
        counted.

    References
    ----------
    McKelvey & Palfrey 1998, "Quantal response equilibria for extensive form games".

    Examples
    --------
    >>> import equilibrist as eq
    >>> fit = eq.fit_qre("kuhn", {"J": {"pass": 70, "bet": 30}, "Jb": {"fold": 90, "call": 10}})
    >>> round(fit.precision, 3)
    2.091
    """
    from scipy.optimize import minimize_scalar

    form, _ = compile_warm(game, concept=QRE(1.0))
    observed = _count_actions(form, counts)
    seen = observed > 0

    unit = form.largest_payoff or 1.0

    def fit(log_precision: float) -> tuple[float, Solution]:
        temperature = unit * float(np.exp(-log_precision))
        solution = solve(form, concept=QRE(temperature), until=_GAP, iterations=_ITERATIONS)
        return float(observed[seen] @ np.log(solution.strategy.probabilities[seen])), solution

    grid = np.linspace(np.log(_LEAST), np.log(_LARGEST), _GRID)
    best = int(np.argmax([fit(point)[0] for point in grid]))
    low = grid[max(best - 1, 0)]
    high = grid[min(best + 1, _GRID - 1)]
    refined = minimize_scalar(
        lambda point: -fit(point)[0],
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-7},
    )
    log_likelihood, solution = fit(refined.x)
    precision = float(np.exp(refined.x)) / unit
    return QREFit(precision, 1 / precision, log_likelihood, best in (0, _GRID - 1), solution)


def _find_infoset(key: Key | str, index: Mapping[Key, int]) -> int:
    try:
        return index[find_key(key, index)]
    except KeyError as error:
        raise SolutionError(str(error), wrong_use=True) from None


def _count_actions(form: CompiledGame, counts: Mapping[Key | str, Mapping[str, float]]) -> Floats:
    """Return counts in the order of the probabilities of a strategy."""
    index = {(infoset.player, infoset.key): i for i, infoset in enumerate(form.infosets)}
    action_counts = np.zeros(len(form.slot))
    first = form.first_action
    for key, by_action in counts.items():
        number = _find_infoset(key, index)
        actions = list(form.infosets[number].actions)
        for action, count in by_action.items():
            if action not in actions:
                raise SolutionError(
                    f"At {key!r} the actions of {form.name} are {', '.join(actions)}; got "
                    f"{action!r}.",
                    wrong_use=True,
                )
            if not is_number(count) or count < 0:
                raise SolutionError(
                    f"A count is a number of 0 or more; got {count!r} for {key!r}.", wrong_use=True
                )
            action_counts[first[number] + actions.index(action)] = count
    if not action_counts.any():
        raise SolutionError(
            "Nothing was counted: give how often each action was taken.", wrong_use=True
        )
    return action_counts
