"""Luck taken out of what was earned, by values of histories: AIVAT (Burch, Schmid, Moravčík, Morrill & Bowling 2018).

Let b(h) be any guess at what a player earns on average from history h on. Wherever chance moves, or
a player whose strategy σ is known, the guess at what comes less the guess at what came has the mean
0:

    c(h, a) = Σ_a' σ(a'|h) b(h·a') − b(h·a).

So the payoff plus all c(h, a) of a hand estimates the same mean, whatever b is. The better b is,
the less variance is left: with the exact values nothing but that of the choices of players whose
strategy is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._util.arrays import Floats
from .._util.spec import parse_call
from .._util.text import count_text
from ..errors import AlgorithmError, GameError
from ..form.compiled_game import is_compiled
from ..form.limits import CompileBudget
from ..form.sequence.build import compile_sequence
from ..form.sequence.tree import ROOT, GameTree, history_values, levels, move_probabilities
from ..game.protocol import CHANCE
from ..solving.sources import AnySource
from .hand import HandLuck, Move
from .opponents import Opponent, make_opponent
from .playable import PlayableGame

SIDES = ("strategy", "against")
MOST_VALUED = 1_000_000  # histories that are written out where a game is compiled without its tree
_NOTHING = 1e-9  # of the raw standard error: what is less comes from rounding


@dataclass(frozen=True)
class AIVAT:
    """Which luck is taken out of the result of a match: that of chance, and of players whose strategies are known.

    Parameters
    ----------
    sides : sequence of str
        Whose strategy is known besides the probabilities of chance: ``"strategy"``, ``"against"``,
        both or none. Of a person who plays nothing is known.
    baseline : Strategy, Solution, mapping, or path, optional
        The strategy of all players whose values of histories are the baseline; by default what is
        played in the match, and against a person what the others play. Infosets that it lacks are
        played uniformly.

    Raises
    ------
    AlgorithmError
        A side is not called so.

    References
    ----------
    Burch, Schmid, Moravčík, Morrill & Bowling 2018, "AIVAT: a new variance reduction technique for
    agent evaluation in imperfect information games"; without its averages over the hands that a
    known player could have held.

    Examples
    --------
    >>> import equilibrist as eq
    >>> chance_only = eq.AIVAT(sides=())
    >>> match = eq.play_match("kuhn", {}, against={}, missing="uniform", seat=0, seed=1, variance=chance_only)
    >>> match.overall.aivat.standard_error < match.overall.standard_error
    True
    """

    sides: Sequence[str] = SIDES
    baseline: AnySource | None = None

    def __post_init__(self) -> None:
        if isinstance(self.sides, list | tuple):
            sides = tuple(self.sides)
        else:
            sides = (self.sides,)
        if not all(side in SIDES for side in sides):
            raise AlgorithmError(
                f"sides has 'strategy', 'against', both or none of them; got {self.sides!r}."
            )
        object.__setattr__(self, "sides", sides)


def find_variance(variance: str | AIVAT | None) -> AIVAT | None:
    """Return how variance is reduced, given as such or as text: ``"aivat"``, ``"aivat(sides='against')"``."""
    if variance is None or isinstance(variance, AIVAT):
        return variance
    example = "aivat(baseline='runs/leduc')"
    name, settings = parse_call(str(variance), AlgorithmError, example=example)
    if name.strip().lower() != "aivat" or not settings.keys() <= {"sides", "baseline"}:
        raise AlgorithmError(
            f"variance must be 'aivat', an AIVAT, or as in {example!r}; got {variance!r}."
        )
    return AIVAT(**settings)


class Luck:
    """Luck in hands, seen by a baseline: Σ c(h, a) over moves of chance and of players whose strategy is known.

    Parameters
    ----------
    tree : GameTree
        The histories of the game.
    baseline : float64 array, shape (histories, players)
        b, what each player is thought to earn from each history on; payoff.
    is_known : sequence of bool
        Of which players the strategy is known.
    """

    def __init__(self, tree: GameTree, baseline: Floats, is_known: Sequence[bool]) -> None:
        self.tree = tree
        self.baseline = baseline
        self.is_known = is_known

    @classmethod
    def of_match(
        cls,
        aivat: AIVAT,
        playable: PlayableGame,
        strategy: Opponent,
        against: Opponent,
        seat: int | None,
        on_stage: Callable[[str], None] | None = None,
    ) -> HandLuck:
        """Return the luck where a strategy plays in a seat against another; against a person the seat is None.

        A :class:`~equilibrist.errors.GameError` says that a game has too many histories.
        """
        sides = [SIDES[0] if player == seat else SIDES[1] for player in range(playable.players)]
        is_known = [side in aivat.sides for side in sides]
        form = playable.form
        if is_compiled(form) and form.keeps_weights and form.histories > MOST_VALUED:
            return _measure_luck(aivat, playable, strategy, against, seat, is_known)
        tree = _find_tree(playable, on_stage)
        played = lambda player: strategy if player == seat else against  # noqa: E731
        if aivat.baseline is not None:
            followed = make_opponent(aivat.baseline, playable, missing="uniform")
            played = lambda _: followed  # noqa: E731
        return cls(tree, history_values(tree, _move_probabilities(tree, played)), is_known)

    def of_leaves(self, moves: Floats) -> Floats:
        """Return Σ c(h, a) on the path to each leaf, shape (leaves, players).

        ``moves`` has the probability of the move that leads to each history.
        """
        tree = self.tree
        baseline = self.baseline
        # TERMINAL is -2, CHANCE is -1.
        counted = np.array([*self.is_known, False, True])[tree.player]
        parent = tree.parent.astype(np.int64)
        mean = np.zeros_like(baseline)
        total = np.zeros_like(baseline)
        np.add.at(mean, parent[1:], moves[1:, None] * baseline[1:])
        for level in levels(tree):
            up = parent[level]
            total[level] = total[up] + np.where(counted[up, None], mean[up] - baseline[level], 0.0)
        return np.asarray(total[tree.leaf])

    def of_hand(
        self, moves: Sequence[Move], payoffs: Sequence[float] = (), *, begun: int = 0
    ) -> Floats:
        """Return Σ c(h, a) over the moves of a hand from number ``begun`` on, shape (players,)."""
        tree = self.tree
        total = np.zeros(self.tree.players)
        history = ROOT
        for number, move in enumerate(moves):
            first = int(tree.first_child[history])
            count = int(tree.num_children[history])
            history = first + move.taken
            if (
                number >= begun
                and move.probabilities is not None
                and (move.player == CHANCE or self.is_known[move.player])
            ):
                total += (
                    np.asarray(move.probabilities) @ self.baseline[first : first + count]
                    - self.baseline[history]
                )
        return total


def _measure_luck(
    aivat: AIVAT,
    playable: PlayableGame,
    strategy: Opponent,
    against: Opponent,
    seat: int | None,
    is_known: Sequence[bool],
) -> HandLuck:
    """Return the luck seen by the baseline, or by what is played: by the other where one of both searches."""
    if aivat.baseline is not None:
        strategy = against = make_opponent(aivat.baseline, playable, missing="uniform")
    luck = against.measure_luck(is_known, beside=strategy, seat=seat)
    if luck is None:
        luck = strategy.measure_luck(is_known)
    if luck is None:
        raise GameError(
            f"AIVAT needs a baseline where all players of {playable.name} search, or none is a run of it: "
            "\"aivat(baseline='RUN')\".",
            wrong_use=True,
        )
    return luck


def worth(hands: int, raw: float | None, reduced: float | None) -> float | None:
    """Return how many raw hands have the smaller standard error; None where one is unknown, or next to 0."""
    if raw is None or reduced is None or reduced <= _NOTHING * raw:
        return None
    return hands * (raw / reduced) ** 2


def worth_sentence(hands: int, error: float | None, worth: float | None) -> str:
    """Return how much AIVAT has helped, in a sentence."""
    if error is None:
        return "Too few hands to say what AIVAT saves."
    if worth is None:
        return "AIVAT leaves no variance: every hand tells the exact mean."
    return (
        f"By AIVAT {count_text(hands, 'hand')} tell as much as {worth:,.0f} by their payoffs alone."
    )


def _move_probabilities(tree: GameTree, played: Callable[[int], Any]) -> Floats:
    """Return the probability of the move that leads to each history; uniform where a strategy lacks the infoset."""
    rows = []
    for player, key, actions in tree.infosets:
        row = played(player).probabilities_at((player, key), actions, tree.name)
        rows.append([1 / len(actions)] * len(actions) if row is None else row)
    return move_probabilities(tree, np.concatenate(rows) if rows else np.zeros(0))


def _find_tree(playable: PlayableGame, on_stage: Callable[[str], None] | None) -> GameTree:
    form = playable.form
    if form.tree is not None:
        return form.tree
    need_text = f"AIVAT needs the value of each history of {playable.name}, which"
    if not form.is_complete:
        raise GameError(
            f"{need_text} is played without being compiled: {playable.reason}", wrong_use=True
        )
    if on_stage is not None:
        on_stage(f"Writing out {playable.name}")
    try:
        written = compile_sequence(playable.rules, CompileBudget(MOST_VALUED), keep_tree=True)
    except GameError as error:
        raise GameError(
            f"{need_text} cannot be written out with up to {MOST_VALUED:,} histories; play without "
            "it, or a smaller game.",
            wrong_use=True,
        ) from error
    assert written.tree is not None
    return written.tree
