"""What the README, docs/ and examples/ show is run, and what they point to is there."""

import ast
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest

from support import extras as small_extras
from support.command import call, environment

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {  # the text and, where a block of text follows at once, that
    name: re.compile(
        rf"^```{name}\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL
    )
    for name in ("python", "console")
}
TYPED = re.compile(r"^Your move: (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?[^)]*\)")
OUR_PATH = re.compile(r"`((?:src|tests|docs|examples|benchmarks|\.ci)/[\w./-]+)`")
SLOW = {
    "cluster.md",
    "command.md",
    "compare.md",
    "from/cfr-algorithm.md",
    "from/kuhn-notebook.md",
    "holdem.md",
    "one-bet.md",
    "plot.md",
    "preflop.md",
    "report.md",
    "sampling.md",
    "tracking.md",
}  # which solve for long, or draw many pictures
# Words that show that a module is needed.
EXTRAS = {
    "openspiel:": "pyspiel",
    "import torch": "torch",
    "import pygambit": "pygambit",
    "from rlcard": "rlcard",
    "eq.deep": "torch",
    "mlflow": "mlflow",
    "rayexecutor": "ray",
    ".to_pandas()": "pandas",
    ".to_polars()": "polars",
    "import pandas": "pandas",
    "import polars": "polars",
    "tensorboard:": "tensorboard",
    "eq.track.tensorboard": "tensorboard",
}
# Arguments of examples that take minutes without, or do nothing.
FEW = {
    "check_proof.py": [str(ROOT / "docs" / "proofs" / "kuhn.proof.json")],
    "judge_agent.py": ["20"],
}
REGISTRY = re.compile(
    r"https?://([\w-]+\.)*(py[p]i|anacond[a]|npm[j]s)\."
)  # of packages: no link leads to one
MISSING = [word for word, module in EXTRAS.items() if importlib.util.find_spec(module) is None]


def lacks(text):
    """Return whether a text needs what this machine may be without, and is."""
    return any(word in text.lower() for word in MISSING)


def blocks(page, language):
    """Return the fenced blocks of a page in one language."""
    return [text for text, _ in shown(page, language)]


def shown(page, language):
    """Return the fenced blocks of a page in one language, each with the output that directly follows it, or None."""
    return SHOWN[language].findall(page.read_text(encoding="utf-8"))


def printed(page):
    """Return the blocks of text of a page, which show what is printed."""
    return [
        text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == "text"
    ]


def commands(page):
    """Return the arguments of each ``equilibrist …`` in the console blocks of a page, one joined by && included."""
    return [args for args, _ in shown_commands(page)]


def shown_commands(page):
    """Return the arguments of each ``equilibrist …`` of a page with the output shown, that of the last in a block."""
    found = []
    for text, output in shown(page, "console"):
        lines = text.replace("\\\n", " ").splitlines()  # a command may go over several
        parts = [
            part.strip().removeprefix(".venv/bin/") for line in lines for part in line.split("&&")
        ]
        ours = [shlex.split(part)[1:] for part in parts if part.startswith("equilibrist ")]
        found += [
            (args, output if number == len(ours) else "") for number, args in enumerate(ours, 1)
        ]
    return found


def assert_shows(output, printed):
    """See that a page shows what was printed; … stands for anything within a line, alone on a line for any lines."""
    lines = [re.escape(line.rstrip()).replace("…", ".*") for line in output.splitlines()]
    pattern = "".join(r"(?:.*\n)*" if line == ".*" else rf"{line} *\n" for line in lines)
    assert re.fullmatch(rf"\n*{pattern}\n*", printed), f"shown:\n{output}\nprinted:\n{printed}"


def pages(found, *, slow=()):
    """Return the pages where something is found, as parameters named by the file, with marks for what they need."""
    ids = {page: page.relative_to(ROOT).as_posix().removeprefix("docs/") for page in PAGES}
    parameters = []
    for page in filter(found, PAGES):
        text = page.read_text(encoding="utf-8").lower()
        needed = {module for word, module in EXTRAS.items() if word in text}
        marks = [
            pytest.mark.needs(name, part=True) for name in small_extras.EXTRAS if name in needed
        ]
        if ids[page] in slow:
            marks.append(pytest.mark.slow)
        parameters.append(pytest.param(page, id=ids[page], marks=marks))
    return pytest.mark.parametrize("page", parameters)


