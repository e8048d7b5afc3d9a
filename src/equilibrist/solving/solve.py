"""Solve a game: compile it, iterate until a limit is met, certify on the way, and return a Solution."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from .._util.callbacks import AnyCallbacks
from .._util.files import lock_folder
from ..cfr.algorithms import Algorithm
from ..cfr.concepts import NASH, Concept
from ..cfr.criteria import CCE, Until
from ..cfr.solver import Solver
from ..cfr.treeplex_rule import AnyRule
from ..cluster.backend import Cluster
from ..errors import (
    AlgorithmError,
    EquilibristWarning,
    GameError,
    SolutionError,
    UntrustedGameError,
)
from ..form.abstract.abstraction import AbstractGame, split_game
from ..form.limits import Limits
from ..games.compile import Playable
from ..games.load import load
from ..mccfr.sampling import Sampling
from .callbacks import About, CallbackList
from .config import SolveConfig
from .notes import copy_notes
from .plan import new_config, plan, resume_config
from .recorder import Record, Recorder
from .run import Run
from .save import Save, find_actors_checkpoint, keep_older_checkpoint, refuse_older
from .solution import Solution
from .solvers import make_solver, restore, saved_settings
from .sources import read_run


def solve(
    game: Playable | AbstractGame | None = None,
    algorithm: str | Algorithm | AnyRule = "auto",
    *,
    rule: AnyRule | str | None = None,
    form: str | None = None,
    sampling: str | Sampling | None = None,
    concept: str | Concept | None = None,
    precision: str | None = None,
    backend: str | Cluster | None = None,
    threads: int | Literal["auto"] = 1,
    seed: int | None = None,
    limits: Limits | None = None,
    until: Until | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    save: Save | str | Path | None = None,
    resume: Solution | str | Path | None = None,
    record: Record | str | Iterable[str | tuple[int, str]] | None = None,
    callbacks: AnyCallbacks = None,
) -> Solution:
    """Return the solution of a game: the average strategy of a CFR variant, with its exact exploitability.

    Stops at the first limit met; without any, after 1,000 iterations. An interrupt (Ctrl-C) also
    stops the run and returns what there is.

    Parameters
    ----------
    game : str, Game, PublicGame, CardGame, SequenceForm, PublicForm, CardForm or AbstractGame
        As for :func:`equilibrist.load`, or compiled already by :func:`equilibrist.compile_game`,
        :func:`equilibrist.compile_public` or :func:`equilibrist.compile_cards`; or one whose players
        forget, by :func:`equilibrist.abstract`. May be left out when a saved run is
        resumed whose game was given as text.
    algorithm : str, Algorithm or Rule
        An algorithm by name (``equilibrist algorithms`` lists them), with simultaneous updates
        ``"cfr(alternating=False)"``; one of your own; or ``"auto"``, the one that is fastest on
        most games of a form.
    rule : Rule or str, optional
        An update of your own in NumPy in the place of an algorithm
        (:class:`equilibrist.types.Rule`), or where a Python file has it, ``"rules.py:Hedge(eta=0.1)"``.
    form : {"auto", "sequence", "public", "cards", "ranges", "walk"}, optional
        What the game is compiled into: every history (``"sequence"``); its public states, with all
        hands at each as a vector (``"public"``); or the betting tree and the boards of a
        :class:`CardGame` (``"cards"``). ``"auto"``, the default, takes public states where a game
        has them and more than a million histories, is a :class:`PublicGame` with more than 20,000,
        or has so many hands that its showdowns are sorted; and ``"cards"`` for a card game that is
        not sampled, or a large ``rhode_island``. The iterates are the same up to rounding, which
        grows over some hundred iterations. The public form of a card game pays both players half of
        the pot less. ``"ranges"`` is that of hold'em with three ranges, and of nothing else;
        ``"auto"`` and ``"sequence"`` take it there as well, for the deal is not written out.
        ``"walk"`` stores tables by infoset and nothing else, and walks the whole game
        in each pass (docs/walk.md): for games with too many histories to be compiled, rules in
        Python included; no other form takes as long.
    sampling : str or Sampling, optional
        What an iteration visits: ``"full"`` (the default: everything), ``"chance"``,
        ``"external"``, ``"outcome"``, ``"average-strategy"`` or ``"public-chance"``; with options
        as text, ``"outcome(epsilon=0.4)"``, or as an instance, ``eq.Outcome(epsilon=0.4)``.
    concept : str or Concept, optional
        What the run is to approach: ``"nash"``, the default, or ``eq.Floors(0.001)``
        (``"floors(0.001)"``), the equilibrium of the game in which every action keeps that
        probability, so that the strategy answers everything. Then ``until`` is the exploitability
        within the floors; that of the true game stands beside it. Or ``eq.QRE("1%")``
        (``"qre(1%)"``), a quantal response equilibrium, whose actions are the likelier the more
        they are worth; then ``until`` is the gap of :class:`QREGap`. Or ``eq.LastIterate()``
        (``"last_iterate"``): what is played last approaches a Nash equilibrium, on sequence forms.
        The last two have dynamics of their own, so that no algorithm is given.
    precision : {"auto", "float64", "float32", "int16"}, optional
        How the numbers of full-width CFR are stored; ``"float32"`` halves the memory, and
        iterations compute in it as well, in half to three quarters of the time. Certificates are in
        float64, and show where the stored numbers are too coarse to get any better. A run goes on
        in float64 after 20,000 iterations (2,048 where the algorithm predicts), for float32 loses
        what later ones add. ``"int16"``, for card games alone (form ``"cards"``), is less than half
        of that: averages in integers of 16 bits, regret sums in 8 or 16 bits, scaled for each
        decision on a board; it goes on in float32 after 2,048 (512). ``"auto"``, the default, is
        float32 for card games, else float64.
    backend : "cpu" or Cluster, optional
        Where the tables are: in this process, or spread over several, ``eq.Cluster(actors=4)``,
        here or on a Ray cluster. The result is the same, bit for bit.
    threads : int or "auto"
        How many threads walk public states, boards or a game that is not compiled, share the passes
        of a large sequence form, or draw the samples of a batch (``Sampling.batch``); changes
        nothing in the result, not a bit. ``"auto"`` is all cores where that is faster than one
        thread, and one elsewhere.
    seed : int, optional
        Decides all that is drawn, with sampling; 0 by default. The same seed gives the same result
        on every machine.
    limits : Limits, optional
        What the run may take: ``eq.Limits(memory_gb=, nodes=, histories=, depth=)``.
    until : float, str, Criterion, or several, optional
        Stop when the exploitability (nash_conv / players; payoff per game) is at most this, or this
        share of the pot, ``"0.5%"``, where a card game has one; or when a :class:`Criterion` is
        met: :class:`CCE`, the distance of the play from a coarse correlated equilibrium, or one of
        your own. The first of several ends the run. They are computed whenever the number of
        iterations has grown by 5 %; in the card form, where that takes as long as iterations, by
        some 40 %, and from 32 on 20 %. CFR promises a small exploitability for one player, and for
        two in a zero-sum game, and a small ``CCE`` elsewhere; a run that may never end is warned of
        at the start.
    iterations : int, optional
        Total number of iterations, those before a resume included.
    seconds : float, optional
        Time for iterating, beside which certificates at the checkpoints do not count. Finding the
        histories of a game that is compiled (or the infosets of one that is walked) may take as
        long as well, but at least a second; then it is refused. Kernels that are compiled for the
        first time, boards of a card game and a run that is resumed are not bounded so.
    save : path or Save, optional
        A folder to save to, now and then while solving and at the end; ``eq.Save(folder,
        streets=1)`` saves the first street of a card game.
    resume : path or Solution, optional
        Continue a run: the result equals an uninterrupted one, bit for bit. A run whose game is a
        Python file needs ``game``, or ``resume=eq.load_solution(folder, trust=True)``.
    record : "all", list of str or (player, str), or Record, optional
        Infosets to record at the checkpoints (:attr:`Solution.recording`), or ``eq.Record(infosets,
        every=10)``. Changes nothing in the result, not a bit. A run that is resumed goes on
        recording what it did.
    callbacks : callable, Callbacks, tracker, or several of them, optional
        A callable is called with each :class:`Checkpoint` of the trace; ``eq.Callbacks(on_stage=,
        should_stop=)`` has functions for more. A tracker is an object with any of the methods of
        :class:`equilibrist.track.Tracker`, such as ``eq.track.TensorBoard("runs")`` or
        ``eq.track.MLflow()``.

    Raises
    ------
    GameError
        The game cannot be found, is not well formed or is too large.
    AlgorithmError
        The algorithm is unknown, or an option is impossible.
    SolutionError
        ``resume`` cannot be read or does not fit, or ``save`` cannot be written.

    Notes
    -----
    What is computed is never lost to a callback: an exception that a callback raises ends the run
    like a limit, the solution is saved where ``save`` says, and the exception is raised with the
    solution as its attribute ``solution``. The same holds where only the last save fails.

    SIGINT (Ctrl-C), SIGTERM and SIGHUP end the run, too, and are acted upon at once when they
    arrive a second time. Only a run in the main thread gets them. A signal that is ignored stays
    ignored: SIGINT is in a background job of a shell without job control, SIGHUP under ``nohup``;
    SIGTERM, as of ``kill``, ends such a run.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", until=1e-6)
    >>> abs(solution.value[0] + 1 / 18) < 1e-5
    True
    >>> solution.strategy["Q"]["bet"] < 1e-3   # never bet the queen first
    True
    """
    if game is None and resume is None:
        raise AlgorithmError("solve() needs a game, or a saved run to resume.")
    real_game: Playable | None
    real_game, abstraction = split_game(game)
    called = CallbackList(callbacks)
    wanted = Record(record) if not (record is None or isinstance(record, Record)) else record
    place = Save(save) if not (save is None or isinstance(save, Save)) else save
    settings: dict[str, Any] = {
        "algorithm": algorithm,
        "rule": rule,
        "sampling": sampling,
        "concept": concept,
        "abstraction": abstraction,
        "form": form,
        "precision": precision,
        "backend": backend,
        "seed": seed,
        "threads": threads,
        "limits": limits,
        "until": until,
        "iterations": iterations,
        "seconds": seconds,
    }
    with ExitStack() as stack:
        if resume is None:
            config = new_config(**settings)  # checked before a folder is made
        if place is None:
            folder = None
        else:
            folder = stack.enter_context(lock_folder(place.folder))
        streets = None if place is None else place.streets
        old = checkpoint = None
        if resume is not None:
            old = read_run(resume, real_game, whole=not isinstance(backend, Cluster))
            config = resume_config(saved_settings(old), done=old.iterations, **settings)
            if old.folder is not None and isinstance(backend, Cluster):
                checkpoint = find_actors_checkpoint(old.folder)
            else:
                checkpoint = None
        if folder is not None and (
            old is None or old.folder is None or old.folder.resolve() != folder.resolve()
        ):
            refuse_older(folder)
            keep_older_checkpoint(folder)
            copy_notes(None if old is None else old.folder, folder)
        rules = _choose_rules(real_game, old, is_loaded=not isinstance(resume, Solution))
        unfollowed = called.unfollowed
        how: dict[str, Any] = {
            "streets": streets,
            "unfollowed": unfollowed,
            "is_resumed": old is not None,
        }
        compiled, config, spent = plan(rules, config, called.on_stage, **how)
        if isinstance(config.backend, Cluster):
            called.on_stage(f"Starting {config.backend.actors} actors")
        solver = make_solver(compiled, config, checkpoint=checkpoint, streets=streets)
        stack.callback(solver.close)
        recorded = None if old is None else old.recording
        if old is not None:
            restore(solver, old, checkpoint)
            spent |= {stage: old.seconds.get(stage, 0.0) for stage in ("solve", "certify")}
        if solver.abstraction is not None:  # with its sizes
            config = replace(config, abstraction=solver.abstraction)
        check_promises(solver, config)
        recorder = None
        if wanted is not None or recorded is not None:
            if old is None:
                spent["record"] = 0.0
            else:
                spent["record"] = old.seconds.get("record", 0.0)
            recorder = Recorder(solver, wanted, old=recorded, iterations=config.stop.iterations)
        if isinstance(real_game, str):
            name = real_game
        elif real_game is not None or old is None:
            name = solver.game_name
        else:
            name = old.game
        run = Run(solver, name, config, spent, old=old, recorder=recorder, save=place)
        old = recorded = None  # its tables have been copied

        def work() -> Solution:
            if config.sampling.full_width:
                sampled = ""
            else:
                sampled = f", sampling {config.sampling}"
            called.on_stage(f"Solving {name} with {config.algorithm}{sampled}")
            return run.execute(called)

        return called.follow(lambda: About.of(run.info, folder=folder, earlier=run.trace), work)


def _choose_rules(game: Playable | None, old: Solution | None, *, is_loaded: bool) -> Playable:
    """Return the game to be solved: that of a saved run as it was compiled to load it, or by the name that it tells."""
    if old is not None and old.part is not None and game is None:
        raise SolutionError(
            f"{old.game} is a part of a run, without which nobody knows what the opponent's "
            f"hands may get: resume it by eq.resolve(RUN, {old.part.line!r}, …, resume=folder).",
            wrong_use=True,
        )
    if old is not None and old.strategy.form is not None and (is_loaded or game is None):
        compiled: Playable = old.strategy.form
        return compiled
    if game is not None:
        return game
    if old is None:
        raise ValueError("neither a game nor a run")
    try:
        rules: Playable = load(old.game, trust=old.trust)
    except UntrustedGameError:
        raise
    except GameError as error:
        raise SolutionError(
            f"The run solved {old.game}, which cannot be loaded: {error} Give the game: "
            "solve(game, resume=folder).",
            wrong_use=True,
        ) from error
    return rules


def check_promises(solver: Solver, config: SolveConfig) -> None:
    """Refuse a criterion that cannot be evaluated, and warn where none may ever be met."""
    rule = config.stop
    form = solver.form
    for criterion in rule.until:
        criterion.check(solver)
    is_bounded = any(
        limit is not None for limit in (rule.iterations, rule.seconds, config.limits.nodes)
    )
    promised = (
        each
        for each in rule.until
        if type(each) in (config.concept.criterion, CCE) or config.concept == NASH
    )
    if solver.abstraction is not None and not is_bounded:
        warnings.warn(
            f"What {solver.abstraction.map} costs in {form.name} is not known before, so that "
            f"until={', '.join(map(str, rule.until))} alone may never end the run. Give another "
            "limit as well.",
            EquilibristWarning,
            stacklevel=3,
        )
        return
    if not form.is_complete or is_bounded or any(each.promise(form) for each in promised):
        return
    names = " or ".join(criterion.name for criterion in rule.until)
    warnings.warn(
        f"CFR promises no small {names} for {form.name}, so that "
        f"until={', '.join(map(str, rule.until))} alone may never end the run. Give another "
        "limit as well; in games that are general-sum or have more than two players "
        "until=eq.CCE(...) (--until-cce), the distance from a coarse correlated equilibrium.",
        EquilibristWarning,
        stacklevel=3,
    )
