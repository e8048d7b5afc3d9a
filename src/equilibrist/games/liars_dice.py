"""Liar's dice: bid on dice that you only half see."""

from __future__ import annotations

from collections import Counter
from collections.abc import MutableSequence, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from .._util.spec import choice, flag, whole, wholes
from ..errors import GameError
from ..game.protocol import CHANCE, TERMINAL
from ..game.public import DealHistories, PublicGame, Showdown
from ..game.public_rules import PublicRules
from ..game.rules import Rules, RulesGame, State, next_player

# What p and s hold. Faces count from 0, the highest is wild. Bids are numbered in their order, and
# the number after the last bid is "liar". Bit b of BIDS says that bid b was made: bids rise, so the
# bits tell the whole history. The dice start at DICE, those of player 0 first, each player's
# sorted.
P_DICE_0, P_DICE, P_FACES, P_BIDS, P_BY_FACE = range(5)
MOVER, ROLLED, LAST, BIDDER, BIDS, DICE = range(6)
NO_BID = -1


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the faces of a die, or the higher bids and, after a bid, "liar"."""
    if s[MOVER] == CHANCE:
        for face in range(p[P_FACES]):
            out[face] = face
        return p[P_FACES]
    first = s[LAST] + 1
    last = p[P_BIDS] - (s[LAST] == NO_BID)
    for bid in range(first, last + 1):
        out[bid - first] = bid
    return last + 1 - first


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the same probability for every face."""
    for face in range(p[P_FACES]):
        out[face] = 1.0 / p[P_FACES]
    return 0


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Roll one die, bid, or call the other player a liar."""
    mover = s[MOVER]
    if mover == CHANCE:
        first = DICE if s[ROLLED] < p[P_DICE_0] else DICE + p[P_DICE_0]
        at = DICE + s[ROLLED]
        while at > first and s[at - 1] > action:
            s[at] = s[at - 1]
            at -= 1
        s[at] = action
        s[ROLLED] += 1
        if s[ROLLED] == p[P_DICE]:
            s[MOVER] = 0
    elif action == p[P_BIDS]:
        s[MOVER] = TERMINAL
    else:
        s[LAST] = action
        s[BIDDER] = mover
        s[BIDS] |= 1 << action
        s[MOVER] = 1 - mover
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write +1 for the bidder if the last bid was true, else for the challenger, and -1 for the other."""
    if p[P_BY_FACE]:
        face = s[LAST] // p[P_DICE]
        missing = s[LAST] % p[P_DICE] + 1
    else:
        faces = p[P_BIDS] // p[P_DICE]
        face = s[LAST] % faces
        missing = s[LAST] // faces + 1
    wild = p[P_FACES] - 1
    for die in range(DICE, DICE + p[P_DICE]):
        if s[die] == face or s[die] == wild:
            missing -= 1
    winner = s[BIDDER] if missing <= 0 else 1 - s[BIDDER]
    out[winner] = 1
    out[1 - winner] = -1
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's dice, then the bids as bits."""
    first = 0 if s[MOVER] == 0 else p[P_DICE_0]
    count = p[P_DICE_0] if s[MOVER] == 0 else p[P_DICE] - p[P_DICE_0]
    for die in range(count):
        out[die] = s[DICE + first + die]
    out[count] = s[BIDS]
    return count + 1


