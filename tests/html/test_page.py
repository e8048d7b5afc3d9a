"""The interactive page of a run: one file that Plotly takes, which needs no network and shows names as they are."""

import json
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.game.protocol import CHANCE
from equilibrist.html.page import write_page
from equilibrist.plot.kinds import KINDS, OF_GAMES
from support.command import call
from support.spelled import Spelled, end

pytest.importorskip("plotly")

from equilibrist.html.charts import charts


class Scripts(HTMLParser):
    """Keeps the scripts of a page, each with its attributes, and what the page links to."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.links, self.titles, self.inside = [], [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.links += [value for name, value in attrs if name in ("src", "href", "srcset")]
        if tag == "script":
            self.scripts.append([dict(attrs), ""])

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1][1] += data
        if self.inside in ("h1", "option"):
            self.titles.append(data)

    @property
    def figures(self):
        (content,) = (text for attrs, text in self.scripts if attrs.get("id") == "figures")
        return json.loads(content, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


@pytest.fixture(scope="module")
def run():
    return eq.solve("kuhn", "cfr", iterations=500, record="all")


def written(solution, path, **options):
    """Return the page of a run."""
    skipped = write_page(solution, path, **options)
    return skipped, Scripts(path.read_text(encoding="utf-8"))


def test_page_is_one_file_that_plotly_takes(run, tmp_path):
    skipped, page = written(run, tmp_path / "run.html", game="kuhn")
    assert skipped.keys() == {"simplex"}  # for which the game lacks a third action
    assert page.links == []
    assert page.titles[0] == "kuhn"
    found, _ = charts(run, game="kuhn")
    assert [chart.kind for chart in found] == [
        kind for kind in KINDS if kind not in ("simplex", "landscape", *OF_GAMES)
    ]
    assert [len(views) for views in page.figures["charts"]] == [len(chart.views) for chart in found]
    assert page.figures["themes"].keys() == {"light", "dark"}


def test_a_spot_has_the_grids_of_the_decisions_that_are_reached_most(tmp_path):
    spot = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
    solution = eq.solve(spot, until=1e-4)
    skipped, page = written(solution, tmp_path / "run.html")
    assert skipped == {}
    assert page.titles[-4:] == ["OOP at the start", "IP after A10", "IP after X", "OOP after X-A10"]
    first = page.figures["charts"][1][0]["data"]
    assert [bar["name"] for bar in first[:2]] == ["check 33.3%", "all-in 10 66.7%"]
    aces, queens = (np.array([bar["x"][k] for bar in first[:2]]) for k in range(2))
    assert aces / aces.sum() == pytest.approx([0, 1], abs=1e-3)
    assert queens / queens.sum() == pytest.approx([2 / 3, 1 / 3], abs=1e-3)
    assert first[0]["customdata"][0].startswith("AA: 17% in the range, EV 26.67<br>check 0.0%, all-in 10 100.0%")
    _, page = written(solution, tmp_path / "one.html", kinds=["range"], nodes=[eq.SolvedSpot(solution).node("A10")])
    assert len(page.figures["charts"]) == len(page.figures["charts"][0]) == 1


def test_simplex_has_the_recorded_strategies():
    solution = eq.solve("rps", "cfr", iterations=20, record="all", record_every=1)
    (chart,), _ = charts(solution, kinds=["simplex"])
    assert list(chart.views) == ["row", "column"]
    *_, now, mean = chart.views["row"].data
    recorded = solution.recording.at("row")
    for line, wanted in ((now, recorded.strategy), (mean, recorded.average_strategy)):
        assert line.y == pytest.approx(wanted[:, 2] * 0.75**0.5)  # as high as the third action is probable
        assert line.x == pytest.approx(wanted[:, 1] + wanted[:, 2] / 2)


def test_scatter_has_the_points_of_the_spiral(run):
    (spiral, scatter), _ = charts(run, game="kuhn", kinds=["spiral", "scatter"])
    for one, other in zip(spiral.views[""].data, scatter.views[""].data, strict=True):
        assert (one.x == other.x).all()
        assert (one.y == other.y).all()
        assert (one.mode, other.mode) == ("lines+markers", "markers")


def test_bars_are_the_strategy(run):
    (chart,), _ = charts(run, game="kuhn", kinds=["strategy"])
    figure = chart.views["player 0"]
    labels = figure.layout.yaxis.ticktext
    (bets,) = [bar for bar in figure.data if bar.name == "bet"]
    drawn = {labels[y].removesuffix(" ="): x for y, x in zip(bets.y, bets.x, strict=True)}
    assert drawn == {key: row["bet"] for (player, key), row in run.strategy.items() if "bet" in row and player == 0}


def test_odd_names_are_shown_as_they_are(tmp_path):
    leaves = {"<script>": end(1, -1), "$x": (1, "い\x1b[2J", {"ß": end(0, 0), "": end(2, -2)})}
    inner = {"$\\alpha$": (0, "_手牌$1\n<b>", leaves), "\t": (0, "%s {x}", {"a": end(0, 0), "b" * 90: end(-1, 1)})}
    game = Spelled(2, (CHANCE, [0.5, 0.5], inner))
    solution = eq.solve(game, "cfr", iterations=50, record="all")
    _, page = written(solution, tmp_path / "odd.html", game=game)
    assert len(page.scripts) == 3  # the figures, Plotly, and what draws
    assert "\x1b" not in page.scripts[0][1] + "".join(page.titles)


def test_names_cannot_leave_their_place(tmp_path):
    names = ["</script><script>alert(1)</script>", "<!--<script>", "</select><h1>", "&amp;"]
    inner = {name: end(1, -1) for name in names}
    game = Spelled(2, (0, "first", {name: (1, f"then {name}", inner) for name in names}))
    _, page = written(eq.solve(game, iterations=5, record="all"), tmp_path / "places.html", game=game)
    assert len(page.scripts) == 3
    for name in names:
        assert f"then {name}" in page.titles


def test_what_was_met_late_leaves_a_gap(tmp_path):
    keys = ["K", "Krc/Q", "Qrc/J", "Krc/Kcr"]
    late = eq.solve("leduc", sampling="outcome(tree=False)", iterations=400, record=keys, record_every=1, seed=1)
    skipped, page = written(late, tmp_path / "late.html")
    assert skipped.keys() == {"convergence"}
    assert page.figures


def test_nothing_met_leaves_the_rest():
    solution = eq.solve("kuhn", sampling="external(tree=False)", iterations=5, record=["nowhere"])
    assert "regret" not in charts(solution)[1]


def test_one_checkpoint_is_seen():
    once = eq.solve("kuhn", iterations=1, record="all")
    found, _ = charts(once, kinds=["trajectories", "regret"])
    lines = [trace for chart in found for figure in chart.views.values() for trace in figure.data]
    assert {line.mode for line in lines if line.type == "scatter"} == {"lines+markers"}


def test_page_draws_the_infosets_that_were_asked_for(run):
    (spiral,), _ = charts(run, kinds=["spiral"], infosets=["K", "Jp"])
    assert spiral.views[""].layout.xaxis.title.text == "probability of bet at K"
    assert spiral.views[""].layout.yaxis.title.text == "probability of bet at Jp"


def test_page_without_plotly(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(eq.SolutionError, match=r"pip install '\.\[interactive\]'"):
        write_page(run, tmp_path / "run.html")
    assert not (tmp_path / "run.html").exists()


def test_page_by_the_command(capsys, somewhere, run, tmp_path):
    run.save("kuhn")
    assert call(capsys, "plot", "kuhn", "--out", "run.html", "--json").json["files"] == ["run.html"]
    assert (tmp_path / "run.html").stat().st_size > 1_000_000
    call(capsys, "plot", "kuhn", "--out", "t.html", "--kind", "tree").fails(1, "The page has no such chart")
