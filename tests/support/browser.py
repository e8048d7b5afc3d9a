"""A real browser for tests: Playwright with the system's Chromium, and the marks of tests in folders ``browser``."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

try:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(
        timeout=60_000
    )  # ms: what is awaited comes, also where other programs have the cores
except ModuleNotFoundError:
    sync_playwright = None

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


def pytest_collection_modifyitems(items):
    """Mark the journeys, and skip them with the reason where there is no browser."""
    reason = None
    if sync_playwright is None:
        reason = "Playwright is not installed: pip install '.[browser]'"
    elif CHROMIUM is None:
        reason = "Chromium is not installed: apt-get install chromium"
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")
            if reason is not None:
                item.add_marker(pytest.mark.skip(reason=reason))


class Shared:
    """Playwright, of which a process can run one: several folders have these fixtures, each for a whole session."""

    run = None
    users: ClassVar[int] = 0

    @classmethod
    @contextmanager
    def playwright(cls):
        """Start it for the first, and stop it after the last."""
        if not cls.users:
            cls.run = sync_playwright().start()
        cls.users += 1
        try:
            yield cls.run
        finally:
            cls.users -= 1
            if not cls.users:
                cls.run.stop()


@pytest.fixture(scope="session")
def launch():
    """Give a function that starts Chromium, which is ended at the end of the session."""
    with Shared.playwright() as run:
        arguments = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
        browsers = []

        def launch(**options):
            browsers.append(
                run.chromium.launch(executable_path=CHROMIUM, args=arguments, **options)
            )
            return browsers[-1]

        yield launch
        for browser in browsers:
            browser.close()


@pytest.fixture(scope="session")
def browser(launch):
    """Give Chromium."""
    return launch()


class Watch:
    """What a page asked for and complained about."""

    def __init__(self, page):
        self.requests, self.problems = [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on(
            "console",
            lambda message: message.type == "error" and self.problems.append(message.text),
        )


@contextmanager
def held(page, pattern):
    """Hold what a page requests by a pattern, in the list that is given, until the end of the block."""
    routes, holds = [], True
    page.route(pattern, lambda route: routes.append(route) if holds else route.continue_())
    yield routes
    holds = False
    for route in routes:
        route.continue_()


@pytest.fixture
def new_page(browser, request):
    """Give a function that opens a page in a browser of its own (no cookies shared), with ``page.watch``."""

    def new_page(**options):
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 720}} | options))
        request.addfinalizer(context.close)
        page = context.new_page()
        page.set_default_timeout(60_000)  # the first look at a game compiles kernels
        page.watch = Watch(page)
        return page

    return new_page


def problems_of_axe(page):
    """Return what axe finds, of both themes, at a desk and on a phone."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci")
    page.evaluate(AXE.read_text())
    problems = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        for theme in ("light", "dark"):
            page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
            for violation in page.evaluate("() => axe.run().then(({violations}) => violations)"):
                nodes = [node["html"][:200] for node in violation["nodes"][:3]]
                problems.append(f"{width} {theme}: {violation['id']}: {nodes}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 1:
            problems.append(f"{width}: {wide} px too wide")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.watch.problems.clear()  # axe puts in styles, which the policy of the page refuses
    return problems
