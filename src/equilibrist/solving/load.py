"""Loading run folders: nothing is believed that is not as :mod:`equilibrist.solving.save` writes it."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._jit.simd import LANES
from .._util.archive import Archive, open_archive
from .._util.arrays import offsets
from .._util.files import check_path
from .._util.plain import from_plain, refuse_constant
from ..cfr.tabular import RULE_PREFIX, STATE, holds_numbers
from ..cluster.backend import make_split
from ..cluster.checkpoint import ACTORS, checkpoint_folder, read_facts, read_state
from ..errors import GameError, SolutionError, UntrustedGameError
from ..form.abstract.infoset_map import keep_buckets_of, number_actions
from ..form.compiled_game import CompiledGame
from ..form.infosets import Infoset, Infosets, NamedInfosets
from ..form.traits import TRAITS
from ..games.compile import compile_any
from ..games.load import Trust, is_settings_file, load
from ..mccfr.records import STATE as SAMPLED
from ..mccfr.sampled_opponents import name_array
from ..strategy.strategy import Strategy
from .info import GameInfo, RunInfo
from .recording import ARRAYS as RECORDED
from .recording import Recording, Wanted
from .resolved_part import ResolvedPart, rebuild_part
from .save import CHECKPOINT, FORMAT
from .solution import STOP_REASONS, Solution
from .solvers import restore_solver, saved_settings
from .trace import Checkpoint, Trace

_FULL_STATE = {
    *STATE,
    "iteration",
    "deviation_sum",
    "minimiser",
    "decided",
    "regret_scale",
    "strategy_scale",
    "deferred",
    "deferred_weight",
    "nodes",
    "bucket",
    *(f"opponent_{name}" for name in STATE),
}
_SAMPLED_STATE = {
    *SAMPLED,
    "baseline",
    "place",
    "touched",
    "instant_regret",
    "keys",
    "states",
    "slot",
    "infosets",
    "certified_at",
    "value_sum",  # of a rule of one's own
}
_OPPONENTS_STATE = {name_array(player, name) for player in range(2) for name in _SAMPLED_STATE}
_ARRAYS = {
    *("probabilities", "weights"),
    *(f"state_{name}" for name in _FULL_STATE | _SAMPLED_STATE | _OPPONENTS_STATE),
    *(f"recording_{name}" for name in RECORDED),
}
"""Names of all arrays that a checkpoint may hold; no other is read."""
_MOST_PLAYERS = 100
_SUM_TOLERANCE = 1e-9


def load_solution(folder: str | Path, game: Any = None, *, trust: Trust = False) -> Solution:
    """Return the solution that was saved in a folder.

    Parameters
    ----------
    folder : path
        Where it was saved.
    game : optional
        The game of a run whose names of infosets are not saved but made again by the game: of a
        card game in the card form, and on public states where the strategy has more than two
        million probabilities. By default it is loaded by the name that the run tells.
    trust : bool
        Whether the Python file that the run names as its game may be run, now and where the run is
        resumed.

    Raises
    ------
    SolutionError
        There is no solution in the folder, its files are broken or not ours, or ``game`` is needed
        or another one.

    Examples
    --------
    >>> import equilibrist as eq, tempfile
    >>> solution = eq.solve("kuhn", iterations=10)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     solution.save(folder)
    ...     eq.load_solution(folder).nash_conv == solution.nash_conv
    True
    """
    return read_folder(folder, game, trust=trust)


def read_folder(
    folder: str | Path, game: Any = None, *, trust: Trust = False, whole: bool = True
) -> Solution:
    """Return the solution of a folder, as :func:`load_solution` does.

    Not ``whole``, one that actors saved comes without strategy and state: it can go on over actors
    alone.
    """
    path = check_path(folder) / CHECKPOINT
    missing = (
        f"There is no solution in {folder}: it has no {CHECKPOINT}. Give the folder of a saved run."
    )
    with open_archive(path, sentence_if_missing=missing) as archive:
        about = json.loads(archive.text("about"), parse_constant=refuse_constant)
        if about["format"] != FORMAT:
            raise SolutionError(
                f"{path} has the format {about['format']!r}; this version reads {FORMAT!r}."
            )
        solution = _read_solution(
            archive, about, game, trust=trust, folder=path.parent if whole else None
        )
        return replace(solution, folder=path.parent, trust=trust)


def _read_solution(
    archive: Archive, about: dict[str, Any], game: Any, *, trust: Trust, folder: Path | None
) -> Solution:
    """Return the solution in an archive, or raise any error where something is not as it was written."""
    info = from_plain(RunInfo, about["info"])
    final = from_plain(Checkpoint, about["final"])
    part = _read_part(about.get("part"))
    trace = Trace(from_plain(tuple[Checkpoint, ...], about["trace"]))
    seconds = from_plain(dict[str, float], about["seconds"])
    _check_info(info)
    _check_points(final, trace, info.game.players)
    _require(all(0 <= spent < math.inf for spent in seconds.values()), "seconds")
    _require(about["stop_reason"] in STOP_REASONS, "stop_reason")
    names = {name for name in archive.arrays if not _is_of_own_rule(name, info)}
    _require(names <= _ARRAYS, "arrays")
    form = None
    if about["actors"] is not None:
        state = {"iteration": np.array(final.iteration, np.int64)}
        if folder is not None:
            form = compile_saved_game(info, game, trust=trust)
            checkpoint = checkpoint_folder(folder / ACTORS, about["actors"])
            facts = read_facts(checkpoint)
            split = make_split(form, 1, max_subtree_slots=facts.most)
            state = read_state(split, checkpoint, facts)
            _require(int(state["iteration"]) == final.iteration, "actors")
    else:
        if about["compact"]:
            form = compile_saved_game(info, game, trust=trust, part=part)
        state = _read_state(archive, info, form)
    for name, array in state.items():
        _require(array.dtype.kind != "f" or holds_numbers(name, array), name)
    strategy = _load_strategy(archive, info, state, about, form)
    if about["streets"] is not None:
        state = {}  # of which a part was left out
    recorded = about["recording"]
    if part is not None:
        _require(
            {len(part.blueprint), len(part.allowed), len(part.value), len(part.weight)}
            == {len(part.hands)},
            "part",
        )
    return Solution(
        strategy=strategy,
        final=final,
        trace=trace,
        seconds=seconds,
        stop_reason=about["stop_reason"],
        info=info,
        recording=None if recorded is None else _read_recording(archive, recorded, strategy, info),
        state=state,
        current_by=current_strategy if state else None,
        part=part,
    )


def _is_of_own_rule(name: str, info: RunInfo) -> bool:
    """Return whether an array is what a rule of one's own knows."""
    has_rule = info.config is not None and info.config.algorithm.rule is not None
    return has_rule and re.fullmatch(rf"state_{RULE_PREFIX}\d+_\d+_\w+", name) is not None


