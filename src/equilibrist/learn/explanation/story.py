"""An iteration told in sentences, in the order of execution: down the tree, and back up with the values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...game.protocol import CHANCE, TERMINAL
from ...mccfr.sampling import find_sampling
from ...show.numbers import format_short
from .records import ExplainedIteration, Move, Node, Update, Walk


class Step(NamedTuple):
    """A sentence; ``depth`` counts the moves of players before it, and a title begins a part."""

    depth: int
    sentence: str
    is_title: bool = False


def is_about(number: float, other: float, *terms: float) -> bool:
    """Return whether two numbers differ by rounding alone, as sums of such terms do."""
    rounding = 1e-12 * max(map(abs, terms), default=0.0)
    return math.isclose(number, other, rel_tol=1e-9, abs_tol=rounding)


def payoffs_text(node: Node) -> str:
    """Return the payoffs of a terminal history."""
    return ", ".join(format_short(value, "?") for value in node.value)


def tell_story(explanation: ExplainedIteration) -> Iterator[Step]:
    """Iterate over the sentences that tell an iteration."""
    for walk in explanation.walks:
        yield Step(0, walk_title(explanation, walk), is_title=True)
        children, roots = walk.children()
        stack: list[Step | _Visit] = [_Visit(root, 0, "") for root in reversed(roots)]
        while stack:
            item = stack.pop()
            if isinstance(item, Step):
                yield item
            else:
                stack += reversed(list(_tell_visit(explanation, walk, children, item)))
        if explanation.alternating or walk is explanation.walks[-1]:
            yield Step(0, "The update", is_title=True)
            for updating_walk in [walk] if explanation.alternating else explanation.walks:
                for key, nodes in updating_walk.visits().items():
                    yield Step(0, _tell_update(explanation, explanation.updates[key], nodes))


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
        opponent_text = " against the others' newest strategies"
    else:
        opponent_text = ""
    return f"Player {player} updates{opponent_text}; values are those of player {player}"


def _tell_visit(
    explanation: ExplainedIteration, walk: Walk, children: list[dict[str, int]], visit: _Visit
) -> Iterator[Step | _Visit]:
    i, outcomes, probability = walk.past_chance(children, visit.node)
    node = walk.nodes[i]
    depth = visit.depth
    words = [visit.move] if visit.move else []
    if outcomes:
        words.append(
            f"Chance deals {' '.join(outcomes)} (probability {format_short(probability)})."
        )
    if node.player == TERMINAL:
        words.append(f"The game ends and pays {_value_text(node)}.")
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
    yield Step(depth, " ".join([*words, _tell_decision(node, update)]))
    for move in node.moves:
        child = children[i].get(move.action)
        move_text = f"{move.action} (probability {format_short(move.probability)})"
        if child is not None:
            yield _Visit(child, depth + 1, f"{move_text}:")
        elif not move.visited:
            yield Step(depth + 1, f"{move_text}: not visited.")
    yield Step(depth, _tell_value(node, player))
    if update is not None:
        yield from (Step(depth, sentence) for sentence in _tell_regrets(explanation, node, player))


def _value_text(node: Node) -> str:
    amounts = (format_short(value, "nothing known") for value in node.value)
    return ", ".join(f"{amount} to player {player}" for player, amount in enumerate(amounts))


def _tell_decision(node: Node, update: Update | None) -> str:
    """Return who moves, and with which strategy: why, where it is the strategy that the iteration improves."""
    if node.player == CHANCE:
        return "Chance moves."
    strategy = _join_pairs(
        (move.action for move in node.moves), (move.probability for move in node.moves)
    )
    mover_text = f"Player {node.player} moves at {node.infoset}"
    if update is None:
        return f"{mover_text} and plays {strategy}."
    sums = update.regret_sum_before
    total = sum(max(0.0, regret) for regret in sums)
    matched_strategy = [max(0.0, regret) / total if total else 1 / len(sums) for regret in sums]
    text = f"{mover_text}. Regret sums {_join_pairs(update.actions, sums)}"
    if not all(
        math.isclose(p, q, abs_tol=1e-9)
        for p, q in zip(matched_strategy, update.strategy, strict=True)
    ):
        return (
            f"{text}; with what the algorithm predicts of the next regrets, the strategy is "
            f"{strategy}."
        )
    if total:
        return f"{text}; in proportion to the positive ones, the strategy is {strategy}."
    return f"{text}; none is positive, so that the strategy is uniform: {strategy}."


def _tell_value(node: Node, player: int) -> str:
    value = node.value[player]
    terms = [(move.probability, move.value[player]) for move in node.moves if move.visited]
    known_terms = [(p, v) for p, v in terms if v is not None]
    opening = (
        f"Back at {'chance' if node.player == CHANCE else node.infoset}: the value to player "
        f"{player} is"
    )
    if value is None:
        return f"{opening} unknown."
    products = [p * v for p, v in known_terms]
    if len(known_terms) == len(node.moves) and is_about(sum(products), value, *products):
        return (
            f"{opening} {' + '.join(f'{format_short(p)} · {_signed_text(v)}' for p, v in known_terms)} = "
            f"{format_short(value)}."
        )
    return f"{opening} {format_short(value)}, estimated from what was visited."


def _tell_regrets(explanation: ExplainedIteration, node: Node, player: int) -> Iterator[str]:
    value = node.value[player] or 0.0
    weight = node.weight or 0.0
    scheme = find_sampling(explanation.sampling)
    if scheme.tries_all:
        yield (
            "Regret, value of the action − value here: "
            + _join_moves(
                node.moves,
                lambda move: (
                    "unknown"
                    if move.regret is None
                    else f"{format_short(move.value[player] or 0.0)} − {_signed_text(value)} "
                    f"= {format_short(move.regret)}"
                ),
            )
            + "."
        )
    else:
        yield f"Regret, estimated: {_join_moves(node.moves, lambda move: format_short(move.regret or 0.0))}."
    other_reach = [reach for p, reach in enumerate(node.reach) if p != node.player]
    reach = (
        f"The others come here with probability {' · '.join(map(format_short, other_reach)) or '1'}"
    )
    if scheme.full_width:
        reach += f", chance with {format_short(node.chance_reach)}"
    elif math.isclose(weight, math.prod(other_reach)):
        reach += "" if node.chance_reach == 1.0 else "; chance was drawn, and does not count"
    else:
        if weight:
            sample_probability = math.prod(other_reach) * node.chance_reach / weight
        else:
            sample_probability = 1.0
        reach += (
            f", chance with {format_short(node.chance_reach)}, divided by the sample's "
            f"{format_short(sample_probability)}"
        )
    formula = _join_moves(
        node.moves,
        lambda move: (
            f"{format_short(weight)} · {_signed_text(move.regret or 0.0)} = {format_short(move.cf_regret or 0.0)}"
        ),
    )
    yield f"{reach}: counterfactual reach (weight) {format_short(weight)}. Counterfactual regret: {formula}."


def _tell_update(explanation: ExplainedIteration, update: Update, nodes: Sequence[Node]) -> str:
    summed = ""
    discounted = ""
    if len(nodes) > 1 or [move.cf_regret for move in nodes[0].moves] != [*update.instant_regret]:
        summed = (
            "the regrets of all its histories sum to "
            f"{_join_pairs(update.actions, update.instant_regret)}; "
        )
    if explanation.discount[:2] != (1.0, 1.0):
        discounted = f" {_join_pairs(update.actions, update.regret_sum_before)}, discounted"
    sums = []
    for action, old_sum, regret, total in zip(
        update.actions,
        update.regret_sum_discounted,
        update.instant_regret,
        update.regret_sum,
        strict=True,
    ):
        sum_before_floor = old_sum + regret
        if is_about(sum_before_floor, total, old_sum, regret):
            floored = ""
        else:
            floored = f", floored to {format_short(total)}"
        sums.append(
            f"{action} {format_short(old_sum)} + {_signed_text(regret)} = {format_short(sum_before_floor)}{floored}"
        )
    averages = zip(update.actions, update.strategy_sum_before, update.strategy_sum, strict=True)
    strategy_sums = "; ".join(
        f"{action} {format_short(sum_before)} → {format_short(sum_after)}"
        for action, sum_before, sum_after in averages
    )
    return (
        f"Player {update.player} at {update.infoset}: {summed}regret sums{discounted}: "
        f"{'; '.join(sums)}. "
        f"Next strategy: {_join_pairs(update.actions, update.next_strategy)}. "
        f"Strategy sums: {strategy_sums}."
    )


def _join_pairs(actions: Iterable[str], values: Iterable[float]) -> str:
    return ", ".join(
        f"{action} {format_short(value)}" for action, value in zip(actions, values, strict=True)
    )


def _join_moves(moves: Iterable[Move], text: Callable[[Move], str]) -> str:
    return "; ".join(f"{move.action} {text(move)}" for move in moves)


def _signed_text(value: float) -> str:
    """Return a number as it stands after a sign: a negative one in brackets."""
    if value < 0:
        return f"({format_short(value)})"
    return format_short(value)
