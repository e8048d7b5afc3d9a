"""Journeys while something is solved: a closed page, kill and resume, two browsers, a hostile game, no network."""

import json
import os
import subprocess
import sys
import time

import pytest

import equilibrist as eq
from support.browser import held

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


def api(page, method, path, data=None):
    """Ask the API from the page, as its own code does."""
    return page.evaluate(
        """async ([method, path, data]) => {
          const options = { method, headers: { "content-type": "application/json" } };
          if (data) options.body = JSON.stringify(data);
          return (await fetch(path, options)).json();
        }""",
        [method, f"/api{path}", data],
    )


def wait_for(ask, fits, seconds=60):
    """Return the first answer that fits."""
    end = time.monotonic() + seconds
    while not fits(answer := ask()):
        assert time.monotonic() < end, answer
        time.sleep(0.1)
    return answer


def job_that(page, run, *states):
    """Wait until the job of a run is in one of some states; return it."""
    return wait_for(
        lambda: api(page, "GET", f"/jobs/{run}"), lambda job: job.get("state") in states
    )


def begin(page, name, **settings):
    job = api(page, "POST", "/jobs", {"game": "leduc", "name": name, **settings})
    assert job.get("id") == name, job
    return name


def checkpoints(page, run):
    return len(api(page, "GET", f"/jobs/{run}")["points"])


@pytest.fixture
def empty(start, tmp_path, new_page):
    """Give a server of an empty folder, and a page on it."""
    server = start(tmp_path / "runs")
    page = new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view > *")
    return server, page


def test_a_run_goes_on_when_the_page_is_closed(empty, new_page):
    server, page = empty
    begin(page, "long", seconds=300)
    job_that(page, "long", "running")
    before = checkpoints(page, "long")
    page.close()
    time.sleep(1)
    other = new_page()
    other.goto(server.url)
    wait_for(lambda: checkpoints(other, "long"), lambda number: number > before)
    api(other, "POST", "/jobs/long/stop")
    job_that(other, "long", "stopped")
    expect(other.get_by_role("link", name="long")).to_be_visible()  # in the library, by itself


def test_kill_the_server_in_the_middle_and_resume(empty, start, tmp_path):
    server, page = empty
    begin(page, "long", iterations=20_000)
    job_that(page, "long", "running")
    wait_for(lambda: checkpoints(page, "long"), lambda number: number > 3)
    port = server.port
    server.kill()
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    wait_for((tmp_path / "runs" / "long" / "checkpoint.npz").is_file, bool)
    again = start(tmp_path / "runs", port=port)
    page.goto(again.url)
    expect(page.get_by_role("link", name="long", exact=True)).to_be_visible()
    job = api(page, "POST", "/jobs", {"resume": "long", "iterations": 20_000})
    assert job.get("id") == "long", job
    job_that(page, "long", "done")
    solution = eq.load_solution(tmp_path / "runs" / "long")
    assert solution.iterations == 20_000
    assert (
        solution.strategy.probabilities.tolist()
        == eq.solve("leduc", iterations=20_000).strategy.probabilities.tolist()
    )


def test_two_browsers_see_the_same(empty, new_page):
    server, one = empty
    two = new_page()
    two.goto(server.url)
    two.wait_for_selector("main .view > *")
    begin(one, "shared", seconds=300)
    expect(one.get_by_role("link", name="1 solving")).to_be_visible()
    expect(two.get_by_role("link", name="1 solving")).to_be_visible()
    job_that(two, "shared", "running")
    api(two, "POST", "/jobs/shared/stop")
    job_that(one, "shared", "stopped")
    expect(one.get_by_role("link", name="1 solving")).to_be_hidden()
    expect(one.get_by_role("link", name="shared")).to_be_visible()
    expect(two.get_by_role("link", name="shared")).to_be_visible()
    two.get_by_role("button", name="More for shared").click()
    two.get_by_role("button", name="Delete").click()
    expect(one.get_by_role("link", name="shared")).to_be_hidden(timeout=20_000)


def test_eight_tabs_of_one_browser_all_answer(page, server):
    """A browser opens six connections to a host: the events of all tabs must come over one."""
    pages = [page, *(page.context.new_page() for _ in range(7))]
    for tab in pages[1:]:
        tab.goto(f"{server.base}/runs/kuhn", timeout=20_000)
        tab.wait_for_selector(".infosets a.line", timeout=20_000)
    for tab in pages[1:]:
        tab.click(".infosets a.line", timeout=20_000)
        tab.wait_for_selector(".infoset-detail table", timeout=20_000)
    begin(page, "shared", seconds=300)
    for tab in pages:
        expect(tab.get_by_role("link", name="1 solving")).to_be_visible(timeout=20_000)
    api(page, "POST", "/jobs/shared/stop")
    job_that(page, "shared", "stopped")
    for tab in pages:
        expect(tab.get_by_role("link", name="1 solving")).to_be_hidden(timeout=20_000)


def test_eight_addresses_in_one_tab_all_load(launch, server):
    """A page that is left stays in memory for the back button, which Playwright turns off by default.

    Chromium keeps only pages whose shared worker is used by another tab; without one, it loads the page again.
    """
    context = launch(ignore_default_args=["--disable-back-forward-cache"]).new_context()
    context.new_page().goto(server.url)
    page = context.new_page()
    for path in ["/runs/kuhn", "/runs/kuhn-cfr"] * 4:
        page.goto(server.base + path, timeout=20_000)
        page.wait_for_selector(".infosets a.line", timeout=20_000)
        page.evaluate("window.same = true")
    page.go_back(wait_until="commit")
    wait_for(lambda: page.evaluate("window.same === true"), bool)  # not loaded again
    begin(page, "back", seconds=300)
    expect(page.get_by_role("link", name="1 solving")).to_be_visible()  # it hears of events again
    api(page, "POST", "/jobs/back/stop")
    expect(page.get_by_role("link", name="1 solving")).to_be_hidden(timeout=20_000)


