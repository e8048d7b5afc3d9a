"""Labs in the browser's page: that of Kuhn poker with an explanation, and how all of them look and stop there."""

import re
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist import page as page_room
from equilibrist.learn import lab as labs

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect

SHEETS = sorted(
    file.relative_to(Path(page_room.__file__).parent).as_posix()
    for file in Path(page_room.__file__).parent.rglob("*.css")
)
LOOKS = """() => {
  const lab = document.querySelector('.eq-lab');
  lab.style.width = `${lab.getBoundingClientRect().width}px`;
  lab.style.boxSizing = 'border-box';
  const parts = [...lab.querySelectorAll('*')];
  const elsewhere = /^(--|color-scheme|text-size-adjust|unicode-bidi|perspective|transform-origin|inset|margin)/;
  const places = ['top', 'right', 'bottom', 'left'];
  const look = () => parts.map((part) => {
    const style = getComputedStyle(part);
    const names = [...style].filter((name) => !elsewhere.test(name) && !places.includes(name));
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
  });
  const inPage = look();
  for (const sheet of document.querySelectorAll('link[rel=stylesheet]'))
    if (!sheet.href.includes('/labs/')) sheet.remove();
  const alone = look();
  const changes = parts.flatMap((part, k) => Object.keys(inPage[k])
    .filter((name) => inPage[k][name] !== alone[k][name])
    .map((name) => `${part.tagName}.${part.getAttribute('class')} ${name}: ${inPage[k][name]}, ${alone[k][name]}`));
  return [...new Set(changes)];
}"""
"""What looks otherwise without the style sheets of the page; places and margins follow from what stands around."""
LOAD = """(names) => Promise.all(names.map((name) => new Promise((resolve, reject) => {
  const sheet = document.createElement('link');
  Object.assign(sheet, {rel: 'stylesheet', href: `/static/${name}`, onload: resolve, onerror: reject});
  document.head.prepend(sheet);
})))"""
COUNT = """() => {
  window.calls = 0;
  for (const name of ['requestAnimationFrame', 'setTimeout']) {
    const ask = window[name];
    window[name] = (...all) => { window.calls += 1; return ask.apply(window, all); };
  }
}"""


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


def use(page):
    """Do in a lab what brings all that it shows."""
    for button in page.get_by_role("button", name=re.compile("^(One|Solve it again)")).all():
        button.click()
    page.wait_for_timeout(300)


@pytest.mark.parametrize("name", labs.LABS)
def test_a_lab_looks_in_the_page_as_it_does_alone(page, server, name):
    """Classes of labs and of views may be the same: a lab is its own."""
    page.goto(f"{server.base}/labs?lab={name}")
    page.wait_for_selector(".eq-lab[data-mounted] button")
    use(page)
    page.evaluate(LOAD, SHEETS)  # as where all views were open before
    assert page.evaluate(LOOKS) == []
    assert page.watch.problems == []


@pytest.mark.parametrize(
    ("name", "busy"),
    [
        ("leduc", ["100"] * 100 + ["All 15 parts"]),
        ("learning", ["64", "400"] + ["One iteration"] * 40),
    ],
)
def test_a_lab_that_was_left_does_no_more(page, server, name, busy):
    page.goto(f"{server.base}/labs?lab={name}")
    page.wait_for_selector(".eq-lab[data-mounted] button")
    page.evaluate(COUNT)
    press = """(texts) => {
      for (const text of texts)
        [...document.querySelectorAll(".eq-lab button")].findLast((one) => one.innerText === text).click();
    }"""
    page.evaluate(press, busy)
    page.wait_for_function("() => window.calls > 5")
    page.get_by_role("link", name="Kuhn poker").click()
    page.wait_for_selector("[data-lab=kuhn][data-mounted] button")
    page.wait_for_timeout(700)
    before = page.evaluate("window.calls")
    page.wait_for_timeout(500)
    assert page.evaluate("window.calls") == before
