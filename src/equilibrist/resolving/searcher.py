"""Search: a strategy that solves again, safely, the parts of the game to which play comes, and remembers them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from .._util.arrays import Ints
from ..errors import GameError, SolutionError
from ..form.cards.ranged_subgame import follow_line
from ..form.cards.subgame import find_board, node_strategy
from ..form.gadget import ResolvingMethod, find_method
from ..form.sequence.form import SequenceForm
from ..form.sequence.part import SequencePart
from ..form.sequence.tree import NO_INFOSET, ROOT, GameTree, levels
from ..form.traits import check_two_ranges
from ..game.card_places import Cards, public_cards, split_by_street
from ..game.protocol import CHANCE
from ..games.compile import compile_any
from ..solving.solution import Solution
from ..solving.sources import AnySource, find_game, read_at_slots, read_strategy
from ..strategy.by_name import Key
from ..strategy.strategy import Strategy
from .cards import splice_cards
from .depth import DepthLimit
from .resolve import check_options, check_zero_sum, resolve, resolve_in_sequence_form, two_players
from .splice import splice_strategies

_MOST_PARTS = 2_000  # of a card form whose strategy is written down
EVERY = ("street", "decision")


class Search(NamedTuple):
    """What a searcher did at a public state to which play came.

    Attributes
    ----------
    player : int
        Who was solved again.
    line : str
        Where the part begins, as for :func:`equilibrist.resolve`: the actions before, or the name
        of an infoset there.
    board : str
        Public cards there, of card forms.
    method : str
        How it was solved again.
    seconds : float
        How long that took.
    exploitability : float or None
        That of the part with what the other decides above it. None: nothing was solved.
    excess : float or None
        By how much the opponent's best response may gain; payoff per game.
    reason : str
        Why nothing was solved, and what is played as before.
    """

    player: int
    line: str
    board: str
    method: str
    seconds: float
    exploitability: float | None = None
    excess: float | None = None
    reason: str = ""

    @classmethod
    def of(
        cls,
        player: int,
        line: str,
        board: str,
        method: str,
        start_time: float,
        result: Solution | Exception,
        scale: float = 1.0,
    ) -> Search:
        """Return the record of a part, or of why there is none; ``start_time`` is by ``time.perf_counter``.

        ``scale`` is the probability of chance and the player to come to the part above, which the
        excess is within.
        """
        start = cls(player, line, board, method, time.perf_counter() - start_time)
        if isinstance(result, Exception):
            return start._replace(reason=str(result))
        assert result.part is not None
        return start._replace(
            exploitability=result.exploitability, excess=scale * result.part.excess
        )

    @property
    def sentence(self) -> str:
        place = f"{self.line or 'the deal'}{self.board and f' on {self.board}'}"
        if self.excess is None:
            return f"Not solved again at {place}: {self.reason}"
        return (
            f"Solved again at {place} by {self.method} in {self.seconds:.2g} s: exploitability "
            f"of the part {self.exploitability:.2g}, excess {self.excess:.2g}."
        )


class _Parts(Protocol):
    """The parts of a game that were solved again, by where they begin."""

    name: str

    def row(self, key: Key, actions: Sequence[str], game: str) -> list[float]: ...
    def strategy(self) -> Strategy: ...


class Searcher:
    """A strategy that solves again, safely, the part of the game below each public state to which play comes.

    ``play`` and :func:`equilibrist.play_match` take it in the place of a strategy. A part is solved
    once, for the player who is asked, against the values of the blueprint with the earlier parts in
    it, and remembered. By a safe method each part raises the exploitability by at most its excess ÷
    2, in whatever order play comes to them: that of the whole is at most the blueprint's + the sum
    over ``log``.

    Parameters
    ----------
    blueprint : Strategy, Solution, mapping, or path
        What is played where nothing was solved again: a solution, the folder of a saved run, or a
        strategy and its ``game``.
    method : Refined, Resolve, MaxMargin, Reach, Unsafe, or one of these as text
        As for :func:`equilibrist.resolve`.
    seconds : float, optional
        Of CFR for each part, all of them unless ``until`` is reached before. Without any limit,
        parts of card forms stop at ``until="0.1%"`` of the pot there, and others are solved by
        linear programme.
    every : {"street", "decision"}, optional
        Where parts begin: where chance moves after a player's move, or at each decision of the
        player after the first move of a game. By default the former, and the latter in games that
        have no such move of chance. In card forms at each street after the first, else with a depth
        at each decision.
    depth, leaves : optional
        As for :func:`equilibrist.resolve`: how far each part goes, and what it is worth there.
    game : optional
        The rules, where the blueprint does not know them by a name.
    **options
        Further ones of :func:`equilibrist.solve`, such as ``until`` and ``algorithm``.

    Attributes
    ----------
    log : list of named tuples
        What was done, in order: ``player``, ``line``, ``board``, ``method``, ``seconds``, and of
        what was solved ``exploitability`` and ``excess``. Where nothing was, both are None,
        ``reason`` says why, and the player goes on with what was there before.

    Raises
    ------
    GameError
        A setting makes no sense, or the game is not one of two players whose payoffs sum to a
        constant.
    SolutionError
        The blueprint cannot be read, lacks infosets, or has not all streets.

    Examples
    --------
    >>> import equilibrist as eq
    >>> blueprint = eq.solve("kuhn", iterations=5)
    >>> searcher = eq.Searcher(blueprint)
    >>> searcher.probabilities_at((1, "Qp"), ("p", "b")) != list(blueprint.strategy["Qp"].values())
    True
    >>> [(record.line, record.excess < 1e-9) for record in searcher.log]
    [('Qp', True)]
    >>> eq.evaluate("kuhn", searcher.strategy()).exploitability < blueprint.exploitability
    True
    """

    def __init__(
        self,
        blueprint: AnySource,
        *,
        method: str | ResolvingMethod = "refined",
        seconds: float | None = None,
        every: str | None = None,
        depth: int | str | None = None,
        leaves: Any = None,
        game: Any = None,
        **options: Any,
    ) -> None:
        limit = DepthLimit.read(depth, leaves, player=0)  # whoever decides is solved again
        resolving_method = find_method(method)
        if every not in (*EVERY, None):
            raise GameError(f"every must be 'street' or 'decision'; got {every!r}.", wrong_use=True)
        if seconds is not None:
            options["seconds"] = seconds
        check_options(options)
        self.log: list[Search] = []
        source = read_strategy(blueprint, game)
        self._parts: _Parts
        if isinstance(source, Solution) and source.strategy.slots is not None:
            check_two_ranges(source.strategy.slots.form, "opponents who search are")
            self._parts = _CardParts(
                self.log,
                source,
                resolving_method,
                every,
                options | {"depth": depth, "leaves": leaves},
            )
        else:
            check_options(options, exact=not callable(leaves))
            # Where the last part ends the next must begin.
            every = every or (None if limit is None else "decision")
            self._parts = _SequenceParts(
                self.log, source, resolving_method, every, game, options, limit
            )

    def __repr__(self) -> str:
        num_solved = sum(record.excess is not None for record in self.log)
        return f"<Searcher on {self._parts.name}: {num_solved} part{'s' * (num_solved != 1)} solved again>"

    def probabilities_at(self, key: Key, actions: Sequence[str], game: str = "") -> list[float]:
        """Return the probability of each action at an infoset, (player, name).

        Parts on the way there that are not solved again yet are solved first.

        Raises
        ------
        SolutionError
            The game has no such infoset.
        """
        return self._parts.row(key, actions, game or self._parts.name)

    def strategy(self) -> Strategy:
        """Return the strategy that is played at all infosets, for :func:`equilibrist.evaluate`: solve all parts.

        Raises
        ------
        SolutionError
            The blueprint is one of a card form of more than two streets, or has too many boards.
        """
        return self._parts.strategy()


def _no_infoset_error(key: Key, name: str) -> SolutionError:
    return SolutionError(
        f"Player {key[0]} has no infoset {key[1]!r} in {name}, the game of this searcher."
    )


class _SequenceParts:
    """Parts of a sequence form; of each player a strategy in which those that were solved again are spliced."""

    def __init__(
        self,
        log: list[Search],
        source: AnySource,
        method: ResolvingMethod,
        every: str | None,
        game: Any,
        options: dict[str, Any],
        limit: DepthLimit | None,
    ) -> None:
        self.log = log
        self._method = method
        self._options = options
        self._limit = limit
        if game is None and not isinstance(source, Solution):
            raise GameError(
                "game: the rules are needed beside a strategy; got None.", wrong_use=True
            )
        if isinstance(source, Solution):
            rules = find_game(source, game)
        else:
            rules = game
        self._form = form = cast(
            "SequenceForm", compile_any(rules, form="sequence", keep_tree=True, check=two_players)
        )
        check_zero_sum(form)
        self._tree = cast("GameTree", form.tree)
        self.name = form.name
        blueprint = Strategy.from_form(form, read_at_slots(source, form))
        self._strategies = [blueprint, blueprint]
        self._number = {(infoset.player, infoset.key): i for i, infoset in enumerate(form.infosets)}
        # Infosets at which parts begin that were looked at.
        self._searched_infosets: tuple[set[int], set[int]] = (set(), set())
        self._begins_part = self._part_begins(every)

    def _part_begins(self, every: str | None) -> tuple[Any, Any]:
        """Return, for each player, whether a part begins at a history."""
        tree = self._tree
        has_moved = np.zeros(self._tree.histories, bool)
        for level in levels(tree):
            parent = tree.parent[level]
            has_moved[level] = has_moved[parent] | (tree.infoset[parent] != NO_INFOSET)
        decides = has_moved & (tree.infoset != NO_INFOSET)
        streets = decides & (tree.player[tree.parent] == CHANCE)
        if every == "street" and not streets.any():
            raise GameError(
                f"every='street': in {self.name} chance moves only before the players do; use "
                "every='decision'.",
                wrong_use=True,
            )
        if every == "decision" or not streets.any():
            return decides & (tree.player == 0), decides & (tree.player == 1)
        return streets, streets

    def row(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        if key not in self._number:
            raise _no_infoset_error(key, self.name)
        self._search(key[0], int(self._histories[self._number[key]]))
        return cast("list[float]", self._strategies[key[0]].probabilities_at(key, actions, game))

    def strategy(self) -> Strategy:
        for (player, _), number in self._number.items():
            self._search(player, int(self._histories[number]))
        return splice_strategies(self._strategies[0], [(self._strategies[1], (1,))])

    @cached_property
    def _histories(self) -> Ints:
        """The first history of each infoset; parts have all of its histories or none."""
        first_histories = np.unique(self._tree.infoset, return_index=True)[1]
        return np.asarray(first_histories[: len(self._number)])

    def _search(self, player: int, history: int) -> None:
        """Solve the parts on the way to a history, the first ones first."""
        path = []
        while history != ROOT:
            path.append(history)
            history = int(self._tree.parent[history])
        for history_above in reversed(path):
            begin = int(self._tree.infoset[history_above])
            if (
                self._begins_part[player][history_above]
                and begin not in self._searched_infosets[player]
            ):
                self._solve(player, begin)

    def _solve(self, player: int, begin: int) -> None:
        start_time = time.perf_counter()
        line = self._form.infosets[begin].key
        self._searched_infosets[player].add(begin)
        result: Solution | Exception
        try:
            part = SequencePart(self._form, line, player)
            self._searched_infosets[player].update(self._tree.infoset[part.roots].tolist())
            strategy = self._strategies[player]
            result = resolve_in_sequence_form(
                strategy, part, line, self._method, player, self._options, self._limit
            )
            self._strategies[player] = splice_strategies(strategy, [(result.strategy, (player,))])
        except (GameError, SolutionError) as error:
            # An infoset lies partly elsewhere, or the player never comes there.
            result = error
        self.log.append(Search.of(player, line, "", self._method.name, start_time, result))


class _PartInPlay(NamedTuple):
    """What is played from a street on: a part that was solved again, or the blueprint from the first street on.

    Attributes
    ----------
    solution : Solution
        The part, or the blueprint.
    street : int
        The first street of the part.
    scale : float
        Probability of chance and the player to come there.
    """

    solution: Solution
    street: int
    scale: float


class _CardParts:
    """Parts of a card form, which begin with its streets; a later one is solved against the earlier one on the way."""

    def __init__(
        self,
        log: list[Search],
        source: Solution,
        method: ResolvingMethod,
        every: str | None,
        options: dict[str, Any],
    ) -> None:
        self.log = log
        self._method = method
        self._options = options
        slots = source.strategy.slots
        assert slots is not None
        self._form = slots.form
        self.name = slots.form.name
        check_zero_sum(self._form)
        if every == "decision":
            raise GameError(
                "every='decision': in card forms a searcher solves again at each street; leave "
                "every out.",
                wrong_use=True,
            )
        if self._form.num_streets == 1:
            raise GameError(
                f"{self.name} is a single street, and parts begin with the streets after the "
                "first: solve it further.",
                wrong_use=True,
            )
        if not slots.is_whole:
            raise SolutionError(
                f"The strategy has not all streets of {self.name}, and a player is solved again "
                "against the values of a whole one: save all streets.",
                wrong_use=True,
            )
        self._blueprint = _PartInPlay(source, 0, 1.0)
        self._part_of_place: dict[tuple[int, str, Any], _PartInPlay] = {}

    def row(self, key: Key, actions: Sequence[str], game: str) -> list[float]:
        (player, name) = key
        rules = self._form.game
        hands = list(rules.hands[player])
        hand = max(
            (candidate for candidate in hands if f"{name} ".startswith(f"{candidate} ")),
            key=len,
            default=None,
        )
        if hand is None:
            raise _no_infoset_error(key, self.name)
        line = name[len(hand) + 1 :]
        board_text = ""
        if len(rules.board) + sum(rules.streets[: line.count("|")]):
            board_text, _, line = line.partition(" ")
        streets = line.split("|")
        board = public_cards(rules, board_text, len(streets) - 1)
        part = self._blueprint
        for street in range(1, len(streets)):
            cards = board[: len(rules.board) + sum(rules.streets[:street])]
            line_above = "|".join(streets[:street]).strip()
            part = self._find_part(
                player, part, line_above, "|".join(streets[part.street : street]), cards
            )
        slots = part.solution.strategy.slots
        assert slots is not None
        full_line = follow_line(slots.form, "|".join(streets[part.street :]))[-1]
        node = next(node for node in slots.form.betting.nodes if node.line == full_line)
        strategy = node_strategy(slots.form, slots.weights, node, find_board(slots.form, board))[
            :, hands.index(hand)
        ]
        probabilities: list[float] = strategy.tolist()
        return probabilities

    def _find_part(
        self, player: int, part_above: _PartInPlay, line: str, line_below: str, cards: Cards
    ) -> _PartInPlay:
        """Return what is played on a line, solved again where it is not yet."""
        place = player, line, split_by_street(self._form.game, cards)
        if place not in self._part_of_place:
            self._part_of_place[place] = self._solve(player, part_above, line, line_below, cards)
        return self._part_of_place[place]

    def _solve(
        self, player: int, part_above: _PartInPlay, line: str, line_below: str, cards: Cards
    ) -> _PartInPlay:
        """Solve what follows on a line again; ``line_below`` is that line from the part above on."""
        start_time = time.perf_counter()
        board = "".join(self._form.game.cards[card] for card in cards)
        result: Solution | Exception
        try:
            result = resolve(
                part_above.solution,
                line_below,
                cards,
                method=self._method,
                player=player,
                **self._options,
            )
        except (GameError, SolutionError) as error:  # no two hands come there
            result = error
        self.log.append(
            Search.of(player, line, board, self._method.name, start_time, result, part_above.scale)
        )
        if isinstance(result, Exception):
            return part_above
        part = result.part
        assert part is not None
        if part.continued is not None:
            result = replace(result, strategy=part.continued)
        return _PartInPlay(result, line.count("|") + 1, part_above.scale * float(part.weight.sum()))

    def strategy(self) -> Strategy:
        form = self._form
        lines = dict.fromkeys(
            node.line.rpartition("|")[0] for node in form.betting.streets[1].decisions
        )
        places = [(line.strip(), board) for line in lines for board in form.boards.streets[1]]
        if form.num_streets > 2 or 2 * len(places) > _MOST_PARTS:
            raise SolutionError(
                f"A searcher on {self.name} has too many boards to solve all of them again: "
                "splice single parts (eq.resolve, eq.splice) and certify these.",
                wrong_use=True,
            )
        strategy = self._blueprint.solution.strategy
        for player in range(2):
            for line, board in places:
                part = self._find_part(player, self._blueprint, line, line, board.cards)
                if part is not self._blueprint:
                    strategy = splice_cards(strategy, part.solution.strategy, line, (player,))
        return strategy
