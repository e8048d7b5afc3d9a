"""The locks of Windows, imitated where there is ``flock``."""

import errno
import types


def imitate_msvcrt():
    """Return a module that locks as ``msvcrt`` does: one handle of a file at a time, until it is closed."""
    import fcntl

    module = types.ModuleType("msvcrt")

    def locking(handle, mode, count):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(errno.EACCES, "Permission denied") from error

    module.LK_NBLCK = 2
    module.locking = locking
    return module
