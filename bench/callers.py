"""Mixed load for long: `python -m bench.callers [--minutes 10] [--callers 16]`.

A suite over the samples with default settings and the rules. Each caller is a principal of its own. It asks turn by
turn in sessions of some turns, cancels, leaves a stream and resumes its turn, puts documents and deletes them again;
one that is refused waits as long as it is told. Reported are how calls ended, the errors in the suite's own log, and
memory, file descriptors and threads of each process, at half the time and at the end. The exit status is 1 if a call
failed, an error was logged, or a process holds more at the end than it may.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

import grpc

from bench.samples import conversations, ingest, report, spread
from bench.suite import RunningSuite, running_suite
from bench.turns import SECONDS, Stub
from gateway.access.principals import PRINCIPAL_KEY
from libs.runtime.errors import Overloaded
from libs.runtime.status import error_from_rpc
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

MOST_GROWTH: Final = 0.03
"""Of a process's memory in the second half."""
SAMPLES: Final = 40
"""How often the processes are looked at; memory at half and at the end is the median of a tenth of them."""
SETTLE_SECONDS: Final = 20.0
"""After the last call, before descriptors and threads are counted for the last time (as the below, taste)."""
UNKNOWN_WAIT: Final = 1.0
"""Seconds before the next call if a refusal names no time."""
PAUSE: Final = 0.2
"""Mean seconds between two calls of a caller."""
TURNS: Final = 8
"""Of a session, at most."""
DOCUMENTS: Final = 5
"""That a caller has at most."""
ERRORS: Final = re.compile(r"status=(INTERNAL|UNKNOWN|DATA_LOSS)")


@dataclass
class Outcomes:
    """How calls ended."""

    milliseconds: list[float] = field(default_factory=list)
    """Of turns read to their end."""
    calls: Counter[str] = field(default_factory=Counter)
    """By what was done and the status."""
    failures: Counter[str] = field(default_factory=Counter)
    """Those that no caller caused."""


@dataclass
class Holding:
    """What a process holds: 10^6 bytes of memory, counts."""

    megabytes: float
    descriptors: int
    threads: int


class Caller:
    """One principal with its sessions and documents."""

    def __init__(self, channel: grpc.aio.Channel, name: str, questions: Sequence[str], outcomes: Outcomes) -> None:
        self._gateway: Any = Stub(channel)
        self._corpus: Any = corpus_pb2_grpc.CorpusServiceStub(channel)
        self._name, self._questions, self._outcomes = name, questions, outcomes
        self._metadata = ((PRINCIPAL_KEY, name),)
        self._turns = 0

    async def call(self) -> float:
        """One call chosen by chance; returns the seconds to wait before the next one."""
        actions = {self._ask: 12, self._cancel: 3, self._resume: 2, self._put: 2, self._delete: 1}
        action = random.choices(list(actions), list(actions.values()))[0]
        name, status, wait = action.__name__.strip("_"), "OK", 0.0
        try:
            await action()
        except grpc.aio.AioRpcError as error:
            typed, status = error_from_rpc(error), error.code().name
            if isinstance(typed, Overloaded):
                wait = typed.retry_after or UNKNOWN_WAIT
            elif (name, status) != ("delete", "NOT_FOUND"):
                self._outcomes.failures[f"{name} {status} {typed.reason}"] += 1
        self._outcomes.calls[f"{name} {status}"] += 1
        return wait

    def _stream(self, **options: Any) -> Any:
        self._turns += 1
        request = gateway_pb2.AskRequest(
            question=random.choice(self._questions),
            session_id=f"{self._name}-{self._turns // TURNS}",
            options=gateway_pb2.RequestOptions(**options),
        )
        return self._gateway.Ask(request, timeout=SECONDS, metadata=self._metadata)

    async def _ask(self) -> None:
        start = time.perf_counter()
        async for _ in self._stream():
            pass
        self._outcomes.milliseconds.append((time.perf_counter() - start) * 1000)

    async def _cancel(self) -> None:
        stream = self._stream()
        response = await stream.read()
        await asyncio.sleep(random.random() / 20)
        request = gateway_pb2.CancelRequest(turn_id=response.event.turn_id)
        await self._gateway.Cancel(request, timeout=SECONDS, metadata=self._metadata)
        stream.cancel()

    async def _resume(self) -> None:
        stream = self._stream(resumable=True)
        response = await stream.read()
        stream.cancel()
        request = gateway_pb2.ResumeRequest(turn_id=response.event.turn_id, after_seq=response.event.seq)
        async for _ in self._gateway.Resume(request, timeout=SECONDS, metadata=self._metadata):
            pass

    def _document(self) -> dict[str, Any]:
        return {"collection": f"of-{self._name}", "document_id": f"note-{random.randrange(DOCUMENTS)}"}

    async def _put(self) -> None:
        names, text = self._document(), "\n\n".join(random.choices(self._questions, k=40))
        document = corpus_pb2.Document(document_id=names["document_id"], title="Questions", text=text)
        request = corpus_pb2.PutDocumentRequest(collection=names["collection"], document=document)
        await self._corpus.PutDocument(request, timeout=SECONDS, metadata=self._metadata)

    async def _delete(self) -> None:
        request = corpus_pb2.DeleteDocumentRequest(**self._document())
        await self._corpus.DeleteDocument(request, timeout=SECONDS, metadata=self._metadata)


