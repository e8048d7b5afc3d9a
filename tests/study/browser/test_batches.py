"""Batches in a real browser: a grid of games from the form to its curves, and a report from its map to a board."""

import json
import re
from urllib.request import Request, urlopen

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SPOT = {"board": "Kh9s4d7c", "oop": "AA,76s", "ip": "QQ,AKo", "pot": 100, "stack": 100, "bets": "a"}


def post(server, path, **data):
    headers = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
    request = Request(server.base + path, json.dumps(data).encode(), headers, method="POST")
    return json.load(urlopen(request))


def test_a_grid_from_the_form_to_its_curves(page):
    page.goto(page.url.partition("/?")[0].rstrip("/") + "/new")
    page.get_by_role("link", name="Many runs …").click()
    page.locator('[data-field="games"] textarea').fill("kuhn")
    for name in ("cfr", "dcfr"):
        page.get_by_label(name, exact=True).check()
    page.get_by_label("Samplings").fill("full\nexternal")
    page.get_by_label("Seeds").fill("2")
    page.get_by_label("Iterations").fill("0")
    expect(page.get_by_text("iterations must be a whole number")).to_be_visible(timeout=60_000)
    page.get_by_label("Iterations").fill("100")
    expect(page.locator(".takes dd").first).to_have_text("6", timeout=60_000)
    page.get_by_text("The same elsewhere").click()
    expect(page.locator(".takes code").first).to_contain_text('"external"')
    page.reload()
    expect(page.get_by_label("Samplings")).to_have_value("full\nexternal")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("status").filter(has_text="6 of 6 done")).to_be_visible(timeout=120_000)
    page.get_by_label("algorithm").select_option("dcfr")
    expect(page.get_by_role("heading", name="3 of 6 runs")).to_be_visible()
    expect(page.locator(".legend button")).to_have_text(["full", "external · 0", "external · 1"])
    expect(page).to_have_url(re.compile("f.algorithm=dcfr"))
    row = page.locator("tbody tr").first
    row.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/runs/.*~1runs~1"))


def test_a_report_from_its_map_to_a_board(page, server):
    post(server, "/api/batches", spot=SPOT, boards="rivers", until="5%", name="rivers")
    page.goto(f"{server.base}/batches/rivers")
    expect(page.get_by_role("status").filter(has_text="48 of 48 done")).to_be_visible(
        timeout=180_000
    )
    page.get_by_label("What the map shows").select_option("ev_oop")
    cell = page.locator(".heat").first
    cell.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("heading", name="4 of 48 boards")
    ).to_be_visible()  # whose river is an ace
    expect(page).to_have_url(re.compile("high=A"))
    page.reload()
    expect(page.get_by_role("heading", name="4 of 48 boards")).to_be_visible()
    page.locator("tbody tr[data-key] a").first.click()
    expect(page.get_by_role("grid")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile("/spot"))
