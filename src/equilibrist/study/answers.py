"""What the routes of the study room answer, as :mod:`equilibrist.web.answers` says of others."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from ..runs.reproduce import Lines
from ..web.answers import (
    ClassLine,
    CompiledSizes,
    JobPoint,
    JobState,
    JobSummary,
    Measured,
    Pair,
    PlaceToTrain,
    Quality,
    Settings,
)

# --- The library ---


class BrokenRun(TypedDict):
    """The row of a run that cannot be read: why not."""

    id: str
    name: str
    saved: float | None
    bytes: int
    error: str
    note: str
    tags: list[str]
    decision_notes: list[str]


class RunFacts(TypedDict):
    """What the library shows of a run that can be read; its last checkpoint among it."""

    id: str
    name: str
    saved: float
    bytes: int
    error: None
    note: str
    tags: list[str]
    decision_notes: list[str]
    run_id: str
    game: str
    title: str
    algorithm: str
    sampling: str
    form: str
    concept: str
    seed: int | None
    precision: str | None
    alternating: bool | None
    players: int
    infosets: int | None
    slots: int | None
    histories: int | None
    pot: float | None
    zero_sum: bool | None
    iteration: int
    nodes_touched: int
    seconds: float
    value: list[float | None]
    measures: dict[str, float | None]
    deviation_gains: list[float | None]
    solve_seconds: float
    started: str
    stop_reason: str
    recorded: bool
    streets: int | None
    spot: bool
    hole_cards: int | None
    curve: list[float | None]


class LibraryRun(RunFacts):
    """A run in the library; ``batch`` is the id of the batch that it is one of."""

    batch: str | None


class BrokenLibraryRun(BrokenRun):
    """A run in the library that cannot be read."""

    batch: str | None


class TracedRun(RunFacts):
    """A run with its checkpoints."""

    trace: list[Measured]


class BrokenTracedRun(BrokenRun):
    """A run that cannot be read, and so has no checkpoints."""

    trace: list[Measured]


class Library(TypedDict):
    """The runs of the served folder."""

    folder: str
    trust_files: bool
    workers: int
    runs: list[LibraryRun | BrokenLibraryRun]
    deleted: list[str]


class ChangedRun(TypedDict):
    """The id of a run that was changed, and its notes where these were."""

    id: str
    note: NotRequired[str]
    tags: NotRequired[list[str]]


class PutAway(TypedDict):
    """A run that was deleted, under the name by which it is restored."""

    deleted: str
    id: str
    path: str


class DeletedRun(TypedDict):
    """A run that can be restored."""

    name: str
    id: str
    path: str
    bytes: int
    when: float


class DeletedRuns(TypedDict):
    """The runs that can be restored."""

    deleted: list[DeletedRun]


class ComparedRuns(TypedDict):
    """Several runs with their checkpoints."""

    runs: list[TracedRun | BrokenTracedRun]


class PictureKinds(TypedDict):
    """The kinds of pictures of a run, and why it cannot have others."""

    kinds: list[str]
    missing: dict[str, str]


class ReportRow(TypedDict):
    """A report over boards or a study in the folder."""

    id: str
    name: str
    kind: Literal["boards", "study"]
    batch: bool
    title: str
    saved: float
    bytes: int
    files: list[str]


class Reports(TypedDict):
    """The reports and studies of the folder."""

    reports: list[ReportRow]


# --- Games and settings ---


class GameParameter(TypedDict):
    """A parameter of a game, as a form asks for it."""

    name: str
    kind: Literal["choice", "flag", "matrix", "number", "text", "texts", "whole", "wholes"]
    default: Any
    required: bool
    optional: bool
    least: int | None
    most: int | None
    choices: list[str]
    help: str


class GameDescription(TypedDict):
    """A built-in game."""

    name: str
    about: str
    text: str
    parameters: list[GameParameter]


class Upload(TypedDict):
    """A file that was uploaded; the classes of a file of Python."""

    name: str
    kind: Literal["gambit", "spot", "python"]
    bytes: int
    classes: NotRequired[list[str]]


class Games(TypedDict):
    """The games that there are, and what else can be loaded."""

    games: list[GameDescription]
    openspiel: bool
    trust_files: bool
    uploads: list[Upload]


class AlgorithmRow(TypedDict):
    """An algorithm; ``planned`` where it has to know its number of iterations."""

    name: str
    source: str
    planned: bool


class SamplingRow(TypedDict):
    """A sampling scheme, and examples of its options."""

    name: str
    source: str
    chance: str
    updating: str
    others: str
    average: str
    options: dict[str, list[Any]]


class Algorithms(TypedDict):
    """The choices of the settings of a run, and what this machine has."""

    algorithms: list[AlgorithmRow]
    auto: dict[str, str]
    samplings: list[SamplingRow]
    forms: list[str]
    precisions: list[str]
    iterations: int
    cores: int
    free: float


class Sizes(CompiledSizes):
    """How large a game is, and what an iteration takes; little of one that is not compiled."""

    form: str
    size: str
    free: float


class GameFacts(Sizes):
    """A game, and how large it is."""

    game: str
    title: str
    pot: float | None
    warnings: list[str]


class GameEstimate(GameFacts, Lines):
    """A game, how large it is, and the lines that solve it elsewhere."""


class Goal(TypedDict):
    """From, to how many iterations and seconds a run takes to its goal."""

    iterations: Pair
    seconds: Pair
    measured: bool


class Forecast(TypedDict):
    """About how long a run takes to its goal; null where that is not known."""

    goal: Goal | None


class Keywords(TypedDict):
    """Settings of a run that make sense together."""

    keywords: Settings


class Deleted(TypedDict):
    """The name of what was deleted."""

    deleted: str


class Trusted(TypedDict):
    """The files of Python that may be run until the server ends."""

    trusted: list[str]


# --- Jobs and batches ---


class Jobs(TypedDict):
    """All jobs, and how many run side by side."""

    jobs: list[JobSummary]
    workers: int


class BatchLines(Lines):
    """The lines that make a batch elsewhere, and the file of a study."""

    file: str | None


class BatchJob(JobSummary, BatchLines):
    """A job that is a batch, which has no checkpoints, and the lines that would do the same elsewhere."""

    points: list[JobPoint]


class RunJob(JobSummary, Lines):
    """A job that is a run, with all its checkpoints, and the lines that would do the same elsewhere."""

    points: list[JobPoint]
    facts: dict[str, Any]
    keywords: Settings
    settings: Settings | None


class BegunJobs(TypedDict):
    """The jobs of batches that were begun."""

    jobs: list[JobSummary]


class Dismissed(TypedDict):
    """The id of a job that was taken off the list."""

    dismissed: str


class LeftOut(TypedDict):
    """A pair of an algorithm and a sampling that do not go together."""

    algorithm: NotRequired[str]
    sampling: NotRequired[str]
    reason: str


class BatchFacts(TypedDict):
    """What a batch is, as the process that estimates says it."""

    runs: int
    measured: int
    gigabytes: float
    free: float
    seconds: list[float] | None
    titles_of_runs: list[str]


class BatchEstimate(BatchFacts, BatchLines):
    """What batches are before they begin."""

    batches: int
    titles: list[str]
    left_out: list[LeftOut]


class BatchRow(TypedDict):
    """A batch, and how far it is."""

    id: str
    name: str
    kind: Literal["boards", "study"]
    title: str
    game: str
    saved: float
    done: int
    failed: int
    total: int
    state: JobState


class Batches(TypedDict):
    """The batches of the folder."""

    batches: list[BatchRow]


class BatchOfRuns(BatchRow, BatchLines):
    """A study while it grows: a row for each run, with what varies, and curves by the names of runs."""

    variations: list[dict[str, Any]]
    varied: list[str]
    rows: list[dict[str, Any]]
    curves: dict[str, list[list[float | None]]]
    failures: dict[str, str]


class BatchOfBoards(BatchRow, BatchLines):
    """A report over boards while it grows: its rows at a line, their means, and those by texture."""

    variations: list[dict[str, Any]]
    line: str
    lines: list[str]
    rows: list[dict[str, Any]]
    means: list[dict[str, Any]]
    by: list[str]
    textures: list[dict[str, Any]]
    failures: dict[str, str]


class Connected(TypedDict):
    """The event of all jobs: the first of a stream, and where their order changes."""

    type: Literal["jobs"]
    jobs: list[JobSummary]
    workers: int
    compiling: bool


class JobChanged(TypedDict):
    """The event of a job that is new or has changed."""

    type: Literal["job"]
    job: JobSummary


class JobGone(TypedDict):
    """The event of a job that is not there any more."""

    type: Literal["gone"]
    job: str


class JobCheckpoint(TypedDict):
    """The event of a checkpoint of a job."""

    type: Literal["checkpoint"]
    job: str
    point: JobPoint


class CompilingChanged(TypedDict):
    """The event of kernels that are compiled, or are there."""

    type: Literal["compiling"]
    active: bool


Event = Connected | JobChanged | JobGone | JobCheckpoint | CompilingChanged
"""What the stream of events sends."""

# --- A run ---


class Mix(TypedDict):
    """One decision: the probability of each action; of a spot of hold'em by hand and line."""

    player: int
    infoset: NotRequired[str]
    hand: NotRequired[str]
    line: NotRequired[str]
    board: NotRequired[str]
    actions: list[str]
    probabilities: list[float]


