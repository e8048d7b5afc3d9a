"""The solvers of full-width CFR, by the form that a game is compiled into."""

from __future__ import annotations

from ..form.cards.form import CardForm
from ..form.public.form import PublicForm
from ..form.ranges.form import RangeForm
from ..form.sequence.form import SequenceForm
from .card_cfr import CardCFR
from .full_width import FullWidthCFR
from .public_cfr import PublicCFR
from .range_cfr import RangeCFR
from .sequence_cfr import SequenceCFR

CPU = "cpu"
FULL_WIDTH: dict[tuple[str, str], type[FullWidthCFR]] = {
    (CPU, SequenceForm.kind): SequenceCFR,
    (CPU, PublicForm.kind): PublicCFR,
    (CPU, CardForm.kind): CardCFR,
    (CPU, RangeForm.kind): RangeCFR,
}
"""The solver for each backend and kind of compiled game; all take the same parameters."""

BACKENDS = tuple(dict.fromkeys(backend for backend, _ in FULL_WIDTH))
"""Where kernels run."""
