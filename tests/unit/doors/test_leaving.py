"""Clients that leave in the middle of a request are no errors of this process."""

import asyncio

import pytest

from tests.unit.doors.conftest import GATEWAY, Doors

PATHS = ["/v1/chat/completions", f"{GATEWAY}/GetServerInfo", "/upload?name=a.md"]
TYPES = {PATHS[0]: "application/json", PATHS[1]: "application/grpc-web+proto", PATHS[2]: "application/octet-stream"}


async def leave_within_the_body(port: int, path: str) -> None:
    """Announce a body of ten bytes, send one of them, and cut the connection."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {TYPES[path]}\r\ncontent-length: 10\r\n\r\n"
    writer.write(head.encode() + b"x")
    await writer.drain()
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("path", PATHS)
async def test_a_client_that_leaves_within_its_body_is_not_logged_as_an_error(
    doors: Doors, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    await leave_within_the_body(doors.port, path)
    await asyncio.sleep(0.5)  # for what would be logged, which nothing announces
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
