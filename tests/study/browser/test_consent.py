"""Runs of others in a browser: their programs are asked for, and their names disturb nothing else."""

import pytest

import equilibrist as eq

playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
)
expect = playwright.expect


def test_the_program_of_a_run_is_asked_for_once(folder, start, new_page, tmp_path):
    canary, rules = tmp_path / "canary", tmp_path / "rules.py"
    rules.write_text("from equilibrist.games import Kuhn as Mine\n")
    eq.solve(f"{rules}:Mine", iterations=5, save=folder / "mine")
    rules.write_text(f"open({str(canary)!r}, 'a').write('x')\n{rules.read_text()}")
    server, page, asked = start(folder, "--trust-files"), new_page(), []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
    page.goto(f"{server.base}/runs/mine?token={server.token}")
    expect(page.locator("a.line").first).to_be_visible()  # what there is without the game
    page.reload()
    expect(page.locator("a.line").first).to_be_visible()
    assert not canary.exists()
    assert [str(rules) in question for question in asked] == [True, True]
    other = new_page()
    other.on("dialog", lambda dialog: dialog.accept())
    other.goto(f"{server.base}/runs/mine?token={server.token}")
    expect(other.locator("a.line").first).to_be_visible()
    expect(other.locator("a.line").first).not_to_contain_text("–")
    assert canary.exists()
    other.get_by_role("tab", name="Tree").click()
    expect(other.get_by_text("Chance deals")).to_be_visible()


def test_a_name_that_turns_the_direction_turns_nothing_else(server, new_page):
    page = new_page()
    page.goto(server.url)
    turned, after = page.evaluate(
        """() => {
            const line = document.createElement("div");
            line.innerHTML = "<span>abc \\u202e evil</span><span>after</span>";
            document.body.append(line);
            return [...line.children].map((part) => part.getBoundingClientRect().toJSON());
        }"""
    )
    assert after["left"] >= turned["right"] - 1
