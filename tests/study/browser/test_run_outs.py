"""Journeys through run-outs of a solved spot of which only some hands are counted."""

import csv
import re

import pytest

import equilibrist as eq
from support.browser import problems_of_axe

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

TURN = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"
ONLY = "QQ or hearts"


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runouts")
    eq.solve(TURN, iterations=30, save=folder / "turn")
    return folder


def fill_filter(page, text):
    field = page.locator(".runouts .filter input")
    field.fill(text)
    field.press("Enter")


def expect_report(page, report, seat):
    """See the numbers of a report by texture, and the average in the heading."""
    textures = page.get_by_role("table", name="Run-outs by texture")
    for row in report.by_texture(["flush"]):
        told = textures.locator(f"tbody tr[data-key='{row['flush']}']")
        expect(told).to_contain_text(f"{100 * row[f'equity_{seat}']:.1f} %")
        expect(told.locator("td").nth(1)).to_have_text(str(row["boards"]))
    mean = report.mean()[f"ev_{seat}"]
    expect(page.locator(".runouts [role=status]")).to_contain_text(
        f"On average EV {seat.upper()} {mean:.2f}"
    )


def test_only_some_hands_are_counted_and_the_address_keeps_which(page, server):
    solution = eq.load_solution(server.folder / "turn")
    page.goto(f"{server.base}/runs/turn/spot?line=X-X")
    textures = page.get_by_role("table", name="Run-outs by texture")
    expect(textures).to_contain_text("EV IP")
    fill_filter(page, ONLY)
    of_oop = eq.poker.run_out_report(solution, "X-X", only=ONLY)
    expect_report(page, of_oop, "oop")
    expect(textures).not_to_contain_text("EV IP")
    expect(page).to_have_url(re.compile(r"only=QQ\+or\+hearts"))
    expect(page.locator(".deckmap a[href]")).to_have_count(48)
    assert problems_of_axe(page) == []

    page.reload()
    expect_report(page, of_oop, "oop")
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV", exact=True).click()
    rows = list(csv.DictReader(saved.value.path().read_text().splitlines()))
    assert [row["card"] for row in rows] == [row["card"] for row in of_oop.rows]
    assert [float(row["ev_oop"]) for row in rows] == [row["ev_oop"] for row in of_oop.rows]

    page.locator(".deckmap a[href]").first.click()
    expect(page.locator(".spot-hands .filter")).to_contain_text(ONLY)
    page.go_back()
    expect_report(page, of_oop, "oop")

    page.get_by_label("Whose hands are counted").select_option("IP")
    expect(page).to_have_url(re.compile("player=1"))
    expect_report(page, eq.poker.run_out_report(solution, "X-X", only=ONLY, player="IP"), "ip")
    expect(page.get_by_role("group", name="What the map shows")).not_to_contain_text("Actions")
    assert page.watch.problems == []


def test_what_is_wrong_with_a_filter_stands_at_its_field(page, server):
    page.goto(f"{server.base}/runs/turn/spot?line=X-X")
    fill_filter(page, "top sett")
    wrong = page.locator(".runouts .filter .wrong[role=alert]")
    expect(wrong).to_contain_text("'top sett' at character 1 is no hand, made hand, draw")
    expect(page.get_by_role("link", name="CSV", exact=True)).to_be_hidden()
    assert problems_of_axe(page) == []
    page.reload()
    expect(wrong).to_contain_text("'top sett'")
    page.get_by_role("button", name="Remove the filter top sett").click()
    expect(wrong).to_have_count(0)
    expect(page.locator(".runouts [role=status]")).to_contain_text("On average EV OOP")
    fill_filter(page, "AA")
    expect(page.locator(".runouts [role=status]")).to_have_text(
        "On all cards no hand of OOP passes."
    )
    page.goto(f"{server.base}/runs/turn/spot?line=X-X&only=QQ&player=7")
    expect(wrong).to_contain_text("player must be a whole number from 0 to 1")
    page.goto(f"{server.base}/runs/turn/spot?line=X-X&only=%20")  # no filter
    expect(page.locator(".runouts [role=status]")).to_contain_text(", IP")
    assert [one for one in page.watch.problems if "400 (Bad Request)" not in one] == []
    page.goto(f"{server.base}/runs/turn/spot?line=X&player=7")
    expect(page.locator(".notice")).to_contain_text(
        "player must be a whole number from 0 to 1; got '7'."
    )
