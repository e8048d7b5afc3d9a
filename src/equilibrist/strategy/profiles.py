"""Strategies as other programs have them: OpenSpiel's ``TabularPolicy`` and Gambit's behaviour profile, and back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from .._util.text import install_command
from ..errors import GameError, SolutionError
from ..game.protocol import CHANCE, TERMINAL, game_name
from ..games.gambit_game import ESCAPED, GambitGame
from ..games.gambit_objects import from_gambit, is_tree
from ..games.gambit_read import make_unique_names
from ..games.gambit_write import write_efg
from ..games.openspiel import OpenSpielGame
from .by_name import Key
from .reading import check_missing

Table = dict[Key, dict[str, float]]
"""{(player, infoset): {action: probability}}."""


Lookup = Callable[[Key, Sequence[str], str], list[float] | None]
""":meth:`Strategy.probabilities_at`."""


def to_tabular_policy(lookup: Lookup, game: OpenSpielGame, *, missing: str | None = None) -> Any:
    """Return a strategy as OpenSpiel's ``TabularPolicy``, as described at :meth:`Strategy.to_openspiel`."""
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(game.rules)  # uniform
    keys_lacking: list[Key] = []
    for row, state in enumerate(policy.states):
        key = (state.current_player(), game.infoset(state))
        actions = state.legal_actions()
        probabilities = lookup(
            key, [game.action_label(state, action) for action in actions], str(game)
        )
        if probabilities is None:
            keys_lacking.append(key)
        else:
            policy.action_probability_array[row, actions] = probabilities
    _refuse_lacking(keys_lacking, len(policy.states), str(game), missing)
    return policy


