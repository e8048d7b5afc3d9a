"""Gambit's strategic-form files (``.nfg``), read without Gambit: each player chooses once, and sees no other's choice.

A file is a header, the strategies by number or by name, and what each profile pays, the first
player's strategy changing fastest: the payoffs themselves, or the numbers of outcomes that are
listed before::

    NFG 1 R "title" { "player 1" "player 2" } { 2 2 } 1 1 0 3 3 0 2 2
    NFG 1 R "title" { "Ann" "Ben" } { { "up" "down" } { "left" "right" } } { { "both" 1, 1 } { "one"
    0, 3 } } 1 2 2 0

Outcome 0 pays nothing.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction
from pathlib import Path

from .gambit_game import GambitGame, GambitInfoset, GambitNode
from .gambit_read import Parser, make_unique_names, read_text

_MAX_PROFILES = 10_000_000


def read_nfg(path: str | os.PathLike[str]) -> GambitGame:
    """Return the game in a Gambit ``.nfg`` file: a tree in which player after player chooses, and sees nothing.

    Parameters
    ----------
    path : path-like
        The file. Numbers may be integers, decimals or fractions; they are kept exactly until asked
        for.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "dilemma.nfg"
    >>> _ = path.write_text('NFG 1 R "dilemma" { "Ann" "Ben" } { 2 2 } 1 1 3 0 0 3 2 2')
    >>> game = read_nfg(path)
    >>> game.payoffs(game.next(game.next(game.start(), "2"), "1"))
    [3.0, 0.0]
    """
    return parse_nfg(*read_text(path))


def parse_nfg(path: Path, text: str) -> GambitGame:
    """Return the game that the text of an ``.nfg`` file is; ``path`` is named as for ``parse_efg``."""
    return _TableParser(path, text).game()


class _TableParser(Parser):
    """Reads one file; profiles are numbered as the file lists them."""

    def game(self) -> GambitGame:
        title, names = self.header("NFG", "1", "strategic-form")
        strategies = self.strategies()
        if len(strategies) != self.players:
            self.fail(
                f"strategies of {self.players} players",
                at=self.at - 1,
                read=f"those of {len(strategies)}",
            )
        profiles = math.prod(map(len, strategies))
        if self.is_string():
            self.string("the comment")
        if self.tokens[self.at] == "{":
            payoffs = self.profile_outcomes(profiles)
        else:
            payoffs = self.table(profiles)
        if self.tokens[self.at]:
            self.fail(f"the end of the file, after {profiles:,} profiles")
        return GambitGame(title or self.path.name, names, _build_tree(strategies, payoffs))

    def strategies(self) -> list[list[str]]:
        """Read how many strategies each player has, or their names."""
        strategies: list[list[str]] = []
        profiles = 1
        for _ in self.in_braces("'{' and the strategies of the players"):
            if self.tokens[self.at] == "{":
                strategies.append(self.names("the strategies", "a strategy"))
                if not strategies[-1]:
                    self.fail("at least one strategy", at=self.at - 1)
            else:
                count = self.whole(
                    "'}', or the number of strategies of a player", least=1, most=_MAX_PROFILES
                )
                strategies.append([""] * count)
            profiles *= len(strategies[-1])
            # Before the next list is made, of a number in a few characters.
            if profiles > _MAX_PROFILES:
                self.fail(
                    f"at most {_MAX_PROFILES:,} profiles", at=self.at - 1, read=f"{profiles:,}"
                )
        return strategies

    def table(self, profiles: int) -> list[tuple[Fraction, ...]]:
        """Read the payoffs, profile by profile."""
        expected = f"the payoff of every player in {profiles:,} profiles"
        return [tuple(self.number(expected) for _ in range(self.players)) for _ in range(profiles)]

    def profile_outcomes(self, profiles: int) -> list[tuple[Fraction, ...]]:
        """Read the outcomes, and which of them each profile leads to."""
        outcomes: list[tuple[Fraction, ...]] = [(Fraction(0),) * self.players]
        for _ in self.in_braces():
            self.skip("{", "'}' or '{' and an outcome")
            self.string("the label of the outcome")
            outcomes.append(
                tuple(self.number("the payoff of every player") for _ in range(self.players))
            )
            self.skip("}", f"'}}' after {self.players} payoffs, one for each player")
        expected = f"the outcome of each of {profiles:,} profiles"
        last_number = len(outcomes) - 1
        return [outcomes[self.whole(expected, most=last_number)] for _ in range(profiles)]


def _build_tree(
    strategies: list[list[str]], payoffs: list[tuple[Fraction, ...]]
) -> list[GambitNode]:
    """Return the nodes of the tree, each before its children."""
    infosets = []
    for player, labels in enumerate(strategies, start=1):
        names = make_unique_names(dict(enumerate(labels, start=1)))
        child_of = {name: number - 1 for number, name in names.items()}
        infosets.append(GambitInfoset(player, "", tuple(labels), (), "strategy", child_of))
    nodes: list[GambitNode] = []

    def add(player: int, profile: int, step: int) -> int:
        number = len(nodes)
        if player == len(strategies):
            nodes.append(GambitNode(None, payoffs[profile]))
            return number
        node = GambitNode(infosets[player], ())
        nodes.append(node)
        count = len(strategies[player])
        node.children = [add(player + 1, profile + k * step, step * count) for k in range(count)]
        return number

    add(0, 0, 1)
    return nodes
