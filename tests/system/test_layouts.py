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
        done = parley(suite.port, "ingest", str(NOTES))
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(psutil.Process(suite.supervisor.pid).children()) == request.param
        yield suite


@pytest.fixture
def narrow(fewer: RunningSuite) -> Iterator[Door]:
    with Door.of(fewer) as opened:
        yield opened


def test_a_turn_tells_what_a_suite_of_six_processes_tells(narrow: Door, door: Door) -> None:
    told, wanted = (each.ask(QUESTION, pro=True) for each in (narrow, door))
    assert {event.WhichOneof("event") for event in told} == {event.WhichOneof("event") for event in wanted}
    assert one(told, "text_end").text_end == one(wanted, "text_end").text_end
    assert one(told, "timeline").timeline == one(wanted, "timeline").timeline


def test_all_its_stages_are_told_as_serving(narrow: Door) -> None:
    info = narrow.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=10)
    assert len(info.stages) == 6
    assert all(stage.serving for stage in info.stages)


def test_principals_inside_a_request_still_count_for_nothing(narrow: Door) -> None:
    claimed = corpus_pb2.ListDocumentsRequest(principals=["mission-control"])
    wanted = corpus_pb2.ListDocumentsRequest()
    restricted = narrow.corpus.ListDocuments(wanted, metadata=(("x-parley-principal", "mission-control"),), timeout=10)
    assert narrow.corpus.ListDocuments(claimed, timeout=10) == narrow.corpus.ListDocuments(wanted, timeout=10)
    assert len(restricted.documents) > len(narrow.corpus.ListDocuments(wanted, timeout=10).documents)