def _read_part(fields: Any) -> ResolvedPart | None:
    """Return the part that a run solved; checkpoints of earlier versions have none, or none of the rows of a player."""
    if fields is None:
        return None
    rows_of_earlier_versions: dict[str, Any] = {"above": {}, "below": {}}
    part: ResolvedPart = from_plain(ResolvedPart, rows_of_earlier_versions | fields)
    return part


def _read_state(
    archive: Archive, info: RunInfo, form: CompiledGame | None
) -> dict[str, NDArray[Any]]:
    """Return the arrays that continue a run; of its tables no more is read than such a game has."""
    # Of public states, whose tables have a slot for hands that cannot be held as well.
    most_numbers = math.inf
    if form is not None:
        most_numbers = max(form.length, info.game.slots)
    elif info.game.traits.keeps_names:
        # Eight infosets side by side, one of which need be there.
        most_numbers = LANES * (info.game.slots + 1)
    names = [name.removeprefix("state_") for name in archive.arrays if name.startswith("state_")]
    return {
        name: archive.array(f"state_{name}", max_size=most_numbers if name in STATE else math.inf)
        for name in names
    }


def _require(condition: bool, name: str) -> None:
    if not condition:
        raise ValueError(f"{name} is not as it is written")


def _check_info(info: RunInfo) -> None:
    game = info.game
    _require(re.fullmatch("[0-9a-f]{32}", info.run_id) is not None, "run_id")
    _require(1 <= game.players <= _MOST_PLAYERS, "players")
    _require(min(game.infosets, game.slots, game.histories or 0, info.table_bytes) >= 0, "sizes")
    _require(game.form in TRAITS, "form")
    _require(game.pot is None or 0 < game.pot < math.inf, "pot")
    _require(
        game.traits.is_counted == (game.histories is not None) == (game.zero_sum is not None),
        "form",
    )


