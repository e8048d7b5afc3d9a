"""Explain an iteration: run the solver up to it, watch it run once more, and write down what it did.

All numbers are the solver's own. What happens at a history comes from the records of the kernels that draw samples
(:mod:`equilibrist.cfr.drawing`); for full-width CFR, which sums over histories before it looks at any, the same kernels
walk through everything with the strategies that it plays. What happens at an infoset is read off the solver's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..cfr import drawing
from ..cfr.algorithms import Algorithm, Floats, find_algorithm
from ..cfr.full import FullWidth, State
from ..cfr.ground import Tree
from ..cfr.positions import UNKNOWN
from ..cfr.sampled import ABSORBED, DRAWN_STAGE, Sampled
from ..cfr.sampling import Sampling, find_sampling
from ..cfr.unwritten import unwritten
from ..checks import is_whole
from ..errors import AlgorithmError, GameError
from ..form import MAX_DEPTH, MAX_HISTORIES, written_out
from ..form.public import PublicForm
from ..form.sequence import SequenceForm
from ..form.tree import Limits
from ..game import CHANCE, TERMINAL, Game, action_label, game_name
from ..loading import load
from ..prepare import Playable, prepare, prepare_unwritten
from .dealt import Deal, Dealt, dealt
from .explanation import Explanation, Key, Move, Node, Update, Walk

MOST_NODES = 1_000
_SLICE = 256  # iterations between two chances to hear Ctrl-C


def explain(
    game: Playable,
    algorithm: str | Algorithm = "cfr",
    *,
    iteration: int = 1,
    deal: str | Sequence[str] | None = None,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    alternating: bool = True,
    horizon: int | None = None,
    max_nodes: int = MOST_NODES,
    max_histories: int = MAX_HISTORIES,
    max_depth: int = MAX_DEPTH,
    on_stage: Callable[[str], None] | None = None,
) -> Explanation:
    """Return what one iteration of a CFR variant does, history by history and infoset by infoset.

    Parameters
    ----------
    game : str, Game or PublicGame
        As for :func:`equilibrist.load`.
    algorithm : str or Algorithm
        The row.
    iteration : int
        Which iteration to explain; those before it are run first. The first is 1.
    deal : str or sequence of str, optional
        The outcomes of chance to look at, in the order in which they come up: ``"QK"`` in Kuhn poker deals a queen to
        player 0 and a king to player 1. Where everything is visited this decides what is shown; where outcomes of
        chance are drawn, these are drawn (in this iteration, not in those before it).
    sampling : str or Sampling, optional
        As for :func:`equilibrist.solve`: everything by default.
    seed : int, optional
        Decides what is drawn, with sampling; 0 by default.
    alternating : bool
        Whether players update in turn, each seeing the new strategies of those before.
    horizon : int, optional
        The planned number of iterations, for rows that are schedules.
    max_nodes : int
        Refuse to write down more histories than this.
    max_histories, max_depth : int
        Limits of compilation.
    on_stage : callable, optional
        Called with a short text when a long stage begins.

    Raises
    ------
    GameError
        The game cannot be found or is not well formed, the deal does not fit it, or there is too much to write down.
    AlgorithmError
        The algorithm is unknown, or an option is impossible.

    Notes
    -----
    At a history h where player i moves, with the strategies of this iteration, the value of an action is that of the
    history after it, and

        cf_regret(h, a) = weight(h) · (value(h a) − value(h))        summed over the infoset: instant_regret(I, a)

    where weight(h) is the reach of the others and of chance; with sampling, divided by the probability with which the
    sample came to h, so that its mean over all samples is the same.

    Examples
    --------
    A queen against a king, chance-sampled, both players learning from the same strategies:

    >>> import equilibrist as eq
    >>> first = eq.explain("kuhn", deal="QK", sampling="chance", alternating=False)
    >>> node = first.node("Q", "K", "p", "b")
    >>> node.infoset, node.value[0], node.weight, [move.cf_regret for move in node.moves]
    ('Qpb', -1.5, 0.5, [0.25, -0.25])
    >>> first.updates[0, "Q"].instant_regret
    (-0.375, 0.375)
    """
    if isinstance(game, SequenceForm | PublicForm):
        raise GameError(f"To explain {game.name}, give the game itself: its rules name what happens.", wrong_use=True)
    for label, number in (("iteration", iteration), ("max_nodes", max_nodes)):
        if not is_whole(number, 1):
            raise AlgorithmError(f"{label} must be a whole number, 1 or more; got {number!r}.", wrong_use=True)
    way = find_sampling(sampling if sampling is not None else "full")
    row = find_algorithm(algorithm, sampled=not way.full_width)
    way.check_algorithm(row)
    _check_horizon(row, horizon, iteration)
    if seed is not None and (way.full_width or not is_whole(seed, 0, 2**63 - 1)):
        why = "Full-width CFR draws nothing" if way.full_width else "seed must be a whole number, 0 to 2^63 - 1"
        raise AlgorithmError(f"{why}; got seed={seed!r}.", wrong_use=True)
    forced = None if deal is None or (isinstance(deal, str) and not deal.strip()) else Deal(deal)
    if forced is not None and way.baseline is not None and way.row.chance == "one":
        raise AlgorithmError(
            f"A baseline expects all outcomes of chance, so that no deal can be forced on '{way}'. Leave out the deal, "
            "or the baseline.",
            wrong_use=True,
        )
    rules = written_out(load(game))
    say = on_stage or (lambda text: None)
    limits = Limits.checked(max_histories, max_depth, None)
    story = _Story(rules, forced, int(max_nodes), alternating)
    if way.full_width:
        form, _ = prepare(rules, form="sequence", limits=limits, say=say, sampled=True)
        solver = FullWidth(form, row, alternating=alternating, horizon=horizon)  # type: ignore[arg-type]
        _run_to(solver, iteration - 1, say)
        walks, updates = _watch_full_width(solver, story)
    else:
        sampled = _sampled(rules, row, way, limits, say, alternating=alternating, seed=int(seed or 0))
        _run_to(sampled, iteration - 1, say)
        walks, updates = _watch_sampled(sampled, story)
    steps = row.steps(iteration, 1, horizon=horizon)
    return Explanation(
        game=game if isinstance(game, str) else game_name(rules),
        algorithm=row.name,
        sampling=str(way),
        iteration=int(iteration),
        alternating=alternating,
        seed=None if way.full_width else int(seed or 0),
        deal="" if forced is None else forced.text,
        players=rules.players,
        keep=(float(steps.keep_positive[0]), float(steps.keep_negative[0]), float(steps.keep_average[0])),
        walks=walks,
        updates=updates,
    )


def _check_horizon(row: Algorithm, horizon: int | None, iteration: int) -> None:
    if row.needs_horizon and (horizon is None or not is_whole(horizon, iteration)):
        raise AlgorithmError(
            f"{row.name!r} is a schedule over a planned number of iterations: horizon must be {iteration} or more; got "
            f"{horizon!r}.",
            wrong_use=True,
        )
    if horizon is not None and not row.needs_horizon:
        raise AlgorithmError(
            f"{row.name!r} is no schedule, so that horizon={horizon!r} would do nothing. Leave it out.", wrong_use=True
        )


def _sampled(
    rules: Game,
    row: Algorithm,
    way: Sampling,
    limits: Limits,
    say: Callable[[str], None],
    *,
    alternating: bool,
    seed: int,
) -> Sampled:
    """Return the solver of a game of which samples are drawn."""
    if way.tree:
        form, _ = prepare(rules, form="sequence", limits=limits, say=say, sampled=True)
        return Sampled(Tree(form), row, way, alternating=alternating, seed=seed)  # type: ignore[arg-type]
    prepare_unwritten(rules, say=say)
    ground = unwritten(rules, max_histories=limits.max_histories, max_depth=limits.max_depth)
    return Sampled(ground, row, way, alternating=alternating, seed=seed)


def _run_to(solver: FullWidth | Sampled, iteration: int, say: Callable[[str], None]) -> None:
    say(f"Running {iteration:,} iterations")
    while solver.iteration < iteration:
        solver.run(min(_SLICE, iteration - solver.iteration))


class _Sample(NamedTuple):
    """What was drawn for one player, and all that tells what it means."""

    player: int
    drawn: Any
    slots: drawing.Slots
    source: Any
    baseline: Floats
    plan: drawing.Plan

    @property
    def follows_all(self) -> bool:
        """Whether all moves of the player are followed."""
        return self.plan.own == drawing.ALL

    def regrets(self, scratch: Floats, k: int) -> list[float]:
        """Return what history k adds to the instant regrets; ``scratch`` is all 0, and so again in the end."""
        here = self.drawn[k]
        slots = self.slots._replace(instant_regret=scratch)
        drawing.add_regrets(slots, self.drawn, self.plan, k)
        if self.plan.baseline != drawing.NO_BASELINE and not self.follows_all:
            drawing.add_expected_at(self.source, slots, self.drawn, self.baseline, self.plan, self.player, k)
        own = slice(int(here.slot), int(here.slot) + int(here.count))
        regrets: list[float] = scratch[own].tolist()
        scratch[own] = 0.0
        return regrets


class _Place(NamedTuple):
    """A record of a sample, and what its moves have come to."""

    k: int
    state: Any
    history: tuple[str, ...]
    left: tuple[str, ...]
    reach: tuple[float, ...]
    chance_reach: float


class _Story:
    """Writes down the histories of samples, as far as the deal goes there."""

    def __init__(self, rules: Game, deal: Deal | None, most: int, alternating: bool) -> None:
        self.rules, self.deal, self.most = rules, deal, most
        self.alternating = alternating
        self.unused = () if deal is None else deal.left  # the least that any play so far has left of the deal
        self.slot_of: dict[Key, int] = {}  # of the infosets met whose player is updated
        self.actions_of: dict[Key, tuple[str, ...]] = {}

    def nodes(self, sample: _Sample) -> tuple[Node, ...]:
        """Return the histories of a sample, depth first."""
        scratch = np.zeros(len(sample.slots.instant_regret))
        nodes: list[Node] = []
        rules, left = self.rules, () if self.deal is None else self.deal.left
        roots = [k for k in range(len(sample.drawn)) if sample.drawn[k].up == k]
        ones = (1.0,) * rules.players
        places = [_Place(k, rules.start(), (), left, ones, 1.0) for k in reversed(roots)]
        while places:
            place = places.pop()
            nodes.append(self._node(sample, scratch, place, places))
            if len(nodes) > self.most:
                raise GameError(
                    f"{game_name(rules)}: there are more than {self.most:,} histories to explain. Name a deal, draw "
                    "samples (sampling='external'), or allow more with max_nodes (--max-nodes).",
                    wrong_use=True,
                )
        if self.deal is not None and not any(node.player == TERMINAL for node in nodes):
            raise GameError(
                f"The iteration did not draw the deal {self.deal.text!r}: leave it out to see what it drew, or try "
                "another seed.",
                wrong_use=True,
            )
        if self.deal is not None and self.unused:
            raise GameError(
                f"The deal {self.deal.text!r} names more outcomes than chance deals in {game_name(rules)}; leave out "
                f"{' '.join(self.unused)!r}.",
                wrong_use=True,
            )
        return tuple(nodes)

    def _node(self, sample: _Sample, scratch: Floats, place: _Place, places: list[_Place]) -> Node:
        """Return the node at a place, and add those that come after it to ``places``."""
        rules, here, state = self.rules, sample.drawn[place.k], place.state
        mover, player = int(here.mover), sample.player
        if mover == TERMINAL:
            self.unused = min(self.unused, place.left, key=lambda left: len("".join(left)))
            payoffs = tuple(float(payoff) for payoff in rules.payoffs(state))
            return Node(place.history, mover, None, place.reach, place.chance_reach, None, payoffs, None, ())
        actions = list(rules.actions(state))
        names = [action_label(rules, state, action) for action in actions]
        probability = self._probabilities(sample, place, len(actions))
        children = {int(sample.drawn[c].action): c for c in _children(here)}
        wanted, left = children, place.left
        if mover == CHANCE and self.deal is not None and left:
            n, left = dealt(self.deal, left, rules, state)
            wanted = {n: children[n]} if n in children else {}
        infoset = str(rules.infoset(state)) if mover >= 0 else None
        weight = cf_value = None
        value = float(here.value)
        moves = [Move(name, p, False, self._values(), None, None) for name, p in zip(names, probability, strict=True)]
        for n, c in children.items():
            moves[n] = moves[n]._replace(followed=True, value=self._values(player, float(sample.drawn[c].value)))
        if mover == player and infoset is not None:
            weight = float(here.weight)
            cf_value = weight * value
            self.slot_of[mover, infoset], self.actions_of[mover, infoset] = int(here.slot), tuple(names)
            for n, cf_regret in enumerate(sample.regrets(scratch, place.k)):
                regret = _difference(moves[n].value[player], value) if sample.follows_all else cf_regret / weight
                moves[n] = moves[n]._replace(regret=regret, cf_regret=cf_regret)
        for n in sorted(wanted, reverse=True):
            own = [reach * (probability[n] if p == mover else 1.0) for p, reach in enumerate(place.reach)]
            places.append(
                _Place(
                    wanted[n],
                    rules.next(state, actions[n]),
                    (*place.history, names[n]),
                    left,
                    tuple(own),
                    place.chance_reach * (probability[n] if mover == CHANCE else 1.0),
                )
            )
        values = self._values(player, value)
        return Node(
            place.history, mover, infoset, place.reach, place.chance_reach, weight, values, cf_value, tuple(moves)
        )

    def _probabilities(self, sample: _Sample, place: _Place, count: int) -> list[float]:
        """Return the probability of each move at a place."""
        here = sample.drawn[place.k]
        if here.mover == CHANCE:
            return [float(p) for p in self.rules.probabilities(place.state)]
        if here.slot == UNKNOWN:
            return [1.0 / count] * count
        return [float(p) for p in sample.slots.strategy[int(here.slot) : int(here.slot) + count]]

    def _values(self, player: int = -1, value: float = 0.0) -> tuple[float | None, ...]:
        """Return the value of one player, and None for the others."""
        return tuple(value if other == player else None for other in range(self.rules.players))

    def joined(self, walks: list[Walk]) -> tuple[Walk, ...]:
        """Return one walk instead of several, where players who update at the same time saw the same histories."""
        histories = {tuple(node.history for node in walk.nodes) for walk in walks}
        if self.alternating or len(histories) > 1:
            return tuple(walks)
        nodes = tuple(_joined(same) for same in zip(*(walk.nodes for walk in walks), strict=True))
        return (Walk(tuple(walk.players[0] for walk in walks), nodes),)

    def updates(self, of: Callable[[Key, int, tuple[str, ...]], Update]) -> dict[Key, Update]:
        """Return the updates of all infosets met; ``of`` makes one of the infoset, its first slot and its actions."""
        return {key: of(key, slot, self.actions_of[key]) for key, slot in self.slot_of.items()}


def _difference(value: float | None, other: float) -> float | None:
    return None if value is None else value - other


def _children(here: Any) -> range:
    return range(int(here.first), int(here.first) + int(here.followed))


def _joined(nodes: tuple[Node, ...]) -> Node:
    """Return one history as several walks saw it, each of which knows the values of one player."""
    own = next((node for node in nodes if node.weight is not None), nodes[0])
    moves = tuple(
        move._replace(value=_known(*(node.moves[a].value for node in nodes))) for a, move in enumerate(own.moves)
    )
    return own._replace(value=_known(*(node.value for node in nodes)), moves=moves)


def _known(*values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return, for each player, the value that is not None, if there is one."""
    return tuple(next((v for v in of_player if v is not None), None) for of_player in zip(*values, strict=True))


