"""The plan of a run: what the user left open ("auto") is decided here and nowhere else, and the game is compiled.

Left open is None in a :class:`SolveConfig`; :func:`fill_defaults` fills it in once the compiled
game is known. The form is chosen by :func:`equilibrist.games.compile.compile_any`, which has to
look at the game for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, NamedTuple

from .._util.processes import cores
from .._util.stopwatch import Seconds, stopwatch
from .._util.text import short_repr
from ..cfr.algorithms import ALGORITHMS, AUTO, Algorithm, find_algorithm
from ..cfr.concepts import NASH, Concept, find_concept
from ..cfr.criteria import Criterion, find_criteria
from ..cfr.sequence_cfr import LEAST_FOR_THREADS
from ..cfr.tabular import PRECISIONS
from ..cfr.treeplex_rule import AnyRule
from ..cluster.backend import Cluster
from ..errors import AlgorithmError, GameError, GameTooLargeError, SolutionError
from ..form.abstract.abstraction import Abstraction
from ..form.abstract.infoset_map import SavedBuckets
from ..form.any_form import GameForm
from ..form.compiled_game import CompiledGame, is_compiled
from ..form.compiling import tell_compiling
from ..form.limits import CompileBudget, Limits, check_limits, make_sentence, within_memory
from ..form.offers import offered_bucket_table
from ..form.traits import (
    TRAITS,
    CardTraits,
    FormTraits,
    PublicTraits,
    RangeTraits,
    SequenceTraits,
    WalkTraits,
)
from ..form.walk.form import WalkedGame, is_walked
from ..form.walk.walk import WalkEstimate, WalkStoppedError
from ..games.compile import Playable, compile_any, walk_any
from ..mccfr.sampling import Sampling, find_sampling
from ..mccfr.table import InfosetTable
from ..mccfr.table_lazy import LazyTable
from ..mccfr.table_walked import WalkedTable
from .config import SolveConfig, StopRule
from .estimate import estimate_run
from .save import check_streets
from .warm_up import warm_up, warm_up_ahead, warm_up_lazy, warm_up_walk

DEFAULT_ITERATIONS = 1000
SAMPLED_ALGORITHM = "cfr"
"""What ``algorithm="auto"`` stands for where the game is sampled: none is clearly ahead then, and this is the simplest
(docs/sampling.md). Elsewhere it is the ``default_algorithm`` of the form."""

_LEAST_BATCH = (
    128  # traversals, from which on two threads are faster than one, even on a small game
)
_LEAST_WALKS = 512  # of those that follow one move everywhere
_LEAST_SLOTS = {
    SequenceTraits.kind: LEAST_FOR_THREADS,
    PublicTraits.kind: 1 << 16,
    CardTraits.kind: 1 << 16,
    RangeTraits.kind: 1 << 12,
    WalkTraits.kind: 0,
}

Say = Callable[[str], None]


class Plan(NamedTuple):
    """What a run begins with: the compiled game (or the table of a game that is not compiled), and all settings."""

    game: CompiledGame | InfosetTable
    config: SolveConfig
    seconds: Seconds


def _choose_algorithm(
    algorithm: str | Algorithm | AnyRule, rule: AnyRule | str | None
) -> Algorithm:
    """Return the algorithm of a run: what was named, or what a rule of one's own makes.

    Beside a rule "auto" says the order of updates alone, where it is not the usual one.

    Raises
    ------
    AlgorithmError
        Both are given.
    """
    if rule is None:
        return find_algorithm(algorithm)
    if isinstance(algorithm, str):
        algorithm = find_algorithm(algorithm)
    if not (isinstance(algorithm, Algorithm) and algorithm.name == AUTO.name):
        shown = str(algorithm) if isinstance(algorithm, Algorithm) else algorithm
        raise AlgorithmError(
            f"A rule is an algorithm: give rule= or algorithm={shown!r}, not both.",
            field="rule",
        )
    of_rule = Algorithm.of_rule(rule)
    return replace(of_rule, alternating=of_rule.alternating and algorithm.alternating)


def new_config(
    *,
    algorithm: str | Algorithm = "auto",
    sampling: str | Sampling | None = None,
    concept: str | Concept | None = None,
    rule: AnyRule | str | None = None,
    **keywords: Any,
) -> SolveConfig:
    """Return the settings of a run from the keywords of :func:`equilibrist.solve`, those that are None left out."""
    algorithm = _choose_algorithm(algorithm, rule)
    scheme = find_sampling("full" if sampling is None else sampling)
    concept = find_concept(concept or NASH)
    stop, settings = _split_settings(keywords, concept)
    if scheme.random:
        settings.setdefault("seed", 0)
    if stop == StopRule() and settings.get("limits", Limits()).nodes is None:
        stop = StopRule(iterations=DEFAULT_ITERATIONS)
    horizon = stop.iterations if algorithm.needs_horizon else None
    return SolveConfig(
        algorithm=algorithm.planned(horizon),
        sampling=scheme,
        concept=concept,
        horizon=horizon,
        stop=stop,
        **settings,
    )


_STOP = tuple(field.name for field in fields(StopRule))


def _split_settings(keywords: dict[str, Any], concept: Concept) -> tuple[StopRule, dict[str, Any]]:
    """Return when a run ends, and its other settings: those that are given, None where they are "auto"."""
    settings = {name: value for name, value in keywords.items() if value is not None}
    settings["until"] = find_criteria(settings.get("until"), concept.criterion)
    stop = StopRule(**{name: settings.pop(name) for name in _STOP if name in settings})
    check_limits(settings.get("limits"), "solve", Limits.__slots__)
    return stop, {name: None if value == "auto" else value for name, value in settings.items()}


def fill_defaults(config: SolveConfig, form: GameForm) -> SolveConfig:
    """Return the settings with what was left open: algorithm, precision and threads; and ``until`` as payoff."""
    stop = replace(
        config.stop, until=tuple(criterion.for_game(form) for criterion in config.stop.until)
    )
    full_width = config.sampling.full_width
    concept = config.concept
    return replace(
        config,
        algorithm=concept.algorithm
        or suitable_algorithm(config.algorithm, form, sampled=not full_width),
        precision=config.precision
        or default_precision(
            concept,
            form,
            sampled=not full_width or config.abstraction is not None,
            algorithm=config.algorithm,
        ),
        threads=config.threads or _default_threads(config, form),
        stop=stop,
    )


def default_precision(
    concept: Concept,
    form: FormTraits | type[FormTraits],
    *,
    sampled: bool = False,
    algorithm: Algorithm = AUTO,
) -> str:
    """Return what "auto" stands for in the tables of full-width CFR on a form, or of samples."""
    if sampled or concept.algorithm is not None or algorithm.rule is not None:
        return PRECISIONS[0]
    return form.default_precision


def suitable_algorithm(
    algorithm: Algorithm, form: FormTraits | type[FormTraits], *, sampled: bool
) -> Algorithm:
    """Return the algorithm, or what "auto" stands for on a form, with the same order of updates."""
    if algorithm.name != AUTO.name:
        return algorithm
    if sampled:
        name = SAMPLED_ALGORITHM
    else:
        name = form.default_algorithm
    return replace(ALGORITHMS[name], alternating=algorithm.alternating)


def default_algorithms() -> dict[str, str]:
    """Return the name of the algorithm that "auto" stands for, by form, and where a game is sampled."""
    forms = [traits for traits in TRAITS.values() if traits.is_complete]
    return {**{form.kind: form.default_algorithm for form in forms}, "sampled": SAMPLED_ALGORITHM}


def _default_threads(config: SolveConfig, form: GameForm) -> int:
    """Return how many threads "auto" stands for: one where samples are those of a rule of one's own,
    or drawn by actors.
    """
    if config.algorithm.rule is not None and not config.sampling.full_width:
        return 1
    if isinstance(config.backend, Cluster) and not config.sampling.full_width:
        return 1
    return worthwhile_threads(form, config.sampling)


def worthwhile_threads(form: GameForm, sampling: Sampling) -> int:
    """Return how many threads a run is worth on this machine.

    All cores that the process may use, where threads share work that is long enough, some 4,000
    histories or a tenth of a millisecond: samples of a batch of 128 traversals or more, 64 for each
    thread (four times as many where each move is drawn); full-width CFR on public states and
    hold'em with 2^16 slots or more, and on sequence forms with 500,000. Else one. The result of the
    run is the same with any number.
    """
    if not sampling.full_width:
        return drawing_threads(sampling)
    if form.length < _LEAST_SLOTS[form.kind]:
        return 1
    return cores()


def drawing_threads(sampling: Sampling) -> int:
    """Return how many threads share the samples of a batch, where some are drawn; else 1."""
    if sampling.full_width:
        return 1
    least = _LEAST_WALKS if sampling.draws_paths else _LEAST_BATCH
    return max(1, min(cores(), 2 * sampling.batch // least))


def resume_config(
    old: SolveConfig,
    *,
    done: int,
    algorithm: str | Algorithm,
    sampling: str | Sampling | None,
    rule: AnyRule | str | None = None,
    concept: str | Concept | None = None,
    **keywords: Any,
) -> SolveConfig:
    """Return the settings with which a saved run goes on after ``done`` iterations; ``old.form`` is what it became.

    All that decides the numbers is the old run's; limits, threads and backend are those given now.
    """
    old = replace(old, stop=StopRule(), threads=1, limits=Limits(), backend="cpu")
    old = _with_map(old, keywords.pop("abstraction", None))
    stop, settings = _split_settings(keywords, old.concept)
    changes = {name: value for name, value in settings.items() if value is not None}
    if sampling is not None:
        changes["sampling"] = find_sampling(sampling)
    if concept is not None:
        changes["concept"] = find_concept(concept)
    algorithm = _choose_algorithm(algorithm, rule)
    if algorithm != AUTO:
        is_auto = algorithm.name == AUTO.name
        if is_auto:
            changes["algorithm"] = replace(old.algorithm, alternating=algorithm.alternating)
        else:
            changes["algorithm"] = algorithm.planned(old.horizon)
    pairs = {name: (getattr(old, name), changes[name]) for name in _DECIDES if name in changes}
    pairs = {name: pair for name, pair in pairs.items() if _is_other(*pair)}
    if pairs:
        then = ", ".join(
            f"{name}={_setting_text(old_value, new_value)}"
            for name, (old_value, new_value) in pairs.items()
        )
        now = ", ".join(
            f"{name}={_setting_text(new_value, old_value)}"
            for name, (old_value, new_value) in pairs.items()
        )
        others = ", ".join(name for name in pairs if name != "algorithm" or not old.algorithm.rule)
        advice = [f"leave {others} out"] if others else []
        if old.algorithm.rule is not None and "algorithm" in pairs:
            same_rule = changes["algorithm"].rule == old.algorithm.rule
            again = " as it was" if same_rule else ""
            advice.append(f"give the rule {old.algorithm.rule.text!r}{again}")
        raise AlgorithmError(
            f"The saved run has {then}, and can only go on so; got {now}. To go on, "
            f"{' and '.join(advice)}; or start afresh.",
        )
    if old.horizon is not None and stop.iterations is not None and stop.iterations > old.horizon:
        raise AlgorithmError(
            f"The saved run of {old.algorithm.name!r} was planned for {old.horizon} iterations; "
            f"got iterations={stop.iterations}. Start afresh to plan for more.",
        )
    limits = changes.get("limits", old.limits)
    if stop == StopRule() and limits.nodes is None:
        stop = StopRule(iterations=old.horizon or max(DEFAULT_ITERATIONS, done))
    for name in set(settings) - set(_DECIDES) - set(changes):  # threads="auto"
        changes[name] = None
    return replace(old, **{**changes, "stop": stop})


def _with_map(old: SolveConfig, abstraction: Abstraction | None) -> SolveConfig:
    """Return the settings of a saved run with the map that is given now, which its tables are compared with."""
    if abstraction is None:
        return old
    if old.abstraction is None or old.abstraction.opponent != abstraction.opponent:
        raise AlgorithmError(
            f"The saved run has {old.abstraction or 'no abstraction'}, and can only go on so; got "
            f"{abstraction}. Give the real game to go on, or start afresh.",
            field="map",
        )
    return replace(
        old, abstraction=replace(old.abstraction, map=abstraction.map, source=abstraction.source)
    )


_DECIDES = ("algorithm", "sampling", "concept", "form", "precision", "seed")
"""What a resumed run cannot change."""


def _setting_text(value: Any, other: Any) -> str:
    """Return a setting as error messages show it, told apart from another."""
    if isinstance(value, Algorithm) and isinstance(other, Algorithm):
        of_rule = value.rule is not None and value.rule == other.rule
        if of_rule or str(value) == str(other):
            numbers = [
                f"{name}={short_repr(getattr(value, name))}"
                for name in value.__slots__
                if getattr(value, name) != getattr(other, name)
            ]
            return f"{_algorithm_text(value)} with {', '.join(numbers)}"
    if isinstance(value, Algorithm) and value.rule is not None:
        return _algorithm_text(value)
    if value is None or isinstance(value, int) or str(value) == str(other):
        return repr(value)
    return repr(str(value))


def _algorithm_text(algorithm: Algorithm) -> str:
    if algorithm.rule is None:
        return repr(algorithm.name)
    return f"the rule {algorithm.rule.text!r}"


def _is_other(old: Any, new: Any) -> bool:
    """Return whether a setting is another; the paper of an algorithm decides no number."""
    if isinstance(old, Algorithm) and isinstance(new, Algorithm):
        return replace(new, source=old.source) != old
    return bool(old != new)


def plan(
    game: Playable,
    config: SolveConfig,
    say: Say | None,
    *,
    streets: int | None = None,
    unfollowed: bool = False,
    is_resumed: bool = False,
) -> Plan:
    """Return the compiled game, and the settings with all that was left open.

    ``streets`` are to be saved; of a run that is ``unfollowed``, the kernel that certifies on the
    way is loaded, too. Compiling may take as many seconds as iterating, but for a run that is
    resumed, of which few may be left.
    """
    limits = config.limits.of_compiling()
    if not is_resumed:
        limits = limits._replace(seconds=config.stop.seconds)
    if not config.sampling.tree:
        check_streets(None, streets)
        return _plan_samples(game, config, limits, say or (lambda text: None))
    if is_walked(game):
        config = replace(config, form=game.kind)  # which is checked so
    if config.walks:
        check_streets(None, streets)
        return _plan_walk(game, config, limits, say or (lambda text: None))

    def check(form: CompiledGame | type[CompiledGame], name: str, _players: int) -> None:
        check_streets(form, streets)
        if isinstance(config.backend, Cluster):
            config.backend.check(form.kind, name)

    form, seconds = compile_warm(
        game,
        form=config.form,
        limits=limits,
        say=say,
        precision=config.precision,
        sampled=not config.sampling.full_width,
        threads=config.threads or drawing_threads(config.sampling),
        concept=config.concept,
        check=check,
    )
    form = config.concept.adapt_form(form)
    config = fill_defaults(config, form)
    if isinstance(config.backend, Cluster):
        return Plan(form, config, seconds)  # which has the tables elsewhere
    with within_memory(form.name, make_sentence(form.smaller)):
        # Before a part is timed, which takes a while where all is large.
        estimate_run(form, config, timed=False).check(config.limits.memory_gb)
        if (
            say is not None
            and not unfollowed
            and (expected := estimate_run(form, config)).seconds is not None
        ):
            say(str(expected))
    if unfollowed and config.sampling.full_width and config.threads == 1:
        with stopwatch(seconds, "jit"):
            warm_up_ahead(form.kernels, config.precision or PRECISIONS[0])
    return Plan(form, config, seconds)


def compile_warm(
    game: Playable,
    *,
    form: str | None = None,
    limits: CompileBudget | None = None,
    say: Say | None = None,
    sampled: bool = False,
    threads: int = 1,
    precision: str | None = None,
    concept: Concept = NASH,
    check: Callable[[CompiledGame | type[CompiledGame], str, int], None] | None = None,
) -> tuple[CompiledGame, Seconds]:
    """Return the compiled game with the kernels of its form loaded, and the seconds that each stage took.

    ``sampled`` says that samples are going to be drawn, by so many ``threads``; ``precision`` is
    that of the tables to come, ``concept`` what the run approaches. ``check`` is called with the
    form, the name of the game and its players before the game is written out, and raises what is
    against them. The others are those of
    :func:`~equilibrist.games.compile.compile_any`.
    """
    say = say or (lambda text: None)
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}

    def check_form(kind: CompiledGame | type[CompiledGame], name: str, players: int) -> None:
        stored_as = precision or default_precision(concept, kind)
        if stored_as not in kind.precisions and not sampled:
            raise AlgorithmError(
                f"precision={stored_as!r} is for card games in the card form (form='cards'), not "
                f"for {name} in the "
                f"{kind.title}: give one of {', '.join(map(repr, kind.precisions))}.",
            )
        concept.check_form(kind, name)
        if check is not None:
            check(kind, name, players)

    with tell_compiling(say):
        with stopwatch(seconds, "compile"):
            compiled = compile_any(
                game,
                form=form,
                limits=limits,
                say=say,
                keep_tree=sampled,
                tells_reach=concept.algorithm is not None,
                check=check_form,
            )
        say("Loading the kernels")  # not before the game is seen to fit into memory
        with stopwatch(seconds, "jit"):
            stored_as = precision or default_precision(concept, compiled)
            options: Any = {
                "precision": stored_as,
                "threads": threads,
                "sampled": sampled,
                "concept": concept.rules,
            }
            warm_up(compiled.kernels, compiled.players, **options)
    return compiled, seconds


def _load_walked_game(game: Playable, limits: CompileBudget, user: str) -> WalkedGame:
    """Return the game for what needs nothing of it but its rules."""
    if is_compiled(game):
        raise GameError(
            f"{game.name} is compiled already; {user} takes the rules instead.", wrong_use=True
        )
    return walk_any(game, limits)


def _plan_walk(game: Playable, config: SolveConfig, limits: CompileBudget, say: Say) -> Plan:
    walked = _load_walked_game(game, limits, "form='walk'")
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    config = fill_defaults(config, walked)
    threads = config.threads or 1
    estimate = walked.estimate(threads=threads)
    if estimate.too_long:
        raise GameTooLargeError(
            f"{walked.name} is too large to walk: {estimate} for one iteration. Sample it instead "
            "(sampling='external(tree=False)')."
        )
    say("Loading the kernels")
    with stopwatch(seconds, "jit"), tell_compiling(say):
        warm_up_walk(walked.rules)
    say(f"Entering the infosets of {walked.name}: {estimate} for an iteration")
    table = WalkedTable(walked)
    began = time.perf_counter()
    heard: dict[str, Any] = {
        "say": say,
        "should_stop": lambda: limits.is_late(time.perf_counter() - began),
    }
    memory = config.limits.memory_gb
    with stopwatch(seconds, "compile"), tell_compiling(say):
        try:
            table.enter_infosets(
                threads=threads, memory_gb=memory, histories=estimate.histories, **heard
            )
        except WalkStoppedError:
            entered = (
                f"{len(table.infosets()):,} infosets were entered, and an iteration walks "
                f"{estimate}"
            )
            instead = "Or sample it (sampling='external(tree=False)')."
            raise limits.too_slow(walked.name, entered, instead) from None
    return Plan(table, config, seconds)


def _plan_samples(game: Playable, config: SolveConfig, limits: CompileBudget, say: Say) -> Plan:
    walked = _load_walked_game(game, limits, "sampling with tree=False")
    seconds = {"compile": 0.0, "jit": 0.0, "solve": 0.0}
    walking = config.threads or cores()
    config = fill_defaults(config, walked)
    exact = [criterion for criterion in config.stop.until if criterion.needs_tree]
    if config.abstraction is not None:
        if exact:
            raise AlgorithmError(
                f"until={exact[0]} needs the exact {exact[0].name}, and nothing certifies "
                f"{walked.name} in buckets. Give iterations, seconds or limits=eq.Limits(nodes=), and "
                "bound the exploitability from below by a local best response (docs/blueprint.md).",
                field="until",
            )
        table = _make_bucket_table(walked, config, config.abstraction, say)
        return Plan(table, config, seconds)
    say("Loading the kernels")
    with stopwatch(seconds, "jit"), tell_compiling(say):
        warm_up_lazy(walked.rules, min(config.threads or 1, config.sampling.batch))
    table = LazyTable(walked)
    if exact:
        table.certificate = _estimate_certificate(walked, exact[0], walking)
        often = "as many as take about a quarter of the time"
        say(f"Certificates of {walked.name} walk {table.certificate} each; there are {often}")
    return Plan(table, config, seconds)


def _make_bucket_table(
    walked: WalkedGame, config: SolveConfig, abstraction: Abstraction, say: Say
) -> InfosetTable:
    """Return the table of a game that offers one for an abstraction, having told and checked its memory.

    Raises
    ------
    AlgorithmError
        The game offers none.
    SolutionError
        A saved run goes on, and nobody gave its buckets.
    """
    if isinstance(abstraction.source, SavedBuckets):
        raise SolutionError(
            f"The saved run on {walked.name} does not hold its buckets {abstraction.map}. Give the "
            "game with them: solve(eq.abstract(game, buckets), resume=folder), or in the command GAME "
            "--map FILE.py:BUCKETS --resume FOLDER.",
            wrong_use=True,
        )
    prepare = getattr(abstraction.source, "prepare", None)
    if prepare is not None:  # it takes minutes, and says how far it is
        prepare(say)
    offer = offered_bucket_table(walked.rules, abstraction.source)
    if offer is None:
        raise AlgorithmError(
            "A game whose players forget (eq.abstract) is sampled without a tree where its rules "
            f"offer a table of buckets, as nlhe does; got sampling='{config.sampling}' for "
            f"{walked.name}. Leave tree out.",
            field="sampling",
        )
    gigabytes = offer.nbytes / 1e9
    text = f"{offer.infosets:,} buckets at places of the betting take {gigabytes:.2f} GB"
    if isinstance(config.backend, Cluster):
        text += f", and as much in each of {config.backend.actors} actors"
    say(text)
    most = config.sampling.gigabytes
    if most is not None and gigabytes > most:
        raise GameTooLargeError(
            f"The tables of {walked.name} take {gigabytes:.2f} GB; the limit is {most:g}. Give fewer "
            "buckets or sizes of bets, or allow more."
        )
    with within_memory(walked.name, "Give fewer buckets or sizes of bets."):
        table: InfosetTable = offer.make(seed=config.seed or 0, batch=config.sampling.batch)
    return table


def _estimate_certificate(walked: WalkedGame, criterion: Criterion, threads: int) -> WalkEstimate:
    """Return how long certificates of a game without a tree take, or refuse a criterion that needs them."""
    if not walked.is_fast:
        raise AlgorithmError(
            f"until={criterion} needs the exact {criterion.name}, which is not known without a "
            "tree where rules are in "
            "Python. Give iterations, seconds or limits=eq.Limits(nodes=).",
            field="until",
        )
    estimate = walked.estimate(threads=threads)
    if estimate.too_long:
        raise AlgorithmError(
            f"until={criterion} needs the exact {criterion.name}, and {walked.name} has "
            f"{estimate} for one certificate. Give iterations, seconds or "
            "limits=eq.Limits(nodes=), and bound the exploitability from below by "
            "eq.local_best_response.",
            field="until",
        )
    return estimate
