"""Journeys through the form of a new spot: what a file, an address or a run brings is solved, all of it."""

import json
import tomllib
from urllib.parse import parse_qs, quote, urlsplit

import pytest

import equilibrist as eq
from support.spot_settings import TOGETHER, meaning, spots

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = {
    "board": "AsKs7s2s9d",
    "oop": "QQ,98s",
    "ip": "JJ,T9s",
    "pot": 100,
    "stack": 400,
    "bets": "50%; 3x",
    "locks": [{"line": "B50", "strategy": {"F": 0.8, "C": 0.2}}],
}
LOCKS = """
[[locks]]
line = "B50"
strategy = {F = 0.8, C = 0.2}

[[locks]]
line = "X-B50"
strategy = {C = 1.0}
hands = "QQ"
"""
FILE = """
board = "AsKs7s2s9d"
oop = "QQ,98s"
ip = "JJ,T9s"
pot = 100
stack = 400
bets = "50%; 3x"
"""


def spot_of(page):
    """Return the settings in the address."""
    return json.loads(parse_qs(urlsplit(page.url).query)["spot"][0])


def open_spot(page, server, settings):
    """Open the form with settings, and wait until both ranges are read."""
    page.goto(f"{server.base}/new/spot?spot={quote(json.dumps(settings))}")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")


def save_file(page):
    """Return the settings of the file that the page saves."""
    with page.expect_download() as saved:
        page.click("text=Save as a file")
    return tomllib.loads(saved.value.path().read_text(encoding="utf-8"))


def load_text(page, text, name="spot.toml"):
    page.set_input_files(
        "input[aria-label='Spot file']", {"name": name, "mimeType": "", "buffer": text.encode()}
    )
    page.wait_for_selector(f".toast:has-text('Loaded {name}')")


def test_every_setting_goes_through_the_form(page, server):
    for settings in spots():
        through = page.evaluate(
            """async (settings) => {
              const { formOf, settingsOf } = await import("/static/js/poker/spot-settings.js");
              return settingsOf(formOf(settings));
            }""",
            settings,
        )
        assert meaning(through) == meaning(settings)
    open_spot(page, server, TOGETHER)
    assert meaning(spot_of(page)) == meaning(TOGETHER)
    assert meaning(save_file(page)) == meaning(TOGETHER)
    page.click("text=Many boards")
    expect(page.locator(".spot-about")).to_contain_text("The spot begins after X-B120. 1 lock.")
    assert meaning(spot_of(page)) == meaning(TOGETHER)
    assert page.watch.problems == []


def test_locks_of_a_file_are_told_solved_and_removed(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    expect(page.locator(".carried")).to_be_hidden()
    load_text(page, FILE + LOCKS)
    carried = page.locator(".carried")
    expect(carried).to_contain_text("2 locks")
    page.click(".carried summary")
    expect(carried).to_contain_text("B50: F 80 %, C 20 %")
    expect(carried).to_contain_text("X-B50: C 100 %, with QQ")
    assert len(save_file(page)["locks"]) == 2
    page.fill("input[name=iterations]", "5")
    page.click("button[type=submit]")
    page.wait_for_selector("a:has-text('Study')")
    expect(page.locator("main")).to_contain_text("2 locks")
    run = next(folder for folder in server.folder.iterdir() if folder.name.startswith("Holdem"))
    assert eq.load_solution(run).game.count("'strategy'") == 2
    page.go_back()
    page.wait_for_selector(".carried:has-text('2 locks')")
    page.click("[aria-label='Remove: 2 locks']")
    expect(page.locator(".carried")).to_be_hidden()
    assert "locks" not in spot_of(page)
    page.keyboard.press("Control+z")
    expect(page.locator(".carried")).to_contain_text("2 locks")
    assert page.watch.problems == []


def test_locks_are_edited_added_and_removed(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    load_text(page, FILE + LOCKS)
    page.click("summary:has-text('Locks: 2')")
    expect(page.get_by_label("Plays, in %").first).to_have_value("F 80, C 20")
    page.get_by_label("Plays, in %").first.fill("F 60, C 40")
    expect(page.locator(".carried")).to_contain_text("2 locks")
    first, second = spot_of(page)["locks"]
    assert first["strategy"] == {"F": "60%", "C": "40%"}
    assert second == tomllib.loads(LOCKS)["locks"][1]  # to which nobody came
    page.click("text=Add a lock")
    page.get_by_label("Plays, in %").last.fill("x")
    page.get_by_label("Only these hands").last.fill("underpair or low pair")
    page.wait_for_selector(".carried:has-text('3 locks')")
    assert spot_of(page)["locks"][2] == {
        "line": "",
        "strategy": {"X": "100%"},
        "hands": "underpair or low pair",
    }
    assert len(save_file(page)["locks"]) == 3  # which the server has read
    page.get_by_label("Only these hands").last.fill("top pear or set")
    expect(
        page.locator(".wrong:has-text(\"'top pear' at character 1 is no hand\")").first
    ).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.click("[aria-label='Remove lock 3']")
    page.click("[aria-label='Remove lock 1']")
    expect(page.locator(".carried")).to_contain_text("1 lock")
    assert spot_of(page)["locks"] == [second]
    page.keyboard.press("Control+z")
    expect(page.locator(".carried")).to_contain_text("2 locks")


def test_a_spot_that_begins_later_stays_so(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    load_text(page, 'after = "X"\n' + FILE)
    expect(page.locator(".carried")).to_contain_text("The spot begins after X")
    assert spot_of(page)["after"] == "X"
    expect(page.locator(".tree [aria-label^='Add a size']")).to_have_count(
        0
    )  # its lines are those of a part
    page.click("[aria-label^='Remove: The spot begins']")
    expect(page.locator(".tree [aria-label^='Add a size']")).not_to_have_count(0)
    assert page.watch.problems == []


def test_a_locked_run_is_edited_with_its_locks(page, server):
    spot = ", ".join(f"{name}={value!r}" for name, value in RIVER.items())
    eq.solve(f"holdem({spot})", iterations=10, save=server.folder / "locked")
    page.goto(f"{server.base}/runs/locked/spot")
    page.click("text=Edit the tree")
    expect(page.locator(".carried")).to_contain_text("1 lock")
    assert spot_of(page)["locks"] == RIVER["locks"]
    page.fill("input[name=pot]", "5")  # with which the locked line is not there
    expect(page.locator(".wrong:has-text('B50')").first).to_be_visible()


def test_an_address_that_cannot_be_shown_says_so(page, server):
    settings = quote('{"board":5}')
    page.goto(f"{server.base}/new/spot?spot={settings}")
    expect(page.locator(".toast.wrong")).to_contain_text("board must be cards as a text")
    page.wait_for_selector(".takes dt:has-text('Betting tree')")
    assert page.watch.problems == []
