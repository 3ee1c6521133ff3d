"""What the stores of sessions and questions do over every storage."""

import asyncio
import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from gateway.store.logged_turns import Lease, TurnStart
from gateway.store.retries import StoredQuestion
from gateway.store.session_store import SessionStore
from gateway.store.sessions import Addition, StoredSession, StoredTurn
from gateway.store.stores import Stores, stores_over
from gateway.store.tables import Storage
from libs.runtime.errors import Conflict

QUESTION = StoredQuestion("q-1", "retry\nann", "mark", b"\x00pending\xff", "s")
NOON = datetime(2026, 5, 25, 12, tzinfo=UTC)


def digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def addition(session: StoredSession, *contents: bytes, texts: tuple[bytes, ...] = (), turn_id: str = "") -> Addition:
    """Turns with these contents, each of which names all the texts."""
    digests = b"".join(map(digest, texts))
    first = session.version + 1
    turns = tuple(
        StoredTurn(turn_id or f"q-{session.session_id}-{position}", position, NOON, content, digests)
        for position, content in enumerate(contents, start=first)
    )
    after = replace(session, version=turns[-1].position, view=b"view after " + contents[-1])
    return Addition(after, turns, {digest(text): text for text in texts})


def new(session_id: str = "s", *principals: str, hours: int = 0) -> StoredSession:
    """A session before its first turn."""
    moment = NOON + timedelta(hours=hours)
    return StoredSession(session_id, principals, first_question=f"About {session_id}", created=moment, updated=moment)


async def stored(store: SessionStore, session_id: str = "s") -> StoredSession:
    session = await store.session(session_id)
    assert session is not None
    return session


async def contents(store: SessionStore, session_id: str = "s") -> list[bytes]:
    session = await stored(store, session_id)
    return [turn.content for turn in await store.turns(session, 1, session.version)]


async def texts(store: SessionStore, session: StoredSession, *wanted: bytes) -> list[bytes]:
    """Those of the texts that are stored for the session."""
    return list((await store.texts(session, list(map(digest, wanted)))).values())


async def delete(store: SessionStore, session_id: str) -> None:
    assert await store.hide(session_id, (await stored(store, session_id)).version)
    await store.remove(session_id)


