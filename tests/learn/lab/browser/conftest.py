"""Pages with a lab, opened from a file."""

import re
from pathlib import Path

import pytest

from equilibrist.learn import lab
from support.browser import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]
DOCS = Path(__file__).parents[4] / "docs"
PLACE = re.compile(r'<div class="eq-lab".*?\n</div>', re.DOTALL)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Give a function that returns the address of a page with the labs of a page of docs/, as the site has it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "labs").mkdir()

    def site(name):
        body = "".join(PLACE.findall((DOCS / f"{name}.md").read_text("utf-8")))
        labs = re.findall(r'data-lab="([\w-]+)"', body)
        for file in (f"{one}.{kind}" for one in labs for kind in ("css", "js")):
            (folder / "labs" / file).write_text(lab.lab_file(file), encoding="utf-8")
        links = "".join(
            f'<link rel="stylesheet" href="labs/{one}.css"><script defer src="labs/{one}.js"></script>'
            for one in labs
        )
        page = folder / f"{name}.html"
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Labs</title>'
        scheme = "<style>:root { color-scheme: light dark }</style>"
        page.write_text(
            f'<!doctype html><html lang="en"><head>{head}{scheme}</head><body>{body}{links}</body></html>',
            "utf-8",
        )
        return page.as_uri()

    return site


@pytest.fixture
def open_lab(new_page, site):
    """Give a function that opens a page of labs; a request that leaves the folder is a problem of the page."""

    def open_lab(name, fragment="", **options):
        page = new_page(**options)
        page.set_default_timeout(20_000)
        page.goto(site(name) + fragment)
        page.wait_for_selector(".eq-lab[data-mounted] > *")
        page.watch.problems += [url for url in page.watch.requests if not url.startswith("file:")]
        return page

    return open_lab
