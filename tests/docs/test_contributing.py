"""The scripts of CI and of a release, and the workflows that call them, agree."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SCRIPT = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STEPS = re.search(r"^steps=\((.+)\)$", SCRIPT, re.MULTILINE)[1].split()


def test_the_workflow_runs_every_step_of_the_script():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert re.search(r"step: \[(.+)\]", workflow)[1].split(", ") == STEPS
    assert re.findall(r"^step_(\w+)\(\)", SCRIPT, re.MULTILINE) == STEPS
    assert (
        f"steps are {', '.join(f'`{step}`' for step in STEPS[:-1])}"
        in (ROOT / "CONTRIBUTING.md").read_text()
    )


def test_actions_are_pinned_by_digest():
    """A tag can be moved to another commit by whoever owns the action, a digest cannot."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        for action in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action), (
                path.name,
                action,
            )


def test_a_warning_of_the_site_is_an_error():
    """With ``--quiet`` MkDocs hears no warning, so that ``--strict`` would ask for nothing."""
    builds = [line for line in SCRIPT.splitlines() if "mkdocs build" in line]
    assert len(builds) == 1
    assert "--strict" in builds[0]
    assert not {"--quiet", "-q"} & set(builds[0].split())


def version(*arguments, root=ROOT):
    """Run .ci/version.py."""
    done = subprocess.run(
        [sys.executable, root / ".ci" / "version.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_release_names_one_version():
    code, _, error = version("v9.9.9")
    assert code == 1
    assert "pyproject.toml has the version" in error
    assert "CITATION.cff does not" in error
    assert "recipe/recipe.yaml does not" in error
    assert "CHANGELOG.md has no section" in error


def test_a_release_has_the_changes_as_its_notes():
    code, notes, _ = version("v1.0.0rc1", "--notes")
    assert code == 0
    assert notes.startswith("The first version")


def test_links_of_the_notes_lead_to_the_repository():
    _, notes, _ = version("v1.0.0rc1", "--notes", "https://example.org/blob/v1.0.0rc1/")
    targets = re.findall(r"\]\(([^)]+)\)", notes)
    assert targets
    for target in targets:
        place, _, _ = target.removeprefix("https://example.org/blob/v1.0.0rc1/").partition("#")
        assert place != target
        assert (ROOT / place).is_file(), target


def test_one_command_makes_all_files_agree(tmp_path):
    for name in (
        ".ci/version.py",
        "pyproject.toml",
        "CITATION.cff",
        "CHANGELOG.md",
        "recipe/recipe.yaml",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    before = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    for date in ("2026-12-01", "2026-12-02", None):
        assert version("v1.0.0rc1", "--set", *([date] if date else []), root=tmp_path)[0] == 0
        code, _, error = version("v1.0.0rc1", root=tmp_path)
        if date:
            assert (code, error) == (0, "")
        else:
            assert "CHANGELOG.md says that 1.0.0rc1 was released on 'unreleased'" in error
    after = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    changed = set(after.splitlines()) ^ set(before.splitlines())
    assert changed <= {f'version = "{PROJECT["version"]}"', 'version = "1.0.0rc1"'}
    assert "date-released" not in (tmp_path / "CITATION.cff").read_text(encoding="utf-8")
    assert "'## [9.9.9] – unreleased' yet" in version("v9.9.9", "--set", root=tmp_path)[2]
    assert "got 'today'" in version("v1.0.0rc1", "--set", "today", root=tmp_path)[2]


@pytest.mark.parametrize("tag", ["0.1", "v1.0", "v1.0.0-rc1", ""])
def test_a_tag_is_a_version(tag):
    code, _, error = version(tag)
    assert code == 1
    assert f"got {tag!r}" in error


# --- What a release consists of ---

IN_CONDA = {"matplotlib": "matplotlib-base"}
"""Other names of packages."""


def test_the_recipe_says_what_pyproject_says():
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    wanted = {f"python {PROJECT['requires-python']}"}
    for requirement in PROJECT["dependencies"]:
        name, bounds = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()
        wanted.add(f"{IN_CONDA.get(name, name)} {bounds}")
    assert set(recipe["requirements"]["run"]) == wanted
    assert recipe["context"]["version"] == PROJECT["version"]
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert entry == "equilibrist = " + PROJECT["scripts"]["equilibrist"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert recipe["about"]["license"] == PROJECT["license"]


def test_the_workflow_tries_the_pythons_that_are_promised():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    matrix = workflow["jobs"]["systems"]["strategy"]["matrix"]
    prefix = "Programming Language :: Python :: 3."
    promised = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if prefix in text]
    assert matrix["python"] == promised
    assert len(matrix["system"]) == 3


def test_the_citation_has_what_the_format_asks_for():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license", "abstract"} <= citation.keys()
    assert str(citation["version"]) == PROJECT["version"]


SECTIONS = (
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
)
"""The sections that the Journal of Open Source Software asks for, in its order."""


def test_the_paper_has_the_form_that_its_journal_asks_for():
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    about = yaml.safe_load(front)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= about.keys()
    assert re.fullmatch(r"\d{1,2} [A-Z][a-z]+ \d{4}", about["date"])
    assert {author["affiliation"] for author in about["authors"]} <= {
        place["index"] for place in about["affiliations"]
    }
    assert tuple(re.findall(r"^# (.+)$", body, re.MULTILINE)) == SECTIONS
    words = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL).split()
    assert 750 <= len(words) <= 1750


def test_the_paper_cites_what_its_bibliography_has():
    body = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    bibliography = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
    cited = set(re.findall(r"\[@(\w+)\]", body))
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE))
