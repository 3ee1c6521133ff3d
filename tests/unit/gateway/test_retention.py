"""Sessions beyond the limits are deleted in the background, and the file gets smaller."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.session.retention import Retention, SessionRemoval, in_background
from gateway.store.retries import StoredQuestion
from gateway.store.sessions import StoredSession
from gateway.store.stores import Stores
from libs.runtime.errors import Unavailable
from tests.conformance.store_behaviours import addition, new, stored, texts


def retention(stores: Stores, **limits: float) -> Retention:
    removal = SessionRemoval(stores.sessions, (stores.retries, stores.recordings, stores.events))
    return Retention(removal, **limits)  # type: ignore[arg-type]  # whole numbers are given as such


async def fill(stores: Stores, count: int, text: bytes = b"text") -> None:
    """Sessions of which number n got its latest turn n days ago, each with a text of its own and a shared one."""
    for number in range(count):
        moment = datetime.now(UTC) - timedelta(days=number)
        session = replace(new(f"s-{number}"), created=moment, updated=moment)
        texts = (text * 100 + str(number).encode(), b"shared")
        await stores.sessions.add(addition(session, b"turn" * 100, texts=texts))


async def names(stores: Stores) -> list[str]:
    return [session.session_id for session in await stores.sessions.sessions((), 1000)]


@pytest.mark.parametrize(
    ("limits", "kept"),
    [({}, 30), ({"days": 9.5}, 10), ({"sessions": 7}, 7), ({"days": 19.5, "sessions": 25}, 20)],
    ids=["no limits", "old ones", "too many", "both"],
)
async def test_sessions_beyond_the_limits_are_deleted(stores: Stores, limits: dict[str, float], kept: int) -> None:
    await fill(stores, 30)
    assert await retention(stores, **limits).sweep() == 30 - kept
    assert await names(stores) == [f"s-{number}" for number in range(kept)]
    for number in range(kept):
        own = b"text" * 100 + str(number).encode()
        assert await texts(stores.sessions, await stored(stores.sessions, f"s-{number}"), own) == [own]


async def test_a_session_that_gets_a_turn_meanwhile_stays(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(stores, 3)
    store = stores.sessions
    hide = store.hide

    async def hide_after_a_turn(session_id: str, version: int) -> bool:
        if session_id == "s-2" and version == 1:
            late = replace(await stored(store, "s-2"), updated=datetime.now(UTC))
            await store.add(addition(late, b"turn"))
        return await hide(session_id, version)

    monkeypatch.setattr(store, "hide", hide_after_a_turn)
    await retention(stores, days=0.5).sweep()
    assert await names(stores) == ["s-2", "s-0"]


async def test_an_interrupted_removal_is_finished(stores: Stores) -> None:
    await fill(stores, 2)
    await stores.sessions.hide("s-1", 1)
    assert await retention(stores).sweep() == 1
    assert await stores.sessions.hidden(10) == []


async def test_what_is_kept_for_retries_goes_in_its_time_even_without_new_turns(stores: Stores) -> None:
    await stores.retries.put_question(StoredQuestion("q", "", "mark", b"pending"))
    await retention(stores).sweep()
    assert await stores.retries.question("q") is not None


async def test_the_file_gets_smaller_again(stores: Stores, tmp_path: Path) -> None:
    file = tmp_path / "sessions.db"
    await stores.sessions.shrink()
    empty = file.stat().st_size
    await fill(stores, 300, text=b"0123456789abcdefghij")
    await stores.sessions.shrink()
    full = file.stat().st_size
    await retention(stores, sessions=3).sweep()
    left = file.stat().st_size - empty
    assert left < 0.1 * (full - empty)
    assert b"0123456789abcdefghij0123" in file.read_bytes()  # of those that stay
    await retention(stores, days=1e-9).sweep()
    for part in (file, file.with_name("sessions.db-wal")):
        assert b"0123456789abcdefghij0123" not in part.read_bytes()


async def test_it_runs_in_the_background_and_survives_failures(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(stores, 3)
    outdated = stores.sessions.outdated
    failures: list[Exception] = [Unavailable("ENGINE_UNAVAILABLE", "down"), RuntimeError("broken")]

    async def failing(before: datetime, limit: int) -> Sequence[StoredSession]:
        if failures:
            raise failures.pop(0)
        return await outdated(before, limit)

    swept = asyncio.Event()

    async def shrink() -> None:
        swept.set()

    monkeypatch.setattr(stores.sessions, "outdated", failing)
    monkeypatch.setattr(stores.sessions, "shrink", shrink)
    with capture_logs() as logs:
        async with in_background(retention(stores, days=0.5), seconds=0.01):
            await asyncio.wait_for(swept.wait(), 10)
        assert await names(stores) == ["s-0"]
    assert [entry["log_level"] for entry in logs][:2] == ["warning", "error"]
