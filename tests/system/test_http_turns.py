"""Turns by server-sent events: the commands of the page, by curl, before a running suite."""

import asyncio
import json
import re
import subprocess
from typing import Any

import pytest

from bench.suite import RunningSuite
from tests.system.docs_pages import blocks
from tests.system.test_http_doors import http_client, serving

pytestmark = pytest.mark.xdist_group("suite")

PAGE = "docs/how-to/http-turns.md"
ASK, GO_ON, ASK_ON, CANCEL = (
    command
    for block in blocks()
    if (block.page, block.language) == (PAGE, "sh")
    for command in block.text.strip().splitlines()
)


async def by_curl(command: str, address: str, turn_id: str = "") -> str:
    line = command.replace("http://127.0.0.1:8050", address).replace("TURN_ID", turn_id)
    process = await asyncio.create_subprocess_shell(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output, _ = await process.communicate()
    return output.decode()


def events_of(text: str) -> list[tuple[str, str, Any]]:
    """Name, id and content of each event."""
    found = re.findall(r"event: (\w+)\nid: (\S+)\ndata: (.+)\n\n", text)
    return [(name, event_id, json.loads(data)) for name, event_id, data in found]


async def test_a_turn_is_asked_and_gone_on_with_as_the_page_says(suite: RunningSuite) -> None:
    async with serving(suite) as address:
        events = events_of(await by_curl(ASK, address))
        names = [name for name, *_ in events]
        assert {"state", "ref_answer", "text", "text_end", "completed"} <= set(names)
        assert names[-1] == "completed"
        (end,) = (content["text_end"]["text"] for name, _, content in events if name == "text_end")
        assert "25 May 2008" in end
        turn_id = events[0][2]["turn_id"]
        assert [event_id for _, event_id, _ in events] == [f"{turn_id}/{content['seq']}" for *_, content in events]
        for command in (GO_ON, ASK_ON):
            assert events_of(await by_curl(command, address, turn_id)) == events[3:]
        assert json.loads(await by_curl(CANCEL, address, turn_id)) == {"state": "TURN_STATE_COMPLETED"}


@pytest.mark.parametrize(
    ("body", "field"),
    [({"question": " "}, "question"), ({"question": "x", "options": {"collection": "a b"}}, "options.collection")],
)
async def test_what_breaks_a_rule_of_the_contract_names_its_field(suite: RunningSuite, body: Any, field: str) -> None:
    async with http_client(suite) as client:
        response = await client.post("/v1/turns", json=body)
    assert (response.status_code, response.json()["error"]["violations"][0]["field"]) == (400, field)


async def test_an_unknown_collection_is_not_found(suite: RunningSuite) -> None:
    async with http_client(suite) as client:
        response = await client.post("/v1/turns", json={"question": "x", "options": {"collection": "nowhere"}})
    state, *_, failed = response.text.rstrip().split("\n\n")
    assert state.startswith("event: state\n"), "a turn that can be resumed says at once that it began"
    assert failed.startswith("event: failed\n")
    assert json.loads(failed.partition("data: ")[2])["error"]["reason"] == "COLLECTION_NOT_FOUND"


async def test_a_turn_of_others_cannot_be_followed(suite: RunningSuite) -> None:
    async with http_client(suite) as client:
        asked = await client.post(
            "/v1/turns", json={"question": "When did Phoenix land on Mars?"}, headers={"x-parley-principal": "alice"}
        )
        turn_id = events_of(asked.text)[0][2]["turn_id"]
        assert (await client.get(f"/v1/turns/{turn_id}")).status_code == 404
        own = await client.get(f"/v1/turns/{turn_id}", headers={"x-parley-principal": "alice"})
    assert events_of(own.text) == events_of(asked.text)
