"""Machine code on disk: it is never stale, its old files go, and what is damaged or full is no obstacle."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import warnings

import pytest

from equilibrist._jit import cache, cache_folder, sources
from equilibrist.form.walk import source_rules  # noqa: F401 (which registers itself)
from equilibrist.mccfr import source_public, source_tree  # noqa: F401 (which register themselves)
from support.systems import posix

PACKAGE = sources.PACKAGE

KERNEL = """
import sys
from typing import NamedTuple
import numpy as np
from numba import types
from numba.extending import overload
from {module} import callback, compiled, inlined, inline_ir
from helper import STEP, helper, shape
from kinds import Kind

{decorator}
def called(x):
    return helper(x) + STEP

@compiled(allocates=False)
def kernel(x):
    return called(x)

@compiled(allocates=False)
def of_kind(kind):
    return kind.number[0]

@overload(abs)
def answer(kind):
    return Kind.answer(kind) if isinstance(kind, types.BaseNamedTuple) else None

@compiled(allocates=False)
def asked(kind):
    return abs(kind)

def square(x):
    return helper(x) * 10

callbacks = callback(square, types.int64(types.int64))
kernels = {{"kernel": kernel, "of_kind": of_kind, "asked": asked}}
kind = Kind(np.array([7]))
print(kernel(1), asked(kind), callbacks.ctypes(1), sum(kernel.stats.cache_hits.values()), shape)
"""
HELPER = """
from {module} import compiled, inlined, inline_ir
from deeper import deeper
shape = "helper"
STEP = 100

{decorator}
def helper(x):
    return deeper(x) + 1
"""
DEEPER = """
def deeper(x):
    return x * 2
"""
KINDS = """
from typing import NamedTuple
import numpy as np

class Kind(NamedTuple):
    number: np.ndarray

    @staticmethod
    def answer(kind):
        return lambda kind: kind.number[0] + 1
