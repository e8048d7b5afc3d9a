"""Journeys through the library in a real browser."""

import re
import shutil

import pytest

import equilibrist as eq
from equilibrist.solving.notes import Notes, read_notes

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


def rows(page):
    return page.locator("table[aria-label=Runs] tbody tr")


def test_the_token_leaves_the_address_and_stays_as_a_cookie(page, server):
    expect(page).to_have_url(f"{server.base}/")
    page.goto(f"{server.base}/compare?run=kuhn")
    expect(page.get_by_role("heading", name="Compare")).to_be_visible()
    assert page.evaluate("document.cookie") == ""  # HttpOnly
    assert page.watch.problems == []


def test_without_the_token_there_is_a_door(new_page, server):
    page = new_page()
    page.goto(server.base)
    expect(page.get_by_text("open the address that equilibrist serve has printed")).to_be_visible()


def test_search_sort_open_and_back(page, server):
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Exploitability").click()
    expect(rows(page).first).to_contain_text("sapcfr+")
    expect(page).to_have_url(f"{server.base}/?sort=exploitability&order=up")
    page.get_by_label("Search runs").press_sequentially("CFR kuhn-c")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_label("Search runs")).to_be_focused()
    page.reload()  # what is shown is in the address
    expect(page.get_by_label("Search runs")).to_have_value("CFR kuhn-c")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name="kuhn-cfr").click()
    expect(page).to_have_url(f"{server.base}/runs/kuhn-cfr")
    page.go_back()
    expect(rows(page)).to_have_count(1)


def test_notes_and_tags(page, folder, server):
    page.get_by_role("button", name="More for kuhn", exact=True).click()
    page.get_by_label("Tags").fill("two words")
    page.get_by_label("Notes").fill("Limps less.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("A tag is a word")).to_be_visible()
    page.get_by_label("Tags").fill("turn, 3bet")
    page.get_by_label("Tags").press("Enter")
    page.get_by_role("link", name="turn").click()
    expect(page).to_have_url(f"{server.base}/?search=tag%3Aturn")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Limps less.")
    page.get_by_label("Search runs").fill("tag:turn note:more")
    expect(rows(page)).to_contain_text("No run fits")
    assert read_notes(folder / "kuhn") == Notes("Limps less.", ("3bet", "turn"))
    assert [
        text for text in page.watch.problems if "400" not in text
    ] == []  # the tag that was refused


def test_rename_delete_undo(page, folder):
    page.get_by_role("button", name="More for kuhn", exact=True).click()
    page.get_by_role("button", name="Rename").click()
    name = page.get_by_label("Name of the folder")
    name.fill("kuhn-cfr")
    name.press("Enter")
    expect(
        page.get_by_text("There is a 'kuhn-cfr' already")
    ).to_be_visible()  # where the mistake was made,
    expect(name).to_have_value("kuhn-cfr")  # and what was typed is kept
    name.fill("first")
    name.press("Enter")
    expect(page.get_by_role("link", name="first")).to_be_visible()
    assert (folder / "first" / "checkpoint.npz").is_file()
    page.get_by_label("Choose first").check()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(rows(page)).to_have_count(1)
    assert not (folder / "first").exists()
    page.get_by_role("button", name="Undo").click()
    expect(rows(page)).to_have_count(2)
    assert (folder / "first" / "checkpoint.npz").is_file()


def test_compare_two_runs(page):
    page.get_by_label("Choose all").check()
    page.get_by_role("link", name="Compare").click()
    expect(page.locator("figure.chart path.series")).to_have_count(2)
    expect(page.locator("figure.chart svg title").first).to_contain_text("sapcfr+")
    expect(page.get_by_role("button", name="sapcfr+", exact=True)).to_be_visible()  # what differs
    page.get_by_role("group", name="Horizontal axis").get_by_role("button", name="Time").click()
    expect(page).to_have_url(re.compile("x=seconds"))
    page.get_by_role("button", name="cfr", exact=True).click()  # the legend hides a line
    expect(page.locator("figure.chart path.series")).to_have_count(1)
    assert page.watch.problems == []


def test_export(page, server):
    page.goto(f"{server.base}/export/kuhn")
    expect(
        page.get_by_text("equilibrist solve kuhn --algorithm sapcfr+ --iterations 200 --save")
    ).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Strategy as csv").click()
    assert download.value.suggested_filename == "kuhn-strategy.csv"
    assert download.value.path().read_text().startswith("player,infoset,action,probability\n")
    page.get_by_role("heading", name="Pictures").scroll_into_view_if_needed()
    page.get_by_role("img", name="Convergence").wait_for(timeout=60_000)


def test_an_error_goes_with_its_page(page):
    page.evaluate(
        "async () => (await import('/static/js/parts/toast.js')).failed({ status: 400, message: 'No.' })"
    )
    expect(page.get_by_role("alert")).to_have_text("No.×")
    page.get_by_role("link", name="New run").click()
    expect(page.get_by_role("heading", name="New run")).to_be_visible()
    expect(page.locator("#toasts .wrong")).to_have_count(0)


def test_by_keyboard_alone(page, server):
    """From the top of the page to the comparison of two runs, and into one of them."""
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('tbody tr')"):
            break
    expect(rows(page).first).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.locator("tr[aria-selected=true]")).to_have_count(2)
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.textContent") == "Compare":
            break
    page.keyboard.press("Enter")
    expect(page.locator("figure.chart path.series")).to_have_count(2)
    page.go_back()
    expect(rows(page)).to_have_count(2)
    rows(page).first.focus()
    page.keyboard.press("End")
    expect(rows(page).last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"{server.base}/runs/kuhn"))


