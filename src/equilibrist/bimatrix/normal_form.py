"""The reduced normal form of a game in fractions: pure plans, and what each pair of them pays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from ..evaluation.rational import RationalGame, RationalInfoset, share_out
from ..strategy.by_name import ByInfoset

PayoffTable = Sequence[Sequence[Fraction]]
"""What a player is paid, a row for each plan of player 0, a column for each plan of player 1."""


class Plan(NamedTuple):
    """A reduced pure plan: an action at each infoset that the plan itself does not rule out.

    Attributes
    ----------
    name : str
        The action where the player has one infoset; else ``"J: bet, Qb: call"``.
    sequences : frozenset of int
        The sequences of the game that the plan plays, the empty one included.
    """

    name: str
    sequences: frozenset[int]


class Bimatrix(NamedTuple):
    """A game of two players in reduced normal form.

    Attributes
    ----------
    plans : pair of tuple of Plan
        Those of player 0, and those of player 1.
    payoffs : pair of PayoffTable, shape (plans of player 0, plans of player 1)
        What player 0 is paid, and what player 1 is paid, on average over chance.
    """

    plans: tuple[tuple[Plan, ...], tuple[Plan, ...]]
    payoffs: tuple[PayoffTable, PayoffTable]


def count_plans(game: RationalGame, player: int) -> int:
    """Return how many reduced plans a player has."""
    counts = [1] * game.sequences
    for infoset in reversed(game.infosets):
        if infoset.player == player:
            counts[infoset.parent] *= sum(counts[infoset.first : infoset.end])
    return counts[player]


def make_bimatrix(game: RationalGame) -> Bimatrix:
    """Return the reduced normal form of a game; the cost is (ends) × (pairs of plans)."""
    first_plans = _list_plans(game, 0)
    second_plans = _list_plans(game, 1)
    shape = range(len(first_plans))
    tables = tuple([[Fraction(0)] * len(second_plans) for _ in shape] for _ in range(2))
    playing_first = _find_players_of(first_plans)
    playing_second = _find_players_of(second_plans)
    for end in game.ends:
        first_sequence, second_sequence = end.sequences
        pairs = product(playing_first[first_sequence], playing_second[second_sequence])
        for row, column in pairs:
            for table, weight in zip(tables, end.weights, strict=True):
                table[row][column] += weight
    return Bimatrix((first_plans, second_plans), (tables[0], tables[1]))


def _list_plans(game: RationalGame, player: int) -> tuple[Plan, ...]:
    """Return the reduced plans of a player, in the order of actions at the first infosets."""
    infosets = [infoset for infoset in game.infosets if infoset.player == player]
    # After each sequence: what may be played from there on, as tuples of sequences.
    after: dict[int, list[tuple[int, ...]]] = {player: [()]}
    for infoset in infosets:
        for sequence in range(infoset.first, infoset.end):
            after[sequence] = [()]
    for infoset in reversed(infosets):
        ways = [
            (sequence, *later)
            for sequence in range(infoset.first, infoset.end)
            for later in after[sequence]
        ]
        following = after[infoset.parent]
        after[infoset.parent] = [(*way, *others) for way, others in product(ways, following)]
    names = [_name_plan(infosets, sequences) for sequences in after[player]]
    if len(set(names)) < len(names):  # of infosets whose names hold colons and commas
        names = [f"plan {number}: {name}" for number, name in enumerate(names)]
    return tuple(
        Plan(name, frozenset({player, *sequences}))
        for name, sequences in zip(names, after[player], strict=True)
    )


def _name_plan(infosets: Sequence[RationalInfoset], sequences: Sequence[int]) -> str:
    """Return what a plan does, in words."""
    moves = [
        (infoset.key, infoset.actions[sequence - infoset.first])
        for infoset in infosets
        for sequence in sequences
        if infoset.first <= sequence < infoset.end
    ]
    if not moves:
        return "nothing to choose"
    if len(infosets) == 1:
        return moves[0][1]
    return ", ".join(f"{key}: {action}" for key, action in moves)


def _find_players_of(plans: Sequence[Plan]) -> Mapping[int, list[int]]:
    """Return for each sequence the numbers of the plans that play it."""
    numbers: dict[int, list[int]] = {}
    for number, plan in enumerate(plans):
        for sequence in plan.sequences:
            numbers.setdefault(sequence, []).append(number)
    return numbers


def mixture_to_behaviour(
    game: RationalGame, player: int, plans: Iterable[Plan], probabilities: Iterable[Fraction]
) -> dict[tuple[int, str], dict[str, Fraction]]:
    """Return the behaviour strategy that plays as a mixture of plans does (Kuhn 1953).

    At an infoset where the mixture never comes, by the player's own moves, all actions are alike.
    """
    reach = [Fraction(0)] * game.sequences
    for plan, probability in zip(plans, probabilities, strict=True):
        if probability:
            for sequence in plan.sequences:
                reach[sequence] += probability
    table = ByInfoset[dict[str, Fraction]]()
    for infoset in game.infosets:
        if infoset.player != player:
            continue
        weights = reach[infoset.first : infoset.end]
        table[player, infoset.key] = share_out(infoset.actions, weights)
    return table
