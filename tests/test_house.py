"""Counts of what keeps the house light; ``python tests/test_house.py`` prints them, with the places.

The limits are what was reached; who adds weight raises one on purpose, in the same commit.
"""

import ast
import inspect
import re
import sys
from collections import Counter

import pytest

import equilibrist as eq
from support.sources import ROOT, nodes_of, nodes_of_files, syntax_trees

WALK = ROOT.parents[1] / "docs" / "architecture.md"
PARAMETERS = (
    18  # one for what comes after Nash equilibria, concept; one for updates of one's own, rule
)
WALK_FILES, WALK_RETURNS = 14, 3
PRONOUNS = {"own", "found", "told", "met", "kept", "given", "here", "known", "one"}
"""Names of variables that say nothing of the thing."""
ODD = {"bring_up", "hand_up", "next_look", "slow_looks", "borrowed_walker", "naming"}
"""Names whose thing has a standard word (docs/glossary.md)."""
KINDS = {
    "forms": {"sequence", "public", "cards"},
    "samplings": {"full", "chance", "external", "outcome", "average-strategy", "public-chance"},
    "precisions": {"float64", "float32", "int16"},
    "backends": {"cpu"},
}
FACTORIES = {
    "form/compiled_game.py",
    "games/compile.py",
    "mccfr/sampling.py",
    "solving/plan.py",
    "solving/solvers.py",
    "strategy/convert.py",
}
"""Where a kind as text, or ``auto``, becomes the thing."""
TYPES = re.compile(r"Form\b|CompiledGame|Strategy|Sampling")


def texts(node):
    """Return the words that a comparison compares with."""
    parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
    return {
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def compared_kinds():
    """Yield each place that compares a kind as text, or asks for the type of a form, a strategy or a sampling."""
    words = set().union(*KINDS.values())
    for path, node in nodes_of(ast.Compare):
        if texts(node) & words and path not in FACTORIES:
            yield place(path, node)
    for path, node in nodes_of(ast.Call):
        is_call = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if is_call and path not in FACTORIES and TYPES.search(ast.unparse(node.args[1])):
            yield place(path, node)


def decides_auto():
    """Return the files that compare something with "auto"; themes of pictures are another matter."""
    return sorted(
        {
            path
            for path, node in nodes_of(ast.Compare)
            if "auto" in texts(node) and not path.startswith("plot/")
        }
    )


def odd_words():
    """Yield each variable and parameter that is a pronoun, and each name that has a standard word."""
    for path, node in nodes_of(ast.Name, ast.arg, ast.FunctionDef):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            continue
        if path.endswith("answers.py"):  # fields are named as they are sent
            continue
        name = (
            getattr(node, "id", None) or getattr(node, "arg", None) or getattr(node, "name", None)
        )
        if name in PRONOUNS or name.strip("_") in ODD:
            yield place(path, node, name)


def place(path, node, text=None):
    return f"{path}:{node.lineno} {text or ast.unparse(node)}"


def walk():
    """Return the files that docs/architecture.md opens from ``solve`` to a kernel, in order."""
    section = (
        WALK.read_text(encoding="utf-8")
        .split("\n## From `solve` to a kernel\n")[1]
        .split("\n## ")[0]
    )
    files = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", section)
    return list(dict.fromkeys(files))


def imported(path):
    """Return the files of the package that a file imports."""
    package = path.split("/")[:-1]
    targets = set()
    for node in nodes_of_files()[path]:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [
                *package[: len(package) - node.level + 1],
                *(node.module.split(".") if node.module else []),
            ]
            for alias in node.names:
                targets |= {"/".join([*base, alias.name]) + ".py", "/".join(base) + ".py"}
    return targets & set(syntax_trees())


def returns(files):
    """Return how often the walk enters a room again that it had left."""
    rooms = [file.split("/")[0] for file in files]
    entered = [room for i, room in enumerate(rooms) if i == 0 or rooms[i - 1] != room]
    return len(entered) - len(set(entered))


def test_a_kind_is_compared_as_text_in_its_factory_alone():
    assert list(compared_kinds()) == []


def test_one_place_decides_what_auto_means():
    assert len(decides_auto()) <= 1


def test_variables_are_named_by_the_thing():
    assert list(odd_words()) == []


def test_parameters_of_solve():
    assert len(inspect.signature(eq.solve).parameters) <= PARAMETERS


def test_the_walk_from_solve_to_a_kernel():
    files = walk()
    assert (len(files) <= WALK_FILES, returns(files) <= WALK_RETURNS) == (True, True), (
        files,
        returns(files),
    )
    for i, file in enumerate(files[1:], 1):
        assert any(file in imported(earlier) for earlier in files[:i]), (
            f"no file before {file} imports it"
        )


PUBLIC_CLASSES = {
    name: value
    for module in (eq, eq.poker, eq.learn, eq.types)
    for name in dir(module)
    if inspect.isclass(value := getattr(module, name))
}


@pytest.mark.parametrize("name", PUBLIC_CLASSES)
def test_every_public_method_says_what_it_does(name):
    """An override inherits its docstring; that of a class may name its attributes."""
    cls = PUBLIC_CLASSES[name]
    silent = [
        attribute
        for attribute, member in inspect.getmembers(cls)
        if not attribute.startswith("_") and (callable(member) or isinstance(member, property))
        if getattr(member, "__module__", eq.__name__).startswith(eq.__name__)
        and not inspect.getdoc(member)
    ]
    documented = "".join(base.__doc__ or "" for base in cls.__mro__)
    assert [attribute for attribute in silent if attribute not in documented] == []


if __name__ == "__main__":
    files = walk()
    for title, places in {
        "kinds compared as text": list(compared_kinds()),
        "odd words": list(odd_words()),
    }.items():
        if "-v" in sys.argv:
            print(*places, sep="\n")
        print(
            f"{title}: {len(places)}",
            dict(Counter(place.split("/")[0].split(":")[0] for place in places)),
        )
    print(f"files that decide what auto means: {decides_auto()}")
    print(f"parameters of solve: {len(inspect.signature(eq.solve).parameters)}")
    print(f"files from solve to a kernel: {len(files)}, rooms entered again: {returns(files)}")
