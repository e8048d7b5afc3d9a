"""Libraries of small extras, which the extra ``test`` has not: to install them takes as long as a thousand tests."""

EXTRAS = {"pandas": "data", "polars": "data", "tensorboard": "tensorboard"}
"""The extra that each of them comes with; ``.ci/run`` installs all for tests that are marked ``needs``."""
