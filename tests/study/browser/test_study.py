"""Journeys through solved games: a spot is walked by keys, locked and solved again; an infoset is explained."""

import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = (
    "holdem(board='Kh9s4d7c2h', oop='AA,AKs,KQs,QJs,A5s', ip='QQ,77,AKo,KJs,T8s', pot=100,"
    " stack=100, bets='50%, a')"
)
TURN = "holdem(board='AsKs7s2s', oop='QQ,KJo:0.5,98s', ip='JJ,AQo:0.75,T9s', pot=100, stack=150, bets='50%; a')"


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studied")
    eq.solve(RIVER, until="0.5%", save=folder / "river")
    eq.solve(TURN, until="1%", save=folder / "turn")
    eq.solve("kuhn", "cfr", iterations=60, record="all", save=folder / "kuhn")
    return folder


def test_a_spot_is_walked_by_clicks_keys_and_the_back_button(page, server):
    page.goto(f"{server.base}/runs/river/spot")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "river")).node()
    for frequency in node.frequencies:
        expect(page.locator(".actions").first).to_contain_text(f"{100 * frequency:.1f} %")
    expect(page.locator(".quality").first).to_contain_text("% of the pot more than at equilibrium")
    page.click(".strip .here a:has-text('X')")
    page.wait_for_selector(".strip section:nth-child(2).here")
    expect(page).to_have_url(f"{server.base}/runs/river/spot?line=X")
    page.keyboard.press("2")
    page.wait_for_selector(".strip section:nth-child(3).here")
    expect(page).to_have_url(f"{server.base}/runs/river/spot?line=X-B50")
    page.keyboard.press("b")
    page.wait_for_selector(".strip section:nth-child(2).here")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("line="))
    page.goto(f"{server.base}/runs/river/spot?line=X-B50&mode=ev&hand=AKs")
    page.wait_for_selector(".spot-hands h2:has-text('AKs')")
    expect(page.locator('.cell[data-name="AKs"]').first).to_have_attribute("aria-selected", "true")
    page.goto(f"{server.base}/runs/river/spot")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".strip section:nth-child(2)")
    page.go_back()
    page.wait_for_selector(".strip section:nth-child(1).here")
    expect(page).to_have_url(f"{server.base}/runs/river/spot")
    assert page.watch.problems == []


def test_hands_are_filtered_by_what_they_are(page, server):
    page.goto(f"{server.base}/runs/river/spot?list=made")
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "river")).node()
    for name, (share, _) in node.made().items():
        row = page.locator(f".spot-hands tr[data-key='{name}']")
        expect(row).to_contain_text(f"{100 * share:.1f} %")
    page.click(".spot-hands tr[data-key='overpair']")
    page.wait_for_url(re.compile("only=overpair"))
    expect(page.locator(".spot-hands h2")).to_contain_text("of the range")
    for place in (".strip .here a", ".actions a", ".sides a"):  # which else stay as they are
        expect(page.locator(place).first).to_have_attribute("href", re.compile("only=overpair"))
    expect(page.locator('.cell[data-name="AA"]').first).not_to_have_class(re.compile("none"))
    expect(page.locator('.cell[data-name="QJs"]').first).to_have_class(re.compile("none"))
    page.fill(".filter input", "nonsense")
    page.press(".filter input", "Enter")
    expect(page.locator(".filter [role=alert]")).to_contain_text("'nonsense' at character")
    page.click("[aria-label='Remove the filter nonsense']")
    expect(page.locator(".filter [role=alert]")).to_have_count(0)
    page.click("[aria-label='Remove the filter overpair']")
    expect(page.locator('.cell[data-name="QJs"]').first).not_to_have_class(re.compile("none"))
    assert page.watch.problems == []


def test_keys_work_after_a_click_on_a_hand(page, server):
    page.goto(f"{server.base}/runs/river/spot")
    page.click('.cell[data-name="AKs"]')
    page.wait_for_selector(".spot-hands h2:has-text('AKs')")
    page.keyboard.press("ArrowLeft")  # the grid's
    page.wait_for_selector(".spot-hands h2:has-text('AA')")
    page.keyboard.press("?")
    expect(page.locator("dialog button")).to_have_text(["Close"])
    expect(page.locator("dialog").first).to_contain_text("arrow keys")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.wait_for_url(re.compile("line=X"))
    page.click(".spot-hands tbody tr:first-child td:last-child")
    page.keyboard.press("m")
    page.wait_for_url(re.compile("mode=ev"))
    page.click('.cell[data-name="JJ"]')
    page.keyboard.press("Escape")  # the arrows are those of the view again
    page.keyboard.press("ArrowLeft")
    expect(page).not_to_have_url(re.compile("line="))


