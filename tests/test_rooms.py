"""The rooms of the package: imports go one way, and no file imports itself through others."""

import ast
from pathlib import Path

import equilibrist as eq

ROOT = Path(eq.__file__).parent
ROOMS = (
    ("errors",),
    ("_util", "_jit"),
    ("game",),
    ("form",),
    ("games",),
    ("strategy",),
    ("evaluation",),
    ("cfr",),
    ("mccfr",),
    ("solving",),
    ("plot",),
    ("comparison", "explanation", "play", "track"),
    ("html",),
    ("cli",),
    ("__main__",),
)
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
UPWARD = {("_util.display", "html.notebook")}
"""What a notebook shows is drawn where the object is asked to show itself: the one import that goes up."""


def modules():
    """Yield each module below the package as dotted name and file; the public face imports whatever it offers."""
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name != "__init__":
            yield name, path


NAMES = {name for name, _ in modules()}


def imports(name, path):
    """Yield the modules of the package that a module imports, inside functions and for type checkers too."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                target = whole if whole in NAMES else ".".join(base)
                if target and target != name:
                    yield target


ARROWS = {(name, target) for name, path in modules() for target in imports(name, path)} - UPWARD


def test_every_file_is_in_a_room():
    assert {name.split(".")[0] for name in NAMES} <= set(LEVEL)


def test_imports_go_one_way():
    upward = {
        (name, target)
        for name, target in ARROWS
        if LEVEL[name.split(".")[0]] < LEVEL[target.split(".")[0]]
        or (LEVEL[name.split(".")[0]] == LEVEL[target.split(".")[0]] and name.split(".")[0] != target.split(".")[0])
    }
    assert sorted(upward) == []


def test_no_file_imports_itself_through_others():
    below = {name: {target for source, target in ARROWS if source == name} for name in NAMES}

    def reached(name):
        found, open_ = set(), [name]
        while open_:
            new = below[open_.pop()] - found
            found |= new
            open_ += new
        return found

    assert sorted(name for name in NAMES if name in reached(name)) == []
