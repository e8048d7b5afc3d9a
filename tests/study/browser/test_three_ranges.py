"""Journeys through a solved pot of three beside folded hands: what each player has, gains and knows of the folded."""

import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SPOT = (
    "holdem(board='9s9h2h8d', ranges=['9c9d:0.5,AsKs,KcQc', 'AsAc,KhJs:0.25,QdJd', '8c7c,QdQc,AhJh'],"
    " pot=6, stacks=[3, 2, 3], bets='50%', max_raises=0, folded=['AcKc', 'KdTs:0.5'],"
    " locks=[{'line': 'X', 'strategy': {'X': 0.5, 'A2': 0.5}, 'hands': 'QdJd'}])"
)
NOT_SAID = re.compile(r"exploitab|nash", re.IGNORECASE)


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    eq.solve(SPOT, iterations=100, save=folder / "three")
    return folder


def test_a_pot_of_three_beside_folded_hands_is_walked(page, server):
    solution = eq.load_solution(server.folder / "three")
    spot = eq.poker.SolvedSpot(solution)
    gain = max(solution.deviation_gains) / 6
    row = page.locator("tr[data-key='three']")
    expect(row).to_contain_text(f"{100 * gain:.2g} % pot")
    expect(page.get_by_role("button", name="Largest gain", exact=True)).to_be_visible()
    assert not NOT_SAID.search(row.inner_text())
    page.goto(f"{server.base}/runs/three/spot")
    expect(page.locator(".spot-head")).to_contain_text(
        "Dealt with 2 folded hands, all of whose deals are counted."
    )
    expect(page.locator(".spot-head .quality")).to_contain_text("No player can gain more than")
    expect(page.locator(".spot-head")).to_contain_text("1 lock")
    for number, name in enumerate(["SB", "BB", "BTN"]):
        side = page.locator(f".sides .side:has(h2:has-text('{name}'))").first
        expect(side).to_contain_text(f"{spot.node().evs[number]:.2f}".replace("-", "−"))
        expect(side).to_contain_text("Gain")
    expect(page.locator(".actions").first).to_contain_text(
        f"{100 * spot.node().frequencies[0]:.1f} %"
    )
    page.click(".strip .here a:has-text('X')")
    expect(page).to_have_url(f"{server.base}/runs/three/spot?line=X")
    page.click(".sides .side:has(h2:has-text('BTN'))")
    expect(page.locator(".spot-hands")).to_contain_text("BTN: 3 hands")
    assert not NOT_SAID.search(page.locator("main").inner_text())
    page.goto(f"{server.base}/runs/three/spot?line=X-X-X")
    expect(page.locator("main")).to_contain_text("EV BTN")
    # What there is of two ranges alone is no tab, even where an address asks for it.
    for tab in ("again", "exploit"):
        page.goto(f"{server.base}/runs/three/spot?tab={tab}")
        expect(page.locator(".actions").first).to_be_visible()
        assert not NOT_SAID.search(page.locator("main").inner_text())
    page.goto(f"{server.base}/export/three")
    expect(page.locator("main")).to_contain_text(f"largest gain {100 * gain:.2g} % pot")
    expect(page.locator("main")).to_contain_text("print(solution.deviation_gains)")
    assert not NOT_SAID.search(page.locator("main").inner_text())
    page.goto(f"{server.base}/compare?run=three")
    expect(page.locator("table")).to_contain_text(f"{100 * gain:.2g} % pot")
    expect(page.get_by_role("button", name="Largest gain", exact=True).first).to_be_visible()
    assert not NOT_SAID.search(page.locator("main .card").inner_text())
    assert page.watch.problems == []


def test_an_address_of_training_says_what_to_do(page, server):
    page.goto(f"{server.base}/train/three")
    expect(page.locator("main")).to_contain_text(
        "play three instead, or train on a run of two ranges"
    )
    assert page.locator("main form").count() == 0


def test_a_job_of_three_players_tells_their_largest_gain(page, server):
    page.goto(f"{server.base}/new?game=kuhn&players=3&until=0.05&name=of-three&iterations=400")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator(".detail")).to_contain_text("Reached its goal", timeout=60_000)
    expect(page.locator(".detail")).to_contain_text("a largest gain of 0.05")
    expect(page.locator(".detail h3").first).to_have_text("Largest gain")
    solution = eq.load_solution(server.folder / "of-three")
    told = f"{max(solution.deviation_gains):.2g}"
    expect(page.locator(".detail dt:has-text('Largest gain') + dd")).to_have_text(told)
    assert not NOT_SAID.search(page.locator(".detail").inner_text())
    assert page.watch.problems == []
