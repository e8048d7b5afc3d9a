"""What the command prints: tables for people, one JSON object for programs."""

from __future__ import annotations

import codecs
import inspect
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from .._util.text import visible as visible  # noqa: PLC0414 (others of this room take it from here)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..cfr.algorithms import Algorithm, Exponent
    from ..comparison.comparison import Comparison
    from ..evaluation.evaluate import Evaluation
    from ..form.public import PublicForm
    from ..form.sequence import SequenceForm
    from ..game.protocol import Game
    from ..mccfr.sampling import Scheme
    from ..solving.solution import Checkpoint, Solution
    from ..strategy.strategy import Strategy

_INFOSETS_SHOWN = 24
_LOSSES_SHOWN = 10
_ROWS_SHOWN = 18  # of the live table
_PATIENCE = 2.0  # seconds
_BAR = 8  # characters of a bar that means probability 1
_NEGLIGIBLE = 0.0005  # probabilities below are left out where an infoset has many actions
_HEADINGS = ("iteration", "nodes touched", "nodes/s", "time", "nash_conv", "exploitability")
_DROPPED = ("nodes touched", "nash_conv", "nodes/s", "time")  # in this order, where the terminal is too narrow
_FALLBACK = "equilibrist.fallback"
_LOOKALIKES = {
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", " "),
    **dict(zip("–−…├└─│σ·×", "--.++-|s*x", strict=True)),
}


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    """Replace what a terminal's encoding lacks, one character by one."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_LOOKALIKES.get(char, "?") for char in error.object[error.start : error.end]), error.end


codecs.register_error(_FALLBACK, _look_alike)


class Output:
    """Prints results as tables, or as one JSON object; progress goes to standard error when JSON is asked for."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors=_FALLBACK)
        # Names and paths are shown as they are: brackets and colons in them mean nothing.
        self.console = Console(stderr=as_json, markup=False, emoji=False)
        self.progress: Progress | None = None

    @contextmanager
    def live(self, *, title: str, progress: Progress | None = None) -> Iterator[Progress]:
        """Show the stages and checkpoints of what happens inside."""
        self.progress = progress = progress or Progress(title, self.console)
        if self.console.is_terminal and not self.as_json:
            with Live(progress, console=self.console, refresh_per_second=12, transient=True):
                yield progress
            return
        # What rules print must not come before the one object; in a log it comes where it comes.
        with redirect_stdout(sys.stderr) if self.as_json else nullcontext():
            progress.patience = _PATIENCE
            try:
                yield progress
            finally:
                progress.timer.cancel()

    def _json(self, table: Mapping[str, Any]) -> None:
        print(json.dumps(table))

    def show(self, *parts: RenderableType) -> None:
        """Print parts one after the other, as they are."""
        for part in parts:
            self.console.print(part, highlight=False)

    def solution(self, solution: Solution, *, saved: Path | None, strategy: Path | None) -> None:
        """Print a solution: how it came about, certificate, sizes, seconds, strategy."""
        if self.as_json:
            self._json(solution.summary())
            return
        if self.progress is not None and self.progress.points:
            self.show(self.progress.table())
        how = "linear programme" if solution.algorithm == "exact" else f"{solution.algorithm}, {_stopped(solution)}"
        self.show(Text.assemble((f"\n{visible(solution.game)}", "bold"), f"  {how}"))
        facts = _facts(solution, _beyond_two_players(solution))
        if solution.algorithm != "exact":
            if solution.payoff:
                facts.add_row("payoff", f"{_FORMS[solution.form]}: {solution.payoff}")
            facts.add_row("nodes touched", f"{solution.nodes_touched:,}  ({_rate(solution)} nodes/s)")
        if solution.table_bytes:
            facts.add_row("table", f"{solution.table_bytes / 1e6:,.3g} MB of infosets")
        self.show(facts, _strategy_table(solution.strategy))
        if saved is not None:
            folder = shlex.quote(str(saved))
            files = ["solution.json", "checkpoint.npz"]
            files += [] if solution.too_long_for_csv else ["strategy.csv"]
            files += [] if solution.recording is None else ["recording.parquet"]
            self.show(f"Saved in {folder}: {', '.join(files)} (--resume {folder} goes on)")
        if solution.recording is not None and solution.recording.unmet:
            names = ", ".join(visible(name) for _, name in solution.recording.unmet)
            self.show(f"Never met, so not recorded: {names}")
        if strategy is not None:
            self.show(f"Strategy written to {strategy}")

    def evaluation(self, result: Evaluation) -> None:
        """Print what a strategy is worth and where it loses."""
        if self.as_json:
            self._json(result.summary())
            return
        table = Table(title="Per player", title_justify="left")
        for heading in ("player", "value", "best response", "gain"):
            table.add_column(heading, justify="right")
        for player, (own, best) in enumerate(zip(result.value, result.best_response_value, strict=True)):
            table.add_row(str(player), f"{own:+.9f}", f"{best:+.9f}", f"{best - own:.3e}")
        losses = Table(title="Where it loses most (payoff per game)", title_justify="left")
        for heading in ("player", "infoset", "loss"):
            losses.add_column(heading, justify="right", overflow="fold")
        losses.add_column("share")
        total = sum(loss.loss for loss in result.losses)  # nash_conv, but for rounding, which may make that 0
        for loss in result.losses[:_LOSSES_SHOWN]:
            share = loss.loss / total
            losses.add_row(str(loss.player), visible(loss.infoset), f"{loss.loss:.3e}", f"{_bar(share)} {share:.0%}")
        self.show(Text(f"\n{visible(result.game)}", "bold"), _facts(result), table)
        if result.losses:
            self.show(losses)
        hidden = len(result.losses) - _LOSSES_SHOWN
        if hidden > 0:
            self.show(f"… and {hidden:,} more infosets; --json lists all.")

    def comparison(self, comparison: Comparison, *, out: Path | None) -> None:
        """Print who is best when, and how far each combination came."""
        from .compare import report

        if self.as_json:
            self._json(comparison.summary())
        else:
            self.show(*report(comparison, out=out, width=self.console.width))

    def written(self, files: Sequence[Path], skipped: Mapping[str, str]) -> None:
        """Say which files were written, what is missing, and why."""
        if self.as_json:
            self._json({"files": [str(path) for path in files], "skipped": dict(skipped)})
            return
        for path in files:
            self.console.print(f"Wrote {visible(str(path))}", highlight=False, soft_wrap=True)
        for part, reason in skipped.items():
            self.show(f"No {visible(part.lower())}: {visible(reason)}")

    def checked(self, game: str, form: SequenceForm | PublicForm) -> None:
        """Print the sizes of a game that is well formed."""
        own = [int((form.infosets.owner == player).sum()) for player in range(form.players)]
        facts = {
            "game": game,
            "well_formed": True,
            "players": form.players,
            "zero_sum": form.zero_sum,
            "histories": form.histories,
            "infosets": form.num_infosets,
            "infosets_of_players": own,
            "slots": form.slots,
            "depth": form.depth,
        }
        if self.as_json:
            self._json(facts)
            return
        table = Table.grid(padding=(0, 2))
        for name, number in facts.items():
            if name not in ("game", "well_formed"):
                table.add_row(name.replace("_", " "), _plain(number))
        self.show(Text(f"{visible(game)} is well formed.", "bold green"), table)

    def games(self, games: Mapping[str, type[Game]]) -> None:
        """List the built-in games."""
        rows: list[dict[str, Any]] = [
            {
                "name": name,
                "parameters": {
                    label: None if parameter.default is parameter.empty else parameter.default
                    for label, parameter in inspect.signature(cls).parameters.items()
                },
                "about": (inspect.getdoc(cls) or "").partition("\n")[0],
            }
            for name, cls in games.items()
        ]
        if self.as_json:
            self._json({"games": rows})
            return
        table = Table("game", "parameters", "about")
        for row in rows:
            parameters = ", ".join(f"{label}={value!r}" for label, value in row["parameters"].items())
            table.add_row(Text(row["name"], "bold"), parameters, row["about"])
        self.show(table, "Also: openspiel:NAME, a Gambit file.efg, and file.py:Class for a game of your own.")

    def algorithms(self, rows: Mapping[str, Algorithm], schemes: Mapping[str, Scheme]) -> None:
        """List the rows of the CFR family, and the sampling schemes."""
        names = ("name", "alpha", "beta", "floor", "predict", "decay_predicted", "gamma", "source")
        if self.as_json:
            table = [{name: _exponent(getattr(row, name)) for name in names} for row in rows.values()]
            samplings = [{"name": name, **asdict(scheme)} for name, scheme in schemes.items()]
            self._json({"algorithms": table, "samplings": samplings})
            return
        table_ = Table()
        for heading in ("algorithm", "keep +", "keep −", "floor", "predict", "average", "source"):
            table_.add_column(heading, overflow="fold")
        for row in rows.values():
            predict = f"{row.predict:.3g}" + (", decayed" if row.decay_predicted else "") if row.predict else "–"
            table_.add_row(
                Text(row.name, "bold"),
                _keep(row.alpha),
                "–" if row.floor else _keep(row.beta),
                "yes" if row.floor else "–",
                predict,
                f"t^{_exponent(row.gamma)}",
                row.source,
            )
        ways = Table("sampling", "chance", "own", "others", "average", "source")
        for name, scheme in schemes.items():
            ways.add_row(
                Text(name, "bold", no_wrap=True),
                scheme.chance,
                scheme.own,
                scheme.others,
                scheme.average,
                scheme.source,
            )
        self.show(
            table_,
            "keep e: a regret sum keeps (t−1)^e / ((t−1)^e + 1) of itself on entering iteration t.",
            "average: the weight of iteration t in the average strategy.",
            "--algorithm auto (the default) picks one; see docs/algorithms.md.",
            ways,
            "Moves that --sampling follows, of chance, of the updating player, of the others; see docs/sampling.md.",
        )


