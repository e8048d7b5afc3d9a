"""The address is that of what is shown: after a click that fails, one that is answered late, and the back button."""

import re

import pytest

from support.browser import held

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

BROKEN = {"error": {"message": "The disk is broken.", "field": None}}


def fail_at(page, pattern):
    """Let the server answer what fits a pattern with an error."""
    page.route(pattern, lambda route: route.fulfill(status=500, json=BROKEN))


def open_infosets(page, server):
    """Open the infosets of Kuhn poker at one of them, and return the heading of what is shown."""
    page.goto(f"{server.base}/runs/kuhn?infoset=Jpb&of=0")
    heading = page.locator(".infoset-detail h2")
    expect(heading).to_have_attribute("title", "Jpb")
    return heading


def click_infoset(page, name):
    page.locator(f"a.line[href*='infoset={name}&']").click()


def test_an_infoset_that_cannot_be_read_leaves_view_and_address_as_they_were(page, server):
    heading = open_infosets(page, server)
    before = page.url
    fail_at(page, re.compile(r"/infoset\?.*infoset=Qpb"))
    click_infoset(page, "Qpb")
    expect(page.locator(".toast.wrong")).to_contain_text("The disk is broken.")
    expect(page).to_have_url(before)
    expect(heading).to_have_attribute("title", "Jpb")
    expect(page.locator("a.line[aria-selected=true]")).to_have_attribute(
        "href", re.compile("infoset=Jpb")
    )
    page.reload()  # the address is that of what was shown
    expect(heading).to_have_attribute("title", "Jpb")


@pytest.mark.parametrize("fields", [{"search": "Q"}, {"player": "1"}])
def test_lines_that_cannot_be_read_leave_those_that_are_there(page, server, fields):
    open_infosets(page, server)
    before = page.url
    fail_at(page, "**/infosets?*")
    if "search" in fields:
        page.get_by_label("Search infosets").fill(fields["search"])
    else:
        page.get_by_label("Player").select_option(fields["player"])
    expect(page.locator(".toast.wrong")).to_contain_text("The disk is broken.")
    expect(page).to_have_url(before)
    expect(page.locator("a.line")).to_have_count(12)
    expect(page.get_by_label("Player")).to_have_value("")


def test_a_tab_that_cannot_be_read_leads_back_to_the_one_before(page, server):
    heading = open_infosets(page, server)
    before = page.url
    fail_at(page, "**/tree?*")
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator(".toast.wrong")).to_contain_text("The disk is broken.")
    expect(page).to_have_url(before)
    expect(page.get_by_role("tab", name="Infosets")).to_have_attribute("aria-selected", "true")
    expect(heading).to_have_attribute("title", "Jpb")
    click_infoset(page, "Kpb")
    expect(heading).to_have_attribute("title", "Kpb")


def test_an_answer_that_comes_late_changes_neither_view_nor_address(page, server):
    heading = open_infosets(page, server)
    with held(page, re.compile(r"/infoset\?.*infoset=Qpb")) as routes:
        click_infoset(page, "Qpb")
        expect(page).to_have_url(re.compile("infoset=Qpb"))
        click_infoset(page, "Kpb")
        expect(heading).to_have_attribute("title", "Kpb")
        assert len(routes) == 1
    with page.expect_response(re.compile("infoset=Jpb")):
        page.go_back()  # over the one that was late
        page.go_back()
    expect(heading).to_have_attribute("title", "Jpb")
    page.go_forward()
    page.go_forward()
    expect(heading).to_have_attribute("title", "Kpb")
    fail_at(page, re.compile(r"/infoset\?.*infoset=Kb"))
    click_infoset(page, "Kb")
    expect(page.locator(".toast.wrong")).to_contain_text("The disk is broken.")
    expect(page).to_have_url(re.compile("infoset=Kpb"))  # not that of the late answer


def test_a_failure_that_comes_late_is_none(page, server):
    heading = open_infosets(page, server)
    with held(page, re.compile(r"/infoset\?.*infoset=Qpb")) as routes:
        click_infoset(page, "Qpb")
        expect(page).to_have_url(re.compile("infoset=Qpb"))
        click_infoset(page, "Kpb")
        expect(heading).to_have_attribute("title", "Kpb")
        routes.pop().fulfill(status=500, json=BROKEN)
        page.wait_for_timeout(300)
    expect(page.locator(".toast.wrong")).to_have_count(0)
    expect(page).to_have_url(re.compile("infoset=Kpb"))


def test_a_history_that_cannot_be_read_leaves_the_one_that_is_shown(page, server):
    page.goto(f"{server.base}/runs/kuhn?tab=tree&path=0")
    moves = page.get_by_role("table", name="Moves")
    expect(moves).to_contain_text("Value P0")
    before = (page.url, moves.inner_text())
    fail_at(page, "**/tree?*path=0.*")
    moves.locator("a").first.click()
    expect(page.locator(".toast.wrong")).to_contain_text("The disk is broken.")
    expect(page).to_have_url(before[0])
    assert moves.inner_text() == before[1]
