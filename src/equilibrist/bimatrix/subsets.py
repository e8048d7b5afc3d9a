"""Maximal Nash subsets and connected components: what the set of all equilibria is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class NashSubset(NamedTuple):
    """A maximal set of mixtures of both players of which any two are an equilibrium.

    Attributes
    ----------
    first, second : tuple of int
        Numbers of extreme mixtures of player 0, and of player 1. All points of their convex hulls
        are equilibria with each other.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]


class Structure(NamedTuple):
    """What the set of all equilibria is made of.

    Attributes
    ----------
    subsets : list of NashSubset
        The maximal Nash subsets: all equilibria are the union of (hull of ``first``) × (hull of
        ``second``).
    components : list of list of int
        The numbers of the subsets of each connected component.
    """

    subsets: list[NashSubset]
    components: list[list[int]]


def find_structure(pairs: Iterable[tuple[int, int]]) -> Structure:
    """Return the maximal Nash subsets and the connected components of all extreme equilibria.

    In the graph in which each extreme equilibrium (x, y) is an edge, the former are the maximal
    complete bipartite subgraphs, and the latter the connected components.

    Parameters
    ----------
    pairs : iterable of (int, int)
        The extreme equilibria, as numbers of a mixture of player 0 and of player 1.

    References
    ----------
    Winkels 1979, "An algorithm to determine all equilibrium points of a bimatrix game"; Avis,
    Rosenberg, Savani & von Stengel 2010, "Enumeration of Nash equilibria for two-player games".
    """
    subsets: list[NashSubset] = []
    components: list[list[int]] = []
    for partners in _split_into_components(pairs):
        component_subsets = sorted(_list_subsets(partners))
        components.append(list(range(len(subsets), len(subsets) + len(component_subsets))))
        subsets += component_subsets
    return Structure(subsets, components)


def _split_into_components(pairs: Iterable[tuple[int, int]]) -> Iterator[dict[int, set[int]]]:
    """Yield for each connected component its mixtures of player 0, each with its partners."""
    partners_of_first: dict[int, set[int]] = {}
    partners_of_second: dict[int, set[int]] = {}
    for first, second in pairs:
        partners_of_first.setdefault(first, set()).add(second)
        partners_of_second.setdefault(second, set()).add(first)
    unseen = dict(partners_of_first)
    while unseen:
        component: dict[int, set[int]] = {}
        waiting = [next(iter(unseen))]
        while waiting:
            first = waiting.pop()
            if first not in unseen:
                continue
            component[first] = unseen.pop(first)
            for second in component[first]:
                waiting += partners_of_second.pop(second, ())  # each is followed once
        yield component


def _list_subsets(partners: dict[int, set[int]]) -> Iterator[NashSubset]:
    """Yield the maximal complete subgraphs of a connected bipartite graph.

    Either side of each is an intersection of neighbourhoods of the other side. All intersections
    are made for the smaller side's neighbours, which are fewer.
    """
    partners_of_second: dict[int, set[int]] = {}
    for first, seconds in partners.items():
        for second in seconds:
            partners_of_second.setdefault(second, set()).add(first)
    if len(partners) <= len(partners_of_second):
        for second_side in _list_intersections(partners.values()):
            yield NashSubset(_list_common(partners, second_side), tuple(sorted(second_side)))
    else:
        for first_side in _list_intersections(partners_of_second.values()):
            second_tuple = _list_common(partners_of_second, first_side)
            yield NashSubset(tuple(sorted(first_side)), second_tuple)


def _list_intersections(neighbourhoods: Iterable[set[int]]) -> set[frozenset[int]]:
    """Return all intersections of some sets that are not empty."""
    intersections: set[frozenset[int]] = set()
    for neighbourhood in map(frozenset, neighbourhoods):
        if neighbourhood not in intersections:
            smaller = {others & neighbourhood for others in intersections}
            intersections |= {neighbourhood, *smaller}
    return intersections - {frozenset()}


def _list_common(partners: dict[int, set[int]], side: frozenset[int]) -> tuple[int, ...]:
    """Return who has all of a side as partners."""
    return tuple(sorted(number for number, others in partners.items() if others >= side))
