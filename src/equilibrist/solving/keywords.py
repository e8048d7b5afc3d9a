"""Plain keywords, as the command, study files and requests have them, as those of :func:`equilibrist.solve`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..cfr.algorithms import find_algorithm
from ..cluster.backend import Cluster
from ..errors import AlgorithmError
from ..form.limits import Limits
from .recorder import Record
from .save import Save
from .settings import SETTINGS

_LIMITS = {
    setting.name: setting.argument.removeprefix("limits.")
    for setting in SETTINGS
    if setting.argument.startswith("limits.")
}
"""The fields of :class:`Limits` by the names of settings."""


def plain_limits(limits: Limits) -> dict[str, Any]:
    """Return the plain keywords for limits."""
    return {
        name: value
        for name, limit in _LIMITS.items()
        if (value := getattr(limits, limit)) is not None
    }


def solve_keywords(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of :func:`equilibrist.solve` for plain ones, of which those that are None count for nothing.

    Plain are those that are texts, numbers or lists of them: ``max_memory_gb``, ``nodes``,
    ``max_histories`` and ``max_depth`` become ``limits``; ``save_streets`` a part of ``save``;
    ``record_every`` of ``record``; ``actors`` and ``ray`` the ``backend``; ``alternating`` a part
    of ``algorithm``. All others stay as they are.
    """
    keywords = {name: value for name, value in plain.items() if value is not None}
    limits = {
        name: keywords.pop(plain_name)
        for plain_name, name in _LIMITS.items()
        if plain_name in keywords
    }
    if limits:
        keywords["limits"] = Limits(**limits)
    if keywords.pop("alternating", True) is False:
        keywords["algorithm"] = replace(
            find_algorithm(keywords.get("algorithm", "auto")), alternating=False
        )
    for part, full_name, sentence in (
        ("save_streets", "save", "says what to save, not where: give save=, a folder"),
        (
            "record_every",
            "record",
            "says when to record, not what: give record=, a list of infosets or 'all'",
        ),
        ("ray", "actors", "says where actors are, not how many: give actors= (--actors)"),
    ):
        if part in keywords and full_name not in keywords:
            raise AlgorithmError(f"{part}={keywords[part]!r} {sentence}.", field=part)
    if "save_streets" in keywords:
        keywords["save"] = Save(keywords["save"], keywords.pop("save_streets"))
    if "record_every" in keywords:
        keywords["record"] = Record(keywords["record"], keywords.pop("record_every"))
    if "actors" in keywords:
        keywords["backend"] = Cluster(keywords.pop("actors"), keywords.pop("ray", None))
    return keywords
