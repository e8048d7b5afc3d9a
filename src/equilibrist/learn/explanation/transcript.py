"""Transcript of a sample: its histories with reach, values and regrets, by the names that the rules give."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..._util.arrays import Floats
from ...errors import GameError
from ...form.infosets import Infoset
from ...form.walk.slots import UNKNOWN
from ...game.protocol import CHANCE, TERMINAL, Game, action_label, game_name
from ...mccfr.records import ALL, NO_BASELINE, Sampler
from ...mccfr.update import add_expected_at, add_regrets
from .deals import ForcedDeal, brief, count_histories, forced_outcome
from .records import Key, Move, Node, Walk


class Sample(NamedTuple):
    """What was drawn for one player, and all that tells what it means."""

    player: int
    source: Any
    sampler: Sampler

    def record(self, k: int) -> Any:
        """Return history k as plain numbers: a record of NumPy takes ten times as long to ask."""
        return _record_type(self.sampler.records.dtype.names)._make(
            self.sampler.records.view(np.ndarray)[k].item()
        )

    @property
    def visits_all(self) -> bool:
        return self.sampler.plan.updating == ALL

    def regrets(self, scratch: Floats, k: int) -> list[float]:
        """Return what history k adds to the instant regrets; ``scratch`` is all 0, and so again in the end."""
        record = self.record(k)
        sampler = self.sampler._replace(slots=self.sampler.slots._replace(instant_regret=scratch))
        add_regrets(sampler, k)
        if sampler.plan.baseline != NO_BASELINE and not self.visits_all:
            add_expected_at(self.source, sampler, self.player, k)
        slots = slice(record.slot, record.slot + record.num_actions)
        regrets: list[float] = scratch[slots].tolist()
        scratch[slots] = 0.0
        return regrets


@cache
def _record_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Record", names)


class _Visit(NamedTuple):
    """A record of a sample, and what its moves have come to."""

    k: int
    state: Any
    history: tuple[str, ...]
    remaining: tuple[str, ...]
    reach: tuple[float, ...]
    chance_reach: float


class Transcript:
    """Writes down the histories of samples, as far as the deal goes there."""

    def __init__(self, rules: Game, deal: ForcedDeal, max_nodes: int, alternating: bool) -> None:
        self.rules = rules
        self.deal = deal
        self.most = max_nodes
        self.alternating = alternating
        self.missed = False  # whether chance dealt something else
        self.visited: dict[Key, tuple[Infoset, slice]] = {}
        """The infosets visited whose player is updated, with the numbers of their actions among those of all."""

    def check_deal(self, max_histories: int, *, all_shown: bool) -> None:
        """Refuse a deal that does not fit the game, and more histories than may be shown, before anything is run."""
        histories = count_histories(self.rules, self.deal, max_histories)
        if histories.histories > max_histories:
            if all_shown:
                raise self._size_error()
        elif histories.unused:
            raise GameError(
                f"The deal {brief(self.deal.text)!r} names more outcomes than chance deals in "
                f"{game_name(self.rules)}; leave out {brief(' '.join(histories.unused))!r}.",
                wrong_use=True,
            )

    def _size_error(self) -> GameError:
        if self.deal.remaining:
            remedy = "Name all of a deal"
        else:
            remedy = "Name a deal"
        return GameError(
            f"{game_name(self.rules)}: there are more than {self.most:,} histories to explain. "
            f"{remedy}, draw samples "
            "(sampling='external(tree=False)'), or allow more with max_nodes (--max-nodes).",
            wrong_use=True,
        )

    def nodes(self, sample: Sample) -> tuple[Node, ...]:
        scratch = np.zeros(len(sample.sampler.slots.instant_regret))
        nodes: list[Node] = []
        rules = self.rules
        parent = sample.sampler.records.parent
        roots = np.flatnonzero(parent == np.arange(len(parent))).tolist()
        full_reach = (1.0,) * rules.players
        visits = [
            _Visit(k, rules.start(), (), self.deal.remaining, full_reach, 1.0)
            for k in reversed(roots)
        ]
        while visits:
            visit = visits.pop()
            nodes.append(self._make_node(sample, scratch, visit, visits))
            if len(nodes) > self.most:
                raise self._size_error()
        if self.missed and not any(node.player == TERMINAL for node in nodes):
            raise GameError(
                f"The iteration did not draw the deal {brief(self.deal.text)!r}: leave it out to "
                "see what it drew, or try another seed.",
                wrong_use=True,
            )
        return tuple(nodes)

    def _make_node(
        self, sample: Sample, scratch: Floats, visit: _Visit, visits: list[_Visit]
    ) -> Node:
        """Return the node at a place, and add those that come after it to ``visits``."""
        rules = self.rules
        record = sample.record(visit.k)
        state = visit.state
        mover = record.mover
        player = sample.player
        if mover == TERMINAL:
            payoffs = tuple(float(payoff) for payoff in rules.payoffs(state))
            return Node(
                visit.history, mover, None, visit.reach, visit.chance_reach, None, payoffs, None, ()
            )
        actions = list(rules.actions(state))
        names = [action_label(rules, state, action) for action in actions]
        probability = self._probabilities(sample, visit.state, record)
        children_by_action = {
            c: sample.record(c)
            for c in range(record.first_child, record.first_child + record.num_sampled)
        }
        children = {child.action: c for c, child in children_by_action.items()}
        children_to_visit = children
        texts = visit.remaining
        if mover == CHANCE and texts:
            n, texts = forced_outcome(self.deal, texts, rules, state)
            children_to_visit = {n: children[n]} if n in children else {}
            self.missed |= not children_to_visit
        infoset = str(rules.infoset(state)) if mover >= 0 else None
        weight = cf_value = None
        value = record.value
        moves = [
            Move(name, p, False, self._values(), None, None)
            for name, p in zip(names, probability, strict=True)
        ]
        for n, c in children.items():
            moves[n] = moves[n]._replace(
                visited=True, value=self._values(player, children_by_action[c].value)
            )
        if mover == player and infoset is not None:
            weight = record.cf_weight
            cf_value = weight * value
            first = record.slot - rules.players
            self.visited[mover, infoset] = (
                Infoset(mover, infoset, tuple(names)),
                slice(first, first + len(names)),
            )
            for n, cf_regret in enumerate(sample.regrets(scratch, visit.k)):
                value_of_child = moves[n].value[player]
                if sample.visits_all:
                    if value_of_child is None:
                        regret = None
                    else:
                        regret = value_of_child - value
                else:
                    regret = cf_regret / weight
                moves[n] = moves[n]._replace(regret=regret, cf_regret=cf_regret)
        for n in sorted(children_to_visit, reverse=True):
            reaches = [
                reach * (probability[n] if p == mover else 1.0)
                for p, reach in enumerate(visit.reach)
            ]
            visits.append(
                _Visit(
                    children_to_visit[n],
                    rules.next(state, actions[n]),
                    (*visit.history, names[n]),
                    texts,
                    tuple(reaches),
                    visit.chance_reach * (probability[n] if mover == CHANCE else 1.0),
                )
            )
        values = self._values(player, value)
        return Node(
            visit.history,
            mover,
            infoset,
            visit.reach,
            visit.chance_reach,
            weight,
            values,
            cf_value,
            tuple(moves),
        )

    def _probabilities(self, sample: Sample, state: Any, record: Any) -> list[float]:
        if record.mover == CHANCE:
            return [float(p) for p in self.rules.probabilities(state)]
        if record.slot == UNKNOWN:
            return [1.0 / record.num_actions] * record.num_actions
        strategy: list[float] = sample.sampler.slots.strategy[
            record.slot : record.slot + record.num_actions
        ].tolist()
        return strategy

    def _values(self, player: int = -1, value: float = 0.0) -> tuple[float | None, ...]:
        """Return the value of one player, and None for the others."""
        return tuple(value if other == player else None for other in range(self.rules.players))

    def join_walks(self, walks: list[Walk]) -> tuple[Walk, ...]:
        """Return one walk instead of several, where players who update at the same time saw the same histories."""
        histories = {tuple(node.history for node in walk.nodes) for walk in walks}
        if self.alternating or len(histories) > 1:
            return tuple(walks)
        nodes = tuple(
            _join_nodes(copies) for copies in zip(*(walk.nodes for walk in walks), strict=True)
        )
        return (Walk(tuple(walk.players[0] for walk in walks), nodes),)


def _join_nodes(nodes: tuple[Node, ...]) -> Node:
    """Return one history as several walks saw it, each of which knows the values of one player."""
    weighted_node = next((node for node in nodes if node.weight is not None), nodes[0])
    moves = tuple(
        move._replace(value=_merge_values(*(node.moves[a].value for node in nodes)))
        for a, move in enumerate(weighted_node.moves)
    )
    return weighted_node._replace(value=_merge_values(*(node.value for node in nodes)), moves=moves)


def _merge_values(*values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return, for each player, the value that is not None, if there is one."""
    return tuple(
        next((v for v in of_player if v is not None), None)
        for of_player in zip(*values, strict=True)
    )
