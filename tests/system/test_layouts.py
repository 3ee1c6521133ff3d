"""A suite in fewer processes answers as one of six does, and opens no more doors."""

import urllib.request
from collections.abc import Iterator

import psutil
import pytest

from bench.suite import RunningSuite, free_ports, running_suite
from cli.suite.processes import STAGES
from parley.gateway.v1 import gateway_pb2
from tests.system.door import NOTES, Door, ingest, one

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("layouts")]

QUESTION = "When did Apollo 11 land on the Moon, and who was aboard?"
METRICS_PORT = free_ports(len(STAGES))


@pytest.fixture(scope="module", params=[3, 2, 1], ids=["three processes", "two processes", "one process"])
def fewer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    data = tmp_path_factory.mktemp("fewer") / "data"
    environment = {"PARLEY_ANSWER_PICTURES_SECONDS": "30", "PARLEY_SERVER_PROMETHEUS_PORT": f"{METRICS_PORT}"}
    with running_suite(data, environment, request.param) as suite:
        ingest(suite.port, str(NOTES))
        assert len(psutil.Process(suite.supervisor.pid).children()) == request.param
        yield suite


@pytest.fixture
def narrow(fewer: RunningSuite) -> Iterator[Door]:
    with Door.of(fewer) as new_door:
        yield new_door


def test_a_turn_is_the_same_as_in_a_suite_of_six_processes(narrow: Door, door: Door) -> None:
    events, expected = (each.ask(QUESTION, pro=True) for each in (narrow, door))
    assert {event.WhichOneof("event") for event in events} == {event.WhichOneof("event") for event in expected}
    assert one(events, "text_end").text_end == one(expected, "text_end").text_end
    assert one(events, "timeline").timeline == one(expected, "timeline").timeline


def test_all_its_stages_are_reported_as_serving(narrow: Door) -> None:
    info = narrow.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=10)
    assert len(info.stages) == 6
    assert all(stage.serving for stage in info.stages)


def test_each_process_is_scraped_at_a_port_as_far_from_the_first_as_its_own(fewer: RunningSuite) -> None:
    processes = psutil.Process(fewer.supervisor.pid).children()
    ports = [int(line[line.index("--port") + 1]) for line in (process.cmdline() for process in processes)]
    for port in ports:
        with urllib.request.urlopen(f"http://127.0.0.1:{METRICS_PORT + port - fewer.port}/metrics", timeout=5) as page:
            assert b"target_info" in page.read()
