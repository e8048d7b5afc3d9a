"""Routes of tables of play: dealing, acting, training at a line, and the histories of play."""

from __future__ import annotations

import math
import random
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, count
from typing import Any, Literal, cast
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response

from ..._util.places import import_place
from ...errors import GameError
from ...form.compiled_game import CompiledGame
from ...form.limits import CompileBudget, free_memory
from ...games.compile import compile_any
from ...games.load import load
from ...games.registry import BUILT_IN
from ...play.hand import Hand, HandNumbers, write_line
from ...play.history import FILTERS, GROUPS, History
from ...play.score import GRADES, cost_unit
from ...play.session import Session, totals
from ...play.training import size_groups
from ...resolving.resolve import two_players
from ...resolving.searcher import Searcher
from ...solving.exact import exact
from ...web.answers import Answer
from ...web.respond import Fields, RequestError, answer, body, download, query, write_csv
from ...web.workspace import OpenRun, Workspace, run_of, workspace_of
from ..answers import (
    DecisionRow,
    Decisions,
    HandAtTable,
    HandRow,
    HandRows,
    HistoryScores,
    TableChanged,
    TableRow,
    TableRows,
    TableState,
    Training,
)
from ..jobs.kinds import MISTAKES

# Tables in memory, of up to some 3 MB each; others are set up again when they are asked for.
_MOST_LIVE = 1_000
_FEWEST_LIVE = 12  # that stay while less memory is free than this, in GB
_KEPT_FREE = 1.0
_LONGEST_NAME = 40  # characters of a pupil's name
_MOST_DECISIONS = 100_000  # of a file
_MOST_SMALL = 4  # games whose equilibrium is kept
_MOST_AT_ONCE = 20_000  # histories of a game whose equilibrium is found while the request waits
_MOST_SEARCHED = (
    1_000_000  # histories of a game that is written out so that an opponent can search it
)
# of CFR for a part that is not small; the share is one of the pot
_SEARCH: dict[str, Any] = {
    "seconds": 5.0,
    "until": "0.1%",
}
_UNTIL = 1e-3  # of the largest payoff, where there is no pot
_MOST_LINES = 500
_MOST_HANDS = 2**53
_MOST_POINTS = 300  # of a curve
# what is told of a table
_SHOWN = (
    "id",
    "kind",
    "game",
    "run",
    "opponent",
    "unit",
    "created",
    "deleted",
    "settings",
)
_SETTINGS = (
    "run",
    "game",
    "seat",
    "seed",
    "line",
    "board",
    "hands",
    "answers",
    "missing",
    "search",
    "mistakes",
)
_SHOWN_ONLY = ("sizes", "mixing", "timer", "pupil")
"""Settings that change how choices are offered, or say who makes them, and nothing of what is dealt."""


