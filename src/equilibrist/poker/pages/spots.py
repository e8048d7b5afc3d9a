"""Routes of a solved spot of hold'em: its decisions, hands, run-outs, locks and parts that are solved again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from ..._util.recent import Recent
from ...cfr.concepts import QRE, find_concept
from ...cfr.criteria import read_percent
from ...errors import GameError
from ...evaluation.units import Unit, find_unit
from ...form.traits import check_two_ranges
from ...game.card_places import line_tokens
from ...resolving.cards import make_part
from ...runs.reproduce import carried_settings
from ...solving.solution import Solution
from ...web.answers import Answer, JobAgainst
from ...web.requests import JOB_SETTINGS, check_goal_of_spot, read_run_keywords
from ...web.respond import Fields, RequestError, answer, body, download_csv, query, to_json
from ...web.workspace import OpenRun, run_of, workspace_of
from ..solved.run_outs import describe_run_out, describe_texture, gather_run_outs
from ..solved.spot_node import SpotNode
from ..solved.spots import SolvedSpot
from ..spot.game import Holdem
from .answers import (
    ActionOfHand,
    HandDetails,
    LockMixes,
    OwnDecision,
    RunOut,
    RunOuts,
    SpotDeal,
    SpotDecision,
    SpotEnd,
    SpotOverview,
    SpotUnsolved,
)
from .lines import walk_along, walk_to_decision
from .lock_text import LockLine, make_locks, read_lock_text
from .places import describe_place, describe_run
from .subjects import holdem_of, spot_of

_MOST_RUN_OUTS = 52
_RUN_OUTS_KEPT = 10_000
_NODES_KEPT = 64  # some 240 kB each where hands are all there are
_RUN_FIELDS = ("until", "iterations", "seconds", "threads", "algorithm", "concept")
_USUAL_GAP = 0.001  # of a probability: where a quantal response equilibrium is near enough

_run_outs: WeakKeyDictionary[OpenRun, Recent[Mapping[str, Any] | None]] = WeakKeyDictionary()
"""Numbers of run-outs by question and cards, for each run that is open; None where no hands are left."""
_nodes: WeakKeyDictionary[OpenRun, Recent[bytes]] = WeakKeyDictionary()
"""Places by line and board, as JSON: many look at the same ones, and writing numbers takes longest."""


def _open_spot(request: Request) -> tuple[OpenRun, SolvedSpot]:
    run = run_of(request)
    return run, spot_of(run)


def _open_holdem(request: Request, what: str) -> tuple[OpenRun, SolvedSpot]:
    run = run_of(request)
    return run, holdem_of(run, what)


def overview(request: Request) -> Answer[SpotOverview]:
    """Return the spot of a run: settings, ranges, streets, locks, and how good the solution is."""
    run, spot = _open_spot(request)
    return answer(describe_run(run.run_id, run.solution, spot))


def node(request: Request) -> Answer[SpotDecision | SpotUnsolved | SpotDeal | SpotEnd]:
    """Return a place of the spot: a decision with all numbers of both ranges, cards to come, or the end of the hand."""
    run, spot = _open_spot(request)
    fields = query(request).only("line", "board")
    place = fields.text("line", ""), fields.text("board", "")
    with run.lock:
        recent = _nodes.setdefault(run, Recent(_NODES_KEPT))
        content = recent.get(place, lambda: to_json(describe_place(spot, walk_along(spot, fields))))
    return Answer(content, media_type="application/json")


def hand(request: Request) -> Answer[HandDetails]:
    """Return one hand of a player at a decision, and what it did at each own decision on the way.

    ``best_ev`` is the EV of an action with the best response to the other's strategy afterwards.
    """
    run, spot = _open_spot(request)
    fields = query(request).only("line", "board", "hand", "player")
    name = fields.text("hand")
    with run.lock:
        walk = walk_to_decision(spot, fields)
        node = spot.node(walk.line, walk.board)
        player = fields.whole("player", node.player, high=len(node.names) - 1)
        number = node.number(name, player)
        name = node.hands[player][number]
        actions: list[ActionOfHand] | None = None
        if player == node.player:
            best_values = spot.best_action_values(walk.line, walk.board, name)
            shift = spot.game.paid(spot.game.tree.find(walk.line))[player]
            actions = [
                {
                    "action": action,
                    "probability": float(node.strategy[a, number]),
                    "ev": float(node.action_ev[a, number]),
                    "best_ev": None if best_values is None else float(best_values[a]) + shift,
                }
                for a, action in enumerate(node.actions)
            ]
        way: list[OwnDecision] = [
            {
                "line": step["line"],
                "board": step["board"],
                "chosen": step["chosen"],
                "probabilities": {
                    action["action"]: probability
                    for action, probability in zip(
                        step["actions"],
                        spot.mix(step["line"], step["board"], name).tolist(),
                        strict=True,
                    )
                },
            }
            for step in walk.steps
            if step["kind"] == "decision" and step["player"] == player
        ]
        return answer(
            {
                "hand": name,
                "player": player,
                "line": walk.line,
                "board": walk.board,
                "range": float(node.ranges[player][number]),
                "probability": float(node.probabilities[player][number]),
                "ev": float(node.ev[player][number]),
                "equity": float(node.equity[player][number]),
                "actions": actions,
                "way": way,
            }
        )


@dataclass(frozen=True, kw_only=True)
class _RunOutQuestion:
    """What is asked of run-outs: after which line and cards, and the hands of whom that are counted, if not all."""

    line: str
    board: str
    only: str | None
    holder: int | None
    unit: Unit


def run_outs(request: Request) -> Answer[RunOuts] | Response:
    """Return, for the cards that may come after a line, how often each action is then played, and who earns what.

    Cards that are alike by suits have the same numbers and are told together. ``start`` and
    ``count`` choose some, as a flop has many; the total says how many there are.

    With a filter, ``only``, the hands of ``player`` that pass it are counted alone, by default of who decides
    after the card; ``unit`` is that in which it writes EVs. Each card is then told by itself. ``format`` csv
    makes a file of all cards, with the columns of ``equilibrist runouts --csv``.
    """
    run, spot = _open_spot(request)
    fields = query(request).only(
        "line", "board", "start", "count", "only", "player", "unit", "format"
    )
    start = fields.whole("start", 0)
    count = fields.whole("count", _MOST_RUN_OUTS, low=1, high=_MOST_RUN_OUTS)
    is_file = fields.choice("format", ("json", "csv"), "json") == "csv"
    with run.lock:
        walk = walk_along(spot, fields)
        if walk.kind != "deal":
            raise RequestError(
                f"line: no card is dealt after {walk.line!r}; give a line that ends a street.",
                field="line",
            )
        cards = spot.run_outs(walk.line, walk.board)
    question = _read_question(spot, walk.line, walk.board, fields)
    if question.only is not None:  # hands of one suit are not those of another
        cards = [(name,) for cards_alike in cards for name in cards_alike]
    asked_cards = cards if is_file else cards[start : start + count]
    rows = []
    for cards_alike in asked_cards:
        with run.lock:  # given back between two cards, so that others can look at nodes
            rows.append(_count_run_out(run, spot, question, cards_alike))
    if is_file:
        counted = [row for row in rows if row is not None]
        report = gather_run_outs(
            spot, walk.line, walk.board, counted, only=question.only, of=question.holder
        )
        return download_csv(report, f"{run.run_id}-runouts")
    return answer(
        {
            "line": walk.line,
            "board": walk.board,
            "of": question.holder,
            "total": len(cards),
            "start": start,
            "rows": [
                _describe_run_out(spot, question, cards_alike, row)
                for cards_alike, row in zip(asked_cards, rows, strict=True)
            ],
        }
    )


def _read_question(spot: SolvedSpot, line: str, board: str, fields: Fields) -> _RunOutQuestion:
    decider = spot.game.tree.nodes[spot.game.tree.find(line)].player
    only = fields.text("only", "").strip() or None
    player = fields.whole("player", decider, high=len(spot.game.tree.players) - 1)
    unit = find_unit(fields.text("unit", "chips"), spot.game)
    holder = None if only is None else player
    return _RunOutQuestion(line=line, board=board, only=only, holder=holder, unit=unit)


def _count_run_out(
    run: OpenRun, spot: SolvedSpot, question: _RunOutQuestion, cards_alike: tuple[str, ...]
) -> Mapping[str, Any] | None:
    """Return the numbers after a card as :func:`describe_run_out`; None where no hands are left."""
    first_card = cards_alike[0]

    def make() -> Mapping[str, Any] | None:
        try:
            node = spot.node(question.line, question.board + first_card, keep=False)
        except GameError:  # no two hands are left
            return None
        return describe_run_out(
            spot,
            node,
            question.board,
            first_card,
            len(cards_alike),
            only=question.only,
            holder=question.holder,
            unit=question.unit,
        )

    return _run_outs.setdefault(run, Recent(_RUN_OUTS_KEPT)).get((question, cards_alike), make)


def _describe_run_out(
    spot: SolvedSpot,
    question: _RunOutQuestion,
    cards_alike: tuple[str, ...],
    row: Mapping[str, Any] | None,
) -> RunOut:
    texture = describe_texture(question.board, cards_alike[0], spot.game.deck)
    facts: RunOut = {
        "card": cards_alike[0],
        "alike": list(cards_alike),
        "board": question.board + cards_alike[0],
        "weight": 0.0,
        "player": None,
        "rank": texture["rank"],
        "flush": texture["flush"],
        "straight": texture["straight"],
        "suits": texture["suits"],
        "pairing": texture["pairing"],
        "connected": texture["connected"],
        "high": texture["high"],
    }
    if row is None:
        return facts
    at = spot.game.tree.nodes[spot.game.tree.find(question.line)]
    seats = [name.lower() for name in spot.game.tree.players]
    return {
        **facts,
        "weight": row["deals"],
        "player": at.player,
        "pot": row["pot"],
        "frequencies": {action: row[action] for action in at.actions if action in row},
        "ev": [row.get(f"ev_{seat}") for seat in seats],
        "equity": [row.get(f"equity_{seat}") for seat in seats],
        "eqr": [row.get(f"eqr_{seat}") for seat in seats],
    }


def lock(request: Request) -> Answer[JobAgainst]:
    """Put the same spot with locks into the queue; the run is saved under a new name, to be compared with this one.

    Fields: ``locks``, a list of objects with ``line``, ``strategy`` and, if not all, ``hands`` and
    ``board``; or ``text``, ``line`` and ``board`` of a decision, as :func:`read_locks` takes them,
    and ``everywhere``, whether they hold on all boards. ``keep``, whether the locks that the run
    has stay; ``name``, and the limits of a run.
    """
    run, spot = _open_holdem(request, "Locks are")
    fields = body(request).only(
        "locks", "text", "line", "board", "everywhere", "keep", "name", *_RUN_FIELDS
    )
    if "text" in fields:
        node, lines = _lock_lines(run, spot, fields)
        if not lines:
            raise RequestError(
                "Nothing is locked: write hands, a colon and what they do.", field="text"
            )
        is_on_board = len(node.board) > 2 * len(spot.game.board) and not fields.flag("everywhere")
        locks = make_locks(lines, node, node.board if is_on_board else None)
    else:
        locks = fields.list("locks", most=5_000)
    settings = spot.game.settings
    if fields.flag("keep", True):
        kept_locks = list(settings.get("locks") or ())
    else:
        kept_locks = []
    game = Holdem(**{**settings, "locks": [*_drop_locks(spot, kept_locks, locks), *locks]})
    return _queue_spot(
        request,
        run,
        game,
        fields,
        usual="0.5%",
        title=f"{run.run_id}, locked",
        name=f"{run.run_id}-locked",
    )


def read_locks(request: Request) -> Answer[LockMixes]:
    """Return what a text locks at a decision: for each line its hands, and the probability of each action.

    Fields: ``line``, ``board``; ``text``, lines such as ``AA, AKs: C 70, F 30``, where ``[as
    solved]`` may stand for the actions, and is null in the answer.
    """
    run, spot = _open_holdem(request, "Locks are")
    node, lines = _lock_lines(run, spot, body(request).only("line", "board", "text"))
    names = node.hands[node.player]
    return answer(
        {
            "mixes": [
                {
                    "hands": [names[k] for k in hands.nonzero()[0]],
                    "strategy": None if mix is None else mix.tolist(),
                }
                for hands, mix in lines
            ]
        }
    )


def _lock_lines(run: OpenRun, spot: SolvedSpot, fields: Fields) -> tuple[SpotNode, list[LockLine]]:
    with run.lock:
        walk = walk_to_decision(spot, fields)
        node = spot.node(walk.line, walk.board)
    return node, read_lock_text(fields.text("text", longest=100_000), node)


def resolve(request: Request) -> Answer[JobAgainst]:
    """Put what follows on a line and a board into the queue, to be solved again with the ranges that come there.

    Fields: ``line``, ``board``, ``name``, and the limits of a run.
    """
    run, spot = _open_holdem(request, "Parts that are solved again on the page are")
    fields = body(request).only("line", "board", "name", *_RUN_FIELDS)
    check_two_ranges(spot.form, "parts that are solved again are")
    with run.lock:
        walk = walk_to_decision(spot, fields)
        game, place_text = make_part(run.solution, walk.line, walk.board)
    line = walk.line.strip(" |").replace(" | ", "-") or "start"
    name = f"{run.run_id}-{line}-{walk.board}"
    return _queue_spot(
        request, run, game, fields, usual="0.1%", title=f"{run.run_id} {place_text}", name=name
    )


def _queue_spot(
    request: Request,
    run: OpenRun,
    game: Holdem,
    fields: Fields,
    *,
    usual: str,
    title: str,
    name: str,
) -> Answer[JobAgainst]:
    """Put a spot that comes from a run into the queue, with the run's settings where the fields give no other.

    Without a limit it ends at ``usual``, or near a quantal response equilibrium where the run has
    approached one.
    """
    settings = _carry_settings(game, run.solution)
    settings |= {field: fields.any(field) for field in _RUN_FIELDS if field in fields}
    keywords = read_run_keywords(Fields(settings))
    check_goal_of_spot(keywords)
    if not keywords.keys() & {"until", "iterations", "seconds"}:
        if find_concept(keywords.get("concept", "nash")).is_quantal:
            keywords["until"] = _USUAL_GAP
        else:
            keywords["until"] = usual
    run_request = {
        "game": str(game),
        "title": title,
        "keywords": keywords,
        "spot": True,
        "settings": game.settings,
    }
    job = workspace_of(request).queue.add(
        run_request, fields.text("name", "", longest=100).strip() or name
    )
    return answer({"job": job.summary(), "against": request.path_params["run"]}, status=201)


def _carry_settings(game: Holdem, solution: Solution) -> dict[str, Any]:
    """Return the settings of a run for a game that was made from its own, or refuse those that no job has."""
    keywords = carried_settings(solution)
    unknown = next((name for name in keywords if name not in JOB_SETTINGS), None)
    if unknown is not None:
        raise RequestError(
            f"This run has {unknown}={keywords[unknown]!r}, which runs of the page do not take."
        )
    concept = find_concept(keywords.get("concept", "nash"))
    pot = solution.info.game.pot
    if isinstance(concept, QRE) and pot is not None and pot != game.pot:
        share = read_percent(concept.temperature)
        if share is not None:  # the same temperature, in chips
            keywords["concept"] = str(replace(concept, temperature=share / 100 * pot))
    return keywords


def _drop_locks(spot: SolvedSpot, old_locks: list[Any], locks: list[Any]) -> list[Any]:
    def place(lock: Any) -> tuple[Any, ...]:
        return line_tokens(str(lock.get("line", ""))), str(lock.get("board") or "")

    replaced = {place(lock) for lock in locks if isinstance(lock, dict)}
    return [lock for lock in old_locks if place(lock) not in replaced]
