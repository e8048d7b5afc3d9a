"""The arguments and options that several commands share, and what comes of them: executors, trackers, players."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from .._util.text import escape_controls
from ..errors import AlgorithmError
from ..solving.settings import BY_NAME
from .arguments import COUNT, CSV, file_option, parse_number_or_auto

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..cfr.criteria import Criterion
    from ..form.abstract.abstraction import AbstractGame
    from ..track.buffered import BufferedTracker


def setting_option(name: str, **more: Any) -> Any:
    """Return the option of a setting of a run, as the table of settings describes it."""
    setting = BY_NAME[name]
    options: dict[str, Any] = {"help": setting.about}
    if setting.kind == "count" and name not in _PLAIN_NUMBERS:
        options |= COUNT
    if setting.kind == "threads":
        options["parser"] = parse_number_or_auto
    if setting.metavar:
        options["metavar"] = setting.metavar
    make_option: Any = Option  # whose first argument may be a flag, within Annotated
    return make_option(*setting.flags, **options, **more)


_PLAIN_NUMBERS = ("seed", "max_depth", "save_streets", "record_every", "actors")
"""Counts that are small: nobody writes commas into them."""

GAME_HELP = (
    "A built-in game such as kuhn or 'leduc(ranks=4)', a spot file.toml of hold'em, "
    "openspiel:NAME, a Gambit file.efg, file.gbt or file.nfg, or file.py:Class."
)

Game = Annotated[str, Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Json = Annotated[bool, Option("--json", help="Print exactly one JSON object on standard output.")]
Depth = Annotated[
    str | None,
    Option(
        "--depth", help='Where parts are cut: "2 actions", "1 street". [at the end of the game]'
    ),
]
Leaves = Annotated[
    str | None,
    Option(
        "--leaves",
        help='What they are worth there: "best response", blueprint, or "continuations(4)". [best response; in card '
        "forms continuations(4)]",
    ),
]
MaxHistories = Annotated[int | None, setting_option("max_histories")]
MaxDepth = Annotated[int, setting_option("max_depth", min=1)]
StrategyFile = Annotated[
    Path | None,
    Option("--strategy", **CSV, help="Write player, infoset, action, probability as CSV."),
]
ObservedFile = Annotated[
    Path | None,
    Option(
        "--strategy",
        **file_option("A strategy", ".csv", ".txt", ".parquet", ".npz"),
        help="Write player, infoset, action, probability as CSV; of a run without a tree also as .parquet or .npz, by "
        "what players observe.",
    ),
]
Missing = Annotated[
    str | None,
    Option("--missing", help="uniform: play uniformly at infosets that the strategy lacks."),
]
Form = Annotated[str | None, setting_option("form")]
Trust = Annotated[
    bool,
    Option(
        "--trust",
        help="Run the Python file that a saved run names as its game, where it is needed.",
    ),
]
Run = Annotated[
    Path, Argument(metavar="RUN", help="The folder of a saved run.", show_default=False)
]
GameOfRun = Annotated[
    str | None, Option("--game", help="The game, where the run does not know it by a name.")
]
Algorithm = Annotated[str, setting_option("algorithm")]
Rule = Annotated[str | None, setting_option("rule")]
Sampling = Annotated[str | None, setting_option("sampling")]
Concept = Annotated[str | None, setting_option("concept")]
Map = Annotated[
    str | None,
    Option(
        "--map",
        metavar="FILE.py:FUNCTION",
        help="Solve an abstraction of the game: which infosets are played alike, a function or a table in a Python "
        "file. What is certified is the real game.",
    ),
]
Opponent = Annotated[
    str | None,
    Option(
        "--opponent",
        help="With --map: whom each player learns against: abstracted (the others, in the abstraction), unabstracted "
        "(somebody in the real game) or best_response (CFR-BR); the last two lead to the least exploitable strategy "
        "of the abstraction. [abstracted]",
    ),
]
Precision = Annotated[str | None, setting_option("precision")]
Iterations = Annotated[int | None, setting_option("iterations")]
Until = Annotated[str | None, setting_option("until")]
Save = Annotated[Path | None, setting_option("save")]
Suits = Annotated[
    bool,
    Option("--suits", help="Of a spot of hold'em, show each hand by itself instead of the grid."),
]
Verbose = Annotated[
    bool, Option("--verbose", help="Show how the game is stored, and the time of each stage, too.")
]
Line = Annotated[
    str,
    Option(
        "--line",
        help="The actions before, such as 'X-B100' or 'X-B120-C | B200'. [the first decision]",
    ),
]
Board = Annotated[
    str | None, Option("--board", help="All public cards, such as QsJh2h7c, once a card was dealt.")
]
Hand = Annotated[
    str | None, Option("--hand", help="One hand, such as AhKd: its EV and its actions.")
]
Only = Annotated[
    str | None,
    Option(
        "--only",
        metavar="FILTER",
        help="Only hands that pass, such as 'top pair and not hearts' or 'QQ+, equity > 50'.",
    ),
]
Player = Annotated[
    str | None,
    Option(
        "--player",
        help="Whose range: oop or ip; of three ranges sb, bb or btn, or the name. [whoever decides]",
    ),
]
Unit = Annotated[
    str,
    Option(
        "--unit",
        help="EVs and costs in chips, bb (big blinds; bb=2: of 2 chips), pot (% of it) or net (of half the pot); files "
        "and JSON stay in chips.",
    ),
]
Threads = Annotated[Any, setting_option("threads")]
Seed = Annotated[int | None, setting_option("seed")]
Simultaneous = Annotated[bool, setting_option("alternating")]
DEFAULT_MAX_DEPTH = 1_000  # as form.limits.MAX_DEPTH, which would import NumPy for --help
DEFAULT_ALGORITHMS = "cfr,cfr+,dcfr,auto"  # as comparing.DEFAULT_ALGORITHMS, likewise
Processes = Annotated[
    int,
    Option(
        "--processes", min=1, help="Carry out so many runs at a time, each in a process of its own."
    ),
]

Ray = Annotated[
    str | None,
    Option(
        "--ray",
        metavar="ADDRESS",
        help="Carry out runs on a Ray cluster: auto (this machine's), local (a new one), or HOST:PORT of its head.",
    ),
]
Track = Annotated[
    list[str] | None,
    Option(
        "--track",
        metavar="TRACKER",
        help="Experiment tracker to write to: tensorboard:FOLDER, mlflow (its local store) or mlflow:URI. Repeatable.",
    ),
]


def read_map(
    game: str | None, place: str | None, opponent: str | None
) -> str | AbstractGame | None:
    """Return the game to be solved: an abstraction of it where a map is given."""
    if place is None:
        if opponent is not None:
            raise AlgorithmError(
                f"--opponent {opponent} says whom players of an abstraction learn against, so that it would do "
                "nothing without a map. Give --map FILE.py:FUNCTION, or leave it out.",
                field="opponent",
            )
        return game
    if game is None:
        raise AlgorithmError(
            "A map is of a game: give GAME beside --map; a run that is resumed knows its buckets without one.",
            field="map",
        )
    from ..form.abstract.abstraction import abstract

    if opponent is None:
        return abstract(game, place)
    return abstract(game, place, opponent=opponent)


def read_criteria(
    until: str | None, until_cce: float | None = None
) -> list[float | str | Criterion] | None:
    """Return the ``until=`` of ``--until``, a number, "0.5%" or "cce_distance(0.1)", or several with commas between."""
    from ..cfr.criteria import CCE

    def parse_criterion(text: str) -> float | str:
        try:
            return float(text)
        except ValueError:
            return text

    texts = [] if until is None else until.split(",")
    return [*map(parse_criterion, texts), *([] if until_cce is None else [CCE(until_cce)])] or None


def open_executor(
    processes: int, ray: str | None = None
) -> AbstractContextManager[Executor | None]:
    """Return where runs are carried out: on a Ray cluster, or in so many processes; None for one, which is this."""
    if ray is not None:
        from ..batches.ray_executor import RayExecutor

        return RayExecutor(ray)
    if processes == 1:
        return nullcontext()
    from ..batches.processes import Processes

    return Processes(processes)


@contextmanager
def open_trackers(names: Iterable[str] | None) -> Iterator[list[BufferedTracker]]:
    """Give the trackers of these names; their warnings are printed at the end, on standard error."""
    from ..track import TrackingWarning, find

    lines: list[str] = []
    show_warning = warnings.showwarning

    def collect_warning(
        message: Warning | str, category: type[Warning], *others: Any, **more: Any
    ) -> None:
        if issubclass(category, TrackingWarning):
            lines.append(escape_controls(" ".join(str(message).split())))
        else:
            show_warning(message, category, *others, **more)

    trackers = [find(name) for name in names or ()]
    with warnings.catch_warnings():
        warnings.simplefilter("always", TrackingWarning)
        warnings.showwarning = collect_warning
        try:
            yield trackers
        finally:
            for line in lines:
                typer.echo(f"Warning: {line}", err=True)
