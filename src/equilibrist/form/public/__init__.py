"""The public form of games of hidden hands: each public state once, with arrays over the hands of both players.

`build` compiles; `form` is the compiled game; `walk` and `walker` go through the public tree for
kernels.
"""
