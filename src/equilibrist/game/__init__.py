"""What a game is: protocols of rules and public games, deals of cards, rules that compile, and checks of all of them.

Games need `game.protocol`, `game.public` (with `game.deal`) or `game.rules`, their tests
`game.contract`; `form` and `mccfr` ask rules by `game.checked` and `game.compiled_rules`. This room
imports `errors`, `_util` and `_jit` alone.
"""
