"""Honest callers beside a flood: `python -m bench.flood [FLOOD...] [--seconds 60]`.

A suite over the samples with default settings and the rules. Eight callers, each with an address of its own, ask turn
by turn, each in a new conversation, and pause so that together they ask about half of what the suite can do; a ninth
uploads a file every five seconds. A flood comes from one further address: so many seconds without it and with it, then
a third of that each without pauses. All of it shares a machine. Numbers that name no source are chosen by hand.
"""

import argparse
import asyncio
import io
import multiprocessing
import random
import socket
import time
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from itertools import count, product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

import grpc
import psutil

from bench.callers import Caller, Outcomes
from bench.samples import ingest, spread
from bench.suite import RunningSuite, free_ports, running_suite
from parley.gateway.v1 import gateway_pb2
from tests.fakes.office_files import docx
from tests.hostile.http2 import RawConnection

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
            held += [_post(web, FLOODER, f"{number}.docx", content.getvalue()) for number in range(2)]
        for number in range(16):
            try:
                drops[number].sendall(b"x")
            except (KeyError, OSError):
                drops[number] = _post(web, FLOODER, f"{number}.txt", b"x", 1_000_000)
        time.sleep(5)


def _post(web: int, source: str, name: str, content: bytes, length: int = 0) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", web), timeout=60, source_address=(source, 0))
    kind = f"Content-Type: application/octet-stream\r\nContent-Length: {length or len(content)}"
    head = f"POST /upload?name={name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}\r\n\r\n"
    connection.sendall(head.encode() + content)
    return connection


FLOODS: Final = {
    "unread": partial(opens, ASK, QUESTION, 32, 1),
    "idle": partial(opens, INGEST, None, 128, 65535),
    "uploads": uploads,
    "cancels": partial(cancels, 0.009),
    "resets": partial(cancels, 0.0),
}


async def ask(channels: Sequence[grpc.aio.Channel], web: int, seconds: float, pause: float) -> Outcomes:
    """What the callers got in so many seconds, with a pause of so many before each question."""
    outcomes, end = Outcomes(), time.monotonic() + seconds

    async def keep_asking(caller: Caller) -> None:
        caller.outcomes = outcomes
        while time.monotonic() < end:
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            await asyncio.sleep(await caller.ask())

    async def keep_uploading() -> None:
        while time.monotonic() < end:
            answer = await asyncio.to_thread(lambda: _post(web, UPLOADER, "note.txt", b"Phoenix landed.").recv(12))
            outcomes.failures[f"upload {answer[9:].decode()}"] += 1
            await asyncio.sleep(5)

    await asyncio.gather(keep_uploading(), *(keep_asking(Caller(channel)) for channel in channels))
    return outcomes


@asynccontextmanager
async def channel_from(source: str, suite: RunningSuite) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to the gateway whose connection comes from an address of this machine."""

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_connection("127.0.0.1", suite.port, local_addr=(source, 0))
        with suppress(asyncio.CancelledError):
            await asyncio.gather(copy(reader, requests), copy(answers, writer))

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    async with server, grpc.aio.insecure_channel(f"127.0.0.1:{server.sockets[0].getsockname()[1]}") as channel:
        yield channel


async def measure(suite: RunningSuite, web: int, names: Sequence[str], seconds: float) -> None:
    """Measure, and print a line for each flood with pauses and without."""
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(channel_from(source, suite)) for source in CALLERS]
        await ask(channels, web, 10.0, 0.0)
        most = len((await ask(channels, web, 10.0, 0.0)).accepted) / 10.0
        pause = 2 * len(CALLERS) / most - fmean((await ask(channels[:1], web, 5.0, 0.0)).accepted) / 1000
        for name, (wait, length) in product(names, ((pause, seconds), (0.0, seconds / 3))):
            times = [suite.processor_seconds()]
            before = await ask(channels, web, length, wait)
            times.append(suite.processor_seconds())
            flood = multiprocessing.get_context("spawn").Process(target=keep, args=(name, suite.address, web))
            flood.start()
            during = await ask(channels, web, length, wait)
            times.append(suite.processor_seconds())
            flood_seconds = sum(psutil.Process(flood.pid).cpu_times()[:2])
            flood.kill()
            rates = [len(outcomes.accepted) / length for outcomes in (before, during)]
            print(
                f"{name}, pauses of {wait:.2f} s: {rates[0]:.1f} -> {rates[1]:.1f} turns/s, {rates[1] / rates[0]:.2f}"
            )
            print(f"  {len(during.refused)} refused, {dict(during.failures)}, before {dict(before.failures)}")
            print(f"  first text {spread(before.first)} -> {spread(during.first)}")
            print(f"  processor seconds {times[1] - times[0]:.1f} -> {times[2] - times[1]:.1f} + {flood_seconds:.1f}")


def keep(name: str, gateway: str, web: int) -> None:
    """Flood, and begin again if the server ends it."""
    while True:
        with suppress(OSError):
            FLOODS[name](gateway, web)


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
        asyncio.run(measure(suite, web, options.floods or list(FLOODS), options.seconds))


if __name__ == "__main__":
    main()
