"""What the players hold, and what they earn, from a decision of three ranges on: by hands, on one board.

Payments are those of the form (:mod:`.payments`), of the ends below the decision alone. What a
player is paid who has decided nothing since stands in a row of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ...game.protocol import CHANCE, TERMINAL
from .game import PLAYERS, Pot
from .payments import Columns, End, Move, join_columns, pay, pay_decision, pay_end
from .values import SURE, RangeValues

if TYPE_CHECKING:
    from .form import RangeForm


class PlayerValues(NamedTuple):
    """What a player holds and earns at a decision; arrays over the player's hands on its board.

    Of hands that are alike one stands for all.

    Attributes
    ----------
    own_reach : float64 array
        The probability of the player's own actions before.
    mass : float64 array
        The probability that chance and the others lead here, with any of the hands that are alike.
    value : float64 array
        What is won from here on less what is put in from here on, chips × mass.
    equity : float64 array
        The share of the pot if nobody bets any more, × mass.
    """

    own_reach: Floats
    mass: Floats
    value: Floats
    equity: Floats


class DecisionValues(NamedTuple):
    """What all players hold and earn at a decision on a board.

    Attributes
    ----------
    players : list of PlayerValues
    action_value : float64 array, shape (actions, hands)
        The value of each action of who decides, chips × mass.
    strategy : float64 array, shape (actions, hands)
    dealt : float
        The probability of the board.
    """

    players: list[PlayerValues]
    action_value: Floats
    strategy: Floats
    dealt: float


def value_decision(
    form: RangeForm, strategy: Floats, reach: Floats, number: int, board: int
) -> DecisionValues:
    """Return what the players hold and earn at a decision on a board, under a strategy at the slots."""
    below, ends = _list_below(form, number)
    live = {player for end in ends for pot in end.pots for player in pot.players}
    players = []
    action_value = np.zeros((0, 0))
    played = np.zeros((0, 0))
    for player in PLAYERS:
        place = _Place(form, number, board, player, reach)
        mass = place.mass()
        equity = np.zeros(len(mass))
        if player in live:
            equity = place.add_up(_pay_equity(form, place, live))
        value, cf_value = place.back_up(strategy, below, ends)
        players.append(PlayerValues(place.own_reach(), mass, value, equity))
        if player == form.decisions[number].player:
            action_value = cf_value[form.slots_of(number, board)]
            played = strategy[form.slots_of(number, board)]
    dealt = _pay_mass(form, place, (None, None, None))
    probability = float(place.add_up([dealt]).sum())
    return DecisionValues(players, action_value, played, probability)


def reach_decision(form: RangeForm, reach: Floats, number: int, board: int) -> float:
    """Return the probability of a decision on a board, by own reach at the slots."""
    return float(reached_hands(form, reach, number, board).sum())


def reached_hands(form: RangeForm, reach: Floats, number: int, board: int) -> Floats:
    """Return the probability of a decision on a board, by hands of who decides."""
    place = _Place(form, number, board, form.decisions[number].player, reach)
    return place.own_reach() * place.mass()


def mass_of_hands(form: RangeForm, reach: Floats, number: int, board: int) -> Floats:
    """Return the probability that chance and the others lead to a decision, by hands of who decides on a board."""
    return _Place(form, number, board, form.decisions[number].player, reach).mass()


class _Place:
    """A decision on a board, and where the values of a player's hands there are added up.

    Parameters
    ----------
    form : RangeForm
    number : int
        The number of the decision.
    board : int
    player : int
        Whose values.
    reach : float64 array
        Own reach at the slots.
    """

    def __init__(
        self, form: RangeForm, number: int, board: int, player: int, reach: Floats
    ) -> None:
        self.form = form
        self.decision = form.decisions[number]
        self.board = board
        self.player = player
        self.reach = reach
        self.hands = int(form.boards.counts[player, board])
        # Behind all slots.
        self.row = form.length

    def own_reach(self) -> Floats:
        """Return the own reach of the hands."""
        move = self.decision.last[self.player]
        if move is None:
            return np.ones(self.hands)
        return np.asarray(self.reach[self._slots_after(move, self.board)])

    def mass(self) -> Floats:
        """Return the probability that chance and the others lead here, by hands."""
        last = self.others_last(self.decision.last)
        return self.add_up([_pay_mass(self.form, self, last)])

    def add_up(self, columns: list[Columns]) -> Floats:
        """Return the sums of payments that stand in the row of the place, by hands."""
        return np.array(self._run(columns)[self.row :])

    def back_up(self, strategy: Floats, below: list[int], ends: list[End]) -> tuple[Floats, Floats]:
        """Return the value of the hands, and the counterfactual values of the slots below."""
        form = self.form
        columns: list[Columns] = []
        own_numbers = [number for number in below if form.decisions[number].player == self.player]
        for number in own_numbers:
            decision = form.decisions[number]
            costs = [(action, -chips) for action, chips in enumerate(decision.added) if chips > 0]
            columns += pay_decision(
                form.boards, form.decisions, number, form.slots_of_decisions, costs, form.total
            )
        for end in ends:
            move = end.last[self.player]
            is_below = move is not None and move[0] in below
            if is_below:
                columns += self._pay_end(end)
            else:
                columns += map(self.in_row, self._pay_end(self.without_own(end)))
        cf_value = self._run(columns)
        for number in reversed(own_numbers):
            for board in self._boards_below(form.decisions[number].street).tolist():
                slots = form.slots_of(number, board)
                values = (strategy[slots] * cf_value[slots]).sum(axis=0)
                np.add.at(cf_value, self._slots_above(number, board, below), values)
        return np.array(cf_value[self.row :]), cf_value

    def without_own(self, end: End) -> End:
        """Return an end to which the player has come without a move."""
        return end._replace(last=self.others_last(end.last))

    def others_last(self, last: tuple[Move | None, ...]) -> tuple[Move | None, ...]:
        """Return last moves without that of the player."""
        return tuple(None if other == self.player else last[other] for other in PLAYERS)

    def in_row(self, columns: Columns) -> Columns:
        """Return the same payments, to the row of the place."""
        row = columns.row.copy()
        row[0] = self.row
        return columns._replace(row=row, street=(self.decision.street, *columns.street[1:]))

    def _pay_end(self, end: End) -> list[Columns]:
        form = self.form
        return pay_end(
            form.boards, form.decisions, end, self.player, form.slots_of_decisions, form.total
        )

    def _run(self, columns: Iterable[Columns]) -> Floats:
        """Return the sums of payments on the boards below: at the slots, and behind them those of the place."""
        form = self.form
        ancestor = form.boards.ancestor[:, self.decision.street]
        chosen = [each.on_boards(ancestor[each.board] == self.board) for each in columns]
        of_players: list[list[Columns]] = [[] for _ in PLAYERS]
        of_players[self.player] = [each for each in chosen if len(each.board)]
        cf_value = np.zeros(form.length + self.hands)
        payments = join_columns(of_players)
        RangeValues(form.boards.arrays, payments, form.leaf_values.empty_slots)(
            self.player, self.reach, cf_value
        )
        return cf_value

    def _boards_below(self, street: int) -> Ints:
        boards = self.form.boards
        numbers = boards.boards_of(street)
        is_below = boards.ancestor[numbers, self.decision.street] == self.board
        return np.asarray(numbers[is_below])

    def _row(self, move: Move, board: int) -> int:
        """Return the row of slots of a move on a board of its street."""
        street = self.form.decisions[move[0]].street
        return int(self.form.slots_of_decisions.row(move, street, np.array([board]))[0])

    def _slots_after(self, move: Move, board: int) -> Ints:
        """Return the slots of a move of the player from which the hands on a board come."""
        boards = self.form.boards
        above = int(boards.ancestor[board, self.form.decisions[move[0]].street])
        places = boards.number[self.player][above][boards.held[self.player][board]]
        return np.asarray(self._row(move, above) + places)

    def _slots_above(self, number: int, board: int, below: list[int]) -> Ints:
        """Return the slots to which values of a decision on a board go: those of the place, or of a move below it."""
        boards = self.form.boards
        move = self.form.decisions[number].last[self.player]
        if move is not None and move[0] in below:
            return self._slots_after(move, board)
        places = boards.number[self.player][self.board][boards.held[self.player][board]]
        return np.asarray(self.row + places)


def _pay_mass(form: RangeForm, place: _Place, last: tuple[Move | None, ...]) -> Columns:
    """Return payments of 1 for each hand at a place, whatever the others hold after these last moves of theirs."""
    street = place.decision.street
    slots = form.slots_of_decisions
    columns = pay(
        form.boards, form.decisions, street, last, place.player, slots, SURE, 1.0, form.total
    )
    return place.in_row(columns)


def _pay_equity(form: RangeForm, place: _Place, live: set[int]) -> list[Columns]:
    """Return payments of the share of a pot of 1 at the showdown."""
    last = place.others_last(place.decision.last)
    end = End(form.num_streets - 1, last, (Pot(1.0, tuple(sorted(live))),))
    slots = form.slots_of_decisions
    columns = pay_end(form.boards, form.decisions, end, place.player, slots, form.total)
    return [place.in_row(each) for each in columns]


def _list_below(form: RangeForm, number: int) -> tuple[list[int], list[End]]:
    """Return the decisions from one on, itself first, and the ends below it."""
    nodes = form.range_game.nodes
    number_of_node = {decision.node: k for k, decision in enumerate(form.decisions)}
    below: list[int] = []
    ends: list[End] = []
    first = form.decisions[number]
    pending: list[tuple[int, tuple[Move | None, ...]]] = [(first.node, first.last)]
    while pending:
        index, last = pending.pop()
        node = nodes[index]
        if node.player == TERMINAL:
            ends.append(End(node.street, last, node.pots))
        elif node.player == CHANCE:
            pending.append((node.children[0], last))
        else:
            deeper = number_of_node[index]
            below.append(deeper)
            for action in reversed(range(len(node.actions))):
                moved = tuple(
                    (deeper, action) if player == node.player else last[player]
                    for player in PLAYERS
                )
                pending.append((node.children[action], moved))
    return below, ends