def _check_points(final: Checkpoint, trace: Trace, players: int) -> None:
    for point in (*trace, final):
        numbers = (*point.value, *point.deviation_gains, *point.measures.values(), point.seconds)
        _require(all(map(math.isfinite, numbers)), "a checkpoint")
        _require(("nash_conv" in point.measures) == point.is_certified, "a checkpoint")
        judged = players if point.is_certified else 0
        _require(len(point.value) == len(point.deviation_gains) == judged, "a checkpoint")
        _require(min(point.iteration, point.nodes_touched, point.seconds) >= 0, "a checkpoint")
    iterations = [point.iteration for point in trace]
    _require(all(earlier < later for earlier, later in pairwise(iterations)), "trace")
    _require(not iterations or iterations[-1] <= final.iteration, "trace")


def _load_strategy(
    archive: Archive,
    info: RunInfo,
    state: dict[str, NDArray[Any]],
    about: dict[str, Any],
    form: Any,
) -> Strategy:
    if form is None and about["actors"] is not None:  # which nobody reads
        return Strategy(NamedInfosets([]), np.zeros(0))
    if form is None:
        infosets = _read_infosets(json.loads(archive.text("infosets")), info.game.players)
        _require(len(infosets) == info.game.infosets, "infosets")
        return _read_strategy(archive, infosets)
    _require(not info.game.traits.keeps_names, "compact")
    if form.keeps_weights:  # which the strategy shares with the state
        streets: Any = about["streets"]
        _require(
            streets is None or (type(streets) is int and 1 <= streets <= form.num_streets),
            "streets",
        )
        length = form.length_of_streets(streets or form.num_streets)
        if streets is None:
            weights = state["strategy_sum"]
        else:
            weights = archive.array("weights", max_size=length)
        _require(
            weights.shape == (length,) and weights.dtype.name in form.precisions, "strategy_sum"
        )
        _require(bool((weights >= 0).all()) and bool(np.isfinite(weights).all()), "strategy_sum")
        return Strategy.from_weights(form, weights, streets)
    if "probabilities" in archive.arrays:
        return _read_strategy(archive, form.infosets)
    sums = state["strategy_sum"]
    _require(sums.shape == (form.length,) and bool((sums >= 0).all()), "strategy_sum")
    return _check_strategy(form.infosets, form.average_from_sums(sums)[form.slot])


def names_of_game(game: GameInfo) -> list[str]:
    """Return the texts by which the game of a run is loaded, the first of them first.

    Of a spot the settings that were solved come before the file in which they stood, which may be
    another one by now, and whose conversion has been told. What other games call themselves need
    not be a text that is loaded.
    """
    if game.definition and is_settings_file(game.name):
        return [game.definition, game.name]
    return [name for name in (game.name, game.definition) if name]


def compile_saved_game(
    info: RunInfo, game: Any, *, trust: Trust, part: ResolvedPart | None = None
) -> CompiledGame:
    """Return the compiled form of the game that a run solved, which alone knows the names of its infosets."""
    name = info.game.name
    form: CompiledGame | None = None
    if part is not None and part.rules is not None and game is None:
        with suppress(GameError):  # which of the names below does not say more
            game = rebuild_part(part, load(part.rules.whole, trust=trust)).renamed(name)
    tells_reach = info.config is not None and info.config.concept.algorithm is not None
    for spec in names_of_game(info.game) if game is None else [game]:
        try:
            rules = load(spec, trust=trust) if game is None else spec
            form = compile_any(rules, form=info.game.form, tells_reach=tells_reach)
        except UntrustedGameError:
            raise
        except GameError:
            continue
        if form.fingerprint == info.game.fingerprint:
            return form
    if form is None:
        raise SolutionError(
            f"The run solved {name} in the {info.game.traits.title}, and its infosets are named "
            "by the game, which cannot be loaded by that name. Give the game: "
            "load_solution(folder, game), solve(game, resume=folder)."
        )
    raise SolutionError(
        f"The run solved another game: {form.name} as it is now has other hands, actions or "
        f"payoffs than {name} had then. Start afresh."
    )


