"""Models of an opponent from hand histories: how often the actions of a line were taken, and what that says of hands.

Who folds shows no cards, so counts *by hand* from ordinary histories are biased; only frequencies *by line* are not.
Where all cards are known, as those of own bots are, counts are by hand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..._util.arrays import Floats, Ints
from ..._util.validate import is_number
from ...errors import SolutionError
from ...exploiting.opponents import OpponentModel
from ...exploiting.tendencies import TendencyEffect
from ...form.cards.betting import Node
from ...form.cards.form import CardForm
from ...games.load import Trust
from ...solving.sources import AnyRun, read_run
from ..cards.cards import cards_text
from ..spot.betting_tree import PLAYERS
from .grade import TOLERANCE, read_decisions
from .hand import Unread
from .runs import CHIPS, HIDDEN, RANGE, SIZE, GradingRun

HALF_BELIEVED = 20.0
"""After how many observations of a line a model is half believed."""
_LEAST = 1e-3  # probability from which log-odds are shifted: pure hands move as well
_ROUNDS = 200
_CLOSE = 1e-10


class Observations(NamedTuple):
    """What was seen of one player of a spot.

    Attributes
    ----------
    by_line : mapping
        How often each action of a decision was taken, by the line before.
    by_hand : mapping
        The same by infoset, of decisions whose cards are known.
    decisions : int
        How many there are.
    uncovered : mapping of str to int
        How many decisions the run does not cover, by the reason.
    """

    by_line: Mapping[str, Counter[str]]
    by_hand: Mapping[str, Counter[str]]
    decisions: int
    uncovered: Mapping[str, int]


def model_from_hands(
    histories: str | Path | Sequence[str | Path],
    run: AnyRun,
    *,
    player: int = 1,
    name: str | None = None,
    cards_known: bool = False,
    k: float = HALF_BELIEVED,
    tolerance: float = TOLERANCE,
    trust: Trust = False,
) -> OpponentModel:
    """Return what hand histories say of an opponent in a spot, for :func:`equilibrist.exploit`.

    Of ordinary histories, frequencies by line: the model is the strategy of the run, in which at each line the log-odds
    of its actions are shifted by the same for all hands until their frequencies are the observed ones, shrunk by
    n / (n + k) towards those of the run, for n observations. Where all cards are known, counts by hand. Either way a
    place that was seen n times is believed with probability n / (n + k), times the trust of the answer
    (Johanson & Bowling 2009); where nothing was seen the opponent may do anything.

    Parameters
    ----------
    histories : path, or sequence of paths
        As for :func:`equilibrist.poker.grade`.
    run : Solution or path
        A run of the spot: hold'em or Omaha.
    player : int
        Whose decisions count: 0 (OOP) or 1 (IP).
    name : str, optional
        The opponent's name in the histories; by default everybody who sits there.
    cards_known : bool
        Whether the histories show all cards, those of who folds too.
    k : float
        After how many observations the model is half believed; above 0.
    tolerance : float
        By which share stacks and bets may differ from those of the run.
    trust : bool
        As for :func:`equilibrist.load_solution`.

    Raises
    ------
    SolutionError
        A file or the run cannot be read, or no decision fits the run.

    Examples
    --------
    >>> import equilibrist as eq, pathlib, tempfile
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    >>> solution = eq.solve(spot, until=1e-4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hands.phhs")
    ...     seed = eq.poker.write_hands(solution, path, hands=100, seed=1)
    ...     model = eq.poker.model_from_hands(path, solution)
    >>> sorted(effect.text for effect in model.effects)
    ['A10: C', 'A10: F', 'X: X']
    """
    if not is_number(k, above=0):
        raise SolutionError(
            f"k is after how many observations a model is half believed, a number above 0; got {k!r}.",
            wrong_use=True,
        )
    if player not in (0, 1):
        raise SolutionError(f"player is 0 (OOP) or 1 (IP); got {player!r}.", wrong_use=True)
    solution = read_run(run, trust=trust)
    grading = GradingRun(str(getattr(solution, "game", run)), solution)
    paths = [histories] if isinstance(histories, str | Path) else list(histories)
    seen = observe(paths, grading, player=player, name=name, tolerance=tolerance)
    if not seen.decisions:
        reasons = Counter(seen.uncovered).most_common(1)
        because = f"; most of them: {reasons[0][0]} ({reasons[0][1]:,} times)" if reasons else ""
        raise SolutionError(
            f"No decision of {PLAYERS[player].upper()} in the histories fits {grading.name}{because}."
        )
    form = grading.spot.form
    base = form.average_from_sums(grading.spot.weights)
    who = name or PLAYERS[player].upper()
    if cards_known:
        return _model_by_hand(form, base, seen, player, k, who)
    return _model_by_line(form, base, seen, player, k, who)


def observe(
    paths: Sequence[str | Path],
    run: GradingRun,
    *,
    player: int,
    name: str | None,
    tolerance: float,
) -> Observations:
    """Return how often a player of a spot took each action, by line and by infoset."""
    by_line: dict[str, Counter[str]] = defaultdict(Counter)
    by_hand: dict[str, Counter[str]] = defaultdict(Counter)
    uncovered = Counter[str]()
    count = 0
    for played in read_decisions(paths, name, lambda text: None, "Observing"):
        if isinstance(played, Unread):
            uncovered[played.reason] += 1
            continue
        hand, chosen = played
        suits = run.suits(hand)
        for decision in chosen:
            if decision.player != player or decision.street < run.street:
                continue
            if suits is None or run.misfit(decision) > tolerance:
                uncovered[CHIPS] += 1
                continue
            place = run.find_place(decision, tolerance)
            if place is None:
                uncovered[SIZE] += 1
                continue
            node, action = place
            count += 1
            by_line[node.line][node.actions[action]] += 1
            cards = hand.cards[decision.seat]
            if not len(cards):
                uncovered[HIDDEN] += 1
                continue
            held = run.game.hand_of(suits[list(cards)].tolist())
            if held not in run.hands[player]:
                uncovered[RANGE] += 1
                continue
            board = cards_text(suits[list(hand.board[: 3 + node.street])].tolist())
            by_hand[f"{held} {board} {node.line}"][node.actions[action]] += 1
    return Observations(dict(by_line), dict(by_hand), count, dict(uncovered))


def _model_by_line(
    form: CardForm, base: Floats, seen: Observations, player: int, k: float, who: str
) -> OpponentModel:
    """Return the strategy of a run tilted at each line until its frequencies are those that were seen, shrunk."""
    slots = base.copy()
    bias = np.zeros(form.length)
    weights = _reach_at_slots(form, base)
    effects: list[TendencyEffect] = []
    nodes = {node.line: node for node in form.betting.nodes if node.player == player}
    for line, counts in seen.by_line.items():
        node = nodes[line]
        places = _slots_of_line(form, node)
        observations = sum(counts.values())
        belief = observations / (observations + k)
        reach = weights[places].sum(axis=0)
        total = float(reach.sum())
        if not total > 0:
            continue
        reach = reach / total
        before = base[places] @ reach
        observed = np.array([counts[action] for action in node.actions]) / observations
        target = before + belief * (observed - before)
        tilted, shifts = tilt(base[places], reach, target)
        slots[places] = tilted
        bias[places] = belief
        for action, name in enumerate(node.actions):
            if name in counts or abs(target[action] - before[action]) > 1e-4:
                effects.append(
                    TendencyEffect(
                        f"{line}: {name}" if line else f"first: {name}",
                        float(before[action]),
                        float(target[action]),
                        float(shifts[action]),
                        int(places.shape[1]),
                    )
                )
    text = f"plays as {who} did at {len(seen.by_line):,} lines, {seen.decisions:,} decisions"
    return OpponentModel(slots, text, bias, tuple(effects))


def tilt(shares: Floats, reach: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Return probabilities whose log-odds are shifted by the same for all hands, and the shifts.

    Their mean over the hands, weighted by ``reach``, is the target.

    Parameters
    ----------
    shares : float array, shape (actions, hands)
        The probabilities before; those below 0.001 count as that.
    reach : float array, shape (hands,)
        Weights that sum to 1.
    target : float array, shape (actions,)
        Frequencies above 0 that sum to 1.
    """
    clipped = np.maximum(shares, _LEAST)
    clipped = clipped / clipped.sum(axis=0)
    shifts = np.zeros(len(target))
    target = np.maximum(target, _LEAST**2)
    target = target / target.sum()
    tilted = clipped
    for _ in range(_ROUNDS):
        # Each action is scaled to its frequency, over and over.
        mean = tilted @ reach
        shifts += np.log(target / mean)
        tilted = clipped * np.exp(shifts - shifts.max())[:, None]
        tilted = tilted / tilted.sum(axis=0)
        if np.abs(tilted @ reach - target).max() < _CLOSE:
            break
    return tilted, shifts - shifts.mean()


def _model_by_hand(
    form: CardForm, base: Floats, seen: Observations, player: int, k: float, who: str
) -> OpponentModel:
    """Return what was seen hand by hand, and how far each is believed."""
    slots = base.copy()
    bias = np.zeros(form.length)
    numbers = {
        infoset.key: number
        for number, infoset in enumerate(form.infosets)
        if infoset.player == player
    }
    first = form.first_action
    count = 0
    for key, counts in seen.by_hand.items():
        number = numbers.get(key)
        if number is None:
            continue
        infoset = form.infosets[number]
        places = form.slot[int(first[number]) : int(first[number + 1])]
        observations = sum(counts.values())
        count += observations
        slots[places] = [counts[action] / observations for action in infoset.actions]
        bias[places] = observations / (observations + k)
    if not count:
        raise SolutionError(
            "No decision in the histories shows the opponent's cards on a board of the run: leave "
            "cards_known out, and frequencies by line are taken.",
            wrong_use=True,
        )
    text = f"plays as {who} did, {count:,} decisions with known cards"
    return OpponentModel(slots, text, bias)


def _slots_of_line(form: CardForm, node: Node) -> Ints:
    """Return the slots of a line on all boards, shape (actions, hands on boards)."""
    boards = len(form.boards.streets[node.street])
    return np.concatenate([form.slots_of(node, board) for board in range(boards)], axis=1)


def _reach_at_slots(form: CardForm, strategy: Floats) -> Floats:
    """Return how often each slot is reached, by both players and chance."""
    return form.reach(strategy) * form.cf_reach_at_slots(strategy)
