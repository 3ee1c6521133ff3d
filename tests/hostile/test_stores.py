"""A full disk and a damaged file: a clear status while the suite runs, one clear line when it starts."""

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import grpc
import psutil
import pytest

from libs.runtime.errors import Overloaded
from libs.runtime.storage import storage_error
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.hostile.chaos.world import full_disk
from tests.hostile.conftest import HostileSuite
from tests.hostile.damaged_files import FILES, overwrite, write_files
from tests.hostile.outcomes import Outcome, outcome_of

Code = grpc.StatusCode
PUT = "/parley.retrieve.v1.CorpusService/PutDocument"
ASK = "/parley.gateway.v1.GatewayService/Ask"
SUPPLY = "/parley.gateway.v1.GatewayService/SupplyQuestion"
DELETE = "/parley.retrieve.v1.CorpusService/DeleteDocument"
ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.timeout(60)]


def outcome(suite: HostileSuite, method: str, content: bytes) -> Outcome:
    async def call() -> Outcome:
        async with grpc.aio.insecure_channel(suite.running.address) as channel:
            return await outcome_of(channel, method, [content], 10)

    return asyncio.run(call())


def document(document_id: str) -> bytes:
    text = f"The craft {document_id} landed on 3 March 1999."
    message = corpus_pb2.Document(document_id=document_id, text=text)
    return corpus_pb2.PutDocumentRequest(collection="full", document=message).SerializeToString()


@pytest.mark.parametrize(
    ("method", "content"),
    [
        (PUT, document("new")),
        (DELETE, corpus_pb2.DeleteDocumentRequest(collection="full", document_id="old").SerializeToString()),
        (ASK, gateway_pb2.AskRequest(question="When did Viking 1 land?", session_id="full").SerializeToString()),
        (SUPPLY, gateway_pb2.SupplyQuestionRequest(question="When did it land?").SerializeToString()),
    ],
    ids=["PutDocument", "DeleteDocument", "Ask", "SupplyQuestion"],
)
def test_a_write_to_a_full_disk_has_a_clear_status(hostile_suite: HostileSuite, method: str, content: bytes) -> None:
    assert outcome(hostile_suite, PUT, document("old")).code is Code.OK
    processes = psutil.Process(hostile_suite.running.supervisor.pid).children()
    with full_disk([process.pid for process in processes]):
        result = outcome(hostile_suite, method, content)
    assert result.code in (Code.RESOURCE_EXHAUSTED, Code.UNAVAILABLE), result
    assert result.reasons in (("STORAGE_FULL",), ("ENGINE_UNAVAILABLE",)), result
    assert outcome(hostile_suite, method, content).code is Code.OK  # once there is space again


def test_a_full_database_is_an_exhausted_resource(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "small.db")) as connection:
        connection.execute("CREATE TABLE texts (text TEXT)")
        connection.execute("PRAGMA max_page_count = 4")
        with pytest.raises(sqlite3.OperationalError) as error:
            connection.execute("INSERT INTO texts VALUES (?)", ("x" * 100_000,))
    typed = storage_error(error.value)
    assert isinstance(typed, Overloaded)
    assert (typed.reason, typed.retry_after, typed.__cause__) == ("STORAGE_FULL", None, error.value)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "RESOURCE_EXHAUSTED"),
        (sqlite3.OperationalError("disk I/O error"), "UNAVAILABLE"),
        (OSError(errno.ENOENT, "No such file"), None),
        (sqlite3.IntegrityError("UNIQUE constraint failed"), None),
        (KeyError("a fault of ours"), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_only_failures_of_a_store_become_its_statuses(error: Exception, status: str | None) -> None:
    typed = storage_error(error)
    assert (typed and typed.status) == status


def test_a_wrong_statement_is_no_failure_of_a_store() -> None:
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(sqlite3.OperationalError) as error:
        connection.execute("SELECT * FROM nowhere")
    assert storage_error(error.value) is None


GARBAGE = {"no database": b"no database at all " * 500, "broken first page": b"SQLite format 3\0" + b"\xff" * 8176}


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        ("no database", "sessions.db"),
        ("broken first page", "events.db"),
        ("no database", "corpus.db"),
        ("broken first page", "corpus.db"),
        *(("zeros in the middle", name) for name in FILES),
        ("short vectors", "corpus.db"),
    ],
)
def test_a_damaged_file_is_named_in_one_line(tmp_path: Path, damage: str, name: str) -> None:
    file = tmp_path / name
    write_files(tmp_path)
    if damage in GARBAGE:
        file.write_bytes(GARBAGE[damage])
    elif damage == "short vectors":
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE passages SET vector = X'0102030405'")
    else:
        overwrite(file, 0.4)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PARLEY_GATEWAY_DATA": str(tmp_path),
        "PARLEY_RETRIEVE_DATA": str(tmp_path),
    }
    command = [sys.executable, "-m", "cli", "serve", FILES[name], "--port", "0"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=ROOT, env=environment)
    assert process.returncode == 1
    *logged, line = process.stderr.splitlines()
    assert bool(logged) is (damage == "short vectors")  # they are read when the log is open
    assert "Traceback" not in process.stderr
    assert str(file) in line
    assert "backup" in line
