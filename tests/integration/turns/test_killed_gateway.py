"""Gateways over one Elasticsearch are killed in the middle of turns, which go on at the other one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite, running_suite
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.system.door import SAMPLES, parley
from tests.system.killable_gateways import KillableGateway, ask, assert_unharmed, killable_gateways
from tests.system.test_killed_gateway import request


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with running_suite(tmp_path_factory.mktemp("killed") / "data") as running:
        done = parley(running.port, "ingest", str(SAMPLES / "corpus"))
        assert done.returncode == 0, done.stdout + done.stderr
        yield running


@pytest.fixture
def gateways(
    suite: RunningSuite, elasticsearch: ElasticsearchProcess, tmp_path: Path
) -> Iterator[list[KillableGateway]]:
    settings = {
        "PARLEY_GATEWAY_ELASTICSEARCH_URL": elasticsearch.url,
        "PARLEY_ELASTICSEARCH_PREFIX": "killed",
        "PARLEY_ELASTICSEARCH_SECONDS": "20",
    }
    with killable_gateways(suite, tmp_path, settings) as opened:
        yield opened


@pytest.mark.timeout(1800)
def test_at_each_event_turns_go_on(gateways: list[KillableGateway]) -> None:
    whole = ask(gateways[0], request("s-whole"))
    assert_unharmed(gateways, request, range(1, len(whole)), whole)
