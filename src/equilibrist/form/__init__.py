"""A game compiled into flat arrays: sequence form (any game), public form (a DAG of public states), card form (poker).

A folder for each form, of the same plan: `build` compiles, `form` is what solvers and evaluation
read, `passes` are its kernels. What all three answer is in `compiled_game`. The fourth folder,
`walk`, stores nothing of a game and asks its rules again. Imports `game` alone.
"""
