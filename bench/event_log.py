"""What the event log costs a turn's first text: `python -m bench.event_log [ROUNDS]`.

A gateway in this process asks the stages of a running suite over the samples, by rules: each question once without a
log and once with one in SQLite, one directly after the other and each first as often, so that both meet the same
disturbances. Without a log, events are numbered and sent at once. The figure is the median of the differences of the
pairs.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from rich.console import Console

from bench.samples import conversations, quantile, report, spread, suite_over_samples
from bench.suite import RunningSuite
from gateway.calling.access import StageAccess, open_stages
from gateway.convert import GatewayTurnCodec
from gateway.events.resuming import Resuming
from gateway.events.running_turns import LeaseTimes, running_turns
from gateway.request import TurnRequest
from gateway.session.context_codec import SessionCodec
from gateway.session.conversations import Conversations
from gateway.session.row_codec import RowCodec
from gateway.settings import GatewaySettings
from gateway.store.event_log import Appended, Batch, EventLog, Lease, LoggedEvent, LoggedTurn, Progress, TurnStart
from gateway.store.sqlite import sqlite_stores
from gateway.turn.pipeline import Pipeline
from gateway.turn.turn_work import TurnWorker
from gateway.turn.turns import Turns
from gateway.turn.understanding import UnderstandingPhase
from libs.contracts.answers import TextDelta
from libs.runtime.serving.process import run
from libs.runtime.settings import ServerSettings

TARGET: Final = 3.0
"""Milliseconds that the log may cost."""


class NoLog:
    """An EventLog that keeps nothing and says that it does."""

    async def begin(self, start: TurnStart, lease: Lease) -> str | None:
        """See EventLog."""
        return None

    async def append(self, turn_id: str, owner: str, batch: Batch) -> Appended:
        """See EventLog."""
        return Appended.LOGGED

    async def turn(self, turn_id: str) -> LoggedTurn | None:
        """See EventLog."""
        return None

    async def turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        """See EventLog."""
        return None

    async def events(self, turn_id: str, after_seq: int = 0) -> Sequence[LoggedEvent]:
        """See EventLog."""
        return ()

    async def progress(self, turn_ids: Collection[str]) -> Mapping[str, Progress]:
        """See EventLog."""
        return {}

    async def renew(self, turn_ids: Collection[str], lease: Lease) -> None:
        """See EventLog."""

    async def take_over(self, turn_id: str, lease: Lease, now: float) -> bool:
        """See EventLog."""
        return False

    async def request_cancel(self, turn_id: str) -> None:
        """See EventLog."""

    async def follow(self, turn_id: str, until: float) -> None:
        """See EventLog."""

    async def delete(self, turn_id: str) -> None:
        """See EventLog."""

    async def expire(self) -> None:
        """See EventLog."""

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See EventLog."""


@asynccontextmanager
async def gateway_over(suite: RunningSuite, folder: Path, is_logging: bool) -> AsyncIterator[Turns]:
    """Turns over the suite's stages and stores of their own, with a log or without."""
    settings, server = GatewaySettings(), ServerSettings(port=suite.port)
    async with AsyncExitStack() as stack:
        stores = await stack.enter_async_context(sqlite_stores(folder / "sessions.db", 60, RowCodec().read_older))
        stages = await stack.enter_async_context(open_stages(settings, StageAccess.of(settings, server, {})))
        log: EventLog = stores.events if is_logging else NoLog()
        codec = GatewayTurnCodec()
        worker = TurnWorker(
            Conversations(stores.sessions, SessionCodec(), RowCodec()),
            UnderstandingPhase(stages, settings.probe_score),
            Pipeline(stages, settings),
        )
        # Without a log there are no leases to look after.
        times = LeaseTimes() if is_logging else LeaseTimes(poll_seconds=3600)
        runs = await stack.enter_async_context(running_turns(log, codec, times))
        yield Turns(worker, Resuming(log, runs, worker, codec), stores.retries, codec)


async def first_text(turns: Turns, question: str, session: str) -> float:
    """Milliseconds to the first text of a turn that is read to its end."""
    start, first = time.perf_counter(), 0.0
    async for event in await turns.ask(TurnRequest(question, session_id=session)):
        if not first and isinstance(event.content, TextDelta):
            first = (time.perf_counter() - start) * 1000
    return first


async def measure(suite: RunningSuite, rounds: int) -> tuple[list[float], list[float]]:
    """The times without and with a log; the first round warms up and does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    with tempfile.TemporaryDirectory(prefix="parley-log-") as name:
        folders = [Path(name) / "without", Path(name) / "with"]
        async with gateway_over(suite, folders[0], False) as without, gateway_over(suite, folders[1], True) as logging:
            for number in range(rounds + 1):
                for conversation, questions in enumerate(conversations()):
                    for question in questions:
                        for place in (0, 1) if number % 2 else (1, 0):
                            turns = (without, logging)[place]
                            milliseconds = await first_text(turns, question, f"s-{number}-{conversation}")
                            times[place].extend([milliseconds] if number else [])
    return times


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    console = Console()

    async def measured() -> None:
        with suite_over_samples() as suite:
            without, logging = await measure(suite, rounds)
        cost = quantile([late - early for early, late in zip(without, logging, strict=True)], 0.5)
        rows = [
            ("without a log", spread(without), ""),
            ("with a log", spread(logging), ""),
            ("cost, median", f"{cost:.2f} ms", f"<= {TARGET:.0f} ms"),
        ]
        await asyncio.to_thread(report, console, f"First text, {len(logging)} turns each", rows)

    run(measured)


if __name__ == "__main__":
    main()
