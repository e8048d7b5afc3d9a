"""Solve a game: compile it, iterate until a limit is met, certify on the way, and return a Solution."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

from .._util.files import locked_folder
from ..cfr.algorithms import Algorithm
from ..cfr.solver import Solver, promises_correlated
from ..errors import AlgorithmError, EquilibristWarning, GameError, SolutionError, UntrustedGameError
from ..games.load import Trust, load
from ..mccfr.sampling import Sampling
from ..strategy.slots import SlotStrategy
from .actors import checked_cluster
from .config import SolveConfig, StopRule, new_config, resumed_config
from .listeners import About, Listeners, followed, listed
from .prepare import Playable
from .recorder import Record, Recorder, checked_record
from .run import Run
from .save import refuse_older, saved_by_actors, set_aside
from .solution import Solution
from .solvers import prepare_solver, restore, settings_of
from .sources import read_run
from .trace import Checkpoint


def solve(
    game: Playable | None = None,
    algorithm: str | Algorithm = "auto",
    *,
    form: str | None = None,
    sampling: str | Sampling | None = None,
    seed: int | None = None,
    threads: int | Literal["auto"] = 1,
    precision: str | None = None,
    backend: str | None = None,
    max_memory_gb: float | None = None,
    iterations: int | None = None,
    until: float | str | None = None,
    until_cce: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    alternating: bool | None = None,
    resume: Solution | str | Path | None = None,
    save: str | Path | None = None,
    save_streets: int | None = None,
    trust: Trust = False,
    record: Record | None = None,
    record_every: int | None = None,
    on_checkpoint: Listeners = None,
    on_stage: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    max_histories: int | None = None,
    max_depth: int | None = None,
    actors: int | None = None,
    ray: str | None = None,
) -> Solution:
    """Return the solution of a game: the average strategy of a CFR variant, with its exact exploitability.

    Stops at the first limit met; without any, after 1,000 iterations. An interrupt (Ctrl-C) also stops the run and
    returns what there is.

    Parameters
    ----------
    game : str, Game, PublicGame, CardGame, SequenceForm, PublicForm or CardForm
        As for :func:`equilibrist.load`, or compiled already by :func:`equilibrist.compile_game`,
        :func:`equilibrist.compile_public` or :func:`equilibrist.compile_cards`. May be left out when a saved run is
        resumed whose game was given as text.
    algorithm : str or Algorithm
        A row by name (``equilibrist algorithms`` lists them), a row of your own, or ``"auto"``: the row that is
        fastest on most games (:data:`equilibrist.cfr.algorithms.AUTO`; on the card form another one).
    form : {"auto", "sequence", "public", "cards"}, optional
        What the game is compiled into: every history (``"sequence"``); its public states, with all hands at each as a
        vector (``"public"``); or the betting tree and the boards of a :class:`CardGame` (``"cards"``). ``"auto"``, the
        default, takes public states where a game has them and more than a million histories, is a :class:`PublicGame`
        with more than 20,000, or has so many hands that its showdowns are sorted; and ``"cards"`` for a card game that
        is not sampled, or a large ``rhode_island``. The iterates are the same up to rounding, which grows over some
        hundred iterations. The public form of a card game pays both players half of the pot less.
    sampling : str or Sampling, optional
        What an iteration visits: ``"full"`` (the default: everything), ``"chance"``, ``"external"``, ``"outcome"``,
        ``"average-strategy"`` or ``"public-chance"``; with options as text, ``"outcome(epsilon=0.4)"``, or as a
        :class:`Sampling`.
    seed : int, optional
        Decides all that is drawn, with sampling; 0 by default. The same seed gives the same result on every machine.
    threads : int or "auto"
        How many threads walk public states or boards, share the passes of a large sequence form, or draw the samples
        of a batch (``Sampling.batch``); changes nothing in the result, not a bit. ``"auto"`` is all cores where that is
        faster than one thread, and one elsewhere.
    precision : {"auto", "float64", "float32", "int16"}, optional
        How the numbers of full-width CFR are stored; ``"float32"`` halves the memory. All arithmetic is in float64 and
        so are the certificates, which show where the stored numbers are too coarse to get any better: beyond some
        1e-6 of the largest payoff. ``"int16"``, for card games alone (form ``"cards"``), halves it once more: whole
        numbers of 16 bits, with a scale for each eight infosets of a decision on a board. ``"auto"``, the default, is
        float32 for card games, else float64.
    backend : {"cpu"}, optional
        Where the kernels run. The processor is the only place today; a run folder says which it was.
    max_memory_gb : float, optional
        Gigabytes that a game may take while it is compiled, and then with the tables and the solution; by default what
        the machine has free. (Without a tree: ``Sampling.gigabytes``.)
    iterations : int, optional
        Total number of iterations, those before a resume included.
    until : float or str, optional
        Stop when the exploitability (nash_conv / players; payoff per game) is at most this, or this share of the pot,
        ``"0.5%"``, where a card game has one. It is looked at whenever the number of iterations has grown by 5 %; in
        the card form, where a look takes as long as iterations, by some 40 %, and from 32 on 20 %. CFR
        promises to get there for one player, and for two in a zero-sum game; elsewhere a run with no other limit may
        never end, of which a warning tells at the start.
    until_cce : float, optional
        Stop when the distance of the play from a coarse correlated equilibrium (:attr:`Solution.cce_distance`; payoff
        per game) is at most this: what CFR promises to reach in every other game. Looked at as ``until`` is.
    seconds : float, optional
        Time for iterating; neither compiling the game nor the certificates at the checkpoints count.
    nodes : int, optional
        Stop when this many histories have been touched (:attr:`Solution.nodes_touched`), those before a resume
        included.
    alternating : bool, optional
        Whether each player updates against the others' newest strategies (True, the default), or all at once against
        the old ones (False).
    resume : Solution or path, optional
        Continue a run: the result equals an uninterrupted one, bit for bit.
    save : path, optional
        A folder to save to, now and then while solving and at the end. Checked before the work begins, and locked until
        the end: a second run into it is refused. An older run in it is kept as ``checkpoint.previous.npz``, unless this
        one resumes it.
    save_streets : int, optional
        Of a card game, save so many streets at the end, the first ones: the strategy alone, which is read but not
        resumed (:meth:`Solution.save`). What is saved on the way has all streets.
    trust : bool
        Whether the Python file that a saved run names as its game may be run, where ``game`` is not given.
    record : "all", or list of str or (player, str), optional
        Infosets of which to keep current and average strategy, regret sums and reach
        (:attr:`Solution.recording`); a name without a player is that of every player who has an infoset of that
        name. A text that is the name of none is cut at its commas. Changes nothing in the result, not a bit. A run
        that is resumed goes on recording what it did.
    record_every : int, optional
        Keep them after every so many iterations; by default at the checkpoints. Always kept at the end.
    on_checkpoint : callable, or several, optional
        Called with each :class:`Checkpoint` of the trace. One with more methods hears of the beginning and the end as
        well: :class:`equilibrist.track.Tracker`, such as ``eq.track.TensorBoard("runs")`` or ``eq.track.MLflow()``.
    on_stage : callable, optional
        Called with a short text when a long stage begins.
    stop : callable, optional
        Called about ten times a second while the run iterates; when it returns True the run ends as at any limit.
    max_histories, max_depth : int, optional
        Limits of compilation; by default as many histories as there is memory for, and 1,000 moves.
    actors : int, optional
        Spread full-width CFR over so many processes, which hold the tables of parts of the game (public states, or the
        boards after the first street): the same result, bit for bit, and threads are those of each. What is saved is
        written by the processes, and one that dies costs the iterations since the last save. The average strategy is
        brought here, a third of the tables, but for ``save_streets=1``. The solution has no state: such a run is
        resumed from its folder, over actors or on one machine.
    ray : str, optional
        The address of a Ray cluster where the actors are (:class:`RayExecutor`); by default this machine.

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
    What is computed is never lost to a callback: an exception that ``on_checkpoint`` or ``stop`` raises ends the run
    like a limit, the solution is saved where ``save`` says, and the exception is raised with the solution as its
    attribute ``solution``. The same holds where only the last save fails.

    SIGINT (Ctrl-C), SIGTERM and SIGHUP end the run, too, and are acted upon at once when they arrive a second time.
    Only a run in the main thread gets them. A signal that is ignored stays ignored: SIGINT is in a background job of a
    shell without job control, SIGHUP under ``nohup``; SIGTERM, as of ``kill``, ends such a run.

    Examples
    --------
    >>> import equilibrist as eq
    >>> solution = eq.solve("kuhn", until=1e-6)
    >>> abs(solution.value[0] + 1 / 18) < 1e-5
    True
    >>> solution.strategy["Q"]["bet"] < 1e-3   # never bet the queen first
    True
    """
    rule = StopRule(iterations=iterations, until=until, until_cce=until_cce, seconds=seconds, nodes=nodes)
    wanted = checked_record(record, record_every)
    listeners = listed(on_checkpoint)
    for label, function in {"stop": stop, "on_stage": on_stage}.items():
        if not (function is None or callable(function)):
            raise AlgorithmError(f"{label} must be a callable; got {function!r}.", wrong_use=True)
    settings: dict[str, Any] = {
        "algorithm": algorithm,
        "sampling": sampling,
        "form": form,
        "precision": precision,
        "backend": backend,
        "alternating": alternating,
        "seed": seed,
        "threads": threads,
        "max_memory_gb": max_memory_gb,
        "max_histories": max_histories,
        "max_depth": max_depth,
        "stop": rule,
    }
    if game is None and resume is None:
        raise AlgorithmError("solve() needs a game, or a saved run to resume.", wrong_use=True)
    if save_streets is not None and save is None:
        raise AlgorithmError(
            f"save_streets={save_streets!r} says what to save, not where: give save=, a folder.", wrong_use=True
        )
    say = on_stage or (lambda text: None)
    with ExitStack() as held:
        old = None
        if resume is None:
            config = new_config(**settings)  # checked before a folder is made
        folder = None if save is None else held.enter_context(locked_folder(save))
        if resume is not None:
            old = read_run(resume, game, trust=trust, whole=actors is None)
            config = resumed_config(settings_of(old), done=old.iterations, **settings)
        _check_recorded(record_every, wanted, old)
        cluster = checked_cluster(actors, ray, config, folder=folder, streets=save_streets)
        checkpoint = None if old is None or cluster is None else saved_by_actors(resume)
        if folder is not None and not _is_folder(resume, folder):
            refuse_older(folder)
            set_aside(folder)
        saved_name = "" if old is None else old.game
        if old is not None and isinstance(old.strategy, SlotStrategy) and not isinstance(resume, Solution):
            rules: Playable = old.strategy.form  # which was compiled to read the run
        else:
            rules = _load_saved(saved_name, trust=trust) if game is None else game
        is_auto = algorithm == "auto" and old is None
        if cluster is not None:
            cluster = cluster._replace(resume=checkpoint)
        solver, config, name, spent = prepare_solver(
            rules, config, say, auto=is_auto, cluster=cluster, streets=save_streets
        )
        held.callback(solver.close)
        if old is not None:
            restore(solver, old, checkpoint)
            spent |= {stage: old.seconds.get(stage, 0.0) for stage in ("solve", "certify")}
        _check_promises(solver, config)
        kept = None if old is None else old.recording
        recorder = None
        if wanted is not None or kept is not None:
            spent["record"] = 0.0 if old is None else old.seconds.get("record", 0.0)
            recorder = Recorder(solver, wanted, record_every, old=kept, iterations=config.stop.iterations)
        name = saved_name if game is None else game if isinstance(game, str) else name
        run = Run(solver, name, config, spent, old=old, recorder=recorder, folder=folder, streets=save_streets)
        old = kept = None  # its tables have been copied

        def work(tell: Callable[[Checkpoint], None] | None) -> Solution:
            say(f"Solving {name} with {config.algorithm.name}{_sampled(config)}")
            return run.execute(tell, stop)

        if not listeners:
            return work(None)
        return followed(listeners, About.of(run.info, folder=save, earlier=run.trace), work, say)


def _load_saved(name: str, *, trust: Trust) -> Playable:
    """Return the game that a saved run names.

    Raises
    ------
    SolutionError
        It cannot be loaded by that name: it was given as an object, or its file has gone.
    """
    try:
        game: Playable = load(name, trust=trust)
    except UntrustedGameError:
        raise
    except GameError as error:
        raise SolutionError(
            f"The run solved {name}, which cannot be loaded: {error} Give the game: solve(game, resume=folder).",
            wrong_use=True,
        ) from error
    return game


def _is_folder(resume: Solution | str | Path | None, folder: Path) -> bool:
    return isinstance(resume, str | Path) and Path(resume).resolve() == folder.resolve()


def _sampled(config: SolveConfig) -> str:
    return "" if config.sampling.full_width else f", sampling {config.sampling}"


def _check_recorded(every: int | None, wanted: object, old: Solution | None) -> None:
    """Refuse to say when to record where nothing says what."""
    if every is not None and wanted is None and (old is None or old.recording is None):
        raise AlgorithmError(
            f"record_every={every} says when to record, not what: give record=, a list of infosets or 'all'.",
            wrong_use=True,
        )


def _check_promises(solver: Solver, config: SolveConfig) -> None:
    """Refuse a limit that is never looked at, and warn of one that may never be met."""
    rule, form = config.stop, solver.form
    if form is None:
        return
    correlated = promises_correlated(form.players, zero_sum=form.zero_sum)
    if rule.until_cce is not None and not correlated:
        raise AlgorithmError(
            f"until_cce={rule.until_cce} is for games that are general-sum or have more than two players; CFR drives "
            f"the exploitability of {form.name} to 0. Use until=.",
            wrong_use=True,
        )
    if rule.until is not None and correlated and not (rule.bounds_work or rule.until_cce is not None):
        warnings.warn(
            f"{form.name} is no two-player zero-sum game: CFR promises no small exploitability here, so that "
            f"until={rule.until:g} alone may never end the run. Give another limit as well, or until_cce= "
            "(--until-cce), the distance from a coarse correlated equilibrium.",
            EquilibristWarning,
            stacklevel=3,
        )
