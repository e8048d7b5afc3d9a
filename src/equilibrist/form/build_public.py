"""Compile the rules of a public game: find its public states, checking all of them on the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._jit.simd import padded
from .._util.arrays import Floats, Ints, offsets
from ..errors import GameError, GameTooLargeError
from ..game.checked import CheckedGame
from ..game.plays import check_repeatable
from ..game.protocol import CHANCE, TERMINAL, game_name
from ..game.public import PublicGame, Showdown
from ..game.unfold import unfold
from .limits import MAX_DEPTH, Limits
from .public import JointHands, PublicForm
from .public_answers import NO_AMOUNTS, Amounts, PublicAnswers
from .public_infosets import PublicNames
from .public_tree import END, NATURE, PublicTree
from .terminal.payoffs import make_terminal_payoffs

_BYTES_PER_STATE = 1_000  # besides matrices
_NAMES_CHECKED = 20_000
_REPORT_EVERY = 1 << 12  # public states between two calls of `progress`


_MOVES_SHOWN = 20  # in an error message


def compile_public(
    game: PublicGame,
    *,
    max_histories: int | None = None,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
    check_names: bool = True,
) -> PublicForm:
    """Return the public form of a game, having checked all of it on the way.

    Parameters
    ----------
    game : PublicGame
        The rules.
    max_histories : int, optional
        Where to give up: how many different public states there may be; by default as many as there is memory for.
    max_depth : int
        The most moves of a play.
    progress : callable, optional
        Called now and then with the number of public states found so far.
    check_names : bool
        Whether to see that no two infosets have the same name, as far as the first 20,000 of them, and that rules of
        your own leave states as they are.

    Raises
    ------
    GameError
        The game is not well formed, or exceeds a limit.
    """
    return compile_public_within(game, Limits.checked(max_histories, max_depth, progress), check_names=check_names)


def compile_public_within(game: PublicGame, limits: Limits, *, check_names: bool) -> PublicForm:
    """Return the public form of a game, as :func:`compile_public` does."""
    compiler = _Compiler(game, limits.begin())
    form = compiler.run()
    if check_names:
        compiler.check_names(form)
        check_repeatable(unfold(game))
    return form


class _Deal(NamedTuple):
    """How probable each pair of hands and the public chance so far are together: a matrix, by its number, × a share."""

    matrix: int
    share: float


class _Outcome(NamedTuple):
    """An outcome of public chance: the deal after it, and what :class:`JointHands` says of it."""

    deal: _Deal
    share: float
    matrix: int
    mean: float


class _Open:
    """A public state whose moves are being followed."""

    def __init__(self, key: tuple[Hashable, _Deal], mover: int, actions: Sequence[Hashable], labels: tuple[str, ...]):
        self.key = key
        self.mover = mover
        self.actions = actions
        self.labels = labels
        self.outcomes: list[_Outcome] = []
        self.children: list[int] = []


class _Compiler:
    """Finds the public states of a game, depth first; one is numbered when all below it are."""

    def __init__(self, game: PublicGame, limits: Limits) -> None:
        self.game = game
        self.path: list[_Open] = []
        self.ask = CheckedGame(game, 2, lambda _: self._told())
        self.answers = PublicAnswers(game, self.ask)
        self.name = game_name(game)
        self.limits = limits
        self.number: dict[tuple[Hashable, _Deal], int] = {}
        self.deals: list[Floats] = []  # the different matrices of the deal and the public chance so far
        self.deal_number: dict[bytes, int] = {}
        self.chances: list[Floats] = []  # the different probabilities of outcomes of chance
        self.chance_number: dict[bytes, int] = {}
        self.payoffs: list[tuple[Floats, Floats | Showdown]] = []
        self.payoff_number: dict[Hashable, int] = {}
        self.possible_hands: list[tuple[Ints, Ints]] = []  # by number of the deal
        self.pairs: list[int] = []
        self.largest_payoff = 0.0
        # By public state:
        self.outcomes: list[list[_Outcome]] = []
        self.mover: list[int] = []
        self.children: list[list[int]] = []
        self.labels: list[tuple[str, ...]] = []
        self.deal: list[int] = []
        self.terminal: list[int] = []
        self.scale: list[float] = []
        self.amounts: list[Amounts] = []

    def run(self) -> PublicForm:
        """Return the form."""
        with self.ask.rule_errors(0):
            hands = self.answers.hands()
            begin = (self.answers.state(self.game.start()), _Deal(self._deal(self.answers.prior()), 1.0))
        self._enter(begin)
        while self.path:
            top = self.path[-1]
            if len(top.children) == len(top.actions):
                self._close(self.path.pop())
                continue
            with self.ask.rule_errors(0):
                state, deal = top.key
                move = len(top.children)
                after = self.answers.state(self.ask.next(0, state, top.actions[move]))
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

    def check_names(self, form: PublicForm) -> None:
        """Refuse two infosets of a player with the same name."""
        seen = set()
        with self.ask.rule_errors(0):
            for index in range(min(form.num_infosets, _NAMES_CHECKED)):
                player, key, _ = form.names.infoset(index)
                self.answers.check_text(key)
                if (player, key) in seen:
                    raise GameError(
                        f"{self.name}: two infosets of player {player} have the same name: {key!r}. Let infoset(hand, "
                        "moves) tell all hands and moves apart."
                    )
                seen.add((player, key))

    def _deal(self, matrix: Floats) -> int:
        """Return the number of a matrix of the deal and the public chance so far."""
        content = matrix.tobytes()
        number = self.deal_number.setdefault(content, len(self.deals))
        if number == len(self.deals):
            self.deals.append(matrix)
            self.possible_hands.append((np.flatnonzero(matrix.any(axis=1)), np.flatnonzero(matrix.any(axis=0))))
            self.pairs.append(int(np.count_nonzero(matrix)))
        return number

    def _enter(self, key: tuple[Hashable, _Deal]) -> None:
        """Look at a public state that is not known yet."""
        if len(self.path) >= self.limits.max_depth:
            raise self.limits.too_deep(self.name, self._told())
        state, deal = key
        with self.ask.rule_errors(0):
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
        before, outcomes = self.deals[deal.matrix], []
        for share, matrix in self.answers.outcomes(state, count, before):
            if np.ndim(share) == 0 and share != 0:  # what is impossible for all is nobody's
                after = _Deal(deal.matrix, deal.share * float(matrix[0, 0]))
            else:
                after = _Deal(self._deal(before * matrix), deal.share)
            outcomes.append(_Outcome(after, *self._chance(share, matrix), mean=_mean(matrix[before > 0])))
        return outcomes

    def _chance(self, share: Any, matrix: Floats) -> tuple[float, int]:
        """Return a probability as a number, and the number of the matrix that it is multiplied with."""
        alone = np.ndim(share) == 0
        content = np.ones(self.answers.shape) if alone else matrix
        number = self.chance_number.setdefault(content.tobytes(), len(self.chances))
        if number == len(self.chances):
            self.chances.append(content)
        return float(matrix[0, 0]) if alone else 1.0, number

    def _end(self, key: tuple[Hashable, _Deal]) -> None:
        """Number an end."""
        state, deal = key
        payoff = self.answers.payoff(state)
        self.largest_payoff = max(self.largest_payoff, payoff.largest)
        number = self.payoff_number.setdefault((deal.matrix, payoff.content), len(self.payoffs))
        if number == len(self.payoffs):
            self.payoffs.append((self.deals[deal.matrix], payoff.payoff))
        self._add(key, END, [], (), number, payoff.scale * deal.share, [], payoff.amounts)

    def _close(self, top: _Open) -> None:
        """Number a public state all of whose moves have been followed."""
        mover = NATURE if top.mover == CHANCE else top.mover
        self._add(top.key, mover, top.children, top.labels, 0, 0.0, top.outcomes)

    def _add(
        self,
        key: tuple[Hashable, _Deal],
        mover: int,
        children: list[int],
        labels: tuple[str, ...],
        terminal: int,
        scale: float,
        outcomes: list[_Outcome],
        amounts: Amounts = NO_AMOUNTS,
    ) -> None:
        public_state = self.number[key] = len(self.mover)
        self.mover.append(mover)
        self.children.append(children)
        self.labels.append(labels)
        self.deal.append(key[1].matrix)
        self.terminal.append(terminal)
        self.scale.append(scale)
        self.amounts.append(amounts)
        self.outcomes.append(outcomes)
        if self.path:
            self.path[-1].children.append(public_state)
        most, found = self.limits.max_histories, len(self.number)
        if most is not None and found > most:
            raise GameTooLargeError(
                f"{self.name}: more than {most:,} different public states. Raise max_histories (--max-histories) if "
                "there is memory for more, or let states hold less."
            )
        if found % _REPORT_EVERY == 0:
            self.limits.report(self.name, found, self._bytes_each(), things="public states")

    def _bytes_each(self) -> float:
        """Return about how many bytes compiling takes for each public state found so far."""
        hands = self.answers.shape[0] * self.answers.shape[1]
        matrices = 8 * hands * (2 * len(self.deals) + len(self.chances) + 3 * len(self.payoffs))
        return _BYTES_PER_STATE + matrices / len(self.number)

    def _form(self, hands: tuple[tuple[str, ...], tuple[str, ...]]) -> PublicForm:
        """Return the form of the public states found."""
        count = len(self.mover)
        width = [padded(size) for size in self.answers.shape]
        slots, infosets, actions, nodes, histories, depth = ([0] * count for _ in range(6))
        child_slot, child_action, child_node = [], [], []
        for s in range(count):  # what a public state leads to comes before it
            mover, children = self.mover[s], self.children[s]
            possible_hands = len(self.possible_hands[self.deal[s]][mover]) if mover < NATURE else 0
            slots[s] = width[mover] * len(children) if mover < NATURE else 0
            actions[s], nodes[s] = possible_hands * len(children), 1
            for child in children:
                child_slot.append(slots[s])
                child_action.append(actions[s])
                child_node.append(nodes[s])
                slots[s] += slots[child]
                actions[s] += actions[child]
                nodes[s] += nodes[child]
            infosets[s] = possible_hands + sum(infosets[child] for child in children)
            histories[s] = self.pairs[self.deal[s]] + sum(histories[child] for child in children)
            depth[s] = 1 + max((depth[child] for child in children), default=-1)
        if slots[-1] >= 2**62:
            raise GameError(f"{self.name}: {nodes[-1]:,} public nodes are too many. Choose a smaller game.")
        public = PublicTree(
            mover=np.array(self.mover, np.int64),
            first_child=offsets([len(children) for children in self.children]),
            child=np.array([child for children in self.children for child in children], np.int64),
            child_slot=np.array(child_slot, np.int64),
            slots=np.array(slots, np.int64),
            hands=np.array(self.answers.shape, np.int64),
            width=np.array(width, np.int64),
            terminal=np.array(self.terminal, np.int64),
            scale=np.array(self.scale, np.float64),
        )
        none = _Outcome(_Deal(0, 0.0), 0.0, 0, 0.0)
        outcomes = [
            outcome
            for own, children in zip(self.outcomes, self.children, strict=True)
            for outcome in own or [none] * len(children)
        ]
        joint_hands = JointHands(
            prior=self.deals[0],
            slot=np.array(child_action, np.int64),
            node=np.array(child_node, np.int64),
            share=np.array([outcome.share for outcome in outcomes], np.float64),
            matrix=np.array([outcome.matrix for outcome in outcomes], np.int64),
            mean=np.array([outcome.mean for outcome in outcomes], np.float64),
            matrices=tuple(self.chances),
            payoffs=tuple(payoff for _, payoff in self.payoffs),
            amounts=np.array(self.amounts, np.float64),
        )
        names = PublicNames(
            game=self.game,
            hands=hands,
            moves=tuple(self.labels),
            possible_hands=tuple(self.possible_hands),
            deal=np.array(self.deal, np.int64),
            mover=public.mover,
            first_child=public.first_child,
            child=public.child,
            infosets_below=np.array(infosets, np.int64),
        )
        return PublicForm(
            name=self.name,
            public=public,
            terminal_payoffs=make_terminal_payoffs(self.payoffs),
            joint_hands=joint_hands,
            names=names,
            histories=1 + len(self.possible_hands[0][0]) + histories[-1],  # before the deal, and between the two hands
            nodes=nodes[-1],
            num_infosets=infosets[-1],
            num_actions=actions[-1],
            depth=2 + depth[-1],
            largest_payoff=self.largest_payoff,
        )


def _mean(numbers: Floats) -> float:
    """Return the mean of numbers, summed up in their order as a tree does; 0 where there are none."""
    return float(numbers.cumsum()[-1] / len(numbers)) if len(numbers) else 0.0