class LiarsDice(RulesGame):
    """Liar's dice: bid on everyone's dice, or call the last bid a lie.

    The dice are rolled one at a time, player 0's first, and each player sees only their own. Then,
    player 0 first, the players take turns to bid "at least q of all dice show face f" (``2x5``),
    each bid higher than the last; the highest face is wild and counts as every face. After the
    first bid the mover may say ``liar`` instead, and must after the highest bid. Then all dice are
    shown: if the last bid was true its bidder wins 1 from the other player, else the challenger
    does. An infoset is written as the own dice, sorted, and the bids: ``35 1x2 2x5``.

    Parameters
    ----------
    dice : pair of int
        How many dice each player has.
    faces : int
        Number of faces of a die, 2 or more.
    order : {'quantity', 'face'}
        How bids are ordered: by quantity and then face, or by face and then quantity.
    wild_biddable : bool
        Whether the wild face may be bid.

    Notes
    -----
    The defaults are OpenSpiel's ``liars_dice``; ``order='face'`` is its
    ``bidding_rule='reset-quantity'``. There may be at most 62 bids, that is quantities × faces that
    can be bid.
    """

    name = "liars_dice"
    rules = Rules(next_player, actions, chances, play, payoffs, observe)

    def __init__(
        self,
        *,
        dice: Sequence[int] = (1, 1),
        faces: int = 6,
        order: str = "quantity",
        wild_biddable: bool = True,
    ) -> None:
        dice = wholes(self.name, "dice", dice, count=2, least=1)
        whole(self.name, "faces", faces, least=2)
        choice(self.name, "order", order, ("quantity", "face"))
        biddable = range(1, faces + flag(self.name, "wild_biddable", wild_biddable))
        quantities = range(1, sum(dice) + 1)
        bids = len(quantities) * len(biddable)
        if bids > 62:
            raise GameError(
                f"liars_dice: there may be at most 62 bids; dice={dice!r} and faces={faces} make "
                f"{bids}.",
                wrong_use=True,
            )
        if order == "quantity":
            self._bids = [f"{quantity}x{face}" for quantity in quantities for face in biddable]
        else:
            self._bids = [f"{quantity}x{face}" for face in biddable for quantity in quantities]
        self._glue = "" if faces < 10 else ","
        super().__init__(
            players=2,
            parameters=[dice[0], sum(dice), faces, bids, order == "face"],
            start=[CHANCE, 0, NO_BID, 0, 0, *[0] * sum(dice)],
            max_actions=max(faces, bids),
            max_observation=max(dice) + 1,
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        if state[MOVER] == CHANCE:
            return str(action + 1)
        if action == len(self._bids):
            return "liar"
        return self._bids[action]

    def infoset_name(self, observation: State) -> str:
        *dice, bid_bits = observation
        bids = [bid for number, bid in enumerate(self._bids) if bid_bits >> number & 1]
        return " ".join([self.roll_name(dice), *bids])

    def roll_name(self, dice: Sequence[int]) -> str:
        return self._glue.join(str(face + 1) for face in dice)

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        first = self.parameters[P_DICE_0]
        dice = self.parameters[P_DICE]
        if player == 0:
            hand = state[DICE : DICE + first]
        else:
            hand = state[DICE + first : DICE + dice]
        bids_made = [bid for number, bid in enumerate(self._bids) if state[BIDS] >> number & 1]
        bids = [
            f"{'you' if i % 2 == player else f'player {i % 2}'} {bid}"
            for i, bid in enumerate(bids_made)
        ]
        return [
            ("your dice", self.roll_name(hand)),
            ("dice in all", str(dice)),
            ("bids", ", ".join(bids) or "none yet"),
        ]

    def public_states(self) -> PublicGame:
        return _InPublic(self)


class _InPublic(PublicRules):
    """Liar's dice by its public states: the last bid and whose it was."""

    game: LiarsDice

    def __init__(self, game: LiarsDice) -> None:
        first = game.parameters[P_DICE_0]
        dice = game.parameters[P_DICE]
        faces = game.parameters[P_FACES]
        self._rolls = [
            list(combinations_with_replacement(range(faces), count))
            for count in (first, dice - first)
        ]
        names = [[game.roll_name(roll) for roll in rolls] for rolls in self._rolls]
        first_shares, second_shares = (
            np.array([_count_orders(roll) / faces ** len(roll) for roll in rolls])
            for rolls in self._rolls
        )
        hidden = range(DICE, DICE + dice)
        super().__init__(
            game,
            hands=(names[0], names[1]),
            prior=np.outer(first_shares, second_shares),
            private=hidden,
            history=[BIDS],
        )

    def deal_histories(self) -> DealHistories:
        """Return how many histories roll each pair of hands: dice are rolled one by one, and shown in no order."""
        dice = self.game.parameters[P_DICE]
        faces = self.game.parameters[P_FACES]
        first, second = ([_count_orders(roll) for roll in rolls] for rolls in self._rolls)
        return DealHistories(
            dice, sum(faces**rolled for rolled in range(dice)), np.outer(first, second)
        )

    def payoff(self, state: State) -> Showdown:
        """Return who wins when the last bid is called: its bidder needs so many dice, both players' counted."""
        bid = state[LAST]
        dice = self.game.parameters[P_DICE]
        by_face = self.game.parameters[P_BY_FACE]
        if by_face:
            bids_a_face = dice
        else:
            bids_a_face = self.game.parameters[P_BIDS] // dice
        high, low = divmod(bid, bids_a_face)
        face, needed = (high, low + 1) if by_face else (low, high + 1)
        wild = self.game.parameters[P_FACES] - 1
        own_count, other_count = (
            np.array([sum(die in (face, wild) for die in roll) for roll in rolls])
            for rolls in self._rolls
        )
        win = 1 if state[BIDDER] == 0 else -1
        return Showdown((own_count, needed - other_count), win=win, tie=win, lose=-win)


def _count_orders(roll: tuple[int, ...]) -> int:
    """Return in how many orders dice can show these faces."""
    return factorial(len(roll)) // prod(factorial(count) for count in Counter(roll).values())
