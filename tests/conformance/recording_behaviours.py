"""What the store of recordings does over every storage."""

import time
from dataclasses import replace

from gateway.store.recordings import RecordingPart, RecordingStore
from gateway.store.tables import Storage


def part(turn_id: str = "q-1", content: bytes = b"\x00one", ago: float = 0.0, session_id: str = "s") -> RecordingPart:
    """The first phase of a turn that began `ago` seconds ago."""
    return RecordingPart(turn_id, 1, session_id, time.time() - ago, content)


class RecordingBehaviours:
    """One test a behaviour."""

    async def test_the_phases_of_a_turn_come_in_their_order(self, store: RecordingStore) -> None:
        await store.put(replace(part(), phase=2, content=b"two"))
        await store.put(part())
        assert await store.parts("q-1") == [b"\x00one", b"two"]

    async def test_a_phase_that_is_run_again_replaces_its_recording(self, store: RecordingStore) -> None:
        await store.put(part())
        await store.put(part(content=b"again"))
        assert await store.parts("q-1") == [b"again"]

    async def test_a_deleted_session_is_not_recorded(self, store: RecordingStore, other_store: RecordingStore) -> None:
        await store.put(part())
        await store.put(part("q-2", session_id="t"))
        await other_store.forget(["s", "unknown"])
        assert not await store.parts("q-1")
        assert await store.parts("q-2")

    async def test_a_turn_that_ran_while_its_session_was_deleted_leaves_nothing(self, store: RecordingStore) -> None:
        running = part(ago=1.0)
        await store.forget(["s"])
        await store.put(running)
        assert not await store.parts("q-1")

    async def test_a_new_session_of_the_same_id_is_recorded(self, store: RecordingStore) -> None:
        await store.forget(["s"])
        await store.put(part(ago=-0.01))
        assert await store.parts("q-1")

    async def test_a_conversation_that_its_client_keeps_is_not_deleted_with_others(self, store: RecordingStore) -> None:
        await store.put(part(session_id=""))
        await store.forget([""])
        assert await store.parts("q-1")

    async def test_an_old_recording_is_gone(self, storage: Storage) -> None:
        store = RecordingStore(storage, keep_seconds=60)
        await store.put(part("q-old", ago=61))
        await store.put(part("q-new", ago=59))
        assert not await store.parts("q-old")
        assert await store.parts("q-new")

    async def test_beyond_the_limit_the_oldest_are_deleted(self, storage: Storage) -> None:
        store = RecordingStore(storage, max_bytes=250)
        for number in range(4):
            await store.put(part(f"q-{number}", bytes(100), ago=10 - number))
        await store.expire()
        assert [len(await store.parts(f"q-{number}")) for number in range(4)] == [0, 0, 1, 1]
