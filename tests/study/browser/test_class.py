"""A class: pupils give their names, the teacher sees what they choose; and the labs in the page."""

import csv
import io
import json
import re
from urllib.request import Request, urlopen

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh', ip='KsKh', pot=20, stack=10, bets='a')"
PUPILS = 30


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    eq.solve("kuhn", iterations=200, save=folder / "kuhn")
    eq.solve(RIVER, iterations=200, save=folder / "river")
    return folder


def ask(server, path, data=None):
    headers = {"authorization": f"Bearer {server.token}", "content-type": "application/json"}
    content = None if data is None else json.dumps(data).encode()
    return json.load(urlopen(Request(server.base + path, content, headers)))


def train(server, pupil, action, hands=1, **settings):
    """Have a pupil choose an action at some decisions."""
    table = ask(server, "/api/tables", {"pupil": pupil, "answers": 1, **settings})
    for _ in range(hands):
        ask(server, f"/api/tables/{table['id']}/moves", {"action": action})
        ask(server, f"/api/tables/{table['id']}/hands", {})


def test_a_pupil_gives_a_name_and_the_teacher_sees_what_was_chosen(page, new_page, server):
    """The pupil has a browser of their own; the page of the teacher shows the choice by itself."""
    page.goto(f"{server.base}/history")
    page.get_by_role("link", name="Class").click()
    expect(page.locator(".notice")).to_contain_text("Pupils open the address")
    pupil = new_page()
    pupil.goto(server.url)
    pupil.goto(f"{server.base}/train/kuhn?line=Kb")
    pupil.get_by_label("Your name").fill("<i>Ada</i>")
    pupil.keyboard.press("Enter")
    pupil.wait_for_selector(".choice")
    expect(pupil.locator("h1 + .tag")).to_have_text("<i>Ada</i>")
    pupil.keyboard.press("f")
    pupil.wait_for_selector(".choice.next")
    row = page.locator("table[aria-label=Choices] tbody tr").first
    expect(row).to_contain_text("<i>Ada</i>")  # by itself, as a text
    for text in ("Kb", "Fold", "Call 100 %", "3", "blunder"):
        expect(row).to_contain_text(text)
    expect(page.locator("table[aria-label=Pupils] tbody tr")).to_have_count(1)
    row.click()
    expect(page.locator("dialog .decision.own")).to_contain_text("Fold")
    page.keyboard.press("Escape")
    # The name is remembered, also where the page does not ask for one.
    pupil.goto(f"{server.base}/play/kuhn")
    expect(pupil.get_by_label("Your name")).to_have_value("<i>Ada</i>")
    pupil.goto(f"{server.base}/train/kuhn")
    expect(pupil.get_by_role("button", name="My mistakes (1)")).to_be_visible()
    assert pupil.watch.problems == []
    assert page.watch.problems == []


def test_another_pupil_has_no_mistakes_of_the_first(page, server):
    train(server, "Ada", "fold", run="kuhn", line="Kb")
    page.goto(f"{server.base}/train/kuhn?line=Kb")
    expect(page.get_by_role("button", name="My mistakes (1)")).to_be_visible()  # of anybody
    page.get_by_label("Your name").fill("Bo")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    page.goto(f"{server.base}/train/kuhn")
    page.wait_for_selector("form .field")
    expect(page.get_by_role("button", name=re.compile("My mistakes"))).to_have_count(0)
    assert page.watch.problems == []


