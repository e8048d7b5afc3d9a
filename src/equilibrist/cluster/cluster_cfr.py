"""Full-width CFR on one game over several actors: the same bits as on one machine, for any number of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from .._util.files import make_folder, write_atomically
from ..cfr.algorithms import Algorithm
from ..cfr.full_width import FullWidthCFR
from ..cfr.solvers import FULL_WIDTH
from ..cfr.tabular import TabularCFR
from ..errors import AlgorithmError, SolutionError
from ..evaluation.certificate import Certificate
from ..form.responses import Values
from .actors import ActorDiedError, Actors
from .parts import PartFile, read_tables, write_tables
from .traffic import Exchange

_LATEST = "latest.json"
_TOP = "top.npz"
_MOST_DEATHS = 5  # times that actors are lost before the run gets further
_MORE_MEMORY = (
    "Use more actors, or machines with more memory; the kernel's log says whether memory was what they lacked."
)


class Split(Protocol):
    """A game cut into a top, which the driver walks, and a part for each actor."""

    form: Any
    most: int

    @property
    def lengths(self) -> list[int]:
        """Number of slots of each actor."""

    def makers(
        self, algorithm: Algorithm, *, alternating: bool, precision: str, threads: int
    ) -> list[Callable[[], Any]]:
        """Return what makes the part of each actor."""

    def top(self, exchange: Exchange) -> Any:
        """Return the form of the top, whose walks exchange reach and values with the actors."""

    def gather(self, top: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
        """Return a table of the whole game."""

    def scatter(self, whole: NDArray[Any]) -> tuple[NDArray[Any], list[NDArray[Any]]]:
        """Return the top's and the actors' parts of a table."""


class ClusterCFR(TabularCFR):
    """Full-width CFR whose tables are held by actors, each of which owns a contiguous range of slots.

    The driver walks the top of the game. In each turn it sends every actor the reach at the roots of its subtrees, one
    message, and takes their values, another. An actor that dies is started again; then all go back to the last
    checkpoint, or to the beginning where there is none, and the run goes on with the same bits.

    Parameters
    ----------
    split : Split
        The game, and how it is cut.
    algorithm, alternating, horizon, precision
        As for :class:`~equilibrist.cfr.tabular.TabularCFR`.
    actors : Actors
        Where the parts live, not started.
    threads : int
        How many threads each actor uses.
    folder : Path, optional
        Where checkpoints go: a folder that all actors see. What is there is gone on from, by any number of actors.
    every : int
        How many iterations there are between checkpoints.

    Attributes
    ----------
    exchange : Exchange
        The actors, and what has been sent to them.
    restarts : int
        How many actors were started again.
    """

    def __init__(
        self,
        split: Split,
        algorithm: Algorithm,
        *,
        actors: Actors,
        alternating: bool = True,
        horizon: int | None = None,
        precision: str = "float64",
        threads: int = 1,
        folder: str | Path | None = None,
        every: int = 100,
    ) -> None:
        super().__init__(
            split.form, algorithm, alternating=alternating, horizon=horizon, threads=threads, precision=precision
        )
        self.split = split
        self.exchange = Exchange(actors)
        self.restarts = 0
        self._folder = None if folder is None else make_folder(folder)
        self._every = every
        makers = split.makers(algorithm, alternating=alternating, precision=precision, threads=threads)
        self._count = len(makers)
        self._deaths, self._furthest = 0, 0
        try:
            actors.start(makers)
            self._top = self._new_top()
            self._names = list(self._top.tables)
            self._return()
        except ActorDiedError as died:
            actors.close()
            raise SolutionError(f"{died} {_MORE_MEMORY}") from died
        except Exception:
            actors.close()
            raise

    def _new_top(self) -> FullWidthCFR:
        return FULL_WIDTH[self.form.kind](
            self.split.top(self.exchange),
            self.algorithm,
            alternating=self.alternating,
            horizon=self.horizon,
            precision=self.precision,
        )

    @property
    def iteration(self) -> int:
        """Number of iterations run."""
        return self._top.iteration

    def run(self, iterations: int) -> None:
        """Run that many more iterations, fewer if ``max_nodes`` are touched before. Running 3, then 4 is running 7."""
        last = self.iteration + self._iterations_left(iterations)
        while self.iteration < last:
            try:
                self._top.run(min(last, self._next_checkpoint()) - self.iteration)
                if self._folder is not None and self.iteration % self._every == 0:
                    self.save()
                if self.iteration > self._furthest:
                    self._furthest, self._deaths = self.iteration, 0
            except ActorDiedError as died:
                self._recover(died.numbers)

    def _next_checkpoint(self) -> int:
        return (self.iteration // self._every + 1) * self._every

    def values(self) -> Values:
        """Return the values of the average strategy and of the best responses to it, found where the tables are."""
        while True:
            try:
                return self._top.values()
            except ActorDiedError as died:
                iteration = self.iteration
                self._recover(died.numbers)
                self.run(iteration - self.iteration)

    def _recover(self, numbers: Sequence[int]) -> None:
        """Start actors again that were lost, and bring all to the last checkpoint.

        Raises
        ------
        SolutionError
            Some are lost again and again before the run gets further.
        """
        while True:
            self._deaths += 1
            if self._deaths > _MOST_DEATHS:
                raise SolutionError(f"Actors end again and again after iteration {self._furthest}. {_MORE_MEMORY}")
            try:
                for number in numbers:
                    self.exchange.actors.restart(number)
                    self.restarts += 1
                self._top = self._new_top()
                if not self._return():
                    self._all("reset")
                return
            except ActorDiedError as died:
                numbers = died.numbers

    def _all(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of all actors with the same arguments."""
        return self.exchange.call(method, [arguments] * self._count)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        """The arrays of a number a slot that continue a run, gathered from all actors: copies."""
        top = self._top.tables
        return {name: self.split.gather(top[name], self._all("table", name)) for name in self._names}

    @property
    def top_tables(self) -> dict[str, NDArray[Any]]:
        """The part of the tables that the driver holds."""
        return self._top.tables

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Continue from what :meth:`state_dict` returned, here or on one machine."""
        self.check_state(state)
        own = {"iteration": state["iteration"]}
        for name in self._names:
            own[name], parts = self.split.scatter(state[name])
            self.exchange.call("fill", [(name, part) for part in parts])
        self._top.load_state(own)

    def save(self) -> None:
        """Write a checkpoint: the actors their parts, the driver the top; then the one before is removed."""
        if self._folder is None:
            raise SolutionError("A run over several actors is saved to the folder that it was given; give folder=.")
        folder = make_folder(self._folder / f"iteration-{self.iteration}")
        files: list[PartFile] = self._all("save", folder)
        write_tables(folder / _TOP, self._top.state_dict())
        latest = {**self._about(), "folder": folder.name, "files": files}
        write_atomically(self._folder / _LATEST, json.dumps(latest).encode())
        for old in self._folder.glob("iteration-*"):
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)

    def _about(self) -> dict[str, Any]:
        """Return what a checkpoint must agree with."""
        return {"fingerprint": self.fingerprint, "most": self.split.most, **self.describe()}

    def _return(self) -> bool:
        """Bring all to the last checkpoint; return whether there is one."""
        if self._folder is None or not (self._folder / _LATEST).exists():
            return False
        latest = json.loads((self._folder / _LATEST).read_text("utf-8"))
        for name, own in self._about().items():
            if latest[name] != own:
                raise AlgorithmError(
                    f"The checkpoint in {self._folder} is of a run with {name} {latest[name]!r}, not {own!r}. Give "
                    "another folder.",
                    wrong_use=True,
                )
        folder = self._folder / latest["folder"]
        self._all("load", folder, [PartFile(*file) for file in latest["files"]])
        self._top.load_state(read_tables(folder / _TOP, self._top.state_dict()))
        return True

    def certificate(self) -> Certificate:
        """Return the certificate of the average strategy."""
        return Certificate(*self.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the actors."""
        self.exchange.actors.close()
