"""The steps of a scenario, by the Python client."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import grpc
import pytest

from parley.client import Answer, Document, Parley, ParleyError
from parley.client.events import TurnEvent
from tests.clients.scenario_files import several

Step = dict[str, Any]


class PythonRun:
    """Runs the steps of one scenario."""

    def __init__(self, address: str, proxy: str) -> None:
        self._addresses = {"": address, "proxy": proxy, "several": several(address)}
        self._sessions: dict[str, str] = {}

    def step(self, kind: str, step: Step) -> None:
        """Run a step.

        Raises:
            AssertionError: something else came than was expected.
        """
        address = self._addresses[step.get("through", "")]
        with Parley(address, principals=step.get("principals", ()), timeout=60) as parley:
            wanted = step.get("expect", {}).get("error")
            if wanted is None:
                _STEPS[kind](self, parley, step)
                return
            with pytest.raises(ParleyError) as raised:
                _STEPS[kind](self, parley, step)
        error = raised.value
        assert (error.code, error.reason) == (grpc.StatusCode[wanted["code"]], wanted["reason"])
        if "field" in wanted:
            assert [violation.field for violation in error.violations] == [wanted["field"]]

    def ingest(self, parley: Parley, step: Step) -> None:
        """Store documents."""
        documents = [Document(**document) for document in step["documents"]]
        receipts = [each.status for each in parley.ingest(documents, collection=step["collection"]) if each.is_final]
        assert receipts == step["expect"]["statuses"]

    def search(self, parley: Parley, step: Step) -> None:
        """Search passages."""
        passages = parley.search(step["query"], collection=step.get("collection", ""))
        wanted = step["expect"]["documents"]
        assert [passage.document_id for passage in passages][: len(wanted)] == wanted

    def document(self, parley: Parley, step: Step) -> None:
        """Open a document."""
        text = parley.document(step["document_id"], collection=step.get("collection", "")).text
        assert all(part in text for part in step["expect"].get("text", ()))

    def ask(self, parley: Parley, step: Step) -> None:
        """Ask a turn, and check what came of it."""
        session = step.get("session", "")
        with parley.ask(
            step["question"], collection=step.get("collection", ""), session_id=self._sessions.get(session, "")
        ) as turn:
            events = _until(turn, step.get("leave_after"))
        if step["expect"].get("cancelled"):
            assert parley.cancel(events[0].turn_id) == "cancelled"
            return
        answer = turn.answer_so_far
        if session:
            self._sessions[session] = answer.session_id
        _check(answer, events, step["expect"])


_STEPS: Final[Mapping[str, Callable[[PythonRun, Parley, Step], None]]] = {
    "ingest": PythonRun.ingest,
    "search": PythonRun.search,
    "document": PythonRun.document,
    "ask": PythonRun.ask,
}


def _until(turn: Any, kind: str | None) -> list[TurnEvent]:
    events: list[TurnEvent] = []
    for event in turn:
        events.append(event)
        if event.message.WhichOneof("event") == kind:
            break
    return events


def _check(answer: Answer, events: list[TurnEvent], expect: Step) -> None:
    assert str(answer.outcome) == expect.get("outcome", str(answer.outcome))
    for part in expect.get("text", ()):
        assert part in answer.text
    for part in expect.get("not_text", ()):
        assert part not in answer.text
    for part in expect.get("standalone", ()):
        assert part in answer.standalone_question
    kinds = iter([event.message.WhichOneof("event") for event in events])
    assert all(kind in kinds for kind in expect.get("order", ()))  # each after the one before
    if expect.get("contiguous"):
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
    if expect.get("cited"):
        spans = [span for citation in answer.citations for span in citation.spans]
        assert spans
        assert all(span.passage and span.passage.text[span.start : span.end] == span.quote for span in spans)
