"""Types of what the library returns and asks for, which nobody constructs, as ``eq.types``."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__package__, __file__)
