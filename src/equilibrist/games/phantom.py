"""Phantom tic-tac-toe and dark hex: board games in which nobody sees the other's moves.

Both are one game but for who wins: players attempt to put a stone on a cell in turns, and learn
only whether the cell was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence

import numpy as np

from .._util.spec import flag, whole
from ..errors import GameError
from ..game.protocol import TERMINAL
from ..game.rules import Rules, RulesGame, State, helper, next_player
from .battleship import MAX_CELLS, cell_names

MAX_SIZE = 7
"""The largest side of a board of dark hex: its cells are the bits of one integer."""

# What p and s hold. Cells are counted row by row from the top left; sets of cells are bits. An
# attempt is coded as 1 + 2 × cell, and 1 more where the cell was taken, in P_BITS bits, the first
# lowest in each of P_WORDS integers. STONES + i are the stones of player i, SEEN + i the cells that
# i knows to be taken (its stones among them); attempts follow from ATTEMPTS on, those of player 0
# first. NEXT is where the next one goes: 64 × integer + bit, for player 1 times 2 ** 32; at the end
# it is the result. Boards of 12 cells have eight integers in all, which are copied fastest.
# On boards of few cells P_WINS is where a table begins, else 0: for each set of stones of player 0,
# then of player 1, a bit that says whether it wins, WINS_EACH of them in an integer; P_WINS_WORDS
# integers for a player.
P_ROWS, P_COLUMNS, P_ABRUPT, P_BITS, P_WORDS, P_WINS, P_WINS_WORDS, P_LINES = range(8)
WINS_EACH = 32
MOST_WINS_CELLS = 10
MOVER, STONES, _, SEEN, _, NEXT, ATTEMPTS = range(7)
RESULT = NEXT
MOST_BITS = 62


@helper
def attempt(p: Sequence[int], s: MutableSequence[int], cell: int) -> int:
    """Attempt a cell; return whose stone is there now for the first time, or -1 where the cell was taken."""
    mover = s[MOVER]
    is_taken = (s[STONES + 1 - mover] >> cell) & 1
    positions = s[NEXT]
    position = (positions >> 32 * mover) & 0xFFFFFFFF
    s[ATTEMPTS + mover * p[P_WORDS] + (position >> 6)] |= (1 + 2 * cell + is_taken) << (
        position & 63
    )
    next_position = position + p[P_BITS]
    if (next_position & 63) + p[P_BITS] > MOST_BITS:
        next_position = ((next_position >> 6) + 1) << 6
    s[NEXT] = positions + ((next_position - position) << 32 * mover)
    s[SEEN + mover] |= 1 << cell
    if is_taken == 0:
        s[STONES + mover] |= 1 << cell
    if is_taken == 0 or p[P_ABRUPT]:
        s[MOVER] = 1 - mover
    if is_taken:
        return -1
    return mover


@helper
def end(s: MutableSequence[int], result: int) -> int:
    """End the game: ``result`` is what player 0 receives."""
    s[RESULT] = result
    s[MOVER] = TERMINAL
    return 0


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the cells that the mover does not know to be taken."""
    seen_cells = s[SEEN + s[MOVER]]
    count = 0
    for cell in range(p[P_ROWS] * p[P_COLUMNS]):
        if (seen_cells >> cell) & 1 == 0:
            out[count] = cell
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write nothing: chance has no part in these games."""
    return 0


@helper
def in_table(p: Sequence[int], mover: int, stones: int) -> int:
    """Return whether the table says that a player's stones win."""
    return (p[p[P_WINS] + mover * p[P_WINS_WORDS] + stones // WINS_EACH] >> stones % WINS_EACH) & 1


@helper
def has_line(p: Sequence[int], mover: int, stones: int) -> int:
    """Return whether stones fill a line."""
    for line in range(P_LINES + 1, P_LINES + 1 + p[P_LINES]):
        if stones & p[line] == p[line]:
            return 1
    return 0


def play_in_a_row(p: Sequence[int], s: MutableSequence[int], cell: int) -> int:
    """Attempt a cell; who fills a line has won, and a full board is a draw."""
    mover = attempt(p, s, cell)
    if mover < 0:
        return 0
    stones = s[STONES + mover]
    if in_table(p, mover, stones) if p[P_WINS] else has_line(p, mover, stones):
        return end(s, 1 - 2 * mover)
    if s[STONES] | s[STONES + 1] == (1 << p[P_ROWS] * p[P_COLUMNS]) - 1:
        return end(s, 0)
    return 0


def play_hex(p: Sequence[int], s: MutableSequence[int], cell: int) -> int:
    """Attempt a cell; who connects two sides has won."""
    mover = attempt(p, s, cell)
    if mover < 0:
        return 0
    stones = s[STONES + mover]
    if in_table(p, mover, stones) if p[P_WINS] else has_chain(p, mover, stones):
        return end(s, 1 - 2 * mover)
    return 0


@helper
def has_chain(p: Sequence[int], mover: int, stones: int) -> int:
    """Return whether stones connect: those of player 0 the first row and the last, of player 1 the columns."""
    columns = p[P_COLUMNS]
    begin = p[P_LINES + mover]
    goal = p[P_LINES + 2 + mover]
    first = p[P_LINES + 1]
    last = p[P_LINES + 3]
    chain = stones & begin
    grown = 0
    while chain != grown:
        grown = chain
        not_first = chain & ~first
        not_last = chain & ~last
        chain |= (chain << columns | chain >> columns | not_first >> 1 | not_last << 1) & stones
        chain |= (not_first << (columns - 1) | not_last >> (columns - 1)) & stones
    if chain & goal:
        return 1
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write 1 for who has won, -1 for who has lost, 0 for a draw."""
    out[0] = s[RESULT]
    out[1] = -s[RESULT]
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the own attempts in order, and which of them failed."""
    first = ATTEMPTS + s[MOVER] * p[P_WORDS]
    for word in range(p[P_WORDS]):
        out[word] = s[first + word]
    return p[P_WORDS]


class _Phantom(RulesGame):
    """A board on which players attempt cells without seeing the other's stones; ``wins`` says who wins, by ``ends``."""

    counts_moves = False
    """Whether OpenSpiel's information states say how many attempts both players have made."""

    def __init__(
        self,
        rows: int,
        columns: int,
        *,
        abrupt: bool,
        ends: Sequence[int],
        wins: Callable[[Sequence[int], int, int], int],
        settings: dict[str, object],
    ):
        cells = rows * columns
        self._cells = cell_names(rows, columns)
        self._bits = (2 * cells).bit_length()
        self.code_bits = self._bits
        self._each = MOST_BITS // self._bits
        words = -(-cells // self._each)
        parameters = [rows, columns, abrupt, self._bits, words, 0, 0, *ends]
        if cells <= MOST_WINS_CELLS:
            parameters[P_WINS] = len(parameters)
            parameters[P_WINS_WORDS] = -(-(1 << cells) // WINS_EACH)
            parameters += [
                sum(
                    wins(parameters, player, first + bit) << bit
                    for bit in range(min(WINS_EACH, 1 << cells))
                )
                for player in (0, 1)
                for first in range(0, 1 << cells, WINS_EACH)
            ]
        super().__init__(
            players=2,
            parameters=parameters,
            start=[0] * (ATTEMPTS + 2 * words),
            max_actions=cells,
            max_observation=words,
            settings=settings,
        )

    def action_label(self, state: State, action: int) -> str:
        return self._cells[action]

    @property
    def num_actions(self) -> int:
        """The number of cells: an action is the number of its cell, as in OpenSpiel."""
        return len(self._cells)

    def observation(self, state: State) -> list[float]:
        """Return what the mover knows: of each attempt in order a one-hot row of its cell, and whether it failed."""
        rows = np.zeros((len(self._cells), len(self._cells) + 1))
        first = ATTEMPTS + state[MOVER] * self.parameters[P_WORDS]
        for row, (cell, is_taken) in zip(
            rows, self._attempts(state[first : first + self.parameters[P_WORDS]]), strict=False
        ):
            row[cell] = 1.0
            row[-1] = is_taken
        values: list[float] = rows.ravel().tolist()
        return values

    def infoset_name(self, observation: State) -> str:
        attempts = self._attempts(observation)
        return (
            " ".join(
                f"({self._cells[cell]})" if is_taken else self._cells[cell]
                for cell, is_taken in attempts
            )
            or "-"
        )

    def _attempts(self, observation: State) -> Iterator[tuple[int, int]]:
        """Yield the cell of each attempt, and whether it was taken."""
        for word in observation:
            attempts = word
            while attempts:
                yield divmod((attempts & (1 << self._bits) - 1) - 1, 2)
                attempts >>= self._bits

    def state_of(self, player: int, infoset: str) -> State | None:
        if player not in (0, 1):
            return None
        state = list(self.start())
        state[MOVER] = player
        try:
            for word in () if infoset == "-" else infoset.split(" "):
                is_taken = word.startswith("(")
                cell = self._cells.index(word[1:-1] if is_taken else word)
                if state[SEEN + player] >> cell & 1:
                    return None
                if is_taken:  # where it is the other's
                    state[STONES + 1 - player] |= 1 << cell
                attempt(self.parameters, state, cell)
                state[MOVER] = player
        except ValueError:
            return None
        if self.infoset(tuple(state)) == infoset:
            return tuple(state)
        return None

    def from_openspiel(self, player: int, text: str) -> str:
        """Return the infoset of which OpenSpiel says ``text``, its information state string."""
        *rows, attempts = text.split("\n")
        view = "".join(row for row in rows if not row.isdecimal())
        cells = [int(pair.partition(",")[2]) for pair in attempts.split()]
        names = [
            self._cells[cell] if view[cell] == "xo"[player] else f"({self._cells[cell]})"
            for cell in cells
        ]
        return " ".join(names) or "-"

    def to_openspiel(self, player: int, infoset: str) -> str | None:
        """Return the information state string of OpenSpiel, or None: several in classical dark hex, or no infoset."""
        state = self.state_of(player, infoset)
        moves = () if infoset == "-" else infoset.split(" ")
        abrupt = self.parameters[P_ABRUPT]
        if state is None or (self.counts_moves and not abrupt):
            return None
        rows = [row.replace(" ", "").replace("·", ".") for _, row in self.table(state, player)]
        if self.counts_moves:
            rows.append(str(2 * len(moves) + player))
        cells = (self._cells.index(move.strip("()")) for move in moves)
        return "\n".join(rows) + "\n" + "".join(f"{player},{cell} " for cell in cells)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        columns = self.parameters[P_COLUMNS]
        rows = []
        for first in range(0, len(self._cells), columns):
            cells = range(first, first + columns)
            marks = ["·xo"[self._mark(state, player, cell)] for cell in cells]
            rows.append(" ".join(marks))
        return [("board" if number == 0 else "", row) for number, row in enumerate(rows)]

    @staticmethod
    def _mark(state: State, player: int, cell: int) -> int:
        if not state[SEEN + player] >> cell & 1:
            return 0
        return 1 + (player if state[STONES + player] >> cell & 1 else 1 - player)


class PhantomTicTacToe(_Phantom):
    """Phantom tic-tac-toe: three in a row against stones that you do not see.

    Player 0 and player 1 attempt in turns to put a stone on a cell of the board; nobody sees where
    the other's stones are. Where the cell is free the stone stays, and it is the other's turn.
    Where it is taken, the player learns that, and attempts another cell at once; in the abrupt game
    the turn is over. Who first has ``line`` stones in a row, column or diagonal wins 1 from the
    other; a full board is a draw.

    Columns are a, b, …, rows 1, 2, … from the top. An infoset is written as the player's attempts
    in order, those that failed in brackets: ``b2 (a1) a2``; ``-`` before the first. Both players
    use the same texts.

    Parameters
    ----------
    rows, columns : int
        Size of the board, at most 62 cells.
    line : int
        How many stones in a row win.
    abrupt : bool
        Whether an attempt at a cell that is taken ends the turn.

    Notes
    -----
    The game is OpenSpiel's ``phantom_ttt``, with ``gameversion=abrupt`` where it is abrupt, and so
    are its infosets.

    References
    ----------
    M. Lanctot (2013), "Monte Carlo sampling and regret minimization for equilibrium computation and
    decision-making in large extensive form games", PhD thesis, University of Alberta.
    """

    name = "phantom_ttt"
    rules = Rules(next_player, actions, chances, play_in_a_row, payoffs, observe)

    def __init__(
        self, *, rows: int = 3, columns: int = 3, line: int = 3, abrupt: bool = False
    ) -> None:
        whole(self.name, "rows", rows, least=1, most=MAX_CELLS)
        whole(self.name, "columns", columns, least=1, most=MAX_CELLS)
        if rows * columns > MAX_CELLS:
            raise GameError(
                f"phantom_ttt: a board has at most {MAX_CELLS} cells; rows={rows} × "
                f"columns={columns} are {rows * columns}.",
                wrong_use=True,
            )
        whole(self.name, "line", line, least=2, most=MAX_CELLS)
        flag(self.name, "abrupt", abrupt)
        lines = [
            sum(1 << (row + k * down) * columns + column + k * right for k in range(line))
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            for row in range(rows - down * (line - 1))
            for column in range(columns)
            if 0 <= column + right * (line - 1) < columns
        ]
        super().__init__(
            rows,
            columns,
            abrupt=abrupt,
            ends=[len(lines), *lines],
            wins=has_line,
            settings=locals(),
        )


class DarkHex(_Phantom):
    """Dark hex: connect two sides of a board against stones that you do not see.

    Player 0 and player 1 attempt in turns to put a stone on a cell of a rhombus of ``size`` ×
    ``size`` hexagons, as in
    :class:`PhantomTicTacToe`. Player 0 wins 1 from the other by a chain of stones from the first row to the last,
    player 1 by one from the first column to the last; somebody always does. A cell has the
    neighbours left and right in its row, above and above to the right, below and below to the left.

    Cells and infosets are written as in phantom tic-tac-toe: ``b2 (a1) a2``.

    Parameters
    ----------
    size : int
        Of the board, from 2 to 7.
    abrupt : bool
        Whether an attempt at a cell that is taken ends the turn.

    Notes
    -----
    The game is OpenSpiel's ``dark_hex`` with ``board_size=size``, and ``gameversion=adh`` where it
    is abrupt. Its information states also say how many attempts both players have made so far. In
    the abrupt game that is nothing new; in the classical one (``cdh``) it tells how often the other
    has failed, which nobody can see.
    """

    name = "dark_hex"
    counts_moves = True
    rules = Rules(next_player, actions, chances, play_hex, payoffs, observe)

    def __init__(self, *, size: int = 3, abrupt: bool = False) -> None:
        whole(self.name, "size", size, least=2, most=MAX_SIZE)
        flag(self.name, "abrupt", abrupt)
        row = (1 << size) - 1
        column = sum(1 << k * size for k in range(size))
        # The first row and column, the last row and column.
        ends = [row, column, row << size * (size - 1), column << size - 1]
        super().__init__(size, size, abrupt=abrupt, ends=ends, wins=has_chain, settings=locals())
