"""One palette: what is made of it is up to date, and nothing else has a colour of its own."""

import re

import pytest

from equilibrist.show.palette import ICON
from palette import ROOT, SHEETS, sheet_text

LITERAL = re.compile(
    r"(?<![\w&/])#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?![\w-])"
    r"|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(\s*[\d.]"
)
NAMED = re.compile(r":[^;{]*\b(?:black|white|gr[ae]y|red|green|blue|orange|yellow)\b[^-;{]*;")
KINDS = (".py", ".css", ".js", ".html")


@pytest.mark.parametrize("name", SHEETS)
def test_style_sheets_of_colours_are_up_to_date(name):
    """``python tests/palette.py`` writes them."""
    assert (ROOT / name).read_text(encoding="utf-8") == sheet_text(name)


def test_no_other_file_has_a_colour_of_its_own():
    found = []
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix not in KINDS or name in SHEETS or name == "show/palette.py":
            continue
        text = path.read_text(encoding="utf-8")
        found += [f"{name}: {match[0]}" for match in LITERAL.finditer(text)]
        if path.suffix == ".css":
            found += [f"{name}: {match[0]}" for match in NAMED.finditer(text)]
    assert found == []


def test_the_icon_has_the_colours_of_the_palette():
    text = (ROOT / "page/icon.svg").read_text(encoding="utf-8")
    assert set(LITERAL.findall(text)) == set(ICON)


@pytest.mark.parametrize(
    "text", ["color: #fff;", '"#0072B2"', "rgba(0, 0, 0, 0.5)", "oklch(0.7 0.1 200)"]
)
def test_a_colour_is_recognised(text):
    assert LITERAL.search(text)


@pytest.mark.parametrize(
    "text", ["#main", "rgb(${colour})", "url(#fade-in)", "&#123;", "kuhn#abcde"]
)
def test_what_is_no_colour_is_none(text):
    assert not LITERAL.search(text)
