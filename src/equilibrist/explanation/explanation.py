"""The explanation of an iteration: its records, and how they are shown."""

from __future__ import annotations

from .records import ExplainedIteration
from .rendering import as_markdown, as_text


class Explanation(ExplainedIteration):
    """One iteration of a CFR variant, number by number; :func:`equilibrist.explain` makes it.

    Printing it shows a tree, and a notebook shows a table.

    Attributes
    ----------
    game, algorithm, sampling : str
        As they were given.
    iteration : int
        Which one; the first is 1.
    alternating : bool
        Whether players update in turn.
    seed : int or None
        What decided the samples; None where nothing is drawn.
    deal : str
        The outcomes of chance that are shown; empty for all, or for those that were drawn.
    players : int
        Number of players.
    discount : tuple of float
        What positive and negative regret sums are multiplied by on entering the iteration, and the strategy sums.
    walks : tuple of Walk
        With alternating updates one for each player; else one, where all players saw the same histories.
    updates : dict
        {(player, infoset): :class:`Update`} for the infosets on the walks whose player is updated.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        nodes = sum(len(walk.nodes) for walk in self.walks)
        return f"<Explanation of iteration {self.iteration} of {self.algorithm} on {self.game}: {nodes:,} histories>"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, width: int = 120) -> str:
        """Return a tree of the histories with a line for each action, at most so many characters wide."""
        return as_text(self, width)

    def to_markdown(self) -> str:
        """Return tables in Markdown."""
        return as_markdown(self)
