"""How the process ends: it is taken out of the balance first, then it drains."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.suite import free_ports
from tests.system.waiting import wait_for


def health(port: int) -> tuple[int, str]:
    """The status of the health path and what it says; 0 if nobody listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as response:
            return response.status, json.load(response)["status"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)["status"]
    except OSError:
        return 0, ""


@contextmanager
def process_of_doors(lame_duck_seconds: float, metrics_port: int = 0) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The process, serving, and its port; there is no gateway."""
    port = free_ports(1)
    settings = {
        "PARLEY_SERVER_LAME_DUCK_SECONDS": f"{lame_duck_seconds}",
        "PARLEY_SERVER_PROMETHEUS_PORT": f"{metrics_port}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    process = subprocess.Popen([sys.executable, "-m", "doors", "--port", str(port)], env=os.environ | settings)
    try:
        wait_for(lambda: health(port) == (200, "serving"), seconds=60)
        yield process, port
    finally:
        process.kill()
        process.wait()


def test_after_a_signal_requests_are_taken_while_health_says_that_it_ends() -> None:
    with process_of_doors(lame_duck_seconds=600) as (process, port):
        process.send_signal(signal.SIGTERM)
        wait_for(lambda: health(port) == (503, "ending"))
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        assert health(port) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_ends_it_when_the_time_is_over(number: signal.Signals) -> None:
    with process_of_doors(lame_duck_seconds=0) as (process, _):
        process.send_signal(number)
        assert process.wait(timeout=60) == 0


def test_prometheus_scrapes_it_at_a_port_of_its_own() -> None:
    metrics_port = free_ports(1)
    with process_of_doors(lame_duck_seconds=0, metrics_port=metrics_port) as (process, port):
        with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=10) as answer:
            metrics = answer.read().decode()
        process.terminate()
        assert process.wait(timeout=60) == 0
    lines = [line for line in metrics.splitlines() if line.startswith("http_server_request_duration_seconds_count")]
    assert 'http_route="/healthz"' in lines[0]
    assert 'http_response_status_code="200"' in lines[0]
    assert 'service_name="parley-doors"' in metrics
    assert f":{port}" not in metrics


def ended(**settings: str) -> tuple[int, list[str]]:
    """The exit code of a process that cannot serve, and the lines that it writes."""
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | settings
    process = subprocess.run([sys.executable, "-m", "doors"], env=variables, capture_output=True, text=True, timeout=60)
    return process.returncode, process.stderr.splitlines()


def test_a_certificate_that_cannot_be_used_ends_it_with_one_line(tmp_path: Path) -> None:
    file = str(tmp_path / "none.pem")
    code, lines = ended(PARLEY_DOORS_PORT="0", PARLEY_DOORS_CERTIFICATE=file, PARLEY_DOORS_KEY=file)
    assert (code, lines) == (2, [f"HTTPS: the files cannot be used: {file}: No such file or directory"])


def test_a_port_in_use_ends_it_with_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, lines = ended(PARLEY_DOORS_PORT=str(taken.getsockname()[1]))
    assert (code, len(lines)) == (1, 1)
    assert "the port is in use" in lines[0]
