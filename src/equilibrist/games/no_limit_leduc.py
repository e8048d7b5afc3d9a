"""No-limit Leduc: Leduc hold'em where a bet may be any number of chips."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from .._util.spec import flag, whole
from ..errors import GameError
from ..game.protocol import CHANCE, TERMINAL
from ..game.rules import Rules, RulesGame, State, next_player
from .cards import MAX_CARDS, card_kinds, chances_of_kinds, chips, kinds_left

FOLD, CALL = range(2)

MAX_BETS = 30
"""The most bets of a round: what is said of each is an entry of the state."""

_MAX_STACK = 10_000
_NO_LIMIT = 100  # actions in a round, of which there are never so many

# What p and s hold. A deck is KINDS kinds of card that can be told apart, COPIES of each; PER_RANK
# kinds share a rank. Any action above CALL is a bet: the chips paid in all when it is made, the
# ante included. PAID holds those of either player, LEAST the least that a bet must add to the
# other's, BETS counts the bets of this round, FOLDED is the player who folded. The line of a round
# is one entry for its checks and then one for each bet, 0 where there is none yet.
P_KINDS, P_COPIES, P_PER_RANK, P_STACK, P_ANTE, P_BETS, P_ACTIONS = range(7)
MOVER, DEALT, HANDS, _, BOARD, PAID, _, LEAST, BETS, FOLDED, LINES = range(11)
NOBODY = -1


def actions(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the kinds of card left in the deck, or those of fold, call and the bets that are legal."""
    if s[MOVER] == CHANCE:
        return kinds_left(s, HANDS, s[DEALT], p[P_KINDS], p[P_COPIES], out)
    count = 0
    stake = s[PAID + 1 - s[MOVER]]
    if stake > s[PAID + s[MOVER]]:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    line = LINES if s[DEALT] == 2 else LINES + 1 + p[P_BETS]
    answered = s[line] + s[BETS] + 1 < p[P_ACTIONS]  # a bet must leave room for its answer
    if s[BETS] < p[P_BETS] and answered and stake < p[P_STACK]:
        least_bet = stake + s[LEAST]
        for bet in range(least_bet if least_bet < p[P_STACK] else p[P_STACK], p[P_STACK] + 1):
            out[count] = bet
            count += 1
    return count


