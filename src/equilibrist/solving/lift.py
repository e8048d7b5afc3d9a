"""The strategy of the real game that a run in an abstraction of it has found."""

from __future__ import annotations

from ..errors import SolutionError
from ..strategy.strategy import Strategy
from .solution import Solution


def lift(run: Solution) -> Strategy:
    """Return the strategy of the real game that a run in an abstraction has found: each infoset plays as its bucket.

    It is that of :attr:`Solution.strategy`, by name: strategies of runs are those of the real game
    always.

    Parameters
    ----------
    run : Solution
        A run of :func:`equilibrist.solve` on a game of :func:`equilibrist.abstract`.

    Raises
    ------
    SolutionError
        The run had no abstraction.

    Examples
    --------
    >>> import equilibrist as eq
    >>> table = {"J": "low", "Q": "low"}
    >>> run = eq.solve(eq.abstract("kuhn", table), iterations=500)
    >>> strategy = eq.lift(run)
    >>> strategy["J"] == strategy["Q"]
    True
    >>> eq.evaluate("kuhn", strategy).exploitability == run.exploitability
    True
    """
    if run.config is None or run.config.abstraction is None:
        raise SolutionError(
            f"This run solved {run.game} itself, not an abstraction of it: its strategy is "
            "run.strategy.",
            wrong_use=True,
        )
    return run.strategy
