"""Hold'em after the flop with three ranges and prizes: small spots, whose histories are all written out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from ..._util.spec import spec
from ...errors import GameError, in_field
from ...game.protocol import TERMINAL
from .betting_of_three import SEATS
from .icm import icm
from .settings import MOST_OTHERS, OfFolded, OfPlayer, OfStreet, read_setting
from .three_ranges import MOST_DEALS, State, ThreeRanges

MOST_ENDS = 1_000_000
"""Ends of all deals, run-outs and lines up to which they are written out."""
_DIGITS = 12  # of stacks that are priced: sums of chips that differ by rounding are one
_PRICES_KEPT = 100_000


class ThreePrizes:
    """A spot of three ranges that pays prizes: ``eq.poker.Holdem(ranges=[…, …, …], prizes=[…], …)``.

    What a place is worth to a player depends on what both others have, and so on who is second: no
    share of the pot tells it. So each end of each deal is written out, and paid by the stacks that
    all have there. This is exact, and for narrow ranges; larger spots are refused with their count.

    Parameters
    ----------
    board, ranges, pot, stacks, names, bets, flop, turn, river, add_all_in, force_all_in, merge,
    max_raises, min_bet, chip, add_lines, remove_lines, folded, deck
        As for :class:`~.three_ranges.ThreeRanges`.
    prizes : sequence of float
        For the first place, the second, ….
    others : sequence of float
        Stacks of those at the table who are not in the hand.

    Attributes
    ----------
    spot : ThreeRanges
        The same spot, paid in chips.
    settings : dict
        All settings, each in the one way of writing it.

    Raises
    ------
    GameError
        A value is not allowed, or there are too many deals or ends; the message says how many.

    Notes
    -----
    The payoff is what the whole stack of a player is worth at the end by the independent chip
    model; players who lose their last chips in the same hand share the last places evenly. The game
    is general-sum.

    Examples
    --------
    >>> import equilibrist as eq
    >>> hands = "AsAh,KsKh,JsJh,TsTh"
    >>> kuhn = {"ranges": [hands, hands, hands], "pot": 3, "stacks": 1, "bets": "a"}
    >>> game = eq.poker.Holdem("2c3d7h8d9c", **kuhn, prizes=[50, 30, 20])
    >>> game.num_ends
    832
    """

    name: ClassVar[str] = "holdem"
    title: ClassVar[str] = "A spot of three ranges with prizes"
    players = 3

    def __init__(
        self,
        board: str,
        ranges: Sequence[OfPlayer],
        *,
        pot: float,
        stacks: float | Sequence[float],
        prizes: Sequence[float],
        others: Sequence[float] = (),
        names: Sequence[str] = SEATS,
        bets: str = "50%, a; a",
        flop: OfStreet = None,
        turn: OfStreet = None,
        river: OfStreet = None,
        add_all_in: float | None = None,
        force_all_in: float | None = None,
        merge: float | None = None,
        max_raises: int | None = None,
        min_bet: float | None = None,
        chip: float | None = None,
        add_lines: Sequence[str] = (),
        remove_lines: Sequence[str] = (),
        folded: Sequence[OfFolded] = (),
        deck: str = "full",
    ) -> None:
        self.spot = ThreeRanges(
            board,
            ranges,
            pot=pot,
            stacks=stacks,
            names=names,
            bets=bets,
            flop=flop,
            turn=turn,
            river=river,
            add_all_in=add_all_in,
            force_all_in=force_all_in,
            merge=merge,
            max_raises=max_raises,
            min_bet=min_bet,
            chip=chip,
            add_lines=add_lines,
            remove_lines=remove_lines,
            folded=folded,
            deck=deck,
        )
        read_prizes = _read("prizes", prizes)
        read_others = _read("others", others)
        _check_counts(read_prizes, read_others)
        self.prizes = tuple(map(float, read_prizes))
        self.others = tuple(map(float, read_others))
        in_chips = {
            key: value
            for key, value in self.spot.settings.items()
            if key not in ("rake", "rake_cap", "locks")
        }
        self.settings = in_chips | {"prizes": read_prizes, "others": read_others}
        if self.num_deals > MOST_DEALS or self.num_ends > MOST_ENDS:
            raise GameError(
                f"A spot of three ranges with prizes is written out, with up to {MOST_DEALS:,} deals "
                f"of three hands and {MOST_ENDS:,} ends; this one has {self.num_deals:,} and "
                f"{self.num_ends:,}. Give fewer hands or bet sizes, a later street, or no prizes.",
                wrong_use=True,
                field="prizes",
            )

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return str(self)

    @cached_property
    def num_deals(self) -> int:
        """How many deals of three hands there are; hands that share cards are not left out."""
        return math.prod(np.count_nonzero(self.spot.weights, axis=1).tolist())

    @cached_property
    def num_ends(self) -> int:
        """How many ends these deals have, with all run-outs and lines."""
        cards_left = len(self.spot.cards) - len(self.spot.board) - 2 * self.players
        ends = 0
        for node in self.spot.tree.nodes:
            if node.player == TERMINAL:
                num_dealt = node.street - self.spot.tree.rules.street
                ends += math.perm(cards_left, num_dealt)
        return self.num_deals * ends

    def start(self) -> State:
        """Return the state before the deal."""
        return self.spot.start()

    def player(self, state: State) -> int:
        """Return whose move it is."""
        return self.spot.player(state)

    def actions(self, state: State) -> Sequence[Any]:
        """Return the deals, the cards that may come, or the actions."""
        return self.spot.actions(state)

    def probabilities(self, state: State) -> Sequence[float]:
        """Return the probability of each deal, or of each card."""
        return self.spot.probabilities(state)

    def next(self, state: State, action: Any) -> State:
        """Return the state after a deal, a card or an action."""
        return self.spot.next(state, action)

    def payoffs(self, state: State) -> Sequence[float]:
        """Return what the stack of each player is worth at an end, in prizes."""
        stacks = [
            float(f"{max(0.0, stack + won):.{_DIGITS}g}")
            for stack, won in zip(self.spot.tree.stacks, self.spot.payoffs(state), strict=True)
        ]
        return _price_stacks((*stacks, *self.others), self.prizes)[: self.players]

    def infoset(self, state: State) -> str:
        """Return hand, cards dealt and line."""
        return self.spot.infoset(state)

    def action_label(self, state: State, action: Any) -> str:
        """Return the name of an action, of a deal or of a card."""
        return self.spot.action_label(state, action)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        """Return what a player sees of the betting, and the prizes."""
        prizes = ("prizes", " / ".join(f"{prize:g}" for prize in self.prizes))
        return [*self.spot.table(state, player), prizes]


def _read(key: str, value: Any) -> tuple[float, ...]:
    """Return prizes or stacks, each in the one way of writing it."""
    with in_field(key):
        return tuple(read_setting(key, value) or ())


def _check_counts(prizes: tuple[float, ...], others: tuple[float, ...]) -> None:
    """Refuse no prizes, more prizes than players, or too many others."""
    if not prizes:
        raise GameError(
            "prizes must be those of the first place, the second and so on, such as [50, 30, 20]; "
            "leave them out to be paid in chips.",
            wrong_use=True,
            field="prizes",
        )
    if len(others) > MOST_OTHERS:
        raise GameError(
            f"others must be at most {MOST_OTHERS} stacks; got {len(others)}.",
            wrong_use=True,
            field="others",
        )
    players = 3 + len(others)
    if len(prizes) > players:
        raise GameError(
            f"prizes: there are {len(prizes)} prizes for {players} players, who are the three in the "
            f"hand and {len(others)} others; give at most one for each, or the stacks of the others.",
            wrong_use=True,
            field="prizes",
        )


@lru_cache(_PRICES_KEPT)
def _price_stacks(stacks: tuple[float, ...], prizes: tuple[float, ...]) -> tuple[float, ...]:
    """Return what stacks are worth in prizes; many ends leave the same ones."""
    worth: list[float] = icm(stacks, prizes).tolist()
    return tuple(worth)
