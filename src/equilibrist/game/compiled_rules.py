"""Rules as machine code: the functions of a built-in game, compiled one by one and handed to kernels as values.

A kernel that takes :class:`CompiledRules` is compiled once for all games, because every function has the same signature
whatever the game, and what was compiled is found on disk by the next process. The functions are those that Python
calls (:mod:`equilibrist.game.rules`), so there is one definition of a game.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from .._jit.compile import INLINED, INTERPRETED, callback, inlined
from .rules import HELPERS, RulesGame

_inlined = cache(inlined)
_WHOLE = types.int64
_WHOLES = types.Array(types.int64, 1, "C")
_NUMBERS = types.Array(types.float64, 1, "C")


class CompiledRules(NamedTuple):
    """The rules of a game in compiled form; what each function takes and returns is said in ``game/rules.py``.

    Arrays are C-contiguous: int64, but for the float64 arrays that ``chances`` and ``payoffs`` fill.
    """

    # `parameters`, `start`: the parameters of the game, and the state in which it begins (copy it: `play` works in
    # place)
    parameters: NDArray[np.int64]
    start: NDArray[np.int64]
    # `player`, `actions`, `chances`, `play`, `payoffs`, `observe`, `public`: compiled function: the rules
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
def _part(function: Any) -> Any:
    """Return a function whose machine code is copied into the kernels that take it as a value."""
    return function if INTERPRETED else numba.njit(**INLINED)(function)


def compile_rules(game: RulesGame, *, inline: bool = False) -> CompiledRules:
    """Return the compiled rules of a game, each function compiled once a process or found on disk.

    With ``inline`` they become part of each kernel that is given them, which is faster by some ten nanoseconds a call,
    and has the kernel compiled for this game, in this process.
    """
    for function in HELPERS:
        _inlined(function)
    functions = {
        name: _part(getattr(game.rules, name)) if inline else callback(getattr(game.rules, name), signature)
        for name, signature in _SIGNATURES.items()
    }
    return CompiledRules(np.array(game.parameters, np.int64), np.array(game.start(), np.int64), **functions)
