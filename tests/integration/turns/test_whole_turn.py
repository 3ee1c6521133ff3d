"""Whole turns over the samples with Elasticsearch and Milvus behind the suite, beside a suite that has neither."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess
from tests.system.door import SAMPLES, Door, last, one, parley
from tests.system.killable_gateways import killable_gateways

TURNS = [
    (file.stem, json.loads(line))
    for file in sorted((SAMPLES / "conversations").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(scope="module")
def servers(elasticsearch: ElasticsearchProcess, milvus: MilvusProcess) -> dict[str, str]:
    """The settings of a suite that uses both; patient, because this machine may be busy."""
    return {
        "PARLEY_RETRIEVE_ELASTICSEARCH_URL": elasticsearch.url,
        "PARLEY_RETRIEVE_MILVUS_URI": milvus.uri,
        "PARLEY_RETRIEVE_MILVUS_SECONDS": "20",
        "PARLEY_GATEWAY_ELASTICSEARCH_URL": elasticsearch.url,
        "PARLEY_ELASTICSEARCH_PREFIX": "turns",
        "PARLEY_ELASTICSEARCH_SECONDS": "20",
        "PARLEY_GATEWAY_STAGE_SECONDS": "60",
    }


@pytest.fixture(scope="module")
def suite(servers: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with running_suite(tmp_path_factory.mktemp("servers") / "data", servers) as running:
        process = parley(running.port, "ingest", str(SAMPLES / "corpus"))
        assert process.returncode == 0, process.stdout + process.stderr
        yield running


@pytest.fixture(scope="module")
def door(suite: RunningSuite) -> Iterator[Door]:
    with Door.of(suite) as new_door:
        yield new_door


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with running_suite(tmp_path_factory.mktemp("embedded") / "data") as running:
        process = parley(running.port, "ingest", str(SAMPLES / "corpus"))
        assert process.returncode == 0, process.stdout + process.stderr
        with Door.of(running) as new_door:
            yield new_door


def ask(door: Door, turn: dict[str, object], session: str) -> list[event_pb2.Event]:
    request = gateway_pb2.AskRequest(question=str(turn["question"]), session_id=session)
    request.options.pro = bool(turn.get("pro", False))
    if "now" in turn:
        request.options.now.FromDatetime(datetime.fromisoformat(str(turn["now"])))
    return [response.event for response in door.gateway.Ask(request, timeout=110)]


def told(events: list[event_pb2.Event]) -> tuple[str, list[tuple[int, list[str]]], list[str]]:
    """How a turn ended, the passages that each sentence cites, and what was left out."""
    outcome = session_pb2.Outcome.Name(one(events, "completed").completed.outcome)
    citations = [event.citation for event in events if event.WhichOneof("event") == "citation"]
    left_out = [event.degraded.reason for event in events if event.WhichOneof("event") == "degraded"]
    return (
        outcome,
        [(each.sentence, sorted(span.passage_id for span in each.references)) for each in citations],
        left_out,
    )


@pytest.mark.parametrize(("conversation", "turn"), TURNS, ids=[str(turn["question"]) for _, turn in TURNS])
def test_a_turn_cites_what_it_cites_with_the_embedded_engines(
    door: Door, embedded: Door, conversation: str, turn: dict[str, object]
) -> None:
    assert told(ask(door, turn, conversation)) == told(ask(embedded, turn, conversation))


def test_both_servers_search(door: Door) -> None:
    events = ask(door, {"question": "When did Phoenix land on Mars?"}, "both")
    (best, *_) = last(events, "references").references.references
    assert best.evidence.scores.lexical > 0
    assert best.evidence.scores.vector > 0
    engines = {
        (capability.task, capability.engine)
        for process in door.gateway.GetServerInfo(gateway_pb2.GetServerInfoRequest()).stages
        for capability in process.info.capabilities
    }
    assert {
        ("search by words", "elasticsearch"),
        ("search by meaning", "milvus"),
        ("sessions", "elasticsearch"),
    } <= engines


def test_one_gateway_takes_the_question_and_another_one_answers_it(
    door: Door, suite: RunningSuite, servers: dict[str, str], tmp_path: Path
) -> None:
    with killable_gateways(suite, tmp_path, servers, count=1) as (another,), Door.of(another) as other:
        question = gateway_pb2.SupplyQuestionRequest(question="When did Phoenix land on Mars?", session_id="two-doors")
        supplied_question = door.gateway.SupplyQuestion(question, timeout=110)
        request = gateway_pb2.AnswerRequest(question_id=supplied_question.question_id)
        events = [response.event for response in other.gateway.Answer(request, timeout=110)]
        assert "25 May 2008" in one(events, "text_end").text_end.text
        follow_up = ask(door, {"question": "Did it find water ice?"}, "two-doors")
        assert "Phoenix" in one(follow_up, "condensed").condensed.standalone
        late = gateway_pb2.SupplyQuestionRequest(question="And its last signal?", session_id="two-doors")
        waiting = other.gateway.SupplyQuestion(late, timeout=110)
        ask(door, {"question": "When did MAVEN enter orbit round Mars?"}, "two-doors")
        with pytest.raises(grpc.RpcError) as error:
            list(other.gateway.Answer(gateway_pb2.AnswerRequest(question_id=waiting.question_id), timeout=110))
        assert error.value.code() == grpc.StatusCode.ABORTED
