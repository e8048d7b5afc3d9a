"""Journeys of play in a real browser, by keyboard alone: ten hands, a trainer, histories."""

import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

RIVER = (
    "holdem(board='2s3h4d6c7c', oop='AsAh,QsQh,TT', ip='KsKh,JJ', pot=20, stack=40, bets='50%, a')"
)


@pytest.fixture
def folder(folder):
    eq.solve(RIVER, iterations=100, save=folder / "river")
    return folder


def api(page, path):
    """Return what the API answers to the page."""
    return page.evaluate("path => fetch(path).then((answer) => answer.json())", path)


def play_by_keyboard(page, hands, keys="1"):
    """Play at the table that is shown until so many hands are over; return its id."""
    for hand in range(hands):
        for step in range(20):
            page.wait_for_selector(".choices button:not([disabled])")
            if page.query_selector(".choice.next"):
                break
            before = page.text_content(".say")
            page.keyboard.press(keys[(hand + step) % len(keys)])
            expect(page.locator(".say")).not_to_have_text(before)
        if hand + 1 < hands:
            page.keyboard.press("Enter")
            expect(page.locator(".choice.next")).to_have_count(0)
    return page.url.split("table=")[1]


def test_ten_hands_of_kuhn_by_keyboard(page, server):
    page.goto(f"{server.base}/play/kuhn")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")  # the button that deals has the focus
    table = play_by_keyboard(page, 10, "12")
    state = api(page, f"/api/tables/{table}")
    assert state["hand"] == 10
    totals = {label: one["total"] for label, one in state["totals"].items()}
    assert totals["payoff"] == pytest.approx(
        totals["best play"] + totals["choices"] + totals["luck"]
    )
    expect(page.locator(".totals").first).to_contain_text("10 hands")
    expect(page.locator(".review").first).not_to_be_empty()
    assert page.watch.problems == []
    page.reload()  # the table is in the address
    page.wait_for_selector(".choice.next")
    expect(page.locator(".totals").first).to_contain_text("10 hands")
    page.go_back()
    page.wait_for_selector("form.set-up")
    expect(page.locator(".plain-list a").first).to_have_text("kuhn")


def test_ten_hands_of_a_river_by_keyboard(page, server):
    page.goto(f"{server.base}/play/river")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cloth .board .pc")
    expect(page.locator(".cloth .board .pc")).to_have_count(5)
    expect(page.locator(".cloth .you .pc")).to_have_count(2)
    expect(page.locator(".cloth .others .pc.down")).to_have_count(
        2
    )  # nothing of the other's hand is told
    table = play_by_keyboard(page, 10, "121")
    expect(page.locator(".cloth .others .pc.down")).to_have_count(0)
    total = api(page, f"/api/tables/{table}")["totals"]["payoff"][
        "total"
    ]  # chips, of which the pot has 20
    shown = page.locator(".totals tr.payoff td").first
    for unit, factor, sign in (("bb", 1 / 4, " bb"), ("% pot", 5, " %"), ("Chips", 1, "")):
        page.get_by_role("button", name=unit, exact=True).click()
        if unit == "bb":
            page.get_by_label("Chips of a big blind").fill("4")
            page.get_by_label("Chips of a big blind").press("Enter")
        text = shown.inner_text()
        assert text.endswith(sign)
        assert float(text.removesuffix(sign).replace("−", "-")) == pytest.approx(
            total * factor, abs=0.006
        )
    last = api(page, f"/api/tables/{table}")["last"]
    values = next(move["action_values"] for move in last["moves"] if move.get("action_values"))
    cell = page.locator(".decision.own td.num").first  # EV of the first action
    chips = float(cell.inner_text().replace("−", "-"))
    assert chips == pytest.approx(values[0], abs=0.006)
    page.get_by_role("button", name="Net", exact=True).click()
    assert float(cell.inner_text().replace("−", "-")) == pytest.approx(chips - 10, abs=0.006)
    assert float(shown.inner_text().replace("−", "-")) == pytest.approx(
        total, abs=0.006
    )  # is net in any unit
    expect(page).to_have_url(re.compile("unit=net"))
    assert page.watch.problems == []


