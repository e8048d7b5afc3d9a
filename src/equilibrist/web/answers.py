"""What routes answer: the response of JSON of a type, and the types that several rooms share.

A handler says by ``-> Answer[Overview]`` what it answers. ``python tests/answer_types.py`` writes
these types for the page's JavaScript. A number that may be NaN is ``float | None``: JSON has null for it.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

from starlette.responses import Response

Content = TypeVar("Content")
Pair = tuple[float, float]
MaybePair = tuple[float | None, float | None]
MaybeNumbers = list[float | None]
Settings = dict[str, Any]
"""Settings by name, as a request has them."""


class Answer(Response, Generic[Content]):
    """A response of JSON, with the type of what it says."""


class Empty(TypedDict):
    """Nothing but that it is done."""


class Id(TypedDict):
    """The id of what was changed."""

    id: str


class Measured(TypedDict):
    """A checkpoint: how far a run is, and what its strategy is worth."""

    iteration: int
    nodes_touched: int
    seconds: float
    value: list[float]
    measures: dict[str, float]
    deviation_gains: list[float]


class CompiledSizes(TypedDict):
    """How large a compiled game is, and what an iteration takes, as far as it is known."""

    algorithm: NotRequired[str]
    players: NotRequired[int]
    zero_sum: NotRequired[bool]
    histories: NotRequired[int | None]
    infosets: NotRequired[int]
    slots: NotRequired[int]
    boards: NotRequired[list[int]]
    gigabytes: NotRequired[float]
    seconds: NotRequired[float | None]
    compiling: NotRequired[float]
    smaller: NotRequired[str]


class Quality(TypedDict):
    """How a solution was found, what it is worth, how good it is."""

    algorithm: str
    iterations: int
    value: list[float | None]
    fractions: list[str | None]
    deviation_gains: list[float]
    measures: dict[str, float]
    guarantee: str
    quality: str


class ClassLine(TypedDict):
    """A line after which classes of hands decide."""

    line: str
    player: int


class OmahaDecision(TypedDict):
    """EV, in chips, and equity of a hand at its decision, and those of both ranges."""

    ev: float | None
    equity: float | None
    evs: MaybePair
    equities: MaybePair
    pot: float


class InfosetRow(TypedDict):
    """An infoset with its strategy, and its numbers where the game is compiled."""

    player: int
    infoset: str
    holding: str
    history: str
    made: str
    actions: list[str]
    probabilities: list[float]
    reach: float | None
    value: float | None
    regret: float | None
    loss: float | None
    off_path: str


class HistoryHeading(TypedDict):
    """The heading of the infosets of a history."""

    group: str
    player: int


class RecordedInfoset(TypedDict):
    """What was recorded of an infoset: a row for each iteration."""

    iteration: list[int]
    strategy: list[list[float]]
    average_strategy: list[list[float]]
    regret_sum: list[list[float]]


class InfosetDetails(InfosetRow):
    """An infoset with the numbers of each action, and what was recorded of it."""

    cf_reach: float | None
    action_values: list[float | None] | None
    regrets: list[float | None] | None
    best_values: list[float | None] | None
    regret_sums: list[float] | None
    recorded: RecordedInfoset | None
    decision: OmahaDecision | None


class InfosetPage(TypedDict):
    """Lines of the table of infosets."""

    infosets: int
    total: int
    start: int
    grouped: bool
    lacking: str | None
    untrusted: str | None
    rows: list[InfosetRow | HistoryHeading]


class InfosetPair(TypedDict):
    """An infoset that two runs share, with both strategies."""

    player: int
    infoset: str
    holding: str
    history: str
    reach: float | None
    actions: list[str]
    mixes: list[list[float | None]]
    difference: float
    values: list[float | None]


class InfosetPairs(TypedDict):
    """The infosets that two runs share."""

    infosets: int
    alone: list[int]
    largest: float | None
    mean: float | None
    total: int
    start: int
    rows: list[InfosetPair]


class TreeStep(TypedDict):
    """A move on the way to a history."""

    player: int
    infoset: str | None
    action: str
    number: int
    moves: int


class TreeMove(TypedDict):
    """A move at a history, and where it leads."""

    number: int
    action: str
    probability: float
    kind: str
    player: int
    infoset: str | None
    moves: int
    value: list[float | None] | None


class TreePlace(TypedDict):
    """A history and some of its moves."""

    path: list[int]
    steps: list[TreeStep]
    kind: str
    player: int
    infoset: str | None
    reach: list[float]
    chance_reach: float
    value: list[float | None] | None
    total: int
    start: int
    moves: list[TreeMove]


class PlaceToTrain(TypedDict):
    """A decision at which hands can be dealt."""

    line: str
    seat: int
    actions: list[str]
    reach: float | None
    at_stake: NotRequired[float]
    street: NotRequired[int]
    position: NotRequired[str]


class BatchProgress(TypedDict, total=False):
    """How far a batch is; nothing before it begins."""

    done: int
    failed: int
    total: int
    seconds: float
    seconds_left: float | None


class JobPoint(TypedDict):
    """A checkpoint of a job."""

    iteration: int
    nodes_touched: int
    seconds: float
    value: list[float | None]
    measures: dict[str, float]
    deviation_gains: NotRequired[list[float]]


JobState = Literal[
    "queued",
    "starting",
    "running",
    "paused",
    "stopping",
    "done",
    "stopped",
    "failed",
    "interrupted",
]


class JobSummary(TypedDict):
    """A run in the queue, or a batch of runs."""

    id: str
    title: str
    game: str
    created: str
    state: JobState
    stage: str
    error: str | None
    error_field: str | None
    stop_reason: str | None
    warnings: list[str]
    saved: bool
    spot: bool
    exploit: bool
    batch: BatchProgress | None
    locks: int
    algorithm: str
    sampling: str
    threads: int | str
    answers_everywhere: bool
    limits: Settings
    goal: float | None
    players: int | None
    infosets: int | None
    memory: int | None
    last: JobPoint | None
    seconds_left: Pair | None


class JobAgainst(TypedDict):
    """A job, and the run that its own is to be compared with."""

    job: JobSummary
    against: str


class Problem(TypedDict):
    """What is wrong: a sentence, the field at fault, and where in its text."""

    message: str
    field: str | None
    span: Pair | None
    untrusted: NotRequired[str | None]


class Refusal(TypedDict):
    """The answer to a request that is refused, of any route."""

    error: Problem
