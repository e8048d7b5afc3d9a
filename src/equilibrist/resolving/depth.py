"""Limits of depth: where a part that is solved again is cut, and what its leaves are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.validate import is_number, is_whole
from ..errors import GameError
from ..form.cards.build import compile_cards
from ..form.cards.cut import CutGame, PairPayoffs, cut_cards, fix_player_on_cards
from ..form.cards.form import CardForm
from ..form.cards.leaves import Above, end_cards_with_function
from ..form.limits import CompileBudget, Meter
from ..form.sequence.cut import (
    cut_part,
    end_with_blueprint,
    end_with_continuations,
    end_with_function,
)
from ..form.sequence.form import SequenceForm
from ..form.sequence.part import Ends, SequencePart

_BYTES_PER_PAIR = (
    32  # of hands, while matrices are made: sums, payoffs, and those of both players in the form
)
BLUEPRINT = "blueprint"
ANSWER = "best response"
_POKER = {  # how actions of poker are called, as words and in lines
    "fold": re.compile(r"f(old)?", re.IGNORECASE),
    "call": re.compile(r"c(all|heck)?|x|k|p(ass)?", re.IGNORECASE),
    "raise": re.compile(r"[bra][\d.]*|(bet|raise|all.?in)\b.*", re.IGNORECASE),
}
NAMES = (BLUEPRINT, *_POKER)


@dataclass(frozen=True)
class Continuations:
    """So many ways in which the opponent may go on below a leaf (:func:`continuations`)."""

    count: int
    factor: float

    def __str__(self) -> str:
        if self.count == 1:
            return BLUEPRINT
        return f"continuations({self.count})"

    def strategies(self, form: SequenceForm, strategy: Floats, opponent: int) -> list[Floats]:
        """Return the ways of both players to go on, each at the slots of a form, shape (slots,)."""
        actions = [infoset.actions for infoset in form.infosets]
        is_opponent = np.repeat(form.infosets.owner == opponent, form.infosets.num_actions)
        strategies = [strategy]
        for name in NAMES[1 : self.count]:
            is_favoured = (
                np.concatenate([_is_favoured(names, name) for names in actions]) & is_opponent
            )
            sums = np.ones(form.length)
            sums[form.slot] = strategy[form.slot] * np.where(is_favoured, self.factor, 1.0)
            strategies.append(form.average_from_sums(sums))
        return strategies

    def strategies_on_cards(self, form: CardForm, strategy: Floats, opponent: int) -> list[Floats]:
        """Return the same for a card form."""
        strategies = [strategy]
        for name in NAMES[1 : self.count]:
            sums = strategy.copy()
            for node in form.betting.nodes:
                if node.player == opponent:
                    rows = form.rows_of(sums, node.street, opponent)
                    first_line = node.first - int(form.arrays.betting.lines[node.street])
                    rows[:, first_line + np.flatnonzero(_is_favoured(node.actions, name))] *= (
                        self.factor
                    )
            strategies.append(form.average_from_sums(sums))
            if form.locks is not None:
                strategies[-1][form.locks.slots] = form.locks.probabilities
        return strategies


def continuations(count: int = 4, *, factor: float = 10.0) -> Continuations:
    """Return ways in which the opponent may go on below a leaf, one of which they choose there for each hand.

    The first is the blueprint; in the others they fold, call (or check) and raise (or bet) more
    often, in this order: the probability of these actions is multiplied by a factor, and all are
    divided by their sum, so that what is never played stays so. Where actions have not the names of
    poker, it is the first, the middle and the last one. The player goes on as the blueprint does.

    Parameters
    ----------
    count : int
        How many, 1 to 4; 1 is the blueprint alone.
    factor : float
        Above 1; the default is that of the paper.

    Raises
    ------
    GameError
        There are not so many, or the factor makes no sense.

    References
    ----------
    Brown, Sandholm & Amos, "Depth-limited solving for imperfect-information games", NeurIPS 2018.

    Examples
    --------
    >>> import equilibrist as eq
    >>> blueprint = eq.solve("leduc", iterations=20)
    >>> part = eq.resolve(blueprint, "J", player=0, depth="1 street", leaves=eq.continuations(4))
    >>> "Jcc/Q" in part.strategy  # of the second street: not solved again
    False
    """
    if not is_whole(count, 1, len(NAMES)):
        raise GameError(
            f"continuations: there are 1 to {len(NAMES)} ({', '.join(NAMES)}); got {count!r}.",
            wrong_use=True,
        )
    if not (is_number(factor) and factor > 1):
        raise GameError(
            f"continuations: factor must be a number above 1; got {factor!r}.", wrong_use=True
        )
    return Continuations(count, float(factor))


def _is_favoured(actions: Sequence[str], name: str) -> NDArray[np.bool_]:
    """Return which of the actions of an infoset are played more often; by place, if they have no names of poker."""
    if all(any(names.fullmatch(action) for names in _POKER.values()) for action in actions):
        return np.array([_POKER[name].fullmatch(action) is not None for action in actions])
    place = {"fold": 0, "call": len(actions) // 2, "raise": len(actions) - 1}[name]
    return np.asarray(np.arange(len(actions)) == place)


class DepthLimit(NamedTuple):
    """Where parts are cut, and what their leaves are worth.

    Attributes
    ----------
    number : int
        After how many of them a part is cut.
    streets : bool
        What is counted: streets, or actions.
    leaves : Continuations, callable, str or None
        What the leaves are worth: how the opponent may go on, a function of a leaf and ranges, or
        "best response" (None: the usual).
    """

    number: int
    streets: bool
    leaves: Any

    @classmethod
    def read(cls, depth: int | str | None, leaves: Any, player: int | None) -> DepthLimit | None:
        """Return the limit that a user asks for; None if there is none."""
        if depth is None:
            if leaves is not None:
                raise GameError(
                    "leaves say what a part is worth where it is cut: give a depth as well, such "
                    "as depth=2 or depth='1 street'.",
                    wrong_use=True,
                )
            return None
        match = re.fullmatch(r"\s*([1-9]\d{0,3})\s*(streets?|actions?)?\s*", str(depth))
        if match is None or isinstance(depth, bool):
            raise GameError(
                "depth must be a number of actions or of streets, such as 2 or '1 street'; got "
                f"{depth!r}.",
                wrong_use=True,
            )
        if player is None:
            raise GameError(
                "depth is for parts that are solved again for a player: give player=0 or "
                "player=1 (--player).",
                wrong_use=True,
            )
        if isinstance(leaves, str):
            leaves = _read_leaves(leaves)
        if not (
            leaves is None
            or isinstance(leaves, Continuations)
            or leaves is ANSWER
            or callable(leaves)
        ):
            raise _leaves_error(leaves)
        return cls(int(match[1]), (match[2] or "").startswith("street"), leaves)

    def ends(self, part: SequencePart, strategy: Floats) -> Ends:
        """Return where the plays of a part end; ``strategy`` is the blueprint at the slots of the whole."""
        cut = cut_part(part, self.number, streets=self.streets)
        if self.leaves in (None, ANSWER):
            return end_with_blueprint(part, cut, strategy)
        if not isinstance(self.leaves, Continuations):
            return end_with_function(part, cut, strategy, self.leaves)
        strategies = self.leaves.strategies(part.form, strategy, part.opponent)
        return end_with_continuations(part, cut, strategies, NAMES[: len(strategies)])

    def cut_cards(
        self, form: CardForm, weights: NDArray[Any], opponent: int, above: Above
    ) -> CardForm | None:
        """Return the form of a part of a card game that is cut, or None where it ends before.

        ``weights`` are those of the blueprint at the slots of the part; ``above`` is what leads
        there.
        """
        if form.game.deal.folded is not None:
            raise GameError(
                "depth cuts no part of a game in which hands were folded before: leave depth out, or "
                "give folded=() to the spot.",
                wrong_use=True,
            )
        leaves = continuations() if self.leaves is None else self.leaves
        cut = cut_cards(form, self.number, streets=self.streets, opponent=opponent)
        if not cut.leaves:
            return None
        strategy = form.average_from_sums(weights)
        if leaves is ANSWER:
            return fix_player_on_cards(form, cut, strategy, 1 - opponent)
        count = leaves.count if isinstance(leaves, Continuations) else 1
        matrices = sum(
            (count if leaf.decides else 1) * form.boards_per_street[leaf.street]
            for leaf in cut.leaves
        )
        hands = [len(player_hands) for player_hands in form.game.deal.hands]
        instead = "Use leaves='blueprint', one street less, or fewer hands."
        bytes_needed = _BYTES_PER_PAIR * matrices * hands[0] * hands[1]
        Meter(CompileBudget(), form.name, instead=instead).check(
            float(bytes_needed),
            f"{matrices:,} matrices of {hands[0]:,} × {hands[1]:,} hands, for what leaves pay, "
            "take",
        )
        if not isinstance(leaves, Continuations):
            return end_cards_with_function(form, cut, strategy, leaves, above, opponent)
        strategies = leaves.strategies_on_cards(form, strategy, opponent)
        payoffs = PairPayoffs(form, cut.leaves, strategies, opponent).of_leaves()
        game: Any = CutGame(form.game, cut, payoffs, NAMES[: len(strategies)], opponent)
        return compile_cards(game)


def _read_leaves(text: str) -> Continuations | str:
    """Return what is meant by a text."""
    if text.strip() == ANSWER:
        return ANSWER
    match = re.fullmatch(r"\s*(?:blueprint|continuations(?:\(\s*([1-9]?)\s*\))?)\s*", text)
    if match is None:
        raise _leaves_error(text)
    return continuations(1 if text.strip() == BLUEPRINT else int(match[1] or 4))


def _leaves_error(leaves: Any) -> GameError:
    return GameError(
        "leaves must be 'blueprint', 'best response', eq.continuations(k) with k from 1 to "
        f"{len(NAMES)}, or a function of a leaf and ranges; got {leaves!r}.",
        wrong_use=True,
    )
