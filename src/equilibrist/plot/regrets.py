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
from ..show.numbers import format_power
from ..solving.recording import Recorded
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run
from .inputs import compile_with_reach
from .movement import (
    actions_to_draw,
    finish_panel,
    infoset_label,
    make_panels,
    most_moved_infosets,
    thin_out_points,
)
from .style import DASHES, Theme, brief, label_sparsely, use_theme, write_title

_MOST = 8  # infosets over time
_DECADES = 3  # powers of ten on either side of 0
_OVER_TIME = (
    "Regret sums, payoff × probability; above 0: an action that would have earned more than what "
    "was played. Their scale is linear around 0 and logarithmic beyond."
)
_LEFT = "In the end: how many infosets have how much regret left."


def remaining_regrets(solution: Solution, game: Any = None) -> Floats | None:
    """Return, for each infoset of a run, its largest regret sum (0 where none is positive) / iterations, or None.

    None where it cannot be read from the state of the run: for the linear programme, or where the
    game that a full-width run solved is not given.
    """
    state = solution.state
    count = solution.strategy.infosets.num_actions.astype(np.int64)
    if "regret_sum" not in state or not solution.iterations or not len(count):
        return None
    total = np.asarray(state["regret_sum"], np.float64)
    first_action = offsets(count)
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
        slot = np.repeat(state["slot"].astype(np.int64) - first_action[:-1], count) + np.arange(
            first_action[-1]
        )
    else:
        # A sampled run keeps them in the order of the infosets.
        slot = np.arange(solution.players, len(total))
    if slot is None or len(slot) != first_action[-1]:
        return None
    largest = np.maximum(np.maximum.reduceat(total[slot], first_action[:-1]), 0.0)
    if not full_width:
        share = _remaining_share(
            solution, state["updated"][slot[first_action[:-1]]].astype(np.int64)
        )
        if share is None:
            return None
        largest *= share
    regrets: Floats = largest / solution.iterations
    return regrets


