"""The process that grades a folder of hands for the server: it reads a request, a line, and writes events, a line each.

It ends when its input ends: when its server has gone, or wants it to stop.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..._util.archive import Archive
from ..._util.files import write_atomically
from ..._util.plain import refuse_constant
from ..._util.workers import give_way, take_output
from ...errors import EquilibristError
from ...games.load import load
from ...runs.catalogue import CHECKPOINT
from ..histories.account import HandAccount
from ..histories.grade import TOLERANCE, check_hands, fits_any, grade, read_decisions
from ..histories.grades import make_table
from ..histories.hand import Unread
from ..histories.missing import MissingPlan, MissingSpots
from ..histories.runs import BEFORE, BOARD, CHIPS, HandSpot
from ..spot.game import Holdem
from .hand_folders import FILES, GRADES, REPORT

_GAMES = ("holdem(", "omaha(")
_MOST_PLAYERS = 50
_MOST_SPOTS = 200  # that no run covers, of which is told

Tell = Callable[..., None]


class _Candidate(NamedTuple):
    """A run of the library that may grade.

    Attributes
    ----------
    run_id : str
    folder : str
    spot : HandSpot
    """

    run_id: str
    folder: str
    spot: HandSpot


def grade_folder(request: dict[str, Any], tell: Tell) -> None:
    """Grade a folder of hands by the runs that fit, and write the table and the report into it.

    The files are read twice: first to find which runs are needed, so that no other is loaded.
    """
    folder = Path(request["folder"])
    files = folder / FILES
    tell("stage", text="Reading")
    candidates = _find_candidates(request["runs"])
    plan = _make_plan(request)
    account = HandAccount()
    players = Counter[str]()
    uncovered = Counter[str]()
    used: dict[str, _Candidate] = {}
    for played in read_decisions([files], None, lambda text: tell("stage", text=text), "Reading"):
        account.add(played)
        if isinstance(played, Unread):
            continue
        hand, chosen = played
        on_board = [run for run in candidates if run.spot.suits(hand) is not None]
        for decision in chosen:
            players[hand.players[decision.seat]] += bool(hand.cards[decision.seat])
            fitting = [run for run in on_board if fits_any(hand, decision, [run.spot], TOLERANCE)]
            used |= {run.run_id: run for run in fitting}
            if not fitting:
                uncovered[_find_reason(decision.street, on_board)] += 1
                if plan is not None:
                    plan.count(hand, decision)
    check_hands(["these files"], account)
    report: dict[str, Any] = {
        "hands": account.hands,
        "skipped": [
            {"reason": reason, "count": count, "places": account.places[reason]}
            for reason, count in account.skipped.most_common()
        ],
        "players": [
            {"name": name, "decisions": count}
            for name, count in players.most_common(_MOST_PLAYERS)
            if count
        ],
        "missing": _describe_plan(plan),
        "runs": [],
    }
    table = make_table(())
    if used:
        tell("stage", text=f"Loading {len(used)} of {len(candidates)} runs")
        grades = grade(
            files,
            [run.folder for run in used.values()],
            callbacks=lambda text: tell("stage", text=f"{text} of {account.hands:,}"),
        )
        table = _name_runs(grades.decisions, {run.folder: name for name, run in used.items()})
        uncovered = Counter(grades.uncovered)
        counts = Counter(table["run"].to_pylist())
        report["runs"] = [
            {
                "id": run_id,
                "spot": run.game.has_grid,
                "exploitability_percent": run.exploitability_percent,
                "decisions": counts[run_id],
            }
            for run_id, run in zip(used, grades.runs, strict=True)
        ]
    report |= {
        "graded": len(table),
        "uncovered": [
            {"reason": reason, "count": count} for reason, count in uncovered.most_common()
        ],
    }
    _write_results(folder, table, report)


def _find_candidates(runs: Sequence[tuple[str, str]]) -> list[_Candidate]:
    """Return the runs of spots that can grade, of which neither strategy nor state is read."""
    candidates = []
    for run_id, folder in runs:
        with suppress(EquilibristError, OSError, ValueError, KeyError, TypeError):
            with Archive(Path(folder) / CHECKPOINT) as archive:
                about = json.loads(archive.text("about"), parse_constant=refuse_constant)
            game = about["info"]["game"]
            text = game["definition"] or game["name"]
            if about["streets"] is None and text.startswith(_GAMES):
                spot: Any = load(text)
                candidates.append(_Candidate(run_id, folder, HandSpot(run_id, spot)))
    return candidates


def _make_plan(request: dict[str, Any]) -> MissingPlan | None:
    """Return the plan of spots that no run covers; None where no ranges are given for them."""
    ranges = request["ranges"]
    if ranges is None:
        return None
    source = Holdem(**ranges) if isinstance(ranges, dict) else Path(ranges)
    return MissingPlan(MissingSpots(source, bets=request["bets"], most=_MOST_SPOTS), TOLERANCE)


def _find_reason(street: int, on_board: Sequence[_Candidate]) -> str:
    """Return why no run covers a decision on a street, of those that have its board."""
    if any(run.spot.street <= street for run in on_board):
        return CHIPS
    return BEFORE if on_board else BOARD


def _describe_plan(plan: MissingPlan | None) -> dict[str, Any] | None:
    """Return the spots that no run covers, those with the most decisions first, as requests to solve take them."""
    if plan is None:
        return None
    spots = [
        {
            "board": game.settings["board"],
            "pot": game.settings["pot"],
            "stack": game.settings["stack"],
            "decisions": decisions,
            "settings": game.settings,
        }
        for decisions, game in plan.list_games()
    ]
    return {"decisions": plan.decisions, "spots": spots}


def _name_runs(table: Any, ids: dict[str, str]) -> Any:
    """Return a table of decisions in which runs are called by their ids."""
    import pyarrow as pa

    place = table.schema.get_field_index("run")
    names = [ids[folder] for folder in table["run"].to_pylist()]
    return table.set_column(place, "run", pa.array(names, pa.string()))


def _write_results(folder: Path, table: Any, report: dict[str, Any]) -> None:
    from ...strategy.tables import write_parquet

    write_parquet(folder / GRADES, table)
    write_atomically(folder / REPORT, json.dumps(report).encode())


def main() -> int:
    """Run the process; what libraries print goes to standard error."""
    output = take_output()
    request = json.loads(sys.stdin.readline())

    def end_with_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    give_way()

    def tell(event: str, **facts: Any) -> None:
        with suppress(OSError, ValueError):  # nobody listens any more
            output.write(json.dumps({"event": event, **facts}) + "\n")
            output.flush()

    try:
        grade_folder(request, tell)
    except EquilibristError as error:
        tell("error", message=str(error))
        return 1
    except MemoryError:
        tell("error", message="There was not enough memory.")
        return 1
    tell("end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
