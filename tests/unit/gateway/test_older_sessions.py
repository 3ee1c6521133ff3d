"""A `sessions.db` of an older version is brought up to date when it is opened."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.request import TurnRequest
from gateway.session.context_codec import SessionCodec
from gateway.session.conversation import view_of
from gateway.session.conversations import Conversations
from gateway.session.row_codec import RowCodec
from gateway.store.sqlite import sqlite_stores
from gateway.store.sqlite_schema import VERSION
from gateway.store.stores import Stores
from libs.contracts.session import SessionContext
from tests.fakes.older_sessions import (
    ASKED,
    TABLES,
    UPDATED,
    older_content,
    older_session,
    take_titles_away,
    write_older_sessions,
)
from tests.unit.gateway.turning import stored_turns

LONG, SHORT = older_session("long", 40, "ann"), older_session("short", 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_older_sessions(tmp_path / "sessions.db", (LONG, SHORT))
    return tmp_path / "sessions.db"


@asynccontextmanager
async def opened(file: Path) -> AsyncIterator[Stores]:
    async with sqlite_stores(file, 60, RowCodec().read_older) as stores:
        yield stores


async def test_sessions_come_back_with_turns_texts_owners_and_times(file: Path) -> None:
    async with opened(file) as stores:
        for context in (LONG, SHORT):
            assert tuple(await stored_turns(stores, context.session_id)) == context.turns
        session = await stores.sessions.session("long")
    assert session is not None
    assert (session.version, session.principals, session.first_question) == (40, ("ann",), "Question 0?")
    assert (session.created, session.updated) == (ASKED, UPDATED)


async def test_the_next_turn_follows_up_as_before(file: Path) -> None:
    async with opened(file) as stores:
        conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
        request = TurnRequest("", session_id="long", principals=("ann",))
        conversation = await conversations.open(request)
        assert conversation.view == view_of(LONG)
        await conversations.add(conversation, SHORT.turns[0])
        assert len(await stored_turns(stores, "long")) == 41


async def test_answers_for_retries_are_gone_as_the_event_log_has_them_now(file: Path) -> None:
    async with opened(file):
        pass
    with sqlite3.connect(file) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert "turns" in tables
    assert not {"answers", "events"} & tables


async def test_it_is_done_once_and_the_file_has_no_room_left_over(file: Path) -> None:
    for _ in range(2):
        async with opened(file) as stores:
            assert len(await stored_turns(stores, "long")) == 40
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)


async def test_a_file_that_cannot_be_read_whole_is_left_as_it_was(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO sessions VALUES ('z-broken', 1, x'ffff', 0)")
    with pytest.raises(Exception, match=r".+"):
        async with opened(file):
            pass
    with sqlite3.connect(file) as connection:
        rows = dict(connection.execute("SELECT session_id, content FROM sessions"))
    assert rows == {"long": older_content(LONG), "short": older_content(SHORT), "z-broken": b"\xff\xff"}


async def test_sessions_that_could_not_have_a_title_get_one(file: Path, tmp_path: Path) -> None:
    async with opened(file):
        pass
    take_titles_away(file)
    async with opened(file) as stores:
        session = await stores.sessions.session("long")
        assert session is not None
        assert (session.version, session.first_question, session.title) == (40, "Question 0?", "")
        assert tuple(await stored_turns(stores, "long")) == LONG.turns
        assert await stores.sessions.rename(session, "Named")
    async with opened(file) as stores:
        assert await stores.sessions.session("long") == replace(session, title="Named")


async def test_a_file_that_was_brought_up_to_date_has_the_columns_of_a_new_one(file: Path, tmp_path: Path) -> None:
    async with opened(file), opened(tmp_path / "new.db"):
        pass
    take_titles_away(file)
    async with opened(file):
        pass
    columns = []
    for each in (file, tmp_path / "new.db"):
        with sqlite3.connect(each) as connection:
            columns.append(connection.execute("PRAGMA table_info (sessions)").fetchall())
    assert columns[0] == columns[1]


async def test_a_file_of_a_newer_version_is_refused(file: Path) -> None:
    async with opened(file):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(ValueError, match="version"):
        async with opened(file):
            pass


async def test_an_older_file_without_sessions_is_brought_up_to_date(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "sessions.db") as connection:
        connection.executescript(TABLES)
    async with opened(tmp_path / "sessions.db") as stores:
        assert await stores.sessions.session("s") is None


def test_an_older_value_is_read_as_it_was_written() -> None:
    assert SessionCodec().from_bytes(older_content(LONG)) == SessionContext(
        "long", LONG.turns, principals=("ann",), version=40
    )
