"""Leduc hold'em as RLCard and PettingZoo play it, so that agents that were trained there can be judged."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._util.display import Display
from ..game.protocol import CHANCE, TERMINAL

RANKS = "JQK"
ACTIONS = ("call", "raise", "fold", "check")
"""The actions in RLCard's order: a column each."""
CALL, RAISE, FOLD, CHECK = range(4)
_LETTERS = "crfk"
"""What an infoset writes for each action."""
_SMALL_BLIND = 1
_BIG_BLIND = 2
_MOST_RAISES = 2  # in a round
_MOST_CHIPS = 14
_OBSERVED = 36  # numbers of an observation
_OWN_CHIPS = 2 * len(RANKS)  # where the chips begin in it: after the hand and the public card
_OTHERS_CHIPS = _OWN_CHIPS + _MOST_CHIPS + 1


class LeducState(NamedTuple):
    """A state of the game.

    Attributes
    ----------
    small_blind : int
        Who has the small blind, -1 before it is drawn.
    hands : tuple of int
        The ranks of the players' cards, of those that are dealt.
    public : int
        The rank of the public card, -1 before it is dealt.
    rounds : tuple of tuple of int
        The actions of each betting round that has begun.
    """

    small_blind: int = -1
    hands: tuple[int, ...] = ()
    public: int = -1
    rounds: tuple[tuple[int, ...], ...] = ((),)


class _Betting(NamedTuple):
    """What the actions so far have come to.

    Attributes
    ----------
    mover : int
        Who acts next, in the next round if this one is over.
    chips : tuple of int
        What each player has put in.
    raises : int
        How many raises there were in this round.
    round_over : bool
        Whether this round is over.
    folded : int
        Who has folded, -1 for nobody.
    """

    mover: int
    chips: tuple[int, int]
    raises: int
    round_over: bool
    folded: int


