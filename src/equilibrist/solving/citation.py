"""What to cite for a solution, as BibTeX: this software, the papers of the algorithm and of the game."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from .info import RunInfo

_GAMES = {
    "kuhn": "Kuhn 1950",
    "leduc": "Southey et al. 2005",
    "no_limit_leduc": "Southey et al. 2005",
    "rhode_island": "Shi & Littman 2001",
    "battleship": "Farina et al. 2019",
}


@cache
def papers() -> dict[str, str]:
    """Return the entries of ``papers.bib`` by what :attr:`Algorithm.source` and the sampling schemes call them."""
    text = files(__package__).joinpath("papers.bib").read_text(encoding="utf-8")
    return dict(re.findall(r"^% (.*)\n(@(?:.*\n)+?\})$", text, re.MULTILINE))


def citation(info: RunInfo) -> str:
    """Return the BibTeX entries of a run, each below a line that says what it is of."""
    config = info.config
    sources = {"the linear programme": "Koller et al. 1994"}
    if config is not None:
        sources = {f"the algorithm, {config.algorithm.name}": config.algorithm.source}
        if not config.sampling.full_width:
            sources[f"the sampling, {config.sampling.name}"] = config.sampling.source
    game = re.match(r"\w*", info.game.definition or info.game.name)[0]  # type: ignore[index]  # which always matches
    if game in _GAMES:
        sources[f"the game, {game}"] = _GAMES[game]
    software = {
        "author": "{The Equilibrist developers}",
        "title": "{Equilibrist: certified equilibria of imperfect-information games}",
        "version": info.versions["equilibrist"],
    }
    parts = {"% the software": _entry("software", "equilibrist", software)}
    for comment, source in sources.items():
        # Of an algorithm of somebody's own, where the source is no paper.
        name = comment.rpartition(", ")[2]
        entry = _entry("misc", re.sub(r"\W+", "-", name), {"title": f"{{{name}}}", "note": source})
        parts[f"% {comment}"] = papers().get(source, entry)
    return "\n\n".join(f"{comment}\n{entry}" for comment, entry in parts.items())


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
    return f"@{kind}{{{key},\n{lines}}}"
