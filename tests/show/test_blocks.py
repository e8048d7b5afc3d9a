"""What results show: a terminal and HTML paint the same blocks, and say the same."""

import ast
import io
import re
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console

import equilibrist as eq
from equilibrist._util.places import import_place
from equilibrist.poker.solved.hand_classes import HandClasses
from equilibrist.show import registry
from equilibrist.show.blocks import Column, Fact, Facts, Figure, Grid, Rest, Table
from equilibrist.show.markup import paint_markup
from equilibrist.show.text import paint_text

WIDE = 1_000
SPOT = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"


def print_blocks(blocks, width=WIDE):
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, highlight=False, emoji=False)
    console.print(*paint_text(blocks, width), sep="\n")
    return file.getvalue()


def words(text):
    """Return a text without bars and spaces, which are the painter's."""
    return re.sub(r"[\s█▏▎▍▌▋▊▉]+", "", text)


def html_words(blocks):
    """Return what HTML says of blocks; pictures are drawn elsewhere (tests/runs, tests/plot)."""
    texts = [
        block._replace(picture=None) if isinstance(block, Grid) else block
        for block in blocks
        if not isinstance(block, Figure)
    ]
    return words(unescape(re.sub(r"<[^>]*>", "", paint_markup(texts))))


def contents(blocks):
    """Yield all texts of blocks that a terminal has room for."""
    for block in blocks:
        if isinstance(block, Facts):
            yield block.title
            yield block.about
            for line in block.lines:
                if isinstance(line, Fact):
                    yield from (line.name, line.note, *line.texts)
                else:
                    yield line.text if isinstance(line, Rest) else line
        elif isinstance(block, Grid):
            for key in block.keys:
                yield from (key.name, key.words, f"{key.share:.2%}")
        elif isinstance(block, Table) and not block.is_long:
            yield from () if block.is_small else (block.title,)
            yield block.note
            yield "" if block.rest is None else block.rest.text
            for column in block.columns:
                yield "" if block.is_small else column.heading
                if not column.holds_mixes:
                    yield from column.texts


RESULTS = {
    "evaluation": lambda: eq.evaluate(
        "kuhn(players=3)", {}, missing="uniform", action_values=True, off_path=True
    ),
    "local best response": lambda: eq.local_best_response(
        "kuhn", eq.solve("kuhn", iterations=10), hands=50, seed=1
    ),
    "game": lambda: eq.load("kuhn(cards=4)"),
    "game before the flop": lambda: eq.load("push_fold"),
    "game of three seats": lambda: eq.load("push_fold(seats=3)"),
    "all equilibria": lambda: eq.all_equilibria("matrix(payoffs=[[0, 0], [0, 1]])"),
    "extreme equilibrium": lambda: eq.all_equilibria("rps").equilibria[0],
    "compiled game": lambda: eq.compile_game(eq.load("kuhn")),
    "comparison": lambda: eq.compare(
        "kuhn", algorithms=["cfr", "dcfr"], sampling=["full", "external"], seeds=2, iterations=20
    ),
    "trace": lambda: eq.solve("kuhn", iterations=10).trace,
    "recording": lambda: eq.solve("kuhn", iterations=10, record="all").recording,
    "solution": lambda: eq.solve("kuhn(players=3)", iterations=10),
    "strategy": lambda: eq.solve("kuhn", iterations=10).strategy,
    "equity": lambda: eq.poker.equity("QsJh2h", "66+,A8s+,KQo:0.5", "22+"),
    "match": lambda: eq.play_match("kuhn", {}, missing="uniform", hands=100, seed=1),
    "match without luck": lambda: eq.play_match(
        "kuhn", {}, missing="uniform", hands=10, seed=1, variance="aivat"
    ),
}


SPOTS = {
    "solution of a spot": lambda: eq.solve(SPOT, iterations=10),
    "decision": lambda: eq.poker.SolvedSpot(eq.solve(SPOT, iterations=10)).node(),
    "decision before the flop": lambda: HandClasses.of(eq.solve("push_fold", iterations=2)).node(),
    "charts": lambda: eq.poker.push_fold_charts([2, 8]),
}


@pytest.mark.parametrize(
    "make",
    [*RESULTS.values(), *(pytest.param(make, marks=pytest.mark.slow) for make in SPOTS.values())],
    ids=[*RESULTS, *SPOTS],
)
def test_a_terminal_and_html_say_the_same(make):
    blocks = registry.make_blocks(make())
    printed = words(print_blocks(blocks))
    marked_up = html_words(blocks)
    for text in contents(blocks):
        assert words(text) in printed
        assert words(text) in marked_up


def test_columns_leave_a_narrow_terminal_in_their_order():
    columns = [
        Column("first", [1.0], ".8f", leaves=2),
        Column("second", [2.0], ".8f", leaves=1),
        Column("third", [3.0], ".8f"),
    ]
    headings = []
    for width in (60, 30, 16):
        printed = print_blocks([Table(columns)], width)
        headings.append([column.heading for column in columns if column.heading in printed])
    assert headings == [["first", "second", "third"], ["first", "third"], ["third"]]


def test_what_is_unknown_is_said_as_such_in_one_place():
    values = [None, float("nan"), 0.5]
    assert Column("", values, ".1%").texts == ["–", "–", "50.0%"]
    assert Fact("", values, ".1%").texts == ["–", "–", "50.0%"]


def test_names_cannot_move_the_cursor_or_end_an_element():
    odd = "<b>\x1b[2J"
    blocks = [
        Facts([Fact(odd, odd, note=odd), odd], title=odd, about=odd),
        Table(
            [Column(odd, [odd]), Column("mix", [{odd: 0.25, "b": 0.75}], ".3f", bars=True)],
            title=odd,
            note=odd,
            rest=Rest(odd),
        ),
        Table([Column(odd, [odd])], is_small=True),
        Table([Column(odd, [odd])]),
    ]
    printed = print_blocks(blocks)
    marked_up = paint_markup(blocks)
    assert "\x1b" not in printed
    assert "\x1b" not in marked_up
    assert "<b>\\" not in marked_up


def shown_types():
    """Yield the types of the package that notebooks show, as the registry calls them."""
    root = Path(eq.__file__).parent
    for path in sorted(root.rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        if "Display" not in text:  # to parse all of the package takes seconds of every run
            continue
        for node in ast.walk(ast.parse(text)):
            bases = [ast.unparse(base) for base in getattr(node, "bases", [])]
            if "Display" in bases:
                yield f"{module}:{node.name}"


@pytest.mark.parametrize("name", sorted(shown_types()))
def test_every_type_that_notebooks_show_has_blocks(name):
    assert name in registry.BLOCKS or name in registry.FRAGMENTS


def test_every_place_in_the_registry_is_there():
    by_type = (registry.BLOCKS, registry.FRAGMENTS, registry.PAGES, registry.SUBJECTS)
    places = {place for table in by_type for pair in table.items() for place in pair}
    for place in (*places, *registry.PICTURES.values()):
        assert import_place(place)
