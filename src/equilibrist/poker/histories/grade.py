"""Grades of hands that were played, by runs of the spots in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..._util.callbacks import AnyCallbacks, find_listeners
from ...errors import AlgorithmError, SolutionError
from ...games.load import Trust
from ...play.hand import Move
from ...play.score import GRADES
from ...solving.solution import Solution
from ...solving.sources import AnyRun, read_run
from ..cards.cards import parse_cards
from ..solved.infoset_names import split_infoset
from ..spot.bet_sizes import STREETS, number
from ..spot.betting_tree import PLAYERS
from .account import HandAccount
from .grades import GradedRow, Grades, make_table
from .hand import ABSENT, Decision, PlayedHand, Unread, UnreadableError, decisions
from .missing import MissingPlan, MissingSpots
from .read import READ, read_placed_hands
from .runs import BEFORE, BOARD, CHIPS, GradingRun, HandSpot

TOLERANCE = 0.1
_REPORT_EVERY = 500  # hands


def grade(
    histories: str | Path | Sequence[str | Path],
    runs: AnyRun | Sequence[AnyRun] = (),
    *,
    player: str | None = None,
    tolerance: float = TOLERANCE,
    served_at: str = "",
    missing_spots: MissingSpots | None = None,
    trust: Trust = False,
    callbacks: AnyCallbacks = None,
) -> Grades:
    """Return what the decisions in hand histories cost, as far as runs of spots of hold'em or Omaha cover them.

    Parameters
    ----------
    histories : path, or sequence of paths
        Files of Poker Hand History (``.phh``, ``.phhs``), PokerStars, GGPoker, Winamax, 888poker,
        iPoker (``.xml``) or the ACPC (``.log``), or folders of them. One hand is in memory at a time.
    runs : Solution or path, or sequence of these
        Runs of spots, or the folders in which they were saved.
    player : str, optional
        Whose decisions are graded; by default those of everybody whose cards are known.
    tolerance : float
        By which share a hand may differ from a run: its stacks as a multiple of the pot, and each
        bet as a share of the pot.
    served_at : str
        Where ``equilibrist serve`` shows the folder with the runs, ``"http://127.0.0.1:8421"``: the
        page of the grades then links each decision to its node there.
    missing_spots : MissingSpots, optional
        Solve spots on the way that no run covers: then no run is needed, and the files are read
        twice.
    trust : bool
        As for :func:`equilibrist.load_solution`.
    callbacks : Callbacks, callable or several, optional
        ``on_stage`` (or a callable) is called with a short text as hands are graded, ``on_plan``
        once, with a text that says how many spots are going to be solved, and about how long
        that takes.

    Returns
    -------
    Grades
        The decisions with their costs, and how many were not covered and why.

    Raises
    ------
    SolutionError
        A file or a run cannot be read, no hand can, or a run cannot grade.
    AlgorithmError
        The tolerance or the address makes no sense.

    Notes
    -----
    A decision is one of two players who are left after the flop. A run covers it if its board is
    the hand's, up to suits where ranges treat them alike; if the stacks fit, chips being counted so
    that both pots are the same; if the line has the same actions with bets of about the same size;
    and if the cards are known and in the run's range.

    Costs and grades are those of ``equilibrist play``: the cost of a choice is the value of the
    best action less that of the one taken, against the strategy of the run, with the best play
    afterwards. Over hands that a solution deals itself, the mean of their sum is its ``nash_conv``.
    So grades are no finer than the certificate: what costs no more than the exploitability, or 0.1
    % of the pot, and what the run itself does with a probability of 3 % or more is graded best, and
    costs 0.

    Examples
    --------
    >>> import equilibrist as eq, pathlib, tempfile
    >>> spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    >>> solution = eq.solve(spot, until=1e-4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hands.phhs")
    ...     seed = eq.poker.write_hands(solution, path, hands=100, seed=1)
    ...     grades = eq.poker.grade(path, solution)
    >>> grades.hands, grades.cost, len(grades.decisions) > 100
    (100, 0.0, True)
    """
    if not (isinstance(tolerance, int | float) and 0 <= tolerance < 1):
        raise AlgorithmError(
            f"tolerance must be a share from 0 to 1, such as 0.1; got {tolerance!r}."
        )
    if served_at and not served_at.startswith(("http://", "https://")):
        raise AlgorithmError(
            f"served_at is an address such as http://127.0.0.1:8421; got {served_at!r}."
        )
    paths = [histories] if isinstance(histories, str | Path) else list(histories)
    if isinstance(runs, Solution | str | Path):
        sources = [runs]
    else:
        sources = list(runs)
    if not paths or not (sources or missing_spots):
        raise AlgorithmError(
            "grade needs one file of hands or more, and one run or more; got none."
        )
    graders = [GradingRun(_run_name(run), read_run(run, trust=trust)) for run in sources]
    plan = None
    listeners = find_listeners(callbacks, "grade", ("on_stage", "on_plan"))
    say = listeners["on_stage"] or (lambda text: None)
    if missing_spots is not None:
        plan = MissingPlan(missing_spots, float(tolerance), trust)
        for played in read_decisions(paths, player, say, "Looking for spots"):
            if not isinstance(played, Unread):
                hand, chosen = played
                for decision in chosen:
                    if not fits_any(hand, decision, graders, tolerance):
                        plan.count(hand, decision)
        graders += plan.runs(listeners["on_plan"] or (lambda text: None), say)
    account = HandAccount()
    uncovered = Counter[str]()

    def rows() -> Iterator[GradedRow]:
        for played in read_decisions(paths, player, say, "Grading"):
            account.add(played)
            if isinstance(played, Unread):
                continue
            hand, chosen = played
            fitting = [(run, suits) for run in graders if (suits := run.suits(hand)) is not None]
            for decision in chosen:
                row = _grade_decision(hand, decision, fitting, float(tolerance))
                if isinstance(row, str):
                    if plan is not None and row in (BEFORE, BOARD, CHIPS):
                        row = plan.reason_for(hand, decision) or row
                    uncovered[row] += 1
                else:
                    yield row

    table = make_table(rows())  # before the counts are read
    check_hands(paths, account)
    return Grades(
        table,
        account.hands,
        dict(account.skipped),
        dict(uncovered),
        tuple(graders),
        float(tolerance),
        served_at,
        places=account.places,
    )


def read_decisions(
    paths: Sequence[str | Path], player: str | None, say: Callable[[str], object], stage: str
) -> Iterator[tuple[PlayedHand, list[Decision]] | Unread]:
    """Yield each hand with its decisions that are to be graded, or the reason why there is none."""
    count = 0
    for hand, place in read_placed_hands(paths):
        count += not isinstance(hand, Unread) or hand.is_hand
        if count and count % _REPORT_EVERY == 0:
            say(f"{stage}: {count:,} hands")
        if isinstance(hand, Unread):
            yield hand._replace(place=place.name, text=place.text)
            continue
        try:
            hand_decisions = [
                decision
                for decision in decisions(hand)
                if player is None or hand.players[decision.seat] == player
            ]
        except UnreadableError as error:
            yield Unread(str(error), place=place.name, text=place.text)
        else:
            if hand_decisions:
                yield hand, hand_decisions
            else:
                yield Unread(ABSENT, place=place.name, text=place.text)


def check_hands(paths: Sequence[str | Path], account: HandAccount) -> None:
    """Refuse files of which no hand can be read, with the most frequent reason."""
    if account.understood:
        return
    names = ", ".join(map(str, paths))
    problem = f"There is no hand in {names}"
    if account.skipped:
        reason, number = account.skipped.most_common(1)[0]
        problem = f"No hand can be read in {names}; there is {reason} ({number:,} times)"
    raise SolutionError(f"{problem}; give histories of {READ}.", wrong_use=True)


def fits_any(
    hand: PlayedHand, decision: Decision, runs: Sequence[HandSpot], tolerance: float
) -> bool:
    """Return whether board and stacks of a decision are those of a run that has begun."""
    return any(
        run.street <= decision.street
        and run.suits(hand) is not None
        and run.misfit(decision) <= tolerance
        for run in runs
    )


def _run_name(run: AnyRun) -> str:
    if isinstance(run, Solution):
        if run.folder is None:
            return run.game
        return str(run.folder)
    return str(run)


def _grade_decision(
    hand: PlayedHand, decision: Decision, fitting: list[tuple[GradingRun, Any]], tolerance: float
) -> GradedRow | str:
    """Return the grade of a decision by the run that fits it best, or why there is none."""
    misfits = [
        (run.misfit(decision), i)
        for i, (run, _) in enumerate(fitting)
        if run.street <= decision.street
    ]
    reason = CHIPS if misfits else BEFORE if fitting else BOARD
    for misfit, i in sorted(misfits):
        run, suits = fitting[i]
        if misfit <= tolerance:
            move = run.grade(decision, hand.board, hand.cards[decision.seat], suits, tolerance)
            if not isinstance(move, str):
                return _make_row(hand, decision, run, move)
            reason = move if reason == CHIPS else reason
    return reason


def _make_row(hand: PlayedHand, decision: Decision, run: GradingRun, move: Move) -> GradedRow:
    cards, board, line = split_infoset(move.infoset)
    kind, made = run.game.describe(cards, parse_cards(board))
    start = decision.begun[run.street]
    mark = run.grading.grade(move) or 0
    cost = (move.cost or 0.0) if mark else 0.0
    return GradedRow(
        hand=hand.name,
        player=hand.players[decision.seat],
        run=run.name,
        street=STREETS[decision.street],
        position=PLAYERS[decision.player],
        line=line.strip(" |"),
        board=board,
        cards=cards,
        kind=kind,
        made=made,
        played=decision.step.kind
        + (number(decision.step.chips) if decision.step.kind == "B" else ""),
        action=move.action,
        frequency=0.0 if move.mix is None else move.mix[move.taken],
        best=" or ".join(move.best),
        cost=cost * (1.0 if start is None else start[0] / run.pot),
        cost_percent=100 * cost / run.pot,
        grade=GRADES[mark],
    )
