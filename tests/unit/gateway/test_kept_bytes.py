"""What the gateway keeps for resuming and retries is bounded, in shares of the callers."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gateway.store.event_log import EventLog
from gateway.store.kept_bytes import LEAST_BYTES, KeptBytes
from gateway.store.logged_turns import TURNS, Batch
from gateway.store.retries import RetryStore, StoredQuestion
from gateway.store.sqlite.file import sqlite_storage
from gateway.store.stores import PASSING
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from tests.conformance.event_log_behaviours import COMPLETED, lease, start

SIZE = 100_000
FOUR = 4 * SIZE
PAST, LATER = 1.0, 4e9
LIMITS = CallerLimits(QuotaSettings(), admission_of(AdmissionSettings()), str)


@dataclass(frozen=True)
class Gateway:
    """Keeps at most four questions or turns of `SIZE`."""

    questions: RetryStore
    log: EventLog

    async def supply(self, caller: str, question_id: str) -> None:
        LIMITS.begin("SupplyQuestion", caller)
        await self.questions.put_question(StoredQuestion(question_id, "", "", b"x" * SIZE))

    async def answer(self, caller: str, turn_id: str) -> None:
        LIMITS.begin("Ask", caller)
        await self.log.begin(start(turn_id), lease())
        await self.log.append(turn_id, "one", Batch([b"x" * SIZE], COMPLETED))

    async def kept(self, *names: str) -> str:
        """Those of the questions and turns that are still there."""
        there = [await self.questions.question(name) or await self.log.turn(name) for name in names]
        return " ".join(name for name, each in zip(names, there, strict=True) if each is not None)


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Gateway]:
    async with sqlite_storage(tmp_path / "events.db", PASSING) as storage:
        kept = KeptBytes(FOUR)
        yield Gateway(RetryStore(storage, 60, kept), EventLog(storage, kept=kept))


async def test_questions_that_nobody_answers_take_no_more_than_the_bound(gateway: Gateway, tmp_path: Path) -> None:
    for number in range(40):
        await gateway.supply("mallory", f"m{number}")
    assert await gateway.kept("m0", "m35", "m36", "m39") == "m36 m39"
    await gateway.log.expire()
    assert (tmp_path / "events.db").stat().st_size < FOUR + 20 * LEAST_BYTES


async def test_the_turns_of_one_caller_drive_out_nothing_of_others(gateway: Gateway) -> None:
    await gateway.supply("bob", "b0")
    await gateway.answer("bob", "b1")
    for number in range(9):
        await gateway.answer("mallory", f"m{number}")
    assert await gateway.kept("b0", "b1", "m6", "m7", "m8") == "b0 b1 m7 m8"


async def test_what_a_caller_alone_keeps_shrinks_as_others_come(gateway: Gateway) -> None:
    for number in range(4):
        await gateway.supply("mallory", f"m{number}")
    await gateway.supply("bob", "b0")
    await gateway.answer("bob", "b1")
    assert await gateway.kept("m0", "m1", "m2", "m3", "b0", "b1") == "m2 m3 b0 b1"


def test_what_is_written_again_or_has_expired_is_not_counted() -> None:
    kept = KeptBytes(FOUR)
    assert not kept.keep(TURNS, "past", 3 * SIZE, PAST)
    for size in (FOUR, SIZE, 2 * SIZE):
        assert not kept.keep(TURNS, "same", size, LATER)
    assert not kept.keep(TURNS, "new", 2 * SIZE, LATER)
    assert kept.keep(TURNS, "small", 1, LATER) == [(TURNS, "same")]
