"""How good a strategy is: certificates, evaluation, the linear programme, action values and reach.

Import `certificate`, `evaluate`, `action_values`, `reach` and `linear_program` from here; this room imports
`strategy` and what is before it.
"""
