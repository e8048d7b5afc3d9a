"""The page about a run, and what a notebook shows: complete, self-contained, and safe to open."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.show import markup
from support.command import call
from support.random_games import RandomGame

VOID = {"br", "hr", "img", "input", "meta", "source"}


class Page(HTMLParser):
    """Reads HTML, refusing tags that do not match; keeps the texts of table cells and what is linked."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.rows, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href", "srcset")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def kuhn():
    return eq.solve("kuhn", "cfr", iterations=300, record="all")


def test_page_is_complete_and_needs_nothing_else(kuhn, tmp_path, undrawn):
    assert eq.write_report(kuhn, tmp_path / "page.html") == {}
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert all(link.startswith(("#", "data:image/svg+xml;base64,")) for link in page.links)
    assert f"{kuhn.exploitability:.6e}" in page.text
    shown = {
        (row[0], row[1]): row[2]
        for row in page.rows
        if len(row) == 3 and row[2].startswith(("pass", "fold"))
    }
    for (player, key), strategy in kuhn.strategy.items():
        for action, p in strategy.items():
            assert f"{action}{p:.3f}" in shown[str(player), key]
    for heading in (
        "Convergence",
        "Strategy at a glance",
        "Game tree",
        "Movement",
        "Regret",
        "Where it loses",
    ):
        assert heading in page.text
    assert "1.0e-308" not in page.text


@pytest.mark.slow
def test_strategies_over_three_actions_are_drawn_where_they_were_recorded(tmp_path):
    eq.write_report(eq.solve("rps", "cfr", iterations=20, record="all"), tmp_path / "page.html")
    assert "Three actions" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_report_compiles_its_game_once(kuhn, tmp_path, monkeypatch):
    from equilibrist.plot import inputs

    rules = []
    compile_with_reach = inputs.compile_with_reach

    def compiling(game, *limits, **how):
        if not inputs.is_compiled(game):
            rules.append(game)
        return compile_with_reach(game, *limits, **how)

    monkeypatch.setattr(inputs, "compile_with_reach", compiling)
    assert eq.write_report(kuhn, tmp_path / "page.html") == {}
    assert len(rules) == 1


@pytest.mark.slow
def test_what_cannot_be_shown_is_left_out(tmp_path):
    unrecorded = eq.solve("liars_dice(faces=3)", iterations=10)
    lacking = eq.write_report(unrecorded, tmp_path / "page.html")
    assert list(lacking) == ["Movement"]
    own = eq.solve(RandomGame(1), iterations=10)  # a game that has no text to load it by
    lacking = eq.write_report(own, tmp_path / "page.html")
    assert "Where it loses" in lacking
    assert "Where it loses" not in str(
        eq.write_report(own, tmp_path / "page.html", game=RandomGame(1))
    )
    lazy_table = eq.solve("kuhn", sampling="external(tree=False)", iterations=500)
    assert "Convergence" in str(eq.write_report(lazy_table, tmp_path / "page.html"))
    assert "Left out" in Page((tmp_path / "page.html").read_text(encoding="utf-8")).text


@pytest.mark.slow
def test_page_of_a_run_whose_game_has_vanished(tmp_path):
    """The strategy, its certificate and its trace are in the run; what needs the rules is left out, and says why."""
    rules = (Path(__file__).parents[2] / "examples" / "my_game.py").read_text(encoding="utf-8")
    (tmp_path / "mine.py").write_text(rules, encoding="utf-8")
    eq.solve(f"{tmp_path / 'mine.py'}:MyKuhn", iterations=50, record="all").save(tmp_path / "run")
    (tmp_path / "mine.py").unlink()
    lacking = eq.write_report(tmp_path / "run", tmp_path / "page.html", trust=True)
    assert {"Game tree", "Where it loses"} <= set(lacking)
    assert all("There is no file" in reason for reason in lacking.values())
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert len([row for row in page.rows if row[0] in ("0", "1") and len(row) == 3]) >= 12


