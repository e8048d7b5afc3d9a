"""Check that a tag names the version of pyproject.toml, CITATION.cff and CHANGELOG.md; with --notes, print its changes.

python .ci/version.py v0.1.0 [--notes]
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


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
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"\nversion: {version}\n" not in citation:
        yield f"CITATION.cff does not have the version {version}."
    date, changes = section(version)
    if not changes:
        yield f"CHANGELOG.md has no section '## [{version}] – date'."
    elif f"\ndate-released: {date}\n" not in citation:
        yield f"CHANGELOG.md says that {version} was released on {date!r}; CITATION.cff does not."


if __name__ == "__main__":
    tag = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "")
    if not re.fullmatch(r"v\d+\.\d+\.\d+", tag):
        sys.exit(f"A tag is v and a version, such as v0.1.0; got {tag!r}.")
    if "--notes" in sys.argv:
        print(section(tag[1:])[1])
    elif wrong := list(problems(tag[1:])):
        sys.exit("\n".join(wrong))