def _watch_full_width(solver: FullWidth, story: _Story) -> tuple[tuple[Walk, ...], dict[Key, Update]]:
    """Run one more iteration of full-width CFR and write down what it did."""
    form, players = solver.form, solver.form.players
    before = State(*(array.copy() for array in solver.state))
    solver.run(1)
    after = solver.state
    everything = Sampled(Tree(form), solver.algorithm, Sampling("full"))
    strategy = everything.ground.slots.strategy[players:]
    owner = np.repeat(form.infosets.owner, form.infosets.num_actions)
    strategy[:] = before.strategy[form.slot]
    walks = []
    for player in range(players):
        (drawn,) = everything.walk(player)
        sample = _Sample(player, drawn, everything.ground.slots, None, np.zeros((0, 0)), everything.plan)
        walks.append(Walk((player,), story.nodes(sample)))
        if solver.alternating:  # the next player sees this one's new strategy
            strategy[owner == player] = after.strategy[form.slot[owner == player]]
    steps = solver.algorithm.steps(solver.iteration, 1, horizon=solver.horizon)
    positive, negative = float(steps.keep_positive[0]), float(steps.keep_negative[0])

    def update(key: Key, slot: int, actions: tuple[str, ...]) -> Update:
        own = form.slot[slot - players : slot - players + len(actions)]
        played, cf_value = before.strategy[own], after.cf_value[own]
        regret_sum = before.regret_sum[own]
        return _update(
            key,
            actions,
            strategy=played,
            instant_regret=cf_value - played @ cf_value,
            regret_sum_before=regret_sum,
            regret_sum_kept=regret_sum * np.where(regret_sum > 0, positive, negative),
            regret_sum=after.regret_sum[own],
            strategy_sum_before=before.strategy_sum[own],
            strategy_sum=after.strategy_sum[own],
            next_strategy=after.strategy[own],
        )

    return story.joined(walks), story.updates(update)