"""


def in_process(folder, code="import kernel", **variables):
    """Run code in a process of its own, which finds modules in a folder; return its output, and its warnings."""
    done = start(folder, code, **variables)
    out, warnings = done.communicate()
    assert done.returncode == 0, warnings
    return out.split(), warnings


def start(folder, code, **variables):
    """Return a process that runs code, which finds modules in a folder."""
    environment = os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "EQUILIBRIST_CACHE": str(folder / "cache"),
    }
    paths = [str(folder), str(PACKAGE.parent)]
    environment |= {"PYTHONPATH": os.pathsep.join(paths)} | variables
    pipes = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }
    return subprocess.Popen([sys.executable, "-c", code], env=environment, **pipes)


@pytest.fixture
def folder(tmp_path):
    write(tmp_path)
    return tmp_path


def write(folder, decorator="inlined"):
    decorators = {
        "inlined": "@inlined",
        "inline_ir": "@inline_ir",
        "compiled": "@compiled(allocates=False, inline=True)",
    }
    for name, text in {"kernel": KERNEL, "helper": HELPER}.items():
        given = text.format(module="equilibrist._jit.compile", decorator=decorators[decorator])
        (folder / f"{name}.py").write_text(given)
    (folder / "deeper.py").write_text(
        "from equilibrist._jit.compile import inlined\n@inlined" + DEEPER
    )
    (folder / "kinds.py").write_text(KINDS)


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def kept(folder):
    return sorted(file.name for file in (folder / "cache").glob("*.nbc"))


# --- A kernel of one line, in this process ---


@pytest.fixture
def import_text(tmp_path, monkeypatch):
    """Give a function that imports a module of a text, as a new process would."""
    monkeypatch.setattr(cache, "_WARNED", set())
    monkeypatch.setenv("EQUILIBRIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    # Bytecode is known by the second of a file's last edit, and some edits come sooner.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def import_text(name, text):
        path = tmp_path / f"{name}.py"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        sources._FIRST_STAMPS.pop(path, None)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return import_text


@pytest.fixture
def make_kernel(import_text):
    """Give a function that imports a kernel, ``x + step``."""
    text = "from equilibrist._jit.compile import compiled\n\n@compiled(allocates=False)\n"
    text += "def kernel(x):\n    return x + {step}\n"
    return lambda name="kernel", step=1: import_text(name, text.format(step=step)).kernel


def hits(kernel):
    return sum(kernel.stats.cache_hits.values())


def test_a_kernel_is_read_from_the_disk_while_its_source_is_the_same(make_kernel, tmp_path):
    assert (make_kernel()(1), len(kept(tmp_path))) == (2, 1)
    again = make_kernel()
    assert (again(1), hits(again)) == (2, 1)
    edited = make_kernel(step=5)
    assert (edited(1), hits(edited), len(kept(tmp_path))) == (6, 0, 2)


def test_who_goes_back_to_a_branch_compiles_nothing(make_kernel, tmp_path):
    for step in (1, 2, 3, 4):
        make_kernel(step=step)(1)
    back = make_kernel(step=1)
    assert (back(1), hits(back), len(kept(tmp_path))) == (2, 1, 4)


def test_a_copy_in_another_folder_compiles_nothing(make_kernel, tmp_path, monkeypatch):
    """A second clone, or a new environment: the machine code is known by the text, not by the path."""
    make_kernel()(1)
    text = (tmp_path / "kernel.py").read_text()
    copy = tmp_path / "clone" / "kernel.py"
    copy.parent.mkdir()
    copy.write_text(text)
    spec = importlib.util.spec_from_file_location("kernel", copy)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "kernel", module)
    spec.loader.exec_module(module)
    assert (module.kernel(1), hits(module.kernel), len(kept(tmp_path))) == (2, 1, 1)


def test_a_module_of_another_name_has_machine_code_of_its_own(import_text, tmp_path):
    """Machine code finds its globals by the name of the module."""
    text = "from equilibrist._jit.compile import compiled\n\n@compiled(allocates=False)\n"
    text += "def kernel(x):\n    return x + 1\n"
    import_text("first", text).kernel(1)
    other = import_text("second", text).kernel
    assert (other(1), hits(other), len(kept(tmp_path))) == (2, 0, 2)


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(make_kernel, tmp_path, mode):
    """Machine code is run as it is: nobody else may be able to put any there."""
    make_kernel()(1)
    before = kept(tmp_path)
    (tmp_path / "cache").chmod(mode)
    again = make_kernel()
    with pytest.warns(
        cache.CacheWarning, match=rf"others may write to it \(its mode is {mode:o}\)"
    ) as warned:
        assert (again(1), again(1.5), hits(again)) == (2, 2.5, 0)
    assert (len(warned), kept(tmp_path)) == (1, before)


@posix
def test_a_folder_of_somebody_else_is_not_used(make_kernel, tmp_path, monkeypatch):
    make_kernel()(1)
    monkeypatch.setattr(cache_folder.os, "geteuid", lambda: 12345)
    owner = (tmp_path / "cache").stat().st_uid
    again = make_kernel()
    if owner == 0:  # what the administrator has put there is trusted
        assert (again(1), hits(again)) == (2, 1)
        return
    with pytest.warns(cache.CacheWarning, match=f"it belongs to the user with the number {owner}"):
        assert (again(1), hits(again)) == (2, 0)


@posix
def test_a_new_folder_is_the_users_alone(make_kernel, tmp_path):
    make_kernel()(1)
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_what_was_used_longest_ago_goes_first(tmp_path):
    """A folder of 10 files of 100 bytes that may hold 500: the six oldest go, so that it is four fifths full."""
    for number in range(10):
        file = tmp_path / f"kernel{number}.nbc"
        file.write_bytes(bytes(100))
        os.utime(file, (1000.0 - number, 1000.0 - number))
    (tmp_path / "note.txt").write_text("not ours")
    cache_folder.prune(tmp_path, most_bytes=500)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"kernel{n}.nbc" for n in range(4)),
        "note.txt",
    ]


def test_a_kernel_that_is_read_counts_as_used(make_kernel, tmp_path):
    make_kernel()(1)
    (file,) = cache_folder.list_files(tmp_path / "cache")
    os.utime(file.path, (0, 0))
    again = make_kernel()
    assert (again(1), hits(again)) == (2, 1)
    assert time.time() - file.path.stat().st_mtime < 3600


def test_clearing_leaves_what_is_not_ours(make_kernel, tmp_path):
    make_kernel()(1)
    folder = tmp_path / "cache"
    (folder / "note.txt").write_text("not ours")
    cache_folder.clear(folder)
    assert [path.name for path in folder.iterdir()] == ["note.txt"]
    (folder / "note.txt").unlink()
    cache_folder.clear(folder)
    assert not folder.exists()
    cache_folder.clear(folder)  # nothing is there


def test_dates_in_the_future_do_not_switch_the_cache_off(import_text, tmp_path):
    """Unpacked archives and shared folders have such dates."""
    text = "from equilibrist._jit.compile import compiled\nfrom step import STEP\n\n@compiled(allocates=False)\n"
    text += "def kernel(x):\n    return x + STEP\n"
    (tmp_path / "step.py").write_text("STEP = 1\n")
    (tmp_path / "kernel.py").write_text(text)
    for path in (tmp_path / "step.py", tmp_path / "kernel.py"):
        os.utime(path, (time.time() + 86400,) * 2)
    for number in (0, 1):
        kernel = import_text("kernel", text).kernel
        assert (kernel(1), hits(kernel), len(kept(tmp_path))) == (2, number, 1)
    sys.modules.pop("step")


def test_a_source_that_changes_under_the_process_is_told_once(make_kernel, tmp_path):
    kernel = make_kernel()
    edit(tmp_path / "kernel.py", "+ 1", "+ 2")
    with pytest.warns(
        cache.CacheWarning, match=r"kernel\.py has changed since .*not kept"
    ) as warned:
        assert (kernel(1), kernel(1.5)) == (2, 2.5)
    assert (len(warned), kept(tmp_path)) == (1, [])


def test_machine_code_with_the_digest_of_another_is_compiled_again(make_kernel, tmp_path):
    """What is damaged in its middle can be read: only the digest tells."""
    make_kernel()(1)
    make_kernel("other", step=5)(1)
    right, other = (
        next((tmp_path / "cache").glob(f"{name}.*.nbc")) for name in ("kernel", "other")
    )
    right.write_bytes(right.read_bytes()[:32] + other.read_bytes()[32:])
    again = make_kernel()
    with pytest.warns(
        cache.CacheWarning, match="damaged .*its digest is another.*: compiled again"
    ):
        assert (again(1), hits(again)) == (2, 0)
    healed = make_kernel()
    assert (healed(1), hits(healed)) == (2, 1)


def test_machine_code_of_another_signature_is_compiled_again(make_kernel, tmp_path):
    """A file that is whole and has the name of another, as somebody may have renamed it."""
    kernel = make_kernel()
    kernel(1)
    (file_of_ints,) = kept(tmp_path)
    kernel(1.5)
    (file_of_floats,) = set(kept(tmp_path)) - {file_of_ints}
    folder = tmp_path / "cache"
    (folder / file_of_ints).write_bytes((folder / file_of_floats).read_bytes())
    again = make_kernel()
    with warnings.catch_warnings():
        warnings.simplefilter("error", cache.CacheWarning)  # nothing is damaged
        assert (again(1), hits(again)) == (2, 0)
        assert (again(1.5), hits(again)) == (2.5, 1)


@pytest.mark.parametrize(("parameters", "total"), [("x", "x + step"), ("x, more=step", "x + more")])
def test_kernels_of_one_place_with_other_constants_are_others(
    import_text, tmp_path, parameters, total
):
    text = "from equilibrist._jit.compile import compiled\n\ndef make(step):\n    @compiled(allocates=False)\n"
    text += f"    def kernel({parameters}):\n        return {total}\n    return kernel\n"
    for step in (1, 10, 1):
        assert import_text("made", text).make(step)(1) == 1 + step
    assert len(kept(tmp_path)) == 2


# --- Kernels of several files, in processes of their own ---


@pytest.mark.slow
@pytest.mark.parametrize("decorator", ["inlined", "inline_ir", "compiled"])
def test_an_edited_helper_changes_what_the_kernels_compute(folder, decorator):
    write(folder, decorator)
    assert in_process(folder)[0] == ["103", "8", "30", "0", "helper"]
    assert in_process(folder)[0] == ["103", "8", "30", "1", "helper"]  # from the disk
    edit(folder / "helper.py", "x) + 1", "x) + 2")
    assert in_process(folder)[0] == ["104", "8", "40", "0", "helper"]
    edit(
        folder / "deeper.py", "x * 2", "x * 5"
    )  # that the file of the kernel imports through another
    assert in_process(folder)[0] == ["107", "8", "70", "0", "helper"]
    edit(folder / "helper.py", "STEP = 100", "STEP = 500")
    assert in_process(folder)[0] == ["507", "8", "70", "0", "helper"]


@pytest.mark.slow
def test_what_the_file_of_an_argument_says_belongs_to_the_kernel(folder):
    in_process(folder)
    edit(folder / "kinds.py", "number[0] + 1", "number[0] + 2")
    assert in_process(folder)[0][1] == "9"


def test_what_a_writer_left_that_was_killed_is_removed(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cache.os, "replace", lambda *_: 1 / 0)
        patch.setattr(cache.os, "unlink", lambda *_: None)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                cache._write(tmp_path / "kernel.nbc", b"half")
    old, new = tmp_path.iterdir()
    os.utime(old, (0, 0))
    cache_folder.prune(tmp_path)
    assert list(tmp_path.iterdir()) == [new]  # which another process may be writing


@pytest.mark.slow
def test_a_file_edited_since_it_was_imported_is_not_kept(folder):
    edited = f"from pathlib import Path; path = Path({str(folder / 'helper.py')!r})\n"
    edited += "import kernel; kernel.kernel(1.5); text = path.read_text()\n"
    edited += "path.write_text(text.replace('+ 1', '+ 2')); kernel.kernel(1j)"
    in_process(folder)
    before = kept(folder)
    in_process(folder, edited)
    assert len(kept(folder)) == len(before) + 1  # of float64, but not of complex128
    assert in_process(folder, "import kernel; print(kernel.kernel(1j))")[0][-1] == "(102+2j)"


@pytest.mark.slow
def test_a_file_edited_before_a_kernel_is_defined_is_not_kept(folder):
    """It may have been imported before: nobody knows whether what is compiled is what the file says now."""
    edited = (
        f"from pathlib import Path; path = Path({str(folder / 'helper.py')!r}); import helper\n"
    )
    edited += "path.write_text(path.read_text().replace('+ 1', '+ 2')); import kernel"
    assert in_process(folder, edited)[0] == ["103", "8", "30", "0", "helper"]
    assert in_process(folder)[0] == ["104", "8", "40", "0", "helper"]


@pytest.mark.slow
def test_a_kernel_of_another_process_is_read_where_nothing_can_be_written(folder):
    in_process(folder)
    code = "import equilibrist._jit.cache as cache; cache._write = None; import kernel"
    assert in_process(folder, code) == (["103", "8", "30", "1", "helper"], "")


@pytest.mark.slow
def test_a_kernel_that_several_processes_need_at_once_is_compiled_by_one(folder):
    in_process(folder)
    code = (
        "import sys, kernel; print('ready', flush=True); sys.stdin.readline(); kernel.kernel(1.5)\n"
    )
    code += "print(sum(kernel.kernel.stats.cache_misses.values()), flush=True)"
    running = [start(folder, code) for _ in range(3)]
    for process in running:
        while process.stdout.readline() != "ready\n":
            pass
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    assert sorted(process.communicate()[0] for process in running) == ["0\n", "0\n", "1\n"]
    assert not list((folder / "cache").glob("*.lock"))


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_damaged_files_are_compiled_again(folder, damage):
    right = in_process(folder)[0]
    for name in kept(folder):
        file = folder / "cache" / name
        content = file.read_bytes()
        file.write_bytes(damage if damage is not None else content[:-1] + bytes([content[-1] ^ 1]))
    out, err = in_process(folder)
    assert out[:3] == right[:3]
    assert err.count("CacheWarning") == 1
    assert "damaged" in err
    assert in_process(folder) == ([*right[:3], "1", "helper"], "")


@pytest.mark.thinned(2)
@pytest.mark.parametrize("reason", ["ENOSPC", "EROFS"])
def test_where_nothing_can_be_kept_everything_runs_and_one_warning_says_so(folder, reason):
    code = f"""
