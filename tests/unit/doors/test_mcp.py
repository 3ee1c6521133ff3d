"""The MCP server in front of a gateway that its callers see little of, by the protocol's own client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, PaginatedRequestParams, TextContent

from tests.unit.doors.conftest import Doors


@asynccontextmanager
async def connected(doors: Doors) -> AsyncIterator[ClientSession]:
    async with (
        streamable_http_client(f"http://127.0.0.1:{doors.port}/mcp") as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


async def call(doors: Doors, tool: str, arguments: dict[str, Any] | None, **more: Any) -> CallToolResult:
    async with connected(doors) as session:
        result: CallToolResult = await session.call_tool(tool, arguments, **more)
        return result


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def test_without_collections_there_are_no_resources_and_an_old_cursor_is_refused(doors: Doors) -> None:
    async with connected(doors) as session:
        listed = await session.list_resources()
        assert (listed.resources, listed.next_cursor) == ([], None)
        with pytest.raises(MCPError, match="none of this server's"):
            await session.list_resources(params=PaginatedRequestParams(cursor="gone/"))


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("parley://notes", "There is no resource"),
        ("http://notes/x", "There is no resource"),
        ("parley://[::1/x", "not implemented"),  # by the corpus of this test, which is asked for it
    ],
)
async def test_an_address_that_is_no_resource_is_refused(doors: Doors, address: str, complaint: str) -> None:
    async with connected(doors) as session:
        with pytest.raises(MCPError, match=complaint):
            await session.read_resource(address)


class TestArguments:
    async def test_one_that_is_null_is_absent(self, doors: Doors) -> None:
        result = await call(doors, "search", {"query": "rain", "collection": None, "limit": None})
        assert not result.is_error, result
        assert (doors.corpus.searched.collection, doors.corpus.searched.depth.evidence) == ("", 5)

    async def test_one_that_is_needed_must_not_be_null(self, doors: Doors) -> None:
        result = await call(doors, "search", {"query": None})
        assert (result.is_error, text_of(result).startswith("query:")) == (True, True)

    async def test_notes_of_the_client_are_left_aside(self, doors: Doors) -> None:
        notes: Any = {"example.com/trace": {"id": 1}, "whatever": [None]}
        request = {"name": "search", "arguments": {"query": "rain", "_meta": notes}, "_meta": notes}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request}
        response = await doors.http.post(
            "/mcp",
            json=body,
            headers={"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"},
        )
        assert "Nothing was found." in response.text

    async def test_one_that_is_misspelt_is_named(self, doors: Doors) -> None:
        result = await call(doors, "search", {"query": "rain", "colection": "weather"})
        assert (result.is_error, "colection" in text_of(result)) == (True, True)


class TestCollections:
    async def test_they_are_listed_with_their_sizes(self, doors: Doors) -> None:
        doors.corpus.names = ("default", "weather")
        result = await call(doors, "list_collections", None)
        assert text_of(result) == "default: 2 documents, 7 passages\nweather: 2 documents, 7 passages"
        assert result.structured_content == {
            "collections": [
                {"name": "default", "documents": 2, "passages": 7, "passages_without_vectors": 0},
                {"name": "weather", "documents": 2, "passages": 7, "passages_without_vectors": 0},
            ]
        }

    async def test_none_are_none(self, doors: Doors) -> None:
        result = await call(doors, "list_collections", {})
        assert (text_of(result), result.structured_content) == ("There are no collections.", {"collections": []})


async def test_a_question_reports_what_is_being_done(doors: Doors) -> None:
    doors.gateway.text = "On 25 May."
    reports = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    result = await call(doors, "ask", {"question": "Searching Writing"}, progress_callback=report)
    assert "On 25 May." in text_of(result)
    assert reports == [(1, None, "Searching"), (2, None, "Writing")]
    assert doors.gateway.asked.options.progress