def _watch_sampled(solver: Sampled, story: _Story) -> tuple[tuple[Walk, ...], dict[Key, Update]]:
    """Run one more iteration on samples and write down what it did."""
    regret_sum, sums = solver.ground.slots.regret_sum.copy(), solver.average_sums()
    if story.deal is not None and solver.sampling.row.chance == "one":
        solver = _dealt(solver, story.rules, story.deal)
    walks: list[Walk] = []
    played: dict[int, Floats] = {}
    kept: dict[int, Floats] = {}
    instant: dict[int, Floats] = {}
    for stage in solver.watch():
        slots, player = solver.ground.slots, stage.player
        if stage.name == DRAWN_STAGE:
            (drawn,) = stage.drawn
            sample = _Sample(player, drawn, slots, solver.source, solver.baseline, solver.plan)
            walks.append(Walk((player,), story.nodes(sample)))
            played[player] = slots.strategy.copy()
        elif stage.name == ABSORBED:
            kept[player], instant[player] = slots.regret_sum.copy(), slots.instant_regret.copy()
    slots, new_sums = solver.ground.slots, solver.average_sums()

    def update(key: Key, slot: int, actions: tuple[str, ...]) -> Update:
        own, player = slice(slot, slot + len(actions)), key[0]
        return _update(
            key,
            actions,
            strategy=played[player][own],
            instant_regret=instant[player][own],
            regret_sum_before=_longer(regret_sum, own),
            regret_sum_kept=kept[player][own],
            regret_sum=slots.regret_sum[own],
            strategy_sum_before=_longer(sums, own),
            strategy_sum=new_sums[own],
            next_strategy=slots.strategy[own],
        )

    return story.joined(walks), story.updates(update)


def _longer(array: Floats, own: slice) -> Floats:
    """Return a part of an array, and 0 where it was made before there was such a part."""
    part = np.zeros(own.stop - own.start)
    there = array[own]
    part[: len(there)] = there
    return part


def _dealt(solver: Sampled, rules: Game, deal: Deal) -> Sampled:
    """Return a solver that goes on where another is, and is dealt what somebody wants to see."""
    ground: Any = Dealt(solver.ground, rules, deal)
    watched = Sampled(ground, solver.algorithm, solver.sampling, alternating=solver.alternating, seed=solver.seed)
    watched.recall(solver.memory(), iteration=solver.iteration)
    return watched


def _update(key: Key, actions: tuple[str, ...], *, strategy_sum: Floats, **numbers: Floats) -> Update:
    """Return an update of plain numbers."""
    total = float(strategy_sum.sum())
    average = strategy_sum / total if total > 0 else np.full(len(actions), 1.0 / len(actions))
    arrays = {**numbers, "strategy_sum": strategy_sum, "average_strategy": average}
    plain: dict[str, Any] = {name: tuple(array.tolist()) for name, array in arrays.items()}
    return Update(*key, actions, **plain)
