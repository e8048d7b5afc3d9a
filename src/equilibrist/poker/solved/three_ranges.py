"""Decisions of a solved spot of three ranges: what is played, by which hands, and what it earns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..._util.display import Display
from ...errors import GameError
from ...evaluation.units import CHIPS, Unit
from ...form.ranges.game import PLAYERS
from ...games.load import load
from ...show.blocks import Block, Cell, Column, Facts, Grid, Table
from ...strategy.convert import strategy_for
from ...strategy.tables import write_csv
from ..cards.cards import CLASS_OF_HAND, CLASSES, parse_cards, parse_hand
from ..spot.lines import place_in_words
from ..spot.three_ranges import ThreeRanges
from .blocks import action_keys
from .spot_node import SIDE, hand_grid

_SHARE = ".2%"
_EV = ".4f"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ThreeDecision(Display):
    """A decision of a solved spot of three ranges.

    Attributes
    ----------
    line : str
        The actions before.
    board : str
        The public cards.
    pot : float
        Chips in the middle.
    player : int
        Who decides.
    name : str
        What the player is called.
    actions : tuple of str
    hands : tuple of str
        The hands of the player.
    range : float64 array, shape (hands,)
        Weight × own reach of each hand.
    reached : float64 array, shape (hands,)
        The probability that the hand comes here; over all hands it sums to that of the decision.
    strategy : float64 array, shape (actions, hands)
    action_ev : float64 array, shape (actions, hands)
        What the player wins from here on less what is put in from here on; chips. NaN for hands with
        which nobody comes here.
    """

    line: str
    board: str
    pot: float
    player: int
    name: str
    actions: tuple[str, ...]
    hands: tuple[str, ...]
    range: Floats
    reached: Floats
    strategy: Floats
    action_ev: Floats

    def __repr__(self) -> str:
        pairs = zip(self.actions, self.frequencies, strict=True)
        mix = ", ".join(f"{action} {share:.1%}" for action, share in pairs)
        return f"<ThreeDecision of {self.name} {self.where}: {mix}>"

    @property
    def where(self) -> str:
        """Where the decision is in the betting, in words."""
        return place_in_words(self.line)

    @property
    def title(self) -> str:
        """Who decides, where, on which board, and the pot."""
        return f"{self.name} {self.where}, board {self.board}"

    @property
    def frequencies(self) -> Floats:
        """How often each action is played; shape (actions,)."""
        return np.asarray(self.strategy @ self.reached / max(self.reached.sum(), 1e-300))

    @property
    def hand_ev(self) -> Floats:
        """The EV of each hand; chips."""
        return np.asarray((self.strategy * self.action_ev).sum(axis=0))

    @property
    def ev(self) -> float:
        """The EV of who decides; chips."""
        is_there = self.reached > 0
        total = self.reached[is_there] @ self.hand_ev[is_there]
        return float(total / max(self.reached.sum(), 1e-300))

    def number(self, hand: str) -> int:
        """Return the number of a hand.

        Raises
        ------
        GameError
            It is no hand of the player.
        """
        parse_hand(hand)
        if hand not in self.hands:
            raise GameError(
                f"hand: {hand} is not in the range of {self.name} on {self.board}.", wrong_use=True
            )
        return self.hands.index(hand)

    def classes(self, player: int | None = None) -> tuple[Floats, Floats]:
        """Return the weight of the 169 classes, and what they play: see :meth:`SpotNode.classes`."""
        numbers = CLASS_OF_HAND[[parse_hand(hand) for hand in self.hands]]
        held = np.bincount(numbers, self.range, len(CLASSES))
        count = np.maximum(np.bincount(numbers, minlength=len(CLASSES)), 1)
        shares = np.array(
            [np.bincount(numbers, row * self.range, len(CLASSES)) for row in self.strategy]
        )
        mix = np.full_like(shares, np.nan)
        np.divide(shares, held, out=mix, where=held > 0)
        return held / count, mix

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return a table of the hands as arrays by heading: hand, range, reached, EV, and each action."""
        columns = {
            "hand": np.array(self.hands),
            "range": self.range,
            "reached": self.reached,
            "ev": self.hand_ev,
        }
        return columns | dict(zip(self.actions, self.strategy, strict=True))

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = self.columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        write_csv(path, columns, rows)

    def summary(self) -> dict[str, Any]:
        """Return the decision as plain data for JSON."""
        columns = self.columns()
        hands = {
            name: [_without_nan(value) for value in column.tolist()]
            for name, column in columns.items()
        }
        return {
            "line": self.line,
            "board": self.board,
            "pot": self.pot,
            "player": self.player,
            "name": self.name,
            "ev": self.ev,
            "frequencies": dict(zip(self.actions, self.frequencies.tolist(), strict=True)),
            "hands": hands,
        }


