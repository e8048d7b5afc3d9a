"""Names that people type: the canonical name for it, and what to say where a name is unknown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Any

from ..errors import EquilibristError, nearest
from .spec import parse_call

_NAMED = 20  # how many names an error lists
_COMPARED = 50_000  # among how many names the nearest is looked for


class UnknownNameError(KeyError):
    """The error of a mapping that does not know what a name stands for; its sentence is made when it is read.

    Whoever asks whether a name is there, as ``in`` and ``get`` do, does not wait for it.
    """

    def __init__(self, name: object, make_sentence: Callable[[], str]) -> None:
        super().__init__(name)
        self._make_sentence = make_sentence

    def __str__(self) -> str:
        return self._make_sentence()

    def __reduce__(self) -> tuple[type[KeyError], tuple[str]]:
        return KeyError, (str(self),)


def suggest_names(name: str, candidates: Iterable[str]) -> str:
    """Return what a misspelt name, such as that of an infoset, may have meant, or some of those that there are."""
    names = sorted(set(islice(candidates, _COMPARED)))
    if not names:
        return ""
    suggestion = nearest(name, names)
    if suggestion.startswith(" Did you mean") or len(names) <= _NAMED:
        return suggestion
    return f" Known: {', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more."


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
