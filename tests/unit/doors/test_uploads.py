"""Dropped files are read apart, ingested and reported on."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from doors.bodies import LEAST_BYTES
from doors.upload_reading import Upload, UploadReader
from doors.uploads import name_of
from libs.runtime.calling.channel import open_channel
from tests.unit.doors.conftest import Doors, doors_with, serving

BODY = {"content-type": "application/octet-stream"}


async def upload(doors: Doors, name: str, content: bytes, **query: Any) -> list[dict[str, Any]]:
    """The events of an upload."""
    response = await doors.http.post("/upload", params={"name": name, **query}, content=content, headers=BODY)
    return [json.loads(line) for line in response.text.splitlines()]


async def test_a_file_is_ingested_with_its_collection_and_principals(doors: Doors) -> None:
    query = {"collection": "notes", "principal": ["alice", "bob"]}
    events = await upload(doors, "antenna.md", b"# Antenna\n\nIt is 3 m wide.\n", **query)
    assert events == [
        {"event": "reading", "name": "antenna.md"},
        {"event": "stored", "document_id": "antenna.md", "passages": 2, "status": "added"},
        {"event": "done", "name": "antenna.md", "documents": 1, "passages": 2, "failed": 0},
    ]
    (document,) = doors.corpus.documents
    assert doors.corpus.collection == "notes"
    assert (document.title, list(document.principals)) == ("Antenna", ["alice", "bob"])


async def test_more_principals_than_a_document_may_have_are_refused(doors: Doors) -> None:
    (failure,) = await upload(doors, "antenna.md", b"# Antenna\n", principal=[f"p{number}" for number in range(257)])
    assert failure == {"event": "failed", "name": "antenna.md", "reason": "has more than 256 principals"}
    assert doors.corpus.documents == []


async def test_each_line_of_json_lines_is_a_document_and_a_broken_one_a_failure(doors: Doors) -> None:
    events = await upload(doors, "notes.jsonl", b'{"id": "a", "text": "One."}\n{broken\n{"id": "b", "text": "Two."}\n')
    assert [event["document_id"] for event in events if event["event"] == "stored"] == ["a", "b"]
    (failure,) = [event for event in events if event["event"] == "failed"]
    assert (failure["name"], failure["line"]) == ("notes.jsonl", 2)
    assert events[-1] == {"event": "done", "name": "notes.jsonl", "documents": 2, "passages": 4, "failed": 1}


async def test_what_is_left_out_of_a_file_is_told_with_its_place(doors: Doors) -> None:
    events = await upload(doors, "prices.txt", "Größe und Länge sind gut.\n".encode() + b"5 \xe2\x82 each\n")
    (left_out,) = [event for event in events if event["event"] == "left_out"]
    part = {"reason": "bytes that no charset fits", "place": "line 2", "excerpt": "5 \ufffd each", "characters": 2}
    summary = "1 place with bytes that no charset fits"
    assert left_out == {"event": "left_out", "document_id": "prices.txt", "summary": summary, "omissions": [part]}
    assert events[-1]["left_out"] == summary
    assert dict(doors.corpus.documents[0].metadata) == {"left_out": summary}


async def test_what_cannot_be_read_fails_with_its_name_and_reason(doors: Doors) -> None:
    events = await upload(doors, "scan.pdf", b"not a pdf at all")
    assert [event["event"] for event in events] == ["reading", "failed", "done"]
    assert events[1] == {
        "event": "failed",
        "name": "scan.pdf",
        "reason": "is not in the pdf format, despite its name",
    }


async def test_a_file_beyond_the_limit_is_refused() -> None:
    async with doors_with(max_upload_bytes=2**20) as doors:
        response = await doors.http.post("/upload?name=big.txt", content=bytes(2**20 + 1), headers=BODY)
    assert response.status_code == 413
    assert response.json() == {"event": "failed", "name": "big.txt", "reason": "is larger than 1 MB"}


@asynccontextmanager
async def begun(doors: Doors, path: str = "/upload?name=a.md", **headers: str) -> AsyncIterator[socket.socket]:
    """A request whose body is about to come; the server first says 100 if it waits for that."""
    fields = {"Host": "localhost", "Content-Length": "100000", "Expect": "100-continue", **headers}
    head = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    with socket.create_connection(("127.0.0.1", doors.port)) as connection:
        connection.sendall("\r\n".join(head).encode())
        connection.setblocking(False)
        yield connection


async def status_of(connection: socket.socket) -> int:
    """The status of the next response."""
    head = await asyncio.get_running_loop().sock_recv(connection, 4096)
    return int(head.split()[1])


async def test_no_more_files_are_taken_at_once_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.uploads.MAX_UPLOADS", 1)
    async with doors_with() as doors:
        async with begun(doors, **BODY) as connection:
            assert await status_of(connection) == 100
            response = await doors.http.post("/upload?name=b.md", content=b"b", headers=BODY)
            assert response.status_code == 503
            assert response.json()["reason"] == "cannot be taken now: too many other files are under way"
            assert response.headers["retry-after"] == "5"
        while (await doors.http.post("/upload?name=b.md", content=b"b", headers=BODY)).status_code != 200:
            pass  # the server may not have seen that the first has left


FROM_ELSEWHERE = ({"x-forwarded-for": "192.0.2.1"}, {"x-forwarded-for": "192.0.2.2"})
OF_ONE_NETWORK = ({"x-forwarded-for": "2001:db8::1"}, {"x-forwarded-for": "2001:db8:1::1"})
PRINCIPALS = ({"x-parley-principal": "ann"}, {"x-parley-principal": "bob"})


@pytest.mark.parametrize(("ann", "bob"), [FROM_ELSEWHERE, OF_ONE_NETWORK, PRINCIPALS])
async def test_the_uploads_of_a_caller_leave_places_for_others(
    ann: dict[str, str], bob: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doors.uploads.MAX_UPLOADS", 4)
    async with doors_with() as doors, AsyncExitStack() as stack:
        slow = [await stack.enter_async_context(begun(doors, **BODY, **ann)) for _ in range(6)]
        assert sorted([await status_of(each) for each in slow]) == [100] * 2 + [503] * 4
        response = await doors.http.post("/upload?name=a.md", content=b"# A", headers=BODY | bob)
        assert response.status_code == 200


@pytest.mark.parametrize("path", ["/upload?name=a.md", "/parley.gateway.v1.GatewayService/Ask"])
@pytest.mark.parametrize("part", [b"", b"a"])
async def test_a_body_that_hardly_comes_is_given_up(path: str, part: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = "application/octet-stream" if "upload" in path else "application/grpc-web+proto"
    monkeypatch.setattr("doors.bodies.body_parts.__defaults__", (1.0,))
    async with doors_with(idle_seconds=1) as doors, begun(doors, path, **{"content-type": kind}) as connection:
        assert await status_of(connection) == 100
        async with asyncio.timeout(5):
            answer = asyncio.create_task(status_of(connection))
            while not answer.done():
                with suppress(ConnectionError):
                    connection.send(part)
                await asyncio.sleep(0.05)
        assert await answer == 408


async def test_a_slow_file_is_taken_as_long_as_it_comes() -> None:
    async def steady() -> AsyncIterator[bytes]:
        for _ in range(8):
            yield b"All is well.\n" * (LEAST_BYTES // 13 + 1)
            await asyncio.sleep(0.3)

    async with doors_with(idle_seconds=1) as doors:
        assert (await doors.http.post("/upload?name=a.md", content=steady(), headers=BODY)).status_code == 200


async def test_the_files_of_a_caller_leave_a_reader_for_others(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "a", "text": "One."}\n{"id": "b", "text": "Two."}\n')
    reader = UploadReader(3)
    held = [reader.read(Upload(file.name, file, caller="ann")) for _ in range(2)]
    for each in held:
        await anext(each)
    third = reader.read(Upload(file.name, file, caller="ann"))
    waiting = asyncio.create_task(anext(third))
    await asyncio.sleep(0)
    assert len([result async for result in reader.read(Upload(file.name, file, caller="bob"))]) == 2
    assert not waiting.done()
    await held[0].aclose()
    await waiting
    await third.aclose()
    await held[1].aclose()


async def test_who_leaves_while_waiting_for_a_reader_takes_no_place(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("# A")
    reader = UploadReader(1)
    first = reader.read(Upload(file.name, file, caller="ann"))
    await anext(first)
    leaving = asyncio.create_task(anext(reader.read(Upload(file.name, file, caller="bob"))))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    await first.aclose()
    assert [result async for result in reader.read(Upload(file.name, file, caller="cem"))]


async def test_a_form_of_another_page_cannot_upload(doors: Doors) -> None:
    response = await doors.http.post("/upload?name=a.txt", content=b"a", headers={"content-type": "text/plain"})
    assert response.status_code == 415


async def test_without_a_gateway_the_failure_says_so() -> None:
    async with open_channel("127.0.0.1:9") as channel, serving(channel) as port, Doors.client(port) as http:
        response = await http.post("/upload?name=a.txt", content=b"Some text.", headers=BODY)
    events = [json.loads(line) for line in response.text.splitlines()]
    assert events[1]["event"] == "failed"
    assert events[1]["reason"] == "cannot be ingested: the gateway does not answer"


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\notes\\a.txt", "a.txt"),
        ("..", ""),
        ("", ""),
        ("a\x00b", ""),
        ("ä" * 128, ""),
    ],
)
def test_a_name_has_no_folders(name: str, used: str) -> None:
    assert name_of(name) == used
