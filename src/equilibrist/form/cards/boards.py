"""The boards of a card game, street by street: each once, those that differ by a permutation of suits together."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._jit.compile import compiled, record
from ..._jit.simd import LANES, padded, zeros
from ..._util.arrays import Floats, Ints, offsets
from ...game.card_game import CardGame
from ...game.folded import FoldedHands
from ...game.locks import find_locks, lock_board, locked_hands
from ...game.protocol import game_name
from ..limits import CompileBudget, Meter
from .checked import check_strengths
from .terminal.blockers import FEW_CARDS_HELD, Blockers, HandMap
from .terminal.four_cards import SetSums, set_sums
from .terminal.pair_sums import PairSums
from .terminal.values import CardSums

Positions = NDArray[Any]
"""Arrays of unsigned integers: of 32 bits for hands of three or four cards, which may be more than 65,535, else 16."""

_BYTES_PER_POSITION = 70  # while boards are listed, measured on hold'em
_BYTES_PER_PAIR = 8.5  # of hands that others have folded, with what is made of the last board


@record
class Boards(NamedTuple):
    """The boards of all streets, numbered one street after the other; those of one parent stand together.

    What holds for each hand on a board stands at *positions*: the hands that the board leaves
    possible, on the last street in the order of their strength, padded to the ``width`` of the
    street. Arrays of int64 unless said otherwise.

    Attributes
    ----------
    first_board : int array, shape (streets + 1,)
        The boards of each street.
    first_child : int array, shape (boards + 1,)
        The boards that follow on a board; none on the last street.
    width : int array, shape (2 · streets,)
        Positions of player p on a street, in whole lanes, by ``2 · street + p``.
    first_position : int array, shape (2 · boards + 1,)
        Where the positions of a board and player begin, by ``2 · board + p``.
    counts : int array, shape (2 · boards,)
        How many of them are hands.
    hand : Positions, shape (positions,)
        The hand of the game at a position.
    sums : object
        How hands are added up on the last street: CardSums, SetSums of hands of three or four
        cards, or PairSums where hands were folded before.
    same : Positions, shape (positions,)
        The position of the hand of the same cards for the other player, or the last one, which is
        nobody's.
    order : int8 array, shape (positions of the last street,)
        Or empty: 1 where that hand is weaker than the own one, -1 where it is stronger, else 0.
        Empty where all of them are 0, as where the same cards are as strong for both players, and
        where nothing is taken off twice.
    first_copy : int array, shape (boards + 1,)
        The copies of a board: itself, and those that are equal to it but for suits. The first board
        has none.
    first_map : int array, shape (2 · copies + 1,)
        Where the map of a copy and player begins, by ``2 · copy + p``; copies are those of
        :attr:`first_copy`.
    map : Positions
        For each position on a board, the position of the hand on the board before, in a copy.
    symmetric : bool array, shape (boards above the last street + 1,)
        Whether permutations of suits leave the board and both ranges as they are, so that boards to
        come are walked as one.
    alike : Positions
        For each position on boards above the last street: that of the first hand that is the same
        but for these suits.
    cards : uint16 array, shape (players, hands, 4), flat
        The two cards of each hand as they are added up, and as they are read: a card that is not
        there is added where nobody reads, and read where nothing is added. Of hands of three or
        four cards: shape (players, hands, 8).
    chance : float array, shape (streets,)
        The probability of each outcome of the chance that leads to a street, given the hands.
    deck : int
        Number of cards.
    num_hands : int
        Number of hands that :attr:`cards` has for each player.
    """

    first_board: Ints
    first_child: Ints
    width: Ints
    first_position: Ints
    counts: Ints
    hand: Positions
    sums: Any
    same: Positions
    order: NDArray[np.int8]
    first_copy: Ints
    first_map: Ints
    map: Positions
    symmetric: NDArray[np.bool_]
    alike: Positions
    cards: NDArray[np.uint16]
    chance: Floats
    deck: int
    num_hands: int


class Board(NamedTuple):
    """A board, while boards are listed.

    Attributes
    ----------
    parent : int
        Its parent among the boards of the street before.
    cards : tuple of int
        All public cards, street by street.
    symmetries : int array, shape (n, cards)
        The permutations of the deck under which it and both ranges are as they are.
    hands : pair of int64 arrays
        The hands of the game that are possible for each player: which can meet a hand of the other.
    copies : list of int64 arrays
        The permutations that turn it into each of its copies, the identity first.
    """

    parent: int
    cards: tuple[int, ...]
    symmetries: Ints
    hands: tuple[Ints, Ints]
    copies: list[Ints]


class BoardTree(NamedTuple):
    """The boards of a game: as :class:`Boards` for kernels, and by street with their cards.

    Attributes
    ----------
    arrays : Boards
    streets : list of list of Board
    blockers : Blockers
        Which cards each hand holds, and which hands of both players are the same cards.
    strengths : pair of arrays of integers, shape (boards of the last street, hands)
        What the game says of its hands.
    """

    arrays: Boards
    streets: list[list[Board]]
    blockers: Blockers
    strengths: tuple[NDArray[Any], NDArray[Any]]


def check_boards(game: CardGame, limits: CompileBudget) -> None:
    """Refuse a card game whose boards take more memory than there is, before they are listed."""
    if not game.streets:
        return  # there is one
    boards = 1
    cards_left = game.deal.cards - len(game.board)
    for num_shown in game.streets:
        boards *= math.comb(cards_left, num_shown)
        cards_left -= num_shown
    # Those that are alike but for suits are listed once.
    least = -(-boards // max(1, len(game.symmetries)))
    boards = min(least, 10**18)
    hands = sum(map(len, game.deal.hands))
    meter = Meter(limits, game_name(game), instead="Begin on a later street, or give fewer hands.")
    meter.check(
        float(boards) * hands * _BYTES_PER_POSITION,
        f"{boards:,} boards or more, with {hands:,} hands each, take",
    )
    if game.deal.folded is not None:
        pairs = math.prod(map(len, game.deal.hands))
        meter.check(
            float(boards) * pairs * _BYTES_PER_PAIR,
            f"{boards:,} boards or more, with a weight for each of {pairs:,} pairs of hands, take",
        )


def list_boards(game: CardGame, *, most_boards: int | None = None, merge: bool = True) -> BoardTree:
    """Return the boards of a card game whose cards make sense (:func:`~.checked.check_cards`).

    With ``most_boards``, no more than so many boards of the second street, and those below. Boards that
    differ by suits alone are there once, or with ``merge=False`` each.
    """
    deal = game.deal
    board = tuple(game.board)
    blockers = Blockers(deal)
    hands_0, hands_1 = (
        np.flatnonzero((weights > 0) & ~blockers.blocked(player, board))
        for player, weights in enumerate(deal.weights)
    )
    meeting = _MeetingHands(game, blockers, (hands_0, hands_1))
    cards_left = deal.cards - len(board) - deal.cards_held
    # The identity comes first.
    symmetries = _symmetries(game, board, blockers.maps)[: None if merge else 1]
    streets = [
        [Board(-1, board, symmetries, meeting.select((hands_0, hands_1)), [np.arange(deal.cards)])]
    ]
    chance = [1.0]
    for num_shown in game.streets:
        parents = enumerate(streets[-1])
        street = [
            child
            for k, parent in parents
            for child in _child_boards(k, parent, num_shown, blockers.holds, meeting)
        ]
        streets.append(street[:most_boards] if len(streets) == 1 else street)
        chance.append(1 / math.comb(cards_left, num_shown))
        cards_left -= num_shown
    complete = np.array([last.cards for last in streets[-1]], np.int64)
    strengths = check_strengths(game, game.strengths(complete), len(complete))
    arrays = _Builder(game, streets, blockers, strengths).arrays(np.array(chance))
    return BoardTree(arrays, streets, blockers, strengths)


def _symmetries(game: CardGame, board: tuple[int, ...], moved: tuple[HandMap, ...]) -> Ints:
    """Return the permutations of the deck under which the board, both ranges and all locks stay as they are."""
    deal = game.deal
    permutations = [np.arange(game.deal.cards)]
    locks = find_locks(game)
    locked = [[locked_hands(game, lock, player) for lock in locks] for player in range(2)]
    fixed = {frozenset(board), *(cards for lock in locks for cards in lock_board(game, lock))}
    if not all(hand_map.unique for hand_map in moved):
        # Two hands of the same cards: nobody can say which becomes which.
        return np.array(permutations)
    possible = np.asarray(game.symmetries, np.int64)
    for cards in map(sorted, fixed):
        possible = possible[(np.sort(possible[:, cards], axis=1) == cards).all(axis=1)]
    for permutation in possible[(possible != permutations[0]).any(axis=1)]:
        images = [hand_map.permute(permutation) for hand_map in moved]
        if all(
            (image[weights > 0] >= 0).all()
            and all(
                (weights_or_lock[image] == weights_or_lock)[weights > 0].all()
                for weights_or_lock in (weights, *player_locks)
            )
            for image, weights, player_locks in zip(images, deal.weights, locked, strict=True)
        ) and (deal.folded is None or deal.folded.is_symmetric(permutation)):
            permutations.append(permutation)
    return np.array(permutations)


class _MeetingHands:
    """Finds the hands that can meet a hand of the other player; others are never dealt, and have no slots."""

    def __init__(self, game: CardGame, blockers: Blockers, hands: tuple[Ints, Ints]) -> None:
        self._blockers = blockers
        # Each card that is held or shown takes away as many hands of the other as hold it. Mostly,
        # enough are left.
        cards = len(game.deal.hands[0][0]) + sum(game.streets)
        most_held = [
            int(held[rows].sum(axis=0).max(initial=0))
            for held, rows in zip(blockers.holds, hands, strict=True)
        ]
        self._sure = all(
            len(rows) > cards * number for rows, number in zip(hands, most_held, strict=True)
        )

    def select(self, hands: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
        """Return those of some hands of both players that can meet one of the other's."""
        if self._sure:
            return hands
        presence = [np.zeros(len(hand_map.cards)) for hand_map in self._blockers.maps]
        for present, rows in zip(presence, hands, strict=True):
            present[rows] = 1.0
        counts = (
            self._blockers.mass_of_others((presence[0], presence[1]), player) for player in range(2)
        )
        hands_0, hands_1 = (
            rows[count[rows] > 0] for rows, count in zip(hands, counts, strict=True)
        )
        return hands_0, hands_1


