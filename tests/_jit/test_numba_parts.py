"""Private parts of Numba: where one is missing, a sentence names it, and kernels are compiled without it."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from equilibrist._jit import numba_parts

KERNEL = """
import json, sys, warnings
warnings.simplefilter("always")
{before}
from typing import NamedTuple
import numpy as np
from numba import types
from equilibrist._jit import simd
from equilibrist._jit.compile import PLAIN, _ENTRY, callback, compiled, inline_ir, inlined, record

@record
class Numbers(NamedTuple):
    left: np.ndarray
    right: np.ndarray

@record
class Outer(NamedTuple):
    numbers: Numbers
    count: int

@inline_ir
def total(numbers, k):
    return numbers.left[k] + numbers.right[k]

@inlined
def doubled(x):
    return 2.0 * x

@compiled(allocates=False, inline=True)
def share(outer, k):
    return total(outer.numbers, k) / 3.0

@compiled(allocates=False)
def kernel(outer, function):
    simd.store(outer.numbers.left, 0, simd.load(outer.numbers.right, 0) + simd.load(outer.numbers.left, 0))
    sum_ = 0.0
    for k in range(outer.count):
        sum_ += doubled(share(outer, k)) + function(k)
    return sum_

def square(k):
    return k * k

numbers = Numbers(np.arange(8.0), np.linspace(0.0, 1.0, 8))
result = kernel(Outer(numbers, 8), callback(square, types.int64(types.int64)))
print(json.dumps([PLAIN, "pipeline_class" in _ENTRY, result.hex()]))
"""
PLAINLY = {"EQUILIBRIST_PLAIN_JIT": "1"}


def parts(table):
    return [(module, path) for module, paths in table.items() for path in paths]


def in_process(tmp_path, before="", **variables):
    """Run a kernel of all kinds of helpers in a process of its own; return what it prints, and its warnings."""
    (tmp_path / "kernel.py").write_text(KERNEL.format(before=before))
    environment = os.environ | {"EQUILIBRIST_CACHE": str(tmp_path / "cache")} | variables
    command = [sys.executable, str(tmp_path / "kernel.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_this_numba_has_all_parts():
    assert numba_parts.missing(numba_parts.MERGING) is None
    assert numba_parts.missing(numba_parts.COMPILING) is None


@pytest.mark.parametrize(
    ("module", "path"), parts(numba_parts.MERGING) + parts(numba_parts.COMPILING)
)
def test_a_part_that_is_missing_is_named(module, path, monkeypatch):
    namespace = import_module(module)
    owner, _, name = path.rpartition(".")
    if "(" in path:  # what an instance has goes with its class
        owner, name = "", re.match(r"\w+", path)[0]
    monkeypatch.delattr(eval(owner, vars(namespace)) if owner else namespace, name)
    group = {module: [path]}
    assert numba_parts.missing(group) == f"{module}.{path}"
    with pytest.warns(
        numba_parts.PlainWarning, match=r"^Numba \S+ has no numba.* slower\. .*numba<0\.69\.$"
    ):
        assert numba_parts._falls_back(group, "slower.")


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    (plain, merges, number), warned = in_process(tmp_path_factory.mktemp("usual"))
    assert (plain, merges, warned) == (False, True, "")
    return number


@pytest.mark.slow
def test_the_plain_mode_gives_the_same_bits(usual, tmp_path):
    for _ in range(2):  # from Numba's own cache, too
        assert in_process(tmp_path, **PLAINLY) == ([True, False, usual], "")


@pytest.mark.slow
def test_merging_falls_back_by_itself(usual, tmp_path):
    before = "import numba.core.ir_utils as utils; from equilibrist._jit import numba_parts\n"
    before += "numba_parts.MERGING['numba.core.ir_utils'] = ('no_such_part',)"
    (plain, merges, number), warned = in_process(tmp_path, before)
    assert (plain, merges, number) == (False, False, usual)
    assert warned.count("numba.core.ir_utils.no_such_part: Numba merges helpers") == 1


def test_everything_falls_back_where_the_cache_cannot_work(usual, tmp_path):
    before = "import numba.core.compiler as compiler; del compiler.CompileResult._rebuild"
    (plain, merges, number), warned = in_process(tmp_path, before, EQUILIBRIST_PLAIN_JIT="0")
    assert (plain, merges, number) == (True, False, usual)
    assert warned.count("PlainWarning") == 1


@pytest.mark.slow
def test_kuhn_is_solved_in_plain_mode(tmp_path):
    code = "import json, equilibrist as eq; run = eq.solve('kuhn', iterations=100)\n"
    code += "print(json.dumps([run.nash_conv.hex(), *(p.hex() for s in run.strategy.values() for p in s.values())]))"
    outputs = []
    for variables in ({}, PLAINLY):
        environment = os.environ | {"EQUILIBRIST_CACHE": str(tmp_path)} | variables
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append([float.fromhex(number) for number in json.loads(done.stdout)])
    assert np.array_equal(*outputs)
