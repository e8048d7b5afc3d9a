"""The picture of regret: its sums over time at recorded infosets, and what is left of it at all of them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from .._util.arrays import Floats, offsets
from ..errors import SolutionError
from ..mccfr.sampling import find_sampling
from ..solving.recording import Recorded
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run
from .inputs import compile_with_reach
from .movement import moving, named, over_iterations, shown_actions, small_multiples, thinned
from .style import DASHES, Theme, brief, label_of, label_sparsely, themed, titled

_MOST = 8  # infosets over time
_DECADES = 3  # powers of ten on either side of 0
_OVER_TIME = (
    "Regret sums, payoff × probability; above 0: an action that would have earned more than what was played. Their "
    "scale is linear around 0 and logarithmic beyond."
)
_LEFT = "In the end: how many infosets have how much regret left."


def remaining(solution: Solution, game: Any = None) -> Floats | None:
    """Return, for each infoset of a run, its largest regret sum (0 where none is positive) / iterations, or None.

    None where it cannot be read from the state of the run: for the linear programme, or where the game that a
    full-width run solved is not given.
    """
    state = solution.state
    count = solution.strategy.infosets.num_actions.astype(np.int64)
    if "regret_sum" not in state or not solution.iterations or not len(count):
        return None
    total = np.asarray(state["regret_sum"], np.float64)
    first = offsets(count)
    full_width = find_sampling(solution.sampling).full_width
    if full_width:
        fingerprint = solution.info.game.fingerprint
        if game is None:
            form = None
        else:
            form = compile_with_reach(game, fingerprint=fingerprint)
        if form is not None and form.fingerprint == fingerprint:
            slot = form.slot
        else:
            slot = None
    elif "slot" in state:  # without a tree, in the order in which they were met
        slot = np.repeat(state["slot"].astype(np.int64) - first[:-1], count) + np.arange(first[-1])
    else:
        slot = np.arange(
            solution.players, len(total)
        )  # a sampled run keeps them in the order of the infosets
    if slot is None or len(slot) != first[-1]:
        return None
    largest = np.maximum(np.maximum.reduceat(total[slot], first[:-1]), 0.0)
    if not full_width:
        share = _share_left(solution, state["updated"][slot[first[:-1]]].astype(np.int64))
        if share is None:
            return None
        largest *= share
    left: Floats = largest / solution.iterations
    return left


def _share_left(solution: Solution, updated: NDArray[np.int64]) -> Floats | None:
    """Return which part of a positive regret sum is left in the end, where a sampled run updated it last back then.

    Such a run lets the sums of an infoset decay when it comes there again, and all of them now and then. None where
    the run has no settings.
    """
    if solution.config is None:
        return None
    algorithm = solution.config.algorithm
    since = int(min(updated[updated > 0], default=solution.iterations))
    factors = algorithm.steps(since + 1, solution.iterations - since).discount_positive
    products: Floats = np.append(
        np.cumprod(factors[::-1])[::-1], 1.0
    )  # of all factors after an iteration
    share: Floats = products[np.maximum(updated, since) - since]  # what was never updated is 0
    return share


def regret(
    solution: AnyRun,
    infosets: Sequence[Any] | None = None,
    *,
    game: Any = None,
    theme: str = "light",
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
    >>> len(eq.plot.regret(solution, game="kuhn").axes)  # one an infoset, and all of them in the end
    3
    """
    run = read_run(solution)
    if run.recording is None:
        over_time = []
    else:
        over_time = moving(run.recording, infosets, _MOST)
    if infosets is not None and run.recording is None:
        raise SolutionError(
            "Nothing was recorded of this run: solve(..., record=[...]), or --record.",
            wrong_use=True,
        )
    left = remaining(run, game)
    if not over_time and left is None:
        reason = f"this run by {run.algorithm!r} remembers no regrets, and recorded none."
        if "regret_sum" in run.state:
            reason = "to draw the regret sums of this run its game is needed: give game=, or record infosets."
        raise SolutionError(f"{run.game}: {reason}")
    with themed(theme) as palette:
        figure, panels, styles = small_multiples(
            over_time, palette, _shown_sums, more=left is not None
        )
        if over_time and run.recording is not None:
            _sums(
                panels[: len(over_time)],
                over_time,
                [named(recorded, run.recording) for recorded in over_time],
                styles,
            )
        if left is not None:
            _distribution(panels[-1], left, palette)
        notes = [_OVER_TIME] * bool(over_time) + [_LEFT] * (left is not None)
        titled(
            figure,
            f"{brief(run.game, 60)}: regret, by {run.algorithm}",
            " ".join(notes),
            theme=palette,
        )
    return figure


def _shown_sums(recorded: Recorded) -> Sequence[int]:
    """Return the actions whose regret sums are drawn: of two actions both."""
    if len(recorded.actions) > 2:
        return shown_actions(recorded)
    return range(len(recorded.actions))


def _sums(
    panels: Sequence[Axes],
    infosets: Sequence[Recorded],
    names: Sequence[str],
    styles: dict[str, dict[str, Any]],
) -> None:
    """Draw the regret sums of each infoset in a panel of its own; all have one scale."""
    sums = np.concatenate([recorded.regret_sum.ravel() for recorded in infosets])
    lowest = float(np.nanmin(sums, initial=0.0))
    highest = float(np.nanmax(sums, initial=0.0))
    power = np.ceil(np.log10(max(-lowest, highest, 1e-9)))
    near = 10.0 ** (power - _DECADES)  # as far from 0 on the scale as from the next power of ten
    ticks = [0.0, *(sign * 10.0 ** (power - k) for sign in (-1, 1) for k in range(_DECADES))]
    for axes, recorded, name in zip(panels, infosets, names, strict=True):
        some = thinned(len(recorded.iteration))
        for number, action in enumerate(_shown_sums(recorded)):
            label = recorded.actions[action]
            line: Any = {
                "linestyle": DASHES[number % len(DASHES)],
                "linewidth": 1.2,
                "markersize": 3,
                "markevery": 0.2,
            }
            sums = recorded.regret_sum[some, action]
            axes.plot(recorded.iteration[some], sums, label=f"_{label}", **styles[label], **line)
        axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.8, label="_zero")
        axes.set_yscale("symlog", linthresh=near)
        axes.set_yticks(ticks, [label_of(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_ylim(2 * lowest - 0.3 * near, 2 * highest + 0.3 * near)
        over_iterations(axes, name, recorded)


def _distribution(axes: Axes, left: Floats, palette: Theme) -> None:
    positive = left[left > 0]
    if len(positive):
        low = np.log10(positive.min())
        high = np.log10(positive.max())
        edges = np.logspace(
            low - 0.05, high + 0.05, min(30, max(6, int(np.sqrt(len(positive))) + 1))
        )
        axes.hist(
            positive,
            bins=edges.tolist(),
            color=palette.colour(0),
            edgecolor=palette.paper,
            linewidth=0.6,
        )
        wide = max(0.05, 0.5 - (high - low) / 2)  # a power of ten at least
        axes.set(xscale="log", xlim=(10 ** (low - wide), 10 ** (high + wide)))
        label_sparsely(axes)
    none = len(left) - len(positive)
    if none:
        note = f"{none:,} of {len(left):,} have none"
    else:
        note = f"all {len(left):,} infosets"
    axes.set_title(f"in the end: {note}", loc="left", pad=4)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(False, axis="x")
    axes.set(xlabel="largest sum / iterations", ylabel="infosets")
