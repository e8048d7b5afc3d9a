"""Check that a tag names the version of all files that have one; with --notes, print what the changelog says of it.

    python .ci/version.py v1.0.0rc1 [--notes [PLACE]]

With PLACE, an address that ends with /, the links of the notes to files of the repository lead there.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

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


def notes(version, place):
    """Return what CHANGELOG.md says of a version, its links below a place."""
    _, changes = section(version)
    return re.sub(r"\]\((?!\w+:)", f"]({place}", changes)


def main():
    """Print what does not agree with a tag, or the notes of its release."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tag")
    parser.add_argument("--notes", nargs="?", const="", metavar="PLACE")
    asked = parser.parse_args()
    if not TAG.fullmatch(asked.tag):
        sys.exit(f"A tag is v and a version, such as v1.0.0 or v1.0.0rc1; got {asked.tag!r}.")
    version = asked.tag.removeprefix("v")
    if asked.notes is not None:
        print(notes(version, asked.notes))
    elif wrong := list(problems(version)):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
