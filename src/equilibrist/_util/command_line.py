"""Words of commands that a reader pastes into a terminal."""

from __future__ import annotations

import re
import shlex

from .system import IS_WINDOWS

_PLAIN_ON_WINDOWS = re.compile(r"[\w+=:./\\-]+", re.ASCII)


def quote_word(text: str) -> str:
    """Return a text as one word of a command line, in double quotes where it has single ones and that will do.

    On Windows it has double quotes, which both of its shells understand.
    """
    if IS_WINDOWS:
        if _PLAIN_ON_WINDOWS.fullmatch(text):
            return text
        return '"' + text.replace('"', '\\"') + '"'
    if "'" in text and not set(text) & set('"$`\\!\n'):
        return f'"{text}"'
    return shlex.quote(text)
