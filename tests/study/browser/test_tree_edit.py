"""A journey through a betting tree that is edited by clicking, from a solved spot to one with other sizes."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

TURN = "holdem(board='AsKs7s2s', oop='QQ,98s', ip='JJ,T9s', pot=100, stack=400, bets='50%; 3x')"


@pytest.fixture
def folder(folder):
    eq.solve(TURN, iterations=10, save=folder / "turn")
    return folder


def spot_of(page):
    """Return the settings in the address."""
    return json.loads(parse_qs(urlsplit(page.url).query)["spot"][0])


def test_sizes_are_added_changed_and_removed_by_clicking(page, server):
    page.goto(f"{server.base}/runs/turn/spot?line=X")
    page.click("text=Edit the tree")
    page.wait_for_selector(".tree .row.aim")
    nodes = page.locator(".takes dt:has-text('Betting tree') + dd")
    before = nodes.text_content()
    page.click("[aria-label='Add a size after X']")
    page.keyboard.type("nonsense")
    page.keyboard.press("Enter")
    expect(page.locator(".tree .ask [role=alert]")).to_contain_text("A size is 75% of the pot")
    page.fill(".tree .ask input", "120%")
    page.keyboard.press("Enter")
    page.wait_for_selector("[aria-label='Remove X-B120']")
    assert spot_of(page)["add_lines"] == ["X-B120"]
    expect(page.locator(".tree [role=status]")).to_contain_text("nodes more than before")
    expect(nodes).not_to_have_text(before)
    page.click("[aria-label='Change B120 after X']")
    page.fill(".tree .ask input", "a")
    page.keyboard.press("Enter")
    page.wait_for_selector("[aria-label='Remove X-A400']")
    assert spot_of(page)["add_lines"] == ["X-A400"]
    page.click("[aria-label='Remove X-A400']")
    page.click("[aria-label='Remove B50']")
    expect(page.locator("[aria-label='Remove B50']")).to_have_count(0)
    assert "add_lines" not in spot_of(page)
    assert spot_of(page)["remove_lines"] == ["B50"]
    page.keyboard.press("Escape")
    page.locator("[aria-label='Show the river after X-X |']").first.click()
    page.click("[aria-label='Add a size after X-X |']")
    page.keyboard.type("75")
    page.keyboard.press("Enter")
    page.wait_for_selector("[aria-label='Remove X-X | B75']")  # on its street, which stays unfolded
    assert spot_of(page)["add_lines"] == ["X-X | B75"]
    page.fill("input[name=iterations]", "5")
    page.click("button[type=submit]")
    page.wait_for_url("**/jobs?job=*")
    page.wait_for_selector("a:has-text('Study')")
    assert page.watch.problems == []
