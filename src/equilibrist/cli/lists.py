"""Lists on a terminal: the games, the algorithms, the sampling schemes, and the sizes of a game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from .._util.text import count_text, escape_controls
from ..errors import GameError
from ..show.blocks import Facts
from ..show.columns import fit_table, tab_lines
from ..show.text import paint_text

if TYPE_CHECKING:
    from ..cfr.algorithms import Algorithm, Exponent
    from ..evaluation.merged import MergedHistories
    from ..form.compiled_game import CompiledGame
    from ..mccfr.sampling import Sampling


_SIZES = 6  # of infosets, of the smallest and of the largest


def game_rows(games: Mapping[str, type[Any]]) -> list[dict[str, Any]]:
    """Return name, parameters and first line of each game; of one that cannot be imported, why."""
    rows = []
    for name in games:
        try:
            parameters, about = _describe_game(games[name])
        except GameError as error:
            parameters = {}
            about = str(error)
        rows.append({"name": name, "parameters": parameters, "about": about})
    return rows


def _describe_game(cls: type[Any]) -> tuple[dict[str, Any], str]:
    """Return the parameters of a game with their defaults, and the first line of its docstring."""
    parameters = {
        label: None if parameter.default is parameter.empty else parameter.default
        for label, parameter in inspect.signature(cls).parameters.items()
    }
    return parameters, (inspect.getdoc(cls) or "").partition("\n")[0]


def game_list(games: Mapping[str, type[Any]], width: int | None) -> Iterator[RenderableType]:
    """Iterate over what is printed of the games: for a terminal so wide, or a line with tabs for each."""
    rows = game_rows(games)
    parameters = [
        ", ".join(f"{label}={value!r}" for label, value in row["parameters"].items())
        for row in rows
    ]
    names = [row["name"] for row in rows]
    descriptions = [row["about"] for row in rows]
    if width is None:
        yield tab_lines({"game": names, "parameters": parameters, "about": descriptions})
    else:
        second_lines = {
            "game": [""] * len(rows),
            "about, and parameters": [cell or "no parameters" for cell in parameters],
        }
        first_lines = {"game": names, "about, and parameters": descriptions}
        table_columns = {
            heading: [
                cell
                for pair in zip(first_lines[heading], second_lines[heading], strict=True)
                for cell in pair
            ]
            for heading in first_lines
        }
        yield fit_table("", table_columns, width, text=tuple(table_columns))
    yield (
        "Also: a spot file.toml, openspiel:NAME, a Gambit file.efg, file.gbt or file.nfg, and "
        "file.py:Class for your own game."
    )


def algorithm_rows(
    algorithms: Mapping[str, Algorithm], schemes: Mapping[str, type[Sampling]]
) -> dict[str, Any]:
    """Return the algorithms and the sampling schemes as plain data for JSON."""
    from ..cfr.algorithms import TITLES

    return {
        "algorithms": [
            {"title": TITLES[name]}
            | {key: _exponent_text(getattr(algorithm, key)) for key in algorithm.to_plain()}
            for name, algorithm in algorithms.items()
        ],
        "samplings": [scheme.summary() for scheme in schemes.values()],
    }


def algorithm_list(
    algorithms: Mapping[str, Algorithm], schemes: Mapping[str, type[Sampling]], width: int | None
) -> Iterator[RenderableType]:
    """Iterate over what is printed of the algorithms and the sampling schemes, as :func:`game_list` does."""
    from ..cfr.algorithms import TITLES
    from ..solving.plan import default_algorithms

    auto = default_algorithms()
    cells = [
        (
            rule.name,
            _discount_text(rule.alpha),
            "floor" if rule.floor else _discount_text(rule.beta),
            _averaging_text(rule),
            _prediction_text(rule),
            rule.source,
        )
        for rule in algorithms.values()
    ]
    yield from _list_table(("algorithm", "α", "β", "γ", "prediction", "source"), cells, width)
    yield (
        "α, β: on entering iteration t a positive regret sum is multiplied by (t−1)^α / ((t−1)^α "
        "+ 1), a negative one by the same with β; –: no discount; floor: negative sums become 0; "
        "N: the planned number of iterations."
    )
    yield f"Names: {'; '.join(f'{name} is {title}' for name, title in TITLES.items())}."
    yield "γ: iteration t has weight t^γ in the average strategy."
    yield "prediction: weight of the last regret in the next strategy."
    yield (
        f"--algorithm auto (the default) picks one: {auto['sequence']}, but {auto['cards']} for "
        "spots of hold'em "
        f"and other card games in the card form, and {auto['sampled']} where the game is sampled."
    )
    columns = ("name", "chance", "updating", "others", "average", "source")
    scheme_rows = [[scheme.summary()[column] for column in columns] for scheme in schemes.values()]
    yield from _list_table(
        ("sampling", "chance", "player", "others", "average", "source"), scheme_rows, width
    )
    yield (
        "The moves of chance, of the updating player and of the others that --sampling follows, "
        "and how the average strategy is updated."
    )


def _list_table(
    headings: Sequence[str], cells: Sequence[Sequence[str]], width: int | None
) -> Iterator[RenderableType]:
    """Yield a table of texts that fits a terminal; in a narrow one sources go over several lines, or are left out."""
    columns = dict(zip(headings, map(list, zip(*cells, strict=True)), strict=True))
    if width is None:
        yield tab_lines(columns)
    else:
        longest_word = max(
            cell_len(word) for source in columns["source"] for word in source.split()
        )
        width_of_others = sum(
            3 + max(map(cell_len, (heading, *columns[heading]))) for heading in headings[:-1]
        )
        last_columns = ("source",) if width_of_others + 3 + longest_word >= width else ()
        yield fit_table("", columns, width, text=headings, last=last_columns)


def _averaging_text(rule: Algorithm) -> str:
    """Return the exponent of the weights of the average, and where it restarts."""
    exponent = str(_exponent_text(rule.gamma))
    if rule.restart:
        return f"{exponent}, restarts ×{rule.restart:g}"
    return exponent


def _prediction_text(rule: Algorithm) -> str:
    """Return the weight of the regret that is predicted, or a dash where none is."""
    if not rule.predict:
        return "–"
    if rule.discount_predicted:
        return f"{rule.predict:.3g}, discounted"
    return f"{rule.predict:.3g}"


def _discount_text(exponent: Exponent | None) -> str:
    """Return the exponent of a discount, or a dash where nothing is discounted."""
    if exponent is None:
        return "–"
    return str(_exponent_text(exponent))


def _exponent_text(value: Any) -> Any:
    """Return an exponent as text where it is a schedule: 30-5t/N."""
    if hasattr(value, "slope"):
        return f"{value.start:g}{value.slope:+g}t/N"
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f"{value:g}"
    return value


def count_sizes(game: str, form: CompiledGame, merged: Sequence[MergedHistories]) -> dict[str, Any]:
    """Return the sizes of a game that is well formed, as plain data for JSON."""
    return {
        "game": game,
        "well_formed": True,
        "players": form.players,
        "zero_sum": form.zero_sum,
        "histories": form.histories,
        "infosets": form.num_infosets,
        "infosets_of_players": [
            int((form.infosets.owner == player).sum()) for player in range(form.players)
        ],
        "slots": form.slots,
        "depth": form.depth,
        "merged": [group._asdict() for group in merged],
    }


def size_list(
    game: str, form: CompiledGame, merged: Sequence[MergedHistories], width: int
) -> Iterator[RenderableType]:
    """Iterate over what is printed of these sizes, and of the histories that infosets merge."""
    from ..form.blocks import size_facts

    yield Text(f"{escape_controls(game)} is well formed.", "bold green")
    yield from paint_text([Facts(size_facts(form))], width)
    if not merged:
        return
    yield Text("\nWhat infosets merge, one of each size:")
    smallest = merged[:_SIZES]
    larger = merged[_SIZES:]
    largest = larger[-_SIZES:]
    for group in [*smallest, *largest]:
        yield Text(_merged_text(group))
    left_out = len(larger) - len(largest)
    if left_out > 0:
        yield Text(f"… and {count_text(left_out, 'size')} between; --json lists all.")


def _merged_text(group: MergedHistories) -> str:
    """Return the line of the infosets of a size."""
    others = group.size - len(group.histories)
    histories = list(group.histories)
    if others:
        histories.append(f"and {others:,} more")
    same = count_text(group.infosets, "infoset")
    size = "1 history" if group.size == 1 else f"{group.size:,} histories"
    place = f"player {group.player} at {group.infoset!r}"
    return escape_controls(f"  {same} of {size}, such as {place}: {', '.join(histories)}")
