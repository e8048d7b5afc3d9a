"""Local best response: a lower bound of exploitability for strategies that are too large to certify.

The responder knows the strategy σ of the others. At each of its decisions it knows how probable
each history of its infoset I is, π_{-i}(h), and takes the action that is best if it follows a fixed
policy δ afterwards:

    a*(I) = argmax_a Σ_{h ∈ I} π_{-i}(h) · u_i(h·a | δ, σ_{-i}).

What is played so is a strategy like any other: it earns at most what a best response earns (Lisý &
Bowling 2017).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .._util.callbacks import AnyCallbacks, stage_listener
from .._util.display import Display
from .._util.validate import is_whole
from ..errors import AlgorithmError, GameError, SolutionError
from ..form.limits import Limits, check_limits
from ..game.card_game import CardGame
from ..game.checked import PROBABILITY_TOLERANCE
from ..game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ..game.public import PublicGame
from ..game.unfold import to_extensive_form
from ..games.load import load
from ..solving.solution import Solution
from ..solving.sources import AnySource, find_game, read_run, read_strategy
from ..strategy.convert import as_strategy
from .dealing import draw_index
from .opponents import make_node_opponent
from .sampled_responses import SampledResponder
from .session import average, choose_seed

Policy = Callable[[int, str, tuple[str, ...]], Sequence[float]]
"""Given player, infoset and the names of its actions, returns the probability of each."""

RESTS = ("call", "strategy")
CALLS = ("call", "check", "c", "x", "pass")
"""Names of the action by which somebody stays in the hand for the least, the first of them that there is."""

DEFAULT_HANDS = 1_000
DEFAULT_HISTORIES = 1_000_000
_EQUAL = (
    1e-9  # values that differ by less, relative to their size, are equal: the first action is taken
)
_REPORT_EVERY = 100  # hands

_Follow = Callable[[int, Any], tuple[float, ...]]
"""Given player (or CHANCE) and state, returns the probability of each action."""

_Weighted = list[tuple[Any, float]]
"""States, each with the reach of chance and the others."""


class Gain(NamedTuple):
    """What the local best response of one player earns; payoff per game.

    Attributes
    ----------
    value : float
        The mean that it earns; its standard error is ``value_error``, 0 where all hands were
        enumerated.
    gain : float
        How much more than the strategy itself earns from the same hands; its standard error is
        ``gain_error``.
    """

    value: float
    value_error: float | None
    gain: float
    gain_error: float | None


@dataclass(frozen=True)
class LocalBestResponse(Display):
    """A lower bound of how exploitable a strategy is.

    Attributes
    ----------
    game : str
        Name of the game.
    num_players : int
        Number of players.
    hands : int or None
        How many hands each local best response played; None where all that can happen were
        enumerated.
    seed : int or None
        What decided the hands.
    gains : dict of int to Gain
        What the local best response of each player earns, of those that were asked for.
    lacking : int
        Number of infosets met that the strategy lacks, where it was taken to play uniformly.
    """

    game: str
    num_players: int
    hands: int | None
    seed: int | None
    gains: Mapping[int, Gain]
    lacking: int = 0

    @property
    def exploitability(self) -> float:
        """Lower bound of the exploitability (nash_conv / players): Σ gains / players, of the players asked for."""
        return math.fsum(gain.gain for gain in self.gains.values()) / self.num_players

    @property
    def standard_error(self) -> float | None:
        """The standard error of the bound; 0 where all hands were enumerated, None for a single hand."""
        errors = [gain.gain_error for gain in self.gains.values()]
        if None in errors:
            return None
        return math.sqrt(math.fsum((error or 0.0) ** 2 for error in errors)) / self.num_players

    @property
    def promise(self) -> str:
        """What the number says, in words."""
        bound = f"{self.exploitability:.6g}"
        if self.hands is None:
            return (
                f"The exploitability is {bound} or more, exactly; how much more, a local best "
                "response cannot tell."
            )
        if self.standard_error is None:
            spread = ""
        else:
            spread = f" ± {self.standard_error:.2g} (standard error)"
        return (
            f"The exploitability is {bound}{spread} or more, as far as {self.hands:,} hands "
            "tell; how much more, a local best response cannot tell."
        )

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        gains = [{"player": player, **gain._asdict()} for player, gain in self.gains.items()]
        names = ("game", "hands", "seed", "exploitability", "standard_error", "promise", "lacking")
        return {**{name: getattr(self, name) for name in names}, "players": gains}


def local_best_response(
    game: str | Game | PublicGame | CardGame | Solution,
    strategy: AnySource | Policy | None = None,
    *,
    player: int | None = None,
    hands: int | None = DEFAULT_HANDS,
    seed: int | None = None,
    rest: str | None = None,
    rollouts: int | None = None,
    samples: int | None = None,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> LocalBestResponse:
    """Return what local best responses earn against a strategy: a lower bound of how exploitable it is.

    Nothing is compiled: the game is followed from decision to decision, and the strategy is asked
    at the infosets that are met. So it can be a run that was sampled without a tree, or a function.

    Parameters
    ----------
    game : str, Game, PublicGame, CardGame, Solution, or path
        As for :func:`equilibrist.load`. A solution stands for its game; without a ``strategy`` it,
        or the folder of a saved run, is what is judged.
    strategy : Strategy, Solution, mapping, path, function or policy, optional
        What is to be judged. A function takes player, infoset and the names of the actions, and
        returns the probability of each; in games of OpenSpiel it may be a policy of theirs
        (``action_probabilities(state)``).
    player : int, optional
        The player who responds; by default each.
    hands : int or None
        How many hands each of them plays; None enumerates all that can happen.
    seed : int, optional
        Decides the hands; drawn where it is not given.
    rest : {"call", "strategy"}
        δ, what the responder is taken to do after the action that is weighed: calls or checks where
        an infoset has an action of such a name, else as the strategy; or everywhere as the
        strategy. By default "call", and with ``samples`` always "strategy".
    rollouts : int, optional
        Estimate the value of an action by so many drawn continuations instead of all of them.
    samples : int, optional
        Choose all actions of a player from so many samples of the game instead of the histories of
        its infosets, for games of compiled rules where these are too many. The hands that value the
        choice are others. Where each player acts once, the response comes near the best response as
        samples grow.
    limits : Limits, optional
        ``eq.Limits(histories=)``: how many histories may be looked at for one decision, by default a
        million. Nothing is compiled, so that other limits are refused.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be found, or a decision has more histories than the limit.
    SolutionError
        The strategy cannot be read, or what it plays are no probabilities.
    AlgorithmError
        A number, the player or ``rest`` makes no sense.

    Notes
    -----
    The bound is one in expectation: of a sample, an interval of two standard errors holds it in 95
    of 100 cases. With all hands enumerated and ``rest="strategy"`` a gain is 0 or more. Infosets
    that the strategy lacks are taken to be played uniformly, and counted.

    References
    ----------
    Lisý & Bowling 2017, "Equilibrium approximation quality of current no-limit poker bots". There
    the responder is taken to call, and chooses among a few sizes of bets; here it has all actions
    of the game.

    Examples
    --------
    >>> import equilibrist as eq
    >>> uniform = eq.local_best_response("kuhn", lambda player, infoset, actions: [1 / len(actions)] * 2, hands=None)
    >>> exact = eq.evaluate("kuhn", {}, missing="uniform").exploitability
    >>> round(uniform.exploitability, 4), round(exact, 4)
    (0.4583, 0.4583)
    """
    on_stage = stage_listener(callbacks, "local_best_response")
    limit = check_limits(limits, "local_best_response", ("histories",)).histories
    most_histories = limit or DEFAULT_HISTORIES
    if rest not in (None, *RESTS):
        raise AlgorithmError(f"rest must be 'call' or 'strategy'; got {rest!r}.")
    if samples is not None and (hands is None or rollouts is not None or rest == "call"):
        raise AlgorithmError(
            "With samples, hands are drawn, and after the action that is weighed all play the "
            f"strategy; got hands={hands!r}, rollouts={rollouts!r} and rest={rest!r}. Give "
            "hands, and leave rollouts and rest out."
        )
    counts = {
        "hands": hands,
        "rollouts": rollouts,
        "samples": samples,
    }
    for name, number in counts.items():
        if number is not None and not is_whole(number, 1):
            raise AlgorithmError(f"{name} must be a whole number, 1 or more; got {number!r}.")
    if isinstance(game, Solution) or strategy is None:
        run = read_run(game)  # type: ignore[arg-type]
        rules = find_game(run)
        strategy = run if strategy is None else strategy
    else:
        rules = load(game)
    bounds = _Limits(rest or "call", rollouts, most_histories)
    name = game_name(rules)
    rules = to_extensive_form(rules)
    if player is not None and not is_whole(player, 0, rules.players - 1):
        raise AlgorithmError(f"player must be 0 to {rules.players - 1} in {name}; got {player!r}.")
    if hands is None and rollouts is None:
        used_seed = None
    else:
        used_seed = choose_seed(seed)
    gains = {}
    players = range(rules.players) if player is None else [int(player)]
    if samples is not None and hands is not None and used_seed is not None:
        source = None if callable(strategy) else read_strategy(strategy)
        if source is None:
            raise AlgorithmError(
                f"samples needs a strategy that names its infosets; got {strategy!r}. Leave it out."
            )
        table = source.strategy if isinstance(source, Solution) else source
        sampled = SampledResponder(rules, table, used_seed)
        for who in players:
            earned, gained = sampled.respond(who, samples=samples, hands=hands, on_stage=on_stage)
            value = average(earned.tolist())
            gain = average(gained.tolist())
            gains[who] = Gain(value.mean, value.error, gain.mean, gain.error)
        return LocalBestResponse(name, rules.players, hands, used_seed, gains, sampled.lacking)
    asked_strategy = _AskedStrategy(rules, name, strategy)
    for who in players:
        responder = _Responder(
            asked_strategy, who, bounds, random.Random(f"{used_seed} {who} rollouts")
        )
        if hands is None:
            gains[who] = responder.enumerate()
        else:
            gains[who] = responder.play(hands, f"{used_seed} {who}", on_stage)
        asked_strategy.check()
    return LocalBestResponse(
        name, rules.players, hands, used_seed, gains, len(asked_strategy.lacking)
    )


class _Limits(NamedTuple):
    rest: str
    rollouts: int | None
    max_histories: int


class _AskedStrategy:
    """A game and a strategy that is asked at infosets, once at each."""

    def __init__(self, rules: Game, name: str, strategy: Any) -> None:
        self.rules: Any = rules
        self.name = name
        self.lacking: set[tuple[int, str]] = set()
        self._rows: dict[tuple[int, str], tuple[float, ...]] = {}
        self._run: Solution | None = None
        self._is_other = False
        if hasattr(strategy, "action_probabilities"):
            self._policy = strategy
            self._lookup = None
        elif callable(strategy):
            self._policy = None
            self._lookup = lambda key, labels: strategy(*key, labels)
        else:
            source = read_strategy(strategy)
            self._run = source if isinstance(source, Solution) else None
            if isinstance(source, Solution):
                strategy_by_name = source.strategy
            else:
                strategy_by_name = as_strategy(source, lambda _: range(rules.players))
            self._is_other = (
                self._run is not None and (self._run.info.game.definition or self._run.game) != name
            )
            if self._is_other and strategy_by_name.form is not None:
                raise SolutionError(
                    f"The run solved {strategy_by_name.form.name}, and not {name}: give its game.",
                    wrong_use=True,
                )
            spot: Any = (
                strategy_by_name
                if strategy_by_name.form is None or not strategy_by_name.form.keeps_weights
                else make_node_opponent(strategy_by_name, strategy_by_name.form)
            )
            self._policy = None
            self._lookup = lambda key, labels: spot.probabilities_at(key, labels, name)

    def check(self) -> None:
        """Refuse a run of another game, by its name and the infosets that it lacks."""
        run = self._run
        if run is not None and self._is_other and self.lacking:
            raise SolutionError(
                f"The run of {run.game} lacks {len(self.lacking)} of the {len(self._rows)} "
                f"infosets of {self.name} that were met: give the game that it solved.",
                wrong_use=True,
            )

    def row(self, player: int, state: Any) -> tuple[float, ...]:
        """Return the probability of each action, or outcome of chance, at a state."""
        if player == CHANCE:
            return tuple(map(float, self.rules.probabilities(state)))
        key = (player, str(self.rules.infoset(state)))
        if key not in self._rows:
            self._rows[key] = self._ask_at_infoset(key, state)
        return self._rows[key]

    def labels(self, state: Any) -> tuple[str, ...]:
        return tuple(
            action_label(self.rules, state, action) for action in self.rules.actions(state)
        )

    def _ask_at_infoset(self, key: tuple[int, str], state: Any) -> tuple[float, ...]:
        labels = self.labels(state)
        if self._lookup is None:
            odds = self._policy.action_probabilities(state)
            row = [odds.get(action, 0.0) for action in self.rules.actions(state)]
        else:
            row = self._lookup(key, labels)
        if row is None:
            self.lacking.add(key)
            return (1 / len(labels),) * len(labels)
        try:
            numbers = tuple(map(float, row))
        except (TypeError, ValueError):
            numbers = (math.nan,)
        is_mix = len(numbers) == len(labels) and min(numbers) >= 0
        if not is_mix or abs(math.fsum(numbers) - 1) > 1e3 * PROBABILITY_TOLERANCE:
            raise SolutionError(
                f"Player {key[0]} {key[1]!r} of {self.name} needs {len(labels)} probabilities "
                f"that sum to 1; the strategy has {row!r}.",
                wrong_use=True,
            )
        return numbers


class _Decision:
    """An infoset of the responder, by what led there: its histories, until the action is chosen; then what follows."""

    def __init__(self, histories: _Weighted) -> None:
        self.histories = histories
        self.action = -1
        self.next: _Ahead | None = None


class _Ahead(NamedTuple):
    """What may come until the responder decides again: what is paid until then, and the decisions by infoset.

    Attributes
    ----------
    paid : float
        Σ reach of chance and the others × payoff over the ends.
    decisions : dict
    """

    paid: float
    decisions: dict[str, _Decision]


class _Responder:
    """The local best response of one player."""

    def __init__(
        self, strategy: _AskedStrategy, player: int, limits: _Limits, source: random.Random
    ) -> None:
        self.strategy = strategy
        self.rules = strategy.rules
        self.player = player
        self.limits = limits
        self.source = source
        self._seen = 0
        self._first: _Ahead | None = None

    def enumerate(self) -> Gain:
        """Return what is earned and gained, over all hands that can happen."""
        value = 0.0
        waiting = [self._start()]
        while waiting:
            ahead = waiting.pop()
            value += ahead.paid
            waiting.extend(self._choose_action(decision) for decision in ahead.decisions.values())
        self._seen = 0
        start = [(self.rules.start(), 1.0)]
        return Gain(
            value,
            0.0,
            value - math.fsum(self._weighted_payoffs(start, follow=self.strategy.row)),
            0.0,
        )

    def play(self, hands: int, seed: str, on_stage: Callable[[str], None] | None) -> Gain:
        """Return what is earned and gained in hands that are drawn; in each the strategy plays the same cards."""
        earned = []
        gained = []
        for number in range(1, hands + 1):
            earned.append(self._play_hand(random.Random(f"{seed} {number}")))
            as_before = self._play_out(
                self.rules.start(), self.strategy.row, random.Random(f"{seed} {number}")
            )
            gained.append(earned[-1] - as_before)
            if on_stage is not None and number % _REPORT_EVERY == 0:
                on_stage(f"Player {self.player} responds: {number:,} of {hands:,} hands")
        value = average(earned)
        gain = average(gained)
        return Gain(value.mean, value.error, gain.mean, gain.error)

    def _play_hand(self, source: random.Random) -> float:
        """Return what the responder earns in a hand that is drawn."""
        rules = self.rules
        state = self.rules.start()
        ahead = self._start()
        while (player := rules.player(state)) != TERMINAL:
            if player == self.player:
                decision = ahead.decisions[str(rules.infoset(state))]
                ahead = self._choose_action(decision)
                number = decision.action
            else:
                number = draw_index(source, self.strategy.row(player, state))
            state = rules.next(state, rules.actions(state)[number])
        return float(rules.payoffs(state)[self.player])

    def _play_out(self, state: Any, follow: _Follow, source: random.Random) -> float:
        """Return what the player earns in a hand that is drawn from a state on, if all do as ``follow`` says."""
        rules = self.rules
        while (player := rules.player(state)) != TERMINAL:
            state = rules.next(
                state, rules.actions(state)[draw_index(source, follow(player, state))]
            )
        return float(rules.payoffs(state)[self.player])

    def _start(self) -> _Ahead:
        if self._first is None:
            self._seen = 0
            self._first = self._look_ahead([(self.rules.start(), 1.0)])
        return self._first

    def _choose_action(self, decision: _Decision) -> _Ahead:
        """Choose the action of a decision, if that has not been done; return what follows it."""
        if decision.next is None:
            self._seen = 0
            rules = self.rules
            histories = decision.histories
            count = len(rules.actions(histories[0][0]))
            next_histories = [
                [(rules.next(s, rules.actions(s)[a]), w) for s, w in histories]
                for a in range(count)
            ]
            if count > 1:
                values = [
                    self._value_of_following(weighted_histories)
                    for weighted_histories in next_histories
                ]
            else:
                values = [0.0]
            least_value = max(values) - _EQUAL * max(map(abs, values))
            decision.action = next(
                number for number, value in enumerate(values) if value >= least_value
            )
            decision.next = self._look_ahead(next_histories[decision.action])
            decision.histories = []
        return decision.next

    def _look_ahead(self, histories: _Weighted) -> _Ahead:
        """Return what may come after some histories, until the responder decides again."""
        decisions: dict[str, _Decision] = {}
        payoffs = []
        for state, weight, player in self._walk_to_ends(
            histories, self.strategy.row, stop=self.player
        ):
            if player == TERMINAL:
                payoffs.append(weight * float(self.rules.payoffs(state)[self.player]))
            else:
                decisions.setdefault(
                    str(self.rules.infoset(state)), _Decision([])
                ).histories.append((state, weight))
        return _Ahead(math.fsum(payoffs), decisions)

    def _value_of_following(self, histories: _Weighted) -> float:
        """Return Σ reach × payoff after some histories, if the responder does as δ says; or an estimate of it."""
        rollouts = self.limits.rollouts
        if rollouts is None:
            return math.fsum(self._weighted_payoffs(histories, follow=self._rest_of_play))
        weights = [weight for _, weight in histories]
        histories_drawn = self.source.choices(histories, weights, k=rollouts)
        payoff_sum = math.fsum(
            self._play_out(state, self._rest_of_play, self.source) for state, _ in histories_drawn
        )
        return math.fsum(weights) * payoff_sum / rollouts

    def _weighted_payoffs(self, histories: _Weighted, follow: _Follow) -> Iterator[float]:
        for state, weight, _ in self._walk_to_ends(histories, follow):
            yield weight * float(self.rules.payoffs(state)[self.player])

    def _rest_of_play(self, player: int, state: Any) -> tuple[float, ...]:
        """Return the probabilities of actions after the one that is weighed: of the responder, those of δ."""
        if player == self.player and self.limits.rest == "call":
            names = [label.strip().casefold() for label in self.strategy.labels(state)]
            call = next((word for word in CALLS if word in names), None)
            if call is not None:
                return tuple(float(name == call) for name in names)
        return self.strategy.row(player, state)

    def _walk_to_ends(
        self, histories: _Weighted, follow: _Follow, *, stop: int = TERMINAL
    ) -> Iterator[tuple[Any, float, int]]:
        """Yield the ends after some histories, or the histories where a player decides, with their weights."""
        stack = list(histories)
        rules = self.rules
        while stack:
            state, weight = stack.pop()
            player = rules.player(state)
            if player in (TERMINAL, stop):
                yield state, weight, player
                continue
            row = zip(rules.actions(state), follow(player, state), strict=True)
            stack += [
                (rules.next(state, action), weight * odds) for action, odds in row if odds > 0
            ]
            self._seen += 1
            if self._seen > self.limits.max_histories:
                raise GameError(
                    f"{self.strategy.name}: a decision of player {self.player} has more than "
                    f"{self.limits.max_histories:,} histories; give rollouts=100 (--rollouts "
                    "100), which draws what follows it, samples=1_000_000 (--samples 1000000), "
                    "which draws what comes before it as well, or a larger Limits(histories=) "
                    "(--max-histories).",
                    wrong_use=True,
                )
