"""Policies that were learnt elsewhere, as strategies: each is asked once about every infoset, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.callbacks import AnyCallbacks, stage_listener
from ..errors import GameError, SolutionError
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.infosets import Infosets
from ..form.limits import CompileBudget, Limits, compile_budget
from ..form.sequence.build import check_and_unfold
from ..form.sequence.tree import ROOT, GameTree
from ..form.walk.form import WalkedGame
from ..form.walk.walk import Say
from ..games.compile import Playable, compile_any
from ..games.load import load
from ..strategy.reading import SUM_TOLERANCE
from ..strategy.strategy import Strategy
from .agents import AnyPolicy, StatePolicy, check_shape, is_state_policy, read_policy, to_array
from .decisions import Decisions, Policy

BATCH = 4096
"""Infosets that a policy is asked about at a time: enough for a network, with observations of some megabytes."""

STATE_BATCH = 65_536
"""The same of a policy that answers for states as integers."""


def strategy_from_policy(
    game: Playable,
    policy: AnyPolicy,
    *,
    limits: Limits | None = None,
    callbacks: AnyCallbacks = None,
) -> Strategy:
    """Return what a policy plays at every infoset of a game, having asked it once about each.

    Parameters
    ----------
    game : str, Game, PublicGame or CardGame
        As for :func:`equilibrist.load`; the whole tree is compiled and kept.
    policy : callable, agent, or a list of one for each player
        A function of :class:`Decisions`, up to 4,096 at a time, that returns an array (or a PyTorch
        tensor) of probabilities, shape (n, number of columns); those of a row are of its legal
        actions and sum to 1 up to 0.001, as those of networks in float32 do. A function of two
        arguments is given the observations and which columns are legal instead, as policies of
        nashbench and PettingZoo are. Or an object with the method ``action_probabilities(state)``
        of OpenSpiel, which plays its games, or with the method ``eval_step(state)`` of RLCard; both
        are asked about one decision at a time.
    limits : Limits, optional
        How large the tree may be.
    callbacks : Callbacks, callable or several, optional
        Called with a short text when a long stage begins, and now and then on the way (``on_stage``).

    Raises
    ------
    GameError
        The game cannot be compiled, or is compiled already.
    SolutionError
        The policy fails, or what it returns is no such array.

    Examples
    --------
    >>> import equilibrist as eq
    >>> def calls_too_much(decisions):
    ...     return decisions.legal / decisions.legal.sum(axis=1, keepdims=True)
    >>> eq.strategy_from_policy("kuhn", calls_too_much)[0, "Kpb"]
    {'fold': 0.5, 'call': 0.5}
    """
    on_stage = stage_listener(callbacks, "strategy_from_policy")
    return ask_policy(game, policy, compile_budget(limits, "strategy_from_policy"), on_stage)[1]


def ask_policy(
    game: Playable,
    policy: AnyPolicy,
    limits: CompileBudget,
    on_stage: Callable[[str], None] | None,
) -> tuple[CompiledGame, Strategy]:
    """Return the sequence form of a game with its tree, and what :func:`strategy_from_policy` does."""
    if is_compiled(game):
        raise GameError(
            f"A policy is asked at states of the rules, which {game.name} no longer has once it "
            "is compiled: give the game itself.",
            wrong_use=True,
        )
    rules = check_and_unfold(load(game))
    compiled = compile_any(rules, form="sequence", limits=limits, say=on_stage, keep_tree=True)
    assert compiled.tree is not None
    return compiled, _ask_in_batches(
        policy,
        rules,
        compiled.name,
        compiled.infosets,
        _replay_states(rules, compiled.tree),
        on_stage,
    )


def ask_walked(
    walked: WalkedGame, policy: AnyPolicy, say: Say | None, *, histories: float
) -> Strategy:
    """Return what a policy plays at every infoset of a game that is walked, first for its infosets.

    ``histories``: about how many there are.

    Raises
    ------
    GameError
        The game's rules do not compile, or a player forgets.
    SolutionError
        As :func:`strategy_from_policy`.
    """
    infosets = walked.infosets(histories=histories, say=say)
    states = infosets.states_of(walked.rules)
    assert states is not None
    if is_state_policy(policy):
        return Strategy(infosets, _ask_at_states(policy, walked.name, infosets, states, say))
    at = (tuple(row.tolist()) for row in states)
    return _ask_in_batches(policy, walked.rules, walked.name, infosets, at, say)


def _ask_at_states(
    policy: StatePolicy, game: str, infosets: Infosets, states: NDArray[Any], say: Say | None
) -> Floats:
    """Return the probabilities of all actions at all infosets, given a state in each as a row of integers."""
    probabilities = np.empty(int(infosets.num_actions.sum()))
    end = 0
    for first in range(0, len(infosets), STATE_BATCH):
        _tell_share(say, game, first / len(infosets))
        begin = end
        counts = infosets.num_actions[first : first + STATE_BATCH].astype(np.int64)
        end = begin + int(counts.sum())
        rows = states[first : first + STATE_BATCH].astype(np.int64)
        answer = _ask(partial(policy.at_states, game), rows, game)
        if answer.shape != (end - begin,):
            raise SolutionError(
                f"The policy returned shape {answer.shape} for {end - begin:,} actions of "
                f"{len(counts):,} infosets of {game}: give one probability for each action."
            )
        starts = np.cumsum(counts) - counts
        total = np.add.reduceat(answer, starts)
        least = np.minimum.reduceat(answer, starts)
        wrong = ~((least >= 0) & (np.abs(total - 1) <= SUM_TOLERANCE))
        if wrong.any():
            i = int(wrong.argmax())
            row = answer[starts[i] : starts[i] + counts[i]].tolist()
            raise SolutionError(
                f"What the policy returns at {infosets[first + i].key!r} is no probability of each "
                f"legal action: {row}."
            )
        probabilities[begin:end] = answer / np.repeat(total, counts)
    return probabilities


def _ask_in_batches(
    policy: AnyPolicy,
    rules: Any,
    name: str,
    infosets: Infosets,
    states: Iterator[Any],
    say: Say | None,
) -> Strategy:
    """Return what a policy plays at infosets, given a state in each."""
    ask = read_policy(policy, rules)
    probabilities = [np.zeros(0)]
    for first in range(0, len(infosets), BATCH):
        _tell_share(say, name, first / len(infosets))
        probabilities.append(
            _ask_probabilities(ask, _next_decisions(rules, name, infosets, first, states))
        )
    return Strategy(infosets, np.concatenate(probabilities))


def _next_decisions(
    rules: Any, name: str, infosets: Infosets, first: int, states: Iterator[Any]
) -> Decisions:
    """Return the next infosets that a policy is asked about."""
    batch = infosets[first : first + BATCH]
    batch_states = tuple(next(states) for _ in batch)
    # Where actions are numbers, the same in the whole game.
    num_columns = getattr(rules, "num_actions", None)
    columns = tuple(
        tuple(range(len(row.actions)) if num_columns is None else map(int, rules.actions(state)))
        for row, state in zip(batch, batch_states, strict=True)
    )
    legal = np.zeros((len(batch), num_columns or int(infosets.num_actions.max())), np.bool_)
    for i, row_columns in enumerate(columns):
        legal[i, row_columns] = True
    return Decisions(
        name,
        infosets.owner[first : first + BATCH].astype(np.int64),
        tuple(row.key for row in batch),
        tuple(row.actions for row in batch),
        columns,
        legal,
        batch_states,
        getattr(rules, "observation", None),
        getattr(rules, "raw_observation", None),
    )


def _replay_states(rules: Any, tree: GameTree) -> Iterator[Any]:
    """Yield a state of each infoset, in their order; moves that it shares with the one before are not made again."""
    first = np.zeros(len(tree.infosets), np.int64)
    decisions = np.flatnonzero(tree.player >= 0)[::-1]
    first[tree.infoset[decisions]] = decisions  # the last one written is the first history
    path = [(ROOT, rules.start())]
    for history in first.tolist():
        way = [history]
        while way[-1] != ROOT:
            way.append(int(tree.parent[way[-1]]))
        way.reverse()
        num_shared = next(
            (i for i, (h, _) in enumerate(path) if i >= len(way) or way[i] != h), len(path)
        )
        del path[num_shared:]
        for h in way[num_shared:]:
            before, state = path[-1]
            path.append(
                (h, rules.next(state, rules.actions(state)[h - int(tree.first_child[before])]))
            )
        yield path[-1][1]


def _tell_share(say: Say | None, game: str, share: float) -> None:
    """Tell of how many infosets the policy has been asked."""
    if say is not None:
        say(f"Asking the policy about {game}: {share:.0%}")


def _ask(ask: Callable[[Any], Any], asked: Any, game: str) -> Floats:
    """Return what a policy answers as an array; what goes wrong there is told in a sentence."""
    try:
        return to_array(ask(asked))
    except SolutionError:
        raise
    except Exception as error:
        raise SolutionError(
            f"The policy failed with {type(error).__name__}: {error} (asked about "
            f"{len(asked):,} infosets of {game})."
        ) from error


def _ask_probabilities(ask: Policy, decisions: Decisions) -> Floats:
    """Return the probabilities of the legal actions, one infoset after the other, as a policy gives them."""
    table = _ask(ask, decisions, decisions.game)
    check_shape(table, decisions.legal.shape)
    legal = np.where(decisions.legal, table, 0.0)
    total = legal.sum(axis=1)
    wrong = ~((table >= 0).all(axis=1) & (np.abs(total - 1) <= SUM_TOLERANCE))
    wrong |= ~(table.sum(axis=1) - total <= SUM_TOLERANCE)
    if wrong.any():
        i = int(wrong.argmax())
        row = dict(zip(decisions.actions[i], legal[i, decisions.columns[i]].tolist(), strict=True))
        raise SolutionError(
            f"What the policy returns for player {decisions.player[i]} at "
            f"{decisions.infosets[i]!r} is no probability of each legal action: {row}, and "
            f"{table[i].sum() - total[i]:g} for actions that are not legal; mask these with "
            "decisions.legal, and let the rest sum to 1."
        )
    legal /= total[:, None]
    return np.concatenate(
        [row[list(columns)] for row, columns in zip(legal, decisions.columns, strict=True)]
    )
