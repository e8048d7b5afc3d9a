"""Journeys: choose a game, describe a spot, watch it being solved, come back after a reload or a kill of the server."""

import re

import pytest

import equilibrist as eq
from support.browser import held

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SLOW = 400_000  # ms: a worker starts, and perhaps kernels are compiled on a machine that is busy
EFG = 'EFG 2 R "Tiny" { "one" "two" }\np "" 1 1 "a" { "l" "r" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'


def state(page):
    return page.locator(".jobs .job .tag").first


def go(page, server, path):
    page.goto(server.base + path)
    page.wait_for_selector("main .view")
    if path == "/new/spot":
        page.wait_for_url(
            "**/new/spot?spot=*"
        )  # the example is filled in: what was changed before has no undo


def test_solves_kuhn_and_sees_its_value(page, server, folder):
    page.get_by_role("link", name="New run").click()
    page.get_by_role("option", name=re.compile("^kuhn", re.I)).click()
    expect(page.locator(".takes")).to_contain_text("12", timeout=SLOW)  # infosets
    page.get_by_label("Exploitability").fill("0.000001")
    page.get_by_label("Name of the run").fill("mine")
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("done", timeout=SLOW)
    value = page.locator(".stat", has_text="Value").locator("dd")
    expect(value).to_have_text("−0.0556 / 0.0556")  # −1/18
    assert eq.load_solution(folder / "mine").exploitability <= 1e-6
    page.get_by_role("link", name="Study").click()
    expect(page).to_have_url(re.compile("/runs/mine"))
    assert page.watch.problems == []
    assert all(url.startswith((server.base, "data:", "blob:")) for url in page.watch.requests)


def test_answers_everywhere_is_a_switch_with_its_price_afterwards(page, server, folder):
    go(page, server, "/new?game=kuhn&name=answers")
    page.get_by_label("Answers everywhere").check()
    expect(page.get_by_label("Exploitability")).to_be_hidden()
    expect(page).to_have_url(re.compile(re.escape("concept=qre%280.1%29")))
    page.reload()
    expect(page.get_by_label("Answers everywhere")).to_be_checked()
    page.get_by_label("Temperature").fill("1")
    page.get_by_label("Largest error").fill("1e-7")
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("done", timeout=SLOW)
    price = page.locator(".stat", has_text="Price of answering everywhere").locator("dd")
    expect(price).to_have_text("0.17")  # 0.339608692 / 2, tests/solving/test_qre.py
    assert eq.load_solution(folder / "answers").config.concept == eq.QRE(1.0)
    page.get_by_role("link", name="Study").click()
    expect(page.locator(".quality")).to_contain_text("price of answering everywhere: 0.17 a game")
    go(page, server, "/new/spot")
    page.get_by_label("Answers everywhere").check()
    expect(page.get_by_label("Temperature, % of the pot")).to_have_value("1")
    expect(page.get_by_label("Goal, % of the pot")).to_be_hidden()
    assert page.watch.problems == []


def test_mistakes_are_shown_where_they_were_made(page, server):
    go(page, server, "/new?game=kuhn&players=7")
    field = page.locator('[data-field="players"]')
    expect(field).to_contain_text("a whole number, 2 to 3; got 7", timeout=SLOW)
    field.locator("input").fill("3")
    expect(page.locator(".takes")).to_contain_text("48", timeout=SLOW)
    expect(field).not_to_contain_text("got 7")
    expect(page).to_have_url(re.compile("players=3"))


def test_a_gambit_file_is_dropped_on_the_page(page, server):
    go(page, server, "/new?game=file")
    page.set_input_files(
        "input[type=file]", {"name": "tiny.efg", "mimeType": "text/plain", "buffer": EFG.encode()}
    )
    expect(page.get_by_role("radio", name="tiny.efg")).to_be_checked()
    expect(page.locator(".takes")).to_contain_text("Infosets", timeout=SLOW)
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("done", timeout=SLOW)


