"""Lists on a terminal: the built-in games, the algorithms, the sampling schemes, and the sizes of a game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from .._util.text import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..cfr.algorithms import Algorithm, Exponent
    from ..form.compiled_game import CompiledGame
    from ..mccfr.sampling import Scheme

_NO_DISCOUNT = "–"


def game_rows(games: Mapping[str, type[Any]]) -> list[dict[str, Any]]:
    """Return name, parameters and first line of each built-in game."""
    return [
        {
            "name": name,
            "parameters": {
                label: None if parameter.default is parameter.empty else parameter.default
                for label, parameter in inspect.signature(cls).parameters.items()
            },
            "about": (inspect.getdoc(cls) or "").partition("\n")[0],
        }
        for name, cls in games.items()
    ]


def game_list(games: Mapping[str, type[Any]]) -> Iterator[RenderableType]:
    """Iterate over what is printed of the built-in games."""
    table = Table("game", "parameters", "about")
    for row in game_rows(games):
        parameters = ", ".join(f"{label}={value!r}" for label, value in row["parameters"].items())
        table.add_row(Text(row["name"], "bold"), parameters, row["about"])
    yield table
    yield "Also: a spot file.toml, openspiel:NAME, a Gambit file.efg, and file.py:Class for a game of your own."


def algorithm_rows(rows: Mapping[str, Algorithm], schemes: Mapping[str, Scheme]) -> dict[str, Any]:
    """Return the algorithms and the sampling schemes as plain data for JSON."""
    return {
        "algorithms": [
            {field.name: _exponent(getattr(row, field.name)) for field in fields(row)} for row in rows.values()
        ],
        "samplings": [{"name": name, **asdict(scheme)} for name, scheme in schemes.items()],
    }


def algorithm_list(rows: Mapping[str, Algorithm], schemes: Mapping[str, Scheme]) -> Iterator[RenderableType]:
    """Iterate over what is printed of the algorithms and the sampling schemes."""
    table = Table()
    for heading in ("algorithm", "α", "β", "γ", "prediction", "source"):
        table.add_column(heading, overflow="fold")
    for row in rows.values():
        prediction = f"{row.predict:.3g}" + (", discounted" if row.discount_predicted else "") if row.predict else "–"
        table.add_row(
            Text(row.name, "bold"),
            _discount(row.alpha),
            "floor" if row.floor else _discount(row.beta),
            f"{_exponent(row.gamma)}" + (f", restarts ×{row.restart:g}" if row.restart else ""),
            prediction,
            row.source,
        )
    yield table
    yield (
        "α, β: on entering iteration t a positive regret sum is multiplied by (t−1)^α / ((t−1)^α + 1), a negative one "
        "by the same with β; –: no discount; floor: negative sums become 0; N: the planned number of iterations."
    )
    yield "γ: iteration t has weight t^γ in the average strategy."
    yield "prediction: weight of the last regret in the next strategy."
    yield "--algorithm auto (the default) picks one; see docs/algorithms.md."
    schemes_table = Table("sampling", "chance", "own", "others", "average", "source")
    for name, scheme in schemes.items():
        own = (scheme.chance, scheme.own, scheme.others, scheme.average, scheme.source)
        schemes_table.add_row(Text(name, "bold", no_wrap=True), *own)
    yield schemes_table
    yield (
        "The moves of chance, of the updating player and of the others that --sampling follows, and how the average "
        "strategy is updated; see docs/sampling.md."
    )


def _discount(exponent: Exponent | None) -> str:
    return _NO_DISCOUNT if exponent is None else str(_exponent(exponent))


def _exponent(value: Any) -> Any:
    """Return an exponent as text where it is a schedule: 30-5t/N."""
    if hasattr(value, "slope"):
        return f"{value.start:g}{value.slope:+g}t/N"
    return f"{value:g}" if isinstance(value, float | int) and not isinstance(value, bool) else value


def sizes(game: str, form: CompiledGame) -> dict[str, Any]:
    """Return the sizes of a game that is well formed, as plain data for JSON."""
    return {
        "game": game,
        "well_formed": True,
        "players": form.players,
        "zero_sum": form.zero_sum,
        "histories": form.histories,
        "infosets": form.num_infosets,
        "infosets_of_players": [int((form.infosets.owner == player).sum()) for player in range(form.players)],
        "slots": form.slots,
        "depth": form.depth,
    }


def size_list(facts: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Iterate over what is printed of these sizes."""
    yield Text(f"{visible(facts['game'])} is well formed.", "bold green")
    table = Table.grid(padding=(0, 2))
    for name, number in facts.items():
        if name not in ("game", "well_formed"):
            table.add_row(name.replace("_", " "), _plain(number))
    yield table


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(f"{number:,}" for number in value) if isinstance(value, list) else f"{value:,}"
