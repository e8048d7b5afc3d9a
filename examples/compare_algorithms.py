"""Every algorithm on one game: exploitability after the same number of iterations."""

import equilibrist as eq

for name in eq.ALGORITHMS:
    solution = eq.solve("leduc", name, iterations=300)
    print(f"{name:10} exploitability {solution.exploitability:.2e}")
