"""Full-width CFR on one game over several actors: the same bits as on one machine, for any number of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.files import make_folder
from ..cfr.algorithms import Algorithm
from ..cfr.full_width import FullWidthCFR, saved_iteration, saved_precision
from ..cfr.solver import InfosetState
from ..cfr.solvers import CPU, FULL_WIDTH
from ..cfr.storage import possible_precisions
from ..cfr.tabular import STATE, TabularCFR
from ..errors import AlgorithmError
from ..form.responses import Values
from ..strategy.strategy import Strategy
from .actors import ActorDiedError, Restarts
from .checkpoint import CheckpointFacts, read_facts, read_precision, read_top, write_checkpoint
from .parts import PartFile, Split
from .ray_cluster import Actors

Answer = TypeVar("Answer")


class ClusterCFR(TabularCFR):
    """Full-width CFR whose tables are held by actors, each of which owns a contiguous range of slots.

    The driver walks the top of the game. In each turn it sends every actor the reach at the roots
    of its subtrees, one message, and takes their values, another. An actor that dies is started
    again; then all go back to the last checkpoint, or to the beginning where there is none, and the
    run goes on with the same bits.

    The actors are not started yet; each uses so many ``threads``. With ``top_only``,
    :meth:`strategy` is that of the top alone, where that is a street, so that no table is brought
    here.
    """

    def __init__(
        self,
        split: Split,
        algorithm: Algorithm,
        *,
        actors: Actors,
        horizon: int | None = None,
        precision: str = "float64",
        threads: int = 1,
        top_only: bool = False,
    ) -> None:
        super().__init__(
            split.form, algorithm, horizon=horizon, threads=threads, precision=precision
        )
        self.split = split
        self.actors = actors
        self._restarts = Restarts(actors, "Use more actors, or machines with more memory")
        self._latest_checkpoint: Path | None = None
        self._top_only = top_only
        makers = split.makers(algorithm, precision=precision, threads=threads)
        self._num_actors = len(makers)
        self._furthest_iteration = 0
        try:
            actors.start(makers)
            self._top = self._new_top()
            self._names = list(self._top.tables)
        except Exception:
            actors.close()
            raise

    def _new_top(self) -> FullWidthCFR:
        """Return the solver of the top at iteration 0."""
        top = self.split.top(self.actors)
        return FULL_WIDTH[CPU, self.form.kind](
            top, self.algorithm, horizon=self.horizon, precision=self.precision
        )

    @property
    def iteration(self) -> int:
        return self._top.iteration

    @property
    def restarts(self) -> int:
        """How many actors were started again."""
        return self._restarts.count

    @property
    def serves_until(self) -> int:
        return self._top.serves_until

    @property
    def finer(self) -> str | None:
        return self._top.finer

    def refine_tables(self) -> None:
        self._ask(self._refine)

    def _refine(self) -> None:
        """Store all tables in the finer precision that the top asks for, if it asks for one."""
        if self._top.finer is not None:
            self._call_all("refine", self._top.finer)
            self._top.refine_tables()
            self.stored = self._top.stored

    def _store_in(self, precision: str) -> None:
        """Make all tables as at iteration 0, in a precision."""
        self._call_all("store_in", precision)
        self._top.store_in(precision)
        self.stored = precision

    def run(self, iterations: int) -> None:
        end = self.iteration + self._iterations_left(iterations)
        while self.iteration < end:
            try:
                self._refine()
                self._top.run(min(end, self.serves_until) - self.iteration)
                if self.iteration > self._furthest_iteration:
                    self._furthest_iteration = self.iteration
                    self._restarts.note_progress()
            except ActorDiedError as error:
                self._recover(error.numbers)

    def values(self, *, within_floors: bool = False) -> Values:
        return self._ask(lambda: self._top.values())  # noqa: PLW0108 (the top is another one after a death)

    def _ask(self, ask: Callable[[], Answer]) -> Answer:
        """Return what actors are asked for; where one dies meanwhile, all are brought to where they were first."""
        iteration = self.iteration
        while True:
            try:
                return ask()
            except ActorDiedError as error:
                self._recover(error.numbers)
                self.run(iteration - self.iteration)

    def _recover(self, numbers: Sequence[int]) -> None:
        """Start actors again that were lost, and bring all to the last checkpoint."""
        self._restarts.bring_back(numbers, self._begin_again, after=self._furthest_iteration)

    def _begin_again(self) -> None:
        """Bring all to the last checkpoint, or to the beginning where there is none."""
        self._top = self._new_top()
        if not self._return_to_checkpoint():
            self._call_all("store_in", self.precision)
            self.stored = self.precision

    def _call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of the parts of all actors with the same arguments."""
        return self.actors.call(method, [arguments] * self._num_actors)

    @property
    def tables(self) -> dict[str, NDArray[Any]]:
        return {name: self._table(name) for name in self._names}

    def _table(self, name: str) -> NDArray[Any]:
        """Return a table of the whole game, shape (slots,)."""
        return self._ask(
            lambda: self.split.gather(self._top.tables[name], self._call_all("table", name))
        )

    def average_weights(self) -> NDArray[Any]:
        return self._table("strategy_sum")

    def first_decision(self) -> dict[str, float]:
        return self._top.first_decision()

    def strategy(self) -> Strategy:
        """Return the average strategy, for which one table is brought here; or that of the top alone."""
        return self.split.strategy(
            self._top.average_weights() if self._top_only else self.average_weights()
        )

    def strategy_at(self, slots: NDArray[np.int64]) -> Floats:
        """Return the current strategy at slots: it is stored, or follows from the regret sums."""
        is_stored = "strategy" in self._names
        if is_stored:
            sums = self._table("strategy")
        else:
            sums = np.maximum(self._table("regret_sum"), 0)
        return self.form.average_from_sums(sums)[slots]

    def state_at(self, slots: NDArray[np.int64], num_actions: NDArray[np.uint32]) -> InfosetState:
        regrets, sums = (self._table(name)[slots].astype(np.float64) for name in STATE[1:])
        return InfosetState(self.strategy_at(slots), regrets, sums)

    def plays_probabilities(self) -> bool:
        return self._top.plays_probabilities() and all(
            self._ask(lambda: self._call_all("plays_probabilities"))
        )

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        self._latest_checkpoint = None
        self._ask(lambda: self._store_as(saved_precision(state), saved_iteration(state)))
        self.check_state(state)
        self._ask(lambda: self._fill(state))

    def _store_as(self, saved_precision: str, iteration: int) -> None:
        """Make the tables such as a saved run has them, if it can have them so."""
        if saved_precision in possible_precisions(iteration, self.precision, self.algorithm):
            self._store_in(saved_precision)

    def _fill(self, state: dict[str, NDArray[Any]]) -> None:
        """Fill all tables from a saved state."""
        top = {"iteration": state["iteration"]}
        for name in self._names:
            top[name], parts = self.split.scatter(state[name])
            self.actors.call("fill", [(name, part) for part in parts])
        self._top.load_state(top)

    @property
    def store(self) -> ClusterCFR:
        return self

    def save(self, folder: Path) -> str:
        """Write a checkpoint: the actors their parts, the driver the top. One of this iteration is left as it is.

        All actors must see the folder; one that dies later goes back to the checkpoint.
        """
        folder = make_folder(folder / f"iteration-{self.iteration}")
        if self._latest_checkpoint is None or self._latest_checkpoint.resolve() != folder.resolve():
            files: list[PartFile] = self._ask(lambda: self._call_all("save", folder))
            write_checkpoint(
                folder,
                CheckpointFacts(self._description(), self.split.max_subtree_slots, tuple(files)),
                self._top.state_dict(),
            )
        self._latest_checkpoint = folder
        return folder.name

    def load(self, checkpoint: Path) -> None:
        """Continue from a checkpoint of a run over actors, of any number of them that cut the game alike."""
        self._latest_checkpoint = checkpoint
        self._ask(self._return_to_checkpoint)

    def drop_older(self) -> None:
        if self._latest_checkpoint is not None:
            for folder in self._latest_checkpoint.parent.glob("iteration-*"):
                if folder != self._latest_checkpoint:
                    shutil.rmtree(folder, ignore_errors=True)

    def _description(self) -> dict[str, Any]:
        """Return what decides the numbers of the run, by name."""
        return {"fingerprint": self.fingerprint, **self.describe()}

    def _return_to_checkpoint(self) -> bool:
        """Bring all to the last checkpoint; return whether there is one."""
        if self._latest_checkpoint is None:
            return False
        facts = read_facts(self._latest_checkpoint)
        saved_facts = {**facts.run, "most": facts.most}
        for name, value in {**self._description(), "most": self.split.max_subtree_slots}.items():
            if saved_facts.get(name) != value:
                raise AlgorithmError(
                    f"The checkpoint {self._latest_checkpoint} is of a run with {name} {saved_facts.get(name)!r}, "
                    f"not {value!r}. Give "
                    "another folder.",
                )
        self._store_as(*read_precision(self.split, self._latest_checkpoint))
        top = read_top(self.split, self._latest_checkpoint, facts, self._top.state_dict())
        self._call_all("load", self._latest_checkpoint, facts.files)
        self._top.load_state(top)
        return True

    def close(self) -> None:
        self.actors.close()