class SolvedThree:
    """A strategy of a spot of three ranges, to be looked at decision by decision.

    Parameters
    ----------
    solution : Solution or Strategy
        What :func:`equilibrist.solve` returns for such a spot, or its strategy.
    game : str, path or spot, optional
        The spot, as for :func:`equilibrist.load`, where a strategy does not know it.

    Raises
    ------
    GameError
        The game has no three ranges.
    """

    def __init__(self, solution: Any, game: Any = None) -> None:
        strategy = getattr(solution, "strategy", solution)
        source: Any = game if game is not None else getattr(solution, "game", None)
        spot = load(source)
        if not isinstance(spot, ThreeRanges):
            raise GameError(
                f"A spot of three ranges is needed, as game='spot.toml'; got {source!r}.",
                wrong_use=True,
            )
        self.spot = spot
        form = spot.compile_ranges()
        self.form = form
        fitting = strategy_for(strategy, form)
        self.strategy = form.to_slots(fitting.probabilities)
        self.reach = form.reach(self.strategy)
        self._cf_reach = form.cf_reach(self.strategy)
        self._values: dict[int, Floats] = {}

    def node(self, line: str = "", board: str | None = None) -> ThreeDecision:
        """Return a decision.

        Parameters
        ----------
        line : str
            The actions before, ``"X-B20-C | X"``.
        board : str, optional
            All public cards there, or those that were dealt since the start; needed once a street
            was dealt.

        Raises
        ------
        GameError
            There is no such line, it leads to no decision, or the board does not belong to it.
        """
        tree = self.spot.tree
        index = tree.find(line)
        at: Any = tree.nodes[index]
        if at.player < 0:
            raise GameError(
                f"line: the hand is over after {line!r} ({tree.result(at)}); give a line after "
                "which somebody decides.",
                wrong_use=True,
            )
        number = next(
            number for number, each in enumerate(self.form.decisions) if each.node == index
        )
        place = self._find_board(at.street - tree.rules.street, board)
        return self._make(number, place, at)

    def _find_board(self, street: int, board: str | None) -> int:
        """Return the number of a board among all boards."""
        boards = self.form.boards
        cards: list[int] = []
        if board is not None:
            cards = list(parse_cards(board, "board", names=self.spot.cards))
        if cards[: len(self.spot.board)] == list(self.spot.board):
            cards = cards[len(self.spot.board) :]
        if len(cards) != street or tuple(cards) not in boards.dealt:
            start = self.spot.settings["board"]
            raise GameError(
                f"board: the line has {len(self.spot.board) + street} public cards, which begin with "
                f"{start}; got {board!r}.",
                wrong_use=True,
            )
        return boards.dealt.index(tuple(cards))

    def _make(self, number: int, place: int, at: Any) -> ThreeDecision:
        form = self.form
        decision = form.decisions[number]
        player = decision.player
        infosets = form.infosets
        is_block = (infosets.decision == number) & (infosets.board == place)
        block = int(np.flatnonzero(is_block)[0])
        first = int(infosets.first[block])
        last = int(infosets.first[block + 1])
        slots: Ints = form.slot[form.first_action[first] : form.first_action[last]].astype(np.int64)
        slots = slots.reshape(-1, decision.actions).T
        shares = self.strategy[slots]
        held = form.boards.held[player][place]
        own_reach = self._own_reach(first, last, player)
        others = self._cf_reach[first:last]
        action_ev = np.full(slots.shape, np.nan)
        np.divide(self._action_values(player)[slots], others, out=action_ev, where=others > 0)
        cards = [*self.spot.board, *form.boards.dealt[place]]
        return ThreeDecision(
            line=at.line,
            board="".join(self.spot.cards[card] for card in cards),
            pot=self.spot.pot + sum(at.paid),
            player=player,
            name=self.spot.names[player],
            actions=at.actions,
            hands=tuple(form.game.hand_names[hand] for hand in held.tolist()),
            range=form.game.weights[player, held] * own_reach,
            reached=own_reach * others,
            strategy=shares,
            action_ev=action_ev,
        )

    def _own_reach(self, first: int, last: int, player: int) -> Floats:
        """Return the player's own reach of some infosets."""
        parents = self.form.parents(np.arange(first, last))
        slots = self.form.slot[np.maximum(parents, 0)]
        return np.where(parents >= 0, self.reach[slots], 1.0)

    def _action_values(self, player: int) -> Floats:
        """Return the counterfactual values of a player's actions, which are kept."""
        if player not in self._values:
            self._values[player] = self.form.play_values(self.strategy, self.reach, player)
        return self._values[player]


