"""Results of a spot on many boards: tables, weighted means, and the page that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._util.display import Display
from ..._util.files import explain_write_errors, whole_file, write_atomically
from ..._util.spec import parse_call
from ...batches.result import PAGE, rows_to_columns
from ...errors import GameError
from ...strategy.tables import Tabular, write_parquet
from ..cards.cards import RANKS, parse_cards
from ..cards.flops import texture
from ..spot.betting_tree import PLAYERS
from ..spot.settings import find_deck

if TYPE_CHECKING:
    import pyarrow

BOARDS = "boards"
CLASSES = "classes.parquet"
TEXTURES = ("high", "suits", "pairing", "connected")
"""What tells boards apart by their looks."""


@dataclass(frozen=True, repr=False, kw_only=True)
class BoardReport(Tabular, Display):
    """Results of :func:`equilibrist.poker.board_report`.

    Attributes
    ----------
    spot : str
        The spot, as :func:`equilibrist.load` takes it, on its own board.
    weights : tuple of (str, float)
        The boards, and how many boards each stands for.
    records : tuple of mapping
        What is known of each, as in :attr:`BatchResult.records`.
    computed : int
        How many of them were computed by this call.
    """

    spot: str
    weights: tuple[tuple[str, float], ...]
    records: tuple[Mapping[str, Any], ...]
    computed: int = 0

    def __repr__(self) -> str:
        count_text = f"{len(self.solved):,} of {len(self.records):,} boards"
        lines = []
        for mean in self.means():
            actions = ", ".join(
                f"{action} {share:.1%}" for action, share in read_frequencies(mean).items()
            )
            lines.append(f"{mean['line'] or 'start'}: {mean['player']} {actions}")
        return f"<BoardReport: {count_text}; {'; '.join(lines)}>"

    @property
    def finished(self) -> bool:
        """Whether all boards are there."""
        return len(self.solved) == len(self.records)

    @property
    def failed(self) -> dict[str, str]:
        """Why boards failed."""
        return {
            record["labels"]["board"]: record["error"] for record in self.records if record["error"]
        }

    @cached_property
    def solved(self) -> list[tuple[str, float, Mapping[str, Any]]]:
        """Board, weight and results of the boards that are finished."""
        weights = dict(self.weights)
        return [
            (record["labels"]["board"], weights[record["labels"]["board"]], record["results"])
            for record in self.records
            if record["state"] == "finished"
        ]

    def texture_of(self, board: str) -> dict[str, Any]:
        """Return the texture of a board as plain values: suits, pairing, whether it is connected, the highest rank."""
        board_texture = texture(parse_cards(board), find_deck(parse_call(self.spot)[1]))
        return {
            name: getattr(board_texture, name) for name in ("suits", "pairing", "connected", "high")
        }

    @property
    def lines(self) -> list[str]:
        """The lines that are reported."""
        return list(
            dict.fromkeys(
                node["line"] for _, _, results in self.solved for node in results["nodes"]
            )
        )

    def nodes(self, line: str) -> Iterator[tuple[str, float, Mapping[str, Any]]]:
        """Yield board, weight × mass and the decision after a line, for each board."""
        for board, weight, results in self.solved:
            for node in results["nodes"]:
                if node["line"] == line:
                    yield board, weight * node["mass"], node

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of plain values for each board and line."""
        return [
            {
                "board": board,
                "weight": weight,
                **self.texture_of(board),
                **_decision_row(node),
                **{
                    name: results[name]
                    for name in ("exploitability", "exploitability_percent", "iterations")
                },
                "mass": node["mass"],
            }
            for board, weight, results in self.solved
            for node in results["nodes"]
        ]

    def means(self) -> list[dict[str, Any]]:
        """Return the mean over the boards for each line, each board by its weight × the deals that come there.

        EQR is that of the means: EV / (equity × pot).
        """
        return [
            {"boards": len(boards), **_mean_over_boards(boards)}
            for boards in map(list, map(self.nodes, self.lines))
        ]

    def by_texture(
        self, line: str = "", by: Sequence[str] = ("high", "suits")
    ) -> list[dict[str, Any]]:
        """Return the mean over the boards of each texture at a line, weighted as in :meth:`means`.

        Parameters
        ----------
        line : str
            One of :attr:`lines`.
        by : sequence of {"suits", "pairing", "connected", "high"}
            What is told apart.

        Returns
        -------
        list of dict
            For each combination that some board has, high cards from the ace down: what is told
            apart, the number of ``boards``, their ``share`` of all deals that come to the line, and
            the columns of :meth:`means`.

        Raises
        ------
        GameError
            ``by`` names something else, or the line is not reported.
        """
        unknown_names = [name for name in by if name not in TEXTURES]
        if unknown_names or not by:
            raise GameError(
                f"by must name some of {', '.join(TEXTURES)}; got {list(by)!r}.", wrong_use=True
            )
        if line not in self.lines:
            line_names = (
                ", ".join(line_or_empty or "the start" for line_or_empty in self.lines)
                or "none yet"
            )
            raise GameError(
                f"This report has no line {line!r}; it has {line_names}.",
                wrong_use=True,
                field="line",
            )
        groups: dict[tuple[Any, ...], list[tuple[str, float, Mapping[str, Any]]]] = {}
        for entry in self.nodes(line):
            board_texture = self.texture_of(entry[0])
            groups.setdefault(tuple(board_texture[name] for name in by), []).append(entry)
        total = sum(weight for boards in groups.values() for _, weight, _ in boards)
        return [
            {
                **dict(zip(by, key, strict=True)),
                "boards": len(boards),
                "share": sum(weight for _, weight, _ in boards) / total if total else None,
                **_mean_over_boards(boards),
            }
            for key, boards in sorted(
                groups.items(), key=lambda group: tuple(map(_texture_order, group[0]))
            )
        ]

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each board and line.

        The columns are board, weight, suits, pairing, connected, high, line, player (who decides),
        ev_oop, ev_ip, equity_oop, equity_ip, eqr_oop, eqr_ip, the frequency of each action,
        exploitability (chips, and percent of the pot), iterations, and mass, the deals that come
        there.
        """
        import pyarrow as pa

        return pa.table(rows_to_columns(self.rows()))

    def classes(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each board, line, player and class of hands that the player may hold.

        The columns are board, line, player, class, probability (given both ranges), ev, equity, and
        the frequency of each action of who decides.
        """
        import pyarrow as pa

        rows = [
            {
                "board": board,
                "line": node["line"],
                "player": PLAYERS[player],
                "class": name,
                **dict(
                    zip(("probability", "ev", "equity", *node["actions"]), numbers, strict=False)
                ),
            }
            for board, _, results in self.solved
            for node in results["nodes"]
            for player in range(2)
            for name, numbers in node["classes"][player].items()
        ]
        return pa.table(rows_to_columns(rows))

    def summary(self) -> dict[str, Any]:
        """Return means and rows as plain data for JSON."""
        return {
            "spot": self.spot,
            "boards": len(self.records),
            "finished": self.finished,
            "computed": self.computed,
            "failed": self.failed,
            "means": self.means(),
            "rows": self.rows(),
        }

    def write(self, folder: str | Path) -> None:
        """Write ``boards.csv``, ``boards.parquet``, ``classes.parquet`` and ``report.html`` to a folder.

        Raises
        ------
        SolutionError
            They cannot be written.
        """
        if not self.solved:
            return
        from pyarrow.csv import write_csv

        folder = Path(folder)
        table = self.to_arrow()
        write_parquet(folder / f"{BOARDS}.parquet", table)
        write_parquet(folder / CLASSES, self.classes())
        with (
            explain_write_errors(folder / f"{BOARDS}.csv"),
            whole_file(folder / f"{BOARDS}.csv") as file,
        ):
            write_csv(table, file)
        write_atomically(folder / PAGE, self.to_html(page=True).encode())


