"""Every view of the page in both themes, by axe, by keyboard and on a phone: nothing is cut, all can be reached."""

import json
import re
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

import equilibrist as eq
from drills.server import RIVER, SPOT, STUDY, make_template
from equilibrist.poker.pages.hand_folders import HandFolder
from equilibrist.poker.pages.hand_worker import grade_folder
from equilibrist.solving.notes import make_notes, write_notes

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)

ROOT = Path(__file__).parents[3]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
ROUTER = ROOT / "src" / "equilibrist" / "page" / "js" / "app.js"
VIEWS = re.findall(
    r'^  "/.*": "([\w-]+)",$', ROUTER.read_text().partition("const NAV")[0], re.MULTILINE
)
PLACES = {  # of each view of the router addresses that show it
    "library": ["/", "/?show=reports"],
    "new": ["/new"],
    "new-spot": ["/new/spot"],
    "hands": ["/hands"],
    "graded": ["/hands/aaaaaaaaaa", "/hands/aaaaaaaaaa?by=made&player=*"],
    "ranges": ["/ranges"],
    "equity": ["/equity"],
    "charts": ["/charts?stacks=3..4"],
    "new-batch": ["/batches/new", "/batches/new?kind=games"],
    "batch": ["/batches/study", "/batches/report"],
    "jobs": ["/jobs"],
    "inspect": [
        "/runs/recorded",
        "/runs/recorded?infoset=Jpb&of=0",
        "/runs/answer?tab=exploit",
    ],
    "spot": [
        "/runs/river/spot",
        "/runs/river/spot?line=X-B50&hand=KcKd",
        "/runs/turn/spot?line=X-X",
        "/runs/river/spot?tab=exploit",
    ],
    "play": ["/play/kuhn", "/play/river"],
    "train": ["/train/kuhn", "/train/river"],
    "watch": ["/watch/recorded"],
    "export": ["/export/kuhn", "/export/river"],
    "compare": ["/compare?run=kuhn&run=recorded"],
    "side": ["/side?run=kuhn&run=recorded", "/side?run=river&run=river&line2=X"],
    "history": ["/history", "/history?by=pupil"],
    "class": ["/class"],
    "labs": ["/labs", "/labs?lab=one-bet"],
}
MOST_TABS = 600
PARTS = 6  # of which .ci/run takes a third each time
FOUR = eq.poker.Holdem(
    "Td9d6hQc2s", "AA,KK,QJ", "KK,JT", pot=100.5, stack=400, bets="33%,66%,125%; 3x"
)
OF_TABLES = [
    "/runs/four/spot",
    "/runs/four/spot?list=made",
    "/runs/recorded?tab=tree",
    "/runs/recorded?tab=explain",
]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}

WIDER = """() => {
  const room = document.documentElement.clientWidth + 1, wide = [];
  for (const element of document.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    let around = element.parentElement, scrolls = false;
    for (; around && around !== document.body; around = around.parentElement)
      scrolls ||= ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(around).overflowX);
    if (!scrolls && box.width > 1 && (box.right > room || box.left < -1) && !element.closest(".skip, svg"))
      wide.push(`${element.tagName}.${element.className} ends at ${Math.round(box.right)}`);
  }
  return wide.slice(0, 5);
}"""
"""What stands outside the width of the window, and is not in a box that scrolls."""

UNEXPLAINED = """() => [...document.querySelectorAll("thead th:not(.pick, .menu)")]
  .filter((head) => head.textContent.trim() && !head.closest(".eq-lab") && !head.querySelector(".sr:only-child")
    && !(head.querySelector("[aria-describedby]") ?? head.closest("[aria-describedby]")))
  .map((head) => head.textContent)"""
"""Headings of tables that nothing explains; a lab explains its own."""

