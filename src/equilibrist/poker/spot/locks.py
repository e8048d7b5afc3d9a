"""Locks of a spot: read from what people write, and written in one way."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..._util.validate import is_number
from ...errors import GameError
from ...game.card_game import CardGame
from ...game.card_places import public_cards
from ...game.locks import AnyLock, Lock, as_lock, check_overlaps, lock_place
from ..cards.cards import NUM_HANDS, cards_text, hand_numbers, parse_cards, parse_hand
from ..cards.hand_filter import HandTable, is_filter, read_filter
from ..cards.hand_ranks import Deck
from ..cards.ranges import Range, range_tokens
from .bet_sizes import STREETS
from .betting_tree import BettingNode, BettingTree
from .lines import after_line, match_action, split_line
from .settings import range_text

_TOLERANCE = 1e-9
_HANDS_TOLD = 6  # hands of a lock that are named


class LockHands(Protocol):
    """How locks name the hands of a game: as its ranges do, by a filter, or one by one."""

    def is_filter(self, text: str) -> bool:
        """Return whether a text is a filter, not a range."""

    def match_range(self, text: str, player: int, seat: str) -> tuple[str, ...]:
        """Return the names of the hands of a player that a range names.

        Raises
        ------
        GameError
            It cannot be read, has weights, or one of its tokens names no hand of the player, who is
            called ``seat``.
        """

    def match_filter(self, text: str, player: int, board: tuple[int, ...]) -> tuple[str, ...]:
        """Return the names of the hands of a player that pass a filter on a board, cards of the full deck.

        Raises
        ------
        GameError
            It cannot be read.
        """

    def write(self, names: Sequence[str], player: int) -> str:
        """Return the range that names these hands of a player, and no others."""


@dataclass(frozen=True)
class TwoCardHands:
    """How locks name the hands of hold'em.

    Attributes
    ----------
    hands : sequence of sequences of str
        Names of the hands of each player.
    ranges : sequence of Range
        The range of each player.
    board : sequence of int
        The public cards at the start, cards of the full deck.
    deck : Deck
        The deck, and which hands beat which in it.
    """

    hands: Sequence[Sequence[str]]
    ranges: Sequence[Range]
    board: Sequence[int]
    deck: Deck

    def is_filter(self, text: str) -> bool:
        return is_filter(text)

    def match_range(self, text: str, player: int, seat: str) -> tuple[str, ...]:
        for token, _ in range_tokens(text):
            if not self._names_in(Range(token, name="hands", deck=self.deck), player):
                raise GameError(f"{token} is not in the range of {seat} on this board.")
        hand_range = Range(text, name="hands", deck=self.deck)
        if not np.isin(hand_range.weights, (0, 1)).all():
            raise GameError(f"hands that are locked have no weights; got {text!r}.")
        return self._names_in(hand_range, player)

    def match_filter(self, text: str, player: int, board: tuple[int, ...]) -> tuple[str, ...]:
        names = [name for name in self.hands[player] if not set(parse_cards(name)) & set(board)]
        numbers = hand_numbers(names)
        table = HandTable(
            hands=numbers,
            board=board,
            deck=self.deck,
            weight=self.ranges[player].weights[numbers],
            mix={},
        )
        passes = read_filter(text, deck=self.deck, name="hands").passes(table)
        return tuple(name for name, is_held in zip(names, passes, strict=True) if is_held)

    def write(self, names: Sequence[str], player: int) -> str:
        weights = np.zeros(NUM_HANDS)
        weights[[parse_hand(name) for name in names]] = 1.0
        return range_text(Range(weights), self.board)

    def _names_in(self, hand_range: Range, player: int) -> tuple[str, ...]:
        return tuple(
            name for name in self.hands[player] if hand_range.weights[parse_hand(name)] > 0
        )


def read_locks(
    entries: Iterable[AnyLock], game: CardGame, tree: BettingTree, hands: LockHands
) -> tuple[Lock, ...]:
    """Return the locks of a spot: lines and actions as its tree names them, hands by their names, boards as text."""
    if isinstance(entries, str | Mapping) or not isinstance(entries, Iterable):
        raise GameError(
            f"locks must be a list, [{{'line': …, 'strategy': …}}]; got {entries!r}.",
            wrong_use=True,
        )
    locks = []
    for lock in map(as_lock, entries):
        try:
            locks.append(_read_lock(lock, game, tree, hands))
        except GameError as error:
            raise GameError(f"{lock_place(lock)} {error}", wrong_use=True) from None
    check_overlaps(game, [(lock, tree.nodes[tree.find(lock.line)].player) for lock in locks])
    return tuple(locks)


def lock_setting(lock: Lock, tree: BettingTree, hands: LockHands) -> dict[str, Any]:
    """Return a lock that was read as the plain values of a setting."""
    table: dict[str, Any] = {"line": lock.line, "strategy": dict(lock.strategy)}
    if lock.hands is not None:
        player = tree.nodes[tree.find(lock.line)].player
        table["hands"] = hands.write(lock.hands, player)
    if lock.board is None:
        return table
    return {**table, "board": lock.board}


def lock_text(lock: Lock) -> str:
    """Return a lock in words: ``X-B100: F 30 %, C 70 %, with QQ, on Td9d6hQc``."""
    mix = ", ".join(f"{action} {100 * share:.4g} %" for action, share in lock.strategy.items())
    names = list(lock.hands or ())
    if len(names) > _HANDS_TOLD:
        more_text = f" and {len(names) - _HANDS_TOLD} more hands"
    else:
        more_text = ""
    if names:
        hands_text = f", with {', '.join(names[:_HANDS_TOLD])}{more_text}"
    else:
        hands_text = ""
    return f"{lock.line or 'at the start'}: {mix}{hands_text}{f', on {lock.board}' if lock.board else ''}"


def _read_lock(lock: Lock, game: CardGame, tree: BettingTree, hands: LockHands) -> Lock:
    node = tree.nodes[tree.find(lock.line)]
    if node.player < 0:
        raise GameError("nobody decides there, for the hand is over.")
    board = _board_text(game, lock.board, node)
    if lock.hands is None:
        names = None
    elif isinstance(lock.hands, str) and hands.is_filter(lock.hands):
        names = _filter_hands(game, lock.hands, node, board, hands)
    else:
        text = _hands_text(lock.hands)
        names = hands.match_range(text, node.player, tree.players[node.player])
    return Lock(node.line, _read_strategy(node, lock), names, board)


def _read_strategy(node: BettingNode, lock: Lock) -> dict[str, float]:
    shares = dict.fromkeys(node.actions, 0.0)
    for name, share in lock.strategy.items():
        if isinstance(share, str):
            percent = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*%\s*", share)
        else:
            percent = None
        number = float(percent[1]) / 100 if percent else share
        if not is_number(number) or number < 0:
            raise GameError(
                f"{name} must have a probability of 0 or more, 0.3 or '30%'; got {share!r}."
            )
        shares[find_action(node.line, node.actions, name)] += float(number)
    total = math.fsum(shares.values())
    if abs(total - 1) > _TOLERANCE:
        raise GameError(
            f"the probabilities must sum to 1; those of {dict(lock.strategy)!r} sum to {total:g}."
        )
    return {action: share for action, share in shares.items() if share > 0}


def find_action(line: str, actions: Sequence[str], name: str) -> str:
    """Return the action after a line that a name means, such as A for A900."""
    with suppress(GameError):
        tokens = split_line(name)
        if len(tokens) == 1:
            return match_action(line, actions, (name, tokens))
    raise GameError(f"the actions there are {', '.join(actions)}; got {name!r}.")


def _hands_text(hands: Any) -> str:
    """Return the hands of a lock as the text of a range."""
    if isinstance(hands, str):
        return hands
    if not isinstance(hands, Sequence) or not all(isinstance(name, str) for name in hands):
        raise GameError(f"hands must be a range, 'AA,AKs', or a list of hands; got {hands!r}.")
    return ",".join(hands)


def _filter_hands(
    game: CardGame, text: str, node: BettingNode, board: str | None, hands: LockHands
) -> tuple[str, ...]:
    """Return the names of the hands of a range that pass a filter on the board on which the node is."""
    if board is None:
        board = cards_text(game.board, game.cards)
    cards = parse_cards(board, "board")
    if len(cards) != 3 + node.street:
        raise GameError(
            f"hands: {text!r} asks what hands make of the {STREETS[node.street]}, so the lock needs "
            f"a board of {3 + node.street} cards; got {cards_text(cards)}. Give board=…, or hands."
        )
    names = hands.match_filter(text, node.player, cards)
    if not names:
        raise GameError(f"no hand of the range passes {text!r} on {cards_text(cards)}.")
    return names


def _board_text(game: CardGame, board: Any, node: BettingNode) -> str | None:
    """Return the public cards of a lock as text, or None where they are those of the start."""
    if board is None:
        return None
    cards = public_cards(
        game, cards_text(parse_cards(board, "board")) if isinstance(board, str) else board
    )
    if len(cards) > 3 + node.street:
        place = after_line(node.line.strip(" |"))
        raise GameError(f"board: {place} it is the {STREETS[node.street]}; got {board!r}.")
    if len(cards) > len(game.board):
        return cards_text(cards, game.cards)
    return None
