"""What a strategy of a spot of hold'em or Omaha does and earns, by line and board: ranges, EV, equity, frequencies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ..._util.arrays import Floats
from ..._util.recent import Recent
from ...errors import GameError
from ...evaluation.off_path import PROMISES_NOTHING, is_rare, off_path_note
from ...form.cards.betting import Node
from ...form.cards.build import compile_cards
from ...form.cards.form import CardForm
from ...form.cards.subgame import (
    Step,
    StreetValues,
    Subgame,
    find_board,
    node_strategy,
    ranges_at,
    subgame,
)
from ...games.load import load
from ...strategy.convert import strategy_for
from ..cards.cards import cards_text, parse_cards
from ..spot.bet_sizes import STREETS
from ..spot.betting_of_spot import ShowdownShares, Spot, is_spot
from ..spot.betting_tree import BettingNode
from ..spot.lines import after_line
from ..spot.showdown import NOBODY, normalise_weights
from ..spot.three_ranges import ThreeRanges
from .omaha_spot import OmahaNode
from .spot_node import SpotNode, mean_frequencies

Ranges = tuple[Floats, Floats]

_STREETS_KEPT = 32
_BOARDS_KEPT = 1  # what tells the shares of the pot: on the first street as large as the form
NODES = {2: SpotNode, 4: OmahaNode}
"""The class of a decision, by how many cards a hand has."""


class _Street(NamedTuple):
    """The betting of a street after a line, on a board: values of the rows of both players, and nodes by line."""

    shift: Floats
    values: StreetValues
    nodes: dict[str, Node]


class SolvedSpot:
    """A strategy of a spot of hold'em or Omaha, to be looked at node by node.

    Parameters
    ----------
    solution : Solution or Strategy
        What :func:`equilibrist.solve` returns for a spot, or its strategy.
    game : str, path, Holdem or Omaha, optional
        The spot, as for :func:`equilibrist.load`, where a strategy does not know it.
    threads : int
        Threads of the walk over all boards, which the first look at the first street takes.
    missing : {None, "uniform"}
        Whether infosets that a strategy lacks are an error or played uniformly.

    Raises
    ------
    GameError
        The game is no spot of hold'em or Omaha.

    Notes
    -----
    Values on the first street come from one walk over all boards, which is kept; those of a later
    street from the subgame of its line and board, with the ranges that reach it. A run that was
    saved without its last streets has no values, but strategies, ranges and equities on the others.
    Boards that were solved as one, because they differ by suits alone, are told apart here.

    Examples
    --------
    Player 0 knows who wins, and bets all winning hands and half as many others:

    >>> import equilibrist as eq
    >>> game = eq.load("holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')")
    >>> spot = eq.poker.SolvedSpot(eq.solve(game, until=1e-4))
    >>> node = spot.node()
    >>> node.actions, node.strategy.round(3).tolist()
    (('X', 'A10'), [[0.667, 0.0], [0.333, 1.0]])
    >>> [round(ev, 3) for ev in node.evs], [round(share, 3) for share in node.equities]
    ([13.333, 6.667], [0.5, 0.5])
    >>> call = spot.node("A10").frequencies[1]
    >>> round(float(call), 3)
    0.667
    """

    def __new__(cls, solution: Any, game: Any = None, **options: Any) -> Any:
        """Return a solved spot of two ranges, or of three where the game has them."""
        if has_three_ranges(solution, game):
            from .three_ranges import SolvedThree

            return SolvedThree(solution, game, **options)
        return super().__new__(cls)

    def __init__(
        self, solution: Any, game: Any = None, *, threads: int = 1, missing: str | None = None
    ) -> None:
        strategy = getattr(solution, "strategy", solution)
        self.form = _find_form(
            strategy, game if game is not None else getattr(solution, "game", None)
        )
        self.game = cast("Spot", self.form.game)
        streets = self.form.betting.streets
        slots = getattr(strategy, "slots", None)
        if missing or slots is None or slots.is_whole:
            self.streets = len(streets)
            self.weights = strategy_for(strategy, self.form).weights_at(self.form, missing=missing)
        else:
            self.streets = slots.streets
            self.weights = slots.weights
        self.threads = threads
        self.promise: str = getattr(solution, "off_path", PROMISES_NOTHING)
        self._nodes = {node.line: node for node in self.form.betting.nodes}
        self._kept_streets = Recent[_Street](_STREETS_KEPT)
        self._kept_showdowns = Recent[ShowdownShares](_BOARDS_KEPT)

    def node(self, line: str = "", board: str | None = None, *, keep: bool = True) -> SpotNode:
        """Return what is known of a decision.

        Parameters
        ----------
        line : str
            The actions before, ``"X-B120-C | B200"``; the first decision by default.
        board : str, optional
            All public cards there, ``"QsJh2h7c"``, or those that were dealt since the start; needed
            once a street was dealt.
        keep : bool
            Whether what was computed for the whole street is kept for the next nodes; of many
            boards it need not be.

        Raises
        ------
        GameError
            There is no such line, it leads to no decision, or the board does not belong to it.
        """
        at, steps, cards = self._place(line, board)
        return self._node(
            at,
            steps,
            cards,
            self._street(at, cards) if keep else self._value_street(_line_before_street(at), cards),
        )

    def run_outs(self, line: str, board: str | None = None) -> list[tuple[str, ...]]:
        """Return the cards that may come after a line that ends a street; those that are alike by suits together.

        All numbers over whole ranges are the same after any of them.

        Parameters
        ----------
        line : str
            The actions up to the card, ``"X-B120-C"``.
        board : str, optional
            All public cards before it, as for :meth:`node`.

        Raises
        ------
        GameError
            No card comes there before somebody decides, or there is no such line or board.

        Examples
        --------
        >>> import equilibrist as eq
        >>> turn = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='a')"
        >>> spot = eq.poker.SolvedSpot(eq.solve(turn, iterations=10))
        >>> len(spot.run_outs("X-X")), spot.node("X-X", spot.run_outs("X-X")[0][0]).board
        (48, 'Td9d6hQc2c')
        """
        at = self.game.tree.nodes[self.game.tree.find(line)]
        if at.player < 0 or not at.line.endswith("|"):
            raise GameError(
                f"line: no card is dealt {after_line(line)} before somebody decides; give a line "
                "that ends a street.",
                wrong_use=True,
            )
        cards = self._public_cards(at, board, dealt=False)
        place = find_board(self.form, cards)
        stored = np.argsort(place.permutation)
        symmetries = place.permutation[
            self.form.boards.streets[place.street][place.board].symmetries[:, stored]
        ]
        cards_left = [card for card in range(len(self.game.cards)) if card not in cards]
        alike = dict.fromkeys(
            tuple(sorted(set(symmetries[:, card].tolist()))) for card in cards_left
        )
        return [tuple(self.game.cards[card] for card in cards_alike) for cards_alike in alike]

    def best_action_values(self, line: str, board: str, hand: str) -> Floats | None:
        """Return the value of each action of who decides, with the best response to the strategy afterwards; payoff.

        None where the other player never comes here with a hand that goes with this one.

        Raises
        ------
        GameError
            There is no such line, board or hand.
        """
        at, steps, cards = self._place(line, board)
        node = self._nodes[at.line]
        street = self._street(at, cards)
        number = list(self.game.hands[node.player]).index(hand)
        ranges = self._ranges(steps, cards)
        mass = self.form.mass_of_others(ranges, node.player, cards)[number]
        if mass <= NOBODY:
            return None
        first = street.nodes[_line_on_street(at.line)].first
        values = street.values.best_value[node.player][first : first + len(node.actions), number]
        return np.asarray(values / mass + street.shift[node.player])

    def mix(self, line: str, board: str, hand: str) -> Floats:
        """Return the probability of each action that a hand of who decides takes.

        Raises
        ------
        GameError
            There is no such line, board or hand.
        """
        at, _, cards = self._place(line, board)
        node = self._nodes[at.line]
        number = list(self.game.hands[node.player]).index(hand)
        return node_strategy(self.form, self.weights, node, find_board(self.form, cards))[:, number]

    def frequencies(self, line: str, board: str | None = None) -> Floats:
        """Return the probability of each action over the range of who decides, as :attr:`SpotNode.frequencies`.

        No values are computed, as :meth:`node` does: for the decisions on the way to another.

        Raises
        ------
        GameError
            As for :meth:`node`.
        """
        at, steps, cards = self._place(line, board)
        node = self._nodes[at.line]
        ranges = self._ranges(steps, cards)
        strategy = node_strategy(self.form, self.weights, node, find_board(self.form, cards))
        probabilities = normalise_weights(
            ranges[node.player] * compatible_masses(self.form, ranges, cards)[node.player]
        )
        return mean_frequencies(strategy, probabilities)

    def reaching(self, line: str, board: str | None = None) -> tuple[tuple[int, ...], Ranges]:
        """Return public cards, and weight × own reach of all hands at a decision; no values are computed.

        Without a board they are those of the start, and the reach is that of the actions before
        other cards are dealt.

        Raises
        ------
        GameError
            There is no such line, it leads to no decision, or the board does not belong to it.
        """
        if board is not None:
            _, steps, cards = self._place(line, board)
            return cards, self._ranges(steps, cards)
        steps = [step for step in self._steps(self._decision(line).line) if step.node.street == 0]
        return self.game.board, self._ranges(steps, self.game.board)

    def _place(
        self, line: str, board: str | None
    ) -> tuple[BettingNode, list[Step], tuple[int, ...]]:
        at = self._decision(line)
        return at, self._steps(at.line), self._public_cards(at, board)

    def _decision(self, line: str) -> BettingNode:
        """Return the node of a line, where somebody decides and the strategy says what."""
        tree = self.game.tree
        at = tree.nodes[tree.find(line)]
        if at.player < 0:
            raise GameError(
                f"line: the hand is over {after_line(line)} ({at.result}); give a line after "
                "which somebody decides.",
                wrong_use=True,
            )
        if at.street - tree.rules.street >= self.streets:
            raise GameError(
                f"line: the strategy has the first {self.streets} of "
                f"{len(self.form.betting.streets)} streets, and "
                f"{line!r} goes on after them; 'equilibrist resolve' solves that part again.",
                wrong_use=True,
            )
        return at

    def reached(self, most: int) -> list[SpotNode]:
        """Return the decisions of the first street that are reached most, the first decision first, at most so many."""
        tree = self.game.tree
        first = self.game.tree.rules.street
        lines = [node.line for node in tree.nodes if node.player >= 0 and node.street == first]
        return [
            self.node(line)
            for line in sorted(lines, key=lambda line: -self.line_reach(line))[:most]
        ]

    def line_reach(self, line: str) -> float:
        """Return how often a line of the first street is followed, up to a factor."""
        ranges = self._ranges(self._steps(line), self.game.board)
        return self.pair_mass(ranges, self.game.board)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self.game.tree.players

    @property
    def hands(self) -> Sequence[Sequence[str]]:
        """The hands of each player at the start."""
        return self.game.hands

    @property
    def folded(self) -> str:
        """How many hands were folded before, and how exact their weights are, in words; empty where none was."""
        folded = self.game.deal.folded
        return "" if folded is None else folded.describe()

    def deal_weight(self, node: SpotNode) -> float:
        """Return the weight of the deals that come to a decision, up to what all boards have in common."""
        ranges: Any = node.ranges
        cards = parse_cards(node.board, names=self.game.cards)
        return self.pair_mass(ranges, cards)

    def reach(self, line: str, board: str | None = None) -> float:
        """Return the probability with which both players take a line, once the board is dealt; as :meth:`node`."""
        _, steps, cards = self._place(line, board)
        return self._reach_on_board(self._ranges(steps, cards), cards)

    def _reach_on_board(self, ranges: Ranges, cards: tuple[int, ...]) -> float:
        dealt = self.pair_mass(self._ranges([], cards), cards)
        if dealt > 0:
            return self.pair_mass(ranges, cards) / dealt
        return 0.0

    def pair_mass(self, ranges: Ranges, cards: tuple[int, ...]) -> float:
        """Return the weight of all pairs of hands of these ranges on a board, whose cards are all public ones."""
        return float(np.dot(ranges[0], self.form.mass_of_others(ranges, 0, cards)))

    def _public_cards(
        self, at: BettingNode, board: str | None, *, dealt: bool = True
    ) -> tuple[int, ...]:
        """Return the public cards at a node: those of the start, then the others street by street.

        Where the last card was not yet ``dealt``, those before it.
        """
        start = self.game.board
        first = self.game.tree.rules.street
        public = () if board is None else parse_cards(board, "board", names=self.game.cards)
        if set(public[: len(start)]) == set(start):
            cards_dealt = public[len(start) :]
        else:
            cards_dealt = public
        num_dealt = at.street - first - (not dealt)
        if len(cards_dealt) == num_dealt and not set(cards_dealt) & set(start):
            return (*start, *cards_dealt)
        shown_text = cards_text(start, self.game.cards)
        if num_dealt:
            expected = f"{shown_text} and {num_dealt} more card{'s' * (num_dealt > 1)}"
        else:
            expected = shown_text
        received = "none" if board is None else repr(board)
        place_text = f"{after_line(at.line.strip(' |'))} it is the {STREETS[at.street]}"
        raise GameError(
            f"board: {place_text}, so the board is {expected}; got {received}.", wrong_use=True
        )

    def _steps(self, line: str) -> list[Step]:
        return [Step(self._nodes[node.line], action) for node, action in self.game.tree.path(line)]

    def _ranges(self, steps: Sequence[Step], cards: tuple[int, ...]) -> Ranges:
        return ranges_at(self.form, self.weights, steps, cards)

    def _street(self, at: BettingNode, cards: tuple[int, ...]) -> _Street:
        line_before = _line_before_street(at)
        return self._kept_streets.get(
            (line_before, cards), lambda: self._value_street(line_before, cards)
        )

    def _value_street(self, line_before: str, cards: tuple[int, ...]) -> _Street:
        if self.streets < len(self.form.betting.streets):
            return self._unvalued_street(line_before, cards)
        part = Subgame(self.form, self.weights)
        if line_before:
            place = find_board(self.form, cards)
            part = subgame(
                self.form, self.weights, self.game.tree.find(line_before), line_before, place, cards
            )
        values = part.values(self._ranges(self._steps(line_before), cards), threads=self.threads)
        nodes = {node.line: node for node in part.form.betting.streets[0].decisions}
        return _Street(part.shift, values, nodes)

    def _unvalued_street(self, line_before: str, cards: tuple[int, ...]) -> _Street:
        """Return a street whose values nobody knows, for the strategy has not the streets after it."""
        street = self.form.betting.streets[len(cards) - len(self.game.board)]
        rows = [
            np.full((count, len(hands)), np.nan)
            for count, hands in zip(street.rows, self.game.hands, strict=True)
        ]
        nodes = [
            node for node in street.decisions if node.line.rpartition("|")[0].strip() == line_before
        ]
        values = StreetValues((rows[0], rows[1]), (rows[0], rows[1]))
        return _Street(
            self.form.arrays.betting.shift,
            values,
            {_line_on_street(node.line): node for node in nodes},
        )

    def _node(
        self, at: BettingNode, steps: Sequence[Step], cards: tuple[int, ...], street: _Street
    ) -> SpotNode:
        """Return the numbers of a node from the values of its street and the showdown of its board."""
        node = self._nodes[at.line]
        player = node.player
        ranges = self._ranges(steps, cards)
        reach = self._reach_on_board(ranges, cards)
        masses = compatible_masses(self.form, ranges, cards)
        showdown = self._kept_showdowns.get(cards, lambda: self.game.showdown_on(cards))
        showdown_sums = showdown(ranges)
        strategy = node_strategy(self.form, self.weights, node, find_board(self.form, cards))
        first = street.nodes[_line_on_street(at.line)].first
        action_values = street.values.value[player][first : first + len(node.actions)]
        rows = [0, 0]
        for earlier_node, action in steps:
            if earlier_node.street == node.street:
                rows[earlier_node.player] = (
                    street.nodes[_line_on_street(earlier_node.line)].first + action
                )
        sums = [values[row] for values, row in zip(street.values.value, rows, strict=True)]
        sums[player] = (strategy * action_values).sum(axis=0)
        chips_won = [
            shift + paid
            for shift, paid in zip(
                street.shift, self.game.paid(self.game.tree.find(at.line)), strict=True
            )
        ]
        rules = self.game.tree.rules
        return NODES[self.game.hole_cards](
            line=at.line.strip(" |"),
            board=cards_text(cards, self.game.cards),
            player=player,
            actions=node.actions,
            pot=rules.pot + sum(at.paid),
            stacks=(rules.stack - at.paid[0], rules.stack - at.paid[1]),
            hands=self.game.hands,
            ranges=ranges,
            probabilities=(
                normalise_weights(ranges[0] * masses[0]),
                normalise_weights(ranges[1] * masses[1]),
            ),
            ev=(sums[0] / masses[0] + chips_won[0], sums[1] / masses[1] + chips_won[1]),
            equity=(showdown_sums[0] / masses[0], showdown_sums[1] / masses[1]),
            strategy=strategy,
            action_ev=action_values / masses[player] + chips_won[player],
            after=self.game.settings["after"] or "",
            deck=self.game.deck,
            in_chips=self.game.in_chips,
            folded=self.folded,
            reach=reach,
            off_path=off_path_note(self.promise, "of the time on this board")
            if is_rare(reach)
            else "",
        )


def compatible_masses(form: CardForm, ranges: Ranges, cards: Sequence[int]) -> Ranges:
    """Return, for each hand of each player, the weight of the other's hands that go with it; NaN where it is none.

    ``cards`` are all public ones.
    """
    both = []
    for player in range(2):
        mass = form.mass_of_others(ranges, player, cards)
        both.append(np.where(mass > NOBODY, mass, np.nan))
    return both[0], both[1]


def has_three_ranges(solution: Any, game: Any = None) -> bool:
    """Return whether a solution is one of three ranges, or a strategy is to be looked at as one."""
    if game is not None:
        return isinstance(load(game), ThreeRanges)
    strategy = getattr(solution, "strategy", solution)
    return isinstance(_find_game(strategy), ThreeRanges)


def _line_before_street(at: BettingNode) -> str:
    return at.line.rpartition("|")[0].strip()


def _line_on_street(line: str) -> str:
    return line.rpartition("|")[2].strip()


def has_grid(strategy: Any) -> bool:
    """Return whether a strategy is one of a spot whose hands make a grid, and knows its card form."""
    game = _find_game(strategy)
    return is_spot(game) and game.has_grid


def has_decisions(strategy: Any) -> bool:
    """Return whether a strategy is one of a spot of hold'em or Omaha and knows its card form: :class:`SolvedSpot`."""
    return is_spot(_find_game(strategy))


def _find_game(strategy: Any) -> Any:
    return getattr(getattr(strategy, "form", None), "game", None)


def _find_form(strategy: Any, game: Any) -> CardForm:
    form = getattr(strategy, "form", None)
    if form is None:
        rules = None if game is None else load(game)
        if not is_spot(rules):
            raise GameError(
                f"A spot of hold'em is needed, as game='spot.toml'; got {game!r}.", wrong_use=True
            )
        return compile_cards(rules)
    if not has_decisions(strategy):
        raise GameError(
            f"{form.name} is no spot of hold'em; solve a file.toml or 'holdem(board=…)'.",
            wrong_use=True,
        )
    return cast("CardForm", form)
