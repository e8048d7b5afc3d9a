"""What is true of every game of a form: whoever must know what a form is like asks here, and never which form it is.

Nothing is imported for it, so that a command can tell of forms, and of saved runs, before any
kernel is loaded.
"""

from __future__ import annotations

from typing import ClassVar

from ..errors import GameError


class FormTraits:
    """Traits of a form; each form has its own below.

    Attributes
    ----------
    kind : str
        Name of the form, as in ``solve(form=…)``.
    title : str
        What it is, in words.
    is_complete : bool
        Whether the game is compiled; otherwise its rules are sampled or walked, and tables by
        infoset are all there is.
    is_counted : bool
        Whether all histories have been made once, so that their number is known, and whether
        payoffs sum to 0.
    default_algorithm : str
        What ``algorithm="auto"`` stands for, of full-width runs: of all algorithms, this one needs
        the fewest iterations to a given exploitability over the games that were measured (``python
        -m benchmarks.quality``; docs/algorithms.md).
    default_precision : str
        How tables are stored where nobody says.
    precisions : tuple of str
        How tables can be stored.
    keeps_names : bool
        Whether a saved strategy always has the names of its infosets; otherwise they may be left to
        the game.
    keeps_weights : bool
        Whether a solved strategy stays the weights at the slots, of which each infoset plays its
        shares.
    saves_streets : bool
        Whether the first streets of a strategy may be saved without the others.
    has_entries : bool
        Whether the entries of payoffs by sequences are there, which the linear programme needs.
    asks_for_values : bool
        Whether a function adds to the values of slots, which is asked in every iteration.
    certificate_is_slow : bool
        Whether a certificate takes longer than an iteration, so that there are fewer of them on the
        way to a limit.
    certificate_is_walked : bool
        Whether a certificate is a walk through the whole game, whose turn comes when iterations
        have counted several times its work.
    has_three_ranges : bool
        Whether three players hold hands of ranges, whose decisions are shown by hands.
    smaller : str
        How to take less memory than a run with all tables, in words.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    is_complete: ClassVar[bool] = True
    is_counted: ClassVar[bool] = True
    default_algorithm: ClassVar[str] = "sapcfr+"
    default_precision: ClassVar[str] = "float64"
    precisions: ClassVar[tuple[str, ...]] = ("float64", "float32")
    keeps_names: ClassVar[bool] = True
    keeps_weights: ClassVar[bool] = False
    saves_streets: ClassVar[bool] = False
    has_entries: ClassVar[bool] = False
    asks_for_values: ClassVar[bool] = False
    certificate_is_slow: ClassVar[bool] = False
    certificate_is_walked: ClassVar[bool] = False
    has_three_ranges: ClassVar[bool] = False
    smaller: ClassVar[str] = "sample it without keeping all of it (sampling='external(tree=False)')"


class NoForm(FormTraits):
    """Traits of a game that is sampled without being compiled."""

    kind = "none"
    title = "no form"
    is_complete = is_counted = False


class SequenceTraits(FormTraits):
    """Traits of a sequence form."""

    kind = "sequence"
    title = "sequence form"
    has_entries = True


class PublicTraits(FormTraits):
    """Traits of a public form."""

    kind = "public"
    title = "public form"
    keeps_names = False


class CardTraits(FormTraits):
    """Traits of a card form.

    The algorithm is another because on spots of hold'em it takes some six iterations where the
    usual one takes ten (``python -m benchmarks.holdem --algorithm``; docs/holdem.md).
    """

    kind = "cards"
    title = "card form"
    default_algorithm = "dcfr+"
    default_precision = "float32"
    precisions = ("float64", "float32", "int16")
    keeps_names = False
    keeps_weights = True
    saves_streets = True
    certificate_is_slow = True
    smaller = "give fewer bet sizes or raises (max_raises=), or start on a later street"


class RangeTraits(FormTraits):
    """Traits of a form of three ranges, which is laid out as a sequence form and paid by hands.

    No theorem says that any algorithm finds an equilibrium of three; ``dcfr`` is the one of which
    the averages were measured (``python -m benchmarks.three_ranges``).
    """

    kind = "ranges"
    title = "form of three ranges"
    default_algorithm = "dcfr"
    keeps_names = False
    keeps_weights = True
    asks_for_values = True
    has_three_ranges = True
    smaller = (
        "give fewer bet sizes or raises (max_raises=), narrower ranges, or start on a later street"
    )


def three_ranges_error(what: str) -> GameError:
    """Return the error for something that is not there for three ranges, ``"locks are"``."""
    return GameError(
        f"With three ranges {what} not there; leave them out, or give two ranges (oop= and ip=).",
        wrong_use=True,
    )


def check_two_ranges(form: object, what: str) -> None:
    """Refuse a form of three ranges for something that is not there for it."""
    if getattr(form, "has_three_ranges", False):
        raise three_ranges_error(what)


class WalkTraits(FormTraits):
    """Traits of a game that is walked in each pass, and of which nothing is stored but tables by infoset."""

    kind = "walk"
    title = "walk"
    is_complete = False
    certificate_is_walked = True


TRAITS: dict[str, type[FormTraits]] = {
    traits.kind: traits
    for traits in (SequenceTraits, PublicTraits, CardTraits, RangeTraits, NoForm, WalkTraits)
}
"""The traits of each form by its name, ``"none"`` and ``"walk"`` included."""


def compiles(form: str | None) -> bool:
    """Return whether games are compiled for runs with a form that is asked for, which may be "auto"."""
    return form not in TRAITS or TRAITS[form].is_complete
