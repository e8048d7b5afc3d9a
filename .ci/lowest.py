"""Print the lowest version of every dependency that pyproject.toml allows, as constraints for pip.

.ci/run installs them with `pip install -c` and runs a selection of the tests: what pyproject.toml promises must hold.
"""

import re
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
for requirement in (*project["dependencies"], *project["optional-dependencies"]["data"]):
    if found := re.match(r"([\w.-]+)>=([\w.]+)(?:,<[\w.]+)?$", requirement):
        print(f"{found[1]}=={found[2]}")
