"""Names that people type: other names of games, algorithms and samplings, and what to say where a name is unknown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..errors import EquilibristError, nearest
from .spec import parse_call

ALIASES: dict[str, dict[str, str]] = {
    "game": {
        "bluff": "liars_dice(order='face', wild_biddable=False)",
        "colonel-blotto": "blotto",
        "euchre": "mini_euchre",
        "gops": "goofspiel",
        "kuhn-poker": "kuhn",
        "leduc-holdem": "leduc",
        "leduc-poker": "leduc",
        "nl-leduc": "no_limit_leduc",
        "no-limit-holdem": "holdem",
        "pennies": "matching_pennies",
        "rock-paper-scissors": "rps",
        "roshambo": "rps",
        "texas": "holdem",
        "texas-holdem": "holdem",
    },
    "algorithm": {
        "discounted": "dcfr",
        "discounted-cfr": "dcfr",
        "linear": "lcfr",
        "linear-cfr": "lcfr",
        "predictive": "pcfr+",
        "predictive-cfr+": "pcfr+",
        "vanilla": "cfr",
        "vanilla-cfr": "cfr",
    },
    "sampling": {
        "as": "average-strategy",
        "cfrcs": "chance",
        "cs": "chance",
        "es": "external",
        "es-mccfr": "external",
        "full-width": "full",
        "mccfr": "external",
        "os": "outcome",
        "os-mccfr": "outcome",
        "pcs": "public-chance",
        "vanilla": "full",
    },
}
"""For each kind of thing, what else it is called; a value may have settings. Names are compared by :func:`_plain`."""


def resolve(
    kind: str, name: object, settings: Mapping[str, Any], known: Collection[str], error: type[EquilibristError]
) -> tuple[str, dict[str, Any]]:
    """Return one of the known names for whatever a user calls it, and its settings: those given before those implied.

    Parameters
    ----------
    kind : {"game", "algorithm", "sampling"}
        What is named; for the message too.
    name : object
        As it was typed, text; capitals, and hyphens, underscores and spaces, make no difference.
    settings : mapping
        The settings that were given.
    known : collection of str
        The names that there are.
    error : type
        What is raised where nothing is called so.
    """
    plain = _plain(str(name))
    found = {_plain(one): one for one in known}.get(plain) or ALIASES[kind].get(plain)
    if found is None:
        raise error(f"There is no {kind} {name!r}.{_hint(kind, str(name), known)}", wrong_use=True)
    canonical, implied = parse_call(found)
    return canonical, {**implied, **settings}


def _hint(kind: str, name: str, known: Collection[str]) -> str:
    """Return what the user may have meant."""
    sampling = ALIASES["sampling"].get(_plain(name))
    if kind == "algorithm" and sampling is not None:
        return f" It is a sampling: use the algorithm 'cfr' with sampling={sampling!r} (--sampling {sampling})."
    meant = nearest(name, known)
    if "mean" in meant or kind != "game":
        return meant
    other = nearest(name, [alias.replace("-", "_") for alias in ALIASES[kind]])
    return other if "mean" in other else meant


def _plain(name: str) -> str:
    """Return a name as names are compared: cfr-plus and CFR Plus are cfr+, chance_sampling is chance."""
    text = "-".join(name.casefold().replace("_", " ").replace("-", " ").replace("'", "").split())
    return text.removesuffix("-sampling").replace("-plus", "+").replace("plus", "+")
