"""Journeys with other games than hold'em of 52 cards: Omaha and short deck, from a new spot to its solved decisions."""

import json
import re
import tomllib
from urllib.parse import parse_qs, urlsplit

import pytest

import equilibrist as eq
from support.browser import problems_of_axe

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect
RANGES = {"oop": "AAKK,QQJTds,JT98ss", "ip": "99AK,77AK:0.5"}


def spot_of(page):
    """Return the settings in the address."""
    return json.loads(parse_qs(urlsplit(page.url).query)["spot"][0])


def problems_of(page):
    """Return what the page complained of, but for ranges that were refused, as they are said beside them."""
    return [problem for problem in page.watch.problems if "400 (Bad Request)" not in problem]


def choose(page, game):
    page.get_by_label("Game").select_option(game)


def test_omaha_from_a_new_spot_to_the_hands_of_a_cell(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    choose(page, "omaha")
    oop = page.get_by_label("Range of OOP as a text").locator("visible=true")
    expect(oop).to_have_value(re.compile("AA:xxyy"))
    expect(page.locator(".four-cards [role=status]").locator("visible=true").last).to_contain_text(
        re.compile(r"\d hands on this board")
    )
    assert spot_of(page)["game"] == "omaha"
    expect(page.get_by_role("button", name="Many boards")).to_be_disabled()

    oop.fill("AA, KKK+")
    expect(page.locator(".four-cards .help.wrong").first).to_contain_text(
        "'KKK+' at character 5: a plus stands behind a pair, as in KK+"
    )
    page.get_by_label("The board as a text").fill("Kh 9s 4d 7c")
    oop.fill(RANGES["oop"])
    page.get_by_role("tab", name="IP").click()
    page.get_by_label("Range of IP as a text").locator("visible=true").fill(RANGES["ip"])
    expect(page.locator(".takes:not(.waiting)")).to_contain_text("138 OOP, 72 IP")
    expect(page.locator(".takes:not(.waiting)")).to_contain_text("Memory")
    assert problems_of_axe(page) == []

    with page.expect_download() as saved:
        page.click("text=Save as a file")
    text = saved.value.path().read_text(encoding="utf-8")
    assert tomllib.loads(text)["game"] == "omaha"
    choose(page, "full")
    page.set_input_files(
        "input[aria-label='Spot file']",
        {"name": "four.toml", "mimeType": "", "buffer": text.encode()},
    )
    page.wait_for_selector(".toast:has-text('Loaded four.toml')")
    expect(page.get_by_label("Game")).to_have_value("omaha")
    expect(page.locator(".takes")).to_contain_text("Memory")

    page.fill("input[name=iterations]", "20")
    page.click("button[type=submit]")
    page.wait_for_selector("a:has-text('Study')")
    expect(page.locator("#running")).to_be_empty()
    page.locator("a:has-text('Study')").first.click()
    page.wait_for_selector(".made-grid .cell[data-name]")
    folder = next(folder for folder in server.folder.iterdir() if folder.name.startswith("Omaha"))
    node = eq.poker.SolvedSpot(eq.load_solution(folder)).node()
    cells = node.made_cells(0)
    shown = page.locator(".made-grid .cell[data-name]")
    expect(shown).to_have_count(len(cells))
    for cell in cells:
        one = page.locator(f".made-grid .cell[data-name='{cell['name']}']")
        expect(one).to_have_text(f"{100 * cell['probability']:.1f} %")
    frequency = f"{100 * node.frequencies[0]:.1f} %"
    expect(page.locator(".actions li").first).to_contain_text(frequency)
    assert problems_of_axe(page) == []

    largest = max(cells, key=lambda cell: cell["probability"])
    page.locator(f".made-grid .cell[data-name='{largest['name']}']").click()
    expect(page.locator(".spot-hands h2")).to_contain_text(f"{largest['hands']} hand")
    expect(page.locator(".spot-hands h2")).to_contain_text(
        f"{100 * largest['probability']:.1f} % of the range"
    )
    expect(page.locator(".spot-hands tbody tr[data-key] .pc")).not_to_have_count(0)
    assert (
        page.locator(".spot-hands tbody tr[data-key]").first.locator("td .pc, th .pc").count() == 4
    )
    page.get_by_role("button", name="EV", exact=True).click()
    expect(page.locator(f".made-grid .cell[data-name='{largest['name']}']")).to_contain_text(
        re.compile(r"\d")
    )
    with page.expect_download() as picture:
        page.locator(".spot-grid .save-as").select_option("svg")
    said = re.sub("<[^>]*>", "", picture.value.path().read_text(encoding="utf-8"))
    assert "K♥9♠4♦7♣" in said
    assert "OOP at the first decision: EV" in said

    page.get_by_role("link", name="Edit the tree").click()
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    assert spot_of(page)["game"] == "omaha"
    expect(page.get_by_label("Game")).to_have_value("omaha")
    assert problems_of(page) == []


def test_ranges_of_four_cards_are_saved_and_loaded_apart(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    choose(page, "omaha")
    page.get_by_label("Range of OOP as a text").locator("visible=true").fill("AA:xxyy")
    page.locator(".four-cards").locator("visible=true").get_by_role("button", name="Save").click()
    page.get_by_role("dialog").get_by_label("Name").fill("four aces")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.wait_for_selector(".toast:has-text('Saved four aces')")
    page.locator(".four-cards").locator("visible=true").get_by_role("button", name="Load").click()
    rows = page.get_by_role("dialog").locator("tbody tr[data-key]")
    expect(rows).to_have_count(1)
    page.keyboard.press("Escape")
    choose(page, "full")
    expect(page.locator(".range-painter").first).to_be_visible()
    page.locator(".range-painter").locator("visible=true").get_by_role(
        "button", name="Load"
    ).click()
    expect(rows.filter(has_text="four aces")).to_have_count(0)
    assert problems_of(page) == []


def test_a_short_deck_has_a_grid_of_81_classes(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    choose(page, "short")
    painter = page.locator(".range-painter").locator("visible=true")
    expect(painter.locator(".grid13 .cell")).to_have_count(81)
    expect(painter.locator(".cell[data-name='55']")).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).last.click()
    expect(page.get_by_label("Game")).to_have_value("short")
    page.get_by_label("The board as a text").fill("Kh 9s 8d 7c 6h")
    for player, text in (("OOP", "AA,KQs"), ("IP", "QQ,JTs")):
        page.get_by_role("tab", name=player).click()
        page.get_by_label(f"Range of {player} as a text").locator("visible=true").fill(text)
    page.get_by_label("Pot", exact=True).fill("10")
    page.get_by_label("Stack", exact=True).fill("20")
    expect(page.locator(".takes")).to_contain_text("Memory")
    page.fill("input[name=iterations]", "5")
    page.click("button[type=submit]")
    page.locator("a:has-text('Study')").first.click()
    grid = page.locator(".spot-grid .grid13")
    expect(grid.locator(".cell")).to_have_count(81)
    expect(grid).to_have_attribute("aria-label", "The 81 classes of hands")
    expect(grid.locator(".cell[data-name='AA']")).to_have_attribute(
        "aria-label", re.compile("100 % in the range")
    )
    assert problems_of(page) == []


def test_a_filter_of_four_cards_narrows_grid_and_table(page, server):
    """The server reads it: counts are those of all hands, of which the table has a hundred a cell."""
    game = eq.poker.Omaha("Kh9s4d7c", RANGES["oop"], RANGES["ip"], pot=100, stack=100, bets="50%")
    node = eq.poker.SolvedSpot(eq.solve(game, iterations=5, save=server.folder / "four")).node()
    made = node.columns()["made"][node.ranges[0] > 0]
    page.goto(f"{server.base}/runs/four/spot")
    grid = page.locator(".made-grid")
    expect(grid.locator(".cell[data-name='pair, wrap']").first).to_be_visible()
    field = page.locator(".filter input")
    field.fill("set")
    field.press("Enter")
    expect(page.locator("h2", has_text="hands")).to_contain_text(f"{(made == 'set').sum()} hands")
    expect(grid.locator(".cell[data-name='pair, wrap']")).to_have_count(0)
    expect(page.get_by_role("button", name="Remove the filter set")).to_be_visible()
    assert problems_of_axe(page) == []
    page.reload()
    expect(grid.locator(".cell[data-name='pair, wrap']")).to_have_count(0)
    assert problems_of(page) == []
    field.fill("top set")
    field.press("Enter")
    wrong = page.locator(".filter .wrong[role=alert]")
    expect(wrong).to_contain_text("'top set' at character 6 is no hand, made hand, draw")
    page.get_by_role("button", name="Remove the filter top set").click()
    expect(wrong).to_have_count(0)
    page.get_by_role("button", name="Remove the filter set").click()
    expect(grid.locator(".cell[data-name='pair, wrap']").first).to_be_visible()
    assert problems_of(page) == []
