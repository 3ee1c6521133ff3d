"""What every store of the gateway must do. A test class inherits these and gives the fixture `open_store`."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import pytest

from gateway.store.contexts import ContextStore, StoredContext, StoredQuestion, TurnStore
from libs.runtime.errors import Conflict

QUESTION = StoredQuestion("q-1", "retry\nann", "mark", b"\x00pending\xff")


class Store(ContextStore, TurnStore, Protocol):
    """Both at once."""


OpenStore = Callable[..., AbstractAsyncContextManager[Store]]
"""Opens the same store once more, as another gateway would; takes `keep_seconds`."""


class StoreBehaviours:
    """One test a behaviour."""

    async def test_a_session_is_new_until_its_first_turn_is_kept(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            assert await store.load("s") is None
            await store.save("s", b"\x00one", 1)
            assert await store.load("s") == StoredContext(b"\x00one", 1)

    async def test_what_one_gateway_kept_another_one_reads_at_once(self, open_store: OpenStore) -> None:
        async with open_store() as one, open_store() as other:
            await one.save("s", b"one", 1)
            assert await other.load("s") == StoredContext(b"one", 1)
            await other.save("s", b"two", 2)
            assert await one.load("s") == StoredContext(b"two", 2)

    async def test_it_is_there_after_the_store_was_closed(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            await store.save("s", b"one", 1)
            await store.put_question(QUESTION)
        async with open_store() as store:
            assert await store.load("s") == StoredContext(b"one", 1)
            assert await store.question("q-1") == QUESTION

    @pytest.mark.parametrize("version", [1, 2, 4])
    async def test_a_version_that_is_not_the_next_one_loses(self, open_store: OpenStore, version: int) -> None:
        async with open_store() as store:
            await store.save("s", b"one", 1)
            await store.save("s", b"two", 2)
            with pytest.raises(Conflict, match="SESSION_CONFLICT"):
                await store.save("s", b"late", version)
            assert await store.load("s") == StoredContext(b"two", 2)

    async def test_a_second_turn_of_a_session_that_is_gone_loses(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            with pytest.raises(Conflict):
                await store.save("s", b"two", 2)

    @pytest.mark.parametrize("version", [1, 2])
    async def test_of_writers_side_by_side_exactly_one_wins(self, open_store: OpenStore, version: int) -> None:
        async with open_store() as one, open_store() as other:
            if version == 2:
                await one.save("s", b"first", 1)
            saves = [store.save("s", f"{number}".encode(), version) for number, store in enumerate((one, other) * 5)]
            outcomes = await asyncio.gather(*saves, return_exceptions=True)
            winners = [number for number, outcome in enumerate(outcomes) if outcome is None]
            assert len(winners) == 1
            assert all(isinstance(outcome, Conflict) for outcome in outcomes if outcome is not None)
            assert await one.load("s") == StoredContext(f"{winners[0]}".encode(), version)

    async def test_a_question_waits_for_its_second_phase_by_id_and_by_retry_key(self, open_store: OpenStore) -> None:
        async with open_store() as one, open_store() as other:
            await one.put_question(QUESTION)
            assert await other.question("q-1") == QUESTION
            assert await other.question_by_retry("retry\nann") == QUESTION

    async def test_questions_without_a_retry_key_do_not_disturb_each_other(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            questions = [StoredQuestion(f"q-{number}", "", "mark", b"pending") for number in range(2)]
            for question in questions:
                await store.put_question(question)
            assert [await store.question(question.question_id) for question in questions] == questions

    async def test_unknown_questions_and_answers_are_none(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            assert await store.question("q-1") is None
            assert await store.question_by_retry("retry") is None
            assert await store.answer("retry") is None

    async def test_an_answer_comes_back_event_by_event(self, open_store: OpenStore) -> None:
        async with open_store() as one, open_store() as other:
            await one.put_answer("key" * 400, "mark", [b"\x001", b"2", b""])
            assert await other.answer("key" * 400) == ("mark", [b"\x001", b"2", b""])

    async def test_a_later_answer_takes_the_place_of_an_earlier_one(self, open_store: OpenStore) -> None:
        async with open_store() as store:
            await store.put_answer("key", "mark", [b"1", b"2"])
            await store.put_answer("key", "other", [b"3"])
            assert await store.answer("key") == ("other", [b"3"])

    async def test_what_is_too_old_is_gone_but_a_session_stays(self, open_store: OpenStore) -> None:
        async with open_store(keep_seconds=0.001) as store:
            await store.put_question(QUESTION)
            await store.put_answer("key", "mark", [b"1"])
            await store.save("s", b"one", 1)
            await asyncio.sleep(0.01)
            assert await store.question("q-1") is None
            assert await store.question_by_retry("retry\nann") is None
            assert await store.answer("key") is None
            assert await store.load("s") == StoredContext(b"one", 1)

    async def test_a_large_conversation_comes_back_whole(self, open_store: OpenStore) -> None:
        content = bytes(range(256)) * 8192
        async with open_store() as store:
            await store.save("s", content, 1)
            assert await store.load("s") == StoredContext(content, 1)
