"""The public form of a game: its public situations, each once, and the numbering of everything that hangs below them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import compiled
from ..errors import GameError
from ..game import CHANCE, TERMINAL, game_name
from ..public import PublicGame, Showdown, infoset_name
from .endings import DENSE, Endings, make_endings, padded
from .infosets import Infoset, Infosets
from .questions import PROBABILITY_TOLERANCE, Questions
from .tree import MAX_DEPTH, MAX_HISTORIES, Limits, offsets

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

NATURE, END = 2, 3  # who moves at a situation that is no player's
_REPORT_EVERY = 1 << 12  # situations between two calls of `progress`


class PublicTree(NamedTuple):
    """The public tree, each situation once; arrays of int64.

    A *situation* is a public state as far as the future depends on it. Where many ways lead to one, each of them is a
    public node of its own, with infosets and slots of its own: the tree is walked as if it were written out, but it is
    not. The slots of a node come first, ``[action][hand]`` with the mover's hands padded to whole lanes, then all of
    those below its first child, then those below the second, and so on: numbers relative to the node are the same at
    all nodes of a situation.

    Attributes
    ----------
    mover : shape (situations,)
        0 or 1, 2 where chance moves in public, 3 at an end.
    first_child : shape (situations + 1,)
        The moves of situation s are ``first_child[s] … first_child[s + 1] - 1``. The last situation is the root.
    child : shape (moves,)
        The situation that a move leads to; it comes before the one that leads there.
    child_slot : shape (moves,)
        Where the slots below the move begin, counted from the first slot of the node.
    slots : shape (situations,)
        Number of slots at and below a node, padding included.
    hands, width : shape (2,)
        Number of hands of each player; the same padded to whole lanes.
    ending : shape (situations,)
        Which of the :class:`~equilibrist.form.endings.Endings` an end pays.
    scale : float64 array, shape (situations,)
        What it is multiplied by.
    """

    mover: Whole
    first_child: Whole
    child: Whole
    child_slot: Whole
    slots: Whole
    hands: Whole
    width: Whole
    ending: Whole
    scale: Floats


@dataclass(frozen=True)
class PublicForm:
    """A game compiled into public states: what CFR over vectors of hands reads.

    Attributes
    ----------
    name : str
        Name of the game.
    hands : pair of tuples of str
        What each player may hold.
    public : PublicTree
        The situations.
    endings : Endings
        What ends pay.
    moves : tuple of tuples of str
        The names of the moves at each situation.
    live : tuple of pairs of int64 arrays
        For each situation, which hands either player can hold there: the cards on the table are nobody's.
    histories : int
        Number of histories if they were written out: one for each public node and pair of hands that can be there, and
        the deal.
    nodes : int
        Number of public nodes, the ends included.
    num_infosets, num_actions : int
        Number of infosets of both players, and of their actions together.
    depth : int
        Number of moves in the longest play, the deal included.
    infosets_below : tuple of int
        Number of infosets at and below each situation.
    """

    name: str
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    public: PublicTree
    endings: Endings
    moves: tuple[tuple[str, ...], ...]
    live: tuple[tuple[Whole, Whole], ...]
    histories: int
    nodes: int
    num_infosets: int
    num_actions: int
    depth: int
    infosets_below: tuple[int, ...]
    namer: Callable[[str, tuple[str, ...]], str] = field(repr=False, compare=False)

    players = 2
    zero_sum = True
    tree = None

    @property
    def root(self) -> int:
        """The situation in which the game begins."""
        return len(self.public.mover) - 1

    @property
    def length(self) -> int:
        """Length of arrays with a number a slot, padding included."""
        return int(self.public.slots[-1])

    @property
    def slots(self) -> int:
        """Number of slots of both players, without padding: each action of each infoset, and two empty sequences."""
        return self.num_actions + self.players

    @property
    def kind(self) -> str:
        """What the form is made of, in words."""
        dense = int((self.endings.kind == DENSE).sum())
        parts = [
            f"{count} {word}" for count, word in ((dense, "as matrices"), (len(self.endings.kind) - dense, "sorted"))
        ]
        shared = " and ".join(part for part in parts if not part.startswith("0 "))
        hands = " × ".join(f"{len(hands):,}" for hands in self.hands)
        return f"public states: {self.nodes:,} nodes × {hands} hands, payoffs {shared}"

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same hands, moves and payoffs."""
        digest = hashlib.sha256(repr((self.hands, self.moves)).encode())
        for array in (*self.public, *self.endings):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    @cached_property
    def infosets(self) -> Infosets:
        """Player, key and action names of each infoset, in the order in which a depth-first walk meets them."""
        owner, count, _ = self._listed()
        return Infosets(owner, count, self._infoset, lambda: self.fingerprint.encode())

    @property
    def slot(self) -> Whole:
        """The slot of each action of each infoset, in the order of ``infosets``; listed anew each time."""
        return self._listed()[2]

    def _listed(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Whole]:
        """Return who decides at each infoset, among how many actions, and the slots of all these actions."""
        different = list({id(live): live for live in self.live}.values())
        number = {id(live): k for k, live in enumerate(different)}
        own = 2 * np.array([number[id(live)] for live in self.live], np.int64)
        first = offsets([len(hands) for live in different for hands in live])
        living = np.concatenate([hands for live in different for hands in live])
        owner, count = np.empty(self.num_infosets, np.uint32), np.empty(self.num_infosets, np.uint32)
        slot = np.empty(self.num_actions, np.int64)
        _list(self.public, own, first, living, np.zeros((3, self.depth + 2), np.int64), owner, count, slot)
        return owner, count, slot

    def _infoset(self, index: int) -> Infoset:
        """Return the infoset of that number: go down to its node, by how many lie below each move."""
        here, moves = self.root, []
        while True:
            mover = int(self.public.mover[here])
            if mover < self.players:
                live = self.live[here][mover]
                if index < len(live):
                    key = self.namer(self.hands[mover][live[index]], tuple(moves))
                    return Infoset(mover, key, self.moves[here])
                index -= len(live)
            children = self.public.child[self.public.first_child[here] : self.public.first_child[here + 1]].tolist()
            for label, child in zip(self.moves[here], children, strict=True):
                if index < self.infosets_below[child]:
                    moves.append(label)
                    here = child
                    break
                index -= self.infosets_below[child]


