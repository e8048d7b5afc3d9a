"""Policies as other libraries have them, as functions of Decisions: OpenSpiel, RLCard, PettingZoo, nashbench."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._util.arrays import Floats
from ..errors import SolutionError
from ..games.openspiel import OpenSpielGame
from .decisions import Decisions, Policy

if TYPE_CHECKING:
    from typing_extensions import TypeIs

AnyPolicy = Any
"""What is asked what it plays: a function, an agent of another library, or a list of one for each player."""


def is_policy(source: Any) -> TypeIs[Policy]:
    """Return whether something is asked what it plays: a function, an agent, or a list of these for the players."""
    if isinstance(source, tuple | list):
        return bool(source) and all(map(is_policy, source))
    return callable(source) or hasattr(source, _OPENSPIEL) or hasattr(source, _RLCARD)


_OPENSPIEL = "action_probabilities"
"""The method of policies and bots of OpenSpiel."""
_RLCARD = "eval_step"
"""The method of agents of RLCard, for play without learning."""


def read_policy(policy: AnyPolicy, rules: Any) -> Policy:
    """Return the function of Decisions that a policy of any kind is, in a game with these rules.

    Raises
    ------
    SolutionError
        There is not one policy for each player; or the policy plays games of OpenSpiel, which this
        is not.
    """
    if isinstance(policy, tuple | list):
        return _ask_players(policy, rules)
    if hasattr(policy, _OPENSPIEL):
        return _ask_openspiel(policy, rules)
    if hasattr(policy, _RLCARD):
        return _ask_rlcard(policy)
    if _takes_two(policy):
        return lambda decisions: policy(decisions.observations, decisions.legal)
    ask: Policy = policy
    return ask


def _takes_two(policy: Callable[..., Any]) -> bool:
    """Return whether a function must be given two arguments; one whose signature nobody knows need not."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        parameter
        for parameter in parameters
        if parameter.kind in positional and parameter.default is parameter.empty
    ]
    return len(needed) == 2


def _ask_players(policies: Sequence[Any], rules: Any) -> Policy:
    """Return the function that asks each player's policy about the decisions of this player."""
    if len(policies) != rules.players:
        raise SolutionError(
            f"A list of policies has one for each player: {rules.players} in this game; got "
            f"{len(policies)}.",
            wrong_use=True,
        )
    asks = [read_policy(policy, rules) for policy in policies]

    def ask(decisions: Decisions) -> Floats:
        table = np.zeros(decisions.legal.shape)
        for player in np.unique(decisions.player).tolist():
            rows = np.flatnonzero(decisions.player == player)
            table[rows] = to_array(asks[player](decisions.take(rows)))
        return table

    return ask


def to_array(answer: Any) -> Floats:
    """Return what a policy has answered as an array; tensors of PyTorch may carry gradients."""
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu()
    return np.asarray(answer, np.float64)


def _ask_openspiel(policy: Any, rules: Any) -> Policy:
    """Return the function that asks a policy of OpenSpiel, state by state."""
    if not isinstance(rules, OpenSpielGame):
        raise SolutionError(
            "A policy of OpenSpiel plays games of OpenSpiel, as 'openspiel:leduc_poker'; got "
            f"{rules}.",
            wrong_use=True,
        )

    def ask(decisions: Decisions) -> Floats:
        table = np.zeros(decisions.legal.shape)
        for row, state in zip(table, decisions.states, strict=True):
            for action, probability in policy.action_probabilities(state).items():
                row[action] = probability
        return table

    return ask


def _ask_rlcard(agent: Any) -> Policy:
    """Return the function that asks an agent of RLCard, decision by decision.

    It is given what RLCard's environments give, and what those of PettingZoo do. Where it tells no
    probabilities (``info["probs"]``) it is taken to play the action that it names, which it must
    name again when it is asked again.
    """

    def ask(decisions: Decisions) -> Floats:
        table = np.zeros(decisions.legal.shape)
        rows = zip(
            table,
            decisions.observations,
            decisions.raw_observations,
            decisions.legal,
            decisions.columns,
            decisions.actions,
            strict=True,
        )
        for row, observation, raw, legal, columns, names in rows:
            state = {
                "obs": observation.astype(
                    np.float64
                ),  # as RLCard has it, whose tables are by its bytes
                "legal_actions": dict.fromkeys(columns),
                "raw_obs": raw,
                "raw_legal_actions": list(names),
                "action_record": [],
                "observation": observation,
                "action_mask": legal.astype(np.int8),
            }
            row[list(columns)] = _ask_agent(agent, state)
        return table

    return ask


def _ask_agent(agent: Any, state: Mapping[str, Any]) -> list[float]:
    """Return the probabilities of the legal actions, in their order, that an agent of RLCard plays in a state."""
    columns = list(state["legal_actions"])
    names = state["raw_legal_actions"]
    action, info = agent.eval_step(dict(state))
    if isinstance(info, Mapping) and "probs" in info:
        probabilities = info["probs"]
        by_column = set(probabilities) == set(columns)
        keys = columns if by_column else names
        return [float(probabilities.get(key, 0.0)) for key in keys]
    if agent.eval_step(dict(state))[0] != action:
        raise SolutionError(
            f"The agent {type(agent).__name__} tells no probabilities (info['probs']), and plays "
            f"another action than {action} when it is asked again: have eval_step tell them."
        )
    played = names if action in names else columns
    return [float(key == action) for key in played]
