"""Equilibrist: solve imperfect-information games, prove how good the answer is, and show why."""

# No module may have the name of a public function: importing the module would put it in the
# function's place.
import lazy_loader as _lazy

from ._old_names import OLD_NAMES as _OLD_NAMES
from ._old_names import find_old_name as _find_old_name
from ._util.display import Display as _Display

_find_public, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name in _OLD_NAMES:
        return _find_old_name(name)
    return _find_public(name)


def _render(shown: object, *, page: bool) -> str:
    from .show.notebook import render, render_page

    if page:
        return render_page(shown)
    return render(shown)


_Display._render = staticmethod(_render)