def _child_boards(
    number: int,
    parent: Board,
    num_shown: int,
    holds: tuple[NDArray[np.bool_], ...],
    meeting: _MeetingHands,
) -> list[Board]:
    """Return the boards after the next cards, one for each class of those that are alike."""
    outcomes = list(
        combinations(
            [card for card in range(holds[0].shape[1]) if card not in parent.cards], num_shown
        )
    )
    hands_after = [
        _unblocked_hands(hands, held, outcomes)
        for hands, held in zip(parent.hands, holds, strict=True)
    ]
    children = []
    seen = set[tuple[int, ...]]()
    for cards, hands_0, hands_1 in zip(outcomes, *hands_after, strict=True):
        if cards in seen:
            continue
        copies = [*parent.symmetries]
        symmetries = parent.symmetries
        if len(copies) > 1:
            copies = []
            images = np.sort(parent.symmetries[:, list(cards)], axis=1)
            for image, permutation in zip(
                map(tuple, images.tolist()), parent.symmetries, strict=True
            ):
                if image not in seen:
                    seen.add(image)
                    copies.append(permutation)  # the identity comes first
            symmetries = symmetries[(images == np.array(cards)).all(axis=1)]
        board = (*parent.cards, *cards)
        children.append(
            Board(number, board, symmetries, meeting.select((hands_0, hands_1)), copies)
        )
    return children


