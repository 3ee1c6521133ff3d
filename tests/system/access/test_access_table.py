"""Every call of the gateway as every caller: what becomes of it is what the reference says."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from bench.suite import RunningSuite
from libs.runtime.status import error_from_rpc
from parley.retrieve.v1 import corpus_pb2
from tests.system.access.callers import BOB, CALLERS, WORDS, Suite, document_of, outcome_of
from tests.system.access.calls import REQUESTS, call
from tests.system.access.cases import COLUMNS, Case, Target, cases
from tests.system.waiting import wait_for

pytestmark = pytest.mark.xdist_group("access")

CHANGES = ("PutDocument", "Ingest", "PlaceRoots", "DeleteDocument", "DeleteCollection")
"""Methods after which Alice's documents are restored."""


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: f"{case.method.partition('/')[2]}-{case.target.name}")
def test_a_call_becomes_what_the_reference_says(suite: Suite, case: Case) -> None:
    method = case.method.rpartition("/")[2]
    outcomes = []
    for caller in CALLERS.values():
        outcomes.append(outcome_of(lambda caller=caller: call(suite, case.method, case.target, caller)))  # type: ignore[misc]
        if method in CHANGES:
            suite.restore_documents()
        elif method == "DeleteSession":
            suite.restore_turn()
        elif method in ("Answer", "AnswerOnce"):
            suite.supply()
    assert dict(zip(COLUMNS, outcomes, strict=True)) == dict(zip(COLUMNS, case.outcomes, strict=True))


def test_every_call_that_the_gateway_offers_is_in_the_table(running: RunningSuite) -> None:
    with grpc.insecure_channel(running.address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        services = [name for name in database.get_services() if not name.startswith("grpc.")]
        offered = {
            f"{name.removeprefix('parley.')}/{method.name}"
            for name in services
            for method in pool.FindServiceByName(name).methods
        }
    stages = {"decompose", "intent", "retrieve", "timeline"}  # of the one process that this suite is
    own = {name for name in offered if name.partition(".")[0] not in stages or "CorpusService" in name}
    assert own == {case.method for case in cases()} == REQUESTS.keys()


def test_what_a_request_says_of_its_caller_is_not_believed(suite: Suite) -> None:
    drop = corpus_pb2.DeleteCollectionRequest(name="shared", principals=["alice"], admin=True)
    with pytest.raises(grpc.RpcError) as error:
        suite.corpus.DeleteCollection(drop, metadata=BOB)
    assert error_from_rpc(error.value).reason == "COLLECTION_NOT_OWNED"
    header = corpus_pb2.IngestHeader(collection="shared", principals=["alice"], admin=True)
    document = document_of(Target.OPEN, "The probe was never launched.")
    requests = corpus_pb2.IngestRequest(header=header), corpus_pb2.IngestRequest(document=document)
    (response,) = suite.corpus.Ingest(iter(requests), metadata=BOB)
    assert response.reason == "DOCUMENT_NOT_OWNED"


EXPECTED = {
    ("PutDocument", ("alice",), "ADDED", ""),
    ("PutDocument", ("bob",), "PERMISSION_DENIED", "DOCUMENT_NOT_OWNED"),
    ("PutDocument", (), "PERMISSION_DENIED", "ROLE_REQUIRED"),
    ("Ingest", ("bob",), "FAILED", "DOCUMENT_NOT_OWNED"),
    ("Ingest", ("alice",), "REPLACED", ""),
    ("DeleteDocument", ("root",), "OK", ""),
    ("DeleteCollection", ("bob",), "PERMISSION_DENIED", "COLLECTION_NOT_OWNED"),
    ("DeleteCollection", ("bob",), "NOT_FOUND", "COLLECTION_NOT_FOUND"),
    ("GetDocument", ("bob",), "NOT_FOUND", "DOCUMENT_NOT_FOUND"),
    ("Ask", ("bob",), "NOT_FOUND", "COLLECTION_NOT_FOUND"),
    ("RenameSession", ("alice",), "OK", ""),
    ("RenameSession", ("root",), "NOT_FOUND", "SESSION_NOT_FOUND"),
    ("DeleteSession", ("alice",), "OK", ""),
    ("ImportSession", ("bob",), "OK", ""),
    ("GetTurn", (), "NOT_FOUND", "TURN_NOT_FOUND"),
}
"""Some of what the calls of the table leave in the audit log."""


def records_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]


def summary(record: dict[str, Any]) -> tuple[str, tuple[str, ...], str, str]:
    method = record["method"].rpartition("/")[2]
    return method, tuple(record["principals"]), record["outcome"], record.get("reason", "")


def test_writes_and_refusals_are_in_the_audit_log_without_texts(suite: Suite, folder: Path) -> None:
    methods = {method for method, *_ in EXPECTED}
    for case in cases():
        if case.method.rpartition("/")[2] in methods:  # other workers may have made these calls of other suites
            test_a_call_becomes_what_the_reference_says(suite, case)
    wait_for(lambda: set(map(summary, records_of(folder))) >= EXPECTED)  # the file is written beside the calls
    records = records_of(folder)
    assert all(record["trace_id"] and record["peer"] for record in records)
    assert {"shared", "private"} <= {record.get("collection") for record in records}
    assert not any(words in str(records) for words in WORDS.values())
