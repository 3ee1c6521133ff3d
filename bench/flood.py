"""Honest callers beside a flood: `python -m bench.flood [FLOOD...] [--seconds 60]`.

A suite over the samples with default settings and the rules. Eight callers, each with an address of its own (as the
HTTP server names it), ask turn by turn, each in a new conversation, with pauses as long as a turn takes when there are
none; a ninth uploads a file every five seconds. A flood comes from one further address: so many seconds without it and
with it, then a third of that each without pauses. All of it shares a machine, the flood's client (+) included.
"""

import argparse
import asyncio
import io
import multiprocessing
import random
import socket
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import grpc
import psutil

from bench.samples import conversations, ingest, report, spread
from bench.suite import RunningSuite, free_ports, running_suite
from bench.turns import SECONDS, Stub
from libs.runtime.security.trust import ORIGIN_KEY
from libs.runtime.status import error_from_rpc
from parley.gateway.v1 import gateway_pb2
from tests.fakes.office_files import docx
from tests.hostile.http2 import RawConnection

QUESTIONS: Final = list(chain.from_iterable(conversations()))
CALLERS: Final = tuple(f"127.0.0.{11 + number}" for number in range(8))
UPLOADER, FLOODER = "127.0.0.19", "127.0.0.99"
ASK: Final = "/parley.gateway.v1.GatewayService/Ask"
INGEST: Final = "/parley.retrieve.v1.CorpusService/Ingest"
QUESTION: Final = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?").SerializeToString()
PARAGRAPHS: Final = 1_000_000 * b"<w:p><w:r><w:t>a</w:t></w:r></w:p>"
"""Two minutes' work for a reader, in 100 KB of a packed file."""


def opens(method: str, message: bytes | None, streams: int, window: int, gateway: str, web: int) -> None:
    """So many streams more every two seconds, of which nobody reads more than the window, nor sends anything more."""
    for connection in [RawConnection(gateway, window, FLOODER) for _ in range(300)]:
        connection.call(method, message, times=streams)
        time.sleep(2)


def cancels(pause: float, gateway: str, web: int) -> None:
    """25 Asks each over three connections, cancelled after so many seconds, again and again."""
    connections = [RawConnection(gateway, source=FLOODER) for _ in range(3)]
    while True:
        for connection in connections:
            connection.call(ASK, QUESTION, times=25)
        time.sleep(pause)
        for connection in connections:
            connection.reset(25)
            connection.drop_received()


def uploads(gateway: str, web: int) -> None:
    """16 uploads with a byte every five seconds, again when they end; two files that are slow to read each minute."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx())) as plain, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as slow:
        for name in plain.namelist():
            slow.writestr(name, plain.read(name).replace(b"<w:sectPr", PARAGRAPHS + b"<w:sectPr"))
    drops, held = dict[int, socket.socket](), list[socket.socket]()
    for second in count(0, 5):
        if second % 60 == 0:
            held += [post(web, FLOODER, f"{number}.docx", content.getvalue()) for number in range(2)]
        for number in range(16):
            try:
                drops[number].sendall(b"x")
            except (KeyError, OSError):
                drops[number] = post(web, FLOODER, f"{number}.txt", b"x", 1_000_000)
        time.sleep(5)


def post(web: int, source: str, name: str, content: bytes, length: int = 0) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", web), timeout=60, source_address=(source, 0))
    kind = f"Content-Type: application/octet-stream\r\nContent-Length: {length or len(content)}"
    head = f"POST /upload?name={name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}\r\n\r\n"
    connection.sendall(head.encode() + content)
    return connection


FLOODS: Final[dict[str, Callable[[str, int], None]]] = {
    "unread": partial(opens, ASK, QUESTION, 32, 1),
    "idle": partial(opens, INGEST, None, 128, 65535),
    "uploads": uploads,
    "cancels": partial(cancels, 0.009),
    "resets": partial(cancels, 0.0),
}


@dataclass
class Outcomes:
    """Of the honest callers' turns and uploads: milliseconds to the first text, and how they ended."""

    first: list[float] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)


