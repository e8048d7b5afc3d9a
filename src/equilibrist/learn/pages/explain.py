"""The route that explains an iteration of a run."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request

from ...web.answers import Answer
from ...web.histories import find_walk
from ...web.respond import RequestError, answer, query
from ...web.workspace import OpenRun, run_of
from ..explanation.explain import explain as make_explanation
from ..explanation.lab_options import lab_options
from .answers import ExplainedIteration

_MOST_NODES = 1_000
_LONGEST = 60.0  # seconds of iterating that an explanation may take


def explain(request: Request) -> Answer[ExplainedIteration]:
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
            walk = find_walk(run)
            deal = walk.deal_of(walk.path_to(fields.whole("player"), fields.text("infoset")))
    explanation = make_explanation(
        game,
        config.algorithm,
        iteration=iteration,
        deal=deal[0] if len(deal) == 1 else deal or None,
        sampling=config.sampling,
        seed=config.seed,
        horizon=config.horizon,
        max_nodes=fields.whole("max_nodes", _MOST_NODES, low=1, high=_MOST_NODES),
    )
    facts = {
        **explanation.summary(),
        "game": solution.game,
        "deal": deal,
        "notes": explanation.notes,
        "lab": lab_options(explanation),
        "story": [step._asdict() for step in explanation.story()],
    }
    return answer(cast(ExplainedIteration, facts))


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
