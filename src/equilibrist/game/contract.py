"""The contract of a game, checked on random plays: for the tests of any game, however large it is."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from ..errors import GameError
from .checked import CheckedGame, check_players
from .plays import check_repeatable, name_moves
from .protocol import CHANCE, TERMINAL, Game
from .public import PublicGame
from .unfold import to_extensive_form


def check_contract(
    game: Game | PublicGame, *, plays: int = 100, seed: int = 0, max_moves: int = 1_000
) -> None:
    """Play a game at random and raise an error that names the first thing that is wrong.

    :func:`equilibrist.check_game` sees every history, this a few, of a game of any size. Besides what that checks
    (answers that make sense, the same actions wherever a player cannot tell histories apart,
    perfect recall), this sees that states stay as they are, that actions and infosets are hashable
    and actions differ by name, and that ``table`` returns rows of two texts.

    Parameters
    ----------
    game : Game or PublicGame
        The rules; a public game is unfolded.
    plays : int
        How many plays.
    seed : int
        Decides which.
    max_moves : int
        The most moves of a play.

    Raises
    ------
    GameError
        The first thing that is wrong, in one sentence, with the moves that lead there.

    Examples
    --------
    >>> import equilibrist as eq
    >>> check_contract(eq.load("leduc"))
    """
    rules = to_extensive_form(game)
    checker = _Checker(rules, max_moves)
    random = Random(seed)
    for _ in range(plays):
        checker.play(random)
    check_repeatable(rules, plays=plays, seed=seed)


class _Checker:
    """Plays of one game, and the infosets that they have met."""

    def __init__(self, game: Game, max_moves: int) -> None:
        self.game = game
        self.max_moves = max_moves
        self.numbers: list[int] = []  # of the actions of the play so far
        self.ask = CheckedGame(game, check_players(game), lambda _: name_moves(game, self.numbers))
        # Of each player and infoset: its actions, and the infosets and actions of that player
        # before it.
        self.met: dict[tuple[int, Hashable], tuple[Any, Any]] = {}

    def play(self, random: Random) -> None:
        ask = self.ask
        self.numbers = []
        past: list[tuple[Any, ...]] = [()] * ask.players
        with ask.rule_errors(0):
            state = self.game.start()
            while (player := ask.mover(0, state)) != TERMINAL:
                actions = ask.actions(0, state)
                if player == CHANCE:
                    ask.probabilities(0, state, len(actions))
                    ask.labels(0, state, actions, "")
                else:
                    infoset = self._decision(state, player, actions, past[player])
                number = random.randrange(len(actions))
                if player != CHANCE:
                    past[player] = (*past[player], (infoset, actions[number]))
                state = ask.next(0, state, actions[number])
                self.numbers.append(number)
                if len(self.numbers) > self.max_moves:
                    raise self._rule_error(f"a play ends within max_moves={self.max_moves} moves")
            ask.payoffs(0, state)

    def _decision(
        self, state: Any, player: int, actions: tuple[Hashable, ...], past: tuple[Any, ...]
    ) -> Hashable:
        infoset = self.game.infoset(state)
        self.ask.labels(0, state, actions, str(infoset))
        first_seen = self.met.setdefault((player, infoset), (actions, past))
        if first_seen[0] != actions:
            raise self._rule_error(
                f"all histories of infoset {infoset!r} have the same actions, {list(first_seen[0])!r}"
            )
        if first_seen[1] != past:
            raise self._rule_error(
                f"infoset {infoset!r} tells what player {player} has seen and done before (perfect "
                "recall)"
            )
        table = getattr(self.game, "table", None)
        if table is not None and not _is_table(table(state, player)):
            raise self._rule_error("table() returns a list of pairs of texts, label and text")
        return infoset

    def _rule_error(self, rule: str) -> GameError:
        return GameError(
            f"{self.ask.name}: it must be so that {rule}; it is not after {self.ask.history(0)}."
        )


def _is_table(rows: Any) -> bool:
    return isinstance(rows, list) and all(
        isinstance(row, tuple) and len(row) == 2 and all(isinstance(text, str) for text in row)
        for row in rows
    )
