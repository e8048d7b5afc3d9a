"""What a solution knows of a part that was solved again: by whom, how, what the opponent's hands got and may get."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from .._util.arrays import Floats
from ..form.cards.build import compile_cards
from ..form.cards.form import CardForm
from ..form.cards.ranged_subgame import RangedSubgame, compile_part, follow_line
from ..form.gadget import Gadget
from ..game.locks import Lock
from ..strategy.strategy import Strategy


class PartRules(NamedTuple):
    """What a part of a card game is made of, beside its line and board: a saved one is made again.

    Attributes
    ----------
    whole : str
        Definition of the game that it is a part of.
    ranges : pair of float array, each of shape (hands of the whole game,)
        Weight × own reach.
    locks : tuple of Lock
        By the lines of the part.
    opponent : int
        The player who decides above the part.
    gadget : Gadget
        What that player decides there.
    """

    whole: str
    ranges: tuple[Floats, Floats]
    locks: tuple[Lock, ...]
    opponent: int
    gadget: Gadget


@dataclass(frozen=True, eq=False)
class ResolvedPart:
    """A part that was solved again, and the exact certificate of its safety.

    Values are the opponent's, by hand: × the probability with which chance and the player bring the
    part about (counterfactual), payoff per game, with the opponent's best response below. They are
    there where a player was named.

    Attributes
    ----------
    method : str
        One of the five.
    players : tuple of int
        Whose strategy is spliced.
    line : str
        Where the part begins, as it was given.
    board : tuple of int
        The public cards there, of card games.
    hands : tuple of str
        The opponent's hands that can be met.
    blueprint, allowed, value : float64 array, shape (hands,)
        CBV, the value against the blueprint; what the method lets the hand have, which is CBV but
        for ``reach`` and estimates; and what it has now.
    weight : float64 array, shape (hands,)
        The probability of chance and the player to meet the hand.
    lifted : Strategy or None
        The blueprint as a strategy of a finer game, where the part is one of that and was not
        saved.
    is_finer : bool
        Whether the part is one of a finer game.
    rules : PartRules or None
        What a part of a card form is made of.
    continued : Strategy or None
        Where a part of a card form is cut at a depth, its strategy with what is below as it was.
    above, below : dict of dicts
        In sequence forms the strategy that the part was solved with, of the player who is spliced:
        the probability of each action at the infosets on the way to the part, and at those in it.
    solved_with : Strategy or None
        In card forms that strategy itself, where the part was not read from a folder.
    """

    method: str
    players: tuple[int, ...]
    line: str
    board: tuple[int, ...] = ()
    hands: tuple[str, ...] = ()
    blueprint: Floats = field(default_factory=lambda: np.zeros(0))
    allowed: Floats = field(default_factory=lambda: np.zeros(0))
    value: Floats = field(default_factory=lambda: np.zeros(0))
    weight: Floats = field(default_factory=lambda: np.zeros(0))
    lifted: Strategy | None = None
    is_finer: bool = False
    rules: PartRules | None = None
    continued: Strategy | None = None
    above: dict[str, dict[str, float]] = field(default_factory=dict)
    below: dict[str, dict[str, float]] = field(default_factory=dict)
    solved_with: Strategy | None = None

    @property
    def excess(self) -> float:
        """Σ over hands of what each gets beyond what it may: payoff per game.

        A best response to the spliced strategy earns at most this much more than one to the
        strategy that the part was solved with: of several parts that :func:`equilibrist.splice`
        takes together, at most the sum.
        """
        return float(np.maximum(self.value - self.allowed, 0.0).sum())

    @property
    def margin(self) -> float:
        """The least over hands of (what it may get − what it gets) / w_h, payoff of a play that comes to the part."""
        return float(((self.allowed - self.value) / self.weight).min(initial=np.inf))

    def summary(self) -> dict[str, Any]:
        """Return what is said of the part as plain values."""
        if len(self.hands):
            safety = {"excess": self.excess, "margin": self.margin}
        else:
            safety = {}
        return {"method": self.method, "players": list(self.players), "line": self.line, **safety}


def rebuild_part(part: ResolvedPart, game: Any) -> CardForm:
    """Return the form of a part that was saved, made again of the game that it is a part of."""
    assert part.rules is not None
    form_of_game = compile_cards(game)
    state = follow_line(form_of_game, part.line)[0]
    form = compile_part(
        RangedSubgame(form_of_game.game, state, part.board, part.rules.ranges, part.rules.locks)
    )
    return replace(form, gadget=(part.rules.opponent, part.rules.gadget))
