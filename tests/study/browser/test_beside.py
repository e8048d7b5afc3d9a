"""Two runs side by side in a real browser."""

import re

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


def test_strategies_of_two_runs_from_the_library(page):
    page.get_by_label("Choose all").check()
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("link", name="Side by side").click()
    expect(page.get_by_role("status").filter(has_text="12 infosets in both")).to_be_visible(
        timeout=60_000
    )
    expect(page).to_have_url(re.compile(r"/side\?run=kuhn.*&run=kuhn"))
    page.get_by_label("Search infosets").fill("qb")
    expect(page.locator("tbody tr[data-key]")).to_have_count(1)
    page.reload()
    expect(page.locator("tbody tr[data-key]")).to_have_count(1)
    before = page.locator("h1 ~ a").all_inner_texts()
    page.get_by_role("link", name="Swap").click()
    expect(page.locator("h1 ~ a").first).to_have_text(before[1])
    page.locator("tbody tr[data-key]").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/runs/kuhn.*infoset=Qb"))
    assert page.watch.problems == []
