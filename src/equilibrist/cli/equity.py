"""``equity``: range against range on a board, without anything solved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from ..show.columns import bar, fit_table
from . import options
from .arguments import CSV, app
from .output import Output

if TYPE_CHECKING:
    from ..evaluation.equity import Equity

_BINS = 10


@app.command(short_help="Show the equity of two ranges on a board.")
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
    from .._util.files import check_writable
    from ..evaluation.equity import equity as equity_of

    check_writable(csv)
    result = equity_of(board, oop, ip, deck=deck)
    if csv is not None:
        result.write_csv(csv)
    output.emit(result.summary, _equity_report(result, output.console.width))
    if csv is not None and not as_json:
        output.list_files([csv], {})


def _equity_report(result: Equity, width: int) -> Iterator[RenderableType]:
    from ..games.holdem.betting_tree import PLAYERS

    combos = [weights.sum() for weights in result.ranges]
    yield fit_table(
        f"Equity on {result.board}",
        {
            "": PLAYERS,
            "hands": [str(len(names)) for names in result.hands],
            "combos": [f"{count:.6g}" for count in combos],
            "equity": [f"{share:.2%}" for share in result.equities],
        },
        width,
        text=("",),
    )
    spread = [result.distribution(player, _BINS) for player in range(2)]
    yield Text("\nHow much of each range, OOP and IP, has which equity", "bold")
    for number in range(_BINS):
        bin_start = 100 * number // _BINS
        bin_end = 100 * (number + 1) // _BINS
        shares = "   ".join(
            f"{share[number]:>7.2%} {bar(float(share[number] / share.max()), 16)}"
            for share in spread
        )
        yield f"{f'{bin_start} to {bin_end} %':>12}  {shares}".rstrip()
    for player, seat in enumerate(PLAYERS):
        made_hands = result.made(player)
        yield ""
        yield fit_table(
            f"Made hands of {seat}",
            {
                "": list(made_hands),
                "range": [f"{share:.2%}" for share, _ in made_hands.values()],
                "equity": [f"{values[0]:.2%}" for _, values in made_hands.values()],
            },
            width,
            text=("",),
        )
