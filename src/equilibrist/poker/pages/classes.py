"""The route of a decision before the flop: what the 169 classes of hands play."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request

from ...web.answers import Answer
from ...web.infosets import infoset_table
from ...web.respond import RequestError, answer, query
from ...web.workspace import run_of
from ..cards.cards import CLASSES
from .answers import ClassDecision
from .subjects import ClassSubject


def classes(request: Request) -> Answer[ClassDecision]:
    """Return what the 169 classes of hands play after a ``line`` before the flop, and what each is worth there."""
    run = run_of(request)
    line = query(request).only("line").text("line", "")
    with run.lock:
        subject = run.subject
        if not isinstance(subject, ClassSubject):
            raise RequestError(
                f"{run.run_id!r} is no game before the flop.", field="run", status=404
            )
        node = subject.decisions.node(line)
        table = infoset_table(run)
        numbers = [table.find(node.player, f"{name} {node.line}".rstrip()) for name in CLASSES]
        values = [
            None if table.value is None or n is None else float(table.value[n]) for n in numbers
        ]
        return answer(cast(ClassDecision, {**node.summary(), "values": values}))
