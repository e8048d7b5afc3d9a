"""A betting tree: its nodes, what its terminal nodes pay, its lines and node counts, and the tree as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from ...errors import GameError
from ...game.card_game import Pair, ShowdownPayoffs
from ...game.protocol import CHANCE
from .bet_sizes import STREETS, Sizes, number
from .icm import icm
from .lines import after_line, match_action, split_line

PLAYERS = ("OOP", "IP")
"""What the players are called: out of position, who acts first on each street, and in position."""
PLAYER_KEYS = ("oop", "ip")
"""What they are called in settings, files and options."""

_REASONS = {
    "rounded": "rounded to chips",
    "minimum": "below the least bet or raise",
    "all-in": "all-in by force_all_in",
    "merged": "merged with a size of about the same",
    "pot limit": "more than the pot",
}
_USUAL = 1e6
"""Chips of a pot or stack up to which :data:`~.lines.SLACK` is large beside the rounding of floats."""
_DIGITS = 12
"""Of stacks at an end, which are the same whatever the bets that led to them, but for rounding."""
_PRICES_KEPT = 100_000
_POT = 10
_LEFT = 16
"""Characters of the columns of chips."""


class BettingNode(NamedTuple):
    """One point of the betting.

    Attributes
    ----------
    line : str
        The actions that lead here, such as ``X-B120-C | B200-A900``; all nodes but those of chance
        have their own.
    street : int
        0 flop, 1 turn, 2 river; of a node of chance, the street that is over.
    player : int
        Whose move it is: 0 (OOP), 1 (IP), CHANCE where the cards of the next street are dealt, or
        TERMINAL.
    paid : pair of float
        What both players have put in since the start, chips.
    actions : tuple of str
        ``X``, ``F``, ``C``, ``B120``, ``R350``, ``A900``: the chips that this player has then put
        in on this street.
    children : tuple of int
        Nodes after these actions; of a node of chance the one of the next street.
    folded : int
        The player who has folded, or -1.
    """

    line: str
    street: int
    player: int
    paid: Pair
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    folded: int = -1

    @property
    def result(self) -> str:
        """How the hand ends at a terminal node, in words."""
        if self.folded >= 0:
            return f"{PLAYERS[1 - self.folded]} wins"
        return "showdown"


class Change(NamedTuple):
    """A size that the rules turned into something else.

    Attributes
    ----------
    line : str
        Where the size stood.
    asked, became : float
        The chips that were asked for, and those that they became.
    reason : {"rounded", "minimum", "all-in", "merged", "pot limit"}
        Rounded to chips, by more than 5 %; below the least bet or raise; so large that it is all-in
        by ``force_all_in``; merged with a larger size of about the same; above the pot.
    """

    line: str
    asked: float
    became: float
    reason: str


@dataclass(frozen=True, kw_only=True)
class BettingRules:
    """What determines a betting tree; :class:`Holdem` describes and checks each of them.

    Attributes
    ----------
    street : int
        Where the betting starts: 0 flop, 1 turn, 2 river.
    pot, stack : float
        What is in the middle, and what each player has behind it; chips.
    sizes : pair of tuples of Sizes
        For each player, the sizes of flop, turn and river.
    chip, min_bet : float
        What bets are rounded to, and the least bet; chips.
    add_all_in, force_all_in, merge : float or None
        The share of the pot up to which all-in is added, and that up to which it is forced; what
        merges sizes, as in :class:`Holdem`.
    max_raises : int or None
        The most raises on a street; a bet is none.
    rake, rake_cap : float
        Share of the pot that the house takes, and the most of it; chips.
    prizes : sequence of float
        Of the first place, the second, …, which are what is paid instead of chips; none pays chips.
    others : sequence of float
        Chips of each player who is in the tournament, and not in the hand.
    surplus : pair of float
        Chips of both players beyond the stack, which are never at stake.
    pot_limit : bool
        Whether no bet is larger than the pot, and no raise than the pot after the call.
    add_lines, remove_lines : sequence of str
        Lines that the tree has besides, and those that it lacks.
    """

    street: int
    pot: float
    stack: float
    sizes: Sequence[Sequence[Sizes]]
    chip: float = 1.0
    min_bet: float = 1.0
    add_all_in: float | None = None
    force_all_in: float | None = None
    merge: float | None = None
    max_raises: int | None = None
    rake: float = 0.0
    rake_cap: float = math.inf
    prizes: tuple[float, ...] = ()
    others: tuple[float, ...] = ()
    surplus: tuple[float, ...] = (0.0, 0.0)
    pot_limit: bool = False
    add_lines: Sequence[str] = ()
    remove_lines: Sequence[str] = ()

    @property
    def scale(self) -> float:
        """What tolerances in chips are multiplied by: 1, but where pot or stack is below 1 chip or above a million."""
        smaller, larger = sorted((self.pot, self.stack))
        if larger <= _USUAL:
            return min(1.0, smaller)
        return max(1.0, larger / _USUAL)


@lru_cache(_PRICES_KEPT)
def _price_stacks(
    oop: float, ip: float, others: tuple[float, ...], prizes: tuple[float, ...]
) -> Pair:
    """Return what the stacks of OOP and IP are worth in prizes, at a table with the stacks of others.

    Many ends leave the same stacks; their worth is computed once.
    """
    oop_worth, ip_worth, *_ = icm((oop, ip, *others), prizes).tolist()
    return oop_worth, ip_worth


@dataclass(frozen=True)
class BettingTree:
    """Betting tree of a spot; ``print(tree)`` shows it.

    Attributes
    ----------
    rules : BettingRules
        What it was made from.
    nodes : list of BettingNode
        The start first, each node before those after it.
    changes : list of Change
        Every size that was rounded by more than 5 %, was below the least bet or raise, turned into
        an all-in, or was merged.
    before : pair of float
        What both players had put in when this part of the betting begins; a node's ``paid``
        includes it.
    """

    rules: BettingRules
    nodes: list[BettingNode]
    changes: list[Change]
    before: Pair = (0.0, 0.0)

    def below(self, line: str) -> BettingTree:
        """Return the part after a line as a tree of its own, whose lines begin there.

        Raises
        ------
        GameError
            There is no such line, or the hand is over after it.
        """
        top = self.find(line)
        root = self.nodes[top]
        if root.player < 0:
            raise GameError(
                f"the hand is over {after_line(line)}; give a line after which somebody decides.",
                wrong_use=True,
            )

        def relative(line: str) -> str:
            return line.removeprefix(root.line).lstrip(" -")

        new_index: dict[int, int] = {}
        pending = [top]
        while pending:  # in the order of the nodes, children last to first
            index = pending.pop()
            new_index[index] = len(new_index)
            pending += reversed(self.nodes[index].children)
        nodes = [
            node._replace(
                line=relative(node.line),
                children=tuple(new_index[child] for child in node.children),
            )
            for node in map(self.nodes.__getitem__, new_index)
        ]
        changes = [
            change._replace(line=relative(change.line))
            for change in self.changes
            if self.find(change.line) in new_index
        ]
        rules = replace(self.rules, street=root.street, add_lines=(), remove_lines=())
        return BettingTree(rules, nodes, changes, root.paid)

    @property
    def players(self) -> tuple[str, ...]:
        """What the players are called."""
        return PLAYERS

    @property
    def stacks(self) -> tuple[float, ...]:
        """What the players have behind the pot at the start; chips."""
        return self.rules.stack, self.rules.stack

    def result(self, node: BettingNode) -> str:
        """Return how the hand ends at a terminal node, in words."""
        return node.result

    @property
    def pot(self) -> float:
        """Chips in the middle at the start of this part."""
        return self.rules.pot + sum(self.before)

    def put_in(self, node: BettingNode) -> Pair:
        """Return what both players have put in since the start of this part."""
        return node.paid[0] - self.before[0], node.paid[1] - self.before[1]

    def payoff(self, node: BettingNode) -> Pair | ShowdownPayoffs:
        """Return what both players receive at a terminal node, less what they have put in since the start.

        An uncalled bet is returned before rake is taken. Without rake, both payoffs sum to the pot
        of the start. Where there are prizes, it is what the stacks of both are worth at the end.
        """
        oop_before, ip_before = self.before
        payoff = self._payoff(node)
        if self.rules.prizes:
            return self._worth(payoff)
        if isinstance(payoff, ShowdownPayoffs):
            return ShowdownPayoffs(
                *((pair[0] + oop_before, pair[1] + ip_before) for pair in payoff)
            )
        return payoff[0] + oop_before, payoff[1] + ip_before

    def _payoff(self, node: BettingNode) -> Pair | ShowdownPayoffs:
        """Return what both receive at a terminal node less all that they have put in."""
        rules = self.rules
        chips_called = min(node.paid)
        pot = rules.pot + 2 * chips_called
        rake = min(rules.rake * pot, rules.rake_cap)
        net_won = rules.pot + chips_called - rake
        net_lost = -chips_called
        shared = (rules.pot - rake) / 2
        if node.folded >= 0:
            if node.folded == 0:
                return (net_lost, net_won)
            return (net_won, net_lost)
        return ShowdownPayoffs((net_won, net_lost), (shared, shared), (net_lost, net_won))

    def _worth(self, gains: Pair | ShowdownPayoffs) -> Pair | ShowdownPayoffs:
        """Return what the stacks of both are worth in prizes who have won so many chips since the first street."""
        if isinstance(gains, ShowdownPayoffs):
            return ShowdownPayoffs(*(self._worth_of_stacks(pair) for pair in gains))
        return self._worth_of_stacks(gains)

    def _worth_of_stacks(self, gains: Pair) -> Pair:
        rules = self.rules
        oop, ip = (
            float(f"{rules.stack + surplus + gain:.{_DIGITS}g}")
            for surplus, gain in zip(rules.surplus, gains, strict=True)
        )
        return _price_stacks(oop, ip, rules.others, rules.prizes)

    def find(self, line: str) -> int:
        """Return the node to which a line leads; nodes of chance are passed.

        Raises
        ------
        GameError
            There is no such line; the message says which actions there are instead.
        """
        index = 0
        for node, action in self.path(line):
            index = self.after_cards(node.children[action])
        return index

    def path(self, line: str) -> Iterator[tuple[BettingNode, int]]:
        """Yield each node on a line at which somebody decides, and the number of the action taken; as :meth:`find`."""
        index = 0
        for token in split_line(line):
            node = self.nodes[index]
            action = node.actions.index(match_action(node.line, node.actions, (line, (token,))))
            yield node, action
            index = self.after_cards(node.children[action])

    def after_cards(self, index: int) -> int:
        """Return the number of the first node from one on that is none of chance."""
        while self.nodes[index].player == CHANCE:
            index = self.nodes[index].children[0]
        return index

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the numbers of decision, terminal and chance nodes of each street, as postflop-solver counts them.

        A node of chance is counted where betting goes on after it: not between an all-in that is
        called and the showdown.
        """
        counts = {
            street: dict.fromkeys(("decision", "terminal", "chance"), 0)
            for street in STREETS[self.rules.street :]
        }
        for node in self.nodes:
            if node.player == CHANCE:
                if self.nodes[node.children[0]].player >= 0:
                    kind = "chance"
                else:
                    kind = ""
            else:
                kind = "decision" if node.player >= 0 else "terminal"
            if kind:
                counts[STREETS[node.street]][kind] += 1
        return counts

    def __str__(self) -> str:
        return "\n\n".join(
            [
                "\n".join(part)
                for part in (self.rows(), self.count_rows(), self.change_rows())
                if part
            ]
        )

    def rows(self, line: str = "", *, streets: int | None = None, width: int = 80) -> list[str]:
        """Return the betting below a line, an action a row, with whose move it is, the pot and the stacks.

        Parameters
        ----------
        line : str
            Where to begin.
        streets : int, optional
            How many streets are shown; by default all that are left.
        width : int
            The most characters of a row.

        Examples
        --------
        >>> import equilibrist as eq
        >>> spot = eq.load("holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')")
        >>> for row in spot.tree.rows(width=50):
        ...     print(row)
                                       pot   OOP / IP left
        start  OOP                      20         10 / 10
        ├─X  IP                         20         10 / 10
        │ ├─X  showdown                 20         10 / 10
        │ └─A10  OOP                    30          10 / 0
        │   ├─F  IP wins                30          10 / 0
        │   └─C  showdown               40           0 / 0
        └─A10  IP                       30          0 / 10
          ├─F  OOP wins                 30          0 / 10
          └─C  showdown                 40           0 / 0
        """
        top = self.find(line)
        until = self.nodes[top].street + (len(STREETS) if streets is None else streets)
        header = f"{' / '.join(self.players)} left"
        left_width = max(_LEFT, len(header) + 2)
        wide = width - _POT - left_width
        rows = [f"{'':{wide}}{'pot':>{_POT}}{header:>{left_width}}"]
        for label, node in self._rows(top, self.nodes[top].line or "start", "", "", until):
            if len(label) <= wide:
                text = label
            else:
                text = f"…{label[1 - wide :]}"
            left = (stack - paid for stack, paid in zip(self.stacks, node.paid, strict=True))
            stacks_text = " / ".join(map(number, left))
            rows.append(
                f"{text:{wide}}{number(self.rules.pot + sum(node.paid)):>{_POT}}{stacks_text:>{left_width}}"
            )
        return rows

    def _rows(
        self, index: int, action: str, first_prefix: str, prefix: str, until: int
    ) -> Iterator[tuple[str, BettingNode]]:
        """Yield the label and the node of each row.

        ``first_prefix`` stands before it, and ``prefix`` before those below.
        """
        node = self.nodes[index]
        card = ""
        while node.player == CHANCE:
            node = self.nodes[node.children[0]]
            card = f"{STREETS[node.street]}: "
        if node.player >= 0:
            node_text = card + self.players[node.player]
        else:
            node_text = self.result(node)
        hidden = node.player >= 0 and node.street >= until
        yield f"{first_prefix}{action}  {node_text}{' …' if hidden else ''}", node
        if not hidden:
            for name, child in zip(node.actions, node.children, strict=True):
                if child == node.children[-1]:
                    branch = "└─"
                    indent = "  "
                else:
                    branch = "├─"
                    indent = "│ "
                yield from self._rows(child, name, prefix + branch, prefix + indent, until)

    def count_rows(self) -> list[str]:
        """Return the numbers of nodes by street as a table.

        Examples
        --------
        >>> import equilibrist as eq
        >>> spot = eq.load("holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')")
        >>> for row in spot.tree.count_rows():
        ...     print(row)
        street    decision  terminal    chance
        river            4         5         0
        """
        counts = self.counts()
        kinds = list(next(iter(counts.values())))
        rows = [
            ["street", *kinds],
            *([street, *map(str, numbers.values())] for street, numbers in counts.items()),
        ]
        if len(counts) > 1:
            rows.append(
                ["all", *(str(sum(numbers[kind] for numbers in counts.values())) for kind in kinds)]
            )
        return [f"{row[0]:8}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in rows]

    def change_rows(self) -> list[str]:
        """Return a sentence for each kind of change of sizes: how many, and the first of them.

        Examples
        --------
        >>> import equilibrist as eq
        >>> spot = eq.load("holdem(board='2s3h4d6c7c', oop='AA', ip='KK', pot=20, stack=90, bets='50%, 9c', merge=.1)")
        >>> for row in spot.tree.change_rows():
        ...     print(row)
        Merged with a size of about the same: 2 sizes, the first at the start: 9 became 10.
        """
        by_reason: dict[str, list[Change]] = {}
        for change in self.changes:
            by_reason.setdefault(change.reason, []).append(change)
        return [
            _change_sentence(_REASONS[reason], by_reason[reason])
            for reason in _REASONS
            if reason in by_reason
        ]


def _change_sentence(reason: str, changes: list[Change]) -> str:
    first = changes[0]
    if len(changes) > 1:
        times = f"{len(changes)} sizes, the first"
    else:
        times = "one size,"
    chips = f"{number(round(first.asked, 2))} became {number(first.became)}"
    return f"{reason.capitalize()}: {times} {after_line(first.line)}: {chips}."