def _without_nan(value: Any) -> Any:
    """Return a value, or None for NaN, which JSON has not."""
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


def three_blocks(
    node: ThreeDecision, *, suits: bool = False, hand: str | None = None, unit: Unit = CHIPS
) -> Iterator[Block]:
    """Yield what a decision shows: who decides, frequencies, EV, and the hands; or one hand alone."""
    yield Facts(
        [f"EV of {node.name} from here on: {unit.ev(node.ev, node.pot):.4g}"], title=node.title
    )
    if hand is not None:
        number = node.number(hand)
        evs = [node.hand_ev[number], *node.action_ev[:, number].tolist()]
        yield Table(
            [
                Column(hand, ["in the range", *node.actions]),
                Column(
                    "frequency",
                    [node.range[number], *node.strategy[:, number].tolist()],
                    _SHARE,
                ),
                Column(unit.heading(), [unit.ev(ev, node.pot) for ev in evs], _EV),
            ],
            is_small=True,
        )
        return
    keys = action_keys(node)
    if suits:
        cells = []
        for number, name in enumerate(node.hands):
            if node.range[number] > 0:
                group = CLASSES[CLASS_OF_HAND[parse_hand(name)]]
                shares = node.strategy[:, number].tolist()
                cells.append(Cell(name, float(node.range[number]), shares, group=group))
        cells.sort(key=lambda cell: CLASSES.index(cell.group))
        yield Grid(keys, cells)
    else:
        cells = [Cell(cell.name, cell.weight, cell.shares) for cell in hand_grid(node)]
        yield Grid(keys, cells, SIDE)


def gains_table(solution: Any, spot: ThreeRanges, unit: Unit = CHIPS) -> Table:
    """Return the EV of each player, and what each gains by deviating alone."""
    gains = solution.deviation_gains or [np.nan] * len(PLAYERS)
    values = solution.value or [np.nan] * len(PLAYERS)
    return Table(
        [
            Column("", spot.names),
            Column(unit.heading(), [unit.ev(value, spot.pot) for value in values], _EV),
            Column("% of pot", [value / spot.pot for value in values], _SHARE),
            Column("gain by deviating", [unit.ev(gain, spot.pot) for gain in gains], ".4g"),
            Column("gain, % of pot", [gain / spot.pot for gain in gains], ".3%"),
        ],
        is_small=True,
    )
