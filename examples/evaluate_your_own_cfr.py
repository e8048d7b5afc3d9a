"""Use Equilibrist as the referee of a CFR of your own: here a complete one for Kuhn poker, in forty lines."""

import numpy as np

import equilibrist as eq

CARDS = "JQK"
DEALS = [a + b for a in CARDS for b in CARDS if a != b]  # player 0's card first
INFOSETS = [card + moves for card in CARDS for moves in ("", "p", "b", "pb")]
regret_sum = {infoset: np.zeros(2) for infoset in INFOSETS}
strategy_sum = {infoset: np.zeros(2) for infoset in INFOSETS}


def payoff(player, deal, moves):
    """Return what a player wins at the end of a game: p is a pass or a fold, b a bet or a call."""
    if moves.endswith("bp"):  # whoever moved last has folded
        return -1 if player == (len(moves) - 1) % 2 else 1
    stake = 2 if moves.endswith("bb") else 1
    higher = CARDS.index(deal[player]) > CARDS.index(deal[1 - player])
    return stake if higher else -stake


def regret_matching(regrets):
    """Return the strategy in proportion to positive regrets; else the uniform one."""
    positive = np.maximum(regrets, 0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(positive), 1 / len(positive))


def walk(player, deal, moves, own, others, sigma):
    """Return the player's expected payoff after these moves; add to the sums."""
    if moves in ("pp", "pbp", "pbb", "bp", "bb"):
        return payoff(player, deal, moves)
    mover = len(moves) % 2
    infoset = deal[mover] + moves
    value = np.zeros(2)
    for a, move in enumerate("pb"):
        p = sigma[infoset][a]
        reach = (own * p, others) if mover == player else (own, others * p)
        value[a] = walk(player, deal, moves + move, *reach, sigma)
    mean = sigma[infoset] @ value
    if mover == player:
        regret_sum[infoset] += others * (value - mean)
        strategy_sum[infoset] += own * sigma[infoset]
    return mean


for _ in range(1000):
    sigma = {infoset: regret_matching(regret_sum[infoset]) for infoset in INFOSETS}
    for player in (0, 1):
        for deal in DEALS:
            walk(player, deal, "", own=1, others=1 / 6, sigma=sigma)

mine = {
    infoset: dict(zip("pb", total / total.sum(), strict=True))
    for infoset, total in strategy_sum.items()
}
evaluation = eq.evaluate("kuhn", mine)
print(f"exploitability {evaluation.exploitability:.5f}")
for loss in evaluation.losses[:3]:
    print(f"player {loss.player} loses {loss.loss:.5f} at {loss.infoset}")

theirs = eq.solve("kuhn", "cfr(alternating=False)", iterations=1000)  # the same steps
print(f"difference to eq.solve {abs(theirs.exploitability - evaluation.exploitability):.1e}")
print(f"value {evaluation.value[0]:.5f}, that of an equilibrium {eq.exact('kuhn').value[0]:.5f}")
