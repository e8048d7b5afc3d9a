"""The slow truth: CFR, values and best responses by plain recursion over histories, straight from the formulas.

Nothing here reads the compiled forms, and nothing but dictionaries is used. Strategies are
``{(player, infoset): {action: probability}}``, as in :class:`equilibrist.Strategy`.
"""

import math
from dataclasses import dataclass, field

from equilibrist.cfr.algorithms import Ramp
from equilibrist.game.protocol import CHANCE, TERMINAL, action_label


@dataclass
class Node:
    """One history: who moves there, what they know, and what comes next (or what it pays)."""

    player: int
    key: tuple | None = None  # (player, infoset)
    children: dict = field(default_factory=dict)  # label: Node
    probabilities: tuple = ()  # of the children of a chance node
    payoffs: tuple = ()


def unfold(game, state=None):
    """Return the root of a game's histories, each written out."""
    state = game.start() if state is None else state
    player = game.player(state)
    if player == TERMINAL:
        return Node(player, payoffs=tuple(map(float, game.payoffs(state))))
    actions = game.actions(state)
    below = [unfold(game, game.next(state, action)) for action in actions]
    if player == CHANCE:
        return Node(
            player, children=dict(enumerate(below)), probabilities=tuple(game.probabilities(state))
        )
    labels = [action_label(game, state, action) for action in actions]
    return Node(
        player,
        key=(player, str(game.infoset(state))),
        children=dict(zip(labels, below, strict=True)),
    )


def nodes(root):
    """Yield every history, parents first."""
    yield root
    for child in root.children.values():
        yield from nodes(child)


def infosets(root):
    """Return {(player, infoset): [its histories]} in the order of a depth-first walk."""
    found = {}
    for node in nodes(root):
        if node.key is not None:
            found.setdefault(node.key, []).append(node)
    return found


class CFR:
    """One variant of CFR; after each ``iterate()``, ``regret_sum``, ``strategy`` and ``strategy_sum`` are as in §2."""

    def __init__(self, game, row, *, alternating=True, horizon=None):
        self.root, self.players, self.row, self.horizon = unfold(game), game.players, row, horizon
        self.passes = (
            [[p] for p in range(game.players)] if alternating else [list(range(game.players))]
        )
        labels = {key: list(group[0].children) for key, group in infosets(self.root).items()}
        self.regret_sum = {key: dict.fromkeys(names, 0.0) for key, names in labels.items()}
        self.strategy_sum = {key: dict.fromkeys(names, 0.0) for key, names in labels.items()}
        self.strategy = {key: dict.fromkeys(names, 1 / len(names)) for key, names in labels.items()}
        self.wanted = {}  # what each row of the strategy summed to before it was scaled to 1
        payoffs = [payoff for node in nodes(self.root) for payoff in node.payoffs]
        self.rounding = 2**-44 * max(
            map(abs, payoffs), default=0.0
        )  # positive regrets that are taken for 0
        self.t = 0

    def iterate(self):
        self.t += 1
        for updating in self.passes:
            self.cf_value = {key: dict.fromkeys(row, 0.0) for key, row in self.strategy.items()}
            self.own_reach = {}
            self.visit(self.root, [1.0] * self.players, 1.0)
            for key in self.strategy:
                if key[0] in updating:
                    self.update(key)

    def visit(self, node, reach, chance_reach):
        """Return what each player earns from here on, and add up the counterfactual values on the way."""
        if node.player == TERMINAL:
            return node.payoffs
        values = [0.0] * self.players
        for label, child in node.children.items():
            if node.player == CHANCE:
                p = node.probabilities[label]
                below = self.visit(child, reach, chance_reach * p)
            else:
                p, others = (
                    self.strategy[node.key][label],
                    reach[: node.player] + reach[node.player + 1 :],
                )
                own = reach[node.player] * p
                below = self.visit(
                    child, [*reach[: node.player], own, *reach[node.player + 1 :]], chance_reach
                )
                self.cf_value[node.key][label] += (
                    chance_reach * math.prod(others) * below[node.player]
                )
                self.own_reach[node.key] = reach[node.player]
            values = [value + p * more for value, more in zip(values, below, strict=True)]
        return values

    def update(self, key):
        row, t, played, q = self.row, self.t, dict(self.strategy[key]), self.cf_value[key]
        value = sum(played[a] * q[a] for a in played)
        wanted = {}
        for a, probability in played.items():
            instant_regret = q[a] - value
            regret = self.regret_sum[key][a]
            regret = self.keep(row.alpha if regret > 0 else row.beta, t) * regret + instant_regret
            self.regret_sum[key][a] = regret = max(regret, 0.0) if row.floor else regret
            again = self.keep(row.alpha, t + 1) if row.discount_predicted else 1.0
            wanted[a] = max(again * regret + row.predict * instant_regret, 0.0)
            since = t - 1 - self.restarted(row.restart, t - 1)
            fade = (since / (since + 1)) ** self.at(row.gamma, t - 1) if since else 0.0
            self.strategy_sum[key][a] = (
                fade * self.strategy_sum[key][a] + self.own_reach[key] * probability
            )
        self.wanted[key], self.strategy[key] = sum(wanted.values()), shares(wanted, self.rounding)

    def keep(self, exponent, t):
        if exponent is None or t == 1:  # before the first iteration there is nothing to keep
            return 1.0
        power = (t - 1) ** self.at(exponent, t - 1)
        return power / (power + 1)

    def restarted(self, factor, done):
        last, following = 0, 1
        while factor is not None and following <= done:
            last, following = following, max(following + 1, math.floor(following * factor))
        return last

    def at(self, exponent, t):
        return (
            exponent.start + exponent.slope * t / self.horizon
            if isinstance(exponent, Ramp)
            else exponent
        )

    def average(self):
        return {key: shares(row) for key, row in self.strategy_sum.items()}


