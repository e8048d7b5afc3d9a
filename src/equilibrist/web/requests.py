"""Requests: what a client, or the file of a job, wants to be solved, checked before any process is started for it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from .._util.file_names import is_portable
from .._util.spec import GAMBIT_FILES
from ..errors import in_field
from ..solving.settings import SETTINGS, Setting
from .respond import Fields, RequestError
from .workspace import NEEDS_TRUST, Workspace

_JOB_SETTINGS = tuple(setting for setting in SETTINGS if setting.in_requests)
JOB_SETTINGS = tuple(setting.name for setting in _JOB_SETTINGS)
"""The settings that a request may give, and a job may have."""
CHECKED_SETTINGS = tuple(
    setting.name for setting in _JOB_SETTINGS if setting.group in ("method", "size", "end")
)
"""Those that are checked together."""
OF_A_RUN = ("game", "spot", "upload", "class", *JOB_SETTINGS)
"""What a request to solve may say: what is solved, and how."""
_MOST_RECORDED = 10_000  # infosets that are named one by one


def read_keywords(fields: Fields, *, check: bool = True) -> dict[str, Any]:
    """Return the keywords of :func:`equilibrist.solve` that fields give, defaults left out.

    Unless ``check`` is false, those that make no sense together are refused.
    """
    keywords = {
        setting.name: value
        for setting in _JOB_SETTINGS
        if (value := _read_setting(fields, setting)) not in (None, setting.default)
    }
    if check:
        check_keywords(keywords)
    return keywords


def _read_setting(fields: Fields, setting: Setting) -> Any:
    """Return the value of a setting, None where the fields give none."""
    name = setting.name
    if setting.kind == "text":
        return fields.text(name, None)
    if setting.kind == "count":
        return fields.whole(name, None, low=setting.least, high=_HIGHEST.get(name, 2**53))
    if setting.kind == "number":
        return fields.number(name, None)
    if setting.kind == "flag":
        return None if name not in fields else fields.flag(name)
    return _READERS[setting.kind](fields, name)


_HIGHEST = {"save_streets": 3}


def _read_threads(fields: Fields, name: str) -> int | str | None:
    threads = fields.any(name, None)
    if isinstance(threads, str) and not threads.isdecimal():
        return fields.choice(name, ("auto",))  # type: ignore[no-any-return]
    return fields.whole(name, None, low=1, high=1024)  # type: ignore[no-any-return]


def _read_criteria(fields: Fields, name: str) -> Any:
    return _read_until(fields.any(name, None))


def _read_record(fields: Fields, name: str) -> str | list[str] | None:
    if not isinstance(fields.any(name, None), list):
        return fields.text(name, None)  # type: ignore[no-any-return]
    names: list[Any] = fields.list(name, most=_MOST_RECORDED)
    if not names or not all(isinstance(name, str) for name in names):
        raise RequestError(f"{name} must be a text, or a list of names of infosets.", field=name)
    return names


def _read_until(value: Any) -> Any:
    """Return criteria with numbers that are texts, as those of addresses are, as numbers."""
    if isinstance(value, list):
        return [_read_until(part) for part in value]
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value)
    return value


_READERS = {"threads": _read_threads, "criteria": _read_criteria, "infosets": _read_record}
"""What reads the settings of kinds that take more than one type of value."""


def check_keywords(keywords: dict[str, Any]) -> None:
    """Refuse settings that make no sense together, as :func:`equilibrist.solve` does."""
    from ..cfr.algorithms import find_algorithm
    from ..mccfr.sampling import find_sampling
    from ..solving.keywords import solve_keywords
    from ..solving.plan import new_config

    with in_field("algorithm"):
        find_algorithm(keywords.get("algorithm", "auto"))
    with in_field("sampling"):
        find_sampling(keywords.get("sampling", "full"))
    new_config(**solve_keywords({name: keywords.get(name) for name in CHECKED_SETTINGS}))
    solve_keywords({name: keywords.get(name) for name in ("record", "record_every")})


def read_run_keywords(fields: Fields, *, check: bool = True) -> dict[str, Any]:
    """Return the keywords of a run, on which all cores work where that is faster and nothing else is said."""
    return {"threads": "auto", **read_keywords(fields, check=check)}


def read_game(workspace: Workspace, fields: Fields) -> str:
    """Return the game of a request as :func:`equilibrist.load` takes it.

    ``game`` is a text, or a table with ``name`` and ``parameters`` of a built-in game; ``upload``
    is the name of a file that was uploaded, with ``class`` where it is one of Python.
    """
    if "upload" in fields:
        spec = str(upload_path(workspace, fields.text("upload")))
        if spec.endswith(".py"):
            spec = f"{spec}:{fields.text('class', '')}"
        return _game_text(workspace, spec)
    game = fields.any("game")
    if isinstance(game, dict):
        from ..games.registry import make

        parts = Fields(game)
        return str(make(parts.text("name"), **parts.table("parameters", {})))
    return _game_text(workspace, fields.text("game"))


def _game_text(workspace: Workspace, spec: str) -> str:
    """Return the text of a game that a request names, which is consent to run its file where it is one of Python."""
    from ..games.load import python_file

    spec = check_game_text(workspace, spec)
    file = python_file(spec)
    if file is not None:
        workspace.trust_file(file)
    return spec


def check_game_text(workspace: Workspace, spec: str) -> str:
    """Return the text of a game, unless it leads to a file outside the folder, or to code that is not trusted."""
    spec = spec.strip()
    if ".py:" in spec or spec.endswith(".py"):
        if not workspace.trust_files:
            raise RequestError(NEEDS_TRUST, field="game")
        _check_inside(workspace, spec.partition(".py")[0] + ".py")
    elif spec.startswith("openspiel:"):
        if "/" in spec or "\\" in spec or "filename" in spec:
            raise RequestError(
                "A game of OpenSpiel that reads a file is not loaded here.", field="game"
            )
    elif _names_file(spec):
        _check_inside(workspace, spec)
    return spec


def _names_file(spec: str) -> bool:
    """Return whether the text of a game is the path of a file with a game or a spot."""
    from ..games.registry import SETTINGS_FILES

    return spec.lower().endswith((*GAMBIT_FILES, *SETTINGS_FILES))


def _check_inside(workspace: Workspace, path: str) -> None:
    if (
        Path(path).parent != uploads(workspace)
        or not upload_path(workspace, Path(path).name).is_file()
    ):
        raise RequestError(
            f"There is no file {Path(path).name!r} here: drop it on the page.", field="game"
        )


def uploads(workspace: Workspace) -> Path:
    """Return the folder of files that were uploaded."""
    folder: Path = workspace.private / "uploads"
    folder.mkdir(exist_ok=True)
    return folder


def upload_path(workspace: Workspace, name: str) -> Path:
    """Return the path of an uploaded file; only plain names have one."""
    plain = is_portable(name) and not name.startswith(".") and len(name) <= 100
    path = uploads(workspace) / name if plain else None
    if path is None or path.is_symlink():
        raise RequestError(f"{name!r} is no plain name of a file.", field="name")
    return path


def resumed_limits(workspace: Workspace, run_id: str, limits: dict[str, Any]) -> dict[str, Any]:
    """Return the limits to which a saved run goes on: ``seconds``, which a request gives from now on, in all."""
    from ..games.load import check_trust

    row, _ = workspace.row_of(run_id)
    check_trust(str(row.get("game", "")), workspace.trusted)
    check_goal(limits, row.get("pot"))
    if "seconds" in limits:
        return limits | {"seconds": limits["seconds"] + row.get("solve_seconds", 0.0)}
    return dict(limits)


def check_goal(limits: dict[str, Any], pot: float | None) -> None:
    """Refuse a goal in % of the pot in a game that has none."""
    until = limits.get("until")
    shares = [
        text for text in (until if isinstance(until, list) else [until]) if str(text).endswith("%")
    ]
    if shares and pot is None:
        raise RequestError(
            f"{shares[0]} is a share of the pot, which this game has not: give the "
            "exploitability in units of the payoff, as 0.001.",
            field="until",
        )


def check_goal_of_spot(limits: dict[str, Any]) -> None:
    """Refuse a distance from a correlated equilibrium in a spot, whose two players have no use for one."""
    from ..cfr.criteria import CCE, find_criteria

    for criterion in find_criteria(limits.get("until")):
        if isinstance(criterion, CCE):
            raise RequestError(
                f"{criterion} is a goal of games that are general-sum or have more than two "
                "players; in a spot give an exploitability, as 0.5%.",
                field="until",
            )


def check_request(workspace: Workspace, request: dict[str, Any]) -> None:
    """Refuse a request that nobody makes: the file of a job may have been changed."""
    keywords = request["keywords"]
    for name in keywords:
        if name not in JOB_SETTINGS:
            raise RequestError(f"A job has no setting {name!r}.")
    read_keywords(Fields(keywords))
    if not request["resume"]:
        from ..games.load import check_trust

        check_trust(check_game_text(workspace, request["game"]), workspace.trusted)
