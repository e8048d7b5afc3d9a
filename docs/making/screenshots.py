"""Screenshots of the page in the browser, in docs/: ``python -m docs.making.screenshots``.

A folder of runs is solved, the server is started on it, and Playwright looks at its pages with the system's Chromium.
"""

import argparse
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.serve import Client, serving
from playwright.sync_api import Page, sync_playwright

import equilibrist as eq

DOCS = Path(__file__).parents[1]
SPOT = DOCS.parent / "examples" / "spots" / "m-turn.toml"
SIZE = {"width": 1280, "height": 720}


def solve_runs(folder: Path) -> None:
    """Solve what the pictures show."""
    eq.solve("kuhn", until=1e-6, save=folder / "kuhn")
    for name in ("dcfr", "cfr+", "pcfr+"):
        eq.solve("leduc", name, iterations=400, save=folder / f"leduc-{name.replace('+', '-plus')}")
    eq.solve("leduc", "lcfr", sampling="external", iterations=20_000, save=folder / "leduc-sampled")
    eq.solve(SPOT, until="0.5%", iterations=300, save=folder / "turn")


def library(page: Page, base: str) -> None:
    """Show all runs."""
    page.goto(f"{base}/")
    page.wait_for_selector("table[aria-label=Runs] tbody tr")


def solving(page: Page, base: str) -> None:
    """Show a run that is being solved."""
    page.goto(f"{base}/jobs")
    page.wait_for_selector("path.series")


def compare(page: Page, base: str) -> None:
    """Show curves of several runs."""
    page.goto(
        f"{base}/compare?run=leduc-dcfr&run=leduc-cfr-plus&run=leduc-pcfr-plus&run=leduc-sampled"
    )
    page.wait_for_selector("path.series")


def spot(page: Page, base: str) -> None:
    """Show a decision of the turn."""
    page.goto(f"{base}/runs/turn/spot")
    page.wait_for_selector(".grid13")


def study(page: Page, base: str) -> None:
    """Show the infosets of Leduc."""
    page.goto(f"{base}/runs/leduc-dcfr")
    page.locator(".infosets [role=option]").nth(2).click()


VIEWS: dict[str, tuple[Callable[[Page, str], None], str]] = {
    "library": (library, "light"),
    "solving": (solving, "dark"),
    "spot": (spot, "light"),
    "study": (study, "light"),
    "compare": (compare, "dark"),
}


SHOWN = ("solving", "spot", "study")
"""Those of the README and docs/serve."""


def begin(client: Client) -> None:
    """Let the server solve something that takes a while."""
    settings = {"game": "leduc(ranks=6)", "name": "leduc-6", "algorithm": "cfr", "until": 1e-5}
    client.ask("/api/jobs", method="POST", body=settings)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--views", nargs="+", choices=VIEWS, default=SHOWN, help="which pages")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the pictures are written")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary,
        sync_playwright() as run,
    ):
        folder = Path(temporary, "runs")
        solve_runs(folder)
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = run.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serving(folder) as server:
            base = f"http://127.0.0.1:{server.port}"
            begin(server.connect())
            for name in options.views:
                show, scheme = VIEWS[name]
                page = browser.new_page(viewport=SIZE, color_scheme=scheme)
                page.goto(f"{base}/?token={server.token}")
                show(page, base)
                page.wait_for_timeout(1500)
                path = options.folder / f"serve-{name}.png"
                page.screenshot(path=path)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
