"""Types of what the library returns and asks for, which nobody constructs, as ``eq.types``."""

from ._util.lazy_names import attach_names as _attach_names

__getattr__, __dir__, __all__ = _attach_names(__name__, __file__)