def test_a_class_of_thirty_is_summed_up_restricted_and_saved(page, server):
    for number in range(PUPILS):
        action = "fold" if number % 3 == 0 else "call"
        train(server, f"pupil {number:02}", action, hands=2, run="kuhn", line="Kb")
    train(server, "pupil 01", "X", run="river", line="")
    page.goto(f"{server.base}/class")
    pupils = page.locator("table[aria-label=Pupils] tbody tr")
    expect(pupils).to_have_count(PUPILS)
    expect(page.locator("main")).to_contain_text("31 tables are in memory, which has room for")
    first = pupils.first.locator("td")  # who lost most is first: two folds of a king, 3 each
    expect(first.nth(1)).to_have_text("2")
    expect(first.nth(3)).to_have_text("6")
    with page.expect_download() as choices:
        page.get_by_text("CSV of choices").click()
    heads, *rows = csv.reader(io.StringIO(choices.value.path().read_text()))
    assert len(rows) == 2 * PUPILS + 1
    costs = [float(row[heads.index("cost")]) for row in rows if row[heads.index("game")] == "kuhn"]
    assert sum(costs) == pytest.approx(3 * 2 * PUPILS / 3)
    with page.expect_download() as sums:
        page.get_by_text("CSV of pupils").click()
    assert len(sums.value.path().read_text().splitlines()) == PUPILS + 1
    page.select_option("select[aria-label=Run]", "river")
    expect(pupils).to_have_count(1)
    row = page.locator("table[aria-label=Choices] tbody tr").first
    expect(row.get_by_role("img").or_(row.locator(".pc")).first).to_be_visible()
    page.select_option("select[aria-label=Run]", "")
    pupils.filter(has_text="pupil 03").click()
    expect(page).to_have_url(re.compile("pupil=pupil"))
    expect(page.locator("table[aria-label=Choices] tbody tr")).to_have_count(2)
    expect(pupils).to_have_count(PUPILS)  # with which one is compared
    page.get_by_label("All pupils").click()
    expect(page.locator("table[aria-label=Choices] tbody tr")).to_have_count(2 * PUPILS + 1)
    page.select_option("select[aria-label=Period]", "hour")
    expect(pupils).to_have_count(PUPILS)
    assert page.watch.problems == []


def test_choices_of_a_pupil_take_nothing_out_of_the_hands_of_the_teacher(page, server):
    """Each of them is shown; the select of runs is made anew where there is another run only."""
    train(server, "Ada", "fold", run="kuhn", line="Kb")
    page.goto(f"{server.base}/class")
    choices = page.locator("table[aria-label=Choices] tbody tr")
    expect(choices).not_to_have_count(0)
    before = choices.count()
    page.get_by_label("Run").focus()
    train(server, "Ada", "call", run="kuhn", line="Kb")
    expect(choices).to_have_count(before + 1)
    expect(page.get_by_label("Run")).to_be_focused()
    assert page.watch.problems == []


def test_a_name_that_is_none_is_told_at_its_field(page, server):
    page.goto(f"{server.base}/play/kuhn")
    page.wait_for_selector("form.set-up")
    page.get_by_label("Your name").evaluate("input => input.removeAttribute('maxlength')")
    page.get_by_label("Your name").fill("x" * 41)
    page.keyboard.press("Enter")
    wrong = page.locator(".field[data-field=pupil] .help.wrong")
    expect(wrong).to_have_text("pupil must have at most 40 characters; got 41.")


def test_labs_open_in_the_page_and_stop_when_they_are_left(page, server):
    page.get_by_role("link", name="Labs").click()
    lab = page.locator(".eq-lab[data-mounted]")
    lab.get_by_role("button", name="rock", exact=True).first.click()
    expect(lab.locator(".panel").first).to_be_visible()
    expect(lab).to_contain_text("t = 1")
    page.get_by_role("link", name="One bet").click()
    expect(page.locator("h2", has_text="One bet")).to_be_visible()
    lab.get_by_label("bluff with the jack").fill("0.2")
    expect(lab).to_contain_text("equilibrium: bluff 1/3, call 1/3, value 1/18")
    colour = "() => [...document.querySelector('.eq-lab canvas').getContext('2d').getImageData(5, 5, 1, 1).data]"
    light = page.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"(light) => ({colour})().join() !== light.join()", arg=light)
    page.evaluate("""() => {
      window.frames = 0;
      const ask = window.requestAnimationFrame;
      window.requestAnimationFrame = (run) => { window.frames += 1; return ask.call(window, run); };
    }""")
    lab.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => window.frames > 5")
    page.get_by_role("link", name="Ranges").click()
    page.wait_for_selector(".view.ranges > *")
    page.wait_for_timeout(300)
    before = page.evaluate("window.frames")
    page.wait_for_timeout(300)
    assert page.evaluate("window.frames") == before
    for name in ("blotto", "kuhn", "leduc", "learning"):
        page.goto(f"{server.base}/labs?lab={name}")
        expect(lab.locator(".lab-body, .panel").first).to_be_visible()
    assert page.watch.problems == []
    page.goto(f"{server.base}/labs?lab=constructor")
    expect(page.locator(".notice")).to_contain_text("There is no lab “constructor”: choose one of")
