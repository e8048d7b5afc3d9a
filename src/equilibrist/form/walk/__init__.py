"""A game of which nothing is stored: `build` makes it, `form` is what solvers and evaluation read.

Its rules are walked for values (`walk` by kernels, `python` by Python) and sampled (`source_rules`,
`source_python`); `index` numbers the infosets that both meet. Only `build` asks who runs the rules.
"""
