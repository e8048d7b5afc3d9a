"""The lab of a game in the browser's page: offered with an explanation of Kuhn poker, and of no other game."""

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explained")
    eq.solve("kuhn", "dcfr", iterations=60, save=folder / "kuhn")
    eq.solve("kuhn(cards=4)", "cfr", iterations=5, save=folder / "four")
    return folder


def test_an_explanation_of_kuhn_poker_opens_the_lab(page, server):
    page.goto(f"{server.base}/runs/kuhn?tab=explain&iteration=7")
    page.get_by_role("button", name="Open in the lab").click()
    lab = page.locator(".eq-lab[data-mounted]")
    expect(lab.locator(".count b")).to_have_text("6")
    expect(lab.get_by_label("algorithm")).to_have_value("dcfr")
    lab.get_by_role("button", name="One iteration").click()
    expect(lab.locator(".count b")).to_have_text("7")
    expect(page).to_have_url(f"{server.base}/runs/kuhn?tab=explain&iteration=7")
    assert page.watch.problems == []


def test_another_game_has_none(page, server):
    page.goto(f"{server.base}/runs/four?tab=explain")
    page.wait_for_selector(".explain-body h2")
    expect(page.get_by_role("button", name="Open in the lab")).to_have_count(0)
