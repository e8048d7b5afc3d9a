"""All that is Numba's or LLVM's: compiling and its cache, explicit vectors of eight, random numbers, hash tables.

Every room may import it; it knows nothing of games.
"""
