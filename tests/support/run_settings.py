"""Every setting of a run that a job of the page may have, with values of it: what forms and addresses must hold."""

import inspect

import equilibrist as eq
from equilibrist.web.requests import JOB_SETTINGS

VALUES = {
    "algorithm": ["dcfr", "cfr"],
    "sampling": [
        "external",
        "outcome(epsilon=0.4)",
        "external(batch=4, baseline='history')",
        "external(tree=False, gigabytes=2)",
        "full(pruning='regret')",
    ],
    "concept": ["floors(0.01)", "qre(0.1)", "qre('1%')", "qre(2)"],
    "form": ["sequence"],
    "precision": ["float32"],
    "threads": [2, "auto"],
    "seed": [3, 0],
    "alternating": [False],
    "max_memory_gb": [2.5],
    "iterations": [1234567],
    "until": [0.001, "0.5%", [0.01, "cce_distance(0.02)"]],
    "seconds": [20.5],
    "nodes": [10**9],
    "save_streets": [1],
    "max_histories": [5_000_000],
    "record": ["all", "J, Qpb"],
    "record_every": [7],
}
"""Values of each setting. A test fails where a job has a setting that is not here."""
NEEDS = {"record_every": {"record": "all"}, "seed": {"sampling": "external"}}
"""What else a run needs for a setting to mean something."""
_PARTS = {  # keywords of eq.solve that jobs have under plain names, or that are not of a job
    "limits": {"max_memory_gb", "nodes", "max_histories"},
    "save": {"save_streets"},
    "record": {"record", "record_every"},
    "game": set(),
    "backend": set(),
    "resume": set(),
    "callbacks": set(),
    "rule": set(),  # a file of code, which no request names
}


def settings_of_runs():
    """Return settings of runs: for each value of each setting a run that has it."""
    of_solve = {"alternating"}  # a part of the algorithm
    for name in inspect.signature(eq.solve).parameters:
        of_solve |= _PARTS.get(name, {name})
    assert of_solve == set(JOB_SETTINGS) == set(VALUES), "a setting of runs has no values here"
    return [
        {**NEEDS.get(name, {}), name: value} for name, values in VALUES.items() for value in values
    ]
