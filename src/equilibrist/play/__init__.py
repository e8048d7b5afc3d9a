"""Play against a strategy, or one strategy against another, with the cost of each choice.

Import `play.session` and `play.match`; this room imports `solving` and what is before it.
"""
