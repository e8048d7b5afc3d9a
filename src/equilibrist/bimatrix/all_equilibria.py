"""All extreme equilibria of a two-player game, from its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.stopwatch import Seconds, stopwatch
from ..errors import AlgorithmError, GameTooLargeError, SolutionError
from ..evaluation.rational import RationalGame, share_out, short_fraction, walk_in_fractions
from ..form.limits import CompileBudget, Limits, compile_budget
from ..form.sequence.build import check_and_unfold, compile_within
from ..game.protocol import Game, game_name
from ..games.load import game_text, load
from ..games.matrix import Payoffs
from ..show.numbers import format_estimate
from .check import Response, find_reach, respond
from .enumerate import ExtremePairs, Mixture, list_extreme_pairs
from .equilibria import Equilibria, ExtremeEquilibrium
from .normal_form import Bimatrix, Plan, count_plans, make_bimatrix, mixture_to_behaviour
from .subsets import NashSubset, find_structure
from .vertices import most_vertices

MOST_VERTICES = 160_000
"""That a polytope may have by its dimensions: 14 × 14 plans take seconds, at worst minutes."""
MOST_PLANS = 200
"""Of a player."""
MOST_HISTORIES = 100_000
"""Of a game with so few plans, where chance may have many outcomes: some ten seconds."""
_REPORT_EVERY = 500  # equilibria that are checked
_LARGEST_ESTIMATE = 10**300

Say = Callable[[str], object]


def all_equilibria(
    game: str | Game | Payoffs, *, limits: Limits | None = None, callbacks: AnyCallbacks = None
) -> Equilibria:
    """Return all equilibria of a small game of two players, in fractions, by their extreme points.

    The payoffs need not sum to 0. A tree is brought into reduced normal form, whose pure plans are
    what a player mixes. The game may be degenerate: where equilibria are a continuum, its extreme
    points are listed, with the maximal Nash subsets and the connected components that they span.

    Parameters
    ----------
    game : Game or str
        Anything that :func:`load` takes, with two players who have perfect recall. Payoffs in
        floating point are taken for the simplest ratio that they are: 0.1 is 1/10.
    limits : Limits, optional
        Where to give up on exploring the game, as for :func:`compile_game`.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way
        (``on_stage``).

    Returns
    -------
    Equilibria
        Each extreme equilibrium has been checked in fractions, by best responses in the game
        itself.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed, or has too many plans: up to 14 × 14 are
        taken, and more where one player has few of them, such as 2 × 100.
    AlgorithmError
        The game does not have two players.

    Notes
    -----
    Vertices of both best-response polytopes are enumerated by the double description method, and
    compared by their labels. A random game of 12 × 12 plans takes a second.

    References
    ----------
    Avis, Rosenberg, Savani & von Stengel 2010, "Enumeration of Nash equilibria for two-player
    games". There vertices are enumerated by reverse search.

    Examples
    --------
    >>> import equilibrist as eq
    >>> sexes = eq.load("matrix(payoffs=[[3, 0], [0, 2]], payoffs2=[[2, 0], [0, 3]])")
    >>> result = eq.all_equilibria(sexes)
    >>> for equilibrium in result.equilibria:
    ...     print(equilibrium, *equilibrium.payoffs)
    <ExtremeEquilibrium: r1 against c1> 3 2
    <ExtremeEquilibrium: r2 against c2> 2 3
    <ExtremeEquilibrium: 3/5 r1 + 2/5 r2 against 2/5 c1 + 3/5 c2> 6/5 6/5
    """
    on_stage = stage_listener(callbacks, "all_equilibria")
    say = on_stage or (lambda text: None)
    budget = compile_budget(limits, "all_equilibria")._replace(on_stage=on_stage)
    seconds: Seconds = {}
    with stopwatch(seconds, "walk"):
        walked, unreached = _walk(game, budget, say)
        bimatrix = make_bimatrix(walked)
    with stopwatch(seconds, "solve"):
        extreme = list_extreme_pairs(bimatrix.payoffs, say)
        pairs = sorted(extreme.pairs, key=lambda pair: _reading_order(extreme, pair))
        structure = find_structure(pairs)
    with stopwatch(seconds, "certify"):
        equilibria = tuple(_make_equilibria(walked, bimatrix, extreme.mixtures, pairs, say))
    if unreached:
        equilibria = tuple(
            replace(equilibrium, behaviour={**equilibrium.behaviour, **unreached})
            for equilibrium in equilibria
        )
    numbers = {pair: number for number, pair in enumerate(pairs)}
    subsets = [_number_pairs(subset, numbers) for subset in structure.subsets]
    components = [
        tuple(sorted({number for subset in component for number in subsets[subset]}))
        for component in structure.components
    ]
    first_plans, second_plans = bimatrix.plans
    return Equilibria(
        game=game_text(game, walked.name),
        plans=(len(first_plans), len(second_plans)),
        vertices=extreme.vertices,
        is_degenerate=extreme.is_degenerate,
        equilibria=equilibria,
        subsets=tuple(sorted(subsets)),
        components=tuple(sorted(components)),
        seconds=seconds,
    )


Behaviour = dict[tuple[int, str], dict[str, Fraction]]
"""The probability of each action at each (player, infoset)."""


def _walk(
    game: str | Game | Payoffs, budget: CompileBudget, say: Say
) -> tuple[RationalGame, Behaviour]:
    """Return a game in fractions that is small enough, without infosets where play cannot come.

    For these, to which only an outcome of chance with probability 0 leads, uniform behaviour is
    returned beside it.
    """
    rules = load(game)
    name = game_name(rules)
    players = getattr(rules, "players", 2)  # which games of cards do not say
    if players != 2:
        raise AlgorithmError(
            f"All equilibria are enumerated in games of two players; {name} has {players}. "
            "Solve it (equilibrist solve), or find a correlated equilibrium "
            "(equilibrist correlated)."
        )
    is_limited = budget.max_histories is not None
    if not is_limited:
        budget = budget._replace(max_histories=MOST_HISTORIES)
    try:
        unfolded = check_and_unfold(rules)
        compile_within(unfolded, budget, keep_tree=False)
    except GameTooLargeError:
        if is_limited:
            raise
        raise GameTooLargeError(
            f"{name} has more than {MOST_HISTORIES:,} histories, too many for all equilibria. "
            f"{_INSTEAD}"
        ) from None
    whole = walk_in_fractions(unfolded, say)
    walked = _leave_out_impossible(whole)
    _check_size(walked)
    unreached: Behaviour = {
        (infoset.player, infoset.key): share_out(
            infoset.actions, [Fraction(0)] * len(infoset.actions)
        )
        for infoset in whole.infosets
        if not infoset.happens
    }
    return walked, unreached


def _leave_out_impossible(game: RationalGame) -> RationalGame:
    """Return a game without the infosets and ends to which only outcomes of probability 0 lead."""
    infosets = [infoset for infoset in game.infosets if infoset.happens]
    sequences = set(range(game.players))
    for infoset in infosets:
        sequences.update(range(infoset.first, infoset.end))
    ends = [end for end in game.ends if sequences.issuperset(end.sequences)]
    return game._replace(infosets=infosets, ends=ends)


_INSTEAD = (
    "Choose a smaller game; where it is zero-sum, eq.exact (equilibrist exact) finds one "
    "equilibrium."
)


def _check_size(game: RationalGame) -> None:
    """Refuse a game whose polytopes may have too many vertices."""
    counts = [count_plans(game, player) for player in range(2)]
    plans_text = " × ".join(map(_estimate, counts))
    if max(counts) > MOST_PLANS:
        raise GameTooLargeError(
            f"{game.name} has {plans_text} reduced plans; all equilibria are enumerated of games "
            f"with at most {MOST_PLANS} plans of a player. {_INSTEAD}"
        )
    bound = max(most_vertices(count, sum(counts)) for count in counts)
    if bound > MOST_VERTICES:
        raise GameTooLargeError(
            f"{game.name} has {plans_text} reduced plans, whose polytopes have up to "
            f"{_estimate(bound)} vertices; at most {MOST_VERTICES:,} are enumerated, which "
            f"14 × 14 plans stay below. {_INSTEAD}"
        )


def _estimate(count: int) -> str:
    """Return a count as text, all digits of it where it is small."""
    if count < 10**6:
        return f"{count:,}"
    if count > _LARGEST_ESTIMATE:
        return "more than 1e+300"
    return format_estimate(float(count))


class _ReadingOrder(NamedTuple):
    """What comes first: fewer plans, then those with lower numbers, then all probabilities."""

    num_played: int
    played: tuple[list[int], list[int]]
    mixtures: tuple[Mixture, Mixture]


def _reading_order(extreme: ExtremePairs, pair: tuple[int, int]) -> _ReadingOrder:
    """Return the place of an equilibrium among all of them."""
    first = extreme.mixtures[0][pair[0]]
    second = extreme.mixtures[1][pair[1]]
    first_played = [number for number, probability in enumerate(first) if probability]
    second_played = [number for number, probability in enumerate(second) if probability]
    num_played = len(first_played) + len(second_played)
    return _ReadingOrder(num_played, (first_played, second_played), (first, second))


def _number_pairs(subset: NashSubset, numbers: dict[tuple[int, int], int]) -> tuple[int, ...]:
    """Return the numbers of the extreme equilibria of a maximal Nash subset."""
    pairs = [(first, second) for first in subset.first for second in subset.second]
    return tuple(sorted(numbers[pair] for pair in pairs))


def _make_equilibria(
    game: RationalGame,
    bimatrix: Bimatrix,
    mixtures: tuple[Sequence[Mixture], Sequence[Mixture]],
    pairs: Sequence[tuple[int, int]],
    say: Say,
) -> Iterator[ExtremeEquilibrium]:
    """Yield extreme equilibria as records, each checked by best responses in the game itself."""
    say(f"Best responses to {len(mixtures[0]) + len(mixtures[1]):,} strategies")
    players = [
        _make_mixed_players(game, player, bimatrix.plans[player], mixtures[player])
        for player in range(2)
    ]
    for number, (first, second) in enumerate(pairs):
        if number % _REPORT_EVERY == 0:
            say(f"Checking {len(pairs):,} equilibria: {number:,} are equilibria")
        both = (players[0][first], players[1][second])
        payoffs = _check(game, both)
        yield ExtremeEquilibrium(
            strategies=(both[0].strategy, both[1].strategy),
            behaviour=both[0].behaviour | both[1].behaviour,
            payoffs=payoffs,
        )


class _Mixed(NamedTuple):
    """A mixed strategy of a player.

    Attributes
    ----------
    strategy : dict
        The probability of each plan, by its name.
    behaviour : dict
        The probability of each action at each (player, infoset).
    reach : dict
        The probability of each sequence of the player.
    response : Response
        What the other player can earn against it.
    """

    strategy: dict[str, Fraction]
    behaviour: Behaviour
    reach: dict[int, Fraction]
    response: Response


def _make_mixed_players(
    game: RationalGame, player: int, plans: Sequence[Plan], mixtures: Sequence[Mixture]
) -> list[_Mixed]:
    """Return mixtures of a player's plans, with what the other player can earn against each."""
    names = [plan.name for plan in plans]
    mixed_strategies = []
    for mixture in mixtures:
        behaviour = mixture_to_behaviour(game, player, plans, mixture)
        reach = find_reach(game, player, behaviour)
        mixed_strategies.append(
            _Mixed(
                strategy=dict(zip(names, mixture, strict=True)),
                behaviour=behaviour,
                reach=reach,
                response=respond(game, 1 - player, reach),
            )
        )
    return mixed_strategies


def _check(game: RationalGame, both: tuple[_Mixed, _Mixed]) -> tuple[Fraction, Fraction]:
    """Return what both players receive, having seen that neither gains by a best response."""
    first, second = both
    payoffs = (second.response.earn(first.reach), first.response.earn(second.reach))
    best = (second.response.best, first.response.best)
    if payoffs != best:
        gains = [short_fraction(most - value) for most, value in zip(best, payoffs, strict=True)]
        raise SolutionError(
            f"{game.name}: an answer of the enumeration is no equilibrium: by best responses the "
            f"players gain {' and '.join(gains)}. This is a mistake of Equilibrist."
        )
    return payoffs
