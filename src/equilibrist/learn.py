"""Explanations for learners: what an iteration does, step by step, as ``eq.learn``."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__package__, __file__)
