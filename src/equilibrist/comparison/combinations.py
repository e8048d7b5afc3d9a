"""The combinations of a comparison: each algorithm with each sampling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..cfr.algorithms import Algorithm, find_algorithm
from ..errors import AlgorithmError
from ..form.traits import FormTraits
from ..mccfr.sampling import Sampling, find_sampling
from ..solving.plan import suitable_algorithm

FULL = "full"


class Combination(NamedTuple):
    """An algorithm with a sampling."""

    algorithm: Algorithm
    sampling: Sampling

    @property
    def names(self) -> tuple[str, str]:
        """Those of both."""
        return str(self.algorithm), str(self.sampling)


def find_combinations(
    algorithms: str | Algorithm | Iterable[str | Algorithm], sampling: str | Sampling | Iterable[str | Sampling]
) -> list[Combination]:
    """Return each combination once; "auto" depends on the sampling."""
    samplings = [find_sampling(scheme) for scheme in _listed(sampling)]
    combinations: dict[tuple[str, str], Combination] = {}
    for algorithm in _listed(algorithms):
        for scheme in samplings:
            named = find_algorithm(algorithm)
            chosen = suitable_algorithm(named, FormTraits, sampled=not scheme.full_width)
            combination = Combination(chosen, scheme)
            if combinations.setdefault(combination.names, combination) != combination:
                raise AlgorithmError(
                    f"Two different algorithms are called {combination.algorithm.name!r}; give one of them another "
                    "name.",
                    wrong_use=True,
                )
    if not combinations:
        what, value = ("algorithm", algorithms) if samplings else ("sampling", sampling)
        raise AlgorithmError(f"Give at least one {what}; got {value!r}.", wrong_use=True)
    return list(combinations.values())


def _listed(choice: Any) -> list[Any]:
    """Return a list of one thing or several, texts cut at the commas between names."""
    several = [choice] if isinstance(choice, str) or not isinstance(choice, Iterable) else choice
    return [part for each in several for part in (_cut(each) if isinstance(each, str) else [each])]


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
