"""A journey through a recorded run: from an empty library to Kuhn poker being solved, frame by frame."""

import re
from pathlib import Path

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


def test_kuhn_poker_is_watched_from_an_empty_library(start, new_page, tmp_path):
    (tmp_path / "runs").mkdir()
    server = start(tmp_path / "runs")
    page = new_page(reduced_motion="reduce")
    page.goto(server.url)
    expect(page.locator(".welcome").first).to_contain_text(
        "At an equilibrium no player can do better"
    )
    page.click("text=Watch Kuhn poker being solved")
    expect(page.locator(".moment").first).to_have_text("iteration 1")  # nothing moves by itself
    expect(page.locator(".stats").first).to_contain_text("(−1/18) / 0.0556 (1/18)")
    solution = eq.load_solution(tmp_path / "runs" / "watch-kuhn")
    recorded = solution.recording.at("K")
    row = page.locator(".watch-table tbody tr:has(code:text-is('K'))")
    expect(row).to_contain_text("50 · 50")
    page.keyboard.press("End")
    shares = [f"{100 * share:.0f}" for share in recorded.average_strategy[-1]]
    expect(row).to_contain_text(" · ".join(shares))
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_url("**/watch/watch-kuhn?at=4*")
    page.reload()
    expect(page.locator(".moment").first).to_have_text("iteration 4")
    page.select_option("select[aria-label=Speed]", "200")
    page.keyboard.press("Escape")
    page.keyboard.press(" ")
    expect(page.locator(".play").first).to_have_text("▶ Play")  # it comes to the end
    expect(page.locator(".moment").first).to_have_text("iteration 1,000")
    widest = page.locator(".moving-tree path").evaluate_all(
        "all => Math.max(...all.map((p) => p.style.strokeWidth))"
    )
    assert float(widest) == pytest.approx(9.6, abs=0.1)  # a move that is always taken
    page.focus(".watch-table .explained")
    expect(page.locator(".explain-tip").first).to_contain_text("all that a player knows")
    page.keyboard.press("Escape")
    expect(page.locator(".explain-tip")).to_have_count(0)
    for kind, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!doctype html>")):
        with page.expect_download() as download:
            page.select_option(".save-as", kind)
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(begins)
        assert kind == "png" or b"Regret sum" in content
        assert download.value.suggested_filename == f"Watch-kuhn.{kind}"
    page.select_option("select[aria-label=Up]", "0 Q")
    page.wait_for_url(re.compile("up=0"))
    assert page.watch.problems == []
