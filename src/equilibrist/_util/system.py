"""Which system this is, where that makes a difference: asked here and nowhere else, so that tests can answer."""

from __future__ import annotations

import os

IS_WINDOWS = os.name == "nt"
