"""Goofspiel, the game of pure strategy: bid cards for prizes."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from .._util.spec import choice, flag, whole
from ..game.protocol import CHANCE, TERMINAL
from ..game.rules import Rules, RulesGame, State, next_player

ORDERS = ("descending", "ascending", "random")
RETURNS = ("win_loss", "points")

# What p and s hold. Bit c of HANDS + i says that player i still holds card c + 1; from TURNS on,
# three entries a turn: the prize and the two bids, with 0 for what is not there yet.
P_CARDS, P_HIDDEN, P_ORDER, P_RETURNS = range(4)
DESCENDING, ASCENDING, RANDOM = range(3)
WIN_LOSS, POINTS = range(2)
MOVER, TURN, HANDS, _, TURNS = range(5)
TIE, WON, LOST = range(3)


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the prizes left, or the mover's cards left."""
    cards = p[P_CARDS]
    if s[MOVER] == CHANCE:
        cards_left = (1 << cards) - 1
        for turn in range(s[TURN]):
            cards_left -= 1 << (s[TURNS + 3 * turn] - 1)
    else:
        cards_left = s[HANDS + s[MOVER]]
    count = 0
    for card in range(cards):
        if (cards_left >> card) & 1:
            out[count] = card + 1
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the same probability for every prize left."""
    prizes_left = p[P_CARDS] - s[TURN]
    for outcome in range(prizes_left):
        out[outcome] = 1.0 / prizes_left
    return 0


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Turn a prize or bid a card; when one card is left in each hand, play it as well."""
    cards = p[P_CARDS]
    mover = s[MOVER]
    at = TURNS + 3 * s[TURN]
    if mover == CHANCE:
        s[at] = action
        s[MOVER] = 0
        return 0
    s[at + 1 + mover] = action
    s[HANDS + mover] -= 1 << (action - 1)
    if mover == 0:
        s[MOVER] = 1
        return 0
    s[TURN] += 1
    at += 3
    # What is left is forced: the last prize, and the last card of either player.
    if s[TURN] == cards - 1:
        prizes = cards * (cards + 1) // 2
        for turn in range(cards - 1):
            prizes -= s[TURNS + 3 * turn]
        s[at] = prizes
        for i in range(2):
            for card in range(cards):
                if s[HANDS + i] == 1 << card:
                    s[at + 1 + i] = card + 1
            s[HANDS + i] = 0
        s[TURN] = cards
        s[MOVER] = TERMINAL
    elif p[P_ORDER] == RANDOM:
        s[MOVER] = CHANCE
    else:
        if p[P_ORDER] == DESCENDING:
            s[at] = cards - s[TURN]
        else:
            s[at] = s[TURN] + 1
        s[MOVER] = 0
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write the difference of the points, or only its sign."""
    lead = 0
    for turn in range(p[P_CARDS]):
        at = TURNS + 3 * turn
        if s[at + 1] > s[at + 2]:
            lead += s[at]
        elif s[at + 1] < s[at + 2]:
            lead -= s[at]
    if p[P_RETURNS] == WIN_LOSS:
        lead = int(lead > 0) - int(lead < 0)
    out[0] = lead
    out[1] = -lead
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write each turn's prize, own bid, and other bid or only who won; then the prize on the table."""
    mover = s[MOVER]
    count = 0
    for turn in range(s[TURN]):
        at = TURNS + 3 * turn
        hand = s[at + 1 + mover]
        other = s[at + 2 - mover]
        out[count] = s[at]
        out[count + 1] = hand
        if p[P_HIDDEN]:
            if hand > other:
                out[count + 2] = WON
            elif hand < other:
                out[count + 2] = LOST
            else:
                out[count + 2] = TIE
        else:
            out[count + 2] = other
        count += 3
    out[count] = s[TURNS + 3 * s[TURN]]
    return count + 1


