"""The public form of a game: its public situations, each once, and how all that hangs below them is numbered."""

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
_MOVES_SHOWN = 20  # in an error message
_NO_AMOUNTS = (0.0, 0.0, 0.0)
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


class Pairs(NamedTuple):
    """What befalls a single pair of hands (i, j), which is what samples ask for.

    Attributes
    ----------
    prior : float64 array, shape (hands of player 0, hands of player 1)
        The probability of each pair.
    slot, node : int64 arrays, shape (moves,)
        How many slots, without padding, and how many public nodes come before those below a move, counted from its
        node; by move like ``PublicTree.child``.
    share : float64 array; matrix : int64 array, shape (moves,)
        The probability of an outcome of public chance is share · matrices[matrix][i, j].
    mean : float64 array, shape (moves,)
        The mean of that, over all pairs that can be there.
    matrices : tuple of float64 arrays, shape (hands of player 0, hands of player 1)
        The different ones.
    payoffs : tuple of Showdown or float64 array
        What each of the :class:`~equilibrist.form.endings.Endings` pays player 0; of a showdown, up to a factor.
    amounts : float64 array, shape (situations, 3)
        What player 0 wins, ties and loses in a showdown at an end.
    """

    prior: Floats
    slot: Whole
    node: Whole
    share: Floats
    matrix: Whole
    mean: Floats
    matrices: tuple[Floats, ...]
    payoffs: tuple[Floats | Showdown, ...]
    amounts: Floats


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
    pairs : Pairs
        The same for a single pair of hands, and how probable its deal and the outcomes of public chance are.
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
    pairs: Pairs
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
    kind = "public"

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
    def payoff_kind(self) -> str:
        """What the payoff is made of, in words."""
        dense = int((self.endings.kind == DENSE).sum())
        shared = [f"{dense:,} by matrix"] * (dense > 0)
        shared += [f"{len(self.endings.kind) - dense:,} by sorted hands"] * (dense < len(self.endings.kind))
        hands = " × ".join(f"{len(hands):,}" for hands in self.hands)
        return f"{hands} hands at {self.nodes:,} public nodes, {' and '.join(shared)}"

    @property
    def fingerprint(self) -> str:
        """A digest of the game: the same text means the same hands, moves and payoffs."""
        digest = hashlib.sha256(repr((self.hands, self.moves)).encode())
        for array in (*self.public, *self.endings):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()[:16]

    def _digest(self) -> bytes:
        return self.fingerprint.encode()

    @cached_property
    def infosets(self) -> Infosets:
        """Player, key and action names of each infoset, in the order in which a depth-first walk meets them."""
        owner, count, _ = self._listed()
        return Infosets(owner, count, self._infoset, self._digest)

    @property
    def slot(self) -> Whole:
        """The slot of each action of each infoset, in the order of ``infosets``; listed anew each time."""
        return self._listed()[2]

    def _listed(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Whole]:
        """Return who decides at each infoset, among how many actions, and the slots of all these actions."""
        different, which = self.different_live()
        own = 2 * which
        first = offsets([len(hands) for live in different for hands in live])
        living = np.concatenate([hands for live in different for hands in live])
        owner, count = np.empty(self.num_infosets, np.uint32), np.empty(self.num_infosets, np.uint32)
        slot = np.empty(self.num_actions, np.int64)
        _list(self.public, own, first, living, np.zeros((3, self.depth + 2), np.int64), owner, count, slot)
        return owner, count, slot

    def different_live(self) -> tuple[list[tuple[Whole, Whole]], Whole]:
        """Return the different items of ``live``, and which of them each situation has."""
        different = list({id(live): live for live in self.live}.values())
        number = {id(live): k for k, live in enumerate(different)}
        return different, np.array([number[id(live)] for live in self.live], np.int64)

    def _infoset(self, index: int) -> Infoset:
        """Return the infoset of that number: go down to its node, by how many lie below each move."""
        here, moves = self.root, list[str]()
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


class _Outcome(NamedTuple):
    """An outcome of public chance: the deal after it, and what :class:`Pairs` says of it."""

    deal: _Deal
    share: float
    matrix: int
    mean: float