def shares(row, least=0.0):
    """Return each action's share, the same for all where there is nothing to share, or no more than ``least``."""
    total = sum(row.values())
    return {a: x / total if total > least else 1 / len(row) for a, x in row.items()}


def values(node, strategy):
    """Return what each player earns when all follow the strategy."""
    if node.player == TERMINAL:
        return node.payoffs
    mix = node.probabilities if node.player == CHANCE else strategy[node.key]
    below = [(mix[label], values(child, strategy)) for label, child in node.children.items()]
    return tuple(sum(p * value[i] for p, value in below) for i in range(len(below[0][1])))


def best_response(root, strategy, *, player):
    """Return the best response of a player as {infoset: action}, and what it earns."""
    reached, chosen = {}, {}

    def collect(node, cf_reach):
        if node.player == player:
            reached.setdefault(node.key, []).append((cf_reach, node))
        for label, child in node.children.items():
            mix = (
                {label: 1.0}
                if node.player == player
                else strategy.get(node.key, node.probabilities)
            )
            collect(child, cf_reach * mix[label])

    def best(key):
        if key not in chosen:
            labels = reached[key][0][1].children
            chosen[key] = max(
                labels, key=lambda a: sum(r * earn(node.children[a]) for r, node in reached[key])
            )
        return chosen[key]

    def earn(node):
        if node.player == TERMINAL:
            return node.payoffs[player]
        if node.player == player:
            return earn(node.children[best(node.key)])
        mix = strategy.get(node.key, node.probabilities)
        return sum(mix[label] * earn(child) for label, child in node.children.items())

    collect(root, 1.0)
    value = earn(root)
    return {key: best(key) for key in reached}, value


def nash_conv(root, strategy, players):
    """Return Σ over players of (best-response value − value)."""
    own = values(root, strategy)
    return sum(best_response(root, strategy, player=p)[1] - own[p] for p in range(players))


def external_regret(root, regret_sum, *, player):
    """Return how much better the best fixed plan would have done, from the sums of the local regrets.

    max over plans of Σ_t [u(plan) − u(σ_t)] = Σ over first infosets of V(I), where
    V(I) = max_a (regret_sum(I, a) + Σ over the player's next infosets of V(I')).
    """
    after = {}  # (infoset, action) or None: the player's next infosets

    def collect(node, last):
        if node.player == player:
            after.setdefault(last, set()).add(node.key)
        for label, child in node.children.items():
            collect(child, (node.key, label) if node.player == player else last)

    def best(key):
        row = regret_sum[key]
        return max(row[a] + sum(map(best, after.get((key, a), ()))) for a in row)

    collect(root, None)
    return sum(map(best, after.get(None, ())))
