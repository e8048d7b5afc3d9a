"""Journeys through ranges: two on a board, saved and exported, from a preflop run to a flop, charts, and units."""

import json
import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.poker.cards.cards import CLASSES

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = (
    "holdem(board='Kh9s4d7c2h', oop='AA,AKs,QJs', ip='QQ,KJs', pot=100, stack=100, bets='50%, a')"
)


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranges")
    eq.solve(RIVER, until="0.5%", save=folder / "river")
    eq.solve("preflop(stack=10, sizes='2x; a')", iterations=100, save=folder / "preflop")
    return folder


def test_two_ranges_on_a_board(page, server, tmp_path):
    page.goto(f"{server.base}/equity?board=QsJh2h&oop=AhKh&ip=QdQc,JcJd:0.5")
    result = eq.poker.equity("QsJh2h", "AhKh", "QdQc,JcJd:0.5")
    expect(page.locator(".side").first).to_contain_text(f"{100 * result.equities[0]:.2f} %")
    expect(page.locator("table[aria-label='Made hands']")).to_contain_text("set")
    row = page.locator("tr[data-key='Qd']")
    expect(row).to_contain_text(f"{100 * result.removal(1)['Qd']:.1f} %")
    page.get_by_label("The board as a text, such as Qs Jh 2h").fill("QsJh2h3c")
    page.wait_for_url(re.compile("board=QsJh2h3c"))
    turn = eq.poker.equity("QsJh2h3c", "AhKh", "QdQc,JcJd:0.5")
    expect(page.locator(".side").first).to_contain_text(f"{100 * turn.equities[0]:.2f} %")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("board=QsJh2h&"))
    page.get_by_role("button", name="Redo").click()
    page.wait_for_url(re.compile("board=QsJh2h3c&"))
    page.get_by_role("button", name="Histogram").click()
    page.wait_for_url(re.compile("graph=tenths"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert (
        Path(download.value.path())
        .read_text(encoding="utf-8")
        .splitlines()[0]
        .startswith("player,hand,class,made")
    )
    page.select_option("select[aria-label=Deck]", "short")
    expect(page.locator(".pick-card:visible")).to_have_count(36)
    page.wait_for_url(re.compile("board=QsJh&"))  # the cards that this deck lacks are gone
    assert page.watch.problems == []


def test_ranges_are_saved_exported_and_used(page, server, tmp_path):
    page.goto(f"{server.base}/ranges")
    page.get_by_label("Search by name and position").first.fill("10 bb pushes")
    page.click("tr[data-key^='Heads-up 10 bb/SB pushes']")
    page.wait_for_selector("text=Of our own solution of push_fold(stack=10)")
    page.locator(".cell[data-name='72o']").click()  # painted with the brush
    page.wait_for_url(re.compile("text="))
    page.get_by_label("Name", exact=True).fill("mine/wide push")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url(re.compile(r"/ranges\?name=mine%2Fwide\+push"))
    kept = json.loads((server.folder / ".equilibrist" / "presets.json").read_text())["ranges"]
    assert [row["name"] for row in kept] == ["mine/wide push"]
    assert eq.poker.Range(kept[0]["text"]).weights[eq.poker.Range("7s2h").weights > 0] == 1
    page.get_by_label("Dialect of the export").select_option("json")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert eq.poker.Range(
        Path(download.value.path()).read_text(encoding="utf-8")
    ) == eq.poker.Range(kept[0]["text"])
    file = tmp_path / "gto.txt"
    file.write_text("[25]AKs[/25];\nQQ")
    page.get_by_label("Search by name and position").first.fill("")
    page.set_input_files("input[type=file]", file)
    page.wait_for_url(re.compile("name=gto"))
    expect(page.locator(".cell[data-name=AKs]")).to_have_attribute("aria-label", re.compile("25 %"))
    page.get_by_role("button", name="Delete").click()
    page.click(".toast button:has-text('Undo')")
    page.wait_for_selector("tr[data-key^='gto ']")
    page.goto(f"{server.base}/new/spot")
    page.get_by_role("button", name="Load …").last.click()
    page.click("dialog tr[data-key^='gto ']")
    page.wait_for_url(re.compile("AKs"))
    assert page.watch.problems == []


def test_a_class_is_chosen_at_the_decision_that_was_asked_for_while_it_is_on_its_way(page, server):
    """A click on the grid of the decision before is one at the decision of the address."""
    page.goto(f"{server.base}/runs/preflop")
    page.locator(".cell[data-name=AKs]").wait_for()
    held = []
    page.route("**/classes?line=R2", lambda route: held.append(route))  # noqa: PLW0108 - a built-in method takes no attributes
    page.get_by_role("link", name="BB after R2", exact=True).click()
    page.wait_for_url(re.compile("line=R2"))
    page.locator(".cell[data-name=AKs]").click()
    page.wait_for_url(re.compile("infoset=AKs(%20|\\+)R2&of=1"))
    for route in held:
        route.continue_()
    page.unroute("**/classes?line=R2")
    expect(page.locator(".infoset-detail")).to_contain_text("AKs R2")


def test_from_a_preflop_run_to_a_flop_and_charts(page, server):
    page.goto(f"{server.base}/runs/preflop")
    run = eq.load_solution(server.folder / "preflop")
    page.get_by_role("link", name="BB after R2", exact=True).click()
    page.locator(".cell[data-name=AKs]").click()
    page.wait_for_url(re.compile("infoset=AKs"))
    shares = ", ".join(
        f"{name} {100 * share:.1f} %" for name, share in run.strategy[1, "AKs R2"].items()
    )
    expect(page.locator(".cell[data-name=AKs]")).to_have_attribute(
        "title", re.compile(re.escape(shares))
    )
    expect(page.locator(".infoset-detail")).to_contain_text("AKs R2")
    page.get_by_role("button", name="To a flop …").click()
    page.locator("dialog select").select_option("R2-C")
    page.get_by_role("button", name="Open the spot").click()
    expect(page.locator("dialog .wrong").last).to_contain_text("board")
    page.get_by_label("The board as a text, such as Qs Jh 2h").last.fill("QsJh2h")
    page.get_by_role("button", name="Open the spot").click()
    page.wait_for_url(re.compile("/new/spot"))
    settings = eq.load(run.game).spot(run.strategy, "R2-C", "QsJh2h").settings
    expect(page.get_by_label("Range of IP as a text")).to_have_value(settings["ip"])
    expect(page.get_by_label("Stack", exact=True)).to_have_value("8")
    page.goto(f"{server.base}/charts?stacks=4..8&step=4&action=call")
    chart = eq.poker.push_fold_charts([4, 8], until=1e-6)
    expect(page.locator(".cell[data-name=Q2o]")).to_contain_text(
        f"{chart.highest('call')[CLASSES.index('Q2o')]:g}"
    )
    expect(page.locator("[data-key=AA]")).to_contain_text(chart.text("push", "AA"))
    page.get_by_label("Stack", exact=True).select_option("8")
    page.wait_for_url(re.compile("at=8"))
    page.reload()  # the address has all of it
    expect(page.locator(".cell[data-name=AA]")).to_have_attribute(
        "aria-label", "AA: call 100.0 % at 8 bb"
    )
    expect(page.get_by_label("Stack", exact=True)).to_have_value("8")
    page.get_by_role("link", name="As a range").click()
    page.wait_for_url(re.compile("/ranges"))
    assert [
        problem for problem in page.watch.problems if "400" not in problem
    ] == []  # that of the board


def test_a_spot_in_other_units(page, server):
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "river")).node()
    page.goto(f"{server.base}/runs/river/spot")
    side = page.locator(".side").first
    expect(side).to_contain_text(f"{node.evs[0]:.2f}".rstrip("0"))
    page.get_by_role("button", name="Net").click()
    page.wait_for_url(re.compile("unit=net"))
    expect(side).to_contain_text(
        f"{node.evs[0] - 50:.2f}".rstrip("0").replace("-", "\N{MINUS SIGN}")
    )
    page.get_by_role("button", name="bb", exact=True).click()
    page.get_by_label("Chips of a big blind").fill("4")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("bb=4"))
    expect(side).to_contain_text(f"{node.evs[0] / 4:.2f}".rstrip("0"))
    expect(page.locator(".spot-head .stats")).to_contain_text("25")  # the pot
    page.goto(f"{server.base}/runs/river/spot")  # the unit stays
    expect(side).to_contain_text(f"{node.evs[0]:.2f}".rstrip("0"))
    page.get_by_role("button", name="% pot").click()
    expect(side).to_contain_text(f"{node.evs[0]:.2f} %")
    assert page.watch.problems == []
