"""The previous release, unpacked once for all tests of upgrades."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.upgrade.releases import previous_release


@pytest.fixture(scope="session")
def previous() -> Iterator[Path]:
    """Its files."""
    with previous_release() as tree:
        yield tree
