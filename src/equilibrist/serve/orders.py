"""Orders: what a request, or the file of a job, says is to be solved, checked before any process is started for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import in_field
from .job import LIMITS
from .respond import Fields, RequestError
from .workspace import NEEDS_TRUST

if TYPE_CHECKING:
    from .workspace import Workspace

SETTINGS = ("algorithm", "sampling", "form", "precision", "threads", "seed", "alternating", "max_memory_gb", *LIMITS)
"""Keywords of :func:`equilibrist.solve` that a request may give and that are checked together."""

_LESS_USED = ("save_streets", "max_histories", "record", "record_every")
_MOST_RECORDED = 10_000  # infosets that are named one by one
_FILES = (".efg", ".toml", ".json", ".txt")


def read_keywords(fields: Fields) -> dict[str, Any]:
    """Return the keywords of :func:`equilibrist.solve` that fields give, those that are None left out.

    Raises
    ------
    EquilibristError
        One makes no sense.
    """
    until, threads = fields.any("until", None), fields.any("threads", None)
    given = {
        "algorithm": fields.text("algorithm", None),
        "sampling": fields.text("sampling", None),
        "form": fields.text("form", None),
        "precision": fields.text("precision", None),
        "threads": "auto" if threads == "auto" else fields.whole("threads", None, low=1, high=1024),
        "seed": fields.whole("seed", None),
        "alternating": None if "alternating" not in fields else fields.flag("alternating"),
        "max_memory_gb": fields.number("max_memory_gb", None),
        "iterations": fields.whole("iterations", None, low=1),
        "until": until if isinstance(until, str) and until.strip().endswith("%") else fields.number("until", None),
        "until_cce": fields.number("until_cce", None),
        "seconds": fields.number("seconds", None),
        "nodes": fields.whole("nodes", None, low=1),
        "save_streets": fields.whole("save_streets", None, low=1, high=3),
        "max_histories": fields.whole("max_histories", None, low=1),
        "record": _recorded(fields),
        "record_every": fields.whole("record_every", None, low=1),
    }
    keywords = {name: value for name, value in given.items() if value is not None}
    check_keywords(keywords)
    return keywords


def _recorded(fields: Fields) -> str | list[str] | None:
    """Return which infosets are recorded: a text, as ``--record`` takes it, or a list of names."""
    if not isinstance(fields.any("record", None), list):
        return fields.text("record", None)  # type: ignore[no-any-return]
    names: list[Any] = fields.list("record", most=_MOST_RECORDED)
    if not names or not all(isinstance(name, str) for name in names):
        raise RequestError("record must be a text, or a list of names of infosets.", field="record")
    return names


def check_keywords(keywords: dict[str, Any]) -> None:
    """Refuse settings that make no sense together, as :func:`equilibrist.solve` does.

    Raises
    ------
    AlgorithmError
        They do not.
    """
    from ..mccfr.sampling import find_sampling
    from ..solving.config import StopRule, new_config

    limits = {name: keywords[name] for name in LIMITS if name in keywords}
    settings: dict[str, Any] = {name: keywords.get(name) for name in SETTINGS if name not in LIMITS}
    settings |= {"threads": keywords.get("threads", 1), "algorithm": keywords.get("algorithm", "auto")}
    with in_field("sampling"):
        find_sampling(keywords.get("sampling", "full"))
    new_config(**settings, stop=StopRule(**limits))
    if keywords.get("record_every") is not None and keywords.get("record") is None:
        raise RequestError("record_every says when to record, not what: give record as well.", field="record_every")


def read_spot_keywords(fields: Fields) -> dict[str, Any]:
    """Return the keywords of a run on a spot of hold'em, which all cores work on where nothing else is said."""
    return {"threads": "auto", **read_keywords(fields)}


