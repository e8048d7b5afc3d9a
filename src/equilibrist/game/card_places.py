"""Places of a card game as people write them: lines of actions, and boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .._util.arrays import offsets
from ..errors import GameError

if TYPE_CHECKING:
    from .card_game import CardGame

Cards = tuple[int, ...]


def line_tokens(line: str) -> tuple[str, ...]:
    """Return the actions of a line such as ``X-B120-C | B200``, in capitals.

    Examples
    --------
    >>> line_tokens("x-b120-c | B200")
    ('X', 'B120', 'C', 'B200')
    """
    return tuple(token.upper() for token in re.split(r"[\s|>-]+", line) if token)


def split_by_street(game: CardGame, cards: Cards) -> tuple[frozenset[int], ...]:
    """Return the cards of each street of those that are public; the order in which a street shows them is nothing."""
    ends = offsets([len(game.board), *game.streets]).tolist()
    return tuple(
        frozenset(cards[first:last]) for first, last in pairwise(ends) if last <= len(cards)
    )


def public_cards(game: CardGame, board: str | Sequence[int], streets: int | None = None) -> Cards:
    """Return all public cards, from a text such as ``"QsJh2h7c"``, or numbers, that may leave out those of the start.

    ``streets`` says how many streets were dealt; by default as many as there are cards for.
    """
    names = list(game.cards)
    if isinstance(board, str):
        each = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        indices = [names.index(name) for name in re.findall(each, board)]
        if re.sub(rf"{each}|[\s,]", "", board):
            raise GameError(
                f"board: cards are {names[0]} to {names[-1]}; got {board!r}.", wrong_use=True
            )
    else:
        try:
            indices = [int(card) for card in board]
        except (TypeError, ValueError):
            raise GameError(
                f"board: cards are a text, such as {names[0] + names[-1]!r}, or a list of "
                f"numbers; got {board!r}.",
                wrong_use=True,
            ) from None
    start = tuple(game.board)
    if set(indices[: len(start)]) == set(start):
        later = indices[len(start) :]
    else:
        later = indices
    cards = (*start, *later)
    dealt = offsets(list(game.streets)).tolist()
    needs = dealt if streets is None else dealt[streets : streets + 1]
    if (
        len(later) not in needs
        or len(set(cards)) < len(cards)
        or not set(cards) <= set(range(len(names)))
    ):
        shown = "".join(names[card] for card in start)
        if streets is None:
            there = "these are"
        else:
            there = "after this line there are"
        raise GameError(
            f"board: {there} {' or '.join(map(str, needs))} more cards than {shown or 'none'}, "
            f"all different; got {board!r}.",
            wrong_use=True,
        )
    return cards
