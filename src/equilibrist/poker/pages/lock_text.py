"""Locks at one decision as a text: a line for each mix, ``AA, AKs: C 70, F 30``."""

from __future__ import annotations

import re
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats
from ...errors import GameError
from ...web.respond import RequestError
from ..cards.cards import parse_hand
from ..cards.hand_filter import is_filter
from ..cards.ranges import Range, range_tokens
from ..solved.spot_node import SpotNode
from ..spot.locks import find_action

_TOLERANCE = 0.005  # of the sum of a mix: thirds are written as 33.33
_SHARE = re.compile(r"(\d+\.?\d*|\.\d+)\s*%?")


class LockLine(NamedTuple):
    """A line of the text: the hands that it names, and how they play.

    Attributes
    ----------
    hands : bool array, shape (hands of the player,)
    mix : float64 array, shape (actions,), or None
        None: each hand as it is solved.
    """

    hands: NDArray[np.bool_]
    mix: Floats | None


def read_lock_text(text: str, node: SpotNode) -> list[LockLine]:
    """Return the lines of a text that locks hands at a decision.

    Hands are written as a range without weights, as ``all``, or as a filter such as ``top pair and not
    hearts``, in which EVs are in chips; then come a colon and the share of each action in percent, which
    is 100 where there is none, or ``[as solved]``.
    """
    lines = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            hands, colon, mix = line.rpartition(":")
            if not colon:
                raise _lock_error(
                    f"{line.strip()}: a colon stands between hands and actions.",
                    start,
                    len(line.rstrip()),
                )
            lines.append(
                LockLine(
                    _match_hands(hands, start, node),
                    _read_mix(mix, start + len(hands) + 1, hands.strip(), node),
                )
            )
        start += len(line)
    return lines


def make_locks(lines: list[LockLine], node: SpotNode, board: str | None) -> list[dict[str, Any]]:
    """Return the locks that lines stand for, one for each mix; of hands named twice, the later line counts."""
    mixes: dict[int, tuple[float, ...]] = {}
    for hands, mix in lines:
        for hand in np.flatnonzero(hands).tolist():
            shares = node.strategy[:, hand] if mix is None else mix
            if np.isfinite(shares).all():
                mixes[hand] = tuple((shares / shares.sum()).tolist())
    names: dict[tuple[float, ...], list[str]] = {}
    for hand in sorted(mixes):
        names.setdefault(mixes[hand], []).append(node.hands[node.player][hand])
    if board is None:
        place = {"line": node.line}
    else:
        place = {"line": node.line, "board": board}
    return [
        {**place, "strategy": dict(zip(node.actions, mix, strict=True)), "hands": ",".join(hands)}
        for mix, hands in names.items()
    ]


def _match_hands(text: str, start: int, node: SpotNode) -> NDArray[np.bool_]:
    """Return the hands that a range names, each token of it some that come there; or those that pass a filter."""
    if is_filter(text):
        return _filter_hands(text, start, node)
    numbers = [parse_hand(name) for name in node.hands[node.player]]
    is_in_range = node.ranges[node.player] > 0
    named_hands = np.zeros(len(numbers), bool)
    for token, place in range_tokens(text):
        first = start + place - 1
        if token.lower() == "all":
            is_named = np.ones(len(numbers), bool)
        else:
            try:
                with warnings.catch_warnings(action="ignore"):
                    weights = Range(" " * first + token, name="hands", deck=node.deck).weights
            except GameError as error:
                raise _lock_error(str(error), first, len(token)) from error
            if not np.isin(weights, (0, 1)).all():
                raise _lock_error(
                    f"{token}: hands that are locked have no weights.", first, len(token)
                )
            is_named = weights[numbers] > 0
        if not (is_named & is_in_range).any():
            raise _lock_error(
                f"{node.names[node.player]} does not hold {token} here.", first, len(token)
            )
        named_hands |= is_named
    if not named_hands.any():
        raise _lock_error(
            "No hands stand before the colon; write all, or a range such as AA,AKs.",
            start,
            len(text) + 1,
        )
    return named_hands


def _filter_hands(text: str, start: int, node: SpotNode) -> NDArray[np.bool_]:
    """Return the hands that pass a filter, of which some come there."""
    try:
        passes = node.passes(" " * start + text)
    except GameError as error:
        raise _lock_error(str(error), *(error.span or (start, len(text)))) from error
    if not (passes & (node.ranges[node.player] > 0)).any():
        name = node.names[node.player]
        raise _lock_error(f"{name} does not hold {text.strip()} here.", start, len(text))
    return passes


def _read_mix(text: str, start: int, hands: str, node: SpotNode) -> Floats | None:
    if text.strip().startswith("["):
        return None
    shares = dict.fromkeys(node.actions, 0.0)
    for part in re.finditer(r"[^,]+", text):
        name, _, share = part[0].strip().partition(" ")
        number = _SHARE.fullmatch(share.strip() or "100")
        if not name:
            continue
        span = start + part.start(), len(part[0])
        if number is None:
            raise _lock_error(
                f"The share of {name} is a number, in percent; got {share.strip()!r}.", *span
            )
        try:
            shares[find_action(node.line, node.actions, name.upper())] += float(number[1]) / 100
        except GameError as error:
            raise _lock_error(str(error), *span) from error
    total = sum(shares.values())
    if abs(total - 1) > _TOLERANCE:
        raise _lock_error(
            f"{hands}: the shares sum to {100 * total:.5g} %, not 100 %.", start, len(text.rstrip())
        )
    return np.array(list(shares.values())) / total


def _lock_error(message: str, start: int, length: int) -> RequestError:
    return RequestError(message, field="text", span=(start, length))
