"""Compile the rules of a game into a tree of flat arrays, checking them on the way."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.validate import is_whole
from ..errors import EquilibristError, GameError
from ..game.checked import CheckedGame
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.rules import RulesGame
from .infosets import Infoset as Infoset  # noqa: PLC0414 (others take it from here)
from .infosets import Infosets

ROOT = 0
NO_INFOSET = 2**32 - 1
MAX_HISTORIES = 10_000_000
MAX_DEPTH = 1_000

_BYTES_PER_HISTORY = 200  # what compiling takes at its peak, measured by benchmarks.compiling
_MOVES_SHOWN = 20  # of a history in an error message
_REPORT_EVERY = 1 << 16  # histories between two calls of `progress`


_Indices = Sequence[int] | NDArray[np.uint32]


class PublicChance(NamedTuple):
    """The moves of chance that everybody sees; all arrays are uint32, and empty where there are none.

    Attributes
    ----------
    history : shape (n,)
        The histories where chance makes such a move, rising.
    group : shape (n,)
        Histories with the same number look the same to somebody who sees only what everybody sees.
    first : shape (n + 1,)
        Where the outcomes of each history begin.
    outcome : shape (first[-1],)
        The number, within its group, of the outcome that leads to each child of each of these histories: the same
        outcome has the same number at all histories of a group.
    """

    history: NDArray[np.uint32]
    group: NDArray[np.uint32]
    first: NDArray[np.uint32]
    outcome: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class GameTree:
    """Every history of a game, flat. The children of a history are consecutive, and come after it.

    Attributes
    ----------
    name : str
        Name of the game.
    players : int
        Number of players, chance not counted.
    player : int8 array, shape (histories,)
        Who moves: a player, ``CHANCE`` or ``TERMINAL``.
    parent, first_child : uint32 array, shape (histories,)
        Index of a history; the root is its own parent. ``first_child`` means nothing where ``num_children`` is 0.
    num_children : uint32 array, shape (histories,)
    probability : float64 array, shape (histories,)
        Probability with which chance makes the move that leads here; 1 where a player makes it.
    infoset : uint32 array, shape (histories,)
        Index into ``infosets``; ``NO_INFOSET`` where no player moves.
    leaf : uint32 array, shape (leaves,)
        The terminal histories.
    payoffs : float64 array, shape (leaves, players)
        What each player receives at each leaf.
    infosets : Infosets
        A sequence of :class:`Infoset`, in the order in which a depth-first walk meets them.
    depth : int
        Number of moves, those of chance included, in the longest play.
    public : PublicChance
        The moves of chance that everybody sees, as far as the rules say so.
    """

    name: str
    players: int
    player: NDArray[np.int8]
    parent: NDArray[np.uint32]
    first_child: NDArray[np.uint32]
    num_children: NDArray[np.uint32]
    probability: NDArray[np.float64]
    infoset: NDArray[np.uint32]
    leaf: NDArray[np.uint32]
    payoffs: NDArray[np.float64]
    infosets: Infosets
    depth: int
    public: PublicChance

    @property
    def histories(self) -> int:
        """Number of histories, the empty one and the terminal ones included."""
        return len(self.player)

    @property
    def zero_sum(self) -> bool:
        """Whether the payoffs of all players sum to 0 at every leaf, up to rounding."""
        largest = float(np.abs(self.payoffs).max(initial=0.0))
        return bool(np.abs(self.payoffs.sum(axis=1)).max(initial=0.0) <= 1e-12 * largest)


class Outline(NamedTuple):
    """What the sequence form needs to know of a game: of its histories only the leaves.

    Sequences are numbered 1, 2, …: all actions of the first infoset, then those of the next; 0 is the empty one.

    Attributes
    ----------
    name : str
        Name of the game.
    histories, depth, zero_sum, infosets
        As in :class:`GameTree`.
    parent_sequence : uint32 array, shape (infosets,)
        The last sequence of the player before each infoset.
    leaf_last : uint32 array, shape (leaves, players)
        The last sequence of each player before each leaf.
    weights : float64 array, shape (leaves, players)
        Payoff × probability of chance.
    """

    name: str
    histories: int
    depth: int
    zero_sum: bool
    infosets: Infosets
    parent_sequence: NDArray[np.uint32]
    leaf_last: NDArray[np.uint32]
    weights: NDArray[np.float64]


def offsets(counts: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """Return where each of several consecutive runs begins, and where the last ends: 0, c0, c0 + c1, and so on."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def walk(
    game: Game,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """Return the tree of a game, having checked each history on the way.

    Parameters
    ----------
    game : Game
        The rules.
    max_histories, max_depth : int
        Where to give up: a game that is larger or deeper raises :class:`GameError`.
    progress : callable, optional
        Called now and then with the number of histories found so far.

    Raises
    ------
    GameError
        The game is not well formed, or exceeds a limit. Whether it has perfect recall is checked by
        :func:`~equilibrist.form.sequence.sequence_form`.
    """
    return explore(game, Limits.checked(max_histories, max_depth, progress), keep_tree=True).whole