class LiveTable:
    """A table at which hands are being played: its row of the history, its session, and the last hand that ended here.

    Hold ``lock`` while a hand goes on.
    """

    def __init__(self, table: dict[str, Any], session: Session, history: History) -> None:
        self.table = table
        self.session = session
        self.history = history
        self.lock = threading.RLock()
        self.last: dict[str, Any] | None = None
        self.actions_chosen: list[int] = []
        self.searched = 0  # parts that the opponent had solved again when the hand began
        session.before = len(history.numbers(table["id"]))
        if session.before:
            self.last = history.hand(table["id"], session.before)

    def resume(self) -> None:
        """Go on with a hand that was being played when the table was put away, as far as the strategy is the same."""
        pending = self.table["pending"]
        if pending is None:
            return
        self.deal()
        for action in pending:
            turn = self.session.turn
            if turn is None or action >= len(turn.actions):
                return
            self.take(action)

    def deal(self) -> None:
        if self.session.turn is None:
            self.actions_chosen = []
            self.searched = len(self.session.strategy.log)
            self._keep(self.session.deal())

    def take(self, action: int) -> None:
        """Take an action by its number."""
        hand = self.session.take(action)
        self.actions_chosen.append(action)
        self._keep(hand)

    @property
    def choices(self) -> dict[str, tuple[int, ...]]:
        """What may be chosen at this turn, each with the numbers of its actions: several where sizes do not count."""
        turn = self.session.turn
        actions = () if turn is None else turn.actions
        if self.table["settings"].get("sizes") == "grouped":
            return size_groups(actions)
        return {action: (number,) for number, action in enumerate(actions)}

    def _random(self, hand: int, step: int) -> int | None:
        """Return the number from 1 to 100 that is given with a choice, for those who mix by it; None if not wanted."""
        settings = self.table["settings"]
        if settings.get("mixing"):
            return random.Random(f"{settings['seed']} {hand} {step} mix").randint(1, 100)
        return None

    def _last(self) -> dict[str, Any] | None:
        """Return the hand that ended last, with the number that was given with each choice."""
        hand = self.last
        if hand is None or not self.table["settings"].get("mixing"):
            return hand
        steps = count()
        numbers = []
        for place, move in enumerate(hand["moves"]):
            is_choice = place >= hand["begun"] and move["player"] == hand["seat"]
            numbers.append(self._random(hand["hand"], next(steps)) if is_choice else None)
        return {**hand, "random": numbers}

    def _keep(self, hand: Hand | None) -> None:
        """Write down a hand that is over, or else what was chosen so far in the one that is being played."""
        if hand is None:
            self.history.keep_pending(self.table["id"], self.actions_chosen)
        else:
            self.history.add(self.table["id"], hand, self.session.grading)
            self.last = self.history.hand(self.table["id"], hand.number)
            self.actions_chosen = []

    def _search(self) -> dict[str, Any] | None:
        """Return what the opponent solved again; where, which may tell its hand, once the hand is over."""
        if not self.session.strategy.is_searching:
            return None
        searches = self.session.strategy.log
        new_searches = searches[self.searched :]
        sentences = []
        if self.session.turn is None:
            sentences = [record.sentence for record in new_searches]
        return {
            "parts": len(searches),
            "new": len(new_searches),
            "seconds": math.fsum(record.seconds for record in new_searches),
            "sentences": sentences,
        }

    def state(self) -> TableState:
        session = self.session
        turn = self.session.turn
        table = self.table
        numbers = self.history.numbers(table["id"])
        state: dict[str, Any] = {
            **{name: table[name] for name in _SHOWN},
            "settings": public_settings(table["settings"]),
            "players": session.playable.players,
            "costs": session.action_values is not None,
            "reason": session.unknown if session.action_values is None else "",
            "search": self._search(),
            "grading": {"limits": session.grading.limits, "note": session.grading.note},
            "hand": session.number if turn is not None else session.number - 1,
            "turn": None,
            "last": self._last() if turn is None else None,
            "totals": {label: total._asdict() for label, total in totals(numbers).items()},
            "course": winnings_course(numbers),
            "score": self.history.score({"table": table["id"]}),
        }
        if turn is not None:
            state["turn"] = {
                "hand": turn.hand,
                "step": len(self.actions_chosen),
                "seat": turn.seat,
                "infoset": turn.infoset,
                "actions": list(self.choices),
                "random": self._random(turn.hand, len(self.actions_chosen)),
                "table": turn.table,
                "line": write_line(session.moves) if session.playable.public else None,
                # no strategy
                "moves": [{"player": move.player, "action": move.action} for move in turn.moves],
            }
        return cast(TableState, state)


