"""The rooms of the package: imports go one way, and no file imports itself through others.

``python tests/test_rooms.py`` draws them again (docs/rooms.svg).
"""

import ast
from pathlib import Path

import equilibrist as eq

ROOT = Path(eq.__file__).parent
ROOMS = (
    ("errors",),
    ("_util",),
    ("show",),
    ("_jit",),
    ("game",),
    ("form",),
    ("games",),
    ("strategy",),
    ("evaluation",),
    ("cfr", "correlation"),
    ("mccfr", "cluster"),
    ("solving",),
    ("plot",),
    ("batches",),
    ("comparison", "exercises", "explanation", "play", "track"),
    ("histories",),
    ("html",),
    ("serve",),
    ("cli",),
    ("__main__",),
)
FACE = {"__init__", "_moved", "poker", "learn", "types"}
"""What hands on public names of all rooms, which nobody in a room imports."""
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
UPWARD: set[tuple[str, str]] = set()
"""Imports that go up: none. What notebooks show is handed down by the face (``equilibrist/__init__.py``)."""


def modules():
    """Yield each module below the package as dotted name and file; the public face imports whatever it offers."""
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name not in FACE:
            yield name, path


NAMES = {name for name, _ in modules()}


def imports(name, path):
    """Yield the modules of the package that a module imports, inside functions and for type checkers too."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (
                node.module.split(".") if node.module else []
            )
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
        or (
            LEVEL[name.split(".")[0]] == LEVEL[target.split(".")[0]]
            and name.split(".")[0] != target.split(".")[0]
        )
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
    direct = {(source.split(".")[0], target.split(".")[0]) for source, target in ARROWS}
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
