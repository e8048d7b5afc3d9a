"""Card forms that are cut: a function says what the betting states at the cut are worth on each board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._util.arrays import Floats, Ints
from ...game.card_game import HandPayoffs
from ..floors import NO_FLOORS, Terms
from ..leaf import Leaf, LeafFunction, ask
from ..responses import BestResponses, Values
from .build import compile_cards
from .cut import CardCut, CutGame, PairPayoffs, reach_on_board
from .form import CardForm


class Above(NamedTuple):
    """What leads to a part.

    Attributes
    ----------
    weights : pair of float array
        Of the hands of both in the whole game: the weights of the part × own reach there.
    chance : float
        The probability of chance to bring two hands and the board of the part, over the product of
        the hands' weights.
    line : str
        What lines have before those of the part.
    """

    weights: tuple[Floats, Floats]
    chance: float
    line: str


class _Place(NamedTuple):
    """A leaf on one of its boards."""

    leaf: Leaf
    street: int  # where it is in the form of the part that is cut
    board: int  # its number there
    rows: tuple[int, int]  # of each player there
    hands: tuple[Ints, Ints]  # the hands of the leaf, as numbers of those of the game
    # the matrices that pay both: views, shape (hands of the other, hands), and where the hands of
    # the leaf are in them
    matrices: tuple[NDArray[Any], NDArray[Any]]
    positions: tuple[Ints, Ints]
    weights: tuple[Floats, Floats]  # of the hands of the leaf, in the whole game
    chance: float  # of the board, over the product of the weights of two hands


class LeafValues:
    """What the leaves of a part pay: matrices of its form that are filled anew before each walk.

    A matrix pays a hand the same against all of the other's: its value ÷ what these weigh together,
    so that the walk comes to the value itself.
    """

    def __init__(
        self,
        form: CardForm,
        function: LeafFunction,
        places: Sequence[_Place],
        start: tuple[Floats, Floats],
        opponent: int,
    ) -> None:
        self._form = form
        self._function = function
        self._places = places
        self._start = start
        self._opponent = opponent

    def __call__(
        self, strategy: Floats, factor: Floats | None = None, players: Sequence[int] = (0, 1)
    ) -> None:
        """Ask what the leaves are worth to some players, by a strategy at the slots of the form.

        ``factor`` is what the opponent's hands on the first board are multiplied by, where
        something is decided above.
        """
        form = self._form
        start = [start_reach.copy() for start_reach in self._start]
        if factor is not None:
            start[self._opponent][form.hands_on(0, 0, self._opponent)] *= factor
        reach = self._reach(strategy, start)
        shift = form.arrays.betting.shift
        for at in self._places:
            both = [reach(at.street, at.board, p)[at.rows[p]][at.hands[p]] for p in range(2)]
            for player in players:
                values = ask(self._function, at.leaf, (both[0], both[1]), player, shift[player])
                counted = (
                    at.weights[player]
                    * at.chance
                    * float(at.weights[1 - player] @ both[1 - player])
                )
                paid = np.divide(values, counted, out=np.zeros(len(values)), where=counted > 0)
                at.matrices[player][:, at.positions[player]] = paid

    def _reach(self, strategy: Floats, start: list[Floats]) -> Any:
        """Return a function of street, board and player: the reach of the rows there, shape (rows, hands)."""
        form = self._form
        played = [
            [form.rows_of(strategy, street, p) for p in range(2)]
            for street in range(form.num_streets)
        ]

        @cache
        def reach(street: int, board: int, player: int) -> Floats:
            betting = form.betting.streets[street]
            rows = np.zeros((1, betting.rows[player], len(start[player])))
            if street == 0:
                rows[0, 0] = start[player]
            else:
                above = reach(street - 1, form.boards.streets[street][board].parent, player)
                leaves = form.betting.streets[street - 1].leaves
                rows[0, : len(leaves)] = above[[pair[player] for pair in leaves]]
            result: Floats = reach_on_board(
                form, played[street][player][None, board], street, board, player, rows
            )[0]
            return result

        return reach


@dataclass(frozen=True, eq=False, repr=False)
class CardLeafForm(CardForm):
    """A card form in which a function says what leaves are worth; a best response goes on as that says."""

    asks_for_values = True

    leaf_values: LeafValues = field(kw_only=True)

    def values(
        self,
        strategy: NDArray[Any],
        *,
        weights: bool = False,
        threads: int = 1,
        floors: Terms = NO_FLOORS,
    ) -> Values:
        self.leaf_values(self.average_from_sums(strategy))
        return super().values(strategy, weights=weights, threads=threads, floors=floors)

    def best_responses(self, strategy: Floats) -> BestResponses:
        self.leaf_values(strategy)
        return super().best_responses(strategy)


def end_cards_with_function(
    part: CardForm,
    cut: CardCut,
    blueprint: Floats,
    function: LeafFunction,
    above: Above,
    opponent: int,
) -> CardLeafForm:
    """Return the form of a part that is cut, if a function says what the leaves are worth; a strategy at the slots."""
    deal = part.game.deal
    total = part.payoff_sum
    assert total is not None
    pairs = len(deal.hands[0]), len(deal.hands[1])
    placeholders = [
        [
            HandPayoffs(
                np.full((len(part.boards.streets[leaf.street]), *pairs), part.largest_payoff), total
            )
        ]
        for leaf in cut.leaves
    ]
    game: Any = CutGame(part.game, cut, placeholders, ("",), opponent)
    form = compile_cards(game)
    payoffs = cache(PairPayoffs(part, cut.leaves, [blueprint], opponent).of_leaves)
    holds_card = [holds.astype(np.float64) for holds in form.blockers.holds]
    meet = holds_card[0] @ holds_card[1].T == 0
    arrays = form.arrays.boards
    matrices = form.arrays.terminal.by_hands
    places = []
    end = 0
    for street, betting in enumerate(form.betting.streets):
        widths = [int(width) for width in arrays.width[2 * street : 2 * street + 2]]
        for end_by_hands in betting.by_hands:
            number = next(
                k for k, item in enumerate(placeholders) if item[0] is end_by_hands.payoffs
            )
            for board, street_board in enumerate(form.boards.streets[street]):
                hand_order = [form.hands_on(street, board, p) for p in range(2)]
                hands = np.sort(hand_order[0]), np.sort(hand_order[1])
                weights = above.weights[0][hands[0]], above.weights[1][hands[1]]
                chance = above.chance * float(np.prod(arrays.chance[1 : street + 1]))
                size = widths[0] * widths[1]
                blocks = []
                for p in range(2):
                    first = int(matrices.first[2 * end + p]) + board * size
                    blocks.append(
                        matrices.matrix[first : first + size].reshape(widths[1 - p], widths[p])
                    )
                leaf = Leaf(
                    tuple(
                        tuple(game.hands[p][hand] for hand in hands[p].tolist()) for p in range(2)
                    ),  # type: ignore[arg-type]
                    chance * np.outer(*weights) * meet[np.ix_(*hands)],
                    partial(_leaf_payoffs, payoffs, number, board, hands, meet),
                    f"{above.line}{cut.leaves[number].line}".strip(" |"),
                    "".join(game.cards[card] for card in street_board.cards),
                )
                positions = np.argsort(hand_order[0]), np.argsort(hand_order[1])
                player_blocks = blocks[0], blocks[1]
                places.append(
                    _Place(
                        leaf,
                        street,
                        board,
                        end_by_hands.rows,
                        hands,
                        player_blocks,
                        positions,
                        weights,
                        chance,
                    )
                )
            end += 1
    start = [
        np.divide(
            part_weights, game_weights, out=np.zeros(len(game_weights)), where=game_weights > 0
        )
        for part_weights, game_weights in zip(deal.weights, above.weights, strict=True)
    ]
    members = {item.name: getattr(form, item.name) for item in fields(CardForm)}
    return CardLeafForm(
        **members, leaf_values=LeafValues(form, function, places, (start[0], start[1]), opponent)
    )


def _leaf_payoffs(
    payoffs: Any, leaf: int, board: int, hands: tuple[Ints, Ints], meet: NDArray[np.bool_]
) -> Floats:
    """Return what both get on a board where they go on as the blueprint does."""
    (of_leaf,) = payoffs()[leaf]
    pairs = np.ix_(*hands)
    payoff_0 = of_leaf.values[board][pairs]
    return np.stack([payoff_0, np.where(meet[pairs], of_leaf.total - payoff_0, 0.0)])
