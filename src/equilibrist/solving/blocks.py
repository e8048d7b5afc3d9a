"""What runs show, as blocks: their traces and recordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evaluation.gaps import gap_words
from ..show.blocks import Block, Column, Table
from ..strategy.order import reading_order

if TYPE_CHECKING:
    from .recording import Recording
    from .trace import Checkpoint, Trace

_INFOSETS = 24  # of a recording
_POINTS = 16  # of a trace


def trace_blocks(trace: Trace) -> list[Block]:
    """Return what a trace shows."""
    return [trace_table(trace)]


def trace_table(trace: Trace, title: str = "Trace") -> Table:
    """Return a table of checkpoints, of many every second of the last."""
    points: list[Checkpoint] = list(trace)
    if len(points) > _POINTS:
        points = [*points[:-1][::2], points[-1]][-_POINTS:]
    values = [point.value[0] if point.value else None for point in points]
    words = gap_words(max((len(point.value) for point in points), default=0))
    return Table(
        [
            Column("iteration", [point.iteration for point in points], ",d"),
            Column("nodes touched", [point.nodes_touched for point in points], ",d"),
            Column("seconds", [point.seconds for point in points], ".3g"),
            Column("value of player 0", values, "+.6f"),
            Column(words.total, [point.nash_conv for point in points], ".3e"),
            Column(words.gap, [point.gap for point in points], ".3e"),
        ],
        title=title,
    )


def recording_blocks(recording: Recording) -> list[Block]:
    """Return what a recording shows: the last strategies of its first infosets."""
    numbers = reading_order(recording.infosets)[:_INFOSETS]
    infosets = [recording.infosets[number] for number in numbers]
    current = []
    average = []
    for player, key, _ in infosets:
        recorded = recording.at((player, key))
        current.append(dict(zip(recorded.actions, recorded.strategy[-1].tolist(), strict=True)))
        last_average = recorded.average_strategy[-1].tolist()
        average.append(dict(zip(recorded.actions, last_average, strict=True)))
    return [
        Table(
            [
                Column("player", [player for player, _, _ in infosets], "d"),
                Column("infoset", [key for _, key, _ in infosets]),
                Column("current strategy", current, ".3f", bars=True),
                Column("average strategy", average, ".3f", bars=True),
            ],
            title=f"Recorded after {len(recording.iteration):,} iterations; the last of them",
        )
    ]
