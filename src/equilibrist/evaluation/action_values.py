"""What is known of a strategy at each infoset of a game: how probable it is to be there, and what each action is worth.

Values are those of the package's own evaluation, the counterfactual values of the best replies to the strategy. They
are payoff × probability; divided by the probability that chance and the others lead to the infoset they are what a
player who is there can expect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..cfr.algorithms import Floats
from ..errors import GameError, LinearProgramError, SolutionError
from ..form.build_python import NO_INFOSET, ROOT, GameTree, Limits, offsets
from ..form.public import NATURE, PublicForm
from ..form.sequence import SequenceForm
from ..game.protocol import Game, game_name
from ..game.public import PublicGame
from ..game.unfold import unfold
from ..games.load import load
from ..solving.prepare import Form, prepare
from ..solving.solution import Solution, load_solution
from ..solving.solve import exact, solve
from ..strategy.reading import Key
from ..strategy.strategy import Strategy, as_strategy, check_fill, strategy_for
from .certificate import BestResponses
from .evaluate import best_responses_to

Playing = Strategy | Solution | Mapping[Any, Mapping[str, float]] | str | Path
"""Who can play: a strategy, a solution, a dict, a CSV file, or the folder of a saved run."""

_MOST_BY_PROGRAMME = 20_000  # histories: the linear programme then takes well under a second
_SECONDS, _UNTIL = 10.0, 1e-3  # what an opponent made on the spot gets, or the exploitability it stops at


class PlayableGame(NamedTuple):
    """A game that is ready to be played.

    Attributes
    ----------
    name : str
        Name of the game.
    rules : Game
        The rules, an ordinary game.
    form : SequenceForm, PublicForm or None
        What it was compiled into; a sequence form has its tree. None where it cannot be compiled.
    reason : str
        Why it cannot.
    limits : Limits
        Those of compilation.
    """

    name: str
    rules: Game
    form: Form | None
    reason: str
    limits: Limits

    @property
    def players(self) -> int:
        """Number of players."""
        return self.rules.players


def ready(game: str | Game | PublicGame, limits: Limits, say: Callable[[str], None] | None) -> PlayableGame:
    """Return a game that is ready to be played, compiled if it can be.

    Raises
    ------
    GameError
        The game cannot be found.
    """
    if isinstance(game, SequenceForm | PublicForm):
        raise GameError(f"{game.name} is compiled already; playing takes the rules. Give the game.", wrong_use=True)
    rules = load(game)
    form, reason = None, ""
    try:
        form, _ = prepare(rules, limits=limits, say=say, sampled=True)
    except GameError as error:  # too large, or a player forgets: hands can be played all the same
        reason = str(error)
    return PlayableGame(game_name(rules), unfold(rules), form, reason, limits)


def strategy_of(playing: Playing, ground: PlayableGame) -> tuple[Strategy, str]:
    """Return the strategy that somebody plays, and where it comes from, in words.

    Raises
    ------
    SolutionError
        It cannot be read.
    """
    where = str(playing) if isinstance(playing, str | Path) else ""
    if where and Path(where).is_dir():
        playing = load_solution(where, ground.form if isinstance(ground.form, PublicForm) else None)
        where = f"{where}, a run of {playing.game}"
    if isinstance(playing, Solution):
        return playing.strategy, where or f"The solution of {playing.game}"
    if ground.form is not None:
        return strategy_for(playing, ground.form), where
    return as_strategy(playing, lambda _: range(ground.players)), where


def fitted(playing: Playing, ground: PlayableGame, *, fill: str | None) -> tuple[Strategy, Floats | None]:
    """Return a strategy, and its probabilities at the slots of the game's form where it has one.

    Raises
    ------
    SolutionError
        It cannot be read, or does not fit the game.
    """
    check_fill(fill)
    strategy, where = strategy_of(playing, ground)
    try:
        return strategy, None if ground.form is None else strategy.at_slots(ground.form, fill=fill)
    except SolutionError as error:
        raise SolutionError(f"{where}: {error}" if where else str(error), wrong_use=error.wrong_use) from error


def opponent(ground: PlayableGame, say: Callable[[str], None] | None) -> tuple[Strategy, str]:
    """Return the strategy to play against where none is given, and what it is, in words.

    A two-player zero-sum game that is small enough is solved by linear programme, any other by ten seconds of CFR. What
    cannot be compiled is played uniformly at random.
    """
    form = ground.form
    if form is None:
        return Strategy.from_dict({}), "plays uniformly at random, for the game cannot be solved on the spot"
    small = isinstance(form, SequenceForm) and form.histories <= _MOST_BY_PROGRAMME
    if small and form.players == 2 and form.zero_sum:
        with suppress(LinearProgramError):
            return exact(form, on_stage=say).strategy, "plays an equilibrium, found by linear programme"
    solution = solve(form, until=_UNTIL, seconds=_SECONDS, on_stage=say)
    known = f"exploitability {solution.exploitability:.2g}"
    return solution.strategy, f"plays what {solution.algorithm} found in {solution.iterations:,} iterations, {known}"


class Knowledge:
    """All that is known exactly of a strategy.

    Parameters
    ----------
    form : SequenceForm or PublicForm
        The game; a sequence form with its tree.
    slots : float64 array
        The strategy at the slots of the form.
    """

    def __init__(self, form: Form, slots: Floats) -> None:
        self.form = form
        self.slots = slots
        self._first = offsets(form.infosets.num_actions)
        self._slot = form.slot
        self._reached: Floats | None = None

    @cached_property
    def _replies(self) -> BestResponses:
        return best_responses_to(self.form, self.slots)

    def _reach(self, form: SequenceForm) -> Floats:
        """Return the probability of being at each infoset, computed once for all of them."""
        if self._reached is None:
            self._reached = reach_of_infosets(form, self.slots)
        return self._reached

    @cached_property
    def _index(self) -> dict[Key, int]:
        return {(infoset.player, infoset.key): i for i, infoset in enumerate(self.form.infosets)}

    @property
    def value(self) -> tuple[float, ...]:
        """What each player earns when all follow the strategy; payoff per game."""
        return self._replies.certificate.value

    @property
    def best_value(self) -> tuple[float, ...]:
        """What each player earns with the best play against the others' strategies; payoff per game."""
        return self._replies.certificate.best_response_value

    def worth(self, player: int, key: str) -> tuple[float, ...] | None:
        """Return what a player at an infoset can expect from each action, with the best play after it.

        That is q(a) / π: the counterfactual value of the action under the best reply, over the probability with which
        chance and the others lead there. None where they never do.
        """
        index = self._index[player, key]
        if isinstance(self.form, PublicForm):
            reach = public_reach(self.form, index, self.slots)
        else:
            reach = float(self._reach(self.form)[index])
        if reach <= 0.0:
            return None
        own = self._slot[self._first[index] : self._first[index + 1]]
        return tuple((self._replies.best_value[own] / reach).tolist())


