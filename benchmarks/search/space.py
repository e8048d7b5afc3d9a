"""The algorithms that can be searched, as parameters of Optuna."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import equilibrist as eq

if TYPE_CHECKING:
    import optuna

ALPHA, BETA, GAMMA = (0.0, 6.0), (-4.0, 4.0), (0.0, 15.0)
GAMMA_PLANNED = (0.0, 40.0)
PREDICT, RESTART = (0.02, 2.0), (1.2, 16.0)

RESTARTED = eq.Algorithm("restarted dcfr", "postflop-solver", alpha=1.5, beta=0, gamma=3, restart=4)


def seeds(*, planned: bool) -> list[eq.Algorithm]:
    """Return the algorithms that a search begins with: all that are published."""
    if planned:
        return [algorithm for algorithm in eq.ALGORITHMS.values() if algorithm.needs_horizon]
    return [algorithm for algorithm in eq.ALGORITHMS.values() if not algorithm.needs_horizon] + [
        RESTARTED
    ]


def suggest(trial: optuna.Trial, *, planned: bool) -> eq.Algorithm:
    """Return the algorithm of a trial."""
    choose = trial.suggest_categorical
    settings: dict[str, Any] = {"floor": choose("floor", [False, True])}
    discounts = choose("discounts", [False, True])
    if discounts:
        settings["alpha"] = _exponent(trial, "alpha", ALPHA, planned)
        if not settings["floor"]:
            settings["beta"] = _exponent(trial, "beta", BETA, planned)
    if choose("predicts", [False, True]):
        settings["predict"] = trial.suggest_float("predict", *PREDICT, log=True)
        if discounts:
            settings["discount_predicted"] = choose("discount_predicted", [False, True])
    settings["gamma"] = _exponent(trial, "gamma", GAMMA_PLANNED if planned else GAMMA, planned)
    if choose("restarts", [False, True]):
        settings["restart"] = trial.suggest_float("restart", *RESTART, log=True)
    return eq.Algorithm(f"trial {trial.number}", "python -m benchmarks.search", **settings)


def _exponent(
    trial: optuna.Trial, name: str, bounds: tuple[float, float], planned: bool
) -> float | eq.Ramp:
    start = trial.suggest_float(name, *bounds)
    return eq.Ramp(start, trial.suggest_float(f"{name}_end", *bounds) - start) if planned else start


def parameters(algorithm: eq.Algorithm) -> dict[str, Any]:
    """Return the parameters that :func:`suggest` makes an algorithm of."""
    found: dict[str, Any] = {
        "floor": algorithm.floor,
        "discounts": algorithm.alpha is not None,
        "predicts": algorithm.predict > 0,
        "restarts": algorithm.restart is not None,
    }
    for name in ("alpha", "beta", "gamma"):
        exponent = getattr(algorithm, name)
        if isinstance(exponent, eq.Ramp):
            found |= {name: exponent.start, f"{name}_end": exponent.start + exponent.slope}
        elif exponent is not None:
            found[name] = exponent
    if algorithm.predict:
        found |= {"predict": algorithm.predict}
        found |= (
            {} if algorithm.alpha is None else {"discount_predicted": algorithm.discount_predicted}
        )
    return found | ({} if algorithm.restart is None else {"restart": algorithm.restart})


def algorithm_from(settings: Mapping[str, Any]) -> eq.Algorithm:
    """Return the algorithm that ``dataclasses.asdict`` made plain data of."""
    return eq.Algorithm(
        **{
            field: eq.Ramp(**value) if isinstance(value, Mapping) else value
            for field, value in settings.items()
        }
    )


def rounded(algorithm: eq.Algorithm, name: str) -> eq.Algorithm:
    """Return an algorithm with numbers of two digits, under a name of its own."""
    changes: dict[str, Any] = {}
    for field in ("alpha", "beta", "gamma", "predict", "restart"):
        value = getattr(algorithm, field)
        if isinstance(value, eq.Ramp):
            end = _two_digits(value.start + value.slope)
            changes[field] = eq.Ramp(_two_digits(value.start), end - _two_digits(value.start))
        elif value is not None:
            changes[field] = _two_digits(value)
    return replace(algorithm, name=name, **changes)


def _two_digits(number: float) -> float:
    return round(number, 1 - math.floor(math.log10(abs(number)))) if number else 0.0


def description(algorithm: eq.Algorithm) -> str:
    """Return the numbers of an algorithm as text."""
    parts = []
    for symbol, field in (("α", "alpha"), ("β", "beta"), ("γ", "gamma")):
        value = getattr(algorithm, field)
        if isinstance(value, eq.Ramp):
            parts.append(f"{symbol} {value.start:.3g} → {value.start + value.slope:.3g}")
        elif value is not None:
            parts.append(f"{symbol} {value:.3g}")
    parts += ["floor"] * algorithm.floor
    if algorithm.predict:
        parts.append(
            f"prediction {algorithm.predict:.3g}"
            + (" discounted" if algorithm.discount_predicted else "")
        )
    return ", ".join(
        parts + ([] if algorithm.restart is None else [f"restarts × {algorithm.restart:.3g}"])
    )
