"""What a game is: the protocol of rules, public games, rules that compile, and the checks of what rules answer.

A game needs `game.protocol` (or `game.public`, `game.rules`); it imports `errors`, `_util` and `_jit` alone.
"""