class RLCardLeduc(Display):
    """Leduc hold'em as RLCard and PettingZoo play it: blinds of 1 and 2, drawn seats, payoffs in big blinds.

    Two cards each of jack, queen and king; one for each player, one for all after the first round
    of betting. Raises are of 2 chips, then of 4, two a round at most. Other than in ``leduc``
    blinds take the place of antes, who has the small blind is drawn, and whoever follows the last to
    act begins the second round. A player may fold where checking costs nothing. A pair with the
    public card wins, else the higher card.

    Actions are RLCard's numbers, and ``observation`` is what its agents see. Suits, which decide
    nothing, are not dealt: in what agents see raw (``raw_obs``) a player's card is of spades, and
    the public card of hearts.

    References
    ----------
    Zha et al. 2019, "RLCard: A toolkit for reinforcement learning in card games"; the rules are
    those of version 1.2.0.
    """

    name = "rlcard_leduc"
    players = 2
    num_actions = len(ACTIONS)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def start(self) -> LeducState:
        return LeducState()

    def player(self, state: LeducState) -> int:
        if state.small_blind < 0 or len(state.hands) < 2:
            return CHANCE
        betting = _replay(state)
        if betting.folded >= 0:
            return TERMINAL
        if not betting.round_over:
            return betting.mover
        if state.public < 0:
            return CHANCE
        return TERMINAL

    def actions(self, state: LeducState) -> list[int]:
        if state.small_blind < 0:
            return [0, 1]
        if self.player(state) == CHANCE:
            return [rank for rank in range(len(RANKS)) if _cards_left(state, rank)]
        betting = _replay(state)
        is_level = betting.chips[0] == betting.chips[1]
        actions = [FOLD]
        if not is_level:
            actions.append(CALL)
        else:
            actions.append(CHECK)
        if betting.raises < _MOST_RAISES:
            actions.append(RAISE)
        return sorted(actions)

    def probabilities(self, state: LeducState) -> list[float]:
        if state.small_blind < 0:
            return [0.5, 0.5]
        counts = [_cards_left(state, rank) for rank in self.actions(state)]
        return [count / sum(counts) for count in counts]

    def next(self, state: LeducState, action: int) -> LeducState:
        if state.small_blind < 0:
            return state._replace(small_blind=action)
        if len(state.hands) < 2:
            return state._replace(hands=(*state.hands, action))
        if self.player(state) == CHANCE:
            return state._replace(public=action, rounds=(*state.rounds, ()))
        *before, current = state.rounds
        return state._replace(rounds=(*before, (*current, action)))

    def payoffs(self, state: LeducState) -> list[float]:
        """Return what each player wins, in big blinds."""
        betting = _replay(state)
        winner = _find_winner(state, betting.folded)
        if winner < 0:
            return [0.0, 0.0]
        won = betting.chips[1 - winner] / _BIG_BLIND
        payoffs = [0.0, 0.0]
        payoffs[winner] = won
        payoffs[1 - winner] = -won
        return payoffs

    def infoset(self, state: LeducState) -> str:
        """Return the blind of who moves, the own card, and the actions: ``small K cr|J k``."""
        mover = self.player(state)
        blind = "small" if mover == state.small_blind else "big"
        rounds = ["".join(_LETTERS[action] for action in actions) for actions in state.rounds]
        text = f"{blind} {RANKS[state.hands[mover]]} {rounds[0]}"
        if state.public < 0:
            return text.rstrip()
        return f"{text}|{RANKS[state.public]} {rounds[1]}".rstrip()

    def action_label(self, state: LeducState, action: int) -> str:
        if state.small_blind < 0:
            return f"player {action} small"
        if self.player(state) == CHANCE:
            return RANKS[action]
        return ACTIONS[action]

    def observation(self, state: LeducState) -> list[float]:
        """Return what who moves knows, as RLCard says it: card, public card and both players' chips, one-hot."""
        betting = _replay(state)
        row = [0.0] * _OBSERVED
        row[state.hands[betting.mover]] = 1.0
        if state.public >= 0:
            row[len(RANKS) + state.public] = 1.0
        row[_OWN_CHIPS + betting.chips[betting.mover]] = 1.0
        row[_OTHERS_CHIPS + betting.chips[1 - betting.mover]] = 1.0
        return row

    def raw_observation(self, state: LeducState) -> dict[str, Any]:
        """Return what who moves knows in RLCard's words, for agents that are rules."""
        betting = _replay(state)
        public_card = None if state.public < 0 else f"H{RANKS[state.public]}"
        return {
            "hand": f"S{RANKS[state.hands[betting.mover]]}",
            "public_card": public_card,
            "all_chips": list(betting.chips),
            "my_chips": betting.chips[betting.mover],
            "legal_actions": [ACTIONS[action] for action in self.actions(state)],
            "current_player": betting.mover,
        }


def _cards_left(state: LeducState, rank: int) -> int:
    """Return how many of the two cards of a rank are in the deck."""
    return 2 - state.hands.count(rank)


def _replay(state: LeducState) -> _Betting:
    """Return what the actions of a state have come to."""
    small = state.small_blind
    chips = [_BIG_BLIND, _BIG_BLIND]
    chips[small] = _SMALL_BLIND
    mover = small
    folded = -1
    for street, actions in enumerate(state.rounds):
        raises = 0
        agreed = 0  # how many have acted since the last raise, who raised included
        for action in actions:
            if action == FOLD:
                folded = mover
            elif action == RAISE:
                chips[mover] = chips[1 - mover] + _BIG_BLIND * (street + 1)
                raises += 1
                agreed = 1
            else:  # a check leaves the chips as they are, since both have put in as much
                chips[mover] = chips[1 - mover]
                agreed += 1
            mover = 1 - mover
    return _Betting(mover, (chips[0], chips[1]), raises, agreed == 2, folded)


def _find_winner(state: LeducState, folded: int) -> int:
    """Return who wins at the end, -1 where the pot is shared."""
    if folded >= 0:
        return 1 - folded
    first, second = state.hands
    if first == second:
        return -1
    if second == state.public:
        return 1
    if first == state.public or first > second:
        return 0
    return 1
