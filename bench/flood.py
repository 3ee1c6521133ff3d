"""Honest callers beside a flood: `python -m bench.flood [SECONDS [FLOOD...]]`.

A suite over the samples with default settings and the rules. Eight callers, each with an address of its own (as the
HTTP server names it), ask turn by turn, each in a new conversation, with pauses as long as a turn takes when there are
none; a ninth uploads a file every five seconds. A flood comes from one further address: so many seconds without it and
with it, then a third of that each without pauses. All of it shares a machine, the flood's client (+) included.
"""

import asyncio
import io
import multiprocessing
import random
import socket
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import grpc
import psutil

from bench.samples import conversations, ingest, report, spread
from bench.suite import RunningSuite, free_ports, running_suite
from bench.turns import Stub
from libs.runtime.security.trust import ORIGIN_KEY
from parley.gateway.v1 import gateway_pb2
from tests.fakes.office_files import docx
from tests.hostile.http2 import RawConnection

QUESTIONS: Final = list(chain.from_iterable(conversations()))
CALLERS: Final = tuple(f"127.0.0.{11 + number}" for number in range(8))
UPLOADER, FLOODER = "127.0.0.19", "127.0.0.99"
ASK: Final = "/parley.gateway.v1.GatewayService/Ask"
INGEST: Final = "/parley.retrieve.v1.CorpusService/Ingest"
QUESTION: Final = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?").SerializeToString()
PARAGRAPHS: Final = 1_000_000 * b"<w:p><w:r><w:t>a</w:t></w:r></w:p>"  # two minutes' work in a file of 100 KB


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
    """16 uploads with a byte every five seconds, and two files that are slow to read; new ones each half minute."""
    content, held = io.BytesIO(), list[socket.socket]()
    with zipfile.ZipFile(io.BytesIO(docx())) as plain, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as slow:
        for name in plain.namelist():
            slow.writestr(name, plain.read(name).replace(b"<w:sectPr", PARAGRAPHS + b"<w:sectPr"))
    while True:
        held += [post(web, FLOODER, f"{number}.docx", content.getvalue()) for number in range(2)]
        drops = [post(web, FLOODER, f"{number}.txt", b"x", 1_000_000) for number in range(16)]
        for drop in drops * 6:
            with suppress(OSError):
                drop.sendall(b"x")
            time.sleep(5 / len(drops))


def post(web: int, source: str, name: str, content: bytes, length: int = 0) -> socket.socket:
    """The connection of an upload of so many bytes, of which `content` is sent."""
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


async def ask(stub: Any, ends: Counter[str], first: list[float], **options: Any) -> None:
    """One turn: how it ended, and the milliseconds to its first text."""
    start, texts = time.perf_counter(), list[float]()
    try:
        async for response in stub.Ask(gateway_pb2.AskRequest(question=random.choice(QUESTIONS)), **options):
            if response.event.HasField("text"):
                texts.append((time.perf_counter() - start) * 1000)
        ends["OK"] += 1
        first.extend(texts[:1])
    except grpc.aio.AioRpcError as error:
        ends[error.code().name] += 1


async def load(suite: RunningSuite, web: int, seconds: float, pause: float) -> tuple[Counter[str], list[float]]:
    """What the callers got in so many seconds, with about so long a pause before each question: see `ask`."""
    ends, first, end = Counter[str](), list[float](), time.monotonic() + seconds

    async def keep_asking(caller: str) -> None:
        async with grpc.aio.insecure_channel(suite.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            while time.monotonic() < end:
                await asyncio.sleep(pause * random.uniform(0.5, 1.5))
                await ask(Stub(channel), ends, first, timeout=60, metadata=((ORIGIN_KEY, f"ipv4:{caller}:1"),))

    async def keep_uploading() -> None:
        while time.monotonic() < end:
            answer = await asyncio.to_thread(lambda: post(web, UPLOADER, "note.txt", b"Phoenix landed.").recv(12))
            ends[f"upload {answer[9:].decode()}"] += 1
            await asyncio.sleep(5)

    await asyncio.gather(keep_uploading(), *map(keep_asking, CALLERS))
    return ends, first


def measure(suite: RunningSuite, web: int, flood: str, seconds: float, pause: float) -> list[str]:
    """A row of the report."""
    start = suite.processor_seconds()
    ends, first = asyncio.run(load(suite, web, seconds, pause))
    process = multiprocessing.get_context("spawn").Process(target=FLOODS[flood], args=(suite.address, web), daemon=True)
    process.start()
    middle = suite.processor_seconds()
    ends_then, first_then = asyncio.run(load(suite, web, seconds, pause))
    work = f"{middle - start:.0f} -> {suite.processor_seconds() - middle:.0f}"
    work += f" + {sum(psutil.Process(process.pid).cpu_times()[:2]):.0f}"
    process.kill()
    rates = f"{ends['OK'] / seconds:.1f} -> {ends_then['OK'] / seconds:.1f}, {ends_then['OK'] / ends['OK']:.2f}"
    texts, all_ends = f"{spread(first)} -> {spread(first_then)}", f"{dict(ends)} -> {dict(ends_then)}"
    return [f"{flood}, {pause:.2f} s", rates, texts, all_ends, work]


def main() -> None:
    """Measure and print."""
    seconds, *floods = sys.argv[1:] or ["60"]
    data, web, columns = TemporaryDirectory(prefix="parley-bench-"), free_ports(1), ("flood, pause", "turns/s, ratio")
    with data as folder, running_suite(Path(folder) / "data", arguments=("--web", "--web-port", str(web))) as suite:
        ingest(suite)
        asyncio.run(load(suite, web, 10.0, 0.0))
        pause = 10.0 * len(CALLERS) / asyncio.run(load(suite, web, 10.0, 0.0))[0]["OK"]
        for flood in floods or FLOODS:
            rows = [measure(suite, web, flood, *case) for case in ((float(seconds), pause), (float(seconds) / 3, 0.0))]
            report("", rows, (*columns, "first text", "ends", "processor seconds"), width=200)


if __name__ == "__main__":
    main()
