"""``equilibrist explain``: one iteration, number by number."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated

from typer import Option

from ...cli import options
from ...cli.arguments import COUNT
from ...cli.output import Output
from ...errors import AlgorithmError, nearest

FORMATS = ("text", "markdown", "html", "json")


def explain(
    game: options.Game,
    algorithm: options.Algorithm = "cfr",
    iteration: Annotated[
        int | None,
        Option(
            "--iteration",
            "-n",
            **COUNT,
            help="Which iteration to explain; those before it are run first. [the last that --deals names, or 1]",
        ),
    ] = None,
    deal: Annotated[
        str | None,
        Option(
            "--deal",
            help="Outcomes of chance, in the order in which they come up: QK deals a queen, then a king; in every "
            "iteration, where deals are drawn.",
        ),
    ] = None,
    deals: Annotated[
        str | None,
        Option(
            "--deals",
            help="The deals of the iterations, separated by commas: QK,QJ; with sampling chance by default.",
        ),
    ] = None,
    sampling: options.Sampling = None,
    seed: options.Seed = None,
    simultaneous: options.Simultaneous = False,
    horizon: Annotated[
        int | None,
        Option(
            "--horizon", help="The planned number of iterations, for algorithms that are schedules."
        ),
    ] = None,
    story: Annotated[
        bool, Option("--story", help="Sentences in the order of execution, instead of the tree.")
    ] = False,
    infosets: Annotated[
        bool, Option("--infosets", help="All infosets before and after the iteration, too.")
    ] = False,
    form: Annotated[
        str, Option("--format", help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}.")
    ] = "text",
    max_nodes: Annotated[
        int, Option("--max-nodes", **COUNT, help="Refuse to explain more histories than this.")
    ] = 1_000,
    max_histories: options.MaxHistories = None,
    max_depth: options.MaxDepth = options.DEFAULT_MAX_DEPTH,
    as_json: options.Json = False,
) -> None:
    """Explain one iteration on GAME: values, reach, regrets and strategies, history by history."""
    if form not in FORMATS:
        raise AlgorithmError(f"There is no format {form!r}.{nearest(form, FORMATS)}")
    form = "json" if as_json else form
    output = Output(form != "text")  # whose progress then keeps out of the way
    from ...cfr.algorithms import find_algorithm
    from ...form.limits import Limits
    from ..explanation.explain import explain as run

    with output.live(title=game) as live:
        explanation = run(
            game,
            replace(find_algorithm(algorithm), alternating=not simultaneous),
            iteration=iteration,
            deal=deal,
            deals=deals,
            sampling=sampling,
            seed=seed,
            horizon=horizon,
            max_nodes=max_nodes,
            limits=Limits(histories=max_histories, depth=max_depth),
            callbacks=live.stage,
        )
    if form == "json":
        if story:
            steps = {"story": [step._asdict() for step in explanation.story()]}
        else:
            steps = {}
        print(json.dumps({**explanation.summary(), **steps}))
    elif form == "markdown":
        print(explanation.to_markdown(story=story, infosets=infosets), end="")
    elif form == "html":
        page = explanation.to_html(page=True)
        # Whatever the terminal's encoding.
        print(page.encode("ascii", "xmlcharrefreplace").decode())
    elif output.console.is_terminal:
        from ..explanation.layout import lay_out_page

        output.show(
            *lay_out_page(explanation, output.console.width, story=story, infosets=infosets)
        )
    else:
        print(explanation.to_text(width=output.width, story=story, infosets=infosets), end="")
