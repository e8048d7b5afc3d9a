"""The rooms of the package: imports go one way, and no file imports itself through others; in JavaScript as well.

``python tests/test_rooms.py`` draws those of Python again (docs/rooms.svg).
"""

import ast
import re
from functools import cache

from support.sources import ROOT, nodes_of_files, syntax_trees

TOWER = (
    ("errors",),
    ("_util",),
    ("show",),
    ("_jit",),
    ("game",),
    ("form",),
    ("games",),
    ("strategy",),
    ("evaluation",),
    ("bimatrix", "cfr", "correlation"),
    ("mccfr",),
    ("cluster",),
    ("solving",),
    ("deep", "plot", "resolving"),
    ("batches",),
    ("comparison", "exploiting", "play", "track"),
    ("runs",),
    ("web", "page"),
    ("cli",),
)
WINGS = ("poker", "study", "learn", "mcp")
"""Subjects, each with all its layers: a wing imports the tower and itself, which finds it by tables."""
ROOMS = (*TOWER, WINGS, ("__main__",))
FACE = {"__init__", "_old_names", "types"}
"""What hands on public names of all rooms, which nobody in a room imports."""
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}


@cache
def modules():
    """Return the file of each module below the package by its dotted name; the face imports whatever it offers."""
    dotted = {path: path.removesuffix(".py").replace("/", ".") for path in syntax_trees()}
    files = {name.removesuffix(".__init__"): path for path, name in dotted.items()}
    return {name: path for name, path in files.items() if name not in FACE}


def imports(name, path):
    """Yield the modules of the package that a module imports, inside functions and for type checkers too."""
    parts = name.split(".")
    package = parts if path.endswith("__init__.py") else parts[:-1]
    for node in nodes_of_files()[path]:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (
                node.module.split(".") if node.module else []
            )
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                target = whole if whole in modules() else ".".join(base)
                if target and target != name:
                    yield target


@cache
def arrows():
    """Return all imports, as (module, module that it imports)."""
    return {(name, target) for name, path in modules().items() for target in imports(name, path)}


def test_every_file_is_in_a_room():
    assert {name.split(".")[0] for name in modules()} <= set(LEVEL)


def test_imports_go_one_way():
    upward = {
        (name, target)
        for name, target in arrows()
        if LEVEL[name.split(".")[0]] < LEVEL[target.split(".")[0]]
        or (
            LEVEL[name.split(".")[0]] == LEVEL[target.split(".")[0]]
            and name.split(".")[0] != target.split(".")[0]
        )
    }
    assert sorted(upward) == []


def in_circles(all_arrows):
    """Return the names from which arrows lead back to themselves."""
    below = {}
    for name, target in all_arrows:
        below.setdefault(name, set()).add(target)

    def reached(name):
        found, open_ = set(), [name]
        while open_:
            new = below.get(open_.pop(), set()) - found
            found |= new
            open_ += new
        return found

    return sorted(name for name in below if name in reached(name))


def test_no_file_imports_itself_through_others():
    assert in_circles(arrows()) == []


def test_rooms_of_a_wing_are_in_no_circle():
    """The layers of a subject: cards, spots, what is solved, its pages."""
    for wing in WINGS:
        inside = {
            (name.split(".")[1], target.split(".")[1])
            for name, target in arrows()
            if name.startswith(f"{wing}.") and target.startswith(f"{wing}.")
        }
        assert in_circles({(room, target) for room, target in inside if room != target}) == [], wing


# --- JavaScript ---

PAGE = "page/js"
JAVASCRIPT = (
    (f"{PAGE}/base",),
    (f"{PAGE}/parts", "runs", "learn/lab"),
    (f"{PAGE}/cards", f"{PAGE}/runs"),
    (f"{PAGE}/infosets", f"{PAGE}/poker"),
    (f"{PAGE}/play", "poker/boards", "poker/pages"),
    (f"{PAGE}/views",),
    (PAGE,),
)
"""The folders of modules, the lowest first: the labs take nothing of the page but its base."""
ANSWERS = f"{PAGE}/base/answers.js"
"""What types are taken from: ``answers.d.ts``, made of Python, which browsers are not given."""
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]""")


@cache
def scripts():
    """Return the text of each module of JavaScript, by its path below the package."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in ROOT.rglob("*.js")
    }


@cache
def script_arrows():
    """Return all imports of JavaScript, as (module, module that it imports), types in comments included."""
    found = set()
    for path, text in scripts().items():
        for match in IMPORT.finditer(text):
            if "${" in match[1]:  # a view that the router loads, which is above all of them
                continue
            target = (ROOT / path).parent.joinpath(match[1]).resolve()
            found.add((path, target.relative_to(ROOT).as_posix()))
    return found


def folder(path):
    return path.rpartition("/")[0]