class Overview(Quality):
    """What there is to be looked at in a run, and how good it is."""

    run: str
    game: str
    title: str
    names: list[str]
    spot: bool
    decisions: bool
    flops: bool
    classes: list[ClassLine]
    players: int
    infosets: int
    histories: int | None
    form: str
    sampling: str
    recorded: bool
    explains: bool
    lacks: str


class FilmedInfoset(TypedDict):
    """An infoset of a recording: a row for each frame."""

    player: int
    infoset: str
    holding: str
    history: str
    actions: list[str]
    strategy: list[list[float]]
    average_strategy: list[list[float]]
    regret_sum: list[list[float]]


class DrawnHistory(TypedDict):
    """A history of a game that is drawn whole."""

    parent: int
    action: str
    number: int
    chance: float | None
    player: int
    infoset: str | None
    payoffs: list[float] | None


class Frames(TypedDict):
    """Frames of some of the infosets of a recording."""

    iteration: list[int]
    total: int
    start: int
    infosets: list[FilmedInfoset]


class Film(Frames):
    """What was recorded of a run, as frames; the game where it is small."""

    trace: list[tuple[int, float | None]]
    tree: list[DrawnHistory] | None


class Tendency(TypedDict):
    """What words for an opponent changed: how often something was done before and after."""

    text: str
    before: float
    after: float
    infosets: int


