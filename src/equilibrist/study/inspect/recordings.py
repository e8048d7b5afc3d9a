"""A recorded run as moving pictures: strategy and regret of infosets frame by frame, and the game as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._util.arrays import Floats, Ints
from ...game.protocol import CHANCE, TERMINAL, action_label
from ...web.respond import RequestError
from ..answers import DrawnHistory, FilmedInfoset, Frames

if TYPE_CHECKING:
    from ...solving.recording import Recording
    from ...web.histories import HistoryWalk
    from ...web.infosets import InfosetTable

MOST_FRAMES = 2_000
MOST_INFOSETS = 100
_EVERY = 100  # of the first iterations each is a frame, where it was recorded
_MOST_DRAWN = 200  # histories of a tree that is drawn whole
_DIGITS = 7


def choose_frames(iteration: Sequence[int], most: int) -> Ints:
    """Return which rows of a recording are frames: the first ones all, later ones ever farther apart, the last always.

    >>> choose_frames([1, 2, 3, 4, 6, 8, 12], 4).tolist()
    [0, 1, 2, 6]
    """
    count = len(iteration)
    if count <= most:
        return np.arange(count)
    num_first = min(_EVERY, most // 2)
    later_frames = np.geomspace(num_first, count - 1, most - num_first).round().astype(np.int64)
    return np.unique(np.concatenate([np.arange(num_first), later_frames[:-1], [count - 1]]))


def plain_recording(
    recording: Recording, table: InfosetTable, *, most: int, start: int, count: int
) -> Frames:
    """Return frames of some of the infosets of a recording as plain data: arrays have a row for each frame."""
    frames = choose_frames(recording.iteration.tolist(), most)
    place = {number: k for k, number in enumerate(table.order.tolist())}
    numbers = sorted(
        (table.number(infoset.player, infoset.key) for infoset in recording.infosets),
        key=place.__getitem__,
    )
    infosets: list[FilmedInfoset] = []
    for number in numbers[start : start + count]:
        row = table.row(number)
        arrays = recording.at((row["player"], row["infoset"]))
        infosets.append(
            {
                "player": row["player"],
                "infoset": row["infoset"],
                "holding": row["holding"],
                "history": row["history"],
                "actions": row["actions"],
                "strategy": _round(arrays.strategy[frames]),
                "average_strategy": _round(arrays.average_strategy[frames]),
                "regret_sum": _round(arrays.regret_sum[frames]),
            }
        )
    return {
        "iteration": recording.iteration[frames].tolist(),
        "total": len(recording.infosets),
        "start": start,
        "infosets": infosets,
    }


def _round(values: Floats) -> list[list[float]]:
    rounded: list[list[float]] = np.round(values, _DIGITS).tolist()
    return rounded


def tree_rows(walk: HistoryWalk, histories: int | None) -> list[DrawnHistory] | None:
    """Return the histories of a small game, parents before children; None where they are too many to be drawn.

    Each has ``parent``, ``action`` and ``number`` of the move that leads to it, and the ``chance``
    of this move where chance makes it; ``player`` and ``infoset`` of who moves, and the ``payoffs``
    of an end.
    """
    if histories is None or histories > _MOST_DRAWN:
        return None
    rules = walk.rules
    nodes = list[DrawnHistory]()
    stack: list[tuple[Any, int, str, int, float | None]] = [(rules.start(), -1, "", 0, None)]
    while stack:
        state, parent, action, number, chance = stack.pop()
        player = rules.player(state)
        node: DrawnHistory = {
            "parent": parent,
            "action": action,
            "number": number,
            "chance": chance,
            "player": player,
            "infoset": None,
            "payoffs": None,
        }
        if player == TERMINAL:
            node["payoffs"] = list(map(float, rules.payoffs(state)))
        elif player != CHANCE:
            node["infoset"] = str(rules.infoset(state))
        nodes.append(node)
        if player == TERMINAL:
            continue
        moves = rules.actions(state)
        odds: list[float | None] = [None] * len(moves)
        if player == CHANCE:
            odds = [float(probability) for probability in rules.probabilities(state)]
        children = [
            (rules.next(state, move), len(nodes) - 1, action_label(rules, state, move), k, odds[k])
            for k, move in enumerate(moves)
        ]
        stack.extend(reversed(children))
    return nodes


def recording_or_error(recording: Recording | None) -> Recording:
    """Return the recording of a run, or say how one is made."""
    if recording is None or not len(recording.iteration):
        raise RequestError(
            "No infosets were recorded of this run: solve with --record all.", status=422
        )
    return recording
