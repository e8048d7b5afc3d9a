"""What tests of sampling share: numbers by infoset, and the instant regrets of a full pass."""

from equilibrist.cfr.algorithms import ALGORITHMS
from support.reference import CFR


def by_infoset(solver, array):
    """Return {(player, infoset): its numbers} of an array with one number a slot."""
    first, count = solver.table.shape()
    return {
        (infoset.player, infoset.key): array[f : f + c]
        for infoset, f, c in zip(solver.table.infosets(), first, count, strict=True)
    }


def full_values(game, strategy):
    """Return {(player, infoset): {action: counterfactual value}}, own reach of each, by recursion over histories."""
    reference = CFR(game, ALGORITHMS["cfr"])
    reference.strategy = {key: dict(row) for key, row in strategy.items()}
    reference.cf_value = {key: dict.fromkeys(row, 0.0) for key, row in strategy.items()}
    reference.own_reach = {}
    reference.visit(reference.root, [1.0] * game.players, 1.0)
    return reference.cf_value, reference.own_reach


def full_regrets(game, strategy):
    """Return {(player, infoset): instant regrets} and the own reach of each, by recursion over all histories."""
    cf_value, own_reach = full_values(game, strategy)
    regrets = {}
    for key, row in strategy.items():
        q = cf_value[key]
        value = sum(row[a] * q[a] for a in row)
        regrets[key] = [q[a] - value for a in row]
    return regrets, own_reach


def current(solver):
    """Return the present strategy as {(player, infoset): {action: probability}}."""
    names = {(infoset.player, infoset.key): infoset.actions for infoset in solver.table.infosets()}
    rows = by_infoset(solver, solver.slots.strategy)
    return {key: dict(zip(names[key], row.tolist(), strict=True)) for key, row in rows.items()}