def holdings(suite: RunningSuite) -> dict[str, Holding]:
    """What each process holds now."""
    return {
        name: Holding(process.memory_info().rss / 1e6, process.num_fds(), process.num_threads())
        for name, process in suite.processes().items()
    }


async def measure(suite: RunningSuite, callers: int, seconds: float) -> tuple[Outcomes, list[dict[str, Holding]]]:
    """Outcomes of all, and what was held at each look; the last one is after the calls."""
    outcomes, looks, end = Outcomes(), list[dict[str, Holding]](), time.monotonic() + seconds
    questions = list(chain.from_iterable(conversations()))
    async with grpc.aio.insecure_channel(suite.address) as channel:

        async def keep_calling(name: str) -> None:
            caller = Caller(channel, name, questions, outcomes)
            while time.monotonic() < end:
                wait = await caller.call()
                await asyncio.sleep(wait + random.random() * 2 * PAUSE)

        async def look() -> None:
            for _ in range(SAMPLES):
                await asyncio.sleep(seconds / SAMPLES)
                looks.append(holdings(suite))

        await asyncio.gather(look(), *(keep_calling(f"caller-{number}") for number in range(callers)))
    await asyncio.sleep(SETTLE_SECONDS)
    return outcomes, [*looks, holdings(suite)]


def median(looks: Sequence[Mapping[str, Holding]], name: str) -> float:
    """Megabytes of a process over some looks; 0 if it was not there."""
    return statistics.median(look[name].megabytes if name in look else 0.0 for look in looks)


def rows(outcomes: Outcomes, looks: Sequence[Mapping[str, Holding]], errors: int) -> list[tuple[str, str, str, bool]]:
    """The report's rows: figure, value, target, whether it is met."""
    half, tenth, last = len(looks) // 2, SAMPLES // 10, looks[-1]
    table = [
        ("turns read to their end", spread(outcomes.milliseconds), "", bool(outcomes.milliseconds)),
        ("calls", " ".join(f"{name}: {count}," for name, count in sorted(outcomes.calls.items())), "", True),
        ("failures", str(dict(outcomes.failures)), "{}", not outcomes.failures),
        ("errors in the suite's log", str(errors), "0", not errors),
    ]
    for name, holding in looks[half].items():
        before, after = median(looks[half - tenth : half], name), median(looks[-1 - tenth : -1], name)
        most, now = (1 + MOST_GROWTH) * before, last.get(name, Holding(0.0, 0, 0))
        table += [
            (f"memory of {name}", f"{before:.1f} -> {after:.1f} MB", f"<= {most:.1f}", 0 < after <= most),
            (
                f"descriptors, threads of {name}",
                f"{holding.descriptors}, {holding.threads} -> {now.descriptors}, {now.threads}",
                "not more",
                now.descriptors <= holding.descriptors and now.threads <= holding.threads,
            ),
        ]
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--callers", type=int, default=16)
    options = parser.parse_args(arguments)
    random.seed(1)
    with tempfile.TemporaryDirectory(prefix="parley-callers-") as folder:
        data = Path(folder) / "data"
        with running_suite(data) as suite:
            ingest(suite)
            outcomes, looks = asyncio.run(measure(suite, options.callers, 60 * options.minutes))
        errors = len(ERRORS.findall(data.with_name("data.up.log").read_text(encoding="utf-8", errors="replace")))
    table = rows(outcomes, looks, errors)
    report(f"{options.callers} callers, {options.minutes:g} minutes", [row[:3] for row in table])
    return 0 if all(row[3] for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())
