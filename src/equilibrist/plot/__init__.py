"""Pictures of games, strategies and runs, as Matplotlib figures; Matplotlib is imported when the first one is drawn."""

# No module may have the name of a public function: importing the module would put it in the
# function's place.
from .._util.lazy_names import attach_names as _attach_names

__getattr__, __dir__, __all__ = _attach_names(__name__, __file__)
