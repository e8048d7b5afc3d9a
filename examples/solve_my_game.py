"""Solve a game of your own, and read the answer."""

import equilibrist as eq
from my_game import MyKuhn

solution = eq.solve(MyKuhn(), until=1e-6)
print(f"value {solution.value[0]:+.6f}, exploitability {solution.exploitability:.1e}")
for infoset in ("J", "Q", "K"):
    print(infoset, {action: round(p, 3) for action, p in solution.strategy[infoset].items()})
