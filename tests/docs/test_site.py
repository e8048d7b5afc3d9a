"""The documentation site: every public name has its place, every page is in the menu, the tutorials run."""

import inspect
import json
import re
import runpy
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from equilibrist.games.registry import GAMES, PUBLIC_GAMES
from support.known import KNOWN

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.ipynb"))
PROOF_PATH = runpy.run_path(str(DOCS / "making" / "proofs.py"))["proof_path"]
DIRECTIVE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
QUANTITIES = {
    "value": "value to player 0",
    "value_0": "value to player 0",
    "value_1": "value to player 1",
    "value_2": "value to player 2",
    "infosets": "infosets",
    "histories": "histories",
    "leaves": "leaves",
    "uniform_nash_conv": "nash_conv of uniform play",
}


def exported(package):
    """Return the names that a package hands on, and those of the packages among them, with a dot between."""
    stubs = (package / "__init__.pyi", package.with_suffix(".pyi"), package / "__init__.py")
    stub = next(path for path in stubs if path.exists())
    text = stub.read_text("utf-8")
    names = re.findall(r"^from \.\S* import \w+ as ([^\W_]\w*)", text, re.MULTILINE)
    names += re.findall(r"^def ([a-z]\w*)", text, re.MULTILINE)
    inner = re.findall(r"^from \. import (\w+) as", text, re.MULTILINE)
    return names + [f"{name}.{deeper}" for name in inner for deeper in exported(package / name)]


def test_every_public_name_is_in_the_reference_once():
    named = [
        name
        for page in (DOCS / "reference").glob("*.md")
        if page.name != "built-in-games.md"
        for name in DIRECTIVE.findall(page.read_text("utf-8"))
    ]
    public = [f"equilibrist.{name}" for name in exported(ROOT / "src" / "equilibrist")]
    assert "equilibrist.solve" in public
    assert sorted(named) == sorted(public)


def test_every_built_in_game_is_in_the_reference_once():
    named = DIRECTIVE.findall((DOCS / "reference" / "built-in-games.md").read_text("utf-8"))
    assert sorted(named) == sorted(
        f"{game.__module__}.{game.__qualname__}"
        for game in (*GAMES.values(), PUBLIC_GAMES["push_fold"])
    )


def test_the_reference_lists_what_its_pages_have():
    index = (DOCS / "reference" / "index.md").read_text("utf-8")
    for page, names in re.findall(r"^\| \[.+?\]\((\S+)\) \| (.+) \|$", index, re.MULTILINE):
        directives = DIRECTIVE.findall((DOCS / "reference" / page).read_text("utf-8"))
        assert re.findall(r"`([\w.]+)`", names) == [
            name.removeprefix("equilibrist.") for name in directives
        ], page


def test_every_page_is_in_the_menu():
    menu = set(
        re.findall(
            r"([\w./-]+\.(?:md|ipynb))$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE
        )
    )
    pages = {
        path.relative_to(DOCS).as_posix()
        for kind in ("md", "ipynb")
        for path in DOCS.rglob(f"*.{kind}")
    }
    made = {f"{name}.md" for name in ("changelog", "contributing", "security")}
    made |= {f"examples/{path.stem}.md" for path in (ROOT / "examples").glob("*.py")}
    assert menu == pages | made


def test_docstrings_are_told_as_markdown():
    griffe = pytest.importorskip("griffe")
    extensions = griffe.load_extensions(str(DOCS / "making" / "docstrings.py"))
    package = griffe.load("equilibrist", search_paths=[ROOT / "src"], extensions=extensions)
    load = package["games.load.load"].docstring.value
    assert (
        '\n* ``"poker.efg"``, ``"a.nfg"``: a Gambit file: a tree, or a table of strategies\n'
        in load
    )
    assert "[`PublicGame`][equilibrist.PublicGame]" in load
    assert "====" not in load
    leduc = package["games.leduc.Leduc"].docstring.parse("numpy")
    parameters = next(part.value for part in leduc if part.kind.value == "parameters")
    assert {parameter.name: str(parameter.default) for parameter in parameters} == {
        name: repr(parameter.default)
        for name, parameter in inspect.signature(GAMES["leduc"]).parameters.items()
    }


def test_links_out_of_the_docs_lead_to_pages_made_of_the_files():
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    hooks = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    moved, elsewhere = hooks["_moved"], hooks["ELSEWHERE"]
    assert moved("../examples/my_game.py", "add-a-game.md") == "examples/my_game.md"
    assert (
        moved("../../examples/my_game.py", "tutorials/6-your-own-game.ipynb")
        == "../examples/my_game.md"
    )
    assert moved("../../CHANGELOG.md", "reference/index.md") == "../changelog.md"
    assert (
        moved("docs/sampling.md", "changelog.md") == "sampling.md"
    )  # as the changelog itself would write it
    assert moved("sampling.md", "compare.md") == "sampling.md"
    assert moved("https://semver.org", "changelog.md") == "https://semver.org"
    assert all((ROOT / source).exists() for source in elsewhere)


