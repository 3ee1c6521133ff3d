"""A suite with the samples, for what needs packages of frameworks: `make retrievers` installs them."""

from collections.abc import Iterator

import pytest

from bench.suite import RunningSuite, running_suite
from tests.system.door import NOTES, ingest


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with running_suite(tmp_path_factory.mktemp("suite") / "data", processes=1) as running:
        ingest(running.port, str(NOTES))
        yield running
