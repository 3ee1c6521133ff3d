"""The console in a real browser: `make browser`."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from libs.runtime.calling.channel import open_channel
from parley.context.v1 import answer_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.browser.conftest import SECONDS, Console, run_node
from tests.fakes.running_server import running
from tests.system.door import ROOT
from tests.unit.doors.conftest import serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(SECONDS)]


def test_a_reader_does_in_the_console_what_it_is_for(console: Console) -> None:
    run_node("console.test.mjs", CONSOLE_URL=console.url, CONSOLE_PDF=str(console.pdf))


def test_a_turn_survives_a_killed_gateway(console: Console) -> None:
    pid = console.gateway_pid()
    run_node("killed.test.mjs", CONSOLE_URL=console.url, GATEWAY_PID=str(pid))
    assert console.gateway_pid() != pid


def test_turns_are_read_by_the_code_of_the_documentation(console: Console) -> None:
    page = (ROOT / "docs/how-to/http-turns.md").read_text(encoding="utf-8")
    code = page.partition("```js\n")[2].partition("```")[0]
    run_node("turns.test.mjs", CONSOLE_URL=console.url, PAGE_CODE=code)


def test_the_first_text_is_on_the_screen_soon_after_its_event(installed: None) -> None:
    with stamping_console() as url:
        run_node("latency.mjs", CONSOLE_URL=url)


class StampingGateway(gateway_pb2_grpc.GatewayServiceServicer):
    """Writes the time at which it sends each text, in milliseconds since 1970, as the text."""

    async def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> AsyncIterator[gateway_pb2.AskResponse]:
        yield _response(1, state=event_pb2.StateEvent(activity="accepted"))
        await asyncio.sleep(0.1)
        stamp = f"stamp {time.time() * 1000:.3f}"
        yield _response(2, text=answer_pb2.TextDelta(paragraph=1, sentence=1, delta=stamp))
        await asyncio.sleep(0.1)
        yield _response(3, text_end=event_pb2.TextEndEvent(text=stamp))
        yield _response(4, completed=event_pb2.CompletedEvent(outcome=session_pb2.OUTCOME_ANSWERED))


def _response(seq: int, **event: Any) -> gateway_pb2.AskResponse:
    return gateway_pb2.AskResponse(event=event_pb2.Event(turn_id="t", seq=seq, **event))


@contextmanager
def stamping_console() -> Iterator[str]:
    """The console before a gateway that stamps its texts; yields its address."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    stop, address = asyncio.Event(), loop.create_future()

    async def serve() -> None:
        gateway = StampingGateway()  # type: ignore[abstract]
        async with (
            running(gateway) as server,
            open_channel(server.target) as channel,
            serving(channel) as port,
        ):
            address.set_result(f"http://127.0.0.1:{port}/")
            await stop.wait()

    async def address_of() -> str:
        return str(await address)

    served = asyncio.run_coroutine_threadsafe(serve(), loop)
    try:
        yield asyncio.run_coroutine_threadsafe(address_of(), loop).result(20)
    finally:
        loop.call_soon_threadsafe(stop.set)
        served.result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
