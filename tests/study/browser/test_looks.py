"""Journeys through what views show: pictures that say what they are, filters, comparisons, decks, and Omaha."""

import re
from pathlib import Path

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = eq.poker.Holdem(
    "Kh9s4d7c2h", "AA,AKs,KQs,QJs", "QQ,77,KJs", pot=100, stack=100, bets="25%, 50%, a"
)
OMAHA = eq.poker.Omaha("Kh9s4d7c2h", "AAKK,KKQJ", "99AK", pot=100, stack=100, bets="50%")


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("looks")
    eq.solve(RIVER, iterations=50, save=folder / "river")
    locked = eq.poker.Holdem(
        "Kh9s4d7c2h", "AA,AKs,KQs,QJs", "QQ,77", pot=100, stack=100, bets="25%, 50%, a"
    )
    locked.locks = [{"line": "X", "strategy": {"X": 1}}]
    eq.solve(locked, iterations=50, save=folder / "locked")
    eq.solve(OMAHA, iterations=10, save=folder / "omaha")
    return folder


def test_a_saved_grid_says_board_player_line_pot_and_colours(page, server):
    page.goto(f"{server.base}/runs/river/spot?line=X&only=KJs")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "river")).node("X")
    for mode, said in (
        ("", [f"Bet 25 {100 * node.frequencies[1]:.1f} %"]),
        ("equity", ["0 %", "100 %"]),
    ):
        page.goto(f"{server.base}/runs/river/spot?line=X&only=KJs&mode={mode}")
        page.wait_for_selector(".spot-hands tbody tr[data-key]")
        for kind in ("svg", "html"):
            with page.expect_download() as download:
                page.locator(".spot-grid .save-as").select_option(kind)
            content = Path(download.value.path()).read_text(encoding="utf-8")
            caption = re.sub("<[^>]*>", "", content[content.index('class="caption"') :])
            for text in ("K♥9♠4♦7♣2♥", "IP after Check", "pot 100", "only KJs", *said):
                assert text in caption, (mode, kind, text, caption[:300])
    page.goto(f"{server.base}/runs/river/spot?line=X&unit=pot")
    page.wait_for_selector(".spot-hands tbody tr[data-key]")
    with page.expect_download() as download:
        page.locator(".spot-hands .save-as").select_option("svg")
    content = Path(download.value.path()).read_text(encoding="utf-8")
    caption = re.sub("<[^>]*>", "", content[content.index('class="caption"') :])
    for text in ("K♥9♠4♦7♣2♥", "after Check", "IP: ", "EV in % pot", "Bet 25", "exploitability"):
        assert text in caption, (text, caption[:400])
    with page.expect_download() as download:
        page.locator(".spot-grid .save-as").select_option("png")
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    assert page.watch.problems == []


def test_in_a_comparison_one_link_leads_side_by_side_to_both_runs(page, server):
    page.goto(f"{server.base}/runs/locked/spot?vs=river&line=X")
    page.wait_for_selector(".compared")
    link = page.get_by_role("link", name="Side by side")
    expect(link).to_have_count(1)
    link.click()
    expect(page).to_have_url(re.compile(r"/side\?run=locked&run=river&line=X"))
    assert page.watch.problems == []


def test_the_share_over_hands_is_that_of_the_hands_that_are_listed(page, server):
    node = eq.poker.SolvedSpot(eq.load_solution(server.folder / "river")).node()
    held = dict(zip(node.hands[0], node.probabilities[0], strict=True))
    for query, chosen in (
        ("hand=KQs", lambda hand: {hand[0], hand[2]} == set("KQ")),
        ("only=KQs+or+AA&hand=KQs", lambda hand: {hand[0], hand[2]} == set("KQ")),
        ("only=KQs+or+AA", lambda hand: {hand[0], hand[2]} in ({"K", "Q"}, {"A"})),
    ):
        page.goto(f"{server.base}/runs/river/spot?{query}")
        share = sum(probability for hand, probability in held.items() if chosen(hand))
        expect(page.locator(".spot-hands h2")).to_contain_text(
            f", {100 * share:.1f} % of the range"
        )
    page.goto(f"{server.base}/runs/river/spot?only={'%20' * 15_000}constructor+%3E+5")
    expect(page.locator(".filter [role=alert]")).to_contain_text("'constructor'")
    expect(page.locator(".spot-hands h2")).to_contain_text("OOP:")


def test_a_short_deck_leaves_out_what_it_lacks_of_both_ranges(page, server):
    page.goto(f"{server.base}/new/spot")
    page.locator("[data-field=deck] select").select_option("short")
    expect(page.locator("textarea[aria-invalid]")).to_have_count(
        2
    )  # both are read in the short deck
    page.get_by_role("button", name="Leave out what the deck lacks").first.click()
    expect(page.locator(".takes")).to_contain_text("Memory")
    expect(page.locator("textarea[aria-invalid]")).to_have_count(0)
    page.get_by_role("tab", name="IP").click()
    expect(page.locator("textarea[aria-invalid]")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    for player in ("IP", "OOP"):  # one step took back both
        page.get_by_role("tab", name=player).click()
        expect(page.get_by_role("button", name="Leave out what the deck lacks")).not_to_have_count(
            0
        )


def test_omaha_is_headed_by_its_title_its_hands_by_line_and_what_is_lacking_is_said(page, server):
    page.goto(f"{server.base}/runs/omaha")
    expect(page.locator("h1")).to_have_text("Omaha Kh9s4d 7c 2h, pot 100, stacks 100")
    expect(page.locator(".inspect > .note")).to_contain_text("equilibrist show")
    heads = page.locator(".line.group")
    expect(heads.first).to_contain_text("OOP")
    expect(heads.first).to_contain_text("first to act")
    hand = page.locator("a.line").first
    expect(hand).to_contain_text(re.compile("[♠♥♦♣].*(pair|set|trips)"))
    assert not hand.locator(".name").evaluate("(one) => one.scrollWidth > one.clientWidth + 1")
    hand.click()
    expect(page.locator(".infoset-detail h2")).to_contain_text("first to act")
    stats = page.locator(".infoset-detail .stats")
    for name in ("EV OOP / IP", "Equity OOP / IP"):
        expect(stats).to_contain_text(re.compile(rf"{name}\D*\d+\.\d+.* / .*\d"))
    page.goto(f"{server.base}/play/omaha")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator(".say")).to_contain_text(re.compile("You know .* on "))
    assert page.watch.problems == []