CONTROLS = """() => {
  const all = document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex='0'], [contenteditable='true']");
  return [...all].filter((element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length && !element.disabled && element.type !== "hidden" && !element.closest("[inert]")
    && element.tabIndex >= 0);
}"""
NAME = """const name = (element) =>
  `${element.tagName} ${element.getAttribute("aria-label")?.split(":")[0]} ${element.id} ${element.name}`
  + ` ${element.textContent.slice(0, 30)}`;
"""
"""What an element is called, as lists are drawn anew while one walks through them."""
UNREACHED = (
    f"() => {{{NAME} const left = ("
    + CONTROLS
    + """)().filter((element) => !window.reached.has(name(element)) && !(element.type === "radio" && !element.checked));
  return left.slice(0, 5).map((element) => element.outerHTML.slice(0, 160));
}"""
)
FOCUS = (
    f"() => {{{NAME}"
    """
  const element = document.activeElement;
  window.reached ??= new Set();
  if (element === document.body) return "end";
  window.first ??= element;
  const again = element === window.first && window.reached.size > 1;
  window.reached.add(name(element));
  const style = getComputedStyle(element);
  const ringed = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none"
    || element.closest(":focus-within") !== element && element.matches("svg *");
  return again ? "again" : ringed ? "" : element.outerHTML.slice(0, 160);
}"""
)


CUT = """() => {
  const cut = [];
  const name = (element) => `${element.tagName}.${element.className} ${element.textContent.slice(0, 40)}`;
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length;
  for (const table of [...document.querySelectorAll("table")].filter(shown)) {
    let box = table.parentElement;
    while (box !== document.body && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
    const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
    if (table.getBoundingClientRect().right > edge + 1 && !box.matches(".more-after"))
      cut.push(`no hint that more is behind the edge of ${name(box)}`);
  }
  for (const control of [...document.querySelectorAll("td.menu button, td.menu a")].filter(shown)) {
    const { left, right } = control.getBoundingClientRect();
    const box = control.closest(".table").getBoundingClientRect();
    if (left < box.left || right > Math.min(box.right, innerWidth) + 1) cut.push(`out of sight: ${name(control)}`);
  }
  for (const control of [...document.querySelectorAll("select")].filter(shown)) {
    const style = getComputedStyle(control);
    const ruler = document.createElement("canvas").getContext("2d");
    ruler.font = style.font;
    const text = ruler.measureText(control.selectedOptions[0]?.textContent ?? "").width;
    const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - ARROW;
    if (text > room + 1) cut.push(`cut by ${Math.round(text - room)} px: ${control.selectedOptions[0].textContent}`);
  }
  return cut;
}""".replace("ARROW", "16")
"""Tables that end behind the edge of their box without a hint, menus out of sight, choices whose text is cut."""


@pytest.fixture(scope="module")
def study_room(tmp_path_factory):
    """Give a folder with runs of all kinds, with tags and notes, and a spot with four actions at a decision."""
    folder = make_template(tmp_path_factory.mktemp("views") / "runs")
    eq.solve(FOUR, iterations=5, save=folder / "four")
    write_notes(
        folder / "four",
        make_notes("what is said of it takes more than a few words", ["turn", "three-bets"]),
    )
    make_hands(folder)
    return folder


def make_hands(folder):
    """Have hands of a worse solution of the river graded, with one of another game, and spots to solve."""
    hands = HandFolder(folder / ".equilibrist" / "hands" / "aaaaaaaaaa")
    hands.files.mkdir(parents=True)
    hands.write_state(name="Sunday evening", created="2026-01-04T20:00:00", state="done")
    eq.poker.write_hands(folder / "river", hands.files / "river.phhs", hands=60, seed=1)
    eq.poker.write_hands(folder / "turn", hands.files / "turn.phhs", hands=20, seed=1)
    (hands.files / "other.txt").write_text(
        "PokerStars Hand #7:  Hold'em Limit ($1/$2 USD) - 2026\n"
    )
    better = eq.solve(RIVER.replace("stack=300", "stack=310"), until="0.1%", save=folder / "better")
    runs = [("better", str(better.folder))]
    ranges = str(folder / "turn")
    request = {"folder": str(hands.path), "runs": runs, "ranges": ranges, "bets": "50%"}
    grade_folder(request, lambda event, **facts: None)


@pytest.fixture
def site(study_room, start):
    """Give a server of the folder, on which a study and a report are done and a hand was played."""
    server = start(study_room)

    def ask(path, data=None):
        headers = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
        content = None if data is None else json.dumps(data).encode()
        return json.load(urlopen(Request(server.base + path, content, headers)))

    ask("/api/batches", STUDY | {"name": "study"})
    ask(
        "/api/batches",
        {"spot": SPOT, "boards": "2s3h4d6c7c:1, Qs3h4d6c7c:2", "iterations": 5, "name": "report"},
    )
    table = ask("/api/tables", {"run": "kuhn", "seed": 1})
    while table["turn"] is not None:
        table = ask(f"/api/tables/{table['id']}/moves", {"action": table["turn"]["actions"][0]})
    while any(job["state"] not in ("done", "failed") for job in ask("/api/jobs")["jobs"]):
        time.sleep(0.2)
    return server


