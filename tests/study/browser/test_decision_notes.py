"""Notes at decisions of a spot: written, shown on return, listed with links, saved as a file; by axe in both themes."""

import csv
import io
from pathlib import Path

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
SPOT = eq.poker.Holdem(
    "Td9d6hQc2s", "AA,KK,QJs", "KK,JTs,QTo", pot=100, stack=300, bets="50%, a; 60%"
)


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("noted")
    eq.solve(SPOT, iterations=20, save=folder / "river")
    return folder


def add(page, text):
    page.get_by_role("button", name="Add a note").click()
    page.get_by_role("textbox", name="Note").fill(text)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".note-here .card p")).to_have_text(text)


def test_notes_are_written_shown_on_return_listed_and_saved(page, server):
    page.goto(f"{server.base}/runs/river/spot?line=X")
    tag = page.locator(".spot-head").get_by_role("button", name="note")
    expect(page.get_by_role("button", name="Add a note")).to_be_visible()
    expect(tag).to_have_count(0)
    add(page, "Bets <b>often</b>:\nKK first.")
    expect(tag).to_have_text("1 note")
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Add a note")).to_be_visible()  # another decision
    add(page, "Checks nearly always.")
    page.reload()
    expect(page.locator(".note-here .card p")).to_have_text("Checks nearly always.")
    tag.click()
    notes = page.locator("dialog li")
    expect(notes).to_have_count(2)
    with page.expect_download() as download:
        page.locator("dialog").get_by_text("CSV").click()
    assert download.value.suggested_filename == "river-notes.csv"
    rows = list(csv.reader(io.StringIO(download.value.path().read_text())))
    assert rows[1:] == [
        ["Td9d6hQc2s", "", "Checks nearly always."],
        ["Td9d6hQc2s", "X", "Bets <b>often</b>:\nKK first."],
    ]
    notes.nth(1).get_by_role("link").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".note-here .card p")).to_have_text("Bets <b>often</b>:\nKK first.")
    page.get_by_role("button", name="Edit the note").click()
    page.get_by_role("textbox", name="Note").fill("")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Add a note")).to_be_visible()
    expect(tag).to_have_text("1 note")
    assert page.watch.problems == []


def test_a_note_that_cannot_be_kept_is_told_in_its_dialog(page, server):
    page.goto(f"{server.base}/runs/river/spot")
    page.get_by_role("button", name="Add a note").click()
    box = page.get_by_role("textbox", name="Note")
    box.evaluate("area => area.removeAttribute('maxlength')")
    box.fill("x" * 5_001)
    page.get_by_role("button", name="Save", exact=True).click()
    wrong = page.locator("dialog .help.wrong")
    expect(wrong).to_have_text("text must have at most 5,000 characters; got 5,001.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add a note")).to_be_visible()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci")
def test_a_note_that_somebody_else_has_written_since_is_in_the_dialog(page, new_page, server):
    page.goto(f"{server.base}/runs/river/spot?line=X-B50")
    expect(page.get_by_role("button", name="Add a note")).to_be_visible()
    other = new_page()
    other.goto(server.url)
    other.goto(f"{server.base}/runs/river/spot?line=X-B50")
    add(other, "Folds queens.")
    page.get_by_role("button", name="Add a note").click()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("Folds queens.")
    page.keyboard.press("Escape")
    expect(page.locator(".note-here .card p")).to_have_text("Folds queens.")


@pytest.mark.parametrize("width", [1280, 390])
def test_notes_by_axe_in_both_themes(new_page, server, width):
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(server.url)
    page.goto(f"{server.base}/runs/river/spot")
    add(page, "Checks nearly always. " + "x" * 300)
    page.evaluate(AXE.read_text())
    for theme in ("light", "dark"):
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        for name in (None, "1 note", "Edit the note"):
            if name:
                page.get_by_role("button", name=name).click()
                page.wait_for_selector("dialog[open]")
            violations = page.evaluate("() => axe.run().then(({violations}) => violations)")
            found = [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]
            assert found == [], (theme, name)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.keyboard.press("Escape")
