"""Tables and numbers of the command: what fits, and three digits everywhere."""

import io

import pytest
from rich.console import Console

import equilibrist as eq
from equilibrist.cli.progress import Progress
from equilibrist.show.columns import bar, fit_table, pack_pieces
from equilibrist.show.numbers import format_count, format_seconds


def headings(columns, width, **options):
    return [column.header for column in fit_table("", columns, width, **options).columns]


def test_columns_are_dropped_in_order_until_the_rest_fits():
    columns = {"a": ["1" * 10], "b": ["2" * 10], "c": ["3" * 10]}
    assert headings(columns, 40) == ["a", "b", "c"]
    assert headings(columns, 39, droppable=("b", "c")) == ["a", "c"]
    assert headings(columns, 26, droppable=("b", "c")) == ["a"]
    assert headings(columns, 5, droppable=("b", "c")) == ["a"]  # what may not be dropped is folded


def test_words_stay_whole_as_long_as_there_is_room():
    columns = {"runs": ["1"], "sampling": ["full(pruning='zero-reach'), all"], "more": ["2" * 9]}
    tables = {
        width: printed(columns, width, text=("sampling",), last=("runs",)) for width in (60, 40, 30)
    }
    assert "│ full(pruning='zero-reach'), all │" in tables[60]
    assert ["runs" in table for table in tables.values()] == [True, True, False]
    for width in (40, 30):
        lines = [line.split("│") for line in tables[width].splitlines()[3:-1]]
        assert [line[-3].strip() for line in lines] == ["full(pruning=", "'zero-reach'),", "all"]
        assert max(map(len, tables[width].splitlines())) <= width


def printed(columns, width, **options):
    console = Console(width=width, file=io.StringIO())
    console.print(fit_table("", columns, width, **options))
    return console.file.getvalue()


@pytest.mark.parametrize("width", range(20, 40))
def test_a_time_is_as_wide_as_any(width):
    kept = {
        tuple(headings({"time": [time], "other": ["x" * 15]}, width, droppable=("other",)))
        for time in ("0 s", "9 ms", "123 µs", "12.3 µs")
    }
    assert len(kept) == 1


def test_wide_characters_count_twice():
    columns = {"name": ["手牌"], "more": ["x"]}
    assert headings(columns, 15, droppable=("more",)) == ["name", "more"]
    assert headings(columns, 14, droppable=("more",)) == ["name"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *(
            (0, "0"),
            (950, "950"),
            (999, "999"),
            (999.6, "1 k"),
            (1_234, "1.23 k"),
            (99_960, "100 k"),
        ),
        *(
            (999_400, "999 k"),
            (999_600, "1 M"),
            (45.6e6, "45.6 M"),
            (999.6e6, "1 G"),
            (7.89e9, "7.89 G"),
        ),
        (1.5e12, "1500 G"),
    ],
)
def test_counts_have_three_digits(number, text):
    assert format_count(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *(
            (0, "0 µs"),
            (12.34e-6, "12.3 µs"),
            (999.7e-6, "1 ms"),
            (4.56e-3, "4.56 ms"),
            (0.9996, "1 s"),
        ),
        *((7.891, "7.89 s"), (999.7, "1,000 s"), (1234.4, "1,234 s")),
    ],
)
def test_times_have_three_digits(seconds, text):
    assert format_seconds(seconds) == text


def test_bars():
    assert [bar(share) for share in (-1, 0, 1 / 16, 1, 2)] == [
        " " * 8,
        " " * 8,
        "▌".ljust(8),
        "█" * 8,
        "█" * 8,
    ]


@pytest.mark.parametrize("width", [1, 9, 20, 31, 200])
def test_pieces_are_never_broken(width):
    pieces = ["p ████ 0.5", "call ▏ 0.01", "r  1.0"]
    lines = pack_pieces(pieces, width).splitlines()
    assert [piece for line in lines for piece in pieces if piece in line] == pieces
    assert all(len(line) <= max(width, len("call ▏ 0.01")) for line in lines)
    assert len(lines) == {1: 3, 9: 3, 20: 3, 31: 2, 200: 1}[width]


def test_a_log_has_the_newest_line_of_a_long_stage_ever_more_rarely(capsys):
    progress = Progress("a game", Console())
    progress.patience = 60.0
    progress.stage("Compiling a:b")
    progress.stage("Compiling a:b: 1 histories")
    timer = progress.timer
    progress.stage("Compiling a:b: 2 histories")
    assert progress.timer is timer  # it is not put off
    timer.function()
    assert capsys.readouterr().err == "Compiling a:b: 2 histories …\n"
    timer.cancel()
    timer.join()
    progress.stage("Compiling a:b: 3 histories")
    assert progress.timer.interval == 120
    progress.stage("Solving a:b")
    assert progress.timer.interval == 60
    progress.timer.cancel()


def test_the_progress_of_a_spot_has_ev_and_the_first_decision_below_the_table(capsys):
    progress = Progress("a spot", Console(width=100))
    point = eq.types.Checkpoint(
        1, 10, 0.1, (12.345, 7.655), (1.0, 1.0), {"exploitability": 1.0, "nash_conv": 2.0}
    )
    progress.checkpoint(point)
    progress.first_decision(point, {"X": 0.25, "B50": 0.75})
    progress.console.print(progress)
    assert "EV 12.35 / 7.66   first decision: X 25.0%   B50 75.0%\n" in capsys.readouterr().out
