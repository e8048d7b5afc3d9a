"""The explanation of an iteration: its records, and how they are shown."""

from __future__ import annotations

from .layout import write_markdown, write_text
from .records import ExplainedIteration
from .rendering import write_notes
from .story import Step, tell_story


class Explanation(ExplainedIteration):
    """One iteration of a CFR variant, number by number; :func:`equilibrist.learn.explain` makes it.

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
    deals : tuple of str
        The outcomes of chance that all iterations deal, or each of them; with full-width CFR those
        that are shown. Empty where no deal was named.
    players : int
        Number of players.
    discount : tuple of float
        What positive and negative regret sums are multiplied by on entering the iteration, and the
        strategy sums.
    infosets : int
        How many the solver knows: those of the game, or those met so far.
    walks : tuple of Walk
        With alternating updates one for each player; else one, where all players saw the same
        histories.
    updates : dict
        {(player, infoset): :class:`Update`} of all infosets, as far as the solver knows them; of a
        game with more than ``max_nodes`` of those that the walks came to.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        nodes = sum(len(walk.nodes) for walk in self.walks)
        return (
            f"<Explanation of iteration {self.iteration} of {self.algorithm} on {self.game}: "
            f"{nodes:,} histories>"
        )

    def __str__(self) -> str:
        return self.to_text()

    @property
    def notes(self) -> list[str]:
        """What one may be misled by: infosets that no earlier iteration came to, or to which this one adds nothing."""
        return write_notes(self)

    def story(self) -> list[Step]:
        """Return what happens in sentences, in the order of execution; each with its depth in the tree."""
        return list(tell_story(self))

    def to_text(
        self, *, width: int | None = None, story: bool = False, infosets: bool = False
    ) -> str:
        """Return a tree of the histories with a line for each action.

        Parameters
        ----------
        width : int, optional
            The most characters of a line, where that is enough for the tree: the numbers of
            infosets may then stand in a table of their own. By default as many as all columns take.
        story : bool
            Sentences in the order of execution instead of the tree.
        infosets : bool
            All infosets before and after the iteration, too.
        """
        return write_text(self, width, story=story, infosets=infosets)

    def to_markdown(self, *, story: bool = False, infosets: bool = False) -> str:
        """Return the same in Markdown."""
        return write_markdown(self, story=story, infosets=infosets)
