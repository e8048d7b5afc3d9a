"""The page of ``equilibrist serve`` in a real browser: how long a click takes, and how smoothly rows scroll.

    python -m benchmarks.page                # needs Chromium and the extra "browser"; a minute and a half
    python -m benchmarks.page --beside 0 2   # nothing else, and two runs that are solved meanwhile

A river with all 1,081 hands is walked by clicks, its hands are filtered by class, suit, action, equity, EV and weight,
and the headings of the page are clicked: a click ends when the browser has drawn what it leads to. A list of 24,576
infosets is scrolled by 120 pixels a frame, and by leaps, which end when all rows in sight are drawn. Times are taken in
the page, by its own clock.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import equilibrist as eq

from .machine import Table, describe, duration
from .serve import ITERATIONS, SPOTS, STUDIED, Server, begin_run, serving

CLICKS, FRAMES, LEAPS = 60, 240, 20
FILTERS = ("top pair", "hearts", "X > 50", "equity > 50", "EV > 10", "weight > 50")
GAME = "liars_dice"
VIEWS = {
    "Library": ".library tbody tr",
    "New run": ".new .fields",
    "Solving": ".jobs .columns",
    "Play": ".history h1",
}

CLICK = """async ([selector, number, watched]) => {
  const began = performance.now();
  const drawn = new Promise((resolve) => new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  }).observe(document.querySelector(watched), { childList: true }));
  document.querySelectorAll(selector)[number].click();
  return drawn;
}"""
FILTER = """async ([change, watched]) => {
  const box = document.querySelector(watched);
  const field = document.querySelector(".filter input");
  if (change) [field.value] = [change];
  const began = performance.now();
  const drawn = new Promise((resolve) => new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  }).observe(box, { childList: true, characterData: true, subtree: true }));
  if (change) field.dispatchEvent(new Event("change"));
  else document.querySelector(".filter button").click();
  return drawn;
}"""
VISIT = """async ([text, wanted]) => {
  const began = performance.now();
  [...document.querySelectorAll("#nav a")].find((link) => link.textContent === text).click();
  while (!document.querySelector(wanted)) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}"""
SCROLL = """async ([frames, pixels]) => {
  const box = document.querySelector(".infosets");
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  let most = 0;
  for (let frame = 0; frame < frames; frame++) {
    box.scrollTop += pixels;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
    most = Math.max(most, box.querySelectorAll(".line").length);
  }
  return [times, most];
}"""
LEAP = """async (share) => {
  const box = document.querySelector(".infosets");
  const began = performance.now();
  box.scrollTop = share * box.scrollHeight;
  await new Promise(requestAnimationFrame);
  const waits = () => [...box.querySelectorAll(".line")].some((line) => line.textContent === "…");
  while (waits()) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def walk(page: Any, clicks: int) -> tuple[list[float], list[float]]:
    """Click through the decisions of a spot; return the milliseconds of first looks and of later ones."""
    rng, seen = random.Random(1), set()
    first, later = [], []
    for _ in range(clicks):
        actions = page.locator(".actions li a").count()
        heads = page.locator(".strip .head a").count()
        onward = actions > 0 and (heads == 0 or rng.random() < 0.7)
        selector, number = (
            (".actions li a", rng.randrange(actions)) if onward else (".strip .head a", 0)
        )
        took = page.evaluate(CLICK, [selector, number, ".strip"])
        (later if page.url in seen else first).append(took)
        seen.add(page.url)
    return first, later


def filtering(page: Any, rounds: int) -> list[float]:
    """Show some hands alone, and all again; return the milliseconds to the drawn frame of each."""
    changes = [change for name in FILTERS for change in (name, "")] * rounds
    return [page.evaluate(FILTER, [change, ".spot-hands"]) for change in changes]


def browse(page: Any, base: str, beside: str, table: Table) -> None:
    """Measure all that there is, and add the rows to a table."""

    def row(what: str, times: Sequence[float]) -> None:
        marks = statistics.quantiles(times, n=20)
        numbers = (statistics.median(times), marks[18], max(times))
        table.rows.append(
            [what, beside, str(len(times)), *(duration(number / 1000) for number in numbers)]
        )

    page.goto(f"{base}/runs/river/spot")
    page.wait_for_selector(".actions")
    first, later = walk(page, CLICKS)
    row("a node of 1,081 hands, first look", first)
    row("the same, seen before", later)
    page.goto(f"{base}/runs/river/spot")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    filtering(page, 1)
    row("a filter of 1,081 hands, or its end", filtering(page, 5))
    times = []
    for _ in range(5):
        times += [page.evaluate(VISIT, [name, wanted]) for name, wanted in VIEWS.items()]
    row("another view", times[len(VIEWS) :])  # which were loaded by then
    page.goto(f"{base}/runs/dice")
    page.wait_for_selector(".infosets a.line")
    times, most = page.evaluate(SCROLL, [FRAMES, 120])
    row(f"a frame while {most} of 24,576 rows are drawn", times)
    row("a leap to other rows", [page.evaluate(LEAP, share) for share in _shares()])


def _shares() -> list[float]:
    rng = random.Random(2)
    return [rng.random() for _ in range(LEAPS)]


def main(arguments: Sequence[str] | None = None) -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.page", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--beside", nargs="+", type=int, default=[0, 1, 2], help="runs that are solved meanwhile"
    )
    options = parser.parse_args(arguments)
    print(", ".join(f"{name}: {value}" for name, value in describe().items()))
    table = Table(
        "The page in the browser", ["", "runs solved", "times", "median", "95 %", "slowest"]
    )
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        sync_playwright() as run,
    ):
        eq.solve(SPOTS / f"{STUDIED}.toml", iterations=ITERATIONS, save=Path(folder, "river"))
        eq.solve(GAME, iterations=10, save=Path(folder, "dice"))
        browser = run.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        for beside in options.beside:
            with serving(Path(folder)) as server:
                begin(server, beside)
                page = browser.new_page(viewport={"width": 1280, "height": 720})
                page.set_default_timeout(120_000)
                page.goto(server.address)
                browse(page, f"http://127.0.0.1:{server.port}", str(beside), table)
                page.close()
        browser.close()
    table.show()


def begin(server: Server, runs: int) -> None:
    """Let some runs be solved side by side, each on one thread."""
    client = server.connect()
    if runs:
        client.ask("/api/jobs", method="PATCH", body={"workers": runs})
    for _ in range(runs):
        begin_run(client)


def _chromium() -> str:
    found = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if found is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    return found


if __name__ == "__main__":
    main()
