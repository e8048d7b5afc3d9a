"""Building betting trees: every line of checks, bets, calls, raises and folds that the rules of a spot allow."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple
from weakref import WeakValueDictionary

from ...errors import GameError, GameTooLargeError
from ...form.limits import CompileBudget, Meter, within_memory
from ...game.card_game import Pair
from ...game.protocol import CHANCE, TERMINAL
from .bet_sizes import STREETS, BetSize, number
from .betting_tree import BettingNode, BettingRules, BettingTree, Change
from .lines import (
    SLACK,
    Line,
    after_line,
    check_over,
    extend_line,
    lines_below,
    match_action,
    no_such_line,
    split_line,
)

MAX_NODES = 2_000_000
MAX_RAISES = 50

# nodes, for a first look at the memory, and for random plays
_LOOK_AT = 1 << 10
_PROJECT_AT = 1 << 17
_BYTES_PER_NODE = 500
NAME = "The betting tree"
INSTEAD = (
    "Give fewer sizes, for raises and on the first street first, or a merge of 0.1, a "
    "force_all_in of 0.15 or max_raises."
)
_LABELLED = 1e-11
"""What the name of an action may leave out of its chips, as a share of them."""
_TOLD = 0.05
"""The least change by rounding that is told, as a share of a bet."""


class _Point(NamedTuple):
    """A point of the betting while the tree is built; chips of one street, but for ``before``.

    Attributes
    ----------
    line : str
        The actions that lead here.
    street : int
        0 flop, 1 turn, 2 river.
    player : int
        Whose move it is.
    before : float
        What each player has put in on the streets before.
    committed : float
        What the player has put in on this street.
    bet : float
        What the opponent has put in on this street.
    raises : int
        Raises on this street; a bet is none.
    donk : bool
        Whether OOP called on the street before, and nobody has acted on this one.
    """

    line: str
    street: int
    player: int
    before: float
    committed: float = 0.0
    bet: float = 0.0
    raises: int = 0
    donk: bool = False

    def paid(self) -> Pair:
        paid = (self.before + self.committed, self.before + self.bet)
        if self.player == 0:
            return paid
        return paid[::-1]


def build_betting(rules: BettingRules) -> BettingTree:
    """Return the betting tree of a spot; :class:`~equilibrist.poker.spot.game.Holdem` says what is done at each
    decision.

    After an all-in and a call, there is a node of chance for each street that is left, and then the
    showdown.
    """
    builder = Builder(rules)
    added_lines, removed_lines = (
        [(line, split_line(line)) for line in lines]
        for lines in (rules.add_lines, rules.remove_lines)
    )
    try:
        with within_memory(NAME, INSTEAD):
            builder.decision(builder.start(), added_lines, removed_lines)
    except GameTooLargeError as error:
        error.wrong_use = True
        raise
    return BettingTree(rules, builder.nodes, builder.changes)


_shared: WeakValueDictionary[BettingRules, BettingTree] = WeakValueDictionary()


def find_betting(rules: BettingRules) -> BettingTree:
    """Return the betting tree of a spot, one for all spots with the same rules that there are at a time."""
    tree = _shared.get(rules)
    if tree is None:
        tree = _shared[rules] = build_betting(rules)
    return tree


_EXACT = 2.0**53
"""A count from which on floats are whole numbers."""


class _Betting:
    """The rules of betting: what comes after each decision, as random plays ask it too."""

    def __init__(self, rules: BettingRules) -> None:
        self.rules = rules
        self.changes: list[Change] = []
        self.slack = SLACK * rules.scale
        # What a number of chips is multiplied by to compare whole numbers, and the decimals that
        # rounded ones keep.
        self.parts = 1e9 / rules.scale
        if rules.chip >= 0.01 or rules.chip == 0:
            self.decimals = 9
        else:
            self.decimals = 7 - math.floor(math.log10(rules.chip))
        # As it was written: 0.1 is a tenth.
        self.most_merged = (
            1 + Fraction(rules.merge or 0.0).limit_denominator(10**9)
        ).as_integer_ratio()

    def start(self) -> _Point:
        return _Point("", self.rules.street, 0, 0.0)

    def player(self, at: _Point | None) -> int:
        """Return who decides; None is any end."""
        if at is None:
            return TERMINAL
        return at.player

    def actions(self, at: _Point) -> list[tuple[str, float]]:
        """Return the actions: a letter and the chips of bets and raises."""
        closing_letters = "X" if at.bet == 0 else "FC"
        return [
            *((letter, math.nan) for letter in closing_letters),
            *(("B", amount) for amount in self._amounts(at)),
        ]

    def next(self, at: _Point, action: tuple[str, float]) -> _Point | None:
        decision = self._answer(at, *action)
        if decision is None and action[0] != "F":
            return self._dealt(at)
        return decision

    def _answer(self, at: _Point, letter: str, chips: float) -> _Point | None:
        """Return the decision after an action on the same street, or None where the street is over."""
        if letter in "FC" or (letter == "X" and at.player == 1):
            return None
        if letter == "X":
            return at._replace(player=1, donk=False)
        return at._replace(
            player=1 - at.player,
            committed=at.bet,
            bet=chips,
            raises=at.raises + (at.bet > 0),
            donk=False,
        )

    def _dealt(self, at: _Point) -> _Point | None:
        """Return the first decision on the next street, where bets are called or both have checked."""
        paid = at.before + at.bet
        street = at.street + 1
        over = street == len(STREETS) or paid >= self.rules.stack - self.slack
        if over:
            return None
        return _Point("", street, 0, paid, donk=at.player == 0)

    def _amounts(self, at: _Point) -> list[float]:
        """Return the chips of all bets or raises, ascending, following the order of steps above."""
        rules = self.rules
        stack = self._stack(at)
        largest = self._largest(at)
        if at.bet >= stack - self.slack or (
            at.bet and rules.max_raises is not None and at.raises >= rules.max_raises
        ):
            return []
        if largest <= at.bet:  # a pot limit that is rounded to nothing
            return []
        pot = self._pot_if_called(at)
        sizes = rules.sizes[at.player][at.street]
        if at.bet:
            sizes_here = sizes.raise_
        elif at.donk and sizes.donk is not None:
            sizes_here = sizes.donk
        else:
            sizes_here = sizes.bet
        amounts_asked = {self._size(at, size, pot) for size in sizes_here}
        if rules.add_all_in is not None and stack <= min(
            largest, at.bet + self._round(pot * rules.add_all_in)
        ):
            amounts_asked.add(stack)
        least_amount = self._least(at)
        amounts: set[float] = set()
        for chips in sorted(amounts_asked):
            amount = min(max(chips, least_amount), largest)
            pot_if_called = pot + 2 * (amount - at.bet)
            nearly = rules.force_all_in is not None and stack <= amount + self._round(
                pot_if_called * rules.force_all_in
            )
            if nearly and amount < stack <= largest:
                amount = stack
                self.changes.append(Change(at.line, chips, stack, "all-in"))
            elif amount > chips:
                self.changes.append(Change(at.line, chips, amount, "minimum"))
            elif amount < chips:
                self.changes.append(Change(at.line, chips, amount, "pot limit"))
            amounts.add(amount)
        return self._merge(at, sorted(amounts), pot)

    def _stack(self, at: _Point) -> float:
        """Return the most that the player can put in on this street: what there was at its start."""
        return self.rules.stack - at.before

    def _pot_if_called(self, at: _Point) -> float:
        """Return the pot once the player has put in what there is to call."""
        return self.rules.pot + 2 * (at.before + at.bet)

    def _merge(self, at: _Point, amounts: list[float], pot: float) -> list[float]:
        """Return the amounts without those that are, from the largest down, too near to one that stays.

        What is exactly as near as may be is so by whole numbers; floats would decide it by their
        rounding.
        """
        if self.rules.merge is None:
            return amounts
        remaining: list[float] = []
        most_factor, unit = self.most_merged
        for amount in reversed(amounts):
            if (
                remaining
                and self._whole(pot + remaining[-1] - at.bet) * unit
                <= self._whole(pot + amount - at.bet) * most_factor
            ):
                self.changes.append(Change(at.line, amount, remaining[-1], "merged"))
            else:
                remaining.append(amount)
        return remaining[::-1]

    def _least(self, at: _Point) -> float:
        """Return the least bet, or the least raise: by as much as the last bet or raise."""
        return min(at.bet + max(at.bet - at.committed, self.rules.min_bet), self._largest(at))

    def _largest(self, at: _Point) -> float:
        """Return the largest bet or raise: the stack, or the pot, once what is to call has been put in."""
        stack = self._stack(at)
        raised = self.rules.pot + 2 * at.before + 3 * at.bet
        if self.rules.pot_limit:
            return min(stack, self._round(raised))
        return stack

    def _size(self, at: _Point, size: BetSize, pot: float) -> float:
        """Return the chips of a size, rounded, at most the stack."""
        stack = self._stack(at)
        streets = len(STREETS) - at.street
        exact = size.chips(
            pot=pot, bet=at.bet, stack=stack - at.bet, streets=streets, raises=at.raises
        )
        if exact >= stack:
            return stack
        rounded = self._round(exact)
        if abs(rounded - exact) > _TOLD * exact:
            self.changes.append(Change(at.line, exact, rounded, "rounded"))
        return rounded

    def _round(self, chips: float) -> float:
        """Return chips rounded to whole multiples of a chip, halves up."""
        chip = self.rules.chip
        # So many that a float has no half of one, or infinitely many.
        if not chip or chips / chip >= _EXACT:
            return chips
        return round(math.floor(chips / chip + 0.5 + SLACK) * chip, self.decimals)

    def _whole(self, chips: float) -> int:
        """Return chips as a whole number of parts so small that nothing is lost."""
        return round(chips * self.parts)


class Builder(_Betting):
    """The nodes so far; each method adds a node with all that comes after it, and returns its number."""

    def __init__(self, rules: BettingRules) -> None:
        super().__init__(rules)
        self.nodes: list[BettingNode] = []
        self.limits = CompileBudget(max_histories=MAX_NODES)
        self.meter = Meter(
            self.limits,
            NAME,
            things="nodes",
            instead=INSTEAD,
            game=self._random_plays(),
            project_at=_PROJECT_AT,
        )
        self.look_at = _LOOK_AT

    def _random_plays(self) -> _Betting | None:
        """Return what is played at random to tell how large the tree is; it knows nothing of lines that are removed."""
        if self.rules.remove_lines:
            return None
        return _Betting(self.rules)

    def _make_node(self, at: _Point) -> BettingNode:
        """Return a decision whose actions are not known yet."""
        return BettingNode(at.line, at.street, at.player, at.paid())

    def _add(self, node: BettingNode) -> int:
        count = len(self.nodes)
        if count >= MAX_NODES:
            raise self.limits.too_many(
                NAME, f"{count:,} of them found so far", things="nodes", instead=INSTEAD
            )
        if count >= self.look_at:
            self.look_at = self.meter.look(count, _BYTES_PER_NODE)
        self.nodes.append(node)
        return count

    def decision(self, at: _Point, added: list[Line], removed: list[Line]) -> int:
        node = self._make_node(at)
        index = self._add(node)
        closing_actions = ["X"] if at.bet == 0 else ["F", "C"]
        amounts = self._amounts(at)
        amounts = sorted(
            {
                *amounts,
                *(
                    self._find_added_bet(at, line, amounts)
                    for line in added
                    if line[1][0][0] in "BRA"
                ),
            }
        )
        # Those that look the same are one action.
        amount_of_name = {self._name(at, amount): amount for amount in amounts}
        actions = [*closing_actions, *amount_of_name]
        actions_removed = {
            match_action(at.line, actions, line) for line in removed if len(line[1]) == 1
        }
        actions_left = [action for action in actions if action not in actions_removed]
        if not actions_left:
            raise GameError(
                f"remove_lines leaves no action {after_line(at.line)}; got {', '.join(actions)}.",
                wrong_use=True,
            )
        below_added = lines_below(at.line, actions_left, added)
        below_removed = lines_below(
            at.line, actions_left, [line for line in removed if len(line[1]) > 1]
        )
        chips = dict.fromkeys(closing_actions, math.nan) | amount_of_name
        children = tuple(
            self._build_after(at, action, chips[action], below_added[action], below_removed[action])
            for action in actions_left
        )
        self.nodes[index] = node._replace(actions=tuple(actions_left), children=children)
        return index

    def _name(self, at: _Point, amount: float) -> str:
        if amount >= self._stack(at) - self.slack:
            letter = "A"
        elif at.bet:
            letter = "R"
        else:
            letter = "B"
        return letter + number(amount)

    def _find_added_bet(self, at: _Point, line: Line, amounts: Iterable[float]) -> float:
        """Return the chips of the next action of a line that the user adds, if it is legal."""
        text = line[0]
        token = line[1][0]
        stack = self._stack(at)
        chips = stack if token == "A" else float(token[1:])
        least_amount = self._least(at)
        largest = self._largest(at)
        if at.bet >= stack - self.slack:
            raise no_such_line(text, token, at.line, ["F", "C"])
        if not least_amount - self.slack <= chips <= largest + self.slack:
            action_word = "raise" if at.bet else "bet"
            limit = "stack" if largest >= stack else "pot limit"
            raise GameError(
                f"add_lines: {token!r} in {text!r} must be at least {number(least_amount)}, the least "
                f"{action_word} {after_line(at.line)}, and at most the {limit} of {number(largest)}.",
                wrong_use=True,
            )
        tolerance = max(self.slack, _LABELLED * chips)
        return next((amount for amount in amounts if abs(amount - chips) <= tolerance), chips)

    def _build_after(
        self, at: _Point, action: str, chips: float, added: list[Line], removed: list[Line]
    ) -> int:
        """Build what comes after an action; return its node."""
        line = extend_line(at.line, action)
        if action == "F":
            check_over(line, [*added, *removed])
            return self._add(BettingNode(line, at.street, TERMINAL, at.paid(), folded=at.player))
        next_point = self._answer(at, action[0], chips)
        if next_point is None:
            return self._build_street(
                line, at.street, at.before + at.bet, at.player == 0, added, removed
            )
        if next_point.raises > MAX_RAISES:
            raise GameTooLargeError(
                f"The betting tree has more than {MAX_RAISES} raises on a street, in a line that "
                "begins with "
                f"'{'-'.join(at.line.split('-')[:4])}': give larger raises, or max_raises.",
                wrong_use=True,
            )
        return self.decision(next_point._replace(line=line), added, removed)

    def _build_street(
        self,
        line: str,
        street: int,
        paid: float,
        is_called: bool,
        added: list[Line],
        removed: list[Line],
    ) -> int:
        """Build what comes after the betting of a street, on which OOP ``is_called`` or not; return its node."""
        if street == len(STREETS) - 1:
            check_over(line, [*added, *removed])
            return self._add(BettingNode(line, street, TERMINAL, (paid, paid)))
        node = BettingNode(line, street, CHANCE, (paid, paid))
        index = self._add(node)
        line += " |"
        if paid >= self.rules.stack - self.slack:
            child = self._build_street(line, street + 1, paid, False, added, removed)
        else:
            child = self.decision(_Point(line, street + 1, 0, paid, donk=is_called), added, removed)
        self.nodes[index] = node._replace(children=(child,))
        return index
