"""The bytes of a stream as chunks: wherever they are cut, whatever happens while nobody reads."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.llm.chunks import chunks_of
from libs.llm.errors import LlmUnusable

TOLD = [{"n": 1}, {"text": "é\n"}, [], 4]
BODY = ": hello\n\n" + "".join(f"event: x\r\ndata:{json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in TOLD)


async def parts(*chunks: bytes, then: BaseException | None = None) -> AsyncGenerator[bytes, None]:
    for part in chunks:
        yield part
    if then is not None:
        raise then


async def all_of(source: AsyncIterator[bytes], seconds: float | None = None) -> list[object]:
    return [chunk async for together in chunks_of(source, seconds) for chunk in together]


async def read_slowly(source: AsyncIterator[bytes], came: list[object]) -> None:
    async for together in chunks_of(source, None):
        came += together
        await asyncio.sleep(0.01)


@given(st.lists(st.integers(0, len(BODY.encode())), max_size=6))
def test_the_chunks_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    body = BODY.encode()
    cut = [body[first:last] for first, last in pairwise([0, *sorted(cuts), len(body)])]
    assert asyncio.run(all_of(parts(*cut))) == TOLD


async def test_what_comes_after_the_stream_s_own_end_is_not_read() -> None:
    assert await all_of(parts(b"data: 1\n\ndata: [DONE]\n\n", b"data: {\n\n", then=OSError())) == [1]


async def test_what_came_before_a_failure_is_handed_over_first() -> None:
    came: list[object] = []
    with pytest.raises(ConnectionResetError):
        await read_slowly(parts(b"data: 1\n\n", b"data: 2\n\n", then=ConnectionResetError()), came)
    assert came == [1, 2]


async def test_what_came_while_nobody_read_is_one_list() -> None:
    lists = chunks_of(parts(*(b"data: %d\n\n" % n for n in range(5))), None)
    first = await anext(lists)
    await asyncio.sleep(0.01)
    assert [first, *[together async for together in lists]] == [[0], [1, 2, 3, 4]]


async def test_an_event_that_is_no_json_is_told_after_those_before_it() -> None:
    came: list[object] = []
    with pytest.raises(LlmUnusable):
        await read_slowly(parts(b"data: 1\n\ndata: {\n\ndata: 3\n\n"), came)
    assert came == [1]


async def test_a_stream_that_is_left_is_read_no_further() -> None:
    reads = 0

    async def endless() -> AsyncGenerator[bytes, None]:
        nonlocal reads
        while True:
            reads += 1
            await asyncio.sleep(0.001)
            yield b"data: 1\n\n"

    lists = chunks_of(endless(), None)
    await anext(lists)
    await lists.aclose()
    before = reads
    await asyncio.sleep(0.02)
    assert reads == before


async def test_time_is_up_even_between_two_pieces() -> None:
    async def silent() -> AsyncGenerator[bytes, None]:
        yield b"data: 1\n\n"
        await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        await all_of(silent(), 0.05)
