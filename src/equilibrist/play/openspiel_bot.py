"""Strategies as bots of OpenSpiel, which its matches and its policy tools take."""

from __future__ import annotations

import random
from typing import Any

from .._util.text import install_command
from ..errors import GameError, SolutionError
from ..games.openspiel import OpenSpielGame
from ..solving.sources import AnySource, read_strategy
from ..strategy.convert import as_strategy, missing_play
from ..strategy.reading import check_missing
from .dealing import draw_index
from .session import choose_seed

try:
    from pyspiel import Bot
except ImportError:  # said when a bot is made
    Bot = object


_PLAYERS = 10  # as many as games of OpenSpiel have at most


class OpenSpielBot(Bot):  # type: ignore[misc]
    """A bot of OpenSpiel that plays a strategy, in any seat; it also has the method that policies have.

    It remembers nothing of a play: OpenSpiel's ``step``, ``restart_at`` and ``step_with_policy``
    may be called at any state whose player moves alone.

    Parameters
    ----------
    run : Strategy, Solution, mapping, or path
        A strategy of a game of OpenSpiel (``"openspiel:…"``), a solution, the folder of a saved
        run, or a CSV file.
    seed : int, optional
        Decides what is drawn; by default another each time.
    missing : {None, "uniform"}
        Whether infosets that the strategy lacks are an error or played uniformly, as by default
        those are that a run sampled without a tree has never met.

    Raises
    ------
    GameError
        OpenSpiel is not installed.
    SolutionError
        The strategy cannot be read; in play, it lacks the infoset or players move at the same time.

    Examples
    --------
    >>> import equilibrist as eq, pyspiel  # doctest: +SKIP
    >>> bot = eq.OpenSpielBot(eq.solve("openspiel:kuhn_poker", until=1e-4), seed=1)  # doctest: +SKIP
    >>> start = pyspiel.load_game("kuhn_poker").new_initial_state()  # doctest: +SKIP
    >>> payoffs = pyspiel.evaluate_bots(start, [bot, bot], 1)  # doctest: +SKIP
    """

    def __init__(
        self, run: AnySource, *, seed: int | None = None, missing: str | None = None
    ) -> None:
        if Bot is object:
            raise GameError(
                "A bot of OpenSpiel needs OpenSpiel, which cannot be imported here: "
                f"{install_command('openspiel')} (there is "
                "none for Windows).",
                wrong_use=True,
            )
        super().__init__()
        check_missing(missing)
        source = read_strategy(run)
        self._strategy = as_strategy(source, lambda _: range(_PLAYERS))
        self._missing = missing_play(source, missing)
        self._random = random.Random(choose_seed(seed))
        self._game: OpenSpielGame | None = None

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return {action: probability} of who moves, as policies of OpenSpiel do (``open_spiel.python.policy``)."""
        player = state.current_player()
        if state.is_simultaneous_node():
            raise SolutionError(
                f"In {state.get_game()} players move at the same time: play "
                "pyspiel.convert_to_turn_based(game).",
                wrong_use=True,
            )
        if player < 0 or player_id not in (None, player):
            raise SolutionError(
                f"A bot plays where its player moves; got a state where {player} does.",
                wrong_use=True,
            )
        if self._game is None:
            self._game = OpenSpielGame(state.get_game())
        key = (player, self._game.infoset(state))
        actions = state.legal_actions()
        labels = [self._game.action_label(state, action) for action in actions]
        row = self._strategy.probabilities_at(key, labels, str(self._game))
        if row is None:
            if self._missing is None:
                raise SolutionError(
                    f"The strategy lacks player {key[0]} {key[1]!r} of {self._game}. Solve that "
                    "very game, or complete it with missing='uniform'."
                )
            row = [1 / len(actions)] * len(actions)
        return dict(zip(actions, row, strict=True))

    # What OpenSpiel asks of a bot: https://openspiel.readthedocs.io

    def step(self, state: Any) -> int:
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        policy = self.get_policy(state)
        return policy, policy[draw_index(self._random, [odds for _, odds in policy])][0]

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        return list(self.action_probabilities(state).items())

    def provides_policy(self) -> bool:
        return True

    def restart(self) -> None:
        pass

    def restart_at(self, state: Any) -> None:
        pass
