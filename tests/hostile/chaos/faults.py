"""What can go wrong with a part that a turn needs, and a proxy in front of it that lets it go wrong."""

import asyncio
import random
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from typing import Any, Final, TypeVar

T = TypeVar("T")

CHUNK: Final = 65_536
LATENCY: Final = 0.15
"""Seconds that a slow part takes longer for each piece of what is sent, either way."""


class Fault(Enum):
    """A sort of failure, by its name in the documentation."""

    DOWN = "down"
    """Connections are refused, those that stand are reset."""
    SLOW = "slow"
    """All that is sent comes later."""
    HANG = "hang"
    """Connections are accepted, and nothing more happens."""
    CUT = "cut off"
    """Connections break after some bytes of an answer."""
    GARBAGE = "garbage"
    """Random bytes are answered."""
    WRONG = "wrong answers"
    """The protocol is right, what it carries is not."""
    EMPTY = "empty answers"
    """Answers can be read and lack everything."""
    FULL = "disk full"
    """It can write to no file."""


class Proxy:
    """Passes on bytes from a port of its own, or not, as `fault` says; made by `proxy_to`."""

    def __init__(self, target: int, others: dict[Fault, int], cut_after: int) -> None:
        self.target = target
        """The port of the part."""
        self._others = others
        """Ports of servers that answer instead."""
        self._cut_after = cut_after
        self._fault: Fault | None = None
        self._pass = asyncio.Event()
        self._sent: dict[asyncio.StreamWriter, int] = {}
        """Bytes sent to each client since the fault began."""
        self._server: asyncio.Server | None = None
        self._random = random.Random(7)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

    @property
    def address(self) -> str:
        """Where clients find the part."""
        return f"127.0.0.1:{self.port}"

    async def set(self, fault: Fault | None) -> None:
        """Let the fault begin; None ends it."""
        before, self._fault = self._fault, fault
        self._sent = dict.fromkeys(self._sent, 0)
        if {before, fault} & {Fault.DOWN, Fault.GARBAGE, *self._others}:
            self._reset()
        (self._pass.clear if fault is Fault.HANG else self._pass.set)()
        if fault is Fault.DOWN:
            await self.close()
        elif self._server is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def close(self) -> None:
        """Refuse connections, and reset those that stand."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._reset()

    def _reset(self) -> None:
        for client in self._sent:
            client.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        self._sent[client] = 0
        try:
            await self._pass.wait()
            if self._fault is Fault.GARBAGE:
                await self._babble(reader, client)
            else:
                await self._connect(reader, client)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._sent.pop(client, None)
            client.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        port = self._others.get(self._fault, self.target) if self._fault else self.target
        answers, server = await asyncio.open_connection("127.0.0.1", port)
        there, back = asyncio.create_task(self._pump(reader, server)), asyncio.create_task(self._pump(answers, client))
        try:
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
            server.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while content := await source.read(CHUNK):
            if self._fault is Fault.SLOW:
                await asyncio.sleep(LATENCY)
            await self._pass.wait()
            if self._fault is Fault.CUT and sink in self._sent:
                content = content[: self._cut_after - self._sent[sink]]
                self._sent[sink] += len(content)
            sink.write(content)
            await sink.drain()
            if self._fault is Fault.CUT and self._sent.get(sink, 0) >= self._cut_after:
                return

    async def _babble(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        while await reader.read(CHUNK):
            client.write(self._random.randbytes(256))
            await client.drain()


class ProxyThread:
    """The proxies' loop, and calls into it from the tests."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._proxies: list[Proxy] = []

    def proxy_to(self, target: int, others: dict[Fault, int] | None = None, cut_after: int = 40) -> Proxy:
        """Start a proxy to a port of this machine.

        Args:
            target: the port.
            others: those that answer instead of it during a fault.
            cut_after: bytes of answers after which `Fault.CUT` breaks a connection.
        """
        proxy = self._run(_make(target, others or {}, cut_after))
        self._proxies.append(proxy)
        return proxy

    @contextmanager
    def fault(self, proxy: Proxy, fault: Fault) -> Iterator[None]:
        """Let a part fail in the block."""
        self._run(proxy.set(fault))
        try:
            yield
        finally:
            self._run(proxy.set(None))

    def close(self) -> None:
        """Close all proxies."""
        for proxy in self._proxies:
            self._run(proxy.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        with suppress(RuntimeError):
            self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)


async def _make(target: int, others: dict[Fault, int], cut_after: int) -> Proxy:
    proxy = Proxy(target, others, cut_after)
    await proxy.set(None)
    return proxy
