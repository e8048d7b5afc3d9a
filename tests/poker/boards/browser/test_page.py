"""The page of a report over boards, opened from a file: its filters, means, bars, table and hands by class."""

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SPOT = "holdem(board='2s3h4d6c', oop='AA,QQ', ip='KK,22', pot=20, stack=10, bets='a')"
BOARDS = {"2s3h4d6c7c": 1, "Qs3h4d6c7c": 2, "As3h4d6cKc": 1}


@pytest.fixture(scope="module")
def report():
    return eq.poker.board_report(SPOT, BOARDS, until="0.5%")


@pytest.fixture
def page(new_page, report, tmp_path):
    """Give the page of the report, on which nothing may have gone wrong at the end."""
    file = tmp_path / "report.html"
    file.write_text(report.to_html(page=True), encoding="utf-8")
    page = new_page()
    page.goto(file.as_uri())
    yield page
    assert page.watch.problems == []
    assert {url.partition(":")[0] for url in page.watch.requests} <= {"file", "data"}


def percent(share):
    return f"{100 * share:.1f} %"


def test_filters_means_and_bars(page, report):
    (start, after_check) = report.means()
    expect(page.locator(".summary")).to_contain_text("Mean of 3")
    expect(page.locator(".summary")).to_contain_text(percent(start["A10"]))
    expect(page.locator(".board-bars g")).to_have_count(3)
    expect(page.locator(".means")).to_contain_text(f"EQR OOP {100 * start['eqr_oop']:.0f} %")
    page.get_by_label("Cards of the board").fill("Qs")
    expect(page.get_by_role("heading", name="1 of 3 boards")).to_be_visible()
    (queen,) = [row for row in report.rows() if row["board"][:2] == "Qs" and not row["line"]]
    expect(page.locator(".summary")).to_contain_text(percent(queen["equity_oop"]))
    expect(page.locator(".board-bars g")).to_have_count(1)
    page.get_by_label("Cards of the board").fill("")
    page.get_by_label("Decision").select_option("X")
    expect(page.locator(".summary")).to_contain_text(percent(after_check["A10"]))
    page.get_by_role("button", name="% pot").click()
    share = 100 * after_check["ev_ip"] / after_check["pot"]
    expect(page.locator(".summary")).to_contain_text(f"{share:.2f} %")


def test_a_board_is_chosen_for_its_hands(page, report):
    expect(page.get_by_role("heading", name="mean of 3 boards")).to_be_visible()
    row = page.locator('tr[data-key="As3h4d6cKc"]')
    row.focus()
    page.keyboard.press("Enter")
    expect(row).to_have_attribute("aria-selected", "true")
    place = ("As3h4d6cKc", "", "OOP")
    own = [
        mix
        for mix in report.classes().to_pylist()
        if (mix["board"], mix["line"], mix["player"]) == place
    ]
    assert own
    for mix in own:
        cell = page.locator(f'.cell[data-name="{mix["class"]}"]')
        assert f"X {percent(mix['X'])}" in cell.get_attribute("title")
    row.click()
    expect(page.get_by_role("heading", name="mean of 3 boards")).to_be_visible()
    page.locator(".board-bars g").first.click()
    expect(page.locator('tr[aria-selected="true"]')).to_have_count(1)


def test_columns_are_sorted_and_the_bars_follow(page, report):
    page.get_by_role("button", name="EV OOP").click()
    rows = [row for row in report.rows() if not row["line"]]
    order = [row["board"] for row in sorted(rows, key=lambda row: -row["ev_oop"])]
    keys = page.locator("tbody tr[data-key]").evaluate_all(
        "rows => rows.map((row) => row.dataset.key)"
    )
    assert keys == order
    titles = page.locator(".board-bars title").all_text_contents()
    assert [title.partition(":")[0] for title in titles] == order


def test_the_map_filters_and_is_saved(page, report):
    page.get_by_label("Columns").select_option("")
    page.locator(".heat").first.click()
    expect(page.get_by_role("heading", name="1 of 3 boards")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_label("Save as a picture or a page").first.select_option("svg")
    assert "<svg" in saved.value.path().read_text("utf-8")
