"""Strategies as other programs have them: OpenSpiel's ``TabularPolicy`` and Gambit's behaviour profile, and back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from .._util.text import install
from ..errors import GameError, SolutionError
from ..game.protocol import game_name
from ..games.gambit_write import write_efg
from ..games.openspiel import OpenSpielGame
from .reading import Key, check_missing

Table = dict[Key, dict[str, float]]
"""{(player, infoset): {action: probability}}."""


Lookup = Callable[[Key, Sequence[str], str], list[float] | None]
""":meth:`Strategy.probabilities_at`."""


def to_tabular_policy(lookup: Lookup, game: OpenSpielGame, *, missing: str | None = None) -> Any:
    """Return a strategy as OpenSpiel's ``TabularPolicy``, as described at :meth:`Strategy.to_openspiel`."""
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(game.rules)  # uniform
    lacking: list[Key] = []
    for row, state in enumerate(policy.states):
        key = (state.current_player(), game.infoset(state))
        actions = state.legal_actions()
        played = lookup(key, [game.action_label(state, action) for action in actions], str(game))
        if played is None:
            lacking.append(key)
        else:
            policy.action_probability_array[row, actions] = played
    _refuse_lacking(lacking, len(policy.states), str(game), missing)
    return policy


def from_tabular_policy(policy: Any) -> Table:
    """Return the strategy in a ``TabularPolicy`` of OpenSpiel, as {(player, infoset): {action: probability}}."""
    states = getattr(policy, "states", None)
    if states is None:
        raise SolutionError(
            f"A TabularPolicy of open_spiel.python.policy is needed; got {type(policy).__name__}.", wrong_use=True
        )
    table: Table = {}
    by_history = not policy.game.get_type().provides_information_state_string
    for row, state in enumerate(states):
        player = state.current_player()
        if player < 0:
            raise SolutionError(
                f"{policy.game}: players move at the same time. Make the policy for "
                "pyspiel.convert_to_turn_based(game).",
                wrong_use=True,
            )
        key = state.history_str() if by_history else state.information_state_string()
        probabilities = policy.action_probability_array[row]
        table[player, key] = {
            state.action_to_string(action): float(probabilities[action]) for action in state.legal_actions()
        }
    return table


def to_behavior_profile(lookup: Lookup, game: Any, *, missing: str | None = None) -> Any:
    """Return a strategy as Gambit's mixed behaviour profile, as described at :meth:`Strategy.to_gambit`."""
    try:
        import pygambit
    except ImportError as error:
        raise GameError(
            f"Profiles of Gambit need pygambit, which cannot be imported here: {install('gambit')}.", wrong_use=True
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        write_efg(game, path)
        profile = pygambit.read_efg(path).mixed_behavior_profile()  # uniform
    lacking: list[Key] = []
    infosets = list(_infosets(profile))
    for key, actions in infosets:
        played = lookup(key, [unquote(action.label) for action in actions], game_name(game))
        if played is None:
            lacking.append(key)
            continue
        for action, probability in zip(actions, played, strict=True):
            profile[action] = probability
    _refuse_lacking(lacking, len(infosets), game_name(game), missing)
    return profile


def from_behavior_profile(profile: Any) -> Table:
    """Return the strategy in a mixed behaviour profile of Gambit, as {(player, infoset): {action: probability}}."""
    if not hasattr(profile, "game") or not hasattr(profile, "payoff"):
        raise SolutionError(
            f"A mixed behaviour profile of pygambit is needed; got {type(profile).__name__}.", wrong_use=True
        )
    return {key: {unquote(a.label): float(profile[a]) for a in actions} for key, actions in _infosets(profile)}


def _infosets(profile: Any) -> Iterable[tuple[Key, list[Any]]]:
    for player in profile.game.players:
        for infoset in player.infosets:
            yield (player.number, unquote(infoset.label)), list(infoset.actions)


def _refuse_lacking(lacking: list[Key], infosets: int, game: str, missing: str | None) -> None:
    check_missing(missing)
    if lacking and missing is None:
        raise SolutionError(
            f"The strategy lacks {len(lacking)} of the {infosets} infosets of {game}, such as player "
            f"{lacking[0][0]} {lacking[0][1]!r}. Solve that very game, or complete it with missing='uniform'."
        )
