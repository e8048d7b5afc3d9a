"""Rules as machine code: the functions of a built-in game, compiled one by one and handed to kernels as values.

A kernel that takes :class:`CompiledRules` is compiled once for all games, because every function
has the same signature whatever the game, and what was compiled is found on disk by the next
process. The functions are those that Python calls (:mod:`equilibrist.game.rules`), so there is one
definition of a game.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from .._jit.compile import INLINED, INTERPRETED, callback, inlined
from .rules import HELPERS, RulesGame, State

_inlined = cache(inlined)
_WHOLE = types.int64
_WHOLES = types.Array(types.int64, 1, "C")
_NUMBERS = types.Array(types.float64, 1, "C")


class CompiledRules(NamedTuple):
    """The rules of a game in compiled form; what each function takes and returns is said in ``game/rules.py``.

    Arrays are C-contiguous: int64, but for the float64 arrays that ``chances`` and ``payoffs``
    fill.
    """

    # `parameters`, `start`: the parameters of the game, and the state in which it begins (copy it:
    # `play` works in place), a tuple where rules are inlined, so that its length is a constant
    parameters: NDArray[np.int64]
    start: NDArray[np.int64] | State
    # `player`, `actions`, `chances`, `play`, `payoffs`, `observe`, `public`: compiled function: the
    # rules
    player: Any
    actions: Any
    chances: Any
    play: Any
    payoffs: Any
    observe: Any
    public: Any


_SIGNATURES = {
    "player": _WHOLE(_WHOLES, _WHOLES),
    "actions": _WHOLE(_WHOLES, _WHOLES, _WHOLES),
    "chances": _WHOLE(_WHOLES, _WHOLES, _NUMBERS),
    "play": _WHOLE(_WHOLES, _WHOLES, _WHOLE),
    "payoffs": _WHOLE(_WHOLES, _WHOLES, _NUMBERS),
    "observe": _WHOLE(_WHOLES, _WHOLES, _WHOLES),
    "public": _WHOLE(_WHOLES, _WHOLES, _WHOLES),
}


@cache
def _make_inlined(function: Any, parameters: State) -> Any:
    """Return a function whose machine code is copied into the kernels that take it as a value, for one game alone."""
    if INTERPRETED:
        return function
    rule, constants = numba.njit(**INLINED)(function), np.array(parameters, np.int64)

    def with_constants(p: Any, *rest: Any) -> Any:
        return rule(constants, *rest)

    return numba.njit(**INLINED)(with_constants)


def compile_rules(game: RulesGame, *, inline: bool = False) -> CompiledRules:
    """Return the compiled rules of a game, each function compiled once a process or found on disk.

    With ``inline`` they become part of each kernel that is given them, with the parameters of the
    game as constants: that is twice as fast as calls are, and has the kernel compiled for this
    game, in this process.
    """
    for function in HELPERS:
        _inlined(function)
    rules = {name: getattr(game.rules, name) for name in _SIGNATURES}
    parameters = np.array(game.parameters, np.int64)
    if inline:
        parts = {name: _make_inlined(rule, tuple(game.parameters)) for name, rule in rules.items()}
        return CompiledRules(parameters, game.start(), **parts)
    return CompiledRules(
        parameters,
        np.array(game.start(), np.int64),
        **{name: callback(rule, _SIGNATURES[name]) for name, rule in rules.items()},
    )
