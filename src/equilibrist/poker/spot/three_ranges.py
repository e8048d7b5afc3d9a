"""Hold'em after the flop with three ranges: a board, a pot, three stacks and bet sizes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ..._util.spec import spec
from ..._util.text import short_repr
from ...errors import GameError, in_field
from ...form.compiled_game import CompiledGame
from ...form.ranges.folded_terms import FoldedTerms
from ...form.ranges.form import RangeForm, describe_size, range_form
from ...form.ranges.game import PLAYERS, RangeGame, RangeLock
from ...game.locks import AnyLock, Lock
from ...game.protocol import CHANCE
from ..cards.cards import CARDS, HAND_NAMES, HANDS, SUIT_PERMUTATIONS, cards_text, parse_cards
from ..cards.hand_ranks import strengths
from ..cards.ranges import Range
from .bet_sizes import STREETS, number, read_parts
from .betting_of_three import (
    SEATS,
    ThreeNode,
    ThreeRules,
    ThreeTree,
    build_three,
    check_names,
    largest_payoff,
)
from .locks import TwoCardHands, lock_setting, read_locks
from .settings import (
    OfFolded,
    OfPlayer,
    OfStreet,
    find_deck,
    fold_hands,
    range_text,
    read_chips,
    read_folded,
    read_player,
    read_setting,
    rules_keywords,
)

MOST_DEALS = 200_000
"""Deals up to which the rules write them out, for sampling, walks and trees."""

State = tuple[tuple[int, ...], int, tuple[int, ...]]
"""The hands of the players (none before the deal), the number of a node, and the cards dealt."""


class ThreeRanges:
    """Texas hold'em after the flop, or short deck, with three ranges: ``eq.poker.Holdem(ranges=[…, …, …], …)``.

    Players act in the order in which ranges are given, on each street: small blind, big blind,
    button. The payoff is what a player receives at the end less what this player has put in since
    the start, so that without rake the payoffs of all three sum to the pot.

    Parameters
    ----------
    board : str
        Three, four or five public cards: ``"QsJh2h7c"``.
    ranges : sequence of three of str, Range, array-like, or mapping
        The range of each player, or a table with the key ``range`` and sizes of this player's own,
        as :class:`Holdem` takes them.
    pot : float
        Chips in the middle at the start.
    stacks : float or sequence of three of float
        Chips that each player has left at the start; 0 is a player who decides nothing and wins a
        share of ``pot`` alone.
    names : sequence of three of str
        What the players are called.
    bets : str
        Sizes of all players on all streets, ``"bets; raises"``. There are no donk bets.
    flop, turn, river, add_all_in, force_all_in, merge, max_raises, min_bet, chip
        As for :class:`Holdem`.
    rake, rake_cap, add_lines, remove_lines, locks, folded, deck
        As for :class:`Holdem`.

    Attributes
    ----------
    tree : ThreeTree
        All lines of betting; ``print(game.tree)`` shows them.
    ranges : tuple of Range
        The ranges, without hands that the board blocks.
    locks : tuple of Lock
        Strategies that are fixed; others may be set before the spot is solved.
    folded : FoldedTerms or None
        Hands that others folded before; None where nobody has.
    settings : dict
        All settings, each in the one way of writing it.

    Raises
    ------
    GameError
        A value is not allowed; the message names it and says what is.

    Notes
    -----
    No bet is larger than what another player can match. A raise that is all-in for less than the
    least raise lets those act again who have acted. What a player has put in beyond what anybody
    called goes back before rake is taken. The deal is the product of the three ranges, over hands
    that share no card, and of the chance that none of their cards was folded.

    The certificate of a solution is what each player gains by deviating alone. No theorem says that
    an algorithm brings these gains to 0 for three players.

    Examples
    --------
    >>> import equilibrist as eq
    >>> hands = "AsAh,KsKh,JsJh,TsTh"
    >>> game = eq.poker.Holdem("2c3d7h8d9c", ranges=[hands, hands, hands], pot=3, stacks=1, bets="a")
    >>> game.names, len(game.tree.nodes)
    (('SB', 'BB', 'BTN'), 25)
    """

    name: ClassVar[str] = "holdem"
    title: ClassVar[str] = "A spot of three ranges"
    players = 3
    in_chips = True
    hole_cards = 2
    has_grid = False  # of the page
    has_many_deals = True

    def __init__(
        self,
        board: str,
        ranges: Sequence[OfPlayer],
        *,
        pot: float,
        stacks: float | Sequence[float],
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
        rake: float = 0.0,
        rake_cap: float | None = None,
        add_lines: Sequence[str] = (),
        remove_lines: Sequence[str] = (),
        locks: Iterable[AnyLock] = (),
        folded: Sequence[OfFolded] = (),
        deck: str = "full",
    ) -> None:
        self.deck = find_deck({"deck": deck})
        first = self.deck.first
        self.cards: Sequence[str] = CARDS[first:]
        with in_field("board"):
            numbers = parse_cards(board, "board", count=(3, 4, 5), names=self.cards)
        self.board = tuple(numbers)
        self.names = check_names(names)
        dead = [card + first for card in numbers]
        written, self.ranges = self._read_ranges(ranges, dead)
        read_ranges = read_folded(folded, dead, self.deck)
        folded_ranges = [each for _, each in read_ranges]
        folded_hands = fold_hands(folded_ranges, self.board, self.deck, players=self.players)
        self.folded = None if folded_hands is None else FoldedTerms(folded_hands)
        chips = _read_stacks(stacks)
        values: dict[str, Any] = {
            "board": board,
            "ranges": written,
            "pot": pot,
            "stacks": chips,
            "names": self.names,
            "bets": bets,
            "flop": flop,
            "turn": turn,
            "river": river,
            "add_all_in": add_all_in,
            "force_all_in": force_all_in,
            "merge": merge,
            "max_raises": max_raises,
            "min_bet": min_bet,
            "chip": chip,
            "rake": rake,
            "rake_cap": rake_cap,
            "add_lines": add_lines,
            "remove_lines": remove_lines,
            "locks": (),
            "folded": tuple(text for text, _ in read_ranges),
            "deck": deck,
        }
        self.settings = {}
        for key, value in values.items():
            with in_field(key):
                is_read = key in ("ranges", "stacks", "names", "locks", "folded")
                self.settings[key] = value if is_read else read_setting(key, value)
        for key in ("bets", *STREETS):
            _refuse_donk(key, self.settings[key])
        keywords = rules_keywords(self.settings, written, max(chips))
        if self.settings["chip"] is None and not all(float(each).is_integer() for each in chips):
            keywords["chip"] = min(keywords["chip"], 0.01)
            keywords["min_bet"] = max(keywords["chip"], float(self.settings["min_bet"] or 0))
        first_stack, second_stack, third_stack = map(float, chips)
        self.tree: ThreeTree = build_three(
            ThreeRules(
                **keywords, stacks=(first_stack, second_stack, third_stack), names=self.names
            )
        )
        self.pot = self.tree.pot
        self.locks = locks

    @property
    def locks(self) -> tuple[Lock, ...]:
        """Strategies that are fixed."""
        return self._locks

    @locks.setter
    def locks(self, new: Iterable[AnyLock]) -> None:
        cards: Any = _CardsOfLocks(self)
        board = [card + self.deck.first for card in self.board]
        hands = TwoCardHands(cards.hands, self.ranges, board, self.deck)
        self._locks = read_locks(new, cards, self.tree, hands)
        self.settings["locks"] = tuple(lock_setting(lock, self.tree, hands) for lock in self._locks)

    def _read_ranges(
        self, ranges: Any, board: list[int]
    ) -> tuple[list[Any], tuple[Range, Range, Range]]:
        """Return the ranges as they are written, and the ranges."""
        if (
            isinstance(ranges, str)
            or not isinstance(ranges, Sequence)
            or len(ranges) != len(PLAYERS)
        ):
            raise GameError(
                "ranges must be those of three players; for two, give oop= and ip=; got "
                f"{short_repr(ranges)}.",
                wrong_use=True,
                field="ranges",
            )

        def read_range(player: str, text: Any) -> tuple[str, Range]:
            player_range = Range(text, board=board, name=player, deck=self.deck)
            return range_text(player_range, board), player_range

        written = []
        read = []
        for name, setting in zip(self.names, ranges, strict=True):
            with in_field("ranges"):
                text, player_range = read_player(name, setting, read_range)
            if isinstance(text, Mapping):
                for key in ("bets", *STREETS):
                    _refuse_donk(f"{name}.{key}", text.get(key))
            written.append(text)
            read.append(player_range)
        first, second, third = read
        return written, (first, second, third)

    def __str__(self) -> str:
        return spec(self.name, type(self), self.settings)

    def __repr__(self) -> str:
        return str(self)

    @cached_property
    def hands(self) -> Ints:
        """The numbers of the hands that somebody may hold."""
        weights = np.array([player_range.weights for player_range in self.ranges])
        return np.flatnonzero(weights.any(axis=0))

    @cached_property
    def weights(self) -> Floats:
        """The weight of each of these hands in each range, shape (players, hands)."""
        return np.array([player_range.weights[self.hands] for player_range in self.ranges])

    @property
    def hand_names(self) -> list[str]:
        """What these hands are called."""
        return [HAND_NAMES[hand] for hand in self.hands.tolist()]

    @cached_property
    def hand_cards(self) -> Ints:
        """Their cards, numbered in the deck, shape (hands, 2)."""
        return np.asarray(HANDS[self.hands] - self.deck.first)

    def paid(self, index: int) -> tuple[float, ...]:
        """Return the chips that the players have put in at a node of the betting."""
        node: ThreeNode = self.tree.nodes[index]  # type: ignore[assignment]
        return node.paid

    def strengths(self, boards: Ints) -> NDArray[np.int64]:
        """Return the strength of each of these hands on boards of five cards, shape (boards, hands)."""
        first = self.deck.first
        return strengths(boards + first, self.hand_cards + first, self.deck).astype(np.int64)

    def offer_form(self, *, keep_tree: bool) -> CompiledGame | None:
        """Return the form of three ranges; None where histories are to be written out."""
        if keep_tree:
            return None
        return self.compile_ranges()

    def compile_ranges(self) -> RangeForm:
        """Return the form of three ranges.

        Raises
        ------
        GameError
            No three hands can be dealt, or it takes more memory than there is.
        """
        return range_form(self.range_game())

    def describe_size(self) -> str:
        """Return how large the form is going to be and how long an iteration takes, in words, before it is made."""
        return describe_size(self.range_game())

    def range_game(self) -> RangeGame:
        """Return hands, boards, betting and payoffs, as the form takes them."""
        raked = self.tree.rules.rake > 0
        return RangeGame(
            name=str(self),
            pot=self.pot,
            cards=self.cards,
            board=self.board,
            streets=len(STREETS) - self.tree.rules.street,
            hand_names=self.hand_names,
            hand_cards=self.hand_cards,
            weights=self.weights,
            symmetries=SUIT_PERMUTATIONS[:, self.deck.first :] - self.deck.first,
            strengths=self.strengths,
            nodes=self.tree.range_nodes(),
            payoff_sum=None if raked else self.pot,
            largest_payoff=largest_payoff(self.tree),
            rules=self,
            locks=[self._place_lock(lock) for lock in self.locks],
            folded=self.folded,
        )

    def _place_lock(self, lock: Lock) -> RangeLock:
        """Return a lock as the form takes it."""
        index = self.tree.find(lock.line)
        is_locked = np.ones(len(self.hands), bool)
        if lock.hands is not None:
            is_locked = np.isin(self.hand_names, list(lock.hands))
        shares = tuple(lock.strategy.get(action, 0.0) for action in self.tree.nodes[index].actions)
        dealt: tuple[int, ...] = ()
        if isinstance(lock.board, str):
            dealt = tuple(parse_cards(lock.board, "board", names=self.cards)[len(self.board) :])
        return RangeLock(index, shares, is_locked, dealt)

    # The rules as a game whose histories can be written out, sampled and walked.

    @cached_property
    def _deals(self) -> tuple[list[tuple[int, ...]], list[float]]:
        """All deals of three hands, and their probabilities."""
        held = [np.flatnonzero(weights) for weights in self.weights]
        if math.prod(map(len, held)) > MOST_DEALS:
            raise GameError(
                f"{self} has more than {MOST_DEALS:,} deals of three hands, which are not written "
                "out: use form='auto' and leave sampling out.",
                wrong_use=True,
            )
        cards = self.hand_cards.tolist()
        deals: list[tuple[int, ...]] = []
        weights = []
        for first in held[0].tolist():
            for second in held[1].tolist():
                for third in held[2].tolist():
                    if len({*cards[first], *cards[second], *cards[third]}) == 6:
                        weight = self.weights[0, first] * self.weights[1, second]
                        weight *= self.weights[2, third]
                        weight *= self._folded_weight((first, second, third), ())
                        if weight > 0.0:
                            deals.append((first, second, third))
                            weights.append(float(weight))
        total = math.fsum(weights)
        if not deals:
            raise GameError(
                f"No three hands of the ranges of {self} can be dealt at once, for they share cards; "
                "give other ranges.",
                wrong_use=True,
            )
        return deals, [weight / total for weight in weights]

    def _folded_weight(self, hands: tuple[int, ...], dealt: tuple[int, ...]) -> float:
        """Return the weight of the deals of the folded hands that hold no card of these hands nor a dealt one."""
        if self.folded is None:
            return 1.0
        return self.folded.weight([*self.hand_cards[list(hands)].ravel().tolist(), *dealt])

    def start(self) -> State:
        """Return the state before the deal."""
        return (), 0, ()

    def player(self, state: State) -> int:
        """Return whose move it is."""
        hands, node, _ = state
        if not hands:
            return CHANCE
        return self.tree.nodes[node].player

    def actions(self, state: State) -> Sequence[Any]:
        """Return the deals, the cards that may come, or the actions."""
        hands, index, dealt = state
        if not hands:
            return self._deals[0]
        node = self.tree.nodes[index]
        if node.player != CHANCE:
            return node.actions
        gone = {*self.board, *dealt, *self.hand_cards[list(hands)].ravel().tolist()}
        return [card for card in range(len(self.cards)) if card not in gone]

    def probabilities(self, state: State) -> Sequence[float]:
        """Return the probability of each deal, or of each card."""
        if not state[0]:
            return self._deals[1]
        actions = self.actions(state)
        if self.folded is None:
            return [1 / len(actions)] * len(actions)
        hands, _, dealt = state
        weights = [self._folded_weight(hands, (*dealt, card)) for card in actions]
        total = math.fsum(weights)
        return [weight / total for weight in weights]

    def next(self, state: State, action: Any) -> State:
        """Return the state after a deal, a card or an action."""
        hands, index, dealt = state
        if not hands:
            return tuple(action), index, dealt
        node = self.tree.nodes[index]
        if node.player == CHANCE:
            return hands, node.children[0], (*dealt, action)
        return hands, node.children[node.actions.index(action)], dealt

    def payoffs(self, state: State) -> Sequence[float]:
        """Return what each player receives less what this player has put in."""
        hands, index, dealt = state
        node: ThreeNode = self.tree.nodes[index]  # type: ignore[assignment]
        payoffs = [-paid for paid in node.paid]
        strength: Any = None
        if len({*self.board, *dealt}) == 5:
            strength = self.strengths(np.array([[*self.board, *dealt]]))[0, list(hands)]
        for pot in self.tree.pots(node):
            winners = pot.players
            if len(winners) > 1:
                best = max(strength[player] for player in winners)
                winners = tuple(player for player in winners if strength[player] == best)
            for player in winners:
                payoffs[player] += pot.chips / len(winners)
        return payoffs

    def infoset(self, state: State) -> str:
        """Return hand, cards dealt and line, as the form of three ranges names them."""
        hands, index, dealt = state
        node = self.tree.nodes[index]
        hand = self.hand_names[hands[node.player]]
        cards = "".join(self.cards[card] for card in dealt)
        return " ".join(part for part in (hand, cards, node.line) if part)

    def action_label(self, state: State, action: Any) -> str:
        """Return the name of an action, of a deal or of a card."""
        if not state[0]:
            names = self.hand_names
            return " / ".join(names[hand] for hand in action)
        if isinstance(action, str):
            return action
        return str(self.cards[action])

    def table(self, state: State, player: int) -> list[tuple[str, str]]:
        """Return what a player sees of the betting: the board, the pot, what is to call, the stacks."""
        _, index, dealt = state
        paid: Any = self.tree.nodes[index].paid
        stacks = [
            f"{'you, ' if seat == player else ''}{self.names[seat]} {number(stack - paid[seat])}"
            for seat, stack in enumerate(self.tree.stacks)
        ]
        return [
            ("board", cards_text([*self.board, *dealt], self.cards)),
            ("pot", number(self.pot + sum(paid))),
            ("to call", number(max(paid) - paid[player])),
            ("stacks", "; ".join(stacks)),
        ]


class _CardsOfLocks:
    """What is read of a spot of three ranges where locks are."""

    def __init__(self, spot: ThreeRanges) -> None:
        self.board = spot.board
        self.cards = spot.cards
        self.streets = (1,) * (5 - len(spot.board))
        self.deal = self
        held = [np.flatnonzero(weights) for weights in spot.weights]
        names = spot.hand_names
        self.hands = [[names[hand] for hand in of_player.tolist()] for of_player in held]
        self._hand_cards = [spot.hand_cards[of_player] for of_player in held]

    def holds(self) -> list[NDArray[np.bool_]]:
        """Return which cards each hand of a player has, shape (hands, cards), by player."""
        every = np.arange(len(self.cards))
        return [(cards[:, :, None] == every).any(axis=1) for cards in self._hand_cards]


def _read_stacks(stacks: Any) -> tuple[float, float, float]:
    """Return three stacks as numbers of chips."""
    with in_field("stacks"):
        if isinstance(stacks, Collection) and not isinstance(stacks, str):
            each = list(stacks)
        else:
            each = [stacks] * len(PLAYERS)
        if len(each) != len(PLAYERS):
            raise GameError(
                f"stacks must be a number of chips, or three of them; got {short_repr(stacks)}.",
                wrong_use=True,
            )
        first, second, third = (read_chips("stacks", chips) for chips in each)
        if sum(chips > 0 for chips in (first, second, third)) < 2:
            raise GameError(
                "stacks must be above 0 for two players at least, else nobody decides anything; got "
                f"{short_repr(stacks)}.",
                wrong_use=True,
            )
        return first, second, third


def _refuse_donk(key: str, sizes: str | None) -> None:
    """Refuse sizes of donk bets."""
    if sizes is not None and "donk" in read_parts(sizes, key):
        raise GameError(
            f"{key} has donk bets, which there are of two players alone; got {sizes!r}.",
            wrong_use=True,
        )