def public_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a table without the decisions that are drilled, of which only the number is told."""
    mistakes = settings.get("mistakes")
    return {"pupil": None, **settings, "mistakes": mistakes and len(mistakes)}


def winnings_course(hands: Sequence[HandNumbers]) -> list[tuple[int, float, float]]:
    """Return number of hands, what was won, and what would have been without luck: a curve of some points."""
    if any(hand.luck is None or hand.payoff is None for hand in hands):
        return []
    winnings = list(accumulate((hand.payoff or 0.0 for hand in hands), initial=0.0))
    luck = list(accumulate((hand.luck or 0.0 for hand in hands), initial=0.0))
    every = max(1, len(hands) // _MOST_POINTS)
    counts = sorted({*range(0, len(hands) + 1, every), len(hands)})
    return [(count, winnings[count], winnings[count] - luck[count]) for count in counts]


class Tables:
    """The tables of a served folder: those used last, as far as memory goes, and the history of all.

    A table that was put away is set up again from the history, with the hand that is being played
    there. One that a request holds is never set up a second time.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.history = History(workspace.private / "play.sqlite")
        self._held: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()  # by anybody
        # Those used last, which stay in memory.
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._lock = threading.Lock()  # of both dictionaries
        self._opening = threading.Lock()

    def open(self, settings: dict[str, Any]) -> LiveTable:
        session, game = self._session(settings)
        settings["seed"] = session.seed
        kind = "play" if session.line is None else "train"
        opponent = (
            session.opponent or settings["run"] or "plays an equilibrium, found by linear programme"
        )
        if session.strategy.is_searching:
            opponent = f"{opponent}, which searches"
        unit = cost_unit(session.playable.form)
        table_id = self.history.open_table(
            settings, kind=kind, game=game, run=settings["run"], opponent=opponent, unit=unit
        )
        return self._keep(LiveTable(self.history.table(table_id) or {}, session, self.history))

    def table(self, table_id: str) -> LiveTable:
        """Return a table, set up again where the server was started anew or has forgotten it."""
        live = self._find_in_memory(table_id)
        if live is not None:
            return live
        with self._opening:
            live = self._find_in_memory(table_id)
            if live is not None:
                return live
            table = self.history.table(table_id)
            if table is None:
                raise RequestError(f"There is no table {table_id!r}.", field="table", status=404)
            session, _ = self._session(table["settings"])
            live = LiveTable(table, session, self.history)
            live.resume()
            return self._keep(live)

    def _find_in_memory(self, table_id: str) -> LiveTable | None:
        """Return a table that is in memory, which is now the one that was used last."""
        with self._lock:
            live = self._held.get(table_id)
            if live is None:
                return None
            return self._keep_last(live)

    def _keep(self, live: LiveTable) -> LiveTable:
        with self._lock:
            return self._keep_last(live)

    def _keep_last(self, live: LiveTable) -> LiveTable:
        """Note that a table is used, while the lock is held, and let those go that were not for longest."""
        table_id = live.table["id"]
        self._held[table_id] = live
        self._live[table_id] = live
        self._live.move_to_end(table_id)
        while len(self._live) > self.most_live:
            self._live.popitem(last=False)
        return live

    @property
    def live(self) -> int:
        """The number of tables in memory."""
        return len(self._live)

    @property
    def most_live(self) -> int:
        """The most tables that are kept in memory, as much of it as there is."""
        if free_memory() < _KEPT_FREE:
            return _FEWEST_LIVE
        return _MOST_LIVE

    def forget(self, table_id: str) -> None:
        with self._lock:
            self._held.pop(table_id, None)
            self._live.pop(table_id, None)

    def _session(self, settings: dict[str, Any]) -> tuple[Session, str]:
        keywords = {
            name: settings[name] for name in ("seat", "seed", "line", "board", "answers", "missing")
        }
        keywords["dealt"] = settings["hands"]
        if settings.get("mistakes") is not None:
            keywords["line"] = {
                (player, infoset): cost for player, infoset, cost in settings["mistakes"]
            }
        if settings["run"] is not None:
            run = self.workspace.run(settings["run"])
            if not run.solution.is_complete:  # it has met a part of the infosets
                keywords["missing"] = "uniform"
            with run.lock:
                against = _make_searcher(run) if settings.get("search") else run.solution
                return Session(
                    run.game, against=against, form=_compile_run(run), **keywords
                ), run.solution.game
        form, equilibrium = _solve_small_game(settings["game"])
        return Session(
            load(settings["game"]), against=equilibrium, form=form, **keywords
        ), settings["game"]


def _compile_run(run: OpenRun) -> CompiledGame | None:
    """Return the compiled game of a run; None where it is too large: hands are played all the same."""
    try:
        return run.form
    except GameError:
        return None


