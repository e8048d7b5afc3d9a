"""Journeys of settings of a run through addresses and forms: none is lost on the way to many boards, or many runs."""

import json
import re
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest

from equilibrist.cfr.concepts import find_concept
from equilibrist.web.requests import read_keywords
from equilibrist.web.respond import Fields
from support.run_settings import settings_of_runs
from support.spot_settings import TOGETHER, meaning

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

THROUGH = """async ({settings, spot, without}) => {
  const { addressOfSettings, settingsInAddress } = await import("/static/js/runs/carried.js");
  const { href } = await import("/static/js/base/address.js");
  const { runSettings } = await import("/static/js/runs/run-settings.js");
  const { get } = await import("/static/js/base/api.js");
  const known = await get("/algorithms");
  const through = (values) => {
    const query = new URL(href("/x", addressOfSettings(values, { spot })), location.href).searchParams;
    return runSettings({ known, spot, given: settingsInAddress(query), without }).values();
  };
  return settings.map((values) => [through(values), through(through(values))]);
}"""
NOT_OF_BATCHES = [
    *("algorithm", "sampling", "record", "record_every", "name", "tags", "note"),
    *("answers", "temperature"),
]
OF_RUN = {
    "precision": "float64",
    "threads": "2",
    "alternating": "no",
    "max_memory_gb": "3",
    "iterations": "77",
    "nodes": "100000000",
    "until": "0.3",
}


def keywords(values):
    """Return settings as the server reads them, a concept as what it means."""
    read = read_keywords(Fields(values))
    return {**read, "concept": find_concept(read.get("concept", "nash"))}


@pytest.mark.parametrize("spot", [True, False])
@pytest.mark.parametrize("without", [[], NOT_OF_BATCHES], ids=["run", "batch"])
def test_every_setting_of_a_run_goes_through_an_address_and_a_form(page, spot, without):
    given = settings_of_runs()
    if spot:  # whose goals are shares of the pot
        given = [row for row in given if row.get("until") in (None, "0.5%")]
    for row, (once, twice) in zip(
        given,
        page.evaluate(THROUGH, {"settings": given, "spot": spot, "without": without}),
        strict=True,
    ):
        assert keywords(once) == keywords(row), row
        assert twice == once
    assert page.watch.problems == []


def test_what_a_form_does_not_know_it_shows_and_the_server_judges(page, server):
    page.goto(
        f"{server.base}/new?game=kuhn&algorithm=mine&precision=float16&max_depth=9&save_streets=1"
    )
    expect(page.get_by_label("Algorithm")).to_have_value("mine")
    expect(page.get_by_label("Numbers are stored in")).to_have_value("float16")
    carried = page.locator(".run-settings .also")
    expect(carried).to_contain_text("save_streets 1")
    expect(carried.get_by_role("status")).to_contain_text("max_depth")
    page.get_by_role("button", name="Remove: max_depth 9").click()
    expect(carried).not_to_contain_text("max_depth")
    expect(page.locator('[data-field="algorithm"] .wrong')).to_contain_text("mine")
    expect(page).not_to_have_url(re.compile("max_depth"))
    assert "save_streets=1" in page.url


def sent(page, action):
    """Return what a form asks for with its batch after an action."""
    with page.expect_request("**/api/batches/estimate") as asked:
        action()
    return json.loads(asked.value.post_data)


