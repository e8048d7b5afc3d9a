"""What to cite for a solution, as BibTeX: this software, the papers of the algorithm and of the game."""

from __future__ import annotations

import re
from typing import NamedTuple

from .info import RunInfo


class _Paper(NamedTuple):
    key: str
    author: str
    title: str
    venue: str
    year: int


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
    for what, source in sources.items():
        if source in _PAPERS:
            key, author, title, venue, year = _PAPERS[source]
            kind, place = ("article", "journal") if venue.startswith("arXiv") else ("inproceedings", "booktitle")
            names = {"author": author, "title": f"{{{title}}}", place: venue, "year": str(year)}
            parts[f"% {what}"] = _entry(kind, key, names)
        else:  # an algorithm of somebody's own
            name = what.rpartition(", ")[2]
            key = re.sub(r"\W+", "-", name)
            parts[f"% {what}"] = _entry("misc", key, {"title": f"{{{name}}}", "note": source})
    return "\n\n".join(f"{what}\n{entry}" for what, entry in parts.items())


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
    return f"@{kind}{{{key},\n{lines}}}"


_NEURIPS = "Advances in Neural Information Processing Systems"
_AAAI = "Proceedings of the AAAI Conference on Artificial Intelligence"
_PAPERS = {
    "Zinkevich et al. 2007": _Paper(
        "zinkevich2007regret",
        "Martin Zinkevich and Michael Johanson and Michael Bowling and Carmelo Piccione",
        "Regret minimization in games with incomplete information",
        f"{_NEURIPS} 20",
        2007,
    ),
    "Tammelin 2014": _Paper(
        "tammelin2014solving",
        "Oskari Tammelin",
        "Solving large imperfect information games using CFR+",
        "arXiv:1407.5042",
        2014,
    ),
    "Brown & Sandholm 2019": _Paper(
        "brown2019solving",
        "Noam Brown and Tuomas Sandholm",
        "Solving imperfect-information games via discounted regret minimization",
        f"{_AAAI} 33",
        2019,
    ),
    "Xu et al. 2024": _Paper(
        "xu2024minimizing",
        "Hang Xu and Kai Li and Bingyun Liu and Haobo Fu and Qiang Fu and Junliang Xing and Jian Cheng",
        "Minimizing weighted counterfactual regret with optimistic online mirror descent",
        "Proceedings of the International Joint Conference on Artificial Intelligence",
        2024,
    ),
    "Farina, Kroer & Sandholm 2021": _Paper(
        "farina2021faster",
        "Gabriele Farina and Christian Kroer and Tuomas Sandholm",
        "Faster game solving via predictive Blackwell approachability: connecting regret matching and mirror descent",
        f"{_AAAI} 35",
        2021,
    ),
    "arXiv 2503.12770": _Paper(
        "meng2025asynchronous",
        "Linjian Meng and Youzhi Zhang and Zhenxing Ge and Tianpei Yang and Yang Gao",
        "Asynchronous predictive counterfactual regret minimization+ algorithm in solving extensive-form games",
        "arXiv:2503.12770",
        2025,
    ),
    "arXiv 2404.09097": _Paper(
        "zhang2024faster",
        "Naifeng Zhang and Stephen McAleer and Tuomas Sandholm",
        "Faster game solving via hyperparameter schedules",
        "arXiv:2404.09097",
        2024,
    ),
    "Lanctot et al. 2009": _Paper(
        "lanctot2009monte",
        "Marc Lanctot and Kevin Waugh and Martin Zinkevich and Michael Bowling",
        "Monte Carlo sampling for regret minimization in extensive games",
        f"{_NEURIPS} 22",
        2009,
    ),
    "Gibson et al. 2012": _Paper(
        "gibson2012efficient",
        "Richard Gibson and Neil Burch and Marc Lanctot and Duane Szafron",
        "Efficient Monte Carlo counterfactual regret minimization in games with many player actions",
        f"{_NEURIPS} 25",
        2012,
    ),
    "Johanson et al. 2012": _Paper(
        "johanson2012efficient",
        "Michael Johanson and Nolan Bard and Marc Lanctot and Richard Gibson and Michael Bowling",
        "Efficient Nash equilibrium approximation through Monte Carlo counterfactual regret minimization",
        "Proceedings of the International Conference on Autonomous Agents and Multiagent Systems",
        2012,
    ),
    "Koller et al. 1994": _Paper(
        "koller1994fast",
        "Daphne Koller and Nimrod Megiddo and Bernhard von Stengel",
        "Fast algorithms for finding randomized strategies in game trees",
        "Proceedings of the ACM Symposium on Theory of Computing",
        1994,
    ),
    "Kuhn 1950": _Paper(
        "kuhn1950simplified",
        "Harold W. Kuhn",
        "A simplified two-person poker",
        "Contributions to the Theory of Games 1",
        1950,
    ),
    "Southey et al. 2005": _Paper(
        "southey2005bayes",
        "Finnegan Southey and Michael Bowling and Bryce Larson and Carmelo Piccione and Neil Burch and Darse Billings "
        "and Chris Rayner",
        "Bayes' bluff: opponent modelling in poker",
        "Proceedings of the Conference on Uncertainty in Artificial Intelligence",
        2005,
    ),
    "Shi & Littman 2001": _Paper(
        "shi2001abstraction",
        "Jiefu Shi and Michael L. Littman",
        "Abstraction methods for game theoretic poker",
        "Computers and Games",
        2001,
    ),
    "Farina et al. 2019": _Paper(
        "farina2019correlation",
        "Gabriele Farina and Chun Kai Ling and Fei Fang and Tuomas Sandholm",
        "Correlation in extensive-form games: saddle-point formulation and benchmarks",
        f"{_NEURIPS} 32",
        2019,
    ),
}
"""Papers by what :attr:`Algorithm.source` and the sampling schemes call them."""

_GAMES = {
    "kuhn": "Kuhn 1950",
    "leduc": "Southey et al. 2005",
    "no_limit_leduc": "Southey et al. 2005",
    "rhode_island": "Shi & Littman 2001",
    "battleship": "Farina et al. 2019",
}