class Loss(TypedDict):
    """What an opponent loses by an action at an infoset."""

    infoset: str
    action: str
    probability: float
    reach: float
    loss: float


class Losses(TypedDict):
    """The largest of what an opponent loses, and all of it."""

    rows: list[Loss]
    total: float
    count: int


class ExploitationAnswer(TypedDict):
    """An answer to a model of the opponent; gain, risk, value and bounds are payoffs per game."""

    player: int
    trust: float
    value: list[float | None]
    gain: float
    risk: float
    model_value: float
    worst_case: float
    lower_bound: float
    upper_bound: float
    gap: float
    iterations: int
    stop_reason: str
    run: str | None
    opponent: str
    tendencies: list[Tendency]
    money: Losses


class ExploitPage(TypedDict):
    """The answer to an opponent that a run is, or null, and why none can be found in it."""

    run: str
    players: list[str]
    pot: float | None
    refusal: str
    answer: ExploitationAnswer | None


# --- Play ---


class TableSettings(TypedDict):
    """The settings of a table of play; of the decisions that are drilled, the number."""

    run: str | None
    game: str | None
    seat: int | None
    seed: int
    line: str | None
    board: str | None
    hands: str | None
    answers: int | None
    missing: str | None
    search: bool
    sizes: Literal["each", "grouped"]
    mixing: bool
    timer: int | None
    pupil: str | None
    mistakes: int | None


class TableRow(TypedDict):
    """A table in the list of all."""

    id: str
    created: float
    deleted: bool
    kind: Literal["play", "train"]
    game: str
    run: str | None
    opponent: str
    unit: float
    settings: TableSettings
    pending: list[int] | None
    hands: int
    payoff: float | None
    cost: float | None
    luck: float | None
    played: float | None


class TableRows(TypedDict):
    """Tables of play, how many of them are in memory, and how many can be."""

    tables: list[TableRow]
    live: int
    most_live: int


class Searched(TypedDict):
    """What an opponent solved again while its player waited."""

    parts: int
    new: int
    seconds: float
    sentences: list[str]


class Grading(TypedDict):
    """From where on a choice is inaccurate, a mistake or a blunder."""

    limits: list[float]
    note: str | None


