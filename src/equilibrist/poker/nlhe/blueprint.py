"""Blueprints: what a run in buckets plays with real hands, on real boards, after real bets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from ..._util.arrays import Floats, Ints
from ..._util.display import Display
from ..._util.places import import_place
from ..._util.text import short_repr
from ...errors import GameError, SolutionError
from ...games.load import load
from ...play.local_best_response import LocalBestResponse
from ...play.match import Match
from ...solving.solution import Solution
from ..cards.cards import HANDS, parse_card, parse_hand
from .betting import (
    BIG_BLIND,
    BOARD_CARDS,
    CALL,
    FOLD,
    RAISE,
    STREETS,
    Action,
    Place,
    Stand,
    match_raise,
)
from .deals import HandBuckets, assign_hands, count_buckets
from .game import NoLimitHoldem

_MOVE = re.compile(r"f|c|r(?:\d+(?:\.\d+)?)")
_CARD = re.compile(r"..")


class Blueprint(Display):
    """The strategy of a run on no-limit hold'em in buckets, by hand, board and line.

    Parameters
    ----------
    run : Solution
        A run of :func:`equilibrist.solve` on ``eq.abstract("nlhe(…)", buckets)``, or a loaded one.
    buckets : Buckets
        The buckets of the run.

    Raises
    ------
    GameError
        The run solved another game, or these are no buckets of hands.
    SolutionError
        The strategy is not one in these buckets.

    Notes
    -----
    A bet that is not in the tree is taken for one of the two next to it, by the pseudo-harmonic
    mapping: for the likelier one.

    References
    ----------
    Ganzfried & Sandholm 2013, "Action translation in extensive-form games with large action spaces".
    """

    def __init__(self, run: Solution, buckets: HandBuckets) -> None:
        if not hasattr(run, "strategy"):
            raise GameError(
                "A blueprint is made of a solution, that of eq.solve(…) or "
                f"eq.load_solution(folder); got {short_repr(run)}.",
                wrong_use=True,
            )
        game = load(run.game)
        if not isinstance(game, NoLimitHoldem):
            raise GameError(
                f"A blueprint is a run on nlhe in buckets; got one on {run.game}.", wrong_use=True
            )
        if not isinstance(buckets, HandBuckets):
            raise GameError(
                "A blueprint needs the buckets of its run, which have count(street) and "
                f"assign(street, hands); got {buckets!r}.",
                wrong_use=True,
            )
        self.game = game
        self.buckets = buckets
        self._probabilities = self._read(run)
        self._latest: dict[int, tuple[tuple[int, ...], Ints]] = {}

    def _read(self, run: Solution) -> list[Floats]:
        """Return the probabilities by node, shape (buckets, actions) each; of ends, empty ones."""
        tree = self.game.tree
        counts = count_buckets(self.buckets)
        tables = [
            np.zeros((counts[street] if actions else 0, actions))
            for street, actions in zip(tree.street.tolist(), tree.num_actions.tolist(), strict=True)
        ]
        node_of_line = {"/".join(tree.lines(node)): node for node in tree.decisions.tolist()}
        strategy = run.strategy
        rows = iter(strategy.probabilities.tolist())
        entered = 0
        for infoset in strategy.infosets:
            name, _, line = infoset.key.partition(" ")
            node = node_of_line.get(line)
            bucket = int(name[1:]) if name[:1] == "#" and name[1:].isdigit() else -1
            if node is None or not 0 <= bucket < len(tables[node]):
                raise SolutionError(
                    f"The run has the infoset {infoset.key!r}, which {self.game} with the buckets "
                    f"{self.buckets} has not. Give the buckets that the run had.",
                    wrong_use=True,
                )
            tables[node][bucket] = [next(rows) for _ in infoset.actions]
            entered += 1
        expected = sum(map(len, tables))
        if entered != expected:
            raise SolutionError(
                f"The run has {entered:,} infosets, and {self.game} with the buckets {self.buckets} "
                f"has {expected:,}. Give the buckets that the run had.",
                wrong_use=True,
            )
        return tables

    def play(self, hand: str, board: str | Iterable[str] = "", line: str = "") -> dict[str, float]:
        """Return how often each action is taken with a hand, on a board, after a line.

        Parameters
        ----------
        hand : str
            Two cards: ``"AhKd"``.
        board : str or cards
            The public cards: ``"Td9d6h"``.
        line : str
            The actions of each street, streets apart by ``/``: ``c`` for check and call, ``r`` with
            the big blinds that the player has then paid in all: ``"r2.5c/c"``.

        Raises
        ------
        GameError
            A text cannot be read, cards collide or are too few or many, or nobody acts there.
        """
        stand = self.follow(line)
        cards = self._read_board(board)
        number = parse_hand(hand)
        needed = BOARD_CARDS[stand.place.street]
        if len(cards) != needed:
            raise GameError(
                f"After the line {line!r} there are {needed} public cards; got {len(cards)}: "
                f"{board!r}.",
                wrong_use=True,
            )
        seen = [*HANDS[number].tolist(), *cards]
        if len(set(seen)) != len(seen):
            raise GameError(f"A card is there twice in {hand!r} and {board!r}.", wrong_use=True)
        return self._play_at(stand, number, tuple(cards))

    def _play_at(self, stand: Stand, hand: int, board: tuple[int, ...]) -> dict[str, float]:
        """Return how often each action is taken with a hand, by number."""
        seen = np.array([[*HANDS[hand], *board]], np.int64)
        bucket = int(assign_hands(self.buckets, STREETS[stand.place.street], seen)[0])
        row = self._probabilities[stand.node][bucket].tolist()
        return dict(zip(self.game.labels(stand.node), row, strict=True))

    def __call__(self, player: int, infoset: str, actions: tuple[str, ...]) -> list[float]:
        """Return the probability of each action at an infoset of the game, as policies do."""
        rounds = [text.partition(" ") for text in infoset.split("/")]
        hand = rounds[0][0]
        board = "".join(cards for cards, _, _ in rounds[1:])
        line = "/".join(moves for _, _, moves in rounds)
        played = self.play(hand, board, line)
        return [played[action] for action in actions]

    def local_best_response(self, *, hands: int = 1000, seed: int = 0) -> LocalBestResponse:
        """Return what local best responses earn against it: a lower bound of its exploitability, in big blinds a hand.

        Parameters
        ----------
        hands : int
            Hands in each seat, 2 or more.
        seed : int
            Of the hands.

        Raises
        ------
        AlgorithmError
            ``hands`` or ``seed`` makes no sense.

        Notes
        -----
        The responder takes the action that is best if it is followed by checks and calls; its raises
        are folded to as the blueprint says, else called. The blueprint's hand is never dealt: actions
        are drawn from its whole range, and what is won in the end is the mean over it. That changes
        no expectation. What the blueprint wins of itself in one seat it loses in the other: the gain
        of each responder is given as half of what both earn.

        References
        ----------
        Lisý & Bowling 2017, "Equilibrium approximation quality of current no-limit poker bots".
        """
        respond = import_place("poker.nlhe.responses:respond")
        response: LocalBestResponse = respond(self, hands=hands, seed=seed)
        return response

    def play_match(self, other: Blueprint, *, hands: int = 1000, seed: int = 0) -> Match:
        """Return what it wins of another blueprint, in big blinds a hand, with most of the luck taken out.

        Parameters
        ----------
        other : Blueprint
            Of the same game; its buckets, its run, and whether it searches may differ.
        hands : int
            How many deals, 2 or more. Each is played twice, with seats exchanged.
        seed : int
            Of the deals.

        Raises
        ------
        GameError
            The other is no blueprint, or one of another game; or buckets of either tell suits apart
            before the flop.
        AlgorithmError
            ``hands`` or ``seed`` makes no sense.

        Notes
        -----
        ``overall.mean`` is what is really won, ``overall.aivat.mean`` an estimate of the same with
        a smaller standard error: without the luck of cards and of actions, as far as hands that are
        checked down tell it. Standard errors are those of deals. An interrupt ends the match after
        the deals so far.

        References
        ----------
        Burch, Schmid, Moravčík, Morrill & Bowling 2018, "AIVAT: a new variance reduction technique
        for agent evaluation in imperfect information games".
        """
        play = import_place("poker.nlhe.matches:play_match")
        match: Match = play(self, other, hands=hands, seed=seed)
        return match

    def hand_rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """Return the probabilities of the actions at a node with each of the 1,326 hands, shape (1326, actions).

        Those of a hand that the board blocks mean nothing.
        """
        street = int(self.game.tree.street[node])
        latest_board, assigned = self._latest.get(street, (None, None))
        if assigned is None or latest_board != board:
            assigned = assign_all_hands(self.buckets, street, board)
            self._latest[street] = (board, assigned)
        return self._probabilities[node][assigned]

    def follow(self, line: str) -> Stand:
        """Return where a hand is after a line; a bet that is not in the tree is taken for one that is.

        Raises
        ------
        GameError
            The line cannot be read, or nobody acts after it.
        """
        tree = self.game.tree
        rules = self.game.betting
        stand: Stand | None = Stand(0, rules.first_place())
        for street, text in enumerate(line.split("/")):
            moves = _MOVE.findall(text)
            if "".join(moves) != text.replace(" ", ""):
                raise _wrong_line(line, f"{text!r} cannot be read")
            for move in moves:
                if stand is None or stand.place.street != street:
                    raise _wrong_line(line, f"street {street} is over before {move!r}")
                action = _read_move(move, stand.place, rules.stack)
                number = None if action is None else self._find_action(action, stand)
                if action is None or number is None:
                    raise _wrong_line(line, f"{move!r} is not possible where it stands")
                stand = stand.after(action, number, rules, tree)
        if stand is None:
            raise _wrong_line(line, "nobody acts after it")
        return stand

    def _find_action(self, action: Action, stand: Stand) -> int | None:
        """Return the number of the action of the tree for which one is taken; None where there is none."""
        choices = self.game.tree.actions[stand.node]
        if action.kind == RAISE:
            mover = stand.place.mover
            tree_other = int(self.game.tree.paid[stand.node, 1 - mover])
            return match_raise(action.paid, stand.place, choices, tree_other)
        kinds = [choice.kind for choice in choices]
        return kinds.index(action.kind) if action.kind in kinds else None

    def _read_board(self, board: str | Iterable[str]) -> list[int]:
        names = _CARD.findall(board.replace(" ", "")) if isinstance(board, str) else list(board)
        cards = [parse_card(name) for name in names]
        if None in cards:
            raise GameError(f"board must be cards such as 'Td9d6h'; got {board!r}.", wrong_use=True)
        return [card for card in cards if card is not None]

    def __repr__(self) -> str:
        return f"<Blueprint of {self.game} in {self.buckets}>"


def _read_move(move: str, place: Place, stack: int) -> Action | None:
    """Return the action that a move of a line is; None where nobody may take it."""
    other = place.paid[1 - place.mover]
    if move == "f":
        return Action(FOLD, place.paid[place.mover])
    if move == "c":
        return Action(CALL, other)
    paid = round(float(move[1:]) * BIG_BLIND)
    if not other < paid <= stack:
        return None
    return Action(RAISE, paid)


def _wrong_line(line: str, because: str) -> GameError:
    return GameError(
        f"The line {line!r} is none: {because}. Write the actions of each street, 'r2.5c/cr4': f, c, "
        "or r with the big blinds paid in all.",
        wrong_use=True,
    )


def assign_all_hands(buckets: HandBuckets, street: int, board: Sequence[int]) -> Ints:
    """Return the bucket of each of the 1,326 hands on a board; that of a hand which the board blocks means nothing."""
    possible = ~np.isin(HANDS, list(board)).any(axis=1)
    assigned = np.zeros(len(HANDS), np.int64)
    hands = HANDS[possible]
    cards = np.hstack([hands, np.tile(np.array(board, np.int64), (len(hands), 1))])
    assigned[possible] = assign_hands(buckets, STREETS[street], cards)
    return assigned
