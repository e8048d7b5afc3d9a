"""The tree of a game, which the package keeps within its forms."""

from equilibrist.form.limits import MAX_DEPTH, CompileBudget
from equilibrist.form.sequence.build import explore


def walk(game, *, max_histories=None, max_depth=MAX_DEPTH, progress=None):
    """Return the tree of a game, having checked each history on the way, but not whether players forget."""
    return explore(game, CompileBudget(max_histories, max_depth, progress), keep_tree=True).whole