@compiled(allocates=False)
def _list(public, own, first, living, stack, owner, count, slot):  # type: ignore[no-untyped-def]
    """Fill ``owner``, ``count`` and ``slot`` in place, in the order of a depth-first walk.

    The hands that player p can hold at situation s are ``living[first[own[s] + p] : first[own[s] + p + 1]]``. The stack
    holds, for each open node, its situation, its first slot, and how many of its moves have been followed.
    """
    depth, infosets, actions = 0, 0, 0
    stack[0, 0], stack[1, 0], stack[2, 0] = len(public.mover) - 1, 0, 0
    while depth >= 0:
        here, base, done = stack[0, depth], stack[1, depth], stack[2, depth]
        moves, mover = public.first_child[here + 1] - public.first_child[here], public.mover[here]
        if done == 0 and mover < NATURE:
            for k in range(first[own[here] + mover], first[own[here] + mover + 1]):
                owner[infosets], count[infosets] = mover, moves
                infosets += 1
                for action in range(moves):
                    slot[actions] = base + action * public.width[mover] + living[k]
                    actions += 1
        if done == moves:
            depth -= 1
            continue
        move = public.first_child[here] + done
        stack[2, depth] += 1
        depth += 1
        stack[0, depth], stack[1, depth], stack[2, depth] = public.child[move], base + public.child_slot[move], 0


def compile_public(
    game: PublicGame,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
) -> PublicForm:
    """Return the public form of a game, having checked all of it on the way.

    Parameters
    ----------
    game : PublicGame
        The rules.
    max_histories : int
        Where to give up: how many different situations there may be.
    max_depth : int
        The most moves of a play.
    progress : callable, optional
        Called now and then with the number of situations found so far.

    Raises
    ------
    GameError
        The game is not well formed, or exceeds a limit.
    """
    return _Compiler(game, Limits.checked(max_histories, max_depth, progress)).run()


