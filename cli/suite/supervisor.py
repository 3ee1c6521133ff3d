"""Keeps a suite's processes running: starts them, restarts those that die or hang, stops all.

A process that dies before it has ever served is not restarted: its port is taken or its settings are wrong, and its log
says which. A process that dies later is started again: at once, or if it has not lived for half a minute after a pause
that doubles from half a second up to ten seconds. A process that hangs is killed and started again.

What speaks HTTP stops first, then the gateways, and the stages when all turns have ended. A process that does not end
in time is killed.
"""

import asyncio
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from cli.suite.liveness import MAX_MISSES, processor_seconds_of, until_hung
from cli.suite.processes import Process
from cli.suite.supervised import Supervised

POLL_SECONDS: Final = 0.1  # between two looks at a process that starts (taste)
START_SECONDS: Final = 60.0
"""Time after a start during which nothing is checked, unless the process is SERVING earlier (taste)."""


class ProcessDiedError(Exception):
    """A process died before it ever served; the message contains the end of its log."""


@dataclass(slots=True)
class Supervisor:
    """Runs a suite.

    Args:
        children: what to run.
        stop_seconds: how long a process may take to end after SIGTERM before it is killed.
        serving: returns whether the health of an address is SERVING; may block briefly.
        tell: receives messages about deaths, restarts and kills; raises nothing.
        max_misses: failed checks in a row after which a process counts as hung.
    """

    children: Sequence[Supervised]
    stop_seconds: float
    serving: Callable[[str], bool]
    tell: Callable[[str], None]
    max_misses: int = MAX_MISSES
    _keepers: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def start(self) -> None:
        """Start all processes and return when all are SERVING.

        Raises:
            ProcessDiedError: a process died during the start, or its port is taken by another program.
        """
        for child in self.children:
            if _is_taken(child.process):
                taken = f"{child.process.address} is in use"
                raise ProcessDiedError(f"The process {child.name} could not start: {taken}. --port moves all of them.")
        for child in self.children:
            child.log.write_bytes(b"")
            await child.start()
        await asyncio.gather(*(self._until_first_up(child) for child in self.children))

    async def watch(self) -> None:
        """Restart processes that die or hang, until they are stopped."""
        self._keepers = {child.name: asyncio.create_task(self._keep_alive(child)) for child in self.children}
        ended, _ = await asyncio.wait(self._keepers.values(), return_when=asyncio.FIRST_EXCEPTION)
        for keeper in ended:
            if not keeper.cancelled():
                keeper.result()

    async def restart(self) -> None:
        """Drain and restart all processes in turn, each when the one before is SERVING again; a failure ends it.

        Does nothing before they are watched.
        """
        if not self._keepers:
            return
        for group in self._stop_order():
            for child in group:
                self._tell(child, "is restarted on request")
                child.is_restarting = True
                await self._end(child)
                while child.is_restarting:  # noqa: ASYNC110 - its keeper starts it again
                    await asyncio.sleep(POLL_SECONDS)
                await self._until_up(child, START_SECONDS)
                if not await self._is_serving(child):
                    self._tell(child, "does not serve after its restart; no other process is restarted")
                    return

    async def stop(self) -> None:
        """Stop the doors and gateways, then the stages; until then, stages that die are restarted for running turns."""
        for group in self._stop_order():
            await asyncio.gather(*(self._stop(child) for child in group))

    def hurry(self) -> None:
        """End the draining of the processes that are being stopped."""
        for child in self.children:
            if child.is_asked_to_end:
                child.signal(signal.SIGTERM)

    def _stop_order(self) -> tuple[list[Supervised], ...]:
        """Return what calls gateways, the gateways, then the stages."""
        doors = [child for child in self.children if child.process.speaks_http]
        gateways = [child for child in self.children if "gateway" in child.process.names]
        return doors, gateways, [child for child in self.children if child not in (*doors, *gateways)]

    async def _stop(self, child: Supervised) -> None:
        if (keeper := self._keepers.get(child.name)) is not None:
            keeper.cancel()
            await asyncio.wait([keeper])
        await self._end(child)

    async def _end(self, child: Supervised) -> None:
        """Ask a process to end, and kill it if it does not."""
        if not child.is_running:
            return
        child.ask_to_end()
        try:
            async with asyncio.timeout(self.stop_seconds):
                await child.wait()
        except TimeoutError:
            self._tell(child, f"did not end within {self.stop_seconds:g} s and is killed")
            child.signal(signal.SIGKILL)
            await child.wait()

    async def _keep_alive(self, child: Supervised) -> None:
        while True:
            reason = await self._until_lost(child)
            if not child.is_restarting:
                pause = child.next_pause()
                self._tell(child, f"{reason}; it is started again{f' in {pause:g} s' if pause else ''}")
                await asyncio.sleep(pause)
            try:
                await child.start()
            except OSError as error:
                self._tell(child, f"could not be started: {error}")

    async def _until_lost(self, child: Supervised) -> str:
        """Return why a process has ended, once it has; one that hangs is killed, unless it is to end anyway."""
        death = asyncio.create_task(child.wait())
        hang = asyncio.create_task(self._until_hung(child))
        try:
            await asyncio.wait((death, hang), return_when=asyncio.FIRST_COMPLETED)
            if death.done() or child.is_asked_to_end:
                return f"ended with {await death}"
            child.signal(signal.SIGKILL)
            await death
            return f"{hang.result()}, so it was killed"
        finally:
            death.cancel()
            hang.cancel()

    async def _until_hung(self, child: Supervised) -> str:
        await self._until_up(child, START_SECONDS)
        return await until_hung(child.liveness, self.max_misses, lambda: processor_seconds_of(child.pid))

    async def _until_first_up(self, child: Supervised) -> None:
        await self._until_up(child, None)
        if not child.has_served:
            raise ProcessDiedError(f"The process {child.name} could not start:\n{child.end_of_log()}")

    async def _until_up(self, child: Supervised, seconds: float | None) -> None:
        """Return once a process is SERVING, has ended, or has had its time to start."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while child.is_running and not child.has_served and not await self._is_serving(child):  # noqa: ASYNC110 - another process
                    await asyncio.sleep(POLL_SECONDS)

    async def _is_serving(self, child: Supervised) -> bool:
        is_serving = await asyncio.to_thread(self.serving, child.health)
        child.has_served = child.has_served or is_serving
        return is_serving

    def _tell(self, child: Supervised, text: str) -> None:
        child.note(text)
        self.tell(f"{child.name} {text}")


def _is_taken(process: Process) -> bool:
    """Whether another program listens on the address, whose health must not be mistaken for the process's."""
    with socket.socket(socket.AF_INET6 if ":" in process.host else socket.AF_INET) as probe:
        return probe.connect_ex((process.host, process.port)) == 0
