"""Decisions of solved spots of Omaha, where they differ from those of hold'em: hands have no grid of classes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError
from ..cards.cards import CARDS, parse_cards
from ..cards.hand_filter import HandWords
from ..omaha.filter_words import FOUR_CARDS, FourCardTable
from ..omaha.made_hands import DRAWS, MADE_HANDS, cards_of_names, draws, made_hands
from .spot_node import SpotNode, plain_column, replace_nan

MOST_HANDS_OF_A_CELL = 100
"""Hands of a made hand and draw that are told one by one: those that are held most often."""
_MADE = tuple(MADE_HANDS)
_DRAWS = (*DRAWS, "")  # the last one, of index -1, is none
_KINDS_KEPT = 16  # boards and ranges: of all hands some megabytes each


class OmahaNode(SpotNode):
    """A decision in a spot of Omaha under a strategy: a :class:`SpotNode` whose hands have four cards, and no classes.

    A made hand is what the best five of two cards of the hand and three of the board are.
    """

    has_grid: ClassVar[bool] = False
    hand_words: ClassVar[HandWords] = FOUR_CARDS
    made_hands: ClassVar[dict[str, str]] = MADE_HANDS
    draws: ClassVar[dict[str, str]] = DRAWS

    def number(self, hand: str, player: int | None = None) -> int:
        player = self.player if player is None else player
        name = "".join(
            CARDS[card] for card in sorted(parse_cards(hand, "hand", count=(4,)), reverse=True)
        )
        if name not in self.hands[player]:
            raise GameError(
                f"hand: {name} is none of the {len(self.hands[player]):,} hands that "
                f"{self.names[player]} can hold on {self.board}.",
                wrong_use=True,
            )
        return list(self.hands[player]).index(name)

    def classes(self, player: int | None = None) -> NoReturn:
        raise GameError(
            "Hands of Omaha have no grid of classes: leave the picture out, and write all hands "
            "with --csv (node.write_csv).",
            wrong_use=True,
        )

    def made(self, player: int | None = None) -> dict[str, tuple[float, list[float]]]:
        player = self.player if player is None else player
        kinds, _ = self._kinds(player)
        held = self.probabilities[player]
        values = [
            self.ev[player],
            self.equity[player],
            *(self.strategy if player == self.player else ()),
        ]
        result = {}
        for kind in sorted(set(kinds.tolist())):
            of_kind = (kinds == kind) & (held > 0)
            share = float(held[of_kind].sum())
            if share > 0:
                means = [float(held[of_kind] @ numbers[of_kind]) / share for numbers in values]
                result[_MADE[kind]] = (share, means)
        return result

    def columns(self, player: int | None = None) -> dict[str, NDArray[Any]]:
        player = self.player if player is None else player
        made, draw = self._kinds(player)
        columns: dict[str, NDArray[Any]] = {
            "hand": np.array(self.hands[player]),
            "made": np.array(_MADE)[made],
            "draws": np.array(_DRAWS)[draw],
            "range": self.ranges[player],
            "probability": self.probabilities[player],
            "ev": self.ev[player],
            "equity": self.equity[player],
        }
        if player == self.player:
            columns |= dict(zip(self.actions, self.strategy, strict=True))
            columns |= {
                f"ev {action}": row
                for action, row in zip(self.actions, self.action_ev, strict=True)
            }
        return columns

    def summary(self, *, digits: int | None = None) -> dict[str, Any]:
        """Return the node as :meth:`SpotNode.summary` does, and ``cells``: see :meth:`made_cells`."""
        cells = [self.made_cells(player) for player in range(len(self.names))]
        return {**super().summary(digits=digits), "cells": cells}

    def table(
        self, player: int | None = None, *, digits: int | None = None
    ) -> dict[str, list[Any]]:
        """Return :meth:`columns` as plain data for JSON: of each made hand and draw the hands that are held most often.

        ``class`` is the made hand and the draw in one, as :meth:`made_cells` names it.
        """
        player = self.player if player is None else player
        made, draw = self._kinds(player)
        cell = _number_cells(made, draw)
        held = self.probabilities[player]
        order = np.lexsort((-self.ranges[player], -held, cell))
        order = order[self.ranges[player][order] > 0]
        sorted_cells = cell[order]
        first_of_cell = np.searchsorted(sorted_cells, sorted_cells)
        place_in_cell = np.arange(len(order)) - first_of_cell
        chosen = np.sort(order[place_in_cell < MOST_HANDS_OF_A_CELL])
        columns = {name: column[chosen] for name, column in self.columns(player).items()}
        names = [name_cell(_MADE[made[number]], _DRAWS[draw[number]]) for number in chosen.tolist()]
        table = {name: plain_column(column, digits) for name, column in columns.items()}
        return {**table, "class": names}

    def made_cells(self, player: int) -> list[dict[str, Any]]:
        """Return a player's range by made hand and draw, as plain data for JSON; the strongest made hands first.

        ``hands`` counts those of weight above 0, ``combos`` by weight; ``probability`` is the share of
        the range, over which ``ev`` and ``equity`` are means; ``mix`` is a mean by weight. For each
        action ``played`` is the part of the range that plays it, and ``earned`` that part × EV.
        The last three are null for who does not decide.
        """
        cell = _number_cells(*self._kinds(player))
        weights = self.ranges[player]
        held = self.probabilities[player]
        is_owner = player == self.player
        cells = []
        for number in np.unique(cell[weights > 0]).tolist():
            of_cell = (cell == number) & (weights > 0)
            is_held = of_cell & (held > 0)
            made_name = _MADE[number // len(_DRAWS)]
            draw_name = _DRAWS[number % len(_DRAWS)]
            combos = float(weights[of_cell].sum())
            share = float(held[is_held].sum())
            row: dict[str, Any] = {
                "name": name_cell(made_name, draw_name),
                "made": made_name,
                "draw": draw_name,
                "hands": int(of_cell.sum()),
                "combos": combos,
                "probability": share,
                "ev": _mean(self.ev[player][is_held], held[is_held]),
                "equity": _mean(self.equity[player][is_held], held[is_held]),
                "mix": None,
                "played": None,
                "earned": None,
            }
            if is_owner:
                played = self.strategy[:, is_held] * held[is_held]
                earned = np.where(played > 0, played * self.action_ev[:, is_held], 0.0)
                row["mix"] = (self.strategy[:, of_cell] @ weights[of_cell] / combos).tolist()
                row["played"] = played.sum(axis=1).tolist()
                row["earned"] = earned.sum(axis=1).tolist()
            cells.append(row)
        return cells

    def _make_table(self, player: int, **columns: Any) -> FourCardTable:
        made, draw = self._kinds(player)
        hands = cards_of_names(self.hands[player])
        return FourCardTable(hands=hands, made=made, draw=draw, **columns)

    def _kinds(self, player: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return what each hand of a player makes of the board, and what it draws to: indices of the tables of both."""
        return _kinds_on(self.board, tuple(self.hands[player]))


def _number_cells(made: NDArray[np.int64], draw: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cell of each hand, by made hand and within these by draw; no draw is the last one."""
    return made * len(_DRAWS) + draw % len(_DRAWS)


def name_cell(made: str, draw: str) -> str:
    """Return the name of a made hand with a draw: ``"set, wrap"``."""
    if draw:
        return f"{made}, {draw}"
    return made


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float | None:
    """Return the mean of values by weight; None where there is none."""
    total = float(weights.sum())
    if not total > 0:
        return None
    mean: float | None = replace_nan([float(values @ weights) / total])[0]
    return mean


@lru_cache(_KINDS_KEPT)
def _kinds_on(board: str, names: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    cards = parse_cards(board)
    hands = cards_of_names(names)
    made = made_hands(cards, hands)
    return made, draws(cards, hands, made)