def test_a_strategy_is_locked_and_the_other_side_gains(page, server):
    page.goto(f"{server.base}/runs/river/spot?tab=lock")
    text = page.get_by_label("As text")
    start = page.get_by_role("button", name="Lock and solve again")
    text.fill("QJs: B50")
    page.wait_for_selector("[role=status]:has-text('4 hands are locked')")
    text.fill("QJs: X 70")
    page.wait_for_selector(".field .wrong:has-text('sum to 70 %')")
    expect(start).to_be_disabled()  # what was read before is not what stands there
    text.fill("random: A100")  # OOP goes all-in with every hand
    page.wait_for_selector(
        "[role=status]:has-text('hands are locked')"
    )  # while the text has the focus
    start.click()
    page.wait_for_selector(".compared", timeout=120_000)
    expect(page).to_have_url(re.compile("vs=river"))
    expect(page.locator(".spot-head .tag").first).to_have_text("1 lock")
    old, new = (eq.load_solution(server.folder / name) for name in ("river", "river-locked"))
    assert new.value[1] > old.value[1] + 1
    told = page.inner_text(".compared").replace("\N{MINUS SIGN}", "-")
    assert f"+{new.value[1] - old.value[1]:.2f}".rstrip("0") in told
    assert eq.poker.SolvedSpot(new).node().frequencies[2] == pytest.approx(1.0)
    assert [
        problem for problem in page.watch.problems if "400" not in problem
    ] == []  # that of 70 %


def test_what_follows_is_solved_again(page, server):
    page.goto(f"{server.base}/runs/river/spot?line=X")
    page.wait_for_selector(".actions")
    page.keyboard.press("s")
    until = page.get_by_label("Until an exploitability of")
    until.fill("often")
    page.keyboard.press("Enter")
    page.wait_for_selector(".again .help.wrong:has-text('often')")
    until.fill("0.05%")
    page.keyboard.press("Enter")
    page.wait_for_selector(".compared:has-text('Solved again after X')", timeout=120_000)
    expect(page.locator(".spot-head .tag").first).to_have_text("after X")
    part = eq.load_solution(server.folder / "river-X-Kh9s4d7c2h")
    assert part.exploitability_percent <= 0.05
    expect(page.locator(".actions li")).to_have_count(3)
    expect(page.locator(".actions small.note")).to_have_count(3)  # how often each was played before
    page.click(".actions li a")
    page.wait_for_selector(".strip .taken")
    page.click(".compared a:has-text('river')")
    expect(page).to_have_url(re.compile("line=X-X"))
    assert [
        problem for problem in page.watch.problems if "400" not in problem
    ] == []  # that of 'often'


def test_hands_are_painted(page, server):
    page.goto(f"{server.base}/runs/river/spot?tab=lock")
    cell = page.locator('.locks .cell[data-name="AA"]')
    cell.click()
    page.wait_for_selector("[role=status]:has-text('6 hands are locked')")
    expect(page.get_by_label("As text")).to_have_value("AA: X 100")
    cell.click()
    page.wait_for_selector("[role=status]:has-text('Nothing is locked')")
    text = page.get_by_label("As text")
    text.fill("AhAc: A100")
    page.wait_for_selector("[role=status]:has-text('1 hand is locked')")
    expect(page.locator('.locks .cell[data-name="AA"] small').first).to_have_text("some")
    text.fill("QQ: X")
    page.wait_for_selector(".field .wrong:has-text('OOP does not hold QQ here')")
    cell.click()
    page.keyboard.press("Control+z")
    page.wait_for_selector(".field .wrong:has-text('OOP does not hold QQ here')")
    expect(text).to_have_value("QQ: X")
    expect(page.get_by_role("button", name="Lock and solve again")).to_be_disabled()


