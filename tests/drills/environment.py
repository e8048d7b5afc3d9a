"""Install what is published where nothing else is, and run the README's command in surroundings that lack something.

    python tests/drills/environment.py                        all that this machine can do
    python tests/drills/environment.py --only install memory  parts of it

It builds the wheel and the archive of sources, and looks at what is in them. Parts: ``install`` installs each into a
fresh environment without a compiler, for every Python of 3.11 and later that is here, and writes the bill of materials
of the wheel; ``recipe`` runs the script of the conda recipe where there is no index of packages; ``read-only`` runs
where neither the installation nor the cache may be written to; ``memory`` runs below a limit of memory, by cgroup or
by ``ulimit -v``; ``uninstall`` removes the package and looks what is left. At the end it
names what was done, what failed, and what this machine cannot do.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("install", "recipe", "read-only", "memory", "uninstall")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LIMIT = 1e-6
LARGE = "leduc(ranks=400)"
"""A game that no gigabyte holds."""
NOBODY = 65534
SECONDS = 900  # of a step: compiling on a busy machine
VALIDATING = ("cyclonedx-python-lib[json-validation]",)
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
with open(sys.argv[1], encoding="utf-8") as file:
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(file.read())
sys.exit(str(error) if error else 0)
"""
"""What compares a bill of materials with the schema of CycloneDX."""


class Drill:
    """What was done, what failed, and what could not be done, in words."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.done: list[str] = []
        self.failed: list[str] = []
        self.impossible: list[str] = []

    def step(self, name: str, action: Callable[[], str | None]) -> bool:
        """Do something, and note how it went; what it returns is why this machine cannot."""
        print(f"-- {name}", flush=True)
        began = time.monotonic()
        try:
            lacking = action()
        except (AssertionError, subprocess.SubprocessError, OSError) as error:
            output = getattr(error, "stderr", "") or getattr(error, "stdout", "") or ""
            self.failed.append(f"{name}: {error} {output[-2000:]}")
            return False
        if lacking:
            self.impossible.append(f"{name}: {lacking}")
            return False
        self.done.append(f"{name} ({time.monotonic() - began:.0f} s)")
        return True

    def report(self) -> int:
        for heading, lines in (
            ("Done", self.done),
            ("Could not be done here", self.impossible),
            ("Failed", self.failed),
        ):
            print(f"{heading}: {len(lines)}")
            print(*(f"  {line}" for line in lines), sep="\n")
        return 1 if self.failed else 0


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed."""
    plain = [str(part) for part in command]
    return subprocess.run(
        plain, capture_output=True, text=True, check=True, timeout=SECONDS, **options
    )  # type: ignore[call-overload,no-any-return]


def pythons() -> dict[str, str]:
    """Return an interpreter of each version that is here."""
    found = {}
    for version in PYTHONS:
        places = [
            shutil.which(f"python{version}"),
            *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python")),
        ]
        for place in filter(None, places):
            with_version = subprocess.run(
                [place, "--version"], capture_output=True, text=True, check=False
            )
            if with_version.stdout.startswith(f"Python {version}."):
                found[version] = place
                break
    return found


def bare(environment: Path, **more: str) -> dict[str, str]:
    """Return an environment in which there is no compiler, and nothing of this repository."""
    kept = {
        name: os.environ[name]
        for name in ("LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE", "SSL_CERT_FILE")
        if name in os.environ
    }
    home = environment / "home"
    home.mkdir(exist_ok=True)
    return {
        **kept,
        "HOME": str(home),
        "PATH": f"{environment / 'bin'}",
        "CC": "false",
        "CXX": "false",
        **more,
    }