def test_a_sampled_run_is_recorded_and_replayed(page, server, folder):
    go(
        page,
        server,
        "/new?game=kuhn&algorithm=cfr&sampling=outcome(epsilon=0.5)&iterations=1000&name=sampled",
    )
    expect(page.get_by_label("Exploration")).to_have_value("0.5")
    page.get_by_label("Sampling").select_option("public-chance")
    expect(page.get_by_label("Exploration")).to_be_hidden()  # which has no meaning there
    page.get_by_label("Sampling").select_option("external")
    page.get_by_label("Batch").fill("4")
    page.get_by_label("Baseline").select_option("history")
    page.get_by_label("Record", exact=True).fill("J, Kb")
    expect(page).to_have_url(
        re.compile(re.escape("sampling=external%28batch%3D4%2C+baseline%3D%27history%27%29"))
    )
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("done", timeout=SLOW)
    solution = eq.load_solution(folder / "sampled")
    assert str(solution.config.sampling) == "external(baseline='history', batch=4)"
    assert len(solution.recording.infosets) == 2
    iterations = page.locator(".stat", has_text="Iterations").locator("dd")
    expect(iterations).to_have_text("1,000 of 1,000")
    page.get_by_role("button", name="Watch the curve").click()
    expect(iterations).not_to_have_text("1,000 of 1,000")
    expect(iterations).to_have_text("1,000 of 1,000", timeout=SLOW)  # at its end
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".detail").bounding_box()["y"] < page.locator(".list").bounding_box()["y"]


def test_a_file_that_is_refused_is_told_where_it_was_dropped(page, server):
    go(page, server, "/new?game=file")
    page.set_input_files(
        "input[type=file]", {"name": "tree.pdf", "mimeType": "text/plain", "buffer": b"%PDF"}
    )
    expect(page.locator(".dropzone [role=alert]")).to_contain_text("A file 'tree.pdf' is not read")


def test_paints_a_range_and_solves_a_river(page, server, folder):
    spot = '{"board": "Kh9s4d7c2h", "oop": "KQs", "ip": "QQ-TT,AKo", "pot": 100, "stack": 300, "bets": "50%; a"}'
    go(page, server, f"/new/spot?spot={spot}")
    text = page.get_by_label("Range of OOP as a text")
    expect(text).to_have_value("KQs")
    cell = page.locator('.grid13:visible [data-name="AA"]')
    cell.scroll_into_view_if_needed()
    box, far = cell.bounding_box(), page.locator('.grid13:visible [data-name="AJs"]').bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(far["x"] + 5, far["y"] + 5)  # at once: the cells between are painted as well
    page.mouse.up()
    expect(text).to_have_value("AA,AJs+,KQs")
    page.locator(".suits .hand:visible").first.click()  # A♠J♠ of the class that was painted last
    expect(text).to_have_value("AA,AQs+,AhJh,AdJd,AcJc,KQs")
    text.fill("AA, KYs")
    expect(page.locator(".range-painter:visible mark")).to_have_text("KYs")
    page.get_by_label("The best hands").first.fill("3")
    expect(text).to_have_value("top 3%")
    expect(page.locator('.grid13:visible [data-name="88"]')).to_have_attribute(
        "aria-label", re.compile("100 %")
    )
    text.fill("[50]A5s[/50]; AA\nKQs")
    expect(page.locator('.grid13:visible [data-name="A5s"]')).to_have_attribute(
        "aria-label", re.compile("50 %")
    )
    text.fill("AA,KQs,A5s:0.5")
    expect(page.locator('.grid13:visible [data-name="A5s"]')).to_have_attribute(
        "aria-label", re.compile("50 %")
    )
    expect(page.locator(".tree")).to_contain_text("B50", timeout=SLOW)
    page.get_by_label("Goal, % of the pot").fill("1")
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("done", timeout=SLOW)
    (saved,) = [path for path in folder.iterdir() if path.name.startswith("Holdem")]
    solution = eq.load_solution(saved)
    assert solution.final.exploitability_percent <= 1
    assert "AA,A5s:0.5,KQs" in solution.game
    refused = "Failed to load resource: the server responded with a status of 400 (Bad Request)"
    assert set(page.watch.problems) == {refused}