class Progress:
    """A live picture: the stage at work, and a table of the checkpoints so far."""

    def __init__(self, title: str, console: Console) -> None:
        self.title = title
        self.console = console
        self.points: list[Checkpoint] = []
        self.spinner = Spinner("dots" if console.encoding.startswith("utf") else "line", "")
        self.patience: float | None = None  # where nobody sees the spinner: seconds until a stage is told
        self.timer = Timer(0, lambda: None)

    def stage(self, text: str) -> None:
        """Show what is being done; where nothing moves on a screen, say it once if it takes long."""
        line = f"{visible(text)} …"
        self.spinner.update(text=Text(line))
        if self.patience is not None:
            self.timer.cancel()
            self.timer = Timer(self.patience, print, (line,), {"file": sys.stderr, "flush": True})
            self.timer.daemon = True
            self.timer.start()

    def checkpoint(self, point: Checkpoint) -> None:
        """Add a row to the table."""
        self.points.append(point)

    def table(self) -> Table:
        """Return the table of checkpoints: the last ones where there are many, and the columns that fit."""
        # One row for each doubling tells as much as one for each √2; the newest is always there.
        points = [*self.points[:-1][::2], *self.points[-1:]][-_ROWS_SHOWN:]
        rows = [dict(zip(_HEADINGS, _cells(point), strict=True)) for point in points]
        widths = {heading: 3 + max(len(heading), *(len(row[heading]) for row in rows)) for heading in _HEADINGS}
        for heading in _DROPPED:
            if 1 + sum(widths.values()) > self.console.width:
                del widths[heading]
        table = Table(title=f"Solving {visible(self.title)}", title_justify="left")
        for heading in widths:
            table.add_column(heading, justify="right", overflow="fold")
        for row in rows:
            table.add_row(*(row[heading] for heading in widths))
        return table

    def __rich__(self) -> RenderableType:
        return Group(self.table(), self.spinner) if self.points else self.spinner