def test_formulas_of_notebooks_are_drawn_in_the_text_and_nowhere_else():
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    hooks = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="tutorials/1-regret-matching.ipynb"))
    text = '<div class="jp-RenderedMarkdown"><p>$x$, $$y_1 &lt; 2$$, <code>a$b$</code></p></div><pre>cost $1$</pre>'
    made = hooks["on_page_content"](text, page=page, files=None)
    assert made.count("<math") == 2
    assert made.count('display="block"') == 1
    assert "<code>a$b$</code>" in made
    assert "cost $1$" in made


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in sorted(DOCS.rglob("*.md"))]
)
def test_lists_are_lists_on_the_site_too(path):
    """MkDocs wants four spaces before an inner list, and an empty line before an outer one; code hosts do not mind."""
    text = re.sub(
        r"^( *)```.*?^\1```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    assert not re.findall(r"^ {1,3}(?:[*-]|\d+\.) .*", text, re.MULTILINE)
    assert not re.findall(r"^(?! |[*-] |\d+\. |#|$).+\n(?:[*-]|\d+\.) .*", text, re.MULTILINE)


def test_pictures_are_links_to_their_files():
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    hooks = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="plot.md"))
    made = hooks["on_page_content"]('<p><img alt="a" src="../a.svg" /></p>', page=page, files=None)
    assert made == '<p><a href="../a.svg"><img alt="a" src="../a.svg" /></a></p>'
    inline = '<img src="data:image/png;base64,AAAA.png">'
    assert hooks["on_page_content"](inline, page=page, files=None) == inline


def test_calls_and_names_of_files_in_tables_go_over_several_lines():
    pytest.importorskip("latex2mathml", reason="The docs extra is not installed")
    hooks = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"), url="a.html")
    cell = (
        "<td><code>dice(order='face')</code> in policy_test.py, a_b and <code>a_b/c()</code></td>"
    )
    made = hooks["on_page_content"](f"{cell}<p>policy_test.py</p>", page=page, files=None)
    assert made == (
        "<td><code>dice(<wbr>order='face')</code> in policy_<wbr>test.py, a_b and "
        "<code>a_b/<wbr>c()</code></td><p>policy_test.py</p>"
    )


def test_drawings_of_notebooks_are_files_and_their_programs_are_folded(tmp_path):
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    hooks = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    file = SimpleNamespace(
        src_uri="tutorials/1-a.ipynb", abs_dest_path=str(tmp_path / "tutorials" / "1-a.html")
    )
    page = SimpleNamespace(file=file, url="tutorials/1-a.html")
    cell = '<div class="jp-Cell jp-CodeCell celltag_{}" id="a"><div class="jp-Cell-inputWrapper">plot()</div>{}</div>'
    drawn = '<div class="jp-Cell-outputWrapper"><img alt="No" src="data:image/png;base64,aGVsbG8="></div>'
    text = "<h1>A</h1>" + cell.format("fold", drawn) + cell.format("other", "")
    made = hooks["on_page_content"](text, page=page, files=None)
    assert (tmp_path / "tutorials" / "1-a-1.png").read_bytes() == b"hello"
    assert re.search(
        r'<a href="1-a-1.png"><img alt="[^"]+" loading="lazy" src="1-a-1.png"></a>', made
    )
    folded = '<summary>Code</summary><div class="jp-Cell-inputWrapper">plot()</div></details><div class="jp-Cell-output'
    assert folded in made
    assert made.count("<details") == 1
    assert '</h1><p class="notebook-file"><a href="1-a.ipynb" download>' in made


def test_programs_that_only_draw_are_folded():
    """A cell that draws and defines nothing that the text is about has the tag, and is folded in Jupyter as well."""
    for path in TUTORIALS:
        for cell in json.loads(path.read_text("utf-8"))["cells"][1:]:
            source, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
            if cell["cell_type"] == "code" and (
                "plt.subplots" in source or "import matplotlib" in source
            ):
                assert tags == ["fold"], source
                assert cell["metadata"]["jupyter"] == {"source_hidden": True}
            else:
                assert "fold" not in tags


def texts():
    """Return the functions that write the site as text."""
    pytest.importorskip("mkdocs")
    return runpy.run_path(str(DOCS / "making" / "texts.py"))


