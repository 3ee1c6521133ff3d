"""A process from its start to its exit code."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from libs.runtime.calling.channel import open_channel, stream, unary
from libs.runtime.errors import InternalError
from libs.runtime.serving.health import health_of, until_serving
from libs.runtime.serving.server import Server
from libs.runtime.serving.service import Service
from libs.runtime.settings import SettingsError
from tests.fakes.running_server import QUIET, running
from tests.service.runtime.conftest import Echo

ROOT = Path(__file__).parents[3]
MAIN = """
import asyncio, os, pathlib
from libs.runtime.serving.process import run
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices, serve_stages
from libs.runtime.settings import ServerSettings
from trial.v1 import echo_pb2, echo_pb2_grpc

class Echo(echo_pb2_grpc.EchoServiceServicer):
    async def Say(self, request, context):
        raise RuntimeError("the cause")

    async def Count(self, request, context):
        for number in range(20):
            yield echo_pb2.SayResponse(text=str(number))
            await asyncio.sleep(0.05)

async def seen(variable):
    path = os.environ.get(variable)
    while path and not pathlib.Path(path).exists():
        await asyncio.sleep(0.01)
    if path and pathlib.Path(path).read_text() == "broken":
        raise RuntimeError("the model is broken")

async def main():
    stage = StageServices(
        "trial", (Service.of(Echo()),), warm_up=lambda: seen("TRIAL_WARM"), ready=lambda: seen("TRIAL_READY")
    )
    await serve_stages(ServerSettings.from_args(port=0), [stage])
    print("closed after the last call", flush=True)

run(main)
"""
CLOSED = "closed after the last call\n"


async def no_longer_serving(target: str) -> str:
    """The first other health than SERVING."""
    while (health := await health_of(target)) == "SERVING":  # noqa: ASYNC110 - the event is in another process
        await asyncio.sleep(0.01)
    return health


class Process:
    """The program above, in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._log = b""

    async def started(self) -> str:
        """Where it listens, by its log."""
        assert self._process.stderr is not None
        while True:
            line = await self._process.stderr.readline()
            self._log += line
            if b"started" in line and (match := re.search(rb"127\.0\.0\.1:\d+", line)):
                return match[0].decode()

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    async def ended(self) -> tuple[int, str, str]:
        """Exit code, the rest of its output, its log."""
        output, log = await asyncio.wait_for(self._process.communicate(), 20)
        return self._process.returncode or 0, output.decode(), (self._log + log).decode()


@asynccontextmanager
async def program(echo: Echo, *arguments: str, **variables: str) -> AsyncIterator[Process]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "protos" / "gen"), str(echo.root)])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MAIN, *arguments),
        env={**os.environ, "PYTHONPATH": path, "PARLEY_SERVER_LAME_DUCK_SECONDS": "0.3", **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def test_sigterm_under_a_running_stream_lets_it_end_whole_after_health_said_so(echo: Echo) -> None:
    async with program(echo) as process:
        target = await process.started()
        await asyncio.wait_for(until_serving(target), 10)
        async with open_channel(target) as channel:
            answers = stream(echo.grpc.EchoServiceStub(channel).Count, echo.pb2.SayRequest())
            texts = [(await anext(answers)).text]
            process.signal(signal.SIGTERM)
            health = await no_longer_serving(target)
            texts += [answer.text async for answer in answers]
        code, output, _ = await process.ended()
    assert health == "NOT_SERVING"
    assert texts == [str(n) for n in range(20)]
    assert (code, output) == (0, CLOSED)


async def test_a_second_signal_cuts_the_draining_short(echo: Echo) -> None:
    async with program(echo, PARLEY_SERVER_LAME_DUCK_SECONDS="600") as process:
        target = await process.started()
        await asyncio.wait_for(until_serving(target), 10)
        process.signal(signal.SIGINT)
        await no_longer_serving(target)
        process.signal(signal.SIGINT)
        code, output, _ = await process.ended()
    assert (code, output) == (0, CLOSED)


async def test_a_taken_port_is_told_and_not_shared(echo: Echo, servicer: Any) -> None:
    async with running(servicer()) as server, program(echo, "--port", str(server.port)) as process:
        code, _, log = await process.ended()
    assert code == 1
    assert f"can't listen on {server.target}: the port is in use" in log
    assert "Traceback" not in log


async def test_wrong_settings_are_told_by_their_variable(echo: Echo) -> None:
    async with program(echo, PARLEY_SERVER_MAX_CONCURRENCY="none") as process:
        code, _, log = await process.ended()
    assert code == 2
    assert log.startswith("PARLEY_SERVER_MAX_CONCURRENCY: must be a valid integer")
    assert "Traceback" not in log


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "203.0.113.7", "example.org"])
async def test_a_public_address_in_plain_text_is_refused(host: str, servicer: Any) -> None:
    with pytest.raises(SettingsError, match=r"PARLEY_SERVER_HOST.*PARLEY_SERVER_INSECURE"):
        await Server(QUIET.model_copy(update={"host": host}), Service.of(servicer()), name="trial").start()


async def test_a_public_address_is_served_when_told_to(servicer: Any) -> None:
    public = QUIET.model_copy(update={"host": "0.0.0.0", "insecure": True})
    async with running(servicer(), settings=public) as server:
        assert await health_of(f"127.0.0.1:{server.port}") == "SERVING"


async def test_a_process_serves_only_when_it_is_warm_and_what_it_needs_is_there(echo: Echo, tmp_path: Path) -> None:
    warm, ready = tmp_path / "warm", tmp_path / "ready"
    async with program(echo, TRIAL_WARM=str(warm), TRIAL_READY=str(ready)) as process:
        target = await process.started()
        healths = [await health_of(target)]
        warm.touch()
        healths.append(await health_of(target))
        ready.touch()
        await asyncio.wait_for(until_serving(target), 10)
        process.signal(signal.SIGTERM)
        code, output, _ = await process.ended()
    assert healths == ["NOT_SERVING"] * 2
    assert (code, output) == (0, CLOSED)


async def test_a_signal_while_warming_up_is_a_clean_end(echo: Echo, tmp_path: Path) -> None:
    async with program(echo, TRIAL_WARM=str(tmp_path / "never")) as process:
        await process.started()
        process.signal(signal.SIGTERM)
        code, output, _ = await process.ended()
    assert (code, output) == (0, CLOSED)


async def test_a_process_that_cannot_warm_up_fails(echo: Echo, tmp_path: Path) -> None:
    warm = tmp_path / "warm"
    warm.write_text("broken")
    async with program(echo, TRIAL_WARM=str(warm)) as process:
        code, _, log = await process.ended()
    assert code == 1
    assert "the model is broken" in log


async def test_the_log_of_a_failed_call_has_its_cause_and_its_id_as_json(echo: Echo) -> None:
    async with program(echo, PARLEY_SERVER_LOG_FORMAT="json") as process:
        target = await process.started()
        async with open_channel(target) as channel:
            stub, metadata = echo.grpc.EchoServiceStub(channel), [("x-request-id", "turn-7")]
            with pytest.raises(InternalError) as error:
                await unary(stub.Say, echo.pb2.SayRequest(), metadata=metadata)
        process.signal(signal.SIGTERM)
        _, _, log = await process.ended()
    (error_entry,) = [entry for entry in map(json.loads, log.splitlines()) if entry["level"] == "error"]
    assert (error_entry["request_id"], error_entry["process"]) == ("turn-7", "trial")
    assert error_entry["method"] == "trial.v1.EchoService/Say"
    assert "the cause" in json.dumps(error_entry["exception"])
    assert "the cause" not in error.value.message
