"""Routes from a solved game before the flop to the spots after it."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request

from ...web.answers import Answer
from ...web.respond import RequestError, answer, body, query
from ...web.workspace import OpenRun, run_of
from ..preflop.game import Preflop
from .answers import FlopLine, FlopLines, SpotSettings
from .subjects import leads_to_flops


def _load_game(run: OpenRun) -> Preflop:
    if not leads_to_flops(run):
        raise RequestError(
            f"No flop comes after {run.run_id!r}: it is no run of preflop.", field="run", status=404
        )
    game: Preflop = run.game
    return game


def flops(request: Request) -> Answer[FlopLines]:
    """Return the lines after which a flop is played: ``line``, and the ``pot`` and the ``stack`` behind there."""
    query(request).only()
    game = _load_game(run_of(request))
    lines = [cast(FlopLine, {"line": node.line, **game.after(node)}) for node in game.flop_nodes()]
    return answer({"lines": lines})


def spot(request: Request) -> Answer[SpotSettings]:
    """Return the settings of the spot to which a line leads, with the ranges that come there.

    Fields: ``line``, ``board``; ``bets``, sizes after the flop.
    """
    run = run_of(request)
    fields = body(request).only("line", "board", "bets")
    game = _load_game(run)
    line = fields.text("line")
    board = fields.text("board")
    bets = fields.text("bets", "50%, a; a")
    with run.lock:
        return answer(
            {"settings": game.spot(run.solution.strategy, line, board, bets=bets).settings}
        )
