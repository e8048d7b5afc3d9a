"""``equilibrist equilibria``: all equilibria of a small game of two players."""

from __future__ import annotations

from ..show.text import paint_result
from . import options
from .output import Output


def equilibria(
    game: options.Game,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """List all equilibria of a small two-player GAME, in fractions: the extreme ones, and their
    maximal Nash subsets.
    """
    output = Output(as_json)
    from ..bimatrix.all_equilibria import all_equilibria
    from ..form.limits import Limits

    with output.live(title=game) as live:
        result = all_equilibria(game, limits=Limits(histories=max_histories), callbacks=live.stage)
    output.emit(result.summary, paint_result(result, output.console.width))
