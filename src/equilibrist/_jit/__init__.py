"""All that is Numba's or LLVM's: compiling and its cache, explicit vectors of eight, random numbers, hash tables.

Every room may import it; it knows nothing of games.

Who imports a part of Numba says ``import numba`` before: threads that begin with different parts of
it at once, as the first requests of a page do, would see modules that are half imported.
"""
