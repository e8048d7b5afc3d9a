"""Run-outs of a solved spot: who earns what and what is played on each card that may come, and by texture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from ..._util.callbacks import AnyCallbacks, find_listeners
from ..._util.display import Display
from ...batches.result import rows_to_columns
from ...errors import GameError
from ...evaluation.units import CHIPS, Unit
from ...strategy.tables import Tabular, write_csv
from ..cards.cards import cards_text, parse_cards
from ..cards.flops import texture
from ..cards.hand_ranks import Deck
from ..cards.next_card import next_card
from ..spot.betting_tree import PLAYERS
from .spots import SolvedSpot, has_three_ranges

if TYPE_CHECKING:
    import pyarrow

    from .spot_node import SpotNode

TEXTURES = ("rank", "flush", "straight", "suits", "pairing", "connected", "high")
"""What tells run-outs apart: what the last card does to the board, and what the board then looks like."""
_EARNINGS = ("ev", "equity")


@dataclass(frozen=True, repr=False, kw_only=True)
class RunOutReport(Tabular, Display):
    """What is played and earned after a line on each board that may come, in a strategy as it is: nothing is solved.

    Attributes
    ----------
    spot : str
        The spot, as :func:`equilibrist.load` takes it.
    line, board : str
        The decision, and the public cards that are given.
    player : int
        Who decides there.
    actions : tuple of str
        The actions there.
    only : str
        The filter of the hands that are counted; empty where all are.
    of : int or None
        Whose hands these are; None where all hands of both count.
    rows : tuple of mapping
        One for each board, those that are alike by suits together: ``card``, the last card; ``alike``,
        how many boards it stands for; ``board``; ``deals``, the weight of the deals that come there by
        the players' own play, all boards together 1; the textures of :data:`TEXTURES`; ``pot``, chips;
        ``ev_oop``, ``ev_ip``, chips; ``equity_oop``, ``equity_ip``; ``eqr_oop``, ``eqr_ip``; and how often
        each action is played.
    """

    spot: str
    line: str
    board: str
    player: int
    actions: tuple[str, ...]
    only: str = ""
    of: int | None = None
    rows: tuple[Mapping[str, Any], ...]

    def __repr__(self) -> str:
        mean = self.mean()
        mix = ", ".join(f"{action} {mean[action]:.1%}" for action in self.actions if action in mean)
        return f"<RunOutReport: {len(self.rows)} run-outs of {self.board} {self.line}; {mix}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of EV, equity and EQR that rows have, and of actions."""
        seats = [seat.lower() for player, seat in enumerate(PLAYERS) if self.of in (None, player)]
        numbers = [f"{name}_{seat}" for name in (*_EARNINGS, "eqr") for seat in seats]
        return (*numbers, *(self.actions if self.of in (None, self.player) else ()))

    def mean(self) -> dict[str, Any]:
        """Return the mean over all boards, each by its deals; EQR is that of the means, EV / (equity × pot)."""
        return self._mean_of(self.rows)

    def by_texture(self, by: Sequence[str] = ("flush",)) -> list[dict[str, Any]]:
        """Return the means over the boards of each texture, the most frequent first.

        Parameters
        ----------
        by : sequence of {"rank", "flush", "straight", "suits", "pairing", "connected", "high"}
            What is told apart: what the last card does to the board (rank, flush, straight), and what the
            board then looks like.

        Returns
        -------
        list of dict
            What is told apart, ``boards``, the ``deals`` that come to them, and the columns of :meth:`mean`.

        Raises
        ------
        GameError
            ``by`` names something else.
        """
        if isinstance(by, str):
            by = (by,)
        unknown = [name for name in by if name not in TEXTURES]
        if unknown or not by:
            raise GameError(
                f"by must name some of {', '.join(TEXTURES)}; got {', '.join(by) or 'nothing'}.",
                wrong_use=True,
            )
        groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for row in self.rows:
            groups.setdefault(tuple(row[name] for name in by), []).append(row)
        means = [
            {**dict(zip(by, key, strict=True)), **self._mean_of(rows)}
            for key, rows in groups.items()
        ]
        return sorted(means, key=lambda mean: -mean["deals"])

    def _mean_of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        deals = sum(row["deals"] for row in rows)
        mean: dict[str, Any] = {"boards": sum(row["alike"] for row in rows), "deals": deals}
        mean["pot"] = rows[0]["pot"]
        for name in self.columns:
            numbered = [row for row in rows if row["deals"] > 0 and row[name] is not None]
            total = sum(row["deals"] for row in numbered)
            weighted = sum(row["deals"] * row[name] for row in numbered)
            mean[name] = weighted / total if total > 0 else None
        for player in range(2) if self.of is None else (self.of,):
            seat = PLAYERS[player].lower()
            if any(row[f"eqr_{seat}"] is not None for row in rows):  # not of EVs that are prizes
                pot_share = mean[f"equity_{seat}"] * mean["pot"]
                mean[f"eqr_{seat}"] = mean[f"ev_{seat}"] / pot_share if pot_share > 0 else None
        return mean

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table with a row for each board, in the columns of :attr:`rows`."""
        import pyarrow as pa

        return pa.table(rows_to_columns([dict(row) for row in self.rows]))

    def write_csv(self, path: str | Path) -> None:
        """Write the rows as CSV; numbers are written with all digits.

        Raises
        ------
        SolutionError
            The file cannot be written.
        """
        columns = list(self.rows[0])
        write_csv(path, columns, ([row[name] for name in columns] for row in self.rows))

    def summary(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return {
            "spot": self.spot,
            "line": self.line,
            "board": self.board,
            "player": PLAYERS[self.player],
            "only": self.only,
            "mean": self.mean(),
            "rows": [dict(row) for row in self.rows],
        }


def run_out_report(
    solution: Any,
    line: str,
    board: str | None = None,
    *,
    only: str | None = None,
    player: int | str | None = None,
    unit: Unit = CHIPS,
    callbacks: AnyCallbacks = None,
) -> RunOutReport:
    """Return what is played and earned at a decision on each board that may come, with the strategy as it is.

    Parameters
    ----------
    solution : Solution, Strategy or SolvedSpot
        A solved spot of hold'em or Omaha with two ranges.
    line : str
        The actions before the decision, over at least one card that is not given: ``"X-B120-C"`` is the
        first decision of the next street, ``"X-X | B50"`` one after a bet on it, ``"X-X | X-X"`` the first
        one two streets on.
    board : str, optional
        The public cards that are given, as for :meth:`SolvedSpot.node`: those of the start by default. The
        other cards of the line are all that may come.
    only : str, optional
        A filter: only hands of ``player`` that pass are counted, and only their numbers are told.
    player : {"oop", "ip"} or int, optional
        Whose hands the filter is of; by default of who decides.
    unit : Unit
        The unit in which the filter writes EVs.
    callbacks : optional
        Listeners with ``on_stage``, which is told how far it is.

    Raises
    ------
    GameError
        The line leads over no card that is not given, or there is no such line, board or filter; or no
        hand passes on any board.

    Notes
    -----
    Each board is weighed by the deals that come to the decision: the weights of both ranges × the players'
    own play on the way, over all pairs of hands that go together. With a filter it is weighed by those
    deals in which the hand passes.

    Examples
    --------
    >>> import equilibrist as eq
    >>> turn = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='a')"
    >>> report = eq.poker.run_out_report(eq.solve(turn, iterations=50), "X-X")
    >>> sum(row["alike"] for row in report.rows), len(report.by_texture(["rank"]))
    (48, 4)
    """
    on_stage = find_listeners(callbacks, "run_out_report", ("on_stage",))["on_stage"]
    if has_three_ranges(solution):
        raise GameError(
            "Reports over run-outs are of two ranges; those of three ranges are on the page of "
            "'equilibrist serve', where a card is dealt.",
            wrong_use=True,
        )
    spot = solution if isinstance(solution, SolvedSpot) else SolvedSpot(solution)
    spot.reaching(line)  # refuses lines after which nobody decides
    at = spot.game.tree.nodes[spot.game.tree.find(line)]
    start = cards_text(spot.game.board, spot.game.cards)
    first_cards = start if board is None else _whole_board(spot, board)
    streets = [part.strip() for part in at.line.split("|")]
    num_given = (len(first_cards) - len(start)) // 2
    if num_given >= len(streets) - 1:
        raise GameError(
            f"line: no card that is not given is dealt before the decision {line!r} on {first_cards}; "
            "give a line that goes on to a later street, such as X-X, or fewer cards.",
            wrong_use=True,
        )
    holder = None
    rows = []
    boards = _list_boards(spot, streets, first_cards, num_given, apart=only is not None)
    for before, card, alike in boards:
        if on_stage is not None:
            on_stage(f"Walking the run-out {before}{card}")
        try:
            node = spot.node(at.line, before + card, keep=False)
        except GameError:  # no two hands are left
            continue
        if only is not None:
            holder = node.find_player(player)
        row = describe_run_out(spot, node, before, card, alike, only=only, holder=holder, unit=unit)
        if row is not None:
            rows.append(row)
    return gather_run_outs(spot, line, first_cards, rows, only=only, of=holder)


def gather_run_outs(
    spot: SolvedSpot,
    line: str,
    board: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    only: str | None,
    of: int | None,
) -> RunOutReport:
    """Return the report of the rows of :func:`describe_run_out`, whose deals become shares.

    Raises
    ------
    GameError
        No deals come to any of the boards.
    """
    total = sum(row["deals"] for row in rows)
    if not total > 0:
        asked = "no hands are left" if only is None else f"no hand passes {only!r}"
        raise GameError(f"{asked} on any board after {line!r}; ask for others.", wrong_use=True)
    at = spot.game.tree.nodes[spot.game.tree.find(line)]
    return RunOutReport(
        spot=str(spot.game),
        line=at.line.strip(" |"),
        board=board,
        player=at.player,
        actions=at.actions,
        only=only or "",
        of=of,
        rows=tuple({**row, "deals": row["deals"] / total} for row in rows),
    )


def _whole_board(spot: SolvedSpot, board: str) -> str:
    """Return all public cards that a board gives: those of the start may be left out."""
    start = spot.game.board
    cards = parse_cards(board, "board", names=spot.game.cards)
    if set(cards[: len(start)]) == set(start):
        cards = cards[len(start) :]
    return cards_text((*start, *cards), spot.game.cards)


def _list_boards(
    spot: SolvedSpot, streets: Sequence[str], board: str, num_given: int, *, apart: bool
) -> Iterator[tuple[str, str, int]]:
    """Yield the board before the last card, that card, and how many boards it stands for; each alone if ``apart``."""
    before = " | ".join(streets[: num_given + 1])
    cards = [
        (name, 1 if apart else len(alike))
        for alike in spot.run_outs(before, board)
        for name in (alike if apart else alike[:1])
    ]
    for card, count in cards:
        if num_given + 2 == len(streets):
            yield board, card, count
            continue
        later_boards = _list_boards(spot, streets, board + card, num_given + 1, apart=apart)
        for later, last, later_count in later_boards:
            yield later, last, count * later_count


class TextureOfRunOut(TypedDict):
    """What a card does to a board, and what the board looks like with it."""

    rank: str
    flush: str
    straight: bool
    suits: str
    pairing: str
    connected: bool
    high: str


def describe_texture(before: str, card: str, deck: Deck) -> TextureOfRunOut:
    """Return what a card does to the board before it, and what the board then looks like, as plain values."""
    (last_card,) = parse_cards(card)
    effect = next_card(parse_cards(before), last_card, deck)
    board_texture = texture(parse_cards(before + card), deck)
    return {
        "rank": effect.rank,
        "flush": effect.flush,
        "straight": effect.straight,
        "suits": board_texture.suits,
        "pairing": board_texture.pairing,
        "connected": board_texture.connected,
        "high": board_texture.high,
    }


def describe_run_out(
    spot: SolvedSpot,
    node: SpotNode,
    before: str,
    card: str,
    alike: int,
    *,
    only: str | None,
    holder: int | None,
    unit: Unit,
) -> dict[str, Any] | None:
    """Return the row of a board, its deals not yet a share; None where no hand passes the filter.

    Parameters
    ----------
    spot, node
        The spot, and its decision after the card.
    before, card : str
        The public cards before the last one, and that one.
    alike : int
        How many boards the row stands for.
    only, holder, unit
        The filter, whose hands it is of, and the unit in which it writes EVs; None without a filter.

    Raises
    ------
    GameError
        The filter cannot be read.
    """
    deals = alike * spot.deal_weight(node)
    if only is not None:
        passes = node.passes(only, holder, unit=unit)
        share = float(node.probabilities[node.player if holder is None else holder][passes].sum())
        if not share > 0:
            return None
        deals *= share
        node = node.only_hands(only, holder, unit=unit)
    row: dict[str, Any] = {
        "card": card,
        "alike": alike,
        "board": node.board,
        "deals": deals,
        **describe_texture(before, card, node.deck),
        "pot": node.pot,
    }
    for name, values in (("ev", node.evs), ("equity", node.equities), ("eqr", node.eqrs)):
        for player, seat in enumerate(node.names):
            if holder in (None, player):
                value = values[player]
                row[f"{name}_{seat.lower()}"] = None if isnan(value) else value
    if holder in (None, node.player):
        row |= dict(zip(node.actions, node.frequencies.tolist(), strict=True))
    return row