def _remaining_share(solution: Solution, last_updates: NDArray[np.int64]) -> Floats | None:
    """Return which part of a positive regret sum is left in the end, shape (infosets,).

    ``last_updates`` are the iterations in which a sampled run came to the infosets last.

    Such a run lets the sums of an infoset decay when it comes there again, and all of them now and
    then. None where the run has no settings.
    """
    if solution.config is None:
        return None
    algorithm = solution.config.algorithm
    first_update = int(min(last_updates[last_updates > 0], default=solution.iterations))
    factors = algorithm.steps(
        first_update + 1, solution.iterations - first_update
    ).discount_positive
    # Of all factors after an iteration.
    products: Floats = np.append(np.cumprod(factors[::-1])[::-1], 1.0)
    # 0 for infosets that were never updated, as their sums are.
    shares: Floats = products[np.maximum(last_updates, first_update) - first_update]
    return shares


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
        Which to draw over time, each as its key or as (player, key); by default those that have
        moved most.
    game : optional
        The game, as for :func:`equilibrist.load`: the regret sums in the state of a full-width run
        are in its order. Without one, only what was recorded is drawn.
    theme : {"light", "dark"}
        The colours.

    Raises
    ------
    SolutionError
        Nothing was recorded, and no game is given or no regret remembered, as by
        :func:`equilibrist.exact`; or an infoset or a theme is not there.

    Notes
    -----
    Sums are those that the algorithm keeps, after its floor and its discount: their weights differ
    from algorithm to algorithm; payoff × probability. On the right, the largest sum of each infoset
    / iterations: its average regret, where nothing is discounted.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", "cfr", iterations=500, record=["J", "Qpb"])
    >>> len(eq.plot.regret(solution, game="kuhn").axes)  # one an infoset, and all of them in the end
    3
    """
    run = read_run(solution)
    if run.recording is None:
        infosets_to_draw = []
    else:
        infosets_to_draw = most_moved_infosets(run.recording, infosets, _MOST)
    if infosets is not None and run.recording is None:
        raise SolutionError(
            "Nothing was recorded of this run: solve(..., record=[...]), or --record.",
            wrong_use=True,
        )
    regrets = remaining_regrets(run, game)
    if not infosets_to_draw and regrets is None:
        reason = f"this run by {run.algorithm!r} remembers no regrets, and recorded none."
        if "regret_sum" in run.state:
            reason = (
                "to draw the regret sums of this run its game is needed: give game=, or record "
                "infosets."
            )
        raise SolutionError(f"{run.game}: {reason}")
    with use_theme(theme) as palette:
        figure, panels, styles = make_panels(
            infosets_to_draw, palette, _actions_to_draw, num_extra=regrets is not None
        )
        if infosets_to_draw and run.recording is not None:
            _draw_sums(
                panels[: len(infosets_to_draw)],
                infosets_to_draw,
                [infoset_label(recorded, run.recording) for recorded in infosets_to_draw],
                styles,
            )
        if regrets is not None:
            _draw_distribution(panels[-1], regrets, palette)
        notes = [_OVER_TIME] * bool(infosets_to_draw) + [_LEFT] * (regrets is not None)
        write_title(
            figure,
            f"{brief(run.game, 60)}: regret, by {run.algorithm}",
            " ".join(notes),
            theme=palette,
        )
    return figure


def _actions_to_draw(recorded: Recorded) -> Sequence[int]:
    """Return the actions whose regret sums are drawn: of two actions both."""
    if len(recorded.actions) > 2:
        return actions_to_draw(recorded)
    return range(len(recorded.actions))


def _draw_sums(
    panels: Sequence[Axes],
    infosets: Sequence[Recorded],
    names: Sequence[str],
    styles: dict[str, dict[str, Any]],
) -> None:
    """Draw the regret sums of each infoset in a panel of its own; all have one scale."""
    sums = np.concatenate([recorded.regret_sum.ravel() for recorded in infosets])
    min_sum = float(np.nanmin(sums, initial=0.0))
    max_sum = float(np.nanmax(sums, initial=0.0))
    power = np.ceil(np.log10(max(-min_sum, max_sum) or 1.0))
    linear_range = 10.0 ** (
        power - _DECADES
    )  # as far from 0 on the scale as from the next power of ten
    ticks = [0.0, *(sign * 10.0 ** (power - k) for sign in (-1, 1) for k in range(_DECADES))]
    for axes, recorded, name in zip(panels, infosets, names, strict=True):
        points = thin_out_points(len(recorded.iteration))
        for number, action in enumerate(_actions_to_draw(recorded)):
            label = recorded.actions[action]
            line: Any = {
                "linestyle": DASHES[number % len(DASHES)],
                "linewidth": 1.2,
                "markersize": 3,
                "markevery": 0.2,
            }
            sums = recorded.regret_sum[points, action]
            axes.plot(recorded.iteration[points], sums, label=f"_{label}", **styles[label], **line)
        axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.8, label="_zero")
        axes.set_yscale("symlog", linthresh=linear_range)
        axes.set_yticks(ticks, [format_power(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_ylim(2 * min_sum - 0.3 * linear_range, 2 * max_sum + 0.3 * linear_range)
        finish_panel(axes, name, recorded)


def _draw_distribution(axes: Axes, regrets: Floats, palette: Theme) -> None:
    """Draw how many infosets have how much regret left, on a logarithmic scale."""
    positive = regrets[regrets > 0]
    if len(positive):
        min_power = np.log10(positive.min())
        max_power = np.log10(positive.max())
        edges = np.logspace(
            min_power - 0.05, max_power + 0.05, min(30, max(6, int(np.sqrt(len(positive))) + 1))
        )
        axes.hist(
            positive,
            bins=edges.tolist(),
            color=palette.colour(0),
            edgecolor=palette.paper,
            linewidth=0.6,
        )
        margin = max(0.05, 0.5 - (max_power - min_power) / 2)  # a power of ten at least
        axes.set(xscale="log", xlim=(10 ** (min_power - margin), 10 ** (max_power + margin)))
        label_sparsely(axes)
    num_zero = len(regrets) - len(positive)
    if num_zero:
        note = f"{num_zero:,} of {len(regrets):,} have none"
    else:
        note = f"all {len(regrets):,} infosets"
    axes.set_title(f"in the end: {note}", loc="left", pad=4)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(False, axis="x")
    axes.set(xlabel="largest sum / iterations", ylabel="infosets")
