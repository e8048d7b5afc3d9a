"""Reports and notebooks on spots of hold'em."""

import re

import pytest

import equilibrist as eq

SPOT = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"


@pytest.mark.slow
def test_report_shows_the_decisions_of_the_first_street(tmp_path):
    solution = eq.solve(SPOT, until=1e-4)
    assert eq.write_report(solution, tmp_path / "report.html") == {}
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    titles = re.findall("<h3>(.*?)</h3>", text)
    assert titles[0] == "OOP at the start, board 2s3h4d6c7c, pot 20"
    assert set(titles[1:]) == {
        "IP after X, board 2s3h4d6c7c, pot 20",
        "IP after A10, board 2s3h4d6c7c, pot 30",
        "OOP after X-A10 †, board 2s3h4d6c7c, pot 30",  # which never happens
    }
    assert "a Nash equilibrium promises nothing there" in text
    assert text.count("<img") == 5  # the convergence, and four grids
    assert re.search(r"<td>OOP</td><td class=\"n\">13\.33\d\d</td><td class=\"n\">66\.67%", text)
    assert "search infosets" not in text


@pytest.mark.slow
def test_notebooks_show_the_first_decision():
    solution = eq.solve(SPOT, until=1e-4)
    node = eq.poker.SolvedSpot(solution).node()
    for thing in (solution, solution.strategy, node):
        assert "<h3>OOP at the start" in thing.to_html()
        assert "<th>infoset</th>" not in thing.to_html()  # no table of infosets
