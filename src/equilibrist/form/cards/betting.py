"""The betting tree of a card game, street by street, as two trees of rows: one for each player's own actions.

A *row* is a sequence of a player's own actions on one street, with a number for each of the player's hands: its reach,
its counterfactual value. The rows of a street begin with one for each *line* that leads to the street; each action
of each node of the player adds one. What joins the two players' rows are the ends and the leaves of a street, where
cards are dealt: each of them has one row of either player.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from ..._util.arrays import Floats, Ints, offsets
from ...errors import GameError
from ...game.card_game import CardGame, HandPayoffs, Pair, ShowdownPayoffs
from ...game.checked import LARGEST_PAYOFF, payoff_error
from ...game.protocol import CHANCE, TERMINAL, game_name
from ..limits import CompileBudget, Meter

Made = TypeVar("Made")
# betting states, for a first look at the memory, and for random plays
_LOOK_AT = 1 << 10
_PROJECT_AT = 1 << 17
_BYTES_PER_STATE = 1_000  # measured on hold'em

NODE = np.dtype(
    [
        ("parent", np.int64),  # the row of its player's last action, or of the line
        ("first", np.int64),  # the row of its first action; the others follow
        ("actions", np.int64),
        ("lock", np.int64),  # where its hands begin in Betting.locked, or -1
    ],
    align=True,
)


class Node(NamedTuple):
    """A decision of the betting tree.

    Attributes
    ----------
    street : int
        The number of the street.
    player : int
        Who decides.
    number : int
        Among the nodes of that player on that street.
    line : str
        The actions before, those of different streets with ``|`` between.
    actions : tuple of str
        Names of the actions.
    parent : int
        As in :data:`NODE`: a row.
    first : int
        As in :data:`NODE`: a row.
    other : int
        The row of the other player's last action, or of the line.
    """

    street: int
    player: int
    number: int
    line: str
    actions: tuple[str, ...]
    parent: int
    first: int
    other: int


class End(NamedTuple):
    """An end of the betting tree: the rows of both players, and what they receive."""

    rows: tuple[int, int]
    payoff: ShowdownPayoffs
    shown: bool


class EndByHands(NamedTuple):
    """An end that pays by the hands of both, which nobody shows."""

    rows: tuple[int, int]
    payoffs: HandPayoffs


def tree_against(tree: BettingTree, player: int) -> BettingTree:
    """Return a betting tree in which the other player receives minus what a player receives at each end."""

    def oppose(pair: Pair) -> Pair:
        payoff = pair[player]
        if player == 0:
            return payoff, -payoff
        return -payoff, payoff

    streets = [
        replace(
            street,
            ends=[
                end._replace(payoff=ShowdownPayoffs(*map(oppose, end.payoff)))
                for end in street.ends
            ],
        )
        for street in tree.streets
    ]
    return BettingTree(streets, tree.depth, tree.largest, 0.0)


@dataclass
class Street:
    """One street of the betting tree."""

    lines: list[str]  # the actions that lead to this street
    rows: list[int]  # number of rows of each player
    # pair of lists of Node: the decisions of each player, parents first
    nodes: tuple[list[Node], list[Node]] = field(default_factory=lambda: ([], []))
    ends: list[End] = field(default_factory=list)
    by_hands: list[EndByHands] = field(default_factory=list)
    # list of pairs of int: the rows of both players where the next street is dealt: leaf k leads to
    # line k of that street
    leaves: list[tuple[int, int]] = field(default_factory=list)

    @property
    def decisions(self) -> list[Node]:
        return [*self.nodes[0], *self.nodes[1]]

    @property
    def num_nodes(self) -> int:
        return sum(map(len, self.nodes)) + len(self.ends) + len(self.by_hands) + len(self.leaves)


@dataclass(frozen=True, eq=False)
class BettingTree:
    """The betting tree, one for all games of a class with the same ``betting_key`` that there are at a time."""

    streets: list[Street]
    depth: int  # the most moves of a play, those of chance included
    largest: float  # the largest payoff, without its sign
    # what both players receive together, where it is the same at every end
    payoff_sum: float | None
    _made: dict[Callable[[BettingTree], Any], Any] = field(
        default_factory=dict, init=False, repr=False
    )

    def once(self, make: Callable[[BettingTree], Made]) -> Made:
        """Return what a function makes of the tree, which is made once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_made": {}}

    @property
    def nodes(self) -> list[Node]:
        return [node for street in self.streets for node in street.decisions]


