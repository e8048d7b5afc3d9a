"""Networks in the place of tables: Deep CFR, DREAM and magnetic mirror descent, as ``eq.deep``."""

from .._util.lazy_names import attach_names as _attach_names

__getattr__, __dir__, __all__ = _attach_names(__name__, __file__)