def test_readers_see_what_was_measured_when():
    pytest.importorskip("mkdocs")
    pytest.importorskip("latex2mathml")
    made = runpy.run_path(str(DOCS / "making" / "hooks.py"))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="performance.md"))
    mark = "<!-- measured: python -m benchmarks.peers; 231f6e3; sequence cards -->"
    text = made["on_page_markdown"](
        f"| a |\n|---|\n| 1 |\n\nMachine: x.\n{mark}\nMore.\n", page=page
    )
    what = r"Measured with `python -m benchmarks\.peers`, commit 231f6e3( of 20\d\d-\d\d-\d\d)?\."
    assert re.search(rf"x\.\n\n<small>{what}</small>\n\nMore", text)
    unknown = made["_visible"]("equilibrist solve", "0" * 40)
    assert unknown == f"\n\n<small>Measured with `equilibrist solve`, commit {'0' * 40}.</small>\n"
    for path in sorted(DOCS.rglob("*.md")):
        source = path.read_text(encoding="utf-8")
        assert len(made["MARK"].findall(source)) == source.count("<!-- measured"), path.name


def test_pages_as_text():
    made = texts()
    page = SimpleNamespace(
        file=SimpleNamespace(
            src_uri="reference/a.md", dest_uri="reference/a.html", abs_src_path=None
        ),
        markdown="# Games\n\nAbout.\n\n::: equilibrist.check_game\n\n<!-- measured: x -->\n::: equilibrist.CHANCE\n",
    )
    assert made["text_file"](page) == "reference/a.md"
    text = made["text_of"](page)
    assert text.startswith(
        "# Games\n\nAbout.\n\n## equilibrist.check_game\n\n```plain\ncheck_game(game"
    )
    assert ":::" not in text
    assert "measured" not in text
    cells = json.loads(TUTORIALS[0].read_text("utf-8"))["cells"]
    notebook = made["notebook"](TUTORIALS[0].read_text("utf-8"))
    assert "def regret_matching(regrets):" in notebook
    checks = [
        "".join(cell["source"]) for cell in cells if "check" in cell["metadata"].get("tags", [])
    ]
    assert checks
    assert not any(check in notebook for check in checks)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "# A\n\n![p: q](a.svg)\n\nSee [this *page*](b.md). More.\n\nEnd.\n",
            "See this page. More.",
        ),
        (
            "# A\n## B\n" + "long " * 12 + "is this. Not this.\n",
            " ".join(["long"] * 12) + " is this.",
        ),
        ("# A\n\n```sh\nx\n\ny\n```\n\n| a |\n\nVersion 1.2 is\nnew\n", "Version 1.2 is new"),
        ("# A\n", ""),
        ("# A\n\n" + "word " * 80, " ".join(["word"] * 48) + " …"),
    ],
)
def test_what_is_said_of_a_page(text, sentence):
    assert texts()["first_sentence"](text) == sentence


WRAPPED = {"console", "python", "sh", "toml"}  # docs/site.css
COLUMN = 98  # characters of a listing in a column of text


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in sorted(DOCS.rglob("*.md"))]
)
def test_listings_fit_the_column(path):
    text = path.read_text("utf-8")
    fenced = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    lines = [
        line
        for kind, listing in fenced.findall(text)
        if kind not in WRAPPED
        for line in listing.splitlines()
    ]
    lines += re.findall(r"(?<=\n\n) {4}(?![*-] |\d+\. ).+", fenced.sub("", text))
    assert [line for line in lines if len(line) > COLUMN] == []


def in_words(number):
    """Return a known number as people write it: whole, as a fraction, or with its digits."""
    near = Fraction(number).limit_denominator(10_000)
    if isinstance(number, Fraction) or abs(near - number) < 1e-15:
        near = number if isinstance(number, Fraction) else near
        if near.denominator == 1:
            return f"{near.numerator:,}"
        fraction = str(near)
        # In a table a line may end after the bar, and within what is long.
        fraction = re.sub(r"(\d{12})(?=\d)", r"\1<wbr>", fraction)
        if "<wbr>" in fraction:
            fraction = fraction.replace("/", "/<wbr>")
        return f"{fraction} = {float(number):.9f}"
    return f"{number:.12f}"


def cite(known):
    """Return the source of a known number, and the proof of it where the repository has one."""
    proof = PROOF_PATH(known.game)
    if known.quantity != "value" or not proof.exists():
        return known.source
    link = proof.relative_to(DOCS).as_posix()
    if known.source == "proved in fractions":
        return f"[proved in fractions]({link})"
    return f"{known.source}; [proved in fractions]({link})"


def known_values():
    """Return the tables of docs/known-values.md, a heading for each game and a row for each number."""
    lines, family = [], None
    for known in sorted(KNOWN, key=lambda known: known.game.partition("(")[0]):
        if family != (family := known.game.partition("(")[0]):
            lines += ["", f"## {family}", "| game | what | number | source |", "|---|---|---:|---|"]
        about = f" (± {known.tolerance:.2g})" if known.tolerance > 1e-6 else ""
        number = in_words(known.number) + about
        lines.append(
            f"| `{known.game}` | {QUANTITIES[known.quantity]} | {number} | {cite(known)} |"
        )
    return "\n".join(lines[1:]) + "\n"


