"""What rules may say of their own compiling, whose histories are too many to be written out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol

from ..game.public import call_offer
from .compiled_game import CompiledGame


class OffersForm(Protocol):
    """Rules that are compiled in their own way; there is nothing to inherit."""

    has_many_deals: ClassVar[bool]
    """Whether deals are too many for a tree of histories: where a tree is nothing but convenient, it is not kept."""

    def offer_form(self, *, keep_tree: bool) -> CompiledGame:
        """Return the compiled game, in the place of one whose histories are written out.

        ``keep_tree`` is whether the tree of histories is needed.

        Raises
        ------
        GameError
            The game cannot be compiled so; the message says what to do instead.
        """


def has_many_deals(rules: object) -> bool:
    """Return whether rules say that they have too many deals for a tree."""
    return bool(getattr(rules, "has_many_deals", False))


def offered_form(rules: Any, *, keep_tree: bool) -> CompiledGame | None:
    """Return the compiled game that rules offer; None where they offer none, or inherit one from other rules."""
    form: CompiledGame | None = call_offer(rules, "offer_form", keep_tree=keep_tree)
    return form


class BucketTableOffer(NamedTuple):
    """What rules say of a table of their game in an abstraction, before it is made.

    Attributes
    ----------
    infosets : int
        Number of its infosets.
    nbytes : int
        Bytes that it takes.
    make : callable
        Returns the table (:class:`~equilibrist.mccfr.table.InfosetTable`), given ``seed`` and the
        ``batch`` of samples.
    """

    infosets: int
    nbytes: int
    make: Callable[..., Any]


def offered_bucket_table(rules: Any, buckets: Any) -> BucketTableOffer | None:
    """Return the table that rules offer for some buckets; None where they offer none."""
    offer: BucketTableOffer | None = call_offer(rules, "offer_bucket_table", buckets=buckets)
    return offer
