"""Where games come from: the built-in ones, OpenSpiel, Gambit files and files of Python.

`games.registry` lists the built-in games, `games.load` finds any game by its text; imports `game` and `form`.
"""
