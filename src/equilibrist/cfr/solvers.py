"""The solvers of full-width CFR, by the form that a game is compiled into."""

from __future__ import annotations

from ..form.cards.form import CardForm
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from .card_cfr import CardCFR
from .full_width import FullWidthCFR
from .public_cfr import PublicCFR
from .sequence_cfr import SequenceCFR

FULL_WIDTH: dict[str, type[FullWidthCFR]] = {
    SequenceForm.kind: SequenceCFR,
    PublicForm.kind: PublicCFR,
    CardForm.kind: CardCFR,
}
"""The solver for each kind of compiled game; all take the same parameters."""
