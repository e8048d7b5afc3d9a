"""Routes of games and algorithms: what can be solved, how large it is, and files that are uploaded."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from starlette.requests import Request

from ..._util.files import SMALL, read_bytes, write_atomically
from ...runs.reproduce import write_lines
from ...web.answers import Answer
from ...web.requests import (
    OF_A_RUN,
    check_goal,
    check_goal_of_spot,
    read_game,
    read_keywords,
    read_run_keywords,
    upload_path,
    uploads,
)
from ...web.respond import Fields, RequestError, answer, body, query, raw_body
from ...web.workspace import NEEDS_TRUST, Workspace, workspace_of
from ..answers import (
    AlgorithmRow,
    Algorithms,
    Deleted,
    Forecast,
    GameDescription,
    GameEstimate,
    GameFacts,
    Games,
    Keywords,
    Trusted,
    Upload,
)

if TYPE_CHECKING:
    from ...mccfr.sampling import Sampling

_KINDS: dict[str, Literal["gambit", "spot", "python"]] = {
    ".efg": "gambit",
    ".gbt": "gambit",
    ".nfg": "gambit",
    ".toml": "spot",
    ".json": "spot",
    ".txt": "spot",
    ".py": "python",
}
_MOST_FILES = 200


def games(request: Request) -> Answer[Games]:
    """Return the built-in games with their parameters, and what else can be loaded."""
    from importlib.util import find_spec

    from ...games.describe import describe_games
    from ...games.registry import GAMES

    workspace = workspace_of(request)
    return answer(
        {
            "games": cast(list[GameDescription], describe_games(GAMES)),
            "openspiel": find_spec("pyspiel") is not None,
            "trust_files": workspace.trust_files,
            "uploads": [_describe_file(path) for path in _list_uploads(workspace)],
        }
    )


def algorithms(request: Request) -> Answer[Algorithms]:
    """Return the algorithms and the samplings that there are, and the choices of the other settings."""
    import psutil

    from ...cfr.algorithms import ALGORITHMS
    from ...cfr.tabular import PRECISIONS
    from ...games.compile import FORMS
    from ...mccfr.sampling import SCHEMES
    from ...solving.plan import DEFAULT_ITERATIONS, default_algorithms

    rows: list[AlgorithmRow] = [
        {"name": row.name, "source": row.source, "planned": row.needs_horizon}
        for row in ALGORITHMS.values()
    ]
    samplings: Any = [
        {**scheme.summary(), "options": _scheme_options(scheme)} for scheme in SCHEMES.values()
    ]
    return answer(
        {
            "algorithms": rows,
            "auto": default_algorithms(),
            "samplings": samplings,
            "forms": list(FORMS),
            "precisions": ["auto", *PRECISIONS],
            "iterations": DEFAULT_ITERATIONS,
            "cores": psutil.cpu_count(logical=True),
            "free": psutil.virtual_memory().available / 1e9,
        }
    )


def _scheme_options(scheme: type[Sampling]) -> dict[str, list[Any]]:
    """Return the options that a sampling scheme takes, with their values or an example of them."""
    values: dict[str, tuple[Any, ...]] = {
        "tree": (False,),
        "gigabytes": (1.0,),
        "batch": (64,),
        "epsilon": (0.5,),
        "low_discrepancy": (True,),
        "one_deal": (True,),
        **scheme.choices(),
    }
    # full passes take the others beside it only
    alone = scheme.options() if scheme().draws else ("pruning",)
    return {option: list(values[option]) for option in values if option in alone}


def estimate(request: Request) -> Answer[GameEstimate]:
    """Return the size of a game, and the memory and time that a run on it takes, before it starts."""
    workspace = workspace_of(request)
    fields = body(request).only(*OF_A_RUN)
    game = read_game(workspace, fields)
    keywords = read_run_keywords(fields)
    facts: GameFacts = workspace.queue.estimates.ask({"game": game, **keywords})
    return answer({**facts, "game": game, **write_lines(game, keywords)})


def forecast(request: Request) -> Answer[Forecast]:
    """Return about how long a run on a game or a spot takes to ``until``; ``goal`` is null where that is not known."""
    workspace = workspace_of(request)
    fields = body(request).only(*OF_A_RUN)
    if "spot" in fields:
        game_request = {"spot": fields.table("spot")}
    else:
        game_request = {"game": read_game(workspace, fields)}
    return answer(
        workspace.queue.estimates.ask(
            {**game_request, **read_run_keywords(fields), "forecast": True}
        )
    )


def settings(request: Request) -> Answer[Keywords]:
    """Return whether settings of a run make sense together: 200, or the error."""
    return answer({"keywords": read_keywords(body(request))})


def upload(request: Request) -> Answer[Upload]:
    """Keep a file, the body of the request, under its name; say what it is. It is never run, nor unpacked."""
    workspace = workspace_of(request)
    content = raw_body(request)
    path = upload_path(workspace, query(request).text("name"))
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        suffixes = ".efg, .gbt and .nfg (Gambit), .toml, .json and .txt (spots of hold'em)"
        raise RequestError(f"A file {path.name!r} is not read: drop {suffixes}.", field="name")
    if kind == "python" and not workspace.trust_files:
        raise RequestError(NEEDS_TRUST, field="name")
    if not content:
        raise RequestError(f"{path.name!r} is empty.")
    if not path.exists() and sum(1 for _ in path.parent.iterdir()) >= _MOST_FILES:
        raise RequestError(f"There are {_MOST_FILES} files already: delete some.")
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RequestError(
            f"{path.name!r} is not a text file in UTF-8 (byte {error.start})."
        ) from error
    write_atomically(path, content)
    return answer(_describe_file(path), status=201)


def delete_upload(request: Request) -> Answer[Deleted]:
    """Delete an uploaded file."""
    path = upload_path(workspace_of(request), request.path_params["name"])
    if not path.is_file():
        raise RequestError(f"There is no file {path.name!r}.", status=404)
    path.unlink()
    return answer({"deleted": path.name})


def trust(request: Request) -> Answer[Trusted]:
    """Let a file of Python be run until the server ends, where a person has said so: the record of a run names it."""
    workspace = workspace_of(request)
    file = body(request).only("file").text("file")
    workspace.trust_file(file)
    return answer({"trusted": sorted(workspace.trusted)})


def _list_uploads(workspace: Workspace) -> list[Path]:
    """Return the files that were uploaded."""
    paths = sorted(uploads(workspace).iterdir())
    return [
        path for path in paths if path.suffix in _KINDS and path.is_file() and not path.is_symlink()
    ]


def _describe_file(path: Path) -> Upload:
    kind = _KINDS[path.suffix.lower()]
    about: Upload = {"name": path.name, "kind": kind, "bytes": path.stat().st_size}
    if kind == "python":
        about["classes"] = _find_classes(read_bytes(path, most=SMALL).decode(errors="replace"))
    return about


def _find_classes(text: str) -> list[str]:
    try:
        return [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def read_request(request: Request, fields: Fields) -> dict[str, Any]:
    """Return what a request asks to be solved: a game, or a spot of hold'em, and the keywords of the run."""
    fields.only(*OF_A_RUN, "name", "tags", "note")
    workspace = workspace_of(request)
    ask = workspace.queue.estimates.ask
    if "spot" in fields:
        keywords = read_run_keywords(fields)
        check_goal_of_spot(keywords)
        facts = ask({"spot": fields.table("spot"), "sizes": False})
        spot_facts = {name: facts[name] for name in ("game", "title", "settings")}
        return {**spot_facts, "keywords": keywords, "spot": True}
    game = read_game(workspace, fields)
    keywords = read_run_keywords(fields)
    facts = ask({"game": game, "sizes": False})
    check_goal(keywords, facts["pot"])
    return {"game": game, "title": facts["title"], "keywords": keywords}
