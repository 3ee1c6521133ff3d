"""OpenAI's embeddings from a gateway that is played."""

import base64
import struct
from typing import Any

import pytest

from parley.retrieve.v1 import inference_pb2
from tests.unit.doors.conftest import Doors

PATH = "/v1/embeddings"
QUERY, PASSAGE = inference_pb2.TEXT_KIND_QUERY, inference_pb2.TEXT_KIND_PASSAGE


async def test_each_text_has_its_vector_in_order(doors: Doors) -> None:
    response = await doors.http.post(PATH, json={"model": "parley", "input": ["one text", "and another one"]})
    assert response.json() == {
        "object": "list",
        "model": "mini",
        "data": [
            {"object": "embedding", "index": 0, "embedding": [8, 0, PASSAGE]},
            {"object": "embedding", "index": 1, "embedding": [15, 1, PASSAGE]},
        ],
        "usage": {"prompt_tokens": 5, "total_tokens": 5},
    }


async def test_a_text_alone_is_a_list_of_one(doors: Doors) -> None:
    response = await doors.http.post(PATH, json={"input": "one text", "input_type": "query", "user": None})
    assert [each["embedding"] for each in response.json()["data"]] == [[8, 0, QUERY]]


async def test_base64_is_the_same_numbers_as_bytes(doors: Doors) -> None:
    response = await doors.http.post(PATH, json={"input": "one text", "encoding_format": "base64"})
    (data,) = response.json()["data"]
    assert struct.unpack("<3f", base64.b64decode(data["embedding"])) == (8, 0, PASSAGE)


@pytest.mark.parametrize("more", [{"model": "mini"}, {"dimensions": 3}, {"dimensions": None}])
async def test_what_the_model_is_may_be_named(doors: Doors, more: dict[str, Any]) -> None:
    assert (await doors.http.post(PATH, json={"input": "x", **more})).status_code == 200


@pytest.mark.parametrize(
    ("body", "field", "status"),
    [
        ({"input": "x", "dimensions": 2}, "dimensions", 400),
        ({"input": "x", "model": "text-embedding-3-small"}, "model", 404),
        ({"input": "x", "encoding_format": "hex"}, "encoding_format", 400),
        ({"input": "x", "input_type": "image"}, "input_type", 400),
        ({"input": ""}, "input.0", 400),
        ({"input": ["x", ""]}, "input.1", 400),
        ({"input": ["x", "y" * 65_537]}, "input.1", 400),
        ({"input": [[1, 2]]}, "input.0", 400),
        ({"input": [1, 2]}, "input.0", 400),
        ({"input": []}, "input", 400),
        ({"input": ["x"] * 1025}, "input", 400),
        ({"input": None}, "input", 400),
        ({}, "input", 400),
    ],
)
async def test_what_cannot_be_done_is_refused_by_its_field(
    doors: Doors, body: dict[str, Any], field: str, status: int
) -> None:
    response = await doors.http.post(PATH, json=body)
    assert (response.status_code, response.json()["error"]["param"]) == (status, field)
    assert response.json()["error"]["message"]


async def test_a_body_that_is_too_large_is_refused(doors: Doors) -> None:
    assert (await doors.http.post(PATH, content=b" " * (4 * 2**20 + 1))).status_code == 413


async def test_the_caller_is_told_to_the_gateway(doors: Doors) -> None:
    await doors.http.post(PATH, json={"input": "x"}, headers={"authorization": "Bearer x"})
    assert doors.gateway.metadata["authorization"] == ["Bearer x"]
