"""Re-solve: solve what follows on a line and a board again, with the ranges that a solution brings there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._util.arrays import Floats
from ..errors import GameError, SolutionError
from ..form.cards.betting import Node
from ..form.cards.form import CardForm
from ..form.cards.subgame import find_board, shares
from ..game.card_game import Pair, ShowdownPayoffs
from ..game.card_subgame import CardSubgame
from ..game.deal import Deal
from ..game.protocol import CHANCE, TERMINAL
from ..strategy.slots import SlotStrategy
from .solution import Solution
from .solve import solve
from .sources import AnyRun, read_run

_LIMITS = ("iterations", "until", "seconds", "nodes", "stop")
_USUAL = "0.1%"  # of the pot


class Resolved(CardSubgame):
    """The part of a card game that follows on a line and a board, with the ranges that a strategy brings there.

    Payoffs are what is received in the end less what is put in from here on, where the game says what was paid before.

    Parameters
    ----------
    game : CardGame
        The whole game.
    state : hashable
        The betting state at the start.
    board : sequence of int
        All cards that are public there.
    ranges : pair of float64 arrays
        Weight × own reach of each hand of the game.
    line : str
        The actions before, for the name.
    """

    def __init__(
        self, game: Any, state: Any, board: Sequence[int], ranges: tuple[Floats, Floats], *, line: str
    ) -> None:
        super().__init__(game, state, board)
        self._deal = Deal(game.deal.hands, ranges, cards=game.deal.cards)
        self._paid: Pair = game.paid(state) if hasattr(game, "paid") else (0.0, 0.0)
        self.line = line
        self.symmetries = game.symmetries  # the compiler drops those under which board or ranges are others
        known = hasattr(game, "pot") and hasattr(game, "paid")
        self.pot: float | None = game.pot + sum(self._paid) if known else None

    def __str__(self) -> str:
        shown = "".join(self.cards[card] for card in self.board)
        return f"re-solve of {self.game} after {self.line or 'the deal'} on {shown or 'no cards'}"

    @property
    def deal(self) -> Deal:
        """The hands, with the ranges as weights."""
        return self._deal

    def payoff(self, state: Any) -> Pair | ShowdownPayoffs:
        """Return what both players receive at an end less what they put in since the start of this part."""
        given = self.game.payoff(state)
        one, other = self._paid
        if isinstance(given, ShowdownPayoffs):
            return ShowdownPayoffs(*((pair[0] + one, pair[1] + other) for pair in given))
        return given[0] + one, given[1] + other


def resolve(
    run: AnyRun,
    line: str = "",
    board: str | Sequence[int] = (),
    *,
    game: Any = None,
    trust: bool = False,
    **options: Any,
) -> Solution:
    """Return the solution of what follows on a line and a board of a card game, solved again by itself.

    Both players come with the ranges that they have there in the solution: the weight of each hand × the probability
    that its player takes the actions of the line. The rest of the betting is that of the game. So a run can be saved
    without its last street (``save_streets``), and that street be solved again where it is looked at.

    Parameters
    ----------
    run : Solution or path
        A run on a card game in the card form, or the folder where it was saved.
    line : str
        The actions before, streets separated by ``|``: ``"X-B120-C | X-X"``. Where it ends a street, the next one
        begins with its cards on the board.
    board : str or sequence of int
        All public cards there, ``"QsJh2h7c"``, or those that were dealt since the start.
    game : optional
        As for :func:`equilibrist.load_solution`.
    trust : bool
        As for :func:`equilibrist.load_solution`.
    **options
        Those of :func:`equilibrist.solve`; without any limit, ``until="0.1%"`` of the pot there.

    Returns
    -------
    Solution
        Of the part as a game of its own: infosets are named by the line from there on, payoffs are counted from there,
        and the certificate says how far its strategy is from an equilibrium between these two ranges. It says nothing
        of the whole game: a player who had played otherwise before would come with another range.

    Raises
    ------
    SolutionError
        The run is none of a card form, does not have the streets of the line, or never gets there.
    GameError
        There is no such line or no such board.

    Examples
    --------
    >>> import equilibrist as eq
    >>> turn = "holdem(board='Td9d6hQc', oop='AA,QJs,T8s', ip='KK,JTs,98s', pot=100, stack=200, bets='100%, a; a')"
    >>> solution = eq.solve(turn, iterations=200)
    >>> river = eq.resolve(solution, "X-X", "2s", until="0.5%")
    >>> river.exploitability_percent <= 0.5
    True
    >>> round(sum(river.value))
    100
    """
    solution = read_run(run, game, trust=trust)
    strategy = solution.strategy
    if not isinstance(strategy, SlotStrategy):
        raise SolutionError(
            f"{solution.game} was not solved in the card form, whose lines and boards are solved again; solve a card "
            "game with form='cards'.",
            wrong_use=True,
        )
    part = _part(strategy, line, board)
    if all(options.get(name) is None for name in _LIMITS) and part.pot is not None:
        options["until"] = _USUAL
    return solve(part, **options)


def _part(strategy: SlotStrategy, line: str, board: str | Sequence[int]) -> Resolved:
    """Return the part of the game, with the ranges that the strategy brings there."""
    form = strategy.form
    if form.locks is not None:
        raise SolutionError(f"{form.name} has locks, which a part that is solved again would not keep.", wrong_use=True)
    state, steps, streets = _follow(form, line)
    cards = _cards(form, board, streets)
    first = next((node for node, _ in steps if node.street >= strategy.streets), None)
    if first is not None:
        raise SolutionError(
            f"The strategy has the first {strategy.streets} of the {form.num_streets} streets of {form.name}, and the "
            f"line {line!r} goes on after them: end it with {first.line.rpartition('|')[0].strip()!r}.",
            wrong_use=True,
        )
    ranges = [
        np.where([not set(cards).isdisjoint(hand) for hand in hands], 0.0, weights)
        for hands, weights in zip(form.game.deal.hands, form.game.deal.weights, strict=True)
    ]
    for node, action in steps:
        place = find_board(form, cards[: len(form.game.board) + sum(form.game.streets[: node.street])])
        ranges[node.player] = ranges[node.player] * np.nan_to_num(shares(form, strategy.weights, node, place)[action])
    try:
        return Resolved(form.game, state, cards, (ranges[0], ranges[1]), line=line.strip(" |"))
    except GameError:
        raise SolutionError(
            f"No two hands get to {line!r} on this board under the strategy of {form.name}; give another line.",
            wrong_use=True,
        ) from None


def _follow(form: CardForm, line: str) -> tuple[Any, list[tuple[Node, int]], int]:
    """Return the betting state after a line, the decisions and actions on the way, and the streets dealt."""
    game, known = (
        form.game,
        {node.line: node for street in form.betting.streets for own in street.nodes for node in own},
    )
    tokens = [token for token in re.split(r"[\s|>-]+", line) if token]
    state, steps, streets, so_far = game.start(), [], 0, ""
    for token in [*tokens, None]:
        while game.player(state) == CHANCE:
            state, streets, so_far = game.next(state, None), streets + 1, f"{so_far} |"
        if game.player(state) == TERMINAL:
            raise GameError(f"line: the hand is over after {so_far.strip(' |')!r}; got {line!r}.", wrong_use=True)
        if token is not None:
            node = known[so_far]
            names = [name.upper() for name in node.actions]
            if token.upper() not in names:
                there = f"after {so_far.strip(' |') or 'the deal'} there are {', '.join(node.actions)}"
                raise GameError(f"line: {there}; got {token!r} in {line!r}.", wrong_use=True)
            number = names.index(token.upper())
            steps.append((node, number))
            state = game.next(state, game.actions(state)[number])
            joint = "" if not so_far else " " if so_far.endswith("|") else "-"
            so_far = f"{so_far}{joint}{node.actions[number]}"
    return state, steps, streets


def _cards(form: CardForm, board: str | Sequence[int], streets: int) -> tuple[int, ...]:
    """Return all public cards where so many streets were dealt."""
    game, names = form.game, list(form.game.cards)
    if isinstance(board, str):
        each = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        found = re.findall(each, board)
        given = [names.index(name) for name in found]
        if re.sub(rf"{each}|[\s,]", "", board):
            raise GameError(f"board: cards are {names[0]} to {names[-1]}; got {board!r}.", wrong_use=True)
    else:
        given = [int(card) for card in board]
    start, need = tuple(game.board), sum(game.streets[:streets])
    later = given[len(start) :] if set(given[: len(start)]) == set(start) else given
    cards = (*start, *later)
    if len(later) != need or len(set(cards)) < len(cards) or not set(cards) <= set(range(len(names))):
        shown = "".join(names[card] for card in start)
        raise GameError(
            f"board: after this line there are {need} more cards than {shown or 'none'}, all different; got {board!r}.",
            wrong_use=True,
        )
    return cards
