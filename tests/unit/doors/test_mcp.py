"""The MCP server in front of a gateway that shows its caller no collection."""

import pytest
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import PaginatedRequestParams

from tests.unit.doors.conftest import Doors


async def test_without_collections_there_are_no_resources_and_an_old_cursor_is_refused(doors: Doors) -> None:
    async with (
        streamable_http_client(f"http://127.0.0.1:{doors.port}/mcp") as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        listed = await session.list_resources()
        assert (listed.resources, listed.next_cursor) == ([], None)
        with pytest.raises(MCPError, match="none of this server's"):
            await session.list_resources(params=PaginatedRequestParams(cursor="gone/"))
