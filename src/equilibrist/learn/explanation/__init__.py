"""An iteration of CFR explained: every reach, value and regret of the histories that it visits.

Import `explanation.explain`; this room imports `solving` and what is before it.
"""