def test_an_opponent_that_searches_says_so(page, server):
    page.goto(f"{server.base}/play/kuhn-cfr")
    page.wait_for_selector("form.set-up")
    page.select_option("select[name=search]", "search")
    page.select_option("select[name=seat]", "0")
    page.focus("form.set-up button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    expect(page.locator("main").first).to_contain_text("against kuhn-cfr, which searches")
    held = []
    page.route("**/moves", lambda route: held.append(route))  # noqa: PLW0108 - a built-in method takes no attributes
    page.keyboard.press("1")
    expect(page.locator(".say").first).to_contain_text("The opponent is searching")
    expect(page.locator(".choices button[disabled]").first).to_be_visible()
    held[0].continue_()
    page.unroute("**/moves")
    expect(page.locator(".say").first).not_to_contain_text("is searching")
    play_by_keyboard(page, 2)
    expect(page.locator("main").first).to_contain_text("1 part in all.")
    expect(page.locator(".say").first).to_contain_text(
        "What choices cost is unknown: the opponent searches"
    )
    assert page.watch.problems == []


def test_a_line_is_trained_by_keyboard_and_summed_up(page, server):
    page.goto(f"{server.base}/train/kuhn?line=Kb")
    page.wait_for_selector("form .field")
    page.focus("form button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    for hand in range(3):
        page.keyboard.press("f")  # fold
        page.wait_for_selector(".choice.next")
        expect(page.locator(".say").first).to_contain_text("Blunder")
        expect(page.locator(".say").first).to_contain_text("costs 3; best is Call")
        if hand < 2:
            page.keyboard.press("Enter")
            expect(page.locator(".choice.next")).to_have_count(0)
    expect(page.locator(".score").first).to_contain_text("blunder 3")
    page.goto(f"{server.base}/history?by=infoset")
    page.wait_for_selector("tbody tr")
    page.focus("tbody tr")
    expect(page.locator("tbody tr td").first).to_have_text("Kb")
    page.keyboard.press("Enter")
    page.wait_for_url("**/history?*infoset=Kb*")
    page.locator("table[aria-label=Hands] tbody tr").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .decision")
    page.keyboard.press("Escape")
    assert page.watch.problems == []


def test_mistakes_are_drilled_and_time_runs_out(page, server):
    page.goto(f"{server.base}/train/river?line=X-B10")
    page.wait_for_selector("form .field")
    page.select_option("select[name=mixing]", "1")
    page.select_option("select[name=sizes]", "grouped")
    page.fill("input[name=hands]", "AsAh")
    page.focus("form button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    expect(page.locator(".say .random").first).to_contain_text("Random number")
    page.keyboard.press("f")
    expect(page.locator(".say").first).to_contain_text("Blunder")
    expect(page.locator(".review").first).to_contain_text("Random number")
    page.click(".lost button:has-text('Class')")
    expect(page.locator(".lost tbody").first).to_contain_text("overpair")
    page.click("text=Train these again")
    expect(page.locator(".view > p.note").first).to_contain_text("mistake")
    page.wait_for_selector(".choice")
    table = page.url.split("table=")[1]
    assert api(page, f"/api/tables/{table}")["settings"]["mistakes"] > 0
    page.goto(f"{server.base}/history?by=street&run=river")
    expect(page.locator("table[aria-label='Choices by street'] tbody").first).to_contain_text(
        "river"
    )
    page.goto(f"{server.base}/train/kuhn")
    page.wait_for_selector("form .field")
    page.fill("input[name=timer]", "1")
    page.click("text=Anywhere, at random")
    page.wait_for_selector(".choice.next")  # by itself
    assert page.watch.problems == []


def test_a_table_on_a_narrow_screen(new_page, server):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(server.url)
    page.goto(f"{server.base}/play/river")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{server.base}/export/river")
    page.wait_for_selector("text=Grid of hands")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_the_strategy_plays_is_no_mistake(page):
    """A choice that the strategy makes is graded best though another action is worth more."""
    hand = {
        "seat": 0, "begun": 0, "grades": [0],
        "moves": [{"player": 0, "infoset": "AcKd", "actions": ["X", "B100"], "taken": "X", "cost": 0.3,
                   "best": ["B100"], "mix": [0.72, 0.28], "action_values": [9.7, 10.0], "probabilities": None}],
    }  # fmt: skip
    text = page.evaluate(
        """async ([state, hand]) => {
          const { reviewOf } = await import('/static/js/play/review.js');
          const all = reviewOf(state, hand);
          return all.map((one) => one.textContent).join(' ') + all[0].querySelector('.grade').title;
        }""",
        [{"players": 2, "unit": 200}, hand],
    )
    assert "the strategy plays this" in text
    assert (
        "The strategy plays this 72 % of the time; it is worth 0.3 less than Bet 100, which is no mistake."
        in text
    )


def test_a_game_that_is_not_there(page, server):
    page.goto(f"{server.base}/play/-?game=kuhnn")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")
    page.wait_for_selector(".help.wrong")
    expect(page.locator(".help.wrong").first).to_contain_text("kuhnn")
    expect(page.locator("input[name=game]")).to_have_value("kuhnn")


def test_a_choice_that_was_made_already_is_told_and_the_table_goes_on(page, server):
    page.goto(f"{server.base}/play/kuhn")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choices button:not([disabled])")
    sentence = "This choice was made already."
    body = '{"error": {"message": "This choice was made already.", "field": null}}'
    refuse = {"status": 409, "content_type": "application/json", "body": body}
    page.route("**/moves", lambda route: route.fulfill(**refuse), times=1)
    with page.expect_request(
        lambda sent: sent.method == "GET" and re.search(r"/tables/[^/]+$", sent.url)
    ):
        page.keyboard.press("1")  # the table as it stands at the server is shown
    expect(page.get_by_text(sentence)).to_be_visible()
    play_by_keyboard(page, 1)
    page.watch.problems[:] = [problem for problem in page.watch.problems if "409" not in problem]


def test_a_table_in_two_tabs_shows_the_hand_in_play_and_deals_none_anew(page, server):
    page.goto(f"{server.base}/play/kuhn")
    page.wait_for_selector("form.set-up")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choices button:not([disabled])")
    table = f"/api/tables/{page.url.split('table=')[1]}"
    other = page.context.new_page()
    other.goto(page.url)
    play_by_keyboard(other, 1)
    other.keyboard.press("Enter")  # the next hand is in play there
    expect(other.locator(".choice.next")).to_have_count(0)
    state = api(page, table)
    assert state["turn"] is not None
    page.bring_to_front()
    with page.expect_response("**/moves") as refused:
        page.keyboard.press("1")  # a choice of the hand before
    assert refused.value.status == 409
    expect(page.get_by_text("This choice was made already.")).to_be_visible()
    expect(page.locator(".say")).to_have_text(other.text_content(".say"))
    assert api(page, table) == state  # which is the hand in play, and no other