class StoreBehaviours:
    """One test a behaviour."""

    async def test_a_session_is_new_until_its_first_turn_is_stored(self, stores: Stores) -> None:
        assert await stores.sessions.session("s") is None
        await stores.sessions.add(addition(new("s", "ann"), b"\x00one", texts=(b"text",)))
        session = await stored(stores.sessions)
        expected = replace(new("s", "ann"), version=1, view=b"view after \x00one", key=session.key)
        assert session == expected
        assert await stores.sessions.turns(session, 1, 9) == [StoredTurn("q-s-1", 1, NOON, b"\x00one", digest(b"text"))]

    async def test_what_one_gateway_stored_another_reads_at_once(self, stores: Stores, other_stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        await other_stores.sessions.add(addition(await stored(other_stores.sessions), b"two"))
        await stores.sessions.add(addition(await stored(stores.sessions), b"three"))
        assert await contents(other_stores.sessions) == [b"one", b"two", b"three"]

    async def test_a_session_may_begin_with_several_turns(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one", b"two", b"three"))
        await stores.sessions.add(addition(await stored(stores.sessions), b"four"))
        assert await contents(stores.sessions) == [b"one", b"two", b"three", b"four"]
        turns = await stores.sessions.turns(await stored(stores.sessions), 2, 3)
        assert [turn.position for turn in turns] == [2, 3, 4]

    async def test_a_turn_that_read_an_older_version_loses(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        early = await stored(stores.sessions)
        await stores.sessions.add(addition(early, b"two"))
        for session in (new(), early, replace(early, version=4)):
            with pytest.raises(Conflict, match="SESSION_CONFLICT"):
                await stores.sessions.add(addition(session, b"late"))
        assert await contents(stores.sessions) == [b"one", b"two"]

    async def test_a_turn_of_a_deleted_session_loses_even_if_its_id_is_used_again(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        early = await stored(stores.sessions)
        await delete(stores.sessions, "s")
        with pytest.raises(Conflict):
            await stores.sessions.add(addition(early, b"two"))
        await stores.sessions.add(addition(new(), b"other"))
        with pytest.raises(Conflict):
            await stores.sessions.add(addition(early, b"two"))
        assert await contents(stores.sessions) == [b"other"]

    @pytest.mark.parametrize("version", [0, 1])
    async def test_of_64_writers_at_once_one_wins(self, stores: Stores, other_stores: Stores, version: int) -> None:
        if version:
            await stores.sessions.add(addition(new(), b"first"))
        session = await stores.sessions.session("s") or new()
        outcomes = await asyncio.gather(
            *(
                each.sessions.add(addition(session, f"{number}".encode(), texts=(f"{number}".encode(),)))
                for number, each in enumerate((stores, other_stores) * 32)
            ),
            return_exceptions=True,
        )
        winners = [number for number, outcome in enumerate(outcomes) if outcome is None]
        assert len(winners) == 1
        assert all(isinstance(outcome, Conflict) for outcome in outcomes if outcome is not None)
        assert (await contents(stores.sessions))[version:] == [f"{winners[0]}".encode()]

    async def test_writers_that_try_again_lose_no_turn(self, stores: Stores, other_stores: Stores) -> None:
        async def write(number: int, store: SessionStore) -> None:
            while True:
                session = await store.session("s") or new()
                try:
                    return await store.add(addition(session, f"{number}".encode()))
                except Conflict:
                    await asyncio.sleep(0)

        await asyncio.gather(*(write(number, each.sessions) for number, each in enumerate((stores, other_stores) * 4)))
        assert sorted(await contents(stores.sessions)) == [f"{number}".encode() for number in range(8)]

    async def test_the_texts_of_a_session_go_with_it_and_not_with_another_one(self, stores: Stores) -> None:
        shared, own = b"shared", b"own"
        await stores.sessions.add(addition(new("a"), b"one", b"two", texts=(shared, own, shared)))
        await stores.sessions.add(addition(new("b"), b"one", texts=(shared,)))
        a, b = await stored(stores.sessions, "a"), await stored(stores.sessions, "b")
        assert await texts(stores.sessions, a, shared, own, b"never stored") == [shared, own]
        await delete(stores.sessions, "a")
        assert await texts(stores.sessions, a, shared, own) == []
        assert await texts(stores.sessions, b, shared, own) == [shared]

    async def test_a_turn_that_lost_leaves_nothing_behind_its_session(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one", texts=(b"text",)))
        early = await stored(stores.sessions)
        await stores.sessions.add(addition(early, b"two"))
        with pytest.raises(Conflict):
            await stores.sessions.add(addition(early, b"late", texts=(b"text", b"its own")))
        assert await texts(stores.sessions, early, b"text") == [b"text"]
        await delete(stores.sessions, "s")
        with pytest.raises(Conflict):
            await stores.sessions.add(addition(early, b"late", texts=(b"text", b"its own")))
        assert await texts(stores.sessions, early, b"text", b"its own") == []

    async def test_a_turn_is_found_by_its_id(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one", b"two"))
        for position, content in ((1, b"one"), (2, b"two")):
            match = await stores.sessions.turn(f"q-s-{position}")
            assert match is not None
            assert (match[0].session_id, match[1].content) == ("s", content)
        assert await stores.sessions.turn("q-none") is None
        await stores.sessions.hide("s", 2)
        assert await stores.sessions.turn("q-s-1") is None

    async def test_callers_see_their_own_sessions_the_latest_first(self, stores: Stores) -> None:
        owners: Mapping[str, tuple[str, ...]] = {
            "a": ("ann",),
            "b": ("bea",),
            "c": ("ann", "team"),
            "d": (),
            "e": ("ann",),
        }
        for hours, (name, principals) in enumerate(owners.items()):
            await stores.sessions.add(addition(new(name, *principals, hours=hours), b"one"))
        expected = {
            ("ann",): ["e", "a"],
            ("team", "ann", "ann"): ["e", "c", "a"],
            ("bea",): ["b"],
            ("team",): [],
            (): ["d"],
        }
        for caller, names in expected.items():
            sessions = await stores.sessions.sessions(caller, 10)
            assert [session.session_id for session in sessions] == names
            assert all(session.first_question == f"About {session.session_id}" for session in sessions)

    async def test_a_new_turn_moves_its_session_to_the_front_and_may_add_owners(self, stores: Stores) -> None:
        for hours, name in enumerate("ab"):
            await stores.sessions.add(addition(new(name, "ann", hours=hours), b"one"))
        early = await stored(stores.sessions, "a")
        later = replace(early, updated=NOON + timedelta(days=1), principals=("ann", "x"))
        await stores.sessions.add(addition(later, b"two"))
        assert [each.session_id for each in await stores.sessions.sessions(("ann", "x"), 10)] == ["a", "b"]
        assert [each.session_id for each in await stores.sessions.sessions(("ann",), 10)] == ["b"]

    async def test_pages_follow_each_other_without_gap_or_repetition(self, stores: Stores) -> None:
        for number in range(7):
            await stores.sessions.add(addition(new(f"s-{number}", "ann", hours=number // 3), b"one"))
        names: list[str] = []
        after = None
        while page := await stores.sessions.sessions(("ann",), 2, after):
            names += [session.session_id for session in page]
            after = page[-1].updated, page[-1].session_id
        assert sorted(names) == [f"s-{number}" for number in range(7)]
        updates = [(await stored(stores.sessions, name)).updated for name in names]
        assert all(earlier >= later for earlier, later in pairwise(updates))

    async def test_a_hidden_session_is_gone_until_it_is_removed(self, stores: Stores, other_stores: Stores) -> None:
        await stores.sessions.add(addition(new("s", "ann"), b"one", texts=(b"text",)))
        session = await stored(stores.sessions)
        assert not await stores.sessions.hide("s", 2)
        assert await stores.sessions.hide("s", 1)
        assert await other_stores.sessions.session("s") is None
        assert await other_stores.sessions.sessions(("ann",), 10) == []
        with pytest.raises(Conflict):
            await other_stores.sessions.add(addition(session, b"two"))
        assert await other_stores.sessions.hidden(10) == ["s"]
        await other_stores.sessions.remove("s")
        assert await stores.sessions.hidden(10) == []
        assert await texts(stores.sessions, session, b"text") == []

    async def test_removing_what_is_not_hidden_does_nothing(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        await stores.sessions.remove("s")
        await stores.sessions.remove("none")
        assert await contents(stores.sessions) == [b"one"]

    async def test_old_and_surplus_sessions_are_told(self, stores: Stores) -> None:
        for number in range(4):
            await stores.sessions.add(addition(new(f"s-{number}", hours=number), b"one"))
        outdated = await stores.sessions.outdated(NOON + timedelta(hours=1, minutes=30), 10)
        assert [session.session_id for session in outdated] == ["s-0", "s-1"]
        assert [session.session_id for session in await stores.sessions.outdated(NOON, 10)] == []
        assert [session.version for session in await stores.sessions.outdated(NOON + timedelta(9), 3)] == [1] * 3
        surplus = await stores.sessions.surplus(3, 10)
        assert [session.session_id for session in surplus] == ["s-0"]
        assert await stores.sessions.surplus(4, 10) == []

    async def test_a_long_session_is_removed_whole(self, stores: Stores) -> None:
        own = tuple(f"text {number}".encode() for number in range(9))
        await stores.sessions.add(addition(new(), *(b"turn" for _ in range(600)), texts=own))
        session = await stored(stores.sessions)
        assert len(await stores.sessions.turns(session, 1, 600)) == 600
        await delete(stores.sessions, "s")
        assert await stores.sessions.session("s") is None
        assert await texts(stores.sessions, session, *own) == []
        await stores.sessions.add(addition(new(), b"again"))
        assert await contents(stores.sessions) == [b"again"]

    async def test_a_large_turn_comes_back_whole(self, stores: Stores) -> None:
        content = bytes(range(256)) * 1024
        await stores.sessions.add(addition(new(), content, texts=(content,)))
        assert await contents(stores.sessions) == [content]
        assert await texts(stores.sessions, await stored(stores.sessions), content) == [content]

    async def test_a_question_waits_for_phase_two_by_id_and_key(self, stores: Stores, other_stores: Stores) -> None:
        await stores.retries.put_question(QUESTION)
        assert await other_stores.retries.question("q-1") == QUESTION
        assert await other_stores.retries.question_by_retry("retry\nann") == QUESTION

    async def test_questions_without_a_retry_key_do_not_disturb_each_other(self, stores: Stores) -> None:
        questions = [StoredQuestion(f"q-{number}", "", "mark", b"pending") for number in range(2)]
        for question in questions:
            await stores.retries.put_question(question)
        assert [await stores.retries.question(question.question_id) for question in questions] == questions

    async def test_what_is_too_old_is_gone_but_a_session_stays(self, storage: Storage) -> None:
        stores = stores_over(storage, storage, keep_seconds=0.001)
        await stores.retries.put_question(QUESTION)
        await stores.sessions.add(addition(new(), b"one"))
        await asyncio.sleep(0.01)
        assert await stores.retries.question("q-1") is None
        assert await stores.retries.question_by_retry("retry\nann") is None
        assert await contents(stores.sessions) == [b"one"]

    async def test_questions_and_events_are_forgotten_with_their_session(self, stores: Stores) -> None:
        await stores.retries.put_question(QUESTION)
        await stores.retries.put_question(replace(QUESTION, question_id="q-2", retry_key="", session_id=""))
        for session_id in ("s", "t", ""):
            start = TurnStart(f"turn-{session_id}", b"request", session_id)
            await stores.events.begin(start, Lease("one", time.time() + 60))
        for data in (stores.retries, stores.recordings, stores.events):
            await data.forget(["s", "u"])
        assert await stores.retries.question("q-1") is None
        assert await stores.retries.question_by_retry("retry\nann") is None
        assert await stores.retries.question("q-2") is not None
        logged = [await stores.events.turn(f"turn-{session_id}") for session_id in ("s", "t", "")]
        assert [turn is not None for turn in logged] == [False, True, True]
