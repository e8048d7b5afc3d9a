"""How good a strategy is: certificates, evaluation, the linear programme, action values and reach.

Import `evaluation.certificate`, `evaluation.evaluate`; this room imports `strategy` and what is before it.
"""
