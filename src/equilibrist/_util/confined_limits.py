"""Limits of a confined process, in a file without imports: the process that has them is to start at once."""

MEMORY = 4 << 30
"""Bytes that such a process, and those that it starts, may take."""

MOST_SENT = 1 << 26
"""Bytes of a message."""

MOST_PRINTED = 1 << 20
"""Bytes that are passed on of what it prints."""