def _make_searcher(run: OpenRun) -> Searcher:
    """Return an opponent that starts from a run, and solves again what play comes to while its player waits."""
    if run.solution.strategy.form is not None:
        return Searcher(run.solution, **_SEARCH)
    limits = CompileBudget(max_histories=_MOST_SEARCHED)
    form = compile_any(run.game, form="sequence", keep_tree=True, limits=limits, check=two_players)
    if form.histories <= _MOST_AT_ONCE:
        return Searcher(run.solution, game=form)
    return Searcher(run.solution, game=form, **_SEARCH | {"until": _UNTIL * form.largest_payoff})


@lru_cache(_MOST_SMALL)
def _solve_small_game(text: str) -> tuple[Any, Any]:
    """Return a compiled built-in game, and its equilibrium: many tables are played at the same one."""
    form = _small_game(text)
    return form, exact(form)


def _small_game(text: str) -> Any:
    """Return a compiled built-in game whose equilibrium is found at once."""
    if text.partition("(")[0].strip() not in BUILT_IN:
        raise RequestError(
            f"{text!r} is no built-in game: solve it first, and play against the run.", field="game"
        )
    try:
        form = compile_any(text, limits=CompileBudget(max_histories=_MOST_AT_ONCE), keep_tree=True)
    except GameError as error:
        if error.wrong_use:
            raise
        form = None
    if form is None or form.tree is None or form.players != 2 or not form.zero_sum:
        raise RequestError(
            f"{text} is too large to be solved while you wait, or not a zero-sum game of two: "
            "solve it first, and play against the run.",
            field="game",
        )
    return form


def _find_tables(request: Request) -> Tables:
    state = request.app.state
    with _MAKING:
        if not hasattr(state, "tables"):
            state.tables = Tables(state.workspace)
    return state.tables  # type: ignore[no-any-return]


_MAKING = threading.Lock()


def _find_table(request: Request) -> LiveTable:
    return _find_tables(request).table(request.path_params["table"])


def open_table(request: Request) -> Answer[TableState]:
    """Open a table against a run, or against an equilibrium of a small game; deal the first hand."""
    fields = body(request).only(*_SETTINGS, *_SHOWN_ONLY)
    settings = {
        "run": fields.text("run", None),
        "game": fields.text("game", None),
        "seat": fields.whole("seat", None, high=99),
        "seed": fields.whole("seed", None),
        "line": fields.text("line", None),
        "board": fields.text("board", None),
        "hands": fields.text("hands", None),
        "answers": fields.whole("answers", None, low=1, high=1_000),
        "missing": fields.choice("missing", ("uniform",), None),
        "search": fields.flag("search"),
        "sizes": fields.choice("sizes", ("each", "grouped"), "each"),
        "mixing": fields.flag("mixing"),
        "timer": fields.whole("timer", None, low=1, high=3_600),
        "pupil": _read_pupil(fields),
        "mistakes": None,
    }
    if (settings["run"] is None) == (settings["game"] is None):
        raise RequestError("Give either a run to play against, or a game.", field="run")
    if settings["search"] and settings["run"] is None:
        raise RequestError(
            "An equilibrium cannot be bettered by search: give a run.", field="search"
        )
    if "mistakes" in fields:
        if settings["run"] is None or settings["line"] is not None:
            raise RequestError(
                "Mistakes are those at a run, and dealt instead of a line.", field="mistakes"
            )
        settings["mistakes"] = _find_mistakes(
            request, settings["run"], Fields(fields.table("mistakes"))
        )
    live = _find_tables(request).open(settings)
    with live.lock:
        live.deal()
        return answer(live.state(), status=201)


def _read_pupil(fields: Fields) -> str | None:
    """Return the name of who plays, with single blanks; None where none is given."""
    text = fields.text("pupil", "", longest=_LONGEST_NAME)
    name = " ".join(text.split())
    if not name.isprintable():
        raise RequestError(
            f"A name has letters, digits, signs and blanks; got {name!r}.", field="pupil"
        )
    return name or None


