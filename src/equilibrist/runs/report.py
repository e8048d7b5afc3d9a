"""Report of a run: one HTML file that needs no other file and no network."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.files import write_atomically
from ..errors import EquilibristError
from ..evaluation.blocks import loss_table
from ..evaluation.evaluate import evaluate
from ..evaluation.gaps import gap_words
from ..form.limits import Limits, check_limits
from ..plot.album import draw_figure
from ..plot.inputs import GameOfRun
from ..show.blocks import Fact, Facts
from ..show.markup import (
    anchor,
    asset,
    escape_html,
    image,
    page,
    paint_markup,
    paragraph,
    section,
)
from ..show.numbers import UNKNOWN
from ..show.registry import find_subject
from ..show.subject import Part
from ..solving.blocks import trace_table
from ..solving.solution import Solution
from ..solving.solution_blocks import certificate_facts
from ..solving.sources import read_run
from ..strategy.blocks import strategy_table

_MOST_ROWS = 5_000  # of the strategy table: some megabytes
_MOST_IN_PICTURE = 120  # infosets
_MOST_PANELS = 12  # where probabilities move
_MOST_HISTORIES = 80  # of a tree that is drawn
_VERSIONS = ("equilibrist", "numpy", "numba", "scipy", "matplotlib")


def write_report(
    run: Solution | str | Path,
    path: str | Path,
    *,
    game: Any = None,
    trust: bool = False,
    callbacks: AnyCallbacks = None,
    limits: Limits | None = None,
) -> dict[str, str]:
    """Write a page of HTML about a run: game, certificate, pictures, strategy, settings; return what it lacks and why.

    The page needs no other file and no network, and follows the light or dark look of whoever reads
    it.

    Parameters
    ----------
    run : Solution or path
        The run, or the folder in which it was saved.
    path : path
        The file to write.
    game : optional
        The game; by default what the run names.
    trust : bool
        Whether a Python file that the run names as its game may be run. Else what needs the game is
        left out.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).
    limits : Limits, optional
        Limits of compilation, as for :func:`compile_game`: beyond them, what needs the game is left
        out.

    Raises
    ------
    SolutionError
        There is no such run, or the file cannot be written.

    Examples
    --------
    >>> import equilibrist as eq, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = pathlib.Path(folder, "kuhn.html")
    ...     lacking = eq.write_report(eq.solve("kuhn", until=1e-4), page)
    ...     "Certificate" in page.read_text(encoding="utf-8"), len(lacking)
    (True, 1)
    """
    on_stage = stage_listener(callbacks, "write_report")
    solution = read_run(run, game, trust=trust)
    reasons: dict[str, str] = {}
    sections = {"Certificate": paint_markup([Facts(_certificate_facts(solution))])}
    for title, make in _report_parts(
        solution,
        GameOfRun(solution, game, trust=trust, limits=check_limits(limits, "write_report")),
    ):
        if on_stage is not None:
            on_stage(f"Writing: {title.lower()}")
        try:
            sections[title] = make()
        except EquilibristError as error:  # a page without it is better than no page
            reasons[title] = str(error)
    sections["Settings and versions"] = paint_markup([Facts(list(_settings_facts(solution)))])
    if reasons:
        notes = "".join(
            f"<li>{escape_html(f'{title}: {reason}')}</li>" for title, reason in reasons.items()
        )
        sections["Left out"] = f"<ul>{notes}</ul>"
    title = f"{solution.game}: {solution.algorithm}, {solution.iterations:,} iterations"
    links = " · ".join(f'<a href="#{anchor(name)}">{name}</a>' for name in sections)
    body = "".join(section(name, body) for name, body in sections.items())
    text = f"<h1>{escape_html(title)}</h1><nav>{links}</nav><main>{body}</main>"
    write_atomically(path, page(title, text, script=asset("search.js", __package__)).encode())
    return reasons


def _report_parts(solution: Solution, game: GameOfRun) -> Iterator[tuple[str, Callable[[], str]]]:
    def make_picture(kind: str, description: str, **options: Any) -> Callable[[], str]:
        return partial(
            image, partial(draw_figure, kind, solution, game=game, **options), description
        )

    yield (
        "Convergence",
        make_picture(
            "convergence",
            f"{gap_words(solution.players).mean} against iterations, nodes and seconds",
        ),
    )
    subject = find_subject(solution.strategy)
    if subject is not None:
        for part in subject.report_parts(solution):
            yield part.title, partial(_paint_part, part)
        yield "Trace", lambda: paint_markup([trace_table(solution.trace, title="")])
        return
    yield (
        "Strategy at a glance",
        make_picture("strategy", "a bar for each infoset", most=_MOST_IN_PICTURE),
    )
    if solution.info.game.histories is not None and solution.info.game.histories <= _MOST_HISTORIES:
        yield "Game tree", make_picture("tree", "all histories, infosets joined")
    yield (
        "Movement",
        make_picture("trajectories", "probabilities against iterations", most=_MOST_PANELS),
    )
    if solution.recording is not None:
        yield "Two probabilities", make_picture("spiral", "two probabilities against each other")
        if (solution.recording.infosets.num_actions == 3).any():
            yield (
                "Three actions",
                make_picture("simplex", "strategies over three actions in their triangle"),
            )
        yield "Regret", make_picture("regret", "regret sums against iterations")
    yield "Strategy", lambda: _strategy_html(solution)
    yield "Where it loses", lambda: _losses_html(solution, game)
    yield "Trace", lambda: paint_markup([trace_table(solution.trace, title="")])


def _certificate_facts(solution: Solution) -> list[Fact]:
    return [*certificate_facts(solution), Fact("means", solution.guarantee)]


def _paint_part(part: Part) -> str:
    return paint_markup(part.make())


def _losses_html(solution: Solution, game: GameOfRun) -> str:
    missing = None if solution.is_complete else "uniform"
    result = evaluate(game.form, solution.strategy, missing=missing)
    if not result.losses:
        return paragraph("Nowhere: it is an equilibrium, up to rounding.")
    return paint_markup([loss_table(result)])


def _strategy_html(solution: Solution) -> str:
    strategy = solution.strategy
    table = strategy_table(strategy, _MOST_ROWS)
    num_rows = len(table.rows)
    if num_rows < len(strategy):
        note = f"(the first {num_rows:,} of {len(strategy):,} are on this page)"
    else:
        note = ""
    search = (
        '<p><input id="search" type="search" placeholder="search infosets" aria-label="search '
        'infosets"> '
    )
    count = f'<span id="found" aria-live="polite">{num_rows:,} infosets</span> {note}</p>'
    return (
        search
        + count
        + f'<div id="strategy">{paint_markup([table._replace(title="", rest=None)])}</div>'
    )


def _settings_facts(solution: Solution) -> Iterator[Fact]:
    info = solution.info
    game = info.game
    config = solution.config
    yield Fact("algorithm", solution.algorithm)
    if config is not None:
        yield Fact("numbers", repr(config.algorithm), is_code=True)
        yield Fact("updates", "alternating" if config.algorithm.alternating else "simultaneous")
        yield Fact("sampling", solution.sampling)
        yield Fact("seed", config.seed, "d")
        yield Fact("precision", config.precision or "")
    payoff = f": {game.payoff}" if game.payoff else ""
    yield Fact("form", f"{game.form}{payoff}")
    yield Fact("iterations", f"{solution.iterations:,} (stop_reason: {solution.stop_reason})")
    yield Fact("nodes touched", solution.nodes_touched, ",d")
    yield Fact("seconds", solution.seconds, ".3g")
    histories = "" if game.histories is None else f", {game.histories:,} histories"
    yield Fact("game", f"{game.infosets:,} infosets, {game.slots:,} slots{histories}")
    yield Fact("fingerprint", game.fingerprint or UNKNOWN, is_code=True)
    yield Fact("run id", info.run_id, is_code=True)
    yield Fact("started", info.started)
    yield Fact("run with", info.versions, str)
    tools = {name: version(name) for name in _VERSIONS} | {"Python": platform.python_version()}
    yield Fact("page made with", tools, str)
    yield Fact("page made on", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC")
