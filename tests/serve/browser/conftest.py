"""The server in a process of its own, and a real browser: Playwright with the system's Chromium."""

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

try:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # ms: what is awaited comes, also where other programs have the cores
except ModuleNotFoundError:
    sync_playwright = None

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ADDRESS = re.compile(r"(http://\S+?)/\?token=(\S+)")


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


class Server:
    """``equilibrist serve`` in a process: ``url`` is the address that it has printed, ``base`` that without a token."""

    def __init__(self, folder, *options, port=0):
        self.folder = folder
        code = "from equilibrist.cli import main; main()"
        arguments = ["serve", "--folder", str(folder), "--port", str(port), "--no-browser", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        for line in self.process.stdout:
            if found := ADDRESS.search(line):
                self.base, self.token = found.groups()
                self.url = found[0]
                break
        else:
            raise RuntimeError(f"the server has ended with {self.process.wait()}")

    @property
    def port(self):
        """The port, to start it there again."""
        return int(self.base.rpartition(":")[2])

    def kill(self):
        """End it as the kernel does, without a word."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """End it with Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        self.process.stdout.close()


@pytest.fixture
def start(request):
    """Give a function that starts servers, which are stopped at the end of the test."""

    def start(folder, *options, port=0):
        server = Server(folder, *options, port=port)
        request.addfinalizer(server.stop)
        return server

    return start


@pytest.fixture
def server(start, folder):
    """Give a server of a folder with two runs of Kuhn poker."""
    return start(folder)


@pytest.fixture(scope="session")
def launch():
    """Give a function that starts Chromium, which is ended at the end of the session."""
    with sync_playwright() as run:
        arguments = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
        browsers = []

        def launch(**options):
            browsers.append(run.chromium.launch(executable_path=CHROMIUM, args=arguments, **options))
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
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))


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


@pytest.fixture
def page(new_page, server):
    """Give a page on which the library of the server is shown."""
    page = new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view > *")
    return page
