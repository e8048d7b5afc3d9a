"""The small labs, which are all but that of Kuhn poker, as a page has them, from ``file://``."""

import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.learn import lab

AXE = Path(__file__).parents[4] / "node_modules" / "axe-core" / "axe.min.js"

PLACE = '<div class="eq-lab" data-lab="{name}" data-options=\'{{"seed": 3}}\'><p>The lab needs JavaScript.</p></div>'
HEAD = '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
LABS = ("one-bet", "rps", "blotto", "leduc", "learning")


@pytest.fixture
def address(tmp_path):
    """Give a function that writes a page with a lab and returns its address."""

    def address(name):
        (tmp_path / f"{name}.css").write_text(lab.style(name), "utf-8")
        (tmp_path / f"{name}.js").write_text(lab.script(name), "utf-8")
        head = (
            f'<!doctype html><meta charset="utf-8">{HEAD}<link rel="stylesheet" href="{name}.css">'
        )
        page = tmp_path / f"{name}.html"
        page.write_text(
            f'{head}{PLACE.format(name=name)}<script defer src="{name}.js"></script>', "utf-8"
        )
        return page.as_uri()

    return address


@pytest.fixture
def shown(new_page, address):
    """Give a function that opens a lab in a page, which has asked for its own files and complained of nothing."""
    pages = []

    def shown(name, **options):
        page = new_page(**options)
        page.goto(address(name))
        page.wait_for_selector(".eq-lab button")
        pages.append(page)
        return page

    yield shown
    for page in pages:
        assert page.watch.problems == []
        assert all(request.startswith("file:") for request in page.watch.requests)


def number(page, name):
    return float(
        page.locator(f'[data-number="{name}"]').inner_text().split("\n")[0].replace("−", "-")
    )


def point(page):
    """Return where the point is, as its sliders say."""
    return [float(page.locator(f".slide.of-{player} output").inner_text()) for player in (0, 1)]


def equilibrium(page):
    return page.get_by_text("equilibrium: ").inner_text()


def says_what_the_package_says(page, bluff, call):
    bets = {"J": bluff, "Q": 0, "K": 1, "Jb": 0, "Qb": call, "Kb": 1}
    strategy = {infoset: {"p": 1 - p, "b": p} for infoset, p in bets.items()}
    result = eq.evaluate("kuhn(pass_ends=True)", strategy)
    gains = [
        best - value for best, value in zip(result.best_response_value, result.value, strict=True)
    ]
    assert number(page, "value") == pytest.approx(result.value[0], abs=6e-4)
    assert number(page, "gain0") == pytest.approx(gains[0], abs=6e-4)
    assert number(page, "gain1") == pytest.approx(gains[1], abs=6e-4)
    assert number(page, "exploitability") == pytest.approx(result.exploitability, abs=6e-4)


def test_the_point_is_dragged(shown):
    page = shown("one-bet")
    canvas = page.locator("canvas").bounding_box()
    says_what_the_package_says(page, 0.7, 0.8)
    ring = page.locator(".point").bounding_box()
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    page.mouse.down()
    page.mouse.move(
        canvas["x"] + 0.25 * canvas["width"], canvas["y"] + 0.5 * canvas["height"], steps=4
    )
    page.mouse.move(
        canvas["x"] + 0.1 * canvas["width"], canvas["y"] + 0.75 * canvas["height"], steps=4
    )
    page.mouse.up()
    assert point(page) == pytest.approx([0.1, 0.25], abs=0.006)
    says_what_the_package_says(page, 0.1, 0.25)
    page.mouse.move(canvas["x"] + 0.5 * canvas["width"], canvas["y"] + 0.5 * canvas["height"])
    assert point(page) == pytest.approx([0.1, 0.25], abs=0.006)


