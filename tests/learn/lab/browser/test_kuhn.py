"""The Kuhn lab in a browser, from a file: sliders, iterations, predictions, play, and who reads it otherwise."""

import re

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ALL_SIZES = [{}, PHONE, {"viewport": {"width": 820, "height": 900}}]


@pytest.fixture
def lab(open_lab):
    return open_lab("lab")


def score(page, name):
    return page.locator(f".figure.{name} b")


def number(page, key):
    return page.get_by_label(f"{key}: probability of").and_(page.locator("input[type=text]"))


def step(page):
    page.get_by_role("button", name="One iteration").click()


def test_sliders_move_the_value(lab):
    expect(score(lab, "value")).to_have_text("1/8")
    expect(score(lab, "gap")).to_have_text("11/24")
    slider = lab.get_by_label("Kb: probability of call").and_(lab.locator("input[type=range]"))
    slider.focus()
    lab.keyboard.press("ArrowRight")
    expect(number(lab, "Kb")).to_have_value("0.510")
    expect(slider).to_have_attribute("aria-valuetext", "51/100")
    number(lab, "Kb").fill("2/3")
    lab.keyboard.press("Enter")
    bets = {"Kb": {"fold": 1 / 3, "call": 2 / 3}}
    value = eq.evaluate("kuhn", bets, missing="uniform").value[0]
    expect(score(lab, "value")).to_have_text("1/24")
    assert abs(value - 1 / 24) < 1e-12
    number(lab, "Kb").fill("7")
    lab.keyboard.press("Enter")
    expect(number(lab, "Kb")).to_have_value("2/3")
    assert lab.watch.problems == []


def test_an_equilibrium_has_no_gains(lab):
    lab.get_by_role("button", name="equilibrium", exact=True).click()
    expect(score(lab, "value")).to_have_text("−1/18")
    expect(score(lab, "gap")).to_have_text("0")
    lab.get_by_label("α, from 0 to 1/3").fill("1/4")
    lab.keyboard.press("Enter")
    expect(number(lab, "K")).to_have_value("3/4")
    expect(score(lab, "gap")).to_have_text("0")
    expect(lab.get_by_role("status")).to_contain_text("exploitability 0 chips per hand")


def test_an_iteration_is_that_of_the_package(lab):
    lab.get_by_label("algorithm").select_option("dcfr")
    lab.get_by_label("players update").select_option("once")
    lab.get_by_label("an iteration walks").select_option("QK")
    for _ in range(3):
        step(lab)
    lab.get_by_role("button", name="Qpb", exact=False).first.click()
    expect(lab.locator(".detail h3 b")).to_have_text("Qpb")
    explained = eq.learn.explain(
        "kuhn", "dcfr(alternating=False)", deals=["QK"] * 3, sampling="chance"
    )
    update = explained.updates[0, "Qpb"]
    for action in (0, 1):
        shown = lab.locator(".detail .action").nth(action)
        texts = {
            name: shown.locator(f".cell.{name} .value").inner_text()
            for name in ("instant", "regret", "next")
        }
        numbers = {
            "instant": update.instant_regret,
            "regret": update.regret_sum,
            "next": update.next_strategy,
        }
        for name, text in texts.items():
            assert float(eq_number(text)) == pytest.approx(numbers[name][action], abs=5e-5), name
    assert lab.watch.problems == []


