"""Grades of hands that were played, by runs of the spots in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import AlgorithmError
from ..games.holdem.bet_sizes import STREETS, number
from ..games.holdem.betting_tree import PLAYERS
from ..games.holdem.cards import CLASS_OF_HAND, CLASSES, parse_hand
from ..games.load import Trust
from ..play.score import GRADES
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run
from .grades import GradedRow, Grades, Rows, RunOfGrades
from .hand import Decision, PlayedHand, UnreadableError, board_of, decisions
from .read import read_hands
from .runs import BEFORE, BOARD, CHIPS, Graded, GradingRun

TOLERANCE = 0.1
_REPORT_EVERY = 500  # hands


def grade(
    hands: str | Path | Sequence[str | Path],
    runs: AnyRun | Sequence[AnyRun],
    *,
    player: str | None = None,
    tolerance: float = TOLERANCE,
    trust: Trust = False,
    on_stage: Callable[[str], None] | None = None,
) -> Grades:
    """Return what the decisions in hand histories cost, as far as runs of spots of hold'em cover them.

    Parameters
    ----------
    hands : path, or sequence of paths
        Files of Poker Hand History (``.phh``, ``.phhs``) or of PokerStars, or folders of them. One hand is in memory at
        a time.
    runs : Solution or path, or sequence of these
        Runs of spots, or the folders in which they were saved.
    player : str, optional
        Whose decisions are graded; by default those of everybody whose cards are known.
    tolerance : float
        By which share a hand may differ from a run: its stacks as a multiple of the pot, and each bet as a share of
        the pot.
    trust : bool
        As for :func:`equilibrist.load_solution`.
    on_stage : callable, optional
        Called with a short text as hands are graded.

    Returns
    -------
    Grades
        The decisions with their costs, and how many were not covered and why.

    Raises
    ------
    SolutionError
        A file or a run cannot be read, or a run cannot grade.
    AlgorithmError
        The tolerance makes no sense.

    Notes
    -----
    A decision is one of two players who are left after the flop. A run covers it if its board is the hand's, up to
    suits where ranges treat them alike; if the stacks fit, chips being counted so that both pots are the same; if the
    line has the same actions with bets of about the same size; and if the cards are known and in the run's range.

    Costs and grades are those of ``equilibrist play``: the cost of a choice is the value of the best action less that
    of the one taken, against the strategy of the run, with the best play afterwards. Over hands that a solution deals
    itself, the mean of their sum is its ``nash_conv``. So grades are no finer than the certificate: what costs no more
    than the exploitability, or 0.1 % of the pot, and what the run itself does with a probability of 3 % or more is
    graded best, and costs 0.

    Examples
    --------
    >>> import equilibrist as eq, pathlib, tempfile
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    >>> solution = eq.solve(spot, until=1e-4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hands.phhs")
    ...     written = eq.write_hands(solution, path, hands=100, seed=1)
    ...     grades = eq.grade(path, solution)
    >>> grades.hands, grades.cost, len(grades.decisions) > 100
    (100, 0.0, True)
    """
    if not (isinstance(tolerance, int | float) and 0 <= tolerance < 1):
        raise AlgorithmError(f"tolerance must be a share from 0 to 1, such as 0.1; got {tolerance!r}.")
    paths = [hands] if isinstance(hands, str | Path) else list(hands)
    sources = [runs] if isinstance(runs, Solution | str | Path) else list(runs)
    if not paths or not sources:
        raise AlgorithmError("grade needs one file of hands or more, and one run or more; got none.")
    graders = [GradingRun(_name(run), read_run(run, trust=trust)) for run in sources]
    count, rows = 0, Rows()
    skipped, uncovered = Counter[str](), Counter[str]()
    for hand in read_hands(paths):
        count += 1
        try:
            if isinstance(hand, str):
                raise UnreadableError(hand)
            _grade_hand(hand, graders, player, float(tolerance), rows, uncovered)
        except UnreadableError as error:
            skipped[str(error)] += 1
        if on_stage is not None and count % _REPORT_EVERY == 0:
            on_stage(f"Grading: {count:,} hands, {rows.count:,} decisions that the runs cover")
    about = tuple(
        RunOfGrades(run.name, str(run.game), run.pot, run.grading.exploitability, run.spot) for run in graders
    )
    return Grades(rows.table(), count, dict(skipped), dict(uncovered), about, float(tolerance))


def _name(run: AnyRun) -> str:
    if isinstance(run, Solution):
        return run.game if run.folder is None else str(run.folder)
    return str(run)


def _grade_hand(
    hand: PlayedHand,
    graders: Sequence[GradingRun],
    player: str | None,
    tolerance: float,
    rows: Rows,
    uncovered: Counter[str],
) -> None:
    """Add the decisions of a hand to the rows, or count why they are none of them."""
    board = board_of(hand)
    fitting: list[tuple[GradingRun, Any]] | None = None
    for decision in decisions(hand):
        if player is not None and hand.players[decision.seat] != player:
            continue
        if fitting is None:
            pairs = [(run, run.suits(board)) for run in graders]
            fitting = [(run, suits) for run, suits in pairs if suits is not None]
        graded = _graded(decision, board, hand.cards[decision.seat], fitting, tolerance)
        if isinstance(graded, str):
            uncovered[graded] += 1
        else:
            rows.add(_row(hand, decision, *graded))


def _graded(
    decision: Decision,
    board: Sequence[int],
    cards: Sequence[int],
    fitting: list[tuple[GradingRun, Any]],
    tolerance: float,
) -> tuple[GradingRun, Graded] | str:
    """Return the run that fits a decision best and its grade, or why there is none."""
    begun = [(run, suits) for run, suits in fitting if run.street <= decision.street]
    near = sorted((run.misfit(decision), i) for i, (run, _) in enumerate(begun))
    reasons = [CHIPS if begun else BEFORE if fitting else BOARD]
    for misfit, i in near:
        if misfit <= tolerance:
            run, suits = begun[i]
            graded = run.grade(decision, board, cards, suits, tolerance)
            if not isinstance(graded, str):
                return run, graded
            reasons.append(graded)
    return reasons[min(1, len(reasons) - 1)]


def _row(hand: PlayedHand, decision: Decision, run: GradingRun, graded: Graded) -> GradedRow:
    move, begun = graded.move, decision.begun[run.street]
    chips = 1.0 if begun is None else begun[0] / run.pot
    mark = run.grading.grade(move) or 0
    cost = (move.cost or 0.0) if mark else 0.0
    mix = move.mix or ()
    return GradedRow(
        hand=hand.name,
        player=hand.players[decision.seat],
        run=run.name,
        street=STREETS[decision.street],
        position=PLAYERS[decision.player],
        line=graded.line,
        board=graded.board,
        cards=graded.hand,
        kind=CLASSES[CLASS_OF_HAND[parse_hand(graded.hand)]],
        played=decision.step.kind + (number(decision.step.chips) if decision.step.kind == "B" else ""),
        action=move.action,
        frequency=mix[move.taken],
        best=" or ".join(move.best),
        cost=cost * chips,
        cost_percent=100 * cost / run.pot,
        grade=GRADES[mark],
    )
