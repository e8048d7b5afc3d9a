"""The betting of three players after the flop: who acts when, all-ins of different stacks, and side pots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from ...errors import GameError, GameTooLargeError
from ...form.limits import within_memory
from ...form.ranges.game import PLAYERS, Pot, RangeNode
from ...game.protocol import CHANCE, TERMINAL
from .bet_sizes import STREETS
from .betting import INSTEAD, MAX_RAISES, NAME, Builder
from .betting_tree import BettingRules, BettingTree
from .lines import Line, check_over, extend_line, split_line

Chips: TypeAlias = tuple[float, float, float]
Flags: TypeAlias = tuple[bool, bool, bool]

SEATS = ("SB", "BB", "BTN")
"""What the players are called: small blind, big blind and button, who act in this order on each street."""


@dataclass(frozen=True, kw_only=True)
class ThreeRules(BettingRules):
    """What determines the betting of three; ``stack`` is the largest.

    Attributes
    ----------
    stacks : (float, float, float)
        What each player has behind the pot; chips.
    names : (str, str, str)
        What the players are called.
    """

    stacks: Chips
    names: tuple[str, str, str] = SEATS


class ThreeNode(NamedTuple):
    """One point of the betting of three.

    Attributes
    ----------
    line, street, player, actions, children
        As in :class:`~.betting_tree.BettingNode`.
    paid : (float, float, float)
        What the players have put in since the start, chips.
    folded : (bool, bool, bool)
        Who has folded.
    """

    line: str
    street: int
    player: int
    paid: Chips
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    folded: Flags = (False, False, False)


class ThreeTree(BettingTree):
    """Betting tree of three players; ``print(tree)`` shows it."""

    rules: ThreeRules

    @property
    def players(self) -> tuple[str, ...]:
        return self.rules.names

    @property
    def stacks(self) -> tuple[float, ...]:
        return self.rules.stacks

    def result(self, node: ThreeNode) -> str:  # type: ignore[override]
        """Return how the hand ends at a terminal node, in words."""
        names = [name for name, out in zip(self.players, node.folded, strict=True) if not out]
        if len(names) == 1:
            return f"{names[0]} wins"
        if len(names) == 2:
            return f"showdown {' / '.join(names)}"
        return "showdown"

    def pots(self, node: ThreeNode) -> tuple[Pot, ...]:
        """Return what is paid at a terminal node, pot by pot; rake is taken off all but what is not called.

        A pot is what those who have put in as much may win: a player who has put in less has no part
        of what is above it.
        """
        rules = self.rules
        left = [player for player in PLAYERS if not node.folded[player]]
        levels = sorted({node.paid[player] for player in left})
        pots = [Pot(rules.pot, tuple(left))]
        below = 0.0
        for number, level in enumerate(levels):
            is_last = number == len(levels) - 1
            chips = 0.0
            for player in PLAYERS:
                # Whoever has folded has put in no more than somebody who has not.
                most = node.paid[player] if is_last else min(node.paid[player], level)
                chips += max(0.0, most - below)
            winners = tuple(player for player in left if node.paid[player] >= level)
            if chips > 0:
                pots.append(Pot(chips, winners))
            below = level
        uncalled = _uncalled(node.paid)
        total = rules.pot + sum(node.paid) - uncalled
        raked = min(rules.rake * total, rules.rake_cap)
        if uncalled > 0:  # the last pot has it, or is it
            last = pots.pop()
            if last.chips - uncalled > 0:
                pots.append(Pot(last.chips - uncalled, last.players))
        merged: list[Pot] = []
        for pot in pots:
            chips = pot.chips * (1 - raked / total)
            if merged and merged[-1].players == pot.players:
                chips += merged.pop().chips
            merged.append(Pot(chips, pot.players))
        if uncalled > 0:
            merged.append(Pot(uncalled, (_largest_player(node),)))
        return tuple(merged)

    def range_nodes(self) -> list[RangeNode]:
        """Return the betting as a form of three ranges takes it, streets counted from the first."""
        nodes = []
        for node in self.nodes:
            added: tuple[float, ...] = ()
            pots: tuple[Pot, ...] = ()
            if node.player >= 0:
                before = node.paid[node.player]
                added = tuple(
                    self.nodes[child].paid[node.player] - before for child in node.children
                )
            elif node.player == TERMINAL:
                pots = self.pots(node)  # type: ignore[arg-type]
            nodes.append(
                RangeNode(
                    player=node.player,
                    street=node.street - self.rules.street,
                    line=node.line,
                    actions=node.actions,
                    children=node.children,
                    added=added,
                    pots=pots,
                )
            )
        return nodes


def _uncalled(paid: Chips) -> float:
    """Return by how much the largest payment exceeds the second largest."""
    ascending = sorted(paid)
    return ascending[-1] - ascending[-2]


def _largest_player(node: ThreeNode) -> int:
    """Return who has put in the most; where nobody has called it, who has not folded."""
    return max(PLAYERS, key=lambda player: (node.paid[player], not node.folded[player]))


class _Point(NamedTuple):
    """A point of the betting while the tree is built; chips of one street, but for ``paid_before``.

    Attributes
    ----------
    line : str
    street : int
    player : int
        Whose move it is.
    paid_before : (float, float, float)
        What the players have put in on the streets before.
    put_in : (float, float, float)
        What they have put in on this street.
    folded : (bool, bool, bool)
        Who has folded.
    to_act : (bool, bool, bool)
        Who still has to act on this street, unless somebody bets or raises.
    bet : float
        What there is to match on this street.
    raised_by : float
        By how much the last bet or raise went up.
    raises : int
        Raises on this street; a bet is none.
    """

    line: str
    street: int
    player: int
    paid_before: Chips
    put_in: Chips = (0.0, 0.0, 0.0)
    folded: Flags = (False, False, False)
    to_act: Flags = (True, True, True)
    bet: float = 0.0
    raised_by: float = 0.0
    raises: int = 0

    @property
    def donk(self) -> bool:
        """False: there are no sizes of donk bets."""
        return False

    @property
    def before(self) -> float:
        """What the player has put in on the streets before."""
        return self.paid_before[self.player]

    @property
    def committed(self) -> float:
        """What the player has put in on this street."""
        return self.put_in[self.player]

    def paid(self) -> Chips:
        first, second, third = (
            before + now for before, now in zip(self.paid_before, self.put_in, strict=True)
        )
        return first, second, third


def build_three(rules: ThreeRules) -> ThreeTree:
    """Return the betting tree of three players.

    Raises
    ------
    GameError
        A line that is added or removed is not there, or the tree is too large.
    """
    builder = _Builder(rules)
    added, removed = (
        [(line, split_line(line)) for line in lines]
        for lines in (rules.add_lines, rules.remove_lines)
    )
    try:
        with within_memory(NAME, INSTEAD):
            builder.build_street(
                "", rules.street, (0.0, 0.0, 0.0), (False, False, False), added, removed
            )
    except GameTooLargeError as error:
        error.wrong_use = True
        raise
    nodes: list[Any] = builder.nodes
    return ThreeTree(rules, nodes, builder.changes)


class _Builder(Builder):
    """The nodes so far, of three players; each method adds a node with all that comes after it."""

    rules: ThreeRules
    nodes: list[Any]  # of ThreeNode

    def _random_plays(self) -> None:
        """Return None: the plays at random are those of two players."""

    def _stack(self, at: _Point) -> float:  # type: ignore[override]
        """Return the most that a bet can be: what the player has, or the most that another can match."""
        stack = self.rules.stacks[at.player] - at.before
        others = [
            self.rules.stacks[player] - at.paid_before[player]
            for player in PLAYERS
            if player != at.player and not at.folded[player]
        ]
        return min(stack, max(others))

    def _pot_if_called(self, at: _Point) -> float:  # type: ignore[override]
        return self.rules.pot + sum(at.paid()) + at.bet - at.committed

    def _largest(self, at: _Point) -> float:  # type: ignore[override]
        stack = self._stack(at)
        if self.rules.pot_limit:
            return min(stack, self._round(at.bet + self._pot_if_called(at)))
        return stack

    def _least(self, at: _Point) -> float:  # type: ignore[override]
        return min(at.bet + max(at.raised_by, self.rules.min_bet), self._largest(at))

    def _add_node(self, node: Any) -> int:
        """Add a node of three players; return its number."""
        return self._add(node)

    def _decide(self, at: Any, added: list[Line], removed: list[Line]) -> int:
        """Build a decision of three players; return its node."""
        return self.decision(at, added, removed)

    def _make_node(self, at: _Point) -> ThreeNode:  # type: ignore[override]
        return ThreeNode(at.line, at.street, at.player, at.paid(), folded=at.folded)

    def _build_after(  # type: ignore[override]
        self, at: _Point, action: str, chips: float, added: list[Line], removed: list[Line]
    ) -> int:
        """Build what comes after an action; return its node."""
        line = extend_line(at.line, action)
        player = at.player
        put_in = list(at.put_in)
        folded = list(at.folded)
        to_act = list(at.to_act)
        to_act[player] = False
        bet = at.bet
        raised_by = at.raised_by
        raises = at.raises
        if action == "F":
            folded[player] = True
        elif action == "C":
            put_in[player] = min(at.bet, self.rules.stacks[player] - at.before)
        elif action != "X":
            put_in[player] = chips
            raised_by = max(raised_by, chips - bet)
            raises += bet > 0
            bet = chips
            to_act = [other != player for other in PLAYERS]
        if raises > MAX_RAISES:
            raise GameTooLargeError(
                f"The betting tree has more than {MAX_RAISES} raises on a street, in a line that "
                f"begins with '{'-'.join(at.line.split('-')[:4])}': give larger raises, or "
                "max_raises.",
                wrong_use=True,
            )
        after = at._replace(
            line=line,
            put_in=(put_in[0], put_in[1], put_in[2]),
            folded=(folded[0], folded[1], folded[2]),
            to_act=(to_act[0], to_act[1], to_act[2]),
            bet=bet,
            raised_by=raised_by,
            raises=raises,
        )
        return self._go_on(after, added, removed)

    def _go_on(self, at: _Point, added: list[Line], removed: list[Line]) -> int:
        """Build what comes next: the next player's decision, the next street, or the end."""
        left = [player for player in PLAYERS if not at.folded[player]]
        if len(left) == 1:
            check_over(at.line, [*added, *removed])
            node = ThreeNode(at.line, at.street, TERMINAL, at.paid(), folded=at.folded)
            return self._add_node(node)
        for step in range(1, len(PLAYERS) + 1):
            player = (at.player + step) % len(PLAYERS)
            if at.to_act[player] and self._can_act(at, player):
                return self._decide(at._replace(player=player), added, removed)
        return self._end_street(at, added, removed)

    def _can_act(self, at: _Point, player: int) -> bool:
        """Return whether a player has chips, and something to decide: a bet to match, or somebody to bet against."""
        if at.folded[player] or self._chips_left(at, player) <= self.slack:
            return False
        if at.bet > at.put_in[player] + self.slack:
            return True
        return any(
            other != player and not at.folded[other] and self._chips_left(at, other) > self.slack
            for other in PLAYERS
        )

    def _chips_left(self, at: _Point, player: int) -> float:
        return self.rules.stacks[player] - at.paid_before[player] - at.put_in[player]

    def _end_street(self, at: _Point, added: list[Line], removed: list[Line]) -> int:
        """Build what comes after the betting of a street."""
        if at.street == len(STREETS) - 1:
            check_over(at.line, [*added, *removed])
            node = ThreeNode(at.line, at.street, TERMINAL, at.paid(), folded=at.folded)
            return self._add_node(node)
        index = self._add_node(ThreeNode(at.line, at.street, CHANCE, at.paid(), folded=at.folded))
        child = self.build_street(
            at.line + " |", at.street + 1, at.paid(), at.folded, added, removed
        )
        self.nodes[index] = self.nodes[index]._replace(children=(child,))
        return index

    def build_street(
        self,
        line: str,
        street: int,
        paid: Chips,
        folded: Flags,
        added: list[Line],
        removed: list[Line],
    ) -> int:
        """Build a street, where the first player acts who can; return its node."""
        last_player = len(PLAYERS) - 1
        at = _Point(line, street, last_player, paid, folded=folded)
        return self._go_on(at, added, removed)


def check_names(names: object) -> tuple[str, str, str]:
    """Return the names of three players, or refuse them."""
    texts: list[Any] = list(names) if isinstance(names, list | tuple) else []
    are_texts = all(isinstance(name, str) and name.strip() for name in texts)
    if len(texts) != len(PLAYERS) or not are_texts or len(set(texts)) < len(PLAYERS):
        raise GameError(
            f"names must be three different names, in the order in which the players act; got {names!r}.",
            wrong_use=True,
        )
    return texts[0], texts[1], texts[2]


def largest_payoff(tree: ThreeTree) -> float:
    """Return the largest payoff of any player, without its sign."""
    largest = 0.0
    for node in tree.nodes:
        if node.player == TERMINAL:
            won = math.fsum(pot.chips for pot in tree.pots(node))  # type: ignore[arg-type]
            largest = max(largest, won, *node.paid)
    return largest
