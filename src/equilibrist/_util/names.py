"""Names that people type: the canonical name for it, and what to say where a name is unknown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..errors import EquilibristError, nearest
from .spec import parse_call


def canonical_name(
    kind: str,
    name: object,
    settings: Mapping[str, Any],
    names: Collection[str],
    aliases: Mapping[str, str],
    error: type[EquilibristError],
) -> tuple[str, dict[str, Any]]:
    """Return one of the names for whatever a user calls it, and its settings: those given before those implied.

    Capitals, and hyphens, underscores and spaces, make no difference. ``aliases`` are what else the
    ``names`` are called, as :func:`plain_name` writes it; a value of them may imply settings. Where
    nothing is called so, ``error`` is raised with the ``kind`` of thing.
    """
    compared_name = plain_name(name)
    match = {plain_name(candidate): candidate for candidate in names}.get(
        compared_name
    ) or aliases.get(compared_name)
    if match is None:
        meant = nearest(str(name), names)
        if "mean" not in meant:
            meant_alias = nearest(str(name), [alias.replace("-", "_") for alias in aliases])
            meant = meant_alias if "mean" in meant_alias else meant
        raise error(f"There is no {kind} {name!r}.{meant}", wrong_use=True)
    canonical, implied = parse_call(match)
    return canonical, {**implied, **settings}


def plain_name(name: object) -> str:
    """Return a name as names are compared: cfr-plus and CFR Plus are cfr+, chance_sampling is chance."""
    text = "-".join(
        str(name).casefold().replace("_", " ").replace("-", " ").replace("'", "").split()
    )
    return text.removesuffix("-sampling").replace("-plus", "+").replace("plus", "+")