def test_many_boards_take_over_all_settings_of_a_new_spot_and_give_them_back(page, server):
    spot = quote(json.dumps(TOGETHER))
    page.goto(f"{server.base}/new/spot?spot={spot}&{urlencode(OF_RUN)}&name=mine")
    page.wait_for_url("**/new/spot?spot=*")
    page.get_by_label("Algorithm").select_option(
        "dcfr"
    )  # typed, not in the address that was opened
    body = sent(page, lambda: page.click("text=Many boards"))
    assert meaning(body.pop("spot")) == meaning(TOGETHER)
    assert body["algorithms"] == ["dcfr"]
    assert body["name"] == "mine"
    of_a_run = {name: body[name] for name in body if name in OF_RUN}
    expected = {**OF_RUN, "alternating": False, "until": "0.3%"}
    assert of_a_run == expected
    page.get_by_label("Boards").select_option("rivers")
    page.get_by_label("Other settings").fill("ante = 1")
    page.get_by_label("Iterations").fill("78")
    expect(page).to_have_url(re.compile("iterations=78"))
    page.get_by_role("link", name="change").click()
    page.wait_for_url("**/new/spot?spot=*")
    expect(page.get_by_label("Algorithm")).to_have_value("dcfr")
    expect(page.get_by_label("Iterations")).to_have_value("78")
    page.wait_for_selector("input[name=pot]")
    again = sent(page, lambda: page.click("text=Many boards"))
    assert {name: again[name] for name in again if name in OF_RUN} == {
        **expected,
        "iterations": "78",
    }
    assert again["boards"] == "rivers"
    assert again["vary"] == {"ante": [1]}
    assert page.watch.problems == []


def test_a_batch_says_what_it_does_not_take_and_begins_without(page, server):
    spot = {
        "board": "Kh9s4d7c",
        "oop": "AA,76s",
        "ip": "QQ,AKo",
        "pot": 100,
        "stack": 100,
        "bets": "a",
    }
    page.goto(
        f"{server.base}/batches/new?spot={quote(json.dumps(spot))}&record=all&tags=mine&until=5"
    )
    carried = page.locator(".run-settings .also")
    expect(carried).to_contain_text("record all")
    expect(carried.get_by_role("status")).to_contain_text("of a single run")
    page.get_by_role("button", name="Remove: record all").click()
    expect(carried.get_by_role("status")).to_contain_text("tags is of a single run")
    page.get_by_role("button", name="Remove: tags mine").click()
    expect(carried).to_be_hidden()
    expect(page.locator(".takes dd").first).to_have_text("48")


def test_a_goal_that_was_taken_out_stays_out(page, server):
    page.goto(f"{server.base}/new/spot")
    page.wait_for_url("**/new/spot?spot=*")
    page.get_by_label("Goal, % of the pot").fill("")
    page.get_by_label("Iterations").fill("50")
    expect(page).to_have_url(re.compile("iterations=50"))
    page.reload()
    expect(page.get_by_label("Iterations")).to_have_value("50")
    expect(page.get_by_label("Goal, % of the pot")).to_have_value("")
    body = sent(page, lambda: page.click("text=Many boards"))
    assert "until" not in body
    assert body["iterations"] == "50"
    page.get_by_label("Boards").select_option("own")
    page.reload()
    expect(page.get_by_label("Boards")).to_have_value("own")


def test_many_runs_begin_with_the_game_and_the_settings_of_a_new_run(page, server):
    page.goto(
        f"{server.base}/new?game=kuhn&cards=4&algorithm=cfr&sampling=outcome(epsilon=0.5)&seed=3"
        "&until=0.01&until=cce_distance(0.02)&iterations=9"
    )
    expect(page.get_by_label("cards")).to_have_value("4")
    page.get_by_role("link", name="Many runs …").click()
    page.wait_for_url("**/batches/new?*")
    expect(page.locator("textarea[name=games]")).to_have_value("kuhn(cards=4)")
    expect(page.get_by_label("cfr", exact=True)).to_be_checked()
    expect(page.get_by_label("Samplings")).to_have_value("outcome(epsilon=0.5)")
    query = parse_qs(urlsplit(page.url).query)
    assert query["until"] == ["0.01", "cce_distance(0.02)"]
    assert (query["seed"], query["iterations"]) == (["3"], ["9"])
    # The estimate, where it is asked for before the click, refuses this criterion of a sampled run.
    assert [problem for problem in page.watch.problems if "400" not in problem] == []
