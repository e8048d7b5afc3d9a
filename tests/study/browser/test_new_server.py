"""An open page when its server goes away and comes back with another token."""

import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect
RIVER = "holdem(board='AsKs7s2s9d', oop='QQ,98s', ip='JJ,T9s', pot=100, stack=400, bets='50%; 3x')"
SLOW = 60_000
DOOR = "dialog:has-text('The server was started anew')"


@pytest.fixture
def folder(folder):
    eq.solve(RIVER, iterations=10, save=folder / "river")
    return folder


@pytest.fixture
def server(start, folder):
    return start(folder)


def opened(new_page, server, path):
    page = new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view > *")
    page.goto(f"{server.base}{path}")
    page.wait_for_selector("main .view > *")
    return page


def test_a_page_asks_for_the_token_of_a_new_start(start, server, folder, new_page):
    page = opened(new_page, server, "/runs/river/spot?line=X")
    page.wait_for_selector(".actions a")
    other = page.context.new_page()
    other.goto(f"{server.base}/jobs")
    other.wait_for_selector("h1:has-text('Solving')")
    server.kill()
    expect(page.locator("#running")).to_have_text("The server does not answer", timeout=SLOW)
    expect(other.locator("[role=alert]:has-text('its last word')")).to_be_visible(timeout=SLOW)
    again = start(folder, port=server.port)
    expect(page.locator(DOOR)).to_be_visible(timeout=SLOW)
    page.fill(f"{DOOR} input", "not the token")
    page.keyboard.press("Enter")
    expect(page.locator(f"{DOOR} [role=alert]")).to_contain_text("not the token of the server")
    page.fill(f"{DOOR} input", again.url)  # the whole address
    page.keyboard.press("Enter")
    expect(page.locator(DOOR)).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/runs/river/spot\?line=X$"))
    expect(page.locator("#running")).to_have_text("", timeout=SLOW)
    expect(other.locator(DOOR)).to_have_count(0, timeout=SLOW)  # the cookie is that of all pages
    expect(other.locator("[role=alert]:has-text('its last word')")).to_be_hidden(timeout=SLOW)
    page.locator(".actions a").first.click()
    expect(page).not_to_have_url(re.compile(r"line=X$"))
    again.stop()


def test_what_is_not_shown_is_not_in_the_address(server, new_page):
    page = opened(new_page, server, "/runs/river/spot?line=X")
    page.wait_for_selector(".actions a")
    server.kill()
    page.locator(".actions a").first.click()
    expect(page.locator(".toast.wrong")).to_contain_text("The server does not answer", timeout=SLOW)
    expect(page).to_have_url(re.compile(r"line=X$"))
    page.click("#nav a:has-text('Library')")  # a view that was not loaded before
    expect(page.locator("main [role=alert]")).to_contain_text(
        "The server does not answer", timeout=SLOW
    )
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_hand_goes_on_after_the_server_was_killed_in_its_middle(start, server, folder, new_page):
    """The cards, the choices so far and the number of the hand are those of before, on the page that was open."""
    page = opened(new_page, server, "/play/kuhn")
    page.get_by_role("button", name="Deal").click()
    moves = page.locator(".choices button")
    expect(moves).not_to_have_count(0)
    cards = page.locator(".felt .cloth").inner_text()
    told = page.locator(".say").inner_text()
    server.kill()
    again = start(folder, port=server.port)
    expect(page.locator(DOOR)).to_be_visible(timeout=SLOW)
    page.fill(f"{DOOR} input", again.token)
    page.keyboard.press("Enter")
    expect(page.locator(DOOR)).to_have_count(0)
    assert page.locator(".felt .cloth").inner_text() == cards
    moves.first.click()
    expect(page.locator(".say")).not_to_have_text(told)
    expect(page.locator(".toast.wrong")).to_have_count(0)
    again.stop()