def test_trust_in_a_model(lab, open_lab):
    panel = lab.locator(".trust")
    slider = lab.get_by_label("trust in the model", exact=True)
    expect(slider).to_be_disabled()
    expect(panel.locator(".figure")).to_have_count(4)
    expect(score(panel, "won")).to_be_hidden()
    lab.get_by_label("algorithm").select_option("pcfr+")
    lab.get_by_label("model of the opponent").select_option("uniform")
    expect(score(panel, "won")).to_have_text("–")
    slider.fill("0.5")
    expect(slider).to_have_attribute("aria-valuetext", "1/2")
    lab.get_by_label("iterations a second").fill("11")
    lab.get_by_role("button", name="Play", exact=True).click()
    expect(lab.locator(".count b")).to_have_text(re.compile("[0-9],[0-9]{3}"))
    lab.get_by_role("button", name="Pause").click()
    exact = eq.exploit("kuhn", "uniform", trust=0.5)
    shown = {name: eq_number(score(panel, name).inner_text()) for name in ("won", "beyond", "risk")}
    assert shown["won"] == pytest.approx(exact.model_value, abs=2e-3)
    assert shown["beyond"] == pytest.approx(exact.model_value + 1 / 18, abs=2e-3)
    assert shown["risk"] == pytest.approx(-1 / 18 - exact.worst_case, abs=2e-3)
    lower, upper = score(panel, "bounds").inner_text().split(" ≤ v ≤ ")
    assert eq_number(lower) == pytest.approx(exact.bounds[0], abs=1e-3)
    assert eq_number(upper) == pytest.approx(exact.bounds[1], abs=1e-3)
    expect(lab.locator(".plot .key.gap")).to_be_visible()
    lab.get_by_label("trust, as a number or a fraction").fill("3/4")
    lab.keyboard.press("Enter")
    expect(lab.locator(".count b")).to_have_text("0")
    lab.get_by_label("who answers").select_option("1")
    step(lab)
    lab.get_by_role("button", name="Kp bets after a pass").click()
    expect(lab.locator(".detail .note")).to_contain_text("meets the model with probability 3/4")
    lab.wait_for_function("location.hash.includes('m.1.uniform.3_4;full.1')")
    other = open_lab("lab", lab.evaluate("location.hash"))
    expect(other.get_by_label("who answers")).to_have_value("1")
    expect(score(other.locator(".trust"), "bounds")).to_have_text(
        score(panel, "bounds").inner_text()
    )
    lab.get_by_label("model of the opponent").select_option("sliders")
    lab.get_by_role("button", name="Take the sliders again").click()
    expect(panel).to_contain_text("plays what its sliders had")
    lab.get_by_label("model of the opponent").select_option("none")
    expect(slider).to_be_disabled()
    expect(score(panel, "won")).to_be_hidden()
    assert lab.watch.problems == []


def eq_number(text):
    """Return a number that the lab shows: a fraction, or digits."""
    above, _, below = text.replace("−", "-").replace("+", "").partition("/")
    return float(above) / float(below or 1)


def test_numbers_unfold_into_factors(lab):
    step(lab)
    lab.get_by_role("button", name="Kb calls a bet").click()
    lab.locator(".detail .action").nth(1).locator(".cell.instant button").click()
    first = lab.locator(".detail .unfolded button.term").first
    expect(first).to_contain_text("with JK")
    first.click()
    expect(first).to_have_attribute("aria-expanded", "true")
    weight = lab.locator(".detail .unfolded button.term", has_text="weight of JK")
    weight.click()
    expect(lab.locator(".detail .unfolded .expression").last).to_contain_text("chance deals JK")
    step(lab)  # what is unfolded stays so, with new numbers
    expect(lab.locator(".detail .unfolded .expression")).to_have_count(3)
    first.click()
    expect(lab.locator(".detail .unfolded .expression:visible")).to_have_count(1)


@pytest.mark.parametrize("algorithm", ["cfr", "pcfr+"])
def test_a_run_of_five_predictions(lab, algorithm):
    lab.get_by_label("algorithm").select_option(algorithm)
    step(lab)
    solution = eq.solve("kuhn", algorithm, iterations=2, record="all")
    lab.get_by_role("button", name="Qb calls a bet").click()
    lab.get_by_role("button", name="Predict five").click()
    asked = []
    for i in range(5):
        guess = lab.get_by_label("your prediction")
        key = guess.get_attribute("aria-label").rpartition(" ")[2]
        asked.append(key)
        hidden = lab.locator(".detail").inner_text()
        assert "iteration 1" in hidden
        expect(lab.get_by_role("button", name="the next: 2")).to_be_disabled()
        player = 1 if len(key) == 2 else 0
        true = solution.recording.at((player, key)).strategy[-1][1]
        if i == 0:
            guess.fill("nonsense")
            lab.keyboard.press("Enter")
            expect(lab.locator(".result")).to_contain_text("Type a probability from 0 to 1")
        guess.fill(str(true if i < 3 else (true + 0.3) % 1))
        lab.keyboard.press("Enter")
        expect(lab.locator(".result b")).to_have_text(
            re.compile("^Right:" if i < 3 else "^No, it is ")
        )
        lab.get_by_role("button", name="See the score" if i == 4 else "Next", exact=True).click()
    assert asked[0] == "Qb"
    assert len(set(asked)) == 5
    expect(lab.locator(".result")).to_contain_text("3 of 5 right")
    expect(lab.locator(".count")).to_have_text("t = 2")
    assert lab.watch.problems == []