def _cells(point: Checkpoint) -> tuple[str, ...]:
    """Return a row of the table, in the order of the headings."""
    return (
        f"{point.iteration:,}",
        short(point.nodes_touched),
        short(point.nodes_touched / point.seconds if point.seconds > 0 else 0.0),
        duration(point.seconds),
        "–" if point.nash_conv is None else f"{point.nash_conv:.3e}",
        "–" if point.exploitability is None else f"{point.exploitability:.3e}",
    )


def _beyond_two_players(solution: Solution) -> dict[str, str]:
    """Return what says more than nash_conv does in games that are not of two players and zero-sum, as printed."""
    from ..cfr.full import promises_correlated

    facts = {}
    if solution.gains and promises_correlated(solution.players, zero_sum=bool(solution.zero_sum)):
        gains = "  ".join(f"{gain:.3e}" for gain in solution.gains)
        facts["gain of each player"] = f"{gains}   by deviating alone; they sum to nash_conv"
    if solution.cce_distance is not None:
        facts["cce distance"] = (
            f"{solution.cce_distance:.6e}   of the play of all iterations from a coarse correlated equilibrium: "
            "what CFR brings to 0 (or below) here"
        )
    return facts


def _facts(result: Solution | Evaluation, more: Mapping[str, str] | None = None) -> Table:
    """Return what a solution and an evaluation have in common, and ``more``, as a table without lines."""
    from ..evaluation.certificate import guarantee

    table = Table.grid(padding=(0, 2))
    histories = "" if result.histories is None else f"{result.histories:,} histories, "
    if result.exploitability is None:
        table.add_row("exploitability", "unknown: 'equilibrist evaluate' tells, where the game can be compiled")
    else:
        value = "  ".join(f"{number:+.9f}" for number in result.value)
        table.add_row("value", f"{value}   payoff per game, player 0 first")
        table.add_row("exploitability", Text(f"{result.exploitability:.6e}", "bold green"))
        table.add_row("nash_conv", f"{result.nash_conv:.6e}")
    for label, text in (more or {}).items():
        table.add_row(label, text)
    table.add_row("size", f"{histories}{result.infosets:,} infosets, {result.slots:,} slots")
    table.add_row("time", "   ".join(f"{stage} {duration(spent)}" for stage, spent in result.seconds.items()))
    table.add_row("means", guarantee(result.players, zero_sum=result.zero_sum))
    return table


