"""A solved spot of three ranges, to be looked at decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..._util.arrays import Floats, Ints
from ..._util.recent import Recent
from ...errors import GameError
from ...evaluation.off_path import MARK, is_rare
from ...evaluation.units import CHIPS, Unit
from ...form.ranges.decision_values import (
    DecisionValues,
    mass_of_hands,
    reach_decision,
    reached_hands,
    value_decision,
)
from ...form.ranges.form import RangeForm
from ...form.ranges.game import PLAYERS
from ...games.load import load
from ...show.blocks import Column, Table
from ...strategy.convert import strategy_for
from ..cards.cards import cards_text, parse_cards
from ..spot.bet_sizes import STREETS
from ..spot.lines import after_line
from ..spot.three_ranges import ThreeRanges
from .spot_node import SpotNode

_SHARE = ".2%"
_EV = ".4f"
_DECISIONS_KEPT = 64
_OFF_PATH = f"{MARK} reached at most 0.1% of the time on this board: nothing is promised there."


class SolvedThree:
    """A strategy of a spot of three ranges, to be looked at decision by decision.

    Parameters
    ----------
    solution : Solution or Strategy
        What :func:`equilibrist.solve` returns for such a spot, or its strategy.
    game : str, path or spot, optional
        The spot, as for :func:`equilibrist.load`, where a strategy does not know it.
    threads : int
        Passed over: one decision takes one thread.
    missing : {None, "uniform"}
        Whether infosets that a strategy lacks are an error or played uniformly.

    Raises
    ------
    GameError
        The game has no three ranges.

    Notes
    -----
    Boards and hands that were solved as one, because they differ by suits alone, are told apart here.
    """

    def __init__(
        self, solution: Any, game: Any = None, *, threads: int = 1, missing: str | None = None
    ) -> None:
        strategy = getattr(solution, "strategy", solution)
        compiled = _find_form(strategy, game if game is not None else solution)
        self.game: ThreeRanges = compiled.game
        fitting = strategy_for(strategy, compiled)
        form: Any = fitting.form_for(compiled)
        self.form: RangeForm = form
        self.weights = fitting.weights_at(self.form, missing=missing)
        self.strategy = self.form.average_from_sums(self.weights)
        self.reach = self.form.reach(self.strategy)
        self.streets = self.form.num_streets
        self._decisions = {
            self.form.decisions[number].node: number for number in range(len(self.form.decisions))
        }
        self._kept = Recent[DecisionValues](_DECISIONS_KEPT)

    def node(self, line: str = "", board: str | None = None, *, keep: bool = True) -> SpotNode:
        """Return what is known of a decision.

        Parameters
        ----------
        line : str
            The actions before, ``"X-B20-C | X"``.
        board : str, optional
            All public cards there, or those that were dealt since the start; needed once a street
            was dealt.
        keep : bool
            Whether what was computed is kept for another look.

        Raises
        ------
        GameError
            There is no such line, it leads to no decision, or the board does not belong to it.
        """
        at, number = self._find_decision(line)
        dealt = self._dealt_cards(at, board)
        place, permutation = self._find_board(dealt)

        def value() -> DecisionValues:
            return value_decision(self.form, self.strategy, self.reach, number, place)

        values = self._kept.get((number, place), value) if keep else value()
        return self._make_node(at, number, place, permutation, dealt, values)

    def mix(self, line: str, board: str, hand: str) -> Floats:
        """Return the probability of each action that a hand of who decides takes.

        Raises
        ------
        GameError
            There is no such line, board or hand.
        """
        at, number = self._find_decision(line)
        place, permutation = self._find_board(self._dealt_cards(at, board))
        which = self._class_of(at, place, permutation, hand)
        return np.asarray(self.strategy[self.form.slots_of(number, place)[:, which]])

    def best_action_values(self, line: str, board: str, hand: str) -> Floats | None:
        """Return the value of each action of who decides, with the best response to the strategy afterwards; payoff.

        None where the others never come here with hands that go with this one.

        Raises
        ------
        GameError
            There is no such line, board or hand.
        """
        at, number = self._find_decision(line)
        place, permutation = self._find_board(self._dealt_cards(at, board))
        which = self._class_of(at, place, permutation, hand)
        mass = mass_of_hands(self.form, self.reach, number, place)[which]
        if not mass > 0:
            return None
        values = self._best_values[self.form.slots_of(number, place)[:, which]]
        return np.asarray(values / mass - at.paid[at.player])

    @cached_property
    def _best_values(self) -> Floats:
        """The counterfactual values at the slots, of who goes on with the best response."""
        return self.form.best_responses(self.strategy).best_value

    def reached(self, most: int) -> list[SpotNode]:
        """Return the decisions of the first street that are reached most, the first decision first, at most so many."""
        first = self.game.tree.rules.street
        lines = [
            node.line for node in self.game.tree.nodes if node.player >= 0 and node.street == first
        ]
        lines.sort(key=lambda line: -self.line_reach(line))
        return [self.node(line) for line in lines[:most]]

    def line_reach(self, line: str) -> float:
        """Return how often a line of the first street is followed."""
        _, number = self._find_decision(line)
        return reach_decision(self.form, self.reach, number, 0)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self.game.names

    @property
    def folded(self) -> str:
        """How many hands were folded before, and how exact their weights are, in words; empty where none was."""
        folded = self.game.folded
        return "" if folded is None else folded.describe()

    @property
    def hands(self) -> list[list[str]]:
        """The hands of each player at the start."""
        weights = self.form.range_game.weights
        return [self._names_of(np.flatnonzero(row)) for row in weights]

    def frequencies(self, line: str, board: str | None = None) -> Floats:
        """Return the probability of each action over the range of who decides; no values are computed.

        Raises
        ------
        GameError
            As for :meth:`node`.
        """
        at, number = self._find_decision(line)
        place, _ = self._find_board(self._dealt_cards(at, board))
        reached = reached_hands(self.form, self.reach, number, place)
        strategy = self.strategy[self.form.slots_of(number, place)]
        return np.asarray(strategy @ reached / max(float(reached.sum()), 1e-300))

    def run_outs(self, line: str, board: str | None = None) -> list[tuple[str, ...]]:
        """Return the cards that may come after a line that ends a street; those that are alike by suits together.

        Raises
        ------
        GameError
            No card comes there before somebody decides, or there is no such line or board.
        """
        tree = self.game.tree
        at = tree.nodes[tree.find(line)]
        if at.player < 0 or not at.line.endswith("|"):
            raise GameError(
                f"line: no card is dealt {after_line(line)} before somebody decides; give a line "
                "that ends a street.",
                wrong_use=True,
            )
        before = at._replace(street=at.street - 1, line=at.line.rstrip("| "))
        dealt = self._dealt_cards(before, board)
        gone = {*self.game.board, *dealt}
        alike: dict[int, list[str]] = {}
        for card in range(len(self.game.cards)):
            if card not in gone:
                place, _ = self._find_board((*dealt, card))
                alike.setdefault(place, []).append(self.game.cards[card])
        return [tuple(cards) for cards in alike.values()]

    def deal_weight(self, node: SpotNode) -> float:
        """Return the weight of the deals that come to a decision, up to what all boards have in common."""
        at, number = self._find_decision(node.line)
        place, _ = self._find_board(self._dealt_cards(at, node.board))
        reach = reach_decision(self.form, self.reach, number, place)
        return reach / float(self.form.boards.copies[place])

    def _find_decision(self, line: str) -> tuple[Any, int]:
        """Return the node of a line at which somebody decides, and the number of the decision."""
        tree = self.game.tree
        index = tree.find(line)
        at: Any = tree.nodes[index]
        if at.player < 0:
            raise GameError(
                f"line: the hand is over {after_line(line)} ({tree.result(at)}); give a line after "
                "which somebody decides.",
                wrong_use=True,
            )
        return at, self._decisions[index]

    def _dealt_cards(self, at: Any, board: str | None) -> tuple[int, ...]:
        """Return the cards that have been dealt since the start at a node, or refuse a board that is none of it."""
        start = self.game.board
        count = at.street - self.game.tree.rules.street
        cards: tuple[int, ...] = ()
        if board:
            cards = tuple(parse_cards(board, "board", names=self.game.cards))
        if set(cards[: len(start)]) == set(start):
            cards = cards[len(start) :]
        if len(cards) == count and not set(cards) & set(start):
            return cards
        expected = cards_text(start, self.game.cards)
        if count:
            expected += f" and {count} more card{'s' * (count > 1)}"
        received = repr(board) if board else "none"
        raise GameError(
            f"board: {after_line(at.line.strip(' |'))} it is the {STREETS[at.street]}, so the board "
            f"is {expected}; got {received}.",
            wrong_use=True,
        )

    def _find_board(self, dealt: Sequence[int]) -> tuple[int, Ints]:
        """Return the board that stands for dealt cards, and the permutation of the deck that leads there."""
        place_and_permutation = self.form.boards.find(dealt)
        assert place_and_permutation is not None  # all cards that are not at the start may be dealt
        return place_and_permutation

    def _hands_on(self, player: int, place: int, permutation: Ints) -> tuple[Ints, Ints]:
        """Return the hands that a player may have, and of each the number of what stands for it on the board."""
        images = self.form.boards.permute_hands(self.form.range_game, permutation)
        classes = self.form.boards.number[player][place][images]
        hands = np.flatnonzero(classes >= 0)
        return hands, classes[hands].astype(np.int64)

    def _class_of(self, at: Any, place: int, permutation: Ints, hand: str) -> int:
        """Return the number of what stands for a hand of who decides on a board, or refuse the hand."""
        hands, classes = self._hands_on(at.player, place, permutation)
        names = self._names_of(hands)
        if hand not in names:
            raise GameError(
                f"hand: {hand} is not in the range of {self.game.names[at.player]} there.",
                wrong_use=True,
            )
        return int(classes[names.index(hand)])

    def _names_of(self, hands: Ints) -> list[str]:
        names = self.form.range_game.hand_names
        return [names[hand] for hand in hands.tolist()]

    def _make_node(
        self,
        at: Any,
        number: int,
        place: int,
        permutation: Ints,
        dealt: Sequence[int],
        values: DecisionValues,
    ) -> SpotNode:
        game = self.game
        hands = []
        ranges = []
        probabilities = []
        evs = []
        equities = []
        strategy = np.zeros((0, 0))
        action_ev = np.zeros((0, 0))
        reach = 0.0
        for player, of_player in enumerate(values.players):
            numbers, classes = self._hands_on(player, place, permutation)
            mass = np.where(of_player.mass > 0, of_player.mass, np.nan)
            sizes = np.bincount(classes, minlength=len(mass))
            reached = of_player.own_reach * of_player.mass
            total = float(reached.sum())
            hands.append(self._names_of(numbers))
            weights = self.form.range_game.weights[player, numbers]
            ranges.append(weights * of_player.own_reach[classes])
            probabilities.append((reached / np.maximum(sizes, 1))[classes] / max(total, 1e-300))
            evs.append((of_player.value / mass)[classes])
            equities.append((of_player.equity / mass)[classes])
            if player == at.player:
                strategy = values.strategy[:, classes]
                action_ev = (values.action_value / mass)[:, classes]
                reach = total / values.dealt
        return SpotNode(
            line=at.line.strip(" |"),
            board=cards_text((*game.board, *dealt), game.cards),
            player=at.player,
            actions=at.actions,
            pot=game.pot + sum(at.paid),
            stacks=tuple(
                stack - paid for stack, paid in zip(game.tree.stacks, at.paid, strict=True)
            ),
            hands=tuple(hands),
            ranges=tuple(ranges),
            probabilities=tuple(probabilities),
            ev=tuple(evs),
            equity=tuple(equities),
            strategy=strategy,
            action_ev=action_ev,
            deck=game.deck,
            reach=reach,
            off_path=_OFF_PATH if is_rare(reach) else "",
            names=game.names,
            folded=self.folded,
        )


def _find_form(strategy: Any, source: Any) -> Any:
    """Return the form of three ranges that a strategy knows, or that of a game."""
    form = getattr(strategy, "form", None)
    if form is not None and isinstance(form.game, ThreeRanges):
        return form
    spot = load(getattr(source, "game", source))
    if not isinstance(spot, ThreeRanges):
        raise GameError(
            f"A spot of three ranges is needed, as game='spot.toml'; got {source!r}.",
            wrong_use=True,
        )
    return spot.compile_ranges()


def gains_table(solution: Any, spot: ThreeRanges, unit: Unit = CHIPS) -> Table:
    """Return the EV of each player, and what each gains by deviating alone."""
    gains = solution.deviation_gains or [np.nan] * len(PLAYERS)
    values = solution.value or [np.nan] * len(PLAYERS)
    return Table(
        [
            Column("", spot.names),
            Column(unit.heading(), [unit.ev(value, spot.pot) for value in values], _EV),
            Column("% of pot", [value / spot.pot for value in values], _SHARE),
            Column("gain by deviating", [unit.ev(gain, spot.pot) for gain in gains], ".4g"),
            Column("gain, % of pot", [gain / spot.pot for gain in gains], ".3%"),
        ],
        is_small=True,
    )