def chances(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write, for each kind left, the share of its copies among the cards left."""
    return chances_of_kinds(s, HANDS, s[DEALT], p[P_KINDS], p[P_COPIES], out)


def play(p: Sequence[int], s: MutableSequence[int], action: int) -> int:
    """Deal a private or the public card, or fold, call or bet."""
    mover = s[MOVER]
    if mover == CHANCE:
        s[HANDS + s[DEALT]] = action  # the third card dealt is the public one
        s[DEALT] += 1
        if s[DEALT] >= 2:
            s[MOVER] = 0 if s[PAID] < p[P_STACK] else TERMINAL
            s[LEAST] = p[P_ANTE]
            s[BETS] = 0
        return 0
    other = 1 - mover
    line = LINES if s[DEALT] == 2 else LINES + 1 + p[P_BETS]
    s[MOVER] = other
    if action > CALL:
        s[LEAST] = action - s[PAID + other]
        s[PAID + mover] = action
        s[BETS] += 1
        s[line + s[BETS]] = action
    elif action == FOLD:
        s[FOLDED] = mover
        s[MOVER] = TERMINAL
    else:
        s[PAID + mover] = s[PAID + other]
        if s[BETS] == 0:
            s[line] += 1
        if s[BETS] > 0 or s[line] == 2:
            s[MOVER] = CHANCE if s[DEALT] == 2 else TERMINAL
    return 0


def payoffs(p: Sequence[int], s: Sequence[int], out: MutableSequence[float]) -> int:
    """Write what each player wins: who did not fold or has the better hand takes what the other has paid."""
    best = 0
    winner = NOBODY
    for i in range(2):
        rank = s[HANDS + i] // p[P_PER_RANK]
        if rank == s[BOARD] // p[P_PER_RANK]:
            rank += p[P_KINDS]  # a pair beats every rank
        if i == 0 or rank > best:
            best = rank
            winner = i
        elif rank == best:
            winner = NOBODY
    if s[FOLDED] != NOBODY:
        winner = 1 - s[FOLDED]
    for i in range(2):
        out[i] = 0
        if winner != NOBODY:
            out[i] = s[PAID + 1 - i] if i == winner else -s[PAID + i]
    return 0


def observe(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the mover's card and the first round, then the public card and the second."""
    entries = 1 + p[P_BETS]
    out[0] = s[HANDS + s[MOVER]]
    for entry in range(entries):
        out[1 + entry] = s[LINES + entry]
    if s[DEALT] == 2:
        return 1 + entries
    out[1 + entries] = s[BOARD]
    for entry in range(entries):
        out[2 + entries + entry] = s[LINES + entries + entry]
    return 2 + 2 * entries


def public(p: Sequence[int], s: Sequence[int], out: MutableSequence[int]) -> int:
    """Write the first round before the public card; the private cards are seen by one player only."""
    if s[DEALT] < 2:
        return -1
    for entry in range(1 + p[P_BETS]):
        out[entry] = s[LINES + entry]
    return 1 + p[P_BETS]


class NoLimitLeduc(RulesGame):
    """No-limit Leduc: Leduc hold'em for two, a bet is any number of chips.

    Both players ante and are dealt one private card, player 0 first; after a round of bets one
    public card is turned, and a second round follows. Player 0 opens both rounds. Each in turn
    checks or bets, or facing a bet folds, calls or raises. The round is over when a bet is called
    or both have checked; who folds loses what he has paid. A bet (a raise is a bet as well) is
    named by what the player has then paid in all, in both rounds and with the ante: ``bet to 3``,
    ``raise to 7``. It must exceed what the other has paid by at least the ante or, if there was a
    bet in this round, by as much as the last one did; nobody may pay more than ``stack`` in all.
    Paying all of it, all-in, is allowed although that be less than the least bet, and counts as one
    of the ``bets`` of a round. A player facing it can only fold or call; after the call nobody
    moves any more, the public card is turned if it was not, and the cards are shown. A pair with
    the public card beats every card, otherwise the higher rank wins what the other has paid; equal
    ranks win nothing.

    An infoset is written as the card and the moves, for each round, the public card being that of
    the second, ``c`` for check and call and ``r`` for bet and raise: ``K r3r9c/Q c``.

    Parameters
    ----------
    stack : int
        The most a player may pay in all, ante included; chips, more than the ante.
    ante : int
        What both pay at the start, and the least bet; chips.
    ranks, suits : int
        The deck: ``ranks`` × ``suits`` cards, at least 3.
    bets : int
        The most bets and raises in a round, together; at most 30.
    actions : int, optional
        The most actions of both players in a round, checks, calls and folds included: whoever makes
        the last one cannot bet. By default there is no such limit.
    merge_suits : bool
        Whether cards of the same rank are one outcome of chance, with the right probability, and
        look the same to the players. Suits decide nothing, so the value is the same either way and
        the game is smaller.

    Notes
    -----
    With the defaults there are 7,612,927 histories and 958,644 infosets; with ``stack=7``, 35,773
    and 4,668. Where ``bets`` is no limit, for it is at least ``stack - ante``,
    ``merge_suits=False`` is the tree of OpenSpiel's ``universal_poker`` with ``betting=nolimit``,
    ``blind=1 1``, ``firstPlayer=1 1`` and ``bettingAbstraction=fullgame``.

    References
    ----------
    F. Southey et al. (2005), "Bayes' bluff: opponent modelling in poker", UAI, for the deck and the
    rounds; the rules of betting are those of no-limit hold'em in the Annual Computer Poker
    Competition.
    """

    name = "no_limit_leduc"
    rules = Rules(next_player, actions, chances, play, payoffs, observe, public)

    def __init__(
        self,
        *,
        stack: int = 20,
        ante: int = 1,
        ranks: int = 3,
        suits: int = 2,
        bets: int = 4,
        actions: int | None = None,
        merge_suits: bool = True,
    ) -> None:
        whole(self.name, "ante", ante, least=1)
        whole(self.name, "stack", stack, least=ante + 1, most=_MAX_STACK)
        whole(self.name, "ranks", ranks, least=1, most=MAX_CARDS)
        whole(
            self.name,
            "suits",
            suits,
            least=1,
            most=None if flag(self.name, "merge_suits", merge_suits) else 4,
        )
        whole(self.name, "bets", bets, least=1, most=MAX_BETS)
        if actions is None:
            most_actions = _NO_LIMIT
        else:
            most_actions = whole(self.name, "actions", actions, least=2, most=_NO_LIMIT)
        if ranks * suits < 3:
            raise GameError(
                f"no_limit_leduc: the deck must hold 3 cards; got ranks={ranks} × suits={suits}.",
                wrong_use=True,
            )
        kinds = card_kinds(ranks, suits, merge_suits=merge_suits)
        self._cards = kinds.names
        super().__init__(
            players=2,
            parameters=[
                len(kinds.names),
                kinds.copies,
                kinds.per_rank,
                stack,
                ante,
                bets,
                most_actions,
            ],
            start=[CHANCE, 0, -1, -1, -1, ante, ante, ante, 0, NOBODY, *[0] * (2 * (1 + bets))],
            max_actions=max(2 + stack - ante, len(kinds.names)),
            max_observation=2 * (2 + bets),
            settings=locals(),
        )

    def action_label(self, state: State, action: int) -> str:
        """Return the card dealt; or fold, check or call, or bet or raise and the chips paid in all."""
        if state[MOVER] == CHANCE:
            return self._cards[action]
        facing_bet = state[BETS] > 0
        if action > CALL:
            return f"{'raise' if facing_bet else 'bet'} to {action}"
        if action == FOLD:
            return "fold"
        if facing_bet:
            return "call"
        return "check"

    def infoset_name(self, observation: State) -> str:
        round_length = 2 + self.settings["bets"]
        card, checks, *bets = observation[:round_length]
        text = f"{self._cards[card]} {_move_names(checks, bets)}"
        if len(observation) > round_length:
            text += "c" if bets[0] else ""  # the call that ended the round is not part of its line
            card, checks, *bets = observation[round_length:]
            text += f"/{self._cards[card]} {_move_names(checks, bets)}"
        return text.rstrip()

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        if state[DEALT] == 2:
            board = "not turned yet"
        else:
            board = self._cards[state[BOARD]]
        paid = state[PAID : PAID + 2]
        chips_left = str(self.parameters[P_STACK] - paid[player])
        card = ("your card", self._cards[state[HANDS + player]])
        return [card, ("public card", board), *chips(paid, player), ("you have left", chips_left)]


def _move_names(checks: int, bets: Sequence[int]) -> str:
    return "c" * checks + "".join(f"r{bet}" for bet in bets if bet)
