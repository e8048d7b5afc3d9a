"""The part of a card game after a line and a board, with the ranges that a strategy brings there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._util.arrays import Floats
from ...errors import GameError
from ...game.card_game import Pair, ShowdownPayoffs
from ...game.card_places import line_tokens
from ...game.card_subgame import CardSubgame
from ...game.deal import Deal
from ...game.locks import Lock
from ...game.protocol import CHANCE, TERMINAL
from .build import compile_cards
from .form import CardForm
from .subgame import Step


class RangedSubgame(CardSubgame):
    """The part of a card game that follows on a line and a board, with the ranges that a strategy brings there.

    Payoffs are what is received in the end less what is put in from here on, where the game says
    what was paid before. ``state`` is the betting state at the start, ``board`` all cards that are
    public there; ``ranges`` are weight × own reach of each hand of the game, and the lines of
    ``locks`` begin there.
    """

    def __init__(
        self,
        game: Any,
        state: Any,
        board: Sequence[int],
        ranges: tuple[Floats, Floats],
        locks: Sequence[Lock] = (),
    ) -> None:
        if isinstance(game, RangedSubgame):  # a part of a part is one of the whole game
            game = game.game
        super().__init__(game, state, board)
        self._deal = Deal(game.deal.hands, ranges, cards=game.deal.cards, folded=game.deal.folded)
        self._paid: Pair = game.paid(state) if hasattr(game, "paid") else (0.0, 0.0)
        self.locks = tuple(locks)
        # The compiler drops those under which board or ranges are others.
        self.symmetries = game.symmetries
        pot = getattr(game, "pot", None)
        self.pot: float | None = None
        if pot is not None and hasattr(game, "paid"):
            self.pot = pot + sum(self._paid)

    def __str__(self) -> str:
        return f"part of {self.game}"

    @property
    def deal(self) -> Deal:
        return self._deal

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs:
        payoff = self.game.payoff(state)
        paid_0, paid_1 = self._paid
        if isinstance(payoff, ShowdownPayoffs):
            return ShowdownPayoffs(*((pair[0] + paid_0, pair[1] + paid_1) for pair in payoff))
        return payoff[0] + paid_0, payoff[1] + paid_1


def compile_part(game: RangedSubgame) -> CardForm:
    """Return the form of a part, whose suits nothing is assumed of."""
    # Decisions above the part need not keep to any.
    game.symmetries = np.arange(game.deal.cards)[None, :]
    return compile_cards(game)


def follow_line(form: CardForm, line: str) -> tuple[Any, list[Step], int, str]:
    """Return the betting state after a line, the decisions on the way, the streets dealt, and the line in full."""
    game = form.game
    nodes = {node.line: node for node in form.betting.nodes}
    tokens = line_tokens(line)
    state = game.start()
    steps = []
    streets = 0
    full_line = ""
    for token in [*tokens, None]:
        while game.player(state) == CHANCE:
            state = game.next(state, None)
            streets += 1
            # As nodes have it, also where nobody acts on a street.
            full_line = f"{full_line} | ".lstrip()
        if game.player(state) == TERMINAL:
            raise GameError(
                f"line: the hand is over after {full_line.strip(' |')!r}; got {line!r}.",
                wrong_use=True,
            )
        if token is not None:
            node = nodes[full_line.strip()]
            names = [name.upper() for name in node.actions]
            if token not in names:
                place = full_line.strip(" |") or "the deal"
                raise GameError(
                    f"line: after {place} there are {', '.join(node.actions)}; got {token!r} in "
                    f"{line!r}.",
                    wrong_use=True,
                )
            number = names.index(token)
            steps.append(Step(node, number))
            state = game.next(state, game.actions(state)[number])
            joint = "" if not full_line or full_line.endswith("| ") else "-"
            full_line = f"{full_line}{joint}{node.actions[number]}"
    return state, steps, streets, full_line.strip()
