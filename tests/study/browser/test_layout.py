"""Nothing of Solving is cut, overlaps or leaves the page, on a phone or a small screen, whatever runs are called."""

import json
import os
from urllib.request import Request, urlopen

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SPOT = {
    "board": "Kh9s4d7c2h",
    "oop": ",".join(
        f"{rank}{rank}:0.{place + 10}3456" for place, rank in enumerate("AKQJT98765432")
    ),
    "ip": "QQ,AKo",
    "pot": 100,
    "stack": 100,
    "bets": "a",
}
OUTSIDE = """() => {
  const wide = [];
  for (const one of document.querySelectorAll("main *")) {
    const box = one.getBoundingClientRect();
    const hidden = !box.width || one.closest(".sr, [hidden], code, svg");
    if (!hidden && (box.right > innerWidth + 1 || box.left < -1)) wide.push(one.outerHTML.slice(0, 200));
  }
  return wide;
}"""
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".jobs .toolbar > *, .jobs .detail > *, .jobs .list > li")];
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const found = [];
  for (const [k, one] of boxes.entries())
    for (const other of boxes.slice(k + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      if (a.width && b.width && meets(a, b)) found.push([one.outerHTML.slice(0, 120), other.outerHTML.slice(0, 120)]);
    }
  return found;
}"""


def post(server, path, **data):
    headers = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
    request = Request(server.base + path, json.dumps(data).encode(), headers, method="POST")
    return json.load(urlopen(request))


def test_solving_fits_a_phone_and_a_small_screen(page, server):
    post(server, "/api/jobs", game="kuhn", iterations=20, name="long" * 20)
    job = post(server, "/api/jobs", spot=SPOT, iterations=5, name="w" * 80)
    page.goto(f"{server.base}/jobs?job={job['id']}")
    expect(page.locator(".detail").get_by_role("link", name="Study")).to_be_visible(timeout=400_000)
    page.locator(".detail summary").first.click()  # the text of the game, a range without a blank
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPS) == []
        if folder := os.environ.get("PAGE_PICTURES"):
            page.screenshot(path=f"{folder}/solving-{width}.png", full_page=True)
