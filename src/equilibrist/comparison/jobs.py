"""Runs of a comparison: one for each algorithm, sampling and seed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from ..cfr.algorithms import Algorithm, find_algorithm
from ..errors import AlgorithmError
from ..form.compiled_game import CompiledGame
from ..mccfr.sampling import Sampling, find_sampling
from ..solving.save import CHECKPOINT
from ..solving.solve import solve
from .curves import Run

RUNS = "runs"


class Job(NamedTuple):
    """A run to be solved.

    Attributes
    ----------
    algorithm : Algorithm
    sampling : Sampling
    seed : int
        0 where nothing is drawn.
    """

    algorithm: Algorithm
    sampling: Sampling
    seed: int

    @property
    def random(self) -> bool:
        """Whether something is drawn, so that another seed gives another run."""
        return self.sampling.random

    @property
    def run(self) -> Run:
        """The run, not begun."""
        return Run(self.algorithm.name, str(self.sampling), self.seed)

    def folder(self, out: Path | None) -> Path | None:
        """Return the folder in which the run is saved."""
        words = [self.algorithm.name, str(self.sampling).replace(" ", "").replace("'", "")]
        words += [f"seed{self.seed}"] if self.random else []
        return out and out / RUNS / "-".join(quote(word, safe="+()=,") for word in words)

    @property
    def options(self) -> dict[str, Any]:
        """The keywords of :func:`solve` that say what runs."""
        seed = {"seed": self.seed} if self.random else {}
        return {"algorithm": self.algorithm, "sampling": self.sampling, **seed}


def refusal(form: CompiledGame, job: Job, limit: str, out: Path | None) -> str | None:
    """Return why a combination makes no sense, or None: an iteration of it is tried, unless a run of it is there."""
    path = job.folder(out)
    if path is not None and (path / CHECKPOINT).exists():
        return None
    if not job.sampling.tree:
        return "Without a tree there is no exact exploitability to compare. Leave tree=False out."
    try:
        limits: dict[str, Any] = {limit: 1e-9 if limit == "seconds" else 1}
        tried = solve(form, **job.options, **limits)
    except AlgorithmError as error:
        return str(error)
    if tried.stopped == "interrupt":
        raise KeyboardInterrupt
    return None


def _listed(given: Any) -> list[Any]:
    """Return a list of one thing or several, texts cut at the commas between names."""
    several = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
    found: list[Any] = []
    for each in several:
        found += _cut(each) if isinstance(each, str) else [each]
    return found


def _cut(text: str) -> list[str]:
    """Return the names in ``cfr,dcfr`` or ``full,outcome(epsilon=0.4, average='lazy')``."""
    names, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append("")
        else:
            names[-1] += char
    return [name.strip() for name in names if name.strip()]


def find_jobs(
    algorithms: str | Algorithm | Iterable[str | Algorithm], sampling: str | Sampling | Iterable[str | Sampling]
) -> list[Job]:
    """Return each combination once, with seed 0; "auto" depends on the sampling."""
    samplings = [find_sampling(each) for each in _listed(sampling)]
    jobs: dict[tuple[str, str], Job] = {}
    for each in _listed(algorithms):
        for one in samplings:
            job = Job(find_algorithm(each, sampled=not one.full_width), one, 0)
            if jobs.setdefault(job.run.combination, job).algorithm != job.algorithm:
                raise AlgorithmError(
                    f"Two different algorithms are called {job.algorithm.name!r}; give one of them another name.",
                    wrong_use=True,
                )
    if not jobs:
        what, given = ("sampling", sampling) if not samplings else ("algorithm", algorithms)
        raise AlgorithmError(f"Give at least one {what}; got {given!r}.", wrong_use=True)
    return list(jobs.values())
