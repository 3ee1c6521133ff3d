"""The bytes of a stream as chunks: wherever they are cut, whatever happens while nobody reads."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from libs.llm.chunks import chunks_of

TOLD = [{"n": 1}, {"text": "é\n"}, [], 4]
BODY = ": hello\n\n" + "".join(f"event: x\r\ndata:{json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in TOLD)


async def parts(*chunks: bytes, then: BaseException | None = None) -> AsyncGenerator[bytes, None]:
    for part in chunks:
        yield part
    if then is not None:
        raise then


async def all_of(source: AsyncIterator[bytes]) -> list[object]:
    return [chunk async for together in chunks_of(source, None) for chunk in together]


@given(st.lists(st.integers(0, len(BODY.encode())), max_size=6))
def test_the_chunks_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    body = BODY.encode()
    cut = [body[first:last] for first, last in pairwise([0, *sorted(cuts), len(body)])]
    assert asyncio.run(all_of(parts(*cut))) == TOLD


async def test_what_comes_after_the_stream_s_own_end_is_not_read() -> None:
    assert await all_of(parts(b"data: 1\n\ndata: [DONE]\n\n", b"data: {\n\n", then=OSError())) == [1]


async def test_what_came_while_nobody_read_is_one_list() -> None:
    lists = chunks_of(parts(*(b"data: %d\n\n" % n for n in range(5))), None)
    first = await anext(lists)
    await asyncio.sleep(0.01)
    assert [first, *[together async for together in lists]] == [[0], [1, 2, 3, 4]]
