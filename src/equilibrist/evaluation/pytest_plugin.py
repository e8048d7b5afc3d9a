"""Tests of a game for the suite of its author: ``pytest --equilibrist rules.py:Poker``.

pytest imports this module in every session, by an entry point: it imports nothing of the package
before a game is asked for.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_OPTION = "--equilibrist"
_PLAYS = 100
_MARKER = "equilibrist: tests of a game that --equilibrist names"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("equilibrist", "games of Equilibrist")
    group.addoption(
        _OPTION,
        action="append",
        default=[],
        metavar="GAME",
        help="Test the rules of this game, too: file.py:Class, or anything that equilibrist.load takes as text. "
        "Repeatable.",
    )
    group.addoption(
        f"{_OPTION}-plays",
        type=_read_plays,
        default=_PLAYS,
        metavar="N",
        help=f"In how many random plays. [{_PLAYS}]",
    )


def _read_plays(text: str) -> int:
    """Return a number of plays, of which there is at least one."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number, 1 or more; got {text!r}")
    return int(text)


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of the tests."""
    config.addinivalue_line("markers", _MARKER)


def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the tests of the games that are asked for to those that were collected."""
    for spec in session.config.getoption(_OPTION):
        for name, check in CHECKS.items():
            item = GameTest.from_parent(
                session, name=name, nodeid=f"{spec}::{name}", spec=spec, check=check
            )
            items.append(item)


class GameTest(pytest.Item):
    """One test of a game, which loads it."""

    def __init__(self, *, spec: str, check: Callable[[Any, int], None], **where: Any) -> None:
        super().__init__(**where)
        self.spec = spec
        self.check = check
        self.add_marker("equilibrist")

    def runtest(self) -> None:
        from ..games.load import load

        self.check(load(self.spec), self.config.getoption(f"{_OPTION}-plays"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the sentence of what the package has raised, which says all that a traceback would."""
        from ..errors import EquilibristError, EquilibristWarning

        if isinstance(excinfo.value, EquilibristError | EquilibristWarning):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where pytest says that the test is: at the text of the game, as in its id."""
        return self.config.rootpath / self.spec, None, self.name


def _check_plays(game: Any, plays: int) -> None:
    """Check the rules on random plays, which a game of any size has: see ``check_contract``."""
    from ..game.card_game import is_card_game
    from ..game.contract import check_contract

    if is_card_game(game):
        pytest.skip("The betting of a card game is checked with all its histories.")
    check_contract(game, plays=plays)


def _check_histories(game: Any, plays: int) -> None:
    """Check every history, and that all forms of the game are one game: see ``check_game``.

    Chance that nobody sees is a mistake here, unless the settings of pytest ignore its warning:
    they are looked at before the filter that is appended.
    """
    from ..errors import GameTooLargeError
    from .check import UnseenChanceWarning, check_game

    with warnings.catch_warnings():
        warnings.simplefilter("error", UnseenChanceWarning, append=True)
        try:
            check_game(game)
        except GameTooLargeError as error:
            pytest.skip(str(error))


CHECKS: dict[str, Callable[[Any, int], None]] = {
    "plays": _check_plays,
    "histories": _check_histories,
}
"""The tests of a game, by name: each is given the game, and in how many random plays it is tested."""
