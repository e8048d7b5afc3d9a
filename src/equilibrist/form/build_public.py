"""Compile the rules of a public game: find its public states, checking all of them on the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import padded
from ..errors import GameError
from ..game.checked import PROBABILITY_TOLERANCE, CheckedGame
from ..game.protocol import CHANCE, TERMINAL, game_name
from ..game.public import PublicGame, Showdown, expand_reveal, infoset_name, number_or_matrix, prior_matrix
from .build_python import MAX_DEPTH, MAX_HISTORIES, Limits, offsets
from .public import END, NATURE, JointHands, PublicForm, PublicTree
from .terminal.payoffs import make_terminal_payoffs

_NO_AMOUNTS = (0.0, 0.0, 0.0)
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_NAMES_CHECKED = 20_000
_REPORT_EVERY = 1 << 12  # public states between two calls of `progress`


_MOVES_SHOWN = 20  # in an error message


def compile_public(
    game: PublicGame,
    *,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
    check_names: bool = True,
) -> PublicForm:
    """Return the public form of a game, having checked all of it on the way.

    Parameters
    ----------
    game : PublicGame
        The rules.
    max_histories : int
        Where to give up: how many different public states there may be.
    max_depth : int
        The most moves of a play.
    progress : callable, optional
        Called now and then with the number of public states found so far.
    check_names : bool
        Whether to see that no two infosets have the same name, as far as the first 20,000 of them.

    Raises
    ------
    GameError
        The game is not well formed, or exceeds a limit.
    """
    compiler = _Compiler(game, Limits.checked(max_histories, max_depth, progress))
    form = compiler.run()
    if check_names:
        compiler.check_names(form)
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
        self.name = game_name(game)
        self.limits = limits
        self.number: dict[tuple[Hashable, _Deal], int] = {}
        self.chances: list[Floats] = []  # the different matrices of chance
        self.chance_number: dict[bytes, int] = {}
        self.odds: list[Floats] = []  # the different probabilities of outcomes
        self.odds_number: dict[bytes, int] = {}
        self.payoffs: list[tuple[Floats, Floats | Showdown]] = []
        self.payoff_number: dict[Hashable, int] = {}
        self.possible_hands: list[tuple[Whole, Whole]] = []  # by matrix of chance
        self.pairs: list[int] = []
        # By public state:
        self.outcomes: list[list[_Outcome]] = []
        self.mover: list[int] = []
        self.children: list[list[int]] = []
        self.labels: list[tuple[str, ...]] = []
        self.matrix: list[int] = []
        self.terminal: list[int] = []
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
            for hand in own:
                self._check_text(hand)
            if len(set(own)) < len(own):
                twice = next(hand for hand in own if own.count(hand) > 1)
                raise GameError(f"{self.name}: two hands of player {player} have the same name: {twice!r}.")
        return hands[0], hands[1]

    def _check_text(self, name: str) -> None:
        """Refuse a name that no file can hold."""
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise GameError(f"{self.name}: names of hands and infosets must be Unicode text; got {name!r}.") from error

    def check_names(self, form: PublicForm) -> None:
        """Refuse two infosets of a player with the same name."""
        seen = set()
        with self.ask.asking(0):
            for index in range(min(form.num_infosets, _NAMES_CHECKED)):
                player, key, _ = form.infoset(index)
                self._check_text(key)
                if (player, key) in seen:
                    raise GameError(
                        f"{self.name}: two infosets of player {player} have the same name: {key!r}. Let infoset(hand, "
                        "moves) tell all hands and moves apart."
                    )
                seen.add((player, key))

    def _prior(self) -> Floats:
        self.deal = self.game.prior()
        prior = self._numbers("prior()", prior_matrix(self.deal))
        if isinstance(prior, float):
            raise GameError(
                f"{self.name}: prior() must be a Deal, or a matrix with a row for each of the {self.shape[0]} hands of "
                f"player 0 and a column for each of the {self.shape[1]} of player 1; got {prior!r}."
            )
        if not (prior.min() >= 0.0 and abs(prior.sum() - 1.0) <= PROBABILITY_TOLERANCE):
            raise GameError(
                f"{self.name}: the probabilities of the deal, prior(), must be 0 or more and sum to 1; "
                f"they sum to {float(prior.sum())!r}, the least is {float(prior.min())!r}."
            )
        return prior

    def _numbers(self, what: str, given: Any) -> float | Floats:
        """Return a finite number, or a matrix of them, one for each pair of hands."""
        try:
            numbers = number_or_matrix(given, self.shape)
        except ValueError:
            rows, columns = self.shape
            raise GameError(
                f"{self.name}: {what} must give a number for each of {rows} × {columns} pairs of hands, as a matrix, "
                f"or one number for all; got {_short(given)} after {self._told()}."
            ) from None
        if not np.isfinite(numbers).all():
            raise GameError(f"{self.name}: {what} must give finite numbers; got {_short(given)} after {self._told()}.")
        return numbers

    def _chance(self, matrix: Floats) -> int:
        """Return the number of a matrix of chance."""
        content = matrix.tobytes()
        number = self.chance_number.setdefault(content, len(self.chances))
        if number == len(self.chances):
            self.chances.append(matrix)
            self.possible_hands.append((np.flatnonzero(matrix.any(axis=1)), np.flatnonzero(matrix.any(axis=0))))
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
        """Look at a public state that is not known yet."""
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
        shares = [expand_reveal(share, self.deal) for share in self.game.probabilities(state)]
        if len(shares) != count:
            raise GameError(
                f"{self.name}: chance has {count} outcomes but {len(shares)} probabilities after {self._told()}."
            )
        before = self.chances[deal.matrix]
        total, outcomes = np.zeros(self.shape), []
        for share in shares:
            matrix = np.full(self.shape, self._numbers("probabilities()", share))
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
        """Return a payoff to player 0 with amounts up to 1, for those that differ in scale are one; scale; amounts."""
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
            if not all(isinstance(amount, Real) and np.isfinite(float(amount)) for amount in amounts):
                raise GameError(
                    f"{self.name}: a Showdown pays finite numbers; got {_short(given)} after {self._told()}."
                )
        else:
            payoff = self._numbers("payoff()", given)
            if not isinstance(payoff, float):
                return payoff, 1.0, _NO_AMOUNTS
            strengths, amounts = [np.zeros(size) for size in self.shape], (payoff, payoff, payoff)
        win, tie, lose = map(float, amounts)
        scale = max(abs(win), abs(tie), abs(lose)) or 1.0
        up_to_1 = Showdown((strengths[0], strengths[1]), win=win / scale, lose=lose / scale, tie=tie / scale)
        return up_to_1, scale, (win, tie, lose)

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
        amounts: tuple[float, float, float] = _NO_AMOUNTS,
    ) -> None:
        public_state = self.number[key] = len(self.mover)
        self.mover.append(mover)
        self.children.append(children)
        self.labels.append(labels)
        self.matrix.append(key[1].matrix)
        self.terminal.append(terminal)
        self.scale.append(scale)
        self.amounts.append(amounts)
        self.outcomes.append(outcomes)
        if self.path:
            self.path[-1].children.append(public_state)
        if len(self.number) > self.limits.max_histories:
            raise GameError(
                f"{self.name}: more than {self.limits.max_histories:,} different public states. Raise "
                "max_histories (--max-histories) if there is memory for more, or let states hold less."
            )
        if self.limits.progress is not None and len(self.number) % _REPORT_EVERY == 0:
            self.limits.progress(len(self.number))

    def _form(self, hands: tuple[tuple[str, ...], tuple[str, ...]]) -> PublicForm:
        """Return the form of the public states found."""
        count = len(self.mover)
        width = [padded(size) for size in self.shape]
        slots, infosets, actions, nodes, histories, depth = ([0] * count for _ in range(6))
        child_slot, child_action, child_node = [], [], []
        for s in range(count):  # what a public state leads to comes before it
            mover, children = self.mover[s], self.children[s]
            possible_hands = len(self.possible_hands[self.matrix[s]][mover]) if mover < NATURE else 0
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
            terminal=np.array(self.terminal, np.int64),
            scale=np.array(self.scale, np.float64),
        )
        none = _Outcome(_Deal(0, 0.0), 0.0, 0, 0.0)
        outcomes = [
            outcome
            for own, children in zip(self.outcomes, self.children, strict=True)
            for outcome in own or [none] * len(children)
        ]
        pairs = JointHands(
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
            terminal_payoffs=make_terminal_payoffs(self.payoffs),
            joint_hands=pairs,
            moves=tuple(self.labels),
            possible_hands=tuple(self.possible_hands[matrix] for matrix in self.matrix),
            histories=1 + len(self.possible_hands[0][0]) + histories[-1],  # before the deal, and between the two hands
            nodes=nodes[-1],
            num_infosets=infosets[-1],
            num_actions=actions[-1],
            depth=2 + depth[-1],
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
