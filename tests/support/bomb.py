"""A pickle that must never be opened."""

import os


class Bomb:
    """What runs when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("exploded",)
