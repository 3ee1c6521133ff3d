"""Titles of stored sessions, as their owners give them, over a real store."""

from dataclasses import replace

import pytest

from gateway.session.sessions import Sessions
from gateway.store.session_store import SessionStore
from gateway.store.sessions import StoredSession
from gateway.store.stores import Stores
from libs.runtime.errors import Conflict, NotFound
from tests.unit.gateway.stored_sessions import ANN, converse


async def test_the_owner_gives_a_session_a_title(stores: Stores, sessions: Sessions) -> None:
    await converse(stores, turns=2)
    before = await sessions.session("s", ANN)
    assert await sessions.rename("s", ANN, "Viking") == replace(before, title="Viking")
    assert await sessions.session("s", ANN) == replace(before, title="Viking")
    assert [each.title for each in (await sessions.page(ANN, 10, "")).sessions] == ["Viking"]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("  Mars,\n\tEarth\u3000 and  Venus ", "Mars, Earth and Venus"), ("Größe", "Größe"), (" \n ", ""), ("", "")],
)
async def test_a_title_is_put_on_one_line(stores: Stores, sessions: Sessions, title: str, expected: str) -> None:
    await converse(stores)
    await sessions.rename("s", ANN, "An earlier one")
    assert (await sessions.rename("s", ANN, title)).title == expected
    assert (await sessions.session("s", ANN)).title == expected


async def test_a_turn_that_comes_between_does_not_hinder_it(
    stores: Stores, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    await converse(stores)
    rename, attempts = SessionStore.rename, []

    async def late_rename(self: SessionStore, session: StoredSession, title: str) -> bool:
        attempts.append(session.version)
        if len(attempts) == 1:
            await converse(stores)
        return await rename(self, session, title)

    monkeypatch.setattr(SessionStore, "rename", late_rename)
    assert (await sessions.rename("s", ANN, "Named")).version == 2
    assert attempts == [1, 2]
    assert (await sessions.session("s", ANN)).title == "Named"


async def test_who_is_no_longer_an_owner_does_not_rename(
    stores: Stores, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    await converse(stores)
    rename = SessionStore.rename

    async def late_rename(self: SessionStore, session: StoredSession, title: str) -> bool:
        await converse(stores, principals=("ann", "team"))
        return await rename(self, session, title)

    monkeypatch.setattr(SessionStore, "rename", late_rename)
    with pytest.raises(NotFound):
        await sessions.rename("s", ANN, "Named")
    assert (await sessions.session("s", ("ann", "team"))).title == ""


async def test_it_gives_up_where_turns_come_as_fast(
    stores: Stores, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(self: SessionStore, session: StoredSession, title: str) -> bool:
        return False

    await converse(stores)
    monkeypatch.setattr(SessionStore, "rename", refuse)
    with pytest.raises(Conflict) as refused:
        await sessions.rename("s", ANN, "Named")
    assert refused.value.reason == "SESSION_CONFLICT"