def _find_mistakes(request: Request, run: str, fields: Fields) -> list[tuple[int, str, float]]:
    """Return the mistakes that fields choose: those of the history of play, or those that were made elsewhere."""
    for name, place in MISTAKES.items():
        if name in fields:
            find_mistakes: Callable[..., list[tuple[int, str, float]]] = import_place(place)
            return find_mistakes(workspace_of(request), run, fields)
    filters = _read_filters(fields) | {"run": run}
    return _find_tables(request).history.mistakes(filters)


def list_tables(request: Request) -> Answer[TableRows]:
    """Return the tables, the last one first."""
    fields = query(request).only("run", "pupil", "most")
    tables = _find_tables(request)
    listed = tables.history.tables(
        run=fields.text("run", None),
        pupil=fields.text("pupil", None),
        most=fields.whole("most", 100, low=1, high=1_000),
    )
    rows = [{**table, "settings": public_settings(table["settings"])} for table in listed]
    return answer(
        {
            "tables": cast(list[TableRow], rows),
            "live": tables.live,
            "most_live": tables.most_live,
        }
    )


def show_table(request: Request) -> Answer[TableState]:
    """Return a table as it stands."""
    live = _find_table(request)
    with live.lock:
        return answer(live.state())


def deal(request: Request) -> Answer[TableState]:
    """Deal the next hand; one that is being played goes on."""
    live = _find_table(request)
    with live.lock:
        live.deal()
        return answer(live.state())


def move(request: Request) -> Answer[TableState]:
    """Take an action in the hand that is being played."""
    fields = body(request).only("hand", "step", "action")
    live = _find_table(request)
    with live.lock:
        turn = live.session.turn
        if turn is None:
            raise RequestError("No hand is being played: deal one.", status=409)
        turn_place = (turn.hand, len(live.actions_chosen))
        if (fields.whole("hand", turn_place[0]), fields.whole("step", turn_place[1])) != turn_place:
            raise RequestError("This choice was made already.", status=409)
        action = fields.text("action")
        if action not in live.choices:
            raise RequestError(
                f"The actions are {', '.join(live.choices)}; got {action!r}.", field="action"
            )
        live.take(live.session.preferred(live.choices[action]))
        return answer(live.state())


def hand(request: Request) -> Answer[HandAtTable]:
    """Return a hand that was played, with all moves."""
    history = _find_tables(request).history
    table_id = request.path_params["table"]
    table = history.table(table_id)
    number = request.path_params["hand"]
    if table is None or number > _MOST_HANDS:
        record = None
    else:
        record = history.hand(table_id, number)
    if table is None or record is None:
        raise RequestError(f"There is no hand {number} at this table.", status=404)
    names = ("id", "kind", "game", "run", "unit", "opponent")
    about = {**record, "table": {name: table[name] for name in names}}
    return answer(cast(HandAtTable, about))


def delete_table(request: Request) -> Answer[TableChanged]:
    """Put a table and its hands away; PATCH takes them back."""
    return _put_away(request, deleted=True)


def change_table(request: Request) -> Answer[TableChanged]:
    """Take a table back that was deleted."""
    return _put_away(request, deleted=body(request).only("deleted").flag("deleted"))


def _put_away(request: Request, *, deleted: bool) -> Answer[TableChanged]:
    tables = _find_tables(request)
    table_id = request.path_params["table"]
    if tables.history.table(table_id) is None:
        raise RequestError(f"There is no table {table_id!r}.", field="table", status=404)
    tables.history.delete_table(table_id, deleted=deleted)
    tables.forget(table_id)
    return answer({"id": table_id, "deleted": deleted})


def training(request: Request) -> Answer[Training]:
    """Return the decisions of a run at which hands can be dealt, those first where most is at stake."""
    run = run_of(request)
    fields = query(request).only("most", "pupil")
    most_lines = fields.whole("most", 200, low=1, high=_MOST_LINES)
    mistakes_of = {"run": run.run_id, "pupil": fields.text("pupil", None)}

    with run.lock:
        places = run.subject.places_to_train()
        kind: Literal["lines", "infosets"] = "lines" if run.subject.has_lines else "infosets"
    mistakes = len(_find_tables(request).history.mistakes(mistakes_of))
    return answer(
        {"kind": kind, "total": len(places), "places": places[:most_lines], "mistakes": mistakes}
    )