def shares(form: SequenceForm, tree: GameTree, slots: Floats) -> Floats:
    """Return the probability with which chance or the strategy makes the move that leads to each history."""
    first = offsets(form.infosets.num_actions)
    share = tree.probability.copy()
    h = np.flatnonzero(tree.infoset[tree.parent] != NO_INFOSET)
    h = h[h != ROOT]  # which is its own parent
    up = tree.parent[h]
    share[h] = slots[form.slot[first[tree.infoset[up]] + h - tree.first_child[up]]]
    return share


def spread(tree: GameTree, share: Floats) -> Floats:
    """Return, for each history, the product of the shares of the moves that lead there, level by level."""
    reach = share.copy()
    level = np.array([ROOT])
    while len(level):
        level = level[tree.num_children[level] > 0]
        count = tree.num_children[level].astype(np.int64)
        before = offsets(count)
        number = np.arange(before[-1]) - np.repeat(before[:-1], count)
        children = np.repeat(tree.first_child[level].astype(np.int64), count) + number
        reach[children] *= np.repeat(reach[level], count)
        level = children
    return reach


def reach_of_infosets(form: SequenceForm, slots: Floats) -> Floats:
    """Return the probability with which chance and the others lead to each infoset, if its player means to go there."""
    tree = form.tree
    if tree is None:
        raise GameError(f"{form.name} was compiled without its tree. Use compile_game(game, keep_tree=True).")
    share = shares(form, tree, slots)
    mover = tree.player[tree.parent]
    found = np.zeros(len(tree.infosets))
    for player in range(tree.players):
        reach = spread(tree, np.where(mover == player, 1.0, share))
        own = np.flatnonzero(tree.player == player)
        found += np.bincount(tree.infoset[own], reach[own], minlength=len(found))
    return found


def public_reach(form: PublicForm, index: int, slots: Floats) -> float:
    """Return the probability with which chance and the other player lead to an infoset of a public form."""
    player, hand, path = _way(form, index)
    public, pairs = form.public, form.joint_hands

    def others(matrix: Floats) -> Floats:
        return matrix[hand] if player == 0 else matrix[:, hand]

    weight = others(pairs.prior).copy()  # of each hand of the other player
    base = 0
    for here, move in path:
        mover = int(public.mover[here])
        if mover == NATURE:
            weight *= pairs.share[move] * others(pairs.matrices[pairs.matrix[move]])
        elif mover != player:
            first = base + (move - public.first_child[here]) * public.width[mover]
            weight *= slots[first : first + len(weight)]
        base += int(public.child_slot[move])
    return float(weight.sum())


def _way(form: PublicForm, index: int) -> tuple[int, int, list[tuple[int, int]]]:
    """Return whose infoset it is, with which hand, and the (public state, move) on the way there."""
    public, here, path = form.public, form.root, list[tuple[int, int]]()
    while True:
        mover = int(public.mover[here])
        if mover < form.players:
            possible_hands = form.possible_hands[here][mover]
            if index < len(possible_hands):
                return mover, int(possible_hands[index]), path
            index -= len(possible_hands)
        for move in range(int(public.first_child[here]), int(public.first_child[here + 1])):
            child = int(public.child[move])
            if index < form.infosets_below[child]:
                path.append((here, move))
                here = child
                break
            index -= form.infosets_below[child]
