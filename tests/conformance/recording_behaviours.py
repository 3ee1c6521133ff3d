"""What every store of recordings must do. A test class inherits these and gives the fixture `open_recordings`."""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from gateway.store.recordings import RecordingPart, RecordingStore

OpenRecordings = Callable[..., AbstractAsyncContextManager[RecordingStore]]
"""Opens the same store once more, as another gateway would; takes `keep_seconds` and `max_bytes`."""


def part(turn_id: str = "q-1", content: bytes = b"\x00one", ago: float = 0.0, session_id: str = "s") -> RecordingPart:
    """The first phase of a turn that began `ago` seconds ago."""
    return RecordingPart(turn_id, 1, session_id, time.time() - ago, content)


class RecordingBehaviours:
    """One test a behaviour."""

    async def test_what_one_gateway_recorded_another_one_reads(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings() as one, open_recordings() as other:
            assert not await other.parts("q-1")
            await one.put(part())
            assert await other.parts("q-1") == [b"\x00one"]

    async def test_the_phases_of_a_turn_come_in_their_order(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings() as store:
            await store.put(replace(part(), phase=2, content=b"two"))
            await store.put(part())
            assert await store.parts("q-1") == [b"\x00one", b"two"]

    async def test_a_phase_that_is_run_again_replaces_its_recording(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings() as store:
            await store.put(part())
            await store.put(part(content=b"again"))
            assert await store.parts("q-1") == [b"again"]

    async def test_a_deleted_session_takes_its_recordings_with_it(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings() as one, open_recordings() as other:
            await one.put(part())
            await one.put(part("q-2", session_id="t"))
            await other.forget(["s", "unknown"])
            assert not await one.parts("q-1")
            assert await one.parts("q-2")

    async def test_a_turn_that_ran_while_its_session_was_deleted_leaves_nothing(
        self, open_recordings: OpenRecordings
    ) -> None:
        async with open_recordings() as store:
            running = part(ago=1.0)
            await store.forget(["s"])
            await store.put(running)
            assert not await store.parts("q-1")

    async def test_a_new_session_of_the_same_id_is_recorded(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings() as store:
            await store.forget(["s"])
            await store.put(part(ago=-0.01))
            assert await store.parts("q-1")

    async def test_a_conversation_that_its_client_stores_is_not_deleted_with_others(
        self, open_recordings: OpenRecordings
    ) -> None:
        async with open_recordings() as store:
            await store.put(part(session_id=""))
            await store.forget([""])
            assert await store.parts("q-1")

    async def test_an_old_recording_is_gone(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings(keep_seconds=60) as store:
            await store.put(part("q-old", ago=61))
            await store.put(part("q-new", ago=59))
            assert not await store.parts("q-old")
            assert await store.parts("q-new")

    async def test_beyond_the_limit_the_oldest_are_deleted(self, open_recordings: OpenRecordings) -> None:
        async with open_recordings(max_bytes=250) as store:
            for number in range(4):
                await store.put(part(f"q-{number}", bytes(100), ago=10 - number))
            await store.expire()
            assert [len(await store.parts(f"q-{number}")) for number in range(4)] == [0, 0, 1, 1]

    async def test_a_large_recording_comes_back_whole(self, open_recordings: OpenRecordings) -> None:
        content = bytes(range(256)) * 8192
        async with open_recordings() as store:
            await store.put(part(content=content))
            assert await store.parts("q-1") == [content]