def _mean_over_boards(boards: Sequence[tuple[str, float, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the mean of a decision over boards, each by its weight, as a row of plain values."""
    weighted_nodes = [(weight, node) for _, weight, node in boards if weight > 0]
    total = sum(weight for weight, _ in weighted_nodes) or float("nan")
    mean = dict(boards[0][2])
    for name in ("ev", "equity", "frequencies"):
        places = range(len(mean[name]))
        mean[name] = [
            float(sum(weight * node[name][index] for weight, node in weighted_nodes) / total)
            for index in places
        ]
    in_chips = mean.get("in_chips", True)
    mean["eqr"] = [
        ev / (equity * mean["pot"]) if equity > 0 and in_chips else None
        for ev, equity in zip(mean["ev"], mean["equity"], strict=True)
    ]
    return _decision_row(mean)


def _texture_order(value: Any) -> Any:
    """Return what a value of a texture is sorted by: high cards from the ace down, other words by themselves."""
    if value in RANKS:
        return -RANKS.index(value)
    return value


def _decision_row(node: Mapping[str, Any]) -> dict[str, Any]:
    pairs = {
        f"{name}_{player.lower()}": node[name][number]
        for name in ("ev", "equity", "eqr")
        for number, player in enumerate(PLAYERS)
    }
    frequencies = dict(zip(node["actions"], node["frequencies"], strict=True))
    return {
        "line": node["line"],
        "player": PLAYERS[node["player"]],
        "pot": node["pot"],
        **pairs,
        **frequencies,
    }


def read_frequencies(mean: Mapping[str, Any]) -> dict[str, float]:
    """Return the frequency of each action in a row of :meth:`BoardReport.means`, where they come last."""
    headings = list(mean)
    return {action: mean[action] for action in headings[headings.index("eqr_ip") + 1 :]}
