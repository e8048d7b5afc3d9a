"""A journey through hand histories: dropped, graded, looked at, trained, and what is missing solved."""

import json
import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = (
    "holdem(board='2s3h4d6c7c', oop='AA,QQ,T9s', ip='KK,JJ,98s', pot=20, stack=10, bets='50%, a')"
)
OTHER = "PokerStars Hand #7:  Hold'em Limit ($1/$2 USD) - 2026/01/02 3:04:05 ET\nTable 'T' 2-max\n"


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graded")
    eq.solve(RIVER, until="0.1%", save=folder / "river")
    return folder


@pytest.fixture(scope="session")
def histories(tmp_path_factory):
    """Give a folder of two files: hands of a worse solution on two boards, and one of another game."""
    folder = tmp_path_factory.mktemp("Sunday")
    (folder / "late").mkdir()
    for name, board in (("first", "2s3h4d6c7c"), ("late/second", "2s3h4d6c8c")):
        coarse = eq.solve(RIVER.replace("2s3h4d6c7c", board), iterations=1)
        eq.poker.write_hands(coarse, folder / f"{name}.phhs", hands=40, seed=1)
    (folder / "other.txt").write_text(OTHER)
    (folder / "picture.png").write_bytes(b"x")
    return folder


def test_hands_are_dropped_graded_and_trained(page, server, histories):
    page.get_by_role("link", name="Hands", exact=True).click()
    page.wait_for_url(re.compile("/hands$"))
    page.get_by_label("Choose a folder").last.set_input_files(histories)
    page.wait_for_url(re.compile(r"/hands/\w{10}"), timeout=20_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(histories.name)
    expect(page.get_by_role("button", name="Grade again")).to_be_visible(timeout=60_000)
    account = page.locator("section", has_text="Every hand").last
    expect(account).to_contain_text("81 hands: 80 with decisions")
    account.get_by_text("Another game than no-limit hold'em").click()
    expect(account).to_contain_text("other.txt, line 1: PokerStars Hand #7:  Hold'em Limit")
    expect(account).to_contain_text("No run has the board")

    page.get_by_label("Player").select_option("*")
    page.wait_for_url(re.compile(r"player=\*"))
    page.get_by_role("button", name="Position").click()
    sums = page.locator("table[aria-label='Decisions by position']")
    expect(sums.locator("tbody tr[data-key]")).to_have_count(2)
    sums.locator("tr[data-key='IP']").click()
    page.wait_for_url(re.compile("position=IP"))
    expect(page.get_by_role("button", name="Without position")).to_be_visible()

    dearest = page.locator("table[aria-label='Dearest decisions'] tbody tr[data-key]").first
    link = dearest.get_by_role("link").get_attribute("href")
    assert link.startswith("/runs/river/spot?")
    dearest.get_by_role("link").click()
    page.wait_for_url(re.compile("/runs/river/spot"))
    page.wait_for_selector(".view.spot > *")
    page.go_back()
    page.get_by_role("button", name="Train these mistakes").click()
    page.wait_for_url(re.compile("/train/river"))
    page.wait_for_selector(".at-table")
    assert page.watch.problems == []


def test_what_is_missing_is_solved(page, server, histories):
    page.goto(f"{server.base}/hands")
    page.get_by_label("Choose files").last.set_input_files([histories / "late" / "second.phhs"])
    page.wait_for_url(re.compile(r"/hands/\w{10}"), timeout=20_000)
    expect(page.get_by_role("button", name="Grade again")).to_be_visible(timeout=60_000)
    page.get_by_label("Ranges from").select_option("run river")
    page.get_by_role("button", name="Look for spots").click()
    missing = page.locator("section", has_text="What is missing").last
    expect(missing).to_contain_text(re.compile(r"1 spot, for \d+ decisions"), timeout=60_000)
    page.get_by_role("button", name="Solve what is missing").click()
    expect(page.locator("#toasts")).to_contain_text("In the queue: 1 spot.")
    expect(page.locator("#running")).to_be_empty(timeout=60_000)
    page.get_by_role("button", name="Grade again").click()
    expect(page.get_by_role("heading", name="Dearest decisions")).to_be_visible(timeout=60_000)
    kept = json.loads(next(server.folder.glob("2s3h4d6c8c*/job.json")).read_text())
    assert kept["request"]["keywords"]["until"] == "0.5%"
    assert page.watch.problems == []