def _strategy_table(strategy: Strategy) -> RenderableType:
    """Return the first infosets with a bar for each probability."""
    table = Table(title="Strategy", title_justify="left")
    table.add_column("player", justify="right")
    table.add_column("infoset", overflow="fold")
    table.add_column("probabilities")
    first = _first_of_each_player(strategy)
    for index in first:
        player, key, _ = strategy.infosets[index]
        row = strategy.at(index)
        shown = row if len(row) <= 3 else {action: p for action, p in row.items() if p >= _NEGLIGIBLE}
        cells = [f"{visible(action)} {_bar(p)} {p:.3f}" for action, p in shown.items()]
        table.add_row(str(player), Text(visible(key)), Text("   ".join(cells)))
    hidden = len(strategy) - len(first)
    if hidden == 0:
        return table
    return Group(table, f"… and {hidden:,} more infosets; --strategy FILE.csv writes them all.")


def _first_of_each_player(strategy: Strategy) -> list[int]:
    """Return the numbers of infosets, player by player, as many of each as fit."""
    owner = strategy.infosets.owner
    players = range(int(owner.max(initial=0)) + 1)
    fit = _INFOSETS_SHOWN // len(players)
    return [i for player in players for i in (owner == player).nonzero()[0][:fit].tolist()]


def _bar(share: float) -> str:
    """Return a bar of blocks, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * _BAR * 8)
    bar = "█" * (eighths // 8) + ("" if eighths % 8 == 0 else " ▏▎▍▌▋▊▉"[eighths % 8])
    return bar.ljust(_BAR)


def _stopped(solution: Solution) -> str:
    reasons = {
        "iterations": "stopped at the number of iterations asked for",
        "until": "reached the exploitability asked for",
        "seconds": "stopped at the time limit",
        "nodes": "stopped at the number of histories asked for",
        "memory": "stopped before the memory allowed was used up",
        "interrupt": "interrupted",
    }
    turns = "alternating" if solution.alternating else "simultaneous"
    if solution.sampling != "full":
        turns = f"sampling {solution.sampling} (seed {solution.seed}), {turns}"
    return f"{turns} updates, {solution.iterations:,} iterations, {reasons.get(solution.stopped, solution.stopped)}"


_FORMS = {"sequence": "sequence form", "public": "public states"}


def _rate(solution: Solution) -> str:
    spent = solution.seconds["solve"]
    return short(solution.nodes_touched / spent) if spent > 0 else "–"


def short(number: float) -> str:
    """Return a count in three digits: 950, 1.23 k, 45.6 M, 7.89 G."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f}"


def duration(seconds: float) -> str:
    """Return a time in three digits: 12.3 µs, 4.56 ms, 7.89 s, 1,234 s."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:,.0f} {unit}" if seconds >= 1e3 else f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(f"{number:,}" for number in value)
    return f"{value:,}"


def _keep(exponent: Exponent | None) -> str:
    return "all" if exponent is None else str(_exponent(exponent))


def _exponent(value: Any) -> Any:
    """Return an exponent as text where it is a schedule: 30-5t/N."""
    if hasattr(value, "slope"):
        return f"({value.start:g}{value.slope:+g}t/N)"
    return f"{value:g}" if isinstance(value, float | int) and not isinstance(value, bool) else value
