"""What a game merges: the histories that a player cannot tell apart, and moves of chance that nobody sees."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from ..errors import GameTooLargeError
from ..form.limits import Limits, compile_budget
from ..form.sequence.build import check_and_unfold, compile_within
from ..form.sequence.tree import ROOT, GameTree, child_numbers, history_values
from ..game.plays import name_moves
from ..games.load import load

MOST_LISTED = 100_000
"""The most histories of a game whose infosets are looked at: some 30,000 are written out in Python in a second."""

_EXAMPLES = 4  # histories of an infoset that are named
_CLOSE = 1e-9  # of the largest payoff


class MergedHistories(NamedTuple):
    """The infosets of a size, and one of them with histories that its player cannot tell apart.

    Attributes
    ----------
    size : int
        How many histories each of these infosets has.
    infosets : int
        How many infosets of that size there are, of all players.
    player, infoset : int, str
        The first of them.
    histories : tuple of str
        The moves that lead to it, of four of its histories at most.
    """

    size: int
    infosets: int
    player: int
    infoset: str
    histories: tuple[str, ...]


def merged_histories(game: Any, *, limits: Limits | None = None) -> tuple[MergedHistories, ...]:
    """Return, for each size of an infoset, one infoset with the histories that are merged in it.

    Whoever writes a game sees in them what a player does not know: a card that is in the histories
    and not in the name of the infoset.

    Parameters
    ----------
    game : str, Game, PublicGame or CardGame
        As for :func:`equilibrist.load`.
    limits : Limits, optional
        Limits of compilation, as for :func:`equilibrist.check_game`.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed, or is too large to be kept with its tree.

    Examples
    --------
    >>> import equilibrist as eq
    >>> for merged in eq.merged_histories("kuhn"):
    ...     print(merged.size, merged.infosets, merged.infoset, *merged.histories)
    2 12 J ['J', 'Q'] ['J', 'K']
    """
    budget = compile_budget(limits, "merged_histories")
    rules = check_and_unfold(cast("Any", load(game)))
    tree = compile_within(rules, budget, keep_tree=True).tree
    assert tree is not None
    return tuple(_merged_by_size(rules, tree))


def list_merged(rules: Any, histories: int) -> tuple[MergedHistories, ...]:
    """Return the merged histories of a game of so many histories; nothing, where it has too many to be written out."""
    if histories > MOST_LISTED:
        return ()
    try:
        return merged_histories(rules, limits=Limits(histories=MOST_LISTED))
    except GameTooLargeError:
        return ()


def _merged_by_size(rules: Any, tree: GameTree) -> Iterator[MergedHistories]:
    """Yield the infosets of each size, the smallest first."""
    decisions = np.flatnonzero(tree.player >= 0)
    infoset = tree.infoset[decisions]
    sizes = np.bincount(infoset, minlength=len(tree.infosets))
    for size in np.unique(sizes).tolist():
        numbers = np.flatnonzero(sizes == size)
        player, key, _ = tree.infosets[int(numbers[0])]
        examples = decisions[infoset == numbers[0]][:_EXAMPLES]
        yield MergedHistories(
            size,
            len(numbers),
            player,
            key,
            tuple(_moves_text(rules, tree, history) for history in examples.tolist()),
        )


def _moves_text(rules: Any, tree: GameTree, history: int) -> str:
    return name_moves(rules, child_numbers(tree.parent, tree.first_child, history))


def unseen_chance(game: Any) -> str:
    """Return the warning of a game in which a player sees nothing of chance, and nobody sees all of it; else "".

    A player sees nothing of chance whose infosets are the same whatever chance does, as long as all
    players make the same moves. That alone is no mistake: in a game of signals one player knows,
    and the other guesses. But where nobody sees a move of chance on which payoffs depend, the
    infosets of such a player lack something: most often the own card.
    """
    rules = check_and_unfold(game)
    budget = compile_budget(Limits(histories=MOST_LISTED), "check_game")
    try:
        tree = compile_within(rules, budget, keep_tree=True).tree
    except GameTooLargeError:
        return ""
    assert tree is not None
    players = _players_without_chance(tree)
    if not players:
        return ""
    pair = _unseen_pair(tree)
    if pair is None:
        return ""
    first, second = (_moves_text(rules, tree, history) for history in pair)
    who = f"player {players[0]}"
    if len(players) > 1:
        who = f"players {', '.join(map(str, players[:-1]))} and {players[-1]}"
    return (
        f"{tree.name}: the infosets of {who} do not depend on chance, and nobody at all can tell {first} from "
        f"{second}, where the payoffs differ. Does infoset() lack what chance has dealt to the player, such as the "
        "own card?"
    )


def _players_without_chance(tree: GameTree) -> list[int]:
    """Return the players who decide after moves of chance, none of which any of their infosets depends on."""
    moves = _trace(tree, infosets=False)
    infosets_of: dict[tuple[int, int], set[int]] = {}
    histories_of: dict[tuple[int, int], int] = {}
    for history in np.flatnonzero(tree.player >= 0).tolist():
        key = (int(tree.player[history]), moves[history])
        infosets_of.setdefault(key, set()).add(int(tree.infoset[history]))
        histories_of[key] = histories_of.get(key, 0) + 1
    players = []
    for player in range(tree.players):
        keys = [key for key in infosets_of if key[0] == player]
        is_after_chance = any(histories_of[key] > 1 for key in keys)
        sees_chance = any(len(infosets_of[key]) > 1 for key in keys)
        if is_after_chance and not sees_chance:
            players.append(player)
    return players


def _unseen_pair(tree: GameTree) -> tuple[int, int] | None:
    """Return two histories after which nobody decides, which nobody can tell apart, and whose payoffs differ."""
    knowledge = _trace(tree, infosets=True)
    decides_later = _decides_later(tree)
    value = history_values(tree, tree.probability)
    first_of: dict[int, int] = {}
    for history in range(1, tree.histories):
        parent = int(tree.parent[history])
        # The last decision of a play was made before; what chance does from here on is seen by nobody anyway.
        if tree.player[parent] < 0 or decides_later[history]:
            continue
        first = first_of.setdefault(knowledge[history], history)
        if np.abs(value[first] - value[history]).max() > _CLOSE * tree.largest_payoff:
            return first, history
    return None


def _decides_later(tree: GameTree) -> list[bool]:
    """Return whether a player decides at a history or after it."""
    decides: list[bool] = (tree.player >= 0).tolist()
    for history in range(tree.histories - 1, ROOT, -1):  # children come after their parents
        if decides[history]:
            decides[int(tree.parent[history])] = True
    return decides


def _trace(tree: GameTree, *, infosets: bool) -> list[int]:
    """Return a number for each history, the same where the same moves of players lead there, whatever chance did.

    With ``infosets`` the players were in the same infosets, too.
    """
    numbers: dict[Hashable, int] = {}
    trace = [0] * tree.histories
    actions = [infoset.actions for infoset in tree.infosets]
    for history in range(1, tree.histories):
        parent = int(tree.parent[history])
        mover = int(tree.player[parent])
        place = history - int(tree.first_child[parent])
        if mover < 0:
            trace[history] = trace[parent]
            continue
        infoset = int(tree.infoset[parent])
        key: Hashable
        if infosets:
            key = (trace[parent], infoset, place)
        else:
            key = (trace[parent], mover, actions[infoset][place])
        trace[history] = numbers.setdefault(key, len(numbers) + 1)
    return trace
