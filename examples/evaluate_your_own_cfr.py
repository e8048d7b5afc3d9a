"""Use Equilibrist as the referee of a strategy that your own code has computed."""

import equilibrist as eq

# Almost an equilibrium: but somebody bets with the queen.
mine = {
    "J": {"p": 2 / 3, "b": 1 / 3},
    "Q": {"p": 0.5, "b": 0.5},
    "K": {"b": 1.0},
    "Jpb": {"p": 1.0},
    "Qpb": {"p": 1 / 3, "b": 2 / 3},
    "Kpb": {"b": 1.0},
    "Jp": {"p": 2 / 3, "b": 1 / 3},
    "Qp": {"p": 1.0},
    "Kp": {"b": 1.0},
    "Jb": {"p": 1.0},
    "Qb": {"p": 2 / 3, "b": 1 / 3},
    "Kb": {"b": 1.0},
}
judgement = eq.evaluate("kuhn", mine)
print(f"nash_conv {judgement.nash_conv:.4f}")
for loss in judgement.losses[:3]:
    print(f"player {loss.player} loses {loss.loss:.4f} at {loss.infoset}")
