"""Print the lowest version of every dependency that pyproject.toml allows, as constraints for pip.

.ci/run installs them with `pip install -c` and runs a selection of the tests: what pyproject.toml promises must hold.
"""

import re
import tomllib
from pathlib import Path

EXTRAS = ("data", "interactive")
project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
extras = [requirement for extra in EXTRAS for requirement in project["optional-dependencies"][extra]]
for requirement in (*project["dependencies"], *extras):
    if found := re.match(r"([\w.-]+)>=([\w.]+)$", requirement):
        print(f"{found[1]}=={found[2]}")