def read_game(workspace: Workspace, fields: Fields) -> str:
    """Return the game of a request as :func:`equilibrist.load` takes it.

    ``game`` is a text, or a table with ``name`` and ``parameters`` of a built-in game; ``upload`` is the name of a file
    that was uploaded, with ``class`` where it is one of Python.

    Raises
    ------
    EquilibristError
        There is no such game, or it is not to be loaded.
    """
    if "upload" in fields:
        spec = str(upload_path(workspace, fields.text("upload")))
        if spec.endswith(".py"):
            spec = f"{spec}:{fields.text('class', '')}"
        return _asked_for(workspace, spec)
    game = fields.any("game")
    if isinstance(game, dict):
        from ..games.registry import make

        parts = Fields(game)
        return str(make(parts.text("name"), **parts.table("parameters", {})))
    return _asked_for(workspace, fields.text("game"))


def _asked_for(workspace: Workspace, spec: str) -> str:
    """Return the text of a game that a request names, which is consent to run its file where it is one of Python."""
    from ..games.load import python_file

    spec = checked_game(workspace, spec)
    file = python_file(spec)
    if file is not None:
        workspace.trust_file(file)
    return spec


def checked_game(workspace: Workspace, spec: str) -> str:
    """Return the text of a game, unless it leads to a file outside the folder, or to code that is not trusted.

    Raises
    ------
    RequestError
        It does.
    """
    spec = spec.strip()
    if ".py:" in spec or spec.endswith(".py"):
        if not workspace.trust_files:
            raise RequestError(NEEDS_TRUST, field="game")
        _check_inside(workspace, spec.partition(".py")[0] + ".py")
    elif spec.startswith("openspiel:"):
        if "/" in spec or "\\" in spec or "filename" in spec:
            raise RequestError("A game of OpenSpiel that reads a file is not loaded here.", field="game")
    elif spec.lower().endswith((*_FILES, ".nfg")):
        _check_inside(workspace, spec)
    return spec


def _check_inside(workspace: Workspace, path: str) -> None:
    """Refuse a file that is not among the uploads."""
    if Path(path).parent != uploads(workspace) or not upload_path(workspace, Path(path).name).is_file():
        raise RequestError(f"There is no file {Path(path).name!r} here: drop it on the page.", field="game")


def uploads(workspace: Workspace) -> Path:
    """Return the folder of files that were uploaded."""
    folder: Path = workspace.private / "uploads"
    folder.mkdir(exist_ok=True)
    return folder


def upload_path(workspace: Workspace, name: str) -> Path:
    """Return the path of an uploaded file; only plain names have one."""
    plain = (
        name.isprintable() and not name.startswith(".") and not set(name) & set('/\\:"<>|?*') and 0 < len(name) <= 100
    )
    path = uploads(workspace) / name if plain else None
    if path is None or path.is_symlink():
        raise RequestError(f"{name!r} is no plain name of a file.", field="name")
    return path


def check_resumed(workspace: Workspace, run_id: str, limits: dict[str, Any]) -> None:
    """Refuse to go on with a saved run to a limit that it cannot have, or where its record names untrusted Python.

    Raises
    ------
    EquilibristError
        It cannot go on so.
    """
    from ..games.load import check_trust

    row, _ = workspace.catalogue.run(run_id, workspace.folder_of(run_id)) or ({}, [])
    check_trust(str(row.get("game", "")), workspace.trusted)
    check_goal(limits, row.get("pot"))


def check_goal(limits: dict[str, Any], pot: float | None) -> None:
    """Refuse a goal in % of the pot in a game that has none.

    Raises
    ------
    RequestError
        It is one.
    """
    until = limits.get("until")
    if isinstance(until, str) and pot is None:
        raise RequestError(
            f"{until} is a share of the pot, which this game has not: give the exploitability in units of the payoff, "
            "as 0.001.",
            field="until",
        )


def check_order(workspace: Workspace, order: dict[str, Any]) -> None:
    """Refuse an order that no request makes: the file of a job may have been changed.

    Raises
    ------
    EquilibristError
        It holds what is not allowed.
    """
    keywords = order["keywords"]
    for name in keywords:
        if name not in (*SETTINGS, *_LESS_USED):
            raise RequestError(f"A job has no setting {name!r}.")
    read_keywords(Fields(keywords))
    if not order["resume"]:
        from ..games.load import check_trust

        check_trust(checked_game(workspace, order["game"]), workspace.trusted)
