"""Look at what ``python -m build`` has made: names, metadata and contents of the wheel and the archive of sources.

    python -m build && python .ci/published.py dist

Each line that it prints is something that must be mended before a release.
"""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

ROOT = Path(__file__).parent.parent
CODE = {".py", ".pyi", ".js", ".css", ".html", ".svg", ".typed", ".d.ts"}
"""Suffixes of what is written by hand; other files are data, which docs/install.md lists with their licences."""
TABLES = {".csv", ".npy", ".npz", ".parquet"}
"""Suffixes of tables, which docs/install.md lists if they are in the archive of sources alone, too."""
MOST_BYTES = 10 << 20
"""Of the wheel: much more would be something that does not belong there."""
NEEDED = (
    "py.typed",
    "__init__.pyi",
    "page/index.html",
    "learn/exercises/files/01_regret_matching.py",
)


def problems(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the files of a folder."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    wheel = folder / f"equilibrist-{version}-py3-none-any.whl"
    archive = folder / f"equilibrist-{version}.tar.gz"
    names = {path.name for path in folder.iterdir()}
    if names != {wheel.name, archive.name}:
        yield f"{folder} should have {wheel.name} and {archive.name} alone; it has {sorted(names)}."
        return
    yield from problems_of_wheel(wheel, version, project)
    yield from problems_of_archive(archive, version)


def problems_of_wheel(wheel: Path, version: str, project: dict[str, object]) -> Iterator[str]:
    """Yield what is wrong with a wheel."""
    information = f"equilibrist-{version}.dist-info"
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        metadata = email.message_from_bytes(file.read(f"{information}/METADATA"))
    if wheel.stat().st_size > MOST_BYTES:
        yield f"The wheel has {wheel.stat().st_size:,} bytes, more than {MOST_BYTES:,}."
    strangers = {name.partition("/")[0] for name in names} - {"equilibrist", information}
    if strangers:
        yield f"The wheel would install {sorted(strangers)} beside the package."
    yield from (f"The wheel lacks {name}." for name in NEEDED if f"equilibrist/{name}" not in names)
    if f"{information}/licenses/LICENSE" not in names:
        yield "The wheel lacks the text of the licence."
    yield from problems_of_metadata(metadata, project)
    listed = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for name in names:
        is_code = name.endswith(tuple(CODE)) or name.startswith(information)
        if not is_code and f"`{Path(name).name}`" not in listed:
            yield f"docs/install.md does not say under which licence {name} is."


def problems_of_metadata(metadata: Message, project: dict[str, object]) -> Iterator[str]:
    """Yield what is wrong with the metadata of a wheel."""
    expected = {
        "Metadata-Version": "2.4",
        "Name": "equilibrist",
        "Version": project["version"],
        "Summary": project["description"],
        "License-Expression": "MIT",
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    for name, value in expected.items():
        if metadata[name] != value:
            yield f"{name} of the wheel is {metadata[name]!r}, not {value!r}."
    if metadata.get_all("Project-URL") and "urls" not in project:
        yield "The wheel has addresses that pyproject.toml does not."
    if len(metadata.get_payload()) < 1000:
        yield "The wheel has no description."


def problems_of_archive(archive: Path, version: str) -> Iterator[str]:
    """Yield what is wrong with an archive of sources."""
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    missing = {name for name in tracked.stdout.split("\0") if name} - names
    if missing:
        yield f"The archive of sources lacks {sorted(missing)[:5]}."
    listed = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for name in names:
        if Path(name).suffix in TABLES and f"`{Path(name).name}`" not in listed:
            yield f"docs/install.md does not say under which licence {name} is."
    strangers = {
        name for name in names if re.search(r"(^|/)(__pycache__|\.venv|node_modules)/", name)
    }
    if strangers:
        yield f"The archive of sources has {sorted(strangers)[:5]}, which nobody needs."


def main() -> None:
    """Print what is wrong, and end with 1 if anything is."""
    if len(sys.argv) != 2:
        sys.exit("Give the folder that python -m build has written, such as dist.")
    if wrong := list(problems(Path(sys.argv[1]))):
        sys.exit("\n".join(wrong))
    print("The wheel and the archive of sources are as they should be.")


if __name__ == "__main__":
    main()
