"""Gateways over the stages of a running suite and one store, killed in the middle of turns."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict

from bench.suite import RunningSuite, free_ports, is_serving
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.system.comparable_events import comparable
from tests.system.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("intent", "decompose", "retrieve", "answer", "timeline")
SESSIONS = 3
LEASE_SECONDS = 1.0

MakeRequest = Callable[[str], gateway_pb2.AskRequest]
"""Makes the turn that is asked in a session."""


@dataclass
class KillableProcess:
    """A process of the suite on a port of its own."""

    module: str
    environment: dict[str, str]
    log: Path
    port: int = field(default_factory=lambda: free_ports(1))
    tree: Path = ROOT
    """The checkout whose code it runs; the environment names it, too."""
    _process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        command = [sys.executable, "-m", self.module, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self.tree, env=self.environment, stdout=log, stderr=log)

    def wait(self) -> None:
        """Return when it serves."""
        wait_for(lambda: is_serving(self.address), seconds=60)

    def kill(self) -> None:
        """End it without any warning."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Let it drain and end."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait() == 0

    def restart(self) -> None:
        """Let it drain and end, start it anew, and return when it serves."""
        self.stop()
        self.start()
        self.wait()


@dataclass
class KillableGateway(KillableProcess):
    """A gateway."""

    @contextmanager
    def stub(self) -> Iterator[gateway_pb2_grpc.GatewayServiceStub]:
        with grpc.insecure_channel(self.address) as channel:
            yield gateway_pb2_grpc.GatewayServiceStub(channel)


@contextmanager
def killable_gateways(
    suite: RunningSuite, folder: Path, settings: dict[str, str], count: int = 2
) -> Iterator[list[KillableGateway]]:
    """Gateways over the stages of a suite that share a store, at first all serving."""
    stages = {f"PARLEY_GATEWAY_{name.upper()}": f"127.0.0.1:{suite.port + n}" for n, name in enumerate(STAGES, start=1)}
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PARLEY_GATEWAY_DATA": str(folder),
        "PARLEY_GATEWAY_LEASE_SECONDS": str(LEASE_SECONDS),
        **stages,
        **settings,
    }
    gateways = [KillableGateway("gateway", environment, folder / f"gateway-{number}.log") for number in range(count)]
    with all_running(gateways):
        yield gateways


@contextmanager
def all_running(processes: Sequence[KillableProcess]) -> Iterator[None]:
    """Start processes, and kill them at the end."""
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.wait()
        yield
    finally:
        for process in processes:
            process.kill()


def ask(gateway: KillableGateway, request: gateway_pb2.AskRequest) -> list[event_pb2.Event]:
    """A whole turn."""
    with gateway.stub() as stub:
        return [response.event for response in stub.Ask(request, timeout=100)]


def resume(gateway: KillableGateway, turn_id: str, after_seq: int) -> list[event_pb2.Event]:
    """The rest of a turn."""
    with gateway.stub() as stub:
        request = gateway_pb2.ResumeRequest(turn_id=turn_id, after_seq=after_seq)
        return [response.event for response in stub.Resume(request, timeout=100)]


def kill_after(
    gateway: KillableGateway, boundary: int, requests: Sequence[gateway_pb2.AskRequest]
) -> list[list[event_pb2.Event]]:
    """Ask turns side by side, kill their gateway as soon as the first one has so many events, and return the events."""
    received: list[list[event_pb2.Event]] = [[] for _ in requests]
    reached = threading.Event()

    def listen(number: int) -> None:
        with gateway.stub() as stub, suppress(grpc.RpcError):
            for response in stub.Ask(requests[number], timeout=100):
                received[number].append(response.event)
                if number == 0 and len(received[0]) == boundary:
                    wait_for(lambda: all(received), seconds=30)  # without an event there is no id to resume
                    reached.set()
        if number == 0:  # a model's text comes in fewer pieces at times
            reached.set()

    listeners = [threading.Thread(target=listen, args=(number,)) for number in range(len(requests))]
    for listener in listeners:
        listener.start()
    assert reached.wait(60)
    gateway.kill()
    for listener in listeners:
        listener.join()
    return received


def content_of(events: Sequence[event_pb2.Event]) -> dict[str, list[Any]]:
    """What a turn told since it was last restarted, by kind of event: texts by sentence, and without times and ids.

    Parts of a turn that run side by side may tell their events in another order, each time.
    """
    restarts = [place for place, event in enumerate(events, start=1) if event.HasField("restarted")]
    events = events[max(restarts, default=0) :]
    messages = [event for event in events if not event.HasField("text")]
    contents = comparable([MessageToDict(message, preserving_proto_field_name=True) for message in messages])
    for kind in ("plan", "citation"):
        contents.get(kind, []).sort(key=str)
    tasks = [task for event in events for task in event.usage.tasks]
    contents["usage"] = sorted((task.stage, task.task, task.input_tokens) for task in tasks)
    texts = sorted((event.text for event in events if event.HasField("text")), key=lambda text: text.sentence)
    contents["text"] = [
        (number, "".join(piece.delta for piece in pieces)) for number, pieces in groupby(texts, lambda t: t.sentence)
    ]
    return contents


def assert_unharmed(
    gateways: list[KillableGateway],
    make_request: MakeRequest,
    boundaries: Sequence[int],
    whole: Sequence[event_pb2.Event],
) -> None:
    """Kill the gateway of three turns at each boundary; resumed at the other one, each is run anew and ends whole."""
    for boundary in boundaries:
        victim, other = gateways
        requests = [make_request(f"s-{boundary}-{number}") for number in range(SESSIONS)]
        received = kill_after(victim, boundary, requests)
        victim.start()
        for before in received:
            after = resume(other, before[0].turn_id, len(before))
            events = [*before, *after]
            assert [event.seq for event in events] == list(range(1, len(events) + 1)), f"boundary {boundary}"
            assert {event.turn_id for event in events} == {before[0].turn_id}
            kinds = [event.WhichOneof("event") for event in events]
            assert kinds.count("completed") == 1
            assert kinds.count("restarted") <= 1, f"boundary {boundary}: one kill, several restarts"
            content, expected = content_of(events), content_of(whole)
            assert content.keys() == expected.keys(), f"boundary {boundary}"
            for kind, contents in expected.items():
                assert content[kind] == contents, f"boundary {boundary}: {kind}"
        victim.wait()
        gateways.reverse()
