"""A request that two readers of HTTP could cut at different places is refused, at every door."""

import asyncio
import re

import pytest

from tests.unit.doors.conftest import Doors

HOST = "Host: localhost\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
DOORS = ("/upload", "/v1/chat/completions", "/mcp", "/parley.gateway.v1.GatewayService/Ask", "/healthz", "/")
AMBIGUOUS = {
    "a length beside chunks": f"{HOST}Content-Length: 5\r\n{CHUNKED}\r\n0\r\n\r\n",
    "chunks beside a length": f"{HOST}{CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": f"{HOST}Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde",
    "a length twice": f"{HOST}Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
    "a list of lengths": f"{HOST}Content-Length: 5, 5\r\n\r\nabcde",
    "a signed length": f"{HOST}Content-Length: +5\r\n\r\nabcde",
    "a length in hexadecimal": f"{HOST}Content-Length: 0x5\r\n\r\nabcde",
    "an empty length": f"{HOST}Content-Length:\r\n\r\n",
    "another coding": f"{HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "identity alone": f"{HOST}Transfer-Encoding: identity\r\n\r\n",
    "a coding twice": f"{HOST}{CHUNKED}{CHUNKED}\r\n0\r\n\r\n",
    "a coding behind another white space": f"{HOST}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
    "a space before the colon": f"{HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "a space before the first name": f" {CHUNKED}{HOST}\r\n0\r\n\r\n",
    "a folded line": f"{HOST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a folded line of another field": f"{HOST}X-Any: a\r\n\tContent-Length: 5\r\n\r\n",
    "bare line feeds": f"{HOST}X-Any: a\nContent-Length: 5\r\n\r\nabcde",
    "bare line feeds at the end": f"{HOST}Content-Length: 0\r\n\n",
    "a bare carriage return": f"{HOST}X-Any: a\rContent-Length: 5\r\n\r\n",
    "a NUL": f"{HOST}X-Any: a\0b\r\n\r\n",
    "two hosts": f"{HOST}Host: example.org\r\n\r\n",
    "a chunk whose length is signed": f"{HOST}{CHUNKED}\r\n+0\r\n\r\n",
    "a chunk that ends elsewhere": f"{HOST}{CHUNKED}\r\n1\r\nabc\r\n0\r\n\r\n",
    "a bare line feed behind a chunk's length": f"{HOST}{CHUNKED}\r\n1\na\r\n0\r\n\r\n",
    "a bare carriage return behind a chunk's length": f"{HOST}{CHUNKED}\r\n1;a\rb\r\na\r\n0\r\n\r\n",
    "bare line feeds behind the last chunk": f"{HOST}{CHUNKED}\r\n0\r\n\n",
    "a coding in the trailers": f"{HOST}{CHUNKED}\r\n0\r\n{CHUNKED}\r\n",
    "bare line feeds in the trailers": f"{HOST}{CHUNKED}\r\n0\r\nX-Any: a\n\r\n",
}


async def answered(port: int, request: str) -> bytes:
    """All that the server answers, until it closes the connection or waits for more."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode("latin-1"))
    try:
        async with asyncio.timeout(1):
            return await reader.read()
    except TimeoutError:
        return b"still open"
    finally:
        writer.close()


@pytest.mark.parametrize("door", DOORS)
async def test_what_has_two_readings_is_refused_and_nothing_behind_it_is_read(
    doors: Doors, door: str, caplog: pytest.LogCaptureFixture
) -> None:
    answers = {
        name: await answered(doors.port, f"POST {door} HTTP/1.1\r\n{rest}{SMUGGLED}")
        for name, rest in AMBIGUOUS.items()
    }
    assert [name for name, answer in answers.items() if not answer.startswith(b"HTTP/1.1 400 ")] == []
    assert [name for name, answer in answers.items() if answer.count(b"HTTP/1.1 ") > 1] == []
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("version", ["0.9", "1.0", "1.2", "2.0"])
async def test_chunks_need_http_1_1(doors: Doors, version: str) -> None:
    answer = await answered(doors.port, f"POST /upload HTTP/{version}\r\n{HOST}{CHUNKED}\r\n0\r\n\r\n{SMUGGLED}")
    assert answer.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "body", ["Content-Length: 5\r\n\r\nabcde", f"{CHUNKED}\r\n5;a=b\r\nabcde\r\n0\r\nX-Any: a\r\n\r\n"]
)
async def test_requests_that_follow_one_another_are_each_answered(doors: Doors, body: str) -> None:
    one = f"GET /healthz HTTP/1.1\r\n{HOST}{body}"
    last = f"GET /healthz HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    answer = await answered(doors.port, one * 2 + last)
    assert answer.count(b"HTTP/1.1 200 ") == 3


async def test_an_ambiguous_request_behind_a_plain_one_is_refused(doors: Doors) -> None:
    bad = f"POST /upload HTTP/1.1\r\n{AMBIGUOUS['a length beside chunks']}"
    answer = await answered(doors.port, SMUGGLED + bad + SMUGGLED)
    assert re.findall(rb"HTTP/1.1 (\d+) ", answer) == [b"200", b"400"]


async def test_chunks_that_break_while_an_answer_runs_end_the_connection(
    doors: Doors, caplog: pytest.LogCaptureFixture
) -> None:
    """The head is accepted, and what follows it later is no chunk."""
    reader, writer = await asyncio.open_connection("127.0.0.1", doors.port)
    writer.write(f"POST /upload HTTP/1.1\r\n{HOST}Content-Type: application/octet-stream\r\n{CHUNKED}\r\n".encode())
    await asyncio.sleep(0.2)
    writer.write(b"1\r\nabc\r\n" + SMUGGLED.encode())
    async with asyncio.timeout(5):
        answer = await reader.read()
    writer.close()
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"200" not in answer.partition(b"\r\n")[0]
    assert "Fatal error" not in caplog.text