@pytest.fixture(autouse=True)
def copy(tmp_path, monkeypatch):
    """Run in a folder of its own, with a copy of the examples."""
    shutil.copytree(
        ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.chdir(tmp_path)
    for name in set(os.environ) - set(environment()):
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")  # pages show what a terminal does, not a pipe


def test_something_is_found():
    readme = PAGES[0]
    assert blocks(readme, "python")
    assert ["solve", "leduc", "--until", "1e-6"] in commands(readme)
    assert len(EXAMPLES) >= 4
    assert LINK.findall("[a](b.md) ![c: d](e/f.svg 'g') [h](i.md#j)") == [
        "b.md",
        "e/f.svg",
        "i.md#j",
    ]


@pages(printed)
def test_every_printed_text_is_compared(page):
    """A block of text is what the command or program right above it prints; others are ```plain or ```sh."""
    compared = [output for _, output in shown(page, "python") + shown_commands(page) if output]
    assert sorted(printed(page)) == sorted(compared)


@pytest.mark.thinned(3)
@pages(
    lambda page: blocks(page, "python"),
    slow={
        "batch.md",
        "correlated.md",
        "exploit.md",
        "exploitability.md",
        "from/cfr-algorithm.md",
        "from/cfr-explained.md",
        "games.md",
        "paper.md",
        "play-and-average.md",
        "plot.md",
        "refinements.md",
        "report.md",
        "sampling.md",
        "tracking.md",
        "walk.md",
    },
)
def test_python(page, capsys):
    """The blocks of a page are one program, which prints what is shown below them."""
    shared = {"__name__": "__main__"}
    for number, (text, output) in enumerate(shown(page, "python"), 1):
        if lacks(text):
            continue
        capsys.readouterr()
        exec(compile(text, f"{page.name}, block {number}", "exec"), shared)
        if output:
            assert_shows(output, capsys.readouterr().out)


@pytest.mark.thinned(4)
@pages(commands, slow=SLOW)
def test_commands(page, capsys, monkeypatch):
    """In the order of the page: a run that is saved is there to be resumed. They print what is shown below them."""
    for args, output in shown_commands(page):
        if lacks(" ".join(args)):
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(TYPED.findall(output))))
        ran = call(capsys, *args)
        assert (ran.code, ran.err) == (0, ""), args
        if output:
            assert_shows(output, ran.out)


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in EXAMPLES])
def test_examples(path):
    if lacks(path.read_text(encoding="utf-8")):
        pytest.skip("It needs what is not installed here.")
    done = subprocess.run(
        [sys.executable, f"examples/{path.name}", *FEW.get(path.name, ())],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout or "class" in path.read_text(
        encoding="utf-8"
    )  # a file of rules says nothing by itself


@pages(lambda page: True)
def test_links_and_paths(page):
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        target, _, heading = link.partition("#")
        if re.match(r"[a-z]+:", target):
            assert not REGISTRY.match(target), link
            continue
        path = page.parent / target if target else page
        assert path.exists(), link
        if heading and path.suffix == ".md":
            assert heading in anchors(path), link
    for path in OUR_PATH.findall(text):
        assert (ROOT / path).exists(), path


def anchors(page):
    """Return the names by which the headings of a page can be linked to, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_can_be_found():
    """The README leads to every page of docs/, if by way of another."""
    reached, waiting = set(), [PAGES[0]]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / link.partition("#")[0]).resolve()
            if path.suffix == ".md" and path.exists():
                waiting.append(path)
    assert set(PAGES) <= reached


def sources():
    """Yield each page with its text, tutorials and references left aside."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield page, page.read_text(encoding="utf-8")


def source_of(path):
    """Return a file named in the documentation, below the checkout or below the package."""
    return next(
        (there for there in (ROOT / path, ROOT / "src" / "equilibrist" / path) if there.is_file()),
        None,
    )


def test_files_and_names_of_the_code_are_there():
    wrong = []
    for page, text in sources():
        for path in re.findall(r"`((?:\w+/)+\w+\.py)`", text):
            if source_of(path) is None:
                wrong.append(f"{page.name}: {path}")
        for name, path in re.findall(r"`(\w+)` in\s+`((?:\w+/)*\w+\.py)`", text):
            there = source_of(path)
            if there is None or not re.search(rf"\b{name}\b", there.read_text(encoding="utf-8")):
                wrong.append(f"{page.name}: {name} in {path}")
    assert wrong == []


def test_what_is_installed_is_there():
    """The package is installed from a copy of the repository, by the name of a folder, with extras that it has."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for page in PAGES:
        for named in re.findall(
            r"pip install (?:-e )?'?([^'\s`]+)", page.read_text(encoding="utf-8")
        ):
            assert re.match(r"\.(\[|$)", named), f"{page.name}: {named}"
            assert set(named[2:-1].split(",")) - {""} <= set(extras), f"{page.name}: {named}"


def test_the_glossary_is_in_order():
    words = re.findall(
        r"^\*\*(.+?)[.,]", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(words) > 60
    assert words == sorted(words, key=str.lower)


@pytest.fixture
def stale(monkeypatch):
    """Return what finds the marks below measured figures."""
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import stale

    return stale


def test_measured_figures_have_marks(stale):
    """``python -m benchmarks.stale`` can say of each whether what it measures takes another time now."""
    from benchmarks.machine import MEASURES
    from benchmarks.probes import PROBES

    from equilibrist.cli.table import COMMANDS

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"^Machine: .*\n(?!<!-- measured: ).*", text, re.MULTILINE), page.name
        assert len(stale.marks(page)) == text.count("<!-- measured"), page.name
        for mark in stale.marks(page):
            program, name = re.match(
                r"(equilibrist |python -m benchmarks\.)(\w+)", mark.command
            ).groups()
            assert name in (COMMANDS if program == "equilibrist " else MEASURES), mark
            assert mark.probes, mark
            assert set(mark.probes) <= set(PROBES), mark
    for probes in MEASURES.values():
        assert set(probes.split()) <= set(PROBES)


def headings(benchmark):
    """Return patterns of all that a benchmark may print as the title of a table or over a column."""
    path = ROOT / "benchmarks" / benchmark
    texts = set()
    for file in sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr) and any(
                isinstance(part, ast.Constant) for part in node.values
            ):
                texts.add(
                    "".join(
                        re.escape(part.value) if isinstance(part, ast.Constant) else ".+"
                        for part in node.values
                    )
                )
    return re.compile("|".join(texts))


TABLE = re.compile(
    r"^\*\*([^\n]+)\*\*\n\n\|([^\n]+)\|\n\| ?---", re.MULTILINE
)  # its title, its columns


def test_tables_above_marks_are_those_of_the_command(stale):
    """A table whose title or columns its command does not print any more has to be measured again."""
    for page in PAGES:
        text, last = page.read_text(encoding="utf-8"), 0
        for mark in stale.MARK.finditer(text):
            above, last = text[last : mark.start()], mark.end()
            if not (benchmark := re.search(r"benchmarks\.(\w+)", mark["command"])):
                continue
            printed = headings(benchmark[1])
            for title, columns in TABLE.findall(above):
                for cell in (title, *columns.split(" | ")):
                    number = re.fullmatch(r"[\d.e-]*", cell.strip())
                    assert number or printed.fullmatch(cell.strip()), (
                        f"{page.name}: {cell!r} in {title!r}"
                    )


def test_tables_are_stale_where_a_probe_takes_another_time(stale, monkeypatch):
    taken = {"sequence": iter([2.0, 1.0, 1.1, 1.1]), "cards": iter([1.0, 1.3, 1.0, 1.2])}
    monkeypatch.setattr(stale, "run_probe", lambda name, package: next(taken[name]))
    monkeypatch.setattr(stale, "code_of", lambda commit: nullcontext(Path(commit)))
    mark = stale.Mark("page.md", 1, "python -m benchmarks.peers", "3fa91c2", ["sequence"])
    found = [mark, mark._replace(probes=["sequence", "cards"])]
    changes = stale.measure_all(found, rounds=2)
    assert changes == {
        ("3fa91c2", "sequence"): stale.Change(pytest.approx(1 / 1.1)),  # the least of each
        ("3fa91c2", "cards"): stale.Change(1.2),
    }
    table, num_stale = stale.table_of(found, changes)
    assert num_stale == 1
    assert [row[3:] for row in table.rows] == [
        ["sequence 0.91", "–"],
        ["sequence 0.91, cards 1.20", "**stale**"],
    ]


def test_what_cannot_be_measured_on_a_commit_is_stale(stale, monkeypatch):
    with stale.code_of("0" * 40) as package:
        assert package is None
    unknown = stale.measure("sequence", None)
    assert (unknown.is_stale, str(unknown)) == (True, "cannot be run there")
    monkeypatch.setattr(stale, "run_probe", lambda name, package: None)
    assert stale.measure("sequence", Path("old")).is_stale
    monkeypatch.setattr(
        stale, "run_probe", lambda name, package: 1.0 if package == Path("old") else None
    )
    with pytest.raises(SystemExit, match="The probe sequence fails on the code of now"):
        stale.measure("sequence", Path("old"))


@pytest.mark.slow
def test_the_code_of_a_commit_is_there_for_a_while(stale):
    with stale.code_of("HEAD") as package:
        if package is None:
            pytest.skip("not in a clone")
        assert (package / "equilibrist" / "__init__.py").exists()
        taken = stale.run_probe("compiled", package)
        assert taken is not None
        assert 0 < taken < 60
    assert not package.exists()
    assert stale.run_probe("missing", package) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "abstracted",
        "cards",
        "exact",
        "omaha",
        "public",
        "ruled",
        "sampled",
        "started",
        "three_ranges",
    ],
)
def test_probes_run(stale, name):
    taken = stale.run_probe(name, ROOT / "src")
    assert taken is not None
    assert 0 < taken < 60