class Walked(NamedTuple):
    """What a walk leaves: the tree, the outline, or both."""

    tree: GameTree | None
    outline: Outline | None

    @property
    def whole(self) -> GameTree:
        """The tree, which is there where it was to be kept, or where there is no outline."""
        if self.tree is None:
            raise ValueError("the tree was not kept")
        return self.tree


def explore(game: Game, limits: Limits, *, keep_tree: bool) -> Walked:
    """Return the tree and the outline of a game: at least one, and the tree if it is to be kept.

    Compiled rules give the outline at once. Otherwise it is made of the tree.
    """
    players = _checked_players(game)
    if isinstance(game, RulesGame):
        from .build_jit import walk_jit

        walked = walk_jit(game, limits, keep_tree=keep_tree)
        if walked is not None and (keep_tree or walked.outline is not None):
            return walked
    return Walked(_Walk(game, players, limits).run(), None)


class Limits(NamedTuple):
    """Where a walk gives up, and whom it tells how far it is."""

    max_histories: int
    max_depth: int
    progress: Callable[[int], None] | None

    @classmethod
    def checked(cls, max_histories: int, max_depth: int, progress: Callable[[int], None] | None) -> Limits:
        """Return limits that are whole numbers."""
        for label, limit in (("max_histories", max_histories), ("max_depth", max_depth)):
            if not is_whole(limit, 1):
                raise GameError(f"{label} must be a whole number, 1 or more; got {limit!r}.", wrong_use=True)
        return cls(int(max_histories), int(max_depth), progress)

    def too_large(self, name: str, found: int) -> GameError:
        """Return the error of a game with too many histories."""
        gigabytes = found * _BYTES_PER_HISTORY / 1e9
        return GameError(
            f"{name}: more than {self.max_histories:,} histories; the {found:,} found so far already take up to "
            f"{gigabytes:.2g} GB to compile. Raise max_histories (--max-histories) if there is memory for more, "
            "or choose a smaller game."
        )

    def too_deep(self, name: str, history: str) -> GameError:
        """Return the error of a game that goes on and on."""
        return GameError(
            f"{name}: the game does not end within {self.max_depth} moves: {history}. If it does end, raise max_depth."
        )


