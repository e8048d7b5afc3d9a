"""Routes of a solved game: its infosets, its histories, and what was recorded of it."""

from __future__ import annotations

from starlette.requests import Request

from ...runs.catalogue import game_title
from ...web.answers import Answer, InfosetDetails, InfosetPage, TreePlace
from ...web.histories import find_walk
from ...web.infosets import ORDERS, InfosetTable, infoset_table
from ...web.quality import describe_quality
from ...web.respond import RequestError, answer, error_sentence, query, untrusted_file
from ...web.workspace import run_of
from ..answers import Film, Overview
from .recordings import MOST_FRAMES, MOST_INFOSETS, plain_recording, recording_or_error, tree_rows

_MOST_ROWS = 1_000
_MOST_MOVES = 500


def overview(request: Request) -> Answer[Overview]:
    """Return what there is to be looked at in a run, and how good it is."""
    run = run_of(request)
    solution = run.solution
    game = solution.info.game
    with run.lock:
        subject = run.subject
        classes = subject.classes()
    return answer(
        {
            "run": run.run_id,
            "game": solution.game,
            "title": game_title(game.name, game.definition),
            "names": list(subject.names()),
            "spot": subject.has_lines,
            "decisions": subject.has_spot,
            "flops": subject.leads_to_flops,
            "classes": classes,
            "players": solution.players,
            "infosets": solution.infosets,
            "histories": game.histories,
            "form": game.form,
            "sampling": solution.sampling,
            **describe_quality(solution),
            "recorded": solution.recording is not None,
            "explains": solution.config is not None,
            "lacks": subject.lacks,
        }
    )


def infosets(request: Request) -> Answer[InfosetPage]:
    """Return lines of the table of infosets: headings of histories, and below them the infosets.

    Fields: ``player``; ``search``, words in the names; ``order``, the game's or by a number;
    ``start`` and ``count``.
    """
    run = run_of(request)
    fields = query(request).only("player", "search", "order", "start", "count")
    order = fields.choice("order", ORDERS, "game")
    start = fields.whole("start", 0)
    count = fields.whole("count", 200, low=1, high=_MOST_ROWS)
    with run.lock:
        table = infoset_table(run)
        numbers = table.choose_infosets(
            player=fields.whole("player", None, high=run.solution.players - 1),
            search=fields.text("search", "", longest=200),
            order=order,
        )
        lines = table.lines(numbers, grouped=order == "game")
        rows = [table.line(number) for number in lines[start : start + count]]
    return answer(
        {
            "infosets": len(numbers),
            "total": len(lines),
            "start": start,
            "grouped": order == "game" and table.decision is not None,
            "lacking": None if table.lacking is None else error_sentence(table.lacking),
            "untrusted": untrusted_file(request, table.lacking),
            "rows": rows,
        }
    )


def infoset(request: Request) -> Answer[InfosetDetails]:
    """Return one infoset with the numbers of each action, and what was recorded of it on the way.

    Fields: ``infoset``; ``player``, where several have an infoset of this name.
    """
    run = run_of(request)
    fields = query(request).only("player", "infoset")
    player = fields.whole("player", None)
    key = fields.text("infoset")
    with run.lock:
        table = infoset_table(run)
        if player is None:
            player = _only_player(table, run.solution.players, key)
        details = table.details(table.number(player, key))
        decision = run.subject.decision(details)
        if decision is not None:
            details["decision"] = decision
        return answer(details)


def _only_player(table: InfosetTable, players: int, key: str) -> int:
    """Return the player who has an infoset, the first where nobody has it."""
    owners = [player for player in range(players) if table.find(player, key) is not None]
    if len(owners) > 1:
        players_text = " and ".join(map(str, owners))
        raise RequestError(
            f"The players {players_text} have an infoset {key!r}: give player.", field="player"
        )
    if owners:
        return owners[0]
    return 0


def recording(request: Request) -> Answer[Film]:
    """Return what was recorded of a run as frames: infosets with strategy, average and regret sums, and a small tree.

    Fields: ``start`` and ``count`` of the infosets; ``frames``, the most of them.
    """
    run = run_of(request)
    fields = query(request).only("start", "count", "frames")
    start = fields.whole("start", 0)
    count = fields.whole("count", 24, low=1, high=MOST_INFOSETS)
    most_frames = fields.whole("frames", 400, low=2, high=MOST_FRAMES)
    with run.lock:
        table = infoset_table(run)
        solution = run.solution
        frames = plain_recording(
            recording_or_error(solution.recording),
            table,
            most=most_frames,
            start=start,
            count=count,
        )
        return answer(
            {
                **frames,
                "trace": [
                    (point.iteration, point.gap if point.is_certified else None)
                    for point in solution.trace
                ],
                "tree": tree_rows(find_walk(run), solution.info.game.histories),
            }
        )


def tree(request: Request) -> Answer[TreePlace]:
    """Return a history and some of its moves.

    Fields: ``path``, the numbers of the moves that lead there, with points between; or ``player``
    and ``infoset``, for a history of an infoset; ``start`` and ``count`` of the moves.
    """
    run = run_of(request)
    fields = query(request).only("path", "player", "infoset", "start", "count")
    start = fields.whole("start", 0)
    count = fields.whole("count", 100, low=1, high=_MOST_MOVES)
    with run.lock:
        walk = find_walk(run)
        if "infoset" in fields:
            path = walk.path_to(fields.whole("player"), fields.text("infoset"))
        else:
            path = _read_path(fields.text("path", ""))
        return answer(walk.at(path, start=start, count=count))


def _read_path(text: str) -> list[int]:
    parts = text.split(".") if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise RequestError(
            f"path: numbers of moves with points between, as '0.2.1'; got {text!r}.", field="path"
        )
    return list(map(int, parts))
