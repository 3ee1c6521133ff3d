"""A whole suite that admits callers without credentials: over HTTP each has a quota of its own, and is measured."""

import hashlib
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite, free_ports, running_suite
from cli.suite.processes import STAGES
from doors.grpc_web import DATA, frame
from gateway.identity.api_keys import KeyEntry
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("anonymous")]

QUOTA = 20
MORE = 2 * QUOTA + 1
"""Calls of which one is refused, as a minute may end in between."""
METHOD = "/parley.gateway.v1.GatewayService/GetServerInfo"
OK, EXHAUSTED = "0", "8"


@pytest.fixture(scope="module")
def ports() -> tuple[int, int]:
    """Those of the HTTP server, and of what Prometheus scrapes."""
    first = free_ports(2 + len(STAGES))
    return first, first + 1


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory, ports: tuple[int, int]) -> Iterator[RunningSuite]:
    folder = tmp_path_factory.mktemp("anonymous")
    key = KeyEntry(id="1", sha256=hashlib.sha256(b"parley-key").hexdigest(), principals=("alice",))
    settings = {
        "PARLEY_AUTH_KEYS": written(folder / "callers.keys", key.line()),
        "PARLEY_AUTH_ANONYMOUS": "true",
        "PARLEY_TRUST_SECRET": written(folder / "suite.secret", "s" * 32),
        "PARLEY_QUOTA_REQUESTS_PER_MINUTE": str(QUOTA),
        "PARLEY_SERVER_PROMETHEUS_PORT": str(ports[1]),
    }
    web = ("--web", "--web-port", str(ports[0]))
    with running_suite(folder / "data", settings, processes=1, arguments=web) as running:
        wait_for(lambda: answers(ports[0]), seconds=60)
        yield running


def written(file: Path, text: str) -> str:
    file.write_text(f"{text}\n")
    return str(file)


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def status_over_http(port: int, address: str) -> str:
    """The status of a gRPC-Web call from an address of this machine, as a number."""
    body = frame(DATA, b"")
    head = f"POST {METHOD} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {len(body)}\r\n"
    with socket.create_connection(("127.0.0.1", port), source_address=(address, 0)) as client:
        client.sendall(f"{head}content-type: application/grpc-web+proto\r\n\r\n".encode() + body)
        answer = b"".join(iter(lambda: client.recv(4096), b"")).decode(errors="replace")
    return answer.partition("grpc-status: ")[2].partition("\r\n")[0]


def test_one_client_s_requests_leave_those_of_another_alone(suite: RunningSuite, ports: tuple[int, int]) -> None:
    assert EXHAUSTED in [status_over_http(ports[0], "127.0.0.2") for _ in range(MORE)]
    assert status_over_http(ports[0], "127.0.0.3") == OK


def test_prometheus_scrapes_the_http_process_at_the_next_port(suite: RunningSuite, ports: tuple[int, int]) -> None:
    status_over_http(ports[0], "127.0.0.4")
    with urllib.request.urlopen(f"http://127.0.0.1:{ports[1] + 1}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    counts = [line for line in lines if line.startswith("http_server_request_duration_seconds_count")]
    assert any(f'http_route="{METHOD}"' in line for line in counts)
