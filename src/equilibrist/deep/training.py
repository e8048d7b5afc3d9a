"""Train networks on a game, save them on the way, and go on from what was saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from .._util.callbacks import AnyCallbacks
from .._util.files import check_writable
from .._util.interrupt import note_signals
from .._util.plain import to_plain
from .._util.validate import check_seed, is_number, is_whole
from ..errors import AlgorithmError, SolutionError
from ..games.compile import Playable
from ..solving.callbacks import About, CallbackList
from ..solving.info import new_run_id, package_versions
from ..solving.trace import Checkpoint, Trace
from .agent import Agent
from .certificates import Certifier, is_walked_quickly
from .features import Features
from .learner import Learner, Method
from .saved import (
    check_built_in,
    checkpoint_from_plain,
    method_from_plain,
    method_to_plain,
    read_run,
    write_run,
)
from .torch_library import import_torch, torch_threads
from .vector_game import VectorGame


@dataclass(slots=True)
class _Run:
    """A training: what it learns, and what is known of it so far.

    Attributes
    ----------
    game : VectorGame
    method : Method
    seed, threads, every : int
    certify : bool
    run_id : str
    learner : Learner
    points : list of Checkpoint
    seconds : float
        Processor time of iterations, and of nothing else.
    features : bool
        Whether the features are the user's.
    """

    game: VectorGame
    method: Method
    seed: int
    threads: int
    every: int
    certify: bool
    run_id: str
    learner: Learner
    points: list[Checkpoint]
    seconds: float
    features: bool

    def facts(self) -> dict[str, Any]:
        """Return what is saved beside the state of the learner, as plain data."""
        return {
            "game": self.game.name,
            "method": method_to_plain(self.method),
            "seed": self.seed,
            "threads": self.threads,
            "every": self.every,
            "certify": self.certify,
            "run_id": self.run_id,
            "points": [to_plain(point) for point in self.points],
            "seconds": self.seconds,
            "features": self.features,
            "torch": str(import_torch().__version__),
        }

    def save(self, path: str | Path | None) -> None:
        """Write the run to a file, where there is one."""
        if path is not None:
            write_run(path, self.facts(), self.learner.state_dict())

    def agent(self, stop_reason: str) -> Agent:
        """Return what was learnt."""
        self.learner.prepare_policy()
        return Agent(
            game=self.game.name,
            method=self.method,
            seed=self.seed,
            threads=self.threads,
            iterations=self.learner.iteration,
            histories=self.learner.histories,
            seconds=self.seconds,
            trace=Trace(self.points),
            stop_reason=stop_reason,
            _vector_game=self.game,
            _learner=self.learner,
        )

    def about(self, save: str | Path | None) -> About:
        """Return what callbacks are told at the beginning."""
        facts = self.facts()
        del facts["points"]
        method = facts.pop("method")
        network = method.pop("network")
        parameters = {
            **{name: value for name, value in facts.items() if name not in ("seconds", "run_id")},
            "method": method.pop("name"),
            **{f"method.{name}": value for name, value in method.items()},
            **{f"network.{name}": str(value) for name, value in network.items()},
        }
        folder = None
        if save is not None:
            folder = str(Path(save).resolve().parent)
        return About(
            game=self.game.name,
            run_id=self.run_id,
            experiment=self.game.name,
            name=f"{self.game.name}-{self.method.name}-seed{self.seed}",
            parameters=parameters,
            versions={**package_versions(), "torch": facts["torch"]},
            folder=folder,
            earlier=tuple(self.points),
        )


def train(
    game: Playable,
    method: Method,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    every: int = 10,
    certify: bool | None = None,
    features: Features | None = None,
    threads: int = 1,
    save: str | Path | None = None,
    callbacks: AnyCallbacks = None,
) -> Agent:
    """Return networks that were trained on a game, as a policy to be judged by :func:`equilibrist.evaluate`.

    Parameters
    ----------
    game : str or Game
        As for :func:`equilibrist.load`; its rules have to compile.
    method : DeepCFR, DREAM or MMD
        How to learn, with its numbers.
    iterations : int, optional
        How many to make.
    seconds : float, optional
        Processor time after which no iteration begins; certificates are not counted. One of
        both limits is needed.
    seed : int
        Of all random numbers. The same seed, versions and number of threads on one machine give the
        same networks, bit for bit.
    every : int
        Iterations between two checkpoints, at which the run is measured and saved.
    certify : bool, optional
        Whether checkpoints have the exact exploitability; by default where a walk through the game
        takes a moment.
    features : callable, optional
        What networks see of infosets: a function of who observes, shape (n,), and of the integers
        that the rules' ``observe`` wrote, shape (n, integers), which returns numbers of shape (n,
        length). By default each integer with up to 32 values is a row with a one, larger ones are
        their binary digits, and codes packed into integers (``code_bits`` of the rules) are taken
        one by one.
    threads : int
        With which PyTorch computes; sums, and so the networks, depend on it.
    save : path, optional
        A file, to which the run is written at checkpoints and at its end, whole or not at all.
    callbacks : Callbacks, callable or several, optional
        As for :func:`equilibrist.solve`; ``on_end`` is called with the agent.

    Raises
    ------
    AlgorithmError
        A number makes no sense, PyTorch is not installed, or training diverged.
    GameError
        The rules of the game do not compile.
    SolutionError
        The file cannot be written.

    Examples
    --------
    >>> import equilibrist as eq
    >>> agent = eq.deep.train("kuhn", eq.deep.DeepCFR(), iterations=20)  # doctest: +SKIP
    >>> eq.evaluate("kuhn", agent).exploitability  # doctest: +SKIP
    0.012
    """
    import_torch()
    if isinstance(method, type) or not hasattr(method, "learner"):
        raise AlgorithmError(
            f"method must be one of eq.deep.DeepCFR(), eq.deep.DREAM() and eq.deep.MMD(); got "
            f"{method!r}.",
            field="method",
        )
    for name, value in (("every", every), ("threads", threads)):
        if not is_whole(value, 1):
            raise AlgorithmError(
                f"{name} must be a whole number, 1 or more; got {value!r}.", field=name
            )
    seed = check_seed(seed)
    check_writable(save)
    _check_limits(iterations, seconds)
    vector_game = VectorGame(game, features)
    if certify is None:
        certify = is_walked_quickly(vector_game)
    run = _Run(
        game=vector_game,
        method=method,
        seed=seed,
        threads=int(threads),
        every=int(every),
        certify=bool(certify),
        run_id=new_run_id(),
        learner=method.learner(vector_game, seed),
        points=[],
        seconds=0.0,
        features=features is not None,
    )
    return _follow(run, iterations, seconds, save, callbacks, "deep.train")


def resume(
    path: str | Path,
    *,
    game: Playable | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    features: Features | None = None,
    save: str | Path | None = None,
    callbacks: AnyCallbacks = None,
) -> Agent:
    """Return networks that were trained further, from where a file has them, as if nobody had stopped.

    Parameters
    ----------
    path : path
        What :func:`train` saved.
    game : str or Game, optional
        The game, where it is not built in.
    iterations, seconds : optional
        Limits, counted from the first iteration of all.
    features : callable, optional
        Those of the run, where it had any: functions are not saved.
    save : path, optional
        Another file to write to; by default the same one.
    callbacks : Callbacks, callable or several, optional
        As for :func:`train`.

    Raises
    ------
    AlgorithmError
        A number makes no sense, PyTorch is not installed, or training diverged.
    SolutionError
        The file is not there, is none of these, or is of another game.
    """
    _check_limits(iterations, seconds)
    if save is None:
        save = path
    check_writable(save)
    run = _load_run(path, game, features)
    return _follow(run, iterations, seconds, save, callbacks, "deep.resume")


def load_agent(
    path: str | Path, *, game: Playable | None = None, features: Features | None = None
) -> Agent:
    """Return the networks of a file that :func:`train` saved.

    Parameters
    ----------
    path, game, features
        As for :func:`resume`.

    Raises
    ------
    AlgorithmError
        PyTorch is not installed.
    SolutionError
        The file is not there, is none of these, or is of another game.
    """
    return _load_run(path, game, features).agent("loaded")


def _check_limits(iterations: int | None, seconds: float | None) -> None:
    """Refuse limits that make no sense, and a run without any."""
    if iterations is None and seconds is None:
        raise AlgorithmError("Give iterations= or seconds=: training has no end of its own.")
    if iterations is not None and not is_whole(iterations, 1):
        raise AlgorithmError(
            f"iterations must be a whole number, 1 or more; got {iterations!r}.", field="iterations"
        )
    if seconds is not None and not is_number(seconds, above=0):
        raise AlgorithmError(f"seconds must be a number above 0; got {seconds!r}.", field="seconds")


def _load_run(path: str | Path, game: Playable | None, features: Features | None) -> _Run:
    """Return the run of a file."""
    facts, state = read_run(path)
    name = str(facts["game"])
    if facts["features"] and features is None:
        raise SolutionError(
            f"{path} was trained with features= of its own: give the same function.", wrong_use=True
        )
    if game is None:
        game = check_built_in(name, path)
    vector_game = VectorGame(game, features)
    if vector_game.name != name:
        raise SolutionError(
            f"{path} is a run of {name}, not of {vector_game.name}.", wrong_use=True
        )
    method = method_from_plain(facts["method"])
    learner = method.learner(vector_game, int(facts["seed"]))
    learner.load_state_dict(state)
    return _Run(
        game=vector_game,
        method=method,
        seed=int(facts["seed"]),
        threads=int(facts["threads"]),
        every=int(facts["every"]),
        certify=bool(facts["certify"]),
        run_id=str(facts["run_id"]),
        learner=learner,
        points=[checkpoint_from_plain(point) for point in facts["points"]],
        seconds=float(facts["seconds"]),
        features=bool(facts["features"]),
    )


def _follow(
    run: _Run,
    iterations: int | None,
    seconds: float | None,
    save: str | Path | None,
    callbacks: AnyCallbacks,
    function: str,
) -> Agent:
    """Return what a run learns until a limit, having told callbacks of it."""
    members = CallbackList(callbacks, function=function)

    def work() -> Any:
        return _iterate(run, iterations, seconds, save, members)

    with torch_threads(run.threads):
        return cast(Agent, members.follow(lambda: run.about(save), work))


def _iterate(
    run: _Run,
    iterations: int | None,
    seconds: float | None,
    save: str | Path | None,
    members: CallbackList,
) -> Agent:
    """Make iterations until a limit, with checkpoints on the way; an interrupt ends them as a limit does."""
    members.on_stage(f"Training {run.game.name} by {run.method.name}")
    certifier = Certifier(run.game, wanted=run.certify)
    learner = run.learner
    with note_signals() as interrupted:
        reason = _stop_reason(run, iterations, seconds, members.should_stop, interrupted)
        while reason is None:
            start = time.process_time()
            learner.iterate()
            run.seconds += time.process_time() - start
            reason = _stop_reason(run, iterations, seconds, members.should_stop, interrupted)
            if reason is None and learner.iteration % run.every == 0:
                _check_point(run, certifier, members)
                run.save(save)
    if not run.points or run.points[-1].iteration < learner.iteration:
        _check_point(run, certifier, members)
    run.save(save)
    return run.agent(reason)


def _check_point(run: _Run, certifier: Certifier, members: CallbackList) -> None:
    """Measure a run, and tell callbacks."""
    point = certifier.checkpoint(run.learner, run.seconds)
    run.points.append(point)
    members.on_checkpoint(point)


def _stop_reason(
    run: _Run,
    iterations: int | None,
    seconds: float | None,
    should_stop: Callable[[], bool],
    interrupted: list[int],
) -> str | None:
    """Return why a run ends now, or None."""
    if interrupted:
        return "interrupt"
    if iterations is not None and run.learner.iteration >= iterations:
        return "iterations"
    if seconds is not None and run.seconds >= seconds:
        return "seconds"
    if should_stop():
        return "callback"
    return None
