"""Policies as other libraries have them, as functions of Decisions: OpenSpiel, RLCard, PettingZoo, nashbench."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .._util.arrays import Floats, Ints
from .._util.text import short_repr
from ..errors import SolutionError
from ..games.openspiel import OpenSpielGame
from .decisions import Decisions, Policy

if TYPE_CHECKING:
    from typing_extensions import TypeIs

AnyPolicy = Any
"""What is asked what it plays: a function, an agent of another library, or a list of one for each player."""


class StatePolicy(Protocol):
    """A policy that is asked about states as integers, thousands at a time, without an object for each of them."""

    def at_states(self, game: str, states: Ints) -> Floats:
        """Return what is played at some states of a game, shape (n, integers of a state).

        The probabilities of the actions of the first state, in the order of its rules, then those
        of the second, and so on; flat.
        """


def is_state_policy(source: object) -> TypeIs[StatePolicy]:
    """Return whether something answers for states as integers."""
    return hasattr(source, "at_states")


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
            answer = to_array(asks[player](decisions.take(rows)))
            check_shape(answer, decisions.legal[rows].shape)
            table[rows] = answer
        return table

    return ask


def to_array(answer: Any) -> Floats:
    """Return what a policy has answered as an array; tensors of PyTorch may carry gradients.

    Raises
    ------
    SolutionError
        It is not made of numbers.
    """
    if hasattr(answer, "detach"):
        answer = answer.detach().cpu()
    try:
        return np.asarray(answer, np.float64)
    except (TypeError, ValueError) as error:
        raise SolutionError(
            "A policy returns an array of probabilities, a row for each infoset; got "
            f"{short_repr(answer)}."
        ) from error


def check_shape(answer: Floats, shape: tuple[int, ...]) -> None:
    """Raise a SolutionError unless a policy has answered with an array of a shape."""
    if answer.shape != shape:
        raise SolutionError(
            f"A policy returns an array of probabilities of shape {shape}, a row for each infoset; "
            f"got shape {answer.shape}."
        )


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
        rows = zip(table, decisions.states, decisions.columns, strict=True)
        for row, state, columns in rows:
            answer = policy.action_probabilities(state)
            row[list(columns)] = _read_probabilities(policy, _OPENSPIEL, answer, [columns])
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
    action, info = _step(agent, state)
    if isinstance(info, Mapping) and "probs" in info:
        return _read_probabilities(agent, "info['probs']", info["probs"], [columns, names])
    if _step(agent, state)[0] != action:
        raise SolutionError(
            f"The agent {type(agent).__name__} tells no probabilities (info['probs']), and plays "
            f"another action than {action} when it is asked again: have eval_step tell them."
        )
    return _read_probabilities(agent, "The action of eval_step", {action: 1.0}, [columns, names])


def _step(agent: Any, state: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the action that an agent of RLCard names in a state, and what it says besides."""
    answer = agent.eval_step(dict(state))
    is_pair = isinstance(answer, tuple | list) and len(answer) == 2
    if not is_pair or not isinstance(answer[0], Hashable):
        raise SolutionError(
            f"eval_step of {type(agent).__name__} returns an action and a dictionary of "
            f"information, as agents of RLCard do; got {short_repr(answer)}."
        )
    action, info = answer
    return action, info


def _read_probabilities(
    agent: Any, what: str, answer: Any, namings: Sequence[Sequence[Any]]
) -> list[float]:
    """Return the probabilities of the legal actions, in their order, from a mapping.

    Legal actions that it lacks have probability 0, and it may have others with probability 0.

    Parameters
    ----------
    agent : object
        Who has answered.
    what : str
        What the answer is, for the sentence that refuses it.
    answer : Any
        A mapping of actions to probabilities.
    namings : sequence of sequences
        What the actions may be called; the first of them that has all names of the answer.

    Raises
    ------
    SolutionError
        It is no mapping, has an action that is not legal, or something that is no number.
    """
    owner = type(agent).__name__
    if not isinstance(answer, Mapping):
        raise SolutionError(
            f"{what} of {owner} is {{action: probability}}; got {short_repr(answer)}."
        )
    numbers = {name: _read_number(owner, what, value) for name, value in answer.items()}
    played = [name for name, number in numbers.items() if number != 0]
    for names in namings:
        if all(name in names for name in played):
            return [numbers.get(name, 0.0) for name in names]
    legal = " or ".join(str(list(names)) for names in namings)
    raise SolutionError(
        f"{what} of {owner} has an action that is not legal: {short_repr(dict(answer))}, where "
        f"{legal} are; leave out what is not."
    )


def _read_number(owner: str, what: str, value: Any) -> float:
    """Return a probability as a float; NumPy and PyTorch have numbers of their own."""
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise SolutionError(
            f"{what} of {owner} is {{action: probability}}, with numbers; got {short_repr(value)}."
        ) from error
