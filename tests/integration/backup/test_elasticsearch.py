"""The guide's way to copy the conversations in Elasticsearch while turns go on, and to go back to the copy."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import event_pb2, gateway_pb2, session_pb2, session_pb2_grpc
from tests.integration.backup.operator import Operator
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.system.docs_pages import block_beginning
from tests.system.door import NOTES, Door, last, one, parley
from tests.system.waiting import wait_for

PAGE_FOLDER: Final = "/mnt/backups"
COPY: Final = 'curl --fail-with-body --request PUT "$PARLEY_GATEWAY_ELASTICSEARCH_URL/_snapshot/backups"'
GO_BACK: Final = "curl --fail-with-body --request DELETE"
QUESTIONS: Final = (
    "When did Phoenix land on Mars?",
    "Did it find water ice?",
    "When did MAVEN enter orbit round Mars?",
)
QUIET: Final = ("quiet-0", "quiet-1")
BUSY: Final = "busy"
Turns = list[session_pb2.GetTurnResponse]
"""The turns of a session in their order, with answers and the texts of their references."""


@dataclass
class Conversations:
    """What SessionService tells of all sessions, and the logged events of a turn."""

    sessions: dict[str, session_pb2.Session] = field(default_factory=dict)
    turns: dict[str, Turns] = field(default_factory=dict)
    events: list[event_pb2.Event] = field(default_factory=list)


@dataclass(frozen=True)
class Restored:
    """The conversations when they were copied, when the suite was stopped, and from the copy."""

    copied: Conversations
    """The busy session was at work."""
    stopped: Conversations
    restored: Conversations
    suite: RunningSuite
    """Runs over the restored indices."""
    turn_id: str
    """The turn whose events are read."""


@pytest.fixture(scope="module")
def settings(elasticsearch: ElasticsearchProcess) -> dict[str, str]:
    """The settings of a suite over the server, with the guide's names of indices; patient on a busy machine."""
    names = ("PARLEY_GATEWAY_ELASTICSEARCH", "PARLEY_RETRIEVE_ELASTICSEARCH")
    return {f"{name}_URL": elasticsearch.url for name in names} | {f"{name}_SECONDS": "20" for name in names}


@pytest.fixture(scope="module")
def going_back(
    elasticsearch: ElasticsearchProcess, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Restored]:
    folder = tmp_path_factory.mktemp("conversations")
    operator = Operator(folder, settings)
    with running_suite(folder / "data", settings, processes=1) as suite, Door.of(suite) as door:
        assert parley(suite.port, "ingest", str(NOTES)).returncode == 0
        turn_id = [ask(door, question, session) for session in QUIET for question in QUESTIONS][-1]
        with asking(door):
            copied = conversations(suite, turn_id)
            operator.run(block_beginning(COPY).replace(PAGE_FOLDER, str(elasticsearch.snapshots)))
        ask(door, QUESTIONS[0], "later")
        stopped = conversations(suite, turn_id)
    operator.run(block_beginning(GO_BACK))
    with running_suite(folder / "data", settings, processes=1) as suite:
        yield Restored(copied, stopped, conversations(suite, turn_id), suite, turn_id)


@contextmanager
def asking(door: Door) -> Iterator[None]:
    """Hold the busy conversation while the block runs, and for one turn before and after it."""
    turns: list[str] = []
    over = threading.Event()

    def keep_asking() -> None:
        while not over.is_set():
            turns.append(ask(door, QUESTIONS[len(turns) % len(QUESTIONS)], BUSY))

    thread = threading.Thread(target=keep_asking)
    thread.start()
    try:
        wait_for(lambda: bool(turns))
        yield
        count = len(turns)
        wait_for(lambda: len(turns) > count + 1)
    finally:
        over.set()
        thread.join()


def ask(door: Door, question: str, session: str) -> str:
    """Ask, and return the id of the answered turn."""
    return one(door.ask(question, session, resumable=True), "completed").turn_id


def conversations(suite: RunningSuite, turn_id: str) -> Conversations:
    """What can be read of the conversations, and the events of a turn."""
    told = Conversations()
    with grpc.insecure_channel(suite.address) as channel:
        stub = session_pb2_grpc.SessionServiceStub(channel)
        for session in stub.ListSessions(session_pb2.ListSessionsRequest(), timeout=60).sessions:
            request = session_pb2.ListTurnsRequest(session_id=session.session_id, page_size=100)
            summaries = sorted(stub.ListTurns(request, timeout=60).turns, key=lambda summary: summary.position)
            told.sessions[session.session_id] = session
            told.turns[session.session_id] = [
                stub.GetTurn(session_pb2.GetTurnRequest(turn_id=summary.turn_id), timeout=60) for summary in summaries
            ]
    with Door.of(suite) as door:
        resuming = gateway_pb2.ResumeRequest(turn_id=turn_id)
        told.events = [response.event for response in door.gateway.Resume(resuming, timeout=60)]
    return told


def test_sessions_and_their_turns_are_as_they_were_when_they_were_copied(going_back: Restored) -> None:
    copied, restored = going_back.copied, going_back.restored
    assert set(restored.sessions) == {*QUIET, BUSY} == set(going_back.stopped.sessions) - {"later"}
    for name in QUIET:
        assert len(restored.turns[name]) == len(QUESTIONS)
        assert restored.sessions[name] == copied.sessions[name]
        assert restored.turns[name] == copied.turns[name]


def test_of_a_conversation_that_went_on_no_turn_is_missing(going_back: Restored) -> None:
    turns, later = going_back.restored.turns[BUSY], going_back.stopped.turns[BUSY]
    assert len(going_back.copied.turns[BUSY]) <= len(turns) < len(later)
    assert turns == later[: len(turns)]
    assert len(turns) == going_back.restored.sessions[BUSY].turns
    assert all(reference.evidence.passage.text for turn in turns for reference in turn.turn.references)


def test_events_of_a_turn_can_be_had_again(going_back: Restored) -> None:
    assert going_back.restored.events == going_back.copied.events
    assert one(going_back.restored.events, "completed")


def test_conversations_go_on(going_back: Restored) -> None:
    with Door.of(going_back.suite) as door:
        for session in (*QUIET, BUSY):
            assert "Phoenix" in last(door.ask(QUESTIONS[0], session), "text_end").text_end.text
    told = conversations(going_back.suite, going_back.turn_id)
    assert {
        name: session.turns - going_back.restored.sessions[name].turns for name, session in told.sessions.items()
    } == (dict.fromkeys((*QUIET, BUSY), 1))
