"""``equity``: range against range on a board or before the flop, without anything solved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ...cli import options
from ...cli.arguments import CSV
from ...cli.output import Output
from ...errors import GameError
from ...show.text import paint_result

if TYPE_CHECKING:
    from ..preflop.equity import PreflopEquity
    from ..spot.equity import Equity

_FULL = "full"


def equity(
    board: Annotated[
        str,
        Argument(
            help="Three, four or five public cards: QsJh2h. Left out: before the flop.",
            show_default=False,
        ),
    ],
    oop: Annotated[
        str, Argument(help="The range of one player: '66+,A8s+,KQo:0.5'.", show_default=False)
    ],
    ip: Annotated[str | None, Argument(help="The range of the other.", show_default=False)] = None,
    folded: Annotated[
        list[str] | None,
        Option(
            "--folded",
            metavar="RANGE",
            help="The range of a player who folded before the board; once for each.",
        ),
    ] = None,
    deck: Annotated[
        str, Option(metavar="DECK", help="full, short, or 'short, trips beat straights'.")
    ] = _FULL,
    csv: Annotated[
        Path | None,
        Option("--csv", **CSV, help="Write all hands as CSV: made hand, draws, equity."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show what share of the pot two ranges have on BOARD if nobody bets, over all cards to come: in all, by equity
    and by made hand. With two ranges and no BOARD, before the flop: "AKs" "QQ+".
    """
    output = Output(as_json)
    from ..._util.files import check_writable

    check_writable(csv)
    result: Equity | PreflopEquity
    if ip is None:
        result = _find_preflop_equity(board, oop, deck, folded or [])
    else:
        from ..spot.equity import equity as equity_of

        result = equity_of(board, oop, ip, folded=folded or (), deck=deck)
    if csv is not None:
        result.write_csv(csv)
    output.emit(result.summary, paint_result(result, output.console.width))
    if csv is not None and not as_json:
        output.list_files([csv], {})


def _find_preflop_equity(first: str, second: str, deck: str, folded: list[str]) -> PreflopEquity:
    from ..preflop.equity import preflop_equity

    if folded:
        raise GameError(
            "Before the flop equities know of no folded hands; leave --folded out, or give a board.",
            wrong_use=True,
        )
    if deck != _FULL:
        raise GameError(
            f"Before the flop equities are those of all 52 cards; got the deck {deck!r}. Leave it "
            "out, or give a board.",
            wrong_use=True,
        )
    if _is_board(first):
        raise GameError(
            f"On the board {first} two ranges are needed: give that of the other player as well; "
            f"got {second!r} alone.",
            wrong_use=True,
        )
    return preflop_equity(first, second)


def _is_board(text: str) -> bool:
    from ..cards.cards import parse_cards

    try:
        parse_cards(text, count=(3, 4, 5))
    except GameError:
        return False
    return True
