"""Histories of play in SQLite: tables, hands and decisions, and sums of what was lost where."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._util.files import NotRegularError, check_regular
from .._util.moving import move_path
from .._util.places import import_place
from ..errors import SolutionError
from .hand import Hand, HandNumbers, write_line
from .score import GRADES, Grading

_FORMAT = 1
_BROKEN = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_TABLES = f"""
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, created REAL NOT NULL, deleted INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL,
    game TEXT NOT NULL, run TEXT, opponent TEXT NOT NULL, unit REAL NOT NULL,
    settings TEXT NOT NULL, pending TEXT NOT NULL DEFAULT 'null'
);
CREATE TABLE IF NOT EXISTS hands (
    id INTEGER PRIMARY KEY, table_id TEXT NOT NULL REFERENCES tables, number INTEGER NOT NULL, played REAL NOT NULL,
    seat INTEGER NOT NULL, payoff REAL, best_response_value REAL, cost REAL, luck REAL, line TEXT NOT NULL,
    hand TEXT NOT NULL, UNIQUE (table_id, number)
);
CREATE TABLE IF NOT EXISTS decisions (
    hand_id INTEGER NOT NULL REFERENCES hands ON DELETE CASCADE, step INTEGER NOT NULL, player INTEGER NOT NULL,
    infoset TEXT NOT NULL, line TEXT NOT NULL, action TEXT NOT NULL, cost REAL, at_stake REAL, share REAL,
    grade INTEGER, PRIMARY KEY (hand_id, step)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS hands_of_tables ON hands (table_id);
PRAGMA user_version = {_FORMAT};
"""
GROUPS = {
    "game": "t.game",
    "action": "d.action",
    "line": "d.line",
    "infoset": "d.infoset",
    "seat": "d.player",
    "grade": "d.grade",
    "street": "street_of(d.infoset)",
    "class": "class_of(d.infoset, t.game)",
    "pupil": "json_extract(t.settings, '$.pupil')",
}
"""What decisions can be summed up by, and its column."""
_PERSONS = ("pupil",)
"""Groups whose rows sum up several games: one for each person."""
FUNCTIONS = {
    "street_of": (1, "poker.solved.infoset_names:street_of_infoset"),
    "class_of": (2, "poker.solved.infoset_names:made_hand_of_infoset"),
    "hand_of": (1, "poker.solved.infoset_names:hand_of_infoset"),
}
"""The functions of these columns: how many arguments they take, and their places."""

_ORDERS = {
    "cost": "h.cost / t.unit DESC",
    "played": "h.id DESC",
    "luck": "h.luck / t.unit",
    "payoff": "h.payoff / t.unit",
}
_DECISION_ORDERS = {"played": "h.id DESC, d.step DESC", "cost": "d.share DESC, h.id DESC"}


class History:
    """Hands that were played, in a file that several processes and threads may use at once (WAL).

    The file is made where it is not there; one that is broken is kept beside it, as
    ``NAME.broken``.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with self._open_database():
                pass
        except SolutionError as error:
            if getattr(error.__cause__, "sqlite_errorcode", None) not in _BROKEN:
                raise
            move_path(self.path, f"{self.path}.broken")
            for suffix in ("-wal", "-shm"):
                Path(f"{self.path}{suffix}").unlink(missing_ok=True)
            with self._open_database():
                pass

    @contextmanager
    def _open_database(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            if self.path.exists():
                check_regular(self.path)
            database = sqlite3.connect(self.path, timeout=10)
            try:
                version = database.execute("PRAGMA user_version").fetchone()[0]
                if version > _FORMAT:
                    raise SolutionError(
                        f"{self.path} was written by a newer version of Equilibrist: update this "
                        "one."
                    )
                if version < _FORMAT:  # new, or made anew where somebody has removed it
                    database.execute("PRAGMA journal_mode = WAL")
                    database.executescript(_TABLES)
                database.row_factory = sqlite3.Row
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("PRAGMA foreign_keys = ON")
                for name, (arguments, place) in FUNCTIONS.items():
                    function = import_place(place)
                    database.create_function(name, arguments, function, deterministic=True)
                with database:
                    yield database
            finally:
                database.close()
        except NotRegularError as error:
            raise SolutionError(
                f"{self.path} cannot be used as a history of play: it is {error.kind}."
            ) from error
        except sqlite3.DatabaseError as error:
            raise SolutionError(
                f"{self.path} cannot be used as a history of play: {error}."
            ) from error

    def _rows(self, query: str, values: Sequence[Any]) -> list[sqlite3.Row]:
        """Execute one statement; return its rows, none where it only writes."""
        with self._open_database() as base:
            return base.execute(query, values).fetchall()

    # --- Tables ---

    def open_table(
        self,
        settings: Mapping[str, Any],
        *,
        kind: str,
        game: str,
        run: str | None,
        opponent: str,
        unit: float,
    ) -> str:
        table_id = secrets.token_hex(6)
        row = (table_id, time.time(), kind, game, run, opponent, unit, json.dumps(dict(settings)))
        columns = "id, created, kind, game, run, opponent, unit, settings"
        self._rows(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return table_id

    def table(self, table_id: str) -> dict[str, Any] | None:
        rows = self._rows("SELECT * FROM tables WHERE id = ?", (table_id,))
        if rows:
            return _read_table(rows[0])
        return None

    def tables(
        self, *, run: str | None = None, pupil: str | None = None, most: int = 100
    ) -> list[dict[str, Any]]:
        """Return the tables, the last one first, with the number of hands and what was won and lost at each."""
        where, values = _where_clause({"run": run, "pupil": pupil})
        rows = self._rows(
            "SELECT t.*, COUNT(h.id) AS hands, SUM(h.payoff) AS payoff, SUM(h.cost) AS cost, "
            "SUM(h.luck) AS luck, MAX(h.played) AS played FROM tables t LEFT JOIN hands h ON "
            f"h.table_id = t.id WHERE {where} GROUP BY t.id ORDER BY "
            "COALESCE(MAX(h.played), t.created) DESC LIMIT ?",
            (*values, most),
        )
        return [_read_table(row) for row in rows]

    def delete_table(self, table_id: str, *, deleted: bool = True) -> None:
        self._rows("UPDATE tables SET deleted = ? WHERE id = ?", (deleted, table_id))

    def keep_pending(self, table_id: str, actions: Sequence[int]) -> None:
        """Keep the numbers of the actions that were taken in a hand that is being played: none where it is dealt."""
        self._rows(
            "UPDATE tables SET pending = ? WHERE id = ?", (json.dumps(list(actions)), table_id)
        )

    # --- Hands ---

    def add(self, table_id: str, hand: Hand, grading: Grading) -> None:
        """Keep a hand and its decisions; nothing is pending afterwards."""
        numbers = (
            hand.number,
            time.time(),
            hand.seat,
            hand.payoff,
            hand.best_response_value,
            hand.cost,
            hand.luck,
        )
        decisions = []
        for step, move in enumerate(hand.moves):
            if step >= hand.begun and move.player == hand.seat:
                if move.cost is None:
                    share = None
                else:
                    share = move.cost / grading.unit
                names = (
                    step,
                    move.player,
                    move.infoset,
                    write_line(hand.moves[:step]),
                    move.action,
                )
                decisions.append((*names, move.cost, move.at_stake, share, grading.grade(move)))
        columns = (
            "table_id, number, played, seat, payoff, best_response_value, cost, luck, line, hand"
        )
        row = (table_id, *numbers, write_line(hand.moves), json.dumps(hand.summary()))
        places = ", ".join("?" * 10)
        with self._open_database() as base:
            cursor = base.execute(f"INSERT INTO hands ({columns}) VALUES ({places})", row)
            base.executemany(
                f"INSERT INTO decisions VALUES ({places})",
                [(cursor.lastrowid, *decision) for decision in decisions],
            )
            base.execute("UPDATE tables SET pending = 'null' WHERE id = ?", (table_id,))

    def numbers(self, table_id: str) -> list[HandNumbers]:
        """Return the numbers of all hands of a table, in their order."""
        query = (
            "SELECT payoff, best_response_value, cost, luck FROM hands WHERE table_id = ? ORDER "
            "BY number"
        )
        return [HandNumbers(*row) for row in self._rows(query, (table_id,))]

    def hand(self, table_id: str, number: int) -> dict[str, Any] | None:
        """Return a hand with all moves and their grades, None but for choices; None where there is none."""
        rows = self._rows(
            "SELECT hand, step, grade FROM hands LEFT JOIN decisions ON hand_id = id WHERE "
            "table_id = ? AND number = ?",
            (table_id, number),
        )
        if not rows:
            return None
        hand: dict[str, Any] = json.loads(rows[0]["hand"])
        grades = {row["step"]: row["grade"] for row in rows}
        return {**hand, "grades": [grades.get(step) for step in range(len(hand["moves"]))]}

    def hands(
        self,
        filters: Mapping[str, Any] | None = None,
        *,
        order: str = "played",
        most: int = 50,
        skip: int = 0,
    ) -> list[dict[str, Any]]:
        """Return hands without their moves: the last first, or the dearest (``"cost"``), unluckiest, poorest."""
        where, values = _where_clause(filters or {})
        rows = self._rows(
            "SELECT DISTINCT h.table_id, h.number, h.played, h.seat, h.payoff, "
            "h.best_response_value, h.cost, h.luck, h.line, t.game, t.run, t.kind, t.unit FROM "
            "hands h JOIN tables t ON t.id = h.table_id LEFT JOIN decisions d ON d.hand_id = "
            f"h.id WHERE {where} ORDER BY {_ORDERS[order]}, h.id DESC LIMIT ? OFFSET ?",
            (*values, most, skip),
        )
        return [dict(row) for row in rows]

    def mistakes(
        self, filters: Mapping[str, Any] | None = None, *, most: int = 500
    ) -> list[tuple[int, str, float]]:
        """Return player, infoset and share lost of decisions that were answered wrong the last time, dearest first."""
        where, values = _where_clause(filters or {})
        last = (
            f"SELECT d.player, d.infoset, d.share, d.grade, MAX(h.id) {_JOINED} WHERE {where} "
            "GROUP BY 1, 2"
        )
        query = (
            f"SELECT player, infoset, share FROM ({last}) WHERE grade > 0 AND share > 0 ORDER BY "
            "share DESC LIMIT ?"
        )
        return [
            (row["player"], row["infoset"], row["share"])
            for row in self._rows(query, (*values, most))
        ]

    def decisions(
        self,
        filters: Mapping[str, Any] | None = None,
        *,
        order: str = "played",
        most: int = 100,
    ) -> list[dict[str, Any]]:
        """Return decisions one by one: the last first, or those that cost the largest share of the unit.

        Each has who made it (``pupil``), its ``hand`` where its infoset names cards, the ``line``
        before it, the ``action`` that was taken, the ``actions`` that there were, ``mix``, what the
        strategy plays there, ``best``, and ``cost``; the last three as far as they are known.
        """
        where, values = _where_clause(filters or {})
        rows = self._rows(
            f"SELECT {GROUPS['pupil']} AS pupil, h.table_id, h.number, h.played, t.game, t.run, "
            "t.kind, t.unit, d.step, d.player AS seat, d.infoset, hand_of(d.infoset) AS hand, "
            f"d.line, d.action, d.cost, d.share, d.grade, h.hand AS moves {_JOINED} WHERE {where} "
            f"ORDER BY {_DECISION_ORDERS[order]} LIMIT ?",
            (*values, most),
        )
        return [_read_decision(row) for row in rows]

    # --- Sums ---

    def score(self, filters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the sums over decisions: how many, how many of each grade, what they cost and what was at stake.

        ``cost`` and ``at_stake`` are payoffs of ``game``; ``lost`` and ``score`` are shares of
        ``unit`` (the pot, or the largest payoff). Several games have no sum of payoffs: ``game``,
        ``unit``, ``cost``, ``at_stake`` are None.
        """
        where, values = _where_clause(filters or {})
        query = (
            f"SELECT t.game AS game, t.unit AS unit, {_SUMS} {_JOINED} WHERE {where} GROUP BY "
            "t.game, t.unit LIMIT 2"
        )
        units = self._rows(query, values)
        if len(units) == 1:
            return {"game": units[0]["game"], "unit": units[0]["unit"], **_read_score(units[0])}
        total = _read_score(self._rows(f"SELECT {_SUMS} {_JOINED} WHERE {where}", values)[0])
        return {"game": None, "unit": None, **total, "cost": None, "at_stake": None}

    def by(
        self, group: str, filters: Mapping[str, Any] | None = None, *, most: int = 500
    ) -> list[dict[str, Any]]:
        """Return the same sums by one of :data:`GROUPS`, a row for each game; where most was lost first.

        Lost is what choices cost as a share of the pot, or of the largest payoff: so games can be
        compared. A person has one row, which has neither game nor payoffs where there are several
        games.
        """
        where, values = _where_clause(filters or {})
        column = GROUPS[group]
        if group in _PERSONS:
            keys = column
        else:
            keys = f"{column}, t.game, t.unit"
        rows = self._rows(
            f"SELECT {column} AS name, MIN(t.game) AS game, MIN(t.unit) AS unit, "
            f"COUNT(DISTINCT t.game) AS games, COUNT(DISTINCT t.unit) AS units, {_SUMS} {_JOINED} "
            f"WHERE {where} GROUP BY {keys} ORDER BY lost DESC, decisions DESC LIMIT ?",
            (*values, most),
        )
        return [_read_sum(row) for row in rows]


_JOINED = "FROM decisions d JOIN hands h ON h.id = d.hand_id JOIN tables t ON t.id = h.table_id"
_SUMS = (
    "COUNT(*) AS decisions, COUNT(DISTINCT h.id) AS hands, COUNT(d.cost) AS known, SUM(d.cost) "
    "AS cost, SUM(CASE WHEN d.grade > 0 THEN d.share END) AS charged, SUM(d.at_stake / t.unit) "
    "AS risked, SUM(d.at_stake) AS at_stake, SUM(d.share) AS lost, "
    + ", ".join(f"SUM(d.grade = {number}) AS {name}" for number, name in enumerate(GRADES))
)
_FILTERS = {
    **{group: f"{column} = ?" for group, column in GROUPS.items()},
    "run": "t.run = ?",
    "kind": "t.kind = ?",
    "table": "t.id = ?",
    "since": "h.played >= ?",
}
FILTERS = tuple(_FILTERS)
"""What decisions and hands can be restricted to."""


def _where_clause(filters: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    conditions = {name: value for name, value in filters.items() if value is not None}
    return " AND ".join(["NOT t.deleted", *(_FILTERS[name] for name in conditions)]), tuple(
        conditions.values()
    )


def _read_table(row: sqlite3.Row) -> dict[str, Any]:
    table = dict(row)
    table["settings"], table["pending"] = (
        json.loads(table["settings"]),
        json.loads(table["pending"]),
    )
    table["deleted"] = bool(table["deleted"])
    return table


def _read_decision(row: sqlite3.Row) -> dict[str, Any]:
    """Return a decision as plain data, with what its move in the hand says of it."""
    decision = dict(row)
    moves = json.loads(decision.pop("moves"))["moves"]
    move = moves[row["step"]]
    return {**decision, **{part: move[part] for part in ("actions", "mix", "best")}}


def _read_sum(row: sqlite3.Row) -> dict[str, Any]:
    """Return a row of sums as plain data: without payoffs where it has several games."""
    score = _read_score(row)
    if row["games"] > 1 or row["units"] > 1:
        score |= {"cost": None, "at_stake": None}
        return {"name": row["name"], "game": None, "unit": None, **score}
    return {"name": row["name"], "game": row["game"], "unit": row["unit"], **score}


def _read_score(row: sqlite3.Row) -> dict[str, Any]:
    """Return sums as plain data; ``score`` is that of :func:`equilibrist.play.score.score`, by shares of the unit."""
    sums = {name: row[name] for name in ("decisions", "hands", "known", "cost", "at_stake", "lost")}
    score = None
    if row["known"]:
        if row["risked"] > 0:
            score = 1.0 - (row["charged"] or 0.0) / row["risked"]
        else:
            score = 1.0
    return {**sums, "score": score, "grades": {name: row[name] or 0 for name in GRADES}}
