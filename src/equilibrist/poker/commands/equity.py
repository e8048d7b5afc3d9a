"""``equity``: range against range on a board, without anything solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ...cli import options
from ...cli.arguments import CSV
from ...cli.output import Output
from ...show.text import paint_result


def equity(
    board: Annotated[
        str, Argument(help="Three, four or five public cards: QsJh2h.", show_default=False)
    ],
    oop: Annotated[
        str, Argument(help="The range of one player: '66+,A8s+,KQo:0.5'.", show_default=False)
    ],
    ip: Annotated[str, Argument(help="The range of the other.", show_default=False)],
    deck: Annotated[
        str, Option(metavar="DECK", help="full, short, or 'short, trips beat straights'.")
    ] = "full",
    csv: Annotated[
        Path | None,
        Option("--csv", **CSV, help="Write all hands as CSV: made hand, draws, equity."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show what share of the pot two ranges have on BOARD if nobody bets, over all cards to come: in all, by equity
    and by made hand.
    """
    output = Output(as_json)
    from ..._util.files import check_writable
    from ..spot.equity import equity as equity_of

    check_writable(csv)
    result = equity_of(board, oop, ip, deck=deck)
    if csv is not None:
        result.write_csv(csv)
    output.emit(result.summary, paint_result(result, output.console.width))
    if csv is not None and not as_json:
        output.list_files([csv], {})
