"""The rows that can be searched, as parameters of Optuna."""

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
    """Return the rows that a search begins with: all that are published."""
    if planned:
        return [row for row in eq.ALGORITHMS.values() if row.needs_horizon]
    return [row for row in eq.ALGORITHMS.values() if not row.needs_horizon] + [RESTARTED]


def suggest(trial: optuna.Trial, *, planned: bool) -> eq.Algorithm:
    """Return the row of a trial."""
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


def _exponent(trial: optuna.Trial, name: str, bounds: tuple[float, float], planned: bool) -> float | eq.Ramp:
    start = trial.suggest_float(name, *bounds)
    return eq.Ramp(start, trial.suggest_float(f"{name}_end", *bounds) - start) if planned else start


def parameters(row: eq.Algorithm) -> dict[str, Any]:
    """Return the parameters that :func:`suggest` makes a row of."""
    found: dict[str, Any] = {
        "floor": row.floor,
        "discounts": row.alpha is not None,
        "predicts": row.predict > 0,
        "restarts": row.restart is not None,
    }
    for name in ("alpha", "beta", "gamma"):
        exponent = getattr(row, name)
        if isinstance(exponent, eq.Ramp):
            found |= {name: exponent.start, f"{name}_end": exponent.start + exponent.slope}
        elif exponent is not None:
            found[name] = exponent
    if row.predict:
        found |= {"predict": row.predict}
        found |= {} if row.alpha is None else {"discount_predicted": row.discount_predicted}
    return found | ({} if row.restart is None else {"restart": row.restart})


def row_from(settings: Mapping[str, Any]) -> eq.Algorithm:
    """Return the row that ``dataclasses.asdict`` made plain data of."""
    return eq.Algorithm(
        **{field: eq.Ramp(**value) if isinstance(value, Mapping) else value for field, value in settings.items()}
    )


def rounded(row: eq.Algorithm, name: str) -> eq.Algorithm:
    """Return a row with numbers of two digits, under a name of its own."""
    changes: dict[str, Any] = {}
    for field in ("alpha", "beta", "gamma", "predict", "restart"):
        value = getattr(row, field)
        if isinstance(value, eq.Ramp):
            end = _two_digits(value.start + value.slope)
            changes[field] = eq.Ramp(_two_digits(value.start), end - _two_digits(value.start))
        elif value is not None:
            changes[field] = _two_digits(value)
    return replace(row, name=name, **changes)


def _two_digits(number: float) -> float:
    return round(number, 1 - math.floor(math.log10(abs(number)))) if number else 0.0


def told(row: eq.Algorithm) -> str:
    """Return the numbers of a row as text."""
    parts = []
    for symbol, field in (("α", "alpha"), ("β", "beta"), ("γ", "gamma")):
        value = getattr(row, field)
        if isinstance(value, eq.Ramp):
            parts.append(f"{symbol} {value.start:.3g} → {value.start + value.slope:.3g}")
        elif value is not None:
            parts.append(f"{symbol} {value:.3g}")
    parts += ["floor"] * row.floor
    if row.predict:
        parts.append(f"prediction {row.predict:.3g}" + (" discounted" if row.discount_predicted else ""))
    return ", ".join(parts + ([] if row.restart is None else [f"restarts × {row.restart:.3g}"]))
