"""Rules of one's own: what is played at an infoset and what is learned from it, in plain NumPy."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._util.arrays import Floats
from .._util.python_classes import make_object
from .._util.spec import parse_call, split_place
from .._util.text import short_repr
from ..errors import AlgorithmError
from .rule_text import describe_rule, may_differ

RuleClass = TypeVar("RuleClass", bound=type)
RuleState = dict[str, NDArray[Any]]
"""What a rule knows of a batch of infosets: arrays by name, the first axis of each is the infoset."""
RuleAnswer = Mapping[str, NDArray[Any]]
"""What a rule returns as its state."""

MOST_WEIGHT = 1e100
"""Of an iteration at an infoset: the sums of long runs, and of all actions, stay far from the largest number."""

_METHODS = ("init", "strategy", "observe")
_METHODS_OF_A_TREEPLEX = ("init", "plan", "observe")


_COMPILED = "_is_compiled_rule"  # what a class is marked by


def compiled_rule(cls: RuleClass) -> RuleClass:
    """Return the class of a rule, marked: its methods run as machine code where Numba understands them.

    A class that is made from it is not marked. Iterates are those of the same class without the
    mark, up to rounding.

    Parameters
    ----------
    cls : class
        A class of rules, as :class:`equilibrist.types.Rule` says. ``init`` runs in Python.
        ``strategy``, ``observe`` and ``weights`` use the state as ``state["name"]`` alone and read
        numbers and arrays from ``self``; ``observe`` returns a dictionary that stands there (or
        None). They may call plain functions, which are compiled with them.

    Raises
    ------
    AlgorithmError
        It is no class. Where Numba does not understand a method, :func:`equilibrist.solve` raises
        it, with the method, the line and Numba's reason.

    Notes
    -----
    Compiling takes some seconds in each process, once for a class and a number of dimensions.

    Examples
    --------
    Hedge, in the file of a user:

    .. code-block:: python

        @eq.compiled_rule
        class Hedge:
            def __init__(self, eta=1.0):
                self.eta = eta

            def init(self, num_actions):
                return {"total": np.zeros(num_actions)}

            def strategy(self, state, t):
                shares = np.exp(self.eta * state["total"])
                return shares / shares.sum(axis=1, keepdims=True)

            def observe(self, state, strategy, values, t):
                state["total"] += values
    """
    if not isinstance(cls, type):
        raise AlgorithmError(
            f"@eq.compiled_rule marks a class; got {short_repr(cls)}. Write it above the class.",
            field="rule",
        )
    setattr(cls, _COMPILED, True)
    return cls


class Rule(Protocol):
    """An update rule of your own, for :func:`equilibrist.solve` and all that takes an algorithm.

    Its methods see a batch of infosets with as many actions. Rows are infosets, columns actions;
    each row is to be treated by itself. Iterations count from 1.

    A rule may also have the attributes ``name``, ``source`` (a paper), ``gamma`` (iteration t
    counts t^gamma in the average strategy; 0 by default), ``alternating`` (True by default) and
    ``last_iterate`` (whether the answer is what is played last; False by default); and a method
    ``weights(state, t)``, which is asked after ``observe`` how much iteration t counts at each
    infoset beside t^gamma: shape (infosets,), 0 to 1e100.

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
    ...         return np.where(total > 1e-12, positive / np.maximum(total, 1e-12), 1 / positive.shape[1])
    ...     def observe(self, state, strategy, values, t):
    ...         value = (strategy * values).sum(axis=1, keepdims=True)
    ...         return {"regret": state["regret"] + values - value}
    >>> eq.solve("kuhn", rule=RegretMatching(), iterations=1000).exploitability < 0.01
    True
    """

    def init(self, num_actions: int) -> RuleAnswer:
        """Return what is known at first of one infoset with so many actions: arrays by name, of any shape."""

    def strategy(self, state: RuleState, t: int) -> Floats:
        """Return what iteration t plays: probabilities, shape (infosets, actions)."""

    def observe(
        self, state: RuleState, strategy: Floats, values: Floats, t: int
    ) -> RuleAnswer | None:
        """Return what is known after iteration t, or change the arrays of ``state`` in place and return None.

        ``values`` are the counterfactual values of the actions while ``strategy`` was played, shape
        (infosets, actions): payoff × the probability that chance and the others come there.
        """


@dataclass(frozen=True, slots=True, eq=False)
class OwnRule:
    """A rule of one's own and the text that says which it is; saved runs keep the text.

    Two are equal where their texts name the same file, class and settings, whichever the folder:
    a run goes on from another place than it began.

    Attributes
    ----------
    text : str
        What :func:`describe_rule` says of it, or what it was loaded by.
    rule : Rule or None
        None where a saved run tells the text alone.
    """

    text: str
    rule: Rule | None = None

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
        methods = _METHODS_OF_A_TREEPLEX if _plays_plans(rule) else _METHODS
        missing = [name for name in methods if not callable(getattr(rule, name, None))]
        if missing:
            raise AlgorithmError(
                f"A rule has the methods {', '.join(methods)}; {type(rule).__name__} lacks "
                f"{', '.join(missing)}.",
                field="rule",
            )
        own_rule = cls(describe_rule(rule), rule)
        own_rule._check_last_iterate()
        own_rule._check_weights()
        return own_rule

    @classmethod
    def load(cls, text: str) -> OwnRule:
        """Return the rule that a text names, ``rules.py:Hedge(eta=0.1)``; the file is run.

        Raises
        ------
        AlgorithmError
            There is no such file or class, or its objects are no rules.
        """
        place = split_place(text)
        if place is None:
            raise AlgorithmError(
                f"A rule is an object, or a class in a Python file, as in "
                f"'rules.py:Hedge(eta=0.1)'; got {text!r}.",
                field="rule",
            )
        own_rule = make_object(
            Path(place.file), place.call, cls.of, AlgorithmError, example="Hedge(eta=0.1)"
        )
        return cls(text, own_rule.rule)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnRule) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[str, ...]:
        """What tells rules apart: the name of the file, the class, and the settings in order."""
        place = split_place(self.text)
        if place is None:
            return (self.text,)
        try:
            name, settings = parse_call(place.call, AlgorithmError)
        except AlgorithmError:  # of a saved run, written by others
            return (self.text,)
        return (
            Path(place.file).name,
            name,
            *(f"{key}={settings[key]!r}" for key in sorted(settings)),
        )

    @property
    def is_in_file(self) -> bool:
        """Whether its text names a file, so that any process can load it."""
        return split_place(self.text) is not None

    @property
    def plays_plans(self) -> bool:
        """Whether it plays a realisation plan of a whole player, not a strategy at each infoset."""
        return _plays_plans(self.rule)

    def check_same(self, other: OwnRule) -> None:
        """Refuse another object of the same text that may play otherwise, as only one of them would be run.

        Raises
        ------
        AlgorithmError
            They are of two classes, or have attributes that do not count and are not the same.
        """
        if may_differ(self.rule, other.rule):
            raise AlgorithmError(
                f"Two different rules are both known as {self.text}: by the name of the class and "
                "by attributes that are numbers, texts, arrays or functions and do not begin with "
                "_. Give one of them an attribute `name` of its own, or another such attribute.",
                field="rule",
            )

    def read(self, name: str, usual: Any) -> Any:
        """Return an attribute of the rule, which may be a property; ``usual`` where it has none."""
        try:
            return getattr(self.rule, name, usual)
        except Exception as error:  # of the user's property
            self.refuse_raised(f"its {name}", error)

    def to_plain(self) -> str:
        return self.text

    @classmethod
    def from_plain(cls, text: Any) -> OwnRule:
        if not isinstance(text, str):
            raise TypeError(f"{type(text).__name__} instead of text")
        return cls(text)

    @property
    def last_iterate(self) -> bool:
        return bool(self.read("last_iterate", False))

    def _check_last_iterate(self) -> None:
        """Refuse a ``last_iterate`` that is neither true nor false: any other text or number would count as true."""
        last_iterate = self.read("last_iterate", False)
        if np.ndim(last_iterate) or last_iterate not in (True, False):
            raise AlgorithmError(
                f"The rule {self.text}: last_iterate must be True or False; got {last_iterate!r}.",
                field="rule",
            )

    @property
    def has_weights(self) -> bool:
        """Whether it says itself how much an iteration counts in the average at each infoset.

        A method does, wherever the other methods are. Numbers or a function that an object keeps by
        this name, beside methods of its class, are a setting of its own.
        """
        kind: Any = type(self.rule)
        holder = kind if hasattr(kind, "observe") else self.rule
        return callable(getattr(holder, "weights", None))

    def _check_weights(self) -> None:
        """Refuse weights of an average that nobody reads."""
        if self.has_weights and (self.plays_plans or self.last_iterate):
            why = "plan() plays for a whole player" if self.plays_plans else "last_iterate is True"
            raise AlgorithmError(
                f"The rule {self.text}: {why}, so that weights() would do nothing. Leave one of "
                "them out.",
                field="rule",
            )

    @property
    def is_compiled(self) -> bool:
        """Whether the class itself is marked by :func:`compiled_rule`."""
        return _COMPILED in vars(type(self.rule))

    def make_state(self, infosets: int, num_actions: int) -> dict[str, NDArray[Any]]:
        """Return what is known at first of so many infosets."""
        state = self._call("init", num_actions)
        arrays = self.read_arrays(state, "{'regret': np.zeros(num_actions)}")
        return {
            name: np.repeat(numbers[None], infosets, axis=0).astype(kept_type(numbers))
            for name, numbers in arrays.items()
        }

    def read_arrays(self, state: Any, example: str) -> dict[str, NDArray[Any]]:
        """Return what init() returned as arrays by name, or refuse it; ``example`` shows one that is right."""
        if not isinstance(state, Mapping):
            raise AlgorithmError(
                f"The rule {self.text}: init() must return arrays by name, as {example}; got "
                f"{state!r}.",
                wrong_use=False,
            )
        arrays: dict[str, NDArray[Any]] = {}
        for name, array in state.items():
            if not (isinstance(name, str) and name.isidentifier() and name.isascii()):
                raise AlgorithmError(
                    f"The rule {self.text}: init() must name arrays by letters, digits and _, as "
                    f"runs are saved with these names; got {name!r}.",
                    wrong_use=False,
                )
            arrays[name] = self._to_array("init", array)
            if arrays[name].dtype.kind not in "biuf":
                raise AlgorithmError(
                    f"The rule {self.text}: init() must return arrays of numbers or booleans; got "
                    f"{arrays[name].dtype} for {name!r}.",
                    wrong_use=False,
                )
        return arrays

    def play(self, state: dict[str, NDArray[Any]], t: int, shape: tuple[int, int]) -> Floats:
        """Return what iteration t plays; whether these are probabilities is for the solver to see.

        What the rule puts into ``state`` meanwhile is kept, as :meth:`learn` keeps it.
        """
        state_of_rule = dict(state)
        strategy: Floats = self._to_array("strategy", self._call("strategy", state_of_rule, t))
        arrays_are_same = all(map(operator.is_, state_of_rule.values(), state.values()))
        if len(state_of_rule) != len(state) or not arrays_are_same:
            self._keep("strategy", state, state_of_rule)
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
        """Put into ``state`` what is known after iteration t.

        The rule sees a dictionary of its own, into which it may put other arrays. What it returns
        is copied: its arrays may be those of ``state`` under other names, or ``values``, into which
        the next iteration is written.
        """
        state_of_rule = dict(state)
        after = self._call("observe", state_of_rule, strategy, values, t)
        if after is None:
            after = state_of_rule
        self._keep("observe", state, after)

    def weigh(self, state: dict[str, NDArray[Any]], t: int, infosets: int) -> Floats:
        """Return how much iteration t counts in the average at each infoset; what is wrong is for the caller to see.

        The rule cannot change the arrays that it sees.
        """
        seen = {name: array.view() for name, array in state.items()}
        for array in seen.values():
            array.flags.writeable = False
        weights: Floats = self._to_array("weights", self._call("weights", seen, t))
        is_column = weights.shape == (infosets, 1)
        if not (is_column or weights.shape == (infosets,)) or weights.dtype.kind not in "biuf":
            raise AlgorithmError(
                f"The rule {self.text}: weights() must return a number for each infoset, shape "
                f"({infosets},); got {weights.dtype} of shape {weights.shape}.",
                wrong_use=False,
            )
        with np.errstate(over="ignore"):  # the caller refuses an infinity
            return weights.reshape(infosets).astype(np.float64)

    def _keep(self, method: str, state: dict[str, NDArray[Any]], after: Any) -> None:
        """Copy into ``state`` the arrays that stand in the place of its own after a method was called."""
        if not isinstance(after, Mapping) or after.keys() != state.keys():
            self.refuse_state(state, after, method)
        copies: dict[str, NDArray[Any]] = {}
        for name, array in after.items():
            if array is not state[name]:
                numbers = self._to_array(method, array)
                if numbers.shape != state[name].shape or numbers.dtype.kind not in "biuf":
                    self.refuse_state(state, after, method)
                copies[name] = np.array(numbers, dtype=state[name].dtype, order="C")
        state.update(copies)

    def refuse_state(
        self, state: RuleState, after: Any = None, method: str = "observe"
    ) -> NoReturn:
        """Refuse what a method leaves or returns as the state; None of ``after`` where that is not known."""
        shapes = {name: array.shape for name, array in state.items()}
        if after is None:
            got = "other shapes"
        elif isinstance(after, Mapping):
            kinds = [f"{name!r}: {_describe_kind(array)}" for name, array in after.items()]
            got = "{" + ", ".join(kinds) + "}"
        else:
            got = short_repr(after)
        if method == "observe":
            what = "observe() must return the arrays that init() names, or None"
        else:
            what = f"{method}() must leave the arrays that init() names in the state"
        raise AlgorithmError(
            f"The rule {self.text}: {what}; expected numbers of the shapes {shapes}, got {got}.",
            wrong_use=False,
        )

    def _to_array(self, method: str, returned: Any) -> NDArray[Any]:
        """Return what a method returned as an array."""
        try:
            return np.asarray(returned)
        except (ValueError, TypeError) as error:
            raise AlgorithmError(
                f"The rule {self.text}: {method}() must return arrays; got {returned!r}.",
                wrong_use=False,
            ) from error

    def _call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the rule; what it raises becomes the cause of one sentence."""
        if self.rule is None:
            self.refuse_missing()
        try:
            return getattr(self.rule, method)(*arguments)
        except (Exception, SystemExit) as error:
            self.refuse_raised(f"{method}()", error)

    def refuse_missing(self) -> NoReturn:
        """Refuse to play by a rule that a saved run tells the text of."""
        raise AlgorithmError(
            f"The run plays by the rule {self.text}, which is code and not saved with it: give "
            "it again (rule=, --rule).",
            field="rule",
        )

    def refuse_raised(self, what: str, error: BaseException) -> NoReturn:
        """Refuse what has raised an exception, ``observe()``, with the last line of its file that took part."""
        description = f"{type(error).__name__}: {error}".rstrip(":. ")
        raise AlgorithmError(
            f"The rule {self.text}: {what} raised {description}{self._tell_line(error)}.",
            wrong_use=False,
        ) from error

    def _tell_line(self, error: BaseException) -> str:
        """Return where in the file of the rule an exception came from; nothing where no line of it took part."""
        members = [member for kind in type(self.rule).__mro__ for member in vars(kind).values()]
        functions = [getattr(member, "fget", member) for member in members]  # those of properties
        files = {
            function.__code__.co_filename
            for function in functions
            if isinstance(function, FunctionType)
        }
        places = [
            frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files
        ]
        if not places:
            return ""
        return f" ('{Path(places[-1].filename).name}', line {places[-1].lineno})"


def _describe_kind(array: Any) -> str:
    """Return type and shape of what a rule returned as an array."""
    if isinstance(array, np.ndarray):
        return f"{array.dtype} of shape {array.shape}"
    return short_repr(array)


def _plays_plans(rule: Any) -> bool:
    return callable(getattr(rule, "plan", None))


def kept_type(array: NDArray[Any]) -> Any:
    """Return the type in which an array of a rule is kept: booleans stay, numbers are float64."""
    if array.dtype.kind == "b":
        return np.bool_
    if array.dtype.kind in "iuf":
        return np.float64
    raise AlgorithmError(
        f"Arrays of a rule hold numbers or booleans; got {array.dtype}.", wrong_use=False
    )
