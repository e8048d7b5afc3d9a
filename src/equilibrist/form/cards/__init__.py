"""The card form: a betting tree, the same on every board, and the boards.

`build` compiles; `form` is the compiled game; `walk` and `walker` go through the boards for
kernels.
"""
