"""The MCP server: tools, and documents as resources. Each request comes in the name of its HTTP caller.

A failed call becomes a tool's error result, or an MCPError, which the protocol's library answers.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final
from urllib.parse import quote, unquote

import grpc
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from starlette.routing import BaseRoute, Route

from doors.bodies import MAX_REQUEST_BYTES
from doors.callers import metadata_of
from doors.mcp_api.tools import TOOLS, ToolDefinition
from doors.suite import Suite
from libs.language.characters import seen, without_unseen
from parley.client import calls
from parley.client.errors import NotFoundError, ParleyError

PATH: Final = "/mcp"
META: Final = "_meta"
"""Notes of a client, which some write among a tool's arguments as well."""
SCHEME: Final = "parley"
TEMPLATE: Final = "parley://{collection}/{document_id}"
INSTRUCTIONS: Final = (
    "Answers questions from a collection of documents. Use `ask` for an answer with checked citations, `search` for"
    " passages. Cite what you use by its title."
)
Context = ServerRequestContext[Any, Any]


class McpServer:
    """Speaks MCP over streamable HTTP, without sessions of its own."""

    def __init__(self, channel: grpc.aio.Channel, version: str) -> None:
        """`channel` leads to the gateway; requests have at most so many bytes."""
        self._channel = channel
        server: Server[Any] = Server(
            "parley",
            version=version,
            title="Parley",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )
        self._manager = StreamableHTTPSessionManager(
            app=server, stateless=True, json_response=False, max_request_body_size=MAX_REQUEST_BYTES
        )

    def routes(self) -> Sequence[BaseRoute]:
        """Its route."""
        return (Route(PATH, StreamableHTTPASGIApp(self._manager), methods=["GET", "POST", "DELETE"]),)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take requests while this is open; errors within come out as they are."""
        try:
            async with self._manager.run():
                yield
        except BaseExceptionGroup as errors:  # the manager's tasks are a group, which wraps a single error too
            raise (errors.exceptions[0] if len(errors.exceptions) == 1 else errors) from None

    async def _list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name, tool) for name, tool in TOOLS.items()])

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.")
        try:
            given = {name: value for name, value in (params.arguments or {}).items() if name != META}
            arguments = tool.arguments.model_validate(given)
            result = await tool.carry_out(self._suite(context), arguments, context.session.report_progress)
        except ValidationError as error:
            return _failure(_complaint(error))
        except ParleyError as error:
            return _failure(str(error))
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=without_unseen(result.text))]
        return types.CallToolResult(content=content, structured_content=seen(result.data))

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Documents of all collections, a page at a time; the cursor is the collection and its page token."""
        suite = self._suite(context)
        with _as_mcp_error():
            names = [each.name for each in await suite.run(calls.list_collections())]
            cursor = params.cursor if params else None
            if not names and not cursor:
                return types.ListResourcesResult(resources=[])
            name, _, token = (cursor or f"{names[0]}/").partition("/")
            if name not in names:
                raise MCPError(types.INVALID_PARAMS, "The cursor is none of this server's.")
            page = await suite.run(calls.list_documents(name, token))
        return types.ListResourcesResult(
            resources=[_resource(name, document) for document in page.items],
            next_cursor=_cursor_after(names, name, page.next_token),
        )

    async def _list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=TEMPLATE, name="document", title="Document", mime_type="text/markdown"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        scheme, _, place = params.uri.partition("://")
        collection, _, document_id = map(unquote, place.partition("/"))
        if scheme != SCHEME or not document_id:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri!r}.")
        with _as_mcp_error():
            document = await self._suite(context).run(calls.get_document(document_id, collection))
        contents = types.TextResourceContents(uri=params.uri, mime_type="text/markdown", text=document.text)
        return types.ReadResourceResult(contents=[contents])

    def _suite(self, context: Context) -> Suite:
        return Suite(self._channel, metadata_of(context.request.scope) if context.request is not None else ())


def _tool(name: str, tool: ToolDefinition) -> types.Tool:
    return types.Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments.model_json_schema(),
        annotations=types.ToolAnnotations(read_only_hint=not tool.writes, open_world_hint=False),
    )


def _resource(collection: str, document: calls.DocumentInfo) -> types.Resource:
    address = f"{SCHEME}://{quote(collection, safe='')}/{quote(document.document_id, safe='/')}"
    return types.Resource(
        uri=address, name=document.document_id, title=document.title or None, mime_type="text/markdown"
    )


def _cursor_after(names: Sequence[str], name: str, token: str) -> str | None:
    """Where the listing goes on: in the same collection, or in the next one; None at the end."""
    following = names[names.index(name) + 1 :]
    return f"{name}/{token}" if token else f"{following[0]}/" if following else None


def _failure(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


@contextmanager
def _as_mcp_error() -> Iterator[None]:
    """Turn a failed call of the suite into an error of the protocol."""
    try:
        yield
    except NotFoundError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from None
    except ParleyError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None
