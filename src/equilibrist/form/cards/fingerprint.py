"""Fingerprints of card games: digests of what they are, not of how the arrays of a form are laid out."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from ...game.card_game import CardGame
from ...game.card_places import line_tokens
from ...game.locks import Lock, find_locks, lock_board, locked_hands
from ..gadget import Gadget
from .betting import BettingTree
from .boards import BoardTree


def fingerprint(
    game: CardGame, betting: BettingTree, boards: BoardTree, gadget: tuple[int, Gadget] | None
) -> str:
    """Return a digest of hands, weights, cards, betting, payoffs, the boards that are walked, locks and the gadget.

    Of strengths only the order counts. A run that was saved goes on where the digest is the same;
    the order of its tables is a matter of the format of the file.
    """
    deal = game.deal
    digest = hashlib.sha256(
        repr((game.hands, game.cards, deal.hands, tuple(game.board), tuple(game.streets))).encode()
    )
    for weights in deal.weights:
        digest.update(np.ascontiguousarray(weights).data)
    if deal.folded is not None:
        digest.update(deal.folded.digest())
    digest.update(betting.once(_betting_bytes))
    for end in (end for there in betting.streets for end in there.by_hands):
        digest.update(repr((end.rows, end.payoffs.total)).encode())
        digest.update(np.ascontiguousarray(end.payoffs.values).data)
    for street in boards.streets:
        digest.update(repr([board.cards for board in street]).encode())
        for board in street:
            digest.update(np.ascontiguousarray(board.copies).data)
    digest.update(_rank_strengths(boards).data)
    digest.update(repr([_lock_meaning(game, lock) for lock in find_locks(game)]).encode())
    if gadget is not None:
        digest.update(repr((gadget[0], gadget[1].picks)).encode())
        digest.update(np.concatenate(gadget[1][:3]).data)
    return digest.hexdigest()[:16]


def _betting_bytes(betting: BettingTree) -> bytes:
    return repr([(s.lines, s.nodes, s.ends, s.leaves) for s in betting.streets]).encode()


def _rank_strengths(boards: BoardTree) -> NDArray[np.int32]:
    """Return how many different strengths are below that of each hand of both players, on each complete board."""
    last = boards.streets[-1]
    strengths = [player_strengths.astype(np.int64) for player_strengths in boards.strengths]
    for number, board in enumerate(last):
        for player_strengths, hands in zip(strengths, board.hands, strict=True):
            blocked = np.ones(player_strengths.shape[1], bool)
            blocked[hands] = False
            player_strengths[number, blocked] = -(2**62)
    joined = np.hstack(strengths)
    order = np.argsort(joined, axis=1, kind="stable")
    ordered = np.take_along_axis(joined, order, axis=1)
    steps = np.cumsum(np.diff(ordered, axis=1, prepend=ordered[:, :1]) != 0, axis=1, dtype=np.int32)
    ranks = np.empty_like(steps)
    np.put_along_axis(ranks, order, steps, axis=1)
    return ranks


def _lock_meaning(game: CardGame, lock: Lock) -> tuple[object, ...]:
    """Return what a lock does, however it is written."""
    hands = [np.flatnonzero(locked_hands(game, lock, player)).tolist() for player in range(2)]
    strategy = sorted(
        (action, float(share)) for action, share in lock.strategy.items() if share > 0
    )
    return (
        line_tokens(lock.line),
        strategy,
        hands,
        [sorted(cards) for cards in lock_board(game, lock)],
    )
