"""An iteration told in sentences, in the order of execution: down the tree, and back up with the values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..game.protocol import CHANCE, TERMINAL
from ..mccfr.sampling import find_sampling
from .records import ExplainedIteration, Move, Node, Update, Walk


class Step(NamedTuple):
    """A sentence; ``depth`` counts the moves of players before it, and a title begins a part."""

    depth: int
    sentence: str
    is_title: bool = False


def number(value: float | None, missing: str = "") -> str:
    """Return a number in four digits, 0 without a sign; or ``missing``, where there is none."""
    if value is None:
        return missing
    text = f"{value:.4g}"
    if text == "-0":
        return "0"
    return text.replace("-", "−", 1)


def payoffs(node: Node) -> str:
    """Return the payoffs of a terminal history."""
    return ", ".join(number(value, "?") for value in node.value)


def story_of(explanation: ExplainedIteration) -> Iterator[Step]:
    """Iterate over the sentences that tell an iteration."""
    for walk in explanation.walks:
        yield Step(0, walk_title(explanation, walk), is_title=True)
        children, roots = walk.children()
        waiting: list[Step | _Visit] = [_Visit(root, 0, "") for root in reversed(roots)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Step):
                yield item
            else:
                waiting += reversed(list(_visited(explanation, walk, children, item)))
        if explanation.alternating or walk is explanation.walks[-1]:
            yield Step(0, "The update", is_title=True)
            for each in [walk] if explanation.alternating else explanation.walks:
                for key, nodes in each.visits().items():
                    yield Step(0, _updated(explanation, explanation.updates[key], nodes))


class _Visit(NamedTuple):
    """A node whose turn comes, its depth, and the move that leads there in words."""

    node: int
    depth: int
    move: str


def walk_title(explanation: ExplainedIteration, walk: Walk) -> str:
    """Return whose regrets a walk changes, and against which strategies."""
    if len(walk.players) > 1:
        return "All players update at once; values are those of the player who moves"
    (player,) = walk.players
    if explanation.alternating and player > 0:
        others = " against the others' newest strategies"
    else:
        others = ""
    return f"Player {player} updates{others}; values are those of player {player}"


def _visited(
    explanation: ExplainedIteration, walk: Walk, children: list[dict[str, int]], visit: _Visit
) -> Iterator[Step | _Visit]:
    i, dealt, probability = walk.past_chance(children, visit.node)
    node = walk.nodes[i]
    depth = visit.depth
    words = [visit.move] if visit.move else []
    if dealt:
        words.append(f"Chance deals {' '.join(dealt)} (probability {number(probability)}).")
    if node.player == TERMINAL:
        words.append(f"The game ends and pays {_paid(node)}.")
        yield Step(depth, " ".join(words))
        return
    if node.player in walk.players:
        player = node.player
    else:
        player = walk.players[0]
    if node.weight is None:
        update = None
    else:
        update = explanation.updates[node.player, node.infoset or ""]
    yield Step(depth, " ".join([*words, _entered(node, update)]))
    for move in node.moves:
        after = children[i].get(move.action)
        how = f"{move.action} (probability {number(move.probability)})"
        if after is not None:
            yield _Visit(after, depth + 1, f"{how}:")
        elif not move.visited:
            yield Step(depth + 1, f"{how}: not visited.")
    yield Step(depth, _valued(node, player))
    if update is not None:
        yield from (Step(depth, sentence) for sentence in _regretted(explanation, node, player))


def _paid(node: Node) -> str:
    paid = (number(value, "nothing known") for value in node.value)
    return ", ".join(f"{amount} to player {player}" for player, amount in enumerate(paid))


def _entered(node: Node, update: Update | None) -> str:
    """Return who moves, and with which strategy: why, where it is the strategy that the iteration improves."""
    if node.player == CHANCE:
        return "Chance moves."
    strategy = _pairs(
        (move.action for move in node.moves), (move.probability for move in node.moves)
    )
    who = f"Player {node.player} moves at {node.infoset}"
    if update is None:
        return f"{who} and plays {strategy}."
    sums = update.regret_sum_before
    total = sum(max(0.0, regret) for regret in sums)
    matched = [max(0.0, regret) / total if total else 1 / len(sums) for regret in sums]
    text = f"{who}. Regret sums {_pairs(update.actions, sums)}"
    if not all(
        math.isclose(p, q, abs_tol=1e-9) for p, q in zip(matched, update.strategy, strict=True)
    ):
        return f"{text}; with what the algorithm predicts of the next regrets, the strategy is {strategy}."
    if total:
        return f"{text}; in proportion to the positive ones, the strategy is {strategy}."
    return f"{text}; none is positive, so that the strategy is uniform: {strategy}."


def _valued(node: Node, player: int) -> str:
    value = node.value[player]
    terms = [(move.probability, move.value[player]) for move in node.moves if move.visited]
    valued = [(p, v) for p, v in terms if v is not None]
    where = f"Back at {'chance' if node.player == CHANCE else node.infoset}: the value to player {player} is"
    if value is None:
        return f"{where} unknown."
    if len(valued) == len(node.moves) and math.isclose(
        sum(p * v for p, v in valued), value, rel_tol=1e-9, abs_tol=1e-12
    ):
        return f"{where} {' + '.join(f'{number(p)} · {_signed(v)}' for p, v in valued)} = {number(value)}."
    return f"{where} {number(value)}, estimated from what was visited."


def _regretted(explanation: ExplainedIteration, node: Node, player: int) -> Iterator[str]:
    value = node.value[player] or 0.0
    weight = node.weight or 0.0
    scheme = find_sampling(explanation.sampling)
    if scheme.tries_all:
        yield (
            "Regret, value of the action − value here: "
            + _each(
                node.moves,
                lambda move: (
                    "unknown"
                    if move.regret is None
                    else f"{number(move.value[player] or 0.0)} − {_signed(value)} = {number(move.regret)}"
                ),
            )
            + "."
        )
    else:
        yield f"Regret, estimated: {_each(node.moves, lambda move: number(move.regret or 0.0))}."
    others = [reach for p, reach in enumerate(node.reach) if p != node.player]
    reach = f"The others come here with probability {' · '.join(map(number, others)) or '1'}"
    if scheme.full_width:
        reach += f", chance with {number(node.chance_reach)}"
    elif math.isclose(weight, math.prod(others)):
        reach += "" if node.chance_reach == 1.0 else "; chance was drawn, and does not count"
    else:
        if weight:
            drawn = math.prod(others) * node.chance_reach / weight
        else:
            drawn = 1.0
        reach += (
            f", chance with {number(node.chance_reach)}, divided by the sample's {number(drawn)}"
        )
    formula = _each(
        node.moves,
        lambda move: (
            f"{number(weight)} · {_signed(move.regret or 0.0)} = {number(move.cf_regret or 0.0)}"
        ),
    )
    yield f"{reach}: counterfactual reach (weight) {number(weight)}. Counterfactual regret: {formula}."


def _updated(explanation: ExplainedIteration, update: Update, nodes: Sequence[Node]) -> str:
    summed = ""
    discounted = ""
    if len(nodes) > 1 or [move.cf_regret for move in nodes[0].moves] != [*update.instant_regret]:
        summed = f"the regrets of all its histories sum to {_pairs(update.actions, update.instant_regret)}; "
    if explanation.discount[:2] != (1.0, 1.0):
        discounted = f" {_pairs(update.actions, update.regret_sum_before)}, discounted"
    sums = []
    for action, old, new, total in zip(
        update.actions,
        update.regret_sum_discounted,
        update.instant_regret,
        update.regret_sum,
        strict=True,
    ):
        raised = old + new
        if math.isclose(raised, total, rel_tol=1e-9, abs_tol=1e-12):
            floored = ""
        else:
            floored = f", floored to {number(total)}"
        sums.append(f"{action} {number(old)} + {_signed(new)} = {number(raised)}{floored}")
    averages = zip(update.actions, update.strategy_sum_before, update.strategy_sum, strict=True)
    return (
        f"Player {update.player} at {update.infoset}: {summed}regret sums{discounted}: {'; '.join(sums)}. "
        f"Next strategy: {_pairs(update.actions, update.next_strategy)}. Strategy sums: "
        f"{'; '.join(f'{action} {number(old)} → {number(new)}' for action, old, new in averages)}."
    )


def _pairs(actions: Iterable[str], values: Iterable[float]) -> str:
    return ", ".join(
        f"{action} {number(value)}" for action, value in zip(actions, values, strict=True)
    )


def _each(moves: Iterable[Move], text: Callable[[Move], str]) -> str:
    return "; ".join(f"{move.action} {text(move)}" for move in moves)


def _signed(value: float) -> str:
    """Return a number as it stands after a sign: a negative one in brackets."""
    if value < 0:
        return f"({number(value)})"
    return number(value)
