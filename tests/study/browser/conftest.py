"""The server in a process of its own, and a real browser: Playwright with the system's Chromium."""

import os
import re
import signal
import subprocess
import sys

import pytest

from support.browser import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]
ADDRESS = re.compile(r"(http://\S+?)/\?token=(\S+)")


class Server:
    """``equilibrist serve`` in a process: ``url`` is the address that it has printed, ``base`` that without a token."""

    def __init__(self, folder, *options, port=0):
        self.folder = folder
        code = "from equilibrist.cli import main; main()"
        arguments = [
            "serve",
            "--folder",
            str(folder),
            "--port",
            str(port),
            "--no-browser",
            *options,
        ]
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


@pytest.fixture
def page(new_page, server):
    """Give a page on which the library of the server is shown."""
    page = new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view > *")
    return page