def test_a_page_says_that_it_waits(page, server):
    with held(page, "**/api/runs/kuhn/infosets?**"):
        page.goto(f"{server.base}/runs/kuhn")
        expect(page.get_by_text("Waiting for the server")).to_be_visible()
    page.wait_for_selector(".infosets a.line")
    expect(page.get_by_text("Waiting for the server")).to_be_hidden()


HOSTILE = "<img src=x onerror=alert(1)>"
EFG = """EFG 2 R "TITLE" { "NAME" "<script>alert(2)</script>" }
p "" 1 1 "NAME" { "NAME" "b" } 0
t "" 1 "NAME" { 1, -1 }
t "" 2 "" { 0, 0 }
"""


def test_names_of_a_hostile_game_are_text(start, new_page, tmp_path):
    text = EFG.replace("TITLE", HOSTILE).replace("NAME", HOSTILE)
    (tmp_path / "hostile.efg").write_text(text)
    eq.solve(
        str(tmp_path / "hostile.efg"), iterations=20, save=tmp_path / "runs" / HOSTILE, record="all"
    )
    server = start(tmp_path / "runs")
    page = new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script of the game has run: {dialog.message}"))
    page.goto(server.url)
    expect(page.get_by_role("link", name=HOSTILE)).to_be_visible()
    for view in ("runs", "export", "play", "train"):
        page.goto(f"{server.base}/{view}/%3Cimg%20src=x%20onerror=alert(1)%3E")
        page.wait_for_selector("main .view > *")
        page.wait_for_timeout(300)
        assert page.locator("img[src=x]").count() == 0
    page.goto(f"{server.base}/api/runs/%3Cimg%20src=x%20onerror=alert(1)%3E/report")
    assert page.locator("img[src=x]").count() == 0


def test_a_name_that_runs_backwards_turns_nothing_else(start, new_page, tmp_path):
    (tmp_path / "game.efg").write_text(
        EFG.replace("TITLE", "t").replace('1 1 "NAME"', '1 1 "a\u202eb"').replace("NAME", "n")
    )
    eq.solve(str(tmp_path / "game.efg"), iterations=20, save=tmp_path / "runs" / "backwards")
    server = start(tmp_path / "runs")
    page = new_page()
    page.goto(server.url)
    page.goto(f"{server.base}/runs/backwards?tab=tree")
    page.wait_for_selector(".inspect-tree .strip .here")
    names = page.get_by_text("a\u202eb").all()
    assert names
    for name in names:
        assert name.evaluate("one => getComputedStyle(one).unicodeBidi") == "isolate"
    page.goto(f"{server.base}/runs/backwards")
    page.wait_for_selector(".infosets a.line")
    assert (
        page.locator(".infosets .name").first.evaluate("one => getComputedStyle(one).unicodeBidi")
        == "isolate"
    )


def test_another_page_of_this_machine_gets_nothing(start, new_page, folder, tmp_path):
    """A server on another port shares the cookie, but neither reads nor changes anything."""
    server, other = start(folder), start(tmp_path / "other")
    page = new_page()
    page.goto(server.url)
    page.goto(other.url)
    tried = page.evaluate(
        """async base => {
          const status = [];
          for (const [method, path] of [["GET", "/api/runs"], ["DELETE", "/api/runs/kuhn"], ["POST", "/api/jobs"]]) {
            for (const mode of ["cors", "no-cors"]) {
              try { status.push((await fetch(base + path, { method, mode, credentials: "include" })).type); }
              catch (error) { status.push("refused"); }
            }
          }
          return status;
        }""",
        server.base,
    )
    assert set(tried) <= {"refused", "opaque"}, json.dumps(tried)
    assert (folder / "kuhn" / "checkpoint.npz").is_file()


UNPLUGGED = """
import sys

def unplugged(event, arguments):
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        return
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = address[0] if isinstance(address, tuple) else address
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    if host not in (None, "", "127.0.0.1", "localhost", "::1") and not str(host).startswith("/"):
        open({told!r}, "a").write(f"{{event}} {{host}}\\n")
        raise OSError(101, "Network is unreachable")

sys.addaudithook(unplugged)
"""


def test_with_the_network_unplugged(start, folder, new_page, tmp_path, monkeypatch):
    """Neither the browser nor the server and its workers reach for anything but this machine, while Kuhn is solved."""
    told, hook = tmp_path / "told", tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(UNPLUGGED.format(told=str(told)))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(hook), os.environ.get("PYTHONPATH", "")]))
    tried = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"
    told_of = subprocess.run(
        [sys.executable, "-c", tried], check=False, capture_output=True, text=True
    )
    assert "unreachable" in told_of.stderr
    assert told.read_text() == "socket.getaddrinfo 192.0.2.1\n"
    told.unlink()

    server, page, refused = start(folder), new_page(), []

    def refuse(route):
        refused.append(route.request.url)
        route.abort()

    page.context.route(lambda url: not url.startswith(server.base), refuse)
    page.goto(server.url)
    page.get_by_role("link", name="New run").click()
    page.wait_for_selector(".takes .facts")
    page.fill("[name=iterations]", "200")
    page.get_by_label("Name of the run").fill("unplugged")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Study").click(timeout=300_000)
    page.wait_for_selector(".infosets a.line")
    for path in ("/new/spot", "/history", "/export/kuhn"):
        page.goto(server.base + path)
        page.wait_for_selector("main .view > *")
    assert refused == []
    assert page.watch.problems == []
    server.stop()
    assert not told.exists()
