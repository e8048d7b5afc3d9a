"""Reports over boards, opened from a file."""

from support.browser import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]
