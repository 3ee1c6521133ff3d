"""Dropped files are read apart, ingested and reported on."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

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


async def test_no_more_files_are_taken_at_once_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.uploads.MAX_UPLOADS", 1)
    async with doors_with() as doors:
        begun, rest = asyncio.Event(), asyncio.Event()

        async def slowly() -> AsyncIterator[bytes]:
            yield b"# Antenna\n"
            begun.set()
            await rest.wait()

        first = asyncio.create_task(doors.http.post("/upload?name=a.md", content=slowly(), headers=BODY))
        await begun.wait()
        while (response := await doors.http.post("/upload?name=b.md", content=b"b", headers=BODY)).status_code != 503:
            pass  # the server may not have begun with the first
        assert response.json()["reason"] == "cannot be taken now: too many other files are under way"
        assert response.headers["retry-after"] == "5"
        rest.set()
        assert (await first).status_code == 200
        again = await doors.http.post("/upload?name=b.md", content=b"b", headers=BODY)
    assert again.status_code == 200


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