class _Deal(NamedTuple):
    """How probable each pair of hands and the public chance so far are together: a matrix, by its number, × a share."""

    matrix: int
    share: float


class _Open:
    """A situation whose moves are being followed."""

    def __init__(self, key: tuple[Hashable, _Deal], mover: int, actions: Sequence[Hashable], labels: tuple[str, ...]):
        self.key = key
        self.mover = mover
        self.actions = actions
        self.labels = labels
        self.deals: list[_Deal] = []
        self.children: list[int] = []


class _Compiler:
    """Finds the situations of a game, depth first; one is numbered when all below it are."""

    def __init__(self, game: PublicGame, limits: Limits) -> None:
        self.game = game
        self.path: list[_Open] = []
        self.ask = Questions(game, 2, lambda _: self._told())
        self.name = game_name(game)
        self.limits = limits
        self.number: dict[tuple[Hashable, _Deal], int] = {}
        self.chances: list[Floats] = []  # the different matrices of chance
        self.chance_number: dict[bytes, int] = {}
        self.payoffs: list[tuple[Floats, Floats | Showdown]] = []
        self.payoff_number: dict[Hashable, int] = {}
        self.live: list[tuple[Whole, Whole]] = []  # by matrix of chance
        self.pairs: list[int] = []
        # By situation:
        self.mover: list[int] = []
        self.children: list[list[int]] = []
        self.labels: list[tuple[str, ...]] = []
        self.matrix: list[int] = []
        self.ending: list[int] = []
        self.scale: list[float] = []

    def run(self) -> PublicForm:
        """Return the form."""
        with self.ask.asking(0):
            hands = self._hands()
            self.shape = (len(hands[0]), len(hands[1]))
            begin = (self._state(self.game.start()), _Deal(self._chance(self._prior()), 1.0))
        self._enter(begin)
        while self.path:
            top = self.path[-1]
            if len(top.children) == len(top.actions):
                self._close(self.path.pop())
                continue
            with self.ask.asking(0):
                state, deal = top.key
                move = len(top.children)
                after = self._state(self.ask.next(0, state, top.actions[move]))
                key = (after, top.deals[move] if top.mover == CHANCE else deal)
            known = self.number.get(key)
            if known is None:
                self._enter(key)
            else:
                top.children.append(known)
        return self._form(hands)

    def _told(self) -> str:
        moves = [top.labels[len(top.children)] for top in self.path if len(top.children) < len(top.labels)]
        return f"the public moves {' '.join(moves)}" if moves else "the deal"

    def _hands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        hands = tuple(tuple(str(hand) for hand in own) for own in self.game.hands)
        if len(hands) != 2 or not all(hands):
            raise GameError(
                f"{self.name}: hands must be two sequences of names, one or more each; got {self.game.hands!r}."
            )
        for player, own in enumerate(hands):
            if len(set(own)) < len(own):
                twice = next(hand for hand in own if own.count(hand) > 1)
                raise GameError(f"{self.name}: two hands of player {player} have the same name: {twice!r}.")
        return hands[0], hands[1]

    def _prior(self) -> Floats:
        prior = self._matrix("prior()", self.game.prior())
        if not (prior.min() >= 0.0 and abs(prior.sum() - 1.0) <= PROBABILITY_TOLERANCE):
            raise GameError(
                f"{self.name}: the probabilities of the deal, prior(), must be 0 or more and sum to 1; "
                f"they sum to {float(prior.sum())!r}, the least is {float(prior.min())!r}."
            )
        return prior

    def _matrix(self, what: str, given: Any) -> Floats:
        """Return a matrix of finite numbers, one for each pair of hands."""
        try:
            matrix = np.asarray(given, np.float64)
            matrix = np.broadcast_to(matrix, self.shape).copy()
        except (TypeError, ValueError):
            raise GameError(
                f"{self.name}: {what} must give a number for each of {self.shape[0]} × {self.shape[1]} pairs of hands; "
                f"got {_short(given)} after {self._told()}."
            ) from None
        if not np.isfinite(matrix).all():
            raise GameError(f"{self.name}: {what} must give finite numbers; got {_short(given)} after {self._told()}.")
        return matrix

    def _chance(self, matrix: Floats) -> int:
        """Return the number of a matrix of chance."""
        content = matrix.tobytes()
        number = self.chance_number.setdefault(content, len(self.chances))
        if number == len(self.chances):
            self.chances.append(matrix)
            self.live.append((np.flatnonzero(matrix.any(axis=1)), np.flatnonzero(matrix.any(axis=0))))
            self.pairs.append(int(np.count_nonzero(matrix)))
        return number

    def _state(self, state: Any) -> Hashable:
        try:
            hash(state)
        except TypeError:
            raise GameError(
                f"{self.name}: public states must be hashable (a tuple, a string, a frozen dataclass); got {state!r} "
                f"after {self._told()}."
            ) from None
        return state  # type: ignore[no-any-return]

    def _enter(self, key: tuple[Hashable, _Deal]) -> None:
        """Look at a situation that is not known yet."""
        if len(self.path) >= self.limits.max_depth:
            raise self.limits.too_deep(self.name, self._told())
        state, deal = key
        with self.ask.asking(0):
            mover = self.ask.mover(0, state)
            if mover == TERMINAL:
                self._end(key)
                return
            actions = self.ask.actions(0, state)
            labels = self.ask.labels(0, state, actions, "")
            top = _Open(key, mover, actions, labels)
            if mover == CHANCE:
                top.deals = self._outcomes(deal, state, len(actions))
        self.path.append(top)

    def _outcomes(self, deal: _Deal, state: Any, count: int) -> list[_Deal]:
        """Return how probable each outcome of public chance makes each pair of hands."""
        shares = list(self.game.probabilities(state))
        if len(shares) != count:
            raise GameError(
                f"{self.name}: chance has {count} outcomes but {len(shares)} probabilities after {self._told()}."
            )
        before = self.chances[deal.matrix]
        total, deals = np.zeros(self.shape), []
        for share in shares:
            matrix = self._matrix("probabilities()", share)
            if matrix.min() < 0.0:
                raise GameError(
                    f"{self.name}: the probabilities of chance must be 0 or more; got {_short(share)} after {self._told()}."
                )
            total += matrix
            if np.ndim(share) == 0:
                deals.append(_Deal(deal.matrix, deal.share * float(matrix[0, 0])))
            else:
                deals.append(_Deal(self._chance(before * matrix), deal.share))
        wrong = (before > 0) & ~(np.abs(total - 1.0) <= PROBABILITY_TOLERANCE)
        if wrong.any():
            i, j = map(int, np.argwhere(wrong)[0])
            raise GameError(
                f"{self.name}: the probabilities of chance must sum to 1 for each pair of hands; after {self._told()} "
                f"they sum to {float(total[i, j])!r} where the hands are "
                f"{str(self.game.hands[0][i])!r} and {str(self.game.hands[1][j])!r}."
            )
        return deals

    def _end(self, key: tuple[Hashable, _Deal]) -> None:
        """Number an end."""
        state, deal = key
        payoff, scale = self._payoff(self.game.payoff(state))
        content: Hashable
        if isinstance(payoff, Showdown):
            content = (*(np.asarray(one).tobytes() for one in payoff.strengths), payoff.win, payoff.lose, payoff.tie)
        else:
            content = payoff.tobytes()
        number = self.payoff_number.setdefault((deal.matrix, content), len(self.payoffs))
        if number == len(self.payoffs):
            self.payoffs.append((self.chances[deal.matrix], payoff))
        self._add(key, END, [], (), number, scale * deal.share)

    def _payoff(self, given: Any) -> tuple[Floats | Showdown, float]:
        """Return a payoff to player 0 with amounts up to 1, and its scale: those that differ in scale are one."""
        if isinstance(given, Showdown):
            strengths = []
            for player, own in enumerate(given.strengths):
                strength = np.asarray(own, np.float64)
                if strength.shape != (self.shape[player],) or not np.isfinite(strength).all():
                    raise GameError(
                        f"{self.name}: a Showdown has a finite strength for each of the {self.shape[player]} hands of "
                        f"player {player}; got {_short(own)} after {self._told()}."
                    )
                strengths.append(strength)
            amounts = (given.win, given.lose, given.tie)
        elif np.ndim(given) == 0:
            strengths, amounts = [np.zeros(size) for size in self.shape], (given, given, given)
        else:
            return self._matrix("payoff()", given), 1.0
        if not all(isinstance(amount, Real) and np.isfinite(float(amount)) for amount in amounts):
            raise GameError(
                f"{self.name}: payoff() must return a finite number, a Showdown or a matrix; got {given!r} "
                f"after {self._told()}."
            )
        scale = max(abs(float(amount)) for amount in amounts) or 1.0
        win, lose, tie = (float(amount) / scale for amount in amounts)
        return Showdown((strengths[0], strengths[1]), win, lose, tie), scale

    def _close(self, top: _Open) -> None:
        """Number a situation all of whose moves have been followed."""
        self._add(top.key, NATURE if top.mover == CHANCE else top.mover, top.children, top.labels, 0, 0.0)

    def _add(
        self,
        key: tuple[Hashable, _Deal],
        mover: int,
        children: list[int],
        labels: tuple[str, ...],
        ending: int,
        scale: float,
    ) -> None:
        situation = self.number[key] = len(self.mover)
        self.mover.append(mover)
        self.children.append(children)
        self.labels.append(labels)
        self.matrix.append(key[1].matrix)
        self.ending.append(ending)
        self.scale.append(scale)
        if self.path:
            self.path[-1].children.append(situation)
        if len(self.number) > self.limits.max_histories:
            raise GameError(
                f"{self.name}: more than {self.limits.max_histories:,} different public situations. Raise "
                "max_histories (--max-histories) if there is memory for more, or let states hold less."
            )
        if self.limits.progress is not None and len(self.number) % _REPORT_EVERY == 0:
            self.limits.progress(len(self.number))

    def _form(self, hands: tuple[tuple[str, ...], tuple[str, ...]]) -> PublicForm:
        """Return the form of the situations found."""
        count = len(self.mover)
        width = [padded(size) for size in self.shape]
        slots, infosets, actions, nodes, histories, depth = ([0] * count for _ in range(6))
        child_slot = []
        for s in range(count):  # what a situation leads to comes before it
            mover, children = self.mover[s], self.children[s]
            live = len(self.live[self.matrix[s]][mover]) if mover < NATURE else 0
            at = width[mover] * len(children) if mover < NATURE else 0
            for child in children:
                child_slot.append(at)
                at += slots[child]
            slots[s] = at
            infosets[s] = live + sum(infosets[child] for child in children)
            actions[s] = live * len(children) + sum(actions[child] for child in children)
            nodes[s] = 1 + sum(nodes[child] for child in children)
            histories[s] = self.pairs[self.matrix[s]] + sum(histories[child] for child in children)
            depth[s] = 1 + max((depth[child] for child in children), default=-1)
        if slots[-1] >= 2**62:
            raise GameError(f"{self.name}: {nodes[-1]:,} public nodes are too many. Choose a smaller game.")
        public = PublicTree(
            mover=np.array(self.mover, np.int64),
            first_child=offsets([len(children) for children in self.children]),
            child=np.array([child for children in self.children for child in children], np.int64),
            child_slot=np.array(child_slot, np.int64),
            slots=np.array(slots, np.int64),
            hands=np.array(self.shape, np.int64),
            width=np.array(width, np.int64),
            ending=np.array(self.ending, np.int64),
            scale=np.array(self.scale, np.float64),
        )
        return PublicForm(
            name=self.name,
            hands=hands,
            public=public,
            endings=make_endings(self.payoffs),
            moves=tuple(self.labels),
            live=tuple(self.live[matrix] for matrix in self.matrix),
            histories=1 + histories[-1],
            nodes=nodes[-1],
            num_infosets=infosets[-1],
            num_actions=actions[-1],
            depth=1 + depth[-1],
            infosets_below=tuple(infosets),
            namer=lambda hand, moves: infoset_name(self.game, hand, moves),
        )


def _short(value: Any) -> str:
    """Return a value as text for an error, cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
