"""Matches of two strategies: the mean payoff of one of them, beside its exact expected payoff."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.display import Display
from .._util.validate import is_whole
from ..errors import AlgorithmError
from ..form.compiled_game import is_compiled
from ..form.limits import Limits, compile_budget
from ..form.sequence.tree import GameTree, history_reach, move_probabilities
from ..game.protocol import Game
from ..game.public import PublicGame
from ..resolving.searcher import Searcher
from ..solving.sources import AnySource
from .dealing import HandInPlay, follow_strategy, make_draw
from .hand import HandLuck
from .opponents import Opponent, make_opponent
from .playable import PlayableGame, compile_playable, solve_opponent
from .session import check_seat, choose_seed
from .variance import AIVAT, Luck, find_variance, worth

DEFAULT_HANDS = 1_000
QUANTILE = 1.959963984540054
"""Of the normal distribution: so many standard errors either side of the mean make an interval of 95 %."""

_REPORT_EVERY = 1_000  # hands
_ROUNDING = 1e-12  # of the largest payoff that was met


class Payoff(NamedTuple):
    """What was earned over some hands; payoff per game.

    Attributes
    ----------
    hands : int
    mean : float
    standard_error : float or None
        Of the mean; None where it cannot be told, from a single hand in some seat.
    exact : float or None
        What is earned on average; None where the game cannot be compiled.
    aivat : Payoff or None
        The same with luck taken out, where that was asked for.
    largest : float
        Payoff that was met, whatever its sign: what rounding is measured by.
    """

    hands: int
    mean: float
    standard_error: float | None
    exact: float | None
    aivat: Payoff | None = None
    largest: float = 0.0

    @property
    def worth(self) -> float | None:
        """How many raw hands tell as much as these do by AIVAT; None where unknown, or AIVAT leaves no variance."""
        if self.aivat is None:
            return None
        return worth(self.hands, self.standard_error, self.aivat.standard_error)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the mean, ± 1.96 standard errors; None where these are."""
        if self.standard_error is None:
            return None
        reach = QUANTILE * self.standard_error
        return self.mean - reach, self.mean + reach

    @property
    def z_score(self) -> float | None:
        """By how many standard errors the mean exceeds the exact value.

        None where that is unknown, or the error is nothing but rounding.
        """
        if self.exact is None or self.standard_error is None:
            return None
        if self.standard_error <= self._rounding:
            return None
        return (self.mean - self.exact) / self.standard_error

    @property
    def holds_exact(self) -> bool | None:
        """Whether the exact value lies in the interval, as it does for 95 of 100 seeds; None where unknown."""
        if self.exact is None or self.interval is None:
            return None
        low, high = self.interval
        return low - self._rounding <= self.exact <= high + self._rounding

    @property
    def _rounding(self) -> float:
        return _ROUNDING * self.largest

    def summary(self) -> dict[str, Any]:
        interval = None if self.interval is None else list(self.interval)
        more = {
            "interval": interval,
            "z_score": self.z_score,
            "holds_exact": self.holds_exact,
            "worth": self.worth,
        }
        return {
            **self._asdict(),
            **more,
            "aivat": None if self.aivat is None else self.aivat.summary(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Match(Display):
    """The outcome of a match.

    Attributes
    ----------
    game : str
        Name of the game.
    players : int
        Number of players.
    seed : int
        What decided the hands.
    sampled : str
        How they were played: ``"tree"``, all at once, or ``"rules"``, one after the other.
    opponent : str
        What the others played, in words, where nothing was given.
    overall : Payoff
        What the strategy earned, over all seats that it had. With several seats they are strata:
        the variance of the mean is Σ (share of the seat)² × the variance of the seat's mean.
    seats : dict of int to Payoff
        The same for each seat.
    lacking : int
        Decisions at infosets that a strategy lacked, played uniformly; counted where the rules are
        walked.

    Examples
    --------
    >>> import equilibrist as eq
    >>> match = eq.play_match("kuhn", eq.exact("kuhn"), against={}, missing="uniform", hands=100_000, seed=1)
    >>> match.overall.exact > 0, match.overall.holds_exact
    (True, True)
    """

    game: str
    players: int
    seed: int
    sampled: str
    opponent: str
    overall: Payoff
    seats: dict[int, Payoff]
    lacking: int = 0

    def __repr__(self) -> str:
        overall = self.overall
        if overall.standard_error is None:
            error = ""
        else:
            error = f" ± {QUANTILE * overall.standard_error:.3g}"
        if overall.exact is None:
            exact = ""
        else:
            exact = f", exactly {overall.exact:+.4g}"
        hands = f"{overall.hands:,} hand{'s' * (overall.hands != 1)}"
        return (
            f"<Match on {self.game}: {hands}, seed {self.seed}, mean payoff "
            f"{overall.mean:+.4g}{error}{exact}>"
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        table = {**asdict(self), **self.overall.summary()}
        table.pop("overall")
        table["seats"] = [{"seat": seat, **payoff.summary()} for seat, payoff in self.seats.items()]
        return table


def play_match(
    game: str | Game | PublicGame,
    strategy: AnySource | Searcher,
    *,
    against: AnySource | Searcher | None = None,
    hands: int = DEFAULT_HANDS,
    seat: int | None = None,
    seed: int | None = None,
    missing: str | None = None,
    limits: Limits | None = None,
    variance: str | AIVAT | None = None,
    callbacks: AnyCallbacks = None,
) -> Match:
    """Return what a strategy earns against another over some hands, with its standard error and the exact value.

    Parameters
    ----------
    game : str, Game or PublicGame
        As for :func:`equilibrist.load`.
    strategy, against : Strategy, Solution, Searcher, mapping, or path
        Who plays, and what all other players play: anything that :func:`equilibrist.evaluate`
        takes, a solution, or the folder of a saved run; a searcher solves all parts of a game that
        has a tree, and of others those that are met. Without ``against``, an equilibrium, or the
        best that some ten seconds of iterations find.
    hands : int
        How many hands; 1 or more.
    seat : int, optional
        The player as whom the strategy plays; by default as each in turn, as player 0 in the first
        hand.
    seed : int, optional
        Decides the hands; drawn where it is not given.
    missing : {None, "uniform"}
        Whether infosets that a strategy lacks are an error or played uniformly. Where the game
        cannot be compiled, they are played uniformly in any case.
    limits : Limits, optional
        Limits of compilation: ``eq.Limits(memory_gb=, histories=, depth=)``; by default as many
        histories as there is memory for, and 1,000 moves.
    variance : {"aivat"} or AIVAT, optional
        Take luck out of the result, without bias: each :class:`Payoff` then has ``aivat`` and
        ``worth``. Other games than spots of hold'em that have more than a million histories and no
        tree are refused.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be found.
    SolutionError
        A strategy cannot be read or does not fit the game.
    AlgorithmError
        The number of hands, the seat or the seed makes no sense.

    Notes
    -----
    Where the game has a tree, the probability of each of its ends is computed, and how often each
    is met in so many hands is drawn at once from the multinomial distribution: a million hands take
    no longer than ten. Otherwise hands are played by the rules, some thousands a second.

    Examples
    --------
    >>> import equilibrist as eq
    >>> always_bet = {key: {"p": 0, "b": 1} for _, key in eq.exact("kuhn").strategy}
    >>> match = eq.play_match("kuhn", always_bet, against={}, missing="uniform", hands=1_000_000, seat=0, seed=7)
    >>> match.overall.exact, match.overall.holds_exact
    (0.5, True)
    """
    on_stage = stage_listener(callbacks, "play_match")
    aivat = find_variance(variance)
    if not is_whole(hands, 1):
        raise AlgorithmError(f"hands must be a whole number, 1 or more; got {hands!r}.")
    used_seed = choose_seed(seed)
    playable = compile_playable(game, compile_budget(limits, "play_match"), on_stage)
    check_seat(seat, playable)
    form = playable.form
    first = make_opponent(strategy, playable, missing=missing)
    words = ""
    if against is None:
        against, words = solve_opponent(playable, on_stage)
    other = make_opponent(against, playable, missing=missing)
    seats = _share_hands(int(hands), seat, playable.players)
    exact: dict[int, float] = {}
    profiles: dict[int, Floats] = {}
    if is_compiled(form) and first.slots is not None and other.slots is not None:
        for place in seats:
            profiles[place] = form.with_player(other.slots, first.slots, place)
            exact[place] = form.values(profiles[place], weights=form.keeps_weights).value[place]
    lacking = 0
    if aivat is None:
        luck = {}
    else:
        luck = {
            seat: Luck.of_match(aivat, playable, first, other, seat, on_stage) for seat in seats
        }
    if form.tree is not None:
        source = np.random.default_rng(used_seed)
        drawn = {
            place: _draw_ends(
                form.tree, profiles[place][form.slot], seats[place], source, luck.get(place)
            )
            for place in seats
        }
    else:
        drawn, lacking = _play_hands(playable, first, other, seats, used_seed, on_stage, luck)
    per_seat = {
        place: _payoff_of_seat(hands_of_seat, place, exact.get(place))
        for place, hands_of_seat in drawn.items()
    }
    return Match(
        game=game if isinstance(game, str) else playable.name,
        players=playable.players,
        seed=used_seed,
        sampled="rules" if form.tree is None else "tree",
        opponent=words,
        overall=_combine_seats(list(per_seat.values())),
        seats=per_seat,
        lacking=lacking,
    )


def _share_hands(hands: int, seat: int | None, players: int) -> dict[int, int]:
    if seat is not None:
        return {int(seat): hands}
    counts = {
        place_at_table: hands // players + (place_at_table < hands % players)
        for place_at_table in range(players)
    }
    return {place_at_table: count for place_at_table, count in counts.items() if count}


class _Hands(NamedTuple):
    """Hands by what they paid.

    Attributes
    ----------
    payoffs : float array, shape (different hands, players)
    luck : float array or None
        The same shape: what AIVAT adds to it, if asked for.
    counts : int64 array
        How often each of them was met.
    """

    payoffs: Floats
    luck: Floats | None
    counts: NDArray[np.int64]


def _draw_ends(
    tree: GameTree, probabilities: Floats, hands: int, source: np.random.Generator, luck: Any
) -> _Hands:
    """Return how often each end of a tree is met in some hands, drawn at once."""
    moves = move_probabilities(tree, probabilities)
    chances = history_reach(tree, moves)[tree.leaf]
    counts = source.multinomial(hands, chances / chances.sum())
    ends = np.flatnonzero(counts)
    corrections = None if luck is None else luck.of_leaves(moves)[ends]
    return _Hands(tree.payoffs[ends], corrections, counts[ends])


def _play_hands(
    playable: PlayableGame,
    first: Opponent,
    other: Opponent,
    seats: dict[int, int],
    seed: int,
    on_stage: Callable[[str], None] | None,
    luck: Mapping[int, HandLuck],
) -> tuple[dict[int, _Hands], int]:
    """Return what was earned in each seat in hands played by the rules, and how often a strategy knew no better.

    An interrupt ends the match after the hands played so far, if there is one in each seat.
    """
    payoffs: dict[int, list[tuple[float, ...]]] = {seat: [] for seat in seats}
    corrections: dict[int, list[Floats]] = {seat: [] for seat in luck}
    hands = sum(seats.values())
    lacking = 0
    places = list(seats)
    try:
        for number in range(1, hands + 1):
            seat = places[(number - 1) % len(places)]

            def decide(
                player: int, infoset: str, actions: tuple[str, ...], seat: int = seat
            ) -> Any:
                return follow_strategy(
                    first if player == seat else other, playable, player, infoset, actions
                )

            hand = HandInPlay(playable, decide, make_draw(seed, number))
            lacking += sum(move.unknown for move in hand.moves)
            if luck:
                corrections[seat].append(luck[seat].of_hand(hand.moves, hand.payoffs))
            payoffs[seat].append(hand.payoffs)
            if on_stage is not None and number % _REPORT_EVERY == 0:
                on_stage(f"Playing {playable.name}: {number:,} of {hands:,} hands")
    except KeyboardInterrupt:
        if not all(payoffs.values()):
            raise
    counts = {seat: np.ones(len(rows), np.int64) for seat, rows in payoffs.items()}
    luck_of_seats = {
        seat: np.array(rows[: len(counts[seat])]) for seat, rows in corrections.items()
    }
    return {
        seat: _Hands(np.array(payoffs[seat]), luck_of_seats.get(seat), counts[seat])
        for seat in seats
    }, lacking


def _payoff_of_seat(hands: _Hands, seat: int, exact: float | None) -> Payoff:
    payoffs = hands.payoffs[:, seat]
    largest = float(np.abs(payoffs).max(initial=0.0))
    payoff = mean_payoff(payoffs, hands.counts, exact, largest)
    if hands.luck is None:
        return payoff
    corrected = payoffs + hands.luck[:, seat]
    return payoff._replace(aivat=mean_payoff(corrected, hands.counts, exact, largest))


def mean_payoff(
    values: Floats, counts: NDArray[np.int64], exact: float | None, largest: float
) -> Payoff:
    """Return the mean of payoffs that were met so often, and its standard error; shapes are (payoffs,)."""
    hands = int(counts.sum())
    mean = float(values @ counts) / hands
    if hands == 1:
        return Payoff(hands, mean, None, exact, largest=largest)
    variance = float((values - mean) ** 2 @ counts) / (hands - 1)
    return Payoff(hands, mean, math.sqrt(variance / hands), exact, largest=largest)


def _combine_seats(seats: list[Payoff]) -> Payoff:
    hands = sum(seat.hands for seat in seats)
    weighted = [(seat.hands / hands, seat) for seat in seats]
    mean = math.fsum(share * seat.mean for share, seat in weighted)
    errors = [
        share * seat.standard_error for share, seat in weighted if seat.standard_error is not None
    ]
    exacts = [share * seat.exact for share, seat in weighted if seat.exact is not None]
    if len(errors) == len(seats):
        error = math.sqrt(math.fsum(standard_error**2 for standard_error in errors))
    else:
        error = None
    exact = math.fsum(exacts) if len(exacts) == len(seats) else None
    reduced = [seat.aivat for seat in seats if seat.aivat is not None]
    largest = max(seat.largest for seat in seats)
    return Payoff(hands, mean, error, exact, _combine_seats(reduced) if reduced else None, largest)