def test_the_page_of_known_values():
    """If this fails, the numbers have changed: ``python tests/docs/test_site.py`` writes the tables again.

    PYTHONPATH is ``src:tests``.
    """
    text = (DOCS / "known-values.md").read_text("utf-8")
    assert text[text.index("\n## ") + 1 :] == known_values()


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in TUTORIALS])
def test_tutorials_are_kept_without_outputs(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    assert [cell["cell_type"] for cell in cells[:2]] == ["markdown", "code"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            continue
        for target in re.findall(r"\]\(([^)\s#]+)", "".join(cell["source"])):
            assert re.match(r"https?:", target) or (path.parent / target).exists(), target


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in TUTORIALS])
def test_tutorials_end_with_exercises_whose_answers_are_checked(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    summary, exercises = (
        next(i for i, text in enumerate(texts) if f"## {title}" in text)
        for title in ("Summary", "Exercises")
    )
    assert summary <= exercises
    assert texts[exercises].count("<details>\n<summary>Answer</summary>\n\n") >= 3
    assert cells[exercises + 1]["metadata"]["tags"] == ["check"]  # left out on the site: mkdocs.yml
    assert texts[exercises + 1].count("assert ") >= 3
    following = TUTORIALS[TUTORIALS.index(path) + 1 :]
    assert not following or re.search(
        rf"^Next: \[[^]]+\]\({re.escape(following[0].name)}\)", texts[-1], re.MULTILINE
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in TUTORIALS])
def test_tutorials_run(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    said = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert said
    assert not [output.text for output in said if output.get("name") == "stderr"]


if __name__ == "__main__":
    page = DOCS / "known-values.md"
    text = page.read_text("utf-8")
    page.write_text(text[: text.index("\n## ") + 1] + known_values(), encoding="utf-8")


def test_the_picture_of_a_counterfactual_value_is_that_of_its_program():
    drawn = runpy.run_path(str(DOCS / "making" / "counterfactual.py"))
    assert drawn["PICTURE"].read_text("utf-8") == drawn["picture"](), (
        "python -m docs.making.counterfactual"
    )
    fold, call, both = map(drawn["values"]().get, ("fold", "call", drawn["INFOSET"]))
    assert (fold, call, both) == (Fraction(-1, 6), 0, Fraction(-1, 12))  # by hand


def test_the_picture_of_the_coin_toss_is_that_of_its_program():
    drawn = runpy.run_path(str(DOCS / "making" / "coin_toss.py"))
    assert drawn["PICTURE"].read_text("utf-8") == drawn["picture"](), (
        "python -m docs.making.coin_toss"
    )
    half, eighth, quarter = Fraction(1, 2), Fraction(1, 8), Fraction(1, 4)
    assert drawn["solved_again"]("maxmargin") == (half, (0, 0), quarter)  # by hand
    assert drawn["solved_again"]("reach") == (3 * eighth, (half, 0), eighth)


def check_pictures(program):
    """Compare the pictures of a program with those that are kept; return what the program defines.

    Words and lines of each are the same; coordinates may differ in their last digits between machines.
    """
    pytest.importorskip("matplotlib")
    drawn = runpy.run_path(str(DOCS / "making" / f"{program}.py"))
    from equilibrist.plot.style import picture

    def words_of(svg):
        return re.findall(r"<text[^>]*>([^<]*)|<!-- (.*?) -->", svg), svg.count("<path")

    for name, draw in drawn["PICTURES"].items():
        kept = (DOCS / f"{name}.svg").read_text("utf-8")
        assert words_of(picture(draw).decode()) == words_of(kept), (
            f"python -m docs.making.{program}"
        )
    return drawn


@pytest.mark.slow
def test_the_picture_of_abstractions_is_that_of_its_program():
    drawn = check_pictures("abstraction")
    both = drawn["exploitabilities"]("abstracted")
    least = drawn["exploitabilities"]("unabstracted")
    assert both[2] > both[1] + 0.1
    assert least == sorted(least, reverse=True)


@pytest.mark.slow
def test_the_pictures_of_refinements_are_those_of_their_program():
    drawn = check_pictures("refinements")
    at_least, at_most = drawn["by_precision"]()[[0, -1]]
    assert abs(at_least - 1 / 2).max() < 0.05  # λ = 0 is uniform play
    assert abs(at_most[drawn["KEYS"].index("Qb")] - 1 / 3) < 0.01  # Kuhn 1950: in every equilibrium
    assert abs(drawn["by_floor"]()[0][drawn["KEYS"].index("Jp")] - 1 / 3) < 0.01
