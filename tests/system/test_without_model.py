"""Without an embedding model the suite searches by words alone, and says so."""

from pathlib import Path

import grpc
import pytest

from bench.suite import running_suite
from parley.context.v1 import session_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.system.door import one, parley


@pytest.mark.slow
def test_a_suite_without_a_model_answers_by_words_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(
        "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"
    )
    with running_suite(tmp_path / "data", {"PARLEY_RETRIEVE_EMBEDDER": "none"}) as suite:
        assert parley(suite.port, "ingest", str(tmp_path / "note.md")).returncode == 0
        with grpc.insecure_channel(suite.address) as channel:
            stub = gateway_pb2_grpc.GatewayServiceStub(channel)
            request = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?")
            events = [response.event for response in stub.Ask(request, timeout=30)]
        doctor = parley(suite.port, "doctor")
    assert one(events, "completed").completed.outcome == session_pb2.OUTCOME_ANSWERED
    assert "25 May 2008" in one(events, "text_end").text_end.text
    assert {e.degraded.reason for e in events if e.WhichOneof("event") == "degraded"} == {"EMBEDDER_MISSING"}
    assert "embed: none" in doctor.stdout
