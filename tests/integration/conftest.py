"""Real servers for all tests beside and below this file. One that does not start fails them: none skips."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.elasticsearch.process import ElasticsearchProcess


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever stands here asks a server."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.integration)


@pytest.fixture(scope="session")
def elasticsearch() -> Iterator[ElasticsearchProcess]:
    """A node that all tests share; one that stops it starts it again."""
    process = ElasticsearchProcess()
    try:
        process.start()
        yield process
    finally:
        process.close()