def history(request: Request) -> Answer[HistoryScores] | Response:
    """Return decisions summed up by game, pupil, action, line, infoset, seat or grade: where most was lost first."""
    fields = query(request)
    group = fields.choice("by", tuple(GROUPS), "game")
    filters = _read_filters(fields, "by", "most", "format")
    history_of_play = _find_tables(request).history
    most_rows = fields.whole("most", 200, low=1, high=1_000)
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        return download(
            _history_csv(history_of_play.by(group, filters, most=most_rows)),
            f"history-{group}.csv",
            "text/csv; charset=utf-8",
        )
    return answer(
        {
            "by": group,
            "total": history_of_play.score(filters),
            "rows": history_of_play.by(group, filters, most=most_rows),
        }
    )


def _history_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    """Return sums of decisions as CSV."""
    columns = ("name", "game", "decisions", "hands", "cost", "at_stake", "lost", "score")
    return write_csv(
        [*columns, *GRADES, "unit"],
        [
            [
                *(row[name] for name in columns),
                *(row["grades"][grade] for grade in GRADES),
                row["unit"],
            ]
            for row in rows
        ],
    )


def history_decisions(request: Request) -> Answer[Decisions] | Response:
    """Return decisions one by one, the last first or the dearest: who chose what, and what the strategy plays there."""
    fields = query(request)
    order = fields.choice("order", ("played", "cost"), "played")
    filters = _read_filters(fields, "order", "most", "format")
    most = fields.whole("most", 100, low=1, high=1_000)
    history_of_play = _find_tables(request).history
    total = history_of_play.score(filters)["decisions"]
    if fields.choice("format", ("json", "csv"), "json") == "json":
        rows = history_of_play.decisions(filters, order=order, most=most)
        return answer({"total": total, "decisions": cast(list[DecisionRow], rows)})
    if total > _MOST_DECISIONS:
        raise RequestError(
            f"A file has at most {_MOST_DECISIONS:,} decisions, and these are {total:,}: restrict "
            "them by pupil, run or since.",
            field="format",
        )
    rows = history_of_play.decisions(filters, order=order, most=_MOST_DECISIONS)
    return download(_decisions_csv(rows), "decisions.csv", "text/csv; charset=utf-8")


def _decisions_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    """Return decisions as CSV: times in seconds since 1970, costs in payoff."""
    before = ("pupil", "played", "game", "run", "table_id", "number", "seat", "hand", "infoset")
    after = ("cost", "unit")
    table = []
    for row in rows:
        plays = ""
        if row["mix"] is not None:
            mixed = zip(row["actions"], row["mix"], strict=True)
            plays = ", ".join(f"{action} {share:.1%}" for action, share in mixed)
        grade = row["grade"]
        table.append(
            [
                *(row[name] for name in before),
                row["line"],
                row["action"],
                plays,
                ", ".join(row["best"]),
                *(row[name] for name in after),
                None if grade is None else GRADES[grade],
            ]
        )
    heads = [*before, "line", "chose", "strategy_plays", "best", *after, "grade"]
    return write_csv(heads, table)


def history_hands(request: Request) -> Answer[HandRows]:
    """Return hands that were played: the last first, or the dearest."""
    fields = query(request)
    order = fields.choice("order", ("played", "cost", "luck", "payoff"), "played")
    filters = _read_filters(fields, "order", "most", "skip")
    most_hands = fields.whole("most", 50, low=1, high=500)
    skip = fields.whole("skip", 0)
    history_of_play = _find_tables(request).history
    hands = history_of_play.hands(filters, order=order, most=most_hands, skip=skip)
    return answer({"hands": cast(list[HandRow], hands)})


def _read_filters(fields: Fields, *others: str) -> dict[str, Any]:
    fields.only(*FILTERS, *others)
    numbers = {"seat": 99, "grade": 3}
    filters: dict[str, Any] = {
        name: fields.text(name, None) for name in FILTERS if name not in {*numbers, "since"}
    }
    filters |= {name: fields.whole(name, None, high=high) for name, high in numbers.items()}
    return filters | {"since": fields.number("since", None)}