def test_changes_of_a_spot_are_taken_back(page, server):
    go(page, server, "/new/spot")
    board = page.get_by_label("The board as a text")
    expect(board).to_have_value("Td 9d 6h Qc")
    text = page.get_by_label("Range of OOP as a text")
    before = text.input_value()
    page.get_by_role("button", name="River", exact=True).click()
    expect(board).to_have_value(
        re.compile("^Td 9d 6h Qc [2-9TJQKA][shdc]$")
    )  # the cards that were there stay
    page.locator(".range-painter:visible").get_by_role("button", name="Clear").click()
    expect(text).to_have_value("")
    page.locator('.grid13:visible [data-name="AA"]').click()
    expect(text).to_have_value("AA")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("")
    page.keyboard.press("Control+z")
    expect(text).to_have_value(before)
    expect(page.locator('.grid13:visible [data-name="66"]')).to_have_attribute(
        "aria-label", re.compile("100 %")
    )
    page.get_by_role("button", name="Undo").click()
    expect(board).to_have_value("Td 9d 6h Qc")
    page.get_by_role("button", name="Clear").first.click()  # all of it
    expect(board).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(board).to_have_value("Td 9d 6h Qc")
    expect(text).to_have_value(before)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_numbers_of_a_former_range_go_with_it(page, server):
    spot = '{"board": "Kh9s4d7c2h", "oop": "KQs", "ip": "QQ-TT,AKo", "pot": 100, "stack": 300, "bets": "50%; a"}'
    go(page, server, f"/new/spot?spot={spot}")
    expect(page.locator(".takes")).to_contain_text("Hands", timeout=SLOW)
    page.get_by_label("Range of OOP as a text").fill("AA, KYs")
    expect(page.locator(".takes")).to_be_empty()
    expect(page.locator(".tree")).to_be_empty()
    expect(page.locator(".range-painter:visible mark")).to_have_text("KYs")


def test_a_range_is_painted_by_keys(page, server):
    go(page, server, "/new/spot")
    page.get_by_role("button", name="Clear").first.click()
    text = page.get_by_label("Range of OOP as a text")
    expect(text).to_have_value("")
    page.locator('.grid13:visible [data-name="AA"]').focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(text).to_have_value("KK+,AKs")


def test_what_is_painted_while_a_text_is_being_read_goes_on_top_of_it(page, server):
    go(page, server, "/new/spot")
    text = page.get_by_label("Range of OOP as a text")
    page.locator(".range-painter:visible").get_by_role(
        "button", name="Clear"
    ).click()  # what is there is wiped off
    expect(text).to_have_value("")
    with held(page, "**/api/spots/range") as routes:
        text.fill("QQ")
        page.locator('.grid13:visible [data-name="AA"]').click()
        while not routes:
            page.wait_for_timeout(10)
        page.locator('.grid13:visible [data-name="AKs"]').click()
    expect(text).to_have_value("AA,QQ,AKs")


def start_long(page, server):
    go(page, server, "/new?game=leduc&algorithm=cfr&iterations=1000000000&name=long")
    page.get_by_role("button", name="Solve").click()
    expect(state(page)).to_have_text("solving", timeout=SLOW)


def test_a_run_is_paused_reloaded_and_stopped(page, server, folder):
    start_long(page, server)
    page.get_by_role("button", name="Pause").click()
    expect(state(page)).to_have_text("paused")
    page.reload()
    expect(state(page)).to_have_text("paused")
    page.get_by_role("button", name="Go on").click()
    expect(state(page)).to_have_text("solving")
    page.get_by_role("button", name="Stop and keep").click()
    expect(state(page)).to_have_text("stopped", timeout=SLOW)
    assert eq.load_solution(folder / "long").stop_reason == "stop"


@pytest.mark.slow
def test_a_run_can_be_studied_while_it_is_solved(page, server):
    start_long(page, server)
    expect(page.get_by_role("link", name="Study")).to_be_visible(timeout=SLOW)
    assert page.evaluate("async () => (await fetch('/api/runs/long')).status") == 200
    expect(state(page)).to_have_text("solving")


def test_the_server_is_killed_and_the_run_resumed(start, folder, new_page):
    server, page = start(folder), new_page()
    page.goto(server.url)
    page.wait_for_selector("main .view")
    start_long(page, server)
    expect(page.get_by_role("link", name="Study")).to_be_visible(timeout=SLOW)
    server.kill()
    again = start(folder, port=server.port)
    page.goto(again.url)
    page.get_by_role("link", name="Solving", exact=True).click()
    expect(state(page)).to_have_text("interrupted")
    page.get_by_role("button", name="Resume").click()
    expect(state(page)).to_have_text("solving", timeout=SLOW)
    page.get_by_role("button", name="Stop and keep").click()
    expect(state(page)).to_have_text("stopped", timeout=SLOW)


@pytest.mark.slow
def test_two_browsers_see_the_same_run(server, page, new_page):
    other = new_page()
    other.goto(server.url)
    other.goto(server.base + "/jobs")
    start_long(page, server)
    expect(state(other)).to_have_text("solving", timeout=SLOW)
    other.get_by_role("button", name="Stop and keep").click()
    expect(state(page)).to_have_text("stopped", timeout=SLOW)


def test_nothing_is_cut_off_on_a_narrow_screen(server, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(server.url)
    for path in ("/new", "/new/spot", "/jobs"):
        go(page, server, path)
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
