"""Games of OpenSpiel (https://github.com/google-deepmind/open_spiel), as Equilibrist's games."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from .._util.display import Display
from .._util.text import install_command
from ..errors import GameError, SolutionError, nearest
from ..game.protocol import CHANCE, TERMINAL

OBJECT = "object "
"""What the name of a game begins with that no text of OpenSpiel makes again."""
_PLAYS_COMPARED = 30
_SEED = 0


class OpenSpielGame(Display):
    """A game of OpenSpiel whose chance is explicit; games with simultaneous moves are made turn-based.

    States are OpenSpiel's own, actions its integers. An infoset is the information state string of
    the player to move; in a game of perfect information that has none, it is the history.

    A game that cannot be written out as a tree is refused: its chance is sampled, it is a
    mean-field game, it does not say what a player knows, or OpenSpiel crashes when it is played. A
    walk over all histories visits about a million of them a second.

    Parameters
    ----------
    game : str or pyspiel.Game
        A text as ``pyspiel.load_game`` takes it, or a game of OpenSpiel. Functions that take a game
        take such an object as it is, too. Some of them have no text that makes them again, such as
        those of ``create_matrix_game`` and ``load_efg_game``: a saved run of one is loaded with the
        object, ``game=…``.

    Raises
    ------
    GameError
        OpenSpiel is not installed, has no such game, or the game cannot be solved.

    Examples
    --------
    >>> import equilibrist as eq
    >>> import pyspiel  # doctest: +SKIP
    >>> hide = [[0.0, 2.0], [1.0, 0.0]]
    >>> game = pyspiel.create_matrix_game(hide, [[-x for x in row] for row in hide])  # doctest: +SKIP
    >>> print(f"{eq.exact(eq.OpenSpielGame(game)).value[0]:.4f}")  # doctest: +SKIP
    0.6667
    """

    def __init__(self, game: Any) -> None:
        is_text = isinstance(game, str)
        rules = _load(game) if is_text else _check_object(game)
        text = str(rules).removesuffix("()")
        self.has_text = is_text or _makes_same_game(text, rules)
        self._name = text if self.has_text else f"{OBJECT}{text}"
        self.rules = _make_turn_based(rules)
        if self.has_text:
            _check_plays(str(self.rules), self._name)
        self._by_history = not rules.get_type().provides_information_state_string
        self.players: int = rules.num_players()
        self.num_actions: int = self.rules.num_distinct_actions()

    def __str__(self) -> str:
        return f"openspiel:{self._name}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.has_text:
            raise GameError(
                f"The game '{self}' cannot be sent to other processes, as no text of OpenSpiel "
                "makes it again; solve it in this one, or write it as a file (eq.write_efg).",
                wrong_use=True,
            )
        return type(self), (self._name,)

    def start(self) -> Any:
        """Return the state at the start."""
        return self.rules.new_initial_state()

    def player(self, state: Any) -> int:
        """Return who moves: a player, CHANCE or TERMINAL."""
        player: int = state.current_player()
        # OpenSpiel's chance is -1, as ours is; what lies below it can only be the end, here.
        if player >= CHANCE:
            return player
        return TERMINAL

    def actions(self, state: Any) -> list[int]:
        """Return the legal actions, or the outcomes of chance."""
        if state.is_chance_node():
            return [outcome for outcome, _ in state.chance_outcomes()]
        actions: list[int] = state.legal_actions()
        return actions

    def probabilities(self, state: Any) -> list[float]:
        """Return the probability of each outcome of chance."""
        return [probability for _, probability in state.chance_outcomes()]

    def next(self, state: Any, action: int) -> Any:
        """Return the state after an action."""
        return state.child(action)

    def payoffs(self, state: Any) -> list[float]:
        """Return the payoff of every player at the end: the sum of the rewards along the way."""
        payoffs: list[float] = state.returns()
        return payoffs

    def infoset(self, state: Any) -> str:
        """Return what the player to move knows: the information state string, or the history."""
        infoset: str = state.history_str() if self._by_history else state.information_state_string()
        return infoset

    def observation(self, state: Any) -> list[float]:
        """Return what the player to move knows as numbers: the information state tensor, or that of the observation."""
        kind = self.rules.get_type()
        if kind.provides_information_state_tensor:
            tensor: list[float] = state.information_state_tensor()
        elif kind.provides_observation_tensor:
            tensor = state.observation_tensor()
        else:
            raise SolutionError(
                f"{self} has no tensor of what a player knows: ask for decisions.infosets."
            )
        return tensor

    @property
    def built_in(self) -> str | None:
        """The built-in game with hidden moves that has the same rules, or None: there are compiled rules of it."""
        name = str(self.rules.get_type().short_name)
        if name not in ("phantom_ttt", "dark_hex"):
            return None
        parameters = self.rules.get_parameters()
        if name == "phantom_ttt":
            if parameters["gameversion"] == "abrupt":
                return "phantom_ttt(abrupt=True)"
            return name
        if not parameters["board_size"] == parameters["num_rows"] == parameters["num_cols"]:
            return None
        return f"dark_hex(size={parameters['board_size']}{', abrupt=True' * (parameters['gameversion'] == 'adh')})"

    def action_label(self, state: Any, action: int) -> str:
        """Return what OpenSpiel calls an action."""
        label: str = state.action_to_string(action)
        return label


def _load(spec: str) -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise GameError(
            f"The game 'openspiel:{spec}' needs OpenSpiel, which cannot be imported here: "
            f"{install_command('openspiel')} "
            "(there is none for Windows).",
            wrong_use=True,
        ) from error
    if spec.startswith(OBJECT):
        raise GameError(
            f"The game 'openspiel:{spec}' was an object of OpenSpiel, which no text makes again: "
            "give the object itself (game=…).",
            wrong_use=True,
        )
    name = spec.partition("(")[0].strip()
    registered = pyspiel.registered_names()
    if name not in registered:
        raise GameError(
            f"OpenSpiel has no game {name!r}.{nearest(name, registered)}", wrong_use=True
        )
    try:
        with _silence_errors():
            return pyspiel.load_game(spec)
    except Exception as error:
        # SpielError mostly; some games let C++'s own errors through (IndexError: map::at).
        # A failed check begins with the file and line of OpenSpiel's C++ source, which help nobody
        # here.
        reason = "; ".join(re.sub(r"^\S+\.(cc|h):\d+ ", "", str(error)).strip().splitlines())
        raise GameError(
            f"OpenSpiel refuses {spec!r}: {reason.removesuffix('.')}.", wrong_use=True
        ) from error


def is_openspiel(game: Any) -> bool:
    """Return whether something is a game of OpenSpiel; without importing it, as nothing is one before that."""
    pyspiel = sys.modules.get("pyspiel")
    return pyspiel is not None and isinstance(game, pyspiel.Game)


def _check_object(game: Any) -> Any:
    if not is_openspiel(game):
        raise GameError(
            "A game of OpenSpiel is a text, 'leduc_poker', or an object of pyspiel.Game; got "
            f"{game!r}.",
            wrong_use=True,
        )
    return game


def _makes_same_game(text: str, rules: Any) -> bool:
    """Return whether OpenSpiel makes the same game of a text: some random plays of both go and end alike."""
    import pyspiel

    if text.partition("(")[0] not in pyspiel.registered_names():
        return False
    try:
        with _silence_errors():
            game = pyspiel.load_game(text)
            return (
                str(game) == str(rules)
                and _matrix_payoffs(game) == _matrix_payoffs(rules)
                and _play_alike(game, rules)
            )
    except Exception:  # as in :func:`_load`; a file that the text does not name, most of all
        return False


def _matrix_payoffs(rules: Any) -> list[list[float]] | None:
    """Return all payoffs of a matrix game of two players; None of others."""
    if not hasattr(rules, "row_utilities"):
        return None
    return [rules.row_utilities(), rules.col_utilities()]


def _play_alike(game: Any, other: Any) -> bool:
    source = random.Random(_SEED)
    for _ in range(_PLAYS_COMPARED):
        first = game.new_initial_state()
        second = other.new_initial_state()
        while not first.is_terminal():
            same_actions = (
                first.is_simultaneous_node() or first.legal_actions() == second.legal_actions()
            )
            same_chance = (
                not first.is_chance_node() or first.chance_outcomes() == second.chance_outcomes()
            )
            if str(first) != str(second) or not (same_actions and same_chance):
                return False
            if first.is_simultaneous_node():
                joint = [
                    source.choice(first.legal_actions(player))
                    for player in range(game.num_players())
                ]
                first.apply_actions(joint)
                second.apply_actions(joint)
            else:
                action = source.choice(first.legal_actions())
                first.apply_action(action)
                second.apply_action(action)
        if not second.is_terminal() or first.returns() != second.returns():
            return False
    return True


def _make_turn_based(rules: Any) -> Any:
    """Return ``rules`` with moves in turn, or say why they cannot be a tree of histories and infosets."""
    import pyspiel

    kind = rules.get_type()
    refusal = f"The game 'openspiel:{kind.short_name}' cannot be solved here: "
    if kind.dynamics == kind.Dynamics.MEAN_FIELD:
        raise GameError(
            f"{refusal}it is a mean-field game, of infinitely many players.", wrong_use=True
        )
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(
            f"{refusal}it samples its chance moves and does not list them with their "
            "probabilities; choose a game, or parameters, with explicit chance.",
            wrong_use=True,
        )
    in_turn = kind.dynamics == kind.Dynamics.SEQUENTIAL
    # Where nothing is hidden the history says it; a simultaneous move is hidden even from those who
    # see everything.
    open_to_all = in_turn and kind.information == kind.Information.PERFECT_INFORMATION
    if not (kind.provides_information_state_string or open_to_all):
        raise GameError(
            f"{refusal}it has moves that a player does not see, and no information state string "
            "to say what this player knows.",
            wrong_use=True,
        )
    if in_turn:
        return rules
    return pyspiel.convert_to_turn_based(rules)


_OUT_OF_MEMORY = 3
_MOST_MOVES = 100  # bridge takes ten seconds for them, and no other game a fifth of one
_PLAYS = f"""
import random, sys
import pyspiel
rules = pyspiel.load_game(sys.argv[1])
tells = rules.get_type().provides_information_state_string
random.seed(0)
moves = 0
try:
    while moves < {_MOST_MOVES}:
        state = rules.new_initial_state()
        moves += 1
        while not state.is_terminal() and moves < {_MOST_MOVES}:
            moves += 1
            if tells and not state.is_chance_node():
                state.information_state_string()
            state = state.child(random.choice(state.legal_actions()))
except MemoryError:
    sys.exit({_OUT_OF_MEMORY})
except Exception:
    pass
"""


@cache
def _check_plays(spec: str, name: str) -> None:
    """Refuse a game in whose C++ code random plays crash, which is tried in a process of its own."""
    try:
        command = [sys.executable, "-P", "-c", _PLAYS, spec]
        code = subprocess.run(command, capture_output=True, timeout=20, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):  # nothing has been found
        return
    if code < 0 or code == _OUT_OF_MEMORY:
        reason = f"signal {-code}" if code < 0 else "out of memory"
        raise GameError(
            f"The game 'openspiel:{name}' cannot be solved here: OpenSpiel's own code crashes "
            f"when it is played at random ({reason}); choose another game, or other parameters.",
            wrong_use=True,
        )


@contextmanager
def _silence_errors() -> Iterator[None]:
    """Close standard error to C++: OpenSpiel prints each error there before it raises it."""
    sys.stderr.flush()
    stderr = os.dup(2)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
