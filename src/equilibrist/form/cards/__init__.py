"""The compiled form of card games: a betting tree, the same on every board, and the boards.

Import ``CardForm`` from ``form``, ``compile_cards`` from ``build``, and kernels' helpers from ``walk``.
"""
