"""Poker: spots, ranges, equities, boards, charts and graded hands, as ``eq.poker``."""

from .._util.lazy_names import attach_names as _attach_names

__getattr__, __dir__, __all__ = _attach_names(__name__, __file__)
