"""Write what a wheel brings into an environment, as CycloneDX JSON: the wheel and all that it needs.

    python .ci/sbom.py dist/equilibrist-1.0.0-py3-none-any.whl > equilibrist-1.0.0.cdx.json

Run it with the Python of an environment in which that wheel is installed. Versions and licences are
those that the environment tells; the same wheel in the same environment gives the same text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import uuid
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

NAME = "equilibrist"
_SPACE = uuid.UUID("6f1d0b0e-54f3-4b2c-9d2e-0f8f3c1f8a11")  # of the serial numbers, any
_REQUIREMENT = re.compile(r"^([A-Za-z0-9][\w.-]*)[^;]*(?:;(.*))?$")


def normalise(name: str) -> str:
    """Return the name of a distribution as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(found: Distribution) -> list[str]:
    """Return the names of what a distribution needs here, those of extras left aside."""
    names = []
    for requirement in found.requires or ():
        match = _REQUIREMENT.match(requirement)
        if match is None or "extra ==" in (match[2] or ""):
            continue
        try:
            names.append(normalise(distribution(match[1]).metadata["Name"]))
        except PackageNotFoundError:  # of another system or Python
            continue
    return sorted(set(names))


def closure(name: str) -> dict[str, Distribution]:
    """Return a distribution and all that it needs, by name."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = distribution(name)
            waiting += needed(found[name])
    return dict(sorted(found.items()))


def licences(found: Distribution) -> list[dict[str, Any]]:
    """Return the licence of a distribution, as an expression of SPDX where it has one."""
    expression = found.metadata.get("License-Expression")
    if expression:
        return [{"expression": expression}]
    prefix = "License :: "
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in found.metadata.get_all("Classifier", [])
        if text.startswith(prefix) and text != "License :: OSI Approved"
    ]
    if classifiers:
        return [{"license": {"name": name}} for name in sorted(set(classifiers))]
    text = (found.metadata.get("License") or "").strip()
    return [{"license": {"name": text.splitlines()[0]}}] if text else []


def component(name: str, found: Distribution) -> dict[str, Any]:
    """Return what is said of a distribution."""
    address = f"pkg:pypi/{name}@{found.version}"
    row: dict[str, Any] = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": found.version,
        "purl": address,
    }
    if known := licences(found):
        row["licenses"] = known
    return row


def write(wheel: Path) -> dict[str, Any]:
    """Return the bill of materials of a wheel that is installed here."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    found = closure(NAME)
    if f"-{found[NAME].version}-" not in wheel.name:
        sys.exit(f"{wheel.name} is not installed here, but {NAME} {found[NAME].version}.")
    rows = {name: component(name, one) for name, one in found.items()}
    itself = rows.pop(NAME)
    itself["type"] = "application"
    itself["hashes"] = [{"alg": "SHA-256", "content": digest}]
    references = {name: row["bom-ref"] for name, row in {NAME: itself, **rows}.items()}
    graph = [
        {"ref": references[name], "dependsOn": [references[other] for other in needed(one)]}
        for name, one in found.items()
    ]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_SPACE, digest + str(sorted(references.values())))}",
        "version": 1,
        "metadata": {
            "component": itself,
            "properties": [{"name": "python", "value": sys.version.split()[0]}],
        },
        "components": list(rows.values()),
        "dependencies": graph,
    }


def main() -> None:
    """Print the bill of materials of the wheel that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    print(json.dumps(write(parser.parse_args().wheel), indent=1, ensure_ascii=True))


if __name__ == "__main__":
    main()
