"""Check that a tag names the version of all files that have one; with --notes, print what the changelog says of it.

    python .ci/version.py v1.0.0rc1
    python .ci/version.py v1.0.0rc1 --notes [PLACE]
    python .ci/version.py v1.0.0rc1 --set [DATE]

With PLACE, an address that ends with /, the links of the notes to files of the repository lead there. ``--set`` writes
the version into all of them, and the date of its release, such as 2026-12-01; without a date it is not released yet.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

UNRELEASED = "unreleased"
"""What the changelog has in the place of a date."""

TAG = re.compile(r"v\d+\.\d+\.\d+(rc\d+)?")
"""A release, or a candidate for one."""


def section(version):
    """Return what CHANGELOG.md says of a version, and its date."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    match = re.search(
        rf"^## \[{re.escape(version)}\] – (.+?)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )
    return (match[1], match[2].strip()) if match else ("", "")


def problems(version):
    """Yield what does not agree with a version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    if project != version:
        yield f"pyproject.toml has the version {project}, not {version}."
    if f'\n  version: "{version}"\n' not in (ROOT / "recipe" / "recipe.yaml").read_text("utf-8"):
        yield f"recipe/recipe.yaml does not have the version {version}."
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"\nversion: {version}\n" not in citation:
        yield f"CITATION.cff does not have the version {version}."
    date, changes = section(version)
    if not changes:
        yield f"CHANGELOG.md has no section '## [{version}] – date'."
    elif f"\ndate-released: {date}\n" not in citation:
        yield f"CHANGELOG.md says that {version} was released on {date!r}; CITATION.cff does not."


def write_version(version, date):
    """Write a version, and the date of its release where there is one, into all files that have it."""
    if not section(version)[1]:
        sys.exit(
            f"CHANGELOG.md has no section '## [{version}] – {UNRELEASED}' yet: write it first."
        )
    replace_line("pyproject.toml", r"version = .*", f'version = "{version}"')
    replace_line("recipe/recipe.yaml", r"  version: .*", f'  version: "{version}"')
    replace_line("CHANGELOG.md", rf"## \[{re.escape(version)}\] – .*", f"## [{version}] – {date}")
    released = "" if date == UNRELEASED else f"\ndate-released: {date}"
    pattern = r"version: .*(\ndate-released: .*)?"
    replace_line("CITATION.cff", pattern, f"version: {version}{released}")


def replace_line(name, pattern, text):
    """Replace the first line of a file that has a form."""
    path = ROOT / name
    content = path.read_text(encoding="utf-8")
    new, count = re.subn(f"^{pattern}$", lambda _: text, content, count=1, flags=re.MULTILINE)
    if count == 0:
        sys.exit(f"{name} has no line of the form {pattern!r}.")
    path.write_text(new, encoding="utf-8", newline="\n")


def notes(version, place):
    """Return what CHANGELOG.md says of a version, its links below a place."""
    _, changes = section(version)
    return re.sub(r"\]\((?!\w+:)", f"]({place}", changes)


def main():
    """Print what does not agree with a tag, or the notes of its release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tag")
    parser.add_argument("--notes", nargs="?", const="", metavar="PLACE")
    parser.add_argument("--set", nargs="?", const=UNRELEASED, metavar="DATE")
    asked = parser.parse_args()
    if not TAG.fullmatch(asked.tag):
        sys.exit(f"A tag is v and a version, such as v1.0.0 or v1.0.0rc1; got {asked.tag!r}.")
    version = asked.tag.removeprefix("v")
    if asked.set is not None:
        if asked.set != UNRELEASED and not re.fullmatch(r"\d{4}-\d\d-\d\d", asked.set):
            sys.exit(f"A date is a year, a month and a day, such as 2026-12-01; got {asked.set!r}.")
        write_version(version, asked.set)
        return
    if asked.notes is not None:
        print(notes(version, asked.notes))
    elif wrong := list(problems(version)):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
