"""Pots of a hand before the flop, shared chip by chip: a referee for all-ins of unequal stacks."""

import numpy as np

CHIPS = 80  # in a big blind


def share_chips(stakes, ranking):
    """Return what each player wins: chip by chip, a pot of its own for the first, the second, … chip of each player.

    Whoever has bet the n-th chip alone takes it back. Those in ``ranking`` are all-in, groups of
    equal hands, the best first; the others have folded.
    """
    shown = [player for group in ranking for player in group]
    chips = [
        round(CHIPS * (stakes.behind[player] if player in shown else blind))
        for player, blind in enumerate(stakes.blinds)
    ]
    won = np.array([-bet / CHIPS - ante for bet, ante in zip(chips, stakes.antes, strict=True)])
    first = ranking[0]
    won[first] += (sum(stakes.antes) + stakes.dead) / len(first)
    for number in range(max(chips)):
        payers = [player for player, bet in enumerate(chips) if bet > number]
        winners = payers
        if len(payers) > 1:
            groups = [[player for player in group if player in payers] for group in ranking]
            winners = next(group for group in groups if group)
        won[winners] += len(payers) / CHIPS / len(winners)
    return won
