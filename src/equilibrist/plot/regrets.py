"""The picture of regret: its sums over time at recorded infosets, and what is left of it at all of them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import SolutionError
from ..solving.recording import Recorded
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run
from .inputs import compile_with_reach
from .movement import moving, named, shown_actions, thinned
from .style import DASHES, MARKERS, Theme, blank, brief, shown, themed, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 6  # infosets over time
_SHORT = 50  # an axis from one to this has at most two powers of ten


def remaining(solution: Solution, game: Any = None) -> Floats | None:
    """Return, for each infoset of a run, its largest regret sum (0 where none is positive) / iterations, or None.

    None where it cannot be read from the state of the run: for the linear programme, or where the game that a
    full-width run solved is not given.
    """
    state, count = solution.state, solution.strategy.infosets.num_actions.astype(np.int64)
    if "regret_sum" not in state or not solution.iterations or not len(count):
        return None
    total, first = np.asarray(state["regret_sum"], np.float64), offsets(count)
    if solution.sampling == "full":
        slot = _slots(solution, game)
    elif "slot" in state:  # without a tree, in the order in which they were met
        slot = np.repeat(state["slot"].astype(np.int64) - first[:-1], count) + np.arange(first[-1])
    else:
        slot = np.arange(solution.players, len(total))  # a sampled run keeps them in the order of the infosets
    if slot is None or len(slot) != first[-1]:
        return None
    largest = np.maximum(np.maximum.reduceat(total[slot], first[:-1]), 0.0)
    if solution.sampling != "full":
        kept = _kept(solution, state["updated"][slot[first[:-1]]].astype(np.int64))
        if kept is None:
            return None
        largest *= kept
    left: Floats = largest / solution.iterations
    return left


def _kept(solution: Solution, updated: NDArray[np.int64]) -> Floats | None:
    """Return which part of a positive regret sum is left in the end, where a sampled run updated it last back then.

    Such a run lets the sums of an infoset decay when it comes there again, and all of them now and then. None where
    the run has no settings.
    """
    if solution.config is None:
        return None
    algorithm = solution.config.algorithm
    since = int(min(updated[updated > 0], default=solution.iterations))
    factors = algorithm.steps(since + 1, solution.iterations - since).discount_positive
    products: Floats = np.append(np.cumprod(factors[::-1])[::-1], 1.0)  # of all factors after an iteration
    kept: Floats = products[np.maximum(updated, since) - since]  # what was never updated is 0
    return kept


def _slots(solution: Solution, game: Any) -> Any:
    """Return the slot of each action of the game that a run solved, or None where that is not given."""
    if game is None:
        return None
    form = compile_with_reach(game, public=solution.info.game.form == "public")
    return form.slot if form.fingerprint == solution.info.game.fingerprint else None


def no_regrets(run: Solution) -> str:
    """Return why a run has no regrets to draw."""
    if "regret_sum" in run.state:
        return "to draw the regret sums of this run its game is needed: give game=, or record infosets."
    return f"this run by {run.algorithm!r} remembers no regrets, and recorded none."


def regret(
    solution: AnyRun, infosets: Sequence[Any] | None = None, *, game: Any = None, theme: str = "light"
) -> Figure:
    """Return the picture of regret: the sums over time at recorded infosets, and what is left at every infoset.

    Parameters
    ----------
    solution : Solution or path
        The run; a path is its folder. Over time only what was recorded can be drawn.
    infosets : sequence, optional
        Which to draw over time, each as its key or as (player, key); by default those that have moved most.
    game : optional
        The game, as for :func:`equilibrist.load`: the regret sums in the state of a full-width run are in its order.
        Without one, only what was recorded is drawn.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded, and no game is given or no regret remembered, as by :func:`equilibrist.exact`; or an
        infoset or a theme is not there.

    Notes
    -----
    Sums are those that the algorithm keeps, after its floor and its discount: their weights differ from algorithm to
    algorithm; payoff × probability. On the right, the largest sum of each infoset / iterations: its average regret,
    where nothing is discounted.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=500, record=["J", "Qpb"])
    >>> len(eq.plot.regret(solution, game="kuhn").axes)
    2
    """
    run = read_run(solution)
    over_time = [] if run.recording is None else moving(run.recording, infosets, _MOST)
    if infosets is not None and run.recording is None:
        raise SolutionError("Nothing was recorded of this run: solve(..., record=[...]), or --record.", wrong_use=True)
    left = remaining(run, game)
    panels = (len(over_time) > 0) + (left is not None)
    if not panels:
        raise SolutionError(f"{run.game}: {no_regrets(run)}")
    with themed(theme) as look:
        figure = blank(10.5 if panels == 2 else 6.2, 4.3)
        axes = list(figure.subplots(1, panels, squeeze=False)[0])
        if over_time and run.recording is not None:
            _sums(axes.pop(0), [(named(one, run.recording), one) for one in over_time], look)
        if left is not None:
            _distribution(axes.pop(0), left, look)
        note = "above 0: an action that would have earned more than what was played" if over_time else ""
        titled(figure, f"{brief(run.game, 60)}: regret, by {run.algorithm}", note, theme=look)
    return figure


def _sums(axes: Axes, infosets: Sequence[tuple[str, Recorded]], look: Theme) -> None:
    ends, lowest = [0.0], 0.0
    for number, (name, recorded) in enumerate(infosets):
        for order, action in enumerate(shown_actions(recorded) if len(recorded.actions) > 2 else (0, 1)):
            if action >= len(recorded.actions):
                continue
            some = thinned(len(recorded.iteration))
            sums = recorded.regret_sum[some, action]
            label = shown(f"{brief(name, 22)} {brief(recorded.actions[action], 12)}")
            style: Any = {"color": look.colour(number), "linestyle": DASHES[order % len(DASHES)], "linewidth": 1.5}
            marks: Any = {"marker": MARKERS[number % len(MARKERS)], "markersize": 4, "markevery": 0.11}
            axes.plot(recorded.iteration[some], sums, label=label, **marks, **style)
            known = sums[~np.isnan(sums)]  # of a run without a tree, nothing before an infoset is met
            ends.append(float(np.abs(known).max(initial=0.0)))
            lowest = min(lowest, float(known.min(initial=0.0)))
    axes.axhline(0, color=look.ink, linewidth=0.9, label="_zero")
    axes.set_xscale("log")
    near = 10.0 ** np.floor(np.log10(max(1e-9, 1e-3 * max(ends))))  # a power of ten, as far from 0 as from the next
    axes.set_yscale("symlog", linthresh=near, linscale=1.0)
    if lowest == 0.0:  # a floor keeps them there
        axes.set_ylim(bottom=-0.2 * near)
    axes.grid(True, linewidth=0.7)
    axes.set(xlabel="iterations", ylabel="regret sum, payoff × probability")
    axes.set_title("over time, at recorded infosets", fontsize=10, loc="left")
    axes.legend(fontsize=7.5, frameon=False, ncols=1, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=2.2)


def _distribution(axes: Axes, left: Floats, look: Theme) -> None:
    positive = left[left > 0]
    if len(positive):
        low, high = np.log10(positive.min()), np.log10(positive.max())
        edges = np.logspace(low - 0.05, high + 0.05, min(30, max(6, int(np.sqrt(len(positive))) + 1)))
        axes.hist(positive, bins=edges.tolist(), color=look.colour(0), edgecolor=look.paper, linewidth=0.6)
        wide = max(0.05, 0.5 - (high - low) / 2)  # a power of ten at least
        axes.set(xscale="log", xlim=(10 ** (low - wide), 10 ** (high + wide)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        if high - low < np.log10(_SHORT):
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
            axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    none = len(left) - len(positive)
    note = f"nothing at {none:,} of {len(left):,} infosets" if none else f"all {len(left):,} infosets"
    axes.set_title(f"in the end: {note}", fontsize=10, loc="left")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(True, axis="y", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set(xlabel="largest regret sum of an infoset / iterations", ylabel="infosets")
