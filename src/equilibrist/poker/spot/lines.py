"""Lines of betting as text, ``X-B120-C | B200-A900``: reading them, and following them action by action."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...errors import GameError
from ...game.card_places import line_tokens

SLACK = 1e-9
"""What may be lost in rounding, chips."""

Line = tuple[str, tuple[str, ...]]
"""A line as the user wrote it, and those of its actions that are still to come."""

_TOKEN = re.compile(r"[XFC]|[BR]\d+(?:\.\d+)?|A(?:\d+(?:\.\d+)?)?")

_WORDS = {"X": "check", "C": "call", "F": "fold", "B": "bet", "R": "raise to", "A": "all-in"}


START = "start"
"""What the beginning of the betting is called, where it has no action that names it."""


def split_line(line: object) -> tuple[str, ...]:
    """Return the actions of a line such as ``X-B120-C | B200-A900``; none for ``start``, as tables call the empty one.

    >>> split_line("X-B120"), split_line("start"), split_line("")
    (('X', 'B120'), (), ())
    """
    if isinstance(line, str) and line.strip().lower() == START:
        return ()
    tokens = line_tokens(line) if isinstance(line, str) else ()
    for token in tokens:
        if not _TOKEN.fullmatch(token):
            raise GameError(
                f"Cannot read {token!r} in the line {line!r}; write lines as 'X-B120-C | "
                "B200-A900': X check, C call, F fold, B bet, R raise and A all-in, each with the "
                "chips that the player has then put in on the street.",
                wrong_use=True,
            )
    return tokens


def _is_near(chips: float, other_chips: float) -> bool:
    """Return whether two numbers of chips differ by rounding alone."""
    return abs(chips - other_chips) <= SLACK * min(1.0, max(chips, other_chips))


def streets_over(line: str) -> int:
    """Return how many streets a line ends: by a call, or by two checks.

    >>> streets_over("X-B120-C | X"), streets_over("X-X | X-X")
    (1, 2)
    """
    over = 0
    token_before = ""
    for token in split_line(line):
        ends_street = token == "C" or token == token_before == "X"
        over = over + ends_street
        token_before = "" if ends_street else token
    return over


def action_words(action: str) -> str:
    """Return an action in words.

    >>> action_words("X"), action_words("R350"), action_words("A900")
    ('check', 'raise to 350', 'all-in 900')
    >>> action_words("push")
    'push'
    """
    if action[0] in _WORDS:
        return f"{_WORDS[action[0]]} {action[1:]}".rstrip()
    return action


def extend_line(line: str, action: str) -> str:
    """Return a line with one more action."""
    return f"{line}{' ' if line.endswith('|') else '-' if line else ''}{action}"


def place_in_words(line: str) -> str:
    """Return where a line leads, for titles."""
    if line:
        return f"after {line}"
    return "at the start"


def after_line(line: str) -> str:
    """Return where a line leads, for messages."""
    if line:
        return f"after {line!r}"
    return "at the start"


def match_action(at: str, actions: Sequence[str], line: Line) -> str:
    """Return the action that the next token of a line means."""
    text = line[0]
    token = line[1][0]
    for action in actions:
        if token in "XFCA":
            may_match = token in (action, action[0])
        else:
            may_match = token[0] in "BRA"
        if may_match and (
            token in "XFCA"
            or (action[0] in "BRA" and _is_near(float(action[1:]), float(token[1:])))
        ):
            return action
    raise no_such_line(text, token, at, actions)


def no_such_line(text: str, token: str, at: str, actions: Sequence[str]) -> GameError:
    """Return the error for a line whose next action is not among those there are ``at`` a line."""
    place = after_line(at)
    if actions:
        hint = f"the actions {place} are {', '.join(actions)}"
    else:
        hint = f"the hand is over {place}"
    return GameError(f"There is no {token!r} in the line {text!r}: {hint}.", wrong_use=True)


def check_over(at: str, lines: Iterable[Line]) -> None:
    """Refuse lines that go on where the hand is over."""
    for text, tokens in lines:
        raise no_such_line(text, tokens[0], at, ())


def lines_below(at: str, actions: Sequence[str], lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return, for each action, the lines that go on after it."""
    lines_of_action: dict[str, list[Line]] = {action: [] for action in actions}
    for text, tokens in lines:
        action = match_action(at, actions, (text, tokens))
        if len(tokens) > 1:
            lines_of_action[action].append((text, tokens[1:]))
    return lines_of_action
