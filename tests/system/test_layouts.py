"""A suite in fewer processes answers as one of six does, and opens no more doors."""

from collections.abc import Iterator

import psutil
import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import NOTES, Door, one, parley

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("layouts")]

QUESTION = "When did Apollo 11 land on the Moon, and who was aboard?"


@pytest.fixture(scope="module", params=[3, 2, 1], ids=["three processes", "two processes", "one process"])
def fewer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    data = tmp_path_factory.mktemp("fewer") / "data"
    with running_suite(data, {"PARLEY_ANSWER_PICTURES_SECONDS": "30"}, request.param) as suite:
        process = parley(suite.port, "ingest", str(NOTES))
        assert process.returncode == 0, process.stdout + process.stderr
        assert len(psutil.Process(suite.supervisor.pid).children()) == request.param
        yield suite


@pytest.fixture
def narrow(fewer: RunningSuite) -> Iterator[Door]:
    with Door.of(fewer) as new_door:
        yield new_door


def test_a_turn_tells_what_a_suite_of_six_processes_tells(narrow: Door, door: Door) -> None:
    events, expected = (each.ask(QUESTION, pro=True) for each in (narrow, door))
    assert {event.WhichOneof("event") for event in events} == {event.WhichOneof("event") for event in expected}
    assert one(events, "text_end").text_end == one(expected, "text_end").text_end
    assert one(events, "timeline").timeline == one(expected, "timeline").timeline


def test_all_its_stages_are_told_as_serving(narrow: Door) -> None:
    info = narrow.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=10)
    assert len(info.stages) == 6
    assert all(stage.serving for stage in info.stages)


def test_principals_inside_a_request_still_count_for_nothing(narrow: Door) -> None:
    request_with_principals = corpus_pb2.ListDocumentsRequest(principals=["mission-control"])
    plain_request = corpus_pb2.ListDocumentsRequest()
    response = narrow.corpus.ListDocuments(
        plain_request, metadata=(("x-parley-principal", "mission-control"),), timeout=10
    )
    assert narrow.corpus.ListDocuments(request_with_principals, timeout=10) == narrow.corpus.ListDocuments(
        plain_request, timeout=10
    )
    assert len(response.documents) > len(narrow.corpus.ListDocuments(plain_request, timeout=10).documents)