def test_a_large_strategy_is_cut_and_says_so(tmp_path, monkeypatch, undrawn):
    monkeypatch.setattr("equilibrist.runs.report._MOST_ROWS", 10)
    eq.write_report(eq.solve("leduc", iterations=2), tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "10 infosets (the first 10 of 288 are on this page)" in page.text
    assert (
        len(
            [
                row
                for row in page.rows
                if len(row) == 3 and row[2].startswith(("f", "c", "r", "k", "b"))
            ]
        )
        == 10
    )


def test_names_are_shown_as_they_are():
    odd = "<script>alert('x')</script> & \x1b[2J\n"
    strategy = eq.Strategy.from_dict({(0, odd): {odd: 0.25, "b": 0.75}})
    shown = strategy._repr_html_()
    assert "<script>" not in shown
    assert "\x1b" not in shown
    assert Page(shown).rows[1][1] == markup.escape_controls(odd)


@pytest.mark.parametrize(
    "make",
    [
        lambda: eq.load("kuhn(cards=4)"),
        lambda: eq.compile_game(eq.load("kuhn")),
        lambda: eq.compile_public(eq.load("kuhn").public_states()),
        lambda: eq.evaluate("kuhn", {}, missing="uniform"),
        lambda: eq.learn.explain("kuhn", deal="QK"),
        lambda: eq.play_match("kuhn", {}, missing="uniform", hands=100, seed=1),
        lambda: eq.play_match("kuhn", {}, missing="uniform", hands=1, seed=1),
        lambda: eq.play_match("kuhn", {}, missing="uniform", hands=10, seed=1, variance="aivat"),
    ],
    ids=[
        "game",
        "sequence form",
        "public form",
        "evaluation",
        "explanation",
        "match",
        "match of one hand",
        "match without luck",
    ],
)
def test_notebooks_show(make):
    thing = make()
    page = Page(thing._repr_html_())
    assert page.rows
    assert "nan" not in page.text


@pytest.mark.parametrize("form", ["sequence", "public", "cards"])
def test_notebooks_say_which_form_a_compiled_game_is(form):
    game = eq.load("kuhn")
    compiled = {
        "sequence": lambda: eq.compile_game(game),
        "public": lambda: eq.compile_public(game.public_states()),
        "cards": lambda: eq.compile_cards(game.card_game()),
    }[form]()
    assert f"kuhn, compiled: {form.removesuffix('s')} form" in Page(compiled._repr_html_()).text


def test_notebooks_show_solutions(kuhn, undrawn):
    page = Page(kuhn._repr_html_())
    assert f"{kuhn.exploitability:.6e} (nash_conv / players, payoff per game)" in [
        cell for row in page.rows for cell in row
    ]
    assert len([row for row in page.rows if row[0] in ("0", "1")]) == 12
    trace = Page(kuhn.trace._repr_html_())
    assert [int(row[0]) for row in trace.rows[1:]] == [
        point.iteration for point in (*kuhn.trace[:-1][::2], kuhn.trace[-1])
    ]
    recording = Page(kuhn.recording._repr_html_())
    assert len(recording.rows) == 13
    assert len(Page(kuhn.strategy._repr_html_()).rows) == 13
    long = Page(eq.solve("leduc", iterations=2).strategy._repr_html_())
    assert "and 264 more infosets" in long.text


@pytest.mark.parametrize("game", ["rps", "matching_pennies"])
def test_notebooks_show_a_solution_without_a_curve(game):
    """The first strategy is the equilibrium, so that no checkpoint can be drawn on logarithmic scales."""
    solution = eq.solve(game, iterations=5)
    assert {point.exploitability for point in solution.trace} == {0.0}
    assert Page(solution._repr_html_()).rows


class TestCommand:
    def test_writes_the_page(self, capsys, tmp_path):
        eq.solve("matching_pennies", iterations=3, save=tmp_path / "run")
        ran = call(capsys, "report", tmp_path / "run")
        assert (ran.code, ran.err) == (0, "")
        assert re.search(r"Wrote .*report\.html", ran.out.replace("\n", ""))
        Page((tmp_path / "run" / "report.html").read_text(encoding="utf-8"))
        told = call(
            capsys, "report", tmp_path / "run", "--out", tmp_path / "other.html", "--json"
        ).json
        assert told["files"] == [str(tmp_path / "other.html")]
        assert told["skipped"].keys() == {"Convergence", "Movement"}

    def test_mistakes(self, capsys, tmp_path, kuhn):
        call(capsys, "report", tmp_path / "none").fails(2, "There is no solution in")
        kuhn.save(tmp_path / "run")
        call(capsys, "report", tmp_path / "run", "--out", tmp_path / "no" / "page.html").fails(
            2, "make it first"
        )