def from_tabular_policy(policy: Any) -> Table:
    """Return the strategy in a ``TabularPolicy`` of OpenSpiel, as {(player, infoset): {action: probability}}."""
    states = getattr(policy, "states", None)
    if states is None:
        raise SolutionError(
            f"A TabularPolicy of open_spiel.python.policy is needed; got {type(policy).__name__}.",
            wrong_use=True,
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
        if by_history:
            key = state.history_str()
        else:
            key = state.information_state_string()
        probabilities = policy.action_probability_array[row]
        table[player, key] = {
            state.action_to_string(action): float(probabilities[action])
            for action in state.legal_actions()
        }
    return table


def to_behavior_profile(lookup: Lookup, game: Any, *, missing: str | None = None) -> Any:
    """Return a strategy as Gambit's mixed behaviour profile, as described at :meth:`Strategy.to_gambit`."""
    try:
        import pygambit
    except ImportError as error:
        raise GameError(
            "Profiles of Gambit need pygambit, which cannot be imported here: "
            f"{install_command('gambit')}.",
            wrong_use=True,
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        write_efg(game, path)
        profile = pygambit.read_efg(path).mixed_behavior_profile()  # uniform
    keys_lacking: list[Key] = []
    infosets = _profile_infosets(profile)
    for infoset in infosets:
        probabilities = lookup(infoset.key, infoset.actions, game_name(game))
        if probabilities is None:
            keys_lacking.append(infoset.key)
        else:
            infoset.write(probabilities)
    _refuse_lacking(keys_lacking, len(infosets), game_name(game), missing)
    return profile


def is_profile(source: Any) -> bool:
    """Return whether something is a profile of pygambit, of which nothing need be imported to ask that."""
    return hasattr(source, "game") and (hasattr(source, "payoff") or hasattr(source, "payoffs"))


def from_gambit_profile(profile: Any) -> Table:
    """Return the strategy in a mixed profile of Gambit, as {(player, infoset): {action: probability}}.

    Parameters
    ----------
    profile : a mixed profile of pygambit
        Of behaviour; or of strategies, which in a tree are played as the behaviour that reaches
        everything equally often, and in a table are the choices.
    """
    if not is_profile(profile):
        raise SolutionError(
            f"A mixed profile of pygambit is needed; got {type(profile).__name__}.",
            wrong_use=True,
        )
    if hasattr(profile, "as_behavior"):
        if not is_tree(profile.game):
            return _choices_of_table(profile)
        profile = profile.as_behavior()
    return {
        infoset.key: dict(zip(infoset.actions, infoset.read(), strict=True))
        for infoset in _profile_infosets(profile)
    }


class _Infoset(NamedTuple):
    """An infoset of a profile of pygambit.

    Attributes
    ----------
    key : Key
    actions : list of str
    read : callable
        The probability of each action.
    write : callable
    """

    key: Key
    actions: list[str]
    read: Callable[[], list[float]]
    write: Callable[[list[float]], None]


def _profile_infosets(profile: Any) -> list[_Infoset]:
    """Return the infosets of a profile, by what the version of pygambit that made it can be asked."""
    if hasattr(profile, "set_mixed_action"):
        of_version = _history_infosets
    else:
        of_version = _label_infosets
    return list(of_version(profile))


def _label_infosets(profile: Any) -> Iterator[_Infoset]:
    """Yield infosets as pygambit 16 has them: objects of players, and probabilities by the objects of actions.

    They are named as those of a file are: by their labels, or by numbers.
    """
    read_label = _label_reader(profile.game)
    for player in profile.game.players:
        infosets = dict(enumerate(player.infosets, start=1))
        infoset_names = make_unique_names(
            {number: read_label(infoset) for number, infoset in infosets.items()}
        )
        for number, infoset in infosets.items():
            actions = list(infoset.actions)
            labels = map(read_label, actions)
            names = list(make_unique_names(dict(enumerate(labels, start=1))).values())

            def read(actions: list[Any] = actions) -> list[float]:
                return [float(profile[action]) for action in actions]

            def write(probabilities: list[float], actions: list[Any] = actions) -> None:
                for action, probability in zip(actions, probabilities, strict=True):
                    profile[action] = probability

            yield _Infoset((player.number, infoset_names[number]), names, read, write)


def _label_reader(game: Any) -> Callable[[Any], str]:
    """Return what tells the label of an object of a game; in games that we have written labels are escaped."""
    comments = (getattr(game, "description", ""), getattr(game, "comment", ""))
    if ESCAPED in comments:
        return lambda member: unquote(member.label)
    return lambda member: str(member.label)


def _choices_of_table(profile: Any) -> Table:
    """Return how often each strategy of a game without a tree is played, with the names that its file gives."""
    table: Table = {}
    rules = from_gambit(profile.game)
    names = _walk_infosets(rules)
    for number, player in enumerate(profile.game.players):
        if hasattr(profile, "set_mixed_strategy"):  # version 17, whose players are labels
            shares = [float(share) for share in dict(profile[player]).values()]
        else:
            shares = [float(profile[strategy]) for strategy in player.strategies]
        for infoset, actions in names[number].items():
            table[number, infoset] = dict(zip(actions, shares, strict=True))
    return table


def _history_infosets(profile: Any) -> Iterator[_Infoset]:
    """Yield infosets as pygambit 17 has them: a history each, of which the game as a file tells the label.

    The infosets of a player come in the order in which a walk over the tree first meets them, there
    as here.
    """
    from pygambit import H

    game = profile.game
    names = _walk_infosets(from_gambit(game))
    for player, label in enumerate(game.players):
        for history, (name, actions) in zip(
            game.get_infosets(label), names[player].items(), strict=True
        ):
            place = H.path(*history.actions)
            labels = list(game.get_actions(place))

            def read(place: Any = place, labels: list[str] = labels) -> list[float]:
                strategy = dict(profile[place])
                return [float(strategy[label]) for label in labels]

            def write(
                probabilities: list[float], place: Any = place, labels: list[str] = labels
            ) -> None:
                profile[place] = dict(zip(labels, probabilities, strict=True))

            yield _Infoset((player, name), actions, read, write)


def _walk_infosets(rules: GambitGame) -> list[dict[str, list[str]]]:
    """Return the actions of each infoset of each player, in the order in which a walk over the tree meets them."""
    names: list[dict[str, list[str]]] = [{} for _ in range(rules.players)]
    stack = [rules.start()]
    while stack:
        state = stack.pop()
        player = rules.player(state)
        if player == TERMINAL:
            continue
        actions = rules.actions(state)
        if player != CHANCE:
            names[player].setdefault(rules.infoset(state), actions)
        stack += [rules.next(state, action) for action in reversed(actions)]
    return names


def _refuse_lacking(keys_lacking: list[Key], infosets: int, game: str, missing: str | None) -> None:
    check_missing(missing)
    if keys_lacking and missing is None:
        raise SolutionError(
            f"The strategy lacks {len(keys_lacking)} of the {infosets} infosets of {game}, such as "
            "player "
            f"{keys_lacking[0][0]} {keys_lacking[0][1]!r}. Solve that very game, or complete it with "
            "missing='uniform'."
        )
