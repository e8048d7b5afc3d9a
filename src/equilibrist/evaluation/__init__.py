"""How good a strategy is: evaluation, team responses, the linear programme, action values and reach, spots of hold'em.

Import from the files of this room, which imports `strategy` and what is before it.
"""
