"""The doors for programs that speak OpenAI's chat completions or MCP, by the clients that those programs use."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import numpy as np
import openai
import pytest
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PaginatedRequestParams

from bench.suite import RunningSuite
from doors.app import open_app
from doors.serving import HttpServer, bind, config_of
from doors.settings import DoorsSettings
from parley.client import Document, Parley

pytestmark = pytest.mark.xdist_group("suite")

QUESTION = "When did Apollo 11 land on the Moon?"
FOLLOW_UP = "Who commanded it?"


@asynccontextmanager
async def serving(suite: RunningSuite) -> AsyncIterator[str]:
    """The doors in front of the suite; yields their address."""
    settings = DoorsSettings.load({"port": 0, "gateway": suite.address})
    async with open_app(settings) as app:
        bound = bind(settings)
        server = HttpServer(config_of(app, settings, 5))
        task = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


@asynccontextmanager
async def openai_client(suite: RunningSuite, **options: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    async with (
        serving(suite) as address,
        openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0, **options) as client,
    ):
        yield client


@asynccontextmanager
async def http_client(suite: RunningSuite) -> AsyncIterator[httpx2.AsyncClient]:
    async with serving(suite) as address, httpx2.AsyncClient(base_url=address, timeout=30) as client:
        yield client


@asynccontextmanager
async def mcp_session(suite: RunningSuite, **headers: str) -> AsyncIterator[Any]:
    async with (
        serving(suite) as address,
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        streamable_http_client(f"{address}/mcp", http_client=http) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


@pytest.fixture
def restricted(suite: RunningSuite) -> Iterator[str]:
    """A collection whose only document alice may see."""
    with Parley(suite.address, principals=["alice"]) as alice:
        text = "The probe Lynx reached the asteroid Juno on 1 May 2040."
        alice.put(Document(document_id="lynx", text=text, principals=["alice"]), collection="vault")
        alice.put(Document(document_id="juno", text="Juno is a large asteroid."), collection="vault")
        yield "vault"


class TestChatCompletions:
    async def test_a_question_is_answered_with_annotations(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            result = await client.chat.completions.create(
                model="parley", messages=[{"role": "user", "content": QUESTION}], temperature=0.2
            )
            (choice,) = result.choices
            message = choice.message
            assert choice.finish_reason == "stop"
            assert "20 July 1969" in (message.content or "")
            assert message.annotations
            for annotation in message.annotations:
                cited = annotation.url_citation
                assert (message.content or "")[cited.start_index : cited.end_index].startswith("[")
                assert cited.title
            extra = message.model_extra or {}
            assert extra["parley"]["outcome"] == "answered"
            assert extra["parley"]["citations"][0]["spans"][0]["quote"]
            assert result.usage is not None

    async def test_a_stream_says_the_same_as_the_whole(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            messages: Any = [{"role": "user", "content": QUESTION}]
            whole = await client.chat.completions.create(model="parley", messages=messages)
            stream = await client.chat.completions.create(
                model="parley", messages=messages, stream=True, stream_options={"include_usage": True}
            )
            chunks = [chunk async for chunk in stream]
            text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
            assert text == whole.choices[0].message.content
            assert chunks[0].choices[0].delta.role == "assistant"
            assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
            assert chunks[-1].usage is not None
            deltas = [chunk.choices[0].delta.model_extra or {} for chunk in chunks if chunk.choices]
            (annotations,) = [delta["annotations"] for delta in deltas if "annotations" in delta]
            assert annotations == [each.model_dump() for each in whole.choices[0].message.annotations or ()]
            assert len({chunk.id for chunk in chunks}) == 1

    async def test_the_messages_are_the_conversation(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            result = await client.chat.completions.create(
                model="parley",
                messages=[
                    {"role": "system", "content": "You are a pirate."},
                    {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
                    {"role": "assistant", "content": "On 20 July 1969."},
                    {"role": "user", "content": FOLLOW_UP},
                ],
            )
            assert "Armstrong" in (result.choices[0].message.content or "")
            extra = result.choices[0].message.model_extra or {}
            assert "Apollo 11" in extra["parley"]["standalone_question"]
            assert extra["parley"]["session_id"] == ""

    async def test_a_session_is_named_by_a_header(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            headers = {"x-parley-session": "chat-door-7f3a"}
            for question in (QUESTION, FOLLOW_UP):
                raw = await client.chat.completions.with_raw_response.create(
                    model="parley", messages=[{"role": "user", "content": question}], extra_headers=headers
                )
                assert raw.headers["x-parley-session"] == "chat-door-7f3a"
            assert "Armstrong" in (raw.parse().choices[0].message.content or "")

    async def test_models_are_the_collections_that_the_caller_sees(self, suite: RunningSuite, restricted: str) -> None:
        async with openai_client(suite, default_headers={"x-parley-principal": "alice"}) as client:
            names = [model.id async for model in client.models.list()]
            assert names[0] == "parley"
            assert f"parley/{restricted}" in names
            assert (await client.models.retrieve(f"parley/{restricted}")).id == f"parley/{restricted}"
            result = await client.chat.completions.create(
                model=f"parley/{restricted}", messages=[{"role": "user", "content": "When did Lynx reach Juno?"}]
            )
            assert "2040" in (result.choices[0].message.content or "")

    async def test_what_the_caller_may_not_see_is_not_said(self, suite: RunningSuite, restricted: str) -> None:
        async with openai_client(suite) as client:
            result = await client.chat.completions.create(
                model=f"parley/{restricted}", messages=[{"role": "user", "content": "When did Lynx reach Juno?"}]
            )
            assert "2040" not in result.model_dump_json()

    @pytest.mark.parametrize("stream", [False, True])
    async def test_what_cannot_be_taken_names_its_field(self, suite: RunningSuite, stream: bool) -> None:
        def user(content: str, **more: Any) -> dict[str, Any]:
            return {"model": "parley", "stream": stream, "messages": [{"role": "user", "content": content}], **more}

        cases: list[tuple[dict[str, Any], str, int]] = [
            (user("x", model="gpt-4o"), "model", 404),
            (user("x", messages=[]), "messages", 400),
            (user(" "), "messages.0", 400),
            (user("x", messages=[{"role": "assistant", "content": "x"}]), "messages.0", 400),
            (user("x", messages=[{"role": "nobody", "content": "x"}]), "messages.0.role", 400),
            (user("x", n=2), "n", 400),
            (user("x" * 9000), "question", 400),
            (user("x", model="parley/a b"), "options.collection", 400),
        ]
        async with http_client(suite) as client:
            for body, field, status in cases:
                response = await client.post("/v1/chat/completions", json=body)
                assert (response.status_code, response.json()["error"]["param"]) == (status, field), body
                assert response.json()["error"]["message"]

    async def test_a_body_that_is_no_request_is_refused(self, suite: RunningSuite) -> None:
        async with http_client(suite) as client:
            for content in (b"", b"{", b"[]", b"\xff", b'{"messages": 3}'):
                response = await client.post("/v1/chat/completions", content=content)
                assert response.status_code == 400, content
                assert response.json()["error"]["type"] == "invalid_request_error", content

    async def test_the_requests_of_a_chat_front_end_are_understood(self, suite: RunningSuite) -> None:
        """The fields that Open WebUI and LibreChat send beside the messages."""
        more = {
            "stream": True,
            "stream_options": {"include_usage": True},
            "user": "u-1",
            "chat_id": "c-1",
            "metadata": {"features": {"web_search": False}},
            "temperature": 0.7,
            "top_p": 1,
            "presence_penalty": 0,
            "frequency_penalty": 0,
            "max_tokens": 4000,
            "seed": 1,
            "stop": [],
            "logit_bias": {},
            "tools": [],
            "features": {"image_generation": False},
        }
        async with http_client(suite) as client:
            body = {"model": "parley", "messages": [{"role": "user", "content": QUESTION}], **more}
            lines = []
            async with client.stream("POST", "/v1/chat/completions", json=body) as response:
                assert response.headers["content-type"].startswith("text/event-stream")
                lines = [line async for line in response.aiter_lines() if line]
            assert lines[-1] == "data: [DONE]"
            assert all(json.loads(line.removeprefix("data: "))["id"] for line in lines[:-1])


class TestResponses:
    async def test_the_response_before_is_the_conversation(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            first = await client.responses.create(model="parley", input=QUESTION)
            assert "20 July 1969" in first.output_text
            async with client.responses.stream(
                model="parley", input=FOLLOW_UP, previous_response_id=first.id
            ) as stream:
                second = await stream.get_final_response()
            assert "Armstrong" in second.output_text
            (part,) = second.to_dict()["output"][0]["content"]  # type: ignore[index]
            assert part["annotations"]


class TestEmbeddings:
    async def test_texts_are_embedded_by_the_model_of_the_passages(self, suite: RunningSuite) -> None:
        texts = ["When did Apollo 11 land on the Moon?", "The landing of Apollo 11", "A recipe for plum cake"]
        async with openai_client(suite) as client:
            embedded = await client.embeddings.create(model="parley", input=texts)
            question, landing, cake = (np.array(each.embedding) for each in embedded.data)
            assert [np.linalg.norm(each) for each in (question, landing, cake)] == pytest.approx([1, 1, 1], abs=1e-5)
            assert question @ landing > question @ cake + 0.3
            assert embedded.usage.prompt_tokens == 18
            named = await client.embeddings.create(model=embedded.model, input=texts[0], encoding_format="float")
            assert named.data[0].embedding == pytest.approx(question.tolist(), abs=1e-5)

    async def test_what_the_model_cannot_do_is_refused_by_name(self, suite: RunningSuite) -> None:
        async with openai_client(suite) as client:
            with pytest.raises(openai.BadRequestError, match="dimensions: Vectors of this model have 384 values"):
                await client.embeddings.create(model="parley", input="x", dimensions=256)
            with pytest.raises(openai.NotFoundError, match="no model 'text-embedding-3-small'"):
                await client.embeddings.create(model="text-embedding-3-small", input="x")


class TestMcp:
    async def test_its_tools_are_listed_with_their_schemas(self, suite: RunningSuite) -> None:
        async with mcp_session(suite) as session:
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert set(tools) == {"ask", "search", "open_passage", "list_collections", "ingest"}
            assert tools["ask"].input_schema["required"] == ["question"]
            assert tools["ingest"].annotations is not None
            assert (tools["search"].annotations or tools["ask"].annotations).read_only_hint
            assert not tools["ingest"].annotations.read_only_hint

    async def test_a_question_and_its_follow_up(self, suite: RunningSuite) -> None:
        async with mcp_session(suite) as session:
            first = (await session.call_tool("ask", {"question": QUESTION})).structured_content
            assert "20 July 1969" in first["text"]
            assert first["citations"][0]["spans"][0]["quote"]
            more = {"question": FOLLOW_UP, "session_id": first["session_id"]}
            second = await session.call_tool("ask", more)
            assert "Armstrong" in second.structured_content["text"]
            assert "[1]" in second.content[0].text

    async def test_a_document_is_stored_found_and_opened(self, suite: RunningSuite) -> None:
        async with mcp_session(suite) as session:
            document = {"document_id": "wren.md", "text": "Wren reached Pallas on 2 June 2044.", "collection": "mcp"}
            stored = await session.call_tool("ingest", document)
            assert stored.structured_content == {"document_id": "wren.md", "status": "added", "passages": 1}
            found = await session.call_tool("search", {"query": "When did Wren reach Pallas?", "collection": "mcp"})
            passage = found.structured_content["passages"][0]
            assert passage["document_id"] == "wren.md"
            opened = {"passage_id": passage["passage_id"], "collection": "mcp"}
            assert "2 June 2044" in (await session.call_tool("open_passage", opened)).content[0].text

    async def test_documents_are_resources(self, suite: RunningSuite) -> None:
        async with mcp_session(suite) as session:
            resources, cursor = [], None
            while True:
                page = await session.list_resources(params=PaginatedRequestParams(cursor=cursor))
                resources += page.resources
                cursor = page.next_cursor
                if cursor is None:
                    break
            (note,) = [each for each in resources if str(each.uri) == "parley://default/corpus/apollo-11.md"]
            contents = (await session.read_resource(note.uri)).contents
            assert "Armstrong" in contents[0].text
            templates = (await session.list_resource_templates()).resource_templates
            assert [template.uri_template for template in templates] == ["parley://{collection}/{document_id}"]

    async def test_mistakes_are_reported_to_the_model(self, suite: RunningSuite) -> None:
        async with mcp_session(suite) as session:
            wrong = await session.call_tool("ask", {"question": ""})
            assert (wrong.is_error, "question" in wrong.content[0].text) == (True, True)
            missing = await session.call_tool("open_passage", {"passage_id": "nothing"})
            assert (missing.is_error, "PASSAGE_NOT_FOUND" in missing.content[0].text) == (True, True)
            with pytest.raises(Exception, match="no tool"):
                await session.call_tool("dance", {})
            with pytest.raises(Exception, match="DOCUMENT_NOT_FOUND"):
                await session.read_resource("parley://default/nothing")

    async def test_each_caller_sees_their_own(self, suite: RunningSuite, restricted: str) -> None:
        arguments = {"query": "When did Lynx reach Juno?", "collection": restricted}
        async with mcp_session(suite, **{"x-parley-principal": "alice"}) as session:
            found = await session.call_tool("search", arguments)
            assert found.structured_content["passages"][0]["document_id"] == "lynx"
            assert (await session.read_resource(f"parley://{restricted}/lynx")).contents
        async with mcp_session(suite) as session:
            found = await session.call_tool("search", arguments)
            assert [passage["document_id"] for passage in found.structured_content["passages"]] == ["juno"]
            with pytest.raises(Exception, match="DOCUMENT_NOT_FOUND"):
                await session.read_resource(f"parley://{restricted}/lynx")
