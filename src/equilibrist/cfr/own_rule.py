"""Rules of one's own: what is played at an infoset and what is learned from it, in plain NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.python_classes import make_object
from ..errors import AlgorithmError

RuleState = Mapping[str, NDArray[Any]]
"""What a rule knows of a batch of infosets: arrays by name, the first axis of each is the infoset."""

_METHODS = ("init", "strategy", "observe")


class Rule(Protocol):
    """An update rule of your own, for :func:`equilibrist.solve` and all that takes an algorithm.

    Its methods see a batch of infosets with as many actions. Rows are infosets, columns actions;
    each row is to be treated by itself. Iterations count from 1.

    A rule may also have the attributes ``name``, ``source`` (a paper), ``gamma`` (iteration t
    counts t^gamma in the average strategy; 0 by default), ``alternating`` (True by default) and
    ``last_iterate`` (whether the answer is what is played last; False by default).

    Examples
    --------
    Regret matching:

    >>> import equilibrist as eq, numpy as np
    >>> class RegretMatching:
    ...     def init(self, num_actions):
    ...         return {"regret": np.zeros(num_actions)}
    ...     def strategy(self, state, t):
    ...         positive = np.maximum(state["regret"], 0)
    ...         total = positive.sum(axis=1, keepdims=True)
    ...         uniform = np.full_like(positive, 1 / positive.shape[1])
    ...         return np.divide(positive, total, out=uniform, where=total > 1e-12)
    ...     def observe(self, state, strategy, values, t):
    ...         value = (strategy * values).sum(axis=1, keepdims=True)
    ...         return {"regret": state["regret"] + values - value}
    >>> eq.solve("kuhn", rule=RegretMatching(), iterations=1000).exploitability < 0.01
    True
    """

    def init(self, num_actions: int) -> RuleState:
        """Return what is known at first of one infoset with so many actions: arrays by name, of any shape."""

    def strategy(self, state: RuleState, t: int) -> Floats:
        """Return what iteration t plays: probabilities, shape (infosets, actions)."""

    def observe(
        self, state: RuleState, strategy: Floats, values: Floats, t: int
    ) -> RuleState | None:
        """Return what is known after iteration t, or change the arrays of ``state`` in place and return None.

        ``values`` are the counterfactual values of the actions while ``strategy`` was played, shape
        (infosets, actions): payoff × the probability that chance and the others come there.
        """


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of one's own and the text that says which it is; saved runs keep the text.

    Attributes
    ----------
    text : str
        ``repr`` of the rule where its class has one, else the name of the class; or what it was
        loaded by.
    rule : Rule or None
        None where a saved run tells the text alone.
    """

    text: str
    rule: Rule | None = field(default=None, compare=False)

    @classmethod
    def of(cls, rule: Any) -> OwnRule:
        """Return a rule with its text, or load it where it is given as text.

        Raises
        ------
        AlgorithmError
            It has not the methods of a rule.
        """
        if isinstance(rule, OwnRule):
            return rule
        if isinstance(rule, str):
            return cls.load(rule)
        if isinstance(rule, type):
            raise AlgorithmError(
                f"{rule.__name__} is a class; pass an instance: {rule.__name__}(...).", field="rule"
            )
        missing = [name for name in _METHODS if not callable(getattr(rule, name, None))]
        if missing:
            raise AlgorithmError(
                f"A rule has the methods {', '.join(_METHODS)}; {type(rule).__name__} lacks "
                f"{', '.join(missing)}.",
                field="rule",
            )
        text = type(rule).__qualname__
        if "__repr__" in {name for kind in type(rule).__mro__[:-1] for name in vars(kind)}:
            text = repr(rule)
        return cls(text, rule)

    @classmethod
    def load(cls, text: str) -> OwnRule:
        """Return the rule that a text names, ``rules.py:Hedge(eta=0.1)``; the file is run.

        Raises
        ------
        AlgorithmError
            There is no such file or class, or its objects are no rules.
        """
        path, colon, call = text.strip().partition(".py:")
        if not colon:
            raise AlgorithmError(
                f"A rule is an object, or a class in a Python file, as in "
                f"'rules.py:Hedge(eta=0.1)'; got {text!r}.",
                field="rule",
            )
        own_rule = make_object(Path(f"{path}.py"), call, cls.of, AlgorithmError)
        return cls(text, own_rule.rule)

    def to_plain(self) -> str:
        return self.text

    @classmethod
    def from_plain(cls, text: Any) -> OwnRule:
        if not isinstance(text, str):
            raise TypeError(f"{type(text).__name__} instead of text")
        return cls(text)

    @property
    def last_iterate(self) -> bool:
        return bool(getattr(self.rule, "last_iterate", False))

    def make_state(self, infosets: int, num_actions: int) -> dict[str, NDArray[Any]]:
        """Return what is known at first of so many infosets."""
        state = self._call("init", num_actions)
        if not isinstance(state, Mapping):
            raise AlgorithmError(
                f"The rule {self.text}: init() must return arrays by name, as "
                f"{{'regret': np.zeros(num_actions)}}; got {state!r}.",
                wrong_use=False,
            )
        arrays = {str(name): np.asarray(array) for name, array in state.items()}
        return {
            name: np.repeat(array[None], infosets, axis=0).astype(_kept_type(array))
            for name, array in arrays.items()
        }

    def play(self, state: RuleState, t: int, shape: tuple[int, int]) -> Floats:
        """Return what iteration t plays; whether these are probabilities is for the solver to see."""
        strategy: Floats = np.asarray(self._call("strategy", state, t))
        if strategy.shape != shape or strategy.dtype.kind not in "fiu":
            raise AlgorithmError(
                f"The rule {self.text}: strategy() must return probabilities of shape {shape}, "
                f"infosets × actions; got {strategy.dtype} of shape {strategy.shape}.",
                wrong_use=False,
            )
        return strategy

    def learn(
        self, state: dict[str, NDArray[Any]], strategy: Floats, values: Floats, t: int
    ) -> None:
        """Fill what is known, in place, with what it is after iteration t."""
        after = self._call("observe", state, strategy, values, t)
        if after is None:
            return
        if not isinstance(after, Mapping) or after.keys() != state.keys():
            self._refuse_state(state)
        for name, array in after.items():
            if np.shape(array) != state[name].shape:
                self._refuse_state(state)
            state[name][...] = array

    def _refuse_state(self, state: RuleState) -> NoReturn:
        """Refuse what observe() returns."""
        shapes = {name: array.shape for name, array in state.items()}
        raise AlgorithmError(
            f"The rule {self.text}: observe() must return the arrays that init() names, or "
            f"None; expected the shapes {shapes}.",
            wrong_use=False,
        )

    def _call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the rule; what it raises becomes the cause of one sentence."""
        if self.rule is None:
            raise AlgorithmError(
                f"The run plays by the rule {self.text}, which is code and not saved with it: give "
                "it again (rule=, --rule).",
                field="rule",
            )
        try:
            return getattr(self.rule, method)(*arguments)
        except Exception as error:
            raise AlgorithmError(
                f"The rule {self.text}: {method}() raised {type(error).__name__}: {error}.",
                wrong_use=False,
            ) from error


def _kept_type(array: NDArray[Any]) -> Any:
    """Return the type in which an array of a rule is kept: booleans stay, numbers are float64."""
    if array.dtype.kind == "b":
        return np.bool_
    if array.dtype.kind in "iuf":
        return np.float64
    raise AlgorithmError(
        f"Arrays of a rule hold numbers or booleans; got {array.dtype}.", wrong_use=False
    )
