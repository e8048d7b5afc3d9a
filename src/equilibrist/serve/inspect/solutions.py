"""Routes of a solved game: its infosets, its histories, and what an iteration did at them."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from ...errors import EquilibristError
from ...evaluation.hand_classes import HandClasses, seat_names
from ...evaluation.spots import SolvedSpot, has_decisions
from ...explanation.explain import explain as explained
from ...games.holdem.betting_tree import PLAYERS
from ...games.holdem.cards import CLASSES
from ...html.lab.explained import lab_options
from ..library.catalogue import game_title
from ..library.workspace import OpenRun, run_of
from ..respond import RequestError, answer, error_sentence, query, untrusted_file
from .histories import HistoryWalk
from .infosets import ORDERS, InfosetTable
from .preflop import leads_to_flops
from .quality import describe_quality
from .recordings import MOST_FRAMES, MOST_INFOSETS, plain_recording, recording_or_error, tree_rows

_OF_OMAHA = (
    "The page shows Omaha infoset by infoset: select a hand for its EV and equity. Those of all "
    "hands, and of made hands, are printed by 'equilibrist show', pictures by made hand by "
    "'equilibrist plot'; 'equilibrist resolve' solves a part again. Locks and reports over boards "
    "are for hold'em alone."
)
_MOST_ROWS = 1_000
_MOST_MOVES = 500
_MOST_NODES = 1_000
_LONGEST = 60.0  # seconds of iterating that an explanation may take

_tables: WeakKeyDictionary[OpenRun, InfosetTable] = WeakKeyDictionary()
_walks: WeakKeyDictionary[OpenRun, HistoryWalk] = WeakKeyDictionary()
_classes: WeakKeyDictionary[OpenRun, HandClasses | None] = WeakKeyDictionary()
_spots: WeakKeyDictionary[OpenRun, SolvedSpot] = WeakKeyDictionary()
"""Solved spots of Omaha, which the page looks at infoset by infoset."""


def infoset_table(run: OpenRun) -> InfosetTable:
    """Return the table of infosets of a run, made once; hold its lock."""
    if run.spot is not None:
        raise RequestError(
            "A spot of hold'em has lines and hands in the place of infosets: it is looked at by "
            "its lines.",
            status=422,
        )
    if run not in _tables:
        _tables[run] = InfosetTable(run)
    return _tables[run]


def _find_walk(run: OpenRun) -> HistoryWalk:
    if run not in _walks:
        _walks[run] = HistoryWalk(run, infoset_table(run))
    return _walks[run]


def _hand_classes(run: OpenRun) -> HandClasses | None:
    """Return the decisions of a game before the flop, made once; None of other games."""
    if run not in _classes:
        if run.spot is not None:
            _classes[run] = None
        else:
            _classes[run] = HandClasses.of(run.solution)
    return _classes[run]


def overview(request: Request) -> Response:
    """Return what there is to be looked at in a run, and how good it is."""
    run = run_of(request)
    solution = run.solution
    game = solution.info.game
    with run.lock:
        classes = _hand_classes(run)
    return answer(
        {
            "run": run.run_id,
            "game": solution.game,
            "title": game_title(game.name, game.definition),
            "names": _player_names(run),
            "spot": run.spot is not None,
            "flops": leads_to_flops(run),
            "classes": []
            if classes is None
            else [{"line": line, "player": n} for line, n in classes.lines.items()],
            "players": solution.players,
            "infosets": solution.infosets,
            "histories": game.histories,
            "form": game.form,
            "sampling": solution.sampling,
            **describe_quality(solution),
            "recorded": solution.recording is not None,
            "explains": solution.config is not None,
            "lacks": _OF_OMAHA if _is_omaha(run) else "",
        }
    )


def _is_omaha(run: OpenRun) -> bool:
    """Return whether a run has decisions with hands and boards which the view of spots cannot show."""
    return run.spot is None and has_decisions(run.solution.strategy)


def _player_names(run: OpenRun) -> tuple[str, ...]:
    """Return the names of the players: of a file of Gambit, before the flop, of Omaha; empty where there are none."""
    if _is_omaha(run):
        return PLAYERS
    if names := seat_names(run.solution.game, run.solution.players):
        return names
    if not run.solution.game.lower().endswith((".efg", ".nfg")):
        return ()
    try:
        return tuple(run.game.names)
    except EquilibristError:  # the file has gone
        return ()


def classes(request: Request) -> Response:
    """Return what the 169 classes of hands play after a ``line`` before the flop, and what each is worth there."""
    run = run_of(request)
    line = query(request).only("line").text("line", "")
    with run.lock:
        decisions = _hand_classes(run)
        if decisions is None:
            raise RequestError(
                f"{run.run_id!r} is no game before the flop.", field="run", status=404
            )
        node = decisions.node(line)
        table = infoset_table(run)
        numbers = [table.find(node.player, f"{name} {node.line}".rstrip()) for name in CLASSES]
        values = [
            None if table.value is None or n is None else float(table.value[n]) for n in numbers
        ]
        return answer({**node.summary(), "values": values})


def infosets(request: Request) -> Response:
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


def infoset(request: Request) -> Response:
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
        if _is_omaha(run):
            details["decision"] = _describe_decision(run, details)
        return answer(details)


def _describe_decision(run: OpenRun, row: dict[str, Any]) -> dict[str, Any]:
    """Return EV, in chips, and equity of a hand of Omaha at its decision, and those of both ranges there."""
    if run not in _spots:
        _spots[run] = SolvedSpot(run.solution)
    board, _, line = row["history"].partition(" ")
    node = _spots[run].node(line, board)
    number = node.number(row["holding"], row["player"])
    return {
        "ev": float(node.ev[row["player"]][number]),
        "equity": float(node.equity[row["player"]][number]),
        "evs": node.evs,
        "equities": node.equities,
        "pot": node.pot,
    }


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


def recording(request: Request) -> Response:
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
                "trace": [[point.iteration, point.exploitability] for point in solution.trace],
                "tree": tree_rows(_find_walk(run), solution.info.game.histories),
            }
        )


def tree(request: Request) -> Response:
    """Return a history and some of its moves.

    Fields: ``path``, the numbers of the moves that lead there, with points between; or ``player``
    and ``infoset``, for a history of an infoset; ``start`` and ``count`` of the moves.
    """
    run = run_of(request)
    fields = query(request).only("path", "player", "infoset", "start", "count")
    start = fields.whole("start", 0)
    count = fields.whole("count", 100, low=1, high=_MOST_MOVES)
    with run.lock:
        walk = _find_walk(run)
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


def explain(request: Request) -> Response:
    """Return what an iteration of the run's algorithm did, as ``equilibrist explain --json`` prints it, with its story.

    Fields: ``iteration``, 1 by default; ``deal``, the outcomes of chance that are shown, as text or
    repeated; or ``player`` and ``infoset``, for a deal that leads there; ``max_nodes``.
    """
    run = run_of(request)
    fields = query(request).only("iteration", "deal", "player", "infoset", "max_nodes")
    solution = run.solution
    config = solution.config
    if config is None:
        raise RequestError(
            "A linear programme has no iterations; solve with an algorithm to see one.", status=422
        )
    iteration = fields.whole("iteration", 1, low=1, high=max(1, solution.iterations))
    _check_time(run, iteration)

    with run.lock:
        game = run.game
        deal = request.query_params.getlist("deal")
        if "infoset" in fields:
            walk = _find_walk(run)
            deal = walk.deal_of(walk.path_to(fields.whole("player"), fields.text("infoset")))
    explanation = explained(
        game,
        config.algorithm,
        iteration=iteration,
        deal=deal[0] if len(deal) == 1 else deal or None,
        sampling=config.sampling,
        seed=config.seed,
        horizon=config.horizon,
        max_nodes=fields.whole("max_nodes", _MOST_NODES, low=1, high=_MOST_NODES),
    )
    return answer(
        {
            **explanation.summary(),
            "game": solution.game,
            "deal": deal,
            "notes": explanation.notes,
            "lab": lab_options(explanation),
            "story": [step._asdict() for step in explanation.story()],
        }
    )


def _check_time(run: OpenRun, iteration: int) -> None:
    solution = run.solution
    seconds_each = solution.seconds.get("solve", 0.0) / max(1, solution.iterations)
    if seconds_each * iteration > _LONGEST:
        last_iteration = max(1, int(_LONGEST / seconds_each))
        raise RequestError(
            f"iteration: those before it are run again, which takes {seconds_each * iteration:.0f} "
            f"seconds; give one up to {last_iteration:,}.",
            field="iteration",
        )
