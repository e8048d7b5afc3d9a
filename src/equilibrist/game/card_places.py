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
    street_ends = offsets([len(game.board), *game.streets]).tolist()
    return tuple(
        frozenset(cards[begin:end]) for begin, end in pairwise(street_ends) if end <= len(cards)
    )


def public_cards(game: CardGame, board: str | Sequence[int], streets: int | None = None) -> Cards:
    """Return all public cards, from a text such as ``"QsJh2h7c"``, or numbers, that may leave out those of the start.

    ``streets`` says how many streets were dealt; by default as many as there are cards for.
    """
    names = list(game.cards)
    if isinstance(board, str):
        any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        indices = [names.index(name) for name in re.findall(any_name, board)]
        if re.sub(rf"{any_name}|[\s,]", "", board):
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
        cards_dealt = indices[len(start) :]
    else:
        cards_dealt = indices
    cards = (*start, *cards_dealt)
    num_dealt = offsets(list(game.streets)).tolist()
    counts = num_dealt if streets is None else num_dealt[streets : streets + 1]
    if (
        len(cards_dealt) not in counts
        or len(set(cards)) < len(cards)
        or not set(cards) <= set(range(len(names)))
    ):
        start_text = "".join(names[card] for card in start)
        if streets is None:
            clause = "these are"
        else:
            clause = "after this line there are"
        raise GameError(
            f"board: {clause} {' or '.join(map(str, counts))} more cards than {start_text or 'none'}, "
            f"all different; got {board!r}.",
            wrong_use=True,
        )
    return cards