def current_strategy(solution: Solution, slots: NDArray[Any] | None = None) -> Strategy:
    """Return the strategy that the next iteration of a run would play.

    ``slots`` are those of the actions in the tables of full-width CFR, None where the compiled game
    has to tell.
    """
    form = solution.strategy.form
    is_complete = solution.info.game.traits.is_complete
    if name_array(0, "strategy") in solution.state:
        return _current_strategy_of_opponents(solution)
    if not (saved_settings(solution).sampling.full_width and is_complete):
        bucket = solution.state.get("bucket")
        if bucket is None or not is_complete:
            slots = np.arange(solution.players, len(solution.state["strategy"]))
        else:
            num_actions = solution.strategy.infosets.num_actions.astype(np.int64)
            slots = solution.players + number_actions(bucket, num_actions)
    elif slots is None or form is not None:
        solver = restore_solver(
            form or compile_saved_game(solution.info, None, trust=solution.trust), solution
        )
        return Strategy(
            solver.infosets(), solver.strategy_at(np.asarray(solver.action_slots(), np.int64))
        )
    return Strategy(
        solution.strategy.infosets, solution.state["strategy"][slots].astype(np.float64)
    )


def _current_strategy_of_opponents(solution: Solution) -> Strategy:
    """Return the same of a sampled run against opponents in the real game, which has two tables."""
    infosets = solution.strategy.infosets
    num_actions = infosets.num_actions.astype(np.int64)
    player_of_action = np.repeat(infosets.owner, num_actions)
    strategy = np.empty(len(player_of_action))
    for player in range(2):
        bucket = keep_buckets_of(solution.state["bucket"], infosets.owner, player)
        slots = solution.players + number_actions(bucket, num_actions)
        played = solution.state[name_array(player, "strategy")][slots]
        of_player = player_of_action == player
        strategy[of_player] = played[of_player]
    return Strategy(infosets, strategy)


def _read_infosets(table: Any, players: int) -> Infosets:
    items = []
    for player, key, actions in table:
        _require(type(player) is int and 0 <= player < players and type(key) is str, "an infoset")
        _require(type(actions) is list and 0 < len(actions) == len(set(actions)), "an infoset")
        _require(all(type(action) is str for action in actions), "an infoset")
        items.append(Infoset(player, key, tuple(actions)))
    _require(len(items) == len({item[:2] for item in items}), "an infoset")
    return NamedInfosets(items)


def _read_strategy(archive: Archive, infosets: Infosets) -> Strategy:
    return _check_strategy(
        infosets, archive.array("probabilities", max_size=int(infosets.num_actions.sum()))
    )


def _check_strategy(infosets: Infosets, probabilities: NDArray[Any]) -> Strategy:
    first_action = offsets(infosets.num_actions)
    _require(
        probabilities.dtype == np.float64 and probabilities.shape == (first_action[-1],),
        "probabilities",
    )
    _require(
        bool(((probabilities >= 0) & (probabilities <= 1)).all()), "probabilities"
    )  # NaN is not
    if len(infosets):
        totals = np.add.reduceat(probabilities, first_action[:-1])
        _require(bool((np.abs(totals - 1) <= _SUM_TOLERANCE).all()), "probabilities")
    return Strategy(infosets, probabilities)


def _read_recording(
    archive: Archive, about: dict[str, Any], strategy: Strategy, info: RunInfo
) -> Recording:
    wanted = from_plain(tuple[Wanted, ...] | None, about["wanted"])
    every = from_plain(int | None, about["every"])
    _require(every is None or every >= 1, "record_every")
    if "recorded_infosets" in archive.texts:
        infosets = _read_infosets(json.loads(archive.text("recorded_infosets")), info.game.players)
    else:
        _require(wanted is None, "recorded_infosets")
        infosets = strategy.infosets
    iteration = archive.array("recording_iteration")
    pairs = int(infosets.num_actions.sum())
    _require(iteration.dtype == np.int64 and iteration.ndim == 1, "recording")
    _require(bool((np.diff(iteration, prepend=0) > 0).all()), "recording")
    arrays = {"iteration": iteration}
    for name in RECORDED[1:]:
        width = len(infosets) if name == "reach" else pairs
        arrays[name] = archive.array(f"recording_{name}", max_size=len(iteration) * width)
        _require(
            arrays[name].dtype == np.float64 and arrays[name].shape == (len(iteration), width),
            "recording",
        )
        if info.game.traits.is_complete:
            is_number = np.isfinite(arrays[name])
        else:
            is_number = ~np.isinf(arrays[name])
        _require(bool(is_number.all()), "recording")
    return Recording(infosets=infosets, wanted=wanted, every=every, **arrays)
