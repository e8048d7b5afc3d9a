"""Pictures of games, strategies and runs, as Matplotlib figures; Matplotlib is imported when the first one is drawn."""

# No module may have the name of a public function: importing the module would put it in the
# function's place.
import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
