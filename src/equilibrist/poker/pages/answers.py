"""What the routes of poker answer, as :mod:`equilibrist.web.answers` says of others."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from ...runs.reproduce import Lines
from ...web.answers import CompiledSizes, MaybeNumbers, MaybePair, Pair, Quality, Settings
from ..solved.run_outs import TextureOfRunOut

ByAction = dict[str, float | None]
HandTable = dict[str, list[Any]]
"""Columns of numbers and texts of hands, by name; an action has its probability, and ``ev`` with its name its EV."""


class LockText(TypedDict):
    """A lock of a spot: at a line, what hands play; ``text`` says it in words."""

    line: str
    strategy: dict[str, float]
    hands: list[str] | str | None
    board: str | list[int] | None
    player: int
    text: str


class SpotOverview(Quality):
    """A solved spot: settings, ranges, streets, locks, and how good the solution is."""

    run: str
    game: str
    title: str
    settings: Settings
    players: list[str]
    board: str
    pot: float
    stack: float
    rake: float
    ranges: list[str]
    hands: list[int]
    hole_cards: int
    made_hands: dict[str, str]
    draws: dict[str, str]
    streets: list[str]
    solved_streets: list[str]
    nodes: dict[str, dict[str, int]]
    locks: list[LockText]
    folded: str
    carried: Settings | None


class NoteAtDecision(TypedDict):
    """A note at a decision of a spot."""

    line: str
    board: str
    text: str


class DecisionNotes(TypedDict):
    """The notes at decisions of a run, and how many characters one may have."""

    notes: list[NoteAtDecision]
    longest: int


class NextAction(TypedDict):
    """An action and where it leads: who decides then, which street is dealt, or how the hand ends."""

    action: str
    words: str
    next: Literal["decision", "deal", "end"]
    player: NotRequired[int]
    street: NotRequired[str]
    result: NotRequired[str]


class TakenAction(NextAction):
    """An action of a decision on the way, and how often it is played there."""

    frequency: NotRequired[float]


class DecisionStep(TypedDict):
    """A decision on the way to a place, with the action taken."""

    kind: Literal["decision"]
    line: str
    board: str
    street: str
    player: int
    pot: float
    actions: list[TakenAction]
    chosen: str


class DealStep(TypedDict):
    """A card that was dealt on the way to a place."""

    kind: Literal["deal"]
    street: str
    card: str
    board: str


class SpotPlace(TypedDict):
    """What all places of a spot have, and the steps that lead there."""

    line: str
    board: str
    street: str
    pot: float
    stacks: list[float]
    steps: list[DecisionStep | DealStep]


class SpotEnd(SpotPlace):
    """The end of a hand."""

    kind: Literal["end"]
    result: str


class SpotDeal(SpotPlace):
    """A place where a card is dealt: those that may come, alike ones together, and who decides then."""

    kind: Literal["deal"]
    next_street: str
    next_player: int
    cards: list[list[str]]


class SpotUnsolved(SpotPlace):
    """A decision on a street that the run has not."""

    kind: Literal["unsolved"]
    to_call: float


class MadeCell(TypedDict):
    """A part of a range of Omaha, by made hand and draw: how much it is, what it earns, what it plays.

    ``mix`` is a mean by weight; ``played`` is the part of the range that plays an action, and ``earned``
    that part × EV. The three are null for who does not decide.
    """

    name: str
    made: str
    draw: str
    hands: int
    combos: float
    probability: float
    ev: float | None
    equity: float | None
    mix: list[float] | None
    played: list[float] | None
    earned: list[float] | None


class FilteredHands(TypedDict):
    """The hands of a player that pass a filter; of Omaha also by made hand and draw, else null."""

    player: int
    hands: HandTable
    cells: list[MadeCell] | None


class SpotDecision(SpotPlace):
    """A decision, with all numbers of all ranges; ``made`` by made hand: the share, and what is played.

    ``others`` are the tables of the players by number, null for who decides. Of Omaha tables have but
    the hands of each made hand and draw that are held most often, and ``cells`` are both ranges whole.
    """

    kind: Literal["decision"]
    to_call: float
    next: list[NextAction]
    player: int
    reach: float
    off_path: str
    ev: MaybeNumbers
    equity: MaybeNumbers
    eqr: MaybeNumbers
    frequencies: ByAction
    hands: HandTable
    made: dict[str, list[float | None]]
    actions: list[str]
    others: list[HandTable | None]
    cells: NotRequired[list[list[MadeCell]]]


class OfflineSize(TypedDict):
    """How large a spot is as a page of its own: its decisions, about how many bytes, and how many there may be."""

    decisions: int
    bytes: int
    most: int
    most_decisions: int


class ActionOfHand(TypedDict):
    """What a hand plays and earns by an action; ``best_ev`` with the best response afterwards."""

    action: str
    probability: float | None
    ev: float | None
    best_ev: float | None


class OwnDecision(TypedDict):
    """What a hand did at a decision on the way."""

    line: str
    board: str
    chosen: str
    probabilities: ByAction


class HandDetails(TypedDict):
    """One hand of a player at a decision."""

    hand: str
    player: int
    line: str
    board: str
    range: float
    probability: float
    ev: float | None
    equity: float | None
    actions: list[ActionOfHand] | None
    way: list[OwnDecision]


class RunOut(TextureOfRunOut):
    """A card that may come, those alike by suits, and what is played then; without a player no hands are left.

    Where hands of one player are counted alone, numbers of the others are null.
    """

    card: str
    alike: list[str]
    board: str
    weight: float
    player: int | None
    pot: NotRequired[float]
    frequencies: NotRequired[ByAction]
    ev: NotRequired[MaybeNumbers]
    equity: NotRequired[MaybeNumbers]
    eqr: NotRequired[MaybeNumbers]


class RunOuts(TypedDict):
    """Cards that may come after a line; ``of`` is the player whose hands a filter leaves, null without one."""

    line: str
    board: str
    of: int | None
    total: int
    start: int
    rows: list[RunOut]


class LockMix(TypedDict):
    """What hands are locked to; as solved where the strategy is null."""

    hands: list[str]
    strategy: list[float] | None


class LockMixes(TypedDict):
    """What a text locks at a decision."""

    mixes: list[LockMix]


class SideOfPair(TypedDict):
    """One of two decisions side by side."""

    run: str
    line: str
    board: str
    player: int
    pot: float
    actions: list[str]
    frequencies: ByAction
    ev: MaybePair
    equity: MaybePair
    next: list[NextAction]


HandOfPair = TypedDict(
    "HandOfPair",
    {
        "hand": str,
        "class": str,
        "range": Pair,
        "ev": MaybePair,
        "equity": MaybePair,
        "actions": list[str],
        "mixes": list[list[float | None]],
        "difference": float | None,
        "ev_difference": float | None,
    },
)
"""A hand in two decisions: both mixes, and how far they are apart."""


class DecisionPair(TypedDict):
    """Two decisions of spots hand by hand."""

    player: int
    sides: list[SideOfPair]
    actions: list[str]
    hands: list[HandOfPair]


class ClassDecision(TypedDict):
    """What the 169 classes of hands play after a line before the flop, and what each is worth."""

    line: str
    player: int
    name: str
    frequencies: ByAction
    weights: list[float]
    strategy: dict[str, list[float | None]]
    values: list[float | None]


class FlopLine(TypedDict):
    """A line after which a flop is played."""

    line: str
    pot: float
    stack: float


class FlopLines(TypedDict):
    """The lines after which a flop is played."""

    lines: list[FlopLine]


class SpotSettings(TypedDict):
    """The settings of a spot."""

    settings: Settings


class ReadSpot(SpotSettings):
    """The settings of a spot that was read, and what was not read of its file; of three ranges also the game."""

    warnings: list[str]
    game: NotRequired[str]


class RangeText(TypedDict):
    """A range as a text and as weights; ``share`` is that of all hands."""

    text: str
    weights: dict[str, float]
    hands: int
    combos: float
    share: float
    warnings: list[str]


class Removal(TypedDict):
    """By card, how much of a range and of its calls hold it."""

    range: dict[str, float | None]
    calls: dict[str, float | None]


class RangeEquity(TypedDict):
    """The equity of two ranges on a board: of both, its distribution, by made hand, by card, by hand."""

    board: str
    equity: MaybePair
    distribution: list[list[float]]
    made: list[dict[str, list[Any]]]
    removal: list[Removal]
    hands: list[HandTable]
    warnings: list[str]


class TreeChange(TypedDict):
    """A size that was asked for, and what the settings of a spot made of it."""

    line: str
    asked: float
    became: float
    reason: str


class BettingRow(TypedDict):
    """A row of a betting tree; ``more`` where what follows is on a later street."""

    line: str
    action: str
    depth: int
    street: str
    player: int
    folded: int
    pot: float
    left: list[float]
    more: bool


class SpotFacts(CompiledSizes):
    """What a spot is before it is solved; its sizes where these are wanted."""

    game: str
    title: str
    pot: float
    warnings: list[str]
    settings: Settings
    hands: list[int]
    combos: list[float]
    counts: dict[str, dict[str, int]]
    nodes: int
    changes: list[TreeChange]
    change_rows: list[str]
    rows: list[BettingRow]
    form: NotRequired[str]
    size: NotRequired[str]
    free: NotRequired[float]


class SpotEstimate(SpotFacts, Lines):
    """What a spot is before it is solved, and the lines that solve it elsewhere."""


PushFoldCharts = TypedDict(
    "PushFoldCharts",
    {
        "stacks": list[float],
        "exploitability": float,
        "hand": list[str],
        "push": list[float | None],
        "push at": list[str],
        "call": list[float | None],
        "call at": list[str],
        "probabilities": dict[str, list[list[float]]],
        "remaining": int,
        "left_out": list[float],
    },
)
"""At which stacks each hand is pushed, and called with."""


class SavedRange(TypedDict):
    """A range that is saved."""

    name: str
    position: str
    text: str
    combos: NotRequired[float]
    hole_cards: NotRequired[int]


class SavedSpot(TypedDict):
    """The settings of a spot that are saved."""

    name: str
    position: str
    settings: Settings


class UsualRange(SavedRange):
    """A range of our own solutions, and of which game."""

    game: str


class Presets(TypedDict):
    """What is kept to start from."""

    ranges: list[SavedRange]
    spots: list[SavedSpot]
    usual: list[UsualRange]
    set_aside: str | None


class SavedPreset(TypedDict):
    """What was saved, renamed or deleted: a range with its text, a spot with its settings."""

    kind: Literal["range", "spot"]
    name: str
    position: str
    text: NotRequired[str]
    combos: NotRequired[float]
    hole_cards: NotRequired[int]
    settings: NotRequired[Settings]


class PresetName(TypedDict):
    """The name of something saved."""

    kind: Literal["range", "spot"]
    name: str


class ImportedPresets(TypedDict):
    """What a file has added."""

    added: list[PresetName]


class HandCollection(TypedDict):
    """A folder of hand histories, and how far its grading is."""

    id: str
    name: str
    created: str
    files: int
    bytes: int
    state: Literal["new", "waiting", "running", "done", "failed", "stopped", "interrupted"]
    stage: str
    message: str
    hands: int | None
    graded: int | None


class HandCollections(TypedDict):
    """All folders of hand histories."""

    collections: list[HandCollection]


class HandFile(TypedDict):
    """A file of hands, and how many bytes of it are there."""

    name: str
    bytes: int


class SkippedHands(TypedDict):
    """Hands without a decision to grade: why, how many, and where the first of them begin."""

    reason: str
    count: int
    places: list[str]


class UncoveredDecisions(TypedDict):
    """Decisions that no run covers: why, and how many."""

    reason: str
    count: int


class HandPlayer(TypedDict):
    """A player, and of how many of their decisions the cards are known."""

    name: str
    decisions: int


class UsedRun(TypedDict):
    """A run that grades: whether it has a grid of hands, how exact it is, and how many decisions it covers."""

    id: str
    spot: bool
    exploitability_percent: float
    decisions: int


class SpotToSolve(TypedDict):
    """A spot that no run covers, with its settings."""

    board: str
    pot: float
    stack: float
    decisions: int
    settings: Settings


class SpotsToSolve(TypedDict):
    """The spots that no run covers, those with the most decisions first."""

    decisions: int
    spots: list[SpotToSolve]


class HandReport(TypedDict):
    """What a grading found: every hand is in ``hands``, and those without decisions in ``skipped``."""

    hands: int
    graded: int
    skipped: list[SkippedHands]
    uncovered: list[UncoveredDecisions]
    players: list[HandPlayer]
    runs: list[UsedRun]
    missing: SpotsToSolve | None


class HandsReport(TypedDict):
    """A folder of hand histories with what its last grading found."""

    collection: HandCollection
    report: HandReport | None


class DecisionSum(TypedDict):
    """Decisions that have something in common; ``frequency`` is how often the runs do what was played."""

    name: str
    decisions: int
    cost: float
    cost_percent: float
    frequency: float


class GradedDecisions(TypedDict):
    """Graded decisions, those first that cost most, their number, and their sums."""

    decisions: int
    wrong: int
    cost_percent: float
    sums: list[DecisionSum]
    rows: list[dict[str, Any]]
