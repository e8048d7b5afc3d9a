"""Terminal payoffs of public games: one file a kind, each with the encoder and the kernel of that kind.

`terminal.payoffs` is the record that a public form holds and the choice of a kind; see
docs/add-a-payoff.md.
"""
