"""What the event log does over every storage."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Appended, Batch, Ending, Lease, TurnStart, TurnState
from gateway.store.tables import Storage

REQUEST = b"\x00request\xff"


def start(turn_id: str = "q-1", **fields: object) -> TurnStart:
    begun = round(time.time(), 3)
    whole = {"session_id": "s-1", "principals": ("ann", "team"), "begun": begun, "keep_seconds": 60.0, **fields}
    return TurnStart(turn_id, REQUEST, **whole)  # type: ignore[arg-type]


def lease(owner: str = "one", seconds: float = 60.0) -> Lease:
    return Lease(owner, round(time.time() + seconds, 3))


def batch(*seqs: int, ending: Ending | None = None) -> Batch:
    return Batch([event(seq) for seq in seqs], ending=ending)


def event(seq: int) -> bytes:
    return b"\x00event %d" % seq


COMPLETED = Ending(TurnState.COMPLETED)


class EventLogBehaviours:
    """One test a behaviour."""

    async def test_a_turn_is_unknown_until_it_begins(self, log: EventLog) -> None:
        assert await log.turn("q-1") is None
        assert await log.turn_by_retry("retry") is None
        assert await log.events("q-1") == []
        assert await log.progress(["q-1"]) == {}
        assert await log.progress([]) == {}

    async def test_the_request_is_kept_until_the_turn_ends(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease())
        await log.append("q-1", "one", batch(1, ending=COMPLETED))
        turn = await other_log.turn("q-1")
        assert turn is not None
        assert turn.start.request == b""
        assert turn.progress.state is TurnState.COMPLETED

    async def test_another_gateway_reads_at_once_what_was_logged(self, log: EventLog, other_log: EventLog) -> None:
        first, held = start(), lease()
        assert await log.begin(first, held) is None
        turn = await other_log.turn("q-1")
        assert turn is not None
        assert (turn.start, turn.progress.lease, turn.progress.state) == (first, held, TurnState.RUNNING)
        assert await log.append("q-1", "one", batch(1, 2)) is Appended.LOGGED
        assert await log.append("q-1", "one", batch(3)) is Appended.LOGGED
        assert await other_log.events("q-1") == [event(1), event(2), event(3)]
        assert await other_log.events("q-1", after_seq=2) == [event(3)]
        assert (await other_log.progress(["q-1", "q-2"]))["q-1"].last_seq == 3

    async def test_an_ended_turn_takes_nothing_more_and_keeps_its_error(self, log: EventLog) -> None:
        await log.begin(start(), lease())
        failed = Ending(TurnState.FAILED, b"\x00why")
        assert await log.append("q-1", "one", batch(1, ending=failed)) is Appended.LOGGED
        assert await log.append("q-1", "one", batch(2)) is Appended.LOST
        turn = await log.turn("q-1")
        assert turn is not None
        assert (turn.error, turn.progress.state, turn.progress.last_seq) == (b"\x00why", TurnState.FAILED, 1)
        assert await log.events("q-1") == [event(1)]

    async def test_only_the_gateway_that_holds_the_lease_appends(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease("one"))
        assert await other_log.append("q-1", "other", batch(1)) is Appended.LOST
        assert await other_log.append("q-2", "other", batch(1)) is Appended.LOST
        assert await log.events("q-1") == []

    async def test_a_lease_is_taken_over_only_when_it_ran_out(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease("one", seconds=-1))
        await log.append("q-1", "one", batch(1))
        await log.renew(["q-1"], lease("one", seconds=60))
        assert not await other_log.take_over("q-1", lease("other"), time.time())
        await log.renew(["q-1", "q-2"], lease("one", seconds=-1))
        held = lease("other")
        assert await other_log.take_over("q-1", held, time.time())
        assert (await log.progress(["q-1"]))["q-1"].lease == held
        assert await log.append("q-1", "one", batch(2)) is Appended.LOST
        await log.renew(["q-1"], lease("one", seconds=120))
        assert (await log.progress(["q-1"]))["q-1"].lease == held
        assert await other_log.append("q-1", "other", batch(2)) is Appended.LOGGED
        assert await log.events("q-1") == [event(1), event(2)]

    async def test_of_gateways_that_take_over_at_once_one_wins(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease("dead", seconds=-1))
        now = time.time()
        attempts = [log.take_over("q-1", lease(f"{n}"), now) for n, log in enumerate((log, other_log) * 5)]
        assert sorted(await asyncio.gather(*attempts)) == [False] * 9 + [True]

    async def test_an_ended_turn_is_not_taken_over(self, log: EventLog) -> None:
        await log.begin(start(), lease("one", seconds=-1))
        await log.append("q-1", "one", batch(1, ending=COMPLETED))
        assert not await log.take_over("q-1", lease("other"), time.time())
        assert not await log.take_over("q-2", lease("other"), time.time())

    async def test_another_gateway_asks_for_a_cancel_and_follows(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease())
        await other_log.follow("q-1", 20.0)
        await other_log.follow("q-1", 10.0)
        await other_log.request_cancel("q-1")
        progress = (await log.progress(["q-1"]))["q-1"]
        assert (progress.followed_until, progress.is_cancel_requested) == (20.0, True)
        assert await log.append("q-1", "one", batch(1)) is Appended.LOGGED
        assert (await log.progress(["q-1"]))["q-1"].is_cancel_requested
        await other_log.follow("q-2", 10.0)
        await other_log.request_cancel("q-2")

    async def test_a_retry_finds_the_turn_that_runs_or_completed(self, log: EventLog, other_log: EventLog) -> None:
        key = "key" * 400
        first = start(retry_key=key, fingerprint="mark")
        assert await log.begin(first, lease()) is None
        assert await other_log.begin(start("q-2", retry_key=key), lease("other")) == "q-1"
        assert await other_log.turn("q-2") is None
        await log.append("q-1", "one", batch(1, ending=COMPLETED))
        assert await other_log.begin(start("q-3", retry_key=key), lease("other")) == "q-1"
        turn = await other_log.turn_by_retry(key)
        assert turn is not None
        assert (turn.start.turn_id, turn.start.fingerprint) == ("q-1", "mark")

    @pytest.mark.parametrize("state", [TurnState.FAILED, TurnState.CANCELLED])
    async def test_a_retry_repeats_a_turn_that_failed(self, log: EventLog, state: TurnState) -> None:
        await log.begin(start(retry_key="r"), lease())
        await log.append("q-1", "one", batch(1, ending=Ending(state)))
        assert await log.begin(start("q-2", retry_key="r"), lease()) is None
        turn = await log.turn_by_retry("r")
        assert turn is not None
        assert turn.start.turn_id == "q-2"
        assert await log.events("q-2") == []

    async def test_a_question_is_answered_once_without_a_retry_key(self, log: EventLog, other_log: EventLog) -> None:
        await log.begin(start(), lease("one"))
        assert await other_log.begin(start(), lease("other")) == "q-1"
        assert (await log.progress(["q-1"]))["q-1"].lease.owner == "one"
        await log.append("q-1", "one", batch(1, ending=Ending(TurnState.FAILED)))
        assert await other_log.begin(start(), lease("other")) is None
        assert (await log.progress(["q-1"]))["q-1"].lease.owner == "other"
        assert await log.events("q-1") == []

    async def test_of_retries_side_by_side_one_begins(self, log: EventLog, other_log: EventLog) -> None:
        logs: Sequence[EventLog] = (log, other_log) * 4
        begun = [log.begin(start(f"q-{n}", retry_key="r"), lease()) for n, log in enumerate(logs)]
        earlier = await asyncio.gather(*begun)
        turn = await log.turn_by_retry("r")
        assert turn is not None
        assert sorted(map(str, earlier)) == ["None", *[turn.start.turn_id] * 7]

    async def test_events_beyond_the_limit_are_not_kept_and_the_turn_goes_on(self, storage: Storage) -> None:
        log = EventLog(storage, max_bytes=20)
        await log.begin(start(), lease())
        assert await log.append("q-1", "one", batch(1)) is Appended.LOGGED
        assert await log.append("q-1", "one", batch(2, 3)) is Appended.TOO_LARGE
        assert await log.append("q-1", "one", batch(4, ending=COMPLETED)) is Appended.TOO_LARGE
        turn = await log.turn("q-1")
        assert turn is not None
        assert (turn.progress.is_whole, turn.progress.state, turn.progress.last_seq) == (
            False,
            TurnState.COMPLETED,
            4,
        )
        assert await log.events("q-1") == []

    async def test_a_session_is_deleted_with_all_its_turns(self, log: EventLog) -> None:
        for number, session in enumerate(("s-1", "s-1", "s-2", ""), start=1):
            await log.begin(start(f"q-{number}", session_id=session), lease())
            await log.append(f"q-{number}", "one", batch(1))
        await log.forget(["s-1", ""])
        await log.forget([])
        assert [len(await log.events(f"q-{number}")) for number in (1, 2, 3, 4)] == [0, 0, 1, 1]

    async def test_what_is_too_old_is_gone(self, log: EventLog) -> None:
        short = start("q-old", retry_key="r", keep_seconds=0.001)
        await log.begin(short, lease(seconds=-1))
        await log.append("q-old", "one", batch(1, ending=COMPLETED))
        await log.begin(start("q-new"), lease())
        await log.append("q-new", "one", batch(1))
        await asyncio.sleep(0.01)
        assert await log.turn("q-old") is None
        assert await log.turn_by_retry("r") is None
        await log.expire()
        assert await log.events("q-old") == []
        assert await log.events("q-new") == [event(1)]
        assert await log.begin(replace(start("q-again"), retry_key="r"), lease()) is None

    async def test_a_running_turn_is_kept_as_long_as_its_lease(self, log: EventLog) -> None:
        await log.begin(start(keep_seconds=0.001), lease(seconds=0.001))
        await log.renew(["q-1"], lease(seconds=60))
        await asyncio.sleep(0.01)
        await log.expire()
        assert await log.turn("q-1") is not None

    async def test_appends_of_many_turns_at_once_are_all_kept_in_order(self, log: EventLog) -> None:
        async def run(log: EventLog, turn_id: str) -> None:
            await log.begin(start(turn_id), lease())
            for seq in range(1, 6):
                await log.append(turn_id, "one", batch(seq))

        turn_ids = [f"q-{number}" for number in range(8)]
        await asyncio.gather(*(run(log, turn_id) for turn_id in turn_ids))
        for turn_id in turn_ids:
            assert await log.events(turn_id) == [event(seq) for seq in range(1, 6)]
