"""A journey with a spot that is saved as one page: it is opened from the disk without a network, and walked."""

import json
from pathlib import Path

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect
AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
TURN = eq.poker.Holdem(
    "Kh9s4d7c", "AA,AKs,QJs", "QQ,77,KJs", pot=100, stack=100, bets="50%, a", max_raises=1
)
NAME = "a </script><b>turn"


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline")
    eq.solve(TURN, iterations=30, save=folder / "turn")
    (folder / "turn").rename(folder / NAME.replace("/", "~"))
    return folder


def percent(share):
    return f"{100 * share:.1f} %"


def test_a_saved_spot_is_walked_from_the_disk_with_the_figures_of_the_server(
    page, new_page, server, tmp_path
):
    run = next(iter(server.folder.glob("a *")))
    identity = page.request.get(f"{server.base}/api/runs").json()["runs"][0]["id"]
    page.goto(f"{server.base}/export/{identity.replace('<', '%3C')}")
    card = page.locator("section", has_text="Spot to walk offline").last
    expect(card.get_by_role("status")).to_contain_text("decisions, about")
    with page.expect_download() as download:
        card.get_by_role("link", name="Save the page").click()
    path = tmp_path / "spot.html"
    download.value.save_as(path)
    told = float(card.get_by_role("status").inner_text().split("about ")[1].split(" MB")[0])
    assert path.stat().st_size / 1e6 == pytest.approx(told, rel=0.5)
    assert page.watch.problems == []

    alone = new_page(offline=True)
    alone.goto(path.as_uri())
    spot = eq.poker.SolvedSpot(eq.load_solution(run))
    rows = alone.locator(".actions li")
    first = spot.node()
    expect(rows).to_have_count(len(first.actions))
    for place, share in enumerate(first.frequencies):
        expect(rows.nth(place)).to_contain_text(percent(share))
    rows.nth(first.actions.index("X")).get_by_role("link").click()
    node = spot.node("X")
    expect(rows).to_have_count(len(node.actions))
    for place, share in enumerate(node.frequencies):
        expect(rows.nth(place)).to_contain_text(percent(share))
    expect(alone.locator(".sides a").first).to_contain_text(f"{node.evs[0]:.2f}".rstrip("0"))

    answered = page.request.get(
        f"{server.base}/api/runs/{identity.replace('<', '%3C')}/spot/node?line=X"
    ).json()
    alone.locator(".grid13 .cell[data-name='KJs']").click()
    table = alone.locator(".spot-hands tbody tr[data-key]")
    hands = [k for k, name in enumerate(answered["hands"]["class"]) if name == "KJs"]
    expect(table).to_have_count(len(hands))
    for k in hands:
        row = table.locator(f"xpath=self::*[@data-key='{answered['hands']['hand'][k]}']")
        for action in answered["actions"]:
            expect(row).to_contain_text(percent(answered["hands"][action][k]))
        expect(row).to_contain_text(percent(answered["hands"]["equity"][k]))

    alone.go_back()
    expect(rows).to_have_count(len(first.actions))
    alone.locator(".strip a", has_text="X").first.click()
    alone.locator(".actions li").first.get_by_role("link").click()  # X-X: the river is dealt
    expect(alone.locator(".notice")).to_contain_text("This file ends here")
    assert alone.locator("b", has_text="turn").count() == 0  # of the name no element is made
    expect(alone.locator(".spot-head .tag")).to_have_text(run.name)
    assert [
        url for url in alone.watch.requests if not url.startswith(("file:", "data:", "blob:"))
    ] == []
    assert alone.watch.problems == []


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci")
def test_the_page_by_axe_in_both_themes_and_on_a_phone(server, new_page, tmp_path):
    from equilibrist.poker.pages.offline import Part, write_offline_page

    run = next(iter(server.folder.glob("a *")))
    solution = eq.load_solution(run)
    path = tmp_path / "spot.html"
    spot = eq.poker.SolvedSpot(solution)
    path.write_text(write_offline_page(run.name, solution, spot, Part()), encoding="utf-8")
    problems = []
    for width in (1280, 390):
        page = new_page(viewport={"width": width, "height": 844}, bypass_csp=True, offline=True)
        page.goto(path.as_uri())
        page.wait_for_selector(".actions li")
        page.evaluate(AXE.read_text())
        for _ in range(2):
            page.locator("#theme").click()
            theme = page.evaluate("document.documentElement.dataset.theme")
            found = page.evaluate("() => axe.run().then(({violations}) => violations)")
            problems += [
                f"{width} {theme}: {one['id']}: {json.dumps([n['html'][:150] for n in one['nodes'][:2]])}"
                for one in found
            ]
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1
    assert problems == []
