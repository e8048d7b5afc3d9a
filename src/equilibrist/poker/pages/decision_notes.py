"""Routes of notes at decisions of a spot, which are kept with the run."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ...solving.notes import LONGEST_AT_DECISION, DecisionNote, Notes, change_notes, read_notes
from ...web.answers import Answer
from ...web.respond import answer, body, download, query, write_csv
from ...web.workspace import run_of
from .answers import DecisionNotes
from .lines import walk_to_decision
from .subjects import spot_of


def decision_notes(request: Request) -> Answer[DecisionNotes] | Response:
    """Return the notes at decisions of a run, by line and board; as CSV with ``format``."""
    fields = query(request).only("format")
    run = run_of(request)
    spot_of(run)
    notes = read_notes(run.folder)
    if fields.choice("format", ("json", "csv"), "json") == "csv":
        rows = [(note.board, note.line, note.text) for note in notes.decisions]
        content = write_csv(("board", "line", "note"), rows)
        return download(content, f"{run.run_id}-notes.csv", "text/csv; charset=utf-8")
    return answer(_describe_notes(notes))


def write_decision_note(request: Request) -> Answer[DecisionNotes]:
    """Keep the ``text`` of a note at the decision of a ``line`` and a ``board``; an empty one takes it away."""
    fields = body(request).only("line", "board", "text")
    run = run_of(request)
    spot = spot_of(run)
    text = fields.text("text", "", longest=LONGEST_AT_DECISION)
    with run.lock:
        place = walk_to_decision(spot, fields).summary()
    note = DecisionNote(place["line"], place["board"], text)
    notes = change_notes(run.folder, lambda old: old.at_decision(note))
    return answer(_describe_notes(notes))


def _describe_notes(notes: Notes) -> DecisionNotes:
    return {
        "notes": [
            {"line": note.line, "board": note.board, "text": note.text} for note in notes.decisions
        ],
        "longest": LONGEST_AT_DECISION,
    }