def _unblocked_hands(
    hands: Ints, holds_card: NDArray[np.bool_], outcomes: list[tuple[int, ...]]
) -> list[Ints]:
    """Return which of a player's hands hold none of the cards of each outcome."""
    cards = np.array(outcomes, np.int64).reshape(len(outcomes), -1)
    free = (~holds_card[hands].T)[cards].all(axis=1)
    return np.split(hands[np.nonzero(free)[1]], np.cumsum(free.sum(axis=1))[:-1])


class _Builder:
    """Puts the positions of the hands on all boards together."""

    def __init__(
        self,
        game: CardGame,
        streets: list[list[Board]],
        blockers: Blockers,
        strengths: tuple[NDArray[Any], NDArray[Any]],
    ) -> None:
        self.game = game
        self.streets = streets
        self.hand_maps = blockers.maps
        self.strengths = strengths
        # A hand of one card or three is never taken off too often, so that nobody asks for the
        # other's.
        self.held = held = len(game.deal.hands[0][0])
        self.places = blockers.maps[0].cards.shape[1]
        self.same_hand = [
            same if held == self.places else np.full(len(same), -1) for same in blockers.same
        ]
        self.kind = np.uint16 if self.places == FEW_CARDS_HELD else np.uint32
        self.widths = [
            padded(max(len(board.hands[player]) for board in street) + 1)
            for street in streets
            for player in range(2)
        ]
        self.cards = _card_places(blockers.maps)
        # All of these street by street, each with a row for each board or copy: of player 0, then
        # of player 1.
        self.counts: list[Ints] = []
        self.hand: list[Positions] = []
        self.same: list[Positions] = []
        self.maps: list[Positions] = []
        self.alike: list[Positions] = []  # above the last street
        # of the last street, of each player
        self.strength: list[NDArray[Any]] = []
        self.order: list[NDArray[np.int8]] = []

    def arrays(self, chance: Floats) -> Boards:
        positions_above: list[Ints] = []
        for street, boards in enumerate(self.streets):
            is_last = street + 1 == len(self.streets)
            hand_rows = [self._hand_rows(street, boards, player) for player in range(2)]
            if is_last:
                hand_rows = [
                    self._sort_by_strength(player, *hand_rows[player]) for player in range(2)
                ]
            positions = [self._hand_positions(player, *hand_rows[player]) for player in range(2)]
            self.counts.append(
                np.column_stack([is_present.sum(axis=1) for _, is_present in hand_rows]).ravel()
            )
            self.hand.append(
                _join_players(
                    [np.where(is_present, hands, 0) for hands, is_present in hand_rows], self.kind
                )
            )
            self.same.append(
                _join_players(
                    [
                        self._same_hand_positions(street, p, *hand_rows[p], positions[1 - p])
                        for p in range(2)
                    ],
                    self.kind,
                )
            )
            if not is_last:
                self.alike.append(
                    _join_players(
                        [
                            self._first_alike_positions(p, boards, hand_rows[p][0], positions[p])
                            for p in range(2)
                        ],
                        self.kind,
                    )
                )
            if street:
                self.maps.append(
                    _join_players(
                        [
                            self._maps_to_parent(
                                street, p, boards, *hand_rows[p], positions_above[p]
                            )
                            for p in range(2)
                        ],
                        self.kind,
                    )
                )
            positions_above = positions
        first_board = offsets([len(boards) for boards in self.streets])
        takes_off = self.game.deal.folded is None and any(map(np.any, self.order))
        width = np.repeat(np.array(self.widths).reshape(-1, 2), np.diff(first_board), axis=0)
        first_position = offsets(width.ravel())
        below = [
            np.bincount([board.parent for board in boards], minlength=len(over))
            for over, boards in zip(self.streets, self.streets[1:], strict=False)
        ]
        copies = [
            len(board.copies) if street else 0
            for street, boards in enumerate(self.streets)
            for board in boards
        ]
        return Boards(
            first_board=first_board,
            first_child=1
            + offsets(np.concatenate([*below, np.zeros(len(self.streets[-1]), np.int64)])),
            width=np.array(self.widths),
            first_position=first_position,
            counts=np.concatenate(self.counts),
            hand=np.concatenate(self.hand),
            sums=self._last_street_sums(first_position[2 * first_board[-2] :]),
            same=np.concatenate(self.same),
            order=_join_players(self.order, np.int8) if takes_off else np.zeros(0, np.int8),
            first_copy=offsets(copies),
            first_map=offsets(np.repeat(width, copies, axis=0).ravel()),
            map=np.concatenate([*self.maps, np.zeros(1, self.kind)]),
            symmetric=np.array(
                [len(board.symmetries) > 1 for boards in self.streets[:-1] for board in boards]
                + [False]
            ),
            alike=np.concatenate([*self.alike, np.zeros(1, self.kind)]),
            cards=self.cards,
            chance=chance,
            deck=self.game.deal.cards,
            num_hands=max(map(len, self.game.deal.hands)),
        )

    def _last_street_sums(self, position: Ints) -> CardSums | SetSums | PairSums:
        """Return the sums of the last street, of whose boards and players the positions begin at ``position``."""
        deck = self.game.deal.cards
        hands = self.game.deal.hands
        counts = self.counts[-1]
        strength = _join_players(self.strength, np.int64)
        position = position - position[0]
        if self.game.deal.folded is not None:
            first, weight = self._pair_weights(self.game.deal.folded)
            return PairSums(1, first, weight, self._reached(strength, position))
        if self.places > FEW_CARDS_HELD:
            return set_sums(deck, self._reached(strength, position))
        card_places = self.cards.reshape(2, -1, 2 * self.places)
        held = [
            np.bincount(card_places[p, : len(hands[p]), : self.places].ravel(), minlength=deck + 2)
            for p in range(2)
        ]
        first = offsets(np.concatenate(held) + 1)
        largest = max(int(first[-1]), 1 + max(map(len, hands))) * LANES
        # One type, and one compilation, for most games.
        kind = np.promote_types(np.min_scalar_type(largest), np.uint16)
        total = int(position[-1])
        added = np.zeros(2 * total, kind)
        asked = np.zeros(9 * total, kind)
        counter = np.zeros(deck + 2, np.int64)
        place_sums(
            (self.cards, self.hand[-1], strength, position, counts), first, counter, added, asked
        )
        return CardSums(int(first[-1]), added, asked)

    def _reached(self, strength: Ints, position: Ints) -> Positions:
        """Return how many of the other's hands are weaker, and how many not stronger, than each on the last street.

        Boards and players begin at ``position``.
        """
        counts = self.counts[-1]
        reached = np.zeros((int(position[-1]), 2), self.kind)
        for k, first in enumerate(position[:-1].tolist()):
            first_other = int(position[k ^ 1])
            other_strength = strength[first_other : first_other + counts[k ^ 1]]
            own_strength = strength[first : first + counts[k]]
            own_reached = reached[first : first + counts[k]]
            own_reached[:, 0] = np.searchsorted(other_strength, own_strength, "left")
            own_reached[:, 1] = np.searchsorted(other_strength, own_strength, "right")
        return reached.ravel()

    def _pair_weights(self, folded: FoldedHands) -> tuple[Ints, Floats]:
        """Return where the matrix of each board begins, and the weights of pairs of hands on all boards."""
        cards = [hand_map.cards[:, : self.held] for hand_map in self.hand_maps]
        size = [
            self.widths[2 * street] * self.widths[2 * street + 1]
            for street, boards in enumerate(self.streets)
            for _ in boards
        ]
        first = offsets(size)
        weight = zeros(int(first[-1]))
        number = 0
        for street, boards in enumerate(self.streets):
            width = self.widths[2 * street + 1]
            hands = self.hand[street].reshape(len(boards), -1)
            counts = self.counts[street].reshape(-1, 2)
            for board, row, count in zip(boards, hands, counts, strict=True):
                of_first = cards[0][row[: count[0]]]
                of_second = cards[1][row[self.widths[2 * street] :][: count[1]]]
                matrix = weight[first[number] : first[number + 1]].reshape(-1, width)
                chances = folded.pair_chances(of_first, of_second, board.cards)
                matrix[: count[0], : count[1]] = chances
                number += 1
        return first, weight

    def _hand_rows(
        self, street: int, boards: list[Board], player: int
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Return a player's hands on each board of a street, shape (boards, width), and which of them are there."""
        counts = np.array([len(board.hands[player]) for board in boards])
        is_present = np.arange(self.widths[2 * street + player]) < counts[:, None]
        hands = np.zeros(is_present.shape, np.int64)
        hands[is_present] = np.concatenate([board.hands[player] for board in boards])
        return hands, is_present

    def _sort_by_strength(
        self, player: int, hands: Ints, is_present: NDArray[np.bool_]
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the hands on each board of the last street in the order of their strength, which is kept too."""
        strength = self.strengths[player]
        other_strength = self.strengths[1 - player]
        order = np.argsort(np.take_along_axis(strength, hands, axis=1), axis=1, kind="stable")
        order = np.take_along_axis(
            order, np.argsort(~np.take_along_axis(is_present, order, 1), axis=1, kind="stable"), 1
        )
        hands = np.take_along_axis(hands, order, axis=1)
        same = self.same_hand[player][hands]
        strength = np.take_along_axis(strength, hands, axis=1)
        other = np.take_along_axis(other_strength, same, axis=1)
        sign = (strength > other).astype(np.int8) - (strength < other)
        self.strength.append(np.where(is_present, strength, 0))
        self.order.append(np.where(is_present & (same >= 0), sign, 0))
        return hands, is_present

    def _hand_positions(self, player: int, hands: Ints, is_present: NDArray[np.bool_]) -> Ints:
        """Return where each hand of the game stands on each board; -1 where it does not, and at the end."""
        position_of_hand = np.full((len(hands), len(self.game.deal.hands[player]) + 1), -1)
        board, position = np.nonzero(is_present)
        position_of_hand[board, hands[board, position]] = position
        return position_of_hand

    def _same_hand_positions(
        self,
        street: int,
        player: int,
        hands: Ints,
        is_present: NDArray[np.bool_],
        position_of_hand: Ints,
    ) -> Ints:
        """Return the position of the other player's hand of the same cards, or the last one, which is nobody's."""
        same = np.take_along_axis(position_of_hand, self.same_hand[player][hands], axis=1)
        return np.where(is_present & (same >= 0), same, self.widths[2 * street + 1 - player] - 1)

    def _first_alike_positions(
        self, player: int, boards: list[Board], hands: Ints, position_of_hand: Ints
    ) -> Ints:
        """Return where the first of the hands stands that permutations exchange with each hand of a board."""
        alike = np.zeros_like(hands)
        for number, board in enumerate(boards):
            board_hands = hands[number, : len(board.hands[player])]
            images = [
                position_of_hand[number][self.hand_maps[player].permute(permutation)[board_hands]]
                for permutation in board.symmetries
            ]
            alike[number, : len(board_hands)] = np.min(images, axis=0)
        return alike

    def _maps_to_parent(
        self,
        street: int,
        player: int,
        boards: list[Board],
        hands: Ints,
        is_present: NDArray[np.bool_],
        parent_position: Ints,
    ) -> Ints:
        """Return where the hands stand on the board before, a row for each copy of each board."""
        copies = np.repeat(np.arange(len(boards)), [len(board.copies) for board in boards])
        maps = np.full((len(copies), hands.shape[1]), self.widths[2 * street - 2 + player] - 1)
        by_permutation: dict[bytes, tuple[Ints, list[int]]] = {}
        for number, permutation in enumerate(
            permutation for board in boards for permutation in board.copies
        ):
            by_permutation.setdefault(permutation.tobytes(), (permutation, []))[1].append(number)
        parents = np.array([board.parent for board in boards])
        for permutation, rows in by_permutation.values():
            board = copies[rows]
            image = np.take_along_axis(
                parent_position[parents[board]],
                self.hand_maps[player].permute(permutation)[hands[board]],
                1,
            )
            maps[rows] = np.where(is_present[board], image, maps[rows])
        return maps


def _join_players(rows: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    """Return the rows of both players, board by board, one after the other."""
    return np.concatenate([player_rows.astype(kind) for player_rows in rows], axis=1).ravel()


def _card_places(maps: tuple[HandMap, ...]) -> NDArray[np.uint16]:
    """Return the cards of each hand as :attr:`Boards.cards` has them."""
    places = maps[0].cards.shape[1]
    cards = np.zeros((2, max(len(hand_map.cards) for hand_map in maps), 2 * places), np.uint16)
    for player_cards, hand_map in zip(cards, maps, strict=True):
        # Which stands for a card that is not there; nobody reads the one after it.
        nobody = hand_map.base - 1
        player_cards[: len(hand_map.cards), :places] = hand_map.cards + (hand_map.cards == nobody)
        player_cards[: len(hand_map.cards), places:] = hand_map.cards
    return cards.ravel()


@compiled(allocates=False)
def place_sums(boards, first_sum, counter, added, asked):  # type: ignore[no-untyped-def]
    """Fill ``added`` and ``asked`` of :class:`~.terminal.values.CardSums` for all boards of the last street."""
    cards, hand, strength, first, counts = boards
    num_hands = len(cards) // 8
    deck = len(counter)
    for k in range(len(counts)):
        player = k % 2
        other = k + 1 - 2 * (k % 2)
        first_own = first[k]
        first_other = first[other]
        for comparison in range(3):  # weaker hands, those that are not stronger, all
            counter[:] = 0
            j = 0
            for i in range(counts[k] + 1):
                while j < counts[other] and (
                    i == counts[k]
                    or comparison == 2
                    or strength[first_other + j] < strength[first_own + i]
                    or (comparison == 1 and strength[first_other + j] == strength[first_own + i])
                ):
                    for c in range(2):
                        card = cards[4 * ((1 - player) * num_hands + hand[first_other + j]) + c]
                        counter[card] += 1
                        added[2 * (first_other + j) + c] = (
                            first_sum[(1 - player) * deck + card] + counter[card]
                        ) * LANES
                    j += 1
                if i < counts[k]:
                    asked[9 * (first_own + i) + 3 * comparison] = j * LANES
                    for c in range(2):
                        card = cards[4 * (player * num_hands + hand[first_own + i]) + 2 + c]
                        begin = first_sum[(1 - player) * deck + card]
                        asked[9 * (first_own + i) + 3 * comparison + 1 + c] = (
                            begin + counter[card]
                        ) * LANES