async def ask(stub: Any, caller: str, outcomes: Outcomes) -> None:
    """One turn."""
    request = gateway_pb2.AskRequest(question=random.choice(QUESTIONS))
    start, texts = time.perf_counter(), list[float]()
    try:
        async for response in stub.Ask(request, timeout=SECONDS, metadata=((ORIGIN_KEY, f"ipv4:{caller}:1"),)):
            if response.event.HasField("text"):
                texts.append((time.perf_counter() - start) * 1000)
        outcomes.ends["OK"] += 1
        outcomes.first += texts[:1]
    except grpc.aio.AioRpcError as error:
        outcomes.ends[error.code().name] += 1
        await asyncio.sleep(error_from_rpc(error).retry_after or 0.0)


async def load(suite: RunningSuite, web: int, seconds: float, pause: float) -> Outcomes:
    """What the callers got in so many seconds, with about so long a pause before each question."""
    outcomes, end = Outcomes(), time.monotonic() + seconds

    async def keep_asking(caller: str) -> None:
        async with grpc.aio.insecure_channel(suite.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            while time.monotonic() < end:
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                await ask(Stub(channel), caller, outcomes)

    async def keep_uploading() -> None:
        while time.monotonic() < end:
            answer = await asyncio.to_thread(lambda: post(web, UPLOADER, "note.txt", b"Phoenix landed.").recv(12))
            outcomes.ends[f"upload {answer[9:].decode()}"] += 1
            await asyncio.sleep(5)

    await asyncio.gather(keep_uploading(), *map(keep_asking, CALLERS))
    return outcomes


async def measure(suite: RunningSuite, web: int, flood: str, seconds: float, pause: float) -> tuple[str, ...]:
    """A row of the report."""
    times = [suite.processor_seconds()]
    before = await load(suite, web, seconds, pause)
    times.append(suite.processor_seconds())
    process = multiprocessing.get_context("spawn").Process(target=keep, args=(flood, suite.address, web))
    process.start()
    during = await load(suite, web, seconds, pause)
    times.append(suite.processor_seconds())
    own = sum(psutil.Process(process.pid).cpu_times()[:2])
    process.kill()
    return (
        f"{flood}, pauses of {pause:.2f} s",
        f"{before.ends['OK'] / seconds:.1f} -> {during.ends['OK'] / seconds:.1f}",
        f"{during.ends['OK'] / before.ends['OK']:.2f}",
        f"{spread(before.first)} -> {spread(during.first)}",
        f"{dict(before.ends)} -> {dict(during.ends)}",
        f"{times[1] - times[0]:.0f} -> {times[2] - times[1]:.0f} + {own:.0f}",
    )


def keep(flood: str, gateway: str, web: int) -> None:
    """Flood, and begin again if the server ends it."""
    while True:
        with suppress(OSError):
            FLOODS[flood](gateway, web)


async def rows(suite: RunningSuite, web: int, floods: Sequence[str], seconds: float) -> list[tuple[str, ...]]:
    """Of all floods, with pauses and without."""
    await load(suite, web, 10.0, 0.0)
    most = (await load(suite, web, 10.0, 0.0)).ends["OK"] / 10.0
    cases = product(floods, ((seconds, len(CALLERS) / most), (seconds / 3, 0.0)))
    return [await measure(suite, web, flood, *case) for flood, case in cases]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("floods", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    options, web = parser.parse_args(), free_ports(1)
    with (
        TemporaryDirectory(prefix="parley-bench-") as folder,
        running_suite(Path(folder) / "data", arguments=("--web", "--web-port", str(web))) as suite,
    ):
        ingest(suite)
        table = asyncio.run(rows(suite, web, options.floods or list(FLOODS), options.seconds))
    report("Floods", table, ("flood", "turns/s", "ratio", "first text", "ends", "processor seconds"), width=200)


if __name__ == "__main__":
    main()