def test_modules_of_javascript_are_in_rooms():
    assert {folder(path) for path in scripts()} == {room for rooms in JAVASCRIPT for room in rooms}
    assert {target for _, target in script_arrows()} <= {*scripts(), ANSWERS}
    assert len(script_arrows()) > 500


def test_imports_of_javascript_go_one_way():
    level = {room: number for number, rooms in enumerate(JAVASCRIPT) for room in rooms}
    upward = {
        (path, target)
        for path, target in script_arrows()
        if folder(path) != folder(target) and level[folder(path)] <= level[folder(target)]
    }
    assert sorted(upward) == []


def test_no_module_of_javascript_imports_itself_through_others():
    assert in_circles(script_arrows()) == []


# --- The picture of docs/architecture.md ---

PICTURE = ROOT.parents[1] / "docs" / "rooms.svg"
_WIDE, _HIGH, _GAP_X, _GAP_Y, _MARGIN = 118, 30, 26, 26, 12
_STYLE = """
  rect.sheet { fill: #fff } rect.room { fill: #e0f2f1; stroke: #00796b } text { fill: #111; font: 14px sans-serif }
  path { fill: none; stroke: #607d8b; stroke-width: 1.3 } marker path { fill: #607d8b; stroke: none }
  @media (prefers-color-scheme: dark) {
    rect.sheet { fill: #1e2129 } rect.room { fill: #10302d; stroke: #4db6ac } text { fill: #eee }
    path { stroke: #90a4ae } marker path { fill: #90a4ae }
  }
"""


def reduced():
    """Return the arrows between rooms that no path over other rooms stands for."""
    direct = {(source.split(".")[0], target.split(".")[0]) for source, target in arrows()}
    below = {
        room: {target for source, target in direct if source == room and target != room}
        for room in LEVEL
    }
    reach = {}
    for room in LEVEL:  # the lowest first
        reach[room] = set().union(below[room], *(reach[target] for target in below[room]))
    return {
        (room, target)
        for room in below
        for target in below[room]
        if not any(target in reach[other] for other in below[room])
    }


def picture():
    """Return the rooms as an SVG, the highest at the top: an arrow leads to what a room imports."""
    levels = [rooms for rooms in reversed(ROOMS) if rooms != ("__main__",)]
    width = max(len(rooms) for rooms in levels) * (_WIDE + _GAP_X) + 2 * _MARGIN
    place = {}
    for row, rooms in enumerate(levels):
        left = (width - len(rooms) * (_WIDE + _GAP_X) + _GAP_X) / 2
        for column, room in enumerate(rooms):
            place[room] = left + column * (_WIDE + _GAP_X), _MARGIN + row * (_HIGH + _GAP_Y)
    height = len(levels) * (_HIGH + _GAP_Y) - _GAP_Y + 2 * _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" role="img" '
        'aria-label="The rooms of the package; an arrow leads to what a room imports">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
        f'<rect class="sheet" width="{width:.0f}" height="{height:.0f}" rx="8"/>',
    ]
    for room, target in sorted(reduced(), key=str):
        if room == "__main__":
            continue
        (x, y), (to_x, to_y) = place[room], place[target]
        start, end = (x + _WIDE / 2, y + _HIGH), (to_x + _WIDE / 2, to_y - 1)
        route = f"L{end[0]:.0f} {end[1]:.0f}"
        rows = (to_y - y) / (_HIGH + _GAP_Y)
        if rows > 1.5 and x == to_x:  # around what lies between
            start, end = (x + _WIDE, y + _HIGH / 2), (to_x + _WIDE + 1, to_y + _HIGH / 2)
            route = f"Q{start[0] + 30 * rows:.0f} {(start[1] + end[1]) / 2:.0f} {end[0]:.0f} {end[1]:.0f}"
        elif rows > 1.5:
            side = _WIDE * 0.7 * (-1 if to_x < x else 1)
            middle = (start[0] + end[0]) / 2 + side, (start[1] + end[1]) / 2
            route = f"Q{middle[0]:.0f} {middle[1]:.0f} {end[0]:.0f} {end[1]:.0f}"
        lines.append(f'<path d="M{start[0]:.0f} {start[1]:.0f} {route}" marker-end="url(#head)"/>')
    for room, (x, y) in place.items():
        lines.append(
            f'<rect class="room" x="{x:.0f}" y="{y:.0f}" width="{_WIDE}" height="{_HIGH}" rx="5"/>'
        )
        lines.append(
            f'<text x="{x + _WIDE / 2:.0f}" y="{y + 20:.0f}" text-anchor="middle">{room}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def test_the_picture_shows_the_rooms():
    assert PICTURE.read_text(encoding="utf-8") == picture(), (
        "draw it again: python tests/test_rooms.py"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
