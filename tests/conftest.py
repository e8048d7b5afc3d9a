"""Hypothesis tries the same examples in every run: a failure is never a matter of luck."""

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None, max_examples=30)
settings.load_profile("same")
