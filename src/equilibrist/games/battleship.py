"""Battleship: hide your ships, and shoot at those you do not see."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from .._util.spec import flag, whole, wholes
from ..errors import GameError
from ..game.protocol import TERMINAL
from ..game.rules import Rules, RulesGame, State, helper, next_player

MAX_CELLS = 62
"""The most cells of a grid: a set of cells is the bits of one integer."""

MAX_SHIPS = 8
"""The most ships of a player: while room is sought for those to come, each takes seven bits of one integer."""

_MAX_SHOTS = 100

# What p and s hold. Cells are counted row by row from the top left. Three entries a ship from
# P_LENGTHS on: its length, its value, and the cells it covers, as bits, where it lies vertically in
# the top left corner. Action c < P_CELLS is a shot at cell c; P_CELLS + c and 2 P_CELLS + c place a
# ship whose first cell is c, horizontally and vertically. Bit c of FIRED + i says that player i has
# shot at cell c; MADE counts the moves, which alternate from the first to the last. The placements
# start at PLACED, those of player 0 first; the shots follow them, each as 3 × cell + outcome.
P_HEIGHT, P_WIDTH, P_SHIPS, P_SHOTS, P_REPEAT, P_LENGTHS = range(6)
MOVER, MADE, FIRED, _, PLACED = range(5)
WATER, HIT, SUNK = range(3)


@helper
def hull(p: Sequence[int], ship: int, place: int) -> int:
    """Return the cells that a ship covers, as bits, at a place where it fits on the grid."""
    cells = p[P_HEIGHT] * p[P_WIDTH]
    at = P_LENGTHS + 3 * ship
    return ((1 << p[at]) - 1 if place < cells else p[at + 2]) << (place % cells)


@helper
def fits(p: Sequence[int], ship: int, place: int, taken_cells: int) -> bool:
    """Return whether a ship at a place lies on the grid, and on no cell that is taken."""
    height = p[P_HEIGHT]
    width = p[P_WIDTH]
    length = p[P_LENGTHS + 3 * ship]
    cell = place % (height * width)
    if place < height * width:
        inside = cell % width + length <= width
    else:
        inside = length > 1 and cell // width + length <= height
    return inside and taken_cells & hull(p, ship, place) == 0


@helper
def fits_rest(p: Sequence[int], ship: int, taken_cells: int) -> bool:
    """Return whether the ships from this one on can all be placed where no cell is taken; by backtracking."""
    places = 2 * p[P_HEIGHT] * p[P_WIDTH]
    depth = ship  # the ship that is to be placed next, at ``place`` or later
    place = 0
    places_tried = 0  # the places of the ships before it, seven bits each, the last one lowest
    while ship <= depth < p[P_SHIPS]:
        if place == places:
            depth -= 1
            if depth >= ship:
                place = places_tried & 127
                places_tried >>= 7
                taken_cells -= hull(p, depth, place)
                place += 1
            continue
        if fits(p, depth, place, taken_cells):
            taken_cells |= hull(p, depth, place)
            places_tried = places_tried << 7 | place
            depth += 1
            place = 0
        else:
            place += 1
    return depth == p[P_SHIPS]


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write where the next ship may lie so that the others can still be placed, or the cells to shoot at."""
    cells = p[P_HEIGHT] * p[P_WIDTH]
    ships = p[P_SHIPS]
    mover = s[MOVER]
    count = 0
    if s[MADE] >= 2 * ships:
        for cell in range(cells):
            if p[P_REPEAT] or (s[FIRED + mover] >> cell) & 1 == 0:
                out[count] = cell
                count += 1
        return count
    ship = s[MADE] // 2
    taken_cells = 0
    for placed in range(ship):
        taken_cells |= hull(p, placed, s[PLACED + mover * ships + placed] - cells)
    for place in range(2 * cells):
        if fits(p, ship, place, taken_cells) and fits_rest(
            p, ship + 1, taken_cells | hull(p, ship, place)
        ):
            out[count] = cells + place
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write nothing: chance has no part in this game."""
    return 0


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Place a ship or shoot; the game ends when the shots are spent or one fleet is sunk."""
    ships = p[P_SHIPS]
    cells = p[P_HEIGHT] * p[P_WIDTH]
    mover = s[MOVER]
    moves_made = s[MADE]
    s[MADE] += 1
    s[MOVER] = 1 - mover
    if moves_made < 2 * ships:
        s[PLACED + mover * ships + moves_made // 2] = action
        return 0
    s[FIRED + mover] |= 1 << action
    outcome = WATER
    sunk = 0
    for ship in range(ships):
        place = s[PLACED + (1 - mover) * ships + ship]
        cover = hull(p, ship, place - cells)
        afloat = cover & ~s[FIRED + mover] != 0
        if not afloat:
            sunk += 1
        if (cover >> action) & 1:
            outcome = HIT if afloat else SUNK
    s[PLACED + moves_made] = 3 * action + outcome
    if sunk == ships or s[MADE] == 2 * (ships + p[P_SHOTS]):
        s[MOVER] = TERMINAL
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the value of the ships that a player has sunk, less that of those lost."""
    ships = p[P_SHIPS]
    cells = p[P_HEIGHT] * p[P_WIDTH]
    lead = 0
    for mover in range(2):
        for ship in range(ships):
            if (
                hull(p, ship, s[PLACED + (1 - mover) * ships + ship] - cells) & ~s[FIRED + mover]
                == 0
            ):
                value = p[P_LENGTHS + 3 * ship + 1]
                lead += value if mover == 0 else -value
    out[0] = lead
    out[1] = -lead
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the own placements, then all shots: the own with their outcome, the other's without."""
    ships = p[P_SHIPS]
    mover = s[MOVER]
    count = 0
    for ship in range(ships):
        if 2 * ship + mover < s[MADE]:
            out[count] = s[PLACED + mover * ships + ship]
            count += 1
    for shot in range(s[MADE] - 2 * ships):
        entry = s[PLACED + 2 * ships + shot]
        out[count] = entry if shot % 2 == mover else entry // 3
        count += 1
    return count


class Battleship(RulesGame):
    """Battleship: place ships on a grid that the other player does not see, then shoot in turns.

    Each player has a grid of ``height`` × ``width`` cells and the same ships. First they place them
    in turns, player 0 first, the first ship, then the second, and so on; a ship covers cells in a
    row, horizontally or vertically, no two ships of a player share a cell, and none may lie where
    those still to come would find no room. Then they shoot in turns, player 0 first, at a cell of
    the other's grid, and are told whether it was water, a hit, or the last cell of a ship: sunk.
    The game ends when each has made ``shots`` shots, or at once when all ships of a player are
    sunk. A player wins the values of the ships sunk and loses those of the own ships lost.

    Columns are a, b, …, rows 1, 2, … from the top. A shot is written as its cell, ``b1``; a
    placement as the first and the last cell of the ship, ``a1-a2``, or ``b2`` for a ship of one
    cell. An infoset is written as the own ships, or ``-`` before the first, and all shots in order:
    the own with ``w``, ``h`` or ``s`` for water, hit and sunk, the other's in brackets: ``a1-a2,b2
    b1w (c1) a1h (b2)``.

    Parameters
    ----------
    height, width : int
        Size of the grid: at most 62 cells.
    ships : sequence of int
        Lengths of the ships, in the order of placing; at most 8.
    values : sequence of int, optional
        What each ship is worth; 1 by default.
    shots : int
        How many shots each player has; not more than there are cells where shots are not repeated,
        else at most 100.
    repeat : bool
        Whether a player may shoot at the same cell again, which tells once more how it stands
        there.

    Notes
    -----
    The tree is that of OpenSpiel's ``battleship`` with ``loss_multiplier=1``, node for node; its
    defaults are a grid of 10 × 10 and 50 shots, with ``allow_repeated_shots=True``. The defaults
    here are the second of the games whose sizes its tests state, where shots are not repeated.

    References
    ----------
    G. Farina, C. K. Ling, F. Fang, T. Sandholm (2019), "Correlation in extensive-form games:
    saddle-point formulation and benchmarks", NeurIPS 32, there with a loss that may count more than
    a gain.
    """

    name = "battleship"
    rules = Rules(next_player, actions, chances, play, payoffs, observe)

    def __init__(
        self,
        *,
        height: int = 2,
        width: int = 2,
        ships: Sequence[int] = (1,),
        values: Sequence[int] | None = None,
        shots: int = 3,
        repeat: bool = False,
    ) -> None:
        whole(self.name, "height", height, least=1, most=MAX_CELLS)
        whole(self.name, "width", width, least=1, most=MAX_CELLS)
        cells = height * width
        if cells > MAX_CELLS:
            raise GameError(
                f"battleship: a grid has at most {MAX_CELLS} cells; height={height} × "
                f"width={width} are {cells}.",
                wrong_use=True,
            )
        ships = wholes(self.name, "ships", ships, count=1, most_count=MAX_SHIPS, least=1)
        if values is not None:
            values = wholes(self.name, "values", values, count=len(ships), least=0)
        flag(self.name, "repeat", repeat)
        whole(self.name, "shots", shots, least=1, most=_MAX_SHOTS if repeat else cells)
        shapes = []
        for length, value in zip(ships, values or (1,) * len(ships), strict=True):
            # A ship longer than the grid lies nowhere, whatever its bits: they only must fit into
            # an integer.
            shapes += [
                min(length, MAX_CELLS),
                value,
                sum(1 << width * row for row in range(min(length, height))),
            ]
        self._cells = cell_names(height, width)
        self._width = width
        self._ships = ships
        super().__init__(
            players=2,
            parameters=[height, width, len(ships), shots, repeat, *shapes],
            start=[0, 0, 0, 0, *[0] * (2 * (len(ships) + shots))],
            max_actions=2 * cells,
            max_observation=len(ships) + 2 * shots,
            settings=locals(),
        )
        if not self.actions(self.start()):
            raise GameError(
                "battleship: the ships must fit on the grid without sharing a cell; "
                f"ships={ships!r} do not on height={height} × width={width}.",
                wrong_use=True,
            )

    def action_label(self, state: State, action: int) -> str:
        if action < len(self._cells):
            return self._cells[action]
        return self._placement_text(action, state[MADE] // 2)

    def infoset_name(self, observation: State) -> str:
        ships = observation[: len(self._ships)]
        shots = observation[len(self._ships) :]
        words = [
            ",".join(self._placement_text(action, ship) for ship, action in enumerate(ships)) or "-"
        ]
        for number, shot in enumerate(shots):
            if number % 2 == len(shots) % 2:
                words.append(self._cells[shot // 3] + "whs"[shot % 3])
            else:
                words.append(f"({self._cells[shot]})")
        return " ".join(words)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        ships = len(self._ships)
        if state[MADE] < 2 * ships:
            placed = (state[MADE] + 1 - player) // 2
        else:
            placed = ships
        player_ships = state[PLACED + player * ships : PLACED + player * ships + placed]
        shots: list[list[str]] = [[], []]
        for number, shot in enumerate(state[PLACED + 2 * ships : PLACED + state[MADE]]):
            shots[number % 2].append(
                f"{self._cells[shot // 3]} {('water', 'hit', 'sunk')[shot % 3]}"
            )
        return [
            (
                "your ships",
                ", ".join(
                    self._placement_text(action, ship) for ship, action in enumerate(player_ships)
                )
                or "none placed yet",
            ),
            ("you shot", ", ".join(shots[player]) or "nowhere yet"),
            ("shot at you", ", ".join(shots[1 - player]) or "nothing yet"),
        ]

    def _placement_text(self, action: int, ship: int) -> str:
        vertical, first = divmod(action - len(self._cells), len(self._cells))
        last = first + (self._ships[ship] - 1) * (self._width if vertical else 1)
        if first == last:
            return self._cells[first]
        return f"{self._cells[first]}-{self._cells[last]}"


def cell_names(rows: int, columns: int) -> list[str]:
    """Return what the cells of a grid are called, row by row: a1, b1, …, then a2, b2, and so on."""
    return [
        f"{_column_letters(column)}{row + 1}" for row in range(rows) for column in range(columns)
    ]


def _column_letters(column: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    if column < len(letters):
        return letters[column]
    return letters[column // len(letters) - 1] + letters[column % 26]