class PublicMove(TypedDict):
    """A move that all have seen."""

    player: int
    action: str


class Turn(TypedDict):
    """A decision that is waited for."""

    hand: int
    step: int
    seat: int
    infoset: str
    actions: list[str]
    random: int | None
    table: list[tuple[str, str]]
    line: str | None
    moves: list[PublicMove]


class Average(TypedDict):
    """The sum and the mean of numbers, and the standard error of the mean."""

    total: float
    mean: float
    error: float | None


class DealtMove(TypedDict):
    """A move of chance in a hand that is over."""

    player: int
    taken: str
    probability: float | None


class ChosenMove(TypedDict):
    """A choice in a hand that is over, with what the strategy plays and what each action was worth."""

    player: int
    taken: str
    infoset: str
    actions: list[str]
    probabilities: list[float] | None
    action_values: list[float] | None
    unknown: bool
    mix: list[float] | None
    table: list[tuple[str, str]]
    cost: float | None
    at_stake: float | None
    best: list[str]


class PlayedHand(TypedDict):
    """A hand that is over."""

    hand: int
    seat: int
    payoff: float | None
    payoffs: list[float]
    best_response_value: float | None
    cost: float | None
    luck: float | None
    begun: int
    aivat: float | None
    moves: list[DealtMove | ChosenMove]
    grades: list[int | None]


class LastHand(PlayedHand):
    """The hand that ended last at a table, with the number that was given with each choice."""

    random: NotRequired[list[int | None]]


class TableOfHand(TypedDict):
    """The table at which a hand was played."""

    id: str
    kind: Literal["play", "train"]
    game: str
    run: str | None
    unit: float
    opponent: str


class HandAtTable(PlayedHand):
    """A hand that was played, and where."""

    table: TableOfHand


class Grades(TypedDict):
    """How many choices had which grade."""

    best: int
    inaccuracy: int
    mistake: int
    blunder: int


class Score(TypedDict):
    """Decisions summed up; costs where all are of one game."""

    game: str | None
    unit: float | None
    decisions: int
    hands: int
    known: int
    cost: float | None
    at_stake: float | None
    lost: float | None
    score: float | None
    grades: Grades


class TableState(TypedDict):
    """A table of play as it stands."""

    id: str
    kind: Literal["play", "train"]
    game: str
    run: str | None
    opponent: str
    unit: float
    created: float
    deleted: bool
    settings: TableSettings
    players: int
    costs: bool
    reason: str
    search: Searched | None
    grading: Grading
    hand: int
    turn: Turn | None
    last: LastHand | None
    totals: dict[str, Average]
    course: list[tuple[int, float, float]]
    score: Score


class TableChanged(TypedDict):
    """A table that was put away, or taken back."""

    id: str
    deleted: bool


class Training(TypedDict):
    """The decisions of a run at which hands can be dealt."""

    kind: Literal["lines", "infosets"]
    total: int
    places: list[PlaceToTrain]
    mistakes: int


class ScoreRow(Score):
    """Decisions summed up by what they have in common, which is the name."""

    name: str | int | None


class HistoryScores(TypedDict):
    """Decisions summed up by game, pupil, action, line, infoset, seat or grade."""

    by: str
    total: Score
    rows: list[ScoreRow]


class DecisionRow(TypedDict):
    """A decision of somebody who played: what was chosen, what the strategy plays, and what the choice cost."""

    pupil: str | None
    table_id: str
    number: int
    played: float
    game: str
    run: str | None
    kind: Literal["play", "train"]
    unit: float
    step: int
    seat: int
    infoset: str
    hand: str | None
    line: str
    action: str
    cost: float | None
    share: float | None
    grade: int | None
    actions: list[str]
    mix: list[float] | None
    best: list[str]


class Decisions(TypedDict):
    """Decisions one by one, and how many there are in all."""

    total: int
    decisions: list[DecisionRow]


class HandRow(TypedDict):
    """A hand in the list of those that were played."""

    table_id: str
    number: int
    played: float
    seat: int
    payoff: float | None
    best_response_value: float | None
    cost: float | None
    luck: float | None
    line: str | None
    game: str
    run: str | None
    kind: Literal["play", "train"]
    unit: float


class HandRows(TypedDict):
    """Hands that were played."""

    hands: list[HandRow]
