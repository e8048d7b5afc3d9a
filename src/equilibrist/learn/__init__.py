"""Explanations for learners: what an iteration does, step by step, as ``eq.learn``."""

from .._util.lazy_names import attach_names as _attach_names

__getattr__, __dir__, __all__ = _attach_names(__name__, __file__)
