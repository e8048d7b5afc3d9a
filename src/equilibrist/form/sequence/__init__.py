"""The sequence form of any game: infosets and actions as a treeplex, payoffs by the last sequences of the players.

`build` compiles a game by a walk (`walk_jit`, `walk_python`) into `canonical`, from which `form`
derives its layouts.
"""