class _Open:
    """A situation whose moves are being followed."""

    def __init__(self, key: tuple[Hashable, _Deal], mover: int, actions: Sequence[Hashable], labels: tuple[str, ...]):
        self.key = key
        self.mover = mover
        self.actions = actions
        self.labels = labels
        self.outcomes: list[_Outcome] = []
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
        self.odds: list[Floats] = []  # the different probabilities of outcomes
        self.odds_number: dict[bytes, int] = {}
        self.payoffs: list[tuple[Floats, Floats | Showdown]] = []
        self.payoff_number: dict[Hashable, int] = {}
        self.live: list[tuple[Whole, Whole]] = []  # by matrix of chance
        self.pairs: list[int] = []
        # By situation:
        self.outcomes: list[list[_Outcome]] = []
        self.mover: list[int] = []
        self.children: list[list[int]] = []
        self.labels: list[tuple[str, ...]] = []
        self.matrix: list[int] = []
        self.ending: list[int] = []
        self.scale: list[float] = []
        self.amounts: list[tuple[float, float, float]] = []

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
                key = (after, top.outcomes[move].deal if top.mover == CHANCE else deal)
            known = self.number.get(key)
            if known is None:
                self._enter(key)
            else:
                top.children.append(known)
        return self._form(hands)

    def _told(self) -> str:
        moves = [top.labels[len(top.children)] for top in self.path if len(top.children) < len(top.labels)]
        if len(moves) > _MOVES_SHOWN:
            moves[_MOVES_SHOWN // 2 : -_MOVES_SHOWN // 2] = [f"… {len(moves) - _MOVES_SHOWN:,} more moves …"]
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
                if not self.path:
                    raise GameError(f"{self.name}: the game is over before anybody moves.")
                self._end(key)
                return
            actions = self.ask.actions(0, state)
            labels = self.ask.labels(0, state, actions, "")
            top = _Open(key, mover, actions, labels)
            if mover == CHANCE:
                top.outcomes = self._outcomes(deal, state, len(actions))
        self.path.append(top)

    def _outcomes(self, deal: _Deal, state: Any, count: int) -> list[_Outcome]:
        """Return the outcomes of public chance: how probable each of them is, and makes each pair of hands."""
        shares = list(self.game.probabilities(state))
        if len(shares) != count:
            raise GameError(
                f"{self.name}: chance has {count} outcomes but {len(shares)} probabilities after {self._told()}."
            )
        before = self.chances[deal.matrix]
        total, outcomes = np.zeros(self.shape), []
        for share in shares:
            matrix = self._matrix("probabilities()", share)
            if matrix.min() < 0.0:
                raise GameError(
                    f"{self.name}: the probabilities of chance must be 0 or more; got {_short(share)} "
                    f"after {self._told()}."
                )
            total += matrix
            if np.ndim(share) == 0 and share != 0:  # what is impossible for all is nobody's
                after = _Deal(deal.matrix, deal.share * float(matrix[0, 0]))
            else:
                after = _Deal(self._chance(before * matrix), deal.share)
            outcomes.append(_Outcome(after, *self._odds(share, matrix), mean=_mean(matrix[before > 0])))
        wrong = (before > 0) & ~(np.abs(total - 1.0) <= PROBABILITY_TOLERANCE)
        if wrong.any():
            i, j = map(int, np.argwhere(wrong)[0])
            raise GameError(
                f"{self.name}: the probabilities of chance must sum to 1 for each pair of hands; after {self._told()} "
                f"they sum to {float(total[i, j])!r} where the hands are "
                f"{str(self.game.hands[0][i])!r} and {str(self.game.hands[1][j])!r}."
            )
        return outcomes

    def _odds(self, share: Any, matrix: Floats) -> tuple[float, int]:
        """Return a probability as a number, and the number of the matrix that it is multiplied with."""
        alone = np.ndim(share) == 0
        content = np.ones(self.shape) if alone else matrix
        number = self.odds_number.setdefault(content.tobytes(), len(self.odds))
        if number == len(self.odds):
            self.odds.append(content)
        return float(matrix[0, 0]) if alone else 1.0, number

    def _end(self, key: tuple[Hashable, _Deal]) -> None:
        """Number an end."""
        state, deal = key
        payoff, scale, amounts = self._payoff(self.game.payoff(state))
        content: Hashable
        if isinstance(payoff, Showdown):
            content = (*(np.asarray(one).tobytes() for one in payoff.strengths), payoff.win, payoff.lose, payoff.tie)
        else:
            content = payoff.tobytes()
        number = self.payoff_number.setdefault((deal.matrix, content), len(self.payoffs))
        if number == len(self.payoffs):
            self.payoffs.append((self.chances[deal.matrix], payoff))
        self._add(key, END, [], (), number, scale * deal.share, [], amounts)

    def _payoff(self, given: Any) -> tuple[Floats | Showdown, float, tuple[float, float, float]]:
        """Return a payoff to player 0 with amounts up to 1, its scale, and its amounts: those that differ so are one."""
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
            amounts = (given.win, given.tie, given.lose)
        elif np.ndim(given) == 0:
            strengths, amounts = [np.zeros(size) for size in self.shape], (given, given, given)
        else:
            return self._matrix("payoff()", given), 1.0, _NO_AMOUNTS
        if not all(isinstance(amount, Real) and np.isfinite(float(amount)) for amount in amounts):
            raise GameError(
                f"{self.name}: payoff() must return a finite number, a Showdown or a matrix; got {given!r} "
                f"after {self._told()}."
            )
        win, tie, lose = map(float, amounts)
        scale = max(abs(win), abs(tie), abs(lose)) or 1.0
        up_to_1 = Showdown((strengths[0], strengths[1]), win=win / scale, lose=lose / scale, tie=tie / scale)
        return up_to_1, scale, (win, tie, lose)

    def _close(self, top: _Open) -> None:
        """Number a situation all of whose moves have been followed."""
        mover = NATURE if top.mover == CHANCE else top.mover
        self._add(top.key, mover, top.children, top.labels, 0, 0.0, top.outcomes)

    def _add(
        self,
        key: tuple[Hashable, _Deal],
        mover: int,
        children: list[int],
        labels: tuple[str, ...],
        ending: int,
        scale: float,
        outcomes: list[_Outcome],
        amounts: tuple[float, float, float] = _NO_AMOUNTS,
    ) -> None:
        situation = self.number[key] = len(self.mover)
        self.mover.append(mover)
        self.children.append(children)
        self.labels.append(labels)
        self.matrix.append(key[1].matrix)
        self.ending.append(ending)
        self.scale.append(scale)
        self.amounts.append(amounts)
        self.outcomes.append(outcomes)
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
        child_slot, child_action, child_node = [], [], []
        for s in range(count):  # what a situation leads to comes before it
            mover, children = self.mover[s], self.children[s]
            live = len(self.live[self.matrix[s]][mover]) if mover < NATURE else 0
            slots[s] = width[mover] * len(children) if mover < NATURE else 0
            actions[s], nodes[s] = live * len(children), 1
            for child in children:
                child_slot.append(slots[s])
                child_action.append(actions[s])
                child_node.append(nodes[s])
                slots[s] += slots[child]
                actions[s] += actions[child]
                nodes[s] += nodes[child]
            infosets[s] = live + sum(infosets[child] for child in children)
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
        none = _Outcome(_Deal(0, 0.0), 0.0, 0, 0.0)
        outcomes = [
            outcome
            for own, children in zip(self.outcomes, self.children, strict=True)
            for outcome in own or [none] * len(children)
        ]
        pairs = Pairs(
            prior=self.chances[0],
            slot=np.array(child_action, np.int64),
            node=np.array(child_node, np.int64),
            share=np.array([outcome.share for outcome in outcomes], np.float64),
            matrix=np.array([outcome.matrix for outcome in outcomes], np.int64),
            mean=np.array([outcome.mean for outcome in outcomes], np.float64),
            matrices=tuple(self.odds),
            payoffs=tuple(payoff for _, payoff in self.payoffs),
            amounts=np.array(self.amounts, np.float64),
        )
        return PublicForm(
            name=self.name,
            hands=hands,
            public=public,
            endings=make_endings(self.payoffs),
            pairs=pairs,
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


def _mean(numbers: Floats) -> float:
    """Return the mean of numbers, summed up in their order as a tree does; 0 where there are none."""
    return float(numbers.cumsum()[-1] / len(numbers)) if len(numbers) else 0.0


def _short(value: Any) -> str:
    """Return a value as text for an error, cut where it is long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