class _Walk:
    """One depth-first walk; the arrays grow as histories are met."""

    def __init__(self, game: Game, players: int, limits: Limits) -> None:
        self.game = game
        self.ask = CheckedGame(game, players, self.history)
        self.name = self.ask.name
        self.players = players
        self.limits = limits
        self.player = array("b")
        self.parent = array("I")
        self.first_child = array("I")
        self.num_children = array("I")
        self.probability = array("d")
        self.infoset = array("I")
        self.leaf = array("I")
        self.payoffs = array("d")
        self.infosets: list[Infoset] = []
        self.actions_of: list[tuple[Hashable, ...]] = []  # of each infoset, as the rules gave them
        self.first_met = array("I")  # of each infoset: a history in it
        self.index: list[dict[Hashable, int]] = [{} for _ in range(self.players)]
        self.shared: dict[Any, Any] = {}  # equal tuples are kept once
        public = getattr(game, "public", None)
        self.public = public if callable(public) else None
        self.public_history, self.public_group, self.public_count = array("I"), array("I"), array("I")
        self.public_outcome = array("I")
        self.groups: dict[Hashable, int] = {}
        self.outcomes: list[dict[Hashable, int]] = []  # of each group, numbered as they are met
        self.depth = 0
        self.here = ROOT  # the history at work

    def run(self) -> GameTree:
        """Walk the game, and say where its rules failed if they did."""
        try:
            self._walk()
        except (EquilibristError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise self.ask.failed(self.here, error) from error
        return self._tree()

    def _walk(self) -> None:
        ask, stack = self.ask, []
        next_report = _REPORT_EVERY
        self._grow(ROOT, [1.0])
        stack.append((ROOT, 0, self.game.start()))
        while stack:
            h, depth, state = stack.pop()
            self.here = h
            who = ask.mover(h, state)
            if who == TERMINAL:
                self.leaf.append(h)
                self.payoffs.extend(ask.payoffs(h, state))
                self.depth = max(self.depth, depth)
                continue
            actions = ask.actions(h, state)
            count = len(actions)
            if depth == self.limits.max_depth:
                raise self.limits.too_deep(self.name, self.history(h))
            self.player[h] = who
            if who == CHANCE:
                probabilities = ask.probabilities(h, state, count)
                self._meet_public_chance(h, state, actions)
            else:
                self.infoset[h] = self._infoset(h, who, state, actions)
                probabilities = [1.0] * count
            first = len(self.player)
            if first + count > self.limits.max_histories:
                raise self.limits.too_large(self.name, first)
            self.first_child[h] = first
            self.num_children[h] = count
            self._grow(h, probabilities)
            # Reversed, so that the first action is walked first.
            for number in range(count - 1, -1, -1):
                stack.append((first + number, depth + 1, ask.next(h, state, actions[number])))
            if self.limits.progress is not None and first >= next_report:
                self.limits.progress(first)
                next_report = first + _REPORT_EVERY

    def _grow(self, parent: int, probabilities: Sequence[float]) -> None:
        """Add the children of a history, terminal until we know better."""
        count = len(probabilities)
        self.player.extend([TERMINAL] * count)
        self.parent.extend([parent] * count)
        self.first_child.extend([0] * count)
        self.num_children.extend([0] * count)
        self.probability.extend(probabilities)
        self.infoset.extend([NO_INFOSET] * count)

    def _infoset(self, h: int, who: int, state: Any, actions: tuple[Hashable, ...]) -> int:
        """Return the index of the infoset, new or known; a known one must offer the same actions."""
        key = self.game.infoset(state)
        index = self.index[who].get(key)
        if index is None:
            index = len(self.infosets)
            labels = self.ask.labels(h, state, actions, str(key))
            self.index[who][key] = index
            self.infosets.append(Infoset(who, str(key), self.shared.setdefault(labels, labels)))
            self.actions_of.append(self.shared.setdefault(actions, actions))
            self.first_met.append(h)
        elif actions != self.actions_of[index]:
            other = self.first_met[index]
            raise GameError(
                f"{self.name}: player {who} cannot tell {self.history(other)} from {self.history(h)} "
                f"(infoset {key!r}), yet the actions differ: "
                f"{list(self.actions_of[index])!r} against {list(actions)!r}."
            )
        return index

    def _meet_public_chance(self, h: int, state: Any, actions: tuple[Hashable, ...]) -> None:
        """Note a move of chance, if everybody will see it."""
        known = None if self.public is None else self.public(state)
        if known is None:
            return
        group = self.groups.setdefault(known, len(self.groups))
        if group == len(self.outcomes):
            self.outcomes.append({})
        numbers = self.outcomes[group]
        self.public_history.append(h)
        self.public_group.append(group)
        self.public_count.append(len(actions))
        self.public_outcome.extend([numbers.setdefault(action, len(numbers)) for action in actions])

    def history(self, h: int) -> str:
        """Return the moves that lead to a history, by replaying them, for error messages."""
        return told(self.game, child_numbers(self.parent, self.first_child, h))

    def _public_chance(self) -> PublicChance:
        fields = (self.public_history, self.public_group, self.public_count, self.public_outcome)
        return public_chance(*(np.array(field, np.uint32) for field in fields))

    def _tree(self) -> GameTree:
        names = {(infoset.player, infoset.key) for infoset in self.infosets}
        if len(names) < len(self.infosets):
            raise GameError(f"{self.name}: two infosets of a player have the same text; let infoset() return strings.")
        return GameTree(
            name=self.name,
            players=self.players,
            player=np.frombuffer(self.player, np.int8),
            parent=np.frombuffer(self.parent, np.uint32),
            first_child=np.frombuffer(self.first_child, np.uint32),
            num_children=np.frombuffer(self.num_children, np.uint32),
            probability=np.frombuffer(self.probability, np.float64),
            infoset=np.frombuffer(self.infoset, np.uint32),
            leaf=np.frombuffer(self.leaf, np.uint32),
            payoffs=np.frombuffer(self.payoffs, np.float64).reshape(-1, self.players),
            infosets=Infosets.named(self.infosets),
            depth=self.depth,
            public=self._public_chance(),
        )


def public_chance(
    history: NDArray[np.uint32], group: NDArray[np.uint32], count: NDArray[np.uint32], outcome: NDArray[np.uint32]
) -> PublicChance:
    """Return public moves of chance in the order of their histories, from those in the order in which they were met."""
    order = np.argsort(history)
    start = offsets(count)
    first = offsets(count[order])
    entry = np.repeat(start[:-1][order] - first[:-1], count[order]) + np.arange(first[-1])
    return PublicChance(history[order], group[order], first.astype(np.uint32), outcome[entry])


def _checked_players(game: Game) -> int:
    players = game.players
    if not isinstance(players, int) or not 1 <= players <= 100:
        raise GameError(f"{game_name(game)}: players must be a whole number, 1 to 100; got {players!r}.")
    return players


def child_numbers(parent: _Indices, first_child: _Indices, h: int) -> list[int]:
    """Return which child was taken at each move on the way to a history."""
    numbers: list[int] = []
    while h != ROOT:
        up = int(parent[h])
        numbers.append(h - int(first_child[up]))
        h = up
    return numbers[::-1]


def told(game: Game, numbers: Sequence[int]) -> str:
    """Return the names of the moves with these numbers, or the numbers where the rules fail."""
    try:
        return replay(game, numbers)
    except Exception:  # the rules have failed, and may fail again
        return f"the moves numbered {numbers}" if numbers else "the start"


def replay(game: Game, numbers: Sequence[int]) -> str:
    """Return the names of the moves with these numbers, from the start: "['J', 'Q', 'p']"."""
    state, labels = game.start(), []
    for number in numbers:
        action = game.actions(state)[number]
        labels.append(repr(action_label(game, state, action)))
        state = game.next(state, action)
    if len(labels) > _MOVES_SHOWN:
        left_out = len(labels) - _MOVES_SHOWN
        labels[_MOVES_SHOWN // 2 : -_MOVES_SHOWN // 2] = [f"… {left_out:,} more moves …"]
    return f"[{', '.join(labels)}]" if labels else "the start"