PATHS = ["/", "/new", "/new/spot", "/jobs", "/runs/kuhn", "/compare?run=kuhn&run=kuhn-cfr", "/export/kuhn",
         "/play/kuhn", "/train/kuhn", "/history", "/batches/new", "/side?run=kuhn&run=kuhn-cfr"]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(new_page, server, scheme):
    page = new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page.goto(server.url)
    for path in PATHS:
        page.goto(server.base + path)
        page.wait_for_selector("main .view > *")
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", paper))) > 3 * 128) == (scheme == "light")


def test_no_request_leaves_this_machine_and_nothing_is_complained_about(new_page, server):
    page = new_page()
    page.goto(server.url)
    for path in PATHS:
        page.goto(server.base + path)
        page.wait_for_selector("main .view > *")
        page.wait_for_load_state("load")
    assert len(page.watch.requests) > 20
    assert {
        url for url in page.watch.requests if not url.startswith((server.base, "blob:", "data:"))
    } == set()
    assert page.watch.problems == []


def test_everything_that_is_clicked_has_a_name(page, server):
    """What a screen reader says of a button, a link or a field."""
    for path in PATHS:
        page.goto(server.base + path)
        page.wait_for_selector("main .view > *")
        page.wait_for_timeout(150)
        nameless = page.evaluate(
            """() => [...document.querySelectorAll('button, a[href], input, select, textarea')].filter(one => {
              const own = one.getAttribute('aria-label') || one.textContent.trim() || one.title;
              const label = own || one.labels?.[0]?.textContent || one.getAttribute('aria-labelledby');
              return one.checkVisibility() && !label;
            }).map(one => one.outerHTML.slice(0, 120))"""
        )
        assert nameless == [], path


def test_a_run_that_another_program_saves_appears(page, folder):
    shutil.copytree(folder / "kuhn", folder / "from-elsewhere")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("link", name="from-elsewhere")).to_be_visible()


def test_ten_thousand_rows_are_drawn_only_where_they_are_seen(page, server):
    drawn = page.evaluate(
        """async () => {
          const { table } = await import('/static/js/parts/table.js');
          const rows = Array.from({ length: 10000 }, (_, k) => ({ id: `r${k}`, value: k }));
          const box = table({ rows, 
            columns: [{ key: 'id', title: 'Name' }], height: '400px' });
          document.getElementById('main').replaceChildren(box);
          await new Promise(requestAnimationFrame);
          const first = box.querySelectorAll('tbody tr[data-key]').length;
          box.scrollTop = 5000 * 34;
          await new Promise(resolve => setTimeout(resolve, 100));
          const shown = [...box.querySelectorAll('tbody tr[data-key]')].map(row => row.dataset.key);
          return [first, shown.length, shown.includes('r5005'), box.scrollHeight > 10000 * 30];
        }"""
    )
    assert drawn[0] < 60
    assert drawn[1] < 60
    assert drawn[2:] == [True, True]


def test_a_report_is_opened_from_the_library(page, server, folder):
    assert not page.is_visible("text=Reports (")
    spot = "holdem(board='2s3h4d6c7c', oop='AA,QQ', ip='KK', pot=20, stack=10, bets='a')"
    eq.poker.board_report(spot, "2s3h4d6c7c:1, Qs3h4d6c7c:2", iterations=5, save=folder / "rivers")
    page.reload()
    page.click("text=Reports (1)")
    page.wait_for_selector("[role=status]:has-text('1 report')")
    expect(page).to_have_url(f"{server.base}/?show=reports")
    with page.expect_popup() as opened:
        page.click("text=rivers")
    report = opened.value
    report.wait_for_selector(".boards tbody tr")  # drawn by its own script
    assert report.evaluate("window.origin") == "null"  # which is no part of the page
    page.reload()
    page.wait_for_selector("text=boards.csv")
    page.fill("input[type=search]", "no such report")
    page.wait_for_selector("text=No report fits.")