SMALL = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary, [role=gridcell]")]
  .filter(one => one.checkVisibility() && !one.matches(".skip, .sr"))
  .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([text]) => text)"""


def test_a_finger_finds_all_on_a_narrow_screen(new_page, server):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(server.url)
    expect(page.get_by_role("link", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    for path, there in {
        "/": "table a",
        "/new/spot": ".hand",
        "/runs/turn/spot?line=X-X": ".runouts td a",
    }.items():
        page.goto(server.base + path)
        page.wait_for_selector(there)
        assert page.evaluate(SMALL) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_hands_that_are_hardly_held_are_left_out(new_page, server):
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(server.url)
    page.goto(f"{server.base}/runs/turn/spot?line=X-X+%7C+B50&board=Qc&player=0")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "turn")).node("X-X | B50", "Qc")
    held = node.ranges[0]
    rare = int(((held > 1e-6) & (held < 0.005)).sum())
    assert rare > 0
    weights = page.locator(".spot-hands tbody tr[data-key] td:last-child")
    expect(weights).to_have_count(int((held >= 0.005).sum()))
    box = page.locator(".spot-hands .table")
    assert box.evaluate("one => one.scrollWidth <= one.clientWidth")  # no column is cut off
    page.get_by_role("button", name=f"{rare} below 0.5 %").click()
    expect(weights).to_have_count(int((held > 1e-6).sum()))


def test_what_is_locked_is_listed(page, server):
    lock = {"line": "X", "hands": "QQ", "strategy": {"X": 0.25, "A100": 0.75}}
    eq.solve(f"{RIVER[:-1]}, locks=[{lock}])", iterations=5, save=server.folder / "locked")
    page.goto(f"{server.base}/runs/locked/spot")
    page.get_by_role("button", name="1 lock").click()
    page.wait_for_selector("dialog li:has-text('IP X: X 25 %, A100 75 %, with QdQc')")


def test_an_infoset_is_found_and_explained(page, server):
    page.goto(f"{server.base}/runs/kuhn")
    page.wait_for_selector(".infosets a.line")
    expect(page.locator(".infosets a.line")).to_have_count(12)
    assert page.inner_text(".side-list .legend").split("\n") == ["fold", "pass, call", "bet"]
    page.fill("input[type=search]", "qpb")
    page.wait_for_selector(".side-list [role=status]:has-text('1 infoset')")
    page.click(".infosets a.line")
    page.wait_for_selector(".infoset-detail table")
    mix = eq.load_solution(server.folder / "kuhn").strategy[0, "Qpb"]
    expect(page.locator(".infoset-detail table").first).to_contain_text(
        f"{100 * mix['call']:.2f} %"
    )
    expect(page.locator(".infosets a.line .shares")).to_have_text(
        " · ".join(f"{100 * mix[one]:.0f}" for one in mix)
    )
    page.wait_for_selector(".infoset-detail .chart path.series")
    page.get_by_role("button", name="Watch the strategy").click()
    page.wait_for_selector(".infoset-detail .tag:has-text('after 1 iteration')")
    page.wait_for_selector(
        ".infoset-detail .tag:has-text('after')", state="hidden"
    )  # at the end what is saved
    page.click("text=In the tree")
    page.wait_for_selector(".strip section.here:has-text('Player 0 acts')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".strip section.here:has-text('Player 1 acts')")
    page.go_back()
    page.go_back()
    page.click("text=Explain an iteration here")
    page.wait_for_selector(".walk .marked", timeout=120_000)
    expect(page.locator(".walk .node.marked").first).to_contain_text("player 0 at Qpb")
    page.get_by_role("region", name="Walk of player 0").focus()  # it scrolls by keys
    page.click("text=What the columns are")
    page.wait_for_selector("dd:has-text('weight × regret: added to the regret sum')")
    page.click('[aria-label="The next iteration"]')
    page.wait_for_selector("h2:has-text('Iteration 2')", timeout=60_000)
    expect(page).to_have_url(re.compile("iteration=2"))
    assert page.watch.problems == []


def test_every_page_tells_that_kernels_are_compiled(start, folder, tmp_path, new_page, monkeypatch):
    monkeypatch.setenv("EQUILIBRIST_CACHE", str(tmp_path / "kernels"))  # a new installation
    server, page = start(folder), new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view > *")
    expect(page.locator("#compiling").first).to_have_text("")
    page.goto(f"{server.base}/runs/kuhn")
    page.wait_for_selector("#compiling:has-text('Compiling kernels')", timeout=60_000)
    other = page.context.new_page()
    other.goto(f"{server.base}/history")
    other.wait_for_selector("#compiling:has-text('Compiling kernels')", timeout=60_000)
    page.wait_for_selector(".infosets a.line", timeout=300_000)
    page.wait_for_selector("#compiling:empty", state="attached", timeout=300_000)


def test_run_outs_are_summed_up_by_texture(page, server):
    page.goto(f"{server.base}/runs/turn/spot?line=X-X")
    table = page.get_by_role("table", name="Run-outs by texture")
    expect(table.locator("tbody tr[data-key]")).to_have_count(2, timeout=60_000)
    report = eq.poker.run_out_report(eq.load_solution(server.folder / "turn"), "X-X")
    for by, choice in (("flush", None), ("rank", "Rank of the card")):
        if choice:
            page.get_by_label("What tells run-outs apart").select_option(label=choice)
        for row in report.by_texture([by]):
            told = table.locator(f"tbody tr[data-key='{row[by]}']")
            expect(told).to_contain_text(f"{100 * row['equity_oop']:.1f} %")
            expect(told).to_contain_text(str(row["boards"]))
