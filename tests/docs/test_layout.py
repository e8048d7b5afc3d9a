"""The built site in a browser: nothing is cut, nothing is wider than its column, no page scrolls sideways.

``SITE`` names the folder that ``mkdocs build`` wrote; where it is not set there is nothing to look at.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = os.environ.get("SITE")
PAGES = sorted(Path(FOLDER).resolve().rglob("*.html")) if FOLDER else []
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [pytest.mark.browser, pytest.mark.skipif(not PAGES, reason="SITE names no built site")]

WIDER = """() => {
  const article = document.querySelector("article");
  if (!article) return [];
  for (const details of article.querySelectorAll("details")) details.open = true;
  const room = 4, right = article.getBoundingClientRect().right + room;  // the padding of a word of code
  const wide = [];
  for (const element of article.querySelectorAll("*")) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const hidden = box.width === 0 || style.visibility === "hidden";
    if (hidden || element.closest("svg, summary, .clipboard-copy-txt")) continue;
    const scrolls = ["auto", "scroll", "hidden", "clip"].includes(style.overflowX);
    const cut = scrolls && element.clientWidth > 8 && element.scrollWidth > element.clientWidth + room;
    if (cut || (box.right > right && !element.closest("pre, math, .md-typeset__scrollwrap, .jp-OutputArea-output")))
      wide.push(`${element.tagName} ${element.className} ${element.scrollWidth} px: `
        + element.textContent.trim().slice(0, 60));
  }
  return wide;
}"""


@pytest.fixture(scope="module")
def browser():
    """Give Chromium."""
    sync = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
    )
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync.sync_playwright() as run:
        arguments = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
        browser = run.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def wide(browser):
    """Give a page as wide as that of a desk."""
    return browser.new_page(viewport={"width": 1280, "height": 900})


@pytest.fixture(scope="module")
def narrow(browser):
    """Give a page as wide as that of a phone."""
    return browser.new_page(viewport={"width": 390, "height": 800})


def pages():
    """Return the pages of the site, named by their paths."""
    root = Path(FOLDER or ".").resolve()
    return pytest.mark.parametrize(
        "path", [pytest.param(path, id=str(path.relative_to(root))) for path in PAGES]
    )


@pages()
def test_nothing_is_wider_than_its_column(wide, path):
    wide.goto(path.as_uri())
    assert wide.evaluate(WIDER) == []


@pages()
def test_a_phone_does_not_scroll_sideways(narrow, path):
    narrow.goto(path.as_uri())
    assert narrow.evaluate("document.scrollingElement.scrollWidth") <= 390


@pages()
def test_pictures_open_by_themselves(path):
    """A tap on a picture opens its file, which is there."""
    text = path.read_text(encoding="utf-8")
    article = text[text.index("<article") :] if "<article" in text else ""
    pictures = re.findall(r'(<a href="[^"]*">)?<img\b[^>]* src="([^":]+)"', article)
    for link, source in pictures:
        assert link == f'<a href="{source}">', source
        assert (path.parent / source).is_file(), source
    assert not re.search(r'<img\b[^>]* src="data:', article)


@pytest.mark.parametrize("name", ["plot.html", "tutorials/2-counterfactual-regret.html"])
def test_a_tap_opens_a_picture_as_large_as_it_was_drawn(narrow, name):
    narrow.goto((Path(FOLDER).resolve() / name).as_uri())
    pictures = narrow.locator("article a > img")
    shown = pictures.first.bounding_box()["width"]
    pictures.first.click()
    large = narrow.locator("dialog.picture img")
    assert shown <= 390
    assert large.bounding_box()["width"] >= 700
    narrow.get_by_role("button", name="Close").click()
    assert narrow.locator("dialog").count() == 0
    assert narrow.url.endswith(name)


def test_every_page_is_there_as_text():
    root = Path(FOLDER).resolve()
    listed = re.findall(
        r"^- \[.+?\]\((.+?)\): \S", (root / "llms.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    shown = {str(path.relative_to(root).with_suffix(".md")) for path in PAGES} - {"404.md"}
    assert set(listed) == shown
    assert all((root / path).read_text(encoding="utf-8").startswith("#") for path in listed)
    whole = (root / "llms-full.txt").read_text(encoding="utf-8")
    assert "equilibrist.solve" in whole
    assert "def regret_matching(regrets):" in whole
