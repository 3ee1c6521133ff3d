"""A suite with a cache of answers: a hit is the same answer, and an ingest or other principals mean a new one."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from bench.suite import running_suite
from parley.gateway.v1 import event_pb2, gateway_pb2, session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, one

pytestmark = pytest.mark.xdist_group("answer cache")

QUESTION = "When was the lighthouse of Harrow Point lit?"
LIT = "The lighthouse of Harrow Point was lit on 3 May 1871. Its tower stands 42 metres high."
RELIT = "The lighthouse of Harrow Point was lit on 4 June 1872. Its tower stands 42 metres high."
ANSWER_KINDS = ("plan", "references", "text", "citation", "image", "timeline", "text_end", "recommendation")


@pytest.fixture(
    scope="module",
    params=[1, pytest.param(6, marks=pytest.mark.slow)],
    ids=["one process", "six processes"],
)
def cached_door(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    data = tmp_path_factory.mktemp("cached") / "data"
    settings = {"PARLEY_GATEWAY_ANSWER_CACHE_BYTES": "1000000"}
    with running_suite(data, settings, processes=request.param) as suite, Door.of(suite) as door:
        yield door


def put(door: Door, text: str) -> None:
    document = corpus_pb2.Document(document_id="harrow", text=text, title="Harrow Point")
    door.corpus.PutDocument(corpus_pb2.PutDocumentRequest(document=document))


def answer(events: list[event_pb2.Event]) -> list[Any]:
    kinds = [event.WhichOneof("event") for event in events]
    return [getattr(event, kind) for event, kind in zip(events, kinds, strict=True) if kind in ANSWER_KINDS]


def is_hit(events: list[event_pb2.Event]) -> bool:
    return "cached answer" in [task.task for task in one(events, "usage").usage.tasks]


def ask(door: Door, session: str = "", principal: str = "", **options: Any) -> list[event_pb2.Event]:
    request = gateway_pb2.AskRequest(question=QUESTION, session_id=session)
    request.options.MergeFrom(gateway_pb2.RequestOptions(**options))
    principals = (("x-parley-principal", principal),) if principal else ()
    return [response.event for response in door.gateway.Ask(request, timeout=30, metadata=principals)]


def test_an_answer_is_given_again_until_something_changes(cached_door: Door) -> None:
    put(cached_door, LIT)
    first, second = ask(cached_door), ask(cached_door)
    assert (is_hit(first), is_hit(second)) == (False, True)
    assert answer(second) == answer(first)
    assert "1871" in one(second, "text_end").text_end.text
    assert first[0].turn_id != second[0].turn_id
    assert not is_hit(ask(cached_door, no_cache=True))
    assert not is_hit(ask(cached_door, principal="ann"))

    put(cached_door, RELIT)
    third = ask(cached_door)
    assert not is_hit(third)
    assert "1872" in one(third, "text_end").text_end.text


def test_a_deleted_session_takes_its_answer_with_it(cached_door: Door) -> None:
    put(cached_door, LIT)
    ask(cached_door, session="s", principal="bob")
    assert is_hit(ask(cached_door, principal="bob"))
    with grpc.insecure_channel(f"127.0.0.1:{cached_door.port}") as channel:
        sessions = session_pb2_grpc.SessionServiceStub(channel)
        request = session_pb2.DeleteSessionRequest(session_id="s")
        sessions.DeleteSession(request, metadata=(("x-parley-principal", "bob"),))
    assert not is_hit(ask(cached_door, principal="bob"))
