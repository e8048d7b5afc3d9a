"""What a saved run is a run of, as routes ask it: the general answers, and the table of those that wings give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .._util.places import import_place
from .._util.spec import GAMBIT_FILES
from ..errors import EquilibristError
from ..play.training import infosets_to_train

if TYPE_CHECKING:
    from .respond import Fields
    from .workspace import OpenRun

SUBJECTS: tuple[str, ...] = ("poker.pages.subjects:find_subject",)
"""Functions that return the subject of a run of their games, and None of any other run."""


class RunSubject:
    """A run that is looked at infoset by infoset; wings make subclasses of it.

    Attributes
    ----------
    run : OpenRun
        The run; its lock is held by who asks.
    has_lines : bool
        Whether it is looked at by lines and hands, in the place of infosets.
    has_spot : bool
        Whether it is a solved spot, whose decisions are looked at by lines.
    lacks : str
        What the page does not show of it, in sentences.
    leads_to_flops : bool
        Whether its lines lead to spots on a flop.
    """

    has_lines: ClassVar[bool] = False
    has_spot: ClassVar[bool] = False
    lacks: ClassVar[str] = ""

    def __init__(self, run: OpenRun) -> None:
        self.run = run

    @property
    def leads_to_flops(self) -> bool:
        return False

    @property
    def drawn(self) -> Any:
        """What pictures of decisions take."""
        return self.run.solution

    def names(self) -> tuple[str, ...]:
        """Return the names of the players, those of a file of Gambit; empty where there are none."""
        if not self.run.solution.game.lower().endswith(GAMBIT_FILES):
            return ()
        try:
            return tuple(self.run.game.names)
        except EquilibristError:  # the file has gone
            return ()

    def classes(self) -> list[dict[str, Any]]:
        """Return the lines after which classes of hands decide; none where infosets are no classes."""
        return []

    def decision(self, infoset: dict[str, Any]) -> dict[str, Any] | None:
        """Return what is known of the decision of an infoset beside its numbers; None where there is nothing."""
        return None

    def probabilities(self, fields: Fields) -> dict[str, Any] | None:
        """Return what is played at a decision that fields name by line and hand; None where infosets name it."""
        return None

    def find_node(self, line: str, board: str | None) -> Any:
        """Return the decision after a line, whose hands make a table; None where decisions are infosets."""
        return None

    def places_to_train(self) -> list[dict[str, Any]]:
        """Return the decisions at which hands can be dealt, those first where most is at stake."""
        return infosets_to_train(self.run.form, self.run.solution)


def find_subject(run: OpenRun) -> RunSubject:
    """Return what a run is a run of."""
    for place in SUBJECTS:
        subject: RunSubject | None = import_place(place)(run)
        if subject is not None:
            return subject
    return RunSubject(run)
