"""``equilibrist prove`` and ``equilibrist check-proof``: values in fractions, as files that anybody can check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ..errors import SolutionError
from ..show.text import paint_result
from . import options
from .arguments import file_option
from .output import Output


def prove(
    game: options.Game,
    out: Annotated[
        Path | None,
        Option("--out", **file_option("A proof", ".json"), help="The file to write; needed."),
    ] = None,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Find the value of a two-player zero-sum GAME in fractions, and write it with both plans as a proof."""
    output = Output(as_json)
    from .._util.files import check_writable
    from ..form.limits import Limits
    from ..solving.exact import exact

    if out is None:
        raise SolutionError(
            "A proof needs a file: give --out, such as --out proof.json.", wrong_use=True
        )
    check_writable(out)
    with output.live(title=game) as live:
        solution = exact(
            game, limits=Limits(histories=max_histories), callbacks=live.stage, rational=True
        )
    solution.write_proof(out)
    output.emit(solution.summary, paint_result(solution, output.console.width))
    if not as_json:
        output.show(f"Wrote {out}")


def check_proof(
    proof: Annotated[
        Path,
        Argument(metavar="FILE", help="What equilibrist prove has written.", show_default=False),
    ],
    game: Annotated[
        str | None, Option("--game", help="The game, where the proof does not know it by a name.")
    ] = None,
    trust: Annotated[
        bool, Option("--trust", help="Run the Python file that FILE names as its game.")
    ] = False,
    max_histories: options.MaxHistories = None,
    as_json: options.Json = False,
) -> None:
    """Check a proof: compute both best responses in fractions, and say whether they win just the value."""
    output = Output(as_json)
    from ..evaluation.proofs import check_proof as check
    from ..evaluation.proofs import read_proof
    from ..evaluation.rational import fraction_text
    from ..evaluation.rational_evaluate import walk_game
    from ..form.limits import Limits, compile_budget
    from ..games.load import load

    content = read_proof(proof)
    name = game or content["game"]
    with output.live(title=name) as live:
        rules = load(name, trust=trust or game is not None)
        walked = walk_game(
            rules, compile_budget(Limits(histories=max_histories), "check_proof"), live.stage
        )
        evaluation = check(content, walked, proof)
    output.emit(
        lambda: {"proved": True} | evaluation.summary(),
        [f"{proof} is a proof: {name} is worth {fraction_text(evaluation.value[0])} to player 0."],
    )
