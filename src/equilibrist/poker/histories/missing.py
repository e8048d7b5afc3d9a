"""Spots that hand histories need and no run covers: which they are, and solving them within limits."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ..._util.files import check_path
from ..._util.text import count_text
from ..._util.validate import is_number, is_whole
from ...cfr.criteria import Until, find_criteria
from ...errors import AlgorithmError, GameError, GameTooLargeError, SolutionError
from ...form.limits import CompilingTimeError
from ...games.compile import compile_any
from ...games.load import load
from ...solving.estimate import estimate_run
from ...solving.forecast import forecast
from ...solving.plan import fill_defaults, new_config
from ...solving.solution import Solution
from ...solving.solve import solve
from ...solving.sources import find_game, read_run
from ..cards.cards import cards_text, hand_index
from ..cards.ranges import Range
from ..preflop.game import Preflop, PreflopNode, is_preflop
from ..spot.betting_tree import PLAYER_KEYS
from ..spot.game import Holdem
from ..spot.lines import SLACK
from .hand import Action, Deal, Decision, PlayedHand
from .runs import BEFORE, HIDDEN, RANGE, GradingRun, HandSpot, alike_suits

NO_RANGES = "no ranges for such stacks, or for what was played before the flop"
NO_SPOT = "no spot can be made of the ranges on this board"
BEYOND = "the spot was left out: there are more than were to be solved"
TIME = "the spot was left out: the time was up"
STOPPED = "the spot was left out: solving was interrupted"
MEMORY = "the spot is too large for the memory"
_DEPTHS = 2.0  # times as deep, or half as deep, stacks may be as those of a spot file
_LEAST_SECONDS = 0.1

AnyRanges = Holdem | Solution | str | Path
"""A spot, or its file; or a run of ``preflop``, or the folder in which it was saved."""


@dataclass(frozen=True)
class MissingSpots:
    """Which spots :func:`grade` solves on the way: the ranges in them, how well, and within what limits.

    Parameters
    ----------
    ranges : Holdem, Solution or path, or sequence of these
        Where ranges come from. Of a spot, or of its file, everything is taken but board and stacks:
        its ranges are those at the beginning of the street on which it begins, for hands whose
        stacks, as a multiple of the pot, are half to twice its own. A run of ``preflop`` gives the
        ranges of hands of two players by their line before the flop. Of several that fit, the one
        whose stacks are nearest is taken.
    bets : str
        Sizes after the flop, where the ranges come from a run of ``preflop``.
    until : float, str or Criterion
        As for :func:`solve`; of each spot.
    most : int
        How many spots are solved at most: those with the most decisions.
    seconds : float, optional
        How long all of them may take together.
    save : path, optional
        A folder in which each run is saved, to be given as a run the next time.

    Raises
    ------
    AlgorithmError
        A limit makes no sense.
    """

    ranges: AnyRanges | Sequence[AnyRanges]
    bets: str = "50%, a; a"
    until: Until = "0.5%"
    most: int = 20
    seconds: float | None = None
    save: str | Path | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.most, 1):
            raise AlgorithmError(
                f"most (--spots) must be a whole number of spots, 1 or more; got {self.most!r}."
            )
        if self.seconds is not None and not is_number(self.seconds, above=0):
            raise AlgorithmError(f"seconds must be a number above 0; got {self.seconds!r}.")
        if not find_criteria(self.until):
            raise AlgorithmError(
                f"until must say how well spots are solved, such as '0.5%'; got {self.until!r}."
            )

    @property
    def sources(self) -> list[AnyRanges]:
        """The ranges, as a list."""
        if isinstance(self.ranges, Iterable) and not isinstance(self.ranges, str):
            return list(self.ranges)
        return [self.ranges]


class _Template(NamedTuple):
    """A spot without a board, and without the stacks of a hand.

    Attributes
    ----------
    street : int
    pot : float
    depth : float
        Stacks as a multiple of the pot.
    first : int
        Card of the deck.
    weights : pair of float array
        Of the hands of both players.
    settings : dict
    suits : object
        Permutations of the deck that leave the ranges as they are.
    """

    street: int
    pot: float
    depth: float
    first: int
    weights: tuple[Floats, Floats]
    settings: dict[str, Any]
    suits: Any

    def up_to_suits(self, board: Sequence[int]) -> tuple[int, ...]:
        """Return the same cards for all boards that are this one up to suits."""
        return min(map(tuple, np.sort(self.suits[:, list(board)], axis=1).tolist()))

    def spot(self, board: Sequence[int], depth: float) -> Holdem:
        return Holdem(
            **{**self.settings, "board": cards_text(board), "stack": round(depth * self.pot, 2)}
        )


class _SpotRanges:
    """The ranges of a spot, for all hands."""

    def __init__(self, name: str, game: Holdem) -> None:
        spot = HandSpot(name, game)
        settings = {**game.settings, "chip": game.tree.rules.chip, "locks": ()}
        ranges = []
        if game.locks:
            raise SolutionError(
                f"{name} has locks, which are of its own board; give a spot without.",
                wrong_use=True,
            )
        for seat in PLAYER_KEYS:  # as ranges, of which a board may block a part
            setting = settings[seat]
            if isinstance(setting, dict):
                table = setting
            else:
                table = {"range": setting}
            ranges.append(Range(table["range"], name=seat, deck=game.deck))
            settings[seat] = {**table, "range": ranges[-1]}
        weights = (ranges[0].weights, ranges[1].weights)
        suits = alike_suits(ranges)
        self._template = _Template(
            spot.street, spot.pot, spot.depth, game.deck.first, weights, settings, suits
        )

    def template(self, hand: PlayedHand, tolerance: float) -> _Template | None:
        same = hand.deck.first == self._template.first and hand.hole_cards == Holdem.hole_cards
        if same:
            return self._template
        return None


class _PreflopRanges:
    """The ranges of a solved game before the flop, by line."""

    def __init__(self, game: Preflop, solution: Solution, bets: str) -> None:
        self.game = game
        self.solution = solution
        self.bets = bets
        self._templates: dict[str, _Template] = {}

    def template(self, hand: PlayedHand, tolerance: float) -> _Template | None:
        node = find_line_end(hand, self.game, tolerance)
        if node is None:
            return None
        if node.line not in self._templates:
            try:
                spot = self.game.after_line(self.solution.strategy, node.line)
            except GameError:  # a range of which next to nothing comes there
                return None
            ranges = spot["oop"], spot["ip"]
            self._templates[node.line] = _Template(
                0,
                spot["pot"],
                spot["stack"] / spot["pot"],
                0,
                (ranges[0].weights, ranges[1].weights),
                {**spot, "bets": self.bets},
                alike_suits(ranges),
            )
        return self._templates[node.line]


def find_line_end(hand: PlayedHand, game: Preflop, tolerance: float) -> PreflopNode | None:
    """Return the end of the line before the flop of a game that a hand played; None where it has not all of it.

    Blinds, antes, stacks and raises, in big blinds, may differ by the tolerance.
    """
    if game.settings["straddle"]:
        big_blind = hand.blinds[0]  # the button, who is the other one, has bet more
    else:
        big_blind = max(hand.blinds, default=0.0)
    if (
        len(hand.players) != 2
        or hand.deck.first
        or hand.hole_cards != Holdem.hole_cards
        or big_blind <= 0
    ):
        return None
    sizes_played = (
        min(hand.stacks) / big_blind,
        math.fsum((*hand.blinds, *hand.antes, hand.added)) / big_blind,
    )
    sizes_planned = (
        float(game.settings["stack"]),
        math.fsum((*game.nodes[0].bets, *game.antes, game.stakes.dead)),
    )
    if any(
        abs(chips / of_game - 1) > tolerance
        for chips, of_game in zip(sizes_played, sizes_planned, strict=True)
    ):
        return None
    node = game.nodes[0]
    for action in hand.moves:
        if isinstance(action, Deal):
            break
        number = _match_action(action, node, big_blind, tolerance)
        if number is None or action.player != 1 - node.player:
            return None
        node = game.nodes[node.children[number]]
    sees_flop = not node.actions and node.folded < 0 and max(node.bets) < game.stack - SLACK
    if sees_flop:
        return node
    return None


def _match_action(
    move: Action, node: PreflopNode, big_blind: float, tolerance: float
) -> int | None:
    """Return the number of the action before the flop that stands for what was done; None where none does."""
    if move.kind != "B":
        names = {"F": "F", "C": "CX"}[move.kind]
        return next((number for number, name in enumerate(node.actions) if name in names), None)
    bet = move.chips / big_blind
    differences = {
        number: abs(bet / float(name[1:]) - 1)
        for number, name in enumerate(node.actions)
        if name[0] in "RA"
    }
    nearest = min(differences, key=differences.__getitem__, default=None)
    if nearest is not None and differences[nearest] <= tolerance:
        return nearest
    return None


class _MissingSpot:
    """A spot that no run covers; ``reason`` says why it is not solved, or is empty."""

    __slots__ = ("board", "decisions", "depth", "reason", "template")

    def __init__(self, template: _Template, board: tuple[int, ...], depth: float) -> None:
        self.template = template
        self.board = board
        self.depth = depth
        self.decisions = 0
        self.reason = BEYOND


class MissingPlan:
    """The spots that decisions need and no run covers."""

    def __init__(self, request: MissingSpots, tolerance: float, trust: Any = False) -> None:
        self.request = request
        self.tolerance = tolerance
        self._ranges = [_read_ranges(source, request.bets, trust) for source in request.sources]
        if not self._ranges:
            raise AlgorithmError(
                "Spots are solved with ranges: give a spot file, or a run of preflop; got none."
            )
        self._spots: dict[tuple[int, tuple[int, ...]], list[_MissingSpot]] = {}

    def place(self, hand: PlayedHand, decision: Decision) -> _MissingSpot | str:
        """Return the spot of a decision, or why there can be none."""
        templates = [ranges.template(hand, self.tolerance) for ranges in self._ranges]
        fitting: list[tuple[float, int, _Template, float]] = []
        later = False
        for template in templates:
            if template is None:
                continue
            if decision.street < template.street:
                later = True
            elif (begun := decision.begun[template.street]) is not None and begun[1] > 0:
                depth = begun[1] / begun[0]
                distance = abs(math.log(depth / template.depth))
                if distance <= math.log(_DEPTHS):
                    fitting.append((distance, len(fitting), template, depth))
        if not fitting:
            if later:
                return BEFORE
            return NO_RANGES
        _, _, template, depth = min(fitting)
        cards = hand.cards[decision.seat]
        if not cards:
            return HIDDEN
        if not template.weights[decision.player][hand_index(*cards)]:
            return RANGE
        board = hand.board[: 3 + template.street]
        spots_of_board = self._spots.setdefault((id(template), template.up_to_suits(board)), [])
        spot = next(
            (
                known_spot
                for known_spot in spots_of_board
                if abs(depth / known_spot.depth - 1) <= self.tolerance
            ),
            None,
        )
        if spot is None:
            spot = _MissingSpot(template, board, depth)
            spots_of_board.append(spot)
        return spot

    def count(self, hand: PlayedHand, decision: Decision) -> None:
        """Count a decision of a spot that no run covers."""
        spot = self.place(hand, decision)
        if not isinstance(spot, str):
            spot.decisions += 1

    def reason_for(self, hand: PlayedHand, decision: Decision) -> str:
        """Return why the spot of a decision was not solved; empty where it was."""
        spot = self.place(hand, decision)
        if isinstance(spot, str):
            return spot
        return spot.reason

    def runs(
        self, on_plan: Callable[[str], object], on_stage: Callable[[str], object]
    ) -> Iterator[GradingRun]:
        """Solve the spots with the most decisions, and yield a run of each."""
        spots = self._sort_spots()
        chosen = self._choose_spots(spots)
        on_plan(self._plan_text(chosen, spots))
        if self.request.seconds is None:
            seconds = math.inf
        else:
            seconds = self.request.seconds
        end = time.monotonic() + seconds
        stopped = ""
        for number, (spot, game) in enumerate(chosen):
            seconds_left = end - time.monotonic()
            spot.reason = stopped or (TIME if seconds_left < _LEAST_SECONDS else "")
            if spot.reason:
                continue
            name = (
                f"{game.settings['board']} {game.settings['stack']:g} in {game.settings['pot']:g}"
            )
            on_stage(f"Solving: {name}, {number + 1} of {len(chosen)} spots")
            try:
                run = solve(
                    game,
                    until=self.request.until,
                    seconds=seconds_left if math.isfinite(seconds_left) else None,
                )
            except GameTooLargeError:
                spot.reason = MEMORY
                continue
            except CompilingTimeError:
                spot.reason = TIME
                continue
            if run.stop_reason != "until":
                stopped = spot.reason = TIME if run.stop_reason == "seconds" else STOPPED
                continue
            if self.request.save is not None:
                run.save(Path(self.request.save) / name.replace(" ", "-"))
            yield GradingRun(name, run)

    def list_games(self) -> list[tuple[int, Holdem]]:
        """Return the spots with the most decisions, as many as may be solved: how many, and the game."""
        return [(spot.decisions, game) for spot, game in self._choose_spots(self._sort_spots())]

    @property
    def decisions(self) -> int:
        """How many decisions all spots have together."""
        return sum(spot.decisions for spot in self._sort_spots())

    def _sort_spots(self) -> list[_MissingSpot]:
        """Return the spots that have decisions, those with the most first."""
        spots = [spot for spots in self._spots.values() for spot in spots if spot.decisions]
        return sorted(spots, key=lambda spot: -spot.decisions)

    def _choose_spots(self, spots: Sequence[_MissingSpot]) -> list[tuple[_MissingSpot, Holdem]]:
        """Return the first spots with their games, as many as may be solved."""
        spots_with_games: list[tuple[_MissingSpot, Holdem]] = []
        for spot in spots:
            if len(spots_with_games) == self.request.most:
                break
            try:
                spots_with_games.append((spot, spot.template.spot(spot.board, spot.depth)))
            except GameError:
                spot.reason = NO_SPOT
        return spots_with_games

    def _plan_text(
        self, chosen: Sequence[tuple[_MissingSpot, Holdem]], all_spots: Sequence[_MissingSpot]
    ) -> str:
        """Return how many spots are to be solved, for how many decisions, and about how long that takes."""
        decisions, total = (
            sum(spot.decisions for spot in spots)
            for spots in ([spot for spot, _ in chosen], all_spots)
        )
        num_left = len(all_spots) - len(chosen)
        streets = Counter(spot.template.street for spot, _ in chosen)
        low = 0.0
        high = 0.0
        text = (
            f"{count_text(len(chosen), 'spot')} to solve, for {count_text(decisions, 'decision')}"
        )
        for street, count in streets.items():
            game = next(game for spot, game in chosen if spot.template.street == street)
            expected = _forecast_seconds(game, self.request.until)
            if expected is None:
                low = math.nan
                high = math.nan
            else:
                low = low + count * expected[0]
                high = high + count * expected[1]
        if math.isnan(low):
            text += "; how long that takes is not known"
        elif chosen:
            text += f": about {low:.2g} to {high:.2g} s" if high >= 1 else ": less than a second"
        return text + (
            f"; {count_text(num_left, 'spot')} not solved" if num_left and decisions < total else ""
        )


def _forecast_seconds(game: Holdem, until: Until) -> tuple[float, float] | None:
    """Return from, to how many seconds a spot takes."""
    try:
        form = compile_any(game)
        expected = forecast(
            form,
            seconds=estimate_run(form, fill_defaults(new_config(until=until), form)).seconds,
            until=until,
        )
    except GameTooLargeError:
        return None
    if expected is None:
        return None
    return expected.seconds


def _read_ranges(source: AnyRanges, bets: str, trust: Any) -> _SpotRanges | _PreflopRanges:
    if isinstance(source, Solution) or (
        isinstance(source, str | Path) and check_path(source).is_dir()
    ):
        run = read_run(source, trust=trust)
        game = find_game(run, trust=trust)
        if is_preflop(game):
            return _PreflopRanges(game, run, bets)
    elif isinstance(source, str | Path):
        game = load(str(source))
    else:
        game = source
    if not isinstance(game, Holdem):
        raise SolutionError(
            f"Ranges come from a spot of hold'em, its file, or a run of preflop; {source} is "
            f"{game}.",
            wrong_use=True,
        )
    return _SpotRanges(str(source), game)