def test_play_and_pause(lab):
    lab.get_by_label("iterations a second").fill("11")
    lab.get_by_role("button", name="Play", exact=True).click()
    expect(lab.locator(".count b")).to_have_text(re.compile("[0-9],[0-9]{3}"))
    lab.get_by_role("button", name="Pause").click()
    count = int(lab.locator(".count b").inner_text().replace(",", ""))
    expect(lab.locator(".count b")).to_have_text(f"{count:,}")
    solution = eq.solve("kuhn", "cfr", iterations=count)
    shown = float(eq_number(lab.locator(".figure.mean b").inner_text().replace("e−", "e-")))
    assert shown == pytest.approx(solution.exploitability, rel=1e-3)
    lab.get_by_role("button", name="Reset").click()
    expect(lab.locator(".count b")).to_have_text("0")
    expect(score(lab, "value")).to_have_text("1/8")
    assert lab.watch.problems == []


def test_a_position_is_its_address(lab, open_lab):
    for _ in range(3):
        step(lab)
    number(lab, "Q").fill("1/7")
    lab.keyboard.press("Enter")
    lab.get_by_role("button", name="Jb calls a bet").click()
    lab.wait_for_function("location.hash.includes('s.Q.1_7') && location.hash.includes('.Jb;')")
    fragment = lab.evaluate("location.hash")
    other = open_lab("lab", fragment)
    expect(number(other, "Q")).to_have_value("1/7")
    expect(other.locator(".count b")).to_have_text("3")
    expect(other.locator(".detail h3")).to_contain_text("Jb player 1, jack, facing a bet")
    for name in ("value", "gap", "mean"):
        expect(score(other, name)).to_have_text(score(lab, name).inner_text())


@pytest.mark.parametrize("size", [{}, PHONE], ids=["wide", "phone"])
def test_what_an_address_says_and_the_lab_does_not_know_is_told(open_lab, size):
    page = open_lab("lab", f"#kuhn:cfr.turn.full.Q;full.2;s.ZZ.1;{'x' * 200}", **size)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("what is no step of this lab, left out here: s.ZZ.1, xxx")
    expect(page.locator(".count b")).to_have_text("2")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("location.hash = '#kuhn:cfr.turn.full.Q;full.3'")
    expect(alert).to_have_text("")
    page.evaluate("location.hash = '#kuhn:none.turn.full.Q'")
    expect(alert).to_have_text("The address is no position of this lab.")
    assert page.watch.problems == []