import errno, os
import equilibrist._jit.cache as cache
def fail(path, content): raise OSError(errno.{reason}, os.strerror(errno.{reason}), str(path))
cache._write = fail
import kernel"""
    out, err = in_process(folder, code)
    assert out[:3] == ["103", "8", "30"]
    assert err.count("CacheWarning") == 1
    assert "EQUILIBRIST_CACHE" in err
    assert kept(folder) == []


@pytest.mark.slow
def test_settings_of_numba_have_machine_code_of_their_own(folder):
    in_process(folder)
    assert in_process(folder, NUMBA_BOUNDSCHECK="1")[0][3] == "0"
    assert in_process(folder)[0][3] == "1"


@pytest.mark.slow
def test_imports_are_those_that_the_parser_finds():
    for path in PACKAGE.rglob("*.py"):
        text = path.read_bytes()
        tree = ast.parse(text)
        typing = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ]
        hidden = {inner for node in typing for inner in ast.walk(node)}
        nested = {
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            for inner in ast.walk(node)
        }
        parsed = set()
        for node in set(ast.walk(tree)) - hidden:
            if isinstance(node, ast.Import):
                parsed |= {(node in nested, 0, alias.name, ()) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names = tuple(alias.name for alias in node.names)
                parsed.add((node in nested, node.level, node.module or "", names))
        found = {
            (inside, dots, module, tuple(names))
            for inside, dots, module, names in sources.imports(text)
        }
        assert parsed <= found, path


def test_all_that_a_file_imports_is_followed():
    found = {
        str(path.relative_to(PACKAGE))
        for path in sources.dependencies(PACKAGE / "games" / "kuhn.py")
    }
    assert {"games/kuhn.py", "errors.py"} <= found
    assert not any(name.startswith(("cli", "plot")) for name in found)


def test_imports_inside_functions_count_for_kernels_inside_functions(tmp_path):
    (tmp_path / "outer.py").write_text("def make():\n    from inner import x\n")
    (tmp_path / "inner.py").write_text("x = 1")
    assert len(sources.dependencies(tmp_path / "outer.py")) == 1
    assert len(sources.dependencies(tmp_path / "outer.py", nested=True)) == 2


COPIED = """
import json, equilibrist as eq
run = dict(iterations=30, algorithm="cfr")
print(json.dumps({
    "sequence": eq.solve("kuhn", form="sequence", **run).nash_conv,
    "public": eq.solve("kuhn", form="public", **run).nash_conv,
    "sampled": eq.solve("kuhn", sampling="external", seed=1, iterations=300, algorithm="cfr").nash_conv,
    "cards": eq.solve(
        eq.poker.Holdem("2s7h9dJcKd", "AA,QQ,T8s", "KK,TT,A5s", pot=10, stack=20, bets="50%"), form="cards", **run
    ).nash_conv,
}))
"""


@pytest.mark.slow
def test_an_edited_rule_changes_every_way_of_iterating(tmp_path):
    """The package, copied and edited: the update rule and random numbers end in kernels of other files."""
    ignored = shutil.ignore_patterns("__pycache__", "*.nb?")
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=ignored)
    before = json.loads(" ".join(in_process(tmp_path, COPIED)[0]))
    edits = {
        "maximum(discounted + instant_regret, self.floor)": "maximum(discounted + instant_regret, 0.0)",
        "_GOLDEN = 0x9E": "_GOLDEN = 0x8E",
    }
    for old, new in edits.items():
        edit(next(path for path in tmp_path.rglob("*.py") if old in path.read_text()), old, new)
    after = json.loads(" ".join(in_process(tmp_path, COPIED)[0]))
    assert all(after[way] != before[way] for way in before)
