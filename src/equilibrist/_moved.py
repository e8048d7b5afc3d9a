"""Public names that have another place since version 0.1: the old ones warn, and go with version 1.0."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any

MOVED = {
    "correlated": "correlated_equilibrium",
    "Explanation": "learn.Explanation",
    "explain": "learn.explain",
    "BettingTree": "poker.BettingTree",
    "BoardReport": "poker.BoardReport",
    "Charts": "poker.Charts",
    "Equity": "poker.Equity",
    "Grades": "poker.Grades",
    "Holdem": "poker.Holdem",
    "MissingSpots": "poker.MissingSpots",
    "Omaha": "poker.Omaha",
    "Preflop": "poker.Preflop",
    "Range": "poker.Range",
    "SolvedSpot": "poker.SolvedSpot",
    "SpotNode": "poker.SpotNode",
    "aggregate": "poker.board_report",
    "equity": "poker.equity",
    "grade": "poker.grade",
    "icm": "poker.icm",
    "charts": "poker.push_fold_charts",
    "write_hands": "poker.write_hands",
    "write_spot": "poker.write_spot",
    "strategy_of_policy": "strategy_from_policy",
    "unfold": "to_extensive_form",
    "ActionValue": "types.ActionValue",
    "ActionValueTable": "types.ActionValueTable",
    "BatchProgress": "types.BatchProgress",
    "BatchResult": "types.BatchResult",
    "CardForm": "types.CardForm",
    "Chains": "types.Chains",
    "Checkpoint": "types.Checkpoint",
    "Comparison": "types.Comparison",
    "Concept": "types.Concept",
    "CorrelatedEquilibrium": "types.CorrelatedEquilibrium",
    "Criterion": "types.Criterion",
    "DealHistories": "types.DealHistories",
    "Decisions": "types.Decisions",
    "Evaluation": "types.Evaluation",
    "LocalBestResponse": "types.LocalBestResponse",
    "Match": "types.Match",
    "Mixture": "types.Mixture",
    "OffPath": "types.OffPath",
    "PublicForm": "types.PublicForm",
    "QREFit": "types.QREFit",
    "Recording": "types.Recording",
    "RunInfo": "types.RunInfo",
    "Sampling": "types.Sampling",
    "SequenceForm": "types.SequenceForm",
    "SolveConfig": "types.SolveConfig",
    "StopRule": "types.StopRule",
    "Study": "types.Study",
    "TeamEquilibrium": "types.TeamEquilibrium",
    "TeamResponse": "types.TeamResponse",
    "Trace": "types.Trace",
}
"""The place of each name that was ``equilibrist.NAME``."""


def find_moved(name: str) -> Any:
    """Return what had a name in the package itself, and warn of its new place.

    Raises
    ------
    KeyError
        No such name has moved.
    """
    place = MOVED[name]
    package = __package__ or "equilibrist"
    # 3: whoever asks for an attribute of the package, through its __getattr__
    warnings.warn(
        f"eq.{name} is eq.{place} now; the old name goes with version 1.0.",
        DeprecationWarning,
        stacklevel=3,
    )
    module, _, attribute = place.rpartition(".")
    holder = import_module(f"{package}.{module}") if module else sys.modules[package]
    return getattr(holder, attribute)