@pytest.mark.parametrize("size", ALL_SIZES, ids=["wide", "phone", "tablet"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(open_lab, size, scheme):
    page = open_lab(
        "lab", "#kuhn:dcfr.turn.full.Qpb;m.0.folder.1_3;full.1000", color_scheme=scheme, **size
    )
    page.locator(".detail .cell.instant button").first.click()
    page.locator(".detail .unfolded button.term").first.click()
    for name in ("K – Q", "all six"):
        page.get_by_role("button", name=name).click()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    cut = """[...document.querySelectorAll('.eq-lab :is(button, p, span, small, b, h3, h4)')]
        .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
        .filter((one) => getComputedStyle(one).display !== 'inline')
        .map((one) => one.className + ': ' + one.textContent)"""
    assert page.evaluate(cut) == []
    assert page.watch.problems == []


def test_touch_moves_a_slider_and_chooses_an_infoset(open_lab):
    page = open_lab("lab", **PHONE)
    page.locator(".node", has_text="Kpb").first.tap()
    expect(page.locator(".detail h3")).to_contain_text("Kpb")
    slider = page.get_by_label("J: probability of bet").and_(page.locator("input[type=range]"))
    box = slider.bounding_box()
    slider.tap(position={"x": box["width"] - 3, "y": box["height"] / 2})
    expect(number(page, "J")).to_have_value(re.compile("^(1|0\\.9)"))
    small = """[...document.querySelectorAll('.eq-lab :is(button, select, input):not(.term)')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
        .map((one) => one.outerHTML)"""
    assert page.evaluate(small) == []


def test_every_control_has_a_name_and_every_picture_a_text(lab):
    step(lab)
    lab.get_by_role("button", name="Predict five").click()
    nameless = """[...document.querySelectorAll('.eq-lab :is(button, select, input, [role=button], svg[role=img])')]
        .filter((one) => !(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim()))
        .map((one) => one.outerHTML.slice(0, 200))"""
    assert lab.evaluate(nameless) == []
    names = lab.evaluate(
        "[...document.querySelectorAll('.eq-lab input[type=range]')].map((one) => one.getAttribute('aria-label'))"
    )
    assert len(names) == len(set(names)) == 15
    expect(lab.get_by_role("img")).to_have_count(3)


def test_all_is_reached_by_keys_with_the_focus_seen(lab):
    lab.get_by_label("algorithm").focus()
    seen = set()
    for _ in range(90):
        lab.keyboard.press("Tab")
        name, outline = lab.evaluate(
            "[document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim(),"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if lab.evaluate("document.activeElement === document.body"):
            break
        assert outline != "none", name
        seen.add(name)
    for name in (
        "Play",
        "Reset",
        "Predict five",
        "Copy link",
        "Qpb: player 0, queen, has passed, facing a bet",
    ):
        assert name in seen
    lab.locator(".node", has_text="Jb").first.focus()
    lab.keyboard.press("Enter")
    expect(lab.locator(".detail h3")).to_contain_text("Jb player 1")


def test_little_motion_is_respected(open_lab):
    page = open_lab("lab", reduced_motion="reduce")
    assert (
        page.locator(".edge").first.evaluate("one => getComputedStyle(one).transitionDuration")
        == "0s"
    )
    page.get_by_label("iterations a second").fill("11")
    page.evaluate(
        "window.changes = 0; new MutationObserver(() => changes++).observe(document.querySelector('.count'),"
        " { childList: true })"
    )
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".count b")).to_have_text(re.compile("[0-9],[0-9]{3}"))
    page.get_by_role("button", name="Pause").click()
    count = int(page.locator(".count b").inner_text().replace(",", ""))
    assert page.evaluate("changes") <= 3 + count / 400  # pictures: few, and each of many iterations


def test_without_javascript_there_is_a_table(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site("lab"))
    expect(page.get_by_text("The lab needs JavaScript")).to_be_visible()
    expect(page.locator(".eq-lab td", has_text="α + 1/3")).to_be_visible()


def test_the_notebook_shows_the_lab_where_the_iteration_begins(new_page, tmp_path):
    explained = eq.learn.explain("kuhn", "dcfr(alternating=False)", iteration=4)
    path = tmp_path / "notebook.html"
    path.write_text(
        f'<!doctype html><meta charset="utf-8"><body>{2 * explained._repr_html_()}', "utf-8"
    )
    page = new_page()
    page.goto(path.as_uri())
    labs = page.locator(".eq-lab")
    expect(labs).to_have_count(2)
    lab = labs.nth(1)
    expect(lab.locator(".count b")).to_have_text("3")
    expect(lab.get_by_label("algorithm")).to_have_value("dcfr")
    expect(lab.get_by_label("players update")).to_have_value("once")
    for key, update in [(key, update) for (_, key), update in explained.updates.items()]:
        lab.locator("button.name").filter(has=page.locator(f"b:text-is('{key}')")).click()
        expect(lab.locator(".detail h3 b")).to_have_text(key)
        for action in (0, 1):
            shown = lab.locator(".detail .action").nth(action)
            numbers = {
                "strategy": update.strategy,
                "instant": update.instant_regret,
                "regret": update.regret_sum,
                "next": update.next_strategy,
                "average": update.average_strategy,
            }
            for name, expected in numbers.items():
                text = shown.locator(f".cell.{name} .value").inner_text().replace("e−", "e-")
                assert eq_number(text) == pytest.approx(expected[action], rel=1e-3, abs=1e-12), (
                    key,
                    name,
                )
    assert [url for url in page.watch.requests if not url.startswith("file:")] == []
    assert page.watch.problems == []