def public(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write, before a prize is turned, each turn's prize and both bids, or only who won."""
    count = 0
    for turn in range(s[TURN]):
        at = TURNS + 3 * turn
        first = s[at + 1]
        second = s[at + 2]
        out[count] = s[at]
        if p[P_HIDDEN]:
            if first > second:
                out[count + 1] = WON
            elif first < second:
                out[count + 1] = LOST
            else:
                out[count + 1] = TIE
            count += 2
        else:
            out[count + 1] = first
            out[count + 2] = second
            count += 3
    return count


class Goofspiel(RulesGame):
    """Goofspiel: bid the cards of your hand for prizes, one by one.

    Two players hold the cards 1 to N each; the prizes are 1 to N as well, turned one at a time. For
    each prize both bid a card at once (player 1 moves second and does not see the bid of player 0);
    the higher card wins the prize, equal cards discard it, and the cards are gone. The last turn is
    forced and played at once. An infoset is written as ``prize:bid`` and ``w``, ``l`` or ``t``
    (won, lost, tied) for each turn, then the prize on the table: ``4:3w 3:1l 2:``; with open bids
    as ``prize:own-other``: ``4:3-1 3:``. Both players use the same texts.

    Parameters
    ----------
    cards : int
        N, from 2 to 15.
    hidden : bool
        Whether the players learn only who won a prize, not what was bid.
    prizes : {'descending', 'ascending', 'random'}
        The order of the prizes; at random, chance turns each.
    returns : {'win_loss', 'points'}
        The payoff: 1, 0 or -1 for more, as many or fewer points than the other player; or the
        difference in points.

    Notes
    -----
    The tree is that of OpenSpiel's ``goofspiel``, made turn-based. OpenSpiel's default has open
    bids and random prizes, and its ``point_difference`` is each player's distance from the mean:
    half of the difference paid here.
    """

    name = "goofspiel"
    rules = Rules(next_player, actions, chances, play, payoffs, observe, public)

    def __init__(
        self,
        *,
        cards: int = 4,
        hidden: bool = True,
        prizes: str = "descending",
        returns: str = "win_loss",
    ) -> None:
        whole(self.name, "cards", cards, least=2, most=15)
        flag(self.name, "hidden", hidden)
        order = ORDERS.index(choice(self.name, "prizes", prizes, ORDERS))
        pays = RETURNS.index(choice(self.name, "returns", returns, RETURNS))
        first = {DESCENDING: cards, ASCENDING: 1, RANDOM: 0}[order]
        hand = (1 << cards) - 1
        super().__init__(
            players=2,
            parameters=[cards, hidden, order, pays],
            start=[CHANCE if order == RANDOM else 0, 0, hand, hand, first, *[0] * (3 * cards - 1)],
            max_actions=cards,
            max_observation=3 * cards,
            settings=locals(),
        )
        self._hidden = hidden

    def action_label(self, state: State, action: int) -> str:
        return str(action)

    def infoset_name(self, observation: State) -> str:
        *turns, prize = observation
        words = []
        for old_prize, bid, other in zip(turns[::3], turns[1::3], turns[2::3], strict=True):
            words.append(f"{old_prize}:{bid}" + ("twl"[other] if self._hidden else f"-{other}"))
        return " ".join([*words, f"{prize}:"])

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        prize = state[TURNS + 3 * state[TURN]]
        hand = [
            str(card + 1)
            for card in range(self.parameters[P_CARDS])
            if state[HANDS + player] >> card & 1
        ]
        points = [0, 0]
        for at in range(TURNS, TURNS + 3 * state[TURN], 3):
            prize_won, *bids = state[at : at + 3]
            if bids[0] != bids[1]:
                points[bids[1] > bids[0]] += prize_won
        won_so_far = f"you {points[player]}, player {1 - player} {points[1 - player]}"
        return [("prize", str(prize)), ("your cards", " ".join(hand)), ("points", won_so_far)]