class _Plays:
    def __init__(self, game: CardGame) -> None:
        self.start = game.start
        self.player = game.player
        self.next = game.next
        self._actions = game.actions

    def actions(self, state: Any) -> Iterable[Any]:
        """Return the actions, or None for the deal of the next street."""
        if self.player(state) == CHANCE:
            return [None]
        return self._actions(state)


_shared: WeakValueDictionary[Hashable, BettingTree] = WeakValueDictionary()


def walk_betting(game: CardGame, limits: CompileBudget) -> BettingTree:
    """Return the betting tree of a card game, having checked it on the way."""
    key = getattr(game, "betting_key", None)
    tree = None if key is None else _shared.get((type(game), key))
    if tree is None:
        tree = _walk_tree(game, limits)
        if key is not None:
            _shared[type(game), key] = tree
    return tree


def _walk_tree(game: CardGame, limits: CompileBudget) -> BettingTree:
    walk = _Walk(game, limits)
    walk.following = [(game.start(), "", 0)]
    for _ in range(len(game.streets) + 1):
        begin = walk.following
        walk.following = []
        walk.streets.append(Street([line for _, line, _ in begin], [len(begin), len(begin)]))
        for root, (state, line, depth) in enumerate(begin):
            walk.visit(state, (root, root), line, depth)
    return BettingTree(walk.streets, walk.depth, walk.largest, walk.payoff_sum())


class _Walk:
    def __init__(self, game: CardGame, limits: CompileBudget) -> None:
        self.game = game
        self.name = game_name(game)
        instead = "Allow fewer bet sizes, or fewer raises."
        plays = _Plays(game)
        self.meter = Meter(
            limits,
            self.name,
            things="betting states",
            instead=instead,
            game=plays,
            project_at=_PROJECT_AT,
        )
        self.look_at = _LOOK_AT
        self.label = getattr(game, "action_label", lambda _, action: str(action))
        self.streets: list[Street] = []  # the last one is walked
        # Where the next street begins: state, line, depth.
        self.following: list[tuple[Hashable, str, int]] = []
        self.depth = 0
        self.largest = 0.0
        # Of the payoffs of both at an end, and the larger of them.
        self.sums: list[tuple[float, float]] = []
        self.seen: set[Hashable] = set()

    def visit(self, state: Any, rows: tuple[int, int], line: str, depth: int) -> None:
        game = self.game
        place_text = f"{self.name}: after {line or 'the deal'}"
        street = self.streets[-1]
        last = len(self.streets) == len(game.streets) + 1
        self.depth = max(self.depth, depth)
        if state in self.seen:
            raise GameError(
                f"{place_text} the betting state {state!r} is that of another line; each line needs "
                "its own."
            )
        self.seen.add(state)
        if len(self.seen) >= self.look_at:
            self.look_at = self.meter.look(len(self.seen), _BYTES_PER_STATE)
        mover = game.player(state)
        if mover == TERMINAL:
            self._add_end(self.game.payoff(state), rows, street, last, place_text)
        elif mover == CHANCE:
            if last:
                raise GameError(
                    f"{place_text} cards are to be dealt, but no street is left: streets is "
                    f"{game.streets!r}."
                )
            street.leaves.append(rows)
            self.following.append((game.next(state, None), f"{line} | ".lstrip(), depth + 1))
        elif mover in (0, 1):
            actions = list(game.actions(state))
            labels = tuple(str(self.label(state, action)) for action in actions)
            if not actions or len(set(labels)) < len(labels):
                raise GameError(
                    f"{place_text} player {mover} has the actions {labels!r}; there must be some, all "
                    "different."
                )
            first = street.rows[mover]
            street.rows[mover] += len(actions)
            player_nodes = street.nodes[mover]
            own_rows = (rows[mover], first, rows[1 - mover])
            player_nodes.append(
                Node(
                    len(self.streets) - 1, mover, len(player_nodes), line.strip(), labels, *own_rows
                )
            )
            joint = "" if not line or line.endswith("| ") else "-"
            for k, (action, label) in enumerate(zip(actions, labels, strict=True)):
                if mover == 0:
                    after = (first + k, rows[1])
                else:
                    after = (rows[0], first + k)
                self.visit(game.next(state, action), after, f"{line}{joint}{label}", depth + 1)
        else:
            raise GameError(
                f"{place_text} it is the move of {mover!r}; expected 0, 1, CHANCE or TERMINAL."
            )

    def _add_end(
        self, answer: Any, rows: tuple[int, int], street: Street, last: bool, place_text: str
    ) -> None:
        if isinstance(answer, HandPayoffs):
            largest = float(np.abs(answer.values).max(initial=0.0))
            self.largest = max(self.largest, largest)
            self.sums.append((answer.total, largest))
            street.by_hands.append(EndByHands(rows, answer))
            return
        is_showdown = isinstance(answer, ShowdownPayoffs)
        if isinstance(answer, ShowdownPayoffs):
            payoff = answer
        else:
            payoff = ShowdownPayoffs(answer, answer, answer)
        if is_showdown and not last:
            raise GameError(
                f"{place_text} hands are shown before all cards are dealt; deal the other streets first."
            )
        numbers = np.array(payoff, np.float64)
        if numbers.shape != (3, 2) or not np.isfinite(numbers).all():
            raise GameError(
                f"{place_text} payoff() must give a pair of finite numbers, or ShowdownPayoffs; got "
                f"{answer!r}."
            )
        largest = float(np.abs(numbers).max())
        if largest > LARGEST_PAYOFF:
            raise payoff_error(place_text, largest)
        self.largest = max(self.largest, largest)
        self.sums += [(float(pair.sum()), float(np.abs(pair).max())) for pair in numbers]
        pairs = (tuple(map(float, pair)) for pair in numbers)
        street.ends.append(End(rows, ShowdownPayoffs(*pairs), is_showdown))  # type: ignore[arg-type]

    def payoff_sum(self) -> float | None:
        """Return the sum of the payoffs at every end if it is one, up to rounding of each end's own."""
        total = self.sums[0][0]
        first = self.sums[0][1]
        same = all(
            abs(pair_sum - total) <= 1e-12 * max(first, largest) for pair_sum, largest in self.sums
        )
        if same:
            return total
        return None