def test_the_point_is_moved_by_keys(shown):
    page = shown("one-bet")
    page.locator(".point").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert point(page) == pytest.approx([0.68, 0.71])
    assert page.evaluate("document.activeElement.className") == "point"
    says_what_the_package_says(page, 0.68, 0.71)
    for _ in range(9):
        page.keyboard.press("Shift+ArrowRight")
    assert point(page) == pytest.approx([1, 0.71])


def test_the_point_follows_a_finger(shown):
    page = shown("one-bet", viewport={"width": 390, "height": 844}, has_touch=True)
    box = page.locator("canvas").bounding_box()
    page.touchscreen.tap(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
    assert point(page) == pytest.approx([0.5, 0.6], abs=0.01)


def test_the_equilibrium_moves_with_the_blinds(shown):
    page = shown("one-bet")
    blinds = page.locator(".slide.blinds input")
    assert equilibrium(page) == "equilibrium: bluff 1/3, call 1/3, value 1/18"
    blinds.fill("2")
    page.locator(".slide.of-0 input").fill("0.2")
    page.locator(".slide.of-1 input").fill("0.6")
    assert equilibrium(page) == "equilibrium: bluff 1/5, call 3/5, value 1/10"
    assert page.inner_text('[data-number="exploitability"]') == "0"
    assert number(page, "value") == 0.1
    assert page.locator(".better").count() == 0
    blinds.fill("0.5")
    assert equilibrium(page) == "equilibrium: bluff 0, call 0, value 0"


def test_a_run_of_cfr_ends_near_the_equilibrium(shown):
    page = shown("one-bet")
    page.get_by_role("button", name="in turn").click()
    page.get_by_label("how many a second").fill("9")
    page.locator("button.play").click()
    page.wait_for_function(
        "Number(document.querySelector('.count b').innerText.replace(',', '')) > 2000"
    )
    page.locator("button.play").click()
    average = [
        float(text)
        for text in re.search(
            r"bluff ([\d.]+), call ([\d.]+);", page.inner_text(".eq-lab")
        ).groups()
    ]
    assert average == pytest.approx([1 / 3, 1 / 3], abs=0.005)
    assert number(page, "average") < 0.001
    assert page.locator("polygon.mean-now").count() == 1
    assert page.locator("rect.played-now").count() == 1
    page.get_by_role("button", name="Reset").click()
    assert page.locator("polygon.mean-now").count() == 0
    assert point(page) == [0.7, 0.8]


def test_the_rounds_of_two_programs_are_those_of_the_tutorial(shown):
    page = shown("rps")
    page.get_by_role("button", name="Two programs").click()
    once = page.get_by_role("button", name="One round")
    once.click()
    assert page.locator('[data-cell^="next"]').all_inner_texts() == ["1", "0", "0"]
    once.click()
    assert page.locator('[data-cell^="sum"]').all_inner_texts() == ["1/3", "1", "−7/3"]
    assert page.locator('[data-cell^="next"]').all_inner_texts() == ["1/4", "3/4", "0"]
    once.click()
    page.locator('[data-cell="instant-2"]').click()
    lines = page.inner_text(".made-of").replace("\u2009", " ")
    assert "scissors is worth (−2) · 1/4 + 1 · 3/4 = +1/4 against program B’s strategy" in lines


def test_the_reader_plays_by_buttons_and_keys(shown):
    page = shown("rps")
    page.get_by_role("button", name="paper").click()
    assert page.inner_text(".outcome").startswith("Round 1: you played paper, the program ")
    page.keyboard.press("r")
    page.keyboard.press("s")
    assert page.inner_text(".outcome").startswith("Round 3: you played scissors, the program ")
    page.locator('[data-cell="sum-0"]').click()
    assert page.locator('[data-cell="sum-0"]').get_attribute("aria-expanded") == "true"
    assert "before this round" in page.inner_text(".made-of")
    page.get_by_role("button", name="You", exact=True).click()
    assert page.locator('[data-cell^="average"]').all_inner_texts() == ["1/3", "1/3", "1/3"]
    page.get_by_role("button", name="Reset").click()
    assert page.inner_text(".outcome").startswith("Play a round.")


def test_the_next_strategy_is_predicted(shown):
    page = shown("rps")
    page.get_by_label("predict").check()
    for _ in range(3):
        page.get_by_role("button", name="paper").click()
        sums = [
            text.replace("−", "-") for text in page.locator('[data-cell^="sum"]').all_inner_texts()
        ]
        positive = [max(int(text), 0) for text in sums]
        boxes = page.locator("tbody input")
        assert boxes.count() == 3
        assert page.get_by_role("button", name="paper").is_disabled()
        boxes.nth(0).fill("7/9")
        page.get_by_role("button", name="Check").click()
        assert boxes.count() == 3
        for i, share in enumerate(positive):
            boxes.nth(i).fill(f"{share}/{sum(positive)}" if sum(positive) else "1/3")
        page.keyboard.press("Enter")
        assert boxes.count() == 0
    assert page.inner_text('[data-number="right"]') == "3 of 3"


def test_a_fixed_mix_plays_a_hundred_rounds(shown):
    page = shown("rps")
    page.get_by_role("button", name="A fixed mix plays").click()
    page.get_by_role("button", name="Play 100 for me").click()
    assert page.inner_text(".outcome").startswith("Round 100: your mix played rock")
    assert number(page, "score") <= -90
    assert number(page, "other") == 1


def test_soldiers_are_split_by_keys(shown):
    page = shown("blotto")
    assert page.locator(".split").count() == 21
    page.locator(".split").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert "you played 3-1-1" in page.inner_text(".outcome")
    page.get_by_text("Show all 21").click()
    assert page.locator("tbody tr").count() == 21
    page.get_by_label("predict").check()
    page.keyboard.press("Tab")
    page.locator(".split").nth(3).click()
    assert page.locator("tbody input").count() == 1
    page.get_by_role("button", name="Show it").click()
    assert page.inner_text('[data-number="right"]') == "0 of 1"


@pytest.mark.parametrize("name", LABS)
def test_a_phone_shows_all_of_it(shown, name):
    page = shown(name, viewport={"width": 390, "height": 844}, device_scale_factor=2)
    for mode in page.locator(".choice button").all():
        mode.click()
    for button in page.get_by_role("button", name=re.compile("One (iteration|round)")).all():
        button.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = (
        "box => [...box.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > "
        "390).map(e => e.outerHTML)"
    )
    assert page.locator(".eq-lab").evaluate(wide) == []


@pytest.mark.parametrize("name", LABS)
def test_a_finger_finds_each_control(shown, name):
    """No control is smaller than 24 px either way: WCAG 2.2, 2.5.8."""
    page = shown(name, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    use(page, name)
    small = """[...document.querySelectorAll('.eq-lab :is(button, select, input:not([type=checkbox]))')]
        .filter((one) => one.checkVisibility())
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 24)
        .map((one) => one.outerHTML)"""
    assert page.evaluate(small) == []


@pytest.mark.parametrize("name", LABS)
def test_a_lab_that_plays_is_still_for_who_wants_little_motion(shown, name):
    page = shown(name, reduced_motion="reduce")
    page.evaluate(
        """() => {
          window.pictures = 0;
          new MutationObserver(() => { window.pictures += 1; })
            .observe(document.querySelector(".eq-lab"), {subtree: true, childList: true, attributes: true});
        }"""
    )
    if name in ("rps", "blotto"):
        page.get_by_role("button", name="Two programs").click()
    page.get_by_label("how many a second").fill("9")
    page.wait_for_timeout(100)
    before = page.evaluate("window.pictures")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_timeout(1_000)
    assert 2 <= page.evaluate("window.pictures") - before <= 8


@pytest.mark.parametrize("name", LABS)
def test_no_table_is_what_sites_take_for_text(shown, name):
    """The theme of the site lays out tables without a class: white, numbers at the left."""
    page = shown(name)
    use(page, name)
    assert page.locator(".eq-lab table:not([class])").count() == 0


def test_one_iteration_is_no_iterations(shown):
    page = shown("leduc")
    use(page, "leduc")
    text = page.inner_text(".eq-lab")
    assert text.count("1 iteration") == 3
    assert "1 iterations" not in text


@pytest.mark.parametrize("name", LABS)
def test_a_lab_is_dark_on_a_dark_page(shown, name):
    colours = {}
    for scheme in ("light", "dark"):
        page = shown(name, color_scheme=scheme)
        colours[scheme] = page.locator(".panel").first.evaluate(
            "box => getComputedStyle(box).backgroundColor"
        )
    assert colours == {"light": "rgb(255, 255, 255)", "dark": "rgb(27, 31, 35)"}


@pytest.mark.parametrize("name", LABS)
def test_without_javascript_there_is_a_sentence(new_page, address, name):
    page = new_page(java_script_enabled=False)
    page.goto(address(name))
    assert page.inner_text(".eq-lab") == "The lab needs JavaScript."


def use(page, name):
    """Do in a lab what brings all that it shows."""
    for button in page.get_by_role("button", name=re.compile("One (iteration|round)")).all():
        button.click()
    if name == "leduc":
        page.get_by_role("button", name="Solve it again").click()
        page.wait_for_function(
            "document.querySelector('.tools + .note').innerText.includes('The part')"
        )


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", LABS)
def test_axe_finds_nothing(shown, name, scheme):
    page = shown(name, color_scheme=scheme)
    use(page, name)
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(
        "axe.run('.eq-lab', {preload: false}).then(({violations}) => violations.map("
        "({id, nodes}) => `${id}: ${nodes.map(({html}) => html)}`))"
    )
    assert found == []


@pytest.mark.parametrize("name", LABS)
def test_a_lab_is_printed_with_what_it_draws(shown, name):
    """Browsers leave backgrounds out, of which bars and dots are made, and paper is white."""
    page = shown(name, color_scheme="dark")
    use(page, name)
    page.emulate_media(media="print", color_scheme="dark")
    styles = page.locator(".eq-lab *").evaluate_all(
        "all => [...new Set(all.map(one => getComputedStyle(one).printColorAdjust))]"
    )
    assert set(styles) <= {"exact", ""}  # nothing is said of the title of a picture
    paper = page.locator(".panel").first.evaluate("box => getComputedStyle(box).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


def test_leduc_works_between_frames_and_stops_at_a_reset(shown):
    page = shown("leduc")
    counts = page.evaluate(
        """() => new Promise(resolve => {
          const press = (text) => [...document.querySelectorAll("button")]
            .find((button) => button.innerText === text).click();
          const count = () => document.querySelector(".count b").innerText;
          for (let times = 0; times < 100; times++) press("100");
          requestAnimationFrame(() => requestAnimationFrame(() => {
            const soon = count();
            press("Reset");
            setTimeout(() => resolve([soon, count()]), 300);
          }));
        })"""
    )
    assert 0 < int(counts[0].replace(",", "")) < 10_000
    assert counts[1] == "0"


def test_leduc_is_solved_unfolded_and_solved_again(shown):
    page = shown("leduc")
    for name in ("CFR", "CFR+"):
        page.get_by_role("button", name=name, exact=True).click()
        page.get_by_role("button", name="100", exact=True).click()
    page.wait_for_function("document.querySelector('.count').innerText.startsWith('100 ')")
    result = eq.evaluate("leduc", eq.solve("leduc", "cfr+", iterations=100).strategy)
    assert number(page, "value") == pytest.approx(result.value[0], abs=6e-5)
    assert number(page, "best0") == pytest.approx(result.best_response_value[0], abs=6e-5)
    assert number(page, "exploitability") == pytest.approx(result.exploitability, rel=0.05)
    rows = page.locator(".tree-row").count()
    page.locator('.tree-row.turn button[aria-expanded="false"]').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelectorAll('.tree-row').length === {rows + 3}")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.get_by_role("button", name="Solve it again").click()
    page.wait_for_function("document.querySelectorAll('.found table').length === 2")
    page.wait_for_function(
        "document.querySelector('.tools + .note').innerText.includes('The part')"
    )
    before = float(page.inner_text('[data-number="before"]').replace("\N{MINUS SIGN}", "-"))
    assert before == pytest.approx(result.best_response_value[0], abs=6e-5)
    for method in ("resolve", "maxmargin"):
        best = page.inner_text(f'[data-method="{method}"] [data-number="best"]')
        assert float(best.replace("\N{MINUS SIGN}", "-")) <= before + 2e-4
    page.get_by_role("button", name="One iteration").click()
    page.wait_for_function("document.querySelector('.tools + .note').innerText.includes('gone on')")


def test_the_first_iteration_is_a_dot(shown):
    for name in ("leduc", "learning"):
        page = shown(name)
        page.get_by_role("button", name="One iteration").click()
        dot = page.locator(".course circle").last
        dot.wait_for()
        assert dot.evaluate("one => getComputedStyle(one).fill") not in ("none", "rgb(0, 0, 0)")


def test_leduc_says_once_what_it_solves(shown):
    """Who hears the page is told when it begins and when it is done, not in each picture."""
    page = shown("leduc")
    page.evaluate(
        """() => {
          window.said = [];
          const status = document.querySelector(".tools + .note");
          new MutationObserver(() => { window.said.push(status.innerText); }).observe(status, {childList: true});
        }"""
    )
    page.get_by_role("button", name="One iteration").click()
    page.get_by_role("button", name="All 15 parts").click()
    rows = page.locator("[data-method]")
    rows.first.wait_for()
    page.wait_for_function(
        "document.querySelector('.tools + .note').innerText.startsWith('All 15 parts for player 1')"
    )
    assert rows.count() == 3
    page.get_by_label("how many a second").fill("9")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("document.querySelector('.tools + .note').innerText.includes('gone on')")
    page.wait_for_timeout(300)
    assert [text.partition(",")[0] for text in page.evaluate("window.said")] == [
        "Solving all 15 parts …",
        "All 15 parts for player 1",
        "All 15 parts for player 1",
    ]


def test_a_network_learns_beside_its_table(shown):
    page = shown("learning")
    for _ in range(3):
        page.get_by_role("button", name="One iteration").click()
    page.wait_for_function("document.querySelector('.count').innerText.startsWith('iteration 4,')")
    assert "after 3 iterations" in page.locator(".figure").first.inner_text()
    table = eq.solve("kuhn", "lcfr", iterations=3)
    assert number(page, "table") == pytest.approx(table.exploitability, abs=6e-4)
    assert page.locator("[data-infoset]").count() == 12
    page.get_by_role("button", name="64", exact=True).click()
    page.wait_for_function("document.querySelector('.count').innerText.startsWith('iteration 1,')")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(
        "Number(document.querySelector('.count').innerText.match(/step (\\d+)/)[1]) > 3"
    )
    page.get_by_role("button", name="Pause", exact=True).click()


def test_a_long_iteration_leaves_the_page_awake(shown):
    page = shown("learning")
    page.get_by_role("button", name="64", exact=True).click()
    page.get_by_role("button", name="400", exact=True).click()
    once = page.get_by_role("button", name="One iteration")
    once.evaluate("button => button.click()")
    assert page.inner_text(".count").startswith("iteration 1, network of player ")
    once.click()  # while the first one is at work: both are done, and no more
    page.wait_for_function("document.querySelector('.count').innerText.startsWith('iteration 3,')")
    page.wait_for_timeout(200)
    assert page.inner_text(".count") == "iteration 3, network of player 0: step 0 of 400"
    once.click()
    page.get_by_role("button", name="8", exact=True).click()
    page.wait_for_timeout(200)
    assert page.inner_text(".count") == "iteration 1, network of player 0: step 0 of 400"