def build(folder: Path) -> tuple[Path, Path]:
    """Return the wheel and the archive of sources, built as for a release, from what git knows."""
    run(sys.executable, "-m", "venv", folder / "builder")
    python = folder / "builder" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "build", "hatchling", "pyyaml", *VALIDATING)
    run(python, "-m", "build", "--outdir", folder / "dist", cwd=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    (archive,) = (folder / "dist").glob("*.tar.gz")
    return wheel, archive


def contents(folder: Path) -> str | None:
    """Nothing is missing in what was built, and nothing is there that should not be."""
    run(sys.executable, ROOT / ".ci" / "published.py", folder / "dist")
    return None


def materials(folder: Path, wheel: Path, environment: Path) -> str | None:
    """The bill of materials of the wheel names all that was installed with it, and keeps to the schema of CycloneDX."""
    written = run(
        environment / "bin" / "python", ROOT / ".ci" / "sbom.py", wheel, env=bare(environment)
    ).stdout
    bill = folder / "bill.cdx.json"
    bill.write_text(written, encoding="utf-8")
    listing = [environment / "bin" / "python", "-m", "pip", "list", "--format", "json"]
    listed = json.loads(run(*listing, env=bare(environment)).stdout)
    installed = {re.sub(r"[-_.]+", "-", row["name"]).lower() for row in listed}
    named = {row["name"] for row in json.loads(written)["components"]} | {"equilibrist"}
    assert named == installed - {"pip", "setuptools"}, named ^ installed
    run(folder / "builder" / "bin" / "python", "-c", VALIDATE, bill)
    return None


def recipe(folder: Path, archive: Path) -> str | None:
    """The script of the conda recipe makes a package of the archive where no index of packages can be asked."""
    python = folder / "builder" / "bin" / "python"
    read = "import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))['build']['script'])"
    script = run(python, "-c", read, ROOT / "recipe" / "recipe.yaml").stdout.strip()
    assert script.startswith("${{ PYTHON }} -m pip install . "), script
    unpacked = folder / "unpacked"
    shutil.unpack_archive(archive, unpacked)  # our own archive; `filter=` needs Python 3.11.4
    (sources,) = unpacked.iterdir()
    words = script.replace("${{ PYTHON }}", str(python)).split()
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_INDEX_URL": "http://127.0.0.1:9/"}
    run(*words, "--target", folder / "packaged", cwd=sources, env=offline)
    assert (folder / "packaged" / "equilibrist" / "py.typed").is_file()
    return None


def install(package: Path, python: str, environment: Path) -> None:
    """Install a file into a fresh environment; what it needs comes as wheels, or not at all."""
    run(python, "-m", "venv", environment)
    pip = [
        environment / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-cache-dir",
        "--prefer-binary",
    ]
    binary = (
        "--only-binary=:all:"
        if package.suffix == ".whl"
        else "--only-binary=numba,numpy,scipy,pyarrow,matplotlib,orjson"
    )
    run(*pip, binary, package, env=bare(environment), cwd=environment)


def solve_leduc(environment: Path, **options: object) -> str | None:
    """Run the README's command; its exploitability must be what it asks for."""
    surroundings = options.pop("env", bare(environment))
    command = [
        environment / "bin" / "equilibrist",
        "solve",
        "leduc",
        "--until",
        str(LIMIT),
        "--json",
    ]
    ran = run(*command, env=surroundings, cwd=options.pop("cwd", environment), **options)
    exploitability = json.loads(ran.stdout)["exploitability"]
    assert 0 <= exploitability <= LIMIT, f"exploitability {exploitability}"
    assert "Traceback" not in ran.stderr
    return None


def without_compiler(environment: Path) -> str | None:
    found = [
        name
        for name in ("gcc", "cc", "clang", "g++")
        if shutil.which(name, path=str(environment / "bin"))
    ]
    assert not found, f"there is a compiler: {found}"
    return solve_leduc(environment)


def read_only(environment: Path) -> str | None:
    """Run where nothing may be written: as another user, or on a mount that is read-only."""
    place = environment / "nowhere"
    surroundings = bare(environment, HOME=str(place), TMPDIR=str(place), XDG_CACHE_HOME=str(place))
    if os.geteuid() != 0:
        run("chmod", "-R", "a-w", environment)
        try:
            return solve_leduc(environment, env=surroundings)
        finally:
            run("chmod", "-R", "u+w", environment)
    mounted = f"mount --bind {environment} {environment} && mount -o remount,bind,ro {environment}"
    tried = subprocess.run(
        ["unshare", "-m", "sh", "-c", mounted], capture_output=True, text=True, check=False
    )
    if tried.returncode == 0:
        solving = f"{environment}/bin/equilibrist solve leduc --until {LIMIT} --json"
        env = {**surroundings, "PATH": f"{surroundings['PATH']}:/usr/bin:/bin:/usr/sbin:/sbin"}
        ran = run("unshare", "-m", "sh", "-c", f"{mounted} && {solving}", env=env, cwd="/")
        assert json.loads(ran.stdout)["exploitability"] <= LIMIT
        return None
    readable = subprocess.run(
        [environment / "bin" / "python", "-c", "pass"],
        user=NOBODY,
        group=NOBODY,
        check=False,
        capture_output=True,
        cwd="/",
    )
    if readable.returncode:
        return "root writes everywhere, nothing can be mounted, and another user cannot run this Python"
    return solve_leduc(environment, env=surroundings, cwd="/", user=NOBODY, group=NOBODY)


def forget_machine_code(environment: Path) -> None:
    """Remove what the package has compiled, so that it must compile again where it cannot keep it."""
    for path in environment.rglob("__pycache__/*"):
        if "equilibrist" in path.parts and path.suffix != ".pyc":
            path.unlink()
    shutil.rmtree(environment / "home", ignore_errors=True)


def limited_memory(environment: Path) -> str | None:
    """Run below a limit: what fits is solved, and what does not is one sentence."""
    gigabytes = 3
    how = f"ulimit -v {gigabytes << 20}"
    solving = f"{environment}/bin/equilibrist solve"
    shell = ["/bin/sh", "-c"]
    ran = run(
        *shell,
        f"{how} && {solving} leduc --until {LIMIT} --json",
        env=bare(environment),
        cwd=environment,
    )
    assert json.loads(ran.stdout)["exploitability"] <= LIMIT
    refused = subprocess.run(
        [*shell, f"{how} && {solving} '{LARGE}' -n 1"],
        env=bare(environment), cwd=environment, capture_output=True, text=True, check=False, timeout=SECONDS,
    )  # fmt: skip
    assert refused.returncode in (1, 2), refused
    assert re.search(r"^Error: .+", refused.stderr, re.MULTILINE), refused.stderr
    assert "Traceback" not in refused.stderr, refused.stderr
    return None


def cgroup(environment: Path) -> str | None:
    """Run in a group of processes that may have 2 GB, where this machine lets one be made."""
    for group in (
        Path("/sys/fs/cgroup/equilibrist-drill"),
        Path("/sys/fs/cgroup/memory/equilibrist-drill"),
    ):
        if not group.parent.is_dir():
            continue
        limit = "memory.limit_in_bytes" if group.parent.name == "memory" else "memory.max"
        try:
            group.mkdir()
            if (group / limit).is_file():  # else it is a folder like any other
                (group / limit).write_text(str(2 << 30))
        except OSError:
            continue
        if not (group / limit).is_file() or not (group / "cgroup.procs").is_file():
            group.rmdir()
            continue
        try:
            joined = f"echo $$ > {group}/cgroup.procs && {environment}/bin/equilibrist solve"
            ran = run(
                "/bin/sh",
                "-c",
                f"{joined} leduc --until {LIMIT} --json",
                env=bare(environment),
                cwd=environment,
            )
            assert json.loads(ran.stdout)["exploitability"] <= LIMIT
        finally:
            group.rmdir()
        return None
    return "no group of processes with a limit of memory can be made here"


def uninstall(environment: Path) -> str | None:
    """Nothing of the package is left where it was installed, but for machine code that it has made itself."""
    run(
        environment / "bin" / "python",
        "-m",
        "pip",
        "uninstall",
        "--quiet",
        "--yes",
        "equilibrist",
        env=bare(environment),
    )
    found = [path for path in environment.rglob("*") if path.is_file() and "home" not in path.parts]
    kept = [path for path in found if "equilibrist" in str(path.relative_to(environment))]
    others = [path for path in kept if "__pycache__" not in path.parts]
    assert not others, f"left: {others[:5]}"
    print(f"   {len(kept)} files of machine code are left beside the modules that they belong to")
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="only these parts")
    parser.add_argument("--pythons", nargs="+", choices=PYTHONS, help="only these versions")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        drill = Drill(place)
        built: list[Path] = []
        here = pythons()
        drill.impossible += [
            f"Python {version}: it is not here" for version in PYTHONS if version not in here
        ]
        chosen = [version for version in asked.pythons or here if version in here] or list(here)[:1]
        drill.step("build the wheel and the archive of sources", lambda: built.extend(build(place)))
        if built:
            wheel, archive = built
            drill.step("look at what was built", lambda: contents(place))
            first = place / f"wheel-{chosen[0]}"
            for version in chosen:
                environment = place / f"wheel-{version}"
                installed = drill.step(
                    f"install the wheel for Python {version}",
                    lambda version=version, environment=environment: install(
                        wheel, here[version], environment
                    ),  # type: ignore[misc]
                )
                if installed and "install" in asked.only:
                    drill.step(
                        f"solve without a compiler, Python {version}",
                        lambda environment=environment: without_compiler(environment),  # type: ignore[misc]
                    )
                    if environment == first:
                        drill.step(
                            "write the bill of materials", lambda: materials(place, wheel, first)
                        )
            if "install" in asked.only:
                environment = place / "sources"
                if drill.step(
                    "install the archive of sources",
                    lambda: install(archive, here[chosen[0]], environment),
                ):
                    drill.step(
                        "solve, from the archive of sources", lambda: solve_leduc(environment)
                    )
            if "recipe" in asked.only:
                drill.step("run the script of the conda recipe", lambda: recipe(place, archive))
            if "read-only" in asked.only:
                drill.step("solve where nothing may be written", lambda: read_only(first))
                forget_machine_code(first)
                drill.step(
                    "solve where nothing may be written or is kept", lambda: read_only(first)
                )
            if "memory" in asked.only:
                drill.step("solve and refuse below ulimit -v", lambda: limited_memory(first))
                drill.step("solve in a cgroup of 2 GB", lambda: cgroup(first))
            if "uninstall" in asked.only:
                drill.step("uninstall", lambda: uninstall(first))
        sys.exit(drill.report())


if __name__ == "__main__":
    main()