class Betting(NamedTuple):
    """The betting tree as kernels read it. ``q = 2 · street + player``; arrays of int64 unless said otherwise.

    Attributes
    ----------
    lines : int array, shape (streets,)
        Number of lines that lead to a street.
    rows : int array, shape (2 · streets,)
        Number of rows, by q.
    first_node : int array, shape (2 · streets + 1,)
        The nodes of q are ``nodes[first_node[q] : first_node[q + 1]]``, parents first.
    nodes : object
        NODE array.
    first_leaf : int array, shape (streets + 1,)
        The leaves of each street.
    leaf_row : int array, shape (2 · leaves,)
        The rows of player 0 and of player 1 where the next street is dealt.
    locked : float array
        Whether each hand is locked, 1 or 0, at the positions of each board of the street, from the
        lock of a node on.
    shift : float array, shape (2,)
        What is added to the value of each player: half of what both receive together, where it is
        always the same.
    """

    lines: Ints
    rows: Ints
    first_node: Ints
    nodes: Any
    first_leaf: Ints
    leaf_row: Ints
    locked: Floats
    shift: Floats


def betting_arrays(tree: BettingTree) -> Betting:
    """Return a betting tree as arrays."""
    shift = 0.0 if tree.payoff_sum is None else tree.payoff_sum / 2
    return Betting(
        lines=np.array([len(street.lines) for street in tree.streets]),
        rows=np.array([rows for street in tree.streets for rows in street.rows]),
        first_node=offsets(
            [len(player_nodes) for street in tree.streets for player_nodes in street.nodes]
        ),
        nodes=np.array(
            [(node.parent, node.first, len(node.actions), -1) for node in tree.nodes]
            or [(0, 0, 0, -1)],
            NODE,
        ).view(np.recarray),
        first_leaf=offsets([len(street.leaves) for street in tree.streets]),
        leaf_row=np.array(
            [row for street in tree.streets for leaf in street.leaves for row in leaf], np.int64
        ),
        locked=np.zeros(0),
        shift=np.array([shift, shift]),
    )
