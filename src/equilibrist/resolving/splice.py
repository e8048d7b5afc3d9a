"""Splice parts that were solved again into the strategy that they were solved with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._util.arrays import offsets
from .._util.stopwatch import stopwatch
from ..errors import SolutionError
from ..evaluation.evaluate import evaluate
from ..form.responses import Values
from ..solving.solution import Solution
from ..solving.sources import AnyRun, read_run, read_strategy
from ..solving.trace import Checkpoint, Trace
from ..strategy.convert import as_strategy
from ..strategy.strategy import Strategy
from .cards import splice_cards
from .finer import complete_by
from .spliced_parts import SplicedParts


def splice(run: AnyRun | Strategy, *parts: AnyRun) -> Strategy:
    """Return the strategy of a run with that of parts in its place, for those who were solved again there.

    Parameters
    ----------
    run : Solution, Strategy or path
        The blueprint: what the parts were solved with, or that with other parts spliced in already.
    *parts : Solution or path
        What :func:`equilibrist.resolve` returned, or the folder where it was saved. Where one lies
        in an earlier one, it has to be solved with that one spliced in; where it holds an earlier
        one, it alone counts. With a part of a finer game the result is a strategy of that game.

    Raises
    ------
    SolutionError
        A solution is none of a part, or the strategy lacks its infosets; or a part by a safe method
        was solved with a strategy that plays otherwise on the way to it, or in it, so that its
        ``excess`` would promise nothing.

    Notes
    -----
    :func:`equilibrist.evaluate` certifies the result. Parts by safe methods are safe together: each hand of the
    opponent is held to its value in each of them, so that a best response to the result earns at
    most Σ ``part.excess`` more than one to the blueprint, and the exploitability rises by at most
    half of that. This holds for parts in different places of the game that were solved with the
    same blueprint, and for a part in another one that was solved with the strategy in which the
    other one is spliced. A part that lies in another one and was solved without it is refused: what
    it lets the opponent have where the player never came, the other part may come to.

    Examples
    --------
    >>> import equilibrist as eq
    >>> blueprint = eq.solve("kuhn", iterations=10)
    >>> part = eq.resolve(blueprint, "Qp", player=1)
    >>> spliced = eq.splice(blueprint, part)
    >>> eq.evaluate("kuhn", spliced).exploitability < blueprint.exploitability
    True
    """
    source = read_strategy(run)
    if isinstance(source, Solution):
        strategy = source.strategy
    else:
        strategy = as_strategy(source, lambda _: range(2))
    is_finer = False
    spliced_parts = SplicedParts()
    for source_of_part in parts:
        part = source_of_part
        if isinstance(source_of_part, str | Path):
            part = read_run(source_of_part)
        if not isinstance(part, Solution) or part.part is None:
            raise SolutionError(
                f"A part is what eq.resolve returned, in card forms with a player; got {part!r}.",
                wrong_use=True,
            )
        record = part.part
        if part.strategy.slots is None:
            if record.lifted is not None:
                strategy = complete_by(strategy, record.lifted)
                is_finer = True
            elif record.is_finer and not is_finer:
                raise SolutionError(
                    f"{source_of_part} is a part of a finer game, and folders do not have the blueprint as "
                    "a strategy of that: splice what eq.resolve returned, and save the whole.",
                    wrong_use=True,
                )
            spliced_strategy = splice_strategies(
                strategy, [(part.strategy, record.players)], is_finer=is_finer
            )
        else:
            spliced_strategy = splice_cards(
                strategy, part.strategy, record.line, record.players, is_finer=record.is_finer
            )
        spliced_parts.add(part, strategy)
        strategy = spliced_strategy
    return strategy


def spliced_run(solution: Solution, *parts: Solution, game: Any = None) -> Solution:
    """Return a run with parts in its place and the exact certificate of that strategy; there is nothing to go on with.

    ``game`` is needed where the run does not know it by a name; card forms know it themselves.
    """
    strategy = splice(solution, *parts)
    with stopwatch(seconds_of_stage := {"certify": 0.0}, "certify"):
        result = evaluate(game_to_certify(solution, strategy, game), strategy)
    values = Values(result.value, result.best_response_value)
    pot = solution.info.game.pot
    if pot is None:
        percent = {}
    else:
        percent = {"exploitability_percent": 100 * result.exploitability / pot}
    final = Checkpoint(
        iteration=solution.final.iteration,
        nodes_touched=solution.final.nodes_touched,
        seconds=solution.final.seconds,
        value=values.value,
        deviation_gains=values.deviation_gains,
        measures=values.measures | percent,
    )
    seconds = solution.seconds | {"certify": seconds_of_stage["certify"]}
    return replace(
        solution, strategy=strategy, final=final, trace=Trace([final]), seconds=seconds, state={}
    )


def game_to_certify(solution: Solution, strategy: Strategy, game: Any = None) -> Any:
    """Return what :func:`equilibrist.evaluate` takes as the game of a strategy of a run: its card form, or its name."""
    return strategy.form or (solution.game if game is None else game)


def splice_strategies(
    strategy: Strategy, parts: Iterable[tuple[Strategy, tuple[int, ...]]], *, is_finer: bool = False
) -> Strategy:
    """Return a strategy with those of parts in its place, each for some players; infosets are known by their names.

    With ``is_finer`` the strategy may be one of a finer game, whose added actions a part of the
    coarse one never plays.
    """
    infosets = list(strategy.infosets)
    number = {infoset[:2]: i for i, infoset in enumerate(infosets)}
    first_action = offsets(strategy.infosets.num_actions)
    probabilities = np.split(strategy.probabilities, first_action[1:-1])
    for part, players in parts:
        rows = np.split(part.probabilities, offsets(part.infosets.num_actions)[1:-1])
        for infoset, row in zip(part.infosets, rows, strict=True):
            if infoset.player in players:
                i = number.get(infoset[:2])
                if is_finer and i is not None and {*infoset.actions} < {*infosets[i].actions}:
                    shares = dict(zip(infoset.actions, row, strict=True))
                    probabilities[i] = np.array(
                        [shares.get(action, 0.0) for action in infosets[i].actions]
                    )
                    continue
                if i is None or len(infosets[i].actions) != len(infoset.actions):
                    raise SolutionError(
                        f"The strategy lacks the infoset {infoset.key!r} of player "
                        f"{infoset.player} with the actions {', '.join(infoset.actions)}: give "
                        "the strategy that the part was solved with.",
                        wrong_use=True,
                    )
                # of which actions may be in another order
                infosets[i] = infoset
                probabilities[i] = row
    return Strategy(infosets, np.concatenate(probabilities))
