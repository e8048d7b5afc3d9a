"""Poker: spots, ranges, equities, boards, charts and graded hands, as ``eq.poker``."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__package__, __file__)
