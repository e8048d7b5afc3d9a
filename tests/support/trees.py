"""The tree of a game, which the package keeps within its forms."""

from equilibrist.form.limits import MAX_DEPTH, Limits
from equilibrist.form.sequence.build import explore


def walk(game, *, max_histories=None, max_depth=MAX_DEPTH, progress=None):
    """Return the tree of a game, having checked each history on the way, but not whether players forget."""
    return explore(
        game, Limits.make_checked(max_histories, max_depth, progress), keep_tree=True
    ).whole