@pytest.fixture
def open_page(new_page, site):
    """Give a function that opens a page, whose ``show`` shows an address and waits until nothing is awaited."""

    def open_page(**options):
        page = new_page(reduced_motion="reduce", **options)
        pending, problems = set(), page.watch.problems

        def answered(response):
            if response.status >= 400:
                problems.append(f"{response.status} {response.url}")

        def show(place):
            pending.clear()
            page.goto(site.base + place)
            page.wait_for_selector("main .view h1")
            quiet = 0
            deadline = time.monotonic() + 60
            while quiet < 4 and time.monotonic() < deadline:
                page.wait_for_timeout(100)
                quiet = 0 if pending else quiet + 1

        page.on(
            "request",
            lambda request: (
                "/api/" in request.url
                and not request.url.endswith("/events")
                and pending.add(request)
            ),
        )
        page.on("requestfinished", lambda request: pending.discard(request))  # noqa: PLW0108
        page.on("requestfailed", lambda request: pending.discard(request))  # noqa: PLW0108
        page.on("response", answered)
        page.goto(site.url)
        page.show = show
        return page

    return open_page


def test_every_view_of_the_router_is_looked_at():
    assert list(PLACES) == VIEWS


def by_axe(page, place):
    """Return what axe finds in the light theme, and of contrast in the dark one."""
    problems = []
    page.evaluate(AXE.read_text())
    for theme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        for violation in page.evaluate(
            "(rules) => axe.run(rules).then(({violations}) => violations)", rules
        ):
            nodes = [
                node["html"][:200] + " " + node["failureSummary"][:200]
                for node in violation["nodes"][:3]
            ]
            problems.append(
                f"{place}, {theme}: {violation['id']} ({len(violation['nodes'])}): {nodes}"
            )
    return problems


def on_a_phone(page, place):
    """Return what is cut on a phone, what Tab does not reach, and where its focus is not seen."""
    page.set_viewport_size(PHONE)
    # A canvas has its new size in the frame after the window has.
    page.evaluate(
        "() => new Promise((run) => requestAnimationFrame(() => requestAnimationFrame(run)))"
    )
    problems = [f"{place} is wider than a phone: {wide}" for wide in page.evaluate(WIDER)]
    ends = 0
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        seen = page.evaluate(FOCUS)
        ends += seen == "end"
        if seen == "again" or ends == 2:
            break
        if seen not in ("", "end"):
            problems.append(f"{place}: the focus is not seen on {seen}")
    problems += [f"{place}: not reached by Tab: {control}" for control in page.evaluate(UNREACHED)]
    page.set_viewport_size(DESK)
    return problems


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_of_a_table_is_cut_without_a_hint_and_menus_are_in_sight(open_page, size):
    page = open_page(viewport=size)
    problems = []
    for place in [*(place for places in PLACES.values() for place in places), *OF_TABLES]:
        page.show(place)
        problems += [f"{place}: {cut}" for cut in page.evaluate(CUT)]
    assert problems == [], "\n".join(problems)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci")
@pytest.mark.parametrize("part", range(PARTS))
def test_every_view_by_axe_in_both_themes_by_keyboard_and_on_a_phone(open_page, part):
    problems = []
    page = open_page(viewport=DESK)
    for place in [place for places in PLACES.values() for place in places][part::PARTS]:
        page.show(place)
        shown = page.watch.problems.copy()
        problems += [
            f"{place}: nothing explains the heading {head!r}" for head in page.evaluate(UNEXPLAINED)
        ]
        problems += by_axe(page, place)
        page.watch.problems.clear()  # axe itself puts in styles, which the policy of the page refuses
        problems += on_a_phone(page, place)
        problems += [f"{place}: {problem}" for problem in [*shown, *page.watch.problems]]
        page.watch.problems.clear()
    assert problems == [], "\n".join(problems)
