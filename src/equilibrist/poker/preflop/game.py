"""Hold'em before the flop, heads-up: the 169 classes of hands, betting in big blinds, exact all-in equities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.display import Display
from ..._util.spec import flag, spec, whole
from ..._util.text import short_repr
from ..._util.validate import is_number
from ...errors import GameError
from ...game.card_game import Pair
from ...game.protocol import TERMINAL
from ...game.public import DealHistories
from ..cards.cards import CLASS_OF_HAND, CLASSES
from ..cards.ranges import Range
from ..spot.bet_sizes import BetSize, number, read_sizes, write_sizes
from ..spot.game import Holdem
from ..spot.icm import check_order, icm
from ..spot.lines import SLACK, match_action, no_such_line, split_line
from .all_in import BOARDS, load_all_in
from .stakes import POSITIONS, Stakes, read_chips, read_stakes, value_chips

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_DIGITS = 4  # of the weights of hands in spots after the flop
Strategy = Mapping[tuple[int, str], Mapping[str, float]]
SEATS = POSITIONS[-2:]
"""What the two players are called heads-up: the small blind has the button, too."""
MAX_RAISES = 8


class PreflopNode(NamedTuple):
    """One point of the betting before the flop.

    Attributes
    ----------
    line : str
        The actions that lead here, such as ``R2.5-C``.
    player : int
        Whose move it is: 0 (SB), 1 (BB) or TERMINAL; with a straddle the big blind acts first.
    bets : pair of float
        What both have put in besides antes, big blinds.
    actions : tuple of str
        ``F``, ``C``, ``X``, ``R2.5``, ``A20``: what the player has then put in.
    children : tuple of int
        Nodes after these actions.
    folded : int
        The player who has folded, or -1.
    """

    line: str
    player: int
    bets: Pair
    actions: tuple[str, ...] = ()
    children: tuple[int, ...] = ()
    folded: int = -1


class HeadsUp(Display):
    """A public game of two players whose hands are the 169 classes of hands before the flop.

    The deal is exact: a pair of classes is as probable as it has pairs of hands that share no card,
    and pays the mean over those. Suits decide nothing before the flop, so that nothing is lost by
    merging 1,326 hands into 169.
    """

    name: str
    hands = (CLASSES, CLASSES)
    players = 2

    def __init__(self, settings: dict[str, Any], nodes: list[PreflopNode], stakes: Stakes) -> None:
        self.settings = settings
        self.nodes = nodes
        self.stakes = stakes
        self.stack = min(stakes.behind)

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return str(self)

    @property
    def antes(self) -> Pair:
        """What both have paid before the cards, besides blinds; big blinds."""
        first, second = self.stakes.antes
        return first, second

    def prior(self) -> Floats:
        """Return the probability of each two classes of hands."""
        pairs = load_all_in().pairs
        return np.asarray(pairs / pairs.sum())

    def deal_histories(self) -> DealHistories:
        """Return how many deals of two hands make each two classes, and that hands are dealt one after the other."""
        return DealHistories(
            moves=2, before=1 + len(CLASSES), pairs=np.ones((len(CLASSES),) * 2, np.int64)
        )

    def start(self) -> int:
        """Return the first node of the betting; a state of the game is the number of a node."""
        return 0

    def player(self, state: int) -> int:
        """Return whose move it is: 0 (SB), 1 (BB) or TERMINAL."""
        return self.nodes[state].player

    def actions(self, state: int) -> Sequence[str]:
        """Return the actions, such as ``F``, ``C``, ``X``, ``R2.5`` and ``A20``."""
        return self.nodes[state].actions

    def probabilities(self, state: int) -> list[float]:
        """Return nothing: no card is dealt."""
        return []

    def next(self, state: int, action: str) -> int:
        """Return the node after an action."""
        node = self.nodes[state]
        return node.children[node.actions.index(action)]

    def infoset(self, hand: str, moves: tuple[str, ...]) -> str:
        """Return the class of hands, and the line: ``AKs R2.5-A10``."""
        return f"{hand} {'-'.join(moves)}".rstrip()

    def find(self, line: str) -> int:
        """Return the node after a line, ``R2.5-C``; all-in may be written without its chips.

        Raises
        ------
        GameError
            There is no such line.
        """
        state = 0
        for token in split_line(line):
            node = self.nodes[state]
            if node.player == TERMINAL:
                raise no_such_line(line, token, node.line, ())
            state = self.next(state, match_action(node.line, node.actions, (line, (token,))))
        return state

    def gains(self, node: PreflopNode, winner: int | None) -> Pair:
        """Return what both players have won at an end, by who takes the pot; None splits it."""
        matched = min(node.bets)
        antes = self.stakes.antes
        pot = 2 * matched + sum(antes) + self.stakes.dead
        pot -= self.rake_of(pot) if node.folded < 0 else 0.0
        gains = [
            (0.5 * pot if winner is None else pot * (player == winner)) - matched - antes[player]
            for player in (0, 1)
        ]
        return gains[0], gains[1]

    def rake_of(self, pot: float) -> float:
        """Return what the house takes of a pot that sees a flop."""
        return 0.0

    @property
    def zero_sum(self) -> bool:
        """Whether what one player wins the other one loses; else the game is solved history by history."""
        return True

    def utility(self, gains: Pair) -> Pair:
        """Return what both players make of the chips that they have won."""
        first, second = value_chips(self.stakes, np.array(gains), None).tolist()
        return first, second

    def payoffs_of_hands(self, state: int) -> tuple[float | Floats, float | Floats]:
        """Return what both players earn at an end: a number, or a matrix with one for each two classes of hands."""
        node = self.nodes[state]
        if node.folded >= 0:
            return self.utility(self.gains(node, 1 - node.folded))
        table = load_all_in()
        counts = np.stack([table.wins, table.ties, table.wins.T]) / (table.pairs * BOARDS)
        results = np.array([self.utility(self.gains(node, winner)) for winner in (0, None, 1)])
        first, second = np.tensordot(results.T, counts, 1)
        return first, second

    def payoff(self, state: int) -> float | Floats:
        """Return what the small blind gets from the big blind at an end."""
        return self.payoffs_of_hands(state)[0]


class PushFold(HeadsUp):
    """Push or fold before the flop: the small blind goes all-in or folds, the big blind calls or folds.

    Two players with exact card removal: 169 classes of hands, weighted by their
    pairs of hands that share no card, with the exact chance to win of each. The value is that of
    the small blind in big blinds.

    With three seats the button acts before them. Their deal is exact as well; shares of pots of
    three hands are estimated from a third of all boards, with a standard error of 0.2% of the pot
    (0.36% at most, in all but one of a hundred triples of classes). Of unequal stacks all-ins have
    side pots, and what nobody can call is given back.

    Four to nine seats are solved by ranges, as :mod:`.many_ranges` says, or sampled with real cards
    without a tree (``sampling="external(tree=False)"``).

    Parameters
    ----------
    stack : float
        What each player has before blinds and antes, big blinds: 1 or more after the antes.
    stacks : sequence of float, optional
        Unequal stacks instead, those of the players in the order in which they act.
    seats : int
        Number of players, 2 to 9, in the order in which they act: the big blind comes last, after
        the small blind.
    ante : float
        What each player pays at the start, big blinds.
    bb_ante : float
        What the big blind pays for the table, big blinds; it is dead money, as antes are.
    dead : float
        Chips in the pot of players who have folded before, such as their antes; big blinds. Each
        player's payoff is less an equal share of them, so that payoffs sum to 0.
    straddle : float
        What is bet before the cards are dealt besides the blinds, big blinds, more than one; 0 is
        none. The player after the big blind bets it, who is the button of three, and then acts
        last. With two seats the small blind bets it instead of the blind.
    payouts : pair of float, optional
        Prizes of the first place, the second, …: payoffs are then the change of
        :func:`equilibrist.poker.icm`.

    Examples
    --------
    >>> import equilibrist as eq
    >>> print(f"{eq.solve('push_fold(stack=10)', until=1e-6).value[0]:.5f}")
    -0.04537
    """

    name = "push_fold"

    def __init__(
        self,
        *,
        stack: float = 10,
        seats: int = 2,
        stacks: Sequence[float] | None = None,
        ante: float = 0,
        bb_ante: float = 0,
        dead: float = 0,
        straddle: float = 0,
        payouts: Sequence[float] | None = None,
    ) -> None:
        whole(self.name, "seats", seats, least=2, most=2)  # others: :func:`.many_handed.push_fold`
        settings = {
            "stack": stack,
            "seats": seats,
            "stacks": stacks,
            "ante": ante,
            "bb_ante": bb_ante,
            "dead": dead,
            "straddle": straddle,
            "payouts": payouts,
        }
        stakes = read_push_fold(settings)
        self._prizes = payouts
        stack_behind = min(stakes.behind)
        small_blind, big_blind = stakes.blinds
        blinds = (small_blind, big_blind)
        first = 1 if straddle else 0
        if straddle:
            bets_pushed = (small_blind, stack_behind)
        else:
            bets_pushed = (stack_behind, big_blind)
        nodes = [
            PreflopNode("", first, blinds, ("push", "fold"), (1, 4)),
            PreflopNode("push", 1 - first, bets_pushed, ("call", "fold"), (2, 3)),
            PreflopNode("push-call", TERMINAL, (stack_behind, stack_behind)),
            PreflopNode("push-fold", TERMINAL, bets_pushed, folded=1 - first),
            PreflopNode("fold", TERMINAL, blinds, folded=first),
        ]
        super().__init__(settings, nodes, stakes)

    def utility(self, gains: Pair) -> Pair:
        """Return the chips, or where there are prizes the change of what both stacks are worth."""
        first, second = value_chips(self.stakes, np.array(gains), self._prizes).tolist()
        return first, second


def read_push_fold(settings: Mapping[str, Any]) -> Stakes:
    """Return the stakes of push or fold with these settings, or refuse them, prizes included."""
    names = ("seats", "stack", "stacks", "ante", "bb_ante", "dead", "straddle")
    stakes = read_stakes(PushFold.name, **{name: settings[name] for name in names})
    if settings["payouts"] is not None:
        icm(stakes.stacks, settings["payouts"])  # which checks that these are prizes
        check_order("payouts", settings["payouts"])
    return stakes


class Preflop(HeadsUp):
    """Hold'em before the flop, heads-up: limps, raises, re-raises and all-ins of two players with equal stacks.

    The small blind acts first: folds, calls (limps), or raises; where it straddles, the big blind
    does. A hand ends by a fold; by a call of
    an all-in, with exact equities; or by another call or a check, and then **the board is checked
    down**: the pot goes by the same exact equities, as if nobody bet after the flop. That is the
    one approximation: it favours hands with equity that are hard to play, and makes position worth
    nothing. A player's payoff is what the hand wins, in big blinds.

    Parameters
    ----------
    stack : float
        What each player has before blinds and antes, big blinds.
    seats : int
        2: more than two players are not solved with raises.
    sizes : str
        Sizes of the first raise; of the second; and so on, of which the last goes for all that
        follow: ``"2.5x, a; 3x, a; a"``. Sizes are those of :class:`Holdem`: ``2.5x`` is 2.5 times
        the bet, at first the big blind or the straddle; ``50%`` of the pot after the call; ``2c`` is big blinds on
        top; ``a`` is all-in.
    limp : bool
        Whether the player who acts first may call.
    ante, bb_ante, dead : float
        As in ``push_fold``; big blinds.
    straddle : float
        What the small blind bets instead, big blinds, more than one; 0 is none. The big blind then
        acts first, and a raise is by at least one big blind.
    max_raises : int
        The most raises.
    rake : float
        The share of pots that see a flop that the house takes, 0.05 is 5%; the game is then not
        zero-sum, and is solved history by history.
    rake_cap : float, optional
        The most that the house takes, big blinds.

    Attributes
    ----------
    nodes : list of PreflopNode
        All lines of betting.

    Raises
    ------
    GameError
        A value is not allowed; the message names it and says what is.

    Examples
    --------
    >>> import equilibrist as eq
    >>> game = eq.poker.Preflop(stack=20, sizes="2x; a")
    >>> [node.line for node in game.nodes if node.player == eq.TERMINAL]
    ['F', 'C-X', 'C-R2-F', 'C-R2-C', 'C-R2-A20-F', 'C-R2-A20-C', 'R2-F', 'R2-C', 'R2-A20-F', 'R2-A20-C']
    >>> print(game)
    preflop(sizes='2x; a')
    """

    name = "preflop"

    def __init__(
        self,
        *,
        stack: float = 20,
        seats: int = 2,
        sizes: str = "2.5x, a; 3x, a; a",
        limp: bool = True,
        ante: float = 0,
        bb_ante: float = 0,
        dead: float = 0,
        straddle: float = 0,
        max_raises: int = 4,
        rake: float = 0,
        rake_cap: float | None = None,
    ) -> None:
        if seats != 2:
            raise GameError(
                f"preflop: seats must be 2; got {short_repr(seats)}. With raises three players act "
                "more than once, which games of three hands do not allow here; 'push_fold(seats=3)' "
                "has three seats.",
                wrong_use=True,
            )
        stakes = read_stakes(
            self.name,
            seats=seats,
            stack=stack,
            ante=ante,
            bb_ante=bb_ante,
            dead=dead,
            straddle=straddle,
        )
        if not isinstance(sizes, str):
            raise GameError(
                f"preflop: sizes must be a text such as '2.5x, a; a'; got {sizes!r}.",
                wrong_use=True,
            )
        levels = [read_sizes(part, "preflop: sizes", raises=True) for part in sizes.split(";")]
        flag(self.name, "limp", limp)
        whole(self.name, "max_raises", max_raises, least=1, most=MAX_RAISES)
        if not is_number(rake) or not 0 <= rake <= 1:
            raise GameError(
                f"preflop: rake must be a share from 0 to 1; got {rake!r}.", wrong_use=True
            )
        if rake_cap is None:
            self._cap = math.inf
        else:
            self._cap = read_chips(self.name, "rake_cap", rake_cap)
        self._rake = float(rake)
        settings = {
            "stack": stack,
            "seats": seats,
            "sizes": "; ".join(map(write_sizes, levels)),
            "limp": limp,
            "ante": ante,
            "bb_ante": bb_ante,
            "dead": dead,
            "straddle": straddle,
            "max_raises": max_raises,
            "rake": rake,
            "rake_cap": rake_cap,
        }
        nodes = _Betting(stakes, levels, limp, max_raises).nodes
        super().__init__(settings, nodes, stakes)

    def rake_of(self, pot: float) -> float:
        return min(self._rake * pot, self._cap)

    @property
    def zero_sum(self) -> bool:
        """Whether all chips stay with the players."""
        return not self._rake

    def flop_nodes(self) -> list[PreflopNode]:
        """Return the ends after which both players have chips, and play a flop."""
        showdowns = [node for node in self.nodes if node.player == TERMINAL and node.folded < 0]
        return [node for node in showdowns if max(node.bets) < self.stack - SLACK]

    def after(self, node: PreflopNode) -> dict[str, Any]:
        """Return the pot and what each player has left at an end, big blinds."""
        pot = 2 * node.bets[0] + sum(self.antes) + self.stakes.dead
        stack_left = self.stack - max(node.bets)
        return {"pot": round(pot, 9), "stack": round(stack_left, 9)}

    def spot(self, strategy: Strategy, line: str, board: str, *, bets: str = "50%, a; a") -> Holdem:
        """Return the spot after the flop to which a line leads: with the ranges, pot and stacks that come there.

        Parameters
        ----------
        strategy : mapping of (player, infoset) to a mapping of actions to probabilities
            Of this game: ``solution.strategy``.
        line : str
            Actions that end the betting with chips left, ``"R2.5-C"``.
        board : str
            Three to five public cards.
        bets : str
            Sizes after the flop, as :class:`Holdem` takes them.

        Returns
        -------
        Holdem
            Big blinds are its chips; OOP is the big blind. Weights of hands are rounded to four
            digits.

        Raises
        ------
        GameError
            There is no such line, or no flop comes after it; or a range is empty.
        """
        return Holdem(board, **self.after_line(strategy, line), bets=bets)

    def after_line(self, strategy: Strategy, line: str) -> dict[str, Any]:
        """Return what :meth:`spot` says of the spot after a line, but for its board and sizes."""
        at = self.nodes[self.find(line)]
        if at not in self.flop_nodes():
            lines = [node.line for node in self.flop_nodes()]
            raise GameError(
                f"line: nobody decides on a flop after {line!r}; lines that lead there are "
                f"{', '.join(lines[:12])}.",
                wrong_use=True,
            )
        reach = np.ones((2, len(CLASSES)))
        state = 0
        moves: tuple[str, ...] = ()
        for action in at.line.split("-"):
            player = self.player(state)
            reach[player] *= [
                strategy[player, self.infoset(hand, moves)][action] for hand in CLASSES
            ]
            state = self.next(state, action)
            moves = (*moves, action)
        sb, bb = (
            Range(weights.round(_DIGITS)[CLASS_OF_HAND], name=SEATS[k])
            for k, weights in enumerate(reach)
        )
        house: dict[str, Any] = (
            {} if self.zero_sum else {"rake": self._rake, "rake_cap": self.settings["rake_cap"]}
        )
        return {"oop": bb, "ip": sb, **self.after(at), "min_bet": 1, "chip": 0.01, **house}


def is_preflop(game: object) -> TypeIs[Preflop]:
    """Return whether a game is one before the flop that leads to flops."""
    return isinstance(game, Preflop)


class _Betting:
    """Builds the nodes of the betting before the flop; a node stands before those after it."""

    def __init__(
        self,
        stakes: Stakes,
        levels: Sequence[tuple[BetSize, ...]],
        limp: bool,
        max_raises: int,
    ) -> None:
        self.stack = min(stakes.behind)
        self.levels = levels
        self.max_raises = max_raises
        self.added = sum(stakes.antes) + stakes.dead
        self.limp = limp
        self.nodes: list[PreflopNode] = []
        small_blind, big_blind = stakes.blinds
        # With a straddle the small blind has bet more than the big blind, and acts last.
        first = 1 if small_blind > big_blind else 0
        self._decision("", first, (small_blind, big_blind), 1.0, 0)

    def _decision(self, line: str, player: int, bets: Pair, least: float, raises: int) -> int:
        """Add a decision and all that follows; ``least`` is by how much a raise raises at least."""
        number_of_node = len(self.nodes)
        self.nodes.append(PreflopNode(line, player, bets))
        bet = bets[1 - player]
        paid = bets[player]
        children: dict[str, int] = {}

        def end(action: str, bets: Pair, folded: int = -1) -> None:
            children[action] = len(self.nodes)
            self.nodes.append(
                PreflopNode(f"{line}-{action}".lstrip("-"), TERMINAL, bets, folded=folded)
            )

        if paid == bet:
            end("X", bets)
        else:
            end("F", bets, player)
            # A blind or a straddle that is all-in has no choice after a call.
            is_all_in = bet >= self.stack - SLACK
            if line or is_all_in:
                end("C", (bet, bet))
            elif self.limp:
                children["C"] = self._decision("C", 1 - player, (bet, bet), 1.0, raises)
        for amount in self._amounts(bet, least, raises):
            action = ("A" if amount >= self.stack - SLACK else "R") + number(amount)
            next_bets = (amount, bets[1]) if player == 0 else (bets[0], amount)
            next_line = f"{line}-{action}".lstrip("-")
            children[action] = self._decision(
                next_line, 1 - player, next_bets, amount - bet, raises + 1
            )
        self.nodes[number_of_node] = PreflopNode(
            line, player, bets, tuple(children), tuple(children.values())
        )
        return number_of_node

    def _amounts(self, bet: float, least: float, raises: int) -> list[float]:
        """Return what a raise may be, ascending: at least by the last raise, at most the stack."""
        if bet >= self.stack - SLACK or raises >= self.max_raises:
            return []
        pot = 2 * bet + self.added
        sizes = self.levels[min(raises, len(self.levels) - 1)]
        amounts = [
            size.chips(pot=pot, bet=bet, stack=self.stack - bet, streets=4, raises=raises)
            for size in sizes
        ]
        return sorted({min(max(round(amount, 2), bet + least), self.stack) for amount in amounts})
